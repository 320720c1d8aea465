/* SPDX-License-Identifier: Apache-2.0 */
/* agent_stand_ins - methods of the class library that hot code does not really call: their events are counted all the same. */
#include "agent_test.h"

static jvmtiEnv *ti;
static const char *const names[] = {"max", "charAt", "arraycopy", "bitCount", "fill", "hashCode", "identityHashCode", "equals"};
enum { N = sizeof names / sizeof *names };
static int counts[N];
static volatile bool counting;

static void count(jmethodID m) {
    char *name = NULL;
    if (!counting || (*ti)->GetMethodName(ti, m, &name, NULL, NULL)) return;
    for (int i = 0; i < N; i++) counts[i] += strcmp(name, names[i]) == 0;
    (*ti)->Deallocate(ti, (unsigned char *)name);
}
static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m) { count(m); }
static void JNICALL on_break(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) { count(m); }
static void JNICALL on_access(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass k, jobject o, jfieldID f) {
    count(m);
}

JNIEXPORT void JNICALL Java_StandIns_count(JNIEnv *env, jclass self, jboolean on) {
    if (on) memset(counts, 0, sizeof counts);
    counting = on;
    for (int i = 0; i < N && !on; i++)
        if (counts[i]) say("  %s %d", names[i], counts[i]);
}
JNIEXPORT void JNICALL Java_StandIns_entries(JNIEnv *env, jclass self, jthread t, jboolean on) {
    MUST((*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, t));
}
JNIEXPORT void JNICALL Java_StandIns_breakpoint(JNIEnv *env, jclass self, jclass c, jstring name, jstring sig, jboolean is_static,
                                                jboolean on) {
    const char *n = (*env)->GetStringUTFChars(env, name, NULL), *s = (*env)->GetStringUTFChars(env, sig, NULL);
    jmethodID m = is_static ? (*env)->GetStaticMethodID(env, c, n, s) : (*env)->GetMethodID(env, c, n, s);
    if (on) MUST((*ti)->SetBreakpoint(ti, m, 0));
    else MUST((*ti)->ClearBreakpoint(ti, m, 0));
}
JNIEXPORT void JNICALL Java_StandIns_watch(JNIEnv *env, jclass self, jclass c, jstring name, jstring sig, jboolean on) {
    jfieldID f =
        (*env)->GetFieldID(env, c, (*env)->GetStringUTFChars(env, name, NULL), (*env)->GetStringUTFChars(env, sig, NULL));
    if (on) MUST((*ti)->SetFieldAccessWatch(ti, c, f));
    else MUST((*ti)->ClearFieldAccessWatch(ti, c, f));
}

static jint JNICALL forty_two(JNIEnv *env, jclass c, jobject o) { return 42; }
JNIEXPORT void JNICALL Java_StandIns_replace(JNIEnv *env, jclass self) {
    JNINativeMethod m = {"identityHashCode", "(Ljava/lang/Object;)I", (void *)forty_two};
    jclass c = (*env)->FindClass(env, "java/lang/System");
    say("registered: %d", (*env)->RegisterNatives(env, c, &m, 1));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {
        .can_generate_method_entry_events = 1, .can_generate_breakpoint_events = 1, .can_generate_field_access_events = 1};
    jvmtiEventCallbacks cb = {.MethodEntry = on_entry, .Breakpoint = on_break, .FieldAccess = on_access};
    if (!(ti = new_env(vm)) || !MUST((*ti)->AddCapabilities(ti, &caps))) return JNI_ERR;
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_BREAKPOINT);
    enable(ti, JVMTI_EVENT_FIELD_ACCESS);
    return JNI_OK;
}
