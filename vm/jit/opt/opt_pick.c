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
 * What a loop counts or adds up in some turns only is added in all of them: what is added is picked, so that no turn waits for the comparison of the last one.
 *
 *     if (x < y) n = n + a;                  n = n + PICK x < y ? a : 0
 *
 * Behind all phases that learn from branches: behind a PICK nothing is known.
 *
 * The least and the greatest of two INTs, something or nothing, and what is added in some turns are picked in loops before vectors are made
 * (opt_pick_early): loops that ask for nothing else have no branch then.
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

/* What a way adds to a value of the loop that the comparison does not want; 0: it does something else. */
static Ref step_of(const Opt *o, const Node *branch, Ref from, Ref to) {
    const Node *f = opt_node(o, from), *n = opt_node(o, to);
    BlockRef loop = opt_block(o, branch->block)->loop;
    if (!loop || opt_is_const(o, from) || opt_block(o, f->block)->loop != loop || branch->in[0] == from || branch->in[1] == from)
        return 0;
    if (n->op != OPT_ADD && n->op != OPT_SUB && n->op != OPT_OR && n->op != OPT_XOR) return 0;
    if (n->in[0] == from) return n->in[1] == from ? 0 : n->in[1];
    return n->op != OPT_SUB && n->in[1] == from ? n->in[0] : 0;
}

static Ref new_pick(Opt *o, const Node *branch, Ref yes, Ref no) {
    Ref r = opt_new(o, branch->op == OPT_IF ? OPT_PICK : OPT_FPICK, (OptType)opt_node(o, yes)->type);
    Node *n = opt_node(o, r);
    n->kind = branch->kind;
    n->from = branch->op == OPT_IF ? branch->from : opt_node(o, branch->in[0])->type;
    n->k = branch->op == OPT_IF ? 0 : branch->k;
    n->in[0] = branch->in[0];
    n->in[1] = branch->in[1];
    n->in[2] = yes;
    n->in[3] = no;
    return r;
}

/* In front of the branch: what the phi is. */
static Ref picked(Opt *o, Ref end, Ref yes, Ref no) {
    Node branch = *opt_node(o, end);
    Ref up = step_of(o, &branch, no, yes), down = up ? 0 : step_of(o, &branch, yes, no), r;
    if (!up && !down) {
        opt_insert_before(o, end, r = new_pick(o, &branch, yes, no));
        return r;
    }
    Ref nothing = opt_const(o, (OptType)opt_node(o, yes)->type, 0),
        sum = opt_new(o, (OptOp)opt_node(o, up ? yes : no)->op, (OptType)opt_node(o, yes)->type);
    opt_insert_before(o, end, r = new_pick(o, &branch, up ? up : nothing, up ? nothing : down));
    opt_node(o, sum)->in[0] = up ? no : yes;
    opt_node(o, sum)->in[1] = r;
    opt_insert_before(o, end, sum);
    return sum;
}

static void pick(Opt *o, BlockRef b, Ref phi) {
    Ref end = opt_block(o, b)->last;
    const BlockRef *way = opt_block(o, b)->succs;
    const Node *p = opt_node(o, phi);
    bool first = opt_block(o, p->block)->preds[0] == way[0];
    Ref yes = p->args[!first], no = p->args[first];
    move_nodes(o, way[0], end);
    move_nodes(o, way[1], end);
    Ref r = picked(o, end, yes, no);
    opt_node(o, phi)->args[0] = opt_node(o, phi)->args[1] = r;
    opt_make_jump(o, end, 0);
}

/* In a loop, of INTs: v = x < y ? x : y, or the other; something or 0; a step. */
static bool is_early(const Opt *o, BlockRef b, Ref phi) {
    const Node *end = opt_node(o, opt_block(o, b)->last), *p = opt_node(o, phi);
    Ref v = p->args[0], w = p->args[1];
    if (!opt_block(o, b)->loop || end->op != OPT_IF || end->from != OT_INT || p->type != OT_INT) return false;
    if (opt_is_zero(o, v) || opt_is_zero(o, w) || step_of(o, end, v, w) || step_of(o, end, w, v)) return true;
    if (end->kind == COND_EQ || end->kind == COND_NE) return false;
    return (v == end->in[0] && w == end->in[1]) || (v == end->in[1] && w == end->in[0]);
}

static void pick_all(Opt *o, bool early) {
    if (o->no_memory || o->why) return;
    Ref phi, *to = NULL;
    u4 n_order = o->n_order;
    Ref *phis = opt_alloc(o, (n_order + 1) * sizeof *phis);
    u4 n = 0;
    for (u4 i = 0; phis && i < n_order; i++) {
        if (!(phi = phi_of(o, o->order[i])) || (early && !is_early(o, o->order[i], phi))) continue;
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
void opt_pick_early(Opt *o) { pick_all(o, true); }
