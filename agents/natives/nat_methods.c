/* SPDX-License-Identifier: Apache-2.0 */
/* nat_methods.c - a table of names; its lock may be taken with others held. */
#include "nat_methods.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "method_text.h"
#include "nat_weave.h"
#include "cf_table.h"

typedef struct Named {
    jmethodID method;
    char *name;
} Named;

static CfTable methods; /* of Named */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool same(const void *item, const void *key) { return ((const Named *)item)->method == key; }

static char *ask(const Agent *a, JNIEnv *env, const struct JNINativeInterface_ *vm, jmethodID m) {
    jvmtiEnv *ti = a->ti;
    char *name = NULL, *desc = NULL, *class_name = NULL, *text = NULL;
    jclass k = NULL;
    if (!(*ti)->GetMethodName(ti, m, &name, &desc, NULL) && !(*ti)->GetMethodDeclaringClass(ti, m, &k) &&
        (class_name = agent_class_name(a, k)))
        text = agent_method_text(class_name, !strncmp(name, NAT_PREFIX, strlen(NAT_PREFIX)) ? name + strlen(NAT_PREFIX) : name,
                                 desc);
    if (k) vm->DeleteLocalRef(env, k);
    free(class_name);
    (*ti)->Deallocate(ti, (unsigned char *)name);
    (*ti)->Deallocate(ti, (unsigned char *)desc);
    return text;
}

const char *nat_method_name(const Agent *a, const struct JNINativeInterface_ *vm, JNIEnv *env, jmethodID m) {
    uint32_t hash = cf_hash_u64((uintptr_t)m);
    if (!m) return "?";
    pthread_mutex_lock(&lock);
    Named *n = cf_table_find(&methods, hash, same, m);
    if (!n && (n = malloc(sizeof *n))) {
        *n = (Named){m, ask(a, env, vm, m)};
        if (!n->name || !cf_table_add(&methods, hash, n)) {
            free(n->name);
            free(n);
            n = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    return n ? n->name : "?";
}
