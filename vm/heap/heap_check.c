/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Invariants of gc.c as code.  World stopped.  Every violation is printed, the first ten in
 * full; then the process ends: a damaged heap is not worth running on.
 */
#include "heap/heap_int.h"

#include <stdio.h>

typedef struct Check {
    const char *when;
    int errors;
    size_t objects;
    Object *previous;
    u1 *previous_end;
} Check;

static void complain(Check *k, const Object *o, const char *what, u8 detail) {
    if (k->errors++ >= 10) return;
    Class *c = obj_class(o);
    bool known = class_region_contains(c);
    fprintf(stderr, "heap check %s: object %p (%s): %s 0x%llx\n", k->when, (void *)o,
            known ? c->name ? c->name->bytes : "unnamed class" : "bad class", what, (unsigned long long)detail);
}

static void check_ref(Object *holder, size_t off, void *arg) {
    Object *v = ref_load(holder, off);
    if (v && !heap_object_at(v)) {
        complain(arg, holder, "field at offset refers to no object:", off);
        complain(arg, holder, "  the value is", (uintptr_t)v);
    }
}

static void check_extent(Check *k, Object *o, size_t size) {
    size_t b = block_index(o);
    u1 *end = (u1 *)o + size;
    u1 *limit = heap.block_state[b] == BLOCK_LARGE ? block_address(b + heap.block_info[b]) : block_address(b + 1);
    if (size < OBJECT_LEAST || size & 7) complain(k, o, "odd size", size);
    if (end > limit) complain(k, o, "reaches over the end of its block, size", size);
    if ((u1 *)o < k->previous_end) {
        complain(k, o, "block state", heap.block_state[b]);
        complain(k, o, "overlaps the object that ends at", (uintptr_t)k->previous_end);
        complain(k, k->previous, "  which is this one; block state", heap.block_state[block_index(k->previous)]);
    }
    k->previous = o;
    k->previous_end = end;
}

static bool check_object(Object *o, void *arg) {
    Check *k = arg;
    Class *c = obj_class(o);
    k->objects++;
    if (!class_region_contains(c)) return complain(k, o, "class word", o->klass), true;
    if (c->flags & CF_ARRAY && array_len(o) < 0) return complain(k, o, "negative length", (u4)array_len(o)), true;
    check_extent(k, o, object_size(o, c));
    object_visit_refs(o, check_ref, k);
    return true;
}

static void check_root(Object **slot, void *arg) {
    Check *k = arg;
    if (*slot && !heap_object_at(*slot)) {
        if (k->errors++ < 10)
            fprintf(stderr, "heap check %s: root %p holds %p, no object\n", k->when, (void *)slot, (void *)*slot);
    }
}

static void check_window(Check *k, Thread *t) {
    Tlab *w = &t->tlab;
    if (heap.collecting && w->top) {
        k->errors++;
        fprintf(stderr, "heap check %s: thread %s allocated during the pause (state %u)\n", k->when, t->name,
                atomic_load(&t->state));
    }
    if (w->top < w->start || w->top > w->end) {
        k->errors++;
        fprintf(stderr, "heap check %s: window of %s: %p %p %p\n", k->when, t->name, (void *)w->start, (void *)w->top,
                (void *)w->end);
        return;
    }
    for (u1 *p = w->top; p < w->end; p += 8)
        if (*(u8 *)p || heap_object_at(p)) {
            k->errors++;
            fprintf(stderr, "heap check %s: window of %s is not clean at %p\n", k->when, t->name, (void *)p);
            return;
        }
}

void heap_check(const char *when) {
    Check k = {.when = when};
    heap_walk(check_object, &k);
    roots_visit_exact(check_root, &k);
    FOR_EACH_THREAD(t) check_window(&k, t);
    if (k.errors) FATAL("heap check %s: %d errors in %zu objects", when, k.errors, k.objects);
}

/* ---- between the phases of a collection ---- */

