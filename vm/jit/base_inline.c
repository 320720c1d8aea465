/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: inlining.
 *
 * TERMS  The root is the method that is compiled; a body is the bytecode of a small callee whose code is written in place of a call of
 *        it.  A Scope is one body at one call.  Cells are numbered from the root's first operand; a body has its own where they would
 *        be if it were called:
 *
 *        root's operands | args, other locals | Frame | body's operands | args, locals of a body in the body ...
 *                        ^ Scope.locals               ^ Scope.floor
 *
 * STATE  All cells are Values on the one virtual stack, locals of bodies too; cells of a Frame are holes.  So arguments reach the
 *        body as what they are: constants, registers, pins of the root.  Reading a local pushes V_CELL, its equal, or a copy if the
 *        local has no place of its own; before a local changes, its equals get registers.  The root's pins go on as they are: a body
 *        cannot change locals of the root.
 *
 * FRAMES A body has no frame while it runs.  Whatever may be looked at, and whatever leaves, writes the frames of all scopes first
 *        (inline_position): helpers, exits, calls.  They are what calls would have left there, FRAME_COMPILED | FRAME_INLINED.  A frame, and the
 *        position in its caller, stay as they are until the body ends, so calls do not write again what was written on all ways to them
 *        (Scope.framed).  Code behind the rest does not know that: it calls a writer, a few instructions that each scope has once, and likewise to
 *        test their flags, for that code is most of what there is.  Exits that are records have the frames written by C code (exit_record.c).  Nothing
 *        needs to take them away: who does not lead to them does not see them, and Thread.frame is stored by whoever leaves.  R_FRAME
 *        is the root's all the time, but for calls: the callee's `prev` is the body's frame, and behind it R_FRAME comes from the
 *        distance as ever.  Behind calls and helpers the flags of all frames are tested.  An exit takes all of them into the
 *        interpreter (runtime.c), where they are ordinary frames; an exception passes them one by one.
 *
 * BLOCKS Branches in bodies lead forwards only.  At the boundaries of their blocks, and where the body ends, cells that the body does
 *        not write (those below, arguments that are not assigned) are what they were at its start (Scope.kept), registers
 *        too; for the rest there are joins (base_join.c).  Pins are live in the whole body if they are behind the call or if a kept cell is equal to one.
 *        A body with one return at its end hands its result over as the Value it is; others, and guarded ones, meet in `end` with the
 *        result in a register.  If the caller tests the result next, returns of a constant go where that leads, without it.
 *
 * LOCKS  A synchronized body takes the thin lock at its start and gives it back at each return, with the receiver's Value.  Between the two
 *        frames that are written have FRAME_SYNC and sync_object (Scope.sync), so whoever unwinds, leaves or looks finds what a call would
 *        have left.  Only the frame that is written for the helper that takes the lock has neither (Scope.entering): the helper sets them, and
 *        if it throws, the exception is the caller's.  If the root or a scope around has the same monitor (is_held: the same receiver that nobody assigns,
 *        or statics of one class) and the body neither calls nor asks a helper, it takes none: nobody can see that an entry was not counted.
 *        Its frame is written only to leave, with FRAME_RELOCK: the exit counts the entry then (runtime.c).
 *
 * WHAT   Bodies have no loops (so no polls) or monitors of their own instructions.  Of their handlers no code is written: an exception that one of them catches
 *        goes on in the interpreter, with all frames.  Bodies that catch again and again are none any more (jit_caught_in_body), so what
 *        counts is what they do without exceptions, and only that is looked at.  For virtual calls: what all classes that exist inherit, compared with
 *        the receiver's vtable, the slow path being the call itself; so no class that is loaded later is a concern.
 *        Code that has a body of m goes where code of m goes: CodeBlob.inlined, policy.c.
 *
 * Rejected: marking the frames of a body in the root's (position with a number of a scope, tables of values, as others do it): everybody
 * who looks at frames would have to know; here the one who makes somebody look pays, and that is rare or costs a call anyway.  (Calls of optimised code, which
 * has more bodies, leave their frames due: body_frames.c.)
 */
#include "core/options.h"
#include "frame/frame_view.h"
#include "jit/policy.h"
#include "jit/base_handles.h"
#include "jit/base_inline.h"
#include "jit/base_int.h"
#include "jit/base_intrinsic.h"
#include "jit/base_slow.h"
#include "jit/base_monitor.h"
#include "load/loader.h"
#include "object/class.h"
#include "object/version.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_INLINED_BYTES = 1000, /* in one root */
    MOST_ROOT_BYTES = 4000,
    MOST_LOCALS = 24,
    MOST_KEPT = 3,        /* registers, of each kind: bodies need some */
    MOST_RECOMPILED = 30, /* bodies have parts that nearly never run: a root that left for them so often goes without */
    FRAME_CELLS = sizeof(Frame) / 8
};

