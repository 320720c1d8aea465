/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chapter Stack Frame: reading.  Frames of another thread are read while it is stopped, those of
 * several with the world stopped; method IDs are made outside (they allocate).  Hidden frames show.
 */
#include "ti.h"
#include "invoke/invoke.h"
#include <stdlib.h>

typedef struct Trace {
    Thread *t;
    int start, max; /* start < 0: from the oldest frame */
    int n;
    Method **m;
    jlocation *loc;
    jvmtiError result;
} Trace;

static jlocation location_of(FrameView v) { return method_is_native(view_method(v)) ? -1 : (jlocation)view_bci(v); }

static void read_trace(void *arg) {
    Trace *tr = arg;
    for (FrameView v = view_at(tr->t, tr->start); view_exists(v) && tr->n < tr->max; v = view_older(v)) {
        tr->m[tr->n] = view_method(v);
        tr->loc[tr->n++] = location_of(v);
    }
}
/* The lock keeps the thread from ending between the look and the operation. */
jvmtiError ti_on_thread(Ti *x, jthread h, void (*op)(Thread *, void *), void *arg) {
    HOLDING_THREADS();
    Thread *t = ti_thread(x, h);
    if (t) thread_handshake(t, op, arg);
    return t ? JVMTI_ERROR_NONE : JVMTI_ERROR_THREAD_NOT_ALIVE;
}
static void give_frames(Trace *tr, jvmtiFrameInfo *out) {
    for (int i = 0; i < tr->n; i++) out[i] = (jvmtiFrameInfo){(jmethodID)method_id(tr->m[i]), tr->loc[i]};
}
static bool trace_buffers(Trace *tr, int n) {
    tr->m = malloc((size_t)n * sizeof *tr->m + 1);
    tr->loc = malloc((size_t)n * sizeof *tr->loc + 1);
    return tr->m && tr->loc;
}
static void trace_free(Trace *tr) {
    free(tr->m);
    free(tr->loc);
}

static void read_trace_of(Thread *t, void *arg) {
    Trace *tr = arg;
    int n = view_count(t);
    if (tr->start < 0) tr->start = tr->start < -n ? n + 1 : n + tr->start;
    if (tr->start > 0 && tr->start >= n) tr->result = JVMTI_ERROR_ILLEGAL_ARGUMENT;
    tr->t = t;
    if (!tr->result) read_trace(tr);
}
jvmtiError ti_GetStackTrace(Ti *x, jthread thread, jint start_depth, jint max_frame_count, jvmtiFrameInfo *frame_buffer,
                            jint *count_ptr) {
    Trace tr = {.start = start_depth, .max = max_frame_count};
    if (!trace_buffers(&tr, max_frame_count)) return trace_free(&tr), JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiError e = ti_on_thread(x, thread, read_trace_of, &tr);
    if (!e) e = tr.result;
    if (!e) {
        give_frames(&tr, frame_buffer);
        *count_ptr = tr.n;
    }
    trace_free(&tr);
    return e;
}
static void read_depth(Thread *t, void *n) { *(jint *)n = view_count(t); }
jvmtiError ti_GetFrameCount(Ti *x, jthread thread, jint *count_ptr) { return ti_on_thread(x, thread, read_depth, count_ptr); }
jvmtiError ti_GetFrameLocation(Ti *x, jthread thread, jint depth, jmethodID *method_ptr, jlocation *location_ptr) {
    Method *m;
    jlocation loc;
    Trace tr = {.start = depth, .max = 1, .m = &m, .loc = &loc};
    jvmtiError e = ti_on_thread(x, thread, read_trace_of, &tr);
    if (e) return e;
    if (!tr.n) return JVMTI_ERROR_NO_MORE_FRAMES;
    *method_ptr = (jmethodID)method_id(m);
    *location_ptr = loc;
    return JVMTI_ERROR_NONE;
}

/* --- snapshots of many threads: one block holds infos and frames --- */

typedef struct Snapshot {
    Object **threads;
    jint *state;
    Trace *traces;
    jobject *refs;
    int n;
} Snapshot;

static void read_snapshot(void *arg) {
    Snapshot *s = arg;
    for (int i = 0; i < s->n; i++) {
        Object *o = s->threads[i];
        s->traces[i].t = (Thread *)(intptr_t)JGET_LONG(o, Thread, eetop);
        s->state[i] = ti_thread_state(s->traces[i].t, o);
        if (s->traces[i].t) read_trace(&s->traces[i]);
    }
}
static jvmtiError give_snapshot(Ti *x, Snapshot *s, jvmtiStackInfo **out) {
    size_t frames = 0;
    for (int i = 0; i < s->n; i++) /* a collection may come before the pause, and must not come here */
        if (!(s->refs[i] = handle_local_try(x->thread, s->threads[i]))) return JVMTI_ERROR_OUT_OF_MEMORY;
    safepoint_run("JVM TI stacks", read_snapshot, s);
    for (int i = 0; i < s->n; i++) frames += (size_t)s->traces[i].n;
    jvmtiStackInfo *v = ti_alloc((size_t)s->n * sizeof *v + frames * sizeof(jvmtiFrameInfo) + 1);
    if (!v) return JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiFrameInfo *f = (jvmtiFrameInfo *)(v + s->n);
    for (int i = 0; i < s->n; i++) {
        v[i] = (jvmtiStackInfo){s->refs[i], s->state[i], f, s->traces[i].n};
        give_frames(&s->traces[i], f);
        f += s->traces[i].n;
    }
    *out = v;
    return JVMTI_ERROR_NONE;
}
static jvmtiError snapshot(Ti *x, const TiRefs *threads, jint max, jvmtiStackInfo **out) {
    int n = (int)threads->list.len;
    Snapshot s = {threads->list.data, calloc((size_t)n + 1, sizeof(jint)), calloc((size_t)n + 1, sizeof(Trace)),
                  calloc((size_t)n + 1, sizeof(jobject)), n};
    bool ok = !threads->failed && s.state && s.traces && s.refs;
    for (int i = 0; ok && i < n; i++) {
        s.traces[i].max = max;
        ok = trace_buffers(&s.traces[i], max);
    }
    jvmtiError e = ok ? give_snapshot(x, &s, out) : JVMTI_ERROR_OUT_OF_MEMORY;
    for (int i = 0; s.traces && i < n; i++) trace_free(&s.traces[i]);
    free(s.state);
    free(s.traces);
    free(s.refs);
    return e;
}
jvmtiError ti_GetAllStackTraces(Ti *x, jint max_frame_count, jvmtiStackInfo **stack_info_ptr, jint *thread_count_ptr) {
    TiRefs r = {0};
    ti_live_threads(&r);
    jvmtiError e = snapshot(x, &r, max_frame_count, stack_info_ptr);
    if (!e) *thread_count_ptr = (jint)r.list.len;
    cf_vec_free(&r.list);
    return e;
}
jvmtiError ti_GetThreadListStackTraces(Ti *x, jint thread_count, const jthread *thread_list, jint max_frame_count,
                                       jvmtiStackInfo **stack_info_ptr) {
    TiRefs r = {0};
    for (jint i = 0; i < thread_count; i++) {
        if (!ti_is(thread_list[i], JC(Thread))) return cf_vec_free(&r.list), JVMTI_ERROR_INVALID_THREAD;
        ti_refs_add(&r, handle_get(thread_list[i]));
    }
    jvmtiError e = snapshot(x, &r, max_frame_count, stack_info_ptr);
    cf_vec_free(&r.list);
    return e;
}
