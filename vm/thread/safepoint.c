/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State transitions, stop-the-world operations, per-thread handshakes, suspension (D8).
 *
 * One rule carries everything: a thread whose state is not JAVA is stopped.  Its stack pointer and
 * callee-saved registers are in saved_sp/saved_regs, and it cannot return to JAVA while one of
 * the POLL_STOP bits is in its poll word.
 *
 * The handshake between a transition and a stopper is Dekker's:
 *     thread:   state = JAVA;  read poll          stopper:  poll |= bit;  read state
 * Each side must see the other's store or its own must be seen.  Transitions are frequent and
 * stops are rare, so the stopper pays: os_heavy_fence (membarrier) makes every other CPU pass a
 * full fence, and the thread's side needs only program order.  Without membarrier the thread's
 * side has a real fence.
 *
 * POLL_STOP bits are set and cleared only under the threads lock, and a stopper keeps that
 * lock from raising the bits until it has lowered them.  Hence:
 *  - stop requests of all kinds are serialised, and no new thread runs Java meanwhile;
 *  - nobody may wait for the threads lock in state JAVA (threads_lock leaves JAVA to wait), and a
 *    thread that gets the lock while a stop bit of its own is up gives it back before it stops,
 *    so the lock never belongs to a sleeping thread.
 *
 * A stopped thread sleeps on its own poll word as a futex; POLL_WAITING tells the stopper that
 * a wake-up is needed.  The stopper spins briefly, then sleeps on stop_count, which stopping
 * threads bump.  A thread that leaves JAVA by the fast path does not look for stoppers beyond its
 * poll word; the stopper's sleep has a short timeout that covers the race.
 *
 *   word                 states                            writer                              reader
 *   Thread.state         JAVA -> NATIVE                    itself, release, behind saved_sp,   stopper, seq_cst: who saw NATIVE sees the stack,
 *                                                          saved_regs and all it did in JAVA   the registers, the heap
 *   ... NATIVE -> JAVA   JAVA; no stop bit: stays          itself, relaxed, then light fence,  stopper, seq_cst, behind heavy fence
 *                        JAVA; stop bit: back, sleeps      then poll
 *   Thread.poll          stop bits up and down             stopper, seq_cst rmw, [lock:        itself: relaxed at polls (a hint; thread_poll_slow looks
 *                                                          threads]; up: then heavy fence,     again, seq_cst), acquire in thread_to_java: who
 *                                                          then state; down: behind the work   saw the bit down sees what the pause changed
 *   ... POLL_WAITING     set while it sleeps on the word   itself, seq_cst rmw                 stopper, by the rmw that lowers its bit: wakes
 *   ... other bits       events, ASYNC_EXC, STRESS ...     anybody, seq_cst rmw                itself, as above
 *   stop_count           counts stops while anybody waits  who stops, seq_cst, behind state    stopper, before state, then as futex
 *   stoppers_waiting     how many sleep on stop_count      stopper, seq_cst, before state      who stops, behind state; a miss costs the time-out
 *   op_owner, op_active  NULL, false -> set -> back        stopper, [lock: threads]            anybody, seq_cst; only the owner finds itself
 * x86-64: state's release and poll's loads are plain moves; the one order the machine does not keep, the load of poll before the store
 * of state, is membarrier's business (or mfence's, without it).  ARM64: stlr for the store of NATIVE, ldar for poll in thread_to_java;
 * the light fence stays a compiler's fence as long as there is membarrier, which is `dmb ish` on every CPU that runs the process;
 * without it `dmb ish`.  Polls stay plain loads, since nothing is read on the strength of a poll that is 0.
 * Stress: tests/unit/test_vm_heap.c (storm, suspend), tests/java/threads, mode safepoint, tests/schedule.
 *
 * thread_to_native must be a real call: at a call every live value is in memory or in a
 * callee-saved register, and those registers are stored before anything can change them.  It
 * is written in assembly on x86-64 because a C prologue could already have reused one.
 */
#include "core/events.h"
#include "log/log.h"
#include "core/vm.h"
#include "os/os.h"
#include "thread/guard.h"
#include "thread/monitor.h"
#include "thread/thread_int.h"
#include "thread/thread_upcall.h"

#include <unistd.h>

_Atomic u4 safepoint_requested;

