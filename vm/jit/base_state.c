/* SPDX-License-Identifier: Apache-2.0 */
/* Base compiler: where values are, registers, edges between blocks, ways out. */
#include "core/options.h"
#include "jit/base_inline.h"
#include "jit/base_int.h"
#include "jit/base_slow.h"
#include "jit/base_join.h"
#include "object/method.h"
#include <stdlib.h>
#include <string.h>

static const u1 temps[] = {R_AX, R_CX, R_DX, R_SI, R_DI, R_10};
static const u1 ftemps[] = {F_0, F_1, F_2, F_3, F_4, F_5};

void refuse(Compiler *c, const char *why) {
    if (!c->why) c->why = why;
}

/* --- pins --- */

static u2 bit(u4 pin) { return (u2)(1u << pin); }

void load_pin(Compiler *c, u4 p) {
    const Pin *pin = &c->pins[p];
    if (c->valid & bit(p)) return;
    if (pin->fp) asm_fload(&c->a, W64, pin->reg, local_mem(c, pin->local));
    else asm_load(&c->a, pin->web == WEB_INT ? MEM_32 : MEM_64, pin->reg, local_mem(c, pin->local));
    c->valid |= bit(p);
}

static void store_pin(Compiler *c, u4 p) {
    const Pin *pin = &c->pins[p];
    if (pin->fp) asm_fstore(&c->a, W64, local_mem(c, pin->local), pin->reg);
    else asm_store(&c->a, MEM_64, local_mem(c, pin->local), pin->reg);
}

static void store_pins(Compiler *c, u2 which) {
    for (u4 p = 0; p < c->n_pins; p++)
        if (which & bit(p)) store_pin(c, p);
}

void flush_pins(Compiler *c) {
    store_pins(c, c->dirty);
    c->dirty = 0;
}

void lose_pins(Compiler *c) {
    ASSERT(!c->dirty);
    c->valid = 0;
}

void lend_registers(Compiler *c, u4 args) {
    u2 lent = 0;
    c->stop++;
    for (u4 p = 0; p < c->n_pins; p++)
        if (c->pins[p].fp || !(ASM_C_SAVED & 1u << c->pins[p].reg)) lent |= bit(p);
    for (u4 i = 0; i < c->depth; i++)
        if (i >= args || c->stack[i].kind == V_REG || c->stack[i].kind == V_FREG) spill(c, i);
    store_pins(c, c->dirty & lent);
    c->dirty &= (u2)~lent;
    c->valid &= (u2)~lent;
}

/* --- registers --- */

const Value *value_of(const Compiler *c, u4 cell) {
    const Value *v = &c->stack[cell];
    return v->kind == V_CELL ? value_of(c, v->local) : v;
}

static void leaves(Value *v) {
    if (v->kind == V_CONST || v->kind == V_LOCAL || v->kind == V_CELL) v->was = v->kind;
}

static void copy_constant(Compiler *c, int64_t k, Mem m) {
    if (k == (int32_t)k) return asm_store_const(&c->a, MEM_64, m, (int32_t)k);
    asm_const(&c->a, ASM_SCRATCH, k);
    asm_store(&c->a, MEM_64, m, ASM_SCRATCH);
}

static void copy_local(Compiler *c, const Value *v, Mem m) {
    int p = pin_of(c, v->local, v->web);
    if (p >= 0 && c->valid & bit((u4)p)) {
        if (c->pins[p].fp) asm_fstore(&c->a, W64, m, c->pins[p].reg);
        else asm_store(&c->a, MEM_64, m, c->pins[p].reg);
    } else {
        asm_load(&c->a, v->web == WEB_INT ? MEM_32 : MEM_64, ASM_SCRATCH, local_mem(c, v->local));
        asm_store(&c->a, MEM_64, m, ASM_SCRATCH);
    }
}