struct Scope {
    Scope *outer, *all;
    MethodState in;                 /* while another is looked at */
    u4 number;                      /* from 1 */
    u4 level, call_bci, call_depth; /* in the caller: bci, cells of its operand stack */
    u4 locals;
    u4 begun, framed;     /* Compiler.frames_written: at its start; when its frame was written, 0: it is not, on some way */
    u4 jump, behind_jump; /* to `end`, the last one, if nothing follows it yet */
    bool joins, returned, goes_on; /* goes_on: code of the body follows the return */
    bool sync, entering;           /* synchronized; its frame is written for the helper that takes the monitor */
    bool held;                     /* it takes none: the code around it has it */
    bool fp;                       /* the result is in freg */
    Reg reg;
    FReg freg;
    Value value; /* does not join: the result */
    Label end;
    Label writer, tester, leaver; /* code that it has once: writes its frame and those around it, asks their flags, leaves */
    bool writes, tests_flags, leaves;
    CfInsn test;               /* what the caller does with the result, if `tests` */
    bool tests, passes, meets; /* passes: a return goes behind the test; meets: one goes to `end` */
    Label behind;
    u4 n_kept;
    Value *kept; /* V_HOLE: not kept */
    u8 *safe;    /* safe_locals at its start */
};

/* --- scopes --- */

static MethodState *home(Compiler *c, Scope *s) { return s ? &s->in : &c->root_state; }

void inline_enter(Compiler *c, Scope *s) {
    if (s == c->scope) return;
    *home(c, c->scope) =
        (MethodState){c->m, c->code, c->len, c->bci, c->next, c->floor, c->marks, c->pins_at, c->depth_at, c->labels};
    const MethodState *to = home(c, s);
    c->m = to->m;
    c->code = to->code;
    c->len = to->len;
    c->bci = to->bci;
    c->next = to->next;
    c->floor = to->floor;
    c->marks = to->marks;
    c->pins_at = to->pins_at;
    c->depth_at = to->depth_at;
    c->labels = to->labels;
    c->scope = s;
}

u4 inline_root_bci(const Scope *s, u4 bci) {
    for (; s; s = s->outer) bci = s->call_bci;
    return bci;
}

u4 inline_number(const Scope *s) { return s ? s->number : 0; }

void note_place(Compiler *c, const Scope *s, u4 bci) {
    places_add(&c->places, (CodePlace){asm_here(&c->a), inline_number(s), bci});
}

static u4 what_it_holds(const Scope *s) { return !s->sync || s->entering ? 0 : s->held ? FRAME_RELOCK : FRAME_SYNC; }

CodeScope *inline_scopes(const Compiler *c) {
    CodeScope *all = c->n_scopes ? malloc(c->n_scopes * sizeof *all) : NULL;
    for (const Scope *s = c->scopes; all && s; s = s->all)
        all[s->number - 1] =
            (CodeScope){s->in.m, inline_number(s->outer), s->call_bci, s->locals, s->call_depth, what_it_holds(s)};
    return all;
}

const Method *inline_caller(const Compiler *c) {
    for (const Scope *s = c->scope; s; s = s->outer) {
        const Method *caller = s->outer ? s->outer->in.m : c->root;
        if (!method_is_reflection(caller)) return caller;
    }
    return NULL;
}

void inline_free(Compiler *c) { free(c->inlined); }

/* --- frames --- */

static Mem frame_of(const Scope *s) { return cell_mem(s->locals + s->in.m->max_locals); }
static Mem in_frame(const Scope *s, size_t offset) {
    Mem m = frame_of(s);
    m.disp += (int32_t)offset;
    return m;
}
Mem inline_frame(const Compiler *c) { return frame_of(c->scope); }

static void write_position(Compiler *c, Mem m, u4 bci, u4 depth) {
    asm_store_const(&c->a, MEM_64, m, (int32_t)(bci | depth << FRAME_DEPTH_SHIFT));
}

/* But its position. */
static void write_frame(Compiler *c, const Scope *s) {
    Asm *a = &c->a;
    if (s->outer) {
        asm_address(a, ASM_SCRATCH, frame_of(s->outer));
        asm_store(a, MEM_64, in_frame(s, offsetof(Frame, prev)), ASM_SCRATCH);
    } else {
        asm_store(a, MEM_64, in_frame(s, offsetof(Frame, prev)), R_FRAME);
    }
    asm_const(a, ASM_SCRATCH, (int64_t)(uintptr_t)s->in.m);
    asm_store(a, MEM_64, in_frame(s, offsetof(Frame, method)), ASM_SCRATCH);
    u4 holds = what_it_holds(s);
    if (holds) {
        if (method_is_static(s->in.m)) asm_const(a, ASM_SCRATCH, (int64_t)(uintptr_t)s->in.m->holder->mirror);
        else asm_load(a, MEM_64, ASM_SCRATCH, cell_mem(s->locals));
        asm_store(a, MEM_64, in_frame(s, offsetof(Frame, sync_object)), ASM_SCRATCH);
    }
    asm_store_const(a, MEM_32, in_frame(s, offsetof(Frame, flags)), (int32_t)(FRAME_COMPILED | FRAME_INLINED | holds));
}

void inline_entering(Compiler *c, bool entering) {
    if (c->scope) c->scope->entering = entering;
}

/* The frame, and the position in its caller: both stay as they are until the body ends. */
static void write_frame_and_call(Compiler *c, const Scope *s) {
    write_frame(c, s);
    Mem caller = s->outer ? in_frame(s->outer, offsetof(Frame, position)) : frame_mem(offsetof(Frame, position));
    write_position(c, caller, s->call_bci, s->call_depth);
}

static void write_frame_once(Compiler *c, Scope *s) {
    if (s->framed) return;
    s->framed = ++c->frames_written;
    write_frame_and_call(c, s);
}

/* Ways of s meet: what was written since it began may not have been on all of them. */
static void forget_frames(Scope *s) {
    u4 begun = s->begun;
    for (; s; s = s->outer)
        if (s->framed > begun) s->framed = 0;
}

