/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_report.c - walks over the trees while their threads go on. Numbers may be a call apart from each other then.
 * A method's total is the time during which at least one call of it was on the stack: of recursive calls only the
 * outermost counts.
 */
#include "trc_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "flamegraph.h"
#include "pprof.h"
#include "trc_notes.h"

typedef struct Row {
    const char *method;
    double kept;
    int64_t calls, failed, total, self;
} Row;

/* ---- walks --------------------------------------------------------------------------------------- */

/* If threads are told apart, virtual ones get their names now. */
static void name_virtual_threads(const TrcTree *t) {
    for (TrcThread *th = trc_first(t); t->separate && th; th = th->all)
        if (!th->name && asprintf(&th->name, TRC_VIRTUAL_NAME, (long long)th->tid) < 0) th->name = NULL;
}

/* Gives calls that run now the time until now, or takes it away again. */
static void set_open(const TrcReport *r, bool on) {
    size_t depth = 0;
    for (TrcThread *th = trc_first(r->tree); th; th = th->all)
        if (!on)
            for (TrcNode *n = &th->root; n; n = trc_next(&th->root, n, &depth)) n->open = 0;
        else if (r->now)
            for (TrcNode *n = th->current; n && n->parent; n = n->parent)
                n->open = r->now > n->start && n->calls ? r->now - n->start : 0;
}

/* `active`: calls of each method on the path. */
static void walk_tree(const TrcNode *root, uint32_t *active, TrcVisit visit, void *ctx) {
    const TrcNode *n = root->first;
    while (n) {
        visit(ctx, n, !active[trc_method(n->key)]++);
        if (n->first) {
            n = n->first;
            continue;
        }
        while (n != root) {
            active[trc_method(n->key)]--;
            if (n->next) break;
            n = n->parent;
        }
        n = n == root ? NULL : n->next;
    }
}

bool trc_walk(const TrcReport *r, TrcVisit visit, void *ctx) {
    uint32_t *active = calloc(r->nmethods + 1, sizeof *active);
    if (!active) return false;
    set_open(r, true);
    for (TrcThread *th = trc_first(r->tree); th; th = th->all) walk_tree(&th->root, active, visit, ctx);
    set_open(r, false);
    free(active);
    return true;
}

bool trc_each_thread(const TrcReport *r, TrcThreadVisit visit, void *ctx) {
    uint32_t n = 0;
    bool ok = true;
    name_virtual_threads(r->tree);
    set_open(r, true);
    for (TrcThread *th = trc_first(r->tree); ok && th; th = th->all) ok = visit(ctx, th->name, n++, &th->root);
    set_open(r, false);
    return ok;
}

/* Each path that was called, outermost frame first. The walk goes parents first, so the frames of a call's callers are there
 * already. False if `visit` gives that or there is no memory. */
typedef bool (*StackVisit)(void *ctx, const char *const *frames, size_t length, const TrcNode *n);
static bool each_stack(const TrcReport *r, StackVisit visit, void *ctx) {
    const char **frames = calloc((size_t)r->depth, sizeof *frames);
    bool ok = frames;
    name_virtual_threads(r->tree);
    set_open(r, true);
    for (TrcThread *th = trc_first(r->tree); ok && th; th = th->all) {
        size_t depth = 0, base = th->name != NULL, limit = (size_t)r->depth;
        frames[0] = th->name;
        for (TrcNode *n = &th->root; ok && (n = trc_next(&th->root, n, &depth));) {
            size_t length = base + depth;
            if (length <= limit) frames[length - 1] = r->methods[trc_method(n->key)];
            if (n->calls) ok = visit(ctx, frames, length < limit ? length : limit, n);
        }
    }
    set_open(r, false);
    free(frames);
    return ok;
}

/* ---- table --------------------------------------------------------------------------------------- */

