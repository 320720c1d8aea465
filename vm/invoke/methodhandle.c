/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The VM side of java.lang.invoke (D11, JVMS 5.4.3.5, 5.4.3.6, 2.9.3).
 *
 * Java does nearly everything: the VM makes the arguments of the up-calls in
 * MethodHandleNatives (linkMethod, linkCallSite, linkDynamicConstant,
 * linkMethodHandleConstant, findMethodHandleType) and stores what they answer:
 * a MemberName, whose method is the adapter to call, and an appendix that is passed
 * as its last argument.
 *
 * Static arguments of bootstrap methods are resolved here, eagerly, before the
 * up-call ("push mode"); the pull mode of copyOutBootstrapArguments is never asked for.
 *
 * Linking may run any amount of Java code, link other sites, and race with other
 * threads: nothing is locked here; the caller publishes the first result.
 */
#include "link/link_int.h"
#include "invoke/methodhandle.h"
#include "exec/exec.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "invoke/invoke.h"
#include <string.h>

void mh_init(Thread *t) {
    if (class_init(t, JC(MethodHandle)) && class_init(t, JC(ResolvedMethodName)) && class_init(t, JC(MemberName)))
        class_init(t, JC(MethodHandleNatives));
}

/* --- targets of the intrinsics --- */

Method *mh_form_target(Object *mh) {
    Object *form = JGET_REF(mh, MethodHandle, form);
    return form ? mh_member_target(JGET_REF(form, LambdaForm, vmentry)) : NULL;
}

Method *mh_link_target(Thread *t, MethodKind k, Object *mn, Object *receiver) {
    Method *m = mn ? mh_member_target(mn) : NULL;
    if (k == MK_LINK_NATIVE)
        return throw_new(t, EX_UnsupportedOperationException, "linkToNative: foreign linker is not supported"), NULL;
    if (!m) return throw_new(t, mn ? EX_InternalError : EX_NullPointerException, "unresolved MemberName"), NULL;
    if (k == MK_LINK_STATIC) return m;
    if (!receiver) return throw_plain(t, EX_NullPointerException), NULL;
    if (k == MK_LINK_VIRTUAL) {
        int64_t i = JGET_LONG(mn, MemberName, vmindex);
        Class *c = obj_class(receiver);
        if (UNLIKELY(atomic_load_explicit(&reshape_epoch, memory_order_relaxed))) /* slots have moved */
            return exec_select_interface(t, c, m);
        return i >= 0 && i < c->vtable_len ? c->vtable[i] : m;
    }
    if (k == MK_LINK_INTERFACE) return exec_select_interface(t, obj_class(receiver), m);
    return m;
}

bool mh_is_polymorphic(Class *c, Symbol *name) {
    if (!c || (c != JC(MethodHandle) && c != JC(VarHandle))) return false;
    for (u4 i = 0; i < c->version->n_methods; i++) {
        const Method *m = &c->version->methods[i];
        if (m->name == name && (m->access & (ACC_NATIVE | ACC_VARARGS)) == (ACC_NATIVE | ACC_VARARGS) &&
            strncmp(m->desc->bytes, "([Ljava/lang/Object;)", 21) == 0)
            return true;
    }
    return false;
}

/* --- method types ---
 * Public classes of java.lang and java.lang.invoke look the same from everywhere: they are taken
 * from the boot loader without asking the accessing class's loader (which would then be an
 * initiating loader of them). */

static bool always_visible(const Class *c) {
    c = class_element(c);
    return class_is_primitive(c) || (c->access & ACC_PUBLIC);
}

static Class *visible_class(Thread *t, const char *d, size_t len) {
    const char *p = d;
    while (*p == '[') p++;
    if (*p == 'L') {
        const char *last = d + len - 1;
        while (last > p && *last != '/') last--;
        size_t pkg = last > p ? (size_t)(last - p - 1) : 0;
        if (!(pkg == 9 && memcmp(p + 1, "java/lang", 9) == 0) && !(pkg == 16 && memcmp(p + 1, "java/lang/invoke", 16) == 0))
            return NULL;
    }
    Class *c = load_class_of_descriptor(t, d, len, BOOT_LOADER);
    if (!c) t->exception = NULL;
    return c && always_visible(c) ? c : NULL;
}

static Object *method_type_class(Thread *t, const char *d, size_t len, Class *accessing) {
    Class *c = visible_class(t, d, len);
    if (c) return c->mirror;
    c = load_class_of_descriptor(t, d, len, accessing->loader);
    if (!c) return NULL;
    Class *bottom = class_element(c);
    return class_is_primitive(bottom) || access_class_check(t, accessing, bottom) ? c->mirror : NULL;
}

