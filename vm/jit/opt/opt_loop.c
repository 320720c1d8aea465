/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: what does not change in a loop moves in front of it; bounds that counting keeps are not asked.
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
 * COUNTING A counter is a phi p of the head that each turn adds a constant c to: p is start, next p + c.  A limit is a
 *          branch that each completed turn passes: it stays in the loop only if p, or p + c, compares with n, which does
 *          not change.  Then, if nothing wraps, for c > 0
 *
 *              start <= p       behind the branch    p <= n + e
 *                               in front of it       p <= max(start, n + e + c)
 *
 *          where e is 0 for <=, -1 for < and !=, less c if p + c was compared; and the mirror image for c < 0.  Nothing
 *          wraps if the last p, plus c, is an INT, and if p + c was compared, start + c, too.  IN_BOUNDS(p + k, length)
 *          holds if both bounds, plus k, are within: conditions on start, n and length, which do not change.  Those that
 *          are not known by ranges are asked in front of the loop, as guards that move are; if all can be.  All sums are
 *          taken as they are on paper: what is written in the form for them is INT where the constant side cannot wrap,
 *          else LONG.
 *          A counter that goes up from what is not negative, and is known not to wrap, is never negative: its phi says so
 *          (opt_ops.def), for the next opt_number.
 * TRUST    Code that left too often for what it assumed is made anew (Method.mistaken).  A loop that breaks before its bound would leave at the same
 *          question in front of it each time: so the third code asks nothing there but what it finds in the loop, and the last one moves no guards.
 * GONE     Guards that are left out by counting leave those that relied on them pinned.
 *
 * Rejected: turning loops round (a test in front, then one at the end), so that nothing moves in front of a loop that has
 * no turn: it doubles the test and all phis behind it; what leaves too early for it are loops over null that have no
 * turn, which are rare.  Versions of the loop with and without checks: twice the code, while the interpreter and the base
 * compiler's code are there for the rare case.
 */
#include "jit/opt/opt_pass.h"
#include <string.h>

enum { NO_QUESTIONS = 2, NO_GUARDS = 4 }; /* mistaken so often */
enum { MOST_LIMITS = 8, MOST_TESTS = 16, MOST_STEP = 1 << 16, MOST_ASKED = 24, MOST_CONDITIONS = 6 };

/* A branch that each completed turn passes and that stays in the loop only if x cond y. */
typedef struct Limit {
    BlockRef stay; /* where it goes then; only this way leads there, or 0 */
    Cond cond;
    Ref x, y;
} Limit;

typedef enum Relation { AT_LEAST, AT_MOST, BELOW_OTHER, AT_MOST_OTHER, AT_LEAST_OTHER } Relation;
typedef struct Condition {
    Relation is;
    Ref base, other;
    int64_t add; /* AT_LEAST, AT_MOST: base is at least, at most that; else base + add is compared with other */
} Condition;

typedef struct Loop {
    BlockRef before, latch;
    u4 outside, inside; /* which predecessors of the head */
    State *entry;       /* state in front of it, once somebody wanted it */
    Limit limits[MOST_LIMITS];
    u4 n_limits;
    bool sound, knows_limits;
    Condition asked[MOST_ASKED]; /* in front of it */
    u4 n_asked;
} Loop;

typedef struct Test { /* of an object's class */
    struct Test *next;
    Ref node;
} Test;

typedef struct Loops {
    Opt *o;
    Loop *at; /* by head */
    u8 *changes;
    Test **tests; /* by object */
    u4 n_tests;   /* size of tests */
    u1 *gone;     /* guards, by node */
    u4 n_gone;
} Loops;

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

static BlockRef loop_around(const Loops *l, BlockRef head) { return opt_block(l->o, l->at[head].before)->loop; }

/* A loop that is not sound, and those around it, are never asked about. */
static bool is_in(const Loops *l, BlockRef b, BlockRef head) {
    BlockRef at = opt_block(l->o, b)->loop;
    u4 depth = opt_block(l->o, head)->loop_depth;
    while (at && opt_block(l->o, at)->loop_depth > depth) at = loop_around(l, at);
    return at == head;
}

static bool is_outside(const Loops *l, Ref r, BlockRef head) { return !is_in(l, opt_node(l->o, r)->block, head); }

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
        if (++n > MOST_TESTS || is_in(l, opt_node(l->o, t->node)->block, head)) return true;
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

static State *entry_of(Loops *l, BlockRef head) {
    Loop *at = &l->at[head];
    const State *there = opt_block(l->o, head)->state;
    if (at->entry || !there) return at->entry;
    at->entry = opt_copy_state(l->o, there);
    opt_visit_state(l->o, at->entry, turn_to_arrival, &(Arriving){head, at});
    return at->entry;
}

