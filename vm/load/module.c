/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The VM's side of the module graph: which package belongs to which module,
 * who reads whom, what is exported.  java.lang.Module objects are the
 * authors; they tell the VM through JVM_DefineModule and friends.
 *
 * Until java.base is defined no class has a module (Class.module == NULL means
 * java.base); the definition of java.base then gives it to every class and
 * mirror that exists, arrays and primitives included.
 *
 * One lock, module_mutex, a leaf: nothing is allocated in the heap or thrown
 * while it is held.
 */
#include "log/log.h"
#include "core/reserve.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "load/load_int.h"
#include "object/class.h"
#include "shape/shape.h"
#include "heap/heap_upcall.h"

#include <stdlib.h>

typedef struct ModuleSet {
    u4 n, cap;
    Module *v[];
} ModuleSet;

typedef struct PackageTable {
    u4 cap, count;
    Package **slots;
} PackageTable;

Module *java_base_module;
static Module *all_modules; /* [lock: module] */
static VmLock module_mutex = VM_LOCK(MODULES);
static u4 module_entry_offset;

static u4 entry_offset(void) {
    if (!module_entry_offset) module_entry_offset = layout_injected_offset("java/lang/Module", "module_entry");
    return module_entry_offset;
}

/* --- sets of modules --- */

static bool set_contains(const ModuleSet *s, const Module *m) {
    for (u4 i = 0; s && i < s->n; i++)
        if (s->v[i] == m) return true;
    return false;
}

static void set_add(ModuleSet **sp, Module *m) {
    ModuleSet *s = *sp;
    if (set_contains(s, m)) return;
    if (!s || s->n == s->cap) {
        u4 cap = s ? s->cap * 2 : 4, n = s ? s->n : 0;
        s = reserve_grow(s, sizeof *s + n * sizeof(Module *), sizeof *s + cap * sizeof(Module *), "the module graph");
        s->cap = cap;
        s->n = n;
        *sp = s;
    }
    s->v[s->n++] = m;
}

/* --- packages --- */

static Package **package_slot(PackageTable *pt, const Symbol *name) {
    u4 h = name->hash & (pt->cap - 1);
    while (pt->slots[h] && pt->slots[h]->name != name) h = (h + 1) & (pt->cap - 1);
    return &pt->slots[h];
}

static void packages_grow(PackageTable *pt) {
    PackageTable old = *pt;
    pt->cap = old.cap ? old.cap * 2 : 32;
    pt->slots = reserve_zeroed(pt->cap * sizeof *pt->slots, "packages");
    for (u4 i = 0; i < old.cap; i++)
        if (old.slots[i]) *package_slot(pt, old.slots[i]->name) = old.slots[i];
    free(old.slots);
}

static Package *package_locked(Loader *l, Symbol *name, bool create) {
    PackageTable *pt = l->packages;
    Package **at;

    if (!pt) {
        if (!create) return NULL;
        pt = l->packages = reserve_zeroed(sizeof *pt, "packages");
    }
    if (pt->cap && (at = package_slot(pt, name), *at)) return *at;
    if (!create) return NULL;
    if (pt->count * 4 >= pt->cap * 3) packages_grow(pt);
    at = package_slot(pt, name);
    *at = reserve_zeroed(sizeof **at, "packages");
    (*at)->name = name;
    (*at)->loader = l;
    pt->count++;
    return *at;
}

Package *loader_package(Loader *l, Symbol *name, bool create) {
    HOLDING(&module_mutex);
    return package_locked(l, name, create);
}

Symbol *boot_module_of_package(const Symbol *package) {
    Package *p = loader_package(BOOT_LOADER, (Symbol *)package, false);
    return p && p->module ? p->module->name : NULL;
}

/* --- modules of classes --- */

static Module *new_module(Loader *l, Object *java) {
    Module *m = reserve_zeroed(sizeof *m, "the module graph");
    m->loader = l;
    m->java = java;
    m->next = all_modules;
    all_modules = m;
    m->next_in_loader = l->modules;
    l->modules = m;
    return m;
}

