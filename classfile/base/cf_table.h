/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_table.h - the one hash table: open addressing over (hash, item pointer) slots.
 *
 * The table stores borrowed pointers to the caller's items; the caller supplies the hash and an
 * equality test between an item and a key. Write typed inline wrappers around it per use.
 * An item must not be NULL. Not thread-safe. A zeroed CfTable is a valid empty table.
 * Removal shifts nothing: a tombstone is left and reused, the table is rehashed when they pile up.
 */
#ifndef CF_TABLE_H
#define CF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CfTableSlot {
    void *item; /* NULL = never used, CF_TABLE_DEAD = removed */
    uint32_t hash;
} CfTableSlot;

typedef struct CfTable {
    CfTableSlot *slots;
    uint32_t cap;   /* power of two, or 0 */
    uint32_t count; /* live items */
    uint32_t used;  /* live + dead */
} CfTable;

typedef bool (*CfTableEq)(const void *item, const void *key);

/* The item equal to `key`, or NULL. */
void *cf_table_find(const CfTable *t, uint32_t hash, CfTableEq eq, const void *key);
/* Room for `count` items, which are no fewer than there are. False if memory is exhausted. */
bool cf_table_reserve(CfTable *t, uint32_t count);
/* Adds an item that the caller knows not to be there. False if memory is exhausted. */
bool cf_table_add(CfTable *t, uint32_t hash, void *item);
/* Takes out and returns the item equal to `key`, or NULL. */
void *cf_table_remove(CfTable *t, uint32_t hash, CfTableEq eq, const void *key);
/* Walk: `uint32_t it = 0; while ((x = cf_table_next(t, &it)))`. Removing during a walk is allowed,
 * adding is not. */
void *cf_table_next(const CfTable *t, uint32_t *it);
/* Frees the slots (not the items). */
void cf_table_free(CfTable *t);

/* Hash of bytes, and mixing of integers. */
uint32_t cf_hash_bytes(const void *p, size_t n);
static inline uint32_t cf_hash_u64(uint64_t v) {
    v *= 0x9e3779b97f4a7c15u;
    return (uint32_t)(v >> 32) ^ (uint32_t)v;
}

#ifdef __cplusplus
}
#endif

#endif
