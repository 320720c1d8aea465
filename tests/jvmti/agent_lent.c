/* SPDX-License-Identifier: Apache-2.0 */
/* What Lent.java asks for. On Graft locals may be read from the first call on, where capabilities can still be had; on the reference from the start. */
#include <string.h>

#include "agent_test.h"

static jvmtiEnv *ti;
static const jvmtiCapabilities reads = {.can_access_local_variables = 1};

static bool is_graft(void) {
    char *name = NULL;
    MUST((*ti)->GetSystemProperty(ti, "java.vm.name", &name));
    return name && strstr(name, "Graft");
}

JNIEXPORT jint JNICALL Java_Lent_look(JNIEnv *env, jclass c, jint depth, jint to) {
    jobject p = NULL;
    if (is_graft()) MUST((*ti)->AddCapabilities(ti, &reads));
    MUST((*ti)->GetLocalObject(ti, NULL, depth, 3, &p));
    if (!p) return -1;
    jfieldID a = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, p), "a", "I");
    jint was = (*env)->GetIntField(env, p, a);
    (*env)->SetIntField(env, p, a, to);
    return was;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    ti = new_env(vm);
    if (!is_graft()) MUST((*ti)->AddCapabilities(ti, &reads));
    return JNI_OK;
}
