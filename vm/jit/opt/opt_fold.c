/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: what is known of one node by its inputs alone.
 *
 * FORM    A node is changed until nothing changes any more; each change makes it simpler, so that ends (MOST_STEPS is for
 *         mistakes).  The inputs have been through this before.  Constants stand on the right; subtracting one is adding
 *         its opposite; constants that are added one after the other are one.  The only nodes that are made are
 *         constants: who walks a block need not care.
 * NUMBERS INT and LONG as Java has them (JVMS 6.5): sums wrap, counts of shifts are taken modulo the width, MIN / -1 is
 *         MIN.  Constants of type INT are sign-extended, so one comparison does for both types, the unsigned one too.
 * FLOATS  Two constants give a constant if the result is not NaN, for which of two NaNs an instruction hands on depends
 *         on the order of its operands, which nobody promises.  x + 0.0, x * 1.0 and the like stay: -0.0, and the bit
 *         that makes a NaN quiet, are seen by who looks at bits.
 * RANGES  opt_range says what INT and LONG are by what makes them: it looks at the node and constants, never further, so
 *         it costs nothing.
 * GUARDS  One that is known to hold is OPT_ALWAYS.  What makes it hold is a fact about its inputs wherever they are, not
 *         about where the guard is: nodes that would name it in `after` need not be pinned.
 */
#include "jit/opt/opt_pass.h"
#include "object/class.h"
#include "object/object.h"
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 16, MOST_DEPTH = 3 }; /* DEPTH: of inputs whose ranges are asked for */

static int64_t k_of(const Opt *o, Ref r) { return opt_node(o, r)->k; }
static const Node *input(const Opt *o, Ref r, u4 i) { return opt_node(o, opt_node(o, r)->in[i]); }
static bool is_k(const Opt *o, Ref r, int64_t k) { return opt_is_const(o, r) && k_of(o, r) == k; }
static int64_t wrap(OptType t, u8 v) { return t == OT_INT ? (int32_t)v : (int64_t)v; }
static u4 width_of(OptType t) { return t == OT_INT ? 32 : 64; }

/* r becomes x op y; it no longer relies on a guard unless it is still a division. */
static Ref becomes(Opt *o, Ref r, OptOp op, Ref x, Ref y) {
    Node *n = opt_node(o, r);
    n->op = (u1)op;
    n->in[0] = x;
    n->in[1] = y;
    if (op != OPT_DIV && op != OPT_REM) {
        n->after = 0;
        n->pinned = false;
    }
    return r;
}

/* The same with a constant, of which there may be none: then nothing has happened. */
static Ref becomes_k(Opt *o, Ref r, OptOp op, Ref x, OptType t, int64_t k) {
    Ref y = opt_const(o, t, k);
    return y ? becomes(o, r, op, x, y) : 0;
}
static Ref constant(Opt *o, Ref r, int64_t k) { return opt_const(o, (OptType)opt_node(o, r)->type, k); }

/* --- ranges --- */

OptRange opt_all_of(OptType t) { return t == OT_INT ? (OptRange){INT32_MIN, INT32_MAX} : (OptRange){INT64_MIN, INT64_MAX}; }

static OptRange narrow_range(MemKind k, bool boolean) {
    switch (k) {
    case MEM_S8: return (OptRange){INT8_MIN, INT8_MAX};
    case MEM_U8: return (OptRange){0, boolean ? 1 : UINT8_MAX};
    case MEM_S16: return (OptRange){INT16_MIN, INT16_MAX};
    case MEM_U16: return (OptRange){0, UINT16_MAX};
    default: return opt_all_of(OT_INT);
    }
}

/* x: what the first input is. */
static OptRange by_constant(const Node *n, OptRange x, int64_t k) {
    OptRange all = opt_all_of((OptType)n->type);
    u4 width = width_of((OptType)n->type), by = (u4)k & (width - 1);
    switch (n->op) {
    case OPT_AND:
        if (k < 0) return x.lo >= 0 ? (OptRange){0, x.hi} : all;
        return (OptRange){0, x.lo >= 0 && x.hi < k ? x.hi : k};
    case OPT_SHR: return (OptRange){x.lo >> by, x.hi >> by};
    case OPT_USHR:
        if (x.lo >= 0) return (OptRange){x.lo >> by, x.hi >> by};
        return by ? (OptRange){0, (int64_t)(UINT64_MAX >> (64 - width + by))} : all;
    case OPT_ADD:
        return x.lo >= all.lo - (k < 0 ? k : 0) && x.hi <= all.hi - (k > 0 ? k : 0) ? (OptRange){x.lo + k, x.hi + k} : all;
    case OPT_REM:
        if (k == 0 || k == all.lo) return all;
        k = k < 0 ? -k - 1 : k - 1;
        return (OptRange){-k, k};
    default: return all;
    }
}

static bool is_within(OptRange x, OptRange y) { return x.lo >= y.lo && x.hi <= y.hi; }

