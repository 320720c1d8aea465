/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The roots of the heap, told apart: what a program, a debugger or a heap dump calls a root,
 * not what the collector needs (heap/roots.c, which reads words).  Theory: heap_roots.c.
 */
#ifndef GRAFT_FRAME_HEAP_ROOTS_H
#define GRAFT_FRAME_HEAP_ROOTS_H

#include "heap/heap.h"

typedef enum HeapRootKind {
    HEAP_ROOT_JNI_GLOBAL,
    HEAP_ROOT_SYSTEM_CLASS,
    HEAP_ROOT_MONITOR,
    HEAP_ROOT_STACK_LOCAL,
    HEAP_ROOT_JNI_LOCAL,
    HEAP_ROOT_THREAD,
    HEAP_ROOT_OTHER
} HeapRootKind;

typedef struct HeapRoot {
    HeapRootKind kind;
    Object *object; /* never NULL */
    Object **cell;  /* JNI_GLOBAL: what the reference names; else NULL */
    /* THREAD, STACK_LOCAL, JNI_LOCAL, MONITOR of a frame; else NULL */
    Thread *thread;
    /* STACK_LOCAL, JNI_LOCAL: the frame; method NULL: a local reference below all frames */
    Method *method;
    u4 depth;         /* 0 = youngest */
    int64_t location; /* bci; -1 in native methods */
    u4 slot;          /* STACK_LOCAL: local variable, or max_locals + operand */
} HeapRoot;

static inline bool heap_is_object(const Object *o) { return o && heap_object_at(o) == o; }

/* Every root, an object as often as it is one; world stopped.  fn returning false ends the walk,
 * and that is the result. */
/* False: fn has returned false, or there was no memory to tell the cells of a frame. */
bool heap_visit_roots(bool (*fn)(const HeapRoot *r, void *arg), void *arg);

#endif