/* --- what may move --- */

static bool inputs_are_outside(const Loops *l, const Node *n, BlockRef head) {
    for (u4 i = 0; i < opt_ops[n->op].inputs; i++)
        if (n->in[i] && !is_outside(l, n->in[i], head)) return false;
    return !n->pinned && (!n->after || is_outside(l, n->after, head));
}

static bool on_every_turn(const Loops *l, const Node *n, BlockRef head) {
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
    if (!on_every_turn(l, n, head) && !is_of_receiver(l, r, head)) return false;
    if (l->o->root->mistaken >= NO_GUARDS) return false;
    bool reads_class = n->op == OPT_IS_CLASS || n->op == OPT_HAS_METHOD;
    if (reads_class && !n->after && !opt_node(l->o, n->in[0])->not_null) return false;
    return entry_of(l, head);
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
    return !is_dear(n) || on_every_turn(l, n, head);
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

static void move_out(Loops *l, Ref r) {
    for (BlockRef head; (head = opt_block(l->o, opt_node(l->o, r)->block)->loop) && may_move(l, r, head);) move(l, r, head);
}

static void move_all(Loops *l) {
    Opt *o = l->o;
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) {
        if (!opt_block(o, o->order[i])->loop) continue;
        for (Ref r = opt_block(o, o->order[i])->first, next; r; r = next) {
            next = opt_node(o, r)->next;
            if (opt_node(o, r)->op != OPT_CONST) move_out(l, r);
        }
    }
}

/* --- fields that each turn stores --- */

static bool may_carry(void *loops, Ref load, BlockRef head) {
    const Loops *l = loops;
    const Node *n = opt_node(l->o, load);
    return inputs_are_outside(l, n, head) && may_load_before(l, n, head);
}

/* States that nobody has yet are made anew: they may name what became a phi. */
static void carry_fields(Loops *l) {
    if (!opt_carry(l->o, may_carry, l)) return;
    for (BlockRef b = 1; b <= l->o->n_blocks; b++) l->at[b].entry = NULL;
}

/* --- counters and limits --- */

typedef struct Counter {
    Ref phi, start;
    BlockRef head;
    int64_t by;
} Counter;

/* r is phi + *by */
static bool is_step(const Opt *o, Ref r, Ref phi, int64_t *by) {
    const Node *n = opt_node(o, r);
    if (n->op != OPT_ADD || n->in[0] != phi || !opt_is_const(o, n->in[1])) return false;
    *by = opt_node(o, n->in[1])->k;
    return true;
}

/* Where several edges back were gathered, each may have its own sum. */
static bool steps_alike(const Opt *o, Ref r, Ref phi, BlockRef latch, int64_t *by) {
    const Node *n = opt_node(o, r);
    if (is_step(o, r, phi, by)) return true;
    if (n->op != OPT_PHI || n->block != latch) return false;
    for (u4 i = 0; i < opt_block(o, latch)->n_preds; i++) {
        int64_t other;
        if (!is_step(o, n->args[i], phi, &other) || (i && other != *by)) return false;
        *by = other;
    }
    return true;
}

static bool find_counter(const Loops *l, Ref phi, Counter *c) {
    const Node *n = opt_node(l->o, phi);
    if (n->op != OPT_PHI || n->type != OT_INT || !opt_block(l->o, n->block)->loop_head) return false;
    const Loop *at = &l->at[n->block];
    *c = (Counter){phi, n->args[at->outside], n->block, 0};
    return steps_alike(l->o, n->args[at->inside], phi, at->latch, &c->by) && c->by && c->by <= MOST_STEP && c->by >= -MOST_STEP;
}

static void note_limit(const Loops *l, BlockRef head, Loop *at, BlockRef b) {
    const Opt *o = l->o;
    const Block *x = opt_block(o, b);
    const Node *end = opt_node(o, x->last);
    if (end->op != OPT_IF || end->from != OT_INT || at->n_limits == MOST_LIMITS) return;
    bool first = is_in(l, x->succs[0], head), second = is_in(l, x->succs[1], head);
    if (first == second) return;
    BlockRef stay = x->succs[!first];
    at->limits[at->n_limits++] = (Limit){.stay = opt_block(o, stay)->n_preds == 1 ? stay : 0,
                                         .cond = first ? (Cond)end->kind : cond_opposite((Cond)end->kind),
                                         .x = end->in[0],
                                         .y = end->in[1]};
}

