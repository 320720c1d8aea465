/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64's registers in signals. */
#include "cpu/cpu.h"
#if defined(__aarch64__) && defined(__linux__)
#include <ucontext.h>

const CpuFeatures *cpu_has(void) {
    static const CpuFeatures none;
    return &none;
}

bool cpu_ticks_are_even(void) { return true; }

static mcontext_t *machine(const void *context) { return &((ucontext_t *)context)->uc_mcontext; }

uintptr_t *cpu_context_pc(const void *context) { return (uintptr_t *)&machine(context)->pc; }
uintptr_t *cpu_context_sp(const void *context) { return (uintptr_t *)&machine(context)->sp; }
uintptr_t *cpu_context_fp(const void *context) { return (uintptr_t *)&machine(context)->regs[29]; }

int cpu_registers(const void *context, CpuRegister out[CPU_MOST_REGISTERS]) {
    static const char *const names[31] = {"X0 ", "X1 ", "X2 ", "X3 ", "X4 ", "X5 ", "X6 ", "X7 ", "X8 ", "X9 ", "X10",
                                          "X11", "X12", "X13", "X14", "X15", "X16", "X17", "X18", "X19", "X20", "X21",
                                          "X22", "X23", "X24", "X25", "X26", "X27", "X28", "X29", "X30"};
    for (int i = 0; i < 31; i++) out[i] = (CpuRegister){names[i], machine(context)->regs[i]};
    return 31;
}

void cpu_print_state(const void *context, void (*print)(const char *, ...)) {
    print("SP=0x%016lx, PC=0x%016lx, PSTATE=0x%016lx\n\n", *cpu_context_sp(context), *cpu_context_pc(context),
          (unsigned long)machine(context)->pstate);
}
#endif
