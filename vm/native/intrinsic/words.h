/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over elements of arrays, some at a time.  Little-endian, like all of the VM.  What they read Java may write meanwhile, and how Java
 * publishes it compiled code does not tell ThreadSanitizer: it leaves them out. */
#ifndef GRAFT_INTRINSIC_WORDS_H
#define GRAFT_INTRINSIC_WORDS_H

#include "core/tsan.h"
#include "core/types.h"
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Before a loop of at most 16 turns: rounds whose constants are part of the code. */
#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

NO_TSAN static inline u8 word_at(const void *p) {
    u8 w;
    memcpy(&w, p, 8);
    return w;
}

static inline u8 be64_at(const void *p) { return __builtin_bswap64(word_at(p)); }

NO_TSAN static inline u4 four_at(const void *p) {
    u4 w;
    memcpy(&w, p, 4);
    return w;
}

/* Where p and q differ first; n if they do not. */
NO_TSAN static inline size_t words_mismatch(const u1 *p, const u1 *q, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        u8 d = word_at(p + i) ^ word_at(q + i);
        if (d) return i + (size_t)__builtin_ctzll(d) / 8;
    }
    for (; i < n && p[i] == q[i]; i++) {}
    return i;
}
/* Calls cost more than most texts are long. */
NO_TSAN static inline bool words_equal(const u1 *p, const u1 *q, size_t n) {
    if (n > 64) return memcmp(p, q, n) == 0;
    if (n >= 8) {
        for (size_t i = 0; i + 8 < n; i += 8)
            if (word_at(p + i) != word_at(q + i)) return false;
        return word_at(p + n - 8) == word_at(q + n - 8);
    }
    if (n >= 4) return four_at(p) == four_at(q) && four_at(p + n - 4) == four_at(q + n - 4);
    for (size_t i = 0; i < n; i++)
        if (p[i] != q[i]) return false;
    return true;
}

/* 31 * h + element, four elements a step: the multiplications of one step do not wait for each other. */
#define HASH(name, type, value) \
    static inline int32_t name(u4 h, const type *p, u4 n) { \
        u4 i = 0; \
        for (; i + 4 <= n; i += 4) \
            h = h * 923521u + value(p[i]) * 29791u + value(p[i + 1]) * 961u + value(p[i + 2]) * 31u + value(p[i + 3]); \
        for (; i < n; i++) h = 31 * h + value(p[i]); \
        return (int32_t)h; \
    }
#define HASH_SELF(v) ((u4)(v))
#define HASH_LONG(v) ((u4)((u8)(v) ^ (u8)(v) >> 32))
HASH(hash_u1, u1, HASH_SELF)
HASH(hash_i1, int8_t, HASH_SELF)
HASH(hash_u2, u2, HASH_SELF)
HASH(hash_i2, int16_t, HASH_SELF)
HASH(hash_u4, u4, HASH_SELF)
HASH(hash_u8, u8, HASH_LONG)

/* First index of c in [from, n), or -1. */
NO_TSAN static inline int32_t find_u2(const u2 *p, int32_t from, int32_t n, u2 c) {
    const u8 ones = 0x0001000100010001ull, tops = 0x8000800080008000ull;
    u8 pattern = c * ones;
    int32_t i = from;
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi16((int16_t)c);
    for (; (int64_t)i + 8 <= n; i += 8) {
        u4 hits = (u4)_mm_movemask_epi8(_mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(p + i)), wanted));
        if (hits) return i + __builtin_ctz(hits) / 2;
    }
#endif
    for (; (int64_t)i + 4 <= n; i += 4) {
        u8 d = word_at(p + i) ^ pattern, hit = (d - ones) & ~d & tops; /* its lowest bit is that of the first zero */
        if (hit) return i + __builtin_ctzll(hit) / 16;
    }
    for (; i < n; i++)
        if (p[i] == c) return i;
    return -1;
}

/* Of m > 1 bytes whose first and last are equal.  They are few, and those that differ mostly do so soon. */
static inline bool equal_between(const u1 *p, const u1 *q, int32_t m) {
    for (int32_t i = 1; i < m - 1; i++)
        if (p[i] != q[i]) return false;
    return true;
}

