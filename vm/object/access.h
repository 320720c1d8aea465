/* SPDX-License-Identifier: Apache-2.0 */
/* Access flags of classes, fields and methods; what follows from the letter of a type; primitive values by type. */
#ifndef GRAFT_OBJECT_ACCESS_H
#define GRAFT_OBJECT_ACCESS_H

#include "core/types.h"

enum { /* access flags, JVMS tables 4.1-B, 4.5-A, 4.6-A */
       ACC_PUBLIC = 0x0001,
       ACC_PRIVATE = 0x0002,
       ACC_PROTECTED = 0x0004,
       ACC_STATIC = 0x0008,
       ACC_FINAL = 0x0010,
       ACC_SYNCHRONIZED = 0x0020,
       ACC_SUPER = 0x0020,
       ACC_VOLATILE = 0x0040,
       ACC_BRIDGE = 0x0040,
       ACC_VARARGS = 0x0080,
       ACC_TRANSIENT = 0x0080,
       ACC_NATIVE = 0x0100,
       ACC_INTERFACE = 0x0200,
       ACC_ABSTRACT = 0x0400,
       ACC_STRICT = 0x0800,
       ACC_SYNTHETIC = 0x1000,
       ACC_ANNOTATION = 0x2000,
       ACC_ENUM = 0x4000,
       ACC_MODULE = 0x8000,
       ACC_WRITTEN = 0x7fff /* what reflection shows of those of a class */
};

static inline int type_size_shift(BasicType t) {
    switch (t) {
    case T_BOOLEAN:
    case T_BYTE: return 0;
    case T_CHAR:
    case T_SHORT: return 1;
    case T_LONG:
    case T_DOUBLE: return 3;
    default: return 2; /* int, float, references (D2) */
    }
}
static inline int type_slots(BasicType t) { return t == T_VOID ? 0 : (t == T_LONG || t == T_DOUBLE) ? 2 : 1; }
/* As descriptors have it; of classes and arrays the first one. */
static inline char type_letter(BasicType t) { return "....ZCFDBSIJL[V"[t]; }
static inline BasicType type_of_desc_char(char c) {
    switch (c) {
    case 'Z': return T_BOOLEAN;
    case 'C': return T_CHAR;
    case 'F': return T_FLOAT;
    case 'D': return T_DOUBLE;
    case 'B': return T_BYTE;
    case 'S': return T_SHORT;
    case 'I': return T_INT;
    case 'J': return T_LONG;
    case 'V': return T_VOID;
    case '[': return T_ARRAY;
    default: return T_OBJECT;
    }
}
/* Behind the type that begins at d. */
static inline const char *desc_skip(const char *d) {
    while (*d == '[') d++;
    if (*d == 'L')
        while (*d != ';') d++;
    return d + 1;
}

/* The primitive of that type whose bytes are at `at` (a field, an element, a jvalue), as slots have it.  Ordered as volatile
 * fields want it, beside their fences. */
static inline Slot prim_load(const void *at, BasicType type) {
    Slot v = {.raw = 0};
    switch (type) {
    case T_BOOLEAN: v.i = __atomic_load_n((const u1 *)at, __ATOMIC_ACQUIRE); break;
    case T_BYTE: v.i = __atomic_load_n((const int8_t *)at, __ATOMIC_ACQUIRE); break;
    case T_CHAR: v.i = __atomic_load_n((const u2 *)at, __ATOMIC_ACQUIRE); break;
    case T_SHORT: v.i = __atomic_load_n((const int16_t *)at, __ATOMIC_ACQUIRE); break;
    case T_LONG:
    case T_DOUBLE: v.j = __atomic_load_n((const int64_t *)at, __ATOMIC_ACQUIRE); break;
    default: v.i = __atomic_load_n((const int32_t *)at, __ATOMIC_ACQUIRE); break;
    }
    return v;
}
static inline void prim_store(void *at, BasicType type, Slot v) {
    switch (type) {
    case T_BOOLEAN: __atomic_store_n((u1 *)at, (u1)(v.i & 1), __ATOMIC_RELEASE); break;
    case T_BYTE: __atomic_store_n((u1 *)at, (u1)v.i, __ATOMIC_RELEASE); break;
    case T_CHAR:
    case T_SHORT: __atomic_store_n((u2 *)at, (u2)v.i, __ATOMIC_RELEASE); break;
    case T_LONG:
    case T_DOUBLE: __atomic_store_n((int64_t *)at, v.j, __ATOMIC_RELEASE); break;
    default: __atomic_store_n((int32_t *)at, v.i, __ATOMIC_RELEASE); break;
    }
}

#endif
