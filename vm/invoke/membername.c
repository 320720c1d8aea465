/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java.lang.invoke.MemberName: Java's name of a field or method, and the natives that fill it.
 *
 *   flags    access | kind bits | reference kind << 24 (constants below)
 *   clazz    the class that declares the member found
 *   method   ResolvedMethodName; its vmtarget is the MethodID (methods only)
 *   vmindex  vtable index (kind 5), itable index (kind 9), field offset; -2 = direct call
 *
 * A member that needs no selection (static, private, final, constructor) gets a direct
 * kind, 6 or 7, whatever was asked for: Java picks the right linkTo* by it.
 */
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "invoke/methodhandle.h"
#include "invoke/invoke.h"
#include "link/link_int.h"
#include <stdlib.h>
#include <string.h>

enum {
    MN_IS_METHOD = 0x10000,
    MN_IS_CONSTRUCTOR = 0x20000,
    MN_IS_FIELD = 0x40000,
    MN_KINDS = 0xf0000,
    MN_CALLER_SENSITIVE = 0x100000,
    MN_TRUSTED_FINAL = 0x200000,
    MN_REF_SHIFT = 24,
    MN_REF_MASK = 0xf,
    MN_SEARCH_SUPERCLASSES = 0x100000,
    MN_SEARCH_INTERFACES = 0x200000,
    MODIFIERS_METHOD = 0x1dff,
    MODIFIERS_FIELD = 0x50df,
    VMINDEX_DIRECT = -2
};

/* --- MemberName <- metadata --- */

static Object *resolved_method(Thread *t, Method *m, bool this_version) {
    Object *r = heap_alloc_object(t, JC(ResolvedMethodName));
    if (!r) return NULL;
    if (!this_version) m = method_current(m); /* allocating may have let a redefinition pass */
    else m->version->named_in_heap = true;
    JSET_LONG(r, ResolvedMethodName, vmtarget, (int64_t)(uintptr_t)method_id_exact(m));
    JSET_REF(r, ResolvedMethodName, vmholder, m->holder->mirror);
    return r;
}

bool membername_name_version(Thread *t, Object *mn, Method *m) {
    Object *r = resolved_method(t, m, true);
    if (r) JSET_REF(mn, MemberName, method, r);
    return r != NULL;
}

static bool fill_method(Thread *t, Object *mn, Method *m, int ref_kind, int64_t vmindex, Class *clazz) {
    Object *r = resolved_method(t, m, false);
    if (!r) return false;
    int32_t flags = (m->access & MODIFIERS_METHOD) | ref_kind << MN_REF_SHIFT;
    flags |= m->flags & MF_INIT ? MN_IS_CONSTRUCTOR : MN_IS_METHOD;
    if (m->flags & MF_CALLER_SENSITIVE) flags |= MN_CALLER_SENSITIVE;
    JSET_INT(mn, MemberName, flags, flags);
    JSET_REF(mn, MemberName, method, r);
    JSET_LONG(mn, MemberName, vmindex, vmindex);
    JSET_REF(mn, MemberName, clazz, clazz->mirror);
    return true;
}

static bool statically_bound(const Method *m) {
    return (m->access & (ACC_STATIC | ACC_PRIVATE | ACC_FINAL)) || (m->flags & MF_INIT) ||
           ((m->holder->access & ACC_FINAL) && !class_is_interface(m->holder)) || m->kind >= MK_INVOKE_BASIC;
}

/* vtable index under which class c dispatches m; -1 if none */
static int vtable_index_in(Class *c, const Method *m) {
    if (!class_is_interface(m->holder)) return m->vtable_index;
    for (int i = 0; i < c->vtable_len; i++) /* default and miranda methods */
        if (c->vtable[i] && (c->vtable[i] == m || (c->vtable[i]->name == m->name && c->vtable[i]->desc == m->desc))) return i;
    return -1;
}

