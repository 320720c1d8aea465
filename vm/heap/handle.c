/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JNI references.
 *
 * Local: cells of HandleBlocks, newest block first.  A native call remembers (block, used) and
 * resets to it.  A deleted cell that is not the newest goes to the free list of its local frame, which the
 * frame's first block keeps; it is taken when the newest block is full.  A free cell holds the address of the
 * next one with bit 0 set, which no object address has.  Blocks are aligned, so a cell finds its block at
 * once: agents delete a million references one by one.
 *
 * A native that is called by Java code that a native called shares the block, and the frame, of the outer one.
 * So the outer one's list is put aside as long as C calls Java, or an agent's callback (handle_hide): what is on the list
 * at the inner one's return are cells that it made, and they go.
 *
 * Global and weak: cells in chunks that are never freed, with one free list per kind; free
 * cells are tagged the same way.  Table lock: handle_lock; cells are read without it.
 */
#include "core/reserve.h"
#include "heap/handle.h"
#include "heap/heap_int.h"
#include "heap/heap_upcall.h"

#include <jni.h>
#include <stdlib.h>

enum { TAG_LOCAL = 0, TAG_GLOBAL = 1, TAG_WEAK = 2, TAG_MASK = 7, CHUNK_CELLS = 127 };

static inline bool cell_is_free(const Object *cell) { return (uintptr_t)cell & 1; }
static inline Object *free_link(Object **next) { return (Object *)((uintptr_t)next | 1); }
static inline Object **linked_cell(Object *link) { return (Object **)((uintptr_t)link & ~(uintptr_t)1); }
static inline Object **cell_of(jobject h) { return (Object **)((uintptr_t)h & ~(uintptr_t)TAG_MASK); }

static void list_put(Object **list, Object **cell) {
    *cell = *list ? *list : free_link(NULL);
    *list = free_link(cell);
}
static Object **list_take(Object **list) {
    Object **cell = linked_cell(*list);
    *list = *cell == free_link(NULL) ? NULL : *cell;
    return cell;
}

/* ---- local ---- */

/* Blocks come and go at the edge of one: each pthread keeps the last that went. */
static _Thread_local HandleBlock *spare;

static void block_free(HandleBlock *b) {
    b->owner = NULL; /* what still points here is no reference any more */
    if (spare) free(b);
    else spare = b;
}

/* first: NULL for the block itself.  NULL: no memory, and what is left of the reserve is for those who cannot be refused. */
static HandleBlock *block_new(Thread *t, HandleBlock *prev, HandleBlock *first) {
    HandleBlock *b = spare ? spare : reserve_aligned_or_null(sizeof *b);
    if (!b) return NULL;
    spare = NULL;
    b->owner = t;
    b->prev = prev;
    b->first = first ? first : b;
    b->used = 0;
    b->free_list = NULL;
    return b;
}

bool handle_thread_init(Thread *t) {
    if (!t->handles) t->handles = block_new(t, NULL, NULL);
    return t->handles != NULL;
}

void handle_thread_free(Thread *t) {
    while (t->handles) {
        HandleBlock *b = t->handles;
        t->handles = b->prev;
        block_free(b);
    }
    free(spare);
    spare = NULL;
    alloc_thread_exit(t);
}

COLD jobject handle_no_room(Thread *t) { return upcall_throw_oom(t, "JNI local references"), NULL; }

jobject handle_local_slow(Thread *t, Object *o) {
    HandleBlock *b = t->handles;
    if (b->first->free_list) {
        Object **cell = list_take(&b->first->free_list);
        *cell = o;
        return (jobject)cell;
    }
    if (!(b = block_new(t, b, b->first))) return NULL;
    t->handles = b;
    b->cells[b->used] = o;
    return (jobject)&b->cells[b->used++];
}

static HandleBlock *masked(Object **cell) { return (HandleBlock *)((uintptr_t)cell & ~(uintptr_t)(HANDLE_BLOCK_BYTES - 1)); }
static inline bool block_has(const HandleBlock *b, Object **cell) { return cell >= b->cells && cell < b->cells + b->used; }

/* For a cell that was read from: its block lies within the same page, so looking is safe. */
static HandleBlock *block_of(Thread *t, Object **cell) {
    HandleBlock *b = masked(cell);
    return b->owner == t && block_has(b, cell) ? b : NULL;
}

/* For anything. */
static bool is_local_cell(Thread *t, Object **cell) {
    for (HandleBlock *b = t->handles; b; b = b->prev)
        if (b == masked(cell)) return block_has(b, cell);
    return false;
}

void handle_delete_local(Thread *t, jobject h) {
    Object **cell = cell_of(h);
    if (!h || (uintptr_t)h & TAG_MASK || cell_is_free(*cell) || cell == &t->java_thread) return;
    HandleBlock *b = t->handles;
    if (b && b->used > 0 && cell == &b->cells[b->used - 1]) {
        b->used--;
        return;
    }
    b = block_of(t, cell);
    if (!b) { /* an argument, that is a cell of a frame */
        if ((u1 *)cell >= t->java_stack && (u1 *)cell < t->java_stack_end) *cell = NULL;
        return;
    }
    list_put(&b->first->free_list, cell);
}

