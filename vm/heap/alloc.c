/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation behind the fast path.
 *
 * A thread allocates from a window (Thread.tlab), a run of free lines of a block that it owns.
 * When the window is used up:
 *   1. next run of free lines in the same block (no lock);
 *   2. a partly free block from the recycle list, else a free block, else a new one is committed;
 *   3. a collection.
 * An object bigger than a line that does not fit the window goes to the thread's `medium` window,
 * a whole block where there is one, so that holes are not thrown away because one object is too big for
 * them.  Objects above SMALL_MAX get contiguous blocks of their own.
 *
 * Blocks are a multiple of what a cache repeats itself after, so if each began with an object, objects of one size (rows of a matrix)
 * would meet in few of its sets: the windows of whole blocks, and large objects, begin some lines later, by the block's number (lines_later).
 *
 * heap.allocated counts what was handed out; passing heap.budget asks for a collection before
 * the next block is handed out.  Failing that, or failing to find memory, the order is: collect
 * (young, if the policy says so); collect fully and move objects together (compact.c); the same clearing soft
 * references; OutOfMemoryError.
 *
 * Compiled code that did without an object must be able to make it when it is left, where the bytecode allocates nothing
 * that could fail.  For these KEPT_BLOCKS lie above the heap's maximum, committed when the first is needed; no window, and no
 * other allocation, gets them.  Each object takes lines of its own there.
 */
#include "core/hooks.h"
#include "core/options.h"
#include "core/reserve.h"
#include "heap/heap_int.h"
#include "heap/heap_upcall.h"
#include "os/os.h"
#include "thread/guard.h"

#include <stdlib.h>
#include <string.h>

enum { COMMIT_BLOCKS = (4 << 20) >> BLOCK_SHIFT, MEDIUM_MIN_REUSE = 2048, MEDIUM_OBJECT = 256 };

typedef enum AllocMode { ALLOC_WITHIN_BUDGET, ALLOC_ANY } AllocMode;

GcThread *alloc_thread_data(Thread *t) {
    if (!t->gc_data) t->gc_data = reserve_zeroed(sizeof(GcThread), "a thread's part of the heap");
    return t->gc_data;
}

/* ---- windows ---- */

static void retire_window(Thread *t) {
    t->allocated_bytes += (size_t)(t->tlab.top - t->tlab.start);
    t->tlab = (Tlab){0};
    if (t->gc_data) ((GcThread *)t->gc_data)->cut_end = NULL;
}

static void retire_thread(Thread *t) {
    GcThread *g = t->gc_data;
    retire_window(t);
    if (!g) return;
    t->allocated_bytes += (size_t)(g->medium.top - g->medium.start);
    g->medium = (Tlab){0};
    g->has_block = false;
}

void alloc_retire_all(void) { FOR_EACH_THREAD(t) retire_thread(t); }

u8 heap_allocated_by_ended;
static _Atomic u8 windows_of_ended;

u8 alloc_take_windows(void) {
    u8 n = atomic_exchange(&windows_of_ended, 0);
    FOR_EACH_THREAD(t) {
        GcThread *g = t->gc_data;
        if (!g) continue;
        n += g->windows;
        g->windows = 0;
    }
    return n;
}

void alloc_thread_exit(Thread *t) {
    retire_thread(t);
    if (t->gc_data) atomic_fetch_add(&windows_of_ended, ((GcThread *)t->gc_data)->windows);
    heap_allocated_by_ended += t->allocated_bytes;
    free(t->gc_data);
    t->gc_data = NULL;
}

u8 heap_thread_allocated(Thread *t) {
    GcThread *g = t->gc_data;
    u8 n = t->allocated_bytes + (size_t)(t->tlab.top - t->tlab.start);
    return g ? n + (size_t)(g->medium.top - g->medium.start) : n;
}

/* Zeroes are the first contents of fields and elements: a thread that gets the object by a race of the program may read them (JLS 17.4.4). */
static void clear_memory(u1 *start, size_t bytes) { JAVA_COPY memset(start, 0, bytes); }

/* How many lines later than their block, of those that may be left out, a window or a large object begins. */
static u4 lines_later(size_t block, size_t spare) { return (u4)(block % (spare / LINE_BYTES + 1)); }

/* Where the window of a whole block begins, for objects of that size: as much as they leave of a block anyway, or some lines. */
static u4 first_line(size_t block, size_t size) {
    enum { COLOURED = 512, LEAST = 1024 };
    size_t spare = BLOCK_BYTES % size;
    return size < COLOURED ? 0 : lines_later(block, spare < LEAST ? LEAST : spare);
}

