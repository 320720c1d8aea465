/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jdk.internal.reflect.ConstantPool.  Its constantPoolOop field holds the Class;
 * the pool is that of the class's current version.
 */
#include "jvm/jvm_int.h"
#include "invoke/invoke.h"
#include "object/class.h"
#include "object/version.h"

JVM_EXPORT jobject JVM_GetClassConstantPool(JNIEnv *env, jclass cls) {
    Thread *t = native_enter(env);
    Class *c = native_class(cls);
    Object *o = NULL;
    if (jvm_is_instance_class(c) && class_init(t, JC(ConstantPool))) { /* not linked: annotations are read through it */
        o = heap_alloc_object(t, JC(ConstantPool));
        if (o) JSET_REF(o, ConstantPool, constantPoolOop, c->mirror);
    }
    jobject r = handle_local(t, o);
    native_leave(t);
    return r;
}

static ClassVersion *pool_of(jobject jcpool) { return mirror_class(handle_get(jcpool))->version; }

/* The entry if its tag is one of two, else NULL + IllegalArgumentException. */
static const CfConst *entry2(Thread *t, ClassVersion *v, jint i, unsigned tag, unsigned tag2) {
    if (i <= 0 || (u4)i >= v->cf->const_count) {
        throw_new(t, EX_IllegalArgumentException, "Constant pool index out of bounds");
        return NULL;
    }
    const CfConst *k = cf_const(v->cf, (unsigned)i);
    if (k->tag == tag || k->tag == tag2) return k;
    throw_new(t, EX_IllegalArgumentException, "Wrong type at constant pool index");
    return NULL;
}
static const CfConst *entry(Thread *t, ClassVersion *v, jint i, unsigned tag) { return entry2(t, v, i, tag, tag); }

JVM_EXPORT jint JVM_ConstantPoolGetSize(JNIEnv *env, jobject unused, jobject jcpool) {
    Thread *t = native_enter(env);
    jint n = (jint)pool_of(jcpool)->cf->const_count;
    native_leave(t);
    return n;
}

static jclass class_at(JNIEnv *env, jobject jcpool, jint i, bool load) {
    Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    Class *c = NULL;
    if (entry(t, v, i, CF_CONST_CLASS))
        c = load ? resolve_class(t, v, (u2)i) : loader_find_loaded(v->klass->loader, pool_class_name(v, (u2)i));
    jclass r = c ? handle_local(t, c->mirror) : NULL;
    native_leave(t);
    return r;
}
JVM_EXPORT jclass JVM_ConstantPoolGetClassAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return class_at(env, jcpool, i, true);
}
JVM_EXPORT jclass JVM_ConstantPoolGetClassAtIfLoaded(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    return class_at(env, jcpool, i, false);
}

/* Class of a member reference, loaded or (load false) only if it is already. */
static Class *member_class(Thread *t, ClassVersion *v, jint i, bool load) {
    const CfConst *k = cf_const(v->cf, (unsigned)i);
    return load ? resolve_class(t, v, k->a) : loader_find_loaded(v->klass->loader, pool_class_name(v, k->a));
}

static bool is_method_ref(const CfConst *k) { return k->tag == CF_CONST_METHODREF || k->tag == CF_CONST_INTERFACEMETHODREF; }

