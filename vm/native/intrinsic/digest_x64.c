/* SPDX-License-Identifier: Apache-2.0 */
/* What x86-64 has instructions for in digests, CRC32, CRC32C and Base64. */
#include "native/intrinsic/digest_cpu.h"

#include "cpu/cpu.h"
#include "native/intrinsic/words.h"

#include <immintrin.h>
#include <string.h>

/* ---- SHA-1, SHA-256 ---- */

#define SHA_NI __attribute__((target("sha,sse4.1,ssse3")))

SHA_NI void sha256_block(u4 *state, const u1 *p) {
    static const u4 K[64] __attribute__((aligned(16))) = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
        0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
        0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
        0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
        0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
        0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bll, 0x0405060700010203ll);
    __m128i dcba = _mm_loadu_si128((const __m128i *)state), hgfe = _mm_loadu_si128((const __m128i *)(state + 4)), w[4];
    /* the instructions want {a, b, e, f} and {c, d, g, h}, the first highest */
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0), abef_in = abef, cdgh_in = cdgh;
    for (int i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p + 16 * i)), swap);
    UNROLLED for (int i = 0; i < 16; i++) { /* the words are in registers then */
        __m128i now = w[i & 3], k = _mm_add_epi32(now, _mm_load_si128((const __m128i *)(K + 4 * i)));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
        if (i < 12) { /* the four words after the next twelve */
            __m128i one = w[(i + 1) & 3], two = w[(i + 2) & 3], three = w[(i + 3) & 3];
            __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(now, one), _mm_alignr_epi8(three, two, 4));
            w[i & 3] = _mm_sha256msg2_epu32(sum, three);
        }
    }
    abef = _mm_add_epi32(abef, abef_in);
    cdgh = _mm_add_epi32(cdgh, cdgh_in);
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/* Twenty rounds with one function: the number is part of the instruction. */
#define SHA1_ROUNDS(from, f) \
    UNROLLED for (int i = (from); i < (from) + 5; i++) { \
        __m128i now = w[i & 3], before = abcd; \
        e = i ? _mm_sha1nexte_epu32(e, now) : _mm_add_epi32(e, now); \
        abcd = _mm_sha1rnds4_epu32(abcd, e, f); \
        e = before; \
        if (i < 16) { \
            __m128i sum = _mm_xor_si128(_mm_sha1msg1_epu32(now, w[(i + 1) & 3]), w[(i + 2) & 3]); \
            w[i & 3] = _mm_sha1msg2_epu32(sum, w[(i + 3) & 3]); \
        } \
    }

SHA_NI void sha1_block(u4 *state, const u1 *p) {
    const __m128i reverse = _mm_set_epi64x(0x0001020304050607ll, 0x08090a0b0c0d0e0fll);
    __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0x1b), e = _mm_set_epi32((int)state[4], 0, 0, 0);
    __m128i abcd_in = abcd, e_in = e, w[4];
    for (int i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p + 16 * i)), reverse);
    SHA1_ROUNDS(0, 0)
    SHA1_ROUNDS(5, 1)
    SHA1_ROUNDS(10, 2)
    SHA1_ROUNDS(15, 3)
    e = _mm_sha1nexte_epu32(e, e_in);
    abcd = _mm_add_epi32(abcd, abcd_in);
    _mm_storeu_si128((__m128i *)state, _mm_shuffle_epi32(abcd, 0x1b));
    state[4] = (u4)_mm_extract_epi32(e, 3);
}

/* ---- CRC32 ----
 *
 * The sum is a remainder of polynomials over one bit, bits in reverse order.  16 bytes x that stand n bits in front of others may be replaced
 * by (high half of x) * (2^(n-64) mod P) + (low half of x) * (2^n mod P), which has 16 bytes again: so 64 bytes are folded onto the next 64,
 * in four independent sequences, then one onto the other, until 16 are left.  These go down to 4 by the same rule and a division by
 * P, which is a multiplication by its inverse (Barrett).  Factors have one bit more on the right, for products of reversed numbers do.
 */

#define CLMUL __attribute__((target("pclmul,sse4.1")))
CLMUL static inline __m128i load16(const u1 *p) { return _mm_loadu_si128((const __m128i *)p); }
CLMUL static inline __m128i fold(__m128i x, __m128i factors, __m128i onto) {
    __m128i low = _mm_clmulepi64_si128(x, factors, 0x00), high = _mm_clmulepi64_si128(x, factors, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), onto);
}

