/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_rename.c - classes, packages and members get other names, in every place of a class file.
 *
 * Names occur in two ways: entries of the pool name a class or member, and Utf8 entries are referred
 * to as names, descriptors and signatures, by entries and by sites of attributes (cf_attr_sites). One
 * Utf8 entry may serve several of these and a string constant besides. So no Utf8 is ever changed:
 * whoever refers to it is pointed at another one. Code, with its indices of entries, stays as it is.
 *
 * Order matters, because callbacks are asked with the names of the input: (1) new texts are made and
 * written into members and copies of attributes, and noted for entries; (2) entries are changed in
 * place; (3) entries of a new kind are added: a NameAndType that served members of several owners,
 * of which not all were renamed.
 */
#include "edit/bci_edit.h"

#include <stdlib.h>

typedef struct Renamer {
    BciClass *c;
    CfClass *cf;
    const BciNames *names;
    const char *self; /* old name of the class */
    uint32_t n;       /* pool entries of the input */
    uint16_t *text;   /* by Utf8 index: descriptor or signature with new names; 0 = not asked */
    uint16_t *entry;  /* by entry: Utf8 index to change to, or new name of the member; 0 = none */
    CfWriter out;
    CfArena tmp;  /* of one question */
    CfAttr *attr; /* being walked, and its copy if something changed */
    uint8_t *copy;
    bool changed, failed;
} Renamer;

static bool no_room(Renamer *r) {
    r->failed = true;
    return bci_refuse_class(r->c, r->out.bad ? CF_ERR_NOMEM : cf_no_room(r->cf), "renaming: %s",
                            r->out.bad ? "out of memory" : bci_no_room(r->c));
}

/* Memory for texts ran out? Then that is noted. */
static bool has_failed(Renamer *r) {
    if (r->out.bad && !r->failed) no_room(r);
    return r->failed;
}

/* Utf8 index of a new text; 0 if there is no room, which is noted. */
static uint16_t add_text(Renamer *r, CfStr s) {
    uint16_t k = cf_add_utf8(r->cf, s);
    if (!k) no_room(r);
    r->changed = true;
    return k;
}

static CfStr written(const Renamer *r) { return (CfStr){(char *)r->out.data, (uint32_t)r->out.len}; }

/* ---- questions ---- */

static const char *zstr(Renamer *r, CfStr s) { return cf_arena_copy(&r->tmp, s.p ? s.p : "", s.len); }

/* New name of class `s` (no array); empty if it keeps its own. */
static CfStr new_class(Renamer *r, CfStr s) {
    if (!r->names->class_name) return (CfStr){NULL, 0};
    const char *z = zstr(r, s), *to = z ? r->names->class_name(r->names->ctx, z) : NULL;
    bool named = to;
    to = to ? zstr(r, cf_str(to)) : NULL;
    if (!z || (named && !to)) no_room(r);
    return to && !cf_str_is(s, to) ? cf_str(to) : (CfStr){NULL, 0};
}

static CfStr class_or_same(Renamer *r, CfStr s) {
    CfStr to = new_class(r, s);
    return to.p ? to : s;
}

/* Utf8 index of the new name of a member, 0 if it keeps its own. `desc` may be empty. */
static uint16_t new_member(Renamer *r, CfStr owner, CfStr name, CfStr desc) {
    if (!r->names->member_name || !owner.p || !name.p || !name.len || name.p[0] == '<') return 0;
    const char *o = zstr(r, owner), *n = zstr(r, name), *d = desc.p ? zstr(r, desc) : NULL;
    if (!o || !n || (desc.p && !d)) return no_room(r), 0;
    const char *to = r->names->member_name(r->names->ctx, o, n, d);
    return to && !cf_str_is(name, to) ? add_text(r, cf_str(to)) : 0;
}

/* ---- descriptors and signatures (4.3, 4.7.9.1): the grammar of signatures holds both ---- */

enum { MAX_NESTING = 100 };

/* What follows the outer class in the new name of an inner one. */
static CfStr inner_part(CfStr outer, CfStr name) {
    if (name.len > outer.len + 1 && !memcmp(name.p, outer.p, outer.len) && name.p[outer.len] == '$')
        return (CfStr){name.p + outer.len + 1, name.len - outer.len - 1};
    for (uint32_t k = name.len; k > 0; k--)
        if (name.p[k - 1] == '$' || name.p[k - 1] == '/') return (CfStr){name.p + k, name.len - k};
    return name;
}

