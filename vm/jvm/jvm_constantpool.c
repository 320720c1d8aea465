/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jdk.internal.reflect.ConstantPool.  Its constantPoolOop field holds the Class;
 * the pool is that of the class's current version.
 */
#include "jvm/jvm_int.h"
#include "invoke/invoke.h"

JVM_EXPORT jobject JVM_GetClassConstantPool(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    /* c need not be linked: annotations are read through it */
    Object *o = jvm_is_instance_class(c) ? class_new_object(t, JC(ConstantPool)) : NULL;
    if (o) JSET_REF(o, ConstantPool, constantPoolOop, c->mirror);
    return handle_local(t, o);
}

static ClassVersion *pool_of(jobject jcpool) { return mirror_class(handle_get(jcpool))->version; }

/* Sets of tags */
enum {
    CLASSES = 1 << CF_CONST_CLASS,
    FIELDS = 1 << CF_CONST_FIELDREF,
    METHODS = 1 << CF_CONST_METHODREF | 1 << CF_CONST_INTERFACEMETHODREF,
    CALL_SITES = 1 << CF_CONST_INVOKEDYNAMIC | 1 << CF_CONST_DYNAMIC
};

/* The entry if its tag is one of `tags`, else NULL + IllegalArgumentException. */
static const CfConst *entry(Thread *t, ClassVersion *v, jint i, u4 tags) {
    if (i <= 0 || (u4)i >= v->cf->const_count)
        return throw_new(t, EX_IllegalArgumentException, "Constant pool index out of bounds"), NULL;
    const CfConst *k = cf_const(v->cf, (unsigned)i);
    if (tags >> k->tag & 1) return k;
    return throw_new(t, EX_IllegalArgumentException, "Wrong type at constant pool index"), NULL;
}

JVM_EXPORT jint JVM_ConstantPoolGetSize(JNIEnv *env, jobject unused, jobject jcpool) {
    IN_JAVA Thread *t = native_enter(env);
    return (jint)pool_of(jcpool)->cf->const_count;
}

/* The class that entry i names, loaded or (load false) only if it is already. */
static Class *class_named(Thread *t, ClassVersion *v, u2 i, bool load) {
    return load ? resolve_class(t, v, i) : loader_find_loaded(v->klass->loader, pool_class_name(v, i));
}

static jclass class_at(JNIEnv *env, jobject jcpool, jint i, bool load) {
    IN_JAVA Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    return entry(t, v, i, CLASSES) ? native_class_handle(t, class_named(t, v, (u2)i, load)) : NULL;
}
JVM_EXPORT jclass JVM_ConstantPoolGetClassAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return class_at(env, jcpool, i, true);
}
JVM_EXPORT jclass JVM_ConstantPoolGetClassAtIfLoaded(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return class_at(env, jcpool, i, false);
}

static jobject member_at(JNIEnv *env, jobject jcpool, jint i, bool field, bool load) {
    IN_JAVA Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    const CfConst *k = entry(t, v, i, field ? FIELDS : METHODS);
    Class *c = k ? class_named(t, v, k->a, load) : NULL;
    if (!c) return NULL;
    Symbol *cls, *name, *desc;
    pool_name_and_type(v, (u2)i, &cls, &name, &desc);
    Method *m = field ? NULL : class_find_method(c, name, desc);
    Field *f = field ? class_find_field(c, name, desc) : NULL;
    if (m) return handle_local(t, reflect_method(t, m));
    if (f) return handle_local(t, reflect_field(t, f));
    if (!t->exception) throw_new(t, EX_RuntimeException, "Unable to look up %s in target class", field ? "field" : "method");
    return NULL;
}
JVM_EXPORT jobject JVM_ConstantPoolGetMethodAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return member_at(env, jcpool, i, false, true);
}
JVM_EXPORT jobject JVM_ConstantPoolGetMethodAtIfLoaded(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return member_at(env, jcpool, i, false, false);
}
JVM_EXPORT jobject JVM_ConstantPoolGetFieldAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return member_at(env, jcpool, i, true, true);
}
JVM_EXPORT jobject JVM_ConstantPoolGetFieldAtIfLoaded(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return member_at(env, jcpool, i, true, false);
}

