/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a class file says, as reflection wants it: modifiers, members, nesting,
 * nests, records, sealed hierarchies, annotations.  All results are fresh objects.
 */
#include "jvm/jvm_int.h"

#include "core/hooks.h"

#include "invoke/invoke.h"
#include "object/method.h"

static CfClass *model(Class *c) { return c->version->cf; }

Object *jvm_utf8_string(Thread *t, const ClassVersion *v, unsigned index) {
    CfStr s = cf_utf8(v->cf, index);
    return s.p ? string_from_mutf8(t, s.p, s.len) : NULL;
}

JVM_EXPORT jint JVM_GetClassModifiers(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    return class_modifiers(native_class(cls));
}

JVM_EXPORT jint JVM_GetClassAccessFlags(JNIEnv *env, jclass cls) {
    Class *c = native_class(cls);
    return class_is_primitive(c) ? ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT : c->access & ACC_WRITTEN;
}

/* Without an InnerClasses attribute beside it, the reference does not see an EnclosingMethod attribute. */
static bool enclosing_method(Class *c, uint16_t *klass, uint16_t *name_and_type) {
    const CfAttr *attr = cf_attr(&model(c)->attrs, CF_ATTR_ENCLOSING_METHOD);
    return attr && cf_attr(&model(c)->attrs, CF_ATTR_INNER_CLASSES) &&
           cf_enclosing_method(attr, klass, name_and_type, NULL) == CF_OK && *klass;
}

static bool throw_disagree(Thread *t, Class *outer, Class *inner) {
    throw_new(t, EX_IncompatibleClassChangeError, "%s and %s disagree on InnerClasses attribute", class_text(outer).s,
              class_text(inner).s);
    return false;
}

/* Does `outer` list `inner`, and no other class of that name, as a member, as its inner claims? */
static bool check_reciprocal(Thread *t, Class *outer, Class *inner, bool inner_is_member) {
    if (!jvm_is_instance_class(outer)) return throw_disagree(t, outer, inner);
    CfRows rows = class_inner_rows(outer);
    for (u4 i = 0; i < rows.count; i++) {
        CfInner in = cf_inner(&rows, i);
        if (!in.inner || !class_entry_names(outer, in.inner, inner)) continue;
        if (inner_is_member ? !in.outer || !class_entry_names(outer, in.outer, outer) : in.outer != 0) continue;
        Class *k = resolve_class(t, outer->version, in.inner);
        if (!k || k == inner) return k != NULL;
    }
    return throw_disagree(t, outer, inner);
}

/* A local class names its outer one by EnclosingMethod, which has to be true as well. */
JVM_EXPORT jclass JVM_GetDeclaringClass(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    CfInner in;
    uint16_t klass, name_and_type;
    if (!jvm_is_instance_class(c) || !class_own_row(c, &in)) return NULL;
    if (in.outer) klass = (uint16_t)in.outer;
    else if (!enclosing_method(c, &klass, &name_and_type)) return NULL;
    Class *outer = resolve_class(t, c->version, klass);
    return outer && check_reciprocal(t, outer, c, in.outer) && in.outer ? native_class_handle(t, outer) : NULL;
}

JVM_EXPORT jstring JVM_GetSimpleBinaryName(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    CfInner in;
    bool named = jvm_is_instance_class(c) && class_own_row(c, &in);
    return named ? handle_local(t, jvm_utf8_string(t, c->version, in.name)) : NULL;
}

JVM_EXPORT jobjectArray JVM_GetDeclaredClasses(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    CfRows rows = jvm_is_instance_class(c) ? class_inner_rows(c) : (CfRows){0};
    Object *a = class_new_array(t, JC(Class), (int32_t)rows.count);
    int32_t n = 0;
    for (u4 i = 0; a && i < rows.count; i++) {
        CfInner in = cf_inner(&rows, i);
        if (!in.inner || !in.outer || !class_entry_names(c, in.outer, c)) continue;
        Class *k = resolve_class(t, c->version, in.inner);
        if (!k) a = NULL;
        else array_set_ref(a, n++, k->mirror);
    }
    return jvm_give_array(t, a, n);
}

