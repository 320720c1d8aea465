/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For Notices.java: extension functions and events, options as they were given, ObjectFree before the event is disabled and around
 * heap walks, classes of a loader with their arrays.
 */
#include "agent_test.h"
#include <unistd.h>

static jvmtiEnv *ti;
static volatile jint freed, gone;
static volatile bool slow;
static jint told;                  /* of ObjectFree, in all */
static jint told_first, told_last; /* `told` at the first and the last callback of a walk; -1: none yet */

static void class_unload(jvmtiEnv *e, ...) {
    va_list ap;
    va_start(ap, e);
    JNIEnv *env = va_arg(ap, JNIEnv *);
    const char *name = va_arg(ap, const char *);
    va_end(ap);
    if (strncmp(name, "Notices$Gone", 13) != 0) return;
    gone = 1;
    say("unloaded %s, environment %s", name, (*env)->GetVersion(env) >= JNI_VERSION_10 ? "usable" : "?");
}
static void JNICALL object_free(jvmtiEnv *e, jlong tag) {
    __atomic_add_fetch(&freed, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&told, 1, __ATOMIC_SEQ_CST);
    if (slow) usleep(20);
}
static jint JNICALL each(jlong class_tag, jlong size, jlong *tag, jint length, void *user) {
    told_last = __atomic_load_n(&told, __ATOMIC_SEQ_CST);
    if (told_first < 0) told_first = told_last;
    return 0;
}

static void extensions(void) {
    jint n, m;
    jvmtiExtensionFunctionInfo *f;
    jvmtiExtensionEventInfo *v;
    MUST((*ti)->GetExtensionFunctions(ti, &n, &f));
    for (jint i = 0; i < n; i++) {
        if (strncmp(f[i].id, "com.sun.", 8) != 0) continue;
        say("function %s, %d parameters, %s kind %d type %d null %d", f[i].id, f[i].param_count, f[i].params[0].name,
            f[i].params[0].kind, f[i].params[0].base_type, f[i].params[0].null_ok);
        jboolean on = 7;
        jvmtiError e = f[i].func(ti, &on);
        say("call: %s %d", error_name(e), on);
    }
    MUST((*ti)->GetExtensionEvents(ti, &m, &v));
    for (jint i = 0; i < m; i++) {
        say("event %d %s, %d parameters, second kind %d type %d", v[i].extension_event_index, v[i].id, v[i].param_count,
            v[i].params[1].kind, v[i].params[1].base_type);
        say("callback: %s",
            error_name((*ti)->SetExtensionEventCallback(ti, v[i].extension_event_index, (jvmtiExtensionEvent)class_unload)));
        say("mode: %s",
            error_name((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, (jvmtiEvent)v[i].extension_event_index, NULL)));
        say("next: %s",
            error_name((*ti)->SetExtensionEventCallback(ti, v[i].extension_event_index + 70, (jvmtiExtensionEvent)class_unload)));
    }
}

JNIEXPORT void JNICALL Java_Notices_tag(JNIEnv *env, jclass c, jobject o) { MUST((*ti)->SetTag(ti, o, 9)); }
/* Until the end of the next walk, so that it begins while there is something to tell. */
JNIEXPORT void JNICALL Java_Notices_slowly(JNIEnv *env, jclass c) { slow = true; }
JNIEXPORT jint JNICALL Java_Notices_freed(JNIEnv *env, jclass c) { return __atomic_exchange_n(&freed, 0, __ATOMIC_SEQ_CST); }
JNIEXPORT jboolean JNICALL Java_Notices_gone(JNIEnv *env, jclass c) { return gone != 0; }
/* How many were told when the event had been turned off? */
JNIEXPORT jint JNICALL Java_Notices_turnOff(JNIEnv *env, jclass c) {
    MUST((*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_OBJECT_FREE, NULL));
    jint n = __atomic_exchange_n(&freed, 0, __ATOMIC_SEQ_CST);
    enable(ti, JVMTI_EVENT_OBJECT_FREE);
    return n;
}
/* How many were told until it ended?  Was one told inside? */
JNIEXPORT jint JNICALL Java_Notices_walk(JNIEnv *env, jclass c) {
    jvmtiHeapCallbacks cb = {.heap_iteration_callback = each};
    told_first = -1;
    MUST((*ti)->IterateThroughHeap(ti, 0, NULL, &cb, NULL));
    slow = false;
    jint n = __atomic_exchange_n(&freed, 0, __ATOMIC_SEQ_CST);
    /* Between its callbacks: before the first and behind the last the queue is not held for certain.  One had begun before. */
    if (told_first < 0 || told_last - told_first > 1) say("? ObjectFree inside a heap walk: %d", told_last - told_first);
    return n;
}
JNIEXPORT jobjectArray JNICALL Java_Notices_classes(JNIEnv *env, jclass c, jobject loader) {
    jint n;
    jclass *v;
    MUST((*ti)->GetClassLoaderClasses(ti, loader, &n, &v));
    jobjectArray a = (*env)->NewObjectArray(env, n, (*env)->FindClass(env, "java/lang/Class"), NULL);
    for (jint i = 0; i < n; i++) (*env)->SetObjectArrayElement(env, a, i, v[i]), (*env)->DeleteLocalRef(env, v[i]);
    (*ti)->Deallocate(ti, (unsigned char *)v);
    return a;
}

static void JNICALL vm_init(jvmtiEnv *e, JNIEnv *env, jthread t) {
    extensions();
    say("compiled methods: %s", error_name((*ti)->GenerateEvents(ti, JVMTI_EVENT_COMPILED_METHOD_LOAD)));
}
static void show_options(const char *where, const char *o) { say("%s options %s", where, o ? *o ? o : "empty" : "NULL"); }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    show_options("load", options);
    ti = new_env(vm);
    jvmtiCapabilities caps = {
        .can_tag_objects = 1, .can_generate_object_free_events = 1, .can_generate_compiled_method_load_events = 1};
    jvmtiEventCallbacks cb = {.VMInit = vm_init, .ObjectFree = object_free};
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_VM_INIT);
    enable(ti, JVMTI_EVENT_OBJECT_FREE);
    return JNI_OK;
}
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    show_options("attach", options);
    return JNI_OK;
}
