/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot loops of String, StringLatin1, StringUTF16, StringCoding, ArraysSupport.
 * Only methods whose Java bodies cannot index outside their arrays for any
 * arguments their callers may pass are here; null arrays give NullPointerException.
 */
#include "native/intrinsic/intrinsic_int.h"

#include <string.h>

static bool null_args(Thread *t, Slot *args, int n) {
    for (int i = 0; i < n; i++)
        if (UNLIKELY(!args[i].ref)) {
            throw_plain(t, EX_NullPointerException);
            return true;
        }
    return false;
}
#define BYTES(a) ARRAY_ELEMS(u1, (a).ref)
#define CHARS(a) ARRAY_ELEMS(u2, (a).ref)
#define LEN(a) array_len((a).ref)

void bytes_equals(Thread *t, Slot *args, Slot *ret) {
    if (null_args(t, args, 2)) return;
    int32_t n = LEN(args[0]);
    ret->i = n == LEN(args[1]) && memcmp(BYTES(args[0]), BYTES(args[1]), (size_t)n) == 0;
}
/* An odd last byte, which no String has, is not compared. */
void utf16_equals(Thread *t, Slot *args, Slot *ret) {
    if (null_args(t, args, 2)) return;
    int32_t n = LEN(args[0]);
    ret->i = n == LEN(args[1]) && memcmp(BYTES(args[0]), BYTES(args[1]), (size_t)n & ~(size_t)1) == 0;
}

static int32_t hash_latin1(const u1 *p, int32_t n) {
    u4 h = 0;
    for (int32_t i = 0; i < n; i++) h = 31 * h + p[i];
    return (int32_t)h;
}
static int32_t hash_utf16(const u2 *p, int32_t n) {
    u4 h = 0;
    for (int32_t i = 0; i < n; i++) h = 31 * h + p[i];
    return (int32_t)h;
}
void latin1_hash(Thread *t, Slot *args, Slot *ret) {
    if (!null_args(t, args, 1)) ret->i = hash_latin1(BYTES(args[0]), LEN(args[0]));
}
void utf16_hash(Thread *t, Slot *args, Slot *ret) {
    if (!null_args(t, args, 1)) ret->i = hash_utf16(CHARS(args[0]), LEN(args[0]) >> 1);
}

#define COMPARE(T, p, a, U, q, b)                                                   \
    for (int32_t i = 0, n = (a) < (b) ? (a) : (b); i < n; i++)                      \
        if (ARRAY_ELEMS(T, p)[i] != ARRAY_ELEMS(U, q)[i]) return ARRAY_ELEMS(T, p)[i] - ARRAY_ELEMS(U, q)[i]; \
    return (a) - (b)
static int32_t compare_latin1(Object *p, Object *q) {
    int32_t a = array_len(p), b = array_len(q);
    COMPARE(u1, p, a, u1, q, b);
}
static int32_t compare_utf16(Object *p, Object *q) {
    int32_t a = array_len(p) >> 1, b = array_len(q) >> 1;
    COMPARE(u2, p, a, u2, q, b);
}
static int32_t compare_mixed(Object *latin1, Object *utf16) {
    int32_t a = array_len(latin1), b = array_len(utf16) >> 1;
    COMPARE(u1, latin1, a, u2, utf16, b);
}
#undef COMPARE
void latin1_compare(Thread *t, Slot *args, Slot *ret) {
    if (!null_args(t, args, 2)) ret->i = compare_latin1(args[0].ref, args[1].ref);
}
void utf16_compare(Thread *t, Slot *args, Slot *ret) {
    if (!null_args(t, args, 2)) ret->i = compare_utf16(args[0].ref, args[1].ref);
}
void latin1_compare_utf16(Thread *t, Slot *args, Slot *ret) {
    if (!null_args(t, args, 2)) ret->i = compare_mixed(args[0].ref, args[1].ref);
}
void utf16_compare_latin1(Thread *t, Slot *args, Slot *ret) {
    if (!null_args(t, args, 2)) ret->i = -compare_mixed(args[1].ref, args[0].ref);
}

