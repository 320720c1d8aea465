/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JNI references.  A jobject is the address of a cell that holds an Object *,
 * with a tag in its low bits:
 *   0  local: a cell of the thread's HandleBlock chain, or a cell of a frame (native
 *      arguments are passed as addresses of their cells, at no cost)
 *   1  global, 2  weak global: cells of tables with a free list
 * NULL is null.  Decoding masks the tag and loads.
 */
#ifndef GRAFT_HEAP_HANDLE_H
#define GRAFT_HEAP_HANDLE_H

#include "thread/thread.h"

enum { HANDLE_BLOCK_BYTES = 1024, HANDLE_CELLS = HANDLE_BLOCK_BYTES / 8 - 5 };
/* Aligned to its size, so that a cell leads to its block. */
typedef struct HandleBlock {
    struct HandleBlock *prev;  /* older block of the same or an outer frame */
    struct HandleBlock *first; /* of the same local frame: the thread's oldest, or what PushLocalFrame made */
    u2 used;                   /* cells in use in this block */
    Object *cells[HANDLE_CELLS];
    Object *free_list; /* of a first block: deleted cells of the frame's, linked through tagged pointers; see handle.c */
    Thread *owner;
} HandleBlock;
_Static_assert(sizeof(HandleBlock) == HANDLE_BLOCK_BYTES, "a cell leads to its block");

static inline Object *handle_get(jobject h) { return h ? *(Object **)((uintptr_t)h & ~(uintptr_t)7) : NULL; }
jobject handle_local_slow(Thread *t, Object *o); /* the block is full: a deleted cell, or one of another block; NULL: no room */
jobject handle_no_room(Thread *t);               /* NULL and OutOfMemoryError */
/* NULL for null, and when there is no room. */
static inline jobject handle_local_try(Thread *t, Object *o) {
    HandleBlock *b = t->handles;
    if (!o) return NULL;
    if (UNLIKELY(b->used == HANDLE_CELLS)) return handle_local_slow(t, o);
    b->cells[b->used] = o;
    return (jobject)&b->cells[b->used++];
}
/* The same, with OutOfMemoryError when there is no room. */
static inline jobject handle_local(Thread *t, Object *o) {
    jobject h = handle_local_try(t, o);
    return LIKELY(h || !o) ? h : handle_no_room(t);
}
void handle_delete_local(Thread *t, jobject h);
jobject handle_global(Object *o);
jobject handle_weak(Object *o);
void handle_delete_global(jobject h);
void handle_delete_weak(jobject h);
int handle_kind(Thread *t, jobject h); /* jobjectRefType values */
/* Boundary around a native call: everything made since the mark dies at the reset.  Where Java code runs, no deleted cell may be
 * taken (handle_hide), so a native has only such as it deleted itself. */
typedef struct HandleMark {
    HandleBlock *block;
    u2 used;
} HandleMark;
static inline HandleMark handle_mark(Thread *t) { return (HandleMark){t->handles, t->handles ? t->handles->used : 0}; }
void handle_reset_slow(Thread *t, HandleMark m);
static inline void handle_reset(Thread *t, HandleMark m) {
    HandleBlock *b = t->handles;
    if (UNLIKELY(!b || b != m.block)) return handle_reset_slow(t, m);
    if (b->used == m.used) return; /* nothing was made, so nothing was deleted */
    b->used = m.used;
    b->first->free_list = NULL;
}
/* Around what C code calls in the midst of a native: the deleted cells of the one that stands are out of reach within. */
typedef struct HandleHidden {
    HandleBlock *first;
    Object *free_list;
} HandleHidden;
static inline HandleHidden handle_hide(Thread *t) {
    HandleBlock *first = t->handles ? t->handles->first : NULL;
    if (LIKELY(!first || !first->free_list)) return (HandleHidden){0};
    HandleHidden h = {first, first->free_list};
    first->free_list = NULL;
    return h;
}
static inline void handle_unhide(Thread *t, HandleHidden h) {
    if (UNLIKELY(h.first && t->handles && t->handles->first == h.first)) h.first->free_list = h.free_list;
}
/* Both, for C code that may stand in the midst of a native. */
typedef struct HandleScope {
    HandleMark mark;
    HandleHidden hidden;
} HandleScope;
static inline HandleScope handle_scope_begin(Thread *t) { return (HandleScope){handle_mark(t), handle_hide(t)}; }
static inline void handle_scope_end(Thread *t, HandleScope s) {
    handle_reset(t, s.mark);
    handle_unhide(t, s.hidden);
}
bool handle_push_frame(Thread *t); /* false: OutOfMemoryError */
jobject handle_pop_frame(Thread *t, jobject result);
bool handle_thread_init(Thread *t); /* false: no memory */
void handle_thread_free(Thread *t);
void handle_roots(void (*visit)(Object **, void *), void *arg); /* all threads + globals */
void handle_global_roots(void (*visit)(Object **, void *), void *arg);
void handle_counts(size_t *n_globals, size_t *n_weaks);
void handle_sweep_weak(bool (*is_live)(Object *));

#endif
