/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the back end of the optimising compiler.  Theory: opt_emit.c; each file has its own. */
#ifndef GRAFT_JIT_OPT_INT_H
#define GRAFT_JIT_OPT_INT_H

#include "jit/code_regs.h"
#include "jit/exit_record.h"
#include "jit/opt/opt_ir.h"
#include "jit/opt/opt_moves.h"
#include "object/method.h"

/*
 * POSITIONS  Blocks stand in a linear order (Back.order), their nodes one behind the other, STEP numbers each.  A block begins with a step of its own,
 *            where its phis are defined.  Within the step p of a node: at p it may be preceded by moves, and its inputs are read; at p + 1 registers
 *            that it destroys are gone; at p + 2 its result is there.  So an input that ends (at p + 1) and the result may share a register; a temporary
 *            or an input that is read late (both to p + 3) and the result may not.
 */
enum { STEP = 4, AT_CLOBBER = 1, AT_RESULT = 2, AT_LATE = 3 };
static inline u4 step_of(u4 pos) { return pos & ~(u4)(STEP - 1); }
static inline bool same_step(u4 a, u4 b) { return step_of(a) == step_of(b); }

enum {
    GENERAL_REGS = 0xffff & ~(ASM_OWN | 1 << R_SP | 1 << R_THREAD | 1 << R_FRAME),
    FLOAT_REGS = 0xffff & ~(1 << ASM_FSCRATCH)
};

typedef struct LiveRange { /* [from, to) */
    u4 from, to;
    struct LiveRange *next;
} LiveRange;

enum {
    USE_REG = 1,  /* must be in a register */
    USE_LATE = 2, /* until AT_LATE */
    USE_OUT = 4   /* of a phi, at the end of a block: pos is the last of the block */
};
typedef struct LiveUse {
    u4 pos;
    u1 how;
} LiveUse;

/* A part of a value's life, in one place.  What is in memory is in the value's home; a constant there is nowhere. */
typedef struct Piece {
    struct Piece *next; /* of the same value */
    Ref value;          /* 0: a temporary of a node */
    LiveRange *ranges, *now;
    LiveUse *uses;
    u4 n_uses;
    u4 from, to;
    u1 reg; /* or NO_REG: in memory */
    bool fp;
} Piece;

typedef struct Life {
    Piece *first, *last_asked;
    LiveUse *uses;
    u4 n_uses;
    u4 def;
    bool in_memory; /* some piece is: it is stored behind its definition */
    bool joins;     /* a phi whose inputs all have its home: it is there already */
    u4 home;        /* place, if in_memory: Loc */
} Life;

typedef struct EdgeMove {
    struct EdgeMove *next;
    Loc from, to;
    bool narrow;
} EdgeMove;

/* Where registers are destroyed, and what may look at memory. */
typedef struct Clobber {
    u4 pos; /* of the node */
    u4 general, fp;
} Clobber;

typedef struct Stop {
    Ref node;
    u4 pos;
    u4 top;       /* places from here on belong to whom is called */
    u4 extra;     /* extra places that are live across it: all below this number */
    u8 live;      /* which of them; the last bit is of all from the 63rd on */
    u4 registers; /* general ones that have something while it is carried out, or behind it */
    u1 *keeps;    /* of a helper, a bit for each place from Back.kept on up to the extra ones: something is known of it */
    u1 *known;    /* opt_cells.c: of a call, a bit for each place that has already what the call wants there */
} Stop;

/* What a cell has: a value, or a position.  0: nothing is known. */
typedef u4 CellContent;
#define CONTENT_POSITION (1u << 31)
#define CONTENT_AT(bci, depth) (CONTENT_POSITION | (bci) << 12 | (depth)) /* as Frame.position, closer together */
#define CONTENT_BCI(x) (((x) & ~CONTENT_POSITION) >> 12)
#define CONTENT_DEPTH(x) ((x)&0xfff)

typedef struct EarlyWrite {
    struct EarlyWrite *next;
    u4 place;
    CellContent content;
} EarlyWrite;

typedef struct Span {
    u4 from, to; /* positions */
    u4 index;    /* in Back.order */
    EdgeMove *at_start, *at_end;
    EarlyWrite *early; /* behind at_end, for the block that follows: opt_cells.c */
} Span;

enum { MOST_TEMPS = 3 };

