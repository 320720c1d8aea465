/* SPDX-License-Identifier: Apache-2.0 */
/* cf_arena.c - chunks behind bump allocation. */
#include "cf_arena.h"

#include <stdlib.h>

#if defined(CF_ARENA_SLOW_ONLY) && !defined(CF_ARENA_EACH)
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
enum { REDZONE = 16 };
#else
#define POISON(p, n) ((void)0)
#define UNPOISON(p, n) ((void)0)
enum { REDZONE = 0 };
#endif

enum { DEFAULT_CHUNK = 8 * 1024, MAX_CHUNK = 256 * 1024 };

struct CfArenaChunk {
    CfArenaChunk *next;
    size_t size; /* of the usable part behind this header */
};

void cf_arena_init(CfArena *a, const char *name, size_t chunk_size) {
    *a = (CfArena){.name = name, .chunk_size = chunk_size ? chunk_size : DEFAULT_CHUNK};
}

static void free_chunks(CfArenaChunk *c) {
    while (c) {
        CfArenaChunk *next = c->next;
        UNPOISON(c + 1, c->size);
        free(c);
        c = next;
    }
}

void cf_arena_free(CfArena *a) {
    free_chunks(a->chunks);
    a->chunks = NULL;
    a->cur = a->end = NULL;
    a->total = 0;
}

void cf_arena_reset(CfArena *a) {
    CfArenaChunk *c = a->chunks;
    if (!c) return;
    free_chunks(c->next);
    c->next = NULL;
    a->total = c->size;
    a->cur = (char *)(c + 1);
    a->end = a->cur + c->size;
    POISON(a->cur, c->size);
}

/* Big requests get a chunk of their own, linked behind the newest so that its free part stays in
 * use. */
static char *new_chunk(CfArena *a, size_t need) {
#ifdef CF_ARENA_EACH
    size_t size = need;
#else
    size_t size = need > a->chunk_size ? need : a->chunk_size;
#endif
    if (size > SIZE_MAX / 2 || (a->limit && (a->total > a->limit || size > a->limit - a->total))) return NULL;
    CfArenaChunk *c = malloc(sizeof *c + size);
    if (!c) return NULL;
    c->size = size;
    a->total += size;
    char *p = (char *)(c + 1);
    POISON(p, size);
    if ((need > a->chunk_size / 2 || need == size) && a->chunks) {
        c->next = a->chunks->next;
        a->chunks->next = c;
        return p;
    }
    c->next = a->chunks;
    a->chunks = c;
    a->cur = p + need;
    a->end = p + size;
    if (a->chunk_size < MAX_CHUNK) a->chunk_size *= 2;
    return p;
}

void *cf_arena_slow(CfArena *a, size_t size) {
    size_t n = size > SIZE_MAX / 4 ? 0 : ((size + 7) & ~(size_t)7) + REDZONE;
    char *p;
    if (size > SIZE_MAX / 4) {
        p = NULL;
    } else if (a->cur && n <= (size_t)(a->end - a->cur)) {
        p = a->cur;
        a->cur += n;
    } else {
        p = new_chunk(a, n);
    }
    if (p) UNPOISON(p, size);
    else a->failed++;
    return p;
}

void *cf_arena_copy(CfArena *a, const void *p, size_t n) {
    char *q = cf_arena_alloc(a, n + 1);
    if (q) {
        if (n) memcpy(q, p, n);
        q[n] = 0;
    }
    return q;
}

void cf_arena_visit(const CfArena *a, void (*fn)(const void *p, size_t size, void *arg), void *arg) {
    for (const CfArenaChunk *c = a->chunks; c; c = c->next) fn(c + 1, c->size, arg);
}
