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
 * BACKWARD (cf_sweep alone): the user solves equations over its nodes.
 *
 * TERMINATION is the user's: states must be able to change only so many times. TIME is bounded by `most`, counted in
 * instructions, rows, cases and what the user adds for the size of its states: `work` above `most` ends the flow. Who runs
 * inside a pause, or over code that nobody vouches for, sets it.
 *
 * USERS. Forward: cf_verify.c (declared states); cf_kinds.c (kinds of cells: the VM's frame map, heap walks and debuggers,
 * a compiler); the VM's helpful messages (sources of cells); frames of the rewriting library, over bytes (bci_reframe.c) and
 * over a list of instructions (bci_frames.c). Sweeps: liveness and dominators of the rewriting library.
 *
 * SOURCES. Code is bytes, or what the user's `insn`, `case_target` and `row` tell: then a pc is a place of that, counted
 * from 0, and CfCode has the number of places as code_len and that of rows as handlers.count, no more.
 *
 * Inline with a constant table of functions, so that a user's transfer is compiled into its copy of the loop.
 *
 * REJECTED: a state per pc (memory: code times cells; most are copies). A worklist of nodes (lowest first): inner loops would
 * settle before the code behind them is looked at, but what comes back from there unsettles them again; sweeps in order of
 * the code need no list, and depth of nesting + 2 of them suffice for what compilers write.
 */
#ifndef CF_DATAFLOW_H
#define CF_DATAFLOW_H

#include "cf_graph.h"
#include "cf_types.h"

/* cf_step where nothing is compared (not strict), for those who step over all code there is: over instructions from `pc` on,
 * to the next mark at most. The pc behind them, which may be `pc`: then cf_step is asked. Or it is that of the last one, with
 * LEAVES: it branches or ends. If `covered`, none begins or initialises an object, and only the last one stores (STORED).
 * *deepest is raised to the depth of the stack. Two bytes behind the code can be read, marks[code_len] is CF_AT_NODE, and
 * `fr` is of cf_frame_init: two cells above max_stack may be written. */
enum { CF_PLAIN_LEAVES = 1 << 28, CF_PLAIN_STORED = 1 << 29, CF_PLAIN_PC = CF_PLAIN_LEAVES - 1 };
uint32_t cf_plain_run(CfFlow *f, CfFrame *fr, uint32_t pc, const uint8_t *marks, bool covered, uint32_t *deepest);

enum { CF_STEP_LOCALS = 1, CF_STEP_BOTH = 2 }; /* handlers must see the result; those of the instruction too */

/* What is in the way. Only GAP is no error by itself. */
typedef enum CfStuck {
    CF_STUCK_WORK,   /* `most` is passed, at `pc` */
    CF_STUCK_INSN,   /* no instruction at `pc` */
    CF_STUCK_TARGET, /* no node at `pc`, to which a branch or a row goes */
    CF_STUCK_END,    /* control falls off the end of the code */
    CF_STUCK_GAP     /* no node at `pc`, behind an instruction that never falls through */
} CfStuck;

typedef struct CfFlowRow {
    uint32_t start, end;
    int64_t handler;
} CfFlowRow;

/* An analysis. Functions that give an int answer -1 to end the flow. */
typedef struct CfFlowOps {
    /* The running state, as the handler sees it if it comes by a row, flows into `node`, for the first time if that is
     * not REACHED. 1: the node's state has changed. */
    int (*meet)(void *ctx, uint32_t node, uint32_t via);
    void (*load)(void *ctx, uint32_t node);                         /* the running state becomes the node's */
    int (*step)(void *ctx, const CfInsn *i);                        /* transfer; CF_STEP_* */
    void (*returned)(void *ctx, const CfInsn *jsr);                 /* takes back what jsr has pushed */
    int (*stuck)(void *ctx, CfStuck why, int64_t pc, uint32_t via); /* may be NULL */
    /* Of code that is no bytes (SOURCES); else NULL. */
    void (*insn)(void *ctx, uint32_t pc, CfInsn *i); /* pc, len, op, target, cases; not at CF_AT_NOTHING */
    int64_t (*case_target)(void *ctx, uint32_t pc, uint32_t k);
    CfFlowRow (*row)(void *ctx, uint32_t k);
    uint32_t (*plain)(void *ctx, uint32_t pc, bool covered); /* cf_plain_run, or NULL; its work is counted in bytes */
} CfFlowOps;

