/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding members by name and descriptor: no checks, no exceptions, no allocation.  Names are symbols, so comparing is
 * comparing addresses; declared methods are sorted by the address of their name.
 */
#include "link/link.h"
#include "object/method.h"

/* --- methods --- */

Method *version_find_method(const ClassVersion *v, const Symbol *name, const Symbol *desc) {
    u4 lo = 0, hi = v->n_methods;

    while (lo < hi) {
        u4 mid = (lo + hi) / 2;
        if (v->sorted_methods[mid]->name < name) lo = mid + 1;
        else hi = mid;
    }
    for (; lo < v->n_methods && v->sorted_methods[lo]->name == name; lo++)
        if (v->sorted_methods[lo]->desc == desc) return v->sorted_methods[lo];
    return NULL;
}

Method *class_find_declared_method(Class *c, Symbol *name, Symbol *desc) {
    return c->version ? version_find_method(c->version, name, desc) : NULL;
}

static bool is_candidate(const Method *m) { return !(m->access & (ACC_STATIC | ACC_PRIVATE)); }

/* JVMS 5.4.3.3 step 3: the maximally-specific superinterface method if there is exactly one
 * that is not abstract, else any (the first, preferring non-abstract ones). */
static Method *find_in_interfaces(Class *c, Symbol *name, Symbol *desc) {
    Method *best = NULL;

    for (u4 i = 0; i < c->n_all_interfaces; i++) {
        Class *iface = c->all_interfaces[i];
        Method *m = class_find_declared_method(iface, name, desc);
        if (!m || !is_candidate(m)) continue;
        if (!best || class_is_subtype(iface, best->holder)) best = m;
        else if (method_is_abstract(best) && !method_is_abstract(m) && !class_is_subtype(best->holder, iface)) best = m;
    }
    return best;
}

Method *class_find_method(Class *c, Symbol *name, Symbol *desc) {
    for (Class *k = c; k; k = k->super) {
        Method *m = class_find_declared_method(k, name, desc);
        if (m) return m;
    }
    return find_in_interfaces(c, name, desc);
}

/* JVMS 5.4.3.4: the interface, then public instance methods of Object, then superinterfaces. */
Method *class_find_interface_method(Class *c, Symbol *name, Symbol *desc) {
    Method *m = class_find_declared_method(c, name, desc);

    if (m) return m;
    if (c->super && (m = class_find_declared_method(c->super, name, desc)) &&
        (m->access & (ACC_PUBLIC | ACC_STATIC)) == ACC_PUBLIC)
        return m;
    return find_in_interfaces(c, name, desc);
}

Method *class_find_method_str(Class *c, const char *name, const char *desc) {
    Symbol *n = symbol_lookup(name, strlen(name)), *d = symbol_lookup(desc, strlen(desc));
    return n && d ? class_find_method(c, n, d) : NULL;
}

/* --- fields --- */

Field *class_find_declared_field(Class *c, Symbol *name, Symbol *desc) {
    for (u4 i = 0; i < c->n_fields_all; i++)
        if (c->fields[i].name == name && c->fields[i].desc == desc) return &c->fields[i];
    return NULL;
}

Field *class_find_named_field(const Class *c, const char *name) {
    for (u4 i = 0; i < c->n_fields; i++)
        if (symbol_eq(c->fields[i].name, name)) return &c->fields[i];
    return NULL;
}

/* An interface's last superinterface takes the place of a superclass: chains need no recursion.  Object's fields it does not inherit. */
Field *class_find_field(Class *c, Symbol *name, Symbol *desc) {
    while (c) {
        Field *f = class_find_declared_field(c, name, desc);
        if (f) return f;
        bool has_last = class_is_interface(c) && c->n_interfaces;
        for (u4 i = 0; i + has_last < c->n_interfaces; i++)
            if ((f = class_find_field(c->interfaces[i], name, desc))) return f;
        c = has_last ? c->interfaces[c->n_interfaces - 1] : class_is_interface(c) ? NULL : c->super;
    }
    return NULL;
}

Field *class_find_field_str(Class *c, const char *name, const char *desc) {
    Symbol *n = symbol_lookup(name, strlen(name)), *d = symbol_lookup(desc, strlen(desc));
    return n && d ? class_find_field(c, n, d) : NULL;
}
