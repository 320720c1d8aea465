/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classes without a class file (arrays, primitive types), names of hidden
 * classes, and what all kinds share: the hierarchy in the class record, and
 * questions about the subclasses that are loaded.
 *
 * An array class belongs to the loader, module and package of its element
 * class, has Object as superclass and Cloneable and Serializable as
 * interfaces, and dispatches through Object's vtable.  It is born
 * initialised.  One array class per component, made under array_mutex; the
 * loser of a race frees its try.
 */
#include "core/vm.h"
#include "heap/heap.h"
#include "load/load_int.h"
#include "object/class.h"
#include "shape/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

Class *primitive_classes[16];
Class *primitive_array_classes[16];

static VmLock array_mutex = VM_LOCK(ARRAYS);
static VmLock hierarchy_mutex = VM_LOCK(HIERARCHY);

/* --- shared shape --- */

static void add_interface(Class *c, Class *i) {
    for (u4 k = 0; k < c->n_all_interfaces; k++)
        if (c->all_interfaces[k] == i) return;
    c->all_interfaces[c->n_all_interfaces++] = i;
}

/* Supers' interfaces first, then each direct interface behind those it extends. */
static bool set_all_interfaces(Class *c) {
    size_t max = c->super ? c->super->n_all_interfaces : 0;

    for (u4 i = 0; i < c->n_interfaces; i++) max += 1 + (size_t)c->interfaces[i]->n_all_interfaces;
    if (c->super && max == c->super->n_all_interfaces) { /* nothing new: share */
        c->all_interfaces = c->super->all_interfaces;
        c->flags |= CF_SHARES_INTERFACES;
        c->n_all_interfaces = c->super->n_all_interfaces;
        return true;
    }
    c->all_interfaces = malloc((max + 1) * sizeof *c->all_interfaces);
    if (!c->all_interfaces) return false;
    if (c->super)
        for (u4 i = 0; i < c->super->n_all_interfaces; i++) add_interface(c, c->super->all_interfaces[i]);
    for (u4 i = 0; i < c->n_interfaces; i++) {
        Class *d = c->interfaces[i];
        for (u4 k = 0; k < d->n_all_interfaces; k++) add_interface(c, d->all_interfaces[k]);
        add_interface(c, d);
    }
    return true;
}

void class_give_interface_key(Class *c) {
    static _Atomic u4 given;
    c->interface_key = (u1)(atomic_fetch_add(&given, 1) % INTERFACE_KEYS);
}

static void fill_interface_set(Class *c) {
    InterfaceSet *set = &c->interface_set;
    *set = (InterfaceSet){0};
    for (u4 i = c->n_all_interfaces; i > 0; i--) {
        const Class *k = c->all_interfaces[i - 1];
        set->keys |= (u8)1 << k->interface_key;
        set->row[k->interface_key % INTERFACE_ROW] = (u4)(uintptr_t)k;
    }
}

bool class_set_hierarchy(Class *c) {
    if (c->super) {
        memcpy(c->display, c->super->display, sizeof c->display);
        c->depth = (u2)(c->super->depth + 1);
    }
    if (c->depth < DISPLAY_DEPTH) c->display[c->depth] = c;
    if (!set_all_interfaces(c)) return false;
    fill_interface_set(c);
    return true;
}

void class_add_to_loader(Loader *l, Class *c) {
    HOLDING(&l->lock);
    c->next_in_loader = l->classes;
    l->classes = c;
}

void class_add_to_siblings(Class *c) {
    if (!c->super || class_is_interface(c)) return;
    HOLDING(&hierarchy_mutex);
    c->next_sibling = c->super->first_subclass;
    c->super->first_subclass = c;
}

void class_leave_siblings(Class *c) {
    if (!c->super || class_is_interface(c)) return;
    HOLDING(&hierarchy_mutex);
    for (Class **p = &c->super->first_subclass; *p; p = &(*p)->next_sibling)
        if (*p == c) {
            *p = c->next_sibling;
            return;
        }
}

bool class_may_be_inherited(const Class *c) {
    HOLDING(&hierarchy_mutex);
    return class_is_interface(c) || c->first_subclass;
}

enum { MOST_SUBCLASSES = 40 }; /* looked at for one call */

/* False: two differ, or there are too many. */
static bool same_below(const Class *k, u4 index, Method **same, u4 *left) {
    if (!(*left)--) return *left = 0, false;
    bool has_instances = !(k->access & (ACC_ABSTRACT | ACC_INTERFACE)) && k->dispatches && index < k->vtable_len;
    if (has_instances && *same && *same != k->vtable[index]) return false;
    if (has_instances) *same = k->vtable[index];
    for (const Class *sub = k->first_subclass; sub; sub = sub->next_sibling)
        if (!same_below(sub, index, same, left)) return false;
    return true;
}

