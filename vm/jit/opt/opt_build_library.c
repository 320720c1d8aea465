/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: methods of the class library that C stands for (native/intrinsic/intrinsic.def), as nodes.  They are known by their functions, as in
 * base_intrinsic.c.  What throws leaves, and the interpreter makes the call (EXIT_REDO), with its frame.  For others the C function is called from the
 * code (opt_build_quick.c).
 */
#include "jit/opt/opt_build.h"
#include "jit/policy.h"
#include "lang/javaclasses.h"
#include "native/intrinsic/intrinsic_int.h"
#include "object/class.h"
#include "object/method.h"
#include <string.h>

/* --- Math --- */

static Ref bits(Build *b, OptType from, Ref x, OptBits kind) {
    Ref r = opt_new(b->o, OPT_BITS, kind == BITS_SWAPPED ? from : OT_INT);
    Node *n = opt_node(b->o, r);
    n->in[0] = x;
    n->from = (u1)from;
    n->kind = (u1)kind;
    return build_finish(b, r);
}

static Ref without_sign(Build *b, Ref x) {
    return build_pure(b, OPT_AND, OT_LONG, build_convert(b, OT_LONG, OT_INT, x), build_const(b, OT_LONG, 0xffffffff));
}

/* The count of zeros before it shifts the highest bit there is; of 0 it is the width, which shifts nothing. */
static Ref highest_one(Build *b, OptType t, Ref x) {
    Ref top = build_const(b, t, t == OT_INT ? INT32_MIN : INT64_MIN);
    return build_pure(b, OPT_AND, t, build_pure(b, OPT_USHR, t, top, bits(b, t, x, BITS_LEADING)), x);
}

/* Neighbours change places, then pairs, then halves of bytes, then bytes. */
static Ref reversed(Build *b, OptType t, Ref x) {
    static const u8 masks[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f};
    for (int i = 0; i < 3; i++) {
        Ref mask = build_const(b, t, t == OT_INT ? (int32_t)masks[i] : (int64_t)masks[i]), by = build_int(b, 1 << i);
        Ref up = build_pure(b, OPT_SHL, t, build_pure(b, OPT_AND, t, x, mask), by);
        Ref down = build_pure(b, OPT_AND, t, build_pure(b, OPT_USHR, t, x, by), mask);
        x = build_pure(b, OPT_OR, t, up, down);
    }
    return bits(b, t, x, BITS_SWAPPED);
}

static bool whole_numbers(Build *b, const Method *m) {
    static const struct {
        VmNative fn;
        u1 from, kind;
    } rows[] = {{int_bit_count, OT_INT, BITS_SET},         {long_bit_count, OT_LONG, BITS_SET},
                {int_nlz, OT_INT, BITS_LEADING},           {long_nlz, OT_LONG, BITS_LEADING},
                {int_ntz, OT_INT, BITS_TRAILING},          {long_ntz, OT_LONG, BITS_TRAILING},
                {int_reverse_bytes, OT_INT, BITS_SWAPPED}, {long_reverse_bytes, OT_LONG, BITS_SWAPPED}};
    VmNative fn = m->vm_native;
    Ref x = m->arg_slots ? build_arg(b, m, 0) : 0, low = build_const(b, OT_LONG, INT64_MIN);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (fn != rows[i].fn) continue;
        if (rows[i].kind == BITS_SET && !asm_counts_bits(&asm_features)) return false;
        return build_answer(b, m, bits(b, (OptType)rows[i].from, x, (OptBits)rows[i].kind)), true;
    }
    if (fn == int_reverse || fn == long_reverse)
        return build_answer(b, m, reversed(b, fn == int_reverse ? OT_INT : OT_LONG, x)), true;
    if (fn == int_highest_one || fn == long_highest_one)
        return build_answer(b, m, highest_one(b, fn == int_highest_one ? OT_INT : OT_LONG, x)), true;
    if (fn == int_compare_unsigned)
        return build_answer(b, m, build_pure(b, OPT_CMP3, OT_INT, without_sign(b, x), without_sign(b, build_arg(b, m, 1)))), true;
    if (fn == long_compare_unsigned)
        return build_answer(b, m,
                            build_pure(b, OPT_CMP3, OT_INT, build_pure(b, OPT_XOR, OT_LONG, x, low),
                                       build_pure(b, OPT_XOR, OT_LONG, build_arg(b, m, 2), low))),
               true;
    return false;
}

