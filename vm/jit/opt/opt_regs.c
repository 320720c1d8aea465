/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers: linear scan over the pieces of lives, in the order in which they begin (after Wimmer and Franz, Linear Scan Register Allocation on SSA
 * Form, CGO 2010).
 *
 * PIECES  A life begins as one piece and is split where it changes its place, always in front of a node, or where a block begins.  A piece gets a register
 *         that is free as long as it lives, or one that is free for the longest time and is split where that ends; or, if it must have one now, the
 *         one whose owner needs it last, and that owner's piece is split and goes to memory.  What goes to memory is split again in front of its next
 *         use in a register, outside of loops that it is not needed in.  The new pieces wait for their turn like the others.
 * MEMORY  A value that is in memory somewhere is stored once, behind its definition, for it has only one; so a piece that begins in memory costs
 *         nothing.  Parameters are there already.  Constants are nowhere in memory: they are made again.
 * CALLS   destroy all registers: lives that go on behind one end up in memory by the same rules, and leave their register where they were last used
 *         before.
 * EDGES   When all is given out, places at the end of a predecessor and at the start of its successor are compared for every value that lives there and has
 *         several pieces; the moves, and those of phis, belong to the edge: to the end of the one block if it has no other successor, else to
 *         the start of the other, which has no other predecessor (opt_split_edges).
 * HINTS   A value likes the register of its first input if that ends there, phis and their inputs like each other's.
 *
 * A node's temporaries are pieces without a value.  What a node wants at once (three inputs, three temporaries, a result) is less than there is.
 *
 * Rejected: colouring a graph of interferences (not linear); spilling before colouring by next-use distances (Braun and Hack: better loops, but
 * destroyed registers of single instructions want repairs).
 */
#include "jit/opt/opt_int.h"

enum { NEVER = UINT32_MAX, REGS = 16 };

typedef struct Scan {
    Back *b;
    Piece **heap; /* pieces that wait: by their start */
    u4 n_heap, cap_heap;
    Piece *active[2 * REGS]; /* live now, in registers */
    Piece **inactive;        /* the same, later again */
    u4 n_active, n_inactive, cap_inactive;
    u4 at;
} Scan;

/* --- pieces that wait --- */

static bool before(const Piece *x, const Piece *y) { return x->from < y->from; }

static bool grow(Back *b, Piece ***list, u4 n, u4 *cap) {
    if (n < *cap) return true;
    u4 wider = *cap ? 2 * *cap : 64;
    Piece **more = opt_alloc(b->o, wider * sizeof *more);
    if (!more) return false;
    for (u4 i = 0; i < n; i++) more[i] = (*list)[i];
    *list = more;
    *cap = wider;
    return true;
}

static void wait(Scan *s, Piece *p) {
    if (!grow(s->b, &s->heap, s->n_heap, &s->cap_heap)) return;
    u4 i = s->n_heap++;
    for (; i && before(p, s->heap[(i - 1) / 2]); i = (i - 1) / 2) s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = p;
}

