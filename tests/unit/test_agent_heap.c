/* SPDX-License-Identifier: Apache-2.0 */
/* test_agent_heap - dominators, retained sizes, paths, types and holders of the heap agent, against the definitions. */
#include "../../agents/heap/heap_dominators.c"
#include "../../agents/heap/heap_holders.c"
#include "../../agents/heap/heap_types.c"
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
    g.n_classes = 4; /* nodes 1 to 4 are class objects, if there are so many: of the first class, and its own */
    g.class_of = calloc(nodes + 5ull, sizeof *g.class_of);
    g.class_names = calloc(5, sizeof *g.class_names);
    for (uint32_t k = 1; k <= 4; k++) g.class_names[k] = strdup(k == 1 ? "java.lang.Class" : k == 2 ? "A" : k == 3 ? "B" : "A");
    for (uint32_t v = 1; v <= nodes; v++) g.class_of[v] = v <= 4 ? 1 : 2 + v % 3;
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

/* What the class of each topmost instance retains, by the dominator tree itself. */
static uint64_t class_retains(const HeapGraph *g, const char *name) {
    uint64_t sum = 0;
    for (uint32_t v = 1; v <= g->n_nodes; v++) {
        bool topmost = g->retained[v] && !strcmp(heap_class_name(g, v), name);
        for (uint32_t d = topmost ? g->dominator[v] : 0; d; d = g->dominator[d])
            topmost &= strcmp(heap_class_name(g, d), name) != 0;
        if (topmost) sum += g->retained[v];
    }
    return sum;
}

static void check_types(const HeapGraph *g) {
    HeapTypes t, same;
    uint32_t n, grown;
    CHECK(heap_types(g, &t) && heap_types(g, &same) && heap_types_compare(&t, &same));
    CHECK(t.types.data[HEAP_TYPE_ROOTS].now.retained == g->retained[0] + t.types.data[HEAP_TYPE_WEAKLY].now.retained);
    HeapRow *rows = heap_rows(&t, &n);
    uint64_t objects = 0;
    for (uint32_t i = 0; i < n; i++) {
        objects += rows[i].now.objects;
        CHECK(rows[i].now.retained == class_retains(g, rows[i].name));
        CHECK(!memcmp(&rows[i].now, &rows[i].before, sizeof rows[i].now));
    }
    CHECK(objects == g->n_nodes);
    free(heap_types_below(&t, 0, HEAP_GROWTH, &grown));
    CHECK(grown == 0);
    free(rows);
    heap_types_free(&t);
    heap_types_free(&same);
}

static void check_graph(HeapGraph *g) {
    uint8_t seen[512], all[512];
    uint64_t total = reached(g, UINT32_MAX, all);
    HeapPaths paths;
    CHECK(heap_dominators(g) && heap_paths(g, &paths));
    CHECK(g->retained[0] == total);
    check_types(g);
    for (uint32_t v = 1; v <= g->n_nodes; v++) {
        uint32_t n;
        HeapStep *step = heap_path(&paths, v, &n);
        if (!all[v]) {
            CHECK(g->retained[v] == 0 && n == 0);
        } else {
            CHECK(g->retained[v] == total - reached(g, v, seen));
            CHECK(n > 0 && step[0].from == 0 && g->to[step[n - 1].edge] == v);
            for (uint32_t i = 1; i < n; i++) {
                uint32_t from = step[i].from;
                CHECK(from == g->to[step[i - 1].edge] && step[i].edge >= g->start[from] && step[i].edge < g->start[from + 1]);
            }
        }
        free(step);
    }
    heap_paths_free(&paths);
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
    uint32_t last;
    g.class_of = calloc(N + 1ull, sizeof *g.class_of);
    for (uint32_t v = 1; v <= N; v++) g.class_of[v] = 1;
    CHECK(heap_chain(&g, 1, &last) == N && last == N && heap_heart(&g, 0) == 1);
    HeapTypes t;
    CHECK(heap_types(&g, &t) && t.types.len == HEAP_TYPES_FIXED + 1 && t.types.data[HEAP_TYPES_FIXED].now.objects == N);
    heap_types_free(&t);
    heap_graph_free(&g);
}

/* Two lists below one object, at two moments: what is new stands below what holds it. */
static void test_growth(void) {
    static const Edge edges[] = {{0, 1}, {1, 5}, {5, 6}, {5, 7}, {5, 8}};
    HeapGraph before = make(7, edges, 4), now = make(8, edges, 5);
    HeapTypes a, b;
    uint32_t n;
    now.is_new = calloc(9, 1);
    now.is_new[8] = 1;
    CHECK(heap_dominators(&before) && heap_dominators(&now));
    CHECK(heap_types(&before, &a) && heap_types(&now, &b) && heap_types_compare(&b, &a));
    uint32_t *grown = heap_types_below(&b, HEAP_TYPE_ROOTS, HEAP_GROWTH, &n);
    CHECK(n == 1 && !strcmp(heap_type_name(&b, grown[0]), "class java.lang.Class"));
    CHECK(heap_more(b.types.data[grown[0]].now.retained, b.types.data[grown[0]].before.retained) == 8 * (8 % 7 + 1));
    HeapRow *rows = heap_rows(&b, &n);
    heap_rows_sort(rows, n, HEAP_BY_GROWTH);
    CHECK(!strcmp(rows[0].name, "A") && heap_more(rows[0].now.objects, rows[0].before.objects) == 1);
    HeapSuspect s[HEAP_MAX_SUSPECTS];
    uint32_t found;
    CHECK(heap_suspects(&now, rows, n, s, &found) && found == 1 && s[0].pile.total == 1 && s[0].pile.instance == 8);
    free(grown);
    free(rows);
    heap_types_free(&a);
    heap_types_free(&b);
    heap_graph_free(&before);
    heap_graph_free(&now);
}

int main(void) {
    test_growth();
    test_diamond();
    test_random();
    test_long_list();
    return cf_test_end();
}
