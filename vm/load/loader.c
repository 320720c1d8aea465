/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loaders and the loading of classes by name (JVMS 5.3).
 *
 * The boot loader reads bytes itself (classpath.c); one thread per name.  For
 * every other loader the VM calls the public loadClass(String), holding the
 * loader's monitor only if the loader is not parallel capable, checks the name
 * of the answer and records the loader as an initiating one, subject to the
 * loading constraints.
 *
 * Outcomes inside this file: a class; NULL with an exception; or NULL without
 * one, which means "absent" and becomes ClassNotFoundException or
 * NoClassDefFoundError at the edge, as the caller wants it.
 *
 * A Loader record hangs on the injected field ClassLoader.loader_data.
 */
#include "core/reserve.h"
#include "core/vm.h"
#include "exec/exec.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "load/jimage.h"
#include "load/load_int.h"
#include "object/class.h"
#include "thread/monitor.h"
#include "shape/shape.h"
#include "heap/heap_upcall.h"

#include <stdio.h>
#include <stdlib.h>

Loader boot_loader = {.is_boot = true, .parallel = true, .lock = VM_LOCK(LOADER), .changed = PTHREAD_COND_INITIALIZER};
Loader *all_loaders = &boot_loader; /* [lock: loaders] */
static VmLock loaders_mutex = VM_LOCK(LOADERS);

/* --- records --- */

void loader_init(void) {
    char path[4096];

    snprintf(path, sizeof path, "%s/lib/modules", vm.java_home);
    jimage_open(path);
    vm.java_base_only = true;
    classpath_init();
    unload_init();
}

static u4 data_off; /* 0 until the first record is made */

static u4 data_offset(void) {
    if (!data_off) data_off = layout_injected_offset("java/lang/ClassLoader", "loader_data");
    return data_off;
}

Loader *loader_record(Object *java) { return data_off ? *(Loader **)obj_at(java, data_off) : NULL; }

static Loader *loader_new(Object *java) {
    Loader *l = reserve_zeroed(sizeof *l, "a class loader");
    Class *c = obj_class(java);

    lock_init(&l->lock, RANK_LOADER);
    pthread_cond_init(&l->changed, NULL);
    l->java = java;
    if (c->loader == BOOT_LOADER) {
        l->is_app = symbol_eq(c->name, "jdk/internal/loader/ClassLoaders$AppClassLoader");
        l->is_platform = symbol_eq(c->name, "jdk/internal/loader/ClassLoaders$PlatformClassLoader");
        l->is_delegating = symbol_eq(c->name, "jdk/internal/reflect/DelegatingClassLoader");
    }
    return l;
}

Loader *loader_of(Object *java) {
    _Atomic(Loader *) *cell;
    Loader *l;

    if (!java) return BOOT_LOADER;
    cell = (_Atomic(Loader *) *)obj_at(java, data_offset());
    if ((l = atomic_load_explicit(cell, memory_order_acquire))) return l;
    HOLDING(&loaders_mutex);
    if (!(l = atomic_load(cell))) {
        l = loader_new(java);
        l->next = all_loaders;
        all_loaders = l;
        atomic_store_explicit(cell, l, memory_order_release);
    }
    return l;
}

Loader *loader_behind_accessor(Loader *l) {
    while (l->is_delegating) l = loader_of(JGET_REF(l->java, ClassLoader, parent));
    return l;
}

void loader_visit_all(void (*fn)(Loader *, void *), void *arg) {
    for (Loader *l = all_loaders; l; l = l->next) fn(l, arg);
}

void loader_visit_all_classes(void (*fn)(Class *, void *), void *arg) {
    for (Loader *l = all_loaders; l; l = l->next)
        for (Class *c = l->classes; c; c = c->next_in_loader)
            if (c->state >= CLASS_LOADED) fn(c, arg); /* not those half defined or failed */
}

static Loader *newest_loader(void) {
    HOLDING(&loaders_mutex);
    return all_loaders;
}
static Class *newest_class(Loader *l) {
    HOLDING(&l->lock);
    return l->classes;
}

/* Both lists grow in front, and only pauses take from them. */
void loader_visit_classes_running(void (*fn)(Class *, void *), void *arg) {
    for (Loader *l = newest_loader(); l; l = l->next)
        for (Class *c = newest_class(l); c; c = c->next_in_loader)
            if (atomic_load(&c->state) >= CLASS_LOADED) fn(c, arg);
}

