/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembler: every operation is run with registers, constants and cells drawn at random, and what the machine then holds is
 * compared with a model in C: the result, and that nothing else has changed.  jit/asm_a64 compiles this for AArch64 on other machines.
 * `test_jit_asm forms CODE TEXT` writes one instruction of each form and how a disassembler spells it: jit/asm_forms compares.
 * An operation of several instructions has | between them.  `test_jit_asm N`: N rounds of each operation.
 */
#include "jit/asm/asm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cf_test.h"
#ifdef ASM_FOR_A64
#include "jit_forms_a64.h"
#else
#include "jit_forms_x64.h"
#endif

_Noreturn void vm_fatal(const char *file, int line, const char *fmt, ...) {
    printf("%s:%d: %s\n", file, line, fmt);
    exit(1);
}

/* ---- running ---- */

enum { CELLS = 8, CODE_SIZE = 4 << 20 };
typedef struct State {
    u8 r[N_REGS];
    u8 f[N_FREGS];
    u8 cells[CELLS];
    u8 c_saved[8];
} State;

static u1 *page;

static u8 random_u8(void) {
    static u8 s = 88172645463325252u;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return s;
}
static u4 below(u4 n) { return (u4)(random_u8() >> 33) % n; }

/* Numbers at which things go wrong come more often. */
static u8 number(void) {
    static const u8 edges[] = {0,      1,          2,          0x7f,       0x80,        0xff,      0x7fff,        0x8000,
                               0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, INT64_MAX, (u8)INT64_MIN, (u8)-1,
                               (u8)-2, 31,         32,         33,         63,          64};
    switch (below(4)) {
    case 0: return edges[below(sizeof edges / sizeof *edges)];
    case 1: return random_u8() >> below(64);
    default: return random_u8();
    }
}

static u8 float_bits(Width w) {
    static const double edges[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   0.5,
                                   1.5,
                                   -2.5,
                                   2147483647.0,
                                   2147483648.0,
                                   -2147483648.0,
                                   -2147483649.0,
                                   9223372036854775807.0,
                                   -9223372036854775808.0,
                                   1e300,
                                   -1e300,
                                   1e-310,
                                   INFINITY,
                                   -INFINITY,
                                   NAN};
    double d = below(3) ? edges[below(sizeof edges / sizeof *edges)] : (double)(int64_t)random_u8() / (double)(1ull << below(63));
    float f = (float)d;
    u8 v = 0;
    if (w == W64) memcpy(&v, &d, 8);
    else memcpy(&v, &f, 4);
    return v;
}
static double as_double(u8 v) {
    double d;
    memcpy(&d, &v, 8);
    return d;
}
static float as_float(u8 v) {
    float f;
    memcpy(&f, &v, 4);
    return f;
}
static u8 of_double(double d) {
    u8 v;
    memcpy(&v, &d, 8);
    return v;
}
static u8 of_float(float f) {
    u4 v;
    memcpy(&v, &f, 4);
    return v;
}

static bool general(Reg r) { return r != ASM_STACK && !(ASM_OWN >> r & 1); }
static Reg any_reg(void) {
    Reg r;
    do r = (Reg)below(N_REGS);
    while (!general(r));
    return r;
}
static FReg any_freg(void) {
    FReg f;
    do f = (FReg)below(N_FREGS);
    while (f == ASM_FSCRATCH);
    return f;
}

static Mem saved_float(FReg f, Reg base) { return mem_at(base, (int32_t)(offsetof(State, c_saved) + 8u * (f % 8))); }

/* All registers come from the State and go back to it; its address waits on the stack. */
static void enter(Asm *a) {
    for (Reg r = 0; r < N_REGS; r++)
        if (r == ASM_LINK || ASM_C_SAVED >> r & 1) asm_push(a, r);
    asm_push(a, asm_c_arg[0]);
    asm_mov(a, W64, ASM_SCRATCH, asm_c_arg[0]);
    for (FReg f = 0; f < N_FREGS; f++)
        if (ASM_C_SAVED_F >> f & 1) asm_fstore(a, W64, saved_float(f, ASM_SCRATCH), f);
    for (FReg f = 0; f < N_FREGS; f++) asm_fload(a, W64, f, mem_at(ASM_SCRATCH, (int32_t)(offsetof(State, f) + 8u * f)));
    for (Reg r = 0; r < N_REGS; r++)
        if (general(r)) asm_load(a, MEM_64, r, mem_at(ASM_SCRATCH, (int32_t)(offsetof(State, r) + 8u * r)));
}
static void leave(Asm *a) {
    asm_load(a, MEM_64, ASM_SCRATCH, mem_at(ASM_STACK, 0));
    for (Reg r = 0; r < N_REGS; r++)
        if (general(r)) asm_store(a, MEM_64, mem_at(ASM_SCRATCH, (int32_t)(offsetof(State, r) + 8u * r)), r);
    for (FReg f = 0; f < N_FREGS; f++) asm_fstore(a, W64, mem_at(ASM_SCRATCH, (int32_t)(offsetof(State, f) + 8u * f)), f);
    for (FReg f = 0; f < N_FREGS; f++)
        if (ASM_C_SAVED_F >> f & 1) asm_fload(a, W64, f, saved_float(f, ASM_SCRATCH));
    asm_pop(a, asm_c_arg[0]);
    for (int r = N_REGS - 1; r >= 0; r--)
        if (r == ASM_LINK || ASM_C_SAVED >> r & 1) asm_pop(a, (Reg)r);
    asm_return(a);
}
static void run(Asm *a, State *s) {
    if (!asm_finish(a) || a->len > CODE_SIZE || !asm_copy(a, page, page)) {
        CHECK(!"assembled");
        return;
    }
    ((void (*)(State *))(uintptr_t)page)(s);
}

/* ---- one case: an operation with its operands, and what it should do ---- */

