/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reflection objects <-> metadata, and the core of Method.invoke and
 * Constructor.newInstance.
 *
 * A reflection object names its member by (clazz, slot), so no metadata pointer hides in the Java heap:
 * slot is the index in class-file order, which redefinition keeps; when a class changes shape, members
 * that stay keep their numbers and new ones get fresh ones (redefine/reshape.c).
 */
#include "exec/exec.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "invoke/invoke.h"
#include "redefine/redefine.h"

enum { /* flags that java.lang.reflect shows (Modifier plus synthetic/bridge/varargs/enum) */
       METHOD_MODIFIERS = 0x1dff,
       FIELD_MODIFIERS = 0x50df
};

/* --- attributes as Java objects --- */

Object *reflect_attribute(Thread *t, const CfAttrs *attrs, CfAttrKind kind) {
    const CfAttr *a = cf_attr(attrs, kind);
    Object *o = a ? heap_alloc_array(t, primitive_array_classes[T_BYTE], (int32_t)a->len) : NULL;
    if (o) memcpy(array_data(o), a->data, a->len);
    return o;
}
static Object *attr_bytes(Thread *t, Class *c, const CfAttrs *attrs, CfAttrKind kind) {
    Object *o = reflect_attribute(t, attrs, kind);
    if (o && !(c->flags & CF_ANNOTATIONS_SEEN)) FLAGS_SET(c->flags, CF_ANNOTATIONS_SEEN);
    return o;
}
static Object *attr_signature(Thread *t, ClassVersion *v, const CfAttrs *attrs) {
    CfStr s = cf_signature(v->cf, attrs);
    return s.p ? string_from_mutf8(t, s.p, s.len) : NULL;
}

static Object *reflect_parameter_types(Thread *t, Symbol *desc, Loader *l, Object **ret_type) {
    Object *types = class_new_array(t, JC(Class), cf_desc_arg_count(symbol_str(desc)));
    if (!types) return NULL;
    const char *p = desc->bytes + 1;
    for (int i = 0; *p != ')'; i++, p = desc_skip(p)) {
        Object *m = load_mirror_of_descriptor(t, p, (size_t)(desc_skip(p) - p), l);
        if (!m) return NULL;
        array_set_ref(types, i, m);
    }
    if (ret_type && !(*ret_type = load_mirror_of_descriptor(t, p + 1, strlen(p + 1), l))) return NULL;
    return types;
}

static Object *exception_types(Thread *t, Method *m) {
    CfRows rows = m->cf ? class_indices(&m->cf->attrs, CF_ATTR_EXCEPTIONS) : (CfRows){0};
    Object *types = class_new_array(t, JC(Class), (int32_t)rows.count);
    if (!types) return NULL;
    for (u4 i = 0; i < rows.count; i++) {
        Class *c = resolve_class(t, m->version, cf_index_at(&rows, i));
        if (!c) return NULL;
        array_set_ref(types, (int32_t)i, c->mirror);
    }
    return types;
}

/* --- metadata -> objects --- */

Object *reflect_field(Thread *t, Field *f) {
    Class *c = f->holder;
    Object *type = load_mirror_of_descriptor(t, f->desc->bytes, f->desc->len, c->loader);
    if (!type) return NULL;
    Object *o = class_new_object(t, JC(Field));
    Object *name = o ? string_intern_symbol(t, f->name) : NULL;
    if (!name) return NULL;
    JSET_REF(o, Field, clazz, c->mirror);
    JSET_REF(o, Field, name, name);
    JSET_REF(o, Field, type, type);
    JSET_INT(o, Field, slot, (int32_t)f->slot);
    JSET_INT(o, Field, modifiers, f->access & FIELD_MODIFIERS);
    JSET_BOOL(o, Field, trustedFinal, f->flags & FIELD_TRUSTED_FINAL);
    JSET_BOOL(o, AccessibleObject, override, false);
    if (f->cf) {
        JSET_REF(o, Field, signature, attr_signature(t, c->version, &f->cf->attrs));
        JSET_REF(o, Field, annotations, attr_bytes(t, f->holder, &f->cf->attrs, CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS));
    }
    return t->exception ? NULL : o;
}

