/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_view.c - an index of a class file: offset of each pool entry and start of the members. One
 * pass over the pool, no copy. All accessors are total; what they point to has been bounds-checked.
 */
#include "bci_base.h"

#include <stdlib.h>

bool bci_want(void **v, uint32_t *cap, uint32_t n, size_t size) {
    uint32_t c = *cap ? *cap : 32;
    while (c < n) c *= 2;
    void *p = realloc(*v, c * size);
    if (!p) return false;
    *v = p;
    *cap = c;
    return true;
}

/* Bytes behind the tag, Utf8 without its text; 0 = no such tag. */
static const uint8_t sizes[256] = {[1] = 2,  [3] = 4,  [4] = 4,  [5] = 8,  [6] = 8,  [7] = 2,  [8] = 2,  [9] = 4, [10] = 4,
                                   [11] = 4, [12] = 4, [15] = 3, [16] = 2, [17] = 4, [18] = 4, [19] = 2, [20] = 2};

static const char *index_pool(BciView *v, const uint8_t *p) {
    const uint8_t *base = v->p, *end = v->end;
    uint32_t n = v->npool, *at = v->at;
    at[0] = 0;
    for (uint32_t i = 1; i < n; i++) {
        if (end - p < 4) return "truncated constant pool";
        unsigned tag = *p, text = tag == CF_CONST_UTF8 ? 0xffff : 0; /* no branch on it */
        at[i] = (uint32_t)(p - base);
        if (sizes[tag] == 0) return "unknown constant tag";
        p += 1u + sizes[tag] + (cf_get_u2(p + 1) & text);
        if ((tag == CF_CONST_LONG || tag == CF_CONST_DOUBLE) && ++i < n) at[i] = 0;
    }
    if (p > end || end - p < 8) return "truncated class file";
    v->pool_end = (uint32_t)(p - base);
    v->access = cf_get_u2(p);
    v->this_class = cf_get_u2(p + 2);
    v->super_class = cf_get_u2(p + 4);
    size_t interfaces = cf_get_u2(p + 6);
    p += 8;
    if ((size_t)(end - p) < 2 * interfaces + 2) return "truncated class file";
    v->members = p + 2 * interfaces;
    return NULL;
}

const char *bci_view(BciView *v, const uint8_t *p, size_t n, CfWriter *buf, CfWriter *kinds) {
    if (n < 24 || n > 1u << 30 || cf_get_u4(p) != 0xCAFEBABE) return "no class file";
    *v = (BciView){.p = p, .end = p + n, .major = cf_get_u2(p + 6), .npool = cf_get_u2(p + 8)};
    if (v->major < CF_MAJOR_MIN || v->npool == 0) return "no class file";
    buf->len = kinds->len = 0;
    v->at = (uint32_t *)bci_room(buf, 4 * (size_t)v->npool);
    v->kind = bci_room(kinds, v->npool);
    if (!v->at || !v->kind) return "out of memory";
    memset(v->kind, 0, v->npool);
    return index_pool(v, p + 10);
}

static unsigned tag_of(const BciView *v, unsigned i) { return i && i < v->npool && v->at[i] ? v->p[v->at[i]] : 0; }

CfStr bci_view_utf8(const BciView *v, unsigned i) {
    if (tag_of(v, i) != CF_CONST_UTF8) return (CfStr){NULL, 0};
    const uint8_t *p = v->p + v->at[i];
    return (CfStr){(const char *)p + 3, cf_get_u2(p + 1)};
}

CfStr bci_view_class(const BciView *v, unsigned i) {
    return tag_of(v, i) == CF_CONST_CLASS ? bci_view_utf8(v, cf_get_u2(v->p + v->at[i] + 1)) : (CfStr){NULL, 0};
}

bool bci_view_pair(const BciView *v, unsigned i, unsigned *a, unsigned *b) {
    unsigned tag = tag_of(v, i);
    if (!(tag >= CF_CONST_FIELDREF && tag <= CF_CONST_NAMEANDTYPE) && tag != CF_CONST_DYNAMIC && tag != CF_CONST_INVOKEDYNAMIC)
        return false;
    *a = cf_get_u2(v->p + v->at[i] + 1);
    *b = cf_get_u2(v->p + v->at[i] + 3);
    return true;
}

bool bci_view_member(const BciView *v, unsigned i, CfStr *owner, CfStr *name, CfStr *desc) {
    unsigned cls, nat, n, d;
    if (!bci_view_pair(v, i, &cls, &nat) || !bci_view_pair(v, nat, &n, &d) || tag_of(v, nat) != CF_CONST_NAMEANDTYPE)
        return false;
    *owner = bci_view_class(v, cls);
    *name = bci_view_utf8(v, n);
    *desc = bci_view_utf8(v, d);
    return owner->p && owner->len && name->p && desc->p;
}

CfAttrKind bci_view_kind(BciView *v, unsigned name) {
    if (name == 0 || name >= v->npool) return CF_ATTR_UNKNOWN;
    uint8_t k = v->kind[name];
    if (k == 0) {
        k = (uint8_t)cf_attr_kind(bci_view_utf8(v, name));
        v->kind[name] = k = k ? k : 255;
    }
    return k == 255 ? CF_ATTR_UNKNOWN : (CfAttrKind)k;
}

const uint8_t *bci_skip_attrs(const uint8_t *p, const uint8_t *end, unsigned n) {
    for (; n; n--) {
        if (end - p < 6) return NULL;
        size_t len = cf_get_u4(p + 2);
        if (len > (size_t)(end - p) - 6) return NULL;
        p += 6 + len;
    }
    return p;
}

bool bci_view_body(const uint8_t *attr, const uint8_t *end, BciBody *b) {
    const uint8_t *p = attr + 6;
    if (end - p < 12) return false;
    *b = (BciBody){.attr = attr,
                   .end = end,
                   .max_stack = cf_get_u2(p),
                   .max_locals = cf_get_u2(p + 2),
                   .code_len = cf_get_u4(p + 4),
                   .code = p + 8};
    p += 8;
    if (b->code_len == 0 || b->code_len > BCI_MAX_CODE || (size_t)(end - p) < b->code_len + 4u) return false;
    p += b->code_len;
    b->nrows = cf_get_u2(p);
    b->rows = p + 2;
    if ((size_t)(end - b->rows) < 8 * (size_t)b->nrows + 2) return false;
    p = b->rows + 8 * (size_t)b->nrows;
    b->nattrs = cf_get_u2(p);
    b->attrs = p + 2;
    return bci_skip_attrs(b->attrs, end, b->nattrs) == end;
}
