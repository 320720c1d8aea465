/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the heap; included by the files of heap/ only.  Theory: gc.c.
 */
#ifndef GRAFT_HEAP_INT_H
#define GRAFT_HEAP_INT_H

#include "core/lock.h"
#include "heap/alloc.h"
#include "heap/heap.h"
#include "object/class.h"

enum {
    LINE_SHIFT = 7,
    LINE_BYTES = 1 << LINE_SHIFT,
    BLOCK_SHIFT = 15,
    BLOCK_BYTES = 1 << BLOCK_SHIFT,
    LINES_PER_BLOCK = BLOCK_BYTES / LINE_BYTES,
    BITMAP_WORDS_PER_BLOCK = BLOCK_BYTES / 8 / 64,
    /* Bigger objects get blocks of their own.  Two of the usual 8192-element char buffers do not
     * quite fit a block; one does, without wasting another. */
    SMALL_MAX = 16 * 1024 + 256,
    LARGE_START_MAX = 4096, /* a large object starts in front of that, in its first block */
    CARDS_PER_BLOCK = BLOCK_BYTES >> CARD_SHIFT,
    MIN_FREE_LINES = 16, /* a block with fewer free lines is not worth refilling from */
    MAX_WORKERS = 32,
    STRIPE_BLOCKS = 64, /* unit of work on side tables: 2 MiB of heap */
    KEPT_BLOCKS = 8     /* above max_blocks: for what must be made when nothing else is left (heap_alloc_reserved) */
};

typedef enum BlockState {
    BLOCK_UNTOUCHED, /* committed, all zero, never used or given back to the OS */
    BLOCK_FREE,      /* no live object; contents are garbage */
    BLOCK_PARTIAL,   /* has free lines, waits in the recycle list; block_info = their number */
    BLOCK_FULL,      /* swept, too few free lines to allocate from; block_info as above */
    BLOCK_USED,      /* handed to a thread since the last collection */
    BLOCK_LARGE,     /* first block of a large object; block_info = number of blocks */
    BLOCK_LARGE_REST /* block_info = index of the first block */
} BlockState;

typedef struct Heap {
    u1 *base, *end;  /* reserved range */
    size_t n_blocks; /* committed; more than max_blocks if some are that are kept */
    size_t max_blocks;
    u1 *block_state; /* BlockState */
    u4 *block_info;
    u1 *line_marks; /* 1 = touched by a live object (as of the last collection) */
    u8 *mark_bits, *start_bits;
    u8 *run_starts, *run_ends; /* bits of lines, starts.c */
    u1 *cards;
    size_t next_free;    /* no FREE or UNTOUCHED block below this index */
    size_t large_cursor; /* next-fit position of the large object search */
    u4 *recycle;         /* indices of PARTIAL blocks */
    size_t n_recycle, recycle_pos;
    size_t allocated;  /* bytes handed out since the last collection */
    size_t budget;     /* collect when `allocated` passes this */
    size_t live;       /* bytes held by objects after the last collection */
    size_t full_at;    /* live bytes from which on a collection is a full one */
    size_t kept_block; /* where the last object from kept ones went, and the first line behind it */
    u4 kept_line;
    u8 kept_gc;  /* gc_count then: a collection frees lines */
    VmLock lock; /* everything above, outside pauses */
    _Atomic u8 gc_count;
    int64_t last_gc_millis;
    HeapGcStats stats[HEAP_GC_KINDS];
    bool collecting;
    bool young;      /* this collection leaves old objects alone */
    bool asked_for;  /* this collection: by somebody, or for want of memory */
    bool clear_soft; /* this collection clears every softly reachable referent */
    bool compact;    /* this collection moves objects */
    size_t wanted;   /* by the allocation that it is for; 0: not known */
} Heap;
extern Heap heap;

typedef struct GcThread {  /* Thread.gc_data */
    u4 block, line;        /* block the window comes from, first line not yet looked at */
    bool has_block, fresh; /* fresh: its memory is known to be zero */
    u8 windows;            /* since the last collection */
    Tlab medium;           /* a whole block or a big hole for objects that do not fit the next hole */
    /* Sampling, sample.c. */
    u1 *cut_end;    /* true end of the window while it ends at a sample, else NULL */
    u8 next_sample; /* of the bytes that the thread allocates */
    u8 seed;
    u4 sample_epoch;
    bool in_sample;
} GcThread;

