/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_weave.h - structures of the plan level, which works on the bytes of a class file.
 *
 *   view     (bci_view.c)    where everything is in the input; nothing is copied
 *   splice   (bci_splice.c)  one Code attribute with sequences put in between its instructions
 *   points   (bci_points.c)  which sequences a plan wants where
 *   apply    (bci_apply.c)   one class: pool additions, methods, result
 *
 * POSITIONS. Everything inserted has a key: pc * 4 + place. At one pc the order is
 *     ENTRY code, AFTER code of the instruction before, [the label of pc], BEFORE code, instruction
 * so "the new place of label pc" (branch targets, frames, table rows) and "the new place of
 * instruction pc" (bases of branches, `new` of uninitialised types) differ by the BEFORE code.
 */
#ifndef BCI_WEAVE_H
#define BCI_WEAVE_H

#include "bci_int.h"
#include "bci_plan.h"
#include "cf_map_form.h"

/* ---- buffers: grow, never shrink ---- */

typedef struct BciBuf {
    uint8_t *p;
    size_t len, cap;
    bool bad;
    bool fixed;                 /* the memory is not its own: it cannot grow */
} BciBuf;

uint8_t *bci_buf_grow(BciBuf *b, size_t n);
/* Room for n bytes at the end; NULL (and `bad`) if memory is exhausted. */
static inline uint8_t *bci_room(BciBuf *b, size_t n)
{
    return b->cap - b->len >= n && b->p ? b->p + b->len : bci_buf_grow(b, n);
}
static inline void bci_put(BciBuf *b, const void *p, size_t n)
{
    uint8_t *q = bci_room(b, n);
    if (q && n)
        memcpy(q, p, n), b->len += n;
}
static inline void bci_put1(BciBuf *b, unsigned v)
{
    uint8_t *q = bci_room(b, 1);
    if (q)
        *q = (uint8_t)v, b->len++;
}
static inline void bci_put2(BciBuf *b, unsigned v)
{
    uint8_t *q = bci_room(b, 2);
    if (q)
        cf_put_u2(q, v), b->len += 2;
}
static inline void bci_put4(BciBuf *b, uint32_t v)
{
    uint8_t *q = bci_room(b, 4);
    if (q)
        cf_put_u4(q, v), b->len += 4;
}

/* Room for n elements in an array that grows; its contents are kept. False if memory is exhausted. */
bool bci_want(void **v, uint32_t *cap, uint32_t n, size_t size);
#define BCI_WANT(v, cap, n) ((n) <= (cap) || bci_want((void **)&(v), &(cap), (n), sizeof *(v)))

/* ---- the input ---- */

typedef struct BciView {
    const uint8_t *p, *end;
    uint32_t *at;               /* pool index -> offset of its tag byte, 0 = none */
    uint8_t *kind;              /* pool index -> CfAttrKind of that name, 0 = not asked, 255 = none */
    uint32_t npool, pool_end;
    unsigned major, access, this_class, super_class;
    const uint8_t *members;     /* fields_count */
} BciView;

typedef struct BciBody {        /* a Code attribute */
    const uint8_t *attr, *end;  /* its name index; behind its content */
    uint32_t max_stack, max_locals, code_len, nrows, nattrs;
    const uint8_t *code, *rows, *attrs;
} BciBody;

/* NULL, or what is wrong. `buf` and `kinds` hold the tables. */
const char *bci_view(BciView *v, const uint8_t *p, size_t n, BciBuf *buf, BciBuf *kinds);
CfStr bci_view_utf8(const BciView *v, unsigned i);
CfStr bci_view_class(const BciView *v, unsigned i);
unsigned bci_view_tag(const BciView *v, unsigned i);
/* The two indices of a reference, NameAndType or (Invoke)Dynamic entry; false if it is none. */
bool bci_view_pair(const BciView *v, unsigned i, unsigned *a, unsigned *b);
bool bci_view_member(const BciView *v, unsigned i, CfStr *owner, CfStr *name, CfStr *desc);
CfAttrKind bci_view_kind(BciView *v, unsigned name);
/* Steps over n attributes; NULL if they do not fit. */
const uint8_t *bci_skip_attrs(const uint8_t *p, const uint8_t *end, unsigned n);
bool bci_view_body(const uint8_t *attr, const uint8_t *end, BciBody *b);

/* ---- splicing ---- */

enum { BCI_AT_ENTRY, BCI_AT_AFTER, BCI_AT_BEFORE, BCI_AT_REPLACE };

typedef struct BciIns {
    uint32_t key;               /* pc * 4 + place */
    uint32_t seq, len;          /* bytes in BciWeave.seq */
    uint32_t drop;              /* REPLACE: bytes of the instruction that goes */
} BciIns;

typedef struct BciVType {       /* a verification type: tag, pool index or pc */
    uint8_t tag;
    uint16_t data;
} BciVType;

/* A frame that the input has not, at a label of a piece; or one of the input that has to be told in another way,
 * since the one in front of it is new. */
typedef struct BciNewFrame {
    bool of_input;
    uint32_t ins;               /* number of the piece in BciWeave.ins */
    uint32_t at;                /* offset in the piece; of_input: pc */
    int form;                   /* cf_map_form: of the locals to those of the frame before it; FULL if something is kept,
                                 * but at the entry */
    uint32_t nlocals, nstack;
    const BciVType *types;      /* appended locals or all, then stack; `new` by its pc in the input */
} BciNewFrame;

