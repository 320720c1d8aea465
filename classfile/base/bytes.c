/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.c - growth of the writer. */
#include "bytes.h"

#include <stdlib.h>

void cf_w_free(CfWriter *w) {
    free(w->data);
    cf_w_init(w);
}

bool cf_w_grow(CfWriter *w, size_t n) {
    size_t cap = w->cap ? w->cap * 2 : 256;
    if (w->bad || w->fixed || n > INT32_MAX || w->len + n > INT32_MAX) {
        w->bad = true;
        return false;
    }
    if (cap < w->len + n) cap = w->len + n;
    uint8_t *p = realloc(w->data, cap);
    if (!p) {
        w->bad = true;
        return false;
    }
    w->data = p;
    w->cap = cap;
    return true;
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
