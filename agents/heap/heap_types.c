/* SPDX-License-Identifier: Apache-2.0 */
/* heap_types.c - from the dominator tree to types, their comparison, and classes. */
#include "heap_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ------------------------------------------------------------------------------------- */

typedef struct Key {
    const HeapTypes *t;
    uint32_t parent, name;
} Key;

static uint32_t number_of(const void *item) { return (uint32_t)((uintptr_t)item - 1); }

static bool same(const void *item, const void *key) {
    const Key *k = key;
    const HeapType *x = &k->t->types.data[number_of(item)];
    return x->parent == k->parent && x->name == k->name;
}

uint32_t heap_type_add(HeapTypes *t, uint32_t parent, const char *name) {
    Key key = {t, parent, agent_name(&t->names, name)};
    uint32_t depth = t->types.len ? t->types.data[parent].depth + 1 : 0, at = t->types.len;
    if (key.name == UINT32_MAX) return 0;
    uint32_t hash = cf_hash_u64((uint64_t)parent << 32 | key.name);
    void *found = cf_table_find(&t->table, hash, same, &key);
    if (found) return number_of(found);
    HeapType x = {.parent = parent, .depth = depth, .name = key.name, .next = at ? t->types.data[parent].first : 0};
    if (!cf_vec_push(&t->types, x) || !cf_table_add(&t->table, hash, (void *)(at + (uintptr_t)1))) return 0;
    if (at) t->types.data[parent].first = at;
    return at;
}

bool heap_types_new(HeapTypes *t) {
    *t = (HeapTypes){0};
    heap_type_add(t, 0, "(roots)"); /* its own parent */
    return t->types.len == 1 && heap_type_add(t, 0, "(held by weak references only)") == HEAP_TYPE_WEAKLY;
}

void heap_types_free(HeapTypes *t) {
    agent_names_free(&t->names);
    cf_vec_free(&t->types);
    cf_table_free(&t->table);
    *t = (HeapTypes){0};
}

void heap_types_sum(HeapTypes *t) {
    for (uint32_t i = 0; i < t->types.len; i++) t->types.data[i].now.retained = t->types.data[i].now.bytes;
    for (uint32_t i = t->types.len; i-- > 1;)
        t->types.data[t->types.data[i].parent].now.retained += t->types.data[i].now.retained;
}

/* The type of an object whose dominator is of type `parent`. */
static uint32_t type_below(HeapTypes *t, const HeapGraph *g, uint32_t v, uint32_t parent) {
    char text[1024];
    const char *name = heap_class_name(g, v);
    if (v <= g->n_classes) {
        snprintf(text, sizeof text, "class %s", g->class_names[v]);
        name = text;
    }
    if (parent >= HEAP_TYPES_FIXED && !strcmp(heap_type_name(t, parent), name)) return parent;
    if (t->types.data[parent].depth == HEAP_TYPE_DEPTH) parent = t->types.data[parent].parent;
    return heap_type_add(t, parent, name);
}

static bool add_object(HeapTypes *t, const HeapGraph *g, uint32_t v, uint32_t parent, uint32_t *type_of) {
    uint32_t type = type_of[v] = type_below(t, g, v, parent);
    if (!type) return false;
    t->types.data[type].now.objects++;
    t->types.data[type].now.bytes += 8ull * g->size[v];
    return true;
}

bool heap_types(const HeapGraph *g, HeapTypes *out) {
    uint32_t *type_of = calloc(g->n_nodes + 1ull, sizeof *type_of);
    bool ok = heap_types_new(out) && type_of;
    for (uint32_t i = 1; ok && i < g->n_reached; i++) /* dominators come first in this order */
        ok = add_object(out, g, g->order[i], type_of[g->dominator[g->order[i]]], type_of);
    for (uint32_t v = 1; ok && v <= g->n_nodes; v++)
        if (g->size[v] && !g->retained[v]) ok = add_object(out, g, v, HEAP_TYPE_WEAKLY, type_of);
    free(type_of);
    out->references = g->n_edges;
    out->classes = g->n_classes;
    heap_types_sum(out);
    if (!ok) heap_types_free(out);
    return ok;
}

bool heap_types_compare(HeapTypes *now, const HeapTypes *before) {
    uint32_t *at = calloc(before->types.len + 1ull, sizeof *at); /* number here of each type there */
    bool ok = at != NULL;
    for (uint32_t i = 0; ok && i < before->types.len; i++) {
        const HeapType *b = &before->types.data[i];
        at[i] = i ? heap_type_add(now, at[b->parent], heap_type_name(before, i)) : 0;
        ok = !i || at[i];
        if (ok) now->types.data[at[i]].before = b->now;
    }
    free(at);
    return ok;
}

/* ---- classes ----------------------------------------------------------------------------------- */

/* The class of a type: of all class objects it is Class. */
static const char *class_of(const HeapTypes *t, uint32_t i) {
    const char *name = heap_type_name(t, i);
    return strncmp(name, "class ", 6) ? name : "java.lang.Class";
}

