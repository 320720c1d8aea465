/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The back end of the optimising compiler: from its form to a blob.
 *
 *     opt_select.c   which nodes have code of their own, what they want from registers
 *     opt_live.c     the order of blocks, where values live
 *     opt_regs.c     registers; opt_home.c: memory for what has none; opt_moves.c: moves at once
 *     opt_verify.c   whether all that agrees
 *     opt_cells.c    what calls find written, what is written in front of loops
 *     opt_emit*.c    code: this file blocks and control, then numbers, objects, and what others look at (states, exits, calls)
 *
 * CONVENTIONS  All as the base compiler has them (docs/jit.md): registers at calls, the frame, polls, exits by records, sites, places.  Nothing
 *              lives in a register behind a call, and nothing is pushed on the C stack.  So both kinds of code, the interpreter and whoever walks
 *              stacks need not know which is which; records alone are read in another way (exit_record.c).
 *
 * MEMORY       At calls all cells of the State are in memory; at helpers by a record C code writes them.  Between these, memory holds
 *              whatever is convenient.  The frame has Opt.max_cells cells and the extra ones of opt_home.c, within what the limit of the stack
 *              leaves for frames (MOST_CELLS).
 *
 * LAYOUT       The order of opt_live.c, without blocks that do nothing, and with the head of a loop that tests behind its last block: the jump back is the
 *              test's branch.  Positions do not depend on it.  What is rarely run comes last: rare blocks, then exits, helpers (Later).
 *
 * Not done: entries at loops, so an interpreted loop enters at its next call.
 */
#include "jit/opt/opt_code.h"
#include "core/options.h"
#include "jit/code_tools.h"
#include "jit/constants.h"
#include "jit/opt/opt.h"
#include "jit/policy.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1700, MOST_ARGS = 255 };

void emit_refuse(Emit *e, const char *why) {
    if (!e->o->why) e->o->why = why;
}

/* --- places and constants --- */

Mem emit_place(const Emit *e, u4 place) {
    u4 n_locals = e->b.n_locals;
    if (place < n_locals) return mem_at(R_FRAME, -8 * (int32_t)(n_locals - place));
    return cell_mem(place - n_locals);
}

void emit_constant(Emit *e, Reg d, u8 k) { asm_const(&e->a, d, (int64_t)k); }

void emit_fconstant(Emit *e, Width w, FReg d, u8 k) {
    if (!k) return asm_fzero(&e->a, w, d);
    asm_const(&e->a, ASM_SCRATCH, (int64_t)k);
    asm_bits_to_float(&e->a, W64, d, ASM_SCRATCH);
}

void emit_note_place(Emit *e, const State *s) { places_add(&e->places, (CodePlace){asm_here(&e->a), s->scope->number, s->bci}); }

/* --- moves --- */

/* A whole cell, at once: who loads it soon gets two halves much later.  Constants come last, so the scratch register is free. */
static void store_constant(Emit *e, Mem m, u8 k) {
    if ((int64_t)k == (int32_t)k) return asm_store_const(&e->a, MEM_64, m, (int32_t)k);
    asm_const(&e->a, ASM_SCRATCH, (int64_t)k);
    asm_store(&e->a, MEM_64, m, ASM_SCRATCH);
}

static void move_to_reg(Emit *e, Reg d, const Move *m) {
    switch (m->from.kind) {
    case LOC_REG: asm_mov(&e->a, W64, d, (Reg)m->from.n); break;
    case LOC_FREG: asm_float_to_bits(&e->a, W64, d, (FReg)m->from.n); break;
    case LOC_CELL: asm_load(&e->a, m->narrow ? MEM_32 : MEM_64, d, emit_place(e, m->from.n)); break;
    case LOC_CONST: emit_constant(e, d, m->from.k); break;
    default: asm_mov(&e->a, W64, d, ASM_SCRATCH); break;
    }
}

static void move_to_freg(Emit *e, FReg d, const Move *m) {
    Width w = m->narrow ? W32 : W64;
    switch (m->from.kind) {
    case LOC_FREG: asm_fmov(&e->a, w, d, (FReg)m->from.n); break;
    case LOC_CELL: asm_fload(&e->a, w, d, emit_place(e, m->from.n)); break;
    case LOC_CONST: emit_fconstant(e, w, d, m->from.k); break;
    default: asm_bits_to_float(&e->a, W64, d, m->from.kind == LOC_REG ? (Reg)m->from.n : ASM_SCRATCH); break;
    }
}

