/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the stubs call: into the interpreter, out of compiled code, and the helpers of compiled code.
 *
 * Leaving compiled code is one thing for all reasons but one (docs/jit.md): the frame is made an interpreted one where it stands
 * and the interpreter goes on in it.  The one is an exception, as long as nobody wants to see the frame: it is thrown here, its handler
 * found by the interpreter's code, and the frame stays compiled.
 */
#include "core/hooks.h"
#include "core/options.h"
#include "exec/throw.h"
#include "heap/alloc.h"
#include "frame/frame.h"
#include "exec/interp_upcall.h"
#include "interp/parts.h"
#include "quick/quick.h"
#include "jit/boxes.h"
#include "jit/policy.h"
#include "invoke/invoke.h"
#include "native/intrinsic/array_ops.h"
#include "native/native.h"
#include "object/class.h"
#include "object/method.h"
#include "object/version.h"
#include "thread/monitor.h"
#include <string.h>

/* --- results of the interpreter for compiled callers --- */

static void tell_caller(Frame *caller, u4 flags) {
    if (caller && caller->flags & FRAME_COMPILED) caller->flags |= flags;
}

/* from_c: C code lies between, which sees for itself. */
static StubResult failed(Thread *t, Frame *caller, bool from_c) {
    t->frame = caller;
    if (!from_c) tell_caller(caller, FRAME_EXCEPTION);
    return (StubResult){0, NULL};
}

/* The frame whose first local was `to` ended so. */
static StubResult ended(Thread *t, InterpExit x, const Slot *to, Frame *caller, bool from_c) {
    switch (x) {
    case INTERP_OSR: return (StubResult){0, t->osr_code};
    case INTERP_RETURNED: t->frame = caller; return (StubResult){to[0].raw, NULL};
    case INTERP_POPPED:
        t->frame = caller;
        caller->flags |= FRAME_REPEAT;
        tell_caller(caller, FRAME_DEOPT);
        return (StubResult){0, NULL};
    default: return failed(t, caller, from_c);
    }
}

/* --- calls --- */

static bool c_stack_is_low(const Thread *t) { return (u1 *)__builtin_frame_address(0) < t->c_stack_limit; }

/* Compiled code relies on cells of 32 bits having nothing above. */
static u8 clean(const Method *m, Slot v) {
    switch ((BasicType)m->ret_type) {
    case T_LONG:
    case T_DOUBLE:
    case T_OBJECT:
    case T_ARRAY: return v.raw;
    default: return (u4)v.i;
    }
}

void jit_leaf_threw(Frame *caller) { tell_caller(caller, FRAME_EXCEPTION); }

StubResult jit_bridge_c(Thread *t, Method *m, Slot *args) {
    Frame *caller = t->frame;
    Slot result = {.raw = 0};
    if (UNLIKELY(c_stack_is_low(t))) {
        throw_stack_overflow(t);
        return failed(t, caller, false);
    }
    u4 events = thread_events(t);
    if (method_is_interpreted(m) || UNLIKELY(events && m->kind == MK_VM_NATIVE && m->flags & MF_INTRINSIC)) {
        if (UNLIKELY(events)) jit_called_reported(t, m);
        else if (method_tier(m) == TIER_COUNTING && __atomic_load_n(&m->qcode, __ATOMIC_ACQUIRE)) jit_called(m);
        return ended(t, interp_run_bridged(t, m, args), args, caller, false);
    }
    /* Compiled code keeps references in cells while it calls, as the loop does: Thread.clean_sp stays. */
    bool ok = m->kind == MK_NATIVE ? native_call(t, m, args, &result) : exec_call_other(t, m, args, &result);
    t->frame = caller;
    return ok && !t->exception ? (StubResult){clean(m, result), NULL} : failed(t, caller, false);
}

const void *jit_entry_slow_c(Thread *t, Method *m, Slot *args) {
    Frame *caller = t->frame, *f = (Frame *)(args + m->max_locals);
    if (frame_is_due(caller)) frame_write_due(caller);
    if ((u1 *)args > t->code_limit || (u1 *)(frame_stack_base(f) + m->max_stack) > t->java_stack_limit || c_stack_is_low(t)) {
        throw_stack_overflow(t);
        failed(t, caller, false);
        return NULL;
    }
    t->callee = m;
    t->callee_args = args;
    if (UNLIKELY(atomic_load(&t->poll) & POLL_SAMPLE)) jit_sample(t, m, NULL);
    thread_poll(t);
    if (UNLIKELY(vm_options.drop_interval)) jit_drop_code(t);
    t->callee_args = NULL;
    if (UNLIKELY(t->exception)) return failed(t, caller, false).go;
    if (UNLIKELY(caller && exec_forced(t, caller))) { /* it is left, by the interpreter */
        caller->flags |= FRAME_REPEAT;
        tell_caller(caller, FRAME_DEOPT);
        return NULL;
    }
    const CodeBlob *b = method_code(m);
    if (!b || !jit_may_run(t, b)) return jit_bridge;
    return b->code + b->body;
}

