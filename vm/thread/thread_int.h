/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of thread/ only. */
#ifndef GRAFT_THREAD_INT_H
#define GRAFT_THREAD_INT_H

#include "thread/thread.h"

/* What profilers look for (profiled.c): on the thread itself, when it begins and when it ends. */
void thread_profiled_init(void);
void thread_profiled_begin(Thread *t);
void thread_profiled_end(void);
bool op_owner_is_self(void); /* inside an operation of safepoint_run */
/* The caller, in NATIVE, sleeps until it is resumed; its state and what it published stay. */
void thread_sleep_while_suspended(Thread *t);
/* Wake t from any wait on its event word. */
void thread_event_set(Thread *t);
int64_t deadline_after_millis(int64_t millis);
static inline bool thread_has_async(Thread *t) { return atomic_load_explicit(&t->poll, memory_order_relaxed) & POLL_ASYNC_EXC; }

#endif
