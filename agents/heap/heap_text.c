/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_text.c - histogram, biggest holders, growth and who holds it.
 *
 * What a class retains: the retained sizes of its instances that no other instance of it dominates, so
 * that nothing counts twice.
 *
 * A suspect is a class that has more bytes than at the snapshot before. Its new instances are followed down the
 * dominator tree from the roots, as long as one child holds at least four fifths of them: where that ends, they
 * pile up. The path shown is a shortest one to that object.
 */
#include "heap_text.h"

#include <stdlib.h>
#include <string.h>

#include "heap_snapshot.h"

enum { MAX_SUSPECTS = 5, MAX_STEPS = 40, SHARE_OF_FIVE = 4 };

typedef struct Tree {       /* children in the dominator tree */
    uint32_t *first, *next; /* 0 = none: node 0 is nobody's child */
} Tree;

static bool tree_new(const HeapGraph *g, Tree *t) {
    t->first = calloc(g->n_nodes + 1ull, sizeof *t->first);
    t->next = calloc(g->n_nodes + 1ull, sizeof *t->next);
    for (uint32_t i = g->n_reached; t->first && t->next && i-- > 1;) {
        uint32_t v = g->order[i], d = g->dominator[v];
        t->next[v] = t->first[d];
        t->first[d] = v;
    }
    return t->first && t->next;
}
static void tree_free(Tree *t) {
    free(t->first);
    free(t->next);
}

static const char *class_name(const HeapGraph *g, uint32_t v) {
    uint32_t k = v ? g->class_of[v] : 0;
    return k && k <= g->n_classes ? g->class_names[k] : "?";
}

/* ---- histogram -------------------------------------------------------------------------------- */

typedef struct Row {
    const char *name;
    uint64_t objects, bytes, retained;
} Row;

static int by_name(const void *a, const void *b) { return strcmp(((const Row *)a)->name, ((const Row *)b)->name); }
static int by_bytes(const void *a, const void *b) {
    const Row *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : strcmp(x->name, y->name);
}
static int by_retained(const void *a, const void *b) {
    const Row *x = a, *y = b;
    return x->retained != y->retained ? (x->retained < y->retained ? 1 : -1) : by_bytes(a, b);
}

/* Walks the dominator tree; open[k] counts instances of class k on the way down. */
static void class_retained(const HeapGraph *g, const Tree *t, Row *by_class, uint32_t *open) {
    uint32_t v = 0;
    for (;;) {
        if (v && !open[g->class_of[v]]++) by_class[g->class_of[v]].retained += g->retained[v];
        if (t->first[v]) {
            v = t->first[v];
            continue;
        }
        while (v && !t->next[v]) {
            open[g->class_of[v]]--;
            v = g->dominator[v];
        }
        if (!v) return;
        open[g->class_of[v]]--;
        v = t->next[v];
    }
}

/* One row per class name (loaders are united), sorted by name; t may be NULL. */
static Row *class_rows(const HeapGraph *g, const Tree *t, uint32_t *n) {
    Row *rows = calloc(g->n_classes + 1ull, sizeof *rows);
    uint32_t *open = calloc(g->n_classes + 1ull, sizeof *open);
    *n = 0;
    if (rows && open) {
        for (uint32_t v = 1; v <= g->n_nodes; v++) {
            rows[g->class_of[v]].objects += g->size[v] != 0;
            rows[g->class_of[v]].bytes += 8ull * g->size[v];
        }
        if (t) class_retained(g, t, rows, open);
        rows[0].name = "?";
        for (uint32_t k = 1; k <= g->n_classes; k++) rows[k].name = g->class_names[k];
        qsort(rows, g->n_classes + 1ull, sizeof *rows, by_name);
        for (uint32_t k = 0; k <= g->n_classes; k++) {
            if (!rows[k].objects) continue;
            if (*n && !strcmp(rows[*n - 1].name, rows[k].name)) {
                rows[*n - 1].objects += rows[k].objects;
                rows[*n - 1].bytes += rows[k].bytes;
                rows[*n - 1].retained += rows[k].retained;
            } else {
                rows[(*n)++] = rows[k];
            }
        }
    }
    free(open);
    return rows;
}

bool heap_counts(const HeapGraph *g, HeapCounts *out) {
    Row *rows = class_rows(g, NULL, &out->n);
    out->rows = calloc(out->n + 1ull, sizeof *out->rows);
    for (uint32_t i = 0; rows && out->rows && i < out->n; i++)
        out->rows[i] = (HeapCount){strdup(rows[i].name), rows[i].objects, rows[i].bytes};
    free(rows);
    return out->rows != NULL;
}
void heap_counts_free(HeapCounts *c) {
    for (uint32_t i = 0; i < c->n; i++) free(c->rows[i].name);
    free(c->rows);
    memset(c, 0, sizeof *c);
}

