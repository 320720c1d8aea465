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
 * Tables are built once, under the linking protocol of link/link.c, from linked
 * supertypes; redefinition makes others in a safepoint, before it changes anything (reshape_related.c).
 */
#include "jit/jit.h"
#include "link/link_int.h"
#include "shape/shape.h"
#include "heap/heap_upcall.h"

#include <stdio.h>
#include <stdlib.h>

/* Slots by name and descriptor: chains through next[]. */
typedef struct SlotIndex {
    u4 mask;
    int32_t *heads, *next;
} SlotIndex;

typedef struct Builder {
    Thread *t;               /* NULL: in a pause; nothing is thrown */
    OverrideFn may_override; /* in a pause */
    Class *c;
    Method **slots;
    u4 n, cap;
    SlotIndex index;
    ItableEntry *itable;
    u4 itable_len;
} Builder;

static u4 slot_hash(const Symbol *name, const Symbol *desc) { return name->hash * 31 + desc->hash; }

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
#define FOR_SLOTS(b, nm, ds, s) \
    for (int32_t s = index_first(b, nm, ds, (b)->index.heads[slot_hash(nm, ds) & (b)->index.mask]); s >= 0; \
         s = index_first(b, nm, ds, (b)->index.next[s]))

u4 interface_method_count(const Class *iface) {
    for (u4 i = iface->version->n_methods; i > 0; i--)
        if (iface->version->methods[i - 1].itable_index >= 0) return (u4)iface->version->methods[i - 1].itable_index + 1;
    return 0;
}

/* Of a version that is linked for the first time: when nobody threw, it was memory. */
static bool no_memory(const Builder *b) {
    if (b->t) throw_oom(b->t, "class metadata");
    return false;
}

static bool builder_init(Builder *b) {
    Class *c = b->c;
    u4 inherited = c->super ? c->super->vtable_len : 0;

    b->cap = inherited + c->version->n_methods;
    if (!c->super || c->n_all_interfaces != c->super->n_all_interfaces)
        for (u4 i = 0; i < c->n_all_interfaces; i++) b->cap += interface_method_count(c->all_interfaces[i]);
    for (b->index.mask = 15; b->index.mask < b->cap; b->index.mask = b->index.mask * 2 + 1) {}
    b->slots = malloc((b->cap + 1) * sizeof *b->slots);
    b->index.next = malloc((b->cap + 1) * sizeof(int32_t));
    b->index.heads = malloc((b->index.mask + 1) * sizeof(int32_t));
    if (!b->slots || !b->index.next || !b->index.heads) return no_memory(b);
    memset(b->index.heads, 0xff, (b->index.mask + 1) * sizeof(int32_t));
    for (; b->n < inherited; b->n++) {
        b->slots[b->n] = c->super->vtable[b->n];
        index_add(b, b->n);
    }
    return true;
}

static void free_overpass(Method *m) {
    free(m->native_shape);
    free(m);
}

/* Those of c's own making are its alone while its tables are not published. */
static void free_overpasses(const Class *c, Method **slots, u4 n) {
    for (u4 i = 0; i < n; i++)
        if (slots[i]->flags & MF_OVERPASS && slots[i]->holder == c) free_overpass(slots[i]);
}

static void free_itable(ItableEntry *itable, u4 n) {
    for (u4 i = 0; i < n; i++) free(itable[i].methods);
    free(itable);
}

static void builder_free(Builder *b) {
    if (b->slots) free_overpasses(b->c, b->slots, b->n);
    free(b->slots);
    free(b->index.heads);
    free(b->index.next);
    free_itable(b->itable, b->itable_len);
}

static void append_slot(Builder *b, Method *m) {
    b->slots[b->n] = m;
    index_add(b, b->n++);
}

/* --- overriding --- */

static bool is_virtual(const Method *m) {
    return !(m->access & (ACC_STATIC | ACC_PRIVATE)) && !(m->flags & (MF_INIT | MF_CLINIT));
}
static bool from_interface(const Method *m) { return class_is_interface(m->holder) || m->flags & MF_OVERPASS; }

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

