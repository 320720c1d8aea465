/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_writer.c - model -> bytes (JVMS 4.1).
 *
 * The model loses nothing of a class file: pool entries keep their order, attributes their name
 * index and raw content; so writing an unedited model gives the bytes that were read. Added pool
 * entries follow the old ones, whose bytes are copied as they stand.
 */
#include "cf_int.h"

static void write_const(const CfConst *k, CfWriter *w) {
    cf_w_u1(w, k->tag);
    switch (k->tag) {
    case CF_CONST_UTF8:
        cf_w_u2(w, k->len);
        cf_w_bytes(w, k->utf8, k->len);
        break;
    case CF_CONST_INTEGER:
    case CF_CONST_FLOAT: cf_w_u4(w, (uint32_t)k->i); break;
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE: cf_w_u8(w, (uint64_t)k->j); break;
    case CF_CONST_METHODHANDLE:
        cf_w_u1(w, k->kind);
        cf_w_u2(w, k->a);
        break;
    default:
        cf_w_u2(w, k->a);
        if (cf_const_info[k->tag].bytes == 4) cf_w_u2(w, k->b);
    }
}

enum { POOL_START = 10 }; /* magic, versions, constant_pool_count */

/* May the bytes of the parsed entries be taken as they are? */
static bool pool_stands(const CfClass *c) { return c->bytes && c->pool_end >= POOL_START && !c->pool_changed; }

/* Parsed entries have an offset and come first: their bytes are taken in one piece, unless the
 * entries were changed. */
static void write_pool(const CfClass *c, CfWriter *w) {
    uint32_t i = 1;
    if (pool_stands(c)) {
        cf_w_bytes(w, c->bytes + POOL_START, c->pool_end - POOL_START);
        i = c->parsed_consts;
    }
    for (; i < c->const_count; i++)
        if (c->consts[i].tag != CF_CONST_NONE) write_const(&c->consts[i], w);
}

static void write_attrs(const CfAttrs *as, CfWriter *w) {
    cf_w_u2(w, as->count);
    for (unsigned i = 0; i < as->count; i++) {
        const CfAttr *a = &as->v[i];
        cf_w_u2(w, a->name);
        cf_w_u4(w, a->len);
        cf_w_bytes(w, a->data, a->len);
    }
}

void cf_code_write(const CfClass *c, const CfCode *code, CfWriter *w) {
    cf_w_u2(w, code->max_stack);
    cf_w_u2(w, code->max_locals);
    cf_w_u4(w, code->code_len);
    cf_w_bytes(w, code->code, code->code_len);
    cf_w_u2(w, code->handlers.count);
    cf_w_bytes(w, code->handlers.p, 8 * (size_t)code->handlers.count);
    write_attrs(&code->attrs, w);
}

static void write_members(const CfMember *v, unsigned n, CfWriter *w) {
    cf_w_u2(w, n);
    for (unsigned i = 0; i < n; i++) {
        cf_w_u2(w, v[i].access);
        cf_w_u2(w, v[i].name);
        cf_w_u2(w, v[i].desc);
        write_attrs(&v[i].attrs, w);
    }
}

CfErrCode cf_write(const CfClass *c, CfWriter *w, CfError *err) {
    if (c->const_count > 65535) return cf_fail(err, CF_ERR_LIMIT, -1, "constant pool of %u entries", c->const_count);
    cf_w_u4(w, 0xCAFEBABE);
    cf_w_u2(w, c->minor);
    cf_w_u2(w, c->major);
    cf_w_u2(w, c->const_count);
    write_pool(c, w);
    cf_w_u2(w, c->access);
    cf_w_u2(w, c->this_class);
    cf_w_u2(w, c->super_class);
    cf_w_u2(w, c->interface_count);
    for (unsigned i = 0; i < c->interface_count; i++) cf_w_u2(w, c->interfaces[i]);
    write_members(c->fields, c->field_count, w);
    write_members(c->methods, c->method_count, w);
    write_attrs(&c->attrs, w);
    return w->bad ? cf_fail(err, CF_ERR_NOMEM, -1, "class file image") : CF_OK;
}

static size_t attrs_size(const CfAttrs *as) {
    size_t n = 2;
    for (unsigned i = 0; i < as->count; i++) n += 6 + (size_t)as->v[i].len;
    return n;
}

static size_t members_size(const CfMember *v, unsigned count) {
    size_t n = 2;
    for (unsigned i = 0; i < count; i++) n += 6 + attrs_size(&v[i].attrs);
    return n;
}

size_t cf_write_size(const CfClass *c) {
    size_t n = POOL_START;
    uint32_t i = 1;
    if (pool_stands(c)) {
        n = c->pool_end;
        i = c->parsed_consts;
    }
    for (; i < c->const_count; i++)
        if (c->consts[i].tag != CF_CONST_NONE)
            n += 1u + cf_const_info[c->consts[i].tag].bytes + (c->consts[i].tag == CF_CONST_UTF8 ? c->consts[i].len : 0u);
    return n + 8 + 2u * c->interface_count + members_size(c->fields, c->field_count) + members_size(c->methods, c->method_count) +
           attrs_size(&c->attrs);
}
