/* SPDX-License-Identifier: Apache-2.0 */
/*
 * VM-made Java threads.  They are daemons of the system group; Java sees them.
 * The Signal Dispatcher hands each signal to jdk.internal.misc.Signal.dispatch
 * (which starts a thread per signal) and answers SIGQUIT with a thread dump.
 */
#include "start/service_threads.h"
#include "core/hooks.h"
#include "core/options.h"
#include "core/vm.h"
#include "exec/exec.h"
#include "exec/throw.h"
#include "heap/heap.h"
#include "jvm/jvm_thread.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "link/link.h"
#include "start/start.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void clear_exception(Thread *t) { t->exception = NULL; }

static Object *make_thread_object(Thread *t, const char *name, int priority) {
    Object *o = heap_alloc_object(t, JC(Thread));
    Slot a[3] = {{.ref = o}, {.ref = vm.system_thread_group}, {.ref = string_from_cstr(t, name)}};
    if (!o || !a[2].ref || !exec_call(t, jc_method(JM_Thread_init_name), a, NULL)) return NULL;
    JSET_BOOL(o, Thread, daemon, true);
    JSET_INT(o, Thread, priority, priority);
    return o;
}

static void start_service(Thread *t, const char *name, int priority, void (*entry)(Thread *, void *)) {
    Object *o = make_thread_object(t, name, priority);
    Thread *made = NULL;
    if (!o || !thread_start(o, entry, NULL, 0, name, true, &made))
        vm_exit_during_init("cannot start thread %s", name);
    Slot a[2] = {{.ref = vm.system_thread_group}, {.ref = o}};
    exec_call(t, jc_method(JM_ThreadGroup_add), a, NULL);
}

static void dispatch_signal(Thread *t, int sig) {
    Class *c = load_boot_class(t, "jdk/internal/misc/Signal");
    Method *m = c && class_init(t, c) ? class_find_method_str(c, "dispatch", "(I)V") : NULL;
    Slot a = {.i = sig};
    if (m) exec_call(t, m, &a, NULL);
    clear_exception(t);
}

static void signal_dispatcher(Thread *t, void *arg) {
    for (;;) {
        int sig = jvm_signal_wait(t);
        if (sig != SIGQUIT) {
            dispatch_signal(t, sig);
            continue;
        }
        thread_dump_all(t);
        HOOK_CALL(DATA_DUMP, data_dump);
    }
}

void service_threads_start(Thread *t) {
    jvm_signals_init();
    if (!vm_options.reduce_signals) start_service(t, "Signal Dispatcher", 9, signal_dispatcher);
}

/* --- thread dump --- */

static const char *status_text(int status) {
    switch (status) {
    case JT_RUNNABLE: return "RUNNABLE";
    case JT_SLEEPING: return "TIMED_WAITING (sleeping)";
    case JT_WAIT: return "WAITING (on object monitor)";
    case JT_WAIT_TIMED: return "TIMED_WAITING (on object monitor)";
    case JT_PARKED: return "WAITING (parking)";
    case JT_PARKED_TIMED: return "TIMED_WAITING (parking)";
    case JT_BLOCKED: return "BLOCKED (on object monitor)";
    case JT_TERMINATED: return "TERMINATED";
    default: return "NEW";
    }
}
static void print_object_line(const char *what, Object *o) {
    char name[512];
    printf("\t- %s <0x%016lx> (a %s)\n", what, (unsigned long)(uintptr_t)o,
           class_external_name(obj_class(o), name, sizeof name));
}
static void print_frame(Frame *f) {
    Method *m = f->method;
    char name[512];
    u2 idx = m->version && m->version->cf
                 ? cf_attr_index(cf_attr(&m->version->cf->attrs, CF_ATTR_SOURCE_FILE)) : 0;
    CfStr file = idx ? cf_utf8(m->version->cf, idx) : (CfStr){0};
    int line = exec_line_number(m, frame_bci(f));
    printf("\tat %s.%s(", class_external_name(m->holder, name, sizeof name), m->name->bytes);
    if (method_is_native(m)) printf("Native Method)\n");
    else if (!file.p) printf("Unknown Source)\n");
    else if (line >= 0) printf("%.*s:%d)\n", CF_STR_ARGS(file), line);
    else printf("%.*s)\n", CF_STR_ARGS(file));
    for (LockRecord *l = f->locks; l; l = l->next) print_object_line("locked", l->object);
    if (f->sync_object) print_object_line("locked", f->sync_object);
}
static void print_thread(Thread *t) {
    Object *o = t->java_thread;
    char *name = o ? string_to_cstr(JGET_REF(o, Thread, name)) : NULL;
    printf("\"%s\"", name ? name : t->name);
    if (o) printf(" #%ld", (long)JGET_LONG(o, Thread, tid));
    printf("%s prio=%d os_prio=0 tid=0x%016lx nid=0x%x\n", t->is_daemon ? " daemon" : "",
           o ? JGET_INT(o, Thread, priority) : 5, (unsigned long)(uintptr_t)t, t->os_tid);
    free(name);
    if (o) printf("   java.lang.Thread.State: %s\n", status_text(JGET_INT(o, Thread, threadStatus)));
    bool first = true;
    for (Frame *f = t->frame; f; f = f->prev, first = false) {
        print_frame(f);
        if (first && t->waiting_on) print_object_line("waiting on", t->waiting_on);
        if (first && t->blocked_on) print_object_line("waiting to lock", t->blocked_on);
    }
    putchar('\n');
}
static void dump_at_safepoint(void *arg) {
    printf("Full thread dump %s (%s interpreted mode):\n\n", GRAFT_VM_NAME, GRAFT_VM_VERSION);
    FOR_EACH_THREAD(t) print_thread(t);
    printf("Heap\n graft heap   total %zuK, used %zuK, max %zuK\n\n", heap_committed() >> 10, heap_used() >> 10,
           heap_max() >> 10);
    fflush(stdout);
}
void thread_dump_all(Thread *t) { safepoint_run("thread dump", dump_at_safepoint, NULL); }
