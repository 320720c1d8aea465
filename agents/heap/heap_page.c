/* SPDX-License-Identifier: Apache-2.0 */
/* heap_page.c - frame, rows, tables of the heap pages. */
#include "heap_page.h"

#include <inttypes.h>
#include <string.h>

#include "heap_page_assets.h"
#include "utf8.h"

enum { MAX_ROWS = 1500, LEAST_PART = 2000 /* rows of a tree are at least such a part of all */ };

/* ---- text -------------------------------------------------------------------------------------- */

void heap_put_html(FILE *out, const char *s) { agent_put_markup(out, s, strlen(s)); }

static void put_size(FILE *out, double bytes, const char *sign) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    int k = 0;
    for (; bytes >= 1000 && k < 4; k++) bytes /= 1000;
    fprintf(out, k && bytes < 100 ? "%s%.1f %s" : "%s%.0f %s", sign, bytes, units[k]);
}

void heap_put_size(FILE *out, int64_t bytes) { put_size(out, (double)bytes, ""); }
void heap_put_signed_size(FILE *out, int64_t bytes) {
    put_size(out, bytes < 0 ? -(double)bytes : (double)bytes, bytes < 0 ? "\u2212" : bytes ? "+" : "");
}

void heap_put_count(FILE *out, uint64_t n) {
    if (n >= 1000) {
        heap_put_count(out, n / 1000);
        fprintf(out, ",%03u", (unsigned)(n % 1000));
    } else {
        fprintf(out, "%u", (unsigned)n);
    }
}

/* ---- frame ------------------------------------------------------------------------------------- */

void heap_page_begin(FILE *out, const char *title, const char *note) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          out);
    heap_put_html(out, title);
    fprintf(out, "</title>\n<style>\n%s</style></head>\n<body><header><b>Heap</b><span>", heap_page_style);
    heap_put_html(out, note);
    fputs(
        "</span><input id=\"find\" type=\"search\" placeholder=\"Filter classes (/)\" aria-label=\"Filter classes\">"
        "<button id=\"theme\" type=\"button\" title=\"Light or dark (t)\" aria-label=\"Light or dark\">&#9680;</button></header>\n"
        "<main><h1>",
        out);
    heap_put_html(out, title);
    fputs("</h1>\n", out);
}

void heap_page_end(FILE *out) {
    fputs("<footer>Retained: what would be freed with an object, that is all that is reached only through it. Sizes are the VM's "
          "own.<br>Keys: <kbd>n</kbd> <kbd>p</kbd> next and previous part, <kbd>/</kbd> filter, <kbd>t</kbd> light or dark; in a "
          "tree <kbd>&uarr;</kbd> <kbd>&darr;</kbd> <kbd>&larr;</kbd> <kbd>&rarr;</kbd>.</footer></main>\n<script>\n",
          out);
    fprintf(out, "%s</script></body></html>\n", heap_page_script);
}

void heap_tiles_begin(FILE *out) { fputs("<div class=\"tiles\">", out); }
void heap_tiles_end(FILE *out) { fputs("</div>\n", out); }
void heap_tile(FILE *out, const char *what, uint64_t n, bool is_size) {
    fprintf(out, "<div class=\"tile\"><span>%s</span><b title=\"%" PRIu64 "\">", what, n);
    if (is_size) heap_put_size(out, (int64_t)n);
    else heap_put_count(out, n);
    fputs("</b></div>", out);
}

/* ---- rows of trees ------------------------------------------------------------------------------- */

void heap_row_begin(FILE *out, unsigned flags, uint64_t bytes, uint64_t of) {
    double share = of ? 100.0 * (double)bytes / (double)of : 0;
    if (flags & HEAP_ROW_INNER) fprintf(out, "<details%s><summary class=\"row\">", flags & HEAP_ROW_OPEN ? " open" : "");
    else fputs("<div class=\"row\">", out);
    fprintf(out, "<span class=\"size%s\" title=\"%" PRIu64 "\">", flags & HEAP_ROW_GROWTH ? " more" : "", bytes);
    if (flags & HEAP_ROW_GROWTH) heap_put_signed_size(out, (int64_t)bytes);
    else heap_put_size(out, (int64_t)bytes);
    fprintf(out, "</span><span class=\"share\" style=\"--w:%.1f%%\">%.1f %%</span><span class=\"what\">", share, share);
}
void heap_row_end(FILE *out, unsigned flags) {
    fputs(flags & HEAP_ROW_INNER ? "</span></summary><div class=\"in\">\n" : "</span></div>\n", out);
}
void heap_row_close(FILE *out) { fputs("</div></details>\n", out); }

