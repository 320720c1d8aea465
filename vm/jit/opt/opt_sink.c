/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: what costs one instruction is made in the loop that wants it, if that loop calls.
 *
 * A call destroys all registers, so what was moved in front of a loop that calls is read from memory again in each turn, which is no cheaper than to add a
 * constant once more; and if no frame has it, its place lies above the callers' own cells, and the arguments of all calls are written twice for it
 * (opt_home.c).  opt_loops cannot know: bounds and counters want to see what does not change in front of the loop.  So this comes behind all that ask.
 *
 * CHEAP    What opt_is_cheap says, of one value that is no constant.  Of numbers only: a reference that lives longer, for its length, may be in no frame.
 * WHERE    The block that dominates all uses, or the nearest above it such that every loop that is entered on the way calls.  A phi uses its inputs at the
 *          ends of the predecessors; a State at each node that has it.
 *
 * Blocks are walked backwards, so whoever uses a value has found its place before it does.  Uses of phis are looked at first: they stay.
 */
#include "jit/opt/opt_pass.h"

typedef struct Sink {
    Opt *o;
    u1 *calls;       /* by head of a loop: it, or one in it, calls */
    BlockRef *wants; /* by node: the block that dominates all uses seen so far; 0: none yet */
    BlockRef from;   /* of the uses that are noted */
} Sink;

static BlockRef common(const Opt *o, BlockRef a, BlockRef b) {
    while (a != b) {
        BlockRef *later = opt_block(o, a)->order > opt_block(o, b)->order ? &a : &b;
        *later = opt_block(o, *later)->idom;
    }
    return a;
}

static void note_use(Opt *o, Ref user, Ref *use, void *arg) {
    (void)user;
    Sink *s = arg;
    s->wants[*use] = s->wants[*use] ? common(o, s->wants[*use], s->from) : s->from;
}

static void note_phi(Sink *s, Ref r) {
    const Node *n = opt_node(s->o, r);
    for (u4 p = 0; p < opt_block(s->o, n->block)->n_preds; p++) {
        s->from = opt_block(s->o, n->block)->preds[p];
        note_use(s->o, r, &n->args[p], s);
    }
}

static bool calls_often(const Opt *o, const Block *b) {
    if (b->seldom || b->rare) return false;
    for (Ref r = b->first; r; r = opt_node(o, r)->next)
        if (opt_node(o, r)->op == OPT_CALL) return true;
    return false;
}

static void note_calls(Sink *s, BlockRef b) {
    Opt *o = s->o;
    if (!opt_block(o, b)->loop || !calls_often(o, opt_block(o, b))) return;
    for (BlockRef head = opt_block(o, b)->loop; head; head = opt_loop_around(o, head)) s->calls[head] = true;
}

static bool is_const_or_none(const Opt *o, Ref r) { return !r || opt_is_const(o, r); }

/* As cheap as to read it from memory: one value is wanted for it. */
static bool is_worth_repeating(const Opt *o, const Node *n) {
    return opt_is_cheap(n) && (is_const_or_none(o, n->in[0]) || is_const_or_none(o, n->in[1]));
}

/* Every loop around b that is not around `outside` calls. */
static bool may_enter(const Sink *s, BlockRef b, BlockRef outside) {
    for (BlockRef head = opt_block(s->o, b)->loop; head && !opt_is_in_loop(s->o, outside, head);
         head = opt_loop_around(s->o, head))
        if (!s->calls[head]) return false;
    return true;
}

typedef struct Wanted {
    Ref r;
    bool found;
} Wanted;

static void look_for(Opt *o, Ref user, Ref *use, void *arg) {
    (void)o, (void)user;
    Wanted *w = arg;
    w->found |= *use == w->r;
}

static bool uses(Opt *o, Ref user, Ref r) {
    Wanted w = {r, false};
    opt_visit_uses(o, user, true, true, look_for, &w);
    return w.found;
}

/* In front of the first of the block that wants it. */
static void put_into(Opt *o, BlockRef b, Ref r) {
    for (Ref at = opt_block(o, b)->first; at; at = opt_node(o, at)->next) {
        if (opt_node(o, at)->op == OPT_PHI || !uses(o, at, r)) continue;
        opt_insert_before(o, at, r);
        return;
    }
    opt_insert_end(o, b, r);
}

static void sink(Sink *s, Ref r) {
    Opt *o = s->o;
    BlockRef here = opt_node(o, r)->block, to = s->wants[r];
    if (!to || to == here || !is_worth_repeating(o, opt_node(o, r))) return;
    while (to != here && !may_enter(s, to, here)) to = opt_block(o, to)->idom;
    if (opt_block(o, to)->loop == opt_block(o, here)->loop) return;
    opt_unlink(o, r);
    opt_node(o, r)->dead = false;
    put_into(o, to, r);
}

static void sink_block(Sink *s, BlockRef b) {
    Opt *o = s->o;
    for (Ref r = opt_block(o, b)->last, prev; r; r = prev) {
        prev = opt_node(o, r)->prev;
        if (opt_node(o, r)->op == OPT_PHI) continue;
        sink(s, r);
        s->from = opt_node(o, r)->block;
        opt_visit_uses(o, r, true, true, note_use, s);
    }
}

static bool is_worth_it(const Sink *s) {
    for (BlockRef b = 1; b <= s->o->n_blocks; b++)
        if (s->calls[b]) return true;
    return false;
}

void opt_sink(Opt *o) {
    if (o->no_memory || o->why) return;
    Sink s = {o, opt_alloc(o, o->n_blocks + 1), opt_alloc(o, (o->n_nodes + 1) * sizeof(BlockRef)), 0};
    if (!s.calls || !s.wants) return;
    for (u4 i = 0; i < o->n_order; i++) note_calls(&s, o->order[i]);
    if (!is_worth_it(&s)) return;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
            note_phi(&s, r);
    for (u4 i = o->n_order; i-- > 0;) sink_block(&s, o->order[i]);
}
