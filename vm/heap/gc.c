/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collector: theory and cycle driver.
 *
 * Terms
 *   block     32 KiB; line: 256 bytes.  A block is untouched, free, partial (some lines
 *             free), used, or part of a large object.
 *   window    run of free lines from which one thread allocates by bumping (Thread.tlab)
 *   start bit one per 8 bytes of heap: an object starts here.  Set by allocation, so that any
 *             word can be asked which object it points into.
 *   mark bit  likewise: this object was reached
 *   line mark one byte per line: an object that was reached touches it
 *
 * Mark-region without moving: marking sets mark bits and line marks; sweeping turns mark bits
 * into start bits and finds blocks with free lines.  Allocation fills those lines.  No
 * free lists, no per-object sweep.
 *
 * Invariants
 *   I1  Outside pauses, start bits of reachable objects are set, those of memory in windows not
 *       yet used are clear; likewise of free lines.
 *   I2  Memory of a window is zero from `top` on.
 *   I3  An object's fields refer to objects that have a start bit or are unreachable.  An
 *       unreachable object found by a heap walk before the next collection is still whole, and
 *       so is what it refers to: lines are reused only after a collection forgot it.
 *   I4  In a pause every thread is stopped with its registers and stack published (safepoint.c).
 *
 * Stop-the-world, full: roots (exact and ambiguous, roots.c), tracing, references (refs.c), weak
 * tables, sweep.  `phases` below is the whole cycle.
 *
 * When: after `budget` bytes were handed out; budget = the live bytes of the last collection, at
 * least MIN_BUDGET, so the cost per allocated byte is bounded and small heaps stay small.
 *
 * Not done yet, with the place kept free: sticky mark bits for young collections (ref_store
 * already dirties cards), parallel marking, evacuation (the hash does not assume addresses
 * to be stable for ever), class unloading (classes are roots in roots.c).
 */
#include "core/hooks.h"
#include "core/options.h"
#include "heap/heap_int.h"
#include "os/os.h"

#include <stdio.h>
#include <string.h>

#define GIB ((size_t)1 << 30)
#define HEAP_LOW (4 * GIB)
#define HEAP_HIGH (32 * GIB)  /* compressed references reach this far */
#define MIN_BUDGET ((size_t)32 << 20)
#define CARD_SHIFT 9

Heap heap = {.lock = PTHREAD_MUTEX_INITIALIZER};
u1 *heap_card_bias;
u1 *heap_start_bias;
bool heap_stress_gc, heap_verify_gc, heap_verbose_gc;

/* ---- setting up ---- */

static void *side_table(size_t bytes)
{
    bytes = ALIGN_UP(bytes, os_page_size());
    void *p = os_reserve(NULL, bytes);
    return p && os_commit(p, bytes) ? p : NULL;
}

static u1 *reserve_below_32g(size_t bytes)
{
    for (size_t at = HEAP_LOW; at + bytes <= HEAP_HIGH; at += GIB) {
        u1 *p = os_reserve((void *)at, bytes);
        if (p) return p;
    }
    return NULL;
}

static bool make_side_tables(void)
{
    size_t n = heap.max_blocks, bytes = n << BLOCK_SHIFT;
    heap.block_state = side_table(n);
    heap.block_info = side_table(n * sizeof(u4));
    heap.recycle = side_table(n * sizeof(u4));
    heap.line_marks = side_table(n * LINES_PER_BLOCK);
    heap.mark_bits = side_table(bytes / 64);
    heap.start_bits = side_table(bytes / 64);
    heap.cards = side_table(bytes >> CARD_SHIFT);
    return heap.block_state && heap.block_info && heap.recycle && heap.line_marks && heap.mark_bits &&
           heap.start_bits && heap.cards && mark_init();
}

static size_t round_to_blocks(size_t bytes)
{
    return ALIGN_UP(bytes, BLOCK_BYTES);
}

/* Default maximum: a share of memory; when that much address space is not to be had, less. */
static bool reserve_heap(size_t max, bool explicit_max)
{
    size_t limit = HEAP_HIGH - HEAP_LOW - GIB;
    if (max > limit) max = limit;
    for (;; max /= 2) {
        max = round_to_blocks(max);
        heap.base = reserve_below_32g(max);
        if (heap.base) break;
        if (explicit_max || max < 64 << 20) return false;
    }
    heap.end = heap.base + max;
    heap.max_blocks = max >> BLOCK_SHIFT;
    return true;
}

static size_t free_share(void)
{
    size_t max = heap.max_blocks << BLOCK_SHIFT;
    return max > heap.live ? max - heap.live : 0;
}

static void set_budget(void)
{
    size_t b = heap.live > MIN_BUDGET ? heap.live : MIN_BUDGET;
    size_t left = free_share();
    heap.budget = b < left ? b : left;
}

