/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: what texts are made of: digits of small numbers, characters in bytes, copies of a few bytes, letters made wider and narrower, the first eight letters.
 *
 * Calling a C function (opt_build_quick.c) takes longer than what it does for one or two digits, or for a word of five letters.  So the usual case of some
 * is code, on ways of its own; whatever else is asked for goes to the C function, in a block in which all these ways meet (`Fast.other`), with the
 * arguments as they were.  Nothing is written before it is known that the C function is not wanted, and what is asked are branches, not guards: they
 * are the method's own way, not a mistake.  So what is behind them is pinned.
 *
 * Pieces are read and written by PEEK and POKE, as Unsafe does it: an array of bytes may have elements of another width here.  All of a piece is read before
 * any of it is written, so it may lie over its copy.
 */
#include "jit/opt/opt_build.h"
#include "lang/javaclasses.h"
#include "native/intrinsic/intrinsic_int.h"
#include "object/class.h"
#include "object/method.h"

enum { MOST_BYTES = 16, MOST_COPIED = 64 };

typedef struct Fast {
    Ways ways;
    BlockRef other;
    bool seldom; /* only what is wrong goes there */
} Fast;

static Ref zero(Build *b, OptType t) { return build_const(b, t, 0); }

static void only_if(Build *b, Fast *f, Cond cond, OptType t, Ref x, Ref y) { build_only_if(b, &f->other, cond, t, x, y); }

static void not_null(Build *b, Fast *f, Ref r) {
    if (!opt_node(b->o, r)->not_null) only_if(b, f, COND_NE, OT_REF, r, zero(b, OT_REF));
}

static void end(Build *b, Fast *f, Ref value) { build_arrive(b, &f->ways, value); }

/* The C function, or the call, for the others; then all go on. */
static bool finish(Build *b, Method *m, Fast *f) {
    OptType t = m->ret_type == T_VOID ? OT_NONE : opt_type_of((BasicType)m->ret_type);
    u4 depth = b->depth;
    Ref mine = t == OT_NONE ? 0 : f->ways.n == 1 ? f->ways.args[0] : build_phi(b, f->ways.meet, t, f->ways.args, f->ways.n);
    b->cur = f->other;
    opt_block(b->o, b->cur)->seldom = f->seldom;
    build_quick(b, m);
    Ref args[2] = {t == OT_NONE ? 0 : build_top(b, opt_is_wide(t) ? 2 : 1), mine};
    BlockRef meet = build_meet(b); /* the edge from here is the first */
    b->cur = f->ways.meet;
    build_go(b, meet);
    b->cur = meet;
    b->depth = depth - m->arg_slots;
    if (t != OT_NONE) build_push(b, build_phi(b, meet, t, args, 2));
    return true;
}

static Ref unary(Build *b, OptOp op, OptType t, OptType from, Ref x) {
    Ref r = opt_new(b->o, op, t);
    opt_node(b->o, r)->from = (u1)from;
    opt_node(b->o, r)->in[0] = x;
    return r;
}

static Ref length(Build *b, Ref array) { return build_pinned(b, build_length(b, array)); }
static Ref widened(Build *b, Ref x) { return build_convert(b, OT_LONG, OT_INT, x); }
static Ref add(Build *b, OptType t, Ref x, int64_t k) { return build_pure(b, OPT_ADD, t, x, build_const(b, t, k)); }

/* --- pieces of arrays --- */

/* Where the byte that is `bytes` behind the first of an array's lies, which is not negative. */
typedef struct Piece {
    Ref array, bytes; /* LONG */
} Piece;

static Ref address(Build *b, const Piece *p, Ref more) {
    return add(b, OT_LONG, more ? build_pure(b, OPT_ADD, OT_LONG, p->bytes, more) : p->bytes, ARRAY_BASE);
}

static void locate(const Build *b, Ref r, const Piece *p, Ref at) {
    Node *n = opt_node(b->o, r);
    const Node *x = opt_node(b->o, at);
    n->plain = true;
    n->in[0] = p->array;
    if (x->op == OPT_CONST && opt_is_displacement(x->k)) n->k = x->k;
    else n->in[1] = at;
}

/* The word `more` bytes on; 0: at its start. */
static Ref peek(Build *b, const Piece *p, Ref more, MemKind kind) {
    Ref at = address(b, p, more), r = build_add(b, OPT_PEEK, kind == MEM_64 ? OT_LONG : OT_INT);
    opt_node(b->o, r)->kind = (u1)kind;
    locate(b, r, p, at);
    return r;
}

static void poke(Build *b, const Piece *p, Ref more, MemKind kind, Ref value) {
    Ref at = address(b, p, more), r = build_add(b, OPT_POKE, OT_NONE);
    Node *n = opt_node(b->o, r);
    n->kind = (u1)kind;
    n->in[2] = value;
    n->from = opt_node(b->o, value)->type;
    n->of_array = true;
    locate(b, r, p, at);
}

/* 8 to 16: two words, which may lie over each other, the second one up to the end. */
static void copy_two_words(Build *b, const Piece *to, const Piece *from, Ref n) {
    Ref second = add(b, OT_LONG, widened(b, n), -8);
    Ref x = peek(b, from, 0, MEM_64), y = peek(b, from, second, MEM_64);
    poke(b, to, 0, MEM_64, x);
    poke(b, to, second, MEM_64, y);
}

/* 4 to 16: two words from the start on and two up to the end, which are the same ones if there are no more than 8.  Lengths of texts are of no order that a
 * processor could learn. */
