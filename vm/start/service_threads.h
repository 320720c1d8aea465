/* SPDX-License-Identifier: Apache-2.0 */
/* VM-made Java threads: Signal Dispatcher, Attach Listener. */
#ifndef GRAFT_START_SERVICE_THREADS_H
#define GRAFT_START_SERVICE_THREADS_H

#include "thread/thread.h"

void service_threads_start(Thread *t);
/* A daemon thread of the system group that Java sees.  False: it could not be started. */
bool service_thread_start(Thread *t, const char *name, int priority, void (*entry)(Thread *, void *));

#endif
