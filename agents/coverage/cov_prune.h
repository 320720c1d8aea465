/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_prune.h - probes that have passed are taken out of running code: a flag that is set tells nothing new.
 *
 * A class that is rewritten is retransformed, and the hook leaves out the probes whose flags are set. All flags stay, so data and reports cannot
 * differ. What it costs, and so when it is done:
 *
 *   interpreted   a probe costs at each execution, a rewritten class half a millisecond. Each second a round rewrites the classes that were
 *                 found running (ten looks at the stacks) and have new passed probes; each class rests longer after every time (1, 3, 7 rounds).
 *   compiled      with prune=on. A probe costs a few percent of a loop, at most; a rewritten class is cold: it is parsed, verified and linked, all code
 *                 that it is inlined in is thrown away, and its methods begin interpreted and without a profile. So the first round comes after START
 *                 of processor time, and the next one when twice as much is used: a program pays for a number of rounds that grows with its
 *                 logarithm. A round is a WATCH of looks, then a few tries. A class goes if it is
 *                   busy      in one look of forty probes of it passed some million times a second. Passed flags are made 2, which says
 *                             passed as well, and looked at again a tenth of a microsecond later, sixteen times: a probe stores a 1. So what
 *                             compilers inline is found, and what they took out of a loop is not, for that costs nothing. Of a look in ten the program
 *                             may be heard if the machine is full of others. Where the process has one processor,
 *                             nothing runs while the agent looks: then a class is busy that was on top of a stack in half of the looks
 *                   quiet     during the watch no probe of it passed for the first time, so that it need not go again soon
 *                   apart     it is on no stack, or has no loop (below); else it waits for a later try, in the end for the next round.
 *                 A process that does nothing is not looked at.
 *                 It is not done unless asked for, because nothing tells what it costs: kernels with small classes gain ten percent and pay nothing that
 *                 can be seen, but javac (over and over, on HotSpot) pays five seconds for three classes that are inlined all over it, and never gains
 *                 them. A limit by how many classes name it is not built.
 *   prune=MS      all classes with new passed probes, every MS milliseconds, wherever they run: for tests and experiments.
 *
 * LOOPS. A call that runs while its class is rewritten goes on in the old version of its method, and neither HotSpot nor Graft compiles
 *   old versions: a loop that computes would be interpreted until it ends, forty times as slow, in main perhaps for ever. So in compiled code
 *   a class with a jump back is not rewritten while it is on any stack. Between the look and the rewriting lie the milliseconds in which the
 *   VM prepares it; who begins a long loop just then is unlucky. Stacks of virtual threads are not seen.
 *
 * Rejected: a round each second (a program with thousands of warm methods never comes to rest); only what stacks show (HotSpot stops threads where they have no small method on the stack:
 * of the dear probes of Dispatch in tests/bench a sixth was found); FramePop events for the end of a call (the thread is interpreted meanwhile);
 * suspending all threads while a class is rewritten (they may hold what other agents' hooks wait for).
 *
 * One thread for each session does it. `round_lock` is held while classes are rewritten, so that who ends pruning can put back the probes.
 */
#ifndef GRAFT_COV_PRUNE_H
#define GRAFT_COV_PRUNE_H

#include "cov_classes.h"

enum { COV_PRUNE_WHERE_IT_PAYS = -1 };

/* What the option says: milliseconds, 0 for never, COV_PRUNE_WHERE_IT_PAYS if `text` is NULL. False: no possible value. */
bool cov_prune_read(const char *text, int *period);

/* For the session that begins; sets c->prune. `text` and `period` are those of cov_prune_read; without `may` it is only done if asked for. */
void cov_prune_begin(CovClasses *c, const char *text, int period, bool may);
/* The session lives: its thread, if it prunes. */
void cov_prune_start(CovClasses *c, JNIEnv *env);
/* The session is over. */
void cov_prune_end(void);
/* Ends pruning that nobody asked for, and gives the classes back what they have lost; false if somebody did. */
bool cov_prune_leave(CovClasses *c, JNIEnv *env);

#endif
