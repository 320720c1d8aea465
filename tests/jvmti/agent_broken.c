/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_broken - breakpoints in hot code: at each location of a method in turn, what the callback sees there, and what it may do.
 * Locations are found by single steps.
 */
#include "agent_test.h"

enum { MOST = 200 };
static JavaVM *the_vm;
static jvmtiEnv *ti[2];
static jmethodID followed;
static jlocation found[MOST];
static int n_found, countdown, steps_left;
static bool two; /* environments have breakpoints: the reference gives them to one */
static char plan[32];
static struct {
    int hits, wrong_thread;
    unsigned long long locals;
} seen[2];
static jvmtiLocalVariableEntry *table;
static jint n_table;

static bool is(const char *what) { return strcmp(plan, what) == 0; }
static int from(jvmtiEnv *e) { return e == ti[1]; }

/* Ints that have a name there. */
static unsigned long long locals_at(jvmtiEnv *e, jlocation at) {
    unsigned long long sum = 17;
    for (int i = 0; i < n_table; i++) {
        const jvmtiLocalVariableEntry *v = &table[i];
        jint value = 0;
        jobject o = NULL;
        if (at < v->start_location || at >= v->start_location + v->length) continue;
        if (v->signature[0] == 'I') MUST((*e)->GetLocalInt(e, NULL, 0, v->slot, &value));
        if (v->signature[0] == 'L' || v->signature[0] == '[') MUST((*e)->GetLocalObject(e, NULL, 0, v->slot, &o));
        sum = sum * 31 + (unsigned)value + (o ? 5u : 0);
    }
    return sum;
}

static void mode(int i, bool on, jvmtiEvent ev, jthread t) {
    MUST((*ti[i])->SetEventNotificationMode(ti[i], on ? JVMTI_ENABLE : JVMTI_DISABLE, ev, t));
}

static void step(jthread t) {
    steps_left = 4;
    mode(0, true, JVMTI_EVENT_SINGLE_STEP, t);
}
static void do_it(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    bool clears = is("clear") || is("clear and set") || is("clear and step") || is("second only");
    if (is("throw")) (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "thrown there");
    if (is("return")) MUST((*e)->ForceEarlyReturnInt(e, NULL, 77));
    if (is("pop")) say("  pop: %s", error_name((*e)->PopFrame(e, t)));
    if (is("second on") || is("second sets") || is("second only")) mode(1, true, JVMTI_EVENT_BREAKPOINT, NULL);
    if (is("second sets") || is("second only")) MUST((*ti[1])->SetBreakpoint(ti[1], m, at));
    if (clears) MUST((*e)->ClearBreakpoint(e, m, at));
    if (is("clear and set")) MUST((*e)->SetBreakpoint(e, m, at));
    if (is("step") || is("clear and step")) step(t);
    if (is("off")) mode(0, false, JVMTI_EVENT_BREAKPOINT, NULL);
    if (is("for the thread")) mode(0, true, JVMTI_EVENT_BREAKPOINT, t), mode(0, false, JVMTI_EVENT_BREAKPOINT, NULL);
    if (is("collect")) MUST((*e)->ForceGarbageCollection(e));
    if (is("references"))
        for (int i = 0; i < 150; i++) (*env)->NewLocalRef(env, t);
    if (is("notify")) MUST((*e)->NotifyFramePop(e, NULL, 0));
    if (is("callbacks gone")) MUST((*e)->SetEventCallbacks(e, NULL, 0));
    if (is("dispose")) MUST((*e)->DisposeEnvironment(e));
}

static void JNICALL on_break(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    jvmtiFrameInfo f[2];
    jthread now;
    jint n;
    if (m != followed) return;
    seen[from(e)].hits++;
    MUST((*e)->GetStackTrace(e, NULL, 0, 2, f, &n));
    if (f[0].method != m || f[0].location != at) say("  frame at %ld, event at %ld", (long)f[0].location, (long)at);
    if ((*e)->GetCurrentThread(e, &now) || !(*env)->IsSameObject(env, t, now)) seen[from(e)].wrong_thread++;
    seen[from(e)].locals = seen[from(e)].locals * 31 + locals_at(e, at) + (unsigned long long)at;
    if (e == ti[0] && countdown && --countdown == 0) do_it(e, env, t, m, at);
}
static void JNICALL on_step(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    if (m != followed) return;
    if (steps_left) {
        say("  step %ld", (long)at);
        if (--steps_left == 0) mode(0, false, JVMTI_EVENT_SINGLE_STEP, t);
        return;
    }
    for (int i = 0; i < n_found; i++)
        if (found[i] == at) return;
    if (n_found < MOST) found[n_found++] = at;
}
static void JNICALL on_pop(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean by_exception) {
    say("  popped %d", by_exception);
}