static bool add_declared(Builder *b) {
    ClassVersion *v = b->c->version;

    for (u4 i = 0; i < v->n_methods; i++) {
        Method *m = &v->methods[i];
        bool found = false;
        if (!is_virtual(m)) continue;
        FOR_SLOTS(b, m->name, m->desc, s) {
            if (b->slots[s] == m || (u4)s >= (b->c->super ? b->c->super->vtable_len : 0)) continue;
            if (!overrides_slot(b, m, (u4)s)) continue;
            if (!(b->t ? check_override(b->t, b->c, m, b->slots[s]) : b->may_override(m, b->slots[s]))) return false;
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
        if (i != k && v[i]->holder != v[k]->holder && class_is_subtype(v[i]->holder, v[k]->holder)) return false;
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

/* The one that is selected (JVMS 5.4.6 step 3; NULL: there is none), or the message of a conflict. */
typedef struct Selection {
    Method *method;
    char *conflict;
} Selection;

static bool select_among(Method **v, u4 n, Selection *out) {
    u4 defaults = 0, kept = 0;

    for (u4 i = 0; i < n; i++) {
        if (method_is_abstract(v[i]) || !is_maximal(v, n, i)) continue;
        out->method = v[i];
        defaults++;
    }
    for (u4 i = 0; i < n && !defaults && !out->method; i++)
        if (is_maximal(v, n, i)) out->method = v[i];
    if (!out->method && n) out->method = v[0];
    if (defaults < 2) return true;
    Method **d = malloc(n * sizeof *d);
    for (u4 i = 0; d && i < n; i++)
        if (!method_is_abstract(v[i]) && is_maximal(v, n, i)) d[kept++] = v[i];
    if (d) out->conflict = conflict_message(d, kept);
    free(d);
    return out->conflict != NULL;
}

/* False: no memory. */
static bool select_default(Class *c, Symbol *name, Symbol *desc, Selection *out) {
    Method **v = malloc((c->n_all_interfaces + 1u) * sizeof *v);

    *out = (Selection){0};
    if (!v) return false;
    bool ok = select_among(v, collect_candidates(c, name, desc, v, c->n_all_interfaces), out);
    free(v);
    return ok;
}

bool class_default_conflict(Class *c, const Method *m, char **message) {
    Selection s;
    bool ok = select_default(c, m->name, m->desc, &s);
    *message = s.conflict;
    return ok;
}

/* The message hangs on native_shape; exec throws it (method.h). */
static Method *new_overpass(Class *c, const Method *like, char *text) {
    Method *m = malloc(sizeof *m);
    if (m)
        *m = (Method){.kind = MK_CONFLICT,
                      .entry = jit_bridge,
                      .ret_type = like->ret_type,
                      .arg_slots = like->arg_slots,
                      .access = ACC_PUBLIC | ACC_SYNTHETIC,
                      .flags = MF_OVERPASS | MF_HIDDEN,
                      .holder = c,
                      .version = c->version,
                      .name = like->name,
                      .desc = like->desc,
                      .vtable_index = -1,
                      .itable_index = -1,
                      .max_locals = like->arg_slots,
                      .native_shape = text};
    return m;
}

/* NULL: no memory. */
static Method *selected_or_overpass(Class *c, Method *im) {
    Selection s;

    if (!select_default(c, im->name, im->desc, &s)) return NULL;
    if (!s.conflict) return s.method ? s.method : im;
    Method *m = new_overpass(c, im, s.conflict);
    if (!m) free(s.conflict);
    return m;
}

static bool has_slot_of_class(const Builder *b, const Method *im, int32_t *miranda) {
    *miranda = -1;
    FOR_SLOTS(b, im->name, im->desc, s) {
        if (!from_interface(b->slots[s])) return true;
        *miranda = s;
    }
    return false;
}

static bool was_handled(const Builder *b, int32_t slot) { return (u4)slot >= (b->c->super ? b->c->super->vtable_len : 0); }

/* s: the slot that there is, or negative. */
static bool set_miranda(Builder *b, Method *im, int32_t s) {
    Method *m = selected_or_overpass(b->c, im);

    if (!m) return no_memory(b);
    if (s < 0) append_slot(b, m), s = (int32_t)b->n - 1;
    else b->slots[s] = m;
    if (m->flags & MF_OVERPASS) m->vtable_index = s;
    return true;
}

static bool add_mirandas(Builder *b) {
    Class *c = b->c;
    if (c->super && c->n_all_interfaces == c->super->n_all_interfaces) return true;
    for (u4 i = 0; i < c->n_all_interfaces; i++) {
        ClassVersion *v = c->all_interfaces[i]->version;
        for (u4 k = 0; k < v->n_methods; k++) {
            Method *im = &v->methods[k];
            int32_t s;
            if (im->itable_index < 0 || has_slot_of_class(b, im, &s)) continue;
            if (s >= 0 && was_handled(b, s)) continue; /* else new interfaces may change the selection */
            if (!set_miranda(b, im, s)) return false;
        }
    }
    return true;
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

static bool fill_itable(Builder *b) {
    Class *c = b->c;

    if (!(b->itable = calloc(c->n_all_interfaces + 1u, sizeof *b->itable))) return no_memory(b);
    for (u4 i = 0; i < c->n_all_interfaces; i++) {
        Class *iface = c->all_interfaces[i];
        u4 n = interface_method_count(iface);
        Method **methods;
        if (n == 0) continue;
        if (!(methods = calloc(n, sizeof *methods))) return no_memory(b);
        b->itable[b->itable_len++] = (ItableEntry){iface, methods};
        for (u4 k = 0; k < iface->version->n_methods; k++) {
            Method *im = &iface->version->methods[k];
            if (im->itable_index < 0) continue;
            Method *m = implementation(b, im);
            if (m && m->flags & MF_OVERPASS) continue; /* NULL: AbstractMethodError, as HotSpot has it */
            m = methods[im->itable_index] = m ? m : im;
            if (!(b->t ? check_itable_entry(b->t, c, m, im) : b->may_override(m, im))) return false;
        }
    }
    return true;
}

/* --- the whole --- */

/* Loading constraints load classes, so methods may have been replaced on the way. */
static void use_current_methods(Builder *b) {
    for (u4 i = 0; i < b->n; i++) b->slots[i] = method_current(b->slots[i]);
    for (u4 i = 0; i < b->itable_len; i++) {
        ItableEntry *e = &b->itable[i];
        for (u4 k = 0, n = interface_method_count(e->iface); k < n; k++)
            if (e->methods[k]) e->methods[k] = method_current(e->methods[k]);
    }
}

static bool build(Builder *b) {
    if (!builder_init(b) || !add_declared(b) || !add_mirandas(b)) return false;
    if (b->n <= 65534) return fill_itable(b);
    if (!b->t) FATAL("too many methods in class %s", b->c->name->bytes); /* refused before */
    return throw_new(b->t, EX_InternalError, "too many methods in class %s", b->c->name->bytes), false;
}

/* Takes them out of b. */
static DispatchTables tables_of(Builder *b) {
    use_current_methods(b);
    Method **exact = realloc(b->slots, (b->n + 1) * sizeof *exact);
    DispatchTables d = {exact ? exact : b->slots, b->itable, (u2)b->n, (u2)b->itable_len};
    b->slots = NULL;
    b->itable = NULL;
    b->itable_len = 0;
    return d;
}

static void give_object_table(Class *c, void *arg) {
    Class *object = arg;
    if (!class_is_array(c) && !(class_is_interface(c) && atomic_load(&c->state) >= CLASS_LINKED)) return;
    c->vtable = object->vtable;
    c->vtable_len = object->vtable_len;
}

DispatchTables class_exchange_tables(Class *c, DispatchTables d) {
    DispatchTables old = {c->vtable, c->itable, c->vtable_len, c->itable_len};
    c->vtable = d.vtable;
    c->vtable_len = d.vtable_len;
    c->itable = d.itable;
    c->itable_len = d.itable_len;
    return old;
}

void class_share_object_tables(Class *object) { loader_visit_all_classes(give_object_table, object); }

void class_free_tables(const Class *c, DispatchTables *d, bool published) {
    if (d->vtable && !published) free_overpasses(c, d->vtable, d->vtable_len);
    free(d->vtable);
    free_itable(d->itable, d->itable_len);
    *d = (DispatchTables){0};
}

bool class_make_tables(Class *c, OverrideFn may_override, DispatchTables *out) {
    Builder b = {.c = c, .may_override = may_override};
    bool ok = build(&b);
    if (ok) *out = tables_of(&b);
    builder_free(&b);
    return ok;
}

bool class_build_tables(Thread *t, Class *c) {
    Builder b = {.t = t, .c = c};
    u4 epoch = atomic_load(&reshape_epoch);

    if (class_is_interface(c)) {
        c->vtable = c->super->vtable;
        c->vtable_len = c->super->vtable_len;
        return true;
    }
    bool ok = build(&b);
    if (ok && epoch != atomic_load(&reshape_epoch)) { /* constraints load classes: supers may have changed */
        builder_free(&b);
        return class_build_tables(t, c);
    }
    if (ok) {
        class_exchange_tables(c, tables_of(&b));
        if (!c->super) class_share_object_tables(c);
    }
    builder_free(&b);
    return ok;
}
