/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracing.
 *
 * An object is marked (bit of its start) when it is pushed, so it is pushed once, and the mark
 * stack needs at most one entry per object.  Address space for that many entries is reserved at
 * start, a quarter of the heap's size; pages are touched only as deep as the stack really grows.
 * Overflow is thereby impossible and needs no code.
 *
 * Between stack and tracing lies a short queue of objects whose headers are being prefetched:
 * tracing is bound by cache misses on headers.
 */
#include "heap/heap_int.h"
#include "os/os.h"

enum { QUEUE = 8 };

bool mark_init(void)
{
    size_t entries = (heap.max_blocks << BLOCK_SHIFT) / OBJECT_ALIGN / 2;
    size_t bytes = ALIGN_UP(entries * sizeof(Narrow), os_page_size());
    u1 *p = os_reserve(NULL, bytes);
    if (!p || !os_commit(p, bytes)) return false;
    heap.stack.base = heap.stack.top = (Narrow *)p;
    heap.stack.end = (Narrow *)(p + bytes);
    return true;
}

/* Keep what a usual collection touches, give the rest back. */
void mark_release_stack(void)
{
    enum { KEEP = 256 << 10 };
    u1 *from = (u1 *)heap.stack.base + KEEP;
    if (from < (u1 *)heap.stack.end) os_release_pages(from, (size_t)((u1 *)heap.stack.end - from));
}

static inline void push(Narrow n)
{
    ASSERT(heap.stack.top < heap.stack.end, "mark stack");
    *heap.stack.top++ = n;
}

static inline void mark_narrow(Narrow n)
{
    if (!n) return;
    size_t i = bit_index(narrow_decode(n));
    ASSERT(in_committed(narrow_decode(n)), "reference %p outside the heap", (void *)narrow_decode(n));
    u8 *w = &heap.mark_bits[i / 64], bit = (u8)1 << i % 64;
    if (*w & bit) return;
    *w |= bit;
    push(n);
}

void mark_object(Object *o)
{
    mark_narrow(narrow_encode(o));
}

static inline Narrow narrow_at(const Object *o, size_t off)
{
    return *(const Narrow *)((const u1 *)o + off);
}

static inline void mark_lines(const u1 *start, size_t size)
{
    /* The allocation fast path puts objects of any size into a window that is big enough. */
    if (size > SMALL_MAX && heap.block_state[block_index(start)] == BLOCK_LARGE) return;
    size_t first = line_index(start), last = line_index(start + size - 1);
    for (size_t l = first; l <= last; l++) heap.line_marks[l] = 1;
}

static void trace_ref_array(Object *o)
{
    const Narrow *e = ARRAY_ELEMS(Narrow, o);
    for (int32_t i = 0, n = array_len(o); i < n; i++) mark_narrow(e[i]);
}

static Class *mirrored(const Object *mirror)
{
    Class *k = mirror_class_offset ? mirror_class(mirror) : NULL;
    return k && k->mirror == mirror ? k : NULL;
}

static void mark_cell(Object **cell, void *arg)
{
    mark_object(*cell);
}

static void trace_special(Object *o, Class *c)
{
    if (c->flags & CF_LOADER) {
        loader_visit_owned(o, mark_cell, NULL);
    } else if (c->flags & CF_MIRROR) {
        Class *k = mirrored(o);
        if (k && k->flags & CF_UNLOADABLE) class_visit_roots(k, mark_cell, NULL);
        for (u4 i = 0; k && i < k->n_static_refs; i++)
            mark_narrow(narrow_at(o, k->static_base + i * sizeof(Narrow)));
    } else if (refs_referent_offset()) {
        if (refs_discover(o, c)) mark_narrow(narrow_at(o, refs_referent_offset()));
        mark_narrow(narrow_at(o, refs_discovered_offset()));
    }
}

static void trace_object(Object *o)
{
    Class *c = obj_class(o);
    u4 flags = c->flags;
    if (UNLIKELY(flags & CF_UNLOADABLE) && c->mirror) mark_object(c->mirror); /* an instance keeps its class */
    if (flags & CF_ARRAY) {
        mark_lines((u1 *)o, heap_array_size(c, array_len(o)));
        if (c->elem_type >= T_OBJECT) trace_ref_array(o);
        return;
    }
    const u2 *off = c->ref_offsets;
    for (u4 n = c->n_ref_offsets; n > 0; n--) mark_narrow(narrow_at(o, *off++));
    if (LIKELY(!(flags & (CF_MIRROR | CF_REFERENCE | CF_LOADER)))) {
        mark_lines((u1 *)o, c->instance_size);
        return;
    }
    if (flags & CF_MIRROR) mark_lines((u1 *)mirror_size_word(o), *mirror_size_word(o) + sizeof(size_t));
    else mark_lines((u1 *)o, c->instance_size);
    trace_special(o, c);
}