typedef struct CrcFactors { /* of a polynomial; pairs: for the low half, the high half */
    u8 by_2048[2], by_512[2], by_128[2], by_96, by_64, inverse, divisor;
} CrcFactors;
static const CrcFactors crc32_factors = {{0x11542778a, 0x1322d1430},
                                         {0x154442bd4, 0x1c6e41596},
                                         {0x1751997d0, 0x0ccaa009e},
                                         0x0ccaa009e,
                                         0x163cd6124,
                                         0x1f7011641,
                                         0x1db710641};
static const CrcFactors crc32c_factors = {{0x0dcb17aa4, 0x0b9e02b86},
                                          {0x0740eef02, 0x09e4addf8},
                                          {0x0f20c0dfe, 0x14cd00bd6},
                                          0x14cd00bd6,
                                          0x0dd45aab8,
                                          0x0dea713f1,
                                          0x105ec76f1};
CLMUL static inline __m128i pair(const u8 *p) { return _mm_loadu_si128((const __m128i *)p); }

CLMUL static u4 reduce(const CrcFactors *f, __m128i x) {
    const __m128i by_96 = _mm_set_epi64x(0, (int64_t)f->by_96), by_64 = _mm_set_epi64x(0, (int64_t)f->by_64);
    const __m128i divisor = _mm_set_epi64x((int64_t)f->inverse, (int64_t)f->divisor), low_word = _mm_set_epi32(0, 0, 0, -1);
    x = _mm_xor_si128(_mm_srli_si128(x, 8), _mm_clmulepi64_si128(x, by_96, 0x00));
    x = _mm_xor_si128(_mm_srli_si128(x, 4), _mm_clmulepi64_si128(_mm_and_si128(x, low_word), by_64, 0x00));
    __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(x, low_word), divisor, 0x10);
    x = _mm_xor_si128(x, _mm_clmulepi64_si128(_mm_and_si128(quotient, low_word), divisor, 0x00));
    return (u4)_mm_extract_epi32(x, 1);
}
CLMUL static u4 fold_rest(const CrcFactors *f, __m128i x, const u1 *p, size_t n) {
    for (; n >= 16; p += 16, n -= 16) x = fold(x, pair(f->by_128), load16(p));
    return reduce(f, x);
}

/* n >= CRC_SHORTEST; a rest of fewer than 16 bytes is left out. */
CLMUL static u4 fold_blocks(const CrcFactors *f, u4 crc, const u1 *p, size_t n) {
    const __m128i by_512 = pair(f->by_512), by_128 = pair(f->by_128);
    __m128i x = _mm_xor_si128(load16(p), _mm_cvtsi32_si128((int)crc));
    p += 16, n -= 16;
    if (n >= 48) {
        __m128i x1 = load16(p), x2 = load16(p + 16), x3 = load16(p + 32);
        for (p += 48, n -= 48; n >= 64; p += 64, n -= 64) {
            x = fold(x, by_512, load16(p));
            x1 = fold(x1, by_512, load16(p + 16));
            x2 = fold(x2, by_512, load16(p + 32));
            x3 = fold(x3, by_512, load16(p + 48));
        }
        x = fold(fold(fold(x, by_128, x1), by_128, x2), by_128, x3);
    }
    return fold_rest(f, x, p, n);
}

