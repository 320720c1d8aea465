/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between C and compiled code (x86-64).  Compiled code has 8 bytes of C stack per activation, the return address.  So inside a method rsp may
 * be any multiple of 8, every stub aligns it for C, and knows how to drop the activation that jumped to it.
 *
 * No word of the C stack is left as it was found: collections take what they find on the stacks of other threads for references.  Nor
 * is anything in the registers that C functions save: what was there is in memory.
 */
#include "interp/parts.h"
#include "jit/jit_int.h"

#if defined(__x86_64__)
#define OFFSETS \
    : \
    : "i"(offsetof(Thread, frame)), "i"(offsetof(Thread, code_limit)), "i"(offsetof(Thread, c_stack_limit)), \
      "i"(offsetof(Thread, java_stack_limit)), "i"(offsetof(Frame, method)), "i"(offsetof(Method, max_locals))
#define T_FRAME "%c0(%%rbx)"
#define T_CODE_LIMIT "%c1(%%rbx)"
#define T_C_STACK_LIMIT "%c2(%%rbx)"
#define T_JAVA_STACK_LIMIT "%c3(%%rbx)"
#define F_METHOD "%c4(%%rbp)"
#define M_MAX_LOCALS "%c5(%%rax)"
#define TO_C \
    "movq %%rsp, %%r12\n\t" \
    "pushq $0\n\t" \
    "andq $-16, %%rsp\n\t" \
    "movq $0, (%%rsp)\n\t" \
    "xorl %%r13d, %%r13d\n\t" \
    "xorl %%r14d, %%r14d\n\t" \
    "xorl %%r15d, %%r15d\n\t"
#define FROM_C "movq %%r12, %%rsp\n\t"

/* An activation takes at least sizeof(Frame) bytes of the Java stack and 8 of the C stack, which are compared here once: code that
 * keeps to code_limit overflows neither.  It counts from frame, which is not younger than the first one that runs code. */
_Static_assert(sizeof(Frame) >= 72, "the 9 below");
__attribute__((naked)) JitResult jit_enter(Thread *t, Method *m, Slot *args, const void *code, Frame *frame) {
    __asm__ volatile("pushq %%rbp\n\t"
                     "pushq %%rbx\n\t"
                     "pushq %%r12\n\t"
                     "pushq %%r13\n\t"
                     "pushq %%r14\n\t"
                     "pushq %%r15\n\t"
                     "movq %%rdi, %%rbx\n\t"
                     "pushq " T_CODE_LIMIT "\n\t"
                     "movq %%rsp, %%rax\n\t"
                     "subq " T_C_STACK_LIMIT ", %%rax\n\t"
                     "jae 1f\n\t"
                     "xorl %%eax, %%eax\n"
                     "1:\t"
                     "leaq (%%rax,%%rax,8), %%rax\n\t"
                     "addq %%r8, %%rax\n\t"
                     "cmpq " T_JAVA_STACK_LIMIT ", %%rax\n\t"
                     "cmovaq " T_JAVA_STACK_LIMIT ", %%rax\n\t"
                     "movq %%rax, " T_CODE_LIMIT "\n\t"
                     "movq %%rsi, %%rdi\n\t"
                     "movq %%rdx, %%rsi\n\t"
                     "movq %%r8, %%rbp\n\t"
                     "call *%%rcx\n\t"
                     "popq " T_CODE_LIMIT "\n\t"
                     "popq %%r15\n\t"
                     "popq %%r14\n\t"
                     "popq %%r13\n\t"
                     "popq %%r12\n\t"
                     "popq %%rbx\n\t"
                     "popq %%rbp\n\t"
                     "ret" OFFSETS);
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
        "cmpl $0, %c[events](%%rbx)\n\t"
        "jne 2f\n\t"
        "pushq %%rsi\n\t"
        "movq %%rsp, %%r12\n\t"
        "pushq $0\n\t"
        "andq $-16, %%rsp\n\t"
        "movq %c[fn](%%rdi), %%rax\n\t"
        "movq %%rbx, %%rdi\n\t"
        "leaq %c[result](%%rbx), %%rdx\n\t"
        "movq $0, (%%rdx)\n\t"
        "call *%%rax\n\t"
        "cmpq $0, %c[exception](%%rbx)\n\t"
        "je 3f\n\t"
        "movq " T_FRAME ", %%rdi\n\t"
        "call jit_leaf_threw\n"
        "3:\tmovq %%r12, %%rsp\n\t"
        "movq %c[result](%%rbx), %%rax\n\t"
        "movq %%rax, %%xmm0\n\t"
        "popq %%rbp\n\t"
        "ret\n"
        "2:\t"
        "movq %%rsi, %%rdx\n\t"
        "movq %%rdi, %%rsi\n\t"
        "movq %%rbx, %%rdi\n\t"
        "pushq %%rdx\n\t" TO_C "call jit_bridge_c\n\t" FROM_C "popq %%rbp\n\t"
        "testq %%rdx, %%rdx\n\t"
        "jne 1f\n\t"
        "movq %%rax, %%xmm0\n\t"
        "ret\n"
        "1:\tmovq " T_FRAME ", %%rbp\n\t"
        "jmp *%%rdx" OFFSETS,
        [native] "i"(MK_VM_NATIVE), [leaf] "i"(MF_LEAF), [kind] "i"(offsetof(Method, kind)), [flags] "i"(offsetof(Method, flags)),
        [fn] "i"(offsetof(Method, vm_native)), [result] "i"(offsetof(Thread, leaf_result)),
        [exception] "i"(offsetof(Thread, exception)), [events] "i"(offsetof(Thread, event_bits)));
}

