/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of calls from compiled code: MethodEntry and MethodExit of a method whose code reports, and breakpoints (docs/jit.md).
 *
 * All are slow paths: the cells of the frame are in memory, its position is at the instruction, and t->frame is it.  So all that a
 * callback may ask or order is as it is behind any hook, and the helpers here call the hook.  But most of the time of an event whose
 * callback does nothing is then spent on generality: finding who listens, a cell for the thread, results of any type, four C functions
 * that save registers which hold nothing.  As a rule one environment listens, for all threads; it is found prepared
 * (core/hooks.h; jvmti/ti_event.c chooses it), and the stubs (jit_entered_stub, jit_returns_stub, jit_break_stub) call its callback at once.  They do what
 * a hook does around a callback, as far as it is needed there:
 *   thread         Thread.java_thread is itself a cell with a reference, a root, and lives as long as the callback
 *   method         its ID exists since the first event of it; frames of old versions go the general way
 *   state          NATIVE and back.  No register that C saves has a reference, so zeros are published for the lot
 *   exception      none is pending, else the general way; one that the callback leaves is found behind it
 *   references     those that the callback made die behind it, if it made any; a result that is a reference is the first of them
 *   result         the bits of it that are the value, by the type known to the compiler: native_jvalue without the type
 *   breakpoint     whose it is, is a constant of the code (quick_breakpoint_owner): others who set it, too, are told the general way.  Who
 *                  listens alone does so on all threads, so no thread has a bit
 *   phase, bits    tested as by anybody else: VMDeath ends events, and DeoptimizeInterval comes here without any
 * Who is asked: `direct` says only who may be called without asking anybody else.  It is taken away in the call that changes something,
 * before that call returns: what a callback turns off or disposes of gets no further event of its thread, and whom it turned on, and
 * who comes behind in the order of environments, is told of this one (jit_event_rest).  The words belong to an
 * environment, which is never freed; `callback` is read once, as by others who post (TI_CALLBACK).
 *
 *   word                     states                     writer                       reader
 *   direct_listeners[k]      NULL or a record           release, [lock: AGENTS]      stubs, acquire: `env` never changes behind it
 *   DirectListener.callback  NULL or a function         release, [lock: AGENTS]      stubs, acquire: what the agent did before it asked
 *
 * Rejected: the same in C (two calls and twelve saved registers more per event: a third of its time); the callback as a constant of the
 * code (code would be retired whenever an agent turns events on or off).
 */
#include "core/hooks.h"
#include "jit/jit_int.h"

static u8 told(const Thread *t, Frame *f) {
    if (UNLIKELY(t->exception != NULL)) f->flags |= FRAME_EXCEPTION;
    return 0;
}

/* What these send is as the interpreter sends it: interp_entry_slow, interp_return_slow. */
u8 jit_h_entered(Thread *t, Frame *f) {
    if (thread_events(t) & EXEC_EVENT_ENTRY) HOOK_CALL(METHOD_ENTRY, method_entry, t, f->method);
    return told(t, f);
}

/* If the frame leaves its code now, the interpreter does the return, or goes on with what came of the event. */
u8 jit_h_returns(Thread *t, Frame *f, u8 raw, u8 value_bits) {
    (void)value_bits; /* for the stub */
    if (thread_events(t) & EXEC_EVENT_EXIT && !(f->flags & FRAME_TOLD_EXIT)) {
        HOOK_CALL(METHOD_EXIT, method_exit, t, f->method, false, (Slot){.raw = raw});
        if (LIKELY(!t->exception && !exec_forced(t, f))) f->flags |= FRAME_TOLD_EXIT;
    }
    return told(t, f);
}

/* owner: for the stub.  If the frame leaves its code now, the interpreter goes on behind the breakpoint (EXIT_BROKEN). */
u8 jit_h_break(Thread *t, Frame *f, const void *owner) {
    (void)owner;
    HOOK_CALL(BREAKPOINT, breakpoint, t, f->method, frame_bci(f));
    return told(t, f);
}

/* The callback of d made references, or changed who listens. */
void jit_event_rest(Thread *t, Frame *f, const DirectListener *d, int k, HandleMark mark) {
    handle_reset(t, mark);
    if (atomic_load_explicit(&direct_listeners[k], memory_order_acquire) == d) return;
    Method *m = f->method;
    int slots = type_slots((BasicType)m->ret_type);
    Slot result = k == DIRECT_EXIT && slots ? frame_sp(f)[-slots] : (Slot){.raw = k == DIRECT_BREAK ? frame_bci(f) : 0};
    direct_changed(t, k, d, m, result);
}

u8 jit_value_bits(u1 type) {
    switch ((BasicType)type) {
    case T_BOOLEAN: return 1;
    case T_BYTE: return 0xff;
    case T_CHAR:
    case T_SHORT: return 0xffff;
    case T_INT:
    case T_FLOAT: return 0xffffffff;
    case T_LONG:
    case T_DOUBLE: return ~(u8)0;
    default: return 0;
    }
}

/* ThreadSanitizer must see the change of state. */
void (*jit_helper_stub(const void *fn))(void) {
#ifndef GRAFT_TSAN
    if (fn == (const void *)jit_h_entered) return jit_entered_stub;
    if (fn == (const void *)jit_h_returns) return jit_returns_stub;
    if (fn == (const void *)jit_h_break) return jit_break_stub;
#endif
    return jit_help_stub;
}
