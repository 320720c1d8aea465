/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of reshaping share: reshape.c, reshape_install.c, reshape_init.c. */
#ifndef GRAFT_REDEFINE_RESHAPE_H
#define GRAFT_REDEFINE_RESHAPE_H

#include "redefine/redefine_int.h"

typedef enum ReshapeReason {
#define REASON(NAME, text) REASON_##NAME,
#include "redefine/reshape.def"
} ReshapeReason;

/* Notes the reason for this thread and answers the refusal to go with it. */
Refusal reshape_refuse(const Change *ch, ReshapeReason why, const char *about);
Refusal reshape_refuse_for(const Change *ch, ReshapeReason why, const Class *about);
void reshape_forget_reason(void);

/* When the steps of a call ended, in os_nanos; 0: it did not come to that. */
typedef struct ReshapeTimes {
    bool dry;
    int64_t begun, prepared, checked, installed, initialised;
} ReshapeTimes;
/* At the end of a call: writes the report, and what was refused or done to the log.  Takes `migrations` over. */
void reshape_report(const Change *changes, u4 n, Refusal why, const ReshapeTimes *times, char *migrations);

/* --- reshape.c --- */
/* Gives fields without a place one outside. [gc] */
Refusal reshape_place(Thread *t, Change *ch, Field *fields, u4 n);

/* --- reshape_related.c; in the pause --- */
/* Marks classes that change shape and all that inherit from them (CF_RELATED), and makes their hierarchies and dispatch
 * tables; nothing else has changed afterwards.  Refuses for want of memory or for loading constraints. */
Refusal related_make(Change *changes, u4 n);
/* Imposes loading constraints: the last thing that may refuse. */
Refusal related_constrain(const Change *changes);
/* The classes get what was made for them. */
void related_take(void);
/* The end, in any case: memory and marks go. */
void related_forget(bool taken);

/* --- reshape_anonymous.c --- */
bool reshape_is_anonymous(const Class *c);
bool reshape_hierarchy_differs(const Class *c, Class *super, Class **interfaces, u4 n);
/* Are anonymous classes numbered otherwise? */
Refusal reshape_check_anonymous(const Change *changes, u4 n);

/* --- reshape_enum.c --- */
bool reshape_constants_differ(const ClassVersion *a, const ClassVersion *b); /* of an enum: which, or their order */
bool reshape_is_renumbered(const Change *ch);                                /* an enum with such a change */
bool reshape_names_values(CfStr field);                                      /* $VALUES, whatever the compiler calls it */
Object *reshape_enum_values(const Class *e);                                 /* NULL: none */
/* In the pause: sets that could not hold all constants. */
Refusal reshape_look_at_sets(Change *ch);
/* Before new constants are made: memory for maps and sets, which may become more meanwhile.  NULL: none, or no enum changes.  [gc][blocks] */
Renumbering *reshape_renumbering(Thread *t, const Change *changes, u4 n);
void reshape_refill(Thread *t, Renumbering *r);
/* In a pause; without r no map and no set is renumbered.  False: refill it, unless this is the last time. */
bool reshape_renumber(Renumbering *r, const Change *changes, u4 n, bool last);
void reshape_renumbered(Thread *t, Renumbering *r);

/* --- reshape_supers.c --- */
bool reshape_loses_supers(const Change *ch);
/* Before the pause: fields of gained superclasses.  [gc][blocks] */
Refusal reshape_gain_supers(Thread *t, Change *ch);
/* In it. */
Refusal reshape_look_at_values(const Change *ch);
void reshape_take_outlines(Change *ch);

/* --- reshape_reliant.c --- */
/* Before the pause, while reshape_pending: does code rely on lost superclasses?  If some are lost, *look says afterwards what
 * was looked at.  [gc][blocks] */
Refusal reshape_check_code(Thread *t, const Change *changes, u4 n, Look **look);
/* Does the pool of v mention a class by one of these names, also inside a descriptor or signature? */
typedef struct NameTest {
    bool (*is_name)(const void *arg, const char *p, u4 len);
    const void *arg;
    u4 longest; /* of the names */
} NameTest;
bool version_mentions(const ClassVersion *v, const NameTest *n);

#endif