OptRange opt_range_with(const Opt *o, Ref r, OptRange x) {
    const Node *n = opt_node(o, r);
    OptRange narrow = narrow_range((MemKind)n->kind, true);
    if (n->op == OPT_NARROW) return is_within(x, narrow) ? x : narrow;
    bool by_k = (n->type == OT_INT || n->type == OT_LONG) && opt_is_const(o, n->in[1]);
    return by_k ? by_constant(n, x, k_of(o, n->in[1])) : opt_all_of((OptType)n->type);
}

static OptRange range(const Opt *o, Ref r, u4 depth) {
    const Node *n = opt_node(o, r);
    switch (n->op) {
    case OPT_CONST: return (OptRange){n->k, n->k};
    case OPT_LENGTH: return (OptRange){0, INT32_MAX};
    case OPT_CMP3:
    case OPT_FCMP3: return (OptRange){-1, 1};
    case OPT_INSTANCE_OF: return (OptRange){0, 1};
    case OPT_BITS: return n->kind == BITS_SWAPPED ? opt_all_of((OptType)n->type) : (OptRange){0, width_of((OptType)n->from)};
    case OPT_PHI: return n->type == OT_INT && n->k ? (OptRange){0, INT32_MAX} : opt_all_of((OptType)n->type);
    case OPT_LOAD:
    case OPT_ELEMENT: return n->type == OT_INT ? narrow_range((MemKind)n->kind, false) : opt_all_of((OptType)n->type);
    case OPT_UNSIGNED: return (OptRange){0, UINT32_MAX};
    case OPT_CONVERT: return opt_all_of(n->from == OT_INT && n->type == OT_LONG ? OT_INT : (OptType)n->type);
    case OPT_AND:
    case OPT_SHR:
    case OPT_USHR:
    case OPT_ADD:
    case OPT_REM:
    case OPT_NARROW: return opt_range_with(o, r, depth ? range(o, n->in[0], depth - 1) : opt_all_of((OptType)n->type));
    default: return opt_all_of((OptType)n->type);
    }
}

OptRange opt_range(const Opt *o, Ref r) { return range(o, r, MOST_DEPTH); }

/* --- comparisons --- */

bool opt_cond(Cond c, int64_t x, int64_t y) {
    switch (c) {
    case COND_EQ: return x == y;
    case COND_NE: return x != y;
    case COND_LT: return x < y;
    case COND_GE: return x >= y;
    case COND_GT: return x > y;
    case COND_LE: return x <= y;
    case COND_BELOW: return (u8)x < (u8)y;
    case COND_ABOVE_EQ: return (u8)x >= (u8)y;
    case COND_ABOVE: return (u8)x > (u8)y;
    default: return (u8)x <= (u8)y;
    }
}

Cond opt_swapped(Cond c) {
    switch (c) {
    case COND_LT: return COND_GT;
    case COND_GT: return COND_LT;
    case COND_GE: return COND_LE;
    case COND_LE: return COND_GE;
    case COND_BELOW: return COND_ABOVE;
    case COND_ABOVE: return COND_BELOW;
    case COND_ABOVE_EQ: return COND_BELOW_EQ;
    case COND_BELOW_EQ: return COND_ABOVE_EQ;
    default: return c;
    }
}

/* Where the unsigned order is the signed one: within one sign, and between them all negative ones are above. */
static bool unsigned_as_signed(OptRange x, OptRange y) { return (x.lo >= 0 && y.lo >= 0) || (x.hi < 0 && y.hi < 0); }

static int decide_below(OptRange x, OptRange y) {
    if (unsigned_as_signed(x, y)) return opt_decide_ranges(COND_LT, x, y);
    if (x.lo >= 0 && y.hi < 0) return 1;
    return x.hi < 0 && y.lo >= 0 ? 0 : -1;
}

static int opposite(int decided) { return decided < 0 ? -1 : !decided; }

int opt_decide_ranges(Cond c, OptRange x, OptRange y) {
    switch (c) {
    case COND_EQ:
        if (x.hi < y.lo || x.lo > y.hi) return 0;
        return x.lo == x.hi && y.lo == y.hi ? 1 : -1;
    case COND_LT:
        if (x.hi < y.lo) return 1;
        return x.lo >= y.hi ? 0 : -1;
    case COND_GT: return opt_decide_ranges(COND_LT, y, x);
    case COND_BELOW: return decide_below(x, y);
    case COND_ABOVE: return decide_below(y, x);
    case COND_NE:
    case COND_GE:
    case COND_LE:
    case COND_ABOVE_EQ:
    case COND_BELOW_EQ: return opposite(opt_decide_ranges(cond_opposite(c), x, y));
    default: return -1;
    }
}

