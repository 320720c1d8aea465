/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_model.h - data file -> numbers: packages, source files, classes, methods, lines.
 *
 * All report writers read this model and nothing else. Strings are UTF-8 and NUL-terminated;
 * everything lives in the model's arena. Arrays are sorted by name (byte order).
 *
 * Counters follow JaCoCo's definitions: a line counts as covered if any of its instructions ran; complexity of a
 * method is branches - decisions + 1, its covered part what the taken branches prove; a class or
 * method is covered if anything in it ran. A package's lines are those of its source files, so
 * that two classes on one line count once.
 */
#ifndef GRAFT_COV_MODEL_H
#define GRAFT_COV_MODEL_H

#include "agent.h"
#include "cov_data.h"
#include "cov_diff.h"
#include "cov_filter.h"

typedef enum CovCounter { COV_INSTRUCTION, COV_BRANCH, COV_LINE, COV_COMPLEXITY, COV_METHOD, COV_CLASS, COV_COUNTERS } CovCounter;

typedef struct CovCount {
    uint32_t missed, covered;
} CovCount;

typedef struct CovLine { /* instructions and branches, missed and covered; all 0 = no code */
    uint32_t mi, ci, mb, cb;
    uint64_t runs; /* of the instruction that ran most; without counts 0 or 1 */
} CovLine;

typedef struct CovLines {
    int32_t first; /* line number of v[0] */
    uint32_t n;
    CovLine *v;
} CovLines;

/* One way on from a condition or a switch, or into a catch clause. */
typedef enum CovArmKind { COV_ARM_ON, COV_ARM_JUMP, COV_ARM_CASE, COV_ARM_DEFAULT, COV_ARM_CATCH } CovArmKind;
typedef struct CovArm {
    int32_t line, to; /* of the instruction, and of where it leads (COV_NO_LINE: nowhere in the source) */
    uint32_t insn;    /* arms of one instruction have one number; in the order of the code */
    uint8_t kind, taken;
    const char *caught; /* CATCH: a/b/Exception */
} CovArm;

typedef struct CovMethod {
    const char *name, *desc;
    int32_t line;   /* first line or COV_NO_LINE */
    uint64_t calls; /* without counts 0 or 1 */
    CovLines lines;
    CovCount c[COV_COUNTERS];
} CovMethod;

typedef struct CovClass {
    const char *name;    /* a/b/C$D */
    const char *package; /* a/b, "" for the unnamed one */
    const char *source;  /* SourceFile or NULL */
    const char *loader;
    uint64_t crc;
    bool loaded;
    CovMethod *methods;
    uint32_t nmethods;
    CovArm *arms; /* by method, in the order of the code; not those of switches that ecj makes of strings */
    uint32_t narms;
    const struct CovClass *before;          /* the class of that name of the model it is compared with */
    bool paired;                            /* some class has this one as `before` */
    uint32_t gained, lost, changed_methods; /* lines of methods with the same code; methods with other code */
    CovLines lines;
    CovCount c[COV_COUNTERS];
} CovClass;

typedef struct CovSource {
    const char *package, *name;
    CovLines lines;
    CovCount c[COV_COUNTERS];
    CovCount diff[COV_COUNTERS]; /* the same of changed lines: LINE and BRANCH */
    const CovDiffFile *changed;  /* which those are; NULL: none */
    uint8_t *moved;              /* for each of `lines`, in a comparison: COV_MARK_GAINED, COV_MARK_LOST, 0; or NULL */
    uint32_t index;              /* in CovModel.sources */
} CovSource;

typedef struct CovPackage {
    const char *name;
    CovClass *classes; /* part of CovModel.classes */
    uint32_t nclasses;
    CovSource *sources; /* part of CovModel.sources */
    uint32_t nsources;
    CovCount c[COV_COUNTERS], diff[COV_COUNTERS];
} CovPackage;

typedef struct CovLeftOut { /* a source whose classes are of tests and not in the report */
    const char *package, *name;
    struct CovLeftOut *next;
} CovLeftOut;

typedef struct CovModel {
    CfArena arena;
    const char *title;
    CovPackage *packages;
    uint32_t npackages;
    CovClass *classes;
    uint32_t nclasses;
    CovSource *sources;
    uint32_t nsources;
    CovCount c[COV_COUNTERS], diff[COV_COUNTERS];
    CovDiff *diffed;               /* cov_model_diff; NULL: no difference is asked for */
    const struct CovModel *before; /* cov_model_compare; NULL: no comparison */
    uint32_t gained, lost;         /* lines */
    bool counts;                   /* runs and calls are numbers */
    CovLeftOut *left_out;
    const CovFileHead *runs; /* borrowed from the data */
    uint32_t nruns;
    uint32_t skipped_methods; /* with jsr or unreadable code */
    uint32_t skipped_classes; /* not parsed, or another version of the probes */
} CovModel;

extern const char *const cov_counter_names[COV_COUNTERS]; /* "INSTRUCTION" ... */

/* False only if memory is exhausted. The data must outlive the model. */
bool cov_model_build(CovModel *m, const CovData *d, const CovFilters *f, const char *title);
void cov_model_free(CovModel *m);
/* Notes which lines a change touched (cov_changes.c); `d` must outlive the model. */
void cov_model_diff(CovModel *m, CovDiff *d);
/* Notes which lines of `now` came out better or worse (cov_compare.c). Classes are paired by name, methods by name and descriptor; lines
 * are compared where a method has as many lines with as many instructions and branches each as before, wherever it
 * stands. False if there is no memory. */
bool cov_model_compare(CovModel *now, CovModel *before);
bool cov_class_differs(const CovClass *c);
typedef enum CovMark { COV_MARK_NONE, COV_MARK_CHANGED, COV_MARK_GAINED, COV_MARK_LOST } CovMark;
CovMark cov_line_mark(const CovSource *s, int32_t line);

static inline void cov_add(CovCount *to, CovCount c) {
    to->missed += c.missed;
    to->covered += c.covered;
}
static inline uint32_t cov_total(CovCount c) { return c.missed + c.covered; }
/* Covered share in percent, 100 for an empty counter. */
static inline double cov_percent(CovCount c) { return cov_total(c) ? 100.0 * c.covered / cov_total(c) : 100.0; }
/* The line record, or NULL if the line holds no code. */
const CovLine *cov_line_at(const CovLines *l, int32_t line);
/* "m(int, String)" as in source. */
void cov_signature(const CovClass *c, const CovMethod *m, char *buf, size_t n);

#endif
