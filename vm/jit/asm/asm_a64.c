/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A64 encodings (Arm Architecture Reference Manual for A-profile, DDI 0487, chapters C4 and C6).
 *
 * Every instruction is one word: a number that says which, and fields for registers and constants.  Registers stand at bits
 * 0 (Rd, Rt), 5 (Rn), 16 (Rm), 10 (Ra); bit 31 (sf) chooses 64 bits.  Number 31 is the stack pointer where ARM says "SP", else the
 * zero register.  So R_SP works as the base of a memory operand, in asm_mov, and in adding, subtracting and comparing by constants;
 * with a register these take the "extended" form if R_SP is in it.  Elsewhere R_SP is an error of the caller.
 *
 * Operands     Three, as the interface has them: no moves.  A cell as right operand is loaded to OWN_VALUE.  A constant goes into the
 *              instruction if it is one of its immediates (12 bits, perhaps shifted by 12, for arithmetic; repeated, rotated runs of
 *              ones for logic), else into OWN_CONST.  asm_const uses one such run, or movz or movn and as many movk as there are
 *              halfwords that differ from 0 or from ffff, whichever is fewer.
 * Memory       One addressing mode if it fits: base + unsigned 12 bits times size, base + signed 9 bits, base + index << (0 or size).
 *              Else OWN_ADDRESS gets base + index << shift, or base + the part of the displacement above 12 bits, and the rest stays
 *              in the instruction.  OWN_CONST holds displacements beyond 24 bits meanwhile.  ASM_SCRATCH is not used here, so it may be
 *              any operand of any operation.
 * Flags        N Z C V as left by cmp (subs).  C is the opposite of x86's borrow, which only the numbers of conditions show.  tst
 *              clears C and V: hence the four conditions of asm_test.  Multiplying has no flags: the product is compared with what
 *              it should be, and ccmp makes V of NE.
 * Branches     b and bl reach 128 MiB, more than the buffer holds.  Conditional ones reach 1 MiB.  Backward the distance is known:
 *              the opposite condition skips a b.  Forward it is not; so before the oldest that waits is HALF_REACH away, an island is written:
 *              one b for each that waits, jumped over.  Being half full of branches at most, it ends in reach of all of them.  Islands may
 *              lie between any two instructions; they change neither registers nor flags.  Raw bytes (asm_bytes, tables) have the other half.
 *              Rejected: two instructions for every branch; failing, which would leave the largest methods interpreted.
 * Addresses    of labels: adr for the low 12 bits of the distance, add or sub for the rest: 16 MiB.
 * Calls        leave the return address in ASM_LINK; asm_return jumps there.  Who calls from a routine pushes ASM_LINK first.
 *              Pushes move the stack by 16 bytes, since sp must be aligned by that where it is a base.
 * Atomics      ldaxr, stlxr in a loop and dmb behind it, or with LSE one instruction of the "al" kind, which is a full barrier if it
 *              stores.  Plain loads and stores have no order among themselves: asm_fence alone is not enough for what
 *              a volatile access needs (docs/jit.md).
 * Floats       fcvtzs is what JVMS says of f2i: toward zero, saturating, 0 for NaN.  fcmp leaves less 8, equal 6, greater 2, unordered 3 in
 *              NZCV: so MI, GE, GT, LS are false for NaN, and LT, PL, HI, LE true.  Only "equal or unordered" and "less or greater" need
 *              a second branch.
 */
#include "jit/asm/asm_int.h"

#ifdef ASM_FOR_A64
#include <string.h>
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

AsmFeatures asm_features;

void asm_detect_features(void) {
#if defined(__aarch64__) && defined(__linux__)
    asm_features.lse = getauxval(AT_HWCAP) >> 8 & 1; /* HWCAP_ATOMICS */
#endif
}

/* --- encoding --- */

enum { R_ZR = 31, OWN_ADDRESS = R_17, OWN_VALUE = R_15, OWN_CONST = R_14 };
enum { HALF_REACH = 512 << 10, SF = 31 /* bit that chooses 64 bits */ };
enum { FIX_B26, FIX_B19, FIX_ADR, FIX_ADR_PAIR, FIX_TABLE, FIX_CALL };
enum { EXT_UXTB, EXT_UXTH, EXT_UXTW, EXT_UXTX, EXT_SXTB, EXT_SXTH, EXT_SXTW }; /* "option" of extended registers */