bool heap_init(size_t min, size_t max, char *err, size_t errlen)
{
    size_t memory = os_physical_memory();
    bool explicit_max = max != 0;
    if (!max) max = memory / 100 * vm_options.max_ram_percent;
    if (max < 2 << 20) max = 2 << 20;
    if (min > max) max = min;
    if (!min) min = memory / 64;
    if (!reserve_heap(max, explicit_max)) {
        snprintf(err, errlen, "Could not reserve enough space for %zuKB object heap", max >> 10);
        return false;
    }
    if (!make_side_tables()) {
        snprintf(err, errlen, "Could not reserve enough space for the tables of a %zuKB object heap", max >> 10);
        return false;
    }
    heap_card_bias = heap.cards - ((uintptr_t)heap.base >> CARD_SHIFT);
    heap_start_bias = (u1 *)heap.start_bits - ((uintptr_t)heap.base >> 6);
    heap.n_blocks = round_to_blocks(min) >> BLOCK_SHIFT;
    if (heap.n_blocks > heap.max_blocks) heap.n_blocks = heap.max_blocks;
    if (!os_commit(heap.base, heap.n_blocks << BLOCK_SHIFT)) {
        snprintf(err, errlen, "Could not commit %zuKB of object heap", min >> 10);
        return false;
    }
    heap.last_gc_millis = os_millis();
    set_budget();
    return true;
}

/* ---- the cycle ---- */

static void phase_begin(void)
{
    HOOK_CALL(GC_START, gc_start);
    alloc_retire_all();
    refs_prepare(heap.clear_soft);
}

static void phase_end(void)
{
    heap.allocated = 0;
    set_budget();
    sweep_return_memory();
    mark_release_stack();
}

static void phase_verify(void)
{
    if (heap_verify_gc) heap_check("after collection");
}

static void phase_finish(void)
{
    HOOK_CALL(GC_FINISH, gc_finish);
}

static const struct {
    const char *name;
    void (*run)(void);
} phases[] = {
    {"begin", phase_begin},            {"clear marks", mark_prepare},
    {"mark roots", roots_mark},        {"trace", mark_drain},
    {"weak references", refs_clear_weak}, {"final references", refs_keep_final},
    {"phantom references", refs_clear_phantom}, {"weak tables", sweep_weak_tables},
    {"sweep", sweep_blocks},           {"pending list", refs_publish},
    {"end", phase_end},                {"verify", phase_verify},
    {"finish", phase_finish},
};

typedef struct CycleArgs {
    const char *cause;
    bool clear_soft;
    u8 seen_count;
    bool done;
} CycleArgs;

static void report(const char *cause, size_t before, int64_t nanos)
{
    printf("[gc] %llu (%s) %zuM->%zuM(%zuM) %.3fms\n", (unsigned long long)atomic_load(&heap.gc_count) - 1,
           cause, before >> 20, heap.live >> 20, heap_committed() >> 20, (double)nanos / 1e6);
    fflush(stdout);
}

static void run_cycle(void *p)
{
    CycleArgs *a = p;
    if (atomic_load(&heap.gc_count) != a->seen_count && !a->clear_soft) return; /* somebody was faster */
    int64_t start = os_nanos();
    size_t before = heap_used();
    heap.collecting = true;
    heap.clear_soft = a->clear_soft;
    for (size_t i = 0; i < ARRAY_LEN(phases); i++) phases[i].run();
    heap.collecting = false;
    int64_t nanos = os_nanos() - start;
    heap.gc_nanos += nanos;
    heap.last_gc_millis = os_millis();
    atomic_fetch_add(&heap.gc_count, 1);
    a->done = true;
    if (heap_verbose_gc || vm_options.print_gc) report(a->cause, before, nanos);
}

/* Collects unless a collection has happened since the caller saw `seen_count`. */
bool gc_collect(Thread *t, const char *cause, bool clear_soft, u8 seen_count)
{
    CycleArgs a = {cause, clear_soft, seen_count, false};
    if (heap.collecting) FATAL("allocation during a collection");
    safepoint_run(cause, run_cycle, &a);
    return a.done;
}

void heap_gc(Thread *t, const char *cause)
{
    gc_collect(t, cause, false, atomic_load(&heap.gc_count));
}

/* ---- figures ---- */

size_t heap_max(void)
{
    return heap.max_blocks << BLOCK_SHIFT;
}

size_t heap_committed(void)
{
    return heap.n_blocks << BLOCK_SHIFT;
}

size_t heap_used(void)
{
    size_t used = heap.live + heap.allocated;
    return used < heap_committed() ? used : heap_committed();
}

u8 heap_gc_count(void)
{
    return atomic_load(&heap.gc_count);
}

int64_t heap_gc_millis(void)
{
    return heap.gc_nanos / 1000000;
}

int64_t heap_last_full_gc_millis(void)
{
    return heap.last_gc_millis;
}

static void close_windows(void *arg)
{
    alloc_retire_all();
}

/* Windows are simply dropped: their unused lines come back with the next collection. */
void heap_observe_allocations(void)
{
    safepoint_run("observe allocations", close_windows, NULL);
}
