/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined methods, as the rest of the base compiler sees them.  Theory: base_inline.c. */
#ifndef GRAFT_JIT_BASE_INLINE_H
#define GRAFT_JIT_BASE_INLINE_H

#include "jit/base_int.h"

/* The call of m, whose arguments are on the stack and whose receiver is checked; false: it is to be called. */
bool inline_call(Compiler *c, Method *m);
/* The same for a virtual call that names `named`; the receiver is checked, and may have another method there. */
bool inline_virtual(Compiler *c, const Method *named, u4 n, u4 index);
void inline_return(Compiler *c, u1 op);
/* A branch in a body that compares n operands, known ones; false: nothing is known. */
bool inline_decided(Compiler *c, const CfInsn *i, Cond cond, Width w, u4 n);
void inline_note(Compiler *c, Method *m);          /* the code depends on m as if it had a body of it */
void inline_load(Compiler *c, u4 local);           /* of the inlined method; without the second cell */
void inline_store(Compiler *c, u4 local, u4 cell); /* the cell is the topmost value, and is popped by the caller */
void inline_increment(Compiler *c, u4 local, int32_t by);
Reg inline_not_kept(Compiler *c, Reg r); /* the same in a register that settle_stack leaves alone */
void inline_settle(Compiler *c);
bool inline_settled(const Compiler *c);
void inline_start_block(Compiler *c);
void inline_position(Compiler *c, u4 bci, u4 depth);
void inline_test_leave(Compiler *c, Label *leave);
Mem inline_frame(const Compiler *c);      /* the inlined method's, that of R_FRAME being the root's */
void inline_enter(Compiler *c, Scope *s); /* its code is written now; NULL: the root's */
u4 inline_root_bci(const Scope *s, u4 bci);
void inline_free(Compiler *c);

#endif
