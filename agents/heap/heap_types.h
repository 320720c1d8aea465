/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_types.h - what is on the heap, by class: the dominator tree with equal ways from the roots united.
 *
 *     (roots)
 *       class Cache                        1 object, retains 23 MB
 *         java.util.HashMap                1
 *           java.util.HashMap$Node[]       1
 *             java.util.HashMap$Node       20,000 objects
 *
 * A type is a way of class names down the dominator tree, with the objects that stand at its end. It does not know
 * single objects, so it is small, can be kept and saved, and two of them can be compared, of one run or of two. An object
 * of the same class as its dominator belongs to the type of that one: a list of a million links is one type. Below HEAP_TYPE_DEPTH
 * types are siblings of what dominates them.
 *
 * Classes follow from it: the objects of a class are those of all its types; what it retains is what its topmost types retain.
 */
#ifndef GRAFT_HEAP_TYPES_H
#define GRAFT_HEAP_TYPES_H

#include "heap_graph.h"
#include "names.h"

typedef struct HeapFigures {
    uint64_t objects, bytes, retained; /* bytes: own size */
} HeapFigures;

typedef struct HeapType {
    uint32_t parent, depth; /* a parent stands before its children */
    uint32_t first, next;   /* child, sibling; 0: none */
    uint32_t name;          /* of names; "class a.B" is the class object of a.B */
    HeapFigures now, before;
} HeapType;

enum { HEAP_TYPE_ROOTS, HEAP_TYPE_WEAKLY, HEAP_TYPES_FIXED }; /* the first types */
enum { HEAP_TYPE_DEPTH = 60 };

typedef struct HeapTypes {
    AgentNames names;
    CF_VEC(HeapType) types;
    CfTable table; /* of type numbers + 1 */
    uint64_t references;
    uint32_t classes;
} HeapTypes;

/* The first types only. False without memory. */
bool heap_types_new(HeapTypes *t);
/* Of a graph with dominators. False without memory. */
bool heap_types(const HeapGraph *g, HeapTypes *out);
/* Figures of an older snapshot, into `before` of types of the same way. */
bool heap_types_compare(HeapTypes *now, const HeapTypes *before);
/* One more of this kind below `parent` (a number); its number, or 0 without memory. */
uint32_t heap_type_add(HeapTypes *t, uint32_t parent, const char *name);
/* What types retain, of what they have themselves; after the last change of `now`. */
void heap_types_sum(HeapTypes *t);
void heap_types_free(HeapTypes *t);

static inline const char *heap_type_name(const HeapTypes *t, uint32_t i) { return t->names.texts.data[t->types.data[i].name]; }
static inline int64_t heap_more(uint64_t now, uint64_t before) { return (int64_t)(now - before); }

/* A class. Classes of one name are united, whatever their loaders. */
typedef struct HeapRow {
    const char *name;
    HeapFigures now, before;
} HeapRow;
typedef enum HeapOrder { HEAP_BY_RETAINED, HEAP_BY_BYTES, HEAP_BY_GROWTH, HEAP_BY_SHRINKING } HeapOrder;

/* All classes with objects, malloc'ed; NULL without memory. */
HeapRow *heap_rows(const HeapTypes *t, uint32_t *n);
void heap_rows_sort(HeapRow *rows, uint32_t n, HeapOrder by);

/* What a tree of types shows: what they retain, or by how much that grew. */
typedef enum HeapMeasure { HEAP_RETAINED, HEAP_GROWTH } HeapMeasure;
static inline int64_t heap_type_measure(const HeapTypes *t, uint32_t i, HeapMeasure m) {
    const HeapType *x = &t->types.data[i];
    return heap_more(x->now.retained, m == HEAP_GROWTH ? x->before.retained : 0);
}
/* The children of a type that have any of it, most first, malloc'ed: their numbers; NULL without memory. */
uint32_t *heap_types_below(const HeapTypes *t, uint32_t parent, HeapMeasure m, uint32_t *n);
/* At most `rows` types have more than this. */
int64_t heap_types_limit(const HeapTypes *t, HeapMeasure m, uint32_t rows);

#endif