typedef enum Group {
    G_ALU,
    G_ALU_MEM,
    G_OVERFLOW,
    G_SHIFT,
    G_UNARY,
    G_BITS,
    G_DIV,
    G_MUL_HIGH,
    G_MOV,
    G_CONST,
    G_LOAD,
    G_STORE,
    G_STORE_CONST,
    G_ADDRESS,
    G_COMPARE,
    G_COMPARE_MEM,
    G_TEST,
    G_TEST_MEM,
    G_SELECT,
    G_COMPARE3,
    G_CAS,
    G_ATOMIC,
    G_TABLE,
    G_FMOV,
    G_FMEM,
    G_FOP,
    G_FOP_MEM,
    G_FSIGN,
    G_FSQRT,
    G_FROUND,
    G_FMA,
    G_FCONVERT,
    G_FROM_INT,
    G_TO_INT,
    G_BITS_FLOAT,
    G_FBRANCH,
    G_FSELECT,
    G_FCOMPARE3,
    N_GROUPS
} Group;

typedef struct Case {
    Group group;
    u4 op;
    Width w;
    Reg d, x, y;
    FReg fd, fx, fy;
    Cond cond;
    Operand operand;
    Mem mem;
    u4 cell; /* that mem means */
    MemKind kind;
    int64_t constant;
    bool flag; /* remainder, signed, unordered, NaN is 1 */
} Case;

static u4 mem_size(MemKind k) { return k <= MEM_U8 ? 1 : k <= MEM_U16 ? 2 : k == MEM_64 ? 8 : 4; }

/* A cell of s, addressed in one of the ways; the registers of the address get their values. */
static Mem some_mem(State *s, u4 *cell, u4 taken) {
    *cell = below(CELLS);
    u8 address = (u8)(uintptr_t)&s->cells[*cell];
    Mem m = {NO_REG, NO_REG, (u1)below(4), 0};
    do m.base = any_reg();
    while (taken >> m.base & 1);
    static const int32_t displacements[] = {0,    8,    -8,   127,  -128,  128,   -129,  255,   -256,    256,      -257,
                                            4095, 4096, 4097, 8190, 16380, 32760, 32768, -4103, -100000, 40000003, -20000001};
    m.disp = displacements[below(sizeof displacements / sizeof *displacements)];
    if (below(2)) {
        do m.index = any_reg();
        while (m.index == m.base || taken >> m.index & 1);
        s->r[m.index] = below(100000);
        address -= s->r[m.index] << m.shift;
    }
    s->r[m.base] = address - (u8)(int64_t)m.disp;
    return m;
}

static Case some_case(Group g, State *s) {
    Case c = {.group = g,
              .op = below(64),
              .w = below(2) ? W64 : W32,
              .d = any_reg(),
              .x = any_reg(),
              .y = any_reg(),
              .fd = any_freg(),
              .fx = any_freg(),
              .fy = any_freg(),
              .cond = (Cond)below(COND_BELOW_EQ + 1),
              .flag = below(2)};
    for (u4 i = 0; i < N_REGS; i++) s->r[i] = number();
    for (u4 i = 0; i < N_FREGS; i++) s->f[i] = float_bits(c.w);
    for (u4 i = 0; i < CELLS; i++) s->cells[i] = below(2) ? float_bits(c.w) : number();
    static const MemKind plain[] = {MEM_U8, MEM_U16, MEM_32, MEM_64};
    c.kind = plain[below(4)];
    bool reads_memory = below(3) == 0;
    u4 taken = 0;
    switch (g) {
    case G_LOAD: c.kind = (MemKind)below(MEM_S32 + 1); break;
    case G_STORE:
    case G_STORE_CONST:
        c.kind = (MemKind)below(MEM_64 + 1);
        taken = 1u << c.x;
        break;
    case G_COMPARE_MEM:
    case G_ALU_MEM: taken = 1u << c.y; break;
    case G_CAS: taken = 1u << ASM_CAS_OLD | 1u << c.x; break;
    case G_ATOMIC:
        c.kind = below(2) ? MEM_32 : MEM_64;
        taken = 1u << c.x;
        break;
    case G_TEST_MEM: c.kind = below(2) ? MEM_U8 : MEM_32; break;
    case G_ALU:
    case G_COMPARE: taken = 1u << c.x; break;
    default: break;
    }
    c.mem = some_mem(s, &c.cell, taken);
    c.constant = (int64_t)number();
    bool mem_allowed = g == G_ALU || g == G_COMPARE;
    int32_t imm = (int32_t)(below(2) ? (u4)(int8_t)random_u8() : (u4)number());
    c.operand = reads_memory && mem_allowed ? op_mem(c.mem) : below(2) ? op_reg(c.y) : op_imm(imm);
    if (g == G_CAS && below(2)) s->r[ASM_CAS_OLD] = s->cells[c.cell];
    if (g == G_CAS && c.x == ASM_CAS_OLD)
        c.x = REG_4, s->r[REG_4] = c.mem.base == REG_4 || c.mem.index == REG_4 ? s->r[REG_4] : number();
    if (((g == G_COMPARE && c.operand.kind == OPERAND_REG) || g == G_TEST || g == G_COMPARE3) && below(3) == 0)
        s->r[c.y] = s->r[c.x];
    if (g == G_TEST || g == G_TEST_MEM) c.cond = (Cond)below(COND_GE + 1);
    if (g == G_COMPARE_MEM && c.kind < MEM_32) c.cond = (Cond)(below(2) ? below(COND_NE + 1) : COND_BELOW + below(4));
    if (g == G_FBRANCH && below(2)) s->f[c.fy] = s->f[c.fx];
    if (g == G_DIV && !(c.w == W64 ? s->r[c.y] : (u4)s->r[c.y])) s->r[c.y] = 3;
    return c;
}