typedef struct BciEdgeIns {     /* on the way from the branch at `from` to `target` */
    uint32_t from, target;
    uint32_t seq, len;
} BciEdgeIns;

typedef struct BciShift {       /* new place of what stands at or behind pc */
    uint32_t pc;
    int32_t label, insn;        /* added to pc itself; `insn` to everything behind */
} BciShift;

/* A local behind those of the input that holds a value from the entry on: the time of the entry, `this` or a
 * parameter that the method overwrites. */
typedef struct BciKept {
    BciVType type;
    CfStr desc;
    uint32_t of, at;            /* slots: of the parameter, or BCI_KEPT_TIME; of the local */
} BciKept;
enum { BCI_KEPT_TIME = 1 << 16 };

typedef enum BciFit {
    BCI_FITS,
    BCI_FAR,                    /* needs the editor */
    BCI_LARGE,
    BCI_MALFORMED,
    BCI_NO_MEMORY,
    BCI_NO_POOL,
    BCI_BAD_VALUE               /* BciWeave.why tells */
} BciFit;

/* One method on its way. */
typedef struct BciWeave {
    BciBody b;
    const CfAttr *known;        /* attributes of b as they were read, or NULL */
    BciIns *ins;                /* ascending keys */
    uint32_t nins, cap_ins;
    BciEdgeIns *edges;          /* only the editor can put code there */
    uint32_t nedges, cap_edges;
    BciBuf seq;
    uint32_t *relocs;           /* pcs of branches and switches, ascending */
    uint32_t nrelocs, cap_relocs;
    uint32_t *exits;            /* pcs of returns, ascending; for the catch-any rows */
    uint32_t nexits, cap_exits;
    BciShift *shifts;
    uint32_t nshifts, cap_shifts, shift_at;
    bool walked;                /* relocs and exits are there; else only ENTRY code is inserted */
    bool switches, uniform;     /* uniform: one shift for everything */
    uint32_t extra_stack, temps;        /* slots: above the stack at any place; new locals */
    uint32_t entry_stack;               /* slots needed by ENTRY code alone */
    BciKept *kept;
    uint32_t nkept, kept_slots;
    BciVType *entry_types;      /* locals at pc 0, set if something is kept */
    uint32_t nentry;
    bool catch_any;
    BciVType *handler_types;    /* locals at the handler */
    uint32_t nhandler;
    uint16_t throwable;         /* Class index */
    uint32_t handler, handler_len, handler_stack;
    uint32_t cover_from;        /* first pc that the catch-any rows cover */
    const BciNewFrame *frames;  /* in the order of the result */
    uint32_t nframes;
    uint16_t map_name;          /* pool index of "StackMapTable" */
    bool want_map, drop_unknown;
    uint32_t new_len;           /* code length of the result */
    const char *why;
    CfArena *arena;
} BciWeave;

/* Writes the Code attribute with name index and length to `out`; out->len is as before if it does
 * not fit. `v` tells the kinds of attributes if w->known does not. */
BciFit bci_splice(BciView *v, BciWeave *w, BciBuf *out);

/* ---- bci_straight.c ---- */

/* Walks over the input of one method, see the head of the file. */
typedef struct BciStraight {
    const BciCode *code;
    CfArena *scratch;
    const CfAttr *map;          /* StackMapTable of the input, or NULL */
    CfMapIter frames, type_frames;
    CfMapFrame frame, type_frame;       /* next ones, if `more` */
    bool more, more_types;
    uint32_t at, depth;         /* slots on the stack in front of `at`, if not `lost` */
    bool lost;
    bool changed;               /* a local may have another type than in the last frame */
    bool seen;                  /* there has been a frame */
    bool typed, bad_types;
    uint32_t types_at;
    CfFlow flow;
    CfFrame mapped, types;      /* last frame of the table; what holds in front of `types_at` */
    CfFrame base, next;         /* the frame that the next one is told by; that one */
} BciStraight;

void bci_straight_start(BciStraight *b, const BciCode *code, CfArena *scratch);
/* Sets `depth`, `lost` and `changed` for the place. */
void bci_straight_go(BciStraight *b, uint32_t pc, bool at_label);
/* The types there, until the next call; NULL if they cannot be told. */
const CfFrame *bci_straight_types(BciStraight *b, uint32_t pc, bool at_label);
/* They become a frame of the table. */
void bci_straight_set_frame(BciStraight *b);
/* After that, if b->more_types: the next frame of the input, which stands at b->type_frame.pc. NULL if it is malformed. */
const CfFrame *bci_straight_next_frame(BciStraight *b);
/* May `i` change the type of a local? */
bool bci_changes_locals(const BciInsn *i);

/* The last shift at or in front of pc. */
const BciShift *bci_shift_at(BciWeave *w, uint32_t pc);

/* New place of label `pc` and of instruction `pc`. */
static inline uint32_t bci_new_label_pc(BciWeave *w, uint32_t pc)
{
    if (w->uniform)
        return pc + (uint32_t)w->shifts[0].label;
    const BciShift *s = bci_shift_at(w, pc);
    return pc + (uint32_t)(s->pc == pc ? s->label : s->insn);
}
static inline uint32_t bci_new_insn_pc(BciWeave *w, uint32_t pc)
{
    return pc + (uint32_t)(w->uniform ? w->shifts[0].insn : bci_shift_at(w, pc)->insn);
}

#endif
