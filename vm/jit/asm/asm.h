/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembler as the compilers see it: one interface for every CPU, one .c file and one register file per CPU
 * (asm_x64.c and regs_x64.h; asm_a64.c and regs_a64.h).
 *
 * Shape   Instructions have three operands, as on a load-store machine: destination, left, right.  A CPU with two inserts a
 *         move where destination and left differ; write d == x where it costs nothing.  The right operand may be a
 *         register, a constant of 32 bits, or a cell in memory; a CPU that cannot take one loads it into its scratch register.
 * Widths  W32 works on the low half and clears the upper one of the destination; W64 on the whole.
 * Scratch ASM_OWN, among them ASM_SCRATCH, and ASM_FSCRATCH belong to the assembler: it may destroy them in any operation.
 *         Moves, loads, stores, asm_alu_mem and asm_cmp_mem leave ASM_SCRATCH alone and take it as an operand; others name it
 *         for that only.  An operation that destroys more says so (asm_div: ASM_DIV_CLOBBERS).
 * Flags   asm_cmp, asm_test, asm_alu_overflow and asm_cas leave a result that the next asm_branch, asm_set or asm_select reads.
 *         Only moves, asm_const, loads, stores and further readers may stand between.
 * Labels  asm_bind says where one is, before or after its uses.  All are resolved by asm_finish.
 * Code    is written to a buffer on the heap.  It is position independent but for calls of C functions:
 *         asm_copy writes it to its place, of which the address where it will run may differ (dual mapping).
 * Errors  Want of memory or a displacement that does not fit sets `failed`; everything after that is ignored, and
 *         asm_finish returns false.  Nothing else can fail: wrong operands are errors of the caller (ASSERT).
 *
 * An Asm belongs to one thread.  Tests: unit/test_jit_asm runs every operation, jit/asm_forms compares forms with the system's disassembler;
 * jit/asm_a64 does both for AArch64 on other machines.
 */
#ifndef GRAFT_JIT_ASM_H
#define GRAFT_JIT_ASM_H

#include "core/types.h"

typedef u1 Reg;  /* general register; names in regs_CPU.h */
typedef u1 FReg; /* floating-point register */
enum { NO_REG = 0xff };

/* The CPU that code is made for: the one that runs this, unless a test says otherwise. */
#if defined(ASM_TARGET_A64) || (defined(__aarch64__) && !defined(ASM_TARGET_X64))
#define ASM_FOR_A64 1
#include "jit/asm/regs_a64.h"
#else
#include "jit/asm/regs_x64.h"
#endif

typedef enum Width { W32, W64 } Width;

typedef enum MemKind { /* what a load or store moves; loads of narrow ones widen to 32 bits, the upper half is cleared */
                       MEM_S8,
                       MEM_U8,
                       MEM_S16,
                       MEM_U16,
                       MEM_32,
                       MEM_64,
                       MEM_S32 /* load only: widens to 64 bits */
} MemKind;

/* base + (index << shift) + disp.  NO_REG: absent; without a base, disp is an absolute address below 2 GiB. */
typedef struct Mem {
    Reg base, index;
    u1 shift; /* 0..3 */
    int32_t disp;
} Mem;

typedef struct Operand {
    enum { OPERAND_REG, OPERAND_IMM, OPERAND_MEM } kind;
    Reg reg;
    int32_t imm;
    Mem mem;
} Operand;
static inline Operand op_reg(Reg r) { return (Operand){.kind = OPERAND_REG, .reg = r}; }
static inline Operand op_imm(int32_t v) { return (Operand){.kind = OPERAND_IMM, .imm = v}; }
static inline Operand op_mem(Mem m) { return (Operand){.kind = OPERAND_MEM, .mem = m}; }
static inline Mem mem_at(Reg base, int32_t disp) { return (Mem){base, NO_REG, 0, disp}; }
static inline Mem mem_index(Reg base, Reg index, u1 shift, int32_t disp) { return (Mem){base, index, shift, disp}; }

typedef enum Cond { /* signed unless said otherwise; c ^ 1 is the opposite */
                    COND_EQ,
                    COND_NE,
                    COND_LT,
                    COND_GE,
                    COND_GT,
                    COND_LE,
                    COND_BELOW,
                    COND_ABOVE_EQ,
                    COND_ABOVE,
                    COND_BELOW_EQ, /* unsigned */
                    COND_OVERFLOW,
                    COND_NO_OVERFLOW
} Cond;
static inline Cond cond_opposite(Cond c) { return (Cond)(c ^ 1); }

