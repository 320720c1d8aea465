/* SPDX-License-Identifier: Apache-2.0 */
/* cf_table.c - open addressing with linear probing; load at most 3/4, tombstones included. */
#include "cf_table.h"

#include <stdlib.h>
#include <string.h>

static char dead_mark;
#define DEAD ((void *)&dead_mark)

void *cf_table_find(const CfTable *t, uint32_t hash, CfTableEq eq, const void *key) {
    if (t->cap == 0) return NULL;
    for (uint32_t i = hash & (t->cap - 1);; i = (i + 1) & (t->cap - 1)) {
        const CfTableSlot *s = &t->slots[i];
        if (!s->item) return NULL;
        if (s->hash == hash && s->item != DEAD && eq(s->item, key)) return s->item;
    }
}

static void put(CfTableSlot *slots, uint32_t cap, uint32_t hash, void *item) {
    uint32_t i = hash & (cap - 1);
    while (slots[i].item) i = (i + 1) & (cap - 1);
    slots[i] = (CfTableSlot){item, hash};
}

static bool rehash(CfTable *t, uint32_t count) {
    uint32_t cap = 16;
    while (cap / 2 <= count) {
        if (cap >= UINT32_MAX / 4) return false;
        cap *= 2;
    }
    CfTableSlot *slots = calloc(cap, sizeof *slots);
    if (!slots) return false;
    for (uint32_t i = 0; i < t->cap; i++)
        if (t->slots[i].item && t->slots[i].item != DEAD) put(slots, cap, t->slots[i].hash, t->slots[i].item);
    free(t->slots);
    t->slots = slots;
    t->cap = cap;
    t->used = t->count;
    return true;
}

bool cf_table_reserve(CfTable *t, uint32_t count) { return count < t->cap / 2 || rehash(t, count); }

bool cf_table_add(CfTable *t, uint32_t hash, void *item) {
    if ((t->used + 1) > t->cap / 4 * 3 && !rehash(t, t->count)) return false;
    uint32_t i = hash & (t->cap - 1);
    while (t->slots[i].item && t->slots[i].item != DEAD) i = (i + 1) & (t->cap - 1);
    if (!t->slots[i].item) t->used++;
    t->slots[i] = (CfTableSlot){item, hash};
    t->count++;
    return true;
}

void *cf_table_remove(CfTable *t, uint32_t hash, CfTableEq eq, const void *key) {
    if (t->cap == 0) return NULL;
    for (uint32_t i = hash & (t->cap - 1);; i = (i + 1) & (t->cap - 1)) {
        CfTableSlot *s = &t->slots[i];
        if (!s->item) return NULL;
        if (s->hash == hash && s->item != DEAD && eq(s->item, key)) {
            void *item = s->item;
            s->item = DEAD;
            t->count--;
            return item;
        }
    }
}

void *cf_table_next(const CfTable *t, uint32_t *it) {
    while (*it < t->cap) {
        void *item = t->slots[(*it)++].item;
        if (item && item != DEAD) return item;
    }
    return NULL;
}

void cf_table_free(CfTable *t) {
    free(t->slots);
    memset(t, 0, sizeof *t);
}

/* Eight bytes a step, mixed by multiplication; the last steps let the low bits, which choose the slot,
 * depend on every byte. Values differ between byte orders: they are never stored. */
uint32_t cf_hash_bytes(const void *p, size_t n) {
    static const uint64_t k = 0x9e3779b97f4a7c15u;
    const uint8_t *b = p, *end = b + n;
    uint64_t h = n * k, v = 0;
    unsigned left = n & 7;
    for (; end - b >= 8; b += 8) {
        memcpy(&v, b, 8);
        h = (h ^ v) * k;
        h ^= h >> 32;
    }
    if (n >= 8 && left) memcpy(&v, end - 8, 8), v >>= 64 - 8 * left; /* not by a length that is guessed */
    for (unsigned i = 0; n < 8 && i < left; i++) v |= (uint64_t)b[i] << 8 * i;
    if (left) {
        h = (h ^ v) * k;
        h ^= h >> 32;
    }
    h *= k;
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}