static double to_double(int64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
static float to_float(int64_t bits) {
    u4 low = (u4)bits;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}
static int64_t double_bits(double d) {
    int64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}
static int64_t float_bits(float f) {
    u4 bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}
/* Floats are doubles exactly, but for which NaN. */
static double value_of(const Node *n) { return n->type == OT_FLOAT ? (double)to_float(n->k) : to_double(n->k); }

static int compare_floats(double x, double y, int unordered) { return x < y ? -1 : x > y ? 1 : x == y ? 0 : unordered; }

static int decide_floats(const Opt *o, const Node *n) {
    if (!opt_is_const(o, n->in[0]) || !opt_is_const(o, n->in[1])) return -1;
    double x = value_of(opt_node(o, n->in[0])), y = value_of(opt_node(o, n->in[1]));
    if (isnan(x) || isnan(y)) return n->k != 0;
    return opt_cond((Cond)n->kind, compare_floats(x, y, 0), 0);
}

static bool is_new(const Node *n) { return n->op == OPT_NEW || n->op == OPT_NEW_ARRAY || n->op == OPT_BOX; }
static bool never_null(const Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    return n->not_null || is_new(n) || (n->op == OPT_CONST && n->k);
}

static int decide_refs(const Opt *o, const Node *n) {
    Ref x = n->in[0], y = n->in[1];
    bool want = n->kind == COND_EQ;
    if (opt_is_const(o, x) && opt_is_const(o, y)) return (k_of(o, x) == k_of(o, y)) == want;
    if ((is_k(o, x, 0) && never_null(o, y)) || (is_k(o, y, 0) && never_null(o, x))) return !want;
    return -1;
}

static int decide_compare(const Opt *o, const Node *n) {
    if (n->in[0] == n->in[1]) return opt_cond((Cond)n->kind, 0, 0);
    if (n->from == OT_REF) return decide_refs(o, n);
    return opt_decide_ranges((Cond)n->kind, opt_range(o, n->in[0]), opt_range(o, n->in[1]));
}

/* --- types --- */

static bool is_subtype(const Class *s, const Class *t) { return class_is_subtype((Class *)s, (Class *)t); }
static bool is_object_class(const Class *c) { return !c->super && !class_is_interface(c) && !class_is_primitive(c); }

static int decide_null(const Opt *o, const Node *n) {
    if (is_k(o, n->in[0], 0)) return 0;
    return never_null(o, n->in[0]) ? 1 : -1;
}

static int decide_has_method(const Class *c, const Node *n) {
    if (!c) return -1;
    return n->k >= 0 && n->k < c->vtable_len && c->vtable[n->k] == n->method;
}

/* Null passes. */
static int decide_is_a(const Opt *o, const Node *n) {
    const Class *c = opt_node(o, n->in[0])->klass;
    if (is_k(o, n->in[0], 0)) return 1;
    if (!c) return -1;
    if (is_subtype(c, n->what)) return 1;
    return never_null(o, n->in[0]) ? 0 : -1;
}

static int decide_may_hold(const Opt *o, const Node *n) {
    const Class *array = opt_node(o, n->in[0])->klass, *of = opt_node(o, n->in[1])->klass;
    if (is_k(o, n->in[1], 0)) return 1;
    if (!array || !array->component) return -1;
    if (is_object_class(array->component)) return 1;
    return of && is_subtype(of, array->component) ? 1 : -1;
}

static int decide_instance_of(const Opt *o, const Node *n) {
    const Class *c = opt_node(o, n->in[0])->klass;
    if (is_k(o, n->in[0], 0)) return 0;
    if (!c) return -1;
    if (!is_subtype(c, n->what)) return 0;
    return never_null(o, n->in[0]) ? 1 : -1;
}

int opt_decide(const Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    const Class *c = opt_node(o, n->in[0])->klass;
    switch (n->op) {
    case OPT_IF:
    case OPT_HOLDS: return decide_compare(o, n);
    case OPT_FIF: return decide_floats(o, n);
    case OPT_NOT_NULL: return decide_null(o, n);
    case OPT_IN_BOUNDS: return opt_decide_ranges(COND_BELOW, opt_range(o, n->in[0]), opt_range(o, n->in[1]));
    case OPT_NOT_ZERO: return opt_decide_ranges(COND_NE, opt_range(o, n->in[0]), (OptRange){0, 0});
    case OPT_IS_CLASS: return c ? c == n->what : -1;
    case OPT_HAS_METHOD: return decide_has_method(c, n);
    case OPT_IS_A: return decide_is_a(o, n);
    case OPT_MAY_HOLD: return decide_may_hold(o, n);
    case OPT_INSTANCE_OF: return decide_instance_of(o, n);
    default: return -1;
    }
}

int opt_goes_to(const Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    if (n->op == OPT_IF || n->op == OPT_FIF) return opposite(opt_decide(o, r));
    if (n->op != OPT_SWITCH || !opt_is_const(o, n->in[0])) return -1;
    u4 n_keys = opt_block(o, n->block)->n_succs - 1;
    for (u4 i = 0; i < n_keys; i++)
        if (n->keys[i] == k_of(o, n->in[0])) return (int)i + 1;
    return 0;
}

/* --- INT and LONG: constants --- */

/* False: a division by zero, which its guard does not let happen. */
static bool compute(const Node *n, int64_t x, int64_t y, int64_t *result) {
    u8 v = (u8)x, w = (u8)y;
    u4 by = (u4)y & (width_of((OptType)n->type) - 1);
    switch (n->op) {
    case OPT_ADD: v += w; break;
    case OPT_SUB: v -= w; break;
    case OPT_MUL: v *= w; break;
    case OPT_AND: v &= w; break;
    case OPT_OR: v |= w; break;
    case OPT_XOR: v ^= w; break;
    case OPT_SHL: v <<= by; break;
    case OPT_SHR: v = (u8)(x >> by); break;
    case OPT_USHR: v = (n->type == OT_INT ? (u4)x : (u8)x) >> by; break;
    case OPT_CMP3: v = (u8)(int64_t)(x < y ? -1 : x > y); break;
    case OPT_DIV:
        if (!y) return false;
        v = y == -1 ? 0 - v : (u8)(x / y);
        break;
    case OPT_REM:
        if (!y) return false;
        v = y == -1 ? 0 : (u8)(x % y);
        break;
    default: return false;
    }
    *result = wrap((OptType)n->type, v);
    return true;
}

static bool commutes(u1 op) { return op == OPT_ADD || op == OPT_MUL || op == OPT_AND || op == OPT_OR || op == OPT_XOR; }

/* (x op c) op d */
static Ref reassociate(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    if (!commutes(n->op) || x->op != n->op || !opt_is_const(o, x->in[1])) return 0;
    int64_t k;
    if (!compute(n, k_of(o, x->in[1]), k_of(o, n->in[1]), &k)) return 0;
    return becomes_k(o, r, (OptOp)n->op, x->in[0], (OptType)n->type, k);
}

/* --- INT and LONG: the right operand is constant --- */

static bool is_power(OptType t, int64_t k, u4 *of) {
    u8 v = t == OT_INT ? (u4)k : (u8)k;
    if (!v || v & (v - 1)) return false;
    *of = (u4)__builtin_ctzll(v);
    return true;
}

static Ref multiply(Opt *o, Ref r, Ref x, int64_t k) {
    OptType t = (OptType)opt_node(o, r)->type;
    u4 power;
    if (k == 0) return constant(o, r, 0);
    if (k == 1) return x;
    if (k == -1) return becomes(o, r, OPT_NEG, x, 0);
    return is_power(t, k, &power) ? becomes_k(o, r, OPT_SHL, x, OT_INT, power) : 0;
}

static Ref divide(Opt *o, Ref r, Ref x, int64_t k) {
    OptType t = (OptType)opt_node(o, r)->type;
    u4 power;
    if (k == 1) return x;
    if (k == -1) return becomes(o, r, OPT_NEG, x, 0);
    if (k < 0 || !is_power(t, k, &power) || opt_range(o, x).lo < 0) return 0;
    return becomes_k(o, r, OPT_SHR, x, OT_INT, power);
}

static Ref remainder_of(Opt *o, Ref r, Ref x, int64_t k) {
    OptType t = (OptType)opt_node(o, r)->type;
    u4 power;
    if (k == 1 || k == -1) return constant(o, r, 0);
    if (k < 0 || !is_power(t, k, &power) || opt_range(o, x).lo < 0) return 0;
    return becomes_k(o, r, OPT_AND, x, t, k - 1);
}

/* All of x that is not cut off anyway stays. */
static Ref mask(Opt *o, Ref r, Ref x, int64_t k) {
    if (k == 0) return constant(o, r, 0);
    if (k == -1) return x;
    OptRange all = {0, k};
    const Node *n = opt_node(o, x);
    if (k == UINT32_MAX && n->op == OPT_CONVERT && n->from == OT_INT) return becomes(o, r, OPT_UNSIGNED, n->in[0], 0);
    return k > 0 && !(k & (k + 1)) && is_within(opt_range(o, x), all) ? x : 0;
}

/* i2b and i2s in Java's older clothes. */
static Ref sign_extend(Opt *o, Ref r, u4 by) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    if (n->op != OPT_SHR || n->type != OT_INT || x->op != OPT_SHL || (by != 24 && by != 16) || !is_k(o, x->in[1], by)) return 0;
    opt_node(o, r)->kind = by == 24 ? MEM_S8 : MEM_S16;
    return becomes(o, r, OPT_NARROW, x->in[0], 0);
}

