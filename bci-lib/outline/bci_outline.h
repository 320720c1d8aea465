/* SPDX-License-Identifier: Apache-2.0 */
/* bci_outline.h - what choosing regions (bci_outline.c) and moving them (bci_extract.c) share. The
 * terms are those of the theory in bci_outline.c. */
#ifndef BCI_OUTLINE_H
#define BCI_OUTLINE_H

#include "flow/bci_flow.h"

#define BCI_NO_PLACE UINT32_MAX

enum { /* BciPlace.flags */
       BCI_P_REACHED = 1,
       BCI_P_FIXED = 2,     /* must stay in the method */
       BCI_P_LOCK = 4,      /* monitorenter, monitorexit */
       BCI_P_HANDLER = 8,   /* an exception handler begins here */
       BCI_P_TOP_WIDE = 16, /* on top of the stack: a long or double; */
       BCI_P_TOP_VALUE = 32 /* ... something that can be passed */
};

/* An instruction, in the order in which regions are looked for. */
typedef struct BciPlace {
    BciInsn *insn;
    uint32_t order;              /* its number in the list */
    uint32_t before, growth;     /* bytes of all places in front; what they may grow by when moved */
    uint32_t from_min, from_max; /* first and last place that branches and throws here; min > max: none */
    uint32_t edges;              /* first of BciOutline.edges that leave here */
    uint32_t starts, ends;       /* covers that start and end here: chains of turns */
    uint32_t fixed_why;
    uint16_t depth, low, loops; /* of the stack in front; what it reads down to; loops around */
    uint8_t peeks, flags;       /* slots that it copies without taking them */
} BciPlace;

/* Rows of the exception table that follow each other with one handler and type. */
typedef struct BciCover {
    uint32_t row, rows, handler;
    uint32_t first, last; /* places; first > last: none */
} BciCover;
typedef struct BciTurn {
    uint32_t cover, next;
} BciTurn;

typedef struct BciArg {
    uint32_t slot;
    char kind; /* I J F D A; N: null, which need not be passed */
} BciArg;

typedef struct BciRegion {
    uint32_t from, to; /* places, `to` not included */
    uint32_t exit;     /* place behind; BCI_NO_PLACE: it returns, or never ends */
    bool returns;
    uint8_t peeks, rise; /* slots copied from the stack; slots left on it */
    uint16_t loops;
    uint32_t gain; /* bytes by which the method gets shorter, about */
    bool dead;     /* candidate that is out */
    /* found when it has been chosen: */
    BciLabel *exit_label; /* in the old method; stays when what is behind it moves */
    CfFrame in;           /* in front of it */
    BciArg *args;
    uint32_t nargs, slots; /* slots of the descriptor's parameters */
    bool has_result;
    BciArg result; /* a local; kind 0: the value on the stack */
    CfType result_type;
    const char *desc;
    uint64_t *touched, *linked; /* slots in use; those that are one value with the next slot */
    uint64_t *lost;             /* slots that are written, and not read behind it */
} BciRegion;

typedef struct BciOutline {
    BciCode *code;
    CfArena *a;       /* of one round */
    BciPlace *places; /* n, and one behind for the sums */
    uint32_t n, words;
    uint32_t *edges;
    bool too_large; /* for tables of this kind: nothing is moved */
    uint64_t *live; /* by place: slots live in front */
    BciCover *covers;
    uint32_t ncovers;
    BciTurn *turns;
    uint32_t nturns, cap_turns;
    BciRegion *found;
    uint32_t nfound, cap_found;
    uint32_t why[16]; /* how often each obstacle was met */
    uint64_t steps;
} BciOutline;

static inline bool bci_bit(const uint64_t *set, uint32_t k) { return set[k / 64] >> (k % 64) & 1; }
static inline void bci_set_bit(uint64_t *set, uint32_t k) { set[k / 64] |= 1ull << (k % 64); }
static inline bool bci_inside(const BciRegion *r, uint32_t place) { return place >= r->from && place < r->to; }
/* Of a label: the place of the instruction behind it. */
static inline uint32_t bci_place_of(const BciLabel *l) { return l->node.offset; }
/* Letter of a type that a local or the stack holds: I J F D A, N; 0 = nothing that can be passed. */
char bci_type_letter(CfType t);

/* Makes a method of a region that has been described, and a call in its place. */
bool bci_extract(const BciOutline *o, const BciRegion *r);

/* Moves parts of a settled body that is longer than the class's code_limit to new methods, until it
 * is not, or nothing is left to move; settles it again. CF_ERR_LIMIT if it is still too long for a
 * class file; the method's error tells why no more was moved. */
CfErrCode bci_outline(BciCode *code);

#endif
