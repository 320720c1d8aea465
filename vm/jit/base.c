/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The base compiler: bytecode to machine code in one pass, after two scans (base_scan.c).  Theory: docs/jit.md.
 *
 * This file: the driver, and instructions that touch nothing but locals, the operand stack and arrays.
 */
#include "core/options.h"
#include "link/link.h"
#include "quick/quick.h"
#include "jit/base_handles.h"
#include "jit/base_inline.h"
#include "jit/base_int.h"
#include "jit/base_slow.h"
#include "jit/base_monitor.h"
#include "jit/code_tools.h"
#include "jit/policy.h"
#include "object/class.h"
#include "object/method.h"
#include "object/version.h"
#include <stdlib.h>
#include <string.h>

double jit_h_rem_d(double a, double b);
float jit_h_rem_f(float a, float b);

/* --- arithmetic --- */

static void go_to(Compiler *c, u4 target);

static void drop_and_push(Compiler *c, u4 n, Reg r, bool two) {
    pop(c, n);
    push_reg(c, r);
    if (two) push_hole(c);
}
static void drop_and_fpush(Compiler *c, u4 n, FReg r, bool two) {
    pop(c, n);
    push_freg(c, r);
    if (two) push_hole(c);
}

static void binary(Compiler *c, AluOp op, Width w) {
    u4 n = w == W64 ? 2 : 1, x = c->depth - 2 * n, y = c->depth - n;
    if (op != ALU_SUB && (c->stack[x].kind == V_CONST || (c->stack[x].kind == V_MEM && c->stack[y].kind == V_REG))) {
        u4 other = x;
        x = y;
        y = other;
    }
    Reg rx = use(c, x);
    Operand oy = operand(c, y, w);
    Reg d = result_for(c, x);
    if (op == ALU_SUB && oy.kind == OPERAND_IMM && oy.imm != INT32_MIN) {
        op = ALU_ADD; /* has a form with three operands */
        oy.imm = -oy.imm;
    }
    asm_alu(&c->a, op, w, d, rx, oy);
    drop_and_push(c, 2 * n, d, w == W64);
}

/* By 2^k: what rounds toward zero is added to negative ones first. */
static void divide_by_power(Compiler *c, bool remainder, Width w, u4 k) {
    u4 n = w == W64 ? 2 : 1, x = c->depth - 2 * n;
    int32_t bits = w == W64 ? 64 : 32;
    Reg rx = use(c, x), t = temp(c), d = temp(c);
    asm_shift(&c->a, SHIFT_RIGHT, w, t, rx, op_imm(bits - 1));
    asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, w, t, t, op_imm(bits - (int32_t)k));
    asm_alu(&c->a, ALU_ADD, w, d, rx, op_reg(t));
    if (remainder) {
        asm_alu(&c->a, ALU_AND, w, d, d, op_imm((1 << k) - 1));
        asm_alu(&c->a, ALU_SUB, w, d, d, op_reg(t));
    } else {
        asm_shift(&c->a, SHIFT_RIGHT, w, d, d, op_imm((int32_t)k));
    }
    drop_and_push(c, 2 * n, d, w == W64);
}

/* By multiplication: x / by is the floor of x * m / 2^(31 + k), and one more if x is negative, where 2^(k-1) < by <= 2^k and m is the
 * first number above 2^(31 + k) / by (Granlund and Montgomery, Division by Invariant Integers using Multiplication, theorem 5.1). */
static void divide_by_const(Compiler *c, bool remainder, int32_t by) {
    u4 x = c->depth - 2, k = 32 - (u4)__builtin_clz((u4)by - 1);
    Reg rx = use(c, x), t = temp(c), d = temp(c);
    asm_const(&c->a, d, (int64_t)((1ull << (31 + k)) / (u4)by + 1));
    asm_unary(&c->a, UNARY_SIGN32, W64, t, rx);
    asm_alu(&c->a, ALU_MUL, W64, d, d, op_reg(t));
    asm_shift(&c->a, SHIFT_RIGHT, W64, d, d, op_imm((int32_t)(31 + k)));
    asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W32, t, t, op_imm(31));
    asm_alu(&c->a, ALU_ADD, W32, d, d, op_reg(t));
    if (remainder) {
        asm_alu(&c->a, ALU_MUL, W32, t, d, op_imm(by));
        asm_mov(&c->a, W64, d, rx);
        asm_alu(&c->a, ALU_SUB, W32, d, d, op_reg(t));
    }
    drop_and_push(c, 2, d, false);
}

/* The same with 63 + k; m has 65 bits with its sign, so m - 2^64 is multiplied by and x added. */
static void divide_long_by_const(Compiler *c, bool remainder, int32_t by) {
    u4 x = c->depth - 4, k = 32 - (u4)__builtin_clz((u4)by - 1);
    take_register(c, R_AX);
    take_register(c, R_DX);
    Reg rx = use(c, x), t = temp(c), d = R_DX;
    asm_const(&c->a, t, (int64_t)((u8)(((unsigned __int128)1 << (63 + k)) / (u4)by) + 1));
    asm_mul_high(&c->a, true, d, rx, t);
    asm_alu(&c->a, ALU_ADD, W64, d, d, op_reg(rx));
    asm_shift(&c->a, SHIFT_RIGHT, W64, d, d, op_imm((int32_t)k - 1));
    asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, t, rx, op_imm(63));
    asm_alu(&c->a, ALU_ADD, W64, d, d, op_reg(t));
    if (remainder) {
        asm_alu(&c->a, ALU_MUL, W64, t, d, op_imm(by));
        d = R_AX;
        asm_mov(&c->a, W64, d, rx);
        asm_alu(&c->a, ALU_SUB, W64, d, d, op_reg(t));
    }
    drop_and_push(c, 4, d, true);
}

/* Nobody else is equal to the operand there: it may be destroyed. */
static bool owns(const Compiler *c, u4 cell, Reg r) { return c->stack[cell].kind == V_REG && c->stack[cell].reg == r; }

