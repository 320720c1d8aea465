/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the base compiler: the state of one compilation.  Theory: docs/jit.md.
 *
 * Locals   The most used ones are pinned to a register each for the whole method.  A pin is valid (the register has the
 *          value) and dirty (memory has not).  What a pin is at the start of a block is fixed (base_scan.c): valid if it is live there,
 *          then taken for dirty if the method writes it at all; in a loop with calls, if the loop uses it and writes it.
 * Stack    A Value per cell says where the cell's contents are; at the boundaries of blocks base_join.c does.  Operands
 *          stay on it until their instruction is done, so that an exit in its midst finds the state before it.
 */
#ifndef GRAFT_JIT_BASE_INT_H
#define GRAFT_JIT_BASE_INT_H

#include "cf_kinds.h"
#include "jit/base_value.h"
#include "jit/code_regs.h"
#include "jit/exit_record.h"
#include "jit/jit_int.h"
#include "object/method.h"

enum { MAX_PINS = 15, MAX_CODE_LEN = 16000, MAX_LOCALS = 1000, MAX_DEPTH = 500, MAX_INLINE_CELLS = 200, NO_PIN = 0xff };

static inline HelperArg arg_cell(u4 cell) { return (HelperArg){ARG_CELL, cell}; }
static inline HelperArg arg_const(const void *p) { return (HelperArg){ARG_CONST, (int64_t)(uintptr_t)p}; }
#define NO_ARG ((HelperArg){.kind = ARG_NONE})

typedef struct Scope Scope; /* an inlined method: base_inline.c */
typedef struct Join Join;   /* operands at the start of a block: base_join.c */

/* Code that is written behind the rest. */
typedef struct Later {
    struct Later *next;
    Scope *scope; /* where it was left; NULL: in the method itself */
    enum { LATER_EDGE, LATER_EXIT, LATER_POLL, LATER_SLOW, LATER_LOOK, LATER_TYPE } kind;
    Label at, back;
    const Join *join;                                         /* edge: NULL, or what the stack is where it leads */
    u4 bci;                                                   /* edge: where it leads; others: position */
    ExitInfo info, redo;                                      /* redo: slow, of an interface call whose method was not found */
    u2 valid, dirty;                                          /* pins, where it was left */
    enum { RESULT_NONE, RESULT_CELL, RESULT_FP } with_result; /* exit: rax or xmm0 goes to the stub; slow: xmm0 becomes rax */
    const void *fn; /* slow: the helper, or NULL for `callee`, or for the method at vtable_index; type: a Class */
    const Method *callee;
    u4 vtable_index;
    const SiteCache *chooses; /* slow: of an interface call that is made there, or NULL */
    Reg about;    /* look, type: the object; slow: the SiteCache of an interface call, the class being in rax; or NO_REG */
    Label *leave; /* type: where it goes if the object is none; or NULL */
    Label window,
        retry; /* slow: for allocation, where the thread's next window is asked for, and where it goes if there is one */
    Reg end;   /* has their difference to the object's register, if bytes is 0 */
    u4 bytes;
    HelperArg args[2];
    u4 popped;
    Reg result;      /* or NO_REG */
    u4 depth, cells; /* of the position; all cells, in `stack` */
    Value stack[];   /* as it was */
} Later;

/* An exit by a record, of which some branch needs the address. */
typedef struct Exit {
    struct Exit *next;
    const Scope *scope;
    Label at;
    u4 bci, record;
} Exit;

/* What belongs to the method whose bytecode is looked at, while another's is. */
typedef struct MethodState {
    Method *m;
    const u1 *code;
    u4 len, bci, next, floor;
    u1 *marks;
    PinState *pins_at;
    int16_t *depth_at;
    Label *labels;
} MethodState;

