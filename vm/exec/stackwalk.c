/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks over the frames of a thread: traces, callers, lines.
 *
 * Throwable.backtrace is a long[] of (Method address << 16 | bci), or an Object[2] of
 * that array and an Object[] of mirrors, which keeps classes that can be unloaded alive as
 * long as the trace names them.  The sign bit of the first word says that hidden frames
 * lay above it.
 */
#include "exec/exec.h"
#include "core/options.h"
#include "exec/throw.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "load/loader.h"
#include <stdio.h>
#include <string.h>

#define HIDDEN_TOP (1ull << 63)

int exec_depth(Thread *t) {
    int n = 0;
    for (Frame *f = t->frame; f; f = f->prev) n++;
    return n;
}

bool frame_is_hidden(const Frame *f) {
    return (f->method->flags & MF_HIDDEN) || (f->method->holder->flags & CF_HIDDEN);
}

static bool is_method_invoke(const Method *m) {
    static Symbol *name;
    if (!name) name = symbol_of("invoke");
    return m->holder == JC(Method) && m->name == name;
}

/* What security walks ignore: Method.invoke, its accessors, compiled lambda forms. */
bool frame_is_reflection(const Frame *f) {
    Method *m = f->method;
    if (is_method_invoke(m)) return true;
    if ((m->holder->flags & CF_MAGIC) && JC(MethodAccessorImpl) &&
        class_is_subtype(m->holder, JC(MethodAccessorImpl)))
        return true;
    if (m->kind >= MK_INVOKE_BASIC) return true;
    return (m->flags & MF_HIDDEN) && strncmp(m->holder->name->bytes, "java/lang/invoke/", 17) == 0;
}

Class *exec_caller_class(Thread *t, int depth) {
    Frame *f = t->frame;
    if (f) f = f->prev;
    while (f && depth-- > 0) f = f->prev;
    while (f && frame_is_reflection(f)) f = f->prev;
    return f ? f->method->holder : NULL;
}

Class *exec_native_caller(Thread *t) {
    Frame *f = t->frame;
    return f && (f->flags & FRAME_NATIVE) ? f->method->holder : NULL;
}

int exec_line_number(const Method *m, u4 bci) {
    if (method_is_native(m)) return -2;
    if (!m->cf_code) return -1;
    int best = -1;
    u4 best_pc = 0;
    for (u4 i = 0; i < m->cf_code->attrs.count; i++) {
        const CfAttr *a = &m->cf_code->attrs.v[i];
        CfRows rows;
        if (a->kind != CF_ATTR_LINE_NUMBER_TABLE || cf_lines(a, &rows, NULL) != CF_OK) continue;
        for (u4 k = 0; k < rows.count; k++) {
            uint16_t pc, line;
            cf_line(&rows, k, &pc, &line);
            if (pc == bci) return line; /* of several rows for one place the first; of those before it the last */
            if (pc < bci && (best < 0 || pc >= best_pc)) best = line, best_pc = pc;
        }
    }
    return best;
}

/* --- Throwable.backtrace --- */

/* The first frame worth recording: behind fillInStackTrace and the constructors of ex. */
static Frame *first_trace_frame(Thread *t, Object *ex) {
    static Symbol *fill;
    Frame *f = t->frame;
    if (!fill) fill = symbol_of("fillInStackTrace");
    while (f && f->method->name == fill) f = f->prev;
    while (f && (f->method->flags & MF_INIT) && class_is_subtype(obj_class(ex), f->method->holder) &&
           f->locals[0].ref == ex)
        f = f->prev;
    return f;
}

static bool unloadable(const Class *c) {
    return !c->loader->is_boot || (c->flags & CF_HIDDEN);
}

void exec_fill_in_stack_trace(Thread *t, Object *ex) {
    u8 max = vm_options.max_trace_depth ? vm_options.max_trace_depth : 1u << 20;
    int32_t n = 0;
    bool keep = false;
    if (!vm_options.stack_trace_in_throwable) return;
    Frame *first = first_trace_frame(t, ex);
    for (Frame *f = first; f && (u8)n < max; f = f->prev) {
        if (frame_is_hidden(f)) continue;
        n++;
        keep |= unloadable(f->method->holder);
    }
    Object *cells = heap_alloc_array(t, primitive_array_classes[T_LONG], n);
    if (!cells) return;
    Object *pair = NULL, *mirrors = NULL;
    if (keep) {
        Class *oa = class_array_of(t, JC(Object));
        mirrors = oa ? heap_alloc_array(t, oa, n) : NULL;
        pair = mirrors ? heap_alloc_array(t, oa, 2) : NULL;
        if (!pair) return;
        array_set_ref(pair, 0, cells);
        array_set_ref(pair, 1, mirrors);
    }
    int32_t i = 0;
    for (Frame *f = first; f && i < n; f = f->prev) {
        if (frame_is_hidden(f)) continue;
        _Atomic bool *named = &f->method->version->named_in_heap;
        if (!atomic_load_explicit(named, memory_order_relaxed)) atomic_store_explicit(named, true, memory_order_relaxed);
        ARRAY_ELEMS(u8, cells)[i] = (u8)(uintptr_t)f->method << 16 | (frame_bci(f) & 0xffff);
        if (i == 0 && f != first) ARRAY_ELEMS(u8, cells)[i] |= HIDDEN_TOP;
        if (mirrors) array_set_ref(mirrors, i, f->method->holder->mirror);
        i++;
    }
    JSET_REF(ex, Throwable, backtrace, pair ? pair : cells);
    JSET_INT(ex, Throwable, depth, n);
    JSET_REF(ex, Throwable, stackTrace,
             ref_load(JC(Throwable)->mirror, jc_off.Throwable_UNASSIGNED_STACK));
}

static Object *backtrace_cells(Object *bt) {
    if (!bt) return NULL;
    return obj_class(bt)->elem_type == T_LONG ? bt : array_ref(bt, 0);
}

int exec_backtrace_depth(Object *bt) {
    Object *cells = backtrace_cells(bt);
    return cells ? array_len(cells) : 0;
}

bool exec_backtrace_frame(Object *bt, int i, Method **m, u4 *bci) {
    Object *cells = backtrace_cells(bt);
    if (!cells || i < 0 || i >= array_len(cells)) return false;
    u8 w = ARRAY_ELEMS(u8, cells)[i];
    *m = (Method *)(uintptr_t)((w & ~HIDDEN_TOP) >> 16);
    *bci = (u4)(w & 0xffff);
    return true;
}

bool exec_backtrace_hidden_top(Object *bt) {
    Object *cells = backtrace_cells(bt);
    return cells && array_len(cells) > 0 && (ARRAY_ELEMS(u8, cells)[0] & HIDDEN_TOP);
}
