/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C code has to know of the processor. All zero is right everywhere, if slower. Machine code proper is in
 * jit/asm and os/; assembly that C cannot replace: thread_to_native (thread/safepoint.c), interp_run (interp/interp.c).
 *
 *   CPU_LOADS_ACQUIRE  a plain load has acquire order, and stores become visible in their order
 *   CPU_INT_ARGS       integer registers for arguments of a C call, whose convention fills integer and floating-point
 *                      registers as two independent sequences (native/ffi_call.c); 0: another convention
 *   CPU_NAME           as the JDK spells it, in versions and reports
 *   CPU_LIBS           the folder under lib that Debian has for it
 */
#ifndef GRAFT_CORE_CPU_H
#define GRAFT_CORE_CPU_H

#if defined(__x86_64__)
#define CPU_LOADS_ACQUIRE 1
#define CPU_INT_ARGS 6
#define CPU_NAME "amd64"
#define CPU_LIBS "x86_64-linux-gnu"
#elif defined(__aarch64__) && defined(__linux__)
#define CPU_LOADS_ACQUIRE 0
#define CPU_INT_ARGS 8
#define CPU_NAME "aarch64"
#define CPU_LIBS "aarch64-linux-gnu"
#else
#define CPU_LOADS_ACQUIRE 0
#define CPU_INT_ARGS 0
#define CPU_NAME "unknown"
#define CPU_LIBS "."
#endif

#include <stdbool.h>

/* Instructions that C code uses by intrinsics of the compiler, found out once; each with SSSE3 and SSE4.1.  The assembler asks for itself
 * (jit/asm), since it writes for other processors, too. */
typedef struct CpuFeatures {
    bool ssse3, aes, clmul, clmul512, sha, crc32c; /* clmul512: four products at once, with AVX-512 */
} CpuFeatures;
const CpuFeatures *cpu_has(void);

#endif
