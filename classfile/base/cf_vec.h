/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_vec.h - typed growable array.
 *
 *     CF_VEC(int) v = {0};
 *     if (!cf_vec_push(&v, 42)) ... out of memory ...
 *     for (uint32_t i = 0; i < v.len; i++) use(v.data[i]);
 *     cf_vec_free(&v);
 *
 * Pointers to elements are valid until the next push.
 */
#ifndef CF_VEC_H
#define CF_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CF_VEC(T) \
    struct { \
        T *data; \
        uint32_t len, cap; \
    }

/* Makes room for at least `need` elements; returns the (moved) data or NULL, data stays then. */
static inline void *cf_vec_grow_(void *data, uint32_t *cap, size_t need, size_t size) {
    size_t n = *cap ? (size_t)*cap * 2 : 8;
    if (n < need) n = need;
    if (n > UINT32_MAX || n > SIZE_MAX / 2 / size) return NULL;
    void *p = realloc(data, n * size);
    if (p) *cap = (uint32_t)n;
    return p;
}

#define cf_vec_reserve(v, n) \
    ((size_t)(n) <= (v)->cap || ({ \
         void *cf_vp_ = cf_vec_grow_((v)->data, &(v)->cap, (n), sizeof(*(v)->data)); \
         if (cf_vp_) (v)->data = cf_vp_; \
         cf_vp_ != NULL; \
     }))
#define cf_vec_push(v, ...) (cf_vec_reserve((v), (size_t)(v)->len + 1) && ((v)->data[(v)->len++] = (__VA_ARGS__), true))
#define cf_vec_pop(v) ((v)->data[--(v)->len])
#define cf_vec_free(v) (free((v)->data), (v)->data = NULL, (v)->len = (v)->cap = 0)

#ifdef __cplusplus
}
#endif

#endif
