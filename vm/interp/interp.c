/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interpreter loop (D6).
 *
 * Terms
 *   qcode    private copy of a method's bytecodes, same bci layout; branch
 *            offsets, switch tables, local indices of wide forms and constants
 *            are in native byte order (quick_prepare), opcodes are quickened
 *            in place (quick/quicken.c).  Original bytes are in method->code.
 *   qcell    per class version and pool index, one word that quickened code needs
 *            at hand: Method, Class, String, address of a static, raw constant.
 *   frame    frame/frame.h has the picture.  Java calls push a Frame and continue
 *            in the same activation of interp_loop; only calls from C nest.
 *
 * Registers: pc, sp, locals, f, t, dispatch.  pc and sp are private until
 * PUBLISH; everything that may collect, throw, poll, call or be looked at is
 * preceded by it.  f->pc of an outer frame stands at its invoke instruction.
 *
 * int, float and narrower values are written as whole zero-extended cells: then a cell
 * can be copied without knowing what it holds (iload = fload = aload, see quick.def; a
 * 64-bit load after a 32-bit store would stall), and the upper half never looks like half of
 * a stale reference.
 *
 * Quickening is lock-free: handlers of unquickened opcodes read operands from
 * method->code only; quicken.c stores new operands first and the opcode last.
 * A reader that sees the quick opcode sees its operands: it fetches opcodes with LOAD_ACQUIRE, which is free on x86-64.
 * States and orders of all words that quickening changes stand in quick/quick.h.
 *
 * Dispatch tables: `plain_table`; `count_table`, which is used in its place if there is
 * a compiler, and whose backward branches count first; `event_table`, all of whose entries
 * lead to one handler that reports and then runs the plain handler.  The table is chosen
 * again wherever the thread's events may have changed: polls, returns from natives, instructions
 * that may have waited or called an agent.
 *
 * Rejected: a switch (the compiler merges the dispatch jumps, branch prediction
 * suffers); caching the top of stack in a register in C (doubles the handlers, and
 * superinstructions win most of it back).
 */
#include "interp/interp_int.h"
#include "heap/alloc.h"
#include "jit/jit.h"
#include "native/native.h"
#include "object/class.h"
#include "object/field.h"
#include "object/version.h"
#include "thread/monitor.h"
#include "invoke/invoke.h"
#include <math.h>
#include <string.h>

/* --- numbers: JVMS 2.8, 6.5 --- */

static inline int32_t f2i(float v) {
    if (LIKELY(v >= -0x1p31f && v < 0x1p31f)) return (int32_t)v;
    return v != v ? 0 : v < 0 ? INT32_MIN : INT32_MAX;
}
static inline int64_t f2l(float v) {
    if (LIKELY(v >= -0x1p63f && v < 0x1p63f)) return (int64_t)v;
    return v != v ? 0 : v < 0 ? INT64_MIN : INT64_MAX;
}
static inline int32_t d2i(double v) {
    if (LIKELY(v > -0x1.00000002p31 && v < 0x1p31)) return (int32_t)v;
    return v != v ? 0 : v < 0 ? INT32_MIN : INT32_MAX;
}
static inline int64_t d2l(double v) {
    if (LIKELY(v >= -0x1p63 && v < 0x1p63)) return (int64_t)v;
    return v != v ? 0 : v < 0 ? INT64_MIN : INT64_MAX;
}
/* x87-free: fmod and fmodf are exact. */
static NOINLINE double rem_d(double a, double b) { return fmod(a, b); }
static NOINLINE float rem_f(float a, float b) { return fmodf(a, b); }

static inline u2 rd_u2(const u1 *p) {
    u2 v;
    memcpy(&v, p, 2);
    return v;
}
static inline int16_t rd_s2(const u1 *p) {
    int16_t v;
    memcpy(&v, p, 2);
    return v;
}
static inline int32_t rd_s4(const u1 *p) {
    int32_t v;
    memcpy(&v, p, 4);
    return v;
}

/* Of the invoke instruction at f->pc. */
static inline u4 invoke_length(const Frame *f) {
    return f->method->code[f->pc - f->method->qcode] >= CF_OP_INVOKEINTERFACE ? 5 : 3;
}

/* Steps that an instruction may take; see the head comment. */
#define DISPATCH() goto *dispatch[LOAD_ACQUIRE(*pc)]
#define NEXT(n) \
    do { \
        pc += (n); \
        DISPATCH(); \
    } while (0)
#define PUBLISH() (f->pc = pc, f->sp = sp)
#define RELOAD() (sp = f->sp, pc = f->pc)
#define CHOOSE_TABLE() (dispatch = UNLIKELY(thread_events(t) & EXEC_EVENTS_PER_INSN) ? event_table : normal_table)
#define POLL() \
    do { \
        if (UNLIKELY(atomic_load_explicit(&t->poll, memory_order_relaxed) & POLL_AT_LOOP)) goto poll; \
    } while (0)
#define POLL_ENTRY() \
    do { \
        if (UNLIKELY(atomic_load_explicit(&t->poll, memory_order_relaxed) & POLL_AT_ENTRY)) goto poll_entry; \
    } while (0)
#define BRANCH(off) \
    do { \
        pc += (off); \
        POLL(); \
        DISPATCH(); \
    } while (0)
#define SET_I(slot, v) ((slot).raw = (u4)(int32_t)(v))
#define SET_F(slot, v) \
    do { \
        union { \
            float f; \
            u4 u; \
        } w_; \
        w_.f = (v); \
        (slot).raw = w_.u; \
    } while (0)
#define NULL_CHECK(o) \
    do { \
        if (UNLIKELY(!(o))) goto null_pointer; \
    } while (0)
#define QCELL(type, at) ((type)f->qcells[rd_u2(at)])

#define BINARY_I(op) \
    do { \
        SET_I(sp[-2], sp[-2].i op sp[-1].i); \
        sp--; \
        NEXT(1); \
    } while (0)
#define BINARY_L(op) \
    do { \
        sp[-4].j = sp[-4].j op sp[-2].j; \
        sp -= 2; \
        NEXT(1); \
    } while (0)
#define BINARY_F(op) \
    do { \
        SET_F(sp[-2], sp[-2].f op sp[-1].f); \
        sp--; \
        NEXT(1); \
    } while (0)
#define BINARY_D(op) \
    do { \
        sp[-4].d = sp[-4].d op sp[-2].d; \
        sp -= 2; \
        NEXT(1); \
    } while (0)
#define IF_I(cond) \
    do { \
        int32_t v = sp[-1].i; \
        sp--; \
        if (v cond) BRANCH(rd_s2(pc + 1)); \
        NEXT(3); \
    } while (0)
#define IF_ICMP(cond) \
    do { \
        int32_t a = sp[-2].i, b = sp[-1].i; \
        sp -= 2; \
        if (a cond b) BRANCH(rd_s2(pc + 1)); \
        NEXT(3); \
    } while (0)

/* a and i: array and index on the stack at those cells */
#define ARRAY_CHECK(a, i) \
    do { \
        NULL_CHECK(a); \
        if (UNLIKELY((u4)(i) >= (u4)array_len(a))) { \
            PUBLISH(); \
            interp_throw_index(t, i, array_len(a)); \
            goto throw_exception; \
        } \
    } while (0)
#define ARRAY_LOAD(type, SET) \
    do { \
        Object *a = sp[-2].ref; \
        int32_t i = sp[-1].i; \
        ARRAY_CHECK(a, i); \
        SET(sp[-2], ARRAY_ELEMS(type, a)[i]); \
        sp--; \
        NEXT(1); \
    } while (0)
#define ARRAY_STORE(type, field) \
    do { \
        Object *a = sp[-3].ref; \
        int32_t i = sp[-2].i; \
        ARRAY_CHECK(a, i); \
        ARRAY_ELEMS(type, a)[i] = (type)sp[-1].field; \
        sp -= 3; \
        NEXT(1); \
    } while (0)
#define GETFIELD(type, SET) \
    do { \
        Object *o = sp[-1].ref; \
        NULL_CHECK(o); \
        SET(sp[-1], OBJ_FIELD(type, o, rd_u2(pc + 1))); \
        NEXT(3); \
    } while (0)