bool jit_call(Thread *t, Frame *f, Method *m, Slot *args, u4 advance) {
    if (UNLIKELY(c_stack_is_low(t))) {
        throw_stack_overflow(t);
        return false;
    }
    const void *entry = __atomic_load_n(&m->entry, __ATOMIC_ACQUIRE);
    u8 v = jit_result(jit_enter(t, m, args, entry, f), m->ret_type);
    t->frame = f;
    if (UNLIKELY(t->exception) || UNLIKELY(f->flags & FRAME_REPEAT) || exec_forced(t, f)) return false;
    args[0].raw = v;
    f->sp = args + type_slots((BasicType)m->ret_type);
    f->pc += advance;
    return true;
}

static NOINLINE JitResult enter_from_native(Thread *t, Method *m, Slot *args, const void *entry) {
    JitResult r;
    ON_CLEAN_STACK(t, false, r = jit_enter(t, m, args, entry, t->frame));
    return r;
}

bool jit_call_from_native(Thread *t, Method *m, Slot *args, Slot *ret) {
    Frame *native = t->frame;
    if (UNLIKELY(c_stack_is_low(t))) return throw_stack_overflow(t), false;
    const void *entry = __atomic_load_n(&m->entry, __ATOMIC_ACQUIRE);
    ret->raw = jit_result(enter_from_native(t, m, args, entry), m->ret_type);
    t->frame = native;
    return !t->exception;
}

/* --- leaving --- */

/* The frame whose code f runs. */
static Frame *root_of(Frame *f) {
    while (f->flags & FRAME_INLINED) f = f->prev;
    return f;
}

static void stand_interpreted(Frame *f, u4 bci, u4 depth) {
    f->locals = frame_locals(f);
    f->pc = f->method->qcode + bci;
    f->sp = frame_stack_base(f) + depth;
    f->qcells = f->method->qcells;
}

static void make_interpreted(Frame *f, u4 bci, u4 depth) {
    for (; f->flags & FRAME_INLINED; f = f->prev) { /* as if called by the loop */
        const Frame *caller = f->prev;
        u4 at = frame_bci(caller);
        stand_interpreted(f, bci, depth);
        f->flags &= ~(u4)(FRAME_COMPILED | FRAME_LEAVE_CODE | FRAME_REPEAT | FRAME_INLINED);
        f->advance = cf_insn_length(caller->method->code, caller->method->code_len, at);
        bci = at;
        depth = (u4)(caller->position >> FRAME_DEPTH_SHIFT);
    }
    u4 flags = f->flags & ~(u4)(FRAME_COMPILED | FRAME_LEAVE_CODE | FRAME_REPEAT | FRAME_FROM_C);
    stand_interpreted(f, bci, depth);
    f->flags = flags | FRAME_ENTRY | (f->flags & FRAME_FROM_C ? 0 : FRAME_BRIDGED);
}

static StubResult leave_code(Thread *t, Frame *f, u4 bci, u4 depth, bool broken) {
    const Frame *root = root_of(f);
    Slot *to = frame_locals(root);
    Frame *caller = frame_older(root);
    bool from_c = root->flags & FRAME_FROM_C;
    if (vm_options.deopt_interval) jit_stress_left = (u4)vm_options.deopt_interval;
    make_interpreted(f, bci, depth);
    return ended(t, interp_resume(t, f, broken), to, caller, from_c);
}

/* --- exceptions --- */

static bool stays_compiled(const Thread *t, const Frame *f) {
    if (thread_events(t) & EXEC_EVENTS_PER_INSN || f->flags & FRAME_DEOPT || exec_forced(t, f)) return false;
    return !vm_options.deopt_interval || (int32_t)jit_stress_left > 0;
}

/* What the instruction was resolved to: a checkcast. */
static Class *class_at_instruction(const Frame *f) {
    u2 cell;
    memcpy(&cell, f->method->qcode + frame_bci(f) + 1, sizeof cell);
    return f->method->qcells[cell];
}