static void move_to_cell(Emit *e, Mem to, const Move *m) {
    switch (m->from.kind) {
    case LOC_REG: asm_store(&e->a, MEM_64, to, (Reg)m->from.n); break;
    case LOC_FREG: asm_fstore(&e->a, W64, to, (FReg)m->from.n); break;
    case LOC_CELL:
        if (!m->again) asm_fload(&e->a, m->narrow ? W32 : W64, ASM_FSCRATCH, emit_place(e, m->from.n)); /* clears the rest */
        asm_fstore(&e->a, W64, to, ASM_FSCRATCH);
        break;
    case LOC_CONST: store_constant(e, to, m->from.k); break;
    default: asm_store(&e->a, MEM_64, to, ASM_SCRATCH); break;
    }
}

static void emit_move(void *arg, Move m) {
    Emit *e = arg;
    switch (m.to.kind) {
    case LOC_REG: move_to_reg(e, (Reg)m.to.n, &m); break;
    case LOC_FREG: move_to_freg(e, (FReg)m.to.n, &m); break;
    case LOC_CELL: move_to_cell(e, emit_place(e, m.to.n), &m); break;
    default: move_to_reg(e, ASM_SCRATCH, &m); break;
    }
}

static void run_moves(Emit *e, const EdgeMove *m) {
    for (; m; m = m->next) mover_add(&e->mover, m->to, m->from, m->narrow);
    mover_run(&e->mover);
}

/* A value that is in memory somewhere is stored where it is defined. */
static void store_home(Emit *e, Ref r, u4 pos) {
    const Life *l = &e->b.lives[r];
    if (!l->in_memory) return;
    mover_add(&e->mover, (Loc){.kind = LOC_CELL, .n = l->home}, opt_where(&e->b, r, pos),
              opt_width(opt_node(e->o, r)->type) == W32);
    mover_run(&e->mover);
}

/* --- operands --- */

static u4 shift_of(MemKind k) { return k == MEM_64 ? 3 : k == MEM_32 ? 2 : k == MEM_S16 || k == MEM_U16 ? 1 : 0; }

static Mem element(Emit *e, const Node *n, u4 pos) {
    Reg array = emit_reg(e, n->in[0], pos);
    u4 shift = shift_of((MemKind)n->kind);
    if (opt_imm(&e->b, n, 1)) return mem_at(array, ARRAY_BASE + (int32_t)((u4)emit_const(e, n->in[1])->k << shift));
    return mem_index(array, emit_reg(e, n->in[1], pos), (u1)shift, ARRAY_BASE + (int32_t)((u4)n->k << shift));
}

static Mem raw_address(Emit *e, const Node *n, u4 pos) {
    int32_t k = (int32_t)n->k;
    ASSERT(opt_is_displacement(n->k));
    if (!n->in[0]) return mem_at(emit_reg(e, n->in[1], pos), k);
    Reg base = emit_reg(e, n->in[0], pos);
    return n->in[1] ? mem_index(base, emit_reg(e, n->in[1], pos), 0, k) : mem_at(base, k);
}

Mem emit_address(Emit *e, const Node *n, u4 pos) {
    switch ((OptOp)n->op) {
    case OPT_ELEMENT:
    case OPT_SET_ELEMENT:
    case OPT_VLOAD:
    case OPT_VSTORE: return element(e, n, pos);
    case OPT_LENGTH: return mem_at(emit_reg(e, n->in[0], pos), offsetof(Array, length));
    case OPT_CLASS: return mem_at(emit_reg(e, n->in[0], pos), offsetof(Object, klass));
    case OPT_PEEK:
    case OPT_POKE: return raw_address(e, n, pos);
    default: break;
    }
    if (n->in[0]) return mem_at(emit_reg(e, n->in[0], pos), (int32_t)n->k);
    if (n->k == (int32_t)n->k && n->k > 0) return mem_at(NO_REG, (int32_t)n->k);
    asm_const(&e->a, ASM_SCRATCH, n->k);
    return mem_at(ASM_SCRATCH, 0);
}

