/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For Catchers.java.  Tells every Exception and ExceptionCatch event whose exception is of a class named Catchers$...; and asks to
 * leave a frame by PopFrame or ForceEarlyReturnInt from inside its MethodExit or FramePop event.
 */
#include "agent_test.h"

static jvmtiEnv *ti;
static char order[32]; /* EVENT:FUNCTION, "" asks nothing */
static int asked;

static void name_of(jmethodID m, jlocation at, char *out, size_t size) {
    char *name = NULL, *sig = NULL;
    jclass c = NULL;
    if (!m) {
        snprintf(out, size, "nobody");
        return;
    }
    MUST((*ti)->GetMethodName(ti, m, &name, NULL, NULL));
    MUST((*ti)->GetMethodDeclaringClass(ti, m, &c));
    MUST((*ti)->GetClassSignature(ti, c, &sig, NULL));
    bool ours = strstr(sig, "LCatchers") == sig; /* places in the JDK's code are those of its class files as well */
    snprintf(out, size, "%s%s@%ld", sig, name, ours || at >= 0 ? (long)at : -1L);
    (*ti)->Deallocate(ti, (unsigned char *)name);
    (*ti)->Deallocate(ti, (unsigned char *)sig);
}

static bool told(JNIEnv *env, jobject ex, char *out, size_t size) {
    char *sig = NULL;
    MUST((*ti)->GetClassSignature(ti, (*env)->GetObjectClass(env, ex), &sig, NULL));
    snprintf(out, size, "%s", sig);
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    return strncmp(out, "LCatchers", 9) == 0 || strstr(out, "ExceptionInInitializerError") || strstr(out, "IllegalAccessError") ||
           strstr(out, "InvocationTargetException");
}

static void JNICALL exception(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jobject ex, jmethodID catcher,
                              jlocation catch_at) {
    char what[200], from[300], to[300];
    if (!told(env, ex, what, sizeof what)) return;
    name_of(m, at, from, sizeof from);
    name_of(catcher, catch_at, to, sizeof to);
    say("  %s thrown in %s, caught by %s", what, from, to);
}

static void JNICALL exception_catch(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jobject ex) {
    char what[200], where[300];
    if (!told(env, ex, what, sizeof what)) return;
    name_of(m, at, where, sizeof where);
    say("  %s caught in %s", what, where);
}

/* --- orders from inside the last events of a frame --- */

static bool is_victim(jmethodID m) {
    char *name = NULL;
    MUST((*ti)->GetMethodName(ti, m, &name, NULL, NULL));
    bool yes = strcmp(name, "victim") == 0;
    (*ti)->Deallocate(ti, (unsigned char *)name);
    return yes;
}

static void ask(const char *event, jthread t, jmethodID m) {
    size_t n = strlen(event);
    if (strncmp(order, event, n) != 0 || order[n] != ':' || !is_victim(m)) return;
    bool pop = strcmp(order + n + 1, "pop") == 0;
    *order = 0; /* once */
    asked = (int)(pop ? (*ti)->PopFrame(ti, t) : (*ti)->ForceEarlyReturnInt(ti, t, 99));
}
static void JNICALL method_exit(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean by_exception, jvalue v) {
    ask("exit", t, m);
}
static void JNICALL frame_pop(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean by_exception) { ask("frame", t, m); }

JNIEXPORT void JNICALL Java_Catchers_order(JNIEnv *env, jclass c, jstring what) {
    const char *s = (*env)->GetStringUTFChars(env, what, NULL);
    asked = -1;
    snprintf(order, sizeof order, "%s", s);
    (*env)->ReleaseStringUTFChars(env, what, s);
    jvmtiEventMode mode = *order ? JVMTI_ENABLE : JVMTI_DISABLE;
    MUST((*ti)->SetEventNotificationMode(ti, mode, JVMTI_EVENT_METHOD_EXIT, NULL));
    MUST((*ti)->SetEventNotificationMode(ti, mode, JVMTI_EVENT_FRAME_POP, NULL));
}
JNIEXPORT jstring JNICALL Java_Catchers_answer(JNIEnv *env, jclass c) {
    return (*env)->NewStringUTF(env, asked < 0 ? "not asked" : error_name((jvmtiError)asked));
}
JNIEXPORT void JNICALL Java_Catchers_notifyPop(JNIEnv *env, jclass c) { MUST((*ti)->NotifyFramePop(ti, NULL, 1)); }

/* From another thread, which finds t stopped in its search for a handler. */
JNIEXPORT void JNICALL Java_Catchers_leaveOther(JNIEnv *env, jclass c, jthread t, jboolean pop) {
    MUST((*ti)->SuspendThread(ti, t));
    asked = (int)(pop ? (*ti)->PopFrame(ti, t) : (*ti)->ForceEarlyReturnInt(ti, t, 99));
    MUST((*ti)->ResumeThread(ti, t));
}

/* --- natives in the way --- */

JNIEXPORT void JNICALL Java_Catchers_call(JNIEnv *env, jclass c, jobject r) {
    (*env)->CallVoidMethod(env, r, (*env)->GetMethodID(env, (*env)->GetObjectClass(env, r), "run", "()V"));
}
JNIEXPORT jboolean JNICALL Java_Catchers_swallow(JNIEnv *env, jclass c, jobject r) {
    Java_Catchers_call(env, c, r);
    jboolean was = (*env)->ExceptionCheck(env);
    (*env)->ExceptionClear(env);
    return was;
}
JNIEXPORT void JNICALL Java_Catchers_raise(JNIEnv *env, jclass c, jthrowable t) { (*env)->Throw(env, t); }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    if (!(ti = new_env(vm))) return JNI_ERR;
    jvmtiCapabilities caps = {.can_generate_exception_events = 1,
                              .can_generate_method_exit_events = 1,
                              .can_generate_frame_pop_events = 1,
                              .can_pop_frame = 1,
                              .can_force_early_return = 1,
                              .can_suspend = 1};
    MUST((*ti)->AddCapabilities(ti, &caps));
    jvmtiEventCallbacks cb = {
        .Exception = exception, .ExceptionCatch = exception_catch, .MethodExit = method_exit, .FramePop = frame_pop};
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_EXCEPTION);
    enable(ti, JVMTI_EVENT_EXCEPTION_CATCH);
    return JNI_OK;
}
