/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of AArch64 (AAPCS64), and what jit/asm/asm.h leaves to the CPU. */
#ifndef GRAFT_JIT_REGS_A64_H
#define GRAFT_JIT_REGS_A64_H

enum {
    R_0,
    R_1,
    R_2,
    R_3,
    R_4,
    R_5,
    R_6,
    R_7,
    R_8,
    R_9,
    R_10,
    R_11,
    R_12,
    R_13,
    R_14,
    R_15,
    R_16,
    R_17,
    R_18,
    R_19,
    R_20,
    R_21,
    R_22,
    R_23,
    R_24,
    R_25,
    R_26,
    R_27,
    R_28,
    R_29,
    R_30,
    R_SP,
    N_REGS
};
enum {
    F_0,
    F_1,
    F_2,
    F_3,
    F_4,
    F_5,
    F_6,
    F_7,
    F_8,
    F_9,
    F_10,
    F_11,
    F_12,
    F_13,
    F_14,
    F_15,
    F_16,
    F_17,
    F_18,
    F_19,
    F_20,
    F_21,
    F_22,
    F_23,
    F_24,
    F_25,
    F_26,
    F_27,
    F_28,
    F_29,
    F_30,
    F_31,
    N_FREGS
};

enum {
    ASM_SCRATCH = R_16,
    ASM_FSCRATCH = F_31,
    ASM_OWN = 1 << R_14 | 1 << R_15 | 1 << R_16 | 1 << R_17, /* asm_a64.c says what for */
    ASM_RESULT = R_0,                                        /* of C functions; floating-point: F_0 */
    ASM_RESULT_2 = R_1,
    ASM_STACK = R_SP,
    ASM_PUSH_BYTES = 16, /* by which asm_push moves it: it must be aligned wherever it is used */
    ASM_LINK = R_30,     /* receives the return address of a call */
    ASM_CAS_OLD = R_0,
    ASM_DIV_CLOBBERS = 0,                    /* masks of registers */
    ASM_C_SAVED = 0x3ff << R_19 | 1 << R_29, /* C functions keep these */
    ASM_C_SAVED_F = 0xff << F_8,             /* their lower 64 bits */
    ASM_C_ARGS = 8
};
static const u1 asm_c_arg[ASM_C_ARGS] = {R_0, R_1, R_2, R_3, R_4, R_5, R_6, R_7};

typedef struct AsmFeatures {
    bool lse; /* Large System Extensions: cas, swp, ldadd as one instruction */
} AsmFeatures;
static inline bool asm_fuses(const AsmFeatures *f) { return true; }
static inline bool asm_counts_bits(const AsmFeatures *f) { return true; }
static inline bool asm_rounds(const AsmFeatures *f) { return true; }

#endif
