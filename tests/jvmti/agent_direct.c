/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_direct - callbacks of method entry and exit that do something when they have been called often enough: throw, return early, turn
 * themselves or others on and off, dispose of their environment. How many events came, and what they said, is told in sums.
 */
#include "agent_test.h"

static JavaVM *the_vm;
static jvmtiEnv *ti[2];
static jclass direct;
static char plan[64];
static int countdown;
static struct {
    int entries, exits, by_exception, wrong_thread;
    long long values;
} seen[2];
static __thread bool inside;

static const char *const names[] = {"fib", "text", "small", "odd", "real", "wide", "letter", "nothing", "failing"};
static const char *const descs[] = {
    "(I)I", "(Ljava/lang/Object;)Ljava/lang/String;", "(I)B", "(I)Z", "(D)D", "(J)J", "(I)C", "()V", "(I)I"};
enum { METHODS = sizeof names / sizeof *names };
static jmethodID methods[METHODS];

static int which(jmethodID m) {
    for (int i = 0; i < METHODS; i++)
        if (methods[i] == m) return i;
    return -1;
}
static void modes(int i, jvmtiEventMode m, jthread only) {
    MUST((*ti[i])->SetEventNotificationMode(ti[i], m, JVMTI_EVENT_METHOD_ENTRY, only));
    MUST((*ti[i])->SetEventNotificationMode(ti[i], m, JVMTI_EVENT_METHOD_EXIT, only));
}
static bool is(const char *what) { return strcmp(plan, what) == 0; }

static void make_references(JNIEnv *env, jthread t, jobject value) {
    for (int i = 0; i < 150; i++) (*env)->NewLocalRef(env, t);
    if ((*env)->GetObjectRefType(env, t) != JNILocalRefType) say("the thread's reference is not local");
    if (value) (*env)->DeleteLocalRef(env, value);
    (*env)->DeleteLocalRef(env, t);
}

static void once(jvmtiEnv *e, JNIEnv *env, jthread t, bool entered) {
    jvmtiFrameInfo f[4];
    jint n;
    if (is("collect")) MUST((*e)->ForceGarbageCollection(e));
    if (is("throw")) (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "pending");
    if (is("second on")) modes(1, JVMTI_ENABLE, NULL);
    if (is("second off")) modes(1, JVMTI_DISABLE, NULL);
    if (is("off")) modes(0, JVMTI_DISABLE, NULL);
    if (is("off for others, on for the thread")) modes(0, JVMTI_ENABLE, t), modes(0, JVMTI_DISABLE, NULL);
    if (is("callbacks gone")) MUST((*e)->SetEventCallbacks(e, NULL, 0));
    if (is("notify")) MUST((*e)->NotifyFramePop(e, NULL, 0));
    if (is("return") && entered) {
        jvmtiError x = (*e)->ForceEarlyReturnInt(e, NULL, 77);
        if (x && x != JVMTI_ERROR_TYPE_MISMATCH) say("early return: %d", x);
    }
    if (is("dispose")) MUST((*e)->DisposeEnvironment(e));
    else MUST((*e)->GetStackTrace(e, NULL, 0, 4, f, &n));
}
static void happened(jvmtiEnv *e, JNIEnv *env, jthread t, jobject value, bool entered) {
    if (is("references")) make_references(env, t, value);
    else if (e == ti[0] && countdown && --countdown == 0) once(e, env, t, entered);
}
static int from(jvmtiEnv *e) { return e == ti[1]; }

static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m) {
    if (inside || which(m) < 0 || !plan[0]) return;
    inside = true;
    seen[from(e)].entries++;
    if (!(*env)->CallStaticBooleanMethod(env, direct, (*env)->GetStaticMethodID(env, direct, "same", "(Ljava/lang/Thread;)Z"), t))
        seen[from(e)].wrong_thread++;
    happened(e, env, t, NULL, true);
    inside = false;
}
static long long as_number(JNIEnv *env, int method, jvalue v) {
    switch (descs[method][strlen(descs[method]) - 1]) {
    case 'I': return v.i;
    case 'B': return v.b;
    case 'Z': return v.z;
    case 'D': return (long long)(v.d * 4);
    case 'J': return v.j;
    case 'C': return v.c;
    case 'V': return 0;
    default: return v.l ? 100 + (*env)->GetStringLength(env, v.l) : 1;
    }
}
static void JNICALL on_exit_(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean by_exception, jvalue v) {
    int k = which(m);
    if (inside || k < 0 || !plan[0]) return;
    inside = true;
    seen[from(e)].exits++;
    seen[from(e)].by_exception += by_exception;
    if (!by_exception) seen[from(e)].values = seen[from(e)].values * 31 + as_number(env, k, v);
    happened(e, env, t, k == 1 && !by_exception ? v.l : NULL, false);
    inside = false;
}
static void JNICALL on_pop(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean by_exception) {
    say("  popped %d", by_exception);
}

static void open_env(int i) {
    jvmtiCapabilities caps = {.can_generate_method_entry_events = 1,
                              .can_generate_method_exit_events = 1,
                              .can_generate_frame_pop_events = 1,
                              .can_force_early_return = 1};
    ti[i] = new_env(the_vm);
    MUST((*ti[i])->AddCapabilities(ti[i], &caps));
}
static void set_callbacks(int i) {
    jvmtiEventCallbacks cb = {.MethodEntry = on_entry, .MethodExit = on_exit_, .FramePop = on_pop};
    MUST((*ti[i])->SetEventCallbacks(ti[i], &cb, sizeof cb));
    enable(ti[i], JVMTI_EVENT_FRAME_POP);
}

JNIEXPORT jboolean JNICALL Java_Direct_same(JNIEnv *env, jclass c, jthread t) {
    jthread now;
    return !(*ti[1])->GetCurrentThread(ti[1], &now) && (*env)->IsSameObject(env, now, t);
}
JNIEXPORT void JNICALL Java_Direct_listen(JNIEnv *env, jclass c, jint environments, jthread only) {
    jthread now;
    if (is("dispose")) open_env(0);
    plan[0] = 0;
    for (int i = 0; i < METHODS; i++) methods[i] = (*env)->GetStaticMethodID(env, c, names[i], descs[i]);
    if (!direct) direct = (*env)->NewGlobalRef(env, c);
    MUST((*ti[1])->GetCurrentThread(ti[1], &now));
    for (int i = 0; i < 2; i++) {
        set_callbacks(i);
        modes(i, JVMTI_DISABLE, NULL);
        modes(i, JVMTI_DISABLE, now);
        if (i < environments) modes(i, JVMTI_ENABLE, only);
    }
}
JNIEXPORT void JNICALL Java_Direct_plan(JNIEnv *env, jclass c, jstring what, jint its_countdown) {
    memset(seen, 0, sizeof seen);
    countdown = its_countdown;
    (*env)->GetStringUTFRegion(env, what, 0, (*env)->GetStringLength(env, what), plan);
}
JNIEXPORT void JNICALL Java_Direct_tell(JNIEnv *env, jclass c) {
    for (int i = 0; i < 2; i++)
        say("  %d: %d entries, %d exits, %d by exception, %d wrong, %llx", i + 1, seen[i].entries, seen[i].exits,
            seen[i].by_exception, seen[i].wrong_thread, (unsigned long long)seen[i].values);
    if (!is("dispose")) plan[0] = 0;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    the_vm = vm;
    for (int i = 0; i < 2; i++) open_env(i);
    return JNI_OK;
}
