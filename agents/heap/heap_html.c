/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_html.c - the page of a snapshot.
 *
 * The tree on the page is the part of the dominator tree that matters: beginning with the roots, the object that retains most
 * among those shown is opened next, until MAX_ROWS rows are there. Of an opened object the children are shown that hold a
 * noticeable part of it; the rest is summed up by class. A list (objects of one class, each dominating the next) is one row,
 * with what its links hold below. So the page has the same size for ten thousand objects and for a hundred million.
 */
#include "heap_html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "heap_holders.h"
#include "heap_page.h"

enum {
    MAX_ROWS = 3000,
    MAX_DEPTH = 60,
    LEAST_CHILDREN = 3, /* shown however small they are */
    LEAST_PART = 200,   /* others are at least such a part of their parent */
    LEAST_LIST = 4,     /* links */
    MAX_RESTS = 4,      /* classes told of the rest */
    MAX_STEPS = 60,
};

/* Children that are not shown, of one class; class 0: of others. */
typedef struct Rest {
    uint32_t class_node, objects;
    uint64_t bytes;
} Rest;

typedef struct Shown {
    uint32_t node, last, links; /* last and links of a list, else node and 1 */
    uint32_t holder;            /* what dominates it: not its row's parent if that is a list */
    uint32_t depth;
    uint32_t first, n, nrest; /* children, if it was opened: they stand together */
    Rest rest[MAX_RESTS];
} Shown;

typedef struct Page {
    const HeapNames *h;
    const HeapGraph *g;
    FILE *out;
    HeapPaths paths;
    uint32_t top;
    CF_VEC(Shown) shown;   /* [0]: the roots */
    CF_VEC(uint32_t) open; /* a heap: what to open next, by its number, the most retaining one first */
    bool ok;
} Page;

static void put(FILE *out, char *text) {
    heap_put_html(out, text ? text : "?");
    free(text);
}

/* ---- choosing rows ------------------------------------------------------------------------------- */

static uint64_t weight(const Page *p, uint32_t shown) { return p->g->retained[p->shown.data[shown].node]; }

static void open_push(Page *p, uint32_t shown) {
    p->ok &= cf_vec_push(&p->open, shown);
    for (uint32_t i = p->ok ? p->open.len - 1 : 0; i && weight(p, p->open.data[i]) > weight(p, p->open.data[(i - 1) / 2]);) {
        uint32_t up = (i - 1) / 2, x = p->open.data[i];
        p->open.data[i] = p->open.data[up];
        p->open.data[up] = x;
        i = up;
    }
}

static uint32_t open_pop(Page *p) {
    uint32_t top = p->open.data[0], n = --p->open.len, x = p->open.data[n], i = 0;
    for (uint32_t k = 1; k < n; k = 2 * i + 1) {
        if (k + 1 < n && weight(p, p->open.data[k + 1]) > weight(p, p->open.data[k])) k++;
        if (weight(p, p->open.data[k]) <= weight(p, x)) break;
        p->open.data[i] = p->open.data[k];
        i = k;
    }
    p->open.data[i] = x;
    return top;
}

static const HeapGraph *sorting; /* one page is made at a time */
static int by_class(const void *a, const void *b) {
    uint32_t x = sorting->class_of[*(const uint32_t *)a], y = sorting->class_of[*(const uint32_t *)b];
    return (x > y) - (x < y);
}
static int by_bytes(const void *a, const void *b) {
    const Rest *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1)
                                : (x->class_node > y->class_node) - (x->class_node < y->class_node);
}

/* What is held but not shown, by class: those with most bytes, then all others together. */
static void sum_up(Page *p, Shown *s, uint32_t *held, uint32_t n) {
    CF_VEC(Rest) rests = {0};
    sorting = p->g;
    if (n) qsort(held, n, sizeof *held, by_class);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = p->g->class_of[held[i]];
        if (!rests.len || rests.data[rests.len - 1].class_node != k) p->ok &= cf_vec_push(&rests, (Rest){.class_node = k});
        if (!p->ok) break;
        rests.data[rests.len - 1].objects++;
        rests.data[rests.len - 1].bytes += p->g->retained[held[i]];
    }
    if (rests.len) qsort(rests.data, rests.len, sizeof *rests.data, by_bytes);
    for (uint32_t i = 0; i < rests.len; i++) {
        uint32_t at = i < MAX_RESTS ? s->nrest++ : MAX_RESTS - 1;
        Rest *r = &s->rest[at];
        *r = i < MAX_RESTS ? rests.data[i] : (Rest){0, r->objects + rests.data[i].objects, r->bytes + rests.data[i].bytes};
    }
    cf_vec_free(&rests);
}