/* ---- address arithmetic ---- */
static inline size_t block_index(const void *p) { return (size_t)((const u1 *)p - heap.base) >> BLOCK_SHIFT; }
/* The word of bits where the object of a large block has its own; the first one, if it has none.  It may start some lines behind the block's (alloc.c). */
static inline size_t large_word(const u8 *bits, size_t block) {
    enum { WORDS = LARGE_START_MAX / 8 / 64 };
    size_t w = block * BITMAP_WORDS_PER_BLOCK, i = 0;
    while (i < WORDS && !bits[w + i]) i++;
    return i < WORDS ? w + i : w;
}
/* hashes.c */
bool hashes_init(size_t blocks, void *(*side_table)(size_t bytes));
bool hashes_commit(size_t blocks);          /* that are committed */
void hashes_sweep(void);                    /* the last thing that moves or frees was done */
bool commit_blocks(size_t first, size_t n); /* with what the tables have of them */
static inline u1 *block_address(size_t i) { return heap.base + (i << BLOCK_SHIFT); }
static inline size_t bit_index(const void *p) { return (size_t)((const u1 *)p - heap.base) >> 3; }
static inline size_t line_index(const void *p) { return (size_t)((const u1 *)p - heap.base) >> LINE_SHIFT; }
static inline size_t blocks_for_all(void) { return heap.n_blocks < heap.max_blocks ? heap.n_blocks : heap.max_blocks; }
static inline bool in_committed(const void *p) { return (size_t)((const u1 *)p - heap.base) < heap.n_blocks << BLOCK_SHIFT; }
static inline bool bit_test(const u8 *map, size_t i) {
    return __atomic_load_n(&map[i / 64], __ATOMIC_RELAXED) >> i % 64 & 1; /* markers set bits of one word in parallel */
}
static inline void bit_set(u8 *map, size_t i) { map[i / 64] |= (u8)1 << i % 64; }
/* The next free lines of a block, from *first on, up to *last; false: no more. */
static inline bool next_free_lines(size_t block, u4 *first, u4 *last) {
    const u1 *marks = heap.line_marks + block * LINES_PER_BLOCK;
    while (*first < LINES_PER_BLOCK && marks[*first]) ++*first;
    for (*last = *first; *last < LINES_PER_BLOCK && !marks[*last];) ++*last;
    return *first < *last;
}
static inline bool is_marked(const Object *o) { return bit_test(heap.mark_bits, bit_index(o)); }

/* A mirror is preceded by a word that holds its size: statics make it larger than its class says.  Its lower half is
 * no class, so that a walk over objects knows it and passes on. */
enum { NO_OBJECT = 1 };
static inline u8 mirror_size_word(size_t size) { return (u8)size << 32 | NO_OBJECT; }
static inline size_t mirror_size(const Object *o) { return (size_t)(((const u8 *)o)[-1] >> 32); }
static inline size_t object_size(const Object *o, const Class *c) {
    if (c->flags & CF_ARRAY) return heap_array_size(c, array_len(o));
    if (UNLIKELY(c->flags & CF_MIRROR)) return mirror_size(o);
    return c->instance_size;
}

/* ---- alloc.c ---- */
void alloc_retire_all(void); /* in a pause: every thread gives up its windows */
u8 alloc_take_windows(void); /* in a pause: how many were handed out since it was last asked */
void alloc_thread_exit(Thread *t);
GcThread *alloc_thread_data(Thread *t);

/* ---- starts.c ---- */
void starts_add_run(size_t block, u4 first, u4 last); /* lines [first, last) of the block become a window */
void starts_forget_runs(size_t block);                /* sweep: start bits tell all again */
void starts_find_until(const void *p);                /* in a pause: start bits of p's run are set up to p */
void starts_find_all(void);                           /* ... and all over the heap */