/* What constructors and methods have in common. */
#define SET_EXECUTABLE(o, Kind, m, params, exceptions) \
    do { \
        const CfAttrs *as = &(m)->cf->attrs; \
        JSET_REF(o, Kind, clazz, (m)->holder->mirror); \
        JSET_INT(o, Kind, slot, (int32_t)(m)->slot); \
        JSET_REF(o, Kind, parameterTypes, params); \
        JSET_REF(o, Kind, exceptionTypes, exceptions); \
        JSET_INT(o, Kind, modifiers, (m)->access &METHOD_MODIFIERS); \
        JSET_REF(o, Kind, signature, attr_signature(t, (m)->version, as)); \
        JSET_REF(o, Kind, annotations, attr_bytes(t, (m)->holder, as, CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS)); \
        JSET_REF(o, Kind, parameterAnnotations, attr_bytes(t, (m)->holder, as, CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS)); \
    } while (0)

static Object *reflect_constructor(Thread *t, Method *m, Object *params, Object *exceptions) {
    Object *o = class_new_object(t, JC(Constructor));
    if (!o) return NULL;
    SET_EXECUTABLE(o, Constructor, m, params, exceptions);
    return t->exception ? NULL : o;
}

Object *reflect_method(Thread *t, Method *m) {
    Object *ret = NULL;
    /* of a removed method there is nothing left to show */
    if (!m->cf) return throw_new(t, EX_NoSuchMethodError, "%s", m->name->bytes), NULL;
    Object *params = reflect_parameter_types(t, m->desc, m->holder->loader, &ret);
    Object *exceptions = params ? exception_types(t, m) : NULL;
    if (!exceptions) return NULL;
    if (m->flags & MF_INIT) return reflect_constructor(t, m, params, exceptions);
    Object *name = string_intern_symbol(t, m->name);
    Object *o = name ? class_new_object(t, JC(Method)) : NULL;
    if (!o) return NULL;
    JSET_REF(o, Method, name, name);
    JSET_REF(o, Method, returnType, ret);
    SET_EXECUTABLE(o, Method, m, params, exceptions);
    JSET_REF(o, Method, annotationDefault, attr_bytes(t, m->holder, &m->cf->attrs, CF_ATTR_ANNOTATION_DEFAULT));
    return t->exception ? NULL : o;
}

/* --- objects -> metadata --- */

Method *reflect_to_method(Object *r) {
    bool ctor = obj_class(r) == JC(Constructor);
    Object *mirror = ctor ? JGET_REF(r, Constructor, clazz) : JGET_REF(r, Method, clazz);
    u4 slot = (u4)(ctor ? JGET_INT(r, Constructor, slot) : JGET_INT(r, Method, slot));
    Class *c = mirror_class(mirror);
    if (UNLIKELY(c->reshaped != NULL)) return reshaped_method(c, slot);
    return slot < c->version->n_methods ? &c->version->methods[slot] : NULL;
}
Field *reflect_to_field(Object *r) {
    Class *c = mirror_class(JGET_REF(r, Field, clazz));
    u4 slot = (u4)JGET_INT(r, Field, slot);
    if (UNLIKELY(c->reshaped != NULL)) return reshaped_field(c, slot);
    return slot < c->n_fields ? &c->fields[slot] : NULL;
}

MethodID *method_id_made(Method *m) {
    MethodID *fresh = method_id_new(m), *expected = NULL;
    if (atomic_compare_exchange_strong(&m->id, &expected, fresh)) return fresh;
    method_id_free(fresh);
    return expected;
}

/* --- boxing --- */

typedef struct Box {
    Class *cls; /* NULL: the type has none */
    u4 offset;  /* of its value */
} Box;

static Box box_of(BasicType bt) {
    switch (bt) {
    case T_BOOLEAN: return (Box){JC(Boolean), jc_off.Boolean_value};
    case T_CHAR: return (Box){JC(Character), jc_off.Character_value};
    case T_FLOAT: return (Box){JC(Float), jc_off.Float_value};
    case T_DOUBLE: return (Box){JC(Double), jc_off.Double_value};
    case T_BYTE: return (Box){JC(Byte), jc_off.Byte_value};
    case T_SHORT: return (Box){JC(Short), jc_off.Short_value};
    case T_INT: return (Box){JC(Integer), jc_off.Integer_value};
    case T_LONG: return (Box){JC(Long), jc_off.Long_value};
    default: return (Box){NULL, 0};
    }
}

Object *box_value(Thread *t, BasicType bt, Slot v) {
    Box box = box_of(bt);
    if (!box.cls) return bt == T_VOID ? NULL : v.ref;
    Object *o = class_new_object(t, box.cls);
    if (o) prim_store(obj_at(o, box.offset), bt, v);
    return o;
}