static Shown row_of(const Page *p, uint32_t node, uint32_t holder, uint32_t depth) {
    Shown s = {.node = node, .last = node, .links = 1, .holder = holder, .depth = depth};
    uint32_t last, links = node ? heap_chain(p->g, node, &last) : 1;
    if (links >= LEAST_LIST) {
        s.last = last;
        s.links = links;
    }
    return s;
}

/* Gives row `at` its children. */
static void open_row(Page *p, uint32_t at) {
    Shown s = p->shown.data[at];
    uint32_t n, *held = heap_held(p->g, s.node, s.last, &n), keep = 0;
    p->ok &= held != NULL;
    while (keep < n && keep < p->top &&
           (keep < LEAST_CHILDREN || p->g->retained[held[keep]] >= p->g->retained[s.node] / LEAST_PART))
        keep++;
    s.first = p->shown.len;
    s.n = keep;
    for (uint32_t i = 0; p->ok && i < keep; i++) {
        p->ok &= cf_vec_push(&p->shown, row_of(p, held[i], p->g->dominator[held[i]], s.depth + 1));
        if (p->ok && s.depth + 1 < MAX_DEPTH && p->g->first_child[held[i]]) open_push(p, p->shown.len - 1);
    }
    if (p->ok) sum_up(p, &s, held + keep, n - keep);
    free(held);
    if (p->ok) p->shown.data[at] = s;
}

static void choose_rows(Page *p) {
    p->ok = cf_vec_push(&p->shown, row_of(p, 0, 0, 0));
    if (p->ok) open_row(p, 0);
    while (p->ok && p->open.len && p->shown.len < MAX_ROWS) open_row(p, open_pop(p));
}

/* ---- the tree ------------------------------------------------------------------------------------ */

/* The reference by which `from` holds `node` itself, if it does. */
static void put_way(Page *p, uint32_t from, uint32_t node) {
    if (!from) return;
    for (uint64_t e = p->g->start[from]; e < p->g->start[from + 1]; e++) {
        if (p->g->to[e] != node) continue;
        fputs("<em>", p->out);
        put(p->out, heap_link_text(p->h, from, p->g->label[e]));
        fputs("</em> ", p->out);
        return;
    }
}

static void put_rests(Page *p, const Shown *s) {
    for (uint32_t i = 0; i < s->nrest; i++) {
        const Rest *r = &s->rest[i];
        heap_row_begin(p->out, 0, r->bytes, p->g->retained[0]);
        fputs("<em>and ", p->out);
        heap_put_count(p->out, r->objects);
        fputs(" more</em> ", p->out);
        heap_put_html(p->out, r->class_node ? p->g->class_names[r->class_node] : "of other classes");
        heap_row_end(p->out, 0);
    }
}

static void put_row(Page *p, const Shown *s) {
    unsigned inner = s->n || s->nrest ? HEAP_ROW_INNER : 0;
    uint64_t own = 8ull * p->g->size[s->node], all = p->g->retained[0];
    heap_row_begin(p->out, inner | heap_row_opens(p->g->retained[s->node], all), p->g->retained[s->node], all);
    put_way(p, s->holder, s->node);
    put(p->out, heap_object_text(p->h, s->node));
    if (s->links > 1) {
        fputs(" <small>the first of ", p->out);
        heap_put_count(p->out, s->links);
        fputs(", each held by the one before</small>", p->out);
    } else if (own != p->g->retained[s->node]) {
        fputs(" <small>own ", p->out);
        heap_put_size(p->out, (int64_t)own);
        fputs("</small>", p->out);
    }
    if (!inner && p->g->first_child[s->node]) fputs(" <small>holds more, not shown</small>", p->out);
    heap_row_end(p->out, inner);
    if (!inner) return;
    for (uint32_t i = 0; i < s->n; i++) put_row(p, &p->shown.data[s->first + i]);
    put_rests(p, s);
    heap_row_close(p->out);
}

