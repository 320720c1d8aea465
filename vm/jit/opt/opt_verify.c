/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do registers and homes hold what code will read?  The debug build and -XX:+OptimizeAll ask.
 *
 * The places (registers, cells) are simulated: what a place holds is the value that was put there last, on all ways; else nothing.  Moves, results,
 * destroyed registers, calls and helpers change it as the code will.  Each input of a node, each cell of a state, each input of a phi must be where
 * opt_where says.  At a block what all predecessors agree on is left; blocks are walked until nothing changes, and the last time is checked.
 *
 * Of a call also what memory has by then (opt_cells.c), the root's position too, which is held like a value.
 *
 * Constants are held by their bits, since two of the same bits are as good as one.
 */
#include "jit/opt/opt_int.h"
#include "object/method.h"
#include <string.h>

enum { REGS = 16, CELLS_FROM = 2 * REGS };
typedef u8 Held; /* 0: nothing that is known; a Ref; constants: CONSTANT and their bits, mixed */
#define CONSTANT (1ull << 63)

typedef struct Verify {
    Back *b;
    Held **at; /* per block: at its start; NULL: not reached */
    Held *now, *old, *in;
    u4 n_places;
    u4 stop;
    bool checks;
    const char *wrong;
} Verify;

static Held constant(u8 bits) { return CONSTANT | (bits * 0x9e3779b97f4a7c15u ^ bits >> 32); }
static Held of(const Verify *v, Ref r) {
    const Node *n = opt_node(v->b->o, r);
    return n->op == OPT_CONST ? constant(opt_bits(n)) : r;
}

static u4 index_of(Loc l) { return l.kind == LOC_REG ? l.n : l.kind == LOC_FREG ? REGS + l.n : CELLS_FROM + l.n; }
static Held held(const Held *in, Loc l) { return l.kind == LOC_CONST ? constant(l.k) : in[index_of(l)]; }
static u4 cell_index(u4 place) { return CELLS_FROM + place; }

static void wrong(Verify *v, const char *what) {
    if (v->checks && !v->wrong) v->wrong = what;
}

/* --- changes --- */

static void move_all(Verify *v, const EdgeMove *moves) {
    if (!moves) return;
    memcpy(v->old, v->now, v->n_places * sizeof *v->now);
    for (const EdgeMove *m = moves; m; m = m->next) v->now[index_of(m->to)] = held(v->old, m->from);
}

static void lose(Verify *v, u4 from, u4 to) {
    for (; from < to && from < v->n_places; from++) v->now[from] = 0;
}

static void lose_registers(Verify *v, u4 mask, u4 first) {
    for (; mask; mask &= mask - 1) v->now[first + (u4)__builtin_ctz(mask)] = 0;
}

/* Cells become what the state has, or, if nobody may have written them, stay so if that is the same.  What a call knows must be there. */
static void write_cell(Verify *v, u4 place, Held what, const Stop *call) {
    Held *to = &v->now[cell_index(place)];
    if (call && call->known && opt_is_known(call, place) && *to != what) wrong(v, "a cell that a call does not find");
    *to = call || *to == what ? what : 0;
}

/* Whoever looks has frames of bodies written, and the root's position. */
static void lose_frames(Verify *v, const State *s) {
    if (s->scope->number) write_cell(v, opt_position_place(v->b), opt_root_position(s, 0), NULL);
    for (; s->scope->number; s = s->outer)
        lose(v, cell_index(opt_frame_place(v->b, s->scope)), cell_index(opt_cell_place(v->b, s->scope, false, 0)));
}

static void write_state(Verify *v, const Node *n, const Stop *call) {
    u4 n_passed = call ? opt_passed_on(call, n) : 0;
    if (!n->state->scope->number) write_cell(v, opt_position_place(v->b), opt_root_position(n->state, n_passed), call);
    for (const State *s = n->state; s; s = s->outer, n_passed = 0) {
        for (u4 i = 0; i < s->n_locals + s->n_stack - n_passed; i++) {
            if (!s->cells[i]) continue;
            bool local = i < s->n_locals;
            write_cell(v, opt_cell_place(v->b, s->scope, local, local ? i : i - s->n_locals), of(v, s->cells[i]), call);
        }
    }
    lose_frames(v, n->state);
}

static void lose_helped(Verify *v, const Node *n, const Stop *s) {
    for (u4 p = v->b->kept; p < v->b->n_locals + v->b->o->max_cells + v->b->n_extra; p++)
        if (!opt_is_put_back(v->b, s, p)) v->now[cell_index(p)] = 0;
    lose_registers(v, GENERAL_REGS & ~s->registers, 0);
}

