/* SPDX-License-Identifier: Apache-2.0 */
/* Constant objects, as the rest of the base compiler sees them.  Theory: constants.c. */
#ifndef GRAFT_JIT_BASE_HANDLES_H
#define GRAFT_JIT_BASE_HANDLES_H

#include "jit/base_int.h"
#include "jit/constants.h"

/* Replace what is on the stack by a constant.  False: it is to be read or called. */
bool handles_field(Compiler *c, const Field *fd);
bool handles_static(Compiler *c, const Field *fd);
bool handles_element(Compiler *c);
bool handles_call(Compiler *c, const Method *m);
bool handles_is(Compiler *c, u4 cell, Class *k); /* a constant of class k */
/* What a call with n cells of arguments chooses if its receiver is a constant, or NULL. */
Method *handles_virtual(Compiler *c, u4 n, u4 index);
Method *handles_interface(Compiler *c, u4 n, const Method *im);
/* invokeBasic or linkTo* whose target is known: the call of it.  False: it is not. */
bool handles_link(Compiler *c, const ResolvedMethod *rm);
/* Of any other, all cells being in memory: R_CALLEE is whom to call, or to `slow` for the helper.  False: always the helper, nothing is written. */
bool handles_find(Compiler *c, const ResolvedMethod *rm, Label *slow);

/* --- base_objects.c, for these --- */
void call_method(Compiler *c, const Method *known, u4 n, u4 pushed);
/* A call of m, its arguments on the stack and the receiver not null, in place.  False: it is to be called. */
bool call_in_place(Compiler *c, Method *m);

#endif
