/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_dispose - two environments with the same breakpoints, watches and frame-pop requests; one is disposed of:
 * the other keeps its own, and what only the first had is as if it had never been.
 */
#include "agent_test.h"

static jvmtiEnv *ti[2];
static int which(jvmtiEnv *e) { return e == ti[0] ? 1 : 2; }

/* Breakpoints until the second environment asks for the frame that takes the place of one that the first had popped. */
static int to_pop;
static void JNICALL on_break(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    say("  breakpoint %d", which(e));
    if (!to_pop) return;
    if (to_pop == 4) say("  popped: %s", error_name((*e)->PopFrame(e, t)));
    if (to_pop == 4 || to_pop == 1) say("  asked for: %s", error_name((*e)->NotifyFramePop(e, t, 0)));
    to_pop--;
}
JNIEXPORT void JNICALL Java_Dispose_pop(JNIEnv *env, jclass c) { to_pop = 4; }
static void JNICALL on_pop(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean ex) { say("  pop %d", which(e)); }
static void JNICALL on_set(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass k, jobject o, jfieldID f,
                           char type, jvalue v) {
    say("  set %d to %d", which(e), v.i);
}
static void JNICALL on_get(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass k, jobject o, jfieldID f) {
    say("  get %d", which(e));
}
/* bit 0, 1: in which environments */
JNIEXPORT void JNICALL Java_Dispose_request(JNIEnv *env, jclass c, jint set) {
    jmethodID m = (*env)->GetStaticMethodID(env, c, "work", "()I");
    jfieldID f = (*env)->GetStaticFieldID(env, c, "value", "I");
    for (int i = 0; i < 2; i++) {
        if (!(set & 1 << i)) continue;
        say("request %d: %s %s %s %s", i + 1, error_name((*ti[i])->SetBreakpoint(ti[i], m, 0)),
            error_name((*ti[i])->SetFieldAccessWatch(ti[i], c, f)), error_name((*ti[i])->SetFieldModificationWatch(ti[i], c, f)),
            error_name((*ti[i])->NotifyFramePop(ti[i], NULL, 1)));
    }
}
JNIEXPORT void JNICALL Java_Dispose_dispose(JNIEnv *env, jclass c, jint i) {
    say("dispose %d: %s", i + 1, error_name((*ti[i])->DisposeEnvironment(ti[i])));
    say("again: %s", error_name((*ti[i])->DisposeEnvironment(ti[i])));
}
static void open_env(JavaVM *vm, int i) {
    jvmtiCapabilities caps = {.can_generate_breakpoint_events = 1,
                              .can_generate_field_access_events = 1,
                              .can_generate_field_modification_events = 1,
                              .can_generate_frame_pop_events = 1,
                              .can_pop_frame = 1};
    jvmtiEventCallbacks cb = {.Breakpoint = on_break, .FramePop = on_pop, .FieldModification = on_set, .FieldAccess = on_get};
    ti[i] = new_env(vm);
    MUST((*ti[i])->AddCapabilities(ti[i], &caps));
    MUST((*ti[i])->SetEventCallbacks(ti[i], &cb, sizeof cb));
    enable(ti[i], JVMTI_EVENT_BREAKPOINT);
    enable(ti[i], JVMTI_EVENT_FRAME_POP);
    enable(ti[i], JVMTI_EVENT_FIELD_ACCESS);
    enable(ti[i], JVMTI_EVENT_FIELD_MODIFICATION);
}
JNIEXPORT void JNICALL Java_Dispose_reopen(JNIEnv *env, jclass c, jint i) {
    JavaVM *vm;
    (*env)->GetJavaVM(env, &vm);
    open_env(vm, i);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    open_env(vm, 0);
    open_env(vm, 1);
    return JNI_OK;
}