/* v: a value_of.  One that another cell is equal to was in a register or in memory, but a kept one (base_inline.c) is a constant or a local again where ways meet. */
static void store_value(Compiler *c, const Value *v, Mem m) {
    switch ((ValueKind)v->kind) {
    case V_HOLE:
    case V_CELL: return;
    case V_REG: asm_store(&c->a, MEM_64, m, v->reg); return;
    case V_FREG: asm_fstore(&c->a, W64, m, v->reg); return;
    case V_CONST: copy_constant(c, v->k, m); return;
    case V_LOCAL: copy_local(c, v, m); return;
    case V_MEM:
        asm_load(&c->a, MEM_64, ASM_SCRATCH, cell_mem((u4)(v - c->stack)));
        asm_store(&c->a, MEM_64, m, ASM_SCRATCH);
        return;
    }
}

void spill(Compiler *c, u4 cell) {
    Value *v = &c->stack[cell];
    if (v->kind == V_MEM || v->kind == V_HOLE) return;
    store_value(c, value_of(c, cell), cell_mem(cell));
    leaves(v);
    v->kind = V_MEM;
}

static u4 used(const Compiler *c, bool fp) {
    u4 mask = fp ? c->flocked : c->locked;
    for (u4 i = 0; i < c->depth; i++)
        if (c->stack[i].kind == (fp ? V_FREG : V_REG)) mask |= 1u << c->stack[i].reg;
    return mask;
}

bool has_spare(const Compiler *c, bool fp) {
    const u1 *all = fp ? ftemps : temps;
    u4 n = fp ? ARRAY_LEN(ftemps) : ARRAY_LEN(temps), mask = used(c, fp);
    for (u4 i = 0; i < n; i++)
        if (!(mask & 1u << all[i])) return true;
    return false;
}

static u1 find_temp(Compiler *c, bool fp) {
    const u1 *all = fp ? ftemps : temps;
    u4 n = fp ? ARRAY_LEN(ftemps) : ARRAY_LEN(temps), mask = used(c, fp), *locked = fp ? &c->flocked : &c->locked;
    for (u4 i = 0; i < n; i++)
        if (!(mask & 1u << all[i])) return *locked |= 1u << all[i], all[i];
    for (u4 i = 0; i < c->depth; i++) { /* the deepest that this instruction does not use */
        Value *v = &c->stack[i];
        if (v->kind != (fp ? V_FREG : V_REG) || *locked & 1u << v->reg) continue;
        u1 r = v->reg;
        spill(c, i);
        *locked |= 1u << r;
        return r;
    }
    c->short_of_registers = true;
    refuse(c, "out of registers");
    return all[0];
}

Reg temp(Compiler *c) { return find_temp(c, false); }
FReg ftemp(Compiler *c) { return find_temp(c, true); }

/* For instructions that want their operands in certain registers.  r is none of a pin's. */
void take_register(Compiler *c, Reg r) {
    c->locked |= 1u << r;
    for (u4 i = 0; i < c->depth; i++) {
        Value *v = &c->stack[i];
        if (v->kind != V_REG || v->reg != r) continue;
        u4 taken = used(c, false);
        for (u4 k = 0; k < ARRAY_LEN(temps) && v->reg == r; k++) {
            if (taken & 1u << temps[k]) continue;
            asm_mov(&c->a, W64, temps[k], r);
            v->reg = temps[k];
        }
        if (v->reg == r) spill(c, i);
    }
}

Reg use(Compiler *c, u4 cell) {
    Value *v = &c->stack[cell];
    if (v->kind == V_CELL) return use(c, v->local);
    if (v->kind == V_REG) return c->locked |= 1u << v->reg, v->reg;
    if (v->kind == V_LOCAL && pin_of(c, v->local, v->web) >= 0 && !c->pins[pin_of(c, v->local, v->web)].fp) {
        u4 p = (u4)pin_of(c, v->local, v->web);
        load_pin(c, p);
        return c->pins[p].reg;
    }
    Reg r = temp(c);
    switch ((ValueKind)v->kind) {
    case V_CONST: asm_const(&c->a, r, v->k); break;
    case V_FREG: asm_float_to_bits(&c->a, W64, r, v->reg); break;
    case V_LOCAL: {
        int p = pin_of(c, v->local, v->web);
        if (p >= 0 && c->valid & bit((u4)p)) asm_float_to_bits(&c->a, W64, r, c->pins[p].reg);
        else asm_load(&c->a, v->web == WEB_INT ? MEM_32 : MEM_64, r, local_mem(c, v->local));
        break;
    }
    default: asm_load(&c->a, MEM_64, r, cell_mem(cell)); break;
    }
    leaves(v);
    v->kind = V_REG;
    v->reg = r;
    return r;
}