#define PUTFIELD(type, field) \
    do { \
        Object *o = sp[-2].ref; \
        NULL_CHECK(o); \
        OBJ_FIELD(type, o, rd_u2(pc + 1)) = (type)sp[-1].field; \
        sp -= 2; \
        NEXT(3); \
    } while (0)

/* Of one argument, so that a constant before the call is its index. */
static inline bool is_poke(const Method *m) { return LOAD_ACQUIRE(m->kind) == MK_LEAF_POKE && m->arg_slots == 1; }
/* What a MK_LEAF_POKE method does: leaf.c.  Atomic, relaxed, as plain accesses of Unsafe are. */
#define POKE(m, index) \
    do { \
        u1 *p_ = (u1 *)(m)->native_shape + ((u8)(int64_t)(index) << (m)->leaf.shift); \
        int32_t v_ = (m)->leaf.value; \
        switch ((LeafPoke)(m)->leaf.op) { \
        case POKE_PUT_1: __atomic_store_n(p_, (u1)v_, __ATOMIC_RELAXED); break; \
        case POKE_PUT_4: __atomic_store_n((u4 *)p_, (u4)v_, __ATOMIC_RELAXED); break; \
        case POKE_PUT_8: __atomic_store_n((u8 *)p_, (u8)(int64_t)v_, __ATOMIC_RELAXED); break; \
        case POKE_ADD_4: __atomic_fetch_add((u4 *)p_, (u4)v_, __ATOMIC_SEQ_CST); break; \
        case POKE_ADD_8: __atomic_fetch_add((u8 *)p_, (u8)(int64_t)v_, __ATOMIC_SEQ_CST); break; \
        } \
    } while (0)

/* Fast return of n result cells; everything unusual is behind one test. */
#define RETURN(n, COPY) \
    do { \
        if (UNLIKELY(f->flags | atomic_load_explicit(&t->poll, memory_order_relaxed))) { \
            n_result = (n); \
            goto return_slow; \
        } \
        u4 adv = f->advance; \
        f = f->prev; \
        COPY; /* may overwrite the header of the frame left: max_locals can be 0 */ \
        sp = locals + (n); \
        t->frame = f; \
        locals = f->locals; \
        pc = f->pc + adv; \
        DISPATCH(); \
    } while (0)

static const void *const *normal_table; /* plain or counting, for good */

typedef enum InterpStart {
    AT_ENTRY,
    RESUMED,
    BEHIND_BREAKPOINT /* breakpoint and step at this instruction were told */
} InterpStart;

/* Runs f until its entry frame (f itself, or one that called it) ends; the result is left in the first local of that.  Begins at f->pc.
 * `bridged`: compiled code waits for it.  Then f may become compiled itself (INTERP_OSR: it is still there). */
static NOINLINE InterpExit interp_loop(Thread *t, Frame *f, bool bridged, InterpStart start) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" /* fused opcodes take the numbers of aliases */
    static const void *const plain_table[256] = {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) [value] = &&op_##NAME,
#define QUICK(value, NAME, BASE) [value] = &&op_##NAME,
#define FUSED(value, NAME, A, B, C) [value] = &&op_##NAME,
#include "opcodes.def"
#include "quick/quick.def"
#undef OPCODE
    };
    static const void *const event_table[256] = {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) [value] = &&any_event,
#define QUICK(value, NAME, BASE) [value] = &&any_event,
#define FUSED(value, NAME, A, B, C) [value] = &&any_event,
#include "opcodes.def"
#include "quick/quick.def"
#undef OPCODE
    };
    /* Branches that may close a loop count, if methods are compiled. */
#define BACK_EDGE(NAME, at) [CF_OP_##NAME] = &&back_edge_##at
#define BACK_EDGE_Q(NAME, at) [Q_##NAME] = &&back_edge_##at
    static const void *const count_table[256] = {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) [value] = &&op_##NAME,
#define QUICK(value, NAME, BASE) [value] = &&op_##NAME,
#define FUSED(value, NAME, A, B, C) [value] = &&op_##NAME,
#include "opcodes.def"
#include "quick/quick.def"
#undef OPCODE
        BACK_EDGE(GOTO, 1),
        BACK_EDGE(IFEQ, 1),
        BACK_EDGE(IFNE, 1),
        BACK_EDGE(IFLT, 1),
        BACK_EDGE(IFGE, 1),
        BACK_EDGE(IFGT, 1),
        BACK_EDGE(IFLE, 1),
        BACK_EDGE(IF_ICMPEQ, 1),
        BACK_EDGE(IF_ICMPNE, 1),
        BACK_EDGE(IF_ICMPLT, 1),
        BACK_EDGE(IF_ICMPGE, 1),
        BACK_EDGE(IF_ICMPGT, 1),
        BACK_EDGE(IF_ICMPLE, 1),
        BACK_EDGE(IF_ACMPEQ, 1),
        BACK_EDGE(IF_ACMPNE, 1),
        BACK_EDGE(IFNULL, 1),
        BACK_EDGE(IFNONNULL, 1),
        BACK_EDGE_Q(LD_LD_ICMPGE, 5),
        BACK_EDGE_Q(LD_LD_ICMPLT, 5),
        BACK_EDGE_Q(LD_ICMPGE, 3),
        BACK_EDGE_Q(LD_ICMPLT, 3),
        BACK_EDGE_Q(LD_ICMPLE, 3),
        BACK_EDGE_Q(LD_ICMPNE, 3),
        BACK_EDGE_Q(BIPUSH_ICMPGE, 3),
        BACK_EDGE_Q(BIPUSH_ICMPNE, 3),
        BACK_EDGE_Q(IINC_GOTO, 4),
    };
#pragma GCC diagnostic pop
    const void *const *dispatch;
    const u1 *pc;
    Slot *sp, *locals; /* never take their addresses: they would live in memory */
    Method *callee;    /* being called */
    u4 advance;        /* length of the invoke instruction */
    int n_result;
    const Frame *first = f; /* the entry frame; others above it came from compiled code, where they were inlined */
    while (!(first->flags & FRAME_ENTRY)) first = first->prev;

    if (UNLIKELY(!normal_table)) normal_table = jit_on ? count_table : plain_table;
    CHOOSE_TABLE();
    pc = f->pc;
    sp = f->sp;
    locals = f->locals;
    if (start != AT_ENTRY) {
        if (UNLIKELY(t->exception) || exec_forced(t, f)) goto throw_exception;
        if (UNLIKELY(start == BEHIND_BREAKPOINT)) goto *plain_table[quick_plain_opcode(quick_current_opcode(f->method, pc))];
        POLL();
        DISPATCH();
    }
    POLL_ENTRY();
    DISPATCH();

    /* --- constants --- */
op_NOP:
    NEXT(1);
op_ACONST_NULL:
    sp->raw = 0, sp++;
    NEXT(1);
#define ICONST(NAME, v) \
    op_##NAME : SET_I(*sp, v), sp++; \
    NEXT(1)
    ICONST(ICONST_M1, -1);
    ICONST(ICONST_0, 0);
    ICONST(ICONST_1, 1);
    ICONST(ICONST_2, 2);
    ICONST(ICONST_3, 3);
    ICONST(ICONST_4, 4);
    ICONST(ICONST_5, 5);
op_LCONST_0:
    sp->j = 0, sp += 2;
    NEXT(1);
op_LCONST_1:
    sp->j = 1, sp += 2;
    NEXT(1);
op_FCONST_0:
    SET_F(*sp, 0.0f);
    sp++;
    NEXT(1);
op_FCONST_1:
    SET_F(*sp, 1.0f);
    sp++;
    NEXT(1);
op_FCONST_2:
    SET_F(*sp, 2.0f);
    sp++;
    NEXT(1);
op_DCONST_0:
    sp->d = 0.0, sp += 2;
    NEXT(1);
op_DCONST_1:
    sp->d = 1.0, sp += 2;
    NEXT(1);
op_BIPUSH:
    SET_I(*sp, (int8_t)pc[1]);
    sp++;
    NEXT(2);
op_SIPUSH:
    SET_I(*sp, rd_s2(pc + 1));
    sp++;
    NEXT(3);
op_LDC_I:
    sp->raw = (u4)(uintptr_t)f->qcells[pc[1]], sp++;
    NEXT(2);
