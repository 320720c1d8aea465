/* SPDX-License-Identifier: Apache-2.0 */
/* Field: a record of its class; JNI's field IDs and resolved pool cells point to it. */
#ifndef GRAFT_OBJECT_FIELD_H
#define GRAFT_OBJECT_FIELD_H

#include "classfile.h"
#include "object/access.h"
#include "object/object.h"
#include "object/symbol.h"

struct Field {
    Class *holder;
    Symbol *name, *desc;
    u2 access;
    u2 index;         /* in class-file order */
    u1 type;          /* BasicType; arrays are T_ARRAY */
    _Atomic u2 flags; /* FIELD_*; set by FIELD_FLAG_SET where others may look */
    u4 slot;          /* its number in reflection objects; index until the class changes shape */
    u4 offset;        /* instance: from the object; static: from the mirror; or outside: heap/records.h */
    const CfMember *cf;
};
enum {
    FIELD_STABLE = 1,
    FIELD_CONTENDED = 2,
    FIELD_INJECTED = 4,
    FIELD_TRUSTED_FINAL = 8,
    FIELD_ACCESS_WATCH = 16,
    FIELD_MODIFY_WATCH = 32,
    FIELD_EXPOSED = 64,  /* Java code may have kept its offset */
    FIELD_NAMED = 128,   /* native code may have kept this record as its jfieldID */
    FIELD_PUT_LATE = 256 /* final, and a method that is no initialiser assigns it: class files before version 53 may */
};

#define FIELD_FLAG_SET(f, bit) ((void)atomic_fetch_or_explicit(&(f)->flags, (u2)(bit), memory_order_relaxed))

/* Into the cell of f in an object: itself, a mirror or a record. */
static inline void cell_store(const Field *f, Object *o, u4 at, Slot v) {
    if (f->type >= T_OBJECT) ref_store(o, at, v.ref);
    else prim_store(obj_at(o, at), (BasicType)f->type, v);
}

/* The offset as Java code keeps it; an outside one is negative. */
static inline int64_t expose_offset(Field *f) {
    FIELD_FLAG_SET(f, FIELD_EXPOSED);
    return (int32_t)f->offset;
}

#endif
