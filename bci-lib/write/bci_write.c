/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_write.c - the class as edited becomes bytes. Each method takes the cheapest way that is right for it: its bytes
 * as they were, its list as decoded (bci_assemble_same), insertions woven into its bytes (bci_shift), or layout and
 * data flow (bci_settle), parts of it outlined if it is too long then.
 */
#include "outline/bci_outline.h"
#include "weave/bci_weave.h"

#include <stdlib.h>

bool bci_changed(const BciClass *c) {
    for (uint32_t i = 0; i < c->nmethods; i++)
        if (bci_body_changed(c->methods[i]) && !c->methods[i]->err) return true;
    return c->changed;
}

/* Nothing was inserted, deleted or changed, and frames need not be made anew. */
static bool is_same(const BciCode *code) {
    return code->edits == 0 && code->max_locals == code->orig_locals && code->orig.code &&
           (code->m->cls->opt.frames == BCI_FRAMES_KEEP || code->m->cls->cf->major < 50);
}

static CfErrCode encode_same(BciMethod *m) {
    size_t len;
    uint8_t *p = bci_assemble_same(m->code, &len);
    if (!p) return m->err->code;
    CfAttr *a = (CfAttr *)cf_attr(&bci_member(m)->attrs, CF_ATTR_CODE);
    a->data = p;
    a->len = (uint32_t)len;
    m->code->written = true;
    return CF_OK;
}

static CfErrCode check_unknown(BciMethod *m) {
    const CfAttrs *as = &m->code->orig.attrs;
    for (uint16_t k = 0; m->cls->opt.flags & BCI_REFUSE_UNKNOWN && k < as->count; k++)
        if (as->v[k].kind == CF_ATTR_UNKNOWN)
            return bci_fail(m, CF_ERR_USAGE, BCI_NO_PC, "its Code has an attribute that is not known: %.*s",
                            CF_STR_ARGS(cf_utf8(m->cls->cf, as->v[k].name)));
    return CF_OK;
}

