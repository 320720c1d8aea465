/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of Stopped.java: natives that stay until they are let go. */
#include "jnitest.h"
#include <stdatomic.h>
#include <unistd.h>

#define FN(ret, name) JNIEXPORT ret JNICALL Java_Stopped_##name

static atomic_int here, go;

static void stay(void) {
    atomic_store(&here, 1);
    while (!atomic_load(&go)) usleep(1000);
    atomic_store(&go, 0);
}

FN(void, hold)(JNIEnv *env, jclass cls) { stay(); }
FN(void, holdMine)(JNIEnv *env, jobject o) { stay(); }
FN(void, holdSynced)(JNIEnv *env, jclass cls) { stay(); }
FN(void, holdMany)
(JNIEnv *env, jclass cls, jint a, jdouble b, jlong c, jobject d, jfloat e, jint f, jint g, jint h, jint i, jobject j) { stay(); }
FN(void, holdThrowing)(JNIEnv *env, jclass cls) {
    stay();
    E->ThrowNew(env, E->FindClass(env, "java/lang/IllegalStateException"), "thrown by the native");
}
FN(void, holdCalling)(JNIEnv *env, jclass cls, jobject r) {
    stay();
    E->CallVoidMethod(env, r, E->GetMethodID(env, E->FindClass(env, "java/lang/Runnable"), "run", "()V"));
}
FN(jboolean, held)(JNIEnv *env, jclass cls) { return atomic_exchange(&here, 0) != 0; }
FN(void, letGo)(JNIEnv *env, jclass cls) { atomic_store(&go, 1); }