LoaderText loader_text(const Loader *l) {
    LoaderText text = {"'bootstrap'"};
    if (l == BOOT_LOADER) return text;
    Object *id = JGET_REF(l->java, ClassLoader, nameAndId);
    char *given = id ? string_to_cstr(id) : NULL;
    if (given) snprintf(text.s, sizeof text.s, "%s", given);
    else class_external_name(obj_class(l->java), text.s, sizeof text.s);
    free(given);
    return text;
}

PlaceText class_where(const Class *c) {
    PlaceText text = class_place(c);
    size_t n = strlen(text.s);
    if (!loader_is_permanent(c->loader))
        snprintf(text.s + n, sizeof text.s - n, ", parent loader %s",
                 loader_text(loader_of(JGET_REF(c->loader->java, ClassLoader, parent))).s);
    return text;
}

void throw_loader_constraint(Thread *t, Loader *l, Class *c, Class *other) {
    throw_new(t, EX_LinkageError,
              "loader constraint violation: loader %s wants to load %s %s. A different %s with the same name "
              "was previously loaded by %s. (%s)",
              loader_text(l).s, class_kind(c), class_text(c).s, class_kind(other), loader_text(other->loader).s,
              class_where(c).s);
}

/* --- boot loader --- */

static Class *boot_define(Thread *t, Symbol *name) {
    ClassBytes b;
    DefineOptions opt = {.may_exist = true};

    if (!classpath_find(name, &b)) return NULL;
    opt.source = b.source;
    Class *c = define_class(t, name, BOOT_LOADER, b.bytes, b.len, &opt);
    if (b.owned) free((void *)b.bytes);
    if (c && c->package && !c->package->location) c->package->location = b.location;
    return c;
}

/* Asked by this thread for what it is already loading: an agent's hook touched the class whose bytes it was given. */
static Class *throw_circular(Thread *t, Symbol *name) { return throw_new(t, EX_ClassCircularityError, "%s", name->bytes), NULL; }

static Class *boot_load(Thread *t, Symbol *name) {
    Placeholder p;
    PlaceholderResult r;
    Class *c;

    do {
        placeholder_wait_others(t, BOOT_LOADER, name);
        if ((c = loader_find_loaded(BOOT_LOADER, name))) return c;
        r = placeholder_enter(BOOT_LOADER, &p, t, name, STAGE_LOADING);
    } while (r == PLACE_BUSY);
    if (r == PLACE_MINE) return throw_circular(t, name);
    c = loader_find_loaded(BOOT_LOADER, name);
    if (!c) c = boot_define(t, name);
    placeholder_leave(BOOT_LOADER, &p);
    return c;
}

Class *load_boot_class(Thread *t, const char *name) {
    Symbol *s = symbol_of(name);
    Class *c = loader_find_loaded(BOOT_LOADER, s);
    return c ? c : boot_load(t, s);
}

/* --- other loaders --- */

static Class *record_initiating(Thread *t, Loader *l, Class *c) {
    Class *other = NULL;
    Class *there = constraint_record(l, c, &other);
    if (!there) return throw_loader_constraint(t, l, c, other), NULL;
    if (there == c) return c;
    throw_new(t, EX_LinkageError, "loader %s attempted duplicate %s definition for %s.", loader_text(l).s, class_kind(c),
              class_text(c).s);
    return NULL;
}

static Class *call_load_class(Thread *t, const Slot *args, Symbol *name) {
    Slot ret = {0};
    if (!exec_call_virtual(t, jc_method(JM_ClassLoader_loadClass), args, &ret) || !ret.ref) return NULL;
    Class *c = mirror_class(ret.ref);
    return c->name == name ? c : NULL; /* another name counts as absent */
}

/* A loader that is not parallel capable is called with its monitor held, and not for what this thread is already calling it for. */
static Class *call_locked(Thread *t, Loader *l, const Slot *args, Symbol *name) {
    Placeholder p;
    Object *loader = args[0].ref;

    if (!monitor_enter(t, loader)) return NULL;
    Class *c = loader_find_loaded(l, name); /* by who had the monitor meanwhile */
    if (!c && placeholder_enter(l, &p, t, name, STAGE_CALLED) == PLACE_MINE) {
        throw_circular(t, name);
    } else if (!c) {
        c = call_load_class(t, args, name);
        placeholder_leave(l, &p);
    }
    Object *ex = exception_take(t);
    monitor_exit(t, loader);
    if (ex) t->exception = ex;
    return c;
}