op_LDC_A:
    sp->ref = (Object *)f->qcells[pc[1]], sp++;
    NEXT(2);
op_LDC_W_I:
    sp->raw = (u4)QCELL(uintptr_t, pc + 1), sp++;
    NEXT(3);
op_LDC_W_A:
    sp->ref = QCELL(Object *, pc + 1), sp++;
    NEXT(3);
op_LDC2_Q:
    sp->raw = QCELL(u8, pc + 1), sp += 2;
    NEXT(3);

    /* --- locals --- */
op_ILOAD:
op_FLOAD:
op_ALOAD:
    sp->raw = locals[pc[1]].raw, sp++;
    NEXT(2);
op_LLOAD:
op_DLOAD:
    sp->raw = locals[pc[1]].raw, sp += 2;
    NEXT(2);
#define LOADS(n) \
    op_ILOAD_##n : op_FLOAD_##n : op_ALOAD_##n : sp->raw = locals[n].raw, sp++; \
    NEXT(1); \
    op_LLOAD_##n : op_DLOAD_##n : sp->raw = locals[n].raw, sp += 2; \
    NEXT(1)
    LOADS(0);
    LOADS(1);
    LOADS(2);
    LOADS(3);
op_ISTORE:
op_FSTORE:
op_ASTORE:
    sp--, locals[pc[1]].raw = sp->raw;
    NEXT(2);
op_LSTORE:
op_DSTORE:
    sp -= 2, locals[pc[1]].raw = sp->raw;
    NEXT(2);
#define STORES(n) \
    op_ISTORE_##n : op_FSTORE_##n : op_ASTORE_##n : sp--, locals[n].raw = sp->raw; \
    NEXT(1); \
    op_LSTORE_##n : op_DSTORE_##n : sp -= 2, locals[n].raw = sp->raw; \
    NEXT(1)
    STORES(0);
    STORES(1);
    STORES(2);
    STORES(3);
op_IINC : {
    Slot *l = &locals[pc[1]];
    SET_I(*l, l->i + (int8_t)pc[2]);
    NEXT(3);
}
op_WIDE : {
    Slot *l = &locals[rd_u2(pc + 2)];
    switch (pc[1]) {
    case CF_OP_ILOAD:
    case CF_OP_FLOAD: sp->raw = (u4)l->i, sp++; break;
    case CF_OP_ALOAD: sp->ref = l->ref, sp++; break;
    case CF_OP_LLOAD:
    case CF_OP_DLOAD: sp->raw = l->raw, sp += 2; break;
    case CF_OP_ISTORE:
    case CF_OP_FSTORE: sp--, l->raw = (u4)sp->i; break;
    case CF_OP_ASTORE: sp--, l->ref = sp->ref; break;
    case CF_OP_LSTORE:
    case CF_OP_DSTORE: sp -= 2, l->raw = sp->raw; break;
    case CF_OP_IINC: SET_I(*l, l->i + rd_s2(pc + 4)); NEXT(6);
    case CF_OP_RET: pc = f->method->qcode + l->raw; DISPATCH();
    default: goto op_illegal;
    }
    NEXT(4);
}

/* --- arrays --- */
#define SET_REF(slot, v) ((slot).ref = narrow_decode(v))
#define SET_J(slot, v) ((slot).raw = (v))
op_IALOAD:
op_FALOAD:
    ARRAY_LOAD(int32_t, SET_I);
op_AALOAD:
    ARRAY_LOAD(Narrow, SET_REF);
op_BALOAD:
    ARRAY_LOAD(int8_t, SET_I);
op_CALOAD:
    ARRAY_LOAD(u2, SET_I);
op_SALOAD:
    ARRAY_LOAD(int16_t, SET_I);
op_LALOAD:
op_DALOAD : {
    Object *a = sp[-2].ref;
    int32_t i = sp[-1].i;
    ARRAY_CHECK(a, i);
    sp[-2].raw = ARRAY_ELEMS(u8, a)[i];
    NEXT(1);
}
op_IASTORE:
op_FASTORE:
    ARRAY_STORE(int32_t, i);
op_CASTORE:
op_SASTORE:
    ARRAY_STORE(u2, i);
op_BASTORE : {
    Object *a = sp[-3].ref;
    int32_t i = sp[-2].i, v = sp[-1].i;
    ARRAY_CHECK(a, i);
    if (obj_class(a)->elem_type == T_BOOLEAN) v &= 1; /* JVMS 6.5.bastore */
    ARRAY_ELEMS(int8_t, a)[i] = (int8_t)v;
    sp -= 3;
    NEXT(1);
}
op_LASTORE:
op_DASTORE : {
    Object *a = sp[-4].ref;
    int32_t i = sp[-3].i;
    ARRAY_CHECK(a, i);
    ARRAY_ELEMS(u8, a)[i] = sp[-2].raw;
    sp -= 4;
    NEXT(1);
}
op_AASTORE : {
    Object *a = sp[-3].ref, *v = sp[-1].ref;
    int32_t i = sp[-2].i;
    ARRAY_CHECK(a, i);
    if (v && UNLIKELY(obj_class(v) != obj_class(a)->component) &&
        UNLIKELY(!class_is_subtype(obj_class(v), obj_class(a)->component))) {
        PUBLISH();
        throw_array_store(t, obj_class(v));
        goto throw_exception;
    }
    array_set_ref(a, i, v);
    sp -= 3;
    NEXT(1);
}
op_ARRAYLENGTH : {
    Object *a = sp[-1].ref;
    NULL_CHECK(a);
    SET_I(sp[-1], array_len(a));
    NEXT(1);
}

    /* --- operand stack --- */
op_POP:
    sp--;
    NEXT(1);
op_POP2:
    sp -= 2;
    NEXT(1);
op_DUP:
    sp[0] = sp[-1], sp++;
    NEXT(1);
op_DUP_X1 : {
    Slot v = sp[-1];
    sp[-1] = sp[-2], sp[-2] = v, sp[0] = v, sp++;
    NEXT(1);
}
op_DUP_X2 : {
    Slot v = sp[-1];
    sp[-1] = sp[-2], sp[-2] = sp[-3], sp[-3] = v, sp[0] = v, sp++;
    NEXT(1);
}
op_DUP2:
    sp[0] = sp[-2], sp[1] = sp[-1], sp += 2;
    NEXT(1);
op_DUP2_X1 : {
    Slot a = sp[-2], b = sp[-1], c = sp[-3];
    sp[-3] = a, sp[-2] = b, sp[-1] = c, sp[0] = a, sp[1] = b, sp += 2;
    NEXT(1);
}
op_DUP2_X2 : {
    Slot a = sp[-2], b = sp[-1], c = sp[-4], d = sp[-3];
    sp[-4] = a, sp[-3] = b, sp[-2] = c, sp[-1] = d, sp[0] = a, sp[1] = b, sp += 2;
    NEXT(1);
}
op_SWAP : {
    Slot v = sp[-1];
    sp[-1] = sp[-2], sp[-2] = v;
    NEXT(1);
}

    /* --- arithmetic --- */
op_IADD:
    BINARY_I(+);
op_ISUB:
    BINARY_I(-);
op_IMUL:
    BINARY_I(*);
op_IAND:
    BINARY_I(&);
op_IOR:
    BINARY_I(|);
op_IXOR:
    BINARY_I(^);
op_LADD:
    BINARY_L(+);
op_LSUB:
    BINARY_L(-);
op_LMUL:
    BINARY_L(*);
op_LAND:
    BINARY_L(&);
op_LOR:
    BINARY_L(|);
op_LXOR:
    BINARY_L(^);
op_FADD:
    BINARY_F(+);
op_FSUB:
    BINARY_F(-);
op_FMUL:
    BINARY_F(*);
op_FDIV:
    BINARY_F(/);
op_DADD:
    BINARY_D(+);
op_DSUB:
    BINARY_D(-);
op_DMUL:
    BINARY_D(*);
op_DDIV:
    BINARY_D(/);
