/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CompiledMethodLoad, CompiledMethodUnload.
 *
 * Code is made by a thread that must not stop and freed in a pause: both are notices (ti_notice.c), told in that order by a
 * thread of ours.  By then the code may be gone again; so a notice has all that is told.  The memory stays readable.
 *
 * GenerateEvents tells the same to one environment, on the calling thread.  Code that nothing else than methods is made for
 * does not exist: stubs are functions of this library, and there are no DynamicCodeGenerated events.
 */
#include "invoke/invoke.h"
#include "jit/jit.h"
#include "ti_notice.h"
#include "ti_post.h"
#include <stdlib.h>

/* Its method has an ID from now on.  NULL: no memory. */
static CodeNews *news_of(CodeBlob *b) {
    CodePlace *places = malloc((b->n_places + 1u) * sizeof *places);
    CodeNews *n = malloc(sizeof *n + b->n_places * sizeof *n->map);
    if (!b->told) b->told = method_id(b->method);
    if (!places || !n || !b->told) {
        free(places);
        free(n);
        return NULL;
    }
    *n = (CodeNews){.method = (jmethodID)b->told, .code = b->code, .size = (jint)b->size};
    n->n_map = (jint)jit_places(b, places);
    for (jint i = 0; i < n->n_map; i++) n->map[i] = (jvmtiAddrLocationMap){b->code + places[i].offset, places[i].bci};
    free(places);
    return n;
}

static void on_code_made(Thread *t, CodeBlob *b) {
    FOR_EACH_LISTENER(e, JVMTI_EVENT_COMPILED_METHOD_LOAD)
    if (ti_wants(e, NULL, JVMTI_EVENT_COMPILED_METHOD_LOAD)) ti_notice_code(e, news_of(b));
}

static void on_code_gone(const CodeBlob *b) {
    if (!b->told) return;
    FOR_EACH_LISTENER(e, JVMTI_EVENT_COMPILED_METHOD_UNLOAD) {
        if (!ti_wants(e, NULL, JVMTI_EVENT_COMPILED_METHOD_UNLOAD)) continue;
        CodeNews *n = malloc(sizeof *n);
        if (n) *n = (CodeNews){.method = (jmethodID)b->told, .code = b->code, .gone = true};
        ti_notice_code(e, n);
    }
}

void ti_code_tell(TiEnv *e, const CodeNews *n) {
    if (n->gone) {
        jvmtiEventCompiledMethodUnload f = e->callbacks.CompiledMethodUnload;
        if (f && ti_wants(e, NULL, JVMTI_EVENT_COMPILED_METHOD_UNLOAD)) f((jvmtiEnv *)e, n->method, n->code);
        return;
    }
    jvmtiEventCompiledMethodLoad f = e->callbacks.CompiledMethodLoad;
    if (f && ti_wants(e, NULL, JVMTI_EVENT_COMPILED_METHOD_LOAD))
        f((jvmtiEnv *)e, n->method, n->size, n->code, n->n_map, n->map, NULL);
}

typedef struct AllNews {
    CodeNews *first, **tail;
    bool incomplete;
} AllNews;

static void collect(CodeBlob *b, void *arg) {
    AllNews *all = arg;
    CodeNews *n = news_of(b);
    if (!n) {
        all->incomplete = true;
        return;
    }
    n->next = NULL;
    *all->tail = n;
    all->tail = &n->next;
}

static jvmtiError tell_of_all(Ti *x) {
    AllNews all = {.tail = &all.first};
    jit_visit_code(collect, &all);
    THREAD_BLOCKING(x->thread)
    for (CodeNews *n = all.first, *next; n; n = next) {
        next = n->next;
        ti_code_tell(x->env, n);
        free(n);
    }
    return all.incomplete ? JVMTI_ERROR_OUT_OF_MEMORY : JVMTI_ERROR_NONE;
}

jvmtiError ti_GenerateEvents(Ti *x, jvmtiEvent event_type) {
    if (event_type == JVMTI_EVENT_DYNAMIC_CODE_GENERATED) return JVMTI_ERROR_NONE;
    if (event_type != JVMTI_EVENT_COMPILED_METHOD_LOAD) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (!x->env->caps.can_generate_compiled_method_load_events) return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    return tell_of_all(x);
}

void ti_code_init(void) {
    vm_hooks.code_made = on_code_made;
    vm_hooks.code_gone = on_code_gone;
}
