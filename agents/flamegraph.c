/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flamegraph.c - a tree of frames, written as collapsed stacks or as a page; see flamegraph.h.
 *
 * Nodes and names are numbers into growing arrays. A node is found by (parent, name) in one hash table,
 * a name by its text in another. The page gets the tree in preorder as rows [depth, name, own weight,
 * own count]; its script (flamegraph_page.h) does the rest.
 */
#include "flamegraph.h"

#include <stdlib.h>
#include <string.h>

#include "flamegraph_page.h"

typedef struct Node {
    uint32_t name, parent, first, next; /* first child, next sibling; 0 = none */
    uint64_t weight, count;             /* of stacks that end here */
    uint64_t total;                     /* with all below; while writing */
} Node;

struct Flame {
    Node *nodes; /* [0]: the root */
    uint32_t n_nodes, cap_nodes;
    char **names;
    uint32_t n_names, cap_names;
    uint32_t *node_table, *name_table; /* number + 1; sizes are powers of two */
    uint32_t node_slots, name_slots;
    uint64_t weight;
};

/* ---- tables ----------------------------------------------------------------------------- */

static uint32_t hash_text(const char *s) {
    uint32_t h = 2166136261u;
    while (*s) h = (h ^ (unsigned char)*s++) * 16777619u;
    return h ^ h >> 15;
}
static uint32_t hash_node(uint32_t parent, uint32_t name) {
    uint64_t h = ((uint64_t)parent << 32 | name) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

static bool room(void *array, uint32_t n, uint32_t *cap, size_t item) {
    if (n < *cap) return true;
    uint32_t more = *cap ? *cap * 2 : 256;
    void *p = realloc(*(void **)array, more * item);
    if (!p) return false;
    *(void **)array = p;
    *cap = more;
    return true;
}

static uint32_t node_hash_of(const Flame *f, uint32_t i) { return hash_node(f->nodes[i].parent, f->nodes[i].name); }
static uint32_t name_hash_of(const Flame *f, uint32_t i) { return hash_text(f->names[i]); }

/* Keeps the table at most half full. */
static bool rehash(const Flame *f, uint32_t **table, uint32_t *slots, uint32_t n, uint32_t (*hash)(const Flame *, uint32_t)) {
    if (n * 2 < *slots) return true;
    uint32_t more = *slots ? *slots * 2 : 1024;
    uint32_t *t = calloc(more, sizeof *t);
    if (!t) return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = hash(f, i) & (more - 1);
        while (t[at]) at = (at + 1) & (more - 1);
        t[at] = i + 1;
    }
    free(*table);
    *table = t;
    *slots = more;
    return true;
}

/* Number of the name; UINT32_MAX without memory. */
static uint32_t name_number(Flame *f, const char *text) {
    if (!rehash(f, &f->name_table, &f->name_slots, f->n_names, name_hash_of)) return UINT32_MAX;
    uint32_t at = hash_text(text) & (f->name_slots - 1);
    for (; f->name_table[at]; at = (at + 1) & (f->name_slots - 1))
        if (!strcmp(f->names[f->name_table[at] - 1], text)) return f->name_table[at] - 1;
    char *copy = strdup(text);
    if (!copy || !room(&f->names, f->n_names, &f->cap_names, sizeof *f->names)) {
        free(copy);
        return UINT32_MAX;
    }
    f->names[f->n_names] = copy;
    f->name_table[at] = f->n_names + 1;
    return f->n_names++;
}

static uint32_t child(Flame *f, uint32_t parent, uint32_t name) {
    if (!rehash(f, &f->node_table, &f->node_slots, f->n_nodes, node_hash_of)) return UINT32_MAX;
    uint32_t at = hash_node(parent, name) & (f->node_slots - 1);
    for (uint32_t i; f->node_table[at]; at = (at + 1) & (f->node_slots - 1)) {
        i = f->node_table[at] - 1;
        if (i && f->nodes[i].parent == parent && f->nodes[i].name == name) return i;
    }
    if (!room(&f->nodes, f->n_nodes, &f->cap_nodes, sizeof *f->nodes)) return UINT32_MAX;
    f->nodes[f->n_nodes] = (Node){.name = name, .parent = parent, .next = f->nodes[parent].first};
    f->nodes[parent].first = f->n_nodes;
    f->node_table[at] = f->n_nodes + 1;
    return f->n_nodes++;
}

/* ---- use ---------------------------------------------------------------------------------- */

