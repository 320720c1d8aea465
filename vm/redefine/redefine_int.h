/* SPDX-License-Identifier: Apache-2.0 */
/* What redefine.c, redefine_compare.c, install.c and versions.c share. */
#ifndef GRAFT_REDEFINE_REDEFINE_INT_H
#define GRAFT_REDEFINE_REDEFINE_INT_H

#include "exec/exec.h"
#include "heap/handle.h"
#include "heap/records.h"
#include "lang/javaclasses.h"
#include "link/link_int.h"
#include "object/field.h"
#include "redefine/redefine.h"

/* How a method of the new version is to its partner. */
typedef enum Sameness {
    SAME_NOT,
    SAME_MEANING, /* EMCP */
    SAME_VERIFIED /* and the verifier would find out nothing new, if the partner was verified as a method of this class */
} Sameness;

/* A new version on its way. */
typedef struct Change {
    Class *klass;
    ClassVersion *base;               /* what it was compared with */
    ClassVersion *fresh;              /* methods in the order of base's; NULL once installed */
    u1 *same;                         /* per method of fresh: Sameness */
    ClassVersion *replaced;           /* whose pool annotations of reflection objects follow; NULL: not asked */
    u2 *moved;                        /* pool index in annotations of it -> index in fresh; NULL: nothing moves */
    u4 epoch;                         /* reshape_epoch when it was compared */
    struct ConstantChange *constants; /* static finals whose ConstantValue changes */
    u4 n_constants;
    bool undoes;    /* removed fields come back */
    u1 migrates;    /* forms of the migration hooks that it brings: reshape_migrate.c */
    jobject living; /* Object[] of the objects that an initialiser or hook wants, filled in the pause */
    u4 n_living;
    struct SwitchTable *tables; /* of switches over enums: reshape_switch.c */
    u4 n_tables;
    struct Shape *shape; /* what changes beside code; NULL: nothing (the specified redefinition) */
} Change;

/* --- classes that change shape; theory in reshape.c --- */

enum { NO_METHOD = 0xffff };

/* Stands for a method that is no more. */
typedef struct Removed {
    struct Removed *next;
    bool listed;   /* the class has it */
    Method method; /* MK_REMOVED */
} Removed;

/* Fields as they were; the newest first. */
typedef struct Retired {
    struct Retired *next;
    Field *fields;
    u4 n;
} Retired;

typedef struct ConstantChange {
    Symbol *name, *desc;
} ConstantChange;

/* Memory that stays as long as a class. */
typedef struct Block {
    struct Block *next;
    void *memory;
} Block;

/* What a class that has changed shape owns in addition. */
typedef struct Reshaped {
    u4 next_method_slot, next_field_slot;
    Removed *removed;
    Retired *retired;
    Block *blocks; /* memory that stays as long as the class */
} Reshaped;

/* A class that becomes a superclass of classes with objects: its fields move outside. */
typedef struct Outline {
    struct Outline *next;
    Class *c;
    Field *fields; /* copies of c's, with their new places */
    u4 n;
} Outline;

/* The part of a Change that is about shape.  Made before the pause; the pause takes over what it installs. */
typedef struct Shape {
    u2 *successor;      /* per method of base: index in fresh or NO_METHOD */
    u2 *partner;        /* per method of fresh: index in base or NO_METHOD */
    Removed **gone;     /* per method of base without successor */
    u4 n_gone;          /* length of gone; 0 when they are the class's */
    Reshaped *reshaped; /* for a class that has none yet */
    Field *fields;      /* NULL: the fields stay as they are */
    bool outside;       /* there are new instance fields */
    bool outside_static;
    u4 *groups, n_groups; /* of records that were made for it */
    Class *super;         /* the new ones; super is NULL if the hierarchy stays */
    Class **interfaces;
    u2 n_interfaces;
    Block *block;      /* for the old ones */
    bool heap_objects; /* objects were against it, maybe dead ones */
    Outline *outlines;
    Refusal standard; /* what JVM TI would say */
    bool initialises; /* fresh has an initialiser for living objects */
    bool is_enum;     /* whose constants change */
    Retired *old;     /* for the fields that will be retired */
} Shape;

/* --- reshape.c; classes that rely on a shape: reshape_reliant.c --- */
/* The two have failed versions_compare with `standard`.  May they be exchanged nevertheless?  Then ch->shape is made,
 * and fresh's methods have their numbers.  [gc][throws][blocks] */
Refusal reshape_prepare(Thread *t, Change *ch, Refusal standard);
/* Is it a change of shape although JVM TI allows it? */
bool reshape_is_hidden(const Change *ch);
/* Looks at all changes of a call together; methods are prepared.  *look: NULL, or what was looked at in other classes.
 * [gc][throws][blocks] */
typedef struct Look Look;
Refusal reshape_check(Thread *t, Change *changes, u4 n, Look **look);
/* These may be asked about NULL.  In the pause: are there classes that would have to be looked at as well?  Then: reshape_check again. */
bool reshape_is_outdated(Look *look);
/* Refused because of a class, maybe a dead one. */
bool reshape_found_reliance(const Look *look);
void reshape_forget_look(Thread *t, Look *look);
void reshape_discard(Change *ch);
const Change *change_of(const Change *changes, u4 n, const Class *c); /* NULL: c does not change */
ClassVersion *version_to_come(const Change *changes, u4 n, const Class *c);
Class *super_to_come(const Change *changes, u4 n, const Class *c);
Class *reshape_super(const Class *c);
bool reshape_is_subtype(Class *s, Class *t);

