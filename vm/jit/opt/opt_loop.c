/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: what does not change in a loop moves in front of it.  Bounds that counting keeps: opt_counting.c.
 *
 * TERMS    A loop is named by its head, which opt_split_edges gave one predecessor outside (`before`, which leads to the
 *          head alone) and one inside (`latch`).  Loops that are otherwise, for blocks have gone since, are left alone.
 *          A value is outside a loop if its block is.  A block that dominates the latch is passed by every turn that is
 *          completed.
 * MOVING   In reverse postorder each node moves to the end of `before`, and on through the loops around that, as far as
 *          it may: its inputs come before it, so they are where they will be.  Between the nodes that move, the order
 *          stays.
 * GUARDS   One that moves has the state of the loop's head, for the values on arrival, and leaves by EXIT_REDO: the
 *          interpreter does the loop from its start. Nothing of the loop was done then, so this is right whatever is in
 *          front of the guard in the loop: writes, stops, branches, exits.  The only price is that code may be left that
 *          would not have been; so only guards that each completed turn passes move, those of receivers on other ways as
 *          long as the method's code was never wrong, and none that leaves because something has not run yet
 *          (EXIT_UNQUICK): in front of the loop that would not be learnt.
 * LOADS    move if the loop changes nothing alike and the guard in `after` is outside.  What `after` does not say is by
 *          which test of its class an object is known to have the field at all: a guard IS_A, or a branch on
 *          INSTANCE_OF.  So an access to an object moves only from a loop that has no such test of this object, wherever
 *          it is (is_tested).  Loads need not be on every way.
 * TRUST    Code that left too often for what it assumed is made anew (Method.mistaken).  A loop that breaks before its bound would leave at the same
 *          question in front of it each time: so the third code asks nothing there but what it finds in the loop, and the last one moves no guards.
 * GONE     Guards that are left out by counting leave those that relied on them pinned.
 *
 * Rejected: turning loops round (a test in front, then one at the end), so that nothing moves in front of a loop that has
 * no turn: it doubles the test and all phis behind it; what leaves too early for it are loops over null that have no
 * turn, which are rare.  Versions of the loop with and without checks: twice the code, while the interpreter and the base
 * compiler's code are there for the rare case.
 */
#include "jit/opt/opt_loops.h"
#include <string.h>

enum { NO_GUARDS = 4 }; /* mistaken so often */
enum { MOST_TESTS = 16 };

typedef struct Test { /* of an object's class */
    struct Test *next;
    Ref node;
} Test;

/* --- loops --- */

static bool find_ends(const Opt *o, BlockRef head, Loop *l) {
    OptLoopEnds ends;
    if (!opt_loop_ends(o, head, &ends)) return false;
    l->before = ends.before;
    l->latch = ends.latch;
    l->outside = ends.outside;
    l->inside = ends.inside;
    return true;
}

BlockRef loops_around(const Loops *l, BlockRef head) { return opt_block(l->o, l->at[head].before)->loop; }

/* A loop that is not sound, and those around it, are never asked about. */
bool loops_is_in(const Loops *l, BlockRef b, BlockRef head) {
    BlockRef at = opt_block(l->o, b)->loop;
    u4 depth = opt_block(l->o, head)->loop_depth;
    while (at && opt_block(l->o, at)->loop_depth > depth) at = loops_around(l, at);
    return at == head;
}

static bool find_loops(Loops *l) {
    Opt *o = l->o;
    bool all = true;
    for (u4 i = 0; i < o->n_order; i++) {
        BlockRef b = o->order[i];
        if (!opt_block(o, b)->loop_head) continue;
        l->at[b].sound = find_ends(o, b, &l->at[b]);
        all &= l->at[b].sound;
    }
    return all;
}

/* --- tests of classes --- */

static void add_test(Loops *l, Ref of, Ref node) {
    Test *t = opt_alloc(l->o, sizeof *t);
    if (!t || of >= l->n_tests) return;
    *t = (Test){l->tests[of], node};
    l->tests[of] = t;
}

/* Whatever goes on only if INSTANCE_OF or a CLASS is as it should be is a test, too. */
static void note_tests(Loops *l, Ref r) {
    const Opt *o = l->o;
    const Node *n = opt_node(o, r);
    if (n->op == OPT_IS_A || n->op == OPT_IS_CLASS || n->op == OPT_HAS_METHOD) return add_test(l, n->in[0], r);
    if (!(opt_does(n) & (OPT_GUARD | OPT_ENDS))) return;
    for (u4 i = 0; i < opt_ops[n->op].inputs; i++) {
        const Node *x = opt_node(o, n->in[i]);
        if (x->op == OPT_INSTANCE_OF || x->op == OPT_CLASS) add_test(l, x->in[0], r);
    }
}

