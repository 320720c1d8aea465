/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_arena.h - bump allocation with one free at the end.
 *
 * An arena owns a list of chunks; memory is handed out 8-aligned, never returned singly, and
 * released all at once. Not thread-safe: an arena belongs to one thread at a time.
 * Allocation fails (NULL) only when malloc fails or when `limit` bytes would be passed.
 * Under ASan the unused rest of a chunk is poisoned and allocations are separated by redzones.
 */
#ifndef CF_ARENA_H
#define CF_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(CF_ARENA_EACH) /* a chunk for each allocation: tests let every one of them fail */
#define CF_ARENA_SLOW_ONLY 1
#elif defined(__SANITIZE_ADDRESS__)
#define CF_ARENA_SLOW_ONLY 1 /* redzones need the slow path */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CF_ARENA_SLOW_ONLY 1
#endif
#endif

typedef struct CfArenaChunk CfArenaChunk;

typedef struct CfArena {
    char *cur, *end;      /* free part of the newest chunk */
    CfArenaChunk *chunks; /* newest first */
    size_t chunk_size;    /* size of the next ordinary chunk */
    size_t total;         /* bytes got from malloc */
    size_t limit;         /* 0 = none */
    const char *name;     /* for accounting and debugging */
    uint32_t failed;      /* requests that were answered with NULL; wraps */
} CfArena;

/* Makes an empty arena; no memory is taken before the first allocation. `chunk_size` 0 = 8 KiB. */
void cf_arena_init(CfArena *a, const char *name, size_t chunk_size);
/* Releases everything; the arena is empty and may be used again. */
void cf_arena_free(CfArena *a);
/* Forgets all allocations but keeps the newest chunk for reuse. */
void cf_arena_reset(CfArena *a);

void *cf_arena_slow(CfArena *a, size_t size); /* internal: a new chunk is needed */

/* Calls fn with each piece of memory that allocations may lie in. */
void cf_arena_visit(const CfArena *a, void (*fn)(const void *p, size_t size, void *arg), void *arg);

/* `size` bytes, uninitialised, 8-aligned; size 0 gives a valid pointer. NULL on failure. */
static inline void *cf_arena_alloc(CfArena *a, size_t size) {
#ifndef CF_ARENA_SLOW_ONLY
    size_t n = (size + 7) & ~(size_t)7;
    if (n >= size && n <= (size_t)(a->end - a->cur) && a->cur) {
        void *p = a->cur;
        a->cur += n;
        return p;
    }
#endif
    return cf_arena_slow(a, size);
}

/* `count` zeroed elements of `size` bytes; NULL also on multiplication overflow. */
static inline void *cf_arena_calloc(CfArena *a, size_t count, size_t size) {
    size_t n;
    if (__builtin_mul_overflow(count, size, &n)) return NULL;
    void *p = cf_arena_alloc(a, n);
    return p ? memset(p, 0, n) : NULL;
}

/* Gives back all but the first `now` of the `was` bytes at `p`, if that was the latest allocation. */
static inline void cf_arena_shrink(CfArena *a, void *p, size_t was, size_t now) {
#ifdef CF_ARENA_SLOW_ONLY
    (void)a, (void)p, (void)was, (void)now;
#else
    if (now <= was && (char *)p + ((was + 7) & ~(size_t)7) == a->cur) a->cur = (char *)p + ((now + 7) & ~(size_t)7);
#endif
}

/* A copy of `n` bytes, followed by a NUL that is not counted. */
void *cf_arena_copy(CfArena *a, const void *p, size_t n);

#define CF_NEW(arena, T) ((T *)cf_arena_calloc((arena), 1, sizeof(T)))
#define CF_NEW_ARRAY(arena, T, n) ((T *)cf_arena_calloc((arena), (n), sizeof(T)))

#ifdef __cplusplus
}
#endif

#endif