/* Powers that are products are so in every tier (math_pow). */
static bool power(Build *b, const Method *m) {
    const double two = 2.0;
    if (m->vm_native != math_pow) return false;
    const Node *y = opt_node(b->o, build_arg(b, m, 2));
    Ref x = build_arg(b, m, 0);
    if (y->op != OPT_CONST || memcmp(&y->k, &two, sizeof two) != 0) return false;
    return build_answer(b, m, build_pure(b, OPT_FMUL, OT_DOUBLE, x, x)), true;
}

static bool rounded(Build *b, const Method *m) {
    VmNative fn = m->vm_native;
    if ((fn != math_floor && fn != math_ceil && fn != math_rint) || !asm_rounds(&asm_features)) return false;
    Ref x = build_arg(b, m, 0), r = opt_new(b->o, OPT_FROUND, OT_DOUBLE);
    opt_node(b->o, r)->in[0] = x;
    opt_node(b->o, r)->kind = fn == math_floor ? ROUND_DOWN : fn == math_ceil ? ROUND_UP : ROUND_NEAREST;
    build_answer(b, m, build_finish(b, r));
    return true;
}

static bool math(Build *b, const Method *m) {
    OptType t = opt_type_of((BasicType)m->ret_type);
    Ref x = build_arg(b, m, 0), y = m->arg_slots > 1 ? build_arg(b, m, opt_is_wide(t) ? 2 : 1) : 0, bits;
    VmNative fn = m->vm_native;
    if (fn == math_sqrt) return build_answer(b, m, build_pure(b, OPT_FSQRT, OT_DOUBLE, x, 0)), true;
    if (fn == math_abs_float || fn == math_abs_double) return build_answer(b, m, build_pure(b, OPT_FABS, t, x, 0)), true;
    if (fn == math_abs_int || fn == math_abs_long) { /* (x ^ s) - s, s being all of the sign */
        bits = build_pure(b, OPT_SHR, t, x, build_int(b, t == OT_INT ? 31 : 63));
        return build_answer(b, m, build_pure(b, OPT_SUB, t, build_pure(b, OPT_XOR, t, x, bits), bits)), true;
    }
    if (fn == math_min_float || fn == math_min_double) return build_answer(b, m, build_pure(b, OPT_FMIN, t, x, y)), true;
    if (fn == math_max_float || fn == math_max_double) return build_answer(b, m, build_pure(b, OPT_FMAX, t, x, y)), true;
    if (fn == math_min_int || fn == math_min_long) return build_answer(b, m, build_choose(b, COND_LE, t, x, y, x, y)), true;
    if (fn == math_max_int || fn == math_max_long) return build_answer(b, m, build_choose(b, COND_GE, t, x, y, x, y)), true;
    if (fn == int_rotate_left || fn == int_rotate_right || fn == long_rotate_left || fn == long_rotate_right) {
        bool left = fn == int_rotate_left || fn == long_rotate_left;
        y = build_arg(b, m, opt_is_wide(t) ? 2 : 1);
        Ref back = build_pure(b, OPT_NEG, OT_INT, y, 0);
        Ref up = build_pure(b, OPT_SHL, t, x, left ? y : back), down = build_pure(b, OPT_USHR, t, x, left ? back : y);
        return build_answer(b, m, build_pure(b, OPT_OR, t, up, down)), true;
    }
    return false;
}

static Ref as_bits(Build *b, Ref x, OptType t) {
    Ref r = opt_new(b->o, OPT_FLOAT_BITS, t);
    opt_node(b->o, r)->in[0] = x;
    opt_node(b->o, r)->from = opt_node(b->o, x)->type;
    return build_finish(b, r);
}

