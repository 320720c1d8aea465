/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For Told.java: a lock that callbacks of the VM's own thread want is held by who walks the heap or turns the event off; and what
 * that thread is.
 */
#include "agent_test.h"
#include <pthread.h>
#include <unistd.h>

static jvmtiEnv *ti;
static JavaVM *the_vm;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static jrawMonitorID raw;
static bool with_raw;
static jint freed, freeing, loading, told, starts; /* freeing, loading: callbacks that want the lock, or had it */

static jint get(jint *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
static void count(jint *p) { __atomic_add_fetch(p, 1, __ATOMIC_SEQ_CST); }
static void lock(void) {
    if (with_raw) MUST((*ti)->RawMonitorEnter(ti, raw));
    else pthread_mutex_lock(&mutex);
}
static void unlock(void) {
    if (with_raw) MUST((*ti)->RawMonitorExit(ti, raw));
    else pthread_mutex_unlock(&mutex);
}

static void JNICALL object_free(jvmtiEnv *e, jlong tag) {
    count(&freeing);
    lock();
    count(&freed);
    unlock();
}

/* --- the thread --- */

static bool is_listed(JNIEnv *env, jthread t) {
    jint n;
    jthread *all;
    bool found = false;
    MUST((*ti)->GetAllThreads(ti, &n, &all));
    for (jint i = 0; i < n; i++) found |= (*env)->IsSameObject(env, all[i], t);
    return found;
}
static void tell_thread(void) {
    JNIEnv *env = NULL;
    jthread t = NULL;
    jint state = 0;
    jvmtiThreadInfo info = {0};
    jvmtiThreadGroupInfo group = {0};
    (*the_vm)->GetEnv(the_vm, (void **)&env, JNI_VERSION_10);
    MUST((*ti)->GetCurrentThread(ti, &t));
    if (!t) return say("no thread");
    MUST((*ti)->GetThreadInfo(ti, t, &info));
    MUST((*ti)->GetThreadGroupInfo(ti, info.thread_group, &group));
    MUST((*ti)->GetThreadState(ti, t, &state));
    say("thread %s, group %s, priority %d, %s, state %x, %s", info.name, group.name, info.priority,
        info.is_daemon ? "daemon" : "user", state & ~JVMTI_THREAD_STATE_IN_NATIVE, is_listed(env, t) ? "listed" : "hidden");
    jclass c = (*env)->FindClass(env, "java/lang/Thread"), own = (*env)->FindClass(env, "Told");
    jobject current =
        (*env)->CallStaticObjectMethod(env, c, (*env)->GetStaticMethodID(env, c, "currentThread", "()Ljava/lang/Thread;"));
    say("context class loader: %s", info.context_class_loader ? "inherited" : "none");
    say("FindClass: %s, of the program: %s; currentThread: %s", c ? "found" : "none", own ? "found" : "none",
        (*env)->IsSameObject(env, current, t) ? "the same" : "?");
    (*env)->ExceptionClear(env);
    (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "left"); /* nobody gets it */
}
static void JNICALL compiled(jvmtiEnv *e, jmethodID m, jint size, const void *code, jint n, const jvmtiAddrLocationMap *map,
                             const void *info) {
    char *name = NULL;
    if ((*ti)->GetMethodName(ti, m, &name, NULL, NULL)) return;
    bool wanted = !strncmp(name, "work", 4);
    (*ti)->Deallocate(ti, (unsigned char *)name);
    if (!wanted) return;
    if (!get(&told)) {
        tell_thread();
        count(&told);
    }
    count(&loading);
    lock();
    unlock();
}
static void JNICALL thread_start(jvmtiEnv *e, JNIEnv *env, jthread t) {
    jvmtiThreadInfo info;
    if (!(*ti)->GetThreadInfo(ti, t, &info) && !strcmp(info.name, "Service Thread")) count(&starts);
}

/* --- with the lock --- */

static jint JNICALL each(jlong class_tag, jlong size, jlong *tag, jint length, void *user) { return 0; }
static jint JNICALL refer(jvmtiHeapReferenceKind k, const jvmtiHeapReferenceInfo *i, jlong class_tag, jlong from_class,
                          jlong size, jlong *tag, jlong *from, jint length, void *user) {
    return JVMTI_VISIT_OBJECTS;
}
static jvmtiIterationControl JNICALL old(jlong class_tag, jlong size, jlong *tag, void *user) { return JVMTI_ITERATION_CONTINUE; }

static const char *walk(jint how) {
    jvmtiHeapCallbacks cb = {.heap_iteration_callback = each, .heap_reference_callback = refer};
    jlong tag = 9;
    jint n;
    switch (how) {
    case 0: MUST((*ti)->IterateThroughHeap(ti, 0, NULL, &cb, NULL)); return "IterateThroughHeap";
    case 1: MUST((*ti)->FollowReferences(ti, 0, NULL, NULL, &cb, NULL)); return "FollowReferences";
    case 2: MUST((*ti)->GetObjectsWithTags(ti, 1, &tag, &n, NULL, NULL)); return "GetObjectsWithTags";
    case 3: MUST((*ti)->IterateOverHeap(ti, JVMTI_HEAP_OBJECT_TAGGED, old, NULL)); return "IterateOverHeap";
    default:
        MUST((*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_OBJECT_FREE, NULL));
        enable(ti, JVMTI_EVENT_OBJECT_FREE);
        return "turned off";
    }
}
static bool until(jint *p) {
    for (int i = 0; i < 20000 && !get(p); i++) usleep(1000);
    return get(p);
}
JNIEXPORT void JNICALL Java_Told_tag(JNIEnv *env, jclass c, jobject o) { MUST((*ti)->SetTag(ti, o, 9)); }
JNIEXPORT jint JNICALL Java_Told_freed(JNIEnv *env, jclass c) { return get(&freed); }
JNIEXPORT void JNICALL Java_Told_walk(JNIEnv *env, jclass c, jint how, jboolean monitor) {
    with_raw = monitor;
    freed = freeing = 0;
    lock();
    MUST((*ti)->ForceGarbageCollection(ti));
    bool waits = until(&freeing);
    const char *what = walk(how);
    unlock();
    say("%s, %s: %s", what, monitor ? "monitor" : "mutex", waits ? "while a callback waits" : "no callback came");
}
JNIEXPORT jboolean JNICALL Java_Told_loading(JNIEnv *env, jclass c) { return get(&loading) > 0; }
JNIEXPORT void JNICALL Java_Told_hold(JNIEnv *env, jclass c, jboolean monitor) {
    with_raw = monitor;
    loading = 0;
    enable(ti, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    lock();
}
JNIEXPORT void JNICALL Java_Told_release(JNIEnv *env, jclass c) {
    MUST((*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_COMPILED_METHOD_LOAD, NULL));
    unlock();
    say("CompiledMethodLoad is off, %s", with_raw ? "monitor" : "mutex");
}
JNIEXPORT jint JNICALL Java_Told_starts(JNIEnv *env, jclass c) { return get(&starts); }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    the_vm = vm;
    ti = new_env(vm);
    jvmtiCapabilities caps = {
        .can_tag_objects = 1, .can_generate_object_free_events = 1, .can_generate_compiled_method_load_events = 1};
    jvmtiEventCallbacks cb = {.ObjectFree = object_free, .CompiledMethodLoad = compiled, .ThreadStart = thread_start};
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    MUST((*ti)->CreateRawMonitor(ti, "told", &raw));
    enable(ti, JVMTI_EVENT_OBJECT_FREE);
    enable(ti, JVMTI_EVENT_THREAD_START);
    return JNI_OK;
}
