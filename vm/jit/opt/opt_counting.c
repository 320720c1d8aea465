/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: bounds that counting keeps are not asked.  Terms: opt_loop.c.
 *
 * COUNTER  A phi p of the head that each turn adds a constant c to: p is start, next p + c.  A limit is a branch that each completed turn passes: it stays
 *          in the loop only if p, or p + c, compares with n, which does not change.  Then, if nothing wraps, for c > 0
 *
 *              start <= p       behind the branch    p <= n + e
 *                               in front of it       p <= max(start, n + e + c)
 *
 *          where e is 0 for <=, -1 for < and !=, less c if p + c was compared; and the mirror image for c < 0.  Nothing wraps if the last p, plus c, is an
 *          INT, and if p + c was compared, start + c, too.
 * INDEX    IN_BOUNDS(i, length) holds if i is s * p + x, x a sum that does not change, and this is within for the least and the greatest p: conditions on
 *          start, n, length and the parts of x.  All sums are taken as they are on paper.  INTs may have wrapped on the way to i, but i and the
 *          sum on paper differ by a multiple of 2^32 only; so where the sum is within bounds, which are INTs, it is i.
 * MEETING  n may be a counter, too, that goes the other way by one, if < or > is asked: each turn that passes the branch has n beyond p, so n is not the least
 *          INT (or the greatest), one step more does not wrap it, and its start is the bound.
 * BESIDE   A counter q beside p, with m * c for c, is q's start + m * (p - start): such an index, by the limit of p.
 * ASKED    Conditions that ranges do not answer are asked in front of the loop, as guards that move are (opt_loop.c, GUARDS); if all can be.  What is written
 *          in the form for them is INT where one term is compared as it is, else LONG.
 * NEVER    A counter that goes up from what is not negative, and is known not to wrap, is never negative: its phi says so
 *          (opt_ops.def), for the next opt_number.
 *
 * Rejected: versions of the loop with and without checks: twice the code, while the interpreter and the base compiler's code are there for the rare
 * case.
 */
#include "jit/opt/opt_loops.h"

enum { NO_QUESTIONS = 2 }; /* mistaken so often */
enum { MOST_LIMITS = 8, MOST_STEP = 1 << 16, MOST_ASKED = 24, MOST_CONDITIONS = 6, MOST_TERMS = 4 };

/* A branch that each completed turn passes and that stays in the loop only if x cond y. */
typedef struct Limit {
    BlockRef stay; /* where it goes then; only this way leads there, or 0 */
    Cond cond;
    Ref x, y;
} Limit;

/* On paper: of INTs, each with a factor. */
typedef struct Sum {
    struct {
        Ref of;
        int64_t by;
    } terms[MOST_TERMS];
    u4 n;
    int64_t k;
} Sum;

typedef struct Condition {
    Cond is; /* GE, LE, LT */
    Sum sum;
    Ref other; /* or 0: zero */
} Condition;

struct Counting {
    Limit limits[MOST_LIMITS];
    u4 n_limits;
    Condition asked[MOST_ASKED]; /* in front of it */
    u4 n_asked;
};

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

static void note_limit(const Loops *l, BlockRef head, struct Counting *at, BlockRef b) {
    const Opt *o = l->o;
    const Block *x = opt_block(o, b);
    const Node *end = opt_node(o, x->last);
    if (end->op != OPT_IF || end->from != OT_INT || at->n_limits == MOST_LIMITS) return;
    bool first = loops_is_in(l, x->succs[0], head), second = loops_is_in(l, x->succs[1], head);
    if (first == second) return;
    BlockRef stay = x->succs[!first];
    at->limits[at->n_limits++] = (Limit){.stay = opt_block(o, stay)->n_preds == 1 ? stay : 0,
                                         .cond = first ? (Cond)end->kind : cond_opposite((Cond)end->kind),
                                         .x = end->in[0],
                                         .y = end->in[1]};
}

