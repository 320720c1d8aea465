/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nat_jni.h - what natives ask of JNI: calls and time of each of its functions, by the native that called it.
 *
 * JNI's table of functions is replaced (JVM TI SetJNIFunctionTable) by one whose functions (a row each of nat_jni.def) find the
 * native that runs, the top frame, and call the VM's. For calls of Java methods the method counts as well; their time is that
 * of all it does. What natives do without JNI is not seen, nor what the VM does by itself.
 */
#ifndef GRAFT_NAT_JNI_H
#define GRAFT_NAT_JNI_H

#include <stdio.h>

#include "agent.h"

/* In the live phase, once. `calls`: count; `refs`: look after references (nat_refs.h). False: logged. */
bool nat_jni_start(Agent *a, bool calls, bool refs);
/* The VM's own functions: what the agent does is not counted. */
const struct JNINativeInterface_ *nat_jni_of_vm(void);
/* By native, most time first; at most `top` natives (0: all). */
void nat_jni_report(FILE *out, size_t top);

#endif
