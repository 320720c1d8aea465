/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks of the VM and of JVM TI, and their order.
 *
 * Every lock has a rank (lock_ranks.def).  A thread that holds locks takes only one of a later rank than all of them, so no circle
 * of threads can wait for each other; two locks of one rank are never held together.  The debug build keeps the ranks held
 * by each thread and ends the process before it takes a lock against the order, on the first run and whatever other threads
 * do.  In the release build a VmLock is its mutex.
 *
 * Three rules follow from one: to stop, that is to poll, to return to JAVA, or to run a pause, is to wait for whoever stops the
 * world; and he holds the lock of rank THREADS.  Hence, with the checks in thread/guard.h:
 *   - whoever may stop holds no lock from rank THREADS on;
 *   - a lock after THREADS may be taken inside a pause: its holders never stop, so they give it back;
 *   - a lock before THREADS may be held over stops, and is never taken in a pause.
 * Only the lock of rank THREADS is recursive.  Foreign code (hooks, callbacks of agents, Java) is called with no lock at all,
 * for nobody knows what it takes; in a pause with that of the pause: lock_none_from(0, what).
 *
 * Not ranked: raw monitors of agents and of the class library (JVM_RawMonitorEnter): they are locks of their users, held while no
 * lock of the VM is.
 */
#ifndef GRAFT_CORE_LOCK_H
#define GRAFT_CORE_LOCK_H

#include "core/types.h"

#include <pthread.h>

typedef enum LockRank {
#define LOCK_RANK(NAME, what) RANK_##NAME,
#include "core/lock_ranks.def"
    RANK_COUNT
} LockRank;

typedef struct VmLock {
    pthread_mutex_t mutex;
#ifdef GRAFT_DEBUG
    LockRank rank;
#endif
} VmLock;

#ifdef GRAFT_DEBUG
#define VM_LOCK(NAME) \
    { PTHREAD_MUTEX_INITIALIZER, RANK_##NAME }
void lock_about_to_take(const VmLock *l); /* FATAL if it is against the order */
void lock_taken(const VmLock *l);
void lock_given_back(const VmLock *l);
void lock_only_this(const VmLock *l); /* FATAL if another one is held: its owner would sleep with it */
/* FATAL if a lock of that rank or a later one is held (in a pause: later than THREADS); what: the caller's doing. */
void lock_none_from(LockRank rank, const char *what);
void lock_pause(bool on); /* the caller has stopped the world, or lets it go on */
#else
#define VM_LOCK(NAME) \
    { PTHREAD_MUTEX_INITIALIZER }
static inline void lock_about_to_take(const VmLock *l) {}
static inline void lock_taken(const VmLock *l) {}
static inline void lock_given_back(const VmLock *l) {}
static inline void lock_only_this(const VmLock *l) {}
static inline void lock_none_from(LockRank rank, const char *what) {}
static inline void lock_pause(bool on) {}
#endif

static inline void lock_init(VmLock *l, LockRank rank) {
    pthread_mutex_init(&l->mutex, NULL);
#ifdef GRAFT_DEBUG
    l->rank = rank;
#endif
}
static inline void lock_destroy(VmLock *l) { pthread_mutex_destroy(&l->mutex); }
static inline void lock_take(VmLock *l) {
    lock_about_to_take(l);
    pthread_mutex_lock(&l->mutex);
    lock_taken(l);
}
static inline bool lock_try(VmLock *l) {
    lock_about_to_take(l);
    if (pthread_mutex_trylock(&l->mutex) != 0) return false;
    lock_taken(l);
    return true;
}
static inline void lock_release(VmLock *l) {
    lock_given_back(l);
    pthread_mutex_unlock(&l->mutex);
}
/* HOLDING(&lock); takes it for the rest of the block, however the block is left: what it returns is computed under the lock. */
#define HOLDING(l) VmLock *held_ __attribute__((cleanup(lock_scope_ends))) = lock_scope_begins(l)
static inline VmLock *lock_scope_begins(VmLock *l) {
    lock_take(l);
    return l;
}
static inline void lock_scope_ends(VmLock **l) { lock_release(*l); }
static inline void lock_wait(pthread_cond_t *cond, VmLock *l) {
    lock_only_this(l);
    pthread_cond_wait(cond, &l->mutex);
}

#endif
