/* SPDX-License-Identifier: Apache-2.0 */
/* heap_text.h - a snapshot as text. */
#ifndef GRAFT_HEAP_TEXT_H
#define GRAFT_HEAP_TEXT_H

#include <stdio.h>

#include "heap_names.h"
#include "heap_types.h"

typedef struct HeapReport {
    FILE *out;
    int top;       /* rows of each table */
    bool compared; /* do the types have figures of the snapshot before? */
    const char *heading;
    const char *note; /* what ran; of the page */
} HeapReport;

/* Of a graph with dominators. False without memory. */
bool heap_report(const HeapNames *h, HeapTypes *t, const HeapReport *r);
/* Classes that grew, and where in the tree by class. False without memory. */
bool heap_growth_text(FILE *out, const HeapTypes *t, HeapRow *rows, uint32_t n, int top);

#endif
