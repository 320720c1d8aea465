/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nat_args.h - with which arguments natives are called, and which arguments they call Java methods with.
 *
 * The wrapper of a chosen method hands its arguments over in an array, boxed (nat_weave.h). Here they become a text, and calls
 * with the same text are counted together: bounded, and the common case on top. Values: numbers, characters, the beginning of
 * strings and of byte arrays, lengths of other arrays, classes of other objects. No Java code runs for it.
 */
#ifndef GRAFT_NAT_ARGS_H
#define GRAFT_NAT_ARGS_H

#include <stdarg.h>
#include <stdio.h>

#include "agent.h"
#include "nat_weave.h"

/* In the live phase, once: lets wrappers call. `vm`: functions that are not counted. `records`: the first of all. `patterns`: of
 * Java methods whose upcalls are told. False: logged. */
bool nat_args_start(Agent *a, JNIEnv *env, const struct JNINativeInterface_ *vm, const NatRecord *records, const char *patterns);
/* A call of a Java method by JNI, if it is wanted; its arguments are those of the functions with V and with A. Nothing before the
 * start. */
void nat_args_upcall_v(JNIEnv *env, jmethodID method, va_list list);
void nat_args_upcall_a(JNIEnv *env, jmethodID method, const jvalue *values);
/* Most calls first; at most `top` (0: 100). `methods`: their texts, by record; the parameters there are left out. */
void nat_args_report(FILE *out, const char *const *methods, uint32_t n, size_t top);

#endif