/* Blocks that dominate the latch are those on the way from it to the head by dominators.  NULL: no memory. */
static struct Counting *counting_of(Loops *l, BlockRef head) {
    Loop *at = &l->at[head];
    if (at->counting) return at->counting;
    if (!(at->counting = opt_alloc(l->o, sizeof *at->counting))) return NULL;
    for (BlockRef b = at->latch; b != head; b = opt_block(l->o, b)->idom) note_limit(l, head, at->counting, b);
    note_limit(l, head, at->counting, head);
    return at->counting;
}

/* --- sums --- */

/* A sum with a constant that does not wrap: on paper it is its two parts. */
static bool is_plain_sum(const Opt *o, const Node *n) {
    if (n->op != OPT_ADD || n->type != OT_INT || !opt_is_const(o, n->in[1])) return false;
    OptRange of = opt_range(o, n->in[0]);
    int64_t by = opt_node(o, n->in[1])->k;
    return of.lo + by >= INT32_MIN && of.hi + by <= INT32_MAX;
}

static bool sum_add(const Opt *o, Sum *s, Ref of, int64_t by) {
    const Node *n = opt_node(o, of);
    u4 i = 0;
    if (by > MOST_STEP || by < -MOST_STEP) return false;
    if (opt_is_const(o, of)) return s->k += n->k * by, true;
    if (is_plain_sum(o, n)) {
        s->k += opt_node(o, n->in[1])->k * by;
        return sum_add(o, s, n->in[0], by);
    }
    while (i < s->n && s->terms[i].of != of) i++;
    if (i == MOST_TERMS) return false;
    if (i == s->n) {
        s->terms[s->n].of = of;
        s->terms[s->n++].by = 0;
    }
    s->terms[i].by += by;
    if (!s->terms[i].by) s->terms[i] = s->terms[--s->n];
    return true;
}

static OptRange range_of_sum(const Opt *o, const Sum *s) {
    OptRange is = {s->k, s->k};
    for (u4 i = 0; i < s->n; i++) {
        OptRange x = opt_range(o, s->terms[i].of);
        int64_t by = s->terms[i].by;
        is.lo += (by < 0 ? x.hi : x.lo) * by;
        is.hi += (by < 0 ? x.lo : x.hi) * by;
    }
    return is;
}

static bool same_sum(const Sum *x, const Sum *y) {
    if (x->n != y->n || x->k != y->k) return false;
    for (u4 i = 0; i < x->n; i++)
        if (x->terms[i].of != y->terms[i].of || x->terms[i].by != y->terms[i].by) return false;
    return true;
}

/* --- conditions on what does not change --- */

/* The sum is less than a part of `other`, as String.length is one of the array's. */
static bool is_below_whole(const Opt *o, const Condition *c) {
    const Node *n = c->sum.n == 1 && c->sum.terms[0].by == 1 ? opt_node(o, c->sum.terms[0].of) : NULL;
    if (!n || c->is != COND_LT || c->sum.k >= 0 || opt_range(o, c->other).lo < 0) return false;
    return (n->op == OPT_SHR || n->op == OPT_USHR) && n->in[0] == c->other;
}

/* 1: it holds, 0: it does not, -1: to be asked. */
static int is_known(const Opt *o, const Condition *c) {
    Sum whole = c->sum;
    if (c->other && is_below_whole(o, c)) return 1;
    if (!c->other || sum_add(o, &whole, c->other, -1)) return opt_decide_ranges(c->is, range_of_sum(o, &whole), (OptRange){0, 0});
    return opt_decide_ranges(c->is, range_of_sum(o, &c->sum), opt_range(o, c->other));
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
    loops_move_out(l, r);
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
    loops_move_out(l, r);
}

static Ref as_long(Loops *l, BlockRef at, Ref x) { return new_node(l, at, OPT_CONVERT, OT_LONG, x, 0); }

