/* SPDX-License-Identifier: Apache-2.0 */
/* Listens to NativeMethodBind and says nothing: natives of the VM are bound at their first call then. */
#include "agent_test.h"

static void JNICALL native_bind(jvmtiEnv *ti, JNIEnv *env, jthread t, jmethodID m, void *address, void **new_address) {}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEnv *ti = new_env(vm);
    jvmtiCapabilities caps = {.can_generate_native_method_bind_events = 1};
    jvmtiEventCallbacks cb = {.NativeMethodBind = native_bind};
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_NATIVE_METHOD_BIND);
    return JNI_OK;
}
