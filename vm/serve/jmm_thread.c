/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JMM: threads.  A snapshot (state, blocker, owner, frames, locks) is taken at a
 * safepoint into malloc'ed records; local handles, made there too, keep what they name, classes of methods included,
 * until ThreadInfo objects have been built from it.
 *
 * Deadlocks: each thread waits for at most one lock, each lock has at most one owner, so "waits for the owner of" is a
 * function on threads.  Walks from every thread number what they meet; a walk that meets a number of its own closes a
 * cycle, one that meets an older number ends in something known.  Ownable synchronizers are reached by parkBlocker.
 */
#include "serve/diag.h"
#include "frame/frame_view.h"
#include "serve/jmm_int.h"

#include "os/os.h"
#include "redefine/redefine.h"
#include "thread/monitor.h"

#include <stdlib.h>

/* A thread whose eetop is gone has ended for Java, though it may still be leaving the list. */
static Thread *find_by_id(int64_t id) { /* [lock: threads] */
    FOR_EACH_THREAD(k) {
        Object *o = thread_object(k);
        if (o && !k->hidden_from_java && JGET_LONG(o, Thread, tid) == id && JGET_LONG(o, Thread, eetop)) return k;
    }
    return NULL;
}

/* ---- CPU time and allocation ---- */

static int64_t cpu_nanos(int64_t id, bool user_and_sys) {
    if (id == 0) return os_thread_cpu_nanos(0, !user_and_sys);
    threads_lock();
    Thread *k = find_by_id(id);
    int os_tid = k ? k->os_tid : 0;
    threads_unlock();
    return os_tid ? os_thread_cpu_nanos(os_tid, !user_and_sys) : -1;
}

jlong jmm_GetThreadCpuTimeWithKind(JNIEnv *env, jlong id, jboolean user_and_sys) {
    IN_JAVA Thread *t = native_enter(env);
    return cpu_nanos(id, user_and_sys);
}
jlong jmm_GetThreadCpuTime(JNIEnv *env, jlong id) { return jmm_GetThreadCpuTimeWithKind(env, id, JNI_TRUE); }
/* out[i] = figure of the thread ids[i] */
static void fill_figures(JNIEnv *env, jlongArray ids, jlongArray figures, int64_t (*figure)(Thread *self, int64_t id)) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(ids), *out = handle_get(figures);
    if (!a || !out) return throw_plain(t, EX_NullPointerException);
    for (int32_t i = 0; i < array_len(a) && i < array_len(out); i++)
        ARRAY_ELEMS(int64_t, out)[i] = figure(t, ARRAY_ELEMS(int64_t, a)[i]);
}

static int64_t all_cpu_nanos(Thread *self, int64_t id) { return cpu_nanos(id, true); }
static int64_t user_cpu_nanos(Thread *self, int64_t id) { return cpu_nanos(id, false); }
void jmm_GetThreadCpuTimesWithKind(JNIEnv *env, jlongArray ids, jlongArray times, jboolean user_and_sys) {
    fill_figures(env, ids, times, user_and_sys ? all_cpu_nanos : user_cpu_nanos);
}

static int64_t allocated(Thread *self, int64_t id) {
    HOLDING_THREADS();
    Thread *k = id == 0 ? self : find_by_id(id);
    return k ? (int64_t)heap_thread_allocated(k) : -1;
}
jlong jmm_GetOneThreadAllocatedMemory(JNIEnv *env, jlong id) {
    IN_JAVA Thread *t = native_enter(env);
    return allocated(t, id);
}
void jmm_GetThreadAllocatedMemory(JNIEnv *env, jlongArray ids, jlongArray sizes) { fill_figures(env, ids, sizes, allocated); }
jlong jmm_GetTotalThreadAllocatedMemory(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    HOLDING_THREADS();
    jlong n = (jlong)heap_allocated_by_ended;
    FOR_EACH_THREAD(k) n += (jlong)heap_thread_allocated(k);
    return n;
}

/* ---- snapshots ---- */

typedef struct Lock {
    Object *object;
    int depth; /* index of the frame that holds it */
} Lock;
typedef struct Snapshot {
    Object *thread, *blocker, *owner;
    const Class *kept; /* jvm_keep_class */
    int status;
    bool found, suspended, in_native;
    CF_VEC(FrameLine) frames;
    u4 max_frames;
    CF_VEC(Lock) locks;
    bool want_locks, failed;
    CF_VEC(Object *) synchronizers; /* owned java.util.concurrent locks */
    struct ThreadContention contention;
} Snapshot;
typedef struct SnapshotRequest {
    int64_t *ids;
    Snapshot *snaps;
    int n;
    bool want_synchronizers;
} SnapshotRequest;

