/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_agent.c - JVM TI around a plan. The hook runs in any thread; each call takes a scratch from a
 * list and gives it back.
 */
#include "bci_agent.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Free {
    BciScratch *scratch;
    struct Free *next;
} Free;

struct BciAgent {
    jvmtiEnv *ti;
    BciPlan *plan;
    BciRequest request;
    const char *probe;
    const BciNative *natives;
    int n;
    void (*done)(BciAgent *, JNIEnv *);
    jclass cls;
    pthread_mutex_t lock;
    Free *free;
    _Atomic long classes, skips;
};

static BciAgent *agent_of(jvmtiEnv *ti)
{
    void *a = NULL;
    return (*ti)->GetEnvironmentLocalStorage(ti, &a) == JVMTI_ERROR_NONE ? a : NULL;
}

/* A class that the hook could not change says so: its probes are missing in what the agent reports. */
static void left_alone(const BciAgent *a, const char *name, const char *why)
{
    fprintf(stderr, "%s: %s left as it is: %s\n", a->probe, name ? name : "?", why);
}

/* A method that cannot be changed is told too: what it is called, the model knows. One mistake is often made in
 * thousands of methods, so the later ones are only counted. */
static void tell_skips(BciAgent *a, const char *name, const uint8_t *bytes, size_t len,
                       const BciResult *res)
{
    enum { TOLD = BCI_MAX_SKIPS };
    long before = atomic_fetch_add(&a->skips, res->nskipped);
    if (before >= TOLD)
        return;
    CfArena arena;
    cf_arena_init(&arena, "skips", 0);
    CfClass *c = NULL;
    cf_parse(&c, bytes, len, &arena, &(CfParseOptions){.any_version = true}, &(CfError){0});
    for (uint32_t k = 0; k < res->nskipped && before + k < TOLD; k++) {
        const BciSkip *skip = &res->skipped[k];
        CfStr method = CF_STR("a method"), desc = CF_STR("");
        if (c && skip->method < c->method_count) {
            method = cf_utf8(c, c->methods[skip->method].name);
            desc = cf_utf8(c, c->methods[skip->method].desc);
        }
        fprintf(stderr, "%s: %s.%.*s%.*s left as it is: %s\n", a->probe, name ? name : "?",
                (int)method.len, method.p, (int)desc.len, desc.p, skip->why);
    }
    cf_arena_free(&arena);
    if (before + res->nskipped >= TOLD)
        fprintf(stderr, "%s: further methods that are left as they are will only be counted\n", a->probe);
}

static void *allocate(void *ti, size_t n)
{
    unsigned char *p = NULL;
    jvmtiEnv *env = ti;
    return (*env)->Allocate(env, (jlong)n, &p) == JVMTI_ERROR_NONE ? p : NULL;
}

/* ---- scratches ---- */

static Free *take(BciAgent *a)
{
    pthread_mutex_lock(&a->lock);
    Free *f = a->free;
    if (f)
        a->free = f->next;
    pthread_mutex_unlock(&a->lock);
    if (f)
        return f;
    f = calloc(1, sizeof *f);
    if (f && !(f->scratch = bci_scratch_new())) {
        free(f);
        f = NULL;
    }
    return f;
}

static void give_back(BciAgent *a, Free *f)
{
    pthread_mutex_lock(&a->lock);
    f->next = a->free;
    a->free = f;
    pthread_mutex_unlock(&a->lock);
}

/* ---- events ---- */

static void JNICALL class_loaded(jvmtiEnv *ti, JNIEnv *env, jclass old, jobject loader,
                                 const char *name, jobject domain, jint len,
                                 const unsigned char *bytes, jint *new_len,
                                 unsigned char **new_bytes)
{
    BciAgent *a = agent_of(ti);
    BciResult res;
    if (!a || (name && !bci_plan_wants(a->plan, name)))
        return;
    Free *f = take(a);
    if (!f) {
        left_alone(a, name, "out of memory");
        return;
    }
    BciRequest req = a->request;
    req.alloc = allocate;
    req.alloc_ctx = ti;
    BciOutcome o = bci_apply(a->plan, f->scratch, bytes, (size_t)len, &req, &res);
    give_back(a, f);
    if (o == BCI_REFUSED)
        left_alone(a, name, res.error);
    else if (res.nskipped)
        tell_skips(a, name, bytes, (size_t)len, &res);
    if (res.bytes) {
        a->classes++;
        *new_bytes = res.bytes;
        *new_len = (jint)res.len;
    }
}

