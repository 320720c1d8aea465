/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_page.h - the frame of the heap pages, and the parts that need types only: tables of classes, what grew.
 *
 * A page is one file and loads nothing. It is complete without its script, which adds sorting, a filter, keys and the choice
 * of colours; trees are <details>. Every list has an end: "and 17 more".
 */
#ifndef GRAFT_HEAP_PAGE_H
#define GRAFT_HEAP_PAGE_H

#include <stdio.h>

#include "heap_types.h"

void heap_page_begin(FILE *out, const char *title, const char *note);
void heap_page_end(FILE *out);

void heap_put_html(FILE *out, const char *text); /* with entities; also in attributes */
void heap_put_size(FILE *out, int64_t bytes);    /* 12.3 MB */
void heap_put_signed_size(FILE *out, int64_t bytes);
void heap_put_count(FILE *out, uint64_t n); /* 1,234,567 */

void heap_tiles_begin(FILE *out);
void heap_tile(FILE *out, const char *what, uint64_t n, bool is_size);
void heap_tiles_end(FILE *out);

/* A row of a tree: what <summary> or a leaf begins with, then a text, then its end. Behind an inner one come its children and
 * heap_row_close. `of`: what is 100 %. */
enum { HEAP_ROW_INNER = 1, HEAP_ROW_OPEN = 2, HEAP_ROW_GROWTH = 4 };
void heap_row_begin(FILE *out, unsigned flags, uint64_t bytes, uint64_t of);
void heap_row_end(FILE *out, unsigned flags);
void heap_row_close(FILE *out);
/* Is it so much of the whole that one wants to see what is in it? */
static inline unsigned heap_row_opens(uint64_t bytes, uint64_t of) { return bytes >= of / 2 ? HEAP_ROW_OPEN : 0; }

/* Classes, most first; at most `top` rows. */
void heap_class_table(FILE *out, HeapRow *rows, uint32_t n, uint32_t top);
/* The tree of types, as far as it matters. False without memory. */
bool heap_type_tree(FILE *out, const HeapTypes *t, HeapMeasure m, uint32_t top);
/* Classes that grew, that shrank, and where in the tree. False without memory. */
bool heap_growth_part(FILE *out, const HeapTypes *t, HeapRow *rows, uint32_t n, uint32_t top);

#endif
