/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_filter.h - code that the compiler made and nobody wrote does not count.
 *
 * Two levels. cov_filter_class and cov_methods_next know whole classes and methods that are left
 * out; the agent puts no probes there. cov_filter_code looks for shapes inside a method (after
 * cov_code_apply) and produces the final status of each instruction: left out, merged with the copies of the
 * same finally block, or with its branches replaced by those that the source has.
 * docs/coverage-vs-jacoco.md lists the filters with an example each.
 */
#ifndef GRAFT_COV_FILTER_H
#define GRAFT_COV_FILTER_H

#include "cov_code.h"

typedef struct CovFilters { /* choices of the user */
    bool off;               /* report everything as compiled */
    bool old;               /* as JaCoCo 0.8.6: accessors of records, the missing else of a switch are reported */
    bool tests;             /* also report classes from places of tests */
    bool assertions;        /* also leave out the hidden branch of assert (JaCoCo >= 0.8.13 does) */
} CovFilters;

typedef struct CovStatus {
    uint32_t branches, taken;
    bool ignore;
} CovStatus;

bool cov_filter_class(const CfClass *c);

/* The methods of a class that carry probes, in class-file order. The probes of a class are numbered
 * through: `first` is the number of the first probe of the method that was delivered. Agent and
 * reports both walk by this and so agree on numbers.
 *     CovMethods it = {.cls = c, .arena = a};
 *     while (cov_methods_next(&it)) use(it.method, it.code, it.first);
 * Afterwards it.total is the number of probes and it.skipped the number of methods with jsr or damage. */
typedef struct CovMethods {
    const CfClass *cls;
    CfArena *arena;
    unsigned next;
    const CfMember *method;
    CovCode code;
    uint32_t first, total, skipped;
} CovMethods;
bool cov_methods_next(CovMethods *it);

/* Status of each instruction, allocated in `arena`; NULL if there is no memory. */
CovStatus *cov_filter_code(CovCode *code, const CovFilters *f, CfArena *arena);

/* ---- between the filter files ---- */

/* The shapes are recognised by a cursor that steps over a pattern, words for one instruction each:
 *     athrow       that operation (names of opcodes.def, forms folded as in CovInsn); `any`, `switch`
 *     aload:x      its variable, or the target of a branch, is x: the first use binds, later ones must agree
 *     :x           no instruction: the cursor stands at the target x
 *     equals       a call of that kind, see `calls` in cov_filter.c
 *     close:x      aload:x and a call of close(), always of the same class; `close_any:x`: of any
 * x is a letter; with a star (`x*`) it is that of resource `level`. Bindings outlive an attempt until cov_m_begin. */
enum { COV_MATCH_LEVELS = 16, COV_MATCH_NAMES = 26 * COV_MATCH_LEVELS };
typedef struct CovMatch {
    const CovCode *code;
    uint32_t pos; /* instruction expected next */
    unsigned level;
    int32_t vars[COV_MATCH_NAMES];
    uint32_t labels[COV_MATCH_NAMES];
    CfStr owner; /* of close(), once seen */
} CovMatch;
static inline unsigned cov_m_name(char letter, unsigned level) { return (unsigned)(letter - 'a') * COV_MATCH_LEVELS + level; }

void cov_m_begin(CovMatch *m, const CovCode *code, uint32_t pos);
/* False: the code at `pos` is another, and the cursor somewhere in it. */
bool cov_match(CovMatch *m, const char *pattern);

typedef struct CovFilterOut {
    CovCode *code;
    CovStatus *status;
    uint32_t *group; /* union-find of merged instructions */
    CfArena *arena;
} CovFilterOut;

void cov_f_ignore(CovFilterOut *o, uint32_t from, uint32_t to); /* both included */
/* Behind the merges: the branches of instruction n are those that lead to the `count` instructions, of which some may be the same. */
void cov_f_replace(CovFilterOut *o, uint32_t n, const uint32_t *to, uint32_t count);
void cov_filter_resources(CovFilterOut *o); /* try-with-resources, cov_filter_twr.c */

void cov_filter_kotlin(CovFilterOut *o, bool old); /* cov_filter_kotlin.c */
bool cov_kotlin_class(const CfClass *c);
/* Has a synthetic method of that name something of the source: default arguments, or a private function that may suspend? */
bool cov_kotlin_written(CfStr name, CfStr desc);

#endif