bool unbox_value(Object *boxed, BasicType *bt, Slot *out) {
    if (!boxed) return false;
    for (BasicType k = T_BOOLEAN; k <= T_LONG; k++) {
        Box box = box_of(k);
        if (obj_class(boxed) != box.cls) continue;
        *out = prim_load(obj_at(boxed, box.offset), k);
        *bt = k;
        return true;
    }
    return false;
}

static bool widen_integral(BasicType from, BasicType to, Slot *v) {
    int64_t x = from == T_LONG ? v->j : v->i;
    switch (to) {
    case T_SHORT: return from == T_BYTE;
    case T_INT: return from != T_LONG;
    case T_LONG: v->j = x; return true;
    case T_FLOAT: v->f = (float)x; return true;
    case T_DOUBLE: v->d = (double)x; return true;
    default: return false;
    }
}
/* JLS 5.1.2. */
bool widen_value(BasicType from, BasicType to, Slot *v) {
    if (from == to) return true;
    switch (from) {
    case T_BYTE:
    case T_SHORT:
    case T_CHAR:
    case T_INT:
    case T_LONG: return widen_integral(from, to, v);
    case T_FLOAT:
        if (to != T_DOUBLE) return false;
        v->d = v->f;
        return true;
    default: return false;
    }
}

/* --- invocation --- */

static bool convert_argument(Thread *t, Class *want, Object *arg, Slot *out) {
    if (class_is_primitive(want)) {
        BasicType from;
        if (unbox_value(arg, &from, out) && widen_value(from, want->elem_type, out)) return true;
    } else if (!arg || obj_instanceof(arg, want)) {
        out->ref = arg;
        return true;
    }
    return throw_new(t, EX_IllegalArgumentException, "argument type mismatch"), false;
}

/* Fill `slots` behind the receiver from an Object[] (may be null for no arguments). */
static bool convert_arguments(Thread *t, Method *m, Object *args, Slot *slots) {
    int given = args ? array_len(args) : 0, i = 0;
    if (given != cf_desc_arg_count(symbol_str(m->desc)))
        return throw_new(t, EX_IllegalArgumentException, "wrong number of arguments"), false;
    for (const char *p = m->desc->bytes + 1; *p != ')'; i++, p = desc_skip(p)) {
        Class *want = load_class_of_descriptor(t, p, (size_t)(desc_skip(p) - p), m->holder->loader);
        if (!want || !convert_argument(t, want, array_ref(args, i), slots)) return false;
        slots += type_slots(type_of_desc_char(*p));
    }
    return true;
}

static void wrap_target_exception(Thread *t) {
    Object *cause = exception_take(t);
    throw_with_cause(t, EX_InvocationTargetException, cause, NULL);
}

static bool select_target(Thread *t, Method **m, Object *receiver) {
    Class *holder = (*m)->holder;
    if (!receiver) return throw_plain(t, EX_NullPointerException), false;
    if (!obj_instanceof(receiver, holder))
        return throw_new(t, EX_IllegalArgumentException, "object is not an instance of declaring class"), false;
    if ((*m)->access & ACC_PRIVATE || (*m)->flags & MF_INIT) return true;
    Method *s = exec_select_interface(t, obj_class(receiver), *m);
    if (s) *m = s;
    if (t->exception) wrap_target_exception(t);
    return s != NULL;
}

/* Arguments live on the C stack: the longest legal list has 255 cells. */
enum { MAX_ARG_SLOTS = 256 };

Object *reflect_invoke(Thread *t, Method *m, Object *receiver, Object *args, bool check_types) {
    Slot slots[MAX_ARG_SLOTS], ret = {.raw = 0};
    Slot *p = slots;
    if (!class_init(t, m->holder)) return NULL;
    if (!method_is_static(m)) {
        if (!select_target(t, &m, receiver)) return NULL;
        (p++)->ref = receiver;
    }
    if (!convert_arguments(t, m, args, p)) return NULL;
    if (!exec_call(t, m, slots, &ret)) {
        if (check_types) wrap_target_exception(t);
        return NULL;
    }
    return box_value(t, m->ret_type, ret);
}

Object *reflect_new_instance(Thread *t, Method *ctor, Object *args) {
    Slot slots[MAX_ARG_SLOTS];
    Class *c = ctor->holder;
    Object *o = class_instantiate(t, c);
    if (!o) return NULL;
    slots[0].ref = o;
    if (!convert_arguments(t, ctor, args, slots + 1)) return NULL;
    if (exec_call(t, ctor, slots, NULL)) return o;
    wrap_target_exception(t);
    return NULL;
}