/* ---- tables of classes --------------------------------------------------------------------------- */

static void table_begin(FILE *out, const char *heads) {
    fprintf(out, "<div class=\"box\"><table><thead><tr>%s</tr></thead><tbody>\n", heads);
}
static void name_cell(FILE *out, const char *name) {
    fputs("<tr><td>", out);
    heap_put_html(out, name);
    fputs("</td>", out);
}
static void count_cell(FILE *out, uint64_t n) {
    fprintf(out, "<td data-v=\"%" PRIu64 "\">", n);
    heap_put_count(out, n);
    fputs("</td>", out);
}
static void size_cell(FILE *out, uint64_t n) {
    fprintf(out, "<td data-v=\"%" PRIu64 "\" title=\"%" PRIu64 "\">", n, n);
    heap_put_size(out, (int64_t)n);
    fputs("</td>", out);
}
static void put_signed_count(FILE *out, int64_t n) {
    fputs(n < 0 ? "\u2212" : n ? "+" : "", out);
    heap_put_count(out, (uint64_t)(n < 0 ? -n : n));
}
static void change_cell(FILE *out, int64_t n, bool is_size) {
    fprintf(out, "<td data-v=\"%" PRId64 "\" class=\"%s\">", n, n > 0 ? "more" : n < 0 ? "less" : "dim");
    if (is_size) heap_put_signed_size(out, n);
    else put_signed_count(out, n);
    fputs("</td>", out);
}
static void table_end(FILE *out, uint32_t more) {
    fputs("</tbody></table></div>\n", out);
    if (!more) return;
    fputs("<p class=\"dim\">and ", out);
    heap_put_count(out, more);
    fputs(" more classes</p>\n", out);
}

void heap_class_table(FILE *out, HeapRow *rows, uint32_t n, uint32_t top) {
    heap_rows_sort(rows, n, HEAP_BY_RETAINED);
    table_begin(out, "<th>Class</th><th>Objects</th><th>Own bytes</th><th aria-sort=\"descending\">Retained</th>");
    for (uint32_t i = 0; i < n && i < top; i++) {
        name_cell(out, rows[i].name);
        count_cell(out, rows[i].now.objects);
        size_cell(out, rows[i].now.bytes);
        size_cell(out, rows[i].now.retained);
        fputs("</tr>\n", out);
    }
    table_end(out, n > top ? n - top : 0);
}

/* ---- growth -------------------------------------------------------------------------------------- */

static int64_t growth(const HeapRow *r) { return heap_more(r->now.bytes, r->before.bytes); }

static void change_table(FILE *out, const HeapRow *rows, uint32_t n, uint32_t top) {
    table_begin(out, "<th>Class</th><th aria-sort=\"descending\">Bytes</th><th>Objects</th><th>Retained</th><th>Bytes before</th>"
                     "<th>Bytes now</th>");
    for (uint32_t i = 0; i < n && i < top; i++) {
        const HeapFigures *now = &rows[i].now, *before = &rows[i].before;
        name_cell(out, rows[i].name);
        change_cell(out, growth(&rows[i]), true);
        change_cell(out, heap_more(now->objects, before->objects), false);
        change_cell(out, heap_more(now->retained, before->retained), true);
        size_cell(out, before->bytes);
        size_cell(out, now->bytes);
        fputs("</tr>\n", out);
    }
    table_end(out, n > top ? n - top : 0);
}

/* ---- the tree of types --------------------------------------------------------------------------- */

typedef struct TypeTree {
    FILE *out;
    const HeapTypes *t;
    HeapMeasure m;
    int64_t all, least; /* of the tops together; what has no more has no row */
    uint32_t top;       /* rows per list */
    bool ok;
} TypeTree;

