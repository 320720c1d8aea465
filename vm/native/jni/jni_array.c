/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JNI arrays.  Get<Type>ArrayElements hands out copies: native code may keep
 * them over anything and writes back at a time it chooses.  Critical access is
 * the array itself.
 */
#include "native/jni/jni_int.h"

#include <stdlib.h>
#include <string.h>

jsize jni_GetArrayLength(JNIEnv *env, jarray a) {
    IN_JAVA Thread *t = native_enter(env);
    return array_len(handle_get(a));
}

jobjectArray jni_NewObjectArray(JNIEnv *env, jsize n, jclass cls, jobject init) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = check_array_length(t, n) ? class_new_array(t, native_class(cls), n) : NULL, *v = handle_get(init);
    if (a && v && !obj_instanceof(v, native_class(cls))) return throw_array_store(t, obj_class(v)), NULL;
    for (jsize i = 0; a && v && i < n; i++) array_set_ref(a, i, v);
    return handle_local(t, a);
}

jobject jni_GetObjectArrayElement(JNIEnv *env, jobjectArray array, jsize i) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(array);
    if ((u4)i >= (u4)array_len(a)) return throw_index(t, i, array_len(a)), NULL;
    return handle_local(t, array_ref(a, i));
}

static void throw_element_store(Thread *t, Object *v, Class *array_class, jsize i) {
    char dims[256 * 2 + 1] = "";
    Class *bottom = array_class;
    for (; class_is_array(bottom); bottom = bottom->component)
        if (bottom != array_class) strcat(dims, "[]");
    throw_new(t, EX_ArrayStoreException, "type mismatch: can not store %s to %s[%d]%s", class_text(obj_class(v)).s,
              class_text(bottom).s, i, dims);
}

void jni_SetObjectArrayElement(JNIEnv *env, jobjectArray array, jsize i, jobject value) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(array), *v = handle_get(value);
    if ((u4)i >= (u4)array_len(a)) throw_index(t, i, array_len(a));
    else if (v && !obj_instanceof(v, obj_class(a)->component)) throw_element_store(t, v, obj_class(a), i);
    else array_set_ref(a, i, v);
}

static bool region_ok(Thread *t, jsize start, jsize len, jsize array_length) {
    if (len < 0) throw_new(t, EX_ArrayIndexOutOfBoundsException, "Length %d is negative", len);
    else if (start < 0 || start > array_length - len)
        throw_new(t, EX_ArrayIndexOutOfBoundsException, "Array region %d..%lld out of bounds for length %d", start,
                  (long long)start + len, array_length);
    else return true;
    return false;
}

static void *elements_copy(JNIEnv *env, jarray array, int shift, jboolean *is_copy) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(array);
    size_t bytes = (size_t)array_len(a) << shift;
    void *p = malloc(bytes ? bytes : 8);
    if (!p) throw_oom(t, "GetArrayElements");
    else memcpy(p, array_data(a), bytes);
    if (p && is_copy) *is_copy = bytes != 0; /* nothing was copied from an empty array */
    return p;
}

static void elements_release(JNIEnv *env, jarray array, void *elems, int shift, jint mode) {
    if (mode != JNI_ABORT) {
        IN_JAVA Thread *t = native_enter(env);
        Object *a = handle_get(array);
        memcpy(array_data(a), elems, (size_t)array_len(a) << shift);
    }
    if (mode != JNI_COMMIT) free(elems);
}

#define ARRAYS(Name, jtype, ctype, member, bt) \
    jtype##Array jni_New##Name##Array(JNIEnv *env, jsize n) { \
        IN_JAVA Thread *t = native_enter(env); \
        Object *a = check_array_length(t, n) ? heap_alloc_array(t, primitive_array_classes[bt], n) : NULL; \
        return handle_local(t, a); \
    } \
    jtype *jni_Get##Name##ArrayElements(JNIEnv *env, jtype##Array a, jboolean *is_copy) { \
        return elements_copy(env, a, type_size_shift(bt), is_copy); \
    } \
    void jni_Release##Name##ArrayElements(JNIEnv *env, jtype##Array a, jtype *p, jint mode) { \
        elements_release(env, a, p, type_size_shift(bt), mode); \
    } \
    void jni_Get##Name##ArrayRegion(JNIEnv *env, jtype##Array array, jsize start, jsize n, jtype *buf) { \
        IN_JAVA Thread *t = native_enter(env); \
        Object *a = handle_get(array); \
        if (region_ok(t, start, n, array_len(a))) memcpy(buf, ARRAY_ELEMS(jtype, a) + start, (size_t)n * sizeof(jtype)); \
    } \
    void jni_Set##Name##ArrayRegion(JNIEnv *env, jtype##Array array, jsize start, jsize n, const jtype *buf) { \
        IN_JAVA Thread *t = native_enter(env); \
        Object *a = handle_get(array); \
        if (region_ok(t, start, n, array_len(a))) memcpy(ARRAY_ELEMS(jtype, a) + start, buf, (size_t)n * sizeof(jtype)); \
    }
JNI_PRIMITIVES(ARRAYS)

void *jni_GetPrimitiveArrayCritical(JNIEnv *env, jarray array, jboolean *is_copy) {
    IN_JAVA Thread *t = native_enter(env);
    void *p = array_data(handle_get(array));
    t->critical++;
    if (is_copy) *is_copy = JNI_FALSE;
    return p;
}

void jni_ReleasePrimitiveArrayCritical(JNIEnv *env, jarray array, void *p, jint mode) {
    Thread *t = thread_from_env(env);
    t->critical--;
}