typedef enum AluOp { ALU_ADD, ALU_SUB, ALU_AND, ALU_OR, ALU_XOR, ALU_MUL } AluOp;
typedef enum ShiftOp { SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_UNSIGNED, SHIFT_ROTATE_RIGHT } ShiftOp;
typedef enum UnaryOp {
    UNARY_NEG,
    UNARY_NOT,
    UNARY_SIGN8,
    UNARY_SIGN16,
    UNARY_ZERO8,
    UNARY_ZERO16,
    UNARY_SIGN32, /* W64 only */
    UNARY_SWAP,   /* bytes */
    UNARY_LEADING_ZEROS,
    UNARY_TRAILING_ZEROS /* of 0: the width */
} UnaryOp;
typedef enum FloatOp { FLOAT_ADD, FLOAT_SUB, FLOAT_MUL, FLOAT_DIV } FloatOp;
typedef enum AtomicOp { ATOMIC_SWAP, ATOMIC_ADD } AtomicOp;

typedef struct Label {
    int32_t at; /* offset in the code, -1: not bound yet */
} Label;
#define LABEL_INIT ((Label){-1})

enum { ASM_NOTED = 1 << 16 }; /* no address of an object is smaller, nor its compressed form */
typedef struct AsmFixup AsmFixup;
typedef struct Asm {
    u1 *code;
    u4 len, cap;
    AsmFixup *fixups;
    u4 n_fixups, cap_fixups;
    u8 *constants; /* and displacements of ASM_NOTED or more, or of -ASM_NOTED or less, in the order of the code */
    u4 n_constants, cap_constants;
    /* The instruction that ends at flags_end, if nothing leads there, left the flags of a comparison of flags_reg with 0: asm_flags_tell. */
    u4 flags_end;
    Reg flags_reg;
    Width flags_width;
    bool flags_order; /* also for less and greater */
    u4 reach;         /* of the CPU: offset up to which branches to labels not bound yet reach; 0: there are none, or all reach */
    bool failed;
} Asm;

/* --- life --- */
void asm_init(Asm *a);
void asm_free(Asm *a);
static inline u4 asm_here(const Asm *a) { return a->len; }
/* Resolves labels.  False: out of memory or code too large; the Asm can only be freed. */
bool asm_finish(Asm *a);
/* Resolves the uses since n_fixups was `first` of labels that are bound: before a label goes out of scope. */
void asm_settle(Asm *a, u4 first);
/* Writes the finished code to `to`, for execution at `run`.  False: a C function is out of reach, which asm_call_c
 * with `far` avoids. */
bool asm_copy(const Asm *a, u1 *to, const u1 *run);
void asm_align(Asm *a, u4 bytes);               /* a power of two up to 64, from the start of the code; filled with no-ops */
void asm_bytes(Asm *a, const void *data, u4 n); /* constants among the code */
/* What the CPU it runs on has beyond its base (struct in regs_CPU.h); found out once, tests may clear some. */
extern AsmFeatures asm_features;
void asm_detect_features(void);

/* --- moves --- */
void asm_mov(Asm *a, Width w, Reg d, Reg x); /* W32 clears the upper half even if d == x */
void asm_const(Asm *a, Reg d, int64_t v);    /* shortest form; leaves the flags of asm_cmp alone */
void asm_load(Asm *a, MemKind k, Reg d, Mem m);
void asm_store(Asm *a, MemKind k, Mem m, Reg x);
void asm_store_const(Asm *a, MemKind k, Mem m, int32_t v); /* MEM_64: sign-extended */
void asm_address(Asm *a, Reg d, Mem m);                    /* d = address of m, 64 bits */
void asm_label_address(Asm *a, Reg d, Label *l);           /* address at which the code behind l runs */

/* --- integers --- */
void asm_alu(Asm *a, AluOp op, Width w, Reg d, Reg x, Operand y);
/* ALU_ADD, SUB, MUL; leaves COND_OVERFLOW and its opposite, nothing else. */
void asm_alu_overflow(Asm *a, AluOp op, Width w, Reg d, Reg x, Reg y);
/* mem op= register or constant; not ALU_MUL. */
void asm_alu_mem(Asm *a, AluOp op, Width w, Mem m, Operand y);
/* Count modulo width; a register or a constant. */
void asm_shift(Asm *a, ShiftOp op, Width w, Reg d, Reg x, Operand count);
void asm_unary(Asm *a, UnaryOp op, Width w, Reg d, Reg x);
void asm_bit_count(Asm *a, Width w, Reg d, Reg x); /* needs asm_counts_bits */
/* Signed quotient or remainder as in JVMS 6.5.idiv: the smallest number by -1 is itself, remainder 0.  y must not be
 * 0.  Destroys ASM_DIV_CLOBBERS besides d; x and y may be in them. */