/* The same of 256 bytes at once. */
enum { CRC_WIDE = 256 };
#define CLMUL512 __attribute__((target("vpclmulqdq,avx512f,avx,pclmul,sse4.1")))
CLMUL512 static inline __m512i load64(const u1 *p) { return _mm512_loadu_si512(p); }
CLMUL512 static inline __m512i fold512(__m512i x, __m512i factors, __m512i onto) {
    __m512i low = _mm512_clmulepi64_epi128(x, factors, 0x00), high = _mm512_clmulepi64_epi128(x, factors, 0x11);
    return _mm512_xor_si512(_mm512_xor_si512(low, high), onto);
}
CLMUL512 static u4 fold_wide_blocks(const CrcFactors *f, u4 crc, const u1 *p, size_t n) {
    const __m512i by_2048 = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)f->by_2048));
    const __m512i by_512 = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)f->by_512));
    const __m128i by_128 = _mm_loadu_si128((const __m128i *)f->by_128);
    __m512i x = _mm512_xor_si512(load64(p), _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)crc)));
    __m512i x1 = load64(p + 64), x2 = load64(p + 128), x3 = load64(p + 192);
    for (p += 256, n -= 256; n >= 256; p += 256, n -= 256) {
        x = fold512(x, by_2048, load64(p));
        x1 = fold512(x1, by_2048, load64(p + 64));
        x2 = fold512(x2, by_2048, load64(p + 128));
        x3 = fold512(x3, by_2048, load64(p + 192));
    }
    x = fold512(fold512(fold512(x, by_512, x1), by_512, x2), by_512, x3);
    for (; n >= 64; p += 64, n -= 64) x = fold512(x, by_512, load64(p));
    __m128i y = fold(_mm512_extracti32x4_epi32(x, 0), by_128, _mm512_extracti32x4_epi32(x, 1));
    y = fold(fold(y, by_128, _mm512_extracti32x4_epi32(x, 2)), by_128, _mm512_extracti32x4_epi32(x, 3));
    _mm256_zeroupper(); /* else all that follows, whose instructions keep upper parts, waits for them */
    return fold_rest(f, y, p, n);
}
static u4 crc_blocks(const CrcFactors *f, u4 crc, const u1 *p, size_t n) {
    return n >= CRC_WIDE && cpu_has()->clmul512 ? fold_wide_blocks(f, crc, p, n) : fold_blocks(f, crc, p, n);
}
u4 crc32_blocks(u4 crc, const u1 *p, size_t n) { return crc_blocks(&crc32_factors, crc, p, n); }

/* ---- CRC32C ---- */

/* Each waits for the one before: longer ones are folded as above. */
__attribute__((target("sse4.2"))) u4 crc32c_sum(u4 crc, const u1 *p, size_t n) {
    enum { FOLDED = 160 };
    if (n >= FOLDED && cpu_has()->clmul) {
        crc = crc_blocks(&crc32c_factors, crc, p, n);
        p += n & ~(size_t)15;
        n &= 15;
    }
    u8 c = crc, w;
    for (; n >= 8; n -= 8, p += 8) {
        memcpy(&w, p, 8);
        c = _mm_crc32_u64(c, w);
    }
    for (; n; n--) c = _mm_crc32_u8((u4)c, *p++);
    return (u4)c;
}

/* ---- hash codes of Latin-1 text ---- */

#define MULTIPLIES __attribute__((target("sse4.1")))

enum { POWER_4 = 923521u };
static const u4 power_8 = (u4)POWER_4 * POWER_4;

/* What eight letters add, in two groups of four, each in two lanes; what was there is worth 31^32 times as much. */
MULTIPLIES static inline __m128i hash_eight(__m128i lanes, const u1 *p, __m128i step) {
    const __m128i in_group = _mm_setr_epi16(29791, 961, 31, 1, 29791, 961, 31, 1);
    __m128i eight = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)p));
    return _mm_add_epi32(_mm_mullo_epi32(lanes, step), _mm_madd_epi16(eight, in_group));
}

static u4 hash_of_lanes(u4 h, __m128i lanes) {
    u4 two[4];
    _mm_storeu_si128((__m128i *)two, lanes);
    return h * power_8 + (two[0] + two[1]) * POWER_4 + two[2] + two[3];
}

/* Four vectors, of the letters 0 to 7, 8 to 15 and so on of all steps: they do not wait for each other. */
MULTIPLIES u4 hash_steps(const u1 *p, size_t n) {
    const u4 power_32 = power_8 * power_8 * power_8 * power_8;
    const __m128i step = _mm_set1_epi32((int)power_32);
    __m128i a = _mm_setzero_si128(), b = a, c = a, d = a;
    for (size_t i = 0; i < n; i += HASH_STEP) {
        a = hash_eight(a, p + i, step);
        b = hash_eight(b, p + i + 8, step);
        c = hash_eight(c, p + i + 16, step);
        d = hash_eight(d, p + i + 24, step);
    }
    return hash_of_lanes(hash_of_lanes(hash_of_lanes(hash_of_lanes(0, a), b), c), d);
}

/* ---- Base64 ---- */

#define SHUFFLES __attribute__((target("ssse3")))
enum { GROUPS = 4 }; /* of three bytes and four letters, at once */