void handle_reset_slow(Thread *t, HandleMark m) {
    HandleBlock *b = t->handles;
    while (b != m.block) {
        t->handles = b->prev;
        block_free(b);
        b = t->handles;
    }
    if (!b) return;
    b->used = m.used;
    b->first->free_list = NULL;
}

bool handle_push_frame(Thread *t) {
    HandleBlock *b = block_new(t, t->handles, NULL);
    if (!b) return handle_no_room(t), false;
    t->handles = b;
    return true;
}

jobject handle_pop_frame(Thread *t, jobject result) {
    Object *o = handle_get(result);
    for (bool done = false; !done && t->handles && t->handles->prev;) {
        HandleBlock *b = t->handles;
        done = b->first == b;
        t->handles = b->prev;
        block_free(b);
    }
    return handle_local(t, o);
}

/* ---- global and weak ---- */

typedef struct CellChunk {
    struct CellChunk *next;
    Object *cells[CHUNK_CELLS];
} CellChunk;
_Static_assert(sizeof(CellChunk) == RESERVE_ALIGN, "a block of the reserve");

typedef struct CellTable {
    CellChunk *chunks;
    Object *free_list;
    u4 tag;
    size_t n_used;
} CellTable;

static CellTable globals = {.tag = TAG_GLOBAL}, weaks = {.tag = TAG_WEAK};
static VmLock handle_lock = VM_LOCK(HANDLES);

static bool table_grow(CellTable *c) {
    CellChunk *chunk = reserve_aligned_or_null(sizeof *chunk); /* libraries do not look whether there was room */
    if (!chunk) return false;
    chunk->next = c->chunks;
    for (int i = CHUNK_CELLS - 1; i >= 0; i--) list_put(&c->free_list, &chunk->cells[i]);
    c->chunks = chunk;
    return true;
}

static jobject table_add(CellTable *c, Object *o) {
    if (!o) return NULL;
    HOLDING(&handle_lock);
    Object **cell = NULL;
    if (c->free_list || table_grow(c)) {
        cell = list_take(&c->free_list);
        *cell = o;
        c->n_used++;
    }
    return cell ? (jobject)((uintptr_t)cell | c->tag) : NULL;
}

static bool table_has(CellTable *c, Object **cell) {
    for (CellChunk *k = c->chunks; k; k = k->next)
        if (cell >= k->cells && cell < k->cells + CHUNK_CELLS) return true;
    return false;
}

static void table_delete(CellTable *c, jobject h) {
    if (((uintptr_t)h & TAG_MASK) != c->tag) return;
    Object **cell = cell_of(h);
    HOLDING(&handle_lock);
    if (!cell_is_free(*cell)) {
        list_put(&c->free_list, cell);
        c->n_used--;
    }
}

jobject handle_global(Object *o) { return table_add(&globals, o); }

jobject handle_weak(Object *o) { return table_add(&weaks, o); }

void handle_delete_global(jobject h) { table_delete(&globals, h); }

void handle_delete_weak(jobject h) { table_delete(&weaks, h); }

int handle_kind(Thread *t, jobject h) {
    if (!h) return JNIInvalidRefType;
    Object **cell = cell_of(h);
    u4 tag = (uintptr_t)h & TAG_MASK;
    if (tag == TAG_LOCAL) {
        if (cell == &t->java_thread) return JNILocalRefType; /* as callbacks get it, jit/call_events.c */
        if ((u1 *)cell >= t->java_stack && (u1 *)cell < t->java_stack_end) return JNILocalRefType;
        return is_local_cell(t, cell) && !cell_is_free(*cell) ? JNILocalRefType : JNIInvalidRefType;
    }
    CellTable *c = tag == TAG_GLOBAL ? &globals : tag == TAG_WEAK ? &weaks : NULL;
    if (!c) return JNIInvalidRefType;
    HOLDING(&handle_lock);
    bool valid = table_has(c, cell) && !cell_is_free(*cell);
    return !valid ? JNIInvalidRefType : tag == TAG_GLOBAL ? JNIGlobalRefType : JNIWeakGlobalRefType;
}

/* ---- the collector's view ---- */

static void visit_cells(Object **cells, u4 n, void (*visit)(Object **, void *), void *arg) {
    for (u4 i = 0; i < n; i++)
        if (cells[i] && !cell_is_free(cells[i])) visit(&cells[i], arg);
}

void handle_global_roots(void (*visit)(Object **, void *), void *arg) {
    for (CellChunk *k = globals.chunks; k; k = k->next) visit_cells(k->cells, CHUNK_CELLS, visit, arg);
}

void handle_roots(void (*visit)(Object **, void *), void *arg) {
    FOR_EACH_THREAD(t)
    for (HandleBlock *b = t->handles; b; b = b->prev) visit_cells(b->cells, b->used, visit, arg);
    handle_global_roots(visit, arg);
}

void handle_counts(size_t *n_globals, size_t *n_weaks) {
    HOLDING(&handle_lock);
    *n_globals = globals.n_used;
    *n_weaks = weaks.n_used;
}

/* A cleared weak reference keeps its cell (it reads as null) until it is deleted. */
void handle_sweep_weak(bool (*is_live)(Object *)) {
    for (CellChunk *k = weaks.chunks; k; k = k->next)
        for (int i = 0; i < CHUNK_CELLS; i++) {
            Object *o = k->cells[i];
            if (o && !cell_is_free(o) && !is_live(o)) k->cells[i] = NULL;
        }
}
