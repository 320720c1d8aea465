/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After marking: weak tables, blocks, memory for the OS.
 *
 * Sweeping a block costs no walk over objects: the mark bits become the start bits (which
 * forgets the dead), and the line marks say what is free.
 */
#include "core/hooks.h"
#include "heap/handle.h"
#include "heap/heap_int.h"
#include "os/os.h"
#include "thread/monitor.h"

#include <string.h>

enum { MAX_WEAK_TABLES = 32 };

static struct {
    const char *name;
    void (*sweep)(bool (*is_live)(Object *));
} weak_tables[MAX_WEAK_TABLES];
static int n_weak_tables;

void heap_add_weak_table(const char *name, void (*sweep)(bool (*)(Object *))) {
    if (n_weak_tables == MAX_WEAK_TABLES) FATAL("too many weak tables at %s", name);
    weak_tables[n_weak_tables].name = name;
    weak_tables[n_weak_tables++].sweep = sweep;
}

static bool is_live(Object *o) {
    bool live = is_marked(o);
    if (UNLIKELY(heap.compact) && live) compact_pin(o); /* tables find it by its address */
    return live;
}

void sweep_weak_tables(void) {
    handle_sweep_weak(is_live);
    monitor_sweep(is_live);
    for (int i = 0; i < n_weak_tables; i++) weak_tables[i].sweep(is_live);
    HOOK_CALL(GC_WEAK, gc_weak, is_live);
}

/* ---- blocks ---- */

/* Marks are bytes of 0 or 1: eight sums at a time. */
static u4 marked_lines(size_t block) {
    const u8 *w = (const u8 *)(heap.line_marks + block * LINES_PER_BLOCK), evens = 0x00ff00ff00ff00ffull;
    u8 sums = 0;
    for (int i = 0; i < LINES_PER_BLOCK / 8; i++) sums += w[i];
    sums = (sums & evens) + (sums >> 8 & evens);
    return (u4)(sums * 0x0001000100010001ull >> 48);
}

static void forget_dead(size_t block, size_t n) {
    size_t at = block * BITMAP_WORDS_PER_BLOCK;
    memcpy(heap.start_bits + at, heap.mark_bits + at, n * BITMAP_WORDS_PER_BLOCK * sizeof(u8));
}

/* Nothing was allocated in PARTIAL and FULL blocks since they were last swept, and a young
 * collection does not let old objects die: their sweep stays valid. */
static void sweep_small(size_t i) {
    if (heap.young && heap.block_state[i] != BLOCK_USED) return;
    forget_dead(i, 1);
    starts_forget_runs(i);
    u4 free_lines = heap.block_info[i] = LINES_PER_BLOCK - marked_lines(i);
    heap.block_state[i] = free_lines == LINES_PER_BLOCK ? BLOCK_FREE : free_lines < MIN_FREE_LINES ? BLOCK_FULL : BLOCK_PARTIAL;
}

static void sweep_large(size_t i) {
    size_t n = heap.block_info[i];
    if (heap.mark_bits[large_word(heap.mark_bits, i)]) return;
    forget_dead(i, n);
    for (size_t k = i; k < i + n; k++) __atomic_store_n(&heap.block_state[k], BLOCK_FREE, __ATOMIC_RELAXED);
}

/* A large object belongs to the stripe of its first block, also where it reaches into the next: who sweeps that one may see its
 * blocks as free already or as the rest of an object, and does nothing with them but for the cards, of which free blocks may keep any. */
static void sweep_stripe(size_t stripe, int worker) {
    size_t i = stripe * STRIPE_BLOCKS, end = i + STRIPE_BLOCKS;
    if (end > heap.n_blocks) end = heap.n_blocks;
    for (; i < end; i++) {
        u1 state = __atomic_load_n(&heap.block_state[i], __ATOMIC_RELAXED);
        if (state <= BLOCK_FREE) continue;
        memset(heap.cards + i * CARDS_PER_BLOCK, 0, CARDS_PER_BLOCK);
        switch (state) {
        case BLOCK_PARTIAL:
        case BLOCK_FULL:
        case BLOCK_USED: sweep_small(i); break;
        case BLOCK_LARGE: sweep_large(i); break;
        }
    }
}

void sweep_blocks(void) {
    workers_stripes(heap.n_blocks, sweep_stripe);
    size_t live_lines = 0, large_blocks = 0;
    heap.n_recycle = heap.recycle_pos = 0;
    for (size_t i = 0; i < heap.n_blocks; i++) {
        switch (heap.block_state[i]) {
        case BLOCK_PARTIAL:
            if (i < heap.max_blocks) heap.recycle[heap.n_recycle++] = (u4)i; /* fall through */
        case BLOCK_FULL: live_lines += LINES_PER_BLOCK - heap.block_info[i]; break;
        case BLOCK_LARGE:
        case BLOCK_LARGE_REST: large_blocks++; break;
        }
    }
    heap.live = live_lines * LINE_BYTES + (large_blocks << BLOCK_SHIFT);
    heap.next_free = heap.large_cursor = 0;
}

static bool stripe_is_free(size_t first, size_t end) {
    bool any = false;
    for (size_t i = first; i < end; i++) {
        if (heap.block_state[i] > BLOCK_FREE) return false;
        any |= heap.block_state[i] == BLOCK_FREE;
    }
    return any;
}

/* Free blocks but for so many bytes go back to the OS, highest addresses first; whole stripes, which are large pages. */
void sweep_return_memory(size_t free_to_keep) {
    size_t keep = (free_to_keep >> BLOCK_SHIFT) + 1, seen = 0;
    for (size_t i = 0; i < heap.n_blocks; i++)
        if (heap.block_state[i] == BLOCK_FREE) seen++;
    if (seen <= keep + keep / 4) return;
    for (size_t end = heap.n_blocks & ~(size_t)(STRIPE_BLOCKS - 1); end > 0 && seen > keep; end -= STRIPE_BLOCKS) {
        size_t first = end - STRIPE_BLOCKS;
        if (!stripe_is_free(first, end)) continue;
        for (size_t i = first; i < end; i++) {
            seen -= heap.block_state[i] == BLOCK_FREE;
            heap.block_state[i] = BLOCK_UNTOUCHED;
        }
        os_release_pages(block_address(first), STRIPE_BLOCKS << BLOCK_SHIFT);
    }
}
