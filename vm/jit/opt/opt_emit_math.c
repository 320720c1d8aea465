/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing code: numbers.
 *
 * A register with an INT has nothing in its upper half; every operation of 32 bits sees to that.  So an index is an address's part as it is.
 */
#include "jit/opt/opt_code.h"

/* --- operands in memory --- */

/* d = x op [the access of input 1].  Where the address would be destroyed by moving x to d the operand is loaded first. */
static void alu_mem(Emit *e, Ref r, AluOp op, Width w, Reg d, Reg x, Mem m) {
    if (d != x && (m.base == d || m.index == d)) {
        emit_fault(e, r);
        asm_load(&e->a, w == W64 ? MEM_64 : MEM_32, ASM_SCRATCH, m);
        asm_alu(&e->a, op, w, d, x, op_reg(ASM_SCRATCH));
        return;
    }
    asm_mov(&e->a, W64, d, x);
    emit_fault(e, r);
    asm_alu(&e->a, op, w, d, d, op_mem(m));
}

/* By one more or one less than a power: two short instructions in place of a long one, for sums that wait for each other (31 * h + x). */
static bool multiply_by_shift(Emit *e, Width w, Reg d, Reg x, int32_t k) {
    bool less = k > 2 && !(k & (k + 1)), more = k > 2 && !((k - 1) & (k - 2));
    if (!less && !more) return false;
    Reg whole = d == x ? ASM_SCRATCH : x;
    if (d == x) asm_mov(&e->a, w, whole, x);
    asm_shift(&e->a, SHIFT_LEFT, w, d, x, op_imm(less ? __builtin_ctz((u4)k + 1) : __builtin_ctz((u4)k - 1)));
    asm_alu(&e->a, less ? ALU_SUB : ALU_ADD, w, d, d, op_reg(whole));
    return true;
}

static void alu(Emit *e, Ref r, AluOp op) {
    const Node *n = opt_node(e->o, r);
    Width w = opt_width(n->type);
    Reg x = emit_in(e, n, 0), d = emit_out(e, r);
    Operand y = emit_operand(e, n, 1);
    if (y.kind == OPERAND_MEM) return alu_mem(e, r, op, w, d, x, y.mem);
    if (op == ALU_SUB && y.kind == OPERAND_IMM && y.imm != INT32_MIN) {
        op = ALU_ADD; /* has a form with three operands */
        y.imm = -y.imm;
    }
    if (op == ALU_MUL && y.kind == OPERAND_IMM && multiply_by_shift(e, w, d, x, y.imm)) return;
    asm_alu(&e->a, op, w, d, x, y);
}

static void shift(Emit *e, Ref r, ShiftOp op) {
    const Node *n = opt_node(e->o, r);
    Operand count = opt_imm(&e->b, n, 1) ? op_imm((int32_t)emit_const(e, n->in[1])->k) : op_reg(emit_in(e, n, 1));
    asm_shift(&e->a, op, opt_width(n->type), emit_out(e, r), emit_in(e, n, 0), count);
}

static void unary(Emit *e, Ref r, UnaryOp op, Width w) {
    asm_unary(&e->a, op, w, emit_out(e, r), emit_in(e, opt_node(e->o, r), 0));
}

/* --- division: as base.c, where the theory is --- */

static void divide_by_power(Asm *a, bool remainder, Width w, Reg d, Reg x, Reg t, u4 k) {
    int32_t bits = w == W64 ? 64 : 32;
    asm_shift(a, SHIFT_RIGHT, w, t, x, op_imm(bits - 1));
    asm_shift(a, SHIFT_RIGHT_UNSIGNED, w, t, t, op_imm(bits - (int32_t)k));
    asm_alu(a, ALU_ADD, w, d, x, op_reg(t));
    if (remainder) {
        asm_alu(a, ALU_AND, w, d, d, op_imm((1 << k) - 1));
        asm_alu(a, ALU_SUB, w, d, d, op_reg(t));
    } else {
        asm_shift(a, SHIFT_RIGHT, w, d, d, op_imm((int32_t)k));
    }
}

