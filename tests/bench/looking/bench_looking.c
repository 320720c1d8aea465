/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent of Looking.java.  Options: "held": all capabilities that can be had, and nothing else; else those that the natives need.
 * Callbacks only count.
 */
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>

static jvmtiEnv *ti;
static volatile jlong count;

static void JNICALL on_break(jvmtiEnv *e, JNIEnv *j, jthread t, jmethodID m, jlocation at) { count++; }
static void JNICALL on_step(jvmtiEnv *e, JNIEnv *j, jthread t, jmethodID m, jlocation at) { count++; }
static void JNICALL on_change(jvmtiEnv *e, JNIEnv *j, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f,
                              char type, jvalue v) {
    count++;
}

JNIEXPORT jlong JNICALL Java_Looking_count(JNIEnv *j, jclass c) { return count; }

JNIEXPORT void JNICALL Java_Looking_watch(JNIEnv *j, jclass c, jclass of, jobject field) {
    (*ti)->SetFieldModificationWatch(ti, of, (*j)->FromReflectedField(j, field));
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FIELD_MODIFICATION, NULL);
}

JNIEXPORT void JNICALL Java_Looking_unwatch(JNIEnv *j, jclass c, jclass of, jobject field) {
    (*ti)->ClearFieldModificationWatch(ti, of, (*j)->FromReflectedField(j, field));
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_FIELD_MODIFICATION, NULL);
}

/* At the first instruction of the method's line; line 0: at each of `step` bytes. */
JNIEXPORT jint JNICALL Java_Looking_breakpoint(JNIEnv *j, jclass c, jobject method, jint line, jint step, jboolean on) {
    jmethodID m = (*j)->FromReflectedMethod(j, method);
    jvmtiLineNumberEntry *lines;
    jlocation first, last;
    jint n = 0, done = 0;
    (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_BREAKPOINT, NULL);
    if (!line) {
        (*ti)->GetMethodLocation(ti, m, &first, &last);
        for (jlocation at = first; at < last; at += step)
            done += !(on ? (*ti)->SetBreakpoint(ti, m, at) : (*ti)->ClearBreakpoint(ti, m, at));
        return done;
    }
    if ((*ti)->GetLineNumberTable(ti, m, &n, &lines)) return 0;
    for (jint i = 0; i < n && !done; i++)
        if (lines[i].line_number == line)
            done += !(on ? (*ti)->SetBreakpoint(ti, m, lines[i].start_location)
                         : (*ti)->ClearBreakpoint(ti, m, lines[i].start_location));
    (*ti)->Deallocate(ti, (unsigned char *)lines);
    return done;
}

JNIEXPORT void JNICALL Java_Looking_step(JNIEnv *j, jclass c, jthread t, jboolean on) {
    (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, t);
}

JNIEXPORT jint JNICALL Java_Looking_redefine(JNIEnv *j, jclass c, jclass of, jbyteArray bytes) {
    jsize n = (*j)->GetArrayLength(j, bytes);
    jbyte *b = (*j)->GetByteArrayElements(j, bytes, NULL);
    jvmtiClassDefinition d = {of, n, (const unsigned char *)b};
    jvmtiError e = (*ti)->RedefineClasses(ti, 1, &d);
    (*j)->ReleaseByteArrayElements(j, bytes, b, JNI_ABORT);
    return e;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_generate_breakpoint_events = 1,
                              .can_generate_single_step_events = 1,
                              .can_generate_field_modification_events = 1,
                              .can_get_line_numbers = 1,
                              .can_redefine_classes = 1};
    jvmtiEventCallbacks cb = {.Breakpoint = on_break, .SingleStep = on_step, .FieldModification = on_change};
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11)) return JNI_ERR;
    if (options && !strcmp(options, "held") && (*ti)->GetPotentialCapabilities(ti, &caps)) return JNI_ERR;
    return (*ti)->AddCapabilities(ti, &caps) || (*ti)->SetEventCallbacks(ti, &cb, sizeof cb) ? JNI_ERR : JNI_OK;
}
