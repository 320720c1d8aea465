/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What memory has already when a call is made, so that the call need not write it; and what is written in front of a loop, once.
 *
 * A call wants the cells of its State in memory.  With a few levels of bodies that are a dozen stores, most of them of what the last call has left there.
 *
 * CONTENT  What is known of a cell: a value, or nothing.  The root's position is a content of its own, and has a place behind all others; a call in a body
 *          does not want it.  Frames of bodies are due at calls (jit/body_frames.c), so they may be written by others at any stop, or not: of
 *          their cells nothing is known.
 *              - Behind a call memory has what the call wanted, up to its arguments: those, and what lies above, are the callee's.
 *              - Behind a helper, which may not have been called, a cell has its content if the State says the same.  What lies above belongs to
 *                whom the helper calls, but for the last cells, from Back.kept on, which are put back (exit_record.c).
 *              - Values are stored where they are defined, if they have a home; parameters are in their local.
 *          Blocks are walked until nothing changes; where ways meet, what all of them have is left.
 *
 * EARLY    What a call in a loop wants, and nothing in the loop changes, is written in front of it: nobody looks at cells above those of a stop's State.
 *          It must be sure that the cell is free there (no value that lives at the head has its home in it), that all writes to it in the loop are of the
 *          same content, that a value among them lives at the head, and that the call is made in each turn, or a few turns would pay for nothing.  The outermost
 *          such loop is taken.
 *          Blocks that are seldom run are not asked: where they come back to the loop, everything is written again.
 *          The walk comes afterwards and sees early writes as what they are, so only they can be wrong, and opt_verify.c looks at both.
 *
 * Rejected: frames of bodies as contents (what this was: written by the first call, early in front of loops; a recursion writes them all each time).
 */
#include "jit/opt/opt_int.h"
#include "object/method.h"
#include <string.h>

enum { MOST_KEPT = 224, MOST_LOOPS = 60, MOST_NESTED = 16 };
static const CellContent several = UINT32_MAX; /* of a loop: not always the same */

typedef struct Cells {
    Back *b;
    u4 n;             /* places, the root's position among them */
    CellContent **at; /* per block: at its start; NULL: not reached */
    CellContent *now;
    u4 stop;   /* the next one, in the order of positions */
    bool ends; /* the last walk: Stop.known is noted */
    /* loops */
    BlockRef heads[MOST_LOOPS];
    CellContent *written[MOST_LOOPS]; /* what the loop writes there; 0: nothing */
    CellContent *early[MOST_LOOPS];   /* what is written in front of it */
    u4 n_loops, around[MOST_NESTED], n_around;
    bool asks_loops; /* changes are noted for the loops around, not in `now` */
    Ref *homes;      /* per place: the last of the values whose home it is */
    Ref *others;     /* per value: the one before it with the same home */
} Cells;

/* --- what a call wants --- */

u4 opt_position_place(const Back *b) { return b->n_locals + b->o->max_cells + b->n_extra; }

CellContent opt_root_position(const State *s, u4 n_passed) {
    const OptScope *x = s->scope;
    if (!x->number) return CONTENT_AT(s->bci, s->depth - n_passed);
    while (x->outer->number) x = x->outer;
    return CONTENT_AT(x->call_bci, x->call_depth);
}

typedef void (*Visitor)(Cells *c, u4 place, CellContent x);

/* n_passed: arguments that are not in the frame. */
static void visit_wanted(Cells *c, const State *s, u4 n_passed, Visitor visit) {
    if (!s->scope->number) visit(c, opt_position_place(c->b), opt_root_position(s, n_passed));
    for (; s; s = s->outer, n_passed = 0)
        for (u4 i = 0; i < s->n_locals + s->n_stack - n_passed; i++) {
            bool local = i < s->n_locals;
            if (s->cells[i]) visit(c, opt_cell_place(c->b, s->scope, local, local ? i : i - s->n_locals), s->cells[i]);
        }
}

/* --- changes --- */

static void note_for_loops(const Cells *c, u4 place, CellContent x) {
    for (u4 i = 0; i < c->n_around; i++) {
        CellContent *was = &c->written[c->around[i]][place];
        *was = !*was || *was == x ? x : several;
    }
}

static void becomes(Cells *c, u4 place, CellContent x) {
    if (c->asks_loops) note_for_loops(c, place, x);
    else c->now[place] = x;
}

/* Perhaps. */
static void may_become(Cells *c, u4 place, CellContent x) {
    if (c->asks_loops) note_for_loops(c, place, x);
    else if (c->now[place] != x) c->now[place] = 0;
}