static void keep(Snapshot *s, Object *o) { s->failed |= o && !handle_local_try(thread_self(), o); }

/* The monitor that a thread waits for or on is not its own.  One that several frames entered is told for each. */
static void add_lock(Snapshot *s, Thread *k, Object *o, int depth) {
    if (!monitor_held_by(k, o)) return;
    keep(s, o);
    s->failed |= !cf_vec_push(&s->locks, (Lock){o, depth});
}

static void add_frame(Snapshot *s, Method *m, u4 bci) {
    s->failed |= !jvm_keep_class(m->holder, &s->kept) || !cf_vec_push(&s->frames, (FrameLine){m, bci});
}

static void take_frames(Snapshot *s, Thread *k) {
    int depth = 0;
    FOR_EACH_FRAME(v, k) {
        if (s->want_locks) {
            Object *o = view_sync_object(v);
            if (o) add_lock(s, k, o, depth);
            for (const LockRecord *l = view_locks(v); l; l = l->next) add_lock(s, k, l->object, depth);
        }
        if (s->frames.len < s->max_frames) add_frame(s, view_method(v), view_bci(v));
        depth++;
    }
}

static Object *monitor_owner(Object *o) {
    MonitorInfo info = {0};
    monitor_info(o, &info);
    return info.owner ? info.owner->java_thread : NULL;
}

Object *jvm_thread_blocker(Thread *k, Object **owner) {
    *owner = NULL;
    Object *o = k->blocked_on ? k->blocked_on : k->waiting_on;
    if (o) {
        *owner = monitor_owner(o);
        return o;
    }
    Object *jt = k->java_thread;
    int status = JGET_INT(jt, Thread, threadStatus);
    if (status != JT_PARKED && status != JT_PARKED_TIMED) return NULL;
    Object *b = JGET_REF(jt, Thread, parkBlocker);
    if (b && JC(AbstractOwnableSynchronizer) && obj_instanceof(b, JC(AbstractOwnableSynchronizer)))
        *owner = JGET_REF(b, AbstractOwnableSynchronizer, exclusiveOwnerThread);
    return b;
}

Thread *jvm_thread_waits_for(Thread *k) {
    Object *owner = NULL;
    if (k->java_thread) jvm_thread_blocker(k, &owner);
    return owner ? thread_of_java(owner) : NULL;
}

static void take_snapshot(Snapshot *s, Thread *k) {
    s->found = true;
    s->thread = k->java_thread;
    s->status = JGET_INT(k->java_thread, Thread, threadStatus);
    s->suspended = atomic_load(&k->suspended) > 0;
    s->contention = k->contention;
    s->in_native = stack_native_caller(k) != NULL;
    s->blocker = jvm_thread_blocker(k, &s->owner);
    keep(s, s->thread);
    keep(s, s->blocker);
    keep(s, s->owner);
    take_frames(s, k);
}

static bool note_synchronizer(Object *o, void *arg) {
    SnapshotRequest *r = arg;
    if (!obj_instanceof(o, JC(AbstractOwnableSynchronizer))) return true;
    Object *owner = JGET_REF(o, AbstractOwnableSynchronizer, exclusiveOwnerThread);
    for (int i = 0; owner && i < r->n; i++) {
        Snapshot *s = &r->snaps[i];
        if (s->thread != owner) continue;
        keep(s, o);
        if (!cf_vec_push(&s->synchronizers, o)) return s->failed = true, false;
    }
    return true;
}

static void take_all(void *arg) {
    SnapshotRequest *r = arg;
    for (int i = 0; i < r->n; i++) {
        Thread *k = find_by_id(r->ids[i]);
        if (k) take_snapshot(&r->snaps[i], k);
    }
    if (r->want_synchronizers && JC(AbstractOwnableSynchronizer)) heap_walk(note_synchronizer, r);
}

static Object *frames_array(Thread *t, const Snapshot *s) {
    int32_t n = (int32_t)s->frames.len;
    Object *a = class_new_array(t, JC(StackTraceElement), n);
    for (int32_t i = 0; a && i < n; i++)
        jvm_array_put(&a, i, jvm_new_stack_element(t, s->frames.data[i].method, s->frames.data[i].bci));
    return a;
}

