/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tags (chapter Heap): one weak table per environment, keyed by object address
 * (objects do not move).
 *
 * The table is an array over granules of heap (32 KiB), each with a small hash table of its own.  So
 * a walk in address order, which asks for a tag per object, stays in one small table at a time,
 * an untagged granule costs one load, and the collector's weak phase looks at tags in the order
 * of its mark bits.  One big hash table was rejected: a cache miss per object.
 *
 * The collector's weak phase drops the dead and leaves notices of them (ti_notice.c).  tag_lock is never held
 * across a poll or a callback.
 */
#include "core/lock.h"
#include "ti_tag.h"
#include "ti_notice.h"
#include <stdlib.h>
#include <string.h>

enum { MIN_BITS = 3, GRANULE_OBJECTS = 1 << (TAG_GRANULE_SHIFT - 3) };

static VmLock tag_lock = VM_LOCK(TAGS);

/* --- granules --- */

static Object *object_of(size_t granule, u4 key) { return (Object *)((granule << TAG_GRANULE_SHIFT) + ((size_t)(key - 1) << 3)); }
static u4 cells(const TagGranule *g) { return 1u << g->bits; }

static TagGranule *granule_new(u4 bits) {
    size_t n = (size_t)1 << bits;
    TagGranule *g = calloc(1, sizeof *g + n * (sizeof(jlong) + sizeof(u2)));
    if (!g) return NULL;
    g->bits = (u2)bits;
    g->keys = (u2 *)(g->tags + n);
    return g;
}
/* The cell of key, or the empty one where it belongs. */
static u4 cell_of(const TagGranule *g, u4 key) {
    u4 i = ti_tag_home(key, g->bits);
    while (g->keys[i] && g->keys[i] != key) i = (i + 1) & (cells(g) - 1);
    return i;
}
static void fill(TagGranule *g, u4 key, jlong tag) {
    u4 i = cell_of(g, key);
    g->keys[i] = (u2)key;
    g->tags[i] = tag;
    g->used++;
}
static bool grow(TagGranule **at) {
    TagGranule *old = *at, *g = granule_new(old ? old->bits + 1u : MIN_BITS);
    if (!g) return false;
    for (u4 i = 0; old && i < cells(old); i++)
        if (old->keys[i]) fill(g, old->keys[i], old->tags[i]);
    free(old);
    *at = g;
    return true;
}
/* Cells behind the hole move up unless that would take them before their home. */
static void empty(TagGranule *g, u4 hole) {
    u4 mask = cells(g) - 1;
    g->used--;
    for (u4 i = (hole + 1) & mask; g->keys[i]; i = (i + 1) & mask) {
        u4 home = ti_tag_home(g->keys[i], g->bits);
        if (((i - home) & mask) < ((i - hole) & mask)) continue;
        g->keys[hole] = g->keys[i];
        g->tags[hole] = g->tags[i];
        hole = i;
    }
    g->keys[hole] = 0;
}
static void drop_if_empty(TagGranule **at) {
    if ((*at)->used) return;
    free(*at);
    *at = NULL;
}

/* --- tables --- */

static TagTable *table_locked(TiEnv *e) {
    if (e->tags) return e->tags;
    TagTable *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->granules = calloc(TAG_GRANULES, sizeof *t->granules); /* pages of zeros until touched */
    if (!t->granules) return free(t), NULL;
    t->low = TAG_GRANULES;
    t->class_epoch = 1;
    return e->tags = t;
}
TagTable *ti_tag_table(TiEnv *e) {
    HOLDING(&tag_lock);
    return table_locked(e);
}
bool ti_tag_put(TagTable *t, Object *o, jlong tag) {
    size_t at = (uintptr_t)o >> TAG_GRANULE_SHIFT;
    TagGranule **g = &t->granules[at];
    u4 key = ti_tag_key(o);
    if (obj_class(o) == JC(Class)) t->class_epoch++;
    u4 i = *g ? cell_of(*g, key) : 0;
    if (*g && (*g)->keys[i]) {
        if (tag) return (*g)->tags[i] = tag, true;
        empty(*g, i);
        t->used--;
        return drop_if_empty(g), true;
    }
    if (!tag) return true;
    if ((!*g || (*g)->used >= cells(*g) / 4 * 3) && !grow(g)) return false;
    fill(*g, key, tag);
    t->used++;
    if (at < t->low) t->low = at;
    if (at >= t->high) t->high = at + 1;
    return true;
}
/* The environment is gone: nobody asks for its tags any more. */
void ti_tags_dispose(TiEnv *e) {
    lock_take(&tag_lock);
    TagTable *t = e->tags;
    e->tags = NULL;
    lock_release(&tag_lock);
    if (!t) return;
    for (size_t i = t->low; i < t->high; i++) free(t->granules[i]);
    free(t->granules);
    free(t);
}

