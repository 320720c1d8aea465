/* SPDX-License-Identifier: Apache-2.0 */
/* cf_bytes.c - growth of the writer. */
#include "cf_bytes.h"

#include <stdlib.h>

void cf_w_free(CfWriter *w) {
    free(w->data);
    cf_w_init(w);
}

/* A writer that is bad has no room left, so that writing asks for room alone. */
bool cf_w_grow(CfWriter *w, size_t n) {
    size_t cap = w->cap ? w->cap * 2 : 256;
    bool too_large = n > INT32_MAX || w->len + n > INT32_MAX;
    if (cap < w->len + n) cap = w->len + n;
    uint8_t *p = w->bad || w->fixed || too_large ? NULL : realloc(w->data, cap);
    w->bad = !p;
    w->cap = p ? cap : w->len;
    if (p) w->data = p;
    return p;
}

void cf_w_reserve(CfWriter *w, size_t n) {
    uint8_t *p = !w->bad && !w->fixed && w->len + n > w->cap ? realloc(w->data, w->len + n) : NULL;
    if (p) {
        w->data = p;
        w->cap = w->len + n;
    }
}

void cf_w_bytes(CfWriter *w, const void *p, size_t n) {
    uint8_t *q = cf_w_room(w, n);
    if (q && n) memcpy(q, p, n);
}