/* Binary name of the inner class `part` of `outer`. */
static CfStr inner_class(Renamer *r, CfStr outer, CfStr part) {
    char *full = cf_arena_alloc(&r->tmp, (size_t)outer.len + 1 + part.len);
    if (!full) return no_room(r), outer;
    memcpy(full, outer.p, outer.len);
    full[outer.len] = '$';
    memcpy(full + outer.len + 1, part.p, part.len);
    return (CfStr){full, outer.len + 1 + part.len};
}

static CfSigKind kind_of(CfStr s) {
    if (s.p[0] == '(' || (s.p[0] == '<' && memchr(s.p, '(', s.len))) return CF_SIG_OF_METHOD;
    return s.p[0] == 'L' || s.p[0] == '<' ? CF_SIG_OF_CLASS : CF_SIG_OF_FIELD;
}

/* Writes `s` with new names into r->out; false if nothing changed or it is no type. */
static bool rename_text(Renamer *r, CfStr s) {
    CfStr old[MAX_NESTING], now[MAX_NESTING], part; /* by nesting: the class in hand, its new name */
    r->out.len = 0;
    if (!s.p || !memchr(s.p, 'L', s.len)) return false;
    CfSigIter it = cf_sig_start(kind_of(s), s);
    CfSigEvent e;
    const char *copied = s.p;
    bool changed = false;
    while ((e = cf_sig_next(&it)) > CF_SIG_END) {
        if (e != CF_SIG_CLASS_TYPE && e != CF_SIG_INNER_CLASS) continue;
        if (it.depth >= MAX_NESTING) return false;
        CfStr *was = &old[it.depth], *is = &now[it.depth], outer = *is;
        *was = e == CF_SIG_CLASS_TYPE ? it.text : inner_class(r, *was, it.text);
        *is = class_or_same(r, *was);
        part = e == CF_SIG_CLASS_TYPE ? *is : inner_part(outer, *is);
        changed |= !cf_str_eq(part, it.text);
        cf_w_bytes(&r->out, copied, (size_t)(it.text.p - copied));
        cf_w_bytes(&r->out, part.p, part.len);
        copied = it.text.p + it.text.len;
    }
    cf_w_bytes(&r->out, copied, (size_t)(s.p + s.len - copied));
    return e == CF_SIG_END && changed && !has_failed(r);
}

/* Utf8 index for the descriptor or signature at Utf8 index `i`. */
static uint16_t new_text(Renamer *r, uint16_t i) {
    if (i == 0 || i >= r->n || cf_tag(r->cf, i) != CF_CONST_UTF8) return i;
    if (!r->text[i]) {
        r->text[i] = i;
        uint16_t k = rename_text(r, cf_utf8(r->cf, i)) ? add_text(r, written(r)) : 0;
        if (k) r->text[i] = k;
        cf_arena_reset(&r->tmp);
    }
    return r->text[i];
}

/* ---- entries ---- */

static bool class_like(CfStr s) {
    bool dot = false, slash = false;
    for (uint32_t k = 0; k < s.len; k++) {
        char ch = s.p[k];
        dot |= ch == '.';
        slash |= ch == '/';
        if (ch == ' ' || ch == ':' || ch == ';' || ch == '(' || ch == '<') return false;
    }
    return dot != slash;
}

/* A string that is a class name with dots or slashes, into r->out. */
static bool rename_string(Renamer *r, CfStr s) {
    if (!class_like(s)) return false;
    char *name = cf_arena_copy(&r->tmp, s.p, s.len);
    if (!name) return no_room(r);
    bool dots = memchr(s.p, '.', s.len);
    for (uint32_t k = 0; dots && k < s.len; k++)
        if (name[k] == '.') name[k] = '/';
    CfStr to = new_class(r, (CfStr){name, s.len});
    if (!to.p) return false;
    r->out.len = 0;
    cf_w_bytes(&r->out, to.p, to.len);
    for (size_t k = 0; dots && !r->out.bad && k < r->out.len; k++)
        if (r->out.data[k] == '/') r->out.data[k] = '.';
    return !has_failed(r);
}