void mark_drain(void)
{
    Narrow queue[QUEUE] = {0};
    MarkStack *s = &heap.stack;
    u4 at = 0;
    for (int idle = 0; idle < QUEUE || s->top > s->base;) { /* the last one traced may push */
        Narrow next = 0, now;
        if (s->top > s->base) {
            next = *--s->top;
            __builtin_prefetch(narrow_decode(next));
            idle = 0;
        } else {
            idle++;
        }
        now = queue[at];
        queue[at] = next;
        at = (at + 1) % QUEUE;
        if (now) trace_object(narrow_decode(now));
    }
}

/* ---- ambiguous words ---- */

static Object *find_in_small_block(const void *p, size_t block)
{
    size_t i = bit_index(p), w = i / 64, first = block * BITMAP_WORDS_PER_BLOCK;
    u8 bits = heap.start_bits[w] & (~(u8)0 >> (63 - i % 64));
    while (!bits) {
        if (w == first) return NULL;
        bits = heap.start_bits[--w];
    }
    return (Object *)(heap.base + ((w * 64 + 63 - (size_t)__builtin_clzll(bits)) << 3));
}

static Object *find_in_large_block(size_t block)
{
    if (heap.block_state[block] == BLOCK_LARGE_REST) block = heap.block_info[block];
    u8 bits = heap.start_bits[block * BITMAP_WORDS_PER_BLOCK];
    return bits ? (Object *)(block_address(block) + ((size_t)__builtin_ctzll(bits) << 3)) : NULL;
}

Object *find_object(const void *p)
{
    if (!in_committed(p)) return NULL;
    size_t b = block_index(p);
    Object *o;
    switch (heap.block_state[b]) {
    case BLOCK_PARTIAL: case BLOCK_FULL: case BLOCK_USED: o = find_in_small_block(p, b); break;
    case BLOCK_LARGE: case BLOCK_LARGE_REST: o = find_in_large_block(b); break;
    default: return NULL;
    }
    if (!o || (const u1 *)p < (u1 *)o || (const u1 *)p >= (u1 *)o + object_size(o, obj_class(o)))
        return NULL;
    return o;
}

/* ---- preparation ---- */

void mark_prepare(void)
{
    if (heap.young) return; /* marks are sticky: marked = old */
    size_t i = 0;
    while (i < heap.n_blocks) { /* runs of used blocks, so that one memset covers many */
        if (heap.block_state[i] <= BLOCK_FREE) {
            i++;
            continue;
        }
        size_t j = i;
        while (j < heap.n_blocks && heap.block_state[j] > BLOCK_FREE) j++;
        __builtin_memset(heap.mark_bits + i * BITMAP_WORDS_PER_BLOCK, 0, (j - i) * BITMAP_WORDS_PER_BLOCK * 8);
        __builtin_memset(heap.line_marks + i * LINES_PER_BLOCK, 0, (j - i) * LINES_PER_BLOCK);
        i = j;
    }
}

/* ---- cards ---- */

/* The card of an object is the one of its header, whatever part of it was written. */
static void trace_card(size_t card)
{
    for (u8 bits = heap.start_bits[card] & heap.mark_bits[card]; bits; bits &= bits - 1)
        trace_object((Object *)(heap.base + ((card * 64 + (size_t)__builtin_ctzll(bits)) << 3)));
}

void mark_dirty_cards(void)
{
    if (!heap.young) return;
    for (size_t i = 0; i < heap.n_blocks; i++) {
        u1 state = heap.block_state[i];
        if (state <= BLOCK_FREE || state == BLOCK_LARGE_REST) continue;
        const u8 *eight = (const u8 *)(heap.cards + i * CARDS_PER_BLOCK);
        for (int k = 0; k < CARDS_PER_BLOCK / 8; k++)
            for (u8 dirty = eight[k]; dirty; dirty &= dirty - 1) /* bytes are 0 or 1 */
                trace_card(i * CARDS_PER_BLOCK + (size_t)k * 8 + (size_t)__builtin_ctzll(dirty) / 8);
    }
}

void mark_clear_cards(void)
{
    for (size_t i = 0; i < heap.n_blocks; i++)
        if (heap.block_state[i] > BLOCK_FREE)
            __builtin_memset(heap.cards + i * CARDS_PER_BLOCK, 0, CARDS_PER_BLOCK);
}

/* ---- generic visiting ---- */

void object_visit_refs(Object *o, void (*fn)(Object *, size_t, void *), void *arg)
{
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