static Class *ask_loader(Thread *t, Loader *l, Symbol *name) {
    Slot args[2] = {{.ref = l->java}};

    if (!l->parallel) l->parallel = JGET_REF(l->java, ClassLoader, parallelLockMap) != NULL;
    args[1].ref = string_from_symbol_dots(t, name);
    if (!args[1].ref) return NULL;
    return l->parallel ? call_load_class(t, args, name) : call_locked(t, l, args, name);
}

static Class *load_or_absent(Thread *t, Symbol *name, Loader *l) {
    Class *c = loader_find_loaded(l, name);

    if (c) return c;
    if (l->is_delegating) return load_or_absent(t, name, loader_behind_accessor(l)); /* not what it defined itself */
    if (l == BOOT_LOADER) return boot_load(t, name);
    if (!(c = ask_loader(t, l, name))) return NULL;
    return c->loader == l ? c : record_initiating(t, l, c);
}

/* --- names and descriptors --- */

static Class *load_element(Thread *t, const char *desc, size_t len, Loader *l) {
    if (len == 1) {
        BasicType bt = type_of_desc_char(desc[0]);
        return bt == T_OBJECT || bt == T_ARRAY ? NULL : primitive_classes[bt];
    }
    if (desc[0] != 'L' || desc[len - 1] != ';') return NULL;
    return load_or_absent(t, symbol_intern(desc + 1, len - 2), l);
}

static Class *load_desc(Thread *t, const char *desc, size_t len, Loader *l) {
    size_t dims = 0;

    while (dims < len && desc[dims] == '[') dims++;
    if (dims > 255 || dims == len || (dims && len == dims + 1 && desc[dims] == 'V')) return NULL;
    Class *c = load_element(t, desc + dims, len - dims, l);
    while (c && dims-- > 0) c = class_array_of(t, c);
    return c;
}

static bool is_array_name(const char *s, size_t len) {
    size_t dims = 0;
    while (dims < len && s[dims] == '[') dims++;
    if (dims == 0 || dims == len) return false;
    if (len == dims + 1) return strchr("ZBCSIJFD", s[dims]) != NULL;
    return s[dims] == 'L' && s[len - 1] == ';';
}

bool class_name_check(Thread *t, const char *name, ExKind k) {
    if (strlen(name) <= SYMBOL_MAX) return true;
    return throw_new(t, k, "Class name exceeds maximum length of %d: %.979s", SYMBOL_MAX, name), false; /* 1,023 in all */
}

Symbol *class_name_symbol(Thread *t, const char *name, ExKind k) { return class_name_check(t, name, k) ? symbol_of(name) : NULL; }

/* Names as JNI and reflection may give them: L...; stands for the class inside, and what begins
 * like an array without being one goes to the loader, which knows no such class. */
static Class *load_any(Thread *t, Symbol *name, Loader *l) {
    const char *s = name->bytes;
    if (s[0] == '[' && is_array_name(s, name->len)) return load_desc(t, s, name->len, l);
    if (s[0] == 'L' && name->len > 2 && s[name->len - 1] == ';') name = symbol_intern(s + 1, name->len - 2u);
    return load_or_absent(t, name, l);
}

Class *load_class(Thread *t, Symbol *name, Loader *l) {
    Class *c = load_any(t, name, l);
    if (!c && !t->exception) throw_new(t, EX_ClassNotFoundException, "%s", name->bytes);
    return c;
}

/* NULL + NoClassDefFoundError, or whatever else loading has thrown. */
static Class *absent(Thread *t, const char *name, size_t len) {
    if (t->exception && !exception_is(t, EX_ClassNotFoundException)) return NULL;
    return throw_with_cause(t, EX_NoClassDefFoundError, exception_take(t), "%.*s", (int)len, name), NULL;
}

Class *load_class_or_ncdfe(Thread *t, Symbol *name, Loader *l) {
    Class *c = load_any(t, name, l);
    return c ? c : absent(t, name->bytes, name->len);
}

Class *load_class_of_descriptor(Thread *t, const char *desc, size_t len, Loader *l) {
    Class *c = load_desc(t, desc, len, l);

    if (c) return c;
    bool is_class = len > 2 && desc[0] == 'L';
    return absent(t, desc + is_class, len - 2 * is_class);
}

Object *load_mirror_of_descriptor(Thread *t, const char *desc, size_t len, Loader *l) {
    Class *c = load_class_of_descriptor(t, desc, len, l);
    return c ? c->mirror : NULL;
}
