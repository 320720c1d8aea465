/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_graph.c - who calls whom: for each method its callers above it and what it calls below it, with numbers of calls and the
 * time that passed in them. Of recursive calls only the outermost has time, as in the table.
 */
#include "trc_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cf_arena.h"
#include "cf_table.h"

enum { ROOT = UINT32_MAX }; /* caller of the first traced method of a stack */

typedef struct Edge {
    uint32_t caller, callee;
    int64_t calls, total;
} Edge;

typedef struct Graph {
    const TrcReport *report;
    CfTable edges;
    CfArena arena;
    int64_t *self;
    bool bad;
} Graph;

static bool same(const void *item, const void *key) {
    const Edge *a = item, *b = key;
    return a->caller == b->caller && a->callee == b->callee;
}

static void add_edge(Graph *g, uint32_t caller, uint32_t callee, int64_t calls, int64_t total) {
    Edge key = {caller, callee, 0, 0}, *e;
    uint32_t hash = cf_hash_u64((uint64_t)caller << 32 | callee);
    if (!(e = cf_table_find(&g->edges, hash, same, &key))) {
        e = CF_NEW(&g->arena, Edge);
        if (!e || !cf_table_add(&g->edges, hash, e)) {
            g->bad = true;
            return;
        }
        *e = key;
    }
    e->calls += calls;
    e->total += total;
}

static void add_call(void *graph, const TrcNode *n, bool outermost) {
    Graph *g = graph;
    uint32_t m = trc_method(n->key), caller = n->parent->parent ? trc_method(n->parent->key) : ROOT;
    if (n->calls) add_edge(g, caller, m, n->calls, outermost ? trc_total(n) : 0);
    g->self[m] += trc_self(n);
}

/* ---- output ---------------------------------------------------------------------------------- */

static const TrcReport *names; /* under the callers' lock */

static const char *name_of(uint32_t m) {
    return m == ROOT ? "(start of a thread, or from code that is not traced)" : names->methods[m];
}

/* By callee (or caller), then the most important caller (or callee) first. */
static int compare(const Edge *a, const Edge *b, bool by_callee) {
    uint32_t x = by_callee ? a->callee : a->caller, y = by_callee ? b->callee : b->caller;
    int64_t i = a->total ? a->total : a->calls, k = b->total ? b->total : b->calls;
    if (x != y) return x < y ? -1 : 1;
    if (i != k) return i < k ? 1 : -1;
    return strcmp(name_of(by_callee ? a->caller : a->callee), name_of(by_callee ? b->caller : b->callee));
}
static int by_callee(const void *x, const void *y) { return compare(*(Edge *const *)x, *(Edge *const *)y, true); }
static int by_caller(const void *x, const void *y) { return compare(*(Edge *const *)x, *(Edge *const *)y, false); }
static int by_name(const void *x, const void *y) { return strcmp(name_of(*(const uint32_t *)x), name_of(*(const uint32_t *)y)); }

static void put_line(FILE *out, const char *indent, int64_t calls, int64_t total, const char *name, const char *tail) {
    fprintf(out, "%12" PRId64 " %14.3f  %s%s%s\n", calls, (double)total / 1e6, indent, name, tail);
}

/* First of the edges of `m` in a sorted array. */
static size_t find(Edge *const *v, size_t n, bool callee, uint32_t m) {
    size_t from = 0, to = n;
    while (from < to) {
        size_t mid = (from + to) / 2;
        if ((callee ? v[mid]->callee : v[mid]->caller) < m) from = mid + 1;
        else to = mid;
    }
    return from;
}

static void put_method(const Graph *g, uint32_t m, Edge *const *callers, Edge *const *callees, size_t n, FILE *out) {
    char tail[64];
    int64_t calls = 0, total = 0;
    size_t first = find(callers, n, true, m);
    for (size_t i = first; i < n && callers[i]->callee == m; i++) {
        calls += callers[i]->calls;
        total += callers[i]->total;
        put_line(out, "    ", callers[i]->calls, callers[i]->total, name_of(callers[i]->caller), "");
    }
    snprintf(tail, sizeof tail, "  [self %.3f]", (double)g->self[m] / 1e6);
    put_line(out, "", calls, total, name_of(m), tail);
    for (size_t i = find(callees, n, false, m); i < n && callees[i]->caller == m; i++)
        put_line(out, "    -> ", callees[i]->calls, callees[i]->total, name_of(callees[i]->callee), "");
    fputc('\n', out);
}

static bool put_graph(const Graph *g, FILE *out) {
    size_t n = g->edges.count, k = 0;
    uint32_t it = 0, count = 0;
    Edge **callers = malloc((n + 1) * sizeof *callers), **callees = malloc((n + 1) * sizeof *callees);
    uint32_t *methods = malloc((g->report->nmethods + 1) * sizeof *methods);
    bool ok = callers && callees && methods;
    if (ok) {
        for (Edge *e; (e = cf_table_next(&g->edges, &it)); k++) callers[k] = callees[k] = e;
        qsort(callers, n, sizeof *callers, by_callee);
        qsort(callees, n, sizeof *callees, by_caller);
        for (size_t i = 0; i < n; i++)
            if (!i || callers[i]->callee != callers[i - 1]->callee) methods[count++] = callers[i]->callee;
        qsort(methods, count, sizeof *methods, by_name);
        fprintf(out, "%12s %14s  callers, METHOD, -> what it calls\n\n", "calls", "total ms");
        for (uint32_t i = 0; i < count; i++) put_method(g, methods[i], callers, callees, n, out);
    }
    free(callers);
    free(callees);
    free(methods);
    return ok && !ferror(out);
}

bool trc_write_graph(const void *report, FILE *out) {
    Graph g = {.report = names = report};
    cf_arena_init(&g.arena, "call graph", 0);
    g.self = calloc(names->nmethods + 1, sizeof *g.self);
    bool ok = g.self && trc_walk(names, add_call, &g) && !g.bad && put_graph(&g, out);
    cf_arena_free(&g.arena);
    cf_table_free(&g.edges);
    free(g.self);
    return ok;
}