/* By what the manual calls them; names end in what their operands are. */
#define ADD_IMM 0x11000000u
#define SUB_IMM 0x51000000u
#define SET_FLAGS 0x20000000u /* adds, subs */
#define ADD_REG 0x0B000000u
#define SUB_REG 0x4B000000u
#define EXTENDED 0x00200000u /* added to ADD_REG, SUB_REG */
#define SHIFTED_ASR 0x00800000u
#define AND_IMM 0x12000000u
#define ORR_IMM 0x32000000u
#define EOR_IMM 0x52000000u
#define ANDS_IMM 0x72000000u
#define AND_REG 0x0A000000u
#define ORR_REG 0x2A000000u
#define ORN_REG 0x2A200000u
#define EOR_REG 0x4A000000u
#define ANDS_REG 0x6A000000u
#define MOVN 0x12800000u
#define MOVZ 0x52800000u
#define MOVK 0x72800000u
#define SBFM 0x13000000u
#define UBFM 0x53000000u
#define EXTR 0x13800000u
#define MRS_CNTVCT 0xD53BE040u /* mrs xd, cntvct_el0 */
#define SDIV 0x1AC00C00u
#define LSLV 0x1AC02000u
#define LSRV 0x1AC02400u
#define ASRV 0x1AC02800u
#define RORV 0x1AC02C00u
#define RBIT 0x5AC00000u
#define REV_W 0x5AC00800u
#define REV_X 0x5AC00C00u
#define CLZ 0x5AC01000u
#define MADD 0x1B000000u
#define MSUB 0x1B008000u
#define SMULL 0x9B207C00u
#define SMULH 0x9B407C00u
#define UMULH 0x9BC07C00u
#define CSEL 0x1A800000u
#define CSINC 0x1A800400u
#define CSNEG 0x5A800400u
#define CCMP_ZR_0 0x7A400BE0u /* ccmp wzr, #0, nzcv, cond */
#define B 0x14000000u
#define BL 0x94000000u
#define B_COND 0x54000000u
#define CBNZ_W 0x35000000u
#define BR 0xD61F0000u
#define BLR 0xD63F0000u
#define RET 0xD65F03C0u
#define ADR 0x10000000u
#define NOP 0xD503201Fu
#define UDF 0u
#define DMB_ISH 0xD5033BBFu
#define LDST_UNSIGNED 0x39000000u
#define LDST_UNSCALED 0x38000000u
#define LDST_INDEX 0x38206800u /* lsl */
#define LDST_SHIFT 0x1000u     /* index times size */
#define STR_PUSH 0xF8000C00u
#define LDR_POP 0xF8400400u
#define LDAXR 0x085FFC00u
#define STLXR 0x0800FC00u
#define CASAL 0x08E0FC00u
#define LDADDAL 0x38E00000u
#define SWPAL 0x38E08000u
#define FMOV 0x1E204000u
#define FABS 0x1E20C000u
#define FNEG 0x1E214000u
#define FSQRT 0x1E21C000u
#define FRINTN 0x1E244000u
#define FRINTM 0x1E254000u
#define FRINTP 0x1E24C000u
#define FMADD 0x1F000000u
#define FCVT_TO_D 0x1E22C000u
#define FCVT_TO_S 0x1E624000u
#define FMUL 0x1E200800u
#define FDIV 0x1E201800u
#define FADD 0x1E202800u
#define FSUB 0x1E203800u
#define FCMP 0x1E202000u
#define SCVTF 0x1E220000u
#define FCVTZS 0x1E380000u
#define FMOV_TO_REG 0x1E260000u
#define FMOV_FROM_REG 0x1E270000u
#define MOVI_ZERO 0x2F00E400u
#define CNT_8B 0x0E205800u
#define ADDV_8B 0x0E31B800u

/* Conditions as the CPU numbers them; c ^ 1 is the opposite. */
enum { CC_EQ, CC_NE, CC_CS, CC_CC, CC_MI, CC_PL, CC_VS, CC_VC, CC_HI, CC_LS, CC_GE, CC_LT, CC_GT, CC_LE };
static const u1 cond_number[] = {
    [COND_EQ] = CC_EQ,    [COND_NE] = CC_NE,       [COND_LT] = CC_LT,       [COND_GE] = CC_GE,
    [COND_GT] = CC_GT,    [COND_LE] = CC_LE,       [COND_BELOW] = CC_CC,    [COND_ABOVE_EQ] = CC_CS,
    [COND_ABOVE] = CC_HI, [COND_BELOW_EQ] = CC_LS, [COND_OVERFLOW] = CC_VS, [COND_NO_OVERFLOW] = CC_VC};

static u4 wide(Width w) { return (u4)(w == W64) << SF; }

/* A b for each branch that waits for its label and does not reach as far. */
static void island(Asm *a) {
    a->reach = 0;
    u4 over = a->len;
    asm_put4(a, B);
    for (u4 i = 0; i < a->n_fixups && !a->failed; i++) {
        AsmFixup *f = &a->fixups[i];
        if (f->kind != FIX_B19 || f->label->at >= 0) continue;
        if (!asm_resolve(a->code, f, a->len)) a->failed = true;
        f->kind = FIX_B26;
        f->at = a->len;
        asm_put4(a, B);
    }
    if (!a->failed) asm_resolve(a->code, &(AsmFixup){.at = over, .kind = FIX_B26}, a->len);
}
/* n bytes follow, of which no branch may be moved away. */
static void keep_reach(Asm *a, u4 n) {
    if (UNLIKELY(a->reach && a->len + n >= a->reach)) island(a);
}

static void insn(Asm *a, u4 word) {
    ASSERT(!(a->len & 3));
    keep_reach(a, 0);
    asm_put4(a, word);
}
static void insn_dn(Asm *a, u4 op, u1 d, u1 n) { insn(a, op | (u4)n << 5 | d); }
static void insn_dnm(Asm *a, u4 op, u1 d, u1 n, u1 m) { insn(a, op | (u4)m << 16 | (u4)n << 5 | d); }
static void insn_dnma(Asm *a, u4 op, u1 d, u1 n, u1 m, u1 ra) { insn(a, op | (u4)m << 16 | (u4)ra << 10 | (u4)n << 5 | d); }

/* op | shift of the second operand. */
static u4 shifted(u4 op, u1 n) { return op | (u4)n << 10; }

void asm_nops(u1 *to, u4 n) {
    u4 nop = NOP, odd = n & 3; /* behind raw bytes: nobody runs what is not a whole instruction */
    memset(to, 0, odd);
    for (u4 i = odd; i < n; i += 4) memcpy(to + i, &nop, 4);
}

/* --- constants --- */

/* The field N:immr:imms of a logical immediate; false: v is none. */
static bool logical_field(Width w, u8 v, u4 *field) {
    if (w == W32) v = (u4)v | v << 32;
    if (!v || !~v) return false;
    u4 size = 64;
    while (size > 2) { /* of the shortest part that v repeats */
        u8 mask = (1ull << size / 2) - 1;
        if ((v & mask) != (v >> size / 2 & mask)) break;
        size /= 2;
    }
    u8 all = size == 64 ? ~0ull : (1ull << size) - 1, part = v & all;
    u4 ones = (u4)__builtin_popcountll(part);
    for (u4 r = 0; r < size; r++) { /* part is a run of ones at the bottom, rotated right by r */
        u8 back = r ? (part << r | part >> (size - r)) & all : part;
        if (back != (1ull << ones) - 1) continue;
        *field = (u4)(size == 64) << 22 | r << 16 | ((~(size - 1) << 1 | (ones - 1)) & 0x3f) << 10;
        return true;
    }
    return false;
}

