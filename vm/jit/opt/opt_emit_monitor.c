/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing code: monitors.  The instructions are those of the base compiler (jit/code_monitor.c); what is unusual is a helper by a record, which writes
 * the frames of bodies (opt_build_monitor.c says which of them hold their monitor).  The inputs, and what the record says, are read late: the
 * instructions destroy rax and the temporaries first.
 */
#include "jit/code_monitor.h"
#include "jit/opt/opt_code.h"

static const HelperArg no_arg = {.kind = ARG_NONE};

static void lock(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Reg o = emit_in(e, n, 0);
    Later *slow = emit_help(e, r, exit_info(EXIT_ENTERING, 0, 0, 0), (const void *)jit_h_lock, no_arg, no_arg, NO_REG);
    emit_stress(e, &slow->at);
    code_take_lock(&e->a, o, emit_temp(e, n, 0), &slow->at);
    if (!n->state->scope->number) {
        asm_store(&e->a, MEM_64, frame_mem(offsetof(Frame, sync_object)), o);
        asm_store_const(&e->a, MEM_32, frame_mem(offsetof(Frame, flags)), FRAME_COMPILED | FRAME_SYNC);
    }
    asm_bind(&e->a, &slow->back);
}

static void unlock(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Later *slow = emit_help(e, r, exit_info(EXIT_REDO, 0, 0, 0), (const void *)jit_h_unlock, no_arg, no_arg, NO_REG);
    Reg o = n->in[0] ? emit_in(e, n, 0) : emit_temp(e, n, 1);
    emit_stress(e, &slow->at);
    if (!n->in[0]) asm_load(&e->a, MEM_64, o, frame_mem(offsetof(Frame, sync_object)));
    code_give_lock(&e->a, o, emit_temp(e, n, 0), &slow->at);
    if (!n->state->scope->number) asm_alu_mem(&e->a, ALU_AND, W32, frame_mem(offsetof(Frame, flags)), op_imm(~FRAME_SYNC));
    asm_bind(&e->a, &slow->back);
}

static void monitor(Emit *e, Ref r, bool entering) {
    const Node *n = opt_node(e->o, r);
    const State *s = n->state;
    HelperArg object = {ARG_CELL, s->scope->floor + s->n_stack - 1};
    const void *helper = entering ? (const void *)jit_h_monitorenter : (const void *)jit_h_monitorexit;
    Later *slow = emit_help(e, r, exit_info(EXIT_AFTER, 1, 1, 0), helper, object, no_arg, NO_REG);
    emit_stress(e, &slow->at);
    (entering ? code_monitor_enter : code_monitor_leave)(&e->a, &slow->at, emit_in(e, n, 0), emit_temp(e, n, 0),
                                                         emit_temp(e, n, 1));
    asm_bind(&e->a, &slow->back);
}

static void no_locks(Emit *e, Ref r) {
    asm_test_mem(&e->a, MEM_32, frame_mem(offsetof(Frame, flags)), FRAME_LOCKS);
    asm_branch(&e->a, COND_NE, &emit_exit(e, r)->at);
}

static void identity_hash(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Label none = LABEL_INIT;
    u4 first = e->a.n_fixups;
    Reg o = emit_in(e, n, 0), d = emit_out(e, r);
    asm_const(&e->a, d, 0);
    code_identity_hash(&e->a, o, d, emit_temp(e, n, 0), &none);
    asm_bind(&e->a, &none);
    asm_settle(&e->a, first);
}

bool emit_monitor(Emit *e, Ref r) {
    switch ((OptOp)opt_node(e->o, r)->op) {
    case OPT_LOCK: lock(e, r); return true;
    case OPT_UNLOCK: unlock(e, r); return true;
    case OPT_MONITOR_ENTER: monitor(e, r, true); return true;
    case OPT_MONITOR_EXIT: monitor(e, r, false); return true;
    case OPT_NO_LOCKS: no_locks(e, r); return true;
    case OPT_IDENTITY_HASH: identity_hash(e, r); return true; /* the lock word says whether it is there */
    default: return false;
    }
}
