/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES (FIPS 197) and its modes by the instructions of x86-64; without them the Java code runs.  The schedule of AESCrypt is as the
 * instructions want it, in big-endian words: for encryption from the start; for decryption, already through InvMixColumns, the first
 * round key in the second place and the last one in the first.
 */
#include "native/intrinsic/intrinsic_int.h"
#include "native/intrinsic/private_fields.h"
#include "native/intrinsic/words.h"

#include <immintrin.h>
#include <string.h>

#define AES_NI __attribute__((target("aes,sse4.1,ssse3")))
enum { BLOCK = 16, MOST_ROUNDS = 14, LONGEST = 1 << 22 };

typedef struct Schedule {
    __m128i key[MOST_ROUNDS + 1];
    int rounds;
} Schedule;

static bool is_array(const Object *o, int32_t length) { return o && array_len(o) >= length; }

AES_NI static bool load_schedule(Schedule *s, const Object *aes) {
    static PrivateField field;
    const Object *k = symbol_eq(obj_class(aes)->name, "com/sun/crypto/provider/AESCrypt") ? private_ref(&field, aes, "K") : NULL;
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bll, 0x0405060700010203ll);
    if (!k) return false;
    int n = array_len(k) / 4;
    if (n != 11 && n != 13 && n != 15) return false;
    for (int i = 0; i < n; i++) s->key[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)ARRAY_ELEMS(u4, k) + i), swap);
    s->rounds = n - 1;
    return true;
}

