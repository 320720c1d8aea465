/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of x86-64 (System V ABI), and what jit/asm/asm.h leaves to the CPU. */
#ifndef GRAFT_JIT_REGS_X64_H
#define GRAFT_JIT_REGS_X64_H

enum { R_AX, R_CX, R_DX, R_BX, R_SP, R_BP, R_SI, R_DI, R_8, R_9, R_10, R_11, R_12, R_13, R_14, R_15, N_REGS };
enum { F_0, F_1, F_2, F_3, F_4, F_5, F_6, F_7, F_8, F_9, F_10, F_11, F_12, F_13, F_14, F_15, N_FREGS };

enum {
    ASM_SCRATCH = R_11,
    ASM_FSCRATCH = F_15,
    ASM_OWN = 1 << R_11,
    ASM_RESULT = R_AX, /* of C functions; floating-point: F_0 */
    ASM_RESULT_2 = R_DX,
    ASM_STACK = R_SP,
    ASM_PUSH_BYTES = 8, /* by which asm_push moves it */
    ASM_LINK = NO_REG,  /* a call pushes its return address */
    ASM_CAS_OLD = R_AX,
    ASM_DIV_CLOBBERS = 1 << R_AX | 1 << R_DX,                                            /* masks of registers */
    ASM_C_SAVED = 1 << R_BX | 1 << R_BP | 1 << R_12 | 1 << R_13 | 1 << R_14 | 1 << R_15, /* C functions keep these */
    ASM_C_SAVED_F = 0,
    ASM_C_ARGS = 6
};
static const u1 asm_c_arg[ASM_C_ARGS] = {R_DI, R_SI, R_DX, R_CX, R_8, R_9};

typedef struct AsmFeatures {
    bool bmi2, zero_counts, popcnt, fma, sse41, avx2;
} AsmFeatures;
static inline bool asm_fuses(const AsmFeatures *f) { return f->fma; }
static inline bool asm_counts_bits(const AsmFeatures *f) { return f->popcnt; }
static inline bool asm_rounds(const AsmFeatures *f) { return f->sse41; }
static inline bool asm_widens(const AsmFeatures *f) { return f->sse41; }
static inline bool asm_has_wide_vectors(const AsmFeatures *f) { return f->avx2; }

#endif