void latin1_index_of_ch(Thread *t, Slot *args, Slot *ret) {
    u4 ch = (u4)args[1].i;
    int32_t from = args[2].i, r = -1;
    if (ch < 256) { /* the Java code looks at the array only then */
        if (null_args(t, args, 1)) return;
        int32_t n = LEN(args[0]);
        if (from < 0) from = 0;
        const u1 *base = BYTES(args[0]);
        const u1 *hit = from < n ? memchr(base + from, (int)ch, (size_t)(n - from)) : NULL;
        if (hit) r = (int32_t)(hit - base);
    }
    ret->i = r;
}
void latin1_last_index_of_ch(Thread *t, Slot *args, Slot *ret) {
    u4 ch = (u4)args[1].i;
    int32_t from = args[2].i, r = -1;
    if (ch < 256) {
        if (null_args(t, args, 1)) return;
        int32_t n = LEN(args[0]);
        if (from > n - 1) from = n - 1;
        const u1 *p = BYTES(args[0]);
        for (r = from; r >= 0 && p[r] != ch; r--) {}
        if (r < 0) r = -1;
    }
    ret->i = r;
}
void latin1_index_of(Thread *t, Slot *args, Slot *ret) {
    if (UNLIKELY(!args[1].ref)) {
        throw_plain(t, EX_NullPointerException);
        return;
    }
    size_t m = (size_t)LEN(args[1]);
    if (m == 0) {
        ret->i = 0;
        return;
    }
    if (null_args(t, args, 1)) return;
    const u1 *base = BYTES(args[0]);
    const u1 *hit = memmem(base, (size_t)LEN(args[0]), BYTES(args[1]), m);
    ret->i = hit ? (int32_t)(hit - base) : -1;
}

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
        ret->i = n == array_len(y) && memcmp(array_data(x), array_data(y), (size_t)n) == 0;
    }
}
void string_hash_code(Thread *t, Slot *args, Slot *ret) {
    Object *s = args[0].ref;
    int32_t h = JGET_INT(s, String, hash);
    if (h == 0 && !JGET_BOOL(s, String, hashIsZero)) {
        Object *v = VALUE(s);
        h = CODER(s) ? hash_utf16(ARRAY_ELEMS(u2, v), array_len(v) >> 1)
                     : hash_latin1(ARRAY_ELEMS(u1, v), array_len(v));
        if (h == 0) JSET_BOOL(s, String, hashIsZero, true);
        else JSET_INT(s, String, hash, h);
    }
    ret->i = h;
}
void string_length_n(Thread *t, Slot *args, Slot *ret) {
    ret->i = array_len(VALUE(args[0].ref)) >> CODER(args[0].ref);
}
void string_is_empty(Thread *t, Slot *args, Slot *ret) {
    ret->i = array_len(VALUE(args[0].ref)) == 0;
}
void string_coder(Thread *t, Slot *args, Slot *ret) {
    ret->i = CODER(args[0].ref);
}

/* ---- byte arrays ---- */

void coding_has_negatives(Thread *t, Slot *args, Slot *ret) {
    if (null_args(t, args, 1)) return;
    int32_t off = args[1].i, len = args[2].i, n = LEN(args[0]);
    int32_t end = (int32_t)((u4)off + (u4)len);
    const u1 *p = BYTES(args[0]);
    int32_t i = off;
    ret->i = 0;
    if (off >= 0 && end <= n)
        for (u8 w; (int64_t)i + 8 <= end; i += 8) {
            memcpy(&w, p + i, 8);
            if (w & 0x8080808080808080ull) {
                ret->i = 1;
                return;
            }
        }
    for (; i < end; i++) {
        if (UNLIKELY((u4)i >= (u4)n)) {
            throw_index(t, i, n);
            return;
        }
        if (p[i] & 0x80) {
            ret->i = 1;
            return;
        }
    }
}

/* Compares whole 8-byte words, then one 4-byte tail for narrow elements; the result is the
 * index of the mismatch or ~(elements not looked at). */
void arrays_mismatch(Thread *t, Slot *args, Slot *ret) {
    const u1 *a = (u1 *)((uintptr_t)args[0].ref + (uintptr_t)args[1].j);
    const u1 *b = (u1 *)((uintptr_t)args[3].ref + (uintptr_t)args[4].j);
    int32_t length = args[6].i, scale = args[7].i;
    int32_t per_word = 3 - scale, words = length >> per_word, wi;
    for (wi = 0; wi < words; wi++) {
        u8 x, y;
        memcpy(&x, a + (size_t)wi * 8, 8);
        memcpy(&y, b + (size_t)wi * 8, 8);
        if (x != y) {
            ret->i = (wi << per_word) + (__builtin_ctzll(x ^ y) >> (3 + scale));
            return;
        }
    }
    int32_t tail = length - (wi << per_word);
    int32_t word_tail = scale < 2 ? 1 << (2 - scale) : 0;
    if (word_tail && tail >= word_tail) {
        u4 x, y;
        memcpy(&x, a + (size_t)wi * 8, 4);
        memcpy(&y, b + (size_t)wi * 8, 4);
        if (x != y) {
            ret->i = (wi << per_word) + (__builtin_ctz(x ^ y) >> (3 + scale));
            return;
        }
        tail -= word_tail;
    }
    ret->i = ~tail;
}