static Module *loader_unnamed_module(Thread *t, Loader *l) {
    lock_take(&module_mutex);
    if (!l->unnamed) {
        l->unnamed = new_module(l, NULL);
        l->unnamed->reads_all_unnamed = true;
    }
    lock_release(&module_mutex);
    if (!l->unnamed->java && l->java) {
        Object *jm = JGET_REF(l->java, ClassLoader, unnamedModule);
        if (jm) {
            l->unnamed->java = jm;
            OBJ_FIELD(Module *, jm, entry_offset()) = l->unnamed;
        }
    }
    return l->unnamed;
}

static Module *module_of_java(Object *jm) {
    if (!jm) return NULL;
    Module *m = OBJ_FIELD(Module *, jm, entry_offset());
    if (!m && !JGET_REF(jm, Module, name) && JGET_REF(jm, Module, loader))
        m = loader_unnamed_module(thread_self(), loader_of(JGET_REF(jm, Module, loader)));
    return m;
}

void class_set_module(Thread *t, Class *c) {
    c->package = loader_package(c->loader, symbol_package(c->name), true);
    if (c->loader == BOOT_LOADER && !java_base_module) return;
    if (!c->package->module) c->package->module = loader_unnamed_module(t, c->loader);
    c->module = c->package->module;
}

void module_set_boot_unnamed(Thread *t, Object *jmodule) {
    Module *m = loader_unnamed_module(t, BOOT_LOADER);
    m->java = jmodule;
    OBJ_FIELD(Module *, jmodule, entry_offset()) = m;
}

/* --- definition --- */

static bool check_definable(Thread *t, Loader *l, Symbol *name, Symbol **packages, int n) {
    if (l == BOOT_LOADER && symbol_eq(name, "java.base") && java_base_module)
        return throw_new(t, EX_InternalError, "Module java.base is already defined"), false;
    for (int i = 0; i < n; i++) {
        Symbol *pn = packages[i];
        Package *p = loader_package(l, pn, false);
        bool javas = strncmp(pn->bytes, "java/", 5) == 0 || symbol_eq(pn, "java");
        if (javas && !l->is_boot && !l->is_platform) {
            throw_new(t, EX_IllegalArgumentException,
                      "Class loader (instance of): %s tried to define prohibited package name: %s",
                      class_text(obj_class(l->java)).s, pn->bytes);
            return false;
        }
        if (!p || !p->module) continue;
        if (p->module->name)
            throw_new(t, EX_IllegalStateException, "Package %s is already in another module, %s, defined to the class loader",
                      pn->bytes, p->module->name->bytes);
        else
            throw_new(t, EX_IllegalStateException,
                      "Package %s for module %s is already in the unnamed module defined to the class loader", pn->bytes,
                      name->bytes);
        return false;
    }
    return true;
}

static bool name_is_taken(Loader *l, const Symbol *name) {
    for (Module *m = all_modules; m; m = m->next)
        if (m->loader == l && m->name == name) return true;
    return false;
}

static void patch_class(Class *c, void *arg) {
    Module *base = arg;
    if (c->module) return;
    c->module = base;
    if (c->package && !c->package->module && *c->package->name->bytes) c->package->module = base;
    if (c->mirror) JSET_REF(c->mirror, Class, module, base->java);
}

static void publish_module(Module *m, Symbol **packages, int n) {
    for (int i = 0; i < n; i++) {
        HOLDING(&module_mutex);
        Package *p = package_locked(m->loader, packages[i], true);
        p->module = m;
        p->exported_all = m->open;
        p->location = m->location;
    }
}

Module *module_define(Thread *t, Object *jmodule, bool open, Symbol *version, Symbol *location, Symbol **packages, int n) {
    Loader *l = loader_of(JGET_REF(jmodule, Module, loader));
    Object *text = JGET_REF(jmodule, Module, name);

    if (!text) return throw_new(t, EX_IllegalArgumentException, "Module name cannot be null"), NULL;
    Symbol *name = string_to_symbol(text);
    if (!reserve_ready()) return throw_no_memory(t), NULL;
    if (!check_definable(t, l, name, packages, n)) return NULL;
    lock_take(&module_mutex);
    Module *m = name_is_taken(l, name) ? NULL : new_module(l, jmodule);
    if (m) m->name = name;
    lock_release(&module_mutex);
    if (!m) return throw_new(t, EX_IllegalStateException, "Module %s is already defined", name->bytes), NULL;
    m->open = open;
    m->version = version;
    m->location = location;
    publish_module(m, packages, n);
    if (log_on(LOG_MODULE_LOAD))
        log_print(LOG_MODULE_LOAD, "%s location: %s", name->bytes, location ? location->bytes : "(null)");
    OBJ_FIELD(Module *, jmodule, entry_offset()) = m;
    if (l == BOOT_LOADER && symbol_eq(name, "java.base")) {
        java_base_module = m;
        loader_visit_root_classes(true, patch_class, m);
    }
    return m;
}