/* Counts are those that the machine takes.  (x shift c) shift d. */
static Ref shift(Opt *o, Ref r, Ref x, int64_t k) {
    const Node *n = opt_node(o, r), *inner = opt_node(o, x);
    OptOp op = (OptOp)n->op;
    u4 width = width_of((OptType)n->type), by = (u4)k & (width - 1);
    if (by == 0) return x;
    if (by != k) return becomes_k(o, r, op, x, OT_INT, by);
    if (inner->op != op || !opt_is_const(o, inner->in[1])) return sign_extend(o, r, by);
    by += (u4)k_of(o, inner->in[1]) & (width - 1);
    if (by < width) return becomes_k(o, r, op, inner->in[0], OT_INT, by);
    return op == OPT_SHR ? becomes_k(o, r, op, inner->in[0], OT_INT, width - 1) : constant(o, r, 0);
}

static Ref with_constant(Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    Ref x = n->in[0], y = n->in[1];
    int64_t k = k_of(o, y);
    switch (n->op) {
    case OPT_ADD:
    case OPT_XOR: return k ? 0 : x;
    case OPT_SUB: return becomes_k(o, r, OPT_ADD, x, (OptType)n->type, wrap((OptType)n->type, 0 - (u8)k));
    case OPT_OR: return k == -1 ? y : k ? 0 : x;
    case OPT_AND: return mask(o, r, x, k);
    case OPT_MUL: return multiply(o, r, x, k);
    case OPT_DIV: return divide(o, r, x, k);
    case OPT_REM: return remainder_of(o, r, x, k);
    case OPT_SHL:
    case OPT_SHR:
    case OPT_USHR: return shift(o, r, x, k);
    default: return 0;
    }
}

