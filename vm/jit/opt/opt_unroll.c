/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: several turns of a small loop in a row.
 *
 * TERMS    A counted loop is an innermost one whose head ends in an IF that stays only if p, or p + a constant, compares with n: p is a phi of the head that
 *          each turn adds a constant c to, n does not change.  A turn that was begun is completed or leaves the loop otherwise.
 * FEW      opt_unroll_few: start and n are constants, and counting as the machine does it, with what wraps, ends after few turns.  Then there are so
 *          many copies, one behind the other, each without the test and the poll, and the loop's head behind them, whose test is known to fail.  Inner
 *          loops come first, so what is around one may be next: constants are spread in between, and sizes are those of what is left.
 * MANY     opt_unroll_many: a main loop does several turns at once, as long as all of them would pass the test; the loop itself
 *          does the rest:
 *
 *              before -> [n - d is an INT?] -> main head: p < n - d ? -> turn, turn, turn, turn and poll -> main head
 *                                  |                        |
 *                                  +----------> head <------+         d = (turns - 1) * c; < is the test of the loop, <, <=, > or >=
 *
 *          If p < n - d then p + c, ..., p + d are < n on paper, so they are INTs, and the tests that are left out would pass.  What the passes before found
 *          out about p holds in copies, for p has the same values.  Where p + a constant is compared, it is what is < n - d, whether it wrapped or not.  Polls are one in the main loop's turn: a turn is short (MOST_NODES).
 *          Whoever leaves, or stops, in a copy has the copy's State; at the poll that of the loop's head with what p and others are then.
 * IN A ROW the other innermost loops that are small and call nothing: the loop, and behind its turn copies with all their tests, the poll in the last
 *          one alone.  What moves from turn to turn goes where the next copy wants it, jumps back are fewer, and each copy's branches are foretold by themselves.
 * LOCKS    What MANY puts in a row may take a monitor in each turn: it is then taken once for all of them (opt_join_turns).
 * WHEN     FEW stands before objects are taken apart and what does not change moves, MANY behind: bounds are gone by then.
 *
 * Rejected: Duff's device (a loop with two entries is not reducible); asking for the number of turns in front (one comparison in front of each
 * main turn costs nothing, and loops may have other exits).
 */
#include "jit/opt/opt_counted.h"
#include "jit/opt/opt_pass.h"
#include <string.h>

enum {
    MOST_TURNS = OPT_MOST_COPIES,
    MOST_STRAIGHT = 240,
    MOST_NODES = 30,
    MOST_IN_A_ROW = 28,
    MOST_STEP = 1 << 10,
    MOST_FORM = 12000,
    MOST_LEVELS = 3
};

/* --- what is counted --- */

static bool is_of_loop(const Opt *o, Ref r, BlockRef head) {
    return opt_node(o, r)->block && opt_block(o, opt_node(o, r)->block)->loop == head;
}

static bool has_step(const Opt *o, OptCounted *c, Ref phi) {
    const Node *p = opt_node(o, phi);
    c->ahead = 0;
    if (p->op == OPT_ADD && opt_is_const(o, p->in[1])) {
        c->ahead = opt_node(o, p->in[1])->k;
        phi = p->in[0];
        p = opt_node(o, phi);
    }
    if (p->op != OPT_PHI || p->block != c->head || p->type != OT_INT) return false;
    const Node *next = opt_node(o, p->args[c->ends.inside]);
    if (next->op != OPT_ADD || next->in[0] != phi || !opt_is_const(o, next->in[1])) return false;
    c->phi = phi;
    c->start = p->args[c->ends.outside];
    c->by = opt_node(o, next->in[1])->k;
    return c->by && c->by <= MOST_STEP && c->by >= -MOST_STEP && c->ahead <= MOST_STEP && c->ahead >= -MOST_STEP;
}

