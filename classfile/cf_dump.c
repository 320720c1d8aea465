/* SPDX-License-Identifier: Apache-2.0 */
/* cf_dump.c - a class as text: head, pool, members, attributes. One line per fact, indented by
 * nesting. */
#include "cf_int.h"

typedef struct FlagName {
    uint16_t bit;
    const char *class_name, *field_name, *method_name; /* NULL = no meaning there */
} FlagName;

static const FlagName flag_names[] = {
    {0x0001, "public", "public", "public"},
    {0x0002, NULL, "private", "private"},
    {0x0004, NULL, "protected", "protected"},
    {0x0008, NULL, "static", "static"},
    {0x0010, "final", "final", "final"},
    {0x0020, "super", NULL, "synchronized"},
    {0x0040, NULL, "volatile", "bridge"},
    {0x0080, NULL, "transient", "varargs"},
    {0x0100, NULL, NULL, "native"},
    {0x0200, "interface", NULL, NULL},
    {0x0400, "abstract", NULL, "abstract"},
    {0x0800, NULL, NULL, "strict"},
    {0x1000, "synthetic", "synthetic", "synthetic"},
    {0x2000, "annotation", NULL, NULL},
    {0x4000, "enum", "enum", NULL},
    {0x8000, "module", NULL, NULL},
};

static void dump_flags(unsigned access, unsigned where, FILE *out) {
    for (size_t i = 0; i < sizeof flag_names / sizeof *flag_names; i++) {
        const FlagName *f = &flag_names[i];
        const char *n = where == CF_IN_CLASS ? f->class_name : where == CF_IN_FIELD ? f->field_name : f->method_name;
        if ((access & f->bit) && n) fprintf(out, "%s ", n);
    }
}

static void dump_pool(const CfClass *c, FILE *out) {
    for (unsigned i = 1; i < c->const_count; i++) {
        if (c->consts[i].tag == CF_CONST_NONE) continue;
        fprintf(out, "  #%u = %s ", i, cf_const_info[c->consts[i].tag].name);
        cf_dump_const(c, "", i, "\n", out);
    }
}

/* ------------------------------------------------------------------------ attributes */

static void dump_index_list(const CfClass *c, const CfAttr *a, FILE *out) {
    CfRows t;
    if (cf_index_list(a, &t, NULL) != CF_OK) return;
    for (uint32_t i = 0; i < t.count; i++) cf_dump_const(c, " ", cf_index_at(&t, i), "", out);
}

static void dump_inner(const CfClass *c, const CfAttr *a, FILE *out) {
    CfRows t;
    if (cf_inner_classes(a, &t, NULL) != CF_OK) return;
    for (uint32_t i = 0; i < t.count; i++) {
        CfInner in = cf_inner(&t, i);
        fprintf(out, "\n      ");
        dump_flags(in.access & ~CF_ACC_SUPER, in.access & 0x200 ? CF_IN_CLASS : CF_IN_FIELD, out);
        cf_dump_const(c, "", in.inner, "", out);
        if (in.outer) cf_dump_const(c, " in ", in.outer, "", out);
        if (in.name) cf_dump_const(c, " as ", in.name, "", out);
    }
}

static void dump_bootstraps(const CfClass *c, const CfAttr *a, FILE *out) {
    CfBootstraps t;
    CfBootstrap b;
    unsigned n = 0;
    if (cf_bootstraps(a, &t, NULL) != CF_OK) return;
    while (cf_bootstrap_next(&t, &b)) {
        fprintf(out, "\n      %u: ", n++);
        cf_dump_const(c, "", b.method, "", out);
        for (uint32_t i = 0; i < b.args.count; i++) cf_dump_const(c, "\n         ", cf_index_at(&b.args, i), "", out);
    }
}

static void dump_record(const CfClass *c, const CfAttr *a, FILE *out) {
    CfComponents t;
    CfComponent k;
    CfArena attrs;
    if (cf_record(a, &t, NULL) != CF_OK) return;
    cf_arena_init(&attrs, "dump", 0);
    while (cf_component_next(c, &t, &attrs, &k)) {
        cf_dump_const(c, "\n      ", k.name, " ", out);
        cf_dump_const(c, "", k.desc, "", out);
        for (unsigned i = 0; i < k.attrs.count; i++) {
            fprintf(out, "\n");
            cf_dump_attr(c, &k.attrs.v[i], "        ", out);
        }
    }
    cf_arena_free(&attrs);
}

static void dump_parameters(const CfClass *c, const CfAttr *a, FILE *out) {
    CfRows t;
    if (cf_method_parameters(a, &t, NULL) != CF_OK) return;
    for (uint32_t i = 0; i < t.count; i++) {
        uint16_t name, access;
        cf_method_parameter(&t, i, &name, &access);
        fputc(' ', out);
        if (name) cf_dump_const(c, "", name, "", out);
    }
}

