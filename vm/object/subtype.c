/* SPDX-License-Identifier: Apache-2.0 */
/* Subtype tests that the display of class.h does not answer: interfaces, arrays, deep hierarchies. */
#include "object/class.h"
#include "object/field.h"

static bool is_array_subtype(Class *s, Class *t) {
    if (!class_is_array(s)) return false;
    Class *sc = s->component;
    Class *tc = t->component;
    if (sc == tc) return true;
    return !class_is_primitive(sc) && !class_is_primitive(tc) && class_is_subtype(sc, tc);
}

static bool is_subtype_uncached(Class *s, Class *t) {
    if (t->flags & CF_ARRAY) return is_array_subtype(s, t);
    if (t->access & ACC_INTERFACE) {
        if (s->interface_set.row[t->interface_key % INTERFACE_ROW] == (u4)(uintptr_t)t) return true;
        for (u4 i = 0; i < s->n_all_interfaces; i++)
            if (s->all_interfaces[i] == t) return true;
        return false;
    }
    for (Class *c = s; c; c = c->super)
        if (c == t) return true;
    return false;
}

bool class_is_subtype_slow(Class *s, Class *t) {
    if (s == t) return true;
    if (!is_subtype_uncached(s, t)) return false;
    atomic_store_explicit(&s->last_super_hit, t, memory_order_relaxed);
    return true;
}

static bool declares_field(const Class *c, const Field *f) { return f >= c->fields && f < c->fields + c->n_fields; }

bool class_has_field(const Class *c, const Field *f) {
    for (int i = 0; i < c->n_all_interfaces; i++)
        if (declares_field(c->all_interfaces[i], f)) return true;
    while (c && !declares_field(c, f)) c = c->super;
    return c != NULL;
}

size_t class_descriptor(const Class *c, char *out) {
    size_t n = c->name->len;
    if (class_is_primitive(c)) return *out = type_letter((BasicType)c->elem_type), 1;
    if (class_is_array(c)) return memcpy(out, c->name->bytes, n), n;
    memcpy(out + 1, c->name->bytes, n);
    out[0] = 'L';
    out[n + 1] = ';';
    return n + 2;
}
