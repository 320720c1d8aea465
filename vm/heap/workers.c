/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that help in a pause.
 *
 * Worker 0 is the thread that runs the collection; the others are made when they are first wanted and then
 * sleep on `epoch`. They are no Java threads: no Thread record, no signals, no allocation in the heap; the
 * safepoint does not know them.  They touch the heap only between workers_start and workers_join of a
 * thread that has the world stopped.
 *
 * A job must be right with any number of workers, one included, and when a worker comes late: work is handed
 * out by claiming (stripes, pool of mark.c), and workers_join takes back the places of helpers that have not
 * begun yet, so that a busy machine never makes worker 0 wait for a helper to be scheduled.
 */
#include "core/options.h"
#include "heap/heap_int.h"
#include "os/os.h"

#include <signal.h>
#include <stdio.h>

enum { HELPER_STACK = 256 << 10, SPINS = 2000 };

static int n_workers = 1; /* worker 0 included */
static bool helpers_made;
static void (*job)(int worker);
static _Atomic u4 epoch;   /* futex: a job was published */
static _Atomic int places; /* helpers that may still begin this job */
static _Atomic u4 running; /* futex: helpers inside the job */

void workers_init(void) {
    int cpus = os_processors();
    int n = vm_options.gc_threads  ? (int)vm_options.gc_threads
            : vm_options.serial_gc ? 1
            : cpus <= 8            ? cpus
                                   : 8 + (cpus - 8) * 5 / 8;
    n_workers = n < 1 ? 1 : n > MAX_WORKERS ? MAX_WORKERS : n;
}

int heap_gc_threads(void) { return n_workers; }

static bool take_place(void) {
    int n = atomic_load(&places);
    while (n > 0)
        if (atomic_compare_exchange_weak(&places, &n, n - 1)) return true;
    return false;
}

static void leave_job(void) {
    if (atomic_fetch_sub(&running, 1) == 1) os_futex_wake(&running, 1);
}

static void *helper_main(void *arg) {
    int worker = (int)(intptr_t)arg;
    char name[16];
    snprintf(name, sizeof name, "GC Thread#%d", worker);
    os_set_thread_name(name);
    for (u4 seen = 0;;) {
        while (atomic_load(&epoch) == seen) os_futex_wait(&epoch, seen, 0);
        seen = atomic_load(&epoch);
        atomic_fetch_add(&running, 1); /* before taking the place: workers_join looks in the other order */
        if (take_place()) job(worker);
        leave_job();
    }
    return NULL;
}

/* Helpers for which there is no thread or memory are done without. */
static void make_helpers(void) {
    helpers_made = true;
    sigset_t all, old;
    pthread_attr_t attr;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV), sigdelset(&all, SIGBUS), sigdelset(&all, SIGFPE), sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, HELPER_STACK);
    for (int i = 1; i < n_workers; i++) {
        pthread_t id;
        if (!mark_worker_init(i) || pthread_create(&id, &attr, helper_main, (void *)(intptr_t)i)) n_workers = i;
    }
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void workers_start(void (*fn)(int worker)) {
    if (n_workers > 1 && !helpers_made) make_helpers();
    if (n_workers == 1) return;
    job = fn;
    atomic_store(&places, n_workers - 1);
    atomic_fetch_add(&epoch, 1);
    os_futex_wake(&epoch, INT32_MAX);
}

void workers_join(void) {
    if (n_workers == 1) return;
    atomic_store(&places, 0);
    for (int i = 0; i < SPINS && atomic_load(&running); i++) cpu_pause();
    for (u4 n; (n = atomic_load(&running));) os_futex_wait(&running, n, 0);
}

/* ---- stripes ---- */

static _Atomic size_t next_stripe;
static size_t n_stripes;
static void (*stripe_fn)(size_t stripe, int worker);

void stripes_reset(size_t blocks) {
    n_stripes = (blocks + STRIPE_BLOCKS - 1) / STRIPE_BLOCKS;
    atomic_store(&next_stripe, 0);
}

bool stripe_claim(size_t *stripe) {
    if (atomic_load_explicit(&next_stripe, memory_order_relaxed) >= n_stripes) return false;
    *stripe = atomic_fetch_add(&next_stripe, 1);
    return *stripe < n_stripes;
}

static void stripe_job(int worker) {
    size_t s;
    while (stripe_claim(&s)) stripe_fn(s, worker);
}

void workers_stripes(size_t blocks, void (*fn)(size_t stripe, int worker)) {
    stripes_reset(blocks);
    stripe_fn = fn;
    bool many = n_stripes > 64; /* else it is done before a helper wakes up */
    if (many) workers_start(stripe_job);
    stripe_job(0);
    if (many) workers_join();
}
