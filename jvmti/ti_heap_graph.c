/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which references an object has, in the Java view (FollowReferences' list of kinds), and how
 * fields are numbered.
 *
 * Field index (jvmtiHeapReferenceInfoField): first come the fields of all interfaces that C or a
 * superclass implements, each interface once; then those of the superclasses from Object down,
 * then C's own; static and instance fields alike, in GetClassFields order.  For an interface: the
 * fields of its superinterfaces, then its own.
 */
#include "heap/records.h"
#include "object/class.h"
#include "object/field.h"
#include "object/version.h"
#include "ti_heap.h"
#include <stdlib.h>

/* --- field numbers --- */

jint ti_heap_first_index(const Class *c) {
    jint n = 0;
    for (u4 i = 0; i < c->n_all_interfaces; i++)
        if (c->all_interfaces[i] != c) n += c->all_interfaces[i]->n_fields;
    for (const Class *s = class_is_interface(c) ? NULL : c->super; s; s = s->super) n += s->n_fields;
    return n;
}

/* `end` is one more than the number of the last field of c. */
static u4 instance_fields(HeapField *out, const Class *c, jint end) {
    u4 n = 0;
    for (; c; end -= c->n_fields, c = c->super)
        for (u4 i = c->n_fields; i-- > 0;) {
            const Field *f = &c->fields[i];
            if (!(f->access & ACC_STATIC)) out[n++] = (HeapField){f->offset, end - (jint)c->n_fields + (jint)i, f->type};
        }
    return n;
}
bool ti_heap_find_fields(HeapClass *k) {
    u4 most = 0;
    if (k->c->flags & CF_ARRAY) return true;
    for (const Class *c = k->c; c; c = c->super) most += c->n_fields;
    k->fields = malloc((most + 1u) * 2 * sizeof *k->fields);
    if (!k->fields) return false;
    k->n_fields = instance_fields(k->fields, k->c, ti_heap_first_index(k->c) + k->c->n_fields);
    k->refs = k->fields + k->n_fields;
    for (u4 i = 0; i < k->n_fields; i++)
        if (k->fields[i].type >= T_OBJECT) k->refs[k->n_refs++] = k->fields[i];
    return true;
}

/* --- classes --- */

static inline bool refer(HeapWalk *w, Object *to, jvmtiHeapReferenceKind kind, jint index) {
    return !to || w->reference(w, to, kind, index);
}
#define REFER(to, kind, index) refer(w, (to), JVMTI_HEAP_REFERENCE_##kind, (index))

static bool statics(HeapWalk *w, Class *k, Object *mirror) {
    jint first = ti_heap_first_index(k);
    for (u4 i = k->n_fields; i-- > 0;) {
        const Field *f = &k->fields[i];
        if (!(f->access & ACC_STATIC)) continue;
        bool on = f->type >= T_OBJECT
                      ? REFER(field_ref(mirror, f->offset), STATIC_FIELD, first + (jint)i)
                      : ti_heap_field_value(w, JVMTI_HEAP_REFERENCE_STATIC_FIELD, first + (jint)i, f->offset, f->type);
        if (!on) return false;
    }
    return true;
}

/* A class that k's loader knows already counts as resolved: whether the instruction has run that
 * would resolve the entry is the implementation's affair. */
static Class *loaded_class(const Class *k, CfStr name) {
    u4 dims = 0;
    while (dims < name.len && name.p[dims] == '[') dims++;
    CfStr element = {name.p + dims, name.len - dims};
    Class *c = NULL;
    if (dims && element.len == 1) {
        c = primitive_classes[type_of_desc_char((char)element.p[0])];
    } else {
        if (dims && element.len > 2) element = (CfStr){element.p + 1, element.len - 2};
        Symbol *s = symbol_lookup((const char *)element.p, element.len);
        c = s ? loader_find_loaded(k->loader, s) : NULL;
    }
    while (c && dims--) c = atomic_load(&c->array_class);
    return c;
}
static Class *pool_class(Class *k, ClassVersion *v, u2 idx) {
    if (idx == v->cf->this_class) return k;
    if (atomic_load(&v->pool_state[idx]) == POOL_RESOLVED) return v->pool[idx].klass;
    return loaded_class(k, cf_class_name(v->cf, idx));
}
/* Entries in order: classes, and constants that are objects whenever they are resolved. */
static bool pool_entries(HeapWalk *w, Class *k) {
    ClassVersion *v = k->version;
    for (u2 i = 1; i < v->pool_count; i++) {
        u4 tag = cf_tag(v->cf, i);
        Object *o = NULL;
        if (tag == CF_CONST_CLASS) {
            Class *c = pool_class(k, v, i);
            o = c ? c->mirror : NULL;
        } else if (tag == CF_CONST_STRING || tag == CF_CONST_METHODHANDLE || tag == CF_CONST_METHODTYPE) {
            o = atomic_load(&v->pool_state[i]) == POOL_RESOLVED ? v->pool[i].object : NULL;
        }
        if (!REFER(o, CONSTANT_POOL, i)) return false;
    }
    return true;
}
/* What entries and call sites lead to beside: dynamic constants, the extra arguments of adapters. */
static bool pool_extras(HeapWalk *w, Class *k) {
    ClassVersion *v = k->version;
    for (u4 i = 0; i < v->ref_cells.len; i++) {
        u2 idx = v->ref_cells.data[i];
        Object *o = NULL;
        if (atomic_load(&v->pool_state[idx]) != POOL_RESOLVED) continue;
        switch (cf_tag(v->cf, idx)) {
        case CF_CONST_METHODREF:
        case CF_CONST_INTERFACEMETHODREF: o = v->pool[idx].method->appendix; break;
        case CF_CONST_DYNAMIC: o = v->pool[idx].object; break;
        }
        if (!REFER(o, CONSTANT_POOL, idx)) return false;
    }
    for (u4 i = 0; i < v->n_call_sites; i++) {
        const CallSite *s = v->call_sites[i];
        if (s && !REFER(s->appendix, CONSTANT_POOL, s->pool_index)) return false;
    }
    return true;
}

static bool expand_class(HeapWalk *w, Object *mirror) {
    Class *k = ti_heap_mirrored(mirror);
    if (!k) return true;
    if (!class_is_interface(k) && k->super && k->super->super && !REFER(k->super->mirror, SUPERCLASS, -1)) return false;
    if (!REFER(k->loader->java, CLASS_LOADER, -1) || !REFER(k->protection_domain, PROTECTION_DOMAIN, -1) ||
        !REFER(k->signers, SIGNERS, -1))
        return false;
    if (k->version && (!pool_entries(w, k) || !pool_extras(w, k))) return false;
    for (u4 i = 0; i < k->n_interfaces; i++)
        if (!REFER(k->interfaces[i]->mirror, INTERFACE, -1)) return false;
    return statics(w, k, mirror);
}

/* --- objects --- */

static bool fields(HeapWalk *w) {
    const Object *o = w->referrer;
    const HeapClass *k = w->referrer_class;
    bool all = w->cb.primitive_field_callback; /* the rows stay where they are when the table of classes grows */
    const HeapField *f = all ? k->fields : k->refs, *end = f + (all ? k->n_fields : k->n_refs);
    for (; f < end; f++) {
        bool on = f->type >= T_OBJECT ? REFER(field_ref(o, f->offset), FIELD, f->index)
                                      : ti_heap_field_value(w, JVMTI_HEAP_REFERENCE_FIELD, f->index, f->offset, f->type);
        if (!on) return false;
    }
    return true;
}

bool ti_heap_expand(HeapWalk *w) {
    Object *o = w->referrer;
    Class *c = obj_class(o);
    if (c->flags & CF_MIRROR) return expand_class(w, o);
    if (!REFER(c->mirror, CLASS, -1)) return false;
    if (!(c->flags & CF_ARRAY)) return fields(w) && (c != JC(String) || ti_heap_string_value(w));
    if (c->elem_type < T_OBJECT) return ti_heap_array_values(w);
    for (jint i = 0, n = array_len(o); i < n; i++)
        if (!REFER(array_ref(o, i), ARRAY_ELEMENT, i)) return false;
    return true;
}