void asm_div(Asm *a, Width w, bool remainder, Reg d, Reg x, Reg y);
/* Upper half of the product of 64 bits.  Destroys ASM_DIV_CLOBBERS besides d. */
void asm_mul_high(Asm *a, bool is_signed, Reg d, Reg x, Reg y);
/* The counter that cpu_ticks reads (cpu/cpu.h).  Destroys ASM_DIV_CLOBBERS besides d. */
void asm_ticks(Asm *a, Reg d);

/* --- comparing --- */
void asm_cmp(Asm *a, Width w, Reg x, Operand y);
/* MEM_U8, MEM_U16 (COND_EQ, NE and the unsigned ones), MEM_32 or MEM_64; register or constant. */
void asm_cmp_mem(Asm *a, MemKind k, Mem m, Operand y);
/* What was written last has left the flags that asm_cmp of x with 0 would leave, as far as cond asks. */
bool asm_flags_tell(const Asm *a, Width w, Reg x, Cond cond);
void asm_test(Asm *a, Width w, Reg x, Operand y);              /* x & y against 0: COND_EQ, NE, LT, GE; register or constant */
void asm_test_mem(Asm *a, MemKind k, Mem m, int32_t bits);     /* MEM_U8 or MEM_32; the same conditions */
void asm_set(Asm *a, Cond c, Reg d);                           /* d = c ? 1 : 0, 64 bits */
void asm_select(Asm *a, Cond c, Width w, Reg d, Reg x, Reg y); /* d = c ? x : y */
/* d = x < y ? -1 : x > y (JVMS lcmp) */
void asm_compare3(Asm *a, Width w, Reg d, Reg x, Reg y);

/* --- control --- */
void asm_bind(Asm *a, Label *l);
void asm_jump(Asm *a, Label *l);
void asm_take_back(Asm *a, u4 from); /* the jump written last, at `from`, to a label not bound; no label is bound behind it */
void asm_branch(Asm *a, Cond c, Label *l);
void asm_jump_reg(Asm *a, Reg r);
void asm_jump_mem(Asm *a, Mem m);
/* Jump to targets[index], index being below n; a table among the code.  Destroys `index`. */
void asm_jump_table(Asm *a, Reg index, Label *const *targets, u4 n);
void asm_call(Asm *a, Label *l);
void asm_call_reg(Asm *a, Reg r);
void asm_call_mem(Asm *a, Mem m);
/* Call of a function at a fixed address; `far`: may be out of a plain call's reach (x86-64: 2 GiB, AArch64: 128 MiB). */
void asm_call_c(Asm *a, const void *fn, bool far);
void asm_jump_c(Asm *a, const void *fn, bool far);
void asm_return(Asm *a);
void asm_push(Asm *a, Reg r);
void asm_pop(Asm *a, Reg r);
void asm_trap(Asm *a); /* never reached; SIGILL */

