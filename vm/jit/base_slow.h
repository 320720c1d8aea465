/* SPDX-License-Identifier: Apache-2.0 */
/* Slow paths, as the rest of the base compiler sees them: calls of helpers behind the rest of the code. */
#ifndef GRAFT_JIT_BASE_SLOW_H
#define GRAFT_JIT_BASE_SLOW_H

#include "jit/base_int.h"

/* Where to go, `at`, for calling a helper with the instruction's operands, `popped` cells, on the stack, and where it comes
 * back to, `back`, with all registers as they were and the result in `result`, which is a temporary. */
Later *slow_call(Compiler *c, const void *fn, HelperArg x, HelperArg y, u4 popped, Reg result);
/* The same for a virtual call. */
Later *slow_virtual(Compiler *c, u4 index, u4 popped, Reg result);
/* A site of the instruction, one for which something is counted. */
void count_site(Compiler *c, const SiteCache *s, u4 receiver);
/* The same for a call of m. */
Later *slow_known(Compiler *c, const Method *m, Reg result);
void write_slow(Compiler *c, Later *l);
void write_look(Compiler *c, Later *l);
/* Where to go, `at`, to ask further whether the object in r, not null, is of class k, and where it comes back to, `back`: with the answer
 * in `found`, or if that is NO_REG only if it is, else a ClassCastException is thrown. */
Later *ask_type(Compiler *c, const Class *k, Reg r, Reg found);
void write_type(Compiler *c, Later *l);

#endif
