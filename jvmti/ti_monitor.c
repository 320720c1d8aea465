/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chapter Thread: the monitors a thread owns.  They are found frame by frame, youngest first; those
 * entered through JNI belong to no frame (depth -1) and come last.  A monitor is told once, with the
 * youngest frame that entered it.  A frame also names the one that it is about to enter, or waits in: the lock word decides.
 */
#include "ti.h"
#include <stdlib.h>

typedef struct Owned {
    TiRefs objects;
    CF_VEC(jint) depth; /* parallel to objects */
} Owned;

static void add(Thread *t, Owned *w, Object *o, jint depth) {
    if (w->objects.failed || !monitor_held_by(t, o)) return;
    for (u4 i = 0; i < w->objects.list.len; i++)
        if (w->objects.list.data[i] == o) return;
    if (ti_refs_add(&w->objects, o)) w->objects.failed = !cf_vec_push(&w->depth, depth);
}
static void collect(Thread *t, void *arg) {
    Owned *w = arg;
    jint depth = 0;
    FOR_EACH_FRAME(v, t) {
        for (const LockRecord *r = view_locks(v); r; r = r->next) add(t, w, r->object, depth);
        Object *o = view_sync_object(v);
        if (o) add(t, w, o, depth);
        depth++;
    }
    Object **held;
    int n = monitor_jni_held(t, &held);
    while (n-- > 0) add(t, w, held[n], -1);
}
static void release(Owned *w) {
    cf_vec_free(&w->objects.list);
    cf_vec_free(&w->depth);
}

jvmtiError ti_GetOwnedMonitorInfo(Ti *x, jthread thread, jint *owned_monitor_count_ptr, jobject **owned_monitors_ptr) {
    Owned w = {0};
    jvmtiError e = ti_on_thread(x, thread, collect, &w);
    if (!e) e = ti_refs_give(x, &w.objects, owned_monitor_count_ptr, owned_monitors_ptr);
    release(&w);
    return e;
}
jvmtiError ti_GetOwnedMonitorStackDepthInfo(Ti *x, jthread thread, jint *monitor_info_count_ptr,
                                            jvmtiMonitorStackDepthInfo **monitor_info_ptr) {
    Owned w = {0};
    jvmtiError e = ti_on_thread(x, thread, collect, &w);
    jint n = (jint)w.objects.list.len;
    if (!e && w.objects.failed) e = JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiMonitorStackDepthInfo *v = e ? NULL : ti_alloc((size_t)n * sizeof *v);
    if (!e && n && !v) e = JVMTI_ERROR_OUT_OF_MEMORY;
    if (!e) {
        for (jint i = 0; i < n; i++)
            v[i] = (jvmtiMonitorStackDepthInfo){handle_local(x->thread, w.objects.list.data[i]), w.depth.data[i]};
        *monitor_info_ptr = v;
        *monitor_info_count_ptr = n;
    }
    release(&w);
    return e;
}
