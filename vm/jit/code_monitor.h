/* SPDX-License-Identifier: Apache-2.0 */
/* Monitors in compiled code: thin locks and lock records.  Theory: code_monitor.c. */
#ifndef GRAFT_JIT_CODE_MONITOR_H
#define GRAFT_JIT_CODE_MONITOR_H

#include "jit/jit_int.h"

/* All destroy rax and the registers behind o, which is not rax; what is unusual goes to `slow`, nothing being changed. */
void code_take_lock(Asm *a, Reg o, Reg t, Label *slow); /* if it is free or this thread's */
void code_give_lock(Asm *a, Reg o, Reg t, Label *slow); /* if it is this thread's */
/* The same with a lock record of the frame in R_FRAME: a new one, or the newest. */
void code_monitor_enter(Asm *a, Label *slow, Reg o, Reg r, Reg t);
void code_monitor_leave(Asm *a, Label *slow, Reg o, Reg r, Reg t);

/* The identity hash of o into d; `call`: it has none yet, or it is 0. */
void code_identity_hash(Asm *a, Reg o, Reg d, Reg t, Label *call);

#endif
