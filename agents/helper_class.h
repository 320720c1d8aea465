/* SPDX-License-Identifier: Apache-2.0 */
/* helper_class.h - the classes that probes call: made by the agent, defined by the boot loader. */
#ifndef GRAFT_HELPER_CLASS_H
#define GRAFT_HELPER_CLASS_H

#include <jni.h>

#include "agent.h"
#include "bci.h"

/* Adds the members of a helper; `name` is its internal name. */
typedef void (*AgentFill)(BciClass *c, const char *name, const void *arg);

/* The class with Unsafe's methods that helpers may call: "jdk/internal/misc/Unsafe", in JDK 8 "sun/misc/Unsafe". */
const char *agent_unsafe(const Agent *a);

/* A word of a text of code that is no instruction: a field, a call, checkcast or instanceof of `owner`, or the constant `value`, an int
 * if op is CF_OP_SIPUSH and a long if it is 0. */
typedef struct AgentWord {
    const char *word; /* NULL: no more */
    unsigned op;
    const char *owner, *name, *desc;
    int64_t value;
} AgentWord;

/* Puts instructions told by texts (up to a NULL) at `p`. A text has blanks between
 *     ladd             an instruction without operands
 *     lload.3          one with a local variable
 *     ifeq.none        a branch to the place `none:` in any of the texts
 *     int.3            a small number
 *     getLong          one of `words`
 *     [3+parent]       U, null and the sum of local 3 and the constant `parent`, as Unsafe wants an address; [3]: of the local
 * What is none of these is an error of the method. */
void agent_assemble(BciPos p, const AgentWord *words, ...);

/* A public final class of that name, version 52, with what `fill` adds, defined by the boot loader: a local reference.
 * NULL: `err` says why, or a Java exception is pending (JNI DefineClass). */
jclass agent_define_class(JNIEnv *env, const char *name, AgentFill fill, const void *arg, CfError *err);

#endif
