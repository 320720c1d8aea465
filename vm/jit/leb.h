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

#endif
