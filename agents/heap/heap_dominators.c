/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_dominators.c - dominator tree, retained sizes, paths to roots.
 *
 * The algorithm is Semi-NCA (Georgiadis, Tarjan, Werneck 2006): number the nodes in depth-first order, find
 * semidominators with path compression as Lengauer and Tarjan do, then take each node's dominator as the nearest
 * ancestor of its parent that is not below its semidominator. Everything is done on preorder numbers, with loops
 * and explicit stacks: a list of ten million elements is ten million deep.
 */
#include <stdlib.h>
#include <string.h>

#include "heap_graph.h"

void heap_graph_free(HeapGraph *g) {
    for (uint32_t i = 1; g->class_names && i <= g->n_classes; i++) free(g->class_names[i]);
    free(g->class_names);
    free(g->class_of);
    free(g->size);
    free(g->is_new);
    free(g->start);
    free(g->to);
    free(g->label);
    free(g->roots);
    free(g->order);
    free(g->dominator);
    free(g->retained);
    free(g->first_child);
    free(g->next_child);
    memset(g, 0, sizeof *g);
}

typedef struct Work {
    uint32_t *number; /* by node: preorder number + 1, 0 = not reached */
    uint32_t *parent; /* the others by preorder number */
    uint32_t *semi, *best, *idom;
    uint64_t *pred_start; /* predecessors of each number, as numbers */
    uint32_t *pred;
    uint32_t *stack;
} Work;

/* ---- depth-first order -------------------------------------------------------------- */

static bool number_nodes(HeapGraph *g, Work *w) {
    uint64_t *next = malloc((g->n_nodes + 1ull) * sizeof *next); /* edge to look at next, by number */
    if (!next) return false;
    uint32_t n = 0, at = 0;
    w->number[0] = 1;
    g->order[n] = 0;
    next[n++] = g->start[0];
    for (;;) {
        uint32_t v = g->order[at];
        if (next[at] == g->start[v + 1]) {
            if (at == 0) break;
            at = w->parent[at];
            continue;
        }
        uint32_t u = g->to[next[at]++];
        if (w->number[u]) continue;
        w->parent[n] = at;
        g->order[n] = u;
        next[n] = g->start[u];
        w->number[u] = n + 1;
        at = n++;
    }
    g->n_reached = n;
    free(next);
    return true;
}

static bool find_predecessors(const HeapGraph *g, Work *w) {
    uint32_t n = g->n_reached;
    w->pred_start = calloc(n + 2ull, sizeof *w->pred_start);
    if (!w->pred_start) return false;
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t e = g->start[g->order[i]]; e < g->start[g->order[i] + 1]; e++) w->pred_start[w->number[g->to[e]] - 1 + 2]++;
    for (uint32_t i = 2; i <= n + 1; i++) w->pred_start[i] += w->pred_start[i - 1];
    w->pred = malloc((w->pred_start[n + 1] + 1) * sizeof *w->pred);
    if (!w->pred) return false;
    for (uint32_t i = 0; i < n; i++) /* pred_start[k + 1] is where the next one of k goes */
        for (uint64_t e = g->start[g->order[i]]; e < g->start[g->order[i] + 1]; e++)
            w->pred[w->pred_start[w->number[g->to[e]] - 1 + 1]++] = i;
    return true;
}

/* ---- semidominators --------------------------------------------------------------------- */

/* The number with the least semidominator on the path from v up to the roots of the forest of numbers > limit. */
static uint32_t evaluate(Work *w, uint32_t *ancestor, uint32_t v, uint32_t limit) {
    uint32_t depth = 0;
    if (v <= limit) return v;
    for (uint32_t u = v; ancestor[u] > limit; u = ancestor[u]) w->stack[depth++] = u;
    while (depth-- > 0) {
        uint32_t u = w->stack[depth], a = ancestor[u];
        if (w->semi[w->best[a]] < w->semi[w->best[u]]) w->best[u] = w->best[a];
        ancestor[u] = ancestor[a];
    }
    return w->best[v];
}

