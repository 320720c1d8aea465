/* SPDX-License-Identifier: Apache-2.0 */
/* swap_java.h - names and exceptions of Java, for the parts of the agent that call it. */
#ifndef SWAP_JAVA_H
#define SWAP_JAVA_H

#include <jni.h>

/* "a/b/C" as Class.forName wants it: a local reference, or NULL. */
jstring swap_dotted(JNIEnv *env, const char *name);
/* Clears what is pending and gives it as text, to be freed; NULL if nothing is, or without memory. */
char *swap_take_exception(JNIEnv *env);

#endif