Method *class_only_target(const Class *k, u4 index) {
    u4 left = MOST_SUBCLASSES;
    Method *same = NULL;
    HOLDING(&hierarchy_mutex);
    return same_below(k, index, &same, &left) ? same : NULL;
}

/* What code takes for the target of all classes below; kept as long as the class, whatever becomes of the code.  A new version of the method is the same. */
typedef struct OnlyTarget {
    struct OnlyTarget *next;
    u4 index;
    const Class *holder;
    const Symbol *name, *desc;
} OnlyTarget;

static bool is_that_target(const OnlyTarget *x, const Method *m) {
    return x->holder == m->holder && x->name == m->name && x->desc == m->desc;
}

static bool keep_only_target(Class *k, u4 index, const Method *m) {
    for (const OnlyTarget *x = k->only_targets; x; x = x->next)
        if (x->index == index && is_that_target(x, m)) return true;
    OnlyTarget *x = malloc(sizeof *x);
    if (!x) return false;
    *x = (OnlyTarget){k->only_targets, index, m->holder, m->name, m->desc};
    k->only_targets = x;
    return true;
}

static bool breaks_a_target(const Class *c, const Class *k) {
    for (const OnlyTarget *x = k->only_targets; x; x = x->next)
        if (x->index < c->vtable_len && !is_that_target(x, c->vtable[x->index])) return true;
    return false;
}

bool class_trust_target(Class *k, u4 index, const Method *m) {
    u4 left = MOST_SUBCLASSES;
    Method *same = NULL;
    HOLDING(&hierarchy_mutex);
    if (k->flags & CF_TARGETS_BROKEN || !same_below(k, index, &same, &left) || same != m) return false;
    return keep_only_target(k, index, m);
}

bool class_dispatches(Class *c) {
    bool broken = false;
    HOLDING(&hierarchy_mutex);
    c->dispatches = true;
    if (c->access & (ACC_ABSTRACT | ACC_INTERFACE)) return false;
    for (Class *k = c; k; k = k->super) {
        if (!breaks_a_target(c, k)) continue;
        FLAGS_SET(k->flags, CF_TARGETS_BROKEN);
        broken = true;
    }
    return broken;
}

void class_dispatches_no_more(Class *c) {
    HOLDING(&hierarchy_mutex);
    c->dispatches = false;
}

void class_free_only_targets(Class *k) {
    for (OnlyTarget *x = k->only_targets, *next; x; x = next) {
        next = x->next;
        free(x);
    }
}

/* False: a second one, or there are too many to look at. */
static bool one_concrete(Class *k, Class **one, u4 *left) {
    if (!(*left)--) return *left = 0, false;
    if (!(k->access & (ACC_ABSTRACT | ACC_INTERFACE))) {
        if (*one) return false;
        *one = k;
    }
    for (Class *sub = k->first_subclass; sub; sub = sub->next_sibling)
        if (!one_concrete(sub, one, left)) return false;
    return true;
}

Class *class_only_concrete(Class *k) {
    u4 left = MOST_SUBCLASSES;
    Class *one = NULL;
    HOLDING(&hierarchy_mutex);
    return one_concrete(k, &one, &left) ? one : NULL;
}

/* --- hidden names --- */

/* The suffix imitates an address, as java users know it: Foo+0x000000000000002a.  Nobody finds the class
 * by its name, so the symbol is not interned and dies with it. */
Symbol *class_hidden_name(Symbol *original, u8 id) {
    char suffix[24], *text;
    int n = snprintf(suffix, sizeof suffix, "+0x%016" PRIx64, id);

    if (!(text = malloc((size_t)original->len + (size_t)n + 1))) return NULL;
    memcpy(text, original->bytes, original->len);
    memcpy(text + original->len, suffix, (size_t)n + 1);
    Symbol *s = symbol_private(text, original->len + (size_t)n);
    free(text);
    return s;
}

/* --- primitive types --- */

static const char *const primitive_names[16] = {
    [T_BOOLEAN] = "boolean", [T_CHAR] = "char", [T_FLOAT] = "float", [T_DOUBLE] = "double", [T_BYTE] = "byte",
    [T_SHORT] = "short",     [T_INT] = "int",   [T_LONG] = "long",   [T_VOID] = "void",
};

