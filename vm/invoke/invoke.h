/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are data: method handles as resolution and the interpreter use them, reflection objects, boxes. */
#ifndef GRAFT_INVOKE_INVOKE_H
#define GRAFT_INVOKE_INVOKE_H

#include "link/link.h"
#include "object/method.h"

/* --- method handles (invoke/methodhandle.c): the VM side of java.lang.invoke --- */
void mh_init(Thread *t);
Object *mh_method_type(Thread *t, Symbol *desc, Class *accessing); /* findMethodHandleType */
/* member.method (ResolvedMethodName) -> Method; membername.c */
Method *mh_member_target(Object *member_name);
Method *mh_form_target(Object *method_handle); /* mh.form.vmentry.method; NULL+NPE handled by caller */
/* Target of linkTo*: pops nothing, just selects; [throws] */
Method *mh_link_target(Thread *t, MethodKind k, Object *member_name, Object *receiver);
bool mh_is_polymorphic(Class *c, Symbol *name);                /* signature polymorphic name of MH/VH */
Object *mh_resolve_handle(Thread *t, ClassVersion *v, u2 idx); /* CONSTANT_MethodHandle */

/* --- reflection objects <-> metadata (invoke/reflect.c) [gc][throws] --- */
Object *reflect_attribute(Thread *t, const CfAttrs *attrs, CfAttrKind kind); /* its bytes as byte[]; NULL: there is none */
Object *reflect_field(Thread *t, Field *f);                                  /* java.lang.reflect.Field */
Object *reflect_method(Thread *t, Method *m);                                /* Method or Constructor */
Method *reflect_to_method(Object *reflected);                                /* through clazz + slot */
Field *reflect_to_field(Object *reflected);
/* Method.invoke / newInstance core: argument conversion, dispatch, wrapping. */
Object *reflect_invoke(Thread *t, Method *m, Object *receiver, Object *args, bool check_types);
Object *reflect_new_instance(Thread *t, Method *ctor, Object *args);
Object *box_value(Thread *t, BasicType bt, Slot v);
bool unbox_value(Object *boxed, BasicType *bt, Slot *out); /* false: not a box */
bool widen_value(BasicType from, BasicType to, Slot *v);   /* false: not a widening conversion */

/* durable method names */
MethodID *method_id_made(Method *m);
/* Of an old version: that version's own name even if it is equivalent to the current method. */
static inline MethodID *method_id_exact(Method *m) {
    MethodID *id = atomic_load_explicit(&m->id, memory_order_acquire);
    return LIKELY(id != NULL) ? id : method_id_made(m);
}
static inline MethodID *method_id(Method *m) { return method_id_exact(method_identity(m)); }

#endif
