/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Well-known classes, and the fields and methods of them that C code touches.
 * Rows are in javaclasses.def:
 *   CLASS(id, "internal/name", required)
 *   FIELD(class_id, name, "descriptor")            -> jc_off.class_id##_##name  byte offset
 *   SFIELD(class_id, name, "descriptor")           -> same, static (offset in the mirror)
 *   METHOD(id, class_id, "name", "descriptor")     -> jc_method(JM_id)
 * Methods are re-read through their MethodID, so redefinition of a core class is harmless.
 */
#ifndef GRAFT_LANG_JAVACLASSES_H
#define GRAFT_LANG_JAVACLASSES_H

#include "thread/thread.h"

typedef enum JcClass {
#define CLASS(id, name, required) JC_##id,
#include "lang/javaclasses.def"
    JC_COUNT
} JcClass;
#define METHOD(id, c, n, d) JM_##id,
typedef enum JcMethod {
#include "lang/javaclasses.def"
    JM_COUNT
} JcMethod;
#define FIELD(c, f, d) u4 c##_##f;
#define SFIELD(c, f, d) u4 c##_##f;
typedef struct JcOffsets {
#include "lang/javaclasses.def"
} JcOffsets;

extern Class *jc_class[JC_COUNT];
extern JcOffsets jc_off;
#define JC(id) (jc_class[JC_##id])
Method *jc_method(JcMethod m);

/* Load all CLASS rows in order, compute offsets.  Fatal message when a required one is absent. */
bool javaclasses_load(Thread *t); /* before mirrors */
bool javaclasses_bind(Thread *t); /* offsets and methods */

/* Typed access: JFIELD_REF(obj, Thread, group) */
#define JGET_REF(o, c, f) ref_load((o), jc_off.c##_##f)
#define JSET_REF(o, c, f, v) ref_store((o), jc_off.c##_##f, (v))
#define JGET_INT(o, c, f) OBJ_FIELD(int32_t, (o), jc_off.c##_##f)
#define JSET_INT(o, c, f, v) (OBJ_FIELD(int32_t, (o), jc_off.c##_##f) = (v))
#define JGET_LONG(o, c, f) OBJ_FIELD(int64_t, (o), jc_off.c##_##f)
#define JSET_LONG(o, c, f, v) (OBJ_FIELD(int64_t, (o), jc_off.c##_##f) = (v))
#define JGET_BOOL(o, c, f) (OBJ_FIELD(u1, (o), jc_off.c##_##f) != 0)
#define JSET_BOOL(o, c, f, v) (OBJ_FIELD(u1, (o), jc_off.c##_##f) = (u1)((v) != 0))

#endif