static void stop(Verify *v, const Node *n) {
    const Stop *s = &v->b->stops[v->stop++];
    u4 extra = v->b->n_locals + v->b->o->max_cells;
    write_state(v, n, n->op == OPT_CALL ? s : NULL);
    lose(v, cell_index(s->top), cell_index(n->op == OPT_CALL ? extra : v->b->kept));
    if (n->op == OPT_CALL) lose(v, cell_index(extra + s->extra), v->n_places - 1);
    else lose_helped(v, n, s);
    for (u4 f = REGS; f < CELLS_FROM; f++) /* helpers keep eight bytes */
        if (v->now[f] && v->now[f] < CONTENT_POSITION && opt_node(v->b->o, (Ref)v->now[f])->type == OT_VECTOR) v->now[f] = 0;
}

static void quick(Verify *v, const Node *n) { v->now[cell_index(opt_position_place(v->b))] = opt_root_position(n->state, 0); }

/* --- checks --- */

static void check_at(Verify *v, Ref r, u4 pos) {
    if (held(v->now, opt_where(v->b, r, pos)) != of(v, r)) wrong(v, "a value that is not where it should be");
}

static bool in_register(Loc l, u1 reg, bool fp) { return l.kind == (fp ? LOC_FREG : LOC_REG) && l.n == reg; }

/* Registers that the node writes while it may still read this one. */
static void check_late(Verify *v, Ref r, Ref value, u4 pos) {
    Loc l = opt_where(v->b, value, pos);
    const Node *n = opt_node(v->b->o, r);
    Clobber c = opt_clobbers(v->b, n);
    if (l.kind == LOC_REG && c.general >> l.n & 1) wrong(v, "a late input that is destroyed");
    if (opt_gives(n) && loc_same(l, opt_where(v->b, r, n->pos + AT_RESULT))) wrong(v, "a late input in the result's register");
}

static void check_temps(Verify *v, const Node *n, Ref value) {
    for (u4 i = 0; i < opt_temps(v->b, n); i++)
        if (in_register(opt_where(v->b, value, n->pos), v->b->temps[n->pos / STEP][i], false))
            wrong(v, "an input in a temporary");
}

static void check_inputs(Verify *v, Ref r, const Node *x) {
    const Node *n = opt_node(v->b->o, r);
    for (u4 i = 0; i < opt_ops[x->op].inputs; i++) {
        if (!x->in[i] || opt_imm(v->b, x, i)) continue;
        if (v->b->fused[x->in[i]]) {
            check_inputs(v, r, opt_node(v->b->o, x->in[i])); /* which has none such */
            continue;
        }
        check_at(v, x->in[i], n->pos);
        check_temps(v, n, x->in[i]);
        Loc l = opt_where(v->b, x->in[i], n->pos);
        if (l.kind != LOC_REG && l.kind != LOC_FREG) wrong(v, "an input that is in no register");
        if (opt_reads_late(v->b, n, i) && x == n) check_late(v, r, x->in[i], n->pos);
    }
}

static void check_read(Verify *v, Ref r, Ref x) {
    const Node *n = opt_node(v->b->o, r);
    check_at(v, x, n->pos);
    if (n->op != OPT_CALL) check_temps(v, n, x);
    if (opt_state_late(v->b, r)) check_late(v, r, x, n->pos);
}

static bool is_name(const Verify *v, Ref x) { return opt_node(v->b->o, x)->op == OPT_VIRTUAL; }

static void check_state(Verify *v, Ref r, const State *s) {
    for (const StateObject *x = s ? s->objects : NULL; x; x = x->next)
        for (u4 i = 0; i < x->layout->n; i++)
            if (!is_name(v, x->values[i])) check_read(v, r, x->values[i]);
    for (; s; s = s->outer)
        for (u4 i = 0; i < s->n_locals + s->n_stack; i++) {
            Ref x = s->cells[i];
            if (!x || is_name(v, x)) continue;
            bool local = i < s->n_locals;
            u4 place = opt_cell_place(v->b, s->scope, local, local ? i : i - s->n_locals);
            check_read(v, r, x);
            if (v->b->lives[x].in_memory && v->b->lives[x].home == place && v->now[cell_index(place)] != of(v, x))
                wrong(v, "a home that has something else");
        }
}

/* --- the walk --- */

static void node(Verify *v, Ref r) {
    Back *b = v->b;
    const Node *n = opt_node(b->o, r);
    move_all(v, b->before[n->pos / STEP]);
    check_inputs(v, r, n);
    check_state(v, r, n->state);
    if (b->faults[r]) check_state(v, r, opt_node(b->o, b->faults[r])->state);
    Clobber c = opt_clobbers(b, n);
    lose_registers(v, c.general, 0);
    lose_registers(v, c.fp, REGS);
    for (u4 i = 0; i < opt_temps(b, n); i++) v->now[b->temps[n->pos / STEP][i]] = 0;
    if (opt_does(n) & OPT_STOPS) stop(v, n);
    if (n->op == OPT_QUICK) quick(v, n);
    if (!opt_gives(n)) return;
    v->now[index_of(opt_where(b, r, n->pos + AT_RESULT))] = r;
    if (b->lives[r].in_memory) v->now[cell_index(b->lives[r].home)] = r;
}

