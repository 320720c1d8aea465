/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: a remainder is what a division leaves that is done anyway.
 *
 *     q = x / y; r = x % y                   q = x / y; r = x - q * y
 *
 * A division takes longer than all else that computes a number.  So a REM with the inputs of a DIV that dominates it, or that it dominates (then the DIV moves in
 * front of it: its divisor is not 0 there either), is a product and a difference.  They wrap as REM does: MIN / -1 is MIN, whose product with -1 is MIN.
 * Powers of two stay: both are cheaper alone.
 *
 * Behind all phases that know the range of a REM: of the difference nothing is known.
 */
#include "jit/opt/opt_pass.h"

enum { MOST_DIVISIONS = 32 };

typedef struct Divisions {
    Ref all[MOST_DIVISIONS];
    u4 n;
} Divisions;

static bool is_slow(const Opt *o, const Node *n) {
    const Node *y = opt_node(o, n->in[1]);
    return y->op != OPT_CONST || (y->k & (y->k - 1));
}

static void find(const Opt *o, OptOp op, Divisions *d) {
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r && d->n < MOST_DIVISIONS; r = opt_node(o, r)->next)
            if (opt_node(o, r)->op == op && is_slow(o, opt_node(o, r))) d->all[d->n++] = r;
}

/* Is x in front of y? */
static bool is_before(const Opt *o, Ref x, Ref y) {
    BlockRef of = opt_node(o, x)->block;
    if (of != opt_node(o, y)->block) return opt_dominates(o, of, opt_node(o, y)->block);
    while (x && x != y) x = opt_node(o, x)->next;
    return x == y;
}

static bool same_inputs(const Node *x, const Node *y) {
    return x->type == y->type && x->in[0] == y->in[0] && x->in[1] == y->in[1];
}

/* What makes one safe does so for the other. */
static void move_before(Opt *o, Ref div, Ref rem) {
    Node *n = opt_node(o, div);
    opt_unlink(o, div);
    n->dead = false;
    n->after = opt_node(o, rem)->after;
    n->pinned = opt_node(o, rem)->pinned;
    opt_insert_before(o, rem, div);
}

static void subtract(Opt *o, Ref rem, Ref div) {
    Ref product = opt_new(o, OPT_MUL, (OptType)opt_node(o, rem)->type);
    if (o->no_memory) return;
    Node *n = opt_node(o, rem), *p = opt_node(o, product);
    p->in[0] = div;
    p->in[1] = n->in[1];
    opt_insert_before(o, rem, product);
    n->op = OPT_SUB;
    n->in[1] = product;
    n->after = 0;
}

static void take(Opt *o, Ref rem, const Divisions *divs) {
    for (u4 i = 0; i < divs->n; i++) {
        Ref div = divs->all[i];
        if (!same_inputs(opt_node(o, div), opt_node(o, rem))) continue;
        if (!is_before(o, div, rem)) {
            if (!is_before(o, rem, div)) continue;
            move_before(o, div, rem);
        }
        return subtract(o, rem, div);
    }
}

void opt_remainders(Opt *o) {
    Divisions rems = {.n = 0}, divs = {.n = 0};
    find(o, OPT_REM, &rems);
    if (rems.n) find(o, OPT_DIV, &divs);
    for (u4 i = 0; i < rems.n && divs.n && !o->no_memory; i++) take(o, rems.all[i], &divs);
}
