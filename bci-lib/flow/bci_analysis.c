/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_analysis.c - dominators and liveness on a control-flow graph; patterns of instructions.
 *
 * Both analyses take the graph as it is given: like it, they describe the list as it stood then. They are solved by
 * the sweeps of the data-flow engine (cf_dataflow.h).
 *
 * DOMINATORS by the method of Cooper, Harvey and Kennedy: intersect the dominators of the
 * predecessors along the tree found so far, in reverse postorder, until nothing changes.
 *
 * LIVENESS backwards over sets of local slots. Control may leave a block for a handler in front of
 * any of its instructions, so what is live at the handlers of a block is live all through it.
 */
#include "bci_flow.h"
#include "cf_dataflow.h"

/* ---- dominators ---- */

typedef struct Order {
    uint32_t *number; /* by block: place in postorder */
    uint32_t *blocks; /* by place */
    uint32_t n;
} Order;

/* Depth-first with a stack of (block, next edge). */
static bool postorder(CfArena *a, const BciCfg *g, Order *o) {
    uint32_t *stack = CF_NEW_ARRAY(a, uint32_t, 2 * (size_t)g->nblocks + 2), depth = 0;
    uint8_t *seen = CF_NEW_ARRAY(a, uint8_t, g->nblocks + 1);
    o->number = CF_NEW_ARRAY(a, uint32_t, g->nblocks + 1);
    o->blocks = CF_NEW_ARRAY(a, uint32_t, g->nblocks + 1);
    if (!stack || !seen || !o->number || !o->blocks) return false;
    stack[0] = 0;
    stack[1] = g->blocks[0].succ;
    seen[0] = 1;
    depth = 1;
    while (depth) {
        uint32_t b = stack[2 * depth - 2], *e = &stack[2 * depth - 1];
        if (*e == g->blocks[b].succ + g->blocks[b].nsucc) {
            o->number[b] = o->n;
            o->blocks[o->n++] = b;
            depth--;
            continue;
        }
        uint32_t to = g->edges[(*e)++].to;
        if (!seen[to]) {
            seen[to] = 1;
            stack[2 * depth] = to;
            stack[2 * depth + 1] = g->blocks[to].succ;
            depth++;
        }
    }
    return true;
}

static uint32_t meet(const Order *o, const uint32_t *idom, uint32_t a, uint32_t b) {
    while (a != b) {
        while (o->number[a] < o->number[b]) a = idom[a];
        while (o->number[b] < o->number[a]) b = idom[b];
    }
    return a;
}

typedef struct Dominators {
    const BciCfg *g;
    const Order *o;
    uint32_t *idom;
} Dominators;

/* The entry is last in postorder and stays. */
static int refine(void *ctx, uint32_t k) {
    const Dominators *d = ctx;
    uint32_t b = d->o->blocks[k], now = BCI_NO_BLOCK;
    const BciBlock *blk = &d->g->blocks[b];
    for (uint32_t p = blk->pred; p < blk->pred + blk->npred; p++) {
        uint32_t from = d->g->edges[d->g->preds[p]].from;
        if (d->idom[from] != BCI_NO_BLOCK) now = now == BCI_NO_BLOCK ? from : meet(d->o, d->idom, now, from);
    }
    bool changed = now != d->idom[b];
    d->idom[b] = now;
    return changed;
}