static void divide(Compiler *c, bool remainder, Width w) {
    u4 n = w == W64 ? 2 : 1, x = c->depth - 2 * n, y = c->depth - n;
    const Value *v = &c->stack[y];
    bool known = v->kind == V_CONST && v->k;
    int64_t by = !known ? 0 : w == W64 ? v->k : (int32_t)v->k;
    if (by >= 2 && by <= 1 << 30 && !(by & (by - 1))) return divide_by_power(c, remainder, w, (u4)__builtin_ctzll((u8)by));
    if (by > 2 && by <= INT32_MAX) return (w == W32 ? divide_by_const : divide_long_by_const)(c, remainder, (int32_t)by);
    Reg rx = use(c, x), ry = use(c, y);
    if (!owns(c, x, R_AX) && !owns(c, y, R_AX)) take_register(c, R_AX);
    if (!owns(c, x, R_DX) && !owns(c, y, R_DX)) take_register(c, R_DX);
    if (!known) {
        asm_cmp(&c->a, w, ry, op_imm(0));
        asm_branch(&c->a, COND_EQ, exit_here(c, EXIT_ZERO));
    }
    asm_div(&c->a, w, remainder, R_AX, rx, ry);
    drop_and_push(c, 2 * n, R_AX, w == W64);
}

static void shift(Compiler *c, ShiftOp op, Width w) {
    u4 n = w == W64 ? 2 : 1, y = c->depth - 1, x = y - n;
    Reg rx = use(c, x);
    Operand count = c->stack[y].kind == V_CONST ? op_imm((int32_t)c->stack[y].k) : op_reg(use(c, y));
    Reg d = result_for(c, x);
    asm_shift(&c->a, op, w, d, rx, count);
    drop_and_push(c, n + 1, d, w == W64);
}

static void unary(Compiler *c, UnaryOp op, Width w, u4 popped, bool two) {
    u4 x = c->depth - popped;
    Reg rx = use(c, x), d = result_for(c, x);
    asm_unary(&c->a, op, w, d, rx);
    drop_and_push(c, popped, d, two);
}

static void truncate_long(Compiler *c) {
    u4 x = c->depth - 2;
    Reg rx = use(c, x), d = result_for(c, x);
    asm_mov(&c->a, W32, d, rx);
    drop_and_push(c, 2, d, false);
}

static void float_binary(Compiler *c, FloatOp op, Width w) {
    u4 n = w == W64 ? 2 : 1, x = c->depth - 2 * n, y = c->depth - n;
    FReg rx = fuse(c, x, w);
    const Value *v = &c->stack[y];
    bool memory = v->kind == V_MEM || (v->kind == V_LOCAL && pin_of(c, v->local, v->web) < 0);
    if (memory) {
        Mem m = v->kind == V_MEM ? cell_mem(y) : local_mem(c, v->local);
        FReg d = fresult_for(c, x);
        asm_fop_mem(&c->a, op, w, d, rx, m);
        drop_and_fpush(c, 2 * n, d, w == W64);
        return;
    }
    FReg ry = fuse(c, y, w), d = fresult_for(c, x);
    asm_fop(&c->a, op, w, d, rx, ry);
    drop_and_fpush(c, 2 * n, d, w == W64);
}

static void float_negate(Compiler *c, Width w) {
    u4 n = w == W64 ? 2 : 1, x = c->depth - n;
    FReg rx = fuse(c, x, w), d = fresult_for(c, x);
    asm_fneg(&c->a, w, d, rx);
    drop_and_fpush(c, n, d, w == W64);
}

/* By a C function; no frame is looked at. */
static void float_remainder(Compiler *c, Width w) {
    u4 n = w == W64 ? 2 : 1, x = c->depth - 2 * n, y = c->depth - n;
    prepare_call(c);
    asm_fload(&c->a, w, F_0, cell_mem(x));
    asm_fload(&c->a, w, F_1, cell_mem(y));
    call_leaf_c(c, w == W64 ? (const void *)jit_h_rem_d : (const void *)jit_h_rem_f);
    drop_and_fpush(c, 2 * n, F_0, w == W64);
}

static void int_to_float(Compiler *c, Width from, Width to) {
    u4 n = from == W64 ? 2 : 1, x = c->depth - n;
    Reg rx = use(c, x);
    u1 pin;
    FReg d = goes_to_pin(c, true, &pin) ? pin : ftemp(c);
    asm_int_to_float(&c->a, from, to, d, rx);
    drop_and_fpush(c, n, d, to == W64);
}

static void float_to_int(Compiler *c, Width from, Width to) {
    u4 n = from == W64 ? 2 : 1;
    FReg rx = fuse(c, c->depth - n, from);
    Reg d = temp(c);
    asm_float_to_int(&c->a, from, to, d, rx);
    drop_and_push(c, n, d, to == W64);
}

static void float_to_float(Compiler *c, Width to) {
    Width from = to == W64 ? W32 : W64;
    u4 n = from == W64 ? 2 : 1, x = c->depth - n;
    FReg rx = fuse(c, x, from), d = fresult_for(c, x);
    asm_fconvert(&c->a, to, d, rx);
    drop_and_fpush(c, n, d, to == W64);
}

/* --- comparing and branching --- */

static const u1 conditions[] = {COND_EQ, COND_NE, COND_LT, COND_GE, COND_GT, COND_LE}; /* in the order of opcodes */

bool next_is_test(Compiler *c, CfInsn *i) {
    return c->next < c->len && !(c->marks[c->next] & (MARK_TARGET | MARK_BREAK)) && cf_insn(c->code, c->len, c->next, i) &&
           i->op >= CF_OP_IFEQ && i->op <= CF_OP_IFLE;
}

static void compare_long(Compiler *c) {
    CfInsn i;
    u4 x = c->depth - 4, y = c->depth - 2;
    if (!next_is_test(c, &i)) {
        Reg rx = use(c, x), ry = use(c, y), d = temp(c);
        asm_compare3(&c->a, W64, d, rx, ry);
        drop_and_push(c, 4, d, false);
        return;
    }
    Reg rx = use(c, x);
    Operand oy = operand(c, y, W64);
    pop(c, 4);
    c->bci = c->next;
    c->next += i.len;
    asm_cmp(&c->a, W64, rx, oy);
    branch_to(c, conditions[i.op - CF_OP_IFEQ], (u4)i.target);
}