static jobjectArray strings(Thread *t, Symbol **list, int n) {
    Object *a = class_new_array(t, JC(String), n);
    for (int i = 0; a && i < n; i++) jvm_array_put(&a, i, string_from_symbol(t, list[i]));
    return handle_local(t, a);
}

JVM_EXPORT jobjectArray JVM_ConstantPoolGetMemberRefInfoAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    IN_JAVA Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    if (!entry(t, v, i, FIELDS | METHODS)) return NULL;
    Symbol *s[3];
    pool_name_and_type(v, (u2)i, &s[0], &s[1], &s[2]);
    return strings(t, s, 3);
}

static jint ref_part(JNIEnv *env, jobject jcpool, jint i, bool cls) {
    IN_JAVA Thread *t = native_enter(env);
    const CfConst *k = entry(t, pool_of(jcpool), i, FIELDS | METHODS | (cls ? 0 : CALL_SITES));
    return !k ? 0 : cls ? k->a : k->b;
}
JVM_EXPORT jint JVM_ConstantPoolGetClassRefIndexAt(JNIEnv *env, jobject obj, jobject jcpool, jint i) {
    return ref_part(env, jcpool, i, true);
}
JVM_EXPORT jint JVM_ConstantPoolGetNameAndTypeRefIndexAt(JNIEnv *env, jobject obj, jobject jcpool, jint i) {
    return ref_part(env, jcpool, i, false);
}

JVM_EXPORT jobjectArray JVM_ConstantPoolGetNameAndTypeRefInfoAt(JNIEnv *env, jobject obj, jobject jcpool, jint i) {
    IN_JAVA Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    const CfConst *k = entry(t, v, i, 1 << CF_CONST_NAMEANDTYPE);
    return k ? strings(t, (Symbol *[2]){pool_utf8(v, k->a), pool_utf8(v, k->b)}, 2) : NULL;
}

/* The value of a numeric entry, as its bits. */
static Slot number_at(JNIEnv *env, jobject jcpool, jint i, unsigned tag) {
    IN_JAVA Thread *t = native_enter(env);
    const CfConst *k = entry(t, pool_of(jcpool), i, 1 << tag);
    bool two = tag == CF_CONST_LONG || tag == CF_CONST_DOUBLE;
    Slot s = {.raw = 0};
    if (k && two) s.j = k->j;
    else if (k) s.i = k->i;
    return s;
}
JVM_EXPORT jint JVM_ConstantPoolGetIntAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return number_at(env, jcpool, i, CF_CONST_INTEGER).i;
}
JVM_EXPORT jlong JVM_ConstantPoolGetLongAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return number_at(env, jcpool, i, CF_CONST_LONG).j;
}
JVM_EXPORT jfloat JVM_ConstantPoolGetFloatAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return number_at(env, jcpool, i, CF_CONST_FLOAT).f;
}
JVM_EXPORT jdouble JVM_ConstantPoolGetDoubleAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return number_at(env, jcpool, i, CF_CONST_DOUBLE).d;
}
JVM_EXPORT jstring JVM_ConstantPoolGetStringAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    IN_JAVA Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    return entry(t, v, i, 1 << CF_CONST_STRING) ? handle_local(t, resolve_string(t, v, (u2)i)) : NULL;
}
JVM_EXPORT jstring JVM_ConstantPoolGetUTF8At(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    IN_JAVA Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    return entry(t, v, i, 1 << CF_CONST_UTF8) ? handle_local(t, jvm_utf8_string(t, v, (unsigned)i)) : NULL;
}
JVM_EXPORT jbyte JVM_ConstantPoolGetTagAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    IN_JAVA Thread *t = native_enter(env);
    const CfConst *k = entry(t, pool_of(jcpool), i, ~0u);
    return k ? (jbyte)k->tag : 0;
}
