/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Throwable.backtrace: a long[] of (Method address << 16 | bci), or an Object[2] of that array and an Object[] of
 * mirrors, which keeps classes that can be unloaded alive as long as the trace names them.  The sign bit of the
 * first word says that hidden frames lay above it.
 */
#include "frame/backtrace.h"
#include "core/options.h"
#include "frame/frame.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "load/loader.h"
#include "object/version.h"

#define HIDDEN_TOP (1ull << 63)

/* Of v, a method that ex has from its class or a superclass; NULL: of another, or no frame. */
static const Method *method_of_own(FrameView v, const Object *ex) {
    const Method *m = view_exists(v) ? frame_view_method(v) : NULL;
    return m && class_is_subtype(obj_class(ex), m->holder) ? m : NULL;
}

/* The first frame worth recording: behind fillInStackTrace and constructors that are ex's, also where they run for another
 * object: a constructor that makes its exception's cause stands in no trace. */
static FrameView first_trace_frame(Thread *t, const Object *ex) {
    static Symbol *fill;
    const Method *m;
    FrameView v = view_youngest(t);
    if (!fill) fill = symbol_of("fillInStackTrace");
    while ((m = method_of_own(v, ex)) && m->name == fill) v = frame_view_older(v);
    while ((m = method_of_own(v, ex)) && m->flags & MF_INIT) v = frame_view_older(v);
    return v;
}

static bool unloadable(const Class *c) { return !c->loader->is_boot || (c->flags & CF_HIDDEN); }

void backtrace_fill(Thread *t, Object *ex) {
    u8 max = vm_options.max_trace_depth ? vm_options.max_trace_depth : 1u << 20;
    int32_t n = 0;
    bool keep = false;
    if (!vm_options.stack_trace_in_throwable) return;
    FrameView first = first_trace_frame(t, ex);
    for (FrameView v = first; view_exists(v) && (u8)n < max; v = frame_view_older(v)) {
        const Method *m = frame_view_method(v);
        if (frame_of_hidden(m)) continue;
        n++;
        keep |= unloadable(m->holder);
    }
    Object *cells = heap_alloc_array(t, primitive_array_classes[T_LONG], n);
    if (!cells) return;
    Object *pair = NULL, *mirrors = NULL;
    if (keep) {
        mirrors = class_new_array(t, JC(Object), n);
        pair = mirrors ? class_new_array(t, JC(Object), 2) : NULL;
        if (!pair) return;
        array_set_ref(pair, 0, cells);
        array_set_ref(pair, 1, mirrors);
    }
    int32_t i = 0;
    for (FrameView v = first; view_exists(v) && i < n; v = frame_view_older(v)) {
        Method *m = frame_view_method(v);
        if (frame_of_hidden(m)) continue;
        _Atomic bool *named = &m->version->named_in_heap;
        if (!atomic_load_explicit(named, memory_order_relaxed)) atomic_store_explicit(named, true, memory_order_relaxed);
        ARRAY_ELEMS(u8, cells)[i] = (u8)(uintptr_t)m << 16 | (frame_view_bci(v) & 0xffff);
        if (i == 0 && !view_same(v, first)) ARRAY_ELEMS(u8, cells)[i] |= HIDDEN_TOP;
        if (mirrors) array_set_ref(mirrors, i, m->holder->mirror);
        i++;
    }
    JSET_REF(ex, Throwable, backtrace, pair ? pair : cells);
    JSET_INT(ex, Throwable, depth, n);
    JSET_REF(ex, Throwable, stackTrace, ref_load(JC(Throwable)->mirror, jc_off.Throwable_UNASSIGNED_STACK));
}

static Object *backtrace_cells(Object *bt) {
    if (!bt) return NULL;
    return obj_class(bt)->elem_type == T_LONG ? bt : array_ref(bt, 0);
}

int backtrace_depth(Object *bt) {
    Object *cells = backtrace_cells(bt);
    return cells ? array_len(cells) : 0;
}

bool backtrace_frame(Object *bt, int i, Method **m, u4 *bci) {
    Object *cells = backtrace_cells(bt);
    if (!cells || i < 0 || i >= array_len(cells)) return false;
    u8 w = ARRAY_ELEMS(u8, cells)[i];
    *m = (Method *)(uintptr_t)((w & ~HIDDEN_TOP) >> 16);
    *bci = (u4)(w & 0xffff);
    return true;
}

bool backtrace_hidden_top(Object *bt) {
    Object *cells = backtrace_cells(bt);
    return cells && array_len(cells) > 0 && (ARRAY_ELEMS(u8, cells)[0] & HIDDEN_TOP);
}
