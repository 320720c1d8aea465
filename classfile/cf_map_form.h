/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_map_form.h - how a frame of a StackMapTable is written (JVMS 4.7.4): the choice of its form, and what stands in front of
 * its types. For those who write a table: cf_map_write, and the rewriting library, which has its types and places in other
 * shapes. Not installed.
 */
#ifndef CF_MAP_FORM_H
#define CF_MAP_FORM_H

#include <string.h>

#include "cf_types.h"

/* cf_map_type_next, for those who are in a hurry. */
static inline bool cf_map_type_take(CfMapTypes *t, uint8_t *tag, uint16_t *data) {
    if (t->count == 0) return false;
    *tag = *t->p++;
    *data = 0;
    if (*tag >= CF_VTAG_OBJECT) {
        *data = cf_get_u2(t->p);
        t->p += 2;
    }
    t->count--;
    return true;
}
/* CF_VTAG_* of a type that a frame may hold. */
static inline uint8_t cf_type_tag(CfType t) {
    static const uint8_t tags[] = {/* by CfTypeKind */
                                   CF_VTAG_TOP,         CF_VTAG_INTEGER, CF_VTAG_FLOAT, CF_VTAG_LONG,
                                   CF_VTAG_TOP,         CF_VTAG_DOUBLE,  CF_VTAG_TOP,   CF_VTAG_NULL,
                                   CF_VTAG_UNINIT_THIS, CF_VTAG_OBJECT,  CF_VTAG_UNINIT};
    return cf_type_kind(t) <= CF_T_UNINIT ? tags[cf_type_kind(t)] : CF_VTAG_TOP;
}
/* One entry for both slots of long and double; how many there are. `out` has room for n. */
static inline unsigned cf_types_compact(const CfType *v, unsigned n, CfType *out) {
    unsigned k = 0;
    for (unsigned i = 0; i < n; i++) {
        out[k] = v[i];
        k += (v[i] & ~(CfType)(CF_T_LONG2 ^ CF_T_DOUBLE2)) != CF_T_LONG2; /* no branch: they come as they like */
    }
    return k;
}
/* The shortest form of compact locals `now` behind `prev`: -3..-1 chopped, 0 same, 1..3 appended, CF_MAP_FULL. */
enum { CF_MAP_FULL = 4 };
static inline int cf_map_form(const CfType *prev, unsigned np, const CfType *now, unsigned n, unsigned nstack) {
    int diff = (int)n - (int)np;
    if (diff < -3 || diff > 3 || nstack > 1 || (nstack && diff)) return CF_MAP_FULL;
    return memcmp(prev, now, (n < np ? n : np) * sizeof *now) == 0 ? diff : (int)CF_MAP_FULL;
}
/* What stands in front of the types of the locals, if any are written (the appended ones or, of a full frame, all, then
 * the number of those on the stack): at most 5 bytes; how many there are. */
static inline unsigned cf_map_head(uint8_t *q, int form, unsigned nstack, unsigned delta, unsigned nlocals) {
    if (form == 0 && delta < 64) {
        q[0] = (uint8_t)(nstack ? 64 + delta : delta);
        return 1;
    }
    q[0] = (uint8_t)(form == CF_MAP_FULL ? 255 : form == 0 && nstack ? 247 : 251 + form);
    cf_put_u2(q + 1, delta);
    if (form < CF_MAP_FULL) return 3;
    cf_put_u2(q + 3, nlocals);
    return 5;
}

#endif
