/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.c - growth of the writer. */
#include "bytes.h"

#include <stdlib.h>

void cf_w_free(CfWriter *w)
{
    free(w->data);
    cf_w_init(w);
}

uint8_t *cf_w_room(CfWriter *w, size_t n)
{
    if (w->bad) return NULL;
    if (n > w->cap - w->len) {
        size_t cap = w->cap ? w->cap * 2 : 256;
        if (n > INT32_MAX || w->len + n > INT32_MAX) {
            w->bad = true;
            return NULL;
        }
        if (cap < w->len + n) cap = w->len + n;
        uint8_t *p = realloc(w->data, cap);
        if (!p) {
            w->bad = true;
            return NULL;
        }
        w->data = p;
        w->cap = cap;
    }
    uint8_t *p = w->data + w->len;
    w->len += n;
    return p;
}

void cf_w_bytes(CfWriter *w, const void *p, size_t n)
{
    uint8_t *q = cf_w_room(w, n);
    if (q && n) memcpy(q, p, n);
}
