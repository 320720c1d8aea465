/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_weave.h - sequences of bytes put in between the instructions of one Code attribute, which is not decoded.
 *
 * POSITIONS. Everything inserted has a key: pc * 4 + place. At one pc the order is
 *     ENTRY code, AFTER code of the instruction before, [the label of pc], BEFORE code, instruction
 * so "the new place of label pc" (branch targets, frames, table rows) and "the new place of
 * instruction pc" (bases of branches, `new` of uninitialised types) differ by the BEFORE code.
 */
#ifndef BCI_WEAVE_H
#define BCI_WEAVE_H

#include "flow/bci_flow.h"

/* ---- splicing ---- */

enum { BCI_AT_ENTRY, BCI_AT_AFTER, BCI_AT_BEFORE, BCI_AT_REPLACE };

typedef struct BciIns {
    uint32_t key;      /* pc * 4 + place */
    uint32_t seq, len; /* bytes in BciWeave.seq */
    uint32_t drop;     /* REPLACE: bytes of the instruction that goes */
} BciIns;

typedef struct BciVType { /* a verification type: tag, pool index or pc */
    uint8_t tag;
    uint16_t data;
} BciVType;

/* A frame that the input has not, at a label of a piece; or one of the input that has to be told in another way,
 * since the one in front of it is new. */
typedef struct BciNewFrame {
    bool of_input;
    uint32_t ins; /* number of the piece in BciWeave.ins */
    uint32_t at;  /* offset in the piece; of_input: pc */
    int form;     /* cf_map_form: of the locals to those of the frame before it; FULL if something is kept,
                                 * but at the entry */
    uint32_t nlocals, nstack;
    const BciVType *types; /* appended locals or all, then stack; `new` by its pc in the input */
} BciNewFrame;

typedef struct BciEdgeIns { /* on the way from the branch at `from` to `target` */
    uint32_t from, target;
    uint32_t seq, len;
} BciEdgeIns;

typedef struct BciShift { /* new place of what stands at or behind pc */
    uint32_t pc;
    int32_t label, insn; /* added to pc itself; `insn` to everything behind */
} BciShift;

/* A local behind those of the input that holds a value from the entry on: the time of the entry, `this` or a
 * parameter that the method overwrites. */
typedef struct BciKept {
    BciVType type;
    CfStr desc;
    uint32_t of, at; /* slots: of the parameter, or BCI_KEPT_TIME; of the local */
} BciKept;
enum { BCI_KEPT_TIME = 1 << 16 };

typedef enum BciFit {
    BCI_FITS,
    BCI_FAR, /* needs the editor */
    BCI_LARGE,
    BCI_MALFORMED,
    BCI_NO_MEMORY,
    BCI_NO_POOL,
    BCI_BAD_VALUE /* BciWeave.why tells */
} BciFit;

/* One method on its way. */
typedef struct BciWeave {
    BciBody b;
    const CfAttr *known; /* attributes of b as they were read, or NULL */
    BciIns *ins;         /* ascending keys */
    uint32_t nins, cap_ins;
    BciEdgeIns *edges; /* only the editor can put code there */
    uint32_t nedges, cap_edges;
    CfWriter seq;
    uint32_t *relocs; /* pcs of branches and switches, ascending */
    uint32_t nrelocs, cap_relocs;
    uint32_t *exits; /* pcs of returns, ascending; for the catch-any rows */
    uint32_t nexits, cap_exits;
    BciShift *shifts;
    uint32_t nshifts, cap_shifts, shift_at;
    bool walked;                 /* relocs and exits are there; else only ENTRY code is inserted */
    bool switches, uniform;      /* uniform: one shift for everything */
    uint32_t extra_stack, temps; /* slots: above the stack at any place; new locals */
    uint32_t entry_stack;        /* slots needed by ENTRY code alone */
    BciKept *kept;
    uint32_t nkept, kept_slots;
    BciVType *entry_types; /* locals at pc 0, set if something is kept */
    uint32_t nentry;
    bool catch_any;
    BciVType *handler_types; /* locals at the handler */
    uint32_t nhandler;
    uint16_t throwable; /* Class index */
    uint32_t handler, handler_len, handler_stack;
    uint32_t cover_from;       /* first pc that the catch-any rows cover */
    const BciNewFrame *frames; /* in the order of the result */
    uint32_t nframes;
    uint32_t *pcs, npcs, cap_pcs; /* of the frames of the result, if want_pcs */
    size_t map_at;                /* where their attribute stands in the output; 0: there is none */
    uint16_t map_name;            /* pool index of "StackMapTable" */
    bool want_map, want_pcs, drop_unknown;
    uint32_t new_len; /* code length of the result */
    const char *why;
    CfArena *arena;
} BciWeave;

/* Writes the Code attribute with name index and length to `out`; out->len is as before if it does
 * not fit. `v` tells the kinds of attributes if w->known does not. */
BciFit bci_splice(BciView *v, BciWeave *w, CfWriter *out);

/* The last shift at or in front of pc. */
const BciShift *bci_shift_at(BciWeave *w, uint32_t pc);

/* New place of label `pc` and of instruction `pc`. */
static inline uint32_t bci_new_label_pc(BciWeave *w, uint32_t pc) {
    if (w->uniform) return pc + (uint32_t)w->shifts[0].label;
    const BciShift *s = bci_shift_at(w, pc);
    return pc + (uint32_t)(s->pc == pc ? s->label : s->insn);
}
static inline uint32_t bci_new_insn_pc(BciWeave *w, uint32_t pc) {
    return pc + (uint32_t)(w->uniform ? w->shifts[0].insn : bci_shift_at(w, pc)->insn);
}

/* ---- bci_shift.c ---- */

/* Writes the method if nothing but neutral code was inserted: the new Code attribute is in the
 * model. False if it has to be done by data flow, or has failed: then the method has an error. */
bool bci_shift(BciMethod *m);

#endif
