/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter tier (D6).  Theory and publication macros: interp.c. */
#ifndef GRAFT_INTERP_INTERP_H
#define GRAFT_INTERP_INTERP_H

#include "exec/exec.h"

void interp_init(void); /* registers exec_tier */
/* Original opcode at a bci of a method (undoes quickening and breakpoints). */
u1 interp_original_opcode(const Method *m, u4 bci);
/* JVM TI */
/* Redefinition changed which Method a name stands for: every quickened call in a version resolves
 * its method again at its next execution.  At a safepoint, once the pool cells are updated. */
void interp_forget_calls(ClassVersion *v);
bool interp_set_breakpoint(Method *m, u4 bci);   /* at a safepoint */
bool interp_clear_breakpoint(Method *m, u4 bci);

#endif
