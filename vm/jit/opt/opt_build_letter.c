/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: what characters of ASCII are, and are worth as digits.  Others are the method's own business: it is called for them.
 *
 * The C functions (native/intrinsic) answer for ASCII alone; what they say of it is made of comparisons, or of a word of bits, so that nothing is called
 * and no table loaded.
 */
#include "jit/opt/opt_build.h"
#include "native/intrinsic/intrinsic_int.h"
#include "object/method.h"

enum { LETTERS = 26, DIGITS = 10, CASE = 'a' - 'A' };

static Ref from(Build *b, Ref x, int32_t first) { return build_pure(b, OPT_ADD, OT_INT, x, build_int(b, -first)); }

static Ref is_within(Build *b, Ref x, int32_t first, int32_t n, Ref yes, Ref no) {
    return build_choose(b, COND_BELOW, OT_INT, from(b, x, first), build_int(b, n), yes, no);
}

/* What is no range: a bit for each character, as the C function answers. */
static Ref by_bits(Build *b, QuickNative fn, Ref c) {
    u8 bits[2] = {0};
    for (u4 i = 0; i < ASCII_CHARS; i++) {
        Slot is, what = {.i = (int32_t)i};
        if (fn(NULL, &what, &is) && is.i) bits[i / 64] |= (u8)1 << i % 64;
    }
    Ref low = build_const(b, OT_LONG, (int64_t)bits[0]), high = build_const(b, OT_LONG, (int64_t)bits[1]);
    Ref half = build_choose(b, COND_BELOW, OT_INT, c, build_int(b, 64), low, high);
    Ref shifted = build_convert(b, OT_INT, OT_LONG, build_pure(b, OPT_USHR, OT_LONG, half, c));
    return build_pure(b, OPT_AND, OT_INT, shifted, build_int(b, 1));
}

static Ref kind_of(Build *b, QuickNative fn, Ref c) {
    Ref yes = build_int(b, 1), no = build_int(b, 0);
    if (fn == ascii_digit) return is_within(b, c, '0', DIGITS, yes, no);
    if (fn == ascii_upper) return is_within(b, c, 'A', LETTERS, yes, no);
    if (fn == ascii_lower) return is_within(b, c, 'a', LETTERS, yes, no);
    if (fn == ascii_letter) return is_within(b, build_pure(b, OPT_OR, OT_INT, c, build_int(b, CASE)), 'a', LETTERS, yes, no);
    if (fn != ascii_to_lower && fn != ascii_to_upper) return by_bits(b, fn, c);
    Ref other = build_pure(b, OPT_XOR, OT_INT, c, build_int(b, CASE));
    return is_within(b, c, fn == ascii_to_lower ? 'A' : 'a', LETTERS, other, c);
}

/* Character.digit(c, radix), of a radix that there is. */
static Ref digit_of(Build *b, Ref c, Ref radix) {
    const Node *r = opt_node(b->o, radix);
    Ref none = build_int(b, -1), digit = from(b, c, '0');
    if (r->op == OPT_CONST && r->k <= DIGITS) return build_choose(b, COND_BELOW, OT_INT, digit, radix, digit, none);
    Ref letter = from(b, build_pure(b, OPT_OR, OT_INT, c, build_int(b, CASE)), 'a');
    Ref value = build_choose(b, COND_BELOW, OT_INT, letter, build_int(b, LETTERS), from(b, letter, -DIGITS), none);
    value = build_choose(b, COND_BELOW, OT_INT, digit, build_int(b, DIGITS), digit, value);
    return build_choose(b, COND_LT, OT_INT, value, radix, value, none);
}

static bool is_kind(QuickNative fn) {
    static const QuickNative rows[] = {
        ascii_digit,    ascii_upper,      ascii_lower,           ascii_letter,           ascii_to_lower,
        ascii_to_upper, ascii_whitespace, ascii_letter_or_digit, ascii_identifier_start, ascii_identifier_part};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i] == fn) return true;
    return false;
}

bool build_letter(Build *b, Method *m) {
    bool digit = m->quick == ascii_digit_of;
    if (!digit && !is_kind(m->quick)) return false;
    Ref c = build_arg(b, m, 0), radix = digit ? build_arg(b, m, 1) : 0;
    u4 depth = b->depth;
    BlockRef other = 0;
    build_state(b);
    build_only_if(b, &other, COND_BELOW, OT_INT, c, build_int(b, ASCII_CHARS));
    if (digit)
        build_only_if(b, &other, COND_BELOW_EQ, OT_INT, from(b, radix, LEAST_RADIX), build_int(b, MOST_RADIX - LEAST_RADIX));
    build_answer(b, m, digit ? digit_of(b, c, radix) : kind_of(b, m->quick, c));
    build_call_others(b, (OptCall){.kind = CALL_KNOWN, .method = m, .n_args = m->arg_slots}, other, depth);
    return true;
}