static void add_call(void *rows, const TrcNode *n, bool outermost) {
    Row *row = (Row *)rows + trc_method(n->key);
    row->calls += n->calls;
    row->failed += n->failed;
    row->self += trc_self(n);
    if (outermost) row->total += trc_total(n);
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

/* ">": a lower bound, for the probe was taken out. */
static void put_row(const Row *w, FILE *out) {
    char calls[32];
    snprintf(calls, sizeof calls, "%s%" PRId64, w->kept < 1 ? ">" : "", w->calls);
    fprintf(out, "%12s %9" PRId64 " %14.3f %14.3f  %s", calls, w->failed, (double)w->total / 1e6, (double)w->self / 1e6,
            w->method);
    if (w->kept < 1) fprintf(out, "  [in %.1f %% of the time]", w->kept * 100);
    fputc('\n', out);
}

static void put_rows(const TrcReport *r, const Row *rows, uint32_t n, FILE *out) {
    if (r->form == TRC_CSV) fputs("method,calls,failed,total_ns,self_ns\n", out);
    else fprintf(out, "%12s %9s %14s %14s  %s\n", "calls", "failed", "total ms", "self ms", "method");
    for (uint32_t i = 0; i < n; i++) {
        const Row *w = &rows[i];
        if (r->form != TRC_CSV) {
            put_row(w, out);
            continue;
        }
        agent_put_csv(out, w->method);
        fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", w->calls, w->failed, w->total, w->self);
    }
    if (r->tree->lost)
        fprintf(out, "%s%" PRId64 " calls of new paths were not recorded: give more memory=MB\n", r->form == TRC_CSV ? "# " : "",
                r->tree->lost);
    if (r->tree->missed)
        fprintf(out, "%s%" PRId64 " calls of virtual threads were not recorded: another one had their place\n",
                r->form == TRC_CSV ? "# " : "", r->tree->missed);
}

bool trc_write_table(const void *report, FILE *out) {
    const TrcReport *r = report;
    Row *rows = calloc(r->nmethods + 1, sizeof *rows);
    uint32_t n = 0;
    if (!rows || !trc_walk(r, add_call, rows)) return free(rows), false;
    for (uint32_t i = 0; i < r->nmethods; i++) {
        rows[i].method = r->methods[i];
        rows[i].kept = r->kept ? r->kept(i) : 1;
    }
    for (uint32_t i = 0; i < r->nmethods; i++)
        if (rows[i].calls) rows[n++] = rows[i];
    sort_by = r->sort;
    qsort(rows, n, sizeof *rows, compare);
    put_rows(r, rows, r->top > 0 && (uint32_t)r->top < n ? (uint32_t)r->top : n, out);
    free(rows);
    return !ferror(out);
}

/* ---- stacks -------------------------------------------------------------------------------------- */

typedef struct Flaming {
    Flame *flame;
    TrcWeight weight;
} Flaming;

static bool add_to_flame(void *ctx, const char *const *frames, size_t length, const TrcNode *n) {
    const Flaming *f = ctx;
    int64_t weight = f->weight == TRC_CALLS ? n->calls : f->weight == TRC_BYTES ? trc_self_bytes(n) : trc_self(n);
    return !weight || flame_add(f->flame, frames, length, (uint64_t)weight, (uint64_t)n->calls);
}

static bool write_flame(const TrcReport *r, const FlameText *text, FILE *out) {
    Flaming f = {flame_new(), r->weight};
    bool ok =
        f.flame && each_stack(r, add_to_flame, &f) && (text ? flame_html(f.flame, text, out) : flame_collapsed(f.flame, out));
    flame_free(f.flame);
    return ok;
}

bool trc_write_collapsed(const void *report, FILE *out) { return write_flame(report, NULL, out); }

bool trc_write_html(const void *report, FILE *out) {
    static const FlameText calls = {.title = "Calls", .unit = "calls", .note = "Width: number of calls"};
    static const FlameText bytes = {.title = "Calls", .unit = "bytes", .note = "Width: bytes allocated; counts are calls"};
    static const FlameText time = {.title = "Calls", .unit = "ns", .note = "Width: wall time; counts are calls"};
    const TrcReport *r = report;
    return write_flame(r, r->weight == TRC_CALLS ? &calls : r->weight == TRC_BYTES ? &bytes : &time, out);
}

static bool add_to_pprof(void *ctx, const char *const *frames, size_t length, const TrcNode *n) {
    return pprof_add(ctx, frames, length, (int64_t[]){n->calls, trc_self(n)});
}

/* Numbers of calls and time itself of each path. */
bool trc_write_pprof(const void *report, FILE *out) {
    static const char *const types[] = {"calls", "count", "time", "nanoseconds", NULL};
    const TrcReport *r = report;
    Pprof *p = pprof_new(types);
    int64_t lasted = r->now ? r->now - r->begun : 0;
    bool ok = p && each_stack(r, add_to_pprof, p) && pprof_write(p, agent_nanos(CLOCK_REALTIME) - lasted, lasted, out);
    pprof_free(p);
    return ok;
}

/* ---- timeline ------------------------------------------------------------------------------------ */

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
        agent_put_json(out, name, "");
        fputs("}}", out);
        comma = ",\n";
    }
    free(tids);
    return true;
}

typedef struct ChromeArgs {
    FILE *out;
    bool any;
} ChromeArgs;

static void put_arg(void *args, const TrcNote *n) {
    ChromeArgs *a = args;
    fputs(a->any ? "," : ",\"args\":{", a->out);
    a->any = true;
    agent_put_json(a->out, n->key, "");
    fputc(':', a->out);
    if (n->kind == TRC_NOTE_TRUTH) fputs(n->text, a->out);
    else agent_put_json(a->out, n->text, ""); /* numbers of 64 bits are none in JavaScript */
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
        agent_put_json(out, r->methods[trc_method(e->node->key)], "");
        fprintf(out, ",\"cat\":\"java\",\"ph\":\"X\",\"pid\":1,\"tid\":%" PRId64 ",\"ts\":%.3f,\"dur\":%.3f", e->tid,
                (double)e->start / 1e3, (double)e->nanos / 1e3);
        ChromeArgs args = {out, false};
        trc_notes_of(e, put_arg, &args);
        fputs(args.any ? "}}" : "}", out);
        comma = ",\n";
    }
    bool ok = put_threads(r, n, thread_name, comma, out);
    fputs("\n]}\n", out);
    return ok && !ferror(out);
}
