/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Invariants of gc.c as code.  World stopped.  Every violation is printed, the first ten in
 * full; then the process ends: a damaged heap is not worth running on.
 */
#include "heap/heap_int.h"

#include <stdio.h>
#include <string.h>

typedef struct Check {
    const char *when;
    int errors;
    size_t objects;
    Object *previous;
    u1 *previous_end;
} Check;

static void complain(Check *k, const Object *o, const char *what, u8 detail)
{
    if (k->errors++ >= 10) return;
    Class *c = obj_class(o);
    bool known = class_region_contains(c);
    fprintf(stderr, "heap check %s: object %p (%s): %s 0x%llx\n", k->when, (void *)o,
            known ? c->name ? c->name->bytes : "unnamed class" : "bad class", what, (unsigned long long)detail);
}

static void check_ref(Object *holder, size_t off, void *arg)
{
    Object *v = ref_load(holder, off);
    if (v && !heap_object_at(v)) {
        complain(arg, holder, "field at offset refers to no object:", off);
        complain(arg, holder, "  the value is", (uintptr_t)v);
    }
}

static void check_extent(Check *k, Object *o, size_t size)
{
    size_t b = block_index(o);
    u1 *end = (u1 *)o + size;
    u1 *limit = heap.block_state[b] == BLOCK_LARGE ? block_address(b + heap.block_info[b]) : block_address(b + 1);
    if (size < OBJECT_HEADER || size & 7) complain(k, o, "odd size", size);
    if (end > limit) complain(k, o, "reaches over the end of its block, size", size);
    if ((u1 *)o < k->previous_end) {
        complain(k, o, "block state", heap.block_state[b]);
        complain(k, o, "overlaps the object that ends at", (uintptr_t)k->previous_end);
        complain(k, k->previous, "  which is this one; block state", heap.block_state[block_index(k->previous)]);
    }
    k->previous = o;
    k->previous_end = end;
}

static bool check_object(Object *o, void *arg)
{
    Check *k = arg;
    Class *c = obj_class(o);
    k->objects++;
    if (!class_region_contains(c)) {
        complain(k, o, "class word", o->klass);
        return true;
    }
    if (c->flags & CF_ARRAY && array_len(o) < 0) {
        complain(k, o, "negative length", (u4)array_len(o));
        return true;
    }
    check_extent(k, o, object_size(o, c));
    object_visit_refs(o, check_ref, k);
    return true;
}

static void check_root(Object **slot, void *arg)
{
    Check *k = arg;
    if (*slot && !heap_object_at(*slot)) {
        if (k->errors++ < 10)
            fprintf(stderr, "heap check %s: root %p holds %p, no object\n", k->when, (void *)slot, (void *)*slot);
    }
}

static void check_window(Check *k, Thread *t)
{
    Tlab *w = &t->tlab;
    if (heap.collecting && w->top) {
        k->errors++;
        fprintf(stderr, "heap check %s: thread %s allocated during the pause (state %u)\n", k->when, t->name,
                atomic_load(&t->state));
    }
    if (w->top < w->start || w->top > w->end) {
        k->errors++;
        fprintf(stderr, "heap check %s: window of %s: %p %p %p\n", k->when, t->name, (void *)w->start,
                (void *)w->top, (void *)w->end);
        return;
    }
    for (u1 *p = w->top; p < w->end; p += 8)
        if (*(u8 *)p || heap_object_at(p)) {
            k->errors++;
            fprintf(stderr, "heap check %s: window of %s is not clean at %p\n", k->when, t->name, (void *)p);
            return;
        }
}

void heap_check(const char *when)
{
    Check k = {.when = when};
    heap_walk(check_object, &k);
    roots_visit_exact(check_root, &k);
    FOR_EACH_THREAD(t) check_window(&k, t);
    if (k.errors) FATAL("heap check %s: %d errors in %zu objects", when, k.errors, k.objects);
}