Flame *flame_new(void) {
    Flame *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    uint32_t root = name_number(f, "all");
    if (root == UINT32_MAX || !room(&f->nodes, 0, &f->cap_nodes, sizeof *f->nodes)) {
        flame_free(f);
        return NULL;
    }
    f->nodes[f->n_nodes++] = (Node){.name = root};
    return f;
}

void flame_free(Flame *f) {
    if (!f) return;
    for (uint32_t i = 0; i < f->n_names; i++) free(f->names[i]);
    free(f->names);
    free(f->nodes);
    free(f->node_table);
    free(f->name_table);
    free(f);
}

bool flame_add(Flame *f, const char *const *frames, size_t n, uint64_t weight, uint64_t count) {
    uint32_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t name = name_number(f, frames[i]);
        if (name == UINT32_MAX || (at = child(f, at, name)) == UINT32_MAX) return false;
    }
    f->nodes[at].weight += weight;
    f->nodes[at].count += count;
    f->weight += weight;
    return true;
}

/* ---- collapsed stacks ------------------------------------------------------------------------ */

static void put_frame(const char *s, FILE *out) {
    for (; *s; s++) putc(*s == ';' ? ':' : *s == '\n' || *s == '\r' ? ' ' : *s, out);
}

bool flame_collapsed(const Flame *f, FILE *out) {
    uint32_t *path = malloc(f->n_nodes * sizeof *path);
    if (!path) return false;
    for (uint32_t i = 1; i < f->n_nodes; i++) {
        uint32_t depth = 0;
        if (!f->nodes[i].count && !f->nodes[i].weight) continue;
        for (uint32_t k = i; k; k = f->nodes[k].parent) path[depth++] = k;
        while (depth-- > 0) {
            put_frame(f->names[f->nodes[path[depth]].name], out);
            if (depth) putc(';', out);
        }
        fprintf(out, " %llu\n", (unsigned long long)f->nodes[i].weight);
    }
    free(path);
    return !ferror(out);
}

/* ---- page ---------------------------------------------------------------------------------------- */

static void put_json(const char *s, FILE *out) {
    putc('"', out);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
        else if (c < 0x20 || c == '<') /* no tag can end the script */ fprintf(out, "\\u%04x", c);
        else putc(c, out);
    }
    putc('"', out);
}
static void put_html(const char *s, FILE *out) {
    for (; *s; s++)
        if (*s == '<') fputs("&lt;", out);
        else if (*s == '&') fputs("&amp;", out);
        else putc(*s, out);
}

/* Children have greater numbers than their parents, so one pass backwards sums up. */
static void sum_up(Flame *f) {
    for (uint32_t i = 0; i < f->n_nodes; i++) f->nodes[i].total = f->nodes[i].weight;
    for (uint32_t i = f->n_nodes; i-- > 1;) f->nodes[f->nodes[i].parent].total += f->nodes[i].total;
}

static void put_rows(const Flame *f, FILE *out) {
    uint32_t at = 0, depth = 0;
    for (;;) {
        const Node *n = &f->nodes[at];
        fprintf(out, "%u,%u,%llu,%llu,", depth, n->name, (unsigned long long)n->weight, (unsigned long long)n->count);
        if (at % 16 == 0) putc('\n', out);
        if (n->first) {
            at = n->first;
            depth++;
            continue;
        }
        while (at && !f->nodes[at].next) {
            at = f->nodes[at].parent;
            depth--;
        }
        if (!at) return;
        at = f->nodes[at].next;
    }
}

bool flame_html(const Flame *f, const FlameText *text, FILE *out) {
    sum_up((Flame *)f);
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          out);
    put_html(text->title, out);
    fputs("</title>\n<style>\n", out);
    fputs(flame_style, out);
    fputs("</style></head><body>\n", out);
    fputs(flame_body, out);
    fputs("<script>\nconst TITLE=", out);
    put_json(text->title, out);
    fputs(",UNIT=", out);
    put_json(text->unit, out);
    fputs(",NOTE=", out);
    put_json(text->note ? text->note : "", out);
    fputs(";\nconst NAMES=[", out);
    for (uint32_t i = 0; i < f->n_names; i++) {
        put_json(f->names[i], out);
        fputs(",\n", out);
    }
    fputs("];\nconst ROWS=[", out);
    put_rows(f, out);
    fputs("];\n", out);
    fputs(flame_script, out);
    fputs("</script></body></html>\n", out);
    return !ferror(out);
}