static void class_tree_part(Page *p, const HeapTypes *t) {
    fputs(
        "<section><h2 id=\"types\">Who holds it, by class</h2>\n<p class=\"dim\">The dominator tree with objects of one class at "
        "one place as one row.</p>\n",
        p->out);
    p->ok &= heap_type_tree(p->out, t, HEAP_RETAINED, p->top);
    fputs("</section>\n", p->out);
}

static void tree_part(Page *p) {
    const Shown *roots = &p->shown.data[0];
    fputs(
        "<section><h2 id=\"tree\">Who holds it: the dominator tree of objects</h2>\n<p class=\"dim\">A row is an object with all that would "
        "be freed with it; open it to see what it holds alone. Objects at the top are held by roots, or by several others. Shares are of all that is "
        "strongly held.</p>\n<div class=\"box\">\n",
        p->out);
    for (uint32_t i = 0; i < roots->n; i++) put_row(p, &p->shown.data[roots->first + i]);
    put_rests(p, roots);
    fputs("</div></section>\n", p->out);
}

/* ---- ways from roots ----------------------------------------------------------------------------- */

static void put_step(Page *p, const HeapStep *s) {
    fputs("<li>", p->out);
    put(p->out, heap_object_text(p->h, s->from));
    fputs("<em>", p->out);
    put(p->out, heap_link_text(p->h, s->from, p->g->label[s->edge]));
    fputs("</em><small>", p->out);
    heap_put_size(p->out, (int64_t)p->g->retained[s->from]);
    fputs("</small></li>\n", p->out);
}

static void put_path(Page *p, uint32_t node) {
    uint32_t n;
    HeapStep *steps = heap_path(&p->paths, node, &n);
    fputs("<ol class=\"path\"><li>", p->out);
    put(p->out, n ? heap_root_text(p->h, p->g->label[steps[0].edge]) : strdup("no strong path"));
    fputs("</li>\n", p->out);
    for (uint32_t i = 1; i < n; i++) {
        if (n > MAX_STEPS && i == MAX_STEPS / 2) {
            fprintf(p->out, "<li>... and %u more steps</li>\n", n - MAX_STEPS);
            i += n - MAX_STEPS;
        }
        put_step(p, &steps[i]);
    }
    fputs("<li><b>", p->out);
    put(p->out, heap_object_text(p->h, node));
    fputs("</b><small>", p->out);
    heap_put_size(p->out, (int64_t)p->g->retained[node]);
    fputs("</small></li></ol>\n", p->out);
    free(steps);
}

static const Page *sorted_page; /* as `sorting` */
static int by_retained(const void *a, const void *b) {
    uint64_t x = weight(sorted_page, *(const uint32_t *)a), y = weight(sorted_page, *(const uint32_t *)b);
    return x != y ? (x < y ? 1 : -1) : 0;
}

/* Rows whose object holds much that no single one below it holds: bytes pile up there. */
static uint32_t *places(Page *p, uint32_t *n) {
    uint32_t *out = malloc(p->shown.len * sizeof *out);
    *n = 0;
    for (uint32_t i = 1; out && i < p->shown.len; i++)
        if (heap_heart(p->g, p->shown.data[i].node) == p->shown.data[i].node) out[(*n)++] = i;
    sorted_page = p;
    if (*n) qsort(out, *n, sizeof *out, by_retained);
    return out;
}

static void path_row(Page *p, uint32_t node, bool open) {
    unsigned flags = HEAP_ROW_INNER | (open ? HEAP_ROW_OPEN : 0);
    heap_row_begin(p->out, flags, p->g->retained[node], p->g->retained[0]);
    put(p->out, heap_object_text(p->h, node));
    heap_row_end(p->out, flags);
    put_path(p, node);
    heap_row_close(p->out);
}

static void paths_part(Page *p) {
    uint32_t n, *all = places(p, &n);
    p->ok &= all != NULL;
    fputs(
        "<section><h2 id=\"paths\">Where bytes pile up, and ways to it</h2>\n<p class=\"dim\">The objects that retain most while "
        "no single object below them does, each with a shortest way from a root, and what the steps retain.</p>\n"
        "<div class=\"box\">\n",
        p->out);
    for (uint32_t i = 0; i < n && i < p->top; i++) path_row(p, p->shown.data[all[i]].node, i == 0);
    if (n > p->top) fprintf(p->out, "<div class=\"row dim\">and %u more that retain less</div>\n", n - p->top);
    fputs("</div></section>\n", p->out);
    free(all);
}

