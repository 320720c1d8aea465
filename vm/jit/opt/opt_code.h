/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the writer of code: opt_emit*.c.  Theory: opt_emit.c. */
#ifndef GRAFT_JIT_OPT_CODE_H
#define GRAFT_JIT_OPT_CODE_H

#include "jit/opt/opt_int.h"
#include "object/class.h"
#include "object/object.h"

/* Code that is written behind the rest. */
typedef struct Later {
    struct Later *next;
    enum {
        LATER_EXIT,
        LATER_HELP,
        LATER_TYPE,
        LATER_LEAVE,
        LATER_CATCH,
        LATER_CHOOSE,
        LATER_SELECT,
        LATER_LINK,
        LATER_LOOK
    } kind;
    Label at, back;
    const State *state; /* where it was left */
    u4 record;          /* exit, help */
    /* help: for allocation, where the thread's next window is asked for, and where it goes if there is one */
    Label window, retry;
    bool has_window;
    u4 bytes;           /* wanted; 0: `end` has them and the address in `result` */
    Reg end, result;    /* type: the result, or NO_REG */
    Reg about;          /* type: the object; look: the receiver */
    const Class *klass; /* type: or NULL: in `end` */
    bool final;         /* type: nobody asks */
    struct Later *exit; /* type: if it is of another class, or */
    Label *same;        /* if it is of this one */
    ExitInfo info;      /* leave, catch, choose, link */
    enum { RESULT_NONE, RESULT_CELL, RESULT_FP } with_result;
    const SiteCache *site;
    MethodKind linker;
    /* choose, link, leave, catch: places of the first argument: in the frame, and where the callee finds it; how many are only there */
    u4 receiver, args, n_passed;
} Later;

typedef struct Emit {
    Opt *o;
    Back b;
    Asm a;
    ExitWriter exits;
    Places places;
    Label *labels; /* per block */
    Label entry, slow_entry;
    u4 body;
    bool calls;
    BlockRef *layout;
    bool *back; /* per block: a jump back leads to it */
    u4 n_layout;
    BlockRef following; /* the block whose code comes next, or 0 */
    Later *later, **later_end;
    Mover mover;
    u4 due; /* the code's name in frames that are due, or 0: not wanted yet (jit/body_frames.c) */
} Emit;

/* --- opt_emit.c --- */
void emit_refuse(Emit *e, const char *why);
static inline Reg emit_reg(const Emit *e, Ref r, u4 pos) {
    Loc l = opt_where(&e->b, r, pos);
    ASSERT(l.kind == LOC_REG, "a value that must be in a register");
    return (Reg)l.n;
}
static inline FReg emit_freg(const Emit *e, Ref r, u4 pos) {
    Loc l = opt_where(&e->b, r, pos);
    ASSERT(l.kind == LOC_FREG, "a value that must be in a register");
    return (FReg)l.n;
}
/* Of n at its position. */
static inline Reg emit_in(const Emit *e, const Node *n, u4 i) { return emit_reg(e, n->in[i], n->pos); }
static inline FReg emit_fin(const Emit *e, const Node *n, u4 i) { return emit_freg(e, n->in[i], n->pos); }
static inline Reg emit_out(const Emit *e, Ref r) { return emit_reg(e, r, opt_node(e->o, r)->pos + AT_RESULT); }
static inline FReg emit_fout(const Emit *e, Ref r) { return emit_freg(e, r, opt_node(e->o, r)->pos + AT_RESULT); }
static inline Reg emit_temp(const Emit *e, const Node *n, u4 i) { return e->b.temps[n->pos / STEP][i]; }
static inline const Node *emit_const(const Emit *e, Ref r) { return opt_node(e->o, r); }
Mem emit_place(const Emit *e, u4 place); /* Loc */
void emit_constant(Emit *e, Reg d, u8 k);
void emit_fconstant(Emit *e, Width w, FReg d, u8 k);
void emit_note_place(Emit *e, const State *s);
/* What LOAD, ELEMENT, LENGTH, CLASS read, STORE, SET_ELEMENT write; pos: of the node whose code it is part of. */
Mem emit_address(Emit *e, const Node *n, u4 pos);
/* Input i as an operand: constant, register, or memory, of a node without code of its own. */
Operand emit_operand(Emit *e, const Node *n, u4 i);
/* The instruction that is written next is the first to access memory for r. */
void emit_fault(Emit *e, Ref r);
/* Compares for IF and HOLDS. */
Cond emit_compare(Emit *e, Ref r);

/* --- opt_emit_math.c --- */
bool emit_math(Emit *e, Ref r); /* false: another node */

/* --- opt_emit_object.c: memory, guards, types, allocation --- */
bool emit_object(Emit *e, Ref r);
void emit_compare_type(Emit *e, const Node *end, Label *same, Label *other); /* flags: equal, or not; null goes to `other` */
void emit_test_key(Emit *e, Reg klass, const Class *k);

/* --- opt_emit_monitor.c --- */
bool emit_monitor(Emit *e, Ref r);

/* --- opt_emit_call.c: what is looked at by others: states, exits, helpers, calls --- */
Later *emit_later(Emit *e, int kind, const State *s);
u4 emit_record(Emit *e, const State *s, ExitInfo info, u4 pos);
Later *emit_exit(Emit *e, Ref r); /* of a guard: where it leaves */
void emit_leave(Emit *e, Ref r);
void emit_call(Emit *e, Ref r);
u4 emit_holds(const OptScope *s); /* FRAME_SYNC, FRAME_RELOCK or 0 */
void emit_caught(Emit *e, Ref r);
void emit_early(Emit *e, BlockRef b); /* at its end: what calls of the loop behind it find */
void emit_quick(Emit *e, Ref r);
void emit_quick_result(Emit *e, Ref r);
void emit_poll(Emit *e, Ref r);
/* A helper by a record: fn(thread, frame, x, y). */
Later *emit_help(Emit *e, Ref r, ExitInfo info, const void *fn, HelperArg x, HelperArg y, Reg result);
void emit_stress(Emit *e, Label *due); /* DeoptimizeInterval */
void emit_write_later(Emit *e);
void emit_call_stub(Emit *e, void (*stub)(void), const void *fn);
void emit_float_remainder(Emit *e, Ref r);

#endif
