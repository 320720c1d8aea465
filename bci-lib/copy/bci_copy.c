/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_copy.c - a method of one class as a method of another: its pool entries are made there.
 *
 * Attributes are copied with the index at every site replaced (cf_attr_sites); attributes that are
 * not known stay behind, since they may hold indices. Code is copied as bytes. Only an ldc whose
 * entry has a number over 255 in the target needs another form: such a body is decoded and edited,
 * and so is one that comes without frames into a class that must have them.
 */
#include "edit/bci_edit.h"

#include <stdlib.h>

typedef struct Wide {
    uint32_t pc;
    uint16_t index;
} Wide;

typedef struct Copier {
    BciClass *to;
    const CfClass *from;
    uint16_t *done;      /* by index in `from`: index in `to`, 0 = not yet */
    unsigned ndone;      /* entries of `from` at the start; it grows if `to` is the same class */
    const uint8_t *base; /* content of the attribute being walked, and the copy */
    uint8_t *copy;
    uint32_t code_at; /* offset of the code in a Code attribute, for `wide` */
    CF_VEC(Wide) wide;
    CfErrCode rc;
} Copier;

static uint16_t take(Copier *k, unsigned i, int depth);

static uint16_t full(Copier *k) {
    if (k->rc == CF_OK) k->rc = cf_no_room(k->to->cf);
    return 0;
}

/* Row of BootstrapMethods in `to` like row `row` of `from`. */
static bool take_bootstrap(Copier *k, unsigned row, uint16_t *out, int depth) {
    CfBootstrap b, have;
    if (depth > 16 || !cf_bootstrap(k->from, row, &b)) {
        k->rc = k->rc != CF_OK ? k->rc : CF_ERR_FORMAT;
        return false;
    }
    uint16_t *args = malloc(2 * ((size_t)b.args.count + 1)), method = take(k, b.method, depth + 1);
    bool ok = args != NULL;
    for (uint32_t n = 0; ok && n < b.args.count; n++) ok = (args[n] = take(k, cf_index_at(&b.args, n), depth + 1)) != 0;
    for (unsigned r = 0; ok && cf_bootstrap(k->to->cf, r, &have); r++) {
        bool same = have.method == method && have.args.count == b.args.count;
        for (uint32_t n = 0; same && n < b.args.count; n++) same = cf_index_at(&have.args, n) == args[n];
        if (same) {
            *out = (uint16_t)r;
            free(args);
            return true;
        }
    }
    ok = ok && method && bci_add_bootstrap(k->to, method, args, b.args.count, out);
    free(args);
    if (!ok) full(k);
    return ok;
}

static uint16_t take_entry(Copier *k, unsigned i, int depth) {
    CfConst e = *cf_const(k->from, i);
    CfOperands of = cf_operands[e.tag];
    bool dynamic = e.tag == CF_CONST_DYNAMIC || e.tag == CF_CONST_INVOKEDYNAMIC;
    if (dynamic ? !take_bootstrap(k, e.a, &e.a, depth) : of.a && !(e.a = take(k, e.a, depth))) return 0;
    if (of.b && !(e.b = take(k, e.b, depth))) return 0;
    return e.tag == CF_CONST_NONE ? 0 : cf_add_like(k->to->cf, &e);
}

/* The entry of `to` that is like entry `i` of `from`; 0 stays 0. */
static uint16_t take(Copier *k, unsigned i, int depth) {
    if (i >= k->ndone && k->rc == CF_OK) k->rc = CF_ERR_FORMAT;
    if (i == 0 || k->rc != CF_OK) return 0;
    if (cf_const_info[cf_tag(k->from, i)].since > k->to->cf->major) {
        k->rc = CF_ERR_USAGE;
        return 0;
    }
    if (!k->done[i] && !(k->done[i] = take_entry(k, i, depth))) full(k);
    return k->done[i];
}

static bool take_site(void *ctx, const CfSite *s) {
    Copier *k = ctx;
    if (s->role == CF_SITE_OPAQUE) return true;
    uint16_t now = take(k, s->index, 0);
    size_t at = (size_t)(s->at - k->base);
    if (s->role != CF_SITE_LDC) cf_put_u2(k->copy + at, now);
    else if (now <= 255) k->copy[at] = (uint8_t)now;
    else if (!cf_vec_push(&k->wide, ((Wide){(uint32_t)at - 1 - k->code_at, now}))) k->rc = CF_ERR_NOMEM;
    return k->rc == CF_OK;
}

