/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolution of fields and methods (JVMS 5.4.3.2 to 5.4.3.4) and the checks of
 * the instructions that use them (6.5).  Messages are those java users know.
 *
 * The cell of a Methodref is a ResolvedMethod shared by all instructions that
 * use the entry; checks that depend on the instruction (static or not, final
 * fields) run on every resolve_* call, which is once per quickened site.
 */
#include "link/link_int.h"
#include "invoke/methodhandle.h"
#include "shape/shape.h"
#include "thread/guard.h"
#include "invoke/invoke.h"

#include <stdlib.h>

enum { NAME_TEXT = 600, METHOD_TEXT = 1200 };

/* --- fields --- */

Field *link_find_field(Thread *t, Class *c, Symbol *name, Symbol *desc, Class *caller) {
    Field *f = class_find_field(c, name, desc);

    if (!f || f->flags & FIELD_INJECTED) return throw_new(t, EX_NoSuchFieldError, "%s", name->bytes), NULL;
    if (!caller) return f;
    if (!access_member(caller, f->holder, c, f->access))
        return throw_member_access(t, caller, f->holder, name, desc, f->access, false), NULL;
    return check_field_reference(t, caller, f) ? f : NULL;
}

static bool check_put(Thread *t, Field *f, Class *ref_class, Class *c, ClassVersion *v, Method *caller) {
    bool is_static = f->access & ACC_STATIC;

    if (!(f->access & ACC_FINAL)) return true;
    if (f->holder != c) {
        throw_new(t, EX_IllegalAccessError,
                  "Update to %s final field %s.%s attempted from a different class (%s) than the field's "
                  "declaring class",
                  is_static ? "static" : "non-static", class_text(ref_class).s, f->name->bytes, class_text(c).s);
        return false;
    }
    if (v->major < 53 || !caller || caller->flags & (is_static ? MF_CLINIT : MF_INIT)) return true;
    throw_new(t, EX_IllegalAccessError,
              "Update to %s final field %s.%s attempted from a different method (%s) than the initializer "
              "method %s ",
              is_static ? "static" : "non-static", class_text(ref_class).s, f->name->bytes, caller->name->bytes,
              is_static ? "<clinit>" : "<init>");
    return false;
}

Field *resolve_field(Thread *t, ClassVersion *v, u2 idx, bool is_static, bool is_put, Method *caller) {
    Class *c = resolve_class(t, v, cf_const(v->cf, idx)->a);
    Symbol *name, *desc;
    Field *f;
    u4 epoch;

    if (!c) return NULL;
again:
    epoch = atomic_load(&reshape_epoch);
    if (pool_state(v, idx) == POOL_RESOLVED) {
        f = v->pool[idx].field;
    } else {
        pool_name_and_type(v, idx, NULL, &name, &desc);
        f = link_find_field(t, c, name, desc, v->klass);
        if (!f) return NULL;
    }
    if (!!(f->access & ACC_STATIC) != is_static)
        return throw_new(t, EX_IncompatibleClassChangeError, "Expected %s field %s.%s", is_static ? "static" : "non-static",
                         class_text(c).s, f->name->bytes),
               NULL;
    if (is_put && !check_put(t, f, c, v->klass, v, caller)) return NULL;
    if (epoch != atomic_load(&reshape_epoch)) goto again; /* f may be stale */
    pool_publish(v, idx, (PoolCell){.field = f}, false);
    return f;
}

/* --- methods --- */

static bool throw_quoted(Thread *t, ExKind k, const char *before, Class *c, Symbol *name, Symbol *desc) {
    return throw_new(t, k, "%s'%s'", before, method_text(c, name, desc).s), false;
}

static bool check_kind(Thread *t, Class *c, bool interface_ref) {
    if (class_is_interface(c) == interface_ref) return true;
    throw_new(t, EX_IncompatibleClassChangeError,
              interface_ref ? "Found class %s, but interface was expected" : "Found interface %s, but class was expected",
              class_text(c).s);
    return false;
}

/* invokevirtual and invokeinterface know which of the two they want, for the others class and constant have to agree. */
static bool check_kind_of_use(Thread *t, Class *c, bool interface_ref, InvokeKind kind, Symbol *name, Symbol *desc) {
    if (kind == INVOKE_INTERFACE && !interface_ref && !class_is_interface(c)) return check_kind(t, c, true);
    if (class_is_interface(c) == interface_ref || kind == INVOKE_VIRTUAL || kind == INVOKE_INTERFACE) return true;
    throw_new(t, EX_IncompatibleClassChangeError, "Method '%s' must be %s constant", method_text(c, name, desc).s,
              interface_ref ? "Methodref" : "InterfaceMethodref");
    return false;
}

/* Array types inherit Object's methods; their clone is public (JVMS 4.10.1.8, 5.4.4). */
static bool is_array_clone(Class *c, const Method *m) {
    return class_is_array(c) && symbol_eq(m->name, "clone") && symbol_eq(m->desc, "()Ljava/lang/Object;");
}

