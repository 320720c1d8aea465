/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: constants that are added to an index become part of the address.
 *
 * The element at p + c, p never negative, is read at p, moved by c (Node.k of ELEMENT and SET_ELEMENT): the instruction adds it for nothing.  p + c is
 * within bounds where the access is done, for that was asked or is known, so it is not negative, and did not wrap: for p >= 0 and c > 0 a sum that
 * wraps is negative.  So the address that the machine adds up from 64 bits is the same.  A sum that nobody else uses goes.
 *
 * Behind all others that look for equal indices: they find them by the nodes that they are.
 */
#include "jit/opt/opt_pass.h"

enum { MOST_MOVED = 1 << 16 };

static void move_into_address(Opt *o, Ref r) {
    Node *n = opt_node(o, r);
    if (n->op != OPT_ELEMENT && n->op != OPT_SET_ELEMENT) return;
    const Node *index = opt_node(o, n->in[1]);
    if (index->op != OPT_ADD || !opt_is_const(o, index->in[1]) || opt_range(o, index->in[0]).lo < 0) return;
    int64_t by = opt_node(o, index->in[1])->k;
    if (by > MOST_MOVED || by < -MOST_MOVED) return;
    n->k = by;
    n->in[1] = index->in[0];
}

void opt_addresses(Opt *o) {
    if (o->no_memory || o->why) return;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next) move_into_address(o, r);
    opt_sweep(o);
}
