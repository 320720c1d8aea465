/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java monitors (D9).  Thin lock in the object header (object/object.h has the
 * picture), inflated on contention, wait, recursion overflow or JNI/TI need;
 * deflated at safepoints.  Also JVM TI raw monitors, which work while the
 * world is stopped.
 */
#ifndef GRAFT_THREAD_MONITOR_H
#define GRAFT_THREAD_MONITOR_H

#include "object/object.h"
#include "thread/thread.h"

bool monitor_enter_slow(Thread *t, Object *o); /* [blocks]; false: OutOfMemoryError is pending [throws] */
bool monitor_exit_slow(Thread *t, Object *o);  /* false + IllegalMonitorStateException [throws] */

/* Fast paths for the interpreter: a CAS on the lock word. */
static inline bool monitor_enter(Thread *t, Object *o) {
    u4 w = atomic_load_explicit(&o->lock, memory_order_relaxed);
    if (LIKELY((w & ~(LOCK_FLAGS_MASK & ~LOCK_INFLATED)) == 0)) { /* free and thin */
        u4 n = w | t->tid << LOCK_OWNER_SHIFT;
        if (LIKELY(atomic_compare_exchange_strong_explicit(&o->lock, &w, n, memory_order_acquire, memory_order_relaxed)))
            return true;
    }
    return monitor_enter_slow(t, o);
}
static inline bool monitor_exit(Thread *t, Object *o) {
    u4 w = atomic_load_explicit(&o->lock, memory_order_relaxed);
    if (LIKELY(!(w & LOCK_INFLATED) && w >> 8 == t->tid << 8)) { /* mine, recursion 0 */
        if (LIKELY(atomic_compare_exchange_strong_explicit(&o->lock, &w, w & LOCK_FLAGS_MASK, memory_order_release,
                                                           memory_order_relaxed)))
            return true;
    }
    return monitor_exit_slow(t, o);
}
/* Without waiting, if the monitor is inflated; false: nothing was done. */
bool monitor_take_inflated(Thread *t, Object *o);
bool monitor_give_inflated(Thread *t, Object *o);
/* Object.wait/notify with all checks; millis 0 = for ever.  False = exception pending. [throws][blocks] */
bool monitor_wait(Thread *t, Object *o, int64_t millis);
bool monitor_notify(Thread *t, Object *o, bool all);
bool monitor_held_by(Thread *t, Object *o);
/* Somebody has locked o, or it has a monitor. */
static inline bool monitor_is_used(const Object *o) {
    return atomic_load_explicit(&o->lock, memory_order_relaxed) & ~(LOCK_FLAGS_MASK & ~LOCK_INFLATED);
}

typedef struct MonitorInfo {
    Thread *owner;
    int entry_count;
} MonitorInfo;
void monitor_info(Object *o, MonitorInfo *out); /* at a safepoint */
/* At a safepoint: threads that want to enter o for the first time, then those in its wait set.  Who has been notified
 * and wants it back is neither. */
void monitor_each_waiter(Object *o, void (*visit)(Thread *, bool in_wait_set, void *), void *arg);
/* For suspension: its bit in target's poll word has been set, or taken back.  The theory is in monitor.c. */
void monitor_entering_suspended(Thread *target);
void monitor_entering_resumed(Thread *target);
/* GC: monitors of live objects are kept; called in the pause. */
void monitor_sweep(bool (*is_live)(Object *));
void monitor_roots(void (*visit)(Object **, void *), void *arg);
/* Release every monitor this thread still owns (JNI MonitorEnter at detach). */
void monitor_release_all(Thread *t);
/* JNI MonitorEnter/MonitorExit: as monitor_enter/exit, but the entry is remembered so that
 * monitor_release_all and JVM TI find it. */
bool monitor_jni_enter(Thread *t, Object *o);
bool monitor_jni_exit(Thread *t, Object *o);
int monitor_jni_held(Thread *t, Object ***objects); /* oldest first; valid until the thread runs on */
void monitor_thread_roots(Thread *t, void (*visit)(Object **, void *), void *arg);

/* --- raw monitors: usable by any attached thread; recursive --- */
typedef struct RawMonitor RawMonitor;
RawMonitor *raw_monitor_create(const char *name);
int raw_monitor_destroy(RawMonitor *m);          /* 0, or -1 when owned by another thread */
int raw_monitor_enter(RawMonitor *m);            /* transitions to native while blocking */
int raw_monitor_exit(RawMonitor *m);             /* -1 not owner */
int raw_monitor_wait(RawMonitor *m, int64_t ms); /* 0, -1 not owner, -2 interrupted */
int raw_monitor_notify(RawMonitor *m, bool all);
bool raw_monitor_valid(const RawMonitor *m);

#endif
