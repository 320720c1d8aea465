/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How big the heap is, when a collection is due, and of which kind it is.
 *
 * Sizes.  Memory is what the machine or the control group has, or -XX:MaxRAM.  The maximum is -Xmx, else
 * MaxRAMPercentage of memory, with MinRAMPercentage instead where memory is so small that it would be less
 * than SMALL_HEAP; the initial size is -Xms, else InitialRAMPercentage.  The initial size is committed, which
 * costs address space only; from there on the heap grows as blocks are taken, up to the maximum.
 *
 * When.  A collection is due after `budget` bytes were handed out: a sixth of the maximum, at most 32 MB, more
 * when much is live, because then each collection costs more; -Xmn sets it.  A program that spends a noticeable share of its time in
 * collections gets more between two of them, step by step, and gives it back when they cost little: memory is spent where it buys time.  The most it
 * gets is a share of the maximum, and the dearer they are the larger it is; what is above the least of these shares has to go on paying.  It buys most
 * where young ones trace the same old objects each time (dirty cards, roots), however much was handed out.
 *
 * Free memory goes back to the system after a collection, but not what the heap needs as it rises again (sizing_free_to_keep).
 *
 * Which.  A young collection costs by the young survivors and the dirty cards, a full one by all that lives.
 * Both are counted in objects traced.  The full one also frees old garbage.  That lies about in single lines, and the windows
 * between get smaller with each young collection: they are counted as well, since what is handed out in small pieces costs the program time.
 * So a full collection is taken
 *   - when little lives, or when it is likely to cost less for each byte: `full` and `young` tell what the last one of the kind cost and
 *     freed, `scatter` how small the windows were,
 *   - when the heap has grown by as much again as was live after the last full one,
 *   - when the heap is nearly used up.
 */
#include "log/log.h"
#include "core/options.h"
#include "heap/heap_int.h"
#include "os/os.h"

#define MB ((size_t)1 << 20)
#define SMALL_HEAP (125 * MB)
#define MIN_BUDGET (32 * MB)
#define CHEAP_TRACE 30000 /* objects; about a millisecond or two */
#define TOUCH_NANOS 3     /* of a byte that the system has to give; about half of that was seen in a virtual machine */
#define WINDOW_WORK 6     /* a window costs as much as so many objects traced: a call, and lines that no cache has */

typedef struct Yield {
    u8 work;            /* objects traced */
    size_t freed, left; /* bytes */
} Yield;
static Yield full, young;
/* Windows for each byte handed out: since the last collection, and behind the last full one. */
static double scatter, full_scatter;

static size_t memory(void) {
    size_t n = os_physical_memory();
    return vm_options.max_ram && vm_options.max_ram < n ? vm_options.max_ram : n;
}

static size_t share(double percent) { return percent >= 100 ? memory() : (size_t)((double)memory() * percent / 100); }

size_t sizing_default_max(void) {
    size_t small = share(vm_options.min_ram_percent), usual = share(vm_options.max_ram_percent);
    size_t n = small <= SMALL_HEAP ? small : usual > SMALL_HEAP ? usual : SMALL_HEAP;
    return ALIGN_UP(n, 2 * MB);
}

size_t sizing_default_min(void) { return share(vm_options.initial_ram_percent); }

size_t sizing_free(void) {
    size_t max = heap.max_blocks << BLOCK_SHIFT;
    return max > heap.live ? max - heap.live : 0;
}

static size_t paced = MIN_BUDGET;

/* At least half of what a young collection traced was old: no object is smaller than this. */
static bool traced_old(size_t live_before) {
    enum { LEAST_OBJECT = 16 };
    size_t survived = heap.live > live_before ? heap.live - live_before : 0;
    return heap.young && survived / LEAST_OBJECT < mark_work() / 2;
}

enum { MORE_SHARE = 64, LARGE_SHARE = 24, MOST_SHARE = 12 };

static size_t share_of_max(size_t n) { return (heap.max_blocks << BLOCK_SHIFT) / n; }

/* The most between two collections when they take so many thousandths of the time. */
static size_t most_for(int64_t taken, size_t live_before) {
    enum { VERY_MUCH = 100, RATHER_MUCH = 50 };
    if (taken > VERY_MUCH && traced_old(live_before)) return share_of_max(MOST_SHARE);
    return share_of_max(taken > RATHER_MUCH ? LARGE_SHARE : MORE_SHARE);
}

/* More than the least share is memory to be touched for the first time: collections have to have cost as much as that will. */
static bool has_earned(int64_t pause) {
    static int64_t spent;
    if (paced < share_of_max(MORE_SHARE)) return true;
    spent += pause;
    if (spent < (int64_t)(paced / 4) * TOUCH_NANOS) return false;
    spent = 0;
    return true;
}

