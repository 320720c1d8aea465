/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads: creation, the list, ids, exit.
 *
 * A Thread made by thread_start is put on the list in state NEW by its creator, so that its Java
 * object is a root from the first moment; the pthread fills in stack bounds and becomes JAVA.
 * Ids (1..65535, the owner field of thin locks) are reused only after a full round, because a
 * fresh owner id in an old dump or lock word is confusing.
 */
#include "core/events.h"
#include "log/log.h"
#include "thread/thread.h"
#include "core/options.h"
#include "os/os.h"
#include "thread/guard.h"
#include "thread/identity.h"
#include "thread/monitor.h"
#include "thread/thread_int.h"
#include "thread/thread_upcall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TID = 65535, DEFAULT_STACK = 1 << 20, MIN_C_STACK = 256 << 10 };

_Thread_local Thread *thread_self_tls __attribute__((tls_model("initial-exec")));
Thread *threads_head;
bool (*thread_equip)(Thread *t);
void (*thread_unequip)(Thread *t);

static VmLock list_lock = VM_LOCK(THREADS);
static pthread_cond_t last_cond;    /* the number of non-daemon threads fell */
static Thread *threads_tail;        /* [lock: threads] */
static int n_non_daemon;            /* [lock: threads] */
static Thread *by_tid[MAX_TID + 1]; /* [lock: threads] */
static u4 last_tid;

typedef struct StartArgs {
    Thread *t;
    void (*entry)(Thread *, void *);
    void *arg;
} StartArgs;

/* ---- lock ---- */

void threads_lock(void) {
    if (lock_try(&list_lock)) return;
    Thread *t = thread_self();
    if (!t || atomic_load(&t->state) != THREAD_JAVA) return lock_take(&list_lock);
    guard_may_stop("threads_lock");
    for (;;) {
        thread_to_native(t);
        pthread_mutex_lock(&list_lock.mutex);
        if (!(atomic_load(&t->poll) & POLL_STOP)) {
            thread_to_java(t); /* stop bits need the lock, which is ours: does not block */
            lock_taken(&list_lock);
            return;
        }
        pthread_mutex_unlock(&list_lock.mutex);
        thread_to_java(t);
    }
}

void threads_unlock(void) { lock_release(&list_lock); }

/* ---- list and ids; lock held ---- */

static u4 new_tid(Thread *t) {
    for (u4 n = 0; n < MAX_TID; n++) {
        last_tid = last_tid % MAX_TID + 1;
        if (!by_tid[last_tid]) {
            by_tid[last_tid] = t;
            return last_tid;
        }
    }
    return 0;
}

Thread *thread_by_tid(u4 tid) { return tid <= MAX_TID ? by_tid[tid] : NULL; }

static bool link_thread(Thread *t) {
    t->tid = new_tid(t);
    if (!t->tid) return false;
    t->prev = threads_tail; /* in order of creation, as dumps show them */
    if (t->prev) t->prev->next = t;
    else threads_head = t;
    threads_tail = t;
    if (!t->is_daemon) n_non_daemon++;
    return true;
}

static void unlink_thread(Thread *t) {
    if (t->prev) t->prev->next = t->next;
    else threads_head = t->next;
    if (t->next) t->next->prev = t->prev;
    else threads_tail = t->prev;
    by_tid[t->tid] = NULL;
    if (!t->is_daemon) {
        n_non_daemon--;
        pthread_cond_broadcast(&last_cond);
    }
}

/* ---- creation ---- */

void thread_init_subsystem(void) {
    static bool done;
    if (done) return;
    done = true;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&list_lock.mutex, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_cond_init(&last_cond, NULL);
    os_faults_init();
    thread_profiled_init();
}

static Thread *thread_new(const char *name, bool daemon) {
    Thread *t = aligned_alloc(64, ALIGN_UP(sizeof *t, 64));
    if (!t) return NULL;
    memset(t, 0, sizeof *t);
    atomic_store(&t->state, THREAD_NEW);
    t->is_daemon = daemon;
    identity_init(t);
    snprintf(t->name, sizeof t->name, "%s", name ? name : "Thread");
    return t;
}

static void thread_delete(Thread *t) { free(t); }

/* On the thread's own pthread.  The limit leaves room for C code below the last Java entry:
 * exceptions, class loading, a collection, JNI functions of the C library. */
static void adopt_current(Thread *t) {
    t->pthread = pthread_self();
    t->os_tid = os_gettid();
    os_current_stack(&t->c_stack_low, &t->c_stack_base);
    size_t size = (size_t)(t->c_stack_base - t->c_stack_low), reserve = size / 4;
    if (reserve > 256 << 10) reserve = 256 << 10;
    t->c_stack_limit = t->c_stack_low + reserve;
    t->alt_stack = os_alt_stack_install();
    os_faults_unblock();
    thread_self_tls = t;
    thread_profiled_begin(t);
    event_note(EVENTS_THREADS, "%s: 0x%016lx", "Thread added", (uintptr_t)t, 0);
    if (log_on(LOG_OS_THREAD))
        log_print(LOG_OS_THREAD, "Thread \"%s\" attached (tid: %d, pthread id: %lu, stack: 0x%016lx - 0x%016lx (%zuK) ).",
                  t->name, t->os_tid, (unsigned long)t->pthread, (unsigned long)(uintptr_t)t->c_stack_base,
                  (unsigned long)(uintptr_t)t->c_stack_low, size >> 10);
}

