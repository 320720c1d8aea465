/* SPDX-License-Identifier: Apache-2.0 */
/* Reflective invocation and java.lang.reflect.Array. */
#include "jvm/jvm_int.h"

#include "core/hooks.h"

#include "native/intrinsic/array_ops.h"
#include "invoke/invoke.h"

JVM_EXPORT jobject JVM_InvokeMethod(JNIEnv *env, jobject method, jobject obj, jobjectArray args) {
    IN_JAVA Thread *t = native_enter(env);
    Method *m = reflect_to_method(handle_get(method));
    Object *o = m ? reflect_invoke(t, m, handle_get(obj), handle_get(args), true) : NULL;
    return t->exception ? NULL : handle_local(t, o);
}

JVM_EXPORT jobject JVM_NewInstanceFromConstructor(JNIEnv *env, jobject ctor, jobjectArray args) {
    IN_JAVA Thread *t = native_enter(env);
    Method *m = reflect_to_method(handle_get(ctor));
    Object *o = m ? reflect_new_instance(t, m, handle_get(args)) : NULL;
    if (o && !t->exception) HOOK_CALL(VM_ALLOC, vm_alloc, t, o);
    return t->exception ? NULL : handle_local(t, o);
}

/* ---- Array ---- */

JVM_EXPORT jobject JVM_NewArray(JNIEnv *env, jclass elem, jint length) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, op_new_array(t, handle_get(elem), length));
}

JVM_EXPORT jobject JVM_NewMultiArray(JNIEnv *env, jclass elem, jintArray dims) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, op_new_multi_array(t, handle_get(elem), handle_get(dims)));
}

static bool is_array(Thread *t, Object *a) {
    if (!a) throw_plain(t, EX_NullPointerException);
    else if (!class_is_array(obj_class(a))) throw_new(t, EX_IllegalArgumentException, "Argument is not an array");
    else return true;
    return false;
}

static BasicType element_type(const Object *a) { return (BasicType)obj_class(a)->elem_type; }
static bool is_ref_array(const Object *a) { return element_type(a) >= T_OBJECT; }

static bool is_primitive_array(Thread *t, Object *a) {
    if (!is_array(t, a)) return false;
    if (!is_ref_array(a)) return true;
    return throw_new(t, EX_IllegalArgumentException, "Argument is not an array of primitive type"), false;
}

/* Asked before types are compared. */
static bool is_index(Thread *t, const Object *a, jint i) {
    if ((u4)i < (u4)array_len(a)) return true;
    return throw_plain(t, EX_ArrayIndexOutOfBoundsException), false;
}

JVM_EXPORT jint JVM_GetArrayLength(JNIEnv *env, jobject arr) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr);
    return is_array(t, a) ? array_len(a) : 0;
}

static void *element_at(Object *a, jint i) { return (u1 *)array_data(a) + ((size_t)i << type_size_shift(element_type(a))); }

static Slot load_element(Object *a, jint i) {
    return is_ref_array(a) ? (Slot){.ref = array_ref(a, i)} : prim_load(element_at(a, i), element_type(a));
}

static void store_element(Object *a, jint i, Slot v) {
    if (is_ref_array(a)) array_set_ref(a, i, v.ref);
    else prim_store(element_at(a, i), element_type(a), v);
}

JVM_EXPORT jobject JVM_GetArrayElement(JNIEnv *env, jobject arr, jint i) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr);
    if (!is_array(t, a) || !is_index(t, a, i)) return NULL;
    Slot v = load_element(a, i);
    return handle_local(t, is_ref_array(a) ? v.ref : box_value(t, element_type(a), v));
}

JVM_EXPORT jvalue JVM_GetPrimitiveArrayElement(JNIEnv *env, jobject arr, jint i, jint code) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr);
    if (!is_primitive_array(t, a) || !is_index(t, a, i)) return (jvalue){.j = 0};
    Slot v = load_element(a, i);
    if (widen_value(element_type(a), (BasicType)code, &v)) return native_jvalue(t, (BasicType)code, v);
    throw_new(t, EX_IllegalArgumentException, "argument type mismatch");
    return (jvalue){.j = 0};
}

JVM_EXPORT void JVM_SetArrayElement(JNIEnv *env, jobject arr, jint i, jobject val) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr), *o = handle_get(val);
    Slot v = {.ref = o};
    BasicType from = T_VOID;
    if (!is_array(t, a)) return;
    bool refs = is_ref_array(a);
    if (!refs && !o) throw_plain(t, EX_IllegalArgumentException);
    else if (!is_index(t, a, i)) return;
    else if (refs && o && !obj_instanceof(o, obj_class(a)->component))
        throw_new(t, EX_IllegalArgumentException, "array element type mismatch");
    else if (!refs && (!unbox_value(o, &from, &v) || !widen_value(from, element_type(a), &v)))
        throw_new(t, EX_IllegalArgumentException, "argument type mismatch");
    else store_element(a, i, v);
}

JVM_EXPORT void JVM_SetPrimitiveArrayElement(JNIEnv *env, jobject arr, jint i, jvalue value, unsigned char code) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr);
    Slot v = prim_load(&value, (BasicType)code);
    if (!is_primitive_array(t, a) || !is_index(t, a, i)) return;
    if (widen_value((BasicType)code, element_type(a), &v)) store_element(a, i, v);
    else throw_new(t, EX_IllegalArgumentException, "argument type mismatch");
}
