/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java monitors.
 *
 * Lock word (picture in object/object.h).  Thin: owner id and recursion count in the word, by CAS.
 * Inflated: the word holds an index into the monitor table, the truth is in the Monitor.  The
 * low bits (hash state, gc) stay in the word in both forms; nothing of an object is displaced.
 *
 *   free thin ──CAS──► thin, owned ──contention, wait, count > 255──► inflated
 *        ▲                                                                │
 *        └──────────── deflated in the pause of a safepoint ◄─────────────┘ (idle monitors only)
 *
 * Inflation never waits: the new Monitor copies owner and count from the word it replaces, and one
 * CAS publishes it; if the word changed meanwhile, copy again.  So any thread may inflate a lock
 * that another one holds.
 *
 * Entry.  `owner` is a thread id taken by CAS, only in state JAVA: a suspended or stopped thread
 * thus never becomes owner.  Who must wait tells MonitorContendedEnter first (the callback may last: nobody
 * waits for this thread meanwhile, and the monitor may be deflated, so it starts anew), then appends a
 * Waiter (on its own C stack) to the entry list, and then: clear own event; try the CAS; sleep on
 * the event.  Exit: owner = 0 (seq_cst); if the entry list is not empty, set the event of its first waiter
 * that is neither suspended nor in a callback: the heir.  Either the exiting thread sees the waiter or the waiter's CAS sees
 * owner 0.  As long as the heir has not run, who releases the monitor again wakes nobody: it may be long until it runs, and each wake-up is a call of
 * the kernel.  An heir that runs clears its event first, then `heir`, then tries the CAS: if somebody was faster, that one's exit finds no heir and wakes
 * it again, and a wake-up that comes between leaves its event set.  A waiter leaves the list after it became owner.  Ownership is not handed over: a running thread
 * may barge in, which is what makes contended locks fast; the list makes waiting roughly FIFO.
 *
 * Suspension.  An heir may be suspended before it takes the lock, and all waiters may be suspended when
 * it is released.  No wake-up may end with them:
 *     exit:     owner = 0;  look for a waiter without POLL_SUSPEND
 *     suspend:  poll |= POLL_SUSPEND;  if the target is the heir, or is in an entry list and owner is 0 and there is no heir, wake another
 *     resume:   poll &= ~POLL_SUSPEND;  wake the target if it is in an entry list
 * all seq_cst, so of exit and suspend at least one sees the other.  `Thread.entering` names the monitor;
 * monitors are never unmapped, and a wake-up too many only makes a waiter look again.
 *
 * wait/notify.  The Waiter sits in the wait list, the monitor is released completely.  notify
 * moves the first waiter to the entry list and wakes nobody; exit does.  A waiter that wakes for
 * time-out or interruption moves itself.  All moves are made with m->lock held, by one of:
 *
 *     event                     W_WAIT (in wait list)              W_ENTER (in entry list)
 *     notify, notifyAll         -> W_ENTER, status BLOCKED         not seen any more
 *     time-out, async exception -> W_ENTER by itself, TIMED_OUT    too late: NOTIFIED
 *     interrupt                 -> W_ENTER by itself, INTERRUPTED  too late: NOTIFIED, the status stays set
 *     release by the owner      -                                  wakes the heir
 *     suspend                   may be notified all the same       the heir is another
 *
 * So a notification is never given to a waiter that ends otherwise: none is lost, none counts twice.
 *
 *   word                 states                             writer                                  reader
 *   Object.lock, owner   0 <-> tid, count                   owner or taker, seq_cst cas             acquire; who took it sees what the last
 *                                                                                                   owner did, by the cas
 *   ... inflated         thin -> index of a monitor         anybody in JAVA, seq_cst cas, behind    acquire, then the Monitor's words: index,
 *                                                           owner and count of the new Monitor      object, owner are there
 *   ... back to thin     index -> 0                         in a pause, idle monitors only          the pause orders it; in JAVA a word read
 *                                                                                                   stays valid until the next poll
 *   ... hash bits        0 -> 1                             anybody, seq_cst rmw                    any; kept by all transitions above
 *   Monitor.owner        0 -> tid by cas in JAVA; tid -> 0  taker; owner, seq_cst, behind `count`   who releases: store 0, then entry.head;
 *                                                                                                   who waits: entry.head, then cas (Dekker)
 *   Monitor.count        0, 1, ...                          its owner only, plain                   its owner only
 *   entry.head, wait.head  lists                            seq_cst, [lock: m->lock]                without the lock only to be compared with
 *                                                                                                   NULL, seq_cst
 *   Monitor.heir         NULL -> who was woken -> NULL  seq_cst, [lock: m->lock]; to NULL  who releases, without the lock, behind owner = 0:
 *                                                           by the heir itself, too         NULL, or it will look at owner later
 *   Waiter.state         WAIT -> ENTER, once                seq_cst, [lock: m->lock]                its own thread, behind event = 0
 *   Waiter.away          true while it is in a callback     its own thread                          who looks for an heir, [lock: m->lock]
 *   Thread.event         0 -> 1 (then futex wake)           anybody, seq_cst, behind what it tells  its own thread: 0, then what it waits for,
 *                                                                                                   then sleep on 0
 *   Thread.entering      NULL -> m -> NULL                  [lock: m->lock]                         suspend and resume, [lock: threads]
 * x86-64: every cas and rmw is a full barrier, seq_cst stores are xchg.  ARM64: casal (or ldaxr/stlxr) for the cas, ldar for the words read
 * acquire, stlr and ldar for the two Dekker pairs, which C11 gives for seq_cst (stlr before ldar is kept in order).
 * Stress: test_monitor_storm, test_wait_notify (tests/unit/test_vm_heap.c), java/threads/{Litmus,WaitModel,Locks}, tests/schedule.
 *
 * Locks: m->lock (lists only, never held while sleeping), table_lock (free list, growth).
 * A Monitor that is owned or has waiters is never freed, and threads touch Monitor fields
 * without being in one of its lists only in state JAVA; hence deflation in a pause is safe.
 *
 * Rejected: handing the lock over on exit (convoys).
 */