/* A package has the name that its package-info would get. */
static bool rename_package(Renamer *r, CfStr s) {
    static const char info[] = "/package-info";
    r->out.len = 0;
    cf_w_bytes(&r->out, s.p, s.len);
    cf_w_bytes(&r->out, info, sizeof info - 1);
    CfStr to = has_failed(r) ? (CfStr){NULL, 0} : new_class(r, written(r));
    while (to.len && to.p[to.len - 1] != '/') to.len--;
    if (to.len < 2) return false;
    r->out.len = 0;
    cf_w_bytes(&r->out, to.p, to.len - 1);
    return !has_failed(r);
}

static void note_text(Renamer *r, uint32_t i, bool renamed) {
    if (renamed) r->entry[i] = add_text(r, written(r));
}

static void note_class(Renamer *r, uint32_t i, CfStr s) {
    if (s.len && s.p[0] == '[') return note_text(r, i, rename_text(r, s));
    CfStr to = new_class(r, s);
    if (to.p) r->entry[i] = add_text(r, to);
}

/* The method that an invokedynamic of LambdaMetafactory implements: name of the call, owner its
 * return type, descriptor the first argument of the bootstrap method. */
static uint16_t lambda_name(Renamer *r, const CfConst *k) {
    CfBootstrap b;
    CfStr owner, name, desc, call, calltype;
    if (!r->names->member_name || !cf_bootstrap(r->cf, k->a, &b) || b.args.count == 0 ||
        !cf_member_ref(r->cf, cf_const(r->cf, b.method)->a, &owner, &name, &desc) ||
        !cf_str_is(owner, "java/lang/invoke/LambdaMetafactory") || !cf_name_and_type(r->cf, k->b, &call, &calltype))
        return 0;
    CfDescIter it = cf_desc_start(calltype);
    while (cf_desc_next(&it, &owner)) {}
    if (it.ret.len < 3 || it.ret.p[0] != 'L') return 0;
    return new_member(r, (CfStr){it.ret.p + 1, it.ret.len - 2}, call, cf_name_of(r->cf, cf_index_at(&b.args, 0)));
}

static void note_entry(Renamer *r, uint32_t i) {
    CfConst k = r->cf->consts[i];
    CfStr owner, name, desc, s = cf_name_of(r->cf, i);
    switch (k.tag) {
    case CF_CONST_CLASS: note_class(r, i, s); break;
    case CF_CONST_METHODTYPE: r->entry[i] = new_text(r, k.a); break;
    case CF_CONST_NAMEANDTYPE: r->entry[i] = new_text(r, k.b); break;
    case CF_CONST_PACKAGE: note_text(r, i, rename_package(r, s)); break;
    case CF_CONST_STRING:
        if (!r->entry[i] && r->names->flags & BCI_NAMES_STRINGS) note_text(r, i, rename_string(r, s));
        break;
    case CF_CONST_FIELDREF:
    case CF_CONST_METHODREF:
    case CF_CONST_INTERFACEMETHODREF:
        if (cf_member_ref(r->cf, i, &owner, &name, &desc)) r->entry[i] = new_member(r, owner, name, desc);
        break;
    case CF_CONST_INVOKEDYNAMIC: r->entry[i] = lambda_name(r, &k); break;
    default: break;
    }
    cf_arena_reset(&r->tmp);
}

/* ---- serializable lambdas ----
 *
 * A class that makes some has a compiled method $deserializeLambda$, in which names that the VM gives are compared
 * with strings. Names of members are left alone: the method also switches by their hash codes. */

/* 'c': the call gives the name of a class, 'd': a descriptor, 0: something else. */
static char lambda_part(const Renamer *r, const CfInsn *in) {
    CfStr owner, name, desc;
    if (in->op != CF_OP_INVOKEVIRTUAL || !cf_member_ref(r->cf, in->index, &owner, &name, &desc) ||
        !cf_str_is(owner, "java/lang/invoke/SerializedLambda"))
        return 0;
    if (cf_str_is(name, "getImplClass") || cf_str_is(name, "getFunctionalInterfaceClass")) return 'c';
    return cf_str_is(name, "getImplMethodSignature") || cf_str_is(name, "getFunctionalInterfaceMethodSignature") ? 'd' : 0;
}