/* Blocks that dominate the latch are those on the way from it to the head by dominators. */
static void find_limits(Loops *l, BlockRef head) {
    Loop *at = &l->at[head];
    if (at->knows_limits) return;
    at->knows_limits = true;
    for (BlockRef b = at->latch; b != head; b = opt_block(l->o, b)->idom) note_limit(l, head, at, b);
    note_limit(l, head, at, head);
}

/* --- conditions on what does not change --- */

/* A sum with a constant that does not wrap has the range of its other part, moved. */
static OptRange range_of(const Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    OptRange is = opt_range(o, r);
    if (n->op != OPT_ADD || n->type != OT_INT || !opt_is_const(o, n->in[1])) return is;
    OptRange of = opt_range(o, n->in[0]);
    int64_t by = opt_node(o, n->in[1])->k;
    bool wraps = of.lo + by < INT32_MIN || of.hi + by > INT32_MAX;
    return wraps ? is : (OptRange){of.lo + by, of.hi + by};
}

/* base is length + *by, or (*less) at most that: length itself, a sum that does not wrap, a part of it (String.length). */
static bool is_from_length(const Opt *o, Ref base, Ref length, int64_t *by, bool *less) {
    const Node *n = opt_node(o, base);
    *by = 0;
    *less = false;
    if (base == length) return true;
    if (n->in[0] != length || opt_range(o, length).lo < 0) return false;
    if (n->op == OPT_SHR || n->op == OPT_USHR) return *less = true;
    if (n->op != OPT_ADD || !opt_is_const(o, n->in[1])) return false;
    *by = opt_node(o, n->in[1])->k;
    return *by <= 0;
}

static int known(bool always, bool never) { return always ? 1 : never ? 0 : -1; }

/* 1: it holds, 0: it does not, -1: to be asked. */
static int is_known(const Opt *o, const Condition *c) {
    OptRange x = range_of(o, c->base), y = c->other ? range_of(o, c->other) : (OptRange){0, 0};
    int64_t by;
    bool less;
    switch (c->is) {
    case AT_LEAST: return known(x.lo >= c->add, x.hi < c->add);
    case AT_MOST: return known(x.hi <= c->add, x.lo > c->add);
    case BELOW_OTHER:
        if (is_from_length(o, c->base, c->other, &by, &less)) return known(by + c->add < 0, !less && by + c->add >= 0);
        return known(x.hi + c->add < y.lo, x.lo + c->add >= y.hi);
    case AT_MOST_OTHER: return known(x.hi + c->add <= y.lo, x.lo + c->add > y.hi);
    default: return known(x.lo + c->add >= y.hi, x.hi + c->add < y.lo);
    }
}

static Ref new_node(Loops *l, BlockRef at, OptOp op, OptType t, Ref x, Ref y) {
    Ref r = opt_new(l->o, op, t);
    if (!r) return 0;
    opt_node(l->o, r)->in[0] = x;
    opt_node(l->o, r)->in[1] = y;
    if (op == OPT_CONVERT) opt_node(l->o, r)->from = OT_INT;
    Ref is = opt_fold(l->o, r);
    if (is != r) return is;
    opt_insert_end(l->o, at, r);
    move_out(l, r);
    return r;
}

static void ask(Loops *l, BlockRef head, Cond cond, OptType from, Ref x, Ref y) {
    Ref r = opt_new(l->o, OPT_HOLDS, OT_NONE);
    if (!r || !x || !y) return;
    Node *n = opt_node(l->o, r);
    n->in[0] = x;
    n->in[1] = y;
    n->kind = (u1)cond;
    n->from = (u1)from;
    n->exit = EXIT_REDO;
    n->state = l->at[head].entry;
    if (opt_fold(l->o, r) == OPT_ALWAYS) return;
    opt_insert_end(l->o, l->at[head].before, r);
    move_out(l, r);
}

/* Both sides as LONG, where a sum of INTs could wrap. */
static void ask_wide(Loops *l, BlockRef head, Cond cond, const Condition *c) {
    BlockRef at = l->at[head].before;
    Ref x = new_node(l, at, OPT_CONVERT, OT_LONG, c->base, 0), y = new_node(l, at, OPT_CONVERT, OT_LONG, c->other, 0);
    Ref sum = new_node(l, at, OPT_ADD, OT_LONG, x, opt_const(l->o, OT_LONG, c->add));
    ask(l, head, cond, OT_LONG, sum, y);
}