static void copy_four_words(Build *b, const Piece *to, const Piece *from, Ref n) {
    Ref less = build_pure(b, OPT_SHR, OT_INT, add(b, OT_INT, n, -1), build_const(b, OT_INT, 3)),
        step = widened(b, build_pure(b, OPT_SHL, OT_INT, less, build_const(b, OT_INT, 2))),
        last = add(b, OT_LONG, widened(b, n), -4);
    Ref at[4] = {0, step, build_pure(b, OPT_SUB, OT_LONG, last, step), last}, x[4];
    for (int i = 0; i < 4; i++) x[i] = peek(b, from, at[i], MEM_32);
    for (int i = 0; i < 4; i++) poke(b, to, at[i], MEM_32, x[i]);
}

/* Up to three: the first, the middle and the last. */
static void copy_three(Build *b, const Piece *to, const Piece *from, Ref n) {
    Ref middle = widened(b, build_pure(b, OPT_USHR, OT_INT, n, build_const(b, OT_INT, 1))),
        last = add(b, OT_LONG, widened(b, n), -1);
    Ref x = peek(b, from, 0, MEM_S8), y = peek(b, from, middle, MEM_S8), z = peek(b, from, last, MEM_S8);
    poke(b, to, 0, MEM_S8, x);
    poke(b, to, middle, MEM_S8, y);
    poke(b, to, last, MEM_S8, z);
}

static void copy_one(Build *b, const Piece *to, const Piece *from, MemKind kind) { poke(b, to, 0, kind, peek(b, from, 0, kind)); }

/* n, an INT, is at most MOST_BYTES and not negative, of elements of 1 << shift bytes.  One element is written once, and whole: others may see it (JLS 17.6). */
static void copy(Build *b, Fast *f, const Piece *to, const Piece *from, Ref n, u4 shift) {
    static const u1 many[] = {4, 4, 8, 16};
    static const MemKind one[] = {MEM_S8, MEM_U16, MEM_32, MEM_64};
    BlockRef at[2];
    for (u4 i = 0; i < 2; i++) {
        build_fork(b, COND_GE, OT_INT, n, build_const(b, OT_INT, i ? 1 : many[shift]), at);
        b->cur = at[0];
        if (i && !shift) copy_three(b, to, from, n);
        else if (i) copy_one(b, to, from, one[shift]);
        else if (shift < 2) copy_four_words(b, to, from, n);
        else copy_two_words(b, to, from, n);
        end(b, f, 0);
        b->cur = at[1];
    }
    end(b, f, 0);
}

/* Half of the words from the start on, the others up to the end, of two arrays. */
static void copy_apart(Build *b, const Piece *to, const Piece *from, Ref n, int words) {
    Ref end = widened(b, n);
    for (int i = 0; i < words; i++) {
        Ref more = i < words / 2 ? build_const(b, OT_LONG, 8 * i) : add(b, OT_LONG, end, 8 * (i - words));
        poke(b, to, more, MEM_64, peek(b, from, more, MEM_64));
    }
}

/* n, an INT, is above MOST_BYTES and at most MOST_COPIED. */
static void copy_more(Build *b, Fast *f, const Piece *to, const Piece *from, Ref n) {
    BlockRef at[2];
    only_if(b, f, COND_NE, OT_REF, to->array, from->array);
    build_fork(b, COND_GT, OT_INT, n, build_const(b, OT_INT, MOST_COPIED / 2), at);
    for (int i = 0; i < 2; i++) {
        b->cur = at[i];
        copy_apart(b, to, from, n, i ? 4 : 8);
        end(b, f, 0);
    }
}

/* n elements from `at` on are in the array; n is known not to be negative. */
static Piece piece_of(Build *b, Fast *f, Ref array, Ref at, Ref n, u4 shift) {
    Ref all = length(b, array);
    only_if(b, f, COND_BELOW_EQ, OT_INT, at, all);
    only_if(b, f, COND_LE, OT_INT, n, build_pure(b, OPT_SUB, OT_INT, all, at));
    Ref bytes = widened(b, at);
    return (Piece){array, shift ? build_pure(b, OPT_SHL, OT_LONG, bytes, build_const(b, OT_INT, shift)) : bytes};
}

static Piece piece(Build *b, Fast *f, Ref array, Ref at, Ref n) { return piece_of(b, f, array, at, n, 0); }

static void at_most(Build *b, Fast *f, Ref n, int64_t most) {
    only_if(b, f, COND_BELOW_EQ, OT_INT, n, build_const(b, OT_INT, most));
}

static void few(Build *b, Fast *f, Ref n) { at_most(b, f, n, MOST_BYTES); }

static void is_of(Build *b, Fast *f, Ref array, const Class *k) {
    if (opt_node(b->o, array)->klass == k) return;
    Ref klass = build_pinned(b, build_finish(b, unary(b, OPT_CLASS, OT_LONG, OT_NONE, array)));
    only_if(b, f, COND_EQ, OT_LONG, klass, build_const(b, OT_LONG, (int64_t)(uintptr_t)k));
}

static bool may_be_at_most(const Build *b, Ref n, int64_t most) {
    const Node *x = opt_node(b->o, n);
    return x->op != OPT_CONST || (x->k >= 0 && x->k <= most);
}
static bool may_be_few(const Build *b, Ref n) { return may_be_at_most(b, n, MOST_BYTES); }

/* Which both arrays are of, NULL: of references, or different ones.  What is not known is taken for bytes, of which texts are. */
static const Class *copied_class(const Build *b, Ref x, Ref y) {
    const Class *k = opt_node(b->o, x)->klass, *of_y = opt_node(b->o, y)->klass;
    if (k && of_y && k != of_y) return NULL;
    if (!k) k = of_y ? of_y : primitive_array_classes[T_BYTE];
    return k->flags & CF_ARRAY && k->elem_type < T_OBJECT ? k : NULL;
}