static void dump_module_rows(const CfClass *c, const char *title, const char *to, unsigned count, const uint8_t *p,
                             bool has_flags, FILE *out) {
    CfModuleRow row;
    for (unsigned i = 0; i < count; i++) {
        cf_module_next(&p, has_flags, &row);
        fprintf(out, "\n      %s ", title);
        cf_dump_const(c, "", row.what, "", out);
        for (uint32_t k = 0; k < row.with.count; k++) cf_dump_const(c, k ? ", " : to, cf_index_at(&row.with, k), "", out);
    }
}

static void dump_module(const CfClass *c, const CfAttr *a, FILE *out) {
    CfModule m;
    if (cf_module(a, &m, NULL) != CF_OK) return;
    cf_dump_const(c, " ", m.name, "", out);
    for (uint32_t i = 0; i < m.require.count; i++) {
        uint16_t mod, flags, version;
        cf_module_requires(&m.require, i, &mod, &flags, &version);
        cf_dump_const(c, "\n      requires ", mod, "", out);
    }
    dump_module_rows(c, "exports", " to ", m.exports_count, m.exports, true, out);
    dump_module_rows(c, "opens", " to ", m.opens_count, m.opens, true, out);
    for (uint32_t i = 0; i < m.uses.count; i++) cf_dump_const(c, "\n      uses ", cf_index_at(&m.uses, i), "", out);
    dump_module_rows(c, "provides", " with ", m.provides_count, m.provides, false, out);
}

void cf_dump_attr(const CfClass *c, const CfAttr *a, const char *indent, FILE *out) {
    uint16_t cls, nat;
    fputs(indent, out);
    cf_dump_str(cf_utf8(c, a->name), out);
    switch ((CfAttrForm)cf_attr_info[a->kind].form) {
    case CF_FORM_INDEX:
    case CF_FORM_NAME:
    case CF_FORM_SIGNATURE: cf_dump_const(c, " ", cf_attr_index(a), "", out); return;
    case CF_FORM_INDICES: dump_index_list(c, a, out); return;
    case CF_FORM_BYTES: fprintf(out, ", %u bytes", a->len); return;
    case CF_FORM_EMPTY: return;
    case CF_FORM_OWN: break;
    }
    switch (a->kind) {
    case CF_ATTR_INNER_CLASSES: dump_inner(c, a, out); break;
    case CF_ATTR_ENCLOSING_METHOD:
        if (cf_enclosing_method(a, &cls, &nat, NULL) != CF_OK) break;
        cf_dump_const(c, " ", cls, "", out);
        if (nat) cf_dump_const(c, " ", nat, "", out);
        break;
    case CF_ATTR_BOOTSTRAP_METHODS: dump_bootstraps(c, a, out); break;
    case CF_ATTR_RECORD: dump_record(c, a, out); break;
    case CF_ATTR_METHOD_PARAMETERS: dump_parameters(c, a, out); break;
    case CF_ATTR_MODULE: dump_module(c, a, out); break;
    default:
        if (!cf_dump_annotations(c, a, indent, out)) fprintf(out, ", %u bytes", a->len);
    }
}

static void dump_attrs(const CfClass *c, const CfAttrs *as, unsigned what, FILE *out) {
    if (!(what & CF_DUMP_ATTRS)) return;
    for (unsigned i = 0; i < as->count; i++)
        if (as->v[i].kind != CF_ATTR_CODE) {
            cf_dump_attr(c, &as->v[i], "    ", out);
            fprintf(out, "\n");
        }
}

/* ------------------------------------------------------------------------ the class */

static void dump_member(const CfClass *c, const CfMember *m, unsigned where, unsigned what, FILE *out) {
    fprintf(out, "  %s ", where == CF_IN_FIELD ? "field" : "method");
    dump_flags(m->access, where, out);
    cf_dump_const(c, "", m->name, " ", out);
    cf_dump_const(c, "", m->desc, "\n", out);
    dump_attrs(c, &m->attrs, what, out);
}

void cf_dump_method(const CfClass *c, const CfMember *m, unsigned what, FILE *out) {
    dump_member(c, m, CF_IN_METHOD, what, out);
    if (what & CF_DUMP_CODE) cf_dump_code(c, m, out);
}

void cf_dump(const CfClass *c, unsigned what, FILE *out) {
    dump_flags(c->access, CF_IN_CLASS, out);
    fputs(c->access & (CF_ACC_INTERFACE | CF_ACC_MODULE) ? "" : "class ", out);
    cf_dump_str(c->name, out);
    if (c->super_class) cf_dump_const(c, " extends ", c->super_class, "", out);
    for (unsigned i = 0; i < c->interface_count; i++) cf_dump_const(c, i ? ", " : " implements ", c->interfaces[i], "", out);
    fprintf(out, "\n  version %u.%u, %u pool entries\n", c->major, c->minor, c->const_count - 1);
    if (what & CF_DUMP_POOL) dump_pool(c, out);
    for (unsigned i = 0; i < c->field_count; i++) dump_member(c, &c->fields[i], CF_IN_FIELD, what, out);
    for (unsigned i = 0; i < c->method_count; i++) cf_dump_method(c, &c->methods[i], what, out);
    if (what & CF_DUMP_ATTRS) {
        fprintf(out, "  attributes\n");
        dump_attrs(c, &c->attrs, what, out);
    }
}
