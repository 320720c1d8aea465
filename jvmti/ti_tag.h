/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tags of one environment.  Theory: ti_tag.c.
 *
 * Everything here wants tag_lock, or the world stopped: threads take that lock in state JAVA
 * and never poll under it, so nobody holds it in a pause.
 */
#ifndef GRAFT_JVMTI_TI_TAG_H
#define GRAFT_JVMTI_TI_TAG_H

#include "ti.h"

enum { TAG_GRANULE_SHIFT = 15, TAG_GRANULES = 1 << 20 /* 32 GiB, all that a reference reaches (D2) */ };

/* Tags of the objects that start in one granule of heap: open addressing, linear probing.
 * keys[i] is 1 + the object's place in 8-byte steps, 0 = empty. */
typedef struct TagGranule {
    u2 used, bits; /* 1 << bits cells */
    u2 *keys;      /* behind the tags */
    jlong tags[];
} TagGranule;

typedef struct TagTable {
    TagGranule **granules; /* TAG_GRANULES, touched where tags are */
    size_t low, high;      /* all granules with tags lie in [low, high) */
    u8 used;
    u4 class_epoch; /* bumped when the tag of a java.lang.Class changes */
} TagTable;

static inline u4 ti_tag_key(const Object *o) { return (u4)(((uintptr_t)o & ((1u << TAG_GRANULE_SHIFT) - 1)) >> 3) + 1; }
static inline u4 ti_tag_home(u4 key, u4 bits) { return (key * 0x9e3779b1u) >> (32 - bits); }

static inline jlong ti_tag_get(const TagTable *t, const Object *o) {
    const TagGranule *g = t->granules[(uintptr_t)o >> TAG_GRANULE_SHIFT];
    if (!g) return 0;
    u4 key = ti_tag_key(o), mask = (1u << g->bits) - 1;
    for (u4 i = ti_tag_home(key, g->bits); g->keys[i]; i = (i + 1) & mask)
        if (g->keys[i] == key) return g->tags[i];
    return 0;
}
/* 0 removes.  False when memory is exhausted. */
bool ti_tag_put(TagTable *t, Object *o, jlong tag);

/* The environment's table; NULL when memory is exhausted. */
TagTable *ti_tag_table(TiEnv *e);

#endif
