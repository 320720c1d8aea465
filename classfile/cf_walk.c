/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_walk.c - a class file as events in file order, without a model of its members (JVMS 4.1).
 *
 * The constant pool and the header are read by the reader of the model, since every later part speaks in
 * pool indices; members and attributes are read one at a time by the functions that fill the model's tables,
 * so a file is refused here with the same words as there.
 */
#include "cf_int.h"

typedef struct Walk {
    const CfClass *c;
    const CfVisitor *v;
    void *ctx;
    CfReader r;
    CfError *err;
    bool stopped;
} Walk;

/* Is the walk to go on into what the answer is about? */
static bool enters(Walk *w, CfWalkOn answer) {
    w->stopped |= answer == CF_WALK_STOP;
    return answer == CF_WALK_ON;
}

static CfErrCode attributes(Walk *w, const CfMember *m, unsigned where, bool told);

static CfErrCode instructions(Walk *w, const CfMember *m, const CfCode *code) {
    CfInsn i;
    for (uint32_t pc = 0; pc < code->code_len; pc += i.len) {
        if (!cf_insn(code->code, code->code_len, pc, &i))
            return cf_fail(w->err, CF_ERR_FORMAT, cf_offset_of(w->c, code->code + pc), "No instruction at pc %u", pc);
        if (!enters(w, w->v->insn(w->ctx, w->c, m, &i))) return CF_OK;
    }
    return CF_OK;
}

/* Inside of Code: instructions, then its attributes. */
static CfErrCode code(Walk *w, const CfMember *m, const CfAttr *a) {
    CfCode code;
    CF_TRY(cf_read_code(w->c, a, NULL, &code, w->err));
    if (w->v->code && !enters(w, w->v->code(w->ctx, w->c, m, &code))) return CF_OK;
    if (w->v->insn) CF_TRY(instructions(w, m, &code));
    if (w->stopped || !w->v->attribute) return CF_OK;
    CfReader outer = w->r;
    const uint8_t *table = code.handlers.p + 8 * (size_t)code.handlers.count;
    w->r = cf_reader(table, (size_t)(a->data + a->len - table));
    CfErrCode rc = attributes(w, m, CF_IN_CODE, true);
    w->r = outer;
    return rc;
}

/* An attribute table at the reader; `told` false: only stepped over. */
static CfErrCode attributes(Walk *w, const CfMember *m, unsigned where, bool told) {
    const CfVisitor *v = w->v;
    unsigned n;
    CF_TRY(cf_read_attr_count(w->c, &w->r, &n, w->err));
    for (; n && !w->stopped; n--) {
        CfAttr a;
        CF_TRY(cf_read_attr(w->c, &w->r, where, &a, w->err));
        if (!told || (v->attribute && !enters(w, v->attribute(w->ctx, w->c, m, where, &a)))) continue;
        if (a.kind == CF_ATTR_CODE && (v->code || v->insn || v->attribute)) CF_TRY(code(w, m, &a));
    }
    return CF_OK;
}

static CfErrCode members(Walk *w, unsigned where, CfWalkOn (*fn)(void *, const CfClass *, const CfMember *), bool told) {
    CfReader *r = &w->r;
    CfProgress done = {0};
    unsigned n = cf_r_u2(r);
    if (r->bad) return cf_fail(w->err, CF_ERR_FORMAT, r->end - r->start, "Truncated class file");
    for (unsigned i = 0; i < n && !w->stopped; i++) {
        CfMember m = {.index = (uint16_t)i};
        CF_TRY(cf_read_member(w->c, w->v->options, r, where, &m, &done, w->err));
        bool inside = told && (!fn || enters(w, fn(w->ctx, w->c, &m)));
        CfErrCode rc = w->stopped ? CF_OK : attributes(w, &m, where, inside);
        if (rc != CF_OK) {
            cf_fail_where(w->err, "%s %.*s", where == CF_IN_FIELD ? "field" : "method", CF_STR_ARGS(cf_utf8(w->c, m.name)));
            return rc;
        }
    }
    return CF_OK;
}

static CfErrCode whole(Walk *w) {
    const CfClass *c = w->c;
    const CfVisitor *v = w->v;
    cf_r_take(&w->r, c->pool_end + 8 + 2 * (size_t)c->interface_count);
    bool told = !v->header || enters(w, v->header(w->ctx, c));
    if (!w->stopped) CF_TRY(members(w, CF_IN_FIELD, v->field, told));
    if (!w->stopped) CF_TRY(members(w, CF_IN_METHOD, v->method, told));
    if (!w->stopped) CF_TRY(attributes(w, NULL, CF_IN_CLASS, true));
    return w->stopped ? CF_OK : cf_read_end(c, v->options, &w->r, w->err);
}

CfErrCode cf_walk(const uint8_t *bytes, size_t size, const CfVisitor *v, void *ctx, CfArena *scratch, CfError *err) {
    CfArena own;
    CfClass *c;
    if (!scratch) cf_arena_init(&own, "walk", 0);
    CfArena *arena = scratch ? scratch : &own;
    cf_arena_reset(arena);
    CfErrCode rc = cf_parse_header(&c, bytes, size, arena, v->options, err);
    if (rc == CF_OK) {
        Walk w = {.c = c, .v = v, .ctx = ctx, .r = cf_reader(bytes, size), .err = err};
        rc = whole(&w);
    }
    if (!scratch) cf_arena_free(&own);
    return rc;
}
