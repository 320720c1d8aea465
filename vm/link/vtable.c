/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dispatch tables.
 *
 * vtable  one slot per distinct overridable method.  A class copies its
 *         superclass's table, replaces the slots its methods override (JVMS
 *         5.4.5; package-private methods only from the same run-time package,
 *         or transitively through an ancestor that could) and appends slots
 *         for the rest.  Every instance method that is neither private nor an
 *         initialiser has a slot, final ones included.
 * miranda slot of an interface method that no class in the chain implements.
 *         It holds the selected default method (JVMS 5.4.6), the abstract
 *         method itself, or a VM-made method that throws (overpass) when two
 *         defaults conflict.
 * itable  per superinterface with dispatched methods: the selected method by
 *         itable_index, or NULL when that is an overpass.  Selecting a class method that is not public is an
 *         IllegalAccessError (JVMS 6.5.invokeinterface), which exec raises.
 *
 * Interfaces and arrays dispatch Object's methods through Object's table.
 * Tables are built once, under the linking protocol of prepare.c, from linked
 * supertypes; redefinition rebuilds them in a safepoint.
 */
#include "heap/heap.h"
#include "link/link_int.h"

#include <stdio.h>
#include <stdlib.h>

/* Slots by name and descriptor: chains through next[]. */
typedef struct SlotIndex {
    u4 mask;
    int32_t *heads, *next;
} SlotIndex;

typedef struct Builder {
    Class *c;
    Method **slots;
    u4 n, cap;
    SlotIndex index;
} Builder;

static u4 slot_hash(const Symbol *name, const Symbol *desc) {
    return name->hash * 31 + desc->hash;
}

static void index_add(Builder *b, u4 slot) {
    u4 h = slot_hash(b->slots[slot]->name, b->slots[slot]->desc) & b->index.mask;
    b->index.next[slot] = b->index.heads[h];
    b->index.heads[h] = (int32_t)slot;
}

static int32_t index_first(const Builder *b, const Symbol *name, const Symbol *desc, int32_t from) {
    int32_t s = from;
    while (s >= 0 && (b->slots[s]->name != name || b->slots[s]->desc != desc)) s = b->index.next[s];
    return s;
}
#define FOR_SLOTS(b, nm, ds, s)                                                                    \
    for (int32_t s = index_first(b, nm, ds, (b)->index.heads[slot_hash(nm, ds) & (b)->index.mask]); \
         s >= 0; s = index_first(b, nm, ds, (b)->index.next[s]))

u4 interface_method_count(const Class *iface) {
    for (u4 i = iface->version->n_methods; i > 0; i--)
        if (iface->version->methods[i - 1].itable_index >= 0)
            return (u4)iface->version->methods[i - 1].itable_index + 1;
    return 0;
}

static bool builder_init(Builder *b, Class *c) {
    u4 inherited = c->super ? c->super->vtable_len : 0;

    b->c = c;
    b->cap = inherited + c->version->n_methods;
    if (!c->super || c->n_all_interfaces != c->super->n_all_interfaces)
        for (u4 i = 0; i < c->n_all_interfaces; i++) b->cap += interface_method_count(c->all_interfaces[i]);
    for (b->index.mask = 15; b->index.mask < b->cap; b->index.mask = b->index.mask * 2 + 1) {}
    b->slots = malloc((b->cap + 1) * sizeof *b->slots);
    b->index.next = malloc((b->cap + 1) * sizeof(int32_t));
    b->index.heads = malloc((b->index.mask + 1) * sizeof(int32_t));
    if (!b->slots || !b->index.next || !b->index.heads) return false;
    memset(b->index.heads, 0xff, (b->index.mask + 1) * sizeof(int32_t));
    for (; b->n < inherited; b->n++) {
        b->slots[b->n] = c->super->vtable[b->n];
        index_add(b, b->n);
    }
    return true;
}

static void builder_free(Builder *b) {
    free(b->slots);
    free(b->index.heads);
    free(b->index.next);
}

static void append_slot(Builder *b, Method *m) {
    b->slots[b->n] = m;
    index_add(b, b->n++);
}

/* --- overriding --- */

static bool is_virtual(const Method *m) {
    return !(m->access & (ACC_STATIC | ACC_PRIVATE)) && !(m->flags & (MF_INIT | MF_CLINIT));
}
static bool from_interface(const Method *m) {
    return class_is_interface(m->holder) || m->flags & MF_OVERPASS;
}

static bool overrides_directly(const Method *m, const Method *old) {
    if (old->access & (ACC_PUBLIC | ACC_PROTECTED)) return true;
    return access_same_package(m->holder, old->holder);
}

/* JVMS 5.4.5: or m overrides some m' of an ancestor that overrides the slot's method. */
static bool overrides_slot(const Builder *b, const Method *m, u4 slot) {
    for (Class *k = b->c->super; k && k->vtable_len > slot; k = k->super)
        if (overrides_directly(m, k->vtable[slot])) return true;
    return false;
}