/* --- functions --- */

jvmtiError ti_GetTag(Ti *x, jobject object, jlong *tag_ptr) {
    HOLDING(&tag_lock);
    return TI_ANSWER(tag_ptr, x->env->tags ? ti_tag_get(x->env->tags, handle_get(object)) : 0);
}
jvmtiError ti_SetTag(Ti *x, jobject object, jlong tag) {
    HOLDING(&tag_lock);
    TagTable *t = table_locked(x->env);
    bool ok = t && ti_tag_put(t, handle_get(object), tag);
    return ok ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}

static int by_value(const void *a, const void *b) {
    jlong x = *(const jlong *)a, y = *(const jlong *)b;
    return x < y ? -1 : x > y;
}
typedef struct Found {
    TiRefs refs;
    jlong *tags;
} Found;
static void find_tagged(const TagTable *t, const jlong *sorted, size_t n, Found *f) {
    for (size_t k = t->low; k < t->high; k++)
        for (u4 i = 0; t->granules[k] && i < cells(t->granules[k]); i++) {
            const TagGranule *g = t->granules[k];
            if (!g->keys[i] || !bsearch(&g->tags[i], sorted, n, sizeof *sorted, by_value)) continue;
            f->tags[f->refs.list.len] = g->tags[i];
            if (!ti_refs_add(&f->refs, object_of(k, g->keys[i]))) return;
        }
}
jvmtiError ti_GetObjectsWithTags(Ti *x, jint tag_count, const jlong *tags, jint *count_ptr, jobject **object_result_ptr,
                                 jlong **tag_result_ptr) {
    for (jint i = 0; i < tag_count; i++)
        if (tags[i] == 0) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    size_t bytes = (size_t)tag_count * sizeof(jlong);
    Found f = {0};
    jlong *sorted = malloc(bytes + 1);
    if (!sorted) return JVMTI_ERROR_OUT_OF_MEMORY;
    memcpy(sorted, tags, bytes);
    qsort(sorted, (size_t)tag_count, sizeof *sorted, by_value);
    lock_take(&tag_lock);
    TagTable *t = x->env->tags;
    if (t && (f.tags = malloc((t->used + 1) * sizeof *f.tags))) find_tagged(t, sorted, (size_t)tag_count, &f);
    lock_release(&tag_lock);
    free(sorted);
    jvmtiError e = (t && !f.tags) || f.refs.failed ? JVMTI_ERROR_OUT_OF_MEMORY : JVMTI_ERROR_NONE;
    if (!e && object_result_ptr) e = ti_ref_array(x, f.refs.list.data, (jint)f.refs.list.len, object_result_ptr);
    if (!e && tag_result_ptr) {
        e = ti_bytes(f.tags, (size_t)f.refs.list.len * sizeof(jlong), (unsigned char **)tag_result_ptr);
        if (e && object_result_ptr) free(*object_result_ptr), *object_result_ptr = NULL;
    }
    if (!e) *count_ptr = (jint)f.refs.list.len;
    free(f.tags);
    free(f.refs.list.data);
    return e;
}

/* --- death --- */

/* Where survivors wait while their granule is filled again; in the pause only. */
static struct {
    u2 keys[GRANULE_OBJECTS];
    jlong tags[GRANULE_OBJECTS];
    u4 n;
} kept;

static void sweep_granule(TiEnv *e, size_t at, bool (*is_live)(Object *)) {
    TagGranule *g = e->tags->granules[at];
    kept.n = 0;
    for (u4 i = 0; i < cells(g); i++) {
        if (!g->keys[i]) continue;
        if (is_live(object_of(at, g->keys[i]))) {
            kept.keys[kept.n] = g->keys[i];
            kept.tags[kept.n++] = g->tags[i];
        } else {
            e->tags->used--;
            ti_notice_object_free(e, g->tags[i]);
        }
    }
    if (kept.n == g->used) return;
    memset(g->keys, 0, cells(g) * sizeof *g->keys);
    g->used = 0;
    for (u4 i = 0; i < kept.n; i++) fill(g, kept.keys[i], kept.tags[i]);
    drop_if_empty(&e->tags->granules[at]);
}
/* In the pause. */
static void sweep_tags(bool (*is_live)(Object *)) {
    for (TiEnv *e = ti_envs; e; e = e->next)
        for (size_t i = e->tags ? e->tags->low : 0; e->tags && i < e->tags->high; i++)
            if (e->tags->granules[i]) sweep_granule(e, i, is_live);
}

void ti_tags_init(void) { heap_add_weak_table("JVM TI tags", sweep_tags); }
