/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot loops of String, StringLatin1 and StringUTF16.  They decline (QUICK rows) whatever the Java code would throw for, so its exceptions
 * are the Java code's own.
 */
#include "cpu/cpu.h"
#include "native/intrinsic/digest_cpu.h"
#include "native/intrinsic/intrinsic_int.h"
#include "native/intrinsic/words.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(a) ARRAY_ELEMS(u1, (a).ref)
#define CHARS(a) ARRAY_ELEMS(u2, (a).ref)
#define LEN(a) array_len((a).ref)
/* Characters in an array of bytes that holds UTF-16. */
#define LEN16(a) (array_len((a).ref) >> 1)

static inline bool is_null(const Slot *a) { return UNLIKELY(!a->ref); }
static inline bool is_null2(const Slot *a, const Slot *b) { return UNLIKELY(!a->ref) || UNLIKELY(!b->ref); }
/* [from, from + n) lies in [0, len). */
static inline bool inside(int32_t from, int32_t n, int32_t len) { return (from | n) >= 0 && n <= len - from; }

static inline bool answer(Slot *ret, int32_t v) {
    ret->i = v;
    return true;
}

/* ---- comparing ---- */

bool bytes_equals(Thread *t, Slot *args, Slot *ret) {
    if (is_null2(&args[0], &args[1])) return false;
    int32_t n = LEN(args[0]);
    return answer(ret, n == LEN(args[1]) && words_equal(BYTES(args[0]), BYTES(args[1]), (size_t)n));
}
/* An odd last byte, which no String has, is not compared. */
bool utf16_equals(Thread *t, Slot *args, Slot *ret) {
    if (is_null2(&args[0], &args[1])) return false;
    int32_t n = LEN(args[0]);
    return answer(ret, n == LEN(args[1]) && words_equal(BYTES(args[0]), BYTES(args[1]), (size_t)n & ~(size_t)1));
}

static int32_t compare_latin1(const Object *p, const Object *q) {
    int32_t a = array_len(p), b = array_len(q), n = a < b ? a : b;
    int32_t i = (int32_t)words_mismatch(array_data(p), array_data(q), (size_t)n);
    return i < n ? ARRAY_ELEMS(u1, p)[i] - ARRAY_ELEMS(u1, q)[i] : a - b;
}
static int32_t compare_utf16(const Object *p, const Object *q) {
    int32_t a = array_len(p) >> 1, b = array_len(q) >> 1, n = a < b ? a : b;
    int32_t i = (int32_t)(words_mismatch(array_data(p), array_data(q), (size_t)n * 2) / 2);
    return i < n ? ARRAY_ELEMS(u2, p)[i] - ARRAY_ELEMS(u2, q)[i] : a - b;
}
static int32_t compare_mixed(const Object *latin1, const Object *utf16) {
    int32_t a = array_len(latin1), b = array_len(utf16) >> 1, n = a < b ? a : b;
    for (int32_t i = 0; i < n; i++)
        if (ARRAY_ELEMS(u1, latin1)[i] != ARRAY_ELEMS(u2, utf16)[i])
            return ARRAY_ELEMS(u1, latin1)[i] - ARRAY_ELEMS(u2, utf16)[i];
    return a - b;
}
bool latin1_compare(Thread *t, Slot *args, Slot *ret) {
    return !is_null2(&args[0], &args[1]) && answer(ret, compare_latin1(args[0].ref, args[1].ref));
}
bool utf16_compare(Thread *t, Slot *args, Slot *ret) {
    return !is_null2(&args[0], &args[1]) && answer(ret, compare_utf16(args[0].ref, args[1].ref));
}
bool latin1_compare_utf16(Thread *t, Slot *args, Slot *ret) {
    return !is_null2(&args[0], &args[1]) && answer(ret, compare_mixed(args[0].ref, args[1].ref));
}
bool utf16_compare_latin1(Thread *t, Slot *args, Slot *ret) {
    return !is_null2(&args[0], &args[1]) && answer(ret, -compare_mixed(args[1].ref, args[0].ref));
}

