/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_annotation.c - annotations (JVMS 4.7.16 - 4.7.22) as views into the attribute.
 *
 * A decoder of an attribute steps over all of it once: counts and tags must use it up to the last byte. The
 * walks behind it read what was seen to be there, but keep to their end all the same. Stepping over a value
 * recurs as deep as values are nested, at most CF_ELEMENT_DEPTH: annotation types cannot contain themselves
 * (JLS 9.6.1), so real ones are a few deep.
 */
#include "cf_int.h"

static bool skip_pairs(CfReader *r, unsigned depth);

static bool skip_value(CfReader *r, unsigned depth) {
    if (depth == CF_ELEMENT_DEPTH) return false;
    unsigned tag = cf_r_u1(r);
    if (tag && strchr("BCDFIJSZsce@", (int)tag)) cf_r_take(r, tag == 'e' ? 4 : 2);
    else if (tag != '[') return false;
    if (tag == '@') return skip_pairs(r, depth + 1);
    for (unsigned n = tag == '[' ? cf_r_u2(r) : 0; n; n--)
        if (!skip_value(r, depth + 1)) return false;
    return !r->bad;
}

static bool skip_pairs(CfReader *r, unsigned depth) {
    for (unsigned n = cf_r_u2(r); n; n--) {
        cf_r_take(r, 2);
        if (!skip_value(r, depth)) return false;
    }
    return !r->bad;
}

/* The elements from `from`, where their count stands, to the reader. */
static CfElements elements(const uint8_t *from, const CfReader *r, bool named) {
    return (CfElements){cf_get_u2(from), from + 2, r->p, named};
}

bool cf_annotation_read(CfReader *r, CfAnnotation *out) {
    const uint8_t *from = r->p;
    *out = (CfAnnotation){0};
    cf_r_take(r, 2);
    if (!skip_pairs(r, 0)) return false;
    *out = (CfAnnotation){cf_get_u2(from), elements(from + 2, r, true)};
    return true;
}

bool cf_element_read(CfReader *r, bool named, CfElement *out) {
    *out = (CfElement){0};
    uint16_t name = named ? cf_r_u2(r) : 0;
    const uint8_t *from = r->p;
    if (!skip_value(r, 0)) return false;
    *out = (CfElement){.name = name, .tag = from[0]};
    if (out->tag == '[') {
        out->values = elements(from + 1, r, false);
        return true;
    }
    out->a = cf_get_u2(from + 1);
    if (out->tag == 'e') out->b = cf_get_u2(from + 3);
    if (out->tag == '@') out->values = elements(from + 3, r, true);
    return true;
}

/* ---- type annotations (4.7.20) ---- */

const CfTarget cf_targets[CF_TARGET_TYPES] = {
#define TARGET(type, name, form) [type] = {#name, CF_TARGET_##form},
#include "type_targets.def"
#undef TARGET
};

static bool read_target(CfReader *r, CfTypeAnnotation *t) {
    t->target = cf_r_u1(r);
    if (t->target >= CF_TARGET_TYPES || !cf_targets[t->target].name) return false;
    switch (cf_targets[t->target].form) {
    case CF_TARGET_NONE: break;
    case CF_TARGET_BYTE: t->index = cf_r_u1(r); break;
    case CF_TARGET_SHORT: t->index = cf_r_u2(r); break;
    case CF_TARGET_OFFSET: t->pc = cf_r_u2(r); break;
    case CF_TARGET_BOUND:
        t->index = cf_r_u1(r);
        t->inner = cf_r_u1(r);
        break;
    case CF_TARGET_ARGUMENT:
        t->pc = cf_r_u2(r);
        t->inner = cf_r_u1(r);
        break;
    case CF_TARGET_RANGES: t->ranges.count = cf_r_u2(r); t->ranges.p = cf_r_take(r, 6 * (size_t)t->ranges.count);
    }
    return !r->bad;
}

bool cf_type_target_read(CfReader *r, CfTypeAnnotation *out) {
    *out = (CfTypeAnnotation){0};
    if (!read_target(r, out)) return false;
    out->path.count = cf_r_u1(r);
    out->path.p = cf_r_take(r, 2 * (size_t)out->path.count);
    return !r->bad;
}

bool cf_type_annotation_read(CfReader *r, CfTypeAnnotation *out) {
    if (cf_type_target_read(r, out) && cf_annotation_read(r, &out->annotation)) return true;
    *out = (CfTypeAnnotation){0};
    return false;
}

