/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where fields lie.
 *
 * Instance fields: those of the superclass first, at unchanged offsets; then
 * the class's own, references together, the others by falling size, and small
 * ones in the hole that 8-byte alignment may leave in front.  instance_end is
 * the end of the last field, so a subclass can use the superclass's tail.
 *
 * ref_offsets lists the references the collector follows, inherited ones
 * included.  Reference.referent and .discovered are left out: the collector
 * treats them itself.
 *
 * Static fields lie in the mirror behind the Java fields of java.lang.Class:
 * references first (static_base .. n_static_refs), then the others by falling
 * size.  Classes laid out before java.lang.Class get offsets relative to 0,
 * which are moved when it is laid out; nobody can have used them before.
 */
#include "exec/throw.h"
#include "link/link.h"
#include "object/field.h"
#include "shape/shape.h"

#include <stdlib.h>

enum { MAX_REF_OFFSET = 65535 };

static bool is_ref(const Field *f) { return f->type == T_OBJECT || f->type == T_ARRAY; }

static bool is_weak_cell(const Class *c, const Field *f) {
    return c->loader == BOOT_LOADER && symbol_eq(c->name, "java/lang/ref/Reference") &&
           (symbol_eq(f->name, "referent") || symbol_eq(f->name, "discovered"));
}

static u4 field_bytes(const Field *f) { return 1u << type_size_shift((BasicType)f->type); }

/* Gives every not yet placed field accepted by (static?, ref?, size) the next offset. */
static u4 place(Class *c, bool statics, bool refs, u4 size, u4 at, u4 limit) {
    for (u4 i = 0; i < c->n_fields_all; i++) {
        Field *f = &c->fields[i];
        if (f->offset || !!(f->access & ACC_STATIC) != statics || is_ref(f) != refs) continue;
        if (field_bytes(f) != size || at + size > limit) continue;
        f->offset = at;
        at += size;
    }
    return at;
}

static bool has_wide(const Class *c, bool statics) {
    for (u4 i = 0; i < c->n_fields_all; i++)
        if (!!(c->fields[i].access & ACC_STATIC) == statics && field_bytes(&c->fields[i]) == 8) return true;
    return false;
}

/* Fills [at, to) with 4-, 2- and 1-byte fields. */
static void fill_hole(Class *c, u4 at, u4 to) {
    u4 four = ALIGN_UP(at, 4u), next;
    if (four + 4 <= to) {
        next = place(c, false, false, 4, four, to);
        if (next < to) place(c, false, true, 4, next, to);
        return;
    }
    next = ALIGN_UP(at, 2u);
    if (next + 2 <= to) next = place(c, false, false, 2, next, to);
    if (next < to) place(c, false, false, 1, next, to);
}

static void layout_instance(Class *c) {
    u4 at = c->super ? c->super->instance_end : OBJECT_HEADER;

    if (has_wide(c, false)) {
        u4 wide = ALIGN_UP(at, 8u);
        if (at < wide) fill_hole(c, at, wide);
        at = place(c, false, false, 8, wide, UINT32_MAX);
    }
    if (at & 3) fill_hole(c, at, ALIGN_UP(at, 4u));
    at = ALIGN_UP(at, 4u);
    at = place(c, false, true, 4, at, UINT32_MAX);
    at = place(c, false, false, 4, at, UINT32_MAX);
    at = place(c, false, false, 2, at, UINT32_MAX);
    at = place(c, false, false, 1, at, UINT32_MAX);
    /* fields that found room in the hole leave `at` right: it only ever grows behind them */
    c->instance_end = at;
    c->instance_size = at < OBJECT_LEAST ? OBJECT_LEAST : ALIGN_UP(at, (u4)OBJECT_ALIGN);
}

static bool set_ref_offsets(Thread *t, Class *c) {
    u4 inherited = c->super ? c->super->n_ref_offsets : 0, own = 0;

    for (u4 i = 0; i < c->n_fields_all; i++) {
        Field *f = &c->fields[i];
        if (f->access & ACC_STATIC || !is_ref(f) || is_weak_cell(c, f)) continue;
        if (f->offset > MAX_REF_OFFSET)
            return throw_new(t, EX_InternalError, "class %s has too many fields", c->name->bytes), false;
        own++;
    }
    c->ref_offsets = malloc((inherited + own + 1) * sizeof *c->ref_offsets);
    if (!c->ref_offsets) return throw_oom(t, "class metadata"), false;
    if (inherited) memcpy(c->ref_offsets, c->super->ref_offsets, inherited * sizeof *c->ref_offsets);
    c->n_ref_offsets = (u2)inherited;
    for (u4 i = 0; i < c->n_fields_all; i++) {
        Field *f = &c->fields[i];
        if (f->access & ACC_STATIC || !is_ref(f) || is_weak_cell(c, f)) continue;
        c->ref_offsets[c->n_ref_offsets++] = (u2)f->offset;
    }
    return true;
}

/* Offsets relative to `base`, which is 8-aligned; base 0 is shifted by 8 so that 0 keeps
 * meaning "not placed" and corrected by the caller. */
static void layout_statics(Class *c, u4 base) {
    u4 at = base, refs = 0;

    at = place(c, true, true, 4, at, UINT32_MAX);
    refs = (at - base) / 4;
    c->static_base = base;
    c->n_static_refs = (u2)refs;
    if (has_wide(c, true)) {
        if (at & 4) at = place(c, true, false, 4, at, at + 4);
        at = place(c, true, false, 8, ALIGN_UP(at, 8u), UINT32_MAX);
    }
    at = place(c, true, false, 4, at, UINT32_MAX);
    at = place(c, true, false, 2, at, UINT32_MAX);
    at = place(c, true, false, 1, at, UINT32_MAX);
    c->static_size = ALIGN_UP(at - base, 8u);
}

enum { PROVISIONAL_BASE = 8 };
static u4 mirror_base; /* instance_size of java.lang.Class once known */

static void move_statics(Class *c, void *arg) {
    u4 delta = *(u4 *)arg;
    if (!c->version) return;
    for (u4 i = 0; i < c->n_fields; i++)
        if (c->fields[i].access & ACC_STATIC) c->fields[i].offset += delta;
    c->static_base += delta;
}

static void class_is_known(Class *c) {
    u4 delta = c->instance_size - PROVISIONAL_BASE;

    mirror_base = c->instance_size;
    for (u4 i = c->n_fields; i < c->n_fields_all; i++)
        if (symbol_eq(c->fields[i].name, "klass")) mirror_class_offset = c->fields[i].offset;
    for (Class *k = boot_loader.classes; k; k = k->next_in_loader) move_statics(k, &delta);
}

bool class_layout(Thread *t, Class *c) {
    if (class_is_interface(c)) {
        c->instance_end = OBJECT_HEADER;
        c->instance_size = OBJECT_LEAST;
    } else {
        layout_instance(c);
    }
    if (!set_ref_offsets(t, c)) return false;
    if (!mirror_base && c->flags & CF_MIRROR) class_is_known(c);
    layout_statics(c, mirror_base ? mirror_base : PROVISIONAL_BASE);
    return true;
}

u4 layout_injected_offset(const char *cls, const char *field) {
    Class *c = load_boot_class(thread_self(), cls);
    for (u4 i = c ? c->n_fields : 0; c && i < c->n_fields_all; i++)
        if (symbol_eq(c->fields[i].name, field)) return c->fields[i].offset;
    FATAL("no injected field %s.%s", cls, field);
}