/* Assembles a settled body. */
static CfErrCode set_code(BciMethod *m) {
    BciClass *c = m->cls;
    BciCode *code = m->code;
    if (code->length > BCI_MAX_CODE || code->length == 0)
        return bci_fail(m, CF_ERR_LIMIT, BCI_NO_PC, "code of method %s%s in class %s would be %u bytes; the limit is %d",
                        bci_method_name(m), bci_method_desc(m), bci_class_name(c), code->length, BCI_MAX_CODE);
    uint8_t *bytes = cf_arena_alloc(&c->scratch, code->length);
    if (!bytes) return bci_fail(m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    CF_TRY(bci_assemble(code, bytes));
    CfCode out = {.max_stack = (uint16_t)code->max_stack,
                  .max_locals = (uint16_t)code->max_locals,
                  .code_len = code->length,
                  .code = bytes};
    CF_TRY(bci_write_tables(code, &out));
    CfError e;
    cf_err_clear(&e);
    if (cf_code_set(c->cf, bci_member(m), &out, &e) != CF_OK) return bci_fail(m, e.code, BCI_NO_PC, "%s", e.text);
    code->written = true;
    return CF_OK;
}

/* Outlines a settled body that is too long. Either the new methods are finished, and the body is short
 * enough and settled, or there are none. */
static CfErrCode outline(BciMethod *m) {
    BciClass *c = m->cls;
    uint32_t had = c->nmethods;
    CfErrCode rc = bci_prune_lines(m->code);
    if (rc == CF_OK) rc = bci_outline(m->code);
    for (uint32_t k = had; k < c->nmethods && rc == CF_OK; k++) {
        BciMethod *part = c->methods[k];
        rc = part->err ? part->err->code : bci_settle(part->code);
        if (rc == CF_OK) rc = set_code(part);
        if (rc != CF_OK && part->err) bci_fail(m, rc, BCI_NO_PC, "%s", part->err->text);
    }
    if (rc == CF_OK) rc = bci_settle(m->code);
    if (rc == CF_OK) return CF_OK;
    if (!m->err) bci_fail(m, rc, BCI_NO_PC, "%s", c->err ? c->err->text : "cannot be outlined");
    c->cf->method_count = (uint16_t)(c->cf->method_count - (c->nmethods - had));
    c->nmethods = had;
    m->parts = 0;
    return rc;
}

static CfErrCode encode(BciMethod *m) {
    BciClass *c = m->cls;
    BciCode *code = m->code;
    if (is_same(code)) return encode_same(m);
    CF_TRY(check_unknown(m));
    if (bci_shift(m)) return CF_OK;
    if (m->err) return m->err->code;
    CF_TRY(bci_settle(code));
    if (c->opt.flags & BCI_OUTLINE && code->length > c->code_limit) CF_TRY(outline(m));
    return set_code(m);
}

static CfErrCode compact_pool(BciClass *c, CfError *err) {
    CfError e;
    cf_err_clear(&e);
    if (!(c->opt.flags & BCI_COMPACT_POOL)) return CF_OK;
    CfErrCode rc = cf_pool_collect(c->cf, &e);
    if (rc == CF_OK || rc == CF_ERR_USAGE || rc == CF_ERR_FORMAT) return CF_OK;
    return cf_fail(err, rc, -1, "%s", e.text);
}

/* ---- verifying the result ---- */

static CfAnswer any_assignable(void *ctx, CfStr from, CfStr to) { return CF_YES; }
static CfAnswer no_class(void *ctx, CfStr name) { return CF_NO; }
static CfAnswer super_object(void *ctx, CfStr name, CfStr *super) {
    *super = CF_STR("java/lang/Object");
    return CF_YES;
}
static CfAnswer none_protected(void *ctx, CfStr owner, CfStr name, CfStr desc, bool method) { return CF_NO; }

static CfErrCode verify_result(BciClass *c, const CfWriter *w, CfError *err) {
    static const CfHierarchy lenient = {.is_assignable = any_assignable,
                                        .is_interface = no_class,
                                        .super_name = super_object,
                                        .is_superclass_of_this = no_class,
                                        .is_protected_elsewhere = none_protected};
    CfParseOptions po = {.check = CF_CHECK_FORMAT, .enable_preview = true, .any_version = true};
    CfClass *k;
    CfError e;
    if (!(c->opt.flags & BCI_VERIFY_RESULT)) return CF_OK;
    cf_err_clear(&e);
    CfArena a;
    cf_arena_init(&a, "bci-verify", 0);
    CfErrCode rc = cf_parse(&k, w->data, w->len, &a, &po, &e);
    if (rc == CF_OK && k->major >= 50 && !(k->access & CF_ACC_MODULE)) {
        rc = cf_verify(k, &lenient, NULL, &e);
        if (rc != CF_OK && cf_verify_may_fail_over(k, &e)) rc = CF_OK;
    }
    cf_arena_free(&a);
    return rc == CF_OK ? CF_OK : cf_fail(err, rc, e.offset, "the result is not valid: %s", e.text);
}

/* Into the caller's memory at once. */
static CfErrCode write_into(const BciClass *c, BciAlloc alloc, void *ctx, uint8_t **out, size_t *len, CfError *err) {
    CfWriter w = {0};
    w.cap = cf_write_size(c->cf);
    w.data = alloc(ctx, w.cap);
    w.fixed = true;
    if (!w.data) return cf_fail(err, CF_ERR_NOMEM, -1, "out of memory");
    CF_TRY(cf_write(c->cf, &w, err));
    *out = w.data;
    *len = w.len;
    return CF_OK;
}

static CfErrCode write_verified(BciClass *c, BciAlloc alloc, void *ctx, uint8_t **out, size_t *len, CfError *err) {
    CfWriter w = {0};
    cf_w_reserve(&w, cf_write_size(c->cf));
    CfErrCode rc = cf_write(c->cf, &w, err);
    if (rc == CF_OK) rc = verify_result(c, &w, err);
    if (rc == CF_OK && !alloc) {
        *out = w.data;
        *len = w.len;
        return CF_OK;
    }
    uint8_t *p = rc == CF_OK ? alloc(ctx, w.len) : NULL;
    if (p) {
        *out = memcpy(p, w.data, w.len);
        *len = w.len;
    } else if (rc == CF_OK) rc = cf_fail(err, CF_ERR_NOMEM, -1, "out of memory");
    cf_w_free(&w);
    return rc;
}

/* An added method has code if and only if it must. */
static void check_body(BciMethod *m) {
    const CfMember *cm = bci_member(m);
    bool filled = bci_body_changed(m) || cf_attr(&cm->attrs, CF_ATTR_CODE);
    bool needed = bci_has_body(cm->access, cf_utf8(m->cls->cf, cm->name));
    if (filled != needed)
        bci_fail(m, CF_ERR_USAGE, BCI_NO_PC,
                 needed ? "the method was added, but its body was never filled"
                        : "the method is abstract or native, but has a body");
}

static CfErrCode encode_all(BciClass *c, CfError *err) {
    for (uint32_t i = 0; i < c->nmethods && !c->err; i++) {
        BciMethod *m = c->methods[i];
        bool skip = (c->opt.flags & BCI_SKIP_FAILED) && !m->added && !m->copied;
        m->call_file = NULL; /* what fails from here on is not the last call's doing */
        if (m->added && !m->part) check_body(m);
        if (!m->err && bci_body_changed(m) && !m->part) encode(m);
        if (m->err && !skip) {
            if (err && err->code == CF_OK) *err = *m->err;
            return m->err->code;
        }
    }
    return CF_OK;
}

CfErrCode bci_write(BciClass *c, BciAlloc alloc, void *ctx, uint8_t **out, size_t *len, CfError *err) {
    *out = NULL;
    *len = 0;
    if (!c) return err && err->code != CF_OK ? err->code : cf_fail(err, CF_ERR_USAGE, -1, "there is no class");
    CF_TRY(encode_all(c, err));
    c->written = true;
    if (!c->err) CF_TRY(compact_pool(c, err));
    if (c->err) {
        if (err && err->code == CF_OK) *err = *c->err;
        return c->err->code;
    }
    if (alloc && !(c->opt.flags & BCI_VERIFY_RESULT)) return write_into(c, alloc, ctx, out, len, err);
    return write_verified(c, alloc, ctx, out, len, err);
}
