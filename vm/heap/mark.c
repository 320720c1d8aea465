/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracing, by one or more workers.
 *
 * An object is marked (bit of its start) when it is pushed, so it is pushed once.  Each worker has a small
 * stack of its own.  What does not fit, and what a worker gives away because another has nothing to do, goes
 * to the pool, whose address space has room for every object of the heap: overflow is impossible and needs
 * no code.  Pages are touched only as deep as the pool really grows.
 *
 * Worker 0 begins alone.  When there turns out to be much to trace, it calls the others (`shared` is true
 * from then on and mark bits are set atomically).  Tracing is over when the pool is empty and every worker
 * that has entered is idle; nobody idles before all stripes of cards have been claimed.  Late helpers find
 * `done` and leave.
 *
 * Big arrays are traced in segments, which are handed out through the pool too.
 *
 * Between stack and tracing lies a short queue of objects whose headers are being prefetched: tracing is
 * bound by cache misses on headers.
 */
#include "heap/heap_int.h"
#include "heap/records.h"
#include "os/os.h"
#include "heap/heap_upcall.h"

#include <stdlib.h>

enum {
    QUEUE = 8,
    STACK_ENTRIES = 64 << 10,
    TAKE = 1024, /* most that is taken from the pool at once */
    SPINS = 1000,
#ifdef GRAFT_DEBUG /* helpers and the pool at work in every collection */
    CHECK_EVERY = 8,
    ALONE_ROUNDS = 0,
    SEGMENT = 64
#else
    CHECK_EVERY = 512, /* objects between looks at the others */
    ALONE_ROUNDS = 32, /* such rounds, a millisecond or so, before helpers are called */
    SEGMENT = 16 << 10 /* elements of a big array that are traced in one go */
#endif
};

struct Marker {
    Narrow *base, *top, *end;
    int index;
    int check, rounds;
    u8 traced;
    char apart[64]; /* no two in one cache line */
};

typedef struct Segment {
    Object *array;
    int32_t from;
} Segment;

static Marker markers[MAX_WORKERS];
static bool shared; /* several workers trace */

static struct {
    VmLock lock; /* everything here */
    Narrow *base, *top, *end;
    Segment *segments;
    size_t n_segments, segments_size;
    int active, idle;   /* workers that have entered; those of them without work */
    _Atomic int hungry; /* idle, readable without the lock */
    bool done;
    _Atomic u4 event; /* futex of the idle */
} pool = {.lock = VM_LOCK(MARK_POOL)};

static Narrow *entries(size_t n) {
    size_t bytes = ALIGN_UP(n * sizeof(Narrow), os_page_size());
    void *p = os_reserve(NULL, bytes);
    return p && os_commit(p, bytes) ? p : NULL;
}

bool mark_init(void) {
    size_t n = ((heap.max_blocks + KEPT_BLOCKS) << BLOCK_SHIFT) / OBJECT_ALIGN / 2;
    pool.base = pool.top = entries(n);
    pool.end = pool.base + n;
    for (int i = 0; i < MAX_WORKERS; i++) markers[i].index = i;
    return pool.base != NULL && mark_worker_init(0);
}

/* Before the worker's first collection, which could not refuse. */
bool mark_worker_init(int worker) {
    Marker *m = &markers[worker];
    if (m->base) return true;
    if (!(m->base = entries(STACK_ENTRIES))) return false;
    m->top = m->base;
    m->end = m->base + STACK_ENTRIES;
    return true;
}

/* Keep what a usual collection touches, give the rest back. */
void mark_release_stack(void) {
    enum { KEEP = 256 << 10 };
    u1 *from = (u1 *)pool.base + KEEP;
    if (from < (u1 *)pool.end) os_release_pages(from, (size_t)((u1 *)pool.end - from));
}

/* ---- the pool ---- */

static void wake_idle(void) {
    atomic_fetch_add(&pool.event, 1);
    os_futex_wake(&pool.event, INT32_MAX);
}