static _Atomic u4 stop_count; /* futex the stopper sleeps on */
static _Atomic int stoppers_waiting;
static _Atomic(Thread *) op_owner; /* thread inside a safepoint operation */
static _Atomic bool op_active;

/* ---- transitions ---- */

#ifdef CPU_TO_NATIVE
_Static_assert(sizeof(jmp_buf) >= CPU_KEPT * sizeof(void *), "saved_regs holds the callee-saved registers");
__attribute__((naked)) void thread_to_native(Thread *t) {
    CPU_TO_NATIVE(offsetof(Thread, saved_sp), offsetof(Thread, saved_regs), offsetof(Thread, state), THREAD_NATIVE,
                  offsetof(Thread, poll), POLL_STOP, thread_to_native_slow);
}
#else
/* setjmp leaves the general callee-saved registers readable outside x86. */
void thread_to_native(Thread *t) {
    (void)!setjmp(t->saved_regs);
    t->saved_sp = __builtin_frame_address(0);
    atomic_store_explicit(&t->state, THREAD_NATIVE, memory_order_release);
    if (UNLIKELY(atomic_load_explicit(&t->poll, memory_order_relaxed))) thread_to_native_slow(t);
}
#endif

static void tell_stoppers(void) {
    if (!atomic_load(&stoppers_waiting)) return;
    atomic_fetch_add(&stop_count, 1);
    os_futex_wake(&stop_count, INT32_MAX);
}

void thread_to_native_slow(Thread *t) {
    if (atomic_load(&t->poll) & POLL_STOP) tell_stoppers();
}

void thread_to_java(Thread *t) {
    guard_may_stop("return to Java");
    atomic_store_explicit(&t->state, THREAD_JAVA, memory_order_relaxed);
    os_light_fence();
    if (UNLIKELY(atomic_load_explicit(&t->poll, memory_order_acquire) & POLL_STOP)) thread_to_java_slow(t);
}

static void sleep_while(Thread *t, u4 bits) {
    u4 p = atomic_fetch_or(&t->poll, POLL_WAITING) | POLL_WAITING;
    while (p & bits) {
        os_futex_wait(&t->poll, p, 0);
        p = atomic_load(&t->poll);
    }
    atomic_fetch_and(&t->poll, ~(u4)POLL_WAITING);
}

void thread_sleep_while_suspended(Thread *t) { sleep_while(t, POLL_SUSPEND); }

/* State JAVA has been stored already; take it back as long as somebody wants this thread stopped.
 * saved_sp and saved_regs are still those of the last thread_to_native. */
void thread_to_java_slow(Thread *t) {
    while (atomic_load(&t->poll) & POLL_STOP) {
        atomic_store(&t->state, THREAD_NATIVE);
        tell_stoppers();
        sleep_while(t, POLL_STOP);
        atomic_store(&t->state, THREAD_JAVA);
    }
}

void thread_poll_slow(Thread *t) {
    guard_may_stop("poll");
    if (op_owner_is_self()) return;
    if (atomic_load(&t->poll) & POLL_SAMPLE) atomic_fetch_and(&t->poll, ~(u4)POLL_SAMPLE);
    if (atomic_load(&t->poll) & POLL_STOP) {
        thread_to_native(t);
        thread_to_java(t);
    }
    if (atomic_load(&t->poll) & POLL_ASYNC_EXC && (!t->async_held || atomic_load(&t->memory_fault))) {
        atomic_fetch_and(&t->poll, ~(u4)POLL_ASYNC_EXC);
        Object *ex = t->async_exception;
        t->async_exception = NULL;
        if (ex) t->exception = ex;
        if (atomic_exchange(&t->memory_fault, false) && !t->exception) upcall_throw_memory_fault(t);
    }
}

/* ---- stopping one thread or all; threads lock held ---- */

static void request_stop(Thread *t, u4 bit) { atomic_fetch_or(&t->poll, bit); }

static void end_stop(Thread *t, u4 bit) {
    if (atomic_fetch_and(&t->poll, ~bit) & POLL_WAITING) os_futex_wake(&t->poll, 1);
}

static void wait_until_stopped(Thread *t) {
    for (int i = 0; atomic_load(&t->state) == THREAD_JAVA; i++) {
        if (i < 200) {
            cpu_pause();
            continue;
        }
        u4 seen = atomic_load(&stop_count);
        atomic_fetch_add(&stoppers_waiting, 1);
        if (atomic_load(&t->state) == THREAD_JAVA) os_futex_wait(&stop_count, seen, os_nanos() + (i < 220 ? 50000 : 1000000));
        atomic_fetch_sub(&stoppers_waiting, 1);
    }
}

