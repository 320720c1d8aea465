/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between C and compiled code (x86-64).  Compiled code has 8 bytes of C stack per activation, the return address.  So inside a method rsp may
 * be any multiple of 8, every stub aligns it for C, and knows how to drop the activation that jumped to it.
 *
 * No word of the C stack is left as it was found: collections take what they find on the stacks of other threads for references.  Nor
 * is anything in the registers that C functions save: what was there is in memory.
 *
 * Debuggers and profilers unwind through all this: compiled code says that its return address is on top of the C stack (code_lines.c), stubs
 * say where they have put theirs (.cfi directives, which go by the order of the text).
 */
#include "core/hooks.h"
#include "jit/exit_record.h"
#include "core/vm.h"
#include "heap/handle.h"
#include "interp/parts.h"
#include "jit/jit_int.h"
#include <ucontext.h>

/* clang-format off */
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
#define PUSH(r) "pushq %%" r "\n\t.cfi_adjust_cfa_offset 8\n\t"
#define POP(r) "popq %%" r "\n\t.cfi_adjust_cfa_offset -8\n\t"
#define SAVE(r) PUSH(r) ".cfi_rel_offset %%" r ", 0\n\t"
#define GET_BACK(r) POP(r) ".cfi_restore %%" r "\n\t"
#define CLEARED "movq $0, -8(%%rsp)\n\t" /* the word is dead, but may lie in a frame of C code later */
#define TAKE_AWAY(r) POP(r) CLEARED
#define TAKE_BACK(r) GET_BACK(r) CLEARED
#define FRAME_IN_R12 ".cfi_def_cfa_register %%r12\n\t"
#define FRAME_IN_RSP ".cfi_def_cfa_register %%rsp\n\t"
#define TO_C \
    "movq %%rsp, %%r12\n\t" FRAME_IN_R12 "pushq $0\n\t" \
    "andq $-16, %%rsp\n\t" \
    "movq $0, (%%rsp)\n\t" \
    "xorl %%r13d, %%r13d\n\t" \
    "xorl %%r14d, %%r14d\n\t" \
    "xorl %%r15d, %%r15d\n\t"
#define FROM_C "movq %%r12, %%rsp\n\t" FRAME_IN_RSP

#define FP_REGISTERS(DO) \
    DO("0", "0") DO("8", "1") DO("16", "2") DO("24", "3") DO("32", "4") DO("40", "5") DO("48", "6") DO("56", "7") \
    DO("64", "8") DO("72", "9") DO("80", "10") DO("88", "11") DO("96", "12") DO("104", "13") DO("112", "14") DO("120", "15")
#define KEEP(at, n) "movsd %%xmm" n ", " at "(%%rsp)\n\t"
#define TAKE(at, n) "movsd " at "(%%rsp), %%xmm" n "\n\t"

/* An activation takes at least sizeof(Frame) bytes of the Java stack and 8 of the C stack, which are compared here once: code that
 * keeps to code_limit overflows neither.  It counts from frame, which is not younger than the first one that runs code. */
_Static_assert(sizeof(Frame) >= 72, "the 9 below");
__attribute__((naked)) JitResult jit_enter(Thread *t, Method *m, Slot *args, const void *code, Frame *frame) {
    __asm__ volatile(
        SAVE("rbp")
        SAVE("rbx")
        SAVE("r12")
        SAVE("r13")
        SAVE("r14")
        SAVE("r15")
        "movq %%rdi, %%rbx\n\t"
        "pushq " T_CODE_LIMIT "\n\t.cfi_adjust_cfa_offset 8\n\t"
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
        "popq " T_CODE_LIMIT "\n\t.cfi_adjust_cfa_offset -8\n\t"
        GET_BACK("r15")
        GET_BACK("r14")
        GET_BACK("r13")
        GET_BACK("r12")
        GET_BACK("rbx")
        GET_BACK("rbp")
        "ret" OFFSETS);
}

