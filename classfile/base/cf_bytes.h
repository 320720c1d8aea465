/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_bytes.h - big-endian reading with bounds, and a growing writer.
 *
 * CfReader never runs past its end: a read that does not fit returns zero, sets `bad` and stays
 * there, so a whole structure may be read and `bad` asked once. CfWriter collects bytes in one
 * malloc'ed buffer; out of memory (or more than 2^31-1 bytes) sets `bad` and later writes are
 * dropped.
 */
#ifndef CF_BYTES_H
#define CF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A structure value: CF_LIT(T){...}, in C and C++. */
#ifdef __cplusplus
#define CF_LIT(T) T
#else
#define CF_LIT(T) (T)
#endif

/* ---- raw access: the caller knows that the bytes are there ---- */

static inline uint16_t cf_get_u2(const uint8_t *p) { return (uint16_t)(p[0] << 8 | p[1]); }
static inline int16_t cf_get_s2(const uint8_t *p) { return (int16_t)cf_get_u2(p); }
static inline uint32_t cf_get_u4(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static inline int32_t cf_get_s4(const uint8_t *p) { return (int32_t)cf_get_u4(p); }
static inline uint64_t cf_get_u8(const uint8_t *p) { return (uint64_t)cf_get_u4(p) << 32 | cf_get_u4(p + 4); }
static inline void cf_put_u2(uint8_t *p, unsigned v) {
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}
static inline void cf_put_u4(uint8_t *p, uint32_t v) {
    cf_put_u2(p, v >> 16);
    cf_put_u2(p + 2, v & 0xffff);
}

/* ---- reader ---- */

typedef struct CfReader {
    const uint8_t *start, *p, *end;
    bool bad; /* something was read past the end */
} CfReader;

static inline CfReader cf_reader(const uint8_t *p, size_t n) { return CF_LIT(CfReader){p, p, p ? p + n : p, false}; }
static inline size_t cf_r_left(const CfReader *r) { return (size_t)(r->end - r->p); }
static inline size_t cf_r_pos(const CfReader *r) { return (size_t)(r->p - r->start); }
/* `n` bytes and a step over them; NULL and `bad` if they are not there. */
static inline const uint8_t *cf_r_take(CfReader *r, size_t n) {
    if (__builtin_expect(n > cf_r_left(r), 0)) {
        r->bad = true;
        r->p = r->end;
        return NULL;
    }
    const uint8_t *p = r->p;
    r->p += n;
    return p;
}
static inline uint8_t cf_r_u1(CfReader *r) {
    const uint8_t *p = cf_r_take(r, 1);
    return p ? *p : 0;
}
static inline uint16_t cf_r_u2(CfReader *r) {
    const uint8_t *p = cf_r_take(r, 2);
    return p ? cf_get_u2(p) : 0;
}
static inline uint32_t cf_r_u4(CfReader *r) {
    const uint8_t *p = cf_r_take(r, 4);
    return p ? cf_get_u4(p) : 0;
}

/* ---- writer ---- */

typedef struct CfWriter {
    uint8_t *data;
    size_t len, cap;
    bool bad;
    bool fixed; /* `data` is the caller's: what does not fit sets `bad` */
} CfWriter;

static inline void cf_w_init(CfWriter *w) { memset(w, 0, sizeof *w); }
void cf_w_free(CfWriter *w);
bool cf_w_grow(CfWriter *w, size_t n); /* internal: the buffer is full */
/* Room for `n` more bytes at the end (contents undefined); NULL if it cannot be had. */
static inline uint8_t *cf_w_room(CfWriter *w, size_t n) {
    if (__builtin_expect(n > w->cap - w->len, 0) && !cf_w_grow(w, n)) return NULL;
    uint8_t *p = w->data + w->len;
    w->len += n;
    return p;
}
void cf_w_bytes(CfWriter *w, const void *p, size_t n);
/* Makes sure that `n` more bytes need no growth. Only speed: a failure is met by the next write. */
void cf_w_reserve(CfWriter *w, size_t n);

static inline void cf_w_u1(CfWriter *w, unsigned v) {
    uint8_t *p = cf_w_room(w, 1);
    if (p) *p = (uint8_t)v;
}
static inline void cf_w_u2(CfWriter *w, unsigned v) {
    uint8_t *p = cf_w_room(w, 2);
    if (p) cf_put_u2(p, v);
}
static inline void cf_w_u4(CfWriter *w, uint32_t v) {
    uint8_t *p = cf_w_room(w, 4);
    if (p) cf_put_u4(p, v);
}
static inline void cf_w_u8(CfWriter *w, uint64_t v) {
    cf_w_u4(w, (uint32_t)(v >> 32));
    cf_w_u4(w, (uint32_t)v);
}
/* Patch points: `size_t at = w->len; cf_w_u4(w, 0); ... cf_w_patch_u4(w, at, v)`. */
static inline void cf_w_patch_u2(CfWriter *w, size_t at, unsigned v) {
    if (!w->bad && at + 2 <= w->len) cf_put_u2(w->data + at, v);
}
static inline void cf_w_patch_u4(CfWriter *w, size_t at, uint32_t v) {
    if (!w->bad && at + 4 <= w->len) cf_put_u4(w->data + at, v);
}

#ifdef __cplusplus
}
#endif

#endif
