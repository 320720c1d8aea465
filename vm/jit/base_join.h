/* SPDX-License-Identifier: Apache-2.0 */
/* Where operands are at the start of a block: base_join.c. */
#ifndef GRAFT_JIT_BASE_JOIN_H
#define GRAFT_JIT_BASE_JOIN_H

#include "jit/base_int.h"

/* The code goes to `target` from here, at once or, not `always`, by a branch whose comparison is written.  NULL: all is in memory there. */
Join *join_note(Compiler *c, u4 target, bool always);
/* The stack becomes what it is there; flags stay. */
void join_settle(Compiler *c, const Join *j);
bool join_settled(const Compiler *c, const Join *j);
/* The block starts: nobody comes to it later in the order of the code.  The stack is what it was told to be. */
void join_start(Compiler *c, u4 at);

/* --- base_state.c --- */
bool has_spare(const Compiler *c, bool fp); /* a register without an operand */
void part_from_local(Compiler *c, u4 cell); /* a cell that equals a local gets a register of its own */

#endif
