/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collector: theory and cycle driver.
 *
 * Terms
 *   block     32 KiB; line: 128 bytes.  A block is untouched, free, partial (some lines
 *             free), used, or part of a large object.
 *   window    run of free lines from which one thread allocates by bumping (Thread.tlab)
 *   start bit one per 8 bytes of heap: an object starts here, so that any word can be asked which
 *             object it points into.  Those of windows are found when somebody asks (starts.c).
 *   mark bit  likewise: this object was reached
 *   line mark one byte per line: an object that was reached touches it
 *   card      one byte per line: the header of an object lies there in which a reference was stored.  New objects lie in free lines, so what
 *             their making stores never has old neighbours looked at.
 *
 * Mark-region: marking sets mark bits and line marks; sweeping turns mark bits
 * into start bits and finds blocks with free lines.  Allocation fills those lines.  No
 * free lists, no per-object sweep.
 *
 * Invariants
 *   I1  Outside pauses, start bits of reachable objects older than the last collection are set; of others the
 *       first ones of a run are set and the rest is not (starts.c).  Those of memory in windows not yet used and of
 *       free lines are clear.
 *   I2  Memory of a window is zero from `top` on, and stays so when it is given up, until the next collection.
 *   I3  An object's fields refer to objects that a walk finds or are unreachable.  An
 *       unreachable object found by a heap walk before the next collection is still whole, and
 *       so is what it refers to: lines are reused only after a collection forgot it.
 *   I4  In a pause every thread is stopped with its registers and stack published (safepoint.c).
 *   I5  Outside pauses a marked object is an old one.  An old object that refers to a young one
 *       lies on a dirty card (the card of its header), or the reference is a static field: classes
 *       and statics are roots of every collection, so their stores need no barrier.
 *
 *   I6  (in a pause, after tracing) What a marked object refers to is marked, referents excepted, and so are
 *       its lines and the mirror of a class that could be unloaded.
 *   I7  (after the sweep) Start bits are mark bits; free lines and live bytes are those that the line marks
 *       tell; no card is dirty.
 * -XX:+VerifyHeapAfterGC checks them after the phase in question (heap_check.c).
 *
 *   word          states                         writer                                    reader
 *   card          clean -> dirty                 mutator, relaxed byte, behind the store   workers, in the pause that follows: the stop orders it
 *   ... -> clean  swept, its old objects traced  a worker, in a pause, its own stripe      the same
 *   start bit     0 -> 1                         mutator, plain, a byte of its own window  itself; others in pauses; conservative look-ups of
 *                                                                                          other threads' windows only there
 *   mark bit      0 -> 1, once a cycle           relaxed rmw, while workers share; else    relaxed before; who turned it pushes the object, so it
 *                                                plain by worker 0                         is traced once
 *   line mark     0 -> 1                         relaxed byte, any worker                  sweep, behind the barrier of the workers
 *   Thread.tlab   window                         its own thread in JAVA; the pause         the same
 * Nothing here orders mutators among themselves: stores and cards of a thread come to the collector by its stop (thread/safepoint.c).
 * x86-64 and ARM64 need the same, and no fence: relaxed bytes, and rmw without order (ldset) for mark bits.  What a worker gives to another
 * goes through the pool's lock (mark.c).  Stress: mode gcoften, heap_check after each pause.
 *
 * Stop-the-world: roots (exact and ambiguous, roots.c), tracing, references (refs.c), weak tables,
 * sweep.  `phases` below is the whole cycle.
 *
 * Generations by sticky mark bits: a young collection keeps the marks of the previous ones, so
 * tracing stops at old objects; those on dirty cards are traced again.  Whatever survives is
 * marked, that is old: no copying, no ages.  It costs time by the young survivors and the roots,
 * not by the heap.  Old garbage stays until a full collection, which forgets all marks first.
 *
 * When and of which kind: sizing.c.  System.gc() and the steps before OutOfMemoryError are full.
 *
 * Parallel: workers.c lends threads to marking (mark.c), clearing and sweeping of side tables.  Roots,
 * references and weak tables are worker 0's.
 *
 * Nothing is moved but where memory is short: compact.c, behind the sweep.
 */
#include "core/hooks.h"
#include "log/log.h"
#include "core/options.h"
#include "core/vm.h"
#include "heap/heap_int.h"
#include "os/os.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEAD_STACK_BYTES (16 << 10)
#define GIB ((size_t)1 << 30)
#define HEAP_LOW (4 * GIB)
#define HEAP_HIGH (32 * GIB)          /* compressed references reach this far */
#define SMALL_PAGES ((size_t)4 << 20) /* programs of this size should not touch a large page */

