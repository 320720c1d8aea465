/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for what sampling profilers look for (vm/thread/profiled.c), and uses it as they do. */
#include "agent_test.h"
#include <pthread.h>
#include <stdint.h>

static jvmtiEnv *ti;
static jvmtiError(JNICALL *old_retransform)(jvmtiEnv *, jint, const jclass *);
static jint(JNICALL *old_register)(JNIEnv *, jclass, const JNINativeMethod *, jint);
static int retransforms, parks;
static void(JNICALL *park)(JNIEnv *, jobject, jboolean, jlong);

static jvmtiError JNICALL my_retransform(jvmtiEnv *e, jint n, const jclass *c) {
    retransforms++;
    return old_retransform(e, n, c);
}
static jint JNICALL my_register(JNIEnv *env, jclass c, const JNINativeMethod *m, jint n) {
    for (jint i = 0; i < n; i++)
        if (strcmp(m[i].name, "park") == 0 && strcmp(m[i].signature, "(ZJ)V") == 0) park = m[i].fnPtr;
    return 0;
}
static void JNICALL my_park(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time) {
    __atomic_add_fetch(&parks, 1, __ATOMIC_SEQ_CST);
    park(env, unsafe, absolute, time);
}

/* The native thread that java.lang.Thread names: its first word is a table, and a key of this thread has it as value. */
JNIEXPORT jlong JNICALL Java_Profiled_look(JNIEnv *env, jclass c, jlong eetop) {
    void **thread = (void **)(intptr_t)eetop;
    void *copy[6];
    int keys = 0;
    memcpy(copy, thread[0], sizeof copy);
    for (pthread_key_t k = 0; k < 1024; k++) keys += pthread_getspecific(k) == thread;
    if (keys == 0) say("no key has the thread");
    for (int i = 0; i < 6; i++)
        if (!copy[i]) say("the table has an empty word");
    return (jlong)(intptr_t)thread[0];
}
JNIEXPORT jint JNICALL Java_Profiled_retransforms(JNIEnv *env, jclass c, jclass k) {
    struct jvmtiInterface_1_ *table = (struct jvmtiInterface_1_ *)*ti;
    old_retransform = table->RetransformClasses;
    table->RetransformClasses = my_retransform;
    MUST((*ti)->RetransformClasses(ti, 1, &k));
    table->RetransformClasses = old_retransform;
    MUST((*ti)->RetransformClasses(ti, 1, &k));
    return retransforms;
}
JNIEXPORT jboolean JNICALL Java_Profiled_learnPark(JNIEnv *env, jclass c) {
    jniNativeInterface *table = NULL;
    jclass unsafe = (*env)->FindClass(env, "jdk/internal/misc/Unsafe");
    jmethodID m = (*env)->GetStaticMethodID(env, unsafe, "registerNatives", "()V");
    MUST((*ti)->GetJNIFunctionTable(ti, &table));
    old_register = table->RegisterNatives;
    table->RegisterNatives = my_register;
    MUST((*ti)->SetJNIFunctionTable(ti, table));
    (*env)->CallStaticVoidMethod(env, unsafe, m);
    table->RegisterNatives = old_register;
    MUST((*ti)->SetJNIFunctionTable(ti, table));
    return park != NULL;
}
JNIEXPORT jint JNICALL Java_Profiled_usePark(JNIEnv *env, jclass c, jboolean mine) {
    JNINativeMethod row = {"park", "(ZJ)V", mine ? (void *)my_park : (void *)park};
    (*env)->RegisterNatives(env, (*env)->FindClass(env, "jdk/internal/misc/Unsafe"), &row, 1);
    return parks;
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    ti = new_env(vm);
    jvmtiCapabilities caps = {.can_retransform_classes = 1};
    MUST((*ti)->AddCapabilities(ti, &caps));
    return JNI_OK;
}
