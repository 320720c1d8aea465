/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Park permits, sleeping, interrupts.
 *
 * park_permit is a futex word.  Who sleeps on it has it say so, since only then waking takes a system call: most of those
 * who are unparked while locks are contended run already.
 *
 * Interruption: Java sets Thread.interrupted and calls in here only to wake; whoever sleeps looks at the flag after every wake-up, so the order
 * "flag, then wake" on one side and "announce waiting, then look at the flag" on the other
 * cannot lose one.
 */
#include "os/os.h"
#include "thread/thread_int.h"
#include "thread/thread_upcall.h"

static int64_t deadline_after_nanos(int64_t nanos) {
    int64_t now = os_nanos();
    return nanos > INT64_MAX - now ? INT64_MAX : now + nanos;
}

int64_t deadline_after_millis(int64_t millis) {
    return deadline_after_nanos(millis > INT64_MAX / 1000000 ? INT64_MAX : millis * 1000000);
}

bool thread_contention_timed;

typedef enum Rest { REST_NONE, REST_BLOCKED, REST_WAITING } Rest;

static Rest rest_of(int status) {
    return status == JT_BLOCKED                                                   ? REST_BLOCKED
           : status == JT_RUNNABLE || status == JT_NEW || status == JT_TERMINATED ? REST_NONE
                                                                                  : REST_WAITING;
}

static void end_rest(struct ThreadContention *c, Rest was) {
    if (!c->since) return;
    *(was == REST_BLOCKED ? &c->blocked_nanos : &c->waited_nanos) += os_nanos() - c->since;
    c->since = 0;
}

/* Every rest of a thread passes here, so here it is counted. */
int thread_set_status(Thread *t, int status) {
    int old = upcall_thread_status(t->java_thread, status);
    Rest was = rest_of(old), now = rest_of(status);
    if (was == now) return old;
    if (was != REST_NONE) end_rest(&t->contention, was);
    if (now == REST_NONE) return old;
    if (was == REST_NONE) /* Object.wait is one rest, though it gets the lock back on its way and tells that it waited */
        ++*(now == REST_WAITING ? &t->contention.waited : &t->contention.blocked);
    if (thread_contention_timed) t->contention.since = os_nanos();
    return old;
}

bool thread_is_interrupted(Thread *t, bool clear) { return upcall_interrupted(t->java_thread, clear); }

void thread_event_set(Thread *t) {
    if (atomic_exchange(&t->event, 1) == 0) os_futex_wake(&t->event, 1);
}

typedef enum Permit { PERMIT_NONE, PERMIT_GIVEN, PERMIT_AWAITED } Permit;

static _Atomic u4 *permit_word(Thread *t) { return (_Atomic u4 *)&t->park_permit; }

static bool deadline_is_over(bool absolute, int64_t time) { return absolute ? time <= os_millis() : time < 0; }

void thread_park(Thread *t, bool absolute, int64_t time) {
    if (atomic_exchange(&t->park_permit, PERMIT_NONE) == PERMIT_GIVEN) return;
    if (thread_is_interrupted(t, false) || thread_has_async(t)) return;
    bool timed = absolute || time != 0;
    if (timed && deadline_is_over(absolute, time)) return;
    int64_t deadline = !timed ? 0 : absolute ? time : deadline_after_nanos(time);
    int old = thread_set_status(t, timed ? JT_PARKED_TIMED : JT_PARKED);
    THREAD_BLOCKING(t) {
        int none = PERMIT_NONE;
        if (atomic_compare_exchange_strong(&t->park_permit, &none, PERMIT_AWAITED)) {
            if (absolute) os_futex_wait_wall(permit_word(t), PERMIT_AWAITED, deadline);
            else os_futex_wait(permit_word(t), PERMIT_AWAITED, deadline);
        }
        atomic_store(&t->park_permit, PERMIT_NONE);
    }
    thread_set_status(t, old);
}

void thread_unpark(Thread *target) {
    if (atomic_exchange(&target->park_permit, PERMIT_GIVEN) == PERMIT_AWAITED) os_futex_wake(permit_word(target), 1);
}

void thread_interrupt_wakeup(Thread *target) {
    thread_unpark(target);
    thread_event_set(target);
}

bool thread_sleep_millis(Thread *t, int64_t millis) {
    int64_t deadline = deadline_after_millis(millis);
    bool interrupted = false;
    int old = thread_set_status(t, JT_SLEEPING);
    THREAD_BLOCKING(t) {
        for (;;) {
            atomic_store(&t->event, 0);
            interrupted = thread_is_interrupted(t, false);
            if (interrupted || thread_has_async(t)) break;
            if (!os_futex_wait(&t->event, 0, deadline)) break;
        }
    }
    thread_set_status(t, old);
    return !interrupted;
}

void thread_stop(Thread *target, Object *ex) {
    HOLDING_THREADS();
    target->async_exception = ex;
    atomic_fetch_or(&target->poll, POLL_ASYNC_EXC);
    thread_interrupt_wakeup(target);
}
