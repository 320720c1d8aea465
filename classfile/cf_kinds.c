/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_kinds.c - kinds of the cells of frames, by the data-flow engine.
 *
 * THE LATTICE. A cell is a set of kinds in one byte, and paths that meet unite their sets: what is not one bit is not
 * known, and no verified code reads it. So the meet of states is OR, bytes at a time, and a cell changes eight times at most.
 *
 * TRANSFER by the rows of opcodes.def: so many cells popped, then pushed by letter. Only members and ldc look into the pool,
 * for the first letter of a descriptor. A cell that lost its other half to a store keeps its kind: verified code does not
 * read it. The handler of a row sees the locals and one reference.
 */
#include "cf_kinds.h"

static uint8_t kind_of_letter(char c) {
    switch (c) {
    case 'I':
    case 'Z':
    case 'B':
    case 'S':
    case 'C': return CF_K_INT;
    case 'F': return CF_K_FLOAT;
    case 'J': return CF_K_LONG;
    case 'D': return CF_K_DOUBLE;
    case 'R': return CF_K_RETURN;
    default: return CF_K_REF;
    }
}

static bool is_wide(uint8_t kind) { return kind == CF_K_LONG || kind == CF_K_DOUBLE; }

/* ------------------------------------------------------------------------ the stack */

static bool push(CfKinds *k, uint8_t kind) {
    uint32_t n = is_wide(kind) ? 2 : 1;
    if (k->cur.depth + n > k->room) return false;
    uint8_t *top = k->cur.cells + k->nlocals + k->cur.depth;
    top[0] = kind;
    if (n == 2) top[1] = CF_K_HALF;
    k->cur.depth += n;
    return true;
}

static bool shuffle(CfKinds *k, uint8_t op) {
    const CfShuffle *s = &cf_shuffles[op - CF_OP_POP];
    uint8_t was[4], *low = k->cur.cells + k->nlocals + k->cur.depth - s->takes;
    if (k->cur.depth < s->takes || k->cur.depth - s->takes + s->gives > k->room) return false;
    memcpy(was, low, s->takes);
    for (unsigned n = 0; n < s->gives; n++) low[n] = was[s->from[n]];
    k->cur.depth += s->gives - (uint32_t)s->takes;
    return true;
}

/* The kind that a member or a dynamic constant gives; 0: none. */
static uint8_t result_kind(const CfKinds *k, const CfInsn *i) {
    CfStr name, desc;
    if (!cf_name_and_type(k->cls, i->index, &name, &desc)) return 0;
    if (cf_op_info[i->op].flags & CF_OF_INVOKE) desc = cf_desc_result(desc);
    return desc.len == 0 || desc.p[0] == 'V' ? 0 : kind_of_letter(desc.p[0]);
}

static uint8_t constant_kind(const CfKinds *k, const CfInsn *i) {
    switch (cf_tag(k->cls, i->index)) {
    case CF_CONST_INTEGER: return CF_K_INT;
    case CF_CONST_FLOAT: return CF_K_FLOAT;
    case CF_CONST_LONG: return CF_K_LONG;
    case CF_CONST_DOUBLE: return CF_K_DOUBLE;
    case CF_CONST_DYNAMIC: return result_kind(k, i);
    default: return CF_K_REF;
    }
}

