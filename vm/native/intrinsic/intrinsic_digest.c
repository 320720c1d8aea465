/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inner loops of message digests, CRC32, CRC32C, Base64 and big integers: FIPS 180-4, RFC 1321, RFC 1952, RFC 3720, RFC 4648.  Where the processor has
 * instructions for them they are used (digest_x64.c); SHA-1 and SHA-256 without them are left to the Java code.
 */
#include "link/link.h"
#include "native/intrinsic/digest_cpu.h"
#include "native/intrinsic/intrinsic_int.h"
#include "native/intrinsic/private_fields.h"
#include "native/intrinsic/words.h"
#include "object/method.h"

#include <string.h>
#include <zlib.h>

#define BYTES(a) ARRAY_ELEMS(u1, (a).ref)
#define LEN(a) array_len((a).ref)

/* implCompress0(block, at) of a digest: its block and its state of n words of `size` bytes, or NULL. */
static const u1 *block_of(const Slot *args, PrivateField *field, u4 block, Object **state, int32_t n) {
    const Object *bytes = args[1].ref;
    int32_t at = args[2].i;
    *state = private_ref(field, args[0].ref, "state");
    if (UNLIKELY(!bytes) || UNLIKELY(!*state) || array_len(*state) < n || at < 0 || at > array_len(bytes) - (int32_t)block)
        return NULL;
    return ARRAY_ELEMS(u1, bytes) + at;
}

/* ---- SHA-1, SHA-256 ---- */

#define COMPRESS(digest, usable, words) \
    bool digest##_compress(Thread *t, Slot *args, Slot *ret) { \
        static PrivateField field; \
        Object *state; \
        const u1 *p = usable ? block_of(args, &field, 64, &state, words) : NULL; \
        if (p) digest##_block(array_data(state), p); \
        return p != NULL; \
    }
COMPRESS(sha256, cpu_has()->sha, 8)
COMPRESS(sha1, cpu_has()->sha, 5)

/* ---- SHA-512 ---- */

static inline u8 right(u8 v, int n) { return v >> n | v << (64 - n); }

