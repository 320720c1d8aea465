/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compaction: what lies thin is moved together, when memory would be short otherwise.
 *
 * Lines are the unit in which memory is free. Where objects die at random (caches, indexes), a line often keeps one of the five that were
 * made in it, so that a heap of 30 MB of objects can fill 80 MB of lines, and no hole is left that takes an array of 8 KB.  A
 * collection that is to find memory therefore moves objects; the others do not, and nobody pays for the possibility.
 *
 * TERMS
 *   pinned     named by something that the collector does not write: a root of any kind (exact ones too: C code has copies of cells), a weak
 *              table, a cell outside of the heap, a word of a stack, a word of compiled code.  One bit per 8 bytes.  Of Java stacks all words pin, beside
 *              those that are roots: optimised code may have there what only the never changing field of another object keeps alive (jit/opt/opt_home.c).
 *   fixed      not to be moved: pinned; mirrors and loaders; owners of outside fields (records.c finds them
 *              by address); whatever is locked or inflated, which the lock word tells.  An identity hash moves with its object
 *   source     a block whose objects that are not fixed are to leave
 *   hole       free lines of a block that is no source
 *
 * INVARIANTS
 *   C1  References to an object that moves are fields and elements of marked objects, nothing else.  (Whatever is scanned only because the object
 *       could have died otherwise pins it.  Compilers have none across a pause: jit/policy.c.)
 *   C2  In a source an object that has left is not marked, and its first eight bytes are its new address.  All others there are marked or dead; nobody
 *       refers to the dead (I6).
 *   C3  Between the rounds the heap is as behind a sweep (I7).
 *
 * ROUND   Objects of all small blocks are measured.  From the sparsest block on, blocks are emptied into free blocks and, behind these, into holes of the
 *         densest ones, until the two meet, nothing fits, or what is left is dense.  Then all references are followed to where objects are now, lines
 *         of sources are marked anew, and blocks are swept.  Freed blocks are the next round's room, so there are a few, as long as it pays.
 * RUN     A large object wants blocks in a row.  If there is no such row, a last round empties the cheapest row without fixed objects.
 *
 * WHEN    Asked for by alloc.c before OutOfMemoryError, and by a full collection that leaves little (compact_is_due), unless the last one brought little.
 *         Not while a thread is in a critical region of JNI: GetStringCritical hands out the array of a String, which no handle names.
 * COST    Linear in the heap, for each round; the moving is done by one worker, references are followed by all.
 *
 * Rejected: writing to exact roots, which would not need to pin: interpreted code has copies of what cells hold (quick/), compiled code, too.
 * Always moving what survives: costs all collections what few need.
 *
 * -XX:+CompactAlways: each full collection empties every other block, for tests.
 */
#include "core/options.h"
#include "heap/heap_int.h"
#include "heap/heap_upcall.h"
#include "log/log.h"
#include "os/os.h"
#include "thread/identity.h"
#include "thread/monitor.h"

#include <string.h>

enum {
    MOST_ROUNDS = 4,
    DENSE = BLOCK_BYTES / 4 * 3, /* such a block stays as it is */
    VAIN_PAUSE = 16              /* full collections that follow a vain one do without */
};

typedef struct Load { /* of a small block, in bytes of its objects */
    u2 all, fixed;
    bool source;
} Load;
_Static_assert(BLOCK_BYTES <= UINT16_MAX, "a block's bytes fit");

typedef struct Room { /* where objects go */
    const u4 *dense;  /* blocks with holes, the densest last */
    size_t n_dense, least_dense, next_free;
    u4 block, line; /* the block whose holes are filled, and where to look for the next */
    bool has_block;
    u1 *top, *end; /* the hole */
} Room;

static Load *loads; /* of all blocks */
static u8 *pins;
static u4 vain;

bool compact_init(size_t blocks, void *(*side_table)(size_t bytes)) {
    loads = side_table(blocks * sizeof *loads);
    pins = side_table((blocks << BLOCK_SHIFT) / 64);
    return loads && pins;
}

