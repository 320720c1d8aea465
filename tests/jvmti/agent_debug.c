/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a debugger, reported for the classes Debugged* only; tags and ObjectFree. */
#include "agent_test.h"
#include <unistd.h>

static jvmtiEnv *ti;
static int freed_count;
static int pops_asked;

static bool mine(jmethodID m, char *name, size_t n) {
    jclass c;
    char *sig = NULL, *mn = NULL;
    bool yes = false;
    if ((*ti)->GetMethodDeclaringClass(ti, m, &c) == 0 && (*ti)->GetClassSignature(ti, c, &sig, NULL) == 0 &&
        (*ti)->GetMethodName(ti, m, &mn, NULL, NULL) == 0) {
        yes = strncmp(sig, "LDebugged", 9) == 0 && !strchr(sig, '.') && strncmp(mn, "lambda", 6) != 0;
        snprintf(name, n, "%s%s", sig, mn);
    }
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    (*ti)->Deallocate(ti, (unsigned char *)mn);
    return yes;
}

static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m) {
    char name[256];
    if (!mine(m, name, sizeof name)) return;
    say("entry %s", name);
    if (strstr(name, ";loop") && pops_asked++ < 3) say("notify pop: %s", error_name((*ti)->NotifyFramePop(ti, NULL, 0)));
}
static void JNICALL on_leave(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean popped, jvalue v) {
    char name[256], *sig = NULL;
    if (!mine(m, name, sizeof name)) return;
    (*ti)->GetMethodName(ti, m, NULL, &sig, NULL);
    if (strstr(name, ";loop")) (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, t);
    const char *ret = strchr(sig, ')') + 1;
    if (popped) say("exit %s by exception", name);
    else switch (*ret) {
        case 'I': say("exit %s = %d", name, v.i); break;
        case 'J': say("exit %s = %lld", name, (long long)v.j); break;
        case 'Z': say("exit %s = %d", name, v.z); break;
        case 'F': say("exit %s = %g", name, (double)v.f); break;
        case 'D': say("exit %s = %g", name, v.d); break;
        case 'V': say("exit %s", name); break;
        default: say("exit %s = object %d", name, v.l != NULL);
        }
    (*ti)->Deallocate(ti, (unsigned char *)sig);
}
static void JNICALL on_pop(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean popped) {
    char name[256];
    say("pop %d %s by exception %d", mine(m, name, sizeof name), name, popped);
}
static void JNICALL on_step(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    char name[256];
    if (mine(m, name, sizeof name) && strstr(name, ";loop")) say("step %s %lld", name, (long long)at);
}
static void JNICALL on_break(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    char name[256];
    mine(m, name, sizeof name);
    say("breakpoint %s %lld", name, (long long)at);
    if (strstr(name, ";loop"))
        say("steps on: %s", error_name((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, t)));
    if (at == 0 && strstr(name, ";loop") && pops_asked > 2) say("clear: %s", error_name((*ti)->ClearBreakpoint(ti, m, 0)));
}
static void JNICALL on_exception(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jobject ex, jmethodID cm,
                                 jlocation cat) {
    char name[256], catcher[256] = "none";
    if (!mine(m, name, sizeof name)) return;
    if (cm) mine(cm, catcher, sizeof catcher);
    say("exception in %s %lld caught in %s %lld", name, (long long)at, catcher, (long long)cat);
}
static void JNICALL on_catch(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jobject ex) {
    char name[256];
    if (mine(m, name, sizeof name)) say("catch in %s %lld", name, (long long)at);
}
static void JNICALL on_free(jvmtiEnv *e, jlong tag) {
    if (tag >= 1000 && tag < 1100) __atomic_add_fetch(&freed_count, 1, __ATOMIC_SEQ_CST);
}
static void JNICALL on_prepare(jvmtiEnv *e, JNIEnv *env, jthread t, jclass c) {
    char *sig = NULL;
    (*ti)->GetClassSignature(ti, c, &sig, NULL);
    if (strcmp(sig, "LDebugged;") == 0) {
        jmethodID loop = (*env)->GetStaticMethodID(env, c, "loop", "(I)I");
        jmethodID fail = (*env)->GetStaticMethodID(env, c, "fail", "(I)V");
        say("set: %s", error_name((*ti)->SetBreakpoint(ti, loop, 0)));
        say("again: %s", error_name((*ti)->SetBreakpoint(ti, loop, 0)));
        say("set: %s", error_name((*ti)->SetBreakpoint(ti, fail, 0)));
        say("nowhere: %s", error_name((*ti)->SetBreakpoint(ti, loop, 10000)));
        say("not set: %s", error_name((*ti)->ClearBreakpoint(ti, loop, 2)));
    }
    (*ti)->Deallocate(ti, (unsigned char *)sig);
}

JNIEXPORT void JNICALL Java_Debugged_tag(JNIEnv *env, jclass c, jobject o, jlong tag) { MUST((*ti)->SetTag(ti, o, tag)); }
JNIEXPORT jlong JNICALL Java_Debugged_tagOf(JNIEnv *env, jclass c, jobject o) {
    jlong tag = -1;
    MUST((*ti)->GetTag(ti, o, &tag));
    jint n = 0;
    if (tag) {
        jobject *objs = NULL;
        jlong *tags = NULL;
        MUST((*ti)->GetObjectsWithTags(ti, 1, &tag, &n, &objs, &tags));
        if (n != 1 || !(*env)->IsSameObject(env, o, objs[0]) || tags[0] != tag)
            say("! %d objects with tag %lld", n, (long long)tag);
        (*ti)->Deallocate(ti, (unsigned char *)objs);
        (*ti)->Deallocate(ti, (unsigned char *)tags);
    }
    return tag;
}
/* Waits here and not in the program: each call is an event, and how many rounds it takes is chance. */
JNIEXPORT jint JNICALL Java_Debugged_freed(JNIEnv *env, jclass c, jint wanted) {
    for (int i = 0; i < 100 && __atomic_load_n(&freed_count, __ATOMIC_SEQ_CST) < wanted; i++) {
        MUST((*ti)->ForceGarbageCollection(ti));
        usleep(20000);
    }
    return __atomic_load_n(&freed_count, __ATOMIC_SEQ_CST);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    static const jvmtiEvent events[] = {JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT,  JVMTI_EVENT_FRAME_POP,
                                        JVMTI_EVENT_BREAKPOINT,   JVMTI_EVENT_EXCEPTION,    JVMTI_EVENT_EXCEPTION_CATCH,
                                        JVMTI_EVENT_OBJECT_FREE,  JVMTI_EVENT_CLASS_PREPARE};
    jvmtiCapabilities caps = {.can_generate_method_entry_events = 1,
                              .can_generate_method_exit_events = 1,
                              .can_generate_frame_pop_events = 1,
                              .can_generate_single_step_events = 1,
                              .can_generate_breakpoint_events = 1,
                              .can_generate_exception_events = 1,
                              .can_tag_objects = 1,
                              .can_generate_object_free_events = 1};
    jvmtiEventCallbacks cb = {.MethodEntry = on_entry,
                              .MethodExit = on_leave,
                              .FramePop = on_pop,
                              .SingleStep = on_step,
                              .Breakpoint = on_break,
                              .Exception = on_exception,
                              .ExceptionCatch = on_catch,
                              .ObjectFree = on_free,
                              .ClassPrepare = on_prepare};
    if (!(ti = new_env(vm)) || !MUST((*ti)->AddCapabilities(ti, &caps))) return JNI_ERR;
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) enable(ti, events[i]);
    return JNI_OK;
}
