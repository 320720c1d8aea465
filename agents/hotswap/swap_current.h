/* SPDX-License-Identifier: Apache-2.0 */
/* swap_current.h - the bytes that a loaded class runs, from the VM: for classes whose file was never seen as they ran. */
#ifndef SWAP_CURRENT_H
#define SWAP_CURRENT_H

#include "swap_watch.h"

/* Whether the VM can tell; asks for the capability. */
bool swap_current_prepare(const Agent *a);
/* ClassFileLoadHook of the environment. It is off but in swap_current. */
void JNICALL swap_current_hook(jvmtiEnv *ti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain,
                               jint len, const unsigned char *bytes, jint *new_len, unsigned char **new_bytes);
/* malloc'ed; without p if the VM does not tell. The agent's thread alone calls it. */
SwapBytes swap_current(const Agent *a, JNIEnv *env, jclass c);

#endif