static void call_writer(Compiler *c, Scope *s) {
    if (!s) return;
    s->writes = true;
    asm_call(&c->a, &s->writer);
}

static void write_writer(Compiler *c, Scope *s) {
    asm_bind(&c->a, &s->writer);
    write_frame_and_call(c, s);
    if (!s->outer) return asm_return(&c->a);
    s->outer->writes = true;
    asm_jump(&c->a, &s->outer->writer);
}

static void test_flags(Compiler *c, Mem flags, Label *leave) {
    asm_test_mem(&c->a, MEM_32, flags, FRAME_LEAVE_CODE);
    if (leave) asm_branch(&c->a, COND_NE, leave);
}

/* COND_NE: one of them is to be left. */
static void write_tester(Compiler *c, Scope *s) {
    Label found = LABEL_INIT;
    u4 first = c->a.n_fixups;
    asm_bind(&c->a, &s->tester);
    test_flags(c, in_frame(s, offsetof(Frame, flags)), &found);
    if (s->outer) {
        s->outer->tests_flags = true;
        asm_jump(&c->a, &s->outer->tester);
    } else {
        test_flags(c, frame_mem(offsetof(Frame, flags)), NULL);
    }
    asm_bind(&c->a, &found);
    asm_return(&c->a);
    asm_settle(&c->a, first);
}

static void write_leaver(Compiler *c, Scope *s) {
    asm_bind(&c->a, &s->leaver);
    asm_address(&c->a, R_DI, frame_of(s));
    jump_to_stub(c, jit_exit_inlined_stub);
}

/* Inner scopes first: they go on in what outer ones have. */
void inline_write_shared(Compiler *c) {
    for (Scope *s = c->scopes; s; s = s->all) {
        if (s->writes || s->tests_flags || s->leaves) note_place(c, s, 0);
        if (s->writes) write_writer(c, s);
        if (s->tests_flags) write_tester(c, s);
        if (s->leaves) write_leaver(c, s);
    }
}

void inline_leave(Compiler *c) {
    c->scope->leaves = true;
    asm_jump(&c->a, &c->scope->leaver);
}

/* Code behind the rest does not know what the way to it has written. */
void inline_position(Compiler *c, u4 bci, u4 depth) {
    Scope *s = c->scope;
    if (!c->written_behind) {
        for (; s; s = s->outer) write_frame_once(c, s);
    } else if (s->entering) {
        write_frame_and_call(c, s);
        call_writer(c, s->outer);
    } else {
        call_writer(c, s);
    }
    write_position(c, in_frame(c->scope, offsetof(Frame, position)), bci, depth);
}

void inline_test_leave(Compiler *c, Label *leave) {
    if (c->written_behind) {
        c->scope->tests_flags = true;
        asm_call(&c->a, &c->scope->tester);
        return asm_branch(&c->a, COND_NE, leave);
    }
    for (const Scope *s = c->scope; s; s = s->outer) test_flags(c, in_frame(s, offsetof(Frame, flags)), leave);
    test_flags(c, frame_mem(offsetof(Frame, flags)), leave);
}

/* --- locals of bodies --- */

void inline_part(Compiler *c, u4 cell) {
    Value *v = &c->stack[cell];
    const Value *of = value_of(c, cell);
    bool fp = of->kind == V_FREG;
    if (of->kind == V_CONST || of->kind == V_LOCAL) { /* a kept one is that again: base_state.c */
        bool safe = v->safe;
        *v = *of;
        v->safe |= safe;
        return;
    }
    u1 r = fp ? ftemp(c) : temp(c); /* that may have been `of`'s */
    if (fp && of->kind == V_FREG) asm_fmov(&c->a, W64, r, of->reg);
    else if (fp) asm_fload(&c->a, W64, r, cell_mem((u4)(of - c->stack)));
    else if (of->kind == V_REG) asm_mov(&c->a, W64, r, of->reg);
    else asm_load(&c->a, MEM_64, r, cell_mem((u4)(of - c->stack)));
    v->kind = fp ? V_FREG : V_REG;
    v->reg = r;
}

static void part_all(Compiler *c, u4 of) {
    for (u4 i = c->scope->locals; i < c->depth; i++) {
        Value *v = &c->stack[i];
        if (v->kind == V_CELL && v->local == of) inline_part(c, i);
        if (v->was == V_CELL && v->local == of) v->was = 0;
    }
    if (of < c->low) c->low = of; /* it will be another value */
}

void inline_load(Compiler *c, u4 local) {
    u4 cell = c->scope->locals + local;
    Value v = c->stack[cell];
    if (v.was == V_CONST) {
        v.kind = V_CONST; /* still equal to it, behind a call too */
        v.was = 0;
    } else if (v.kind == V_MEM || v.kind == V_REG || v.kind == V_FREG) {
        v = (Value){.kind = V_CELL, .local = (u2)cell, .safe = v.safe};
    } else if (v.kind == V_HOLE) {
        return refuse(c, "local without a value");
    }
    push_value(c, v);
}

