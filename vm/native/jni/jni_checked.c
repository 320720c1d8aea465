/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -Xcheck:jni, part 2: the checked function table, a layer over the plain one (theory in
 * jni_check.c).  One wrapper per row of jni.def: families by macro, the others as rows
 *
 *     CHECKED(result, Name, parameters, arguments, where it may be called, questions)
 *
 * A missing wrapper or a wrong signature does not compile.
 */
#include "native/jni/jni_check.h"

#include <string.h>

#define JNI(slot, name) static __typeof__(*((struct JNINativeInterface_ *)0)->name) checked_##name;
#include "native/jni/jni.def"

#define CHECKED(ret, Name, params, args, where, questions) \
    static ret checked_##Name params { \
        Thread *t = check_enter(env, where); \
        questions; \
        thread_to_native(t); \
        return jni_##Name args; \
    }
#define NOTHING (void)0

/* ---- classes, members, reflection ---- */

CHECKED(jint, GetVersion, (JNIEnv * env), (env), 0, NOTHING)
CHECKED(jclass, DefineClass, (JNIEnv * env, const char *name, jobject loader, const jbyte *buf, jsize n),
        (env, name, loader, buf, n), 0, check_object(t, loader))
CHECKED(jclass, FindClass, (JNIEnv * env, const char *name), (env, name), 0, check_class_name(t, name))
CHECKED(jmethodID, FromReflectedMethod, (JNIEnv * env, jobject m), (env, m), 0, check_object(t, m))
CHECKED(jfieldID, FromReflectedField, (JNIEnv * env, jobject f), (env, f), 0, check_object(t, f))
CHECKED(jobject, ToReflectedMethod, (JNIEnv * env, jclass cls, jmethodID id, jboolean s), (env, cls, id, s), 0,
        check_class(t, cls, false);
        check_method_id(t, id))
CHECKED(jobject, ToReflectedField, (JNIEnv * env, jclass cls, jfieldID id, jboolean s), (env, cls, id, s), 0,
        check_class(t, cls, false))
CHECKED(jclass, GetSuperclass, (JNIEnv * env, jclass cls), (env, cls), 0, check_class(t, cls, true))
CHECKED(jboolean, IsAssignableFrom, (JNIEnv * env, jclass a, jclass b), (env, a, b), 0, check_class(t, a, true);
        check_class(t, b, true))
CHECKED(jclass, GetObjectClass, (JNIEnv * env, jobject o), (env, o), 0, check_object(t, o))
CHECKED(jboolean, IsInstanceOf, (JNIEnv * env, jobject o, jclass cls), (env, o, cls), 0, check_object(t, o);
        check_class(t, cls, true))
CHECKED(jobject, AllocObject, (JNIEnv * env, jclass cls), (env, cls), 0, check_class(t, cls, false))
CHECKED(jmethodID, GetMethodID, (JNIEnv * env, jclass cls, const char *n, const char *s), (env, cls, n, s), 0,
        check_class(t, cls, false))
CHECKED(jmethodID, GetStaticMethodID, (JNIEnv * env, jclass cls, const char *n, const char *s), (env, cls, n, s), 0,
        check_class(t, cls, false))
CHECKED(jfieldID, GetFieldID, (JNIEnv * env, jclass cls, const char *n, const char *s), (env, cls, n, s), 0,
        check_class(t, cls, false))
CHECKED(jfieldID, GetStaticFieldID, (JNIEnv * env, jclass cls, const char *n, const char *s), (env, cls, n, s), 0,
        check_class(t, cls, false))
CHECKED(jint, RegisterNatives, (JNIEnv * env, jclass cls, const JNINativeMethod *m, jint n), (env, cls, m, n), 0, NOTHING)
CHECKED(jint, UnregisterNatives, (JNIEnv * env, jclass cls), (env, cls), 0, NOTHING)
CHECKED(jobject, GetModule, (JNIEnv * env, jclass cls), (env, cls), 0, NOTHING)
CHECKED(jint, GetJavaVM, (JNIEnv * env, JavaVM **out), (env, out), 0, NOTHING)