static void forget(Cells *c, u4 from, u4 to) {
    for (u4 p = from; p < to; p++) becomes(c, p, c->asks_loops ? several : 0);
}

/* Whoever looks has them written. */
static void forget_frames(Cells *c, const State *s) {
    if (s->scope->number) may_become(c, opt_position_place(c->b), opt_root_position(s, 0));
    for (; s->scope->number; s = s->outer) forget(c, opt_frame_place(c->b, s->scope), opt_cell_place(c->b, s->scope, false, 0));
}

static void note_known(Cells *c, u4 place, CellContent x) {
    if (c->now[place] != x) return;
    u1 *known = c->b->stops[c->stop].known;
    if (known) known[place / 8] |= (u1)(1 << place % 8);
}

/* Cells of which nothing is known need not be put back, and what a dead frame left in them should not keep objects. */
static void note_keeps(Cells *c, Stop *s) {
    u4 kept = c->b->kept, end = c->b->n_locals + c->b->o->max_cells;
    if (kept == end || !(s->keeps = opt_alloc(c->b->o, (end - kept) / 8 + 1))) return;
    for (u4 p = kept; p < end; p++)
        if (c->now[p]) s->keeps[(p - kept) / 8] |= (u1)(1 << (p - kept) % 8);
}

static void behind_stop(Cells *c, const Node *n) {
    Stop *s = &c->b->stops[c->stop];
    u4 all = c->n - 1;
    if (n->op == OPT_CALL) {
        u4 n_passed = opt_passed_on(s, n);
        if (c->ends && (s->known = opt_alloc(c->b->o, c->n / 8 + 1))) visit_wanted(c, n->state, n_passed, note_known);
        visit_wanted(c, n->state, n_passed, becomes);
        forget(c, s->top, all);
    } else {
        visit_wanted(c, n->state, 0, may_become);
        forget(c, s->top, c->b->kept);
        if (c->ends) note_keeps(c, s);
    }
    forget_frames(c, n->state);
    c->stop++;
}

static void behind_quick(Cells *c, const Node *n) { becomes(c, opt_position_place(c->b), opt_root_position(n->state, 0)); }

static void forget_moved(Cells *c, const EdgeMove *m) {
    for (; m; m = m->next)
        if (m->to.kind == LOC_CELL) forget(c, m->to.n, m->to.n + 1);
}

static void behind_node(Cells *c, Ref r) {
    Back *b = c->b;
    const Node *n = opt_node(b->o, r);
    const Life *l = &b->lives[r];
    forget_moved(c, b->before[n->pos / STEP]);
    if (opt_does(n) & OPT_STOPS) behind_stop(c, n);
    if (n->op == OPT_QUICK) behind_quick(c, n);
    if (opt_gives(n) && l->in_memory) becomes(c, l->home, r);
}

static void behind_block(Cells *c, BlockRef r) {
    const Back *b = c->b;
    const Span *span = &b->spans[r];
    forget_moved(c, span->at_start);
    for (Ref n = opt_block(b->o, r)->first; n; n = opt_node(b->o, n)->next) {
        const Life *l = &b->lives[n];
        if (!opt_has_no_code(b, n)) behind_node(c, n);
        else if (l->first && l->in_memory && (opt_node(b->o, n)->op == OPT_PHI || opt_node(b->o, n)->op == OPT_PARAM))
            becomes(c, l->home, n);
    }
    forget_moved(c, span->at_end);
    for (const EarlyWrite *w = span->early; w; w = w->next) becomes(c, w->place, w->content);
}

/* --- early writes --- */

/* It goes back to where others pass. */
static bool is_aside(const Opt *o, BlockRef r) {
    const Block *x = opt_block(o, r);
    return x->seldom && x->n_succs == 1 && !x->loop_head && opt_block(o, x->succs[0])->n_preds > 1;
}

static u4 loop_number(const Cells *c, BlockRef head) {
    u4 i = 0;
    while (i < c->n_loops && c->heads[i] != head) i++;
    return i;
}

static void find_around(Cells *c, BlockRef r) {
    const Opt *o = c->b->o;
    c->n_around = 0;
    for (BlockRef l = opt_block(o, r)->loop; l && c->n_around < MOST_NESTED; l = opt_loop_around(o, l)) {
        u4 i = loop_number(c, l);
        if (i < c->n_loops) c->around[c->n_around++] = i;
    }
}

