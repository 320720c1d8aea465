/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_sites.c - every place in an attribute that holds a constant-pool index.
 *
 * The one walker behind renaming, copying between classes and collecting the pool: each of them is a
 * callback that reads or replaces the index at a site. Contents are read with bounds like all input;
 * a malformed attribute ends the walk with an error, an unknown one is a site of role OPAQUE.
 */
#include "cf_int.h"

typedef struct Walk {
    const CfClass *c;
    CfReader r;
    CfSiteFn fn;
    void *ctx;
    bool stopped;
} Walk;

static bool tell(Walk *w, CfSiteRole role, uint16_t extra, const uint8_t *at, uint16_t index) {
    CfSite s = {role, index, extra, at};
    if (!w->fn(w->ctx, &s)) w->stopped = true;
    return !w->stopped;
}

/* The u2 at the reader; `index` gets it (may be NULL). */
static bool site(Walk *w, CfSiteRole role, uint16_t extra, uint16_t *index) {
    const uint8_t *at = cf_r_take(&w->r, 2);
    if (!at) return false;
    if (index) *index = cf_get_u2(at);
    return tell(w, role, extra, at, cf_get_u2(at));
}

static bool entry(Walk *w) { return site(w, CF_SITE_ENTRY, 0, NULL); }

static bool entries(Walk *w) {
    for (unsigned n = cf_r_u2(&w->r); n; n--)
        if (!entry(w)) return false;
    return !w->r.bad;
}

static bool skip(Walk *w, size_t n) { return cf_r_take(&w->r, n) != NULL || n == 0; }

/* ---- annotations (4.7.16 - 4.7.22) ---- */

static bool annotation(Walk *w, unsigned depth);

static bool element(Walk *w, unsigned depth) {
    uint16_t type;
    if (depth == CF_ELEMENT_DEPTH) return false;
    char tag = (char)cf_r_u1(&w->r);
    switch (tag) {
    case 's': return site(w, CF_SITE_TEXT, 0, NULL);
    case 'c': return site(w, CF_SITE_DESC, 0, NULL);
    case 'e': return site(w, CF_SITE_DESC, 0, &type) && site(w, CF_SITE_ENUM, type, NULL);
    case '@': return annotation(w, depth + 1);
    case '[':
        for (unsigned n = cf_r_u2(&w->r); n; n--)
            if (!element(w, depth + 1)) return false;
        return !w->r.bad;
    default: return cf_is_primitive(tag) && entry(w);
    }
}

static bool annotation(Walk *w, unsigned depth) {
    uint16_t type;
    if (!site(w, CF_SITE_DESC, 0, &type)) return false;
    for (unsigned n = cf_r_u2(&w->r); n; n--)
        if (!site(w, CF_SITE_ELEMENT, type, NULL) || !element(w, depth)) return false;
    return !w->r.bad;
}

static bool annotations(Walk *w) {
    for (unsigned n = cf_r_u2(&w->r); n; n--)
        if (!annotation(w, 0)) return false;
    return !w->r.bad;
}

static bool parameter_annotations(Walk *w) {
    for (unsigned n = cf_r_u1(&w->r); n; n--)
        if (!annotations(w)) return false;
    return !w->r.bad;
}

static bool type_annotation(Walk *w) {
    CfTypeAnnotation t;
    return cf_type_target_read(&w->r, &t) && annotation(w, 0);
}

static bool type_annotations(Walk *w) {
    for (unsigned n = cf_r_u2(&w->r); n; n--)
        if (!type_annotation(w)) return false;
    return !w->r.bad;
}

/* ---- Code (4.7.3) and its tables ---- */

static bool attribute(Walk *w, CfAttrKind kind, unsigned where);

static bool attributes(Walk *w, unsigned where) {
    for (unsigned n = cf_r_u2(&w->r); n; n--) {
        uint16_t name;
        if (!site(w, CF_SITE_NAME, 0, &name)) return false;
        size_t len = cf_r_u4(&w->r);
        const uint8_t *data = cf_r_take(&w->r, len);
        if (!data || cf_tag(w->c, name) != CF_CONST_UTF8) return false;
        CfReader outer = w->r;
        w->r = cf_reader(data, len);
        bool ok = attribute(w, cf_kind_at(w->c, name, where), where) && cf_r_left(&w->r) == 0;
        w->r = outer;
        if (!ok) return false;
    }
    return !w->r.bad;
}

static bool instructions(Walk *w, const uint8_t *code, uint32_t len) {
    uint32_t size;
    for (uint32_t pc = 0; pc < len; pc += size) {
        size = cf_insn_length(code, len, pc);
        if (size == 0) return false;
        const CfOpInfo *o = &cf_op_info[code[pc]];
        if (!(o->flags & CF_OF_CP)) continue;
        const uint8_t *at = code + pc + 1;
        bool narrow = o->format == CF_FMT_CP1;
        if (!tell(w, narrow ? CF_SITE_LDC : CF_SITE_ENTRY, 0, at, narrow ? *at : cf_get_u2(at))) return false;
    }
    return true;
}

static bool code(Walk *w) {
    skip(w, 4);
    uint32_t len = cf_r_u4(&w->r);
    const uint8_t *p = cf_r_take(&w->r, len);
    if (!p || !instructions(w, p, len)) return false;
    for (unsigned n = cf_r_u2(&w->r); n; n--)
        if (!skip(w, 6) || !entry(w)) return false;
    return attributes(w, CF_IN_CODE);
}

static bool map_types(Walk *w, CfMapTypes types) {
    uint8_t tag;
    uint16_t data;
    for (const uint8_t *at = types.p; cf_map_type_next(&types, &tag, &data); at = types.p)
        if (tag == CF_VTAG_OBJECT && !tell(w, CF_SITE_ENTRY, 0, at + 1, data)) return false;
    return true;
}

