/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Superclass and superinterfaces of a class under definition (JVMS 5.3.5 steps
 * 3 and 4): loading, kind, final, sealed, access.
 *
 * A placeholder of STAGE_SUPERS covers the loading; a second definition of the
 * same name by the same thread while it stands means a circular hierarchy.
 */
#include "link/link.h"
#include "load/load_int.h"
#include "object/class.h"
#include "object/version.h"
#include "redefine/redefine.h"

#include <stdio.h>
#include <stdlib.h>

static Class *load_super(Thread *t, Class *c, u2 index) {
    CfStr s = cf_class_name(c->version->cf, index);
    Symbol *name = symbol_intern(s.p ? s.p : "", s.len);
    if (name == c->name) { /* not even the loader is asked */
        return throw_new(t, EX_ClassCircularityError, "%s", name->bytes), NULL;
    }
    /* between classes of the boot loader no Java frame would notice */
    return check_c_stack(t) ? load_class_or_ncdfe(t, name, c->loader) : NULL;
}

static bool check_is_interface(Thread *t, Class *c, Class *i) {
    if (class_is_interface(i)) return true;
    throw_new(t, EX_IncompatibleClassChangeError, "class %s can not implement %s, because it is not an interface (%s)",
              class_text(c).s, class_text(i).s, class_place(i).s);
    return false;
}

/* The reference reads the interfaces on its way through the class file and the superclass last: that is the
 * order in which loaders and agents see them, and which of two errors comes. */
static bool load_all(Thread *t, Class *c) {
    const CfClass *cf = c->version->cf;

    c->n_interfaces = cf->interface_count;
    if (c->n_interfaces && !(c->interfaces = calloc(c->n_interfaces, sizeof *c->interfaces)))
        return throw_oom(t, "class metadata"), false;
    for (u4 i = 0; i < c->n_interfaces; i++)
        if (!(c->interfaces[i] = load_super(t, c, cf->interfaces[i])) || !check_is_interface(t, c, c->interfaces[i]))
            return false;
    return !cf->super_class || (c->super = load_super(t, c, cf->super_class)) != NULL;
}

bool supers_load(Thread *t, Class *c) {
    Placeholder p;

    if (c->flags & CF_HIDDEN) return load_all(t, c);
    if (placeholder_enter(c->loader, &p, t, c->name, STAGE_SUPERS) == PLACE_MINE)
        return throw_new(t, EX_ClassCircularityError, "%s", c->name->bytes), false;
    bool ok = load_all(t, c);
    placeholder_leave(c->loader, &p);
    return ok;
}

/* --- checks --- */

/* JVMS 5.3.5: a sealed class lists its direct subclasses, which share its module and are public or of its package. */
bool class_permits(const ClassVersion *v, Class *c) {
    const CfClass *cf = v->cf;
    Class *super = v->klass;
    if (!cf_attr(&cf->attrs, CF_ATTR_PERMITTED_SUBCLASSES)) return true;
    if (c->module != super->module) return false;
    if (!(c->access & ACC_PUBLIC) && !access_same_package(c, super)) return false;
    return class_lists(cf, CF_ATTR_PERMITTED_SUBCLASSES, symbol_str(c->name));
}
static bool permits(Class *super, Class *c) { return class_permits(reshape_version(super), c); }

static bool throw_pair(Thread *t, ExKind k, const char *fmt, Class *a, Class *b) {
    return throw_new(t, k, fmt, class_text(a).s, class_text(b).s), false;
}

static bool check_access(Thread *t, Class *c, Class *super) {
    char why[1600];

    if (access_class(c, super)) return true;
    const char *reason = access_class_reason(c, super, why, sizeof why);
    bool interface = class_is_interface(super);
    if (reason) {
        throw_new(t, EX_IllegalAccessError, "%s check failed: %s", interface ? "superinterface" : "superclass access", reason);
    } else {
        access_where(c, super, why, sizeof why);
        throw_new(t, EX_IllegalAccessError, "class %s cannot access its %s%s %s (%s)", class_text(c).s,
                  !interface && super->access & ACC_ABSTRACT ? "abstract " : "", interface ? "superinterface" : "superclass",
                  class_text(super).s, why);
    }
    return false;
}

/* Subclasses of what generated accessors extend are neither verified nor refused access: nobody else may define some. */
static bool check_accessors(Thread *t, Class *c, Class *super) {
    if (c->loader == BOOT_LOADER || c->loader->is_delegating) return true;
    if (!symbol_eq(super->package->name, "jdk/internal/reflect")) return true;
    throw_new(t, EX_IllegalAccessError, "class %s loaded by %s cannot access jdk/internal/reflect superclass %s", class_text(c).s,
              loader_text(c->loader).s, class_text(super).s);
    return false;
}

bool super_check(Thread *t, Class *c, Class *s) {
    if (class_is_interface(s))
        return throw_pair(t, EX_IncompatibleClassChangeError, "class %s has interface %s as super class", c, s);
    if (class_is_array(s) || reshape_version(s)->cf->access & ACC_FINAL)
        return throw_pair(t, EX_IncompatibleClassChangeError, "class %s cannot inherit from final class %s", c, s);
    if (!permits(s, c))
        return throw_pair(t, EX_IncompatibleClassChangeError, "class %s cannot inherit from sealed class %s", c, s);
    return check_accessors(t, c, s) && check_access(t, c, s);
}

static bool superinterface_permits(Thread *t, Class *c, Class *i) {
    if (!permits(i, c))
        return throw_pair(t, EX_IncompatibleClassChangeError,
                          class_is_interface(c) ? "class %s cannot extend sealed interface %s"
                                                : "class %s cannot implement sealed interface %s",
                          c, i);
    return check_access(t, c, i);
}

bool superinterface_check(Thread *t, Class *c, Class *i) {
    return check_is_interface(t, c, i) && superinterface_permits(t, c, i);
}

/* A method may not override a final one (JVMS 4.10 "overrides"; HotSpot raises it here). */
static bool check_final_methods(Thread *t, Class *c) {
    for (Class *s = c->super; s; s = s->super) {
        if (!(s->flags & CF_HAS_FINALS)) continue;
        for (u4 i = 0; i < c->version->n_methods; i++) {
            Method *m = &c->version->methods[i], *f;
            if (m->access & (ACC_STATIC | ACC_PRIVATE) || m->flags & (MF_INIT | MF_CLINIT)) continue;
            f = class_find_declared_method(s, m->name, m->desc);
            if (!f || (f->access & (ACC_FINAL | ACC_STATIC | ACC_PRIVATE)) != ACC_FINAL) continue;
            if (!(f->access & (ACC_PUBLIC | ACC_PROTECTED)) && !access_same_package(c, s)) continue;
            throw_new(t, EX_IncompatibleClassChangeError, "class %s overrides final method %s.%s%s", class_text(c).s,
                      class_text(s).s, m->name->bytes, m->desc->bytes);
            return false;
        }
    }
    return true;
}

bool supers_check(Thread *t, Class *c) {
    if (c->super) c->flags |= c->super->flags & CF_MAGIC; /* no access checks for these */
    if (c->super && !super_check(t, c, c->super)) return false;
    for (u4 i = 0; i < c->n_interfaces; i++)
        if (!superinterface_permits(t, c, c->interfaces[i])) return false;
    return class_is_interface(c) || check_final_methods(t, c);
}