typedef struct Back {
    Opt *o;
    u4 n_locals;    /* of the root */
    u4 general, fp; /* registers that are given out: masks */
    /* opt_select.c, per node */
    u4 *n_uses;
    bool *fused;  /* its code is part of its only user's */
    Ref *faults;  /* the NOT_NULL that the node's access finds by a fault, or 0 */
    bool *silent; /* a NOT_NULL that is found so; names of objects that are not made */
    /* opt_live.c */
    BlockRef *order;
    u4 n_order;
    Span *spans;  /* per block */
    u4 *block_at; /* per step: index in order */
    u4 n_steps;
    Life *lives; /* per node */
    Clobber *clobbers;
    u4 n_clobbers;
    Stop *stops;
    u4 n_stops;
    /* opt_regs.c */
    u1 (*temps)[MOST_TEMPS]; /* per step */
    EdgeMove **before;       /* per step */
    Ref *kept_by;            /* STOREs of references to fields that never change again: opt_home.c */
    u4 n_kept_by;
    u4 n_extra;
    u4 kept; /* places from here on are what they were behind helpers: opt_cells.c */
} Back;

/* --- opt_select.c --- */
bool opt_gives(const Node *n); /* a result */
static inline bool opt_is_fp(u1 type) { return type == OT_FLOAT || type == OT_DOUBLE || type == OT_VECTOR; }
static inline Width opt_width(u1 type) { return type == OT_INT || type == OT_FLOAT ? W32 : W64; }
static inline bool opt_has_no_code(const Back *b, Ref r) {
    u1 op = opt_node(b->o, r)->op;
    return op == OPT_PHI || op == OPT_PARAM || op == OPT_CONST || b->fused[r] || b->silent[r];
}
u8 opt_bits(const Node *n);                       /* of a constant, as a register or cell has it */
bool opt_select(Back *b);                         /* false: no memory */
bool opt_imm(const Back *b, const Node *n, u4 i); /* input i is a constant that the code has in it */
bool opt_reads_late(const Back *b, const Node *n, u4 i);
bool opt_state_late(const Back *b, Ref r);
u4 opt_temps(const Back *b, const Node *n); /* general registers that it wants for itself */
Clobber opt_clobbers(const Back *b, const Node *n);
/* What the division by a constant becomes. */
typedef enum DivideBy { DIVIDE_ANY, DIVIDE_POWER, DIVIDE_INT, DIVIDE_LONG } DivideBy;
DivideBy opt_divide_by(const Back *b, const Node *n);
/* How a type is asked for: by the object's class alone, its row of superclasses, or further. */
typedef enum TypeBy { TYPE_EXACT, TYPE_DISPLAY, TYPE_INTERFACE, TYPE_ASKED } TypeBy;
TypeBy opt_compares_type(const Class *k);
typedef enum SwitchBy { SWITCH_SEARCH, SWITCH_TABLE } SwitchBy;
SwitchBy opt_switch_by(const Back *b, const Node *n);
enum { MAX_INLINE_LENGTH = 1 << 16 }; /* of arrays: others are the helper's */

/* --- opt_live.c --- */
bool opt_number_blocks(Back *b);
bool opt_lives(Back *b);
static inline u4 block_of(const Back *b, u4 pos) { return b->block_at[pos / STEP]; }
static inline Span *span_of(const Back *b, BlockRef r) { return &b->spans[r]; }

/* --- opt_regs.c --- */
bool opt_registers(Back *b); /* every value has its places, edges their moves; false: why, or no memory */
Loc opt_where(const Back *b, Ref r, u4 pos);

/* --- opt_home.c --- */
bool opt_homes(Back *b);
bool opt_brings_home(const Back *b, Ref phi, u4 pred); /* the phi's home has it already, if one comes from there */
enum { CELL_FREE = 0, CELL_TAKEN = UINT32_MAX };
u4 opt_cell_place(const Back *b, const OptScope *s, bool local, u4 i); /* of a local or operand of a scope */
Ref opt_state_has(const Back *b, const State *s, u4 place);            /* 0: nothing; CELL_TAKEN: part of a frame */
const Stop *opt_stop_at(const Back *b, u4 pos);
u4 opt_passed_on(const Stop *s, const Node *call); /* of a call's arguments: that the frame has not while it is made */

/* --- opt_cells.c --- */
bool opt_cells(Back *b);                                    /* Stop.known, Span.early, Back.kept */
u4 opt_position_place(const Back *b);                       /* of the root's: behind all others */
CellContent opt_root_position(const State *s, u4 n_passed); /* at a stop; n_passed: arguments that its frame has not */
static inline u4 opt_frame_place(const Back *b, const OptScope *s) {
    return b->n_locals + s->locals + s->method->max_locals;
} /* of a body's */
bool opt_is_known(const Stop *s, u4 place);
bool opt_is_put_back(const Back *b, const Stop *s, u4 place); /* behind a helper, what was there before; from Back.kept on */

/* --- opt_verify.c --- */
const char *opt_verify(
    Back *b); /* NULL: code finds all values where it looks for them; or what is wrong.  Debug build and tests */

#endif
