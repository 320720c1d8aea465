/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter tier (D6).  Theory and publication macros: interp.c. */
#ifndef GRAFT_INTERP_INTERP_H
#define GRAFT_INTERP_INTERP_H

#include "exec/exec.h"

void interp_init(void); /* registers exec_tier */
/* Original opcode at a bci of a method (undoes quickening and breakpoints). */
u1 interp_original_opcode(const Method *m, u4 bci);

/* --- for compiled code: jit/ --- */
typedef enum InterpExit {
    INTERP_THREW, INTERP_RETURNED, /* the frame is left; the result, if any, is in its first local */
    INTERP_POPPED,                 /* JVM TI: it is left, and its caller makes the call again */
    INTERP_OSR                     /* it goes on in compiled code, where Thread.osr_code says */
} InterpExit;
InterpExit interp_run_bridged(Thread *t, Method *m, Slot *args); /* a method called from compiled code */
InterpExit interp_resume(Thread *t, Frame *f);                   /* f, published, was compiled; FRAME_ENTRY */
typedef enum Unwound {
    UNWOUND_CAUGHT, /* f stands at its handler, the exception is its operand */
    UNWOUND_LEFT,   /* Thread.frame is the caller; the exception is pending */
    UNWOUND_FORCED  /* JVM TI: it is to be left otherwise (exec_forced) */
} Unwound;
Unwound interp_unwind_compiled(Thread *t, Frame *f);             /* t->exception was thrown in f or left its callee */
void interp_throw_index(Thread *t, int32_t index, int32_t length);

/* JVM TI */
/* Redefinition, at a safepoint: what quickened calls of v hold becomes the current method.  idx is one of
 * v's method_cells; extra cells are those behind the pool's. */
void interp_turn_call_cell(ClassVersion *v, u2 idx);
void interp_turn_extra_cells(ClassVersion *v);
/* Instructions of v that use a pool entry marked in `stale` (one byte per index: 1; or 2, then only `new`) are as
 * if they had not run yet.  At a safepoint. */
void interp_reset_sites(ClassVersion *v, const u1 *stale);
/* All breakpoints in v's own methods go.  At a safepoint. */
void interp_forget_breakpoints(ClassVersion *v);
bool interp_set_breakpoint(Method *m, u4 bci);   /* at a safepoint */
bool interp_clear_breakpoint(Method *m, u4 bci);
/* The watch flags of fd changed: instructions of v that use it take the slow form that reports, or
 * return to the quick one.  At a safepoint. */
void interp_watch_changed(ClassVersion *v, const Field *fd);
/* Can the call that the frame stands at be executed again, its arguments being still there? */
bool interp_call_repeatable(const Frame *caller);

#endif