Object *mh_method_type(Thread *t, Symbol *desc, Class *accessing) {
    Object *mirrors[256];
    int32_t n = 0;
    const char *d = desc->bytes + 1, *end;
    Slot r;
    for (; *d != ')'; d = end, n++) {
        end = desc_skip(d);
        if (!(mirrors[n] = method_type_class(t, d, (size_t)(end - d), accessing))) return NULL;
    }
    d++;
    Object *ret_type = method_type_class(t, d, strlen(d), accessing);
    Object *params = ret_type ? class_new_array(t, JC(Class), n) : NULL;
    if (!params || !class_init(t, JC(MethodHandleNatives))) return NULL;
    for (int32_t i = 0; i < n; i++) array_set_ref(params, i, mirrors[i]);
    return exec_callf(t, jc_method(JM_MHN_findMethodHandleType), &r, ret_type, params) ? r.ref : NULL;
}

/* --- linking --- */

/* What linkMethod or linkCallSite answered. */
static bool take_adapter(Thread *t, Object *mn, Object *box, Method **adapter, Object **appendix) {
    *adapter = mh_member_target(mn);
    *appendix = array_ref(box, 0);
    if (*adapter) return class_link(t, (*adapter)->holder);
    return throw_new(t, EX_LinkageError, "bad value from MethodHandleNatives"), false;
}

bool mh_link_polymorphic(Thread *t, Class *caller, Class *holder, Symbol *name, Symbol *desc, Method **adapter,
                         Object **appendix) {
    Method *m = class_find_declared_method(holder, name, symbol_of("([Ljava/lang/Object;)Ljava/lang/Object;"));
    if (m && m->kind >= MK_INVOKE_BASIC && m->kind <= MK_LINK_NATIVE) {
        if (!access_member(caller, holder, holder, m->access))
            return throw_member_access(t, caller, holder, name, desc, m->access, true), false;
        *adapter = m;
        *appendix = NULL;
        return true;
    }
    Slot r;
    Object *type = mh_method_type(t, desc, caller);
    Object *jname = type ? string_intern_symbol(t, name) : NULL;
    Object *box = jname ? class_new_array(t, JC(Object), 1) : NULL;
    return box &&
           exec_callf(t, jc_method(JM_MHN_linkMethod), &r, caller->mirror, CF_REF_INVOKEVIRTUAL, holder->mirror, jname, type,
                      box) &&
           take_adapter(t, r.ref, box, adapter, appendix);
}

/* Name, type, bootstrap method and static arguments of the constant at idx, arguments in the form that
 * linkCallSite expects: null, the bare object, or Object[]. */
static bool resolve_bootstrap(Thread *t, ClassVersion *v, u2 idx, Symbol **name, Symbol **desc, Object **bsm, Object **args) {
    u2 row = cf_const(v->cf, idx)->a;
    CfBootstrap b;
    Slot s;
    BasicType type;
    if (!check_c_stack(t)) return false; /* a dynamic constant among the arguments may be the same one */
    pool_name_and_type(v, idx, NULL, name, desc);
    if (!cf_bootstrap(v->cf, row, &b)) return throw_new(t, EX_ClassFormatError, "bad bootstrap method index %d", row), false;
    if (!resolve_constant(t, v, b.method, &s, &type)) return false;
    *bsm = s.ref;
    *args = NULL;
    if (b.args.count == 0) return true;
    Object *list = class_new_array(t, JC(Object), (int32_t)b.args.count), *one = NULL;
    if (!list) return false;
    for (u4 i = 0; i < b.args.count; i++) {
        if (!resolve_constant(t, v, cf_index_at(&b.args, i), &s, &type)) return false;
        one = type == T_OBJECT || type == T_ARRAY ? s.ref : box_value(t, type, s);
        if (t->exception) return false;
        array_set_ref(list, (int32_t)i, one);
    }
    *args = b.args.count == 1 && one && !class_is_array(obj_class(one)) ? one : list;
    return true;
}

/* JVMS 5.4.3.6: an Error passes, anything else becomes the cause of a BootstrapMethodError. */
static bool wrap_failure(Thread *t) {
    if (t->exception && !exception_is(t, EX_Error)) {
        Object *cause = exception_take(t);
        throw_with_cause(t, EX_BootstrapMethodError, cause, NULL);
    }
    return false;
}

