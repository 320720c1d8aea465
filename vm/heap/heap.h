/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Java heap: allocation, roots, walking.  Theory of the collector: gc.c.
 */
#ifndef GRAFT_HEAP_HEAP_H
#define GRAFT_HEAP_HEAP_H

#include "thread/thread.h"

/* Reserve and set up; sizes in bytes, 0 = default.  False + message on failure. */
void heap_init(size_t min, size_t max); /* ends the process if there is no room */

/* --- allocation [gc][throws OutOfMemoryError] --- */
Object *heap_alloc_slow(Thread *t, Class *c, size_t size, int32_t length);
/* Zeroed instance of a class that is neither array nor java.lang.Class. */
Object *heap_alloc_object(Thread *t, Class *c);
/* For compiled code, which may not stop there: has the thread's block another window, with room for `size` bytes?  False: ask the
 * functions above, which may collect, and tell agents. */
bool heap_next_window(Thread *t, size_t size);
/* An object, or an array if length >= 0, that compiled code did without so far: agents are not told.  NULL: no memory, not even what is kept for
 * this; nothing is thrown. */
Object *heap_alloc_reserved(Thread *t, Class *c, int32_t length);
/* length >= 0 checked by the caller (NegativeArraySizeException); too large -> OOME
 * "Requested array size exceeds VM limit". */
Object *heap_alloc_array(Thread *t, Class *array_class, int32_t length);
/* A java.lang.Class instance with room for statics; never moves. */
Object *heap_alloc_mirror(Thread *t, Class *class_class, size_t bytes);
/* Allocation fast path for the interpreter lives in heap/alloc.h. */

size_t heap_object_size(const Object *o);

/* --- figures --- */
size_t heap_max(void), heap_committed(void), heap_used(void);
void heap_gc(Thread *t, const char *cause);            /* full collection [blocks] */
void heap_gc_for_native(Thread *t, const char *cause); /* the same in state NATIVE; what C holds since then is no root [blocks] */
u8 heap_gc_count(void);
int64_t heap_gc_millis(void), heap_last_full_gc_millis(void);

typedef enum HeapGcKind { HEAP_GC_YOUNG, HEAP_GC_FULL, HEAP_GC_KINDS } HeapGcKind;
typedef struct HeapGcStats { /* collections of one kind */
    u8 count;
    int64_t nanos, longest_nanos; /* all pauses together; the longest */
    /* the last one; id = its number among collections of all kinds, from 1; 0 = none yet */
    u8 id;
    const char *cause;                                                 /* static text */
    int64_t start_nanos, end_nanos;                                    /* os_nanos */
    size_t used_before, used_after, committed_before, committed_after; /* the one heap pool */
} HeapGcStats;
/* Consistent for a thread in state JAVA: written in pauses only. */
void heap_gc_stats(HeapGcKind kind, HeapGcStats *out);
size_t heap_young_budget(void); /* bytes that may be allocated between collections */
int heap_gc_threads(void);      /* threads that work in a pause */
/* Called at the end of each pause, when heap_gc_stats tells it already.  The world is stopped:
 * may raise a flag and wake somebody (futex), nothing else.  NULL = nobody. */
extern void (*heap_on_collection)(HeapGcKind kind);

/* Bytes this thread has allocated so far. */
u8 heap_thread_allocated(Thread *t); /* bytes of all objects it made; threads lock, or its own */
extern u8 heap_allocated_by_ended;   /* by threads that have ended [lock: threads] */
/* For tests: the nth allocation of this thread from now on ends in OutOfMemoryError; 0: none does any more.  How many
 * were left before. */
u4 heap_starve(Thread *t, u4 nth);
/* Close all allocation windows so that the SAMPLED_ALLOC hook is minded from the next allocation on;
 * call after the hook bit was raised or the interval set.  [blocks] */
void heap_observe_allocations(void);
/* Mean distance of the SAMPLED_ALLOC hook's reports in bytes per thread; 0: every allocation. */
void heap_set_sampling_interval(u4 bytes);

/* --- roots --- */
/* Visit one slot; the visitor may not change it today (no moving). */
typedef void (*RootVisitor)(Object **slot, void *arg);
/* Subsystems that own references register a provider once, at start. */
void heap_add_root_provider(const char *name, void (*provider)(RootVisitor, void *));
/* What the providers answer, for heap dumps; world stopped. */
void heap_visit_provided_roots(RootVisitor v, void *arg);
/* Tables that hold weak entries (interned strings, monitors, weak globals, TI tags):
 * called in the pause after marking with a liveness test; they drop dead entries. */
void heap_add_weak_table(const char *name, void (*sweep)(bool (*is_live)(Object *)));

/* --- references --- */
/* Before Java code makes soft references: else those of before the first collection were as old as the machine at the second one. */
void refs_start_clock(void);
/* java.lang.ref pending list; blocks (NATIVE) until non-empty. */
void refs_wait_pending(Thread *t);
Object *refs_take_pending(void);
bool refs_has_pending(void);
/* Finalizer registration at the end of Object.<init> is done by exec. */

/* --- asking --- */
bool heap_has_word(u8 word);           /* it is an address of the heap's room, or its lower half a compressed one */
Object *heap_object_at(const void *p); /* exact start of a live-or-dead object, or NULL; in a pause */
/* Every object, in address order, world stopped.  False from fn stops. */
void heap_walk(bool (*fn)(Object *, void *), void *arg);
/* Invariants; prints and aborts on violation.  World stopped. */
void heap_check(const char *when);
extern u4 heap_stress_interval; /* collect at one of so many allocations, 1: at each (-XX:+GCStress, GCStressInterval); 0: off */
extern bool heap_verify_gc;     /* heap_check after each collection */

#endif
