/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_edit.h - a class and its methods as they are edited: the handle, the list of nodes, its tables. See README.md for
 * the model.
 *
 * The list of a body always looks like this (labels in brackets):
 *
 *     entry code [start] body [edge 1] ... goto, [edge n] ... goto, [tail] handlers ... [last]
 *
 * `start`, `tail` and `last` always exist. Code of bci_entry stands in front of `start`; a label
 * for the end of the input's code (ranges that end there) stands at the end of body, so no old
 * range grows over added code behind it.
 */
#ifndef BCI_EDIT_H
#define BCI_EDIT_H

#include "bci.h"
#include "base/bci_base.h"

enum {
    BCI_NEW_SITE = 0x10000,     /* first number of an inserted `new`; input ones: their pc */
    BCI_ARENA_LIMIT = 256 << 20 /* hostile input cannot take more */
};

/* BciInsn.mark */
enum {
    BCI_M_REACHED = 1, /* flow came here */
    BCI_M_UNINIT = 2,  /* constructor: `this` is not initialised in front of it */
    BCI_M_INIT = 4,    /* constructor: the call that initialises `this` */
    BCI_M_FAR = 8,     /* branch needs its four-byte form */
    BCI_M_DELETED = 16,
    BCI_M_GAP = 32,    /* instruction of the input: in front of it code may have been inserted */
    BCI_M_OLD = 64,    /* label that stands for an offset of the input */
    BCI_M_MOVED = 128, /* stands in a method of its own, see bci_outline.c */
    BCI_M_LINE = 256,  /* label at which a line row starts */
    BCI_M_HERE = 512   /* new label, in the piece that bci_shift looks at */
};

/* Of a value on the stack: its slot in the input, see bci_origin.c. */
typedef uint16_t BciOrigin;
enum { BCI_NOWHERE = 0xffff, BCI_UNSURE = 0xfffe };

/* What a label knows for frames and flow; only labels that need it have one. */
typedef struct BciPoint {
    const CfFrame *orig; /* frame of the input here, or NULL; sized by its own counts */
    uint32_t pc;         /* where it stands in the input */
    CfFrame in;          /* flow state, valid if reached */
    BciOrigin *origin;   /* of the values on its stack; NULL if not asked for */
    bool reached, join;
    BciInsn *edge_of;   /* label of bci_on_edge code: of this branch, ... */
    BciLabel *edge_to;  /* ... towards this label, ... */
    BciInsn *edge_goto; /* ... left by this goto */
    uint32_t edge_case; /* BCI_ANY_CASE or the case */
} BciPoint;
#define BCI_ANY_CASE UINT32_MAX

typedef struct BciTryRow {
    BciTry pub;
    uint32_t row; /* number in the input, or UINT32_MAX */
    uint32_t out; /* number in the output, UINT32_MAX = left out */
} BciTryRow;
typedef struct BciLineRow {
    BciLine pub;
    uint16_t attr; /* which attribute of the input holds it */
    bool moved;    /* from `start` to `head` */
} BciLineRow;
typedef struct BciVarRow {
    BciVar pub;
    uint16_t attr, name, desc;
    bool was_empty;
    bool out; /* is written */
} BciVarRow;

/* One type annotation of Code whose target holds offsets. */
typedef struct BciTypeAnn {
    const uint8_t *data; /* target_type .. end of the annotation */
    uint32_t len;
    uint16_t attr;
    BciInsn *insn;     /* offset targets */
    uint32_t row;      /* catch target: row of the input */
    uint16_t n;        /* local-variable targets: ranges */
    BciLabel **ranges; /* start and end, n pairs */
} BciTypeAnn;