static void logical_const(Asm *a, u4 op, Width w, Reg d, Reg x, u4 field) { insn_dn(a, op | wide(w) | field, d, x); }

static u4 halfwords_equal(u8 v, u4 n, u2 to) {
    u4 found = 0;
    for (u4 i = 0; i < n; i++) found += (u2)(v >> 16 * i) == to;
    return found;
}

void asm_const(Asm *a, Reg d, int64_t value) {
    u8 v = (u8)value;
    asm_note(a, v);
    Width w = v >> 32 ? W64 : W32; /* W32 clears the upper half */
    u4 n = w == W64 ? 4 : 2, zeros = halfwords_equal(v, n, 0), ones = halfwords_equal(v, n, 0xffff), field;
    ASSERT(d != R_SP);
    if (zeros < n - 1 && ones < n - 1 && logical_field(w, v, &field)) {
        logical_const(a, ORR_IMM, w, d, R_ZR, field);
        return;
    }
    bool inverted = ones > zeros, first = true;
    u2 rest = inverted ? 0xffff : 0;
    for (u4 i = 0; i < n; i++) {
        u2 part = (u2)(v >> 16 * i);
        if (part == rest) continue;
        u4 op = first ? inverted ? MOVN : MOVZ : MOVK;
        insn(a, op | wide(w) | i << 21 | (u4)(u2)(first && inverted ? ~part : part) << 5 | d);
        first = false;
    }
    if (first) insn(a, (inverted ? MOVN : MOVZ) | wide(w) | d);
}

/* --- adding --- */

/* d = x +- y, all of which may be the stack pointer; flags: d is not. */
static void add_reg(Asm *a, u4 op, Width w, Reg d, Reg x, Reg y) {
    bool flags = op & SET_FLAGS;
    if (y == R_SP) {
        asm_mov(a, W64, OWN_CONST, y);
        y = OWN_CONST;
    }
    if (x == R_SP || (d == R_SP && !flags))
        insn_dnm(a, op | EXTENDED | wide(w) | (u4)(w == W64 ? EXT_UXTX : EXT_UXTW) << 13, d, x, y);
    else insn_dnm(a, op | wide(w), d, x, y);
}

/* d = x + v by at most two instructions; false: v is too large.  d may be x. */
static bool add_24_bits(Asm *a, Width w, Reg d, Reg x, int64_t v) {
    u4 op = (v < 0 ? SUB_IMM : ADD_IMM) | wide(w);
    u8 n = v < 0 ? -(u8)v : (u8)v;
    if (n >> 24) return false;
    if (n >> 12) {
        insn_dn(a, op | 1 << 22 | (u4)(n >> 12) << 10, d, x);
        x = d;
    }
    if (n & 0xfff || !(n >> 12)) insn_dn(a, op | (u4)(n & 0xfff) << 10, d, x);
    return true;
}

static void add_const(Asm *a, Width w, Reg d, Reg x, int64_t v) {
    asm_note(a, (u8)v);
    if (v == 0) {
        asm_mov(a, w, d, x);
        return;
    }
    if (add_24_bits(a, w, d, x, v)) return;
    asm_const(a, OWN_CONST, w == W64 ? v : (int64_t)(u4)v);
    add_reg(a, ADD_REG, w, d, x, OWN_CONST);
}

/* subs zr, x, v */
static void compare_const(Asm *a, Width w, Reg x, int32_t v) {
    asm_note(a, (u8)v);
    u4 n = v < 0 ? -(u4)v : (u4)v,
       op = (v < 0 ? ADD_IMM : SUB_IMM) | SET_FLAGS | wide(w); /* adding -v: C is the same, v not being 0 */
    if (n < 0x1000) {
        insn_dn(a, op | n << 10, R_ZR, x);
    } else if (!(n & 0xfff) && n < 0x1000000) {
        insn_dn(a, op | 1 << 22 | (n >> 12) << 10, R_ZR, x);
    } else {
        asm_const(a, OWN_CONST, w == W64 ? v : (int64_t)(u4)v);
        add_reg(a, SUB_REG | SET_FLAGS, w, R_ZR, x, OWN_CONST);
    }
}

/* --- memory --- */

/* base + index << shift goes to d. */
static void add_index(Asm *a, Reg d, Reg base, Reg index, u1 shift) {
    ASSERT(index != R_SP, "sp is no index");
    if (base == R_SP) insn_dnm(a, shifted(ADD_REG | EXTENDED | wide(W64) | EXT_UXTX << 13, shift), d, base, index);
    else insn_dnm(a, shifted(ADD_REG | wide(W64), shift), d, base, index);
}

void asm_address(Asm *a, Reg d, Mem m) {
    if (m.base == NO_REG) {
        Reg to = m.index == NO_REG ? d : OWN_ADDRESS;
        asm_const(a, to, m.disp);
        if (m.index != NO_REG) add_index(a, d, OWN_ADDRESS, m.index, m.shift);
        return;
    }
    if (m.index != NO_REG) {
        add_index(a, d, m.base, m.index, m.shift);
        m.base = d;
    }
    add_const(a, W64, d, m.base, m.disp);
}

static bool fits_offset(int32_t disp, u1 size) {
    return (disp >= 0 && !(disp & ((1 << size) - 1)) && disp >> size < 0x1000) || (disp >= -256 && disp < 256);
}