/* The n oldest entries, which lead to more than the youngest, go to the pool. */
static void give(Marker *m, size_t n) {
    lock_take(&pool.lock);
    ASSERT((size_t)(pool.end - pool.top) >= n, "mark pool");
    __builtin_memcpy(pool.top, m->base, n * sizeof(Narrow));
    pool.top += n;
    bool wanted = pool.idle > 0;
    lock_release(&pool.lock);
    m->top -= n;
    __builtin_memmove(m->base, m->base + n, (size_t)(m->top - m->base) * sizeof(Narrow));
    if (wanted) wake_idle();
}

static NOINLINE void spill(Marker *m) {
    if (m->top == m->end) give(m, STACK_ENTRIES / 2);
}

static inline void push(Marker *m, Narrow n) {
    if (UNLIKELY(m->top == m->end)) spill(m);
    *m->top++ = n;
}

static inline void mark_narrow(Marker *m, Narrow n) {
    if (!n) return;
    size_t i = bit_index(narrow_decode(n));
    ASSERT(in_committed(narrow_decode(n)), "reference %p outside the heap", (void *)narrow_decode(n));
    u8 *w = &heap.mark_bits[i / 64], bit = (u8)1 << i % 64;
    if (__atomic_load_n(w, __ATOMIC_RELAXED) & bit) return;
    if (!shared) *w |= bit;
    else if (__atomic_fetch_or(w, bit, __ATOMIC_RELAXED) & bit) return;
    push(m, n);
}

void mark_object(Object *o) { mark_narrow(&markers[0], narrow_encode(o)); }

static inline Narrow narrow_at(const Object *o, size_t off) { return *(const Narrow *)((const u1 *)o + off); }

static inline void mark_lines(const u1 *start, size_t size) {
    /* The allocation fast path puts objects of any size into a window that is big enough. */
    if (size > SMALL_MAX && heap.block_state[block_index(start)] == BLOCK_LARGE) return;
    size_t first = line_index(start), last = line_index(start + size - 1);
    for (size_t l = first; l <= last; l++) __atomic_store_n(&heap.line_marks[l], 1, __ATOMIC_RELAXED);
}

/* ---- one object ---- */

static void trace_elements(Marker *m, const Object *o, int32_t from, int32_t to) {
    const Narrow *e = ARRAY_ELEMS(Narrow, o);
    for (int32_t i = from; i < to; i++) mark_narrow(m, e[i]);
}

static void drain_job(int worker);

static void call_helpers(void) {
    if (shared || heap_gc_threads() == 1) return;
    shared = true;
    workers_start(drain_job);
}

static bool segment_room(void) {
    if (pool.n_segments < pool.segments_size) return true;
    size_t size = pool.segments_size ? pool.segments_size * 2 : 64;
    Segment *more = realloc(pool.segments, size * sizeof *more);
    if (!more) return false;
    pool.segments = more;
    pool.segments_size = size;
    return true;
}

/* Where the part begins for which there was no memory: this worker traces it. */
static NOINLINE int32_t hand_out_segments(Object *o, int32_t from) {
    int32_t n = array_len(o);
    lock_take(&pool.lock);
    while (from < n && segment_room()) {
        pool.segments[pool.n_segments++] = (Segment){o, from};
        from = from > INT32_MAX - SEGMENT ? n : from + SEGMENT;
    }
    lock_release(&pool.lock);
    call_helpers();
    if (atomic_load(&pool.hungry)) wake_idle();
    return from < n ? from : n;
}

static void trace_ref_array(Marker *m, Object *o) {
    int32_t n = array_len(o);
    m->traced += (u8)n / 16;
    if (UNLIKELY(n > 2 * SEGMENT)) {
        trace_elements(m, o, hand_out_segments(o, SEGMENT), n);
        n = SEGMENT;
    }
    trace_elements(m, o, 0, n);
}

