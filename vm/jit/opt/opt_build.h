/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the builder of the form: opt_build.c, opt_build_object.c, opt_build_call.c.  Theory: opt_build.c. */
#ifndef GRAFT_JIT_OPT_BUILD_H
#define GRAFT_JIT_OPT_BUILD_H

#include "jit/constants.h"
#include "exec/throw.h"
#include "jit/opt/opt_ir.h"
#include <string.h>

/* The values with which an edge arrives. */
typedef struct Arrival {
    struct Arrival *next;
    Ref *cells; /* locals, then operands */
} Arrival;

/* A block of bytecode. */
typedef struct Place {
    u4 bci, end;  /* of the last instruction: behind it */
    u4 rpo;       /* from 1; 0: not reached */
    u4 n_into;    /* edges of the bytecode that lead here */
    bool head;    /* some edge comes from later in the order */
    bool started; /* its nodes are being made, or are there */
    bool second;  /* of the second reading */
    BlockRef block;
    u4 depth;
    Arrival *first, **last;
    Ref *phis, *values; /* of a head, by cell; values: at its start */
    u4 room;            /* of a head: inputs that its phis have room for */
    u4 *handlers;       /* by bci, that its exceptions may lead to (opt_build_handler.c) */
    u4 n_handlers;
} Place;

/* What is known of a node as long as a body is read. */
typedef struct Exact {
    Ref r;
    const Class *klass; /* or NULL */
} Exact;

/* One method whose bytecode is read: the root, or a body in it. */
typedef struct Build {
    struct Build *outer;
    Opt *o;
    OptScope *scope;
    Method *m;
    const u1 *code;
    u4 len, start;
    Place **at;     /* by bci: blocks; NULL: none starts there */
    Place **second; /* of the second reading; NULL: there is one only */
    bool *around;   /* by bci: heads of loops around the start */
    u4 *written;    /* by local: in which place, the last in the order */
    Place **order;
    u4 n_order;
    Place *place; /* whose nodes are made */
    BlockRef cur; /* nodes go there; 0: not reachable */
    Ref *cells;   /* locals, then operands */
    u4 depth;
    CfInsn insn;
    u1 quick; /* opcode in qcode */
    u4 pops, pushes;
    Ref receiver;        /* of a synchronized method */
    Ref checked;         /* of a call: the guard of its receiver, or 0 */
    Exact exact;         /* of a call: its receiver, for the body */
    u4 above;            /* of a linker: operands above the arguments */
    Class *named;        /* of a call: the class that it names, which its receiver is verified to be of; or NULL */
    Class *bound;        /* of a body: the same of its receiver */
    State *here;         /* in front of the instruction, once somebody wanted it */
    const State *caller; /* the outer frames; NULL: root */
    Ref *args;           /* of a body: its locals at its start */
    Ref first;           /* of a body: nodes up to here were made before it */
    /* opt_build_share.c: bytes of bytecode for bodies */
    u1 *loops; /* by bci: how many are around */
    u1 deepest;
    u4 budget; /* that are left */
    bool is_glue;
    u4 weights; /* of the calls that are still to come */
    u4 aside;   /* of the budget: what calls that are still to come want at most, and no more */
    u4 share;   /* of the call at hand */
    /* of a body: where its returns go */
    BlockRef end;
    u4 n_returns;
    Ref *results;
    u4 cap_results;
} Build;

enum { FRAME_CELLS = sizeof(Frame) / 8 };

