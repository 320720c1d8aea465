/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_agent.c - JVM TI around a plan. The hook runs in any thread; each call takes a scratch from a
 * list and gives it back.
 */
#include "bci_agent.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct BciAgent {
    jvmtiEnv *ti;
    BciPlan *plan;
    BciRequest request;
    JavaVM *vm;
    const char *probe;
    BciNative *natives;
    int n;
    bool retransforms;
    void (*done)(BciAgent *, JNIEnv *);
    jclass cls;
    pthread_mutex_t lock;
    CF_VEC(BciScratch *) free;
    _Atomic long classes, skips;
    atomic_bool told_newer;
    max_align_t copies[]; /* natives, their strings, the name of the probe class */
};

static BciAgent *agent_of(jvmtiEnv *ti) {
    void *a = NULL;
    return (*ti)->GetEnvironmentLocalStorage(ti, &a) == JVMTI_ERROR_NONE ? a : NULL;
}

/* A class that the hook could not change says so: its probes are missing in what the agent reports. */
static void left_alone(const BciAgent *a, const char *name, const char *why) {
    fprintf(stderr, "%s: %s left as it is: %s\n", a->probe, name ? name : "?", why);
}

/* A method that cannot be changed is told too: what it is called, the model knows. One mistake is often made in
 * thousands of methods, so the later ones are only counted. */
static void tell_skips(BciAgent *a, const char *name, const uint8_t *bytes, size_t len, const BciResult *res) {
    enum { TOLD = BCI_MAX_SKIPS };
    long before = atomic_fetch_add(&a->skips, res->nskipped);
    if (before >= TOLD) return;
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
        fprintf(stderr, "%s: %s.%.*s%.*s left as it is: %s\n", a->probe, name ? name : "?", (int)method.len, method.p,
                (int)desc.len, desc.p, skip->why);
    }
    cf_arena_free(&arena);
    if (before + res->nskipped >= TOLD)
        fprintf(stderr, "%s: further methods that are left as they are will only be counted\n", a->probe);
}

static void tell_newer(BciAgent *a, const char *name, const unsigned char *bytes) {
    if (!atomic_exchange(&a->told_newer, true))
        fprintf(stderr, "%s: %s has class version %u, newer than what is known here (%d)\n", a->probe, name ? name : "?",
                cf_get_u2(bytes + 6), CF_MAJOR_MAX);
}

static void *allocate(void *ti, size_t n) {
    unsigned char *p = NULL;
    jvmtiEnv *env = ti;
    return (*env)->Allocate(env, (jlong)n, &p) == JVMTI_ERROR_NONE ? p : NULL;
}

/* ---- scratches ---- */

static BciScratch *take(BciAgent *a) {
    pthread_mutex_lock(&a->lock);
    BciScratch *s = a->free.len ? cf_vec_pop(&a->free) : NULL;
    pthread_mutex_unlock(&a->lock);
    return s ? s : bci_scratch_new();
}

static void give_back(BciAgent *a, BciScratch *s) {
    pthread_mutex_lock(&a->lock);
    bool kept = cf_vec_push(&a->free, s);
    pthread_mutex_unlock(&a->lock);
    if (!kept) bci_scratch_free(s);
}

/* ---- events ---- */

static void JNICALL class_loaded(jvmtiEnv *ti, JNIEnv *env, jclass old, jobject loader, const char *name, jobject domain,
                                 jint len, const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    BciAgent *a = agent_of(ti);
    BciResult res;
    if (!a || (name && !bci_plan_wants(a->plan, name))) return;
    BciScratch *s = take(a);
    if (!s) return left_alone(a, name, "out of memory");
    BciRequest req = a->request;
    req.alloc = allocate;
    req.alloc_ctx = ti;
    BciOutcome o = bci_apply(a->plan, s, bytes, (size_t)len, &req, &res);
    give_back(a, s);
    if (o == BCI_REFUSED) left_alone(a, name, res.error);
    else if (res.nskipped) tell_skips(a, name, bytes, (size_t)len, &res);
    if (res.newer) tell_newer(a, name, bytes);
    if (res.bytes) {
        a->classes++;
        *new_bytes = res.bytes;
        *new_len = (jint)res.len;
    }
}

