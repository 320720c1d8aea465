/* SPDX-License-Identifier: Apache-2.0 */
/* The Signal Dispatcher; other VM-made threads start when they are needed. */
#ifndef GRAFT_SERVE_SERVICE_THREADS_H
#define GRAFT_SERVE_SERVICE_THREADS_H

#include "thread/thread.h"

void service_threads_start(Thread *t);

#endif