Method *link_find_method(Thread *t, Class *c, Symbol *name, Symbol *desc, bool interface_ref, Class *caller) {
    if (!check_kind(t, c, interface_ref)) return NULL;
    Method *m = interface_ref ? class_find_interface_method(c, name, desc) : class_find_method(c, name, desc);
    if (!m) return throw_quoted(t, EX_NoSuchMethodError, "", c, name, desc), NULL;
    if (!caller) return m;
    if (!is_array_clone(c, m) && !access_member(caller, m->holder, c, m->access))
        return throw_member_access(t, caller, m->holder, name, desc, m->access, true), NULL;
    return check_method_reference(t, caller, m, interface_ref) ? m : NULL;
}

static u2 argument_slots(const Symbol *desc, bool is_static) {
    int n = cf_desc_arg_slots(symbol_str(desc), NULL);
    return (u2)((n < 0 ? 0 : n) + (is_static ? 0 : 1));
}

/* The slot of a default or miranda method, usually late; 0xffff: none. */
static u2 miranda_slot(const Class *c, const Method *m) {
    for (u4 i = c->vtable_len; i > 0; i--)
        if (c->vtable[i - 1]->name == m->name && c->vtable[i - 1]->desc == m->desc) return (u2)(i - 1);
    return 0xffff;
}

/* The slot through which a virtual call on ref_class reaches m; 0xffff = call m itself. */
static u2 virtual_index(Class *ref_class, const Method *m) {
    if (m->access & (ACC_PRIVATE | ACC_STATIC) || m->flags & (MF_INIT | MF_CLINIT)) return 0xffff;
    if (!class_is_interface(m->holder)) {
        bool final = m->access & ACC_FINAL || m->holder->access & ACC_FINAL;
        return m->vtable_index < 0 || final ? 0xffff : (u2)m->vtable_index;
    }
    if (class_is_interface(ref_class)) return 0xffff; /* dispatched by the interface's number */
    return miranda_slot(ref_class, m);
}

/* Cells of methods stay for the life of the version; the loser of a race is freed. */
static ResolvedMethod *publish_method(Thread *t, ClassVersion *v, u2 idx, const ResolvedMethod *value) {
    ResolvedMethod *rm = malloc(sizeof *rm);

    if (!rm) return throw_oom(t, "class metadata"), NULL;
    *rm = *value;
    NO_SAFEPOINT {
        rm->method = method_current(rm->method);
        class_note_use(v->klass, rm->method->holder);
        pool_publish(v, idx, (PoolCell){.method = rm}, rm->appendix || rm->method->holder->flags & CF_UNLOADABLE);
    }
    if (v->pool[idx].method != rm) free(rm);
    return v->pool[idx].method;
}

static ResolvedMethod *resolve_polymorphic(Thread *t, ClassVersion *v, u2 idx, Class *c, Symbol *name, Symbol *desc) {
    ResolvedMethod rm = {.vtable_index = 0xffff};

    if (!mh_link_polymorphic(t, v->klass, c, name, desc, &rm.method, &rm.appendix)) return NULL;
    if (rm.method->kind >= MK_INVOKE_BASIC && rm.method->kind <= MK_LINK_NATIVE)
        rm.arg_slots = argument_slots(desc, rm.method->kind != MK_INVOKE_BASIC);
    else rm.arg_slots = rm.method->arg_slots;
    return publish_method(t, v, idx, &rm);
}

static ResolvedMethod *resolve_new(Thread *t, ClassVersion *v, u2 idx, InvokeKind kind) {
    const CfConst *k = cf_const(v->cf, idx);
    bool interface_ref = k->tag == CF_CONST_INTERFACEMETHODREF;
    Class *c = resolve_class(t, v, k->a);
    Symbol *name, *desc;
    ResolvedMethod rm = {0};

    if (!c) return NULL;
    pool_name_and_type(v, idx, NULL, &name, &desc);
    if (!interface_ref && c->flags & CF_IS_MH_HOLDER && (kind == INVOKE_VIRTUAL || kind == INVOKE_STATIC) &&
        mh_is_polymorphic(c, name))
        return resolve_polymorphic(t, v, idx, c, name, desc);
    if (!check_kind_of_use(t, c, interface_ref, kind, name, desc)) return NULL;
    u4 epoch;
    do { /* checks load classes, linking runs Java code: classes may change shape meanwhile */
        epoch = atomic_load(&reshape_epoch);
        rm.method = link_find_method(t, c, name, desc, interface_ref, v->klass);
        if (!rm.method || !class_link(t, c)) return NULL;
    } while (epoch != atomic_load(&reshape_epoch));
    rm.vtable_index = virtual_index(c, rm.method);
    rm.arg_slots = rm.method->arg_slots;
    return publish_method(t, v, idx, &rm);
}

