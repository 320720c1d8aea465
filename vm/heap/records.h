/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields that were added to a class after objects of it existed (class redefinition, redefine/reshape.c).
 * No object is resized: the values lie in records outside of it.  Theory: records.c.
 *
 * An outside field has an offset with the top bit set; to Java (Unsafe, VarHandle, MemberName), to which
 * it is given as a signed number, it is a negative one.  Whoever meets such an offset asks here for the
 * record, and goes on with record_offset() in that.
 */
#ifndef GRAFT_HEAP_RECORDS_H
#define GRAFT_HEAP_RECORDS_H

#include "heap/heap.h"
#include "object/object.h"

#define FIELD_OUTSIDE 0x80000000u
enum { RECORD_BYTES = 4096, RECORD_GROUPS = 1 << 19 };

static inline bool offset_is_outside(u4 offset) { return UNLIKELY(offset & FIELD_OUTSIDE); }
static inline u4 record_offset(u4 outside) { return outside & (RECORD_BYTES - 1); }

/* The record to read the field from: the owner's, or while it has none the initial one of the group.
 * Never write there.  No allocation, no safepoint. */
Object *record_to_read(const Object *owner, u4 outside);
/* The owner's record, made at need; NULL + OutOfMemoryError.  It stays the same one for the owner's life.
 * [gc][throws] */
Object *record_to_write(Thread *t, Object *owner, u4 outside);

/* A place as Field.offset has it, decoded. */
static inline const Object *field_home(const Object *o, u4 offset, u4 *at) {
    *at = offset_is_outside(offset) ? record_offset(offset) : offset;
    return offset_is_outside(offset) ? record_to_read(o, offset) : o;
}

static inline Object *field_ref(const Object *o, u4 offset) {
    u4 at;
    const Object *home = field_home(o, offset, &at);
    return ref_load(home, at);
}

/* A group of fields that were added together: `initial` is a long[] (every primitive has 8 bytes) or an
 * Object[], shorter than RECORD_BYTES.  The answer is the outside offset of the array's first byte;
 * 0: there are too many groups. */
u4 record_group_new(Object *initial);
void record_group_free(u4 outside); /* nobody knows an offset in it any more; its records go at the next collection */
Object *record_initial(u4 outside);

/* `to` gets what `from` has. [gc][throws] */
bool records_copy(Thread *t, Object *from, Object *to);
/* The collector; also world stopped. */
void records_visit(const Object *owner, RootVisitor v, void *arg);
void records_init(void);
extern _Atomic u4 records_count; /* of all objects; for reports */

#endif
