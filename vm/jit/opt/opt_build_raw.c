/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: accesses by Unsafe, which is what VarHandles and atomic classes come to.
 *
 * A plain access of an object whose class is known, at the offset of a field, is a LOAD or STORE: so is what direct method handles, VarHandles and the methods
 * of records come to.  Others may be of a field, an element, or part of one, so nothing is known of what they touch: PEEK, POKE and the atomic ones
 * count as reading and writing everything, and stay where they are.  That is what one with acquire or release order needs; a volatile store has a FENCE
 * behind it.  Plain ones stay where they are, but what others read before is still so (Node.plain): behind a PEEK all of it, and behind a POKE at an
 * address, which no field has; behind a POKE into an array all but elements.
 *
 * Offsets that are no constants may be negative (fields outside of their objects, heap/records.h), and the base of a reference that is stored may be null: guards leave,
 * the interpreter makes the call.  Atomic accesses by an offset that is no constant are the C function's.
 */
#include "jit/opt/opt_build.h"
#include "jit/policy.h"
#include "object/method.h"
#include "quick/quick.h"
#include <string.h>

typedef struct Operands {
    Ref base, offset; /* 0: absolute; constant, in k */
    int64_t k;
} Operands;

/* The cell of the argument: the receiver is the first, base and offset, or an address, come behind it. */
static Ref guard(Build *b, Ref r) { return build_guard(b, OPT_NOT_NULL, EXIT_REDO, r, 0); }

static void not_negative(Build *b, Ref offset) {
    Ref r = build_guard(b, OPT_HOLDS, EXIT_REDO, offset, build_const(b, OT_LONG, 0));
    opt_node(b->o, r)->kind = COND_GE;
    opt_node(b->o, r)->from = OT_LONG;
}

/* False: a constant offset that no instruction has. */
static bool operands(Build *b, const Method *m, Operands *x) {
    *x = (Operands){.base = build_arg(b, m, 1), .offset = build_arg(b, m, 2)};
    const Node *base = opt_node(b->o, x->base), *offset = opt_node(b->o, x->offset);
    if (base->op == OPT_CONST && !base->k) x->base = 0;
    if (!x->base) return true;
    if (offset->op != OPT_CONST) return not_negative(b, x->offset), true;
    x->k = offset->k;
    x->offset = 0;
    return x->k >= 0 && opt_is_displacement(x->k);
}

static Ref access(Build *b, OptOp op, OptType type, const RawAccess *a, const Operands *x) {
    Ref r = build_add(b, op, type);
    Node *n = opt_node(b->o, r);
    n->kind = a->kind;
    n->in[0] = x->base;
    n->in[1] = x->offset;
    n->k = x->k;
    return r;
}

static void finish(Build *b, const Method *m, Ref r) {
    b->depth -= m->arg_slots;
    if (r) build_push(b, r);
}

/* The names of Unsafe's methods say it. */
static bool is_plain(const Method *m) {
    static const char *const orders[] = {"Volatile", "Acquire", "Release", "Opaque"};
    for (size_t i = 0; i < ARRAY_LEN(orders); i++)
        if (strstr(m->name->bytes, orders[i])) return false;
    return true;
}

static const Field *field_of(const Build *b, const Method *m, const RawAccess *a, const Operands *x, OptType type) {
    return x->base && !x->offset && is_plain(m) ? build_known_field(b, x->base, x->k, type, (MemKind)a->kind) : NULL;
}

static bool get(Build *b, const Method *m, const RawAccess *a, const Operands *x) {
    OptType type = opt_type_of((BasicType)m->ret_type);
    const Field *fd = field_of(b, m, a, x, type);
    if (fd) return finish(b, m, build_read_field(b, fd, x->base, guard(b, x->base))), true;
    Ref r = access(b, OPT_PEEK, type, a, x);
    opt_node(b->o, r)->plain = is_plain(m);
    if (a->bit)
        r = build_pure(b, OPT_USHR, OT_INT, build_pure(b, OPT_ADD, OT_INT, r, build_int(b, UINT8_MAX)),
                       build_int(b, 8)); /* any byte but 0 is true */
    finish(b, m, r);
    return true;
}

