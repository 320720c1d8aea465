/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linking, resolution, access, initialisation (JVMS 5.4, 5.5).  Method handles: invoke/invoke.h.
 */
#ifndef GRAFT_LINK_LINK_H
#define GRAFT_LINK_LINK_H

#include "load/loader.h"
#include "exec/throw.h"
#include "object/class.h"
#include "object/field.h"
#include "object/version.h"

/* Links supers, decodes methods, verifies, builds vtable/itable (link/link.c).  [gc][throws][blocks] */
bool class_link(Thread *t, Class *c);
/* JVMS 5.5 (link/init.c); runs <clinit>.  True = initialised (or being initialised by this thread). */
bool class_init_slow(Thread *t, Class *c);
static inline bool class_init(Thread *t, Class *c) { return LIKELY(class_is_initialized(c)) || class_init_slow(t, c); }
Object *class_new_object(Thread *t,
                         Class *c); /* of a class that has instances; initialised first; no constructor runs. [gc][throws] */
/* The same of any class, as reflection, JNI and Unsafe ask for it: InstantiationException, or IllegalAccessException for Class. */
Object *class_instantiate(Thread *t, Class *c);

/* --- lookup, no access checks, no exceptions --- */
Method *version_find_method(const ClassVersion *v, const Symbol *name, const Symbol *desc);
Method *class_find_declared_method(Class *c, Symbol *name, Symbol *desc);    /* this class only */
Method *class_find_method(Class *c, Symbol *name, Symbol *desc);             /* class, supers, then interfaces */
Method *class_find_method_str(Class *c, const char *name, const char *desc); /* convenience */
Method *class_find_interface_method(Class *c, Symbol *name, Symbol *desc);
Field *class_find_declared_field(Class *c, Symbol *name, Symbol *desc);
Field *class_find_named_field(const Class *c, const char *name); /* declared, the first of any type */
Field *class_find_field(Class *c, Symbol *name, Symbol *desc);   /* JVMS 5.4.3.2 order */
Field *class_find_field_str(Class *c, const char *name, const char *desc);

/* --- pool resolution (link/resolve.c; fields and methods: link/resolve_member.c): the class is the version's owner; results are cached,
 *     errors are sticky and rethrown identically [gc][throws][blocks] --- */
Class *resolve_class(Thread *t, ClassVersion *v, u2 idx);
Field *resolve_field(Thread *t, ClassVersion *v, u2 idx, bool is_static, bool is_put, Method *caller);
typedef enum InvokeKind { INVOKE_VIRTUAL, INVOKE_SPECIAL, INVOKE_STATIC, INVOKE_INTERFACE } InvokeKind;
/* For MethodHandle.invoke* and VarHandle methods the result's method is the adapter and
 * `appendix` is set (or NULL). */
ResolvedMethod *resolve_method(Thread *t, ClassVersion *v, u2 idx, InvokeKind kind, Method *caller);
/* invokespecial's selected method, JVMS 6.5.invokespecial. */
Method *select_special(Thread *t, Class *caller, u2 idx, ResolvedMethod *rm);
/* The same for a method handle: what findSpecial of c reaches when m was found; caller NULL: nobody's call. */
Method *link_special(Thread *t, Class *caller, Class *c, Method *m);
/* IncompatibleClassChangeError unless m is static exactly when it should be. */
bool link_check_static(Thread *t, const Method *m, bool is_static);
/* ldc family: String, Class, MethodType, MethodHandle, dynamic; primitives in the slot. */
bool resolve_constant(Thread *t, ClassVersion *v, u2 idx, Slot *out, BasicType *type);
/* The same of one that needs nothing more; false: it has not been resolved, or failed.  out->raw: 32 bits of those that have so many.  For any thread. */
bool resolved_constant(const ClassVersion *v, u2 idx, Slot *out, BasicType *type);
Object *resolve_string(Thread *t, ClassVersion *v, u2 idx);
CallSite *resolve_call_site(Thread *t, ClassVersion *v, u2 idx, u4 site); /* invokedynamic */
/* Symbolic names (link/pool.c) */
Symbol *pool_utf8(ClassVersion *v, u2 idx);
Symbol *pool_class_name(ClassVersion *v, u2 class_idx);
void pool_name_and_type(ClassVersion *v, u2 member_idx, Symbol **cls, Symbol **name, Symbol **desc);

/* --- lookup with JVMS checks, by symbols (JNI, MethodHandles) [throws] --- */
Method *link_find_method(Thread *t, Class *ref_class, Symbol *name, Symbol *desc, bool interface_ref,
                         Class *caller /* NULL: no access check */);
Field *link_find_field(Thread *t, Class *ref_class, Symbol *name, Symbol *desc, Class *caller);

/* "'void a.B.m(int)'" without the quotes, as java users know methods; "void m(int)" without holder.
 * Returns buf. */
const char *method_external_name(const Class *holder, const Symbol *name, const Symbol *desc, char *buf, size_t len);
typedef struct MethodText { /* for one expression, as ClassText (exec/throw.h) */
    char s[1200];
} MethodText;
MethodText method_text(const Class *holder, const Symbol *name, const Symbol *desc);

/* --- access (link/access.c) --- */
/* Why access_class says no, in terms of modules; NULL when it is not about modules. */
const char *access_class_reason(Class *from, Class *to, char *buf, size_t len);
/* "A and B are in unnamed module of loader 'app'", or "A is in ...; B is in ...". */
void access_where(Class *a, Class *b, char *buf, size_t len);
bool access_class(Class *from, Class *to);                  /* no exception */
bool access_class_check(Thread *t, Class *from, Class *to); /* IllegalAccessError */
bool access_member(Class *from, Class *member_holder, Class *ref_class, u2 access);
bool access_same_package(Class *a, Class *b);
Class *access_nest_host(Thread *t, Class *c); /* never NULL; errors swallowed */

/* --- verification (link/verify.c) --- */
extern bool verify_local, verify_remote; /* -Xverify */
static inline bool verify_loader(const Loader *l) { return l == BOOT_LOADER ? verify_local : verify_remote; }
/* A version of a class that is loaded, not necessarily its current one [throws].  `sameness`, NULL or one of redefine_int.h per
 * method of v: which of them an older version has passed with already. */
bool version_verify(Thread *t, ClassVersion *v, const u1 *sameness);

#endif
