/* SPDX-License-Identifier: Apache-2.0 */
/* What the interpreter (interp/) has to offer to who calls Java and to compiled code. */
#ifndef GRAFT_EXEC_INTERP_UPCALL_H
#define GRAFT_EXEC_INTERP_UPCALL_H

#include "exec/exec.h"

/* Run m, compiled or not, whose arguments are in place at the top `args` of t's Java stack.  False: exception pending. */
bool interp_run(Thread *t, Method *m, Slot *args, Slot *ret);

/* Runs Java from C in a function of its own that is not inlined.  Java keeps references in cells of its stack while it calls a native method.  So a native without
 * references of its own may leave out the C stack up to here (Thread.clean_sp): the registers of whoever called are either in a frame below, or still in place
 * and kept.  `clean`: so is what lies between the C code that called Java and here. */
#ifdef CPU_KEEP
#define ON_CLEAN_STACK(t, clean, RUN) \
    do { \
        void *outer_ = (t)->clean_sp; \
        u8 kept_[CPU_KEPT]; \
        CPU_KEEP(kept_); \
        if (!(clean) || !outer_) CPU_STACK_POINTER((t)->clean_sp); \
        RUN; \
        __asm__ volatile("" : : "m"(kept_)); /* they stay until now */ \
        (t)->clean_sp = outer_; \
    } while (0)
#else
#define ON_CLEAN_STACK(t, clean, RUN) \
    do { \
        void *outer_ = (t)->clean_sp; \
        RUN; \
        (t)->clean_sp = outer_; \
    } while (0)
#endif

/* --- for compiled code --- */
typedef enum InterpExit {
    INTERP_THREW,
    INTERP_RETURNED, /* the frame is left; the result, if any, is in its first local */
    INTERP_POPPED,   /* JVM TI: it is left, and its caller makes the call again */
    INTERP_OSR       /* it goes on in compiled code, where Thread.osr_code says */
} InterpExit;
InterpExit interp_run_bridged(Thread *t, Method *m, Slot *args); /* a method called from compiled code */
/* f ran compiled code; its cells are in memory now, and it is an entry frame.  broken: the breakpoint it stands at was told. */
InterpExit interp_resume(Thread *t, Frame *f, bool broken);
typedef enum Unwound {
    UNWOUND_CAUGHT, /* f stands at its handler, the exception is its operand */
    UNWOUND_LEFT,   /* Thread.frame is the caller; the exception is pending */
    UNWOUND_FORCED  /* JVM TI: it is to be left otherwise (exec_forced) */
} Unwound;
Unwound interp_unwind_compiled(Thread *t, Frame *f); /* t->exception was thrown in f or left its callee */

#endif
