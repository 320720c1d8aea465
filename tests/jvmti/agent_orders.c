/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_orders - environments made and used in every order: which ClassFileLoadHook sees which bytes (Orders.java), which layer
 * of prefixes leads to which native (Layers.java).
 * Options: early=KINDS   one environment per letter at start-up (early_envs); nothing: the programs make theirs
 */
#include "agent_test.h"

enum { ENVS = 4 };

static JavaVM *the_vm;
static jvmtiEnv *redefiner;
typedef struct Env {
    jvmtiEnv *ti;
    char letter;
} Env;
static Env env[ENVS];

/* --- hooks: each puts its letter over the first '0' of "chain:000000" --- */

static void JNICALL hook(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                         const unsigned char *bytes, jint *new_len, unsigned char **fresh) {
    void *data = NULL;
    if (!name || strcmp(name, "Ordered")) return;
    MUST((*ti)->GetEnvironmentLocalStorage(ti, &data));
    Env *me = data;
    for (jint at = 0; at + 12 <= len; at++) {
        if (memcmp(bytes + at, "chain:", 6)) continue;
        say(" %c %s sees %.6s", me->letter, old ? "again" : "load", bytes + at + 6);
        for (int i = 6; i < 12; i++)
            if (bytes[at + i] == '0') {
                MUST((*ti)->Allocate(ti, len, fresh));
                memcpy(*fresh, bytes, (size_t)len);
                (*fresh)[at + i] = (unsigned char)me->letter;
                *new_len = len;
                return;
            }
    }
}

static void add(int i, jvmtiCapabilities caps) {
    jvmtiError e = (*env[i].ti)->AddCapabilities(env[i].ti, &caps);
    if (e) say(" %c add: %s", env[i].letter, error_name(e));
}
static void add_kind(int i, char kind, bool later) {
    jvmtiCapabilities retransform = {.can_retransform_classes = 1}, all = {.can_generate_all_class_hook_events = 1};
    if (kind == (later ? 'l' : 'r') || (!later && kind == 'b')) add(i, retransform);
    if (!later && (kind == 'a' || kind == 'b')) add(i, all);
}

/*
 * Environments A, B, C, D, in this order, of the kinds: n no capability, a all_class_hook_events, r retransform, b both, l retransform
 * added after the hook was enabled. Capabilities are added and hooks enabled in the orders given.
 */