/* --- INT and LONG: the left operand is constant, both are the same, one undoes the other --- */

static Ref from_constant(Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    Ref x = n->in[0];
    if (commutes(n->op)) return becomes(o, r, (OptOp)n->op, n->in[1], x);
    if (k_of(o, x) == 0 && n->op == OPT_SUB) return becomes(o, r, OPT_NEG, n->in[1], 0);
    bool stays = n->op == OPT_SHL || n->op == OPT_SHR || n->op == OPT_USHR || n->op == OPT_DIV || n->op == OPT_REM;
    return k_of(o, x) == 0 && stays ? x : 0;
}

static Ref with_itself(Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    switch (n->op) {
    case OPT_SUB:
    case OPT_XOR:
    case OPT_REM:
    case OPT_CMP3: return constant(o, r, 0);
    case OPT_DIV: return constant(o, r, 1); /* it is not 0 */
    case OPT_AND:
    case OPT_OR: return n->in[0];
    default: return 0;
    }
}

static Ref opposites(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0), *y = input(o, r, 1);
    if (n->op == OPT_ADD && y->op == OPT_NEG) return becomes(o, r, OPT_SUB, n->in[0], y->in[0]);
    if (n->op == OPT_ADD && x->op == OPT_NEG) return becomes(o, r, OPT_SUB, n->in[1], x->in[0]);
    if (n->op == OPT_ADD && x->op == OPT_SUB && x->in[1] == n->in[1]) return x->in[0];
    if (n->op == OPT_ADD && y->op == OPT_SUB && y->in[1] == n->in[0]) return y->in[0];
    if (n->op != OPT_SUB) return 0;
    if (y->op == OPT_NEG) return becomes(o, r, OPT_ADD, n->in[0], y->in[0]);
    if (x->op == OPT_ADD && x->in[1] == n->in[1]) return x->in[0];
    if (x->op == OPT_ADD && x->in[0] == n->in[1]) return x->in[1];
    return 0;
}

/* The machine takes counts modulo the width: x << (n & 31). */
static Ref bare_count(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *y = input(o, r, 1);
    int64_t low = width_of((OptType)n->type) - 1;
    if (n->op != OPT_SHL && n->op != OPT_SHR && n->op != OPT_USHR) return 0;
    if (y->op != OPT_AND || !opt_is_const(o, y->in[1]) || (k_of(o, y->in[1]) & low) != low) return 0;
    return becomes(o, r, (OptOp)n->op, n->in[0], y->in[0]);
}

static Ref fold_binary(Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    bool x = opt_is_const(o, n->in[0]), y = opt_is_const(o, n->in[1]);
    int64_t k;
    if (x && y) return compute(n, k_of(o, n->in[0]), k_of(o, n->in[1]), &k) ? constant(o, r, k) : 0;
    if (x) return from_constant(o, r);
    if (n->in[0] == n->in[1]) {
        Ref same = with_itself(o, r);
        if (same) return same;
    }
    if (!y) {
        Ref other = opposites(o, r);
        return other ? other : bare_count(o, r);
    }
    Ref other = with_constant(o, r);
    return other ? other : reassociate(o, r);
}

static Ref fold_neg(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    if (x->op == OPT_CONST) return constant(o, r, wrap((OptType)n->type, 0 - (u8)x->k));
    if (x->op == OPT_NEG) return x->in[0];
    return x->op == OPT_SUB ? becomes(o, r, OPT_SUB, x->in[1], x->in[0]) : 0;
}

/* --- FLOAT and DOUBLE --- */

static Ref float_constant(Opt *o, Ref r, double v) {
    if (isnan(v)) return 0;
    return constant(o, r, opt_node(o, r)->type == OT_FLOAT ? float_bits((float)v) : double_bits(v));
}

