/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_diff.c - compares two class files; see swap_diff.h.
 *
 * Shape is compared by name and descriptor, never by place, so an order that changed is no difference.
 * A field whose name is on both sides with another descriptor is one changed field; a method with another
 * descriptor is one removed and one added, as overloads are common. Members that compilers make are named for
 * what the programmer wrote: lambda$main$0 is a lambda, $assertionsDisabled an assert.
 *
 * Code is compared instruction by instruction, constants by what they stand for: numbers of the pool all shift when one
 * is added. Lines are not compared.
 */
#include "swap_diff.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "method_text.h"

typedef struct Diff {
    const CfClass *old, *new;
    FILE *out;
    const char *separator;
} Diff;

__attribute__((format(printf, 2, 3))) static void item(Diff *d, const char *fmt, ...) {
    va_list ap;
    fputs(d->separator, d->out);
    d->separator = "; ";
    va_start(ap, fmt);
    vfprintf(d->out, fmt, ap);
    va_end(ap);
}

/* ---- names ------------------------------------------------------------------------------------- */

static void put_name(FILE *out, CfStr s) {
    for (uint32_t i = 0; i < s.len; i++) fputc(s.p[i] == '/' ? '.' : s.p[i], out);
}

/* The class without its package, as in source. */
static void put_short(FILE *out, CfStr s) {
    uint32_t from = 0;
    for (uint32_t i = 0; i < s.len; i++)
        if (s.p[i] == '/') from = i + 1;
    put_name(out, (CfStr){s.p + from, s.len - from});
}

static void put_method(const CfClass *c, const CfMember *m, bool result, FILE *out) {
    CfStr name = cf_utf8(c, m->name);
    if (cf_str_is(name, "<clinit>")) return (void)fputs("static initialiser", out);
    if (cf_str_is(name, "<init>")) {
        put_short(out, c->name);
    } else {
        if (result) {
            agent_put_type(out, cf_desc_result(cf_utf8(c, m->desc)), true);
            fputc(' ', out);
        }
        fprintf(out, "%.*s", CF_STR_ARGS(name));
    }
    agent_put_parameters(out, cf_utf8(c, m->desc), true);
}

static const char *kind_of(const CfClass *c, const CfMember *m, bool method) {
    CfStr name = cf_utf8(c, m->name);
    if (!method)
        return cf_str_is(name, "$assertionsDisabled") ? "first assert (field)"
               : cf_str_starts(name, "$SwitchMap$")   ? "switch on enum (field)"
                                                      : "field";
    if (cf_str_is(name, "<init>")) return "constructor";
    return cf_str_starts(name, "lambda$") ? "lambda (method)" : cf_str_is(name, "<clinit>") ? "member" : "method";
}

static void put_member(const CfClass *c, const CfMember *m, bool method, FILE *out) {
    if (method) {
        put_method(c, m, true, out);
    } else {
        agent_put_type(out, cf_utf8(c, m->desc), true);
        fprintf(out, " %.*s", CF_STR_ARGS(cf_utf8(c, m->name)));
    }
}

static void put_flags(FILE *out, unsigned flags, bool method, bool class) {
    static const struct {
        unsigned bit;
        const char *name;
        char where;
    } names[] = {{CF_ACC_PUBLIC, "public", 'a'},
                 {CF_ACC_PRIVATE, "private", 'a'},
                 {CF_ACC_PROTECTED, "protected", 'a'},
                 {CF_ACC_STATIC, "static", 'a'},
                 {CF_ACC_FINAL, "final", 'a'},
                 {CF_ACC_ABSTRACT, "abstract", 'a'},
                 {CF_ACC_SYNCHRONIZED, "synchronized", 'm'},
                 {CF_ACC_NATIVE, "native", 'm'},
                 {CF_ACC_VARARGS, "varargs", 'm'},
                 {CF_ACC_VOLATILE, "volatile", 'f'},
                 {CF_ACC_TRANSIENT, "transient", 'f'},
                 {CF_ACC_INTERFACE, "interface", 'c'},
                 {CF_ACC_ENUM, "enum", 'c'}};
    const char *space = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char place = class ? 'c' : method ? 'm' : 'f';
        if ((flags & names[i].bit) && (names[i].where == 'a' || names[i].where == place)) {
            fprintf(out, "%s%s", space, names[i].name);
            space = " ";
        }
    }
    if (!*space) fputs(class ? "no modifier" : "package-private", out);
}