bool compact_is_possible(void) {
    FOR_EACH_THREAD(t)
    if (t->critical) return false;
    return true;
}

bool compact_is_due(void) {
    if (vm_options.compact_always) return true;
    if (heap_gc_count() == 0 || sizing_free() >= heap_max() / 8) return false;
    return !vain || (vain--, false);
}

bool compact_pays(void) { return vain == 0; }

/* ---- what stays ---- */

void compact_pin(const Object *o) {
    size_t i = bit_index(o);
    __atomic_fetch_or(&pins[i / 64], (u8)1 << i % 64, __ATOMIC_RELAXED);
}

static void pin_slot(Object **slot, void *arg) { compact_pin(*slot); }

static bool is_inside(u8 address) { return address - (uintptr_t)heap.base < (size_t)(heap.end - heap.base); }
bool heap_has_word(u8 word) { return is_inside(word) || is_inside((u8)(u4)word << 3); }

static void pin_word(u8 word, void *arg) {
    size_t bytes = heap.n_blocks << BLOCK_SHIFT;
    Object *o;
    if (word - (uintptr_t)heap.base < bytes && (o = find_object((void *)word))) compact_pin(o);
    u8 decoded = (u8)(u4)word << 3;
    if (decoded - (uintptr_t)heap.base < bytes && (u8)(uintptr_t)(o = find_object((void *)decoded)) == decoded) compact_pin(o);
}

static bool is_fixed(Object *o, const Class *c) {
    if (c->flags & (CF_MIRROR | CF_LOADER | CF_OUTSIDE)) return true;
    return monitor_is_used(o) || bit_test(pins, bit_index(o));
}

/* ---- blocks ---- */

static bool is_small(size_t block) { return heap.block_state[block] == BLOCK_PARTIAL || heap.block_state[block] == BLOCK_FULL; }

typedef void (*OnObject)(Object *o, void *arg);

static void each_marked(size_t word, size_t end, OnObject fn, void *arg) {
    for (; word < end; word++)
        for (u8 bits = heap.mark_bits[word]; bits; bits &= bits - 1)
            fn((Object *)(heap.base + ((word * 64 + (size_t)__builtin_ctzll(bits)) << 3)), arg);
}

static void each_in_block(size_t block, OnObject fn, void *arg) {
    each_marked(block * BITMAP_WORDS_PER_BLOCK, (block + 1) * BITMAP_WORDS_PER_BLOCK, fn, arg);
}

static void measure_object(Object *o, void *arg) {
    Load *l = arg;
    const Class *c = obj_class(o);
    u2 size = (u2)object_size(o, c);
    l->all += size;
    if (is_fixed(o, c)) l->fixed += size;
}

static void measure_stripe(size_t stripe, int worker) {
    size_t end = (stripe + 1) * STRIPE_BLOCKS;
    for (size_t i = stripe * STRIPE_BLOCKS; i < end && i < heap.n_blocks; i++) {
        loads[i] = (Load){0};
        if (is_small(i)) each_in_block(i, measure_object, &loads[i]);
    }
}

/* Small blocks in order of what is in them: by counting, coarsely. */
static size_t sort_blocks(u4 *order) {
    enum { SHIFT = 8, CLASSES = (BLOCK_BYTES >> SHIFT) + 2 };
    size_t at[CLASSES] = {0}, n = 0;
    for (size_t i = 0; i < heap.n_blocks; i++)
        if (is_small(i)) at[(loads[i].all >> SHIFT) + 1]++, n++;
    for (int k = 1; k < CLASSES; k++) at[k] += at[k - 1];
    for (size_t i = 0; i < heap.n_blocks; i++)
        if (is_small(i)) order[at[loads[i].all >> SHIFT]++] = (u4)i;
    return n;
}

/* ---- moving ---- */

static bool next_free_block(Room *r) {
    size_t end = blocks_for_all();
    while (r->next_free < end && (heap.block_state[r->next_free] > BLOCK_FREE || loads[r->next_free].source)) r->next_free++;
    if (r->next_free == end) return false;
    heap.block_state[r->block = (u4)r->next_free++] = BLOCK_USED;
    return true;
}

