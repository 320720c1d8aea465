/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of the blocks of one innermost loop.  Theory: opt_copy.c. */
#ifndef GRAFT_JIT_OPT_COPY_H
#define GRAFT_JIT_OPT_COPY_H

#include "jit/opt/opt_ir.h"

enum { OPT_MOST_COPIES = 16 };

typedef struct OptCopies {
    Opt *o;
    BlockRef head;
    OptLoopEnds ends;
    BlockRef *blocks; /* of the loop, in reverse postorder */
    u4 n_blocks;
    u4 old_nodes, old_blocks; /* when it began */
    u4 n;
    Ref *to[OPT_MOST_COPIES];        /* by old node */
    BlockRef first[OPT_MOST_COPIES]; /* its blocks follow each other, in the order of `blocks` */
    bool leave;                      /* some copy has an edge out of the loop */
} OptCopies;

/* Of an innermost loop, whose blocks are those that name it.  False: no memory, or it has not the ends. */
bool opt_copies_begin(OptCopies *c, Opt *o, BlockRef head);
/* One more turn: `phis` are in place of those of the head.  `stay`: the head's end goes to this successor alone, or 0; without polls.  The head's
 * copy has no predecessor, the latch's no successor yet (opt_edge).  False: no memory. */
bool opt_copy(OptCopies *c, const Ref *phis, BlockRef stay, bool polls);
BlockRef opt_copied_block(const OptCopies *c, u4 copy, BlockRef b);
/* What the head's phis have behind the turn: of the last copy. */
void opt_behind_turn(const OptCopies *c, Ref *phis);
u4 opt_count_phis(const Opt *o, BlockRef b);
/* All edges stand: uses behind the loop get what arrives there.  opt_order is the caller's. */
void opt_copies_end(OptCopies *c);

#endif
