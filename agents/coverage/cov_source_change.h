/* SPDX-License-Identifier: Apache-2.0 */
/* cov_source_change.h - a changed source read before and after: does it mean something else, and do others have copies of what it said? */
#ifndef GRAFT_COV_SOURCE_CHANGE_H
#define GRAFT_COV_SOURCE_CHANGE_H

#include "classfile.h"
#include "cov_diff.h"
#include "cov_java_text.h"

typedef struct CovSourceChange {
    CovText before, now;
    bool java;
    bool known;     /* both texts are, and they are Java */
    bool same;      /* they are, but for comments and layout */
    bool constants; /* one has another value, or it cannot be told */
} CovSourceChange;

/* Texts are in the arena of the diff. */
void cov_source_change(CovSourceChange *s, CovDiff *diff, const CovDiffFile *f);
/* Looks at the constants of a class of it, as it was. `whole`: so it will be for all classes that are declared in it. */
void cov_source_constants(CovSourceChange *s, const CfClass *c, bool whole);

#endif