/* System.arraycopy, of numbers. */
static bool array_copy(Build *b, Method *m) {
    Ref from = build_arg(b, m, 0), to = build_arg(b, m, 2), n = build_arg(b, m, 4);
    const Class *k = copied_class(b, from, to);
    u4 shift = k ? k->elem_shift : 0;
    Fast f = {0};
    BlockRef at[2];
    if (!k || !may_be_at_most(b, n, MOST_COPIED >> shift)) return false;
    at_most(b, &f, n, MOST_COPIED >> shift);
    not_null(b, &f, from);
    not_null(b, &f, to);
    is_of(b, &f, from, k);
    is_of(b, &f, to, k);
    Piece source = piece_of(b, &f, from, build_arg(b, m, 1), n, shift),
          target = piece_of(b, &f, to, build_arg(b, m, 3), n, shift);
    if (shift) n = build_pure(b, OPT_SHL, OT_INT, n, build_const(b, OT_INT, shift));
    build_fork(b, COND_GT, OT_INT, n, build_const(b, OT_INT, MOST_BYTES), at);
    b->cur = at[0];
    copy_more(b, &f, &target, &source, n);
    b->cur = at[1];
    copy(b, &f, &target, &source, n, shift);
    return finish(b, m, &f);
}

/* The bytes of a text that is known are in the code. */
static void write_known(Build *b, const Piece *to, const Object *text) {
    static const struct {
        u4 bytes;
        MemKind kind;
        OptType t;
    } words[] = {{8, MEM_64, OT_LONG}, {4, MEM_32, OT_INT}, {2, MEM_U16, OT_INT}, {1, MEM_S8, OT_INT}};
    const u1 *from = array_data(text);
    u4 n = (u4)array_len(text), at = 0;
    for (u4 i = 0; i < ARRAY_LEN(words); i++)
        for (; n - at >= words[i].bytes; at += words[i].bytes) {
            u8 word = 0;
            memcpy(&word, from + at, words[i].bytes);
            int64_t k = words[i].t == OT_INT ? (int32_t)(u4)word : (int64_t)word;
            poke(b, to, build_const(b, OT_LONG, at), words[i].kind, build_const(b, words[i].t, k));
        }
}

static bool get_bytes_of_known(Build *b, Method *m, const Object *s) {
    const Object *text = JGET_REF(s, String, value);
    Ref to = build_arg(b, m, 1), coder = build_const(b, OT_INT, OBJ_FIELD(int8_t, s, jc_off.String_coder)),
        n = build_const(b, OT_INT, array_len(text));
    Fast f = {0};
    only_if(b, &f, COND_EQ, OT_INT, build_arg(b, m, 3), coder);
    not_null(b, &f, to);
    Piece target = piece(b, &f, to, build_pure(b, OPT_SHL, OT_INT, build_arg(b, m, 2), coder), n);
    write_known(b, &target, text);
    end(b, &f, 0);
    return finish(b, m, &f);
}

/* String.getBytes(to, at, coder), of one that has this coder. */
static bool get_bytes(Build *b, Method *m) {
    const Object *known = build_known_string(b, build_arg(b, m, 0));
    if (known && array_len(JGET_REF(known, String, value)) <= MOST_BYTES) return get_bytes_of_known(b, m, known);
    Ref s = build_arg(b, m, 0), to = build_arg(b, m, 1), coder = build_arg(b, m, 3);
    Fast f = {0};
    Ref has = build_load_field(b, s, JC(String), jc_off.String_coder, b->checked);
    Ref value = build_load_text(b, s, b->checked);
    only_if(b, &f, COND_EQ, OT_INT, has, coder);
    Ref n = length(b, value);
    few(b, &f, n);
    not_null(b, &f, to);
    Piece source = {value, zero(b, OT_LONG)},
          target = piece(b, &f, to, build_pure(b, OPT_SHL, OT_INT, build_arg(b, m, 2), has), n);
    copy(b, &f, &target, &source, n, 0);
    return finish(b, m, &f);
}

/* StringCoding.hasNegatives(bytes, 0, n).  There is room for eight bytes behind the header of each array that is not empty. */
static bool has_negatives(Build *b, Method *m) {
    Ref array = build_arg(b, m, 0), n = build_arg(b, m, 2), signs = build_const(b, OT_LONG, (int64_t)0x8080808080808080), word,
        none = zero(b, OT_LONG);
    Fast f = {0};
    BlockRef to[2];
    only_if(b, &f, COND_EQ, OT_INT, build_arg(b, m, 1), zero(b, OT_INT));
    few(b, &f, n);
    not_null(b, &f, array);
    Piece p = piece(b, &f, array, zero(b, OT_INT), n);
    build_decide(b, &f.ways, COND_EQ, OT_INT, n, zero(b, OT_INT), 0);
    Ref first = peek(b, &p, 0, MEM_64);
    build_fork(b, COND_GE, OT_INT, n, build_const(b, OT_INT, 8), to);
    b->cur = to[0];
    word = build_pure(b, OPT_OR, OT_LONG, first, peek(b, &p, add(b, OT_LONG, widened(b, n), -8), MEM_64));
    build_decide(b, &f.ways, COND_NE, OT_LONG, build_pure(b, OPT_AND, OT_LONG, word, signs), none, 1);
    end(b, &f, zero(b, OT_INT));
    b->cur = to[1];
    Ref behind = build_pure(b, OPT_SHL, OT_INT, build_pure(b, OPT_NEG, OT_INT, n, 0), build_const(b, OT_INT, 3));
    word = build_pure(b, OPT_SHL, OT_LONG, first, behind);
    build_decide(b, &f.ways, COND_NE, OT_LONG, build_pure(b, OPT_AND, OT_LONG, word, signs), none, 1);
    end(b, &f, zero(b, OT_INT));
    return finish(b, m, &f);
}

