/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callwrap.c - sees calls with their arguments and results from the calling side, and answers one
 * kind of call itself. Option: a pattern of what to instrument.
 */
#include "bci_agent.h"

static void print(JNIEnv *env, const char *what, jstring s) {
    const char *z = s ? (*env)->GetStringUTFChars(env, s, NULL) : NULL;
    printf("%s%s", what, z ? z : "null");
    if (z) (*env)->ReleaseStringUTFChars(env, s, z);
}

static void JNICALL before(JNIEnv *env, jclass probe, jstring member, jobjectArray args) {
    print(env, "call ", member);
    printf(" with %d arguments\n", (int)(*env)->GetArrayLength(env, args));
    fflush(stdout);
}

static void JNICALL after(JNIEnv *env, jclass probe, jstring member, jobject result) {
    print(env, "back from ", member);
    printf(result ? " with a result\n" : "\n");
    fflush(stdout);
}

static jint JNICALL length(JNIEnv *env, jclass probe, jstring s) { return -(*env)->GetStringLength(env, s); }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    static const BciNative probes[] = {
        {"before", "(Ljava/lang/String;[Ljava/lang/Object;)V", before, 0},
        {"after", "(Ljava/lang/String;Ljava/lang/Object;)V", after, 0},
        {"length", "(Ljava/lang/String;)I", length, 0},
    };
    BciAgent *a = bci_agent_new(vm, "sample/Calls", probes, 3, NULL);
    BciRule *r = bci_rule(bci_agent_plan(a), options);
    bci_call(r, BCI_CALL_BEFORE, "Hello*.*", "sample/Calls.before(Ljava/lang/String;[Ljava/lang/Object;)V", "member,args");
    bci_call(r, BCI_CALL_AFTER, "Hello*.*", "sample/Calls.after(Ljava/lang/String;Ljava/lang/Object;)V", "member,result");
    bci_redirect(r, "java/lang/String.length()I", "sample/Calls.length");
    return bci_agent_run(a);
}