static float float_result(u1 op, float x, float y) {
    switch (op) {
    case OPT_FADD: return x + y;
    case OPT_FSUB: return x - y;
    case OPT_FMUL: return x * y;
    case OPT_FDIV: return x / y;
    default: return fmodf(x, y);
    }
}
static double double_result(u1 op, double x, double y) {
    switch (op) {
    case OPT_FADD: return x + y;
    case OPT_FSUB: return x - y;
    case OPT_FMUL: return x * y;
    case OPT_FDIV: return x / y;
    default: return fmod(x, y);
    }
}

/* Dividing by a power of two is multiplying by another one, if that is a normal number: both round the same exact value once. */
static Ref by_reciprocal(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *y = input(o, r, 1);
    if (n->op != OPT_FDIV || y->op != OPT_CONST) return 0;
    int exponent;
    double v = value_of(y), least = n->type == OT_FLOAT ? 0x1p-126 : 0x1p-1022, most = n->type == OT_FLOAT ? 0x1p126 : 0x1p1022;
    double size = fabs(v);
    if (!(size >= least && size <= most) || frexp(size, &exponent) != 0.5) return 0;
    double other = 1 / v;
    return becomes_k(o, r, OPT_FMUL, n->in[0], (OptType)n->type,
                     n->type == OT_FLOAT ? float_bits((float)other) : double_bits(other));
}

static Ref fold_float_binary(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0), *y = input(o, r, 1);
    if (x->op != OPT_CONST || y->op != OPT_CONST) return by_reciprocal(o, r);
    if (n->type == OT_FLOAT) return float_constant(o, r, float_result(n->op, to_float(x->k), to_float(y->k)));
    return float_constant(o, r, double_result(n->op, to_double(x->k), to_double(y->k)));
}

/* Sign bits are changed as bits, those of NaN too. */
static Ref fold_float_unary(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    u8 sign = n->type == OT_FLOAT ? 1u << 31 : 1ull << 63;
    if (x->op == OPT_CONST) {
        if (n->op == OPT_FNEG) return constant(o, r, (int64_t)((u8)x->k ^ sign));
        if (n->op == OPT_FABS) return constant(o, r, (int64_t)((u8)x->k & ~sign));
        return float_constant(o, r, n->type == OT_FLOAT ? sqrtf(to_float(x->k)) : sqrt(to_double(x->k)));
    }
    if (n->op == OPT_FNEG && x->op == OPT_FNEG) return x->in[0];
    if (n->op == OPT_FABS && x->op == OPT_FABS) return n->in[0];
    return n->op == OPT_FABS && x->op == OPT_FNEG ? becomes(o, r, OPT_FABS, x->in[0], 0) : 0;
}

static Ref fold_float_compare(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0), *y = input(o, r, 1);
    if (x->op != OPT_CONST || y->op != OPT_CONST) return 0;
    return constant(o, r, compare_floats(value_of(x), value_of(y), (int)n->k));
}

/* --- conversions --- */

static int64_t saturated(double v, OptRange all) {
    if (isnan(v)) return 0;
    if (v < (double)all.lo) return all.lo;
    return v >= -(double)all.lo ? all.hi : (int64_t)v; /* -lo is hi + 1, which is exact */
}

static Ref convert_constant(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    bool from_float = n->from == OT_FLOAT || n->from == OT_DOUBLE;
    if (opt_is_number((OptType)n->type)) {
        int64_t k = from_float ? saturated(value_of(x), opt_all_of((OptType)n->type)) : wrap((OptType)n->type, (u8)x->k);
        return constant(o, r, k);
    }
    if (from_float) return float_constant(o, r, n->type == OT_FLOAT ? (float)value_of(x) : value_of(x));
    return float_constant(o, r, n->type == OT_FLOAT ? (float)x->k : (double)x->k); /* rounds once, whatever the width */
}

static Ref fold_convert(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    if (x->op == OPT_CONST) return convert_constant(o, r);
    if (n->from != OT_LONG || n->type != OT_INT) return 0;
    if ((x->op == OPT_CONVERT && x->from == OT_INT) || x->op == OPT_UNSIGNED) return x->in[0];
    if (x->op != OPT_AND || !opt_is_const(o, x->in[1]) || (u4)k_of(o, x->in[1]) != UINT32_MAX) return 0;
    return becomes(o, r, OPT_CONVERT, x->in[0], 0);
}

static Ref fold_unsigned(Opt *o, Ref r) {
    const Node *x = input(o, r, 0);
    return x->op == OPT_CONST ? constant(o, r, (int64_t)(u4)x->k) : 0;
}

static u4 bits_kept(const Node *n) { return n->kind == MEM_U8 ? 1 : n->kind == MEM_S8 ? 8 : 16; }

static int64_t narrowed(MemKind k, int64_t v) {
    switch (k) {
    case MEM_U8: return v & 1;
    case MEM_S8: return (int8_t)v;
    case MEM_S16: return (int16_t)v;
    default: return (u2)v;
    }
}