/* First place in [from, n - m] where the m > 1 bytes of q are, or -1.  Sixteen places are asked for the first byte and the last. */
NO_TSAN static inline int32_t find_bytes(const u1 *p, int32_t from, int32_t n, const u1 *q, int32_t m) {
    int32_t i = from;
#if defined(__SSE2__)
    const __m128i first = _mm_set1_epi8((char)q[0]), last = _mm_set1_epi8((char)q[m - 1]);
    for (; (int64_t)i + m + 15 <= n; i += 16) {
        __m128i a = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + i)), first);
        __m128i b = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + i + m - 1)), last);
        for (u4 hits = (u4)_mm_movemask_epi8(_mm_and_si128(a, b)); hits; hits &= hits - 1) {
            int32_t at = i + __builtin_ctz(hits);
            if (equal_between(p + at, q, m)) return at;
        }
    }
#endif
    for (; i <= n - m; i++)
        if (p[i] == q[0] && p[i + m - 1] == q[m - 1] && equal_between(p + i, q, m)) return i;
    return -1;
}

static inline void widen(u2 *to, const u1 *from, u4 n) {
    u4 i = 0;
#if defined(__SSE2__)
    for (; i + 16 <= n; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(from + i)), zero = _mm_setzero_si128();
        _mm_storeu_si128((__m128i *)(to + i), _mm_unpacklo_epi8(v, zero));
        _mm_storeu_si128((__m128i *)(to + i + 8), _mm_unpackhi_epi8(v, zero));
    }
#endif
    for (; i + 4 <= n; i += 4) {
        u4 four;
        memcpy(&four, from + i, 4);
        u8 w = four;
        w = (w | w << 16) & 0x0000ffff0000ffffull;
        w = (w | w << 8) & 0x00ff00ff00ff00ffull;
        memcpy(to + i, &w, 8);
    }
    for (; i < n; i++) to[i] = from[i];
}

/* How many of n are without the bits of `wide`; they are written. */
static inline u4 narrow_to(u1 *to, const u2 *from, u4 n, u2 wide) {
    u4 i = 0;
#if defined(__SSE2__)
    const __m128i bits = _mm_set1_epi16((int16_t)wide);
    for (; i + 16 <= n; i += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(from + i)), b = _mm_loadu_si128((const __m128i *)(from + i + 8));
        __m128i set = _mm_and_si128(_mm_or_si128(a, b), bits);
        if (_mm_movemask_epi8(_mm_cmpeq_epi16(set, _mm_setzero_si128())) != 0xffff) break;
        _mm_storeu_si128((__m128i *)(to + i), _mm_packus_epi16(a, b));
    }
#endif
    for (; i + 4 <= n; i += 4) {
        u8 w = word_at(from + i);
        if (w & wide * 0x0001000100010001ull) break;
        w = (w | w >> 8) & 0x0000ffff0000ffffull;
        u4 four = (u4)(w | w >> 16);
        memcpy(to + i, &four, 4);
    }
    for (; i < n && !(from[i] & wide); i++) to[i] = (u1)from[i];
    return i;
}
static inline u4 narrow(u1 *to, const u2 *from, u4 n) { return narrow_to(to, from, n, 0xff00); }
static inline u4 narrow_ascii(u1 *to, const u2 *from, u4 n) { return narrow_to(to, from, n, 0xff80); }

static inline bool is_ascii(const u1 *p, u4 n) {
    u4 i = 0;
#if defined(__SSE2__)
    for (; i + 32 <= n; i += 32) {
        __m128i a = _mm_loadu_si128((const __m128i *)(p + i)), b = _mm_loadu_si128((const __m128i *)(p + i + 16));
        if (_mm_movemask_epi8(_mm_or_si128(a, b))) return false;
    }
#endif
    for (; i + 8 <= n; i += 8)
        if (word_at(p + i) & 0x8080808080808080ull) return false;
    for (; i < n; i++)
        if (p[i] & 0x80) return false;
    return true;
}

#endif