#include "thread/monitor.h"
#include "core/hooks.h"
#include "core/schedule.h"
#include "os/os.h"
#include "thread/guard.h"
#include "thread/thread_int.h"
#include "thread/thread_upcall.h"

#include <stdlib.h>
#include <string.h>

typedef enum WaiterState { W_ENTER, W_WAIT } WaiterState;

typedef struct Waiter {
    struct Waiter *next, *prev;
    Thread *t;
    _Atomic int state; /* WaiterState; also read without m->lock by its own thread */
    _Atomic bool away; /* in a callback: no heir */
} Waiter;

typedef struct WaiterList {
    _Atomic(Waiter *) head;
    Waiter *tail;
} WaiterList;

typedef struct Monitor {
    _Atomic u4 owner; /* thread id, 0 = free */
    u4 count;         /* recursion beyond the first entry; owner's */
    u4 index;
    bool in_use;
    Object *object;
    VmLock lock;
    WaiterList entry, wait;
    _Atomic(Waiter *) heir; /* woken, and has not looked at owner since */
    struct Monitor *next_free;
} Monitor;

enum {
    CHUNK = 1024,
    MAX_CHUNKS = (1 << 24) / CHUNK,
    SPINS = 60,
    DEFLATE_MIN = 4096 /* monitors in use before a deflation is worth a pause */
};

static Monitor *chunks[MAX_CHUNKS];
static u4 n_chunks;
static Monitor *free_monitors;
static _Atomic u4 n_in_use; /* changed under table_lock, looked at without */
static u4 deflate_at = DEFLATE_MIN;
static VmLock table_lock = VM_LOCK(MONITOR_TABLE);

static inline Monitor *monitor_of(u4 word) {
    u4 index = word >> LOCK_MONITOR_SHIFT;
    return &chunks[index / CHUNK][index % CHUNK];
}

static inline u4 load_word(Object *o) { return atomic_load_explicit(&o->lock, memory_order_acquire); }

/* ---- waiter lists; m->lock held ---- */