/* `nan`: what the comparison gives for NaN. */
static void compare_float(Compiler *c, Width w, int nan) {
    CfInsn i;
    u4 n = w == W64 ? 2 : 1, x = c->depth - 2 * n, y = c->depth - n;
    FReg rx = fuse(c, x, w), ry = fuse(c, y, w);
    if (!next_is_test(c, &i)) {
        Reg d = temp(c);
        asm_fcompare3(&c->a, w, d, rx, ry, nan);
        drop_and_push(c, 2 * n, d, false);
        return;
    }
    Cond cond = conditions[i.op - CF_OP_IFEQ];
    bool unordered = cond == COND_NE || (nan < 0 ? cond == COND_LT || cond == COND_LE : cond == COND_GT || cond == COND_GE);
    pop(c, 2 * n);
    c->bci = c->next;
    c->next += i.len;
    fbranch_to(c, cond, w, rx, ry, unordered, (u4)i.target);
}

bool cond_holds(Cond cond, int64_t x, int64_t y) {
    switch (cond) {
    case COND_EQ: return x == y;
    case COND_NE: return x != y;
    case COND_LT: return x < y;
    case COND_GE: return x >= y;
    case COND_GT: return x > y;
    default: return x <= y;
    }
}

/* The outcome of a comparison of n operands is known: it is not written. */
static bool decided(Compiler *c, const CfInsn *i, Cond cond, Width w, u4 n) {
    const Value zero = {.kind = V_CONST}, *x = top(c, n), *y = n == 2 ? top(c, 1) : &zero;
    bool taken;
    if (x->kind == V_CONST && y->kind == V_CONST)
        taken = w == W64 ? cond_holds(cond, x->k, y->k) : cond_holds(cond, (int32_t)x->k, (int32_t)y->k);
    else if (c->scope && n == 1 && w == W64 && x->safe) taken = cond == COND_NE;
    else return false;
    pop(c, n);
    if (c->scope && taken) inline_go_to(c, (u4)i->target);
    else if (taken) go_to(c, (u4)i->target);
    else if (!c->scope) c->low = c->depth;
    return true;
}

static void branch_unary(Compiler *c, const CfInsn *i, Cond cond, Width w) {
    if (decided(c, i, cond, w, 1)) return;
    Reg r = use(c, c->depth - 1);
    pop(c, 1);
    asm_cmp(&c->a, w, r, op_imm(0));
    branch_to(c, cond, (u4)i->target);
}

static void branch_binary(Compiler *c, const CfInsn *i, Cond cond, Width w) {
    if (decided(c, i, cond, w, 2)) return;
    Reg r = use(c, c->depth - 2);
    Operand o = operand(c, c->depth - 1, w);
    pop(c, 2);
    asm_cmp(&c->a, w, r, o);
    branch_to(c, cond, (u4)i->target);
}

/* Keys in order: by halves; few: one by one. */
static void search(Compiler *c, const CfInsn *i, Reg key, u4 lo, u4 hi) {
    if (hi - lo <= 4) {
        for (u4 n = lo; n < hi; n++) {
            asm_cmp(&c->a, W32, key, op_imm(cf_switch_key(i, n)));
            branch_to(c, COND_EQ, (u4)cf_switch_target(i, n));
        }
        asm_jump(&c->a, label_to(c, (u4)i->target)); /* the state stays what it is */
        return;
    }
    u4 mid = (lo + hi) / 2;
    Label upper = LABEL_INIT;
    u4 first = c->a.n_fixups;
    asm_cmp(&c->a, W32, key, op_imm(cf_switch_key(i, mid)));
    asm_branch(&c->a, COND_GE, &upper);
    search(c, i, key, lo, mid);
    asm_bind(&c->a, &upper);
    asm_settle(&c->a, first);
    search(c, i, key, mid, hi);
}

/* Keys of which at least a third of their range is there: by a table. */
static bool table_switch(Compiler *c, const CfInsn *i, Reg key) {
    enum { FEW = 5, MAX_RANGE = 2000 };
    if (i->cases < FEW) return false;
    int32_t low = cf_switch_key(i, 0);
    int64_t range = (int64_t)cf_switch_key(i, i->cases - 1) - low + 1;
    if (range > 3 * (int64_t)i->cases || range > MAX_RANGE) return false;
    Label **targets = malloc((size_t)range * sizeof *targets);
    if (!targets) return c->no_memory = true;
    Reg index = temp(c);
    asm_alu(&c->a, ALU_ADD, W32, index, key, op_imm((int32_t) - (u4)low));
    asm_cmp(&c->a, W32, index, op_imm((int32_t)range));
    branch_to(c, COND_ABOVE_EQ, (u4)i->target);
    Label *others = label_to(c, (u4)i->target);
    for (u4 n = 0, at = 0; n < i->cases; n++) {
        for (; at < (u4)cf_switch_key(i, n) - (u4)low; at++) targets[at] = others;
        targets[at++] = label_to(c, (u4)cf_switch_target(i, n));
    }
    asm_jump_table(&c->a, index, targets, (u4)range);
    free(targets);
    return true;
}

static void do_switch(Compiler *c, const CfInsn *i) {
    Reg key = use(c, c->depth - 1);
    pop(c, 1);
    if (c->scope) key = inline_not_kept(c, key);
    settle_stack(c);
    if (!table_switch(c, i, key)) search(c, i, key, 0, i->cases);
    c->reachable = false;
}

/* --- arrays --- */

Mem element(Compiler *c, Reg array, u4 index, u4 shift) {
    Value *v = &c->stack[index];
    Mem length = mem_at(array, offsetof(Array, length));
    bool constant = v->kind == V_CONST && v->k >= 0 && v->k < 1 << 20;
    Reg r = constant ? NO_REG : use(c, index);
    check_by_access(c, index - 1, array, length.disp);
    if (constant) {
        asm_cmp_mem(&c->a, MEM_32, length, op_imm((int32_t)v->k));
        asm_branch(&c->a, COND_BELOW_EQ, exit_here(c, EXIT_INDEX));
        return mem_at(array, ARRAY_BASE + (int32_t)((u4)v->k << shift));
    }
    asm_cmp(&c->a, W32, r, op_mem(length));
    asm_branch(&c->a, COND_ABOVE_EQ, exit_here(c, EXIT_INDEX));
    return mem_index(array, r, (u1)shift, ARRAY_BASE);
}

static void array_load(Compiler *c, MemKind k, u4 shift_by, bool ref) {
    u4 a = c->depth - 2;
    if (ref && handles_element(c)) return;
    Reg ra = use(c, a);
    Mem m = element(c, ra, a + 1, shift_by);
    Reg d = result_for(c, a);
    asm_load(&c->a, k, d, m);
    if (ref) asm_shift(&c->a, SHIFT_LEFT, W64, d, d, op_imm(3));
    drop_and_push(c, 2, d, k == MEM_64);
}