FReg fuse(Compiler *c, u4 cell, Width w) {
    Value *v = &c->stack[cell];
    if (v->kind == V_CELL) return fuse(c, v->local, w);
    if (v->kind == V_FREG) return c->flocked |= 1u << v->reg, v->reg;
    int p = v->kind == V_LOCAL ? pin_of(c, v->local, v->web) : -1;
    if (p >= 0 && c->pins[p].fp) {
        load_pin(c, (u4)p);
        return c->pins[p].reg;
    }
    FReg r = ftemp(c);
    if (v->kind == V_CONST && !v->k) {
        asm_fzero(&c->a, w, r);
    } else if (v->kind == V_CONST || v->kind == V_REG || (p >= 0 && c->valid & bit((u4)p))) {
        asm_bits_to_float(&c->a, W64, r, use(c, cell));
    } else {
        asm_fload(&c->a, w, r, v->kind == V_LOCAL ? local_mem(c, v->local) : cell_mem(cell));
    }
    v = &c->stack[cell];
    leaves(v);
    v->kind = V_FREG;
    v->reg = r;
    return r;
}

Operand operand(Compiler *c, u4 cell, Width w) {
    const Value *v = &c->stack[cell];
    int32_t k = (int32_t)v->k;
    if (v->kind == V_CELL) return operand(c, v->local, w);
    if (v->kind == V_CONST && (w == W32 || v->k == k)) return op_imm(k);
    if (v->kind == V_MEM) return op_mem(cell_mem(cell));
    if (v->kind == V_LOCAL && pin_of(c, v->local, v->web) < 0) return op_mem(local_mem(c, v->local));
    return op_reg(use(c, cell));
}

static bool is_temp(Reg r) {
    for (u4 i = 0; i < ARRAY_LEN(temps); i++)
        if (temps[i] == r) return true;
    return false;
}

Reg result_for(Compiler *c, u4 cell) {
    const Value *v = &c->stack[cell];
    u1 pin;
    if (goes_to_pin(c, false, &pin)) return pin;
    return v->kind == V_REG && is_temp(v->reg) ? v->reg : temp(c);
}
FReg fresult_for(Compiler *c, u4 cell) {
    const Value *v = &c->stack[cell];
    u1 pin;
    if (goes_to_pin(c, true, &pin)) return pin;
    return v->kind == V_FREG && v->reg <= F_5 ? v->reg : ftemp(c);
}

/* --- the stack --- */

static Value *push(Compiler *c) { /* one more than declared: appendix of a call site */
    if (c->depth - c->floor > c->m->max_stack) {
        refuse(c, "stack too deep");
        c->depth = 0;
    }
    return &c->stack[c->depth++];
}
void push_reg(Compiler *c, Reg r) { *push(c) = (Value){.kind = V_REG, .reg = r}; }
void push_freg(Compiler *c, FReg r) { *push(c) = (Value){.kind = V_FREG, .reg = r}; }
void push_value(Compiler *c, Value v) { *push(c) = v; }
void push_const(Compiler *c, int64_t k) { *push(c) = (Value){.kind = V_CONST, .k = k}; }
void push_hole(Compiler *c) { *push(c) = (Value){.kind = V_HOLE}; }
void pop(Compiler *c, u4 n) {
    if (n > c->depth) return refuse(c, "stack too shallow");
    c->depth -= n;
    if (c->depth < c->low) c->low = c->depth;
}

void part_from_local(Compiler *c, u4 cell) {
    Value *v = &c->stack[cell];
    int p = pin_of(c, v->local, v->web);
    if (p >= 0 && c->pins[p].fp) {
        load_pin(c, (u4)p);
        FReg r = ftemp(c);
        if (v->kind != V_LOCAL) return; /* it was spilled to make room */
        asm_fmov(&c->a, W64, r, c->pins[p].reg);
        leaves(v);
        v->kind = V_FREG;
        v->reg = r;
        return;
    }
    if (p >= 0) load_pin(c, (u4)p);
    Reg r = temp(c);
    if (p >= 0) asm_mov(&c->a, W64, r, c->pins[p].reg);
    else asm_load(&c->a, v->web == WEB_INT ? MEM_32 : MEM_64, r, local_mem(c, v->local));
    leaves(v);
    v->kind = V_REG;
    v->reg = r;
}

