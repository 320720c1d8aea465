/* SPDX-License-Identifier: Apache-2.0 */
/* The agent of Posting.java: callbacks that only count. */
#include <jvmti.h>
#include <string.h>

static jvmtiEnv *ti;
static jlong count;

static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *j, jthread t, jmethodID m) { count++; }
static void JNICALL on_exit_(jvmtiEnv *e, JNIEnv *j, jthread t, jmethodID m, jboolean by_exception, jvalue v) { count++; }
static void JNICALL on_access(jvmtiEnv *e, JNIEnv *j, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f) {
    count++;
}
static void JNICALL on_step(jvmtiEnv *e, JNIEnv *j, jthread t, jmethodID m, jlocation at) { count++; }
static void JNICALL on_break(jvmtiEnv *e, JNIEnv *j, jthread t, jmethodID m, jlocation at) { count++; }

static const jvmtiEvent events[] = {JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_FIELD_ACCESS,
                                    JVMTI_EVENT_SINGLE_STEP, JVMTI_EVENT_BREAKPOINT};

JNIEXPORT jlong JNICALL Java_Posting_turn(JNIEnv *j, jclass c, jint kind, jboolean on) {
    jvmtiEvent ev = events[kind];
    jmethodID broken = (*j)->GetStaticMethodID(j, c, "broken", "(I)I");
    jfieldID field = (*j)->GetStaticFieldID(j, c, "field", "I");
    jthread self;
    (*ti)->GetCurrentThread(ti, &self);
    if (!on) (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, ev, self);
    jlong n = count;
    count = 0;
    if (ev == JVMTI_EVENT_BREAKPOINT) (void)(on ? (*ti)->SetBreakpoint(ti, broken, 0) : (*ti)->ClearBreakpoint(ti, broken, 0));
    if (ev == JVMTI_EVENT_FIELD_ACCESS)
        (void)(on ? (*ti)->SetFieldAccessWatch(ti, c, field) : (*ti)->ClearFieldAccessWatch(ti, c, field));
    if (on) (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, ev, self);
    return n;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11)) return JNI_ERR;
    jvmtiCapabilities caps = {.can_generate_method_entry_events = 1,
                              .can_generate_method_exit_events = 1,
                              .can_generate_field_access_events = 1,
                              .can_generate_single_step_events = 1,
                              .can_generate_breakpoint_events = 1};
    jvmtiEventCallbacks cb = {
        .MethodEntry = on_entry, .MethodExit = on_exit_, .FieldAccess = on_access, .SingleStep = on_step, .Breakpoint = on_break};
    return (*ti)->AddCapabilities(ti, &caps) || (*ti)->SetEventCallbacks(ti, &cb, sizeof cb) ? JNI_ERR : JNI_OK;
}
