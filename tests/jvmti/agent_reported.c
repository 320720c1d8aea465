/* SPDX-License-Identifier: Apache-2.0 */
/* What Reported.java asks for: method entry and exit of its classes, told with position, locals and results. */
#include "agent_test.h"

enum { NOTHING, NO_EXITS, NO_EVENTS, NO_ENTRIES, RETURN, THROW, NOTIFY }; /* what a callback does */

static jvmtiEnv *ti;
static bool aloud;
static jint what, countdown;
static jmethodID fib;

static bool is_ours(jmethodID m, char **name) {
    jclass c = NULL;
    char *text = NULL;
    *name = NULL;
    if ((*ti)->GetMethodDeclaringClass(ti, m, &c) || (*ti)->GetClassSignature(ti, c, &text, NULL)) return false;
    bool ours = strncmp(text, "LReported", 9) == 0;
    (*ti)->Deallocate(ti, (unsigned char *)text);
    if (!ours || (*ti)->GetMethodName(ti, m, name, NULL, NULL)) return false;
    const char *mine[] = {"report", "tell", "during", "main", "lambda$main$0", NULL};
    for (int i = 0; mine[i]; i++) ours = ours && strcmp(*name, mine[i]) != 0;
    return ours;
}

static void tell_place(void) {
    jvmtiFrameInfo f[3];
    jint n = 0, v = 0;
    if (!MUST((*ti)->GetStackTrace(ti, NULL, 0, 3, f, &n))) return;
    jvmtiError e = (*ti)->GetLocalInt(ti, NULL, 0, 0, &v);
    say("    at %d, from %d, local 0: %d (%d)", (int)f[0].location, n > 1 ? (int)f[1].location : -1, e ? 0 : (int)v, (int)e);
}

static void mode(jboolean on, jvmtiEvent e, jthread only) {
    MUST((*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, e, only));
}

static void act(JNIEnv *env, jmethodID m, bool entered) {
    if (m != fib || !what || --countdown) return;
    jint now = what;
    what = NOTHING;
    switch (now) {
    case NO_EXITS: mode(false, JVMTI_EVENT_METHOD_EXIT, NULL); break;
    case NO_ENTRIES: mode(false, JVMTI_EVENT_METHOD_ENTRY, NULL); break;
    case NO_EVENTS:
        mode(false, JVMTI_EVENT_METHOD_EXIT, NULL);
        mode(false, JVMTI_EVENT_METHOD_ENTRY, NULL);
        break;
    case RETURN:
        if (entered) MUST((*ti)->ForceEarlyReturnInt(ti, NULL, 100));
        break;
    case THROW: (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "from a callback"); break;
    case NOTIFY: MUST((*ti)->NotifyFramePop(ti, NULL, 0)); break;
    default: break;
    }
}

static void JNICALL on_entered(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    char *name;
    if (!aloud) return;
    if (is_ours(m, &name)) {
        say("> %s", name);
        tell_place();
        act(jni, m, true);
    }
    (*ti)->Deallocate(ti, (unsigned char *)name);
}

static void JNICALL on_left(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception, jvalue v) {
    char *name, *desc = NULL;
    if (!aloud) return;
    if (is_ours(m, &name)) {
        MUST((*ti)->GetMethodName(ti, m, NULL, &desc, NULL));
        const char *type = strchr(desc, ')') + 1;
        if (by_exception) say("< %s by exception", name);
        else if (*type == 'I') say("< %s %d", name, (int)v.i);
        else if (*type == 'B') say("< %s %d", name, (int)v.b);
        else if (*type == 'Z') say("< %s %d", name, (int)v.z);
        else if (*type == 'J') say("< %s %lld", name, (long long)v.j);
        else if (*type == 'F') say("< %s %g", name, (double)v.f);
        else if (*type == 'D') say("< %s %g", name, v.d);
        else if (*type == 'L') say("< %s %d", name, (int)(*jni)->GetStringUTFLength(jni, v.l));
        else say("< %s", name);
        tell_place();
        act(jni, m, false);
        (*ti)->Deallocate(ti, (unsigned char *)desc);
    }
    (*ti)->Deallocate(ti, (unsigned char *)name);
}

static void JNICALL on_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception) {
    say("frame pop %d", by_exception);
    tell_place();
}

JNIEXPORT void JNICALL Java_Reported_report(JNIEnv *env, jclass c, jboolean entries, jboolean exits, jthread only) {
    mode(entries, JVMTI_EVENT_METHOD_ENTRY, only);
    mode(exits, JVMTI_EVENT_METHOD_EXIT, only);
}
JNIEXPORT void JNICALL Java_Reported_tell(JNIEnv *env, jclass c, jboolean on) { aloud = on; }
JNIEXPORT void JNICALL Java_Reported_during(JNIEnv *env, jclass c, jint its_what, jint its_countdown) {
    fib = (*env)->GetStaticMethodID(env, c, "fib", "(I)I");
    what = its_what;
    countdown = its_countdown;
}
JNIEXPORT jint JNICALL Java_Reported_halved(JNIEnv *env, jclass c, jint x) { return x / 2; }
JNIEXPORT void JNICALL Java_Reported_fail(JNIEnv *env, jclass c, jclass failure) {
    (*env)->Throw(env, (*env)->NewObject(env, failure, (*env)->GetMethodID(env, failure, "<init>", "()V")));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_generate_method_entry_events = 1,
                              .can_generate_method_exit_events = 1,
                              .can_access_local_variables = 1,
                              .can_generate_frame_pop_events = 1,
                              .can_force_early_return = 1};
    jvmtiEventCallbacks cb = {.MethodEntry = on_entered, .MethodExit = on_left, .FramePop = on_pop};
    ti = new_env(vm);
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_FRAME_POP);
    return JNI_OK;
}