static void array_fload(Compiler *c, Width w) {
    u4 a = c->depth - 2;
    Reg ra = use(c, a);
    Mem m = element(c, ra, a + 1, w == W64 ? 3 : 2);
    u1 pin;
    FReg d = goes_to_pin(c, true, &pin) ? pin : ftemp(c);
    asm_fload(&c->a, w, d, m);
    drop_and_fpush(c, 2, d, w == W64);
}

static void array_store(Compiler *c, MemKind k, u4 shift_by) {
    u4 n = k == MEM_64 ? 2 : 1, a = c->depth - 2 - n, x = c->depth - n;
    Reg ra = use(c, a);
    const Value *v = &c->stack[x];
    if (v->kind == V_CONST && v->k == (int32_t)v->k) {
        int32_t value = (int32_t)v->k;
        asm_store_const(&c->a, k, element(c, ra, a + 1, shift_by), value);
    } else {
        Reg r = use(c, x);
        asm_store(&c->a, k, element(c, ra, a + 1, shift_by), r);
    }
    pop(c, n + 2);
}

static void array_fstore(Compiler *c, Width w) {
    u4 n = w == W64 ? 2 : 1, a = c->depth - 2 - n;
    Reg ra = use(c, a);
    FReg r = fuse(c, c->depth - n, w);
    asm_fstore(&c->a, w, element(c, ra, a + 1, w == W64 ? 3 : 2), r);
    pop(c, n + 2);
}

/* Arrays of boolean keep one bit (JVMS 6.5.bastore). */
static void byte_store(Compiler *c) {
    u4 a = c->depth - 3, x = c->depth - 1;
    const Value *v = &c->stack[x];
    if (v->kind == V_CONST && (v->k == 0 || v->k == 1)) return array_store(c, MEM_U8, 0);
    Reg ra = use(c, a);
    Reg r = use(c, x);
    Mem m = element(c, ra, a + 1, 0);
    Reg bits = temp(c);
    Label store = LABEL_INIT;
    u4 first = c->a.n_fixups;
    asm_load(&c->a, MEM_32, bits, mem_at(ra, offsetof(Object, klass)));
    asm_cmp_mem(&c->a, MEM_U8, mem_at(bits, offsetof(Class, elem_type)), op_imm(T_BOOLEAN));
    asm_mov(&c->a, W64, bits, r);
    asm_branch(&c->a, COND_NE, &store);
    asm_alu(&c->a, ALU_AND, W32, bits, bits, op_imm(1));
    asm_bind(&c->a, &store);
    asm_settle(&c->a, first);
    asm_store(&c->a, MEM_U8, m, bits);
    pop(c, 3);
}

/* --- the operand stack --- */

/* The value of a cell once more, on top.  Registers have one owner. */
static void push_copy(Compiler *c, u4 cell) {
    Value v = c->stack[cell];
    if (v.kind == V_REG) {
        Reg r = temp(c);
        v = c->stack[cell]; /* may have been spilled for it */
        if (v.kind == V_REG) asm_mov(&c->a, W64, r, v.reg);
        else asm_load(&c->a, MEM_64, r, cell_mem(cell));
        v.kind = V_REG;
        v.reg = r;
    } else if (v.kind == V_FREG) {
        FReg r = ftemp(c);
        v = c->stack[cell];
        if (v.kind == V_FREG) asm_fmov(&c->a, W64, r, v.reg);
        else asm_fload(&c->a, W64, r, cell_mem(cell));
        v = (Value){.kind = V_FREG, .reg = r};
    } else if (v.kind == V_MEM) {
        Reg r = temp(c);
        asm_load(&c->a, MEM_64, r, cell_mem(cell));
        v.kind = V_REG;
        v.reg = r;
    }
    push_value(c, v);
}

/* What lies in memory cannot be moved to another cell. */
static void keep_in_register(Compiler *c, u4 cell) {
    const Value *v = &c->stack[cell];
    if (v->kind == V_MEM || v->kind == V_REG) use(c, cell);
    else if (v->kind == V_FREG) c->flocked |= 1u << v->reg;
}

static void dup_x(Compiler *c, u4 n, u4 below) {
    Value moved[4];
    u4 from = c->depth - n - below;
    if (n + below > c->depth) return refuse(c, "stack too shallow");
    for (u4 i = from; i < c->depth; i++) keep_in_register(c, i);
    for (u4 i = 0; i < n; i++) push_copy(c, from + below + i);
    /* now: below, n, copy of n; the copy goes to the bottom */
    memcpy(moved, &c->stack[c->depth - n], n * sizeof(Value));
    memmove(&c->stack[from + n], &c->stack[from], (below + n) * sizeof(Value));
    memcpy(&c->stack[from], moved, n * sizeof(Value));
    if (from < c->low) c->low = from;
}

static void swap(Compiler *c) {
    for (u4 i = c->depth - 2; i < c->depth; i++) keep_in_register(c, i);
    Value v = *top(c, 1);
    *top(c, 1) = *top(c, 2);
    *top(c, 2) = v;
    if (c->depth - 2 < c->low) c->low = c->depth - 2;
}

/* --- locals --- */

static void load_local(Compiler *c, const CfInsn *i) {
    BasicType t = base_type_of_access(i->op);
    bool safe = c->safe_locals[i->index >> 6] >> (i->index & 63) & 1;
    if (c->scope) inline_load(c, i->index);
    else push_value(c, (Value){.kind = V_LOCAL, .local = i->index, .web = web_of(t), .safe = safe});
    if (t == T_LONG || t == T_DOUBLE) push_hole(c);
}

static void pop_to_local(Compiler *c, const CfInsn *i) {
    BasicType t = base_type_of_access(i->op);
    u4 n = t == T_LONG || t == T_DOUBLE ? 2 : 1;
    if (n > c->depth) return refuse(c, "stack too shallow");
    if (c->scope) inline_store(c, i->index, c->depth - n);
    else store_local(c, i->index, t, c->depth - n);
    pop(c, n);
}

/* --- constants --- */

static void load_constant(Compiler *c, const CfInsn *i) {
    Slot v;
    BasicType type;
    if (!resolved_constant(c->m->version, (u2)i->index, &v, &type)) return exit_now(c, EXIT_UNQUICK);
    if (v.raw && (type == T_OBJECT || type == T_ARRAY))
        return push_value(c, (Value){.kind = V_CONST, .k = (int64_t)v.raw, .safe = true});
    push_const(c, (int64_t)v.raw);
    if (type == T_LONG || type == T_DOUBLE) push_hole(c);
}