static bool raw_bits(Build *b, const Method *m) {
    VmNative fn = m->vm_native;
    if (fn != float_to_raw_bits && fn != double_to_raw_bits && fn != float_from_bits && fn != double_from_bits) return false;
    build_answer(b, m, as_bits(b, build_arg(b, m, 0), opt_type_of((BasicType)m->ret_type)));
    return true;
}

/* All that are no numbers are one. */
static bool bits_of(Build *b, const Method *m) {
    bool wide = m->vm_native == double_to_bits;
    if (!wide && m->vm_native != float_to_bits) return false;
    OptType t = wide ? OT_LONG : OT_INT;
    Ref r = as_bits(b, build_arg(b, m, 0), t);
    Ref all = build_const(b, t, wide ? INT64_MAX : INT32_MAX),
        infinite = build_const(b, t, wide ? 0x7ff0000000000000 : 0x7f800000);
    Ref none = build_const(b, t, wide ? 0x7ff8000000000000 : 0x7fc00000);
    build_answer(b, m, build_choose(b, COND_GT, t, build_pure(b, OPT_AND, t, r, all), infinite, none, r));
    return true;
}

/* --- strings: the receiver was checked --- */

/* Of a constant they are constants: a String keeps what it has.  On ways that are never taken a constant may be of any class. */
const Object *build_known_string(const Build *b, Ref s) {
    const Node *n = opt_node(b->o, s);
    return n->op == OPT_CONST && n->k && n->klass == JC(String) ? (const Object *)(uintptr_t)n->k : NULL;
}

static Ref text(Build *b, Ref s) {
    const Object *known = build_known_string(b, s);
    if (known) return build_const(b, OT_REF, (int64_t)(uintptr_t)JGET_REF(known, String, value));
    return build_load_text(b, s, b->checked);
}
static Ref coder(Build *b, Ref s) {
    const Object *known = build_known_string(b, s);
    if (known) return build_int(b, OBJ_FIELD(int8_t, known, jc_off.String_coder));
    return build_load_field(b, s, JC(String), jc_off.String_coder, b->checked);
}

Ref build_length(Build *b, Ref array) {
    Ref r = opt_new(b->o, OPT_LENGTH, OT_INT);
    opt_node(b->o, r)->in[0] = array;
    return build_finish(b, r);
}

static Ref element(Build *b, Ref array, Ref i, MemKind kind, Ref guard) {
    Ref r = opt_new(b->o, OPT_ELEMENT, OT_INT);
    Node *n = opt_node(b->o, r);
    n->kind = (u1)kind;
    n->in[0] = array;
    n->in[1] = i;
    n->after = guard;
    opt_insert_end(b->o, b->cur, r);
    return r;
}

static Ref in_bounds(Build *b, Ref i, Ref length) { return build_guard(b, OPT_IN_BOUNDS, EXIT_REDO, i, length); }

/* A letter that there is on this way alone: of bytes, without sign; or of two bytes each. */
static Ref letter(Build *b, Ref value, Ref i, MemKind kind, Ref guard) {
    Ref r = element(b, value, i, kind, guard);
    opt_node(b->o, r)->pinned = true;
    return kind == MEM_S8 ? build_pure(b, OPT_AND, OT_INT, r, build_int(b, 0xff)) : r;
}

/* The bound is what length() gives, so a loop up to that has asked already; and one question does for both ways. */
static void char_at(Build *b, const Method *m) {
    Ref s = build_arg(b, m, 0), i = build_arg(b, m, 1), value = text(b, s), kind = coder(b, s), args[2];
    Ref guard = in_bounds(b, i, build_pure(b, OPT_SHR, OT_INT, build_length(b, value), kind));
    BlockRef to[2];
    build_fork(b, COND_EQ, OT_INT, kind, build_int(b, 0), to);
    b->cur = to[0];
    args[0] = letter(b, value, i, MEM_S8, guard);
    BlockRef meet = build_meet(b);
    b->cur = to[1];
    args[1] = letter(b, value, i, MEM_U16, guard);
    build_go(b, meet);
    b->cur = meet;
    build_answer(b, m, build_phi(b, meet, OT_INT, args, 2));
}

