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

static u4 depth_of(const CodeBlob *b, u4 scope) {
    u4 n = 1;
    for (; scope; scope = b->scopes[scope - 1].outer) n++;
    return n;
}

/* The innermost body first. */
static void tell_bodies(const CodeBlob *b, CodePlace p, PCStackInfo *to) {
    for (jint i = 0;; i++) {
        const CodeScope *s = p.scope ? &b->scopes[p.scope - 1] : NULL;
        to->methods[i] = (jmethodID)(s ? method_id(s->method) : b->told);
        to->bcis[i] = (jint)p.bci;
        if (!s) return;
        p.scope = s->outer;
        p.bci = s->bci;
    }
}

/* Places of the code, and for each the methods whose code is there, in what lies behind n. */
static void tell_places(CodeNews *n, const CodeBlob *b, const CodePlace *places, u4 depths) {
    PCStackInfo *pc = (PCStackInfo *)(n + 1);
    jmethodID *methods = (jmethodID *)(pc + b->n_places);
    n->map = (jvmtiAddrLocationMap *)(methods + depths);
    jint *bcis = (jint *)(n->map + b->n_places);
    n->inlined = (jvmtiCompiledMethodLoadInlineRecord){
        {JVMTI_CMLR_INLINE_INFO, JVMTI_CMLR_MAJOR_VERSION, JVMTI_CMLR_MINOR_VERSION, NULL}, (jint)b->n_places, pc};
    for (u4 i = 0; i < b->n_places; i++) {
        const u1 *at = b->code + places[i].offset;
        jlocation root = jit_root_bci(b, places[i]);
        if (!n->n_map || n->map[n->n_map - 1].location != root) n->map[n->n_map++] = (jvmtiAddrLocationMap){at, root};
        pc[i] = (PCStackInfo){(void *)(uintptr_t)at, (jint)depth_of(b, places[i].scope), methods, bcis};
        tell_bodies(b, places[i], &pc[i]);
        methods += pc[i].numstackframes;
        bcis += pc[i].numstackframes;
    }
}

/* Its method, and those of bodies in it, have IDs from now on.  NULL: no memory. */
static CodeNews *news_of(CodeBlob *b) {
    enum { EACH_PLACE = sizeof(PCStackInfo) + sizeof(jvmtiAddrLocationMap), EACH_METHOD = sizeof(jmethodID) + sizeof(jint) };
    CodePlace *places = malloc((b->n_places + 1u) * sizeof *places);
    u4 depths = 0;
    if (!b->told) b->told = method_id(b->method);
    if (!places || !b->told) return free(places), NULL;
    jit_places(b, places);
    for (u4 i = 0; i < b->n_places; i++) depths += depth_of(b, places[i].scope);
    CodeNews *n = malloc(sizeof *n + b->n_places * (size_t)EACH_PLACE + depths * (size_t)EACH_METHOD);
    if (n) {
        *n = (CodeNews){.method = (jmethodID)b->told, .code = b->code, .size = (jint)b->size};
        tell_places(n, b, places, depths);
    }
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
        f((jvmtiEnv *)e, n->method, n->size, n->code, n->n_map, n->map, &n->inlined);
}

typedef struct AllNews {
    CodeNews *first, **tail;
    bool incomplete;
} AllNews;

static void collect(CodeBlob *b, void *arg) {
    AllNews *all = arg;
    CodeNews *n = news_of(b);
    all->incomplete |= !n;
    if (!n) return;
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