/* As the interpreter's loop throws at the instruction, whose operands are the topmost n cells. */
static void throw_here(Thread *t, const Frame *f, enum ExitKind kind, u4 n) {
    const Slot *operands = frame_sp(f) - n;
    switch (kind) {
    case EXIT_ZERO: throw_new(t, EX_ArithmeticException, "/ by zero"); break;
    case EXIT_INDEX: interp_throw_index(t, operands[1].i, array_len(operands[0].ref)); break;
    case EXIT_CAST: throw_class_cast(t, obj_class(operands[0].ref), class_at_instruction(f)); break;
    case EXIT_ATHROW: throw_object(t, operands[0].ref); break;
    default: throw_plain(t, EX_NullPointerException); break;
    }
}

/* t->exception goes on in f, which is compiled; inlined ones lead to their root. */
static StubResult unwind(Thread *t, Frame *f) {
    const Frame *root = root_of(f);
    Frame *caller = frame_older(root);
    bool from_c = root->flags & FRAME_FROM_C;
    do {
        Frame *outer = frame_older(f);
        throws_note(f->method, frame_bci(f));
        Unwound u = interp_unwind_compiled(t, f);
        if (u == UNWOUND_LEFT && f == root) return failed(t, caller, from_c);
        if (u == UNWOUND_LEFT) f = outer;
        if (u == UNWOUND_CAUGHT) thread_poll(t); /* a loop may be made of handlers alone */
    } while (t->exception && stays_compiled(t, f));
    f->flags &= ~(u4)FRAME_EXCEPTION;
    if (f != root && !t->exception) jit_caught_in_body(root->method, f->method);
    const void *code = f == root && stays_compiled(t, f) ? jit_code_at(t, f->method, frame_bci(f)) : NULL;
    if (code) return (StubResult){0, code};
    return leave_code(t, f, frame_bci(f), (u4)(f->position >> FRAME_DEPTH_SHIFT), false);
}

/* Monitors that the code did without: the thread has them, or nobody else knows the objects, so it does not wait.  False: no memory. */
static bool count_entries(Thread *t, Frame *f) {
    Object *pending = t->exception;
    bool entered = true;
    t->exception = NULL;
    for (; entered && f->flags & FRAME_INLINED; f = f->prev) {
        if (!(f->flags & FRAME_RELOCK)) continue;
        f->flags &= ~(u4)FRAME_RELOCK;
        entered = frame_enter_sync(t, f, f->sync_object);
    }
    if (entered) t->exception = pending;
    return entered;
}

/* The inlined f was not entered, the exception is the caller's. */
static Frame *called_nothing(const Frame *f) {
    f->prev->flags |= FRAME_EXCEPTION;
    return f->prev;
}

/* The frames go without handlers, but not with their monitors.  What giving them back finds wrong is nothing to OutOfMemoryError. */
static StubResult lost(Thread *t, Frame *f) {
    Frame *root = root_of(f), *caller = frame_older(root);
    Object *oom = t->exception ? exception_take(t) : NULL;
    for (t->frame = f; f != caller; t->frame = f = f->prev) {
        frame_release_locks(t, f);
        if (f->flags & FRAME_SYNC) frame_exit_sync(t, f);
        t->exception = NULL;
    }
    if (oom) t->exception = oom;
    else throw_oom(t, "Java heap space");
    return failed(t, caller, root->flags & FRAME_FROM_C);
}

StubResult jit_exit_c(Thread *t, Frame *f, ExitInfo info, u8 result) {
    enum ExitKind kind = (enum ExitKind)(info & 15);
    if (UNLIKELY(kind == EXIT_LOST) || UNLIKELY(!count_entries(t, f))) return lost(t, f);
    if (UNLIKELY(kind == EXIT_RETHROW)) {
        kind = EXIT_AFTER;
        f->flags |= FRAME_EXCEPTION;
        t->exception = frame_sp(f)[-1].ref;
    }
    if (UNLIKELY(kind == EXIT_ENTERING)) {
        if (!(f->flags & FRAME_EXCEPTION)) jit_h_entered(t, f); /* it has its lock; the code for the event is not reached */
        else if (!(f->flags & FRAME_INLINED)) return failed(t, frame_older(f), false);
        else t->frame = f = called_nothing(f);
    }
    if ((kind >= EXIT_THROW || f->flags & FRAME_EXCEPTION) && stays_compiled(t, f)) {
        if (kind == EXIT_FAULT) jit_found_null(root_of(f)->method);
        if (!(f->flags & FRAME_EXCEPTION)) throw_here(t, f, kind, exit_popped(info));
        return unwind(t, f);
    }
    u4 bci = frame_bci(f), depth = (u4)(f->position >> FRAME_DEPTH_SHIFT), advance = info >> 4 & 15, pushed = info >> 8 & 15;
    switch (kind) {
    case EXIT_AFTER:
        if (f->flags & FRAME_EXCEPTION) break;
        if (f->flags & FRAME_REPEAT) {
            depth -= quick_appended(f);
            break;
        }
        bci += advance;
        depth -= exit_popped(info);
        if (pushed) frame_stack_base(f)[depth].raw = result;
        depth += pushed;
        break;
    default: break;
    }
    story_left(f->method, frame_bci(f), kind);
    return leave_code(t, f, bci, depth, info & EXIT_BROKEN);
}

