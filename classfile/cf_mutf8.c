/* SPDX-License-Identifier: Apache-2.0 */
/* cf_mutf8.c - modified UTF-8 (JVMS 4.4.7): validation and conversion. Decoders are total: on
 * invalid input they take single bytes as characters and never read past the end. */
#include "classfile.h"

static inline bool cont(uint8_t b) { return (b & 0xc0) == 0x80; }

bool cf_mutf8_valid(const char *s, size_t n) {
    const uint8_t *p = (const uint8_t *)s, *end = p + n;
    while (p < end) {
        /* Eight plain characters at once: no high bit, no zero byte. */
        uint64_t w;
        while (end - p >= 8 && (memcpy(&w, p, 8), ((w - 0x0101010101010101u) | w) & 0x8080808080808080u) == 0) p += 8;
        if (p == end) break;
        uint8_t b = *p;
        if (b != 0 && b < 0x80) {
            p++;
        } else if ((b & 0xe0) == 0xc0) {
            if (end - p < 2 || !cont(p[1])) return false;
            unsigned v = (b & 0x1fu) << 6 | (p[1] & 0x3f);
            if (v < 0x80 && v != 0) return false;
            p += 2;
        } else if ((b & 0xf0) == 0xe0) {
            if (end - p < 3 || !cont(p[1]) || !cont(p[2]) || (b == 0xe0 && p[1] < 0xa0)) return false;
            p += 3;
        } else {
            return false;
        }
    }
    return true;
}

/* Takes one UTF-16 unit. */
static unsigned take(const uint8_t **pp, const uint8_t *end) {
    const uint8_t *p = *pp;
    uint8_t b = *p;
    if ((b & 0xe0) == 0xc0 && end - p >= 2 && cont(p[1])) {
        *pp = p + 2;
        return (b & 0x1fu) << 6 | (p[1] & 0x3f);
    }
    if ((b & 0xf0) == 0xe0 && end - p >= 3 && cont(p[1]) && cont(p[2])) {
        *pp = p + 3;
        return (b & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3f);
    }
    *pp = p + 1;
    return b;
}

size_t cf_mutf8_utf16_len(const char *s, size_t n) {
    const uint8_t *p = (const uint8_t *)s, *end = p + n;
    size_t units = 0;
    while (p < end) {
        take(&p, end);
        units++;
    }
    return units;
}

size_t cf_mutf8_to_utf16(const char *s, size_t n, uint16_t *out) {
    const uint8_t *p = (const uint8_t *)s, *end = p + n;
    size_t units = 0;
    while (p < end) out[units++] = (uint16_t)take(&p, end);
    return units;
}

/* Output that counts what it would need and writes only whole characters that fit. */
typedef struct Out {
    char *p;
    size_t need, cap;
} Out;

static void emit(Out *o, const uint8_t *b, size_t n) {
    if (o->need + n <= o->cap) memcpy(o->p + o->need, b, n);
    o->need += n;
}

static void emit_mutf8_unit(Out *o, unsigned u) {
    uint8_t b[3];
    if (u != 0 && u < 0x80) {
        b[0] = (uint8_t)u;
        emit(o, b, 1);
    } else if (u < 0x800) {
        b[0] = (uint8_t)(0xc0 | u >> 6);
        b[1] = (uint8_t)(0x80 | (u & 0x3f));
        emit(o, b, 2);
    } else {
        b[0] = (uint8_t)(0xe0 | u >> 12);
        b[1] = (uint8_t)(0x80 | (u >> 6 & 0x3f));
        b[2] = (uint8_t)(0x80 | (u & 0x3f));
        emit(o, b, 3);
    }
}

size_t cf_utf16_to_mutf8(const uint16_t *u, size_t n, char *out, size_t cap) {
    Out o = {out, 0, cap};
    for (size_t i = 0; i < n; i++) emit_mutf8_unit(&o, u[i]);
    return o.need;
}

static void emit_utf8(Out *o, uint32_t c) {
    uint8_t b[4];
    if (c < 0x80) {
        b[0] = (uint8_t)c;
        emit(o, b, 1);
    } else if (c < 0x10000) {
        emit_mutf8_unit(o, c);
    } else {
        b[0] = (uint8_t)(0xf0 | c >> 18);
        b[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
        b[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        b[3] = (uint8_t)(0x80 | (c & 0x3f));
        emit(o, b, 4);
    }
}

size_t cf_mutf8_to_utf8(const char *s, size_t n, char *out, size_t cap) {
    const uint8_t *p = (const uint8_t *)s, *end = p + n;
    Out o = {out, 0, cap};
    while (p < end) {
        uint32_t c = take(&p, end);
        if (c >= 0xd800 && c < 0xe000) {
            const uint8_t *q = p;
            uint32_t low = q < end && c < 0xdc00 ? take(&q, end) : 0;
            if (low >= 0xdc00 && low < 0xe000) {
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                p = q;
            } else {
                c = '?';
            }
        }
        emit_utf8(&o, c);
    }
    return o.need;
}

/* Code point of standard UTF-8; malformed bytes give '?'. */
static uint32_t take_utf8(const uint8_t **pp, const uint8_t *end) {
    const uint8_t *p = *pp;
    unsigned n = p[0] < 0x80 ? 1 : (p[0] & 0xe0) == 0xc0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : (p[0] & 0xf8) == 0xf0 ? 4 : 0;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *pp = p + 1;
    if (n == 1) return p[0];
    if (n == 0 || (size_t)(end - p) < n) return '?';
    uint32_t c = p[0] & (0x7fu >> n);
    for (unsigned i = 1; i < n; i++) {
        if (!cont(p[i])) return '?';
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return '?';
    *pp = p + n;
    return c;
}

size_t cf_utf8_to_mutf8(const char *s, size_t n, char *out, size_t cap) {
    const uint8_t *p = (const uint8_t *)s, *end = p + n;
    Out o = {out, 0, cap};
    while (p < end) {
        uint32_t c = take_utf8(&p, end);
        if (c < 0x10000) {
            emit_mutf8_unit(&o, c);
        } else {
            emit_mutf8_unit(&o, 0xd800 + ((c - 0x10000) >> 10));
            emit_mutf8_unit(&o, 0xdc00 + ((c - 0x10000) & 0x3ff));
        }
    }
    return o.need;
}