static void note_lambda_strings(Renamer *r, const CfCode *code) {
    CfInsn in;
    char part = 0;
    for (uint32_t pc = 0; pc < code->code_len && cf_insn(code->code, code->code_len, pc, &in); pc += in.len) {
        bool ldc = in.op == CF_OP_LDC || in.op == CF_OP_LDC_W;
        if (part && ldc && cf_tag(r->cf, in.index) == CF_CONST_STRING && !r->entry[in.index]) {
            if (part == 'c') note_class(r, in.index, cf_name_of(r->cf, in.index));
            else r->entry[in.index] = new_text(r, cf_const(r->cf, in.index)->a);
            cf_arena_reset(&r->tmp);
        }
        part = lambda_part(r, &in);
    }
}

static void note_lambdas(Renamer *r) {
    CfMember *m =
        cf_find_method(r->cf, CF_STR("$deserializeLambda$"), CF_STR("(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;"));
    CfCode code;
    if (m && m->access & CF_ACC_SYNTHETIC && cf_code(r->cf, m, NULL, &code, NULL) == CF_OK) note_lambda_strings(r, &code);
}

/* Phase 2: what needs no new entry. */
static void change_entries(Renamer *r) {
    for (uint32_t i = 1; i < r->n; i++) {
        CfConst *k = &r->cf->consts[i];
        if (!r->entry[i]) continue;
        if (k->tag == CF_CONST_NAMEANDTYPE) k->b = r->entry[i];
        else if (cf_operands[k->tag].a == CF_CONST_UTF8) k->a = r->entry[i];
    }
}

static uint16_t renamed_pair(Renamer *r, uint16_t nat, uint16_t name) {
    uint16_t k = cf_add_name_and_type(r->cf, cf_utf8(r->cf, name), cf_utf8(r->cf, cf_const(r->cf, nat)->b));
    if (!k) no_room(r);
    return k;
}

/* Phase 3: members with new names. */
static void change_members(Renamer *r) {
    for (uint32_t i = 1; i < r->n; i++) {
        unsigned tag = r->cf->consts[i].tag;
        bool ref = tag >= CF_CONST_FIELDREF && tag <= CF_CONST_INTERFACEMETHODREF;
        if (!r->entry[i] || (!ref && tag != CF_CONST_INVOKEDYNAMIC)) continue;
        uint16_t k = renamed_pair(r, r->cf->consts[i].b, r->entry[i]);
        r->cf->consts[i].b = k ? k : r->cf->consts[i].b;
    }
}

/* ---- attributes ---- */

static CfStr type_name(CfStr desc) {
    return desc.len > 2 && desc.p[0] == 'L' ? (CfStr){desc.p + 1, desc.len - 2} : (CfStr){NULL, 0};
}

static bool is_digit(char ch) { return ch >= '0' && ch <= '9'; }

/* Where the simple name stands in the binary name (JLS 13.1): behind OUTER$ if it is a member, OUTER$ and
 * digits if it is local, or last in the package. Length of OUTER (0: none); false if it does not stand so. */
static bool simple_in_binary(CfStr binary, CfStr simple, uint32_t *outer, bool *local) {
    if (!simple.len || binary.len < simple.len || memcmp(binary.p + binary.len - simple.len, simple.p, simple.len)) return false;
    uint32_t end = binary.len - simple.len, k = end;
    while (k > 0 && is_digit(binary.p[k - 1])) k--;
    *local = k < end;
    *outer = k > 1 && binary.p[k - 1] == '$' ? k - 1 : 0;
    return *outer || end == 0 || binary.p[end - 1] == '/';
}

/* Simple name of an inner class: cut out of the new name as it was out of the old one. */
static uint16_t new_inner_name(Renamer *r, uint16_t simple, uint16_t cls) {
    CfStr old = cf_class_name(r->cf, cls), s = cf_utf8(r->cf, simple);
    CfStr now = old.p ? new_class(r, old) : old;
    uint32_t n;
    bool local;
    if (!now.p || !simple_in_binary(old, s, &n, &local)) return simple;
    CfStr outer = {old.p, n}, part = inner_part(n ? class_or_same(r, outer) : outer, now);
    while (local && part.len && is_digit(part.p[0])) {
        part.p++;
        part.len--;
    }
    if (!part.len || cf_str_eq(part, s)) /* none would make it anonymous */
        return simple;
    uint16_t k = add_text(r, part);
    return k ? k : simple;
}