Heap heap = {.lock = VM_LOCK(HEAP)};
u1 *heap_card_bias;
u4 heap_stress_interval;
bool heap_verify_gc;

/* ---- setting up ---- */

static void *side_table(size_t bytes) {
    bytes = ALIGN_UP(bytes, os_page_size());
    void *p = os_reserve(NULL, bytes);
    return p && os_commit(p, bytes) ? p : NULL;
}

#define LOW_FROM ((size_t)256 << 20)
#define LOW_TO (((size_t)2 << 30) - ((size_t)64 << 20))
_Static_assert(LOW_FROM >= HEAP_HIGH >> CARD_SHIFT, "the bias of a low card table is not negative");

/* Where addresses fit 31 bits, so that compiled code has the bias of the card table as a displacement; elsewhere when
 * all of that is taken. */
static void *low_table(size_t bytes) {
    bytes = ALIGN_UP(bytes, os_page_size());
    for (size_t at = LOW_FROM; at + bytes <= LOW_TO; at += (size_t)16 << 20) {
        void *p = os_reserve((void *)at, bytes);
        if (p) return os_commit(p, bytes) ? p : NULL;
    }
    return side_table(bytes);
}

/* Halves of words on C stacks are tried as compressed references (roots.c). Most words there are addresses of code, of the
 * stacks themselves and of what malloc gave; if the lower halves of such are references, some object is never garbage, and
 * with it all that hangs on it. So the heap goes where few are: code and stack are a must, the neighbourhood into which
 * the kernel puts more stacks, arenas and libraries, from the code downwards, comes next. */
typedef struct Busy {
    uintptr_t at;
    u4 below, above;
} Busy;

#define MIB ((u4)1 << 20)

static bool halves_meet(uintptr_t heap_at, size_t bytes, Busy b) {
    u4 first = (u4)(heap_at >> 3), busy = (u4)b.at - b.below;
    return (u4)(busy - first) < bytes >> 3 || (u4)(first - busy) < b.below + b.above;
}

static u1 *reserve_below_32g(size_t bytes) {
    char local, *brk = sbrk(0);
    Busy busy[] = {{(uintptr_t)heap_init, 16 * MIB, 16 * MIB},
                   {(uintptr_t)&local, 16 * MIB, 16 * MIB},
                   {(uintptr_t)heap_init, 1024 * MIB, 128 * MIB},
                   {(uintptr_t)brk, 16 * MIB, 64 * MIB}};
    static const int demands[] = {4, 3, 2, 0};
    for (size_t d = 0; d < ARRAY_LEN(demands); d++)
        for (size_t at = HEAP_LOW; at + bytes <= HEAP_HIGH; at += GIB / 4) {
            int clear = 0;
            while (clear < demands[d] && !halves_meet(at, bytes, busy[clear])) clear++;
            u1 *p = clear < demands[d] ? NULL : os_reserve((void *)at, bytes);
            if (p) return p;
        }
    return NULL;
}

static bool make_side_tables(void) {
    size_t n = heap.max_blocks + KEPT_BLOCKS, bytes = n << BLOCK_SHIFT;
    heap.block_state = side_table(n);
    heap.block_info = side_table(n * sizeof(u4));
    heap.recycle = side_table(n * sizeof(u4));
    heap.line_marks = side_table(n * LINES_PER_BLOCK);
    heap.mark_bits = side_table(bytes / 64);
    heap.start_bits = side_table(bytes / 64);
    heap.run_starts = side_table(n * LINES_PER_BLOCK / 8);
    heap.run_ends = side_table(n * LINES_PER_BLOCK / 8);
    heap.cards = low_table(bytes >> CARD_SHIFT);
    return heap.run_starts && heap.run_ends && heap.block_state && heap.block_info && heap.recycle && heap.line_marks &&
           heap.mark_bits && heap.start_bits && heap.cards && mark_init() && hashes_init(n, side_table) &&
           compact_init(n, side_table);
}

bool commit_blocks(size_t first, size_t n) {
    return os_commit(block_address(first), n << BLOCK_SHIFT) && hashes_commit(first + n);
}

static size_t round_to_blocks(size_t bytes) { return ALIGN_UP(bytes, BLOCK_BYTES); }

