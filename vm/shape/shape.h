/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shape of classes: where fields lie, which method a call selects, the mirror with its statics.
 */
#ifndef GRAFT_SHAPE_SHAPE_H
#define GRAFT_SHAPE_SHAPE_H

#include "object/class.h"
#include "thread/thread.h"

/* --- layout.c --- */
/* Called by define: field offsets, instance size, reference map. */
bool class_layout(Thread *t, Class *c);
/* Offset of a field the VM added to a library class (rows in load/class_model.c). */
u4 layout_injected_offset(const char *cls, const char *field);

/* --- vtable.c --- */
/* vtable, itable, default methods, constraints on overriding [throws].  Supers are linked. */
bool class_build_tables(Thread *t, Class *c);
/* The message if the defaults of m's name and type among c's superinterfaces conflict (malloc'ed), or NULL.  False: no memory. */
bool class_default_conflict(Class *c, const Method *m, char **message);
/* The tables of a class that is no interface. */
typedef struct DispatchTables {
    Method **vtable;
    ItableEntry *itable;
    u2 vtable_len, itable_len;
} DispatchTables;
/* m overrides or implements `over`.  False: it must not. */
typedef bool (*OverrideFn)(const Method *m, const Method *over);
/* In a pause: as supers and methods are now; of c only the vtable_index of its methods changes.  False: no memory, or
 * `may_override` says no. */
bool class_make_tables(Class *c, OverrideFn may_override, DispatchTables *out);
DispatchTables class_exchange_tables(Class *c, DispatchTables d);
/* Methods that the VM made for conflicts stay if they were `published`: C code may hold them. */
void class_free_tables(const Class *c, DispatchTables *d, bool published);
/* Arrays and interfaces have Object's vtable. */
void class_share_object_tables(Class *object);
/* Number of methods an itable entry of the interface has. */
u4 interface_method_count(const Class *iface);

/* --- mirror.c --- */
extern bool mirrors_ready;
/* The value of a ConstantValue attribute; false: it does not fit the field, or no memory [throws]. */
bool class_constant(Thread *t, ClassVersion *v, const Field *f, u2 index, Slot *out);
void class_make_mirror(Thread *t, Class *c); /* kept for t until class_mirror_listed: c is on a list, or in the caller's hands */
void class_mirror_listed(Thread *t);
void classes_fixup_mirrors(Thread *t); /* java.lang.Class exists: the classes made before it get their mirrors */

#endif
