/* SPDX-License-Identifier: Apache-2.0 */
/* heap_text.h - a snapshot as text. */
#ifndef GRAFT_HEAP_TEXT_H
#define GRAFT_HEAP_TEXT_H

#include <stdio.h>

#include "agent.h"
#include "heap_graph.h"

/* Objects and bytes by class name, kept from one snapshot to the next. */
typedef struct HeapCount {
    char *name;
    uint64_t objects, bytes;
} HeapCount;
typedef struct HeapCounts {
    HeapCount *rows;
    uint32_t n;
} HeapCounts;

bool heap_counts(const HeapGraph *g, HeapCounts *out); /* sorted by name */
void heap_counts_free(HeapCounts *c);

typedef struct HeapReport {
    FILE *out;
    int top;                  /* rows of each table */
    const HeapCounts *before; /* of the snapshot before, or NULL */
    const char *heading;
} HeapReport;

/* g with dominators. False without memory. */
bool heap_report(Agent *a, JNIEnv *env, const HeapGraph *g, const HeapReport *r);

#endif