/* Address space for the tables of such a heap, and for stacks and libraries. */
static bool room_beside(size_t max) {
    size_t bytes = round_to_blocks(max / 16 * 9 + ((size_t)256 << 20));
    void *p = os_reserve(NULL, bytes);
    if (p) os_unreserve(p, bytes);
    return p != NULL;
}

/* Default maximum: a share of memory; when that much address space is not to be had, less. */
static bool reserve_heap(size_t max, bool explicit_max) {
    size_t limit = HEAP_HIGH - HEAP_LOW - GIB, kept = (size_t)KEPT_BLOCKS << BLOCK_SHIFT;
    if (max > limit) max = limit;
    for (;; max /= 2) {
        max = round_to_blocks(max);
        heap.base = reserve_below_32g(max + kept);
        if (heap.base && (explicit_max || room_beside(max))) break;
        if (heap.base) os_unreserve(heap.base, max + kept);
        if (explicit_max || max < 64 << 20) return false;
    }
    heap.end = heap.base + max + kept;
    heap.max_blocks = max >> BLOCK_SHIFT;
    return true;
}

static void report_init(void) {
    if (log_on(LOG_GC)) log_print(LOG_GC, "Using Graft mark-region");
    if (!log_on(LOG_GC_INIT)) return;
    log_print(LOG_GC_INIT, "Heap Initial Capacity: %zuM", heap_committed() >> 20);
    log_print(LOG_GC_INIT, "Heap Max Capacity: %zuM", heap_max() >> 20);
}

void heap_init(size_t min, size_t max) {
    os_ignore_cgroups = !vm_options.containers;
    bool explicit_max = max != 0;
    if (!max) max = sizing_default_max();
    if (max < 2 << 20) max = 2 << 20;
    if (min > max) max = min;
    if (!min) min = sizing_default_min();
    if (!reserve_heap(max, explicit_max)) vm_exit_during_init("Could not reserve enough space for %zuKB object heap", max >> 10);
    if (!make_side_tables())
        vm_exit_during_init("Could not reserve enough space for the tables of a %zuKB object heap", max >> 10);
    if (vm_options.huge_pages && max > SMALL_PAGES) os_prefer_huge_pages(heap.base + SMALL_PAGES, max - SMALL_PAGES);
    heap_card_bias = heap.cards - ((uintptr_t)heap.base >> CARD_SHIFT);
    heap.n_blocks = round_to_blocks(min) >> BLOCK_SHIFT;
    if (heap.n_blocks > heap.max_blocks) heap.n_blocks = heap.max_blocks;
    if (!commit_blocks(0, heap.n_blocks)) vm_exit_during_init("Could not commit %zuKB of object heap", min >> 10);
    workers_init();
    heap.last_gc_millis = os_millis();
    sizing_after_collection(false);
    report_init();
}

/* ---- the cycle ---- */

static void phase_begin(void) {
    HOOK_CALL(GC_START, gc_start);
    alloc_retire_all();
    refs_prepare(heap.clear_soft);
}

static void phase_trace(void) { mark_trace(heap.young); }

static void phase_end(void) {
    bool due = heap.allocated > heap.budget / 2; /* not asked for by somebody */
    heap.allocated = 0;
    sizing_after_collection(due);
    sweep_return_memory(sizing_free_to_keep());
    mark_release_stack();
}

static void check_marking(void) {
    if (heap_verify_gc) heap_check_marking("after marking");
}

static void check_finals(void) {
    if (heap_verify_gc) heap_check_marking("after final references");
}

static void check_sweep(void) {
    if (heap_verify_gc) heap_check_sweep("after the sweep");
}

static void check_compaction(void) {
    if (heap_verify_gc && heap.compact) heap_check_sweep("after compaction");
}

static void phase_verify(void) {
    if (heap_verify_gc) heap_check("after collection");
}

static void phase_finish(void) { HOOK_CALL(GC_FINISH, gc_finish); }

static const struct {
    const char *name;
    void (*run)(void);
} phases[] = {
    {"begin", phase_begin},
    {"clear marks", mark_prepare},
    {"mark roots", roots_mark},
    {"trace", phase_trace},
    {"check marking", check_marking},
    {"weak references", refs_clear_weak},
    {"final references", refs_keep_final},
    {"check final references", check_finals},
    {"phantom references", refs_clear_phantom},
    {"weak tables", sweep_weak_tables},
    {"sweep", sweep_blocks},
    {"check sweep", check_sweep},
    {"pending list", refs_publish},
    {"compaction", compact_blocks},
    {"identity hashes", hashes_sweep},
    {"check compaction", check_compaction},
    {"end", phase_end},
    {"verify", phase_verify},
    {"finish", phase_finish},
};

