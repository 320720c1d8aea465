/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for what cannot be refused: names, handles, rows of the VM's own tables.  When malloc has none, it comes from a
 * small reserve.  The reserve is filled at start-up and again as soon as malloc has memory.  While it is not full, whatever would
 * use it and can be refused as a whole is refused: definition of classes, redefinition, new threads, IDs and names asked for by
 * native code (reserve_ready).  So a want of memory is met where it can be told, and what is under way comes to its end.
 */
#ifndef GRAFT_CORE_RESERVE_H
#define GRAFT_CORE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

enum { RESERVE_ALIGN = 1024 };

/* False: there is no memory for a whole reserve. */
bool reserve_fill(void);
/* The same; costs nothing while the reserve is full. */
bool reserve_ready(void);
/* All of them give memory for free(), or end the VM naming `what`. */
void *reserve_alloc(size_t n, const char *what);
void *reserve_zeroed(size_t n, const char *what);
/* n is a multiple of RESERVE_ALIGN, the answer as well; NULL when less than half of the reserve is left. */
void *reserve_aligned_or_null(size_t n);
void *reserve_grow(void *p, size_t old, size_t n, const char *what);

#endif
