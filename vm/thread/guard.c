/* SPDX-License-Identifier: Apache-2.0 */
/* Debug asserts of guard.h. */
#include "thread/guard.h"

#ifdef GRAFT_DEBUG
static _Thread_local int no_safepoint_depth;

void guard_enter_no_safepoint(void) { no_safepoint_depth++; }

void guard_leave_no_safepoint(const int *scope) { no_safepoint_depth--; }

static void guard_scope(const char *what) {
    if (no_safepoint_depth > 0) FATAL("%s inside a no-safepoint scope (depth %d)", what, no_safepoint_depth);
}

void guard_may_stop(const char *what) {
    guard_scope(what);
    lock_none_from(RANK_THREADS, what);
}

void guard_may_stop_others(const char *what) {
    guard_scope(what);
    lock_none_from(RANK_THREADS + 1, what);
}

void guard_in_java(Thread *t, const char *what) {
    if (t && atomic_load(&t->state) != THREAD_JAVA)
        FATAL("%s by thread %s in state %u, not in Java", what, t->name, atomic_load(&t->state));
}
#endif
