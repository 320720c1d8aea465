/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_filter.h - code that the compiler made and nobody wrote does not count.
 *
 * Two levels. cov_filter_class and cov_filter_method name whole classes and methods that are left
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
    bool assertions;        /* also leave out the hidden branch of assert (JaCoCo >= 0.8.13 does) */
} CovFilters;

typedef struct CovStatus {
    uint32_t branches, taken;
    bool ignore;
} CovStatus;

bool cov_filter_class(const CfClass *c);
bool cov_filter_method(const CfClass *c, const CfMember *m);

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

/* The shapes are recognised by a cursor: each cov_m_* step expects one instruction, moves on, or
 * ends the attempt (`ok` false, later steps do nothing). Variables and jump targets are compared by name:
 * the first use binds, later ones must agree. Bindings outlive an attempt until cov_m_clear. */
enum { COV_MATCH_NAMES = 64 };
typedef struct CovMatch {
    const CovCode *code;
    uint32_t pos; /* instruction expected next */
    bool ok;
    int32_t vars[COV_MATCH_NAMES];
    uint32_t labels[COV_MATCH_NAMES];
    CfStr owner; /* of close(), once seen */
} CovMatch;

void cov_m_clear(CovMatch *m, const CovCode *code);
void cov_m_start(CovMatch *m, uint32_t pos);
const CovInsn *cov_m_any(CovMatch *m); /* any instruction; NULL if none */
const CovInsn *cov_m_op(CovMatch *m, unsigned op);
void cov_m_var(CovMatch *m, unsigned op, unsigned name);
void cov_m_jump(CovMatch *m, unsigned op, unsigned label); /* branch to a named place */
void cov_m_label(CovMatch *m, unsigned label);             /* the cursor stands at that place */
void cov_m_invoke(CovMatch *m, unsigned op, const char *owner, const char *name, const char *desc);
void cov_m_close(CovMatch *m, unsigned name); /* aload name; X.close() */
const CovInsn *cov_m_switch(CovMatch *m);

typedef struct CovFilterOut {
    CovCode *code;
    CovStatus *status;
    uint32_t *group; /* union-find of merged instructions */
    CfArena *arena;
} CovFilterOut;

void cov_f_ignore(CovFilterOut *o, uint32_t from, uint32_t to); /* both included */
void cov_f_merge(CovFilterOut *o, uint32_t a, uint32_t b);
void cov_filter_resources(CovFilterOut *o); /* try-with-resources, cov_filter_twr.c */

#endif
