/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Homes: where values are that are not in registers.
 *
 * PLACES  Cells of the root's frame: its locals from 0 on, then operand cells as the States number them, with the bodies' locals and frames; behind
 *         Opt.max_cells extra ones, which no frame that anybody looks at has.
 *
 * A value's home is the cell that it has in the States while it lives, if that is the same in all of them: then nothing is stored where somebody may look.
 * Of several that have it at the first stop the outermost frame's come first: bodies go earlier.
 * It may be so if at every node that may stop, and behind which the value lives, the State has the value there, or nothing (a local that is dead); the
 * cell is below the arguments, which belong to the callee; and no other value that has its home there lives at the same time.  Parameters
 * are in their local to begin with.
 *
 * Else the home is an extra place, shared by values that do not live at the same time.  Callees must not overwrite them: where such a value lives behind
 * a call, the arguments lie above (Stop.extra), and the caller's frame has none: its position says so. (Until the callee has a frame collections see them by Thread.callee_args.) Only what links a call finds them in the frame, too.
 * Helpers by a record save extra places (exit_record.c).
 *
 * A phi likes the home of an input, and an input that of its phi, where they do not live at the same time: then that way moves nothing. If all inputs have
 * its home it need not be stored either (Life.joins). Values that have names of their own on seldom ways (opt_apart.c) are like that: all names of one have one home.
 *
 * COLLECTIONS see what the frames show, and what the stack of a helper's caller holds.  So a reference that lives behind a call must be in its State; all
 * are, since bytecode that uses a value later has it somewhere, or the object that it is a never changing field of (it was loaded from there, or stored
 * there before); but for what another object that nobody else has is known to have in a field.  Then the form is
 * built anew, with less of constructors (opt_compile.c); if that does not help the method is refused.  That a field of another object keeps it alive does not
 * keep it where it is: who moves objects asks all words of Java stacks (heap/compact.c).
 */
#include "jit/opt/opt_int.h"
#include "object/method.h"

const char opt_unseen[] = "a reference that no frame has";

enum { MOST_SHARING = 8, MOST_CANDIDATES = 4, NO_PLACE = UINT32_MAX, MOST_EXTRA = 200, MOST_KEPT = 8, MOST_ASKED = 32 };

u4 opt_cell_place(const Back *b, const OptScope *s, bool local, u4 i) {
    if (!local) return b->n_locals + s->floor + i;
    return s->number ? b->n_locals + s->locals + i : i;
}

Ref opt_state_has(const Back *b, const State *s, u4 place) {
    for (; s; s = s->outer) {
        u4 locals = opt_cell_place(b, s->scope, true, 0), operands = opt_cell_place(b, s->scope, false, 0);
        if (place >= operands) return place - operands < s->n_stack ? s->cells[s->n_locals + place - operands] : 0;
        if (place >= locals + s->n_locals) return CELL_TAKEN;
        if (place >= locals) return s->cells[place - locals];
    }
    return 0;
}

/* The first place that is not the frames' own. */
static u4 top_of(const Back *b, const Node *n) {
    const State *s = n->state;
    u4 top = opt_cell_place(b, s->scope, false, s->n_stack);
    return n->op == OPT_CALL ? top - n->call->n_args : top;
}

u4 opt_passed_on(const Stop *s, const Node *call) { return s->extra && call->call->kind != CALL_LINK ? call->call->n_args : 0; }

const Stop *opt_stop_at(const Back *b, u4 pos) {
    u4 lo = 0, hi = b->n_stops;
    while (lo + 1 < hi) {
        u4 mid = (lo + hi) / 2;
        if (b->stops[mid].pos <= pos) lo = mid;
        else hi = mid;
    }
    return &b->stops[lo];
}

/* A place below `top` that has v in the frame of s, or NO_PLACE. */
static u4 place_in_frame(const Back *b, const State *s, Ref v, u4 top) {
    for (u4 i = 0; i < s->n_locals + s->n_stack; i++) {
        if (s->cells[i] != v) continue;
        bool local = i < s->n_locals;
        u4 place = opt_cell_place(b, s->scope, local, local ? i : i - s->n_locals);
        if (place < top) return place;
    }
    return NO_PLACE;
}