void inline_store(Compiler *c, u4 local, u4 cell) {
    u4 to = c->scope->locals + local;
    Value *v = &c->stack[cell];
    if (v->kind == V_CELL && v->local == to) return;
    bool two = c->depth - cell == 2, safe = v->safe;
    c->depth -= two + 1u; /* the value itself is none of those that must part */
    if (v->kind == V_REG) c->locked |= 1u << v->reg;
    if (v->kind == V_FREG) c->flocked |= 1u << v->reg;
    part_all(c, to);
    if (two) part_all(c, to + 1); /* may have been a local of its own */
    c->depth += two + 1u;
    if (v->kind == V_MEM) use(c, cell);
    c->stack[to] = *v;
    c->stack[to].safe = safe;
    if (two) c->stack[to + 1] = (Value){.kind = V_HOLE};
}

void inline_increment(Compiler *c, u4 local, int32_t by) {
    u4 cell = c->scope->locals + local;
    Value *v = &c->stack[cell];
    part_all(c, cell);
    if (v->kind == V_CONST) {
        v->k = (u4)((u4)v->k + (u4)by);
    } else if (v->kind == V_MEM) {
        asm_alu_mem(&c->a, ALU_ADD, W32, cell_mem(cell), op_imm(by));
        v->was = 0;
    } else {
        bool own = v->kind == V_REG;
        Reg r = use(c, cell), d = own ? r : temp(c);
        asm_alu(&c->a, ALU_ADD, W32, d, r, op_imm(by));
        *v = (Value){.kind = V_REG, .reg = d};
    }
}

/* --- blocks --- */

static bool is_kept(const Scope *s, u4 cell) { return cell < s->n_kept && s->kept[cell].kind != V_HOLE; }
const Value *inline_kept(const Compiler *c, u4 cell) {
    const Scope *s = c->scope;
    return s && is_kept(s, cell) ? &s->kept[cell] : NULL;
}
static bool in_register(const Value *v) { return v->kind == V_REG || v->kind == V_FREG; }
static bool same_register(const Value *a, const Value *b) { return a->kind == b->kind && a->reg == b->reg; }

/* Kept cells that lost their register have their value in memory, or in another register if they were used since. */
void inline_settle(Compiler *c) {
    const Scope *s = c->scope;
    for (u4 i = 0; i < c->depth; i++) {
        const Value *v = &c->stack[i];
        if (!is_kept(s, i) || (in_register(v) && in_register(&s->kept[i]) && !same_register(v, &s->kept[i]))) spill(c, i);
    }
    for (u4 i = 0; i < c->depth; i++) {
        if (!is_kept(s, i)) continue;
        const Value *k = &s->kept[i];
        if (in_register(k) && !same_register(&c->stack[i], k)) {
            if (k->kind == V_REG) asm_load(&c->a, MEM_64, k->reg, cell_mem(i));
            else asm_fload(&c->a, W64, k->reg, cell_mem(i));
        }
        c->stack[i] = *k;
    }
}

bool inline_root_stands(const Compiler *c) {
    const Scope *s = c->scope;
    while (s && s->outer) s = s->outer;
    return s && s->framed;
}

Reg inline_not_kept(Compiler *c, Reg r) {
    const Scope *s = c->scope;
    u4 kept = 0;
    for (u4 i = 0; i < s->n_kept; i++)
        if (s->kept[i].kind == V_REG) kept |= 1u << s->kept[i].reg;
    if (!(kept >> r & 1)) return r;
    Reg to = temp(c);
    while (kept >> to & 1 && !c->why) to = temp(c); /* there are more than are kept */
    asm_mov(&c->a, W64, to, r);
    return to;
}

void inline_start_block(Compiler *c) {
    c->scope->behind_jump = 0;
    forget_frames(c->scope);
    memcpy(c->safe_locals, c->scope->safe, (c->root->max_locals + 63u) / 64 * sizeof *c->safe_locals);
}

/* What is between is not written if nothing leads there: the state is kept, as no others meet it. */
void inline_go_to(Compiler *c, u4 target) {
    for (u4 at = c->next; at <= target; at++)
        if (c->depth_at[at] >= 0) return jump_to(c, target);
    c->next = target;
}

/* --- what a body is like --- */

typedef struct Body {
    u4 ends; /* places where it returns */
    bool branches, return_is_last;
    bool silent; /* nobody looks while it runs */
    u8 written;  /* locals */
} Body;

static bool is_return(u1 op) { return op >= CF_OP_IRETURN && op <= CF_OP_RETURN; }

static bool leads_forwards(const CfInsn *i) {
    u4 flags = cf_op_info[i->op].flags;
    if (!(flags & (CF_OF_BRANCH | CF_OF_SWITCH))) return true;
    if ((u4)i->target <= i->pc) return false;
    if (flags & CF_OF_SWITCH)
        for (u4 n = 0; n < i->cases; n++)
            if ((u4)cf_switch_target(i, n) <= i->pc) return false;
    return true;
}

static bool is_synchronized(const Method *m) { return m->access & ACC_SYNCHRONIZED; }

/* Neither calls anything nor asks a helper; it may leave. */
static bool is_silent(u1 op) {
    bool plain =
        op <= CF_OP_SIPUSH || (op >= CF_OP_ILOAD && op <= CF_OP_DASTORE) || (op >= CF_OP_BASTORE && op <= CF_OP_IF_ACMPNE);
    return plain || (op >= CF_OP_GETFIELD && op <= CF_OP_PUTFIELD) || op == CF_OP_IFNULL || op == CF_OP_IFNONNULL ||
           op == CF_OP_GOTO || is_return(op);
}

static bool falls_through(const CfInsn *i) { return !(cf_op_info[i->op].flags & CF_OF_END); }