/* The content of `a` in the terms of the target; NULL on failure. */
static uint8_t *take_attr(Copier *k, const CfAttr *a, unsigned where) {
    k->base = a->data;
    k->copy = cf_arena_copy(&k->to->arena, a->data, a->len);
    k->code_at = 8;
    if (!k->copy) k->rc = CF_ERR_NOMEM;
    CfErrCode rc = k->copy ? cf_attr_sites(k->from, a, where, take_site, k, NULL) : CF_OK;
    if (rc != CF_OK && k->rc == CF_OK) k->rc = rc;
    return k->rc == CF_OK ? k->copy : NULL;
}

/* Attributes inside Code that are not known are left out; the new length. */
static size_t drop_unknown(const CfCode *code, const CfAttr *a, uint8_t *copy) {
    size_t head = 8 + (size_t)code->code_len + 2 + 8 * (size_t)code->handlers.count;
    uint8_t *p = copy + head + 2;
    unsigned n = 0;
    for (unsigned i = 0; i < code->attrs.count; i++) {
        const CfAttr *in = &code->attrs.v[i];
        if (in->kind == CF_ATTR_UNKNOWN) continue;
        memmove(p, copy + (in->data - 6 - a->data), 6 + (size_t)in->len);
        p += 6 + (size_t)in->len;
        n++;
    }
    cf_put_u2(copy + head, n);
    return (size_t)(p - copy);
}

static bool put_attr(Copier *k, CfMember *m, const CfAttr *a, const uint8_t *data, size_t len) {
    if (k->rc == CF_OK) k->rc = cf_attr_set(k->to->cf, &m->attrs, cf_attr_info[a->kind].name, data, len);
    return k->rc == CF_OK;
}

/* Kinds of constants that an older class may hold, but not its instructions name. */
static bool instructions_fit(BciMethod *m, const CfCode *code, const CfClass *from) {
    CfInsn i;
    for (uint32_t pc = 0; pc < code->code_len && cf_insn(code->code, code->code_len, pc, &i); pc += i.len)
        if (cf_op_info[i.op].flags & CF_OF_CP && !bci_version_allows(m, i.op, cf_tag(from, i.index))) return false;
    return true;
}

static bool copy_code(Copier *k, BciMethod *m, const CfMember *from, const CfAttr *a) {
    CfCode code;
    if ((k->rc = cf_code(k->from, from, &k->to->arena, &code, NULL)) != CF_OK) return false;
    k->wide.len = 0;
    uint8_t *data = take_attr(k, a, CF_IN_METHOD);
    if (!data || (k->to->cf->major < k->from->major && !instructions_fit(m, &code, k->from)) ||
        !put_attr(k, bci_member(m), a, data, drop_unknown(&code, a, data)))
        return false;
    bool map = cf_attr(&code.attrs, CF_ATTR_STACK_MAP_TABLE);
    bool frames = !map && k->from->major <= 50 && k->to->cf->major >= 50 && k->from != k->to->cf;
    m->copied = true;
    m->no_frames = frames;
    m->decoded = false;
    m->code = NULL;
    if (k->wide.len == 0 && !frames) return true;
    BciCode *list = bci_code(m);
    if (!list) return false;
    if (frames && list->has_jsr && k->to->cf->major > 50)
        return bci_refuse(m, CF_ERR_USAGE, BCI_NO_PC, "jsr cannot be copied into class version %u", k->to->cf->major);
    for (uint32_t n = 0; n < k->wide.len; n++) bci_set_index(list, bci_insn_at(list, k->wide.data[n].pc), k->wide.data[n].index);
    bci_touch(list);
    return true;
}

static bool begin(Copier *k) {
    k->ndone = k->from->const_count;
    k->done = calloc(k->ndone, sizeof *k->done);
    if (!k->done) bci_fail_class(k->to, CF_ERR_NOMEM, "out of memory");
    return k->done != NULL;
}

static bool start(Copier *k, BciMethod *report, BciClass *to, const BciMethod *from) {
    *k = (Copier){.to = to, .from = from->cls->cf};
    if (report) report->call_file = NULL; /* checked mode: its last call has nothing to do with this */
    const CfError *before = from->err ? from->err : from->cls->err;
    if (before && before->code == CF_ERR_NOMEM) return bci_refuse_class(to, CF_ERR_NOMEM, "out of memory");
    if (from->err || from->cls->err || (from->code && from->code->changed && !from->code->written))
        return bci_refuse_class(to, CF_ERR_USAGE, "method to be copied has failed, or has unwritten edits");
    if ((report && report->err) || to->err || to->written) return false;
    return begin(k);
}

