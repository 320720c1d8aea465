/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jdk.internal.misc.Unsafe.  args[0] is the Unsafe object, args[1] the base (null:
 * absolute address), args[2..3] the offset.  Plain accesses may be unaligned (the
 * *Unaligned methods share them); ordered ones are aligned by contract.  The
 * Java-level wrappers (getAndAdd*, *Acquire, *Release, byte and short CAS) are
 * replaced by the primitive they are made of.
 *
 * A negative offset in an object is an outside field (heap/records.h); absolute addresses are never negative.
 */
#include "native/intrinsic/array_ops.h"
#include "frame/frame_view.h"
#include "native/intrinsic/intrinsic_int.h"

#include "heap/records.h"
#include "lang/string.h"
#include "os/os.h"
#include "invoke/invoke.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static NOINLINE void *outside_to_read(Object *base, int64_t offset) {
    return (u1 *)record_to_read(base, (u4)offset) + record_offset((u4)offset);
}
static NOINLINE Object *outside_to_write(Thread *t, Object *base, int64_t offset) { return record_to_write(t, base, (u4)offset); }
static inline bool is_outside(const Slot *args) { return UNLIKELY(args[2].j < 0) && args[1].ref; }

static inline void *place_to_read(const Slot *args) {
    if (is_outside(args)) return outside_to_read(args[1].ref, args[2].j);
    return (void *)((uintptr_t)args[1].ref + (uintptr_t)args[2].j);
}
/* Of a store: base and offset are replaced by the record's, so that both have their final meaning. */
static inline bool find_place(Thread *t, Slot *args) {
    if (!is_outside(args)) return true;
    Object *record = outside_to_write(t, args[1].ref, args[2].j);
    if (!record) return false;
    args[1].ref = record;
    args[2].j = record_offset((u4)args[2].j);
    return true;
}
#define STORES \
    if (!find_place(t, args)) return
#define ADDRESS(type) ((type *)((uintptr_t)args[1].ref + (uintptr_t)args[2].j))
#define READ_ADDRESS(type) ((type *)place_to_read(args))

#define ACCESS(Name, type, member, answer, normal) \
    typedef type __attribute__((aligned(1), may_alias)) loose_##Name; \
    NO_TSAN void unsafe_get_##Name(Thread *t, Slot *args, Slot *ret) { \
        ret->member = answer(*(volatile loose_##Name *)READ_ADDRESS(type)); \
    } \
    NO_TSAN void unsafe_put_##Name(Thread *t, Slot *args, Slot *ret) { \
        STORES; \
        *(volatile loose_##Name *)ADDRESS(type) = (type)normal(args[4].member); \
    } \
    void unsafe_get_##Name##_volatile(Thread *t, Slot *args, Slot *ret) { \
        type v; \
        __atomic_load(READ_ADDRESS(type), &v, __ATOMIC_SEQ_CST); \
        ret->member = answer(v); \
    } \
    void unsafe_put_##Name##_volatile(Thread *t, Slot *args, Slot *ret) { \
        type v = (type)normal(args[4].member); \
        STORES; \
        __atomic_store(ADDRESS(type), &v, __ATOMIC_SEQ_CST); \
    } \
    void unsafe_put_##Name##_release(Thread *t, Slot *args, Slot *ret) { \
        type v = (type)normal(args[4].member); \
        STORES; \
        __atomic_store(ADDRESS(type), &v, __ATOMIC_RELEASE); \
    }
#define AS_IS(v) (v)
#define NOT_ZERO(v) ((v) != 0)
#define ONE_BIT(v) ((v)&1)
ACCESS(Int, int32_t, i, AS_IS, AS_IS)
ACCESS(Boolean, u1, i, NOT_ZERO, ONE_BIT)
ACCESS(Byte, int8_t, i, AS_IS, AS_IS)
ACCESS(Short, int16_t, i, AS_IS, AS_IS)
ACCESS(Char, u2, i, AS_IS, AS_IS)
ACCESS(Long, int64_t, j, AS_IS, AS_IS)
ACCESS(Float, float, f, AS_IS, AS_IS)
ACCESS(Double, double, d, AS_IS, AS_IS)

#define BY_ADDRESS(Name, type, member) \
    NO_TSAN void unsafe_get_##Name##_address(Thread *t, Slot *args, Slot *ret) { \
        ret->member = *(volatile loose_##Name *)(uintptr_t)args[1].j; \
    } \
    NO_TSAN void unsafe_put_##Name##_address(Thread *t, Slot *args, Slot *ret) { \
        *(volatile loose_##Name *)(uintptr_t)args[1].j = (type)args[3].member; \
    }
