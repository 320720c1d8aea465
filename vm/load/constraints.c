/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loading constraints (JVMS 5.3.4).
 *
 * A constraint is an equivalence class of loaders for one name: all of them
 * must mean the same class by it, once they have it.  When a symbolic
 * reference crosses from loader a to loader b, every class name in its
 * descriptor joins the sets of a and b (constraint_add).  When a loader is to
 * be recorded as initiating loader of a class, its set must not hold another
 * class; this one then becomes the class of the set (constraint_record).
 *
 * Names in java/ are left out: only the boot and platform loaders define them
 * and load_class checks names, so no two loaders can disagree.
 *
 * One global table; lock: constraint_mutex, above Loader.lock.  A class joins a dictionary, and a constraint is made of what
 * dictionaries hold, only under it: so no two loaders of a set come to differ unseen.
 */
#include "core/reserve.h"
#include "core/schedule.h"
#include "load/load_int.h"
#include "object/class.h"

#include <stdlib.h>

typedef struct Constraint {
    struct Constraint *next;
    Symbol *name;
    Class *klass; /* NULL until one of the loaders has it */
    u4 n, cap;
    Loader **loaders;
} Constraint;

enum { BUCKETS = 256 };
static Constraint *buckets[BUCKETS];
static VmLock constraint_mutex = VM_LOCK(CONSTRAINTS);

static Constraint **find(Symbol *name, Loader *l) {
    for (Constraint **p = &buckets[name->hash % BUCKETS]; *p; p = &(*p)->next) {
        if ((*p)->name != name) continue;
        for (u4 i = 0; i < (*p)->n; i++)
            if ((*p)->loaders[i] == l) return p;
    }
    return NULL;
}

static void add_loader(Constraint *c, Loader *l) {
    for (u4 i = 0; i < c->n; i++)
        if (c->loaders[i] == l) return;
    if (c->n == c->cap) {
        c->cap = c->cap ? c->cap * 2 : 4;
        c->loaders = reserve_grow(c->loaders, c->n * sizeof *c->loaders, c->cap * sizeof *c->loaders, "loading constraints");
    }
    c->loaders[c->n++] = l;
}

static void merge(Symbol *name, Loader *a, Loader *b, Class *klass) {
    Constraint **pa = find(name, a), **pb = find(name, b), *c;

    if (pa && pb && *pa != *pb) { /* join b's set into a's */
        Constraint *dead = *pb;
        c = *pa;
        *pb = dead->next;
        for (u4 i = 0; i < dead->n; i++) add_loader(c, dead->loaders[i]);
        free(dead->loaders);
        free(dead);
    } else if (pa || pb) {
        c = pa ? *pa : *pb;
    } else {
        c = reserve_zeroed(sizeof *c, "loading constraints");
        c->name = name;
        c->next = buckets[name->hash % BUCKETS];
        buckets[name->hash % BUCKETS] = c;
    }
    add_loader(c, a);
    add_loader(c, b);
    if (klass) c->klass = klass;
}

static bool agree(Symbol *name, Loader *a, Loader *b, bool add) {
    Constraint **p;

    if (a == b || strncmp(name->bytes, "java/", 5) == 0) return true;
    SCHEDULE_POINT(constraint_before_look);
    lock_take(&constraint_mutex); /* no class of that name joins a dictionary between look-up and record */
    Class *ca = loader_find_loaded(a, name);
    Class *cb = loader_find_loaded(b, name);
    if (!ca && (p = find(name, a))) ca = (*p)->klass;
    if (!cb && (p = find(name, b))) cb = (*p)->klass;
    bool ok = !ca || !cb || ca == cb;
    if (ok && add) merge(name, a, b, ca ? ca : cb);
    lock_release(&constraint_mutex);
    SCHEDULE_POINT(constraint_agreed);
    return ok;
}

bool constraint_add(Symbol *name, Loader *a, Loader *b) { return agree(name, a, b, true); }
bool constraint_is_possible(Symbol *name, Loader *a, Loader *b) { return agree(name, a, b, false); }

/* Both run in the pause: nobody is inside the table. */
void constraints_forget_dead(void) {
    for (u4 b = 0; b < BUCKETS; b++)
        for (Constraint **p = &buckets[b], *c; (c = *p);) {
            u4 n = 0;
            for (u4 i = 0; i < c->n; i++)
                if (!c->loaders[i]->dead) c->loaders[n++] = c->loaders[i];
            c->n = n;
            if (n >= 2) p = &c->next;
            else *p = c->next, free(c->loaders), free(c);
        }
}

void constraints_forget_class(const Class *k) {
    for (Constraint *c = buckets[k->name->hash % BUCKETS]; c; c = c->next)
        if (c->klass == k) c->klass = NULL;
}

static bool allows(Constraint **p, const Class *c, Class **other) {
    if (!p || !(*p)->klass || (*p)->klass == c) return true;
    *other = (*p)->klass;
    return false;
}

bool constraint_check(Loader *l, Class *c, Class **other) {
    HOLDING(&constraint_mutex);
    return allows(find(c->name, l), c, other);
}

Class *constraint_record(Loader *l, Class *c, Class **other) {
    SCHEDULE_POINT(constraint_before_record);
    lock_take(&constraint_mutex);
    Constraint **p = find(c->name, l);
    Class *there = allows(p, c, other) ? dictionary_add(l, c) : NULL;
    if (p && there) (*p)->klass = there;
    lock_release(&constraint_mutex);
    SCHEDULE_POINT(constraint_recorded);
    return there;
}
