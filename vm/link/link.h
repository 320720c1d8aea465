/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linking, resolution, access, initialisation, method handles (JVMS 5.4, 5.5).
 */
#ifndef GRAFT_LINK_LINK_H
#define GRAFT_LINK_LINK_H

#include "load/loader.h"
#include "exec/throw.h"

/* --- layout and dispatch tables (link/layout.c, link/prepare.c) --- */
/* Called by define: field offsets, instance size, reference map. */
bool class_layout(Thread *t, Class *c);
/* Offset of a field the VM added to a library class (rows in load/class_model.c). */
u4 layout_injected_offset(const char *cls, const char *field);
/* Links supers, verifies, builds vtable/itable, decodes methods.  [gc][throws][blocks] */
bool class_link(Thread *t, Class *c);
/* JVMS 5.5; runs <clinit>.  True = initialised (or being initialised by this thread). */
bool class_init_slow(Thread *t, Class *c);
static inline bool class_init(Thread *t, Class *c) {
    return LIKELY(class_is_initialized(c)) || class_init_slow(t, c);
}
/* Ready for getstatic & co. to be quickened? */
static inline bool class_ready(Class *c) { return class_is_initialized(c); }

/* --- lookup, no access checks, no exceptions --- */
Method *class_find_declared_method(Class *c, Symbol *name, Symbol *desc);   /* this class only */
Method *class_find_method(Class *c, Symbol *name, Symbol *desc);            /* class, supers, then interfaces */
Method *class_find_method_str(Class *c, const char *name, const char *desc); /* convenience */
Method *class_find_interface_method(Class *c, Symbol *name, Symbol *desc);
Field *class_find_declared_field(Class *c, Symbol *name, Symbol *desc);
Field *class_find_field(Class *c, Symbol *name, Symbol *desc);              /* JVMS 5.4.3.2 order */
Field *class_find_field_str(Class *c, const char *name, const char *desc);

/* --- pool resolution (link/resolve.c): the class is the version's owner; results are cached,
 *     errors are sticky and rethrown identically [gc][throws][blocks] --- */
Class *resolve_class(Thread *t, ClassVersion *v, u2 idx);
Field *resolve_field(Thread *t, ClassVersion *v, u2 idx, bool is_static, bool is_put, Method *caller);
typedef enum InvokeKind { INVOKE_VIRTUAL, INVOKE_SPECIAL, INVOKE_STATIC, INVOKE_INTERFACE } InvokeKind;
/* For MethodHandle.invoke* and VarHandle methods the result's method is the adapter and
 * `appendix` is set (or NULL). */
ResolvedMethod *resolve_method(Thread *t, ClassVersion *v, u2 idx, InvokeKind kind, Method *caller);
/* invokespecial's selected method, JVMS 6.5.invokespecial. */
Method *select_special(Thread *t, Class *caller, u2 idx, ResolvedMethod *rm);
/* ldc family: String, Class, MethodType, MethodHandle, dynamic; primitives in the slot. */
bool resolve_constant(Thread *t, ClassVersion *v, u2 idx, Slot *out, BasicType *type);
Object *resolve_string(Thread *t, ClassVersion *v, u2 idx);
CallSite *resolve_call_site(Thread *t, ClassVersion *v, u2 idx, u4 site); /* invokedynamic */
/* Symbolic names */
Symbol *pool_utf8(ClassVersion *v, u2 idx);
Symbol *pool_class_name(ClassVersion *v, u2 class_idx);
void pool_name_and_type(ClassVersion *v, u2 member_idx, Symbol **cls, Symbol **name, Symbol **desc);

/* --- lookup with JVMS checks, by symbols (JNI, MethodHandles) [throws] --- */
Method *link_find_method(Thread *t, Class *ref_class, Symbol *name, Symbol *desc, bool interface_ref,
                         Class *caller /* NULL: no access check */);
Field *link_find_field(Thread *t, Class *ref_class, Symbol *name, Symbol *desc, Class *caller);