JVM_EXPORT jobjectArray JVM_GetEnclosingMethodInfo(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    Object *a = NULL;
    uint16_t k, nat;
    if (jvm_is_instance_class(c) && enclosing_method(c, &k, &nat)) {
        Class *outer = resolve_class(t, c->version, k);
        a = outer ? class_new_array(t, JC(Object), 3) : NULL;
        if (a) array_set_ref(a, 0, outer->mirror);
        if (a && nat) {
            const CfConst *e = cf_const(model(c), nat);
            Object *name = jvm_utf8_string(t, c->version, e->a);
            if (name) array_set_ref(a, 1, name);
            Object *desc = name ? jvm_utf8_string(t, c->version, e->b) : NULL;
            if (desc) array_set_ref(a, 2, desc);
        }
    }
    return t->exception ? NULL : handle_local(t, a);
}

/* ---- hierarchy ---- */

JVM_EXPORT jobjectArray JVM_GetClassInterfaces(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    Class *of_array[2] = {JC(Cloneable), JC(Serializable)};
    if (class_is_array(c)) return handle_local(t, jvm_class_array(t, of_array, 2));
    return handle_local(t, jvm_class_array(t, c->interfaces, c->n_interfaces));
}

JVM_EXPORT jclass JVM_GetNestHost(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    return native_class_handle(t, jvm_is_instance_class(c) ? access_nest_host(t, c) : c);
}

JVM_EXPORT jboolean JVM_AreNestMates(JNIEnv *env, jclass a, jclass b) {
    IN_JAVA Thread *t = native_enter(env);
    Class *x = native_class(a), *y = native_class(b);
    return x == y || (jvm_is_instance_class(x) && jvm_is_instance_class(y) && access_nest_host(t, x) == access_nest_host(t, y));
}

/* Entries of a list attribute that load and pass `accept`, behind `first` (if any); others are dropped, but VirtualMachineError
 * propagates.  Not on the stack: there may be 65,535, more than a small thread has room for. */
typedef struct ClassList {
    Class **v;
    int32_t n; /* -1: an exception is pending */
} ClassList;

static ClassList loadable(Thread *t, Class *c, CfAttrKind kind, Class *first, bool (*accept)(Thread *, Class *, Class *)) {
    CfRows rows = class_indices(&model(c)->attrs, kind);
    ClassList list = {malloc((rows.count + 1) * sizeof *list.v), 0};
    if (!list.v) return throw_no_memory(t), list.n = -1, list;
    if (first) list.v[list.n++] = first;
    for (u4 i = 0; i < rows.count; i++) {
        Class *k = resolve_class(t, c->version, cf_index_at(&rows, i));
        if (!k) {
            if (exception_is(t, EX_VirtualMachineError)) return list.n = -1, list;
            t->exception = NULL;
        } else if (accept(t, c, k)) {
            list.v[list.n++] = k;
        }
    }
    return list;
}

static jobjectArray give_list(Thread *t, ClassList list) {
    jobjectArray a = list.n >= 0 ? handle_local(t, jvm_class_array(t, list.v, list.n)) : NULL;
    free(list.v);
    return a;
}

static bool is_nest_member(Thread *t, Class *host, Class *k) {
    return jvm_is_instance_class(k) && access_nest_host(t, k) == host;
}
static bool is_direct_subclass(Thread *t, Class *super, Class *k) {
    return jvm_is_instance_class(k) && (k->super == super || class_names_interface(k, super));
}

JVM_EXPORT jobjectArray JVM_GetNestMembers(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    if (!jvm_is_instance_class(c)) return handle_local(t, jvm_class_array(t, &c, 1));
    Class *host = access_nest_host(t, c);
    return give_list(t,
                     loadable(t, host, CF_ATTR_NEST_MEMBERS, host, is_nest_member)); /* without c, if that is a hidden nestmate */
}

JVM_EXPORT jobjectArray JVM_GetPermittedSubclasses(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    if (!jvm_is_instance_class(c) || !cf_attr(&model(c)->attrs, CF_ATTR_PERMITTED_SUBCLASSES)) return NULL;
    return give_list(t, loadable(t, c, CF_ATTR_PERMITTED_SUBCLASSES, NULL, is_direct_subclass));
}

/* ---- members ---- */

static bool wanted(u2 access, jboolean public_only) { return !public_only || (access & ACC_PUBLIC); }

static bool field_wanted(const Field *f, jboolean public_only) {
    return wanted(f->access, public_only) && !(f->flags & FIELD_INJECTED);
}

