/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_prefix - native method prefixes of several environments, RegisterNatives through them, and the
 * NativeMethodBind event with redirection.  Options: binds: log the event and redirect.
 */
#include "agent_test.h"

static jvmtiEnv *ti[3], *binder;

/* --- the natives of Prefixed: the name that is found tells itself --- */

static jstring text(JNIEnv *env, const char *s) { return (*env)->NewStringUTF(env, s); }
#define PLAIN(mangled) \
    JNIEXPORT jstring JNICALL Java_Prefixed_##mangled(JNIEnv *env, jclass c) { return text(env, #mangled); }
/* clang-format off */
PLAIN(one) PLAIN(two) PLAIN(three) PLAIN(four) PLAIN(wrong) PLAIN(absent) PLAIN(skip) PLAIN(late) PLAIN(gone) PLAIN(p1_1own) PLAIN(fallen)
PLAIN(nativeWrapper) PLAIN(redirected) PLAIN(inherited) PLAIN(with_1under)
    /* clang-format on */
    JNIEXPORT jstring JNICALL Java_Prefixed_over__I(JNIEnv *env, jclass c, jint i) {
    return text(env, "over__I");
}
JNIEXPORT jstring JNICALL Java_Prefixed_over__Ljava_lang_String_2(JNIEnv *env, jclass c, jstring s) {
    return text(env, "over__String");
}
JNIEXPORT jstring JNICALL Java_Prefixed_base(JNIEnv *env, jobject o) { return text(env, "base"); }
JNIEXPORT jstring JNICALL Java_Prefixed_00024Sub_inherited(JNIEnv *env, jclass c) { return text(env, "Sub inherited"); }

/* --- of Namesakes: its library has the other names --- */

JNIEXPORT jstring JNICALL Java_Namesakes_agentShort(JNIEnv *env, jclass c) { return text(env, "agent, short"); }
JNIEXPORT jstring JNICALL Java_Namesakes_agentLong__(JNIEnv *env, jclass c) { return text(env, "agent, long"); }
JNIEXPORT jstring JNICALL Java_Namesakes_bothLong__(JNIEnv *env, jclass c) { return text(env, "agent, long"); }

static jstring JNICALL registered(JNIEnv *env, jclass c) { return text(env, "registered"); }
static jstring JNICALL other(JNIEnv *env, jclass c) { return text(env, "redirected to another function"); }

JNIEXPORT jstring JNICALL Java_Prefixed_register(JNIEnv *env, jclass self, jclass c, jstring name, jstring desc) {
    JNINativeMethod m = {(char *)(*env)->GetStringUTFChars(env, name, NULL), (char *)(*env)->GetStringUTFChars(env, desc, NULL),
                         (void *)registered};
    jint rc = (*env)->RegisterNatives(env, c, &m, 1);
    jthrowable t = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    char out[64], *sig = NULL;
    if (t) (*binder)->GetClassSignature(binder, (*env)->GetObjectClass(env, t), &sig, NULL);
    snprintf(out, sizeof out, "%d %s", rc, sig ? sig : "");
    (*binder)->Deallocate(binder, (unsigned char *)sig);
    return text(env, out);
}
JNIEXPORT jstring JNICALL Java_Prefixed_prefixes(JNIEnv *env, jclass self, jint which, jobjectArray strings) {
    char *v[8];
    if (!strings) return text(env, error_name((*ti[which])->SetNativeMethodPrefix(ti[which], NULL)));
    jint n = (*env)->GetArrayLength(env, strings);
    for (jint i = 0; i < n; i++)
        v[i] = (char *)(*env)->GetStringUTFChars(env, (*env)->GetObjectArrayElement(env, strings, i), NULL);
    jvmtiError e =
        n == 1 ? (*ti[which])->SetNativeMethodPrefix(ti[which], v[0]) : (*ti[which])->SetNativeMethodPrefixes(ti[which], n, v);
    return text(env, error_name(e));
}
JNIEXPORT jstring JNICALL Java_Prefixed_dispose(JNIEnv *env, jclass self, jint which) {
    return text(env, error_name((*ti[which])->DisposeEnvironment(ti[which])));
}

static void JNICALL on_bind(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, void *address, void **new_address) {
    char *name = NULL, *sig = NULL;
    jclass c;
    jvmtiPhase p;
    (*e)->GetPhase(e, &p);
    if (p == JVMTI_PHASE_PRIMORDIAL) {
        static int told;
        if (told++ == 0)
            say("bind in the primordial phase: env %d thread %d, name %s", env != NULL, t != NULL,
                error_name((*e)->GetMethodName(e, m, NULL, NULL, NULL)));
        return;
    }
    (*e)->GetMethodDeclaringClass(e, m, &c);
    (*e)->GetClassSignature(e, c, &sig, NULL);
    (*e)->GetMethodName(e, m, &name, NULL, NULL);
    if (strncmp(sig, "LPrefixed", 9) == 0) {
        bool ours = address == (void *)registered || address == (void *)other;
        say("  bind%d %s%s same %d ours %d", e == binder ? 1 : 2, sig, name, *new_address == address, ours);
        if (strstr(name, "redirected")) *new_address = e == binder ? (void *)registered : (void *)other;
    }
    (*e)->Deallocate(e, (unsigned char *)sig);
    (*e)->Deallocate(e, (unsigned char *)name);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_set_native_method_prefix = 1}, bind = {.can_generate_native_method_bind_events = 1};
    jvmtiEventCallbacks cb = {.NativeMethodBind = on_bind};
    for (int i = 0; i < 3; i++)
        if (!(ti[i] = new_env(vm)) || !MUST((*ti[i])->AddCapabilities(ti[i], &caps))) return JNI_ERR;
    char *two[] = {"p3_", "p4_"};
    MUST((*ti[0])->SetNativeMethodPrefix(ti[0], "p1_"));
    MUST((*ti[1])->SetNativeMethodPrefix(ti[1], "p2_"));
    MUST((*ti[2])->SetNativeMethodPrefixes(ti[2], 2, two));
    binder = new_env(vm);
    if (has_word(options, "binds")) {
        jvmtiEnv *second = new_env(vm);
        for (int i = 0; i < 2; i++) {
            jvmtiEnv *e = i ? second : binder;
            MUST((*e)->AddCapabilities(e, &bind));
            MUST((*e)->SetEventCallbacks(e, &cb, sizeof cb));
            enable(e, JVMTI_EVENT_NATIVE_METHOD_BIND);
        }
    }
    return JNI_OK;
}