static void list_append(WaiterList *l, Waiter *w) {
    w->next = NULL;
    w->prev = l->tail;
    if (w->prev) w->prev->next = w;
    else atomic_store(&l->head, w);
    l->tail = w;
}

static void list_remove(WaiterList *l, Waiter *w) {
    if (w->prev) w->prev->next = w->next;
    else atomic_store(&l->head, w->next);
    if (w->next) w->next->prev = w->prev;
    else l->tail = w->prev;
}

/* w is awake: who releases m from now on wakes again. */
static void forget_heir(Monitor *m, Waiter *w) { atomic_compare_exchange_strong(&m->heir, &w, NULL); }

/* From now on t is woken for m. */
static void entry_append(Monitor *m, Waiter *w) {
    list_append(&m->entry, w);
    atomic_store(&w->t->entering, m);
}

static void entry_remove(Monitor *m, Waiter *w) {
    atomic_store(&w->t->entering, NULL);
    list_remove(&m->entry, w);
    forget_heir(m, w);
}

/* ---- table ---- */

static void add_chunk(void) {
    Monitor *c = n_chunks < MAX_CHUNKS ? calloc(CHUNK, sizeof *c) : NULL;
    if (!c) return;
    for (int i = CHUNK - 1; i >= 0; i--) {
        c[i].index = n_chunks * CHUNK + (u4)i;
        lock_init(&c[i].lock, RANK_MONITOR);
        c[i].next_free = free_monitors;
        free_monitors = &c[i];
    }
    chunks[n_chunks++] = c;
}

/* NULL: no memory, or as many as lock words can name are in use. */
static Monitor *monitor_new(Object *o) {
    HOLDING(&table_lock);
    if (!free_monitors) add_chunk();
    Monitor *m = free_monitors;
    if (m) {
        free_monitors = m->next_free;
        m->in_use = true;
        m->object = o;
        n_in_use++;
    }
    return m;
}

static void monitor_free(Monitor *m) {
    HOLDING(&table_lock);
    m->in_use = false;
    m->object = NULL;
    atomic_store(&m->owner, 0);
    m->count = 0;
    m->next_free = free_monitors;
    free_monitors = m;
    n_in_use--;
}

/* [no-safepoint] NULL when there is no memory for a monitor. */
static Monitor *inflate(Object *o) {
    Monitor *fresh = NULL;
    u4 w = load_word(o);
    while (!(w & LOCK_INFLATED)) {
        if (!fresh && !(fresh = monitor_new(o))) return NULL;
        atomic_store(&fresh->owner, w >> LOCK_OWNER_SHIFT);
        fresh->count = (w & LOCK_REC_MASK) >> LOCK_REC_SHIFT;
        u4 n = fresh->index << LOCK_MONITOR_SHIFT | (w & LOCK_FLAGS_MASK) | LOCK_INFLATED;
        if (atomic_compare_exchange_weak(&o->lock, &w, n)) return fresh;
    }
    if (fresh) monitor_free(fresh);
    return monitor_of(w);
}

/* ---- deflation ---- */

static bool monitor_idle(Monitor *m) {
    return atomic_load(&m->owner) == 0 && !atomic_load(&m->entry.head) && !atomic_load(&m->wait.head);
}

/* World stopped.  Visits used monitors until fn has seen all. */
static void each_monitor(void (*fn)(Monitor *, void *), void *arg) {
    for (u4 c = 0; c < n_chunks; c++)
        for (u4 i = 0; i < CHUNK; i++)
            if (chunks[c][i].in_use) fn(&chunks[c][i], arg);
}

static void deflate(Monitor *m) {
    u4 w = load_word(m->object);
    atomic_store(&m->object->lock, w & LOCK_FLAGS_MASK & ~(u4)LOCK_INFLATED);
    monitor_free(m);
}

static void deflate_if_idle(Monitor *m, void *arg) {
    if (monitor_idle(m)) deflate(m);
}

static void deflate_all(void *arg) {
    each_monitor(deflate_if_idle, NULL);
    deflate_at = n_in_use * 2 < DEFLATE_MIN ? DEFLATE_MIN : n_in_use * 2;
}

