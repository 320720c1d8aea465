/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of Java objects and the only accessors of heap references.
 *
 *   Object   +0  u4 klass      address of its Class (class data lives below 4 GiB)
 *            +4  u4 lock       lock/hash word, picture below
 *            +8  fields        (Unsafe offsets are byte offsets from +0)
 *   Array    +8  i4 length
 *            +16 elements      for every element kind (the JDK relies on it, D2)
 *
 * Lock word (all transitions by CAS on the 32-bit word):
 *   31........16 15....8 7..4 3..2 1 0
 *   owner tid    rec-1   gc   hash - 0     thin; owner 0 = unlocked
 *   monitor index (24)   gc   hash - 1     inflated: index into the monitor table
 *   hash: 0 = never hashed, 1 = hashed by address, 2 = hashed and moved (the
 *   hash then sits in a word after the object; reserved until evacuation exists)
 *   gc bits: 4 = finalizer registered (debug aid), others free
 *
 * Every reference store into the heap goes through ref_store* below, so that a
 * generational or concurrent collector finds its barrier in one place.
 */
#ifndef GRAFT_OBJECT_OBJECT_H
#define GRAFT_OBJECT_OBJECT_H

#include "core/tsan.h"
#include "core/types.h"
#include <string.h>

struct Object {
    u4 klass;
    _Atomic u4 lock;
};

struct Array {
    Object hdr;
    int32_t length;
    u4 pad; /* never used: elements start at 16 */
    u1 data[];
};

enum {
    LOCK_INFLATED = 1u,
    LOCK_HASH_MASK = 0xcu,
    LOCK_HASHED = 0x4u,
    LOCK_HASHING = 0x8u,
    LOCK_FLAGS_MASK = 0xffu,
    LOCK_REC_SHIFT = 8,
    LOCK_REC_ONE = 0x100u,
    LOCK_REC_MASK = 0xff00u,
    LOCK_OWNER_SHIFT = 16,
    LOCK_MONITOR_SHIFT = 8,
    OBJECT_HEADER = 8,
    OBJECT_LEAST = 16, /* of no two objects the first bytes lie closer together: thread/identity.h */
    ARRAY_BASE = 16,
    OBJECT_ALIGN = 8
};

static inline Class *obj_class(const Object *o) {
    Class *c = (Class *)(uintptr_t) * (const u4 JAVA_DATA *)&o->klass;
    TSAN_ACQUIRE(c); /* what the linking of c released (link/link.c): the reader depends on the address */
    return c;
}
/* thread/identity.c: o has an identity hash; the caller, alone, is to make it; it has made it. */
static inline bool obj_is_hashed(const Object *o) { return atomic_load_explicit(&o->lock, memory_order_acquire) & LOCK_HASHED; }
static inline bool obj_claim_hash(Object *o) { return !(atomic_fetch_or(&o->lock, LOCK_HASHING) & LOCK_HASH_MASK); }
static inline void obj_set_hashed(Object *o) { atomic_fetch_or_explicit(&o->lock, LOCK_HASHED, memory_order_release); }

/* The header of a new object: its class, and a lock word that is free and unhashed. */
static inline Object *obj_new_at(void *p, const Class *c) {
    __atomic_store_n((u8 *)p, (u4)(uintptr_t)c, __ATOMIC_RELAXED);
    return p;
}
static inline Object *narrow_decode(Narrow n) { return (Object *)((uintptr_t)n << 3); }
static inline Narrow narrow_encode(const Object *o) { return (Narrow)((uintptr_t)o >> 3); }
static inline void *obj_at(const Object *o, size_t offset) { return (u1 *)o + offset; }

/* The one byte map of the heap: a store of a reference dirties the card of the holder (its header), see heap/gc.c.  Biased so that
 * index = addr >> CARD_SHIFT.  The bias fits 31 bits (a displacement in an instruction) unless the low addresses were taken: who relies on it looks. */
enum { CARD_SHIFT = 7 };
extern u1 *heap_card_bias;
static inline void barrier_after_store(const Object *holder) {
    __atomic_store_n(&heap_card_bias[(uintptr_t)holder >> CARD_SHIFT], 1, __ATOMIC_RELAXED);
}

#define REF_AT(o, off) ((_Atomic Narrow *)((u1 *)(o) + (off)))

static inline Object *ref_load(const Object *o, size_t off) {
    return narrow_decode(atomic_load_explicit(REF_AT(o, off), memory_order_relaxed));
}
static inline Object *ref_load_volatile(const Object *o, size_t off) {
    return narrow_decode(atomic_load_explicit(REF_AT(o, off), memory_order_seq_cst));
}
static inline void ref_store(Object *o, size_t off, Object *v) {
    atomic_store_explicit(REF_AT(o, off), narrow_encode(v), memory_order_relaxed);
    barrier_after_store(o);
}
static inline void ref_store_release(Object *o, size_t off, Object *v) {
    atomic_store_explicit(REF_AT(o, off), narrow_encode(v), memory_order_release);
    barrier_after_store(o);
}
static inline void ref_store_volatile(Object *o, size_t off, Object *v) {
    atomic_store_explicit(REF_AT(o, off), narrow_encode(v), memory_order_seq_cst);
    barrier_after_store(o);
}
/* Bytes that may be references, from one object into another (or the same, overlapping). */
static inline void obj_copy(Object *to, size_t to_off, const Object *from, size_t from_off, size_t bytes) {
    JAVA_COPY memmove((u1 *)to + to_off, (const u1 *)from + from_off, bytes);
    barrier_after_store(to);
}
static inline int32_t array_len(const Object *o) { return *(const int32_t JAVA_DATA *)&((const Array *)o)->length; }
static inline void *array_data(const Object *o) { return (u1 *)o + ARRAY_BASE; }
#define ARRAY_ELEMS(type, o) ((type JAVA_DATA *)((u1 *)(o) + ARRAY_BASE))
static inline Object *array_ref(const Object *a, int32_t i) { return ref_load(a, ARRAY_BASE + (size_t)i * sizeof(Narrow)); }
/* No ArrayStoreException check here: callers that need it use array_store_check. */
static inline void array_set_ref(Object *a, int32_t i, Object *v) { ref_store(a, ARRAY_BASE + (size_t)i * sizeof(Narrow), v); }

#define OBJ_FIELD(type, o, off) (*(type JAVA_DATA *)((u1 *)(o) + (off)))

#endif
