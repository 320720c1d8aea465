/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_frames - what a debugger does with frames: local variables at every instruction, in frames of every
 * kind, of threads in every state; frames popped and returned from; monitors and states of threads.
 */
#include "agent_test.h"
#include <pthread.h>

static jvmtiEnv *ti;

static void frame_name(jmethodID m, char *out, size_t n) {
    jclass c;
    char *sig = NULL, *mn = NULL;
    if ((*ti)->GetMethodDeclaringClass(ti, m, &c) == 0) (*ti)->GetClassSignature(ti, c, &sig, NULL);
    (*ti)->GetMethodName(ti, m, &mn, NULL, NULL);
    char *lambda = sig ? strstr(sig, "$$Lambda") : NULL;
    if (lambda) strcpy(lambda, ";");
    snprintf(out, n, "%s%s", sig ? sig : "?", mn ? mn : "?");
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    (*ti)->Deallocate(ti, (unsigned char *)mn);
}
static void object_text(JNIEnv *env, jobject o, char *out, size_t n) {
    char *sig = NULL;
    if (!o) {
        snprintf(out, n, "null");
        return;
    }
    jclass c = (*env)->GetObjectClass(env, o);
    (*ti)->GetClassSignature(ti, c, &sig, NULL);
    if (sig && strcmp(sig, "Ljava/lang/String;") == 0) {
        const char *s = (*env)->GetStringUTFChars(env, o, NULL);
        snprintf(out, n, "\"%s\"", s);
        (*env)->ReleaseStringUTFChars(env, o, s);
    } else {
        snprintf(out, n, "%s", sig);
    }
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    (*env)->DeleteLocalRef(env, c);
}
/* One slot through all five functions: "I=3 J:INVALID_SLOT ..." */
static void slot_text(JNIEnv *env, jthread t, jint depth, jint slot, char *out, size_t n) {
    jint i = 0;
    jlong j = 0;
    jfloat f = 0;
    jdouble d = 0;
    jobject o = NULL;
    char text[256] = "";
    jvmtiError ei = (*ti)->GetLocalInt(ti, t, depth, slot, &i), ej = (*ti)->GetLocalLong(ti, t, depth, slot, &j),
               ef = (*ti)->GetLocalFloat(ti, t, depth, slot, &f), ed = (*ti)->GetLocalDouble(ti, t, depth, slot, &d),
               eo = (*ti)->GetLocalObject(ti, t, depth, slot, &o);
    if (!eo) object_text(env, o, text, sizeof text);
    size_t k = 0;
#define PART(e, letter, ...) \
    k += (size_t)((e) ? snprintf(out + k, n - k, " " letter ":%.9s", error_name(e)) \
                      : snprintf(out + k, n - k, " " letter "=" __VA_ARGS__));
    PART(ei, "I", "%d", i)
    PART(ej, "J", "%lld", (long long)j)
    PART(ef, "F", "%a", (double)f)
    PART(ed, "D", "%a", d)
    PART(eo, "L", "%s", text)
#undef PART
    if (o) (*env)->DeleteLocalRef(env, o);
}
/* Behind the last instruction of a variable's range both VMs may show what is left in the slot. */
static bool is_stale(jmethodID m, jint slot, jlocation at) {
    jint n = 0;
    jvmtiLocalVariableEntry *v = NULL;
    bool stale = false;
    (*ti)->GetLocalVariableTable(ti, m, &n, &v);
    for (jint i = 0; i < n; i++) {
        stale |= v[i].slot == slot && v[i].start_location + v[i].length == at && strchr("JD", *v[i].signature);
        (*ti)->Deallocate(ti, (unsigned char *)v[i].name);
        (*ti)->Deallocate(ti, (unsigned char *)v[i].signature);
        (*ti)->Deallocate(ti, (unsigned char *)v[i].generic_signature);
    }
    (*ti)->Deallocate(ti, (unsigned char *)v);
    return stale;
}
static void dump_frame(JNIEnv *env, jthread t, jint depth, bool bci) {
    jmethodID m;
    jlocation at;
    char name[256] = "", text[1024];
    jint max = 0;
    jobject self = NULL;
    jvmtiError e = (*ti)->GetFrameLocation(ti, t, depth, &m, &at);
    if (e) {
        say("  depth %d: %s", depth, error_name(e));
        return;
    }
    frame_name(m, name, sizeof name);
    if ((*ti)->GetMaxLocals(ti, m, &max)) max = 1;
    e = (*ti)->GetLocalInstance(ti, t, depth, &self);
    object_text(env, self, text, sizeof text);
    say("  depth %d %s at %lld this %s %s", depth, name, bci ? (long long)at : 0, error_name(e), e ? "" : text);
    for (jint s = -1; s <= max; s++) {
        if (is_stale(m, s, at)) continue;
        slot_text(env, t, depth, s, text, sizeof text);
        say("    %d:%s", s, text);
    }
}