static void table(const HeapReport *r, Row *rows, uint32_t n, bool by_holding) {
    qsort(rows, n, sizeof *rows, by_holding ? by_retained : by_bytes);
    fprintf(r->out, "\nClasses by %s\n%14s %10s %14s  class\n", by_holding ? "what they retain" : "their own size",
            by_holding ? "retained" : "bytes", "objects", by_holding ? "bytes" : "retained");
    for (uint32_t i = 0; i < n && i < (uint32_t)r->top; i++) {
        unsigned long long retained = rows[i].retained, bytes = rows[i].bytes;
        fprintf(r->out, "%14llu %10llu %14llu  %s\n", by_holding ? retained : bytes, (unsigned long long)rows[i].objects,
                by_holding ? bytes : retained, rows[i].name);
    }
}

/* ---- paths ------------------------------------------------------------------------------------- */

typedef struct Printer {
    Agent *a;
    JNIEnv *env;
    const HeapGraph *g;
    FILE *out;
} Printer;

static void put_object(const Printer *p, uint32_t v) {
    if (v <= p->g->n_classes) fprintf(p->out, "class %s", p->g->class_names[v]);
    else fprintf(p->out, "%s", class_name(p->g, v));
}

static void put_root(const Printer *p, uint32_t label) {
    static const char *const kinds[] = {"JNI global reference", "system class", "locked monitor", "local variable",
                                        "JNI local reference",  "thread",       "the VM itself"};
    uint32_t i = heap_label_index(label), kind = heap_label_kind(label);
    fprintf(p->out, "    %s", kind >= 21 && kind <= 27 ? kinds[kind - 21] : "root");
    if (i < p->g->n_roots && p->g->roots[i].method) {
        const HeapRootInfo *root = &p->g->roots[i];
        char *method = heap_method_name(p->a, p->env, root->method), *t = heap_thread_name(p->a, p->env, root->thread);
        fprintf(p->out, " of %s", method);
        if (t) fprintf(p->out, " in thread \"%s\"", t);
        free(method);
        free(t);
    }
    putc('\n', p->out);
}

/* How the object names the next one of the path. */
static void put_link(const Printer *p, uint32_t from, uint32_t label) {
    static const char *const kinds[] = {
        "its class",    "", "",           "its class loader", "its signers", "its protection domain",
        "an interface", "", "a constant", "its superclass"};
    uint32_t kind = heap_label_kind(label), i = heap_label_index(label);
    bool is_static = kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD;
    if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT) {
        fprintf(p->out, i < HEAP_LABEL_MAX ? " [%u]" : " [...]", i);
    } else if (kind == JVMTI_HEAP_REFERENCE_FIELD || is_static) {
        char *name = heap_field_name(p->a, p->env, is_static ? from : p->g->class_of[from], i);
        fprintf(p->out, ".%s", name ? name : "?");
        free(name);
    } else if (kind >= 1 && kind <= 10) {
        fprintf(p->out, ": %s", kinds[kind - 1]);
    }
}

static void put_path(const Printer *p, uint32_t node) {
    uint64_t *edges;
    uint32_t *from, n = heap_path(p->g, node, &edges, &from);
    if (n) put_root(p, p->g->label[edges[0]]);
    else fprintf(p->out, "    no strong path\n");
    for (uint32_t i = 1; i < n; i++) {
        if (n > MAX_STEPS && i == MAX_STEPS / 2) {
            fprintf(p->out, "      ... %u more\n", n - MAX_STEPS);
            i += n - MAX_STEPS;
        }
        fprintf(p->out, "      -> ");
        put_object(p, from[i]);
        put_link(p, from[i], p->g->label[edges[i]]);
        putc('\n', p->out);
    }
    fprintf(p->out, "      -> ");
    put_object(p, node);
    putc('\n', p->out);
    free(edges);
    free(from);
}

/* ---- biggest ------------------------------------------------------------------------------------ */

typedef struct Big {
    uint32_t node;
    uint64_t retained;
} Big;
static int by_size(const void *a, const void *b) {
    const Big *x = a, *y = b;
    return x->retained != y->retained ? (x->retained < y->retained ? 1 : -1) : (x->node > y->node) - (x->node < y->node);
}

/* Objects that no other object holds alone, the biggest first. */
static bool biggest(const Printer *p, const Tree *t, int top) {
    uint32_t n = 0;
    for (uint32_t v = t->first[0]; v; v = t->next[v]) n++;
    Big *all = malloc((n + 1ull) * sizeof *all);
    if (!all) return false;
    n = 0;
    for (uint32_t v = t->first[0]; v; v = t->next[v]) all[n++] = (Big){v, p->g->retained[v]};
    qsort(all, n, sizeof *all, by_size);
    fprintf(p->out, "\nBiggest holders (objects at the top of the dominator tree)\n%14s %14s  object\n", "retained", "own bytes");
    for (uint32_t i = 0; i < n && i < (uint32_t)top; i++) {
        fprintf(p->out, "%14llu %14llu  ", (unsigned long long)all[i].retained, 8ull * p->g->size[all[i].node]);
        put_object(p, all[i].node);
        putc('\n', p->out);
    }
    free(all);
    return true;
}

/* ---- growth --------------------------------------------------------------------------------------- */