static void ask_condition(Loops *l, BlockRef head, const Condition *c) {
    static const u1 conds[] = {COND_GE, COND_LE, COND_LT, COND_LE, COND_GE};
    Cond cond = (Cond)conds[c->is];
    if (!c->other) ask(l, head, cond, OT_INT, c->base, opt_const(l->o, OT_INT, c->add));
    else if (!c->add) ask(l, head, cond, OT_INT, c->base, c->other);
    else if (c->is == BELOW_OTHER && c->add == -1) ask(l, head, COND_LE, OT_INT, c->base, c->other);
    else ask_wide(l, head, cond, c);
}

/* --- conditions of one IN_BOUNDS --- */

typedef struct Bound {
    Ref base;
    int64_t add;
} Bound;

/* All that is to hold for a guard to be left out. */
typedef struct Case {
    Condition needs[MOST_CONDITIONS];
    u4 n;
} Case;

static void need(Case *c, Relation is, Ref base, int64_t add, Ref other) { c->needs[c->n++] = (Condition){is, base, other, add}; }
static void need_low(Case *c, Bound b, int64_t k) { need(c, AT_LEAST, b.base, -(b.add + k), 0); }
static void need_high(Case *c, Bound b, int64_t k, Ref length) { need(c, BELOW_OTHER, b.base, b.add + k, length); }

/* A limit, turned so that the counter is on its left. */
typedef struct Facing {
    Cond cond;
    Ref n;
    int64_t e, late; /* late: c if p + c was compared, else 0; e is as for p */
} Facing;

static bool is_counter_side(const Opt *o, const Counter *c, Ref r, Facing *f) {
    int64_t by;
    f->late = 0;
    if (r == c->phi) return true;
    if (!is_step(o, r, c->phi, &by) || by != c->by) return false;
    f->late = by;
    return true;
}

static bool does_not_change(const Loops *l, Ref r, BlockRef head) {
    const Node *n = opt_node(l->o, r);
    return is_outside(l, r, head) || (n->op == OPT_LENGTH && is_outside(l, n->in[0], head));
}

static bool end_of(const Loops *l, const Counter *c, Facing *f) {
    bool up = c->by > 0, by_one = c->by == 1 || c->by == -1;
    if (f->cond == COND_BELOW && opt_range(l->o, f->n).lo >= 0) f->cond = COND_LT;
    if (f->cond == COND_BELOW_EQ && opt_range(l->o, f->n).lo >= 0) f->cond = COND_LE;
    f->e = f->cond == COND_LT ? -1 : f->cond == COND_GT ? 1 : 0;
    if (f->cond == COND_NE) f->e = up ? -1 : 1;
    if (f->cond == COND_NE) return by_one;
    return up ? f->cond == COND_LT || f->cond == COND_LE : f->cond == COND_GT || f->cond == COND_GE;
}

static bool face(const Loops *l, const Counter *c, const Limit *limit, Facing *f) {
    *f = (Facing){.cond = limit->cond, .n = limit->y};
    if (!is_counter_side(l->o, c, limit->x, f)) {
        *f = (Facing){.cond = opt_swapped(limit->cond), .n = limit->x};
        if (!is_counter_side(l->o, c, limit->y, f)) return false;
    }
    return does_not_change(l, f->n, c->head) && end_of(l, c, f);
}

/* Nothing wraps, and != is met. */
static void need_no_wrap(Case *to, const Counter *c, const Facing *f) {
    bool up = c->by > 0;
    Relation is = up ? AT_MOST : AT_LEAST;
    int64_t most = up ? INT32_MAX : INT32_MIN;
    need(to, is, f->n, most - f->e - c->by, 0);
    if (f->late) need(to, is, c->start, most - c->by, 0);
    if (f->cond == COND_NE) need(to, up ? AT_MOST_OTHER : AT_LEAST_OTHER, c->start, f->late, f->n);
}

/* p + k is within at a place behind the branch, or in front of it. */
static Case case_of(const Counter *c, const Facing *f, bool behind, int64_t k, Ref length) {
    Case to = {.n = 0};
    Bound start = {c->start, 0}, last = {f->n, f->e - f->late + (behind ? 0 : c->by)};
    need_no_wrap(&to, c, f);
    if (c->by > 0) {
        need_low(&to, start, k);
        need_high(&to, last, k, length);
        if (!behind) need_high(&to, start, k, length);
    } else {
        need_high(&to, start, k, length);
        need_low(&to, last, k);
        if (!behind) need_low(&to, start, k);
    }
    return to;
}

static bool was_asked(const Loop *at, const Condition *c) {
    for (u4 i = 0; i < at->n_asked; i++)
        if (at->asked[i].is == c->is && at->asked[i].base == c->base && at->asked[i].add == c->add &&
            at->asked[i].other == c->other)
            return true;
    return false;
}