/* What pop, dup and their like do to the cells of a stack: the upper `takes` go, `gives` come, `from` tells which of those
 * taken each of them is, counted from the lowest. */
typedef struct CfShuffle {
    uint8_t takes, gives, from[6];
} CfShuffle;
extern const CfShuffle cf_shuffles[CF_OP_SWAP - CF_OP_POP + 1];

#define CF_FLOW_INLINE static inline __attribute__((always_inline))

CF_FLOW_INLINE int cf_flow_stuck(const CfFlowOps *o, void *ctx, CfStuck why, int64_t pc, uint32_t via) {
    return o->stuck ? o->stuck(ctx, why, pc, via) : why == CF_STUCK_GAP ? 0 : -1;
}

/* 0 also if the node is dirty now and lies ahead; 1 if it lies at or before `from`. */
CF_FLOW_INLINE int cf_flow_into(CfGraph *g, const CfFlowOps *o, void *ctx, int64_t pc, uint32_t via, int64_t from) {
    uint32_t k = cf_graph_node(g, pc);
    if (k == CF_NO_NODE) return cf_flow_stuck(o, ctx, CF_STUCK_TARGET, pc, via);
    int r = o->meet(ctx, k, via);
    if (r <= 0) return r;
    g->flags[k] |= CF_NODE_REACHED | CF_NODE_DIRTY;
    return k <= from;
}

CF_FLOW_INLINE CfFlowRow cf_flow_row(const CfGraph *g, const CfFlowOps *o, void *ctx, uint32_t k) {
    if (o->row) return o->row(ctx, k);
    CfHandler h = cf_handler(&g->code->handlers, k);
    return CF_LIT(CfFlowRow){h.start, h.end, h.handler};
}

CF_FLOW_INLINE int cf_flow_into_handlers(CfGraph *g, const CfFlowOps *o, void *ctx, bool all, int64_t from) {
    int again = 0;
    const CfRows *rows = &g->code->handlers;
    g->work += rows->count;
    for (uint32_t k = 0; k < rows->count; k++) {
        CfFlowRow h = cf_flow_row(g, o, ctx, k);
        if (g->pc < h.start || g->pc >= h.end || !(all || g->pc == h.start)) continue;
        if (g->work > g->most) return cf_flow_stuck(o, ctx, CF_STUCK_WORK, g->pc, k);
        int r = cf_flow_into(g, o, ctx, h.handler, k, from);
        if (r < 0) return r;
        again |= r;
    }
    return again;
}

CF_FLOW_INLINE int cf_flow_into_targets(CfGraph *g, const CfFlowOps *o, void *ctx, const CfInsn *i, int64_t from) {
    int again = cf_flow_into(g, o, ctx, i->target, CF_BY_JUMP, from);
    g->work += 1u + i->cases;
    for (uint32_t k = 0; k < i->cases && again >= 0; k++) {
        if (g->work > g->most) return cf_flow_stuck(o, ctx, CF_STUCK_WORK, g->pc, CF_BY_JUMP);
        int64_t to = o->case_target ? o->case_target(ctx, i->pc, k) : cf_switch_target(i, k);
        int r = cf_flow_into(g, o, ctx, to, CF_BY_JUMP, from);
        again = r < 0 ? r : again | r;
    }
    return again;
}

/* An instruction, and its handlers behind it. As below. */
CF_FLOW_INLINE int cf_flow_step(CfGraph *g, const CfFlowOps *o, void *ctx, CfInsn *i, bool *due, bool covered, int64_t from) {
    int r = o->step(ctx, i);
    if (r < 0) return r;
    *due = r;
    if (!covered || !(r & CF_STEP_BOTH)) return 0;
    g->stepped = true;
    r = cf_flow_into_handlers(g, o, ctx, true, from);
    g->stepped = false;
    return r;
}

