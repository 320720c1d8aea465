/* SPDX-License-Identifier: Apache-2.0 */
/* Whom invokeBasic or linkTo* calls if that is no constant: code of both compilers. It does what the helper (jit_h_link) does, up to anything unusual. */
#include "invoke/invoke.h"
#include "jit/code_regs.h"
#include "lang/javaclasses.h"
#include "object/class.h"
#include "object/method.h"

static void load_known(Asm *a, Reg r, Mem m, Label *slow) {
    asm_load(a, MEM_64, r, m);
    asm_cmp(a, W64, r, op_imm(0));
    asm_branch(a, COND_EQ, slow);
}

/* A reference in the object in r. */
static void follow(Asm *a, Reg r, u4 offset, Label *slow) {
    asm_load(a, MEM_32, r, mem_at(r, (int32_t)offset));
    asm_shift(a, SHIFT_LEFT, W64, r, r, op_imm(3));
    asm_cmp(a, W64, r, op_imm(0));
    asm_branch(a, COND_EQ, slow);
}

/* R_CALLEE, a MemberName, becomes its method. */
static void load_member(Asm *a, Label *slow) {
    follow(a, R_CALLEE, jc_off.MemberName_method, slow);
    load_known(a, R_CALLEE, mem_at(R_CALLEE, (int32_t)jc_off.ResolvedMethodName_vmtarget), slow);
    load_known(a, R_CALLEE, mem_at(R_CALLEE, offsetof(MethodID, method)), slow);
}

/* The same in the vtable of the receiver's class, in klass. */
static void load_from_vtable(Asm *a, Reg klass, Label *slow) {
    Reg i = R_DX, n = R_SI;
    asm_load(a, MEM_32, i, mem_at(R_CALLEE, (int32_t)jc_off.MemberName_vmindex)); /* negative: none */
    asm_load(a, MEM_U16, n, mem_at(klass, offsetof(Class, vtable_len)));
    asm_cmp(a, W32, i, op_reg(n));
    asm_branch(a, COND_ABOVE_EQ, slow);
    asm_load(a, MEM_64, klass, mem_at(klass, offsetof(Class, vtable)));
    asm_load(a, MEM_64, R_CALLEE, mem_index(klass, i, 3, 0));
}

bool code_find_target(Asm *a, MethodKind kind, Mem first, Mem last, Label *slow) {
    bool virtual = kind == MK_LINK_VIRTUAL && !atomic_load_explicit(&reshape_epoch, memory_order_relaxed);
    if (kind != MK_INVOKE_BASIC && kind != MK_LINK_STATIC && kind != MK_LINK_SPECIAL && !virtual) return false;
    if (kind != MK_LINK_STATIC) load_known(a, R_AX, first, slow);
    if (kind == MK_INVOKE_BASIC) {
        asm_mov(a, W64, R_CALLEE, R_AX);
        follow(a, R_CALLEE, jc_off.MethodHandle_form, slow);
        follow(a, R_CALLEE, jc_off.LambdaForm_vmentry, slow);
    } else {
        load_known(a, R_CALLEE, last, slow);
    }
    if (virtual) {
        asm_load(a, MEM_32, R_AX, mem_at(R_AX, offsetof(Object, klass)));
        load_from_vtable(a, R_AX, slow);
    } else {
        load_member(a, slow);
    }
    asm_cmp_mem(a, MEM_U8, mem_at(R_CALLEE, offsetof(Method, kind)), op_imm(MK_INVOKE_BASIC));
    asm_branch(a, COND_ABOVE_EQ, slow);
    return true;
}