/* The Method or Field object of a member reference that is right, NULL if there is none. */
static Object *member_object(Thread *t, ClassVersion *v, jint i, bool field, bool load) {
    Symbol *cls, *name, *desc;
    Class *c = member_class(t, v, i, load);
    pool_name_and_type(v, (u2)i, &cls, &name, &desc);
    Method *m = c && !field ? class_find_method(c, name, desc) : NULL;
    Field *f = c && field ? class_find_field(c, name, desc) : NULL;
    if (m) return reflect_method(t, m);
    if (f) return reflect_field(t, f);
    if (c && !t->exception) throw_new(t, EX_RuntimeException, "Unable to look up %s in target class", field ? "field" : "method");
    return NULL;
}
static jobject member_at(JNIEnv *env, jobject jcpool, jint i, bool field, bool load) {
    Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    const CfConst *k =
        field ? entry(t, v, i, CF_CONST_FIELDREF) : entry2(t, v, i, CF_CONST_METHODREF, CF_CONST_INTERFACEMETHODREF);
    jobject r = handle_local(t, k ? member_object(t, v, i, field, load) : NULL);
    native_leave(t);
    return r;
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

static jobjectArray strings(JNIEnv *env, Thread *t, Symbol **list, int n) {
    Object *a = jvm_new_array(t, JC(String), n);
    for (int i = 0; a && i < n; i++) {
        Object *s = string_from_symbol(t, list[i]);
        if (s) array_set_ref(a, i, s);
        else a = NULL;
    }
    return handle_local(t, a);
}

JVM_EXPORT jobjectArray JVM_ConstantPoolGetMemberRefInfoAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    jobjectArray r = NULL;
    bool in_range = i > 0 && (u4)i < v->cf->const_count;
    if (in_range && (is_method_ref(cf_const(v->cf, (unsigned)i)) || cf_tag(v->cf, (unsigned)i) == CF_CONST_FIELDREF)) {
        Symbol *s[3];
        pool_name_and_type(v, (u2)i, &s[0], &s[1], &s[2]);
        r = strings(env, t, s, 3);
    } else {
        entry(t, v, i, CF_CONST_FIELDREF); /* says what is wrong */
    }
    native_leave(t);
    return r;
}

static jint ref_part(JNIEnv *env, jobject jcpool, jint i, bool cls) {
    Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    const CfConst *k = i > 0 && (u4)i < v->cf->const_count ? cf_const(v->cf, (unsigned)i) : NULL;
    bool indy = k && (k->tag == CF_CONST_INVOKEDYNAMIC || k->tag == CF_CONST_DYNAMIC);
    jint r = 0;
    if (k && (is_method_ref(k) || k->tag == CF_CONST_FIELDREF || (indy && !cls))) r = cls ? k->a : k->b;
    else entry(t, v, i, CF_CONST_FIELDREF);
    native_leave(t);
    return r;
}
JVM_EXPORT jint JVM_ConstantPoolGetClassRefIndexAt(JNIEnv *env, jobject obj, jobject jcpool, jint i) {
    return ref_part(env, jcpool, i, true);
}
JVM_EXPORT jint JVM_ConstantPoolGetNameAndTypeRefIndexAt(JNIEnv *env, jobject obj, jobject jcpool, jint i) {
    return ref_part(env, jcpool, i, false);
}

JVM_EXPORT jobjectArray JVM_ConstantPoolGetNameAndTypeRefInfoAt(JNIEnv *env, jobject obj, jobject jcpool, jint i) {
    Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    const CfConst *k = entry(t, v, i, CF_CONST_NAMEANDTYPE);
    jobjectArray r = NULL;
    if (k) {
        Symbol *s[2] = {pool_utf8(v, k->a), pool_utf8(v, k->b)};
        r = strings(env, t, s, 2);
    }
    native_leave(t);
    return r;
}

/* The value of a numeric entry, as its bits. */
static Slot number_at(JNIEnv *env, jobject jcpool, jint i, unsigned tag) {
    Thread *t = native_enter(env);
    const CfConst *k = entry(t, pool_of(jcpool), i, tag);
    bool two = tag == CF_CONST_LONG || tag == CF_CONST_DOUBLE;
    Slot s = {.raw = 0};
    if (k && two) s.j = k->j;
    else if (k) s.i = k->i;
    native_leave(t);
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
    Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    jstring r = NULL;
    if (entry(t, v, i, CF_CONST_STRING)) r = handle_local(t, resolve_string(t, v, (u2)i));
    native_leave(t);
    return r;
}
JVM_EXPORT jstring JVM_ConstantPoolGetUTF8At(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    jstring r = NULL;
    if (entry(t, v, i, CF_CONST_UTF8)) r = handle_local(t, jvm_utf8_string(t, v, (unsigned)i));
    native_leave(t);
    return r;
}
JVM_EXPORT jbyte JVM_ConstantPoolGetTagAt(JNIEnv *env, jobject unused, jobject jcpool, jint i) {
    Thread *t = native_enter(env);
    ClassVersion *v = pool_of(jcpool);
    jbyte r = 0;
    if (i <= 0 || (u4)i >= v->cf->const_count) throw_new(t, EX_IllegalArgumentException, "Constant pool index out of bounds");
    else r = (jbyte)cf_tag(v->cf, (unsigned)i);
    native_leave(t);
    return r;
}
