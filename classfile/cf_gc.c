/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_gc.c - constant pool and BootstrapMethods without what nothing refers to.
 *
 * Mark: from the header, the members and every site of their attributes, through entries, and through
 * the bootstrap rows that a marked Dynamic or InvokeDynamic names (a row may name more of them, so
 * rows are marked until nothing new comes). Then entries and rows are numbered anew in their old
 * order: an index never grows, so an ldc that fitted one byte still does.
 */
#include "cf_int.h"

#include <stdlib.h>

typedef struct Gc {
    CfClass *c;
    CfError *err;
    uint16_t *to;     /* by old index: 1 = marked, later the new index; see renumbered */
    uint32_t count;   /* of old indices */
    uint16_t *row_to; /* by old bootstrap row: the same, + 1 */
    uint32_t *row_at; /* offset of the row in the attribute */
    uint32_t nrows;
    const CfAttr *rows; /* BootstrapMethods */
    bool again;         /* a row was marked */
    const CfAttr *from; /* attribute that is being patched */
    uint8_t *copy;
} Gc;

/* Of a Dynamic or InvokeDynamic: its row of BootstrapMethods. */
static bool names_row(const Gc *g, const CfConst *k) {
    CfOperands refers = cf_operands[k->tag];
    return !refers.a && refers.b && k->a < g->nrows;
}

static void mark(Gc *g, unsigned i) {
    const CfConst *k = cf_const(g->c, i);
    if (k->tag == CF_CONST_NONE || g->to[i]) return;
    g->to[i] = 1;
    CfOperands refers = cf_operands[k->tag];
    if (refers.a) mark(g, k->a);
    if (refers.b) mark(g, k->b);
    if (names_row(g, k) && !g->row_to[k->a]) g->row_to[k->a] = g->again = true;
}

static bool mark_site(void *ctx, const CfSite *s) {
    Gc *g = ctx;
    if (s->role == CF_SITE_OPAQUE) return false;
    mark(g, s->index);
    return true;
}

typedef CfErrCode (*AttrFn)(Gc *g, CfAttr *a, unsigned where);

static CfErrCode each_attr(Gc *g, AttrFn fn) {
    CfClass *c = g->c;
    for (unsigned i = 0; i < c->attrs.count; i++) CF_TRY(fn(g, &c->attrs.v[i], CF_IN_CLASS));
    for (unsigned m = 0; m < c->field_count; m++)
        for (unsigned i = 0; i < c->fields[m].attrs.count; i++) CF_TRY(fn(g, &c->fields[m].attrs.v[i], CF_IN_FIELD));
    for (unsigned m = 0; m < c->method_count; m++)
        for (unsigned i = 0; i < c->methods[m].attrs.count; i++) CF_TRY(fn(g, &c->methods[m].attrs.v[i], CF_IN_METHOD));
    return CF_OK;
}

static CfErrCode mark_attr(Gc *g, CfAttr *a, unsigned where) {
    mark(g, a->name);
    if (a == g->rows) return CF_OK;
    CfErrCode rc = cf_attr_sites(g->c, a, where, mark_site, g, g->err);
    if (rc != CF_ERR_USAGE) return rc;
    return cf_fail(g->err, CF_ERR_USAGE, -1,
                   "the pool cannot be collected: attribute %.*s, or one inside it, may hold indices "
                   "that are not known",
                   CF_STR_ARGS(cf_utf8(g->c, a->name)));
}

static void mark_members(Gc *g, const CfMember *v, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        mark(g, v[i].name);
        mark(g, v[i].desc);
    }
}

static void mark_rows(Gc *g) {
    while (g->again) {
        g->again = false;
        for (uint32_t i = 0; i < g->nrows; i++) {
            if (g->row_to[i] != 1) continue;
            g->row_to[i] = 2;
            const uint8_t *p = g->rows->data + g->row_at[i];
            mark(g, cf_get_u2(p));
            for (unsigned n = cf_get_u2(p + 2), k = 0; k < n; k++) mark(g, cf_get_u2(p + 4 + 2 * k));
        }
    }
}

/* ---- numbering ---- */

static uint32_t number(Gc *g) {
    uint32_t n = 1;
    for (uint32_t i = 1; i < g->c->const_count; i++) {
        if (!g->to[i]) continue;
        g->to[i] = (uint16_t)n;
        n += cf_const_info[g->c->consts[i].tag].slots;
    }
    uint16_t row = 0;
    for (uint32_t i = 0; i < g->nrows; i++)
        if (g->row_to[i]) g->row_to[i] = ++row;
    return n;
}

/* An index that was no entry's stays none's: one past the old end is past the new one too. */
static uint16_t renumbered(const Gc *g, unsigned i) { return i < g->count ? g->to[i] : (uint16_t)i; }

