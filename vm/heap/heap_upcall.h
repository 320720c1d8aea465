/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the heap needs from higher layers.  Bound at link time; defined in exec/upcalls.c.
 */
#ifndef GRAFT_HEAP_UPCALL_H
#define GRAFT_HEAP_UPCALL_H

#include "object/object.h"
#include "thread/thread.h"
#include "thread/thread_upcall.h" /* also upcall_throw_oom */

typedef struct RefLayout { /* byte offsets in java.lang.ref.Reference and SoftReference */
    u4 referent, next, discovered, timestamp;
    int64_t *clock; /* static SoftReference.clock, or NULL before it exists */
} RefLayout;
/* False while java.lang.ref is not bound (no Reference object can exist then). */
bool upcall_ref_layout(RefLayout *out);

/* Every cell of the thread's Java stack that may hold a reference, and cells of its frames. */
void upcall_java_stack(Thread *t, void (*visit_word)(u8 word, void *), void *arg);

#endif
