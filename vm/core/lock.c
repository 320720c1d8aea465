/* SPDX-License-Identifier: Apache-2.0 */
/* What each thread holds, in the order of taking; debug build only. */
#include "core/lock.h"

#ifdef GRAFT_DEBUG
enum { MAX_HELD = 16 };
static _Thread_local const VmLock *held[MAX_HELD];
static _Thread_local int n_held;
static _Thread_local bool in_pause;
static _Atomic bool silent; /* a report of the end takes what it needs */

static const char *const names[] = {
#define LOCK_RANK(NAME, what) #NAME,
#include "core/lock_ranks.def"
};

void lock_about_to_take(const VmLock *l) {
    if (silent) return;
    for (int i = 0; i < n_held; i++) {
        if (held[i] == l && l->rank == RANK_THREADS) return; /* recursive */
        if (held[i]->rank < l->rank) continue;
        silent = true;
        FATAL("lock order: %s is taken while %s is held (core/lock_ranks.def)", names[l->rank], names[held[i]->rank]);
    }
}

void lock_taken(const VmLock *l) {
    if (silent) return;
    if (n_held == MAX_HELD) FATAL("%d locks are held", n_held);
    held[n_held++] = l;
}

void lock_given_back(const VmLock *l) {
    int i = n_held - 1;
    while (i >= 0 && held[i] != l) i--;
    if (silent) return;
    if (i < 0) FATAL("lock %s is given back by a thread that does not hold it", names[l->rank]);
    for (n_held--; i < n_held; i++) held[i] = held[i + 1];
}

void lock_only_this(const VmLock *l) {
    for (int i = 0; i < n_held && !silent; i++)
        if (held[i] != l) {
            silent = true;
            FATAL("a thread waits with lock %s while it holds %s", names[l->rank], names[held[i]->rank]);
        }
}

void lock_none_from(LockRank rank, const char *what) {
    if (in_pause && rank <= RANK_THREADS) rank = RANK_THREADS + 1;
    for (int i = 0; i < n_held && !silent; i++)
        if (held[i]->rank >= rank) {
            silent = true;
            FATAL("%s while lock %s is held", what, names[held[i]->rank]);
        }
}

void lock_pause(bool on) { in_pause = on; }
#endif
