/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_text.c - histogram, biggest holders, growth and who holds it.
 *
 * A suspect is a class that has more bytes than at the snapshot before. Where its new instances pile up in the dominator
 * tree stands with a shortest path to it.
 */
#include "heap_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "heap_holders.h"

enum { MAX_STEPS = 40, MAX_DEPTH = 12, LEAST_GROWN = 50 /* rows of the tree are at least such a part of all */ };

static void put(FILE *out, char *text) {
    fputs(text ? text : "?", out);
    free(text);
}

/* ---- histogram -------------------------------------------------------------------------------- */

static void table(FILE *out, int top, HeapRow *rows, uint32_t n, bool by_holding) {
    heap_rows_sort(rows, n, by_holding ? HEAP_BY_RETAINED : HEAP_BY_BYTES);
    fprintf(out, "\nClasses by %s\n%14s %10s %14s  class\n", by_holding ? "what they retain" : "their own size",
            by_holding ? "retained" : "bytes", "objects", by_holding ? "bytes" : "retained");
    for (uint32_t i = 0; i < n && i < (uint32_t)top; i++) {
        const HeapFigures *f = &rows[i].now;
        fprintf(out, "%14" PRIu64 " %10" PRIu64 " %14" PRIu64 "  %s\n", by_holding ? f->retained : f->bytes, f->objects,
                by_holding ? f->bytes : f->retained, rows[i].name);
    }
}

/* ---- paths ------------------------------------------------------------------------------------- */

static void put_path(FILE *out, const HeapNames *h, const HeapPaths *paths, uint32_t node) {
    uint32_t n;
    HeapStep *steps = heap_path(paths, node, &n);
    fputs("    ", out);
    put(out, n ? heap_root_text(h, h->g->label[steps[0].edge]) : strdup("no strong path"));
    fputc('\n', out);
    for (uint32_t i = 1; i < n; i++) {
        if (n > MAX_STEPS && i == MAX_STEPS / 2) {
            fprintf(out, "      ... %u more\n", n - MAX_STEPS);
            i += n - MAX_STEPS;
        }
        fputs("      -> ", out);
        put(out, heap_object_text(h, steps[i].from));
        put(out, heap_link_text(h, steps[i].from, h->g->label[steps[i].edge]));
        fputc('\n', out);
    }
    fputs("      -> ", out);
    put(out, heap_object_text(h, node));
    fputc('\n', out);
    free(steps);
}

/* ---- biggest ------------------------------------------------------------------------------------ */

/* Objects that no other object holds alone, the biggest first. */
static bool biggest(FILE *out, const HeapNames *h, int top) {
    uint32_t n, *all = heap_held(h->g, 0, 0, &n);
    fprintf(out, "\nBiggest holders (objects at the top of the dominator tree)\n%14s %14s  object\n", "retained", "own bytes");
    for (uint32_t i = 0; i < n && i < (uint32_t)top; i++) {
        fprintf(out, "%14" PRIu64 " %14" PRIu64 "  ", h->g->retained[all[i]], 8 * (uint64_t)h->g->size[all[i]]);
        put(out, heap_object_text(h, all[i]));
        fputc('\n', out);
    }
    free(all);
    return all != NULL;
}

/* ---- growth --------------------------------------------------------------------------------------- */

static void one_suspect(FILE *out, const HeapNames *h, const HeapPaths *paths, const HeapSuspect *s) {
    fprintf(out, "\nSuspect: %s, %u new", s->class_name, s->pile.total);
    if (s->pile.at) {
        fprintf(out, ", %u of them held by one ", s->pile.there);
        put(out, heap_object_text(h, s->pile.at));
        fprintf(out, " that retains %" PRIu64 " bytes", h->g->retained[s->pile.at]);
    } else {
        fprintf(out, ", with no common holder; one of them");
    }
    fputs(s->same_as_before ? " (see above)\n" : "\n", out);
    if (!s->same_as_before) put_path(out, h, paths, s->pile.at ? s->pile.at : s->pile.instance);
}