/* m as one of the addressing modes for 1 << size bytes: what it takes beyond them goes to OWN_ADDRESS. */
static Mem reachable(Asm *a, Mem m, u1 size) {
    asm_note(a, (u8)m.disp);
    if (m.index != NO_REG && m.base != NO_REG && m.disp == 0 && (m.shift == 0 || m.shift == size)) return m;
    if (m.base == NO_REG) {
        asm_const(a, OWN_ADDRESS, m.disp);
        if (m.index == NO_REG) return mem_at(OWN_ADDRESS, 0);
        return reachable(a, mem_index(OWN_ADDRESS, m.index, m.shift, 0), size);
    }
    if (m.index != NO_REG) {
        add_index(a, OWN_ADDRESS, m.base, m.index, m.shift);
        m = mem_at(OWN_ADDRESS, m.disp);
    }
    if (fits_offset(m.disp, size)) return m;
    int32_t low = m.disp & 0xfff;
    if (low & ((1 << size) - 1)) low = 0; /* an odd place: all of it */
    add_const(a, W64, OWN_ADDRESS, m.base, (int64_t)m.disp - low);
    return mem_at(OWN_ADDRESS, low);
}

/* op is what tells loads from stores and their kinds apart: bits 22, 23 and 26. */
static void load_store(Asm *a, u4 op, u1 size, u1 t, Mem m) {
    ASSERT(m.index != R_SP, "sp is no index");
    m = reachable(a, m, size);
    op |= (u4)size << 30 | (u4)m.base << 5 | t;
    if (m.index != NO_REG) insn(a, op | LDST_INDEX | (u4)m.index << 16 | (m.shift ? LDST_SHIFT : 0));
    else if (m.disp >= 0 && !(m.disp & ((1 << size) - 1))) insn(a, op | LDST_UNSIGNED | (u4)(m.disp >> size) << 10);
    else insn(a, op | LDST_UNSCALED | ((u4)m.disp & 0x1ff) << 12);
}

#define OP_STORE 0u
#define OP_LOAD (1u << 22)
#define OP_LOAD_SIGNED_64 (2u << 22)
#define OP_LOAD_SIGNED_32 (3u << 22)
#define OP_PREFETCH (2u << 22) /* with size 3 */
#define OP_FLOAT (1u << 26)

static const u1 kind_size[] = {
    [MEM_S8] = 0, [MEM_U8] = 0, [MEM_S16] = 1, [MEM_U16] = 1, [MEM_32] = 2, [MEM_64] = 3, [MEM_S32] = 2};

void asm_load(Asm *a, MemKind k, Reg d, Mem m) {
    u4 op = k == MEM_S8 || k == MEM_S16 ? OP_LOAD_SIGNED_32 : k == MEM_S32 ? OP_LOAD_SIGNED_64 : OP_LOAD;
    load_store(a, op, kind_size[k], d, m);
}

void asm_store(Asm *a, MemKind k, Mem m, Reg x) {
    if (x == R_SP) {
        asm_mov(a, W64, OWN_VALUE, x);
        x = OWN_VALUE;
    }
    load_store(a, OP_STORE, kind_size[k], x, m);
}

void asm_store_const(Asm *a, MemKind k, Mem m, int32_t v) {
    int64_t cell = k == MEM_64 ? v : (int64_t)((u4)v & (~0u >> (32 - (8 << kind_size[k]))));
    if (cell) asm_const(a, OWN_VALUE, cell);
    load_store(a, OP_STORE, kind_size[k], cell ? OWN_VALUE : R_ZR, m);
}

/* For instructions that take a register as address, and none else. */
static Reg address_reg(Asm *a, Mem m) {
    if (m.base != NO_REG && m.index == NO_REG && m.disp == 0) return m.base;
    asm_address(a, OWN_ADDRESS, m);
    return OWN_ADDRESS;
}

void asm_mov(Asm *a, Width w, Reg d, Reg x) {
    if (w == W64 && d == x) return;
    if (d == R_SP || x == R_SP) insn_dn(a, ADD_IMM | wide(w), d, x);
    else insn_dnm(a, ORR_REG | wide(w), d, R_ZR, x);
}

/* --- integers --- */

static const u4 alu_reg[] = {
    [ALU_ADD] = ADD_REG, [ALU_SUB] = SUB_REG, [ALU_AND] = AND_REG, [ALU_OR] = ORR_REG, [ALU_XOR] = EOR_REG};
static const u4 alu_imm[] = {[ALU_AND] = AND_IMM, [ALU_OR] = ORR_IMM, [ALU_XOR] = EOR_IMM};

static void alu_with_reg(Asm *a, AluOp op, Width w, Reg d, Reg x, Reg y) {
    if (op == ALU_ADD || op == ALU_SUB) {
        add_reg(a, alu_reg[op], w, d, x, y);
        return;
    }
    ASSERT(d != R_SP && x != R_SP && y != R_SP);
    if (op == ALU_MUL) insn_dnma(a, MADD | wide(w), d, x, y, R_ZR);
    else insn_dnm(a, alu_reg[op] | wide(w), d, x, y);
}

static void alu_with_const(Asm *a, AluOp op, Width w, Reg d, Reg x, int32_t v) {
    u4 field;
    asm_note(a, (u8)v);
    if (op == ALU_ADD || op == ALU_SUB) {
        add_const(a, w, d, x, op == ALU_SUB ? -(int64_t)v : v);
        return;
    }
    if (op != ALU_MUL && logical_field(w, (u8)(int64_t)v, &field)) {
        ASSERT(d != R_SP && x != R_SP);
        logical_const(a, alu_imm[op], w, d, x, field);
        return;
    }
    asm_const(a, OWN_CONST, w == W64 ? v : (int64_t)(u4)v);
    alu_with_reg(a, op, w, d, x, OWN_CONST);
}

void asm_alu(Asm *a, AluOp op, Width w, Reg d, Reg x, Operand y) {
    switch (y.kind) {
    case OPERAND_REG: alu_with_reg(a, op, w, d, x, y.reg); return;
    case OPERAND_IMM: alu_with_const(a, op, w, d, x, y.imm); return;
    case OPERAND_MEM:
        asm_load(a, w == W64 ? MEM_64 : MEM_32, OWN_VALUE, y.mem);
        alu_with_reg(a, op, w, d, x, OWN_VALUE);
        return;
    }
}

