/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_live.c - liveness of locals over bytecode (cf_kinds.h), backward by the data-flow engine.
 *
 * For each block two sets are gathered once: `use`, what it reads before it writes it, and `def`, what it writes. Then
 *     in = use | (out & ~def) | thrown
 * is solved over the blocks, where `out` unites the sets of those that follow, and `thrown` those of the handlers of the
 * block, which may be entered in front of each of its instructions. Blocks end where rows begin and end.
 */
#include "cf_kinds.h"

static uint64_t *set_of(const CfLive *l, uint64_t *sets, uint32_t node) { return sets + (size_t)node * l->words; }

static void unite(const CfLive *l, uint64_t *to, const uint64_t *from) {
    for (uint32_t w = 0; w < l->words; w++) to[w] |= from[w];
}

/* Reads count unless `def` has them already. */
static void access_local(const CfLive *l, uint64_t *use, uint64_t *def, uint32_t n, bool reads) {
    uint64_t bit = 1ull << (n % 64);
    if (n >= l->nlocals) return;
    if (!reads) def[n / 64] |= bit;
    else if (!(def[n / 64] & bit)) use[n / 64] |= bit;
}

static void access_insn(const CfLive *l, uint64_t *use, uint64_t *def, const CfInsn *i) {
    const CfOpInfo *info = &cf_op_info[i->op];
    if (info->flags & CF_OF_RET) {
        for (uint32_t n = 0; n < l->nlocals; n++) access_local(l, use, def, n, true);
    } else if (i->op == CF_OP_IINC) {
        access_local(l, use, def, i->index, true);
    } else if (info->flags & (CF_OF_LOAD | CF_OF_STORE)) {
        bool reads = info->flags & CF_OF_LOAD;
        char c = (reads ? info->pushes : info->pops)[0];
        access_local(l, use, def, i->index, reads);
        if (c == 'J' || c == 'D') access_local(l, use, def, i->index + 1u, reads);
    }
}

/* From `pc` to the end of its block; the last instruction. False: none begins there. */
static bool gather(const CfLive *l, uint32_t pc, uint64_t *use, uint64_t *def, CfInsn *last) {
    const CfCode *code = l->g.code;
    do {
        if (!cf_insn(code->code, code->code_len, pc, last)) return false;
        access_insn(l, use, def, last);
        pc += last->len;
    } while (pc < code->code_len && !(l->g.marks[pc] & CF_AT_NODE));
    return true;
}

static void out_of(CfLive *l, const CfInsn *last, uint64_t *out) {
    uint32_t flags = cf_op_info[last->op].flags, next = last->pc + last->len;
    memset(out, 0, l->words * sizeof *out);
    if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) unite(l, out, set_of(l, l->in, cf_graph_node(&l->g, last->target)));
    for (uint32_t k = 0; k < last->cases; k++) unite(l, out, set_of(l, l->in, cf_graph_node(&l->g, cf_switch_target(last, k))));
    if ((flags & CF_OF_JSR || !(flags & CF_OF_END)) && next < l->g.code->code_len)
        unite(l, out, set_of(l, l->in, cf_graph_node(&l->g, next)));
}

static void thrown_at(CfLive *l, uint32_t pc, uint64_t *to) {
    const CfRows *rows = &l->g.code->handlers;
    if (pc < l->g.rows_from || pc >= l->g.rows_to) return;
    for (uint32_t k = 0; k < rows->count; k++) {
        CfHandler h = cf_handler(rows, k);
        if (pc >= h.start && pc < h.end) unite(l, to, set_of(l, l->in, cf_graph_node(&l->g, h.handler)));
    }
}

/* Into `set`: what is live in front of `pc`, given its uses and defs up to `last`, the end of its block. */
static void solve(CfLive *l, uint32_t pc, const CfInsn *last, const uint64_t *use, const uint64_t *def, uint64_t *set) {
    out_of(l, last, set);
    for (uint32_t w = 0; w < l->words; w++) set[w] = use[w] | (set[w] & ~def[w]);
    thrown_at(l, pc, set);
}

static int visit(void *ctx, uint32_t node) {
    CfLive *l = ctx;
    CfInsn last;
    uint64_t *in = set_of(l, l->in, node);
    if (!cf_insn(l->g.code->code, l->g.code->code_len, l->last[node], &last)) return -1;
    solve(l, l->g.pcs[node], &last, set_of(l, l->use, node), set_of(l, l->def, node), l->tmp);
    if (memcmp(in, l->tmp, l->words * sizeof *in) == 0) return 0;
    memcpy(in, l->tmp, l->words * sizeof *in);
    return 1;
}

bool cf_live_init(CfLive *l, const CfCode *code, CfArena *arena) {
    *l = (CfLive){.nlocals = code->max_locals, .words = code->max_locals / 64u + 1};
    if (cf_graph_init(&l->g, code, CF_NODES_BLOCKS, arena) != CF_GRAPH_OK) return false;
    size_t words = (size_t)l->g.n * l->words;
    l->use = CF_NEW_ARRAY(arena, uint64_t, 3 * words + 3u * l->words);
    l->last = CF_NEW_ARRAY(arena, uint32_t, l->g.n);
    if (!l->use || !l->last) return false;
    l->def = l->use + words;
    l->in = l->def + words;
    l->tmp = l->in + words;
    for (uint32_t k = 0; k < l->g.n; k++) {
        CfInsn last;
        if (!gather(l, l->g.pcs[k], set_of(l, l->use, k), set_of(l, l->def, k), &last)) return false;
        l->last[k] = last.pc;
    }
    return cf_sweep(l->g.n, true, visit, l) == 0;
}

bool cf_live_at(CfLive *l, uint32_t pc, uint64_t *set) {
    CfInsn last;
    uint64_t *use = l->tmp + l->words, *def = use + l->words;
    if (pc >= l->g.code->code_len || !(l->g.marks[pc] & CF_AT_INSN)) return false;
    memset(use, 0, 2u * l->words * sizeof *use);
    if (!gather(l, pc, use, def, &last)) return false;
    solve(l, pc, &last, use, def, set);
    return true;
}
