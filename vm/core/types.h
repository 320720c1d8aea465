/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that every part of the VM needs.  No logic.
 *
 * Contract tags used on declarations all over vm/:
 *   [gc]           may allocate in the Java heap, hence may collect
 *   [throws]       on failure the pending exception of the thread is set
 *   [blocks]       may block; the caller must hold no VM lock
 *   [no-safepoint] never polls; raw interior pointers stay valid
 *   [lock: X]      takes lock X
 * Raw `Object *` may be held in C locals across [gc] calls: the collector
 * scans C stacks conservatively and never moves what they name (D3).
 */
#ifndef GRAFT_CORE_TYPES_H
#define GRAFT_CORE_TYPES_H

#include "cpu/cpu.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u1;
typedef uint16_t u2;
typedef uint32_t u4;
typedef uint64_t u8;

/* A compressed reference in the heap: address >> 3; 0 is null (D2). */
typedef uint32_t Narrow;

typedef struct Object Object;
typedef struct Array Array;
typedef struct Class Class;
typedef struct ClassVersion ClassVersion;
typedef struct ClassInput ClassInput;
typedef struct Method Method;
typedef struct MethodID MethodID;
typedef struct Field Field;
typedef struct Symbol Symbol;
typedef struct Thread Thread;
typedef struct Frame Frame;
typedef struct Loader Loader;
typedef struct Module Module;
typedef struct Package Package;
typedef struct CodeBlob CodeBlob;

/* One 64-bit cell of a frame.  long and double occupy two cells; the value is
 * in the first (lower) one and the second is unspecified. */
typedef union Slot {
    int32_t i;
    int64_t j;
    float f;
    double d;
    Object *ref;
    void *p;
    uint64_t raw;
} Slot;

/* JVMS table 6.5.newarray-A codes, extended. */
typedef enum BasicType {
    T_BOOLEAN = 4,
    T_CHAR = 5,
    T_FLOAT = 6,
    T_DOUBLE = 7,
    T_BYTE = 8,
    T_SHORT = 9,
    T_INT = 10,
    T_LONG = 11,
    T_OBJECT = 12,
    T_ARRAY = 13,
    T_VOID = 14
} BasicType;

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline))
#define COLD __attribute__((cold, noinline))
/* Acquire loads of the interpreter's hot words (states and orders: quick/quick.h).  Where every load is one, the plain
 * form lets the compiler fold it into the instruction that uses it; other machines and ThreadSanitizer get the real thing. */
#if CPU_LOADS_ACQUIRE && !defined(GRAFT_TSAN)
#define LOAD_ACQUIRE(lvalue) (lvalue)
#else
#define LOAD_ACQUIRE(lvalue) __atomic_load_n(&(lvalue), __ATOMIC_ACQUIRE)
#endif
/* Bits that change while other threads may change others of the same word. */
#define FLAGS_SET(word, bits) ((void)__atomic_fetch_or(&(word), (__typeof__(word))(bits), __ATOMIC_RELAXED))
#define FLAGS_CLEAR(word, bits) ((void)__atomic_fetch_and(&(word), (__typeof__(word))~(bits), __ATOMIC_RELAXED))
#define ALIGN_UP(n, a) (((n) + ((a)-1)) & ~((__typeof__(n))(a)-1))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
static inline char *text_replace(char *text, char from, char to) {
    for (char *p = text; *p; p++)
        if (*p == from) *p = to;
    return text;
}

/* The end for an inner contradiction; vm_fatal_hook (core/vm.h) reports it. */
COLD void vm_fatal(const char *file, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4), noreturn));
#define FATAL(...) vm_fatal(__FILE__, __LINE__, __VA_ARGS__)
/* Debug assertions carry values: an expression alone explains little. */
#ifdef GRAFT_DEBUG
#define ASSERT(c, ...) ((c) ? (void)0 : vm_fatal(__FILE__, __LINE__, #c "  " __VA_ARGS__))
#else
#define ASSERT(c, ...) ((void)0)
#endif

#endif