void asm_alu_overflow(Asm *a, AluOp op, Width w, Reg d, Reg x, Reg y) {
    ASSERT(op == ALU_ADD || op == ALU_SUB || op == ALU_MUL);
    if (op != ALU_MUL) {
        insn_dnm(a, alu_reg[op] | SET_FLAGS | wide(w), d, x, y);
        return;
    }
    if (w == W32) {
        insn_dnm(a, SMULL, OWN_VALUE, x, y);
        insn_dnm(a, SUB_REG | SET_FLAGS | EXTENDED | wide(W64) | EXT_SXTW << 13, R_ZR, OWN_VALUE, OWN_VALUE);
    } else {
        insn_dnm(a, SMULH, OWN_CONST, x, y);
        insn_dnma(a, MADD | wide(W64), OWN_VALUE, x, y, R_ZR);
        insn_dnm(a, shifted(SUB_REG | SET_FLAGS | SHIFTED_ASR | wide(W64), 63), R_ZR, OWN_CONST, OWN_VALUE);
    }
    insn(a, CCMP_ZR_0 | CC_EQ << 12 | 1); /* 0 against 0: no V; or, where the product was not equal, V */
    asm_mov(a, w, d, OWN_VALUE);
}

void asm_alu_mem(Asm *a, AluOp op, Width w, Mem m, Operand y) {
    ASSERT(op != ALU_MUL && y.kind != OPERAND_MEM);
    MemKind k = w == W64 ? MEM_64 : MEM_32;
    m = reachable(a, m, kind_size[k]);
    asm_load(a, k, OWN_VALUE, m);
    asm_alu(a, op, w, OWN_VALUE, OWN_VALUE, y);
    asm_store(a, k, m, OWN_VALUE);
}

/* Bits from..to of x (sbfm, ubfm), wherever they go. */
static void bitfield(Asm *a, u4 op, Width w, Reg d, Reg x, u4 immr, u4 imms) {
    insn_dn(a, op | wide(w) | (u4)(w == W64) << 22 | immr << 16 | imms << 10, d, x);
}

void asm_shift(Asm *a, ShiftOp op, Width w, Reg d, Reg x, Operand count) {
    static const u4 by_reg[] = {
        [SHIFT_LEFT] = LSLV, [SHIFT_RIGHT] = ASRV, [SHIFT_RIGHT_UNSIGNED] = LSRV, [SHIFT_ROTATE_RIGHT] = RORV};
    if (count.kind == OPERAND_REG) {
        insn_dnm(a, by_reg[op] | wide(w), d, x, count.reg);
        return;
    }
    u4 last = w == W64 ? 63 : 31, n = (u4)count.imm & last;
    if (!n) {
        asm_mov(a, w, d, x);
        return;
    }
    switch (op) {
    case SHIFT_LEFT: bitfield(a, UBFM, w, d, x, -n & last, last - n); return;
    case SHIFT_RIGHT: bitfield(a, SBFM, w, d, x, n, last); return;
    case SHIFT_RIGHT_UNSIGNED: bitfield(a, UBFM, w, d, x, n, last); return;
    case SHIFT_ROTATE_RIGHT: insn_dnma(a, EXTR | wide(w) | (u4)(w == W64) << 22, d, x, x, (u1)n); return;
    }
}

void asm_unary(Asm *a, UnaryOp op, Width w, Reg d, Reg x) {
    switch (op) {
    case UNARY_NEG: insn_dnm(a, SUB_REG | wide(w), d, R_ZR, x); return;
    case UNARY_NOT: insn_dnm(a, ORN_REG | wide(w), d, R_ZR, x); return;
    case UNARY_SIGN8: bitfield(a, SBFM, w, d, x, 0, 7); return;
    case UNARY_SIGN16: bitfield(a, SBFM, w, d, x, 0, 15); return;
    case UNARY_ZERO8: bitfield(a, UBFM, W32, d, x, 0, 7); return;
    case UNARY_ZERO16: bitfield(a, UBFM, W32, d, x, 0, 15); return;
    case UNARY_SIGN32: bitfield(a, SBFM, W64, d, x, 0, 31); return;
    case UNARY_SWAP: insn_dn(a, (w == W64 ? REV_X : REV_W) | wide(w), d, x); return;
    case UNARY_LEADING_ZEROS: insn_dn(a, CLZ | wide(w), d, x); return;
    case UNARY_TRAILING_ZEROS:
        insn_dn(a, RBIT | wide(w), d, x);
        insn_dn(a, CLZ | wide(w), d, d);
        return;
    }
}

void asm_bit_count(Asm *a, Width w, Reg d, Reg x) {
    asm_bits_to_float(a, w, ASM_FSCRATCH, x);
    insn_dn(a, CNT_8B, ASM_FSCRATCH, ASM_FSCRATCH);
    insn_dn(a, ADDV_8B, ASM_FSCRATCH, ASM_FSCRATCH);
    asm_float_to_bits(a, W32, d, ASM_FSCRATCH);
}

void asm_div(Asm *a, Width w, bool remainder, Reg d, Reg x, Reg y) {
    Reg quotient = remainder ? OWN_VALUE : d;
    insn_dnm(a, SDIV | wide(w), quotient, x, y); /* the smallest number by -1 is itself */
    if (remainder) insn_dnma(a, MSUB | wide(w), d, quotient, y, x);
}

void asm_mul_high(Asm *a, bool is_signed, Reg d, Reg x, Reg y) { insn_dnm(a, is_signed ? SMULH : UMULH, d, x, y); }

void asm_ticks(Asm *a, Reg d) { insn(a, MRS_CNTVCT | d); }

/* --- comparing --- */

