/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug asserts behind the contract tags of core/types.h.  In release builds everything here
 * is empty.
 *   NO_SAFEPOINT { ... }   inside, polling, blocking and collecting are errors: what is read at its beginning still holds at its
 *                          end, whatever pauses change
 * So is whoever holds a lock that pauses take (core/lock.h); there no scope is needed.
 */
#ifndef GRAFT_THREAD_GUARD_H
#define GRAFT_THREAD_GUARD_H

#include "core/lock.h"
#include "thread/thread.h"

#ifdef GRAFT_DEBUG
void guard_enter_no_safepoint(void);
void guard_leave_no_safepoint(const int *scope);
/* Called where a thread may stop, block or collect: no lock is held that is taken in pauses (core/lock.h). */
void guard_may_stop(const char *what);
/* Called where a thread stops others; it may hold the lock of rank THREADS already. */
void guard_may_stop_others(const char *what);
/* The caller must be in state JAVA. */
void guard_in_java(Thread *t, const char *what);
#else
static inline void guard_may_stop(const char *what) {}
static inline void guard_may_stop_others(const char *what) {}
static inline void guard_in_java(Thread *t, const char *what) {}
#endif

/* Left by return and break as well. */
#ifdef GRAFT_DEBUG
#define NO_SAFEPOINT \
    for (int _ns __attribute__((cleanup(guard_leave_no_safepoint))) = (guard_enter_no_safepoint(), 1); _ns; _ns = 0)
#else
#define NO_SAFEPOINT
#endif

#endif