/* --- the first eight letters.  As above: there is room for eight bytes behind the header; those behind the text may be anything --- */

/* Which of eight bytes, in bits, the lowest bit of x is in; x is not 0. */
static Ref first_byte(Build *b, Ref x) {
    Ref r = unary(b, OPT_BITS, OT_INT, OT_LONG, x);
    opt_node(b->o, r)->kind = BITS_TRAILING;
    return build_pure(b, OPT_AND, OT_INT, build_finish(b, r), build_const(b, OT_INT, 56));
}

static Ref letter(Build *b, Ref word, Ref bits) {
    Ref x = build_pure(b, OPT_USHR, OT_LONG, word, bits);
    x = build_convert(b, OT_INT, OT_LONG, x);
    return build_pure(b, OPT_AND, OT_INT, x, build_const(b, OT_INT, 255));
}

static void end_unless(Build *b, Fast *f, Cond cond, Ref x, Ref y, Ref value) {
    BlockRef to[2];
    build_fork(b, cond, OT_INT, x, y, to);
    b->cur = to[1];
    end(b, f, value);
    b->cur = to[0];
}

/* StringLatin1.compareTo: texts that differ in their first eight letters, or of which one ends there. */
static bool compare(Build *b, Method *m) {
    Ref x = build_arg(b, m, 0), y = build_arg(b, m, 1), none = zero(b, OT_INT), eight = build_const(b, OT_INT, 8);
    Fast f = {0};
    BlockRef to[2];
    not_null(b, &f, x);
    not_null(b, &f, y);
    Ref nx = length(b, x), ny = length(b, y), longer = build_pure(b, OPT_SUB, OT_INT, nx, ny);
    only_if(b, &f, COND_NE, OT_INT, nx, none);
    only_if(b, &f, COND_NE, OT_INT, ny, none);
    Ref wx = peek(b, &(Piece){x, zero(b, OT_LONG)}, 0, MEM_64), wy = peek(b, &(Piece){y, zero(b, OT_LONG)}, 0, MEM_64);
    Ref differ = build_pure(b, OPT_XOR, OT_LONG, wx, wy);
    build_fork(b, COND_NE, OT_LONG, differ, zero(b, OT_LONG), to);
    b->cur = to[0];
    Ref at = first_byte(b, differ), index = build_pure(b, OPT_USHR, OT_INT, at, build_const(b, OT_INT, 3));
    end_unless(b, &f, COND_LT, index, nx, longer);
    end_unless(b, &f, COND_LT, index, ny, longer);
    end(b, &f, build_pure(b, OPT_SUB, OT_INT, letter(b, wx, at), letter(b, wy, at)));
    b->cur = to[1];
    end_unless(b, &f, COND_GT, nx, eight, longer);
    only_if(b, &f, COND_LE, OT_INT, ny, eight);
    end(b, &f, longer);
    return finish(b, m, &f);
}

/* StringLatin1.indexOf(text, letter, from): within eight letters. */
static bool find_letter(Build *b, Method *m) {
    const int64_t ones = 0x0101010101010101, tops = (int64_t)0x8080808080808080;
    Ref text = build_arg(b, m, 0), wanted = build_arg(b, m, 1), from = build_arg(b, m, 2);
    Fast f = {0};
    BlockRef to[2];
    only_if(b, &f, COND_BELOW_EQ, OT_INT, wanted, build_const(b, OT_INT, 255));
    only_if(b, &f, COND_GE, OT_INT, from, zero(b, OT_INT));
    not_null(b, &f, text);
    Ref n = length(b, text);
    build_decide(b, &f.ways, COND_GE, OT_INT, from, n, -1);
    Ref room = build_pure(b, OPT_AND, OT_INT, add(b, OT_INT, n, 7), build_const(b, OT_INT, -8));
    only_if(b, &f, COND_LE, OT_INT, from, add(b, OT_INT, room, -8));
    Ref word = peek(b, &(Piece){text, widened(b, from)}, 0, MEM_64);
    Ref other =
        build_pure(b, OPT_XOR, OT_LONG, word, build_pure(b, OPT_MUL, OT_LONG, widened(b, wanted), build_const(b, OT_LONG, ones)));
    Ref hits = build_pure(b, OPT_AND, OT_LONG, build_pure(b, OPT_SUB, OT_LONG, other, build_const(b, OT_LONG, ones)),
                          build_pure(b, OPT_XOR, OT_LONG, other, build_const(b, OT_LONG, -1)));
    hits = build_pure(b, OPT_AND, OT_LONG, hits, build_const(b, OT_LONG, tops)); /* the lowest is one */
    build_fork(b, COND_NE, OT_LONG, hits, zero(b, OT_LONG), to);
    b->cur = to[0];
    Ref at =
        build_pure(b, OPT_ADD, OT_INT, from, build_pure(b, OPT_USHR, OT_INT, first_byte(b, hits), build_const(b, OT_INT, 3)));
    end_unless(b, &f, COND_LT, at, n, build_const(b, OT_INT, -1));
    end(b, &f, at);
    b->cur = to[1];
    build_decide(b, &f.ways, COND_GE, OT_INT, add(b, OT_INT, from, 8), n, -1);
    build_go(b, f.other);
    return finish(b, m, &f);
}