static void open_env(int i) {
    jvmtiCapabilities caps = {.can_generate_breakpoint_events = i == 0 || two,
                              .can_generate_single_step_events = 1,
                              .can_generate_frame_pop_events = 1,
                              .can_access_local_variables = 1,
                              .can_pop_frame = 1,
                              .can_force_early_return = 1};
    ti[i] = new_env(the_vm);
    MUST((*ti[i])->AddCapabilities(ti[i], &caps));
}
static void set_callbacks(int i) {
    jvmtiEventCallbacks cb = {.Breakpoint = on_break, .SingleStep = on_step, .FramePop = on_pop};
    MUST((*ti[i])->SetEventCallbacks(ti[i], &cb, sizeof cb));
    enable(ti[i], JVMTI_EVENT_FRAME_POP);
}

JNIEXPORT void JNICALL Java_Broken_follow(JNIEnv *env, jclass c, jobject method, jboolean on) {
    jthread now;
    if (on) {
        followed = (*env)->FromReflectedMethod(env, method);
        n_found = 0;
        MUST((*ti[1])->GetLocalVariableTable(ti[1], followed, &n_table, &table));
    }
    MUST((*ti[1])->GetCurrentThread(ti[1], &now));
    set_callbacks(1);
    mode(1, on, JVMTI_EVENT_SINGLE_STEP, now);
}
static int by_value(const void *x, const void *y) {
    jlocation a = *(const jlocation *)x, b = *(const jlocation *)y;
    return (a > b) - (a < b);
}
JNIEXPORT jint JNICALL Java_Broken_locations(JNIEnv *env, jclass c) {
    qsort(found, (size_t)n_found, sizeof *found, by_value);
    return n_found;
}
JNIEXPORT void JNICALL Java_Broken_set(JNIEnv *env, jclass c, jint which, jint i, jboolean on) {
    if (on) MUST((*ti[i])->SetBreakpoint(ti[i], followed, found[which]));
    else (*ti[i])->ClearBreakpoint(ti[i], followed, found[which]); /* it may be gone */
}
JNIEXPORT void JNICALL Java_Broken_listen(JNIEnv *env, jclass c, jint environments, jthread only) {
    jthread now;
    if (is("dispose")) open_env(0);
    plan[0] = 0;
    MUST((*ti[1])->GetCurrentThread(ti[1], &now));
    for (int i = 0; i < 2; i++) {
        set_callbacks(i);
        mode(i, false, JVMTI_EVENT_SINGLE_STEP, now);
        if (i && !two) break;
        mode(i, false, JVMTI_EVENT_BREAKPOINT, NULL);
        mode(i, false, JVMTI_EVENT_BREAKPOINT, now);
        if (i < environments) mode(i, true, JVMTI_EVENT_BREAKPOINT, only);
    }
    memset(seen, 0, sizeof seen);
}
JNIEXPORT void JNICALL Java_Broken_plan(JNIEnv *env, jclass c, jstring what, jint its_countdown) {
    if (is("dispose")) open_env(0);
    countdown = its_countdown;
    steps_left = 0;
    (*env)->GetStringUTFRegion(env, what, 0, (*env)->GetStringLength(env, what), plan);
}
JNIEXPORT void JNICALL Java_Broken_tell(JNIEnv *env, jclass c) {
    for (int i = 0; i < 2; i++)
        if (seen[i].hits) say("  %d: %d hits, %d wrong, %llx", i + 1, seen[i].hits, seen[i].wrong_thread, seen[i].locals);
    memset(seen, 0, sizeof seen);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    the_vm = vm;
    two = has_word(options, "two");
    for (int i = 0; i < 2; i++) open_env(i);
    return JNI_OK;
}
