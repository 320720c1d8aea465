/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_hooks - ClassFileLoadHook: chains, replaced bytes, bad bytes, early classes.
 * Options: chain | early | late | bad=KIND | module
 */
#include "agent_test.h"

static const char *mode;

/* Copies the bytes with the first FROM replaced by TO of the same length; false if there is none. */
static bool replace(jvmtiEnv *ti, const unsigned char *bytes, jint len, const char *from, const char *to, jint *new_len,
                    unsigned char **fresh) {
    size_t n = strlen(from);
    for (jint i = 0; i + (jint)n <= len; i++) {
        if (memcmp(bytes + i, from, n)) continue;
        if (!MUST((*ti)->Allocate(ti, len, fresh))) return false;
        memcpy(*fresh, bytes, (size_t)len);
        memcpy(*fresh + i, to, n);
        *new_len = len;
        return true;
    }
    return false;
}

/* --- chain: each environment puts its letter over the first '0' of "chain:000000" --- */
static void JNICALL chain_hook(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                               const unsigned char *bytes, jint *new_len, unsigned char **fresh) {
    void *letter = NULL;
    char from[] = "chain:000000";
    if (!loader || !name || strcmp(name, "Hooked")) return;
    (*ti)->GetEnvironmentLocalStorage(ti, &letter);
    for (int i = 0; i < 6; i++) {
        for (size_t at = 0; at + 12 <= (size_t)len; at++)
            if (!memcmp(bytes + at, "chain:", 6) && bytes[at + 6 + i] == '0') {
                memcpy(from, bytes + at, 12);
                char to[13];
                memcpy(to, from, 13);
                to[6 + i] = (char)(long)letter;
                say("hook %c sees %s", (char)(long)letter, from);
                if ((char)(long)letter != 'C') /* C only looks */
                    replace(ti, bytes, len, from, to, new_len, fresh);
                return;
            }
    }
}
static void chain_env(JavaVM *vm, char letter, bool capable) {
    jvmtiEnv *ti = new_env(vm);
    jvmtiEventCallbacks calls = {.ClassFileLoadHook = chain_hook};
    jvmtiCapabilities caps = {.can_retransform_classes = 1};
    if (capable) MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEnvironmentLocalStorage(ti, (void *)(long)letter));
    MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls));
    enable(ti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

/* --- early and late: from which class on, in which phase --- */
static int count;
static bool seen_string, loaders, domains, jni_missing, primordial, start, live, class_file;
static char first[256];
static void JNICALL count_hook(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                               const unsigned char *bytes, jint *new_len, unsigned char **fresh) {
    jvmtiPhase p;
    if (!count++) snprintf(first, sizeof first, "%s", name);
    (*ti)->GetPhase(ti, &p);
    primordial |= p == JVMTI_PHASE_PRIMORDIAL;
    start |= p == JVMTI_PHASE_START;
    live |= p == JVMTI_PHASE_LIVE;
    if (p == JVMTI_PHASE_PRIMORDIAL) {
        seen_string |= !strcmp(name, "java/lang/String");
        loaders |= loader != NULL;
        domains |= domain != NULL;
        jni_missing |= jni == NULL;
    }
    class_file |= len < 20 || memcmp(bytes, "\xca\xfe\xba\xbe", 4);
}
static void JNICALL count_death(jvmtiEnv *ti, JNIEnv *jni) {
    say("first Object %d, many %d, String early %d, loaders %d, domains %d, jni missing %d, phases %d %d %d, strange %d",
        !strcmp(first, "java/lang/Object"), count > 300, seen_string, loaders, domains, jni_missing, primordial, start, live,
        class_file);
}

/* --- bad bytes for the class Hooked --- */
static void JNICALL bad_hook(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                             const unsigned char *bytes, jint *new_len, unsigned char **fresh) {
    const char *kind = mode + 4;
    if (!loader || !name || strcmp(name, "Hooked")) return;
    say("bad bytes: %s", kind);
    if (!strcmp(kind, "name")) {
        replace(ti, bytes, len, "Hooked", "Renamd", new_len, fresh);
        return;
    }
    if (!strcmp(kind, "unset")) { /* a length without bytes is no change */
        *new_len = 5;
        return;
    }
    if (!strcmp(kind, "throw")) {
        (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/IllegalStateException"), "from the hook");
        return;
    }
    MUST((*ti)->Allocate(ti, len + 8, fresh));
    memcpy(*fresh, bytes, (size_t)len);
    *new_len = len;
    if (!strcmp(kind, "garbage")) {
        memcpy(*fresh, "garbage!!!", 10);
        *new_len = 10;
    } else if (!strcmp(kind, "short")) {
        *new_len = len - 7;
    } else if (!strcmp(kind, "long")) {
        memset(*fresh + len, 0, 8);
        *new_len = len + 8;
    } else if (!strcmp(kind, "empty")) {
        *new_len = 0;
    } else if (!strcmp(kind, "version")) {
        (*fresh)[7] = 99;
    } else if (!strcmp(kind, "code")) { /* the constant 12345 becomes a load from a slot that is not there */
        jint grown;
        unsigned char *again = NULL;
        if (replace(ti, bytes, len, "\x11\x30\x39", "\x15\x63\x00", &grown, &again)) {
            (*ti)->Deallocate(ti, *fresh);
            *fresh = again;
        }
    }
}

/* --- module: a class of a named module is transformed in the live phase --- */
static void JNICALL module_hook(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                                const unsigned char *bytes, jint *new_len, unsigned char **fresh) {
    jvmtiPhase p;
    (*ti)->GetPhase(ti, &p);
    if (!name || p != JVMTI_PHASE_LIVE || strcmp(name, "java/util/logging/Logger")) return;
    jobject module = NULL;
    say("module: package %s %d", error_name((*ti)->GetNamedModule(ti, loader, "java/util/logging", &module)), module != NULL);
    MUST((*ti)->Allocate(ti, len, fresh));
    memcpy(*fresh, bytes, (size_t)len);
    *new_len = len;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    mode = strdup(options ? options : "");
    if (!strncmp(mode, "chain", 5)) {
        bool mixed = !strcmp(mode, "chain-mixed");
        chain_env(vm, 'A', false);
        chain_env(vm, 'B', mixed);
        chain_env(vm, 'C', false);
        chain_env(vm, 'D', mixed);
        chain_env(vm, 'E', false);
        return 0;
    }
    jvmtiEnv *ti = new_env(vm);
    jvmtiCapabilities caps = {.can_generate_all_class_hook_events = 1};
    jvmtiEventCallbacks calls = {.ClassFileLoadHook = count_hook, .VMDeath = count_death};
    caps.can_generate_early_class_hook_events = !strcmp(mode, "early");
    MUST((*ti)->AddCapabilities(ti, &caps));
    if (!strncmp(mode, "bad=", 4)) calls.ClassFileLoadHook = bad_hook;
    if (!strcmp(mode, "module")) calls.ClassFileLoadHook = module_hook;
    MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls));
    enable(ti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    if (strstr(mode, "early") || strstr(mode, "late")) enable(ti, JVMTI_EVENT_VM_DEATH);
    return 0;
}
