/* SPDX-License-Identifier: Apache-2.0 */
/* Inside quick/ only. */
#ifndef GRAFT_QUICK_INT_H
#define GRAFT_QUICK_INT_H

#include "core/lock.h"
#include "frame/frame.h"
#include "link/link.h"
#include "object/method.h"
#include "quick/quick.h"

extern VmLock quick_lock; /* rank PREPARE: cells, operands, making of qcode */

/* qcode.c */
bool quick_make_code(Method *m);      /* false without memory, and no exception */
void quick_unfuse(Method *m, u4 bci); /* no superinstruction runs over bci any more */

/* quicken.c */
static inline bool quick_watched(const Field *fd, bool get) {
    return fd->flags & (get ? FIELD_ACCESS_WATCH : FIELD_MODIFY_WATCH);
}
static inline bool quick_is_get(u1 op) { return op == CF_OP_GETFIELD || op == CF_OP_GETSTATIC; }

/* leaf.c: methods that are called without a frame */
enum { LEAF_MAX_CODE = 32 };
static inline bool leaf_possible(const Method *m) { return m->code_len <= LEAF_MAX_CODE && m->kind == MK_BYTECODE; }
/* The interpreter may enter m without asking its kind.  Not with a compiler: it counts calls. */
void leaf_open_entry(Method *m);
void leaf_consider(Method *m); /* possible, and an instruction was quickened [lock: PREPARE] */
void leaf_forget(Method *m);   /* at a safepoint: m is called with a frame again */
void leaf_forget_all(ClassVersion *v);

#endif