struct BciCode {
    BciMethod *m;
    CfCode orig; /* code == NULL for added methods */
    BciInsn *first, *last;
    BciInsn *nodes; /* instructions of the input, in order of their pc */
    uint32_t nnodes;
    uint16_t *at;   /* by pc of the input: number in `nodes` + 1, 0 = no start */
    BciLabel *head; /* in front of entry code, made by bci_entry */
    BciLabel *start, *tail;
    uint32_t *jumps; /* pcs of the branches and switches of the input, ascending */
    uint32_t njumps, nswitches;
    BciInsn **gaps; /* instructions with BCI_M_GAP */
    uint32_t ngaps, cap_gaps;
    bool changed, has_jsr, had_map;
    bool deep;      /* a frame of the input has something on the stack, not at a handler */
    bool moves;     /* an edit may have moved values to other slots and kept their number */
    bool unfolded;  /* tables and frames of the input have been read, see bci_unfold */
    bool beyond;    /* there were other edits than insertions of instructions and new labels */
    bool unplaced;  /* written by bci_shift: the nodes have no offsets yet */
    bool old_style; /* version 50 without frames: relies on the old verifier */
    uint32_t max_locals, orig_locals;
    uint32_t next_site;
    uint32_t inserted;          /* instructions, so far */
    uint32_t nlabels;           /* made so far; as many stand in the list at most */
    uint32_t edits, init_edits; /* edit counter (0: as in the input); value of it when
                                   M_UNINIT/M_INIT were set */
    bool init_known;
    uint32_t max_stack; /* result of the flow */
    uint32_t length;    /* result of the layout */
    bool written;
    char *local_kinds; /* of slots from orig_locals on */
    uint32_t local_kinds_cap;
    BciTryRow *tries;
    uint32_t ntries, cap_tries;
    BciLineRow *lines;
    uint32_t nlines, cap_lines;
    BciVarRow *vars;
    uint32_t nvars, cap_vars;
    BciTypeAnn *anns;
    uint32_t nanns, cap_anns;
};

struct BciMethod {
    BciClass *cls;
    uint32_t index; /* in cf->methods */
    bool added, decoded;
    bool copied;    /* its Code came from another class: no unedited form exists */
    bool no_frames; /* ... and had no frames, which are needed here */
    BciCode *code;
    const char *name, *desc;  /* made when asked for */
    bool part;                /* made by outlining */
    uint32_t parts;           /* methods that took parts of this one */
    const char *not_outlined; /* why no more of it was, when that was not enough */
    CfError *err;             /* first failure of an edit */
    const char *call_file;    /* checked mode: the caller's present place; NULL = unknown */
    int call_line;
};

/* An instruction that was inserted in checked mode (BCI_F_CALLED). */
typedef struct BciCalled {
    BciInsn node;
    const char *file;
    int line;
} BciCalled;

struct BciClass {
    CfArena arena;
    CfArena scratch; /* of one method while it is written */
    CfClass *cf;
    BciOptions opt;
    const BciCode *flow_of;           /* whose states are in `scratch`, when it had ... */
    uint32_t flow_edits, flow_locals; /* ... so many edits and locals; NULL = none */
    uint32_t code_limit;              /* longer methods are outlined; BCI_MAX_CODE, less in tests */
    uint32_t outlined;                /* number for the next method made by that */
    CfTypes types;
    bool types_ready, changed, written;
    CfError *err; /* first failure that concerns the whole class */
    BciMethod **methods;
    uint32_t nmethods, cap_methods;
};

/* ---- shared helpers (bci_class.c) ---- */