typedef struct Growth {
    const char *name;
    int64_t objects, bytes;
    uint64_t now;
} Growth;
static int by_growth(const void *a, const void *b) {
    const Growth *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : strcmp(x->name, y->name);
}
static int name_of_count(const void *key, const void *row) { return strcmp(key, ((const HeapCount *)row)->name); }

static bool wanted(const HeapGraph *g, uint32_t v, const char *name) {
    return g->is_new[v] && g->retained[v] && !strcmp(class_name(g, v), name);
}

/* Where the new instances of a class pile up; 0: nowhere in particular. *an_instance is one of them. */
static uint32_t pile(const HeapGraph *g, const Tree *t, const char *name, uint64_t *count, uint32_t *total,
                     uint32_t *an_instance) {
    memset(count, 0, (g->n_nodes + 1ull) * sizeof *count);
    *an_instance = 0;
    for (uint32_t i = g->n_reached; i-- > 1;) {
        uint32_t v = g->order[i];
        if (wanted(g, v, name)) {
            count[v]++;
            *an_instance = v;
        }
        count[g->dominator[v]] += count[v];
    }
    *total = (uint32_t)count[0];
    uint32_t at = 0;
    for (uint32_t most = 0;; at = most) {
        most = t->first[at];
        for (uint32_t v = most; v; v = t->next[v])
            if (count[v] > count[most]) most = v;
        if (!most || count[most] * 5 < count[0] * SHARE_OF_FIVE || wanted(g, most, name)) return at;
    }
}

static bool suspects(const Printer *p, const Tree *t, const Growth *rows, uint32_t n) {
    uint64_t *count = malloc((p->g->n_nodes + 1ull) * sizeof *count);
    if (!count) return false;
    uint32_t holders[MAX_SUSPECTS], shown = 0;
    for (uint32_t i = 0; i < n && shown < MAX_SUSPECTS && rows[i].bytes > 0; i++) {
        uint32_t total, instance, at = pile(p->g, t, rows[i].name, count, &total, &instance), same = 0;
        if (!total || rows[i].objects <= 0) continue;
        while (same < shown && (!at || holders[same] != at)) same++;
        holders[shown++] = at;
        fprintf(p->out, "\nSuspect: %s, %u new", rows[i].name, total);
        if (at) {
            fprintf(p->out, ", %llu of them held by one ", (unsigned long long)count[at]);
            put_object(p, at);
            fprintf(p->out, " that retains %llu bytes", (unsigned long long)p->g->retained[at]);
        } else {
            fprintf(p->out, ", with no common holder; one of them");
        }
        fprintf(p->out, same < shown - 1 ? " (see above)\n" : "\n");
        if (same == shown - 1) put_path(p, at ? at : instance);
    }
    free(count);
    return true;
}

static bool growth(const Printer *p, const Tree *t, const HeapReport *r, const Row *rows, uint32_t n) {
    Growth *all = calloc(n + 1ull, sizeof *all);
    if (!all) return false;
    for (uint32_t i = 0; i < n; i++) {
        const HeapCount *b = bsearch(rows[i].name, r->before->rows, r->before->n, sizeof *b, name_of_count);
        all[i] = (Growth){rows[i].name, (int64_t)rows[i].objects - (int64_t)(b ? b->objects : 0),
                          (int64_t)rows[i].bytes - (int64_t)(b ? b->bytes : 0), rows[i].bytes};
    }
    qsort(all, n, sizeof *all, by_growth);
    fprintf(r->out, "\nGrowth since the snapshot before\n%14s %10s %14s  class\n", "bytes", "objects", "bytes now");
    for (uint32_t i = 0; i < n && i < (uint32_t)r->top && all[i].bytes > 0; i++)
        fprintf(r->out, "%+14lld %+10lld %14llu  %s\n", (long long)all[i].bytes, (long long)all[i].objects,
                (unsigned long long)all[i].now, all[i].name);
    bool ok = suspects(p, t, all, n);
    free(all);
    return ok;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

bool heap_report(Agent *a, JNIEnv *env, const HeapGraph *g, const HeapReport *r) {
    Tree t = {0};
    Printer p = {a, env, g, r->out};
    uint32_t n = 0, objects = 0;
    uint64_t bytes = 0;
    bool ok = tree_new(g, &t);
    Row *rows = ok ? class_rows(g, &t, &n) : NULL;
    for (uint32_t v = 1; v <= g->n_nodes; v++) {
        objects += g->size[v] != 0;
        bytes += 8ull * g->size[v];
    }
    fprintf(r->out, "%s\n%u objects, %llu bytes; %llu bytes strongly held; %llu references; %u classes\n", r->heading, objects,
            (unsigned long long)bytes, (unsigned long long)(g->retained ? g->retained[0] : 0), (unsigned long long)g->n_edges,
            g->n_classes);
    ok = ok && rows && biggest(&p, &t, r->top);
    if (ok) {
        table(r, rows, n, true);
        table(r, rows, n, false);
        ok = !r->before || growth(&p, &t, r, rows, n);
    }
    fprintf(r->out, "\n");
    free(rows);
    tree_free(&t);
    return ok && !ferror(r->out);
}
