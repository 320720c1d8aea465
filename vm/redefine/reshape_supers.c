/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A class gets other superclasses (interfaces are harmless: the verifier takes them for Object, calls and casts
 * ask at run time).
 *
 * Gained superclasses.  Objects of the class have no room for their fields, and where those lie in objects of the gained
 * class, the class may have fields of its own.  So the fields of a gained class move outside (heap/records.h), for all its
 * subclasses.  That takes that it has no objects yet and that Java code has not asked for offsets.
 *
 * Lost superclasses.  Code was verified when objects of the class were also of the lost one, and calls through slots of
 * the lost one without asking.  Three things can still take them for that:
 *
 *   code     every class whose pool mentions the class or a subclass is verified again against the hierarchy to come
 *            (reshape_reliant.c).  What passes moves no such value into a place of the lost type
 *   heap     a field, static or element of the lost type that holds an object of the class (it got there by a checked
 *            cast or by code that passes)
 *   frames   likewise; their types are not known here, so: no object of the class in a frame of code that mentions
 *            the lost class
 *
 * Any of them refuses.  Heap and frames are looked at in the pause.  For the heap it is found out first which classes have
 * fields or elements of a lost type (CF_HOLDS_LOST); often there are none.  What is dead may object as well: then
 * the heap is collected and asked once more (redefine.c).
 */
#include "frame/frame_view.h"
#include "redefine/reshape.h"
#include "heap/heap_upcall.h"

#include <stdlib.h>

static bool is_chained_to(const Class *c, const Class *super) {
    for (; c; c = c->super)
        if (c == super) return true;
    return false;
}

static bool has_instance_fields(const Class *c) {
    for (u4 i = 0; i < c->n_fields_all; i++)
        if (!(c->fields[i].access & ACC_STATIC)) return true;
    return false;
}

bool reshape_loses_supers(const Change *ch) {
    Class *super = ch->shape ? ch->shape->super : NULL;
    return super && !class_is_interface(ch->klass) && !is_chained_to(super, ch->klass->super);
}

static bool is_lost(const Change *ch, const Class *c) {
    return c && !class_is_interface(c) && !class_is_array(c) && is_chained_to(ch->klass->super, c) &&
           !is_chained_to(ch->shape->super, c);
}

/* --- gained --- */

static Refusal move_outside(Thread *t, Change *ch, Class *c) {
    Shape *s = ch->shape;
    Outline *o = calloc(1, sizeof *o);

    if (!o || !(o->fields = malloc((c->n_fields + 1u) * sizeof *o->fields))) return free(o), REFUSED_OUT_OF_MEMORY;
    *o = (Outline){s->outlines, c, o->fields, c->n_fields};
    s->outlines = o;
    memcpy(o->fields, c->fields, c->n_fields * sizeof *o->fields);
    for (u4 i = 0; i < c->n_fields; i++) {
        Field *f = &o->fields[i];
        if (f->access & ACC_STATIC || offset_is_outside(f->offset)) continue;
        if (f->flags & FIELD_EXPOSED) return reshape_refuse_for(ch, REASON_SUPER_IN_USE, c);
        f->offset = 0;
    }
    return reshape_place(t, ch, o->fields, c->n_fields);
}

Refusal reshape_gain_supers(Thread *t, Change *ch) {
    Refusal why = REFUSED_NOT;
    for (Class *k = ch->shape->super; k && !why; k = k->super) {
        if (is_chained_to(ch->klass, k) || !has_instance_fields(k)) continue;
        why = k->loader == BOOT_LOADER ? reshape_refuse_for(ch, REASON_BOOT_SUPER, k) : move_outside(t, ch, k);
    }
    return why;
}

void reshape_take_outlines(Change *ch) {
    for (Outline *o = ch->shape->outlines; o; o = o->next) {
        for (u4 i = 0; i < o->n; i++) {
            Field *f = class_find_declared_field(o->c, o->fields[i].name, o->fields[i].desc);
            if (f && !(f->access & ACC_STATIC) && !offset_is_outside(f->offset)) f->offset = o->fields[i].offset;
        }
        o->c->flags |= CF_OUTSIDE;
    }
}

/* --- lost: heap --- */

enum { ASKED = 256 };

typedef struct Values {
    const Change *ch;
    Refusal why;
    bool any; /* class has CF_HOLDS_LOST */
    struct {
        const ClassVersion *v;
        bool mentions;
    } asked[ASKED]; /* by address */
} Values;

static bool is_affected(const Values *l, const Object *o) { return o && class_is_subtype(obj_class(o), l->ch->klass); }