typedef struct Compiler {
    Method *root; /* what is compiled */
    Method *m;    /* whose bytecode is looked at: root, or what is inlined */
    const u1 *code;
    u4 len;
    Asm a;
    const char *why; /* refused */
    bool no_memory;

    u1 *marks;         /* per bci: MARK_* */
    PinState *pins_at; /* per bci: at the start of a block */
    int16_t *depth_at; /* per bci: depth of the stack on arrival, -1 unknown */
    CfKinds kinds;     /* the root's, by looking at all code, also what never ran; made when it is wanted */
    CfArena arena;     /* of kinds, and of all that is written behind the code */
    Label *labels;     /* per bci */
    Pin pins[MAX_PINS];
    u4 n_pins;
    u4 turn_to;            /* the test of a loop is written at its end: bci of what follows it at the head; else 0 */
    u1 *pin_of;            /* per local and Web */
    Loop loops[MAX_LOOPS]; /* the first ones */
    u4 n_loops;

    /* while code is made */
    u4 bci, next; /* of the instruction; behind it */
    const CfInsn *insn;
    bool reachable;
    Value *stack;
    u4 depth;
    u4 low; /* cells below were there at the last branch or start of a block */
    Join *joins;
    bool flat;       /* without joins: all operands in memory at the boundaries of blocks */
    bool wants_flat; /* refused for that */
    u2 valid, dirty; /* bits of pins */
    u4 stop;         /* counts places where this thread may stop for a collection, from 1 */
    bool has_monitors;
    bool this_stays;    /* local 0 is the receiver wherever one is */
    u8 *safe_locals;    /* bit per local: not null */
    u4 locked, flocked; /* registers that the instruction uses */
    Label entry, slow_entry;
    u4 body;     /* offset behind the checks of the entry */
    bool calls;  /* methods: else nothing is checked at entry */
    bool breaks; /* has breakpoints */

    u4 pops, pushes; /* slots, of the instruction */
    u4 below;        /* cells below the operands of the instruction */
    Later *later;
    CodeEntry *entries;
    u4 n_entries;
    Places places;
    SiteCache *sites;
    Exit *waiting; /* exits whose code is not written yet */
    ExitWriter exits;

    /* --- base_inline.c --- */
    Scope *scope;  /* the inlined method whose code is written, or NULL */
    Scope *scopes; /* all there were, the newest first */
    u4 n_scopes;
    u4 floor; /* first cell of the operand stack of m */
    u4 inlined_bytes;
    u4 frames_written;
    bool written_behind;     /* the rest has been written */
    bool plain;              /* calls are calls: no bodies, no machine code in place of them */
    bool reports;            /* MethodEntry and MethodExit; plain, and calls of leaves are calls too */
    bool short_of_registers; /* refused for that */
    Method **inlined;        /* each once */
    u4 n_inlined;
    MethodState root_state;
} Compiler;

enum {
    MARK_START = 1,
    MARK_TARGET = 2,
    MARK_LOOP = 4,
    MARK_HANDLER = 8,
    MARK_TURNED = 16, /* a jump back: base_scan.c, LoopTest */
    MARK_BREAK = 32   /* a breakpoint: nothing of the instruction may be done before it is told */
};

/* --- base_scan.c --- */
bool base_scan(Compiler *c); /* marks, pins, liveness */
bool base_loop_test(const Compiler *c, const CfInsn *jump, LoopTest *t);
int base_depth_from_behind(Compiler *c,
                           u4 at); /* of the stack at a target that only jumps from behind lead to; -1: nothing does */
static inline bool op_is_load(u1 op) { return op >= CF_OP_ILOAD && op <= CF_OP_ALOAD_3; }
static inline bool op_is_store(u1 op) { return op >= CF_OP_ISTORE && op <= CF_OP_ASTORE_3; }
/* BasicType of what a load or store instruction moves. */
BasicType base_type_of_access(u1 op);

/* --- base_state.c --- */
void refuse(Compiler *c, const char *why);
/* Of a local of the method that is compiled. */
static inline Mem local_mem(const Compiler *c, u4 local) { return mem_at(R_FRAME, -8 * (int32_t)(c->root->max_locals - local)); }
/* The instruction is done by the interpreter. */
static inline ExitInfo exit_redo(const Compiler *c, enum ExitKind kind, u4 popped) {
    return exit_info(kind, 0, popped, 0) | (c->marks[c->bci] & MARK_BREAK ? EXIT_BROKEN : 0);
}
static inline Value *top(Compiler *c, u4 n) { return &c->stack[c->depth - n]; } /* n cells down, from 1 */
static inline int pin_of(const Compiler *c, u4 local, u1 web) {
    u1 pin = c->pin_of[local * WEBS + web];
    return pin == NO_PIN ? -1 : pin;
}
static inline Web web_of(BasicType t) { return t == T_FLOAT || t == T_DOUBLE ? WEB_FP : t == T_INT ? WEB_INT : WEB_CELL; }

Reg temp(Compiler *c); /* a free register, locked for this instruction */
FReg ftemp(Compiler *c);
void take_register(Compiler *c, Reg r); /* r becomes free, and locked */
Reg use(Compiler *c, u4 cell);          /* the cell's contents in a register, not to be changed; locked */
FReg fuse(Compiler *c, u4 cell, Width w);
Operand operand(Compiler *c, u4 cell, Width w); /* the same as register, constant or memory */
Reg result_for(Compiler *c, u4 cell);           /* register for a result that may overwrite the operand in `cell` */
FReg fresult_for(Compiler *c, u4 cell);
void push_reg(Compiler *c, Reg r);
void push_freg(Compiler *c, FReg r);
void push_value(Compiler *c, Value v);
void push_const(Compiler *c, int64_t k);
void push_hole(Compiler *c);
void pop(Compiler *c, u4 n);
void load_pin(Compiler *c, u4 pin);
void store_local(Compiler *c, u4 local, BasicType t, u4 cell);
void increment(Compiler *c, u4 local, int32_t by);
void spill(Compiler *c, u4 cell);           /* to memory */
void flush_stack(Compiler *c);              /* all cells in memory */
void settle_stack(Compiler *c);             /* as at the boundary of a block */
void arrive_pins(Compiler *c, PinState to); /* all of those are valid, no others dirty */
bool is_safe(const Compiler *c, const Value *v);
void flush_pins(Compiler *c); /* no pin dirty */
void lose_pins(Compiler *c);  /* registers are gone */
/* Those that C functions destroy hold nothing: such pins, and cells in them, are in memory; those from `args` on in any case. */
void lend_registers(Compiler *c, u4 args);
void set_position(Compiler *c, u4 bci, u4 depth); /* of m; inlined: of all frames */
void leave_by_stub(Compiler *c);                  /* R_SI, R_DX are loaded */
void test_leave(Compiler *c, Label *leave);       /* behind calls and helpers */
bool goes_to_pin(Compiler *c, bool fp, u1 *reg);  /* the next instruction stores the result into this pin */

