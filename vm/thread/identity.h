/* SPDX-License-Identifier: Apache-2.0 */
/* Identity hashes, the numbers of Object.hashCode and System.identityHashCode.  Theory: identity.c. */
#ifndef GRAFT_THREAD_IDENTITY_H
#define GRAFT_THREAD_IDENTITY_H

#include "object/object.h"
#include "thread/thread.h"

/* Where the numbers are, valid while the header of o says that it has one: by its address a row of cells, by that a cell (heap/hashes.c). */
enum { HASH_ROW_SHIFT = 8, HASH_CELL_SHIFT = 4, HASH_ROW_CELLS = 1 << (HASH_ROW_SHIFT - HASH_CELL_SHIFT) };
extern u4 *object_hash_rows, *object_hash_cells;
static inline u4 *object_hash_cell(const Object *o) {
    u4 row = object_hash_rows[(uintptr_t)o >> HASH_ROW_SHIFT];
    return &object_hash_cells[(size_t)row * HASH_ROW_CELLS + ((uintptr_t)o >> HASH_CELL_SHIFT) % HASH_ROW_CELLS];
}

/* 31 bits, never 0, the same for the life of o.  Works on locked and inflated objects. */
int32_t object_hash(Thread *t, Object *o);
void object_hash_move(const Object *from, Object *to); /* in a pause: to is a copy of from */

void identity_init(Thread *t); /* the numbers that t will draw */
/* The VM is up, and t is about to run a program. */
void identity_start_program(Thread *t);

#endif
