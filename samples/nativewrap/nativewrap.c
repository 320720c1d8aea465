/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nativewrap.c - says when a native method is called and how it ends. Each native method gets a prefix (SetNativeMethodPrefix
 * of JVM TI) and a Java method in its place, which is instrumented like any other. Option: a pattern of what to wrap.
 */
#include "bci_agent.h"

#define PREFIX "$$wrapped$$_"
#define STRING "Ljava/lang/String;"

static void print(JNIEnv *env, const char *what, jstring name) {
    const char *z = (*env)->GetStringUTFChars(env, name, NULL);
    printf("%s %s\n", what, z ? z : "?");
    fflush(stdout);
    if (z) (*env)->ReleaseStringUTFChars(env, name, z);
}
static void JNICALL enter(JNIEnv *env, jclass probe, jstring name) { print(env, "native", name); }
static void JNICALL leave(JNIEnv *env, jclass probe, jstring name) { print(env, "back from", name); }
static void JNICALL failed(JNIEnv *env, jclass probe, jstring name, jobject exception) {
    print(env, exception ? "exception out of" : "nothing out of", name);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    static const BciNative probes[] = {{"enter", "(" STRING ")V", enter, 0},
                                       {"leave", "(" STRING ")V", leave, 0},
                                       {"failed", "(" STRING "Ljava/lang/Object;)V", failed, 0}};
    jvmtiCapabilities caps = {.can_set_native_method_prefix = 1};
    BciAgent *a = bci_agent_new(vm, "sample/Natives", probes, 3, NULL);
    jvmtiEnv *ti = bci_agent_env(a);
    if (!ti || (*ti)->AddCapabilities(ti, &caps) || (*ti)->SetNativeMethodPrefix(ti, PREFIX)) return JNI_ERR;
    BciRule *r = bci_rule(bci_agent_plan(a), options);
    bci_natives(r, PREFIX);
    bci_call(r, BCI_ENTRY, NULL, "sample/Natives.enter(" STRING ")V", "name");
    bci_call(r, BCI_RETURN, NULL, "sample/Natives.leave(" STRING ")V", "name");
    bci_call(r, BCI_THROW, NULL, "sample/Natives.failed(" STRING "Ljava/lang/Object;)V", "name,exception");
    return bci_agent_run(a);
}

/* The natives of HelloNatives, found without the prefix. */
JNIEXPORT jint JNICALL Java_HelloNatives_twice(JNIEnv *env, jclass c, jint n) { return 2 * n; }
JNIEXPORT void JNICALL Java_HelloNatives_fail(JNIEnv *env, jobject self) {
    (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "on purpose");
}