/* Of eight letters, the first in the lowest byte: sums of two, of four, of eight.  Zeros in front of a text change nothing. */
static Ref hash_word(Build *b, Ref word) {
    static const struct {
        u1 bits;
        int64_t mask;
        int32_t power;
    } steps[] = {{8, 0x00ff00ff00ff00ff, 31}, {16, 0x0000ffff0000ffff, 31 * 31}, {32, 0xffffffff, 31 * 31 * 31 * 31}};
    for (u4 i = 0; i < ARRAY_LEN(steps); i++) {
        Ref mask = build_const(b, OT_LONG, steps[i].mask);
        Ref upper = build_pure(b, OPT_USHR, OT_LONG, word, build_const(b, OT_INT, steps[i].bits));
        Ref first = build_pure(b, OPT_AND, OT_LONG, word, mask), second = build_pure(b, OPT_AND, OT_LONG, upper, mask);
        first = build_pure(b, OPT_MUL, OT_LONG, first, build_const(b, OT_LONG, steps[i].power));
        word = build_pure(b, OPT_ADD, OT_LONG, first, second);
    }
    return build_convert(b, OT_INT, OT_LONG, word);
}

/* The word without those of its letters that are behind `n` more bytes. */
static Ref first_letters(Build *b, Ref word, Ref n, int32_t all) {
    Ref behind = build_pure(b, OPT_SUB, OT_INT, build_const(b, OT_INT, all), n);
    return build_pure(b, OPT_SHL, OT_LONG, word, build_pure(b, OPT_SHL, OT_INT, behind, build_const(b, OT_INT, 3)));
}

static void keep_hash(Build *b, Fast *f, Ref s, Ref hash) {
    only_if(b, f, COND_NE, OT_INT, hash, zero(b, OT_INT));
    Node *n = opt_node(b->o, build_add(b, OPT_STORE, OT_NONE));
    n->from = OT_INT;
    n->kind = MEM_32;
    n->in[0] = s;
    n->in[1] = hash;
    n->k = jc_off.String_hash;
    n->what = JC(String);
    n->after = b->checked;
    b->o->unknown_writes++;
    end(b, f, hash);
}

/* String.hashCode: if it is there; 0 stands for one that was not asked for, and for itself.  Of up to sixteen Latin-1 letters it is made here. */
static bool string_hash(Build *b, Method *m) {
    Ref s = build_arg(b, m, 0), eight = build_const(b, OT_INT, 8);
    Fast f = {0};
    BlockRef to[2];
    Ref hash = build_load_field(b, s, JC(String), jc_off.String_hash, b->checked);
    end_unless(b, &f, COND_EQ, hash, zero(b, OT_INT), hash);
    only_if(b, &f, COND_EQ, OT_INT, build_load_field(b, s, JC(String), jc_off.String_coder, b->checked), zero(b, OT_INT));
    Ref text = build_load_text(b, s, b->checked);
    Ref n = length(b, text);
    few(b, &f, n);
    only_if(b, &f, COND_NE, OT_INT, n, zero(b, OT_INT));
    Piece all = {text, zero(b, OT_LONG)};
    Ref word = peek(b, &all, 0, MEM_64);
    build_fork(b, COND_LE, OT_INT, n, eight, to);
    b->cur = to[0];
    keep_hash(b, &f, s, hash_word(b, first_letters(b, word, n, 8)));
    b->cur = to[1];
    Ref last = hash_word(b, peek(b, &all, add(b, OT_LONG, widened(b, n), -8), MEM_64));
    Ref before = build_pure(b, OPT_MUL, OT_INT, hash_word(b, first_letters(b, word, n, 16)),
                            build_const(b, OT_INT, (int32_t)(923521u * 923521u)));
    keep_hash(b, &f, s, build_pure(b, OPT_ADD, OT_INT, before, last));
    return finish(b, m, &f);
}

/* --- characters of two bytes --- */

/* The index is below the length; then it is shifted without loss. */
static Piece character(Build *b, Fast *f, Ref array, Ref index) {
    not_null(b, f, array);
    only_if(b, f, COND_BELOW, OT_INT, index, build_pure(b, OPT_SHR, OT_INT, length(b, array), build_const(b, OT_INT, 1)));
    return (Piece){array, build_pure(b, OPT_SHL, OT_LONG, widened(b, index), build_const(b, OT_INT, 1))};
}

/* The same for loops, where counting keeps the bound: what throws leaves. */
static Piece counted_character(Build *b, Ref array, Ref index) {
    if (!opt_node(b->o, array)->not_null) build_guard(b, OPT_NOT_NULL, EXIT_REDO, array, 0);
    build_guard(b, OPT_IN_BOUNDS, EXIT_REDO, index,
                build_pure(b, OPT_SHR, OT_INT, build_length(b, array), build_const(b, OT_INT, 1)));
    return (Piece){array, build_pure(b, OPT_SHL, OT_LONG, widened(b, index), build_const(b, OT_INT, 1))};
}

static bool get_char(Build *b, Method *m) {
    Fast f = {.seldom = true};
    if (build_may_leave(b)) {
        Piece p = counted_character(b, build_arg(b, m, 0), build_arg(b, m, 1));
        return build_answer(b, m, peek(b, &p, 0, MEM_U16)), true;
    }
    Piece p = character(b, &f, build_arg(b, m, 0), build_arg(b, m, 1));
    Ref c = peek(b, &p, 0, MEM_U16);
    end(b, &f, c);
    return finish(b, m, &f);
}

static bool put_char(Build *b, Method *m) {
    Fast f = {.seldom = true};
    if (build_may_leave(b)) {
        Piece p = counted_character(b, build_arg(b, m, 0), build_arg(b, m, 1));
        poke(b, &p, 0, MEM_U16, build_arg(b, m, 2));
        return build_answer(b, m, 0), true;
    }
    Piece p = character(b, &f, build_arg(b, m, 0), build_arg(b, m, 1));
    poke(b, &p, 0, MEM_U16, build_arg(b, m, 2));
    end(b, &f, 0);
    return finish(b, m, &f);
}

