/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interpreted frames: entering and leaving them when something unusual is to be
 * done, and the monitors that bytecode enters in them.
 *
 * Structured locking (JVMS 2.11.10): a frame remembers the monitors that its
 * bytecode entered. A return while there are some throws IllegalMonitorStateException,
 * an exception that leaves the frame releases them and becomes one (6.5 athrow).
 */
#include "interp/interp_int.h"
#include "core/hooks.h"
#include "native/native.h"
#include "thread/monitor.h"
#include <stdlib.h>

/* --- lock records --- */

static LockRecord *record_new(Thread *t) {
    LockRecord *r = t->exec_data;
    if (r) {
        t->exec_data = r->next;
        return r;
    }
    return malloc(sizeof *r);
}
static void record_free(Thread *t, LockRecord *r) {
    r->object = NULL;
    r->next = t->exec_data;
    t->exec_data = r;
}

bool interp_monitor_enter(Thread *t, Frame *f, Object *o) {
    LockRecord *r = record_new(t);
    if (UNLIKELY(!r)) return throw_oom(t, "Cannot allocate lock record"), false;
    r->object = o;
    r->next = f->locks;
    f->locks = r; /* before: who asks in MonitorContendedEntered sees it */
    f->flags |= FRAME_LOCKS;
    if (LIKELY(monitor_enter(t, o))) return true;
    f->locks = r->next;
    record_free(t, r);
    return false;
}

bool interp_monitor_exit(Thread *t, Frame *f, Object *o) {
    for (LockRecord **p = &f->locks; *p; p = &(*p)->next) {
        LockRecord *r = *p;
        if (r->object != o) continue;
        if (!monitor_exit(t, o)) return false;
        *p = r->next;
        record_free(t, r);
        if (!f->locks) f->flags &= ~(u4)FRAME_LOCKS;
        return true;
    }
    throw_plain(t, EX_IllegalMonitorStateException); /* not entered in this frame */
    return false;
}

void exec_release_frame_locks(Thread *t, Frame *f) {
    while (f->locks) {
        LockRecord *r = f->locks;
        f->locks = r->next;
        Object *pending = exception_take(t);
        if (!monitor_exit(t, r->object)) t->exception = NULL;
        t->exception = pending;
        record_free(t, r);
    }
    f->flags &= ~(u4)FRAME_LOCKS;
}

/* --- entering --- */

static bool frame_fits(Thread *t, Method *m, Slot *args) {
    Frame *f = (Frame *)(args + m->max_locals);
    return (u1 *)(frame_stack_base(f) + m->max_stack) <= t->java_stack_limit;
}

Frame *interp_push_frame(Thread *t, Method *m, Slot *args, u4 flags, u4 advance) {
    const u1 *code = LOAD_ACQUIRE(m->qcode);
    if (UNLIKELY(!code)) {
        if (!interp_prepare(t, m)) return NULL;
        code = m->qcode;
    }
    if (UNLIKELY(!frame_fits(t, m, args))) {
        throw_stack_overflow(t);
        return NULL;
    }
    Frame *f = (Frame *)(args + m->max_locals);
    f->prev = t->frame;
    f->method = m;
    f->pc = code;
    f->locals = args;
    f->sp = frame_stack_base(f);
    f->sync_object = NULL;
    f->locks = NULL;
    f->flags = flags;
    f->reserved = advance;
    f->qcells = m->qcells;
    t->frame = f;
    if (m->access & ACC_SYNCHRONIZED) {
        Object *o = method_is_static(m) ? m->holder->mirror : args[0].ref;
        f->sync_object = o; /* before: who asks in MonitorContendedEntered sees it */
        f->flags |= FRAME_SYNC;
        if (!monitor_enter(t, o)) {
            t->frame = f->prev;
            return NULL;
        }
    }
    return f;
}