/* ---- exceptions ---- */

CHECKED(jint, Throw, (JNIEnv * env, jthrowable x), (env, x), 0, Object *o = check_object(t, x);
        if (!o) check_warn(t, "JNI Throw called with NULL throwable"); else check_throwable_class(t, obj_class(o)))
CHECKED(jint, ThrowNew, (JNIEnv * env, jclass cls, const char *text), (env, cls, text), 0,
        check_throwable_class(t, check_class(t, cls, false)))
CHECKED(jthrowable, ExceptionOccurred, (JNIEnv * env), (env), MAY_PEND | LOOKS, NOTHING)
CHECKED(void, ExceptionDescribe, (JNIEnv * env), (env), MAY_PEND, NOTHING)
CHECKED(void, ExceptionClear, (JNIEnv * env), (env), MAY_PEND | LOOKS, NOTHING)
CHECKED(jboolean, ExceptionCheck, (JNIEnv * env), (env), MAY_PEND | LOOKS, NOTHING)
CHECKED(void, FatalError, (JNIEnv * env, const char *text), (env, text), MAY_PEND | LOOKS, t->jni_unchecked = NULL)

/* ---- references, monitors ---- */

CHECKED(jint, PushLocalFrame, (JNIEnv * env, jint n), (env, n), MAY_PEND, if (n < 0) check_fatal(t, "negative capacity"))
CHECKED(jobject, PopLocalFrame, (JNIEnv * env, jobject result), (env, result), MAY_PEND, NOTHING)
CHECKED(jobject, NewGlobalRef, (JNIEnv * env, jobject o), (env, o), 0, if (o) check_handle(t, o))
CHECKED(jobject, NewLocalRef, (JNIEnv * env, jobject o), (env, o), 0, if (o) check_handle(t, o))
CHECKED(jweak, NewWeakGlobalRef, (JNIEnv * env, jobject o), (env, o), 0, if (o) check_handle(t, o))
CHECKED(void, DeleteGlobalRef, (JNIEnv * env, jobject o), (env, o), MAY_PEND,
        if (o && handle_kind(t, o) != JNIGlobalRefType) check_fatal(t, "Invalid global JNI handle passed to DeleteGlobalRef"))
CHECKED(void, DeleteLocalRef, (JNIEnv * env, jobject o), (env, o), MAY_PEND,
        if (o && handle_kind(t, o) != JNILocalRefType) check_fatal(t, "Invalid local JNI handle passed to DeleteLocalRef"))
CHECKED(void, DeleteWeakGlobalRef, (JNIEnv * env, jweak o), (env, o), MAY_PEND,
        if (o && handle_kind(t, o) != JNIWeakGlobalRefType)
            check_fatal(t, "Invalid weak global JNI handle passed to DeleteWeakGlobalRef"))
CHECKED(jboolean, IsSameObject, (JNIEnv * env, jobject a, jobject b), (env, a, b), MAY_PEND, if (a) check_handle(t, a);
        if (b) check_handle(t, b))
CHECKED(jint, EnsureLocalCapacity, (JNIEnv * env, jint n), (env, n), 0, if (n < 0) check_fatal(t, "negative capacity"))
CHECKED(jobjectRefType, GetObjectRefType, (JNIEnv * env, jobject o), (env, o), 0, NOTHING)
CHECKED(jint, MonitorEnter, (JNIEnv * env, jobject o), (env, o), 0, check_object(t, o))
CHECKED(jint, MonitorExit, (JNIEnv * env, jobject o), (env, o), MAY_PEND, check_object(t, o))

/* ---- constructors and method calls ---- */

CHECKED(jobject, NewObjectV, (JNIEnv * env, jclass cls, jmethodID id, va_list ap), (env, cls, id, ap), 0,
        check_class(t, cls, false);
        check_method_id(t, id))