/* regionMatchesCI(value, toffset, other, ooffset, len): letters beyond ASCII, whose cases are a longer story, are not for here. */
bool latin1_matches_ci(Thread *t, Slot *args, Slot *ret) {
    int32_t from = args[1].i, other = args[3].i, n = args[4].i;
    if (is_null2(&args[0], &args[2]) || !inside(from, n, LEN(args[0])) || !inside(other, n, LEN(args[2]))) return false;
    const u1 *p = BYTES(args[0]) + from, *q = BYTES(args[2]) + other;
    for (int32_t i = 0; i < n; i++) {
        u1 a = p[i], b = q[i];
        if (a == b) continue;
        if ((a | b) & 0x80) return false;
        u1 lower = a | 0x20;
        if (lower != (b | 0x20) || lower < 'a' || lower > 'z') return answer(ret, 0);
    }
    return answer(ret, 1);
}

/* ---- hashing ---- */

static int32_t hash_latin1(const u1 *p, int32_t n) {
    u4 steps = n >= HASH_STEP && cpu_has()->ssse3 ? (u4)n & ~(HASH_STEP - 1u) : 0;
    return hash_u1(steps ? hash_steps(p, steps) : 0, p + steps, (u4)n - steps);
}
static int32_t hash_utf16(const u2 *p, int32_t n) { return hash_u2(0, p, (u4)n); }
bool latin1_hash(Thread *t, Slot *args, Slot *ret) {
    return !is_null(&args[0]) && answer(ret, hash_latin1(BYTES(args[0]), LEN(args[0])));
}
bool utf16_hash(Thread *t, Slot *args, Slot *ret) {
    return !is_null(&args[0]) && answer(ret, hash_utf16(CHARS(args[0]), LEN16(args[0])));
}

/* ---- searching ---- */

bool latin1_index_of_ch(Thread *t, Slot *args, Slot *ret) {
    u4 ch = (u4)args[1].i;
    int32_t from = args[2].i < 0 ? 0 : args[2].i;
    if (ch > 255) return answer(ret, -1); /* the Java code does not look at the array */
    if (is_null(&args[0])) return false;
    int32_t n = LEN(args[0]);
    const u1 *base = BYTES(args[0]);
    const u1 *hit = from < n ? memchr(base + from, (int)ch, (size_t)(n - from)) : NULL;
    return answer(ret, hit ? (int32_t)(hit - base) : -1);
}
bool latin1_last_index_of_ch(Thread *t, Slot *args, Slot *ret) {
    u4 ch = (u4)args[1].i;
    if (ch > 255) return answer(ret, -1);
    if (is_null(&args[0])) return false;
    int32_t n = LEN(args[0]), end = args[2].i >= n ? n : args[2].i + 1;
    const u1 *base = BYTES(args[0]);
    const u1 *hit = end > 0 ? memrchr(base, (int)ch, (size_t)end) : NULL;
    return answer(ret, hit ? (int32_t)(hit - base) : -1);
}
bool utf16_index_of_ch(Thread *t, Slot *args, Slot *ret) {
    u4 ch = (u4)args[1].i;
    int32_t from = args[2].i < 0 ? 0 : args[2].i;
    if (is_null(&args[0]) || ch > 0xffff) return false;
    return answer(ret, find_u2(CHARS(args[0]), from, LEN16(args[0]), (u2)ch));
}
bool utf16_last_index_of_ch(Thread *t, Slot *args, Slot *ret) {
    u4 ch = (u4)args[1].i;
    if (is_null(&args[0]) || ch > 0xffff) return false;
    int32_t i = args[2].i >= LEN16(args[0]) ? LEN16(args[0]) - 1 : args[2].i;
    const u2 *p = CHARS(args[0]);
    while (i >= 0 && p[i] != ch) i--;
    return answer(ret, i < 0 ? -1 : i);
}