static bool has_place(const Back *b, const State *s, Ref v, u4 top) {
    for (; s; s = s->outer)
        if (place_in_frame(b, s, v, top) != NO_PLACE) return true;
    return false;
}

static bool is_found(const Back *b, const Stop *at, Ref v, u4 depth);

/* It was stored before, for good, in what is found. */
static bool is_kept(const Back *b, const Stop *at, Ref v, u4 depth) {
    BlockRef here = opt_node(b->o, at->node)->block;
    for (u4 i = 0; i < b->n_kept_by; i++) {
        const Node *n = opt_node(b->o, b->kept_by[i]);
        if (n->in[n->op == OPT_SET_ELEMENT ? 2 : 1] != v || n->pos >= at->pos || !opt_dominates(b->o, n->block, here)) continue;
        if (is_found(b, at, n->in[0], depth + 1)) return true;
    }
    return false;
}

/* A collection at the stop finds it in a frame, or in a field that never changes of what it finds there; the thread it finds always. */
static bool is_found(const Back *b, const Stop *at, Ref v, u4 depth) {
    const Node *n = opt_node(b->o, v);
    if (opt_is_const(b->o, v) || n->op == OPT_THREAD || has_place(b, opt_node(b->o, at->node)->state, v, at->top)) return true;
    if (depth > MOST_KEPT) return false;
    return (n->op == OPT_LOAD && n->plain && is_found(b, at, n->in[0], depth + 1)) || is_kept(b, at, v, depth);
}

/* --- lives and stops --- */

