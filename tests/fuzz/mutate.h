/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutate.h - a deterministic mutator of class files, for the replay driver and for comparing with the reference VM.
 * Same seed, same input: same output. It knows where code, stack maps and the pool lie, so that most mutants get past the
 * first check.
 */
#ifndef MUTATE_H
#define MUTATE_H

#include <stdlib.h>

#include "classfile.h"

typedef struct Mutator {
    uint64_t state;
} Mutator;

static inline uint32_t mutate_random(Mutator *m, uint32_t below) {
    m->state ^= m->state << 13;
    m->state ^= m->state >> 7;
    m->state ^= m->state << 17;
    return below ? (uint32_t)((m->state * 0x2545f4914f6cdd1du) >> 32) % below : 0;
}

typedef struct Region {
    size_t from, to;
} Region;

static inline Region mutate_region_of(const uint8_t *base, const void *p, size_t n) {
    size_t at = (size_t)((const uint8_t *)p - base);
    return (Region){at, at + n};
}

/* A part of the file worth changing: code, stack map, attribute table of a random method, pool, header or anything. */
static inline Region mutate_pick_region(Mutator *m, const uint8_t *p, size_t n) {
    Region r = {0, n};
    CfArena a;
    CfClass *c;
    cf_arena_init(&a, "mutate", 0);
    if (cf_parse(&c, p, n, &a, NULL, NULL) == CF_OK) {
        uint32_t kind = mutate_random(m, 16);
        CfCode code = {0};
        if (c->method_count) cf_code(c, &c->methods[mutate_random(m, c->method_count)], &a, &code, NULL);
        const CfAttr *map = cf_attr(&code.attrs, CF_ATTR_STACK_MAP_TABLE);
        if (kind < 7 && code.code) r = mutate_region_of(p, code.code, code.code_len);
        else if (kind < 9 && map) r = mutate_region_of(p, map->data, map->len);
        else if (kind == 9 && code.code) r = (Region){(size_t)(code.code - p) - 8, (size_t)(code.code - p)};
        else if (kind == 10 && code.handlers.count) r = mutate_region_of(p, code.handlers.p, 8 * (size_t)code.handlers.count);
        else if (kind == 11) r = (Region){c->pool_end, c->pool_end + 40 < n ? c->pool_end + 40 : n};
        else if (kind < 14) r = (Region){10, c->pool_end};
    }
    cf_arena_free(&a);
    if (r.to <= r.from) r = (Region){0, n};
    return r;
}

/* Changes a few bytes of *p (malloc'ed, may be moved) in place; the length may change. */
static inline void mutate(Mutator *m, uint8_t **p, size_t *n) {
    static const uint8_t odd[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x2a, 0x57, 0x59, 0xb7, 0xbb, 0xc4};
    uint32_t count = mutate_random(m, 4) ? 1 : 1 + mutate_random(m, 3);
    for (; count && *n; count--) {
        Region r = mutate_pick_region(m, *p, *n);
        size_t at = r.from + mutate_random(m, (uint32_t)(r.to - r.from));
        uint8_t *q = *p + at;
        switch (mutate_random(m, 12)) {
        case 0: *q ^= (uint8_t)(1u << mutate_random(m, 8)); break;
        case 1:
        case 2:
        case 3: *q = (uint8_t)mutate_random(m, 202); break;
        case 4:
        case 5: *q = (uint8_t)(*q + mutate_random(m, 7) - 3); break;
        case 6:
        case 7: *q = odd[mutate_random(m, sizeof odd)]; break;
        case 8: /* two bytes from elsewhere in the region */
            if (at + 2 <= r.to && r.to - r.from > 2) memmove(q, *p + r.from + mutate_random(m, (uint32_t)(r.to - r.from - 1)), 2);
            break;
        case 9: /* the byte again */
            if (at + 1 < r.to) q[1] = q[0];
            break;
        case 10: /* cut */
            if (mutate_random(m, 8) == 0) *n = at;
            break;
        case 11: /* remove or double a byte: everything behind moves */
            if (mutate_random(m, 4)) break;
            if (mutate_random(m, 2)) {
                memmove(q, q + 1, *n - at - 1);
                (*n)--;
            } else {
                uint8_t *bigger = realloc(*p, *n + 1);
                if (!bigger) break;
                *p = bigger;
                memmove(bigger + at + 1, bigger + at, *n - at);
                (*n)++;
            }
            break;
        }
    }
}

#endif
