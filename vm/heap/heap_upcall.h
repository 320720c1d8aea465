/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the heap needs from higher layers.  Bound at link time; defined in exec/upcalls.c and load/.
 */
#ifndef GRAFT_HEAP_UPCALL_H
#define GRAFT_HEAP_UPCALL_H

#include "heap/heap.h"
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
/* Every word of it, and of what compiled code has there for itself: references to what fields of other objects keep alive, and values that are none. */
void upcall_java_stack_raw(Thread *t, void (*visit_word)(u8 word, void *), void *arg);

/* Constants of compiled code that heap_has_word, and what its records have; objects among them are no roots (jit/constants.c).  World stopped. */
void upcall_code_words(void (*visit_word)(u8 word, void *), void *arg);

/* --- classes and loaders as roots: load/class_roots.c, unload.c, loader.c --- */
/* References that a class holds. */
void class_visit_roots(Class *c, RootVisitor v, void *arg);
/* Classes that are roots of this collection: all of them if it is young, else only those
 * that are never unloaded (no CF_UNLOADABLE). */
void loader_visit_root_classes(bool young, void (*fn)(Class *, void *), void *arg);
/* What a java.lang.ClassLoader object keeps alive beside its Java fields. */
void loader_visit_owned(Object *loader, RootVisitor v, void *arg);
/* Classes of live loaders; in the pause. */
void loader_visit_all_classes(void (*fn)(Class *, void *), void *arg);

#endif
