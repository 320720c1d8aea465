/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64: instructions as the disassembler spells them (Intel syntax, one blank), and what older CPUs lack. */
#ifndef JIT_FORMS_X64_H
#define JIT_FORMS_X64_H

enum { REG_1 = R_AX, REG_2 = R_CX, REG_3 = R_DX, REG_4 = R_BX };
static const AsmFeatures every_feature = {true, true, true, true, true, true};
static const AsmFeatures older[] = {
    {.popcnt = true}, {.popcnt = true, .sse41 = true}, {.popcnt = true, .bmi2 = true}, {.popcnt = true, .zero_counts = true}};
static AsmFeatures features_in_both(AsmFeatures x, AsmFeatures y) {
    return (AsmFeatures){x.bmi2 && y.bmi2,     x.zero_counts && y.zero_counts,
                         x.popcnt && y.popcnt, x.fma && y.fma,
                         x.sse41 && y.sse41,   x.avx2 && y.avx2};
}

#define FORMS(F) \
    F("mov rax,r9", asm_mov(&a, W64, R_AX, R_9)) \
    F("mov eax,eax", asm_mov(&a, W32, R_AX, R_AX)) \
    F("mov ecx,0xffffffff", asm_const(&a, R_CX, 0xffffffff)) \
    F("mov r8d,0x0", asm_const(&a, R_8, 0)) \
    F("mov rcx,0xffffffffffffffff", asm_const(&a, R_CX, -1)) \
    F("movabs r9,0x123456789abcdef0", asm_const(&a, R_9, 0x123456789abcdef0)) \
    F("movsx edx,BYTE PTR [rbp+0x0]", asm_load(&a, MEM_S8, R_DX, mem_at(R_BP, 0))) \
    F("movzx edx,BYTE PTR [r13+0x0]", asm_load(&a, MEM_U8, R_DX, mem_at(R_13, 0))) \
    F("movsx r10d,WORD PTR [rsp+0x8]", asm_load(&a, MEM_S16, R_10, mem_at(R_SP, 8))) \
    F("movzx edx,WORD PTR [r12]", asm_load(&a, MEM_U16, R_DX, mem_at(R_12, 0))) \
    F("mov edx,DWORD PTR [rax+r14*4+0x10]", asm_load(&a, MEM_32, R_DX, mem_index(R_AX, R_14, 2, 16))) \
    F("movsxd rdx,DWORD PTR [rbx-0x80]", asm_load(&a, MEM_S32, R_DX, mem_at(R_BX, -128))) \
    F("mov rdx,QWORD PTR [rbx+0x80]", asm_load(&a, MEM_64, R_DX, mem_at(R_BX, 128))) \
    F("mov rdx,QWORD PTR ds:0x10000", asm_load(&a, MEM_64, R_DX, mem_at(NO_REG, 0x10000))) \
    F("mov edx,DWORD PTR [rcx*8+0x10]", asm_load(&a, MEM_32, R_DX, mem_index(NO_REG, R_CX, 3, 16))) \
    F("mov BYTE PTR [rdi],sil", asm_store(&a, MEM_U8, mem_at(R_DI, 0), R_SI)) \
    F("mov WORD PTR [rdi],r9w", asm_store(&a, MEM_S16, mem_at(R_DI, 0), R_9)) \
    F("mov DWORD PTR [rdi],esi", asm_store(&a, MEM_32, mem_at(R_DI, 0), R_SI)) \
    F("mov QWORD PTR [rdi],rsi", asm_store(&a, MEM_64, mem_at(R_DI, 0), R_SI)) \
    F("mov BYTE PTR [rdi],0x1", asm_store_const(&a, MEM_U8, mem_at(R_DI, 0), 1)) \
    F("mov WORD PTR [rdi],0x102", asm_store_const(&a, MEM_U16, mem_at(R_DI, 0), 0x102)) \
    F("mov DWORD PTR [rdi],0x7", asm_store_const(&a, MEM_32, mem_at(R_DI, 0), 7)) \
    F("mov QWORD PTR [rdi],0xffffffffffffffff", asm_store_const(&a, MEM_64, mem_at(R_DI, 0), -1)) \
    F("lea rax,[rdi+rsi*1+0x4]", asm_address(&a, R_AX, mem_index(R_DI, R_SI, 0, 4))) \
    F("lea eax,[rcx+rdx*1]", asm_alu(&a, ALU_ADD, W32, R_AX, R_CX, op_reg(R_DX))) \
    F("lea rax,[rcx-0x8]", asm_alu(&a, ALU_ADD, W64, R_AX, R_CX, op_imm(-8))) \
    F("add eax,0x7f", asm_alu(&a, ALU_ADD, W32, R_AX, R_AX, op_imm(127))) \
    F("sub rax,0x80", asm_alu(&a, ALU_SUB, W64, R_AX, R_AX, op_imm(128))) \
    F("and r8d,DWORD PTR [rax+0x8]", asm_alu(&a, ALU_AND, W32, R_8, R_8, op_mem(mem_at(R_AX, 8)))) \
    F("or rax,r15", asm_alu(&a, ALU_OR, W64, R_AX, R_AX, op_reg(R_15))) \
    F("xor eax,ecx", asm_alu(&a, ALU_XOR, W32, R_AX, R_AX, op_reg(R_CX))) \
    F("imul eax,ecx,0x64", asm_alu(&a, ALU_MUL, W32, R_AX, R_CX, op_imm(100))) \
    F("imul rax,rcx,0x3e8", asm_alu(&a, ALU_MUL, W64, R_AX, R_CX, op_imm(1000))) \
    F("imul rax,rcx", asm_alu(&a, ALU_MUL, W64, R_AX, R_AX, op_reg(R_CX))) \
    F("add DWORD PTR [rax],ecx", asm_alu_mem(&a, ALU_ADD, W32, mem_at(R_AX, 0), op_reg(R_CX))) \
    F("or QWORD PTR [rax],0x1", asm_alu_mem(&a, ALU_OR, W64, mem_at(R_AX, 0), op_imm(1))) \
    F("shl eax,1", asm_shift(&a, SHIFT_LEFT, W32, R_AX, R_AX, op_imm(33))) \
    F("sar rax,0x20", asm_shift(&a, SHIFT_RIGHT, W64, R_AX, R_AX, op_imm(32))) \
    F("shr eax,0x3", asm_shift(&a, SHIFT_RIGHT_UNSIGNED, W32, R_AX, R_AX, op_imm(3))) \
    F("ror eax,0x3", asm_shift(&a, SHIFT_ROTATE_RIGHT, W32, R_AX, R_AX, op_imm(3))) \
    F("shlx eax,ecx,r10d", asm_shift(&a, SHIFT_LEFT, W32, R_AX, R_CX, op_reg(R_10))) \
    F("sarx r8,r9,rax", asm_shift(&a, SHIFT_RIGHT, W64, R_8, R_9, op_reg(R_AX))) \
    F("shrx eax,ecx,edx", asm_shift(&a, SHIFT_RIGHT_UNSIGNED, W32, R_AX, R_CX, op_reg(R_DX))) \
    F("neg eax", asm_unary(&a, UNARY_NEG, W32, R_AX, R_AX)) \
    F("not rax", asm_unary(&a, UNARY_NOT, W64, R_AX, R_AX)) \
    F("movsx eax,sil", asm_unary(&a, UNARY_SIGN8, W32, R_AX, R_SI)) \
    F("movsx rax,cx", asm_unary(&a, UNARY_SIGN16, W64, R_AX, R_CX)) \
    F("movzx eax,cl", asm_unary(&a, UNARY_ZERO8, W32, R_AX, R_CX)) \
    F("movzx eax,cx", asm_unary(&a, UNARY_ZERO16, W32, R_AX, R_CX)) \
    F("movsxd rax,ecx", asm_unary(&a, UNARY_SIGN32, W64, R_AX, R_CX)) \
    F("bswap r9d", asm_unary(&a, UNARY_SWAP, W32, R_9, R_9)) \
    F("lzcnt eax,ecx", asm_unary(&a, UNARY_LEADING_ZEROS, W32, R_AX, R_CX)) \
    F("tzcnt rax,rcx", asm_unary(&a, UNARY_TRAILING_ZEROS, W64, R_AX, R_CX)) \
    F("popcnt eax,ecx", asm_bit_count(&a, W32, R_AX, R_CX)) \
    F("rdtsc|shl rdx,0x20|or rax,rdx|mov rdi,rax", asm_ticks(&a, R_DI)) \
    F("test eax,eax", asm_cmp(&a, W32, R_AX, op_imm(0))) \
    F("cmp rax,0x10", asm_cmp(&a, W64, R_AX, op_imm(16))) \
    F("cmp eax,DWORD PTR [rcx+0x8]", asm_cmp(&a, W32, R_AX, op_mem(mem_at(R_CX, 8)))) \
    F("cmp BYTE PTR [rcx],0x1", asm_cmp_mem(&a, MEM_U8, mem_at(R_CX, 0), op_imm(1))) \
    F("cmp QWORD PTR [rcx],rdx", asm_cmp_mem(&a, MEM_64, mem_at(R_CX, 0), op_reg(R_DX))) \
    F("test al,0x4", asm_test(&a, W32, R_AX, op_imm(4))) \
    F("test rcx,rdx", asm_test(&a, W64, R_CX, op_reg(R_DX))) \
    F("test DWORD PTR [r15+0x8],0x100", asm_test_mem(&a, MEM_32, mem_at(R_15, 8), 256)) \
    F("cmovl eax,ecx", asm_select(&a, COND_LT, W32, R_AX, R_CX, R_AX)) \
    F("jmp rax", asm_jump_reg(&a, R_AX)) \
    F("jmp QWORD PTR [r15+0x18]", asm_jump_mem(&a, mem_at(R_15, 24))) \
    F("call rax", asm_call_reg(&a, R_AX)) \
    F("call QWORD PTR [rdi+0x18]", asm_call_mem(&a, mem_at(R_DI, 24))) \
    F("push r15", asm_push(&a, R_15)) \
    F("pop rbp", asm_pop(&a, R_BP)) \
    F("ret", asm_return(&a)) \
    F("ud2", asm_trap(&a)) \
    F("movaps xmm1,xmm9", asm_fmov(&a, W64, F_1, F_9)) \
    F("xorps xmm1,xmm1", asm_fzero(&a, W64, F_1)) \
    F("movss xmm1,DWORD PTR [rax]", asm_fload(&a, W32, F_1, mem_at(R_AX, 0))) \
    F("movsd QWORD PTR [r8],xmm10", asm_fstore(&a, W64, mem_at(R_8, 0), F_10)) \
    F("addsd xmm1,xmm2", asm_fop(&a, FLOAT_ADD, W64, F_1, F_1, F_2)) \
    F("subss xmm1,xmm2", asm_fop(&a, FLOAT_SUB, W32, F_1, F_1, F_2)) \
    F("mulsd xmm1,QWORD PTR [rax+0x8]", asm_fop_mem(&a, FLOAT_MUL, W64, F_1, F_1, mem_at(R_AX, 8))) \
    F("divsd xmm1,xmm2", asm_fop(&a, FLOAT_DIV, W64, F_1, F_1, F_2)) \
    F("roundsd xmm1,xmm2,0x9", asm_fround(&a, ROUND_DOWN, F_1, F_2)) \
    F("roundsd xmm9,xmm10,0xa", asm_fround(&a, ROUND_UP, F_9, F_10)) \
    F("roundsd xmm1,xmm10,0x8", asm_fround(&a, ROUND_NEAREST, F_1, F_10)) \
    F("movups xmm1,XMMWORD PTR [rcx+rax*4+0x10]", asm_vector_load(&a, false, F_1, mem_index(R_CX, R_AX, 2, 16))) \
    F("movups XMMWORD PTR [r9+rax*8+0x10],xmm10", asm_vector_store(&a, false, mem_index(R_9, R_AX, 3, 16), F_10)) \
    F("paddd xmm1,xmm2", asm_vector_op(&a, VECTOR_ADD, (Vector){.of = OF_INTS}, F_1, F_1, F_2)) \
    F("paddq xmm9,xmm2", asm_vector_op(&a, VECTOR_ADD, (Vector){.of = OF_LONGS}, F_9, F_9, F_2)) \
    F("psubd xmm1,xmm10", asm_vector_op(&a, VECTOR_SUB, (Vector){.of = OF_INTS}, F_1, F_1, F_10)) \
    F("psubq xmm1,xmm2", asm_vector_op(&a, VECTOR_SUB, (Vector){.of = OF_LONGS}, F_1, F_1, F_2)) \
    F("pmulld xmm1,xmm10", asm_vector_op(&a, VECTOR_MUL, (Vector){.of = OF_INTS}, F_1, F_1, F_10)) \
    F("pand xmm1,xmm2", asm_vector_op(&a, VECTOR_AND, (Vector){.of = OF_INTS}, F_1, F_1, F_2)) \
    F("por xmm1,xmm2", asm_vector_op(&a, VECTOR_OR, (Vector){.of = OF_LONGS}, F_1, F_1, F_2)) \
    F("pxor xmm1,xmm2", asm_vector_op(&a, VECTOR_XOR, (Vector){.of = OF_INTS}, F_1, F_1, F_2)) \
    F("pslld xmm9,0x5", asm_vector_shift(&a, VECTOR_SHL, (Vector){.of = OF_INTS}, F_9, F_9, 5)) \
    F("psrad xmm1,0x1f", asm_vector_shift(&a, VECTOR_SHR, (Vector){.of = OF_INTS}, F_1, F_1, 31)) \
    F("psrld xmm1,0x1", asm_vector_shift(&a, VECTOR_USHR, (Vector){.of = OF_INTS}, F_1, F_1, 1)) \
    F("psllq xmm1,0x3f", asm_vector_shift(&a, VECTOR_SHL, (Vector){.of = OF_LONGS}, F_1, F_1, 63)) \
    F("psrlq xmm1,0x7", asm_vector_shift(&a, VECTOR_USHR, (Vector){.of = OF_LONGS}, F_1, F_1, 7)) \
    F("addps xmm1,xmm2", asm_vector_op(&a, VECTOR_ADD, (Vector){.of = OF_FLOATS}, F_1, F_1, F_2)) \
    F("subpd xmm1,xmm2", asm_vector_op(&a, VECTOR_SUB, (Vector){.of = OF_DOUBLES}, F_1, F_1, F_2)) \
    F("mulpd xmm1,xmm9", asm_vector_op(&a, VECTOR_MUL, (Vector){.of = OF_DOUBLES}, F_1, F_1, F_9)) \
    F("divps xmm1,xmm2", asm_vector_op(&a, VECTOR_DIV, (Vector){.of = OF_FLOATS}, F_1, F_1, F_2)) \
    F("sqrtpd xmm9,xmm2", asm_vector_op(&a, VECTOR_ROOT, (Vector){.of = OF_DOUBLES}, F_9, F_1, F_2)) \
    F("paddb xmm1,xmm2", asm_vector_op(&a, VECTOR_ADD, (Vector){.of = OF_BYTES}, F_1, F_1, F_2)) \
    F("psubw xmm1,xmm2", asm_vector_op(&a, VECTOR_SUB, (Vector){.of = OF_SHORTS}, F_1, F_1, F_2)) \
    F("pmullw xmm1,xmm10", asm_vector_op(&a, VECTOR_MUL, (Vector){.of = OF_SHORTS}, F_1, F_1, F_10)) \
    F("pminsd xmm1,xmm2", asm_vector_op(&a, VECTOR_MIN, (Vector){.of = OF_INTS}, F_1, F_1, F_2)) \
    F("pmaxsd xmm9,xmm2", asm_vector_op(&a, VECTOR_MAX, (Vector){.of = OF_INTS}, F_9, F_9, F_2)) \
    F("pand xmm1,xmm2", asm_vector_op(&a, VECTOR_AND, (Vector){.of = OF_DOUBLES}, F_1, F_1, F_2)) \
    F("vmovups ymm1,YMMWORD PTR [rcx+rax*4+0x10]", asm_vector_load(&a, true, F_1, mem_index(R_CX, R_AX, 2, 16))) \
    F("vmovups ymm9,YMMWORD PTR [rcx+r9*4+0x110]", asm_vector_load(&a, true, F_9, mem_index(R_CX, R_9, 2, 0x110))) \
    F("vmovups YMMWORD PTR [r9+rax*8+0x10],ymm10", asm_vector_store(&a, true, mem_index(R_9, R_AX, 3, 16), F_10)) \
    F("vpaddd ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_ADD, (Vector){OF_INTS, true}, F_1, F_2, F_3)) \
    F("vpaddq ymm9,ymm2,ymm10", asm_vector_op(&a, VECTOR_ADD, (Vector){OF_LONGS, true}, F_9, F_2, F_10)) \
    F("vpaddb ymm1,ymm10,ymm3", asm_vector_op(&a, VECTOR_ADD, (Vector){OF_BYTES, true}, F_1, F_10, F_3)) \
    F("vpsubw ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_SUB, (Vector){OF_SHORTS, true}, F_1, F_2, F_3)) \
    F("vpmulld ymm1,ymm2,ymm10", asm_vector_op(&a, VECTOR_MUL, (Vector){OF_INTS, true}, F_1, F_2, F_10)) \
    F("vpmullw ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_MUL, (Vector){OF_SHORTS, true}, F_1, F_2, F_3)) \
    F("vpminsd ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_MIN, (Vector){OF_INTS, true}, F_1, F_2, F_3)) \
    F("vpmaxsd ymm9,ymm2,ymm3", asm_vector_op(&a, VECTOR_MAX, (Vector){OF_INTS, true}, F_9, F_2, F_3)) \
    F("vpand ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_AND, (Vector){OF_LONGS, true}, F_1, F_2, F_3)) \
    F("vpor ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_OR, (Vector){OF_INTS, true}, F_1, F_2, F_3)) \
    F("vpxor ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_XOR, (Vector){OF_DOUBLES, true}, F_1, F_2, F_3)) \
    F("vaddps ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_ADD, (Vector){OF_FLOATS, true}, F_1, F_2, F_3)) \
    F("vsubpd ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_SUB, (Vector){OF_DOUBLES, true}, F_1, F_2, F_3)) \
    F("vmulpd ymm1,ymm10,ymm9", asm_vector_op(&a, VECTOR_MUL, (Vector){OF_DOUBLES, true}, F_1, F_10, F_9)) \
    F("vdivps ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_DIV, (Vector){OF_FLOATS, true}, F_1, F_2, F_3)) \
    F("vsqrtpd ymm1,ymm10", asm_vector_op(&a, VECTOR_ROOT, (Vector){OF_DOUBLES, true}, F_1, F_2, F_10)) \
    F("vpslld ymm9,ymm1,0x5", asm_vector_shift(&a, VECTOR_SHL, (Vector){OF_INTS, true}, F_9, F_1, 5)) \
    F("vpsrad ymm1,ymm10,0x1f", asm_vector_shift(&a, VECTOR_SHR, (Vector){OF_INTS, true}, F_1, F_10, 31)) \
    F("vpsrlq ymm1,ymm2,0x7", asm_vector_shift(&a, VECTOR_USHR, (Vector){OF_LONGS, true}, F_1, F_2, 7)) \
    F("vbroadcastss ymm1,xmm10", asm_vector_of_freg(&a, (Vector){OF_FLOATS, true}, F_1, F_10)) \
    F("vbroadcastsd ymm9,xmm2", asm_vector_of_freg(&a, (Vector){OF_DOUBLES, true}, F_9, F_2)) \
    F("vmovd xmm1,ecx|vpbroadcastd ymm1,xmm1", asm_vector_of_reg(&a, (Vector){OF_INTS, true}, F_1, R_CX)) \
    F("vmovq xmm9,r10|vpbroadcastq ymm9,xmm9", asm_vector_of_reg(&a, (Vector){OF_LONGS, true}, F_9, R_10)) \
    F("movaps xmm1,xmm2|pshufd xmm15,xmm1,0x4e|paddq xmm1,xmm15", \
      asm_vector_reduce(&a, VECTOR_ADD, (Vector){.of = OF_LONGS}, F_1, F_2)) \
    F("vextracti128 xmm15,ymm2,0x1|vpxor xmm1,xmm2,xmm15|vpshufd xmm15,xmm1,0x4e|vpxor xmm1,xmm1,xmm15|vpshufd xmm15,xmm1,0x55|vpxor xmm1,xmm1,xmm15", \
      asm_vector_reduce(&a, VECTOR_XOR, (Vector){OF_INTS, true}, F_1, F_2)) \
    F("pshufd xmm15,xmm2,0x4e|pmovsxdq xmm15,xmm15|pmovsxdq xmm1,xmm2|paddq xmm1,xmm15", asm_vector_widen(&a, false, F_1, F_2)) \
    F("vextracti128 xmm15,ymm2,0x1|vpmovsxdq ymm15,xmm15|vpmovsxdq ymm9,xmm2|vpaddq ymm9,ymm9,ymm15", \
      asm_vector_widen(&a, true, F_9, F_2)) \
    F("pcmpeqd xmm1,xmm10", asm_vector_op(&a, VECTOR_EQ, (Vector){.of = OF_INTS}, F_1, F_1, F_10)) \
    F("vpcmpeqd ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_EQ, (Vector){OF_INTS, true}, F_1, F_2, F_3)) \
    F("vpcmpgtd ymm9,ymm2,ymm3", asm_vector_op(&a, VECTOR_GT, (Vector){OF_INTS, true}, F_9, F_2, F_3)) \
    F("pandn xmm1,xmm2", asm_vector_op(&a, VECTOR_NOT_AND, (Vector){.of = OF_INTS}, F_1, F_1, F_2)) \
    F("vpandn ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_NOT_AND, (Vector){OF_INTS, true}, F_1, F_2, F_3)) \
    F("pcmpeqb xmm1,xmm2", asm_vector_op(&a, VECTOR_EQ, (Vector){.of = OF_BYTES}, F_1, F_1, F_2)) \
    F("vpcmpeqw ymm1,ymm2,ymm3", asm_vector_op(&a, VECTOR_EQ, (Vector){OF_SHORTS, true}, F_1, F_2, F_3)) \
    F("pxor xmm15,xmm15|psubw xmm15,xmm2|pxor xmm1,xmm1|psadbw xmm1,xmm15|pshufd xmm15,xmm1,0x4e|paddq xmm1,xmm15", \
      asm_vector_count(&a, (Vector){.of = OF_SHORTS}, F_1, F_2)) \
    F("vpxor ymm15,ymm15,ymm15|vpsubb ymm1,ymm15,ymm2|vpsadbw ymm1,ymm1,ymm15|vextracti128 xmm15,ymm1,0x1|vpaddq xmm1,xmm1,xmm15|vpshufd xmm15,xmm1,0x4e|vpaddq xmm1,xmm1,xmm15", \
      asm_vector_count(&a, (Vector){OF_BYTES, true}, F_1, F_2)) \
    F("vzeroupper", asm_end_wide_vectors(&a)) \
    F("pshufd xmm1,xmm2,0x0", asm_vector_of_freg(&a, (Vector){.of = OF_FLOATS}, F_1, F_2)) \
    F("pshufd xmm9,xmm10,0x44", asm_vector_of_freg(&a, (Vector){.of = OF_DOUBLES}, F_9, F_10)) \
    F("sqrtsd xmm1,xmm2", asm_fsqrt(&a, W64, F_1, F_2)) \
    F("vfmadd231sd xmm1,xmm2,xmm9", asm_fma(&a, W64, F_1, F_2, F_9)) \
    F("vfmadd231ss xmm10,xmm2,xmm3", asm_fma(&a, W32, F_10, F_2, F_3)) \
    F("cvtss2sd xmm1,xmm2", asm_fconvert(&a, W64, F_1, F_2)) \
    F("movq xmm1,rax", asm_bits_to_float(&a, W64, F_1, R_AX)) \
    F("movd eax,xmm1", asm_float_to_bits(&a, W32, R_AX, F_1)) \
    F("lock or DWORD PTR [rsp],0x0", asm_fence(&a)) \
    F("lock cmpxchg QWORD PTR [rcx],rdx", asm_cas(&a, MEM_64, mem_at(R_CX, 0), R_DX)) \
    F("lock cmpxchg BYTE PTR [rcx],sil", asm_cas(&a, MEM_U8, mem_at(R_CX, 0), R_SI)) \
    F("lock xadd DWORD PTR [rcx],eax", asm_atomic(&a, ATOMIC_ADD, MEM_32, R_AX, mem_at(R_CX, 0), R_AX)) \
    F("xchg QWORD PTR [rcx],rax", asm_atomic(&a, ATOMIC_SWAP, MEM_64, R_AX, mem_at(R_CX, 0), R_AX)) \
    F("prefetchw BYTE PTR [rax+0x100]", asm_prefetch(&a, mem_at(R_AX, 256)))

#endif
