/* SPDX-License-Identifier: Apache-2.0 */
/* What redefine.c, redefine_compare.c, install.c and versions.c share. */
#ifndef GRAFT_LINK_REDEFINE_INT_H
#define GRAFT_LINK_REDEFINE_INT_H

#include "link/link_int.h"
#include "link/redefine.h"

/* A new version on its way. */
typedef struct Change {
    Class *klass;
    ClassVersion *base;  /* what it was compared with */
    ClassVersion *fresh; /* methods in the order of base's; NULL once installed */
    u1 *same;            /* per method: EMCP with base's method of that index */
    u2 *moved;           /* pool index in annotations of base -> index in fresh; NULL: nothing moves */
} Change;

/* --- redefine_compare.c --- */
/* May fresh take the place of base?  Methods are paired by name and descriptor. */
Refusal versions_compare(const ClassVersion *base, const ClassVersion *fresh);
/* Puts fresh's methods in the order of base's.  The two have passed versions_compare. */
bool version_reorder(const ClassVersion *base, ClassVersion *fresh);
/* The same bytecodes with the same meaning (JVM TI "equivalent modulo constant pool"). */
bool methods_equivalent(const Method *a, const Method *b);

bool constants_mean_the_same(const CfClass *a, u2 i, const CfClass *b, u2 j);

/* --- redefine_annotations.c --- */
bool annotations_prepare(Change *ch); /* false: no memory */
void annotations_move(Change *changes, u4 n); /* in the pause, after installing */

/* --- install.c --- */
/* At a safepoint.  Takes the fresh versions over. */
void changes_install(Change *changes, u4 n);

/* --- versions.c --- */
/* v has just been replaced. At a safepoint. */
void versions_add_old(ClassVersion *v);

#endif