op_IDIV : {
    int32_t a = sp[-2].i, b = sp[-1].i;
    if (UNLIKELY(b == 0)) goto divide_by_zero;
    SET_I(sp[-2], b == -1 ? (int32_t)(0u - (u4)a) : a / b);
    sp--;
    NEXT(1);
}
op_IREM : {
    int32_t a = sp[-2].i, b = sp[-1].i;
    if (UNLIKELY(b == 0)) goto divide_by_zero;
    SET_I(sp[-2], b == -1 ? 0 : a % b);
    sp--;
    NEXT(1);
}
op_LDIV : {
    int64_t a = sp[-4].j, b = sp[-2].j;
    if (UNLIKELY(b == 0)) goto divide_by_zero;
    sp[-4].j = b == -1 ? (int64_t)(0ull - (u8)a) : a / b;
    sp -= 2;
    NEXT(1);
}
op_LREM : {
    int64_t a = sp[-4].j, b = sp[-2].j;
    if (UNLIKELY(b == 0)) goto divide_by_zero;
    sp[-4].j = b == -1 ? 0 : a % b;
    sp -= 2;
    NEXT(1);
}
op_FREM:
    SET_F(sp[-2], rem_f(sp[-2].f, sp[-1].f));
    sp--;
    NEXT(1);
op_DREM:
    sp[-4].d = rem_d(sp[-4].d, sp[-2].d), sp -= 2;
    NEXT(1);
op_INEG:
    SET_I(sp[-1], 0u - (u4)sp[-1].i);
    NEXT(1);
op_LNEG:
    sp[-2].raw = 0 - sp[-2].raw;
    NEXT(1);
op_FNEG:
    sp[-1].raw = (u4)sp[-1].raw ^ 0x80000000u;
    NEXT(1);
op_DNEG:
    sp[-2].raw ^= 1ull << 63;
    NEXT(1);
op_ISHL:
    SET_I(sp[-2], (u4)sp[-2].i << (sp[-1].i & 31)), sp--;
    NEXT(1);
op_ISHR:
    SET_I(sp[-2], sp[-2].i >> (sp[-1].i & 31)), sp--;
    NEXT(1);
op_IUSHR:
    SET_I(sp[-2], (u4)sp[-2].i >> (sp[-1].i & 31)), sp--;
    NEXT(1);
op_LSHL:
    sp[-3].raw = sp[-3].raw << (sp[-1].i & 63), sp--;
    NEXT(1);
op_LSHR:
    sp[-3].j = sp[-3].j >> (sp[-1].i & 63), sp--;
    NEXT(1);
op_LUSHR:
    sp[-3].raw = sp[-3].raw >> (sp[-1].i & 63), sp--;
    NEXT(1);
op_I2L:
    sp[-1].j = sp[-1].i, sp++;
    NEXT(1);
op_I2F:
    SET_F(sp[-1], (float)sp[-1].i);
    NEXT(1);
op_I2D:
    sp[-1].d = (double)sp[-1].i, sp++;
    NEXT(1);
op_L2I:
    sp[-2].raw = (u4)sp[-2].raw, sp--;
    NEXT(1);
op_L2F:
    SET_F(sp[-2], (float)sp[-2].j);
    sp--;
    NEXT(1);
op_L2D:
    sp[-2].d = (double)sp[-2].j;
    NEXT(1);
op_F2I:
    SET_I(sp[-1], f2i(sp[-1].f));
    NEXT(1);
op_F2L:
    sp[-1].j = f2l(sp[-1].f), sp++;
    NEXT(1);
op_F2D:
    sp[-1].d = (double)sp[-1].f, sp++;
    NEXT(1);
op_D2I:
    SET_I(sp[-2], d2i(sp[-2].d)), sp--;
    NEXT(1);
op_D2L:
    sp[-2].j = d2l(sp[-2].d);
    NEXT(1);
op_D2F:
    SET_F(sp[-2], (float)sp[-2].d);
    sp--;
    NEXT(1);
op_I2B:
    SET_I(sp[-1], (int8_t)sp[-1].i);
    NEXT(1);
op_I2C:
    SET_I(sp[-1], (u2)sp[-1].i);
    NEXT(1);
op_I2S:
    SET_I(sp[-1], (int16_t)sp[-1].i);
    NEXT(1);
op_LCMP : {
    int64_t a = sp[-4].j, b = sp[-2].j;
    SET_I(sp[-4], (a > b) - (a < b));
    sp -= 3;
    NEXT(1);
}
#define FCMP(T, field, width, nan) \
    do { \
        T a = sp[-2 * width].field, b = sp[-width].field; \
        SET_I(sp[-2 * width], a > b ? 1 : a == b ? 0 : a < b ? -1 : nan); \
        sp -= 2 * width - 1; \
        NEXT(1); \
    } while (0)
op_FCMPL:
    FCMP(float, f, 1, -1);
op_FCMPG:
    FCMP(float, f, 1, 1);
op_DCMPL:
    FCMP(double, d, 2, -1);
op_DCMPG:
    FCMP(double, d, 2, 1);

    /* --- control --- */
op_IFEQ:
    IF_I(== 0);
op_IFNE:
    IF_I(!= 0);
op_IFLT:
    IF_I(< 0);
op_IFGE:
    IF_I(>= 0);
op_IFGT:
    IF_I(> 0);
op_IFLE:
    IF_I(<= 0);
op_IF_ICMPEQ:
    IF_ICMP(==);
op_IF_ICMPNE:
    IF_ICMP(!=);
op_IF_ICMPLT:
    IF_ICMP(<);
op_IF_ICMPGE:
    IF_ICMP(>=);
op_IF_ICMPGT:
    IF_ICMP(>);
op_IF_ICMPLE:
    IF_ICMP(<=);
op_IF_ACMPEQ : {
    bool same = sp[-2].ref == sp[-1].ref;
    sp -= 2;
    if (same) BRANCH(rd_s2(pc + 1));
    NEXT(3);
}
op_IF_ACMPNE : {
    bool same = sp[-2].ref == sp[-1].ref;
    sp -= 2;
    if (!same) BRANCH(rd_s2(pc + 1));
    NEXT(3);
}
op_IFNULL : {
    Object *o = sp[-1].ref;
    sp--;
    if (!o) BRANCH(rd_s2(pc + 1));
    NEXT(3);
}
op_IFNONNULL : {
    Object *o = sp[-1].ref;
    sp--;
    if (o) BRANCH(rd_s2(pc + 1));
    NEXT(3);
}
op_GOTO:
    BRANCH(rd_s2(pc + 1));
#define ORIGINAL_OP() (f->method->code[pc - f->method->qcode])
op_GOTO_W:
op_JSR_W: /* a return address is an offset in the code */
    if (ORIGINAL_OP() == CF_OP_JSR_W) sp->raw = (u8)(pc + 5 - f->method->qcode), sp++;
    BRANCH(rd_s4(pc + 1));
op_JSR:
op_RET:
    if (ORIGINAL_OP() == CF_OP_JSR) {
        sp->raw = (u8)(pc + 3 - f->method->qcode), sp++;
        BRANCH(rd_s2(pc + 1));
    }
    pc = f->method->qcode + locals[pc[1]].raw;
    DISPATCH();
op_TABLESWITCH : {
    const u1 *base = f->method->qcode;
    const int32_t *w = (const int32_t *)(base + (((size_t)(pc - base) + 4) & ~(size_t)3));
    u4 i = (u4)(--sp)->i - (u4)w[1];
    BRANCH(i <= (u4)w[2] - (u4)w[1] ? w[3 + i] : w[0]);
}
op_LOOKUPSWITCH : {
    const u1 *base = f->method->qcode;
    const int32_t *w = (const int32_t *)(base + (((size_t)(pc - base) + 4) & ~(size_t)3));
    int32_t key = (--sp)->i, off = w[0];
    u4 lo = 0, hi = (u4)w[1];
    while (lo < hi) {
        u4 mid = (lo + hi) >> 1;
        int32_t k = w[2 + 2 * mid];
        if (k == key) {
            off = w[3 + 2 * mid];
            break;
        }
        if (k < key) lo = mid + 1;
        else hi = mid;
    }
    BRANCH(off);
}

    /* --- fields --- */
op_GETFIELD_B:
    GETFIELD(int8_t, SET_I);
op_GETFIELD_C:
    GETFIELD(u2, SET_I);
op_GETFIELD_S:
    GETFIELD(int16_t, SET_I);
op_GETFIELD_I:
    GETFIELD(int32_t, SET_I);