static Piece *next_piece(Scan *s) {
    Piece *first = s->heap[0], *last = s->heap[--s->n_heap];
    u4 i = 0;
    for (u4 child; (child = 2 * i + 1) < s->n_heap; i = child) {
        if (child + 1 < s->n_heap && before(s->heap[child + 1], s->heap[child])) child++;
        if (!before(s->heap[child], last)) break;
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = last;
    return first;
}

/* --- ranges and uses --- */

static bool covers(Piece *p, u4 pos) {
    while (p->now && p->now->to <= pos) p->now = p->now->next;
    return p->now && p->now->from <= pos;
}

/* The first position at which both live. */
static u4 meet(const Piece *p, const Piece *q) {
    const LiveRange *x = p->now, *y = q->now;
    while (x && y) {
        if (x->to <= y->from) x = x->next;
        else if (y->to <= x->from) y = y->next;
        else return x->from > y->from ? x->from : y->from;
    }
    return NEVER;
}

/* The first use in a register from pos on. */
static u4 next_use(const Piece *p, u4 pos) {
    u4 lo = 0, hi = p->n_uses;
    while (lo < hi) {
        u4 mid = (lo + hi) / 2;
        if (p->uses[mid].pos < pos) lo = mid + 1;
        else hi = mid;
    }
    for (; lo < p->n_uses; lo++)
        if (p->uses[lo].how & USE_REG) return p->uses[lo].pos;
    return NEVER;
}

/* The last use in a register before pos, or the start. */
static u4 last_use(const Piece *p, u4 pos) {
    u4 last = p->from;
    for (u4 i = 0; i < p->n_uses && p->uses[i].pos < pos; i++)
        if (p->uses[i].how & USE_REG) last = p->uses[i].pos;
    return last;
}

/* --- destroyed registers --- */

static u4 first_clobber(const Back *b, u4 pos) {
    u4 lo = 0, hi = b->n_clobbers;
    while (lo < hi) {
        u4 mid = (lo + hi) / 2;
        if (b->clobbers[mid].pos + AT_CLOBBER < pos) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

/* until[r] becomes where the first instruction in the piece destroys r, if that is earlier. */
static void limit_by_clobbers(const Back *b, const Piece *p, u4 *until) {
    u4 all = p->fp ? b->fp : b->general, seen = 0;
    for (const LiveRange *x = p->now; x && seen != all; x = x->next)
        for (u4 i = first_clobber(b, x->from); i < b->n_clobbers && b->clobbers[i].pos + AT_CLOBBER < x->to && seen != all; i++) {
            u4 mask = (p->fp ? b->clobbers[i].fp : b->clobbers[i].general) & all & ~seen, at = b->clobbers[i].pos + AT_CLOBBER;
            seen |= mask;
            for (; mask; mask &= mask - 1) {
                u4 r = (u4)__builtin_ctz(mask);
                if (at < until[r]) until[r] = at;
            }
        }
}

/* --- splitting --- */

static LiveRange *cut_ranges(Scan *s, Piece *p, u4 pos) {
    LiveRange *x = p->ranges, *last = NULL;
    while (x && x->to <= pos) {
        last = x;
        x = x->next;
    }
    if (x && x->from < pos) {
        LiveRange *rest = opt_alloc(s->b->o, sizeof *rest);
        if (!rest) return NULL;
        *rest = (LiveRange){pos, x->to, x->next};
        x->to = pos;
        last = x;
        x = rest;
    }
    last->next = NULL;
    p->to = last->to;
    return x;
}

/* What lives from pos on; p lives before and behind it. */
static Piece *split(Scan *s, Piece *p, u4 pos) {
    Piece *q = opt_alloc(s->b->o, sizeof *q);
    u4 end = p->to;
    ASSERT(pos > p->from && pos < p->to && !(pos & (STEP - 1)));
    LiveRange *rest = q ? cut_ranges(s, p, pos) : NULL;
    if (!rest) return NULL;
    *q = (Piece){.next = p->next,
                 .value = p->value,
                 .ranges = rest,
                 .now = rest,
                 .from = rest->from,
                 .to = end,
                 .reg = NO_REG,
                 .fp = p->fp};
    p->next = q;
    p->now = p->ranges;
    u4 n = 0;
    while (n < p->n_uses && p->uses[n].pos < pos) n++;
    q->uses = p->uses + n;
    q->n_uses = p->n_uses - n;
    p->n_uses = n;
    return q;
}

/* In front of a node from `lo` to `hi`, both the first of steps, where loops are fewest; the last such place, or with `early` the first. */
static u4 best_place(const Scan *s, u4 lo, u4 hi, bool early) {
    const Back *b = s->b;
    u4 from = block_of(b, lo), to = block_of(b, hi), best = hi;
    if (from == to) return early ? lo : hi;
    u4 depth = opt_block(b->o, b->order[to])->loop_depth;
    for (u4 i = to; i-- > from;) {
        u4 d = opt_block(b->o, b->order[i])->loop_depth, end = span_of(b, b->order[i])->to - STEP;
        if (d > depth || (d == depth && !early) || end < lo) continue;
        depth = d;
        best = end;
    }
    return best;
}

/* It is in memory until its next use in a register; that part waits. */
static void go_to_memory(Scan *s, Piece *p) {
    u4 use = next_use(p, p->from);
    p->reg = NO_REG;
    if (opt_node(s->b->o, p->value)->op != OPT_CONST) s->b->lives[p->value].in_memory = true;
    if (use == NEVER) return;
    ASSERT(!same_step(use, p->from) || step_of(use) > p->from);
    u4 pos = best_place(s, step_of(p->from) + STEP, step_of(use), false);
    if (pos <= p->from) pos = step_of(use);
    Piece *q = split(s, p, pos);
    if (q) wait(s, q);
}

/* --- choosing --- */

static void init_until(const Back *b, const Piece *p, u4 *until) {
    u4 all = p->fp ? b->fp : b->general;
    for (u4 r = 0; r < REGS; r++) until[r] = all >> r & 1 ? NEVER : 0;
}

/* NO_REG: nothing is known. */
static u1 reg_at(const Back *b, Ref v, u4 pos) {
    for (const Piece *p = b->lives[v].first; p; p = p->next)
        if (p->from <= pos && pos < p->to && p->reg != NO_REG) return p->reg;
    return NO_REG;
}

static u1 hint_of_phi(const Back *b, const Node *n) {
    const Block *x = opt_block(b->o, n->block);
    for (u4 p = 0; p < x->n_preds; p++) {
        u1 r = reg_at(b, n->args[p], span_of(b, x->preds[p])->to - 1);
        if (r != NO_REG) return r;
    }
    return NO_REG;
}

static u1 hint_of_result(const Back *b, const Node *n) {
    if (n->op == OPT_CALL || n->op == OPT_QUICK) return opt_is_fp(n->type) ? F_0 : R_AX;
    if (n->op == OPT_DIV || n->op == OPT_REM)
        return opt_divide_by(b, n) == DIVIDE_ANY || opt_divide_by(b, n) == DIVIDE_LONG ? (n->op == OPT_DIV ? R_AX : R_DX)
                                                                                       : NO_REG;
    if (!opt_ops[n->op].inputs || !n->in[0] || opt_is_fp(opt_node(b->o, n->in[0])->type) != opt_is_fp(n->type)) return NO_REG;
    return reg_at(b, n->in[0], n->pos);
}

static u1 hint_of_user(const Back *b, Ref v) {
    Ref phi = opt_node(b->o, v)->extra;
    if (phi && b->lives[phi].first) return b->lives[phi].first->reg;
    return NO_REG;
}

static u1 hint(const Back *b, const Piece *p) {
    if (!p->value) return NO_REG;
    const Piece *first = b->lives[p->value].first;
    if (p != first) {
        for (const Piece *q = first; q != p; q = q->next)
            if (q->reg != NO_REG) return q->reg;
        return NO_REG;
    }
    const Node *n = opt_node(b->o, p->value);
    u1 r = hint_of_user(b, p->value);
    if (r != NO_REG) return r;
    return n->op == OPT_PHI ? hint_of_phi(b, n) : hint_of_result(b, n);
}

static u1 highest(const u4 *until, u1 liked, u4 enough) {
    u1 best = 0;
    if (liked != NO_REG && until[liked] >= enough) return liked;
    for (u1 r = 0; r < REGS; r++)
        if (until[r] > until[best]) best = r;
    if (liked != NO_REG && until[liked] == until[best]) best = liked;
    return best;
}

static void have(Scan *s, Piece *p, u1 reg) {
    p->reg = reg;
    ASSERT(s->n_active < ARRAY_LEN(s->active));
    s->active[s->n_active++] = p;
}

/* In a register that is free at its start. */
static bool take_free(Scan *s, Piece *p) {
    u4 until[REGS];
    init_until(s->b, p, until);
    for (u4 i = 0; i < s->n_active; i++)
        if (s->active[i]->fp == p->fp) until[s->active[i]->reg] = 0;
    for (u4 i = 0; i < s->n_inactive; i++) {
        const Piece *q = s->inactive[i];
        if (q->fp != p->fp || !until[q->reg]) continue;
        u4 at = meet(p, q);
        if (at < until[q->reg]) until[q->reg] = at;
    }
    limit_by_clobbers(s->b, p, until);
    u1 r = highest(until, hint(s->b, p), p->to);
    if (until[r] >= p->to) return have(s, p, r), true;
    u4 end = step_of(until[r]);
    if (!p->value || end <= p->from || next_use(p, p->from) >= end) return false;
    u4 last = step_of(last_use(p, end)) + STEP; /* what comes then is memory, or another register: the earlier the better */
    Piece *rest = split(s, p, last < end ? best_place(s, last, end, true) : end);
    if (!rest) return true;
    wait(s, rest);
    return have(s, p, r), true;
}

/* May it leave its register in the step at hand? */
static bool is_stuck(const Scan *s, const Piece *p) { return !p->value || same_step(next_use(p, step_of(s->at)), s->at); }

static void limit_by_uses(Scan *s, const Piece *p, u4 *uses, u4 *blocked) {
    for (u4 i = 0; i < s->n_active; i++) {
        const Piece *q = s->active[i];
        if (q->fp != p->fp) continue;
        u4 at = is_stuck(s, q) ? 0 : next_use(q, s->at);
        if (!at) blocked[q->reg] = 0;
        if (at < uses[q->reg]) uses[q->reg] = at;
    }
    for (u4 i = 0; i < s->n_inactive; i++) {
        const Piece *q = s->inactive[i];
        if (q->fp != p->fp || meet(p, q) == NEVER) continue;
        u4 at = next_use(q, s->at);
        if (at < uses[q->reg]) uses[q->reg] = at;
    }
    limit_by_clobbers(s->b, p, blocked);
    for (u4 r = 0; r < REGS; r++) {
        if (blocked[r] != NEVER && same_step(blocked[r], s->at)) blocked[r] = 0;
        if (blocked[r] < uses[r]) uses[r] = blocked[r];
    }
}

static void leave_active(Scan *s, u4 i) { s->active[i] = s->active[--s->n_active]; }

/* The owner of a register goes to memory from the step at hand on. */
static void evict(Scan *s, Piece *p) {
    u4 pos = step_of(s->at);
    if (p->from >= pos) return go_to_memory(s, p);
    Piece *rest = split(s, p, pos);
    if (rest) go_to_memory(s, rest);
}

static void evict_all(Scan *s, const Piece *by, u1 reg) {
    for (u4 i = s->n_active; i-- > 0;) {
        Piece *p = s->active[i];
        if (p->fp != by->fp || p->reg != reg) continue;
        leave_active(s, i);
        evict(s, p);
    }
    for (u4 i = s->n_inactive; i-- > 0;) {
        Piece *p = s->inactive[i];
        if (p->fp != by->fp || p->reg != reg || meet(by, p) == NEVER) continue;
        s->inactive[i] = s->inactive[--s->n_inactive];
        Piece *rest = split(s, p, p->now->from); /* where it begins again, a block begins */
        if (rest) wait(s, rest);
    }
}

/* In the register whose owners need it last, if that is later than the piece itself. */
static void take_used(Scan *s, Piece *p) {
    u4 uses[REGS], blocked[REGS], first = next_use(p, p->from);
    init_until(s->b, p, uses);
    init_until(s->b, p, blocked);
    limit_by_uses(s, p, uses, blocked);
    bool now = !p->value || same_step(first, s->at);
    u1 r = highest(uses, NO_REG, NEVER);
    if (!now && (first == NEVER || uses[r] <= first)) return go_to_memory(s, p);
    if (!uses[r]) {
        s->b->o->why = "out of registers";
        return;
    }
    if (blocked[r] < p->to) {
        Piece *rest = split(s, p, step_of(blocked[r]));
        if (!rest) return;
        wait(s, rest);
    }
    evict_all(s, p, r);
    have(s, p, r);
}

/* --- the walk --- */

static void settle(Scan *s) {
    for (u4 i = s->n_active; i-- > 0;) {
        Piece *p = s->active[i];
        if (p->to > s->at && covers(p, s->at)) continue;
        leave_active(s, i);
        if (p->to > s->at && grow(s->b, &s->inactive, s->n_inactive, &s->cap_inactive)) s->inactive[s->n_inactive++] = p;
    }
    for (u4 i = s->n_inactive; i-- > 0;) {
        Piece *p = s->inactive[i];
        if (p->to > s->at && !covers(p, s->at)) continue;
        s->inactive[i] = s->inactive[--s->n_inactive];
        if (p->to > s->at) s->active[s->n_active++] = p;
    }
}

static bool starts_in_memory(const Scan *s, const Piece *p) {
    if (!p->value || p != s->b->lives[p->value].first) return false;
    u1 op = opt_node(s->b->o, p->value)->op;
    return op == OPT_PARAM || op == OPT_CONST;
}

static void give(Scan *s, Piece *p) {
    s->at = p->from;
    settle(s);
    if (starts_in_memory(s, p)) go_to_memory(s, p);
    else if (!take_free(s, p)) take_used(s, p);
}

static void add_temps(Scan *s, const Node *n, Piece **temps) {
    for (u4 i = 0; i < opt_temps(s->b, n); i++) {
        Piece *p = opt_alloc(s->b->o, sizeof *p);
        LiveRange *x = opt_alloc(s->b->o, sizeof *x);
        if (!p || !x) return;
        *x = (LiveRange){n->pos, n->pos + AT_LATE, NULL};
        *p = (Piece){.ranges = x, .now = x, .from = x->from, .to = x->to, .reg = NO_REG};
        temps[n->pos / STEP * MOST_TEMPS + i] = p;
        wait(s, p);
    }
}

/* Which phi a value is an input of: Node.extra. */
static void note_phis(const Back *b) {
    const Opt *o = b->o;
    for (Ref r = 1; r <= o->n_nodes; r++) opt_node(o, r)->extra = 0;
    for (u4 i = 0; i < b->n_order; i++) {
        const Block *x = opt_block(o, b->order[i]);
        for (Ref r = x->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
            for (u4 p = 0; p < x->n_preds; p++) opt_node(o, opt_node(o, r)->args[p])->extra = r;
    }
}

static bool scan(Back *b) {
    Scan s = {.b = b};
    Opt *o = b->o;
    Piece **temps = opt_alloc(o, b->n_steps * MOST_TEMPS * sizeof *temps);
    b->temps = opt_alloc(o, b->n_steps * sizeof *b->temps);
    if (o->no_memory) return false;
    note_phis(b);
    for (u4 i = 0; i < b->n_order; i++)
        for (Ref r = opt_block(o, b->order[i])->first; r; r = opt_node(o, r)->next) {
            if (b->lives[r].first) wait(&s, b->lives[r].first);
            if (!b->fused[r] && !b->silent[r]) add_temps(&s, opt_node(o, r), temps);
        }
    while (s.n_heap && !o->no_memory && !o->why) give(&s, next_piece(&s));
    if (o->no_memory || o->why) return false;
    for (u4 i = 0; i < b->n_steps * MOST_TEMPS; i++) (&b->temps[0][0])[i] = temps[i] ? temps[i]->reg : NO_REG;
    return true;
}

/* --- where values are --- */

static const Piece *piece_at(const Back *b, Ref v, u4 pos) {
    Life *l = &b->lives[v];
    Piece *p = l->last_asked && l->last_asked->from <= pos ? l->last_asked : l->first;
    while (p->next && p->next->from <= pos) p = p->next;
    return l->last_asked = p;
}

static Loc constant(const Node *n) { return (Loc){.kind = LOC_CONST, .k = opt_bits(n)}; }

static Loc place_of(const Back *b, Ref v, const Piece *p) {
    if (p->reg != NO_REG) return (Loc){.kind = p->fp ? LOC_FREG : LOC_REG, .n = p->reg};
    if (opt_is_const(b->o, v)) return constant(opt_node(b->o, v));
    return (Loc){.kind = LOC_CELL, .n = b->lives[v].home};
}

Loc opt_where(const Back *b, Ref v, u4 pos) {
    if (!b->lives[v].first) return constant(opt_node(b->o, v));
    return place_of(b, v, piece_at(b, v, pos));
}

/* --- moves --- */

static bool is_narrow(const Back *b, Ref v) { return opt_width(opt_node(b->o, v)->type) == W32; }

static void add_move(Back *b, EdgeMove **to, Ref v, Loc from, Loc into) {
    if (loc_same(from, into)) return;
    EdgeMove *m = opt_alloc(b->o, sizeof *m);
    if (!m) return;
    *m = (EdgeMove){*to, from, into, is_narrow(b, v)};
    *to = m;
}

/* Where a life goes on in another register inside of a block. */
static void add_moves_inside(Back *b, Ref v) {
    for (const Piece *p = b->lives[v].first, *q; (q = p->next); p = q) {
        if (p->to != q->from || q->reg == NO_REG || span_of(b, b->order[block_of(b, q->from)])->from == q->from) continue;
        add_move(b, &b->before[q->from / STEP], v, place_of(b, v, p), place_of(b, v, q));
    }
}

static EdgeMove **moves_of_edge(Back *b, BlockRef from, BlockRef to) {
    if (opt_block(b->o, from)->n_succs == 1) return &span_of(b, from)->at_end;
    return &span_of(b, to)->at_start;
}

/* Memory is true: what begins there needs nothing. */
static void add_moves_into(Back *b, Ref v, BlockRef to) {
    Loc there = opt_where(b, v, span_of(b, to)->from);
    if (there.kind != LOC_REG && there.kind != LOC_FREG) return;
    for (u4 p = 0; p < opt_block(b->o, to)->n_preds; p++) {
        BlockRef from = opt_block(b->o, to)->preds[p];
        add_move(b, moves_of_edge(b, from, to), v, opt_where(b, v, span_of(b, from)->to - 1), there);
    }
}

static void add_moves_of_edges(Back *b, Ref v) {
    const Life *l = &b->lives[v];
    for (const Piece *p = l->first; p; p = p->next)
        for (const LiveRange *x = p->ranges; x; x = x->next) {
            u4 i = block_of(b, x->from);
            if (span_of(b, b->order[i])->from < x->from) i++;
            for (; i < b->n_order && span_of(b, b->order[i])->from < x->to; i++)
                if (span_of(b, b->order[i])->from != l->def) add_moves_into(b, v, b->order[i]);
        }
}

static void add_moves_of_phi(Back *b, Ref phi) {
    const Node *n = opt_node(b->o, phi);
    const Block *x = opt_block(b->o, n->block);
    Loc there = opt_where(b, phi, span_of(b, n->block)->from);
    for (u4 p = 0; p < x->n_preds; p++) {
        if (there.kind == LOC_CELL && opt_brings_home(b, phi, p)) continue;
        add_move(b, moves_of_edge(b, x->preds[p], n->block), phi, opt_where(b, n->args[p], span_of(b, x->preds[p])->to - 1),
                 there);
    }
}

static void add_moves(Back *b) {
    for (u4 i = 0; i < b->n_order; i++)
        for (Ref r = opt_block(b->o, b->order[i])->first; r; r = opt_node(b->o, r)->next) {
            const Life *l = &b->lives[r];
            if (!l->first) continue;
            if (opt_node(b->o, r)->op == OPT_PHI) add_moves_of_phi(b, r);
            if (!l->first->next) continue;
            add_moves_inside(b, r);
            add_moves_of_edges(b, r);
        }
}

const char opt_unroomy[] = "a vector that has no register";

/* Vectors are in registers alone. */
static bool have_room(Back *b) {
    for (Ref r = 1; r <= b->o->n_nodes; r++)
        if (b->lives[r].in_memory && opt_node(b->o, r)->type == OT_VECTOR) b->o->why = opt_unroomy;
    return !b->o->why;
}

bool opt_registers(Back *b) {
    if (!opt_number_blocks(b) || !opt_lives(b)) return false;
    b->before = opt_alloc(b->o, b->n_steps * sizeof *b->before);
    if (!b->before || !scan(b) || !have_room(b) || !opt_homes(b)) return false;
    add_moves(b);
    return !b->o->no_memory && !b->o->why;
}
