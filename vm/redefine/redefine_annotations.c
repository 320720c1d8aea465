/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Annotations that reflection objects hold as bytes.
 *
 * A Method, Constructor, Field or RecordComponent carries its annotations as byte[] in class-file form, to be
 * parsed when somebody asks, against the constant pool that the class has then.  When the new pool is
 * numbered otherwise, those bytes would be misread; so the indices in them are changed in place,
 * from the old pool to the equal entry of the new one (0, which no parser accepts, if there is none).
 * Copies of a reflection object share the array with their root, which they keep alive: only roots are looked at.
 *
 * The old pool is that of the version which the pause replaces: hooks of the call, and another change of the class in it, may have come
 * between it and the one that the new version was compared with.
 *
 * Finding the objects takes a walk of the heap.  It is made only when objects with annotations were
 * handed out for the class (CF_ANNOTATIONS_SEEN) and an index really changes: tools that edit
 * class files keep the old pool in front.
 */
#include "redefine/redefine_int.h"

#include <stdlib.h>

/* --- does anything move? --- */

typedef struct Mapping {
    Change *ch;
    bool moves;
} Mapping;

static u2 equal_entry(const Change *ch, u2 index) {
    const CfClass *from = ch->replaced->cf, *to = ch->fresh->cf;
    if (constants_mean_the_same(from, index, to, index)) return index;
    for (u4 i = 1; i < to->const_count; i++)
        if (constants_mean_the_same(from, index, to, (u2)i)) return (u2)i;
    return 0;
}

static bool map_site(void *arg, const CfSite *site) {
    Mapping *m = arg;
    u2 *map = m->ch->moved;

    if (site->index >= m->ch->replaced->cf->const_count || map[site->index]) return true;
    map[site->index] = equal_entry(m->ch, site->index);
    m->moves |= map[site->index] != site->index;
    return true;
}

static void map_attributes(const CfAttrs *as, Mapping *m) {
    for (u4 i = 0; i < as->count; i++) {
        CfAttrKind k = as->v[i].kind;
        if (k == CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS || k == CF_ATTR_ANNOTATION_DEFAULT ||
            k == CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS || k == CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS)
            cf_attr_sites(m->ch->replaced->cf, &as->v[i], 0, map_site, m, NULL);
    }
}

static bool map_components(const CfClass *cf, Mapping *m) {
    const CfAttr *record = cf_attr(&cf->attrs, CF_ATTR_RECORD);
    CfComponents walk;
    CfComponent k;
    CfArena scratch;
    u4 n = 0;

    if (!record || cf_record(record, &walk, NULL) != CF_OK) return true;
    cf_arena_init(&scratch, "record", 0);
    for (; cf_component_next(cf, &walk, &scratch, &k); n++) map_attributes(&k.attrs, m);
    cf_arena_free(&scratch);
    return n == walk.count; /* it was read before: only memory can fail */
}

static bool prepare(Change *ch) {
    const CfClass *cf = ch->replaced->cf;
    Mapping m = {ch, false};

    if (!(ch->moved = calloc(cf->const_count, sizeof *ch->moved)) || !map_components(cf, &m)) return false;
    for (u4 i = 0; i < cf->method_count; i++) map_attributes(&cf->methods[i].attrs, &m);
    for (u4 i = 0; i < cf->field_count; i++) map_attributes(&cf->fields[i].attrs, &m);
    if (!m.moves) {
        free(ch->moved);
        ch->moved = NULL;
    }
    return true;
}

/* Of changes of one class in a call the last one counts. */
static bool is_last(const Change *changes, u4 n, u4 i) {
    for (u4 k = i + 1; k < n; k++)
        if (changes[k].klass == changes[i].klass) return false;
    return true;
}
static bool is_unprepared(const Change *changes, u4 n, u4 i) {
    const Change *ch = &changes[i];
    return ch->klass->flags & CF_ANNOTATIONS_SEEN && ch->replaced != ch->klass->version && is_last(changes, n, i);
}

bool annotations_prepare(Change *changes, u4 n) {
    for (u4 i = 0; i < n; i++) {
        Change *ch = &changes[i];
        if (!is_unprepared(changes, n, i)) continue;
        free(ch->moved);
        ch->replaced = ch->klass->version;
        if (!prepare(ch)) return false;
    }
    return true;
}

/* --- in the pause --- */

bool annotations_are_prepared(const Change *changes, u4 n) {
    for (u4 i = 0; i < n; i++)
        if (is_unprepared(changes, n, i)) return false;
    return true;
}

typedef struct Move {
    Change *changes;
    u4 n;
} Move;

static bool move_site(void *arg, const CfSite *site) {
    const Change *ch = arg;
    if (site->index < ch->replaced->cf->const_count) cf_put_u2((u1 *)site->at, ch->moved[site->index]);
    return true;
}

static void move_array(Change *ch, Object *array, CfAttrKind kind) {
    if (!array) return;
    CfAttr a = {.kind = kind, .data = array_data(array), .len = (u4)array_len(array)};
    cf_attr_sites(ch->replaced->cf, &a, 0, move_site, ch, NULL);
}

static Change *moving_change(Move *m, Object *mirror) {
    Class *c = mirror ? mirror_class(mirror) : NULL;
    for (u4 i = 0; c && c->flags & CF_INSTALLING && i < m->n; i++)
        if (m->changes[i].klass == c && m->changes[i].moved) return &m->changes[i];
    return NULL;
}

static void move_executable(Change *ch, Object *annotations, Object *of_parameters) {
    move_array(ch, annotations, CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
    move_array(ch, of_parameters, CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS);
}

static bool move_object(Object *o, void *arg) {
    Move *m = arg;
    Class *c = obj_class(o);
    Change *ch;

    if (c == JC(Method) && !JGET_REF(o, Method, root) && (ch = moving_change(m, JGET_REF(o, Method, clazz)))) {
        move_executable(ch, JGET_REF(o, Method, annotations), JGET_REF(o, Method, parameterAnnotations));
        move_array(ch, JGET_REF(o, Method, annotationDefault), CF_ATTR_ANNOTATION_DEFAULT);
    } else if (c == JC(Constructor) && !JGET_REF(o, Constructor, root) &&
               (ch = moving_change(m, JGET_REF(o, Constructor, clazz)))) {
        move_executable(ch, JGET_REF(o, Constructor, annotations), JGET_REF(o, Constructor, parameterAnnotations));
    } else if (c == JC(Field) && !JGET_REF(o, Field, root) && (ch = moving_change(m, JGET_REF(o, Field, clazz)))) {
        move_array(ch, JGET_REF(o, Field, annotations), CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
    } else if (c == JC(RecordComponent) && (ch = moving_change(m, JGET_REF(o, RecordComponent, clazz)))) { /* never copied */
        move_array(ch, JGET_REF(o, RecordComponent, annotations), CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
        move_array(ch, JGET_REF(o, RecordComponent, typeAnnotations), CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS);
    }
    return true;
}

void annotations_move(Change *changes, u4 n) {
    bool any = false;

    for (u4 i = 0; i < n; i++) any |= changes[i].moved != NULL;
    if (any) heap_walk(move_object, &(Move){changes, n});
}
