/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: a branch between two values is no branch.
 *
 *     if (x < y) v = a; else v = b;          v = PICK x < y ? a : b; FPICK, if x and y are floats
 *
 * Nobody knows how often which way is taken, and a way that is not foreseen costs as much as some twenty instructions; to compute both costs one or two.
 * So a branch goes whose ways lead to one block, where they differ in one INT or LONG, and have at most MOST_BOTH cheap nodes of their own.  Ways that are
 * known to be seldom taken stay: the value would wait for what it is compared with.
 *
 * Behind all phases that learn from branches: behind a PICK nothing is known.
 *
 * The least and the greatest of two INTs, in a loop, are so before vectors are made: loops that ask for nothing else have no branch then.
 *
 * Rejected: two values at once (bounds of a search, whose next element would wait for the last one: foreseen half of the time, a branch is faster).
 */
#include "jit/opt/opt_pass.h"

enum { MOST_BOTH = 2 };

/* How many nodes a way between the branch and the meeting has; more than MOST_BOTH: it is something else. */
static u4 cost_of(const Opt *o, BlockRef way) {
    const Block *b = opt_block(o, way);
    u4 n = 0;
    if (b->n_preds != 1 || b->n_succs != 1 || b->seldom || b->rare) return MOST_BOTH + 1;
    for (Ref r = b->first; r != b->last && n <= MOST_BOTH; r = opt_node(o, r)->next)
        n += opt_is_cheap(opt_node(o, r)) ? 1 : MOST_BOTH + 1;
    return n;
}

/* The only phi whose inputs differ, an INT or LONG; 0: there is none, or another one. */
static Ref only_phi(const Opt *o, BlockRef meet) {
    Ref only = 0;
    for (Ref r = opt_block(o, meet)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next) {
        const Node *n = opt_node(o, r);
        if (n->args[0] == n->args[1]) continue;
        if (only || !opt_is_number((OptType)n->type)) return 0;
        only = r;
    }
    return only;
}

/* Whether floats are equal would take two of them. */
static bool may_pick(const Node *end) {
    return end->op == OPT_IF || (end->op == OPT_FIF && end->kind != COND_EQ && end->kind != COND_NE);
}

/* The phi that the branch at the end of b decides, if it may go. */
static Ref phi_of(const Opt *o, BlockRef b) {
    const Block *x = opt_block(o, b);
    if (!x->last || !may_pick(opt_node(o, x->last)) || x->succs[0] == x->succs[1]) return 0;
    u4 cost = cost_of(o, x->succs[0]);
    if (cost <= MOST_BOTH) cost += cost_of(o, x->succs[1]);
    if (cost > MOST_BOTH) return 0;
    BlockRef meet = opt_block(o, x->succs[0])->succs[0];
    if (opt_block(o, x->succs[1])->succs[0] != meet || opt_block(o, meet)->n_preds != 2 || opt_block(o, meet)->loop_head)
        return 0;
    return only_phi(o, meet);
}

static void move_nodes(Opt *o, BlockRef from, Ref before) {
    Ref last = opt_block(o, from)->last;
    for (Ref r; (r = opt_block(o, from)->first) != last;) {
        opt_unlink(o, r);
        opt_node(o, r)->dead = false;
        opt_insert_before(o, before, r);
    }
}

static void pick(Opt *o, BlockRef b, Ref phi) {
    Ref end = opt_block(o, b)->last;
    Ref r = opt_new(o, opt_node(o, end)->op == OPT_IF ? OPT_PICK : OPT_FPICK, (OptType)opt_node(o, phi)->type);
    if (o->no_memory) return;
    const BlockRef *way = opt_block(o, b)->succs;
    const Node *branch = opt_node(o, end), *p = opt_node(o, phi);
    bool first = opt_block(o, p->block)->preds[0] == way[0];
    Node *n = opt_node(o, r);
    n->kind = branch->kind;
    n->from = branch->op == OPT_IF ? branch->from : opt_node(o, branch->in[0])->type;
    n->k = branch->op == OPT_IF ? 0 : branch->k;
    n->in[0] = branch->in[0];
    n->in[1] = branch->in[1];
    n->in[2] = p->args[!first];
    n->in[3] = p->args[first];
    move_nodes(o, way[0], end);
    move_nodes(o, way[1], end);
    opt_insert_before(o, end, r);
    p->args[0] = p->args[1] = r;
    opt_make_jump(o, end, 0);
}

/* v = x < y ? x : y, or the other. */
static bool is_extreme(const Opt *o, BlockRef b, Ref phi) {
    const Node *end = opt_node(o, opt_block(o, b)->last), *p = opt_node(o, phi);
    if (!opt_block(o, b)->loop || end->op != OPT_IF || end->from != OT_INT || end->kind == COND_EQ || end->kind == COND_NE)
        return false;
    return (p->args[0] == end->in[0] && p->args[1] == end->in[1]) || (p->args[0] == end->in[1] && p->args[1] == end->in[0]);
}

static void pick_all(Opt *o, bool extremes) {
    if (o->no_memory || o->why) return;
    Ref phi, *to = NULL;
    u4 n_order = o->n_order;
    Ref *phis = opt_alloc(o, (n_order + 1) * sizeof *phis);
    u4 n = 0;
    for (u4 i = 0; phis && i < n_order; i++) {
        if (!(phi = phi_of(o, o->order[i])) || (extremes && !is_extreme(o, o->order[i], phi))) continue;
        pick(o, o->order[i], phi);
        phis[n++] = phi;
    }
    if (!n || o->no_memory || !(to = opt_alloc(o, (o->n_nodes + 1) * sizeof *to))) return;
    opt_order(o);
    for (u4 i = 0; i < n; i++) {
        to[phis[i]] = opt_node(o, phis[i])->args[0];
        opt_unlink(o, phis[i]);
    }
    opt_replace(o, to);
    opt_sweep(o);
}

void opt_pick(Opt *o) { pick_all(o, false); }
void opt_pick_extremes(Opt *o) { pick_all(o, true); }