static void emit_truth(Asm *a, const Case *c) /* 1 or 0 in d, by a branch or by asm_set */
{
    if (c->op & 1) {
        asm_set(a, c->cond, c->d);
        return;
    }
    static Label yes, done;
    yes = done = LABEL_INIT;
    asm_branch(a, c->cond, &yes);
    asm_const(a, c->d, 0);
    asm_jump(a, &done);
    asm_bind(a, &yes);
    asm_const(a, c->d, 1);
    asm_bind(a, &done);
}

static void emit_table(Asm *a, const Case *c) {
    static Label arms[4], done;
    Label *targets[4];
    done = LABEL_INIT;
    for (u4 i = 0; i < 4; i++) arms[i] = LABEL_INIT, targets[i] = &arms[i];
    asm_alu(a, ALU_AND, W32, c->x, c->x, op_imm(3));
    asm_jump_table(a, c->x, targets, 4);
    for (int i = 3; i >= 0; i--) {
        asm_bind(a, &arms[i]);
        asm_const(a, c->x, i * 1000);
        if (i) asm_jump(a, &done);
    }
    asm_bind(a, &done);
}

static Cond fcond(const Case *c) { return (Cond)(c->op % 6); }
static Cond forder(const Case *c) { return (Cond)(COND_LT + c->op % 4); }
static UnaryOp unary_op(const Case *c) { return (UnaryOp)(c->op % (UNARY_TRAILING_ZEROS + 1)); }
static Width unary_width(const Case *c) { return unary_op(c) == UNARY_SIGN32 ? W64 : c->w; }

static void emit(Asm *a, const Case *c) {
    switch (c->group) {
    case G_ALU: asm_alu(a, (AluOp)(c->op % 6), c->w, c->d, c->x, c->operand); break;
    case G_ALU_MEM: asm_alu_mem(a, (AluOp)(c->op % 5), c->w, c->mem, c->operand); break;
    case G_OVERFLOW: {
        static const AluOp ops[] = {ALU_ADD, ALU_SUB, ALU_MUL};
        asm_alu_overflow(a, ops[c->op % 3], c->w, c->d, c->x, c->y);
        asm_set(a, COND_OVERFLOW, c->d);
        break;
    }
    case G_SHIFT: asm_shift(a, (ShiftOp)(c->op % 4), c->w, c->d, c->x, c->operand); break;
    case G_UNARY: asm_unary(a, unary_op(c), unary_width(c), c->d, c->x); break;
    case G_BITS: asm_bit_count(a, c->w, c->d, c->x); break;
    case G_DIV: asm_div(a, c->w, c->flag, c->d, c->x, c->y); break;
    case G_MUL_HIGH: asm_mul_high(a, c->flag, c->d, c->x, c->y); break;
    case G_MOV: asm_mov(a, c->w, c->d, c->x); break;
    case G_CONST: asm_const(a, c->d, c->constant); break;
    case G_LOAD: asm_load(a, c->kind, c->d, c->mem); break;
    case G_STORE: asm_store(a, c->kind, c->mem, c->x); break;
    case G_STORE_CONST: asm_store_const(a, c->kind, c->mem, (int32_t)c->constant); break;
    case G_ADDRESS: asm_address(a, c->d, c->mem); break;
    case G_COMPARE:
        asm_cmp(a, c->w, c->x, c->operand);
        emit_truth(a, c);
        break;
    case G_COMPARE_MEM:
        asm_cmp_mem(a, c->kind, c->mem, c->operand);
        emit_truth(a, c);
        break;
    case G_TEST:
        asm_test(a, c->w, c->x, c->operand.kind == OPERAND_IMM ? c->operand : op_reg(c->y));
        emit_truth(a, c);
        break;
    case G_TEST_MEM:
        asm_test_mem(a, c->kind, c->mem, (int32_t)c->constant);
        emit_truth(a, c);
        break;
    case G_SELECT:
        asm_cmp(a, W64, REG_1, op_reg(REG_2));
        asm_select(a, c->cond, c->w, c->d, c->x, c->y);
        break;
    case G_COMPARE3: asm_compare3(a, c->w, c->d, c->x, c->y); break;
    case G_CAS: asm_cas(a, c->kind, c->mem, c->x); break;
    case G_ATOMIC: asm_atomic(a, c->flag ? ATOMIC_ADD : ATOMIC_SWAP, c->kind, c->d, c->mem, c->x); break;
    case G_TABLE: emit_table(a, c); break;
    case G_FMOV: asm_fmov(a, c->w, c->fd, c->fx); break;
    case G_FMEM:
        if (c->flag) asm_fload(a, c->w, c->fd, c->mem);
        else asm_fstore(a, c->w, c->mem, c->fx);
        break;
    case G_FOP: asm_fop(a, (FloatOp)(c->op % 4), c->w, c->fd, c->fx, c->fy); break;
    case G_FOP_MEM: asm_fop_mem(a, (FloatOp)(c->op % 4), c->w, c->fd, c->fx, c->mem); break;
    case G_FSIGN:
        if (c->flag) asm_fneg(a, c->w, c->fd, c->fx);
        else asm_fabs(a, c->w, c->fd, c->fx);
        break;
    case G_FROUND: asm_fround(a, (RoundTo)(c->op % 3), c->fd, c->fx); break;
    case G_FSQRT: asm_fsqrt(a, c->w, c->fd, c->fx); break;
    case G_FMA: asm_fma(a, c->w, c->fd, c->fx, c->fy); break;
    case G_FCONVERT: asm_fconvert(a, c->w, c->fd, c->fx); break;
    case G_FROM_INT: asm_int_to_float(a, c->flag ? W64 : W32, c->w, c->fd, c->x); break;
    case G_TO_INT: asm_float_to_int(a, c->w, c->flag ? W64 : W32, c->d, c->fx); break;
    case G_BITS_FLOAT:
        if (c->flag) asm_bits_to_float(a, c->w, c->fd, c->x);
        else asm_float_to_bits(a, c->w, c->d, c->fx);
        break;
    case G_FBRANCH: {
        static Label yes, done;
        yes = done = LABEL_INIT;
        asm_fbranch(a, fcond(c), c->w, c->fx, c->fy, c->flag, &yes);
        asm_const(a, c->d, 0);
        asm_jump(a, &done);
        asm_bind(a, &yes);
        asm_const(a, c->d, 1);
        asm_bind(a, &done);
        break;
    }
    case G_FSELECT: asm_fselect(a, forder(c), c->w, c->fx, c->fy, c->flag, W64, c->d, c->x, c->y); break;
    case G_FCOMPARE3: asm_fcompare3(a, c->w, c->d, c->fx, c->fy, c->flag ? 1 : -1); break;
    case N_GROUPS: break;
    }
}