Thread *thread_attach_current(const char *name, bool daemon) {
    Thread *t = thread_new(name, daemon);
    if (!t) return NULL;
    threads_lock();
    bool ok = link_thread(t);
    threads_unlock();
    if (!ok) return thread_delete(t), NULL;
    adopt_current(t);
    ok = !thread_equip || thread_equip(t);
    thread_to_java(t);
    if (ok) return t;
    thread_detach_current(t);
    return NULL;
}

void thread_detach_current(Thread *t) {
    monitor_release_all(t);
    event_note(EVENTS_THREADS, "%s: 0x%016lx", "Thread exited", (uintptr_t)t, 0);
    if (log_on(LOG_OS_THREAD))
        log_print(LOG_OS_THREAD, "Thread finished (tid: %d, pthread id: %lu).", t->os_tid, (unsigned long)t->pthread);
    thread_to_native(t);
    threads_lock();
    unlink_thread(t);
    atomic_store(&t->state, THREAD_DEAD);
    if (thread_unequip) thread_unequip(t); /* under the lock: the collector counts on it */
    threads_unlock();
    thread_self_tls = NULL;
    thread_profiled_end();
    os_alt_stack_remove(t->alt_stack);
    thread_delete(t);
}

static void *thread_main(void *p) {
    StartArgs a = *(StartArgs *)p;
    free(p);
    Thread *t = a.t;
    adopt_current(t);
    os_set_thread_name(t->name);
    thread_to_java(t);
    a.entry(t, a.arg);
    thread_detach_current(t);
    return NULL;
}

static bool spawn(StartArgs *a, size_t stack_size) {
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (!stack_size) stack_size = vm_options.stack_size ? vm_options.stack_size : DEFAULT_STACK;
    if (stack_size < MIN_C_STACK) stack_size = MIN_C_STACK;
    int rc = pthread_attr_setstacksize(&attr, ALIGN_UP(stack_size + TSAN_STACK, os_page_size()));
    pthread_t id;
    if (rc == 0) rc = pthread_create(&id, &attr, thread_main, a);
    size_t guard = 0;
    pthread_attr_getguardsize(&attr, &guard);
    if (rc)
        log_print(LOG_OS_THREAD_WARNING,
                  "Failed to start thread \"Unknown thread\" - pthread_create failed (%s) for attributes: stacksize: %zuk, "
                  "guardsize: %zuk, detached.",
                  strerrorname_np(rc), stack_size >> 10, guard >> 10);
    pthread_attr_destroy(&attr);
    return rc == 0;
}

bool thread_start(Object *java_thread, void (*entry)(Thread *, void *), void *arg, size_t stack_size, const char *name,
                  bool daemon, Thread **out) {
    Thread *t = thread_new(name, daemon);
    StartArgs *a = malloc(sizeof *a);
    if (!t || !a) goto no_memory;
    *a = (StartArgs){t, entry, arg};
    t->java_thread = java_thread;
    t->stack_request = stack_size;
    threads_lock();
    bool linked = link_thread(t);
    threads_unlock();
    if (!linked) goto no_memory;
    if (java_thread) upcall_set_eetop(java_thread, t);
    if (out) *out = t;
    /* Equipped here: whoever starts a thread can be told that there is no memory for it, a running one has to do its work. */
    bool equipped = !thread_equip || thread_equip(t);
    if (equipped && spawn(a, stack_size)) return true;
    if (!equipped) log_print(LOG_OS_THREAD_WARNING, "Failed to start thread \"Unknown thread\" - no memory for its Java stack.");
    if (java_thread) upcall_set_eetop(java_thread, NULL);
    if (out) *out = NULL;
    threads_lock();
    unlink_thread(t);
    if (thread_unequip) thread_unequip(t);
    threads_unlock();
no_memory:
    free(a);
    if (t) thread_delete(t);
    return false;
}

/* ---- counting ---- */

/* In NATIVE all the while; the condition drops the lock, so stop operations go on. */
void thread_wait_for_last(Thread *t) {
    int self = t->is_daemon ? 0 : 1;
    thread_to_native(t);
    lock_take(&list_lock);
    while (n_non_daemon > self) lock_wait(&last_cond, &list_lock);
    lock_release(&list_lock);
    thread_to_java(t);
}

Thread *thread_of_java(Object *java_thread) { return java_thread ? upcall_eetop(java_thread) : NULL; }
