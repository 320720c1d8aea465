/* SPDX-License-Identifier: Apache-2.0 */
/* Asking the heap: containment, exact starts, iteration over the start bits, following references. */
#include "heap/heap_int.h"
#include "heap/heap_visit.h"
#include "os/os.h"

Object *heap_object_at(const void *p) {
    if (!in_committed(p) || (uintptr_t)p & (OBJECT_ALIGN - 1) || heap.block_state[block_index(p)] <= BLOCK_FREE) return NULL;
    if (!bit_test(heap.start_bits, bit_index(p))) starts_find_until(p);
    return bit_test(heap.start_bits, bit_index(p)) ? (Object *)p : NULL;
}

static bool walk_block(size_t b, bool (*fn)(Object *, void *), void *arg) {
    for (size_t w = b * BITMAP_WORDS_PER_BLOCK, end = w + BITMAP_WORDS_PER_BLOCK; w < end; w++)
        for (u8 bits = heap.start_bits[w]; bits; bits &= bits - 1) {
            size_t i = w * 64 + (size_t)__builtin_ctzll(bits);
            if (!fn((Object *)(heap.base + (i << 3)), arg)) return false;
        }
    return true;
}

void heap_walk(bool (*fn)(Object *, void *), void *arg) {
    starts_find_all();
    for (size_t b = 0; b < heap.n_blocks; b++) switch (heap.block_state[b]) {
        case BLOCK_PARTIAL:
        case BLOCK_FULL:
        case BLOCK_USED:
        case BLOCK_LARGE:
            if (!walk_block(b, fn, arg)) return;
        }
}

/* ---- following references (heap_visit.h) ---- */

static void *table_of(size_t bytes) {
    void *p = os_reserve(NULL, bytes);
    if (p && !os_commit(p, bytes)) {
        os_unreserve(p, bytes);
        p = NULL;
    }
    return p;
}

bool heap_visit_begin(HeapVisit *v) {
    size_t used = heap.n_blocks << BLOCK_SHIFT;
    v->base = (uintptr_t)heap.base;
    v->marks_bytes = ALIGN_UP(used / 64 + 1, os_page_size());
    v->stack_bytes = ALIGN_UP((used / OBJECT_ALIGN + 1) * sizeof(Narrow), os_page_size());
    v->marks = table_of(v->marks_bytes);
    v->stack = v->top = table_of(v->stack_bytes);
    if (v->marks && v->stack) return true;
    heap_visit_end(v);
    return false;
}

void heap_visit_end(HeapVisit *v) {
    if (v->marks) os_unreserve(v->marks, v->marks_bytes);
    if (v->stack) os_unreserve(v->stack, v->stack_bytes);
    v->marks = NULL;
    v->stack = v->top = NULL;
}
