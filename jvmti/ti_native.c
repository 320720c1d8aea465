/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Native method prefixes.  The VM asks for the nth one in the order in which the environments transform
 * classes: those that cannot retransform first (the rule of ClassFileLoadHook).  What is done with them
 * is in native/bind.c.
 *
 * Texts are kept for ever, each once: binding reads them without a lock.
 */
#include "ti.h"
#include <stdlib.h>
#include <string.h>

typedef struct Text {
    struct Text *next;
    char bytes[];
} Text;
static Text *texts; /* [lock: ti] */

static const char *keep(const char *s) {
    for (Text *t = texts; t; t = t->next)
        if (strcmp(t->bytes, s) == 0) return t->bytes;
    Text *t = malloc(sizeof *t + strlen(s) + 1);
    if (!t) return NULL;
    strcpy(t->bytes, s);
    t->next = texts;
    return (texts = t)->bytes;
}

static bool transforms_late(const TiEnv *e) {
    return e->hook == HOOK_UNDECIDED ? e->caps.can_retransform_classes : e->hook == HOOK_RETRANSFORMS;
}
const char *ti_native_prefix(int n) {
    HOLDING(&ti_mutex);
    for (int late = 0; late < 2; late++)
        for (TiEnv *e = ti_envs; e; e = e->next) {
            if (!ti_env_valid(e) || transforms_late(e) != late) continue;
            if (n < e->n_prefixes) return e->prefixes[n];
            n -= e->n_prefixes;
        }
    return NULL;
}

jvmtiError ti_SetNativeMethodPrefixes(Ti *x, jint prefix_count, char **prefixes) {
    for (jint i = 0; i < prefix_count; i++)
        if (!prefixes[i]) return JVMTI_ERROR_NULL_POINTER;
    const char **v = malloc((size_t)(u4)prefix_count * sizeof *v + 1);
    if (!v) return JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiError err = JVMTI_ERROR_NONE;
    ti_lock();
    for (jint i = 0; i < prefix_count; i++)
        if (!(v[i] = keep(prefixes[i]))) err = JVMTI_ERROR_OUT_OF_MEMORY;
    const char **unused = v;
    if (!err) {
        unused = x->env->prefixes;
        x->env->prefixes = v;
        x->env->n_prefixes = prefix_count;
    }
    ti_unlock();
    free(unused);
    return err;
}
jvmtiError ti_SetNativeMethodPrefix(Ti *x, const char *prefix) {
    char *one = (char *)prefix;
    return ti_SetNativeMethodPrefixes(x, prefix ? 1 : 0, &one);
}