bool opt_find_counted(const Opt *o, BlockRef head, OptCounted *c) {
    const Block *h = opt_block(o, head);
    const Node *end = opt_node(o, h->last);
    *c = (OptCounted){.head = head};
    if (!opt_loop_ends(o, head, &c->ends) || c->ends.latch == head || opt_block(o, c->ends.latch)->n_succs != 1) return false;
    if (end->op != OPT_IF || end->from != OT_INT) return false;
    bool first = opt_block(o, h->succs[0])->loop == head, second = opt_block(o, h->succs[1])->loop == head;
    if (first == second) return false;
    c->stay = h->succs[!first];
    c->cond = first ? (Cond)end->kind : cond_opposite((Cond)end->kind);
    c->n = end->in[1];
    if (has_step(o, c, end->in[0])) return !is_of_loop(o, c->n, head);
    c->n = end->in[0];
    c->cond = opt_swapped(c->cond);
    return has_step(o, c, end->in[1]) && !is_of_loop(o, c->n, head);
}

/* What each turn does with the monitor of one object, in a body or in a block.  Turns in a row keep it (opt_locks.c). */
static bool is_kept_lock(const Opt *o, const Node *n, BlockRef head) {
    bool of_body = (n->op == OPT_LOCK || n->op == OPT_UNLOCK) && n->state->scope->number;
    return (of_body || n->op == OPT_MONITOR_ENTER || n->op == OPT_MONITOR_EXIT) && n->in[0] && !is_of_loop(o, n->in[0], head);
}

static int turn_size(const Opt *o, BlockRef head, bool with_locks) {
    int n = 0;
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *b = opt_block(o, o->order[i]);
        for (Ref r = b->loop == head ? b->first : 0; r; r = opt_node(o, r)->next) {
            const Node *x = opt_node(o, r);
            bool stops = opt_does(x) & OPT_STOPS && x->op != OPT_POLL && !(with_locks && is_kept_lock(o, x, head));
            if (stops || x->op == OPT_QUICK || x->op == OPT_SWITCH || x->op == OPT_NO_LOCKS) return -1;
            n += x->op != OPT_PHI && x->op != OPT_JUMP && x->op != OPT_POLL && x->op != OPT_CONST;
        }
    }
    return n;
}

/* What a turn costs; -1: it has what is not copied. */
int opt_turn_size(const Opt *o, BlockRef head) { return turn_size(o, head, false); }

static bool is_innermost(const Opt *o, BlockRef head) {
    for (u4 i = 0; i < o->n_order; i++)
        if (opt_block(o, o->order[i])->loop_head && o->order[i] != head && opt_is_in_loop(o, o->order[i], head)) return false;
    return true;
}

BlockRef *opt_innermost(Opt *o, u4 *n) {
    BlockRef *all = opt_alloc(o, (o->n_order + 1) * sizeof *all);
    *n = 0;
    for (u4 i = 0; i < o->n_order && all; i++)
        if (opt_block(o, o->order[i])->loop_head && is_innermost(o, o->order[i])) all[(*n)++] = o->order[i];
    return all;
}

/* --- few turns --- */

/* 0: not known to be few. */
static u4 turns_of(const Opt *o, const OptCounted *c) {
    if (!opt_is_const(o, c->start) || !opt_is_const(o, c->n)) return 0;
    int64_t p = (int32_t)(u4)(u8)(opt_node(o, c->start)->k + c->ahead), n = opt_node(o, c->n)->k;
    for (u4 turns = 0; turns <= MOST_TURNS; turns++, p = (int32_t)(u4)((u8)p + (u8)c->by))
        if (!opt_cond(c->cond, p, n)) return turns;
    return 0;
}