const uint32_t *bci_dominators(BciCode *code, const BciCfg *g) {
    if (!bci_ok(code) || !g) return NULL;
    CfArena *a = &code->m->cls->arena;
    uint32_t *idom = cf_arena_alloc(a, g->nblocks * sizeof *idom);
    Order o = {0};
    if (!idom || !postorder(a, g, &o)) return bci_refuse(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    for (uint32_t b = 0; b < g->nblocks; b++) idom[b] = b == 0 ? 0 : BCI_NO_BLOCK;
    cf_sweep(o.n - 1, true, refine, &(Dominators){g, &o, idom});
    return idom;
}

bool bci_dominates(const uint32_t *idom, uint32_t a, uint32_t b) {
    while (b != a && b != BCI_NO_BLOCK && b != 0) b = idom[b];
    return a == b;
}

/* ---- liveness ---- */

struct BciLiveness {
    const BciCfg *g;
    uint32_t words; /* of a set of slots */
    uint64_t *in;   /* nblocks sets: live at the start of a block */
    uint64_t *tmp;  /* one set, for questions */
};

static void set_bit(uint64_t *s, uint32_t k, bool on) {
    if (on) s[k / 64] |= 1ull << (k % 64);
    else s[k / 64] &= ~(1ull << (k % 64));
}

bool bci_access(const BciInsn *i, BciAccess *out) {
    const CfOpInfo *o = &cf_op_info[i->op & 255];
    CfFormat f = o->format;
    if (bci_is_label(i) || (f != CF_FMT_LOCAL && f != CF_FMT_IINC && (f < CF_FMT_LOCAL0 || f > CF_FMT_LOCAL3))) return false;
    bool store = o->flags & CF_OF_STORE;
    char kind = f == CF_FMT_IINC ? 'I' : (o->flags & CF_OF_LOAD ? o->pushes : o->pops)[0];
    *out = (BciAccess){.slot = i->index,
                       .kind = kind && strchr("IJFD", kind) ? kind : 'A',
                       .slots = kind == 'J' || kind == 'D' ? 2 : 1,
                       .reads = !store || f == CF_FMT_IINC,
                       .writes = store || f == CF_FMT_IINC};
    return true;
}

/* The set in front of `i` from the set behind it. */
static void step_back(const BciInsn *i, uint64_t *live, uint32_t words) {
    BciAccess a;
    if (!bci_access(i, &a)) return;
    for (uint32_t k = a.slot; k < a.slot + a.slots && k < words * 64; k++) set_bit(live, k, a.reads);
}

/* Into `live`: the set at the end of block `b`; into `thrown`, if wanted: what its handlers need. */
static void at_end(const BciLiveness *l, uint32_t b, uint64_t *live, uint64_t *thrown) {
    const BciBlock *blk = &l->g->blocks[b];
    memset(live, 0, l->words * sizeof *live);
    memset(thrown, 0, l->words * sizeof *thrown);
    for (uint32_t e = blk->succ; e < blk->succ + blk->nsucc; e++) {
        uint64_t *to = l->g->edges[e].kind == BCI_EDGE_THROW ? thrown : live;
        for (uint32_t w = 0; w < l->words; w++) to[w] |= l->in[(size_t)l->g->edges[e].to * l->words + w];
    }
}

/* Into l->tmp: the set in front of `stop`, which is in block `b`. */
static void in_front_of(const BciLiveness *l, uint32_t b, const BciInsn *stop) {
    uint64_t *live = l->tmp, *thrown = l->tmp + l->words;
    at_end(l, b, live, thrown);
    for (const BciInsn *i = l->g->blocks[b].last; i; i = bci_prev(i)) {
        step_back(i, live, l->words);
        if (i == stop) break;
    }
    for (uint32_t w = 0; w < l->words; w++) live[w] |= thrown[w];
}

static int solve(void *ctx, uint32_t b) {
    BciLiveness *l = ctx;
    uint64_t *in = l->in + (size_t)b * l->words;
    in_front_of(l, b, l->g->blocks[b].first);
    if (memcmp(in, l->tmp, l->words * sizeof *in) == 0) return 0;
    memcpy(in, l->tmp, l->words * sizeof *in);
    return 1;
}

const BciLiveness *bci_liveness(BciCode *code, const BciCfg *g) {
    if (!bci_ok(code) || !g) return NULL;
    CfArena *a = &code->m->cls->arena;
    BciLiveness *l = CF_NEW(a, BciLiveness);
    if (l) {
        *l = (BciLiveness){.g = g, .words = (code->max_locals + 63) / 64 + 1};
        l->in = CF_NEW_ARRAY(a, uint64_t, (size_t)g->nblocks * l->words);
        l->tmp = CF_NEW_ARRAY(a, uint64_t, 2 * (size_t)l->words);
    }
    if (!l || !l->in || !l->tmp) return bci_refuse(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    cf_sweep(g->nblocks, true, solve, l);
    return l;
}

bool bci_live(const BciLiveness *l, const BciInsn *i, uint32_t slot) {
    int b = l && i ? bci_cfg_block(l->g, i) : -1;
    if (b < 0 || slot >= l->words * 64) return false;
    in_front_of(l, (uint32_t)b, i);
    return l->tmp[slot / 64] >> (slot % 64) & 1;
}

uint32_t bci_live_words(const BciLiveness *l) { return l->words; }

void bci_live_sets(const BciLiveness *l, uint32_t b, BciSeeLive see, void *ctx) {
    uint64_t *live = l->tmp, *thrown = l->tmp + l->words;
    const BciBlock *blk = &l->g->blocks[b];
    at_end(l, b, live, thrown);
    for (const BciInsn *i = blk->last; i; i = bci_prev(i)) {
        step_back(i, live, l->words);
        see(ctx, i, live, thrown);
        if (i == blk->first) break;
    }
}

/* ---- patterns ---- */

static bool is_kind(const BciInsn *i, unsigned want) {
    uint32_t fl = bci_flags(i), load = fl & CF_OF_LOAD && !(fl & CF_OF_ARRAY), store = fl & CF_OF_STORE && !(fl & CF_OF_ARRAY);
    switch (want) {
    case BCI_ANY: return true;
    case BCI_ANY_CONST: return fl & CF_OF_CONST;
    case BCI_ANY_LOAD: return load;
    case BCI_ANY_STORE: return store && i->op != CF_OP_IINC;
    case BCI_ANY_FIELD: return fl & CF_OF_FIELD;
    case BCI_ANY_INVOKE: return fl & CF_OF_INVOKE;
    case BCI_ANY_RETURN: return fl & CF_OF_RETURN;
    case BCI_ANY_COND: return fl & CF_OF_COND;
    default: return i->op == want;
    }
}

/* Can control come to `i` other than from the instruction in front of it? */
static bool is_entered(const BciInsn *i) {
    for (const BciInsn *p = i->prev; p && bci_is_label(p); p = p->prev)
        if (((const BciLabel *)p)->is_target || ((const BciLabel *)p)->is_handler) return true;
    return false;
}

BciInsn *bci_find_pattern(BciInsn *from, const uint16_t *ops, uint32_t n, BciInsn **found) {
    if (from && bci_is_label(from)) from = bci_next(from);
    for (; from && n; from = bci_next(from)) {
        BciInsn *i = from;
        uint32_t k = 0;
        while (i && is_kind(i, ops[k]) && (k == 0 || !is_entered(i))) {
            if (found) found[k] = i;
            if (++k == n) return from;
            i = bci_next(i);
        }
    }
    return NULL;
}

bool bci_refers_to(BciCode *code, const BciInsn *i, const char *owner, const char *name, const char *desc) {
    CfStr o, n, d;
    if (!code || !i || !(bci_flags(i) & (CF_OF_FIELD | CF_OF_INVOKE))) return false;
    const CfClass *cf = code->m->cls->cf;
    if (!cf_member_ref(cf, i->index, &o, &n, &d) && (!cf_name_and_type(cf, i->index, &n, &d) || owner)) return false;
    return (!owner || cf_str_is(o, owner)) && (!name || cf_str_is(n, name)) && (!desc || cf_str_is(d, desc));
}