static Class *mirrored(const Object *mirror) {
    Class *k = mirror_class_offset ? mirror_class(mirror) : NULL;
    return k && k->mirror == mirror ? k : NULL;
}

static void mark_cell(Object **cell, void *m) {
    if (UNLIKELY(heap.compact) && *cell) compact_pin(*cell);
    mark_narrow(m, narrow_encode(*cell));
}

static void trace_special(Marker *m, Object *o, Class *c) {
    if (c->flags & CF_OUTSIDE) records_visit(o, mark_cell, m);
    if (c->flags & CF_LOADER) {
        loader_visit_owned(o, mark_cell, m);
    } else if (c->flags & CF_MIRROR) {
        Class *k = mirrored(o);
        if (k && k->flags & CF_UNLOADABLE) class_visit_roots(k, mark_cell, m);
        for (u4 i = 0; k && i < k->n_static_refs; i++) mark_narrow(m, narrow_at(o, k->static_base + i * sizeof(Narrow)));
    } else if (c->flags & CF_REFERENCE && refs_referent_offset()) {
        if (refs_discover(o, c, m->index)) mark_narrow(m, narrow_at(o, refs_referent_offset()));
        mark_narrow(m, narrow_at(o, refs_discovered_offset()));
    }
}

static void trace_object(Marker *m, Object *o) {
    Class *c = obj_class(o);
    u4 flags = c->flags;
    /* an instance keeps its class */
    if (UNLIKELY(flags & CF_UNLOADABLE) && c->mirror) mark_narrow(m, narrow_encode(c->mirror));
    if (flags & CF_ARRAY) {
        mark_lines((u1 *)o, heap_array_size(c, array_len(o)));
        if (c->elem_type >= T_OBJECT) trace_ref_array(m, o);
        return;
    }
    const u2 *off = c->ref_offsets;
    for (u4 n = c->n_ref_offsets; n > 0; n--) mark_narrow(m, narrow_at(o, *off++));
    if (LIKELY(!(flags & (CF_MIRROR | CF_REFERENCE | CF_LOADER | CF_OUTSIDE)))) return mark_lines((u1 *)o, c->instance_size);
    if (flags & CF_MIRROR) mark_lines((u1 *)o - sizeof(u8), mirror_size(o) + sizeof(u8));
    else mark_lines((u1 *)o, c->instance_size);
    trace_special(m, o, c);
}

/* ---- all objects ---- */

static void balance(Marker *m) {
    size_t n = (size_t)(m->top - m->base);
    m->check = CHECK_EVERY;
    m->traced += CHECK_EVERY;
    if (!shared) {
        if (++m->rounds > ALONE_ROUNDS && n > CHECK_EVERY / 2) call_helpers();
    } else if (atomic_load_explicit(&pool.hungry, memory_order_relaxed) && n >= 16) {
        give(m, n / 2);
    }
}

static void drain_stack(Marker *m) {
    Narrow queue[QUEUE] = {0};
    u4 at = 0;
    for (int idle = 0; idle < QUEUE || m->top > m->base;) { /* the last one traced may push */
        Narrow next = 0, now;
        if (m->top > m->base) {
            next = *--m->top;
            __builtin_prefetch(narrow_decode(next));
            idle = 0;
        } else {
            idle++;
        }
        now = queue[at];
        queue[at] = next;
        at = (at + 1) % QUEUE;
        if (!now) continue;
        trace_object(m, narrow_decode(now));
        if (UNLIKELY(--m->check <= 0)) balance(m);
    }
}

