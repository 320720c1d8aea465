/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access control (JVMS 5.4.4): classes through packages and modules, members
 * through modifiers, subclasses and nests.
 *
 * Subclasses of jdk.internal.reflect.MagicAccessorImpl (generated reflection
 * accessors) pass every check.  While java.base is not defined, modules are
 * not looked at.
 */
#include "link/link_int.h"

#include "thread/identity.h"

#include <stdio.h>

bool access_same_package(Class *a, Class *b) {
    a = class_element(a);
    b = class_element(b);
    if (a->package && b->package) return a->package == b->package;
    return a->loader == b->loader && symbol_package(a->name) == symbol_package(b->name);
}

typedef enum ClassVerdict { CLASS_OK, CLASS_NOT_PUBLIC, CLASS_NOT_READABLE, CLASS_NOT_EXPORTED } ClassVerdict;

static ClassVerdict judge_class(Class *from, Class *to) {
    to = class_element(to);
    if (!from || from == to || class_is_primitive(to) || from->flags & CF_MAGIC) return CLASS_OK;
    if (from->package == to->package && from->package) return CLASS_OK;
    if (!(to->access & ACC_PUBLIC)) return access_same_package(from, to) ? CLASS_OK : CLASS_NOT_PUBLIC;
    if (!java_base_module || from->module == to->module || !from->module || !to->module) return CLASS_OK;
    if (!module_can_read(from->module, to->module)) return CLASS_NOT_READABLE;
    return package_is_exported_to(to->package, from->module) ? CLASS_OK : CLASS_NOT_EXPORTED;
}

bool access_class(Class *from, Class *to) { return judge_class(from, to) == CLASS_OK; }

/* --- texts --- */

static void module_text(const Class *c, char *buf, size_t len) {
    const Module *m = c->module;
    if (m && m->name) snprintf(buf, len, "module %s", m->name->bytes);
    else if (m && m->java) snprintf(buf, len, "unnamed module @0x%x", (unsigned)object_hash(thread_self(), m->java));
    else snprintf(buf, len, "unnamed module");
}

const char *access_class_reason(Class *from, Class *to, char *buf, size_t len) {
    char ma[200], mb[200], pkg[400];
    ClassVerdict v = judge_class(from, to);

    if (v != CLASS_NOT_READABLE && v != CLASS_NOT_EXPORTED) return NULL;
    to = class_element(to);
    ClassText a = class_text(from), b = class_text(to);
    module_text(from, ma, sizeof ma);
    module_text(to, mb, sizeof mb);
    if (v == CLASS_NOT_READABLE) {
        snprintf(buf, len, "class %s (in %s) cannot access class %s (in %s) because %s does not read %s", a.s, ma, b.s, mb, ma,
                 mb);
    } else {
        snprintf(pkg, sizeof pkg, "%s", to->package->name->bytes);
        text_replace(pkg, '/', '.');
        snprintf(buf, len, "class %s (in %s) cannot access class %s (in %s) because %s does not export %s to %s", a.s, ma, b.s,
                 mb, mb, pkg, ma);
    }
    return buf;
}

void access_where(Class *a, Class *b, char *buf, size_t len) {
    PlaceText second = class_place(b);
    const char *rest = a->module == b->module && a->loader == b->loader ? strstr(second.s, " is in ") : NULL;
    if (rest) snprintf(buf, len, "%s and %s are in %s", class_text(a).s, class_text(b).s, rest + strlen(" is in "));
    else snprintf(buf, len, "%s; %s", class_place(a).s, second.s);
}

bool access_class_check(Thread *t, Class *from, Class *to) {
    char text[2400], where[1500];

    if (access_class(from, to)) return true;
    to = class_element(to);
    if (access_class_reason(from, to, text, sizeof text)) return throw_new(t, EX_IllegalAccessError, "%s", text), false;
    access_where(to, from, where, sizeof where);
    throw_new(t, EX_IllegalAccessError, "failed to access class %s from class %s (%s)", class_text(to).s, class_text(from).s,
              where);
    return false;
}

/* --- nests (JVMS 5.4.4) --- */

static bool lists_member(Class *host, Class *c) {
    return host->version && class_lists(host->version->cf, CF_ATTR_NEST_MEMBERS, symbol_str(c->name));
}

Class *access_nest_host(Thread *t, Class *c) {
    Class *host = c->nest_host;

    if (host) return host;
    if (!c->version) return c;
    u2 idx = cf_attr_index(cf_attr(&c->version->cf->attrs, CF_ATTR_NEST_HOST));
    if (!idx) return c->nest_host = c;
    Object *pending = exception_take(t);
    host = resolve_class(t, c->version, idx);
    /* swallowed, but errors of the machine itself stay (JVMS 5.4.4 as HotSpot does) */
    if (!host && exception_is(t, EX_VirtualMachineError)) return c;
    t->exception = pending;
    if (!host || (host != c && (!access_same_package(host, c) || !lists_member(host, c)))) host = c;
    return c->nest_host = host;
}

/* --- members --- */

static bool protected_ok(Class *from, Class *holder, Class *ref_class, u2 access) {
    if (!class_is_subtype(from, holder)) return false;
    if (access & ACC_STATIC || !ref_class) return true;
    return class_is_subtype(ref_class, from) || class_is_subtype(from, ref_class);
}

bool access_member(Class *from, Class *holder, Class *ref_class, u2 access) {
    if (!from || from == holder || access & ACC_PUBLIC || from->flags & CF_MAGIC) return true;
    if (access & ACC_PROTECTED && protected_ok(from, holder, ref_class, access)) return true;
    if (!(access & ACC_PRIVATE)) return access_same_package(from, holder);
    Thread *t = thread_self();
    Class *host = access_nest_host(t, from);
    return !t->exception && host == access_nest_host(t, holder) && !t->exception;
}

void throw_member_access(Thread *t, Class *from, Class *holder, Symbol *name, Symbol *desc, u2 access, bool is_method) {
    char where[1500];

    if (t->exception) return;
    access_where(from, holder, where, sizeof where);
    if (is_method)
        throw_new(t, EX_IllegalAccessError, "class %s tried to access %s%s%smethod '%s' (%s)", class_text(from).s,
                  access & ACC_ABSTRACT ? "abstract " : "", access & ACC_PROTECTED ? "protected " : "",
                  access & ACC_PRIVATE ? "private " : "", method_text(holder, name, desc).s, where);
    else
        throw_new(t, EX_IllegalAccessError, "class %s tried to access %s%sfield %s.%s (%s)", class_text(from).s,
                  access & ACC_PROTECTED ? "protected " : "", access & ACC_PRIVATE ? "private " : "", class_text(holder).s,
                  name->bytes, where);
}