/* The probe class as bytes. */
static bool write_probe(BciAgent *a, CfWriter *w) {
    enum { FLAGS = CF_ACC_PUBLIC | CF_ACC_STATIC };
    CfArena arena;
    cf_arena_init(&arena, "probe", 0);
    CfClass *c = cf_class_new(&arena, 52, CF_ACC_PUBLIC | CF_ACC_SUPER | CF_ACC_FINAL | CF_ACC_SYNTHETIC, cf_str(a->probe),
                              CF_STR("java/lang/Object"));
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

static bool bind(BciAgent *a, JNIEnv *env, jclass cls) {
    for (int k = 0; k < a->n; k++) {
        const BciNative *n = &a->natives[k];
        if (n->fn) {
            JNINativeMethod m = {(char *)n->name, (char *)n->desc, n->fn};
            if ((*env)->RegisterNatives(env, cls, &m, 1) != 0) return false;
        } else if (n->desc[0] == '[') {
            jfieldID f = (*env)->GetStaticFieldID(env, cls, n->name, n->desc);
            jobject v =
                n->desc[1] == 'J' ? (jobject)(*env)->NewLongArray(env, n->length) : (jobject)(*env)->NewIntArray(env, n->length);
            if (!f || !v) return false;
            (*env)->SetStaticObjectField(env, cls, f, v);
        }
    }
    return true;
}

/* Defines the probe class and lets classes come; false after a message. */
static bool begin(BciAgent *a, JNIEnv *env) {
    CfWriter w = {0};
    jclass cls = write_probe(a, &w) ? (*env)->DefineClass(env, a->probe, NULL, (const jbyte *)w.data, (jsize)w.len) : NULL;
    cf_w_free(&w);
    if (cls && bind(a, env, cls) && (a->cls = (*env)->NewGlobalRef(env, cls)) &&
        !(*a->ti)->SetEventNotificationMode(a->ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL))
        return true;
    fprintf(stderr, "%s: the probe class cannot be defined\n", a->probe);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionDescribe(env);
        (*env)->ExceptionClear(env);
    }
    return false;
}

/* ---- classes that are there already ---- */

static void not_retransformed(const BciAgent *a, const char *what, jvmtiError e) {
    fprintf(stderr, "%s: %s left as it is: JVM TI error %d\n", a->probe, what, (int)e);
}

/* The internal name, NULL if it is no class that has code. To be deallocated. */
static char *name_of(const BciAgent *a, jclass c, char **sig) {
    *sig = NULL;
    jvmtiError e = (*a->ti)->GetClassSignature(a->ti, c, sig, NULL);
    if (e) not_retransformed(a, "a class", e);
    size_t n = e ? 0 : strlen(*sig);
    if (n < 3 || (*sig)[0] != 'L') return NULL;
    (*sig)[n - 1] = 0;
    return *sig + 1;
}

/* May the plan change this class? */
static bool wants(const BciAgent *a, jclass c) {
    jboolean can = JNI_FALSE;
    char *sig, *name = name_of(a, c, &sig);
    bool yes = name && bci_plan_wants(a->plan, name) && !(*a->ti)->IsModifiableClass(a->ti, c, &can) && can;
    (*a->ti)->Deallocate(a->ti, (unsigned char *)sig);
    return yes;
}

static void retransform_one(const BciAgent *a, jclass c) {
    jvmtiError e = (*a->ti)->RetransformClasses(a->ti, 1, &c);
    if (!e) return;
    char *sig, *name = name_of(a, c, &sig);
    if (name) not_retransformed(a, name, e);
    (*a->ti)->Deallocate(a->ti, (unsigned char *)sig);
}

/* All at once, since the VM stops for each call; if one cannot be done then none is, and they go one by one. */
static void retransform(BciAgent *a, JNIEnv *env) {
    jvmtiEnv *ti = a->ti;
    jint n = 0, wanted = 0;
    jclass *all = NULL;
    jvmtiError e = (*ti)->GetLoadedClasses(ti, &n, &all);
    if (e) return not_retransformed(a, "what was loaded before", e);
    for (jint k = 0; k < n; k++) {
        jclass c = all[k];
        if (wants(a, c)) all[wanted++] = c;
        else (*env)->DeleteLocalRef(env, c);
    }
    if (wanted && (*ti)->RetransformClasses(ti, wanted, all))
        for (jint k = 0; k < wanted; k++) retransform_one(a, all[k]);
    for (jint k = 0; k < wanted; k++) (*env)->DeleteLocalRef(env, all[k]);
    (*ti)->Deallocate(ti, (unsigned char *)all);
}

static bool begin_all(BciAgent *a, JNIEnv *env) {
    bool ok = begin(a, env);
    if (ok && a->retransforms) retransform(a, env);
    return ok;
}

static void JNICALL vm_ready(jvmtiEnv *ti, JNIEnv *env, jthread thread) {
    BciAgent *a = agent_of(ti);
    if (a) begin_all(a, env);
    else fprintf(stderr, "bci_agent: the environment has lost its agent\n");
}