/* Records the first failure of a method; returns the code. `pc` BCI_NO_PC = unknown. */
CfErrCode bci_fail(BciMethod *m, CfErrCode code, uint32_t pc, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
CfErrCode bci_fail_class(BciClass *c, CfErrCode code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same, and NULL or false for who gives up thereby: `return bci_refuse(m, ...)`. */
#define bci_refuse(...) (bci_fail(__VA_ARGS__), NULL)
#define bci_refuse_class(...) (bci_fail_class(__VA_ARGS__), NULL)
/* The reason in words, of cf_no_room. */
static inline const char *bci_no_room(const BciClass *c) {
    return cf_no_room(c->cf) == CF_ERR_LIMIT ? "constant pool is full" : "out of memory";
}
static inline CfMember *bci_member(const BciMethod *m) { return &m->cls->cf->methods[m->index]; }
static inline bool bci_ok(const BciCode *code) { return code && !code->m->err && !code->m->cls->err && !code->m->cls->written; }
const char *bci_zstr(BciClass *c, CfStr s); /* NUL-terminated copy; NULL stays NULL */
/* Growth of arrays in the arena: room for one more element; NULL if memory is exhausted. */
void *bci_grow(BciClass *c, void *data, uint32_t len, uint32_t *cap, size_t size);
#define BCI_PUSH(cls, data, len, cap, ...) \
    ({ \
        void *bp_ = bci_grow((cls), (data), (len), &(cap), sizeof(*(data))); \
        if (bp_) (data) = bp_, (data)[(len)++] = (__VA_ARGS__); \
        bp_ != NULL; \
    })
/* Are these a field's or a method's name and descriptor? If not, that is recorded as a failure. */
bool bci_member_ok(BciClass *c, const char *name, const char *desc, bool method);
/* False, with *err filled, if the handle has failed or was written. */
bool bci_handle_ok(const BciClass *c, CfError *err);
/* Makes c->types usable. */
bool bci_types(BciClass *c);
/* Must a method of this name and these flags have a body? */
bool bci_has_body(unsigned access, CfStr name);
static inline bool bci_body_changed(const BciMethod *m) { return m->code && m->code->changed; }

/* ---- bci_code.c ---- */

BciCode *bci_decode(BciMethod *m);
BciCode *bci_empty_code(BciMethod *m);
/* Reads the tables and frames of the input, which decoding leaves alone: each of their offsets
 * becomes a label, so it must be done before the first change of the list other than insertions
 * of instructions and new labels, which keep the place of the label by themselves. False on error. */
bool bci_unfold(BciCode *code);
BciLabel *bci_label_at(BciCode *code, uint32_t pc);             /* of an input offset; NULL if none there */
static inline BciInsn *bci_at(const BciCode *code, uint32_t pc) /* pc < code_len; or NULL */
{
    BciInsn *i = code->at[pc] ? &code->nodes[code->at[pc] - 1] : NULL;
    return i && !(i->mark & BCI_M_DELETED) ? i : NULL;
}
BciPoint *bci_point(BciCode *code, BciLabel *l); /* made when missing */
/* Is `l` a label of this code? If not, that is recorded as a failure. */
bool bci_own(BciCode *code, const BciLabel *l);
void bci_link(BciCode *code, BciInsn *next, BciInsn *i);
void bci_unlink(BciCode *code, BciInsn *i);
void bci_touch(BciCode *code); /* notes an edit that is no insertion of an instruction */
static inline uint32_t bci_flags(const BciInsn *i) { return i->op < 256 ? cf_op_info[i->op].flags : 0; }
BciInsn *bci_emit(BciPos at, unsigned op); /* new node; NULL on error */

/* ---- bci_debugtab.c ---- */

void bci_read_line_numbers(BciCode *code); /* into BciInsn.line */
bool bci_read_tables(BciCode *code);
CfErrCode bci_write_tables(BciCode *code, CfCode *out);
/* Leaves out the line rows of a settled body that say nothing about the code at their offset: see LINES. */
CfErrCode bci_prune_lines(BciCode *code);

/* ---- bci_frametab.c ---- */

bool bci_read_frames(BciCode *code);
bool bci_wants_map(const BciCode *code);
CfErrCode bci_write_map(BciCode *code, CfWriter *w, uint32_t *count);
/* A frame with room for a method of this shape, its locals TOP; false if memory is exhausted. */
bool bci_frame_room(CfArena *a, const CfCode *shape, CfFrame *fr);

/* ---- bci_layout.c ---- */

/* The count operand of an invokeinterface of the pool entry: slots of the receiver and the arguments. */
unsigned bci_interface_slots(const BciCode *code, uint16_t index);
/* Writes one instruction, which has its offset if it is a branch or a switch; its end. */
uint8_t *bci_put_insn(const BciCode *code, const BciInsn *i, uint8_t *p);
/* Gives every node its offset, branches as they are. False if the code is hopelessly large. */
bool bci_place_all(BciCode *code);
/* The same and turns branches that do not reach into far ones. *expanded is set if
 * instructions were added. */
CfErrCode bci_layout(BciCode *code, bool *expanded);
/* Bytes of an instruction at `pc`. */
uint32_t bci_insn_size(const BciInsn *i, uint32_t pc);
CfErrCode bci_assemble(BciCode *code, uint8_t *out);
/* Content of the Code attribute of a body whose list is as decoded: tables and frames are those of
 * the input, since no offset has changed. NULL on error. */
uint8_t *bci_assemble_same(BciCode *code, size_t *len);

/* ---- bci_build.c ---- */

/* May an instruction of `m` do so? If not, that is recorded as a failure. */
bool bci_version_allows(BciMethod *m, unsigned op, unsigned tag);

#endif
