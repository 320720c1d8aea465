/* SPDX-License-Identifier: Apache-2.0 */
/* Native side of Unloaded.java: what JNI_OnLoad and JNI_OnUnload of a library find. */
#include "jnitest.h"

JNIEXPORT jint JNICALL Java_Unloaded_00024Inner_answer(JNIEnv *env, jclass c) { return 42; }

static void find(JNIEnv *env, const char *where) {
    const char *names[] = {"java/lang/String", "Unloaded", "Unloaded$Inner", "no/Such"};
    for (int i = 0; i < 4; i++) {
        jclass c = E->FindClass(env, names[i]);
        say("%s: %s %s %s", where, names[i], c ? "found" : "not found", outcome(env));
    }
}

static JNIEnv *env_of(JavaVM *vm) {
    JNIEnv *env;
    return (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK ? env : NULL;
}

/* In the loader that loads the library, whose Unloaded is not the program's. */
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    find(env_of(vm), "OnLoad");
    return JNI_VERSION_1_8;
}

/* In the system's loader: it has the Unloaded that waits. */
JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *vm, void *reserved) {
    JNIEnv *env = env_of(vm);
    find(env, "OnUnload");
    jclass c = E->FindClass(env, "Unloaded");
    if (c) E->SetStaticBooleanField(env, c, E->GetStaticFieldID(env, c, "gone", "Z"), JNI_TRUE);
    else say("OnUnload: %s", outcome(env));
}