bool mh_link_call_site(Thread *t, ClassVersion *v, u2 idx, Method **adapter, Object **appendix) {
    Object *bsm, *args;
    Symbol *name, *desc;
    Slot r;
    if (!resolve_bootstrap(t, v, idx, &name, &desc, &bsm, &args)) return wrap_failure(t);
    Object *type = mh_method_type(t, desc, v->klass);
    Object *jname = type ? string_intern_symbol(t, name) : NULL;
    Object *box = jname ? class_new_array(t, JC(Object), 1) : NULL;
    if (box && exec_callf(t, jc_method(JM_MHN_linkCallSite), &r, v->klass->mirror, (int32_t)idx, bsm, jname, type, args, box) &&
        take_adapter(t, r.ref, box, adapter, appendix))
        return true;
    return wrap_failure(t);
}

bool mh_link_dynamic_constant(Thread *t, ClassVersion *v, u2 idx, Slot *out, BasicType *type) {
    Object *bsm, *args;
    Symbol *name, *desc;
    Slot r;
    if (!resolve_bootstrap(t, v, idx, &name, &desc, &bsm, &args)) return wrap_failure(t);
    Object *mirror = load_mirror_of_descriptor(t, desc->bytes, desc->len, v->klass->loader);
    Object *jname = mirror ? string_intern_symbol(t, name) : NULL;
    if (!jname ||
        !exec_callf(t, jc_method(JM_MHN_linkDynamicConstant), &r, v->klass->mirror, (int32_t)idx, bsm, jname, mirror, args))
        return wrap_failure(t);
    *type = type_of_desc_char(desc->bytes[0]);
    if (*type == T_OBJECT || *type == T_ARRAY) {
        *out = r;
        return true;
    }
    BasicType boxed;
    if (r.ref && unbox_value(r.ref, &boxed, out) && boxed == *type) return true;
    throw_new(t, EX_ClassCastException, "dynamic constant %s is not a %s", name->bytes, desc->bytes);
    return wrap_failure(t);
}

static bool throw_inconsistent(Thread *t, u2 idx, Class *holder, Symbol *name, Symbol *desc) {
    static const char *const tags[] = {"CONSTANT_MethodRef", "CONSTANT_InterfaceMethodRef"};
    bool iface = class_is_interface(holder);
    throw_new(t, EX_IncompatibleClassChangeError,
              "Inconsistent constant pool data in classfile for class %s. Method '%s' at index %d is %s and "
              "should be %s",
              holder->name->bytes, method_text(NULL, name, desc).s, idx, tags[!iface], tags[iface]);
    return false;
}

/* The member behind a CONSTANT_MethodHandle exists and is of the right sort (JVMS 5.4.3.5);
 * access to fields is checked by Java. */
static bool check_handle_member(Thread *t, ClassVersion *v, u2 idx, Class *holder, Symbol *name, Symbol *desc) {
    const CfConst *k = cf_const(v->cf, idx);
    if (k->kind <= CF_REF_PUTSTATIC) return link_find_field(t, holder, name, desc, NULL) != NULL;
    if (class_is_interface(holder) != (cf_tag(v->cf, k->a) == CF_CONST_INTERFACEMETHODREF))
        return throw_inconsistent(t, idx, holder, name, desc);
    if (k->kind == CF_REF_INVOKEVIRTUAL && mh_is_polymorphic(holder, name)) return true;
    Method *m = link_find_method(t, holder, name, desc, class_is_interface(holder), v->klass);
    return m && link_check_static(t, m, k->kind == CF_REF_INVOKESTATIC) &&
           (k->kind != CF_REF_INVOKESPECIAL || link_special(t, v->klass, holder, m));
}

Object *mh_resolve_handle(Thread *t, ClassVersion *v, u2 idx) {
    const CfConst *k = cf_const(v->cf, idx);
    const CfConst *member = cf_const(v->cf, k->a);
    Symbol *name, *desc;
    Slot r;
    Class *holder = resolve_class(t, v, member->a);
    if (!holder) return NULL;
    pool_name_and_type(v, k->a, NULL, &name, &desc);
    if (!class_link(t, holder) || !check_handle_member(t, v, idx, holder, name, desc)) return NULL;
    Object *type = k->kind <= CF_REF_PUTSTATIC ? load_mirror_of_descriptor(t, desc->bytes, desc->len, v->klass->loader)
                                               : mh_method_type(t, desc, v->klass);
    Object *jname = type ? string_intern_symbol(t, name) : NULL;
    if (!jname || !class_init(t, JC(MethodHandleNatives))) return NULL;
    return exec_callf(t, jc_method(JM_MHN_linkMethodHandleConstant), &r, v->klass->mirror, (int32_t)k->kind, holder->mirror,
                      jname, type)
               ? r.ref
               : NULL;
}

/* args: Class caller, int[] {argc, cp index}, start, end, Object[] buf, pos, resolve, ifNotAvailable */
void mhn_copyOutBootstrapArguments(Thread *t, Slot *args, Slot *ret) {
    throw_new(t, EX_InternalError, "bootstrap arguments are never pulled");
}
