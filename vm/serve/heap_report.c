/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports about the heap and its classes: figures, histogram, class loaders.  Everything is
 * counted while the world is stopped and printed afterwards or into a memory stream.
 */
#include "serve/diag.h"
#include "serve/jmm_int.h"
#include "frame/stack_text.h"

#include <stdlib.h>

void heap_print_info(FILE *out) {
    fprintf(out, " graft heap      total %zuK, used %zuK, max %zuK\n", heap_committed() >> 10, heap_used() >> 10,
            heap_max() >> 10);
    fprintf(out, " class files     used %zuK\n", (size_t)jmm_pool_used(JMM_POOL_METADATA) >> 10);
}

/* ---- histogram ---- */

typedef struct Tally {
    Class *klass;
    u8 count, bytes;
} Tally;
typedef struct Histogram { /* open addressing, a power of two of cells */
    Tally *cells;
    size_t cap, used;
    Thread *self;
    FILE *out;
    bool live, failed;
} Histogram;

static Tally *cell_of(Tally *cells, size_t cap, const Class *c) {
    size_t i = ((uintptr_t)c >> 4) * 0x9e3779b1u & (cap - 1);
    while (cells[i].klass && cells[i].klass != c) i = (i + 1) & (cap - 1);
    return &cells[i];
}

static bool grow(Histogram *h) {
    size_t cap = h->cap ? h->cap * 2 : 4096;
    Tally *cells = calloc(cap, sizeof *cells);
    if (!cells) return false;
    for (size_t i = 0; i < h->cap; i++)
        if (h->cells[i].klass) *cell_of(cells, cap, h->cells[i].klass) = h->cells[i];
    free(h->cells);
    h->cells = cells;
    h->cap = cap;
    return true;
}

static bool count_object(Object *o, void *arg) {
    Histogram *h = arg;
    if (h->used * 2 >= h->cap && !grow(h)) return h->failed = true, false;
    Tally *c = cell_of(h->cells, h->cap, obj_class(o));
    if (!c->klass) c->klass = obj_class(o), h->used++;
    c->count++;
    c->bytes += heap_object_size(o);
    return true;
}

static int by_bytes(const void *a, const void *b) {
    const Tally *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    return x->klass && y->klass ? strcmp(x->klass->name->bytes, y->klass->name->bytes) : 0;
}

static void print_histogram(Histogram *h) {
    FILE *out = h->out;
    u8 count = 0, bytes = 0;
    qsort(h->cells, h->cap, sizeof *h->cells, by_bytes);
    fprintf(out, " num     #instances         #bytes  class name (module)\n"
                 "-------------------------------------------------------\n");
    for (size_t i = 0; i < h->used; i++) {
        const Tally *c = &h->cells[i];
        fprintf(out, "%4zu: %13lu  %13lu  %s", i + 1, (unsigned long)c->count, (unsigned long)c->bytes, class_text(c->klass).s);
        ModuleText module = class_module_text(c->klass);
        fprintf(out, "%s%s%s\n", *module.s ? " (" : "", module.s, *module.s ? ")" : "");
        count += c->count;
        bytes += c->bytes;
    }
    fprintf(out, "Total %13lu  %13lu\n", (unsigned long)count, (unsigned long)bytes);
}

/* Printed while the world is stopped too: classes could be unloaded afterwards. */
static void histogram_stopped(void *arg) {
    Histogram *h = arg;
    if (h->live) heap_gc(h->self, "Heap Inspection Initiated GC");
    heap_walk(count_object, h);
    if (h->failed) fprintf(h->out, "out of memory while counting; the figures are incomplete\n");
    if (h->cells) print_histogram(h);
}

void class_histogram(Thread *t, FILE *out, bool live) {
    Histogram h = {.self = t, .out = out, .live = live};
    safepoint_run("class histogram", histogram_stopped, &h);
    free(h.cells);
}