static bool can_ask(const Loops *l, BlockRef head, const Condition *c) {
    bool in_int = c->other || (c->add >= INT32_MIN && c->add <= INT32_MAX);
    return in_int && is_outside(l, c->base, head) && (!c->other || is_outside(l, c->other, head));
}

/* All conditions hold, or are asked now. */
static bool settle(Loops *l, const Counter *c, const Case *of, bool asks) {
    Loop *at = &l->at[c->head];
    const Condition *open[MOST_CONDITIONS];
    u4 n = 0;
    for (u4 i = 0; i < of->n; i++) {
        const Condition *x = &of->needs[i];
        int is = is_known(l->o, x);
        if (is == 0) return false;
        if (is == 1 || was_asked(at, x)) continue;
        if (!asks || !can_ask(l, c->head, x)) return false;
        open[n++] = x;
    }
    if (at->n_asked + n > MOST_ASKED) return false;
    for (u4 i = 0; i < n; i++) {
        ask_condition(l, c->head, open[i]);
        at->asked[at->n_asked++] = *open[i];
    }
    return true;
}

static bool try_limits(Loops *l, Ref guard, const Counter *c, int64_t k, bool asks) {
    const Loop *at = &l->at[c->head];
    for (u4 i = 0; i < at->n_limits; i++) {
        const Node *g = opt_node(l->o, guard);
        Facing f;
        if (!face(l, c, &at->limits[i], &f)) continue;
        bool behind = at->limits[i].stay && opt_dominates(l->o, at->limits[i].stay, g->block);
        Case of = case_of(c, &f, behind, k, g->in[1]);
        if (settle(l, c, &of, asks)) return true;
    }
    return false;
}

/* --- counters that are never negative --- */

static bool never_wraps(const Loops *l, const Counter *c, const Limit *limit) {
    Facing f;
    Case of = {.n = 0};
    if (!face(l, c, limit, &f)) return false;
    need_no_wrap(&of, c, &f);
    for (u4 i = 0; i < of.n; i++)
        if (is_known(l->o, &of.needs[i]) != 1) return false;
    return true;
}

static void note_counter(Loops *l, Ref phi) {
    Counter c;
    if (!find_counter(l, phi, &c) || c.by < 0 || opt_range(l->o, c.start).lo < 0) return;
    find_limits(l, c.head);
    const Loop *at = &l->at[c.head];
    for (u4 i = 0; i < at->n_limits; i++)
        if (never_wraps(l, &c, &at->limits[i])) opt_node(l->o, phi)->k = 1;
}

static void note_counters(Loops *l) {
    const Opt *o = l->o;
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *b = opt_block(o, o->order[i]);
        for (Ref r = b->loop_head ? b->first : 0; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
            note_counter(l, r);
    }
}

/* --- IN_BOUNDS --- */

/* The index is a counter and a constant. */
static bool is_kept_by_counting(Loops *l, Ref guard) {
    const Opt *o = l->o;
    const Node *g = opt_node(o, guard), *index = opt_node(o, g->in[0]);
    Counter c;
    int64_t k = 0;
    Ref phi = g->in[0];
    if (index->op == OPT_ADD && opt_is_const(o, index->in[1])) {
        phi = index->in[0];
        k = opt_node(o, index->in[1])->k;
    }
    if (!find_counter(l, phi, &c) || !is_in(l, g->block, c.head) || !does_not_change(l, g->in[1], c.head)) return false;
    find_limits(l, c.head);
    if (try_limits(l, guard, &c, k, false)) return true;
    if (o->root->mistaken >= NO_QUESTIONS) return false;
    return on_every_turn(l, opt_node(o, guard), c.head) && entry_of(l, c.head) && try_limits(l, guard, &c, k, true);
}

static void drop_bounds(Loops *l) {
    Opt *o = l->o;
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) {
        if (!opt_block(o, o->order[i])->loop) continue;
        for (Ref r = opt_block(o, o->order[i])->first, next; r; r = next) {
            next = opt_node(o, r)->next;
            if (opt_node(o, r)->op != OPT_IN_BOUNDS || r >= l->n_gone || !is_kept_by_counting(l, r)) continue;
            l->gone[r] = true;
            opt_unlink(o, r);
        }
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
        move_all(&l);
        carry_fields(&l);
        note_counters(&l);
        drop_bounds(&l);
        pin_those_behind(&l);
    }
    for (BlockRef b = 1; b <= o->n_blocks; b++) opt_block(o, b)->state = NULL;
    if (!o->no_memory) opt_sweep(o);
}
