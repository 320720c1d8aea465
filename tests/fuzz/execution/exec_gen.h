/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec_gen.h - random programs as class files, for comparing how VMs execute them.
 *
 * A PROGRAM is six classes: Main (static methods, run(I) is the start), B, C extends B (instance methods, some overridden), interface T
 * (implemented by B); D extends C and E implements T are only made and then taken for a C or a T, so they are loaded when that instruction
 * is executed: late, when compiled code has relied on what there was. What it computes it tells Rt (Rt.java), which hashes it. It ends: each block and each turn of a loop takes one
 * from Rt.fuel and returns when there is none; each call hands down a depth (parameter 0 of every method) that it has lessened.
 *
 * A METHOD is a set of blocks that go to each other at random, by all branches and switches, through fall-through and exception
 * tables: loops with several entries, handlers reached by goto, rows that overlap oddly. Some methods are small: no loops, no handlers. A block is entered with a given stack, often
 * not empty. Local variables have one type in a method. Blocks hold statements, these expressions. Everything verifies by construction.
 *
 * TREE OF CHOICES. Methods, blocks, rows, statements, expressions are nodes. A node takes one number from its parent's sequence and
 * makes all its choices from a sequence that this number starts; the number is also its name. So a node can be left out (an
 * expression becomes a constant) and the rest of the program stays what it was: that is how a program is made smaller.
 * No choice may depend on what was left out, apart from types on the stack.
 */
#ifndef EXEC_GEN_H
#define EXEC_GEN_H

#include "exec_asm.h"

enum { MAIN, B, C, T, D, E, CLASSES };
enum { MAX_PARAMS = 256, MAX_METHODS = 60, MAX_FIELDS = 100, MAX_VARS = 320, MAX_BOOTSTRAPS = 60 };

typedef struct Method {
    char name[16], desc[2600];
    uint8_t owner, ret;
    uint16_t nparams, access;
    uint8_t param[MAX_PARAMS]; /* the first is the depth */
    int overrides;             /* method of B that this one of C overrides; -1 */
    bool light;                /* few parameters: may be called by method handles */
    bool small;                /* no blocks: compilers put it in place of its calls */
} Method;

typedef struct Field {
    char name[16];
    uint8_t owner, ty;
    uint16_t access;
} Field;

typedef struct Program {
    uint64_t seed;
    unsigned major;
    bool odd_monitors; /* some are not released, or too often */
    CfArena arena;
    CfClass *cls[CLASSES];
    CfWriter bootstraps[CLASSES];
    unsigned nbootstraps[CLASSES];
    Method method[MAX_METHODS];
    Field field[MAX_FIELDS];
    int nmethods, nfields;
} Program;

typedef struct Var {
    uint16_t slot;
    uint8_t ty;
    bool fixed; /* not stored to */
} Var;

/* The method that is being made. */
typedef struct Gen {
    Program *p;
    Asm a;
    CfClass *c;
    int owner; /* MAIN .. T */
    const Method *self;
    Var var[MAX_VARS];
    int nvars, depth_var;
    int nest;           /* of statements */
    int locked;         /* statements that hold a monitor around this one */
    bool leaf;          /* calls nothing of the program */
    bool leaves_locked; /* its returns may throw: no rows over its blocks, or it would go round for ever */
    Label *subroutine;  /* jsr goes there; NULL: none */
} Gen;

extern const char *const class_names[CLASSES];

/* ---- choices (exec_choice.c) --------------------------------------------------------------- */

typedef struct Node {
    uint64_t parent;
} Node;
void choice_start(uint64_t seed);
void choice_from(uint64_t number); /* goes on with the sequence that it starts */
uint64_t choice(void);
uint32_t below(uint32_t n);
static inline bool percent(uint32_t n) { return below(100) < n; }
/* False: the node is left out; then no node_leave. */
bool node_enter(Node *n, const char *kind);
void node_leave(const Node *n);
bool nodes_leave_out(const char *file); /* names of nodes, one a line */
extern bool nodes_list;                 /* "depth name kind" on standard output */

/* ---- values (exec_expr.c) -------------------------------------------------------------------- */

extern bool only_ldc_w; /* the reference makes ldc ldc_w when it merges pools in a redefinition: places move */
void push_int(Gen *g, int32_t v, unsigned form);
void push_default(Gen *g, Ty ty);
void push_fresh(Gen *g, Ty ty); /* not null, no choices that cost */
void leaf(Gen *g, Ty ty);
int32_t edge_int(void);
void expr(Gen *g, Ty ty, int depth);
void narrow(Gen *g, Ty ty);                /* int on the stack, to a smaller type */
void jump_if(Gen *g, Label *l, int depth); /* a condition and its branch */
bool call(Gen *g, Ty ret, int depth);      /* false: there is no such method */
bool library(Gen *g, Ty ret, int depth);   /* likewise (exec_library.c) */
void field_ref(Gen *g, unsigned op, const Field *f, Ty push);
const Field *some_field(Gen *g, Ty ty, bool written);
void store_value(Gen *g, int depth);
void array_and_index(Gen *g, Ty array, int depth);
Ty random_type(void); /* of a local or field */
void rt_call(Gen *g, const char *name, const char *desc, int pops, Ty push);

/* ---- loops over arrays (exec_loops.c)                                                          ---- */
void array_loop(Gen *g);

/* ---- code (exec_code.c) ------------------------------------------------------------------------ */

void make_method(Program *p, const Method *m);
void make_initialiser(Program *p, int owner);
void make_constructor(Program *p, int owner);

/* ---- program (exec_plan.c) ----------------------------------------------------------------------- */

void program_make(Program *p, uint64_t seed);
void program_free(Program *p);
bool program_write(Program *p, CfWriter *w);

#endif
