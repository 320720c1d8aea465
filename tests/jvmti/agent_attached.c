/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_attached - an agent of bci_agent.h that is loaded at the start or attached. Options: a pattern of what to count;
 * in front of it "+": also in classes that are loaded already; "!": with a mistake in the probe class; "-": wraps natives, which
 * a flag of the plan forbids.
 */
#include "bci_agent.h"

static _Atomic long calls;

static void JNICALL enter(JNIEnv *env, jclass probe, jint method) { calls++; }

static void done(BciAgent *a, JNIEnv *env) {
    jclass c = bci_agent_probe(a);
    jint ints;
    jintArray hits = (*env)->GetStaticObjectField(env, c, (*env)->GetStaticFieldID(env, c, "hits", "[I"));
    (*env)->GetIntArrayRegion(env, hits, 0, 1, &ints);
    printf("%ld calls, %lld returns, %d and %d throws, %ld classes\n", calls,
           (long long)(*env)->GetStaticLongField(env, c, (*env)->GetStaticFieldID(env, c, "returns", "J")),
           (int)(*env)->GetStaticIntField(env, c, (*env)->GetStaticFieldID(env, c, "throws", "I")), (int)ints,
           bci_agent_classes(a));
    fflush(stdout);
}

static int32_t zero(void *ctx, const BciSite *site) { return 0; }

/* The probe class is described on the stack. */
static BciAgent *make(JavaVM *vm, bool wrong) {
    char probe[20], name[20], desc[20];
    snprintf(probe, sizeof probe, "test/%s", "Attached");
    snprintf(name, sizeof name, "%s", "enter");
    snprintf(desc, sizeof desc, "%s", "(I)V");
    BciNative natives[] = {
        {name, desc, enter, 0}, {"returns", "J", NULL, 0}, {"throws", wrong ? "S" : "I", NULL, 0}, {"hits", "[I", NULL, 1}};
    BciAgent *a = bci_agent_new(vm, probe, natives, 4, done);
    memset(probe, 'x', sizeof probe);
    memset(name, 'x', sizeof name);
    memset(desc, 'x', sizeof desc);
    memset(natives, 0, sizeof natives);
    return a;
}

static jint start(JavaVM *vm, const char *options) {
    char mode = options[0];
    const char *pattern = options + (mode == '+' || mode == '!' || mode == '-');
    BciAgent *a = make(vm, mode == '!');
    BciRule *r = bci_rule(bci_agent_plan(a), pattern);
    bci_call(r, BCI_ENTRY, NULL, "test/Attached.enter(I)V", "method");
    bci_count(r, BCI_RETURN, NULL, "test/Attached.returns:J");
    bci_count(r, BCI_THROW, NULL, "test/Attached.throws:I");
    bci_count(r, BCI_THROW, NULL, "test/Attached.hits[I");
    if (a) bci_agent_request(a)->id = zero;
    if (mode == '+') bci_agent_retransform(a);
    if (mode == '-') {
        bci_natives(r, "$n_");
        bci_plan_flags(bci_agent_plan(a), BCI_PLAN_NO_SCHEMA);
    }
    return bci_agent_run(a);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) { return start(vm, options); }
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) { return start(vm, options); }