JNIEXPORT void JNICALL Java_Orders_make(JNIEnv *jni, jclass me, jstring kinds, jstring adding, jstring enabling) {
    const char *k = (*jni)->GetStringUTFChars(jni, kinds, NULL), *a = (*jni)->GetStringUTFChars(jni, adding, NULL),
               *e = (*jni)->GetStringUTFChars(jni, enabling, NULL);
    jvmtiEventCallbacks calls = {.ClassFileLoadHook = hook};
    for (int i = 0; i < ENVS; i++) {
        env[i] = (Env){new_env(the_vm), (char)('A' + i)};
        MUST((*env[i].ti)->SetEnvironmentLocalStorage(env[i].ti, &env[i]));
        MUST((*env[i].ti)->SetEventCallbacks(env[i].ti, &calls, sizeof calls));
    }
    for (int i = 0; i < ENVS; i++) add_kind(a[i] - 'A', k[a[i] - 'A'], false);
    for (int i = 0; i < ENVS; i++) enable(env[e[i] - 'A'].ti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    for (int i = 0; i < ENVS; i++) add_kind(a[i] - 'A', k[a[i] - 'A'], true);
}

JNIEXPORT jstring JNICALL Java_Orders_retransform(JNIEnv *jni, jclass me, jint i, jclass c) {
    return (*jni)->NewStringUTF(jni, error_name((*env[i].ti)->RetransformClasses(env[i].ti, 1, &c)));
}
JNIEXPORT jstring JNICALL Java_Orders_redefine(JNIEnv *jni, jclass me, jclass c, jbyteArray file) {
    jbyte *bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
    jvmtiClassDefinition d = {c, (*jni)->GetArrayLength(jni, file), (unsigned char *)bytes};
    jvmtiError e = (*redefiner)->RedefineClasses(redefiner, 1, &d);
    (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
    return (*jni)->NewStringUTF(jni, error_name(e));
}
JNIEXPORT void JNICALL Java_Orders_silence(JNIEnv *jni, jclass me, jint i) {
    MUST((*env[i].ti)->SetEventNotificationMode(env[i].ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL));
}
JNIEXPORT void JNICALL Java_Orders_dispose(JNIEnv *jni, jclass me, jint i) {
    if (env[i].ti) MUST((*env[i].ti)->DisposeEnvironment(env[i].ti));
    env[i].ti = NULL;
}

/* --- early: what is only potential at start-up; kinds: n none, e early, a all, x both, r retransform, y retransform and early --- */

static jvmtiPhase first_phase[ENVS];
static bool saw_object[ENVS], saw_array_list[ENVS], saw_main[ENVS], again[ENVS];

static void JNICALL early_hook(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                               const unsigned char *bytes, jint *new_len, unsigned char **fresh) {
    void *data = NULL;
    (*ti)->GetEnvironmentLocalStorage(ti, &data);
    int i = (int)((Env *)data - env);
    if (!first_phase[i]) (*ti)->GetPhase(ti, &first_phase[i]);
    saw_object[i] |= name && !strcmp(name, "java/lang/Object");
    saw_array_list[i] |= name && !strcmp(name, "java/util/ArrayList");
    saw_main[i] |= name && !strcmp(name, "Orders");
    again[i] |= old != NULL;
}
static void JNICALL early_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
    jclass c = (*jni)->FindClass(jni, "java/util/ArrayList");
    for (int i = 0; i < ENVS; i++)
        if (env[i].ti) say("%c asks: %s", env[i].letter, error_name((*env[i].ti)->RetransformClasses(env[i].ti, 1, &c)));
}
static void JNICALL early_death(jvmtiEnv *ti, JNIEnv *jni) {
    static const char *const phases[] = {"never", "onload", "primordial", "?", "live", "?", "start"};
    for (int i = 0; i < ENVS && env[i].ti; i++)
        say("%c: first %s, Object %d, ArrayList %d, main class %d, again %d", env[i].letter, phases[first_phase[i]],
            saw_object[i], saw_array_list[i], saw_main[i], again[i]);
}
static void early_envs(JavaVM *vm, const char *kinds) {
    for (int i = 0; i < ENVS && kinds[i]; i++) {
        jvmtiEventCallbacks calls = {
            .ClassFileLoadHook = early_hook, .VMDeath = i ? NULL : early_death, .VMInit = i ? NULL : early_init};
        env[i] = (Env){new_env(vm), (char)('A' + i)};
        jvmtiCapabilities caps = {.can_generate_early_class_hook_events = strchr("exy", kinds[i]) != NULL,
                                  .can_generate_all_class_hook_events = strchr("ax", kinds[i]) != NULL,
                                  .can_retransform_classes = strchr("ry", kinds[i]) != NULL};
        MUST((*env[i].ti)->SetEnvironmentLocalStorage(env[i].ti, &env[i]));
        add(i, caps);
        MUST((*env[i].ti)->SetEventCallbacks(env[i].ti, &calls, sizeof calls));
        enable(env[i].ti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
        if (!i) enable(env[i].ti, JVMTI_EVENT_VM_DEATH), enable(env[i].ti, JVMTI_EVENT_VM_INIT);
    }
}

/* --- layers of prefixes: the natives of Layered by their plain names --- */

#define PLAIN(n) \
    JNIEXPORT jint JNICALL Java_Layered_f##n(JNIEnv *jni, jclass c) { return n; }
#define TEN(d) \
    PLAIN(d##0) PLAIN(d##1) PLAIN(d##2) PLAIN(d##3) PLAIN(d##4) PLAIN(d##5) PLAIN(d##6) PLAIN(d##7) PLAIN(d##8) PLAIN(d##9)
/* clang-format off */
TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7)
    /* clang-format on */

    static jint JNICALL registered(JNIEnv *jni, jclass c) {
    return 1000;
}

JNIEXPORT jint JNICALL Java_Layers_register(JNIEnv *jni, jclass me, jclass c, jstring name) {
    JNINativeMethod m = {(char *)(*jni)->GetStringUTFChars(jni, name, NULL), (char *)"()I", (void *)registered};
    jint rc = (*jni)->RegisterNatives(jni, c, &m, 1);
    (*jni)->ExceptionClear(jni);
    return rc;
}

/* An environment for each letter, with that prefix ("p_"); or one for all of them. */
JNIEXPORT void JNICALL Java_Layers_set(JNIEnv *jni, jclass me, jstring letters, jboolean one) {
    const char *l = (*jni)->GetStringUTFChars(jni, letters, NULL);
    jvmtiCapabilities caps = {.can_set_native_method_prefix = 1};
    char prefix[ENVS][3], *all[ENVS];
    int n = (int)strlen(l);
    for (int i = 0; i < n; i++) {
        snprintf(prefix[i], sizeof prefix[i], "%c_", l[i]);
        all[i] = prefix[i];
        if (i && one) continue;
        env[i] = (Env){new_env(the_vm), (char)('A' + i)};
        add(i, caps);
        if (!one) MUST((*env[i].ti)->SetNativeMethodPrefix(env[i].ti, prefix[i]));
    }
    if (one) MUST((*env[0].ti)->SetNativeMethodPrefixes(env[0].ti, n, all));
}
JNIEXPORT void JNICALL Java_Layers_drop(JNIEnv *jni, jclass me) {
    for (int i = 0; i < ENVS; i++) Java_Orders_dispose(jni, me, i);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_redefine_classes = 1};
    the_vm = vm;
    if (options && !strncmp(options, "early=", 6)) {
        early_envs(vm, options + 6);
        return 0;
    }
    redefiner = new_env(vm);
    MUST((*redefiner)->AddCapabilities(redefiner, &caps));
    return 0;
}
