/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe_agent.c - puts Probe.enter and Probe.leave into the classes TempNNNN with bci-lib, or with `swapped` in exchanged places;
 * what AsmProbe does with ASM.
 * Redefinition.retransform is here: an agent in C calls JVM TI where one in Java calls java.lang.instrument.
 */
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>

#include "bci_plan.h"

static jvmtiEnv *ti;
static BciPlan *plans[2];
static int swapped;
static __thread BciScratch *scratch;

static void *memory(void *ctx, size_t n) {
    unsigned char *p = NULL;
    (void)ctx;
    return (*ti)->Allocate(ti, (jlong)n, &p) ? NULL : p;
}

static void JNICALL on_class(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name, jobject domain,
                             jint len, const unsigned char *bytes, jint *new_len, unsigned char **out) {
    BciRequest request = {.alloc = memory};
    BciResult result;
    if (!name || strncmp(name, "Temp", 4) != 0 || (!scratch && !(scratch = bci_scratch_new()))) return;
    if (bci_apply(plans[swapped], scratch, bytes, (size_t)len, &request, &result) == BCI_CHANGED) {
        *out = result.bytes;
        *new_len = (jint)result.len;
    }
}

JNIEXPORT void JNICALL Java_Redefinition_retransform(JNIEnv *jni, jclass self, jobjectArray classes, jboolean swap) {
    swapped = swap;
    jsize n = (*jni)->GetArrayLength(jni, classes);
    jclass *v = malloc((size_t)n * sizeof *v + 1);
    jvmtiError e = JVMTI_ERROR_OUT_OF_MEMORY;
    if (v && (*jni)->PushLocalFrame(jni, n + 8) == 0) {
        for (jsize i = 0; i < n; i++) v[i] = (*jni)->GetObjectArrayElement(jni, classes, i);
        e = (*ti)->RetransformClasses(ti, n, v);
        (*jni)->PopLocalFrame(jni, NULL);
    }
    free(v);
    if (e) (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/Error"), "RetransformClasses");
}

static BciPlan *calls(const char *at_entry, const char *at_return) {
    BciPlan *plan = bci_plan_new(0);
    BciRule *r = bci_rule(plan, "Temp*");
    bci_call(r, BCI_ENTRY, NULL, at_entry, "");
    bci_call(r, BCI_RETURN, NULL, at_return, "");
    return bci_plan_seal(plan) ? NULL : plan;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEventCallbacks cb = {.ClassFileLoadHook = on_class};
    jvmtiCapabilities caps = {.can_retransform_classes = 1};
    plans[0] = calls("Probe.enter()V", "Probe.leave()V");
    plans[1] = calls("Probe.leave()V", "Probe.enter()V");
    if (!plans[0] || !plans[1] || (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) || (*ti)->AddCapabilities(ti, &caps) ||
        (*ti)->SetEventCallbacks(ti, &cb, (jint)sizeof cb))
        return JNI_ERR;
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) ? JNI_ERR : JNI_OK;
}