static void sweep_one(Monitor *m, void *arg) {
    bool (*is_live)(Object *) = *(bool (**)(Object *))arg;
    if (!is_live(m->object)) monitor_free(m); /* owned or waited-for objects are roots */
    else deflate_if_idle(m, NULL);
}

void monitor_sweep(bool (*is_live)(Object *)) {
    each_monitor(sweep_one, &is_live);
    deflate_at = n_in_use * 2 < DEFLATE_MIN ? DEFLATE_MIN : n_in_use * 2;
}

typedef struct RootArgs {
    void (*visit)(Object **, void *);
    void *arg;
} RootArgs;

static void root_one(Monitor *m, void *arg) {
    RootArgs *a = arg;
    if (!monitor_idle(m)) a->visit(&m->object, a->arg);
}

void monitor_roots(void (*visit)(Object **, void *), void *arg) {
    RootArgs a = {visit, arg};
    each_monitor(root_one, &a);
}

/* ---- entry ---- */

static bool try_own(Monitor *m, u4 tid) {
    u4 free_owner = 0;
    return atomic_load_explicit(&m->owner, memory_order_relaxed) == 0 &&
           atomic_compare_exchange_strong(&m->owner, &free_owner, tid);
}

static bool spin_to_own(Monitor *m, u4 tid) {
    for (int i = 0; i < SPINS; i++) {
        if (try_own(m, tid)) return true;
        cpu_pause();
    }
    return false;
}

/* [lock: m->lock] */
static void choose_heir(Monitor *m) {
    Waiter *w = atomic_load(&m->entry.head);
    while (w && (atomic_load(&w->away) || atomic_load(&w->t->poll) & POLL_SUSPEND)) w = w->next;
    atomic_store(&m->heir, w);
    if (w) thread_event_set(w->t);
}

static void wake_heir(Monitor *m) {
    HOLDING(&m->lock);
    if (!atomic_load(&m->heir)) choose_heir(m);
}

void monitor_entering_suspended(Thread *target) {
    Monitor *m = atomic_load(&target->entering);
    if (!m) return;
    HOLDING(&m->lock);
    Waiter *heir = atomic_load(&m->heir);
    if (heir ? heir->t == target : atomic_load(&m->owner) == 0) choose_heir(m);
}

void monitor_entering_resumed(Thread *target) {
    if (atomic_load(&target->entering)) thread_event_set(target);
}

/* The waiter is in the entry list; returns as owner with the waiter removed. */
static void own_as_waiter(Thread *t, Monitor *m, Waiter *w) {
    for (;;) {
        atomic_store(&t->event, 0);
        forget_heir(m, w);
        u4 free_owner = 0;
        if (atomic_compare_exchange_strong(&m->owner, &free_owner, t->tid)) break;
        THREAD_BLOCKING(t) {
            os_futex_wait(&t->event, 0, 0);
            SCHEDULE_POINT(monitor_heir_woken);
        }
    }
    HOLDING(&m->lock);
    entry_remove(m, w);
}

static bool own_inflated(Thread *t, Monitor *m) {
    if (try_own(m, t->tid)) return true;
    if (atomic_load(&m->owner) != t->tid) return spin_to_own(m, t->tid);
    m->count++;
    return true;
}

/* Spin while somebody else holds the thin lock; true if it became ours. */
static bool spin_thin(Thread *t, Object *o) {
    for (int i = 0; i < SPINS; i++) {
        u4 w = load_word(o);
        if (w & LOCK_INFLATED) return false;
        if (w >> LOCK_OWNER_SHIFT == 0 && atomic_compare_exchange_strong(&o->lock, &w, w | t->tid << LOCK_OWNER_SHIFT))
            return true;
        cpu_pause();
    }
    return false;
}