static jobject checked_NewObject(JNIEnv *env, jclass cls, jmethodID id, ...) {
    va_list ap;
    va_start(ap, id);
    jobject r = checked_NewObjectV(env, cls, id, ap);
    va_end(ap);
    return r;
}
CHECKED(jobject, NewObjectA, (JNIEnv * env, jclass cls, jmethodID id, const jvalue *args), (env, cls, id, args), 0,
        check_class(t, cls, false);
        check_method_id(t, id))

/* KEEP and GIVE: nothing for void, else the result. */
#define FORM(Full, jtype, params, before, last, questions, KEEP, GIVE) \
    static jtype checked_##Full params { \
        Thread *t = check_enter(env, 0); \
        questions; \
        thread_to_native(t); \
        KEEP jni_##Full(ITEMS before, id, last); \
        t->jni_unchecked = #Full; \
        GIVE; \
    }
/* The variadic form names itself, not the V form that does the work. */
#define VARIADIC(Full, jtype, params, before, questions, KEEP, GIVE) \
    static jtype checked_##Full params { \
        Thread *t = check_enter(env, 0); \
        questions; \
        thread_to_native(t); \
        va_list ap; \
        va_start(ap, id); \
        KEEP jni_##Full##V(ITEMS before, id, ap); \
        va_end(ap); \
        t->jni_unchecked = #Full; \
        GIVE; \
    }