/* Next run of free lines of the thread's block becomes its window, for an object of `size` bytes. */
static bool next_hole(Thread *t, GcThread *g, size_t size) {
    if (!g->has_block) return false;
    u4 first = g->line, last;
    if (!next_free_lines(g->block, &first, &last)) return g->has_block = false;
    g->line = last;
    if (first == 0 && last == LINES_PER_BLOCK) first = first_line(g->block, size);
    u1 *start = block_address(g->block) + first * LINE_BYTES;
    size_t bytes = (size_t)(last - first) * LINE_BYTES;
    if (!g->fresh) clear_memory(start, bytes);
    starts_add_run(g->block, first, last);
    g->windows++;
    retire_window(t);
    t->tlab = (Tlab){.start = start, .top = start, .end = start + bytes};
    return true;
}

/* ---- blocks; heap.lock held ---- */

/* [lock: heap]; heap_used reads it without. */
static void count_allocated(size_t bytes) { __atomic_store_n(&heap.allocated, heap.allocated + bytes, __ATOMIC_RELAXED); }

static bool commit_more(size_t blocks) {
    size_t n = blocks < COMMIT_BLOCKS ? COMMIT_BLOCKS : blocks;
    if (heap.n_blocks >= heap.max_blocks) return false;
    if (n > heap.max_blocks - heap.n_blocks) n = heap.max_blocks - heap.n_blocks;
    if (n < blocks || n == 0) return false;
    if (!commit_blocks(heap.n_blocks, n)) return false;
    __atomic_store_n(&heap.n_blocks, heap.n_blocks + n,
                     __ATOMIC_RELAXED); /* read without the lock by heap_committed; states are zero already: BLOCK_UNTOUCHED */
    return true;
}

static inline bool block_is_free(size_t i) { return heap.block_state[i] <= BLOCK_FREE; }

/* Index + 1 of a free block, made USED; 0 when there is none. */
static size_t take_free_block(bool *fresh) {
    size_t i = heap.next_free, end = blocks_for_all();
    while (i < end && !block_is_free(i)) i++;
    heap.next_free = i;
    if (i == end && !commit_more(1)) return 0;
    *fresh = heap.block_state[i] == BLOCK_UNTOUCHED;
    heap.block_state[i] = BLOCK_USED;
    heap.next_free = i + 1;
    count_allocated(BLOCK_BYTES);
    return i + 1;
}

static size_t take_partial_block(void) {
    if (heap.recycle_pos == heap.n_recycle) return 0;
    size_t i = heap.recycle[heap.recycle_pos++];
    heap.block_state[i] = BLOCK_USED;
    count_allocated(heap.block_info[i] * LINE_BYTES); /* its free lines, counted by the sweep */
    return i + 1;
}

static bool over_budget(AllocMode mode, size_t bytes) {
    return mode == ALLOC_WITHIN_BUDGET && heap.allocated + bytes > heap.budget;
}

/* Give the thread a block with free lines. */
static bool take_block(GcThread *g, AllocMode mode) {
    bool fresh = false;
    lock_take(&heap.lock);
    size_t i = 0;
    if (!over_budget(mode, 0)) {
        i = take_partial_block();
        if (!i) i = take_free_block(&fresh);
    }
    lock_release(&heap.lock);
    if (!i) return false;
    g->block = (u4)(i - 1);
    g->line = 0;
    g->fresh = fresh;
    g->has_block = true;
    return true;
}

/* First run of at least n free lines of a block; its length in *len, 0 = none. */
static u4 find_hole(size_t block, u4 n, u4 *len) {
    u4 first = 0, last;
    for (; next_free_lines(block, &first, &last); first = last)
        if (last - first >= n) return *len = last - first, first;
    *len = 0;
    return 0;
}

/* No block is free: a big enough hole of a partly free one.  Its other holes wait for the next collection. */
static u1 *take_hole(size_t size, u4 *lines) {
    u4 n = (u4)((size + LINE_BYTES - 1) >> LINE_SHIFT);
    for (size_t k = heap.recycle_pos; k < heap.n_recycle; k++) {
        u4 i = heap.recycle[k];
        if (heap.block_info[i] < n) continue;
        u4 first = find_hole(i, n, lines);
        if (!*lines) continue;
        heap.recycle[k] = heap.recycle[heap.recycle_pos++];
        heap.block_state[i] = BLOCK_USED;
        count_allocated(heap.block_info[i] * LINE_BYTES);
        return block_address(i) + first * LINE_BYTES;
    }
    return NULL;
}