/* What is so long is not looked for place by place. */
enum { LONG = 32 };
static int32_t find_latin1(const u1 *p, int32_t from, int32_t n, const u1 *q, int32_t m) {
    if (n - from < m) return -1;
    if (m > 1 && m < LONG) return find_bytes(p, from, n, q, m);
    const u1 *hit = memmem(p + from, (size_t)(n - from), q, (size_t)m);
    return hit ? (int32_t)(hit - p) : -1;
}

bool latin1_index_of(Thread *t, Slot *args, Slot *ret) {
    if (is_null(&args[1])) return false;
    size_t m = (size_t)LEN(args[1]);
    if (m == 0) return answer(ret, 0);
    if (is_null(&args[0])) return false;
    return answer(ret, find_latin1(BYTES(args[0]), 0, LEN(args[0]), BYTES(args[1]), (int32_t)m));
}
/* indexOf(source, sourceCount, target, targetCount, from) */
bool latin1_index_of_from(Thread *t, Slot *args, Slot *ret) {
    int32_t n = args[1].i, m = args[3].i, from = args[4].i;
    if (is_null2(&args[0], &args[2]) || m < 1 || m > LEN(args[2]) || n < 0 || n > LEN(args[0]) || from < 0) return false;
    if (from > n - m) return answer(ret, -1);
    return answer(ret, find_latin1(BYTES(args[0]), from, n, BYTES(args[2]), m));
}

static bool matches(const u2 *p, const void *q, int32_t m, bool latin1) {
    if (!latin1) return memcmp(p, q, (size_t)m * 2) == 0;
    for (int32_t i = 0; i < m; i++)
        if (p[i] != ((const u1 *)q)[i]) return false;
    return true;
}
/* `target` has m > 0 characters, of one byte each or of two. */
static int32_t find_text(const u2 *p, int32_t from, int32_t n, const void *target, int32_t m, bool latin1) {
    u2 first = latin1 ? *(const u1 *)target : *(const u2 *)target;
    for (int32_t i = from; i <= n - m; i++) {
        i = find_u2(p, i, n - m + 1, first);
        if (i < 0) return -1;
        if (matches(p + i, target, m, latin1)) return i;
    }
    return -1;
}
/* What is long is looked for among bytes, in linear time; half of the places there begin no character. */
static int32_t find_long_text(const u2 *p, int32_t n, const u2 *target, int32_t m) {
    enum { MOST_BETWEEN = 16 }; /* each time the target is studied anew */
    const u1 *from = (const u1 *)p, *end = (const u1 *)(p + n);
    for (int i = 0; i < MOST_BETWEEN; i++) {
        const u1 *hit = memmem(from, (size_t)(end - from), target, (size_t)m * 2);
        if (!hit) return -1;
        if ((hit - (const u1 *)p) % 2 == 0) return (int32_t)((hit - (const u1 *)p) / 2);
        from = hit + 1;
    }
    return find_text(p, (int32_t)((const u2 *)from - p), n, target, m, false);
}
static int32_t find_long_latin1(const u2 *p, int32_t n, const u1 *target, int32_t m) {
    u2 *wide = malloc((size_t)m * 2);
    if (!wide) return find_text(p, 0, n, target, m, true);
    widen(wide, target, (u4)m);
    int32_t at = find_long_text(p, n, wide, m);
    free(wide);
    return at;
}
static bool index_of_text(Slot *args, Slot *ret, bool latin1) {
    if (is_null2(&args[0], &args[1])) return false;
    int32_t m = latin1 ? LEN(args[1]) : LEN16(args[1]);
    if (LEN(args[1]) < 2)
        return LEN(args[1]) == 0 ? answer(ret, 0)
                                 : latin1 && answer(ret, find_u2(CHARS(args[0]), 0, LEN16(args[0]), *BYTES(args[1])));
    if (m < LONG) return answer(ret, find_text(CHARS(args[0]), 0, LEN16(args[0]), BYTES(args[1]), m, latin1));
    return answer(ret, latin1 ? find_long_latin1(CHARS(args[0]), LEN16(args[0]), BYTES(args[1]), m)
                              : find_long_text(CHARS(args[0]), LEN16(args[0]), CHARS(args[1]), m));
}
bool utf16_index_of(Thread *t, Slot *args, Slot *ret) { return index_of_text(args, ret, false); }
bool utf16_index_of_latin1(Thread *t, Slot *args, Slot *ret) { return index_of_text(args, ret, true); }