static bool find_loops(Cells *c) {
    Opt *o = c->b->o;
    for (u4 i = 0; i < o->n_order && c->n_loops < MOST_LOOPS; i++) {
        if (!opt_block(o, o->order[i])->loop_head || opt_block(o, o->order[i])->loop_depth > MOST_NESTED) continue;
        u4 l = c->n_loops++;
        c->heads[l] = o->order[i];
        c->written[l] = opt_alloc(o, c->n * sizeof(CellContent));
        c->early[l] = opt_alloc(o, c->n * sizeof(CellContent));
    }
    return c->n_loops && !o->no_memory;
}

static void ask_loops(Cells *c) {
    const Back *b = c->b;
    c->asks_loops = true;
    c->stop = 0;
    for (u4 i = 0; i < b->n_order; i++) {
        find_around(c, b->order[i]);
        if (is_aside(b->o, b->order[i])) c->n_around = 0;
        behind_block(c, b->order[i]);
    }
    c->asks_loops = false;
}

static void find_homes(Cells *c) {
    const Back *b = c->b;
    for (u4 i = 0; i < b->n_order; i++)
        for (Ref r = opt_block(b->o, b->order[i])->first; r; r = opt_node(b->o, r)->next) {
            if (!b->lives[r].in_memory || !b->lives[r].first) continue;
            c->others[r] = c->homes[b->lives[r].home];
            c->homes[b->lives[r].home] = r;
        }
}

static bool lives_at(const Back *b, Ref r, u4 pos) {
    for (const Piece *p = b->lives[r].first; p; p = p->next)
        for (const LiveRange *x = p->ranges; x; x = x->next)
            if (x->from <= pos && pos < x->to) return true;
    return false;
}

static bool is_free(const Cells *c, u4 place, u4 pos) {
    for (Ref r = place < c->n - 1 ? c->homes[place] : 0; r; r = c->others[r])
        if (lives_at(c->b, r, pos)) return false;
    return true;
}

static bool can_be_written(const Cells *c, u4 place, CellContent x, BlockRef at) {
    const Back *b = c->b;
    u4 pos = b->spans[at].from;
    if (!is_free(c, place, pos)) return false;
    return x >= CONTENT_POSITION || !b->lives[x].first || lives_at(b, x, pos);
}

static bool comes_from_outside(const Cells *c, u4 loop, CellContent x) {
    const Opt *o = c->b->o;
    return x >= CONTENT_POSITION || opt_is_const(o, x) || !opt_is_in_loop(o, opt_node(o, x)->block, c->heads[loop]);
}

/* Where a seldom way of the loop comes back. */
static bool comes_back(const Cells *c, BlockRef r, u4 loop) {
    const Opt *o = c->b->o;
    BlockRef to = is_aside(o, r) ? opt_block(o, r)->succs[0] : 0;
    return to && !is_aside(o, to) && opt_is_in_loop(o, r, c->heads[loop]) && opt_is_in_loop(o, to, c->heads[loop]);
}

static bool can_come_back(const Cells *c, u4 loop, u4 place, CellContent x) {
    const Back *b = c->b;
    for (u4 i = 0; i < b->n_order; i++)
        if (comes_back(c, b->order[i], loop) && !can_be_written(c, place, x, opt_block(b->o, b->order[i])->succs[0]))
            return false;
    return true;
}

static bool can_be_early(const Cells *c, u4 loop, u4 place, CellContent x) {
    return c->written[loop][place] == x && comes_from_outside(c, loop, x) && can_be_written(c, place, x, c->heads[loop]) &&
           can_come_back(c, loop, place, x);
}

/* In each turn that comes to an end of the loop. */
static bool runs_always(const Cells *c, BlockRef r, u4 loop) {
    const Opt *o = c->b->o;
    const Block *h = opt_block(o, c->heads[loop]);
    for (u4 p = 0; p < h->n_preds; p++)
        if (opt_dominates(o, c->heads[loop], h->preds[p]) && opt_dominates(o, r, h->preds[p])) return true;
    return false;
}

static void want_early(Cells *c, u4 place, CellContent x) {
    u4 best = MOST_LOOPS;
    if (x < CONTENT_POSITION && c->b->lives[x].first && c->b->lives[x].in_memory && c->b->lives[x].home == place) return;
    for (u4 i = 0; i < c->n_around && can_be_early(c, c->around[i], place, x); i++) best = c->around[i];
    if (best < MOST_LOOPS) c->early[best][place] = x;
}

/* The loops in each turn of which the block runs, or a loop inside that has it. */
static void find_turns(Cells *c, BlockRef r) {
    u4 n = 0;
    find_around(c, r);
    while (n < c->n_around && runs_always(c, n ? c->heads[c->around[n - 1]] : r, c->around[n])) n++;
    c->n_around = n;
}

