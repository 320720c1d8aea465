/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chapter Stack Frame: reading.  Frames of other threads are read with the world
 * stopped; method IDs are made outside (they allocate).  Hidden frames show.
 */
#include "ti.h"
#include <stdlib.h>
#include <string.h>

typedef struct Trace { Thread *t; int start, max; int n; Method **m; jlocation *loc; } Trace;

static jlocation location_of(Frame *f) { return method_is_native(f->method) ? -1 : (jlocation)frame_bci(f); }

static int depth_of(Thread *t) {
    int n = 0;
    for (Frame *f = t->frame; f; f = f->prev) n++;
    return n;
}
static void read_trace(void *arg) {
    Trace *tr = arg;
    int i = 0;
    for (Frame *f = tr->t->frame; f && tr->n < tr->max; f = f->prev, i++) {
        if (i < tr->start) continue;
        tr->m[tr->n] = f->method;
        tr->loc[tr->n++] = location_of(f);
    }
}
static void on_stopped(Ti *x, Thread *t, void (*op)(void *), void *arg) {
    if (t == x->thread) op(arg);
    else safepoint_run("JVM TI stack", op, arg);
}
/* The lock keeps the thread from ending between the look and the operation. */
jvmtiError ti_on_thread(Ti *x, jthread h, void (*op)(Thread *, void *), void *arg) {
    threads_lock();
    Thread *t = ti_thread(x, h);
    if (t) thread_handshake(t, op, arg);
    threads_unlock();
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

typedef struct Depth { Thread *t; int n; } Depth;
static void read_depth(void *arg) { ((Depth *)arg)->n = depth_of(((Depth *)arg)->t); }

jvmtiError ti_GetStackTrace(Ti *x, jthread thread, jint start_depth, jint max_frame_count,
                            jvmtiFrameInfo *frame_buffer, jint *count_ptr) {
    Thread *t = ti_thread(x, thread);
    if (!t) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    Depth d = {t, 0};
    on_stopped(x, t, read_depth, &d);
    if (start_depth > 0 && start_depth >= d.n) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (start_depth < 0 && start_depth < -d.n) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    Trace tr = {.t = t, .start = start_depth < 0 ? d.n + start_depth : start_depth, .max = max_frame_count};
    if (!trace_buffers(&tr, max_frame_count)) return JVMTI_ERROR_OUT_OF_MEMORY;
    on_stopped(x, t, read_trace, &tr);
    give_frames(&tr, frame_buffer);
    *count_ptr = tr.n;
    trace_free(&tr);
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetFrameCount(Ti *x, jthread thread, jint *count_ptr) {
    Depth d = {ti_thread(x, thread), 0};
    if (!d.t) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    on_stopped(x, d.t, read_depth, &d);
    *count_ptr = d.n;
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetFrameLocation(Ti *x, jthread thread, jint depth, jmethodID *method_ptr, jlocation *location_ptr) {
    Method *m;
    jlocation loc;
    Trace tr = {.t = ti_thread(x, thread), .start = depth, .max = 1, .m = &m, .loc = &loc};
    if (!tr.t) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    on_stopped(x, tr.t, read_trace, &tr);
    if (!tr.n) return JVMTI_ERROR_NO_MORE_FRAMES;
    *method_ptr = (jmethodID)method_id(m);
    *location_ptr = loc;
    return JVMTI_ERROR_NONE;
}

/* --- snapshots of many threads: one block holds infos and frames --- */

typedef struct Snapshot { Object **threads; jint *state; Trace *traces; int n; } Snapshot;

static void read_snapshot(void *arg) {
    Snapshot *s = arg;
    for (int i = 0; i < s->n; i++) {
        Object *o = s->threads[i];
        s->state[i] = JGET_INT(o, Thread, threadStatus);
        s->traces[i].t = (Thread *)(intptr_t)JGET_LONG(o, Thread, eetop);
        if (s->traces[i].t) read_trace(&s->traces[i]);
    }
}
static jvmtiError snapshot(Ti *x, Object **threads, int n, jint max, jvmtiStackInfo **out) {
    Snapshot s = {threads, calloc((size_t)n + 1, sizeof(jint)), calloc((size_t)n + 1, sizeof(Trace)), n};
    for (int i = 0; i < n; i++) {
        s.traces[i].max = max;
        if (!trace_buffers(&s.traces[i], max)) return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    safepoint_run("JVM TI stacks", read_snapshot, &s);
    size_t frames = 0;
    for (int i = 0; i < n; i++) frames += (size_t)s.traces[i].n;
    jvmtiStackInfo *v = ti_alloc((size_t)n * sizeof *v + frames * sizeof(jvmtiFrameInfo) + 1);
    if (!v) return JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiFrameInfo *f = (jvmtiFrameInfo *)(v + n);
    for (int i = 0; i < n; i++) {
        v[i] = (jvmtiStackInfo){handle_local(x->thread, threads[i]), s.state[i], f, s.traces[i].n};
        give_frames(&s.traces[i], f);
        f += s.traces[i].n;
        trace_free(&s.traces[i]);
    }
    free(s.state);
    free(s.traces);
    *out = v;
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetAllStackTraces(Ti *x, jint max_frame_count, jvmtiStackInfo **stack_info_ptr, jint *thread_count_ptr) {
    TiRefs r = {0};
    ti_live_threads(&r);
    jvmtiError e = snapshot(x, r.v, r.n, max_frame_count, stack_info_ptr);
    if (!e) *thread_count_ptr = r.n;
    free(r.v);
    return e;
}
jvmtiError ti_GetThreadListStackTraces(Ti *x, jint thread_count, const jthread *thread_list, jint max_frame_count,
                                       jvmtiStackInfo **stack_info_ptr) {
    TiRefs r = {0};
    for (jint i = 0; i < thread_count; i++) {
        Object *o = handle_get(thread_list[i]);
        if (!o || !obj_instanceof(o, JC(Thread))) return free(r.v), JVMTI_ERROR_INVALID_THREAD;
        ti_refs_add(&r, o);
    }
    jvmtiError e = snapshot(x, r.v, r.n, max_frame_count, stack_info_ptr);
    free(r.v);
    return e;
}
