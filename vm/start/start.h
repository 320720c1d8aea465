/* SPDX-License-Identifier: Apache-2.0 */
/* The composition root: command line, start-up, shutdown, invocation interface. */
#ifndef GRAFT_START_START_H
#define GRAFT_START_START_H

#include "core/types.h"
#include <jni.h>

/* Bring everything up on the calling thread; on success *env is usable. */
jint startup_run(JNIEnv **env);
void shutdown_init(void); /* from now on vm_halt ends the VM in order */
/* DestroyJavaVM after the last user thread: hooks, VMDeath, OnUnload. */
void shutdown_run(Thread *t);
void invoke_end(void); /* from now on nobody attaches, detaches, or is attached (JNI GetEnv) */
/* Thread glue shared by startup and the invocation interface: makes the java.lang.Thread. */
bool thread_make_java(Thread *t, const char *name, Object *group, bool daemon, int priority);

#endif
