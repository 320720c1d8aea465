/* SPDX-License-Identifier: Apache-2.0 */
/* trc_report.h - what is written about call trees: table, stacks, flame graph, timeline. */
#ifndef GRAFT_TRC_REPORT_H
#define GRAFT_TRC_REPORT_H

#include <stdio.h>

#include "trc_tree.h"

typedef enum TrcSort { TRC_BY_SELF, TRC_BY_TOTAL, TRC_BY_CALLS, TRC_BY_NAME, TRC_SORTS } TrcSort;
typedef enum TrcForm { TRC_TEXT, TRC_CSV, TRC_FORMS } TrcForm;
typedef enum TrcWeight { TRC_TIME, TRC_CALLS, TRC_WEIGHTS } TrcWeight;
extern const char *const trc_sorts[TRC_SORTS], *const trc_forms[TRC_FORMS], *const trc_weights[TRC_WEIGHTS];

typedef struct TrcReport {
    TrcTree *tree;
    const char *const *methods; /* by number: "a.B.c(int)" */
    uint32_t nmethods;
    int64_t begun; /* System.nanoTime at the start; 0: untimed */
    int64_t now;   /* System.nanoTime: calls still running count until now; 0: untimed */
    TrcSort sort;
    TrcForm form;
    TrcWeight weight;
    int top;   /* rows of the table, 0: all */
    int depth; /* frames of a stack; deeper calls count for the frame at the limit */
} TrcReport;

/* For the writers: gives calls that run now the time until now, or takes it away again. */
void trc_set_open(const TrcReport *r, bool on);
static inline int64_t trc_total(const TrcNode *n) { return n->nanos + n->open; }
static inline int64_t trc_self(const TrcNode *n) {
    int64_t t = trc_total(n);
    for (const TrcNode *c = n->first; c; c = c->next) t -= trc_total(c);
    return t > 0 ? t : 0;
}

/* Each writes one form; false if that failed (errno). Callers lock the tree's list of threads. */
bool trc_write_table(const TrcReport *r, FILE *out);
bool trc_write_collapsed(const TrcReport *r, FILE *out);
bool trc_write_html(const TrcReport *r, FILE *out);
bool trc_write_graph(const TrcReport *r, FILE *out);
bool trc_write_pprof(const TrcReport *r, FILE *out);
/* Chrome trace events (chrome://tracing, Perfetto); names of threads from `thread_name(tid)`, NULL if not known. */
bool trc_write_chrome(const TrcReport *r, const char *(*thread_name)(int64_t tid), FILE *out);

#endif
