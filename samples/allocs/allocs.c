/* SPDX-License-Identifier: Apache-2.0 */
/* allocs.c - which classes and arrays a program allocates, and how often. Option: a pattern. */
#include "bci_agent.h"

#include <pthread.h>

enum { MAX = 1000 };
static struct {
    char name[100];
    long count;
} seen[MAX];
static int nseen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void JNICALL made(JNIEnv *env, jclass probe, jstring type) {
    char name[100] = "";
    jsize n = (*env)->GetStringUTFLength(env, type);
    if (n < (jsize)sizeof name) (*env)->GetStringUTFRegion(env, type, 0, (*env)->GetStringLength(env, type), name);
    pthread_mutex_lock(&lock);
    int k = 0;
    while (k < nseen && strcmp(seen[k].name, name)) k++;
    if (k == nseen && nseen < MAX) strcpy(seen[nseen++].name, name);
    if (k < nseen) seen[k].count++;
    pthread_mutex_unlock(&lock);
}

static void done(BciAgent *a, JNIEnv *env) {
    for (int k = 0; k < nseen; k++) printf("%6ld  %s\n", seen[k].count, seen[k].name);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    static const BciNative probes[] = {{"made", "(Ljava/lang/String;)V", made, 0}};
    BciAgent *a = bci_agent_new(vm, "sample/Allocs", probes, 1, done);
    BciRule *r = bci_rule(bci_agent_plan(a), options);
    bci_call(r, BCI_NEW, NULL, "sample/Allocs.made(Ljava/lang/String;)V", "owner");
    bci_call(r, BCI_NEWARRAY, NULL, "sample/Allocs.made(Ljava/lang/String;)V", "owner");
    return bci_agent_run(a);
}