Operand emit_operand(Emit *e, const Node *n, u4 i) {
    Ref in = n->in[i];
    if (e->b.fused[in]) return op_mem(emit_address(e, opt_node(e->o, in), n->pos));
    if (opt_imm(&e->b, n, i)) return op_imm((int32_t)emit_const(e, in)->k);
    return op_reg(emit_in(e, n, i));
}

/* --- control --- */

static Label *label_of(Emit *e, BlockRef b) { return &e->labels[b]; }

/* A phi in a register that has a home, too, is stored when its block begins. */
static bool is_stored_first(const Emit *e, Ref phi) {
    const Life *l = &e->b.lives[phi];
    return l->first && l->in_memory && !l->joins && l->first->reg != NO_REG;
}

static bool does_nothing(const Emit *e, BlockRef b) {
    const Span *s = &e->b.spans[b];
    Ref r = opt_block(e->o, b)->first;
    while (opt_node(e->o, r)->op == OPT_PHI && !is_stored_first(e, r)) r = opt_node(e->o, r)->next;
    return opt_node(e->o, r)->op == OPT_JUMP && !s->at_start && !s->at_end && !s->early &&
           !e->b.before[opt_node(e->o, r)->pos / STEP];
}

/* Where an edge to b leads. */
static BlockRef destination(const Emit *e, BlockRef b) {
    for (u4 steps = 0; does_nothing(e, b) && steps <= e->o->n_blocks; steps++) b = opt_block(e->o, b)->succs[0];
    return b;
}

static BlockRef successor(const Emit *e, const Node *n, u4 i) { return destination(e, opt_block(e->o, n->block)->succs[i]); }

static void go_to(Emit *e, BlockRef b) {
    if (b != e->following) asm_jump(&e->a, label_of(e, b));
}

static MemKind kind_of_operand(const Node *x) { return (MemKind)x->kind; }

static Cond compare_bits(Emit *e, const Node *n, const Node *x) {
    bool imm = opt_imm(&e->b, x, 1);
    Operand y = imm ? op_imm((int32_t)emit_const(e, x->in[1])->k) : op_reg(emit_reg(e, x->in[1], n->pos));
    asm_test(&e->a, opt_width(x->type), emit_reg(e, x->in[0], n->pos), y);
    return (Cond)n->kind;
}

static Cond compare_memory(Emit *e, Ref r, const Node *n, const Node *x) {
    Mem m = emit_address(e, x, n->pos);
    emit_fault(e, r);
    asm_cmp_mem(&e->a, x->op == OPT_CLASS ? MEM_32 : kind_of_operand(x), m, emit_operand(e, n, 1));
    return (Cond)n->kind;
}

Cond emit_compare(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r), *x = opt_node(e->o, n->in[0]);
    if (e->b.fused[n->in[0]]) return x->op == OPT_AND ? compare_bits(e, n, x) : compare_memory(e, r, n, x);
    bool classes = x->op == OPT_CLASS && opt_imm(&e->b, n, 1);
    Operand y = emit_operand(e, n, 1);
    emit_fault(e, r);
    Width w = classes ? W32 : opt_width(n->from);
    bool told = y.kind == OPERAND_IMM && !y.imm && asm_flags_tell(&e->a, w, emit_in(e, n, 0), (Cond)n->kind);
    if (!told) asm_cmp(&e->a, w, emit_in(e, n, 0), y);
    return (Cond)n->kind;
}

static void emit_if(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    BlockRef yes = successor(e, n, 0), no = successor(e, n, 1);
    Cond cond;
    if (e->b.fused[n->in[0]] && opt_node(e->o, n->in[0])->op == OPT_INSTANCE_OF) {
        bool is = n->kind == COND_NE;
        cond = is ? COND_EQ : COND_NE;
        emit_compare_type(e, n, label_of(e, is ? yes : no), label_of(e, is ? no : yes));
        if (opt_compares_type(opt_node(e->o, n->in[0])->what) == TYPE_INTERFACE) return go_to(e, is ? no : yes);
    } else {
        cond = emit_compare(e, r);
    }
    if (yes == e->following) {
        asm_branch(&e->a, cond_opposite(cond), label_of(e, no));
        return;
    }
    asm_branch(&e->a, cond, label_of(e, yes));
    go_to(e, no);
}