/* ---- the model ---- */

static u8 narrow(Width w, u8 v) { return w == W64 ? v : (u4)v; }
static int64_t as_signed(Width w, u8 v) { return w == W64 ? (int64_t)v : (int32_t)(u4)v; }

static u8 model_alu(AluOp op, u8 x, u8 y) {
    switch (op) {
    case ALU_ADD: return x + y;
    case ALU_SUB: return x - y;
    case ALU_AND: return x & y;
    case ALU_OR: return x | y;
    case ALU_XOR: return x ^ y;
    case ALU_MUL: return x * y;
    }
    return 0;
}

static bool model_overflow(AluOp op, Width w, u8 x, u8 y) {
    __int128 a = as_signed(w, x), b = as_signed(w, y), r = op == ALU_ADD ? a + b : op == ALU_SUB ? a - b : a * b;
    return r != as_signed(w, (u8)r);
}

static u8 model_shift(ShiftOp op, Width w, u8 x, u8 count) {
    u4 bits = w == W64 ? 64 : 32, n = (u4)count & (bits - 1);
    x = narrow(w, x);
    switch (op) {
    case SHIFT_LEFT: return narrow(w, x << n);
    case SHIFT_RIGHT: return narrow(w, (u8)(as_signed(w, x) >> n));
    case SHIFT_RIGHT_UNSIGNED: return x >> n;
    case SHIFT_ROTATE_RIGHT: return n ? narrow(w, x >> n | x << (bits - n)) : x;
    }
    return 0;
}

static u8 model_unary(UnaryOp op, Width w, u8 x) {
    switch (op) {
    case UNARY_NEG: return narrow(w, -x);
    case UNARY_NOT: return narrow(w, ~x);
    case UNARY_SIGN8: return narrow(w, (u8)(int8_t)x);
    case UNARY_SIGN16: return narrow(w, (u8)(int16_t)x);
    case UNARY_ZERO8: return (u1)x;
    case UNARY_ZERO16: return (u2)x;
    case UNARY_SIGN32: return (u8)(int32_t)x;
    case UNARY_SWAP: return w == W64 ? __builtin_bswap64(x) : __builtin_bswap32((u4)x);
    case UNARY_LEADING_ZEROS: x = narrow(w, x); return x ? (u8)__builtin_clzll(x) - (w == W64 ? 0 : 32) : w == W64 ? 64 : 32;
    case UNARY_TRAILING_ZEROS: x = narrow(w, x); return x ? (u8)__builtin_ctzll(x) : w == W64 ? 64 : 32;
    }
    return 0;
}

static u8 model_div(Width w, bool remainder, u8 x, u8 y) {
    int64_t a = as_signed(w, x), b = as_signed(w, y);
    if (b == -1) return remainder ? 0 : narrow(w, -(u8)a);
    return narrow(w, (u8)(remainder ? a % b : a / b));
}

static bool model_cond(Cond c, u4 bits, u8 x, u8 y) {
    u4 s = 64 - bits;
    u8 ux = x << s, uy = y << s;
    int64_t sx = (int64_t)ux, sy = (int64_t)uy;
    switch (c) {
    case COND_EQ: return ux == uy;
    case COND_NE: return ux != uy;
    case COND_LT: return sx < sy;
    case COND_GE: return sx >= sy;
    case COND_GT: return sx > sy;
    case COND_LE: return sx <= sy;
    case COND_BELOW: return ux < uy;
    case COND_ABOVE_EQ: return ux >= uy;
    case COND_ABOVE: return ux > uy;
    case COND_BELOW_EQ: return ux <= uy;
    default: return false;
    }
}

static bool model_fcond(Cond c, bool unordered, double x, double y) {
    if (x != x || y != y) return unordered;
    switch (c) {
    case COND_EQ: return x == y;
    case COND_NE: return x != y;
    case COND_LT: return x < y;
    case COND_GE: return x >= y;
    case COND_GT: return x > y;
    default: return x <= y;
    }
}

static u8 model_load(MemKind k, u8 v) {
    switch (k) {
    case MEM_S8: return (u4)(int8_t)v;
    case MEM_U8: return (u1)v;
    case MEM_S16: return (u4)(int16_t)v;
    case MEM_U16: return (u2)v;
    case MEM_32: return (u4)v;
    case MEM_64: return v;
    case MEM_S32: return (u8)(int32_t)v;
    }
    return 0;
}

static u8 model_fop(FloatOp op, Width w, u8 x, u8 y) {
    double a = w == W64 ? as_double(x) : as_float(x), b = w == W64 ? as_double(y) : as_float(y), r;
    switch (op) {
    case FLOAT_ADD: r = a + b; break;
    case FLOAT_SUB: r = a - b; break;
    case FLOAT_MUL: r = a * b; break;
    default: r = a / b; break;
    }
    return w == W64 ? of_double(r) : of_float((float)r); /* double keeps enough of one float operation */
}

