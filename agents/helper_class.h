/* SPDX-License-Identifier: Apache-2.0 */
/* helper_class.h - the classes that probes call: made by the agent, defined by the boot loader. */
#ifndef GRAFT_HELPER_CLASS_H
#define GRAFT_HELPER_CLASS_H

#include <jni.h>

#include "bci.h"

/* Adds the members of a helper; `name` is its internal name. */
typedef void (*AgentFill)(BciClass *c, const char *name, const void *arg);

/* A public final class of that name, version 52, with what `fill` adds, defined by the boot loader: a local reference.
 * NULL: `err` says why, or a Java exception is pending (JNI DefineClass). */
jclass agent_define_class(JNIEnv *env, const char *name, AgentFill fill, const void *arg, CfError *err);

#endif