/* Code that only exceptions lead to is not written. */
static void note_reached(const CfInsn *i, u1 *reached) {
    u4 flags = cf_op_info[i->op].flags;
    if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) reached[i->target] = 1;
    if (flags & CF_OF_SWITCH)
        for (u4 n = 0; n < i->cases; n++) reached[cf_switch_target(i, n)] = 1;
    if (falls_through(i)) reached[i->pc + i->len] = 1;
}

enum { MOST_BODY_BYTES = 1000 }; /* whatever options say */

static bool look_at(const Method *m, Body *b) {
    CfInsn i;
    u1 reached[MOST_BODY_BYTES + 1];
    *b = (Body){.silent = true};
    if (m->code_len > MOST_BODY_BYTES) return false;
    memset(reached, 0, m->code_len + 1u);
    reached[0] = 1;
    for (u4 at = 0; at < m->code_len; at += i.len) {
        if (!cf_insn(m->code, m->code_len, at, &i)) return false;
        if (!reached[at]) continue;
        u4 flags = cf_op_info[i.op].flags;
        if (!leads_forwards(&i) || flags & (CF_OF_JSR | CF_OF_RET | CF_OF_MONITOR)) return false;
        note_reached(&i, reached);
        b->silent &= is_silent(i.op);
        b->branches |= (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) != 0;
        bool jump = i.op == CF_OP_GOTO || i.op == CF_OP_GOTO_W;
        b->return_is_last = is_return(i.op);
        b->ends += is_return(i.op) || (jump && is_return(m->code[i.target]));
        if (op_is_store(i.op) || i.op == CF_OP_IINC) b->written |= 3ull << i.index; /* may be two cells */
    }
    return !is_synchronized(m) || method_is_static(m) || !(b->written & 1); /* the receiver's monitor is given back */
}

/* --- which --- */

/* Most of what is between a handle and its target is decided while compiling. */
static u4 cost_of(const Method *m) { return constant_is_glue(m) ? m->code_len / 4u : m->code_len; }

static bool has_run(const Method *m) { return method_heat(m) || method_code(m) || m->recompiled; }

/* As often as what is compiled, or nearly so: in the class library much is a little larger than small. */
static bool is_hot(const Method *m) { return method_code(m) || m->recompiled || method_heat(m) >= jit_hot / 2; }

/* Quarters of MaxInlineSize. */
static u4 most_bytes(const Method *m) {
    u4 quarters = compile_command_inlines(m) || constant_is_glue(m) ? 16 : is_hot(m) ? 9 : 4;
    return quarters * (u4)vm_options.max_inline_size / 4;
}

/* What a method is that is no body, in any caller; NULL: it may be one. */
static const char *unfit(const Method *m) {
    enum { OF_ITS_OWN = MF_JSR | MF_OBJECT_INIT | MF_CLINIT };
    if (__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE) != MK_BYTECODE) return method_is_native(m) ? "native method" : "no bytecode";
    if (!__atomic_load_n(&m->qcode, __ATOMIC_ACQUIRE) || !has_run(m)) return "never executed";
    if (m->flags & MF_HAS_MONITORS) return "has monitors";
    if (m->flags & MF_HAS_BREAKPOINT) return "has a breakpoint";
    if (m->flags & MF_OBSOLETE || m->next_version) return "redefined";
    if (m->flags & OF_ITS_OWN) return "jsr or initializer";
    if (m->caught >= MAX_CAUGHT) return "catches often";
    return m->max_locals > MOST_LOCALS ? "too many locals" : NULL;
}

static u4 level(const Compiler *c) { return c->scope ? c->scope->level : 0; }

/* A recursion is followed once. */
static bool is_repeated(const Compiler *c, const Method *m) {
    u4 n = m == c->root;
    for (const Scope *s = c->scope; s; s = s->outer) n += (s == c->scope ? c->m : s->in.m) == m;
    return n > 1;
}

static bool has_room(const Compiler *c, const Method *m) {
    u4 top = c->depth - m->arg_slots + m->max_locals + FRAME_CELLS + m->max_stack + 1;
    return top < c->root->max_stack + (u4)MAX_INLINE_CELLS && c->inlined_bytes + cost_of(m) <= MOST_INLINED_BYTES &&
           c->root->code_len <= MOST_ROOT_BYTES;
}

/* Why it is no body here; NULL: it is one, and *b is filled in. */
static const char *why_not(const Compiler *c, const Method *m, Body *b) {
    const char *why = vm_options.inlining ? unfit(m) : "inlining is off";
    if (why) return why;
    if (compile_command_dont_inline(m) || compile_command_excludes(m)) return "disallowed by CompileCommand";
    if (m->code_len > most_bytes(m)) return "callee is too large";
    if (c->plain) return "compiled without bodies";
    if (c->root->recompiled >= MOST_RECOMPILED) return "compiled too often";
    if (level(c) >= vm_options.max_inline_level) return "inlining too deep";
    if (is_repeated(c, m)) return "recursive inlining too deep";
    if (!has_room(c, m)) return "caller is too large";
    if (c->next >= c->len) return "end of code";
    return look_at(m, b) ? NULL : "has loops";
}

static bool can_inline(const Compiler *c, const Method *m, Body *b) {
    const char *why = why_not(c, m, b);
    if (vm_options.print_inlining) report_body(level(c), c->bci, m, why ? why : "inline");
    return !why;
}

