/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that become values, where ways meet: MEETS, LOOPS and NAMES of opt_escape.c. */
#include "jit/opt/opt_escape.h"
#include <string.h>

enum { MOST_NAMES = 1000 };

/* --- who can name what --- */

static bool may_name(const Node *n) {
    return n->type == OT_REF && (n->op == OPT_NEW || n->op == OPT_NEW_ARRAY || n->op == OPT_BOX || n->op == OPT_PHI ||
                                 n->op == OPT_LOAD || n->op == OPT_ELEMENT);
}

typedef struct Names {
    Escape *e;
    u4 *of; /* by node: from 1 */
    BlockRef *work;
    u4 n_work;
} Names;

static void lives_at_start(Names *w, u4 name, BlockRef b) {
    u8 *word = &w->e->live[b][name / 64], bit = 1ull << name % 64;
    if (*word & bit) return;
    *word |= bit;
    w->work[w->n_work++] = b;
}

static void lives_until(Names *w, Ref r, BlockRef b) {
    const Opt *o = w->e->o;
    u4 name = w->of[r];
    if (!name--) return;
    BlockRef def = opt_node(o, r)->block;
    if (b != def) lives_at_start(w, name, b);
    while (w->n_work) {
        const Block *x = opt_block(o, w->work[--w->n_work]);
        for (u4 p = 0; p < x->n_preds; p++)
            if (x->preds[p] != def) lives_at_start(w, name, x->preds[p]);
    }
}

static void note_use(Opt *o, Ref user, Ref *use, void *arg) { lives_until(arg, *use, opt_node(o, user)->block); }

/* At a head: a value that is its own phi is not there at its start. */
static void note_use_at_head(Opt *o, Ref user, Ref *use, void *arg) {
    (void)user;
    Names *w = arg;
    if (opt_node(o, *use)->block != w->e->block) lives_until(w, *use, w->e->block);
}

static void find_lives(Names *w) {
    Opt *o = w->e->o;
    for (u4 i = 0; i < o->n_order; i++) {
        BlockRef b = o->order[i];
        w->e->block = b;
        opt_visit_state(o, opt_block(o, b)->state, note_use_at_head, w);
        for (Ref r = opt_block(o, b)->first; r; r = opt_node(o, r)->next) {
            const Node *n = opt_node(o, r);
            if (n->op != OPT_PHI) opt_visit_uses(o, r, false, true, note_use, w);
            for (u4 p = 0; n->op == OPT_PHI && p < opt_block(o, b)->n_preds; p++)
                lives_until(w, n->args[p], opt_block(o, b)->preds[p]);
        }
    }
}