__attribute__((naked)) void jit_entry_slow_stub(void) {
    __asm__ volatile("movq %%rbp, " T_FRAME "\n\t"
                     "pushq %%rdi\n\t"
                     "pushq %%rsi\n\t"
                     "movq %%rsi, %%rdx\n\t"
                     "movq %%rdi, %%rsi\n\t"
                     "movq %%rbx, %%rdi\n\t" TO_C "call jit_entry_slow_c\n\t" FROM_C "popq %%rsi\n\t"
                     "popq %%rdi\n\t"
                     "testq %%rax, %%rax\n\t"
                     "jne 1f\n\t"
                     "movq %%rsi, %%rbp\n\t"
                     "ret\n"
                     "1:\tjmp *%%rax" OFFSETS);
}

/* The frame's header may be gone when the interpreter is done: a result may lie over it.  So where it starts is asked before. */
#define EXIT \
    "movq %%rdx, %%rcx\n\t" \
    "movl %%esi, %%edx\n\t" \
    "movq " T_FRAME ", %%rsi\n\t" \
    "movq %%rbx, %%rdi\n\t" \
    "movq " F_METHOD ", %%rax\n\t" \
    "movzwl " M_MAX_LOCALS ", %%eax\n\t" \
    "negq %%rax\n\t" \
    "leaq (%%rbp,%%rax,8), %%rbp\n\t" TO_C "call jit_exit_c\n\t" FROM_C "testq %%rdx, %%rdx\n\t" \
    "jne 1f\n\t" \
    "movq %%rax, %%xmm0\n\t" \
    "ret\n" \
    "1:\tmovq " T_FRAME ", %%rbp\n\t" \
    "jmp *%%rdx"

__attribute__((naked)) void jit_exit_stub(void) { __asm__ volatile("movq %%rbp, " T_FRAME "\n\t" EXIT OFFSETS); }
__attribute__((naked)) void jit_exit_inlined_stub(void) { __asm__ volatile("movq %%rdi, " T_FRAME "\n\t" EXIT OFFSETS); }

/* A helper, in rax, and what else it is given, in rdx and rcx; the frame is rbp, or of an inlined method, in rsi. */
#define HELP \
    "movq %%rsi, " T_FRAME "\n\t" \
    "movq %%rbx, %%rdi\n\t" TO_C "call *%%rax\n\t" FROM_C "ret"

__attribute__((naked)) void jit_help_stub(void) { __asm__ volatile("movq %%rbp, %%rsi\n\t" HELP OFFSETS); }
__attribute__((naked)) void jit_help_inlined_stub(void) { __asm__ volatile(HELP OFFSETS); }

/* A C function, in rax, with its arguments where C wants them; it looks at no frame and neither waits nor stops, so it may save registers. */
__attribute__((naked)) void jit_leaf_stub(void) {
    __asm__ volatile("pushq %r12\n\t"
                     "movq %rsp, %r12\n\t"
                     "pushq $0\n\t"
                     "andq $-16, %rsp\n\t"
                     "call *%rax\n\t"
                     "movq %r12, %rsp\n\t"
                     "popq %r12\n\t"
                     "ret");
}

_Static_assert(METHOD_CACHE_SIZE == 256 && METHOD_CACHE_CLASS_SHIFT == 6 && sizeof(MethodCacheEntry) == 24,
               "as interp_cache finds it");
__attribute__((naked)) void jit_select_stub(void) {
    __asm__ volatile("movq %%rdi, %%rcx\n\t"
                     "movq %%rdi, %%rdx\n\t"
                     "shrq $4, %%rcx\n\t"
                     "shrq $12, %%rdx\n\t"
                     "xorl %%edx, %%ecx\n\t"
                     "movl %%eax, %%edx\n\t"
                     "shrl $6, %%edx\n\t"
                     "xorl %%edx, %%ecx\n\t"
                     "movzbl %%cl, %%ecx\n\t"
                     "leaq (%%rcx,%%rcx,2), %%rcx\n\t"
                     "leaq (%%rbx,%%rcx,8), %%rcx\n\t"
                     "cmpq %%rax, %c0(%%rcx)\n\t"
                     "jne 1f\n\t"
                     "cmpq %%rdi, %c1(%%rcx)\n\t"
                     "jne 1f\n\t"
                     "movq %c2(%%rcx), %%rdi\n"
                     "1:\tret"
                     :
                     : "i"(offsetof(Thread, method_cache) + offsetof(MethodCacheEntry, klass)),
                       "i"(offsetof(Thread, method_cache) + offsetof(MethodCacheEntry, imethod)),
                       "i"(offsetof(Thread, method_cache) + offsetof(MethodCacheEntry, target)));
}
#endif
