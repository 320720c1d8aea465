/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JVM TI raw monitors: recursive locks with wait and notify that know nothing of Java objects and
 * work while the world is stopped.
 *
 * A pthread mutex is the lock; `owner` and `count` make it recursive.  The wait list is guarded by
 * the mutex itself.  A waiter sleeps on its thread's event word, so interruption reaches it as it
 * reaches Object.wait.  Entered in state JAVA, blocking leaves JAVA for its duration; entered in
 * NATIVE (the usual case: agents), nothing changes state.
 *
 * A suspended thread does not become owner: it would keep the monitor from the thread that is to
 * resume it (JDWP takes one lock for both).  One that is suspended as owner runs on in its native code.
 */
#include "thread/monitor.h"
#include "os/os.h"
#include "thread/thread_int.h"

#include <stdlib.h>
#include <string.h>

#define RAW_MAGIC 0x72617721u

typedef struct RawWaiter {
    struct RawWaiter *next;
    Thread *t;
    _Atomic bool notified;
} RawWaiter;

struct RawMonitor {
    u4 magic;
    char *name;
    pthread_mutex_t mutex;
    _Atomic(void *) owner; /* me() of that thread */
    int count;
    RawWaiter *first;
};

/* Who calls: also a thread that is not attached (yet), for agents lock in Agent_OnLoad and may
 * leave in a later phase, on the thread that became "main" meanwhile. */
static void *me(void) {
    static _Thread_local char here;
    return &here;
}

RawMonitor *raw_monitor_create(const char *name) {
    RawMonitor *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->name = strdup(name ? name : ""); /* only for dumps */
    pthread_mutex_init(&m->mutex, NULL);
    m->magic = RAW_MAGIC;
    return m;
}

bool raw_monitor_valid(const RawMonitor *m) { return m && ((uintptr_t)m & 7) == 0 && m->magic == RAW_MAGIC; }

static bool suspended_in_native(Thread *t) {
    return t && atomic_load(&t->poll) & POLL_SUSPEND && atomic_load(&t->state) == THREAD_NATIVE;
}

static void lock_mutex(RawMonitor *m, Thread *t) {
    if (pthread_mutex_trylock(&m->mutex) == 0) {
        if (LIKELY(!suspended_in_native(t))) return;
        pthread_mutex_unlock(&m->mutex);
    }
    if (t && atomic_load(&t->state) == THREAD_JAVA && !op_owner_is_self()) {
        /* Never sleep at a safepoint as owner of a monitor the stopping thread may want. */
        for (;;) {
            thread_to_native(t);
            pthread_mutex_lock(&m->mutex);
            if (!(atomic_load(&t->poll) & POLL_STOP)) break;
            pthread_mutex_unlock(&m->mutex);
            thread_to_java(t);
            if (pthread_mutex_trylock(&m->mutex) == 0) return;
        }
        thread_to_java(t);
        return;
    }
    for (;;) {
        pthread_mutex_lock(&m->mutex);
        if (!suspended_in_native(t)) return;
        pthread_mutex_unlock(&m->mutex);
        thread_sleep_while_suspended(t);
    }
}

int raw_monitor_enter(RawMonitor *m) {
    Thread *t = thread_self();
    if (atomic_load(&m->owner) == me()) {
        m->count++;
        return 0;
    }
    lock_mutex(m, t);
    atomic_store(&m->owner, me());
    m->count = 0;
    return 0;
}

int raw_monitor_exit(RawMonitor *m) {
    if (atomic_load(&m->owner) != me()) return -1;
    if (m->count > 0) {
        m->count--;
        return 0;
    }
    atomic_store(&m->owner, NULL);
    pthread_mutex_unlock(&m->mutex);
    return 0;
}

int raw_monitor_destroy(RawMonitor *m) {
    void *owner = atomic_load(&m->owner);
    if (owner && owner != me()) return -1;
    if (owner) {
        atomic_store(&m->owner, NULL);
        pthread_mutex_unlock(&m->mutex);
    }
    m->magic = 0;
    pthread_mutex_destroy(&m->mutex);
    free(m->name);
    free(m);
    return 0;
}

static void remove_waiter(RawMonitor *m, RawWaiter *w) {
    for (RawWaiter **p = &m->first; *p; p = &(*p)->next)
        if (*p == w) return (void)(*p = w->next);
}

/* True when interrupted; the interrupt is consumed then, as java.lang.Object.wait does. */
static bool sleep_raw(Thread *t, RawWaiter *w, int64_t deadline) {
    for (;;) {
        atomic_store(&t->event, 0);
        if (atomic_load(&w->notified)) return false;
        if (thread_is_interrupted(t, true)) return true;
        if (!os_futex_wait(&t->event, 0, deadline)) return false;
    }
}

int raw_monitor_wait(RawMonitor *m, int64_t ms) {
    Thread *t = thread_self();
    if (!t || atomic_load(&m->owner) != me()) return -1;
    if (thread_is_interrupted(t, true)) return -2;
    RawWaiter w = {.t = t};
    RawWaiter **tail = &m->first;
    while (*tail) tail = &(*tail)->next;
    *tail = &w;
    int count = m->count;
    int64_t deadline = ms > 0 ? deadline_after_millis(ms) : 0;
    bool in_java = atomic_load(&t->state) == THREAD_JAVA && !op_owner_is_self();
    atomic_store(&m->owner, NULL);
    pthread_mutex_unlock(&m->mutex);
    if (in_java) thread_to_native(t);
    bool interrupted = sleep_raw(t, &w, deadline);
    if (in_java) thread_to_java(t);
    lock_mutex(m, t);
    atomic_store(&m->owner, me());
    m->count = count;
    if (atomic_load(&w.notified)) return 0;
    remove_waiter(m, &w);
    return interrupted ? -2 : 0;
}

int raw_monitor_notify(RawMonitor *m, bool all) {
    if (atomic_load(&m->owner) != me()) return -1;
    while (m->first) {
        RawWaiter *w = m->first;
        Thread *t = w->t;
        m->first = w->next;
        atomic_store(&w->notified, true);
        thread_event_set(t); /* t cannot leave its wait before it has the mutex */
        if (!all) break;
    }
    return 0;
}