static void push_float(Compiler *c, float f) {
    u4 bits;
    memcpy(&bits, &f, 4);
    push_const(c, bits);
}
static void push_wide(Compiler *c, int64_t k) {
    push_const(c, k);
    push_hole(c);
}

/* --- returns --- */

void narrow_result(Compiler *c, Reg d, Reg r) {
    switch ((BasicType)c->m->ret_type) { /* JVMS 6.5.ireturn */
    case T_BOOLEAN: asm_alu(&c->a, ALU_AND, W32, d, r, op_imm(1)); break;
    case T_BYTE: asm_unary(&c->a, UNARY_SIGN8, W32, d, r); break;
    case T_CHAR: asm_unary(&c->a, UNARY_ZERO16, W32, d, r); break;
    case T_SHORT: asm_unary(&c->a, UNARY_SIGN16, W32, d, r); break;
    default: asm_mov(&c->a, W32, d, r); break;
    }
}

static void ask_poll(Compiler *c, u4 reason, Later *slow) {
    asm_test_mem(&c->a, MEM_32, thread_mem(offsetof(Thread, poll)), (int32_t)reason);
    asm_branch(&c->a, COND_NE, &slow->at);
    asm_bind(&c->a, &slow->back);
}

/* The operands stay as they are. */
static void report_return(Compiler *c, u4 cells) {
    HelperArg value = cells ? arg_cell(c->depth - cells) : (HelperArg){ARG_CONST, 0};
    HelperArg bits = {ARG_CONST, (int64_t)jit_value_bits((u1)c->m->ret_type)};
    Later *slow = slow_call(c, jit_h_returns, value, bits, 0, NO_REG);
    slow->info = exit_redo(c, EXIT_REDO, 0);
    ask_poll(c, POLL_METHOD_EXIT, slow);
}

/* In front of its instruction, which may leave: EXIT_BROKEN says that it was told. */
static void report_break(Compiler *c) {
    Later *slow = slow_call(c, jit_h_break, arg_const(quick_breakpoint_owner(c->m, c->bci)), NO_ARG, 0, NO_REG);
    slow->info = slow->redo;
    asm_jump(&c->a, &slow->at);
    asm_bind(&c->a, &slow->back);
}

/* Monitors that are left locked are for the interpreter.  Whatever else is unusual about a return has the frame leave compiled
 * code before, but for MethodExit, which code that reports sends itself (report_return). */
static void do_return(Compiler *c, u1 op) {
    u4 n = op == CF_OP_RETURN ? 0 : op == CF_OP_LRETURN || op == CF_OP_DRETURN ? 2 : 1;
    if (n > c->depth - c->floor)
        return refuse(c, "stack too shallow"); /* at the end of a jump, from where only a jump from behind leads */
    if (c->scope) return inline_return(c, op);
    if (c->has_monitors) {
        asm_test_mem(&c->a, MEM_32, frame_mem(offsetof(Frame, flags)), FRAME_LOCKS);
        asm_branch(&c->a, COND_NE, exit_here(c, EXIT_REDO));
    }
    if (c->reports) report_return(c, n);
    if (c->m->access & ACC_SYNCHRONIZED) leave_sync(c);
    if (op == CF_OP_FRETURN || op == CF_OP_DRETURN) {
        asm_fmov(&c->a, W64, F_0, fuse(c, c->depth - n, op == CF_OP_FRETURN ? W32 : W64));
    } else if (n) {
        Reg r = use(c, c->depth - n);
        if (op == CF_OP_IRETURN && c->m->ret_type != T_INT) narrow_result(c, R_AX, r);
        else if (r != R_AX) asm_mov(&c->a, W64, R_AX, r);
    }
    asm_address(&c->a, R_FRAME, mem_at(R_FRAME, -8 * (int32_t)c->m->max_locals));
    asm_return(&c->a);
    c->reachable = false;
}

/* A return at the end of a jump, or in front of which other code ends, is done here: its value need not go through memory. */
static bool return_here(Compiler *c, u4 target) {
    u1 op = c->code[target];
    if (op < CF_OP_IRETURN || op > CF_OP_RETURN) return false;
    c->bci = target;
    if (UNLIKELY(c->marks[target] & MARK_BREAK)) report_break(c);
    do_return(c, op);
    return true;
}

static void go_to(Compiler *c, u4 target) {
    if (!return_here(c, target)) jump_to(c, target);
}

/* --- one instruction --- */

static bool simple_op(Compiler *c, const CfInsn *i) {
    u1 op = i->op;
    if (op_is_load(op)) return load_local(c, i), true;
    if (op_is_store(op)) return pop_to_local(c, i), true;
    switch (op) {
    case CF_OP_NOP: return true;
    case CF_OP_ACONST_NULL: push_const(c, 0); return true;
    case CF_OP_ICONST_M1:
    case CF_OP_ICONST_0:
    case CF_OP_ICONST_1:
    case CF_OP_ICONST_2:
    case CF_OP_ICONST_3:
    case CF_OP_ICONST_4:
    case CF_OP_ICONST_5:
    case CF_OP_BIPUSH:
    case CF_OP_SIPUSH: push_const(c, (u4)i->imm); return true;
    case CF_OP_LCONST_0: push_wide(c, 0); return true;
    case CF_OP_LCONST_1: push_wide(c, 1); return true;
    case CF_OP_FCONST_0: push_float(c, 0); return true;
    case CF_OP_FCONST_1: push_float(c, 1); return true;
    case CF_OP_FCONST_2: push_float(c, 2); return true;
    case CF_OP_DCONST_0: push_wide(c, 0); return true;
    case CF_OP_DCONST_1: push_wide(c, 0x3ff0000000000000); return true;
    case CF_OP_LDC:
    case CF_OP_LDC_W:
    case CF_OP_LDC2_W: load_constant(c, i); return true;
    case CF_OP_IINC: increment(c, i->index, i->imm); return true;
    case CF_OP_POP: pop(c, 1); return true;
    case CF_OP_POP2: pop(c, 2); return true;
    case CF_OP_DUP: dup_x(c, 1, 0); return true;
    case CF_OP_DUP_X1: dup_x(c, 1, 1); return true;
    case CF_OP_DUP_X2: dup_x(c, 1, 2); return true;
    case CF_OP_DUP2: dup_x(c, 2, 0); return true;
    case CF_OP_DUP2_X1: dup_x(c, 2, 1); return true;
    case CF_OP_DUP2_X2: dup_x(c, 2, 2); return true;
    case CF_OP_SWAP: swap(c); return true;
    default: return false;
    }
}