static const char *reason(CfErrCode rc) {
    return rc == CF_ERR_USAGE   ? "copy needs a newer class version"
           : rc == CF_ERR_LIMIT ? "copy: constant pool is full"
           : rc == CF_ERR_NOMEM ? "out of memory"
                                : "copy: malformed attribute";
}

static bool end(Copier *k, BciMethod *m) {
    free(k->done);
    cf_vec_free(&k->wide);
    if (k->rc != CF_OK && m) bci_fail(m, k->rc, BCI_NO_PC, "%s", reason(k->rc));
    k->to->changed = true;
    return k->rc == CF_OK && m && !m->err;
}

BciMethod *bci_copy_method(BciClass *to, BciMethod *from, const char *name) {
    Copier k;
    BciMethod *m = NULL;
    if (!to || !from || !start(&k, NULL, to, from)) return NULL;
    unsigned access = bci_method_access(from);
    const char *desc = bci_zstr(to, cf_utf8(k.from, bci_member(from)->desc));
    name = name ? name : bci_zstr(to, cf_utf8(k.from, bci_member(from)->name));
    if (name && desc) m = bci_add_method(to, access, name, desc);
    for (unsigned i = 0; m && i < bci_member(from)->attrs.count && k.rc == CF_OK && !m->err; i++) {
        const CfMember *src = bci_member(from); /* moves when `to` is the same class */
        CfAttr a = src->attrs.v[i];
        if (a.kind == CF_ATTR_CODE) {
            copy_code(&k, m, src, &a);
        } else if (a.kind != CF_ATTR_UNKNOWN) {
            uint8_t *data = take_attr(&k, &a, CF_IN_METHOD);
            if (data) put_attr(&k, bci_member(m), &a, data, a.len);
        }
    }
    return end(&k, m) ? m : NULL;
}

bool bci_copy_body(BciMethod *to, BciMethod *from) {
    Copier k;
    if (!to || !from || !start(&k, to, to->cls, from)) return false;
    const CfMember *src = bci_member(from), *dst = bci_member(to);
    CfAttr *a = (CfAttr *)cf_attr(&src->attrs, CF_ATTR_CODE);
    if (!a || !cf_attr(&dst->attrs, CF_ATTR_CODE) || !cf_str_eq(cf_utf8(k.from, src->desc), cf_utf8(to->cls->cf, dst->desc)) ||
        ((src->access ^ dst->access) & CF_ACC_STATIC))
        bci_fail(to, CF_ERR_USAGE, BCI_NO_PC,
                 "a body can only come from a method with one, of the same descriptor, static or not");
    else copy_code(&k, to, src, &(CfAttr){a->name, a->kind, a->len, a->data});
    return end(&k, to);
}

bool bci_copy_field(BciClass *to, const BciClass *from, const char *name, const char *desc, const char *as) {
    if (!to || !from || to->err || to->written) return false;
    Copier k = {.to = to, .from = from->cf};
    CfStr n = cf_str(name), d = cf_str(desc);
    const CfMember *src = cf_find_field(from->cf, n, d);
    as = as ? as : name;
    if (from->err || !src)
        return bci_refuse_class(to, CF_ERR_USAGE, "field %s %s cannot be copied: %s", name, desc,
                                from->err ? "its class has failed" : "it does not exist");
    if (!bci_add_field(to, src->access, as, desc) || !begin(&k)) return false;
    for (unsigned i = 0; i < cf_find_field(from->cf, n, d)->attrs.count && k.rc == CF_OK; i++) {
        CfAttr a = cf_find_field(from->cf, n, d)->attrs.v[i]; /* moves when `to` is the same class */
        uint8_t *data = a.kind == CF_ATTR_UNKNOWN ? NULL : take_attr(&k, &a, CF_IN_FIELD);
        if (data) put_attr(&k, cf_find_field(to->cf, cf_str(as), d), &a, data, a.len);
    }
    if (k.rc != CF_OK) bci_fail_class(to, k.rc, "field %s %s: %s", name, desc, reason(k.rc));
    end(&k, NULL);
    return k.rc == CF_OK;
}