static bool next_block(Room *r) {
    r->line = 0;
    if (next_free_block(r)) return r->has_block = true;
    while (r->n_dense > r->least_dense) {
        r->block = r->dense[--r->n_dense];
        if (r->block < heap.max_blocks && heap.block_info[r->block] > 0 && !loads[r->block].source) return r->has_block = true;
    }
    return r->has_block = false;
}

static bool next_hole(Room *r) {
    u4 first = r->line;
    bool any = next_free_lines(r->block, &first, &r->line);
    r->top = block_address(r->block) + first * LINE_BYTES;
    r->end = block_address(r->block) + r->line * LINE_BYTES;
    return any;
}

static u1 *take_room(Room *r, size_t size) {
    while (size > (size_t)(r->end - r->top)) {
        if (r->has_block && next_hole(r)) continue;
        r->top = r->end = NULL;
        if (!next_block(r)) return NULL;
    }
    u1 *p = r->top;
    r->top += size;
    return p;
}

static void mark_lines_of(const u1 *start, size_t size) {
    memset(heap.line_marks + line_index(start), 1, line_index(start + size - 1) - line_index(start) + 1);
}

static inline void forget_mark(const Object *o) { heap.mark_bits[bit_index(o) / 64] &= ~((u8)1 << bit_index(o) % 64); }

typedef struct Move {
    Room room;
    size_t n, bytes;
    bool full;
} Move;

static void move_object(Object *o, void *arg) {
    Move *m = arg;
    const Class *c = obj_class(o);
    if (m->full || is_fixed(o, c)) return;
    size_t size = object_size(o, c);
    u1 *to = take_room(&m->room, size);
    if (!to) {
        m->full = true;
        return;
    }
    memcpy(to, o, size);
    object_hash_move(o, (Object *)to);
    mark_lines_of(to, size);
    bit_set(heap.mark_bits, bit_index(to));
    forget_mark(o);
    *(u8 *)o = (uintptr_t)to;
    m->n++;
    m->bytes += size;
}

static void empty_block(size_t block, Move *m) {
    loads[block].source = true;
    each_in_block(block, move_object, m);
}

/* ---- what refers to them ---- */

static inline Object *where_is(Object *o) { return loads[block_index(o)].source && !is_marked(o) ? *(Object **)o : o; }

static void follow(Object *holder, size_t offset, void *arg) {
    Object *o = ref_load(holder, offset);
    if (!o) return;
    Object *now = where_is(o);
    if (now != o) __atomic_store_n((Narrow *)obj_at(holder, offset), narrow_encode(now), __ATOMIC_RELAXED);
}

static void follow_all(Object *o, void *arg) { object_visit_refs(o, follow, NULL); }

static void follow_stripe(size_t stripe, int worker) {
    size_t end = (stripe + 1) * STRIPE_BLOCKS;
    for (size_t i = stripe * STRIPE_BLOCKS; i < end && i < heap.n_blocks; i++) {
        u1 state = heap.block_state[i];
        if (state == BLOCK_LARGE) {
            size_t word = large_word(heap.mark_bits, i);
            each_marked(word, word + 1, follow_all, NULL);
        } else if (state > BLOCK_FREE && state != BLOCK_LARGE_REST) {
            each_in_block(i, follow_all, NULL);
        }
    }
}

static void mark_lines_again(Object *o, void *arg) {
    const Class *c = obj_class(o);
    size_t before = c->flags & CF_MIRROR ? sizeof(u8) : 0; /* its size stands there */
    mark_lines_of((u1 *)o - before, object_size(o, c) + before);
}

/* What has left is overwritten in the debug build: who still reads it is to see that. */
static void poison(size_t block) {
#ifdef GRAFT_DEBUG
    for (u4 line = 0; line < LINES_PER_BLOCK; line++)
        if (!heap.line_marks[block * LINES_PER_BLOCK + line]) memset(block_address(block) + line * LINE_BYTES, 0xdb, LINE_BYTES);
#endif
}

