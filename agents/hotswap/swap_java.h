/* SPDX-License-Identifier: Apache-2.0 */
/* swap_java.h - names and exceptions of Java, for the parts of the agent that call it. */
#ifndef SWAP_JAVA_H
#define SWAP_JAVA_H

#include <jni.h>

/* "a/b/C" as Class.forName wants it: a local reference, or NULL. */
jstring swap_dotted(JNIEnv *env, const char *name);
/* Calls a method of the object, which may be NULL; NULL also with an exception, which stays. */
jobject swap_call(JNIEnv *env, jobject o, const char *method, const char *desc, ...);
/* A new object by the constructor of that form; likewise. */
jobject swap_new(JNIEnv *env, const char *type, const char *desc, ...);
/* Clears what is pending and gives it as text, to be freed; NULL if nothing is, or without memory. */
char *swap_take_exception(JNIEnv *env);

#endif
