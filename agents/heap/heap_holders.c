/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_holders.c - walks down the dominator tree.
 *
 * Where bytes or new instances pile up: from a place down, as long as one child has at least four fifths of them.
 */
#include "heap_holders.h"

#include <stdlib.h>
#include <string.h>

enum { SHARE_OF_FIVE = 4 };

typedef struct Held {
    uint32_t node;
    uint64_t retained;
} Held;
static int by_size(const void *a, const void *b) {
    const Held *x = a, *y = b;
    return x->retained != y->retained ? (x->retained < y->retained ? 1 : -1) : (x->node > y->node) - (x->node < y->node);
}

uint32_t *heap_held(const HeapGraph *g, uint32_t node, uint32_t last, uint32_t *n) {
    CF_VEC(Held) all = {0};
    bool ok = true;
    for (uint32_t at = last, next = 0;; next = at, at = g->dominator[at]) {
        for (uint32_t v = g->first_child[at]; ok && v; v = g->next_child[v])
            if (v != next) ok = cf_vec_push(&all, (Held){v, g->retained[v]});
        if (!ok || at == node) break;
    }
    uint32_t *out = ok ? malloc((all.len + 1ull) * sizeof *out) : NULL;
    *n = out ? all.len : 0;
    if (*n) qsort(all.data, *n, sizeof *all.data, by_size);
    for (uint32_t i = 0; i < *n; i++) out[i] = all.data[i].node;
    cf_vec_free(&all);
    return out;
}

uint32_t heap_heart(const HeapGraph *g, uint32_t node) {
    for (uint32_t at = node;;) {
        uint32_t most = 0;
        for (uint32_t v = g->first_child[at]; v; v = g->next_child[v])
            if (!most || g->retained[v] > g->retained[most]) most = v;
        /* a list's links hold nearly all of what is behind them: its head is the place */
        if (!most || g->retained[most] * 5 < g->retained[node] * SHARE_OF_FIVE || g->class_of[most] == g->class_of[at]) return at;
        at = most;
    }
}

uint32_t heap_chain(const HeapGraph *g, uint32_t node, uint32_t *last) {
    uint32_t n = 1;
    for (*last = node; node > g->n_classes;) {
        uint32_t next = 0;
        for (uint32_t v = g->first_child[*last]; v; v = g->next_child[v])
            if (g->class_of[v] == g->class_of[node] && (!next || g->retained[v] > g->retained[next])) next = v;
        if (!next) break;
        *last = next;
        n++;
    }
    return n;
}

static bool wanted(const HeapGraph *g, uint32_t v, const char *name) {
    return g->is_new[v] && g->retained[v] && !strcmp(heap_class_name(g, v), name);
}

/* `count`: room for n_nodes + 1 numbers. */
static HeapPile pile_of(const HeapGraph *g, const char *name, uint32_t *count) {
    HeapPile p = {0};
    memset(count, 0, (g->n_nodes + 1ull) * sizeof *count);
    for (uint32_t i = g->n_reached; i-- > 1;) {
        uint32_t v = g->order[i];
        if (wanted(g, v, name)) {
            count[v]++;
            p.instance = v;
        }
        count[g->dominator[v]] += count[v];
    }
    p.total = count[0];
    for (uint32_t most = 0;; p.at = most) {
        most = g->first_child[p.at];
        for (uint32_t v = most; v; v = g->next_child[v])
            if (count[v] > count[most]) most = v;
        if (!most || (uint64_t)count[most] * 5 < (uint64_t)count[0] * SHARE_OF_FIVE || wanted(g, most, name)) break;
    }
    p.there = count[p.at];
    return p;
}

bool heap_suspects(const HeapGraph *g, const HeapRow *rows, uint32_t n, HeapSuspect *out, uint32_t *found) {
    uint32_t *count = malloc((g->n_nodes + 1ull) * sizeof *count);
    *found = 0;
    for (uint32_t i = 0; count && i < n && *found < HEAP_MAX_SUSPECTS; i++) {
        if (rows[i].now.bytes <= rows[i].before.bytes) break;
        HeapSuspect s = {rows[i].name, pile_of(g, rows[i].name, count), false};
        if (!s.pile.total || rows[i].now.objects <= rows[i].before.objects) continue;
        for (uint32_t k = 0; k < *found; k++) s.same_as_before |= s.pile.at && out[k].pile.at == s.pile.at;
        out[(*found)++] = s;
    }
    free(count);
    return count != NULL;
}