void opt_set_pred(Opt *o, BlockRef b, u4 p, BlockRef pred, const Ref *phis) {
    u4 n = 0;
    opt_block(o, b)->preds[p] = pred;
    for (Ref r = opt_block(o, b)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
        opt_node(o, r)->args[p] = phis[n++];
}

/* What the phis have from a predecessor. */
Ref *opt_arriving(Opt *o, BlockRef head, u4 p) {
    Ref *phis = opt_alloc(o, (opt_count_phis(o, head) + 1) * sizeof *phis);
    u4 n = 0;
    for (Ref r = opt_block(o, head)->first; phis && r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
        phis[n++] = opt_node(o, r)->args[p];
    return phis;
}

/* The last copy's latch is the head's predecessor p, in place of the one that it had. */
static void lead_to_head(OptCopies *copies, u4 p, const Ref *phis) {
    Opt *o = copies->o;
    BlockRef from = opt_copied_block(copies, copies->n - 1, copies->ends.latch), *succs = opt_alloc(o, sizeof *succs);
    if (!succs) return;
    *succs = copies->head;
    Block *last = opt_block(o, from);
    last->succs = succs;
    last->n_succs = last->cap_succs = 1;
    opt_set_pred(o, copies->head, p, from, phis);
}

static void straighten(Opt *o, const OptCounted *c, u4 turns) {
    OptCopies copies;
    Ref *phis = opt_arriving(o, c->head, c->ends.outside);
    if (!phis || !opt_copies_begin(&copies, o, c->head)) return;
    BlockRef from = c->ends.before;
    for (u4 i = 0; i < turns; i++) {
        if (!opt_copy(&copies, phis, c->stay, false)) return;
        BlockRef first = opt_copied_block(&copies, i, c->head);
        if (!i) opt_block(o, from)->n_succs = 0;
        opt_edge(o, from, first);
        from = opt_copied_block(&copies, i, c->ends.latch);
        opt_behind_turn(&copies, phis);
    }
    lead_to_head(&copies, c->ends.outside, phis);
    opt_copies_end(&copies);
    if (!o->no_memory) opt_make_jump(o, opt_block(o, c->head)->last, opt_block(o, c->head)->succs[0] == c->stay);
}

static bool straighten_one(Opt *o) {
    u4 n;
    BlockRef *all = opt_innermost(o, &n);
    for (u4 i = 0; i < n && all && o->n_nodes < MOST_FORM; i++) {
        OptCounted c;
        int size = opt_find_counted(o, all[i], &c) ? opt_turn_size(o, all[i]) : -1;
        u4 turns = size >= 0 ? turns_of(o, &c) : 0;
        if (!turns || (u4)size * turns > MOST_STRAIGHT) continue;
        straighten(o, &c, turns);
        return true;
    }
    return false;
}

void opt_tidy_loops(Opt *o) {
    if (o->no_memory) return;
    opt_order(o);
    if (!o->no_memory && !o->why) opt_split_edges(o);
}

bool opt_has_loop(const Opt *o) {
    for (u4 i = 0; i < o->n_order; i++)
        if (opt_block(o, o->order[i])->loop_head) return true;
    return false;
}

void opt_unroll_few(Opt *o) {
    if (o->no_memory || o->why || !opt_has_loop(o)) return;
    opt_split_edges(o);
    for (u4 level = 0; level < MOST_LEVELS && !o->no_memory && !o->why; level++) {
        bool any = false;
        while (!o->no_memory && !o->why && straighten_one(o)) {
            opt_tidy_loops(o);
            any = true;
        }
        if (!any) return;
        opt_number(o);
    }
}

/* --- many turns --- */

static u4 turns_at_once(int size) { return size < 0 || size > MOST_NODES ? 0 : size <= 6 ? 8 : size <= 16 ? 4 : 2; }

/* Not worth it. */
static bool are_few(const Opt *o, const OptCounted *c, u4 turns) {
    if (!opt_is_const(o, c->start) || !opt_is_const(o, c->n)) return false;
    int64_t way = opt_node(o, c->n)->k - opt_node(o, c->start)->k - c->ahead;
    return way / c->by < 2 * (int64_t)turns;
}

bool opt_counts_towards(const OptCounted *c) {
    return c->by > 0 ? c->cond == COND_LT || c->cond == COND_LE : c->cond == COND_GT || c->cond == COND_GE;
}

static Ref append(Opt *o, BlockRef b, OptOp op, OptType t, Ref x, Ref y) {
    Ref r = opt_append(o, b, op, t);
    opt_node(o, r)->in[0] = x;
    opt_node(o, r)->in[1] = y;
    return r;
}

static void append_if(Opt *o, BlockRef b, Cond cond, Ref x, Ref y) {
    Ref r = append(o, b, OPT_IF, OT_NONE, x, y);
    opt_node(o, r)->kind = (u1)cond;
    opt_node(o, r)->from = OT_INT;
}

BlockRef opt_block_like(Opt *o, BlockRef b) {
    BlockRef r = opt_new_block(o);
    if (!r) return 0;
    opt_block(o, r)->bci = opt_block(o, b)->bci;
    opt_block(o, r)->scope = opt_block(o, b)->scope;
    return r;
}

/* The edge from pred, whose end names `to` or has no successors yet, and what `to`'s phis get by it. */
void opt_join(Opt *o, BlockRef pred, BlockRef to, const Ref *phis) {
    u4 n = 0, p = opt_block(o, to)->n_preds;
    opt_edge(o, pred, to);
    for (Ref r = opt_block(o, to)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next) {
        Ref *args = opt_alloc(o, (p + 1) * sizeof *args);
        if (!args) return;
        if (p) memcpy(args, opt_node(o, r)->args, p * sizeof *args);
        args[p] = phis[n++];
        opt_node(o, r)->args = args;
    }
}

/* Phis like those of the head. */
static void add_phis(Opt *o, BlockRef head, BlockRef to, Ref *made) {
    u4 n = 0;
    for (Ref r = opt_block(o, head)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next) {
        Ref phi = opt_append(o, to, OPT_PHI, (OptType)opt_node(o, r)->type);
        Node *x = opt_node(o, phi), *like = opt_node(o, r);
        x->not_null = like->not_null;
        x->klass = like->klass;
        x->k = like->k;
        made[n++] = phi;
    }
}

static Ref made_of(const Opt *o, BlockRef head, Ref phi, const Ref *made) {
    u4 n = 0;
    for (Ref r = opt_block(o, head)->first; r != phi; r = opt_node(o, r)->next) n++;
    return made[n];
}

/* n - d, an INT: where it may not be one, the loop does all turns. */
static Ref less(Opt *o, const OptCounted *c, BlockRef *from, int64_t d, const Ref *arrive) {
    OptRange of = opt_range(o, c->n);
    BlockRef before = c->ends.before, next;
    opt_unlink(o, opt_block(o, before)->last);
    opt_block(o, before)->n_succs = 0;
    if (of.lo - d < INT32_MIN || of.hi - d > INT32_MAX) {
        if (!(next = opt_block_like(o, c->head))) return 0;
        Ref most = opt_const(o, OT_INT, d > 0 ? INT32_MIN + d : INT32_MAX + d);
        append_if(o, before, d > 0 ? COND_GE : COND_LE, c->n, most);
        opt_edge(o, before, next);
        opt_join(o, before, c->head, arrive);
        *from = before = next;
    }
    return append(o, before, OPT_ADD, OT_INT, c->n, opt_const(o, OT_INT, -d));
}

/* The head's predecessor `before` becomes `main`; it is one more if there is a test for n - d. */
BlockRef opt_widen(Opt *o, const OptCounted *c, u4 turns, u4 n_copies, OptCopies *copies) {
    u4 n_phis = opt_count_phis(o, c->head);
    Ref *arrive = opt_arriving(o, c->head, c->ends.outside), *made = opt_alloc(o, (n_phis + 1) * sizeof *made);
    Ref *now = opt_alloc(o, (n_phis + 1) * sizeof *now);
    if (o->no_memory || !opt_copies_begin(copies, o, c->head)) return 0;
    BlockRef main = opt_block_like(o, c->head), from = c->ends.before;
    if (!main) return 0;
    Ref limit = less(o, c, &from, (turns - 1) * c->by, arrive);
    if (o->no_memory) return 0;
    opt_append(o, from, OPT_JUMP, OT_NONE);
    add_phis(o, c->head, main, made);
    Ref counter = made_of(o, c->head, c->phi, made);
    if (c->ahead) counter = append(o, main, OPT_ADD, OT_INT, counter, opt_const(o, OT_INT, c->ahead));
    append_if(o, main, c->cond, counter, limit);
    opt_join(o, from, main, arrive);
    memcpy(now, made, n_phis * sizeof *now);
    for (u4 i = 0; i < n_copies && !o->no_memory; i++) {
        if (!opt_copy(copies, now, c->stay, i + 1 == n_copies)) return 0;
        opt_edge(o, i ? opt_copied_block(copies, i - 1, c->ends.latch) : main, opt_copied_block(copies, i, c->head));
        opt_behind_turn(copies, now);
    }
    if (o->no_memory) return 0;
    opt_join(o, opt_copied_block(copies, n_copies - 1, c->ends.latch), main, now);
    BlockRef *succs = opt_alloc(o, 2 * sizeof *succs);
    if (!succs) return 0;
    succs[0] = opt_block(o, main)->succs[0];
    succs[1] = c->head;
    Block *m = opt_block(o, main);
    m->succs = succs;
    m->n_succs = m->cap_succs = 2;
    opt_set_pred(o, c->head, c->ends.outside, main, made);
    opt_copies_end(copies);
    return main;
}

/* --- turns in a row --- */

static u4 turns_in_a_row(int size) { return size < 0 || size > MOST_IN_A_ROW ? 0 : size <= 12 ? 4 : 2; }

static void drop_polls(Opt *o, BlockRef head) {
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->loop == head ? opt_block(o, o->order[i])->first : 0, next; r; r = next) {
            next = opt_node(o, r)->next;
            if (opt_node(o, r)->op == OPT_POLL) opt_unlink(o, r);
        }
}

/* The loop itself is the first turn. */
static void repeat(Opt *o, BlockRef head, u4 turns) {
    OptCopies copies;
    if (!opt_copies_begin(&copies, o, head)) return;
    OptLoopEnds ends = copies.ends;
    Ref *phis = opt_arriving(o, head, ends.inside);
    BlockRef from = ends.latch;
    if (!phis) return;
    for (u4 i = 0; i + 1 < turns; i++) {
        if (!opt_copy(&copies, phis, 0, i + 2 == turns)) return;
        if (!i) opt_block(o, from)->n_succs = 0;
        opt_edge(o, from, opt_copied_block(&copies, i, head));
        from = opt_copied_block(&copies, i, ends.latch);
        opt_behind_turn(&copies, phis);
    }
    lead_to_head(&copies, ends.inside, phis);
    drop_polls(o, head);
    opt_copies_end(&copies);
}

void opt_unroll_many(Opt *o) {
    u4 n;
    if (o->no_memory || o->why || !opt_has_loop(o)) return;
    opt_split_edges(o);
    BlockRef *all = opt_innermost(o, &n);
    for (u4 i = 0; i < n && all && o->n_nodes < MOST_FORM && !o->no_memory && !o->why; i++) {
        OptCounted c;
        OptCopies copies;
        if (!opt_block(o, all[i])->loop_head || opt_block(o, all[i])->whole || opt_block(o, all[i])->seldom) continue;
        bool counted = opt_find_counted(o, all[i], &c) && opt_counts_towards(&c);
        int size = turn_size(o, all[i], counted);
        u4 turns = counted ? turns_at_once(size) : turns_in_a_row(size);
        if (!turns || (counted && are_few(o, &c, turns))) continue;
        if (counted) opt_widen(o, &c, turns, turns, &copies);
        else repeat(o, all[i], turns);
        opt_tidy_loops(o);
    }
}