static bool stack_map(Walk *w) {
    size_t len = cf_r_left(&w->r);
    CfAttr a = {.kind = CF_ATTR_STACK_MAP_TABLE, .len = (uint32_t)len, .data = w->r.p};
    CfMapIter it;
    CfMapFrame f;
    int rc;
    if (cf_map_start(&a, &it, NULL) != CF_OK) return false;
    while ((rc = cf_map_next(&it, &f)) > 0)
        if (!map_types(w, f.locals) || !map_types(w, f.stack)) return false;
    return rc == 0 && skip(w, len);
}

static bool variables(Walk *w, CfSiteRole role) {
    for (unsigned n = cf_r_u2(&w->r); n; n--)
        if (!skip(w, 4) || !site(w, CF_SITE_NAME, 0, NULL) || !site(w, role, 0, NULL) || !skip(w, 2)) return false;
    return !w->r.bad;
}

/* ---- tables of the class ---- */

static bool inner_classes(Walk *w) {
    for (unsigned n = cf_r_u2(&w->r); n; n--) {
        uint16_t inner;
        if (!site(w, CF_SITE_ENTRY, 0, &inner) || !entry(w) || !site(w, CF_SITE_INNER_NAME, inner, NULL) || !skip(w, 2))
            return false;
    }
    return !w->r.bad;
}

static bool bootstraps(Walk *w) {
    for (unsigned n = cf_r_u2(&w->r); n; n--)
        if (!entry(w) || !entries(w)) return false;
    return !w->r.bad;
}

static bool parameters(Walk *w) {
    for (unsigned n = cf_r_u1(&w->r); n; n--)
        if (!site(w, CF_SITE_NAME, 0, NULL) || !skip(w, 2)) return false;
    return !w->r.bad;
}

/* exports, opens: package, flags, modules; provides: class, classes */
static bool module_rows(Walk *w, size_t flags) {
    for (unsigned n = cf_r_u2(&w->r); n; n--)
        if (!entry(w) || !skip(w, flags) || !entries(w)) return false;
    return !w->r.bad;
}

static bool module(Walk *w) {
    if (!entry(w) || !skip(w, 2) || !site(w, CF_SITE_NAME, 0, NULL)) return false;
    for (unsigned n = cf_r_u2(&w->r); n; n--)
        if (!entry(w) || !skip(w, 2) || !site(w, CF_SITE_NAME, 0, NULL)) return false;
    return module_rows(w, 2) && module_rows(w, 2) && entries(w) && module_rows(w, 0);
}

static bool record(Walk *w) {
    for (unsigned n = cf_r_u2(&w->r); n; n--) {
        uint16_t desc = cf_r_left(&w->r) >= 4 ? cf_get_u2(w->r.p + 2) : 0;
        if (!site(w, CF_SITE_COMPONENT, desc, NULL) || !site(w, CF_SITE_DESC, 0, NULL) || !attributes(w, CF_IN_RECORD))
            return false;
    }
    return !w->r.bad;
}

static bool attribute(Walk *w, CfAttrKind kind, unsigned where) {
    switch ((CfAttrForm)cf_attr_info[kind].form) {
    case CF_FORM_EMPTY:
    case CF_FORM_BYTES: return skip(w, cf_r_left(&w->r));
    case CF_FORM_INDEX: return entry(w);
    case CF_FORM_INDICES: return entries(w);
    case CF_FORM_NAME: return site(w, CF_SITE_NAME, 0, NULL);
    case CF_FORM_SIGNATURE: return site(w, CF_SITE_SIGNATURE, 0, NULL);
    case CF_FORM_OWN: break;
    }
    switch (kind) {
    case CF_ATTR_CODE: return code(w);
    case CF_ATTR_STACK_MAP_TABLE: return stack_map(w);
    case CF_ATTR_ENCLOSING_METHOD: return entry(w) && entry(w);
    case CF_ATTR_INNER_CLASSES: return inner_classes(w);
    case CF_ATTR_LOCAL_VARIABLE_TABLE: return variables(w, CF_SITE_DESC);
    case CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE: return variables(w, CF_SITE_SIGNATURE);
    case CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS: return annotations(w);
    case CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_PARAMETER_ANNOTATIONS: return parameter_annotations(w);
    case CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS: return type_annotations(w);
    case CF_ATTR_ANNOTATION_DEFAULT: return element(w, 0);
    case CF_ATTR_BOOTSTRAP_METHODS: return bootstraps(w);
    case CF_ATTR_METHOD_PARAMETERS: return parameters(w);
    case CF_ATTR_MODULE: return module(w);
    case CF_ATTR_RECORD: return record(w);
    default: break; /* nobody knows it */
    }
    return tell(w, CF_SITE_OPAQUE, 0, w->r.p, 0) && skip(w, cf_r_left(&w->r));
}

CfErrCode cf_attr_sites(const CfClass *c, const CfAttr *a, unsigned where, CfSiteFn fn, void *ctx, CfError *err) {
    Walk w = {.c = c, .r = cf_reader(a->data, a->len), .fn = fn, .ctx = ctx};
    bool ok = attribute(&w, (CfAttrKind)a->kind, where) && cf_r_left(&w.r) == 0;
    if (ok) return CF_OK;
    CfStr n = cf_utf8(c, a->name);
    return w.stopped ? CF_ERR_USAGE
                     : cf_fail(err, CF_ERR_FORMAT, cf_offset_of(c, a->data), "Malformed %.*s attribute", CF_STR_ARGS(n));
}