static void finish_division(Asm *a, bool remainder, Width w, Reg d, Reg x, Reg q, Reg t, int32_t by) {
    if (!remainder) return asm_mov(a, W64, d, q);
    asm_alu(a, ALU_MUL, w, t, q, op_imm(by));
    asm_mov(a, W64, d, x);
    asm_alu(a, ALU_SUB, w, d, d, op_reg(t));
}

static void divide_int(Asm *a, bool remainder, Reg d, Reg x, Reg t, int32_t by) {
    u4 k = 32 - (u4)__builtin_clz((u4)by - 1);
    asm_const(a, d, (int64_t)((1ull << (31 + k)) / (u4)by + 1));
    asm_unary(a, UNARY_SIGN32, W64, t, x);
    asm_alu(a, ALU_MUL, W64, d, d, op_reg(t));
    asm_shift(a, SHIFT_RIGHT, W64, d, d, op_imm((int32_t)(31 + k)));
    asm_shift(a, SHIFT_RIGHT_UNSIGNED, W32, t, t, op_imm(31));
    asm_alu(a, ALU_ADD, W32, d, d, op_reg(t));
    finish_division(a, remainder, W32, d, x, d, t, by);
}

/* x and t are in none of the registers that multiplying destroys. */
static void divide_long(Asm *a, bool remainder, Reg d, Reg x, Reg t, int32_t by) {
    u4 k = 32 - (u4)__builtin_clz((u4)by - 1);
    Reg q = R_DX;
    asm_const(a, t, (int64_t)((u8)(((unsigned __int128)1 << (63 + k)) / (u4)by) + 1));
    asm_mul_high(a, true, q, x, t);
    asm_alu(a, ALU_ADD, W64, q, q, op_reg(x));
    asm_shift(a, SHIFT_RIGHT, W64, q, q, op_imm((int32_t)k - 1));
    asm_shift(a, SHIFT_RIGHT_UNSIGNED, W64, t, x, op_imm(63));
    asm_alu(a, ALU_ADD, W64, q, q, op_reg(t));
    finish_division(a, remainder, W64, d, x, q, t, by);
}

static void divide(Emit *e, Ref r, bool remainder) {
    const Node *n = opt_node(e->o, r);
    Width w = opt_width(n->type);
    Reg x = emit_in(e, n, 0), d = emit_out(e, r), t = emit_temp(e, n, 0);
    int64_t by = emit_const(e, n->in[1])->k;
    switch (opt_divide_by(&e->b, n)) {
    case DIVIDE_POWER: divide_by_power(&e->a, remainder, w, d, x, t, (u4)__builtin_ctzll((u8)by)); break;
    case DIVIDE_INT: divide_int(&e->a, remainder, d, x, t, (int32_t)by); break;
    case DIVIDE_LONG: divide_long(&e->a, remainder, d, x, t, (int32_t)by); break;
    default: asm_div(&e->a, w, remainder, d, x, emit_in(e, n, 1)); break;
    }
}

/* --- floating point --- */

static void fop(Emit *e, Ref r, FloatOp op) {
    const Node *n = opt_node(e->o, r);
    Width w = opt_width(n->type);
    FReg x = emit_fin(e, n, 0), d = emit_fout(e, r);
    if (!e->b.fused[n->in[1]]) return asm_fop(&e->a, op, w, d, x, emit_fin(e, n, 1));
    Mem m = emit_address(e, opt_node(e->o, n->in[1]), n->pos);
    asm_fmov(&e->a, w, d, x);
    emit_fault(e, r);
    asm_fop_mem(&e->a, op, w, d, d, m);
}

/* --- conversions --- */

static void convert(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Width from = opt_width(n->from), to = opt_width(n->type);
    Asm *a = &e->a;
    if (opt_is_fp(n->from)) {
        FReg x = emit_fin(e, n, 0);
        if (opt_is_fp(n->type)) asm_fconvert(a, to, emit_fout(e, r), x);
        else asm_float_to_int(a, from, to, emit_out(e, r), x);
    } else if (opt_is_fp(n->type)) {
        asm_int_to_float(a, from, to, emit_fout(e, r), emit_in(e, n, 0));
    } else if (n->type == OT_LONG) {
        asm_unary(a, UNARY_SIGN32, W64, emit_out(e, r), emit_in(e, n, 0));
    } else {
        asm_mov(a, W32, emit_out(e, r), emit_in(e, n, 0));
    }
}

