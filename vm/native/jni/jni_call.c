/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JNI calls and constructors: three argument forms (variadic, va_list, jvalue
 * array) of three dispatch modes for ten result types, all through one core.
 */
#include "native/jni/jni_int.h"

enum { MAX_ARG_SLOTS = 256 };

static inline int put_arg(char c, Slot *out, const jvalue *v) {
    out->raw = 0;
    switch (c) {
    case 'Z': out->i = v->z != 0; return 1;
    case 'B': out->i = v->b; return 1;
    case 'C': out->i = v->c; return 1;
    case 'S': out->i = v->s; return 1;
    case 'I': out->i = v->i; return 1;
    case 'F': out->f = v->f; return 1;
    case 'J': out->j = v->j; break;
    case 'D': out->d = v->d; break;
    default: out->ref = handle_get(v->l); return 1;
    }
    out[1].raw = 0;
    return 2;
}

/* Type letter at p (arrays and classes give 'L'); *next behind the type. */
static inline char next_type(const char *p, const char **next) {
    *next = desc_skip(p);
    return *p == '[' ? 'L' : *p;
}

int native_args_from_jvalues(const Method *m, const jvalue *v, Slot *out) {
    int n = 0;
    const char *p = m->desc->bytes + 1;
    while (*p != ')') {
        char c = next_type(p, &p);
        n += put_arg(c, out + n, v++);
    }
    return n;
}

int native_args_from_va(const Method *m, va_list src, Slot *out) {
    int n = 0;
    const char *p = m->desc->bytes + 1;
    va_list ap;
    va_copy(ap, src);
    while (*p != ')') {
        char c = next_type(p, &p);
        jvalue v = {0};
        switch (c) {
        case 'Z': v.z = (jboolean)va_arg(ap, int); break;
        case 'B': v.b = (jbyte)va_arg(ap, int); break;
        case 'C': v.c = (jchar)va_arg(ap, int); break;
        case 'S': v.s = (jshort)va_arg(ap, int); break;
        case 'I': v.i = va_arg(ap, jint); break;
        case 'J': v.j = va_arg(ap, jlong); break;
        case 'F': v.f = (jfloat)va_arg(ap, double); break;
        case 'D': v.d = va_arg(ap, double); break;
        default: v.l = va_arg(ap, jobject); break;
        }
        n += put_arg(c, out + n, &v);
    }
    va_end(ap);
    return n;
}

typedef struct CallArgs { /* one of the two is set */
    va_list *va;
    const jvalue *values;
} CallArgs;

/* Method to run; NULL with an exception.  An abstract one is told by its name alone, as elsewhere. */
static Method *select_target(Thread *t, Method *m, Object *receiver, bool is_virtual) {
    if (is_virtual) m = exec_select_interface(t, obj_class(receiver), m);
    if (UNLIKELY(m && m->kind == MK_ABSTRACT)) return throw_new(t, EX_AbstractMethodError, "%s", m->name->bytes), NULL;
    return m;
}

/* Virtual call when `is_virtual`, else the method itself.  receiver NULL for static methods. */
static bool call_core(Thread *t, Method *m, Object *receiver, bool is_virtual, CallArgs a, Slot *ret) {
    Slot args[MAX_ARG_SLOTS];
    int n = 0;
    ret->raw = 0;
    if (!method_is_static(m)) {
        if (UNLIKELY(!receiver)) return throw_plain(t, EX_NullPointerException), false;
        args[n++].ref = receiver;
        m = select_target(t, m, receiver, is_virtual);
        if (UNLIKELY(!m)) return false;
    }
    if (a.values) native_args_from_jvalues(m, a.values, args + n);
    else if (a.va) native_args_from_va(m, *a.va, args + n);
    return exec_call(t, m, args, ret);
}

static jvalue call_jni(JNIEnv *env, jobject receiver, jmethodID id, bool is_virtual, BasicType bt, CallArgs a) {
    IN_JAVA Thread *t = native_enter(env);
    Slot ret;
    bool ok = call_core(t, jni_method(id), handle_get(receiver), is_virtual, a, &ret);
    return ok ? native_jvalue(t, bt, ret) : (jvalue){.j = 0};
}

#define FORMS(Name, Mode, jtype, bt, RECV_PARAMS, recv, is_virtual, RETURN) \
    jtype jni_Call##Mode##Name##MethodV(JNIEnv *env, RECV_PARAMS, jmethodID id, va_list ap) { \
        va_list copy; \
        va_copy(copy, ap); \
        jvalue v = call_jni(env, recv, id, is_virtual, bt, (CallArgs){.va = &copy}); \
        va_end(copy); \
        RETURN; \
    } \
    jtype jni_Call##Mode##Name##MethodA(JNIEnv *env, RECV_PARAMS, jmethodID id, const jvalue *args) { \
        jvalue v = call_jni(env, recv, id, is_virtual, bt, (CallArgs){.values = args}); \
        RETURN; \
    } \
    jtype jni_Call##Mode##Name##Method(JNIEnv *env, RECV_PARAMS, jmethodID id, ...) { \
        va_list ap; \
        va_start(ap, id); \
        jvalue v = call_jni(env, recv, id, is_virtual, bt, (CallArgs){.va = &ap}); \
        va_end(ap); \
        RETURN; \
    }
#define PARAMS_OBJ jobject obj
#define PARAMS_NV jobject obj, jclass cls
#define PARAMS_STATIC jclass cls
#define ALL_MODES(Name, jtype, bt, RETURN) \
    FORMS(Name, , jtype, bt, PARAMS_OBJ, obj, true, RETURN) \
    FORMS(Name, Nonvirtual, jtype, bt, PARAMS_NV, obj, false, RETURN) \
    FORMS(Name, Static, jtype, bt, PARAMS_STATIC, NULL, false, RETURN)

ALL_MODES(Object, jobject, T_OBJECT, return v.l)
ALL_MODES(Boolean, jboolean, T_BOOLEAN, return v.z)
ALL_MODES(Byte, jbyte, T_BYTE, return v.b)
ALL_MODES(Char, jchar, T_CHAR, return v.c)
ALL_MODES(Short, jshort, T_SHORT, return v.s)
ALL_MODES(Int, jint, T_INT, return v.i)
ALL_MODES(Long, jlong, T_LONG, return v.j)
ALL_MODES(Float, jfloat, T_FLOAT, return v.f)
ALL_MODES(Double, jdouble, T_DOUBLE, return v.d)
ALL_MODES(Void, void, T_VOID, (void)v)

/* ---- constructors ---- */

static jobject new_object(JNIEnv *env, jclass cls, jmethodID id, CallArgs a) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    Object *o = class_instantiate(t, c);
    Slot ret;
    return o && call_core(t, jni_method(id), o, false, a, &ret) ? handle_local(t, o) : NULL;
}

jobject jni_NewObjectV(JNIEnv *env, jclass cls, jmethodID id, va_list ap) {
    va_list copy;
    va_copy(copy, ap);
    jobject r = new_object(env, cls, id, (CallArgs){.va = &copy});
    va_end(copy);
    return r;
}

jobject jni_NewObjectA(JNIEnv *env, jclass cls, jmethodID id, const jvalue *args) {
    return new_object(env, cls, id, (CallArgs){.values = args});
}

jobject jni_NewObject(JNIEnv *env, jclass cls, jmethodID id, ...) {
    va_list ap;
    va_start(ap, id);
    jobject r = new_object(env, cls, id, (CallArgs){.va = &ap});
    va_end(ap);
    return r;
}
