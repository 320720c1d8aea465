/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of StackEdges.java. */
#include "jnitest.h"

#include <alloca.h>
#include <pthread.h>
#include <string.h>

/* Calls a method with so many bytes of the C stack used up before it. */
JNIEXPORT jint JNICALL Java_StackEdges_below(JNIEnv *env, jclass c, jint bytes) {
    char *room = alloca((size_t)bytes + 16);
    for (jint i = 0; i <= bytes; i += 1024) ((volatile char *)room)[i] = (char)i;
    jint depth = E->CallStaticIntMethod(env, c, E->GetStaticMethodID(env, c, "overflow", "()I"));
    return E->ExceptionCheck(env) ? -1 : depth + (((volatile char *)room)[0] != 0);
}
JNIEXPORT jint JNICALL Java_StackEdges_mixed(JNIEnv *env, jclass c, jint n) {
    return E->CallStaticIntMethod(env, c, E->GetStaticMethodID(env, c, "mixed2", "(I)I"), n + 1);
}

typedef struct Job {
    JavaVM *vm;
    jclass c;
    const char *method;
    jint size, result;
} Job;

static void *attached(void *arg) {
    Job *j = arg;
    JNIEnv *env;
    if ((*j->vm)->AttachCurrentThread(j->vm, (void **)&env, NULL) != JNI_OK) return NULL;
    j->result = E->CallStaticIntMethod(env, j->c, E->GetStaticMethodID(env, j->c, j->method, "(I)I"), j->size);
    if (E->ExceptionCheck(env)) {
        j->result = -2;
        E->ExceptionClear(env);
    }
    (*j->vm)->DetachCurrentThread(j->vm);
    return NULL;
}

/* A thread of the program's own, with a C stack of that many bytes, calls a method. */
JNIEXPORT jint JNICALL Java_StackEdges_attach(JNIEnv *env, jclass c, jint bytes, jboolean edges) {
    Job j = {.c = E->NewGlobalRef(env, c), .method = edges ? "edges" : "work", .size = bytes, .result = -1};
    pthread_attr_t attr;
    pthread_t t;
    E->GetJavaVM(env, &j.vm);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, (size_t)bytes);
    if (pthread_create(&t, &attr, attached, &j)) return -3;
    pthread_join(t, NULL);
    E->DeleteGlobalRef(env, j.c);
    return j.result;
}