static void check_marked_ref(Object *holder, size_t off, void *arg) {
    Object *v = ref_load(holder, off);
    if (!v || is_marked(v)) return;
    if (obj_class(holder)->flags & CF_REFERENCE && off == refs_referent_offset()) return; /* refs.c decides */
    complain(arg, holder, "is marked, what it refers to is not; field at", off);
}

/* I6: what a marked object refers to is marked, and so are the lines that it lies on. */
static bool check_marked_object(Object *o, void *arg) {
    Check *k = arg;
    k->objects++;
    if (!is_marked(o)) return true;
    Class *c = obj_class(o);
    size_t size = object_size(o, c);
    object_visit_refs(o, check_marked_ref, k);
    if (c->flags & CF_UNLOADABLE && c->mirror && !is_marked(c->mirror))
        complain(k, o, "is marked, the mirror of its class is not", 0);
    if (heap.block_state[block_index(o)] == BLOCK_LARGE) return true;
    for (size_t l = line_index(o); l <= line_index((u1 *)o + size - 1); l++)
        if (!heap.line_marks[l]) {
            complain(k, o, "is marked, its line is not:", l);
            break;
        }
    return true;
}

static void check_marked_root(Object **slot, void *arg) {
    Check *k = arg;
    if (*slot && !is_marked(*slot)) complain(k, *slot, "is a root and not marked; slot", (uintptr_t)slot);
}

void heap_check_marking(const char *when) {
    Check k = {.when = when};
    heap_walk(check_marked_object, &k);
    roots_visit_exact(check_marked_root, &k);
    if (k.errors) FATAL("heap check %s: %d errors in %zu objects", when, k.errors, k.objects);
}

static void complain_block(Check *k, size_t i, const char *what, u8 detail) {
    if (k->errors++ < 10)
        fprintf(stderr, "heap check %s: block %zu, state %u: %s %llu\n", k->when, i, heap.block_state[i], what,
                (unsigned long long)detail);
}

static void check_bits(Check *k, size_t i) {
    size_t w = i * BITMAP_WORDS_PER_BLOCK;
    for (int n = 0; n < BITMAP_WORDS_PER_BLOCK; n++)
        if (heap.start_bits[w + n] != heap.mark_bits[w + n]) complain_block(k, i, "start bits are not mark bits in word", (u8)n);
}

static size_t check_small_block(Check *k, size_t i) {
    u4 free_lines = 0;
    for (int n = 0; n < LINES_PER_BLOCK; n++) free_lines += !heap.line_marks[i * LINES_PER_BLOCK + n];
    if (free_lines != heap.block_info[i]) complain_block(k, i, "counted free lines", free_lines);
    check_bits(k, i);
    return (LINES_PER_BLOCK - free_lines) * LINE_BYTES;
}

static size_t check_large_block(Check *k, size_t i) {
    size_t n = heap.block_info[i];
    if (heap.start_bits[large_word(heap.start_bits, i)] == 0) complain_block(k, i, "no object starts in a large block", n);
    for (size_t j = i + 1; j < i + n; j++)
        if (heap.block_state[j] != BLOCK_LARGE_REST || heap.block_info[j] != i)
            complain_block(k, j, "is not a part of the large object at", i);
    return n << BLOCK_SHIFT;
}

/* I7: after the sweep, states and counts of blocks tell what the marks tell, and no card is dirty. */
void heap_check_sweep(const char *when) {
    Check k = {.when = when};
    size_t live = 0;
    for (size_t i = 0; i < heap.n_blocks; i++) {
        switch (heap.block_state[i]) {
        case BLOCK_USED: complain_block(&k, i, "was not swept", 0); break;
        case BLOCK_PARTIAL:
        case BLOCK_FULL: live += check_small_block(&k, i); break;
        case BLOCK_LARGE: live += check_large_block(&k, i); break;
        default: continue;
        }
        for (int n = 0; n < CARDS_PER_BLOCK; n++)
            if (heap.cards[i * CARDS_PER_BLOCK + n]) complain_block(&k, i, "dirty card", (u8)n);
    }
    if (live != heap.live) complain_block(&k, 0, "bytes live are not", heap.live);
    if (k.errors) FATAL("heap check %s: %d errors", when, k.errors);
}