/* The bits are tested, and not computed. */
static bool and_test(Compiler *c) {
    CfInsn i;
    u4 x = c->depth - 2, y = c->depth - 1;
    if (!next_is_test(c, &i) || i.op == CF_OP_IFGT || i.op == CF_OP_IFLE) return false;
    if (c->stack[x].kind == V_CONST) {
        x = c->depth - 1;
        y = c->depth - 2;
    }
    Reg rx = use(c, x);
    Operand oy = c->stack[y].kind == V_CONST ? op_imm((int32_t)c->stack[y].k) : op_reg(use(c, y));
    pop(c, 2);
    c->bci = c->next;
    c->next += i.len;
    asm_test(&c->a, W32, rx, oy);
    branch_to(c, conditions[i.op - CF_OP_IFEQ], (u4)i.target);
    return true;
}

static bool math_op(Compiler *c, u1 op) {
    static const u1 alus[] = {ALU_ADD, ALU_SUB, ALU_MUL}, fops[] = {FLOAT_ADD, FLOAT_SUB, FLOAT_MUL, FLOAT_DIV};
    if (op >= CF_OP_IADD && op <= CF_OP_DDIV) { /* int, long, float, double of each */
        u4 row = (u4)(op - CF_OP_IADD) / 4, type = (u4)(op - CF_OP_IADD) % 4;
        Width w = type & 1 ? W64 : W32;
        if (type >= 2) float_binary(c, (FloatOp)fops[row], w);
        else if (row == 3) divide(c, false, w);
        else binary(c, (AluOp)alus[row], w);
        return true;
    }
    switch (op) {
    case CF_OP_IREM: divide(c, true, W32); return true;
    case CF_OP_LREM: divide(c, true, W64); return true;
    case CF_OP_FREM: float_remainder(c, W32); return true;
    case CF_OP_DREM: float_remainder(c, W64); return true;
    case CF_OP_INEG: unary(c, UNARY_NEG, W32, 1, false); return true;
    case CF_OP_LNEG: unary(c, UNARY_NEG, W64, 2, true); return true;
    case CF_OP_FNEG: float_negate(c, W32); return true;
    case CF_OP_DNEG: float_negate(c, W64); return true;
    case CF_OP_ISHL: shift(c, SHIFT_LEFT, W32); return true;
    case CF_OP_LSHL: shift(c, SHIFT_LEFT, W64); return true;
    case CF_OP_ISHR: shift(c, SHIFT_RIGHT, W32); return true;
    case CF_OP_LSHR: shift(c, SHIFT_RIGHT, W64); return true;
    case CF_OP_IUSHR: shift(c, SHIFT_RIGHT_UNSIGNED, W32); return true;
    case CF_OP_LUSHR: shift(c, SHIFT_RIGHT_UNSIGNED, W64); return true;
    case CF_OP_IAND:
        if (!and_test(c)) binary(c, ALU_AND, W32);
        return true;
    case CF_OP_LAND: binary(c, ALU_AND, W64); return true;
    case CF_OP_IOR: binary(c, ALU_OR, W32); return true;
    case CF_OP_LOR: binary(c, ALU_OR, W64); return true;
    case CF_OP_IXOR: binary(c, ALU_XOR, W32); return true;
    case CF_OP_LXOR: binary(c, ALU_XOR, W64); return true;
    case CF_OP_I2L: unary(c, UNARY_SIGN32, W64, 1, true); return true;
    case CF_OP_I2F: int_to_float(c, W32, W32); return true;
    case CF_OP_I2D: int_to_float(c, W32, W64); return true;
    case CF_OP_L2I: truncate_long(c); return true;
    case CF_OP_L2F: int_to_float(c, W64, W32); return true;
    case CF_OP_L2D: int_to_float(c, W64, W64); return true;
    case CF_OP_F2I: float_to_int(c, W32, W32); return true;
    case CF_OP_F2L: float_to_int(c, W32, W64); return true;
    case CF_OP_F2D: float_to_float(c, W64); return true;
    case CF_OP_D2I: float_to_int(c, W64, W32); return true;
    case CF_OP_D2L: float_to_int(c, W64, W64); return true;
    case CF_OP_D2F: float_to_float(c, W32); return true;
    case CF_OP_I2B: unary(c, UNARY_SIGN8, W32, 1, false); return true;
    case CF_OP_I2C: unary(c, UNARY_ZERO16, W32, 1, false); return true;
    case CF_OP_I2S: unary(c, UNARY_SIGN16, W32, 1, false); return true;
    case CF_OP_LCMP: compare_long(c); return true;
    case CF_OP_FCMPL: compare_float(c, W32, -1); return true;
    case CF_OP_FCMPG: compare_float(c, W32, 1); return true;
    case CF_OP_DCMPL: compare_float(c, W64, -1); return true;
    case CF_OP_DCMPG: compare_float(c, W64, 1); return true;
    default: return false;
    }
}

static bool array_op(Compiler *c, u1 op) {
    switch (op) {
    case CF_OP_IALOAD: array_load(c, MEM_32, 2, false); return true;
    case CF_OP_LALOAD: array_load(c, MEM_64, 3, false); return true;
    case CF_OP_FALOAD: array_fload(c, W32); return true;
    case CF_OP_DALOAD: array_fload(c, W64); return true;
    case CF_OP_AALOAD: array_load(c, MEM_32, 2, true); return true;
    case CF_OP_BALOAD: array_load(c, MEM_S8, 0, false); return true;
    case CF_OP_CALOAD: array_load(c, MEM_U16, 1, false); return true;
    case CF_OP_SALOAD: array_load(c, MEM_S16, 1, false); return true;
    case CF_OP_IASTORE: array_store(c, MEM_32, 2); return true;
    case CF_OP_LASTORE: array_store(c, MEM_64, 3); return true;
    case CF_OP_FASTORE: array_fstore(c, W32); return true;
    case CF_OP_DASTORE: array_fstore(c, W64); return true;
    case CF_OP_BASTORE: byte_store(c); return true;
    case CF_OP_CASTORE:
    case CF_OP_SASTORE: array_store(c, MEM_U16, 1); return true;
    case CF_OP_ARRAYLENGTH: {
        u4 a = c->depth - 1;
        Reg ra = use(c, a), d = result_for(c, a);
        check_by_access(c, a, ra, offsetof(Array, length));
        asm_load(&c->a, MEM_32, d, mem_at(ra, offsetof(Array, length)));
        drop_and_push(c, 1, d, false);
        return true;
    }
    default: return false;
    }
}