/* ---- attributes ---- */

static CfAnnotations rest(const CfReader *r, uint32_t count) { return (CfAnnotations){count, r->p, r->end}; }

/* The annotations at the reader, their count first. */
static bool read_list(CfReader *r, CfAnnotations *out) {
    CfAnnotation a;
    unsigned count = cf_r_u2(r);
    *out = rest(r, count);
    for (uint32_t n = out->count; n; n--)
        if (!cf_annotation_read(r, &a)) return false;
    out->end = r->p;
    return !r->bad;
}

/* Nothing may be left behind the list. */
static CfErrCode all_read(bool ok, const CfReader *r, const CfAttr *a, CfAnnotations *out, CfError *err) {
    if (ok && cf_r_left(r) == 0) return CF_OK;
    *out = (CfAnnotations){0};
    return cf_malformed(a, err);
}

CfErrCode cf_annotations(const CfAttr *a, CfAnnotations *out, CfError *err) {
    CfReader r = cf_reader(a->data, a->len);
    return all_read(read_list(&r, out), &r, a, out, err);
}

CfErrCode cf_parameter_annotations(const CfAttr *a, CfAnnotations *out, CfError *err) {
    CfReader r = cf_reader(a->data, a->len);
    unsigned n = cf_r_u1(&r);
    CfAnnotations one;
    *out = rest(&r, n);
    bool ok = !r.bad;
    for (; n && ok; n--) ok = read_list(&r, &one);
    return all_read(ok, &r, a, out, err);
}

CfErrCode cf_type_annotations(const CfAttr *a, CfAnnotations *out, CfError *err) {
    CfReader r = cf_reader(a->data, a->len);
    unsigned n = cf_r_u2(&r);
    CfTypeAnnotation t;
    *out = rest(&r, n);
    bool ok = !r.bad;
    for (; n && ok; n--) ok = cf_type_annotation_read(&r, &t);
    return all_read(ok, &r, a, out, err);
}

CfErrCode cf_annotation_default(const CfAttr *a, CfElement *out, CfError *err) {
    CfReader r = cf_reader(a->data, a->len);
    if (cf_element_read(&r, false, out) && cf_r_left(&r) == 0) return CF_OK;
    *out = (CfElement){0};
    return cf_malformed(a, err);
}

/* ---- walks ---- */

/* The walk goes on where the reader stands; what could not be read ends it. */
static bool step(bool ok, const CfReader *r, uint32_t *count, const uint8_t **p) {
    *count = ok ? *count - 1 : 0;
    *p = r->p;
    return ok;
}

bool cf_annotation_next(CfAnnotations *t, CfAnnotation *out) {
    CfReader r = cf_reader(t->p, (size_t)(t->end - t->p));
    return step(t->count && cf_annotation_read(&r, out), &r, &t->count, &t->p);
}

bool cf_parameter_annotations_next(CfAnnotations *t, CfAnnotations *out) {
    CfReader r = cf_reader(t->p, (size_t)(t->end - t->p));
    return step(t->count && read_list(&r, out), &r, &t->count, &t->p);
}

bool cf_type_annotation_next(CfAnnotations *t, CfTypeAnnotation *out) {
    CfReader r = cf_reader(t->p, (size_t)(t->end - t->p));
    return step(t->count && cf_type_annotation_read(&r, out), &r, &t->count, &t->p);
}

bool cf_element_next(CfElements *t, CfElement *out) {
    CfReader r = cf_reader(t->p, (size_t)(t->end - t->p));
    return step(t->count && cf_element_read(&r, t->named, out), &r, &t->count, &t->p);
}

/* ---- questions ---- */

bool cf_find_annotation(const CfClass *c, const CfAttrs *as, const char *type, CfAnnotation *out) {
    for (unsigned i = 0; i < as->count; i++) {
        const CfAttr *a = &as->v[i];
        CfAnnotations t;
        if ((a->kind != CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS && a->kind != CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS) ||
            cf_annotations(a, &t, NULL) != CF_OK)
            continue;
        while (cf_annotation_next(&t, out))
            if (cf_str_is(cf_utf8(c, out->type), type)) return true;
    }
    *out = (CfAnnotation){0};
    return false;
}

bool cf_find_element(const CfClass *c, const CfAnnotation *a, const char *name, CfElement *out) {
    CfElements t = a->elements;
    while (cf_element_next(&t, out))
        if (cf_str_is(cf_utf8(c, out->name), name)) return true;
    *out = (CfElement){0};
    return false;
}
