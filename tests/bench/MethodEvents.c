/* SPDX-License-Identifier: Apache-2.0 */
/* An agent whose MethodEntry and MethodExit callbacks do nothing. Options: any of the words held, entry, exit (tests/bench/run-jit). */
#include <jvmti.h>
#include <string.h>

static void JNICALL entered(jvmtiEnv *ti, JNIEnv *env, jthread thread, jmethodID method) {
    (void)ti, (void)env, (void)thread, (void)method;
}

static void JNICALL left(jvmtiEnv *ti, JNIEnv *env, jthread thread, jmethodID method, jboolean by_exception, jvalue value) {
    (void)ti, (void)env, (void)thread, (void)method, (void)by_exception, (void)value;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEnv *ti;
    jvmtiCapabilities want = {.can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1};
    jvmtiEventCallbacks callbacks = {.MethodEntry = entered, .MethodExit = left};
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK || (*ti)->AddCapabilities(ti, &want) != JVMTI_ERROR_NONE ||
        (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    if (options && strstr(options, "entry")) (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
    if (options && strstr(options, "exit")) (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_EXIT, NULL);
    return JNI_OK;
}