/* ---- characters, copies ---- */

bool latin1_get_chars(Thread *t, Slot *args, Slot *ret) { /* value, begin, end, to, at */
    int32_t begin = args[1].i, n = (int32_t)((u4)args[2].i - (u4)begin);
    if (is_null2(&args[0], &args[3]) || !inside(begin, n, LEN(args[0])) || !inside(args[4].i, n, LEN(args[3]))) return false;
    widen(CHARS(args[3]) + args[4].i, BYTES(args[0]) + begin, (u4)n);
    return true;
}
bool utf16_get_chars(Thread *t, Slot *args, Slot *ret) {
    int32_t begin = args[1].i, n = (int32_t)((u4)args[2].i - (u4)begin);
    if (is_null2(&args[0], &args[3]) || !inside(begin, n, LEN16(args[0])) || !inside(args[4].i, n, LEN(args[3]))) return false;
    memcpy(CHARS(args[3]) + args[4].i, CHARS(args[0]) + begin, (size_t)n * 2);
    return true;
}
/* (from, at, to, at, n): do both pieces lie in their arrays?  Shift 1: of bytes, which hold UTF-16. */
static inline bool are_inside(const Slot *args, int from_shift, int to_shift) {
    return !is_null2(&args[0], &args[2]) && inside(args[1].i, args[4].i, LEN(args[0]) >> from_shift) &&
           inside(args[3].i, args[4].i, LEN(args[2]) >> to_shift);
}
static inline bool inflate(Slot *args, int to_shift) {
    if (!are_inside(args, 0, to_shift)) return false;
    widen(CHARS(args[2]) + args[3].i, BYTES(args[0]) + args[1].i, (u4)args[4].i);
    return true;
}
bool latin1_inflate_chars(Thread *t, Slot *args, Slot *ret) { return inflate(args, 0); }
bool latin1_inflate_bytes(Thread *t, Slot *args, Slot *ret) { return inflate(args, 1); }
/* How many, from the first on, could be written in one byte each. */
static inline int32_t narrowed(const Slot *args) {
    return (int32_t)narrow(BYTES(args[2]) + args[3].i, CHARS(args[0]) + args[1].i, (u4)args[4].i);
}
/* 0 if a character does not fit; those before it are written. */
static inline bool compress(Slot *args, Slot *ret, int from_shift) {
    return are_inside(args, from_shift, 0) && answer(ret, narrowed(args) == args[4].i ? args[4].i : 0);
}
bool utf16_compress_chars(Thread *t, Slot *args, Slot *ret) { return compress(args, ret, 0); }
bool utf16_compress_bytes(Thread *t, Slot *args, Slot *ret) { return compress(args, ret, 1); }
bool utf16_get_char(Thread *t, Slot *args, Slot *ret) {
    if (is_null(&args[0]) || (u4)args[1].i >= (u4)LEN16(args[0])) return false;
    return answer(ret, CHARS(args[0])[args[1].i]);
}
bool utf16_put_char(Thread *t, Slot *args, Slot *ret) {
    if (is_null(&args[0]) || (u4)args[1].i >= (u4)LEN16(args[0])) return false;
    CHARS(args[0])[args[1].i] = (u2)args[2].i;
    return true;
}

/* ---- decimal digits ---- */