JNIEXPORT void JNICALL Java_Frames_dump(JNIEnv *env, jclass c, jobject t, jint depth, jint n, jboolean bci) {
    for (jint d = depth; d < depth + n; d++) dump_frame(env, t, d, bci);
}
JNIEXPORT jstring JNICALL Java_Frames_set(JNIEnv *env, jclass c, jobject t, jint depth, jint slot, jchar type, jdouble v,
                                          jobject o) {
    jvmtiError e = JVMTI_ERROR_NONE;
    switch (type) {
    case 'I': e = (*ti)->SetLocalInt(ti, t, depth, slot, (jint)v); break;
    case 'J': e = (*ti)->SetLocalLong(ti, t, depth, slot, (jlong)v); break;
    case 'F': e = (*ti)->SetLocalFloat(ti, t, depth, slot, (jfloat)v); break;
    case 'D': e = (*ti)->SetLocalDouble(ti, t, depth, slot, v); break;
    default: e = (*ti)->SetLocalObject(ti, t, depth, slot, o); break;
    }
    return (*env)->NewStringUTF(env, error_name(e));
}

/* --- single steps: all slots at all instructions of one method --- */

static jmethodID stepped;
static void JNICALL on_step(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    if (m == stepped) dump_frame(env, NULL, 0, true);
}
JNIEXPORT void JNICALL Java_Frames_step(JNIEnv *env, jclass c, jclass in, jstring method, jstring desc) {
    const char *n = (*env)->GetStringUTFChars(env, method, NULL), *d = (*env)->GetStringUTFChars(env, desc, NULL);
    stepped = (*env)->GetStaticMethodID(env, in, n, d);
    MUST((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, NULL));
}
JNIEXPORT void JNICALL Java_Frames_stopSteps(JNIEnv *env, jclass c) {
    MUST((*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, NULL));
}

/* --- leaving frames: at a breakpoint, by the action named --- */

static const char *action;
static jobject argument;
static int hits;
static jvmtiError leave(jthread t, char what) {
    switch (what) {
    case 'P': return (*ti)->PopFrame(ti, t);
    case 'I': return (*ti)->ForceEarlyReturnInt(ti, t, 0x12345);
    case 'i': return (*ti)->ForceEarlyReturnInt(ti, t, 1);
    case 'J': return (*ti)->ForceEarlyReturnLong(ti, t, 0x123456789abcLL);
    case 'F': return (*ti)->ForceEarlyReturnFloat(ti, t, 1.25f);
    case 'D': return (*ti)->ForceEarlyReturnDouble(ti, t, 2.5);
    case 'V': return (*ti)->ForceEarlyReturnVoid(ti, t);
    case 'N': return (*ti)->ForceEarlyReturnObject(ti, t, NULL);
    case 'L': return (*ti)->ForceEarlyReturnObject(ti, t, argument);
    default: return (*ti)->NotifyFramePop(ti, t, what - '0');
    }
}
static void JNICALL on_break(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    char name[256];
    frame_name(m, name, sizeof name);
    say("  breakpoint %s %lld", name, (long long)at);
    if (hits++ > 0) return;
    for (const char *a = action; *a; a++) say("  action %c: %s", *a, error_name(leave(hits % 2 ? NULL : t, *a)));
}
static void JNICALL on_leave(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean popped, jvalue v) {
    char name[256];
    frame_name(m, name, sizeof name);
    if (strncmp(name, "LLeft;", 6) == 0)
        say("  exit %s by exception %d, %llx", name, popped,
            popped ? 0
                   : (unsigned long long)(strstr(name, "text") || strstr(name, "array") ? v.l != NULL : v.j & 0xffffffffffffLL));
}
static void JNICALL on_pop(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean popped) {
    char name[256];
    frame_name(m, name, sizeof name);
    say("  frame pop %s by exception %d", name, popped);
}
static jmethodID broken;
static jlocation broken_at;
JNIEXPORT void JNICALL Java_Frames_leaveAt(JNIEnv *env, jclass c, jclass in, jstring method, jstring desc, jint at, jstring what,
                                           jobject o) {
    const char *n = (*env)->GetStringUTFChars(env, method, NULL), *d = (*env)->GetStringUTFChars(env, desc, NULL);
    broken = (*env)->GetStaticMethodID(env, in, n, d);
    if (!broken) {
        (*env)->ExceptionClear(env);
        broken = (*env)->GetMethodID(env, in, n, d);
    }
    broken_at = at;
    action = (*env)->GetStringUTFChars(env, what, NULL);
    argument = o ? (*env)->NewGlobalRef(env, o) : NULL;
    hits = 0;
    MUST((*ti)->SetBreakpoint(ti, broken, at));
}
JNIEXPORT void JNICALL Java_Frames_leaveEnd(JNIEnv *env, jclass c) { MUST((*ti)->ClearBreakpoint(ti, broken, broken_at)); }
JNIEXPORT jstring JNICALL Java_Frames_leave(JNIEnv *env, jclass c, jobject t, jchar what, jobject o) {
    argument = o;
    return (*env)->NewStringUTF(env, error_name(leave(t, (char)what)));
}

