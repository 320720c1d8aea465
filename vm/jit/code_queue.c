/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Methods that wait to be compiled, and the thread that compiles them (-XX:+BackgroundCompilation).
 *
 * The thread is made when the first method is hot, by pthread_create alone, and attaches itself: who finds a method hot is in the
 * midst of a call and must not stop, which starting a Java thread may.  If there can be no thread, methods are compiled by
 * their callers.
 *
 * It waits in NATIVE.  For a method it returns to JAVA, and only then takes it off the queue: from there to publication it
 * does not poll, like any thread that compiles (policy.c).  So a pause waits for one method at most, whose size is bounded, and
 * what is taken cannot be freed meanwhile; what is still queued is taken off by whoever frees it (queue_forget).
 *
 * With the optimiser it also asks every few milliseconds which compiled code runs (code_sample.c), and what was met often enough is optimised
 * when nothing else waits.  That takes long, so when somebody wants a pause it is given up, and comes first when the pause is over; MOST_YIELDS times,
 * so that a program that pauses all the time gets optimised code, too.
 *
 * What it worked with goes back to the system when it has rested for RESTED_MS.
 *
 * The hottest is compiled first, of equals the one that has waited longest.  Lock: queue_lock; its holders do not stop.
 */
#include "core/lock.h"
#include "core/options.h"
#include "exec/throw.h"
#include "jit/policy.h"
#include "object/class.h"
#include "object/method.h"
#include "object/symbol.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_WAITING = 20000, MOST_HOT = 64, MOST_YIELDS = 2, RESTED_MS = 1000 };

static VmLock queue_lock = VM_LOCK(COMPILE_QUEUE);
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static Method **waiting; /* [lock: queue_lock], in the order they came; so are the rest */
static u4 n_waiting, room;
static enum { NOT_YET, RUNNING, BROKEN } worker;
static Hot hot[MOST_HOT + 1]; /* to be optimised, in the order they came [lock: queue_lock]; one place is for what was given up */
static u4 n_hot;
static u4 rested_ms; /* of the thread: since the last work */

static void give_back(Method *m) {
    method_set_heat(m, 0);
    __atomic_store_n(&m->tier_state, TIER_COUNTING, __ATOMIC_RELEASE);
}

/* In JAVA, not to stop before the method is compiled.  NULL: it was freed. */
static Method *take_hottest(void) {
    Method *m = NULL;
    lock_take(&queue_lock);
    if (n_waiting) {
        u4 best = 0;
        for (u4 i = 1; i < n_waiting; i++)
            if (method_heat(waiting[i]) > method_heat(waiting[best])) best = i;
        m = waiting[best];
        memmove(&waiting[best], &waiting[best + 1], (--n_waiting - best) * sizeof *waiting);
    }
    lock_release(&queue_lock);
    return m;
}

static Hot take_hot(void) {
    lock_take(&queue_lock);
    Hot h = n_hot ? hot[0] : (Hot){.m = NULL};
    if (h.m) memmove(&hot[0], &hot[1], --n_hot * sizeof *hot);
    lock_release(&queue_lock);
    return h;
}

/* This thread has not stopped since it took h off. */
static void put_in_front(Hot h) {
    lock_take(&queue_lock);
    memmove(&hot[1], &hot[0], n_hot++ * sizeof *hot);
    hot[0] = h;
    lock_release(&queue_lock);
}

static void optimise(Hot h) {
    if (!h.m || jit_optimise(h, h.n_yields < MOST_YIELDS)) return;
    h.n_yields++;
    put_in_front(h);
}

static bool sleep_until(const struct timespec *end) {
    lock_only_this(&queue_lock);
    return pthread_cond_timedwait(&came, &queue_lock.mutex, end) != ETIMEDOUT;
}

/* False: the time for samples has come. */
static bool wait_for_some(const struct timespec *end) {
    bool in_time = true;
    lock_take(&queue_lock);
    while (!n_waiting && !n_hot && in_time) {
        if (end) in_time = sleep_until(end);
        else lock_wait(&came, &queue_lock);
    }
    lock_release(&queue_lock);
    return in_time;
}

static void next_sample(struct timespec *at, u4 ms) {
    clock_gettime(CLOCK_REALTIME, at);
    at->tv_nsec += (long)ms * 1000000;
    at->tv_sec += at->tv_nsec / 1000000000;
    at->tv_nsec %= 1000000000;
}