static void begin(Verify *v, BlockRef r) {
    const Back *b = v->b;
    for (Ref i = opt_block(b->o, r)->first; i; i = opt_node(b->o, i)->next) {
        const Life *l = &b->lives[i];
        u1 op = opt_node(b->o, i)->op;
        if (l->first && l->in_memory && !l->joins && (op == OPT_PHI || op == OPT_PARAM)) v->now[cell_index(l->home)] = i;
    }
}

static void write_early(Verify *v, BlockRef r) {
    const Back *b = v->b;
    for (const EarlyWrite *w = b->spans[r].early; w; w = w->next) {
        Held *to = &v->now[cell_index(w->place)];
        u4 pos = b->spans[opt_block(b->o, r)->succs[0]].from;
        if (w->content >= CONTENT_POSITION) {
            *to = w->content;
            continue;
        }
        *to = of(v, w->content);
        if (held(v->old, opt_where(b, w->content, pos)) != *to) wrong(v, "an early value that is not where it should be");
    }
}

static void block(Verify *v, BlockRef r) {
    const Back *b = v->b;
    memcpy(v->now, v->at[r], v->n_places * sizeof *v->now);
    begin(v, r);
    for (Ref i = opt_block(b->o, r)->first; i; i = opt_node(b->o, i)->next) {
        if (!opt_has_no_code(b, i)) node(v, i);
    }
    move_all(v, b->spans[r].at_end);
    memcpy(v->old, v->now, v->n_places * sizeof *v->now);
    write_early(v, r);
}

/* A phi that is not stored: its input was. */
static void take_home(const Verify *v, Ref phi, u4 p, Held *in) {
    const Life *l = &v->b->lives[phi];
    if (!l->joins) return;
    u4 home = cell_index(l->home);
    in[home] = v->old[home] == of(v, opt_node(v->b->o, phi)->args[p]) ? phi : 0;
}

/* Phis of `to` are what their inputs from pred p were. */
static void take_phis(Verify *v, BlockRef to, u4 p, Held *in) {
    const Back *b = v->b;
    memcpy(v->old, in, v->n_places * sizeof *in);
    for (Ref r = opt_block(b->o, to)->first; r && opt_node(b->o, r)->op == OPT_PHI; r = opt_node(b->o, r)->next) {
        if (!b->lives[r].first) continue;
        Loc l = opt_where(b, r, b->spans[to].from);
        if (held(v->old, l) != of(v, opt_node(b->o, r)->args[p])) wrong(v, "an input of a phi that is not there");
        in[index_of(l)] = r;
        take_home(v, r, p, in);
    }
}

/* What is there at the end of a block, and on the way, is what `to` begins with, or agrees with that. */
static bool arrive(Verify *v, BlockRef from, BlockRef to) {
    const Back *b = v->b;
    size_t bytes = v->n_places * sizeof(Held);
    u4 p = 0;
    bool changed = false;
    Held *in = v->in, *keep = v->now;
    while (opt_block(b->o, to)->preds[p] != from) p++;
    memcpy(in, v->now, bytes);
    v->now = in;
    move_all(v, b->spans[to].at_start);
    v->now = keep;
    take_phis(v, to, p, in);
    if (!v->at[to]) {
        if (!(v->at[to] = opt_alloc(b->o, bytes))) return false;
        memcpy(v->at[to], in, bytes);
        return true;
    }
    for (u4 i = 0; i < v->n_places; i++)
        if (v->at[to][i] && v->at[to][i] != in[i]) {
            v->at[to][i] = 0;
            changed = true;
        }
    return changed;
}

static bool walk(Verify *v) {
    const Back *b = v->b;
    bool changed = false;
    v->stop = 0;
    for (u4 i = 0; i < b->n_order && !b->o->no_memory; i++) {
        const Block *x = opt_block(b->o, b->order[i]);
        block(v, b->order[i]);
        for (u4 s = 0; s < x->n_succs; s++) changed |= arrive(v, b->order[i], x->succs[s]);
    }
    return changed && !b->o->no_memory;
}

const char *opt_verify(Back *b) {
    Opt *o = b->o;
    Verify v = {.b = b, .n_places = CELLS_FROM + b->n_locals + o->max_cells + b->n_extra + 1};
    v.at = opt_alloc(o, (o->n_blocks + 1) * sizeof *v.at);
    v.now = opt_alloc(o, v.n_places * sizeof *v.now);
    v.in = opt_alloc(o, v.n_places * sizeof *v.in);
    v.old = opt_alloc(o, v.n_places * sizeof *v.old);
    Held *entry = opt_alloc(o, v.n_places * sizeof *entry);
    if (o->no_memory) return NULL;
    for (Ref r = opt_block(o, 1)->first; r && opt_node(o, r)->op == OPT_PARAM; r = opt_node(o, r)->next)
        entry[cell_index((u4)opt_node(o, r)->k)] = r;
    v.at[b->order[0]] = entry;
    while (walk(&v)) {}
    v.checks = true;
    walk(&v);
    return v.wrong;
}
