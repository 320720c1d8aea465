/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the phase that makes objects values: opt_escape.c, where its theory is, and opt_escape_meet.c. */
#ifndef GRAFT_JIT_OPT_ESCAPE_H
#define GRAFT_JIT_OPT_ESCAPE_H

#include "jit/opt/opt_ir.h"

enum { MOST_CANDIDATES = 64, MOST_SLOTS = 24, MOST_PREDS = 64, MOST_LENT = 3, ANY_ELEMENT = -1 };

typedef enum Is { NONE, VIRTUAL, REAL } Is;

typedef struct Candidate {
    Ref node; /* the phi, or what makes it */
    const OptLayout *layout;
    Ref name; /* VIRTUAL node */
    bool never;
    bool used; /* in this round it was virtual */
    bool not_lent;
    u4 n_lent; /* calls that made a copy in this round, but in seldom blocks */
    BlockRef *made_in;
    u4 n_made;
} Candidate;

/* By candidate.  slots are never changed, but replaced by a changed copy. */
typedef struct Flow {
    u1 is[MOST_CANDIDATES];
    Ref real[MOST_CANDIDATES];
    Ref *slots[MOST_CANDIDATES];
    Ref lent[MOST_CANDIDATES]; /* VIRTUAL: a copy that was made for frames, and is like it but for what its slots lead to; or 0 */
} Flow;

typedef struct Changed { /* what a loop stores into */
    struct Changed *next;
    int64_t k; /* offset, or ANY_ELEMENT */
    Ref of;
} Changed;

typedef struct Escape {
    Opt *o;
    bool applies; /* the form is changed */
    bool again;   /* something new is noted */
    bool lends;   /* frames may have objects of their own */
    u4 n_nodes;   /* when it began */
    Ref *to;      /* by node: what it is */
    u1 *index;    /* by node: its candidate, from 1 */
    u1 *gone;     /* by node: a guard that always holds */
    Candidate all[MOST_CANDIDATES];
    u4 n_all;
    OptLayout *layouts;
    Ref *names; /* nodes that may be candidates: of type REF, neither constants nor arguments nor results */
    u4 n_names;
    u8 **live;  /* by block: bits of names that live at its start */
    Ref **phis; /* by block: its phis of type REF, and 0 */
    Flow now;
    u4 version;            /* of now and to */
    Flow **starts, **ends; /* by block: of this walk */
    Flow **kept;           /* by block, two each: their memory */
    int *goes;             /* by block: the only successor, or -1 */
    Changed **changed;     /* by head; */
    bool *knows_changed;
    u8 *unlocked;    /* by scope: candidates whose monitor its code is without */
    bool *is_locked; /* by scope: it takes a monitor, or gives it back */
    BlockRef block;
    const State *last_from; /* the State that was written last */
    State *last_to;
    u4 last_version;
} Escape;

/* --- opt_escape.c --- */
u4 escape_candidate(Escape *e, Ref r, const OptLayout *layout); /* from 1; 0: there are too many */
Ref escape_is_now(const Escape *e, Ref r);
int escape_virtual_in(const Escape *e, const Flow *f, Ref r); /* which candidate, virtual in `f`, r is: its index; or -1 */
Ref escape_value_in(const Escape *e, const Flow *f, Ref r);   /* the node that has what r is */
static inline int escape_virtual(const Escape *e, Ref r) { return escape_virtual_in(e, &e->now, r); }
static inline Ref escape_value(const Escape *e, Ref r) { return escape_value_in(e, &e->now, r); }
void escape_never(Escape *e, int c);
Ref *escape_copy_slots(Escape *e, const OptLayout *l, const Ref *from);
void escape_become(Escape *e, u4 c, Is is, Ref real, Ref *slots);

/* --- opt_escape_meet.c --- */
bool escape_find_names(Escape *e);
int64_t escape_offset_of_element(const Escape *e, const Node *n); /* at a constant index; else ANY_ELEMENT */
bool escape_is_taken(const Escape *e, BlockRef from, BlockRef to);
bool escape_start_block(Escape *e, BlockRef b); /* e->now; false: nothing leads here */
void escape_close_loop(Escape *e, BlockRef head, u4 pred);

#endif