/* Optimising needs megabytes, which free leaves resident below what is still used.  They are given back once nothing was compiled for RESTED_MS. */
static void rest(u4 ms) {
    bool rested = rested_ms >= RESTED_MS;
    if (!rested && (rested_ms += ms) >= RESTED_MS) malloc_trim(0);
}

static void wait_for_work(Thread *t) {
    static struct timespec end;
    thread_to_native(t);
    if (!jit_optimises()) wait_for_some(NULL);
    else
        while (!wait_for_some(&end)) {
            u4 ms = sample_threads();
            next_sample(&end, ms);
            rest(ms);
        }
    rested_ms = 0;
    thread_to_java(t);
}

static void give_up(void) {
    lock_take(&queue_lock);
    worker = BROKEN;
    while (n_waiting) give_back(waiting[--n_waiting]);
    lock_release(&queue_lock);
}

static void *work(void *arg) {
    Thread *t = thread_attach_current("Base Compiler", true);
    if (!t) return give_up(), NULL;
    for (;;) {
        wait_for_work(t);
        Method *m = take_hottest();
        if (m && !jit_compile_queued(m)) give_back(m);
        if (!m) optimise(take_hot());
    }
}

static bool start_worker(void) {
    pthread_t thread;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    bool ok = pthread_create(&thread, &attr, work, NULL) == 0;
    pthread_attr_destroy(&attr);
    worker = ok ? RUNNING : BROKEN;
    return ok;
}

static bool grow(void) {
    if (n_waiting < room) return true;
    u4 n = room ? 2 * room : 64;
    Method **more = n <= MOST_WAITING ? realloc(waiting, n * sizeof *more) : NULL;
    if (!more) return false;
    waiting = more;
    room = n;
    return true;
}

bool queue_add(Method *m) {
    lock_take(&queue_lock);
    bool ok = worker == RUNNING || (worker == NOT_YET && start_worker());
    if (ok && method_tier(m) == TIER_COUNTING && (ok = grow())) {
        waiting[n_waiting++] = m;
        __atomic_store_n(&m->tier_state, TIER_QUEUED, __ATOMIC_RELEASE);
        pthread_cond_signal(&came);
    }
    lock_release(&queue_lock);
    return ok;
}

bool queue_add_hot(Hot h) {
    lock_take(&queue_lock);
    bool ok = worker == RUNNING, room_left = n_hot < MOST_HOT;
    if (ok && room_left) {
        hot[n_hot++] = h;
        pthread_cond_signal(&came);
    }
    if (!room_left && h.loop == WHOLE_METHOD) h.m->optimised = OPT_NOT_YET;
    lock_release(&queue_lock);
    return ok;
}

/* World stopped. */
void queue_forget(const ClassVersion *v) {
    u4 kept = 0;
    lock_take(&queue_lock);
    for (u4 i = 0; i < n_waiting; i++)
        if (waiting[i]->version != v) waiting[kept++] = waiting[i];
    n_waiting = kept;
    kept = 0;
    for (u4 i = 0; i < n_hot; i++)
        if (hot[i].m->version != v) hot[kept++] = hot[i];
    n_hot = kept;
    lock_release(&queue_lock);
}

static void print_waiting(FILE *out, const Method *m, int level, int loop) {
    char name[512], at[32] = "";
    if (loop != WHOLE_METHOD) snprintf(at, sizeof at, " @ %d", loop);
    fprintf(out, "%4s %c%c%c   %d       %s::%s%s (%u bytes)\n", "", loop != WHOLE_METHOD ? '%' : ' ',
            m->access & ACC_SYNCHRONIZED ? 's' : ' ', m->n_handlers ? '!' : ' ', level,
            class_external_name(m->holder, name, sizeof name), m->name->bytes, at, m->code_len);
}

void jit_print_queue(FILE *out) {
    lock_take(&queue_lock);
    for (u4 i = 0; i < n_waiting; i++) print_waiting(out, waiting[i], LEVEL_BASE, WHOLE_METHOD);
    for (u4 i = 0; i < n_hot; i++) print_waiting(out, hot[i].m, LEVEL_OPTIMISED, hot[i].loop);
    if (!n_waiting && !n_hot) fprintf(out, "Empty\n");
    lock_release(&queue_lock);
}
