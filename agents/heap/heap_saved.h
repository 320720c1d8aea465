/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_saved.h - a snapshot in a file: its types, not its objects.
 *
 *     graft-heap 1
 *     title Heap snapshot 1, requested, 3.0 s after the start
 *     note Main on Graft VM, process 4711
 *     classes 592
 *     references 2101116
 *     types
 *     1 1 96 class Cache          depth, objects, own bytes, name; children follow their parent
 *     2 1 40 java.util.HashMap
 *     end
 */
#ifndef GRAFT_HEAP_SAVED_H
#define GRAFT_HEAP_SAVED_H

#include <stdio.h>

#include "heap_types.h"

typedef struct HeapSaved {
    char *title, *note;
    HeapTypes types;
} HeapSaved;

/* False if writing failed. */
bool heap_save(FILE *out, const char *title, const char *note, const HeapTypes *t);
/* What does not look as above is refused; `err` says why. */
bool heap_load(HeapSaved *s, const char *path, char *err, size_t n);
void heap_saved_free(HeapSaved *s);

#endif