static bool add_declared(Thread *t, Builder *b) {
    ClassVersion *v = b->c->version;

    for (u4 i = 0; i < v->n_methods; i++) {
        Method *m = &v->methods[i];
        bool found = false;
        if (!is_virtual(m)) continue;
        FOR_SLOTS(b, m->name, m->desc, s) {
            if (b->slots[s] == m || (u4)s >= (b->c->super ? b->c->super->vtable_len : 0)) continue;
            if (!overrides_slot(b, m, (u4)s)) continue;
            if (t && !check_override(t, b->c, m, b->slots[s])) return false;
            b->slots[s] = m;
            m->vtable_index = s;
            found = true;
        }
        if (found) continue;
        m->vtable_index = (int32_t)b->n;
        append_slot(b, m);
    }
    return true;
}

/* --- default methods --- */

static u4 collect_candidates(Class *c, Symbol *name, Symbol *desc, Method **out, u4 max) {
    u4 n = 0;
    for (u4 i = 0; i < c->n_all_interfaces && n < max; i++) {
        Method *m = class_find_declared_method(c->all_interfaces[i], name, desc);
        if (m && m->itable_index >= 0) out[n++] = m;
    }
    return n;
}

static bool is_maximal(Method **v, u4 n, u4 k) {
    for (u4 i = 0; i < n; i++)
        if (i != k && v[i]->holder != v[k]->holder && class_is_subtype(v[i]->holder, v[k]->holder))
            return false;
    return true;
}

static char *conflict_message(Method **v, u4 n) {
    size_t len = 64, at;
    char *text;

    for (u4 i = 0; i < n; i++) len += (size_t)v[i]->holder->name->len + v[i]->name->len + 3;
    if (!(text = malloc(len))) return NULL;
    at = (size_t)snprintf(text, len, "Conflicting default methods:");
    for (u4 i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, len - at, " %s.%s", v[i]->holder->name->bytes, v[i]->name->bytes);
    return text;
}

Method *select_default(Class *c, Symbol *name, Symbol *desc, char **conflict) {
    Method **v = malloc((c->n_all_interfaces + 1u) * sizeof *v), *selected = NULL;
    u4 n, defaults = 0, kept = 0;

    *conflict = NULL;
    if (!v) return NULL;
    n = collect_candidates(c, name, desc, v, c->n_all_interfaces);
    Method *any = n ? v[0] : NULL;
    for (u4 i = 0; i < n; i++) {
        if (method_is_abstract(v[i]) || !is_maximal(v, n, i)) continue;
        selected = v[i];
        defaults++;
    }
    if (defaults > 1) {
        Method **d = malloc(n * sizeof *d);
        for (u4 i = 0; d && i < n; i++)
            if (!method_is_abstract(v[i]) && is_maximal(v, n, i)) d[kept++] = v[i];
        if (d) *conflict = conflict_message(d, kept);
        free(d);
        selected = NULL;
    } else if (!defaults) {
        for (u4 i = 0; i < n && !selected; i++)
            if (is_maximal(v, n, i)) selected = v[i];
        if (!selected) selected = any;
    }
    free(v);
    return selected;
}

/* The message hangs on native_shape; exec throws it (class.h). */
static Method *new_overpass(Class *c, const Method *like, char *text) {
    Method *m = calloc(1, sizeof *m);

    if (!m) FATAL("no memory for a VM-made method");
    m->kind = MK_CONFLICT;
    m->ret_type = like->ret_type;
    m->arg_slots = like->arg_slots;
    m->access = ACC_PUBLIC | ACC_SYNTHETIC;
    m->flags = MF_OVERPASS | MF_HIDDEN;
    m->holder = c;
    m->version = c->version;
    m->name = like->name;
    m->desc = like->desc;
    m->vtable_index = m->itable_index = -1;
    m->max_locals = m->arg_slots;
    m->native_shape = text;
    return m;
}

static Method *selected_or_overpass(Class *c, Method *im) {
    char *conflict;
    Method *m = select_default(c, im->name, im->desc, &conflict);

    if (conflict) return new_overpass(c, im, conflict);
    return m ? m : im;
}

static bool has_slot_of_class(const Builder *b, const Method *im, int32_t *miranda) {
    *miranda = -1;
    FOR_SLOTS(b, im->name, im->desc, s) {
        if (!from_interface(b->slots[s])) return true;
        *miranda = s;
    }
    return false;
}

static bool was_handled(const Builder *b, int32_t slot) {
    return (u4)slot >= (b->c->super ? b->c->super->vtable_len : 0);
}