static bool string(Build *b, const Method *m) {
    VmNative fn = m->vm_native;
    Ref s = m->arg_slots ? build_arg(b, m, 0) : 0;
    if (fn == string_length_n) build_answer(b, m, build_pure(b, OPT_SHR, OT_INT, build_length(b, text(b, s)), coder(b, s)));
    else if (fn == string_is_empty)
        build_answer(
            b, m,
            build_choose(b, COND_EQ, OT_INT, build_length(b, text(b, s)), build_int(b, 0), build_int(b, 1), build_int(b, 0)));
    else if (fn == string_coder) build_answer(b, m, coder(b, s));
    else return false;
    return true;
}

void build_decide(Build *b, Ways *w, Cond cond, OptType t, Ref x, Ref y, int32_t value) {
    BlockRef to[2];
    build_fork(b, cond, t, x, y, to);
    b->cur = to[0];
    build_arrive(b, w, build_int(b, value));
    b->cur = to[1];
}

void build_arrive(Build *b, Ways *w, Ref value) {
    if (w->meet) build_go(b, w->meet);
    else w->meet = build_meet(b);
    w->args[w->n++] = value;
}

void build_ask_c(Build *b, Ways *w, Method *m, bool seldom) {
    if (seldom) opt_block(b->o, b->cur)->seldom = true;
    build_arrive(b, w, build_quick_result(b, m));
    b->cur = w->meet;
    build_answer(b, m, build_phi(b, w->meet, OT_INT, w->args, w->n));
}

/* A String's array, its length and coder; those of one that is known are constants. */
typedef struct Text {
    Ref value, length, coder;
    const Object *known; /* the array */
} Text;

/* Behind a branch that says that it is one, not a guard. */
static Text text_of(Build *b, Ref s) {
    const Object *o = build_known_string(b, s);
    if (o) {
        const Object *v = JGET_REF(o, String, value);
        return (Text){build_const(b, OT_REF, (int64_t)(uintptr_t)v), build_int(b, array_len(v)),
                      build_int(b, OBJ_FIELD(int8_t, o, jc_off.String_coder)), v};
    }
    Text t = {.value = build_pinned(b, build_load_text(b, s, 0))};
    t.length = build_pinned(b, build_length(b, t.value));
    t.coder = build_pinned(b, build_load_field(b, s, JC(String), jc_off.String_coder, 0));
    return t;
}

/* The eight bytes in front of end + k in the array; in front of the first element is the header.  In order: the last are the highest. */
static Ref word_before(Build *b, Ref array, Ref end, int64_t k) {
    const Node *x = opt_node(b->o, end);
    k += ARRAY_BASE - (int64_t)sizeof(u8);
    bool known = x->op == OPT_CONST && opt_is_displacement(k + x->k);
    if (known) k += x->k;
    end = known ? 0 : build_convert(b, OT_LONG, OT_INT, end);
    Ref r = build_add(b, OPT_PEEK, OT_LONG);
    Node *n = opt_node(b->o, r);
    n->in[0] = array;
    n->in[1] = end;
    n->k = k;
    n->kind = MEM_64;
    n->plain = true;
    return r;
}

/* The first eight bytes; there is room for them behind the header of each array that is not empty.  What is not the text's may be anything. */
static Ref first_word(Build *b, const Text *t) {
    if (t->known && array_len(t->known)) {
        int64_t k = 0;
        size_t bytes = (size_t)array_len(t->known);
        memcpy(&k, array_data(t->known), bytes < sizeof k ? bytes : sizeof k);
        return build_const(b, OT_LONG, k);
    }
    return word_before(b, t->value, build_int(b, sizeof(u8)), 0);
}