/* The caller's frame may be due.  go: the bytecode frame that the interpreter ran, t->frame, goes on in compiled code.  Natives that need no frame are called from here.
 * Their C code neither waits nor stops, so it may save registers.  It may have written half of the result's cell: a load of all of it would wait. */
__attribute__((naked)) void jit_bridge(void) {
    __asm__ volatile(
        "movq %%rbp, " T_FRAME "\n\t"
        "cmpl $0, %c[position]+4(%%rbp)\n\t"
        "jl 5f\n"
        "6:\tcmpb %[native], %c[kind](%%rdi)\n\t"
        "jne 2f\n\t"
        "testl %[leaf], %c[flags](%%rdi)\n\t"
        "je 2f\n\t"
        "cmpl $0, %c[events](%%rbx)\n\t"
        "jne 2f\n\t"
        PUSH("rsi")
        "movq %%rsp, %%r12\n\t" FRAME_IN_R12
        "movzbl %c[type](%%rdi), %%r13d\n\t"
        "pushq $0\n\t"
        "andq $-16, %%rsp\n\t"
        "movq %c[fn](%%rdi), %%rax\n\t"
        "movq %%rdi, %c[callee](%%rbx)\n\t"
        "movq %%rbx, %%rdi\n\t"
        "leaq %c[result](%%rbx), %%rdx\n\t"
        "movq $0, (%%rdx)\n\t"
        "movq %%rsi, %c[args](%%rbx)\n\t"
        "call *%%rax\n\t"
        "movq $0, %c[args](%%rbx)\n\t"
        "cmpq $0, %c[exception](%%rbx)\n\t"
        "je 3f\n\t"
        "movq " T_FRAME ", %%rdi\n\t"
        "call jit_leaf_threw\n"
        "3:\tmovq %%r12, %%rsp\n\t" FRAME_IN_RSP ".cfi_remember_state\n\t"
        "movl %[wide], %%ecx\n\t"
        "btl %%r13d, %%ecx\n\t"
        "jc 4f\n\t"
        "movl %c[result](%%rbx), %%eax\n\t"
        "movd %%eax, %%xmm0\n\t"
        POP("rbp")
        "ret\n"
        "4:\t.cfi_restore_state\n\t"
        "movq %c[result](%%rbx), %%rax\n\t"
        "movq %%rax, %%xmm0\n\t"
        POP("rbp")
        "ret\n"
        "2:\t"
        "movq %%rsi, %%rdx\n\t"
        "movq %%rdi, %%rsi\n\t"
        "movq %%rbx, %%rdi\n\t"
        PUSH("rdx")
        TO_C "call jit_bridge_c\n\t" FROM_C
        POP("rbp")
        "testq %%rdx, %%rdx\n\t"
        "jne 1f\n\t"
        "movq %%rax, %%xmm0\n\t"
        "ret\n"
        "1:\tmovq " T_FRAME ", %%rbp\n\t"
        "jmp *%%rdx\n"
        "5:\t"
        PUSH("rdi")
        PUSH("rsi")
        "movq %%rbp, %%rdi\n\t"
        TO_C "call frame_write_due\n\t" FROM_C
        POP("rsi")
        POP("rdi")
        "jmp 6b" OFFSETS,
        [position] "i"(offsetof(Frame, position)), [native] "i"(MK_VM_NATIVE), [leaf] "i"(MF_LEAF), [kind] "i"(offsetof(Method, kind)), [flags] "i"(offsetof(Method, flags)),
        [type] "i"(offsetof(Method, ret_type)), [wide] "i"(1u << T_LONG | 1u << T_DOUBLE | 1u << T_OBJECT | 1u << T_ARRAY),
        [args] "i"(offsetof(Thread, callee_args)), [callee] "i"(offsetof(Thread, callee)),
        [fn] "i"(offsetof(Method, vm_native)), [result] "i"(offsetof(Thread, leaf_result)),
        [exception] "i"(offsetof(Thread, exception)), [events] "i"(offsetof(Thread, event_bits)));
}

