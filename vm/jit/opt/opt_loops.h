/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of a form, for those who move what does not change in them (opt_loop.c) and leave out what counting answers (opt_counting.c). */
#ifndef GRAFT_JIT_OPT_LOOPS_H
#define GRAFT_JIT_OPT_LOOPS_H

#include "jit/opt/opt_pass.h"

typedef struct Loop {
    BlockRef before, latch;
    u4 outside, inside; /* which predecessors of the head */
    State *entry;       /* state in front of it, once somebody wanted it */
    bool sound;
    struct Counting *counting; /* once somebody wanted it */
} Loop;

typedef struct Loops {
    Opt *o;
    Loop *at; /* by head */
    u8 *changes;
    struct Test **tests; /* of classes, by object */
    u4 n_tests;          /* size of tests */
    u1 *gone;            /* guards, by node */
    u4 n_gone;
} Loops;

/* --- opt_loop.c --- */
BlockRef loops_around(const Loops *l, BlockRef head);
bool loops_is_in(const Loops *l, BlockRef b, BlockRef head);
static inline bool loops_is_outside(const Loops *l, Ref r, BlockRef head) {
    return !loops_is_in(l, opt_node(l->o, r)->block, head);
}
bool loops_on_every_turn(const Loops *l, const Node *n, BlockRef head); /* that is completed */
State *loops_entry(Loops *l, BlockRef head);                            /* in front of it; NULL: it has none */
void loops_move_out(Loops *l, Ref r);                                   /* as far as it may */

/* --- opt_counting.c --- */
void loops_note_counters(Loops *l); /* phis that are never negative */
void loops_drop_bounds(Loops *l);   /* IN_BOUNDS that counting keeps are `gone` */

#endif
