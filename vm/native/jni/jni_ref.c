/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JNI references, exceptions, monitors, NIO buffers and the VM pointer.
 */
#include "native/jni/jni_int.h"

#include "core/vm.h"
#include "frame/stack_text.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "thread/monitor.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_LOCAL_CAPACITY = 65536 }; /* what may be asked for; there can be more */

/* ---- references ---- */

jint jni_PushLocalFrame(JNIEnv *env, jint capacity) {
    if (capacity < 0 || capacity > MAX_LOCAL_CAPACITY) return JNI_ERR;
    IN_JAVA Thread *t = native_enter(env);
    return handle_push_frame(t) ? JNI_OK : JNI_ENOMEM;
}

jobject jni_PopLocalFrame(JNIEnv *env, jobject result) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_pop_frame(t, result);
}

static jobject new_ref(JNIEnv *env, jobject obj, jobject (*make)(Object *)) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = handle_get(obj);
    return o ? make(o) : NULL;
}
jobject jni_NewGlobalRef(JNIEnv *env, jobject obj) { return new_ref(env, obj, handle_global); }
jweak jni_NewWeakGlobalRef(JNIEnv *env, jobject obj) { return new_ref(env, obj, handle_weak); }

static void delete_ref(JNIEnv *env, jobject h, void (*how)(jobject)) {
    if (!h) return;
    IN_JAVA Thread *t = native_enter(env);
    how(h);
}
void jni_DeleteGlobalRef(JNIEnv *env, jobject h) { delete_ref(env, h, handle_delete_global); }
void jni_DeleteWeakGlobalRef(JNIEnv *env, jweak h) { delete_ref(env, h, handle_delete_weak); }

jobject jni_NewLocalRef(JNIEnv *env, jobject obj) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, handle_get(obj));
}

void jni_DeleteLocalRef(JNIEnv *env, jobject h) {
    if (!h) return;
    IN_JAVA Thread *t = native_enter(env);
    handle_delete_local(t, h);
}

jboolean jni_IsSameObject(JNIEnv *env, jobject a, jobject b) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_get(a) == handle_get(b);
}

jint jni_EnsureLocalCapacity(JNIEnv *env, jint capacity) {
    return capacity >= 0 && capacity <= MAX_LOCAL_CAPACITY ? JNI_OK : JNI_ERR; /* blocks grow as needed */
}

jobjectRefType jni_GetObjectRefType(JNIEnv *env, jobject obj) {
    if (!obj) return JNIInvalidRefType;
    IN_JAVA Thread *t = native_enter(env);
    return (jobjectRefType)handle_kind(t, obj);
}

/* ---- exceptions ---- */

jint jni_Throw(JNIEnv *env, jthrowable ex) {
    IN_JAVA Thread *t = native_enter(env);
    return throw_object(t, handle_get(ex)), JNI_OK;
}

jint jni_ThrowNew(JNIEnv *env, jclass cls, const char *msg) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    Object *s = msg ? string_from_cstr(t, msg) : NULL, *ex = NULL;
    if (!t->exception) ex = s ? exec_new(t, c, "(Ljava/lang/String;)V", s) : exec_new(t, c, "()V");
    if (ex) throw_object(t, ex);
    return JNI_OK;
}

jthrowable jni_ExceptionOccurred(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, t->exception);
}

jboolean jni_ExceptionCheck(JNIEnv *env) { return thread_from_env(env)->exception != NULL; }

void jni_ExceptionClear(JNIEnv *env) {
    Thread *t = thread_from_env(env);
    if (t->exception == t->told_exception) t->told_exception = NULL; /* caught; in a callback of the event it is put aside */
    t->exception = NULL;
}

void jni_ExceptionDescribe(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    Object *ex = exception_take(t);
    if (ex && JC(ThreadDeath) && !obj_instanceof(ex, JC(ThreadDeath))) {
        char *name = t->java_thread ? string_to_cstr(JGET_REF(t->java_thread, Thread, name)) : NULL;
        fprintf(stderr, "Exception in thread \"%s\" ", name ? name : t->name);
        free(name);
        exception_print(t, ex);
        t->exception = NULL;
    }
}

void jni_print_stack(Thread *t) {
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    if (!f) return;
    stack_print(f, t);
    fclose(f);
    vm_fprintf(stdout, "%s", text);
    fflush(stdout);
    free(text);
}

void jni_fatal(Thread *t, const char *msg) {
    vm_fprintf(stdout, "FATAL ERROR in native method: %s\n", msg ? msg : "");
    jni_print_stack(t);
    vm_abort();
}

void jni_FatalError(JNIEnv *env, const char *msg) { jni_fatal(native_enter(env), msg); }

/* ---- monitors ---- */

jint jni_MonitorEnter(JNIEnv *env, jobject obj) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = handle_get(obj);
    if (!o) return throw_plain(t, EX_NullPointerException), JNI_ERR;
    return monitor_jni_enter(t, o) ? JNI_OK : JNI_ERR;
}

jint jni_MonitorExit(JNIEnv *env, jobject obj) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = handle_get(obj), *pending = exception_take(t);
    bool ok = false;
    if (!o) throw_plain(t, EX_NullPointerException);
    else ok = monitor_jni_exit(t, o);
    if (pending) t->exception = pending; /* allowed with an exception pending */
    return ok ? JNI_OK : JNI_ERR;
}

jint jni_GetJavaVM(JNIEnv *env, JavaVM **out) {
    *out = vm.java_vm;
    return JNI_OK;
}

/* ---- java.nio direct buffers ---- */

/* NULL if the image has none. */
static Class *nio_class(Thread *t, Class **known, const char *name) {
    if (!*known) *known = load_boot_class(t, name);
    return *known;
}

jobject jni_NewDirectByteBuffer(JNIEnv *env, void *address, jlong capacity) {
    static Class *buffer;
    IN_JAVA Thread *t = native_enter(env);
    Class *c = nio_class(t, &buffer, "java/nio/DirectByteBuffer");
    /* the constructor judges the capacity, of which only 32 bits count */
    return handle_local(t, exec_new(t, c, "(JI)V", (int64_t)(intptr_t)address, (int32_t)capacity));
}

static Object *as_direct_buffer(Thread *t, jobject buf) {
    static Class *direct;
    Object *o = handle_get(buf);
    Class *i = nio_class(t, &direct, "sun/nio/ch/DirectBuffer");
    return o && i && obj_instanceof(o, JC(Buffer)) && obj_instanceof(o, i) ? o : NULL;
}

void *jni_GetDirectBufferAddress(JNIEnv *env, jobject buf) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = as_direct_buffer(t, buf);
    return o ? (void *)(intptr_t)JGET_LONG(o, Buffer, address) : NULL;
}

jlong jni_GetDirectBufferCapacity(JNIEnv *env, jobject buf) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = as_direct_buffer(t, buf);
    return o ? JGET_INT(o, Buffer, capacity) : -1;
}
