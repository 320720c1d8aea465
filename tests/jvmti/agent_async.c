/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sampling profiler in small: SIGPROF, AsyncGetCallTrace in the handler, names at the end.
 * Prints facts that hold on every VM: samples were taken, nearly all of them could be walked, the
 * stack main > middle > hot was seen from the bottom, and next to no frame was without a name.  The
 * program redefines its class meanwhile: frames of versions that nobody calls any more have IDs too.
 */
#include <dlfcn.h>
#include <jvmti.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { MAX_SAMPLES = 2000, MAX_DEPTH = 32 };

typedef struct CallFrame {
    jint lineno;
    jmethodID id;
} CallFrame;
typedef struct CallTrace {
    JNIEnv *env;
    jint num_frames;
    CallFrame *frames;
} CallTrace;
typedef void (*GetTrace)(CallTrace *, jint, void *);

static jvmtiEnv *ti;
static JavaVM *vm;
static GetTrace get_trace;
static struct {
    jint n;
    CallFrame frames[MAX_DEPTH];
} samples[MAX_SAMPLES];
static volatile int n_samples;
static int chains;           /* of Chains.java */
static int allowed = 60;     /* stacks of a hundred with a frame that has no ID: the reference has none for obsolete methods */
static volatile int foreign; /* on a thread that is not attached */

static void on_signal(int sig, siginfo_t *info, void *context) {
    JNIEnv *env = NULL;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK) {
        foreign++;
        return;
    }
    int i = __atomic_fetch_add(&n_samples, 1, __ATOMIC_RELAXED);
    if (i >= MAX_SAMPLES) return;
    CallTrace t = {env, 0, samples[i].frames};
    get_trace(&t, MAX_DEPTH, context);
    samples[i].n = t.num_frames;
}

static void timer(int micros) {
    struct itimerval v = {{0, micros}, {0, micros}};
    setitimer(ITIMER_PROF, &v, NULL);
}
/* Makes the ids: the handler cannot. */
static void JNICALL class_prepare(jvmtiEnv *e, JNIEnv *env, jthread t, jclass c) {
    jint n;
    jmethodID *ids;
    if ((*e)->GetClassMethods(e, c, &n, &ids) == JVMTI_ERROR_NONE) (*e)->Deallocate(e, (unsigned char *)ids);
}
static void JNICALL vm_init(jvmtiEnv *e, JNIEnv *env, jthread t) {
    struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    jint n;
    jclass *c;
    if ((*ti)->GetLoadedClasses(ti, &n, &c) == JVMTI_ERROR_NONE) {
        while (n-- > 0) class_prepare(e, env, t, c[n]);
        (*ti)->Deallocate(ti, (unsigned char *)c);
    }
    sigaction(SIGPROF, &a, NULL);
    timer(1000);
}
static void JNICALL class_load(jvmtiEnv *e, JNIEnv *env, jthread t, jclass c) {}

static int is_named(jmethodID id, const char *want) {
    char *name;
    if (!id || (*ti)->GetMethodName(ti, id, &name, NULL, NULL) != JVMTI_ERROR_NONE) return 0;
    int same = strcmp(name, want) == 0;
    (*ti)->Deallocate(ti, (unsigned char *)name);
    return same;
}
/* main, then node and left or right by turns, each caller at the call of its callee.  calls: bcis of node's two, -1: not seen yet. */
static int is_chain(const CallFrame *f, jint n, jint calls[2]) {
    if (n < 1 || n == MAX_DEPTH || !is_named(f[n - 1].id, "main")) return 0;
    for (jint i = n - 2; i >= 0; i--) {
        int node = (n - i) % 2 == 0, right = !node && is_named(f[i].id, "right");
        if (node ? !is_named(f[i].id, "node") : !right && !is_named(f[i].id, "left")) return 0;
        if (node) continue;
        if (calls[right] < 0) calls[right] = f[i + 1].lineno;
        if (calls[right] != f[i + 1].lineno) return 0;
    }
    return 1;
}
/* All but one in a hundred: some come while a frame is made. */
static void tell_chains(int total) {
    int of_program = 0, right = 0, deep = 0;
    jint calls[2] = {-1, -1};
    for (int i = 0; i < total; i++) {
        const CallFrame *f = samples[i].frames;
        if (samples[i].n < 1 || !(is_named(f->id, "node") || is_named(f->id, "left") || is_named(f->id, "right"))) continue;
        of_program++;
        right += is_chain(f, samples[i].n, calls);
        deep += samples[i].n > 5;
    }
    printf("%s\n", of_program > 100 && deep > 50 && calls[0] != calls[1] ? "deep stacks" : "nothing to judge");
    if (right * 100 < of_program * 99) printf("%d of %d stacks are right\n", right, of_program);
    fflush(stdout);
}
static void JNICALL vm_death(jvmtiEnv *e, JNIEnv *env) {
    static const char *const expected[] = {"main", "middle", "hot"};
    int total = n_samples < MAX_SAMPLES ? n_samples : MAX_SAMPLES, walked = 0, right = 0, nameless = 0;
    timer(0);
    signal(SIGPROF, SIG_IGN);
    if (chains) return tell_chains(total);
    for (int i = 0; i < total; i++) {
        if (samples[i].n <= 0) continue;
        walked++;
        int ok = samples[i].n >= 3;
        for (int k = 0; ok && k < 3; k++) ok = is_named(samples[i].frames[samples[i].n - 1 - k].id, expected[k]);
        right += ok;
        int lacks = 0;
        for (int k = 0; k < samples[i].n; k++) lacks |= !samples[i].frames[k].id;
        nameless += lacks;
    }
    printf("samples %s\nwalked %s\nstack %s\n", total > 50 ? "taken" : "missing", walked * 2 >= total ? "most" : "too few",
           right * 10 >= walked * 5 ? "right" : "wrong");
    if (nameless * 100 > walked * allowed) printf("%d of %d stacks have a frame without an ID\n", nameless, walked);
    fflush(stdout);
}

JNIEXPORT jint JNICALL Java_Async_redefine(JNIEnv *env, jclass unused, jclass c, jbyteArray bytes) {
    jbyte *b = (*env)->GetByteArrayElements(env, bytes, NULL);
    jvmtiClassDefinition d = {c, (*env)->GetArrayLength(env, bytes), (unsigned char *)b};
    jvmtiError e = (*ti)->RedefineClasses(ti, 1, &d);
    (*env)->ReleaseByteArrayElements(env, bytes, b, JNI_ABORT);
    /* As profilers do afterwards: IDs of the new version. */
    class_prepare(ti, env, NULL, c);
    return (jint)e;
}

JNIEXPORT jint JNICALL Java_Async_samples(JNIEnv *env, jclass unused) { return n_samples; }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *v, char *options, void *reserved) {
    jvmtiEventCallbacks cb = {.VMInit = vm_init, .VMDeath = vm_death, .ClassPrepare = class_prepare, .ClassLoad = class_load};
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_CLASS_PREPARE,
                                        JVMTI_EVENT_CLASS_LOAD};
    vm = v;
    chains = options && !strcmp(options, "chains");
    if (options && *options) allowed = atoi(options);
    get_trace = (GetTrace)dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
    if (!get_trace || (*v)->GetEnv(v, (void **)&ti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities caps = {.can_redefine_classes = 1};
    if ((*ti)->AddCapabilities(ti, &caps)) return JNI_ERR;
    (*ti)->SetEventCallbacks(ti, &cb, sizeof cb);
    for (int i = 0; i < 4; i++) (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL);
    return JNI_OK;
}