#define ITEMS(...) __VA_ARGS__ /* of a list in parentheses */
#define OBJ JNIEnv *env, jobject obj, jmethodID id
#define NONVIRTUAL JNIEnv *env, jobject obj, jclass cls, jmethodID id
#define STATIC JNIEnv *env, jclass cls, jmethodID id
#define ASK_OBJ check_call(t, NULL, id, obj)
#define ASK_NONVIRTUAL check_call(t, cls, id, obj)
#define ASK_STATIC check_call(t, cls, id, NULL)
#define MODE(Full, jtype, PARAMS, before, questions, KEEP, GIVE) \
    VARIADIC(Full, jtype, (PARAMS, ...), before, questions, KEEP, GIVE) \
    FORM(Full##V, jtype, (PARAMS, va_list ap), before, ap, questions, KEEP, GIVE) \
    FORM(Full##A, jtype, (PARAMS, const jvalue *args), before, args, questions, KEEP, GIVE)
#define CALLS(Name, jtype, KEEP, GIVE) \
    MODE(Call##Name##Method, jtype, OBJ, (env, obj), ASK_OBJ, KEEP, GIVE) \
    MODE(CallNonvirtual##Name##Method, jtype, NONVIRTUAL, (env, obj, cls), ASK_NONVIRTUAL, KEEP, GIVE) \
    MODE(CallStatic##Name##Method, jtype, STATIC, (env, cls), ASK_STATIC, KEEP, GIVE)
CALLS(Object, jobject, jobject r =, return r)
CALLS(Boolean, jboolean, jboolean r =, return r)
CALLS(Byte, jbyte, jbyte r =, return r)
CALLS(Char, jchar, jchar r =, return r)
CALLS(Short, jshort, jshort r =, return r)
CALLS(Int, jint, jint r =, return r)
CALLS(Long, jlong, jlong r =, return r)
CALLS(Float, jfloat, jfloat r =, return r)
CALLS(Double, jdouble, jdouble r =, return r)
CALLS(Void, void, , return )

/* ---- fields ---- */

#define FIELDS(Name, jtype, ctype, member, bt) \
    CHECKED(jtype, Get##Name##Field, (JNIEnv * env, jobject obj, jfieldID id), (env, obj, id), 0, \
            check_instance_field(t, obj, id, bt)) \
    CHECKED(void, Set##Name##Field, (JNIEnv * env, jobject obj, jfieldID id, jtype v), (env, obj, id, v), 0, \
            check_instance_field(t, obj, id, bt)) \
    CHECKED(jtype, GetStatic##Name##Field, (JNIEnv * env, jclass cls, jfieldID id), (env, cls, id), 0, \
            check_static_field(t, cls, id, bt)) \
    CHECKED(void, SetStatic##Name##Field, (JNIEnv * env, jclass cls, jfieldID id, jtype v), (env, cls, id, v), 0, \
            check_static_field(t, cls, id, bt))
JNI_PRIMITIVES(FIELDS)
FIELDS(Object, jobject, Object *, ref, T_OBJECT)

/* ---- strings ---- */

CHECKED(jstring, NewString, (JNIEnv * env, const jchar *s, jsize n), (env, s, n), 0, NOTHING)
CHECKED(jstring, NewStringUTF, (JNIEnv * env, const char *s), (env, s), 0, NOTHING)
CHECKED(jsize, GetStringLength, (JNIEnv * env, jstring s), (env, s), 0, check_string(t, s))
CHECKED(jsize, GetStringUTFLength, (JNIEnv * env, jstring s), (env, s), 0, check_string(t, s))
#define REGION_OF_STRING(Name, type) \
    CHECKED(void, Name, (JNIEnv * env, jstring s, jsize start, jsize n, type * buf), (env, s, start, n, buf), 0, \
            check_string(t, s))
REGION_OF_STRING(GetStringRegion, jchar)
REGION_OF_STRING(GetStringUTFRegion, char)

/* size: bytes with the terminator */
#define CHARS(Get, Release, type, where_get, where_release, size) \
    static const type *checked_##Get(JNIEnv *env, jstring s, jboolean *is_copy) { \
        Thread *t = check_enter(env, where_get); \
        check_string(t, s); \
        thread_to_native(t); \
        const type *plain = jni_##Get(env, s, is_copy), *r = NULL; \
        if (plain) r = guard_wrap((void *)(uintptr_t)plain, size, #Get); \
        if (r && is_copy) *is_copy = JNI_TRUE; \
        return r; \
    } \
    static void checked_##Release(JNIEnv *env, jstring s, const type *chars) { \
        Thread *t = check_enter(env, where_release); \
        check_string(t, s); \
        void *plain = chars ? guard_chars(t, #Release, #Get, s, chars) : NULL; \
        thread_to_native(t); \
        if (chars) guard_free(chars); \
        jni_##Release(env, s, plain); \
    }
CHARS(GetStringChars, ReleaseStringChars, jchar, 0, MAY_PEND, ((size_t)jni_GetStringLength(env, s) + 1) * 2)
CHARS(GetStringUTFChars, ReleaseStringUTFChars, char, 0, MAY_PEND, strlen(plain) + 1)
CHECKED(const jchar *, GetStringCritical, (JNIEnv * env, jstring s, jboolean *is_copy), (env, s, is_copy), IN_CRITICAL,
        check_string(t, s))
CHECKED(void, ReleaseStringCritical, (JNIEnv * env, jstring s, const jchar *chars), (env, s, chars), MAY_PEND | IN_CRITICAL,
        check_string(t, s))

/* ---- arrays ---- */

CHECKED(jsize, GetArrayLength, (JNIEnv * env, jarray a), (env, a), 0, check_array(t, a))
CHECKED(jobjectArray, NewObjectArray, (JNIEnv * env, jsize n, jclass cls, jobject v), (env, n, cls, v), 0, NOTHING)
CHECKED(jobject, GetObjectArrayElement, (JNIEnv * env, jobjectArray a, jsize i), (env, a, i), 0, check_object_array(t, a))
CHECKED(void, SetObjectArrayElement, (JNIEnv * env, jobjectArray a, jsize i, jobject v), (env, a, i, v), 0,
        check_object_array(t, a))

#define ARRAYS(Name, jtype, ctype, member, bt) \
    CHECKED(jtype##Array, New##Name##Array, (JNIEnv * env, jsize n), (env, n), 0, NOTHING) \
    static jtype *checked_Get##Name##ArrayElements(JNIEnv *env, jtype##Array a, jboolean *is_copy) { \
        Thread *t = check_enter(env, 0); \
        check_primitive_array(t, a, bt); \
        thread_to_native(t); \
        jtype *plain = jni_Get##Name##ArrayElements(env, a, is_copy), *r = NULL; \
        if (plain) r = guard_wrap(plain, (size_t)jni_GetArrayLength(env, a) * sizeof *plain, "Get" #Name "ArrayElements"); \
        return r; \
    } \
    static void checked_Release##Name##ArrayElements(JNIEnv *env, jtype##Array a, jtype *p, jint mode) { \
        Thread *t = check_enter(env, MAY_PEND); \
        check_primitive_array(t, a, bt); \
        size_t size; \
        const char *me = "checked_jni_Release" #Name "ArrayElements"; \
        jtype *plain = guard_array(t, me, "Get" #Name "ArrayElements", a, p, &size); \
        check_mode(t, me, a, p, mode); \
        thread_to_native(t); \
        if (mode != JNI_ABORT) memcpy(plain, p, size); \
        if (mode != JNI_COMMIT) guard_free(p); \
        jni_Release##Name##ArrayElements(env, a, plain, mode); \
    } \
    CHECKED(void, Get##Name##ArrayRegion, (JNIEnv * env, jtype##Array a, jsize start, jsize n, jtype * buf), \
            (env, a, start, n, buf), 0, check_primitive_array(t, a, bt)) \
    CHECKED(void, Set##Name##ArrayRegion, (JNIEnv * env, jtype##Array a, jsize start, jsize n, const jtype *buf), \
            (env, a, start, n, buf), 0, check_primitive_array(t, a, bt))
JNI_PRIMITIVES(ARRAYS)

static size_t array_bytes(Thread *t, jarray h) {
    Object *a = handle_get(h);
    return (size_t)array_len(a) << obj_class(a)->elem_shift;
}

static void *checked_GetPrimitiveArrayCritical(JNIEnv *env, jarray a, jboolean *is_copy) {
    Thread *t = check_enter(env, IN_CRITICAL);
    check_primitive_array(t, a, -1);
    size_t size = array_bytes(t, a);
    thread_to_native(t);
    void *plain = jni_GetPrimitiveArrayCritical(env, a, is_copy);
    void *r = guard_wrap(plain, size, "GetPrimitiveArrayCritical");
    return r;
}

static void checked_ReleasePrimitiveArrayCritical(JNIEnv *env, jarray a, void *p, jint mode) {
    Thread *t = check_enter(env, MAY_PEND | IN_CRITICAL);
    check_primitive_array(t, a, -1);
    size_t size;
    void *plain = guard_array(t, "ReleasePrimitiveArrayCritical", "GetPrimitiveArrayCritical", a, p, &size);
    check_mode(t, "ReleasePrimitiveArrayCritical", a, p, mode);
    thread_to_native(t);
    if (mode != JNI_ABORT) memcpy(plain, p, size);
    if (mode != JNI_COMMIT) guard_free(p);
    jni_ReleasePrimitiveArrayCritical(env, a, plain, mode);
}

/* ---- direct buffers ---- */

CHECKED(jobject, NewDirectByteBuffer, (JNIEnv * env, void *p, jlong n), (env, p, n), 0, NOTHING)
CHECKED(void *, GetDirectBufferAddress, (JNIEnv * env, jobject b), (env, b), 0, NOTHING)
CHECKED(jlong, GetDirectBufferCapacity, (JNIEnv * env, jobject b), (env, b), 0, NOTHING)

const struct JNINativeInterface_ jni_checked_table = {
#define JNI(slot, name) .name = checked_##name,
#include "native/jni/jni.def"
};
