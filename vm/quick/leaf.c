/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves: methods whose calls need no frame.
 *
 * Some bodies are shorter than the work of entering and leaving them: empty ones, `return this.f`, and small
 * helpers that set a flag or add to a counter in native memory:
 *      static void hit(int n) { UNSAFE.putByte(null, BASE + n, (byte) 1); }
 * Such a method gets a MK_LEAF kind and no qentry: then a call of it leaves the fast road of `invoke`, and the switch
 * there does what the body would do.  Calls of other methods pay nothing, call sites know nothing, and virtual calls
 * are served like others.
 *
 * Nobody can see that there was no frame, because leaves do not throw, allocate, lock, call or poll; a thread
 * with event bits runs the bytecode as ever.
 *
 * A body is looked at when it is prepared (EMPTY, OBJECT_INIT) and whenever one of its instructions has been quickened: then
 * fields have offsets and constants have values.  Who patches qcode at a safepoint (breakpoints, watched fields, classes that
 * change shape) makes the method an ordinary one first: leaf_forget.
 *
 * QUICK (rows of native/intrinsic/intrinsic.def, when the method is linked) has a C function that is tried first.
 *
 * POKE is found by evaluating the body over constants and arguments: any straight line that comes down to one
 * store or addition of a constant at  base + (argument << shift).
 */
#include "quick/quick_int.h"
#include "heap/records.h"
#include "jit/jit.h"
#include "native/intrinsic/intrinsic_int.h"

enum { MAX_DEPTH = 8, NO_ARGUMENT = 0xff };

void leaf_open_entry(Method *m) {
    if (!(m->access & ACC_SYNCHRONIZED) && !jit_on && !method_is_leaf(m))
        __atomic_store_n(&m->qentry, m->qcode, __ATOMIC_RELEASE);
}

void leaf_forget(Method *m) {
    if (!method_is_leaf(m)) return;
    __atomic_store_n(&m->kind, MK_BYTECODE, __ATOMIC_RELEASE);
    leaf_open_entry(m);
    jit_forget_callers(m); /* compiled callers that know whom they call have its body in them */
}

void leaf_forget_all(ClassVersion *v) {
    for (u4 i = 0; i < v->n_methods_all; i++) leaf_forget(&v->methods[i]);
}

/* Other threads may call m: who sees no qentry must see the rest. */
static void become(Method *m, MethodKind kind) {
    __atomic_store_n(&m->kind, (u1)kind, __ATOMIC_RELEASE);
    __atomic_store_n(&m->qentry, NULL, __ATOMIC_RELEASE);
}

/* --- return this.f --- */

/* A quick instruction has a resolved field. */
static u1 type_of_field(const Method *m) { return m->version->pool[m->code[2] << 8 | m->code[3]].field->type; }

static int getter_kind(const Method *m) {
    switch (m->qcode[1]) {
    case Q_GETFIELD_B: return m->ret_type == type_of_field(m) ? MK_LEAF_GET_B : 0; /* ireturn makes a boolean of a byte */
    case Q_GETFIELD_I: return m->ret_type == T_INT || m->ret_type == T_FLOAT ? MK_LEAF_GET_I : 0;
    case Q_GETFIELD_J: return MK_LEAF_GET_J;
    case Q_GETFIELD_A: return MK_LEAF_GET_A;
    default: return 0;
    }
}

static void consider_getter(Method *m) {
    const u1 *c = m->code;
    if (method_is_static(m) || c[0] != CF_OP_ALOAD_0 || c[1] != CF_OP_GETFIELD) return;
    if (c[4] < CF_OP_IRETURN || c[4] > CF_OP_ARETURN) return;
    int kind = getter_kind(m);
    if (!kind) return;
    memcpy(&m->leaf.offset, m->qcode + 2, 2);
    become(m, (MethodKind)kind);
}

/* --- pokes --- */

typedef struct Value { /* base + (argument << shift) */
    int64_t base;
    u1 arg, shift; /* NO_ARGUMENT: a constant */
    bool unsafe;   /* the Unsafe object */
} Value;

typedef struct Evaluation {
    const Method *m;
    Value stack[MAX_DEPTH];
    u4 depth;
    bool done; /* the store was seen */
    Leaf leaf;
    int64_t where;
} Evaluation;

static const struct {
    VmNative fn;
    LeafPoke op;
} pokes[] = {{unsafe_put_Byte, POKE_PUT_1},
             {unsafe_put_Int, POKE_PUT_4},
             {unsafe_put_Long, POKE_PUT_8},
             {unsafe_add_Int, POKE_ADD_4},
             {unsafe_add_Long, POKE_ADD_8}};

static bool push(Evaluation *e, Value v) {
    if (e->depth == MAX_DEPTH) return false;
    e->stack[e->depth++] = v;
    return true;
}
static bool push_constant(Evaluation *e, int64_t k) { return push(e, (Value){.base = k, .arg = NO_ARGUMENT}); }

static bool is_constant(const Value *v) { return v->arg == NO_ARGUMENT && !v->unsafe; }

static bool push_argument(Evaluation *e, u4 slot) {
    return slot < e->m->arg_slots && slot < NO_ARGUMENT && push(e, (Value){.arg = (u1)slot});
}