/* --- opt_build.c --- */
void build_refuse(Build *b, const char *why);
Ref build_add(Build *b, OptOp op, OptType type);                /* at the end of what is there */
Ref build_pure(Build *b, OptOp op, OptType type, Ref x, Ref y); /* folded */
Ref build_finish(Build *b, Ref r);                              /* the same for a node with more to it, from opt_new */
Ref build_const(Build *b, OptType type, int64_t k);
Ref build_convert(Build *b, OptType to, OptType from, Ref x);
State *build_state(Build *b); /* in front of the instruction; nothing of it is popped yet */
State *build_state_at_start(Build *b);
Ref build_length(Build *b, Ref array);
void build_is_exactly(Build *b, const Class *k); /* of the topmost cell: or null */
Ref build_pinned(Build *b, Ref r);               /* a branch makes it safe, which `after` cannot name */
/* Leaves if a bit of mask is set in the word. */
void build_ask_bits(Build *b, enum ExitKind exit, OptType type, MemKind kind, const void *word, int64_t mask);
Ref build_guard(Build *b, OptOp op, enum ExitKind exit, Ref x, Ref y); /* 0: it always holds */
void build_leave(Build *b, enum ExitKind exit);                        /* always, here */
bool build_may_leave(const Build *b);                                  /* by a guess about ways that are not taken */
Ref build_not_null(Build *b, Ref r);                                   /* the guard, or 0 */
Ref build_top(const Build *b, u4 n);                                   /* n cells down, from 1 */
static inline Ref build_arg(const Build *b, const Method *m, u4 n) {
    return build_top(b, m->arg_slots - n);
} /* cell n of m's arguments */
Ref build_pop(Build *b, bool two);
void build_push(Build *b, Ref r); /* one cell, or two by its type */
static inline bool opt_is_wide(OptType t) { return t == OT_LONG || t == OT_DOUBLE; }
OptType opt_type_of(BasicType t);
/* The one class of what is of a type and not null: arrays of numbers, and of such; NULL: others. */
const Class *build_exact(CfStr desc);
static inline u2 build_operand(const Build *b, u4 at) {
    u2 v;
    memcpy(&v, b->m->qcode + b->insn.pc + at, 2);
    return v;
}
static inline void **build_cell(const Build *b) { return &b->m->qcells[build_operand(b, 1)]; }
u4 build_n_successors(const CfInsn *i); /* in the bytecode's graph, without exceptions */
u4 build_successor(const CfInsn *i, u4 n);
/* An IF on x cond y (types `from`): both ways are made; the caller fills one after the other.  to[0]: it holds. */
void build_fork(Build *b, Cond cond, OptType from, Ref x, Ref y, BlockRef to[2]);
bool build_never_ran(const Method *m, const CfInsn *i); /* it stands in qcode as it is in the class file */
BlockRef build_meet(Build *b);        /* a new block that cur goes to, and becomes; for what comes later by build_go */
void build_go(Build *b, BlockRef to); /* cur ends there */
/* What follows is for x cond y; others go to `other`, a block in which they meet, which is made where it is 0. */
void build_only_if(Build *b, BlockRef *other, Cond cond, OptType from, Ref x, Ref y);
/* x cond y ? yes : no, of two values that are there. */
Ref build_choose(Build *b, Cond cond, OptType t, Ref x, Ref y, Ref yes, Ref no);
Ref build_phi(Build *b, BlockRef at, OptType type, const Ref *args, u4 n);
/* An edge from `from`, whose end is written or will be, to the bytecode at bci, with the cells as they are. */
void build_lead(Build *b, BlockRef from, u4 bci);
/* The body of m, whose arguments are on the stack: its result is pushed; cur is behind it, or 0. */
bool build_method(Build *b);

/* --- opt_build_object.c --- */
bool build_array_op(Build *b); /* false: another instruction */
bool build_field_op(Build *b);
bool build_type_op(Build *b);
Ref build_load(Build *b, OptType type, MemKind kind, Ref base, int64_t k, Ref after);
/* What is known of the field, or a load; a volatile one orders what is read behind it.  Nothing may be noted of the answer: what is known has other uses,
 * where it need not be so. */
Ref build_read_field(Build *b, const Field *fd, Ref o, Ref guard);
Ref build_load_field(Build *b, Ref object, const Class *k, u4 offset, Ref guard); /* the same of the one that k has there */
void build_write_field(Build *b, const Field *fd, Ref o, Ref value, Ref guard);   /* o 0: a static one */
/* What Unsafe's plain access of o at an offset is one of: its class is known, exact, and has such a field there, not volatile.  Or NULL. */
const Field *build_known_field(const Build *b, Ref o, int64_t offset, OptType type, MemKind kind);
/* A String's array.  Constructors see to it that there is one; but what they store may be null on other ways, so this is always a load, which never is. */
Ref build_load_text(Build *b, Ref string, Ref after);

void build_note_made(Build *b, Ref object); /* by a NEW that was added last: its fields are 0 */
void build_push_constant(Build *b, const Constant *k);

/* --- opt_build_call.c --- */
bool build_call_op(Build *b);
void build_note_method(Build *b, Method *m); /* the code goes when m changes */
/* The arguments are on the stack, and a receiver was checked (Build.checked).  False: m is to be called. */
bool build_in_place(Build *b, Method *m);
bool build_body(Build *b, Method *m);      /* the same, of bytecode only */
void build_call(Build *b, OptCall how);    /* the arguments are the topmost cells */
Ref build_add_call(Build *b, OptCall how); /* the same; they stay there, and the result is not pushed */
OptType build_result_type(const Build *b); /* of the instruction */
/* What all receivers of class `named` have at index of their vtables, if it may stand in place of the call: a guard says so; or NULL. */
Method *build_only_target(Build *b, Class *named, u4 n, u4 index);

