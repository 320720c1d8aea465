/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that stubs and compilers agree on, and where cells of the frame are: jit.h, base_inline.c. */
#ifndef GRAFT_JIT_CODE_REGS_H
#define GRAFT_JIT_CODE_REGS_H

#include "jit/jit_int.h"

enum { R_THREAD = R_BX, R_FRAME = R_BP, R_CALLEE = R_DI, R_ARGS = R_SI };

static inline Mem cell_mem(u4 cell) { return mem_at(R_FRAME, (int32_t)(sizeof(Frame) + 8 * cell)); }
static inline Mem frame_mem(size_t offset) { return mem_at(R_FRAME, (int32_t)offset); }
static inline Mem thread_mem(size_t offset) { return mem_at(R_THREAD, (int32_t)offset); }

/* --- code_barrier.c: a reference was stored in the object in `holder`; t is free --- */
void code_mark_card(Asm *a, Reg holder, Reg t);
void code_mark_card_of(Asm *a, u8 holder); /* the same at an address that is known */

/* --- code_target.c --- */
/* R_CALLEE becomes whom invokeBasic or linkTo* calls with the first and last operand in these cells, or to `slow`, for jit_h_link.  Other
 * temporaries and R_ARGS are free.  False: always the helper, nothing is written. */
bool code_find_target(Asm *a, MethodKind kind, Mem first, Mem last, Label *slow);

#endif