static bool is_topmost(const HeapTypes *t, uint32_t i, const uint32_t *row_of_type) {
    for (uint32_t p = i; p;) {
        p = t->types.data[p].parent;
        if (p == HEAP_TYPE_WEAKLY || (p && row_of_type[p] == row_of_type[i])) return false;
    }
    return true;
}

static void add_figures(HeapFigures *to, const HeapFigures *f, bool topmost) {
    to->objects += f->objects;
    to->bytes += f->bytes;
    if (topmost) to->retained += f->retained;
}

HeapRow *heap_rows(const HeapTypes *t, uint32_t *n) {
    AgentNames rows = {0};
    HeapRow *out = calloc(t->names.texts.len + 2ull, sizeof *out);
    uint32_t *row = calloc(t->types.len + 1ull, sizeof *row);
    bool ok = out && row;
    for (uint32_t i = HEAP_TYPES_FIXED; ok && i < t->types.len; i++) {
        const HeapType *x = &t->types.data[i];
        const char *name = class_of(t, i);
        row[i] = agent_name(&rows, name);
        ok = row[i] != UINT32_MAX;
        if (!ok) break;
        out[row[i]].name = strcmp(name, heap_type_name(t, i)) ? "java.lang.Class" : heap_type_name(t, i);
        bool topmost = is_topmost(t, i, row);
        add_figures(&out[row[i]].now, &x->now, topmost);
        add_figures(&out[row[i]].before, &x->before, topmost);
    }
    *n = rows.texts.len;
    agent_names_free(&rows);
    free(row);
    if (!ok) {
        free(out);
        return NULL;
    }
    return out;
}

static int most_first(int64_t a, int64_t b) { return a < b ? 1 : a > b ? -1 : 0; }
static int by_retained(const void *a, const void *b) {
    const HeapRow *x = a, *y = b;
    int c = most_first((int64_t)x->now.retained, (int64_t)y->now.retained);
    if (!c) c = most_first((int64_t)x->now.bytes, (int64_t)y->now.bytes);
    return c ? c : strcmp(x->name, y->name);
}
static int by_bytes(const void *a, const void *b) {
    const HeapRow *x = a, *y = b;
    int c = most_first((int64_t)x->now.bytes, (int64_t)y->now.bytes);
    return c ? c : strcmp(x->name, y->name);
}
static int by_growth(const void *a, const void *b) {
    const HeapRow *x = a, *y = b;
    int c = most_first(heap_more(x->now.bytes, x->before.bytes), heap_more(y->now.bytes, y->before.bytes));
    return c ? c : strcmp(x->name, y->name);
}
static int by_shrinking(const void *a, const void *b) { return by_growth(b, a); }

void heap_rows_sort(HeapRow *rows, uint32_t n, HeapOrder by) {
    static int (*const orders[])(const void *, const void *) = {
        [HEAP_BY_RETAINED] = by_retained,
        [HEAP_BY_BYTES] = by_bytes,
        [HEAP_BY_GROWTH] = by_growth,
        [HEAP_BY_SHRINKING] = by_shrinking,
    };
    qsort(rows, n, sizeof *rows, orders[by]);
}

/* ---- trees ------------------------------------------------------------------------------------- */

typedef struct Measured {
    uint32_t type;
    int64_t much;
} Measured;
static int by_much(const void *a, const void *b) {
    const Measured *x = a, *y = b;
    return x->much != y->much ? most_first(x->much, y->much) : (x->type > y->type) - (x->type < y->type);
}

uint32_t *heap_types_below(const HeapTypes *t, uint32_t parent, HeapMeasure m, uint32_t *n) {
    CF_VEC(Measured) below = {0};
    bool ok = true;
    for (uint32_t i = t->types.data[parent].first; ok && i; i = t->types.data[i].next) {
        int64_t much = heap_type_measure(t, i, m);
        if (much > 0) ok = cf_vec_push(&below, (Measured){i, much});
    }
    uint32_t *out = ok ? malloc((below.len + 1ull) * sizeof *out) : NULL;
    *n = out ? below.len : 0;
    if (*n) qsort(below.data, *n, sizeof *below.data, by_much);
    for (uint32_t i = 0; i < *n; i++) out[i] = below.data[i].type;
    cf_vec_free(&below);
    return out;
}

int64_t heap_types_limit(const HeapTypes *t, HeapMeasure m, uint32_t rows) {
    Measured *all = t->types.len > rows ? malloc(t->types.len * sizeof *all) : NULL;
    if (!all) return 0;
    for (uint32_t i = 0; i < t->types.len; i++) all[i] = (Measured){i, heap_type_measure(t, i, m)};
    qsort(all, t->types.len, sizeof *all, by_much);
    int64_t limit = all[rows].much;
    free(all);
    return limit > 0 ? limit : 0;
}
