/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The VM side of java.lang.invoke (D11): what resolution calls, and the natives
 * of MethodHandleNatives.  invoke.h holds the part that the interpreter uses
 * (mh_form_target, mh_link_target, mh_is_polymorphic ...).  Theory: methodhandle.c.
 *
 * Signature-polymorphic call sites, for resolve_method():
 *   The holder named by the Methodref is MethodHandle or VarHandle itself and
 *   mh_is_polymorphic(holder, name): never look the descriptor up.  Call
 *   mh_link_polymorphic and store adapter and appendix in the ResolvedMethod:
 *     adapter kind MK_INVOKE_BASIC or MK_LINK_*: no appendix; arg_slots of the
 *       ResolvedMethod comes from the descriptor of the CALL SITE (plus one for
 *       the receiver of invokeBasic), because the declared Method has none;
 *     any other adapter: a static method; arg_slots = adapter->arg_slots, which
 *       counts the receiver and, if appendix != NULL, the appendix as last one.
 *   vtable_index is 0xffff in both cases.
 */
#ifndef GRAFT_INVOKE_METHODHANDLE_H
#define GRAFT_INVOKE_METHODHANDLE_H

/* --- linking (methodhandle.c), called by link/resolve*.c; results are cached there [gc][throws][blocks] --- */
bool mh_link_polymorphic(Thread *t, Class *caller, Class *holder, Symbol *name, Symbol *desc, Method **adapter,
                         Object **appendix);
/* invokedynamic at pool index idx.  Exceptions are final: already wrapped in
 * BootstrapMethodError where JVMS 5.4.3.6 wants it. */
bool mh_link_call_site(Thread *t, ClassVersion *v, u2 idx, Method **adapter, Object **appendix);
/* CONSTANT_Dynamic at idx: the value (primitives unboxed) and its type. */
bool mh_link_dynamic_constant(Thread *t, ClassVersion *v, u2 idx, Slot *out, BasicType *type);

/* --- MemberName (invoke/membername.c) --- */
/* Fill a MemberName from metadata.  `virtual` false forces a direct kind (special). */
bool membername_init_method(Thread *t, Object *mn, Method *m, bool is_virtual, Class *ref_class);
/* Makes an initialised MemberName name m itself, which may be of an old version; else it names the current method. */
bool membername_name_version(Thread *t, Object *mn, Method *m);

/* --- natives of java.lang.invoke.MethodHandleNatives; rows in native/intrinsic/intrinsic.def --- */
void mhn_init(Thread *t, Slot *args, Slot *ret);
void mhn_expand(Thread *t, Slot *args, Slot *ret);
void mhn_resolve(Thread *t, Slot *args, Slot *ret);
void mhn_getMembers(Thread *t, Slot *args, Slot *ret);
void mhn_objectFieldOffset(Thread *t, Slot *args, Slot *ret);
void mhn_staticFieldOffset(Thread *t, Slot *args, Slot *ret);
void mhn_staticFieldBase(Thread *t, Slot *args, Slot *ret);
void mhn_getMemberVMInfo(Thread *t, Slot *args, Slot *ret);
void mhn_setCallSiteTargetNormal(Thread *t, Slot *args, Slot *ret);
void mhn_setCallSiteTargetVolatile(Thread *t, Slot *args, Slot *ret);
void mhn_copyOutBootstrapArguments(Thread *t, Slot *args, Slot *ret);

#endif
