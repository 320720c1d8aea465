/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_events - the order and arguments of the events of a small program (Events.java).
 * Classes of the application loader and threads of the group "main" only: what a VM loads and
 * starts for itself is its own affair.
 */
#include "agent_test.h"

static JavaVM *the_vm;
static jrawMonitorID lock;
static bool main_started;

static void class_name(jvmtiEnv *ti, jclass c, char *out, size_t n) {
    char *s = NULL;
    if (!MUST((*ti)->GetClassSignature(ti, c, &s, NULL))) return;
    snprintf(out, n, "%s", s);
    if (strstr(out, "$$Lambda$")) strcpy(strstr(out, "$$Lambda$"), "$$Lambda"); /* the rest is an address */
    (*ti)->Deallocate(ti, (unsigned char *)s);
}
static bool thread_name(jvmtiEnv *ti, JNIEnv *jni, jthread t, char *out, size_t n) {
    jvmtiThreadInfo i;
    jvmtiThreadGroupInfo g;
    memset(&i, 0, sizeof i);
    snprintf(out, n, "?");
    if ((*ti)->GetThreadInfo(ti, t, &i)) return false;
    snprintf(out, n, "%s", i.name);
    bool ours = false;
    if (i.thread_group && !(*ti)->GetThreadGroupInfo(ti, i.thread_group, &g)) {
        ours = !strcmp(g.name, "main") || !strcmp(g.name, "own");
        (*ti)->Deallocate(ti, (unsigned char *)g.name);
    }
    (*ti)->Deallocate(ti, (unsigned char *)i.name);
    return ours;
}
static bool of_application(jvmtiEnv *ti, jclass c) {
    jobject loader = NULL;
    char name[512];
    if (!MUST((*ti)->GetClassLoader(ti, c, &loader)) || !loader) return false;
    class_name(ti, c, name, sizeof name);
    /* Hidden classes: the reference prepares them before it announces them, against the text. */
    return strncmp(name, "LEvents", 7) == 0 && !strstr(name, "$$Lambda");
}
static void JNICALL vm_start(jvmtiEnv *ti, JNIEnv *jni) {
    jthread t = NULL;
    jvmtiError e = (*ti)->GetCurrentThread(ti, &t);
    say("VMStart phase %s thread %s %d version %x", phase_name(ti), error_name(e), t != NULL, (*jni)->GetVersion(jni));
    say("  FindClass %d", (*jni)->FindClass(jni, "java/lang/String") != NULL);
}
static void JNICALL vm_init(jvmtiEnv *ti, JNIEnv *jni, jthread t) {
    char name[256];
    bool ours = thread_name(ti, jni, t, name, sizeof name);
    say("VMInit phase %s thread %s %d main started before %d", phase_name(ti), name, ours, main_started);
}
static void JNICALL vm_death(jvmtiEnv *ti, JNIEnv *jni) {
    jthread t = NULL;
    char name[256] = "";
    MUST((*ti)->GetCurrentThread(ti, &t));
    if (t) thread_name(ti, jni, t, name, sizeof name);
    say("VMDeath phase %s thread %s", phase_name(ti), name);
}
static void JNICALL thread_start(jvmtiEnv *ti, JNIEnv *jni, jthread t) {
    char name[256];
    jint state = 0;
    if (!thread_name(ti, jni, t, name, sizeof name)) return;
    if (!strcmp(name, "main")) main_started = true;
    MUST((*ti)->GetThreadState(ti, t, &state));
    say("ThreadStart %s phase %s state %x", name, phase_name(ti), state);
    (*ti)->SetThreadLocalStorage(ti, t, strdup(name));
}
static void JNICALL thread_end(jvmtiEnv *ti, JNIEnv *jni, jthread t) {
    char name[256];
    void *mine = NULL;
    if (!thread_name(ti, jni, t, name, sizeof name)) return;
    (*ti)->GetThreadLocalStorage(ti, NULL, &mine);
    say("ThreadEnd %s stored %s", name, mine ? (char *)mine : "null");
}
static void JNICALL class_load(jvmtiEnv *ti, JNIEnv *jni, jthread t, jclass c) {
    char name[512];
    jint status = 0, n = 0;
    jmethodID *methods = NULL;
    jfieldID *fields = NULL;
    if (!of_application(ti, c)) return;
    class_name(ti, c, name, sizeof name);
    MUST((*ti)->GetClassStatus(ti, c, &status));
    jvmtiError e1 = (*ti)->GetClassMethods(ti, c, &n, &methods), e2 = (*ti)->GetClassFields(ti, c, &n, &fields);
    say("ClassLoad %s status %x methods %s fields %s", name, status, error_name(e1), error_name(e2));
}
static void JNICALL class_prepare(jvmtiEnv *ti, JNIEnv *jni, jthread t, jclass c) {
    char name[512];
    jint status = 0, n = 0;
    jmethodID *methods = NULL;
    if (!of_application(ti, c)) return;
    class_name(ti, c, name, sizeof name);
    MUST((*ti)->GetClassStatus(ti, c, &status));
    MUST((*ti)->GetClassMethods(ti, c, &n, &methods));
    say("ClassPrepare %s status %x methods %d", name, status & ~JVMTI_CLASS_STATUS_VERIFIED, n);
    (*ti)->Deallocate(ti, (unsigned char *)methods);
}
static void JNICALL hook(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                         const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    if (!loader || !name || strncmp(name, "Events", 6)) return;
    unsigned sum = 0;
    for (jint i = 0; i < len; i++) sum = sum * 31 + bytes[i];
    jclass k = (*jni)->GetObjectClass(jni, loader);
    char loader_name[256];
    class_name(ti, k, loader_name, sizeof loader_name);
    say("ClassFileLoadHook %s redefined %d loader %s domain %d bytes %d sum %x out %d %d", name, old != NULL, loader_name,
        domain != NULL, len, sum, *new_len, *new_bytes != NULL);
}
static void JNICALL exhausted(jvmtiEnv *ti, JNIEnv *jni, jint flags, const void *reserved, const char *text) {
    say("ResourceExhausted %d %d", flags, text != NULL);
}
static void JNICALL contended_enter(jvmtiEnv *ti, JNIEnv *jni, jthread t, jobject o) {
    char name[256];
    if (thread_name(ti, jni, t, name, sizeof name) && !strncmp(name, "contender", 9)) say("MonitorContendedEnter %s", name);
}
static void JNICALL contended_entered(jvmtiEnv *ti, JNIEnv *jni, jthread t, jobject o) {
    char name[256];
    if (thread_name(ti, jni, t, name, sizeof name) && !strncmp(name, "contender", 9)) say("MonitorContendedEntered %s", name);
}
static void JNICALL monitor_wait(jvmtiEnv *ti, JNIEnv *jni, jthread t, jobject o, jlong millis) {
    char name[256];
    if (thread_name(ti, jni, t, name, sizeof name) && !strncmp(name, "waiter", 6))
        say("MonitorWait %s %lld", name, (long long)millis);
}
static void JNICALL monitor_waited(jvmtiEnv *ti, JNIEnv *jni, jthread t, jobject o, jboolean timed_out) {
    char name[256];
    if (thread_name(ti, jni, t, name, sizeof name) && !strncmp(name, "waiter", 6)) say("MonitorWaited %s %d", name, timed_out);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEnv *ti = new_env(vm);
    jvmtiCapabilities caps = {.can_generate_monitor_events = 1, .can_generate_all_class_hook_events = 1};
    jvmtiEventCallbacks calls = {
        .VMStart = vm_start,
        .VMInit = vm_init,
        .VMDeath = vm_death,
        .ThreadStart = thread_start,
        .ThreadEnd = thread_end,
        .ClassLoad = class_load,
        .ClassPrepare = class_prepare,
        .ClassFileLoadHook = hook,
        .ResourceExhausted = exhausted,
        .MonitorContendedEnter = contended_enter,
        .MonitorContendedEntered = contended_entered,
        .MonitorWait = monitor_wait,
        .MonitorWaited = monitor_waited,
    };
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_VM_START,
        JVMTI_EVENT_VM_INIT,
        JVMTI_EVENT_VM_DEATH,
        JVMTI_EVENT_THREAD_START,
        JVMTI_EVENT_THREAD_END,
        JVMTI_EVENT_CLASS_LOAD,
        JVMTI_EVENT_CLASS_PREPARE,
        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
        JVMTI_EVENT_RESOURCE_EXHAUSTED,
        JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
        JVMTI_EVENT_MONITOR_CONTENDED_ENTERED,
        JVMTI_EVENT_MONITOR_WAIT,
        JVMTI_EVENT_MONITOR_WAITED,
    };
    the_vm = vm;
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls));
    MUST((*ti)->CreateRawMonitor(ti, "events", &lock));
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) enable(ti, events[i]);
    return 0;
}