/* The card of an object is the one of its header, whatever part of it was written. Others may just mark young ones beside the old. */
static void trace_card(Marker *m, size_t card) {
    enum { PLACES = 1 << (CARD_SHIFT - 3) }; /* where an object may start */
    size_t first = card * PLACES;
    u8 word = heap.start_bits[first / 64] & __atomic_load_n(&heap.mark_bits[first / 64], __ATOMIC_RELAXED);
    u8 old = word >> first % 64 & (((u8)1 << PLACES) - 1);
    for (u8 bits = old; bits; bits &= bits - 1, m->traced++)
        trace_object(m, (Object *)(heap.base + ((first + (size_t)__builtin_ctzll(bits)) << 3)));
}

/* Mark bits of new objects may appear in the card's word meanwhile; to trace those here too does no harm. */
static void trace_stripe(Marker *m, size_t stripe) {
    size_t end = (stripe + 1) * STRIPE_BLOCKS;
    for (size_t i = stripe * STRIPE_BLOCKS; i < end && i < heap.n_blocks; i++) {
        u1 state = heap.block_state[i];
        if (state <= BLOCK_FREE || state == BLOCK_LARGE_REST) continue;
        const u8 *eight = (const u8 *)(heap.cards + i * CARDS_PER_BLOCK);
        for (int k = 0; k < CARDS_PER_BLOCK / 8; k++)
            for (u8 dirty = eight[k]; dirty; dirty &= dirty - 1) /* bytes are 0 or 1 */
                trace_card(m, i * CARDS_PER_BLOCK + (size_t)k * 8 + (size_t)__builtin_ctzll(dirty) / 8);
        if (m->top - m->base > CHECK_EVERY) drain_stack(m);
        if (!shared && m->rounds > ALONE_ROUNDS) call_helpers();
    }
}

/* Pool lock held.  One segment, or some entries onto m's stack, which is empty. */
static bool take_locked(Marker *m, Segment *seg) {
    seg->array = NULL;
    if (pool.n_segments > 0) {
        *seg = pool.segments[--pool.n_segments];
        return true;
    }
    size_t n = (size_t)(pool.top - pool.base);
    if (n == 0) return false;
    if (n > TAKE) n = TAKE;
    pool.top -= n;
    __builtin_memcpy(m->base, pool.top, n * sizeof(Narrow));
    m->top = m->base + n;
    return true;
}

static void wait_for_work(void) {
    u4 seen = atomic_load(&pool.event);
    lock_release(&pool.lock);
    for (int i = 0; i < SPINS && atomic_load(&pool.event) == seen; i++) cpu_pause();
    if (atomic_load(&pool.event) == seen) os_futex_wait(&pool.event, seen, 0);
    lock_take(&pool.lock);
}

/* Work from the pool; false when nobody has any left. */
static bool take(Marker *m) {
    Segment seg;
    lock_take(&pool.lock);
    bool got = take_locked(m, &seg);
    while (!got && !pool.done) {
        atomic_store(&pool.hungry, ++pool.idle);
        if (pool.idle == pool.active) {
            pool.done = true;
            wake_idle();
            break;
        }
        wait_for_work();
        atomic_store(&pool.hungry, --pool.idle);
        got = take_locked(m, &seg);
    }
    lock_release(&pool.lock);
    if (got && seg.array) {
        int32_t left = array_len(seg.array) - seg.from;
        trace_elements(m, seg.array, seg.from, seg.from + (left < SEGMENT ? left : SEGMENT));
    }
    return got;
}

static void drain_job(int worker) {
    Marker *m = &markers[worker];
    lock_take(&pool.lock);
    bool late = pool.done;
    pool.active += !late;
    lock_release(&pool.lock);
    if (late) return;
    m->check = CHECK_EVERY;
    for (size_t s; stripe_claim(&s);) trace_stripe(m, s);
    do drain_stack(m);
    while (take(m));
}

void mark_trace(bool cards) {
    stripes_reset(cards ? heap.n_blocks : 0);
    pool.active = pool.idle = 0;
    pool.done = false;
    atomic_store(&pool.hungry, 0);
    markers[0].rounds = 0;
    drain_job(0);
    if (shared) workers_join();
    shared = false;
}