/* --- helpers: t->frame == f, whose position is stored and whose cells are in memory --- */

static u8 helped(Thread *t, Frame *f, const void *result) {
    if (UNLIKELY(t->exception)) f->flags |= FRAME_EXCEPTION;
    return (u8)(uintptr_t)result;
}

u8 jit_h_poll(Thread *t, Frame *f) {
    Frame *root = root_of(f);
    if (UNLIKELY(atomic_load(&t->poll) & POLL_SAMPLE)) jit_sample(t, root->method, root);
    return jit_h_poll_optimised(t, f);
}

u8 jit_h_poll_optimised(Thread *t, Frame *f) {
    if (UNLIKELY(atomic_load(&t->poll) & POLL_SAMPLE)) jit_sample_optimised(t, root_of(f));
    thread_poll(t);
    if (UNLIKELY(vm_options.drop_interval)) jit_drop_code(t);
    return helped(t, f, NULL);
}

/* Code has handlers for what came out of the call in f: the exception, which it takes, or NULL if somebody wants to see that, or the frame is to leave. */
u8 jit_h_catch(Thread *t, Frame *f) {
    if (!t->exception || jit_throws_are_watched() || !stays_compiled(t, f) || root_of(f)->flags & FRAME_DEOPT) return 0;
    f->flags &= ~(u4)(FRAME_EXCEPTION | FRAME_TOLD_EXIT);
    t->told_exception = NULL;
    return (u8)(uintptr_t)exception_take(t);
}

u8 jit_h_new(Thread *t, Frame *f, Class *c) { return helped(t, f, heap_alloc_object(t, c)); }

u8 jit_h_box(Thread *t, Frame *f, u8 value, Class *c) { return helped(t, f, box_make(t, box_of(c), (int64_t)value)); }

u8 jit_h_newarray(Thread *t, Frame *f, int32_t n, Class *component) {
    return helped(
        t, f, component->flags & CF_PRIMITIVE ? interp_newarray(t, component->elem_type, n) : interp_anewarray(t, component, n));
}

static bool run_generic(Thread *t, Frame *f, u1 op) {
    switch (op) {
    case CF_OP_MULTIANEWARRAY: return interp_multianewarray(t, f);
    default: return quick_field_generic(t, f) == SLOW_DONE;
    }
}

static int slots_pushed(const Method *m, u4 bci) {
    u1 op = m->code[bci];
    if (op == CF_OP_MULTIANEWARRAY) return 1;
    if (op == CF_OP_PUTFIELD || op == CF_OP_PUTSTATIC) return 0;
    return type_slots((BasicType)m->version->pool[cf_get_u2(m->code + bci + 1)].field->type);
}

u8 jit_h_generic(Thread *t, Frame *f) {
    Method *m = f->method;
    u8 position = f->position, result = 0;
    u4 bci = frame_bci(f);
    f->sp = frame_sp(f);
    f->qcells = m->qcells;
    f->locals = frame_locals(f);
    f->flags = (f->flags & ~(u4)FRAME_COMPILED) | FRAME_BORROWED;
    f->pc = m->qcode + bci;
    if (run_generic(t, f, m->code[bci])) {
        int n = slots_pushed(m, bci);
        if (n) result = f->sp[-n].raw;
    }
    f->flags = (f->flags & ~(u4)FRAME_BORROWED) | FRAME_COMPILED;
    f->position = position;
    if (UNLIKELY(t->exception)) f->flags |= FRAME_EXCEPTION;
    return result;
}