static void emit_fif(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    BlockRef yes = successor(e, n, 0), no = successor(e, n, 1);
    FReg x = emit_fin(e, n, 0), y = emit_fin(e, n, 1);
    Width w = opt_width(opt_node(e->o, n->in[0])->type);
    if (yes == e->following) {
        asm_fbranch(&e->a, cond_opposite((Cond)n->kind), w, x, y, !n->k, label_of(e, no));
        return;
    }
    asm_fbranch(&e->a, (Cond)n->kind, w, x, y, n->k, label_of(e, yes));
    go_to(e, no);
}

/* Keys in order: by halves, so this is as deep as they have bits; few: one by one. */
static void search(Emit *e, const Node *n, Reg key, u4 lo, u4 hi) {
    if (hi - lo <= 4) {
        for (u4 i = lo; i < hi; i++) {
            asm_cmp(&e->a, W32, key, op_imm(n->keys[i]));
            asm_branch(&e->a, COND_EQ, label_of(e, successor(e, n, i + 1)));
        }
        asm_jump(&e->a, label_of(e, successor(e, n, 0)));
        return;
    }
    u4 mid = (lo + hi) / 2, first = e->a.n_fixups;
    Label upper = LABEL_INIT;
    asm_cmp(&e->a, W32, key, op_imm(n->keys[mid]));
    asm_branch(&e->a, COND_GE, &upper);
    search(e, n, key, lo, mid);
    asm_bind(&e->a, &upper);
    asm_settle(&e->a, first);
    search(e, n, key, mid, hi);
}

static void table_switch(Emit *e, const Node *n, Reg key, u4 cases) {
    int32_t low = n->keys[0];
    u4 range = (u4)n->keys[cases - 1] - (u4)low + 1;
    Label **targets = opt_alloc(e->o, range * sizeof *targets), *others = label_of(e, successor(e, n, 0));
    Reg index = emit_temp(e, n, 0);
    if (!targets) return;
    asm_alu(&e->a, ALU_ADD, W32, index, key, op_imm((int32_t) - (u4)low));
    asm_cmp(&e->a, W32, index, op_imm((int32_t)range));
    asm_branch(&e->a, COND_ABOVE_EQ, others);
    for (u4 i = 0, at = 0; i < cases; i++) {
        for (; at < (u4)n->keys[i] - (u4)low; at++) targets[at] = others;
        targets[at++] = label_of(e, successor(e, n, i + 1));
    }
    asm_jump_table(&e->a, index, targets, range);
}

static void emit_switch(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    u4 cases = opt_block(e->o, n->block)->n_succs - 1;
    Reg key = emit_in(e, n, 0);
    if (opt_switch_by(&e->b, n) == SWITCH_TABLE) table_switch(e, n, key, cases);
    else search(e, n, key, 0, cases);
}

static void emit_return(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    if (n->in[0]) {
        const Node *v = opt_node(e->o, n->in[0]);
        bool fp = opt_is_fp(v->type);
        Loc from = opt_where(&e->b, n->in[0], n->pos);
        if (opt_imm(&e->b, n, 0)) from = (Loc){.kind = LOC_CONST, .k = opt_bits(v)};
        emit_move(e, (Move){.to = {.kind = fp ? LOC_FREG : LOC_REG, .n = fp ? F_0 : R_AX},
                            .from = from,
                            .narrow = opt_width(v->type) == W32});
    }
    asm_address(&e->a, R_FRAME, mem_at(R_FRAME, -8 * (int32_t)e->b.n_locals));
    asm_return(&e->a);
}

static void emit_control(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    switch ((OptOp)n->op) {
    case OPT_HERE: break;
    case OPT_POLL: emit_poll(e, r); break;
    case OPT_CALL: emit_call(e, r); break;
    case OPT_CAUGHT: emit_caught(e, r); break;
    case OPT_QUICK: emit_quick(e, r); break;
    case OPT_QUICK_RESULT: emit_quick_result(e, r); break;
    case OPT_JUMP: go_to(e, successor(e, n, 0)); break;
    case OPT_IF: emit_if(e, r); break;
    case OPT_FIF: emit_fif(e, r); break;
    case OPT_SWITCH: emit_switch(e, r); break;
    case OPT_RETURN: emit_return(e, r); break;
    case OPT_LEAVE: emit_leave(e, r); break;
    default: emit_refuse(e, opt_ops[n->op].name); break;
    }
}