void inline_note(Compiler *c, Method *m) {
    for (u4 i = 0; i < c->n_inlined; i++)
        if (c->inlined[i] == m) return;
    Method **more = realloc(c->inlined, (c->n_inlined + 1) * sizeof *more);
    if (!more) {
        c->no_memory = true;
        return;
    }
    c->inlined = more;
    more[c->n_inlined++] = m;
}

/* --- writing --- */

static void limit_registers(Compiler *c, ValueKind kind) {
    u4 n = 0;
    for (u4 i = c->depth; i-- > 0;)
        if (c->stack[i].kind == kind && ++n > MOST_KEPT) spill(c, i);
}

static u2 live_pins(const Compiler *c) {
    u2 live = c->pins_at[c->next].valid;
    for (u4 i = 0; i < c->depth; i++) {
        const Value *v = &c->stack[i];
        int p = v->kind == V_LOCAL ? pin_of(c, v->local, v->web) : -1;
        if (p >= 0 && c->valid >> p & 1) live |= (u2)(1u << p);
    }
    return live;
}

/* --- monitors that the code around a body has --- */

static u4 cell_equalled(const Compiler *c, u4 cell) {
    while (c->stack[cell].kind == V_CELL) cell = c->stack[cell].local;
    return cell;
}

static bool is_local(const Value *v, u4 local) { return (v->kind == V_LOCAL || v->was == V_LOCAL) && v->local == local; }

static bool are_same(const Compiler *c, u4 x, u4 y) {
    x = cell_equalled(c, x);
    y = cell_equalled(c, y);
    return x == y || (c->stack[x].kind == V_LOCAL && is_local(&c->stack[y], c->stack[x].local));
}

/* The monitor of m, whose receiver is in the cell. */
static bool is_held(const Compiler *c, const Method *m, u4 receiver) {
    bool fixed = method_is_static(m);
    for (const Scope *s = c->scope; s; s = s->outer) {
        const Method *around = s == c->scope ? c->m : s->in.m;
        if (!s->sync || method_is_static(around) != fixed) continue;
        if (fixed ? around->holder == m->holder : are_same(c, s->locals, receiver)) return true;
    }
    if (!is_synchronized(c->root) || method_is_static(c->root) != fixed) return false;
    return fixed ? c->root->holder == m->holder : c->this_stays && is_local(value_of(c, receiver), 0);
}

static void mark_targets(Scope *s) {
    CfInsn i;
    for (u4 at = 0; at < s->in.len && cf_insn(s->in.code, s->in.len, at, &i); at += i.len) {
        u4 flags = cf_op_info[i.op].flags;
        if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) s->in.marks[i.target] |= MARK_TARGET;
        if (flags & CF_OF_SWITCH)
            for (u4 n = 0; n < i.cases; n++) s->in.marks[cf_switch_target(&i, n)] |= MARK_TARGET;
    }
}

/* The state is that of the call, its arguments on the stack. */
static Scope *new_scope(Compiler *c, Method *m, const Body *b) {
    u4 len = m->code_len, words = (c->root->max_locals + 63u) / 64;
    size_t each = sizeof(Label) + sizeof(PinState) + sizeof(int16_t) + 1;
    Scope *s = cf_arena_alloc(&c->arena, sizeof *s + c->depth * sizeof(Value) + words * sizeof(u8) + len * each);
    if (!s) {
        c->no_memory = true;
        return NULL;
    }
    memset(s, 0, sizeof *s);
    s->kept = (Value *)(s + 1);
    s->safe = (u8 *)(s->kept + c->depth);
    s->in = (MethodState){.m = m, .code = m->code, .len = len, .labels = (Label *)(s->safe + words)};
    s->in.pins_at = (PinState *)(s->in.labels + len);
    s->in.depth_at = (int16_t *)(s->in.pins_at + len);
    s->in.marks = (u1 *)(s->in.depth_at + len);
    s->all = c->scopes;
    c->scopes = s;
    s->number = ++c->n_scopes;
    s->outer = c->scope;
    s->level = level(c) + 1;
    s->call_bci = c->bci;
    s->begun = c->frames_written;
    s->call_depth = c->depth - c->floor;
    s->locals = c->depth - m->arg_slots;
    s->joins = b->ends != 1 || !b->return_is_last;
    s->sync = is_synchronized(m);
    s->held = s->sync && b->silent && is_held(c, m, s->locals);
    s->end = s->behind = s->writer = s->tester = s->leaver = LABEL_INIT;
    s->tests = s->joins && m->ret_type != T_VOID && next_is_test(c, &s->test);
    memset(s->in.labels, 0xff, len * sizeof *s->in.labels);
    memset(s->in.depth_at, 0xff, len * sizeof *s->in.depth_at);
    memset(s->in.marks, 0, len);
    if (b->branches) mark_targets(s);
    return s;
}

/* A body without blocks has them too: for those in it. */
static void keep_pins(Compiler *c, Scope *s) {
    u2 live = live_pins(c);
    for (u4 i = 0; i < s->in.len; i++) s->in.pins_at[i] = (PinState){live, live & c->dirty};
}