op_GETFIELD_A:
    GETFIELD(Narrow, SET_REF);
op_GETFIELD_J : {
    Object *o = sp[-1].ref;
    NULL_CHECK(o);
    sp[-1].raw = OBJ_FIELD(u8, o, rd_u2(pc + 1)), sp++;
    NEXT(3);
}
op_PUTFIELD_B:
    PUTFIELD(int8_t, i);
op_PUTFIELD_Z:
    PUTFIELD(u1, i & 1);
op_PUTFIELD_C:
    PUTFIELD(u2, i);
op_PUTFIELD_I:
    PUTFIELD(int32_t, i);
op_PUTFIELD_J : {
    Object *o = sp[-3].ref;
    NULL_CHECK(o);
    OBJ_FIELD(u8, o, rd_u2(pc + 1)) = sp[-2].raw;
    sp -= 3;
    NEXT(3);
}
op_PUTFIELD_A : {
    Object *o = sp[-2].ref;
    NULL_CHECK(o);
    ref_store(o, rd_u2(pc + 1), sp[-1].ref);
    sp -= 2;
    NEXT(3);
}
op_GETSTATIC_I:
    SET_I(*sp, *QCELL(int32_t JAVA_DATA *, pc + 1)), sp++;
    NEXT(3);
op_GETSTATIC_B:
    SET_I(*sp, *QCELL(int8_t JAVA_DATA *, pc + 1)), sp++;
    NEXT(3);
op_GETSTATIC_J:
    sp->raw = *QCELL(u8 JAVA_DATA *, pc + 1), sp += 2;
    NEXT(3);
op_GETSTATIC_A:
    sp->ref = narrow_decode(*QCELL(Narrow JAVA_DATA *, pc + 1)), sp++;
    NEXT(3);
op_PUTSTATIC_I:
    sp--, *QCELL(int32_t JAVA_DATA *, pc + 1) = sp->i;
    NEXT(3);
op_PUTSTATIC_J:
    sp -= 2, *QCELL(u8 JAVA_DATA *, pc + 1) = sp->raw;
    NEXT(3);
op_PUTSTATIC_A : { /* the barrier wants the mirror, so this one goes by the Field */
    Field *fd = f->method->version->pool[rd_u2(pc + 1)].field;
    sp--;
    ref_store(fd->holder->mirror, fd->offset, sp->ref);
    NEXT(3);
}
op_FIELD_GENERIC : {
    PUBLISH();
    int r = quick_field_generic(t, f);
    if (UNLIKELY(r == SLOW_THROW)) goto throw_exception;
    RELOAD();
    CHOOSE_TABLE();
    DISPATCH();
}

/* --- calls ---
     * A call site publishes the end of the arguments in f->sp, moves sp to their start and
     * names the callee; `invoke` continues in it. */
#define CALL(m, n, len) \
    do { \
        callee = (m); \
        advance = (len); \
        f->sp = sp; \
        sp -= (n); \
        goto invoke; \
    } while (0)

op_INVOKEVIRTUAL_Q : {
    Object *o = sp[-(int)pc[1]].ref;
    NULL_CHECK(o);
    CALL(obj_class(o)->vtable[pc[2]], pc[1], 3);
}
op_INVOKEVIRTUAL_W : {
    ResolvedMethod *rm = QCELL(ResolvedMethod *, pc + 1);
    Object *o = sp[-(int)rm->arg_slots].ref;
    NULL_CHECK(o);
    CALL(obj_class(o)->vtable[rm->vtable_index], rm->arg_slots, 3);
}
op_INVOKEFINAL_Q:
op_INVOKESPECIAL_Q : {
    Method *m = QCELL(Method *, pc + 1);
    NULL_CHECK(sp[-(int)m->arg_slots].ref);
    CALL(m, m->arg_slots, 3);
}
op_INVOKESTATIC_B : {
    Method *m = QCELL(Method *, pc + 1);
    PUBLISH();
    if (!class_init(t, m->holder) || exec_forced(t, f)) goto throw_exception;
    if (class_is_initialized(m->holder)) quick_set_opcode(f->method, (u4)(pc - f->method->qcode), Q_INVOKESTATIC_Q);
    CALL(method_current(m), m->arg_slots, 3); /* it may have been replaced meanwhile, by its initialiser too */
}
op_INVOKESTATIC_Q : {
    Method *m = QCELL(Method *, pc + 1);
    CALL(m, m->arg_slots, 3);
}
op_INVOKEINTERFACE_Q : {
    Method *im = QCELL(Method *, pc + 1);
    Object *o = sp[-(int)pc[3]].ref;
    NULL_CHECK(o);
    Class *c = obj_class(o);
    MethodCacheEntry *e = interp_cache(t, c, im);
    if (LIKELY(e->klass == c && e->imethod == im)) CALL(e->target, pc[3], 5);
    PUBLISH();
    Method *m = interp_select_interface(t, c, im);
    if (UNLIKELY(!m)) goto throw_exception;
    CALL(m, pc[3], 5);
}
op_INVOKEHANDLE_Q : {
    ResolvedMethod *rm = QCELL(ResolvedMethod *, pc + 1);
    u4 n = rm->method->arg_slots - (rm->appendix != NULL);
    NULL_CHECK(sp[-(int)n].ref);
    if (rm->appendix) sp->ref = rm->appendix, sp++;
    CALL(rm->method, rm->method->arg_slots, 3);
}
op_INVOKEINTRIN_Q : {
    ResolvedMethod *rm = QCELL(ResolvedMethod *, pc + 1);
    CALL(rm->method, rm->arg_slots, 3);
}
op_INVOKEDYNAMIC_Q : {
    CallSite *cs = f->method->version->call_sites[rd_s4(pc + 1)];
    Method *m = atomic_load_explicit(&cs->adapter, memory_order_acquire);
    if (cs->appendix) sp->ref = cs->appendix, sp++;
    CALL(m, m->arg_slots, 5);
}

invoke : { /* sp: first argument, f->sp: behind the last */
    const u1 *entry = LOAD_ACQUIRE(callee->qentry);
    f->pc = pc;
    if (UNLIKELY(!entry)) goto invoke_other;
    Frame *nf = (Frame *)(sp + callee->max_locals);
    if (UNLIKELY((u1 *)(frame_stack_base(nf) + callee->max_stack) > t->java_stack_limit))
        goto invoke_other; /* interp_push_frame reports the overflow */
    nf->prev = f;
    nf->method = callee;
    nf->locals = sp;
    nf->flags = 0;
    nf->advance = advance;
    nf->qcells = callee->qcells;
    f = nf;
    t->frame = nf;
    locals = sp;
    sp = frame_stack_base(nf);
    pc = entry;
    POLL_ENTRY();
    DISPATCH();
}

