/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64 under Linux.  See cpu.h. */
#ifndef GRAFT_CPU_A64_H
#define GRAFT_CPU_A64_H

#define CPU_LOADS_ACQUIRE 0
#define CPU_INT_ARGS 8
#define CPU_PUSHES_RETURN 0
#define CPU_NAME "aarch64"
#define CPU_LIBS "aarch64-linux-gnu"

#define CPU_TICKS_CLOCK "arch_sys_counter"
static inline unsigned long cpu_ticks(void) {
    unsigned long ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

static inline void cpu_pause(void) { __asm__ volatile("yield"); }

#endif
