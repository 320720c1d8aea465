/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_affected.h - which tests a change can matter to, from data with an epoch for each test (tests=on).
 *
 * RULES, all on the safe side
 *   1. A source file was changed or is gone: tests that passed a probe of any of its classes. What ran in a class of tests
 *      but in none of them stands for all of its tests, what ran outside of any for all there are.
 *   2. And tests that passed a probe of a method which reads static fields of such a class or of one that extends it, calls a static
 *      method by its name or takes its Class object: none of that needs to pass a probe of the class (cov_uses.h).
 *   3. A static initialiser runs once, for the first test that comes by; its result is there for later ones. So it is with other methods that
 *      write static fields. If one ran in an epoch that touched a changed class, and the class of the field refers to that, maybe over
 *      others: it is changed, too. And so on.
 *   4. All tests: a file that is no source and not among those to ignore; a source without data, or of which nothing ran; another value
 *      of a constant, which compilers copy into classes that then know nothing of where it comes from (cov_source_change.h).
 *   5. A new source matters to no test that was there. If its name is that of a test, it is one. A class with tests that was changed, or
 *      that extends a changed one, may have new ones: all of it.
 *   6. No test: a Java source where only comments and layout differ, unless it has tests.
 * Not seen: state that one test leaves for later ones inside of objects (a map that fills); what a new class hides, by its name;
 * who looks at the numbers of lines.
 */
#ifndef GRAFT_COV_AFFECTED_H
#define GRAFT_COV_AFFECTED_H

#include "cov_data.h"
#include "cov_diff.h"

typedef struct CovAffected {
    const char *ignore;                        /* patterns of paths that matter to no test */
    void (*tell)(void *ctx, const char *text); /* why, file by file */
    void (*test)(void *ctx, const char *name); /* in the order of their names */
    void (*problem)(void *ctx, const char *text);
    void *ctx;
} CovAffected;

typedef enum CovAffectedResult { COV_AFFECTED_SOME, COV_AFFECTED_ALL, COV_AFFECTED_FAILED } CovAffectedResult;
/* The diff was opened without `branch`. */
CovAffectedResult cov_affected(const CovData *d, CovDiff *diff, const CovAffected *want);

#endif
