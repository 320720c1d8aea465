/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_calltree.c - the call tree as text: what was called from where, with calls and times by path. The trees of the threads are
 * united, or stand under their threads' names. Below `levels` nothing is shown: it is in the total of what called it.
 */
#include "trc_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cf_arena.h"
#include "cf_table.h"

enum { THREADS = 1 << 30 }; /* numbers of threads, where those of methods stand */

typedef struct Path Path;
struct Path {
    Path *parent, *first, *next;
    uint32_t what; /* method, or THREADS and more */
    const char *name;
    int64_t calls, failed, total, longest, allocated;
    uint32_t children;
};

typedef struct Paths {
    const TrcReport *report;
    CfTable table;
    CfArena arena;
    Path top;
} Paths;

static bool same(const void *item, const void *key) {
    const Path *a = item, *b = key;
    return a->parent == b->parent && a->what == b->what;
}

/* The path `what` below `parent`; NULL without memory. */
static Path *path_of(Paths *t, Path *parent, uint32_t what, const char *name) {
    Path key = {.parent = parent, .what = what};
    uint32_t hash = cf_hash_u64((uint64_t)(uintptr_t)parent * 31 + what);
    Path *p = cf_table_find(&t->table, hash, same, &key);
    if (p) return p;
    p = CF_NEW(&t->arena, Path);
    if (!p || !cf_table_add(&t->table, hash, p)) return NULL;
    *p = (Path){.parent = parent, .next = parent->first, .what = what, .name = name};
    parent->first = p;
    parent->children++;
    return p;
}

static void add_to(Path *p, const TrcNode *n) {
    p->total += trc_total(n);
    p->allocated += n->allocated;
}

static bool unite(void *ctx, const char *thread, uint32_t number, const TrcNode *root) {
    Paths *t = ctx;
    size_t depth = 0, limit = (size_t)t->report->levels;
    Path **at = calloc(limit + 1, sizeof *at);
    bool ok = at;
    if (ok) at[0] = thread ? path_of(t, &t->top, THREADS + number, thread) : &t->top;
    ok = ok && at[0];
    for (TrcNode *n = (TrcNode *)root; ok && (n = trc_next(root, n, &depth));) {
        if (depth > limit) continue;
        uint32_t m = trc_method(n->key);
        Path *p = path_of(t, at[depth - 1], m, t->report->methods[m]);
        if (!(ok = p)) break;
        at[depth] = p;
        p->calls += n->calls;
        p->failed += n->failed;
        add_to(p, n);
        if (n->longest > p->longest) p->longest = n->longest;
        if (depth == 1) add_to(at[0], n);
        if (depth == 1 && thread) add_to(&t->top, n);
    }
    free(at);
    return ok;
}

/* ---- output ---------------------------------------------------------------------------------- */

static int compare(const void *x, const void *y) {
    const Path *a = *(Path *const *)x, *b = *(Path *const *)y;
    if (a->total != b->total) return a->total < b->total ? 1 : -1;
    if (a->calls != b->calls) return a->calls < b->calls ? 1 : -1;
    return strcmp(a->name, b->name);
}

/* What was allocated, all in all and by a call. */
static void put_bytes(const Paths *t, bool any, int64_t bytes, int64_t calls, FILE *out) {
    if (!t->report->tree->bytes) return;
    if (!any) fprintf(out, " %13s %12s", "", "");
    else fprintf(out, " %13.1f %12.1f", (double)bytes / 1024, calls ? (double)bytes / (double)calls : 0);
}

static void put_path(const Paths *t, const Path *p, int level, FILE *out) {
    int64_t inside = 0;
    for (const Path *c = p->first; c; c = c->next) inside += c->total;
    double part = t->top.total ? 100.0 * (double)p->total / (double)t->top.total : 0;
    fprintf(out, "%12.3f %5.1f %12.3f ", (double)p->total / 1e6, part, (double)(p->total > inside ? p->total - inside : 0) / 1e6);
    if (p->what >= THREADS) fprintf(out, "%10s %8s %12s %12s", "", "", "", "");
    else
        fprintf(out, "%10" PRId64 " %8" PRId64 " %12.3f %12.3f", p->calls, p->failed,
                p->calls ? (double)p->total / 1e3 / (double)p->calls : 0, (double)p->longest / 1e3);
    put_bytes(t, p->what < THREADS, p->allocated, p->calls, out);
    fprintf(out, "  %*s%s\n", 2 * level, "", p->name);
}

/* Below the thousandth part of all time, and of all that was allocated: such paths are told together. */
static bool is_small(const Paths *t, const Path *p) {
    return p->total < t->top.total / 1000 && (!t->top.allocated || p->allocated < t->top.allocated / 1000);
}

static bool put_children(const Paths *t, const Path *of, int level, FILE *out) {
    Path **order = malloc((of->children + 1) * sizeof *order);
    uint32_t n = 0, small = 0;
    int64_t calls = 0, total = 0, allocated = 0;
    bool ok = order;
    for (Path *p = of->first; p && ok; p = p->next)
        if (p->calls || p->first) order[n++] = p;
    if (ok) qsort(order, n, sizeof *order, compare);
    for (uint32_t i = 0; i < n && ok; i++)
        if (is_small(t, order[i])) {
            small++;
            calls += order[i]->calls;
            total += order[i]->total;
            allocated += order[i]->allocated;
        } else {
            put_path(t, order[i], level, out);
            ok = put_children(t, order[i], level + 1, out);
        }
    if (small) {
        fprintf(out, "%12.3f %5s %12s %10" PRId64 " %8s %12s %12s", (double)total / 1e6, "", "", calls, "", "", "");
        put_bytes(t, true, allocated, calls, out);
        fprintf(out, "  %*s(%u small ones)\n", 2 * level, "", small);
    }
    free(order);
    return ok;
}

bool trc_write_calltree(const void *report, FILE *out) {
    Paths t = {.report = report};
    cf_arena_init(&t.arena, "call tree", 0);
    bool ok = trc_each_thread(report, unite, &t);
    fprintf(out, "%12s %5s %12s %10s %8s %12s %12s", "total ms", "%", "self ms", "calls", "failed", "us a call", "longest us");
    if (t.report->tree->bytes) fprintf(out, " %13s %12s", "allocated KB", "bytes a call");
    fputs("  method\n", out);
    ok = ok && put_children(&t, &t.top, 0, out);
    cf_arena_free(&t.arena);
    cf_table_free(&t.table);
    return ok && !ferror(out);
}