static void narrow(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    switch (n->kind) {
    case MEM_S8: return unary(e, r, UNARY_SIGN8, W32);
    case MEM_U16: return unary(e, r, UNARY_ZERO16, W32);
    case MEM_S16: return unary(e, r, UNARY_SIGN16, W32);
    default: asm_alu(&e->a, ALU_AND, W32, emit_out(e, r), emit_in(e, n, 0), op_imm(1)); return;
    }
}

static void bits(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    if (opt_is_fp(n->type)) asm_bits_to_float(&e->a, opt_width(n->type), emit_fout(e, r), emit_in(e, n, 0));
    else asm_float_to_bits(&e->a, opt_width(n->type), emit_out(e, r), emit_fin(e, n, 0));
}

static void count_bits(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    static const UnaryOp ops[] = {
        [BITS_LEADING] = UNARY_LEADING_ZEROS, [BITS_TRAILING] = UNARY_TRAILING_ZEROS, [BITS_SWAPPED] = UNARY_SWAP};
    if (n->kind == BITS_SET) asm_bit_count(&e->a, opt_width(n->from), emit_out(e, r), emit_in(e, n, 0));
    else unary(e, r, ops[n->kind], opt_width(n->from));
}

/* The first NaN wins as it is; of two equal numbers only the sign can differ: `equal` makes one of their bits. */
static void least(Emit *e, Ref r, Cond first_wins, AluOp equal) {
    const Node *n = opt_node(e->o, r);
    Asm *a = &e->a;
    Width w = opt_width(n->type);
    FReg x = emit_fin(e, n, 0), y = emit_fin(e, n, 1), d = emit_fout(e, r);
    Reg p = emit_temp(e, n, 0), q = emit_temp(e, n, 1);
    Label done = LABEL_INIT, take_y = LABEL_INIT;
    u4 first = a->n_fixups;
    asm_fmov(a, w, d, x);
    asm_fbranch(a, first_wins, w, x, y, false, &done);
    asm_fbranch(a, COND_NE, w, x, x, true, &done);
    asm_fbranch(a, COND_NE, w, x, y, true, &take_y);
    asm_float_to_bits(a, w, p, x);
    asm_float_to_bits(a, w, q, y);
    asm_alu(a, equal, w, p, p, op_reg(q));
    asm_bits_to_float(a, w, d, p);
    asm_jump(a, &done);
    asm_bind(a, &take_y);
    asm_fmov(a, w, d, y);
    asm_bind(a, &done);
    asm_settle(a, first);
}

static void pick(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Cond c = emit_compare(e, r);
    asm_select(&e->a, c, opt_width(n->type), emit_out(e, r), emit_in(e, n, 2), emit_in(e, n, 3));
}

static void pick_by_floats(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    asm_fselect(&e->a, (Cond)n->kind, opt_width(n->from), emit_fin(e, n, 0), emit_fin(e, n, 1), n->k, opt_width(n->type),
                emit_out(e, r), emit_in(e, n, 2), emit_in(e, n, 3));
}

/* --- vectors --- */

static bool emit_vector(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Asm *a = &e->a;
    VectorOp op = (VectorOp)n->kind;
    Vector v = {(VectorOf)n->from, e->o->wide};
    switch ((OptOp)n->op) {
    case OPT_VLOAD: asm_vector_load(a, v.wide, emit_fout(e, r), emit_address(e, n, n->pos)); return true;
    case OPT_VSTORE: asm_vector_store(a, v.wide, emit_address(e, n, n->pos), emit_fin(e, n, 2)); return true;
    case OPT_VOP: asm_vector_op(a, op, v, emit_fout(e, r), emit_fin(e, n, 0), emit_fin(e, n, 1)); return true;
    case OPT_VSHIFT: asm_vector_shift(a, op, v, emit_fout(e, r), emit_fin(e, n, 0), (u1)n->k); return true;
    case OPT_VREDUCE: asm_vector_reduce(a, op, v, emit_fout(e, r), emit_fin(e, n, 0)); return true;
    case OPT_VWIDEN: asm_vector_widen(a, v.wide, emit_fout(e, r), emit_fin(e, n, 0)); return true;
    case OPT_VCOUNT: asm_vector_count(a, v, emit_fout(e, r), emit_fin(e, n, 0)); return true;
    case OPT_VEND: asm_end_wide_vectors(a); return true;
    case OPT_VSPLAT:
        if (v.of == OF_INTS || v.of == OF_LONGS) asm_vector_of_reg(a, v, emit_fout(e, r), emit_in(e, n, 0));
        else asm_vector_of_freg(a, v, emit_fout(e, r), emit_fin(e, n, 0));
        return true;
    default: return false;
    }
}

