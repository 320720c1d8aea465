/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_report.c - walks over the trees while their threads go on. Numbers may be a call apart from each other then.
 *
 * A method's total is the time during which at least one call of it was on the stack: of recursive calls only the
 * outermost counts. `active` per method tells that during the walk.
 */
#include "trc_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "flamegraph.h"
#include "pprof.h"

const char *const trc_sorts[TRC_SORTS] = {"self", "total", "calls", "name"};
const char *const trc_forms[TRC_FORMS] = {"text", "csv"};
const char *const trc_weights[TRC_WEIGHTS] = {"time", "calls"};

typedef struct Row {
    const char *method;
    int64_t calls, failed, total, self;
    uint32_t active;
} Row;

void trc_set_open(const TrcReport *r, bool on) {
    size_t depth = 0;
    for (TrcThread *th = r->tree->all; th; th = th->all)
        if (!on)
            for (TrcNode *n = &th->root; n; n = trc_next(&th->root, n, &depth)) n->open = 0;
        else if (r->now)
            for (TrcNode *n = th->current; n && n->parent; n = n->parent)
                n->open = r->now > n->start && n->calls ? r->now - n->start : 0;
}

/* ---- table --------------------------------------------------------------------------------------- */

static void add_tree(const TrcNode *root, Row *rows) {
    const TrcNode *n = root->first;
    while (n) {
        Row *row = &rows[trc_method(n->key)];
        row->calls += n->calls;
        row->failed += n->failed;
        row->self += trc_self(n);
        if (!row->active++) row->total += trc_total(n);
        if (n->first) {
            n = n->first;
            continue;
        }
        while (n != root) {
            rows[trc_method(n->key)].active--;
            if (n->next) break;
            n = n->parent;
        }
        n = n == root ? NULL : n->next;
    }
}

static TrcSort sort_by; /* under the callers' lock */
static int compare(const void *pa, const void *pb) {
    const Row *a = pa, *b = pb;
    int64_t d = sort_by == TRC_BY_SELF    ? b->self - a->self
                : sort_by == TRC_BY_TOTAL ? b->total - a->total
                : sort_by == TRC_BY_CALLS ? b->calls - a->calls
                                          : 0;
    return d ? (d < 0 ? -1 : 1) : strcmp(a->method, b->method);
}

static void put_rows(const TrcReport *r, const Row *rows, uint32_t n, FILE *out) {
    if (r->form == TRC_CSV) fputs("method,calls,failed,total_ns,self_ns\n", out);
    else fprintf(out, "%12s %9s %14s %14s  %s\n", "calls", "failed", "total ms", "self ms", "method");
    for (uint32_t i = 0; i < n; i++) {
        const Row *w = &rows[i];
        if (r->form == TRC_CSV)
            fprintf(out, "\"%s\",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", w->method, w->calls, w->failed, w->total,
                    w->self);
        else
            fprintf(out, "%12" PRId64 " %9" PRId64 " %14.3f %14.3f  %s\n", w->calls, w->failed, (double)w->total / 1e6,
                    (double)w->self / 1e6, w->method);
    }
    if (r->tree->lost)
        fprintf(out, "%s%" PRId64 " calls of new paths were not recorded: give more memory=MB\n", r->form == TRC_CSV ? "# " : "",
                r->tree->lost);
}

bool trc_write_table(const TrcReport *r, FILE *out) {
    Row *rows = calloc(r->nmethods + 1, sizeof *rows);
    if (!rows) return false;
    for (uint32_t i = 0; i < r->nmethods; i++) rows[i].method = r->methods[i];
    trc_set_open(r, true);
    for (TrcThread *th = r->tree->all; th; th = th->all) add_tree(&th->root, rows);
    trc_set_open(r, false);
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->nmethods; i++)
        if (rows[i].calls) rows[n++] = rows[i];
    sort_by = r->sort;
    qsort(rows, n, sizeof *rows, compare);
    put_rows(r, rows, r->top > 0 && (uint32_t)r->top < n ? (uint32_t)r->top : n, out);
    free(rows);
    return !ferror(out);
}

/* ---- stacks -------------------------------------------------------------------------------------- */

/* One thread's stacks. The walk goes parents first, so the frames of `n`'s callers are in `frames` already. */
static bool add_stacks(const TrcReport *r, TrcThread *th, const char **frames, Flame *f) {
    size_t depth = 0, base = th->name != NULL, limit = (size_t)r->depth;
    frames[0] = th->name;
    for (TrcNode *n = &th->root; (n = trc_next(&th->root, n, &depth));) {
        size_t length = base + depth;
        uint64_t weight = (uint64_t)(r->weight == TRC_CALLS ? n->calls : trc_self(n));
        if (length <= limit) frames[length - 1] = r->methods[trc_method(n->key)];
        if (n->calls && weight && !flame_add(f, frames, length < limit ? length : limit, weight, (uint64_t)n->calls))
            return false;
    }
    return true;
}

