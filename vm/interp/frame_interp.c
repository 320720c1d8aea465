/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interpreted frames: entering and leaving them when something unusual is to be done.
 *
 * What bytecode left locked (JVMS 2.11.10): a return with monitors entered throws IllegalMonitorStateException in the frame; an
 * exception that leaves the frame releases them (frame/frame_monitor.c) and becomes one (6.5 athrow).
 */
#include "interp/interp_int.h"
#include "core/hooks.h"
#include "native/native.h"
#include "object/class.h"

/* --- entering --- */

static bool frame_fits(Thread *t, Method *m, Slot *args) {
    Frame *f = (Frame *)(args + m->max_locals);
    return (u1 *)(frame_stack_base(f) + m->max_stack) <= t->java_stack_limit;
}

Frame *interp_push_frame(Thread *t, Method *m, Slot *args, u4 flags, u4 advance) {
    const u1 *code = LOAD_ACQUIRE(m->qcode);
    if (UNLIKELY(!code)) {
        if (!quick_prepare(t, m)) return NULL;
        code = m->qcode;
    }
    if (UNLIKELY(!frame_fits(t, m, args))) return throw_stack_overflow(t), NULL;
    Frame *f = (Frame *)(args + m->max_locals);
    f->prev = t->frame;
    f->method = m;
    f->pc = code;
    f->locals = args;
    f->sp = frame_stack_base(f);
    f->flags = flags;
    f->advance = advance;
    f->qcells = m->qcells;
    t->frame = f;
    if (m->access & ACC_SYNCHRONIZED) {
        Object *o = method_is_static(m) ? m->holder->mirror : args[0].ref;
        if (!frame_enter_sync(t, f, o)) return frame_pop(t, f), NULL;
    }
    return f;
}

/* The result goes through a cell of the Java stack: a C local would keep it alive. */
static inline bool call_vm_native(Thread *t, Frame *f, Method *m, Slot *args) {
    Frame *nf = (Frame *)f->sp;
    Slot *result = frame_stack_base(nf);
    if (UNLIKELY((u1 *)(result + 1) > t->java_stack_limit)) return throw_stack_overflow(t), false;
    frame_push_vm_native(t, nf, m, args, 1);
    result->raw = 0;
    if (UNLIKELY(thread_events(t) & EXEC_EVENT_ENTRY)) HOOK_CALL(METHOD_ENTRY, method_entry, t, m);
    m->vm_native(t, args, result);
    if (UNLIKELY(t->exception && hook_on(HOOK_EXCEPTION))) exec_tell_exception(t);
    if (UNLIKELY(thread_events(t) & EXEC_EVENT_EXIT)) HOOK_CALL(METHOD_EXIT, method_exit, t, m, t->exception != NULL, *result);
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

Method *interp_try_quick(Thread *t, Frame *f, Method *m, Slot *args, u4 advance) {
    t->leaf_result.raw = 0;
    if (UNLIKELY(!m->quick(t, args, &t->leaf_result))) return m;
    args[0] = t->leaf_result;
    f->sp = args + type_slots((BasicType)m->ret_type);
    f->pc += advance;
    return NULL;
}

/* --- leaving --- */

bool interp_return_slow(Thread *t, Frame *f, int n) {
    if (!interp_poll(t, f)) return false;
    if (f->flags & FRAME_LOCKS) { /* the frame stays: a handler of it may still release them */
        return throw_plain(t, EX_IllegalMonitorStateException), false;
    }
    if (UNLIKELY((thread_events(t) & EXEC_EVENT_EXIT) | (f->flags & FRAME_NOTIFY_POP))) {
        Slot v = n ? f->sp[-n] : (Slot){.raw = 0};
        if (thread_events(t) & EXEC_EVENT_EXIT && !(f->flags & FRAME_TOLD_EXIT))
            HOOK_CALL(METHOD_EXIT, method_exit, t, f->method, false, v);
        if (f->flags & FRAME_NOTIFY_POP) {
            f->flags &= ~(u4)FRAME_NOTIFY_POP;
            vm_hooks.frame_pop(t, f->method, false); /* even if nobody listens: the request is over */
        }
        if (t->exception || exec_forced(t, f)) return false;
    }
    return !(f->flags & FRAME_SYNC) || frame_exit_sync(t, f);
}

bool interp_poll(Thread *t, Frame *f) {
    thread_poll(t);
    return t->exception == NULL && !exec_forced(t, f);
}

bool interp_entry_slow(Thread *t, Frame *f) {
    if (!interp_poll(t, f)) return false;
    if (UNLIKELY(thread_events(t) & EXEC_EVENT_ENTRY)) HOOK_CALL(METHOD_ENTRY, method_entry, t, f->method);
    return t->exception == NULL && !exec_forced(t, f);
}

int interp_forced_exit(Thread *t, Frame *f) {
    Slot v = t->forced_value;
    bool pop = t->forced_pop;
    exec_forget_forced(t);
    t->exception = NULL;
    f->flags &= ~(u4)FRAME_TOLD_EXIT;
    if (f->flags & FRAME_LOCKS) frame_release_locks(t, f);
    if (!pop) {
        int n = type_slots((BasicType)f->method->ret_type);
        f->sp = frame_stack_base(f); /* max_stack may be 0: there is room above every frame */
        f->sp[0] = v;
        f->sp += n;
        return n;
    }
    if (f->flags & FRAME_SYNC && !frame_exit_sync(t, f)) t->exception = NULL;
    Frame *caller = f->prev;
    caller->sp = f->locals + f->method->arg_slots - quick_appended(caller);
    t->frame = caller;
    return -1;
}