/* ---- sample.c ---- */
void sample_allocation(Thread *t, Object *o, size_t size);

/* ---- gc.c ---- */
typedef enum GcKind {
    GC_AUTO, /* young or full, as the policy says */
    GC_FULL,
    GC_TIGHT, /* full, objects are moved together */
    GC_LAST   /* the same, soft references cleared */
} GcKind;
/* AUTO does nothing when a collection has happened since the caller saw `seen_count`. */
void gc_collect(Thread *t, const char *cause, GcKind kind, u8 seen_count);
void gc_make_room(Thread *t, size_t wanted, GcKind kind); /* for an allocation that failed */
bool gc_last_was_young(void);

/* ---- sizing.c ---- */
size_t sizing_default_max(void), sizing_default_min(void);
size_t sizing_free_to_keep(void);       /* bytes */
void sizing_before_collection(void);    /* before it is asked which kind is enough */
size_t sizing_free(void);               /* bytes the heap may still grow or be filled by */
void sizing_after_collection(bool due); /* due: it came because as much was handed out as should be */
bool sizing_young_is_enough(void);
bool sizing_overhead_exceeded(void); /* asked after each full collection for an allocation; heap.lock */

/* ---- compact.c ---- */
bool compact_init(size_t blocks, void *(*side_table)(size_t bytes));
bool compact_is_possible(void);    /* in a pause */
bool compact_is_due(void);         /* a full collection begins, for whatever cause; asked once for each */
bool compact_pays(void);           /* as far as the last time tells */
void compact_pin(const Object *o); /* heap.compact: something that is not written names it; any worker */
void compact_blocks(void);

/* ---- gc_stats.c ---- */
void gc_stats_begin(const char *cause);
void gc_stats_end(void); /* also writes the log */

/* ---- workers.c ---- */
void workers_init(void);
/* Helpers run fn beside the caller, who calls fn(0) itself and then workers_join. */
void workers_start(void (*fn)(int worker));
void workers_join(void);
/* Calls fn once for each stripe of the first `blocks` blocks, by many workers where that pays. */
void workers_stripes(size_t blocks, void (*fn)(size_t stripe, int worker));
void stripes_reset(size_t blocks); /* for jobs that claim stripes among other work */
bool stripe_claim(size_t *stripe);

/* ---- mark.c ---- */
typedef struct Marker Marker; /* what one worker has to trace */
bool mark_init(void);
bool mark_worker_init(int worker);
void mark_prepare(void);            /* full: forget all marks */
void mark_object(Object *o);        /* mark and push; worker 0, while no helper traces */
void mark_trace(bool cards);        /* trace all that was pushed; with cards: and dirty old objects */
u8 mark_work(void);                 /* objects traced in this collection, roughly */
Object *find_object(const void *p); /* object that contains p, or NULL */
void mark_release_stack(void);

/* ---- roots.c ---- */
void roots_mark(void);
void roots_visit_exact(RootVisitor v, void *arg); /* handles, classes, providers, threads, monitors */

/* ---- refs.c ---- */
void refs_prepare(bool clear_all_soft);
/* A java.lang.ref.Reference is being traced: true = the referent must be treated as strong. */
bool refs_discover(Object *ref, Class *c, int worker);
void refs_clear_weak(void); /* soft and weak */
void refs_keep_final(void); /* marks finalizable referents, then weak ones found thereby */
void refs_clear_phantom(void);
void refs_publish(void); /* onto the pending list */
void refs_visit_pending(RootVisitor v, void *arg);
u4 refs_referent_offset(void), refs_discovered_offset(void); /* 0 before java.lang.ref exists */

/* ---- sweep.c ---- */
void sweep_weak_tables(void);
void sweep_blocks(void);
void sweep_return_memory(size_t free_to_keep);

/* ---- heap_check.c ---- */
void heap_check_marking(const char *when); /* all that is reachable is marked */
void heap_check_sweep(const char *when);

/* mark.c: calls fn with every reference slot of o, referent and discovered included. */
void object_visit_refs(Object *o, void (*fn)(Object *holder, size_t offset, void *), void *arg);

#endif
