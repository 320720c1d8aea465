/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_alone.h - bci_agent.c on one class without a VM: JVM TI and JNI are the few functions it calls, whose memory
 * comes from malloc, and which the test can follow. Includes bci_agent.c, since an agent is never freed: it lives as
 * long as its VM.
 */
#include "agent/bci_agent.c"

typedef struct Alone { /* the VM there is */
    void *storage;
    jvmtiEventCallbacks calls;
    bool hook, live;      /* live: the agent is attached, and retransforms the class */
    uint32_t defined;     /* the bytes of the probe class */
    const uint8_t *bytes; /* the class, and what has become of it */
    size_t n;
    unsigned char *made;
    jint len;
} Alone;
static Alone vm_alone;

static jvmtiError JNICALL alone_get_storage(jvmtiEnv *ti, void **p) {
    *p = vm_alone.storage;
    return JVMTI_ERROR_NONE;
}
static jvmtiError JNICALL alone_set_storage(jvmtiEnv *ti, const void *p) {
    vm_alone.storage = (void *)p;
    return JVMTI_ERROR_NONE;
}
static jvmtiError JNICALL alone_allocate(jvmtiEnv *ti, jlong n, unsigned char **p) {
    *p = malloc((size_t)n);
    return *p ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}
static jvmtiError JNICALL alone_callbacks(jvmtiEnv *ti, const jvmtiEventCallbacks *calls, jint size) {
    vm_alone.calls = *calls;
    return JVMTI_ERROR_NONE;
}
static jvmtiError JNICALL alone_mode(jvmtiEnv *ti, jvmtiEventMode mode, jvmtiEvent event, jthread thread, ...) {
    if (event == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) vm_alone.hook = mode == JVMTI_ENABLE;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL alone_phase(jvmtiEnv *ti, jvmtiPhase *phase) {
    *phase = vm_alone.live ? JVMTI_PHASE_LIVE : JVMTI_PHASE_ONLOAD;
    return JVMTI_ERROR_NONE;
}
static jvmtiError JNICALL alone_capabilities(jvmtiEnv *ti, const jvmtiCapabilities *caps) { return JVMTI_ERROR_NONE; }
static jvmtiError JNICALL alone_loaded(jvmtiEnv *ti, jint *n, jclass **classes) {
    unsigned char *p;
    if (alone_allocate(ti, 2 * sizeof(jclass), &p)) return JVMTI_ERROR_OUT_OF_MEMORY;
    *classes = (jclass *)p;
    (*classes)[0] = (jclass)&vm_alone.n; /* an array */
    (*classes)[1] = (jclass)&vm_alone;
    *n = 2;
    return JVMTI_ERROR_NONE;
}
static jvmtiError JNICALL alone_modifiable(jvmtiEnv *ti, jclass c, jboolean *can) {
    *can = JNI_TRUE;
    return JVMTI_ERROR_NONE;
}
static jvmtiError JNICALL alone_signature(jvmtiEnv *ti, jclass c, char **sig, char **generic) {
    static const char texts[][8] = {"La/B;", "[La/B;"};
    if (alone_allocate(ti, sizeof texts[0], (unsigned char **)sig)) return JVMTI_ERROR_OUT_OF_MEMORY;
    memcpy(*sig, texts[c != (jclass)&vm_alone], sizeof texts[0]);
    return JVMTI_ERROR_NONE;
}
static jvmtiError JNICALL alone_deallocate(jvmtiEnv *ti, unsigned char *p) {
    free(p);
    return JVMTI_ERROR_NONE;
}
static jvmtiError JNICALL alone_retransform(jvmtiEnv *ti, jint n, const jclass *classes);

static jclass JNICALL alone_define(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes, jsize n) {
    vm_alone.defined = cf_hash_bytes((const uint8_t *)bytes, (size_t)n);
    return (jclass)&vm_alone;
}
static jint JNICALL alone_register(JNIEnv *env, jclass cls, const JNINativeMethod *m, jint n) { return 0; }
static jfieldID JNICALL alone_field(JNIEnv *env, jclass cls, const char *name, const char *desc) { return (jfieldID)&vm_alone; }
static jlongArray JNICALL alone_longs(JNIEnv *env, jsize n) { return (jlongArray)&vm_alone; }
static void JNICALL alone_put(JNIEnv *env, jclass cls, jfieldID f, jobject v) {}
static jobject JNICALL alone_global(JNIEnv *env, jobject o) { return o; }
static jboolean JNICALL alone_thrown(JNIEnv *env) { return JNI_FALSE; }
static void JNICALL alone_forget(JNIEnv *env, jobject o) {}

static const jvmtiInterface_1 alone_ti = {.GetEnvironmentLocalStorage = alone_get_storage,
                                          .SetEnvironmentLocalStorage = alone_set_storage,
                                          .Allocate = alone_allocate,
                                          .SetEventCallbacks = alone_callbacks,
                                          .SetEventNotificationMode = alone_mode,
                                          .GetPhase = alone_phase,
                                          .AddCapabilities = alone_capabilities,
                                          .GetLoadedClasses = alone_loaded,
                                          .IsModifiableClass = alone_modifiable,
                                          .GetClassSignature = alone_signature,
                                          .Deallocate = alone_deallocate,
                                          .RetransformClasses = alone_retransform};
static const struct JNINativeInterface_ alone_jni = {.DefineClass = alone_define,
                                                     .RegisterNatives = alone_register,
                                                     .GetStaticFieldID = alone_field,
                                                     .NewLongArray = alone_longs,
                                                     .SetStaticObjectField = alone_put,
                                                     .NewGlobalRef = alone_global,
                                                     .ExceptionCheck = alone_thrown,
                                                     .DeleteLocalRef = alone_forget};
static const jvmtiInterface_1 *alone_ti_env = &alone_ti;
static const struct JNINativeInterface_ *alone_jni_env = &alone_jni;

static jint JNICALL alone_get_env(JavaVM *vm, void **env, jint version) {
    *env = version == JVMTI_VERSION_11 ? (void *)&alone_ti_env : (void *)&alone_jni_env;
    return JNI_OK;
}
static void alone_load(void) {
    JNIEnv *env = &alone_jni_env;
    jvmtiEnv *ti = &alone_ti_env;
    vm_alone.calls.ClassFileLoadHook(ti, env, NULL, NULL, NULL, NULL, (jint)vm_alone.n, vm_alone.bytes, &vm_alone.len,
                                     &vm_alone.made);
}
static jvmtiError JNICALL alone_retransform(jvmtiEnv *ti, jint n, const jclass *classes) {
    if (n != 1 || classes[0] != (jclass)&vm_alone || !vm_alone.hook) return JVMTI_ERROR_INTERNAL;
    alone_load();
    return JVMTI_ERROR_NONE;
}
static const struct JNIInvokeInterface_ alone_invoke = {.GetEnv = alone_get_env};
static JavaVM alone_java_vm = &alone_invoke;

static void JNICALL alone_enter(JNIEnv *env, jclass probe, jint line) {}

static void agent_forget(BciAgent *a) {
    if (!a) return;
    while (a->free.len) bci_scratch_free(cf_vec_pop(&a->free));
    cf_vec_free(&a->free);
    bci_plan_free(a->plan);
    free(a);
}

/* A hash of what the agent makes of the class, and of its probe class: loaded with the VM, or `live`. */
static uint32_t agent_alone(const uint8_t *bytes, size_t n, bool live) {
    static const BciNative probes[] = {{"enter", "(I)V", alone_enter, 0}, {"hits", "[J", NULL, 100}, {"calls", "J", NULL, 0}};
    JNIEnv *env = &alone_jni_env;
    vm_alone = (Alone){.live = live, .bytes = bytes, .n = n};
    BciAgent *a = bci_agent_new(&alone_java_vm, "alone/Probe", probes, 3, NULL);
    jvmtiEnv *ti = bci_agent_env(a);
    BciRule *r = bci_rule(bci_agent_plan(a), "**");
    bci_call(r, BCI_ENTRY, NULL, "alone/Probe.enter(I)V", "line");
    bci_count(r, BCI_RETURN, NULL, "alone/Probe.hits[J");
    bci_count(r, BCI_LINE, NULL, "alone/Probe.calls:J");
    if (live) bci_agent_retransform(a);
    if (bci_agent_run(a) == JNI_OK) {
        if (!live) vm_alone.calls.VMInit(ti, env, NULL);
        if (!live && vm_alone.hook) alone_load();
        vm_alone.calls.VMDeath(ti, env);
    }
    if (bci_agent_skips(a)) fprintf(stderr, "%ld methods skipped\n", bci_agent_skips(a));
    uint32_t hash = vm_alone.defined ^ (vm_alone.made ? cf_hash_bytes(vm_alone.made, (size_t)vm_alone.len) : 0);
    free(vm_alone.made);
    agent_forget(a);
    return hash;
}