static void changed_flags(Diff *d, unsigned was, unsigned is, bool method, bool class) {
    fputs(" changed: ", d->out);
    put_flags(d->out, was, method, class);
    fputs(" to ", d->out);
    put_flags(d->out, is, method, class);
}

/* ---- shape ------------------------------------------------------------------------------------- */

static void one_sided(Diff *d, const CfClass *c, const CfMember *m, bool method, const char *verb) {
    item(d, "%s %s: ", kind_of(c, m, method), verb);
    put_member(c, m, method, d->out);
}

static const CfMember *same_member(const CfClass *c, const CfClass *from, const CfMember *m, bool method, bool any_type) {
    CfStr name = cf_utf8(from, m->name), desc = any_type ? (CfStr){NULL, 0} : cf_utf8(from, m->desc);
    return method ? cf_find_method(c, name, desc) : cf_find_field(c, name, desc);
}

static void changed_field(Diff *d, const CfMember *was, const CfMember *is) {
    item(d, "type of field %.*s changed: ", CF_STR_ARGS(cf_utf8(d->old, was->name)));
    agent_put_type(d->out, cf_utf8(d->old, was->desc), true);
    fputs(" to ", d->out);
    agent_put_type(d->out, cf_utf8(d->new, is->desc), true);
}

static void members(Diff *d, bool method) {
    const CfMember *olds = method ? d->old->methods : d->old->fields, *news = method ? d->new->methods : d->new->fields;
    unsigned n_old = method ? d->old->method_count : d->old->field_count;
    unsigned n_new = method ? d->new->method_count : d->new->field_count;
    for (unsigned i = 0; i < n_old; i++) {
        const CfMember *m = &olds[i], *is = same_member(d->new, d->old, m, method, false);
        const CfMember *other = is || method ? NULL : same_member(d->new, d->old, m, false, true);
        if (other) {
            changed_field(d, m, other);
        } else if (!is) {
            one_sided(d, d->old, m, method, "removed");
        } else if (is->access != m->access) {
            item(d, "modifiers of %s ", kind_of(d->old, m, method));
            put_member(d->old, m, method, d->out);
            changed_flags(d, m->access, is->access, method, false);
        }
    }
    for (unsigned i = 0; i < n_new; i++)
        if (!same_member(d->old, d->new, &news[i], method, !method)) one_sided(d, d->new, &news[i], method, "added");
}

static bool has_interface(const CfClass *c, CfStr name) {
    for (unsigned i = 0; i < c->interface_count; i++)
        if (cf_str_eq(cf_class_name(c, c->interfaces[i]), name)) return true;
    return false;
}

static void interfaces(Diff *d, const CfClass *from, const CfClass *in, const char *what) {
    for (unsigned i = 0; i < from->interface_count; i++) {
        CfStr name = cf_class_name(from, from->interfaces[i]);
        if (has_interface(in, name)) continue;
        item(d, "%s: ", what);
        put_name(d->out, name);
    }
}

static void super_types(Diff *d) {
    CfStr was = cf_class_name(d->old, d->old->super_class), is = cf_class_name(d->new, d->new->super_class);
    if (!cf_str_eq(was, is)) {
        item(d, "super class changed: ");
        put_name(d->out, was);
        fputs(" to ", d->out);
        put_name(d->out, is);
    }
    interfaces(d, d->old, d->new, "interface removed");
    interfaces(d, d->new, d->old, "interface added");
    if (d->old->access != d->new->access) {
        item(d, "modifiers of the class");
        changed_flags(d, d->old->access, d->new->access, false, true);
    }
}

