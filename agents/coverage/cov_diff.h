/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_diff.h - which lines of which files a change touched: a unified diff, read from a file or made by git.
 *
 * Lines are those of the new side. A file that only lost lines is in the list, without changed lines. Paths are as the
 * diff has them, without the a/ and b/ in front; a source of the model is found by the end of the path, package/Name.java, so
 * that it does not matter in which folder of which module it lies.
 */
#ifndef GRAFT_COV_DIFF_H
#define GRAFT_COV_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cf_arena.h"
#include "cf_vec.h"

typedef struct CovLineRange {
    int32_t first, last; /* both included */
} CovLineRange;

typedef enum CovDiffKind { COV_DIFF_CHANGED, COV_DIFF_NEW, COV_DIFF_GONE } CovDiffKind;

typedef struct CovDiffFile {
    const char *path; /* of the new side; of the old one if the file is gone */
    CovDiffKind kind;
    CF_VEC(CovLineRange) lines; /* ascending, apart from each other */
    bool constants;             /* some line, on either side, looks like a constant: compilers copy these into other classes */
    bool used;                  /* some source of the model is this file */
    bool of_tests;              /* and those are left out of the report */
} CovDiffFile;

typedef struct CovDiff {
    CfArena arena; /* texts */
    const char *name;
    const char *root;          /* of the repository; NULL: paths are as in the file that was read */
    const char *repo, *before; /* as opened; the revision that files can be had of, or NULL */
    CF_VEC(CovDiffFile) files;
} CovDiff;

/* `what`: a file with a unified diff, or a revision for git, which is compared with the working tree; untracked source files are
 * new ones. "A..B" and "A...B" are git's. `branch`: from where both parted, and files may move; else from the revision itself, and a
 * file that moved is gone there and new here. `repo`: folder of the repository, NULL for the current one. False with a reason in
 * `err`. */
bool cov_diff_open(CovDiff *d, const char *what, const char *repo, bool branch, char *err, size_t errlen);
void cov_diff_close(CovDiff *d);

bool cov_diff_has(const CovDiffFile *f, int32_t line);
/* The file that package/name is; NULL if it was not changed. `gone`: or was, in a file that is gone. */
CovDiffFile *cov_diff_find(const CovDiff *d, const char *package, const char *name, bool gone);
/* The text of a file before the change, in the arena of the diff; NULL if it cannot be had: the diff is from a file or of two revisions. */
const char *cov_diff_before(CovDiff *d, const CovDiffFile *f, size_t *len);
/* Does the file hold code of a language of the JVM, by its name? */
bool cov_diff_is_source(const char *path);

#endif