/* Both sides as LONG, where a sum of INTs could wrap. */
static void ask_wide(Loops *l, BlockRef head, const Condition *c) {
    BlockRef at = l->at[head].before;
    Ref sum = 0;
    for (u4 i = 0; i < c->sum.n; i++) {
        Ref x = as_long(l, at, c->sum.terms[i].of);
        if (c->sum.terms[i].by != 1) x = new_node(l, at, OPT_MUL, OT_LONG, x, opt_const(l->o, OT_LONG, c->sum.terms[i].by));
        sum = sum ? new_node(l, at, OPT_ADD, OT_LONG, sum, x) : x;
    }
    Ref y = c->other ? as_long(l, at, c->other) : opt_const(l->o, OT_LONG, -c->sum.k), k = opt_const(l->o, OT_LONG, c->sum.k);
    if (!sum) sum = k;
    else if (c->other) sum = new_node(l, at, OPT_ADD, OT_LONG, sum, k);
    ask(l, head, c->is, OT_LONG, sum, y);
}

/* A term that is taken away is compared with. */
static void turn_to_other(Condition *c) {
    Sum *s = &c->sum;
    for (u4 i = 0; i < s->n && !c->other; i++) {
        if (s->terms[i].by != -1) continue;
        c->other = s->terms[i].of;
        s->terms[i] = s->terms[--s->n];
    }
}

static void ask_condition(Loops *l, BlockRef head, Condition c) {
    turn_to_other(&c);
    Ref x = c.sum.n == 1 && c.sum.terms[0].by == 1 ? c.sum.terms[0].of : 0;
    int64_t k = c.sum.k;
    if (x && !c.other && -k >= INT32_MIN && -k <= INT32_MAX) ask(l, head, c.is, OT_INT, x, opt_const(l->o, OT_INT, -k));
    else if (x && c.other && !k) ask(l, head, c.is, OT_INT, x, c.other);
    else if (x && c.other && k == -1 && c.is == COND_LT) ask(l, head, COND_LE, OT_INT, x, c.other);
    else if (!c.sum.n && c.other && k >= INT32_MIN && k <= INT32_MAX)
        ask(l, head, c.is, OT_INT, opt_const(l->o, OT_INT, k), c.other);
    else ask_wide(l, head, &c);
}

/* --- conditions of one IN_BOUNDS --- */

typedef struct Bound {
    Ref base;
    int64_t add;
} Bound;

/* What an index is at each turn: p * scale + rest. */
typedef struct Index {
    Ref phi;
    int64_t scale;
    Sum rest;
} Index;

/* All that is to hold for a guard to be left out. */
typedef struct Case {
    const Opt *o;
    Condition needs[MOST_CONDITIONS];
    u4 n;
    bool too_long; /* a sum */
} Case;

/* The sum, and p * scale. */
static void need(Case *c, Cond is, Bound p, int64_t scale, const Sum *sum, Ref other) {
    Condition *x = &c->needs[c->n++];
    *x = (Condition){.is = is, .sum = *sum, .other = other};
    x->sum.k += p.add * scale;
    c->too_long |= !sum_add(c->o, &x->sum, p.base, scale);
}

static void need_low(Case *c, Bound p, const Index *x) { need(c, COND_GE, p, x->scale, &x->rest, 0); }
static void need_high(Case *c, Bound p, const Index *x, Ref length) { need(c, COND_LT, p, x->scale, &x->rest, length); }

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
    return loops_is_outside(l, r, head) || (n->op == OPT_LENGTH && loops_is_outside(l, n->in[0], head));
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

/* Another counter, that comes to meet this one, is never past where it started. */
static bool turn_to_start(const Loops *l, const Counter *c, Facing *f) {
    Counter other;
    if (!find_counter(l, f->n, &other) || other.head != c->head || other.by * (c->by > 0 ? 1 : -1) != -1) return false;
    f->n = other.start;
    return true;
}

static bool face(const Loops *l, const Counter *c, const Limit *limit, Facing *f) {
    *f = (Facing){.cond = limit->cond, .n = limit->y};
    if (!is_counter_side(l->o, c, limit->x, f)) {
        *f = (Facing){.cond = opt_swapped(limit->cond), .n = limit->x};
        if (!is_counter_side(l->o, c, limit->y, f)) return false;
    }
    if (does_not_change(l, f->n, c->head)) return end_of(l, c, f);
    return (f->cond == COND_LT || f->cond == COND_GT) && turn_to_start(l, c, f) && end_of(l, c, f);
}