/* Without waiting; false if another thread has it.  Recursion beyond what a thin lock counts inflates. */
static bool own_now(Thread *t, Object *o) {
    for (;;) {
        u4 w = load_word(o);
        if (w & LOCK_INFLATED) return own_inflated(t, monitor_of(w));
        u4 owner = w >> LOCK_OWNER_SHIFT;
        if (owner == 0) {
            if (atomic_compare_exchange_strong(&o->lock, &w, w | t->tid << LOCK_OWNER_SHIFT)) return true;
        } else if (owner != t->tid) {
            return spin_thin(t, o);
        } else if ((w & LOCK_REC_MASK) != LOCK_REC_MASK) {
            if (atomic_compare_exchange_strong(&o->lock, &w, w + LOCK_REC_ONE)) return true;
        } else if (!inflate(o)) {
            return upcall_throw_oom(t, "monitor"), false;
        }
    }
}

/* The monitor of o, with w in its entry list: from then on it is busy and stays.  Before, a pause could deflate it. */
static Monitor *inflate_for(Object *o, Waiter *w) {
    NO_SAFEPOINT {
        Monitor *m = inflate(o);
        if (!m) return NULL;
        HOLDING(&m->lock);
        entry_append(m, w);
        return m;
    }
    return NULL;
}

/* Returns as owner.  Without memory for a monitor it looks again from time to time. */
static void wait_to_own(Thread *t, Object *o) {
    while (!own_now(t, o)) {
        Waiter w = {.t = t, .state = W_ENTER};
        Monitor *m = inflate_for(o, &w);
        if (m) return own_as_waiter(t, m, &w);
        atomic_store(&t->event, 0);
        THREAD_BLOCKING(t) os_futex_wait(&t->event, 0, deadline_after_millis(1));
    }
}

static void enter_contended(Thread *t, Object *o) {
    guard_may_stop("contended monitor entry");
    t->blocked_on = o;
    int old = thread_set_status(t, JT_BLOCKED);
    HOOK_CALL(MONITOR_CONTENDED_ENTER, monitor_contended_enter, t, o);
    wait_to_own(t, o);
    thread_set_status(t, old);
    t->blocked_on = NULL;
    HOOK_CALL(MONITOR_CONTENDED_ENTERED, monitor_contended_entered, t, o);
}

bool monitor_enter_slow(Thread *t, Object *o) {
    guard_in_java(t, "monitor entry");
    if (UNLIKELY(n_in_use > deflate_at)) safepoint_run("deflate monitors", deflate_all, NULL);
    if (own_now(t, o)) return true;
    if (UNLIKELY(t->exception && monitor_held_by(t, o))) return false; /* no memory to count on */
    enter_contended(t, o);
    return true;
}

/* ---- exit ---- */

static void release(Monitor *m) {
    m->count = 0;
    atomic_store(&m->owner, 0);
    if (atomic_load(&m->entry.head) && !atomic_load(&m->heir)) wake_heir(m);
}

static bool exit_inflated(Thread *t, Monitor *m) {
    if (atomic_load(&m->owner) != t->tid) return false;
    if (m->count) m->count--;
    else release(m);
    return true;
}

bool monitor_exit_slow(Thread *t, Object *o) {
    for (;;) {
        u4 w = load_word(o);
        if (w & LOCK_INFLATED) {
            if (!exit_inflated(t, monitor_of(w))) break;
            return true;
        }
        if (w >> LOCK_OWNER_SHIFT != t->tid) break;
        u4 n = w & LOCK_REC_MASK ? w - LOCK_REC_ONE : w & LOCK_FLAGS_MASK;
        if (atomic_compare_exchange_strong(&o->lock, &w, n)) return true;
    }
    return upcall_throw_not_owner(t), false;
}

bool monitor_take_inflated(Thread *t, Object *o) {
    u4 w = load_word(o);
    return w & LOCK_INFLATED && own_inflated(t, monitor_of(w));
}

bool monitor_give_inflated(Thread *t, Object *o) {
    u4 w = load_word(o);
    return w & LOCK_INFLATED && exit_inflated(t, monitor_of(w));
}

bool monitor_held_by(Thread *t, Object *o) {
    u4 w = load_word(o);
    return (w & LOCK_INFLATED ? atomic_load(&monitor_of(w)->owner) : w >> LOCK_OWNER_SHIFT) == t->tid;
}

/* ---- wait and notify ---- */

typedef enum WaitEnd { WAIT_NOTIFIED, WAIT_TIMED_OUT, WAIT_INTERRUPTED } WaitEnd;