/* By what the last collection took of the time since the one before it, in thousandths. */
static void pace(void) {
    enum { MUCH = 25, LITTLE = 5 };
    static int64_t last_end;
    static size_t live_before;
    int64_t now = os_nanos(), pause = now - heap.stats[heap.young ? HEAP_GC_YOUNG : HEAP_GC_FULL].start_nanos;
    int64_t taken = now > last_end ? pause * 1000 / (now - last_end) : 0;
    int64_t idle = paced > share_of_max(MORE_SHARE) ? MUCH : LITTLE;
    if (taken > MUCH && paced < most_for(taken, live_before)) paced += has_earned(pause) ? paced / 4 : 0;
    else if (taken < idle && paced > MIN_BUDGET) paced -= paced / 8;
    if (paced < MIN_BUDGET) paced = MIN_BUDGET;
    last_end = now;
    live_before = heap.live;
}

static size_t usual_budget(void) {
    size_t share = (heap.max_blocks << BLOCK_SHIFT) / 6;
    size_t least = share < paced ? share : paced;
    return heap.live / 4 > least ? heap.live / 4 : least;
}

void sizing_after_collection(bool due) {
    if (due) pace();
    size_t b = vm_options.new_size ? vm_options.new_size : usual_budget(), left = sizing_free();
    heap.budget = b < left ? b : left;
    Yield *y = heap.young ? &young : &full;
    size_t used = heap.stats[heap.young ? HEAP_GC_YOUNG : HEAP_GC_FULL].used_before;
    y->work = mark_work();
    y->freed = used > heap.live ? used - heap.live : 0;
    if (heap.young) return;
    size_t least = usual_budget();
    full.left = heap.live;
    heap.full_at = heap.live + (heap.live > least ? heap.live : least);
}

/*
 * Bytes that are free and stay with us: what is handed out until the next collection, and what the heap rose by between the last full collections,
 * since it rises as high again, and pages that come anew are cleared first.  Who asks for a collection gets back all that can be.
 */
size_t sizing_free_to_keep(void) {
    static size_t rise, last_rise;
    size_t used = heap.stats[heap.young ? HEAP_GC_YOUNG : HEAP_GC_FULL].used_before;
    if (used > rise) rise = used;
    if (!heap.young) last_rise = rise, rise = 0;
    if (heap.asked_for) rise = last_rise = 0;
    size_t risen = rise > last_rise ? rise : last_rise;
    return risen > heap.live + heap.budget ? risen - heap.live : heap.budget;
}

/* World stopped, before the kind is chosen. */
void sizing_before_collection(void) {
    u8 windows = alloc_take_windows();
    if (heap.allocated < heap.budget / 2) return; /* too little to tell */
    scatter = (double)windows / (double)heap.allocated;
    if (!heap.young) full_scatter = scatter;
}

static double cost(u8 work, size_t freed, double windows) { return (double)work / (double)freed + WINDOW_WORK * windows; }

/* A full collection costs less per byte, if it leaves what the last one left, in that order. */
static bool full_pays(void) {
    size_t used = heap_used(), freed = used > full.left ? used - full.left : 0;
    if (full.work < CHEAP_TRACE) return true;
    return young.freed && cost(full.work, freed, full_scatter) < cost(young.work, young.freed, scatter);
}

bool sizing_young_is_enough(void) {
    if (heap_gc_count() == 0) return false;
    if (full_pays()) return false;
    return heap.live < heap.full_at && sizing_free() > heap_max() / 8;
}

/* ---- too much work for nothing ---- */

/*
 * "GC overhead limit exceeded", if asked for: full collections in a row for half a second or longer, after which
 * less than 1/50 of the heap was free, with less than 1/50 of the time spent between them.
 */
bool sizing_overhead_exceeded(void) {
    enum { IN_A_ROW = 5, LEAST_NANOS = 500000000 };
    static int in_a_row;
    static u8 seen;
    static int64_t last_end, nanos;
    HeapGcStats s;
    if (!vm_options.overhead_limit) return false;
    heap_gc_stats(HEAP_GC_FULL, &s);
    if (s.count == seen) return false;
    int64_t paused = s.end_nanos - s.start_nanos, between = s.start_nanos - last_end;
    bool vain = sizing_free() < heap_max() / 50 && between < paused / 50;
    seen = s.count;
    last_end = s.end_nanos;
    in_a_row = vain ? in_a_row + 1 : 0;
    nanos = vain ? nanos + paused : 0;
    if (in_a_row < IN_A_ROW || nanos < LEAST_NANOS) return false;
    in_a_row = 0;
    return true;
}