bool membername_init_method(Thread *t, Object *mn, Method *m, bool is_virtual, Class *ref_class) {
    m = method_current(m);
    if (method_is_static(m)) return fill_method(t, mn, m, CF_REF_INVOKESTATIC, VMINDEX_DIRECT, m->holder);
    if (!is_virtual || statically_bound(m)) return fill_method(t, mn, m, CF_REF_INVOKESPECIAL, VMINDEX_DIRECT, m->holder);
    if (class_is_interface(m->holder) && class_is_interface(ref_class))
        return m->itable_index >= 0 ? fill_method(t, mn, m, CF_REF_INVOKEINTERFACE, m->itable_index, m->holder)
                                    : fill_method(t, mn, m, CF_REF_INVOKESPECIAL, VMINDEX_DIRECT, m->holder);
    int index = vtable_index_in(ref_class, m);
    if (index < 0) return fill_method(t, mn, m, CF_REF_INVOKESPECIAL, VMINDEX_DIRECT, m->holder);
    return fill_method(t, mn, m, CF_REF_INVOKEVIRTUAL, index, class_is_interface(m->holder) ? ref_class : m->holder);
}

static void membername_init_field(Object *mn, Field *f, bool is_setter) {
    bool is_static = f->access & ACC_STATIC;
    int ref_kind = (is_static ? CF_REF_GETSTATIC : CF_REF_GETFIELD) + (is_setter ? 2 : 0);
    int32_t flags = (f->access & MODIFIERS_FIELD) | MN_IS_FIELD | ref_kind << MN_REF_SHIFT;
    if ((f->access & ACC_FINAL) && (is_static || (f->flags & FIELD_TRUSTED_FINAL) || (f->holder->flags & CF_TRUSTED_FINALS)))
        flags |= MN_TRUSTED_FINAL;
    JSET_INT(mn, MemberName, flags, flags);
    JSET_REF(mn, MemberName, method, NULL);
    JSET_LONG(mn, MemberName, vmindex, expose_offset(f));
    JSET_REF(mn, MemberName, clazz, f->holder->mirror);
}

Method *mh_member_target(Object *mn) {
    Object *r = mn ? JGET_REF(mn, MemberName, method) : NULL;
    MethodID *id = r ? (MethodID *)(uintptr_t)JGET_LONG(r, ResolvedMethodName, vmtarget) : NULL;
    return id ? atomic_load_explicit(&id->method, memory_order_relaxed) : NULL;
}

/* --- init, expand --- */

void mhn_init(Thread *t, Slot *args, Slot *ret) {
    Object *mn = args[0].ref, *ref = args[1].ref;
    if (!mn || !ref) return throw_new(t, EX_InternalError, "mname must not be null");
    if (obj_class(ref) == JC(Field)) {
        Field *f = reflect_to_field(ref);
        if (f) membername_init_field(mn, f, false);
        return;
    }
    Method *m = reflect_to_method(ref);
    if (!m || m->kind >= MK_INVOKE_BASIC || !class_link(t, m->holder)) return; /* clazz stays null */
    membername_init_method(t, mn, m, true, m->holder);
}

static Field *field_by_offset(Class *c, bool is_static, int64_t offset) {
    for (u4 i = 0; i < c->n_fields; i++)
        if (c->fields[i].offset == (u4)offset && !!(c->fields[i].access & ACC_STATIC) == is_static) return &c->fields[i];
    return NULL;
}

static bool expand_names(Thread *t, Object *mn, Symbol *name, Symbol *desc) {
    if (!JGET_REF(mn, MemberName, name)) {
        Object *s = string_intern_symbol(t, name);
        if (!s) return false;
        JSET_REF(mn, MemberName, name, s);
    }
    if (!JGET_REF(mn, MemberName, type)) {
        Object *s = string_from_symbol(t, desc);
        if (!s) return false;
        JSET_REF(mn, MemberName, type, s);
    }
    return true;
}