BY_ADDRESS(Int, int32_t, i)
BY_ADDRESS(Byte, int8_t, i)
BY_ADDRESS(Short, int16_t, i)
BY_ADDRESS(Char, u2, i)
BY_ADDRESS(Long, int64_t, j)
BY_ADDRESS(Float, float, f)
BY_ADDRESS(Double, double, d)

/* ---- references ---- */

static inline void after_store(Object *base) {
    if (base) barrier_after_store(base);
}
#define REF_CELL REF_AT(args[1].ref, args[2].j)

void unsafe_get_Reference(Thread *t, Slot *args, Slot *ret) {
    ret->ref = narrow_decode(atomic_load_explicit(READ_ADDRESS(_Atomic Narrow), memory_order_relaxed));
}
void unsafe_get_Reference_volatile(Thread *t, Slot *args, Slot *ret) {
    ret->ref = narrow_decode(atomic_load_explicit(READ_ADDRESS(_Atomic Narrow), memory_order_seq_cst));
}
#define PUT_REFERENCE(name, order) \
    void name(Thread *t, Slot *args, Slot *ret) { \
        STORES; \
        atomic_store_explicit(REF_CELL, narrow_encode(args[4].ref), order); \
        after_store(args[1].ref); \
    }
PUT_REFERENCE(unsafe_put_Reference, memory_order_relaxed)
PUT_REFERENCE(unsafe_put_Reference_volatile, memory_order_seq_cst)
PUT_REFERENCE(unsafe_put_Reference_release, memory_order_release)
void unsafe_cas_Reference(Thread *t, Slot *args, Slot *ret) {
    STORES;
    Narrow e = narrow_encode(args[4].ref);
    ret->i = atomic_compare_exchange_strong(REF_CELL, &e, narrow_encode(args[5].ref));
    after_store(args[1].ref);
}
void unsafe_cax_Reference(Thread *t, Slot *args, Slot *ret) {
    STORES;
    Narrow e = narrow_encode(args[4].ref);
    atomic_compare_exchange_strong(REF_CELL, &e, narrow_encode(args[5].ref));
    after_store(args[1].ref);
    ret->ref = narrow_decode(e);
}
void unsafe_xchg_Reference(Thread *t, Slot *args, Slot *ret) {
    STORES;
    Object *base = args[1].ref;
    Narrow old = atomic_exchange(REF_CELL, narrow_encode(args[4].ref));
    after_store(base);
    ret->ref = narrow_decode(old);
}
void unsafe_uncompressed(Thread *t, Slot *args, Slot *ret) { ret->ref = *(Object **)(uintptr_t)args[1].j; }

/* ---- atomic read-modify-write; the second value of long pairs is two cells on ---- */

#define ATOMICS(Name, type, member, second, answer) \
    void unsafe_cas_##Name(Thread *t, Slot *args, Slot *ret) { \
        STORES; \
        type e = (type)args[4].member, n = (type)args[4 + second].member; \
        ret->i = __atomic_compare_exchange_n(ADDRESS(type), &e, n, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    } \
    void unsafe_cax_##Name(Thread *t, Slot *args, Slot *ret) { \
        STORES; \
        type e = (type)args[4].member, n = (type)args[4 + second].member; \
        __atomic_compare_exchange_n(ADDRESS(type), &e, n, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        ret->member = answer(e); \
    } \
    void unsafe_xchg_##Name(Thread *t, Slot *args, Slot *ret) { \
        STORES; \
        ret->member = answer((type)__atomic_exchange_n(ADDRESS(type), (type)args[4].member, __ATOMIC_SEQ_CST)); \
    }
ATOMICS(Int, int32_t, i, 1, AS_IS)
ATOMICS(Long, int64_t, j, 2, AS_IS)
ATOMICS(Byte, int8_t, i, 1, AS_IS)
ATOMICS(Short, int16_t, i, 1, AS_IS)
ATOMICS(Char, u2, i, 1, AS_IS)
ATOMICS(Boolean, u1, i, 1, NOT_ZERO)

#define ADDS(Name, type, member) \
    void unsafe_add_##Name(Thread *t, Slot *args, Slot *ret) { \
        STORES; \
        ret->member = (type)__atomic_fetch_add(ADDRESS(type), (type)args[4].member, __ATOMIC_SEQ_CST); \
    }
ADDS(Int, int32_t, i)
ADDS(Long, int64_t, j)
ADDS(Byte, int8_t, i)
ADDS(Short, int16_t, i)
ADDS(Char, u2, i)

