/* SPDX-License-Identifier: Apache-2.0 */
/* What x86-64 has beyond what every one of its kind has, and its registers in signals. */
#include "cpu/cpu.h"
#if defined(__x86_64__)
#include <cpuid.h>
#include <pthread.h>
#include <ucontext.h>

static CpuFeatures features;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void detect(void) {
    unsigned a, b, c, d, b7 = 0, x;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return;
    if (__get_cpuid_count(7, 0, &a, &b7, &x, &d) == 0) b7 = 0;
    if (!(c & bit_SSSE3) || !(c & bit_SSE4_1)) return;
    __builtin_cpu_init(); /* asks what the system saves of registers, too */
    features =
        (CpuFeatures){.ssse3 = true, .aes = c & bit_AES, .clmul = c & bit_PCLMUL, .sha = b7 & bit_SHA, .crc32c = c & bit_SSE4_2};
    features.clmul512 = features.clmul && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
}

const CpuFeatures *cpu_has(void) {
    pthread_once(&once, detect);
    return &features;
}

bool cpu_ticks_are_even(void) {
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && d & 1u << 8; /* Invariant TSC */
}

static uintptr_t *reg(const void *context, int r) { return (uintptr_t *)&((ucontext_t *)context)->uc_mcontext.gregs[r]; }

uintptr_t *cpu_context_pc(const void *context) { return reg(context, REG_RIP); }
uintptr_t *cpu_context_sp(const void *context) { return reg(context, REG_RSP); }
uintptr_t *cpu_context_fp(const void *context) { return reg(context, REG_RBP); }

static const struct {
    const char *name;
    int reg;
} general[] = {{"RAX", REG_RAX}, {"RBX", REG_RBX}, {"RCX", REG_RCX}, {"RDX", REG_RDX}, {"RSP", REG_RSP}, {"RBP", REG_RBP},
               {"RSI", REG_RSI}, {"RDI", REG_RDI}, {"R8 ", REG_R8},  {"R9 ", REG_R9},  {"R10", REG_R10}, {"R11", REG_R11},
               {"R12", REG_R12}, {"R13", REG_R13}, {"R14", REG_R14}, {"R15", REG_R15}};

int cpu_registers(const void *context, CpuRegister out[CPU_MOST_REGISTERS]) {
    int n = 0;
    for (; n < (int)(sizeof general / sizeof *general); n++)
        out[n] = (CpuRegister){general[n].name, *reg(context, general[n].reg)};
    return n;
}

void cpu_print_state(const void *context, void (*print)(const char *, ...)) {
    print("RIP=0x%016lx, EFLAGS=0x%016lx, CSGSFS=0x%016lx, ERR=0x%016lx\n  TRAPNO=0x%016lx\n\n", *reg(context, REG_RIP),
          *reg(context, REG_EFL), *reg(context, REG_CSGSFS), *reg(context, REG_ERR), *reg(context, REG_TRAPNO));
    const struct _libc_fpstate *f = ((ucontext_t *)context)->uc_mcontext.fpregs;
    for (int i = 0; f && i < 16; i++) {
        const __uint32_t *x = f->_xmm[i].element;
        print("XMM[%d]=0x%08x%08x 0x%08x%08x\n", i, x[1], x[0], x[3], x[2]);
    }
    if (f) print("  MXCSR=0x%08x\n\n", f->mxcsr);
}
#endif
