/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class unloading.
 *
 * Units of life: a loader with all its strong classes, and each hidden class
 * that is not strong, both with the array classes over them.  Their classes
 * carry CF_UNLOADABLE; classes of the boot, platform and app loaders do not
 * (the classes of lambdas do: jvm_class.c, made_for_a_lambda)
 * and are roots of every collection.  What keeps an unloadable class alive:
 *
 *   - its mirror is reached; an instance, an array, a frame of one of its
 *     methods, or a Class pointer on a C stack count as reaching the mirror;
 *   - its loader is reached (strong classes only);
 *   - another live class has resolved it, or is its subtype or member (class_roots.c).
 *
 * A full collection finds all this while tracing: a mirror of an unloadable
 * class gives its roots, a ClassLoader object gives what it owns.  A young
 * collection treats all classes as roots and unloads nothing.
 *
 * Sweep (a weak table, after reference processing): classes whose mirror was
 * not reached are announced, taken out of every structure that is not part of
 * the dead unit, and freed; then loaders whose object was not reached.  Runs
 * in the pause, so no lock is taken.  jmethodIDs become empty (object/method_id.c).
 */
#include "core/events.h"
#include "core/hooks.h"
#include "log/log.h"
#include "exec/exec.h"
#include "frame/frame_view.h"
#include "heap/heap.h"
#include "load/load_int.h"
#include "object/class.h"
#include "object/version.h"
#include "redefine/redefine.h"
#include "heap/heap_upcall.h"

#include <stdlib.h>

static bool full_cycle;

/* --- what is alive --- */

void loader_visit_root_classes(bool young, void (*fn)(Class *, void *), void *arg) {
    full_cycle = !young;
    for (Loader *l = all_loaders; l; l = l->next) {
        if (full_cycle && !loader_is_permanent(l)) continue;
        for (Class *c = l->classes; c; c = c->next_in_loader)
            if (!full_cycle || !(c->flags & CF_UNLOADABLE)) fn(c, arg);
    }
}

typedef struct Visit {
    RootVisitor v;
    void *arg;
    bool all; /* modules of all loaders, not only of the permanent ones */
} Visit;

static void visit_module(Module *m, void *arg) {
    Visit *x = arg;
    if (m->java && (x->all || loader_is_permanent(m->loader))) x->v(&m->java, x->arg);
}

static void visit_mirror(Class *c, Visit *x) {
    if (c->flags & CF_UNLOADABLE && c->mirror) x->v(&c->mirror, x->arg);
}

static void visit_entry(Class *c, void *arg) { visit_mirror(c, arg); }

void loader_visit_owned(Object *java, RootVisitor v, void *arg) {
    Visit x = {.v = v, .arg = arg};
    Loader *l = loader_record(java);

    if (!l) return;
    loader_visit_initiated(l, visit_entry, &x);
    for (Class *c = l->classes; c; c = c->next_in_loader)
        if (c->flags & CF_STRONG) visit_mirror(c, &x);
    for (Module *m = l->modules; m; m = m->next_in_loader)
        if (m->java) v(&m->java, arg);
}

static void visit_frames(Thread *t, Visit *x) { FOR_EACH_FRAME(v, t) visit_mirror(view_method(v)->holder, x); }

static void provide_roots(RootVisitor v, void *arg) {
    Visit x = {.v = v, .arg = arg, .all = !full_cycle};

    for (Loader *l = all_loaders; l; l = l->next)
        if (l->java && (!full_cycle || loader_is_permanent(l))) v(&l->java, arg);
    module_visit_all(visit_module, &x);
    FOR_EACH_THREAD(t) visit_frames(t, &x);
}

/* --- freeing --- */

/* One pass over each list of subclasses: a class may have thousands, and thousands may die at once. */
static void leave_hierarchy(void) {
    for (Loader *l = all_loaders; l; l = l->next)
        for (Class *c = l->classes; c; c = c->next_in_loader)
            for (Class **p = &c->first_subclass; *p;)
                if ((*p)->flags & CF_DYING) *p = (*p)->next_sibling;
                else p = &(*p)->next_sibling;
}

/* Out of what other classes, dead or alive, know of c; all records are still whole. */
static void detach(Class *c) {
    constraints_forget_class(c);
    if (c->component && atomic_load(&c->component->array_class) == c) atomic_store(&c->component->array_class, NULL);
    if (class_is_array(c) || class_is_interface(c)) c->vtable = NULL; /* Object's */
    if (class_is_array(c)) c->interfaces = NULL;                      /* shared by all arrays */
}

