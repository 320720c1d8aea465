/* SPDX-License-Identifier: Apache-2.0 */
/* What C bodies of methods need beside their arguments: private fields of the classes they belong to, and what the processor has. */
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

/* Before a loop of at most 16 turns: rounds whose constants are part of the code. */
#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

typedef struct CpuFeatures {
    bool aes, clmul, sha, crc32c;
} CpuFeatures; /* each with SSSE3 and SSE4.1 */
const CpuFeatures *cpu_has(void);

#endif
