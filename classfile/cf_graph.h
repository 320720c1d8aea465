/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_graph.h - the bytecode of a method as nodes, and sweeps over them. Terms and theory: cf_dataflow.h.
 */
#ifndef CF_GRAPH_H
#define CF_GRAPH_H

#include "classfile.h"

/* Visits 0..n-1 until a sweep changes nothing. `visit` answers 1 for "look again", 0, or -1 to stop, which is the result. */
static inline int cf_sweep(uint32_t n, bool backward, int (*visit)(void *ctx, uint32_t k), void *ctx) {
    for (int again = 1; again;) {
        again = 0;
        for (uint32_t k = 0; k < n; k++) {
            int r = visit(ctx, backward ? n - 1 - k : k);
            if (r < 0) return r;
            again |= r;
        }
    }
    return 0;
}

/* What the operands of an opcode are, for those who decode one instruction after the other in a hurry: in the two bytes
 * behind the opcode are its index, as `shift` and `mask` tell, and where it branches. */
enum { CF_READ_LONG_WAY, CF_READ_NOTHING, CF_READ_U1, CF_READ_U2, CF_READ_BRANCH };
typedef struct CfReads {
    uint8_t length, reads, index; /* index, imm: as the opcode alone says */
    int8_t imm;
    uint16_t mask;
    uint8_t shift;
} CfReads;
extern const CfReads cf_op_reads[256];

/* cf_insn where `i` is zero, or holds an instruction that fell through to pc, which is in the code; i->target may be
 * anything where there is none. No branch on the opcode: it would be a guess. */
static inline bool cf_insn_behind(const uint8_t *code, uint32_t code_len, uint32_t pc, CfInsn *i) {
    const uint8_t *p = code + pc;
    const CfReads *o = &cf_op_reads[p[0]];
    if (o->reads == CF_READ_LONG_WAY || code_len - pc < 3) return cf_insn(code, code_len, pc, i);
    uint32_t operand = cf_get_u2(p + 1);
    i->pc = pc;
    i->len = o->length;
    i->op = p[0];
    i->wide = false;
    i->imm = o->imm;
    i->index = (uint16_t)((operand >> o->shift & o->mask) + o->index);
    i->target = (int32_t)pc + (int16_t)operand;
    return true;
}

/* CfGraph.marks. ROW: one begins; NOTHING: no instruction, only in code that is no bytes. */
enum { CF_AT_NODE = 1, CF_AT_ROW = 2, CF_AT_INSN = 4, CF_AT_NOTHING = 8 };
enum { CF_NODE_REACHED = 1, CF_NODE_DIRTY = 2, CF_NODE_HANDLER = 4 }; /* CfGraph.flags */
#define CF_NO_NODE UINT32_MAX
/* How a state comes to a node: by the row with this number, or */
#define CF_BY_FALL UINT32_MAX       /* from the instruction in front of it */
#define CF_BY_JUMP (UINT32_MAX - 1) /* from a branch or switch */
static inline bool cf_by_row(uint32_t via) { return via < CF_BY_JUMP; }

/* The code of a method and its nodes. */
typedef struct CfGraph {
    const CfCode *code;
    uint8_t *marks; /* by pc, and one for the end */
    uint8_t *flags; /* by node */
    uint32_t *pcs;  /* by node, ascending */
    uint32_t *at;   /* by pc: the node there, where there is one (cf_graph_number) */
    uint32_t n;
    uint32_t rows_from, rows_to; /* pcs that any row covers */
    uint32_t pc;                 /* of the running instruction */
    bool stepped;                /* its handlers see its result now */
    uint32_t asked;              /* cf_flow_to: 1 + the pc that the running state belongs to; 0: none */
    uint64_t work, most;
} CfGraph;

/* Which pcs are nodes: where paths meet and pc 0; or each leader of a block, and where rows begin and end. */
typedef enum CfNodes { CF_NODES_MEET, CF_NODES_BLOCKS } CfNodes;
typedef enum CfGraphResult { CF_GRAPH_OK, CF_GRAPH_BAD_CODE, CF_GRAPH_NO_MEMORY } CfGraphResult;
/* Everything is allocated in `a`. */
CfGraphResult cf_graph_init(CfGraph *g, const CfCode *code, CfNodes which, CfArena *a);

/* Makes g->at. False if memory is exhausted. */
static inline bool cf_graph_number(CfGraph *g, CfArena *a) {
    if (!(g->at = cf_arena_alloc(a, g->code->code_len * sizeof *g->at))) return false;
    for (uint32_t k = 0; k < g->n; k++) g->at[g->pcs[k]] = k;
    return true;
}

/* The node at `pc`, or the last one in front of it. There is one at 0. */
static inline uint32_t cf_graph_before(const CfGraph *g, uint32_t pc) {
    uint32_t lo = 0, hi = g->n;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (g->pcs[mid] <= pc) lo = mid;
        else hi = mid;
    }
    return lo;
}
static inline uint32_t cf_graph_node(const CfGraph *g, int64_t pc) {
    if (pc < 0 || pc >= g->code->code_len || !(g->marks[pc] & CF_AT_NODE)) return CF_NO_NODE;
    return g->at[pc];
}

#endif