/* --- letters of one byte and of two --- */

/* n letters of two bytes from the one numbered `at` on are in the array, which is of chars, or of bytes; n is known not to be negative. */
static Piece wide_piece(Build *b, Fast *f, Ref array, Ref at, Ref n, bool of_bytes) {
    Ref all = length(b, array), one = build_const(b, OT_INT, 1);
    if (of_bytes) all = build_pure(b, OPT_SHR, OT_INT, all, one);
    only_if(b, f, COND_BELOW_EQ, OT_INT, at, all);
    only_if(b, f, COND_LE, OT_INT, n, build_pure(b, OPT_SUB, OT_INT, all, at));
    return (Piece){array, build_pure(b, OPT_SHL, OT_LONG, widened(b, at), one)};
}

static Ref fold_word(Build *b, Ref word, OptOp shift, int32_t by, int64_t mask) {
    Ref both = build_pure(b, OPT_OR, OT_LONG, word, build_pure(b, shift, OT_LONG, word, build_const(b, OT_INT, by)));
    return build_pure(b, OPT_AND, OT_LONG, both, build_const(b, OT_LONG, mask));
}

/* Four letters of two bytes, each below 256, as the lower half of a LONG; and the other way, whatever the upper half is. */
static Ref narrowed(Build *b, Ref word) {
    return fold_word(b, fold_word(b, word, OPT_USHR, 8, 0x0000ffff0000ffff), OPT_USHR, 16, 0xffffffff);
}
static Ref made_wide(Build *b, Ref word) {
    word = build_pure(b, OPT_AND, OT_LONG, word, build_const(b, OT_LONG, 0xffffffff));
    return fold_word(b, fold_word(b, word, OPT_SHL, 16, 0x0000ffff0000ffff), OPT_SHL, 8, 0x00ff00ff00ff00ff);
}

typedef struct Letters {
    Piece from, to;
    bool narrows;
    bool whole; /* `to` has been made for these letters, and has no others */
} Letters;

/* Where pieces of as many letters begin, counted in letters from the first on: LONGs. Pieces may lie over each other. */
typedef struct Pieces {
    Ref at[3];
    u4 n, letters; /* in each: 8, 4 or 1 */
} Pieces;

static Ref in_bytes(Build *b, Ref letters, bool wide) {
    return wide ? build_pure(b, OPT_SHL, OT_LONG, letters, build_const(b, OT_INT, 1)) : letters;
}

static Ref shifted(Build *b, OptOp op, Ref x, Ref bits) { return build_pure(b, op, OT_LONG, x, bits); }
static Ref united(Build *b, Ref x, Ref y) { return x ? build_pure(b, OPT_OR, OT_LONG, x, y) : y; }

/* A piece of wide letters, in LONGs of four, or in one of one. */
static u4 read_wide(Build *b, const Letters *x, const Pieces *p, u4 i, Ref *words) {
    Ref at = in_bytes(b, p->at[i], true);
    words[0] = p->letters > 1 ? peek(b, &x->from, at, MEM_64) : widened(b, peek(b, &x->from, at, MEM_U16));
    if (p->letters == 8) words[1] = peek(b, &x->from, add(b, OT_LONG, at, 8), MEM_64);
    return p->letters == 8 ? 2 : 1;
}

/* The text is all of the array: its letters are put together, and what is behind them has room (above). Two stores would be waited for by who reads them as one. */
static void write_as_one(Build *b, const Letters *x, const Pieces *p, const Ref *small) {
    Ref word = 0;
    for (u4 i = 0; i < p->n; i++)
        word = united(b, word, shifted(b, OPT_SHL, small[i], shifted(b, OPT_SHL, p->at[i], build_const(b, OT_INT, 3))));
    poke(b, &x->to, 0, MEM_64, word);
}

static void write_small(Build *b, const Letters *x, const Pieces *p, const Ref *small) {
    if (x->whole && p->letters < 8) return write_as_one(b, x, p, small);
    MemKind kind = p->letters == 8 ? MEM_64 : p->letters == 4 ? MEM_32 : MEM_U8;
    for (u4 i = 0; i < p->n; i++)
        poke(b, &x->to, p->at[i], kind, kind == MEM_64 ? small[i] : build_convert(b, OT_INT, OT_LONG, small[i]));
}

/* All are read, and asked whether they fit, before one is written. */
static void narrow(Build *b, Fast *f, const Letters *x, const Pieces *p) {
    Ref words[3][2], small[3], all = 0;
    u4 n = 0;
    for (u4 i = 0; i < p->n; i++) {
        n = read_wide(b, x, p, i, words[i]);
        for (u4 k = 0; k < n; k++) all = united(b, all, words[i][k]);
    }
    Ref upper = build_pure(b, OPT_AND, OT_LONG, all, build_const(b, OT_LONG, (int64_t)0xff00ff00ff00ff00));
    only_if(b, f, COND_EQ, OT_LONG, upper, zero(b, OT_LONG));
    for (u4 i = 0; i < p->n; i++) {
        small[i] = p->letters == 1 ? words[i][0] : narrowed(b, words[i][0]);
        if (n == 2) small[i] = united(b, small[i], shifted(b, OPT_SHL, narrowed(b, words[i][1]), build_const(b, OT_INT, 32)));
    }
    write_small(b, x, p, small);
}

