/* SPDX-License-Identifier: Apache-2.0 */
/* What start/ needs from the Java side of threads and signals (jvm_thread.c, jvm_signal.c). */
#ifndef GRAFT_JVM_JVM_THREAD_H
#define GRAFT_JVM_JVM_THREAD_H

#include "thread/thread.h"

/* The Java-level end of the calling thread: uncaught exception (t->exception) to
 * Thread.dispatchUncaughtException, Thread.exit(), ThreadEnd hook, TERMINATED, eetop = 0,
 * notifyAll on the Thread object.  State JAVA before and after.  [gc][blocks] */
void thread_java_exit(Thread *t);
/* group.add(thread), for threads that Java did not start.  Clears exceptions. */
void thread_group_add(Thread *t);
/* A daemon thread of the system group that Java sees.  False: it could not be started. [gc] */
bool service_thread_start(Thread *t, const char *name, int priority, void (*entry)(Thread *, void *));
/* The same, but no list of threads has it, and no ThreadStart tells of it; thread dumps do. [gc] */
bool hidden_thread_start(Thread *t, const char *name, int priority, void (*run)(Thread *));
/* Install the VM's handlers (SIGQUIT unless -Xrs). */
void jvm_signals_init(void);
/* Dispatcher: wait (NATIVE) for the next signal delivered to Java or SIGQUIT; its number. */
int jvm_signal_wait(Thread *t);
/* Called in state NATIVE some ten times a second while the dispatcher waits; NULL: never. */
extern void (*_Atomic jvm_signal_idle)(void);

#endif
