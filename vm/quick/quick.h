/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quick.h - quickened code (qcode): a method's private copy of its bytecodes, in which instructions turn into quick
 * forms as they are first executed.
 *
 * Words that threads change under each other while they run Java, their states and memory orders.  Everything else about them
 * (breakpoints, watches, redefinition, leaf_forget) changes while the world is stopped, and the stop orders it.  Pool cells and call sites: link/pool.c.
 *
 *   word                   states                                     writer                          reader
 *   Method.qcode, qentry   NULL -> code, once                         release, [lock: prepare],       acquire (invoke, push_frame):
 *                                                                     behind code, cells, qcells      then qcells, code are there
 *   Method.kind            BYTECODE -> LEAF_x, then qentry -> NULL    release each, [lock: prepare],  acquire of qentry, then of kind;
 *                                                                     behind leaf, native_shape       who saw NULL sees the kind and leaf
 *   qcells[i]              NULL -> what its first user needs, once    plain, [lock: prepare]          plain, behind the opcode
 *   operands in qcode      of the class file -> of the quick form     plain, [lock: prepare]          plain, behind the opcode
 *   opcode in qcode        unquick -> quick, once                     release, [lock: prepare]        acquire, at every dispatch
 *   ... INVOKESTATIC_B     -> INVOKESTATIC_Q, same operand            release                         acquire
 *   ... LD_FIELD etc.      -> fused form, or -> plain, behind an      release                         acquire
 *                          acquire of the opcode fused with
 *   Thread.poll            bits up and down (thread/safepoint.c)      seq_cst read-modify-write       relaxed at polls, acquire in thread_poll_slow
 *
 * x86-64: a release store and an acquire load are plain moves; LOAD_ACQUIRE is the plain lvalue there.  ARM64: ldar for the loads
 * named acquire (ldarb for the opcode: the price of in-place quickening), stlr for release; a new object needs `dmb ishst` between its
 * header and zeroes and the first store of its address, because Java may publish it by a race (what obj_class then reads depends on
 * the address loaded, which ARM64 keeps in order).
 */
#ifndef GRAFT_QUICK_QUICK_H
#define GRAFT_QUICK_QUICK_H

#include "exec/exec.h"

typedef enum QuickOp {
#define QUICK(value, NAME, BASE) Q_##NAME = value,
#define FUSED(value, NAME, A, B, C) Q_##NAME = value,
#include "quick/quick.def"
    Q_LIMIT = 256
} QuickOp;

typedef enum LeafPoke { POKE_PUT_1, POKE_PUT_4, POKE_PUT_8, POKE_ADD_4, POKE_ADD_8 } LeafPoke; /* Leaf.op */

u1 quick_current_opcode(const Method *m, const u1 *pc); /* sees through breakpoints */
u1 quick_plain_opcode(u1 op);                           /* superinstruction -> its first instruction */
/* Can the call that the frame stands at be executed again, its arguments being still there? */
bool quick_call_repeatable(const Frame *caller);
u4 quick_appended(const Frame *caller); /* cells that the call it stands at added behind its arguments */

/* --- for who executes it --- */
enum {                  /* results besides an opcode to dispatch */
       SLOW_THROW = -1, /* exception pending */
       SLOW_DONE = -2   /* executed: f->pc and f->sp stand behind the instruction */
};
void quick_init(void);
bool quick_prepare(Thread *t, Method *m);     /* makes qcode; false + OutOfMemoryError */
int quick_resolve(Thread *t, Frame *f);       /* resolve the instruction at f->pc [gc][throws] */
int quick_field_generic(Thread *t, Frame *f); /* execute it, its operands on f->sp: SLOW_* */
void quick_set_opcode(Method *m, u4 bci, u1 op);

/* --- at a safepoint: redefinition, JVM TI --- */
/* What quickened calls of v hold becomes the current method.  idx is one of v's method_cells; extra cells are
 * those behind the pool's. */
void quick_turn_call_cell(ClassVersion *v, u2 idx);
void quick_turn_extra_cells(ClassVersion *v);
/* Instructions of v that use a pool entry marked in `stale` (one byte per index: 1; or 2, then only `new`) are as
 * if they had not run yet. */
void quick_reset_sites(ClassVersion *v, const u1 *stale);
/* The three have one form, so that a caller can take any of them.  owner: the environment that set the breakpoint first.  While
 * it alone listens, compiled code calls it without asking anybody (DirectListener in core/hooks.h).  If it clears the
 * breakpoint and others still have it, it is disowned: then nobody is the owner. */
bool quick_set_breakpoint(Method *m, u4 bci, const void *owner); /* false: no memory */
bool quick_disown_breakpoint(Method *m, u4 bci, const void *owner);
bool quick_clear_breakpoint(Method *m, u4 bci, const void *owner);
const void *quick_breakpoint_owner(const Method *m, u4 bci); /* NULL: none, or none any more */
void quick_forget_breakpoints(ClassVersion *v);              /* all in v's own methods go */
/* The watch flags of fd changed: instructions of v that use it take the slow form that reports, or
 * return to the quick one. */
void quick_watch_changed(ClassVersion *v, const Field *fd);

#endif