/* Twelve bytes of sixteen that can be read: sixteen letters. */
SHUFFLES static inline __m128i encode_groups(__m128i v, __m128i last_two) {
    v = _mm_shuffle_epi8(v, _mm_set_epi8(10, 11, 9, 10, 7, 8, 6, 7, 4, 5, 3, 4, 1, 2, 0, 1)); /* bytes b a c b of each group */
    __m128i odd = _mm_mulhi_epu16(_mm_and_si128(v, _mm_set1_epi32(0x0fc0fc00)), _mm_set1_epi32(0x04000040));
    __m128i even = _mm_mullo_epi16(_mm_and_si128(v, _mm_set1_epi32(0x003f03f0)), _mm_set1_epi32(0x01000010));
    __m128i six = _mm_or_si128(odd, even); /* numbers below 64 */
    /* which range: 0 for a to z, 1 to 10 for digits, 11, 12 for the last two, 13 for A to Z; what to add there */
    __m128i range = _mm_subs_epu8(six, _mm_set1_epi8(51));
    range = _mm_sub_epi8(range, _mm_and_si128(_mm_cmpgt_epi8(_mm_set1_epi8(26), six), _mm_set1_epi8(-13)));
    return _mm_add_epi8(six, _mm_shuffle_epi8(last_two, range));
}
SHUFFLES int32_t base64_encode_many(u1 *to, const u1 *from, int32_t n, bool for_url) {
    const char plus = for_url ? '-' : '+', slash = for_url ? '_' : '/';
    const char digit = '0' - 52;
    const __m128i add = _mm_setr_epi8('a' - 26, digit, digit, digit, digit, digit, digit, digit, digit, digit, digit,
                                      (char)(plus - 62), (char)(slash - 63), 'A', 0, 0);
    int32_t done = 0;
    for (; n - done >= GROUPS + 2; done += GROUPS)
        _mm_storeu_si128((__m128i *)(to + done * 4), encode_groups(_mm_loadu_si128((const __m128i *)(from + done * 3)), add));
    return done;
}

/*
 * Letters by their halves.  Upper halves are in groups of one bit each; the lower half says in which groups it makes no letter.  What
 * is added to a letter depends on the upper half, but for one of the last two.
 */
static const u1 groups[16] = {32, 32, 1, 2, 4, 8, 4, 16, 32, 32, 32, 32, 32, 32, 32, 32};
static const u1 wrong_basic[16] = {32 + 5, 32 + 1, 32 + 1, 32 + 1,  32 + 1,  32 + 1,  32 + 1,  32 + 1,
                                   32 + 1, 32 + 1, 32 + 3, 32 + 26, 32 + 27, 32 + 27, 32 + 27, 32 + 26};
static const u1 wrong_url[16] = {32 + 5, 32 + 1, 32 + 1, 32 + 1,  32 + 1,  32 + 1,  32 + 1,  32 + 1,
                                 32 + 1, 32 + 1, 32 + 3, 32 + 27, 32 + 27, 32 + 26, 32 + 27, 32 + 19};
static const int8_t shift_basic[16] = {0, 0, 62 - '+', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 63 - '/', 0, 0, 0, 0, 0};
static const int8_t shift_url[16] = {0, 0, 62 - '-', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0, 63 - '_', 0, 0};

SHUFFLES static inline __m128i table(const void *p) { return _mm_loadu_si128((const __m128i *)p); }

SHUFFLES int32_t base64_decode_many(u1 *to, const u1 *from, int32_t n, bool for_url) {
    const __m128i wrong = table(for_url ? wrong_url : wrong_basic), shift = table(for_url ? shift_url : shift_basic);
    const __m128i last = _mm_set1_epi8(for_url ? '_' : '/'), half = _mm_set1_epi8(15), eight = _mm_set1_epi8(8);
    const __m128i group_of = table(groups);
    int32_t done = 0;
    for (; n - done >= GROUPS + 2; done += GROUPS) {
        __m128i c = table(from + done * 4), upper = _mm_and_si128(_mm_srli_epi32(c, 4), half), lower = _mm_and_si128(c, half);
        __m128i bad = _mm_and_si128(_mm_shuffle_epi8(group_of, upper), _mm_shuffle_epi8(wrong, lower));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) != 0xffff) break;
        upper = _mm_or_si128(upper, _mm_and_si128(_mm_cmpeq_epi8(c, last), eight));
        __m128i six = _mm_add_epi8(c, _mm_shuffle_epi8(shift, upper));
        __m128i pairs = _mm_maddubs_epi16(six, _mm_set1_epi32(0x01400140)); /* a << 6 | b */
        __m128i words = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00011000));  /* those << 12 | the next */
        words = _mm_shuffle_epi8(words, _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
        u4 rest = (u4)_mm_cvtsi128_si32(_mm_srli_si128(words, 8));
        _mm_storel_epi64((__m128i *)(to + done * 3), words);
        memcpy(to + done * 3 + 8, &rest, 4);
    }
    return done;
}