/* From the number of bits, one too many at most. */
static inline int32_t digits_of(u8 magnitude) {
    static const u8 powers[] = {0,
                                10,
                                100,
                                1000,
                                10000,
                                100000,
                                1000000,
                                10000000,
                                100000000,
                                1000000000,
                                10000000000,
                                100000000000,
                                1000000000000,
                                10000000000000,
                                100000000000000,
                                1000000000000000,
                                10000000000000000,
                                100000000000000000,
                                1000000000000000000,
                                10000000000000000000u};
    enum { LOG10_OF_2 = 1233, BITS = 12 }; /* 0.30103, in parts of 4096 */
    u4 n = (u4)(64 - __builtin_clzll(magnitude | 1)) * LOG10_OF_2 >> BITS;
    return (int32_t)(n + (magnitude >= powers[n]));
}
static u8 magnitude_of(int64_t v) { return v < 0 ? 0 - (u8)v : (u8)v; }
static int32_t string_size(int64_t v) { return digits_of(magnitude_of(v)) + (v < 0); }
void int_string_size(Thread *t, Slot *args, Slot *ret) { ret->i = string_size(args[0].i); }
void long_string_size(Thread *t, Slot *args, Slot *ret) { ret->i = string_size(args[0].j); }

static inline u1 *write_pair(u1 *end, u4 n) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051"
        "52535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697989"
        "9";
    return memcpy(end - 2, pairs + n * 2, 2);
}
static inline u1 *write_four(u1 *end, u4 n) { return write_pair(write_pair(end, n % 100), n / 100); }

/* Those of v end in front of `end`.  By fours, halves of which do not wait for each other. */
static inline __attribute__((always_inline)) void write_latin1(u1 *end, int64_t v) {
    enum { FOUR = 10000, EIGHT = FOUR * FOUR };
    u8 all = magnitude_of(v);
    for (; all >= EIGHT; all /= EIGHT) end = write_four(write_four(end, (u4)(all % EIGHT) % FOUR), (u4)(all % EIGHT) / FOUR);
    u4 n = (u4)all;
    for (; n >= FOUR; n /= FOUR) end = write_four(end, n % FOUR);
    if (n >= 100) end = write_pair(end, n % 100), n /= 100;
    if (n >= 10) end = write_pair(end, n);
    else *--end = (u1)('0' + n);
    if (v < 0) *--end = '-';
}
static inline __attribute__((always_inline)) bool digits(Slot *ret, int64_t v, int32_t end, Object *to, bool latin1) {
    if (UNLIKELY(!to)) return false;
    int32_t n = string_size(v), len = latin1 ? array_len(to) : array_len(to) >> 1;
    if (end < n || end > len) return false;
    u1 text[24];
    write_latin1(latin1 ? ARRAY_ELEMS(u1, to) + end : text + n, v);
    if (!latin1) widen(ARRAY_ELEMS(u2, to) + end - n, text, (u4)n);
    return answer(ret, end - n);
}
bool latin1_digits_int(Thread *t, Slot *args, Slot *ret) { return digits(ret, args[0].i, args[1].i, args[2].ref, true); }
bool latin1_digits_long(Thread *t, Slot *args, Slot *ret) { return digits(ret, args[0].j, args[2].i, args[3].ref, true); }
bool utf16_digits_int(Thread *t, Slot *args, Slot *ret) { return digits(ret, args[0].i, args[1].i, args[2].ref, false); }
bool utf16_digits_long(Thread *t, Slot *args, Slot *ret) { return digits(ret, args[0].j, args[2].i, args[3].ref, false); }

/* ---- String itself ---- */

#define VALUE(s) JGET_REF(s, String, value)
#define CODER(s) OBJ_FIELD(u1, s, jc_off.String_coder)

