/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64.  See cpu.h. */
#ifndef GRAFT_CPU_X64_H
#define GRAFT_CPU_X64_H

#define CPU_LOADS_ACQUIRE 1
#define CPU_INT_ARGS 6
#define CPU_PUSHES_RETURN 1
#define CPU_NAME "amd64"
#define CPU_LIBS "x86_64-linux-gnu"

#define CPU_TICKS_CLOCK "tsc"
static inline unsigned long cpu_ticks(void) { return __builtin_ia32_rdtsc(); }

static inline void cpu_pause(void) { __builtin_ia32_pause(); }

/* ThreadSanitizer is told the edge that the store of the state makes. */
#ifdef GRAFT_TSAN
#define CPU_RELEASE_STATE "pushq %%rdi\n\tleaq %c2(%%rdi), %%rdi\n\tcall __tsan_release@PLT\n\tpopq %%rdi\n\t"
#else
#define CPU_RELEASE_STATE ""
#endif

/* Stores are ordered: the one of the state releases what is above. */
#define CPU_TO_NATIVE(sp, regs, state, native, poll, stop, slow) \
    __asm__ volatile(CPU_RELEASE_STATE "movq %%rsp, %c0(%%rdi)\n\t" \
                                       "movq %%rbx, %c1(%%rdi)\n\t" \
                                       "movq %%rbp, %c1+8(%%rdi)\n\t" \
                                       "movq %%r12, %c1+16(%%rdi)\n\t" \
                                       "movq %%r13, %c1+24(%%rdi)\n\t" \
                                       "movq %%r14, %c1+32(%%rdi)\n\t" \
                                       "movq %%r15, %c1+40(%%rdi)\n\t" \
                                       "movl %3, %c2(%%rdi)\n\t" \
                                       "testl %5, %c4(%%rdi)\n\t" \
                                       "jne " #slow "\n\t" \
                                       "ret" \
                     : \
                     : "i"(sp), "i"(regs), "i"(state), "i"(native), "i"(poll), "i"(stop))

#define CPU_KEPT 6
#define CPU_KEEP(regs) \
    __asm__ volatile("movq %%rbx, %0\n\tmovq %%rbp, %1\n\tmovq %%r12, %2\n\t" \
                     "movq %%r13, %3\n\tmovq %%r14, %4\n\tmovq %%r15, %5" \
                     : "=m"((regs)[0]), "=m"((regs)[1]), "=m"((regs)[2]), "=m"((regs)[3]), "=m"((regs)[4]), "=m"((regs)[5]))
#define CPU_STACK_POINTER(to) __asm__ volatile("movq %%rsp, %0" : "=r"(to))

#endif
