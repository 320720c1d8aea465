/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exceptions (JVMS 2.10): from the throwing frame outwards, find a handler whose
 * range holds the pc and whose type fits.  Frames without one are left: their
 * monitors are released, JVM TI is told.  The walk ends at the frame that C code
 * entered (FRAME_ENTRY); the exception stays pending for that code.
 *
 * Compiled frames are unwound by the same code, one at a time: between two of them their code returns.
 *
 * Resolving a catch type may itself fail; the failure then replaces the exception, and the search begins
 * anew as if the first instruction of the handler had thrown it.
 */
#include "log/log.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "interp/interp_int.h"
#include "core/hooks.h"
#include "object/class.h"

/* Handler bci or -1.  `ex` may be replaced. */
static int find_handler(Thread *t, Method *m, u4 bci, Object **ex) {
    u4 failures = 0;
    for (u4 i = 0; i < m->n_handlers; i++) {
        const ExHandler *h = &m->handlers[i];
        if (bci < h->start || bci >= h->end) continue;
        if (h->catch_type == 0) return h->handler;
        Class *c = resolve_class(t, m->version, h->catch_type);
        if (!c) {
            *ex = exception_take(t);
            bci = h->handler;
            if (++failures > m->n_handlers) return -1; /* a handler that covers itself: it would go round for ever */
            i = (u4)-1;                                /* all rows are looked at anew */
            continue;
        }
        if (obj_instanceof(*ex, c)) return h->handler;
    }
    return -1;
}

static void leave_frame(Thread *t, Frame *f, Object **ex) {
    t->exception = NULL;
    t->leaving_frame = f;         /* no order to leave it is taken any more */
    if (f->flags & FRAME_LOCKS) { /* 6.5 athrow: this is thrown instead */
        frame_release_locks(t, f);
        throw_plain(t, EX_IllegalMonitorStateException);
        *ex = exception_take(t);
    }
    if (f->flags & FRAME_SYNC && !frame_exit_sync(t, f)) *ex = exception_take(t);
    if (UNLIKELY((thread_events(t) & EXEC_EVENT_EXIT) | (f->flags & FRAME_NOTIFY_POP))) {
        t->exception = NULL;
        if (thread_events(t) & EXEC_EVENT_EXIT) HOOK_CALL(METHOD_EXIT, method_exit, t, f->method, true, (Slot){.raw = 0});
        if (f->flags & FRAME_NOTIFY_POP) vm_hooks.frame_pop(t, f->method, true);
        if (t->exception) *ex = exception_take(t);
    }
    t->leaving_frame = NULL;
    ASSERT(!exec_forced(t, f), "an order for a frame that is being left");
    t->exception = *ex;
}

static COLD void log_exception(Thread *t, const Frame *f, Object *ex) {
    const Method *m = f->method;
    char *text = string_to_cstr(JGET_REF(ex, Throwable, detailMessage));
    log_print(LOG_EXCEPTIONS,
              "Exception <a '%s'{0x%016lx}%s%s>\n thrown in interpreter method <{method} {0x%016lx} '%s' '%s' in '%s'>\n"
              " at bci %u for thread 0x%016lx (%s)",
              obj_class(ex)->name->bytes, (unsigned long)(uintptr_t)ex, text ? ": " : "", text ? text : "",
              (unsigned long)(uintptr_t)m, m->name->bytes, m->desc->bytes, m->holder->name->bytes, frame_bci(f),
              (unsigned long)(uintptr_t)t, t->name);
    free(text);
}

static void stand_at(Frame *f, u4 bci, u4 depth) {
    if (f->flags & FRAME_COMPILED) {
        f->position = bci | (u8)depth << FRAME_DEPTH_SHIFT;
        return;
    }
    f->pc = f->method->qcode + bci;
    f->sp = frame_stack_base(f) + depth;
}

/* If an Exception event was sent for what is pending, none is sent for what takes its place on the way out (6.5 athrow; a catch type
 * that fails to resolve), as in the reference. */
static Unwound unwind_frame(Thread *t, Frame *f) {
    bool told = t->exception == t->told_exception;
    f->flags &= ~(u4)FRAME_TOLD_EXIT;
    for (;;) {
        Object *ex = exception_take(t);
        if (log_on(LOG_EXCEPTIONS)) log_exception(t, f, ex);
        stand_at(f, frame_bci(f), 0);
        int handler = f->method->n_handlers ? find_handler(t, f->method, frame_bci(f), &ex) : -1;
        if (exec_forced(t, f)) { /* the order came while a type was loaded: no handler runs, nothing is left by exception */
            t->exception = ex;
            return UNWOUND_FORCED;
        }
        if (handler < 0) {
            t->exception = ex;
            leave_frame(t, f, &ex);
            if (told) t->told_exception = ex;
            t->frame = frame_older(f);
            return UNWOUND_LEFT;
        }
        t->told_exception = NULL;
        frame_stack_base(f)[0].ref = ex;
        stand_at(f, (u4)handler, 1);
        if (hook_on(HOOK_EXCEPTION_CATCH)) vm_hooks.exception_catch(t, f->method, (u4)handler, ex);
        if (exec_forced(t, f)) return UNWOUND_FORCED;
        if (LIKELY(!t->exception)) return UNWOUND_CAUGHT;
    }
}

/* False: an agent orders f to be left. */
static bool tell(Thread *t, const Frame *f) {
    if (!hook_on(HOOK_EXCEPTION)) return true;
    exec_tell_exception(t);
    return !exec_forced(t, f);
}

Unwound interp_unwind_compiled(Thread *t, Frame *f) {
    t->frame = f;
    return tell(t, f) ? unwind_frame(t, f) : UNWOUND_FORCED;
}

Frame *interp_unwind(Thread *t, Frame *f) {
    t->frame = f;
    if (!tell(t, f)) return f;
    while (unwind_frame(t, f) == UNWOUND_LEFT) {
        if (f->flags & FRAME_ENTRY) return NULL;
        f = t->frame;
    }
    return f;
}
