/* SPDX-License-Identifier: Apache-2.0 */
/* nat_methods.h - methods as text, by jmethodID. */
#ifndef GRAFT_NAT_METHODS_H
#define GRAFT_NAT_METHODS_H

#include "agent.h"

/* "java.io.FileInputStream.read0()", without the prefix of a wrapped native; "?" if it cannot be told. Names are asked for once
 * (a class may be unloaded later) and stay for the whole process. Of JNI only functions of `vm` are called. */
const char *nat_method_name(const Agent *a, const struct JNINativeInterface_ *vm, JNIEnv *env, jmethodID m);

#endif
