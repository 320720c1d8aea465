/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_tree.h - call trees in memory outside the Java heap, written by bytecode, read by C.
 *
 * Each thread has a tree of its own. A node stands for a call path: the methods from the thread's root down to it.
 * So within a thread no node is active twice at a time, and the time of entry can be kept in the node; no shadow
 * stack is needed. `current` of the thread is the node of the innermost traced method.
 *
 *   enter(key)   finds or makes the child `key` of current, counts it, makes it current, returns its address
 *   leave(node)  adds the time since entry, makes the node's parent current
 *
 * The instrumented method keeps the address in a local variable of its own. Thereby a tree repairs itself: if a
 * leave is missed (a stack overflow inside a probe), the caller's leave sets the right current again.
 *
 * Only the owning thread writes to its tree, without atomics; C reads while it runs. That is safe because a node is
 * complete before it is linked, and is never unlinked or freed. Children hang in a binary tree ordered by key (for finding:
 * keys are scrambled numbers, so it stays shallow) and in a list (for reading). All nodes come from one sparse
 * mapping by an atomic add; when it is used up, calls of new paths are counted in `lost` and belong to no node.
 *
 * With a budget (trc_budget.h) a thread counts the calls that it enters, and beyond its allowance `most` does nothing else: enter gives 0,
 * the node of a call that belongs to nothing. `refused` sums up such calls.
 *
 * A method has a state, a byte that only C writes, and a count, with a budget only: closed methods are not entered, the node is 0 at once.
 *
 * `threads` maps Thread.tid, modulo its length, to the thread's tree; 0: not traced. C fills it at ThreadStart and clears it at ThreadEnd.
 *
 * Virtual threads (JDK 21 and later) have no such events, unless one pays for them; so bytecode does it. `enter` on a virtual thread that has no tree
 * takes one (adopt): of those that are idle, or a new one from the mapping. Where the thread ends (its `run` in VirtualThread is woven) the tree becomes
 * idle again. Idle trees are a stack whose word `idle` has a counter in the upper 16 bits, so that a tree that was taken and
 * given back in between is noticed. As a tree belongs to the virtual thread, calls go on in it on whatever carrier; it is written by one thread at a
 * time as before, and what hands a virtual thread to another carrier orders the writes. Threads whose numbers are the same modulo the
 * length of `threads` cannot have a tree at the same time: calls of the second one are counted in `missed`.
 */
#ifndef GRAFT_TRC_TREE_H
#define GRAFT_TRC_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TrcNode TrcNode;
typedef struct TrcThread TrcThread;

struct TrcNode {
    uint32_t key, unused;
    TrcNode *parent; /* NULL: a thread's root */
    TrcThread *thread;
    TrcNode *root, *left, *right; /* children by key; place among the siblings */
    TrcNode *first, *next;        /* children, newest first */
    TrcNode *last;                /* child called last */
    int64_t calls, failed, nanos, start;
    int64_t longest;          /* of the calls that have ended */
    int64_t allocated, since; /* bytes, in calls that have ended; what the thread had allocated at the start */
    int64_t open;             /* only C, while a report is made: time of the call that still runs */
};

struct TrcThread {
    TrcNode *current;       /* first: its address is the thread's */
    int64_t tid;            /* as written into events */
    int64_t entered, most;  /* with a budget: calls; how many of these may be counted (only C writes that) */
    int64_t begun;          /* `entered` when `most` was set */
    struct TrcEvent *event; /* the last one that it wrote */
    TrcNode root;
    TrcThread *all, *free; /* lists */
    char *name;            /* NULL unless threads are told apart */
    int64_t idle;          /* next one on the stack of idle trees */
    bool apart;            /* is in no list */
};

/* A call that took at least the threshold. `tid` is written last; 0: not complete. */
typedef struct TrcEvent {
    TrcNode *node;
    int64_t start, nanos, failed, tid;
} TrcEvent;

enum { TRC_METHODS = 1 << 24 };           /* numbers from here on are no method's */
enum { TRC_CLOSED = 1, TRC_WATCHED = 2 }; /* states, bits: not entered; trc_budget_left is called when one of its calls ends */
enum { TRC_THREADS = 1 << 24 };           /* without virtual threads ids from here on are not traced */

typedef struct TrcTree {
    TrcThread **threads;
    uintptr_t bump, limit; /* next free node; the last one that fits */
    int64_t lost;          /* calls without a node */
    int64_t missed;        /* ... without a tree */
    int64_t idle;          /* trees of virtual threads that have ended */
    int64_t refused;       /* calls that were not counted for want of allowance; only C */
    int64_t allowance;     /* of a new thread */
    uint8_t *states;       /* by number of the method */
    int64_t *
        counts; /* likewise, of counted calls in all threads: C need not walk the trees for them. Two threads may count one call together */
    bool limited; /* are there allowances and states? */
    bool counter; /* is the time that of Perf.highResCounter? */
    bool virtual; /* are there virtual threads? */
    bool bytes;   /* is it counted what calls allocate? */
    TrcEvent *events;
    int64_t event_count, event_max; /* the count goes on beyond max */
    int64_t threshold;              /* nanoseconds; INT64_MAX: no events are wanted. May change */
    TrcThread *all, *free;
    bool separate; /* a tree for each thread that ever was: no reuse */
} TrcTree;

/* False: no memory (errno). */
bool trc_tree_init(TrcTree *t, size_t megabytes, int64_t events);
/* Gives the thread a tree. `name` (malloc'ed or NULL) becomes the tree's. Callers lock. */
void trc_thread_start(TrcTree *t, int64_t tid, char *name);
/* Calls that still run then, as those below System.exit, last until `now`; 0: untimed. */
void trc_thread_end(TrcTree *t, int64_t tid, int64_t now);
/* Gives the thread a tree that is in no list: its calls are no part of any report. */
void trc_thread_apart(TrcTree *t, int64_t tid);
/* The thread's tree, NULL if it has none. Callers lock. */
TrcThread *trc_thread_of(const TrcTree *t, int64_t tid);
/* Gives the thread an allowance of so many more calls. Returns how many were counted since the last one. */
int64_t trc_allow(TrcTree *t, TrcThread *th, int64_t calls);
/* All numbers to 0; calls that run now are not counted but stay in place. */
void trc_tree_reset(TrcTree *t);
/* The first tree of the list, which others may be put in front of at any time. */
static inline TrcThread *trc_first(const TrcTree *t) { return __atomic_load_n(&t->all, __ATOMIC_ACQUIRE); }
/* The next node in a walk over the tree of `root`, parents first; NULL at the end. *depth follows (root: 0). */
TrcNode *trc_next(const TrcNode *root, TrcNode *n, size_t *depth);

static inline uint32_t trc_key(uint32_t method) { return method * 0x9E3779B1u; }
uint32_t trc_method(uint32_t key); /* inverse of trc_key */
uint32_t trc_inverse(void);        /* what a key times this is the method */

#endif
