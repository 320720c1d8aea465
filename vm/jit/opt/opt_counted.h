/* SPDX-License-Identifier: Apache-2.0 */
/* Counted loops, and main loops in front of them, for those who do several turns at once.  Theory: opt_unroll.c. */
#ifndef GRAFT_JIT_OPT_COUNTED_H
#define GRAFT_JIT_OPT_COUNTED_H

#include "jit/opt/opt_copy.h"

typedef struct OptCounted {
    BlockRef head, stay;
    OptLoopEnds ends;
    Ref phi, start, n;
    Cond cond; /* phi cond n: stays */
    int64_t by;
} OptCounted;

BlockRef *opt_innermost(Opt *o, u4 *n); /* heads of innermost loops; NULL: no memory */
bool opt_find_counted(const Opt *o, BlockRef head, OptCounted *c);
bool opt_counts_towards(const OptCounted *c); /* n, by an order */
/* A main loop in front of it, which runs as long as `turns` turns would pass the test, and has n_copies of the loop's turn, the last with the poll.  Its
 * head; 0: no memory.  Behind all such changes: opt_tidy_loops. */
BlockRef opt_widen(Opt *o, const OptCounted *c, u4 turns, u4 n_copies, OptCopies *copies);
void opt_tidy_loops(Opt *o);

#endif
