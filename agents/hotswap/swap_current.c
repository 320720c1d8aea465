/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_current.c - see swap_current.h. A retransformation that changes nothing gives the class file to the hook; what other
 * agents did to it when it was loaded may be in it.
 */
#include "swap_current.h"

#include <stdlib.h>
#include <string.h>

static bool possible;
static __thread jclass asked; /* by the agent's thread, which is called back; other threads' classes are nobody's */
static __thread SwapBytes found;

bool swap_current_prepare(const Agent *a) {
    jvmtiCapabilities can, want = {.can_retransform_classes = 1};
    possible =
        !(*a->ti)->GetPotentialCapabilities(a->ti, &can) && can.can_retransform_classes && !agent_capabilities((Agent *)a, &want);
    return possible;
}

void JNICALL swap_current_hook(jvmtiEnv *ti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain,
                               jint len, const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    if (!asked || !redefined || found.p || !(*env)->IsSameObject(env, asked, redefined) || !(found.p = malloc((size_t)len + 1)))
        return;
    memcpy(found.p, bytes, (size_t)len);
    found.len = (size_t)len;
}

SwapBytes swap_current(const Agent *a, JNIEnv *env, jclass c) {
    jvmtiEnv *ti = a->ti;
    found = (SwapBytes){0};
    if (!possible) return found;
    asked = c;
    if (!(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL)) {
        (*ti)->RetransformClasses(ti, 1, &c);
        (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    }
    agent_exception(a, env, "the bytes of a class");
    asked = NULL;
    return found;
}
