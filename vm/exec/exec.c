/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that run Java, their events, and orders to leave a frame. */
#include "exec/exec.h"
#include "core/options.h"
#include "frame/frame_view.h"
#include "frame/framemap.h"
#include "jit/jit.h"
#include "object/field.h"
#include "object/method.h"
#include "object/version.h"
#include "quick/quick.h"
#include <stdlib.h>
#include <string.h>

void exec_init(void) {
    jit_init();
    quick_init();
}

bool exec_thread_init(Thread *t, size_t bytes) {
    if (!java_stack_init(t, bytes)) return false;
    threads_lock(); /* t is on the list: who changes the bits of all changes either both or neither */
    exec_set_event_bits(t, exec_initial_event_bits);
    threads_unlock();
    if (vm_options.safepoint_stress || vm_options.drop_interval) atomic_fetch_or(&t->poll, POLL_STRESS);
    return true;
}
void exec_thread_free(Thread *t) { java_stack_free(t); }

u4 exec_initial_event_bits;

/* Frames are written by their thread, or by others while it is stopped.  So a thread that runs is marked; a pause follows. */
static _Atomic bool code_to_leave; /* some thread is marked; cleared when none is */

static void leave_code(Thread *t) {
    bool stopped = t == thread_self() || (atomic_load(&t->suspended) && atomic_load(&t->state) != THREAD_JAVA);
    if (stopped) jit_leave_frames(t);
    else if (jit_on) t->leaves_code = code_to_leave = true;
}

static void leave_marked(void *none) {
    (void)none;
    code_to_leave = false;
    FOR_EACH_THREAD(t) {
        if (t->leaves_code) jit_leave_frames(t);
        t->leaves_code = false;
    }
}

void exec_settle_event_bits(void) {
    if (code_to_leave) safepoint_run("events on for running threads", leave_marked, NULL);
}

void exec_set_event_bits(Thread *t, u4 bits) {
    const u4 mine = POLL_METHOD_ENTRY | POLL_METHOD_EXIT | POLL_SINGLE_STEP;
    u4 wanted = (bits & EXEC_EVENT_ENTRY ? POLL_METHOD_ENTRY : 0) | (bits & EXEC_EVENT_EXIT ? POLL_METHOD_EXIT : 0) |
                (bits & EXEC_EVENT_STEP ? POLL_SINGLE_STEP : 0);
    u4 fresh = bits & ~thread_events(t);
    atomic_store_explicit(&t->event_bits, bits, memory_order_relaxed);
    if (fresh) leave_code(t);
    atomic_fetch_or(&t->poll, wanted);
    atomic_fetch_and(&t->poll, ~(mine & ~wanted));
}

void exec_events_wanted(u4 bits) { jit_report(bits & (EXEC_EVENT_ENTRY | EXEC_EVENT_EXIT)); }

void exec_forget_chosen(const JitUsers *found) {
    FOR_EACH_THREAD(t) memset(t->method_cache, 0, sizeof t->method_cache);
    jit_forget_chosen(found);
}

static void forget_code(void *nothing) { jit_forget_all(); }
void exec_show_locals(void) { safepoint_run("an agent that reads locals", forget_code, NULL); }

static void put_is_late(void *fd) {
    FIELD_FLAG_SET((Field *)fd, FIELD_PUT_LATE);
    jit_forget_all();
}
void exec_final_is_put(Field *fd) { safepoint_run("final field that is assigned late", put_is_late, fd); }

void exec_use_bytecode(Method *m) {
    if (m->kind != MK_VM_NATIVE || !(m->flags & MF_INTRINSIC)) return;
    __atomic_store_n(&m->kind, MK_BYTECODE, __ATOMIC_RELEASE);
    FLAGS_CLEAR(m->flags, MF_INTRINSIC);
    jit_forget_callers(m);
}

static void forget_callers(void *m) { jit_forget_callers(m); }
void exec_native_replaced(Method *m) {
    if (jit_on) safepoint_run("native method registered", forget_callers, m);
}

void exec_class_dispatches(Class *c) { jit_class_dispatches(c); }

/* --- forced exits: done by the tiers, see interp_forced_exit --- */

enum { ROOT_FORCED = 6 }; /* Thread.roots */

static void force(Thread *t, bool pop, Slot value) {
    FrameView v = view_youngest(t);
    t->forced_frame = v.frame;
    t->forced_pop = pop;
    t->forced_value = value;
    BasicType r = (BasicType)view_method(v)->ret_type;
    t->roots[ROOT_FORCED] = !pop && (r == T_OBJECT || r == T_ARRAY) ? value.ref : NULL;
    jit_leave_frames(t);
    atomic_fetch_or(&t->poll, POLL_FORCED_EXIT);
}
void exec_force_pop(Thread *t) { force(t, true, (Slot){.raw = 0}); }
void exec_force_return(Thread *t, Slot value) { force(t, false, value); }
void exec_forget_forced(Thread *t) {
    t->forced_frame = NULL;
    t->roots[ROOT_FORCED] = NULL;
    atomic_fetch_and(&t->poll, ~(u4)POLL_FORCED_EXIT);
}
bool exec_exit_ordered(const Thread *t) { return t->forced_frame != NULL; }
bool exec_left_by_exception(const Thread *t) { return t->leaving_frame && t->leaving_frame == view_youngest(t).frame; }

/* Two frames of bytecode with no C code between them, and a call that can be made again. */
bool exec_can_pop(Thread *t) {
    FrameView v = view_youngest(t);
    if (!view_exists(v) || view_is_entry(v) || view_is_opaque(v)) return false;
    v = view_older(v);
    return view_exists(v) && !view_is_opaque(v) && quick_call_repeatable(v.frame);
}

void exec_version_free(ClassVersion *v) {
    jit_free_version(v);
    for (u4 i = 0; i < v->n_methods_all; i++) {
        Method *m = &v->methods[i];
        framemap_free(m);
        free(m->qcode);
        m->qcode = m->qentry = NULL;
    }
    free(v->qcells);
    v->qcells = NULL;
}
