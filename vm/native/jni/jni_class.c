/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JNI chapter 4, classes, member IDs, reflection, modules, registration.
 *
 * FindClass context: the loader is that of the class whose native method is on
 * top.  Without one it is the system loader (boot before phase 3).  While a
 * library's JNI_OnLoad runs, the native on top belongs to NativeLibraries,
 * which then tells the class that loads the library; while its JNI_OnUnload
 * runs there is none, and the loader is the system's.
 */
#include "native/jni/jni_int.h"

#include "core/vm.h"
#include "frame/frame_view.h"
#include "lang/javaclasses.h"
#include "invoke/invoke.h"

jint jni_GetVersion(JNIEnv *env) { return JNI_VERSION_10; }

jclass jni_DefineClass(JNIEnv *env, const char *name, jobject loader, const jbyte *buf, jsize len) {
    IN_JAVA Thread *t = native_enter(env);
    Symbol *expected = name ? class_name_symbol(t, name, EX_NoClassDefFoundError) : NULL;
    if (t->exception) return NULL;
    Loader *l = loader_of(handle_get(loader));
    return native_class_handle(t, define_class(t, expected, l, (const u1 *)buf, (size_t)len, &(DefineOptions){0}));
}

/* The class for whom a library is being loaded, when NativeLibraries is on top; NULL while one is unloaded. */
static Class *class_loading_library(Thread *t) {
    Object *mirror = exec_call_static(t, "jdk/internal/loader/NativeLibraries", "getFromClass", "()Ljava/lang/Class;");
    return mirror ? mirror_class(mirror) : NULL;
}

static bool find_class_loader(Thread *t, Loader **out) {
    Class *caller = stack_native_caller(t);
    if (caller && caller->loader == BOOT_LOADER && symbol_eq(caller->name, "jdk/internal/loader/NativeLibraries")) {
        caller = class_loading_library(t);
        if (t->exception) return false;
    }
    *out = caller ? caller->loader : loader_of(vm.system_loader);
    return true;
}

jclass jni_FindClass(JNIEnv *env, const char *name) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = NULL;
    Loader *l;
    Symbol *s = name ? class_name_symbol(t, name, EX_NoClassDefFoundError) : NULL;
    if (!name) throw_new(t, EX_NoClassDefFoundError, "No class name given");
    else if (s && find_class_loader(t, &l)) c = load_class_or_ncdfe(t, s, l);
    if (c && !class_is_array(c) && !class_init(t, c)) c = NULL;
    return native_class_handle(t, c);
}

jclass jni_GetSuperclass(JNIEnv *env, jclass sub) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(sub);
    Class *s = class_is_interface(c) || class_is_primitive(c) ? NULL : class_is_array(c) ? JC(Object) : c->super;
    return native_class_handle(t, s);
}

jboolean jni_IsAssignableFrom(JNIEnv *env, jclass sub, jclass sup) {
    IN_JAVA Thread *t = native_enter(env);
    Class *a = native_class(sub), *b = native_class(sup);
    return a == b || (!class_is_primitive(a) && !class_is_primitive(b) && class_is_subtype(a, b));
}

jobject jni_AllocObject(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, class_instantiate(t, native_class(cls)));
}

jclass jni_GetObjectClass(JNIEnv *env, jobject obj) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, obj_class(handle_get(obj))->mirror);
}

jboolean jni_IsInstanceOf(JNIEnv *env, jobject obj, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = handle_get(obj);
    Class *c = native_class(cls);
    return !o || (!class_is_primitive(c) && obj_instanceof(o, c));
}

/* ---- member IDs ---- */

static Method *find_method_for_id(Class *c, Symbol *name, Symbol *desc) {
    if (name->bytes[0] == '<') return class_find_declared_method(c, name, desc);
    if (class_is_array(c)) c = JC(Object);
    Method *m = class_is_interface(c) ? class_find_interface_method(c, name, desc) : NULL;
    return m ? m : class_find_method(c, name, desc);
}

/* A name that nobody ever used is told alone. */
static void throw_no_method(Thread *t, Class *c, const char *name, const char *sig, bool is_static, bool names_known) {
    if (!names_known) return throw_new(t, EX_NoSuchMethodError, "%s", name);
    bool whole = class_is_array(c) || class_is_primitive(c);
    throw_new(t, EX_NoSuchMethodError, "%s%s%s%s.%s%s", is_static ? "static " : "", whole ? "" : "L", c->name->bytes,
              whole ? "" : ";", name, sig);
}

