/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_graph.h - the heap as a graph of numbers, and what follows from it.
 *
 *   node    1..n_nodes: an object; 0 stands for all roots. Nodes 1..n_classes are the class objects, in the
 *           order of `classes`, so "class k" and "the class object of class k" are the same number.
 *   edge    a reference, strong ones only: what a weak, soft or phantom reference names is not held by it.
 *           edges of node v: [start[v], start[v + 1]), with target and label.
 *   label   kind of the reference (JVM TI's number) in the upper 8 bits, its index in the lower 24: field number,
 *           element, pool entry; for roots the number of a HeapRootInfo.
 *   retained size of an object: what would be freed with it, that is the sizes of all objects that are
 *           reached only through it: its subtree in the dominator tree.
 */
#ifndef GRAFT_HEAP_GRAPH_H
#define GRAFT_HEAP_GRAPH_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

enum { HEAP_LABEL_MAX = 0xffffff };
static inline uint32_t heap_label(uint32_t kind, int64_t index) {
    return kind << 24 | (uint32_t)(index < 0 ? HEAP_LABEL_MAX : index > HEAP_LABEL_MAX ? HEAP_LABEL_MAX : index);
}
static inline uint32_t heap_label_kind(uint32_t label) { return label >> 24; }
static inline uint32_t heap_label_index(uint32_t label) { return label & HEAP_LABEL_MAX; }

typedef struct HeapRootInfo {
    uint32_t kind, thread, depth, slot; /* thread: node or 0 */
    jmethodID method;                   /* or NULL */
    jlocation location;
} HeapRootInfo;

typedef struct HeapGraph {
    uint32_t n_nodes, n_classes;
    uint32_t *class_of; /* 0: unknown */
    uint32_t *size;     /* in units of 8 bytes; 0: class object that was not reached */
    uint8_t *is_new;    /* not there at the snapshot before */
    uint64_t *start;    /* n_nodes + 2 */
    uint32_t *to, *label;
    uint64_t n_edges;
    HeapRootInfo *roots;
    uint32_t n_roots;
    char **class_names;  /* by class, "a.b.C", "int[]" */
    uint32_t lost_edges; /* the VM did not report an object's references in one go */

    /* heap_dominators */
    uint32_t n_reached;  /* strongly, from the roots */
    uint32_t *order;     /* order[i]: i-th node in depth-first preorder, from 0; [0] is node 0 */
    uint32_t *dominator; /* by node; 0: the roots, or not reached */
    uint64_t *retained;  /* bytes, by node; 0: not reached */
    /* Children in the dominator tree, by node: the first one, the next sibling. 0: none, for node 0 is nobody's child. */
    uint32_t *first_child, *next_child;
} HeapGraph;

void heap_graph_free(HeapGraph *g);
/* Of the class of the node, "?" if it is not known. */
static inline const char *heap_class_name(const HeapGraph *g, uint32_t node) {
    uint32_t k = node ? g->class_of[node] : 0;
    return k && k <= g->n_classes ? g->class_names[k] : "?";
}
/* Fills the last part. False without memory. */
bool heap_dominators(HeapGraph *g);

/* Shortest paths from the roots to all nodes; by node: 1 + the last edge of the path (0: there is none), the node it leaves. */
typedef struct HeapPaths {
    uint64_t *edge;
    uint32_t *from;
} HeapPaths;
/* False without memory. */
bool heap_paths(const HeapGraph *g, HeapPaths *p);
void heap_paths_free(HeapPaths *p);

typedef struct HeapStep {
    uint32_t from;
    uint64_t edge;
} HeapStep;
/* The path to `node`, from the roots on, malloc'ed; *n is 0 if there is none (or no memory). */
HeapStep *heap_path(const HeapPaths *p, uint32_t node, uint32_t *n);

#endif
