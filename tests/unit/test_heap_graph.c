/* SPDX-License-Identifier: Apache-2.0 */
/* test_heap_graph - dominators, retained sizes and paths of the heap agent, against the definitions. */
#include "../../agents/heap/heap_dominators.c"
#include "cf_test.h"

static uint32_t seed = 12345;
static uint32_t rnd(uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

typedef struct Edge {
    uint32_t from, to;
} Edge;

static HeapGraph make(uint32_t nodes, const Edge *edges, uint32_t n) {
    HeapGraph g = {.n_nodes = nodes, .n_edges = n};
    g.start = calloc(nodes + 2, sizeof *g.start);
    g.to = malloc((n + 1) * sizeof *g.to);
    g.label = calloc(n + 1, sizeof *g.label);
    g.size = malloc((nodes + 1) * sizeof *g.size);
    uint32_t at = 0;
    for (uint32_t v = 0; v <= nodes; v++) {
        g.size[v] = v ? v % 7 + 1 : 0;
        g.start[v] = at;
        for (uint32_t e = 0; e < n; e++)
            if (edges[e].from == v) g.to[at++] = edges[e].to;
    }
    g.start[nodes + 1] = at;
    return g;
}

/* Bytes reached from the roots without passing through `without`. */
static uint64_t reached(const HeapGraph *g, uint32_t without, uint8_t *seen) {
    uint32_t stack[4096], n = 0;
    uint64_t bytes = 0;
    memset(seen, 0, g->n_nodes + 1);
    seen[0] = 1;
    stack[n++] = 0;
    while (n) {
        uint32_t v = stack[--n];
        bytes += 8ull * g->size[v];
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
            if (!seen[g->to[e]] && g->to[e] != without) {
                seen[g->to[e]] = 1;
                stack[n++] = g->to[e];
            }
    }
    return bytes;
}

static void check_graph(HeapGraph *g) {
    uint8_t seen[512], all[512];
    uint64_t total = reached(g, UINT32_MAX, all);
    CHECK(heap_dominators(g));
    CHECK(g->retained[0] == total);
    for (uint32_t v = 1; v <= g->n_nodes; v++) {
        uint64_t *edges;
        uint32_t *from, n = heap_path(g, v, &edges, &from);
        if (!all[v]) {
            CHECK(g->retained[v] == 0 && n == 0);
        } else {
            CHECK(g->retained[v] == total - reached(g, v, seen));
            CHECK(n > 0 && from[0] == 0 && g->to[edges[n - 1]] == v);
            for (uint32_t i = 1; i < n; i++)
                CHECK(from[i] == g->to[edges[i - 1]] && edges[i] >= g->start[from[i]] && edges[i] < g->start[from[i] + 1]);
        }
        free(edges);
        free(from);
    }
    heap_graph_free(g);
}

static void test_random(void) {
    for (int round = 0; round < 400; round++) {
        Edge edges[600];
        uint32_t nodes = 1 + rnd(120), n = rnd(nodes * (1 + rnd(4)) + 1);
        if (n > 590) n = 590;
        for (uint32_t i = 0; i < n; i++) edges[i] = (Edge){rnd(4) ? rnd(nodes + 1) : 0, 1 + rnd(nodes)};
        HeapGraph g = make(nodes, edges, n);
        check_graph(&g);
    }
}

static void test_diamond(void) {
    static const Edge edges[] = {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}, {5, 4}};
    HeapGraph g = make(6, edges, 7);
    CHECK(heap_dominators(&g));
    CHECK(g.dominator[4] == 1 && g.dominator[5] == 4 && g.dominator[1] == 0 && g.n_reached == 6);
    CHECK(g.retained[6] == 0);
    heap_graph_free(&g);
}

/* A list of two million elements: nothing may recurse. */
static void test_long_list(void) {
    enum { N = 2000000 };
    HeapGraph g = {.n_nodes = N, .n_edges = N};
    g.start = malloc((N + 2ull) * sizeof *g.start);
    g.to = malloc(N * sizeof *g.to);
    g.label = calloc(N, sizeof *g.label);
    g.size = malloc((N + 1) * sizeof *g.size);
    for (uint32_t v = 0; v <= N; v++) {
        g.start[v] = v;
        g.size[v] = v > 0;
        if (v < N) g.to[v] = v + 1;
    }
    g.start[N + 1] = N;
    g.start[N] = N;
    CHECK(heap_dominators(&g));
    CHECK(g.retained[1] == 8ull * N && g.retained[N] == 8 && g.dominator[N] == N - 1);
    heap_graph_free(&g);
}

int main(void) {
    test_diamond();
    test_random();
    test_long_list();
    return cf_test_end();
}