/* From `pc` to the next node. 1: a node at or before `from` is dirty now. `at_node`: there is one at pc, and it is loaded. */
CF_FLOW_INLINE int cf_flow_straight(CfGraph *g, const CfFlowOps *o, void *ctx, uint32_t pc, bool at_node, int64_t from) {
    CfInsn i = {0};
    int again = 0, r;
    bool due = true;
    const uint8_t *marks = g->marks, *code = g->code->code;
    uint32_t end = g->code->code_len, rows_from = g->rows_from, rows_to = g->rows_to;
    for (; pc < end; pc += i.len, at_node = false) {
        uint8_t mark = marks[pc];
        if (mark & CF_AT_NODE && !at_node) {
            r = cf_flow_into(g, o, ctx, pc, CF_BY_FALL, from);
            return r < 0 ? r : again | r;
        }
        if (o->insn && mark & CF_AT_NOTHING) {
            i.len = 1;
            continue;
        }
        bool covered = pc >= rows_from && pc < rows_to;
        g->pc = pc;
        if (++g->work > g->most) return cf_flow_stuck(o, ctx, CF_STUCK_WORK, pc, CF_BY_FALL);
        if (covered && (due || mark & CF_AT_ROW)) {
            if ((r = cf_flow_into_handlers(g, o, ctx, due, from)) < 0) return r;
            again |= r;
            due = false;
        }
        uint32_t to = o->plain ? o->plain(ctx, pc, covered) : pc;
        if (to == pc) {
            if (o->insn) o->insn(ctx, pc, &i);
            else if (!cf_insn_behind(code, end, pc, &i)) return cf_flow_stuck(o, ctx, CF_STUCK_INSN, pc, CF_BY_FALL);
            if ((r = cf_flow_step(g, o, ctx, &i, &due, covered, from)) < 0) return r;
            again |= r;
        } else {
            due = to & CF_PLAIN_STORED;
            i.len = (to & CF_PLAIN_PC) - pc;
            g->work += i.len;
            if (!(to & CF_PLAIN_LEAVES)) continue;
            g->pc = pc = to & CF_PLAIN_PC;
            if (!cf_insn_behind(code, end, pc, &i)) return -1;
        }
        uint32_t flags = cf_op_info[i.op].flags;
        if (!(flags & (CF_OF_BRANCH | CF_OF_SWITCH | CF_OF_END))) continue;
        if (flags & (CF_OF_BRANCH | CF_OF_SWITCH) && (r = cf_flow_into_targets(g, o, ctx, &i, from)) < 0) return r;
        if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) again |= r;
        if (flags & CF_OF_JSR) o->returned(ctx, &i);
        if (!(flags & CF_OF_END) || flags & CF_OF_JSR) continue;
        pc += i.len;
        r = pc == end || marks[pc] & CF_AT_NODE ? 0 : cf_flow_stuck(o, ctx, CF_STUCK_GAP, pc, CF_BY_FALL);
        return r < 0 ? r : again;
    }
    return cf_flow_stuck(o, ctx, CF_STUCK_END, end, CF_BY_FALL);
}

/* From the nodes that are dirty until none is. 0, or -1 if it ended before that: code that is not right, too much work, or
 * the user's will. The state at entry is that of node 0, which the user has set and marked reached and dirty; or, where
 * pc 0 need be no node (`entry`), the running state, which is taken from there first. */
CF_FLOW_INLINE int cf_flow_run(CfGraph *g, const CfFlowOps *o, void *ctx, bool entry) {
    g->asked = 0;
    for (int again = 1; again; entry = false) {
        again = 0;
        for (int64_t k = entry ? -1 : 0; k < g->n; k++) {
            if (k >= 0) {
                if (!(g->flags[k] & CF_NODE_DIRTY)) continue;
                g->flags[k] &= (uint8_t)~CF_NODE_DIRTY;
                o->load(ctx, (uint32_t)k);
            }
            int r = cf_flow_straight(g, o, ctx, k < 0 ? 0 : g->pcs[k], k >= 0, k);
            if (r < 0) return r;
            again |= r;
        }
    }
    return 0;
}

/* The running state becomes that in front of `pc`. False if nothing leads there. Asked for one pc after the other, it goes
 * on from the last one: who changes the running state in between sets g->asked to 0. */
CF_FLOW_INLINE bool cf_flow_to(CfGraph *g, const CfFlowOps *o, void *ctx, uint32_t pc) {
    CfInsn i;
    uint32_t k = cf_graph_before(g, pc), at = g->asked - 1u;
    bool resumes = g->asked > g->pcs[k] && at <= pc;
    g->asked = 0;
    if (pc >= g->code->code_len || !(g->flags[k] & CF_NODE_REACHED)) return false;
    if (!resumes) o->load(ctx, k);
    for (at = resumes ? at : g->pcs[k]; at < pc; at += i.len) {
        if (!cf_insn(g->code->code, g->code->code_len, at, &i) || o->step(ctx, &i) < 0) return false;
        uint32_t flags = cf_op_info[i.op].flags;
        if (flags & CF_OF_JSR) o->returned(ctx, &i);
        else if (flags & CF_OF_END) return false;
    }
    g->asked = at + 1u;
    return true;
}

#endif
