/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_dataflow.h - the data-flow engine over the bytecode of a method.
 *
 * TERMS
 *   node      a pc where a state is kept: where paths meet (targets of branches, handlers, or what the user declares);
 *             on request each leader of a basic block. Nodes are numbered by pc.
 *   state     what an analysis knows at a pc. States, their meet and the transfer of an instruction belong to the user,
 *             who keeps one running state and one for each node: the engine sees none of them.
 *   row       of the exception table. Its handler sees the locals of any instruction that it covers.
 *   sweep     one pass over the nodes in order (backward: against it). Sweeps repeat until one changes nothing.
 *
 * FORWARD (cf_flow_run). The running state is taken from a node through straight-line code to the next node, and flows
 * into each target on the way. A node whose state has changed is dirty, and only dirty ones are run again.
 * INVARIANT: a node that is not dirty has given its state to all that follow it.
 * Handlers need not see each instruction: the state flows into them where a row or a run begins, and where the
 * instruction before has changed locals. An instruction that a handler may see on both sides (a call of a constructor
 * changes the type of locals, and may throw) says so, and its result flows into its own handlers too.
 * jsr falls through with the state before it: what the subroutine changes is not seen there (`returned`).
 *
 * DECLARED STATES (the verifier's use): all nodes are reached and dirty from the start, and a meet compares and changes
 * nothing. Then one sweep checks the method, in the order of its code.
 *
 * BACKWARD (cf_sweep alone): the user solves equations over the nodes, cf_live.c.
 *
 * TERMINATION is the user's: states must be able to change only so many times. TIME is bounded by `most`, counted in
 * instructions, rows, cases and what the user adds for the size of its states: `work` above `most` ends the flow. Who runs
 * inside a pause, or over code that nobody vouches for, sets it.
 *
 * USERS: cf_kinds.c (kinds of cells: frame map and heap walks of the VM, debuggers, a compiler), cf_live.c (liveness), the
 * helpful messages of the VM, liveness and dominators of the rewriting library.
 *
 * Inline with a constant table of functions, so that a user's transfer is compiled into its copy of the loop.
 *
 * REJECTED: a state per pc (memory: code times cells; most are copies). A worklist of nodes (lowest first): inner loops would
 * settle before the code behind them is looked at, but what comes back from there unsettles them again; sweeps in order of
 * the code need no list, and depth of nesting + 2 of them suffice for what compilers write.
 */
#ifndef CF_DATAFLOW_H
#define CF_DATAFLOW_H

#include "classfile.h"

/* Visits 0..n-1 until a sweep changes nothing. `visit` answers 1 for "look again", 0, or -1 to stop, which is the result. */
static inline int cf_sweep(uint32_t n, bool backward, int (*visit)(void *ctx, uint32_t k), void *ctx)
{
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

enum { CF_AT_NODE = 1, CF_AT_ROW = 2, CF_AT_ROW_END = 4, CF_AT_INSN = 8 };   /* CfGraph.marks */
enum { CF_NODE_REACHED = 1, CF_NODE_DIRTY = 2, CF_NODE_HANDLER = 4 };        /* CfGraph.flags */
#define CF_NO_NODE UINT32_MAX
#define CF_NO_ROW UINT32_MAX

/* The code of a method and its nodes. */
typedef struct CfGraph {
    const CfCode *code;
    uint8_t *marks;             /* by pc, and one for the end */
    uint8_t *flags;             /* by node */
    uint32_t *pcs;              /* by node, ascending */
    uint32_t n;
    uint32_t rows_from, rows_to;    /* pcs that any row covers */
    uint32_t pc;                /* of the running instruction */
    uint64_t work, most;
} CfGraph;

/* Which pcs are nodes: where paths meet and pc 0; or each leader of a block, and where rows begin and end. */
typedef enum CfNodes { CF_NODES_MEET, CF_NODES_BLOCKS } CfNodes;
typedef enum CfGraphResult { CF_GRAPH_OK, CF_GRAPH_BAD_CODE, CF_GRAPH_NO_MEMORY } CfGraphResult;
/* Everything is allocated in `a`. */
CfGraphResult cf_graph_init(CfGraph *g, const CfCode *code, CfNodes which, CfArena *a);

/* The node at `pc`, or the last one in front of it. There is one at 0. */
static inline uint32_t cf_graph_before(const CfGraph *g, uint32_t pc)
{
    uint32_t lo = 0, hi = g->n;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (g->pcs[mid] <= pc)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}
static inline uint32_t cf_graph_node(const CfGraph *g, int64_t pc)
{
    if (pc < 0 || pc >= g->code->code_len || !(g->marks[pc] & CF_AT_NODE)) return CF_NO_NODE;
    return cf_graph_before(g, (uint32_t)pc);
}

enum { CF_STEP_LOCALS = 1, CF_STEP_BOTH = 2 };  /* handlers must see the result; those of the instruction too */

/* An analysis. Functions that give an int answer -1 to end the flow. */
typedef struct CfFlowOps {
    /* The running state, as the handler of `row` sees it unless that is CF_NO_ROW, flows into `node`, for the first
     * time if that is not REACHED. 1: the node's state has changed. */
    int (*meet)(void *ctx, uint32_t node, uint32_t row);
    void (*load)(void *ctx, uint32_t node);             /* the running state becomes the node's */
    int (*step)(void *ctx, const CfInsn *i);            /* transfer; CF_STEP_* */
    void (*returned)(void *ctx, const CfInsn *jsr);     /* takes back what jsr has pushed */
} CfFlowOps;

#define CF_FLOW_INLINE static inline __attribute__((always_inline))

/* 0 also if the node is dirty now and lies ahead; 1 if it lies at or before `from`. */
CF_FLOW_INLINE int cf_flow_into(CfGraph *g, const CfFlowOps *o, void *ctx, int64_t pc, uint32_t row, uint32_t from)
{
    uint32_t k = cf_graph_node(g, pc);
    if (k == CF_NO_NODE) return -1;
    int r = o->meet(ctx, k, row);
    if (r <= 0) return r;
    g->flags[k] |= CF_NODE_REACHED | CF_NODE_DIRTY;
    return k <= from;
}

CF_FLOW_INLINE int cf_flow_into_handlers(CfGraph *g, const CfFlowOps *o, void *ctx, bool all, uint32_t from)
{
    int again = 0;
    const CfRows *rows = &g->code->handlers;
    g->work += rows->count;
    for (uint32_t k = 0; k < rows->count && g->work <= g->most; k++) {
        CfHandler h = cf_handler(rows, k);
        if (g->pc < h.start || g->pc >= h.end || !(all || g->pc == h.start)) continue;
        int r = cf_flow_into(g, o, ctx, h.handler, k, from);
        if (r < 0) return r;
        again |= r;
    }
    return again;
}

CF_FLOW_INLINE int cf_flow_into_targets(CfGraph *g, const CfFlowOps *o, void *ctx, const CfInsn *i, uint32_t from)
{
    int again = cf_flow_into(g, o, ctx, i->target, CF_NO_ROW, from);
    g->work += i->cases;
    for (uint32_t k = 0; k < i->cases && again >= 0; k++) {
        int r = cf_flow_into(g, o, ctx, cf_switch_target(i, k), CF_NO_ROW, from);
        again = r < 0 ? r : again | r;
    }
    return again;
}

/* From node `from` to the next one. 1: a node at or before it is dirty now. */
CF_FLOW_INLINE int cf_flow_straight(CfGraph *g, const CfFlowOps *o, void *ctx, uint32_t from)
{
    CfInsn i;
    int again = 0, r;
    bool due = true;
    uint32_t end = g->code->code_len;
    for (uint32_t pc = g->pcs[from]; pc < end; pc += i.len) {
        uint8_t mark = g->marks[pc];
        if (mark & CF_AT_NODE && pc != g->pcs[from]) {
            r = cf_flow_into(g, o, ctx, pc, CF_NO_ROW, from);
            return r < 0 ? r : again | r;
        }
        if (++g->work > g->most || !cf_insn(g->code->code, end, pc, &i)) return -1;
        g->pc = pc;
        bool covered = pc >= g->rows_from && pc < g->rows_to;
        if (covered && (due || mark & CF_AT_ROW)) {
            if ((r = cf_flow_into_handlers(g, o, ctx, due, from)) < 0) return r;
            again |= r;
        }
        if ((r = o->step(ctx, &i)) < 0) return r;
        due = r;
        if (covered && r & CF_STEP_BOTH) {
            if ((r = cf_flow_into_handlers(g, o, ctx, true, from)) < 0) return r;
            again |= r;
        }
        uint32_t flags = cf_op_info[i.op].flags;
        if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) {
            if ((r = cf_flow_into_targets(g, o, ctx, &i, from)) < 0) return r;
            again |= r;
        }
        if (flags & CF_OF_JSR)
            o->returned(ctx, &i);
        else if (flags & CF_OF_END)
            return again;
    }
    return -1;      /* control falls off the end */
}

/* From the nodes that are dirty until none is. 0, or -1 if it ended before that: code that is not right, too much work, or
 * the user's will. The state at entry is that of node 0, which the user has set and marked reached and dirty. */
CF_FLOW_INLINE int cf_flow_run(CfGraph *g, const CfFlowOps *o, void *ctx)
{
    for (int again = 1; again;) {
        again = 0;
        for (uint32_t k = 0; k < g->n; k++) {
            if (!(g->flags[k] & CF_NODE_DIRTY)) continue;
            g->flags[k] &= (uint8_t)~CF_NODE_DIRTY;
            o->load(ctx, k);
            int r = cf_flow_straight(g, o, ctx, k);
            if (r < 0) return r;
            again |= r;
        }
    }
    return 0;
}

/* The running state becomes that in front of `pc`. False if nothing leads there. */
CF_FLOW_INLINE bool cf_flow_to(CfGraph *g, const CfFlowOps *o, void *ctx, uint32_t pc)
{
    CfInsn i;
    uint32_t k = cf_graph_before(g, pc);
    if (pc >= g->code->code_len || !(g->flags[k] & CF_NODE_REACHED)) return false;
    o->load(ctx, k);
    for (uint32_t at = g->pcs[k]; at < pc; at += i.len) {
        if (!cf_insn(g->code->code, g->code->code_len, at, &i) || o->step(ctx, &i) < 0) return false;
        uint32_t flags = cf_op_info[i.op].flags;
        if (flags & CF_OF_JSR)
            o->returned(ctx, &i);
        else if (flags & CF_OF_END)
            return false;
    }
    return true;
}

#endif