static bool by_row(CfKinds *k, const CfInsn *i) {
    unsigned pops, pushes;
    if (!cf_insn_stack(k->cls, i, &pops, &pushes) || k->cur.depth < pops) return false;
    k->cur.depth -= pops;
    for (const char *p = cf_op_info[i->op].pushes; *p; p++) {
        uint8_t kind = *p == 'V' ? result_kind(k, i) : *p == 'K' ? constant_kind(k, i) : kind_of_letter(*p);
        if (kind && !push(k, kind)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------ the analysis */

static int put_local(CfKinds *k, uint32_t n, uint8_t kind) {
    if (n >= k->nlocals) return -1;
    bool same = k->cur.cells[n] == kind;
    k->cur.cells[n] = kind;
    return same ? 0 : CF_STEP_LOCALS;
}

static int store(CfKinds *k, const CfInsn *i) {
    char c = cf_op_info[i->op].pops[0];
    uint8_t kind = c == 'R' ? CF_K_REF : kind_of_letter(c);
    uint32_t n = is_wide(kind) ? 2 : 1;
    if (k->room) {
        if (k->cur.depth < n) return -1;
        k->cur.depth -= n;
        if (c == 'R') kind = k->cur.cells[k->nlocals + k->cur.depth]; /* or a return address */
    }
    int r = put_local(k, i->index, kind);
    return n == 1 || r < 0 ? r : r | put_local(k, i->index + 1u, CF_K_HALF);
}

static inline int step(void *ctx, const CfInsn *i) {
    CfKinds *k = ctx;
    uint32_t flags = cf_op_info[i->op].flags;
    if (flags & CF_OF_STORE) return store(k, i);
    if (!k->room) return 0;
    bool ok = flags & CF_OF_STACK ? shuffle(k, i->op) : by_row(k, i);
    return ok ? 0 : -1;
}

static inline void returned(void *ctx, const CfInsn *jsr) {
    CfKinds *k = ctx;
    if (k->room) k->cur.depth--;
}

static inline void load(void *ctx, uint32_t node) {
    CfKinds *k = ctx;
    k->cur.depth = k->at[node].depth;
    memcpy(k->cur.cells, k->at[node].cells, k->nlocals + k->cur.depth);
}

static int first(CfKinds *k, uint32_t node, const uint8_t *stack, uint32_t depth) {
    CfKindsAt *to = &k->at[node];
    to->cells = cf_arena_alloc(k->arena, k->nlocals + depth);
    if (!to->cells) {
        k->no_memory = true;
        return -1;
    }
    memcpy(to->cells, k->cur.cells, k->nlocals);
    memcpy(to->cells + k->nlocals, stack, depth);
    to->depth = depth;
    return 1;
}

static bool unite(uint8_t *restrict to, const uint8_t *restrict from, uint32_t n) {
    uint8_t changed = 0;
    for (uint32_t i = 0; i < n; i++) {
        changed |= (uint8_t)(from[i] & ~to[i]);
        to[i] |= from[i];
    }
    return changed;
}

static inline int meet(void *ctx, uint32_t node, uint32_t via) {
    CfKinds *k = ctx;
    static const uint8_t caught = CF_K_REF;
    bool thrown = cf_by_row(via);
    const uint8_t *stack = thrown ? &caught : k->cur.cells + k->nlocals;
    uint32_t depth = !thrown ? k->cur.depth : k->room != 0;
    CfKindsAt *to = &k->at[node];
    k->g.work += 1 + (k->nlocals + depth) / 16;
    if (!to->cells) return first(k, node, stack, depth);
    if (to->depth != depth) return -1;
    bool changed = unite(to->cells, k->cur.cells, k->nlocals);
    return changed | unite(to->cells + k->nlocals, stack, depth);
}

static const CfFlowOps kinds_ops = {.meet = meet, .load = load, .step = step, .returned = returned};

/* The arguments. */
static bool entry(CfKinds *k, const CfMember *m) {
    uint32_t n = 0;
    CfStr arg;
    memset(k->cur.cells, CF_K_NONE, k->nlocals);
    if (!(m->access & CF_ACC_STATIC) && put_local(k, n++, CF_K_REF) < 0) return false;
    CfDescIter it = cf_desc_start(cf_utf8(k->cls, m->desc));
    while (cf_desc_next(&it, &arg)) {
        uint8_t kind = kind_of_letter(arg.p[0]);
        if (put_local(k, n++, kind) < 0 || (is_wide(kind) && put_local(k, n++, CF_K_HALF) < 0)) return false;
    }
    return meet(k, 0, CF_BY_FALL) > 0;
}

CfKindsResult cf_kinds_init(CfKinds *k, const CfClass *c, const CfMember *m, const CfCode *code, unsigned flags, uint64_t most,
                            CfArena *arena) {
    *k = (CfKinds){.cls = c, .arena = arena, .nlocals = code->max_locals};
    CfGraphResult r = cf_graph_init(&k->g, code, flags & CF_KINDS_BLOCKS ? CF_NODES_BLOCKS : CF_NODES_MEET, arena);
    if (r != CF_GRAPH_OK) return r == CF_GRAPH_NO_MEMORY ? CF_KINDS_NO_MEMORY : CF_KINDS_UNKNOWN;
    if (most) k->g.most = most;
    if (flags & CF_KINDS_ALL) k->room = code->max_stack + 1u; /* never 0: that says that the stack is not looked at */
    k->cur.cells = cf_arena_alloc(arena, k->nlocals + k->room + 1u);
    k->at = CF_NEW_ARRAY(arena, CfKindsAt, k->g.n);
    if (!k->cur.cells || !k->at) return CF_KINDS_NO_MEMORY;
    bool ok = entry(k, m);
    if (ok) {
        k->g.flags[0] |= CF_NODE_REACHED | CF_NODE_DIRTY;
        ok = cf_flow_run(&k->g, &kinds_ops, k, false) == 0;
    }
    return ok ? CF_KINDS_OK : k->no_memory ? CF_KINDS_NO_MEMORY : CF_KINDS_UNKNOWN;
}

bool cf_kinds_go(CfKinds *k, uint32_t pc) { return cf_flow_to(&k->g, &kinds_ops, k, pc); }