/* `private static final Unsafe U`: it was read before, so it has its value for good. */
static bool push_static(Evaluation *e, u2 idx) {
    const Field *fd = e->m->version->pool[idx].field;
    bool fits = (fd->access & ACC_FINAL) && symbol_eq(fd->desc, "Ljdk/internal/misc/Unsafe;") && !offset_is_outside(fd->offset);
    return fits && ref_load(fd->holder->mirror, fd->offset) && push(e, (Value){.arg = NO_ARGUMENT, .unsafe = true});
}

static bool add(Evaluation *e) {
    if (e->depth < 2) return false;
    Value *a = &e->stack[e->depth - 2], b = e->stack[--e->depth];
    if (a->unsafe || b.unsafe || (!is_constant(a) && !is_constant(&b))) return false;
    Value sum = is_constant(a) ? b : *a;
    sum.base = (int64_t)((u8)a->base + (u8)b.base);
    *a = sum;
    return true;
}

static bool shift_left(Evaluation *e) {
    if (e->depth < 2) return false;
    Value *a = &e->stack[e->depth - 2], by = e->stack[--e->depth];
    if (a->unsafe || !is_constant(&by) || by.base < 0 || a->shift + by.base > 31) return false;
    a->base = (int64_t)((u8)a->base << by.base);
    a->shift = (u1)(a->shift + by.base);
    return true;
}

/* Unsafe.putX(null, address, constant) or getAndAddX */
static bool store(Evaluation *e, const Method *callee) {
    if (e->done || e->depth < 4 || callee->kind != MK_VM_NATIVE) return false;
    Value *v = &e->stack[e->depth -= 4];
    bool fits = v[0].unsafe && is_constant(&v[1]) && !v[1].base && v[2].arg != NO_ARGUMENT && is_constant(&v[3]);
    if (!fits || v[3].base != (int8_t)v[3].base) return false;
    for (size_t i = 0; i < ARRAY_LEN(pokes); i++) {
        if (callee->vm_native != pokes[i].fn) continue;
        e->leaf = (Leaf){.from = v[2].arg, .shift = v[2].shift, .op = pokes[i].op, .value = (int8_t)v[3].base};
        e->where = v[2].base;
        e->done = true;
        return callee->ret_type == T_VOID || push_constant(e, 0);
    }
    return false;
}

/* Instructions with an index into the pool; they must have been quickened. */
static bool evaluate_pool(Evaluation *e, const u1 *c, u1 quick) {
    u2 idx = cf_get_u2(c + 1);
    switch (quick) {
    case Q_GETSTATIC_A: return push_static(e, idx);
    case Q_LDC2_Q: return push_constant(e, (int64_t)(uintptr_t)e->m->qcells[idx]);
    case Q_INVOKEFINAL_Q: return store(e, e->m->version->pool[idx].method->method);
    default: return false;
    }
}

static bool evaluate(Evaluation *e, const u1 *c, u1 quick) {
    switch (*c) {
    case CF_OP_ACONST_NULL: return push_constant(e, 0);
    case CF_OP_ICONST_M1:
    case CF_OP_ICONST_0:
    case CF_OP_ICONST_1:
    case CF_OP_ICONST_2:
    case CF_OP_ICONST_3:
    case CF_OP_ICONST_4:
    case CF_OP_ICONST_5: return push_constant(e, *c - CF_OP_ICONST_0);
    case CF_OP_LCONST_0:
    case CF_OP_LCONST_1: return push_constant(e, *c - CF_OP_LCONST_0);
    case CF_OP_BIPUSH: return push_constant(e, (int8_t)c[1]);
    case CF_OP_ILOAD: return push_argument(e, c[1]);
    case CF_OP_ILOAD_0:
    case CF_OP_ILOAD_1:
    case CF_OP_ILOAD_2:
    case CF_OP_ILOAD_3: return push_argument(e, *c - CF_OP_ILOAD_0);
    case CF_OP_I2L: return e->depth > 0 && !e->stack[e->depth - 1].shift; /* an argument is as wide as it was */
    case CF_OP_LADD: return add(e);
    case CF_OP_LSHL: return shift_left(e);
    case CF_OP_POP:
    case CF_OP_POP2: return e->depth > 0 && e->depth--;
    default: return evaluate_pool(e, c, quick);
    }
}

static void consider_poke(Method *m) {
    Evaluation e = {.m = m};
    u4 at = 0;
    for (; at < m->code_len && m->code[at] != CF_OP_RETURN; at += cf_insn_length(m->code, m->code_len, at))
        if (!cf_insn_length(m->code, m->code_len, at) || !evaluate(&e, m->code + at, m->qcode[at])) return;
    if (!e.done || at + 1 != m->code_len) return;
    m->leaf = e.leaf;
    m->native_shape = (void *)(uintptr_t)e.where;
    become(m, MK_LEAF_POKE);
}

/* --- all --- */

void leaf_consider(Method *m) {
    if (!leaf_possible(m) || m->access & ACC_SYNCHRONIZED || !m->qcode || m->flags & MF_HAS_BREAKPOINT) return;
    if (m->flags & MF_EMPTY) become(m, m->flags & MF_OBJECT_INIT ? MK_LEAF_OBJECT_INIT : MK_LEAF_EMPTY);
    else if (m->code_len == 5) consider_getter(m);
    else if (m->ret_type == T_VOID && m->code[0] == CF_OP_GETSTATIC) consider_poke(m);
}
