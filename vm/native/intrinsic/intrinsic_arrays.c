/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of Arrays and ArraysSupport.  Like those of strings they decline what the Java code throws for, and what takes long. */
#include "native/intrinsic/intrinsic_int.h"
#include "native/intrinsic/words.h"

#include <string.h>
#include <wchar.h>

#define LEN(a) array_len((a).ref)

/* ---- fill(array, value), fill(array, from, to, value) ---- */

static void fill_1(void *p, u8 v, size_t n) { memset(p, (int)(u1)v, n); }
static void fill_2(void *p, u8 v, size_t n) {
    u2 *to = p;
    if (n && (uintptr_t)to & 2) *to++ = (u2)v, n--;
    if (n > 1) wmemset((wchar_t *)to, (wchar_t)((u4)(u2)v * 0x10001u), n / 2);
    if (n & 1) to[n - 1] = (u2)v;
}
static void fill_4(void *p, u8 v, size_t n) {
    if (n) wmemset(p, (wchar_t)(u4)v, n);
}
static void fill_8(void *p, u8 v, size_t n) {
    u8 *to = p;
    for (size_t i = 0; i < n; i++) to[i] = v;
}
_Static_assert(sizeof(wchar_t) == 4, "fill_2 and fill_4 write four bytes at a time");

enum { FILL_FASTER = 8 }; /* than what has to look at the elements */

#define FILLS(size, bits) \
    bool arrays_fill_##size(Thread *t, Slot *args, Slot *ret) { \
        if (UNLIKELY(!args[0].ref) || takes_long((size_t)LEN(args[0]) * size / FILL_FASTER)) return false; \
        fill_##size(array_data(args[0].ref), (u8)args[1].bits, (size_t)LEN(args[0])); \
        return true; \
    } \
    bool arrays_fill_range_##size(Thread *t, Slot *args, Slot *ret) { \
        int32_t from = args[1].i, to = args[2].i; \
        if (UNLIKELY(!args[0].ref) || from < 0 || to < from || to > LEN(args[0])) return false; \
        if (takes_long((size_t)(to - from) * size / FILL_FASTER)) return false; \
        fill_##size((u1 *)array_data(args[0].ref) + (size_t)from * size, (u8)args[3].bits, (size_t)(to - from)); \
        return true; \
    }
FILLS(1, i)
FILLS(2, i)
FILLS(4, i)
FILLS(8, j)

/* ---- equals, hashCode: of null they are the Java code's ---- */

#define EQUALS(size) \
    bool arrays_equals_##size(Thread *t, Slot *args, Slot *ret) { \
        if (UNLIKELY(!args[0].ref) || UNLIKELY(!args[1].ref)) return false; \
        size_t n = (size_t)LEN(args[0]); \
        if (takes_long(n * size)) return false; \
        ret->i = LEN(args[0]) == LEN(args[1]) && words_equal(array_data(args[0].ref), array_data(args[1].ref), n * size); \
        return true; \
    }
EQUALS(1)
EQUALS(2)
EQUALS(4)
EQUALS(8)

#define HASHES(type, size) \
    bool arrays_hash_##type(Thread *t, Slot *args, Slot *ret) { \
        if (UNLIKELY(!args[0].ref) || takes_long((size_t)LEN(args[0]) * size)) return false; \
        ret->i = hash_##type(1, array_data(args[0].ref), (u4)LEN(args[0])); \
        return true; \
    }
HASHES(i1, 1)
HASHES(u2, 2)
HASHES(i2, 2)
HASHES(u4, 4)
HASHES(u8, 8)

/* Compares whole 8-byte words, then one 4-byte tail for narrow elements; the result is the
 * index of the mismatch or ~(elements not looked at). */
bool arrays_mismatch(Thread *t, Slot *args, Slot *ret) {
    const u1 *a = (u1 *)((uintptr_t)args[0].ref + (uintptr_t)args[1].j);
    const u1 *b = (u1 *)((uintptr_t)args[3].ref + (uintptr_t)args[4].j);
    int32_t length = args[6].i, scale = args[7].i;
    if (takes_long((size_t)length << scale)) return false;
    int32_t per_word = 3 - scale, words = length >> per_word, wi;
    for (wi = 0; wi < words; wi++) {
        u8 d = word_at(a + (size_t)wi * 8) ^ word_at(b + (size_t)wi * 8);
        if (d) return ret->i = (wi << per_word) + (__builtin_ctzll(d) >> (3 + scale)), true;
    }
    int32_t tail = length - (wi << per_word);
    int32_t word_tail = scale < 2 ? 1 << (2 - scale) : 0;
    if (word_tail && tail >= word_tail) {
        u4 d = four_at(a + (size_t)wi * 8) ^ four_at(b + (size_t)wi * 8);
        if (d) return ret->i = (wi << per_word) + (__builtin_ctz(d) >> (3 + scale)), true;
        tail -= word_tail;
    }
    ret->i = ~tail;
    return true;
}
