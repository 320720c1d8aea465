/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a redefinition reaches, looked for while the world runs.
 *
 * Few classes have tables or cells that turn, and little code was made from their methods; but to find them, all classes and all code must be
 * looked at.  That is done before the pause, so that the pause is as long as the change is large, not as the program is.
 *
 * What was found holds as long as nothing came since: no class was published (loader_published_classes), none was unloaded, none stored a
 * method of another class in a cell for the first time (class_uses_noted).  Each counter moves behind what it counts, with no safepoint
 * between, and is read here before anything is looked at.  If one moved, it is looked for again; a program that always loads gets
 * the long pause after some attempts.
 *
 * A change of shape makes all tables anew: nothing is looked for.
 */
#include "exec/exec.h"
#include "heap/heap_upcall.h"
#include "jit/jit.h"
#include "redefine/redefine_int.h"
#include <stdlib.h>

struct Reach {
    u8 changed[4];  /* class_add_to_set */
    bool inherited; /* other classes may inherit from one of them */
    u4 published, uses;
    u8 unloaded;
    CF_VEC(Class *) classes;
    JitUsers *code;
    bool failed; /* no memory for all classes */
};

static bool inherits(const Class *c, const u8 changed[4]) {
    for (const Class *k = c; k; k = k->super)
        if (class_may_be_in_set(changed, k)) return true;
    for (u4 i = 0; i < c->n_all_interfaces; i++)
        if (class_may_be_in_set(changed, c->all_interfaces[i])) return true;
    return false;
}

static void note(Class *c, void *reach) {
    Reach *r = reach;
    bool concerned =
        class_may_use(c, r->changed) || (r->inherited ? inherits(c, r->changed) : class_may_be_in_set(r->changed, c));
    if (concerned) r->failed |= !cf_vec_push(&r->classes, c);
}

Reach *reach_find(const Change *changes, u4 n) {
    for (u4 i = 0; i < n; i++)
        if (changes[i].shape) return NULL;
    Reach *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->published = atomic_load(&loader_published_classes);
    r->uses = atomic_load(&class_uses_noted);
    r->unloaded = atomic_load(&loader_unloaded_classes);
    for (u4 i = 0; i < n; i++) {
        class_add_to_set(r->changed, changes[i].klass);
        r->inherited |= class_may_be_inherited(changes[i].klass);
    }
    loader_visit_classes_running(note, r);
    r->code = jit_find_users(r->changed);
    if (!r->failed) return r;
    reach_done(r);
    return NULL;
}

bool reach_holds(const Reach *r) {
    return r->published == atomic_load(&loader_published_classes) && r->uses == atomic_load(&class_uses_noted) &&
           r->unloaded == atomic_load(&loader_unloaded_classes);
}

void reach_retire_code(const Reach *r, const u8 changed[4]) {
    if (changed) jit_forget_users(changed, r ? r->code : NULL);
    else jit_forget_all();
}

void reach_forget_chosen(const Reach *r) { exec_forget_chosen(r ? r->code : NULL); }

void reach_visit_classes(const Reach *r, void (*fn)(Class *, void *), void *arg) {
    if (!r) return loader_visit_all_classes(fn, arg);
    for (u4 i = 0; i < r->classes.len; i++) fn(r->classes.data[i], arg);
}

void reach_done(Reach *r) {
    if (!r) return;
    jit_users_done(r->code);
    cf_vec_free(&r->classes);
    free(r);
}
