/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the VM has to know of the processor, outside its compilers.  Each CPU has a header and a .c file; cpu_other.* are right everywhere, if
 * slower.
 *
 *   CPU_LOADS_ACQUIRE  a plain load has acquire order, and stores become visible in their order
 *   CPU_INT_ARGS       integer registers for arguments of a C call, whose convention fills integer and floating-point
 *                      registers as two independent sequences (native/ffi_call.c); 0: another convention
 *   CPU_PUSHES_RETURN  a call pushes its return address
 *   CPU_NAME           as the JDK spells it, in versions and reports
 *   CPU_LIBS           the folder under lib that Debian has for it
 *
 *   CPU_TICKS_CLOCK    the kernel's name for the clock that is read by cpu_ticks(), a counter of the processor; not defined: there is none
 *
 * Assembly where C is slower; a CPU without it leaves these out:
 *
 *   CPU_TO_NATIVE(sp, regs, state, native, poll, stop, slow)  the body of a naked function of the Thread: stores the stack pointer at
 *                      offset sp, what a C function keeps at regs, with release order `native` at state; goes on at slow if poll has a bit of stop
 *   CPU_KEPT           how many registers a C function keeps; CPU_KEEP(regs) stores them, CPU_STACK_POINTER(to) reads the stack pointer
 */
#ifndef GRAFT_CPU_H
#define GRAFT_CPU_H

#if defined(__x86_64__)
#include "cpu/cpu_x64.h"
#elif defined(__aarch64__) && defined(__linux__)
#include "cpu/cpu_a64.h"
#else
#include "cpu/cpu_other.h"
#endif

#include <stdbool.h>
#include <stdint.h>

/* Instructions that C code uses by intrinsics of the compiler, found out once; each with SSSE3 and SSE4.1.  The assembler asks for itself
 * (jit/asm), since it writes for other processors, too. */
typedef struct CpuFeatures {
    bool ssse3, aes, clmul, clmul512, sha, crc32c; /* clmul512: four products at once, with AVX-512 */
} CpuFeatures;
const CpuFeatures *cpu_has(void);

bool cpu_ticks_are_even(void); /* cpu_ticks() counts at one speed, also while the processor sleeps */

/* Places in what the kernel saved for a signal (ucontext_t).  NULL: not known, or no such register.  Signal-safe, like the rest. */
uintptr_t *cpu_context_pc(const void *context);
uintptr_t *cpu_context_sp(const void *context);
uintptr_t *cpu_context_fp(const void *context); /* of C code with frame pointers; of compiled code the youngest frame */

/* For reports. */
typedef struct CpuRegister {
    const char *name;
    uintptr_t value;
} CpuRegister;
enum { CPU_MOST_REGISTERS = 32 };
int cpu_registers(const void *context, CpuRegister out[CPU_MOST_REGISTERS]);     /* the general ones; how many */
void cpu_print_state(const void *context, void (*print)(const char *form, ...)); /* the others, by lines */

#endif