invoke_other: /* advance and callee die at the calls below: registers are for the loop */
    switch (LOAD_ACQUIRE(callee->kind)) {
#define LEAF_GET(type, SET, cells) \
    do { \
        Object *o_ = sp->ref; \
        if (UNLIKELY(thread_events(t))) goto enter_reported; \
        if (UNLIKELY(!o_)) goto enter_slowly; \
        SET(*sp, OBJ_FIELD(type, o_, callee->leaf.offset)); \
        sp += (cells); \
        NEXT(advance); \
    } while (0)
    case MK_LEAF_GET_B: LEAF_GET(int8_t, SET_I, 1);
    case MK_LEAF_GET_I: LEAF_GET(int32_t, SET_I, 1);
    case MK_LEAF_GET_J: LEAF_GET(u8, SET_J, 2);
    case MK_LEAF_GET_A: LEAF_GET(Narrow, SET_REF, 1);
    case MK_LEAF_OBJECT_INIT:
        if (UNLIKELY(!sp->ref) || UNLIKELY(obj_class(sp->ref)->flags & CF_FINALIZABLE)) goto enter_slowly;
        /* fall through */
    case MK_LEAF_EMPTY:
        if (UNLIKELY(thread_events(t))) goto enter_reported;
        NEXT(advance);
    case MK_LEAF_POKE:
        if (UNLIKELY(thread_events(t))) goto enter_reported;
        POKE(callee, sp[callee->leaf.from].i);
        NEXT(advance);
    case MK_LEAF_QUICK:
        if (UNLIKELY(thread_events(t))) goto enter_reported;
        callee = interp_try_quick(t, f, callee, sp, advance);
        if (LIKELY(!callee)) {
            RELOAD();
            CHOOSE_TABLE();
            DISPATCH();
        }
        advance = invoke_length(f);
        /* fall through */
    case MK_BYTECODE:
enter_reported:
        if (jit_ready(t, callee)) {
            if (UNLIKELY(!jit_call(t, f, callee, sp, advance))) goto no_result;
            RELOAD();
            CHOOSE_TABLE();
            POLL();
            DISPATCH();
        }
enter_slowly:
        f = interp_push_frame(t, callee, sp, 0, advance);
        if (UNLIKELY(!f)) {
            f = t->frame;
            goto throw_exception;
        }
        locals = f->locals;
        sp = f->sp;
        pc = f->pc;
        CHOOSE_TABLE();
        POLL_ENTRY();
        DISPATCH();
    case MK_VM_NATIVE:
        if (UNLIKELY(thread_events(t))) {
            if (callee->flags & MF_INTRINSIC) goto enter_slowly;
        } else if (LIKELY(callee->flags & MF_LEAF)) {
            if (UNLIKELY(!interp_call_leaf_native(t, f, callee, sp, advance))) goto throw_exception;
            RELOAD();
            CHOOSE_TABLE(); /* nothing changed it, but it need not outlive the call in a register */
            DISPATCH();
        }
        /* fall through */
    case MK_NATIVE:
        if (UNLIKELY(!interp_call_native(t, f, callee, sp, advance))) goto throw_exception;
        RELOAD();
        CHOOSE_TABLE();
        POLL();
        DISPATCH();
    case MK_INVOKE_BASIC: /* the same arguments, another method: a tail call */
        if (UNLIKELY(!sp->ref)) goto null_receiver;
        callee = mh_form_target(sp->ref);
        if (UNLIKELY(!callee)) goto null_receiver;
        advance = invoke_length(f);
        goto invoke;
    case MK_LINK_STATIC:
    case MK_LINK_SPECIAL:
    case MK_LINK_VIRTUAL:
    case MK_LINK_INTERFACE:
    case MK_LINK_NATIVE:
        callee = mh_link_target(t, callee->kind, f->sp[-1].ref, callee->kind == MK_LINK_STATIC ? NULL : sp->ref);
        if (UNLIKELY(!callee)) goto throw_exception;
        f->sp--;
        advance = invoke_length(f);
        goto invoke;
    default: interp_throw_abstract(t, callee, sp->ref); goto throw_exception;
    }
null_receiver:
    throw_plain(t, EX_NullPointerException);
    goto throw_exception;

    /* --- objects --- */
op_NEW_Q : {
    Class *c = QCELL(Class *, pc + 1);
    Object *o = heap_bump(t, c, c->instance_size);
    if (UNLIKELY(!o)) {
        PUBLISH();
        o = heap_alloc_object(t, c);
        if (UNLIKELY(!o)) goto throw_exception;
    }
    sp->ref = o, sp++;
    NEXT(3);
}
op_NEW_SLOW : {
    PUBLISH();
    Object *o = heap_alloc_object(t, QCELL(Class *, pc + 1));
    if (UNLIKELY(!o)) goto throw_exception;
    sp->ref = o, sp++;
    NEXT(3);
}
op_NEWARRAY : {
    PUBLISH();
    Object *o = interp_newarray(t, pc[1], sp[-1].i);
    if (UNLIKELY(!o)) goto throw_exception;
    sp[-1].ref = o;
    NEXT(2);
}
op_ANEWARRAY_Q : {
    PUBLISH();
    Object *o = interp_anewarray(t, QCELL(Class *, pc + 1), sp[-1].i);
    if (UNLIKELY(!o)) goto throw_exception;
    sp[-1].ref = o;
    NEXT(3);
}
op_MULTIANEWARRAY : {
    PUBLISH();
    if (!interp_multianewarray(t, f)) goto throw_exception;
    sp = f->sp;
    NEXT(4);
}
op_CHECKCAST_Q : {
    Object *o = sp[-1].ref;
    if (o) {
        Class *c = QCELL(Class *, pc + 1), *oc = obj_class(o);
        if (UNLIKELY(oc != c) && UNLIKELY(!class_is_subtype(oc, c))) {
            PUBLISH();
            throw_class_cast(t, oc, c);
            goto throw_exception;
        }
    }
    NEXT(3);
}
op_INSTANCEOF_Q : {
    Object *o = sp[-1].ref;
    int r = 0;
    if (o) {
        Class *c = QCELL(Class *, pc + 1), *oc = obj_class(o);
        r = oc == c || class_is_subtype(oc, c);
    }
    SET_I(sp[-1], r);
    NEXT(3);
}
op_MONITORENTER : {
    Object *o = sp[-1].ref;
    NULL_CHECK(o);
    PUBLISH();
    if (!frame_monitor_enter(t, f, o) || exec_forced(t, f)) goto throw_exception;
    CHOOSE_TABLE();
    sp--;
    NEXT(1);
}
op_MONITOREXIT : {
    Object *o = sp[-1].ref;
    NULL_CHECK(o);
    PUBLISH();
    if (!frame_monitor_exit(t, f, o)) goto throw_exception;
    sp--;
    NEXT(1);
}
op_ATHROW:
    PUBLISH();
    throw_object(t, sp[-1].ref);
    goto throw_exception;

    /* --- returns --- */
op_IRETURN_NARROW : {
    int32_t v = sp[-1].i;
    switch (f->method->ret_type) { /* JVMS 6.5.ireturn */
    case T_BOOLEAN: v &= 1; break;
    case T_BYTE: v = (int8_t)v; break;
    case T_CHAR: v = (u2)v; break;
    case T_SHORT: v = (int16_t)v; break;
    default: break;
    }
    SET_I(sp[-1], v);
    RETURN(1, locals[0].raw = (u4)v);
}
op_IRETURN:
op_FRETURN:
op_ARETURN:
    RETURN(1, locals[0].raw = sp[-1].raw);
op_LRETURN:
op_DRETURN:
    RETURN(2, locals[0].raw = sp[-2].raw);
op_RETURN_INIT : {
    Object *o = locals[0].ref;
    if (UNLIKELY(obj_class(o)->flags & CF_FINALIZABLE)) {
        PUBLISH();
        interp_register_finalizer(t, o);
        if (UNLIKELY(t->exception)) goto throw_exception;
    }
}
    /* fall through */
op_RETURN:
    RETURN(0, (void)0);

return_slow:
    PUBLISH();
    if (!interp_return_slow(t, f, n_result)) goto throw_exception;
    {
        Slot v = n_result ? f->sp[-n_result] : (Slot){.raw = 0};
        bool entry = f->flags & FRAME_ENTRY;
        u4 adv = f->advance;
        Slot *to = f->locals;
        f = f->prev;
        t->frame = f;
        to[0] = v;
        if (entry) return INTERP_RETURNED;
        sp = to + n_result;
        locals = f->locals;
        pc = f->pc + adv;
        CHOOSE_TABLE();
        DISPATCH();
    }

    /* --- superinstructions: quick.def.  Where a component would throw, the operands are
     * pushed and the plain instruction runs. --- */
#define LDM(at) (pc[at] - CF_OP_ILOAD_0)
#define FITS(a, i) LIKELY((a) && (u4)(i) < (u4)array_len(a))
#define PUSH_AND(a_, i_, skip, op) \
    do { \
        sp[0].ref = (a_); \
        SET_I(sp[1], i_); \
        sp += 2; \
        pc += (skip); \
        goto op; \
    } while (0)
op_LD_LD:
    sp[0].raw = locals[pc[1]].raw, sp[1].raw = locals[pc[3]].raw, sp += 2;
    NEXT(4);
op_LD_LD_LD:
    sp[0].raw = locals[pc[1]].raw, sp[1].raw = locals[pc[3]].raw, sp[2].raw = locals[pc[5]].raw, sp += 3;
    NEXT(6);
op_LD_LDM:
    sp[0].raw = locals[pc[1]].raw, sp[1].raw = locals[LDM(2)].raw, sp += 2;
    NEXT(3);
