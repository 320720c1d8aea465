/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes: what Integer.valueOf and its like give.  Theory: boxes.c. */
#ifndef GRAFT_JIT_BOXES_H
#define GRAFT_JIT_BOXES_H

#include "object/method.h"

typedef struct Box {
    Class *klass;             /* of the box */
    Method *init;             /* its constructor, which runs for values that are not in the cache */
    u4 offset;                /* of its value */
    u1 type;                  /* BasicType of the value */
    int64_t low;              /* the first value in the cache */
    u4 n;                     /* how many are there */
    const Class *cache_class; /* whose static field has the array of them */
    u4 cache_offset;
} Box;

const Box *box_made_by(const Method *m);   /* NULL: m is no valueOf that does what it did when this was written */
const Box *box_of(const Class *k);         /* that box_made_by gave before; or NULL */
int64_t box_number(const Box *x, u8 cell); /* a cell of it as a number */
Object *box_cache(const Box *x);           /* the array; like any object it may move in a pause */
bool box_is_cached(const Box *x, int64_t value);
Object *box_cached(const Box *x, int64_t value); /* NULL: it is not in the cache */
/* valueOf(value), in the place of a call of it.  [gc][throws] */
Object *box_make(Thread *t, const Box *x, int64_t value);

#endif
