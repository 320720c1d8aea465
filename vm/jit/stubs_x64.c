/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between C and compiled code (x86-64).  Compiled code has 16 bytes of C stack per activation: the return address and
 * a word that aligns it, written so that no old reference lies there.  So inside a method rsp is a multiple of 16, at its entry it is 8 more, and every stub knows
 * how to drop the activation that jumped to it.
 */
#include "jit/jit_int.h"

#if defined(__x86_64__)
#define OFFSETS : : "i"(offsetof(Thread, frame)), "i"(offsetof(Frame, locals))
#define T_FRAME "%c0(%%rbx)"
#define F_LOCALS "%c1(%%rbp)"
/* What is in memory: C functions would save the registers, and collections take what they find on the stacks of others for references. */
#define CLEAR_PINS "xorl %%r12d, %%r12d\n\txorl %%r13d, %%r13d\n\txorl %%r14d, %%r14d\n\txorl %%r15d, %%r15d\n\t"

__attribute__((naked)) u8 jit_enter(Thread *t, Method *m, Slot *args, const void *code, Frame *frame) {
    __asm__ volatile(
        "pushq %rbp\n\t"
        "pushq %rbx\n\t"
        "pushq %r12\n\t"
        "pushq %r13\n\t"
        "pushq %r14\n\t"
        "pushq %r15\n\t"
        "pushq %r8\n\t"
        "movq %rdi, %rbx\n\t"
        "movq %rsi, %rdi\n\t"
        "movq %rdx, %rsi\n\t"
        "movq %r8, %rbp\n\t"
        "call *%rcx\n\t"
        "addq $8, %rsp\n\t"
        "popq %r15\n\t"
        "popq %r14\n\t"
        "popq %r13\n\t"
        "popq %r12\n\t"
        "popq %rbx\n\t"
        "popq %rbp\n\t"
        "ret");
}

/* go: the bytecode frame that the interpreter ran, t->frame, goes on in compiled code.  Natives that need no frame are called from here.
 * Their C code neither waits nor stops, so it may save registers. */
__attribute__((naked)) void jit_bridge(void) {
    __asm__ volatile(
        "movq %%rbp, " T_FRAME "\n\t"
        "cmpb %[native], %c[kind](%%rdi)\n\t"
        "jne 2f\n\t"
        "testl %[leaf], %c[flags](%%rdi)\n\t"
        "je 2f\n\t"
        "pushq %%rsi\n\t"
        "movq %c[fn](%%rdi), %%rax\n\t"
        "movq %%rbx, %%rdi\n\t"
        "leaq %c[result](%%rbx), %%rdx\n\t"
        "movq $0, (%%rdx)\n\t"
        "call *%%rax\n\t"
        "cmpq $0, %c[exception](%%rbx)\n\t"
        "movq %c[result](%%rbx), %%rax\n\t"
        "popq %%rbp\n\t"
        "jne 3f\n\t"
        "ret\n"
        "3:\tmovq " T_FRAME ", %%rdi\n\t"
        "jmp jit_leaf_threw\n"
        "2:\t"
        "movq %%rsi, %%rdx\n\t"
        "movq %%rdi, %%rsi\n\t"
        "movq %%rbx, %%rdi\n\t"
        "pushq %%rdx\n\t"
        CLEAR_PINS
        "call jit_bridge_c\n\t"
        "popq %%rbp\n\t"
        "testq %%rdx, %%rdx\n\t"
        "jne 1f\n\t"
        "ret\n"
        "1:\tmovq " T_FRAME ", %%rbp\n\t"
        "jmp *%%rdx"
        OFFSETS, [native] "i"(MK_VM_NATIVE), [leaf] "i"(MF_LEAF), [kind] "i"(offsetof(Method, kind)), [flags] "i"(offsetof(Method, flags)),
        [fn] "i"(offsetof(Method, vm_native)), [result] "i"(offsetof(Thread, leaf_result)), [exception] "i"(offsetof(Thread, exception)));
}

__attribute__((naked)) void jit_entry_slow_stub(void) {
    __asm__ volatile(
        "movq %%rbp, " T_FRAME "\n\t"
        "pushq %%rdi\n\t"
        "pushq %%rsi\n\t"
        "pushq %%rsi\n\t"
        "movq %%rsi, %%rdx\n\t"
        "movq %%rdi, %%rsi\n\t"
        "movq %%rbx, %%rdi\n\t"
        CLEAR_PINS
        "call jit_entry_slow_c\n\t"
        "addq $8, %%rsp\n\t"
        "popq %%rsi\n\t"
        "popq %%rdi\n\t"
        "testq %%rax, %%rax\n\t"
        "jne 1f\n\t"
        "movq %%rsi, %%rbp\n\t"
        "ret\n"
        "1:\tjmp *%%rax"
        OFFSETS);
}

/* The frame's header may be gone when the interpreter is done: a result may lie over it. */
#define EXIT \
    "movq %%rdx, %%rcx\n\t" \
    "movl %%esi, %%edx\n\t" \
    "movq " T_FRAME ", %%rsi\n\t" \
    "movq %%rbx, %%rdi\n\t" \
    "movq " F_LOCALS ", %%rbp\n\t" \
    CLEAR_PINS \
    "call jit_exit_c\n\t" \
    "addq $8, %%rsp\n\t" \
    "testq %%rdx, %%rdx\n\t" \
    "jne 1f\n\t" \
    "ret\n" \
    "1:\tmovq " T_FRAME ", %%rbp\n\t" \
    "jmp *%%rdx"

__attribute__((naked)) void jit_exit_stub(void) {
    __asm__ volatile("movq %%rbp, " T_FRAME "\n\t" EXIT OFFSETS);
}
__attribute__((naked)) void jit_exit_inlined_stub(void) {
    __asm__ volatile(EXIT OFFSETS);
}
#endif