static void run_phase(size_t i) {
    if (!log_on(LOG_GC_PHASES)) {
        phases[i].run();
        return;
    }
    int64_t start = os_nanos();
    phases[i].run();
    log_print(LOG_GC_PHASES, "GC(%llu)   %s: %.3fms", (unsigned long long)heap_gc_count(), phases[i].name,
              (double)(os_nanos() - start) / 1e6);
}

typedef struct CycleArgs {
    const char *cause;
    GcKind kind;
    u8 seen_count;
    size_t wanted;
    Thread *asker; /* a native method asks: its own stack counts from where it was entered, see heap_gc_for_native */
    void *asker_sp;
    jmp_buf asker_regs;
} CycleArgs;

static void run_cycle(void *p) {
    CycleArgs *a = p;
    if (a->kind == GC_AUTO && heap_gc_count() != a->seen_count) return; /* somebody was faster */
    if (heap.collecting) FATAL("allocation during a collection");
    if (a->asker) {
        a->asker->saved_sp = a->asker_sp;
        memcpy(a->asker->saved_regs, a->asker_regs, sizeof a->asker_regs);
    }
    heap.collecting = true;
    heap.asked_for = a->kind != GC_AUTO;
    heap.clear_soft = a->kind == GC_LAST;
    heap.wanted = a->wanted;
    sizing_before_collection();
    heap.young = a->kind == GC_AUTO && sizing_young_is_enough();
    heap.compact = !heap.young && compact_is_possible() && (a->kind >= GC_TIGHT || compact_is_due());
    gc_stats_begin(a->cause);
    for (size_t i = 0; i < ARRAY_LEN(phases); i++) run_phase(i);
    heap.collecting = false;
    if (!heap.young) heap.last_gc_millis = os_millis();
    atomic_fetch_add(&heap.gc_count, 1);
    gc_stats_end();
}

/*
 * The frames of a collection are full of references.  Dead as they are, a later frame that does not
 * initialise all of itself would make roots of them, for as long as it stands.
 */
static NOINLINE void wipe_dead_stack(void) {
    volatile u8 below[DEAD_STACK_BYTES / sizeof(u8)];
    for (size_t i = 0; i < ARRAY_LEN(below); i++) below[i] = 0;
}

static void collect(CycleArgs *a) {
    safepoint_run(a->cause, run_cycle, a);
    wipe_dead_stack();
}

void gc_collect(Thread *t, const char *cause, GcKind kind, u8 seen_count) {
    collect(&(CycleArgs){.cause = cause, .kind = kind, .seen_count = seen_count});
}

void gc_make_room(Thread *t, size_t wanted, GcKind kind) {
    collect(
        &(CycleArgs){.cause = "Allocation Failure", .kind = kind, .wanted = wanted, .seen_count = atomic_load(&heap.gc_count)});
}

/*
 * For System.gc() and its like, in state NATIVE.  Such a caller holds no reference in C: its stack counts from where the
 * interpreter was entered, or else from where it became NATIVE.  The frames below would not add a reference, but places
 * in them that nobody has written yet would add dead ones, and people who drop an object and call System.gc()
 * expect it to be gone.
 */
void heap_gc_for_native(Thread *t, const char *cause) {
    CycleArgs a = {.cause = cause, .kind = GC_FULL, .asker = t, .asker_sp = t->clean_sp};
    if (!a.asker_sp) {
        a.asker_sp = t->saved_sp;
        memcpy(a.asker_regs, t->saved_regs, sizeof a.asker_regs);
    }
    thread_to_java(t);
    safepoint_run(cause, run_cycle, &a);
    wipe_dead_stack();
    thread_to_native(t);
}

bool gc_last_was_young(void) { return heap.young; }

void heap_gc(Thread *t, const char *cause) { gc_collect(t, cause, GC_FULL, 0); }

static void close_windows(void *arg) { alloc_retire_all(); }

/* Windows are simply dropped: their unused lines come back with the next collection. */
void heap_observe_allocations(void) { safepoint_run("observe allocations", close_windows, NULL); }
