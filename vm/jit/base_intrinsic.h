/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that C or machine code stands for, as the rest of the base compiler sees them.  Theory: base_intrinsic.c. */
#ifndef GRAFT_JIT_BASE_INTRINSIC_H
#define GRAFT_JIT_BASE_INTRINSIC_H

#include "jit/base_int.h"

/* A call of m, its arguments on the stack and the receiver not null, by C or machine code that stands for it.  False: it is to be called. */
bool base_intrinsic(Compiler *c, const Method *m);
/* Object.hashCode, String.hashCode, Reference.get: virtual calls compare the receiver's vtable and do base_short. */
bool base_is_short(const Method *m);
/* The result in d, of the receiver in o, which is not null.  t is free. */
void base_short(Compiler *c, const Method *m, Reg o, Reg d, Reg t, Label *call);
bool base_is_c(const Method *m); /* may C code stand for it behind a comparison of the receiver's class, guarded_c? */
void guarded_c(Compiler *c, Method *m, const Class *k, u4 n, u4 index, const SiteCache *site);
bool base_is_clone(const Method *m); /* Object.clone, by the VM's own function */

#endif