static u8 model_to_int(Width from, bool to_long, u8 v) {
    double d = from == W64 ? as_double(v) : as_float(v);
    if (d != d) return 0;
    if (to_long) return d >= 0x1p63 ? (u8)INT64_MAX : d < -0x1p63 ? (u8)INT64_MIN : (u8)(int64_t)d;
    return d >= 0x1p31 ? INT32_MAX : d <= -0x1p31 - 1 ? (u4)INT32_MIN : (u4)(int32_t)d;
}

static void store_cell(State *s, const Case *c, MemKind k, u8 v) { memcpy(&s->cells[c->cell], &v, mem_size(k)); }
static u8 operand_value(const State *s, const Case *c) {
    switch (c->operand.kind) {
    case OPERAND_REG: return s->r[c->operand.reg];
    case OPERAND_IMM: return (u8)(int64_t)c->operand.imm;
    case OPERAND_MEM: return s->cells[c->cell];
    }
    return 0;
}
static u8 float_cell(u8 old, Width w, u8 v) { return w == W64 ? v : (old & ~(u8)0xffffffff) | (u4)v; }

/* What changes in s.  mask: registers of which the operation may leave anything. */
static void model(State *s, const Case *c, u4 *mask) {
    u8 x = s->r[c->x], y = s->r[c->y], v = operand_value(s, c), cell = s->cells[c->cell];
    MemKind wide = c->w == W64 ? MEM_64 : MEM_32;
    u4 bits = c->w == W64 ? 64 : 32;
    u8 fx = s->f[c->fx], fy = s->f[c->fy];
    switch (c->group) {
    case G_ALU: s->r[c->d] = narrow(c->w, model_alu((AluOp)(c->op % 6), x, v)); break;
    case G_ALU_MEM: store_cell(s, c, wide, model_alu((AluOp)(c->op % 5), cell, v)); break;
    case G_OVERFLOW: {
        static const AluOp ops[] = {ALU_ADD, ALU_SUB, ALU_MUL};
        s->r[c->d] = model_overflow(ops[c->op % 3], c->w, x, y);
        break;
    }
    case G_SHIFT: s->r[c->d] = model_shift((ShiftOp)(c->op % 4), c->w, x, v); break;
    case G_UNARY: s->r[c->d] = model_unary(unary_op(c), unary_width(c), x); break;
    case G_BITS: s->r[c->d] = (u8)__builtin_popcountll(narrow(c->w, x)); break;
    case G_DIV:
        *mask |= ASM_DIV_CLOBBERS & ~(1u << c->d);
        s->r[c->d] = model_div(c->w, c->flag, x, y);
        break;
    case G_MUL_HIGH:
        *mask |= ASM_DIV_CLOBBERS & ~(1u << c->d);
        s->r[c->d] = c->flag ? (u8)((__int128)(int64_t)x * (int64_t)y >> 64) : (u8)((unsigned __int128)x * y >> 64);
        break;
    case G_MOV: s->r[c->d] = narrow(c->w, x); break;
    case G_CONST: s->r[c->d] = (u8)c->constant; break;
    case G_LOAD: s->r[c->d] = model_load(c->kind, cell); break;
    case G_STORE: store_cell(s, c, c->kind, x); break;
    case G_STORE_CONST: store_cell(s, c, c->kind, (u8)(int64_t)(int32_t)c->constant); break;
    case G_ADDRESS:
        s->r[c->d] =
            s->r[c->mem.base] + (c->mem.index == NO_REG ? 0 : s->r[c->mem.index] << c->mem.shift) + (u8)(int64_t)c->mem.disp;
        break;
    case G_COMPARE: s->r[c->d] = model_cond(c->cond, bits, x, v); break;
    case G_COMPARE_MEM: s->r[c->d] = model_cond(c->cond, 8 * mem_size(c->kind), cell, v); break;
    case G_TEST: s->r[c->d] = model_cond(c->cond, bits, x & (c->operand.kind == OPERAND_IMM ? v : y), 0); break;
    case G_TEST_MEM: s->r[c->d] = model_cond(c->cond, 8 * mem_size(c->kind), cell & (u8)c->constant, 0); break;
    case G_SELECT: s->r[c->d] = narrow(c->w, model_cond(c->cond, 64, s->r[REG_1], s->r[REG_2]) ? x : y); break;
    case G_COMPARE3: {
        int64_t a = as_signed(c->w, x), b = as_signed(c->w, y);
        s->r[c->d] = (u4)(a < b ? -1 : a > b);
        break;
    }
    case G_CAS: {
        u8 old = model_load(c->kind, s->r[ASM_CAS_OLD]), found = model_load(c->kind, cell);
        if (old == found) store_cell(s, c, c->kind, x);
        s->r[ASM_CAS_OLD] = found;
        break;
    }
    case G_ATOMIC:
        store_cell(s, c, c->kind, c->flag ? cell + x : x);
        s->r[c->d] = model_load(c->kind, cell);
        break;
    case G_TABLE: s->r[c->x] = (x & 3) * 1000; break;
    case G_FMOV: s->f[c->fd] = fx; break;
    case G_FMEM:
        if (c->flag) s->f[c->fd] = model_load(wide, cell);
        else store_cell(s, c, wide, fx);
        break;
    case G_FOP: s->f[c->fd] = float_cell(fx, c->w, model_fop((FloatOp)(c->op % 4), c->w, fx, fy)); break;
    case G_FOP_MEM: s->f[c->fd] = float_cell(fx, c->w, model_fop((FloatOp)(c->op % 4), c->w, fx, cell)); break;
    case G_FSIGN: {
        u8 sign = c->w == W64 ? 1ull << 63 : 1ull << 31;
        s->f[c->fd] = narrow(c->w, c->flag ? fx ^ sign : fx & ~sign);
        break;
    }
    case G_FROUND: {
        double v = as_double(fx);
        s->f[c->fd] = of_double(c->op % 3 == ROUND_NEAREST ? nearbyint(v) : c->op % 3 == ROUND_DOWN ? floor(v) : ceil(v));
        break;
    }
    case G_FSQRT:
        s->f[c->fd] = c->w == W64 ? of_double(sqrt(as_double(fx))) : float_cell(s->f[c->fd], W32, of_float(sqrtf(as_float(fx))));
        break;
    case G_FMA: {
        u8 sum = s->f[c->fd];
        if (c->w == W64) s->f[c->fd] = of_double(fma(as_double(fx), as_double(fy), as_double(sum)));
        else s->f[c->fd] = float_cell(sum, W32, of_float(fmaf(as_float(fx), as_float(fy), as_float(sum))));
        break;
    }
    case G_FCONVERT:
        s->f[c->fd] = c->w == W64 ? of_double(as_float(fx)) : float_cell(s->f[c->fd], W32, of_float((float)as_double(fx)));
        break;
    case G_FROM_INT: {
        int64_t from = c->flag ? (int64_t)x : (int32_t)x;
        s->f[c->fd] = c->w == W64 ? of_double((double)from) : of_float((float)from);
        break;
    }
    case G_TO_INT: s->r[c->d] = model_to_int(c->w, c->flag, fx); break;
    case G_BITS_FLOAT:
        if (c->flag) s->f[c->fd] = narrow(c->w, x);
        else s->r[c->d] = narrow(c->w, fx);
        break;
    case G_FBRANCH: {
        bool wide_f = c->w == W64;
        s->r[c->d] = model_fcond(fcond(c), c->flag, wide_f ? as_double(fx) : as_float(fx), wide_f ? as_double(fy) : as_float(fy));
        break;
    }
    case G_FSELECT: {
        bool wide_f = c->w == W64;
        bool is = model_fcond(forder(c), c->flag, wide_f ? as_double(fx) : as_float(fx), wide_f ? as_double(fy) : as_float(fy));
        s->r[c->d] = is ? x : y;
        break;
    }
    case G_FCOMPARE3: {
        double a = c->w == W64 ? as_double(fx) : as_float(fx), b = c->w == W64 ? as_double(fy) : as_float(fy);
        s->r[c->d] = (u4)(a != a || b != b ? (c->flag ? 1 : -1) : a < b ? -1 : a > b);
        break;
    }
    case N_GROUPS: break;
    }
}