static bool is_lost_name(const void *change, const char *p, u4 len) {
    const Change *ch = change;
    for (const Class *k = ch->klass->super; k; k = k->super)
        if (is_lost(ch, k) && k->name->len == len && memcmp(k->name->bytes, p, len) == 0) return true;
    return false;
}

static bool names_lost(const Values *l, const Field *f) {
    return f->type == T_OBJECT && is_lost_name(l->ch, f->desc->bytes + 1, f->desc->len - 2u);
}

static bool has_lost_fields(const Values *l, const Class *c) {
    for (u4 i = 0; i < c->n_fields; i++)
        if (!(c->fields[i].access & ACC_STATIC) && names_lost(l, &c->fields[i])) return true;
    return false;
}

static void look_at_fields(Values *l, const Object *o, const Class *c, bool statics) {
    for (u4 i = 0; i < c->n_fields && !l->why; i++) {
        const Field *f = &c->fields[i];
        if (!!(f->access & ACC_STATIC) != statics || !names_lost(l, f)) continue;
        if (is_affected(l, field_ref(o, f->offset))) l->why = reshape_refuse_for(l->ch, REASON_VALUE_IN_HEAP, c);
    }
}

/* Marks it if objects of it may hold lost values; statics are looked at at once. */
static void look_at_class(Class *c, void *arg) {
    Values *l = arg;
    bool holds = class_is_array(c) && is_lost(l->ch, c->component);
    for (const Class *k = c; k && k->version && !holds; k = k->super) holds = has_lost_fields(l, k);
    c->flags = holds ? c->flags | CF_HOLDS_LOST : c->flags & ~(u4)CF_HOLDS_LOST;
    l->any |= holds;
    if (c->mirror) look_at_fields(l, c->mirror, c, true);
}

static bool look_at_object(Object *o, void *arg) {
    Values *l = arg;
    Class *c = obj_class(o);
    if (!(c->flags & CF_HOLDS_LOST)) return true;
    if (class_is_array(c))
        for (int32_t i = 0; i < array_len(o) && !l->why; i++)
            if (is_affected(l, array_ref(o, i))) l->why = reshape_refuse_for(l->ch, REASON_VALUE_IN_HEAP, c);
    for (const Class *k = class_is_array(c) ? NULL : c; k && !l->why; k = k->super) look_at_fields(l, o, k, false);
    return !l->why;
}

/* --- lost: frames --- */

static bool find_lost(const Values *l, const ClassVersion *v) {
    NameTest n = {is_lost_name, l->ch, 0};
    for (const Class *k = l->ch->klass->super; k; k = k->super)
        if (is_lost(l->ch, k) && k->name->len > n.longest) n.longest = k->name->len;
    return is_lost(l->ch, v->klass) || version_mentions(v, &n);
}

/* Many frames are of the same code. */
static bool mentions_lost(Values *l, const ClassVersion *v) {
    size_t i = ((uintptr_t)v >> 4) * 0x9e3779b97f4a7c15ull >> 56;
    if (l->asked[i].v != v) l->asked[i].v = v, l->asked[i].mentions = find_lost(l, v);
    return l->asked[i].mentions;
}

static bool is_affected_cell(Slot cell, void *l) {
    return is_affected(l, cell.raw >> 35 || cell.raw & 7 ? NULL : heap_object_at(cell.p));
}

static void look_at_frames(Values *l, Thread *t) {
    FOR_EACH_FRAME(v, t) {
        const Method *m = view_method(v);
        if (l->why || view_is_native(v) || !mentions_lost(l, m->version)) continue;
        if (view_any_cell(v, is_affected_cell, l)) l->why = reshape_refuse_for(l->ch, REASON_VALUE_ON_STACK, m->holder);
    }
}

static bool is_outlined_object(Object *o, void *arg) {
    Values *l = arg;
    Class *c = obj_class(o);
    for (Outline *x = l->ch->shape->outlines; x; x = x->next)
        if (!class_is_array(c) && is_chained_to(c, x->c)) l->why = reshape_refuse_for(l->ch, REASON_SUPER_IN_USE, x->c);
    return !l->why;
}

Refusal reshape_look_at_values(const Change *ch) {
    Values l = {.ch = ch};
    if (!ch->shape || !ch->shape->super) return REFUSED_NOT;
    if (ch->shape->outlines) heap_walk(is_outlined_object, &l);
    ch->shape->heap_objects = l.why;
    if (l.why || !reshape_loses_supers(ch)) return l.why;
    loader_visit_all_classes(look_at_class, &l);
    if (l.any && !l.why) {
        heap_walk(look_at_object, &l);
        ch->shape->heap_objects = l.why;
    }
    FOR_EACH_THREAD(t) look_at_frames(&l, t);
    return l.why;
}
