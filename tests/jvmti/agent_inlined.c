/* SPDX-License-Identifier: Apache-2.0 */
/* What Inlined.java asks for: breakpoints, watches, locals, frame pops, returns, each told with the frames. */
#include "agent_test.h"

enum { MOST_FRAMES = 8 };

static jvmtiEnv *ti;
static bool forced;
static jint forced_value;

static void tell_name(jmethodID m, jlocation at, const char *what) {
    char *name = NULL;
    if (MUST((*ti)->GetMethodName(ti, m, &name, NULL, NULL))) say("  %s %s:%d", what, name, (int)at);
    (*ti)->Deallocate(ti, (unsigned char *)name);
}

static void tell_frames(void) {
    jvmtiFrameInfo f[MOST_FRAMES];
    jint n = 0;
    if (!MUST((*ti)->GetStackTrace(ti, NULL, 0, MOST_FRAMES, f, &n))) return;
    for (jint i = 0; i < n; i++) tell_name(f[i].method, f[i].location, "at");
}

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    jint v = 0, error = (jint)(*ti)->GetLocalInt(ti, NULL, 0, 0, &v);
    say("breakpoint, local 0: %d (%d)", error ? 0 : v, error);
    tell_frames();
    if (forced) MUST((*ti)->ForceEarlyReturnInt(ti, NULL, forced_value));
    forced = false;
}

static void JNICALL on_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception) {
    say("frame pop");
    tell_frames();
}

static void JNICALL on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f) {
    say("access");
    tell_frames();
}

JNIEXPORT void JNICALL Java_Inlined_frames(JNIEnv *env, jclass c) {
    say("frames");
    tell_frames();
}

JNIEXPORT void JNICALL Java_Inlined_breakpoint(JNIEnv *env, jclass self, jclass c, jstring name, jboolean on) {
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    jint n = 0;
    jmethodID *methods = NULL;
    MUST((*ti)->GetClassMethods(ti, c, &n, &methods));
    for (jint i = 0; i < n; i++) {
        char *its = NULL;
        if (MUST((*ti)->GetMethodName(ti, methods[i], &its, NULL, NULL)) && strcmp(its, text) == 0)
            MUST(on ? (*ti)->SetBreakpoint(ti, methods[i], 0) : (*ti)->ClearBreakpoint(ti, methods[i], 0));
        (*ti)->Deallocate(ti, (unsigned char *)its);
    }
    (*ti)->Deallocate(ti, (unsigned char *)methods);
    (*env)->ReleaseStringUTFChars(env, name, text);
}

JNIEXPORT void JNICALL Java_Inlined_watch(JNIEnv *env, jclass self, jclass c, jstring name, jboolean on) {
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    jfieldID f = (*env)->GetFieldID(env, c, text, "I");
    MUST(on ? (*ti)->SetFieldAccessWatch(ti, c, f) : (*ti)->ClearFieldAccessWatch(ti, c, f));
    (*env)->ReleaseStringUTFChars(env, name, text);
}

JNIEXPORT void JNICALL Java_Inlined_setLocal(JNIEnv *env, jclass c, jint depth, jint slot, jint value) {
    MUST((*ti)->SetLocalInt(ti, NULL, depth, slot, value));
}

JNIEXPORT void JNICALL Java_Inlined_notifyPop(JNIEnv *env, jclass c, jint depth) { MUST((*ti)->NotifyFramePop(ti, NULL, depth)); }

JNIEXPORT void JNICALL Java_Inlined_forceReturn(JNIEnv *env, jclass c, jint value) {
    forced = true;
    forced_value = value;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_generate_breakpoint_events = 1,
                              .can_access_local_variables = 1,
                              .can_generate_frame_pop_events = 1,
                              .can_generate_field_access_events = 1,
                              .can_force_early_return = 1};
    jvmtiEventCallbacks cb = {.Breakpoint = on_breakpoint, .FramePop = on_pop, .FieldAccess = on_access};
    ti = new_env(vm);
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_BREAKPOINT);
    enable(ti, JVMTI_EVENT_FRAME_POP);
    enable(ti, JVMTI_EVENT_FIELD_ACCESS);
    return JNI_OK;
}
