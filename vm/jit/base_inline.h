/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined methods, as the rest of the base compiler sees them.  Theory: base_inline.c. */
#ifndef GRAFT_JIT_BASE_INLINE_H
#define GRAFT_JIT_BASE_INLINE_H

#include "jit/base_int.h"

/* The call of m, whose arguments are on the stack and whose receiver is checked; false: it is to be called. */
bool inline_call(Compiler *c, Method *m);
/* The same for a virtual call whose receiver is of class `named`; it may be null, and may have another method there. */
bool inline_virtual(Compiler *c, Class *named, u4 n, u4 index);
/* The same for m, which the call finds in objects of k, or NULL: what has m at `index`.  site: of an interface call, for others. */
bool inline_guarded(Compiler *c, Method *m, const Class *k, u4 n, u4 index, const SiteCache *site);
bool guards_leaf(const Method *m); /* may its few instructions stand behind such a comparison? */
/* Flags: equal if the receiver, in o, which may be null, has m at `index` of its vtable, as objects of k, or NULL, have; else to `other`.  t is free. */
void guard_receiver(Compiler *c, const Method *m, const Class *k, u4 receiver, Reg o, Reg t, u4 index, Label *other);
/* The class that all objects of `named` are of, for now, if they have m at `index`; or NULL. */
const Class *sole_receiver(const Compiler *c, Class *named, const Method *m, u4 index);
void inline_note(Compiler *c, Method *m); /* the code goes when m changes */
void inline_return(Compiler *c, u1 op);
void inline_go_to(Compiler *c, u4 target);         /* of a body, forwards */
void inline_load(Compiler *c, u4 local);           /* of the inlined method; without the second cell */
void inline_store(Compiler *c, u4 local, u4 cell); /* the cell is the topmost value, and is popped by the caller */
void inline_increment(Compiler *c, u4 local, int32_t by);
Reg inline_not_kept(Compiler *c, Reg r); /* the same in a register that settle_stack leaves alone */
void inline_settle(Compiler *c);
const Value *inline_kept(const Compiler *c, u4 cell); /* what the cell is at all boundaries of blocks, or NULL */
void inline_part(Compiler *c, u4 cell);               /* a cell that equals a local gets a register of its own */
void inline_start_block(Compiler *c);
void inline_position(Compiler *c, u4 bci, u4 depth);
void inline_write_shared(Compiler *c);            /* what code behind the rest has called: the last code of all */
void inline_leave(Compiler *c);                   /* from there: as leave_by_stub */
void inline_entering(Compiler *c, bool entering); /* a synchronized method, whose monitor it does not have yet */
bool inline_root_stands(const Compiler *c);       /* the root's position is that of the call of the body */
void inline_test_leave(Compiler *c, Label *leave);
Mem inline_frame(const Compiler *c);      /* the inlined method's, that of R_FRAME being the root's */
void inline_enter(Compiler *c, Scope *s); /* its code is written now; NULL: the root's */
const Method *inline_caller(
    const Compiler *c); /* of the method whose code is written, as getCallerClass sees it; NULL: not known */
u4 inline_root_bci(const Scope *s, u4 bci);
void note_place(Compiler *c, const Scope *s, u4 bci); /* the code from here on is that of the instruction */
u4 inline_number(const Scope *s);                     /* of a CodeScope; NULL: the root's */
CodeScope *inline_scopes(const Compiler *c);          /* all of them; NULL: none, or no memory */
void inline_free(Compiler *c);
/* Of a synchronized body, whose frame is not there; its receiver is in the cell: base_monitor.c. */
void enter_body_sync(Compiler *c, u4 receiver);
void leave_body_sync(Compiler *c, u4 receiver);
const Value *value_of(const Compiler *c, u4 cell); /* of it, or of the cell it is equal to */
bool cond_holds(Cond cond, int64_t x, int64_t y);  /* a signed one */

#endif