/* String.equals: texts that differ do so by their length, or in the first eight bytes, nearly always; the last eight decide for up to 16, for longer ones the
 * C function. */
static bool string_equals(Build *b, Method *m) {
    if (m->vm_native != string_equals_n) return false;
    Ref s = build_arg(b, m, 0), other = build_arg(b, m, 1), is = opt_new(b->o, OPT_INSTANCE_OF, OT_INT), no = build_int(b, 0);
    Ways w = {0};
    build_decide(b, &w, COND_EQ, OT_REF, s, other, 1);
    opt_node(b->o, is)->in[0] = other;
    opt_node(b->o, is)->what = JC(String);
    build_decide(b, &w, COND_EQ, OT_INT, build_finish(b, is), no, 0);
    Text x = text_of(b, s), y = text_of(b, other);
    Ref bytes = x.known ? x.length : y.length;
    build_decide(b, &w, COND_NE, OT_INT, x.length, y.length, 0);
    build_decide(b, &w, COND_NE, OT_INT, x.coder, y.coder, 0);
    build_decide(b, &w, COND_EQ, OT_INT, bytes, no, 1);
    Ref differ = build_pure(b, OPT_XOR, OT_LONG, first_word(b, &x), first_word(b, &y));
    BlockRef to[2];
    build_fork(b, COND_GT, OT_INT, bytes, build_int(b, sizeof(u8)), to);
    b->cur = to[1];
    Ref behind = build_pure(b, OPT_SHL, OT_INT, build_pure(b, OPT_NEG, OT_INT, bytes, 0), build_int(b, 3));
    build_decide(b, &w, COND_EQ, OT_LONG, build_pure(b, OPT_SHL, OT_LONG, differ, behind), build_const(b, OT_LONG, 0), 1);
    build_arrive(b, &w, no);
    b->cur = to[0];
    build_decide(b, &w, COND_NE, OT_LONG, differ, build_const(b, OT_LONG, 0), 0);
    build_fork(b, COND_GT, OT_INT, bytes, build_int(b, 2 * sizeof(u8)), to);
    b->cur = to[1];
    Ref last = word_before(b, x.value, bytes, 0);
    build_decide(b, &w, COND_EQ, OT_LONG, last, word_before(b, y.value, bytes, 0), 1);
    build_arrive(b, &w, no);
    b->cur = to[0];
    build_ask_c(b, &w, m, false);
    return true;
}

/* String.startsWith(prefix, from), which endsWith is, too, of a short prefix that is known: lengths and a word of eight bytes decide. */
static bool string_begins(Build *b, Method *m) {
    const Object *known = build_known_string(b, build_arg(b, m, 1));
    Ref from = build_arg(b, m, 2);
    if (!known || OBJ_FIELD(int8_t, known, jc_off.String_coder)) return false;
    Text prefix = text_of(b, build_arg(b, m, 1));
    int32_t n = array_len(prefix.known);
    if (n < 1 || n > (int32_t)sizeof(u8)) return false;
    Text x = text_of(b, build_arg(b, m, 0));
    Ref no = build_int(b, 0);
    Ways w = {0};
    BlockRef to[2];
    build_fork(b, COND_EQ, OT_INT, x.coder, no, to);
    b->cur = to[0];
    build_decide(b, &w, COND_LT, OT_INT, from, no, 0);
    build_decide(b, &w, COND_LT, OT_INT, build_pure(b, OPT_SUB, OT_INT, x.length, prefix.length), from, 0);
    Ref is = word_before(b, x.value, from, n), in_front = build_int(b, 64 - 8 * n);
    build_decide(b, &w, COND_EQ, OT_LONG, build_pure(b, OPT_USHR, OT_LONG, is, in_front), first_word(b, &prefix), 1);
    build_arrive(b, &w, no);
    b->cur = to[1];
    build_ask_c(b, &w, m, true);
    return true;
}

/* --- identity hash codes --- */