AES_NI static inline __m128i encrypt(const Schedule *s, __m128i v) {
    v = _mm_xor_si128(v, s->key[0]);
    for (int i = 1; i < s->rounds; i++) v = _mm_aesenc_si128(v, s->key[i]);
    return _mm_aesenclast_si128(v, s->key[s->rounds]);
}
AES_NI static inline __m128i decrypt(const Schedule *s, __m128i v) {
    v = _mm_xor_si128(v, s->key[1]);
    for (int i = 2; i <= s->rounds; i++) v = _mm_aesdec_si128(v, s->key[i]);
    return _mm_aesdeclast_si128(v, s->key[0]);
}
static inline __m128i load(const u1 *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void store(u1 *p, __m128i v) { _mm_storeu_si128((__m128i *)p, v); }

/* implEncryptBlock(in, at, out, at) */
AES_NI static bool one_block(Slot *args, bool enc) {
    Schedule s;
    int32_t at = args[2].i, to = args[4].i;
    if (!is_array(args[1].ref, BLOCK) || !is_array(args[3].ref, BLOCK) || at < 0 || at > array_len(args[1].ref) - BLOCK ||
        to < 0 || to > array_len(args[3].ref) - BLOCK || !load_schedule(&s, args[0].ref))
        return false;
    __m128i v = load(ARRAY_ELEMS(u1, args[1].ref) + at);
    store(ARRAY_ELEMS(u1, args[3].ref) + to, enc ? encrypt(&s, v) : decrypt(&s, v));
    return true;
}

/* Arguments of a mode: mode, in, at, length, out, at. */
typedef struct Run {
    Schedule s;
    const u1 *in;
    u1 *out;
    int32_t length;
} Run;

static bool start(Run *r, Slot *args) {
    static PrivateField field;
    int32_t at = args[2].i, n = args[3].i, to = args[5].i;
    const Object *in = args[1].ref, *out = args[4].ref, *cipher = private_ref(&field, args[0].ref, "embeddedCipher");
    if (!in || !out || !cipher || n < 0 || n > LONGEST || at < 0 || at > array_len(in) - n || to < 0 || to > array_len(out) - n)
        return false;
    *r = (Run){.in = ARRAY_ELEMS(u1, in) + at, .out = ARRAY_ELEMS(u1, out) + to, .length = n};
    return load_schedule(&r->s, cipher);
}

/* Eight blocks that do not wait for each other, unless one run could see what the other wrote. */
AES_NI static inline __attribute__((always_inline)) bool ecb(Slot *args, Slot *ret, bool enc) {
    Run r;
    if (!start(&r, args)) return false;
    int32_t n = r.length & -BLOCK;
    const u1 *p = r.in;
    u1 *q = r.out;
    bool apart = q <= p || q >= p + n;
    for (; apart && n >= 8 * BLOCK; n -= 8 * BLOCK, p += 8 * BLOCK, q += 8 * BLOCK) {
        __m128i v[8];
        UNROLLED for (int i = 0; i < 8; i++) v[i] = _mm_xor_si128(load(p + BLOCK * i), r.s.key[enc ? 0 : 1]);
        for (int k = enc ? 1 : 2; k < r.s.rounds + (enc ? 0 : 1); k++) {
            __m128i key = r.s.key[k];
            UNROLLED for (int i = 0; i < 8; i++) v[i] = enc ? _mm_aesenc_si128(v[i], key) : _mm_aesdec_si128(v[i], key);
        }
        UNROLLED for (int i = 0; i < 8; i++)
            store(q + BLOCK * i, enc ? _mm_aesenclast_si128(v[i], r.s.key[r.s.rounds]) : _mm_aesdeclast_si128(v[i], r.s.key[0]));
    }
    for (; n >= BLOCK; n -= BLOCK, p += BLOCK, q += BLOCK) store(q, enc ? encrypt(&r.s, load(p)) : decrypt(&r.s, load(p)));
    ret->i = r.length;
    return true;
}

AES_NI static bool ecb_encrypt(Slot *args, Slot *ret) { return ecb(args, ret, true); }
AES_NI static bool ecb_decrypt(Slot *args, Slot *ret) { return ecb(args, ret, false); }

/* The register of the chain is `r`; steps are in the order of the Java code, for those whose output lies over their input. */
AES_NI static bool cbc(Slot *args, Slot *ret, bool enc) {
    static PrivateField field;
    Run r;
    Object *chain = private_ref(&field, args[0].ref, "r");
    if (!is_array(chain, BLOCK) || args[3].i % BLOCK || chain == args[1].ref || chain == args[4].ref || !start(&r, args))
        return false;
    __m128i v = load(array_data(chain));
    for (int32_t n = r.length; n >= BLOCK; n -= BLOCK, r.in += BLOCK, r.out += BLOCK) {
        if (enc) {
            store(r.out, v = encrypt(&r.s, _mm_xor_si128(load(r.in), v)));
        } else {
            store(r.out, _mm_xor_si128(decrypt(&r.s, load(r.in)), v));
            v = load(r.in);
        }
    }
    store(array_data(chain), v);
    ret->i = r.length;
    return true;
}

static void increment(u1 *counter) {
    for (int i = BLOCK - 1; i >= 0 && ++counter[i] == 0; i--) {}
}

static void store_counter(u1 *counter, u8 high, u8 low) {
    high = __builtin_bswap64(high), low = __builtin_bswap64(low);
    memcpy(counter, &high, 8);
    memcpy(counter + 8, &low, 8);
}

/* Eight blocks at once, as long as there are so many: their bytes.  The pad of the last one is left, used up. */
AES_NI static int32_t ctr_blocks(const Run *r, u1 *counter, u1 *pad) {
    int32_t n = 0;
    u8 high = be64_at(counter), low = be64_at(counter + 8);
    __m128i v[8];
    for (; r->length - n >= 8 * BLOCK; n += 8 * BLOCK) {
        UNROLLED for (int i = 0; i < 8; i++) {
            v[i] = _mm_set_epi64x((int64_t)__builtin_bswap64(low), (int64_t)__builtin_bswap64(high));
            v[i] = _mm_xor_si128(v[i], r->s.key[0]);
            high += ++low == 0;
        }
        for (int k = 1; k < r->s.rounds; k++) {
            __m128i key = r->s.key[k];
            UNROLLED for (int i = 0; i < 8; i++) v[i] = _mm_aesenc_si128(v[i], key);
        }
        UNROLLED for (int i = 0; i < 8; i++) {
            v[i] = _mm_aesenclast_si128(v[i], r->s.key[r->s.rounds]);
            store(r->out + n + BLOCK * i, _mm_xor_si128(load(r->in + n + BLOCK * i), v[i]));
        }
    }
    if (n) {
        store(pad, v[7]);
        store_counter(counter, high, low);
    }
    return n;
}

AES_NI static bool ctr(Slot *args, Slot *ret) {
    static PrivateField counters, encrypted, uses;
    Run r;
    Object *mode = args[0].ref, *counter = private_ref(&counters, mode, "counter"),
           *pad = private_ref(&encrypted, mode, "encryptedCounter");
    int32_t *used = private_int(&uses, mode, "used");
    if (!is_array(counter, BLOCK) || !is_array(pad, BLOCK) || !used || *used < 0 || !start(&r, args)) return false;
    u1 *c = array_data(counter), *k = array_data(pad);
    for (int32_t n = r.length; n > 0;) {
        if (*used >= BLOCK && n >= 8 * BLOCK && (r.out <= r.in || r.out >= r.in + n)) {
            r.length = n;
            int32_t done = ctr_blocks(&r, c, k);
            r.in += done, r.out += done, n -= done;
            continue;
        }
        if (*used >= BLOCK) {
            store(k, encrypt(&r.s, load(c)));
            increment(c);
            *used = 0;
        }
        if (*used == 0 && n >= BLOCK && (r.out <= r.in || r.out >= r.in + BLOCK)) {
            store(r.out, _mm_xor_si128(load(r.in), load(k)));
            *used = BLOCK;
            r.in += BLOCK, r.out += BLOCK, n -= BLOCK;
        } else {
            *r.out++ = *r.in++ ^ k[(*used)++];
            n--;
        }
    }
    ret->i = args[3].i;
    return true;
}

/* ---- GHASH (SP 800-38D): processBlocks(data, at, blocks, state, subkey), numbers of 128 bits, the first bit lowest ---- */

#define CLMUL __attribute__((target("pclmul,sse4.1,ssse3")))

CLMUL static __m128i gf_multiply(__m128i a, __m128i b) {
    __m128i lo = _mm_clmulepi64_si128(a, b, 0x00), hi = _mm_clmulepi64_si128(a, b, 0x11);
    __m128i mid = _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x10), _mm_clmulepi64_si128(a, b, 0x01));
    lo = _mm_xor_si128(lo, _mm_slli_si128(mid, 8));
    hi = _mm_xor_si128(hi, _mm_srli_si128(mid, 8));
    /* the product of reflected numbers is one bit short: 256 bits to the left by one */
    __m128i lo_out = _mm_srli_epi64(lo, 63), hi_out = _mm_srli_epi64(hi, 63);
    lo = _mm_or_si128(_mm_slli_epi64(lo, 1), _mm_slli_si128(lo_out, 8));
    hi = _mm_or_si128(_mm_or_si128(_mm_slli_epi64(hi, 1), _mm_slli_si128(hi_out, 8)), _mm_srli_si128(lo_out, 8));
    /* modulo x^128 + x^7 + x^2 + x + 1, in two halves */
    __m128i out = _mm_xor_si128(_mm_xor_si128(_mm_slli_epi64(lo, 63), _mm_slli_epi64(lo, 62)), _mm_slli_epi64(lo, 57));
    lo = _mm_xor_si128(lo, _mm_slli_si128(out, 8));
    __m128i carry = _mm_srli_si128(out, 8);
    __m128i down =
        _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(lo, 1), _mm_srli_epi64(lo, 2)), _mm_xor_si128(_mm_srli_epi64(lo, 7), carry));
    return _mm_xor_si128(hi, _mm_xor_si128(lo, down));
}

