/* SPDX-License-Identifier: Apache-2.0 */
/* swap_javac.h - the Java compiler: that of the VM the agent sits in, or a command beside it. */
#ifndef SWAP_JAVAC_H
#define SWAP_JAVAC_H

#include "agent.h"

typedef struct SwapJavac {
    const Agent *agent;
    const char *command; /* the compiler to run, or NULL: the VM's own, if it has one */
    jobject tool;        /* javax.tools.Tool, a global reference */
    bool looked;
} SwapJavac;

/* Compiles as the file of arguments says (`@args`). What the compiler printed is in *text, to be freed. 0: fine; other: not compiled;
 * -1: there is no compiler, *text says why. */
int swap_javac_run(SwapJavac *j, JNIEnv *env, const char *args, char **text);

/* Ends a compiler that runs beside the VM; from any thread. */
void swap_javac_stop(void);

/* An argument as such files want it. */
void swap_javac_put(FILE *out, const char *arg);

/* The release to compile for if the compiler is not this VM's: malloc'ed text like "17", NULL if it is. */
char *swap_javac_release(SwapJavac *j, JNIEnv *env);

#endif