/* The probe class as bytes. */
static bool write_probe(BciAgent *a, CfWriter *w)
{
    enum { FLAGS = CF_ACC_PUBLIC | CF_ACC_STATIC };
    CfArena arena;
    cf_arena_init(&arena, "probe", 0);
    CfClass *c = cf_class_new(&arena, 52, CF_ACC_PUBLIC | CF_ACC_SUPER | CF_ACC_FINAL |
                              CF_ACC_SYNTHETIC, cf_str(a->probe), CF_STR("java/lang/Object"));
    bool ok = c != NULL;
    for (int k = 0; k < a->n && ok; k++) {
        CfStr name = cf_str(a->natives[k].name), desc = cf_str(a->natives[k].desc);
        ok = a->natives[k].fn ? cf_add_method(c, FLAGS | CF_ACC_NATIVE, name, desc) != NULL
                              : cf_add_field(c, FLAGS, name, desc) != NULL;
    }
    ok = ok && cf_write(c, w, NULL) == CF_OK;
    cf_arena_free(&arena);
    return ok;
}

static bool bind(BciAgent *a, JNIEnv *env, jclass cls)
{
    for (int k = 0; k < a->n; k++) {
        const BciNative *n = &a->natives[k];
        if (n->fn) {
            JNINativeMethod m = {(char *)n->name, (char *)n->desc, n->fn};
            if ((*env)->RegisterNatives(env, cls, &m, 1) != 0)
                return false;
            continue;
        }
        jfieldID f = (*env)->GetStaticFieldID(env, cls, n->name, n->desc);
        jobject v = n->desc[1] == 'J' ? (jobject)(*env)->NewLongArray(env, n->length)
                                      : (jobject)(*env)->NewIntArray(env, n->length);
        if (!f || !v)
            return false;
        (*env)->SetStaticObjectField(env, cls, f, v);
    }
    return true;
}

static void JNICALL vm_ready(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
    BciAgent *a = agent_of(ti);
    CfWriter w;
    cf_w_init(&w);
    jclass cls = a && write_probe(a, &w)
                     ? (*env)->DefineClass(env, a->probe, NULL, (const jbyte *)w.data, (jsize)w.len)
                     : NULL;
    cf_w_free(&w);
    if (!cls || !bind(a, env, cls) || !(a->cls = (*env)->NewGlobalRef(env, cls)) ||
        (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL)) {
        fprintf(stderr, "%s: the probe class cannot be defined\n", a ? a->probe : "bci_agent");
        if ((*env)->ExceptionCheck(env)) {
            (*env)->ExceptionDescribe(env);
            (*env)->ExceptionClear(env);
        }
    }
}

static void JNICALL vm_dies(jvmtiEnv *ti, JNIEnv *env)
{
    BciAgent *a = agent_of(ti);
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    if (a && a->done)
        a->done(a, env);
}

/* ---- public ---- */

BciAgent *bci_agent_new(JavaVM *vm, const char *probe, const BciNative *natives, int n,
                        void (*done)(BciAgent *, JNIEnv *))
{
    BciAgent *a = calloc(1, sizeof *a);
    if (!a) {
        fprintf(stderr, "%s: out of memory\n", probe);
        return NULL;
    }
    a->probe = probe;
    a->natives = natives;
    a->n = n;
    a->done = done;
    pthread_mutex_init(&a->lock, NULL);
    a->plan = bci_plan_new(0);
    if (!a->plan || (*vm)->GetEnv(vm, (void **)&a->ti, JVMTI_VERSION_11) != JNI_OK) {
        fprintf(stderr, "%s: %s\n", probe, a->plan ? "no JVM TI environment" : "out of memory");
        bci_plan_free(a->plan);
        free(a);
        return NULL;
    }
    return a;
}

BciPlan *bci_agent_plan(BciAgent *a)
{
    return a ? a->plan : NULL;
}
BciRequest *bci_agent_request(BciAgent *a)
{
    return a ? &a->request : NULL;
}
jvmtiEnv *bci_agent_env(BciAgent *a)
{
    return a ? a->ti : NULL;
}
jclass bci_agent_probe(BciAgent *a)
{
    return a ? a->cls : NULL;
}
long bci_agent_classes(BciAgent *a)
{
    return a ? a->classes : 0;
}
long bci_agent_skips(BciAgent *a)
{
    return a ? a->skips : 0;
}

jint bci_agent_run(BciAgent *a)
{
    if (!a)
        return JNI_ERR;
    const char *wrong = bci_plan_seal(a->plan);
    if (wrong) {
        fprintf(stderr, "%s: %s\n", a->probe, wrong);
        return JNI_ERR;
    }
    jvmtiEnv *ti = a->ti;
    jvmtiEventCallbacks calls = {
        .ClassFileLoadHook = class_loaded, .VMInit = vm_ready, .VMDeath = vm_dies};
    bool ok = !(*ti)->SetEnvironmentLocalStorage(ti, a) &&
              !(*ti)->SetEventCallbacks(ti, &calls, sizeof calls) &&
              !(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL) &&
              !(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    if (!ok)
        fprintf(stderr, "%s: JVM TI does not let events through\n", a->probe);
    return ok ? JNI_OK : JNI_ERR;
}
