/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug asserts behind the contract tags of core/types.h.  In release builds everything here
 * is empty.
 *   NO_SAFEPOINT { ... }   inside, polling, blocking and collecting are errors
 */
#ifndef GRAFT_THREAD_GUARD_H
#define GRAFT_THREAD_GUARD_H

#include "thread/thread.h"

#ifdef GRAFT_DEBUG
void guard_enter_no_safepoint(void);
void guard_leave_no_safepoint(void);
/* Called where a thread may stop, block or collect. */
void guard_may_stop(const char *what);
/* The caller must be in state JAVA. */
void guard_in_java(Thread *t, const char *what);
#else
static inline void guard_enter_no_safepoint(void) {}
static inline void guard_leave_no_safepoint(void) {}
static inline void guard_may_stop(const char *what) {}
static inline void guard_in_java(Thread *t, const char *what) {}
#endif

#define NO_SAFEPOINT \
    for (int _ns = (guard_enter_no_safepoint(), 1); _ns; _ns = (guard_leave_no_safepoint(), 0))

#endif
