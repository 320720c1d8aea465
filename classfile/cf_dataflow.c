/* SPDX-License-Identifier: Apache-2.0 */
/* cf_dataflow.c - the nodes of a method, for the engine in cf_dataflow.h. */
#include "cf_dataflow.h"

const CfShuffle cf_shuffles[] = {
    [CF_OP_POP - CF_OP_POP] = {1, 0, {0}},
    [CF_OP_POP2 - CF_OP_POP] = {2, 0, {0}},
    [CF_OP_DUP - CF_OP_POP] = {1, 2, {0, 0}},
    [CF_OP_DUP_X1 - CF_OP_POP] = {2, 3, {1, 0, 1}},
    [CF_OP_DUP_X2 - CF_OP_POP] = {3, 4, {2, 0, 1, 2}},
    [CF_OP_DUP2 - CF_OP_POP] = {2, 4, {0, 1, 0, 1}},
    [CF_OP_DUP2_X1 - CF_OP_POP] = {3, 5, {1, 2, 0, 1, 2}},
    [CF_OP_DUP2_X2 - CF_OP_POP] = {4, 6, {2, 3, 0, 1, 2, 3}},
    [CF_OP_SWAP - CF_OP_POP] = {2, 2, {1, 0}},
};

static bool mark(CfGraph *g, int64_t pc, uint8_t what) {
    if (pc < 0 || pc >= g->code->code_len) return false;
    g->marks[pc] |= what;
    return true;
}

static bool mark_rows(CfGraph *g, bool blocks) {
    const CfRows *rows = &g->code->handlers;
    uint8_t begin = CF_AT_ROW | (blocks ? CF_AT_NODE : 0);
    g->rows_from = g->code->code_len;
    for (uint32_t k = 0; k < rows->count; k++) {
        CfHandler h = cf_handler(rows, k);
        if (h.start >= h.end) continue;
        if (h.end > g->code->code_len || !mark(g, h.start, begin) || !mark(g, h.handler, CF_AT_NODE)) return false;
        if (blocks) g->marks[h.end] |= CF_AT_NODE;
        if (h.start < g->rows_from) g->rows_from = h.start;
        if (h.end > g->rows_to) g->rows_to = h.end;
    }
    return true;
}

static bool mark_targets(CfGraph *g, bool blocks) {
    CfInsn i;
    const CfCode *code = g->code;
    bool ok = mark(g, 0, CF_AT_NODE);
    for (uint32_t pc = 0; ok && pc < code->code_len; pc += i.len) {
        if (!cf_insn(code->code, code->code_len, pc, &i)) return false;
        g->marks[pc] |= CF_AT_INSN;
        uint32_t flags = cf_op_info[i.op].flags;
        if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) ok = mark(g, i.target, CF_AT_NODE);
        for (uint32_t k = 0; ok && k < i.cases; k++) ok = mark(g, cf_switch_target(&i, k), CF_AT_NODE);
        if (blocks && flags & (CF_OF_END | CF_OF_COND)) g->marks[pc + i.len] |= CF_AT_NODE;
    }
    return ok;
}

/* Nodes are where an instruction begins: what points elsewhere is not code. */
static bool count_nodes(CfGraph *g) {
    for (uint32_t pc = 0; pc < g->code->code_len; pc++) {
        if (!(g->marks[pc] & CF_AT_NODE)) continue;
        if (!(g->marks[pc] & CF_AT_INSN)) return false;
        g->n++;
    }
    return g->n > 0;
}

CfGraphResult cf_graph_init(CfGraph *g, const CfCode *code, CfNodes which, CfArena *a) {
    bool blocks = which == CF_NODES_BLOCKS;
    *g = (CfGraph){.code = code, .most = UINT64_MAX};
    g->marks = cf_arena_calloc(a, code->code_len + 1u, 1);
    if (!g->marks) return CF_GRAPH_NO_MEMORY;
    if (!mark_rows(g, blocks) || !mark_targets(g, blocks) || !count_nodes(g)) return CF_GRAPH_BAD_CODE;
    g->pcs = cf_arena_alloc(a, g->n * sizeof *g->pcs);
    g->flags = cf_arena_calloc(a, g->n, 1);
    if (!g->pcs || !g->flags) return CF_GRAPH_NO_MEMORY;
    uint32_t n = 0;
    for (uint32_t pc = 0; pc < code->code_len; pc++)
        if (g->marks[pc] & CF_AT_NODE) g->pcs[n++] = pc;
    if (!cf_graph_number(g, a)) return CF_GRAPH_NO_MEMORY;
    for (uint32_t k = 0; k < code->handlers.count; k++) {
        CfHandler h = cf_handler(&code->handlers, k);
        if (h.start < h.end) g->flags[cf_graph_node(g, h.handler)] |= CF_NODE_HANDLER;
    }
    return CF_GRAPH_OK;
}
