/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_attribute.c - attributes (JVMS 4.7): names, framing of the known ones.
 *
 * A decoder here answers one question only: does the content consist of what its counts say, to
 * the last byte? Meaning of indices and pcs is checked in cf_check.c, so that tools can walk odd
 * files.
 */
#include "cf_int.h"

const CfAttrInfo cf_attr_info[CF_ATTR_KINDS] = {
#define ATTRIBUTE(NAME, name, where, since, one, form) \
    [CF_ATTR_##NAME] = {name, sizeof(name) - 1, (where), since, one, CF_FORM_##form},
#include "attributes.def"
#undef ATTRIBUTE
};

CfAttrKind cf_attr_kind(CfStr s) {
    if (!cf_maybe_attr(s)) return CF_ATTR_UNKNOWN;
    for (unsigned k = 1; k < CF_ATTR_KINDS; k++)
        if (cf_attr_info[k].len == s.len && memcmp(cf_attr_info[k].name, s.p, s.len) == 0) return (CfAttrKind)k;
    return CF_ATTR_UNKNOWN;
}

CfErrCode cf_malformed(const CfAttr *a, CfError *err) {
    return cf_fail(err, CF_ERR_FORMAT, -1, "Malformed %s attribute",
                   a->kind < CF_ATTR_KINDS && a->kind ? cf_attr_info[a->kind].name : "unknown");
}

/* count, then rows of `size` bytes, nothing else. */
static CfErrCode rows(const CfAttr *a, unsigned count_bytes, unsigned size, CfRows *out, CfError *err) {
    *out = (CfRows){0};
    if (a->len < count_bytes) return cf_malformed(a, err);
    uint32_t n = count_bytes == 1 ? a->data[0] : cf_get_u2(a->data);
    if (a->len - count_bytes != n * size) return cf_malformed(a, err);
    *out = (CfRows){a->data + count_bytes, n};
    return CF_OK;
}

CfErrCode cf_lines(const CfAttr *a, CfRows *out, CfError *err) { return rows(a, 2, 4, out, err); }
CfErrCode cf_local_vars(const CfAttr *a, CfRows *out, CfError *err) { return rows(a, 2, 10, out, err); }
CfErrCode cf_index_list(const CfAttr *a, CfRows *out, CfError *err) { return rows(a, 2, 2, out, err); }
CfErrCode cf_inner_classes(const CfAttr *a, CfRows *out, CfError *err) { return rows(a, 2, 8, out, err); }
CfErrCode cf_method_parameters(const CfAttr *a, CfRows *out, CfError *err) { return rows(a, 1, 4, out, err); }

CfErrCode cf_enclosing_method(const CfAttr *a, uint16_t *cls, uint16_t *nat, CfError *err) {
    *cls = *nat = 0;
    if (a->len != 4) return cf_malformed(a, err);
    *cls = cf_get_u2(a->data);
    *nat = cf_get_u2(a->data + 2);
    return CF_OK;
}

CfStr cf_signature(const CfClass *c, const CfAttrs *as) { return cf_utf8(c, cf_attr_index(cf_attr(as, CF_ATTR_SIGNATURE))); }

/* ------------------------------------------------------------------------ Code (4.7.3) */

/* Reads what is there: after a failure *out holds the parts before it. */
CfErrCode cf_read_code_of(const CfClass *c, const CfAttr *a, uint32_t declared, CfArena *scratch, CfCode *out, CfError *err) {
    *out = (CfCode){0};
    CfReader r = cf_reader(a->data, a->len);
    out->max_stack = cf_r_u2(&r);
    out->max_locals = cf_r_u2(&r);
    out->code_len = cf_r_u4(&r);
    CfMsgName b;
    if (!r.bad && (out->code_len == 0 || out->code_len > 65535)) {
        return cf_fail(err, CF_ERR_FORMAT, cf_offset_of(c, a->data + 4), "Invalid method Code length %u in class file %s",
                       out->code_len, cf_msg_name(&b, c, NULL));
    }
    out->code = cf_r_take(&r, out->code_len);
    uint32_t handlers = cf_r_u2(&r);
    const uint8_t *rows = cf_r_take(&r, 8 * (size_t)handlers);
    if (r.bad) return cf_fail(err, CF_ERR_FORMAT, cf_offset_of(c, a->data), "Truncated class file");
    out->handlers = (CfRows){rows, handlers};
    CF_TRY(cf_read_attrs(c, &r, CF_IN_CODE, scratch, &out->attrs, err));
    if (cf_r_pos(&r) != declared)
        return cf_fail(err, CF_ERR_FORMAT, cf_offset_of(c, r.p), "Code segment has wrong length in class file %s",
                       cf_msg_name(&b, c, NULL));
    return CF_OK;
}

CfErrCode cf_read_code(const CfClass *c, const CfAttr *a, CfArena *scratch, CfCode *out, CfError *err) {
    return cf_read_code_of(c, a, a->len, scratch, out, err);
}

CfErrCode cf_code(const CfClass *c, const CfMember *m, CfArena *scratch, CfCode *out, CfError *err) {
    *out = (CfCode){0};
    const CfAttr *a = cf_attr(&m->attrs, CF_ATTR_CODE);
    CfErrCode rc = a ? cf_read_code(c, a, scratch, out, err) : CF_OK;
    if (rc != CF_OK) *out = (CfCode){0};
    return rc;
}

/* ------------------------------------------------------------------------ BootstrapMethods
 * (4.7.23) */

CfErrCode cf_bootstraps(const CfAttr *a, CfBootstraps *out, CfError *err) {
    *out = (CfBootstraps){0};
    CfReader r = cf_reader(a->data, a->len);
    unsigned n = cf_r_u2(&r);
    const uint8_t *first = r.p;
    for (unsigned i = 0; i < n && !r.bad; i++) {
        cf_r_u2(&r);
        unsigned args = cf_r_u2(&r);
        cf_r_take(&r, 2u * args);
    }
    if (r.bad || cf_r_left(&r)) return cf_malformed(a, err);
    *out = (CfBootstraps){n, first, r.end};
    return CF_OK;
}

bool cf_bootstrap_next(CfBootstraps *t, CfBootstrap *out) {
    if (t->p == t->end) return false;
    out->method = cf_get_u2(t->p);
    out->args = (CfRows){t->p + 4, cf_get_u2(t->p + 2)};
    t->p = out->args.p + 2 * (size_t)out->args.count;
    return true;
}

bool cf_bootstrap(const CfClass *c, unsigned i, CfBootstrap *out) {
    const CfAttr *a = cf_attr(&c->attrs, CF_ATTR_BOOTSTRAP_METHODS);
    CfBootstraps t;
    if (!a || cf_bootstraps(a, &t, NULL) != CF_OK) return false;
    while (cf_bootstrap_next(&t, out))
        if (i-- == 0) return true;
    return false;
}

/* ------------------------------------------------------------------------ Record (4.7.30) */

static bool skip_attrs(CfReader *r) {
    unsigned n = cf_r_u2(r);
    for (unsigned i = 0; i < n && !r->bad; i++) {
        cf_r_u2(r);
        cf_r_take(r, cf_r_u4(r));
    }
    return !r->bad;
}

CfErrCode cf_record(const CfAttr *a, CfComponents *out, CfError *err) {
    *out = (CfComponents){0};
    CfReader r = cf_reader(a->data, a->len);
    unsigned n = cf_r_u2(&r);
    const uint8_t *first = r.p;
    for (unsigned i = 0; i < n && !r.bad; i++) {
        cf_r_u4(&r);
        skip_attrs(&r);
    }
    if (r.bad || cf_r_left(&r)) return cf_malformed(a, err);
    *out = (CfComponents){n, first, r.end};
    return CF_OK;
}

bool cf_component_next(const CfClass *c, CfComponents *t, CfArena *scratch, CfComponent *out) {
    if (t->p == t->end) return false;
    CfReader r = cf_reader(t->p, (size_t)(t->end - t->p));
    out->name = cf_r_u2(&r);
    out->desc = cf_r_u2(&r);
    if (cf_read_attrs(c, &r, CF_IN_RECORD, scratch, &out->attrs, NULL) != CF_OK) return false;
    t->p = r.p;
    return true;
}

/* ------------------------------------------------------------------------ Module (4.7.25) */

/* Steps over `n` rows of: head bytes, count, indices. */
static const uint8_t *module_rows(CfReader *r, unsigned head, uint16_t *count) {
    *count = cf_r_u2(r);
    const uint8_t *first = r->p;
    for (unsigned i = 0; i < *count && !r->bad; i++) {
        cf_r_take(r, head);
        unsigned with = cf_r_u2(r);
        cf_r_take(r, 2u * with);
    }
    return first;
}

CfErrCode cf_module(const CfAttr *a, CfModule *out, CfError *err) {
    *out = (CfModule){0};
    CfReader r = cf_reader(a->data, a->len);
    CfModule m = {0};
    m.name = cf_r_u2(&r);
    m.flags = cf_r_u2(&r);
    m.version = cf_r_u2(&r);
    m.require.count = cf_r_u2(&r);
    m.require.p = cf_r_take(&r, 6 * (size_t)m.require.count);
    m.exports = module_rows(&r, 4, &m.exports_count);
    m.opens = module_rows(&r, 4, &m.opens_count);
    m.uses.count = cf_r_u2(&r);
    m.uses.p = cf_r_take(&r, 2 * (size_t)m.uses.count);
    m.provides = module_rows(&r, 2, &m.provides_count);
    m.end = r.p;
    if (r.bad || cf_r_left(&r)) return cf_malformed(a, err);
    *out = m;
    return CF_OK;
}

void cf_module_next(const uint8_t **p, bool has_flags, CfModuleRow *out) {
    const uint8_t *q = *p;
    out->what = cf_get_u2(q);
    q += 2;
    out->flags = 0;
    if (has_flags) {
        out->flags = cf_get_u2(q);
        q += 2;
    }
    out->with = (CfRows){q + 2, cf_get_u2(q)};
    *p = out->with.p + 2 * (size_t)out->with.count;
}