/* A window for an object of `size` bytes and others like it. */
static bool take_medium(Thread *t, GcThread *g, size_t size, AllocMode mode) {
    bool fresh = false;
    u4 lines = LINES_PER_BLOCK;
    u1 *p = NULL;
    lock_take(&heap.lock);
    if (!over_budget(mode, 0)) {
        size_t i = take_free_block(&fresh);
        p = i ? block_address(i - 1) : take_hole(size, &lines);
    }
    lock_release(&heap.lock);
    if (!p) return false;
    u4 first = (u4)(line_index(p) % LINES_PER_BLOCK);
    if (lines == LINES_PER_BLOCK) {
        first = first_line(block_index(p), size);
        p += first * LINE_BYTES;
        lines -= first;
    }
    if (!fresh) clear_memory(p, (size_t)lines * LINE_BYTES);
    starts_add_run(block_index(p), first, first + lines);
    t->allocated_bytes += (size_t)(g->medium.top - g->medium.start);
    g->medium = (Tlab){.start = p, .top = p, .end = p + (size_t)lines * LINE_BYTES};
    return true;
}

/* First of n contiguous free blocks, + 1; next fit from large_cursor, then from the start. */
static size_t find_free_run(size_t n, size_t from, size_t to) {
    size_t run = 0;
    for (size_t i = from; i < to; i++) {
        run = block_is_free(i) ? run + 1 : 0;
        if (run == n) return i + 2 - n;
    }
    return 0;
}

static size_t take_free_run(size_t n) {
    size_t from = heap.large_cursor < heap.next_free ? heap.next_free : heap.large_cursor;
    size_t end = blocks_for_all(), first = find_free_run(n, from, end);
    if (!first) first = find_free_run(n, heap.next_free, end);
    if (!first) { /* grow; free blocks at the end count */
        size_t tail = end;
        while (tail > 0 && block_is_free(tail - 1)) tail--;
        if (tail + n > heap.max_blocks || !commit_more(tail + n - end)) return 0;
        first = tail + 1;
    }
    heap.large_cursor = first - 1 + n;
    count_allocated(n << BLOCK_SHIFT);
    return first;
}

static u1 *alloc_large(Thread *t, size_t size, AllocMode mode) {
    size_t n = (size + BLOCK_BYTES - 1) >> BLOCK_SHIFT;
    lock_take(&heap.lock);
    size_t first = over_budget(mode, n << BLOCK_SHIFT) ? 0 : take_free_run(n);
    if (!first--) return lock_release(&heap.lock), NULL;
    bool fresh = true;
    for (size_t i = first; i < first + n; i++) {
        fresh &= heap.block_state[i] == BLOCK_UNTOUCHED;
        heap.block_state[i] = i == first ? BLOCK_LARGE : BLOCK_LARGE_REST;
        heap.block_info[i] = (u4)(i == first ? n : first);
    }
    lock_release(&heap.lock);
    size_t spare = (n << BLOCK_SHIFT) - size, most = LARGE_START_MAX - LINE_BYTES;
    u1 *p = block_address(first) + lines_later(first, spare < most ? spare : most) * LINE_BYTES;
    if (!fresh) clear_memory(p, size);
    t->allocated_bytes += size; /* what was asked for, as in windows */
    return p;
}

/* ---- one attempt ---- */

static u1 *bump(Tlab *w, size_t size) {
    u1 *p = w->top;
    if (size > (size_t)(w->end - p)) return NULL;
    w->top = p + size;
    return p;
}

static u1 *alloc_small(Thread *t, size_t size, AllocMode mode) {
    GcThread *g = alloc_thread_data(t);
    u1 *p = bump(&t->tlab, size);
    if (p) return p;
    if (size > MEDIUM_OBJECT) {
        if ((p = bump(&g->medium, size))) return p;
        /* A nearly used-up window is worth less than this object's locality. */
        if ((size_t)(t->tlab.end - t->tlab.top) >= MEDIUM_MIN_REUSE || size > BLOCK_BYTES / 4)
            return take_medium(t, g, size, mode) ? bump(&g->medium, size) : NULL;
    }
    for (int tries = 0;; tries++) {
        while (next_hole(t, g, size)) {
            if ((p = bump(&t->tlab, size))) return p;
            if (size > MEDIUM_OBJECT && tries > 0) break;
        }
        if (size > MEDIUM_OBJECT && tries > 0) return take_medium(t, g, size, mode) ? bump(&g->medium, size) : NULL;
        if (!take_block(g, mode)) return NULL;
    }
}

/* When no whole block is left, a medium object may still fit a hole somewhere. */
static u1 *alloc_small_desperate(Thread *t, size_t size) {
    GcThread *g = alloc_thread_data(t);
    do
        while (next_hole(t, g, size)) {
            u1 *p = bump(&t->tlab, size);
            if (p) return p;
        }
    while (take_block(g, ALLOC_ANY));
    return NULL;
}