static bool suspects(FILE *out, const HeapNames *h, const HeapRow *rows, uint32_t n) {
    HeapSuspect found[HEAP_MAX_SUSPECTS];
    HeapPaths paths = {0};
    uint32_t shown = 0;
    bool ok = heap_suspects(h->g, rows, n, found, &shown) && heap_paths(h->g, &paths);
    for (uint32_t i = 0; ok && i < shown; i++) one_suspect(out, h, &paths, &found[i]);
    heap_paths_free(&paths);
    return ok;
}

static void grown_classes(FILE *out, int top, HeapRow *rows, uint32_t n) {
    heap_rows_sort(rows, n, HEAP_BY_GROWTH);
    fprintf(out, "%14s %10s %14s  class\n", "bytes", "objects", "bytes now");
    for (uint32_t i = 0; i < n && i < (uint32_t)top; i++) {
        int64_t bytes = heap_more(rows[i].now.bytes, rows[i].before.bytes);
        if (bytes <= 0) break;
        fprintf(out, "%+14" PRId64 " %+10" PRId64 " %14" PRIu64 "  %s\n", bytes,
                heap_more(rows[i].now.objects, rows[i].before.objects), rows[i].now.bytes, rows[i].name);
    }
}

typedef struct GrownTree {
    FILE *out;
    const HeapTypes *t;
    int64_t all, least; /* what the tops of the tree grew by; what grew no more has no row */
    bool ok;
} GrownTree;

static void grown_below(GrownTree *g, uint32_t parent) {
    uint32_t n, *grown = heap_types_below(g->t, parent, HEAP_GROWTH, &n);
    g->ok &= grown != NULL;
    for (uint32_t i = 0; !parent && i < n; i++) g->all += heap_type_measure(g->t, grown[i], HEAP_GROWTH);
    for (uint32_t i = 0; i < n; i++) {
        const HeapType *x = &g->t->types.data[grown[i]];
        int64_t growth = heap_type_measure(g->t, grown[i], HEAP_GROWTH);
        if (growth <= g->least || growth < g->all / LEAST_GROWN) break;
        fprintf(g->out, "%+14" PRId64 " %+10" PRId64 "  %*s%s\n", growth, heap_more(x->now.objects, x->before.objects),
                2 * (int)(x->depth - 1), "", heap_type_name(g->t, grown[i]));
        if (x->depth < MAX_DEPTH) grown_below(g, grown[i]);
    }
    free(grown);
}

bool heap_growth_text(FILE *out, const HeapTypes *t, HeapRow *rows, uint32_t n, int top) {
    grown_classes(out, top, rows, n);
    fprintf(out, "\nWhere it grew (dominator tree by class)\n%14s %10s  class\n", "retained", "objects");
    GrownTree g = {out, t, 0, heap_types_limit(t, HEAP_GROWTH, 3 * (uint32_t)top), true};
    grown_below(&g, HEAP_TYPE_ROOTS);
    return g.ok;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

bool heap_report(const HeapNames *h, HeapTypes *t, const HeapReport *r) {
    HeapFigures all = {0};
    uint32_t n = 0;
    HeapRow *rows = heap_rows(t, &n);
    for (uint32_t i = 0; i < n; i++) {
        all.objects += rows[i].now.objects;
        all.bytes += rows[i].now.bytes;
    }
    fprintf(r->out,
            "=== %s\n%" PRIu64 " objects, %" PRIu64 " bytes; %" PRIu64 " bytes strongly held; %" PRIu64
            " references; %u classes\n",
            r->heading, all.objects, all.bytes, h->g->retained[0], h->g->n_edges, h->g->n_classes);
    bool ok = rows && biggest(r->out, h, r->top);
    if (ok) {
        table(r->out, r->top, rows, n, true);
        table(r->out, r->top, rows, n, false);
    }
    if (ok && r->compared) {
        fputs("\nGrowth since the snapshot before\n", r->out);
        ok = heap_growth_text(r->out, t, rows, n, r->top) && suspects(r->out, h, rows, n);
    }
    fputc('\n', r->out);
    free(rows);
    return ok && !ferror(r->out);
}