/* ---- growth -------------------------------------------------------------------------------------- */

static void put_suspect(Page *p, const HeapSuspect *s, bool open) {
    uint32_t at = s->pile.at ? s->pile.at : s->pile.instance;
    unsigned flags = HEAP_ROW_INNER | (open ? HEAP_ROW_OPEN : 0);
    heap_row_begin(p->out, flags, p->g->retained[at], p->g->retained[0]);
    heap_put_count(p->out, s->pile.total);
    fputs(" new ", p->out);
    heap_put_html(p->out, s->class_name);
    if (s->pile.at) {
        fputs(" <small>", p->out);
        heap_put_count(p->out, s->pile.there);
        fputs(" of them held by one ", p->out);
        put(p->out, heap_object_text(p->h, at));
        fputs("</small>", p->out);
    } else {
        fputs(" <small>with no common holder; one of them</small>", p->out);
    }
    heap_row_end(p->out, flags);
    put_path(p, at);
    heap_row_close(p->out);
}

static void growth_part(Page *p, HeapTypes *t, HeapRow *rows, uint32_t n, uint32_t top) {
    HeapSuspect found[HEAP_MAX_SUSPECTS];
    uint32_t nfound = 0;
    p->ok &= heap_growth_part(p->out, t, rows, n, top);
    heap_rows_sort(rows, n, HEAP_BY_GROWTH);
    p->ok &= heap_suspects(p->g, rows, n, found, &nfound);
    if (!nfound) return;
    fputs("<section><h2 id=\"suspects\">Suspects: where new objects pile up</h2>\n<div class=\"box\">\n", p->out);
    for (uint32_t i = 0; i < nfound; i++) put_suspect(p, &found[i], i == 0);
    fputs("</div></section>\n", p->out);
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static void head(const Page *p, const HeapReport *r, const HeapRow *rows, uint32_t n) {
    HeapFigures all = {0}, before = {0};
    for (uint32_t i = 0; i < n; i++) {
        all.objects += rows[i].now.objects;
        all.bytes += rows[i].now.bytes;
        before.bytes += rows[i].before.bytes;
    }
    heap_page_begin(p->out, r->heading, r->note);
    heap_tiles_begin(p->out);
    heap_tile(p->out, "Objects", all.objects, false);
    heap_tile(p->out, "Bytes", all.bytes, true);
    heap_tile(p->out, "Strongly held", p->g->retained[0], true);
    heap_tile(p->out, "References", p->g->n_edges, false);
    heap_tile(p->out, "Classes", p->g->n_classes, false);
    if (r->compared) heap_tile(p->out, "Bytes before", before.bytes, true);
    heap_tiles_end(p->out);
    fputs("<nav>", p->out);
    if (r->compared) fputs("<a href=\"#grown\">Grown</a><a href=\"#where\">Where</a>", p->out);
    fputs(
        "<a href=\"#types\">Holders by class</a><a href=\"#tree\">Dominator tree</a><a href=\"#paths\">Paths</a><a href=\"#classes\">Classes</a></nav>\n",
        p->out);
}

bool heap_html(const HeapNames *h, HeapTypes *t, const HeapReport *r) {
    uint32_t n = 0, top = r->top < 1 ? 1 : (uint32_t)r->top;
    Page p = {.h = h, .g = h->g, .out = r->out, .top = top};
    HeapRow *rows = heap_rows(t, &n);
    choose_rows(&p);
    p.ok &= heap_paths(p.g, &p.paths) && rows;
    if (p.ok) {
        head(&p, r, rows, n);
        if (r->compared) growth_part(&p, t, rows, n, top);
        class_tree_part(&p, t);
        tree_part(&p);
        paths_part(&p);
        fputs("<section><h2 id=\"classes\">Classes by what they retain</h2>\n", r->out);
        heap_class_table(r->out, rows, n, 10 * top);
        fputs("</section>\n", r->out);
        heap_page_end(r->out);
    }
    heap_paths_free(&p.paths);
    cf_vec_free(&p.shown);
    cf_vec_free(&p.open);
    free(rows);
    return p.ok && !ferror(r->out);
}
