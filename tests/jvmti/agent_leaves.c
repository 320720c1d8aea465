/* SPDX-License-Identifier: Apache-2.0 */
/* agent_leaves - short methods that have been called often: their events come, their new versions run. */
#include "agent_test.h"

static jvmtiEnv *ti;

static bool of_leaf(jmethodID m, char *out, size_t n) {
    char *name = NULL, *sig = NULL;
    jclass c = NULL;
    bool ours = !(*ti)->GetMethodDeclaringClass(ti, m, &c) && !(*ti)->GetClassSignature(ti, c, &sig, NULL) &&
                (!strcmp(sig, "LLeaf;") || !strcmp(sig, "LLeafSub;")) && !(*ti)->GetMethodName(ti, m, &name, NULL, NULL);
    if (ours) snprintf(out, n, "%s.%s", sig, name);
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    (*ti)->Deallocate(ti, (unsigned char *)name);
    return ours;
}
static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m) {
    char text[256];
    if (of_leaf(m, text, sizeof text)) say("  enter %s", text);
}
static void JNICALL on_exit_of(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean thrown, jvalue v) {
    char text[256];
    if (of_leaf(m, text, sizeof text)) say("  leave %s", text);
}
static void JNICALL on_break(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    char text[256];
    if (of_leaf(m, text, sizeof text)) say("  break %s %lld", text, (long long)at);
}
static void JNICALL on_step(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    char text[256];
    if (of_leaf(m, text, sizeof text)) say("  step %s %lld", text, (long long)at);
}
static void JNICALL on_access(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass k, jobject o, jfieldID f) {
    char text[256];
    if (of_leaf(m, text, sizeof text)) say("  get %s %lld", text, (long long)at);
}

JNIEXPORT void JNICALL Java_Leaves_event(JNIEnv *env, jclass self, jint event, jboolean on) {
    MUST((*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, (jvmtiEvent)event, NULL));
}
JNIEXPORT void JNICALL Java_Leaves_breakpoint(JNIEnv *env, jclass self, jclass c, jstring name, jint at, jboolean on) {
    jint n = 0;
    jmethodID *v = NULL;
    const char *wanted = (*env)->GetStringUTFChars(env, name, NULL);
    MUST((*ti)->GetClassMethods(ti, c, &n, &v));
    for (jint i = 0; i < n; i++) {
        char *s = NULL;
        MUST((*ti)->GetMethodName(ti, v[i], &s, NULL, NULL));
        if (!strcmp(s, wanted)) MUST(on ? (*ti)->SetBreakpoint(ti, v[i], at) : (*ti)->ClearBreakpoint(ti, v[i], at));
        (*ti)->Deallocate(ti, (unsigned char *)s);
    }
    (*ti)->Deallocate(ti, (unsigned char *)v);
    (*env)->ReleaseStringUTFChars(env, name, wanted);
}
JNIEXPORT void JNICALL Java_Leaves_watch(JNIEnv *env, jclass self, jclass c, jstring name, jstring desc, jboolean on) {
    const char *n = (*env)->GetStringUTFChars(env, name, NULL), *d = (*env)->GetStringUTFChars(env, desc, NULL);
    jfieldID f = (*env)->GetFieldID(env, c, n, d);
    MUST(on ? (*ti)->SetFieldAccessWatch(ti, c, f) : (*ti)->ClearFieldAccessWatch(ti, c, f));
    (*env)->ReleaseStringUTFChars(env, name, n);
    (*env)->ReleaseStringUTFChars(env, desc, d);
}
JNIEXPORT void JNICALL Java_Leaves_redefine(JNIEnv *env, jclass self, jclass c, jbyteArray bytes) {
    jbyte *b = (*env)->GetByteArrayElements(env, bytes, NULL);
    jvmtiClassDefinition d = {c, (*env)->GetArrayLength(env, bytes), (unsigned char *)b};
    MUST((*ti)->RedefineClasses(ti, 1, &d));
    (*env)->ReleaseByteArrayElements(env, bytes, b, JNI_ABORT);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_generate_field_access_events = 1,
                              .can_generate_method_entry_events = 1,
                              .can_generate_method_exit_events = 1,
                              .can_generate_breakpoint_events = 1,
                              .can_generate_single_step_events = 1,
                              .can_redefine_classes = 1};
    jvmtiEventCallbacks cb = {.FieldAccess = on_access,
                              .MethodEntry = on_entry,
                              .MethodExit = on_exit_of,
                              .Breakpoint = on_break,
                              .SingleStep = on_step};
    if (!(ti = new_env(vm)) || !MUST((*ti)->AddCapabilities(ti, &caps))) return JNI_ERR;
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    return JNI_OK;
}