static void widen(Build *b, const Letters *x, const Pieces *p) {
    MemKind kind = p->letters == 8 ? MEM_64 : p->letters == 4 ? MEM_32 : MEM_U8;
    Ref words[3];
    for (u4 i = 0; i < p->n; i++) words[i] = peek(b, &x->from, p->at[i], kind);
    for (u4 i = 0; i < p->n; i++) {
        Ref at = in_bytes(b, p->at[i], true), w = kind == MEM_32 ? widened(b, words[i]) : words[i];
        poke(b, &x->to, at, kind == MEM_U8 ? MEM_U16 : MEM_64, kind == MEM_U8 ? w : made_wide(b, w));
        if (kind != MEM_64) continue;
        poke(b, &x->to, add(b, OT_LONG, at, 8), MEM_64, made_wide(b, shifted(b, OPT_USHR, w, build_const(b, OT_INT, 32))));
    }
}

static void end_changed(Build *b, Fast *f, const Letters *x, const Pieces *p, Ref n) {
    if (x->narrows) narrow(b, f, x, p);
    else widen(b, x, p);
    end(b, f, x->narrows ? n : 0);
}

/* n letters, at most MOST_BYTES. */
static bool change_letters(Build *b, Method *m, Fast *f, const Letters *x, Ref n) {
    Ref start = zero(b, OT_LONG), count = widened(b, n),
        middle = build_pure(b, OPT_USHR, OT_LONG, count, build_const(b, OT_INT, 1));
    Pieces all[] = {{{start, add(b, OT_LONG, count, -8)}, 2, 8},
                    {{start, add(b, OT_LONG, count, -4)}, 2, 4},
                    {{start, middle, add(b, OT_LONG, count, -1)}, 3, 1}};
    for (u4 i = 0; i < ARRAY_LEN(all); i++) {
        BlockRef to[2];
        build_fork(b, COND_GE, OT_INT, n, build_const(b, OT_INT, (int64_t)all[i].letters), to);
        b->cur = to[0];
        if (opt_is_const(b->o, n) && opt_node(b->o, n)->k == all[i].letters) all[i].n = 1;
        end_changed(b, f, x, &all[i], n);
        b->cur = to[1];
    }
    end(b, f, x->narrows ? n : 0);
    return finish(b, m, f);
}

/* StringUTF16.compress(from, at, to, at, n): letters that all fit; of_bytes: `from` is an array of bytes. */
static bool compress(Build *b, Method *m, bool of_bytes) {
    Ref from = build_arg(b, m, 0), to = build_arg(b, m, 2), n = build_arg(b, m, 4);
    Fast f = {0};
    if (!may_be_few(b, n)) return false;
    few(b, &f, n);
    not_null(b, &f, from);
    not_null(b, &f, to);
    const Node *array = opt_node(b->o, to);
    Letters x = {.narrows = true, .whole = array->op == OPT_NEW_ARRAY && array->in[0] == n};
    x.from = wide_piece(b, &f, from, build_arg(b, m, 1), n, of_bytes);
    x.to = piece(b, &f, to, build_arg(b, m, 3), n);
    return change_letters(b, m, &f, &x, n);
}

static bool widen_piece(Build *b, Method *m, Ref from, Ref at, Ref to, Ref to_at, Ref n, bool of_bytes) {
    Fast f = {0};
    if (!may_be_few(b, n)) return false;
    few(b, &f, n);
    not_null(b, &f, from);
    not_null(b, &f, to);
    Letters x = {.from = piece(b, &f, from, at, n)};
    x.to = wide_piece(b, &f, to, to_at, n, of_bytes);
    return change_letters(b, m, &f, &x, n);
}

/* StringLatin1.inflate(from, at, to, at, n); of_bytes: `to` is an array of bytes. */
static bool inflate(Build *b, Method *m, bool of_bytes) {
    return widen_piece(b, m, build_arg(b, m, 0), build_arg(b, m, 1), build_arg(b, m, 2), build_arg(b, m, 3), build_arg(b, m, 4),
                       of_bytes);
}

/* StringLatin1.getChars(from, begin, end, to, at). */
static bool get_chars(Build *b, Method *m) {
    Ref begin = build_arg(b, m, 1), n = build_pure(b, OPT_SUB, OT_INT, build_arg(b, m, 2), begin);
    return widen_piece(b, m, build_arg(b, m, 0), begin, build_arg(b, m, 3), build_arg(b, m, 4), n, false);
}

/* --- digits --- */

enum { MOST_DIGITS = 4, MOST_COUNTED = 7 };

static bool string_size(Build *b, Method *m, OptType t) {
    Fast f = {0};
    int64_t power = 10;
    for (int32_t n = 1; n <= MOST_COUNTED; n++, power *= 10)
        build_decide(b, &f.ways, COND_BELOW, t, build_arg(b, m, 0), build_const(b, t, power), n);
    f.other = b->cur;
    return finish(b, m, &f);
}

/* x / 10 of what is below 10,000. */
static Ref tenth(Build *b, Ref x) {
    Ref product = build_pure(b, OPT_MUL, OT_INT, x, build_const(b, OT_INT, 52429));
    return build_pure(b, OPT_USHR, OT_INT, product, build_const(b, OT_INT, 19));
}

static void put_digit(Build *b, Ref array, Ref at, Ref digit) {
    Ref text = add(b, OT_INT, digit, '0'), r = build_add(b, OPT_SET_ELEMENT, OT_NONE);
    Node *n = opt_node(b->o, r);
    n->from = OT_INT;
    n->kind = MEM_S8;
    n->in[0] = array;
    n->in[1] = at;
    n->in[2] = text;
}

/* Those of x, n of them, end in front of `to`. */
static void put_digits(Build *b, Fast *f, Ref array, Ref to, Ref x, u4 n) {
    Ref digits[MOST_DIGITS], first = add(b, OT_INT, to, -(int64_t)n);
    only_if(b, f, COND_GE, OT_INT, first, zero(b, OT_INT));
    for (u4 i = n; i-- > 1;) {
        Ref rest = tenth(b, x);
        digits[i] = build_pure(b, OPT_SUB, OT_INT, x, build_pure(b, OPT_MUL, OT_INT, rest, build_const(b, OT_INT, 10)));
        x = rest;
    }
    digits[0] = x;
    for (u4 i = 0; i < n; i++) put_digit(b, array, add(b, OT_INT, to, (int64_t)i - n), digits[i]);
    end(b, f, first);
}

