/* SPDX-License-Identifier: Apache-2.0 */
/*
 * x86-64 encodings (Intel SDM volume 2; AMD64 manual volume 3).
 *
 * An instruction is [66|F2|F3] [REX] opcode(1..3) ModRM [SIB] [disp] [imm].  `insn` writes all but the constant; the opcode
 * is given as one number that carries its prefix: 0xPPOOOO, PP being 66, F2, F3 or 0, and OOOO one byte or 0F xx.
 * Rejected: a table of forms (it says the same in more places than the functions below); recording instructions
 * first and choosing short jumps later (4 % of the code, for a second pass).
 */
#include "jit/asm/asm_int.h"

#ifndef ASM_FOR_A64
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

AsmFeatures asm_features;

#ifdef __x86_64__
/* VEX forms of floating point need a kernel that saves the registers. */
static bool saves_ymm(void) {
    u4 a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1)) return false; /* no xgetbv */
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6;
}
#endif

void asm_detect_features(void) {
#ifdef __x86_64__
    u4 a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        asm_features.popcnt = c >> 23 & 1;
        asm_features.sse41 = c >> 19 & 1;
        asm_features.fma = (c >> 12 & 1) && saves_ymm();
    }
    bool bmi1 = false;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        asm_features.bmi2 = b >> 8 & 1;
        bmi1 = b >> 3 & 1;
        asm_features.avx2 = (b >> 5 & 1) && saves_ymm();
    }
    if (__get_cpuid(0x80000001, &a, &b, &c, &d)) asm_features.zero_counts = bmi1 && (c >> 5 & 1); /* tzcnt and lzcnt */
#endif
}

/* --- encoding --- */

enum { P66 = 0x66 << 16, PF2 = 0xF2 << 16, PF3 = 0xF3 << 16, REX_W = 8, REX_R = 4, REX_X = 2, REX_B = 1 };
enum { MAX_INSN = 16 };
enum { FIX_REL32, FIX_TABLE, FIX_CALL };

static u1 *put_u4(u1 *p, u4 v) {
    memcpy(p, &v, 4);
    return p + 4;
}

static void put_imm(Asm *a, int32_t v) {
    asm_note(a, (u8)v);
    asm_put4(a, (u4)v);
}

static u1 *opcode(u1 *p, u4 op, u1 rex) {
    if (op >> 16 & 0xff) *p++ = (u1)(op >> 16);
    if (rex) *p++ = rex;
    if (op >> 8 & 0xff) *p++ = (u1)(op >> 8);
    *p++ = (u1)op;
    return p;
}

static bool fits8(int64_t v) { return v == (int8_t)v; }

/* ModRM, SIB and displacement of a memory operand. */
static u1 *modrm_mem(Asm *a, u1 *p, u1 reg, const Mem *m) {
    asm_note(a, (u8)m->disp);
    reg = (u1)((reg & 7) << 3);
    u1 sib = (u1)(m->shift << 6 | (m->index == NO_REG ? R_SP : m->index & 7) << 3);
    if (m->base == NO_REG) { /* mod 0, base 5: disp32 alone */
        *p++ = reg | 4;
        *p++ = sib | 5;
        return put_u4(p, (u4)m->disp);
    }
    ASSERT(m->index != R_SP, "rsp is no index");
    bool with_sib = m->index != NO_REG || (m->base & 7) == R_SP;
    bool disp8 = fits8(m->disp), none = m->disp == 0 && (m->base & 7) != R_BP;
    u1 mod = none ? 0 : disp8 ? 0x40 : 0x80;
    *p++ = mod | reg | (with_sib ? 4 : m->base & 7);
    if (with_sib) *p++ = sib | (m->base & 7);
    if (none) return p;
    if (disp8) return *p++ = (u1)m->disp, p;
    return put_u4(p, (u4)m->disp);
}

static u1 rex_bits(bool w, u1 reg, u1 index, u1 base) {
    u1 r = (u1)((w ? REX_W : 0) | (reg >> 3 & 1 ? REX_R : 0) | (index != NO_REG && index >> 3 & 1 ? REX_X : 0) |
                (base != NO_REG && base >> 3 & 1 ? REX_B : 0));
    return r ? r | 0x40 : 0;
}

/* op reg, r/m with a memory operand.  byte_reg: reg is used as a byte, so sp, bp, si, di want a REX to mean their low bytes. */
static void insn_mem(Asm *a, u4 op, bool w, u1 reg, const Mem *m, bool byte_reg) {
    u1 *p = asm_room(a, MAX_INSN), *start = p;
    if (!p) return;
    u1 rex = rex_bits(w, reg, m->index, m->base);
    if (byte_reg && reg >= R_SP) rex |= 0x40;
    p = modrm_mem(a, opcode(p, op, rex), reg, m);
    a->len += (u4)(p - start);
}

/* op reg, r/m with a register. */
static void insn_reg(Asm *a, u4 op, bool w, u1 reg, u1 rm, bool byte_rm) {
    u1 *p = asm_room(a, MAX_INSN), *start = p;
    if (!p) return;
    u1 rex = rex_bits(w, reg, NO_REG, rm);
    if (byte_rm && rm >= R_SP) rex |= 0x40;
    p = opcode(p, op, rex);
    *p++ = (u1)(0xC0 | (reg & 7) << 3 | (rm & 7));
    a->len += (u4)(p - start);
}

static void insn_operand(Asm *a, u4 op, bool w, u1 reg, const Operand *y) {
    if (y->kind == OPERAND_MEM) insn_mem(a, op, w, reg, &y->mem, false);
    else insn_reg(a, op, w, reg, y->reg, false);
}

/* C4 or C5: [~R ~X ~B map] [W ~vvvv L pp] opcode.  op as above; its second byte is 0x0F, 0x38 or 0x3A for the three maps. */
static u1 *vex(u1 *p, u4 op, bool w, bool wide, u1 reg, u1 vvvv, u1 index, u1 base) {
    u1 prefix = (u1)(op >> 16), map = (u1)(op >> 8) == 0x38 ? 2 : (u1)(op >> 8) == 0x3A ? 3 : 1;
    u1 last = (u1)((~vvvv & 15) << 3 | (wide ? 4 : 0) | (prefix == 0x66 ? 1 : prefix == 0xF3 ? 2 : prefix == 0xF2 ? 3 : 0));
    u1 r = reg & 8 ? 0 : 0x80, x = index != NO_REG && index & 8 ? 0 : 0x40, b = base != NO_REG && base & 8 ? 0 : 0x20;
    if (map == 1 && x && b && !w) {
        *p++ = 0xC5;
        *p++ = r | last;
    } else {
        *p++ = 0xC4;
        *p++ = r | x | b | map;
        *p++ = (u1)(w ? 0x80 : 0) | last;
    }
    *p++ = (u1)op;
    return p;
}