/* What the state is from here on at the boundaries of blocks. */
static void keep_state(Compiler *c, Scope *s, const Body *b) {
    keep_pins(c, s);
    s->n_kept = c->depth;
    memcpy(s->kept, c->stack, c->depth * sizeof(Value));
    for (u4 i = s->locals; i < c->depth; i++)
        if (b->written >> (i - s->locals) & 1) s->kept[i].kind = V_HOLE;
    memcpy(s->safe, c->safe_locals, (c->root->max_locals + 63u) / 64 * sizeof *s->safe);
}

/* DeoptimizeInterval: a point at the start of each body. */
static void stress(Compiler *c) {
    if (!vm_options.deopt_interval) return;
    asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)&jit_stress_left);
    asm_alu_mem(&c->a, ALU_SUB, W32, mem_at(ASM_SCRATCH, 0), op_imm(1));
    asm_branch(&c->a, COND_LE, exit_at(c, 0));
}

/* A return that code before it runs into and that is also branched to is written twice: a value need not go through memory. */
static void write_body(Compiler *c) {
    CfInsn i;
    if (c->scope->sync && !c->scope->held) enter_body_sync(c, c->scope->locals);
    stress(c);
    for (u4 at = 0; at < c->len && !c->why && !c->no_memory; at = c->next) {
        if (!cf_insn(c->code, c->len, at, &i)) return refuse(c, "unknown instruction");
        c->bci = at;
        c->next = at + i.len;
        if (c->marks[at] & MARK_TARGET && c->depth_at[at] >= 0) { /* else only what is in front of it leads here */
            if (c->reachable && is_return(i.op) && c->scope->joins) {
                c->scope->goes_on = c->depth_at[at] >= 0;
                compile_insn(c, &i);
                c->scope->goes_on = false;
            }
            start_block(c);
        }
        if (!c->reachable) continue;
        note_place(c, c->scope, at);
        compile_insn(c, &i);
    }
    if (c->reachable) refuse(c, "end of code reached");
}

/* The state in which the ways of a body meet; the result is to be pushed. */
static void meet(Compiler *c, Scope *s) {
    forget_frames(s);
    c->depth = s->locals;
    c->stop++;
    for (u4 i = 0; i < c->depth; i++) c->stack[i] = s->kept[i].kind == V_HOLE ? (Value){.kind = V_HOLE} : s->kept[i];
    c->valid = s->in.pins_at[0].valid;
    c->dirty = s->in.pins_at[0].dirty;
    memcpy(c->safe_locals, s->safe, (c->root->max_locals + 63u) / 64 * sizeof *s->safe);
}

/* For results that come to `end`; the others are behind it already, or where it leads. */
static void finish_test(Compiler *c, Scope *s) {
    bool any = c->reachable;
    c->bci = c->next;
    c->next += s->test.len;
    if (any) compile_insn(c, &s->test);
    else c->depth = s->locals;
    if (!s->passes) return;
    meet(c, s); /* a branch leaves operands and registers as they are, at most it makes copies */
    c->reachable = true;
    asm_bind(&c->a, &s->behind);
}

/* `back`: where the slow path of a guarded body comes back to, or NULL. */
static void finish(Compiler *c, Scope *s, Label *back, u4 n_result) {
    c->depth = s->locals;
    if (s->joins) {
        if (s->behind_jump && s->behind_jump == asm_here(&c->a)) asm_take_back(&c->a, s->jump);
        asm_bind(&c->a, &s->end);
        if (back) asm_bind(&c->a, back);
        meet(c, s);
    }
    c->reachable = (s->joins ? s->meets : s->returned) || back;
    if (!n_result) return;
    if (!s->joins) push_value(c, s->returned ? s->value : (Value){.kind = V_MEM});
    else if (s->fp) push_freg(c, s->freg);
    else push_reg(c, s->reg);
    if (n_result == 2) push_hole(c);
}

static void write_scope(Compiler *c, Method *m, Scope *s, Label *back, u4 n_result) {
    for (u4 i = m->arg_slots; i < m->max_locals + (u4)FRAME_CELLS; i++) c->stack[c->depth++] = (Value){.kind = V_HOLE};
    s->in.floor = c->depth;
    u4 low = c->low;
    c->inlined_bytes += cost_of(m);
    inline_note(c, m);
    inline_enter(c, s);
    write_body(c);
    inline_enter(c, s->outer);
    c->low = low < s->locals ? low : s->locals;
    finish(c, s, back, n_result);
    if (s->tests) finish_test(c, s);
}

static bool is_float(const Method *m) { return m->ret_type == T_FLOAT || m->ret_type == T_DOUBLE; }

static void choose_result(Compiler *c, Scope *s, const Method *m, bool general) {
    s->fp = is_float(m) && !general;
    if (m->ret_type == T_VOID) return;
    if (s->fp) s->freg = ftemp(c);
    else s->reg = temp(c);
}

bool inline_call(Compiler *c, Method *m) {
    Body b;
    if (!can_inline(c, m, &b)) return false;
    Scope *s = new_scope(c, m, &b);
    if (!s) return false;
    if (b.branches || s->joins) {
        limit_registers(c, V_REG);
        limit_registers(c, V_FREG);
        choose_result(c, s, m, false);
        keep_state(c, s, &b);
    } else {
        keep_pins(c, s);
    }
    write_scope(c, m, s, NULL, c->pushes);
    return true;
}

/* --- virtual and interface calls --- */

bool base_may_guard(const Method *m) {
    Body b;
    if (guards_leaf(m) || base_is_c(m)) return true;
    return vm_options.inlining && !unfit(m) && m->code_len <= most_bytes(m) && look_at(m, &b);
}