/* No cell below `end` is an alias of the local any more. */
static void materialize(Compiler *c, u4 local, u4 end) {
    for (u4 i = 0; i < end; i++) {
        Value *v = &c->stack[i];
        if (v->kind == V_LOCAL && v->local == local) part_from_local(c, i);
        if (v->was == V_LOCAL && v->local == local) v->was = 0;
    }
}

/* --- locals --- */

static void mark_written(Compiler *c, u4 p) {
    c->valid |= bit(p);
    c->dirty |= bit(p);
}

static void store_to_pin(Compiler *c, const Pin *pin, u4 cell) {
    const Value *v = &c->stack[cell];
    if (pin->fp) asm_fmov(&c->a, W64, pin->reg, fuse(c, cell, W64));
    else if (v->kind == V_CONST) asm_const(&c->a, pin->reg, v->k);
    else if (v->kind == V_MEM) asm_load(&c->a, MEM_64, pin->reg, cell_mem(cell));
    else {
        Reg r = use(c, cell);
        if (r != pin->reg) asm_mov(&c->a, W64, pin->reg, r);
    }
}

static void store_to_memory(Compiler *c, Mem m, u4 cell) {
    const Value *v = &c->stack[cell];
    if (v->kind == V_FREG) asm_fstore(&c->a, W64, m, v->reg);
    else if (v->kind == V_CONST && v->k == (int32_t)v->k) asm_store_const(&c->a, MEM_64, m, (int32_t)v->k);
    else asm_store(&c->a, MEM_64, m, use(c, cell));
}

/* The local has another value: what pins of other kinds have is over. */
static void end_webs(Compiler *c, u4 local, int but) {
    for (u1 w = 0; w < WEBS; w++) {
        int p = pin_of(c, local, w);
        if (p < 0 || p == but) continue;
        c->valid &= (u2)~bit((u4)p);
        c->dirty &= (u2)~bit((u4)p);
    }
}

/* The cell is the topmost value, and is popped by the caller. */
void store_local(Compiler *c, u4 local, BasicType t, u4 cell) {
    int p = pin_of(c, local, web_of(t));
    u8 mask = 1ull << (local & 63);
    bool safe = c->stack[cell].safe;
    materialize(c, local, cell);
    if (t == T_LONG || t == T_DOUBLE) {
        materialize(c, local + 1, cell);
        end_webs(c, local + 1, -1);
    }
    if (p >= 0) {
        store_to_pin(c, &c->pins[p], cell);
        mark_written(c, (u4)p);
    } else {
        store_to_memory(c, local_mem(c, local), cell);
    }
    end_webs(c, local, p);
    if (safe) c->safe_locals[local >> 6] |= mask;
    else c->safe_locals[local >> 6] &= ~mask;
}

void increment(Compiler *c, u4 local, int32_t by) {
    if (c->scope) return inline_increment(c, local, by);
    int p = pin_of(c, local, WEB_INT);
    materialize(c, local, c->depth);
    if (p < 0) {
        asm_alu_mem(&c->a, ALU_ADD, W32, local_mem(c, local), op_imm(by));
        return;
    }
    load_pin(c, (u4)p);
    asm_alu(&c->a, ALU_ADD, W32, c->pins[p].reg, c->pins[p].reg, op_imm(by));
    mark_written(c, (u4)p);
}

void flush_stack(Compiler *c) {
    for (u4 i = 0; i < c->depth; i++) spill(c, i);
}

void settle_stack(Compiler *c) {
    if (c->scope) inline_settle(c);
    else flush_stack(c);
}

/* Is the next instruction a store of this instruction's result into a pin that no other cell is an alias of?  The
 * operands are still on the stack; what the instruction computes comes from them. */