static void JNICALL vm_dies(jvmtiEnv *ti, JNIEnv *env) {
    BciAgent *a = agent_of(ti);
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    if (a && a->done) a->done(a, env);
}

/* ---- public ---- */

/* What the caller gave may be on its stack. */
static void copy(BciAgent *a, const char *probe, const BciNative *natives, int n) {
    char *p = (char *)a->copies + (size_t)n * sizeof *natives;
    a->natives = (BciNative *)a->copies;
    a->n = n;
    a->probe = strcpy(p, probe);
    p += strlen(p) + 1;
    for (int k = 0; k < n; k++) {
        a->natives[k] = natives[k];
        a->natives[k].name = strcpy(p, natives[k].name);
        p += strlen(p) + 1;
        a->natives[k].desc = strcpy(p, natives[k].desc);
        p += strlen(p) + 1;
    }
}

BciAgent *bci_agent_new(JavaVM *vm, const char *probe, const BciNative *natives, int n, void (*done)(BciAgent *, JNIEnv *)) {
    size_t size = sizeof(BciAgent) + (size_t)n * sizeof *natives + strlen(probe) + 1;
    for (int k = 0; k < n; k++) size += strlen(natives[k].name) + strlen(natives[k].desc) + 2;
    BciAgent *a = calloc(1, size);
    if (!a) return fprintf(stderr, "%s: out of memory\n", probe), NULL;
    copy(a, probe, natives, n);
    a->vm = vm;
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

BciPlan *bci_agent_plan(BciAgent *a) { return a ? a->plan : NULL; }
BciRequest *bci_agent_request(BciAgent *a) { return a ? &a->request : NULL; }
jvmtiEnv *bci_agent_env(BciAgent *a) { return a ? a->ti : NULL; }
jclass bci_agent_probe(BciAgent *a) { return a ? a->cls : NULL; }
long bci_agent_classes(BciAgent *a) { return a ? a->classes : 0; }
long bci_agent_skips(BciAgent *a) { return a ? a->skips : 0; }

void bci_agent_retransform(BciAgent *a) {
    if (!a) return;
    a->retransforms = true;
    bci_plan_flags(a->plan, BCI_PLAN_NO_SCHEMA);
}

/* NULL, or what is wrong with what the agent was given. */
static const char *mistake(BciAgent *a) {
    static const char *const types[] = {"I", "J", "[I", "[J"};
    for (int k = 0; k < a->n; k++) {
        bool ok = a->natives[k].fn != NULL;
        for (unsigned j = 0; j < sizeof types / sizeof *types; j++) ok |= !strcmp(a->natives[k].desc, types[j]);
        if (!ok) return "a field of the probe class is none of I, J, [I, [J";
    }
    return bci_plan_seal(a->plan);
}

static bool set_up(BciAgent *a) {
    jvmtiEnv *ti = a->ti;
    jvmtiEventCallbacks calls = {.ClassFileLoadHook = class_loaded, .VMInit = vm_ready, .VMDeath = vm_dies};
    jvmtiCapabilities caps = {.can_retransform_classes = 1};
    if (a->retransforms && (*ti)->AddCapabilities(ti, &caps))
        return fprintf(stderr, "%s: this VM cannot retransform classes\n", a->probe), false;
    if (!(*ti)->SetEnvironmentLocalStorage(ti, a) && !(*ti)->SetEventCallbacks(ti, &calls, sizeof calls)) return true;
    return fprintf(stderr, "%s: JVM TI does not let events through\n", a->probe), false;
}

/* In a VM that runs there will be no VMInit. */
static bool start(BciAgent *a) {
    jvmtiEnv *ti = a->ti;
    jvmtiPhase phase;
    JNIEnv *env = NULL;
    jvmtiError e = (*ti)->GetPhase(ti, &phase);
    if (!e && phase == JVMTI_PHASE_LIVE) {
        if ((*a->vm)->GetEnv(a->vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK || !begin_all(a, env)) return false;
    } else if (!e) {
        e = (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    }
    if (!e) e = (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    if (e) fprintf(stderr, "%s: JVM TI does not let events through: error %d\n", a->probe, (int)e);
    return !e;
}

jint bci_agent_run(BciAgent *a) {
    if (!a) return JNI_ERR;
    const char *wrong = mistake(a);
    if (wrong) fprintf(stderr, "%s: %s\n", a->probe, wrong);
    return !wrong && set_up(a) && start(a) ? JNI_OK : JNI_ERR;
}