void unsafe_load_fence(Thread *t, Slot *args, Slot *ret) { atomic_thread_fence(memory_order_acquire); }
void unsafe_store_fence(Thread *t, Slot *args, Slot *ret) { atomic_thread_fence(memory_order_release); }
void unsafe_full_fence(Thread *t, Slot *args, Slot *ret) { atomic_thread_fence(memory_order_seq_cst); }
void unsafe_no_writeback(Thread *t, Slot *args, Slot *ret) { throw_new(t, EX_RuntimeException, "writebackMemory not enabled!"); }

/* ---- memory ---- */

void unsafe_malloc(Thread *t, Slot *args, Slot *ret) { ret->j = (int64_t)(intptr_t)malloc((size_t)args[1].j); }
void unsafe_realloc(Thread *t, Slot *args, Slot *ret) {
    ret->j = (int64_t)(intptr_t)realloc((void *)(intptr_t)args[1].j, (size_t)args[3].j);
}
void unsafe_free(Thread *t, Slot *args, Slot *ret) { free((void *)(intptr_t)args[1].j); }
/* ---- mapped files that became shorter ----
 *
 * An access behind the end of the file is a SIGBUS.  A page of zeros takes the place of the missing
 * one, so that the access can end whatever code it is in, and the thread gets an InternalError at
 * its next poll.  Later accesses to the same page of the same mapping read zeros. */

