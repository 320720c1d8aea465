/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Annotations that reflection objects hold as bytes.
 *
 * A Method, Constructor, Field or RecordComponent carries its annotations as a byte[] in class-file form, to be
 * parsed when somebody asks, against the constant pool that the class has then.  When the new pool is
 * numbered otherwise, those bytes would be misread; so the indices in them are changed in place,
 * from the old pool to the equal entry of the new one (0, which no parser accepts, if there is none).
 * Copies of a reflection object share the array, hence the list of those that are done.
 *
 * Finding the objects takes a walk of the heap.  It is made only when objects with annotations were
 * handed out for the class (CF_ANNOTATIONS_SEEN) and an index really changes: tools that edit
 * class files keep the old pool in front.
 */
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "link/redefine_int.h"

#include <stdlib.h>

/* --- indices inside annotations (JVMS 4.7.16) --- */

typedef struct IndexWalk {
    void (*fn)(u1 *index, void *arg);
    void *arg;
    u1 *p, *end;
} IndexWalk;

enum { MAX_DEPTH = 64 };

static bool take(IndexWalk *w, u4 n, u1 **at) {
    if ((size_t)(w->end - w->p) < n) return false;
    *at = w->p;
    w->p += n;
    return true;
}
static bool take_count(IndexWalk *w, u4 *n) {
    u1 *at;
    if (!take(w, 2, &at)) return false;
    *n = cf_get_u2(at);
    return true;
}
static bool take_index(IndexWalk *w) {
    u1 *at;
    if (!take(w, 2, &at)) return false;
    w->fn(at, w->arg);
    return true;
}

static bool walk_annotation(IndexWalk *w, int depth);

static bool walk_element(IndexWalk *w, int depth) {
    u1 *tag;
    u4 n;

    if (depth > MAX_DEPTH || !take(w, 1, &tag)) return false;
    switch (*tag) {
    case 'e': return take_index(w) && take_index(w);
    case '@': return walk_annotation(w, depth + 1);
    case '[':
        if (!take_count(w, &n)) return false;
        while (n-- > 0)
            if (!walk_element(w, depth + 1)) return false;
        return true;
    default: return take_index(w);
    }
}

static bool walk_annotation(IndexWalk *w, int depth) {
    u4 n;
    if (!take_index(w) || !take_count(w, &n)) return false;
    while (n-- > 0)
        if (!take_index(w) || !walk_element(w, depth)) return false;
    return true;
}

static bool walk_list(IndexWalk *w) {
    u4 n;
    if (!take_count(w, &n)) return false;
    while (n-- > 0)
        if (!walk_annotation(w, 0)) return false;
    return true;
}

static void walk_bytes(u1 *p, u4 len, CfAttrKind kind, void (*fn)(u1 *, void *), void *arg) {
    IndexWalk w = {fn, arg, p, p + len};
    u1 *n;

    if (kind == CF_ATTR_ANNOTATION_DEFAULT) walk_element(&w, 0);
    else if (kind == CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS) walk_list(&w);
    else if (take(&w, 1, &n))
        for (u4 i = *n; i > 0 && walk_list(&w); i--) {}
}

/* --- does anything move? --- */

typedef struct Mapping {
    Change *ch;
    bool moves;
} Mapping;

static u2 equal_entry(const Change *ch, u2 index) {
    const CfClass *from = ch->base->cf, *to = ch->fresh->cf;
    if (constants_mean_the_same(from, index, to, index)) return index;
    for (u4 i = 1; i < to->const_count; i++)
        if (constants_mean_the_same(from, index, to, (u2)i)) return (u2)i;
    return 0;
}

static void map_index(u1 *at, void *arg) {
    Mapping *m = arg;
    u2 index = cf_get_u2(at);
    u2 *map = m->ch->moved;

    if (index >= m->ch->base->cf->const_count || map[index]) return;
    map[index] = equal_entry(m->ch, index);
    m->moves |= map[index] != index;
}