void mhn_expand(Thread *t, Slot *args, Slot *ret) {
    Object *mn = args[0].ref;
    if (!mn) return throw_new(t, EX_InternalError, "mname must not be null");
    int32_t flags = JGET_INT(mn, MemberName, flags);
    if (flags & (MN_IS_METHOD | MN_IS_CONSTRUCTOR)) {
        Method *m = mh_member_target(mn);
        if (m) {
            if (!JGET_REF(mn, MemberName, clazz)) JSET_REF(mn, MemberName, clazz, m->holder->mirror);
            return (void)expand_names(t, mn, m->name, m->desc);
        }
    } else if (flags & MN_IS_FIELD) {
        Object *mirror = JGET_REF(mn, MemberName, clazz);
        Class *c = mirror ? mirror_class(mirror) : NULL;
        Field *f = c ? field_by_offset(c, flags & ACC_STATIC, JGET_LONG(mn, MemberName, vmindex)) : NULL;
        if (f) return (void)expand_names(t, mn, f->name, f->desc);
    }
    throw_new(t, EX_InternalError, "unrecognized type");
}

/* --- resolve --- */

/* More than `cap`: there was no room. */
static size_t put_class_desc(char *out, size_t at, size_t cap, Object *mirror) {
    Class *c = mirror_class(mirror);
    size_t most = c->name->len + 2u;
    return at + (at + most <= cap ? class_descriptor(c, out + at) : most);
}

/* Descriptor of MemberName.type: a MethodType, Class or String.  NULL = none such (no member has one so long), or OutOfMemoryError. */
static Symbol *descriptor_of(Thread *t, Object *type) {
    Class *c = obj_class(type);
    Symbol *s = NULL;
    if (c == JC(String)) return string_to_symbol(type);
    size_t cap = 4096, n;
    for (int round = 0; round < 2 && !s; round++) {
        char *buf = malloc(cap);
        if (!buf) return throw_no_memory(t), NULL;
        n = 0;
        if (c == JC(Class)) {
            n = put_class_desc(buf, n, cap, type);
        } else if (c == JC(MethodType)) {
            Object *p = JGET_REF(type, MethodType, ptypes);
            buf[n++] = '(';
            for (int32_t i = 0; i < array_len(p); i++) n = put_class_desc(buf, n, cap, array_ref(p, i));
            if (n < cap) buf[n] = ')';
            n = put_class_desc(buf, n + 1, cap, JGET_REF(type, MethodType, rtype));
        }
        if (n && n <= cap && n <= SYMBOL_MAX) s = symbol_intern(buf, n);
        cap = n + 1;
        free(buf);
    }
    return s;
}

static bool resolve_method_name(Thread *t, Object *mn, Class *defc, Symbol *name, Symbol *desc, int ref_kind, bool constructor,
                                Class *caller) {
    if (!constructor && (defc == JC(MethodHandle) || defc == JC(VarHandle)) && mh_is_polymorphic(defc, name)) {
        Method *m = class_find_declared_method(defc, name, symbol_of("([Ljava/lang/Object;)Ljava/lang/Object;"));
        if (!m || m->kind < MK_INVOKE_BASIC || m->kind > MK_LINK_NATIVE)
            return throw_new(t, EX_LinkageError, "bad method handle intrinsic %s", name->bytes), false;
        if (caller && !access_member(caller, defc, defc, m->access))
            return throw_member_access(t, caller, defc, name, desc, m->access, true), false;
        return membername_init_method(t, mn, m, false, defc);
    }
    Method *m = link_find_method(t, defc, name, desc, class_is_interface(defc), caller);
    if (!m) return false;
    if (!link_check_static(t, m, ref_kind == CF_REF_INVOKESTATIC)) return false;
    if (ref_kind == CF_REF_INVOKESPECIAL && !(m = link_special(t, caller, defc, m))) return false;
    bool is_virtual = ref_kind == CF_REF_INVOKEVIRTUAL || ref_kind == CF_REF_INVOKEINTERFACE;
    return membername_init_method(t, mn, m, is_virtual, defc);
}