static u1 *try_alloc(Thread *t, size_t size, AllocMode mode) {
    if (size > SMALL_MAX) return alloc_large(t, size, mode);
    u1 *p = alloc_small(t, size, mode);
    if (!p && mode == ALLOC_ANY) p = alloc_small_desperate(t, size);
    return p;
}

/* ---- with collections ---- */

static bool hopeless(size_t size) { return size > heap.max_blocks << BLOCK_SHIFT; }

static COLD void out_of_memory(Thread *t, const char *msg) {
    upcall_throw_oom(t, msg); /* posts ResourceExhausted, does what -XX:...OutOfMemoryError options want */
}

static bool overhead_exceeded(void) {
    HOLDING(&heap.lock);
    return sizing_overhead_exceeded();
}

/* Of a window that a sample cut short. */
static void restore_window(Thread *t) {
    GcThread *g = t->gc_data;
    if (LIKELY(!g || !g->cut_end)) return;
    t->tlab.end = g->cut_end;
    g->cut_end = NULL;
}

/* By chance, so that no loop of the program falls into step with it; the same in every run of one thread. */
static bool stress_is_due(void) {
    static _Atomic u8 allocations;
    if (heap_stress_interval == 1) return true;
    u8 h = atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed) * 0x9e3779b97f4a7c15u;
    return (u4)((h ^ h >> 29) * 0xbf58476d1ce4e5b9u >> 32) % heap_stress_interval == 0;
}

static _Thread_local u4 starve; /* allocations left until one fails; 0: no end */

static bool is_starved(void) { return UNLIKELY(starve) && --starve == 0; }

bool heap_next_window(Thread *t, size_t size) {
    GcThread *g = t->gc_data;
    if (!g || g->cut_end || size > MEDIUM_OBJECT || heap_stress_interval || starve) return false;
    if (hook_on(HOOK_SAMPLED_ALLOC) || hook_on(HOOK_VM_ALLOC)) return false;
    while (next_hole(t, g, size))
        if (size <= (size_t)(t->tlab.end - t->tlab.top)) return true;
    return false;
}

static u1 *alloc_raw(Thread *t, size_t size) {
    restore_window(t);
    guard_may_stop("allocation");
    guard_in_java(t, "allocation");
    if (UNLIKELY(heap_stress_interval && stress_is_due())) {
        u8 n = heap_gc_count();
        gc_collect(t, "stress", n % 8 ? GC_AUTO : GC_FULL, n);
    }
    if (is_starved()) return out_of_memory(t, "Java heap space"), NULL;
    u1 *p = hopeless(size) ? NULL : try_alloc(t, size, ALLOC_WITHIN_BUDGET);
    for (GcKind kind = GC_AUTO; !p && !hopeless(size) && kind <= GC_LAST; kind = kind == GC_AUTO ? GC_TIGHT : kind + 1) {
        if (kind == GC_TIGHT && !gc_last_was_young() && !compact_pays()) continue;
        gc_make_room(t, size, kind);
        if (!gc_last_was_young() && overhead_exceeded()) {
            gc_collect(t, "Allocation Failure", GC_LAST, 0);
            if (!try_alloc(t, size, ALLOC_ANY) || sizing_free() < heap_max() / 50)
                return out_of_memory(t, "GC overhead limit exceeded"), NULL;
        }
        p = try_alloc(t, size, ALLOC_ANY);
    }
    if (!p) out_of_memory(t, "Java heap space");
    return p;
}

static void close_window(Thread *t) {
    t->allocated_bytes += (size_t)(t->tlab.top - t->tlab.start);
    /* The rest of the run stays unused until the next collection; keep whole lines of it. */
    u1 *next = (u1 *)ALIGN_UP((uintptr_t)t->tlab.top, LINE_BYTES);
    GcThread *g = t->gc_data;
    if (g && g->has_block && next < t->tlab.end && block_index(next) == g->block)
        g->line = (u4)((size_t)(next - block_address(g->block)) >> LINE_SHIFT);
    t->tlab = (Tlab){0};
}

static Object *finish(Thread *t, u1 *p, Class *c, size_t size, int32_t length) {
    Object *o = (Object *)p;
    if (length >= 0) ((Array *)o)->length = length;
    obj_new_at(p, c);
    if (heap.block_state[block_index(o)] == BLOCK_LARGE) bit_set(heap.start_bits, bit_index(o));
    if (UNLIKELY(heap_stress_interval || starve)) close_window(t); /* every allocation must come here */
    if (hook_on(HOOK_SAMPLED_ALLOC)) sample_allocation(t, o, size);
    return o;
}