bool op_owner_is_self(void) {
    Thread *t = thread_self();
    return t && atomic_load(&op_owner) == t;
}

bool safepoint_active(void) { return atomic_load(&op_active); }

static void stop_world(Thread *self) {
    atomic_store(&safepoint_requested, 1);
    FOR_EACH_THREAD(u)
    if (u != self) request_stop(u, POLL_SAFEPOINT);
    os_heavy_fence();
    FOR_EACH_THREAD(u)
    if (u != self) wait_until_stopped(u);
}

static void start_world(Thread *self) {
    FOR_EACH_THREAD(u)
    if (u != self) end_stop(u, POLL_SAFEPOINT);
    atomic_store(&safepoint_requested, 0);
}

/* Locks, publishes this thread's own stack for the scan, stops the others.  thread_to_native here
 * serves to store sp and registers; state goes straight back because the lock is ours. */
static void begin_operation(Thread *t) {
    guard_may_stop_others("safepoint operation");
    threads_lock();
    if (t) {
        u4 state = atomic_load(&t->state);
        if (state == THREAD_JAVA) {
            thread_to_native(t);
            atomic_store(&t->state, state);
        }
        atomic_store(&op_owner, t);
    }
    stop_world(t);
    atomic_store(&op_active, true);
    lock_pause(true);
}

static void run_stopped(Thread *t, void (*op)(void *), void *arg) {
    op(arg);
    lock_pause(false);
    atomic_store(&op_active, false);
    atomic_store(&op_owner, NULL);
    start_world(t);
}

/* Apart, so that its frame does not lie in stacks that are scanned. */
static COLD void run_and_report(Thread *t, const char *why, void (*op)(void *), void *arg) {
    static int64_t last_end; /* [lock: threads] */
    int64_t start = os_nanos();
    begin_operation(t);
    int64_t stopped = os_nanos();
    run_stopped(t, op, arg);
    int64_t end = os_nanos();
    log_print(LOG_SAFEPOINT,
              "Safepoint \"%s\", Time since last: %ld ns, Reaching safepoint: %ld ns, At safepoint: "
              "%ld ns, Total: %ld ns",
              why, (long)(start - (last_end ? last_end : vm.start_nanos)), (long)(stopped - start), (long)(end - stopped),
              (long)(end - start));
    last_end = end;
    threads_unlock();
}

void safepoint_run(const char *why, void (*op)(void *), void *arg) {
    if (op_owner_is_self()) return op(arg);
    Thread *t = thread_self();
    event_note(EVENTS_OPERATIONS, "Executing VM operation: %s", why, 0, 0);
    if (log_on(LOG_SAFEPOINT)) return run_and_report(t, why, op, arg);
    begin_operation(t);
    run_stopped(t, op, arg);
    threads_unlock();
}

void safepoint_freeze(void (*op)(void *), void *arg) {
    if (!op_owner_is_self()) begin_operation(thread_self());
    op(arg); /* the lock and the stop bits stay for ever */
}

void thread_handshake(Thread *target, void (*op)(Thread *, void *), void *arg) {
    Thread *t = thread_self();
    if (target == t || op_owner_is_self()) return op(target, arg);
    guard_may_stop_others("handshake");
    HOLDING_THREADS();
    request_stop(target, POLL_HANDSHAKE);
    os_heavy_fence();
    wait_until_stopped(target);
    op(target, arg);
    end_stop(target, POLL_HANDSHAKE);
}

/* ---- suspension ---- */

void thread_suspend(Thread *target) {
    Thread *t = thread_self();
    threads_lock();
    if (atomic_exchange(&target->suspended, 1) == 0) {
        request_stop(target, POLL_SUSPEND);
        monitor_entering_suspended(target);
    }
    if (target != t && !op_owner_is_self()) {
        os_heavy_fence();
        wait_until_stopped(target);
    }
    threads_unlock();
    if (target == t && atomic_load(&t->state) == THREAD_JAVA) thread_poll(t);
}

void thread_resume(Thread *target) {
    HOLDING_THREADS();
    if (atomic_exchange(&target->suspended, 0)) {
        end_stop(target, POLL_SUSPEND);
        monitor_entering_resumed(target);
    }
}