JVM_EXPORT jobjectArray JVM_GetClassDeclaredFields(JNIEnv *env, jclass cls, jboolean public_only) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    bool has = jvm_is_instance_class(c);
    if (has && !class_link(t, c)) return NULL;
    int32_t n = 0;
    for (u4 i = 0; has && i < c->n_fields; i++) n += field_wanted(&c->fields[i], public_only);
    Object *a = class_new_array(t, JC(Field), n);
    n = 0;
    for (u4 i = 0; has && a && i < c->n_fields; i++)
        if (field_wanted(&c->fields[i], public_only)) jvm_array_put(&a, n++, reflect_field(t, &c->fields[i]));
    return handle_local(t, a);
}

static bool method_wanted(const Method *m, bool ctors, jboolean public_only) {
    bool is_init = symbol_eq(m->name, "<init>"), special = is_init || symbol_eq(m->name, "<clinit>");
    return (ctors ? is_init && !method_is_static(m) : !special) && !(m->flags & MF_OVERPASS) && wanted(m->access, public_only);
}

static jobjectArray declared_methods(JNIEnv *env, jclass cls, jboolean public_only, bool ctors) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    bool has = jvm_is_instance_class(c);
    if (has && !class_link(t, c)) return NULL;
    ClassVersion *v = c->version;
    int32_t n = 0;
    for (u4 i = 0; has && i < v->n_methods; i++) n += method_wanted(&v->methods[i], ctors, public_only);
    Object *a = class_new_array(t, ctors ? JC(Constructor) : JC(Method), n);
    n = 0;
    for (u4 i = 0; has && a && i < v->n_methods; i++)
        if (method_wanted(&v->methods[i], ctors, public_only)) jvm_array_put(&a, n++, reflect_method(t, &v->methods[i]));
    return handle_local(t, a);
}

JVM_EXPORT jobjectArray JVM_GetClassDeclaredMethods(JNIEnv *env, jclass cls, jboolean public_only) {
    return declared_methods(env, cls, public_only, false);
}
JVM_EXPORT jobjectArray JVM_GetClassDeclaredConstructors(JNIEnv *env, jclass cls, jboolean public_only) {
    return declared_methods(env, cls, public_only, true);
}

/* ---- records ---- */

static Object *component_accessor(Thread *t, Class *c, CfStr name, CfStr type) {
    char *desc = malloc(type.len + 2u); /* up to 65,537: not on the stack of a small thread */
    if (!desc) return throw_no_memory(t), NULL;
    memcpy(desc, "()", 2);
    memcpy(desc + 2, type.p, type.len);
    Symbol *n = symbol_lookup(name.p, name.len), *d = symbol_lookup(desc, type.len + 2);
    free(desc);
    Method *m = n && d ? class_find_declared_method(c, n, d) : NULL;
    return m && !method_is_static(m) ? reflect_method(t, m) : NULL;
}

