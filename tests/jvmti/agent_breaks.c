/* SPDX-License-Identifier: Apache-2.0 */
/* For tests/schedule/Breaks.java: breakpoints by method ID, redefinition, and how often a breakpoint was hit. */
#include "agent_test.h"

static jvmtiEnv *ti;
static jmethodID kept[4];
static volatile int n_hits;

static void JNICALL breakpoint(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) { n_hits++; }

JNIEXPORT void JNICALL Java_Breaks_keep(JNIEnv *env, jclass me, jint slot, jobject method) {
    kept[slot & 3] = (*env)->FromReflectedMethod(env, method);
}
JNIEXPORT jstring JNICALL Java_Breaks_set(JNIEnv *env, jclass me, jint slot) {
    return (*env)->NewStringUTF(env, error_name((*ti)->SetBreakpoint(ti, kept[slot & 3], 0)));
}
JNIEXPORT jstring JNICALL Java_Breaks_clear(JNIEnv *env, jclass me, jint slot) {
    return (*env)->NewStringUTF(env, error_name((*ti)->ClearBreakpoint(ti, kept[slot & 3], 0)));
}
JNIEXPORT jstring JNICALL Java_Breaks_redefine(JNIEnv *env, jclass me, jclass k, jbyteArray bytes) {
    jbyte *b = (*env)->GetByteArrayElements(env, bytes, NULL);
    jvmtiClassDefinition d = {k, (*env)->GetArrayLength(env, bytes), (unsigned char *)b};
    jvmtiError e = (*ti)->RedefineClasses(ti, 1, &d);
    (*env)->ReleaseByteArrayElements(env, bytes, b, JNI_ABORT);
    return (*env)->NewStringUTF(env, error_name(e));
}
JNIEXPORT jint JNICALL Java_Breaks_hits(JNIEnv *env, jclass me) { return n_hits; }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    ti = new_env(vm);
    jvmtiCapabilities caps = {.can_generate_breakpoint_events = 1, .can_redefine_classes = 1};
    jvmtiEventCallbacks cb = {.Breakpoint = breakpoint};
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_BREAKPOINT);
    return JNI_OK;
}
