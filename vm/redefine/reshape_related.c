/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hierarchies and dispatch tables of related classes, made before anything is changed.
 *
 * The pause may run out of memory, and then nothing may have happened.  To know how much memory tables need is to make
 * them; and what makes them (vtable.c) reads the classes themselves.  So the pause begins with a rehearsal: versions and supers
 * of the classes that change are exchanged for those to come, a few words each; every related class, supers first, gets
 * its hierarchy and tables made; and all is exchanged back.  What was made waits in a row for each class.  If memory
 * was not enough, the rows go, and that was all.  Otherwise the pause goes on, and takes what waits: which cannot fail.
 *
 * The world stands still meanwhile, so nobody sees a class in between.  What the rehearsal leaves behind: caches of subtype
 * tests, which are emptied on both ways, and numbers in methods of versions to come, which nobody has seen yet.
 */
#include "redefine/reshape.h"
#include "shape/shape.h"
#include "heap/heap_upcall.h"

#include <stdlib.h>

#define SWAP(T, a, b) \
    do { \
        T swapped = a; \
        a = b; \
        b = swapped; \
    } while (0)

/* What a class does not have at the moment: first what is to come, then what was. */
typedef struct Rework {
    Class *c;
    Class *display[DISPLAY_DEPTH];
    Class **all_interfaces;
    InterfaceSet interface_set;
    u2 depth, n_all_interfaces;
    bool shares_interfaces;
    bool tables; /* of a linked class that is no interface: the rest */
    DispatchTables dispatch;
    int32_t *vtable_indices; /* of the methods of the version to come */
} Rework;

typedef struct Pair { /* overriding methods of different loaders */
    const Symbol *desc;
    Loader *a, *b;
} Pair;

static struct {
    CF_VEC(Class *) all;
    Rework *rows; /* of them, supers first */
    u4 n_rows;
    bool hierarchy; /* changes */
    CF_VEC(Pair) pairs;
    const Method *disagrees; /* with another loader on its types */
} related;

/* --- which classes --- */

static bool failed; /* while they are looked for */

static void add_related(Class *c) {
    if (c->flags & CF_RELATED || failed) return;
    failed = !cf_vec_push(&related.all, c);
    if (!failed) c->flags |= CF_RELATED;
}

static bool inherits_from_marked(const Class *c) {
    for (const Class *k = c; k; k = k->super)
        if (k->flags & CF_INSTALLING) return true;
    for (u4 i = 0; i < c->n_all_interfaces; i++)
        if (c->all_interfaces[i]->flags & CF_INSTALLING) return true;
    return false;
}

static void find_related(Class *c, void *arg) {
    if (c->version && inherits_from_marked(c)) add_related(c);
}

static void mark_sources(const Change *changes, u4 n, bool set) {
    for (u4 i = 0; i < n; i++) {
        Class *c = changes[i].klass;
        c->flags = set ? c->flags | CF_INSTALLING : c->flags & ~(u4)CF_INSTALLING;
        for (Outline *o = changes[i].shape ? changes[i].shape->outlines : NULL; o; o = o->next)
            o->c->flags = set ? o->c->flags | CF_INSTALLING : o->c->flags & ~(u4)CF_INSTALLING;
    }
}

static bool mark_related(const Change *changes, u4 n) {
    related.all.len = 0;
    failed = false;
    mark_sources(changes, n, true);
    loader_visit_all_classes(find_related, NULL);
    mark_sources(changes, n, false);
    return !failed;
}

static void set_related(bool set) {
    for (u4 i = 0; i < related.all.len; i++) {
        Class *c = related.all.data[i];
        c->flags = set ? c->flags | CF_RELATED : c->flags & ~(u4)CF_RELATED;
        atomic_store(&c->last_super_hit, NULL);
    }
}

/* --- exchanging; each is its own reverse --- */

static void exchange_source(Change *ch) {
    Class *c = ch->klass;
    Shape *s = ch->shape;
    SWAP(ClassVersion *, c->version, ch->fresh);
    if (!s || !s->super) return;
    SWAP(Class *, c->super, s->super);
    SWAP(Class **, c->interfaces, s->interfaces);
    SWAP(u2, c->n_interfaces, s->n_interfaces);
}

static void exchange_hierarchy(Rework *w) {
    Class *c = w->c;
    bool shares = c->flags & CF_SHARES_INTERFACES;
    for (u4 i = 0; i < DISPLAY_DEPTH; i++) SWAP(Class *, c->display[i], w->display[i]);
    SWAP(Class **, c->all_interfaces, w->all_interfaces);
    SWAP(InterfaceSet, c->interface_set, w->interface_set);
    SWAP(u2, c->n_all_interfaces, w->n_all_interfaces);
    SWAP(u2, c->depth, w->depth);
    c->flags = w->shares_interfaces ? c->flags | CF_SHARES_INTERFACES : c->flags & ~(u4)CF_SHARES_INTERFACES;
    w->shares_interfaces = shares;
}

static void exchange_tables(Rework *w) {
    ClassVersion *v = w->c->version;
    w->dispatch = class_exchange_tables(w->c, w->dispatch);
    for (u4 i = 0; i < v->n_methods; i++) SWAP(int32_t, v->methods[i].vtable_index, w->vtable_indices[i]);
}

/* --- loading constraints (JVMS 5.4.5) --- */

/* Names in java/ mean the same to all. */
static bool is_constrained(const Symbol *desc) {
    for (const char *p = strchr(desc->bytes, 'L'); p; p = strchr(p, 'L')) {
        if (strncmp(++p, "java/", 5) != 0) return true;
        if (!(p = strchr(p, ';'))) return false;
    }
    return false;
}

