/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flamegraph.c - a tree of frames, written as collapsed stacks or as a page; see flamegraph.h.
 *
 * A node is found by (parent, name) in a hash table. The page gets the tree in preorder as rows [depth, name, own weight,
 * own count]; its script (flamegraph_page.h) does the rest.
 */
#include "flamegraph.h"

#include <stdlib.h>

#include "agent.h"
#include "cf_arena.h"
#include "flamegraph_page.h"
#include "names.h"
#include "utf8.h"

typedef struct FlameStack Node;
struct FlameStack {
    struct FlameStack *parent, *first, *next; /* first child, next sibling */
    uint32_t name;
    uint64_t weight, count; /* of stacks that end here */
};

struct Flame {
    CfArena arena;        /* of the nodes */
    CF_VEC(Node *) nodes; /* [0]: the root */
    CfTable table;
    AgentNames names;
};

static bool same(const void *item, const void *key) {
    const Node *a = item, *b = key;
    return a->parent == b->parent && a->name == b->name;
}

/* NULL without memory. `parent` NULL: the root, which is made once. */
static Node *child(Flame *f, Node *parent, const char *text) {
    Node key = {.parent = parent, .next = parent ? parent->first : NULL, .name = agent_name(&f->names, text)};
    uint32_t hash = cf_hash_u64((uintptr_t)parent ^ (uint64_t)key.name << 40);
    Node *n = cf_table_find(&f->table, hash, same, &key);
    if (n || key.name == UINT32_MAX) return n;
    n = CF_NEW(&f->arena, Node);
    if (!n || !cf_vec_push(&f->nodes, n) || !cf_table_add(&f->table, hash, n)) return NULL;
    *n = key;
    if (parent) parent->first = n;
    return n;
}

/* ---- use ---------------------------------------------------------------------------------- */

Flame *flame_new(void) {
    Flame *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    cf_arena_init(&f->arena, "flame graph", 1 << 16);
    if (child(f, NULL, "all")) return f;
    return flame_free(f), NULL;
}

void flame_free(Flame *f) {
    if (!f) return;
    agent_names_free(&f->names);
    cf_table_free(&f->table);
    cf_vec_free(&f->nodes);
    cf_arena_free(&f->arena);
    free(f);
}

FlameStack *flame_stack(Flame *f, const char *const *frames, size_t n) {
    Node *at = f->nodes.data[0];
    for (size_t i = 0; at && i < n; i++) at = child(f, at, frames[i]);
    return at;
}

void flame_weigh(FlameStack *s, uint64_t weight, uint64_t count) {
    s->weight += weight;
    s->count += count;
}

bool flame_add(Flame *f, const char *const *frames, size_t n, uint64_t weight, uint64_t count) {
    FlameStack *at = flame_stack(f, frames, n);
    if (at) flame_weigh(at, weight, count);
    return at != NULL;
}

void flame_clear(Flame *f) {
    for (uint32_t i = 0; i < f->nodes.len; i++) f->nodes.data[i]->weight = f->nodes.data[i]->count = 0;
}

bool flame_each(const Flame *f, FlameEach each, void *ctx) {
    const char **frames = malloc(f->nodes.len * sizeof *frames);
    bool ok = frames != NULL;
    for (uint32_t i = 1; ok && i < f->nodes.len; i++) {
        const Node *n = f->nodes.data[i];
        uint32_t depth = 0, at;
        if (!n->count && !n->weight) continue;
        for (const Node *k = n; k->parent; k = k->parent) depth++;
        at = depth;
        for (const Node *k = n; k->parent; k = k->parent) frames[--at] = f->names.texts.data[k->name];
        ok = each(ctx, frames, depth, n->weight, n->count);
    }
    free(frames);
    return ok;
}

/* ---- collapsed stacks ------------------------------------------------------------------------ */

static void put_frame(const char *s, FILE *out) {
    for (; *s; s++) putc(*s == ';' ? ':' : *s == '\n' || *s == '\r' ? ' ' : *s, out);
}

static bool put_stack(void *ctx, const char *const *frames, size_t n, uint64_t weight, uint64_t count) {
    FILE *out = ctx;
    for (size_t i = 0; i < n; i++) {
        if (i) putc(';', out);
        put_frame(frames[i], out);
    }
    fprintf(out, " %llu\n", (unsigned long long)weight);
    return !ferror(out);
}

bool flame_collapsed(const Flame *f, FILE *out) { return flame_each(f, put_stack, out); }

/* ---- page ---------------------------------------------------------------------------------------- */

/* No tag can end the script. */
static void put_json(const char *s, FILE *out) { agent_put_json(out, s, "<"); }
static void put_html(const char *s, FILE *out) { agent_put_markup(out, s, strlen(s)); }

static void put_rows(const Flame *f, FILE *out) {
    const Node *at = f->nodes.data[0];
    for (uint32_t depth = 0, n = 0;; n++) {
        fprintf(out, "%u,%u,%llu,%llu,", depth, at->name, (unsigned long long)at->weight, (unsigned long long)at->count);
        if (n % 16 == 0) putc('\n', out);
        if (at->first) {
            at = at->first;
            depth++;
            continue;
        }
        for (; at->parent && !at->next; at = at->parent) depth--;
        if (!at->parent) return;
        at = at->next;
    }
}

bool flame_html(const Flame *f, const FlameText *text, FILE *out) {
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          out);
    put_html(text->title, out);
    fputs("</title>\n<style>\n", out);
    fputs(flame_style, out);
    fputs("</style></head><body>\n<header><h1>", out);
    put_html(text->title, out);
    fputs("</h1>", out);
    fputs(flame_body, out);
    fputs("<script>\nconst UNIT=", out);
    put_json(text->unit, out);
    fputs(",NOTE=", out);
    put_json(text->note ? text->note : "", out);
    fputs(";\nconst NAMES=[", out);
    for (uint32_t i = 0; i < f->names.texts.len; i++) {
        put_json(f->names.texts.data[i], out);
        fputs(",\n", out);
    }
    fputs("];\nconst ROWS=[", out);
    put_rows(f, out);
    fputs("];\n", out);
    fputs(flame_script, out);
    fputs("</script></body></html>\n", out);
    return !ferror(out);
}