void string_equals_n(Thread *t, Slot *args, Slot *ret) {
    Object *a = args[0].ref, *b = args[1].ref;
    if (a == b) {
        ret->i = 1;
    } else if (!b || obj_class(b) != JC(String) || CODER(a) != CODER(b)) {
        ret->i = 0;
    } else {
        Object *x = VALUE(a), *y = VALUE(b);
        int32_t n = array_len(x);
        ret->i = n == array_len(y) && words_equal(array_data(x), array_data(y), (size_t)n);
    }
}
void string_hash_code(Thread *t, Slot *args, Slot *ret) {
    Object *s = args[0].ref;
    int32_t h = JGET_INT(s, String, hash);
    if (h == 0 && !JGET_BOOL(s, String, hashIsZero)) {
        Object *v = VALUE(s);
        h = CODER(s) ? hash_utf16(ARRAY_ELEMS(u2, v), array_len(v) >> 1) : hash_latin1(ARRAY_ELEMS(u1, v), array_len(v));
        if (h == 0) JSET_BOOL(s, String, hashIsZero, true);
        else JSET_INT(s, String, hash, h);
    }
    ret->i = h;
}
static int32_t string_len(const Object *s) { return array_len(VALUE(s)) >> CODER(s); }
void string_length_n(Thread *t, Slot *args, Slot *ret) { ret->i = string_len(args[0].ref); }
void string_is_empty(Thread *t, Slot *args, Slot *ret) { ret->i = array_len(VALUE(args[0].ref)) == 0; }
void string_coder(Thread *t, Slot *args, Slot *ret) { ret->i = CODER(args[0].ref); }
bool string_char_at_n(Thread *t, Slot *args, Slot *ret) {
    const Object *s = args[0].ref, *v = VALUE(s);
    u4 i = (u4)args[1].i;
    if (i >= (u4)string_len(s)) return false;
    return answer(ret, CODER(s) ? ARRAY_ELEMS(u2, v)[i] : ARRAY_ELEMS(u1, v)[i]);
}
bool string_starts_with(Thread *t, Slot *args, Slot *ret) {
    const Object *s = args[0].ref, *prefix = args[1].ref;
    int32_t at = args[2].i;
    if (is_null(&args[1])) return false;
    int32_t n = string_len(prefix);
    if (at < 0 || at > string_len(s) - n) return answer(ret, 0);
    const u1 *p = array_data(VALUE(s)), *q = array_data(VALUE(prefix));
    u1 coder = CODER(s);
    if (coder == CODER(prefix)) return answer(ret, words_equal(p + ((size_t)at << coder), q, (size_t)n << coder));
    return answer(ret, coder && matches((const u2 *)p + at, q, n, true));
}
/* getBytes(to, at, coder): as characters of that width */
bool string_get_bytes(Thread *t, Slot *args, Slot *ret) {
    const Object *s = args[0].ref, *v = VALUE(s);
    u1 coder = CODER(s), wanted = (u1)args[3].i;
    int32_t n = string_len(s), at = args[2].i;
    if (is_null(&args[1]) || wanted > 1 || coder > wanted || !inside(at, n, LEN(args[1]) >> wanted)) return false;
    if (coder == wanted) memcpy(BYTES(args[1]) + ((size_t)at << coder), array_data(v), (size_t)n << coder);
    else widen(CHARS(args[1]) + at, ARRAY_ELEMS(u1, v), (u4)n);
    return true;
}

/* ---- coding ---- */

bool coding_has_negatives(Thread *t, Slot *args, Slot *ret) {
    int32_t from = args[1].i, n = args[2].i;
    if (is_null(&args[0]) || !inside(from, n, LEN(args[0]))) return false;
    return answer(ret, !is_ascii(BYTES(args[0]) + from, (u4)n));
}
static inline bool encode(Slot *args, Slot *ret, int from_shift) {
    if (args[4].i <= 0) return answer(ret, 0);
    return are_inside(args, from_shift, 0) && answer(ret, narrowed(args));
}
bool coding_encode_bytes(Thread *t, Slot *args, Slot *ret) { return encode(args, ret, 1); }
bool coding_encode_chars(Thread *t, Slot *args, Slot *ret) { return encode(args, ret, 0); }
bool coding_encode_ascii(Thread *t, Slot *args, Slot *ret) {
    if (args[4].i <= 0) return answer(ret, 0);
    return are_inside(args, 0, 0) &&
           answer(ret, (int32_t)narrow_ascii(BYTES(args[2]) + args[3].i, CHARS(args[0]) + args[1].i, (u4)args[4].i));
}

