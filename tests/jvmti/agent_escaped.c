/* SPDX-License-Identifier: Apache-2.0 */
/* What Escaped.java asks for: objects in locals of a thread that is suspended. */
#include "agent_test.h"

static jvmtiEnv *ti;

/* Numbers of what is wrong. */
static jint compare(JNIEnv *env, jobject p, jobject q, jint n) {
    jclass c = (*env)->GetObjectClass(env, p);
    jfieldID a = (*env)->GetFieldID(env, c, "a", "I"), b = (*env)->GetFieldID(env, c, "b", "I"),
             other = (*env)->GetFieldID(env, c, "other", "LEscaped$Pair;");
    jint sum = (*env)->GetIntField(env, p, a) + (*env)->GetIntField(env, p, b); /* it may stand between the two */
    if (sum != 0 && sum != 1) return 2;
    if (!(*env)->IsSameObject(env, (*env)->GetObjectField(env, p, other), q)) return 3;
    if (!(*env)->IsSameObject(env, (*env)->GetObjectField(env, q, other), p)) return 4;
    (*env)->SetIntField(env, q, a, n);
    return 0;
}

JNIEXPORT jint JNICALL Java_Escaped_look(JNIEnv *env, jclass c, jthread t, jint n) {
    jobject p = NULL, q = NULL;
    if (!MUST((*ti)->SuspendThread(ti, t))) return 1;
    MUST((*ti)->GetLocalObject(ti, t, 0, 1, &p));
    MUST((*ti)->GetLocalObject(ti, t, 0, 2, &q));
    jint wrong = p && q ? compare(env, p, q, n) : 5;
    MUST((*ti)->ResumeThread(ti, t));
    return wrong;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_access_local_variables = 1, .can_suspend = 1};
    ti = new_env(vm);
    MUST((*ti)->AddCapabilities(ti, &caps));
    return JNI_OK;
}