static bool lock_arrays(Thread *t, Snapshot *s, Slot *args) {
    const Lock *locks = s->locks.data;
    int32_t n = 0, n_synchronizers = (int32_t)s->synchronizers.len;
    for (u4 i = 0; i < s->locks.len; i++) /* those of frames beyond the depth asked for are not told */
        if (locks[i].depth < (int)s->frames.len) s->locks.data[n++] = locks[i];
    Object *m = args[0].ref = class_new_array(t, JC(Object), n);
    Object *d = args[1].ref = m ? heap_alloc_array(t, primitive_array_classes[T_INT], n) : NULL;
    Object *o = args[2].ref = d ? class_new_array(t, JC(Object), n_synchronizers) : NULL;
    for (int32_t i = 0; o && i < n; i++) {
        array_set_ref(m, i, locks[i].object);
        ARRAY_ELEMS(int32_t, d)[i] = locks[i].depth;
    }
    for (int32_t i = 0; o && i < n_synchronizers; i++) array_set_ref(o, i, s->synchronizers.data[i]);
    return o != NULL;
}

#define INFO_DESC "Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ[Ljava/lang/StackTraceElement;"
enum { STATE_SUSPENDED = 0x00100000, STATE_NATIVE = 0x00400000 };

static Object *make_info(Thread *t, Snapshot *s, bool locks) {
    Slot held[3];
    if (!s->found) return NULL;
    int32_t state = s->status | (s->suspended ? STATE_SUSPENDED : 0) | (s->in_native ? STATE_NATIVE : 0);
    int64_t blocked_ms = thread_contention_timed ? s->contention.blocked_nanos / 1000000 : -1;
    int64_t waited_ms = thread_contention_timed ? s->contention.waited_nanos / 1000000 : -1;
    Object *frames = frames_array(t, s);
    Class *c = jmm_class(t, "java/lang/management/ThreadInfo");
    if (!frames || (locks && !lock_arrays(t, s, held))) return NULL;
    if (!locks)
        return exec_new(t, c, "(" INFO_DESC ")V", s->thread, state, s->blocker, s->owner, (int64_t)s->contention.blocked,
                        blocked_ms, (int64_t)s->contention.waited, waited_ms, frames);
    return exec_new(t, c, "(" INFO_DESC "[Ljava/lang/Object;[I[Ljava/lang/Object;)V", s->thread, state, s->blocker, s->owner,
                    (int64_t)s->contention.blocked, blocked_ms, (int64_t)s->contention.waited, waited_ms, frames, held[0].ref,
                    held[1].ref, held[2].ref);
}

static void free_request(SnapshotRequest *r) {
    for (int i = 0; r->snaps && i < r->n; i++) {
        cf_vec_free(&r->snaps[i].frames);
        cf_vec_free(&r->snaps[i].locks);
        cf_vec_free(&r->snaps[i].synchronizers);
    }
    free(r->snaps);
    free(r->ids);
}

static bool fill_infos(Thread *t, SnapshotRequest *r, bool locks, Object *out) {
    safepoint_run("thread info", take_all, r);
    for (int i = 0; i < r->n; i++)
        if (r->snaps[i].failed) return throw_no_memory(t), false;
    for (int i = 0; i < r->n; i++) {
        Object *o = make_info(t, &r->snaps[i], locks);
        if (t->exception) return false;
        array_set_ref(out, i, o);
    }
    return true;
}

/* Fills `out` (ThreadInfo[]) for the ids of r. */
static bool build_infos(Thread *t, SnapshotRequest *r, int max_depth, bool locks, bool want_monitors, Object *out) {
    r->snaps = calloc((size_t)r->n + 1, sizeof *r->snaps);
    if (!r->snaps || !r->ids) return throw_no_memory(t), false;
    for (int i = 0; i < r->n; i++) {
        r->snaps[i].max_frames = max_depth < 0 ? UINT32_MAX : (u4)max_depth;
        r->snaps[i].want_locks = want_monitors;
    }
    HandleScope scope = handle_scope_begin(t);
    versions_hold();
    bool ok = fill_infos(t, r, locks, out);
    versions_release();
    handle_scope_end(t, scope);
    return ok;
}

