/* SPDX-License-Identifier: Apache-2.0 */
/* Counted loops, and main loops in front of them, for those who do several turns at once.  Theory: opt_unroll.c. */
#ifndef GRAFT_JIT_OPT_COUNTED_H
#define GRAFT_JIT_OPT_COUNTED_H

#include "jit/opt/opt_copy.h"

typedef struct OptCounted {
    BlockRef head, stay;
    OptLoopEnds ends;
    Ref phi, start, n;
    Cond cond; /* phi + ahead cond n: stays */
    int64_t by, ahead;
} OptCounted;

BlockRef *opt_innermost(Opt *o, u4 *n); /* heads of innermost loops; NULL: no memory */
bool opt_find_counted(const Opt *o, BlockRef head, OptCounted *c);
bool opt_counts_towards(const OptCounted *c); /* n, by an order */
/* A main loop in front of it, which runs as long as `turns` turns would pass the test, and has n_copies of the loop's turn, the last with the poll.  Its
 * head; 0: no memory.  Behind all such changes: opt_tidy_loops. */
BlockRef opt_widen(Opt *o, const OptCounted *c, u4 turns, u4 n_copies, OptCopies *copies);
void opt_tidy_loops(Opt *o);

/* For those who change loops otherwise. */
bool opt_has_loop(const Opt *o);
int opt_turn_size(const Opt *o, BlockRef head); /* what a turn costs; -1: it has what is not copied */
Ref *opt_arriving(Opt *o, BlockRef head, u4 p); /* what the phis have from a predecessor; NULL: no memory */
BlockRef opt_block_like(Opt *o, BlockRef b);    /* an empty one; 0: no memory */
void opt_set_pred(Opt *o, BlockRef b, u4 p, BlockRef pred, const Ref *phis);
void opt_join(Opt *o, BlockRef pred, BlockRef to,
              const Ref *phis); /* the edge from pred, whose end names `to` or has no successors yet, and what phis get by it */

#endif