static bool on_bus_error(void *address) {
    Thread *t = thread_self();
    if (!t || atomic_load(&t->state) != THREAD_JAVA) return false;
    uintptr_t page = (uintptr_t)address & ~(uintptr_t)(os_page_size() - 1);
    if (page < (uintptr_t)32 << 30) return false; /* heap and class data lie below: not a file */
    void *p = mmap((void *)page, os_page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (p == MAP_FAILED) return false;
    atomic_store(&t->memory_fault, true);
    atomic_fetch_or(&t->poll, POLL_ASYNC_EXC);
    return true;
}

void unsafe_faults_init(void) { os_bus_error = on_bus_error; }

void unsafe_set_memory(Thread *t, Slot *args, Slot *ret) { memset(ADDRESS(u1), (u1)args[6].i, (size_t)args[4].j); }
void unsafe_copy_memory(Thread *t, Slot *args, Slot *ret) {
    void *dst = (void *)((uintptr_t)args[4].ref + (uintptr_t)args[5].j);
    memmove(dst, ADDRESS(u1), (size_t)args[7].j);
}

#define SWAP_ELEMENTS(Name, swap) \
    for (loose_##Name *p = (loose_##Name *)dst; (u1 *)(p + 1) <= dst + bytes; p++) *p = (loose_##Name)swap(*p)

/* Swap bytes of each element; ranges may overlap. */
void unsafe_copy_swap_memory(Thread *t, Slot *args, Slot *ret) {
    u1 *src = ADDRESS(u1), *dst = (u1 *)((uintptr_t)args[4].ref + (uintptr_t)args[5].j);
    size_t bytes = (size_t)args[7].j;
    memmove(dst, src, bytes);
    switch (args[9].j) {
    case 2: SWAP_ELEMENTS(Char, __builtin_bswap16); break;
    case 4: SWAP_ELEMENTS(Int, __builtin_bswap32); break;
    default: SWAP_ELEMENTS(Long, __builtin_bswap64);
    }
}

/* ---- classes and fields ---- */

/* NULL with an exception: a field of the other kind is refused. */
static Field *field_of_kind(Thread *t, Object *field, bool is_static) {
    Field *f = reflect_to_field(field);
    if (!f) return throw_plain(t, EX_InternalError), NULL;
    if (!(f->access & ACC_STATIC) == is_static) return throw_plain(t, EX_IllegalArgumentException), NULL;
    return f;
}
static void offset_of_kind(Thread *t, Object *field, bool is_static, Slot *ret) {
    Field *f = field_of_kind(t, field, is_static);
    if (f) ret->j = expose_offset(f);
}
void unsafe_field_offset(Thread *t, Slot *args, Slot *ret) { offset_of_kind(t, args[1].ref, false, ret); }
void unsafe_static_offset(Thread *t, Slot *args, Slot *ret) { offset_of_kind(t, args[1].ref, true, ret); }
void unsafe_field_offset_named(Thread *t, Slot *args, Slot *ret) {
    Class *c = mirror_class(args[1].ref);
    char *name = string_to_cstr(args[2].ref);
    if (!name && args[2].ref) return throw_no_memory(t);
    Field *f = name ? class_find_named_field(c, name) : NULL;
    free(name);
    if (f) ret->j = expose_offset(f);
    else throw_plain(t, EX_InternalError);
}
void unsafe_static_base(Thread *t, Slot *args, Slot *ret) {
    Field *f = field_of_kind(t, args[1].ref, true);
    if (f) ret->ref = f->holder->mirror;
}
void unsafe_should_init(Thread *t, Slot *args, Slot *ret) {
    Class *c = mirror_class(args[1].ref);
    ret->i = !class_is_array(c) && !class_is_primitive(c) && !class_is_initialized(c);
}
void unsafe_ensure_init(Thread *t, Slot *args, Slot *ret) {
    Class *c = mirror_class(args[1].ref);
    if (!class_is_array(c) && !class_is_primitive(c)) class_init(t, c);
}
void unsafe_array_base(Thread *t, Slot *args, Slot *ret) {
    ret->i = ARRAY_BASE;
    if (!class_is_array(mirror_class(args[1].ref))) throw_plain(t, EX_IllegalArgumentException);
}
void unsafe_array_scale(Thread *t, Slot *args, Slot *ret) {
    Class *c = mirror_class(args[1].ref);
    if (class_is_array(c)) ret->i = 1 << c->elem_shift;
    else throw_plain(t, EX_IllegalArgumentException);
}
void unsafe_allocate_instance(Thread *t, Slot *args, Slot *ret) {
    if (args[1].ref) ret->ref = class_instantiate(t, mirror_class(args[1].ref));
    else throw_plain(t, EX_NullPointerException);
}
void unsafe_throw(Thread *t, Slot *args, Slot *ret) { throw_object(t, args[1].ref); }
void unsafe_define_class(Thread *t, Slot *args, Slot *ret) {
    Object *bytes = args[2].ref;
    int32_t off = args[3].i, len = args[4].i;
    if (!bytes) return throw_plain(t, EX_NullPointerException);
    if (off < 0 || len < 0 || off > array_len(bytes) - len) return throw_plain(t, EX_ArrayIndexOutOfBoundsException);
    char *text = string_to_cstr(args[1].ref);
    bool fits = !text || class_name_check(t, text, EX_NoClassDefFoundError);
    free(text);
    if (!fits) return;
    Symbol *name = args[1].ref ? string_to_symbol_slashes(args[1].ref) : NULL;
    u1 *copy = malloc((size_t)len + 1);
    if (!copy) return throw_oom(t, "Unsafe.defineClass");
    memcpy(copy, ARRAY_ELEMS(u1, bytes) + off, (size_t)len);
    DefineOptions opt = {.protection_domain = args[6].ref};
    Class *c = define_class(t, name, loader_of(args[5].ref), copy, (size_t)len, &opt);
    free(copy);
    ret->ref = c ? c->mirror : NULL;
}

/* ---- threads ---- */

void unsafe_park(Thread *t, Slot *args, Slot *ret) {
    thread_park(t, args[1].i != 0, args[2].j);
    thread_poll(t); /* as native_call does: Thread.stop is thrown here */
}
/* The same as a JNI function: profilers put theirs before it and call it. */
void JNICALL unsafe_park_entry(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time) {
    IN_JAVA Thread *t = native_enter(env);
    thread_park(t, absolute, time);
}
/* Through the function table: who replaced RegisterNatives there learns of park.  The other natives are bound already. */
void unsafe_registerNatives(Thread *t, Slot *args, Slot *ret) {
    JNINativeMethod park = {"park", "(ZJ)V", (void *)unsafe_park_entry};
    JNIEnv *env = (JNIEnv *)&t->env;
    jclass c = handle_local(t, view_method(view_youngest(t))->holder->mirror);
    thread_to_native(t);
    (*env)->RegisterNatives(env, c, &park, 1);
    thread_to_java(t);
}
void unsafe_unpark(Thread *t, Slot *args, Slot *ret) {
    if (!args[1].ref) return;
    HOLDING_THREADS();
    Thread *target = thread_of_java(args[1].ref);
    if (target) thread_unpark(target);
}
void unsafe_load_average(Thread *t, Slot *args, Slot *ret) {
    double v[3];
    int n = args[2].i, have = getloadavg(v, n > 3 ? 3 : n);
    for (int i = 0; i < have; i++) ARRAY_ELEMS(double, args[1].ref)[i] = v[i];
    ret->i = have;
}

/* Machine code allocates (jit/base_intrinsic.c); here the Java code does. */
bool unsafe_uninitialized_array(Thread *t, Slot *args, Slot *ret) { return false; }