bool inline_guarded(Compiler *c, Method *m, const Class *k, u4 n, u4 index, const SiteCache *site) {
    Body b;
    if (!can_inline(c, m, &b) || m->arg_slots != n) return false;
    Scope *s = new_scope(c, m, &b);
    if (!s) return false;
    u4 receiver = c->depth - n;
    Reg o = use(c, receiver);
    if (vm_options.deopt_interval) check_null(c, receiver, o); /* slow paths are taken for their own sake */
    s->joins = true;
    limit_registers(c, V_REG);
    limit_registers(c, V_FREG);
    choose_result(c, s, m, true);
    Reg t = temp(c); /* now: the slow path has registers as they are when it begins */
    keep_state(c, s, &b);
    arrive_pins(c, s->in.pins_at[0]);
    Later *slow = slow_virtual(c, index, n, m->ret_type == T_VOID ? NO_REG : s->reg);
    slow->chooses = site;
    guard_receiver(c, m, k, receiver, o, t, index, &slow->at);
    write_scope(c, m, s, &slow->back, c->pushes);
    return true;
}

bool inline_virtual(Compiler *c, Class *named, u4 n, u4 index) {
    Method *m = vm_options.inlining ? class_only_target(named, index) : NULL;
    return m && inline_guarded(c, m, sole_receiver(c, named, m, index), n, index, NULL);
}

/* --- returns --- */

static int64_t narrow(BasicType t, int64_t k) {
    switch (t) {
    case T_BOOLEAN: return k & 1;
    case T_BYTE: return (u4)(int8_t)k;
    case T_CHAR: return (u2)k;
    case T_SHORT: return (u4)(int16_t)k;
    default: return k;
    }
}

static void narrow_top(Compiler *c) {
    Value *v = top(c, 1);
    if (v->kind == V_CONST) {
        v->k = narrow((BasicType)c->m->ret_type, v->k);
        return;
    }
    Reg r = use(c, c->depth - 1), d = result_for(c, c->depth - 1);
    narrow_result(c, d, r);
    *v = (Value){.kind = V_REG, .reg = d};
}

/* The result as it is, for the caller: locals of the body are no more. */
static Value take_result(Compiler *c, u4 cell) {
    Value v = c->stack[cell];
    if (v.kind == V_CELL && v.local >= c->scope->locals) {
        bool safe = v.safe;
        v = c->stack[v.local];
        if (v.kind == V_MEM) use(c, c->stack[cell].local), v = c->stack[c->stack[cell].local];
        v.safe |= safe;
    } else if (v.kind == V_MEM) {
        use(c, cell);
        v = c->stack[cell];
    }
    if (v.was == V_CELL) v.was = 0;
    return v;
}

/* A kept cell that was given another register meanwhile may have got the result's. */
static void free_result(Compiler *c, const Scope *s) {
    for (u4 i = 0; i < s->locals; i++) {
        const Value *v = &c->stack[i];
        if (s->fp ? v->kind == V_FREG && v->reg == s->freg : v->kind == V_REG && v->reg == s->reg) spill(c, i);
    }
}

/* The caller tests the result, which is k. */
static void join_tested(Compiler *c, int32_t k) {
    Scope *s = c->scope;
    c->depth = s->locals;
    settle_stack(c);
    arrive_pins(c, s->in.pins_at[0]);
    if (cond_holds((Cond)(s->test.op - CF_OP_IFEQ), k, 0)) { /* conditions are in the order of opcodes */
        inline_enter(c, s->outer);
        jump_to(c, (u4)s->test.target);
        inline_enter(c, s);
        return;
    }
    s->passes = true;
    asm_jump(&c->a, &s->behind);
}

static void join(Compiler *c, u4 n) {
    Scope *s = c->scope;
    u4 cell = c->depth - n;
    if (s->tests && c->stack[cell].kind == V_CONST) return join_tested(c, (int32_t)c->stack[cell].k);
    s->meets = true;
    if (n) free_result(c, s);
    if (n && s->fp) {
        FReg r = fuse(c, cell, n == 2 ? W64 : W32);
        if (r != s->freg) asm_fmov(&c->a, W64, s->freg, r);
    } else if (n && c->stack[cell].kind == V_CONST) {
        asm_const(&c->a, s->reg, c->stack[cell].k);
    } else if (n) {
        Reg r = use(c, cell);
        if (c->m->ret_type == T_FLOAT) asm_mov(&c->a, W32, s->reg, r);
        else if (r != s->reg) asm_mov(&c->a, W64, s->reg, r);
    }
    c->depth = s->locals;
    settle_stack(c);
    arrive_pins(c, s->in.pins_at[0]);
    if (!s->goes_on && c->next >= c->len) return;
    s->jump = asm_here(&c->a);
    asm_jump(&c->a, &s->end);
    s->behind_jump = asm_here(&c->a);
}

void inline_return(Compiler *c, u1 op) {
    Scope *s = c->scope;
    u4 n = op == CF_OP_RETURN ? 0 : op == CF_OP_LRETURN || op == CF_OP_DRETURN ? 2 : 1;
    if (s->sync && !s->held) leave_body_sync(c, s->locals);
    if (op == CF_OP_IRETURN && c->m->ret_type != T_INT) narrow_top(c);
    if (s->joins) join(c, n);
    else if (n) s->value = take_result(c, c->depth - n);
    s->returned = true;
    c->reachable = false;
}