/* ---- ambiguous words ---- */

static Object *find_in_small_block(const void *p, size_t block) {
    starts_find_until(p);
    size_t i = bit_index(p), w = i / 64, first = block * BITMAP_WORDS_PER_BLOCK;
    u8 bits = heap.start_bits[w] & (~(u8)0 >> (63 - i % 64));
    while (!bits) {
        if (w == first) return NULL;
        bits = heap.start_bits[--w];
    }
    return (Object *)(heap.base + ((w * 64 + 63 - (size_t)__builtin_clzll(bits)) << 3));
}

static Object *find_in_large_block(size_t block) {
    if (heap.block_state[block] == BLOCK_LARGE_REST) block = heap.block_info[block];
    size_t w = large_word(heap.start_bits, block);
    u8 bits = heap.start_bits[w];
    return bits ? (Object *)(heap.base + ((w * 64 + (size_t)__builtin_ctzll(bits)) << 3)) : NULL;
}

Object *find_object(const void *p) {
    if (!in_committed(p)) return NULL;
    size_t b = block_index(p);
    Object *o;
    switch (heap.block_state[b]) {
    case BLOCK_PARTIAL:
    case BLOCK_FULL:
    case BLOCK_USED: o = find_in_small_block(p, b); break;
    case BLOCK_LARGE:
    case BLOCK_LARGE_REST: o = find_in_large_block(b); break;
    default: return NULL;
    }
    if (!o || (const u1 *)p < (u1 *)o || (const u1 *)p >= (u1 *)o + object_size(o, obj_class(o))) return NULL;
    return o;
}

u8 mark_work(void) {
    u8 n = 0;
    for (int i = 0; i < MAX_WORKERS; i++) n += markers[i].traced;
    return n;
}

/* ---- preparation ---- */

static void forget_marks(size_t stripe, int worker) {
    size_t i = stripe * STRIPE_BLOCKS, end = i + STRIPE_BLOCKS;
    if (end > heap.n_blocks) end = heap.n_blocks;
    while (i < end) { /* runs of used blocks, so that one memset covers many */
        if (heap.block_state[i] <= BLOCK_FREE) {
            i++;
            continue;
        }
        size_t j = i;
        while (j < end && heap.block_state[j] > BLOCK_FREE) j++;
        __builtin_memset(heap.mark_bits + i * BITMAP_WORDS_PER_BLOCK, 0, (j - i) * BITMAP_WORDS_PER_BLOCK * 8);
        __builtin_memset(heap.line_marks + i * LINES_PER_BLOCK, 0, (j - i) * LINES_PER_BLOCK);
        i = j;
    }
}

void mark_prepare(void) {
    for (int i = 0; i < MAX_WORKERS; i++) markers[i].traced = 0;
    if (!heap.young) workers_stripes(heap.n_blocks, forget_marks); /* else sticky: marked = old */
}

/* ---- generic visiting ---- */

void object_visit_refs(Object *o, void (*fn)(Object *, size_t, void *), void *arg) {
    Class *c = obj_class(o);
    if (c->flags & CF_ARRAY) {
        for (int32_t i = 0, n = c->elem_type >= T_OBJECT ? array_len(o) : 0; i < n; i++)
            fn(o, ARRAY_BASE + (size_t)i * sizeof(Narrow), arg);
        return;
    }
    for (u4 i = 0; i < c->n_ref_offsets; i++) fn(o, c->ref_offsets[i], arg);
    if (c->flags & CF_MIRROR) {
        Class *k = mirrored(o);
        for (u4 i = 0; k && i < k->n_static_refs; i++) fn(o, k->static_base + i * sizeof(Narrow), arg);
    } else if (c->flags & CF_REFERENCE && refs_referent_offset()) {
        fn(o, refs_referent_offset(), arg);
        fn(o, refs_discovered_offset(), arg);
    }
}