/* ---- comparing ---- */

static bool is_nan_bits(u8 v, Width w) { return w == W64 ? as_double(v) != as_double(v) : as_float(v) != as_float(v); }

/* NaN is NaN: which one an operation makes is not said.  The sign operations keep their bits. */
static bool same_float(const Case *c, FReg f, u8 got, u8 want) {
    if (got == want) return true;
    bool narrow_float = c->w == W32 && c->group >= G_FMOV;
    if (narrow_float && (u4)got == (u4)want && f == c->fd) return true;
    if (c->group == G_FROUND) return f == c->fd && is_nan_bits(got, W64) && is_nan_bits(want, W64);
    bool computed =
        c->group == G_FOP || c->group == G_FOP_MEM || c->group == G_FSQRT || c->group == G_FMA || c->group == G_FCONVERT;
    return computed && f == c->fd && is_nan_bits(got, c->w) && is_nan_bits(want, c->w);
}

static void report(const Case *c, const char *what, u4 i, u8 got, u8 want) {
    printf(
        "group %d op %u width %d d %d x %d y %d fd %d fx %d fy %d cond %d operand %d imm %d mem (%d %d %d %d) kind %d flag %d: %s %u is %#" PRIx64
        ", not %#" PRIx64 "\n",
        c->group, c->op, c->w, c->d, c->x, c->y, c->fd, c->fx, c->fy, c->cond, c->operand.kind, c->operand.imm, c->mem.base,
        c->mem.index, c->mem.shift, c->mem.disp, c->kind, c->flag, what, i, got, want);
}

static bool equal(const Case *c, const State *got, const State *want, u4 mask) {
    u8 whole = c->kind == MEM_64 ? ~0ull : (1ull << 8 * mem_size(c->kind)) - 1;
    for (Reg r = 0; r < N_REGS; r++) {
        u8 counts = c->group == G_CAS && r == ASM_CAS_OLD ? whole : ~0ull;
        if (general(r) && !(mask >> r & 1) && (got->r[r] ^ want->r[r]) & counts)
            return report(c, "register", r, got->r[r], want->r[r]), false;
    }
    for (FReg f = 0; f < N_FREGS; f++)
        if (f != ASM_FSCRATCH && !same_float(c, f, got->f[f], want->f[f]))
            return report(c, "float", f, got->f[f], want->f[f]), false;
    for (u4 i = 0; i < CELLS; i++)
        if (got->cells[i] != want->cells[i]) return report(c, "cell", i, got->cells[i], want->cells[i]), false;
    return true;
}

static void test_operations(u4 rounds) {
    for (Group g = 0; g < N_GROUPS; g++) {
        bool ok = true;
        if (g == G_BITS && !asm_counts_bits(&asm_features)) continue;
        if (g == G_FMA && !asm_fuses(&asm_features)) continue;
        if (g == G_FROUND && !asm_rounds(&asm_features)) continue;
        for (u4 i = 0; i < rounds && ok; i++) {
            State s = {0}, before;
            Case c = some_case(g, &s);
            u4 mask = 0;
            Asm a;
            asm_init(&a);
            enter(&a);
            emit(&a, &c);
            leave(&a);
            before = s;
            run(&a, &s);
            asm_free(&a);
            /* addresses of cells are those of s */
            State want = before;
            model(&want, &c, &mask);
            ok = equal(&c, &s, &want, mask);
        }
        CHECK(ok);
    }
}

