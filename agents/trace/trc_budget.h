/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_budget.h - probes may cost no more than a share of the program's processor time: those that cost too much are taken out.
 *
 *   cost of a call   measured all the time by calling enter and leave a hundred times in the agent's thread: the least so far, and a
 *                    quarter for what caches and the compiler lose by it. A method with conditions costs as much again for each
 *   share            calls since the last look, times that cost, over the processor time that the process used meanwhile without it
 *
 * allowance        each thread may count so many calls until the next look; what it has no allowance for costs a few nanoseconds and is
 *                  counted nowhere, but as a number of calls that are missing. So however late a look comes, no more than that is spent
 *
 * If the share of a look, reckoned with the calls that are missing, is over the budget, methods are let go, the dearest ones first, until what is left fits into half of it: their classes are retransformed, and the hook leaves these methods alone. They do not come back: to put
 * a probe in again costs a retransformation, and where code is compiled anew, more than the probe did. Their numbers are lower bounds, and
 * the report says for which part of the run they were counted. What retransformations and the looks take counts as cost, too.
 *
 * A look is a walk over all trees, every 10 ms, or less often if it takes long (a thousandth of the time, up to every 200 ms), or while the
 * process does next to nothing.
 *
 * Rejected: allowances alone (a fast method that calls an idle probe is half as fast); a clock in each probe that measures the probe.
 */
#ifndef GRAFT_TRC_BUDGET_H
#define GRAFT_TRC_BUDGET_H

#include <jni.h>

#include "agent.h"
#include "trc_tree.h"

typedef struct TrcBudget {
    Agent *agent;
    double share; /* 0.02; 0: no budget */
    TrcTree *tree;
    jclass helper;
    void (*stand_apart)(JNIEnv *env);       /* gives the running thread a tree of its own (trc_thread_apart) */
    void (*lock)(bool on);                  /* of the list of trees */
    uint32_t (*methods)(void);              /* how many there are by now */
    bool (*has_condition)(uint32_t method); /* a probe's; called under the lock */
    void (*let_go)(JNIEnv *env);            /* retransforms the classes of methods that are trc_let_go_now */
} TrcBudget;

/* "2%", "0.5%", "2": as a share; -1: malformed. */
double trc_share_of(const char *text);
/* Starts to watch, everything at 0; ends by trc_budget_end. Share 0: nothing is watched. False: logged. */
bool trc_budget_begin(const TrcBudget *b, JNIEnv *env);
void trc_budget_end(void);

/* Was this method let go? Any thread. */
bool trc_let_go(uint32_t method);
/* ... by the round that is going on. */
bool trc_let_go_now(uint32_t method);

typedef struct TrcSpent {
    double share, call_nanos; /* of the whole run; of a call */
    int64_t retransforming;   /* nanoseconds */
    uint32_t methods;         /* let go */
    int64_t refused;          /* calls that were not counted */
} TrcSpent;
/* False: there is no budget. */
bool trc_budget_spent(TrcSpent *spent);
/* Of a method that was let go: for which part of the time it was counted. */
double trc_kept(uint32_t method);

#endif
