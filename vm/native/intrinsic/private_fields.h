/* SPDX-License-Identifier: Apache-2.0 */
/* What C bodies of methods need beside their arguments: private fields of the classes they belong to. */
#ifndef GRAFT_INTRINSIC_PRIVATE_FIELDS_H
#define GRAFT_INTRINSIC_PRIVATE_FIELDS_H

#include "object/class.h"
#include "object/object.h"

/* Where a field was found last.  Classes that share it inherited it from one, so it lies at one offset in all. */
typedef struct PrivateField {
    const ClassVersion *seen;
    u4 offset;
    Object *holder; /* of a static one */
} PrivateField;

/* NULL as well if there is no such field. */
Object *private_ref(PrivateField *f, const Object *o, const char *name);
Object *private_static(PrivateField *f, const Object *o, const char *name); /* of o's class or of one above it */
int32_t *private_int(PrivateField *f, const Object *o, const char *name);

#endif