/* Classes listed in an attribute of `a` that are not in the same one of `b`. */
static void listed(Diff *d, const CfClass *a, const CfClass *b, CfAttrKind kind, const char *what) {
    const CfAttr *in_a = cf_attr(&a->attrs, kind), *in_b = cf_attr(&b->attrs, kind);
    CfRows ra = {0}, rb = {0};
    if (!in_a || cf_index_list(in_a, &ra, NULL) != CF_OK) return;
    if (in_b && cf_index_list(in_b, &rb, NULL) != CF_OK) return;
    for (uint32_t i = 0; i < ra.count; i++) {
        CfStr name = cf_class_name(a, cf_index_at(&ra, i));
        uint32_t k = 0;
        while (k < rb.count && !cf_str_eq(cf_class_name(b, cf_index_at(&rb, k)), name)) k++;
        if (k < rb.count) continue;
        item(d, "%s: ", what);
        put_name(d->out, name);
    }
}

static void nests(Diff *d) {
    listed(d, d->new, d->old, CF_ATTR_NEST_MEMBERS, "inner class added");
    listed(d, d->old, d->new, CF_ATTR_NEST_MEMBERS, "inner class removed");
    listed(d, d->new, d->old, CF_ATTR_PERMITTED_SUBCLASSES, "permitted subclass added");
    listed(d, d->old, d->new, CF_ATTR_PERMITTED_SUBCLASSES, "permitted subclass removed");
    const CfAttr *was = cf_attr(&d->old->attrs, CF_ATTR_NEST_HOST), *is = cf_attr(&d->new->attrs, CF_ATTR_NEST_HOST);
    if (!cf_str_eq(cf_class_name(d->old, cf_attr_index(was)), cf_class_name(d->new, cf_attr_index(is))))
        item(d, "outer class changed");
}

/* ---- code -------------------------------------------------------------------------------------- */

static bool same_const(Diff *d, unsigned ia, unsigned ib, int depth);

/* Dynamic constants and call sites hide what they do in BootstrapMethods: "Hello " + name does. */
static bool same_bootstrap(Diff *d, unsigned ra, unsigned rb, int depth) {
    CfBootstrap x, y;
    if (depth > 8 || !cf_bootstrap(d->old, ra, &x) || !cf_bootstrap(d->new, rb, &y) || x.args.count != y.args.count ||
        !same_const(d, x.method, y.method, depth))
        return false;
    for (uint32_t i = 0; i < x.args.count; i++)
        if (!same_const(d, cf_index_at(&x.args, i), cf_index_at(&y.args, i), depth)) return false;
    return true;
}

static bool same_member_ref(Diff *d, unsigned ia, unsigned ib) {
    CfStr oa, na, da, ob, nb, db;
    return cf_member_ref(d->old, ia, &oa, &na, &da) && cf_member_ref(d->new, ib, &ob, &nb, &db) && cf_str_eq(oa, ob) &&
           cf_str_eq(na, nb) && cf_str_eq(da, db);
}

/* By what it stands for: numbers of the pool and of bootstrap rows shift. */
static bool same_const(Diff *d, unsigned ia, unsigned ib, int depth) {
    const CfConst *a = cf_const(d->old, ia), *b = cf_const(d->new, ib);
    CfStr na, da, nb, db;
    if (a->tag != b->tag) return false;
    switch (a->tag) {
    case CF_CONST_INTEGER:
    case CF_CONST_FLOAT: return a->i == b->i;
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE: return a->j == b->j;
    case CF_CONST_FIELDREF:
    case CF_CONST_METHODREF:
    case CF_CONST_INTERFACEMETHODREF: return same_member_ref(d, ia, ib);
    case CF_CONST_METHODHANDLE: return a->kind == b->kind && same_member_ref(d, a->a, b->a);
    case CF_CONST_DYNAMIC:
    case CF_CONST_INVOKEDYNAMIC:
        return cf_name_and_type(d->old, ia, &na, &da) && cf_name_and_type(d->new, ib, &nb, &db) && cf_str_eq(na, nb) &&
               cf_str_eq(da, db) && same_bootstrap(d, a->a, b->a, depth + 1);
    default: return cf_str_eq(cf_name_of(d->old, ia), cf_name_of(d->new, ib));
    }
}

