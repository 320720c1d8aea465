/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64: instructions as the disassembler spells them (no blank behind commas), and what older CPUs lack. */
#ifndef JIT_FORMS_A64_H
#define JIT_FORMS_A64_H

enum { REG_1 = R_0, REG_2 = R_1, REG_3 = R_2, REG_4 = R_3 };
static const AsmFeatures every_feature = {.lse = true};
static const AsmFeatures older[] = {{.lse = false}};
static AsmFeatures features_in_both(AsmFeatures x, AsmFeatures y) { return (AsmFeatures){.lse = x.lse && y.lse}; }

/* The atomic operations as they are without LSE. */
static void older_cas(Asm *a, MemKind k, Mem m, Reg desired) {
    asm_features.lse = false;
    asm_cas(a, k, m, desired);
    asm_features = every_feature;
}
static void older_atomic(Asm *a, AtomicOp op, MemKind k, Reg d, Mem m, Reg x) {
    asm_features.lse = false;
    asm_atomic(a, op, k, d, m, x);
    asm_features = every_feature;
}
/* A label that is bound where it is used. */
static Label *label_here(Asm *a) {
    static Label labels[16];
    static int n;
    Label *l = &labels[n++];
    *l = LABEL_INIT;
    asm_bind(a, l);
    return l;
}

