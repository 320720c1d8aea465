/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where objects start that were made since the last collection.
 *
 * A run is a piece of a block, whole lines, that was handed out as a window.  From its first byte on objects lie one
 * behind the other, up to the first zero word (I2) or to its end.  So the size of each leads to the next, and
 * allocation need not write down where objects start: most of them are dead before anybody asks.
 *
 * Two bits per line say where runs are: run_starts at the first line, run_ends at the line behind the last (none when
 * that is the end of the block).  The owner of the block sets them when it takes the window.  What follows a run is
 * garbage or old objects, so a walk must not go on there; where one run follows another it may.
 *
 * The start bits of a run are set for its first objects, as many as somebody wanted, and for none behind them: a walk
 * continues at the last one known.  The window may be in use: next time the walk goes on from there.  Only whoever has
 * stopped the world walks; marking by several workers comes after the ambiguous words.
 *
 * The sweep of a block forgets its runs: then mark bits are start bits.
 *
 * Rejected: walking each window when it is given up, which reads every object again for the few that an ambiguous word hits.
 */
#include "heap/heap_int.h"

enum { WORDS = LINES_PER_BLOCK / 64 };

static inline u8 *starts_of(size_t block) { return heap.run_starts + block * WORDS; }
static inline u8 *ends_of(size_t block) { return heap.run_ends + block * WORDS; }

void starts_add_run(size_t block, u4 first, u4 last) {
    bit_set(starts_of(block), first);
    if (last < LINES_PER_BLOCK) bit_set(ends_of(block), last);
}

void starts_forget_runs(size_t block) {
    for (int i = 0; i < WORDS; i++) starts_of(block)[i] = ends_of(block)[i] = 0;
}

/* The last bit set in [0, line], -1: none. */
static int last_bit(const u8 *map, int line) {
    u8 bits = map[line / 64] & (~(u8)0 >> (63 - line % 64));
    for (int w = line / 64;; bits = map[w]) {
        if (bits) return w * 64 + 63 - __builtin_clzll(bits);
        if (w-- == 0) return -1;
    }
}
/* The first bit set in [line, LINES_PER_BLOCK), LINES_PER_BLOCK: none. */
static int first_bit(const u8 *map, int line) {
    for (; line < LINES_PER_BLOCK; line = (line / 64 + 1) * 64) {
        u8 bits = map[line / 64] >> line % 64;
        if (bits) return line + __builtin_ctzll(bits);
    }
    return LINES_PER_BLOCK;
}

static u1 *end_of(u1 *o) { return o + object_size((Object *)o, obj_class((Object *)o)); }

/* The last start that is known in [run, p], or NULL. */
static u1 *last_known(u1 *run, const u1 *p) {
    size_t first = bit_index(run), i = bit_index(p), w = i / 64;
    u8 bits = heap.start_bits[w] & (~(u8)0 >> (63 - i % 64));
    while (!bits) {
        if (w-- == first / 64) return NULL;
        bits = heap.start_bits[w];
    }
    i = w * 64 + 63 - (size_t)__builtin_clzll(bits);
    return i < first ? NULL : heap.base + (i << 3);
}

/* Sets the start bits of the run that are still missing, of objects that start at `until` or before. */
static void walk(u1 *run, const u1 *until) {
    u1 *o = last_known(run, until);
    for (o = o ? end_of(o) : run; o <= until && *(u4 *)o;) {
        if (*(u4 *)o == NO_OBJECT) {
            o += sizeof(u8);
            continue;
        }
        bit_set(heap.start_bits, bit_index(o));
        o = end_of(o);
    }
}

void starts_find_until(const void *p) {
    size_t block = block_index(p);
    if (heap.block_state[block] != BLOCK_USED) return;
    int line = (int)(line_index(p) % LINES_PER_BLOCK), first = last_bit(starts_of(block), line);
    if (first >= 0 && last_bit(ends_of(block), line) <= first) walk(block_address(block) + first * LINE_BYTES, p);
}

/* The line behind the last of the run: its end, or another run. */
static int run_limit(size_t block, int first) {
    int end = first_bit(ends_of(block), first + 1), next = first_bit(starts_of(block), first + 1);
    return end < next ? end : next;
}

void starts_find_all(void) {
    for (size_t b = 0; b < heap.n_blocks; b++) {
        if (heap.block_state[b] != BLOCK_USED) continue;
        for (int first = first_bit(starts_of(b), 0); first < LINES_PER_BLOCK; first = first_bit(starts_of(b), first + 1))
            walk(block_address(b) + first * LINE_BYTES, block_address(b) + run_limit(b, first) * LINE_BYTES - sizeof(u8));
    }
}