u4 heap_starve(Thread *t, u4 nth) {
    u4 left = starve;
    restore_window(t);
    close_window(t);
    starve = nth;
    return left;
}

Object *heap_alloc_slow(Thread *t, Class *c, size_t size, int32_t length) {
    if (length > INT32_MAX - 2) return out_of_memory(t, "Requested array size exceeds VM limit"), NULL;
    u1 *p = alloc_raw(t, size);
    return p ? finish(t, p, c, size, length) : NULL;
}

/* ---- objects that compiled code did without ---- */

/* Index of a free one of the blocks that are kept, made USED; 0: there is none. */
static size_t take_kept_block(void) {
    for (size_t i = heap.max_blocks; i < heap.max_blocks + KEPT_BLOCKS; i++) {
        if (i == heap.n_blocks) {
            if (!commit_blocks(i, 1)) return 0;
            __atomic_store_n(&heap.n_blocks, i + 1, __ATOMIC_RELAXED);
        }
        if (i > heap.n_blocks) return 0; /* the OS gives nothing */
        if (!block_is_free(i)) continue;
        if (heap.block_state[i] == BLOCK_FREE) clear_memory(block_address(i), BLOCK_BYTES);
        heap.block_state[i] = BLOCK_USED;
        return i;
    }
    return 0;
}

/* Lines of their own: no window is to have the rest. */
static u1 *take_kept_lines(size_t size) {
    u4 n = (u4)((size + LINE_BYTES - 1) >> LINE_SHIFT);
    u1 *p = NULL;
    u8 gc = atomic_load(&heap.gc_count);
    lock_take(&heap.lock);
    if (!heap.kept_block || heap.kept_gc != gc || heap.kept_line + n > LINES_PER_BLOCK) {
        heap.kept_block = take_kept_block();
        heap.kept_line = 0;
        heap.kept_gc = gc;
    }
    if (heap.kept_block && n <= LINES_PER_BLOCK) {
        p = block_address(heap.kept_block) + heap.kept_line * LINE_BYTES;
        starts_add_run(heap.kept_block, heap.kept_line, heap.kept_line + n);
        heap.kept_line += n;
        count_allocated(n * LINE_BYTES);
    }
    lock_release(&heap.lock);
    return p;
}

static u1 *alloc_surely(Thread *t, size_t size) {
    restore_window(t);
    guard_may_stop("allocation");
    guard_in_java(t, "allocation");
    if (UNLIKELY(heap_stress_interval && stress_is_due())) gc_collect(t, "stress", GC_AUTO, heap_gc_count());
    u1 *p = try_alloc(t, size, ALLOC_WITHIN_BUDGET);
    for (GcKind kind = GC_AUTO; !p && kind <= GC_FULL; kind++) {
        gc_make_room(t, size, kind);
        p = try_alloc(t, size, ALLOC_ANY);
    }
    return p ? p : take_kept_lines(size);
}

Object *heap_alloc_reserved(Thread *t, Class *c, int32_t length) {
    size_t size = length < 0 ? c->instance_size : heap_array_size(c, length);
    GcThread *g = alloc_thread_data(t);
    bool was_in_sample = g->in_sample;
    u1 *p = alloc_surely(t, size);
    g->in_sample = true;
    Object *o = p ? finish(t, p, c, size, length) : NULL;
    g->in_sample = was_in_sample;
    return o;
}

Object *heap_alloc_object(Thread *t, Class *c) {
    ASSERT(!(c->flags & (CF_ARRAY | CF_MIRROR)) && c->instance_size >= OBJECT_HEADER, "%s", c->name->bytes);
    return heap_new(t, c);
}

Object *heap_alloc_array(Thread *t, Class *c, int32_t length) {
    ASSERT(length >= 0 && (c->flags & CF_ARRAY), "%d", length);
    return heap_new_array(t, c, length);
}

Object *heap_alloc_mirror(Thread *t, Class *class_class, size_t bytes) {
    bytes = ALIGN_UP(bytes, 8);
    if (!(class_class->flags & CF_MIRROR)) class_class->flags |= CF_MIRROR; /* by the first one, before there are threads */
    u1 *p = alloc_raw(t, bytes + sizeof(u8));
    if (!p) return NULL;
    *(u8 *)p = mirror_size_word(bytes);
    return finish(t, p + sizeof(u8), class_class, bytes, -1);
}

size_t heap_object_size(const Object *o) { return object_size(o, obj_class(o)); }
