/* SPDX-License-Identifier: Apache-2.0 */
/* agent_ending - natives of Ending.java: functions of JVM TI about threads that may just end. */
#include "agent_test.h"
#include <unistd.h>

static jvmtiEnv *ti;

static void all_stacks(void) {
    jvmtiStackInfo *info = NULL;
    jint n = 0;
    if (!(*ti)->GetAllStackTraces(ti, 10, &info, &n)) (*ti)->Deallocate(ti, (unsigned char *)info);
}

JNIEXPORT jint JNICALL Java_Ending_ask(JNIEnv *jni, jclass self, jthread t, jint kind) {
    jobject monitor;
    jlong time;
    switch (kind) {
    case 0: all_stacks(); return 0;
    case 1:
        (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, t);
        return (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE, t);
    case 2: return (*ti)->SetThreadLocalStorage(ti, t, &ti);
    case 3: return (*ti)->GetCurrentContendedMonitor(ti, t, &monitor);
    default: return (*ti)->GetThreadCpuTime(ti, t, &time);
    }
}

JNIEXPORT jint JNICALL Java_Ending_sleepInNative(JNIEnv *jni, jclass self, jint ms) { return usleep((useconds_t)ms * 1000); }

JNIEXPORT void JNICALL Java_Ending_suspend(JNIEnv *jni, jclass self, jthread t, jboolean on) {
    MUST(on ? (*ti)->SuspendThread(ti, t) : (*ti)->ResumeThread(ti, t));
}

JNIEXPORT jint JNICALL Java_Ending_stateOf(JNIEnv *jni, jclass self, jthread t) {
    jint state = 0;
    MUST((*ti)->GetThreadState(ti, t, &state));
    return state;
}

JNIEXPORT jint JNICALL Java_Ending_stateInList(JNIEnv *jni, jclass self, jthread t) {
    jvmtiStackInfo *info;
    MUST((*ti)->GetThreadListStackTraces(ti, 1, &t, 10, &info));
    jint state = info->state;
    (*ti)->Deallocate(ti, (unsigned char *)info);
    return state;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_suspend = 1, .can_get_current_contended_monitor = 1, .can_get_thread_cpu_time = 1};
    (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11);
    MUST((*ti)->AddCapabilities(ti, &caps));
    return JNI_OK;
}