/* NATIVE.  Sleeps until notified or one of the other reasons to go on. */
static WaitEnd sleep_in_wait_list(Thread *t, Waiter *w, int64_t deadline) {
    for (;;) {
        atomic_store(&t->event, 0);
        if (atomic_load(&w->state) != W_WAIT) return WAIT_NOTIFIED;
        if (thread_is_interrupted(t, false)) return WAIT_INTERRUPTED;
        if (thread_has_async(t)) return WAIT_TIMED_OUT;
        if (!os_futex_wait(&t->event, 0, deadline)) return WAIT_TIMED_OUT;
    }
}

/* Time-out or interruption, unless a notification came in time: that wins. */
static bool leave_wait_list(Thread *t, Monitor *m, Waiter *w) {
    HOLDING(&m->lock);
    bool late = atomic_load(&w->state) == W_WAIT;
    if (late) {
        list_remove(&m->wait, w);
        atomic_store(&w->state, W_ENTER);
        atomic_store(&w->away, true);
        entry_append(m, w);
        thread_set_status(t, JT_BLOCKED);
    }
    return late;
}

/* The callback may have entered other monitors: `entering` is set anew, before anybody may choose w as heir. */
static void come_back(Monitor *m, Waiter *w) {
    HOLDING(&m->lock);
    atomic_store(&w->t->entering, m);
    atomic_store(&w->away, false);
}

/* Who was not notified contends like anybody else, events included, but keeps the monitor from deflation by staying
 * in its list. */
static void contend_as_waiter(Thread *t, Monitor *m, Waiter *w) {
    bool tell = atomic_load(&m->owner) != 0;
    if (tell) {
        t->blocked_on = m->object;
        HOOK_CALL(MONITOR_CONTENDED_ENTER, monitor_contended_enter, t, m->object);
    }
    come_back(m, w);
    own_as_waiter(t, m, w);
    t->blocked_on = NULL;
    if (tell) HOOK_CALL(MONITOR_CONTENDED_ENTERED, monitor_contended_entered, t, m->object);
}

/* Releases m, waits, owns m again with the same count. */
static WaitEnd wait_released(Thread *t, Monitor *m, int64_t deadline) {
    Waiter w = {.t = t, .state = W_WAIT};
    u4 count = m->count;
    WaitEnd end = WAIT_NOTIFIED;
    lock_take(&m->lock);
    list_append(&m->wait, &w);
    lock_release(&m->lock);
    release(m);
    THREAD_BLOCKING(t) end = sleep_in_wait_list(t, &w, deadline);
    SCHEDULE_POINT(monitor_wait_over);
    if (leave_wait_list(t, m, &w)) {
        contend_as_waiter(t, m, &w);
    } else {
        end = WAIT_NOTIFIED;
        own_as_waiter(t, m, &w);
    }
    m->count = count;
    return end;
}

static bool check_owner(Thread *t, Object *o) {
    if (monitor_held_by(t, o)) return true;
    return upcall_throw_not_owner(t), false;
}

bool monitor_wait(Thread *t, Object *o, int64_t millis) {
    guard_may_stop("Object.wait");
    if (millis < 0) return upcall_throw_negative_timeout(t), false;
    if (!check_owner(t, o)) return false;
    if (UNLIKELY(!inflate(o))) return upcall_throw_oom(t, "monitor"), false;
    int status = millis ? JT_WAIT_TIMED : JT_WAIT, old = thread_set_status(t, status); /* also in the events */
    HOOK_CALL(MONITOR_WAIT, monitor_wait, t, o, millis);
    if (thread_is_interrupted(t, true)) {
        HOOK_CALL(MONITOR_WAITED, monitor_waited, t, o, false);
        thread_set_status(t, old);
        return upcall_throw_interrupted(t), false;
    }
    int64_t deadline = millis ? deadline_after_millis(millis) : 0;
    t->waiting_on = o;
    WaitEnd end = wait_released(t, inflate(o), deadline);
    t->waiting_on = NULL;
    if (end != WAIT_NOTIFIED) thread_set_status(t, status);
    HOOK_CALL(MONITOR_WAITED, monitor_waited, t, o, end == WAIT_TIMED_OUT);
    thread_set_status(t, old);
    if (end == WAIT_INTERRUPTED && thread_is_interrupted(t, true)) upcall_throw_interrupted(t);
    if (thread_has_async(t)) thread_poll(t);
    return t->exception == NULL;
}

