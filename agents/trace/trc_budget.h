/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_budget.h - probes may cost no more than a share of the program's processor time: those that cost too much are let go.
 *
 *   cost of a call   measured all the time by calling enter and leave a hundred times in the agent's thread: the least so far, and a
 *                    quarter for what caches and the compiler lose by it. A method with conditions costs as much again for each
 *   share            calls since the last look, times that cost, over the processor time that the process used meanwhile without it
 *
 *   allowance        each thread may count so many calls until the next look; what it has no allowance for costs a few nanoseconds and is
 *                    counted nowhere, but as a number of calls that are missing. So however late a look comes, no more than that is spent
 *
 * If the share of a look, reckoned with the calls that are missing, is over the budget, methods are let go, the dearest ones first, until what is
 * left fits into half of it; while calls are refused, only the dearest that make four fifths of the cost, for the calls that were counted are a
 * sample of all, to which the looks before add what they saw, with a weight that shrinks. So programs come to rest soon that have one dear method, and
 * those that have thousands, none of them dear. Methods do not come back. Their numbers are lower bounds, and the report says for which part of the run they were
 * counted. A method that is let go passes through
 *
 *   CLOSED    at once: its state lets `enter` return 0 first of all. What a call of the probe costs still, a load and a branch or two where it is compiled
 *             well, is measured like the cost of a call. If all closed methods together cost less than a quarter of the budget, it stays so, for
 *             nothing is cheaper. Else the classes leave whose closed methods cost most. (Not to wait until closed probes have cost what it costs to
 *             compile a class anew: beside that, compilers inline less and know less while a probe is there.)
 *   leaving   the probes of the class are to be taken out by retransformation, with all others that leave by then, in a twentieth of the time. A method of the class that is on a stack goes on in its old version
 *             until it returns, which neither HotSpot nor Graft compiles again: for a loop that computes that costs more than the probe did in
 *             all. So that waits until the class is on no stack. Trees tell that of calls that are counted, and its methods are watched: where one of
 *             them ends and none is left, the thread waits a moment for the agent's thread, which looks and retransforms. Calls that were not counted
 *             stacks tell, which are walked when trees know of no more, and seldom then. The wait has an
 *             end, when closed probes have cost a tenth of a second; or soon, if what is on the stack does not look like a loop that computes
 *   GONE      the hook leaves the method alone from now on
 *
 * What closed probes, retransformations and the looks take counts as cost, too.
 *
 * A look is a walk over all trees, every 10 ms, or less often if it takes long (a thousandth of the time, up to every 200 ms), or while the
 * process does next to nothing; and soon after a thread's allowance is used up, for then something has begun that may have to go.
 *
 * Rejected: allowances alone (a fast method that calls an idle probe is half as fast); a clock in each probe that measures the probe; probes called through
 * helpers of their own that are redefined when they are let go (HotSpot then inlines nothing at all, Graft is half as fast, and every class needs
 * one more); retransformation in the program's thread where the class is left (it may hold locks).
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
    bool can_be_told;                       /* may methods be watched? */
    void (*stand_apart)(JNIEnv *env);       /* gives the running thread a tree of its own (trc_thread_apart) */
    void (*lock)(bool on);                  /* of the list of trees */
    uint32_t (*methods)(void);              /* how many there are by now */
    bool (*has_condition)(uint32_t method); /* a probe's; called under the lock */
    uint32_t (*class_of)(uint32_t method);  /* a number; under the lock */
    bool (*stacks)(JNIEnv *env,
                   void (*put)(uint32_t class_number)); /* puts the classes of all frames, as far as they have numbers */
    void (*let_go)(JNIEnv *env);                        /* retransforms the classes of methods that are trc_let_go_now */
} TrcBudget;

/* "2%", "0.5%", "2": as a share; -1: malformed. */
double trc_share_of(const char *text);
/* Starts to watch, everything at 0; ends by trc_budget_end. Share 0: nothing is watched. False: logged. */
bool trc_budget_begin(const TrcBudget *b, JNIEnv *env);
void trc_budget_end(void);

/* A call of a watched method has ended in this thread. */
void trc_budget_left(uint32_t method);

/* Was this method let go? Any thread. */
bool trc_let_go(uint32_t method);
/* ... and is its probe taken out now? */
bool trc_let_go_now(uint32_t method);

typedef struct TrcSpent {
    double share, call_nanos, closed_nanos; /* of the whole run; of a call; of one of a closed method */
    int64_t retransforming;                 /* nanoseconds */
    uint32_t methods, closed;               /* let go; of these such with a closed probe still there */
    int64_t refused;                        /* calls that were not counted */
} TrcSpent;
/* As of the last look. False: there is no budget. Under the lock, as trc_kept. */
bool trc_budget_spent(TrcSpent *spent);
/* Of a method that was let go: for which part of the time it was counted. */
double trc_kept(uint32_t method);

#endif