static bool find_dominators(const HeapGraph *g, Work *w) {
    uint32_t n = g->n_reached, *ancestor = malloc(n * sizeof *ancestor);
    if (!ancestor) return false;
    memcpy(ancestor, w->parent, n * sizeof *ancestor);
    for (uint32_t i = 0; i < n; i++) w->semi[i] = w->best[i] = i;
    for (uint32_t i = n; i-- > 1;) {
        uint32_t least = w->parent[i];
        for (uint64_t e = w->pred_start[i]; e < w->pred_start[i + 1]; e++) {
            uint32_t u = w->semi[evaluate(w, ancestor, w->pred[e], i)];
            if (u < least) least = u;
        }
        w->semi[i] = least;
    }
    free(ancestor);
    w->idom[0] = 0;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t d = w->parent[i];
        while (d > w->semi[i]) d = w->idom[d];
        w->idom[i] = d;
    }
    return true;
}

static void work_free(Work *w) {
    free(w->number);
    free(w->parent);
    free(w->semi);
    free(w->best);
    free(w->idom);
    free(w->pred_start);
    free(w->pred);
    free(w->stack);
}

static bool work_new(HeapGraph *g, Work *w) {
    size_t n = g->n_nodes + 1ull;
    w->number = calloc(n, sizeof *w->number);
    w->parent = calloc(n, sizeof *w->parent);
    w->semi = malloc(n * sizeof *w->semi);
    w->best = malloc(n * sizeof *w->best);
    w->idom = malloc(n * sizeof *w->idom);
    w->stack = malloc(n * sizeof *w->stack);
    g->order = malloc(n * sizeof *g->order);
    g->dominator = calloc(n, sizeof *g->dominator);
    g->retained = calloc(n, sizeof *g->retained);
    g->first_child = calloc(n, sizeof *g->first_child);
    g->next_child = calloc(n, sizeof *g->next_child);
    return w->number && w->parent && w->semi && w->best && w->idom && w->stack && g->order && g->dominator && g->retained &&
           g->first_child && g->next_child;
}

bool heap_dominators(HeapGraph *g) {
    Work w = {0};
    bool ok = work_new(g, &w) && number_nodes(g, &w) && find_predecessors(g, &w) && find_dominators(g, &w);
    for (uint32_t i = 0; ok && i < g->n_reached; i++) g->retained[g->order[i]] = 8ull * g->size[g->order[i]];
    for (uint32_t i = ok ? g->n_reached : 0; i-- > 1;) {
        uint32_t v = g->order[i], d = g->order[w.idom[i]];
        g->dominator[v] = d;
        g->retained[d] += g->retained[v];
        g->next_child[v] = g->first_child[d];
        g->first_child[d] = v;
    }
    work_free(&w);
    return ok;
}

/* ---- paths ---------------------------------------------------------------------------------- */

/* Breadth first from the roots. */
bool heap_paths(const HeapGraph *g, HeapPaths *p) {
    size_t n = g->n_nodes + 1ull;
    uint32_t *queue = malloc(n * sizeof *queue), head = 0, tail = 0;
    p->edge = calloc(n, sizeof *p->edge);
    p->from = calloc(n, sizeof *p->from);
    bool ok = queue && p->edge && p->from;
    if (ok) queue[tail++] = 0;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            uint32_t u = g->to[e];
            if (u == 0 || p->edge[u]) continue;
            p->edge[u] = e + 1;
            p->from[u] = v;
            queue[tail++] = u;
        }
    }
    free(queue);
    return ok;
}

void heap_paths_free(HeapPaths *p) {
    free(p->edge);
    free(p->from);
}

HeapStep *heap_path(const HeapPaths *p, uint32_t node, uint32_t *n) {
    *n = 0;
    for (uint32_t v = node; v && p->edge[v]; v = p->from[v]) ++*n;
    HeapStep *steps = malloc((*n + 1ull) * sizeof *steps);
    if (!steps) return *n = 0, NULL;
    uint32_t i = *n;
    for (uint32_t v = node; i > 0; v = p->from[v]) steps[--i] = (HeapStep){p->from[v], p->edge[v] - 1};
    return steps;
}