/* --- blocks --- */

static void emit_node(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    if (opt_has_no_code(&e->b, r)) return;
    if (n->state) emit_note_place(e, n->state);
    run_moves(e, e->b.before[n->pos / STEP]);
    if (opt_does(n) & OPT_ENDS) {
        run_moves(e, e->b.spans[n->block].at_end);
        emit_early(e, n->block);
    }
    if (!emit_math(e, r) && !emit_object(e, r) && !emit_monitor(e, r)) emit_control(e, r);
    if (opt_gives(n)) store_home(e, r, n->pos + AT_RESULT);
}

/* Phis are defined here; parameters where they lie. */
static void start_block(Emit *e, BlockRef b) {
    const Span *s = &e->b.spans[b];
    places_add(&e->places, (CodePlace){asm_here(&e->a), opt_block(e->o, b)->scope->number, opt_block(e->o, b)->bci});
    run_moves(e, s->at_start);
    for (Ref r = opt_block(e->o, b)->first; r && opt_has_no_code(&e->b, r); r = opt_node(e->o, r)->next) {
        const Node *n = opt_node(e->o, r);
        const Life *l = &e->b.lives[r];
        if (!l->first || !l->in_memory) continue;
        if (n->op == OPT_PHI && is_stored_first(e, r)) store_home(e, r, s->from);
        if (n->op == OPT_PARAM)
            mover_add(&e->mover, (Loc){.kind = LOC_CELL, .n = l->home}, (Loc){.kind = LOC_CELL, .n = (u4)n->k},
                      opt_width(n->type) == W32);
    }
    mover_run(&e->mover);
}

/* Nobody jumps to a block that only the one before it leads to. */
static void emit_block(Emit *e, BlockRef b, BlockRef before) {
    u4 flags = e->a.flags_end;
    asm_bind(&e->a, label_of(e, b));
    if (opt_block(e->o, b)->n_preds == 1 && opt_block(e->o, b)->preds[0] == before) e->a.flags_end = flags;
    start_block(e, b);
    for (Ref r = opt_block(e->o, b)->first; r && !e->o->why; r = opt_node(e->o, r)->next) emit_node(e, r);
}

/* --- layout --- */

/* Does the head test whether the loop goes on?  Then its last block, found here, is to fall through to it. */
static bool turns(const Emit *e, u4 at, u4 *last) {
    const Opt *o = e->o;
    BlockRef head = e->layout[at];
    const Block *h = opt_block(o, head);
    u1 op = opt_node(o, h->last)->op;
    if (!at || !h->loop_head || h->mark || (op != OPT_IF && op != OPT_FIF)) return false;
    if (opt_is_in_loop(o, h->succs[0], head) == opt_is_in_loop(o, h->succs[1], head)) return false;
    for (*last = at; *last + 1 < e->n_layout && opt_is_in_loop(o, e->layout[*last + 1], head);) ++*last;
    const Block *end = opt_block(o, e->layout[*last]);
    return *last > at && opt_node(o, end->last)->op == OPT_JUMP && destination(e, end->succs[0]) == head;
}

static bool lay_out(Emit *e) {
    Opt *o = e->o;
    e->layout = opt_alloc(o, (e->b.n_order + 1) * sizeof *e->layout);
    e->labels = opt_alloc(o, (o->n_blocks + 1) * sizeof *e->labels);
    if (o->no_memory) return false;
    for (u4 i = 0; i < e->b.n_order; i++) {
        BlockRef b = e->b.order[i];
        opt_block(o, b)->mark = 0;
        e->labels[b] = LABEL_INIT;
        if (!i || !does_nothing(e, b) || destination(e, b) == b) e->layout[e->n_layout++] = b;
    }
    for (u4 i = 0, last; i < e->n_layout; i++) {
        while (turns(e, i, &last)) {
            BlockRef head = e->layout[i];
            opt_block(o, head)->mark = 1;
            memmove(e->layout + i, e->layout + i + 1, (last - i) * sizeof *e->layout);
            e->layout[last] = head;
        }
    }
    return true;
}

