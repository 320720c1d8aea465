/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_rules.h - thresholds: what share has to be covered, of all or of each package of some names.
 *
 * A specification is `[PATTERN:]MEASURE=PERCENT,...`, or `@FILE` with one such in each line (blank lines and what follows a # do not
 * count). Measures are the rows of cov_rules.def. With a pattern, each package that it matches must reach the
 * percentage: `org.x` is one package, `org.x.*` that one and all below. A pattern that matches no package is missed, too:
 * a slip of the pen must not let everything through; so is each, if there is no class at all. What has nothing to count (no branch at all)
 * is covered.
 */
#ifndef GRAFT_COV_RULES_H
#define GRAFT_COV_RULES_H

#include "cov_model.h"
#include "cf_vec.h"

typedef struct CovRule {
    char *pattern;      /* NULL: everything together */
    unsigned measure;   /* row of cov_rules.def */
    uint32_t threshold; /* in hundredths of a percent */
} CovRule;

typedef struct CovRules {
    CF_VEC(CovRule) rows;
} CovRules;

bool cov_rules_add(CovRules *r, const char *spec, char *err, size_t errlen);
void cov_rules_free(CovRules *r);
/* Is there one about changed lines? */
bool cov_rules_need_diff(const CovRules *r);
/* Number of rules and packages that were missed; each gets a line that says by how much. */
unsigned cov_rules_check(const CovRules *r, const CovModel *m, void (*tell)(void *ctx, const char *text), void *ctx);

#endif
