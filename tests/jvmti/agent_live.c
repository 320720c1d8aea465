/* SPDX-License-Identifier: Apache-2.0 */
/* agent_live - natives of Live.java: questions and commands of the live phase. */
#include "agent_test.h"

static jvmtiEnv *ti;
static jrawMonitorID monitor;
static volatile int turn;

static void give_back(void *p) { (*ti)->Deallocate(ti, p); }

static void print_frames(const char *what, jvmtiFrameInfo *f, jint n) {
    for (jint i = 0; i < n; i++) {
        char *name = NULL, *sig = NULL, *holder = NULL;
        jclass c = NULL;
        MUST((*ti)->GetMethodName(ti, f[i].method, &name, &sig, NULL));
        MUST((*ti)->GetMethodDeclaringClass(ti, f[i].method, &c));
        MUST((*ti)->GetClassSignature(ti, c, &holder, NULL));
        if (!strstr(holder, "Lambda")) say("  %s %s %s%s @%lld", what, holder, name, sig, (long long)f[i].location);
        give_back(name);
        give_back(sig);
        give_back(holder);
    }
}
JNIEXPORT void JNICALL Java_Live_stack(JNIEnv *jni, jclass self, jthread t, jint start, jint max) {
    jvmtiFrameInfo f[64];
    jint n = -1;
    jvmtiError e = (*ti)->GetStackTrace(ti, t, start, max, f, &n);
    say("stack %d %d: %s %d", start, max, error_name(e), n);
    print_frames("frame", f, e ? 0 : n);
    jmethodID m;
    jlocation at = -7;
    for (jint depth = 0; depth < 3; depth++) {
        e = (*ti)->GetFrameLocation(ti, t, depth, &m, &at);
        say("  location %d %s %lld", depth, error_name(e), (long long)at);
    }
    e = (*ti)->GetFrameCount(ti, t, &n);
    say("  count %s %d", error_name(e), n);
}
JNIEXPORT void JNICALL Java_Live_threads(JNIEnv *jni, jclass self, jobjectArray list) {
    jint n = (*jni)->GetArrayLength(jni, list);
    jthread v[16];
    jvmtiStackInfo *info = NULL;
    for (jint i = 0; i < n; i++) v[i] = (*jni)->GetObjectArrayElement(jni, list, i);
    jvmtiError e = (*ti)->GetThreadListStackTraces(ti, n, v, 10, &info);
    say("list: %s", error_name(e));
    for (jint i = 0; i < n; i++) {
        jvmtiThreadInfo t;
        jint state = -1;
        memset(&t, 0, sizeof t);
        MUST((*ti)->GetThreadInfo(ti, v[i], &t));
        MUST((*ti)->GetThreadState(ti, v[i], &state));
        say("thread %s priority %d daemon %d group %d loader %d state %x", t.name, t.priority, t.is_daemon,
            t.thread_group != NULL, t.context_class_loader != NULL, state);
        give_back(t.name);
        if (e) continue;
        say("  snapshot state %x frames %d same %d", info[i].state, info[i].frame_count,
            (*jni)->IsSameObject(jni, info[i].thread, v[i]));
        print_frames("frame", info[i].frame_buffer, info[i].frame_count);
    }
    give_back(info);
    jthread *all = NULL;
    jint count = 0, found = 0;
    MUST((*ti)->GetAllThreads(ti, &count, &all));
    for (jint i = 0; i < count; i++)
        for (jint k = 0; k < n; k++) found += (*jni)->IsSameObject(jni, all[i], v[k]);
    say("found among all %d", found);
    give_back(all);
    info = NULL;
    MUST((*ti)->GetAllStackTraces(ti, 5, &info, &count));
    found = 0;
    for (jint i = 0; i < count; i++)
        for (jint k = 0; k < n; k++) found += (*jni)->IsSameObject(jni, info[i].thread, v[k]);
    say("found among all stacks %d", found);
    give_back(info);
}
static void print_group(JNIEnv *jni, jthreadGroup g, int depth) {
    jvmtiThreadGroupInfo i;
    jint threads = 0, groups = 0;
    jthread *t = NULL;
    jthreadGroup *v = NULL;
    MUST((*ti)->GetThreadGroupInfo(ti, g, &i));
    MUST((*ti)->GetThreadGroupChildren(ti, g, &threads, &t, &groups, &v));
    say("%*sgroup %s max %d daemon %d parent %d groups %d", depth * 2, "", i.name, i.max_priority, i.is_daemon, i.parent != NULL,
        strcmp(i.name, "system") ? groups : -1);
    for (jint k = 0; depth && k < threads; k++) {
        jvmtiThreadInfo x;
        MUST((*ti)->GetThreadInfo(ti, t[k], &x));
        say("%*sthread %s", depth * 2 + 2, "", x.name);
        give_back(x.name);
    }
    for (jint k = 0; k < groups; k++) {
        jvmtiThreadGroupInfo x;
        MUST((*ti)->GetThreadGroupInfo(ti, v[k], &x));
        if (strcmp(x.name, "InnocuousThreadGroup")) print_group(jni, v[k], depth + 1);
        give_back(x.name);
    }
    give_back(i.name);
    give_back(t);
    give_back(v);
}
JNIEXPORT void JNICALL Java_Live_groups(JNIEnv *jni, jclass self) {
    jint n = 0;
    jthreadGroup *v = NULL;
    MUST((*ti)->GetTopThreadGroups(ti, &n, &v));
    for (jint i = 0; i < n; i++) print_group(jni, v[i], 0);
    give_back(v);
}
JNIEXPORT void JNICALL Java_Live_suspend(JNIEnv *jni, jclass self, jthread t, jboolean on) {
    jint state = 0;
    jvmtiError e = on ? (*ti)->SuspendThread(ti, t) : (*ti)->ResumeThread(ti, t);
    jvmtiError again = on ? (*ti)->SuspendThread(ti, t) : (*ti)->ResumeThread(ti, t);
    MUST((*ti)->GetThreadState(ti, t, &state));
    if (!on) { /* a resumed thread may have ended before the second call */
        bool refused = again == JVMTI_ERROR_THREAD_NOT_SUSPENDED || again == JVMTI_ERROR_THREAD_NOT_ALIVE;
        say("resume: %s, again refused %d, suspended %d", error_name(e), refused, (state & JVMTI_THREAD_STATE_SUSPENDED) != 0);
        return;
    }
    say("suspend: %s, again %s, suspended %d alive %d", error_name(e), error_name(again),
        (state & JVMTI_THREAD_STATE_SUSPENDED) != 0, state & JVMTI_THREAD_STATE_ALIVE);
}
JNIEXPORT void JNICALL Java_Live_suspendList(JNIEnv *jni, jclass self, jobjectArray list, jboolean on) {
    jthread v[8];
    jvmtiError r[8];
    jint n = (*jni)->GetArrayLength(jni, list);
    for (jint i = 0; i < n; i++) v[i] = (*jni)->GetObjectArrayElement(jni, list, i);
    jvmtiError e = on ? (*ti)->SuspendThreadList(ti, n, v, r) : (*ti)->ResumeThreadList(ti, n, v, r);
    say("%s list: %s", on ? "suspend" : "resume", error_name(e));
    for (jint i = 0; i < n; i++) say("  %s", error_name(r[i]));
}
JNIEXPORT void JNICALL Java_Live_interrupt(JNIEnv *jni, jclass self, jthread t) {
    say("interrupt: %s", error_name((*ti)->InterruptThread(ti, t)));
}
static void JNICALL agent_thread(jvmtiEnv *env, JNIEnv *jni, void *arg) {
    jthread self = NULL;
    jvmtiThreadInfo i;
    MUST((*ti)->GetCurrentThread(ti, &self));
    MUST((*ti)->GetThreadInfo(ti, self, &i));
    jint n = -1;
    MUST((*ti)->GetFrameCount(ti, self, &n));
    MUST((*ti)->RawMonitorEnter(ti, monitor));
    say("agent thread %s argument %ld daemon %d priority %d frames %d same env %d", i.name, (long)arg, i.is_daemon, i.priority, n,
        env == ti);
    turn = 1;
    MUST((*ti)->RawMonitorNotifyAll(ti, monitor));
    while (turn != 2) MUST((*ti)->RawMonitorWait(ti, monitor, 0));
    say("agent thread goes");
    turn = 3;
    MUST((*ti)->RawMonitorNotify(ti, monitor));
    MUST((*ti)->RawMonitorExit(ti, monitor));
}
JNIEXPORT void JNICALL Java_Live_agentThread(JNIEnv *jni, jclass self, jthread fresh) {
    MUST((*ti)->RawMonitorEnter(ti, monitor));
    MUST((*ti)->RawMonitorEnter(ti, monitor)); /* wait gives up both */
    say("run: %s", error_name((*ti)->RunAgentThread(ti, fresh, agent_thread, (void *)77, 7)));
    while (turn != 1) MUST((*ti)->RawMonitorWait(ti, monitor, 0));
    say("other has run");
    turn = 2;
    MUST((*ti)->RawMonitorNotifyAll(ti, monitor));
    while (turn != 3) MUST((*ti)->RawMonitorWait(ti, monitor, 0));
    say("wait with timeout: %s", error_name((*ti)->RawMonitorWait(ti, monitor, 5)));
    say("exit: %s", error_name((*ti)->RawMonitorExit(ti, monitor)));
    say("exit: %s", error_name((*ti)->RawMonitorExit(ti, monitor)));
    say("exit: %s", error_name((*ti)->RawMonitorExit(ti, monitor)));
}
JNIEXPORT jint JNICALL Java_Live_rawWait(JNIEnv *jni, jclass self) {
    MUST((*ti)->RawMonitorEnter(ti, monitor));
    jvmtiError e = (*ti)->RawMonitorWait(ti, monitor, 0);
    say("interrupted raw wait: %s", error_name(e));
    (*ti)->RawMonitorExit(ti, monitor);
    return e;
}
JNIEXPORT void JNICALL Java_Live_usage(JNIEnv *jni, jclass self, jobject o, jthread t) {
    jvmtiMonitorUsage u;
    jobject contended = NULL;
    memset(&u, 0, sizeof u);
    jvmtiError e = (*ti)->GetObjectMonitorUsage(ti, o, &u);
    jint entering = u.waiter_count; /* the reference counts the other kind here too, against the text */
    for (jint i = 0; i < u.waiter_count; i++)
        for (jint k = 0; k < u.notify_waiter_count; k++) entering -= (*jni)->IsSameObject(jni, u.waiters[i], u.notify_waiters[k]);
    say("usage: %s owner %d entries %d waiters %d notify %d", error_name(e), u.owner != NULL, u.entry_count, entering,
        u.notify_waiter_count);
    e = (*ti)->GetCurrentContendedMonitor(ti, t, &contended);
    say("contended: %s %d", error_name(e), (*jni)->IsSameObject(jni, contended, o));
    give_back(u.waiters);
    give_back(u.notify_waiters);
}
JNIEXPORT void JNICALL Java_Live_modules(JNIEnv *jni, jclass self, jobject loader, jobject named, jobject unnamed) {
    jint n = 0;
    jobject *v = NULL, m = NULL;
    MUST((*ti)->GetAllModules(ti, &n, &v));
    int base = 0, app = 0;
    for (jint i = 0; i < n; i++) {
        base += (*jni)->IsSameObject(jni, v[i], named);
        app += (*jni)->IsSameObject(jni, v[i], unnamed);
    }
    say("modules many %d base %d app %d", n > 20, base, app);
    give_back(v);
    jvmtiError e = (*ti)->GetNamedModule(ti, loader, "java/lang", &m);
    say("app java/lang %s %d", error_name(e), m != NULL);
    e = (*ti)->GetNamedModule(ti, NULL, "java/util/concurrent", &m);
    say("boot java/util/concurrent %s %d", error_name(e), (*jni)->IsSameObject(jni, m, named));
    e = (*ti)->GetNamedModule(ti, NULL, "", &m);
    say("boot unnamed package %s %d", error_name(e), m != NULL);
    say("reads %s", error_name((*ti)->AddModuleReads(ti, named, unnamed)));
    say("exports %s", error_name((*ti)->AddModuleExports(ti, named, "jdk.internal.misc", unnamed)));
    say("opens %s", error_name((*ti)->AddModuleOpens(ti, named, "java.lang", unnamed)));
    say("unnamed exports %s", error_name((*ti)->AddModuleExports(ti, unnamed, "any", named)));
}
static jint(JNICALL *real_version)(JNIEnv *);
static int versions_asked;
static jint JNICALL my_version(JNIEnv *jni) {
    versions_asked++;
    return real_version(jni) + 1;
}
JNIEXPORT void JNICALL Java_Live_table(JNIEnv *jni, jclass self) {
    jniNativeInterface *t = NULL, *back = NULL;
    MUST((*ti)->GetJNIFunctionTable(ti, &t));
    MUST((*ti)->GetJNIFunctionTable(ti, &back));
    say("copies %d equal %d", t != back, !memcmp(t, back, sizeof *t));
    real_version = t->GetVersion;
    t->GetVersion = my_version;
    MUST((*ti)->SetJNIFunctionTable(ti, t));
    give_back(t);
    say("version %x asked %d", (*jni)->GetVersion(jni), versions_asked);
    MUST((*ti)->GetJNIFunctionTable(ti, &t));
    say("shown %d", t->GetVersion == my_version);
    give_back(t);
    MUST((*ti)->SetJNIFunctionTable(ti, back));
    give_back(back);
    say("version %x asked %d", (*jni)->GetVersion(jni), versions_asked);
}
JNIEXPORT void JNICALL Java_Live_search(JNIEnv *jni, jclass self, jstring boot, jstring app) {
    const char *b = (*jni)->GetStringUTFChars(jni, boot, NULL), *a = (*jni)->GetStringUTFChars(jni, app, NULL);
    say("boot %s", error_name((*ti)->AddToBootstrapClassLoaderSearch(ti, b)));
    say("app %s", error_name((*ti)->AddToSystemClassLoaderSearch(ti, a)));
}
JNIEXPORT void JNICALL Java_Live_objects(JNIEnv *jni, jclass self, jobject o, jint hash) {
    jint h = 0;
    jlong size = 0, cpu = -1;
    jvmtiError e = (*ti)->GetObjectHashCode(ti, o, &h);
    say("hash %s %d", error_name(e), h == hash);
    e = (*ti)->GetObjectSize(ti, o, &size);
    say("size %s %d", error_name(e), size > 0);
    e = (*ti)->GetCurrentThreadCpuTime(ti, &cpu);
    say("cpu %s %d", error_name(e), cpu > 0);
    e = (*ti)->GetThreadCpuTime(ti, NULL, &cpu);
    say("cpu %s %d", error_name(e), cpu > 0);
    (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/IllegalStateException"), "pending");
    e = (*ti)->ForceGarbageCollection(ti);
    say("gc %s pending %d", error_name(e), (*jni)->ExceptionCheck(jni));
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities c = {.can_suspend = 1,
                           .can_signal_thread = 1,
                           .can_get_monitor_info = 1,
                           .can_get_current_contended_monitor = 1,
                           .can_get_current_thread_cpu_time = 1,
                           .can_get_thread_cpu_time = 1};
    ti = new_env(vm);
    MUST((*ti)->AddCapabilities(ti, &c));
    MUST((*ti)->CreateRawMonitor(ti, "live", &monitor));
    return 0;
}