static u4 first_stop(const Back *b, u4 pos) {
    u4 lo = 0, hi = b->n_stops;
    while (lo < hi) {
        u4 mid = (lo + hi) / 2;
        if (b->stops[mid].pos + AT_CLOBBER < pos) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

/* The ranges of a life, over its pieces. */
typedef struct Ranges {
    const Piece *p;
    const LiveRange *x;
} Ranges;
static Ranges ranges_of(const Life *l) { return (Ranges){l->first, l->first->ranges}; }
static void next_range(Ranges *r) {
    r->x = r->x->next;
    while (!r->x && r->p->next) {
        r->p = r->p->next;
        r->x = r->p->ranges;
    }
}

/* Calls visit for each node that may stop, and behind which the value lives, until it says no. */
typedef bool (*StopVisitor)(Back *b, Ref v, Stop *at, void *arg);
static bool visit_stops(Back *b, Ref v, StopVisitor visit, void *arg) {
    for (Ranges r = ranges_of(&b->lives[v]); r.x; next_range(&r))
        for (u4 i = first_stop(b, r.x->from); i < b->n_stops && b->stops[i].pos + AT_CLOBBER < r.x->to; i++)
            if (!visit(b, v, &b->stops[i], arg)) return false;
    return true;
}

static bool overlap(const Life *a, const Life *b) {
    Ranges x = ranges_of(a), y = ranges_of(b);
    while (x.x && y.x) {
        if (x.x->to <= y.x->from) next_range(&x);
        else if (y.x->to <= x.x->from) next_range(&y);
        else return true;
    }
    return false;
}

static u4 end_of(const Life *l) {
    const Piece *p = l->first;
    while (p->next) p = p->next;
    return p->to;
}

/* --- the frames' own cells --- */

typedef struct Homes {
    Ref (*owners)[MOST_SHARING]; /* per place of the frames: values that have it, the last ones */
    u4 *extra_ends;              /* per extra place: where its last value ends */
    Ref *extra_owners, *others;  /* per extra place: the value that got it last; per value: the one before it there */
    bool *given;                 /* per value: it has its home */
} Homes;

static bool keeps(Back *b, Ref v, Stop *at, void *arg) {
    u4 place = *(const u4 *)arg;
    const State *s = opt_node(b->o, at->node)->state;
    if (place >= at->top) return false;
    Ref has = opt_state_has(b, s, place);
    if (has == v) return true;
    if (has) return false;
    return opt_node(b->o, v)->type != OT_REF || is_found(b, at, v, 0);
}

/* The places that the first stop where it has one gives v, the innermost frame's first. */
typedef struct Candidates {
    u4 n, place[MOST_CANDIDATES];
} Candidates;

static bool find_cells(Back *b, Ref v, Stop *at, void *arg) {
    Candidates *c = arg;
    for (const State *s = opt_node(b->o, at->node)->state; s && c->n < MOST_CANDIDATES; s = s->outer) {
        u4 place = place_in_frame(b, s, v, at->top);
        if (place != NO_PLACE) c->place[c->n++] = place;
    }
    return !c->n;
}

/* A slot of the place for v, whose definition is not in front of those so far; or NULL: somebody else lives there, or too many did. */
static Ref *free_slot(const Back *b, const Homes *h, Ref v, u4 place) {
    Ref *owners = h->owners[place], *slot = NULL;
    for (u4 i = 0; i < MOST_SHARING; i++) {
        if (!owners[i] || end_of(&b->lives[owners[i]]) <= b->lives[v].def) slot = &owners[i];
        else if (overlap(&b->lives[v], &b->lives[owners[i]])) return NULL;
    }
    return slot;
}

static bool in_frame_place(Back *b, Homes *h, Ref v, u4 place) {
    Ref *slot = visit_stops(b, v, keeps, &place) ? free_slot(b, h, v, place) : NULL;
    if (!slot) return false;
    *slot = v;
    b->lives[v].home = place;
    return true;
}

static bool in_frames(Back *b, Homes *h, Ref v) {
    const Node *n = opt_node(b->o, v);
    Candidates c = {0};
    if (n->op == OPT_PARAM) c = (Candidates){1, {(u4)n->k}};
    else visit_stops(b, v, find_cells, &c);
    while (c.n--)
        if (in_frame_place(b, h, v, c.place[c.n])) return true;
    return false;
}

/* --- extra ones --- */

/* Those from the 63rd on have one together. */
static u8 live_bit(u4 number) { return 1ull << (number < 63 ? number : 63); }

bool opt_is_put_back(const Back *b, const Stop *s, u4 place) {
    u4 extra = b->n_locals + b->o->max_cells;
    if (place >= extra) return s->live & live_bit(place - extra);
    return s->keeps && s->keeps[(place - b->kept) / 8] >> (place - b->kept) % 8 & 1;
}

static bool lies_above(Back *b, Ref v, Stop *at, void *arg) {
    u4 number = *(const u4 *)arg;
    const Node *n = opt_node(b->o, at->node);
    if (n->op == OPT_CALL && opt_node(b->o, v)->type == OT_REF && !is_found(b, at, v, 0)) b->o->why = opt_unseen;
    if (at->extra <= number) at->extra = number + 1;
    at->live |= live_bit(number);
    return true;
}

static void take_extra(Back *b, Homes *h, Ref v, u4 i) {
    Life *l = &b->lives[v];
    u4 end = end_of(l);
    if (end > h->extra_ends[i]) h->extra_ends[i] = end;
    h->others[v] = h->extra_owners[i];
    h->extra_owners[i] = v;
    l->home = b->n_locals + b->o->max_cells + i;
    visit_stops(b, v, lies_above, &i);
}

/* Values come in the order of their definitions. */
static bool in_extra(Back *b, Homes *h, Ref v) {
    u4 i = 0;
    while (i < b->n_extra && h->extra_ends[i] > b->lives[v].def) i++;
    if (i == MOST_EXTRA) {
        b->o->why = "too many values";
        return false;
    }
    if (i == b->n_extra) b->n_extra++;
    take_extra(b, h, v, i);
    return !b->o->why;
}

static bool in_this_extra(Back *b, Homes *h, Ref v, u4 i) {
    u4 asked = 0;
    for (Ref r = h->extra_owners[i]; r; r = h->others[r])
        if (asked++ == MOST_ASKED || overlap(&b->lives[v], &b->lives[r])) return false;
    take_extra(b, h, v, i);
    return true;
}

/* --- those of phis --- */

static bool in_home_of(Back *b, Homes *h, Ref v, Ref other) {
    u4 extra = b->n_locals + b->o->max_cells, place = b->lives[other].home;
    if (!h->given[other]) return false;
    return place < extra ? in_frame_place(b, h, v, place) : in_this_extra(b, h, v, place - extra);
}

/* Node.extra: the phi that a value is an input of (opt_regs.c). */
static bool with_others(Back *b, Homes *h, Ref v) {
    const Node *n = opt_node(b->o, v);
    for (u4 p = 0; n->op == OPT_PHI && p < opt_block(b->o, n->block)->n_preds; p++)
        if (in_home_of(b, h, v, n->args[p])) return true;
    return n->op != OPT_PARAM && n->extra && in_home_of(b, h, v, n->extra);
}

bool opt_brings_home(const Back *b, Ref phi, u4 pred) {
    const Life *l = &b->lives[opt_node(b->o, phi)->args[pred]];
    return l->in_memory && l->first && b->lives[phi].in_memory && l->home == b->lives[phi].home;
}

static void note_joins(Back *b, Ref phi) {
    const Block *x = opt_block(b->o, opt_node(b->o, phi)->block);
    bool all = true;
    for (u4 p = 0; p < x->n_preds; p++) all &= opt_brings_home(b, phi, p);
    b->lives[phi].joins = all;
}

/* --- registers --- */

static void note_register(Back *b, const LiveRange *x, Reg reg) {
    for (u4 i = first_stop(b, x->from > AT_RESULT ? x->from - AT_RESULT : 0); i < b->n_stops && b->stops[i].pos < x->to; i++)
        b->stops[i].registers |= 1u << reg;
}

static void note_registers(Back *b) {
    for (Ref r = 1; r <= b->o->n_nodes; r++)
        for (const Piece *p = b->lives[r].first; p; p = p->next)
            for (const LiveRange *x = p->ranges; x && p->reg != NO_REG && !p->fp; x = x->next) note_register(b, x, p->reg);
    for (u4 i = 0; i < b->n_stops; i++) {
        Stop *s = &b->stops[i];
        const Node *n = opt_node(b->o, s->node);
        s->registers |= opt_clobbers(b, n).general | (0xffff & ~GENERAL_REGS);
        for (u4 t = 0; t < opt_temps(b, n); t++) s->registers |= 1u << b->temps[s->pos / STEP][t];
    }
}

static bool find_keepers(Back *b) {
    u4 n = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass && !(b->kept_by = opt_alloc(b->o, (n + 1) * sizeof(Ref)))) return false;
        for (u4 i = 0; i < b->n_order; i++)
            for (Ref r = opt_block(b->o, b->order[i])->first; r; r = opt_node(b->o, r)->next) {
                const Node *x = opt_node(b->o, r);
                if ((x->op != OPT_STORE && x->op != OPT_SET_ELEMENT) || !x->stable || x->from != OT_REF || !x->in[0]) continue;
                if (pass) b->kept_by[b->n_kept_by++] = r;
                else n++;
            }
    }
    return true;
}