/* The launcher asks for main while an exception is pending that it has not looked for. */
static bool initialised(Thread *t, Class *c) { return class_is_initialized(c) || (!t->exception && class_init(t, c)); }

static jmethodID get_method_id(JNIEnv *env, jclass cls, const char *name, const char *sig, bool is_static) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    Symbol *n = name ? symbol_lookup(name, strlen(name)) : NULL;
    Symbol *d = symbol_lookup(sig, strlen(sig));
    MethodID *id = NULL;
    if (!n || !d || class_is_primitive(c) || class_is_array(c) || initialised(t, c)) {
        Method *m = n && d && !class_is_primitive(c) ? find_method_for_id(c, n, d) : NULL;
        if (m && method_is_static(m) == is_static) id = method_id(m);
        else throw_no_method(t, c, name ? name : "<init>", sig, is_static, n && d);
    }
    return (jmethodID)id;
}

jmethodID jni_GetMethodID(JNIEnv *env, jclass cls, const char *name, const char *sig) {
    return get_method_id(env, cls, name ? name : "<init>", sig, false);
}

jmethodID jni_GetStaticMethodID(JNIEnv *env, jclass cls, const char *name, const char *sig) {
    return get_method_id(env, cls, name, sig, true);
}

static jfieldID get_field_id(JNIEnv *env, jclass cls, const char *name, const char *sig, bool is_static) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    Symbol *n = symbol_lookup(name, strlen(name)), *d = symbol_lookup(sig, strlen(sig));
    Field *f = NULL;
    if (!n || !d || class_is_primitive(c) || class_is_array(c) || initialised(t, c)) {
        if (n && d && !class_is_primitive(c) && !class_is_array(c)) f = class_find_field(c, n, d);
        if (f && !(f->access & ACC_STATIC) == is_static) f = NULL;
        if (!f && is_static) throw_new(t, EX_NoSuchFieldError, "%s", name);
        else if (!f) throw_new(t, EX_NoSuchFieldError, "%s.%s %s", class_text(c).s, name, sig);
    }
    if (f) FIELD_FLAG_SET(f, FIELD_NAMED);
    return (jfieldID)f;
}

jfieldID jni_GetFieldID(JNIEnv *env, jclass cls, const char *name, const char *sig) {
    return get_field_id(env, cls, name, sig, false);
}

jfieldID jni_GetStaticFieldID(JNIEnv *env, jclass cls, const char *name, const char *sig) {
    return get_field_id(env, cls, name, sig, true);
}

/* ---- reflection ---- */

jmethodID jni_FromReflectedMethod(JNIEnv *env, jobject method) {
    IN_JAVA Thread *t = native_enter(env);
    Method *m = reflect_to_method(handle_get(method));
    return m && class_init(t, m->holder) ? (jmethodID)method_id(method_current(m)) : NULL;
}

jfieldID jni_FromReflectedField(JNIEnv *env, jobject field) {
    IN_JAVA Thread *t = native_enter(env);
    Field *f = reflect_to_field(handle_get(field));
    if (f && !class_init(t, f->holder)) f = NULL;
    if (f) FIELD_FLAG_SET(f, FIELD_NAMED);
    return (jfieldID)f;
}

jobject jni_ToReflectedMethod(JNIEnv *env, jclass cls, jmethodID id, jboolean is_static) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, reflect_method(t, jni_method(id)));
}

jobject jni_ToReflectedField(JNIEnv *env, jclass cls, jfieldID id, jboolean is_static) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, reflect_field(t, (Field *)id));
}

jobject jni_GetModule(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Object *m = handle_get(cls);
    if (!m) return throw_new(t, EX_NullPointerException, "class is null"), NULL;
    if (obj_class(m) != JC(Class)) return throw_new(t, EX_IllegalArgumentException, "Invalid class"), NULL;
    return handle_local(t, JGET_REF(m, Class, module));
}

/* ---- registration ---- */

jint jni_RegisterNatives(JNIEnv *env, jclass cls, const JNINativeMethod *methods, jint n) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    bool ok = true;
    for (jint i = 0; ok && i < n; i++) ok = native_register(t, c, methods[i].name, methods[i].signature, methods[i].fnPtr);
    return ok ? JNI_OK : JNI_ERR;
}

jint jni_UnregisterNatives(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    native_unregister_all(native_class(cls));
    return JNI_OK;
}