static void choose(Cells *c) {
    const Back *b = c->b;
    for (u4 i = 0; i < b->n_order; i++) {
        const Block *x = opt_block(b->o, b->order[i]);
        if (!x->loop || x->rare || x->seldom) continue;
        find_turns(c, b->order[i]);
        for (Ref r = x->first; r && c->n_around; r = opt_node(b->o, r)->next) {
            const Node *n = opt_node(b->o, r);
            if (n->op == OPT_CALL) visit_wanted(c, n->state, opt_passed_on(opt_stop_at(b, n->pos), n), want_early);
        }
    }
}

static void write_at_end(Cells *c, BlockRef r, u4 loop) {
    Back *b = c->b;
    for (u4 p = 0; p < c->n; p++) {
        EarlyWrite *w = c->early[loop][p] ? opt_alloc(b->o, sizeof *w) : NULL;
        if (!w) continue;
        *w = (EarlyWrite){b->spans[r].early, p, c->early[loop][p]};
        b->spans[r].early = w;
        if (p >= b->n_locals && p < b->kept && p < c->n - 1 && p + MOST_KEPT >= c->n) b->kept = p;
    }
}

static void write_early(Cells *c, u4 loop) {
    const Back *b = c->b;
    const Block *h = opt_block(b->o, c->heads[loop]);
    for (u4 p = 0; p < h->n_preds; p++)
        if (!opt_dominates(b->o, c->heads[loop], h->preds[p])) write_at_end(c, h->preds[p], loop);
    for (u4 i = 0; i < b->n_order; i++)
        if (comes_back(c, b->order[i], loop)) write_at_end(c, b->order[i], loop);
}

static void find_early(Cells *c) {
    Back *b = c->b;
    u4 extra = b->kept, first = c->n > MOST_KEPT ? c->n - MOST_KEPT : 0;
    if (!find_loops(c)) return;
    b->kept = first < b->n_locals ? b->n_locals : first < extra ? first : extra;
    find_homes(c);
    ask_loops(c);
    choose(c);
    b->kept = extra;
    for (u4 l = 0; l < c->n_loops; l++) write_early(c, l);
}

/* --- the walk --- */

static bool meet(const Cells *c, CellContent *to) {
    bool changed = false;
    for (u4 p = 0; p < c->n; p++) {
        if (!to[p] || to[p] == c->now[p]) continue;
        to[p] = 0;
        changed = true;
    }
    return changed;
}

static bool arrive(Cells *c, BlockRef to) {
    size_t bytes = c->n * sizeof *c->now;
    if (c->at[to]) return meet(c, c->at[to]);
    c->at[to] = opt_alloc(c->b->o, bytes);
    if (c->at[to]) memcpy(c->at[to], c->now, bytes);
    return true;
}

static bool walk(Cells *c) {
    const Back *b = c->b;
    bool changed = false;
    c->stop = 0;
    for (u4 i = 0; i < b->n_order && !b->o->no_memory; i++) {
        const Block *x = opt_block(b->o, b->order[i]);
        memcpy(c->now, c->at[b->order[i]], c->n * sizeof *c->now);
        behind_block(c, b->order[i]);
        for (u4 s = 0; s < x->n_succs; s++) changed |= arrive(c, x->succs[s]);
    }
    return changed && !b->o->no_memory;
}

bool opt_cells(Back *b) {
    Opt *o = b->o;
    Cells c = {.b = b, .n = b->n_locals + o->max_cells + b->n_extra + 1};
    b->kept = b->n_locals + o->max_cells;
    c.at = opt_alloc(o, (o->n_blocks + 1) * sizeof *c.at);
    c.now = opt_alloc(o, c.n * sizeof *c.now);
    c.homes = opt_alloc(o, c.n * sizeof *c.homes);
    c.others = opt_alloc(o, (o->n_nodes + 1) * sizeof *c.others);
    CellContent *entry = opt_alloc(o, c.n * sizeof *entry);
    if (o->no_memory) return false;
    find_early(&c);
    for (Ref r = opt_block(o, 1)->first; r && opt_node(o, r)->op == OPT_PARAM; r = opt_node(o, r)->next)
        entry[opt_node(o, r)->k] = r;
    c.at[b->order[0]] = entry;
    while (walk(&c)) {}
    c.ends = true;
    walk(&c);
    return !o->no_memory;
}

/* --- for who writes the call --- */

bool opt_is_known(const Stop *s, u4 place) { return s->known[place / 8] >> place % 8 & 1; }