/* --- edges --- */

void module_add_reads(Thread *t, Object *from, Object *to) {
    Module *m = module_of_java(from), *n = module_of_java(to);
    if (!m || (to && !n)) return throw_new(t, EX_IllegalArgumentException, "%s_module is not valid", m ? "to" : "from");
    HOLDING(&module_mutex);
    if (!to) m->reads_all_unnamed = true;
    else if (m != n) set_add(&m->reads, n);
}

void module_add_exports(Thread *t, Object *from, Symbol *pkg, ExportTo who, Object *to) {
    Module *m = module_of_java(from), *n = to ? module_of_java(to) : NULL;
    if (!m) return throw_new(t, EX_IllegalArgumentException, "from_module is not valid");
    if (!m->name) return; /* unnamed modules export everything */
    Package *p = loader_package(m->loader, pkg, false);
    if (!p || p->module != m)
        return throw_new(t, EX_IllegalArgumentException, "Package %s not found in from_module %s", pkg->bytes, m->name->bytes);
    if (who == EXPORT_TO_ONE && !n) return throw_new(t, EX_IllegalArgumentException, "to_module is not valid");
    HOLDING(&module_mutex);
    if (who == EXPORT_TO_ALL) p->exported_all = true;
    else if (who == EXPORT_TO_UNNAMED) p->exported_all_unnamed = true;
    else if (n != m) set_add(&p->exports, n);
}

bool module_can_read(Module *from, Module *to) {
    if (from == to || !from || !to || !from->name || to == java_base_module) return true;
    if (!to->name && from->reads_all_unnamed) return true;
    HOLDING(&module_mutex);
    return set_contains(from->reads, to);
}

bool package_is_exported_to(Package *p, Module *to) {
    if (!p || !p->module || !p->module->name || p->module == to || p->module->open || p->exported_all) return true;
    if (to && !to->name && p->exported_all_unnamed) return true;
    HOLDING(&module_mutex);
    return set_contains(p->exports, to);
}

/* --- in the pause, when loaders have died --- */

static void set_remove_dead(ModuleSet *s) {
    u4 n = 0;
    for (u4 i = 0; s && i < s->n; i++)
        if (!s->v[i]->loader->dead) s->v[n++] = s->v[i];
    if (s) s->n = n;
}

static void forget_dead_in_packages(Loader *l) {
    PackageTable *pt = l->packages;
    for (u4 i = 0; pt && i < pt->cap; i++)
        if (pt->slots[i]) set_remove_dead(pt->slots[i]->exports);
}

/* The objects die with the loaders; these must be off the list already, but not freed. */
void modules_forget_dead(bool (*is_live)(Object *)) {
    Module *dead = NULL, *next;
    for (Module *m = all_modules; m; m = m->next) set_remove_dead(m->reads);
    for (Loader *l = all_loaders; l; l = l->next) forget_dead_in_packages(l);
    for (Module **p = &all_modules, *m; (m = *p);) {
        if (!m->loader->dead) {
            p = &m->next;
            continue;
        }
        if (m->java && is_live(m->java)) OBJ_FIELD(Module *, m->java, entry_offset()) = NULL;
        *p = m->next;
        m->next = dead;
        dead = m;
    }
    for (; dead; dead = next) {
        next = dead->next;
        free(dead->reads);
        free(dead);
    }
}

void packages_free(Loader *l) {
    PackageTable *pt = l->packages;
    for (u4 i = 0; pt && i < pt->cap; i++) {
        if (pt->slots[i]) free(pt->slots[i]->exports);
        free(pt->slots[i]);
    }
    if (pt) free(pt->slots);
    free(pt);
    l->packages = NULL;
}

void module_visit_all(void (*fn)(Module *, void *), void *arg) {
    for (Module *m = all_modules; m; m = m->next) fn(m, arg);
}