/* Blocks that jumps back lead to begin where the CPU fetches. */
static bool find_back(Emit *e) {
    u4 *at = opt_alloc(e->o, (e->o->n_blocks + 1) * sizeof *at);
    e->back = opt_alloc(e->o, e->o->n_blocks + 1);
    if (e->o->no_memory) return false;
    for (u4 i = 0; i < e->n_layout; i++) at[e->layout[i]] = i + 1;
    for (u4 i = 0; i < e->n_layout; i++) {
        const Block *x = opt_block(e->o, e->layout[i]);
        for (u4 s = 0; s < x->n_succs && !x->seldom; s++) {
            BlockRef to = destination(e, x->succs[s]);
            if (at[to] <= i + 1) e->back[to] = true;
        }
    }
    return true;
}

/* --- the method --- */

static void jump_to_stub(Emit *e, void (*stub)(void)) {
    const void *to = cache_near(stub, NULL);
    if (to) asm_jump_c(&e->a, to, false);
    else emit_refuse(e, "code cache is full");
}

/* As base.c: one comparison for both stacks, one test for whoever wants the thread. */
static void write_entry(Emit *e) {
    Asm *a = &e->a;
    int32_t frame = 8 * (int32_t)e->b.n_locals;
    asm_bind(a, &e->entry);
    asm_cmp(a, W64, R_ARGS, op_mem(thread_mem(offsetof(Thread, code_limit))));
    asm_branch(a, COND_ABOVE, &e->slow_entry);
    asm_test_mem(a, MEM_32, thread_mem(offsetof(Thread, poll)),
                 (int32_t)((POLL_AT_ENTRY | POLL_METHOD_EXIT) & ~(u4)POLL_HOT_LOOP));
    asm_branch(a, COND_NE, &e->slow_entry);
    e->body = asm_here(a);
    asm_store(a, MEM_64, mem_at(R_ARGS, frame + (int32_t)offsetof(Frame, prev)), R_FRAME);
    asm_address(a, R_FRAME, mem_at(R_ARGS, frame));
    asm_store(a, MEM_64, frame_mem(offsetof(Frame, method)), R_CALLEE);
    asm_store_const(a, MEM_32, frame_mem(offsetof(Frame, flags)), FRAME_COMPILED);
}

static void leave_tail(Emit *e) {
    static const u1 none[JITDUMP_TAIL];
    asm_align(&e->a, 8);
    asm_bytes(&e->a, none, sizeof none);
}

static void write_code(Emit *e) {
    places_add(&e->places, (CodePlace){0, 0, 0});
    if (!e->o->is_loop) write_entry(e);
    for (u4 i = 0; i < e->n_layout && !e->o->why && !e->o->no_memory; i++) {
        enum { FETCHED = 16 };
        e->following = i + 1 < e->n_layout ? e->layout[i + 1] : 0;
        if (e->back[e->layout[i]]) asm_align(&e->a, FETCHED);
        emit_block(e, e->layout[i], i ? e->layout[i - 1] : 0);
    }
    if (e->o->why || e->o->no_memory) return;
    emit_write_later(e);
    places_add(&e->places, (CodePlace){asm_here(&e->a), 0, 0});
    places_end(&e->places);
    if (!e->o->is_loop) {
        asm_bind(&e->a, &e->slow_entry);
        jump_to_stub(e, jit_entry_slow_stub);
    }
    if (vm_options.dump_jit_code) leave_tail(e);
}

/* --- the blob --- */

static CodeScope *scopes_of(const Opt *o) {
    CodeScope *all = malloc(o->n_scopes * sizeof *all);
    for (const OptScope *s = o->scopes; all && s; s = s->all)
        if (s->number)
            all[s->number - 1] = (CodeScope){s->method, s->outer->number, s->call_bci, s->locals, s->call_depth, emit_holds(s)};
    return all;
}

static CodeBlob *describe(Emit *e, const u1 *run) {
    Opt *o = e->o;
    CodeBlob *b = malloc(sizeof *b + o->is_loop * sizeof *b->entries);
    if (!b) return NULL;
    *b = (CodeBlob){.method = o->root,
                    .code = run,
                    .size = e->a.len,
                    .body = e->body,
                    .entry = e->calls ? 0 : e->body,
                    .optimised = true,
                    .due = e->due,
                    .n_entries = o->is_loop,
                    .extra = (u2)(e->b.kept - e->b.n_locals),
                    .n_extra = (u2)(e->b.n_locals + o->max_cells + e->b.n_extra - e->b.kept),
                    .places = e->places.bytes,
                    .n_places = e->places.n,
                    .exits = e->exits.keys,
                    .n_exits = e->exits.n_keys,
                    .records = e->exits.bytes,
                    .n_record_bytes = e->exits.len,
                    .scopes = o->n_scopes ? scopes_of(o) : NULL,
                    .n_scopes = o->n_scopes,
                    .inlined = o->inlined,
                    .n_inlined = o->n_inlined,
                    .trusts = o->trusts,
                    .n_trusts = o->n_trusts,
                    .sites = o->sites};
    if (o->is_loop) b->entries[0] = (CodeEntry){o->start, 0};
    return b;
}

