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

static bool is_element(Thread *t, Object *a, jint i) {
    if (!is_array(t, a)) return false;
    if ((u4)i < (u4)array_len(a)) return true;
    throw_plain(t, EX_ArrayIndexOutOfBoundsException);
    return false;
}

JVM_EXPORT jint JVM_GetArrayLength(JNIEnv *env, jobject arr) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr);
    return is_array(t, a) ? array_len(a) : 0;
}

static Slot load_element(Object *a, jint i) {
    Slot v = {.raw = 0};
    switch (obj_class(a)->elem_type) {
    case T_BOOLEAN: v.i = ARRAY_ELEMS(u1, a)[i]; break;
    case T_BYTE: v.i = ARRAY_ELEMS(int8_t, a)[i]; break;
    case T_CHAR: v.i = ARRAY_ELEMS(u2, a)[i]; break;
    case T_SHORT: v.i = ARRAY_ELEMS(int16_t, a)[i]; break;
    case T_INT: v.i = ARRAY_ELEMS(int32_t, a)[i]; break;
    case T_FLOAT: v.f = ARRAY_ELEMS(float, a)[i]; break;
    case T_LONG: v.j = ARRAY_ELEMS(int64_t, a)[i]; break;
    case T_DOUBLE: v.d = ARRAY_ELEMS(double, a)[i]; break;
    default: v.ref = array_ref(a, i); break;
    }
    return v;
}

static void store_element(Object *a, jint i, Slot v) {
    switch (obj_class(a)->elem_type) {
    case T_BOOLEAN: ARRAY_ELEMS(u1, a)[i] = (u1)(v.i & 1); break;
    case T_BYTE: ARRAY_ELEMS(int8_t, a)[i] = (int8_t)v.i; break;
    case T_CHAR:
    case T_SHORT: ARRAY_ELEMS(u2, a)[i] = (u2)v.i; break;
    case T_INT: ARRAY_ELEMS(int32_t, a)[i] = v.i; break;
    case T_FLOAT: ARRAY_ELEMS(float, a)[i] = v.f; break;
    case T_LONG: ARRAY_ELEMS(int64_t, a)[i] = v.j; break;
    case T_DOUBLE: ARRAY_ELEMS(double, a)[i] = v.d; break;
    default: array_set_ref(a, i, v.ref); break;
    }
}

static bool is_ref_array(const Object *a) { return obj_class(a)->elem_type >= T_OBJECT; }

JVM_EXPORT jobject JVM_GetArrayElement(JNIEnv *env, jobject arr, jint i) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr);
    if (!is_element(t, a, i)) return NULL;
    Slot v = load_element(a, i);
    return handle_local(t, is_ref_array(a) ? v.ref : box_value(t, (BasicType)obj_class(a)->elem_type, v));
}

JVM_EXPORT jvalue JVM_GetPrimitiveArrayElement(JNIEnv *env, jobject arr, jint i, jint code) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr);
    if (!is_element(t, a, i)) return (jvalue){.j = 0};
    Slot v = load_element(a, i);
    if (!is_ref_array(a) && widen_value((BasicType)obj_class(a)->elem_type, (BasicType)code, &v))
        return native_jvalue(t, (BasicType)code, v);
    throw_new(t, EX_IllegalArgumentException,
              is_ref_array(a) ? "Argument is not an array of primitive type" : "argument type mismatch");
    return (jvalue){.j = 0};
}

JVM_EXPORT void JVM_SetArrayElement(JNIEnv *env, jobject arr, jint i, jobject val) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr), *o = handle_get(val);
    Slot v = {.ref = o};
    BasicType from = T_VOID;
    if (!is_array(t, a)) return;
    bool refs = is_ref_array(a);
    if (refs && o && !obj_instanceof(o, obj_class(a)->component))
        throw_new(t, EX_IllegalArgumentException, "array element type mismatch");
    else if (!refs && (!o || !unbox_value(o, &from, &v) || !widen_value(from, (BasicType)obj_class(a)->elem_type, &v)))
        throw_new(t, EX_IllegalArgumentException, "argument type mismatch");
    else if (is_element(t, a, i)) store_element(a, i, v);
}

JVM_EXPORT void JVM_SetPrimitiveArrayElement(JNIEnv *env, jobject arr, jint i, jvalue value, unsigned char code) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(arr);
    Slot v = {.raw = 0};
    switch (code) {
    case T_BOOLEAN: v.i = value.z; break;
    case T_BYTE: v.i = value.b; break;
    case T_CHAR: v.i = value.c; break;
    case T_SHORT: v.i = value.s; break;
    case T_FLOAT: v.f = value.f; break;
    case T_LONG: v.j = value.j; break;
    case T_DOUBLE: v.d = value.d; break;
    default: v.i = value.i; break;
    }
    if (!is_array(t, a)) return;
    if (is_ref_array(a)) throw_new(t, EX_IllegalArgumentException, "Argument is not an array of primitive type");
    else if (!widen_value((BasicType)code, (BasicType)obj_class(a)->elem_type, &v))
        throw_new(t, EX_IllegalArgumentException, "argument type mismatch");
    else if (is_element(t, a, i)) store_element(a, i, v);
}
