/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_storm - natives of tests/stress/InstrumentStorm.java. Its hook puts probes into the classes S<n> and Part while that is
 * switched on, and compares the bytes that it gets in retransformations with those last loaded or redefined.
 */
#include "agent_test.h"
#include "bci.h"

#include <stdatomic.h>

enum { CLASSES = 201 };

static jvmtiEnv *ti;
static atomic_bool on;
static atomic_long strange, probed;

/* What a class was loaded with or redefined to; index 200 is Part. Written by the thread that changes classes. */
static struct {
    unsigned char *bytes;
    jint len;
} base[CLASSES];

static int index_of(const char *name) {
    if (!name || name[0] == 0) return -1;
    if (!strcmp(name, "Part")) return CLASSES - 1;
    char *end;
    long n = name[0] == 'S' && name[1] >= '0' && name[1] <= '9' ? strtol(name + 1, &end, 10) : -1;
    return n >= 0 && n < CLASSES - 1 && *end == 0 ? (int)n : -1;
}

static void *allocate(void *env, size_t size) {
    unsigned char *p = NULL;
    return (*(jvmtiEnv *)env)->Allocate(env, (jlong)size, &p) == JVMTI_ERROR_NONE ? p : NULL;
}

static void call_leave(BciPos at, BciInsn *site, void *arg) {
    bci_invoke(at, CF_OP_INVOKESTATIC, "InstrumentStorm", "leave", "()V");
}

static bool add_probes(BciClass *c) {
    bool any = false;
    for (int i = 0; i < bci_method_count(c); i++) {
        BciMethod *m = bci_method(c, i);
        BciCode *code = strcmp(bci_method_name(m), "<init>") ? bci_code(m) : NULL;
        if (!code) continue;
        bci_invoke(bci_entry(code), CF_OP_INVOKESTATIC, "InstrumentStorm", "enter", "()V");
        bci_each_return(code, call_leave, NULL);
        bci_on_throw(code, call_leave, NULL);
        probed++;
        any = true;
    }
    return any;
}

static void keep(int i, const unsigned char *bytes, jint len) {
    free(base[i].bytes);
    base[i].bytes = malloc((size_t)len);
    base[i].len = len;
    memcpy(base[i].bytes, bytes, (size_t)len);
}

static void JNICALL hook(jvmtiEnv *env, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject pd, jint len,
                         const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    int i = index_of(name);
    if (i < 0) return;
    if (!old) keep(i, bytes, len);
    else if (base[i].len != len || memcmp(base[i].bytes, bytes, (size_t)len)) strange++;
    if (!on) return;
    CfError err;
    cf_err_clear(&err);
    size_t size = 0;
    BciClass *c = bci_open(bytes, (size_t)len, NULL, &err);
    if (!c || !add_probes(c) || bci_write(c, allocate, env, new_bytes, &size, &err) != CF_OK)
        say("! %s: %s: %s", name, err.where, err.text);
    else *new_len = (jint)size;
    bci_close(c);
}

JNIEXPORT void JNICALL Java_InstrumentStorm_instrument(JNIEnv *env, jclass me, jboolean value) { on = value; }
JNIEXPORT jlong JNICALL Java_InstrumentStorm_strangeBytes(JNIEnv *env, jclass me) { return strange; }
JNIEXPORT jlong JNICALL Java_InstrumentStorm_probes(JNIEnv *env, jclass me) { return probed; }

JNIEXPORT jint JNICALL Java_InstrumentStorm_loadedClasses(JNIEnv *env, jclass me) {
    jint n = 0;
    jclass *all = NULL;
    MUST((*ti)->GetLoadedClasses(ti, &n, &all));
    for (jint i = 0; i < n; i++) (*env)->DeleteLocalRef(env, all[i]);
    (*ti)->Deallocate(ti, (unsigned char *)all);
    return n;
}

JNIEXPORT void JNICALL Java_InstrumentStorm_retransform(JNIEnv *env, jclass me, jobjectArray classes) {
    jclass c[CLASSES];
    jsize n = (*env)->GetArrayLength(env, classes);
    for (jsize i = 0; i < n; i++) c[i] = (*env)->GetObjectArrayElement(env, classes, i);
    MUST((*ti)->RetransformClasses(ti, n, c));
    for (jsize i = 0; i < n; i++) (*env)->DeleteLocalRef(env, c[i]);
}

JNIEXPORT void JNICALL Java_InstrumentStorm_redefine(JNIEnv *env, jclass me, jobjectArray classes, jobjectArray files) {
    jvmtiClassDefinition d[CLASSES];
    jsize n = (*env)->GetArrayLength(env, classes);
    for (jsize i = 0; i < n; i++) {
        jbyteArray file = (*env)->GetObjectArrayElement(env, files, i);
        char *sig = NULL;
        d[i].klass = (*env)->GetObjectArrayElement(env, classes, i);
        d[i].class_byte_count = (*env)->GetArrayLength(env, file);
        if (MUST((*ti)->GetClassSignature(ti, d[i].klass, &sig, NULL))) sig[strlen(sig) - 1] = 0;
        int k = index_of(sig ? sig + 1 : NULL);
        jbyte *bytes = (*env)->GetByteArrayElements(env, file, NULL);
        keep(k, (unsigned char *)bytes, d[i].class_byte_count);
        (*env)->ReleaseByteArrayElements(env, file, bytes, JNI_ABORT);
        d[i].class_bytes = base[k].bytes;
        (*ti)->Deallocate(ti, (unsigned char *)sig);
        (*env)->DeleteLocalRef(env, file);
    }
    MUST((*ti)->RedefineClasses(ti, n, d));
    for (jsize i = 0; i < n; i++) (*env)->DeleteLocalRef(env, d[i].klass);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEventCallbacks calls = {.ClassFileLoadHook = hook};
    jvmtiCapabilities caps = {.can_retransform_classes = 1, .can_redefine_classes = 1};
    ti = new_env(vm);
    if (!ti || !MUST((*ti)->AddCapabilities(ti, &caps)) || !MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls))) return 1;
    enable(ti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    return 0;
}