static bool resolve_field_name(Thread *t, Object *mn, Class *defc, Symbol *name, Symbol *desc, int ref_kind) {
    Field *f = link_find_field(t, defc, name, desc, NULL); /* Java checks access to fields */
    if (!f) return false;
    bool setter = ref_kind == CF_REF_PUTFIELD || ref_kind == CF_REF_PUTSTATIC;
    membername_init_field(mn, f, setter);
    return true;
}

/* args: MemberName self, Class caller, int lookupMode, boolean speculative */
void mhn_resolve(Thread *t, Slot *args, Slot *ret) {
    Object *mn = args[0].ref, *caller_mirror = args[1].ref;
    bool speculative = args[3].i != 0;
    ret->ref = NULL;
    if (!mn) return throw_new(t, EX_InternalError, "nothing to resolve");
    int32_t flags = JGET_INT(mn, MemberName, flags);
    int ref_kind = flags >> MN_REF_SHIFT & MN_REF_MASK;
    Object *mirror = JGET_REF(mn, MemberName, clazz), *jname = JGET_REF(mn, MemberName, name);
    Object *type = JGET_REF(mn, MemberName, type);
    if (JGET_REF(mn, MemberName, method)) { /* already resolved */
        ret->ref = mn;
        return;
    }
    if (!mirror || !jname || !type || ref_kind == 0) return throw_new(t, EX_IllegalArgumentException, "nothing to resolve");
    Class *defc = mirror_class(mirror), *caller = caller_mirror ? mirror_class(caller_mirror) : NULL;
    if (class_is_array(defc)) defc = JC(Object);
    Symbol *name = string_to_symbol(jname), *desc = descriptor_of(t, type);
    if (t->exception) return;
    bool ok = desc && string_mutf8_length(jname) <= SYMBOL_MAX && !class_is_primitive(defc) && !symbol_eq(name, "<clinit>") &&
              class_link(t, defc);
    if (ok) {
        switch (flags & MN_KINDS) {
        case MN_IS_METHOD: ok = resolve_method_name(t, mn, defc, name, desc, ref_kind, false, caller); break;
        case MN_IS_CONSTRUCTOR:
            ok = symbol_eq(name, "<init>") && resolve_method_name(t, mn, defc, name, desc, CF_REF_INVOKESPECIAL, true, caller);
            break;
        case MN_IS_FIELD: ok = resolve_field_name(t, mn, defc, name, desc, ref_kind); break;
        default: throw_new(t, EX_InternalError, "unrecognized MemberName format"); return;
        }
    }
    if (ok) ret->ref = mn;
    else if (speculative && !exception_is(t, EX_OutOfMemoryError)) t->exception = NULL; /* that it exists is not denied by that */
    else if (t->exception) return;
    else if (flags & MN_IS_FIELD) throw_new(t, EX_NoSuchFieldError, "field resolution failed");
    else throw_new(t, EX_NoSuchMethodError, "method resolution failed");
}

/* --- getMembers --- */

typedef struct Search {
    Thread *t;
    Symbol *name, *desc; /* NULL: any */
    int32_t flags;
    Object *results;
    int32_t skip, found;
} Search;

static Object *next_result(Search *s) {
    int32_t at = s->found++ - s->skip;
    if (at < 0 || at >= array_len(s->results)) return NULL;
    return array_ref(s->results, at);
}