/* ---- constants are noted ---- */

static bool is_noted(const Asm *a, int64_t v) {
    bool found = v > -ASM_NOTED && v < ASM_NOTED;
    for (u4 i = 0; i < a->n_constants && !found; i++)
        found = a->constants[i] == (u8)v || (v == (int32_t)v && (u4)a->constants[i] == (u4)v);
    return found;
}

static void test_constants(u4 rounds) {
    static const Group groups[] = {G_ALU,         G_ALU_MEM, G_CONST,   G_LOAD,        G_STORE,
                                   G_STORE_CONST, G_ADDRESS, G_COMPARE, G_COMPARE_MEM, G_FMEM};
    u4 far = 0;
    bool ok = true;
    for (u4 i = 0; i < rounds && ok; i++) {
        State s = {0};
        Case c = some_case(groups[i % (sizeof groups / sizeof *groups)], &s);
        bool in_memory = c.group == G_ALU_MEM || c.group == G_LOAD || c.group == G_STORE || c.group == G_STORE_CONST ||
                         c.group == G_ADDRESS || c.group == G_COMPARE_MEM || c.group == G_FMEM,
             narrow = c.group == G_COMPARE_MEM && c.kind <= MEM_U16;
        Asm a;
        asm_init(&a);
        emit(&a, &c);
        if (in_memory) ok = is_noted(&a, c.mem.disp);
        if (c.group == G_CONST) ok &= is_noted(&a, c.constant);
        if (c.group == G_STORE_CONST && c.kind > MEM_U16) ok &= is_noted(&a, (int32_t)c.constant);
        if ((c.group == G_ALU && c.op % 6 != ALU_MUL) || c.group == G_ALU_MEM || c.group == G_COMPARE ||
            (c.group == G_COMPARE_MEM && !narrow))
            ok &= c.operand.kind != OPERAND_IMM || is_noted(&a, c.operand.imm);
        far += a.n_constants > 0;
        asm_free(&a);
        if (!ok) printf("group %d, operation %u\n", (int)c.group, c.op);
    }
    CHECK(ok);
    CHECK(far > rounds / 8);
}

/* ---- labels, calls, limits ---- */

static int64_t called_with;
static int64_t callee(int64_t v) {
    called_with = v;
    return v + 1;
}

static void test_calls(bool far) {
    Asm a;
    State s = {0};
    Label sub = LABEL_INIT, over = LABEL_INIT;
    asm_init(&a);
    enter(&a);
    asm_const(&a, asm_c_arg[0], 41);
    if (ASM_PUSH_BYTES == 8) asm_push(&a, ASM_SCRATCH); /* 6 saved, the State and this: aligned to 16 with the return address */
    asm_call_c(&a, (const void *)(uintptr_t)callee, far);
    asm_call(&a, &sub);
    if (ASM_PUSH_BYTES == 8) asm_pop(&a, ASM_SCRATCH);
    leave(&a);
    asm_align(&a, 64);
    asm_bind(&a, &sub);
    asm_jump(&a, &over);
    for (int i = 0; i < 200; i++) asm_trap(&a);
    asm_bind(&a, &over);
    asm_alu(&a, ALU_ADD, W64, ASM_RESULT, ASM_RESULT, op_imm(1000));
    asm_return(&a);
    called_with = 0;
    run(&a, &s);
    CHECK(called_with == 41);
    CHECK(s.r[ASM_RESULT] == 1042);
    asm_free(&a);
}

static void test_loop(void) {
    Asm a;
    State s = {0};
    Label head = LABEL_INIT;
    asm_init(&a);
    enter(&a);
    asm_const(&a, REG_2, 1000);
    asm_const(&a, REG_3, 0);
    asm_bind(&a, &head);
    asm_alu(&a, ALU_ADD, W64, REG_3, REG_3, op_reg(REG_2));
    for (int i = 0; i < (below(2) ? 1 : 60); i++) asm_alu(&a, ALU_ADD, W64, REG_3, REG_3, op_imm(0)); /* near and far */
    asm_alu(&a, ALU_SUB, W64, REG_2, REG_2, op_imm(1));
    asm_cmp(&a, W64, REG_2, op_imm(0));
    asm_branch(&a, COND_NE, &head);
    leave(&a);
    run(&a, &s);
    CHECK(s.r[REG_3] == 500500);
    asm_free(&a);
}

/* Compilers name ASM_SCRATCH as an operand of the next operation: as address, as what is stored or compared. */
static bool compares(Cond cond, int64_t v) {
    return cond == COND_EQ   ? v == 0
           : cond == COND_NE ? v != 0
           : cond == COND_LT ? v < 0
           : cond == COND_GE ? v >= 0
           : cond == COND_GT ? v > 0
                             : v <= 0;
}

/* Where the assembler says that the flags are there, they are. */
static void test_flags(void) {
    static const u8 values[] = {0,           1,          2,     0x80000000u,           0x7fffffffu,
                                0xffffffffu, 1ull << 63, ~0ull, 0x7fffffffffffffffull, 0x100000000ull};
    static const AluOp ops[] = {ALU_ADD, ALU_SUB, ALU_AND, ALU_OR, ALU_XOR};
    for (u4 k = 0; k < 2000; k++) {
        Width w = k & 1 ? W64 : W32;
        Cond cond = (Cond)(COND_EQ + k / 2 % 6);
        State s = {.r[REG_1] = values[k / 12 % 10], .r[REG_2] = values[k * 7 / 12 % 10]};
        u4 op = k / 120 % 8;
        Asm a;
        asm_init(&a);
        enter(&a);
        if (op < 5) asm_alu(&a, ops[op], w, REG_1, REG_1, op_reg(REG_2));
        else asm_shift(&a, (ShiftOp)(op - 5), w, REG_1, REG_1, op_imm(3));
        bool told = asm_flags_tell(&a, w, REG_1, cond);
        CHECK(!asm_flags_tell(&a, w, REG_2, cond) && !asm_flags_tell(&a, w == W32 ? W64 : W32, REG_1, cond));
        if (!told) asm_cmp(&a, w, REG_1, op_imm(0));
        asm_set(&a, cond, REG_3);
        Label l = LABEL_INIT;
        asm_alu(&a, ALU_AND, W64, REG_3, REG_3, op_imm(1));
        asm_bind(&a, &l);
        CHECK(!asm_flags_tell(&a, W64, REG_3, COND_EQ)); /* others may come */
        leave(&a);
        run(&a, &s);
        asm_free(&a);
        CHECK(s.r[REG_3] == compares(cond, w == W64 ? (int64_t)s.r[REG_1] : (int32_t)s.r[REG_1]));
    }
}