void asm_cmp(Asm *a, Width w, Reg x, Operand y) {
    if (y.kind == OPERAND_IMM) {
        compare_const(a, w, x, y.imm);
        return;
    }
    if (y.kind == OPERAND_MEM) {
        asm_load(a, w == W64 ? MEM_64 : MEM_32, OWN_VALUE, y.mem);
        y.reg = OWN_VALUE;
    }
    add_reg(a, SUB_REG | SET_FLAGS, w, R_ZR, x, y.reg);
}

/* subs zr, x, y, of whose width k says how much counts; x has zeros above it. */
static void compare_part(Asm *a, MemKind k, Reg x, Reg y) {
    u4 op = SUB_REG | SET_FLAGS | wide(k == MEM_64 ? W64 : W32);
    u4 size = kind_size[k];
    insn_dnm(a, size < 2 ? op | EXTENDED | (u4)(size ? EXT_UXTH : EXT_UXTB) << 13 : op, R_ZR, x, y);
}

void asm_cmp_mem(Asm *a, MemKind k, Mem m, Operand y) {
    ASSERT((k == MEM_U8 || k == MEM_U16 || k == MEM_32 || k == MEM_64) && y.kind != OPERAND_MEM);
    asm_load(a, k, OWN_VALUE, m);
    if (y.kind == OPERAND_REG) compare_part(a, k, OWN_VALUE, y.reg);
    else compare_const(a, k == MEM_64 ? W64 : W32, OWN_VALUE, k == MEM_U8 ? (u1)y.imm : k == MEM_U16 ? (u2)y.imm : y.imm);
}

void asm_test(Asm *a, Width w, Reg x, Operand y) {
    u4 field;
    ASSERT(y.kind != OPERAND_MEM);
    if (y.kind == OPERAND_IMM && logical_field(w, (u8)(int64_t)y.imm, &field)) {
        logical_const(a, ANDS_IMM, w, R_ZR, x, field);
        return;
    }
    if (y.kind == OPERAND_IMM) {
        asm_const(a, OWN_CONST, w == W64 ? y.imm : (int64_t)(u4)y.imm);
        y.reg = OWN_CONST;
    }
    insn_dnm(a, ANDS_REG | wide(w), R_ZR, x, y.reg);
}

void asm_test_mem(Asm *a, MemKind k, Mem m, int32_t bits) {
    ASSERT(k == MEM_U8 || k == MEM_32);
    asm_load(a, k == MEM_U8 ? MEM_S8 : k, OWN_VALUE, m); /* bit 7 is the sign */
    asm_test(a, W32, OWN_VALUE, op_imm(k == MEM_U8 ? (int8_t)bits : bits));
}

static void select_reg(Asm *a, u4 op, Width w, u1 cc, Reg d, Reg x, Reg y) { insn_dnm(a, op | wide(w) | (u4)cc << 12, d, x, y); }
static void set_if(Asm *a, u1 cc, Reg d) { select_reg(a, CSINC, W32, cc ^ 1, d, R_ZR, R_ZR); }

void asm_set(Asm *a, Cond c, Reg d) { set_if(a, cond_number[c], d); }
void asm_select(Asm *a, Cond c, Width w, Reg d, Reg x, Reg y) { select_reg(a, CSEL, w, cond_number[c], d, x, y); }

/* d = equal ? 0 : cc ? 1 : -1 */
static void three_ways(Asm *a, Reg d, u1 cc) {
    set_if(a, CC_NE, d);
    select_reg(a, CSNEG, W32, cc, d, d, d);
}

void asm_compare3(Asm *a, Width w, Reg d, Reg x, Reg y) {
    asm_cmp(a, w, x, op_reg(y));
    three_ways(a, d, CC_GT);
}

/* --- control --- */

static void branch26(Asm *a, u4 op, const Label *l) {
    keep_reach(a, 0);
    asm_fixup(a, FIX_B26, a->len, l, 0);
    asm_put4(a, op);
}

/* op: b.cond, cbz or cbnz; opposite: the bit that turns it round. */
static void branch19(Asm *a, u4 op, u4 opposite, Label *l) {
    keep_reach(a, 0);
    if (l->at >= 0 && a->len - (u4)l->at > HALF_REACH) {
        asm_put4(a, (op ^ opposite) | 2 << 5); /* over the next */
        branch26(a, B, l);
        return;
    }
    if (l->at < 0 && !a->reach) a->reach = a->len + HALF_REACH;
    asm_fixup(a, FIX_B19, a->len, l, 0);
    asm_put4(a, op);
}
static void branch_cc(Asm *a, u1 cc, Label *l) { branch19(a, B_COND | cc, 1, l); }

void asm_jump(Asm *a, Label *l) { branch26(a, B, l); }
void asm_call(Asm *a, Label *l) { branch26(a, BL, l); }
void asm_branch(Asm *a, Cond c, Label *l) { branch_cc(a, cond_number[c], l); }

void asm_jump_reg(Asm *a, Reg r) { insn_dn(a, BR, 0, r); }
void asm_call_reg(Asm *a, Reg r) { insn_dn(a, BLR, 0, r); }
void asm_jump_mem(Asm *a, Mem m) {
    asm_load(a, MEM_64, OWN_ADDRESS, m);
    asm_jump_reg(a, OWN_ADDRESS);
}
void asm_call_mem(Asm *a, Mem m) {
    asm_load(a, MEM_64, OWN_ADDRESS, m);
    asm_call_reg(a, OWN_ADDRESS);
}

static void c_target(Asm *a, u4 near, u4 by_reg, const void *fn, bool far) {
    if (far) {
        asm_const(a, OWN_ADDRESS, (int64_t)(uintptr_t)fn);
        insn_dn(a, by_reg, 0, OWN_ADDRESS);
        return;
    }
    keep_reach(a, 0);
    asm_fixup_c(a, FIX_CALL, a->len, fn);
    asm_put4(a, near);
}
void asm_call_c(Asm *a, const void *fn, bool far) { c_target(a, BL, BLR, fn, far); }
void asm_jump_c(Asm *a, const void *fn, bool far) { c_target(a, B, BR, fn, far); }

