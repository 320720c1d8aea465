/* SPDX-License-Identifier: Apache-2.0 */
/* swap_java.c - small services over JNI. */
#include "swap_java.h"

#include "agent.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

jstring swap_dotted(JNIEnv *env, const char *name) {
    char *copy = strdup(name);
    if (copy) agent_dotted(copy, copy, strlen(copy) + 1);
    jstring s = copy ? (*env)->NewStringUTF(env, copy) : NULL;
    free(copy);
    return s;
}

jobject swap_call(JNIEnv *env, jobject o, const char *method, const char *desc, ...) {
    va_list args;
    jclass c = o ? (*env)->GetObjectClass(env, o) : NULL;
    jmethodID m = c ? (*env)->GetMethodID(env, c, method, desc) : NULL;
    if (!m) return NULL;
    va_start(args, desc);
    jobject got = (*env)->CallObjectMethodV(env, o, m, args);
    va_end(args);
    return (*env)->ExceptionCheck(env) ? NULL : got;
}

jobject swap_new(JNIEnv *env, const char *type, const char *desc, ...) {
    va_list args;
    jclass c = (*env)->FindClass(env, type);
    jmethodID m = c ? (*env)->GetMethodID(env, c, "<init>", desc) : NULL;
    if (!m) return NULL;
    va_start(args, desc);
    jobject o = (*env)->NewObjectV(env, c, m, args);
    va_end(args);
    return (*env)->ExceptionCheck(env) ? NULL : o;
}

char *swap_take_exception(JNIEnv *env) {
    jthrowable e = (*env)->ExceptionOccurred(env);
    char *out = NULL;
    if (!e) return NULL;
    (*env)->ExceptionClear(env);
    jclass c = (*env)->GetObjectClass(env, e);
    jmethodID m = (*env)->GetMethodID(env, c, "toString", "()Ljava/lang/String;");
    jstring s = m ? (*env)->CallObjectMethod(env, e, m) : NULL;
    if (!(*env)->ExceptionCheck(env)) out = agent_string(env, s);
    if (!out) out = strdup("an exception");
    (*env)->ExceptionClear(env);
    return out;
}
