/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_base.h - bytes: buffers, and where everything stands in a class file that is not decoded. Knows no list of
 * instructions and changes nothing.
 */
#ifndef BCI_BASE_H
#define BCI_BASE_H

#include "cf_share.h"
#include "cf_types.h"

enum { BCI_MAX_CODE = 65535 }; /* bytes of a method (4.7.3) */

/* Room for n bytes at the end, which do not count yet; NULL (and `bad`) if memory is exhausted. */
static inline uint8_t *bci_room(CfWriter *w, size_t n) {
    uint8_t *p = cf_w_room(w, n);
    if (p) w->len -= n;
    return p;
}

/* cf_w_bytes, in line. */
static inline void bci_put(CfWriter *w, const void *p, size_t n) {
    uint8_t *q = cf_w_room(w, n);
    if (q && n) memcpy(q, p, n);
}

/* Room for n elements in an array that grows; its contents are kept. False if memory is exhausted. */
bool bci_want(void **v, uint32_t *cap, uint32_t n, size_t size);
#define BCI_WANT(v, cap, n) ((n) <= (cap) || bci_want((void **)&(v), &(cap), (n), sizeof *(v)))

/* ---- the input ---- */

typedef struct BciView {
    const uint8_t *p, *end;
    uint32_t *at;  /* pool index -> offset of its tag byte, 0 = none */
    uint8_t *kind; /* pool index -> CfAttrKind of that name, 0 = not asked, 255 = none */
    uint32_t npool, pool_end;
    unsigned major, access, this_class, super_class;
    const uint8_t *members; /* fields_count */
} BciView;

typedef struct BciBody {       /* a Code attribute */
    const uint8_t *attr, *end; /* its name index; behind its content */
    uint32_t max_stack, max_locals, code_len, nrows, nattrs;
    const uint8_t *code, *rows, *attrs;
} BciBody;

/* NULL, or what is wrong. `buf` and `kinds` hold the tables. */
const char *bci_view(BciView *v, const uint8_t *p, size_t n, CfWriter *buf, CfWriter *kinds);
CfStr bci_view_utf8(const BciView *v, unsigned i);
CfStr bci_view_class(const BciView *v, unsigned i);
/* The two indices of a reference, NameAndType or (Invoke)Dynamic entry; false if it is none. */
bool bci_view_pair(const BciView *v, unsigned i, unsigned *a, unsigned *b);
bool bci_view_member(const BciView *v, unsigned i, CfStr *owner, CfStr *name, CfStr *desc);
CfAttrKind bci_view_kind(BciView *v, unsigned name);
/* Steps over n attributes; NULL if they do not fit. */
const uint8_t *bci_skip_attrs(const uint8_t *p, const uint8_t *end, unsigned n);
bool bci_view_body(const uint8_t *attr, const uint8_t *end, BciBody *b);

#endif