static void map_attributes(const CfAttrs *as, Mapping *m) {
    for (u4 i = 0; i < as->count; i++) {
        CfAttrKind k = as->v[i].kind;
        if (k == CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS || k == CF_ATTR_ANNOTATION_DEFAULT ||
            k == CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS)
            walk_bytes((u1 *)as->v[i].data, as->v[i].len, k, map_index, m);
    }
}

bool annotations_prepare(Change *ch) {
    const CfClass *cf = ch->base->cf;
    Mapping m = {ch, false};

    if (!(ch->klass->flags & CF_ANNOTATIONS_SEEN)) return true;
    if (!(ch->moved = calloc(cf->const_count, sizeof *ch->moved))) return false;
    for (u4 i = 0; i < cf->method_count; i++) map_attributes(&cf->methods[i].attrs, &m);
    for (u4 i = 0; i < cf->field_count; i++) map_attributes(&cf->fields[i].attrs, &m);
    if (!m.moves) {
        free(ch->moved);
        ch->moved = NULL;
    }
    return true;
}

/* --- in the pause --- */

typedef struct Move {
    Change *changes;
    u4 n;
    Object **done; /* open addressing, by address */
    u4 n_done, cap;
} Move;

static bool first_visit(Move *m, Object *array) {
    if (m->n_done * 2 >= m->cap) {
        u4 cap = m->cap ? m->cap * 2 : 256;
        Object **grown = calloc(cap, sizeof *grown);
        if (!grown) return false;
        for (u4 i = 0; i < m->cap; i++)
            if (m->done[i]) {
                u4 h = (u4)((uintptr_t)m->done[i] >> 3) & (cap - 1);
                while (grown[h]) h = (h + 1) & (cap - 1);
                grown[h] = m->done[i];
            }
        free(m->done);
        m->done = grown;
        m->cap = cap;
    }
    u4 h = (u4)((uintptr_t)array >> 3) & (m->cap - 1);
    for (; m->done[h]; h = (h + 1) & (m->cap - 1))
        if (m->done[h] == array) return false;
    m->done[h] = array;
    m->n_done++;
    return true;
}

static void move_index(u1 *at, void *arg) {
    const Change *ch = arg;
    u2 index = cf_get_u2(at);
    if (index < ch->base->cf->const_count) cf_put_u2(at, ch->moved[index]);
}

static void move_array(Move *m, Change *ch, Object *array, CfAttrKind kind) {
    if (array && first_visit(m, array)) walk_bytes(array_data(array), (u4)array_len(array), kind, move_index, ch);
}

static Change *change_of(Move *m, Object *mirror) {
    Class *c = mirror ? mirror_class(mirror) : NULL;
    for (u4 i = 0; c && c->flags & CF_INSTALLING && i < m->n; i++)
        if (m->changes[i].klass == c && m->changes[i].moved) return &m->changes[i];
    return NULL;
}

static bool move_object(Object *o, void *arg) {
    Move *m = arg;
    Class *c = obj_class(o);
    Change *ch;

    if (c == JC(Method) && (ch = change_of(m, JGET_REF(o, Method, clazz)))) {
        move_array(m, ch, JGET_REF(o, Method, annotations), CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
        move_array(m, ch, JGET_REF(o, Method, parameterAnnotations), CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS);
        move_array(m, ch, JGET_REF(o, Method, annotationDefault), CF_ATTR_ANNOTATION_DEFAULT);
    } else if (c == JC(Constructor) && (ch = change_of(m, JGET_REF(o, Constructor, clazz)))) {
        move_array(m, ch, JGET_REF(o, Constructor, annotations), CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
        move_array(m, ch, JGET_REF(o, Constructor, parameterAnnotations), CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS);
    } else if (c == JC(Field) && (ch = change_of(m, JGET_REF(o, Field, clazz)))) {
        move_array(m, ch, JGET_REF(o, Field, annotations), CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
    }
    return true;
}

void annotations_move(Change *changes, u4 n) {
    Move m = {.changes = changes, .n = n};
    bool any = false;

    for (u4 i = 0; i < n; i++) any |= changes[i].moved && changes[i].klass->version->previous == changes[i].base;
    if (any) heap_walk(move_object, &m);
    free(m.done);
}
