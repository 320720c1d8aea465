/* SPDX-License-Identifier: Apache-2.0 */
/* Unsigned LEB128: seven bits a byte, the lowest first; the highest bit says that more follow.  For tables beside code. */
#ifndef GRAFT_JIT_LEB_H
#define GRAFT_JIT_LEB_H

#include "core/types.h"

enum { LEB_MOST = 10 }; /* bytes of one number */

static inline u1 *leb_put(u1 *to, u8 v) {
    for (; v >= 0x80; v >>= 7) *to++ = (u1)(v | 0x80);
    *to++ = (u1)v;
    return to;
}

static inline u8 leb_get(const u1 **at) {
    u8 v = 0;
    for (u4 shift = 0;; shift += 7) {
        u1 b = *(*at)++;
        v |= (u8)(b & 0x7f) << shift;
        if (!(b & 0x80)) return v;
    }
}

/* Signed ones: small ones of both signs are short. */
static inline u8 leb_of_signed(int64_t v) { return (u8)v << 1 ^ (u8)(v >> 63); }
static inline int64_t leb_signed(u8 v) { return (int64_t)(v >> 1) ^ -(int64_t)(v & 1); }

#endif