/* Object.hashCode and System.identityHashCode: the C function answers where nobody asked the object before. */
static bool identity_hash(Build *b, Method *m) {
    bool of_any = m->vm_native == system_identity_hash;
    if (m->vm_native != object_hash_code && !of_any) return false;
    Ref o = build_arg(b, m, 0);
    Ways w = {0};
    BlockRef to[2];
    if (of_any) build_decide(b, &w, COND_EQ, OT_REF, o, build_const(b, OT_REF, 0), 0);
    Ref hash = opt_new(b->o, OPT_IDENTITY_HASH, OT_INT);
    opt_node(b->o, hash)->in[0] = o;
    opt_node(b->o, hash)->after = of_any ? 0 : b->checked;
    opt_node(b->o, hash)->pinned = of_any;
    hash = build_finish(b, hash);
    build_fork(b, COND_NE, OT_INT, hash, build_int(b, 0), to);
    b->cur = to[0];
    build_arrive(b, &w, hash);
    b->cur = to[1];
    build_ask_c(b, &w, m, true);
    return true;
}

/* --- classes --- */

static const Class *class_of_mirror(const Build *b, u4 n) {
    const Object *mirror = build_constant(b, n);
    return mirror && obj_class(mirror) == JC(Class) ? mirror_class(mirror) : NULL;
}

static bool flag_of(Build *b, const Method *m, u4 flag) {
    const Class *k = class_of_mirror(b, 1);
    if (!k) return false;
    build_answer(b, m, build_int(b, (k->flags & flag) != 0));
    return true;
}

static bool is_instance(Build *b, const Method *m) {
    const Class *k = class_of_mirror(b, 2);
    if (!k || class_is_primitive(k)) return false;
    Ref r = opt_new(b->o, OPT_INSTANCE_OF, OT_INT);
    opt_node(b->o, r)->in[0] = build_top(b, 1);
    opt_node(b->o, r)->what = (Class *)k;
    build_answer(b, m, build_finish(b, r));
    return true;
}

static bool cast(Build *b, const Method *m) {
    const Class *k = class_of_mirror(b, 2);
    if (!k || class_is_primitive(k)) return false;
    Ref o = build_top(b, 1);
    opt_node(b->o, build_guard(b, OPT_IS_A, EXIT_REDO, o, 0))->what = (Class *)k;
    build_answer(b, m, o);
    return true;
}

static void get_class(Build *b, const Method *m) {
    Ref klass = opt_new(b->o, OPT_CLASS, OT_LONG);
    opt_node(b->o, klass)->in[0] = build_top(b, 1);
    opt_node(b->o, klass)->after = b->checked;
    klass = build_finish(b, klass);
    const Node *k = opt_node(b->o, klass);
    if (k->op == OPT_CONST)
        return build_answer(b, m, build_const(b, OT_REF, (int64_t)(uintptr_t)((const Class *)(uintptr_t)k->k)->mirror));
    Ref mirror = build_load(b, OT_REF, MEM_64, klass, offsetof(Class, mirror), 0);
    opt_node(b->o, mirror)->not_null = true;
    opt_node(b->o, mirror)->klass = JC(Class);
    build_answer(b, m, mirror);
}

/* Unsafe.allocateInstance of a class that is known: what constructors of handles begin with. */
static bool allocate(Build *b, const Method *m) {
    const Class *k = class_of_mirror(b, 1);
    if (!k || k->flags & CF_NEVER_ALLOC_FAST || !class_is_initialized(k)) return false;
    State *s = build_state(b);
    Ref r = build_add(b, OPT_NEW, OT_REF);
    Node *n = opt_node(b->o, r);
    n->what = (Class *)k;
    n->klass = k;
    n->not_null = true;
    n->state = s;
    n->n_args = m->arg_slots + b->above;
    build_note_made(b, r);
    build_answer(b, m, r);
    return true;
}