CLMUL static bool ghash(Slot *args) {
    const Object *data = args[0].ref, *subkey = args[4].ref;
    Object *state = args[3].ref;
    int32_t at = args[1].i, n = args[2].i;
    if (!data || !is_array(state, 2) || !is_array(subkey, 2) || at < 0 || n < 0 || n > LONGEST / BLOCK ||
        at > array_len(data) - n * BLOCK)
        return false;
    const __m128i reverse = _mm_set_epi64x(0x0001020304050607ll, 0x08090a0b0c0d0e0fll);
    const u8 *h = array_data(subkey);
    u8 *s = array_data(state);
    __m128i key = _mm_set_epi64x((int64_t)h[0], (int64_t)h[1]), v = _mm_set_epi64x((int64_t)s[0], (int64_t)s[1]);
    for (const u1 *p = ARRAY_ELEMS(u1, data) + at; n--; p += BLOCK)
        v = gf_multiply(_mm_xor_si128(v, _mm_shuffle_epi8(load(p), reverse)), key);
    s[0] = (u8)_mm_extract_epi64(v, 1);
    s[1] = (u8)_mm_cvtsi128_si64(v);
    return true;
}

bool aes_encrypt(Thread *t, Slot *args, Slot *ret) { return cpu_has()->aes && one_block(args, true); }
bool aes_decrypt(Thread *t, Slot *args, Slot *ret) { return cpu_has()->aes && one_block(args, false); }
bool aes_ecb_encrypt(Thread *t, Slot *args, Slot *ret) { return cpu_has()->aes && ecb_encrypt(args, ret); }
bool aes_ecb_decrypt(Thread *t, Slot *args, Slot *ret) { return cpu_has()->aes && ecb_decrypt(args, ret); }
bool aes_cbc_encrypt(Thread *t, Slot *args, Slot *ret) { return cpu_has()->aes && cbc(args, ret, true); }
bool aes_cbc_decrypt(Thread *t, Slot *args, Slot *ret) { return cpu_has()->aes && cbc(args, ret, false); }
bool aes_ctr(Thread *t, Slot *args, Slot *ret) { return cpu_has()->aes && ctr(args, ret); }
bool ghash_blocks(Thread *t, Slot *args, Slot *ret) { return cpu_has()->clmul && ghash(args); }