bool goes_to_pin(Compiler *c, bool fp, u1 *reg) {
    CfInsn i;
    if (c->scope || c->next >= c->len || c->marks[c->next] & (MARK_TARGET | MARK_BREAK) ||
        !cf_insn(c->code, c->len, c->next, &i) || !op_is_store(i.op))
        return false;
    BasicType t = base_type_of_access(i.op);
    int p = pin_of(c, i.index, web_of(t));
    if (p < 0 || c->pins[p].fp != fp || fp != (t == T_FLOAT || t == T_DOUBLE)) return false;
    for (u4 k = 0; k < c->below; k++)
        if (c->stack[k].kind == V_LOCAL && c->stack[k].local == i.index) return false;
    *reg = c->pins[p].reg;
    return true;
}

void set_position(Compiler *c, u4 bci, u4 depth) {
    if (c->scope) return inline_position(c, bci, depth);
    asm_store_const(&c->a, MEM_64, frame_mem(offsetof(Frame, position)), (int32_t)(bci | depth << FRAME_DEPTH_SHIFT));
}

/* --- ways out --- */

void jump_to_stub(Compiler *c, void (*stub)(void)) {
    const void *to = cache_near(stub, NULL);
    if (to) asm_jump_c(&c->a, to, false);
    else refuse(c, "code cache is full");
}

Later *new_later(Compiler *c, int kind, u4 bci, u4 depth) {
    Later *l = cf_arena_alloc(&c->arena, sizeof *l + depth * sizeof(Value));
    if (!l) {
        static Later nowhere; /* the code is thrown away */
        c->no_memory = true;
        l = &nowhere;
        depth = 0;
    }
    *l = (Later){.next = c->later,
                 .scope = c->scope,
                 .kind = kind,
                 .at = LABEL_INIT,
                 .back = LABEL_INIT,
                 .window = LABEL_INIT,
                 .retry = LABEL_INIT,
                 .bci = bci,
                 .valid = c->valid,
                 .dirty = c->dirty,
                 .about = NO_REG,
                 .depth = depth - (depth ? c->floor : 0),
                 .cells = depth};
    if (depth) memcpy(l->stack, c->stack, depth * sizeof(Value));
    if (!c->no_memory) c->later = l;
    c->stop += kind == LATER_SLOW || kind == LATER_POLL;
    return l;
}

static void record_cell(Compiler *c, u4 cell) {
    const Value *v = value_of(c, cell);
    int p = v->kind == V_LOCAL ? pin_of(c, v->local, v->web) : -1;
    if (p >= 0 && c->valid & bit((u4)p)) {
        exit_cell(&c->exits, cell, c->pins[p].fp ? FROM_FREG : FROM_REG, c->pins[p].reg);
        return;
    }
    switch ((ValueKind)v->kind) {
    case V_REG: exit_cell(&c->exits, cell, FROM_REG, v->reg); break;
    case V_FREG: exit_cell(&c->exits, cell, FROM_FREG, v->reg); break;
    case V_CONST: exit_cell(&c->exits, cell, FROM_CONST, v->k); break;
    case V_LOCAL: exit_cell(&c->exits, cell, v->web == WEB_INT ? FROM_INT_LOCAL : FROM_LOCAL, v->local); break;
    case V_MEM:
        if (v != &c->stack[cell]) exit_cell(&c->exits, cell, FROM_CELL, v - c->stack);
        break;
    default: break;
    }
}

u4 record_state(Compiler *c, ExitInfo info, u4 bci) {
    u4 record = exit_begin(&c->exits, info, inline_number(c->scope), bci, c->depth - c->floor, c->dirty);
    for (u4 i = 0; i < c->depth; i++) record_cell(c, i);
    exit_end(&c->exits);
    return record;
}

static u4 record_exit(Compiler *c, enum ExitKind kind) { return record_state(c, exit_redo(c, kind, c->pops), c->bci); }

static Label *wait_for_code(Compiler *c, u4 bci, u4 record) {
    Exit *x = cf_arena_alloc(&c->arena, sizeof *x);
    if (!x) {
        static Exit nowhere; /* the code is thrown away */
        c->no_memory = true;
        return &nowhere.at;
    }
    *x = (Exit){c->waiting, c->scope, LABEL_INIT, bci, record};
    c->waiting = x;
    return &x->at;
}

