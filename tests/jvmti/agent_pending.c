/* SPDX-License-Identifier: Apache-2.0 */
/* For Pending.java: an exception is pending when a function is called; callbacks and an agent's thread leave one. */
#include "agent_test.h"

static jvmtiEnv *ti;
static const char *leave_in; /* the class whose event is to leave an exception, or "native", "resource" */
static jclass failure;       /* IllegalStateException */

static void fail(JNIEnv *env, const char *where) {
    say("throws in %s", where);
    (*env)->ThrowNew(env, failure, where);
}

/* What is pending is taken away, and told. */
static void told(JNIEnv *env, const char *what, jvmtiError e) {
    jthrowable x = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    char *name = NULL;
    if (x) MUST((*ti)->GetClassSignature(ti, (*env)->GetObjectClass(env, x), &name, NULL));
    say("%s: %s, pending %s", what, error_name(e), name ? name : "none");
}
#define WITH_PENDING(what, call) \
    do { \
        (*env)->ThrowNew(env, failure, "before"); \
        jvmtiError e_ = call; \
        told(env, what, e_); \
    } while (0)

JNIEXPORT void JNICALL Java_Pending_functions(JNIEnv *env, jclass c, jthread t, jobject m, jobject other, jclass service,
                                              jclass impl, jstring jar) {
    const char *path = (*env)->GetStringUTFChars(env, jar, NULL);
    jthreadGroup *groups;
    jthread *threads;
    jint n, k;
    WITH_PENDING("InterruptThread", (*ti)->InterruptThread(ti, t));
    WITH_PENDING("AddModuleReads", (*ti)->AddModuleReads(ti, m, other));
    WITH_PENDING("AddModuleExports", (*ti)->AddModuleExports(ti, m, "java.sql", other));
    WITH_PENDING("AddModuleExports of no package", (*ti)->AddModuleExports(ti, m, "none", other));
    WITH_PENDING("AddModuleOpens", (*ti)->AddModuleOpens(ti, m, "java.sql", other));
    WITH_PENDING("AddModuleUses", (*ti)->AddModuleUses(ti, m, service));
    WITH_PENDING("AddModuleProvides", (*ti)->AddModuleProvides(ti, m, service, impl));
    WITH_PENDING("AddToSystemClassLoaderSearch", (*ti)->AddToSystemClassLoaderSearch(ti, path));
    WITH_PENDING("AddToBootstrapClassLoaderSearch", (*ti)->AddToBootstrapClassLoaderSearch(ti, path));
    WITH_PENDING("RetransformClasses", (*ti)->RetransformClasses(ti, 1, &service));
    WITH_PENDING("ForceGarbageCollection", (*ti)->ForceGarbageCollection(ti));
    WITH_PENDING("GetTopThreadGroups", (*ti)->GetTopThreadGroups(ti, &n, &groups));
    WITH_PENDING("GetAllThreads", (*ti)->GetAllThreads(ti, &n, &threads));
    WITH_PENDING("GetThreadGroupChildren", (*ti)->GetThreadGroupChildren(ti, groups[0], &n, &threads, &k, &groups));
    told(env, "nothing before", (*ti)->AddModuleExports(ti, m, "none", other));
    (*env)->ReleaseStringUTFChars(env, jar, path);
}

/* It comes while functions run, Java among them. */
JNIEXPORT void JNICALL Java_Pending_stop(JNIEnv *env, jclass c, jthrowable x, jobject m, jclass service) {
    jint n;
    jthread *threads, self;
    MUST((*ti)->GetCurrentThread(ti, &self));
    MUST((*ti)->StopThread(ti, self, x));
    MUST((*ti)->GetAllThreads(ti, &n, &threads));
    MUST((*ti)->AddModuleUses(ti, m, service));
    MUST((*ti)->ForceGarbageCollection(ti));
}

static void JNICALL in_thread(jvmtiEnv *e, JNIEnv *env, void *arg) { fail(env, "an agent's thread"); }
JNIEXPORT void JNICALL Java_Pending_runAgentThread(JNIEnv *env, jclass c, jthread t) {
    MUST((*ti)->RunAgentThread(ti, t, in_thread, NULL, 5));
}

JNIEXPORT void JNICALL Java_Pending_leaveIn(JNIEnv *env, jclass c, jstring s) {
    leave_in = s ? (*env)->GetStringUTFChars(env, s, NULL) : NULL;
}
JNIEXPORT jint JNICALL Java_Pending_seven(JNIEnv *env, jclass c) {
    say("the native runs");
    return 7;
}

static void JNICALL class_prepare(jvmtiEnv *e, JNIEnv *env, jthread t, jclass c) {
    char *name = NULL;
    if (!leave_in) return;
    MUST((*ti)->GetClassSignature(ti, c, &name, NULL));
    if (strstr(name, leave_in)) fail(env, "ClassPrepare");
    (*ti)->Deallocate(ti, (unsigned char *)name);
}
static void JNICALL class_load(jvmtiEnv *e, JNIEnv *env, jthread t, jclass c) {
    char *name = NULL;
    if (!leave_in) return;
    MUST((*ti)->GetClassSignature(ti, c, &name, NULL));
    if (strstr(name, "AtLoad") && strstr(name, leave_in)) fail(env, "ClassLoad");
    (*ti)->Deallocate(ti, (unsigned char *)name);
}
static void JNICALL bind(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, void *a, void **n) {
    if (leave_in && !strcmp(leave_in, "native")) fail(env, "NativeMethodBind");
}
static void JNICALL exhausted(jvmtiEnv *e, JNIEnv *env, jint flags, const void *r, const char *text) {
    if (leave_in && !strcmp(leave_in, "resource")) fail(env, "ResourceExhausted");
}
/* Leaves bytes, too. */
static void JNICALL hook(jvmtiEnv *e, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject pd, jint n,
                         const unsigned char *bytes, jint *new_n, unsigned char **new_bytes) {
    if (!leave_in || !name || strncmp(leave_in, "hook ", 5) != 0 || strcmp(leave_in + 5, name) != 0) return;
    MUST((*ti)->Allocate(ti, n, new_bytes));
    memcpy(*new_bytes, bytes, (size_t)n);
    *new_n = n;
    fail(env, "ClassFileLoadHook");
}
static void JNICALL vm_init(jvmtiEnv *e, JNIEnv *env, jthread t) {
    failure = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/IllegalStateException"));
    enable(ti, JVMTI_EVENT_CLASS_PREPARE);
    enable(ti, JVMTI_EVENT_CLASS_LOAD);
    enable(ti, JVMTI_EVENT_NATIVE_METHOD_BIND);
    enable(ti, JVMTI_EVENT_RESOURCE_EXHAUSTED);
    enable(ti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    ti = new_env(vm);
    jvmtiCapabilities caps = {.can_signal_thread = 1,
                              .can_retransform_classes = 1,
                              .can_generate_native_method_bind_events = 1,
                              .can_generate_resource_exhaustion_heap_events = 1};
    jvmtiEventCallbacks cb = {.VMInit = vm_init,
                              .ClassPrepare = class_prepare,
                              .ClassLoad = class_load,
                              .NativeMethodBind = bind,
                              .ResourceExhausted = exhausted,
                              .ClassFileLoadHook = hook};
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_VM_INIT);
    return JNI_OK;
}
