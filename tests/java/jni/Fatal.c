/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of Fatal.java. */
#include "jnitest.h"

JNIEXPORT void JNICALL Java_Fatal_die(JNIEnv *env, jclass cls, jstring s) { E->FatalError(env, text_of(env, s)); }