/* --- threads --- */

static void monitors(JNIEnv *env, jthread t) {
    jint n = 0;
    jobject *v = NULL, contended = NULL;
    jvmtiMonitorStackDepthInfo *info = NULL;
    char text[256];
    jvmtiError e = (*ti)->GetOwnedMonitorInfo(ti, t, &n, &v);
    say("  owned monitors: %s %d", error_name(e), e ? 0 : n);
    for (jint i = 0; !e && i < n; i++) {
        object_text(env, v[i], text, sizeof text);
        say("    %s", text);
    }
    (*ti)->Deallocate(ti, (unsigned char *)v);
    e = (*ti)->GetOwnedMonitorStackDepthInfo(ti, t, &n, &info);
    say("  with depths: %s %d", error_name(e), e ? 0 : n);
    for (jint i = 0; !e && i < n; i++) {
        object_text(env, info[i].monitor, text, sizeof text);
        say("    %s %d", text, info[i].stack_depth);
    }
    (*ti)->Deallocate(ti, (unsigned char *)info);
    e = (*ti)->GetCurrentContendedMonitor(ti, t, &contended);
    object_text(env, contended, text, sizeof text);
    say("  contended: %s %s", error_name(e), e ? "" : text);
}
JNIEXPORT void JNICALL Java_Frames_thread(JNIEnv *env, jclass c, jobject t) {
    jint state = -1, count = -1;
    jvmtiThreadInfo info;
    memset(&info, 0, sizeof info);
    jvmtiError e = (*ti)->GetThreadState(ti, t, &state);
    say("  state: %s %x", error_name(e), (unsigned)state);
    e = (*ti)->GetThreadInfo(ti, t, &info);
    say("  info: %s %s priority %d daemon %d group %d loader %d", error_name(e), info.name, info.priority, info.is_daemon,
        info.thread_group != NULL, info.context_class_loader != NULL);
    e = (*ti)->GetFrameCount(ti, t, &count);
    say("  frames: %s %d", error_name(e), e ? 0 : count);
    jvmtiFrameInfo frames[64];
    e = (*ti)->GetStackTrace(ti, t, 0, 64, frames, &count);
    for (jint i = 0; !e && i < count; i++) {
        char name[256];
        frame_name(frames[i].method, name, sizeof name);
        say("    %s %s", name, frames[i].location < 0 ? "native" : "");
    }
    monitors(env, t);
}
JNIEXPORT jint JNICALL Java_Frames_stateOf(JNIEnv *env, jclass c, jobject t) {
    jint state = -1;
    (*ti)->GetThreadState(ti, t, &state);
    return state;
}
JNIEXPORT jstring JNICALL Java_Frames_suspend(JNIEnv *env, jclass c, jobject t) {
    return (*env)->NewStringUTF(env, error_name((*ti)->SuspendThread(ti, t)));
}
JNIEXPORT jstring JNICALL Java_Frames_resume(JNIEnv *env, jclass c, jobject t) {
    return (*env)->NewStringUTF(env, error_name((*ti)->ResumeThread(ti, t)));
}
JNIEXPORT jstring JNICALL Java_Frames_stop(JNIEnv *env, jclass c, jobject t, jobject ex) {
    return (*env)->NewStringUTF(env, error_name((*ti)->StopThread(ti, t, ex)));
}
JNIEXPORT jstring JNICALL Java_Frames_lists(JNIEnv *env, jclass c, jobjectArray threads) {
    jthread v[8];
    jvmtiError r[8], s[8];
    char text[1024];
    jint n = (*env)->GetArrayLength(env, threads);
    for (jint i = 0; i < n; i++) v[i] = (*env)->GetObjectArrayElement(env, threads, i);
    jvmtiError a = (*ti)->SuspendThreadList(ti, n, v, r), b = (*ti)->SuspendThreadList(ti, n, v, s);
    size_t k = (size_t)snprintf(text, sizeof text, "%s %s", error_name(a), error_name(b));
    for (jint i = 0; i < n; i++) k += (size_t)snprintf(text + k, sizeof text - k, " %s/%s", error_name(r[i]), error_name(s[i]));
    a = (*ti)->ResumeThreadList(ti, n, v, r), b = (*ti)->ResumeThreadList(ti, n, v, s);
    k += (size_t)snprintf(text + k, sizeof text - k, " | %s %s", error_name(a), error_name(b));
    for (jint i = 0; i < n; i++) k += (size_t)snprintf(text + k, sizeof text - k, " %s/%s", error_name(r[i]), error_name(s[i]));
    return (*env)->NewStringUTF(env, text);
}
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
JNIEXPORT void JNICALL Java_Frames_enterHeld(JNIEnv *env, jclass c, jboolean enter) {
    if (enter) pthread_mutex_lock(&held);
    else pthread_mutex_unlock(&held);
}
/* A thread of the agent looks at itself. */
static void JNICALL agent_main(jvmtiEnv *e, JNIEnv *env, void *done) {
    Java_Frames_thread(env, NULL, NULL);
    (*e)->RawMonitorEnter(e, done);
    (*e)->RawMonitorNotify(e, done);
    (*e)->RawMonitorExit(e, done);
}
JNIEXPORT void JNICALL Java_Frames_agentThread(JNIEnv *env, jclass c, jobject t) {
    jrawMonitorID done;
    MUST((*ti)->CreateRawMonitor(ti, "done", &done));
    MUST((*ti)->RawMonitorEnter(ti, done));
    if (MUST((*ti)->RunAgentThread(ti, t, agent_main, done, 7))) MUST((*ti)->RawMonitorWait(ti, done, 0));
    MUST((*ti)->RawMonitorExit(ti, done));
}
JNIEXPORT void JNICALL Java_Frames_inNative(JNIEnv *env, jclass c, jobject entered) {
    if (entered) (*env)->MonitorEnter(env, entered);
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
    if (entered) (*env)->MonitorExit(env, entered);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_access_local_variables = 1,
                              .can_generate_single_step_events = 1,
                              .can_generate_breakpoint_events = 1,
                              .can_pop_frame = 1,
                              .can_force_early_return = 1,
                              .can_suspend = 1,
                              .can_get_owned_monitor_info = 1,
                              .can_get_owned_monitor_stack_depth_info = 1,
                              .can_signal_thread = 1,
                              .can_get_current_contended_monitor = 1,
                              .can_generate_frame_pop_events = 1,
                              .can_generate_method_exit_events = 1};
    jvmtiEventCallbacks cb = {.SingleStep = on_step, .Breakpoint = on_break, .MethodExit = on_leave, .FramePop = on_pop};
    if (!(ti = new_env(vm)) || !MUST((*ti)->AddCapabilities(ti, &caps))) return JNI_ERR;
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_BREAKPOINT);
    enable(ti, JVMTI_EVENT_FRAME_POP);
    if (has_word(options, "exits")) enable(ti, JVMTI_EVENT_METHOD_EXIT);
    return JNI_OK;
}