Label *exit_here(Compiler *c, enum ExitKind kind) { return wait_for_code(c, c->bci, record_exit(c, kind)); }

Label *exit_at(Compiler *c, u4 bci) { return wait_for_code(c, bci, record_state(c, exit_info(EXIT_AT, 0, 0, 0), bci)); }

void call_by_record(Compiler *c, void (*stub)(void), u4 record) {
    const void *to = cache_near(stub, NULL);
    if (!to) return refuse(c, "code cache is full");
    asm_call_c(&c->a, to, false);
    exit_key(&c->exits, asm_here(&c->a), record);
}

void exit_now(Compiler *c, enum ExitKind kind) {
    call_by_record(c, jit_exit_record_stub, record_exit(c, kind));
    c->reachable = false;
}

void write_exits(Compiler *c) {
    for (; c->waiting && !c->why; c->waiting = c->waiting->next) {
        asm_bind(&c->a, &c->waiting->at);
        note_place(c, c->waiting->scope, c->waiting->bci);
        call_by_record(c, jit_exit_record_stub, c->waiting->record);
    }
}

bool is_safe(const Compiler *c, const Value *v) {
    return v->safe || (v->kind == V_CELL && c->stack[v->local].safe) ||
           (v->kind == V_LOCAL && c->safe_locals[v->local >> 6] >> (v->local & 63) & 1);
}
void make_safe(Compiler *c, Value *v) {
    v->safe = true;
    if (v->kind == V_CELL) make_safe(c, &c->stack[v->local]);
    if (v->kind == V_LOCAL) c->safe_locals[v->local >> 6] |= 1ull << (v->local & 63);
}

void check_null(Compiler *c, u4 cell, Reg r) {
    Value *v = &c->stack[cell];
    if (is_safe(c, v)) return;
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, exit_here(c, EXIT_NULL));
    make_safe(c, v);
}

void check_by_access(Compiler *c, u4 cell, Reg r, int32_t disp) {
    enum { WIDEST = 8 };
    if (disp < 0 || disp > NULL_PAGE - WIDEST || c->root->faults >= MAX_FAULTS) return check_null(c, cell, r);
    if (is_safe(c, &c->stack[cell])) return;
    exit_key(&c->exits, asm_here(&c->a) + 1, record_exit(c, EXIT_FAULT));
    make_safe(c, &c->stack[cell]);
}

/* The frame, or frames, are stored by the stub. */
void leave_by_stub(Compiler *c) {
    if (!c->scope) return jump_to_stub(c, jit_exit_stub);
    if (c->written_behind) return inline_leave(c);
    asm_address(&c->a, R_DI, inline_frame(c));
    jump_to_stub(c, jit_exit_inlined_stub);
}

void test_leave(Compiler *c, Label *leave) {
    if (c->scope) return inline_test_leave(c, leave);
    asm_test_mem(&c->a, MEM_32, frame_mem(offsetof(Frame, flags)), FRAME_LEAVE_CODE);
    asm_branch(&c->a, COND_NE, leave);
}

/* Behind a call or helper: memory is true, frames are written and may have been told something. */
static void write_exit(Compiler *c, const Later *l) {
    asm_const(&c->a, R_SI, l->info);
    if (l->with_result == RESULT_CELL) asm_mov(&c->a, W64, R_DX, R_AX);
    else if (l->with_result == RESULT_FP) asm_float_to_bits(&c->a, W64, R_DX, F_0);
    leave_by_stub(c);
}

/* --- edges --- */

static bool arrives(const Compiler *c, u4 target) {
    PinState to = c->pins_at[target];
    return !(to.valid & ~c->valid) && !(c->dirty & ~to.dirty);
}

void arrive_pins(Compiler *c, PinState to) {
    store_pins(c, c->dirty & ~to.dirty);
    c->dirty &= to.dirty;
    for (u4 p = 0; p < c->n_pins; p++)
        if (to.valid & bit(p)) load_pin(c, p);
}

/* Pins become what they are at the start of `target`. */
static void arrive(Compiler *c, u4 target) { arrive_pins(c, c->pins_at[target]); }