/* What is of the type itself: now, or what came to it. */
static void put_own(const TypeTree *g, const HeapType *x) {
    int64_t objects = heap_more(x->now.objects, x->before.objects), bytes = heap_more(x->now.bytes, x->before.bytes);
    if (g->m == HEAP_GROWTH ? !objects && !bytes : !x->now.objects) return;
    fputs(" <small>", g->out);
    if (g->m == HEAP_GROWTH) {
        put_signed_count(g->out, objects);
        fputs(" objects of ", g->out);
        heap_put_count(g->out, x->now.objects);
        fputs(", own ", g->out);
        heap_put_signed_size(g->out, bytes);
    } else {
        heap_put_count(g->out, x->now.objects);
        fputs(x->now.objects == 1 ? " object, own " : " objects, own ", g->out);
        heap_put_size(g->out, (int64_t)x->now.bytes);
    }
    fputs("</small>", g->out);
}

static void below(TypeTree *g, uint32_t parent);

static void type_row(TypeTree *g, uint32_t i, int64_t much) {
    const HeapType *x = &g->t->types.data[i];
    unsigned flags = (x->first ? HEAP_ROW_INNER : 0) | (g->m == HEAP_GROWTH ? HEAP_ROW_GROWTH : 0);
    heap_row_begin(g->out, flags | heap_row_opens((uint64_t)much, (uint64_t)g->all), (uint64_t)much, (uint64_t)g->all);
    heap_put_html(g->out, heap_type_name(g->t, i));
    put_own(g, x);
    heap_row_end(g->out, flags);
    if (!(flags & HEAP_ROW_INNER)) return;
    below(g, i);
    heap_row_close(g->out);
}

static void below(TypeTree *g, uint32_t parent) {
    uint32_t n, *types = heap_types_below(g->t, parent, g->m, &n), i = 0;
    g->ok &= types != NULL;
    for (uint32_t k = 0; !parent && k < n; k++) g->all += heap_type_measure(g->t, types[k], g->m);
    for (; i < n && i < g->top; i++) {
        int64_t much = heap_type_measure(g->t, types[i], g->m);
        if (much <= g->least || much < g->all / LEAST_PART) break;
        type_row(g, types[i], much);
    }
    const char *less = g->m == HEAP_GROWTH ? "that grew less" : "that hold less";
    if (i < n) fprintf(g->out, "<div class=\"row dim\">and %u more %s</div>\n", n - i, less);
    else if (!n) fprintf(g->out, "<div class=\"row dim\">nothing below it %s</div>\n", g->m == HEAP_GROWTH ? "grew" : "now");
    free(types);
}

bool heap_type_tree(FILE *out, const HeapTypes *t, HeapMeasure m, uint32_t top) {
    TypeTree g = {out, t, m, 0, heap_types_limit(t, m, MAX_ROWS), top, true};
    fputs("<div class=\"box\">\n", out);
    below(&g, HEAP_TYPE_ROOTS);
    fputs("</div>\n", out);
    return g.ok;
}

bool heap_growth_part(FILE *out, const HeapTypes *t, HeapRow *rows, uint32_t n, uint32_t top) {
    uint32_t more = 0, less = 0;
    heap_rows_sort(rows, n, HEAP_BY_GROWTH);
    while (more < n && growth(&rows[more]) > 0) more++;
    fputs("<section><h2 id=\"grown\">Classes that grew</h2>\n", out);
    change_table(out, rows, more, top);
    heap_rows_sort(rows, n, HEAP_BY_SHRINKING);
    while (less < n && growth(&rows[less]) < 0) less++;
    if (less) {
        fputs("<details><summary>Classes that shrank</summary>\n", out);
        change_table(out, rows, less, top);
        fputs("</details>\n", out);
    }
    fputs(
        "</section>\n<section><h2 id=\"where\">Where it grew</h2>\n<p class=\"dim\">The dominator tree by class: each row holds "
        "what stands below it. Shares are of all that grew.</p>\n",
        out);
    bool ok = heap_type_tree(out, t, HEAP_GROWTH, top);
    fputs("</section>\n", out);
    return ok;
}
