/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread dump, in the form that java users and their tools know: a header, one paragraph
 * per thread (identity line, state, frames with locks), JNI references, deadlocks.
 */
#include "serve/diag.h"
#include "frame/frame_view.h"
#include "frame/stack_text.h"
#include "jvm/jvm_int.h"

#include "core/launch.h"
#include "os/os.h"
#include "thread/monitor.h"

#include <stdlib.h>
#include <time.h>

typedef struct OwnedLock { /* java.util.concurrent lock with an exclusive owner */
    Object *lock, *owner;
} OwnedLock;
typedef struct Dump {
    FILE *out;
    bool locks, extended;
    CF_VEC(OwnedLock) owned;
    int cycles; /* of deadlocked threads */
} Dump;

static const char *state_name(int status) {
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

static const char *activity(const Thread *k, int status) {
    if (k->blocked_on) return "waiting for monitor entry";
    if (k->waiting_on) return "in Object.wait()";
    return status == JT_SLEEPING || status == JT_PARKED || status == JT_PARKED_TIMED ? "waiting on condition" : "runnable";
}

static void print_java_name(FILE *out, const Thread *k) {
    char *name = k->java_thread ? string_to_cstr(JGET_REF(k->java_thread, Thread, name)) : NULL;
    fprintf(out, "\"%s\"", name ? name : k->name);
    free(name);
}

/* ---- one thread ---- */

static void print_owned(const Dump *d, const Thread *k) {
    bool any = false;
    fprintf(d->out, "\n   Locked ownable synchronizers:\n");
    for (size_t i = 0; i < d->owned.len; i++) {
        if (d->owned.data[i].owner != k->java_thread) continue;
        fprintf(d->out, "\t- <0x%016lx> (a %s)\n", (unsigned long)(uintptr_t)d->owned.data[i].lock,
                class_text(obj_class(d->owned.data[i].lock)).s);
        any = true;
    }
    if (!any) fprintf(d->out, "\t- None\n");
}

static void print_thread(const Dump *d, Thread *k) {
    FILE *out = d->out;
    Object *o = k->java_thread;
    int status = o ? JGET_INT(o, Thread, threadStatus) : JT_RUNNABLE;
    print_java_name(out, k);
    if (o) fprintf(out, " #%ld", (long)JGET_LONG(o, Thread, tid));
    fprintf(out, "%s", k->is_daemon && o ? " daemon" : "");
    if (o) fprintf(out, " prio=%d", JGET_INT(o, Thread, priority));
    fprintf(out, " os_prio=0 cpu=%.2fms elapsed=%.2fs", (double)os_thread_cpu_nanos(k->os_tid, false) / 1e6,
            (double)os_thread_elapsed_millis(k->os_tid) / 1e3);
    if (d->extended) fprintf(out, " allocated=%luK", (unsigned long)(heap_thread_allocated(k) >> 10));
    fprintf(out, " tid=0x%016lx nid=0x%x %s  [0x%016lx]\n", (unsigned long)(uintptr_t)k, k->os_tid, activity(k, status),
            (unsigned long)((uintptr_t)view_youngest(k).frame & ~(uintptr_t)0xfff));
    if (o) fprintf(out, "   java.lang.Thread.State: %s\n", state_name(status));
    stack_print(out, k);
    if (d->locks && o) print_owned(d, k);
    fputc('\n', out);
}

/* ---- java.util.concurrent locks ---- */

static bool note_owned(Object *o, void *arg) {
    Dump *d = arg;
    if (!obj_instanceof(o, JC(AbstractOwnableSynchronizer))) return true;
    Object *owner = JGET_REF(o, AbstractOwnableSynchronizer, exclusiveOwnerThread);
    if (!owner) return true;
    if (cf_vec_push(&d->owned, (OwnedLock){o, owner})) return true;
    return fprintf(d->out, "(there is no memory to find all locks)\n"), false;
}

/* ---- deadlocks ---- */

static void print_edge(FILE *out, Thread *k) {
    Object *owner = NULL, *lock = jvm_thread_blocker(k, &owner);
    ClassText name = class_text(obj_class(lock));
    print_java_name(out, k);
    if (k->blocked_on)
        fprintf(out, ":\n  waiting to lock monitor 0x%016lx (object 0x%016lx, a %s),\n", (unsigned long)(uintptr_t)&lock->lock,
                (unsigned long)(uintptr_t)lock, name.s);
    else fprintf(out, ":\n  waiting for ownable synchronizer 0x%016lx, (a %s),\n", (unsigned long)(uintptr_t)lock, name.s);
    fprintf(out, "  which is held by ");
    print_java_name(out, thread_of_java(owner));
    fprintf(out, "\n\n");
}

static void print_cycle(FILE *out, Thread *first) {
    Thread *k = first;
    fprintf(out, "\nFound one Java-level deadlock:\n=============================\n");
    do print_edge(out, k);
    while ((k = jvm_thread_waits_for(k)) != first);
    fprintf(out, "Java stack information for the threads listed above:\n"
                 "===================================================\n");
    do {
        print_java_name(out, k);
        fprintf(out, ":\n");
        stack_print(out, k);
    } while ((k = jvm_thread_waits_for(k)) != first);
}

static void note_deadlock(Thread *first, void *arg) {
    Dump *d = arg;
    print_cycle(d->out, first);
    d->cycles++;
}

/* ---- the whole ---- */

static void dump_stopped(void *arg) {
    Dump *d = arg;
    size_t globals, weaks;
    if (d->locks) heap_walk(note_owned, d);
    FOR_EACH_THREAD(k) print_thread(d, k); /* hidden ones, too, as on the reference */
    handle_counts(&globals, &weaks);
    fprintf(d->out, "JNI global refs: %zu, weak refs: %zu\n\n", globals, weaks);
    jvm_each_deadlock(false, note_deadlock, d);
    if (d->cycles) fprintf(d->out, "\nFound %d deadlock%s.\n", d->cycles, d->cycles == 1 ? "" : "s");
}

void thread_dump(Thread *t, FILE *out, bool locks, bool extended) {
    Dump d = {.out = out, .locks = locks, .extended = extended};
    char date[64];
    time_t now = time(NULL);
    struct tm tm;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", localtime_r(&now, &tm));
    fprintf(out, "%s\nFull thread dump %s (%s %s):\n\n", date, property_get("java.vm.name"), property_get("java.vm.version"),
            property_get("java.vm.info"));
    safepoint_run("thread dump", dump_stopped, &d);
    cf_vec_free(&d.owned);
}

JVM_EXPORT void JVM_DumpAllStacks(JNIEnv *env, jclass unused) {
    IN_JAVA Thread *t = native_enter(env);
    thread_dump(t, stdout, false, false);
}