#define FORMS(F) \
    F("mov x0,x9", asm_mov(&a, W64, R_0, R_9)) \
    F("mov w0,w0", asm_mov(&a, W32, R_0, R_0)) \
    F("mov x0,sp", asm_mov(&a, W64, R_0, R_SP)) \
    F("mov sp,x29", asm_mov(&a, W64, R_SP, R_29)) \
    F("mov w1,#0x0", asm_const(&a, R_1, 0)) \
    F("mov w1,#0x1234", asm_const(&a, R_1, 0x1234)) \
    F("mov w1,#0x12340000", asm_const(&a, R_1, 0x12340000)) \
    F("mov w1,#0xffffffff", asm_const(&a, R_1, 0xffffffff)) \
    F("mov x1,#0xffffffffffffffff", asm_const(&a, R_1, -1)) \
    F("mov x1,#0xffffffffffff8000", asm_const(&a, R_1, -32768)) \
    F("mov x1,#0x7fffffffffffffff", asm_const(&a, R_1, INT64_MAX)) \
    F("mov x1,#0x8000000000000000", asm_const(&a, R_1, INT64_MIN)) \
    F("mov x1,#0x5555555555555555", asm_const(&a, R_1, 0x5555555555555555)) \
    F("mov w1,#0xff00ff", asm_const(&a, R_1, 0xff00ff)) \
    F("mov x1,#0xf00000000000000f", asm_const(&a, R_1, (int64_t)0xf00000000000000f)) \
    F("mov w1,#0x5678|movk w1,#0x1234,lsl #16", asm_const(&a, R_1, 0x12345678)) \
    F("mov x1,#0xdef0|movk x1,#0x9abc,lsl #16|movk x1,#0x5678,lsl #32|movk x1,#0x1234,lsl #48", \
      asm_const(&a, R_1, 0x123456789abcdef0)) \
    F("mov x1,#0xffffffffffff5678|movk x1,#0x1234,lsl #16", asm_const(&a, R_1, (int64_t)0xffffffff12345678)) \
    F("ldrsb w2,[x29]", asm_load(&a, MEM_S8, R_2, mem_at(R_29, 0))) \
    F("ldrb w2,[x13,#4095]", asm_load(&a, MEM_U8, R_2, mem_at(R_13, 4095))) \
    F("ldrsh w10,[sp,#8]", asm_load(&a, MEM_S16, R_10, mem_at(R_SP, 8))) \
    F("ldrh w2,[x12,#8190]", asm_load(&a, MEM_U16, R_2, mem_at(R_12, 8190))) \
    F("ldr w2,[x0,x18,lsl #2]", asm_load(&a, MEM_32, R_2, mem_index(R_0, R_18, 2, 0))) \
    F("ldr w2,[x0,x18]", asm_load(&a, MEM_32, R_2, mem_index(R_0, R_18, 0, 0))) \
    F("ldrb w2,[sp,x18]", asm_load(&a, MEM_U8, R_2, mem_index(R_SP, R_18, 0, 0))) \
    F("ldursw x2,[x3,#-128]", asm_load(&a, MEM_S32, R_2, mem_at(R_3, -128))) \
    F("ldrsw x2,[x3,#128]", asm_load(&a, MEM_S32, R_2, mem_at(R_3, 128))) \
    F("ldr x2,[x3,#32760]", asm_load(&a, MEM_64, R_2, mem_at(R_3, 32760))) \
    F("ldur x2,[x3,#-256]", asm_load(&a, MEM_64, R_2, mem_at(R_3, -256))) \
    F("ldur x2,[x3,#3]", asm_load(&a, MEM_64, R_2, mem_at(R_3, 3))) \
    F("add x17,x3,#0x8,lsl #12|ldr x2,[x17]", asm_load(&a, MEM_64, R_2, mem_at(R_3, 32768))) \
    F("add x17,x3,#0x10,lsl #12|ldr x2,[x17,#8]", asm_load(&a, MEM_64, R_2, mem_at(R_3, 65544))) \
    F("sub x17,x3,#0x1,lsl #12|ldr x2,[x17,#3088]", asm_load(&a, MEM_64, R_2, mem_at(R_3, -1008))) \
    F("mov w14,#0x1000000|add x17,x3,x14|ldr x2,[x17,#16]", asm_load(&a, MEM_64, R_2, mem_at(R_3, 0x1000010))) \
    F("mov w14,#0x1000000|add x17,sp,x14|ldr x2,[x17,#16]", asm_load(&a, MEM_64, R_2, mem_at(R_SP, 0x1000010))) \
    F("add x17,x0,x18,lsl #2|ldr w2,[x17,#16]", asm_load(&a, MEM_32, R_2, mem_index(R_0, R_18, 2, 16))) \
    F("add x17,sp,x18|ldr w2,[x17,#16]", asm_load(&a, MEM_32, R_2, mem_index(R_SP, R_18, 0, 16))) \
    F("mov w17,#0x10000|ldr x2,[x17]", asm_load(&a, MEM_64, R_2, mem_at(NO_REG, 0x10000))) \
    F("mov w17,#0x10|ldr x2,[x17,x1,lsl #3]", asm_load(&a, MEM_64, R_2, mem_index(NO_REG, R_1, 3, 16))) \
    F("strb w6,[x7]", asm_store(&a, MEM_U8, mem_at(R_7, 0), R_6)) \
    F("strh w9,[x7]", asm_store(&a, MEM_S16, mem_at(R_7, 0), R_9)) \
    F("stur w6,[x7,#-4]", asm_store(&a, MEM_32, mem_at(R_7, -4), R_6)) \
    F("str x6,[x7,x8,lsl #3]", asm_store(&a, MEM_64, mem_index(R_7, R_8, 3, 0), R_6)) \
    F("mov x15,sp|str x15,[x7]", asm_store(&a, MEM_64, mem_at(R_7, 0), R_SP)) \
    F("str x16,[x7]", asm_store(&a, MEM_64, mem_at(R_7, 0), ASM_SCRATCH)) \
    F("str xzr,[x7]", asm_store_const(&a, MEM_64, mem_at(R_7, 0), 0)) \
    F("mov w15,#0xff|strb w15,[x7]", asm_store_const(&a, MEM_U8, mem_at(R_7, 0), -1)) \
    F("mov x15,#0xffffffffffffffff|str x15,[x7]", asm_store_const(&a, MEM_64, mem_at(R_7, 0), -1)) \
    F("add x0,x7,x6|add x0,x0,#0x4", asm_address(&a, R_0, mem_index(R_7, R_6, 0, 4))) \
    F("add x0,sp,#0x10", asm_address(&a, R_0, mem_at(R_SP, 16))) \
    F("add w0,w1,w2", asm_alu(&a, ALU_ADD, W32, R_0, R_1, op_reg(R_2))) \
    F("sub x0,x1,#0x8", asm_alu(&a, ALU_ADD, W64, R_0, R_1, op_imm(-8))) \
    F("add w0,w1,#0x12,lsl #12|add w0,w0,#0x345", asm_alu(&a, ALU_ADD, W32, R_0, R_1, op_imm(0x12345))) \
    F("sub sp,sp,#0x20", asm_alu(&a, ALU_SUB, W64, R_SP, R_SP, op_imm(32))) \
    F("sub sp,sp,x1", asm_alu(&a, ALU_SUB, W64, R_SP, R_SP, op_reg(R_1))) \
    F("mov w14,#0x5678|movk w14,#0x1234,lsl #16|add w0,w1,w14", asm_alu(&a, ALU_ADD, W32, R_0, R_1, op_imm(0x12345678))) \
    F("ldr w15,[x0,#8]|and w8,w8,w15", asm_alu(&a, ALU_AND, W32, R_8, R_8, op_mem(mem_at(R_0, 8)))) \
    F("orr x0,x1,x15", asm_alu(&a, ALU_OR, W64, R_0, R_1, op_reg(R_15))) \
    F("eor w0,w1,w2", asm_alu(&a, ALU_XOR, W32, R_0, R_1, op_reg(R_2))) \
    F("and w0,w1,#0xfffffff0", asm_alu(&a, ALU_AND, W32, R_0, R_1, op_imm(-16))) \
    F("and x0,x1,#0xfffffffffffffff0", asm_alu(&a, ALU_AND, W64, R_0, R_1, op_imm(-16))) \
    F("orr w0,w1,#0x80000001", asm_alu(&a, ALU_OR, W32, R_0, R_1, op_imm((int32_t)0x80000001))) \
    F("eor x0,x1,#0x1", asm_alu(&a, ALU_XOR, W64, R_0, R_1, op_imm(1))) \
    F("mov w14,#0x5|and w0,w1,w14", asm_alu(&a, ALU_AND, W32, R_0, R_1, op_imm(5))) \
    F("mul w0,w1,w2", asm_alu(&a, ALU_MUL, W32, R_0, R_1, op_reg(R_2))) \
    F("mov w14,#0x64|mul x0,x1,x14", asm_alu(&a, ALU_MUL, W64, R_0, R_1, op_imm(100))) \
    F("adds w0,w1,w2", asm_alu_overflow(&a, ALU_ADD, W32, R_0, R_1, R_2)) \
    F("subs x0,x1,x2", asm_alu_overflow(&a, ALU_SUB, W64, R_0, R_1, R_2)) \
    F("smull x15,w1,w2|cmp x15,w15,sxtw|ccmp wzr,#0x0,#0x1,eq|mov w0,w15", asm_alu_overflow(&a, ALU_MUL, W32, R_0, R_1, R_2)) \
    F("smulh x14,x1,x2|mul x15,x1,x2|cmp x14,x15,asr #63|ccmp wzr,#0x0,#0x1,eq|mov x0,x15", \
      asm_alu_overflow(&a, ALU_MUL, W64, R_0, R_1, R_2)) \
    F("ldr w15,[x0]|add w15,w15,w1|str w15,[x0]", asm_alu_mem(&a, ALU_ADD, W32, mem_at(R_0, 0), op_reg(R_1))) \
    F("ldr x15,[x0,x1,lsl #3]|orr x15,x15,#0x1|str x15,[x0,x1,lsl #3]", \
      asm_alu_mem(&a, ALU_OR, W64, mem_index(R_0, R_1, 3, 0), op_imm(1))) \
    F("lsl w0,w1,#1", asm_shift(&a, SHIFT_LEFT, W32, R_0, R_1, op_imm(33))) \
    F("asr x0,x1,#32", asm_shift(&a, SHIFT_RIGHT, W64, R_0, R_1, op_imm(32))) \
    F("lsr w0,w1,#3", asm_shift(&a, SHIFT_RIGHT_UNSIGNED, W32, R_0, R_1, op_imm(3))) \
    F("ror x0,x1,#3", asm_shift(&a, SHIFT_ROTATE_RIGHT, W64, R_0, R_1, op_imm(3))) \
    F("lsl w0,w1,w10", asm_shift(&a, SHIFT_LEFT, W32, R_0, R_1, op_reg(R_10))) \
    F("asr x8,x9,x0", asm_shift(&a, SHIFT_RIGHT, W64, R_8, R_9, op_reg(R_0))) \
    F("lsr w0,w1,w2", asm_shift(&a, SHIFT_RIGHT_UNSIGNED, W32, R_0, R_1, op_reg(R_2))) \
    F("ror w0,w1,w2", asm_shift(&a, SHIFT_ROTATE_RIGHT, W32, R_0, R_1, op_reg(R_2))) \
    F("neg w0,w1", asm_unary(&a, UNARY_NEG, W32, R_0, R_1)) \
    F("mvn x0,x1", asm_unary(&a, UNARY_NOT, W64, R_0, R_1)) \
    F("sxtb w0,w6", asm_unary(&a, UNARY_SIGN8, W32, R_0, R_6)) \
    F("sxth x0,w1", asm_unary(&a, UNARY_SIGN16, W64, R_0, R_1)) \
    F("uxtb w0,w1", asm_unary(&a, UNARY_ZERO8, W32, R_0, R_1)) \
    F("uxth w0,w1", asm_unary(&a, UNARY_ZERO16, W64, R_0, R_1)) \
    F("sxtw x0,w1", asm_unary(&a, UNARY_SIGN32, W64, R_0, R_1)) \
    F("rev w9,w8", asm_unary(&a, UNARY_SWAP, W32, R_9, R_8)) \
    F("rev x9,x8", asm_unary(&a, UNARY_SWAP, W64, R_9, R_8)) \
    F("clz w0,w1", asm_unary(&a, UNARY_LEADING_ZEROS, W32, R_0, R_1)) \
    F("rbit x0,x1|clz x0,x0", asm_unary(&a, UNARY_TRAILING_ZEROS, W64, R_0, R_1)) \
    F("fmov d31,x1|cnt v31.8b,v31.8b|addv b31,v31.8b|fmov w0,s31", asm_bit_count(&a, W64, R_0, R_1)) \
    F("sdiv w0,w1,w2", asm_div(&a, W32, false, R_0, R_1, R_2)) \
    F("sdiv x15,x1,x2|msub x0,x15,x2,x1", asm_div(&a, W64, true, R_0, R_1, R_2)) \
    F("smulh x0,x1,x2", asm_mul_high(&a, true, R_0, R_1, R_2)) \
    F("umulh x0,x1,x2", asm_mul_high(&a, false, R_0, R_1, R_2)) \
    F("mrs x9,cntvct_el0", asm_ticks(&a, R_9)) \
    F("cmp w0,#0x0", asm_cmp(&a, W32, R_0, op_imm(0))) \
    F("cmp x0,#0xfff", asm_cmp(&a, W64, R_0, op_imm(0xfff))) \
    F("cmp x0,#0x1,lsl #12", asm_cmp(&a, W64, R_0, op_imm(0x1000))) \
    F("cmn w0,#0x1", asm_cmp(&a, W32, R_0, op_imm(-1))) \
    F("cmp sp,x1", asm_cmp(&a, W64, R_SP, op_reg(R_1))) \
    F("mov w14,#0x80000000|cmp w0,w14", asm_cmp(&a, W32, R_0, op_imm(INT32_MIN))) \
    F("ldr x15,[x1,#8]|cmp sp,x15", asm_cmp(&a, W64, R_SP, op_mem(mem_at(R_1, 8)))) \
    F("ldrb w15,[x1]|cmp w15,#0xff", asm_cmp_mem(&a, MEM_U8, mem_at(R_1, 0), op_imm(-1))) \
    F("ldrh w15,[x1]|cmp w15,w2,uxth", asm_cmp_mem(&a, MEM_U16, mem_at(R_1, 0), op_reg(R_2))) \
    F("ldr x15,[x1]|cmp x15,x16", asm_cmp_mem(&a, MEM_64, mem_at(R_1, 0), op_reg(ASM_SCRATCH))) \
    F("tst w0,#0x4", asm_test(&a, W32, R_0, op_imm(4))) \
    F("mov w14,#0x5|tst x0,x14", asm_test(&a, W64, R_0, op_imm(5))) \
    F("tst x1,x2", asm_test(&a, W64, R_1, op_reg(R_2))) \
    F("ldr w15,[x28,#8]|tst w15,#0x100", asm_test_mem(&a, MEM_32, mem_at(R_28, 8), 256)) \
    F("ldrsb w15,[x28,#8]|tst w15,#0xffffff80", asm_test_mem(&a, MEM_U8, mem_at(R_28, 8), 128)) \
    F("cset w0,cc", asm_set(&a, COND_BELOW, R_0)) \
    F("csel w0,w1,w2,lt", asm_select(&a, COND_LT, W32, R_0, R_1, R_2)) \
    F("csel x0,x1,x2,hi", asm_select(&a, COND_ABOVE, W64, R_0, R_1, R_2)) \
    F("cmp x1,x2|cset w0,ne|cneg w0,w0,le", asm_compare3(&a, W64, R_0, R_1, R_2)) \
    F("b @", asm_jump(&a, label_here(&a))) \
    F("bl @", asm_call(&a, label_here(&a))) \
    F("b.eq @", asm_branch(&a, COND_EQ, label_here(&a))) \
    F("b.vs @", asm_branch(&a, COND_OVERFLOW, label_here(&a))) \
    F("adr x1,@|nop", asm_label_address(&a, R_1, label_here(&a))) \
    F("br x0", asm_jump_reg(&a, R_0)) \
    F("ldr x17,[x28,#24]|br x17", asm_jump_mem(&a, mem_at(R_28, 24))) \
    F("blr x0", asm_call_reg(&a, R_0)) \
    F("ldr x17,[x7,#24]|blr x17", asm_call_mem(&a, mem_at(R_7, 24))) \
    F("mov w17,#0x1234|blr x17", asm_call_c(&a, (const void *)0x1234, true)) \
    F("mov w17,#0x1234|br x17", asm_jump_c(&a, (const void *)0x1234, true)) \
    F("str x15,[sp,#-16]!", asm_push(&a, R_15)) \
    F("ldr x29,[sp],#16", asm_pop(&a, R_29)) \
    F("ret", asm_return(&a)) \
    F("udf #0", asm_trap(&a)) \
    F("fmov d1,d9", asm_fmov(&a, W64, F_1, F_9)) \
    F("fmov s1,s9", asm_fmov(&a, W32, F_1, F_9)) \
    F("movi d1,#0x0", asm_fzero(&a, W64, F_1)) \
    F("ldr s1,[x0]", asm_fload(&a, W32, F_1, mem_at(R_0, 0))) \
    F("ldur d1,[x0,#-8]", asm_fload(&a, W64, F_1, mem_at(R_0, -8))) \
    F("str d10,[x8,x9,lsl #3]", asm_fstore(&a, W64, mem_index(R_8, R_9, 3, 0), F_10)) \
    F("fadd d1,d2,d3", asm_fop(&a, FLOAT_ADD, W64, F_1, F_2, F_3)) \
    F("fsub s1,s2,s3", asm_fop(&a, FLOAT_SUB, W32, F_1, F_2, F_3)) \
    F("ldr d31,[x0,#8]|fmul d1,d2,d31", asm_fop_mem(&a, FLOAT_MUL, W64, F_1, F_2, mem_at(R_0, 8))) \
    F("fdiv d1,d2,d3", asm_fop(&a, FLOAT_DIV, W64, F_1, F_2, F_3)) \
    F("fneg s1,s2", asm_fneg(&a, W32, F_1, F_2)) \
    F("fabs d1,d2", asm_fabs(&a, W64, F_1, F_2)) \
    F("frintn d1,d2", asm_fround(&a, ROUND_NEAREST, F_1, F_2)) \
    F("frintm d1,d2", asm_fround(&a, ROUND_DOWN, F_1, F_2)) \
    F("frintp d1,d2", asm_fround(&a, ROUND_UP, F_1, F_2)) \
    F("fsqrt d1,d2", asm_fsqrt(&a, W64, F_1, F_2)) \
    F("fmadd d1,d2,d3,d1", asm_fma(&a, W64, F_1, F_2, F_3)) \
    F("fmadd s1,s2,s3,s1", asm_fma(&a, W32, F_1, F_2, F_3)) \
    F("fcvt d1,s2", asm_fconvert(&a, W64, F_1, F_2)) \
    F("fcvt s1,d2", asm_fconvert(&a, W32, F_1, F_2)) \
    F("scvtf d1,w2", asm_int_to_float(&a, W32, W64, F_1, R_2)) \
    F("scvtf s1,x2", asm_int_to_float(&a, W64, W32, F_1, R_2)) \
    F("fcvtzs x1,s2", asm_float_to_int(&a, W32, W64, R_1, F_2)) \
    F("fcvtzs w1,d2", asm_float_to_int(&a, W64, W32, R_1, F_2)) \
    F("fmov d1,x0", asm_bits_to_float(&a, W64, F_1, R_0)) \
    F("fmov w0,s1", asm_float_to_bits(&a, W32, R_0, F_1)) \
    F("fcmp d1,d2|b.mi @", asm_fbranch(&a, COND_LT, W64, F_1, F_2, false, label_here(&a))) \
    F("fcmp s1,s2|b.eq @|b.vs @", asm_fbranch(&a, COND_EQ, W32, F_1, F_2, true, label_here(&a))) \
    F("fcmp d1,d2|cset w0,ne|cneg w0,w0,le", asm_fcompare3(&a, W64, R_0, F_1, F_2, -1)) \
    F("fcmp d1,d2|cset w0,ne|cneg w0,w0,mi", asm_fcompare3(&a, W64, R_0, F_1, F_2, 1)) \
    F("dmb ish", asm_fence(&a)) \
    F("mov x15,x0|casal x15,x2,[x1]|cmp x15,x0|mov x0,x15", asm_cas(&a, MEM_64, mem_at(R_1, 0), R_2)) \
    F("mov x15,x0|casalb w15,w2,[x1]|cmp w15,w0,uxtb|mov w0,w15", asm_cas(&a, MEM_U8, mem_at(R_1, 0), R_2)) \
    F("add x17,x1,#0x10|mov x15,x0|casalh w15,w2,[x17]|cmp w15,w0,uxth|mov w0,w15", asm_cas(&a, MEM_S16, mem_at(R_1, 16), R_2)) \
    F("ldaddal w2,w0,[x1]", asm_atomic(&a, ATOMIC_ADD, MEM_32, R_0, mem_at(R_1, 0), R_2)) \
    F("swpal x2,x0,[x1]", asm_atomic(&a, ATOMIC_SWAP, MEM_64, R_0, mem_at(R_1, 0), R_2)) \
    F("ldaxr w15,[x1]|cmp w15,w0|b.ne @|stlxr w14,w2,[x1]|cbnz w14,@|dmb ish|b @|mov w0,w15", \
      older_cas(&a, MEM_32, mem_at(R_1, 0), R_2)) \
    F("ldaxrb w15,[x1]|cmp w15,w0,uxtb|b.ne @|stlxrb w14,w2,[x1]|cbnz w14,@|dmb ish|b @|mov w0,w15", \
      older_cas(&a, MEM_U8, mem_at(R_1, 0), R_2)) \
    F("ldaxr x15,[x1]|add x15,x15,x2|stlxr w14,x15,[x1]|cbnz w14,@|dmb ish|sub x0,x15,x2", \
      older_atomic(&a, ATOMIC_ADD, MEM_64, R_0, mem_at(R_1, 0), R_2)) \
    F("ldaxr w15,[x1]|stlxr w14,w2,[x1]|cbnz w14,@|dmb ish|mov w0,w15", \
      older_atomic(&a, ATOMIC_SWAP, MEM_32, R_0, mem_at(R_1, 0), R_2)) \
    F("prfm pstl1keep,[x0,#256]", asm_prefetch(&a, mem_at(R_0, 256))) \
    F("prfm pstl1keep,[x0,x1]", asm_prefetch(&a, mem_index(R_0, R_1, 0, 0)))

#endif