static Ref times(Build *b, OptType t, Ref x, int64_t k) { return build_pure(b, OPT_MUL, t, x, build_const(b, t, k)); }
static Ref shift_by(Build *b, OptOp op, OptType t, Ref x, int32_t by) {
    return build_pure(b, op, t, x, build_const(b, OT_INT, by));
}
static Ref without(Build *b, Ref x, Ref y) { return build_pure(b, OPT_SUB, OT_INT, x, y); }

/* Of what is below 10,000, as four letters of one byte each: both pairs at once, then both digits of each. */
static Ref four_letters(Build *b, Ref x) {
    Ref hundreds = shift_by(b, OPT_USHR, OT_INT, times(b, OT_INT, x, 5243), 19),
        pairs = build_pure(b, OPT_OR, OT_INT, hundreds,
                           shift_by(b, OPT_SHL, OT_INT, without(b, x, times(b, OT_INT, hundreds, 100)), 16)),
        tens = build_pure(b, OPT_AND, OT_INT, shift_by(b, OPT_USHR, OT_INT, times(b, OT_INT, pairs, 103), 10),
                          build_const(b, OT_INT, 0x000f000f)),
        ones = shift_by(b, OPT_SHL, OT_INT, without(b, pairs, times(b, OT_INT, tens, 10)), 8);
    return build_pure(b, OPT_OR, OT_INT, build_pure(b, OPT_OR, OT_INT, tens, ones), build_const(b, OT_INT, 0x30303030));
}

/* The last four digits of *x are written if it has more, and *x and *to are those of what is in front of them. */
static void put_last_four(Build *b, Fast *f, Ref array, Ref *to, Ref *x) {
    BlockRef at[2];
    build_fork(b, COND_GE, OT_INT, *x, build_const(b, OT_INT, 10000), at);
    b->cur = at[0];
    Ref front = add(b, OT_INT, *to, -4);
    only_if(b, f, COND_GT, OT_INT, front, zero(b, OT_INT));
    Ref rest =
        build_convert(b, OT_INT, OT_LONG, shift_by(b, OPT_USHR, OT_LONG, times(b, OT_LONG, widened(b, *x), 3518437209), 45));
    Piece last = {array, widened(b, front)};
    poke(b, &last, 0, MEM_32, four_letters(b, without(b, *x, times(b, OT_INT, rest, 10000))));
    BlockRef meet = build_meet(b); /* the edge from here is the first */
    b->cur = at[1];
    build_go(b, meet);
    b->cur = meet;
    Ref xs[2] = {rest, *x}, ends[2] = {front, *to};
    *x = build_phi(b, meet, OT_INT, xs, 2);
    *to = build_phi(b, meet, OT_INT, ends, 2);
}

/* getChars(x, to, bytes) of Integer and Long. */
static bool digits(Build *b, Method *m, OptType t) {
    u4 wide = t == OT_LONG;
    Ref x = build_arg(b, m, 0), to = build_arg(b, m, 1 + wide), array = build_arg(b, m, 2 + wide);
    Fast f = {0};
    BlockRef at[2];
    only_if(b, &f, COND_BELOW, t, x, build_const(b, t, 100000000));
    if (wide) x = build_convert(b, OT_INT, OT_LONG, x);
    not_null(b, &f, array);
    only_if(b, &f, COND_BELOW_EQ, OT_INT, to, length(b, array));
    put_last_four(b, &f, array, &to, &x);
    for (u4 n = 1, power = 10; n <= MOST_DIGITS; n++, power *= 10) {
        BlockRef rest = 0;
        if (n < MOST_DIGITS) {
            build_fork(b, COND_LT, OT_INT, x, build_const(b, OT_INT, power), at);
            b->cur = at[0];
            rest = at[1];
        }
        put_digits(b, &f, array, to, x, n);
        b->cur = rest;
    }
    return finish(b, m, &f);
}

bool build_text(Build *b, Method *m) {
    if (!build_is_quick(m)) return false;
    bool quick = __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE) == MK_LEAF_QUICK;
    VmNative fn = quick ? NULL : m->vm_native;
    build_state(b); /* before there are results */
    if (fn == system_arraycopy) return array_copy(b, m);
    if (fn == int_string_size) return string_size(b, m, OT_INT);
    if (fn == long_string_size) return string_size(b, m, OT_LONG);
    if (fn == string_hash_code) return string_hash(b, m);
    if (!quick) return false;
    if (m->quick == latin1_digits_int) return digits(b, m, OT_INT);
    if (m->quick == latin1_digits_long) return digits(b, m, OT_LONG);
    if (m->quick == string_get_bytes) return get_bytes(b, m);
    if (m->quick == coding_has_negatives) return has_negatives(b, m);
    if (m->quick == latin1_compare) return compare(b, m);
    if (m->quick == latin1_index_of_ch) return find_letter(b, m);
    if (m->quick == utf16_compress_chars || m->quick == utf16_compress_bytes)
        return compress(b, m, m->quick == utf16_compress_bytes);
    if (m->quick == latin1_inflate_chars || m->quick == latin1_inflate_bytes)
        return inflate(b, m, m->quick == latin1_inflate_bytes);
    if (m->quick == latin1_get_chars) return get_chars(b, m);
    if (m->quick == utf16_get_char) return get_char(b, m);
    return m->quick == utf16_put_char && put_char(b, m);
}