static void find_tests(Loops *l) {
    for (u4 i = 0; i < l->o->n_order; i++)
        for (Ref r = opt_block(l->o, l->o->order[i])->first; r; r = opt_node(l->o, r)->next) note_tests(l, r);
}

static bool is_tested(const Loops *l, Ref object, BlockRef head) {
    u4 n = 0;
    for (const Test *t = object < l->n_tests ? l->tests[object] : NULL; t; t = t->next)
        if (++n > MOST_TESTS || loops_is_in(l, opt_node(l->o, t->node)->block, head)) return true;
    return false;
}

/* --- the state in front of a loop --- */

static Ref on_arrival(const Opt *o, BlockRef head, const Loop *at, Ref r) {
    const Node *n = opt_node(o, r);
    return n->op == OPT_PHI && n->block == head ? n->args[at->outside] : r;
}

typedef struct Arriving {
    BlockRef head;
    const Loop *at;
} Arriving;

static void turn_to_arrival(Opt *o, Ref user, Ref *use, void *arg) {
    const Arriving *a = arg;
    *use = on_arrival(o, a->head, a->at, *use);
}

State *loops_entry(Loops *l, BlockRef head) {
    Loop *at = &l->at[head];
    const State *there = opt_block(l->o, head)->state;
    if (at->entry || !there) return at->entry;
    at->entry = opt_copy_state(l->o, there);
    opt_visit_state(l->o, at->entry, turn_to_arrival, &(Arriving){head, at});
    return at->entry;
}

/* --- what may move --- */

/* The way from d to b, which d dominates at once, is taken only if x < length of the array. */
static bool says_less(const Opt *o, BlockRef d, BlockRef b, Ref x, Ref array) {
    const Block *from = opt_block(o, d);
    const Node *end = opt_node(o, from->last);
    if (end->op != OPT_IF || end->from != OT_INT || opt_block(o, b)->n_preds != 1 || from->succs[0] == from->succs[1])
        return false;
    Cond holds = from->succs[0] == b ? (Cond)end->kind : cond_opposite((Cond)end->kind);
    const Node *length = opt_node(o, end->in[1]);
    return holds == COND_LT && end->in[0] == x && length->op == OPT_LENGTH && length->in[0] == array;
}

/* An element of an array whose index a branch in front of the loop has compared with the length: PINNED for that. */
static bool is_safe_in_front(const Loops *l, const Node *n, BlockRef head) {
    enum { FAR = 16 };
    const Opt *o = l->o;
    if (n->op != OPT_ELEMENT || opt_range(o, n->in[1]).lo < 0) return false;
    BlockRef b = l->at[head].before, d;
    for (u4 i = 0; i < FAR && (d = opt_block(o, b)->idom); i++, b = d)
        if (says_less(o, d, b, n->in[1], n->in[0])) return true;
    return false;
}

static bool inputs_are_outside(const Loops *l, const Node *n, BlockRef head) {
    for (u4 i = 0; i < opt_ops[n->op].inputs; i++)
        if (n->in[i] && !loops_is_outside(l, n->in[i], head)) return false;
    if (n->after && !loops_is_outside(l, n->after, head)) return false;
    return !n->pinned || is_safe_in_front(l, n, head);
}

bool loops_on_every_turn(const Loops *l, const Node *n, BlockRef head) {
    return opt_dominates(l->o, n->block, l->at[head].latch);
}

/* Its class is asked for next, or that of what it refers to.  Arrays and numbers may well be missing where a turn does not ask for them. */
static bool leads_to_receiver(const Opt *o, Ref not_null) {
    for (Ref r = opt_node(o, not_null)->next; r; r = opt_node(o, r)->next) {
        const Node *n = opt_node(o, r);
        if (n->after != not_null) continue;
        if (n->op == OPT_IS_CLASS || n->op == OPT_HAS_METHOD || (n->op == OPT_LOAD && n->type == OT_REF)) return true;
    }
    return false;
}

/* What calls ask holds for most loops as soon as it holds for one, whether a turn makes the call or not. */
static bool is_of_receiver(Loops *l, Ref r, BlockRef head) {
    const Node *n = opt_node(l->o, r);
    if (l->o->root->mistaken || opt_block(l->o, n->block)->seldom) return false;
    if (n->op == OPT_NOT_NULL) return leads_to_receiver(l->o, r);
    return n->op == OPT_IS_CLASS || (n->op == OPT_HAS_METHOD && !is_tested(l, n->in[0], head));
}

