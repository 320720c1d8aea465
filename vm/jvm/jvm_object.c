/* SPDX-License-Identifier: Apache-2.0 */
/* Object, System.arraycopy, String.intern, Reference, raw monitors of libzip. */
#include "jvm/jvm_int.h"

#include "native/intrinsic/array_ops.h"
#include "thread/identity.h"
#include "thread/monitor.h"

#include <stdlib.h>

JVM_EXPORT jint JVM_IHashCode(JNIEnv *env, jobject obj) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = handle_get(obj);
    return o ? object_hash(t, o) : 0;
}

JVM_EXPORT jobject JVM_Clone(JNIEnv *env, jobject obj) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, op_clone(t, handle_get(obj)));
}

JVM_EXPORT void JVM_MonitorWait(JNIEnv *env, jobject obj, jlong millis) {
    IN_JAVA Thread *t = native_enter(env);
    monitor_wait(t, handle_get(obj), millis);
}

JVM_EXPORT void JVM_MonitorNotify(JNIEnv *env, jobject obj) {
    IN_JAVA Thread *t = native_enter(env);
    monitor_notify(t, handle_get(obj), false);
}

JVM_EXPORT void JVM_MonitorNotifyAll(JNIEnv *env, jobject obj) {
    IN_JAVA Thread *t = native_enter(env);
    monitor_notify(t, handle_get(obj), true);
}

JVM_EXPORT void JVM_ArrayCopy(JNIEnv *env, jclass ignored, jobject src, jint sp, jobject dst, jint dp, jint length) {
    IN_JAVA Thread *t = native_enter(env);
    op_arraycopy(t, handle_get(src), sp, handle_get(dst), dp, length);
}

JVM_EXPORT jstring JVM_InternString(JNIEnv *env, jstring str) {
    if (!str) return NULL;
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, string_intern(t, handle_get(str)));
}

/* ---- references ---- */

JVM_EXPORT jobject JVM_GetAndClearReferencePendingList(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, refs_take_pending());
}

JVM_EXPORT jboolean JVM_HasReferencePendingList(JNIEnv *env) { return refs_has_pending(); }

JVM_EXPORT void JVM_WaitForReferencePendingList(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    refs_wait_pending(t);
}

static jboolean refers_to(JNIEnv *env, jobject ref, jobject o) {
    IN_JAVA Thread *t = native_enter(env);
    return JGET_REF(handle_get(ref), Reference, referent) == handle_get(o);
}
JVM_EXPORT jboolean JVM_ReferenceRefersTo(JNIEnv *env, jobject ref, jobject o) { return refers_to(env, ref, o); }
JVM_EXPORT jboolean JVM_PhantomReferenceRefersTo(JNIEnv *env, jobject ref, jobject o) { return refers_to(env, ref, o); }
JVM_EXPORT void JVM_ReferenceClear(JNIEnv *env, jobject ref) {
    IN_JAVA Thread *t = native_enter(env);
    JSET_REF(handle_get(ref), Reference, referent, NULL);
}

/* ---- plain mutexes, usable by detached threads ---- */

JVM_EXPORT void *JVM_RawMonitorCreate(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    if (m) pthread_mutex_init(m, NULL);
    return m;
}
JVM_EXPORT void JVM_RawMonitorDestroy(void *mon) {
    pthread_mutex_destroy(mon);
    free(mon);
}
JVM_EXPORT jint JVM_RawMonitorEnter(void *mon) {
    pthread_mutex_lock(mon);
    return 0;
}
JVM_EXPORT void JVM_RawMonitorExit(void *mon) { pthread_mutex_unlock(mon); }
