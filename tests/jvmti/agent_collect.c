/* SPDX-License-Identifier: Apache-2.0 */
/* agent_collect - GarbageCollectionStart and Finish: in pairs, and what may be called in them works. */
#include "agent_test.h"

static jvmtiEnv *ti;
static jrawMonitorID monitor;
static int starts, finishes, disorder, failures;
static jrawMonitorID told;

#define WORKS(call) \
    do { \
        if (call) failures++; \
    } while (0)

static void JNICALL on_start(jvmtiEnv *e) {
    unsigned char *mem = NULL;
    void *data = NULL;
    jlong now = 0;
    disorder += starts != finishes;
    starts++;
    WORKS((*e)->Allocate(e, 100, &mem));
    WORKS((*e)->Deallocate(e, mem));
    WORKS((*e)->SetEnvironmentLocalStorage(e, &starts));
    WORKS((*e)->GetEnvironmentLocalStorage(e, &data));
    WORKS(data != &starts);
    WORKS((*e)->GetTime(e, &now));
    WORKS((*e)->RawMonitorEnter(e, monitor));
    WORKS((*e)->RawMonitorNotifyAll(e, monitor));
    WORKS((*e)->RawMonitorExit(e, monitor));
}
static void JNICALL on_finish(jvmtiEnv *e) {
    jrawMonitorID m = NULL;
    finishes++;
    disorder += starts != finishes;
    WORKS((*e)->CreateRawMonitor(e, "made in the pause", &m));
    WORKS((*e)->DestroyRawMonitor(e, m));
    WORKS((*e)->RawMonitorEnter(e, told));
    WORKS((*e)->RawMonitorNotify(e, told));
    WORKS((*e)->RawMonitorExit(e, told));
}
JNIEXPORT jstring JNICALL Java_Collect_report(JNIEnv *env, jclass c, jint at_least) {
    char text[128];
    snprintf(text, sizeof text, "enough %d pairs %d order %d failures %d", starts >= at_least, starts == finishes, disorder == 0,
             failures);
    return (*env)->NewStringUTF(env, text);
}
JNIEXPORT void JNICALL Java_Collect_force(JNIEnv *env, jclass c) { MUST((*ti)->ForceGarbageCollection(ti)); }
JNIEXPORT jint JNICALL Java_Collect_starts(JNIEnv *env, jclass c) { return starts; }
JNIEXPORT void JNICALL Java_Collect_on(JNIEnv *env, jclass c, jboolean on) {
    MUST((*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START, NULL));
    MUST((*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, NULL));
}
/* Waits until a collection in another thread has finished. */
JNIEXPORT void JNICALL Java_Collect_await(JNIEnv *env, jclass c) {
    MUST((*ti)->RawMonitorEnter(ti, told));
    int before = finishes;
    while (finishes == before) MUST((*ti)->RawMonitorWait(ti, told, 0));
    MUST((*ti)->RawMonitorExit(ti, told));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_generate_garbage_collection_events = 1};
    jvmtiEventCallbacks cb = {.GarbageCollectionStart = on_start, .GarbageCollectionFinish = on_finish};
    if (!(ti = new_env(vm)) || !MUST((*ti)->AddCapabilities(ti, &caps))) return JNI_ERR;
    MUST((*ti)->CreateRawMonitor(ti, "collect", &monitor));
    MUST((*ti)->CreateRawMonitor(ti, "told", &told));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    return JNI_OK;
}