void note_depth(Compiler *c, u4 target) {
    if (c->depth_at[target] < 0) c->depth_at[target] = (int16_t)c->depth;
    else if (c->depth_at[target] != (int16_t)c->depth) refuse(c, "stack of two depths");
}

/* In the state of `target`. */
static void poll(Compiler *c, u4 target) {
    u2 valid = c->valid, dirty = c->dirty;
    c->valid = c->pins_at[target].valid;
    c->dirty = c->pins_at[target].dirty;
    Later *l = new_later(c, LATER_POLL, target, 0);
    l->depth = c->depth;
    if (vm_options.deopt_interval) {
        asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)&jit_stress_left);
        asm_alu_mem(&c->a, ALU_SUB, W32, mem_at(ASM_SCRATCH, 0), op_imm(1));
        asm_branch(&c->a, COND_LE, exit_at(c, target));
    }
    asm_test_mem(&c->a, MEM_32, thread_mem(offsetof(Thread, poll)), POLL_AT_LOOP & ~POLL_HOT_LOOP);
    asm_branch(&c->a, COND_NE, &l->at);
    asm_bind(&c->a, &l->back);
    c->valid = valid;
    c->dirty = dirty;
}

static void write_poll(Compiler *c, Later *l) {
    c->valid = l->valid;
    c->dirty = l->dirty;
    flush_pins(c);
    set_position(c, l->bci, l->depth);
    call_c(c, jit_h_poll);
    u2 valid = l->valid;
    c->valid = 0;
    for (u4 p = 0; p < c->n_pins; p++)
        if (valid & bit(p)) load_pin(c, p);
    asm_test_mem(&c->a, MEM_32, frame_mem(offsetof(Frame, flags)), FRAME_LEAVE_CODE);
    asm_branch(&c->a, COND_EQ, &l->back);
    asm_const(&c->a, R_SI, exit_info(EXIT_AT, 0, 0, 0));
    jump_to_stub(c, jit_exit_stub);
}

static void write_edge(Compiler *c, Later *l) {
    c->valid = l->valid;
    c->dirty = l->dirty;
    c->depth = l->cells;
    memcpy(c->stack, l->stack, l->cells * sizeof *l->stack);
    join_settle(c, l->join);
    arrive(c, l->bci);
    if (l->info) poll(c, l->bci); /* backwards */
    asm_jump(&c->a, &c->labels[l->bci]);
}

Label *label_to(Compiler *c, u4 target) {
    bool back = target <= c->bci;
    const Join *join = join_note(c, target, false);
    note_depth(c, target);
    if (!back && arrives(c, target) && join_settled(c, join)) return &c->labels[target];
    Later *l = new_later(c, LATER_EDGE, target, c->depth);
    l->join = join;
    l->info = back;
    return &l->at;
}

/* The test at the end of a loop goes on where that at its head does not leave it. */
static bool turn(Compiler *c, u4 *target) {
    if (!c->turn_to) return false;
    *target = c->turn_to;
    c->turn_to = 0;
    return true;
}

void branch_to(Compiler *c, Cond cond, u4 target) {
    if (turn(c, &target)) cond = cond_opposite(cond);
    asm_branch(&c->a, cond, label_to(c, target));
}

void fbranch_to(Compiler *c, Cond cond, Width w, FReg x, FReg y, bool unordered, u4 target) {
    if (turn(c, &target)) {
        cond = cond_opposite(cond);
        unordered = !unordered;
    }
    asm_fbranch(&c->a, cond, w, x, y, unordered, label_to(c, target));
}

/* The state at the start of a block. */
static void begin(Compiler *c, u4 at) {
    join_start(c, at);
    c->valid = c->pins_at[at].valid;
    c->dirty = c->pins_at[at].dirty;
    memset(c->safe_locals, 0, (c->root->max_locals + 63u) / 64 * sizeof *c->safe_locals);
    c->safe_locals[0] = c->this_stays;
}

static void get_to(Compiler *c, u4 target) {
    join_settle(c, join_note(c, target, true));
    note_depth(c, target);
    arrive(c, target);
    if (target <= c->bci) poll(c, target);
}

void jump_to(Compiler *c, u4 target) {
    get_to(c, target);
    asm_jump(&c->a, &c->labels[target]);
    c->reachable = false;
}