Ref opt_without_narrowing(const Opt *o, Ref r, u4 low) {
    const Node *x = opt_node(o, r);
    bool low_stay = (x->op == OPT_NARROW && ((1u << bits_kept(x)) - 1) >= low) ||
                    (x->op == OPT_AND && x->type == OT_INT && opt_is_const(o, x->in[1]) && ((u4)k_of(o, x->in[1]) & low) == low);
    return low_stay ? x->in[0] : r;
}

static Ref fold_narrow(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    if (x->op == OPT_CONST) return constant(o, r, narrowed((MemKind)n->kind, x->k));
    if (is_within(opt_range(o, n->in[0]), narrow_range((MemKind)n->kind, true))) return n->in[0];
    Ref same = opt_without_narrowing(o, n->in[0], (1u << bits_kept(n)) - 1);
    return same != n->in[0] ? becomes(o, r, OPT_NARROW, same, 0) : 0;
}

static int64_t count_bits(OptBits kind, bool wide, int64_t x) {
    switch (kind) {
    case BITS_SET: return __builtin_popcountll(wide ? (u8)x : (u4)x);
    case BITS_LEADING: return wide ? (x ? __builtin_clzll((u8)x) : 64) : (u4)x ? __builtin_clz((u4)x) : 32;
    case BITS_TRAILING: return wide ? (x ? __builtin_ctzll((u8)x) : 64) : (u4)x ? __builtin_ctz((u4)x) : 32;
    default: return wide ? (int64_t)__builtin_bswap64((u8)x) : (int32_t)__builtin_bswap32((u4)x);
    }
}

static Ref fold_count(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    if (x->op == OPT_CONST) return constant(o, r, count_bits((OptBits)n->kind, n->from == OT_LONG, x->k));
    return n->kind == BITS_SWAPPED && x->op == OPT_BITS && x->kind == BITS_SWAPPED ? x->in[0] : 0;
}

static Ref fold_bits(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    if (x->op == OPT_FLOAT_BITS) return x->in[0];
    if (x->op != OPT_CONST) return 0;
    return constant(o, r, n->type == OT_INT ? (int32_t)x->k : n->type == OT_FLOAT ? (int64_t)(u4)x->k : x->k);
}

/* --- comparisons that end a block or guard --- */

/* IF CMP3(x, y) c 0 */
static Ref compare_longs(Opt *o, Ref r, const Node *x) {
    opt_node(o, r)->from = OT_LONG;
    return becomes(o, r, (OptOp)opt_node(o, r)->op, x->in[0], x->in[1]);
}

/* IF FCMP3(x, y) c 0: for NaN, FCMP3 is k. */
static Ref compare_to_fif(Opt *o, Ref r, const Node *x) {
    Node *n = opt_node(o, r);
    n->from = x->from;
    n->k = opt_cond((Cond)n->kind, x->k, 0);
    return becomes(o, r, OPT_FIF, x->in[0], x->in[1]);
}

static bool is_equality(const Node *n) { return n->kind == COND_EQ || n->kind == COND_NE; }

/* x is made by adding, subtracting: equality is of what is under it. */
static Ref under_sum(Opt *o, Ref r, const Node *x, int64_t k) {
    OptOp op = (OptOp)opt_node(o, r)->op;
    OptType t = (OptType)x->type;
    if (!is_equality(opt_node(o, r)) || x->op == OPT_CONST) return 0;
    if ((x->op == OPT_SUB || x->op == OPT_XOR) && k == 0) return becomes(o, r, op, x->in[0], x->in[1]);
    if (x->op != OPT_ADD && x->op != OPT_XOR) return 0;
    if (!opt_is_const(o, x->in[1])) return 0;
    int64_t c = k_of(o, x->in[1]);
    return becomes_k(o, r, op, x->in[0], t, x->op == OPT_XOR ? k ^ c : wrap(t, (u8)k - (u8)c));
}

/* Two LONGs that are INTs. */
static Ref under_convert(Opt *o, Ref r, const Node *x, const Node *y) {
    Node *n = opt_node(o, r);
    OptOp op = (OptOp)n->op;
    if (n->from != OT_LONG || x->op != OPT_CONVERT || x->from != OT_INT) return 0;
    if (y->op == OPT_CONVERT && y->from == OT_INT) {
        n->from = OT_INT;
        return becomes(o, r, op, x->in[0], y->in[0]);
    }
    if (y->op != OPT_CONST || y->k != (int32_t)y->k) return 0;
    Ref in = x->in[0];
    if (!becomes_k(o, r, op, in, OT_INT, y->k)) return 0;
    opt_node(o, r)->from = OT_INT;
    return r;
}