/* --- all of them --- */

static bool emit_float(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Asm *a = &e->a;
    Width w = opt_width(n->type);
    switch ((OptOp)n->op) {
    case OPT_FADD: fop(e, r, FLOAT_ADD); return true;
    case OPT_FSUB: fop(e, r, FLOAT_SUB); return true;
    case OPT_FMUL: fop(e, r, FLOAT_MUL); return true;
    case OPT_FDIV: fop(e, r, FLOAT_DIV); return true;
    case OPT_FREM: emit_float_remainder(e, r); return true;
    case OPT_FNEG: asm_fneg(a, w, emit_fout(e, r), emit_fin(e, n, 0)); return true;
    case OPT_FABS: asm_fabs(a, w, emit_fout(e, r), emit_fin(e, n, 0)); return true;
    case OPT_FROUND: asm_fround(a, (RoundTo)n->kind, emit_fout(e, r), emit_fin(e, n, 0)); return true;
    case OPT_FSQRT: asm_fsqrt(a, w, emit_fout(e, r), emit_fin(e, n, 0)); return true;
    case OPT_FCMP3:
        asm_fcompare3(a, opt_width(n->from), emit_out(e, r), emit_fin(e, n, 0), emit_fin(e, n, 1), (int)n->k);
        return true;
    case OPT_FMIN: least(e, r, COND_LT, ALU_OR); return true;
    case OPT_FMAX: least(e, r, COND_GT, ALU_AND); return true;
    case OPT_FLOAT_BITS: bits(e, r); return true;
    default: return false;
    }
}

bool emit_math(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    switch ((OptOp)n->op) {
    case OPT_ADD: alu(e, r, ALU_ADD); return true;
    case OPT_SUB: alu(e, r, ALU_SUB); return true;
    case OPT_MUL: alu(e, r, ALU_MUL); return true;
    case OPT_AND: alu(e, r, ALU_AND); return true;
    case OPT_OR: alu(e, r, ALU_OR); return true;
    case OPT_XOR: alu(e, r, ALU_XOR); return true;
    case OPT_SHL: shift(e, r, SHIFT_LEFT); return true;
    case OPT_SHR: shift(e, r, SHIFT_RIGHT); return true;
    case OPT_USHR: shift(e, r, SHIFT_RIGHT_UNSIGNED); return true;
    case OPT_NEG: unary(e, r, UNARY_NEG, opt_width(n->type)); return true;
    case OPT_DIV: divide(e, r, false); return true;
    case OPT_REM: divide(e, r, true); return true;
    case OPT_PICK: pick(e, r); return true;
    case OPT_FPICK: pick_by_floats(e, r); return true;
    case OPT_CMP3: asm_compare3(&e->a, W64, emit_out(e, r), emit_in(e, n, 0), emit_in(e, n, 1)); return true;
    case OPT_BITS: count_bits(e, r); return true;
    case OPT_THREAD: asm_load(&e->a, MEM_64, emit_out(e, r), thread_mem(offsetof(Thread, java_thread))); return true;
    case OPT_CONVERT: convert(e, r); return true;
    case OPT_UNSIGNED: asm_mov(&e->a, W32, emit_out(e, r), emit_in(e, n, 0)); return true;
    case OPT_NARROW: narrow(e, r); return true;
    default: return emit_float(e, r) || emit_vector(e, r);
    }
}
