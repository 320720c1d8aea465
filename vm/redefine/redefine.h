/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class redefinition: a class in use gets a new version (D4).  Manual of the one gate behind
 * RedefineClasses and RetransformClasses; theory at the heads of redefine.c (the gate),
 * install.c (the pause) and versions.c (the life of old versions).
 */
#ifndef GRAFT_REDEFINE_REDEFINE_H
#define GRAFT_REDEFINE_REDEFINE_H

#include "link/link.h"
#include "object/class.h"

typedef enum Refusal {
    REFUSED_NOT, /* done */
#define REFUSAL(NAME) REFUSED_##NAME,
#include "redefine/redefine.def"
} Refusal;

typedef struct RedefineRequest {
    Class *klass;    /* modifiable, see below */
    const u1 *bytes; /* NULL: retransform, start at the bytes before the capable agents */
    u4 len;
} RedefineRequest;

/* In words, why the last redefinition of this thread was refused that was not bound to JVM TI's limits:
 * "REASON: text"; empty if it was not. */
const char *reshape_last_reason(void);

/* What this thread's last redefinition did and how long it took. */
const char *reshape_last_report(void);

/* What the migration hooks of this thread's last redefinition did, a line each; empty if there were none. */
const char *reshape_last_migrations(void);

typedef enum RedefineMode {
    REDEFINE_REALLY,
    REDEFINE_DRY,     /* all but the last step: would it be done? */
    REDEFINE_RESTORE, /* bytes are those of an older version: fields come back with their values, no migration hook runs */
    REDEFINE_UNDO     /* bytes are ignored: back to the version before the current one, no hooks.  Such versions are
                    * remembered (one each) while redefinition is without limits; fields come back with their values */
} RedefineMode;

/* For tests that let memory run out: of this thread. */
typedef struct Starvation {
    volatile int32_t preparing; /* 1 while a redefinition of this thread may still be refused */
    volatile int32_t left;      /* so many allocations on the heap until one fails, while preparing; 0: none */
} Starvation;
Starvation *redefine_starvation(void);

/* Primitive, array and hidden classes are not. */
bool class_is_modifiable(const Class *c);

/* All or none.  Hooks run, classes are linked; the new versions are installed when it returns.  A pending
 * exception is put aside and nothing is pending in addition afterwards.  [gc][blocks] */
Refusal classes_redefine(Thread *t, const RedefineRequest *requests, u4 n, RedefineMode mode);

/* While held (nests, any thread) no old version is freed: for methods named in malloc'ed memory across
 * a safepoint. */
void versions_hold(void);
void versions_release(void);
/* Frees the old versions that nothing can reach.  At a safepoint. */
void versions_purge(void);
/* v is about to be freed with its class. At a safepoint. */
void versions_forget(ClassVersion *v);

/* --- classes that changed shape (redefine/reshape.c) --- */
/* By the numbers of reflection objects.  Methods that were removed answer what throws, fields NULL. */
Method *reshaped_method(Class *c, u4 slot);
Field *reshaped_field(Class *c, u4 slot);
void reshaped_free(Class *c); /* of a class that is unloaded */
/* The version that counts when this thread loads a subclass. */
ClassVersion *reshape_version(const Class *c);

#endif