void jump_to_stub(Compiler *c, void (*stub)(void));
/* Where to go when the instruction is better done by the interpreter.  Nothing is changed yet. */
Label *exit_here(Compiler *c, enum ExitKind kind);
void exit_now(Compiler *c, enum ExitKind kind); /* always */
Label *exit_at(Compiler *c, u4 bci);            /* where the interpreter goes on there */
void check_null(Compiler *c, u4 cell, Reg r);   /* exits if it is */
/* The same: the instruction that is written next is the first that reads or writes at r + disp; r has what is in the cell.  Flags are lost. */
void check_by_access(Compiler *c, u4 cell, Reg r, int32_t disp);
void make_safe(Compiler *c, Value *v); /* it was found not to be null, and what it equals */
/* Branches: operands are popped; what they do to the stack is done on the way. */
void branch_to(Compiler *c, Cond cond, u4 target);
void fbranch_to(Compiler *c, Cond cond, Width w, FReg x, FReg y, bool unordered, u4 target);
void jump_to(Compiler *c, u4 target);
void start_again(Compiler *c, u4 head);  /* of a loop: polled, in the state there; its code follows */
Label *label_to(Compiler *c, u4 target); /* where a branch there goes */
void note_depth(Compiler *c, u4 target); /* the stack on arrival there */
void start_block(Compiler *c);
void add_entries(Compiler *c); /* of loops and handlers */
/* Calls: everything to memory, position; then the call; then what follows it. */
void prepare_call(Compiler *c);
void after_call(Compiler *c, u4 popped, u4 pushed,
                bool fp);                      /* exits if the frame is to leave; pushed 1, 2: rax or, fp, xmm0 is pushed */
void call_leaf_c(Compiler *c, const void *fn); /* fn(what registers hold): no frame is looked at, and nothing stops */
void call_c(Compiler *c, const void *fn);      /* fn(thread, frame, what registers hold already) */
void call_helper(Compiler *c, const void *fn, u4 popped, u4 pushed); /* the same and what follows it */
u4 record_state(Compiler *c, ExitInfo info, u4 bci);                 /* as it is; of an exit, without its end: exit_record.h */
void call_by_record(Compiler *c, void (*stub)(void), u4 record);
void write_later(Compiler *c);
void write_exits(Compiler *c);
/* For the state as it is; bci is the position. */
Later *new_later(Compiler *c, int kind, u4 bci, u4 depth);

/* --- base.c --- */
/* The element of an array that is not null; exits if there is none. */
Mem element(Compiler *c, Reg array, u4 index, u4 shift);
void compile_insn(Compiler *c, const CfInsn *i);
/* Is the next instruction a branch by an int, with nothing else that leads to it?  It may be done with this one. */
bool next_is_test(Compiler *c, CfInsn *i);
void narrow_result(Compiler *c, Reg d, Reg r); /* as m returns it */

/* --- base_fold.c --- */
bool base_fold(Compiler *c, u1 op); /* arithmetic of ints and longs: its operands were constants, and its result is one */

/* --- base_objects.c --- */
/* Fields, calls, allocation, types, monitors; `quick` is the opcode in qcode.  False: none of them. */
bool base_object_op(Compiler *c, const CfInsn *i, u1 quick);
bool call_gives_fp(const Compiler *c);
/* Of the method in R_CALLEE, which is `known` or NULL, with arguments from the cell `args` on; R_FRAME is the root's again. */
void call_callee(Compiler *c, const Method *known, u4 args);
/* Of what the class of the receiver, in its cell, has at `index`. */
void call_by_vtable(Compiler *c, u4 receiver, u4 index);
void mark_card(Compiler *c, Reg holder, Reg t); /* a reference was stored there; t is free */
/* An object of k, which is initialised and needs no slow path, in place of `popped` cells. */
void allocate(Compiler *c, const Class *k, u4 popped);
void instance_of(Compiler *c, Class *k, u4 at, u4 n);
void new_array_inline(Compiler *c, Class *component, const Class *k, const Method *instead);
void cast_to(Compiler *c, Class *k, Reg r, Reg t, Later *slow); /* of r, or goes to slow; t is free */

#endif
