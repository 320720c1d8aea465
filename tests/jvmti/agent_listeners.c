/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_listeners - who gets an event while its handlers change who listens: the first environment's handler turns the
 * others off and on, disposes of them, makes one, throws; one disposes of itself.
 */
#include "agent_test.h"

static JavaVM *the_vm;
static jvmtiEnv *ti[4];
static char plan[80];

static int which(jvmtiEnv *e) {
    for (int i = 0; i < 4; i++)
        if (ti[i] == e) return i + 1;
    return 0;
}
static void mode(int i, jvmtiEventMode m, jthread t) {
    say("    %d %s: %s", i + 1, m ? "on" : "off",
        error_name((*ti[i])->SetEventNotificationMode(ti[i], m, JVMTI_EVENT_METHOD_ENTRY, t)));
}
static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m);
static void listen(int i, bool yes) {
    jvmtiEventCallbacks cb = {.MethodEntry = yes ? on_entry : NULL};
    MUST((*ti[i])->SetEventCallbacks(ti[i], &cb, sizeof cb));
}
static void open_env(int i) {
    jvmtiCapabilities caps = {.can_generate_method_entry_events = 1};
    ti[i] = new_env(the_vm);
    MUST((*ti[i])->AddCapabilities(ti[i], &caps));
    listen(i, true);
    enable(ti[i], JVMTI_EVENT_METHOD_ENTRY);
}
static bool is(const char *what) { return strcmp(plan, what) == 0; }

static void first(JNIEnv *env, jthread t) {
    if (is("second off")) mode(1, JVMTI_DISABLE, NULL);
    if (is("second on")) mode(1, JVMTI_ENABLE, NULL);
    if (is("second off for the thread alone")) mode(1, JVMTI_DISABLE, NULL), mode(1, JVMTI_DISABLE, t);
    if (is("second on for the thread")) mode(1, JVMTI_ENABLE, t);
    if (is("self off, third off, second and third on"))
        mode(0, JVMTI_DISABLE, NULL), mode(2, JVMTI_DISABLE, NULL), mode(1, JVMTI_ENABLE, NULL), mode(2, JVMTI_ENABLE, NULL);
    if (is("callbacks of second gone")) listen(1, false);
    if (is("callbacks of second back")) listen(1, true);
    if (is("throw")) (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "from the handler");
    if (is("second disposed of")) say("    %s", error_name((*ti[1])->DisposeEnvironment(ti[1])));
    if (is("fourth made")) open_env(3);
    if (!is("third disposes of itself")) plan[0] = 0;
}
static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m) {
    static __thread bool inside; /* FindClass may enter methods */
    char *name = NULL;
    if (inside || (*ti[0])->GetMethodName(ti[0], m, &name, NULL, NULL)) return;
    bool work = strcmp(name, "work") == 0;
    (*ti[0])->Deallocate(ti[0], (unsigned char *)name);
    if (!work) return;
    inside = true;
    say("  entry %d", which(e));
    if (e == ti[0]) first(env, t);
    if (e == ti[2] && is("third disposes of itself")) {
        plan[0] = 0;
        say("    %s", error_name((*e)->DisposeEnvironment(e)));
    }
    inside = false;
}

JNIEXPORT void JNICALL Java_Listeners_plan(JNIEnv *env, jclass c, jstring what) {
    (*env)->GetStringUTFRegion(env, what, 0, (*env)->GetStringLength(env, what), plan);
    if (is("first on")) mode(0, JVMTI_ENABLE, NULL);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    the_vm = vm;
    for (int i = 0; i < 3; i++) open_env(i);
    return JNI_OK;
}