/* The result goes through a cell of the Java stack: a C local would keep it alive. */
static inline bool call_vm_native(Thread *t, Frame *f, Method *m, Slot *args) {
    Frame *nf = (Frame *)f->sp;
    Slot *result = frame_stack_base(nf);
    if (UNLIKELY((u1 *)(result + 1) > t->java_stack_limit)) {
        throw_stack_overflow(t);
        return false;
    }
    exec_push_native_frame(t, nf, m, args, FRAME_VM_NATIVE);
    nf->sp = result + 1;
    result->raw = 0;
    if (UNLIKELY(t->event_bits & EXEC_EVENT_ENTRY)) HOOK_CALL(METHOD_ENTRY, method_entry, t, m);
    m->vm_native(t, args, result);
    if (UNLIKELY(t->exception && hook_on(HOOK_EXCEPTION))) exec_tell_exception(t, nf);
    if (UNLIKELY(t->event_bits & EXEC_EVENT_EXIT)) HOOK_CALL(METHOD_EXIT, method_exit, t, m, t->exception != NULL, *result);
    args[0] = *result;
    return true;
}

bool interp_call_native(Thread *t, Frame *f, Method *m, Slot *args, u4 advance) {
    bool ok = m->kind == MK_VM_NATIVE ? call_vm_native(t, f, m, args) : native_call(t, m, args, args);
    t->frame = f;
    if (UNLIKELY(!ok || t->exception)) return false;
    f->sp = args + type_slots(m->ret_type);
    f->pc += advance;
    return true;
}

/* The frame of the caller stands for it: it can neither throw nor be seen. */
bool interp_call_leaf_native(Thread *t, Frame *f, Method *m, Slot *args, u4 advance) {
    Slot *result = &t->leaf_result;
    result->raw = 0;
    m->vm_native(t, args, result);
    if (UNLIKELY(t->exception)) return false;
    args[0] = *result;
    f->sp = args + type_slots(m->ret_type);
    f->pc += advance;
    return true;
}

/* --- leaving --- */

bool interp_return_slow(Thread *t, Frame *f, int n) {
    if (!interp_poll(t, f)) return false;
    if (f->flags & FRAME_LOCKS) { /* the frame stays: a handler of it may still release them */
        throw_plain(t, EX_IllegalMonitorStateException);
        return false;
    }
    if (UNLIKELY((t->event_bits & EXEC_EVENT_EXIT) | (f->flags & FRAME_NOTIFY_POP))) {
        Slot v = n ? f->sp[-n] : (Slot){.raw = 0};
        if (t->event_bits & EXEC_EVENT_EXIT) HOOK_CALL(METHOD_EXIT, method_exit, t, f->method, false, v);
        if (f->flags & FRAME_NOTIFY_POP) {
            f->flags &= ~(u4)FRAME_NOTIFY_POP;
            vm_hooks.frame_pop(t, f->method, false); /* even if nobody listens: the request is over */
        }
        if (t->exception || exec_forced(t, f)) return false;
    }
    if (f->flags & FRAME_SYNC) {
        f->flags &= ~(u4)FRAME_SYNC;
        if (!monitor_exit(t, f->sync_object)) return false;
    }
    return true;
}

bool interp_poll(Thread *t, Frame *f) {
    thread_poll(t);
    return t->exception == NULL && !exec_forced(t, f);
}

bool interp_entry_slow(Thread *t, Frame *f) {
    if (!interp_poll(t, f)) return false;
    if (UNLIKELY(t->event_bits & EXEC_EVENT_ENTRY))
        HOOK_CALL(METHOD_ENTRY, method_entry, t, f->method);
    return t->exception == NULL && !exec_forced(t, f);
}

int interp_forced_exit(Thread *t, Frame *f) {
    Slot v = t->forced_value;
    bool pop = t->forced_pop;
    exec_forget_forced(t);
    t->exception = NULL;
    if (f->flags & FRAME_LOCKS) exec_release_frame_locks(t, f);
    if (!pop) {
        int n = type_slots((BasicType)f->method->ret_type);
        f->sp = frame_stack_base(f); /* max_stack may be 0: there is room above every frame */
        f->sp[0] = v;
        f->sp += n;
        return n;
    }
    if (f->flags & FRAME_SYNC) {
        f->flags &= ~(u4)FRAME_SYNC;
        if (!monitor_exit(t, f->sync_object)) t->exception = NULL;
    }
    Frame *caller = f->prev;
    caller->sp = f->locals + f->method->arg_slots - interp_appended(caller);
    t->frame = caller;
    return -1;
}