static void fill(SiteCache *s, const Class *c, Method *target) {
    u4 n = __atomic_load_n(&s->taken, __ATOMIC_RELAXED);
    if (n > 1 || !__atomic_compare_exchange_n(&s->taken, &n, n + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
    *(n ? &s->second_target : &s->target) = target;
    __atomic_store_n(n ? &s->second : &s->klass, (u4)(uintptr_t)c, __ATOMIC_RELEASE);
    atomic_fetch_add(&sites_filled, 1);
}

/* Nothing stops between the choice and its being noted. */
u8 jit_h_select(Thread *t, Frame *f, SiteCache *s, Object *receiver) {
    TSAN_ACQUIRE(s); /* its maker published the code */
    Class *c = obj_class(receiver);
    MethodCacheEntry *e = interp_cache(t, c, s->imethod);
    Method *target = e->klass == c && e->imethod == s->imethod ? e->target : interp_select_interface(t, c, s->imethod);
    if (target) fill(s, c, target);
    return helped(t, f, target);
}

/* Code made anew is entered through the interpreter: the frame leaves at its next call or poll.  1: optimised code tells frames of bodies. */
u4 jit_look_c(Thread *t, Frame *root) {
    SiteCache *s = (SiteCache *)t->asked;
    TSAN_ACQUIRE(s);
    bool anew = jit_look_at_receiver(root->method, s, t->leaf_result.ref);
    if (anew) root->flags |= FRAME_DEOPT;
    t->leaf_result.raw = 0;
    return anew;
}

u4 jit_window_c(Thread *t, Frame *root) { return heap_next_window(t, (size_t)(uintptr_t)t->asked); }

static Object *object_asked(Thread *t) {
    Object *o = t->leaf_result.ref;
    t->leaf_result.raw = 0;
    return o;
}

u4 jit_subtype_c(Thread *t, Frame *root) { return obj_instanceof(object_asked(t), (Class *)t->asked); }
u4 jit_take_c(Thread *t, Frame *root) { return monitor_take_inflated(t, object_asked(t)); }
u4 jit_give_c(Thread *t, Frame *root) { return monitor_give_inflated(t, object_asked(t)); }

/* What cannot be called from here is left to the interpreter. */
u8 jit_h_link(Thread *t, Frame *f, MethodKind kind, Slot *args) {
    Method *m;
    if (kind == MK_INVOKE_BASIC) {
        m = args[0].ref ? mh_form_target(args[0].ref) : NULL;
    } else {
        m = mh_link_target(t, kind, frame_sp(f)[-1].ref, kind == MK_LINK_STATIC ? NULL : args[0].ref);
        if (!m) return helped(t, f, NULL);
    }
    if (!m || (m->kind >= MK_INVOKE_BASIC && m->kind <= MK_LINK_NATIVE)) f->flags |= FRAME_DEOPT;
    return (u8)(uintptr_t)m;
}

u8 jit_h_lock(Thread *t, Frame *f) {
    Object *o = method_is_static(f->method) ? f->method->holder->mirror : frame_locals(f)[0].ref;
    frame_enter_sync(t, f, o);
    return helped(t, f, NULL);
}

u8 jit_h_unlock(Thread *t, Frame *f) {
    frame_exit_sync(t, f);
    return helped(t, f, NULL);
}

u8 jit_h_clone(Thread *t, Frame *f, Object *o) {
    if (!class_is_array(obj_class(o)) || hook_on(HOOK_VM_ALLOC)) return 0;
    const Object *copy = op_clone(t, o);
    return helped(t, f, copy ? copy : o);
}

u8 jit_h_clone_array(Thread *t, Frame *f, Object *o) { return helped(t, f, op_clone(t, o)); }

u8 jit_h_aastore(Thread *t, Frame *f) {
    const Slot *s = frame_sp(f) - 3;
    Object *a = s[0].ref, *v = s[2].ref;
    if (v && !class_is_subtype(obj_class(v), obj_class(a)->component)) throw_array_store(t, obj_class(v));
    else array_set_ref(a, s[1].i, v);
    return helped(t, f, NULL);
}

u8 jit_h_monitorenter(Thread *t, Frame *f, Object *o) {
    frame_monitor_enter(t, f, o);
    return helped(t, f, NULL);
}

u8 jit_h_monitorexit(Thread *t, Frame *f, Object *o) {
    frame_monitor_exit(t, f, o);
    return helped(t, f, NULL);
}

double jit_h_rem_d(double a, double b) { return __builtin_fmod(a, b); }
float jit_h_rem_f(float a, float b) { return __builtin_fmodf(a, b); }