static bool rename_site(void *ctx, const CfSite *s) {
    Renamer *r = ctx;
    CfStr extra = cf_utf8(r->cf, s->extra), old = cf_utf8(r->cf, s->index);
    uint16_t now = 0;
    switch (s->role) {
    case CF_SITE_DESC:
    case CF_SITE_SIGNATURE: now = new_text(r, s->index); break;
    case CF_SITE_INNER_NAME: now = s->index ? new_inner_name(r, s->index, s->extra) : 0; break;
    case CF_SITE_COMPONENT: now = new_member(r, cf_str(r->self), old, extra); break;
    case CF_SITE_ELEMENT: now = new_member(r, type_name(extra), old, (CfStr){NULL, 0}); break;
    case CF_SITE_ENUM: break; /* Enum.valueOf knows the string given to the constructor, not the field */
    default: break;
    }
    cf_arena_reset(&r->tmp);
    if (!now || now == s->index || r->failed) return !r->failed;
    if (!r->copy) r->copy = cf_arena_copy(r->cf->arena, r->attr->data, r->attr->len);
    if (!r->copy) return no_room(r);
    cf_put_u2(r->copy + (s->at - r->attr->data), now);
    r->changed = true;
    return true;
}

/* Type annotations in classes older than 52 are unknown attributes by table 4.7-B, but HotSpot gives those
 * of classes, fields and methods to reflection all the same. */
static bool is_old_type_annotations(const Renamer *r, const CfAttr *a, CfAttrKind *kind) {
    *kind = a->kind == CF_ATTR_UNKNOWN ? cf_attr_kind(cf_utf8(r->cf, a->name)) : CF_ATTR_UNKNOWN;
    return *kind == CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS || *kind == CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS;
}

static void rename_attr(Renamer *r, CfAttr *a, unsigned where) {
    CfError e;
    CfAttr as = *a;
    CfAttrKind kind;
    bool old = is_old_type_annotations(r, a, &kind);
    if (old) as.kind = (uint16_t)kind;
    cf_err_clear(&e);
    r->attr = a;
    r->copy = NULL;
    CfErrCode rc = cf_attr_sites(r->cf, &as, where, rename_site, r, &e);
    if (rc != CF_OK && old && !r->failed) return; /* malformed is no error in what has no meaning: it stays */
    if (rc != CF_OK && !r->failed) {
        r->failed = true;
        bci_fail_class(r->c, rc, "renaming: %s", e.text);
    }
    if (r->copy) a->data = r->copy;
}

static void rename_attrs(Renamer *r, CfAttrs *as, unsigned where) {
    for (unsigned i = 0; i < as->count && !r->failed; i++) rename_attr(r, &as->v[i], where);
}

/* NameAndType of EnclosingMethod, when class entries still have their old names; 0 = unchanged. */
static uint16_t enclosing_name(Renamer *r) {
    const CfAttr *a = cf_attr(&r->cf->attrs, CF_ATTR_ENCLOSING_METHOD);
    uint16_t cls, nat;
    CfStr name, desc;
    if (!a || cf_enclosing_method(a, &cls, &nat, NULL) != CF_OK || !nat || !cf_name_and_type(r->cf, nat, &name, &desc)) return 0;
    return new_member(r, cf_class_name(r->cf, cls), name, desc);
}

static void set_enclosing(Renamer *r, uint16_t name) {
    CfAttr *a = (CfAttr *)cf_attr(&r->cf->attrs, CF_ATTR_ENCLOSING_METHOD);
    uint8_t *copy = cf_arena_copy(r->cf->arena, a->data, a->len);
    uint16_t k = copy ? renamed_pair(r, cf_get_u2(copy + 2), name) : 0;
    if (k) {
        cf_put_u2(copy + 2, k);
        a->data = copy;
    } else {
        no_room(r);
    }
}

static void rename_members(Renamer *r, CfMember *v, unsigned n, unsigned where) {
    for (unsigned i = 0; i < n && !r->failed; i++) {
        uint16_t name = new_member(r, cf_str(r->self), cf_utf8(r->cf, v[i].name), cf_utf8(r->cf, v[i].desc));
        if (name) v[i].name = name;
        v[i].desc = new_text(r, v[i].desc);
        cf_arena_reset(&r->tmp);
        rename_attrs(r, &v[i].attrs, where);
    }
}

