/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_shove - threads in hot compiled code are suspended at random, looked at, and made to leave frames, which then run again.
 * Frames of class Hot only: its methods are functions of their arguments, which they do not change, so nobody may notice.
 */
#include "agent_test.h"

static jvmtiEnv *ti;
static _Atomic long pops, popped_events, locals, stops, notified;

static bool is_hot(jmethodID m) {
    jclass c;
    char *sig;
    if (!m || (*ti)->GetMethodDeclaringClass(ti, m, &c) || (*ti)->GetClassSignature(ti, c, &sig, NULL)) return false;
    bool hot =
        strncmp(sig, "LShove$Hot", 10) == 0 && !strstr(sig, "$$Lambda"); /* no debug table: an int is set over half of a long */
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    return hot;
}

static void JNICALL on_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean thrown) { popped_events++; }
static void JNICALL on_step(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {}

/* Each local is given the value that it has. */
static void look(jthread t, jint depth) {
    for (jint slot = 0; slot < 6; slot++) {
        jint i, again;
        jlong j;
        jdouble d;
        if (!(*ti)->GetLocalInt(ti, t, depth, slot, &i) && !(*ti)->SetLocalInt(ti, t, depth, slot, i)) {
            locals++;
            if ((*ti)->GetLocalInt(ti, t, depth, slot, &again) || again != i) say("! int local changed");
        }
        if (!(*ti)->GetLocalLong(ti, t, depth, slot, &j)) (*ti)->SetLocalLong(ti, t, depth, slot, j);
        if (!(*ti)->GetLocalDouble(ti, t, depth, slot, &d)) (*ti)->SetLocalDouble(ti, t, depth, slot, d);
    }
}

JNIEXPORT void JNICALL Java_Shove_shove(JNIEnv *env, jclass c, jobject t, jint what, jobject stop) {
    jvmtiFrameInfo f[30];
    jint n;
    if ((*ti)->SuspendThread(ti, t)) return;
    if (!(*ti)->GetStackTrace(ti, t, 0, 30, f, &n)) {
        jint hot = 0;
        while (hot < n && is_hot(f[hot].method)) hot++;
        if (what & 1)
            for (jint d = 0; d < hot; d++) look(t, d);
        if (what & 2 && hot > 1) {
            if (!(*ti)->PopFrame(ti, t)) pops++;
        }
        if (what & 4 && hot > 0 && !(*ti)->NotifyFramePop(ti, t, (what >> 10) % hot)) notified++;
        if (what & 8) (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, t);
        if (stop && hot > 0 && !(*ti)->StopThread(ti, t, stop)) stops++;
    }
    (*ti)->ResumeThread(ti, t);
    if (what & 8) (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, t);
}
JNIEXPORT void JNICALL Java_Shove_told(JNIEnv *env, jclass c) {
    if (!pops || !locals || !notified || !popped_events || !stops)
        say("pops %ld locals %ld notified %ld pop events %ld stops %ld", (long)pops, (long)locals, (long)notified,
            (long)popped_events, (long)stops);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities want = {.can_suspend = 1,
                              .can_pop_frame = 1,
                              .can_access_local_variables = 1,
                              .can_signal_thread = 1,
                              .can_generate_single_step_events = 1,
                              .can_generate_frame_pop_events = 1};
    jvmtiEventCallbacks callbacks = {.FramePop = on_pop, .SingleStep = on_step};
    if (!(ti = new_env(vm)) || !MUST((*ti)->AddCapabilities(ti, &want)) ||
        !MUST((*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks)))
        return JNI_ERR;
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL);
    return JNI_OK;
}