__attribute__((naked)) void jit_entry_slow_stub(void) {
    __asm__ volatile(
        "movq %%rbp, " T_FRAME "\n\t"
        PUSH("rdi")
        PUSH("rsi")
        "movq %%rsi, %%rdx\n\t"
        "movq %%rdi, %%rsi\n\t"
        "movq %%rbx, %%rdi\n\t"
        TO_C "call jit_entry_slow_c\n\t" FROM_C
        POP("rsi")
        POP("rdi")
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

/* ExitRegisters lie on the stack: what is pushed last comes first.  */
_Static_assert(offsetof(ExitRegisters, general) == 128 && offsetof(ExitRegisters, from) == 256 && (int)EXIT_RESULT == (int)R_DX, "pushes below");
#define BY_RECORD(fn) \
    "movq %%rbp, " T_FRAME "\n\t" \
    PUSH("r15") PUSH("r14") PUSH("r13") PUSH("r12") PUSH("r11") PUSH("r10") PUSH("r9") PUSH("r8") PUSH("rdi") PUSH("rsi") \
    PUSH("rbp") PUSH("rsp") PUSH("rbx") PUSH("rdx") PUSH("rcx") PUSH("rax") \
    "subq $128, %%rsp\n\t.cfi_adjust_cfa_offset 128\n\t" \
    FP_REGISTERS(KEEP) \
    "movq %%rbx, %%rdi\n\t" \
    "movq %%rsp, %%rsi\n\t" \
    TO_C "call " fn "\n\t" FROM_C
#define LEAVE_BY_RECORD \
    "movq %%rax, %%rdi\n\t" \
    "movl %%edx, %%esi\n\t" \
    "movq 144(%%rsp), %%rdx\n\t" \
    "movq $0, 144(%%rsp)\n\t" \
    "addq $264, %%rsp\n\t.cfi_adjust_cfa_offset -264\n\t" \
    "jmp jit_exit_inlined_stub\n\t"
__attribute__((naked)) void jit_exit_record_stub(void) { __asm__ volatile(BY_RECORD("jit_exit_by_record") LEAVE_BY_RECORD OFFSETS); }
/* rsp, rbp and rbx are what they were. */
__attribute__((naked)) void jit_help_record_stub(void) {
    __asm__ volatile(
        BY_RECORD("jit_help_by_record")
        "testq %%rax, %%rax\n\t"
        "jne 1f\n\t.cfi_remember_state\n\t"
        FP_REGISTERS(TAKE)
        "addq $128, %%rsp\n\t.cfi_adjust_cfa_offset -128\n\t"
        TAKE_AWAY("rax") TAKE_AWAY("rcx") TAKE_AWAY("rdx")
        "addq $24, %%rsp\n\t.cfi_adjust_cfa_offset -24\n\t"
        TAKE_AWAY("rsi") TAKE_AWAY("rdi") TAKE_AWAY("r8") TAKE_AWAY("r9") TAKE_AWAY("r10") TAKE_AWAY("r11") TAKE_AWAY("r12")
        TAKE_AWAY("r13") TAKE_AWAY("r14") TAKE_AWAY("r15")
        "ret\n"
        "1:\t.cfi_restore_state\n\t" LEAVE_BY_RECORD OFFSETS);
}

const void *jit_fault_exit(void *context) {
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    r[REG_RSP] -= sizeof(void *);
    *(u8 *)r[REG_RSP] = (u8)r[REG_RIP] + 1;
    return (const void *)jit_exit_record_stub;
}

/* A helper, in rax, and what else it is given, in rdx and rcx; the frame is rbp, or of an inlined method, in rsi. */
#define HELP \
    "movq %%rsi, " T_FRAME "\n\t" \
    "movq %%rbx, %%rdi\n\t" TO_C "call *%%rax\n\t" FROM_C "ret"

__attribute__((naked)) void jit_help_stub(void) { __asm__ volatile("movq %%rbp, %%rsi\n\t" HELP OFFSETS); }
__attribute__((naked)) void jit_help_inlined_stub(void) { __asm__ volatile(HELP OFFSETS); }

/* Events of calls: head of call_events.c.  In r15 the listener, r11 its callback, r10 the method's ID, r13 and r14 what handles are to be left; r9 is the
 * result.  Whoever does not fit goes the general way, before anything is changed.  A stopper is told as thread_to_native does it. */
#define EVENT_FITS \
    "movq direct_listeners+%c[listener](%%rip), %%r15\n\t" \
    "movq %c[method](%%rbp), %%rdi\n\t" \
    "testq %%r15, %%r15\n\t" \
    "je 9f\n\t" \
    "movq %c[callback](%%r15), %%r11\n\t" \
    "movq %c[id](%%rdi), %%r10\n\t" \
    "movq %c[handles](%%rbx), %%r13\n\t" \
    "testq %%r11, %%r11\n\t" \
    "je 9f\n\t" \
    "testq %%r10, %%r10\n\t" \
    "je 9f\n\t" \
    "testq %%r13, %%r13\n\t" \
    "je 9f\n\t" \
    "movzwl %c[used](%%r13), %%r14d\n\t" \
    "cmpq $0, %c[next](%%rdi)\n\t" \
    "jne 9f\n\t" \
    "cmpq $0, %c[exception](%%rbx)\n\t" \
    "jne 9f\n\t" \
    "cmpq $0, %c[thread](%%rbx)\n\t" \
    "je 9f\n\t" \
    "cmpl %[live], vm+%c[phase](%%rip)\n\t" \
    "jne 9f\n\t"
#define EVENT_BIT \
    "testl %[bit], %c[events](%%rbx)\n\t" \
    "je 9f\n\t"
#define NO_LOCATION "xorl %%r8d, %%r8d\n\t"
#define EVENT_CALL(fifth) \
    "movq %%rbp, %c[frame](%%rbx)\n\t" \
    "movq %%rsp, %%r12\n\t" FRAME_IN_R12 "pushq $0\n\t" \
    "andq $-16, %%rsp\n\t" \
    "movq $0, (%%rsp)\n\t" \
    "pxor %%xmm0, %%xmm0\n\t" \
    "movq %%rsp, %c[sp](%%rbx)\n\t" \
    "movups %%xmm0, %c[sp]+8(%%rbx)\n\t" \
    "movups %%xmm0, %c[sp]+24(%%rbx)\n\t" \
    "movups %%xmm0, %c[sp]+40(%%rbx)\n\t" \
    "movl %[native], %c[state](%%rbx)\n\t" \
    "testl %[stop], %c[poll](%%rbx)\n\t" \
    "jne 5f\n" \
    "6:\t" \
    "movq %c[env](%%r15), %%rdi\n\t" \
    "leaq %c[jni](%%rbx), %%rsi\n\t" \
    "leaq %c[thread](%%rbx), %%rdx\n\t" \
    "movq %%r10, %%rcx\n\t" \
    fifth "call *%%r11\n\t" \
    "movq %%rbx, %%rdi\n\t" \
    "call thread_to_java\n\t" \
    "cmpq %%r13, %c[handles](%%rbx)\n\t" \
    "jne 8f\n\t" \
    "cmpw %%r14w, %c[used](%%r13)\n\t" \
    "jne 8f\n\t" \
    "cmpq %%r15, direct_listeners+%c[listener](%%rip)\n\t" \
    "jne 8f\n" \
    "7:\tmovq %%r12, %%rsp\n\t" FRAME_IN_RSP "cmpq $0, %c[exception](%%rbx)\n\t" \
    "jne 3f\n\t"
#define EVENT_RARE \
    "3:\torl %[threw], %c[flags](%%rbp)\n\t" \
    "ret\n" \
    "5:\t" FRAME_IN_R12 "pushq %%r9\n\t" \
    "pushq %%r10\n\t" \
    "pushq %%r11\n\t" \
    "pushq $0\n\t" \
    "movq %%rbx, %%rdi\n\t" \
    "call thread_to_native_slow\n\t" \
    "popq %%r11\n\t" \
    "popq %%r11\n\t" \
    "popq %%r10\n\t" \
    "popq %%r9\n\t" \
    "jmp 6b\n" \
    "8:\tmovq %%rbx, %%rdi\n\t" \
    "movq %%rbp, %%rsi\n\t" \
    "movq %%r15, %%rdx\n\t" \
    "movl $%c[listener]/8, %%ecx\n\t" \
    "movq %%r13, %%r8\n\t" \
    "movl %%r14d, %%r9d\n\t" \
    "call jit_event_rest\n\t" \
    "jmp 7b\n" \
    "9:\t" FRAME_IN_RSP "jmp jit_help_stub"
#define EVENT_OFFSETS(k, its_bit) \
    : \
    : [frame] "i"(offsetof(Thread, frame)), [method] "i"(offsetof(Frame, method)), [listener] "i"((k) * sizeof(void *)), [callback] "i"(offsetof(DirectListener, callback)), \
        [env] "i"(offsetof(DirectListener, env)), [bit] "i"(its_bit), [id] "i"(offsetof(Method, id)), \
        [next] "i"(offsetof(Method, next_version)), [handles] "i"(offsetof(Thread, handles)), \
        [used] "i"(offsetof(HandleBlock, used)), [exception] "i"(offsetof(Thread, exception)), \
        [thread] "i"(offsetof(Thread, java_thread)), [events] "i"(offsetof(Thread, event_bits)), [live] "i"(VM_LIVE), \
        [phase] "i"(offsetof(VM, phase)), [sp] "i"(offsetof(Thread, saved_sp)),  \
        [native] "i"(THREAD_NATIVE), [state] "i"(offsetof(Thread, state)), [stop] "i"(POLL_STOP), \
        [poll] "i"(offsetof(Thread, poll)), [jni] "i"(offsetof(Thread, env)), [flags] "i"(offsetof(Frame, flags)), \
        [threw] "i"(FRAME_EXCEPTION)

_Static_assert(offsetof(Thread, saved_regs) == offsetof(Thread, saved_sp) + 8, "sp+8 is the registers");
_Static_assert(sizeof(HandleMark) == 16 && offsetof(HandleMark, used) == 8, "r8 and r9 of jit_event_rest");
__attribute__((naked)) void jit_entered_stub(void) {
    __asm__ volatile(EVENT_FITS EVENT_BIT EVENT_CALL(NO_LOCATION) "ret\n" EVENT_RARE EVENT_OFFSETS(DIRECT_ENTRY, EXEC_EVENT_ENTRY));
}

/* rdx = owner.  No thread has a bit for breakpoints: whoever listens alone does so on all. */
__attribute__((naked)) void jit_break_stub(void) {
    __asm__ volatile(
        EVENT_FITS "cmpq %%rdx, %c[env](%%r15)\n\t"
                   "jne 9f\n\t" EVENT_CALL("movzwl %c[position](%%rbp), %%r8d\n\t") "ret\n" EVENT_RARE EVENT_OFFSETS(DIRECT_BREAK, 0),
        [position] "i"(offsetof(Frame, position)));
}
_Static_assert(FRAME_BCI_MASK == 0xffff, "movzwl");

/* rdx = result, rcx = its bits.  A reference takes the next cell, if that is to be had without more ado. */
__attribute__((naked)) void jit_returns_stub(void) {
    __asm__ volatile(
        EVENT_FITS EVENT_BIT "testl %[told], %c[flags](%%rbp)\n\t"
                   "jne 9f\n\t"
                   "movq %%rdx, %%r9\n\t"
                   "andq %%rcx, %%r9\n\t"
                   "testq %%rcx, %%rcx\n\t"
                   "je 1f\n"
                   "2:\t" EVENT_CALL(NO_LOCATION) "cmpq %%rbp, %c[forced](%%rbx)\n\t"
                   "je 4f\n\t"
                   "orl %[told], %c[flags](%%rbp)\n"
                   "4:\tret\n"
                   "1:\ttestq %%rdx, %%rdx\n\t"
                   "je 2b\n\t"
                   "cmpq $0, %c[free](%%r13)\n\t"
                   "jne 9f\n\t"
                   "cmpl %[cells], %%r14d\n\t"
                   "je 9f\n\t"
                   "leaq %c[first](%%r13,%%r14,8), %%r9\n\t"
                   "movq %%rdx, (%%r9)\n\t"
                   "incw %c[used](%%r13)\n\t"
                   "jmp 2b\n" EVENT_RARE EVENT_OFFSETS(DIRECT_EXIT, EXEC_EVENT_EXIT),
        [told] "i"(FRAME_TOLD_EXIT), [forced] "i"(offsetof(Thread, forced_frame)), [free] "i"(offsetof(HandleBlock, free_list)),
        [cells] "i"(HANDLE_CELLS), [first] "i"(offsetof(HandleBlock, cells)));
}

/* A C function, in rax, with its arguments where C wants them; it looks at no frame and neither waits nor stops, so it may save registers. */
__attribute__((naked)) void jit_leaf_stub(void) {
    __asm__ volatile(
        SAVE("r12")
        "movq %%rsp, %%r12\n\t" FRAME_IN_R12
        "pushq $0\n\t"
        "andq $-16, %%rsp\n\t"
        "call *%%rax\n\t" FROM_C
        GET_BACK("r12")
        "ret" :);
}

/* Keeps all registers.  Moves and pops leave the flags. */
#define KEEPING_ALL(fn) \
    PUSH("rax") PUSH("rcx") PUSH("rdx") PUSH("rsi") PUSH("rdi") PUSH("r8") PUSH("r9") PUSH("r10") \
    SAVE("r12") SAVE("r13") SAVE("r14") SAVE("r15") \
    "movq %%rbp, " T_FRAME "\n\t" \
    "movq %%rbx, %%rdi\n\t" \
    "movq %%rbp, %%rsi\n\t" \
    TO_C \
    "subq $128, %%rsp\n\t" \
    FP_REGISTERS(KEEP) \
    "call " fn "\n\t" \
    "testl %%eax, %%eax\n\t" \
    FP_REGISTERS(TAKE) \
    FROM_C \
    TAKE_BACK("r15") TAKE_BACK("r14") TAKE_BACK("r13") TAKE_BACK("r12") \
    TAKE_AWAY("r10") TAKE_AWAY("r9") TAKE_AWAY("r8") TAKE_AWAY("rdi") TAKE_AWAY("rsi") TAKE_AWAY("rdx") TAKE_AWAY("rcx") TAKE_AWAY("rax") \
    "ret"
__attribute__((naked)) void jit_look_stub(void) { __asm__ volatile(KEEPING_ALL("jit_look_c") OFFSETS); }
__attribute__((naked)) void jit_subtype_stub(void) { __asm__ volatile(KEEPING_ALL("jit_subtype_c") OFFSETS); }
__attribute__((naked)) void jit_window_stub(void) { __asm__ volatile(KEEPING_ALL("jit_window_c") OFFSETS); }
__attribute__((naked)) void jit_take_stub(void) { __asm__ volatile(KEEPING_ALL("jit_take_c") OFFSETS); }
__attribute__((naked)) void jit_give_stub(void) { __asm__ volatile(KEEPING_ALL("jit_give_c") OFFSETS); }

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
/* clang-format on */
