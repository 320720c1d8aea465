/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linecount.c - how often each source line began, without a call: each place increments its element
 * of a Java array. Option: a pattern of what to instrument.
 */
#include "bci_agent.h"

#include <stdlib.h>

enum { MAX = 10000 };
static struct {
    char name[100];
    unsigned line;
} places[MAX];
static _Atomic int nplaces;

static int32_t number(void *ctx, const BciSite *s) {
    int n = nplaces++;
    if (n >= MAX) return MAX; /* all the rest share one */
    snprintf(places[n].name, sizeof places[n].name, "%s.%s", s->class_name, s->name);
    places[n].line = s->line;
    return n;
}

static void done(BciAgent *a, JNIEnv *env) {
    jclass c = bci_agent_probe(a);
    jfieldID f = (*env)->GetStaticFieldID(env, c, "hits", "[J");
    jlongArray hits = (*env)->GetStaticObjectField(env, c, f);
    for (int k = 0; k < nplaces && k < MAX; k++) {
        jlong n;
        (*env)->GetLongArrayRegion(env, hits, k, 1, &n);
        if (n) printf("%8lld  %s:%u\n", (long long)n, places[k].name, places[k].line);
    }
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    static const BciNative probes[] = {{"hits", "[J", NULL, MAX + 1}};
    BciAgent *a = bci_agent_new(vm, "sample/Lines", probes, 1, done);
    if (a) bci_agent_request(a)->id = number;
    bci_count(bci_rule(bci_agent_plan(a), options), BCI_LINE, NULL, "sample/Lines.hits[J");
    return bci_agent_run(a);
}
