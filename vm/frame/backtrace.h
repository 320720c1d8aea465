/* SPDX-License-Identifier: Apache-2.0 */
/* Throwable.backtrace: taking it, reading it. */
#ifndef GRAFT_FRAME_BACKTRACE_H
#define GRAFT_FRAME_BACKTRACE_H

#include "thread/thread.h"

/* For Throwable.fillInStackTrace [gc][throws]: sets backtrace and depth. */
void backtrace_fill(Thread *t, Object *throwable);
int backtrace_depth(Object *backtrace);                              /* NULL: 0 */
bool backtrace_frame(Object *backtrace, int i, Method **m, u4 *bci); /* false: no such frame */
bool backtrace_hidden_top(Object *backtrace);                        /* hidden frames lay above the first one */

#endif
