/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: a question that a loop asks in each turn, and whose answer is the same in all of them, is asked once, in front of it.
 *
 *     for (...) { a; if (x < y) b; else c; d; }      becomes      if (x < y) for (...) { a; b; d; }  else for (...) { a; c; d; }
 *
 * Letters of a string ask in this way which kind it is; so do flags, modes and orders of bytes.  Less is done in a turn, and what is left is straight,
 * so that vectors and unrolling may follow.
 *
 * WHICH    IF and FIF of an innermost loop whose inputs do not change in it, and that stay in the loop both ways.  Not one of whose ways is seldom taken or
 *          only leaves: such a test costs next to nothing.  All tests in the loop that ask the same go with the first.
 * DONE     The loop's blocks are copied (opt_copy.c), with phis of their own at the head.  `before`, the block in front, asks; in the copy the tests go to
 *          their first successor, in the loop itself to the second one.
 *
 *              before -> IF -> first  -> head of the copy <- its latch
 *                           -> second -> head             <- latch
 *
 * SIZE     The loop is there twice then, so it is a small one (MOST_NODES), and there are not many such loops (MOST_LOOPS).  What is not unrolled is not copied
 *          here either: beside a call a test is cheap.
 * WHEN     Behind opt_loops: what is asked has moved in front of the loop, and the head has no State any more.
 *
 * Rejected: ways that leave the loop (the copy would be a loop of one turn).
 */
#include "jit/opt/opt_counted.h"
#include "jit/opt/opt_pass.h"

enum { MOST_NODES = 60, MOST_LOOPS = 8, MOST_FORM = 12000 };

typedef struct Question {
    OptOp op;
    u1 kind, from;
    Ref x, y;
    int64_t k;
} Question;

static Question asked_by(const Node *n) { return (Question){(OptOp)n->op, n->kind, n->from, n->in[0], n->in[1], n->k}; }

static bool is_asked(const Node *n, const Question *q) {
    return n->op == q->op && n->kind == q->kind && n->from == q->from && n->in[0] == q->x && n->in[1] == q->y && n->k == q->k;
}

static bool is_outside(const Opt *o, Ref r, BlockRef head) { return !opt_is_in_loop(o, opt_node(o, r)->block, head); }

static bool goes_on(const Opt *o, BlockRef b, BlockRef head) {
    const Block *x = opt_block(o, b);
    return x->loop == head && !x->seldom && !x->rare;
}

static bool find_question(const Opt *o, BlockRef head, Question *q) {
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *b = opt_block(o, o->order[i]);
        const Node *end = opt_node(o, b->last);
        if (b->loop != head || (end->op != OPT_IF && end->op != OPT_FIF)) continue;
        if (!is_outside(o, end->in[0], head) || !is_outside(o, end->in[1], head)) continue;
        if (!goes_on(o, b->succs[0], head) || !goes_on(o, b->succs[1], head)) continue;
        *q = asked_by(end);
        return true;
    }
    return false;
}

/* Phis like those of the head, in no block yet. */
static bool make_phis(Opt *o, BlockRef head, Ref *made) {
    u4 n = 0;
    for (Ref r = opt_block(o, head)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next) {
        Ref phi = opt_new(o, OPT_PHI, (OptType)opt_node(o, r)->type);
        Node *x = opt_node(o, phi), *like = opt_node(o, r);
        x->not_null = like->not_null;
        x->klass = like->klass;
        x->k = like->k;
        made[n++] = phi;
    }
    return !o->no_memory;
}

/* A block that leads on, nowhere yet. */
static BlockRef step(Opt *o, BlockRef before, BlockRef head) {
    BlockRef b = opt_block_like(o, head);
    if (!b) return 0;
    opt_append(o, b, OPT_JUMP, OT_NONE);
    opt_edge(o, before, b);
    return b;
}

static void ask_in_front(Opt *o, BlockRef before, const Question *q) {
    opt_unlink(o, opt_block(o, before)->last);
    opt_block(o, before)->n_succs = 0;
    Node *n = opt_node(o, opt_append(o, before, q->op, OT_NONE));
    n->kind = q->kind;
    n->from = q->from;
    n->in[0] = q->x;
    n->in[1] = q->y;
    n->k = q->k;
}

static void lead(Opt *o, BlockRef from, BlockRef to) {
    BlockRef *succs = opt_alloc(o, sizeof *succs);
    if (!succs) return;
    *succs = to;
    opt_block(o, from)->succs = succs;
    opt_block(o, from)->n_succs = opt_block(o, from)->cap_succs = 1;
}

/* All tests of the loop, or of its copy, go one way. */
static void decide_all(Opt *o, const OptCopies *c, bool of_copy, const Question *q) {
    for (u4 i = 0; i < c->n_blocks && !o->no_memory; i++) {
        BlockRef b = c->blocks[i];
        if (!is_asked(opt_node(o, opt_block(o, b)->last), q)) continue;
        if (of_copy) b = opt_copied_block(c, 0, b);
        opt_make_jump(o, opt_block(o, b)->last, of_copy ? 0 : 1);
    }
}

static void split(Opt *o, BlockRef head, const Question *q) {
    OptCopies c;
    u4 n = opt_count_phis(o, head);
    Ref *made = opt_alloc(o, (n + 1) * sizeof *made), *now = opt_alloc(o, (n + 1) * sizeof *now);
    if (o->no_memory || !opt_copies_begin(&c, o, head)) return;
    Ref *arrive = opt_arriving(o, head, c.ends.outside);
    if (!arrive || !make_phis(o, head, made) || !opt_copy(&c, made, 0, true)) return;
    BlockRef twin = opt_copied_block(&c, 0, head), latch = opt_copied_block(&c, 0, c.ends.latch);
    opt_behind_turn(&c, now);
    for (u4 i = n; i-- > 0;) opt_insert_phi(o, twin, made[i]);
    ask_in_front(o, c.ends.before, q);
    BlockRef first = step(o, c.ends.before, head), second = first ? step(o, c.ends.before, head) : 0;
    if (!second) return;
    opt_join(o, first, twin, arrive);
    opt_join(o, latch, twin, now);
    lead(o, second, head);
    opt_set_pred(o, head, c.ends.outside, second, arrive);
    if (o->no_memory) return;
    opt_copies_end(&c);
    decide_all(o, &c, true, q);
    decide_all(o, &c, false, q);
}

static bool split_one(Opt *o) {
    u4 n;
    BlockRef *all = opt_innermost(o, &n);
    for (u4 i = 0; i < n && all; i++) {
        OptLoopEnds ends;
        Question q;
        int size = opt_loop_ends(o, all[i], &ends) && opt_block(o, ends.latch)->n_succs == 1 ? opt_turn_size(o, all[i]) : -1;
        if (size < 0 || size > MOST_NODES || opt_block(o, all[i])->seldom || !find_question(o, all[i], &q)) continue;
        split(o, all[i], &q);
        return true;
    }
    return false;
}

void opt_unswitch(Opt *o) {
    if (o->no_memory || o->why || !opt_has_loop(o)) return;
    opt_split_edges(o);
    for (u4 i = 0; i < MOST_LOOPS && o->n_nodes < MOST_FORM && !o->no_memory && !o->why && split_one(o); i++) opt_tidy_loops(o);
}
