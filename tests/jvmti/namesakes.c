/* SPDX-License-Identifier: Apache-2.0 */
/* A library of the class Namesakes, no agent; the other names are in agent_prefix.c. */
#include <jni.h>

JNIEXPORT jstring JNICALL Java_Namesakes_agentShort__(JNIEnv *env, jclass c) {
    return (*env)->NewStringUTF(env, "library, long");
}
JNIEXPORT jstring JNICALL Java_Namesakes_agentLong(JNIEnv *env, jclass c) { return (*env)->NewStringUTF(env, "library, short"); }
JNIEXPORT jstring JNICALL Java_Namesakes_bothLong__(JNIEnv *env, jclass c) { return (*env)->NewStringUTF(env, "library, long"); }
