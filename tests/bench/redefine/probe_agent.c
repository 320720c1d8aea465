/* SPDX-License-Identifier: Apache-2.0 */
/* probe_agent.c - puts Probe.enter and Probe.leave into the classes TempNNNN with bci-lib; what AsmProbe does with ASM. */
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>

#include "bci_plan.h"

static jvmtiEnv *ti;
static BciPlan *plan;
static __thread BciScratch *scratch;

static void *memory(void *ctx, size_t n)
{
    unsigned char *p = NULL;
    (void)ctx;
    return (*ti)->Allocate(ti, (jlong)n, &p) ? NULL : p;
}

static void JNICALL on_class(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name, jobject domain,
                             jint len, const unsigned char *bytes, jint *new_len, unsigned char **out)
{
    BciRequest request = {.alloc = memory};
    BciResult result;
    if (!name || strncmp(name, "Temp", 4) != 0 || (!scratch && !(scratch = bci_scratch_new())))
        return;
    if (bci_apply(plan, scratch, bytes, (size_t)len, &request, &result) == BCI_CHANGED) {
        *out = result.bytes;
        *new_len = (jint)result.len;
    }
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks cb = {.ClassFileLoadHook = on_class};
    jvmtiCapabilities caps = {.can_retransform_classes = 1};
    plan = bci_plan_new(0);
    BciRule *r = bci_rule(plan, "Temp*");
    bci_call(r, BCI_ENTRY, NULL, "Probe.enter()V", "");
    bci_call(r, BCI_RETURN, NULL, "Probe.leave()V", "");
    if (bci_plan_seal(plan) || (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) || (*ti)->AddCapabilities(ti, &caps) ||
        (*ti)->SetEventCallbacks(ti, &cb, (jint)sizeof cb))
        return JNI_ERR;
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) ? JNI_ERR : JNI_OK;
}
