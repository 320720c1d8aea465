/* SPDX-License-Identifier: Apache-2.0 */
/* What the passes share: what is known of single nodes, and which memory they touch. */
#ifndef GRAFT_JIT_OPT_PASS_H
#define GRAFT_JIT_OPT_PASS_H

#include "jit/opt/opt_ir.h"

/* An INT or LONG is within, both ends included. */
typedef struct OptRange {
    int64_t lo, hi;
} OptRange;

/* --- opt_fold.c --- */
OptRange opt_range(const Opt *o, Ref r); /* by what the node itself is */
OptRange opt_range_with(const Opt *o, Ref r,
                        OptRange x); /* of a NARROW, or an operation with a constant: if its first input is x */
Ref opt_without_narrowing(const Opt *o, Ref r, u4 low); /* r, or an input of it that has the same bits there: 0x1, 0xff, 0xffff */
OptRange opt_all_of(OptType t);                         /* every INT, or LONG */
int opt_decide_ranges(Cond c, OptRange x, OptRange y);  /* 1: holds for all pairs, 0: for none, -1 */
bool opt_cond(Cond c, int64_t x, int64_t y);            /* both INT, sign-extended, or both LONG */
Cond opt_swapped(Cond c);                               /* x c y is y swapped(c) x */
static inline bool opt_is_compare(const Node *n) { return n->op == OPT_IF || n->op == OPT_HOLDS; }
bool opt_is_cheap(const Node *n); /* a number from numbers, in one instruction of one cycle or so */
static inline bool opt_is_number(OptType t) { return t == OT_INT || t == OT_LONG; }

/* --- opt_gvn.c --- */
/* Sets of words that an access may touch (MEMORY in opt_ir.h), as bits.  No word is in two; where there are more fields than sets some have those of several. */
enum {
    OPT_PLACES = 63,
    OPT_FIELD_PLACES = 56,
    OPT_STOP = 63
}; /* OPT_STOP: what a stop changes besides memory: which objects are young */
#define OPT_ALL_PLACES ((1ull << OPT_PLACES) - 1)
#define OPT_STOP_BIT (1ull << OPT_STOP)
typedef struct OptField {
    int64_t k;
    const void *what;
    u1 width;
    bool used;
} OptField;
u4 opt_place(const Opt *o, const Node *n); /* of LOAD, STORE, ELEMENT, SET_ELEMENT */
u8 opt_changes(const Opt *o, const Node *n);
u8 *opt_changes_of_loops(Opt *o); /* by head; NULL: no memory */
/* By block, of each place: the node that wrote it last on all ways, or OPT_MEETS and the block where ways meet that disagree; 0: nobody. */
typedef struct OptVersions {
    u4 **starts, **ends;
} OptVersions;
enum { OPT_MEETS = 1u << 31 };
/* What is loaded is what was stored, and no more is known of it. */
bool opt_is_whole_field(const Opt *o, const Node *load);
bool opt_stores_field(const Opt *o, const Node *store, Ref object,
                      const Node *load); /* store, to that object, is to the load's field */
bool opt_find_versions(Opt *o, OptVersions *v);
void opt_sweep(Opt *o); /* what has no effect and no use goes */

/* --- opt_carry.c --- */
typedef bool (*OptMayMove)(void *arg, Ref load,
                           BlockRef head); /* the load may stand in front of the loop, but for what the loop writes */
bool opt_carry(Opt *o, OptMayMove may_move, void *arg); /* some loads became phis */

/* --- the phases: rows of the table in opt_compile.c --- */
void opt_locks(Opt *o);       /* opt_locks.c: monitors that are held already; which regions nobody sees */
void opt_join_locks(Opt *o);  /* the same behind opt_escape; and regions that are one */
void opt_asides(Opt *o);      /* opt_aside.c: ways that are taken for seldom */
void opt_escape(Opt *o);      /* opt_escape.c: objects that nobody else sees become values */
void opt_number(Opt *o);      /* opt_gvn.c: equal values, redundant guards and loads; dead nodes go */
void opt_thread(Opt *o);      /* opt_thread.c: ways that know the outcome of a test go where it leads */
void opt_leaves(Opt *o);      /* opt_leave.c: branches one way of which leaves become guards */
void opt_unroll_few(Opt *o);  /* opt_unroll.c: loops of few turns become straight code */
void opt_unswitch(Opt *o);    /* opt_unswitch.c: what a loop asks with one answer is asked in front of it */
void opt_vectors(Opt *o);     /* opt_vector.c: several elements at once */
void opt_quiet_turns(Opt *o); /* opt_quiet.c: turns of a loop that call nothing are a loop of their own */
void opt_unroll_many(Opt *o); /* opt_unroll.c: several turns of a small loop at once */
void opt_apart(Opt *o);       /* opt_apart.c: values have names of their own on seldom ways of loops */
void opt_indices(Opt *o);     /* opt_address.c: indices with their constant outermost */
void opt_addresses(Opt *o);   /* ... which is part of the address then; bytes without sign */
void opt_join_turns(Opt *o);  /* the same of turns that were put in a row */
void opt_remainders(Opt *o);  /* opt_remainder.c: of divisions that are done anyway */
void opt_pick_early(Opt *o);  /* opt_pick.c: those of loops that vectors want */
void opt_pick(Opt *o);        /* opt_pick.c: branches between two values are none */
void opt_sink(Opt *o);        /* opt_sink.c: what is cheap is made in the loop that wants it, if that calls */
void opt_loops(
    Opt *o); /* opt_loop.c: what does not change in a loop moves in front of it; bounds that counting loops keep are not asked */

#endif