static void test_scratch(void) {
    Asm a;
    State s = {.cells = {7, 8, 9}};
    asm_init(&a);
    enter(&a);
    asm_const(&a, ASM_SCRATCH, (int64_t)(uintptr_t)s.cells);
    asm_store_const(&a, MEM_64, mem_at(ASM_SCRATCH, 0), 0x12345678);
    asm_const(&a, ASM_SCRATCH, (int64_t)(uintptr_t)s.cells);
    asm_alu_mem(&a, ALU_SUB, W64, mem_at(ASM_SCRATCH, 8), op_imm(0x7654321));
    asm_const(&a, REG_1, (int64_t)(uintptr_t)s.cells - 1000000);
    asm_const(&a, ASM_SCRATCH, 0x123456789);
    asm_store(&a, MEM_64, mem_at(REG_1, 1000016), ASM_SCRATCH);
    asm_const(&a, ASM_SCRATCH, 0x123456789);
    asm_cmp_mem(&a, MEM_64, mem_at(REG_1, 1000016), op_reg(ASM_SCRATCH));
    asm_set(&a, COND_EQ, REG_2);
    leave(&a);
    run(&a, &s);
    CHECK(s.cells[0] == 0x12345678 && s.cells[1] == 8 - (u8)0x7654321 && s.cells[2] == 0x123456789 && s.r[REG_2] == 1);
    asm_free(&a);
}

/* Branches over more than a megabyte, several waiting for one label; the same backward; the address of a label as far away. */
static void test_far(u4 turns) {
    enum { STEPS = 400000 };
    Asm a;
    State s = {.r[REG_2] = turns};
    Label head = LABEL_INIT, end = LABEL_INIT;
    asm_init(&a);
    enter(&a);
    asm_const(&a, REG_3, 0);
    asm_label_address(&a, REG_1, &end);
    asm_bind(&a, &head);
    asm_cmp(&a, W64, REG_2, op_imm(0));
    for (int i = 0; i < 10; i++) asm_branch(&a, COND_EQ, &end);
    for (u4 i = 0; i < STEPS; i++) {
        asm_alu(&a, ALU_ADD, W64, REG_3, REG_3, op_imm(1));
        if (i % 100 == 0) asm_cmp(&a, W64, REG_2, op_imm(0)), asm_branch(&a, COND_EQ, &end);
    }
    asm_alu(&a, ALU_SUB, W64, REG_2, REG_2, op_imm(1));
    asm_cmp(&a, W64, REG_2, op_imm(0));
    asm_branch(&a, COND_NE, &head);
    asm_bind(&a, &end);
    asm_label_address(&a, REG_4, &head);
    leave(&a);
    run(&a, &s);
    CHECK(s.r[REG_3] == turns * STEPS);
    CHECK(s.r[REG_1] == (u8)(uintptr_t)page + (u4)end.at);
    CHECK(s.r[REG_4] == (u8)(uintptr_t)page + (u4)head.at);
    asm_free(&a);
}

/* The buffer has an end: nothing is written behind it, and the Asm says so. */
static void test_limit(void) {
    Asm a;
    asm_init(&a);
    static u1 block[1 << 20];
    for (int i = 0; i < 70; i++) asm_bytes(&a, block, sizeof block);
    CHECK(a.failed);
    asm_return(&a);
    CHECK(!asm_finish(&a));
    asm_free(&a);
}

/* ---- text ---- */

static int write_forms(const char *code, const char *text) {
    FILE *c = fopen(code, "wb"), *t = fopen(text, "w");
    if (!c || !t) return 1;
    asm_features = every_feature;
    Asm a;
    asm_init(&a);
#define FORM(spelled, emitted) fprintf(t, "%s\n", spelled), (emitted);
    FORMS(FORM)
#undef FORM
    bool ok = asm_finish(&a) && fwrite(a.code, 1, a.len, c) == a.len;
    asm_free(&a);
    return fclose(c) || fclose(t) || !ok;
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "forms")) return write_forms(argv[2], argv[3]);
    void *near = (void *)(((uintptr_t)test_limit & ~(uintptr_t)0xfffff) + (64u << 20)); /* a hint: calls of C functions reach */
    page = mmap(near, CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        printf("no executable memory\n");
        return 1;
    }
    asm_detect_features();
    AsmFeatures all = asm_features;
    u4 rounds = argc == 2 ? (u4)atoi(argv[1]) : 4000;
    test_operations(rounds);
    for (u4 i = 0; i < sizeof older / sizeof *older; i++) { /* as an older CPU would do it */
        asm_features = features_in_both(all, older[i]);
        test_operations(rounds / 4);
    }
    asm_features = all;
    test_constants(rounds);
    for (int i = 0; i < 20; i++) test_loop();
    test_calls(false);
    test_calls(true);
    test_scratch();
    test_flags();
    test_far(0);
    test_far(3);
    test_limit();
    return cf_test_end();
}