static void rename_all(Renamer *r) {
    CfClass *cf = r->cf;
    uint16_t enclosing = enclosing_name(r);
    note_lambdas(r);
    for (uint32_t i = 1; i < r->n && !r->failed; i++) note_entry(r, i);
    rename_members(r, cf->fields, cf->field_count, CF_IN_FIELD);
    rename_members(r, cf->methods, cf->method_count, CF_IN_METHOD);
    rename_attrs(r, &cf->attrs, CF_IN_CLASS);
    if (r->failed || !r->changed) return;
    change_entries(r);
    cf_pool_changed(cf);
    change_members(r);
    if (enclosing) set_enclosing(r, enclosing);
    cf_pool_changed(cf);
}

CfErrCode bci_rename(BciClass *c, const BciNames *names, CfError *err) {
    if (!bci_handle_ok(c, err)) return err ? err->code : CF_ERR_USAGE;
    for (uint32_t i = 0; i < c->nmethods; i++)
        if (c->methods[i]->decoded) return cf_fail(err, CF_ERR_USAGE, -1, "bci_rename must come before bci_code");
    Renamer r = {.c = c, .cf = c->cf, .names = names, .n = c->cf->const_count};
    cf_arena_init(&r.tmp, "bci-names", 0);
    r.text = calloc(2 * (size_t)r.n, sizeof *r.text);
    r.entry = r.text ? r.text + r.n : NULL;
    r.self = bci_zstr(c, c->cf->name);
    if (r.text && r.self) rename_all(&r);
    else bci_fail_class(c, CF_ERR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < c->nmethods; i++) c->methods[i]->name = c->methods[i]->desc = NULL;
    c->changed |= r.changed;
    free(r.text);
    cf_w_free(&r.out);
    cf_arena_free(&r.tmp);
    if (c->err && err) *err = *c->err;
    return c->err ? c->err->code : CF_OK;
}

/* ---- names from a list ---- */

typedef struct List {
    const BciRenaming *rows;
    size_t n;
    CfWriter buf;
} List;

/* Does class row `row` speak of `name`? The length that it replaces, 0 if not. */
static size_t row_covers(const BciRenaming *row, const char *name) {
    size_t n = strlen(row->owner);
    if (row->name || n == 0 || strncmp(name, row->owner, n)) return 0;
    return row->owner[n - 1] == '/' || name[n] == 0 || name[n] == '$' ? n : 0;
}

static const char *listed_class(void *ctx, const char *name) {
    List *l = ctx;
    const BciRenaming *best = NULL;
    size_t most = 0;
    for (size_t k = 0; k < l->n; k++) {
        size_t n = row_covers(&l->rows[k], name);
        if (n > most) {
            most = n;
            best = &l->rows[k];
        }
    }
    if (!best) return NULL;
    l->buf.len = 0;
    cf_w_bytes(&l->buf, best->to, strlen(best->to));
    cf_w_bytes(&l->buf, name + most, strlen(name + most) + 1);
    return l->buf.bad ? NULL : (const char *)l->buf.data; /* noted at the end */
}

/* Where an annotation names an element there is no descriptor; elements are methods without parameters. */
static bool desc_fits(const char *row, const char *desc) { return !row || (desc ? !strcmp(row, desc) : !strncmp(row, "()", 2)); }

static const char *listed_member(void *ctx, const char *owner, const char *name, const char *desc) {
    const List *l = ctx;
    for (size_t k = 0; k < l->n; k++) {
        const BciRenaming *row = &l->rows[k];
        if (row->name && !strcmp(row->name, name) && !strcmp(row->owner, owner) && desc_fits(row->desc, desc)) return row->to;
    }
    return NULL;
}

CfErrCode bci_rename_list(BciClass *c, const BciRenaming *rows, size_t n, unsigned flags, CfError *err) {
    List l = {.rows = rows, .n = n};
    BciNames names = {&l, listed_class, NULL, flags};
    for (size_t k = 0; k < n; k++)
        if (rows[k].name) names.member_name = listed_member;
    CfErrCode rc = bci_rename(c, &names, err);
    if (l.buf.bad && rc == CF_OK) {
        rc = bci_fail_class(c, CF_ERR_NOMEM, "out of memory");
        cf_fail(err, rc, -1, "out of memory");
    }
    cf_w_free(&l.buf);
    return rc;
}
