/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_agent.h - a JVM TI agent around a plan: what every instrumenting agent needs besides the
 * rewriting itself. Works on any JVM; needs the JDK's jvmti.h, links against nothing.
 *
 *     static void JNICALL enter(JNIEnv *env, jclass probe, jint method) { ... }
 *
 *     JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
 *     {
 *         static const BciNative probes[] = {{"enter", "(I)V", enter, 0}};
 *         BciAgent *a = bci_agent_new(vm, "my/Probe", probes, 1, NULL);
 *         bci_call(bci_rule(bci_agent_plan(a), "**"), BCI_ENTRY, NULL, "my/Probe.enter(I)V", "method");
 *         return bci_agent_run(a);
 *     }
 *
 * The probe class is generated (a public class with static native methods), defined in the boot
 * loader when the VM is initialised, and bound to the C functions. Classes loaded from then on are
 * instrumented; those loaded before are left alone unless bci_agent_retransform was called. A class
 * or method that cannot be changed is named on standard error, with the reason (of methods, the
 * first BCI_MAX_SKIPS).
 *
 * ATTACHED. Agent_OnAttach may do the same as Agent_OnLoad: in a VM that runs, the probe class is
 * defined by bci_agent_run itself. Attaching twice fails if both have a probe class of one name.
 *
 * FLAGS of the plan: bci_plan_flags(bci_agent_plan(a), BCI_PLAN_OUTLINE).
 */
#ifndef BCI_AGENT_H
#define BCI_AGENT_H

#include <jvmti.h>

#include "bci_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BciAgent BciAgent;

/* A static native method of the probe class; or, with `fn` NULL, a static field: of type "I" or "J",
 * or of type "[I" or "[J" that holds an array of `length` elements. */
typedef struct BciNative {
    const char *name, *desc;
    void *fn;
    int length;
} BciNative;

/* Probe class `probe` ("my/Probe") with `n` methods and fields; all of it is copied. `done` is called
 * when the VM dies; may be NULL. NULL on failure, which all functions here and of bci_plan.h accept. */
BciAgent *bci_agent_new(JavaVM *vm, const char *probe, const BciNative *natives, int n,
                        void (*done)(BciAgent *agent, JNIEnv *env));
BciPlan *bci_agent_plan(BciAgent *agent);
/* What bci_apply is asked with (numbers of methods and places). Fill before bci_agent_run. */
BciRequest *bci_agent_request(BciAgent *agent);
/* Classes that are loaded when the agent begins are to be changed too, by RetransformClasses of JVM TI;
 * the plan gets BCI_PLAN_NO_SCHEMA. Before bci_agent_run. */
void bci_agent_retransform(BciAgent *agent);
/* Seals the plan and starts. JNI_OK, or JNI_ERR after a message on stderr. */
jint bci_agent_run(BciAgent *agent);

jvmtiEnv *bci_agent_env(BciAgent *agent);
/* The probe class, in `done` and when the agent has begun; NULL before. A global reference. */
jclass bci_agent_probe(BciAgent *agent);
long bci_agent_classes(BciAgent *agent); /* changed so far; again if retransformed again */
long bci_agent_skips(BciAgent *agent);   /* methods that could not be changed */

#ifdef __cplusplus
}
#endif
#endif