/* ---- characters of ASCII; others are the Java code's ---- */

static AsciiTable ascii;
static pthread_once_t ascii_once = PTHREAD_ONCE_INIT;

static u1 ascii_kind(int c) {
    if (c >= 'A' && c <= 'Z') return IS_UPPER;
    if (c >= 'a' && c <= 'z') return IS_LOWER;
    if (c >= '0' && c <= '9') return IS_DIGIT;
    if (c == '$' || c == '_') return IS_NAME_MARK;
    if ((c >= 9 && c <= 13) || (c >= 28 && c <= 32)) return IS_WHITESPACE;
    return c < 32 || c == 127 ? IS_IGNORED_IN_NAMES : 0;
}
static u1 ascii_digit_value(u4 c) {
    u4 letter = (c | 32) - 'a';
    return (u1)(c - '0' < 10 ? c - '0' : letter < 26 ? letter + 10 : 255);
}
static void make_ascii(void) {
    for (int c = 0; c < ASCII_CHARS; c++) {
        ascii.is[c] = ascii_kind(c);
        ascii.digit[c] = ascii_digit_value((u4)c);
    }
}
const AsciiTable *ascii_table(void) {
    pthread_once(&ascii_once, make_ascii);
    return &ascii;
}

static bool ascii_is(Slot *args, Slot *ret, u1 kinds) {
    return (u4)args[0].i < ASCII_CHARS && answer(ret, (ascii_kind(args[0].i) & kinds) != 0);
}
bool ascii_letter(Thread *t, Slot *args, Slot *ret) { return ascii_is(args, ret, IS_LETTER); }
bool ascii_digit(Thread *t, Slot *args, Slot *ret) { return ascii_is(args, ret, IS_DIGIT); }
bool ascii_letter_or_digit(Thread *t, Slot *args, Slot *ret) { return ascii_is(args, ret, IS_LETTER | IS_DIGIT); }
bool ascii_whitespace(Thread *t, Slot *args, Slot *ret) { return ascii_is(args, ret, IS_WHITESPACE); }
bool ascii_upper(Thread *t, Slot *args, Slot *ret) { return ascii_is(args, ret, IS_UPPER); }
bool ascii_lower(Thread *t, Slot *args, Slot *ret) { return ascii_is(args, ret, IS_LOWER); }
bool ascii_identifier_start(Thread *t, Slot *args, Slot *ret) { return ascii_is(args, ret, STARTS_NAME); }
bool ascii_identifier_part(Thread *t, Slot *args, Slot *ret) { return ascii_is(args, ret, IS_IN_NAMES); }
bool ascii_to_lower(Thread *t, Slot *args, Slot *ret) {
    int32_t c = args[0].i;
    return (u4)c < ASCII_CHARS && answer(ret, ascii_kind(c) & IS_UPPER ? c + 32 : c);
}
bool ascii_to_upper(Thread *t, Slot *args, Slot *ret) {
    int32_t c = args[0].i;
    return (u4)c < ASCII_CHARS && answer(ret, ascii_kind(c) & IS_LOWER ? c - 32 : c);
}
bool ascii_digit_of(Thread *t, Slot *args, Slot *ret) {
    int32_t radix = args[1].i;
    if ((u4)args[0].i >= ASCII_CHARS || radix < LEAST_RADIX || radix > MOST_RADIX) return false;
    u1 d = ascii_digit_value((u4)args[0].i);
    return answer(ret, d < radix ? d : -1);
}