/* The jump back to a loop whose code behind the test is written. */
static bool test_again(Compiler *c, const CfInsn *jump) {
    LoopTest t;
    CfInsn i;
    u4 head = (u4)jump->target, end = c->next;
    if (!(c->marks[c->bci] & MARK_TURNED) || c->depth || !base_loop_test(c, jump, &t) || c->labels[t.stay].at < 0) return false;
    start_again(c, head);
    c->turn_to = t.stay;
    for (u4 at = head; at < t.stay && c->reachable && !c->why && cf_insn(c->code, c->len, at, &i); at = c->next) {
        c->bci = at;
        c->next = at + i.len;
        note_place(c, NULL, at);
        compile_insn(c, &i);
    }
    bool turned = !c->turn_to;
    c->turn_to = 0;
    if (c->reachable && !turned) jump_to(c, t.stay); /* the test was decided */
    else if (c->reachable && t.leave != end) go_to(c, t.leave);
    c->bci = (u4)jump->pc;
    c->next = end;
    return true;
}

static bool control_op(Compiler *c, const CfInsn *i) {
    u1 op = i->op;
    if (op >= CF_OP_IFEQ && op <= CF_OP_IFLE) return branch_unary(c, i, conditions[op - CF_OP_IFEQ], W32), true;
    if (op >= CF_OP_IF_ICMPEQ && op <= CF_OP_IF_ICMPLE) return branch_binary(c, i, conditions[op - CF_OP_IF_ICMPEQ], W32), true;
    if (op >= CF_OP_IRETURN && op <= CF_OP_RETURN) return do_return(c, op), true;
    switch (op) {
    case CF_OP_IF_ACMPEQ: branch_binary(c, i, COND_EQ, W64); return true;
    case CF_OP_IF_ACMPNE: branch_binary(c, i, COND_NE, W64); return true;
    case CF_OP_IFNULL: branch_unary(c, i, COND_EQ, W64); return true;
    case CF_OP_IFNONNULL: branch_unary(c, i, COND_NE, W64); return true;
    case CF_OP_GOTO:
    case CF_OP_GOTO_W:
        if (!test_again(c, i)) go_to(c, (u4)i->target);
        return true;
    case CF_OP_TABLESWITCH:
    case CF_OP_LOOKUPSWITCH: do_switch(c, i); return true;
    case CF_OP_ATHROW: exit_now(c, EXIT_ATHROW); return true;
    default: return false;
    }
}

void compile_insn(Compiler *c, const CfInsn *i) {
    u1 quick = quick_plain_opcode(quick_current_opcode(c->m, c->m->qcode + c->bci));
    c->locked = c->flocked = 0;
    c->insn = i;
    if (!cf_insn_stack(c->m->version->cf, i, &c->pops, &c->pushes) || c->pops > c->depth - c->floor)
        return refuse(c, "bad stack");
    c->below = c->depth - c->pops;
    if (UNLIKELY(c->marks[c->bci] & MARK_BREAK)) report_break(c);
    if (simple_op(c, i) || base_fold(c, i->op) || math_op(c, i->op) || array_op(c, i->op) || control_op(c, i) ||
        base_object_op(c, i, quick))
        return;
    exit_now(c, EXIT_REDO);
}

/* --- the method --- */

static void report_entry(Compiler *c) {
    Later *slow = slow_call(c, jit_h_entered, NO_ARG, NO_ARG, 0, NO_REG);
    slow->info = exit_info(EXIT_AT, 0, 0, 0);
    ask_poll(c, POLL_METHOD_ENTRY, slow);
}

/* Behind the limit is more room than any two frames take: the start of the frame is compared, for both stacks (jit_enter).  Who calls nothing
 * needs no check: its frame is the second, and loops poll.  But code that reports nothing is checked while anything is to be reported (jit_report). */
static void write_entry(Compiler *c) {
    const Method *m = c->m;
    Asm *a = &c->a;
    int32_t frame = 8 * m->max_locals;
    asm_bind(a, &c->entry);
    asm_cmp(a, W64, R_ARGS, op_mem(thread_mem(offsetof(Thread, code_limit))));
    asm_branch(a, COND_ABOVE, &c->slow_entry);
    u4 reasons = c->reports ? POLL_AT_LOOP : POLL_AT_ENTRY | POLL_METHOD_EXIT;
    asm_test_mem(a, MEM_32, thread_mem(offsetof(Thread, poll)), (int32_t)(reasons & ~(u4)POLL_HOT_LOOP));
    asm_branch(a, COND_NE, &c->slow_entry);
    c->body = asm_here(a);
    asm_store(a, MEM_64, mem_at(R_ARGS, frame + (int32_t)offsetof(Frame, prev)), R_FRAME);
    asm_address(a, R_FRAME, mem_at(R_ARGS, frame));
    asm_store(a, MEM_64, frame_mem(offsetof(Frame, method)), R_CALLEE);
    asm_store_const(a, MEM_32, frame_mem(offsetof(Frame, flags)), FRAME_COMPILED);
    if (m->access & ACC_SYNCHRONIZED) enter_sync(c);
    if (c->reports) report_entry(c);
}

static void leave_tail(Compiler *c) {
    static const u1 none[JITDUMP_TAIL];
    asm_align(&c->a, 8);
    asm_bytes(&c->a, none, sizeof none);
}