static bool same_insn(Diff *d, const CfInsn *a, const CfInsn *b) {
    if (a->op != b->op || a->pc != b->pc || a->len != b->len || a->imm != b->imm) return false;
    if (cf_op_info[a->op].flags & CF_OF_CP) return same_const(d, a->index, b->index, 0);
    return a->index == b->index && a->target == b->target && a->low == b->low && a->cases == b->cases;
}

static bool same_handler(Diff *d, CfHandler a, CfHandler b) {
    return a.start == b.start && a.end == b.end && a.handler == b.handler && !a.type == !b.type &&
           (!a.type || same_const(d, a.type, b.type, 0));
}

static bool same_switch(const CfInsn *a, const CfInsn *b) {
    for (uint32_t i = 0; i < a->cases; i++)
        if (cf_switch_key(a, i) != cf_switch_key(b, i) || cf_switch_target(a, i) != cf_switch_target(b, i)) return false;
    return true;
}

static bool same_code(Diff *d, const CfMember *a, const CfMember *b) {
    CfCode ca = {0}, cb = {0};
    CfInsn ia, ib;
    if (cf_code(d->old, a, NULL, &ca, NULL) != CF_OK || cf_code(d->new, b, NULL, &cb, NULL) != CF_OK) return false;
    if (ca.code_len != cb.code_len || ca.handlers.count != cb.handlers.count) return false;
    for (uint32_t pc = 0; pc < ca.code_len; pc += ia.len)
        if (!cf_insn(ca.code, ca.code_len, pc, &ia) || !cf_insn(cb.code, cb.code_len, pc, &ib) || !same_insn(d, &ia, &ib) ||
            ((cf_op_info[ia.op].flags & CF_OF_SWITCH) && !same_switch(&ia, &ib)))
            return false;
    for (uint32_t i = 0; i < ca.handlers.count; i++)
        if (!same_handler(d, cf_handler(&ca.handlers, i), cf_handler(&cb.handlers, i))) return false;
    return true;
}

static void bodies(Diff *d) {
    for (unsigned i = 0; i < d->old->method_count; i++) {
        const CfMember *m = &d->old->methods[i], *is = same_member(d->new, d->old, m, true, false);
        if (!is || same_code(d, m, is)) continue;
        fputs(d->separator, d->out);
        d->separator = ", ";
        put_method(d->new, is, false, d->out);
    }
}

static void shape(Diff *d) {
    super_types(d);
    members(d, false);
    members(d, true);
    nests(d);
}

static char *text_of(Diff *d, void (*put)(Diff *d)) {
    char *text = NULL;
    size_t n;
    d->separator = "";
    d->out = open_memstream(&text, &n);
    if (!d->out) return NULL;
    put(d);
    if (fclose(d->out) == 0) return text;
    return free(text), NULL;
}

bool swap_diff(const CfClass *old, const CfClass *new, SwapDiff *out) {
    Diff d = {.old = old, .new = new};
    out->shape = text_of(&d, shape);
    out->bodies = text_of(&d, bodies);
    if (out->shape && out->bodies) return true;
    return swap_diff_free(out), false;
}

void swap_diff_free(SwapDiff *d) {
    free(d->shape);
    free(d->bodies);
    *d = (SwapDiff){0};
}