static Flame *flame_of(const TrcReport *r) {
    Flame *f = flame_new();
    const char **frames = calloc((size_t)r->depth, sizeof *frames);
    bool ok = f && frames;
    trc_set_open(r, true);
    for (TrcThread *th = r->tree->all; ok && th; th = th->all) ok = add_stacks(r, th, frames, f);
    trc_set_open(r, false);
    free(frames);
    if (!ok) {
        flame_free(f);
        return NULL;
    }
    return f;
}

bool trc_write_collapsed(const TrcReport *r, FILE *out) {
    Flame *f = flame_of(r);
    bool ok = f && flame_collapsed(f, out);
    flame_free(f);
    return ok;
}

bool trc_write_html(const TrcReport *r, FILE *out) {
    FlameText text = {.title = "Calls",
                      .unit = r->weight == TRC_CALLS ? "calls" : "ns",
                      .note = r->weight == TRC_CALLS ? "Width: number of calls" : "Width: wall time; counts are calls"};
    Flame *f = flame_of(r);
    bool ok = f && flame_html(f, &text, out);
    flame_free(f);
    return ok;
}

/* Numbers of calls and time itself of each path. */
bool trc_write_pprof(const TrcReport *r, FILE *out) {
    static const char *const types[] = {"calls", "count", "time", "nanoseconds", NULL};
    struct timespec now;
    Pprof *p = pprof_new(types);
    const char **frames = calloc((size_t)r->depth, sizeof *frames);
    bool ok = p && frames;
    trc_set_open(r, true);
    for (TrcThread *th = r->tree->all; ok && th; th = th->all) {
        size_t depth = 0, base = th->name != NULL, limit = (size_t)r->depth;
        frames[0] = th->name;
        for (TrcNode *n = &th->root; ok && (n = trc_next(&th->root, n, &depth));) {
            size_t length = base + depth;
            int64_t values[] = {n->calls, trc_self(n)};
            if (length <= limit) frames[length - 1] = r->methods[trc_method(n->key)];
            if (n->calls) ok = pprof_add(p, frames, length < limit ? length : limit, values);
        }
    }
    trc_set_open(r, false);
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t lasted = r->now ? r->now - r->begun : 0;
    ok = ok && pprof_write(p, now.tv_sec * 1000000000ll + now.tv_nsec - lasted, lasted, out);
    free(frames);
    pprof_free(p);
    return ok;
}

/* ---- timeline ------------------------------------------------------------------------------------ */

static void put_string(const char *s, FILE *out) {
    fputc('"', out);
    for (; *s; s++)
        if (*s == '"' || *s == '\\') fprintf(out, "\\%c", *s);
        else if ((unsigned char)*s < ' ') fprintf(out, "\\u%04x", (unsigned char)*s);
        else fputc(*s, out);
    fputc('"', out);
}

static int compare_tids(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static bool put_threads(const TrcReport *r, int64_t n, const char *(*thread_name)(int64_t tid), const char *comma, FILE *out) {
    int64_t *tids = malloc(((size_t)n + 1) * sizeof *tids);
    if (!tids) return false;
    for (int64_t i = 0; i < n; i++) tids[i] = r->tree->events[i].tid;
    qsort(tids, (size_t)n, sizeof *tids, compare_tids);
    for (int64_t i = 0; i < n; i++) {
        const char *name = tids[i] && (!i || tids[i] != tids[i - 1]) ? thread_name(tids[i]) : NULL;
        if (!name) continue;
        fprintf(out, "%s{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%" PRId64 ",\"args\":{\"name\":", comma,
                tids[i]);
        put_string(name, out);
        fputs("}}", out);
        comma = ",\n";
    }
    free(tids);
    return true;
}

bool trc_write_chrome(const TrcReport *r, const char *(*thread_name)(int64_t tid), FILE *out) {
    const TrcTree *t = r->tree;
    int64_t n = t->event_count < t->event_max ? t->event_count : t->event_max;
    const char *comma = "";
    fprintf(out, "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"dropped\":%" PRId64 "},\"traceEvents\":[\n", t->event_count - n);
    for (int64_t i = 0; i < n; i++) {
        const TrcEvent *e = &t->events[i];
        if (!__atomic_load_n(&e->tid, __ATOMIC_ACQUIRE)) continue;
        fprintf(out, "%s{\"name\":", comma);
        put_string(r->methods[trc_method(e->node->key)], out);
        fprintf(out, ",\"cat\":\"java\",\"ph\":\"X\",\"pid\":1,\"tid\":%" PRId64 ",\"ts\":%.3f,\"dur\":%.3f}", e->tid,
                (double)e->start / 1e3, (double)e->nanos / 1e3);
        comma = ",\n";
    }
    bool ok = put_threads(r, n, thread_name, comma, out);
    fputs("\n]}\n", out);
    return ok && !ferror(out);
}