static bool is_noted(const Symbol *desc, const Loader *a, const Loader *b) {
    enum { NEAR = 16 }; /* what overrides one method does so in many classes */
    for (u4 i = related.pairs.len; i > 0 && i + NEAR > related.pairs.len; i--) {
        const Pair *p = &related.pairs.data[i - 1];
        if (p->desc == desc && p->a == a && p->b == b) return true;
    }
    return false;
}

static bool note_override(const Method *m, const Method *over) {
    Loader *a = m->holder->loader, *b = over->holder->loader;

    if (a == b || !is_constrained(m->desc) || is_noted(m->desc, a, b)) return true;
    if (!loaders_may_agree(m->desc, a, b)) {
        related.disagrees = m;
        return false;
    }
    return cf_vec_push(&related.pairs, (Pair){m->desc, a, b});
}

static Refusal refuse_loaders(const Change *changes, const Symbol *desc, const Method *m) {
    while (!changes->shape) changes++;
    return reshape_refuse(changes, REASON_LOADERS, m ? method_text(m->holder, m->name, desc).s : desc->bytes);
}

/* Some may be possible and not all of them. */
Refusal related_constrain(const Change *changes) {
    for (u4 i = 0; i < related.pairs.len; i++) {
        const Pair *p = &related.pairs.data[i];
        if (!loaders_must_agree(p->desc, p->a, p->b)) return refuse_loaders(changes, p->desc, NULL);
    }
    return REFUSED_NOT;
}

/* --- the rehearsal --- */

static bool make_hierarchy(Rework *w) {
    exchange_hierarchy(w); /* away with what there is: the row is empty */
    if (class_set_hierarchy(w->c)) return true;
    exchange_hierarchy(w);
    return false;
}

static bool make_tables(Rework *w) {
    ClassVersion *v = w->c->version;
    DispatchTables made;

    if (!(w->vtable_indices = malloc((v->n_methods + 1u) * sizeof *w->vtable_indices))) return false;
    for (u4 i = 0; i < v->n_methods; i++) w->vtable_indices[i] = v->methods[i].vtable_index;
    w->tables = class_make_tables(w->c, note_override, &made);
    if (w->tables) w->dispatch = class_exchange_tables(w->c, made);
    else
        for (u4 i = 0; i < v->n_methods; i++) v->methods[i].vtable_index = w->vtable_indices[i];
    return w->tables;
}

static bool rehearse(Class *c) {
    if (!(c->flags & CF_RELATED)) return true;
    c->flags &= ~(u4)CF_RELATED;
    if (c->super && !rehearse(c->super)) return false;
    for (u4 i = 0; i < c->n_interfaces; i++)
        if (!rehearse(c->interfaces[i])) return false;
    Rework *w = &related.rows[related.n_rows];
    *w = (Rework){.c = c};
    if (related.hierarchy && !make_hierarchy(w)) return false;
    related.n_rows++;
    return class_is_interface(c) || atomic_load(&c->state) < CLASS_LINKED || make_tables(w);
}

static bool rehearse_all(Change *changes, u4 n) {
    bool ok = true;

    set_related(true);
    for (u4 i = 0; i < n; i++) exchange_source(&changes[i]);
    for (u4 i = 0; i < related.all.len && ok; i++) ok = rehearse(related.all.data[i]);
    for (u4 i = 0; i < related.n_rows; i++) {
        Rework *w = &related.rows[i];
        if (w->tables) exchange_tables(w);
        if (related.hierarchy) exchange_hierarchy(w);
    }
    for (u4 i = n; i > 0; i--) exchange_source(&changes[i - 1]);
    set_related(true);
    return ok;
}

/* --- all of it --- */

static void free_row(Rework *w, bool taken) {
    if (w->tables) class_free_tables(w->c, &w->dispatch, taken);
    if (related.hierarchy && !w->shares_interfaces) free(w->all_interfaces);
    free(w->vtable_indices);
}

Refusal related_make(Change *changes, u4 n) {
    related.hierarchy = false;
    for (u4 i = 0; i < n; i++) related.hierarchy |= changes[i].shape && changes[i].shape->super;
    related.n_rows = 0;
    related.rows = NULL;
    related.disagrees = NULL;
    bool ok = mark_related(changes, n) && (related.rows = calloc(related.all.len + 1u, sizeof *related.rows)) &&
              rehearse_all(changes, n);
    if (related.disagrees) return refuse_loaders(changes, related.disagrees->desc, related.disagrees);
    return ok ? REFUSED_NOT : REFUSED_OUT_OF_MEMORY;
}

void related_forget(bool taken) {
    for (u4 i = related.n_rows; i > 0; i--) free_row(&related.rows[i - 1], taken); /* what inherits first */
    free(related.rows);
    cf_vec_free(&related.pairs);
    related.rows = NULL;
    related.n_rows = 0;
    set_related(false);
    related.all.len = 0;
}

static void derive(Class *c) {
    enum { DERIVED = CF_FINALIZABLE | CF_HAS_DEFAULTS | CF_HAS_FINALS | CF_NEVER_ALLOC_FAST };
    c->flags &= ~(u4)DERIVED;
    class_derive_flags(c);
}

void related_take(void) {
    for (u4 i = 0; i < related.n_rows; i++) {
        Rework *w = &related.rows[i];
        if (related.hierarchy) exchange_hierarchy(w);
        derive(w->c);
        class_count_redefinition(w->c);
        if (w->tables) exchange_tables(w);
        if (w->tables && !w->c->super) class_share_object_tables(w->c);
    }
}