static bool put(Build *b, const Method *m, const RawAccess *a, const Operands *x, Ref value) {
    OptType type = (OptType)opt_node(b->o, value)->type;
    bool marks = type == OT_REF;
    if (marks && !x->base) return false;
    const Field *fd = field_of(b, m, a, x, type);
    bool known = fd && !(fd->access & ACC_FINAL); /* a STORE to a final that is trusted is the only one */
    Ref checked = marks || known ? guard(b, x->base) : 0;
    if (a->bit) value = build_pure(b, OPT_AND, OT_INT, value, build_const(b, OT_INT, 1));
    if (known) return build_write_field(b, fd, x->base, value, checked), finish(b, m, 0), true;
    Ref r = access(b, OPT_POKE, OT_NONE, a, x);
    opt_node(b->o, r)->in[2] = value;
    opt_node(b->o, r)->from = (u1)type;
    opt_node(b->o, r)->plain = is_plain(m) && !marks;
    if (a->fence) build_add(b, OPT_FENCE, OT_NONE);
    if (marks) opt_node(b->o, build_add(b, OPT_CARD, OT_NONE))->in[0] = x->base;
    finish(b, m, 0);
    return true;
}

static bool atomic(Build *b, const Method *m, OptOp op, const RawAccess *a, const Operands *x) {
    Ref first = build_arg(b, m, 4), second = op == OPT_CAS || op == OPT_CAX ? build_arg(b, m, a->kind == MEM_64 ? 6 : 5) : 0;
    OptType type = (OptType)opt_node(b->o, first)->type;
    if (!x->base || x->offset) return false;
    if (type == OT_REF) guard(b, x->base);
    Ref r = access(b, op, op == OPT_CAS ? OT_INT : type, a, x);
    Node *n = opt_node(b->o, r);
    n->from = (u1)type;
    n->in[1] = first;
    n->in[2] = second;
    if (type == OT_REF) opt_node(b->o, build_add(b, OPT_CARD, OT_NONE))->in[0] = x->base;
    finish(b, m, r);
    return true;
}

bool build_raw(Build *b, const Method *m) {
    RawAccess a;
    Operands x = {0};
    if (!base_raw_access(m, &a)) return false;
    if (a.op == RAW_FENCE) {
        build_add(b, a.fence ? OPT_FENCE : OPT_FRESH, OT_NONE);
        finish(b, m, 0);
        return true;
    }
    if (a.op == RAW_GET_AT || a.op == RAW_PUT_AT) x.offset = build_arg(b, m, 1);
    else if (!operands(b, m, &x)) return false;
    switch ((RawOp)a.op) {
    case RAW_GET_AT:
    case RAW_GET: return get(b, m, &a, &x);
    case RAW_PUT_AT: return put(b, m, &a, &x, build_arg(b, m, 3));
    case RAW_PUT: return put(b, m, &a, &x, build_arg(b, m, 4));
    case RAW_CAS: return atomic(b, m, OPT_CAS, &a, &x);
    case RAW_CAX: return atomic(b, m, OPT_CAX, &a, &x);
    case RAW_ADD: return atomic(b, m, OPT_ATOMIC_ADD, &a, &x);
    default: return atomic(b, m, OPT_ATOMIC_SWAP, &a, &x);
    }
}

/* A probe: what m does as MK_LEAF_POKE (quick/leaf.c).  Turns and repetitions are not counted together: who reads the counts may do so at any time. */
void build_count(Build *b, const Method *m) {
    const Leaf *leaf = &m->leaf;
    Ref index = build_convert(b, OT_LONG, OT_INT, build_top(b, m->arg_slots - leaf->from));
    Ref at = build_pure(b, OPT_SHL, OT_LONG, index, build_const(b, OT_INT, leaf->shift));
    at = build_pure(b, OPT_ADD, OT_LONG, at, build_const(b, OT_LONG, (int64_t)(uintptr_t)m->native_shape));
    bool adds = leaf->op == POKE_ADD_4 || leaf->op == POKE_ADD_8;
    Node *n = opt_node(b->o, build_add(b, adds ? OPT_ADD_COUNT : OPT_SET_COUNT, OT_NONE));
    n->in[0] = at;
    n->k = leaf->value;
    n->kind = leaf->op == POKE_PUT_1 ? MEM_U8 : leaf->op == POKE_PUT_4 || leaf->op == POKE_ADD_4 ? MEM_32 : MEM_64;
}