/* --- opt_build_handles.c --- */
bool build_handle_op(Build *b);
Object *build_constant(const Build *b, u4 n); /* n cells down, from 1; NULL: null, or none */
bool build_asked(Build *b, const Method *m);  /* isCompileConstant of a constant, profileBoolean */

/* --- opt_build_handler.c --- */
void build_find_handlers(Build *b, Place *p); /* its end is known */
void build_throw(Build *b);                   /* athrow */
void build_catch_call(Build *b, u4 n_args);   /* behind a CALL, whose arguments are on the stack still */
/* The instruction throws a `kind` if x cond y (types `from`): where it did so before, and the handler does not look at it, it leads there. */
void build_catch(Build *b, ExKind kind, Cond cond, OptType from, Ref x, Ref y);
void build_catch_cast(Build *b, Ref object, Class *k);

static inline Ref build_int(Build *b, int32_t k) { return build_const(b, OT_INT, k); }
/* In the place of a call of m; r: its result, or 0. */
static inline void build_answer(Build *b, const Method *m, Ref r) {
    b->depth -= m->arg_slots;
    if (r) build_push(b, r);
}

/* --- opt_build_share.c --- */
enum { BUILD_SMALL = 35 };                                        /* bytes of bytecode: hardly more than a call */
void build_share_out(Build *b, u4 budget);                        /* before the bytecode is read */
void build_share(Build *b);                                       /* of the call at hand */
bool build_fits_share(const Build *b, const Method *m, bool hot); /* a body there */
bool build_forks(const Method *m);                                /* small, and calls itself in several places */

/* The rest of what was a call on the way that led to cur: other receivers, what C declined; at `other`, with the operands of before.  Both ways
 * meet with the result.  What C declines often becomes a body there. */
bool build_declines_often(const Method *m);
void build_call_others(Build *b, OptCall how, BlockRef other, u4 depth);

/* --- opt_build_quick.c --- */
bool build_quick(Build *b, Method *m);       /* the same by its C function */
bool build_is_quick(const Method *m);        /* it has one */
Ref build_quick_result(Build *b, Method *m); /* what it answers, the arguments stay; it never declines */

/* --- opt_build_monitor.c --- */
bool build_keeps_monitor(const Method *m); /* of one that is synchronized, not static: what local 0 has, as long as it runs */
bool build_may_lock(const Build *b, const Method *m); /* as a body; that it enters no block may be a guess */
void build_lock(Build *b);                            /* at the start of the method */
void build_unlock(Build *b);                          /* at a return */
bool build_monitor_op(Build *b);                      /* false: another instruction */

/* --- opt_build_library.c --- */
const Object *build_known_string(const Build *b, Ref s); /* a constant; or NULL */
/* A call of m, its receiver being checked, in nodes or by a C function.  False: it is to be called. */
bool build_library(Build *b, Method *m);

/* --- opt_build_box.c --- */
bool build_is_box(const Method *m); /* a valueOf that is a node */
bool build_box(Build *b, Method *m);

/* Ways to one result, whose values are args. */
typedef struct Ways {
    BlockRef meet;
    Ref args[11];
    u4 n;
} Ways;
/* Where x cond y holds the result is `value`; cur is where it does not. */
void build_decide(Build *b, Ways *w, Cond cond, OptType t, Ref x, Ref y, int32_t value);
void build_arrive(Build *b, Ways *w, Ref value); /* this way ends here, with the value, or 0 */
/* Where cur is, the last way, the C function answers; then m is answered. */
void build_ask_c(Build *b, Ways *w, Method *m, bool seldom);

/* --- opt_build_class.c --- */
bool build_class(Build *b, Method *m); /* the same of java.lang.Class's, behind those that know the class */

/* --- opt_build_letter.c --- */
bool build_letter(Build *b, Method *m); /* the same of Character's, for ASCII */

/* --- opt_build_text.c --- */
bool build_text(Build *b, Method *m); /* the same of digits and pieces of text, the usual case of it */

/* --- opt_build_raw.c --- */
bool build_raw(Build *b, const Method *m);   /* the same of Unsafe's accesses */
void build_count(Build *b, const Method *m); /* what a MK_LEAF_POKE does; the arguments stay */

#endif
