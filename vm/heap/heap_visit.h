/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Following references with the world stopped, beside the collector: a mark table and a stack
 * of their own, because the collector's marks mean "old" between collections.
 *
 *     HeapVisit v;
 *     if (!heap_visit_begin(&v)) ...                 // no address space
 *     heap_visit_push(&v, root);                     // once per object, however often it is pushed
 *     while ((o = heap_visit_pop(&v))) ... heap_visit_push(&v, each referent) ...
 *     heap_visit_end(&v);
 *
 * Both are reserved for the whole heap and touched only as far as the walk goes; an object is
 * on the stack at most once, so it cannot overflow, however long a list is.
 */
#ifndef GRAFT_HEAP_HEAP_VISIT_H
#define GRAFT_HEAP_HEAP_VISIT_H

#include "object/object.h"

typedef struct HeapVisit {
    uintptr_t base; /* of the heap */
    u8 *marks;      /* a bit per 8 bytes of heap */
    Narrow *stack, *top;
    size_t marks_bytes, stack_bytes;
} HeapVisit;

bool heap_visit_begin(HeapVisit *v);
void heap_visit_end(HeapVisit *v);

static inline bool heap_visit_push(HeapVisit *v, const Object *o) {
    size_t i = ((uintptr_t)o - v->base) >> 3;
    u8 *w = &v->marks[i / 64], bit = (u8)1 << i % 64;
    if (*w & bit) return false;
    *w |= bit;
    *v->top++ = narrow_encode(o);
    return true;
}

static inline Object *heap_visit_pop(HeapVisit *v) {
    if (v->top == v->stack) return NULL;
    if (v->top - 4 >= v->stack) __builtin_prefetch(narrow_decode(v->top[-4]));
    return narrow_decode(*--v->top);
}

#endif
