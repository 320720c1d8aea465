/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Roots by kind, exactly.
 *
 * Frames: a cell is a root if the data flow of its method says that it holds a reference there
 * (framemap.c).  Operands of a caller end where the locals of its callee begin: arguments
 * belong to the callee.  A cell is tested to be an object as well, which matters only where the
 * flow knows nothing (VM-made methods, jsr).
 *
 * JNI local references are the handle cells above the mark that a native frame took at entry,
 * and the arguments of native methods, which are cells of the Java stack.  What lies below the
 * oldest native frame belongs to the thread.
 *
 * Monitors: those of JNI MonitorEnter, and of frames whose cells do not name the object any more.
 *
 * System classes are those of the boot loader.  Classes of other loaders are reached through
 * their loader, as in any program.
 */
#include "frame/heap_roots.h"
#include "frame/frame.h"
#include "frame/framemap.h"
#include "load/loader.h"
#include "heap/heap_upcall.h"
#include <stdlib.h>

enum { KINDS_CACHE = 512 };
typedef struct KindsCell {
    const Method *method;
    u4 bci;
    FrameKinds *kinds;
} KindsCell;

typedef struct Walk {
    bool (*fn)(const HeapRoot *, void *);
    void *arg;
    bool stopped;
    HeapRoot root;                /* the one being built; fields of its kind only */
    KindsCell cache[KINDS_CACHE]; /* a recursion shows one pair of method and bci thousands of times */
} Walk;

static void report(Walk *w, HeapRootKind kind, Object *o) {
    if (!o || w->stopped) return;
    w->root.kind = kind;
    w->root.object = o;
    if (!w->fn(&w->root, w->arg)) w->stopped = true;
}

/* --- frames --- */

static const FrameKinds *kinds_of(Walk *w, const Method *m, u4 bci) {
    KindsCell *c = &w->cache[((uintptr_t)m / sizeof *m * 31 + bci) % KINDS_CACHE];
    if (c->kinds && c->method == m && c->bci == bci) return c->kinds;
    free(c->kinds);
    *c = (KindsCell){m, bci, framemap_cells(m, bci)};
    if (!c->kinds) w->stopped = true;
    return c->kinds;
}

static void report_cell(Walk *w, const Slot *cell, u4 slot) {
    if (!heap_is_object(cell->ref)) return;
    w->root.slot = slot;
    report(w, HEAP_ROOT_STACK_LOCAL, cell->ref);
}

static void java_frame(Walk *w, Frame *f, const Frame *callee) {
    const FrameKinds *k = kinds_of(w, f->method, frame_bci(f));
    if (!k) return;
    for (u4 i = 0; i < k->max_locals; i++)
        if (k->is_ref[i]) report_cell(w, &frame_locals(f)[i], i);
    const Slot *base = frame_stack_base(f), *end = frame_sp(f);
    const Slot *args = callee ? frame_locals(callee) : NULL;
    if (args && args >= base && args < end) end = args;
    for (u4 i = 0; i < k->depth && base + i < end; i++)
        if (k->is_ref[k->max_locals + i]) report_cell(w, &base[i], k->max_locals + i);
}

static void native_arguments(Walk *w, Frame *f) {
    const FrameKinds *k = kinds_of(w, f->method, 0);
    for (u4 i = 0; k && i < k->max_locals; i++)
        if (k->is_ref[i] && heap_is_object(frame_locals(f)[i].ref)) report(w, HEAP_ROOT_JNI_LOCAL, frame_locals(f)[i].ref);
}

/* Handle cells of a thread, newest first. */
typedef struct Cells {
    HandleBlock *block;
    u4 used;
} Cells;
static void local_references(Walk *w, Cells *at, HandleMark until) {
    while (at->block && !(at->block == until.block && at->used <= until.used)) {
        if (at->used == 0) {
            at->block = at->block->prev;
            at->used = at->block ? at->block->used : 0;
            continue;
        }
        Object *o = at->block->cells[--at->used];
        if (!((uintptr_t)o & 1)) report(w, HEAP_ROOT_JNI_LOCAL, o); /* else a free cell */
    }
}

/* A locked object is nearly always in a cell of the frame too: javac keeps it there to unlock it.  Then, and
 * for the class of a static method, that is told and enough, as it is for the reference. */
static bool told(Walk *w, const Frame *f, const Object *o) {
    const FrameKinds *k = kinds_of(w, f->method, method_is_native(f->method) ? 0 : frame_bci(f));
    for (u4 i = 0; k && i < k->max_locals; i++)
        if (k->is_ref[i] && frame_locals(f)[i].ref == o) return true;
    return o == f->method->holder->mirror;
}
static void frame_monitors(Walk *w, const Frame *f) {
    Object *o = frame_sync_object(f);
    if (o && !told(w, f, o)) report(w, HEAP_ROOT_MONITOR, o);
    for (const LockRecord *r = frame_locks(f); r; r = r->next)
        if (!told(w, f, r->object)) report(w, HEAP_ROOT_MONITOR, r->object);
}

static void frames(Walk *w, Thread *t) {
    Cells cells = {t->handles, t->handles ? t->handles->used : 0};
    const Frame *callee = NULL;
    w->root.depth = 0;
    for (Frame *f = t->frame; f && !w->stopped; callee = f, f = frame_older(f), w->root.depth++) {
        bool native = f->flags & FRAME_OPAQUE;
        w->root.method = f->method;
        w->root.location = method_is_native(f->method) ? -1 : (int64_t)frame_bci(f);
        if (f->flags & FRAME_NATIVE) local_references(w, &cells, native_frame_mark(f));
        if (native) native_arguments(w, f);
        else java_frame(w, f, callee);
        frame_monitors(w, f);
    }
    w->root.method = NULL;
    w->root.location = -1;
    local_references(w, &cells, (HandleMark){0});
}

/* --- threads --- */

static void monitor_cell(Object **cell, void *arg) { report(arg, HEAP_ROOT_MONITOR, *cell); }
static void other_cell(Object **cell, void *arg) { report(arg, HEAP_ROOT_OTHER, *cell); }

static void thread(Walk *w, Thread *t) {
    w->root.thread = t;
    report(w, HEAP_ROOT_THREAD, t->java_thread);
    if (t->java_stack) frames(w, t);
    monitor_thread_roots(t, monitor_cell, w);
    w->root.thread = NULL;
    Object *fields[] = {t->exception, t->blocked_on, t->waiting_on, t->async_exception};
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) report(w, HEAP_ROOT_OTHER, fields[i]);
    for (size_t i = 0; i < ARRAY_LEN(t->roots); i++) report(w, HEAP_ROOT_OTHER, t->roots[i]);
}

/* --- all --- */

static void global_cell(Object **cell, void *arg) {
    Walk *w = arg;
    w->root.cell = cell;
    report(w, HEAP_ROOT_JNI_GLOBAL, *cell);
    w->root.cell = NULL;
}
static void root_class(Class *c, void *arg) {
    if (c->loader == BOOT_LOADER) report(arg, HEAP_ROOT_SYSTEM_CLASS, c->mirror);
}

bool heap_visit_roots(bool (*fn)(const HeapRoot *, void *), void *arg) {
    Walk w = {.fn = fn, .arg = arg};
    handle_global_roots(global_cell, &w);
    loader_visit_root_classes(false, root_class, &w);
    FOR_EACH_THREAD(t) thread(&w, t);
    heap_visit_provided_roots(other_cell, &w);
    for (u4 i = 0; i < KINDS_CACHE; i++) free(w.cache[i].kinds);
    return !w.stopped;
}