/* --- floating point; W32: float, W64: double --- */
void asm_fmov(Asm *a, Width w, FReg d, FReg x);
void asm_fzero(Asm *a, Width w, FReg d);
void asm_fload(Asm *a, Width w, FReg d, Mem m);
void asm_fstore(Asm *a, Width w, Mem m, FReg x);
void asm_fop(Asm *a, FloatOp op, Width w, FReg d, FReg x, FReg y);
void asm_fop_mem(Asm *a, FloatOp op, Width w, FReg d, FReg x, Mem m);
void asm_fneg(Asm *a, Width w, FReg d, FReg x); /* turns the sign, of NaN too */
void asm_fabs(Asm *a, Width w, FReg d, FReg x);
void asm_fsqrt(Asm *a, Width w, FReg d, FReg x);
typedef enum RoundTo { ROUND_NEAREST, ROUND_DOWN, ROUND_UP } RoundTo; /* to a whole number; nearest: of two the even one */
void asm_fround(Asm *a, RoundTo to, FReg d, FReg x);                  /* of 64 bits; needs asm_rounds */
void asm_fma(Asm *a, Width w, FReg d, FReg x, FReg y);                /* d += x * y, rounded once; needs asm_fuses */
void asm_fconvert(Asm *a, Width to, FReg d, FReg x);                  /* from the other width */
void asm_int_to_float(Asm *a, Width from, Width to, FReg d, Reg x);
/* JVMS f2i, d2l ...: toward zero, NaN is 0, saturating. */
void asm_float_to_int(Asm *a, Width from, Width to, Reg d, FReg x);
void asm_bits_to_float(Asm *a, Width w, FReg d, Reg x);
void asm_float_to_bits(Asm *a, Width w, Reg d, FReg x);
/* Branch on x c y, c one of the signed ones; `unordered`: also if one is NaN. */
void asm_fbranch(Asm *a, Cond c, Width w, FReg x, FReg y, bool unordered, Label *l);
/* d = c of fx and fy (LT, GE, GT or LE; if one is NaN: unordered) ? x : y; w: of d. */
void asm_fselect(Asm *a, Cond c, Width fw, FReg fx, FReg fy, bool unordered, Width w, Reg d, Reg x, Reg y);
/* d = -1, 0, 1; `nan` if one is NaN (JVMS fcmpl: -1, fcmpg: 1) */
void asm_fcompare3(Asm *a, Width w, Reg d, FReg x, FReg y, int nan);

/* --- shared memory --- */
/* --- vectors: 16 bytes in a float register, or 32 (asm_has_wide_vectors; a move of the register keeps 16), of elements of one kind --- */
typedef enum VectorOf { OF_INTS, OF_LONGS, OF_FLOATS, OF_DOUBLES, OF_SHORTS, OF_BYTES } VectorOf;
typedef enum VectorOp {
    VECTOR_ADD,
    VECTOR_SUB,
    VECTOR_MUL,
    VECTOR_DIV,
    VECTOR_AND,
    VECTOR_OR,
    VECTOR_XOR,
    VECTOR_MIN,
    VECTOR_MAX,
    VECTOR_ROOT, /* of y alone */
    VECTOR_EQ,   /* all bits of an element, or none */
    VECTOR_GT,
    VECTOR_NOT_AND, /* ~x & y */
    VECTOR_SHL,
    VECTOR_SHR,
    VECTOR_USHR
} VectorOp;
typedef struct Vector {
    VectorOf of;
    bool wide;
} Vector;
bool asm_has_vector(VectorOp op, VectorOf of);          /* as the scalar operation, element by element */
void asm_vector_load(Asm *a, bool wide, FReg d, Mem m); /* of any alignment */
void asm_vector_store(Asm *a, bool wide, Mem m, FReg x);
void asm_vector_op(Asm *a, VectorOp op, Vector v, FReg d, FReg x, FReg y);
void asm_vector_shift(Asm *a, VectorOp op, Vector v, FReg d, FReg x, u1 count); /* less than the bits of an element */
void asm_vector_of_reg(Asm *a, Vector v, FReg d, Reg x);                        /* all elements are x: INTS, LONGS */
void asm_vector_of_freg(Asm *a, Vector v, FReg d, FReg x);
void asm_vector_reduce(Asm *a, VectorOp op, Vector v, FReg d, FReg x); /* INTS, LONGS: d's first element is all of x */
void asm_vector_widen(Asm *a, bool wide, FReg d, FReg x); /* LONGS, each of which is the sum of two of x's INTS; asm_widens */
void asm_vector_count(
    Asm *a, Vector v, FReg d,
    FReg x); /* SHORTS, BYTES: d's first 8 bytes are how often an element of x has been lessened from 0, together */
void asm_end_wide_vectors(Asm *a); /* before code without any: some processors are slow else */

void asm_fence(Asm *a); /* store before load: what a volatile store needs behind it */
/* Full order if it stores, else acquire order.  Expected in ASM_CAS_OLD, which receives what was found, and anything in its bits
 * above the width; then COND_EQ: it was stored.  Neither `desired` nor the address is in ASM_CAS_OLD. */
void asm_cas(Asm *a, MemKind k, Mem m, Reg desired);
/* d = old value, m = x or m + x; full order; MEM_32 or MEM_64. */
void asm_atomic(Asm *a, AtomicOp op, MemKind k, Reg d, Mem m, Reg x);
void asm_prefetch(Asm *a, Mem m); /* for a store soon */

#endif