#define LDN_PAIRS(n) \
    op_LD##n##_LD : sp[0].raw = locals[n].raw, sp[1].raw = locals[pc[2]].raw, sp += 2; \
    NEXT(3); \
    op_LD##n##_LDM : sp[0].raw = locals[n].raw, sp[1].raw = locals[LDM(1)].raw, sp += 2; \
    NEXT(2)
    LDN_PAIRS(0);
    LDN_PAIRS(1);
    LDN_PAIRS(2);
    LDN_PAIRS(3);
op_LD_LD_IALOAD : {
    Object *a = locals[pc[1]].ref;
    int32_t i = locals[pc[3]].i;
    if (!FITS(a, i)) PUSH_AND(a, i, 4, op_IALOAD);
    SET_I(*sp, ARRAY_ELEMS(int32_t, a)[i]), sp++;
    NEXT(5);
}
#define LDN_LD_IALOAD(n) \
    op_LD##n##_LD_IALOAD : { \
        Object *a = locals[n].ref; \
        int32_t i = locals[pc[2]].i; \
        if (!FITS(a, i)) PUSH_AND(a, i, 3, op_IALOAD); \
        SET_I(*sp, ARRAY_ELEMS(int32_t, a)[i]), sp++; \
        NEXT(4); \
    }
    LDN_LD_IALOAD(0)
    LDN_LD_IALOAD(1)
#define LD_ARRAY(type, op) \
    do { \
        Object *a = sp[-1].ref; \
        int32_t i = locals[pc[1]].i; \
        if (!FITS(a, i)) { \
            SET_I(*sp, i); \
            sp++; \
            pc += 2; \
            goto op; \
        } \
        SET_I(sp[-1], ARRAY_ELEMS(type, a)[i]); \
        NEXT(3); \
    } while (0)
op_LD_IALOAD:
    LD_ARRAY(int32_t, op_IALOAD);
op_LD_BALOAD:
    LD_ARRAY(int8_t, op_BALOAD);
op_LD_IASTORE : {
    Object *a = sp[-2].ref;
    int32_t i = sp[-1].i, v = locals[pc[1]].i;
    if (!FITS(a, i)) {
        SET_I(*sp, v);
        sp++;
        pc += 2;
        goto op_IASTORE;
    }
    ARRAY_ELEMS(int32_t, a)[i] = v;
    sp -= 2;
    NEXT(3);
}
#define LD_LD_ICMP(cond) \
    do { \
        if (locals[pc[1]].i cond locals[pc[3]].i) { \
            pc += 4; \
            BRANCH(rd_s2(pc + 1)); \
        } \
        NEXT(7); \
    } while (0)
#define VALUE_ICMP(cond, v) \
    do { \
        sp--; \
        if (sp->i cond(v)) { \
            pc += 2; \
            BRANCH(rd_s2(pc + 1)); \
        } \
        NEXT(5); \
    } while (0)
op_LD_LD_ICMPGE:
    LD_LD_ICMP(>=);
op_LD_LD_ICMPLT:
    LD_LD_ICMP(<);
op_LD_ICMPGE:
    VALUE_ICMP(>=, locals[pc[1]].i);
op_LD_ICMPLT:
    VALUE_ICMP(<, locals[pc[1]].i);
op_LD_ICMPLE:
    VALUE_ICMP(<=, locals[pc[1]].i);
op_LD_ICMPNE:
    VALUE_ICMP(!=, locals[pc[1]].i);
op_BIPUSH_ICMPGE:
    VALUE_ICMP(>=, (int8_t)pc[1]);
op_BIPUSH_ICMPNE:
    VALUE_ICMP(!=, (int8_t)pc[1]);
op_IINC_GOTO : {
    Slot *l = &locals[pc[1]];
    SET_I(*l, l->i + (int8_t)pc[2]);
    pc += 3;
    BRANCH(rd_s2(pc + 1));
}
op_LD_IADD:
    SET_I(sp[-1], sp[-1].i + locals[pc[1]].i);
    NEXT(3);
op_IC1_IADD:
    SET_I(sp[-1], sp[-1].i + 1);
    NEXT(2);
op_IC1_ISUB:
    SET_I(sp[-1], sp[-1].i - 1);
    NEXT(2);
op_IADD_ISTORE:
    sp -= 2;
    SET_I(locals[pc[2]], sp[0].i + sp[1].i);
    NEXT(3);
op_ISTORE_LD:
    locals[pc[1]].raw = sp[-1].raw, sp[-1].raw = locals[pc[3]].raw;
    NEXT(4);
op_LDL_LDL:
    sp[0].raw = locals[pc[1]].raw, sp[2].raw = locals[pc[3]].raw, sp += 4;
    NEXT(4);
op_LDL_DMUL:
    sp[-2].d = sp[-2].d * locals[pc[1]].d;
    NEXT(3);
op_LDL_DADD:
    sp[-2].d = sp[-2].d + locals[pc[1]].d;
    NEXT(3);
op_LDL_DSUB:
    sp[-2].d = sp[-2].d - locals[pc[1]].d;
    NEXT(3);
op_LDL_LDL_DMUL:
    sp[0].d = locals[pc[1]].d * locals[pc[3]].d, sp += 2;
    NEXT(5);
op_DMUL_DADD:
    sp[-6].d = sp[-6].d + sp[-4].d * sp[-2].d, sp -= 4;
    NEXT(2);
op_DMUL_DSUB:
    sp[-6].d = sp[-6].d - sp[-4].d * sp[-2].d, sp -= 4;
    NEXT(2);
op_DADD_LSTORE:
    sp -= 4, locals[pc[2]].d = sp[0].d + sp[2].d;
    NEXT(3);
op_LADD_LSTORE:
    sp -= 4, locals[pc[2]].j = sp[0].j + sp[2].j;
    NEXT(3);

    /* The field is not resolved when methods are prepared: the first execution of the pair
     * goes by the plain instructions, a later one finds the quick opcode and fuses with it. */
#define FUSE_FIELD(next, PREFIX, plain) \
    do { \
        u1 n_ = (next); \
        u1 me_ = n_ == Q_GETFIELD_I     ? Q_##PREFIX##_GETFIELD_I \
                 : n_ == Q_GETFIELD_A   ? Q_##PREFIX##_GETFIELD_A \
                 : n_ == Q_GETFIELD_J   ? Q_##PREFIX##_GETFIELD_J \
                 : n_ == CF_OP_GETFIELD ? Q_##PREFIX##_FIELD \
                                        : CF_OP_##plain; \
        __atomic_store_n((u1 *)pc, me_, __ATOMIC_RELEASE); /* what the acquire of the pair saw goes with it */ \
        goto op_##plain; \
    } while (0)
op_LD_FIELD:
    FUSE_FIELD(LOAD_ACQUIRE(pc[2]), LD, ILOAD);
op_LD0_FIELD:
    FUSE_FIELD(LOAD_ACQUIRE(pc[1]), LD0, ILOAD_0);
op_DUP_FIELD : {
    u1 next = LOAD_ACQUIRE(pc[1]);
    u1 me = next == Q_GETFIELD_I     ? Q_DUP_GETFIELD_I
            : next == Q_GETFIELD_J   ? Q_DUP_GETFIELD_J
            : next == CF_OP_GETFIELD ? Q_DUP_FIELD
                                     : CF_OP_DUP;
    __atomic_store_n((u1 *)pc, me, __ATOMIC_RELEASE);
    goto op_DUP;
}
#define LOCAL_FIELD(l, len, type, SET, cells) \
    do { \
        Object *o = (l).ref; \
        if (UNLIKELY(!o)) { \
            sp->ref = NULL; \
            sp++; \
            pc += (len); \
            goto null_pointer; \
        } \
        SET(*sp, OBJ_FIELD(type, o, rd_u2(pc + (len) + 1))); \
        sp += (cells); \
        NEXT((len) + 3); \
    } while (0)
op_LD_GETFIELD_I:
    LOCAL_FIELD(locals[pc[1]], 2, int32_t, SET_I, 1);
op_LD_GETFIELD_A:
    LOCAL_FIELD(locals[pc[1]], 2, Narrow, SET_REF, 1);
op_LD_GETFIELD_J:
    LOCAL_FIELD(locals[pc[1]], 2, u8, SET_J, 2);
