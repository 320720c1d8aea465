/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: which ways of a loop are taken for seldom.
 *
 * Base code counts no ways.  But a way that is only there if two values are equal, or one is negative or null, and on which something is called,
 * while on the other nothing is, mostly enlarges, fills or reports something (Ball and Larus, Branch Prediction for Free, PLDI 1993: of the
 * opcode, pointer and call heuristics together).  grow() of a list is such a way.  So is, whatever is compared, a way on which an array is made, while on the
 * other nothing is made or called: a StringBuilder's, when it is full.  Its blocks are SELDOM as those that the builder knows:
 * they stand behind the rest, what calls destroy is in memory there only (opt_live.c), fields are carried over them (opt_carry.c), frames are
 * lent objects there (opt_escape.c).  If it is taken often after all, the code is somewhat slower than it could be, and as right.
 *
 * Not taken for seldom are ways with a loop of their own, and those that every turn comes by.
 *
 * Tried: counting in base code how often ways with calls are taken, and leaving where it saw none.  24 kernels took 0.99 and 1.00 of the time, for 8 bytes of
 * code a way; what cold ways cost the others is registers, in loops, and those are guessed well enough.
 */
#include "jit/opt/opt_pass.h"

typedef struct Below { /* by block, of all that it dominates */
    bool calls, makes_array, loops;
} Below;

static bool has(const Opt *o, BlockRef b, OptOp op) {
    for (Ref r = opt_block(o, b)->first; r; r = opt_node(o, r)->next)
        if (opt_node(o, r)->op == op) return true;
    return false;
}

static Below *look_below(Opt *o) {
    Below *all = opt_alloc(o, (o->n_blocks + 1) * sizeof *all);
    for (u4 i = o->n_order; all && i-- > 0;) {
        BlockRef b = o->order[i];
        const Block *x = opt_block(o, b);
        all[b].calls |= has(o, b, OPT_CALL);
        all[b].makes_array |= has(o, b, OPT_NEW_ARRAY);
        all[b].loops |= x->loop_head;
        all[x->idom].calls |= all[b].calls;
        all[x->idom].makes_array |= all[b].makes_array;
        all[x->idom].loops |= all[b].loops;
    }
    return all;
}

static bool is_doubtful(const Opt *o, const Node *branch, u4 succ) {
    Cond holds = succ ? cond_opposite((Cond)branch->kind) : (Cond)branch->kind;
    bool below = (holds == COND_LT || holds == COND_LE) && opt_is_const(o, branch->in[1]) && opt_node(o, branch->in[1])->k <= 0;
    return holds == COND_EQ || below;
}

static bool is_aside(const Opt *o, const Below *below, const Block *x, u4 s) {
    BlockRef to = x->succs[s], other = x->succs[!s];
    OptLoopEnds ends;
    bool grows = below[to].makes_array && !below[other].makes_array;
    if (!(below[to].calls || grows) || below[to].loops || below[other].calls) return false;
    if (opt_block(o, other)->rare || opt_block(o, to)->n_preds != 1) return false;
    if (!opt_is_in_loop(o, to, x->loop) || !opt_is_in_loop(o, other, x->loop)) return false;
    if (!opt_loop_ends(o, x->loop, &ends) || opt_dominates(o, to, ends.latch)) return false;
    return grows || is_doubtful(o, opt_node(o, x->last), s);
}

void opt_asides(Opt *o) {
    if (o->no_memory || o->why) return;
    Below *below = look_below(o);
    bool *aside = opt_alloc(o, (o->n_blocks + 1) * sizeof *aside);
    if (!below || !aside) return;
    for (u4 i = 0; i < o->n_order; i++) {
        Block *x = opt_block(o, o->order[i]);
        if (i && aside[x->idom]) x->seldom = aside[o->order[i]] = true;
        if (!x->loop || x->n_succs != 2 || opt_node(o, x->last)->op != OPT_IF) continue;
        for (u4 s = 0; s < 2; s++)
            if (is_aside(o, below, x, s)) opt_block(o, x->succs[s])->seldom = aside[x->succs[s]] = true;
    }
}
