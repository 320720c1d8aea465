/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation fast path: bump the thread's window, write the header.
 *
 * Memory of a window is zeroed when the window is taken, so fields need no clearing.  Nothing else is written down:
 * where objects of a window start is found by walking it, when somebody asks (starts.c).  So between the bump and
 * the header (and the length of an array) there is no poll.
 */
#ifndef GRAFT_HEAP_ALLOC_H
#define GRAFT_HEAP_ALLOC_H

#include "heap/heap.h"
#include "object/class.h"

/* size: bytes, 8-aligned.  NULL when the window is too small. */
static inline Object *heap_bump(Thread *t, Class *c, size_t size) {
    u1 *p = t->tlab.top;
    if (UNLIKELY(size > (size_t)(t->tlab.end - p))) return NULL;
    t->tlab.top = p + size;
    return obj_new_at(p, c);
}

/* `c` is instantiable without a slow path (!(c->flags & CF_NEVER_ALLOC_FAST)).  [gc][throws] */
static inline Object *heap_new(Thread *t, Class *c) {
    Object *o = heap_bump(t, c, c->instance_size);
    return LIKELY(o != NULL) ? o : heap_alloc_slow(t, c, c->instance_size, -1);
}

static inline size_t heap_array_size(const Class *c, int32_t length) {
    return ALIGN_UP(ARRAY_BASE + ((size_t)(u4)length << c->elem_shift), 8);
}

/* length >= 0.  Short arrays only take the fast path; the rest is checked behind it. */
static inline Object *heap_new_array(Thread *t, Class *c, int32_t length) {
    size_t size = heap_array_size(c, length);
    Object *o = heap_bump(t, c, size);
    if (UNLIKELY(!o)) return heap_alloc_slow(t, c, size, length);
    ((Array *)o)->length = length;
    return o;
}

#endif
