/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of Attach.java. */
#include "jnitest.h"

#include <pthread.h>

static JavaVM *vm;
static jclass test_class;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *v, void *reserved) {
    JNIEnv *env;
    vm = v;
    if ((*v)->GetEnv(v, (void **)&env, JNI_VERSION_1_6) != JNI_OK) return -1;
    jclass c = E->FindClass(env, "Attach");
    if (!c) {
        say("OnLoad: %s", outcome(env));
        c = E->FindClass(env, "Attach$Inner");
    }
    jclass cc = E->FindClass(env, "java/lang/Class");
    jobject loader = E->CallObjectMethod(env, c, E->GetMethodID(env, cc, "getClassLoader", "()Ljava/lang/ClassLoader;"));
    say("OnLoad: Attach is of %s", class_name(env, loader));
    test_class = E->NewGlobalRef(env, c);
    return JNI_VERSION_1_6;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *v, void *reserved) {}

typedef struct Job {
    char name[100];
    jobject group;
    int has_name, daemon, what;
    char result[1000];
} Job;

static const char *call_string(JNIEnv *env, const char *name) {
    jmethodID m = E->GetStaticMethodID(env, test_class, name, "()Ljava/lang/String;");
    return text_of(env, E->CallStaticObjectMethod(env, test_class, m));
}

static void inside(JNIEnv *env, Job *j) {
    JNIEnv *other = NULL;
    switch (j->what) {
    case 0: snprintf(j->result, sizeof j->result, "%s", call_string(env, "describe")); break;
    case 1: {
        jclass c = E->FindClass(env, "Attach"); /* by the system loader */
        snprintf(j->result, sizeof j->result, "FindClass %d %s", E->IsSameObject(env, c, test_class), outcome(env));
        break;
    }
    case 2:
        E->CallStaticVoidMethod(env, test_class, E->GetStaticMethodID(env, test_class, "fail", "()V"));
        snprintf(j->result, sizeof j->result, "%s", outcome(env));
        break;
    case 3: {
        jint a = (*vm)->AttachCurrentThread(vm, (void **)&other, NULL);
        jint b = (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&other, NULL);
        snprintf(j->result, sizeof j->result, "again %d %d same env %d", a, b, other == env);
        break;
    }
    case 4: snprintf(j->result, sizeof j->result, "%d %d", (*vm)->DetachCurrentThread(vm), (*vm)->DetachCurrentThread(vm)); break;
    case 5: {
        jint a = (*vm)->GetEnv(vm, (void **)&other, JNI_VERSION_10), b = (*vm)->GetEnv(vm, (void **)&other, 0x00ff0000);
        jint c = (*vm)->GetEnv(vm, (void **)&other, JNI_VERSION_1_1);
        snprintf(j->result, sizeof j->result, "%d %d %d %d", a, b, c, other == env);
        break;
    }
    case 6: {
        jobject o = E->NewStringUTF(env, "lock");
        jint r = E->MonitorEnter(env, o);
        snprintf(j->result, sizeof j->result, "monitor %d %d", r, E->MonitorExit(env, o));
        break;
    }
    case 7: {
        for (int i = 0; i < 5000; i++) E->NewStringUTF(env, "local of an attached thread");
        snprintf(j->result, sizeof j->result, "%s", text_of(env, E->NewStringUTF(env, "locals")));
        break;
    }
    case 8: {
        jclass c = E->FindClass(env, "no/such/Class");
        snprintf(j->result, sizeof j->result, "%d %s", c != NULL, outcome(env));
        break;
    }
    case 9: {
        jmethodID m = E->GetStaticMethodID(env, test_class, "forName", "(Ljava/lang/String;)Ljava/lang/Class;");
        jobject c = E->CallStaticObjectMethod(env, test_class, m, E->NewStringUTF(env, "Attach"));
        snprintf(j->result, sizeof j->result, "%d %s", E->IsSameObject(env, c, test_class), outcome(env));
        break;
    }
    case 20:
        E->CallStaticVoidMethod(env, test_class, E->GetStaticMethodID(env, test_class, "fail", "()V"));
        snprintf(j->result, sizeof j->result, "detached with a pending exception");
        break;
    }
}

static void *body(void *arg) {
    Job *j = arg;
    JNIEnv *env = (JNIEnv *)1;
    JavaVMAttachArgs args = {JNI_VERSION_1_6, j->has_name ? j->name : NULL, j->group};
    jint before = (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6);
    if (before != JNI_EDETACHED || env) strcat(j->result, "env before attaching;");
    jint rc = j->daemon ? (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &args)
                        : (*vm)->AttachCurrentThread(vm, (void **)&env, &args);
    if (rc != JNI_OK) {
        snprintf(j->result, sizeof j->result, "attach: %d", rc);
        return NULL;
    }
    inside(env, j);
    rc = (*vm)->DetachCurrentThread(vm);
    if (rc != JNI_OK || (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_EDETACHED) strcat(j->result, " detach failed");
    return NULL;
}

JNIEXPORT jstring JNICALL Java_Attach_attached(JNIEnv *env, jclass cls, jstring name, jobject group, jboolean daemon, jint what) {
    Job j = {.has_name = name != NULL, .daemon = daemon, .what = what};
    if (what == 100) {
        JNIEnv *other;
        jint a = (*vm)->AttachCurrentThread(vm, (void **)&other, NULL), d = (*vm)->DetachCurrentThread(vm);
        snprintf(j.result, sizeof j.result, "attach %d same %d, detach with Java frames %d", a, other == env, d);
        return E->NewStringUTF(env, j.result);
    }
    if (name) snprintf(j.name, sizeof j.name, "%s", text_of(env, name));
    if (group) j.group = E->NewGlobalRef(env, group);
    pthread_t t;
    pthread_create(&t, NULL, body, &j);
    pthread_join(t, NULL);
    if (j.group) E->DeleteGlobalRef(env, j.group);
    return E->NewStringUTF(env, j.result);
}

static void *counting(void *arg) {
    JNIEnv *env;
    if ((*vm)->AttachCurrentThread(vm, (void **)&env, NULL) != JNI_OK) return NULL;
    E->CallStaticVoidMethod(env, test_class, E->GetStaticMethodID(env, test_class, "count", "()V"));
    (*vm)->DetachCurrentThread(vm);
    return NULL;
}

JNIEXPORT void JNICALL Java_Attach_loop(JNIEnv *env, jclass cls, jint n) {
    for (jint i = 0; i < n; i += 10) {
        pthread_t t[10];
        for (int k = 0; k < 10; k++) pthread_create(&t[k], NULL, counting, NULL);
        for (int k = 0; k < 10; k++) pthread_join(t[k], NULL);
    }
}

JNIEXPORT jstring JNICALL Java_Attach_00024Inner_find(JNIEnv *env, jclass cls, jstring name) {
    jclass c = E->FindClass(env, text_of(env, name));
    return E->NewStringUTF(env, c && E->IsSameObject(env, c, cls) ? "the class of this loader" : outcome(env));
}
