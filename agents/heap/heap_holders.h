/* SPDX-License-Identifier: Apache-2.0 */
/* heap_holders.h - who holds much: questions to the dominator tree of a HeapGraph. */
#ifndef GRAFT_HEAP_HOLDERS_H
#define GRAFT_HEAP_HOLDERS_H

#include "heap_graph.h"
#include "heap_types.h"

/* What an object (0: the roots) dominates, most retained bytes first; of a list that ends with `last`, what its links hold but
 * for the next link. Malloc'ed, NULL without memory. */
uint32_t *heap_held(const HeapGraph *g, uint32_t node, uint32_t last, uint32_t *n);

/* The object below `node` (or itself) where its bytes pile up: down the dominator tree as long as one child retains most. */
uint32_t heap_heart(const HeapGraph *g, uint32_t node);

/* Objects of one class of which each dominates the next: a list. `last` of it, and how many there are (1: just node). */
uint32_t heap_chain(const HeapGraph *g, uint32_t node, uint32_t *last);

/* Where the new instances of a class pile up; 0: nowhere in particular. */
typedef struct HeapPile {
    uint32_t at, instance; /* one of them */
    uint32_t total, there; /* new instances, those that `at` dominates */
} HeapPile;

/* A class that grew, with new instances. */
typedef struct HeapSuspect {
    const char *class_name;
    HeapPile pile;
    bool same_as_before; /* piles up where an earlier one does */
} HeapSuspect;
enum { HEAP_MAX_SUSPECTS = 5 };
/* Of classes by growth. False without memory. */
bool heap_suspects(const HeapGraph *g, const HeapRow *rows, uint32_t n, HeapSuspect *out, uint32_t *found);

#endif