/* --- reshape_install.c --- */
/* In the pause, before anything is changed: does something speak against it now?  If not, and it is not `dry`, the
 * rest of the pause has all memory that it needs. */
Refusal reshape_may_install(Change *changes, u4 n, bool dry);
/* Between them the versions are exchanged; they allocate nothing. */
void reshape_begin(Change *changes, u4 n);
void reshape_take_back(Change *ch, ClassVersion *v);
void reshape_finish(Change *changes, u4 n);
/* At the end of the pause: what nobody can ask for any more goes. */
void reshape_forget_old(Class *c);
/* reshape.c: c takes over memory that may still be read by somebody; `block`, malloc'ed, notes it. */
void reshape_keep(Class *c, void *memory, Block *block);

/* --- reshape_init.c --- */
/* Adds to fresh what initialises its new fields, as far as that can be told.  False: no memory.  [gc] */
bool reshape_prepare_init(Thread *t, Change *ch);
/* Makes room to note the objects that live.  False: OutOfMemoryError.  [gc][blocks] */
bool reshape_make_room(Thread *t, Change *ch);
/* In the pause, before anything is installed.  False: there are more by now; make room once more. */
bool reshape_find_living(Change *ch);
/* After the pause: runs the initialisers, of enums first up to $VALUES, later the rest; ch has a shape.  [gc][blocks] */
void reshape_init_constants(Thread *t, Change *ch);
void reshape_init(Thread *t, Change *ch);
/* Kept static finals whose ConstantValue says something else in fresh; then, after the pause. */
bool reshape_compare_constants(Change *ch);
void reshape_store_constants(Thread *t, Change *ch);
/* What java.lang.Class keeps about c in that field. */
void reshape_clear_cache(Class *c, const char *field, const char *desc);

/* --- reshape_switch.c --- */
/* Tables of switches over enums that fresh fills otherwise are read; then stored in the pause.  [gc][blocks] */
bool reshape_read_tables(Thread *t, Change *ch);
void reshape_store_tables(Change *ch);
void reshape_forget_tables(Thread *t, Change *ch);
/* After new constants are there: ordinals, and what knows them.  Takes `numbers` over.  [gc][blocks] */
typedef struct Renumbering Renumbering;
void reshape_renew_numbers(Thread *t, Change *changes, u4 n, Renumbering *numbers);
/* After all initialisers: tables of the changed classes.  [gc][blocks] */
void reshape_renew_tables(Thread *t, Change *changes, u4 n);

/* --- reshape_proxy.c --- */
/* After the pause, before any other code: proxies to come have the methods that their interfaces got.  [gc][blocks] */
void reshape_forget_proxies(Thread *t, const Change *changes, u4 n);

/* --- reshape_migrate.c --- */
/* Which hooks fresh brings; ch->same is there. */
void reshape_find_hooks(Change *ch);
bool reshape_has_object_hook(const Change *ch);
/* After everything else: calls them (or says which would be).  Lines of text about it, to be freed; NULL: none.  [gc][blocks] */
char *reshape_migrate(Thread *t, Change *changes, u4 n, bool dry);

/* --- redefine.c --- */
/* The method of base whose place fresh's i-th takes, or NULL. */
Method *change_partner(const Change *ch, u4 i);
void class_count_redefinition(Class *c); /* what java.lang.Class caches is old */
/* For the exception of version_verify. */
Refusal refuse_verification(Thread *t);

/* --- redefine_compare.c --- */
/* May fresh take the place of base?  Methods are paired by name and descriptor. */
Refusal versions_compare(const ClassVersion *base, const ClassVersion *fresh);
/* They have passed, and yet a method is in one of them only: -XX:+AllowRedefinitionToAddDeleteMethods. */
bool versions_have_other_methods(const ClassVersion *base, const ClassVersion *fresh);
/* Puts fresh's methods in the order of base's.  The two have passed versions_compare. */
bool version_reorder(const ClassVersion *base, ClassVersion *fresh);
/* The same bytecodes with the same meaning (JVM TI "equivalent modulo constant pool"). */
bool methods_equivalent(const Method *a, const Method *b);
/* Fills ch->same.  Methods are prepared. */
void change_compare_methods(Change *ch);

bool constants_mean_the_same(const CfClass *a, u2 i, const CfClass *b, u2 j);

/* --- redefine_annotations.c --- */
/* When all changes are prepared; once more when reflection objects came.  False: no memory. */
bool annotations_prepare(Change *changes, u4 n);
bool annotations_are_prepared(const Change *changes, u4 n); /* in the pause */
void annotations_move(Change *changes, u4 n);               /* in the pause, after installing */

/* --- reach.c --- */
/* What a pause has to turn and to throw away, looked for before it.  NULL: no memory, or shapes change; then the pause looks at all there is. */
typedef struct Reach Reach;
Reach *reach_find(const Change *changes, u4 n);
bool reach_holds(const Reach *r); /* in the pause: nothing came since */
/* In the pause: compiled code goes that has methods of the classes in it; all of it if `changed` is NULL. */
void reach_retire_code(const Reach *r, const u8 changed[4]);
void reach_forget_chosen(const Reach *r); /* what calls chose */
void reach_visit_classes(const Reach *r, void (*fn)(Class *, void *), void *arg);
void reach_done(Reach *r); /* behind the pause */

/* --- install.c --- */
/* At a safepoint.  Takes the fresh versions over; r holds, or is NULL.  Refuses only what changes shape, and then changes nothing. */
Refusal changes_install(Change *changes, u4 n, const Reach *r);

/* --- versions.c --- */
/* v has just been replaced. At a safepoint. */
void versions_add_old(ClassVersion *v);

#endif