static void sha512_block(u8 *state, const u1 *p, const u8 *K) {
    u8 w[80], s[8];
    for (int i = 0; i < 16; i++) w[i] = be64_at(p + 8 * i);
    for (int i = 16; i < 80; i++) {
        u8 x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + (right(x, 1) ^ right(x, 8) ^ x >> 7) + w[i - 7] + (right(y, 19) ^ right(y, 61) ^ y >> 6);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 80; i += 8) {
        UNROLLED for (int k = 0; k < 8; k++) { /* nothing moves: the names of the eight do */
            u8 a = s[(0 - k) & 7], b = s[(1 - k) & 7], c = s[(2 - k) & 7], e = s[(4 - k) & 7];
            u8 t1 = s[(7 - k) & 7] + (right(e, 14) ^ right(e, 18) ^ right(e, 41)) +
                    ((e & s[(5 - k) & 7]) ^ (~e & s[(6 - k) & 7])) + K[i + k] + w[i + k];
            s[(3 - k) & 7] += t1;
            s[(7 - k) & 7] = t1 + (right(a, 28) ^ right(a, 34) ^ right(a, 39)) + ((a & b) ^ (a & c) ^ (b & c));
        }
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}
bool sha512_compress(Thread *t, Slot *args, Slot *ret) {
    static PrivateField field, constants;
    Object *state, *k = private_static(&constants, args[0].ref, "ROUND_CONSTS");
    const u1 *p = block_of(args, &field, 128, &state, 8);
    if (!p || !k || array_len(k) != 80) return false;
    sha512_block(array_data(state), p, array_data(k));
    return true;
}

/* ---- MD5 ---- */

static void md5_block(u4 *state, const u1 *p) {
    static const u4 K[64] = {/* 2^32 * |sin(i + 1)| */
                             0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
                             0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
                             0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
                             0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
                             0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
                             0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
                             0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
                             0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
    static const u1 turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    u4 a = state[0], b = state[1], c = state[2], d = state[3], w[16];
    memcpy(w, p, sizeof w);
#define MD5_ROUND(n, f, index) \
    UNROLLED for (u4 i = 16 * (n); i < 16 * (n) + 16; i++) { \
        u4 x = a + (f) + K[i] + w[(index)&15], s = turns[n][i & 3]; \
        a = d; \
        d = c; \
        c = b; \
        b += x << s | x >> (32 - s); \
    }
    MD5_ROUND(0, (b & c) | (~b & d), i)
    MD5_ROUND(1, (d & b) | (~d & c), 5 * i + 1)
    MD5_ROUND(2, b ^ c ^ d, 3 * i + 5)
    MD5_ROUND(3, c ^ (b | ~d), 7 * i)
#undef MD5_ROUND
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}
COMPRESS(md5, true, 4)

enum { LONGEST = 1 << 22 }; /* of sums: what takes longer is the Java code's or the native's, which stops for collections */

/* ---- many blocks ---- */

typedef struct Digest {
    QuickNative one; /* of a block: its implCompress0 */
    void (*block)(u4 *state, const u1 *p);
    int32_t words;
    PrivateField state;
} Digest;

static const Method *method_of_block(Class *c) {
    static Symbol *_Atomic name, *_Atomic desc; /* symbols are never freed */
    if (UNLIKELY(!atomic_load_explicit(&desc, memory_order_acquire))) {
        atomic_store(&name, symbol_of("implCompress0"));
        atomic_store(&desc, symbol_of("([BI)V"));
    }
    return class_find_method(c, name, desc);
}

/* NULL: blocks of o are hashed by Java code, which may be an agent's or have a breakpoint: so that is asked each time. */
static Digest *digest_of(const Object *o) {
    static Digest digests[] = {{.one = sha256_compress, .block = sha256_block, .words = 8},
                               {.one = sha1_compress, .block = sha1_block, .words = 5},
                               {.one = md5_compress, .block = md5_block, .words = 4}};
    const Method *m = method_of_block(obj_class(o));
    if (!m || __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE) != MK_LEAF_QUICK) return NULL;
    for (size_t i = 0; i < ARRAY_LEN(digests); i++)
        if (m->quick == digests[i].one) return &digests[i];
    return NULL;
}

/* implCompressMultiBlock0(bytes, at, last): all blocks that begin from `at` to `last`; where the next would. */
bool digest_compress_many(Thread *t, Slot *args, Slot *ret) {
    enum { BLOCK = 64 };
    const Object *bytes = args[1].ref;
    int32_t at = args[2].i, last = args[3].i;
    if (!bytes || at < 0 || last < at || last - at > LONGEST || last > array_len(bytes) - BLOCK) return false;
    Digest *d = digest_of(args[0].ref);
    Object *state = d && (d->block == md5_block || cpu_has()->sha) ? private_ref(&d->state, args[0].ref, "state") : NULL;
    if (!state || array_len(state) < d->words) return false;
    for (; at <= last; at += BLOCK) d->block(array_data(state), ARRAY_ELEMS(u1, bytes) + at);
    ret->i = at;
    return true;
}

/* ---- CRC32 ---- */

static u4 crc32_by_byte(u4 crc, const u1 *p, size_t n) {
    const z_crc_t *by_byte = get_crc_table();
    for (; n; n--) crc = crc >> 8 ^ (u4)by_byte[(crc ^ *p++) & 0xff];
    return crc;
}

static u4 crc32_of(u4 crc, const u1 *p, size_t n) {
    size_t rest = n < CRC_SHORTEST ? n : n % 16;
    crc = ~crc;
    if (n > rest) crc = crc32_blocks(crc, p, n);
    return ~crc32_by_byte(crc, p + n - rest, rest);
}

/* More than the shortest takes the native of zlib where the processor has no instruction for it. */
static bool is_for_crc32(int64_t n) { return n >= 0 && n <= (cpu_has()->clmul ? LONGEST : CRC_SHORTEST - 1); }

bool crc32_bytes(Thread *t, Slot *args, Slot *ret) { /* crc, bytes, from, length */
    int32_t from = args[2].i, n = args[3].i;
    if (UNLIKELY(!args[1].ref) || from < 0 || !is_for_crc32(n) || n > LEN(args[1]) - from) return false;
    ret->i = (int32_t)crc32_of((u4)args[0].i, BYTES(args[1]) + from, (size_t)n);
    return true;
}
bool crc32_memory(Thread *t, Slot *args, Slot *ret) { /* crc, address, from, length */
    int32_t from = args[3].i, n = args[4].i;
    if (!args[1].j || from < 0 || !is_for_crc32(n)) return false;
    ret->i = (int32_t)crc32_of((u4)args[0].i, (const u1 *)(intptr_t)args[1].j + from, (size_t)n);
    return true;
}
void crc32_byte(Thread *t, Slot *args, Slot *ret) { /* crc, byte */
    u1 byte = (u1)args[1].i;
    ret->i = (int32_t)crc32_of((u4)args[0].i, &byte, 1);
}

/* ---- CRC32C ---- */

bool crc32c_bytes(Thread *t, Slot *args, Slot *ret) { /* crc, bytes, from, end */
    int32_t from = args[2].i, end = args[3].i;
    if (!cpu_has()->crc32c || UNLIKELY(!args[1].ref) || from < 0 || end > LEN(args[1]) || end < from || end - from > LONGEST)
        return false;
    ret->i = (int32_t)crc32c_sum((u4)args[0].i, BYTES(args[1]) + from, (size_t)(end - from));
    return true;
}
bool crc32c_memory(Thread *t, Slot *args, Slot *ret) { /* crc, address, from, end */
    int32_t from = args[3].i, end = args[4].i;
    if (!cpu_has()->crc32c || from < 0 || end < from || end - from > LONGEST) return false;
    ret->i = (int32_t)crc32c_sum((u4)args[0].i, (const u1 *)(intptr_t)args[1].j + from, (size_t)(end - from));
    return true;
}

/* ---- Base64 ---- */

static const char basic[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool base64_encode(Thread *t, Slot *args, Slot *ret) { /* encoder, from, at, end, to, at, url */
    int32_t at = args[2].i, end = args[3].i, to = args[5].i;
    if (UNLIKELY(!args[1].ref) || UNLIKELY(!args[4].ref) || at < 0 || end < at || end > LEN(args[1]) || to < 0 ||
        end - at > LONGEST)
        return false;
    int32_t n = (end - at) / 3;
    if (n * 3 != end - at || (int64_t)to + (int64_t)n * 4 > LEN(args[4])) return false;
    const u1 *p = BYTES(args[1]) + at;
    const char *code = args[6].i ? url : basic;
    u1 *q = BYTES(args[4]) + to;
    if (args[1].ref != args[4].ref && cpu_has()->ssse3) {
        int32_t done = base64_encode_many(q, p, n, args[6].i);
        p += done * 3, q += done * 4, n -= done;
    }
    for (; n--; p += 3, q += 4) {
        u4 v = (u4)p[0] << 16 | (u4)p[1] << 8 | p[2];
        q[0] = (u1)code[v >> 18];
        q[1] = (u1)code[v >> 12 & 63];
        q[2] = (u1)code[v >> 6 & 63];
        q[3] = (u1)code[v & 63];
    }
    return true;
}

static int8_t decoded[2][256];
static pthread_once_t decoded_once = PTHREAD_ONCE_INIT;
static void make_decoded(void) {
    memset(decoded, -1, sizeof decoded);
    for (int i = 0; i < 64; i++) {
        decoded[0][(u1)basic[i]] = (int8_t)i;
        decoded[1][(u1)url[i]] = (int8_t)i;
    }
}
/* Up to the first group of four with something else in it, with what is written: how many bytes. */
bool base64_decode(Thread *t, Slot *args, Slot *ret) { /* decoder, from, at, end, to, at, url, mime */
    int32_t at = args[2].i, end = args[3].i, to = args[5].i;
    if (UNLIKELY(!args[1].ref) || UNLIKELY(!args[4].ref) || at < 0 || end < at || end > LEN(args[1]) || to < 0 ||
        to > LEN(args[4]) || end - at > LONGEST)
        return false;
    int32_t n = (end - at) / 4, room = (LEN(args[4]) - to) / 3, left = n < room ? n : room;
    if (left < n && args[1].ref == args[4].ref) return false;
    pthread_once(&decoded_once, make_decoded);
    const int8_t *code = decoded[args[6].i & 1];
    const u1 *p = BYTES(args[1]) + at;
    u1 *start = BYTES(args[4]) + to, *q = start;
    if (args[1].ref != args[4].ref && cpu_has()->ssse3) {
        int32_t done = base64_decode_many(q, p, left, args[6].i & 1);
        p += done * 4, q += done * 3, n -= done, left -= done;
    }
    for (; n--; p += 4, q += 3) {
        int32_t a = code[p[0]], b = code[p[1]], c = code[p[2]], d = code[p[3]], v = a << 18 | b << 12 | c << 6 | d;
        if ((a | b | c | d) < 0) break;
        if (!left--) return false; /* the Java code does the same again, and throws */
        q[0] = (u1)(v >> 16);
        q[1] = (u1)(v >> 8);
        q[2] = (u1)v;
    }
    ret->i = (int32_t)(q - start);
    return true;
}

/* ---- BigInteger ---- */

/* out[..offset] += in * k, lowest words last: the carry */
bool big_mul_add(Thread *t, Slot *args, Slot *ret) { /* out, in, offset, len, k */
    if (UNLIKELY(!args[0].ref) || UNLIKELY(!args[1].ref)) return false;
    int32_t len = args[3].i, at = array_len(args[0].ref) - args[2].i - 1;
    if (len < 0 || len > array_len(args[1].ref) || args[2].i < 0 || at < len - 1 || at >= array_len(args[0].ref)) return false;
    const u4 *in = array_data(args[1].ref);
    u4 *out = (u4 *)array_data(args[0].ref) + at;
    u8 k = (u4)args[4].i, carry = 0;
    for (int32_t i = len - 1; i >= 0; i--) {
        u8 v = in[i] * k + *out + carry;
        *out-- = (u4)v;
        carry = v >> 32;
    }
    ret->i = (int32_t)carry;
    return true;
}