/* op reg, vvvv, rm, in the order that it has */
static void vex_reg(Asm *a, u4 op, bool w, bool wide, u1 reg, u1 vvvv, u1 rm) {
    u1 *p = asm_room(a, MAX_INSN), *start = p;
    if (!p) return;
    p = vex(p, op, w, wide, reg, vvvv, NO_REG, rm);
    *p++ = (u1)(0xC0 | (reg & 7) << 3 | (rm & 7));
    a->len += (u4)(p - start);
}

static void vex_mem(Asm *a, u4 op, bool wide, u1 reg, const Mem *m) {
    u1 *p = asm_room(a, MAX_INSN), *start = p;
    if (!p) return;
    p = modrm_mem(a, vex(p, op, false, wide, reg, 0, m->index, m->base), reg, m);
    a->len += (u4)(p - start);
}

void asm_nops(u1 *to, u4 n) {
    static const u1 long_nops[9][9] = {/* SDM, table 4-12 */
                                       {0x90},
                                       {0x66, 0x90},
                                       {0x0F, 0x1F, 0x00},
                                       {0x0F, 0x1F, 0x40, 0x00},
                                       {0x0F, 0x1F, 0x44, 0x00, 0x00},
                                       {0x66, 0x0F, 0x1F, 0x44, 0x00, 0x00},
                                       {0x0F, 0x1F, 0x80, 0x00, 0x00, 0x00, 0x00},
                                       {0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
                                       {0x66, 0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00}};
    while (n) {
        u4 k = n < 9 ? n : 9;
        memcpy(to, long_nops[k - 1], k);
        to += k;
        n -= k;
    }
}

/* --- moves --- */

void asm_mov(Asm *a, Width w, Reg d, Reg x) {
    if (w == W64 && d == x) return;
    insn_reg(a, 0x8B, w, d, x, false);
}

void asm_const(Asm *a, Reg d, int64_t v) {
    asm_note(a, (u8)v);
    if (v == (u4)v) { /* mov r32, imm32 */
        if (d >= R_8) asm_put1(a, 0x41);
        asm_put1(a, (u1)(0xB8 | (d & 7)));
        asm_put4(a, (u4)v);
    } else if (v == (int32_t)v) {
        insn_reg(a, 0xC7, true, 0, d, false);
        asm_put4(a, (u4)v);
    } else {
        asm_put1(a, d >= R_8 ? 0x49 : 0x48);
        asm_put1(a, (u1)(0xB8 | (d & 7)));
        asm_put8(a, (u8)v);
    }
}

void asm_load(Asm *a, MemKind k, Reg d, Mem m) {
    switch (k) {
    case MEM_S8: insn_mem(a, 0x0FBE, false, d, &m, false); return;
    case MEM_U8: insn_mem(a, 0x0FB6, false, d, &m, false); return;
    case MEM_S16: insn_mem(a, 0x0FBF, false, d, &m, false); return;
    case MEM_U16: insn_mem(a, 0x0FB7, false, d, &m, false); return;
    case MEM_32: insn_mem(a, 0x8B, false, d, &m, false); return;
    case MEM_64: insn_mem(a, 0x8B, true, d, &m, false); return;
    case MEM_S32: insn_mem(a, 0x63, true, d, &m, false); return;
    }
}

void asm_store(Asm *a, MemKind k, Mem m, Reg x) {
    switch (k) {
    case MEM_S8:
    case MEM_U8: insn_mem(a, 0x88, false, x, &m, true); return;
    case MEM_S16:
    case MEM_U16: insn_mem(a, P66 | 0x89, false, x, &m, false); return;
    case MEM_32:
    case MEM_S32: insn_mem(a, 0x89, false, x, &m, false); return;
    case MEM_64: insn_mem(a, 0x89, true, x, &m, false); return;
    }
}

void asm_store_const(Asm *a, MemKind k, Mem m, int32_t v) {
    switch (k) {
    case MEM_S8:
    case MEM_U8:
        insn_mem(a, 0xC6, false, 0, &m, false);
        asm_put1(a, (u1)v);
        return;
    case MEM_S16:
    case MEM_U16:
        insn_mem(a, P66 | 0xC7, false, 0, &m, false);
        asm_put1(a, (u1)v);
        asm_put1(a, (u1)(v >> 8));
        return;
    case MEM_32:
    case MEM_S32:
    case MEM_64:
        insn_mem(a, 0xC7, k == MEM_64, 0, &m, false);
        put_imm(a, v);
        return;
    }
}

void asm_address(Asm *a, Reg d, Mem m) {
    if (m.index == NO_REG && m.disp == 0 && m.base != NO_REG) asm_mov(a, W64, d, m.base);
    else insn_mem(a, 0x8D, true, d, &m, false);
}

/* --- integers --- */

static void leave_flags(Asm *a, Width w, Reg x, bool order) {
    a->flags_end = a->len;
    a->flags_reg = x;
    a->flags_width = w;
    a->flags_order = order;
}

/* Number of the operation in the ModRM byte of 81 and 83; times 8 it is the opcode of the forms with registers. */
static const u1 alu_number[] = {[ALU_ADD] = 0, [ALU_SUB] = 5, [ALU_AND] = 4, [ALU_OR] = 1, [ALU_XOR] = 6};
enum { NUMBER_CMP = 7 };

static void alu_imm(Asm *a, u1 number, Width w, Reg x, int32_t v) {
    bool small = fits8(v);
    insn_reg(a, small ? 0x83 : 0x81, w, number, x, false);
    if (small) asm_put1(a, (u1)v);
    else put_imm(a, v);
}

static bool operand_uses(const Operand *y, Reg r) {
    return y->kind == OPERAND_REG ? y->reg == r : y->kind == OPERAND_MEM && (y->mem.base == r || y->mem.index == r);
}

static void multiply(Asm *a, Width w, Reg d, Reg x, const Operand *y) {
    if (y->kind == OPERAND_IMM) { /* imul d, x, imm */
        bool small = fits8(y->imm);
        insn_reg(a, small ? 0x6B : 0x69, w, d, x, false);
        if (small) asm_put1(a, (u1)y->imm);
        else asm_put4(a, (u4)y->imm);
        return;
    }
    asm_mov(a, W64, d, x);
    insn_operand(a, 0x0FAF, w, d, y);
}

void asm_alu(Asm *a, AluOp op, Width w, Reg d, Reg x, Operand y) {
    if (d != x && operand_uses(&y, d)) {              /* the move below would destroy it */
        if (y.kind == OPERAND_REG && op != ALU_SUB) { /* commutative */
            y.reg = x;
            x = d;
        } else if (y.kind == OPERAND_REG) { /* d = x - d */
            asm_unary(a, UNARY_NEG, w, d, d);
            asm_alu(a, ALU_ADD, w, d, d, op_reg(x));
            return;
        } else {
            asm_load(a, w == W64 ? MEM_64 : MEM_32, ASM_SCRATCH, y.mem);
            y = op_reg(ASM_SCRATCH);
        }
    }
    if (op == ALU_MUL) {
        multiply(a, w, d, x, &y);
        return;
    }
    if (d != x && op == ALU_ADD && y.kind != OPERAND_MEM) { /* lea has three operands */
        Mem m = y.kind == OPERAND_IMM ? mem_at(x, y.imm) : y.reg == R_SP ? mem_index(y.reg, x, 0, 0) : mem_index(x, y.reg, 0, 0);
        insn_mem(a, 0x8D, w, d, &m, false);
        return;
    }
    asm_mov(a, W64, d, x);
    if (y.kind == OPERAND_IMM) alu_imm(a, alu_number[op], w, d, y.imm);
    else insn_operand(a, (u4)alu_number[op] << 3 | 3, w, d, &y);
    leave_flags(a, w, d, op != ALU_ADD && op != ALU_SUB); /* sums may overflow: their sign is that of the result on paper */
}

void asm_alu_overflow(Asm *a, AluOp op, Width w, Reg d, Reg x, Reg y) {
    if (d == y && d != x) {
        asm_mov(a, W64, ASM_SCRATCH, y);
        y = ASM_SCRATCH;
    }
    asm_mov(a, W64, d, x);
    ASSERT(op == ALU_ADD || op == ALU_SUB || op == ALU_MUL);
    insn_reg(a, op == ALU_MUL ? 0x0FAFu : (u4)alu_number[op] << 3 | 3, w, d, y, false);
}

void asm_alu_mem(Asm *a, AluOp op, Width w, Mem m, Operand y) {
    ASSERT(op != ALU_MUL && y.kind != OPERAND_MEM);
    if (y.kind == OPERAND_REG) {
        insn_mem(a, (u4)alu_number[op] << 3 | 1, w, y.reg, &m, false);
        return;
    }
    bool small = fits8(y.imm);
    insn_mem(a, small ? 0x83 : 0x81, w, alu_number[op], &m, false);
    if (small) asm_put1(a, (u1)y.imm);
    else put_imm(a, y.imm);
}

static const u1 shift_number[] = {[SHIFT_LEFT] = 4, [SHIFT_RIGHT] = 7, [SHIFT_RIGHT_UNSIGNED] = 5, [SHIFT_ROTATE_RIGHT] = 1};

/* Without BMI2 the count must be in cl. */
static void shift_by_cl(Asm *a, ShiftOp op, Width w, Reg d, Reg x, Reg count) {
    if (count == R_CX && d != R_CX) {
        asm_mov(a, W64, d, x);
        insn_reg(a, 0xD3, w, shift_number[op], d, false);
        return;
    }
    asm_mov(a, W64, ASM_SCRATCH, x); /* is shifted there; d keeps, or gets back, what cx held */
    if (d == R_CX) {
        asm_mov(a, W64, R_CX, count);
        insn_reg(a, 0xD3, w, shift_number[op], ASM_SCRATCH, false);
        asm_mov(a, W64, d, ASM_SCRATCH);
        return;
    }
    if (d == count) { /* d and cx change places */
        insn_reg(a, 0x87, true, R_CX, d, false);
        insn_reg(a, 0xD3, w, shift_number[op], ASM_SCRATCH, false);
        asm_mov(a, W64, R_CX, d);
    } else {
        asm_mov(a, W64, d, R_CX);
        asm_mov(a, W64, R_CX, count);
        insn_reg(a, 0xD3, w, shift_number[op], ASM_SCRATCH, false);
        asm_mov(a, W64, R_CX, d);
    }
    asm_mov(a, W64, d, ASM_SCRATCH);
}

void asm_shift(Asm *a, ShiftOp op, Width w, Reg d, Reg x, Operand count) {
    static const u4 vex_prefix[] = {[SHIFT_LEFT] = P66, [SHIFT_RIGHT] = PF3, [SHIFT_RIGHT_UNSIGNED] = PF2}; /* shlx, sarx, shrx */
    if (count.kind == OPERAND_REG) {
        if (asm_features.bmi2 && op != SHIFT_ROTATE_RIGHT) vex_reg(a, vex_prefix[op] | 0x38F7, w, false, d, count.reg, x);
        else shift_by_cl(a, op, w, d, x, count.reg);
        return;
    }
    u1 n = (u1)(count.imm & (w == W64 ? 63 : 31));
    asm_mov(a, n ? W64 : w, d, x);
    if (!n) return;
    insn_reg(a, n == 1 ? 0xD1 : 0xC1, w, shift_number[op], d, false);
    if (n != 1) asm_put1(a, n);
    if (op != SHIFT_ROTATE_RIGHT) leave_flags(a, w, d, false);
}

/* Leading or trailing zeros by bsr or bsf, whose result for 0 is no number. */
static void scan_bits(Asm *a, bool leading, Width w, Reg d, Reg x) {
    int32_t bits = w == W64 ? 64 : 32;
    insn_reg(a, leading ? 0x0FBD : 0x0FBC, w, ASM_SCRATCH, x, false);
    asm_const(a, d, leading ? 2 * bits - 1 : bits);   /* mov keeps the flags */
    insn_reg(a, 0x0F45, true, d, ASM_SCRATCH, false); /* cmovne */
    if (leading) alu_imm(a, alu_number[ALU_XOR], w, d, bits - 1);
}

void asm_unary(Asm *a, UnaryOp op, Width w, Reg d, Reg x) {
    switch (op) {
    case UNARY_NEG:
    case UNARY_NOT:
        asm_mov(a, W64, d, x);
        insn_reg(a, 0xF7, w, op == UNARY_NEG ? 3 : 2, d, false);
        return;
    case UNARY_SIGN8: insn_reg(a, 0x0FBE, w, d, x, true); return;
    case UNARY_SIGN16: insn_reg(a, 0x0FBF, w, d, x, false); return;
    case UNARY_ZERO8: insn_reg(a, 0x0FB6, false, d, x, true); return;
    case UNARY_ZERO16: insn_reg(a, 0x0FB7, false, d, x, false); return;
    case UNARY_SIGN32: insn_reg(a, 0x63, true, d, x, false); return;
    case UNARY_SWAP: {
        asm_mov(a, W64, d, x);
        u1 rex = rex_bits(w, 0, NO_REG, d);
        if (rex) asm_put1(a, rex);
        asm_put1(a, 0x0F);
        asm_put1(a, (u1)(0xC8 | (d & 7)));
        return;
    }
    case UNARY_LEADING_ZEROS:
    case UNARY_TRAILING_ZEROS: {
        bool leading = op == UNARY_LEADING_ZEROS;
        if (asm_features.zero_counts) insn_reg(a, PF3 | (leading ? 0x0FBD : 0x0FBC), w, d, x, false);
        else scan_bits(a, leading, w, d, x);
        return;
    }
    }
}

void asm_bit_count(Asm *a, Width w, Reg d, Reg x) {
    ASSERT(asm_features.popcnt);
    insn_reg(a, PF3 | 0x0FB8, w, d, x, false);
}

void asm_div(Asm *a, Width w, bool remainder, Reg d, Reg x, Reg y) {
    u4 first = a->n_fixups;
    Label by_minus_one = LABEL_INIT, done = LABEL_INIT;
    Reg by = y == R_AX || y == R_DX ? ASM_SCRATCH : y;
    asm_mov(a, W64, by, y);
    asm_mov(a, W64, R_AX, x);
    alu_imm(a, NUMBER_CMP, w, by, -1); /* the smallest number by -1 traps */
    asm_branch(a, COND_EQ, &by_minus_one);
    if (w == W64) asm_put1(a, 0x48);
    asm_put1(a, 0x99); /* cdq, cqo */
    insn_reg(a, 0xF7, w, 7, by, false);
    asm_mov(a, W64, d, remainder ? R_DX : R_AX);
    asm_jump(a, &done);
    asm_bind(a, &by_minus_one);
    if (remainder) asm_const(a, d, 0);
    else asm_unary(a, UNARY_NEG, w, d, R_AX);
    asm_bind(a, &done);
    asm_settle(a, first);
}

void asm_mul_high(Asm *a, bool is_signed, Reg d, Reg x, Reg y) {
    Reg by = y == R_AX ? ASM_SCRATCH : y;
    asm_mov(a, W64, by, y);
    asm_mov(a, W64, R_AX, x);
    insn_reg(a, 0xF7, true, is_signed ? 5 : 4, by, false);
    asm_mov(a, W64, d, R_DX);
}

void asm_ticks(Asm *a, Reg d) {
    asm_put1(a, 0x0F); /* rdtsc: halves in edx and eax, zero-extended */
    asm_put1(a, 0x31);
    asm_shift(a, SHIFT_LEFT, W64, R_DX, R_DX, op_imm(32));
    asm_alu(a, ALU_OR, W64, R_AX, R_AX, op_reg(R_DX));
    asm_mov(a, W64, d, R_AX);
}

/* --- comparing --- */

void asm_cmp(Asm *a, Width w, Reg x, Operand y) {
    if (y.kind == OPERAND_IMM && y.imm == 0) insn_reg(a, 0x85, w, x, x, false); /* test x, x: the same flags but for AF */
    else if (y.kind == OPERAND_IMM) alu_imm(a, NUMBER_CMP, w, x, y.imm);
    else insn_operand(a, 0x3B, w, x, &y);
}

void asm_cmp_mem(Asm *a, MemKind k, Mem m, Operand y) {
    u4 prefix = k == MEM_U16 ? P66 : 0;
    bool w = k == MEM_64, byte = k == MEM_U8;
    ASSERT(k == MEM_U8 || k == MEM_U16 || k == MEM_32 || k == MEM_64);
    if (y.kind == OPERAND_REG) {
        insn_mem(a, prefix | (byte ? 0x38 : 0x39), w, y.reg, &m, byte);
        return;
    }
    bool small = fits8(y.imm);
    insn_mem(a, prefix | (byte ? 0x80 : small ? 0x83 : 0x81), w, NUMBER_CMP, &m, false);
    if (byte || small) {
        asm_put1(a, (u1)y.imm);
    } else if (k == MEM_U16) {
        asm_put1(a, (u1)y.imm);
        asm_put1(a, (u1)(y.imm >> 8));
    } else {
        put_imm(a, y.imm);
    }
}

void asm_test(Asm *a, Width w, Reg x, Operand y) {
    if (y.kind == OPERAND_REG) {
        insn_reg(a, 0x85, w, y.reg, x, false);
        return;
    }
    if (y.imm >= 0 && y.imm <= 0x7f) { /* bit 7 would be the sign of the byte */
        insn_reg(a, 0xF6, false, 0, x, true);
        asm_put1(a, (u1)y.imm);
        return;
    }
    insn_reg(a, 0xF7, w, 0, x, false);
    put_imm(a, y.imm);
}

void asm_test_mem(Asm *a, MemKind k, Mem m, int32_t bits) {
    insn_mem(a, k == MEM_U8 ? 0xF6 : 0xF7, false, 0, &m, false);
    if (k == MEM_U8) asm_put1(a, (u1)bits);
    else asm_put4(a, (u4)bits);
}

static const u1 cond_number[] = {
    [COND_EQ] = 4,    [COND_NE] = 5,       [COND_LT] = 12,   [COND_GE] = 13,      [COND_GT] = 15,      [COND_LE] = 14,
    [COND_BELOW] = 2, [COND_ABOVE_EQ] = 3, [COND_ABOVE] = 7, [COND_BELOW_EQ] = 6, [COND_OVERFLOW] = 0, [COND_NO_OVERFLOW] = 1};

void asm_set(Asm *a, Cond c, Reg d) {
    insn_reg(a, 0x0F90u | cond_number[c], false, 0, d, true);
    insn_reg(a, 0x0FB6, false, d, d, true);
}

void asm_select(Asm *a, Cond c, Width w, Reg d, Reg x, Reg y) {
    if (d == x) { /* keep it if c, else take y */
        insn_reg(a, 0x0F40u | cond_number[cond_opposite(c)], w, d, y, false);
        return;
    }
    asm_mov(a, W64, d, y); /* mov keeps the flags */
    insn_reg(a, 0x0F40u | cond_number[c], w, d, x, false);
}

void asm_compare3(Asm *a, Width w, Reg d, Reg x, Reg y) {
    asm_cmp(a, w, x, op_reg(y));
    insn_reg(a, 0x0F9F, false, 0, ASM_SCRATCH, true);   /* setg */
    insn_reg(a, 0x0F9C, false, 0, d, true);             /* setl */
    insn_reg(a, 0x28 | 2, false, ASM_SCRATCH, d, true); /* sub scratch, d, bytes */
    insn_reg(a, 0x0FBE, false, d, ASM_SCRATCH, true);
}

/* --- control --- */

static void rel32(Asm *a, const Label *l) {
    asm_fixup(a, FIX_REL32, a->len, l, 0);
    asm_put4(a, 0);
}

/* A backward distance that one byte holds, counted from behind an instruction of two bytes. */
static bool short_back(const Asm *a, const Label *l, int8_t *rel) {
    int64_t d = l->at < 0 ? 1 : (int64_t)l->at - ((int64_t)a->len + 2);
    *rel = (int8_t)d;
    return d < 0 && fits8(d);
}

void asm_jump(Asm *a, Label *l) {
    int8_t rel;
    if (short_back(a, l, &rel)) {
        asm_put1(a, 0xEB);
        asm_put1(a, (u1)rel);
        return;
    }
    asm_put1(a, 0xE9);
    rel32(a, l);
}

void asm_branch(Asm *a, Cond c, Label *l) {
    int8_t rel;
    if (short_back(a, l, &rel)) {
        asm_put1(a, 0x70 | cond_number[c]);
        asm_put1(a, (u1)rel);
        return;
    }
    asm_put1(a, 0x0F);
    asm_put1(a, 0x80 | cond_number[c]);
    rel32(a, l);
}

void asm_jump_reg(Asm *a, Reg r) { insn_reg(a, 0xFF, false, 4, r, false); }
void asm_jump_mem(Asm *a, Mem m) { insn_mem(a, 0xFF, false, 4, &m, false); }
void asm_call_reg(Asm *a, Reg r) { insn_reg(a, 0xFF, false, 2, r, false); }
void asm_call_mem(Asm *a, Mem m) { insn_mem(a, 0xFF, false, 2, &m, false); }
void asm_call(Asm *a, Label *l) {
    asm_put1(a, 0xE8);
    rel32(a, l);
}

static void c_target(Asm *a, u1 near_opcode, const void *fn, bool far) {
    if (far) {
        asm_const(a, ASM_SCRATCH, (int64_t)(uintptr_t)fn);
        return;
    }
    asm_put1(a, near_opcode);
    asm_fixup_c(a, FIX_CALL, a->len, fn);
    asm_put4(a, 0);
}
void asm_call_c(Asm *a, const void *fn, bool far) {
    c_target(a, 0xE8, fn, far);
    if (far) asm_call_reg(a, ASM_SCRATCH);
}
void asm_jump_c(Asm *a, const void *fn, bool far) {
    c_target(a, 0xE9, fn, far);
    if (far) asm_jump_reg(a, ASM_SCRATCH);
}

/* lea d, [rip + l] */
void asm_label_address(Asm *a, Reg d, Label *l) {
    asm_put1(a, d >= R_8 ? 0x4C : 0x48);
    asm_put1(a, 0x8D);
    asm_put1(a, (u1)((d & 7) << 3 | 5));
    rel32(a, l);
}

void asm_jump_table(Asm *a, Reg index, Label *const *targets, u4 n) {
    u4 first = a->n_fixups;
    Label table = LABEL_INIT;
    asm_label_address(a, ASM_SCRATCH, &table);
    asm_load(a, MEM_S32, index, mem_index(ASM_SCRATCH, index, 2, 0));
    asm_alu(a, ALU_ADD, W64, index, index, op_reg(ASM_SCRATCH));
    asm_jump_reg(a, index);
    asm_align(a, 4);
    asm_bind(a, &table);
    u4 from = a->len;
    for (u4 i = 0; i < n; i++) {
        asm_fixup(a, FIX_TABLE, a->len, targets[i], from);
        asm_put4(a, 0);
    }
    asm_settle(a, first);
}

void asm_return(Asm *a) { asm_put1(a, 0xC3); }
static void push_pop(Asm *a, u1 op, Reg r) {
    if (r >= R_8) asm_put1(a, 0x41);
    asm_put1(a, (u1)(op | (r & 7)));
}
void asm_push(Asm *a, Reg r) { push_pop(a, 0x50, r); }
void asm_pop(Asm *a, Reg r) { push_pop(a, 0x58, r); }
void asm_trap(Asm *a) {
    asm_put1(a, 0x0F);
    asm_put1(a, 0x0B);
}

bool asm_resolve(u1 *code, const AsmFixup *f, u4 target) {
    int32_t v = (int32_t)(target - (f->kind == FIX_TABLE ? f->from : f->at + 4));
    memcpy(code + f->at, &v, 4);
    return true; /* code is limited to 64 MB */
}

bool asm_reach(u1 *to, const u1 *run, const AsmFixup *f) {
    int64_t d = (const u1 *)f->target - (run + f->at + 4);
    int32_t v = (int32_t)d;
    memcpy(to + f->at, &v, 4);
    return d == v;
}

/* --- floating point: SSE2 --- */

static u4 scalar(Width w, u1 op) { return (w == W64 ? PF2 : PF3) | 0x0F00u | op; }
static u4 packed(Width w, u1 op) { return (w == W64 ? P66 : 0) | 0x0F00u | op; }

/* --- vectors --- */

enum {
    NO_OPCODE = 0,
    SHUFFLE_FIRST_OF_4 = 0,
    SHUFFLE_FIRST_OF_2 = 0x44,
    SHUFFLE_HALVES = 0x4E,
    SHUFFLE_SECOND_OF_4 = 0x55,
    M38 = 0x3800,
    M3A = 0x3A00
};

static u4 vector_opcode(VectorOp op, VectorOf of) {
    static const u2 whole[][6] = {
        [VECTOR_ADD] = {[OF_INTS] = 0x0FFE, [OF_LONGS] = 0x0FD4, [OF_SHORTS] = 0x0FFD, [OF_BYTES] = 0x0FFC},
        [VECTOR_SUB] = {[OF_INTS] = 0x0FFA, [OF_LONGS] = 0x0FFB, [OF_SHORTS] = 0x0FF9, [OF_BYTES] = 0x0FF8},
        [VECTOR_MUL] = {[OF_INTS] = M38 | 0x40, [OF_SHORTS] = 0x0FD5},
        [VECTOR_MIN] = {[OF_INTS] = M38 | 0x39},
        [VECTOR_MAX] = {[OF_INTS] = M38 | 0x3D},
        [VECTOR_EQ] = {[OF_INTS] = 0x0F76, [OF_SHORTS] = 0x0F75, [OF_BYTES] = 0x0F74},
        [VECTOR_GT] = {[OF_INTS] = 0x0F66},
        [VECTOR_NOT_AND] = {[OF_INTS] = 0x0FDF}};
    static const u1 floats[] = {
        [VECTOR_ADD] = 0x58, [VECTOR_SUB] = 0x5C, [VECTOR_MUL] = 0x59, [VECTOR_DIV] = 0x5E, [VECTOR_ROOT] = 0x51};
    if (op == VECTOR_AND) return P66 | 0x0FDB;
    if (op == VECTOR_OR) return P66 | 0x0FEB;
    if (op == VECTOR_XOR) return P66 | 0x0FEF;
    if (of == OF_FLOATS || of == OF_DOUBLES)
        return op < sizeof floats && floats[op] ? packed(of == OF_DOUBLES ? W64 : W32, floats[op]) : NO_OPCODE;
    u4 code = op < ARRAY_LEN(whole) ? whole[op][of] : 0;
    return code ? P66 | code : NO_OPCODE;
}

static bool is_of_38(u4 code) { return (code & 0xff00) == M38; }

bool asm_has_vector(VectorOp op, VectorOf of) {
    if (op >= VECTOR_SHL) return of == OF_INTS || (of == OF_LONGS && op != VECTOR_SHR);
    u4 code = vector_opcode(op, of);
    return code != NO_OPCODE && (asm_features.sse41 || !is_of_38(code));
}

void asm_vector_load(Asm *a, bool wide, FReg d, Mem m) { /* movups */
    if (wide) vex_mem(a, 0x0F10, true, d, &m);
    else insn_mem(a, 0x0F10, false, d, &m, false);
}
void asm_vector_store(Asm *a, bool wide, Mem m, FReg x) {
    if (wide) vex_mem(a, 0x0F11, true, x, &m);
    else insn_mem(a, 0x0F11, false, x, &m, false);
}

/* 66 0F, two more bytes of opcode, two float registers. */
static void insn_long(Asm *a, u1 map, u1 op, FReg d, FReg x) {
    u1 rex = rex_bits(false, d, NO_REG, x);
    asm_put1(a, 0x66);
    if (rex) asm_put1(a, rex);
    asm_put1(a, 0x0F);
    asm_put1(a, map);
    asm_put1(a, op);
    asm_put1(a, (u1)(0xC0 | (d & 7) << 3 | (x & 7)));
}

void asm_vector_op(Asm *a, VectorOp op, Vector v, FReg d, FReg x, FReg y) {
    ASSERT(asm_has_vector(op, v.of));
    u4 code = vector_opcode(op, v.of);
    if (v.wide) {
        vex_reg(a, code, false, true, d, op == VECTOR_ROOT ? 0 : x, y);
        return;
    }
    if (d == y && d != x && op != VECTOR_ROOT) {
        asm_fmov(a, W64, ASM_FSCRATCH, y);
        y = ASM_FSCRATCH;
    }
    if (op != VECTOR_ROOT) asm_fmov(a, W64, d, x);
    if (is_of_38(code)) insn_long(a, 0x38, (u1)code, d, y);
    else insn_reg(a, code, false, d, y, false);
}

void asm_vector_shift(Asm *a, VectorOp op, Vector v, FReg d, FReg x, u1 count) {
    ASSERT(asm_has_vector(op, v.of) && op >= VECTOR_SHL);
    u4 code = P66 | (v.of == OF_INTS ? 0x0F72 : 0x0F73);
    u1 extension = op == VECTOR_SHL ? 6 : op == VECTOR_SHR ? 4 : 2;
    if (v.wide) {
        vex_reg(a, code, false, true, extension, d, x);
    } else {
        asm_fmov(a, W64, d, x);
        insn_reg(a, code, false, extension, d, false);
    }
    asm_put1(a, count);
}

static void shuffle(Asm *a, bool vex, FReg d, FReg x, u1 order) { /* pshufd */
    if (vex) vex_reg(a, P66 | 0x0F70, false, false, d, 0, x);
    else insn_reg(a, P66 | 0x0F70, false, d, x, false);
    asm_put1(a, order);
}

void asm_vector_of_reg(Asm *a, Vector v, FReg d, Reg x) {
    if (v.wide) { /* vmovd or vmovq, vpbroadcastd or vpbroadcastq */
        vex_reg(a, P66 | 0x0F6E, v.of == OF_LONGS, false, d, 0, x);
        vex_reg(a, P66 | M38 | (v.of == OF_INTS ? 0x58 : 0x59), false, true, d, 0, d);
        return;
    }
    asm_bits_to_float(a, v.of == OF_INTS ? W32 : W64, d, x);
    shuffle(a, false, d, d, v.of == OF_INTS ? SHUFFLE_FIRST_OF_4 : SHUFFLE_FIRST_OF_2);
}

void asm_vector_of_freg(Asm *a, Vector v, FReg d, FReg x) {
    if (v.wide) vex_reg(a, P66 | M38 | (v.of == OF_FLOATS ? 0x18 : 0x19), false, true, d, 0, x); /* vbroadcastss, vbroadcastsd */
    else shuffle(a, false, d, x, v.of == OF_FLOATS ? SHUFFLE_FIRST_OF_4 : SHUFFLE_FIRST_OF_2);
}

/* Of a wide vector, to ASM_FSCRATCH: vextracti128. */
static void upper_half(Asm *a, FReg x) {
    vex_reg(a, P66 | M3A | 0x39, false, true, x, 0, ASM_FSCRATCH);
    asm_put1(a, 1);
}

/* d, of 16 bytes, with itself in another order. */
static void fold(Asm *a, VectorOp op, Vector v, FReg d, u1 order) {
    u4 code = vector_opcode(op, v.of);
    shuffle(a, v.wide, ASM_FSCRATCH, d, order);
    if (v.wide) vex_reg(a, code, false, false, d, d, ASM_FSCRATCH);
    else asm_vector_op(a, op, v, d, d, ASM_FSCRATCH);
}

void asm_vector_reduce(Asm *a, VectorOp op, Vector v, FReg d, FReg x) {
    ASSERT(asm_has_vector(op, v.of) && op < VECTOR_ROOT && v.of <= OF_LONGS);
    if (v.wide) {
        upper_half(a, x);
        vex_reg(a, vector_opcode(op, v.of), false, false, d, x, ASM_FSCRATCH);
    } else {
        asm_fmov(a, W64, d, x);
    }
    fold(a, op, v, d, SHUFFLE_HALVES);
    if (v.of == OF_INTS) fold(a, op, v, d, SHUFFLE_SECOND_OF_4);
}

void asm_vector_widen(Asm *a, bool wide, FReg d, FReg x) { /* pmovsxdq */
    if (wide) {
        upper_half(a, x);
        vex_reg(a, P66 | M38 | 0x25, false, true, ASM_FSCRATCH, 0, ASM_FSCRATCH);
        vex_reg(a, P66 | M38 | 0x25, false, true, d, 0, x);
    } else {
        shuffle(a, false, ASM_FSCRATCH, x, SHUFFLE_HALVES);
        insn_long(a, 0x38, 0x25, ASM_FSCRATCH, ASM_FSCRATCH);
        insn_long(a, 0x38, 0x25, d, x);
    }
    asm_vector_op(a, VECTOR_ADD, (Vector){OF_LONGS, wide}, d, d, ASM_FSCRATCH);
}

void asm_vector_count(Asm *a, Vector v, FReg d, FReg x) { /* 0 - x, psadbw */
    ASSERT(v.of == OF_BYTES || v.of == OF_SHORTS);
    enum { PSADBW = P66 | 0x0FF6 };
    u4 subtract = vector_opcode(VECTOR_SUB, v.of), clear = vector_opcode(VECTOR_XOR, v.of);
    if (v.wide) {
        vex_reg(a, clear, false, true, ASM_FSCRATCH, ASM_FSCRATCH, ASM_FSCRATCH);
        vex_reg(a, subtract, false, true, d, ASM_FSCRATCH, x);
        vex_reg(a, PSADBW, false, true, d, d, ASM_FSCRATCH);
    } else {
        insn_reg(a, clear, false, ASM_FSCRATCH, ASM_FSCRATCH, false);
        insn_reg(a, subtract, false, ASM_FSCRATCH, x, false);
        insn_reg(a, clear, false, d, d, false);
        insn_reg(a, PSADBW, false, d, ASM_FSCRATCH, false);
    }
    asm_vector_reduce(a, VECTOR_ADD, (Vector){OF_LONGS, v.wide}, d, d);
}

void asm_end_wide_vectors(Asm *a) { /* vzeroupper */
    static const u1 code[] = {0xC5, 0xF8, 0x77};
    asm_bytes(a, code, sizeof code);
}

/* --- floats --- */

static void branch_unordered(Asm *a, const Label *l) { /* jp */
    asm_put1(a, 0x0F);
    asm_put1(a, 0x8A);
    rel32(a, l);
}

void asm_fmov(Asm *a, Width w, FReg d, FReg x) {
    if (d != x) insn_reg(a, 0x0F28, false, d, x, false); /* movaps: shorter than movapd, the same effect */
}
void asm_fzero(Asm *a, Width w, FReg d) { insn_reg(a, 0x0F57, false, d, d, false); }
void asm_fload(Asm *a, Width w, FReg d, Mem m) { insn_mem(a, scalar(w, 0x10), false, d, &m, false); }
void asm_fstore(Asm *a, Width w, Mem m, FReg x) { insn_mem(a, scalar(w, 0x11), false, x, &m, false); }

static const u1 float_opcode[] = {[FLOAT_ADD] = 0x58, [FLOAT_SUB] = 0x5C, [FLOAT_MUL] = 0x59, [FLOAT_DIV] = 0x5E};

void asm_fop(Asm *a, FloatOp op, Width w, FReg d, FReg x, FReg y) {
    if (d == y && d != x) {
        asm_fmov(a, w, ASM_FSCRATCH, y);
        y = ASM_FSCRATCH;
    }
    asm_fmov(a, w, d, x);
    insn_reg(a, scalar(w, float_opcode[op]), false, d, y, false);
}
void asm_fop_mem(Asm *a, FloatOp op, Width w, FReg d, FReg x, Mem m) {
    asm_fmov(a, w, d, x);
    insn_mem(a, scalar(w, float_opcode[op]), false, d, &m, false);
}

/* d = x op mask, the mask being all ones shifted: no constant in memory. */
static void with_mask(Asm *a, Width w, FReg d, FReg x, u1 op, bool sign_only) {
    FReg mask = d == x ? ASM_FSCRATCH : d;
    insn_reg(a, P66 | 0x0F76, false, mask, mask, false);                                    /* pcmpeqd: ones */
    insn_reg(a, P66 | (w == W64 ? 0x0F73 : 0x0F72), false, sign_only ? 6 : 2, mask, false); /* psll or psrl by constant */
    asm_put1(a, sign_only ? (w == W64 ? 63 : 31) : 1);
    insn_reg(a, packed(w, op), false, d, d == x ? mask : x, false);
}
void asm_fneg(Asm *a, Width w, FReg d, FReg x) { with_mask(a, w, d, x, 0x57, true); }
void asm_fabs(Asm *a, Width w, FReg d, FReg x) { with_mask(a, w, d, x, 0x54, false); }

void asm_fsqrt(Asm *a, Width w, FReg d, FReg x) { insn_reg(a, scalar(w, 0x51), false, d, x, false); }
void asm_fround(Asm *a, RoundTo to, FReg d, FReg x) { /* roundsd */
    enum { NO_PRECISION_FLAG = 8 };
    ASSERT(asm_features.sse41);
    insn_long(a, 0x3A, 0x0B, d, x);
    asm_put1(a, (u1)(NO_PRECISION_FLAG | to));
}
void asm_fma(Asm *a, Width w, FReg d, FReg x, FReg y) { vex_reg(a, P66 | 0x38B9, w == W64, false, d, x, y); } /* vfmadd231 */
void asm_fconvert(Asm *a, Width to, FReg d, FReg x) { insn_reg(a, scalar(to == W64 ? W32 : W64, 0x5A), false, d, x, false); }
void asm_int_to_float(Asm *a, Width from, Width to, FReg d, Reg x) {
    asm_fzero(a, to, d); /* the upper part of d would make it wait for d's last writer */
    insn_reg(a, scalar(to, 0x2A), from, d, x, false);
}

/* cvttss2si answers the smallest number for what does not fit: then NaN is 0 and positive is the largest. */
void asm_float_to_int(Asm *a, Width from, Width to, Reg d, FReg x) {
    u4 first = a->n_fixups;
    Label done = LABEL_INIT, nan = LABEL_INIT;
    insn_reg(a, scalar(from, 0x2C), to, d, x, false);
    if (to == W64) {
        asm_const(a, ASM_SCRATCH, INT64_MIN);
        asm_cmp(a, W64, d, op_reg(ASM_SCRATCH));
    } else {
        asm_cmp(a, W32, d, op_imm(INT32_MIN));
    }
    asm_branch(a, COND_NE, &done);
    asm_fzero(a, from, ASM_FSCRATCH);
    insn_reg(a, packed(from, 0x2E), false, x, ASM_FSCRATCH, false); /* ucomis x, 0 */
    branch_unordered(a, &nan);
    asm_branch(a, COND_BELOW, &done); /* negative: the smallest is right */
    asm_const(a, d, to == W64 ? INT64_MAX : INT32_MAX);
    asm_jump(a, &done);
    asm_bind(a, &nan);
    asm_const(a, d, 0);
    asm_bind(a, &done);
    asm_settle(a, first);
}

void asm_bits_to_float(Asm *a, Width w, FReg d, Reg x) { insn_reg(a, P66 | 0x0F6E, w, d, x, false); }
void asm_float_to_bits(Asm *a, Width w, Reg d, FReg x) { insn_reg(a, P66 | 0x0F7E, w, x, d, false); }

/* ucomis x, y: CF = below or unordered, ZF = equal or unordered, PF = unordered.  With the operands in the right order `above` and
 * `above or equal` are false for NaN, `below` and `below or equal` true. */
/* Compares by an order; returns the condition that tells. */
static Cond fcompare_order(Asm *a, Cond c, Width w, FReg x, FReg y, bool unordered) {
    static const struct {
        bool swap;
        Cond cond;
    } ordered[] = {[COND_LT] = {true, COND_ABOVE},
                   [COND_GE] = {false, COND_ABOVE_EQ},
                   [COND_GT] = {false, COND_ABOVE},
                   [COND_LE] = {true, COND_ABOVE_EQ}};
    static const struct {
        bool swap;
        Cond cond;
    } with_nan[] = {[COND_LT] = {false, COND_BELOW},
                    [COND_GE] = {true, COND_BELOW_EQ},
                    [COND_GT] = {true, COND_BELOW},
                    [COND_LE] = {false, COND_BELOW_EQ}};
    bool swap = unordered ? with_nan[c].swap : ordered[c].swap;
    insn_reg(a, packed(w, 0x2E), false, swap ? y : x, swap ? x : y, false);
    return unordered ? with_nan[c].cond : ordered[c].cond;
}

void asm_fselect(Asm *a, Cond c, Width fw, FReg fx, FReg fy, bool unordered, Width w, Reg d, Reg x, Reg y) {
    ASSERT(c != COND_EQ && c != COND_NE);
    asm_select(a, fcompare_order(a, c, fw, fx, fy, unordered), w, d, x, y);
}

void asm_fbranch(Asm *a, Cond c, Width w, FReg x, FReg y, bool unordered, Label *l) {
    if (c != COND_EQ && c != COND_NE) {
        asm_branch(a, fcompare_order(a, c, w, x, y, unordered), l);
        return;
    }
    insn_reg(a, packed(w, 0x2E), false, x, y, false);
    /* NaN looks equal.  Where it is to go another way, the parity says so first. */
    u4 first = a->n_fixups;
    Label skip = LABEL_INIT;
    if (c == COND_EQ && !unordered) branch_unordered(a, &skip);
    if (c == COND_NE && unordered) branch_unordered(a, l);
    asm_branch(a, c, l);
    asm_bind(a, &skip);
    asm_settle(a, first);
}

void asm_fcompare3(Asm *a, Width w, Reg d, FReg x, FReg y, int nan) {
    u4 first = a->n_fixups;
    Label done = LABEL_INIT;
    insn_reg(a, packed(w, 0x2E), false, x, y, false);
    asm_const(a, d, (u4)nan); /* mov keeps the flags */
    branch_unordered(a, &done);
    asm_const(a, d, 0);
    insn_reg(a, 0x0F97, false, 0, d, true); /* seta */
    asm_const(a, ASM_SCRATCH, 0);
    insn_reg(a, 0x0F92, false, 0, ASM_SCRATCH, true); /* setb */
    asm_alu(a, ALU_SUB, W32, d, d, op_reg(ASM_SCRATCH));
    asm_bind(a, &done);
    asm_settle(a, first);
}

/* --- shared memory --- */

void asm_fence(Asm *a) { /* cheaper than mfence */
    asm_put1(a, 0xF0);
    asm_alu_mem(a, ALU_OR, W32, mem_at(R_SP, 0), op_imm(0));
}

static u4 sized(MemKind k, u1 op) { /* of 0F B0 and the like: odd for more than a byte */
    return (k == MEM_S16 || k == MEM_U16 ? P66 : 0) | 0x0F00u | (u4)(k == MEM_S8 || k == MEM_U8 ? op : op | 1);
}

void asm_cas(Asm *a, MemKind k, Mem m, Reg desired) {
    asm_put1(a, 0xF0);
    insn_mem(a, sized(k, 0xB0), k == MEM_64, desired, &m, k == MEM_S8 || k == MEM_U8);
}

void asm_atomic(Asm *a, AtomicOp op, MemKind k, Reg d, Mem m, Reg x) {
    ASSERT((k == MEM_32 || k == MEM_64) && m.base != ASM_SCRATCH && m.index != ASM_SCRATCH);
    Reg r = m.base == d || m.index == d ? ASM_SCRATCH : d; /* the address must survive */
    asm_mov(a, W64, r, x);
    if (op == ATOMIC_ADD) asm_put1(a, 0xF0); /* xchg locks by itself */
    insn_mem(a, op == ATOMIC_ADD ? 0x0FC1 : 0x87, k == MEM_64, r, &m, false);
    asm_mov(a, W64, d, r);
}

void asm_prefetch(Asm *a, Mem m) { insn_mem(a, 0x0F0D, false, 1, &m, false); } /* prefetchw */

#endif