static bool find_phis(Escape *e, BlockRef b) {
    const Opt *o = e->o;
    u4 n = 0;
    for (Ref r = opt_block(o, b)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
        n += opt_node(o, r)->type == OT_REF;
    if (!(e->phis[b] = opt_alloc(e->o, (n + 1) * sizeof(Ref)))) return false;
    n = 0;
    for (Ref r = opt_block(o, b)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
        if (opt_node(o, r)->type == OT_REF) e->phis[b][n++] = r;
    return true;
}

bool escape_find_names(Escape *e) {
    Opt *o = e->o;
    Names w = {
        .e = e, .of = opt_alloc(o, (o->n_nodes + 1) * sizeof(u4)), .work = opt_alloc(o, (o->n_blocks + 1) * sizeof(BlockRef))};
    e->names = opt_alloc(o, (o->n_nodes + 1) * sizeof(Ref));
    e->live = opt_alloc(o, (o->n_blocks + 1) * sizeof *e->live);
    e->phis = opt_alloc(o, (o->n_blocks + 1) * sizeof *e->phis);
    if (o->no_memory) return false;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next)
            if (may_name(opt_node(o, r))) {
                e->names[e->n_names++] = r;
                w.of[r] = e->n_names;
            }
    if (e->n_names > MOST_NAMES) return false;
    for (u4 i = 0; i < o->n_order; i++)
        if (!(e->live[o->order[i]] = opt_alloc(o, (e->n_names + 63) / 64 * sizeof(u8))) || !find_phis(e, o->order[i]))
            return false;
    find_lives(&w);
    return true;
}

/* How often each candidate can be named: by values, and by slots of those that can. */
static void count_name(const Escape *e, const Flow *f, Ref r, u1 *counts) {
    r = escape_is_now(e, r);
    int c = r && r <= e->n_nodes ? e->index[r] - 1 : -1;
    if (c < 0 || f->is[c] == NONE || counts[c] == UINT8_MAX || counts[c]++) return;
    for (u4 i = 0; f->is[c] == VIRTUAL && i < e->all[c].layout->n; i++)
        if (e->all[c].layout->slots[i].type == OT_REF) count_name(e, f, f->slots[c][i], counts);
}

/* On the edge from predecessor p, at whose end f holds. */
static void count_names(const Escape *e, BlockRef b, u4 p, const Flow *f, u1 *counts) {
    const Opt *o = e->o;
    memset(counts, 0, MOST_CANDIDATES);
    for (u4 i = 0; i < (e->n_names + 63) / 64; i++)
        for (u8 bits = e->live[b][i]; bits; bits &= bits - 1)
            count_name(e, f, e->names[64 * i + (u4)__builtin_ctzll(bits)], counts);
    for (const Ref *phi = e->phis[b]; *phi; phi++) count_name(e, f, opt_node(o, *phi)->args[p], counts);
}

/* --- what loops store into --- */

static u4 shift_of(u1 kind) { return kind == MEM_64 ? 3 : kind == MEM_32 ? 2 : kind == MEM_S16 || kind == MEM_U16 ? 1 : 0; }

/* Of an element at a constant index; else ANY_ELEMENT. */
int64_t escape_offset_of_element(const Escape *e, const Node *n) {
    Ref index = escape_is_now(e, n->in[1]);
    if (!opt_is_const(e->o, index)) return ANY_ELEMENT;
    int64_t k = opt_node(e->o, index)->k;
    return k < 0 || k > MOST_SLOTS ? ANY_ELEMENT : ARRAY_BASE + (k << shift_of(n->kind));
}

static void note_stores(Escape *e, BlockRef head, BlockRef b) {
    for (Ref r = opt_block(e->o, b)->first; r; r = opt_node(e->o, r)->next) {
        const Node *n = opt_node(e->o, r);
        if ((n->op != OPT_STORE || !n->in[0]) && n->op != OPT_SET_ELEMENT) continue;
        Changed *c = opt_alloc(e->o, sizeof *c);
        if (!c) return;
        *c = (Changed){e->changed[head], n->op == OPT_STORE ? n->k : escape_offset_of_element(e, n), n->in[0]};
        e->changed[head] = c;
    }
}

/* What a loop gave, or several ways, may be any candidate. */
static bool may_be(const Escape *e, Ref r, u4 c) {
    u1 op = opt_node(e->o, r)->op;
    return r == e->all[c].node || op == OPT_PHI || op == OPT_LOAD || op == OPT_ELEMENT;
}

static bool may_change(Escape *e, BlockRef head, u4 of, u4 slot) {
    const Opt *o = e->o;
    const OptLayout *l = e->all[of].layout;
    for (u4 i = 0; !e->knows_changed[head] && i < o->n_order; i++)
        if (opt_is_in_loop(o, o->order[i], head)) note_stores(e, head, o->order[i]);
    e->knows_changed[head] = true;
    for (const Changed *c = e->changed[head]; c; c = c->next)
        if ((c->k == l->slots[slot].offset || (c->k == ANY_ELEMENT && l->length >= 0)) && may_be(e, c->of, of)) return true;
    return false;
}

/* --- starts of blocks --- */

/* A way that leads to a block. */
typedef struct Way {
    u4 pred;
    const Flow *from;
    u1 counts[MOST_CANDIDATES];
} Way;

typedef struct Meet {
    BlockRef b;
    bool head;
    Way *ways; /* of a head: the one from outside */
    u4 n;
    u1 consumed[MOST_CANDIDATES]; /* by a phi that takes its place */
} Meet;

bool escape_is_taken(const Escape *e, BlockRef from, BlockRef to) {
    if (!e->ends[from]) return false;
    int goes = e->goes[from];
    return goes < 0 || opt_block(e->o, from)->succs[goes] == to;
}

static Ref new_phi(Escape *e, BlockRef b, OptType t) {
    u4 n = opt_block(e->o, b)->n_preds;
    Ref *args = opt_alloc(e->o, n * sizeof *args), r = opt_new(e->o, OPT_PHI, t);
    if (!args || !r) return 0;
    opt_node(e->o, r)->args = args;
    opt_node(e->o, r)->block = b;
    if (e->applies) opt_insert_phi(e->o, b, r);
    return r;
}

/* The phi that this round made for a slot at a head. */
static bool is_own_phi(const Escape *e, Ref r, BlockRef head) {
    return r > e->n_nodes && opt_node(e->o, r)->op == OPT_PHI && opt_node(e->o, r)->block == head;
}

/* What a slot has where several ways meet.  candidates[w]: whose slot it is there. */
static Ref merge_slot(Escape *e, const Meet *m, const int *candidates, u4 slot, OptType t) {
    Ref first = escape_is_now(e, m->ways[0].from->slots[candidates[0]][slot]);
    bool same = true, all_values = true;
    for (u4 w = 0; w < m->n; w++) {
        Ref v = escape_is_now(e, m->ways[w].from->slots[candidates[w]][slot]);
        same &= v == first;
        all_values &= escape_virtual_in(e, m->ways[w].from, v) < 0;
    }
    if (same) return first;
    if (!all_values) {
        for (u4 w = 0; w < m->n; w++)
            escape_never(e, escape_virtual_in(e, m->ways[w].from, m->ways[w].from->slots[candidates[w]][slot]));
        return first;
    }
    Ref phi = new_phi(e, m->b, t);
    for (u4 w = 0; phi && w < m->n; w++)
        opt_node(e->o, phi)->args[m->ways[w].pred] =
            escape_value_in(e, m->ways[w].from, m->ways[w].from->slots[candidates[w]][slot]);
    return phi;
}

/* The phis of what a loop may change; the way back is filled in at its latch.  `all`: another object comes from there. */
static Ref *slots_at_head(Escape *e, const Meet *m, int c, bool all) {
    const OptLayout *l = e->all[c].layout;
    const Flow *from = m->ways[0].from;
    Ref *slots = escape_copy_slots(e, l, from->slots[c]);
    for (u4 i = 0; slots && i < l->n; i++) {
        if (!all && !may_change(e, m->b, (u4)c, i)) continue;
        int in_slot = escape_virtual_in(e, from, slots[i]);
        if (in_slot >= 0) {
            escape_never(e, in_slot);
            continue;
        }
        Ref v = escape_value_in(e, from, slots[i]), phi = new_phi(e, m->b, (OptType)l->slots[i].type);
        if (!phi) return NULL;
        opt_node(e->o, phi)->args[m->ways[0].pred] = v;
        slots[i] = phi;
    }
    return slots;
}

static Ref *merged_slots(Escape *e, const Meet *m, const int *candidates) {
    const OptLayout *l = e->all[candidates[0]].layout;
    if (m->head) return slots_at_head(e, m, candidates[0], false);
    Ref *slots = opt_alloc(e->o, l->n * sizeof *slots);
    for (u4 i = 0; slots && i < l->n; i++) slots[i] = merge_slot(e, m, candidates, i, (OptType)l->slots[i].type);
    return slots;
}

static Ref merged_real(Escape *e, const Meet *m, u4 c) {
    Ref first = m->ways[0].from->real[c];
    bool same = true;
    for (u4 w = 1; w < m->n; w++) same &= m->ways[w].from->real[c] == first;
    if (same) return first;
    Ref phi = new_phi(e, m->b, OT_REF);
    for (u4 w = 0; phi && w < m->n; w++) opt_node(e->o, phi)->args[m->ways[w].pred] = m->ways[w].from->real[c];
    if (phi) opt_node(e->o, phi)->not_null = true;
    return phi;
}

static void merge_candidate(Escape *e, const Meet *m, u4 c) {
    u4 n_virtual = 0, n_real = 0, n_named = 0;
    int same[MOST_PREDS];
    for (u4 w = 0; w < m->n; w++) {
        n_named += m->ways[w].counts[c] > 0;
        n_virtual += m->ways[w].from->is[c] == VIRTUAL;
        n_real += m->ways[w].from->is[c] == REAL;
        same[w] = (int)c;
    }
    if (n_named < m->n || m->consumed[c]) return;
    if (n_virtual == m->n) escape_become(e, c, VIRTUAL, 0, merged_slots(e, m, same));
    else if (n_real == m->n) escape_become(e, c, REAL, merged_real(e, m, c), NULL);
    else escape_never(e, (int)c);
}

static void never_inputs(Escape *e, const Meet *m, Ref phi) {
    for (u4 w = 0; w < m->n; w++)
        escape_never(e, escape_virtual_in(e, m->ways[w].from, opt_node(e->o, phi)->args[m->ways[w].pred]));
}

/* Nobody can name the inputs otherwise. */
static bool takes_their_place(Escape *e, const Meet *m, const int *inputs) {
    for (u4 w = 0; w < m->n; w++) {
        const Way *way = &m->ways[w];
        if (way->counts[inputs[w]] != 1 || e->all[inputs[w]].layout != e->all[inputs[0]].layout) return false;
    }
    return true;
}

static void become_phi(Escape *e, Meet *m, Ref phi, const int *inputs) {
    u4 c = escape_candidate(e, phi, e->all[inputs[0]].layout);
    if (!c-- || e->all[c].never || !takes_their_place(e, m, inputs)) return never_inputs(e, m, phi);
    for (u4 w = 0; w < m->n; w++) m->consumed[inputs[w]] = true;
    escape_become(e, c, VIRTUAL, 0, m->head ? slots_at_head(e, m, inputs[0], true) : merged_slots(e, m, inputs));
}

static void merge_phi(Escape *e, Meet *m, Ref phi) {
    int inputs[MOST_PREDS];
    u4 n_virtual = 0;
    bool same = true;
    for (u4 w = 0; w < m->n; w++) {
        inputs[w] = escape_virtual_in(e, m->ways[w].from, opt_node(e->o, phi)->args[m->ways[w].pred]);
        n_virtual += inputs[w] >= 0;
        same &= inputs[w] == inputs[0];
    }
    if (n_virtual == m->n && same && !m->head) e->to[phi] = e->all[inputs[0]].node;
    else if (n_virtual == m->n) become_phi(e, m, phi, inputs);
    else if (n_virtual) never_inputs(e, m, phi);
}

/* Inputs that were made have other names now. */
static void write_phi(Escape *e, const Meet *m, Ref phi) {
    for (u4 w = 0; w < m->n; w++) {
        Ref *arg = &opt_node(e->o, phi)->args[m->ways[w].pred];
        *arg = escape_value_in(e, m->ways[w].from, *arg);
    }
}

static bool is_gone(const Escape *e, Ref phi) { return e->to[phi] || (e->index[phi] && e->now.is[e->index[phi] - 1] == VIRTUAL); }

static void merge_phis(Escape *e, Meet *m) {
    for (const Ref *phi = e->phis[m->b]; *phi; phi++) {
        merge_phi(e, m, *phi);
        if (e->applies && is_gone(e, *phi)) opt_unlink(e->o, *phi);
        else if (e->applies) write_phi(e, m, *phi);
    }
}

static bool find_ways(Escape *e, Meet *m) {
    const Block *x = opt_block(e->o, m->b);
    m->ways = opt_alloc(e->o, (x->n_preds + 1) * sizeof *m->ways);
    for (u4 p = 0; m->ways && p < x->n_preds; p++) {
        if (!escape_is_taken(e, x->preds[p], m->b)) continue;
        Way *w = &m->ways[m->n++];
        w->pred = p;
        w->from = e->ends[x->preds[p]];
        count_names(e, m->b, p, w->from, w->counts);
    }
    return m->n;
}

/* Copies are there if all ways have the same. */
static void merge_lent(Escape *e, const Meet *m, u4 c) {
    Ref copy = m->ways[0].from->lent[c];
    for (u4 w = 1; w < m->n; w++)
        if (m->ways[w].from->lent[c] != copy) return;
    e->now.lent[c] = copy;
}

/* False: nothing leads here. */
bool escape_start_block(Escape *e, BlockRef b) {
    Meet m = {.b = b, .head = opt_block(e->o, b)->loop_head};
    memset(&e->now, 0, sizeof e->now);
    e->version++;
    if (b == 1) return true;
    if (!find_ways(e, &m)) return false;
    merge_phis(e, &m);
    for (u4 c = 0; c < e->n_all; c++)
        if (e->now.is[c] == NONE) merge_candidate(e, &m, c);
    for (u4 c = 0; c < e->n_all && !m.head; c++)
        if (e->now.is[c] == VIRTUAL) merge_lent(e, &m, c);
    return true;
}

/* --- latches --- */

/* The way back has v in a slot that is `at` at the head. */
static void close_slot(Escape *e, BlockRef head, u4 pred, int c, Ref at, Ref v) {
    if (!is_own_phi(e, at, head)) {
        if (escape_is_now(e, at) != escape_is_now(e, v)) escape_never(e, c);
        return;
    }
    escape_never(e, escape_virtual(e, v));
    opt_node(e->o, at)->args[pred] = escape_value(e, v);
}

static void close_slots(Escape *e, BlockRef head, u4 pred, int c, int back) {
    for (u4 i = 0; i < e->all[c].layout->n; i++)
        close_slot(e, head, pred, c, e->starts[head]->slots[c][i], e->now.slots[back][i]);
}

/* The phi, a candidate at its head, goes on with the same or another object. */
static void close_phi(Escape *e, BlockRef head, u4 pred, Ref phi, const u1 *counts) {
    int c = e->index[phi] - 1, back = escape_virtual(e, opt_node(e->o, phi)->args[pred]);
    if (back < 0 || e->all[back].layout != e->all[c].layout || counts[back] != 1) return escape_never(e, c);
    close_slots(e, head, pred, c, back);
}

static bool is_phi_of(const Escape *e, u4 c, BlockRef head) {
    const Node *n = opt_node(e->o, e->all[c].node);
    return n->op == OPT_PHI && n->block == head;
}

void escape_close_loop(Escape *e, BlockRef head, u4 pred) {
    const Flow *start = e->starts[head];
    u1 counts[MOST_CANDIDATES];
    if (!start) return;
    count_names(e, head, pred, &e->now, counts);
    for (const Ref *phi = e->phis[head]; *phi; phi++) {
        Ref *arg = &opt_node(e->o, *phi)->args[pred];
        if (e->index[*phi] && start->is[e->index[*phi] - 1] == VIRTUAL) continue;
        escape_never(e, escape_virtual(e, *arg));
        if (e->applies) *arg = escape_value(e, *arg);
    }
    for (u4 c = 0; c < e->n_all; c++) {
        if (start->is[c] != VIRTUAL) continue;
        if (is_phi_of(e, c, head)) close_phi(e, head, pred, e->all[c].node, counts);
        else if (e->now.is[c] == VIRTUAL) close_slots(e, head, pred, (int)c, (int)c);
        else escape_never(e, (int)c);
    }
}