/* The cache wants the owner of the range first. */
static CodeBlob *install(Emit *e) {
    u1 *write;
    const u1 *run;
    CodeBlob *b = describe(e, NULL);
    if (!b || (b->n_scopes && !b->scopes) || !constants_keep(&e->a, b)) {
        e->o->no_memory = true;
    } else if (!hierarchy_holds(e->o->trusts, e->o->n_trusts)) {
        e->o->why = opt_gave_up;
    } else if (!cache_alloc(e->a.len, b, &write, &run)) {
        emit_refuse(e, "code cache is full");
    } else if (!asm_copy(&e->a, write, run)) {
        cache_free(run, e->a.len);
        emit_refuse(e, "code cache is full");
    } else {
        b->code = run;
        due_set_owner(b);
        e->due = 0;
        e->exits = (ExitWriter){0}; /* the blob has all that */
        e->places.bytes = NULL;
        e->o->inlined = NULL;
        e->o->trusts = NULL;
        e->o->sites = NULL;
        return b;
    }
    if (b) free(b->scopes), free(b->words);
    free(b);
    return NULL;
}

static bool init_mover(Emit *e) {
    u4 cells = e->b.n_locals + e->o->max_cells + e->b.n_extra + MOST_ARGS + 1, cap = 2 * cells + N_REGS + N_FREGS;
    Move *moves = opt_alloc(e->o, cap * sizeof *moves);
    u4 *memory = opt_alloc(e->o, mover_words(cap, cells) * sizeof *memory);
    if (!moves || !memory) return false;
    mover_init(&e->mover, cap, cells, moves, memory, emit_move, e);
    return true;
}

static bool has_critical_edge(const Opt *o) {
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *x = opt_block(o, o->order[i]);
        for (u4 p = 0; x->n_preds > 1 && p < x->n_preds; p++)
            if (opt_block(o, x->preds[p])->n_succs > 1) return true;
    }
    return false;
}

#ifdef GRAFT_DEBUG
static bool is_checked(void) { return true; }
#else
static bool is_checked(void) { return vm_options.optimize_all; }
#endif

static void check(Emit *e) {
    const char *wrong = is_checked() ? opt_verify(&e->b) : NULL;
    if (!wrong) return;
    opt_dump(e->o, stderr, "registers");
    FATAL("optimiser: %s", wrong);
}

static bool prepare(Emit *e) {
    Opt *o = e->o;
    if (has_critical_edge(o)) opt_split_edges(o);
    if (o->no_memory || !opt_select(&e->b) || !opt_registers(&e->b) || !opt_cells(&e->b)) return false;
    if (e->b.n_locals + o->max_cells + e->b.n_extra + MOST_ARGS > MOST_CELLS) emit_refuse(e, "is too large");
    check(e);
    return !o->why && !o->no_memory && lay_out(e) && find_back(e) && init_mover(e);
}

CodeBlob *opt_emit(Opt *o) {
    Emit e = {.o = o,
              .b = {.o = o, .n_locals = o->root->max_locals, .general = GENERAL_REGS, .fp = FLOAT_REGS},
              .entry = LABEL_INIT,
              .slow_entry = LABEL_INIT};
    CodeBlob *blob = NULL;
    e.later_end = &e.later;
    asm_init(&e.a);
    if (prepare(&e)) {
        write_code(&e);
        if (e.exits.failed || (!o->why && !o->no_memory && !asm_finish(&e.a))) o->no_memory = true;
        if (!o->why && !o->no_memory) blob = install(&e);
    }
    due_give_back(e.due);
    asm_free(&e.a);
    exit_writer_free(&e.exits);
    free(e.places.bytes);
    return blob;
}
