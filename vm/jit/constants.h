/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that are constants of compiled code, and what is read from them while compiling.  Theory: constants.c. */
#ifndef GRAFT_JIT_CONSTANTS_H
#define GRAFT_JIT_CONSTANTS_H

#include "jit/asm/asm.h"
#include "jit/jit.h"
#include "object/field.h"
#include "object/method.h"
#include "object/version.h"

typedef struct Constant {
    u1 type;     /* BasicType */
    bool stable; /* an array whose elements stay once they are not null */
    int64_t k;   /* int and smaller: sign-extended; float: its bits, zero-extended; a reference is not null */
} Constant;

bool constant_is_own(const Class *k);   /* a class of java.lang.invoke */
bool constant_is_glue(const Method *m); /* leads from a handle to its target, or what a class library's author wants inlined */
bool constant_is_asked_for(const Method *m);     /* isCompileConstant */
bool constant_is_profile(const Method *m);       /* profileBoolean: gives its first argument, and counts for whoever compiles */
bool constant_is_counting(const Object *handle); /* its first calls, to get another form then */
bool constant_stays(const Field *fd);            /* static fields like fd: what it has now, it has for good */

/* False: it is to be read when the code runs. */
bool constant_static(const Field *fd, Constant *c);
bool constant_static_any(const Field *fd, Constant *c); /* of arrays, too: the optimiser uses their lengths and classes */
bool constant_field(const Object *from, const Field *fd, Constant *c);
/* For the optimiser: a field that is assigned once, by the constructor, and what it has in an object that is there for good; k 0: null, too. */
bool constant_lasts(const Field *fd);
bool constant_lasting(const Object *from, const Field *fd, Constant *c);
bool constant_element(const Object *stable, int64_t index, Constant *c);

/* What a call with n cells of arguments chooses for that receiver, or NULL. */
Method *constant_virtual(const Object *receiver, u4 n, u4 index);
Method *constant_interface(const Object *receiver, u4 n, const Method *im);

/* Whom invokeBasic and linkTo* call if o, the handle or the MemberName, is constant. */
typedef struct ConstantTarget {
    Method *method;
    bool named;    /* by a MemberName, which is the last operand and no argument */
    int64_t place; /* in the vtable by which the receiver has another one; -1: it is called as it is */
} ConstantTarget;
bool constant_target(const ResolvedMethod *rm, Object *o, ConstantTarget *t);

/* b is to have the code of a: which of its constants may be addresses of objects, compressed or not (CodeBlob.words, malloc'ed).  False: no memory. */
bool constants_keep(const Asm *a, CodeBlob *b);

#endif
