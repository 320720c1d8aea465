/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java.lang.Class instances.
 *
 * A mirror is an instance of java.lang.Class followed by the static fields of
 * its class (static_base, static_size).  Mirrors cannot exist before
 * java.lang.Class has been laid out and the Java fields the VM writes are
 * known; classes defined before that get theirs in classes_fixup_mirrors, in
 * the order of definition.
 */
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "load/load_int.h"
#include "object/field.h"
#include "object/version.h"
#include "shape/shape.h"

bool mirrors_ready;
u4 mirror_class_offset;

static bool constant_fits(const ClassVersion *v, const Field *f, u2 index) {
    switch (cf_tag(v->cf, index)) {
    case CF_CONST_INTEGER:
        return f->type == T_INT || (f->type >= T_BOOLEAN && f->type <= T_SHORT && f->type != T_FLOAT && f->type != T_DOUBLE);
    case CF_CONST_FLOAT: return f->type == T_FLOAT;
    case CF_CONST_LONG: return f->type == T_LONG;
    case CF_CONST_DOUBLE: return f->type == T_DOUBLE;
    case CF_CONST_STRING: return f->type == T_OBJECT;
    default: return false;
    }
}

bool class_constant(Thread *t, ClassVersion *v, const Field *f, u2 index, Slot *out) {
    const CfConst *k = cf_const(v->cf, index);

    if (!constant_fits(v, f, index)) return false;
    switch (k->tag) {
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE: out->j = k->j; return true;
    case CF_CONST_STRING: {
        CfStr s = cf_utf8(v->cf, k->a);
        if (!symbol_eq(f->desc, "Ljava/lang/String;")) return false;
        return (out->ref = string_intern_symbol(t, symbol_intern(s.p, s.len))) != NULL;
    }
    default: out->i = k->i; return true;
    }
}

static void mirror_init_statics(Thread *t, Class *c) {
    Slot v;
    for (u4 i = 0; i < c->n_fields; i++) {
        const Field *f = &c->fields[i];
        if (!(f->access & ACC_STATIC)) continue;
        u2 index = cf_attr_index(cf_attr(&f->cf->attrs, CF_ATTR_CONSTANT_VALUE));
        if (index && class_constant(t, c->version, f, index, &v)) cell_store(f, c->mirror, f->offset, v);
    }
}

enum { ROOT_MIRROR = 7 }; /* Thread.roots */

/* Left behind, the cell would keep the class and its loader until the thread makes another class. */
void class_mirror_listed(Thread *t) { t->roots[ROOT_MIRROR] = NULL; }

void class_make_mirror(Thread *t, Class *c) {
    Class *cc = JC(Class);
    Object *module;

    if (!mirrors_ready || c->mirror) return;
    Object *m = heap_alloc_mirror(t, cc, ALIGN_UP(cc->instance_size + c->static_size, 8u));
    if (!m) return;
    t->roots[ROOT_MIRROR] = m; /* c is on no list yet */
    OBJ_FIELD(Class *, m, mirror_class_offset) = c;
    JSET_REF(m, Class, classLoader, c->loader->java);
    if (class_is_array(c)) JSET_REF(m, Class, componentType, c->component->mirror);
    module = c->module ? c->module->java : NULL;
    if (module) JSET_REF(m, Class, module, module);
    if (c->class_data) JSET_REF(m, Class, classData, c->class_data);
    c->mirror = m;
    if (c->version) mirror_init_statics(t, c);
}

/* Lists are newest first; components come before their arrays in age. */
static void make_oldest_first(Thread *t, Class *c) {
    Class *reversed[4096];
    u4 n = 0;

    for (; c && n < ARRAY_LEN(reversed); c = c->next_in_loader) reversed[n++] = c;
    if (c) FATAL("more than %zu classes before the mirrors", ARRAY_LEN(reversed));
    while (n > 0) class_make_mirror(t, reversed[--n]);
}

void classes_fixup_mirrors(Thread *t) {
    class_init_primitives(t);
    mirrors_ready = true;
    make_oldest_first(t, boot_loader.classes);
}