static void finish_sources(void) {
    for (size_t i = 0; i < heap.n_blocks; i++) {
        if (!loads[i].source) continue;
        memset(heap.line_marks + i * LINES_PER_BLOCK, 0, LINES_PER_BLOCK);
        each_in_block(i, mark_lines_again, NULL);
        poison(i);
    }
}

/* ---- rounds ---- */

static bool is_source(size_t block) {
    if (vm_options.compact_always) return (block + heap_gc_count()) % 2 && loads[block].fixed < loads[block].all;
    return loads[block].all < DENSE && loads[block].fixed <= loads[block].all / 2;
}

static void settle(void) {
    workers_stripes(heap.n_blocks, follow_stripe);
    finish_sources();
    sweep_blocks();
}

/* Bytes that are free now and were not. */
static size_t round_of_blocks(void) {
    size_t before = heap.live, n = sort_blocks(heap.recycle); /* which the sweep will write anew */
    Move m = {.room = {.dense = heap.recycle, .n_dense = n}};
    for (size_t i = 0; i < m.room.n_dense && !m.full; i++) {
        m.room.least_dense = i + 1;
        if (is_source(heap.recycle[i])) empty_block(heap.recycle[i], &m);
    }
    settle();
    if (log_on(LOG_GC_HEAP))
        log_print(LOG_GC_HEAP, "GC(%llu) Compaction: %zu objects of %zuK moved, %zuK->%zuK", (unsigned long long)heap_gc_count(),
                  m.n, m.bytes >> 10, before >> 10, heap.live >> 10);
    return before > heap.live ? before - heap.live : 0;
}

/* ---- a row of blocks ---- */

#define IMPOSSIBLE ((size_t)1 << 40) /* more than any heap has, and as often as it has blocks still no overflow */

/* What it costs to empty the block. */
static size_t cost_of(size_t block) {
    if (block >= heap.n_blocks || heap.block_state[block] <= BLOCK_FREE) return 0;
    return is_small(block) && !loads[block].fixed ? loads[block].all : IMPOSSIBLE;
}

/* The first of the n blocks that are emptied most cheaply, or heap.max_blocks; cost 0: there is such a row already. */
static size_t cheapest_row(size_t n, size_t *least) {
    size_t best = heap.max_blocks, sum = 0;
    *least = IMPOSSIBLE;
    for (size_t i = 0; i < heap.max_blocks; i++) {
        sum += cost_of(i);
        if (i >= n) sum -= cost_of(i - n);
        if (i + 1 < n || sum >= *least) continue;
        best = i + 1 - n;
        *least = sum;
    }
    return best;
}

static void round_for_row(size_t n) {
    size_t cost, first = cheapest_row(n, &cost);
    if (first == heap.max_blocks || !cost || cost > sizing_free()) return;
    for (size_t i = first; i < first + n && i < heap.n_blocks; i++) loads[i].source = true;
    Move m = {.room = {.dense = heap.recycle, .n_dense = sort_blocks(heap.recycle)}};
    for (size_t i = first; i < first + n && i < heap.n_blocks; i++)
        if (is_small(i)) empty_block(i, &m);
    settle();
}

void compact_blocks(void) {
    if (!heap.compact) return;
    size_t before = heap.live, wanted = (heap.wanted + BLOCK_BYTES - 1) >> BLOCK_SHIFT;
    upcall_code_words(pin_word, NULL);
    FOR_EACH_THREAD(t) upcall_java_stack_raw(t, pin_word, NULL);
    refs_visit_pending(pin_slot, NULL);
    for (int i = 0; i < MOST_ROUNDS; i++) {
        workers_stripes(heap.n_blocks, measure_stripe);
        if (round_of_blocks() < heap_max() / 64 || vm_options.compact_always) break;
    }
    if (heap.wanted > SMALL_MAX) {
        workers_stripes(heap.n_blocks, measure_stripe);
        round_for_row(wanted);
    }
    vain = before - heap.live < heap_max() / 32 ? VAIN_PAUSE : 0;
    os_release_pages(pins, (heap.n_blocks << BLOCK_SHIFT) / 64);
}
