/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_java_text.h - two texts of a Java source compared by their tokens: what a compiler sees, without comments and layout.
 *
 * A token is a run of letters and digits, a run of operator characters, a literal, or one other character. Operators are not taken apart,
 * so `a > >b` and `a >>b` differ though they may mean the same: differences are found, sometimes too many.
 */
#ifndef GRAFT_COV_JAVA_TEXT_H
#define GRAFT_COV_JAVA_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct CovText {
    const char *p;
    size_t len;
} CovText;

/* Only comments and layout differ, if anything does. */
bool cov_java_same(CovText before, CovText now);
/* Whatever is assigned to a variable of that name, as `NAME = ...` up to the end of it, is the same in both. */
bool cov_java_same_value(CovText before, CovText now, CovText name);
/* The same of each variable that `before` declares with a value. */
bool cov_java_same_values(CovText before, CovText now);

#endif
