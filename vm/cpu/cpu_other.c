/* SPDX-License-Identifier: Apache-2.0 */
/* Of a CPU that nobody has described yet signals tell nothing. */
#include "cpu/cpu.h"
#ifdef GRAFT_CPU_OTHER_H
#include <stddef.h>

const CpuFeatures *cpu_has(void) {
    static const CpuFeatures none;
    return &none;
}

bool cpu_ticks_are_even(void) { return false; }
uintptr_t *cpu_context_pc(const void *context) { return NULL; }
uintptr_t *cpu_context_sp(const void *context) { return NULL; }
uintptr_t *cpu_context_fp(const void *context) { return NULL; }
int cpu_registers(const void *context, CpuRegister out[CPU_MOST_REGISTERS]) { return 0; }
void cpu_print_state(const void *context, void (*print)(const char *, ...)) {}
#endif
