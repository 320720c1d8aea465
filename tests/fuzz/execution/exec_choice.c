/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_gen.h"

#include <stdlib.h>

bool nodes_list;
static uint64_t state;
static int nest;
static uint64_t *left_out;
static size_t nleft_out;

static uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void choice_start(uint64_t seed) {
    state = mixed(seed + 0x9e3779b97f4a7c15u);
    nest = 0;
}

void choice_from(uint64_t number) { state = number; }

uint64_t choice(void) { return mixed(state += 0x9e3779b97f4a7c15u); }

uint32_t below(uint32_t n) { return (uint32_t)((choice() >> 32) * n >> 32); }

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

bool node_enter(Node *n, const char *kind) {
    uint64_t name = choice();
    if (nleft_out && bsearch(&name, left_out, nleft_out, sizeof name, by_value)) return false;
    if (nodes_list) printf("%d %llu %s\n", nest, (unsigned long long)name, kind);
    n->parent = state;
    state = name;
    nest++;
    return true;
}

void node_leave(const Node *n) {
    state = n->parent;
    nest--;
}

bool nodes_leave_out(const char *file) {
    FILE *f = fopen(file, "r");
    unsigned long long name;
    if (!f) return false;
    while (fscanf(f, "%llu", &name) == 1) {
        left_out = realloc(left_out, (nleft_out + 1) * sizeof *left_out);
        left_out[nleft_out++] = name;
    }
    fclose(f);
    qsort(left_out, nleft_out, sizeof *left_out, by_value);
    return true;
}
