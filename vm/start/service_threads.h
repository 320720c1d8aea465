/* SPDX-License-Identifier: Apache-2.0 */
/* VM-made Java threads: Signal Dispatcher (and later Attach Listener). */
#ifndef GRAFT_START_SERVICE_THREADS_H
#define GRAFT_START_SERVICE_THREADS_H

#include "thread/thread.h"

void service_threads_start(Thread *t);
/* SIGQUIT: threads, deadlocks, heap on stdout. */
void thread_dump_all(Thread *t);

#endif