/* Nothing wraps, and != is met. */
static void need_no_wrap(Case *to, const Counter *c, const Facing *f) {
    bool up = c->by > 0;
    Cond is = up ? COND_LE : COND_GE;
    Sum nothing = {.n = 0};
    int64_t most = up ? INT32_MAX : INT32_MIN;
    need(to, is, (Bound){f->n, f->e + c->by - most}, 1, &nothing, 0);
    if (f->late) need(to, is, (Bound){c->start, c->by - most}, 1, &nothing, 0);
    if (f->cond == COND_NE) need(to, is, (Bound){c->start, f->late}, 1, &nothing, f->n);
}

/* The index is within at a place behind the branch, or in front of it. */
static Case case_of(const Loops *l, const Counter *c, const Facing *f, bool behind, const Index *x, Ref length) {
    Case to = {.o = l->o};
    Bound start = {c->start, 0}, last = {f->n, f->e - f->late + (behind ? 0 : c->by)};
    bool up = (c->by > 0) == (x->scale > 0);
    need_no_wrap(&to, c, f);
    need_low(&to, up ? start : last, x);
    need_high(&to, up ? last : start, x, length);
    if (behind) return to;
    if (up) need_high(&to, start, x, length);
    else need_low(&to, start, x);
    return to;
}

static bool was_asked(const struct Counting *at, const Condition *c) {
    for (u4 i = 0; i < at->n_asked; i++)
        if (at->asked[i].is == c->is && at->asked[i].other == c->other && same_sum(&at->asked[i].sum, &c->sum)) return true;
    return false;
}

static bool can_ask(const Loops *l, BlockRef head, const Condition *c) {
    for (u4 i = 0; i < c->sum.n; i++)
        if (!loops_is_outside(l, c->sum.terms[i].of, head)) return false;
    return !c->other || loops_is_outside(l, c->other, head);
}

/* All conditions hold, or are asked now. */
static bool settle(Loops *l, const Counter *c, const Case *of, bool asks) {
    struct Counting *at = l->at[c->head].counting;
    const Condition *open[MOST_CONDITIONS];
    u4 n = 0;
    if (of->too_long) return false;
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
        ask_condition(l, c->head, *open[i]);
        at->asked[at->n_asked++] = *open[i];
    }
    return true;
}

/* The counter that one side of a limit is about, and how. */
static bool face_any(const Loops *l, BlockRef head, const Limit *limit, Counter *c, Facing *f) {
    for (u4 i = 0; i < 2; i++) {
        Ref side = i ? limit->y : limit->x, phi = side;
        if (opt_node(l->o, side)->op == OPT_ADD) phi = opt_node(l->o, side)->in[0];
        if (find_counter(l, phi, c) && c->head == head && face(l, c, limit, f)) return true;
    }
    return false;
}

/* The index by another counter of the loop. */
static bool by_other(const Loops *l, const Counter *c, const Counter *other, Index *x) {
    if (c->phi == other->phi) return true;
    int64_t m = c->by / other->by;
    if (c->by % other->by || x->scale * m > MOST_STEP || x->scale * m < -MOST_STEP) return false;
    if (!sum_add(l->o, &x->rest, c->start, x->scale) || !sum_add(l->o, &x->rest, other->start, -x->scale * m)) return false;
    x->scale *= m;
    x->phi = other->phi;
    return true;
}

static bool try_limits(Loops *l, Ref guard, const Counter *c, const Index *index, bool asks) {
    const struct Counting *at = l->at[c->head].counting;
    for (u4 i = 0; i < at->n_limits; i++) {
        const Node *g = opt_node(l->o, guard);
        Index x = *index;
        Counter by;
        Facing f;
        if (!face_any(l, c->head, &at->limits[i], &by, &f) || !by_other(l, c, &by, &x)) continue;
        bool behind = at->limits[i].stay && opt_dominates(l->o, at->limits[i].stay, g->block);
        Case of = case_of(l, &by, &f, behind, &x, g->in[1]);
        if (settle(l, &by, &of, asks)) return true;
    }
    return false;
}