static bool patch_site(void *ctx, const CfSite *s) {
    Gc *g = ctx;
    uint8_t *at = g->copy + (s->at - g->from->data);
    if (s->role == CF_SITE_LDC) *at = (uint8_t)renumbered(g, s->index);
    else cf_put_u2(at, renumbered(g, s->index));
    return true;
}

static size_t put_rows(Gc *g, uint8_t *copy) {
    uint8_t *p = copy + 2;
    unsigned n = 0;
    for (uint32_t i = 0; i < g->nrows; i++) {
        if (!g->row_to[i]) continue;
        const uint8_t *q = g->rows->data + g->row_at[i];
        unsigned args = cf_get_u2(q + 2);
        cf_put_u2(p, renumbered(g, cf_get_u2(q)));
        cf_put_u2(p + 2, args);
        for (unsigned k = 0; k < args; k++) cf_put_u2(p + 4 + 2 * k, renumbered(g, cf_get_u2(q + 4 + 2 * k)));
        p += 4 + 2 * args;
        n++;
    }
    cf_put_u2(copy, n);
    return (size_t)(p - copy);
}

/* Names of nested attributes are looked up in the old pool, which must still stand. */
static CfErrCode patch_attr(Gc *g, CfAttr *a, unsigned where) {
    g->from = a;
    g->copy = cf_arena_copy(g->c->arena, a->data, a->len);
    if (!g->copy) return cf_fail(g->err, CF_ERR_NOMEM, -1, "attribute");
    if (a == g->rows) a->len = (uint32_t)put_rows(g, g->copy);
    else CF_TRY(cf_attr_sites(g->c, a, where, patch_site, g, g->err));
    a->data = g->copy;
    a->name = renumbered(g, a->name);
    return CF_OK;
}

static void move_entries(Gc *g) {
    CfClass *c = g->c;
    for (uint32_t i = 1; i < c->const_count; i++) {
        if (!g->to[i]) continue;
        CfConst k = c->consts[i];
        CfOperands refers = cf_operands[k.tag];
        if (names_row(g, &k)) k.a = (uint16_t)(g->row_to[k.a] - 1);
        if (refers.a) k.a = renumbered(g, k.a);
        if (refers.b) k.b = renumbered(g, k.b);
        c->consts[g->to[i]] = k;
        if (cf_const_info[k.tag].slots == 2) c->consts[g->to[i] + 1] = (CfConst){0};
    }
}

static void move_members(Gc *g, CfMember *v, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        v[i].name = g->to[v[i].name];
        v[i].desc = g->to[v[i].desc];
    }
}

/* ---- the whole ---- */

static CfErrCode read_rows(Gc *g) {
    CfBootstraps t;
    CfBootstrap row;
    g->rows = cf_attr(&g->c->attrs, CF_ATTR_BOOTSTRAP_METHODS);
    if (!g->rows) return CF_OK;
    CF_TRY(cf_bootstraps(g->rows, &t, g->err));
    g->row_to = calloc(t.count + 1, sizeof *g->row_to);
    g->row_at = calloc(t.count + 1, sizeof *g->row_at);
    if (!g->row_to || !g->row_at) return cf_fail(g->err, CF_ERR_NOMEM, -1, "constant pool");
    for (const uint8_t *p = t.p; cf_bootstrap_next(&t, &row); p = t.p) g->row_at[g->nrows++] = (uint32_t)(p - g->rows->data);
    return CF_OK;
}

static CfErrCode collect(Gc *g) {
    CfClass *c = g->c;
    CF_TRY(read_rows(g));
    mark(g, c->this_class);
    mark(g, c->super_class);
    for (unsigned i = 0; i < c->interface_count; i++) mark(g, c->interfaces[i]);
    mark_members(g, c->fields, c->field_count);
    mark_members(g, c->methods, c->method_count);
    CF_TRY(each_attr(g, mark_attr));
    mark_rows(g);
    uint32_t n = number(g);
    CF_TRY(each_attr(g, patch_attr));
    if (g->rows && cf_get_u2(g->rows->data) == 0) cf_attr_remove(&c->attrs, CF_ATTR_BOOTSTRAP_METHODS);
    move_entries(g);
    c->const_count = n;
    c->this_class = g->to[c->this_class];
    c->super_class = g->to[c->super_class];
    for (unsigned i = 0; i < c->interface_count; i++) c->interfaces[i] = g->to[c->interfaces[i]];
    move_members(g, c->fields, c->field_count);
    move_members(g, c->methods, c->method_count);
    cf_pool_changed(c);
    return CF_OK;
}

CfErrCode cf_pool_collect(CfClass *c, CfError *err) {
    Gc g = {.c = c, .err = err, .count = c->const_count, .to = calloc(c->const_count + 1u, sizeof(uint16_t))};
    CfErrCode rc = g.to ? collect(&g) : cf_fail(err, CF_ERR_NOMEM, -1, "constant pool");
    free(g.to);
    free(g.row_to);
    free(g.row_at);
    return rc;
}
