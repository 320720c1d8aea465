/* SPDX-License-Identifier: Apache-2.0 */
/* trc_report.h - what is written about call trees: table, stacks, flame graph, timeline. */
#ifndef GRAFT_TRC_REPORT_H
#define GRAFT_TRC_REPORT_H

#include <stdio.h>

#include "trc_tree.h"

/* In the order of the agent's options. */
typedef enum TrcSort { TRC_BY_SELF, TRC_BY_TOTAL, TRC_BY_CALLS, TRC_BY_NAME } TrcSort;
typedef enum TrcForm { TRC_TEXT, TRC_CSV } TrcForm;
typedef enum TrcWeight { TRC_TIME, TRC_CALLS, TRC_BYTES } TrcWeight;

typedef struct TrcReport {
    TrcTree *tree;
    const char *const *methods; /* by number: "a.B.c(int)" */
    uint32_t nmethods;
    int64_t begun; /* System.nanoTime at the start; 0: untimed */
    int64_t now;   /* System.nanoTime: calls still running count until now; 0: untimed */
    TrcSort sort;
    TrcForm form;
    TrcWeight weight;
    double (*kept)(uint32_t method); /* for which part of the time a method was counted; 1: all; NULL: all were */
    int top;                         /* rows of the table, 0: all */
    int levels;                      /* of the call tree as text */
    int depth;                       /* frames of a stack; deeper calls count for the frame at the limit */
} TrcReport;

/* For the writers: all calls of all threads, each before those that it made; calls that run now count until now.
 * `outermost`: no caller is the same method. False without memory. */
typedef void (*TrcVisit)(void *ctx, const TrcNode *n, bool outermost);
bool trc_walk(const TrcReport *r, TrcVisit visit, void *ctx);
/* The tree of each thread, with its name (NULL unless threads are told apart) and a number; calls that run now count until now. False if
 * `visit` gives that. */
typedef bool (*TrcThreadVisit)(void *ctx, const char *name, uint32_t number, const TrcNode *root);
bool trc_each_thread(const TrcReport *r, TrcThreadVisit visit, void *ctx);
static inline int64_t trc_total(const TrcNode *n) { return n->nanos + n->open; }
static inline int64_t trc_self(const TrcNode *n) {
    int64_t t = trc_total(n);
    for (const TrcNode *c = n->first; c; c = c->next) t -= trc_total(c);
    return t > 0 ? t : 0;
}

#define TRC_VIRTUAL_NAME "virtual #%lld" /* of a virtual thread, by its number */

static inline int64_t trc_self_bytes(const TrcNode *n) {
    int64_t b = n->allocated;
    for (const TrcNode *c = n->first; c; c = c->next) b -= c->allocated;
    return b > 0 ? b : 0;
}

/* Each writes one form of a TrcReport; false if that failed (errno). Callers lock the tree's list of threads. */
bool trc_write_table(const void *report, FILE *out);
bool trc_write_collapsed(const void *report, FILE *out);
bool trc_write_html(const void *report, FILE *out);
bool trc_write_graph(const void *report, FILE *out);
bool trc_write_calltree(const void *report, FILE *out);
bool trc_write_pprof(const void *report, FILE *out);
/* Chrome trace events (chrome://tracing, Perfetto); names of threads from `thread_name(tid)`, NULL if not known. */
bool trc_write_chrome(const TrcReport *r, const char *(*thread_name)(int64_t tid), FILE *out);

/* Spans of slow calls; `otlp` is a TrcOtlp. */
typedef struct TrcOtlp {
    const TrcReport *report;
    const char *(*thread_name)(int64_t tid);
    const char *service;
    int64_t epoch; /* what added to System.nanoTime gives Unix time */
} TrcOtlp;
bool trc_write_otlp(const void *otlp, FILE *out);

#endif