static Class *new_primitive(BasicType bt) {
    Class *c = class_region_alloc();

    if (!c) return NULL;
    c->flags = CF_PRIMITIVE | CF_NEVER_ALLOC_FAST;
    c->name = symbol_of(primitive_names[bt]);
    c->access = ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT;
    c->elem_type = (u1)bt;
    c->loader = BOOT_LOADER;
    c->display[0] = c;
    TSAN_RELEASE(c); /* for obj_class */
    atomic_store(&c->state, CLASS_INITIALIZED);
    class_add_to_loader(BOOT_LOADER, c);
    return c;
}

void class_init_primitives(Thread *t) {
    for (int bt = T_BOOLEAN; bt <= T_VOID; bt++) {
        if (!primitive_names[bt]) continue;
        primitive_classes[bt] = new_primitive((BasicType)bt);
        if (!primitive_classes[bt]) vm_exit_during_init("java.lang.OutOfMemoryError: no memory for class records");
        class_make_mirror(t, primitive_classes[bt]);
        if (bt == T_VOID) continue;
        primitive_array_classes[bt] = class_array_of(t, primitive_classes[bt]);
        if (!primitive_array_classes[bt]) vm_exit_during_init("java.lang.OutOfMemoryError: no memory for class records");
    }
}

/* --- arrays --- */

static Symbol *array_name(const Class *component) {
    size_t n = component->name->len;
    char *text = malloc(n + 4);

    if (!text) return NULL;
    text[0] = '[';
    n = 1 + class_descriptor(component, text + 1);
    Symbol *s = component->flags & CF_OWNS_NAME ? symbol_private(text, n) : symbol_intern(text, n);
    free(text);
    return s;
}

static Class **array_interfaces(u2 *n) {
    static Class *both[2];
    if (!both[0]) both[0] = load_boot_class(thread_self(), "java/lang/Cloneable");
    if (!both[1]) both[1] = load_boot_class(thread_self(), "java/io/Serializable");
    *n = both[0] && both[1] ? 2 : 0;
    return both;
}

static Class *new_array_class(Class *component) {
    Class *c = class_region_alloc(), *object = load_boot_class(thread_self(), "java/lang/Object");
    Class *element = class_element(component);

    if (!c || !object) return NULL;
    c->flags = CF_ARRAY | CF_NEVER_ALLOC_FAST | (element->flags & (CF_UNLOADABLE | CF_OWNS_NAME));
    c->name = array_name(component);
    c->component = component;
    c->dims = (u1)(component->dims + 1);
    c->elem_type = class_is_primitive(component) ? component->elem_type : class_is_array(component) ? T_ARRAY : T_OBJECT;
    c->elem_shift = (u1)type_size_shift((BasicType)c->elem_type);
    c->access = (u2)((element->access & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED)) | ACC_FINAL | ACC_ABSTRACT);
    c->super = object;
    c->interfaces = array_interfaces(&c->n_interfaces);
    c->loader = element->loader;
    c->module = element->module;
    c->package = element->package;
    if (!c->name || !class_set_hierarchy(c)) return class_region_free(c), NULL;
    return c;
}

/* Arrays dispatch through Object's table, which exists as soon as anything runs. */
static bool publish_array(Class *component, Class *c) {
    Class *expected = NULL;
    HOLDING(&array_mutex);
    return atomic_compare_exchange_strong(&component->array_class, &expected, c);
}

Class *class_array_of(Thread *t, Class *component) {
    Class *c = atomic_load_explicit(&component->array_class, memory_order_acquire);

    if (c) return c;
    if (component->dims == 255) return throw_plain(t, EX_IllegalArgumentException), NULL;
    if (!(c = new_array_class(component))) {
        if (!t->exception) throw_oom(t, "Compressed class space");
        return NULL;
    }
    c->vtable = c->super->vtable;
    c->vtable_len = c->super->vtable_len;
    TSAN_RELEASE(c); /* for obj_class */
    atomic_store(&c->state, CLASS_INITIALIZED);
    class_make_mirror(t, c);
    if (mirrors_ready && !c->mirror) return class_region_free(c), NULL;
    if (!publish_array(component, c)) {
        Class *winner = atomic_load(&component->array_class);
        /* the mirror is garbage that an ambiguous root may still find */
        if (c->mirror) OBJ_FIELD(Class *, c->mirror, mirror_class_offset) = winner;
        c->mirror = NULL;
        class_mirror_listed(t);
        class_region_free(c);
        return winner;
    }
    class_add_to_loader(c->loader, c);
    class_mirror_listed(t);
    return c;
}

Object *class_new_array(Thread *t, Class *component, int32_t n) {
    Class *c = class_array_of(t, component);
    return c ? heap_alloc_array(t, c, n) : NULL;
}