static Ref fold_compare(Opt *o, Ref r) {
    Node *n = opt_node(o, r);
    const Node *x = input(o, r, 0), *y = input(o, r, 1);
    if (x->op == OPT_CONST && y->op != OPT_CONST) {
        n->kind = (u1)opt_swapped((Cond)n->kind);
        return becomes(o, r, (OptOp)n->op, n->in[1], n->in[0]);
    }
    if (n->from == OT_REF) return 0;
    bool with_zero = y->op == OPT_CONST && y->k == 0, is_signed = n->kind <= COND_LE;
    if (x->op == OPT_CMP3 && with_zero && is_signed) return compare_longs(o, r, x);
    if (x->op == OPT_FCMP3 && with_zero && is_signed && n->op == OPT_IF) return compare_to_fif(o, r, x);
    Ref other = under_convert(o, r, x, y);
    return other || y->op != OPT_CONST ? other : under_sum(o, r, x, y->k);
}

/* --- the rest --- */

static Ref fold_length(Opt *o, Ref r) {
    const Node *x = input(o, r, 0);
    if (x->op == OPT_NEW_ARRAY) return x->in[0];
    if (x->op == OPT_CLONE) {
        opt_node(o, r)->in[0] = x->in[0];
        return r;
    }
    bool known = x->op == OPT_CONST && x->k && x->klass && class_is_array(x->klass);
    return known ? constant(o, r, ((const Array *)(uintptr_t)x->k)->length) : 0;
}

/* What a box has in it, and a constant one. */
static Ref fold_load(Opt *o, Ref r) {
    const Node *n = opt_node(o, r), *x = input(o, r, 0);
    if (!n->in[0]) return 0;
    if (x->op == OPT_BOX && n->k == x->k && n->type == x->from) return x->in[0];
    if (x->op != OPT_CONST || !x->k || !n->plain) return 0;
    const u1 *at = (const u1 *)(uintptr_t)x->k + n->k;
    if (n->type == OT_LONG) return constant(o, r, *(const int64_t *)at);
    return n->type == OT_INT && n->kind == MEM_32 ? constant(o, r, *(const int32_t *)at) : 0;
}

static Ref fold_class(Opt *o, Ref r) {
    const Class *c = input(o, r, 0)->klass;
    return c ? constant(o, r, (int64_t)(uintptr_t)c) : 0;
}

static Ref fold_phi(const Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    Ref only = 0;
    for (u4 i = 0, many = opt_block(o, n->block)->n_preds; i < many; i++) {
        if (n->args[i] == r || n->args[i] == only) continue;
        if (only || !n->args[i]) return 0;
        only = n->args[i];
    }
    return only;
}

static Ref fold_asked(Opt *o, Ref r) {
    int decided = opt_decide(o, r);
    return decided < 0 ? 0 : constant(o, r, decided);
}

bool opt_is_cheap(const Node *n) {
    if (n->pinned || n->after) return false;
    switch (n->op) {
    case OPT_ADD:
    case OPT_SUB:
    case OPT_AND:
    case OPT_OR:
    case OPT_XOR:
    case OPT_SHL:
    case OPT_SHR:
    case OPT_USHR:
    case OPT_NEG:
    case OPT_UNSIGNED:
    case OPT_NARROW: return true;
    case OPT_CONVERT: return opt_is_number((OptType)n->from) && opt_is_number((OptType)n->type);
    default: return false;
    }
}

/* 0: nothing to do; r: it was changed; or what it is. */
static Ref step(Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    if (opt_does(n) & OPT_GUARD && opt_decide(o, r) == 1) return OPT_ALWAYS;
    switch (n->op) {
    case OPT_PHI: return fold_phi(o, r);
    case OPT_ADD:
    case OPT_SUB:
    case OPT_MUL:
    case OPT_AND:
    case OPT_OR:
    case OPT_XOR:
    case OPT_SHL:
    case OPT_SHR:
    case OPT_USHR:
    case OPT_DIV:
    case OPT_REM:
    case OPT_CMP3: return fold_binary(o, r);
    case OPT_NEG: return fold_neg(o, r);
    case OPT_FADD:
    case OPT_FSUB:
    case OPT_FMUL:
    case OPT_FDIV:
    case OPT_FREM: return fold_float_binary(o, r);
    case OPT_FNEG:
    case OPT_FABS:
    case OPT_FSQRT: return fold_float_unary(o, r);
    case OPT_FCMP3: return fold_float_compare(o, r);
    case OPT_CONVERT: return fold_convert(o, r);
    case OPT_UNSIGNED: return fold_unsigned(o, r);
    case OPT_NARROW: return fold_narrow(o, r);
    case OPT_FLOAT_BITS: return fold_bits(o, r);
    case OPT_BITS: return fold_count(o, r);
    case OPT_IF:
    case OPT_HOLDS: return fold_compare(o, r);
    case OPT_LOAD: return fold_load(o, r);
    case OPT_LENGTH: return fold_length(o, r);
    case OPT_CLASS: return fold_class(o, r);
    case OPT_INSTANCE_OF: return fold_asked(o, r);
    default: return 0;
    }
}

Ref opt_fold(Opt *o, Ref r) {
    for (u4 i = 0; i < MOST_STEPS && !o->no_memory; i++) {
        Ref is = step(o, r);
        if (is && is != r) return is;
        if (!is) break;
    }
    return r;
}