/* Unsafe.allocateUninitializedArray of a known type; nothing that is made has anything in it. */
static bool allocate_array(Build *b, const Method *m) {
    const Class *k = class_of_mirror(b, 2);
    if (!k || !class_is_primitive(k) || k->elem_type == T_VOID) return false;
    State *s = build_state(b);
    Ref length = build_top(b, 1), guard = build_guard(b, OPT_HOLDS, EXIT_REDO, length, build_int(b, 0));
    opt_node(b->o, guard)->kind = COND_GE;
    opt_node(b->o, guard)->from = OT_INT;
    Ref r = build_add(b, OPT_NEW_ARRAY, OT_REF);
    Node *n = opt_node(b->o, r);
    n->in[0] = length;
    n->what = (Class *)k;
    n->klass = primitive_array_classes[k->elem_type];
    n->not_null = true;
    n->state = s;
    n->n_args = m->arg_slots + b->above;
    build_answer(b, m, r);
    return true;
}

/* In a body it is known who calls it. */
static bool caller_class(Build *b, const Method *m) {
    const Build *x = b->outer;
    while (x && method_is_reflection(x->m)) x = x->outer;
    if (!x || !(b->m->flags & MF_CALLER_SENSITIVE)) return false;
    build_answer(b, m, build_const(b, OT_REF, (int64_t)(uintptr_t)x->m->holder->mirror));
    return true;
}

/* A collection clears it at a poll, so it is read each time. */
static Ref referent(Build *b, const Method *m) {
    Ref r = build_add(b, OPT_PEEK, OT_REF);
    Node *n = opt_node(b->o, r);
    n->in[0] = build_arg(b, m, 0);
    n->k = (int64_t)jc_off.Reference_referent;
    n->kind = MEM_32;
    return r;
}

static bool reference(Build *b, const Method *m) {
    if (m->vm_native == reference_get) return build_answer(b, m, referent(b, m)), true;
    if (m->vm_native != reference_refers_to) return false;
    Ref is = build_choose(b, COND_EQ, OT_REF, referent(b, m), build_arg(b, m, 1), build_int(b, 1), build_int(b, 0));
    return build_answer(b, m, is), true;
}

static void current_thread(Build *b, const Method *m) {
    Ref r = opt_new(b->o, OPT_THREAD, OT_REF);
    opt_node(b->o, r)->not_null = true;
    build_answer(b, m, build_finish(b, r));
}

static bool of_class(Build *b, const Method *m) {
    VmNative fn = m->vm_native;
    if (fn == class_is_array_n) return flag_of(b, m, CF_ARRAY);
    if (fn == class_is_primitive_n) return flag_of(b, m, CF_PRIMITIVE);
    if (fn == class_is_hidden_n) return flag_of(b, m, CF_HIDDEN);
    if (fn == class_is_instance) return is_instance(b, m);
    if (fn == unsafe_allocate_instance) return allocate(b, m);
    if (fn == reflection_caller_class) return caller_class(b, m);
    if (fn == object_get_class) return get_class(b, m), true;
    if (fn == thread_current_thread) return current_thread(b, m), true;
    return reference(b, m);
}

bool build_library(Build *b, Method *m) {
    MethodKind kind = (MethodKind)__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    bool done = false;
    if (kind == MK_VM_NATIVE)
        done = math(b, m) || power(b, m) || rounded(b, m) || whole_numbers(b, m) || raw_bits(b, m) || bits_of(b, m) ||
               string(b, m) || string_equals(b, m) || identity_hash(b, m) || of_class(b, m) || build_class(b, m) ||
               build_raw(b, m);
    else if (kind == MK_LEAF_QUICK && m->quick == string_char_at_n) char_at(b, m), done = true;
    else if (kind == MK_LEAF_QUICK && m->quick == string_starts_with) done = string_begins(b, m);
    else if (kind == MK_LEAF_QUICK && m->quick == class_cast_n) done = cast(b, m) || build_class(b, m);
    else if (kind == MK_LEAF_QUICK && m->quick == unsafe_uninitialized_array) done = allocate_array(b, m);
    else if (kind == MK_LEAF_QUICK) done = build_letter(b, m);
    done = done || build_text(b, m);
    if (done) build_note_method(b, m);
    return done;
}