op_LD0_GETFIELD_I:
    LOCAL_FIELD(locals[0], 1, int32_t, SET_I, 1);
op_LD0_GETFIELD_A:
    LOCAL_FIELD(locals[0], 1, Narrow, SET_REF, 1);
op_LD0_GETFIELD_J:
    LOCAL_FIELD(locals[0], 1, u8, SET_J, 2);
op_DUP_GETFIELD_I:
    LOCAL_FIELD(sp[-1], 1, int32_t, SET_I, 1);
op_DUP_GETFIELD_J:
    LOCAL_FIELD(sp[-1], 1, u8, SET_J, 2);

    /* Likewise the method called: a leaf can be seen from its first call on. */
op_SIPUSH_CALL : {
    u1 next = LOAD_ACQUIRE(pc[3]);
    u1 me = next == CF_OP_INVOKESTATIC || next == Q_INVOKESTATIC_B         ? Q_SIPUSH_CALL
            : next == Q_INVOKESTATIC_Q && is_poke(QCELL(Method *, pc + 4)) ? Q_SIPUSH_POKE
                                                                           : CF_OP_SIPUSH;
    __atomic_store_n((u1 *)pc, me, __ATOMIC_RELEASE);
    goto op_SIPUSH;
}
op_SIPUSH_POKE : {
    Method *m = QCELL(Method *, pc + 4);
    if (UNLIKELY(LOAD_ACQUIRE(m->kind) != MK_LEAF_POKE) || UNLIKELY(thread_events(t))) goto op_SIPUSH;
    POKE(m, rd_s2(pc + 1));
    NEXT(6);
}

    /* --- out of line --- */
op_GETSTATIC:
op_PUTSTATIC:
op_GETFIELD:
op_PUTFIELD:
op_INVOKEVIRTUAL:
op_INVOKESPECIAL:
op_INVOKESTATIC:
op_INVOKEINTERFACE:
op_INVOKEDYNAMIC:
op_NEW:
op_ANEWARRAY:
op_CHECKCAST:
op_INSTANCEOF:
op_LDC:
op_LDC_W:
op_LDC2_W : {
    PUBLISH();
    int r = quick_resolve(t, f);
    if (r == SLOW_THROW || exec_forced(t, f)) goto throw_exception;
    CHOOSE_TABLE();
    if (r == SLOW_DONE) {
        RELOAD();
        DISPATCH();
    }
    goto *plain_table[r];
}

any_event : {
    PUBLISH();
    if (!interp_event(t, f)) goto throw_exception;
    CHOOSE_TABLE();
    if (*pc == Q_BREAKPOINT) goto op_BREAKPOINT;
    goto *plain_table[quick_plain_opcode(*pc)];
}
op_BREAKPOINT : {
    PUBLISH();
    int op = interp_breakpoint_hit(t, f);
    if (UNLIKELY(op < 0)) goto throw_exception;
    CHOOSE_TABLE();
    goto *plain_table[op];
}
poll_entry:
    PUBLISH();
    if (!interp_entry_slow(t, f)) goto throw_exception;
    CHOOSE_TABLE();
    DISPATCH();
poll:
    PUBLISH();
    if (!interp_poll(t, f)) goto throw_exception;
    if (UNLIKELY(t->hot_loop != NULL)) goto try_compiled;
    CHOOSE_TABLE();
    DISPATCH();

#define COUNT_BACK_EDGE(at) \
    do { \
        if (rd_s2(pc + (at)) < 0 && UNLIKELY(method_warm(f->method, 1) >= jit_hot)) jit_hot_loop(t, f->method); \
        goto *plain_table[*pc]; \
    } while (0)
back_edge_1:
    COUNT_BACK_EDGE(1);
back_edge_3:
    COUNT_BACK_EDGE(3);
back_edge_4:
    COUNT_BACK_EDGE(4);
back_edge_5:
    COUNT_BACK_EDGE(5);

try_compiled : { /* f stands at the head of a loop */
    bool entry = f->flags & FRAME_ENTRY;
    const void *code = jit_osr(t, f);
    if (!code) {
        CHOOSE_TABLE();
        DISPATCH();
    }
    if (bridged && f == first) return INTERP_OSR;
    Slot *to = f->locals;
    Frame *caller = f->prev;
    u4 adv = f->advance;
    u1 type = f->method->ret_type;
    n_result = type_slots((BasicType)type);
    u8 v = jit_result(jit_enter(t, NULL, NULL, code, f), type);
    t->frame = f = caller;
    if (entry) {
        if (UNLIKELY(t->exception)) return INTERP_THREW;
        to[0].raw = v;
        return INTERP_RETURNED;
    }
    if (UNLIKELY(t->exception) || UNLIKELY(f->flags & FRAME_REPEAT) || exec_forced(t, f)) goto no_result;
    to[0].raw = v;
    sp = to + n_result;
    locals = f->locals;
    pc = f->pc + adv;
    CHOOSE_TABLE();
    POLL();
    DISPATCH();
}

no_result: /* of a call of compiled code */
    if (!(f->flags & FRAME_REPEAT)) goto throw_exception;
    f->flags &= ~(u4)FRAME_REPEAT;
    RELOAD();
    locals = f->locals;
    CHOOSE_TABLE();
    POLL();
    DISPATCH();

null_pointer:
    PUBLISH();
    throw_plain(t, EX_NullPointerException);
    goto throw_exception;
divide_by_zero:
    PUBLISH();
    throw_new(t, EX_ArithmeticException, "/ by zero");
    goto throw_exception;

throw_exception: /* t->exception is set, f->pc stands at the instruction; or JVM TI wants f left */
    if (UNLIKELY(exec_forced(t, f))) goto forced_exit;
    f = interp_unwind(t, f);
    if (!f) return INTERP_THREW;
    if (UNLIKELY(exec_forced(t, f))) goto forced_exit;
    pc = f->pc;
    sp = f->sp;
    locals = f->locals;
    CHOOSE_TABLE();
    POLL(); /* a loop may be made of handlers alone */
    DISPATCH();

forced_exit:
    n_result = interp_forced_exit(t, f);
    if (n_result >= 0) {
        RELOAD();
        goto return_slow;
    }
    if (f == first) return INTERP_POPPED;
    f = t->frame;
    RELOAD();
    locals = f->locals;
    CHOOSE_TABLE();
    DISPATCH();

op_illegal:
    PUBLISH();
    throw_new(t, EX_InternalError, "illegal opcode %d at bci %d", *pc, (int)(pc - f->method->qcode));
    goto throw_exception;
}

/* Called from compiled code (bridged), which keeps to the same rule, all above is clean. */
static NOINLINE InterpExit interp_frame(Thread *t, Frame *f, bool bridged, InterpStart start) {
    InterpExit x;
    ON_CLEAN_STACK(t, bridged, x = interp_loop(t, f, bridged, start));
    return x;
}

/* Callbacks of natives, reflection too, are worth compiled code as other calls are.  Of other C code nobody would know that it lies between. */
static bool runs_compiled(Thread *t, Method *m) {
    const Frame *caller = t->frame;
    return caller && caller->flags & FRAME_NATIVE && method_is_interpreted(m) && __atomic_load_n(&m->qcode, __ATOMIC_ACQUIRE) &&
           jit_ready(t, m);
}

bool interp_run(Thread *t, Method *m, Slot *args, Slot *ret) {
    Slot result;
    if (runs_compiled(t, m)) return jit_call_from_native(t, m, args, ret ? ret : &result);
    Frame *f = interp_push_frame(t, m, args, FRAME_ENTRY, 0);
    bool ok = f && interp_frame(t, f, false, AT_ENTRY) == INTERP_RETURNED;
    if (ok && ret) *ret = args[0];
    return ok;
}

InterpExit interp_run_bridged(Thread *t, Method *m, Slot *args) {
    Frame *f = interp_push_frame(t, m, args, FRAME_ENTRY | FRAME_BRIDGED, 0);
    return f ? interp_frame(t, f, true, AT_ENTRY) : INTERP_THREW;
}

InterpExit interp_resume(Thread *t, Frame *f, bool broken) {
    return interp_frame(t, f, true, broken ? BEHIND_BREAKPOINT : RESUMED);
}