void asm_label_address(Asm *a, Reg d, Label *l) {
    keep_reach(a, 4);
    asm_fixup(a, FIX_ADR_PAIR, a->len, l, 0);
    asm_put4(a, ADR | d);
    asm_put4(a, ADD_IMM | wide(W64) | 1 << 22 | (u4)d << 5 | d);
}

void asm_jump_table(Asm *a, Reg index, Label *const *targets, u4 n) {
    u4 first = a->n_fixups;
    Label table = LABEL_INIT;
    keep_reach(a, 4 * n + 16);
    asm_fixup(a, FIX_ADR, a->len, &table, 0);
    asm_put4(a, ADR | OWN_ADDRESS);
    asm_load(a, MEM_S32, index, mem_index(OWN_ADDRESS, index, 2, 0));
    add_reg(a, ADD_REG, W64, index, index, OWN_ADDRESS);
    asm_jump_reg(a, index);
    asm_bind(a, &table);
    u4 from = a->len;
    for (u4 i = 0; i < n; i++) {
        asm_fixup(a, FIX_TABLE, a->len, targets[i], from);
        asm_put4(a, 0);
    }
    asm_settle(a, first);
}

void asm_return(Asm *a) { insn(a, RET); }
void asm_push(Asm *a, Reg r) { insn_dn(a, STR_PUSH | (-ASM_PUSH_BYTES & 0x1ff) << 12, r, R_SP); }
void asm_pop(Asm *a, Reg r) { insn_dn(a, LDR_POP | ASM_PUSH_BYTES << 12, r, R_SP); }
void asm_trap(Asm *a) { insn(a, UDF); }

static void or_word(u1 *at, u4 bits) {
    u4 word;
    memcpy(&word, at, 4);
    word |= bits;
    memcpy(at, &word, 4);
}
static u4 adr_field(int32_t distance) { return ((u4)distance & 3) << 29 | ((u4)distance >> 2 & 0x7ffff) << 5; }

/* The distance is added as v << 12 by the instruction behind adr. */
static bool adr_pair(u1 *at, int32_t distance) {
    int32_t v = distance >> 12;
    u4 word, n = (u4)(v < 0 ? -v : v), op = v < 0 ? SUB_IMM - ADD_IMM : 0;
    or_word(at, adr_field(distance & 0xfff));
    memcpy(&word, at + 4, 4);
    word = v ? (word + op) | n << 10 : NOP;
    memcpy(at + 4, &word, 4);
    return n < 0x1000;
}

bool asm_resolve(u1 *code, const AsmFixup *f, u4 target) {
    int32_t distance = (int32_t)(target - f->at), v = (int32_t)(target - f->from);
    switch (f->kind) {
    case FIX_B26: or_word(code + f->at, (u4)(distance >> 2) & 0x3ffffff); return true; /* code is limited to 64 MB */
    case FIX_B19:
        or_word(code + f->at, ((u4)(distance >> 2) & 0x7ffff) << 5);
        return distance >= -(1 << 20) && distance < 1 << 20;
    case FIX_ADR: or_word(code + f->at, adr_field(distance)); return distance >= -(1 << 20) && distance < 1 << 20;
    case FIX_ADR_PAIR: return adr_pair(code + f->at, distance);
    case FIX_TABLE: memcpy(code + f->at, &v, 4); return true;
    default: return false;
    }
}

bool asm_reach(u1 *to, const u1 *run, const AsmFixup *f) {
    int64_t distance = (const u1 *)f->target - (run + f->at);
    or_word(to + f->at, (u4)(distance >> 2) & 0x3ffffff);
    return distance >= -(128 << 20) && distance < 128 << 20;
}

/* --- floating point --- */

static u4 precision(Width w) { return (u4)(w == W64) << 22; }
static u1 float_size(Width w) { return w == W64 ? 3 : 2; }

void asm_fmov(Asm *a, Width w, FReg d, FReg x) {
    if (d != x) insn_dn(a, FMOV | precision(w), d, x);
}
void asm_fzero(Asm *a, Width w, FReg d) { insn(a, MOVI_ZERO | d); }
void asm_fload(Asm *a, Width w, FReg d, Mem m) { load_store(a, OP_FLOAT | OP_LOAD, float_size(w), d, m); }
void asm_fstore(Asm *a, Width w, Mem m, FReg x) { load_store(a, OP_FLOAT | OP_STORE, float_size(w), x, m); }

void asm_fop(Asm *a, FloatOp op, Width w, FReg d, FReg x, FReg y) {
    static const u4 ops[] = {[FLOAT_ADD] = FADD, [FLOAT_SUB] = FSUB, [FLOAT_MUL] = FMUL, [FLOAT_DIV] = FDIV};
    insn_dnm(a, ops[op] | precision(w), d, x, y);
}
void asm_fop_mem(Asm *a, FloatOp op, Width w, FReg d, FReg x, Mem m) {
    asm_fload(a, w, ASM_FSCRATCH, m);
    asm_fop(a, op, w, d, x, ASM_FSCRATCH);
}