static int64_t *copy_ids(Object *a) {
    size_t n = (size_t)array_len(a);
    int64_t *ids = calloc(n + 1, sizeof *ids);
    if (ids) memcpy(ids, array_data(a), n * sizeof *ids);
    return ids;
}

jint jmm_GetThreadInfo(JNIEnv *env, jlongArray ids, jint max_depth, jobjectArray result) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(ids), *out = handle_get(result);
    if (!a || !out) return throw_plain(t, EX_NullPointerException), 0;
    SnapshotRequest r = {.ids = copy_ids(a), .n = array_len(a)};
    if (r.n > array_len(out)) r.n = array_len(out);
    build_infos(t, &r, max_depth, false, false, out);
    free_request(&r);
    return 0;
}

static int64_t *all_ids(int *n) {
    int64_t *ids;
    int cap = 16;
    *n = 0;
    HOLDING_THREADS();
    FOR_EACH_THREAD(k) cap++;
    ids = calloc((size_t)cap, sizeof *ids);
    FOR_EACH_THREAD(k)
    if (ids && thread_object(k) && !k->hidden_from_java) ids[(*n)++] = JGET_LONG(thread_object(k), Thread, tid);
    return ids;
}

jobjectArray jmm_DumpThreads(JNIEnv *env, jlongArray ids, jboolean monitors, jboolean synchronizers, jint max_depth) {
    IN_JAVA Thread *t = native_enter(env);
    Object *a = handle_get(ids);
    SnapshotRequest r = {.want_synchronizers = synchronizers};
    r.ids = a ? copy_ids(a) : all_ids(&r.n);
    if (a) r.n = array_len(a);
    Class *c = jmm_class(t, "java/lang/management/ThreadInfo");
    Object *out = c ? class_new_array(t, c, r.n) : NULL;
    if (out && !build_infos(t, &r, max_depth, true, monitors, out)) out = NULL;
    free_request(&r);
    return handle_local(t, out);
}

/* ---- deadlocks ---- */

typedef struct DeadlockSearch {
    bool monitors_only, failed;
    CF_VEC(Object *) threads; /* members of cycles */
} DeadlockSearch;

static Thread *waits_for(Thread *k, bool monitors_only) {
    return monitors_only && !k->blocked_on ? NULL : jvm_thread_waits_for(k);
}

bool jvm_each_deadlock(bool monitors_only, void (*fn)(Thread *first, void *arg), void *arg) {
    enum { TID_LIMIT = 65536 };
    u4 *seen = calloc(TID_LIMIT, sizeof *seen), n = 0;
    if (!seen) return false;
    FOR_EACH_THREAD(start) {
        u4 first_of_walk = n + 1;
        Thread *k = start;
        for (; k && !seen[k->tid]; k = waits_for(k, monitors_only)) seen[k->tid] = ++n;
        if (k && seen[k->tid] >= first_of_walk) fn(k, arg);
    }
    free(seen);
    return true;
}

static void note_cycle(Thread *first, void *arg) {
    DeadlockSearch *s = arg;
    Thread *k = first;
    do s->failed |= !cf_vec_push(&s->threads, k->java_thread);
    while ((k = jvm_thread_waits_for(k)) != first);
}

static void search_deadlocks(void *arg) {
    DeadlockSearch *s = arg;
    if (!jvm_each_deadlock(s->monitors_only, note_cycle, s)) s->failed = true;
}

static jobjectArray find_deadlocks(JNIEnv *env, bool monitors_only) {
    IN_JAVA Thread *t = native_enter(env);
    DeadlockSearch s = {.monitors_only = monitors_only};
    safepoint_run("find deadlocks", search_deadlocks, &s);
    if (s.failed) throw_no_memory(t);
    int32_t n = s.failed ? 0 : (int32_t)s.threads.len;
    Object *a = n ? class_new_array(t, JC(Thread), n) : NULL;
    for (int32_t i = 0; a && i < n; i++) array_set_ref(a, i, s.threads.data[i]); /* deadlocked: they live on */
    cf_vec_free(&s.threads);
    return handle_local(t, a);
}
jobjectArray jmm_FindCircularBlockedThreads(JNIEnv *env) { return find_deadlocks(env, true); }
jobjectArray jmm_FindDeadlocks(JNIEnv *env, jboolean monitors_only) { return find_deadlocks(env, monitors_only); }
