/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter tier (D6).  Theory and publication macros: interp.c. */
#ifndef GRAFT_INTERP_INTERP_H
#define GRAFT_INTERP_INTERP_H

#include "exec/exec.h"

void interp_init(void); /* registers exec_tier */
/* Original opcode at a bci of a method (undoes quickening and breakpoints). */
u1 interp_original_opcode(const Method *m, u4 bci);
/* JVM TI */
bool interp_set_breakpoint(Method *m, u4 bci);   /* at a safepoint */
bool interp_clear_breakpoint(Method *m, u4 bci);

#endif