static void write_code(Compiler *c) {
    CfInsn i;
    note_place(c, NULL, 0);
    write_entry(c);
    c->reachable = true;
    c->safe_locals[0] |= c->this_stays;
    for (u4 at = 0; at < c->len && !c->why && !c->no_memory; at = c->next) {
        if (!cf_insn(c->code, c->len, at, &i)) return refuse(c, "unknown instruction");
        c->bci = at;
        c->next = at + i.len;
        if (c->marks[at] & MARK_TARGET) {
            if (c->reachable && c->depth) return_here(c, at);
            start_block(c);
        }
        if (!c->reachable) continue;
        note_place(c, NULL, at);
        compile_insn(c, &i);
    }
    if (c->reachable) refuse(c, "end of code reached");
    write_later(c);
    if (!c->why) add_entries(c);
    write_later(c);
    write_exits(c);
    inline_write_shared(c);
    note_place(c, NULL, 0);
    places_end(&c->places);
    asm_bind(&c->a, &c->slow_entry);
    jump_to_stub(c, jit_entry_slow_stub);
    if (vm_options.dump_jit_code) leave_tail(c);
}

static bool init(Compiler *c) {
    u4 n = c->len;
    c->marks = calloc(n, 1);
    c->pins_at = calloc(n, sizeof *c->pins_at);
    c->depth_at = malloc(n * sizeof *c->depth_at);
    c->labels = malloc(n * sizeof *c->labels);
    c->pin_of = malloc((c->m->max_locals + 2u) * WEBS);
    c->stack = malloc((c->m->max_stack + 8u + MAX_INLINE_CELLS) * sizeof *c->stack);
    c->safe_locals = calloc((c->m->max_locals + 64u) / 64, sizeof *c->safe_locals);
    c->entries = malloc(n * sizeof *c->entries);
    if (!c->marks || !c->pins_at || !c->depth_at || !c->labels || !c->pin_of || !c->stack || !c->safe_locals || !c->entries)
        return false;
    memset(c->depth_at, 0xff, n * sizeof *c->depth_at);
    memset(c->labels, 0xff, n * sizeof *c->labels);
    memset(c->pin_of, NO_PIN, (c->m->max_locals + 2u) * WEBS);
    c->slow_entry = c->entry = LABEL_INIT;
    cf_arena_init(&c->arena, "compiler", 0);
    asm_init(&c->a);
    return true;
}

static void clean(Compiler *c) {
    inline_free(c);
    asm_free(&c->a);
    free(c->marks);
    free(c->pins_at);
    free(c->depth_at);
    cf_arena_free(&c->arena);
    free(c->labels);
    free(c->pin_of);
    free(c->stack);
    free(c->safe_locals);
    free(c->entries);
    free(c->places.bytes);
    exit_writer_free(&c->exits);
    jit_free_sites(c->sites);
}

static bool add_pins(const Compiler *c, CodeBlob *b) {
    if (c->n_pins && !(b->pins = malloc(c->n_pins * sizeof *b->pins))) return false;
    for (u4 p = 0; p < c->n_pins; p++)
        b->pins[p] = (CodePin){c->pins[p].local, c->pins[p].reg, c->pins[p].fp, c->pins[p].web == WEB_INT};
    return true;
}

static CodeBlob *install(Compiler *c) {
    u1 *write;
    const u1 *run;
    u4 size = c->a.len;
    CodeBlob *b = malloc(sizeof *b + c->n_entries * sizeof *b->entries);
    if (!b) return NULL;
    if (!cache_alloc(size, b, &write, &run)) {
        c->why = "code cache is full";
        return free(b), NULL;
    }
    *b = (CodeBlob){.method = c->m,
                    .code = run,
                    .size = size,
                    .body = c->body,
                    .entry = c->calls || c->reports || c->breaks || c->m->code_len > MOST_UNMET ? 0 : c->body,
                    .reports = c->reports,
                    .n_entries = c->n_entries,
                    .places = c->places.bytes,
                    .n_places = c->places.n,
                    .exits = c->exits.keys,
                    .n_exits = c->exits.n_keys,
                    .records = c->exits.bytes,
                    .n_record_bytes = c->exits.len,
                    .scopes = inline_scopes(c),
                    .n_scopes = c->n_scopes,
                    .inlined = c->inlined,
                    .n_inlined = c->n_inlined};
    memcpy(b->entries, c->entries, c->n_entries * sizeof *b->entries);
    if ((b->scopes || !b->n_scopes) && add_pins(c, b) && constants_keep(&c->a, b) && asm_copy(&c->a, write, run)) {
        b->sites = c->sites;
        c->sites = NULL;
        c->exits = (ExitWriter){0};
        c->places.bytes = NULL; /* the blob has them */
        c->inlined = NULL;
        return b;
    }
    cache_free(run, size);
    free(b->pins);
    free(b->words);
    free(b->scopes);
    return free(b), NULL;
}

static const char *cannot(const Method *m) {
    if (m->flags & MF_OBJECT_INIT) return "is Object.<init>";
    if (m->code_len > MAX_CODE_LEN || m->max_locals > MAX_LOCALS || m->max_stack > MAX_DEPTH) return "is too large";
    return NULL;
}

static void mark_breakpoints(Compiler *c) {
    for (u4 at = 0, n; c->m->flags & MF_HAS_BREAKPOINT && at < c->len; at += n) {
        if (!(n = cf_insn_length(c->code, c->len, at))) return;
        if (c->m->qcode[at] != Q_BREAKPOINT) continue;
        c->marks[at] |= MARK_BREAK;
        c->breaks = true;
    }
}

typedef struct Manner {
    bool plain, flat, reports; /* Compiler */
} Manner;

/* Bodies and machine code in place of calls want many registers at once; where there are too few, the method goes without.  True: to
 * be compiled again, in another manner. */
static bool compile(Method *m, Manner *how, const char **why, CodeBlob **made) {
    Compiler c = {.root = m,
                  .m = m,
                  .code = m->code,
                  .len = m->code_len,
                  .plain = how->plain,
                  .flat = how->flat,
                  .reports = how->reports,
                  .stop = 1};
    CodeBlob *b = NULL;
    report_no_bodies();
    if (init(&c) && base_scan(&c)) {
        mark_breakpoints(&c);
        write_code(&c);
        if (!c.why && !c.no_memory && !c.exits.failed && asm_finish(&c.a)) b = install(&c);
    }
    *why = c.why;
    *made = b;
    Manner was = *how;
    how->plain |= c.short_of_registers;
    how->flat |= c.wants_flat;
    clean(&c);
    return how->plain != was.plain || how->flat != was.flat;
}

CodeBlob *base_compile(Method *m, bool reports, const char **why) {
    Manner how = {.plain = reports, .reports = reports};
    CodeBlob *b;
    if ((*why = cannot(m))) return NULL;
    while (compile(m, &how, why, &b)) {}
    return b;
}