static void search_class(Search *s, Class *c) {
    for (u4 i = 0; (s->flags & MN_IS_FIELD) && i < c->n_fields && !s->t->exception; i++) {
        Field *f = &c->fields[i];
        if ((s->name && f->name != s->name) || (s->desc && f->desc != s->desc)) continue;
        Object *mn = next_result(s);
        if (mn) membername_init_field(mn, f, false);
    }
    if (!(s->flags & (MN_IS_METHOD | MN_IS_CONSTRUCTOR)) || class_is_array(c)) return;
    for (u4 i = 0; i < c->version->n_methods && !s->t->exception; i++) {
        Method *m = &c->version->methods[i];
        if (m->flags & MF_CLINIT) continue;
        if (!(s->flags & (m->flags & MF_INIT ? MN_IS_CONSTRUCTOR : MN_IS_METHOD))) continue;
        if ((s->name && m->name != s->name) || (s->desc && m->desc != s->desc)) continue;
        Object *mn = next_result(s);
        if (mn) membername_init_method(s->t, mn, m, true, m->holder);
    }
}

/* args: defc, matchName, matchSig, matchFlags, caller, skip, results */
void mhn_getMembers(Thread *t, Slot *args, Slot *ret) {
    ret->i = -1;
    if (!args[0].ref || !args[6].ref) return;
    Class *c = mirror_class(args[0].ref);
    Search s = {t, NULL, NULL, args[3].i, args[6].ref, args[5].i, 0};
    if (args[1].ref) s.name = string_to_symbol(args[1].ref);
    if (args[2].ref) s.desc = string_to_symbol(args[2].ref);
    if (!class_link(t, c)) return;
    for (Class *k = c; k; k = s.flags & MN_SEARCH_SUPERCLASSES ? k->super : NULL) search_class(&s, k);
    if (s.flags & MN_SEARCH_INTERFACES)
        for (u4 i = 0; i < c->n_all_interfaces; i++) search_class(&s, c->all_interfaces[i]);
    ret->i = s.found;
}

/* --- fields and the rest --- */

static bool check_field(Thread *t, Object *mn, bool want_static) {
    int32_t flags = mn ? JGET_INT(mn, MemberName, flags) : 0;
    if ((flags & MN_IS_FIELD) && !!(flags & ACC_STATIC) == want_static) return true;
    return throw_new(t, EX_InternalError, want_static ? "static field required" : "non-static field required"), false;
}

void mhn_objectFieldOffset(Thread *t, Slot *args, Slot *ret) {
    if (check_field(t, args[0].ref, false)) ret->j = JGET_LONG(args[0].ref, MemberName, vmindex);
}
void mhn_staticFieldOffset(Thread *t, Slot *args, Slot *ret) {
    if (check_field(t, args[0].ref, true)) ret->j = JGET_LONG(args[0].ref, MemberName, vmindex);
}
void mhn_staticFieldBase(Thread *t, Slot *args, Slot *ret) {
    if (check_field(t, args[0].ref, true)) ret->ref = JGET_REF(args[0].ref, MemberName, clazz);
}

void mhn_getMemberVMInfo(Thread *t, Slot *args, Slot *ret) {
    Object *mn = args[0].ref;
    ret->ref = NULL;
    if (!mn) return;
    Object *pair = class_new_array(t, JC(Object), 2);
    Object *index = pair ? box_value(t, T_LONG, (Slot){.j = JGET_LONG(mn, MemberName, vmindex)}) : NULL;
    if (!index) return;
    array_set_ref(pair, 0, index);
    bool field = JGET_INT(mn, MemberName, flags) & MN_IS_FIELD;
    array_set_ref(pair, 1, field ? JGET_REF(mn, MemberName, clazz) : mn);
    ret->ref = pair;
}

/* No compiled code depends on call-site targets yet, so storing is all there is to do. */
void mhn_setCallSiteTargetNormal(Thread *t, Slot *args, Slot *ret) {
    ref_store_release(args[0].ref, jc_off.CallSite_target, args[1].ref);
}
void mhn_setCallSiteTargetVolatile(Thread *t, Slot *args, Slot *ret) {
    ref_store_volatile(args[0].ref, jc_off.CallSite_target, args[1].ref);
}