bool opt_homes(Back *b) {
    Opt *o = b->o;
    u4 places = b->n_locals + o->max_cells;
    Homes h = {.owners = opt_alloc(o, (places + 1) * sizeof *h.owners),
               .extra_ends = opt_alloc(o, MOST_EXTRA * sizeof(u4)),
               .extra_owners = opt_alloc(o, MOST_EXTRA * sizeof(Ref)),
               .others = opt_alloc(o, (o->n_nodes + 1) * sizeof(Ref)),
               .given = opt_alloc(o, o->n_nodes + 1)};
    if (o->no_memory) return false;
    if (!find_keepers(b)) return false;
    note_registers(b);
    for (u4 i = 0; i < b->n_stops; i++) b->stops[i].top = top_of(b, opt_node(o, b->stops[i].node));
    for (u4 i = 0; i < b->n_order; i++)
        for (Ref r = opt_block(o, b->order[i])->first; r; r = opt_node(o, r)->next) {
            if (!b->lives[r].in_memory) continue;
            if (!with_others(b, &h, r) && !in_frames(b, &h, r) && !in_extra(b, &h, r)) return false;
            if (o->why) return false;
            h.given[r] = true;
        }
    for (u4 i = 0; i < b->n_order; i++)
        for (Ref r = opt_block(o, b->order[i])->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
            note_joins(b, r);
    return true;
}