bool link_check_static(Thread *t, const Method *m, bool is_static) {
    if (method_is_static(m) == is_static) return true;
    return throw_quoted(t, EX_IncompatibleClassChangeError,
                        is_static                       ? "Expected static method "
                        : class_is_interface(m->holder) ? "Expected instance not static method "
                                                        : "Expecting non-static method ",
                        m->holder, m->name, m->desc);
}

/* What is named for invokespecial: a constructor of the class named itself, an interface only if it is the class that calls or a
 * direct superinterface of it. */
static bool check_special(Thread *t, Class *user, Class *c, const Method *m) {
    if (m->flags & MF_INIT && m->holder != c)
        return throw_new(t, EX_NoSuchMethodError, "%s: method '%s' not found", class_text(c).s,
                         method_text(NULL, m->name, m->desc).s),
               false;
    if (class_is_interface(c) && user != c && !(user->flags & CF_MAGIC) && !class_names_interface(user, c)) {
        throw_new(t, EX_IncompatibleClassChangeError, "Interface method reference: '%s', is in an indirect superinterface of %s",
                  method_text(m->holder, m->name, m->desc).s, class_text(user).s);
        return false;
    }
    return true;
}

static bool check_use(Thread *t, ClassVersion *v, u2 idx, const ResolvedMethod *rm, InvokeKind kind) {
    Method *m = rm->method;
    Class *c = v->pool[cf_const(v->cf, idx)->a].klass;

    if (rm->appendix || m->kind >= MK_INVOKE_BASIC || c->flags & CF_IS_MH_HOLDER) return true;
    return link_check_static(t, m, kind == INVOKE_STATIC) && (kind != INVOKE_SPECIAL || check_special(t, v->klass, c, m));
}

ResolvedMethod *resolve_method(Thread *t, ClassVersion *v, u2 idx, InvokeKind kind, Method *caller) {
    ResolvedMethod *rm;

    if (pool_state(v, idx) == POOL_RESOLVED) rm = v->pool[idx].method;
    else rm = resolve_new(t, v, idx, kind);
    return rm && check_use(t, v, idx, rm, kind) ? rm : NULL;
}

/* --- invokespecial --- */

static Class *symbolic_class(Class *caller, u2 idx, const ResolvedMethod *rm) {
    for (ClassVersion *v = caller->version; v; v = v->previous) {
        const CfConst *k = cf_const(v->cf, idx);
        if (idx < v->pool_count && pool_state(v, idx) == POOL_RESOLVED && v->pool[idx].method == rm) return v->pool[k->a].klass;
    }
    return rm->method->holder;
}

/* What a call of super reaches: static methods do not count.  NULL: nothing. */
static Method *find_super_method(Class *super, const Method *like) {
    for (Class *k = super; k; k = k->super) {
        Method *m = class_find_declared_method(k, like->name, like->desc);
        if (m && !method_is_static(m)) return m;
    }
    u2 slot = miranda_slot(super, like);
    return slot == 0xffff ? NULL : super->vtable[slot];
}

/* m was found in c: among several superinterfaces the tables decide, which an interface has not. */
static Method *select_default(Thread *t, Class *c, Method *m) {
    char *conflict;

    if (m->holder == c || !class_is_interface(m->holder)) return m;
    if (!class_is_interface(c)) {
        u2 slot = miranda_slot(c, m);
        return slot == 0xffff ? m : c->vtable[slot];
    }
    if (!class_default_conflict(c, m, &conflict)) return throw_oom(t, "class metadata"), NULL;
    if (!conflict) return m;
    throw_new(t, EX_IncompatibleClassChangeError, "%s", conflict);
    free(conflict);
    return NULL;
}

/* ACC_SUPER is not asked for: it counts as set in every class (JVMS 4.1).  caller: NULL for nobody's call. */
static Method *select_from(Thread *t, Class *caller, Class *c, Method *resolved) {
    Method *m = resolved;

    if (m->flags & MF_INIT) return m;
    bool is_super = caller && caller != c && !class_is_interface(c) && class_is_subtype(caller, c);
    m = is_super ? find_super_method(caller->super, resolved) : select_default(t, c, resolved);
    if (!m && t->exception) return NULL;
    if (m && m != resolved && m->kind != MK_CONFLICT && is_super && !check_method_reference(t, caller, m, false)) return NULL;
    if (!m || m->kind == MK_ABSTRACT) {
        bool found = m && !(is_super && class_is_interface(m->holder));
        return throw_quoted(t, EX_AbstractMethodError, "", found ? c : resolved->holder, resolved->name, resolved->desc), NULL;
    }
    return m->kind == MK_CONFLICT ? throw_abstract_method_on(t, m, caller), NULL : m;
}

Method *select_special(Thread *t, Class *caller, u2 idx, ResolvedMethod *rm) {
    return select_from(t, caller, symbolic_class(caller, idx, rm), rm->method);
}

Method *link_special(Thread *t, Class *caller, Class *c, Method *m) {
    return !caller || check_special(t, caller, c, m) ? select_from(t, caller, c, m) : NULL;
}
