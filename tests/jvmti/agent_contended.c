/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For Contended.java and the tests of tests/schedule: suspends and resumes threads, tells who uses a monitor, keeps a thread in its
 * MonitorContendedEnter callback, or lets it enter another monitor there, tells which monitors a thread owns in MonitorContendedEntered, and waits on a raw monitor.
 */
#include "agent_test.h"

static jvmtiEnv *ti;
static JavaVM *vm;
static jrawMonitorID gate, bell;
static char kept[64]; /* name of the thread that is kept; "" lets it go on */
static volatile int inside, detouring;
static jobject other;

static void name_of(jthread t, char *out, size_t size) {
    jvmtiThreadInfo info;
    memset(&info, 0, sizeof info);
    MUST((*ti)->GetThreadInfo(ti, t, &info));
    snprintf(out, size, "%s", info.name);
    (*ti)->Deallocate(ti, (unsigned char *)info.name);
}

static void detour(JNIEnv *env, jobject o) {
    if ((*env)->IsSameObject(env, o, other)) {
        detouring = 2;
        return;
    }
    detouring = 1;
    (*env)->MonitorEnter(env, other);
    (*env)->MonitorExit(env, other);
    detouring = 0;
}

static void JNICALL contended_enter(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o) {
    char name[64];
    name_of(t, name, sizeof name);
    if (strcmp(name, "times out") == 0) say("%s wants to enter", name);
    if (other && strcmp(name, "detours") == 0) detour(env, o);
    MUST((*ti)->RawMonitorEnter(ti, gate));
    if (*kept && strcmp(kept, name) == 0) {
        inside = 1;
        while (*kept) MUST((*ti)->RawMonitorWait(ti, gate, 0));
        inside = 0;
    }
    MUST((*ti)->RawMonitorExit(ti, gate));
}

static void JNICALL contended_entered(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o) {
    char name[64];
    jint n = 0, found = 0;
    jobject *v = NULL;
    name_of(t, name, sizeof name);
    if (strcmp(name, "throws") == 0) (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "not now");
    if (strncmp(name, "owns", 4) != 0) return;
    MUST((*ti)->GetOwnedMonitorInfo(ti, t, &n, &v));
    for (jint i = 0; i < n; i++) found += (*env)->IsSameObject(env, v[i], o);
    (*ti)->Deallocate(ti, (unsigned char *)v);
    jvmtiMonitorStackDepthInfo *d = NULL;
    jint depth = -9;
    MUST((*ti)->GetOwnedMonitorStackDepthInfo(ti, t, &n, &d));
    for (jint i = 0; i < n; i++)
        if ((*env)->IsSameObject(env, d[i].monitor, o)) depth = d[i].stack_depth;
    (*ti)->Deallocate(ti, (unsigned char *)d);
    jobject wanted = NULL;
    MUST((*ti)->GetCurrentContendedMonitor(ti, t, &wanted));
    say("%s entered, owned %d, depth %d, wants %s", name, found, depth, wanted ? "a monitor" : "nothing");
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void list(char *out, size_t size, const char *what, jint n, jthread *v) {
    char names[16][64];
    jint k = n < 16 ? n : 16;
    for (jint i = 0; i < k; i++) name_of(v[i], names[i], sizeof names[i]);
    qsort(names, (size_t)k, sizeof names[0], by_name);
    size_t at = strlen(out);
    at += (size_t)snprintf(out + at, size - at, " %s %d:", what, n);
    for (jint i = 0; i < k; i++) at += (size_t)snprintf(out + at, size - at, " %s", names[i]);
    (*ti)->Deallocate(ti, (unsigned char *)v);
}

JNIEXPORT jstring JNICALL Java_Contended_usage(JNIEnv *env, jclass c, jobject o) {
    jvmtiMonitorUsage u;
    char out[2048] = "owner ";
    if (!MUST((*ti)->GetObjectMonitorUsage(ti, o, &u))) return NULL;
    if (u.owner) name_of(u.owner, out + strlen(out), 64);
    else strcat(out, "none");
    snprintf(out + strlen(out), 64, " entries %d,", u.entry_count);
    list(out, sizeof out, "waiters", u.waiter_count, u.waiters);
    list(out, sizeof out, "notify", u.notify_waiter_count, u.notify_waiters);
    return (*env)->NewStringUTF(env, out);
}
JNIEXPORT jint JNICALL Java_Contended_state(JNIEnv *env, jclass c, jthread t) {
    jint s = 0;
    MUST((*ti)->GetThreadState(ti, t, &s));
    return s;
}
JNIEXPORT void JNICALL Java_Contended_suspend(JNIEnv *env, jclass c, jthread t) { MUST((*ti)->SuspendThread(ti, t)); }
JNIEXPORT void JNICALL Java_Contended_resume(JNIEnv *env, jclass c, jthread t) { MUST((*ti)->ResumeThread(ti, t)); }

/* From now on the thread of that name stays in its callback; null lets it go. */
JNIEXPORT void JNICALL Java_Contended_keep(JNIEnv *env, jclass c, jstring name) {
    const char *s = name ? (*env)->GetStringUTFChars(env, name, NULL) : "";
    MUST((*ti)->RawMonitorEnter(ti, gate));
    snprintf(kept, sizeof kept, "%s", s);
    MUST((*ti)->RawMonitorNotifyAll(ti, gate));
    MUST((*ti)->RawMonitorExit(ti, gate));
    if (name) (*env)->ReleaseStringUTFChars(env, name, s);
}
JNIEXPORT jboolean JNICALL Java_Contended_isKept(JNIEnv *env, jclass c) { return inside != 0; }

JNIEXPORT void JNICALL Java_Contended_detour(JNIEnv *env, jclass c, jobject o) { other = (*env)->NewGlobalRef(env, o); }
JNIEXPORT jint JNICALL Java_Contended_detouring(JNIEnv *env, jclass c) { return detouring; }

JNIEXPORT jstring JNICALL Java_Contended_rawWait(JNIEnv *env, jclass c, jlong ms) {
    MUST((*ti)->RawMonitorEnter(ti, bell));
    jvmtiError e = (*ti)->RawMonitorWait(ti, bell, ms);
    MUST((*ti)->RawMonitorExit(ti, bell));
    return (*env)->NewStringUTF(env, error_name(e));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *v, char *options, void *reserved) {
    vm = v;
    ti = new_env(v);
    jvmtiCapabilities caps = {.can_suspend = 1,
                              .can_get_monitor_info = 1,
                              .can_get_owned_monitor_info = 1,
                              .can_get_owned_monitor_stack_depth_info = 1,
                              .can_get_current_contended_monitor = 1,
                              .can_generate_monitor_events = 1};
    jvmtiEventCallbacks cb = {.MonitorContendedEnter = contended_enter, .MonitorContendedEntered = contended_entered};
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    MUST((*ti)->CreateRawMonitor(ti, "gate", &gate));
    MUST((*ti)->CreateRawMonitor(ti, "bell", &bell));
    enable(ti, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
    enable(ti, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
    return JNI_OK;
}