void asm_fneg(Asm *a, Width w, FReg d, FReg x) { insn_dn(a, FNEG | precision(w), d, x); }
void asm_fabs(Asm *a, Width w, FReg d, FReg x) { insn_dn(a, FABS | precision(w), d, x); }
void asm_fsqrt(Asm *a, Width w, FReg d, FReg x) { insn_dn(a, FSQRT | precision(w), d, x); }
void asm_fround(Asm *a, RoundTo to, FReg d, FReg x) {
    insn_dn(a, (to == ROUND_NEAREST ? FRINTN : to == ROUND_DOWN ? FRINTM : FRINTP) | precision(W64), d, x);
}
void asm_fma(Asm *a, Width w, FReg d, FReg x, FReg y) { insn_dnm(a, FMADD | precision(w) | (u4)d << 10, d, x, y); }
void asm_fconvert(Asm *a, Width to, FReg d, FReg x) { insn_dn(a, to == W64 ? FCVT_TO_D : FCVT_TO_S, d, x); }
void asm_int_to_float(Asm *a, Width from, Width to, FReg d, Reg x) { insn_dn(a, SCVTF | wide(from) | precision(to), d, x); }
void asm_float_to_int(Asm *a, Width from, Width to, Reg d, FReg x) { insn_dn(a, FCVTZS | wide(to) | precision(from), d, x); }
void asm_bits_to_float(Asm *a, Width w, FReg d, Reg x) { insn_dn(a, FMOV_FROM_REG | wide(w) | precision(w), d, x); }
void asm_float_to_bits(Asm *a, Width w, Reg d, FReg x) { insn_dn(a, FMOV_TO_REG | wide(w) | precision(w), d, x); }

static const u1 ordered_cc[] = {
    [COND_EQ] = CC_EQ, [COND_NE] = CC_MI, [COND_LT] = CC_MI, [COND_GE] = CC_GE, [COND_GT] = CC_GT, [COND_LE] = CC_LS};
static const u1 nan_cc[] = {
    [COND_EQ] = CC_EQ, [COND_NE] = CC_NE, [COND_LT] = CC_LT, [COND_GE] = CC_PL, [COND_GT] = CC_HI, [COND_LE] = CC_LE};

void asm_fbranch(Asm *a, Cond c, Width w, FReg x, FReg y, bool unordered, Label *l) {
    ASSERT(c <= COND_LE);
    insn_dnm(a, FCMP | precision(w), 0, x, y);
    branch_cc(a, unordered ? nan_cc[c] : ordered_cc[c], l);
    if (c == COND_EQ && unordered) branch_cc(a, CC_VS, l);
    if (c == COND_NE && !unordered) branch_cc(a, CC_GT, l); /* less, or greater */
}

void asm_fselect(Asm *a, Cond c, Width fw, FReg fx, FReg fy, bool unordered, Width w, Reg d, Reg x, Reg y) {
    ASSERT(c <= COND_LE && c != COND_EQ && c != COND_NE);
    insn_dnm(a, FCMP | precision(fw), 0, fx, fy);
    select_reg(a, CSEL, w, unordered ? nan_cc[c] : ordered_cc[c], d, x, y);
}

void asm_fcompare3(Asm *a, Width w, Reg d, FReg x, FReg y, int nan) {
    ASSERT(nan == 1 || nan == -1);
    insn_dnm(a, FCMP | precision(w), 0, x, y);
    three_ways(a, d, nan < 0 ? CC_GT : CC_PL);
}

/* --- vectors: none yet --- */

bool asm_has_vector(VectorOp op, VectorOf of) { return false; }

/* --- shared memory --- */

void asm_fence(Asm *a) { insn(a, DMB_ISH); }

void asm_cas(Asm *a, MemKind k, Mem m, Reg desired) {
    u4 first = a->n_fixups, size = (u4)kind_size[k] << 30;
    Width w = k == MEM_64 ? W64 : W32;
    Label again = LABEL_INIT, other = LABEL_INIT, done = LABEL_INIT;
    Reg at = address_reg(a, m);
    ASSERT(at != ASM_CAS_OLD && desired != ASM_CAS_OLD);
    if (asm_features.lse) {
        asm_mov(a, W64, OWN_VALUE, ASM_CAS_OLD);
        insn_dnm(a, CASAL | size, desired, at, OWN_VALUE);
        compare_part(a, k, OWN_VALUE, ASM_CAS_OLD); /* casal clears what is above the width */
        asm_mov(a, w, ASM_CAS_OLD, OWN_VALUE);
        return;
    }
    asm_bind(a, &again);
    insn_dn(a, LDAXR | size, OWN_VALUE, at);
    compare_part(a, k, OWN_VALUE, ASM_CAS_OLD);
    branch_cc(a, CC_NE, &other);
    insn_dnm(a, STLXR | size, desired, at, OWN_CONST); /* 0: stored */
    branch19(a, CBNZ_W | OWN_CONST, 1 << 24, &again);
    insn(a, DMB_ISH);
    asm_jump(a, &done);
    asm_bind(a, &other);
    asm_mov(a, w, ASM_CAS_OLD, OWN_VALUE);
    asm_bind(a, &done);
    asm_settle(a, first);
}

void asm_atomic(Asm *a, AtomicOp op, MemKind k, Reg d, Mem m, Reg x) {
    ASSERT(k == MEM_32 || k == MEM_64);
    u4 first = a->n_fixups, size = (u4)kind_size[k] << 30;
    Width w = k == MEM_64 ? W64 : W32;
    Reg at = address_reg(a, m);
    if (asm_features.lse) {
        insn_dnm(a, (op == ATOMIC_ADD ? LDADDAL : SWPAL) | size, d, at, x);
        return;
    }
    Label again = LABEL_INIT;
    asm_bind(a, &again);
    insn_dn(a, LDAXR | size, OWN_VALUE, at);
    if (op == ATOMIC_ADD) add_reg(a, ADD_REG, w, OWN_VALUE, OWN_VALUE, x);
    insn_dnm(a, STLXR | size, op == ATOMIC_ADD ? OWN_VALUE : x, at, OWN_CONST);
    branch19(a, CBNZ_W | OWN_CONST, 1 << 24, &again);
    insn(a, DMB_ISH);
    if (op == ATOMIC_ADD) add_reg(a, SUB_REG, w, d, OWN_VALUE, x); /* d may be x, or the address: the last to be written */
    else asm_mov(a, w, d, OWN_VALUE);
    asm_settle(a, first);
}

void asm_prefetch(Asm *a, Mem m) { load_store(a, OP_PREFETCH, 3, 16 /* PSTL1KEEP */, m); }

#endif
