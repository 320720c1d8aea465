/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation fast path: bump the thread's window, write the header, set one bit.
 *
 * Memory of a window is zeroed when the window is taken, so fields need no clearing.  The
 * object-start bit makes the object known to conservative scanning and heap walks.  It is set
 * by a plain read-modify-write of a byte: a byte covers 64 bytes of heap and windows consist of
 * whole lines, so no other thread writes the same byte.
 */
#ifndef GRAFT_HEAP_ALLOC_H
#define GRAFT_HEAP_ALLOC_H

#include "heap/heap.h"

extern u1 *heap_start_bias; /* start bitmap, biased: byte index = address >> 6 */

static inline void heap_publish_start(const void *p)
{
    heap_start_bias[(uintptr_t)p >> 6] |= (u1)(1u << ((uintptr_t)p >> 3 & 7));
}

/* size: bytes, 8-aligned.  NULL when the window is too small. */
static inline Object *heap_bump(Thread *t, Class *c, size_t size)
{
    u1 *p = t->tlab.top;
    if (UNLIKELY(size > (size_t)(t->tlab.end - p))) return NULL;
    t->tlab.top = p + size;
    *(u8 *)p = (u4)(uintptr_t)c; /* class and a free, unhashed lock word */
    heap_publish_start(p);
    return (Object *)p;
}

/* `c` is instantiable without a slow path (!(c->flags & CF_NEVER_ALLOC_FAST)).  [gc][throws] */
static inline Object *heap_new(Thread *t, Class *c)
{
    Object *o = heap_bump(t, c, c->instance_size);
    return LIKELY(o != NULL) ? o : heap_alloc_slow(t, c, c->instance_size, -1);
}

static inline size_t heap_array_size(const Class *c, int32_t length)
{
    return ALIGN_UP(ARRAY_BASE + ((size_t)(u4)length << c->elem_shift), 8);
}

/* length >= 0.  Short arrays only take the fast path; the rest is checked behind it. */
static inline Object *heap_new_array(Thread *t, Class *c, int32_t length)
{
    size_t size = heap_array_size(c, length);
    Object *o = heap_bump(t, c, size);
    if (UNLIKELY(!o)) return heap_alloc_slow(t, c, size, length);
    ((Array *)o)->length = length;
    return o;
}

#endif