static Object *make_component(Thread *t, Class *c, const CfComponent *k) {
    CfStr name = cf_utf8(model(c), k->name), type = cf_utf8(model(c), k->desc);
    Class *type_class = load_class_of_descriptor(t, type.p, type.len, c->loader);
    Object *o = type_class ? class_new_object(t, JC(RecordComponent)) : NULL;
    if (!o) return NULL;
    Object *s = string_intern_symbol(t, symbol_intern(name.p, name.len));
    JSET_REF(o, RecordComponent, clazz, c->mirror);
    JSET_REF(o, RecordComponent, name, s);
    JSET_REF(o, RecordComponent, type, type_class->mirror);
    Object *accessor = component_accessor(t, c, name, type);
    JSET_REF(o, RecordComponent, accessor, accessor);
    Object *sig = t->exception ? NULL : jvm_utf8_string(t, c->version, cf_attr_index(cf_attr(&k->attrs, CF_ATTR_SIGNATURE)));
    JSET_REF(o, RecordComponent, signature, sig);
    Object *ann = t->exception ? NULL : reflect_attribute(t, &k->attrs, CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
    JSET_REF(o, RecordComponent, annotations, ann);
    Object *tann = t->exception ? NULL : reflect_attribute(t, &k->attrs, CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS);
    JSET_REF(o, RecordComponent, typeAnnotations, tann);
    if ((ann || tann) && !(c->flags & CF_ANNOTATIONS_SEEN)) FLAGS_SET(c->flags, CF_ANNOTATIONS_SEEN);
    return t->exception ? NULL : o;
}

JVM_EXPORT jobjectArray JVM_GetRecordComponents(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    Object *a = NULL;
    CfComponents walk;
    const CfAttr *attr = jvm_is_instance_class(c) ? cf_attr(&model(c)->attrs, CF_ATTR_RECORD) : NULL;
    if (attr && cf_record(attr, &walk, NULL) == CF_OK) {
        CfArena scratch;
        CfComponent k;
        cf_arena_init(&scratch, "record", 0);
        a = class_new_array(t, JC(RecordComponent), (int32_t)walk.count);
        for (int32_t i = 0; a && cf_component_next(model(c), &walk, &scratch, &k); i++)
            jvm_array_put(&a, i, make_component(t, c, &k));
        if (scratch.failed) throw_no_memory(t), a = NULL; /* else the last ones were missing */
        cf_arena_free(&scratch);
    }
    return handle_local(t, a);
}

/* ---- attributes ---- */

/* attrs: NULL for what has no class file */
static jbyteArray attribute(Thread *t, const CfAttrs *attrs, CfAttrKind kind) {
    return attrs ? handle_local(t, reflect_attribute(t, attrs, kind)) : NULL;
}
static const CfAttrs *class_attrs(Class *c) { return jvm_is_instance_class(c) ? &model(c)->attrs : NULL; }

JVM_EXPORT jbyteArray JVM_GetClassAnnotations(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    return attribute(t, class_attrs(native_class(cls)), CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
}
JVM_EXPORT jbyteArray JVM_GetClassTypeAnnotations(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    return attribute(t, class_attrs(native_class(cls)), CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS);
}

JVM_EXPORT jstring JVM_GetClassSignature(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    CfStr s = jvm_is_instance_class(c) ? cf_signature(model(c), &model(c)->attrs) : (CfStr){0};
    return s.p ? handle_local(t, string_from_mutf8(t, s.p, s.len)) : NULL;
}

JVM_EXPORT jbyteArray JVM_GetMethodTypeAnnotations(JNIEnv *env, jobject method) {
    IN_JAVA Thread *t = native_enter(env);
    Method *m = reflect_to_method(handle_get(method));
    return attribute(t, m && m->cf ? &m->cf->attrs : NULL, CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS);
}

JVM_EXPORT jbyteArray JVM_GetFieldTypeAnnotations(JNIEnv *env, jobject field) {
    IN_JAVA Thread *t = native_enter(env);
    Field *f = reflect_to_field(handle_get(field));
    return attribute(t, f && f->cf ? &f->cf->attrs : NULL, CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS);
}

static Object *method_parameters(Thread *t, Method *m, Object *executable) {
    CfRows rows;
    const CfAttr *attr = m->cf ? cf_attr(&m->cf->attrs, CF_ATTR_METHOD_PARAMETERS) : NULL;
    if (!attr || cf_method_parameters(attr, &rows, NULL) != CF_OK) return NULL;
    ClassVersion *v = m->version;
    Object *a = class_init(t, JC(Parameter)) ? class_new_array(t, JC(Parameter), (int32_t)rows.count) : NULL;
    for (u4 i = 0; a && i < rows.count; i++) {
        uint16_t name, access;
        cf_method_parameter(&rows, i, &name, &access);
        if (name && cf_tag(v->cf, name) != CF_CONST_UTF8)
            return throw_new(t, EX_IllegalArgumentException, "Wrong type at constant pool index"), NULL;
        Object *p = heap_alloc_object(t, JC(Parameter));
        Object *s = p ? jvm_utf8_string(t, v, name) : NULL;
        if (!p || t->exception) return NULL;
        JSET_REF(p, Parameter, name, s);
        JSET_INT(p, Parameter, modifiers, access);
        JSET_REF(p, Parameter, executable, executable);
        JSET_INT(p, Parameter, index, (int32_t)i);
        array_set_ref(a, (int32_t)i, p);
    }
    return a;
}

JVM_EXPORT jobjectArray JVM_GetMethodParameters(JNIEnv *env, jobject method) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = handle_get(method);
    Method *m = reflect_to_method(o);
    return m ? handle_local(t, method_parameters(t, m, o)) : NULL;
}
