/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_calls - every method entered and left by one thread between on and off, the class library's
 * natives and what the VM replaces by its own code included; breakpoints there; monitor events.
 */
#include "agent_test.h"

static jvmtiEnv *ti;

static void name_of(jmethodID m, char *out, size_t n) {
    jclass c;
    char *sig = NULL, *mn = NULL;
    (*ti)->GetMethodDeclaringClass(ti, m, &c);
    (*ti)->GetClassSignature(ti, c, &sig, NULL);
    (*ti)->GetMethodName(ti, m, &mn, NULL, NULL);
    snprintf(out, n, "%s%s", sig, mn);
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    (*ti)->Deallocate(ti, (unsigned char *)mn);
}
static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m) {
    char name[512];
    name_of(m, name, sizeof name);
    say("  entry %s", name);
}
static void JNICALL on_leave(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean popped, jvalue v) {
    char name[512];
    name_of(m, name, sizeof name);
    say("  exit %s%s", name, popped ? " by exception" : "");
}
static void JNICALL on_break(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    char name[512];
    name_of(m, name, sizeof name);
    say("  breakpoint %s", name);
}
JNIEXPORT void JNICALL Java_Calls_on(JNIEnv *env, jclass c, jboolean on) {
    jthread t;
    MUST((*ti)->GetCurrentThread(ti, &t));
    MUST((*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, t));
    MUST((*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_METHOD_EXIT, t));
}
JNIEXPORT void JNICALL Java_Calls_breakAt(JNIEnv *env, jclass self, jclass c, jstring name, jstring desc, jboolean set) {
    const char *n = (*env)->GetStringUTFChars(env, name, NULL), *d = (*env)->GetStringUTFChars(env, desc, NULL);
    jmethodID m = (*env)->GetMethodID(env, c, n, d);
    if (!m) {
        (*env)->ExceptionClear(env);
        m = (*env)->GetStaticMethodID(env, c, n, d);
    }
    if (set) MUST((*ti)->SetBreakpoint(ti, m, 0));
    else MUST((*ti)->ClearBreakpoint(ti, m, 0));
}

static void monitor(JNIEnv *env, const char *what, jthread t, jobject o, long long value) {
    jvmtiThreadInfo info;
    char *sig = NULL;
    if ((*ti)->GetThreadInfo(ti, t, &info) || (*ti)->GetClassSignature(ti, (*env)->GetObjectClass(env, o), &sig, NULL)) return;
    if (strncmp(sig, "LCalls$", 7) == 0) {
        jint state = 0;
        (*ti)->GetThreadState(ti, t, &state);
        say("  %s %s %s %lld in state %x", what, info.name, sig, value, (unsigned)state);
    }
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    (*ti)->Deallocate(ti, (unsigned char *)info.name);
}
static void JNICALL on_wait(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o, jlong ms) { monitor(env, "wait", t, o, ms); }
static void JNICALL on_waited(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o, jboolean out) { monitor(env, "waited", t, o, out); }
static void JNICALL on_enter(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o) { monitor(env, "contended", t, o, 0); }
static void JNICALL on_entered(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o) { monitor(env, "entered", t, o, 0); }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_generate_method_entry_events = 1,
                              .can_generate_method_exit_events = 1,
                              .can_generate_monitor_events = 1,
                              .can_generate_breakpoint_events = 1};
    jvmtiEventCallbacks cb = {.MethodEntry = on_entry,
                              .MethodExit = on_leave,
                              .Breakpoint = on_break,
                              .MonitorWait = on_wait,
                              .MonitorWaited = on_waited,
                              .MonitorContendedEnter = on_enter,
                              .MonitorContendedEntered = on_entered};
    if (!(ti = new_env(vm)) || !MUST((*ti)->AddCapabilities(ti, &caps))) return JNI_ERR;
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_BREAKPOINT);
    enable(ti, JVMTI_EVENT_MONITOR_WAIT);
    enable(ti, JVMTI_EVENT_MONITOR_WAITED);
    enable(ti, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
    enable(ti, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
    return JNI_OK;
}