static bool may_move_guard(Loops *l, Ref r, BlockRef head) {
    const Node *n = opt_node(l->o, r);
    if (n->exit == EXIT_UNQUICK || n->op == OPT_MAY_HOLD) return false;
    if (!loops_on_every_turn(l, n, head) && !is_of_receiver(l, r, head)) return false;
    if (l->o->root->mistaken >= NO_GUARDS) return false;
    bool reads_class = n->op == OPT_IS_CLASS || n->op == OPT_HAS_METHOD;
    if (reads_class && !n->after && !opt_node(l->o, n->in[0])->not_null) return false;
    return loops_entry(l, head);
}

static bool may_load_before(const Loops *l, const Node *n, BlockRef head) { return !n->in[0] || !is_tested(l, n->in[0], head); }

static bool may_move_load(const Loops *l, const Node *n, BlockRef head) {
    if (!n->plain && l->changes[head] >> opt_place(l->o, n) & 1) return false;
    return may_load_before(l, n, head);
}

/* Where it is not done on each turn it would be done for nothing. */
static bool is_dear(const Node *n) {
    switch (n->op) {
    case OPT_DIV:
    case OPT_REM:
    case OPT_FDIV:
    case OPT_FREM:
    case OPT_FSQRT:
    case OPT_INSTANCE_OF: return true;
    default: return false;
    }
}

static bool may_move(Loops *l, Ref r, BlockRef head) {
    const Node *n = opt_node(l->o, r);
    u1 does = opt_does(n);
    if (does & ~(OPT_READS | OPT_GUARD) || opt_block(l->o, n->block)->rare || !inputs_are_outside(l, n, head)) return false;
    if (does & OPT_GUARD) return may_move_guard(l, r, head);
    if (does & OPT_READS) return may_move_load(l, n, head);
    if (n->op == OPT_LENGTH) return !is_tested(l, n->in[0], head);
    return !is_dear(n) || loops_on_every_turn(l, n, head);
}

static void move(Loops *l, Ref r, BlockRef head) {
    opt_unlink(l->o, r);
    Node *n = opt_node(l->o, r);
    n->dead = false;
    if (opt_does(n) & OPT_GUARD) {
        n->state = l->at[head].entry;
        n->exit = EXIT_REDO;
        n->n_args = 0;
    }
    opt_insert_end(l->o, l->at[head].before, r);
}

void loops_move_out(Loops *l, Ref r) {
    for (BlockRef head; (head = opt_block(l->o, opt_node(l->o, r)->block)->loop) && may_move(l, r, head);) move(l, r, head);
}

static void move_all(Loops *l) {
    Opt *o = l->o;
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) {
        if (!opt_block(o, o->order[i])->loop) continue;
        for (Ref r = opt_block(o, o->order[i])->first, next; r; r = next) {
            next = opt_node(o, r)->next;
            if (opt_node(o, r)->op != OPT_CONST) loops_move_out(l, r);
        }
    }
}

/* --- fields that each turn stores --- */

static bool may_carry(void *loops, Ref load, BlockRef head) {
    const Loops *l = loops;
    const Node *n = opt_node(l->o, load);
    return inputs_are_outside(l, n, head) && may_load_before(l, n, head);
}

/* States that nobody has yet are made anew, and so are limits: they may name what became a phi. */
static void carry_fields(Loops *l) {
    if (!opt_carry(l->o, may_carry, l)) return;
    for (BlockRef b = 1; b <= l->o->n_blocks; b++) {
        l->at[b].entry = NULL;
        l->at[b].counting = NULL;
    }
}

static void pin_those_behind(const Loops *l) {
    for (u4 i = 0; i < l->o->n_order; i++)
        for (Ref r = opt_block(l->o, l->o->order[i])->first; r; r = opt_node(l->o, r)->next) {
            Node *n = opt_node(l->o, r);
            if (n->after >= l->n_gone || !l->gone[n->after]) continue;
            n->after = 0;
            n->pinned = true;
        }
}

static bool init(Loops *l, Opt *o) {
    *l = (Loops){.o = o, .n_tests = o->n_nodes + 1, .n_gone = o->n_nodes + 1};
    l->at = opt_alloc(o, (o->n_blocks + 1) * sizeof *l->at);
    l->tests = opt_alloc(o, l->n_tests * sizeof *l->tests);
    l->gone = opt_alloc(o, l->n_gone);
    l->changes = opt_changes_of_loops(o);
    return l->at && l->tests && l->gone && l->changes;
}

void opt_loops(Opt *o) {
    Loops l;
    if (o->no_memory || o->why) return;
    if (!init(&l, o)) return;
    if (find_loops(&l)) {
        find_tests(&l);
        loops_note_counters(&l);
        move_all(&l);
        carry_fields(&l);
        loops_note_counters(&l); /* fields that are carried are phis now */
        loops_drop_bounds(&l);
        pin_those_behind(&l);
    }
    for (BlockRef b = 1; b <= o->n_blocks; b++) opt_block(o, b)->state = NULL;
    if (!o->no_memory) opt_sweep(o);
}
