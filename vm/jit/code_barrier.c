/* SPDX-License-Identifier: Apache-2.0 */
/* The barrier of the collector in compiled code: object/object.h, barrier_after_store. */
#include "jit/code_regs.h"

void code_mark_card(Asm *a, Reg holder, Reg t) {
    asm_shift(a, SHIFT_RIGHT_UNSIGNED, W64, t, holder, op_imm(CARD_SHIFT));
    if ((uintptr_t)heap_card_bias <= INT32_MAX) {
        asm_store_const(a, MEM_U8, mem_at(t, (int32_t)(uintptr_t)heap_card_bias), 1);
        return;
    }
    asm_const(a, ASM_SCRATCH, (int64_t)(uintptr_t)heap_card_bias);
    asm_store_const(a, MEM_U8, mem_index(ASM_SCRATCH, t, 0, 0), 1);
}

void code_mark_card_of(Asm *a, u8 holder) {
    asm_const(a, ASM_SCRATCH, (int64_t)((uintptr_t)heap_card_bias + (holder >> CARD_SHIFT)));
    asm_store_const(a, MEM_U8, mem_at(ASM_SCRATCH, 0), 1);
}