void start_again(Compiler *c, u4 head) {
    get_to(c, head);
    begin(c, head);
}

/* At a target of branches. */
void start_block(Compiler *c) {
    u4 at = c->bci;
    c->locked = c->flocked = 0;
    c->stop++;
    if (c->reachable) {
        join_settle(c, join_note(c, at, true));
        note_depth(c, at);
        arrive(c, at);
    }
    if (c->depth_at[at] < 0) {
        if (!(c->marks[at] & MARK_LOOP)) return; /* reached only from code that never ran: it is left out too */
        int depth = base_depth_from_behind(c, at);
        if (depth < 0) return;
        c->depth_at[at] = (int16_t)depth;
    }
    c->reachable = true;
    c->depth = (u4)c->depth_at[at];
    begin(c, at);
    if (c->scope) inline_start_block(c);
    asm_bind(&c->a, &c->labels[at]);
}

/* Behind everything. */
void add_entries(Compiler *c) {
    for (u4 at = 0; at < c->len; at++) {
        bool loop = c->marks[at] & MARK_LOOP && c->depth_at[at] == 0;
        if ((!loop && !(c->marks[at] & MARK_HANDLER)) || c->labels[at].at < 0) continue;
        c->entries[c->n_entries++] = (CodeEntry){at, asm_here(&c->a)};
        note_place(c, NULL, at);
        c->valid = c->dirty = 0;
        arrive(c, at);
        asm_jump(&c->a, &c->labels[at]);
    }
}

/* --- calls --- */

void prepare_call(Compiler *c) {
    c->stop++;
    flush_stack(c);
    flush_pins(c);
    lose_pins(c);
    set_position(c, c->bci, c->depth - c->floor);
}

void after_call(Compiler *c, u4 popped, u4 pushed, bool fp) {
    ExitInfo info = exit_info(EXIT_AFTER, c->next - c->bci, popped, pushed);
    Later *l = new_later(c, LATER_EXIT, c->bci, c->depth);
    l->info = info;
    l->with_result = !pushed ? RESULT_NONE : fp ? RESULT_FP : RESULT_CELL;
    test_leave(c, &l->at);
    if (vm_options.deopt_interval) {
        asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)&jit_stress_left);
        asm_alu_mem(&c->a, ALU_SUB, W32, mem_at(ASM_SCRATCH, 0), op_imm(1));
        asm_branch(&c->a, COND_LE, &l->at);
    }
    pop(c, popped);
    if (pushed && fp) push_freg(c, F_0);
    else if (pushed) push_reg(c, R_AX);
    if (pushed == 2) push_hole(c);
}

void call_leaf_c(Compiler *c, const void *fn) {
    const void *to = cache_near(jit_leaf_stub, fn);
    if (to) asm_call_c(&c->a, to, false);
    else refuse(c, "code cache is full");
}

void call_c(Compiler *c, const void *fn) {
    const void *to = cache_near(c->scope ? jit_help_inlined_stub : jit_helper_stub(fn), fn);
    if (!to) return refuse(c, "code cache is full");
    if (c->scope) asm_address(&c->a, R_SI, inline_frame(c));
    asm_call_c(&c->a, to, false);
}

void call_helper(Compiler *c, const void *fn, u4 popped, u4 pushed) {
    call_c(c, fn);
    after_call(c, popped, pushed, false);
}

/* Edges may add polls, polls may add exits: newest first until none is left. */
void write_later(Compiler *c) {
    c->written_behind = true;
    while (c->later && !c->no_memory) {
        Later *l = c->later;
        c->later = l->next;
        asm_bind(&c->a, &l->at);
        note_place(c, l->scope, l->bci);
        c->locked = c->flocked = 0;
        inline_enter(c, l->scope);
        if (l->kind == LATER_EDGE) write_edge(c, l);
        else if (l->kind == LATER_POLL) write_poll(c, l);
        else if (l->kind == LATER_SLOW) write_slow(c, l);
        else if (l->kind == LATER_LOOK) write_look(c, l);
        else if (l->kind == LATER_TYPE) write_type(c, l);
        else write_exit(c, l);
        inline_enter(c, NULL);
    }
}