bool monitor_notify(Thread *t, Object *o, bool all) {
    if (!check_owner(t, o)) return false;
    u4 word = load_word(o);
    if (!(word & LOCK_INFLATED)) return true; /* who waits has inflated it */
    Monitor *m = monitor_of(word);
    if (!atomic_load(&m->wait.head)) return true;
    HOLDING(&m->lock);
    for (Waiter *w = atomic_load(&m->wait.head), *next; w; w = all ? next : NULL) {
        next = w->next;
        list_remove(&m->wait, w);
        entry_append(m, w);
        thread_set_status(w->t, JT_BLOCKED); /* it sleeps, or waits for m->lock: its status is ours */
        atomic_store(&w->state, W_ENTER);
    }
    return true;
}

/* ---- monitors entered through JNI ---- */

typedef struct HeldMonitors { /* t->held_monitors: a stack of objects, GC roots */
    u4 used, size;
    Object *objects[];
} HeldMonitors;

bool monitor_jni_enter(Thread *t, Object *o) {
    HeldMonitors *h = t->held_monitors;
    if (!h || h->used == h->size) {
        u4 size = h ? h->size * 2 : 8;
        HeldMonitors *n = realloc(h, sizeof *h + size * sizeof h->objects[0]);
        if (!n) return false;
        if (!h) n->used = 0;
        n->size = size;
        t->held_monitors = h = n;
    }
    h->objects[h->used++] = o;
    if (monitor_enter(t, o)) return true;
    h->used--;
    return false;
}

bool monitor_jni_exit(Thread *t, Object *o) {
    HeldMonitors *h = t->held_monitors;
    if (!monitor_exit(t, o)) return false;
    for (u4 i = h ? h->used : 0; i-- > 0;)
        if (h->objects[i] == o) {
            memmove(&h->objects[i], &h->objects[i + 1], (h->used - i - 1) * sizeof h->objects[0]);
            h->used--;
            break;
        }
    return true;
}

void monitor_thread_roots(Thread *t, void (*visit)(Object **, void *), void *arg) {
    HeldMonitors *h = t->held_monitors;
    for (u4 i = 0; h && i < h->used; i++) visit(&h->objects[i], arg);
}

int monitor_jni_held(Thread *t, Object ***objects) {
    HeldMonitors *h = t->held_monitors;
    *objects = h ? h->objects : NULL;
    return h ? (int)h->used : 0;
}

void monitor_release_all(Thread *t) {
    HeldMonitors *h = t->held_monitors;
    while (h && h->used > 0) {
        Object *o = h->objects[--h->used];
        if (monitor_held_by(t, o)) monitor_exit(t, o);
    }
    free(h);
    t->held_monitors = NULL;
}

/* ---- information ---- */

void monitor_info(Object *o, MonitorInfo *out) {
    memset(out, 0, sizeof *out);
    u4 w = load_word(o);
    if (!(w & LOCK_INFLATED)) {
        out->owner = thread_by_tid(w >> LOCK_OWNER_SHIFT);
        if (out->owner) out->entry_count = (int)((w & LOCK_REC_MASK) >> LOCK_REC_SHIFT) + 1;
        return;
    }
    Monitor *m = monitor_of(w);
    out->owner = thread_by_tid(atomic_load(&m->owner));
    if (out->owner) out->entry_count = (int)m->count + 1;
}

void monitor_each_waiter(Object *o, void (*visit)(Thread *, bool in_wait_set, void *), void *arg) {
    FOR_EACH_THREAD(t)
    if (t->blocked_on == o) visit(t, false, arg);
    u4 word = load_word(o);
    if (!(word & LOCK_INFLATED)) return;
    for (Waiter *w = atomic_load(&monitor_of(word)->wait.head); w; w = w->next) visit(w->t, true, arg);
}