static void forget_method_ids(ClassVersion *v) {
    for (u4 i = 0; i < v->n_methods_all; i++) {
        MethodID *id = atomic_load(&v->methods[i].id);
        if (id) method_id_free(id);
    }
}

void class_record_free(Class *c) {
    if (!(c->flags & CF_SHARES_INTERFACES)) free(c->all_interfaces);
    free(c->interfaces);
    free(c->fields);
    free(c->folded);
    free(c->ref_offsets);
    if (c->flags & CF_OWNS_NAME) symbol_private_free(c->name);
    c->name = NULL;
    c->mirror = NULL; /* nothing may be found through the free cell */
    c->version = NULL;
    class_region_free(c);
}

/* Touches no other class. */
static void class_free(Class *c) {
    for (ClassVersion *v = c->version, *older; v; v = older) {
        older = v->previous;
        versions_forget(v);
        forget_method_ids(v);
        class_version_free(v);
    }
    for (u4 i = 0; i < c->itable_len; i++) free(c->itable[i].methods);
    free(c->itable);
    free(c->vtable);
    class_free_only_targets(c);
    if (c->reshaped || c->flags & CF_OUTSIDE) reshaped_free(c);
    class_record_free(c);
}

/* --- sweep --- */

static Class *dead_classes; /* through next_in_loader */

static bool is_dead(const Class *c, bool (*is_live)(Object *)) {
    return c->flags & CF_UNLOADABLE && c->mirror && !is_live(c->mirror);
}

static void collect_dead(Loader *l, bool (*is_live)(Object *)) {
    for (Class **p = &l->classes, *c; (c = *p);) {
        if (!is_dead(c, is_live)) {
            p = &c->next_in_loader;
            continue;
        }
        *p = c->next_in_loader;
        c->next_in_loader = dead_classes;
        c->flags |= CF_DYING;
        dead_classes = c;
    }
}

static void drop_caches(void) {
    for (Loader *l = all_loaders; l; l = l->next)
        for (Class *c = l->classes; c; c = c->next_in_loader) atomic_store(&c->last_super_hit, NULL);
    exec_forget_chosen(NULL);
}

_Atomic u8 loader_defined_classes, loader_defined_bytes, loader_unloaded_classes, loader_unloaded_bytes, loader_define_nanos;

static void log_unloaded(const Class *c) {
    class_note(EVENTS_UNLOAD, "Unloading class %s 0x%016lx", c);
    if (!class_is_array(c)) loader_unloaded_classes++;
    if (c->version) loader_unloaded_bytes += c->version->bytes_len;
    if (log_on(LOG_CLASS_UNLOAD))
        log_print(LOG_CLASS_UNLOAD, "unloading class %s 0x%016lx", class_text(c).s, (unsigned long)(uintptr_t)c);
}

static void free_dead_classes(void) {
    if (!dead_classes) return;
    drop_caches();
    for (Class *c = dead_classes; c; c = c->next_in_loader)
        if (c->state >= CLASS_LOADED && c->version) HOOK_CALL(CLASS_UNLOAD, class_unload, c);
    for (Class *c = dead_classes; c; c = c->next_in_loader) log_unloaded(c);
    leave_hierarchy();
    for (Class *c = dead_classes; c; c = c->next_in_loader) detach(c);
    while (dead_classes) {
        Class *c = dead_classes;
        dead_classes = c->next_in_loader;
        class_free(c);
    }
}

static void free_loader(Loader *l) {
    dictionary_free(l);
    packages_free(l);
    lock_destroy(&l->lock);
    pthread_cond_destroy(&l->changed);
    free(l);
}

static void sweep(bool (*is_live)(Object *)) {
    Loader *dead = NULL;

    if (!full_cycle) return;
    for (Loader *l = all_loaders; l; l = l->next) collect_dead(l, is_live);
    for (Loader **p = &all_loaders, *l; (l = *p);) {
        if (loader_is_permanent(l) || is_live(l->java)) {
            p = &l->next;
            continue;
        }
        *p = l->next;
        l->next = dead;
        l->dead = true;
        dead = l;
    }
    free_dead_classes();
    versions_purge();
    if (dead) {
        modules_forget_dead(is_live);
        constraints_forget_dead();
    }
    while (dead) {
        Loader *l = dead;
        dead = l->next;
        free_loader(l);
    }
    metaspace_count_mortal();
}

void unload_init(void) {
    heap_add_root_provider("loaders", provide_roots);
    heap_add_weak_table("classes", sweep);
}
