/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tags (chapter Heap): one weak table per environment, keyed by object address
 * (objects do not move).  The collector's weak phase drops the dead; their tags wait
 * on a list for ObjectFree, which a thread of our own posts when the world runs
 * again: handlers take raw monitors that a stopped thread may hold.
 * All under tag_lock, which is never held across a poll or a callback.
 */
#include "ti_post.h"
#include <stdlib.h>
#include <string.h>

typedef struct Tag { Object *o; jlong tag; struct Tag *next; } Tag;
typedef struct TagTable { TiEnv *env; Tag **buckets; u4 size, used; struct TagTable *next; } TagTable;
typedef struct Freed { TiEnv *env; jlong tag; struct Freed *next; } Freed;

static pthread_mutex_t tag_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed_some = PTHREAD_COND_INITIALIZER;
static TagTable *tables;
static Freed *freed;
static bool poster_running;

static u4 bucket(const TagTable *t, const Object *o) { return (u4)((uintptr_t)o >> 3) * 0x9e3779b1u & (t->size - 1); }

static TagTable *table_of(TiEnv *e, bool create) {
    for (TagTable *t = tables; t; t = t->next)
        if (t->env == e) return t;
    if (!create) return NULL;
    TagTable *t = calloc(1, sizeof *t);
    *t = (TagTable){e, calloc(1024, sizeof(Tag *)), 1024, 0, tables};
    return tables = t;
}
static void grow(TagTable *t) {
    u4 old = t->size;
    Tag **from = t->buckets;
    t->size *= 4;
    t->buckets = calloc(t->size, sizeof(Tag *));
    for (u4 i = 0; i < old; i++)
        for (Tag *g = from[i], *next; g; g = next) {
            next = g->next;
            u4 b = bucket(t, g->o);
            g->next = t->buckets[b];
            t->buckets[b] = g;
        }
    free(from);
}
static Tag **find(TagTable *t, Object *o) {
    Tag **p = &t->buckets[bucket(t, o)];
    while (*p && (*p)->o != o) p = &(*p)->next;
    return p;
}

jvmtiError ti_GetTag(Ti *x, jobject object, jlong *tag_ptr) {
    pthread_mutex_lock(&tag_lock);
    TagTable *t = table_of(x->env, false);
    Tag *g = t ? *find(t, handle_get(object)) : NULL;
    *tag_ptr = g ? g->tag : 0;
    pthread_mutex_unlock(&tag_lock);
    return JVMTI_ERROR_NONE;
}
static void set_tag(TagTable *t, Object *o, jlong tag) {
    Tag **p = find(t, o), *g = *p;
    if (g && tag) {
        g->tag = tag;
    } else if (g) {
        *p = g->next;
        t->used--;
        free(g);
    } else if (tag) {
        *p = g = malloc(sizeof *g);
        *g = (Tag){o, tag, NULL};
        if (++t->used > t->size) grow(t);
    }
}
jvmtiError ti_SetTag(Ti *x, jobject object, jlong tag) {
    pthread_mutex_lock(&tag_lock);
    set_tag(table_of(x->env, true), handle_get(object), tag);
    pthread_mutex_unlock(&tag_lock);
    return JVMTI_ERROR_NONE;
}

static bool listed(jlong tag, jint n, const jlong *tags) {
    for (jint i = 0; i < n; i++)
        if (tags[i] == tag) return true;
    return false;
}
jvmtiError ti_GetObjectsWithTags(Ti *x, jint tag_count, const jlong *tags, jint *count_ptr,
                                 jobject **object_result_ptr, jlong **tag_result_ptr) {
    for (jint i = 0; i < tag_count; i++)
        if (tags[i] == 0) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    TiRefs r = {0};
    jlong *found = NULL;
    pthread_mutex_lock(&tag_lock);
    TagTable *t = table_of(x->env, false);
    if (t) found = malloc((t->used + 1) * sizeof *found);
    for (u4 i = 0; t && i < t->size; i++)
        for (Tag *g = t->buckets[i]; g; g = g->next)
            if (listed(g->tag, tag_count, tags)) {
                found[r.n] = g->tag;
                ti_refs_add(&r, g->o);
            }
    pthread_mutex_unlock(&tag_lock);
    jvmtiError e = JVMTI_ERROR_NONE;
    *count_ptr = r.n;
    if (object_result_ptr) e = ti_ref_array(x, r.v, r.n, object_result_ptr);
    if (tag_result_ptr) {
        *tag_result_ptr = ti_alloc((size_t)r.n * sizeof(jlong));
        if (r.n) memcpy(*tag_result_ptr, found, (size_t)r.n * sizeof(jlong));
    }
    free(found);
    free(r.v);
    return e;
}

/* --- death --- */

static void drop_dead(TagTable *t, bool (*is_live)(Object *)) {
    for (u4 i = 0; i < t->size; i++)
        for (Tag **p = &t->buckets[i]; *p;) {
            Tag *g = *p;
            if (is_live(g->o)) {
                p = &g->next;
                continue;
            }
            *p = g->next;
            t->used--;
            if (ti_wants(t->env, NULL, JVMTI_EVENT_OBJECT_FREE)) {
                Freed *f = malloc(sizeof *f);
                *f = (Freed){t->env, g->tag, freed};
                freed = f;
            }
            free(g);
        }
}
/* In the pause: other threads are stopped, none of them inside tag_lock. */
static void sweep_tags(bool (*is_live)(Object *)) {
    for (TagTable *t = tables; t; t = t->next) drop_dead(t, is_live);
    if (freed) pthread_cond_signal(&freed_some);
}
static Freed *take_freed(void) {
    pthread_mutex_lock(&tag_lock);
    while (!freed) pthread_cond_wait(&freed_some, &tag_lock);
    Freed *f = freed;
    freed = NULL;
    pthread_mutex_unlock(&tag_lock);
    return f;
}
static void post_frees(Thread *t, void *arg) {
    thread_to_native(t);
    for (;;) {
        for (Freed *f = take_freed(), *next; f; f = next) {
            next = f->next;
            jvmtiEventObjectFree cb = f->env->callbacks.ObjectFree;
            if (cb && ti_wants(f->env, NULL, JVMTI_EVENT_OBJECT_FREE)) cb((jvmtiEnv *)f->env, f->tag);
            free(f);
        }
    }
}
/* Called when an environment gets can_generate_object_free_events in the live phase or at VMInit. */
void ti_tags_start_poster(void) {
    Thread *made;
    if (poster_running) return;
    poster_running = thread_start(NULL, post_frees, NULL, 0, "JVM TI object free", true, &made);
    if (poster_running) made->is_vm_internal = true;
}

void ti_tags_init(void) { heap_add_weak_table("JVM TI tags", sweep_tags); }