static void add_mirandas(Builder *b) {
    Class *c = b->c;
    if (c->super && c->n_all_interfaces == c->super->n_all_interfaces) return;
    for (u4 i = 0; i < c->n_all_interfaces; i++) {
        ClassVersion *v = c->all_interfaces[i]->version;
        for (u4 k = 0; k < v->n_methods; k++) {
            Method *im = &v->methods[k];
            int32_t s;
            if (im->itable_index < 0 || has_slot_of_class(b, im, &s)) continue;
            if (s < 0) {
                append_slot(b, selected_or_overpass(c, im));
                if (b->slots[b->n - 1]->flags & MF_OVERPASS)
                    b->slots[b->n - 1]->vtable_index = (int32_t)(b->n - 1);
            } else if (!was_handled(b, s)) { /* new interfaces may change the selection */
                b->slots[s] = selected_or_overpass(c, im);
                if (b->slots[s]->flags & MF_OVERPASS) b->slots[s]->vtable_index = s;
            }
        }
    }
}

/* --- itable --- */

/* The class chain's answer wins over mirandas; the most derived one if several slots match. */
static Method *implementation(const Builder *b, const Method *im) {
    Method *best = NULL;
    FOR_SLOTS(b, im->name, im->desc, s) {
        Method *m = b->slots[s];
        if (!best || (from_interface(best) && !from_interface(m)) ||
            (from_interface(best) == from_interface(m) && m->holder->depth > best->holder->depth))
            best = m;
    }
    return best;
}

static bool no_memory(Thread *t) {
    if (!t) FATAL("no memory for dispatch tables");
    return throw_oom(t, "class metadata"), false;
}

static bool fill_itable(Thread *t, Builder *b) {
    Class *c = b->c;
    u4 entries = 0;

    c->itable = calloc(c->n_all_interfaces + 1u, sizeof *c->itable);
    if (!c->itable) return no_memory(t);
    for (u4 i = 0; i < c->n_all_interfaces; i++) {
        Class *iface = c->all_interfaces[i];
        u4 n = interface_method_count(iface);
        Method **methods;
        if (n == 0) continue;
        if (!(methods = calloc(n, sizeof *methods))) return no_memory(t);
        c->itable[entries++] = (ItableEntry){iface, methods};
        for (u4 k = 0; k < iface->version->n_methods; k++) {
            Method *im = &iface->version->methods[k];
            if (im->itable_index < 0) continue;
            Method *m = implementation(b, im);
            if (m && m->flags & MF_OVERPASS) continue; /* NULL: AbstractMethodError, as HotSpot has it */
            methods[im->itable_index] = m ? m : im;
            if (t && !check_itable_entry(t, c, methods[im->itable_index], im)) return false;
        }
    }
    c->itable_len = (u2)entries;
    return true;
}

/* --- the whole --- */

/* Loading constraints load classes, so methods may have been replaced on the way. */
static void use_current_methods(Builder *b) {
    for (u4 i = 0; i < b->n; i++) b->slots[i] = method_current(b->slots[i]);
    for (u4 i = 0; i < b->c->itable_len; i++) {
        ItableEntry *e = &b->c->itable[i];
        for (u4 k = 0, n = interface_method_count(e->iface); k < n; k++)
            if (e->methods[k]) e->methods[k] = method_current(e->methods[k]);
    }
}

static void give_object_table(Class *c, void *arg) {
    Class *object = arg;
    if (!class_is_array(c)) return;
    c->vtable = object->vtable;
    c->vtable_len = object->vtable_len;
}

static void free_itable(Class *c) {
    for (u4 i = 0; i < c->itable_len; i++) free(c->itable[i].methods);
    free(c->itable);
    c->itable = NULL;
    c->itable_len = 0;
}

void class_rebuild_tables(Class *c) {
    Method **old = c->vtable;
    free_itable(c);
    class_build_tables(NULL, c);
    if (!class_is_interface(c)) free(old);
}

bool class_build_tables(Thread *t, Class *c) {
    Builder b = {0};
    bool ok;
    u4 epoch = atomic_load(&reshape_epoch);

    if (class_is_interface(c)) {
        c->vtable = c->super->vtable;
        c->vtable_len = c->super->vtable_len;
        return true;
    }
    ok = builder_init(&b, c);
    if (!ok) no_memory(t);
    ok = ok && add_declared(t, &b);
    if (ok) add_mirandas(&b);
    ok = ok && b.n <= 65534;
    if (!ok && !t) FATAL("too many methods in class %s", c->name->bytes); /* refused before */
    if (!ok && !t->exception) throw_new(t, EX_InternalError, "too many methods in class %s", c->name->bytes);
    ok = ok && fill_itable(t, &b);
    if (ok && t && epoch != atomic_load(&reshape_epoch)) { /* constraints load classes: supers may have changed */
        builder_free(&b);
        free_itable(c);
        return class_build_tables(t, c);
    }
    if (ok) {
        use_current_methods(&b);
        Method **exact = realloc(b.slots, (b.n + 1) * sizeof *exact);
        c->vtable = exact ? exact : b.slots;
        c->vtable_len = (u2)b.n;
        b.slots = NULL;
        if (!c->super) loader_visit_all_classes(give_object_table, c);
    }
    builder_free(&b);
    return ok;
}
