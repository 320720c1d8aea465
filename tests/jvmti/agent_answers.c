/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that differ between VMs more easily than others: see Answers.java. */
#include "agent_test.h"

static jvmtiEnv *ti;

JNIEXPORT jstring JNICALL Java_Answers_signature(JNIEnv *env, jclass c, jclass k) {
    char *s = NULL;
    if (!MUST((*ti)->GetClassSignature(ti, k, &s, NULL))) return NULL;
    jstring r = (*env)->NewStringUTF(env, s);
    (*ti)->Deallocate(ti, (unsigned char *)s);
    return r;
}
JNIEXPORT jstring JNICALL Java_Answers_extension(JNIEnv *env, jclass c, jclass k) {
    char *s = NULL;
    jvmtiError e = (*ti)->GetSourceDebugExtension(ti, k, &s);
    jstring r = (*env)->NewStringUTF(env, e ? error_name(e) : s);
    if (!e) (*ti)->Deallocate(ti, (unsigned char *)s);
    return r;
}
JNIEXPORT jstring JNICALL Java_Answers_stop(JNIEnv *env, jclass c, jthread t, jobject x) {
    return (*env)->NewStringUTF(env, error_name((*ti)->StopThread(ti, t, x)));
}
JNIEXPORT jobjectArray JNICALL Java_Answers_modules(JNIEnv *env, jclass c) {
    jint n = 0;
    jobject *v = NULL;
    MUST((*ti)->GetAllModules(ti, &n, &v));
    jobjectArray a = (*env)->NewObjectArray(env, n, (*env)->FindClass(env, "java/lang/Module"), NULL);
    for (jint i = 0; i < n; i++) (*env)->SetObjectArrayElement(env, a, i, v[i]), (*env)->DeleteLocalRef(env, v[i]);
    (*ti)->Deallocate(ti, (unsigned char *)v);
    return a;
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    ti = new_env(vm);
    jvmtiCapabilities caps = {.can_get_source_debug_extension = 1, .can_signal_thread = 1};
    MUST((*ti)->AddCapabilities(ti, &caps));
    return JNI_OK;
}