/* --- counters that are never negative --- */

static bool never_wraps(const Loops *l, const Counter *c, const Limit *limit) {
    Facing f;
    Case of = {.o = l->o};
    if (!face(l, c, limit, &f)) return false;
    need_no_wrap(&of, c, &f);
    for (u4 i = 0; i < of.n; i++)
        if (of.too_long || is_known(l->o, &of.needs[i]) != 1) return false;
    return true;
}

static void note_counter(Loops *l, Ref phi) {
    Counter c;
    if (!find_counter(l, phi, &c) || c.by < 0 || opt_range(l->o, c.start).lo < 0) return;
    const struct Counting *at = counting_of(l, c.head);
    for (u4 i = 0; at && i < at->n_limits; i++)
        if (never_wraps(l, &c, &at->limits[i])) opt_node(l->o, phi)->k = 1;
}

void loops_note_counters(Loops *l) {
    const Opt *o = l->o;
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *b = opt_block(o, o->order[i]);
        for (Ref r = b->loop_head ? b->first : 0; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
            note_counter(l, r);
    }
}

/* --- IN_BOUNDS --- */

/* x += r * by, as far as r is the counter and what does not change. */
static bool add_to_index(const Loops *l, Index *x, BlockRef head, Ref r, int64_t by) {
    const Opt *o = l->o;
    const Node *n = opt_node(o, r);
    Counter c;
    if (by > MOST_STEP || by < -MOST_STEP || n->type != OT_INT) return false;
    if (loops_is_outside(l, r, head)) return sum_add(o, &x->rest, r, by);
    if (n->op == OPT_PHI) {
        if (x->phi || n->block != head || !find_counter(l, r, &c)) return false;
        x->phi = r;
        x->scale = by;
        return true;
    }
    int64_t k = n->op == OPT_SHL || n->op == OPT_MUL ? opt_node(o, n->in[1])->k : 0;
    switch (n->op) {
    case OPT_ADD: return add_to_index(l, x, head, n->in[0], by) && add_to_index(l, x, head, n->in[1], by);
    case OPT_SUB: return add_to_index(l, x, head, n->in[0], by) && add_to_index(l, x, head, n->in[1], -by);
    case OPT_SHL: return opt_is_const(o, n->in[1]) && (k & 31) <= 16 && add_to_index(l, x, head, n->in[0], by * (1 << (k & 31)));
    case OPT_MUL:
        return opt_is_const(o, n->in[1]) && k <= MOST_STEP && k >= -MOST_STEP && add_to_index(l, x, head, n->in[0], by * k);
    default: return false;
    }
}

static bool is_index_of(Loops *l, Ref guard, BlockRef head, Index *x) {
    const Node *g = opt_node(l->o, guard);
    *x = (Index){.phi = 0};
    return add_to_index(l, x, head, g->in[0], 1) && x->phi && x->scale && does_not_change(l, g->in[1], head);
}

static bool is_kept_by(Loops *l, Ref guard, BlockRef head) {
    Index x;
    Counter c;
    if (!is_index_of(l, guard, head, &x) || !find_counter(l, x.phi, &c) || !counting_of(l, head)) return false;
    if (try_limits(l, guard, &c, &x, false)) return true;
    if (l->o->root->mistaken >= NO_QUESTIONS) return false;
    return loops_on_every_turn(l, opt_node(l->o, guard), head) && loops_entry(l, head) && try_limits(l, guard, &c, &x, true);
}

static bool is_kept_by_counting(Loops *l, Ref guard) {
    BlockRef head = opt_block(l->o, opt_node(l->o, guard)->block)->loop;
    while (head && !is_kept_by(l, guard, head)) head = loops_around(l, head);
    return head;
}

void loops_drop_bounds(Loops *l) {
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
