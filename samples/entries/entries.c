/* SPDX-License-Identifier: Apache-2.0 */
/* entries.c - counts method entries: the smallest agent. Option: a pattern of what to instrument. */
#include "bci_agent.h"
static _Atomic long calls;
static void JNICALL enter(JNIEnv *env, jclass probe, jint method) { calls++; }
static void done(BciAgent *a, JNIEnv *env) { printf("%ld calls in %ld classes\n", calls, bci_agent_classes(a)); }
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    static const BciNative probes[] = {{"enter", "(I)V", enter, 0}};
    BciAgent *a = bci_agent_new(vm, "sample/Entries", probes, 1, done);
    bci_call(bci_rule(bci_agent_plan(a), options), BCI_ENTRY, NULL, "sample/Entries.enter(I)V", "method");
    return bci_agent_run(a);
}