/* "'void a.B.m(int)'" without the quotes, as java users know methods; "void m(int)" without holder.
 * Returns buf. */
const char *method_external_name(const Class *holder, const Symbol *name, const Symbol *desc,
                                 char *buf, size_t len);

/* --- access (link/access.c) --- */
/* Why access_class says no, in terms of modules; NULL when it is not about modules. */
const char *access_class_reason(Class *from, Class *to, char *buf, size_t len);
/* "A and B are in unnamed module of loader 'app'", or "A is in ...; B is in ...". */
void access_where(Class *a, Class *b, char *buf, size_t len);
bool access_class(Class *from, Class *to);                     /* no exception */
bool access_class_check(Thread *t, Class *from, Class *to);    /* IllegalAccessError */
bool access_member(Class *from, Class *member_holder, Class *ref_class, u2 access);
bool access_same_package(Class *a, Class *b);
Class *access_nest_host(Thread *t, Class *c);                  /* never NULL; errors swallowed */

/* --- verification (link/verify.c) --- */
extern bool verify_local, verify_remote; /* -Xverify */
/* A version of a class that is loaded, not necessarily its current one [throws].  `sameness`, NULL or one of redefine_int.h per
 * method of v: which of them an older version has passed with already. */
bool version_verify(Thread *t, ClassVersion *v, const u1 *sameness);

/* --- method handles (link/methodhandle.c): the VM side of java.lang.invoke --- */
void mh_init(Thread *t);
Object *mh_method_type(Thread *t, Symbol *desc, Class *accessing);  /* findMethodHandleType */
Object *mh_new_member_name_for_method(Thread *t, Method *m);
/* member.method (ResolvedMethodName) -> Method */
Method *mh_member_target(Object *member_name);
Method *mh_form_target(Object *method_handle); /* mh.form.vmentry.method; NULL+NPE handled by caller */
/* Target of linkTo*: pops nothing, just selects; [throws] */
Method *mh_link_target(Thread *t, MethodKind k, Object *member_name, Object *receiver);
bool mh_is_polymorphic(Class *c, Symbol *name);   /* signature polymorphic name of MH/VH */
Object *mh_resolve_handle(Thread *t, ClassVersion *v, u2 idx); /* CONSTANT_MethodHandle */

/* --- reflection objects <-> metadata (link/reflect.c) [gc][throws] --- */
Object *reflect_field(Thread *t, Field *f);        /* java.lang.reflect.Field */
Object *reflect_method(Thread *t, Method *m);      /* Method or Constructor */
Method *reflect_to_method(Object *reflected);      /* through clazz + slot */
Field *reflect_to_field(Object *reflected);
/* Method.invoke / newInstance core: argument conversion, dispatch, wrapping. */
Object *reflect_invoke(Thread *t, Method *m, Object *receiver, Object *args, bool check_types);
Object *reflect_new_instance(Thread *t, Method *ctor, Object *args);
Object *box_value(Thread *t, BasicType bt, Slot v);
bool unbox_value(Object *boxed, BasicType *bt, Slot *out);   /* false: not a box */
bool widen_value(BasicType from, BasicType to, Slot *v);     /* false: not a widening conversion */
/* Class[] of a descriptor's parameters and its return type. */
Object *reflect_parameter_types(Thread *t, Symbol *desc, Loader *l, Object **ret_type);

/* durable method names */
MethodID *method_id(Method *m);
/* Of an old version: that version's own name even if it is equivalent to the current method. */
MethodID *method_id_exact(Method *m);

/* The offset as Java code keeps it; an outside one is negative. */
static inline int64_t expose_offset(Field *f) {
    FLAGS_SET(f->flags, FIELD_EXPOSED);
    return (int32_t)f->offset;
}

/* --- classes that changed shape (link/reshape.c) --- */
/* By the numbers of reflection objects.  Methods that were removed answer what throws, fields NULL. */
Method *reshaped_method(Class *c, u4 slot);
Field *reshaped_field(Class *c, u4 slot);

#endif
