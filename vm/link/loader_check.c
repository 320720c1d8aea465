/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where linking imposes loading constraints (JVMS 5.3.4, 5.4.3, 5.4.5): a
 * reference that crosses loaders, and a method that overrides or implements
 * one of another loader.  Each class named in the descriptor must then mean
 * the same to both loaders.  When classes change shape, tables are made in a pause: pairs of methods are asked
 * about first and constrained when all else is settled (reshape_related.c).
 */
#include "link/link_int.h"

typedef bool (*Ask)(Symbol *name, Loader *a, Loader *b);

/* First type of the descriptor on which the loaders disagree, or NULL. */
static Symbol *first_disagreement(const Symbol *desc, Loader *a, Loader *b, Ask agree) {
    const char *p = desc->bytes;

    if (a == b) return NULL;
    while ((p = strchr(p, 'L'))) {
        const char *end = strchr(p, ';');
        if (!end) break;
        Symbol *name = symbol_intern(p + 1, (size_t)(end - p - 1));
        if (!agree(name, a, b)) return symbol_replace(name, '/', '.');
        p = end;
    }
    return NULL;
}

static Symbol *disagreement(const Symbol *desc, Loader *a, Loader *b) { return first_disagreement(desc, a, b, constraint_add); }

bool loaders_may_agree(const Symbol *desc, Loader *a, Loader *b) {
    return !first_disagreement(desc, a, b, constraint_is_possible);
}
bool loaders_must_agree(const Symbol *desc, Loader *a, Loader *b) { return !disagreement(desc, a, b); }

static COLD bool throw_method(Thread *t, Class *caller, const Method *m, bool interface_ref, Symbol *type) {
    throw_new(t, EX_LinkageError,
              "loader constraint violation: when resolving %s '%s' the class loader %s of the current class, "
              "%s, and the class loader %s for the method's defining class, %s, have different Class objects "
              "for the type %s used in the signature (%s; %s)",
              interface_ref ? "interface method" : "method", method_text(m->holder, m->name, m->desc).s,
              loader_text(caller->loader).s, class_text(caller).s, loader_text(m->holder->loader).s, class_text(m->holder).s,
              type->bytes, class_where(caller).s, class_where(m->holder).s);
    return false;
}

bool check_method_reference(Thread *t, Class *caller, const Method *m, bool interface_ref) {
    Symbol *type = disagreement(m->desc, caller->loader, m->holder->loader);
    return !type || throw_method(t, caller, m, interface_ref, type);
}

static COLD bool throw_field(Thread *t, Class *caller, const Field *f, Symbol *type) {
    throw_new(t, EX_LinkageError,
              "loader constraint violation: when resolving field \"%s\" of type %s, the class loader %s of the "
              "current class, %s, and the class loader %s for the field's defining type, %s, have different "
              "Class objects for type %s (%s; %s)",
              f->name->bytes, type->bytes, loader_text(caller->loader).s, class_text(caller).s, loader_text(f->holder->loader).s,
              class_text(f->holder).s, type->bytes, class_where(caller).s, class_where(f->holder).s);
    return false;
}

bool check_field_reference(Thread *t, Class *caller, const Field *f) {
    Symbol *type = disagreement(f->desc, caller->loader, f->holder->loader);
    return !type || throw_field(t, caller, f, type);
}

static COLD bool throw_override(Thread *t, Class *c, const Method *m, const Method *old, Symbol *type) {
    throw_new(t, EX_LinkageError,
              "loader constraint violation for class %s: when selecting overriding method '%s' the class "
              "loader %s of the selected method's type %s, and the class loader %s for its super type %s have "
              "different Class objects for the type %s used in the signature (%s; %s)",
              class_text(c).s, method_text(m->holder, m->name, m->desc).s, loader_text(m->holder->loader).s,
              class_text(m->holder).s, loader_text(old->holder->loader).s, class_text(old->holder).s, type->bytes,
              class_where(m->holder).s, class_where(old->holder).s);
    return false;
}

bool check_override(Thread *t, Class *c, const Method *m, const Method *old) {
    Symbol *type = disagreement(m->desc, m->holder->loader, old->holder->loader);
    return !type || throw_override(t, c, m, old, type);
}

static COLD bool throw_itable(Thread *t, Class *c, const Method *m, const Method *im, Symbol *type) {
    throw_new(t, EX_LinkageError,
              "loader constraint violation in interface itable initialization for class %s: when selecting "
              "method '%s' the class loader %s for super interface %s, and the class loader %s of the selected "
              "method's %s, %s have different Class objects for the type %s used in the signature (%s; %s)",
              class_text(c).s, method_text(m->holder, m->name, m->desc).s, loader_text(im->holder->loader).s,
              class_text(im->holder).s, loader_text(m->holder->loader).s, class_kind(m->holder), class_text(m->holder).s,
              type->bytes, class_where(im->holder).s, class_where(m->holder).s);
    return false;
}

bool check_itable_entry(Thread *t, Class *c, const Method *m, const Method *im) {
    Symbol *type = disagreement(im->desc, m->holder->loader, im->holder->loader);
    return !type || throw_itable(t, c, m, im, type);
}
