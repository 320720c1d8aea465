/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for what cannot be refused: names, handles, rows of the VM's own tables.  When malloc has none, it comes from a
 * small reserve; the VM ends only when that is used up too.  So an operation that must be able to fail as a whole
 * (redefinition) fills the reserve first and meets the lack of memory where it can say so.
 */
#ifndef GRAFT_CORE_RESERVE_H
#define GRAFT_CORE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

enum { RESERVE_ALIGN = 1024 };

/* False: there is no memory for a whole reserve. */
bool reserve_fill(void);
/* All of them give memory for free(), or end the VM naming `what`. */
void *reserve_alloc(size_t n, const char *what);
void *reserve_zeroed(size_t n, const char *what);
void *reserve_aligned(size_t n, const char *what); /* n is a multiple of RESERVE_ALIGN, the answer as well */
void *reserve_grow(void *p, size_t old, size_t n, const char *what);

#endif
