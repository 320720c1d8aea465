/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_apply.c - a sealed plan applied to one class.
 *
 * The output is put together from the input's pool, the added constants, and a copy of everything
 * behind the pool in which some Code attributes are replaced. Methods that cannot be spliced are
 * copied, and edited as lists of instructions in the finished class afterwards (`redo`); their
 * constants are added in the first round, so that both rounds make the same sequences.
 *
 * A class is decided by name first; if no rule selects it nothing else is looked at.
 */
#include "bci_rules.h"

#include <stdlib.h>

/* ---- scratch ---- */

BciScratch *bci_scratch_new(void) {
    BciScratch *s = calloc(1, sizeof *s);
    if (s) {
        cf_arena_init(&s->arena, "bci-apply", 0);
        bci_types_init(&s->types);
    }
    return s;
}

void bci_scratch_free(BciScratch *s) {
    if (!s) return;
    void *all[] = {s->at.data,      s->kinds.data,  s->body.data, s->pool.data, s->marks.data,   s->lines.data,
                   s->wrapped.data, s->uninit.data, s->added,     s->tmp.data,  s->w.ins,        s->w.pcs,
                   s->w.seq.data,   s->w.relocs,    s->w.exits,   s->w.edges,   s->numbers.data, s->w.shifts,
                   s->konst,        s->memo,        s->redo,      s->active,    s->class_name};
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    cf_arena_free(&s->arena);
    bci_types_free(&s->types);
    free(s);
}

/* A new class: nothing is left of the one before, nor of memory that ran out. */
static void clear(BciScratch *s) {
    CfWriter *all[] = {&s->at,    &s->tmp,     &s->kinds,  &s->body,    &s->pool, &s->marks,
                       &s->lines, &s->wrapped, &s->uninit, &s->numbers, &s->w.seq};
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
        all[k]->len = 0;
        all[k]->bad = false;
    }
    s->nmemo = s->nredo = s->nadded = 0;
    s->types.ready = false;
}

size_t bci_scratch_size(const BciScratch *s) {
    return !s ? 0
              : sizeof *s + s->at.cap + s->kinds.cap + s->body.cap + s->pool.cap + s->marks.cap + s->lines.cap + s->wrapped.cap +
                    s->tmp.cap + s->w.seq.cap + s->arena.total + s->types.arena.total + s->types.flow.total + s->types.map.cap +
                    s->uninit.cap + s->w.cap_edges * sizeof(BciEdgeIns) + s->numbers.cap + s->w.cap_ins * sizeof(BciIns) +
                    s->w.cap_shifts * sizeof(BciShift) +
                    4 * ((size_t)s->w.cap_relocs + s->w.cap_exits + s->w.cap_pcs + s->cap_konst) + s->cap_redo * sizeof(BciRedo) +
                    s->cap_memo * sizeof(BciMemo) + s->cap_active * sizeof(BciRule *) + s->cap_name;
}

/* ---- constants ---- */

/* Appends an entry that stands at `at` in the pool buffer; 0 if the pool is full. */
static unsigned new_index(BciApply *a) {
    BciScratch *s = a->s;
    if (a->npool >= 65535) {
        a->pool_full = true;
        return 0;
    }
    if (!BCI_WANT(s->added, s->cap_added, s->nadded + 1)) {
        s->pool.bad = true;
        return 0;
    }
    s->added[s->nadded++] = (uint32_t)s->pool.len;
    return a->npool++;
}

static unsigned put_entry(BciApply *a, unsigned tag, uint32_t x, uint32_t y, CfStr text) {
    CfWriter *b = &a->s->pool;
    unsigned index = bci_room(b, 7u + text.len) ? new_index(a) : 0; /* all of an entry or nothing */
    if (!index) return 0;
    cf_w_u1(b, tag);
    switch (tag) {
    case CF_CONST_UTF8:
        cf_w_u2(b, text.len);
        bci_put(b, text.p, text.len);
        break;
    case CF_CONST_INTEGER: cf_w_u4(b, x); break;
    case CF_CONST_CLASS:
    case CF_CONST_STRING: cf_w_u2(b, x); break;
    default: cf_w_u2(b, x), cf_w_u2(b, y);
    }
    return index;
}

/* What a method that failed has added would be in the way of those behind it. */
typedef struct PoolMark {
    uint32_t npool, nadded, nmemo;
    size_t len;
} PoolMark;

static PoolMark mark_pool(BciApply *a) {
    BciScratch *s = a->s;
    a->pool_full = s->pool.bad = false;
    return (PoolMark){a->npool, s->nadded, s->nmemo, s->pool.len};
}

static void back_to(BciApply *a, PoolMark m) {
    BciScratch *s = a->s;
    if (a->npool == m.npool) return;
    for (uint32_t k = 0; k < a->plan->consts.len; k++)
        if (s->konst[k] >= m.npool) s->konst[k] = 0;
    a->npool = m.npool;
    s->nadded = m.nadded;
    s->nmemo = m.nmemo;
    s->pool.len = m.len;
    s->types.ready = false; /* it knows indices of classes */
}

unsigned bci_use(BciApply *a, uint32_t k) {
    const BciConst *c = &a->plan->consts.data[k];
    uint32_t *known = &a->s->konst[k];
    if (*known) return *known;
    unsigned x = 0, y = 0;
    if (c->tag != CF_CONST_UTF8) {
        x = bci_use(a, c->a);
        y = c->b ? bci_use(a, c->b) : 0;
        if (!x || (c->b && !y)) return 0;
    }
    CfStr text = {c->text, c->tag == CF_CONST_UTF8 ? c->a : 0};
    return *known = put_entry(a, c->tag, x, y, text);
}

static uint64_t memo_key(uint32_t x, uint32_t y) { return (uint64_t)x << 32 | y; }

/* Utf8 entries are looked for in the input; the others only among the additions. */
static unsigned find_text(const BciApply *a, CfStr t) {
    const BciView *v = &a->v;
    for (uint32_t i = 1; i < v->npool; i++) {
        const uint8_t *p = v->p + v->at[i];
        if (v->at[i] && p[0] == CF_CONST_UTF8 && cf_get_u2(p + 1) == t.len && memcmp(p + 3, t.p, t.len) == 0) return i;
    }
    return 0;
}

unsigned bci_add_entry(BciApply *a, unsigned tag, uint32_t x, uint32_t y, CfStr text) {
    BciScratch *s = a->s;
    if (tag == CF_CONST_UTF8) {
        x = cf_hash_bytes(text.p, text.len);
        y = 0;
    } else if (tag != CF_CONST_INTEGER && (!x || (tag == CF_CONST_METHODREF && !y))) {
        return 0;
    }
    for (uint32_t k = 0; k < s->nmemo && tag != CF_CONST_UTF8; k++)
        if (s->memo[k].tag == tag && s->memo[k].key == memo_key(x, y)) return s->memo[k].index;
    unsigned index = tag == CF_CONST_UTF8 ? find_text(a, text) : 0;
    if (!index && tag == CF_CONST_UTF8) {
        for (uint32_t k = 0; k < s->nadded; k++) {
            const uint8_t *p = s->pool.data + s->added[k];
            if (*p == CF_CONST_UTF8 && cf_get_u2(p + 1) == text.len && memcmp(p + 3, text.p, text.len) == 0)
                return a->v.npool + k;
        }
    }
    if (!index) index = put_entry(a, tag, x, y, text);
    if (!index || tag == CF_CONST_UTF8) return index;
    if (!BCI_WANT(s->memo, s->cap_memo, s->nmemo + 1)) {
        s->pool.bad = true;
        return 0;
    }
    s->memo[s->nmemo++] = (BciMemo){memo_key(x, y), (uint16_t)index, (uint8_t)tag};
    return index;
}

/* ---- selection ---- */

static bool annotated_in(BciApply *a, const char *want_name, const uint8_t *p, unsigned n) {
    for (; n; n--, p += 6 + cf_get_u4(p + 2)) {
        CfAttrKind k = bci_view_kind(&a->v, cf_get_u2(p));
        if (k != CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS && k != CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS) continue;
        CfReader r = cf_reader(p + 6, cf_get_u4(p + 2));
        CfAnnotation ann;
        for (unsigned c = cf_r_u2(&r); c && cf_annotation_read(&r, &ann); c--) {
            CfStr t = bci_view_utf8(&a->v, ann.type);
            if (t.len > 2 && bci_glob(want_name, (CfStr){t.p + 1, t.len - 2}, false)) return true;
        }
    }
    return false;
}

static bool glob_selects(BciApply *a, const BciGlob *g, const uint8_t *attrs, unsigned nattrs) {
    CfStr cls = bci_view_class(&a->v, a->v.this_class);
    if (!bci_glob(g->name, a->name_text, true) || !bci_glob(g->desc, a->desc_text, true) || !bci_glob(g->cls, cls, false))
        return false;
    return !g->ann || annotated_in(a, g->ann, attrs, nattrs) ||
           (a->class_anns && annotated_in(a, g->ann, a->class_anns + 2, cf_get_u2(a->class_anns)));
}

static bool selects(BciApply *a, const BciRule *r, const uint8_t *attrs, unsigned nattrs) {
    bool yes = false;
    for (uint32_t k = 0; k < r->nselect && !yes; k++) yes = glob_selects(a, &r->select[k], attrs, nattrs);
    for (uint32_t k = 0; k < r->nexcept && yes; k++) yes = !glob_selects(a, &r->except[k], attrs, nattrs);
    return yes;
}

/* ---- methods ---- */

static const char *const fit_text[] = {
    [BCI_MALFORMED] = "malformed code",
    [BCI_NO_MEMORY] = "out of memory",
    [BCI_NO_POOL] = "the constant pool is full",
};

static void changed(BciApply *a) {
    a->res->methods++;
    if (a->req->outcome) a->req->outcome(a->req->ctx, a->method, BCI_CHANGED, NULL);
}

/* `why`: of LARGE, why it was not outlined. */
static void say_why(const BciApply *a, BciFit fit, const char *why, char *text, size_t n) {
    if (fit == BCI_LARGE && a->new_len <= BCI_MAX_CODE)
        snprintf(text, n, "it would need more than 65535 local variables, stack slots or exception rows");
    else if (fit == BCI_LARGE)
        snprintf(text, n, "code would be %u bytes, %u over the limit; %u would fit%s%s", a->new_len, a->new_len - BCI_MAX_CODE,
                 BCI_MAX_CODE - a->old_len, why ? "; " : "", why ? why : "");
    else snprintf(text, n, "%s", why ? why : fit_text[fit] ? fit_text[fit] : "?");
}

static void skip(BciApply *a, BciFit fit, const char *why) {
    static const CfErrCode codes[] = {[BCI_LARGE] = CF_ERR_LIMIT,
                                      [BCI_MALFORMED] = CF_ERR_VERIFY,
                                      [BCI_NO_MEMORY] = CF_ERR_NOMEM,
                                      [BCI_NO_POOL] = CF_ERR_LIMIT,
                                      [BCI_BAD_VALUE] = CF_ERR_USAGE};
    BciResult *res = a->res;
    uint32_t n = res->nskipped++;
    if (n >= BCI_MAX_SKIPS && !a->req->outcome) return;
    BciSkip more, *k = n < BCI_MAX_SKIPS ? &res->skipped[n] : &more;
    k->method = a->method;
    k->code = codes[fit];
    say_why(a, fit, why, k->why, sizeof k->why);
    if (a->req->outcome) a->req->outcome(a->req->ctx, a->method, BCI_SKIPPED, k->why);
}

static bool add_redo(BciApply *a, uint32_t sites, size_t numbers) {
    BciScratch *s = a->s;
    if (!BCI_WANT(s->redo, s->cap_redo, s->nredo + 1)) return false;
    s->redo[s->nredo++] = (BciRedo){a->method, sites, numbers, a->old_len, a->new_len};
    return true;
}

/* By pc: 1 = `this` is not initialised in front, 2 = the call that does it. */
static uint8_t *uninit_map(BciMethod *m, CfWriter *buf) {
    BciCode *code = bci_code(m);
    if (!code || !bci_mark_init(code)) return NULL;
    buf->len = 0;
    uint8_t *map = bci_room(buf, bci_code_length(code) + 1u);
    if (!map) return NULL;
    memset(map, 0, bci_code_length(code) + 1u);
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
        map[i->pc] = i->mark & BCI_M_INIT ? 2 : i->mark & BCI_M_UNINIT ? 1 : 0;
    return map;
}

/* Why the editor did not do it, if uninit_map or bci_code gave nothing. */
static BciFit editor_failed(const BciApply *a, BciMethod *m) {
    CfError e;
    cf_err_clear(&e);
    bci_method_error(m, &e);
    return e.code == CF_ERR_NOMEM || a->s->uninit.bad ? BCI_NO_MEMORY : BCI_MALFORMED;
}

/* A constructor that is not straight: the editor's data flow tells where `this` is what. This
 * round only adds the constants. */
static BciFit gather_odd_constructor(BciApply *a, const BciBody *b) {
    CfError err;
    cf_err_clear(&err);
    BciClass *c = bci_open(a->v.p, (size_t)(a->v.end - a->v.p), NULL, &err);
    BciMethod *m = c ? bci_method(c, a->method) : NULL;
    BciFit fit = BCI_MALFORMED;
    if (m && (a->uninit = uninit_map(m, &a->s->uninit)) != NULL) {
        fit = bci_gather(a, b);
        a->uninit = NULL;
    } else if (m) {
        fit = editor_failed(a, m);
    } else if (err.code == CF_ERR_NOMEM) {
        fit = BCI_NO_MEMORY;
    }
    bci_close(c);
    return fit == BCI_FITS ? BCI_FAR : fit;
}

enum { CODE_LENGTH = 10 }; /* of a Code attribute: offset of code_length from its name */

/* Tries to replace the Code attribute; true if `out` got one. */
static bool do_body(BciApply *a, const uint8_t *attr, const uint8_t *end, const uint8_t **copied) {
    BciScratch *s = a->s;
    BciBody b;
    BciFit fit = BCI_MALFORMED;
    uint32_t sites = a->sites;
    size_t numbers = s->numbers.len;
    bool outlines = a->plan->flags & BCI_PLAN_OUTLINE, rebuild = a->plan->flags & BCI_PLAN_REBUILD_FRAMES;
    a->new_len = a->old_len = 0;
    if (bci_view_body(attr, end, &b)) {
        a->old_len = b.code_len;
        if (b.code_len == 1 && cf_str_is(a->name_text, "finalize") && cf_str_is(a->desc_text, "()V"))
            return false; /* a body would make all objects of the class finalizable */
        fit = bci_gather(a, &b);
        if (fit == BCI_FAR) fit = gather_odd_constructor(a, &b);
        bool nothing = s->w.nins == 0 && s->w.nedges == 0 && !s->w.catch_any;
        if ((fit == BCI_FITS || fit == BCI_FAR) && nothing && (a->points || !rebuild)) return false;
    }
    if (fit == BCI_FITS) {
        size_t before = s->body.len;
        bci_put(&s->body, *copied, (size_t)(attr - *copied));
        size_t at = s->body.len;
        s->w.want_pcs = rebuild;
        fit = s->body.bad ? BCI_NO_MEMORY : bci_splice(&a->v, &s->w, &s->body);
        a->new_len = s->w.new_len;
        if (fit == BCI_FITS && outlines && cf_get_u4(s->body.data + at + CODE_LENGTH) > a->plan->code_limit) fit = BCI_LARGE;
        if (fit == BCI_FITS && rebuild) fit = bci_reframe(a, &s->body, at);
        if (fit == BCI_FITS) {
            s->numbers.len = numbers;
            *copied = end;
            return true;
        }
        s->body.len = before;
    }
    if (fit == BCI_FAR || (fit == BCI_LARGE && outlines)) {
        if (add_redo(a, sites, numbers)) return false;
        fit = BCI_NO_MEMORY;
    }
    skip(a, fit, fit == BCI_BAD_VALUE ? s->w.why : NULL);
    return false;
}

/* Which rules of the class select the method. */
static bool select_rules(BciApply *a, uint32_t nclass, const uint8_t *attrs, unsigned nattrs) {
    BciRule **v = a->rules = a->s->active + nclass; /* second half */
    uint32_t n = 0;
    a->points = 0;
    for (uint32_t k = 0; k < nclass; k++)
        if (selects(a, a->s->active[k], attrs, nattrs)) {
            v[n++] = a->s->active[k];
            a->points |= a->s->active[k]->points;
        }
    a->nrules = n;
    return n > 0;
}

static void set_method(BciApply *a, int index, const uint8_t *p) {
    a->method = index;
    a->access = cf_get_u2(p);
    a->name = cf_get_u2(p + 2);
    a->desc = cf_get_u2(p + 4);
    a->name_text = bci_view_utf8(&a->v, a->name);
    a->desc_text = bci_view_utf8(&a->v, a->desc);
    a->is_static = a->access & CF_ACC_STATIC;
    a->is_init = a->v.super_class && cf_str_is(a->name_text, "<init>");
}

static bool one_method(BciApply *a, int index, const uint8_t *p, uint32_t nclass, const uint8_t **copied) {
    unsigned nattrs = cf_get_u2(p + 6);
    if (cf_get_u2(p) & (CF_ACC_ABSTRACT | CF_ACC_NATIVE)) return false;
    set_method(a, index, p);
    if (!a->name_text.p || a->desc_text.len < 3) return false;
    if (!select_rules(a, nclass, p + 8, nattrs)) return false;
    const uint8_t *q = p + 8;
    for (unsigned k = 0; k < nattrs; k++, q += 6 + cf_get_u4(q + 2)) {
        if (bci_view_kind(&a->v, cf_get_u2(q)) != CF_ATTR_CODE) continue;
        PoolMark mark = mark_pool(a);
        uint32_t nredo = a->s->nredo;
        bool done = do_body(a, q, q + 6 + cf_get_u4(q + 2), copied);
        if (!done && a->s->nredo == nredo) back_to(a, mark);
        return done;
    }
    return false;
}

/* Steps over the members at p (count first); if they are `methods`, those selected are changed. NULL if
 * they do not fit. */
static const uint8_t *members(BciApply *a, const uint8_t *p, bool methods, uint32_t nclass, const uint8_t **copied) {
    const uint8_t *end = a->v.end;
    if (!p || end - p < 2) return NULL;
    unsigned n = cf_get_u2(p);
    p += 2;
    for (unsigned k = 0; k < n; k++) {
        if (end - p < 8) return NULL;
        const uint8_t *next = bci_skip_attrs(p + 8, end, cf_get_u2(p + 6));
        if (!next) return NULL;
        if (methods && one_method(a, (int)k, p, nclass, copied)) changed(a);
        p = next;
    }
    return p;
}

/* ---- methods for the editor ---- */

static void insert_bytes(BciPos at, const uint8_t *p, uint32_t n, unsigned flags) {
    CfInsn in;
    for (uint32_t pc = 0; pc < n && cf_insn(p, n, pc, &in); pc += in.len) {
        BciInsn *i = bci_emit(at, in.op);
        if (!i) return;
        i->index = in.index;
        i->value = (int16_t)in.imm;
        i->flags |= (uint16_t)((in.wide ? BCI_F_WIDE : 0) | flags);
    }
}

static void emit_handler(BciPos at, BciInsn *site, void *arg) {
    const BciWeave *w = arg;
    insert_bytes(at, w->seq.data + w->handler, w->handler_len - 1, 0);
}

static bool is_exit(const BciWeave *w, uint32_t pc) {
    for (uint32_t k = 0; k < w->nexits; k++)
        if (w->exits[k] == pc) return true;
    return false;
}

static void insert_all(BciCode *code, const BciWeave *w) {
    for (uint32_t k = 0; k < w->nkept; k++) bci_new_local(code, cf_kind_letter(w->kept[k].desc.p[0]));
    for (uint32_t k = 0; k < w->temps; k++) bci_new_local(code, 'I');
    BciPos at = {0};
    for (uint32_t k = 0; k < w->nins; k++) {
        const BciIns *in = &w->ins[k];
        uint32_t pc = in->key >> 2, place = in->key & 3;
        BciInsn *i = bci_insn_at(code, pc);
        unsigned flags = 0;
        if (k && in->key == w->ins[k - 1].key && place == BCI_AT_AFTER) {
            ; /* behind the piece before */
        } else if (place == BCI_AT_ENTRY) {
            at = bci_entry(code);
        } else if (place == BCI_AT_AFTER) {
            uint32_t p = pc - 1;
            while (p && !bci_insn_at(code, p)) p--;
            at = bci_after(code, bci_insn_at(code, p));
        } else {
            if (place != BCI_AT_REPLACE && w->catch_any && is_exit(w, pc)) flags = BCI_F_EXIT;
            at = bci_before(code, i);
        }
        insert_bytes(at, w->seq.data + in->seq, in->len, flags);
    }
    for (uint32_t k = 0; w->catch_any && k < w->nexits; k++) {
        BciInsn *i = bci_insn_at(code, w->exits[k]);
        if (i) i->flags |= BCI_F_EXIT;
    }
    for (uint32_t k = 0; k < w->nedges; k++) {
        const BciEdgeIns *e = &w->edges[k];
        BciPos at = bci_on_edge(code, bci_insn_at(code, e->from), bci_label_at(code, e->target));
        insert_bytes(at, w->seq.data + e->seq, e->len, 0);
    }
    for (uint32_t k = 0; k < w->nins; k++) /* only now: what comes AFTER stood behind them, and edges lead to them */
        if ((w->ins[k].key & 3) == BCI_AT_REPLACE) bci_delete(code, bci_insn_at(code, w->ins[k].key >> 2));
    if (w->catch_any) bci_on_throw(code, emit_handler, (void *)w);
}

/* The finished class is in s->body from `from` on; `in` is where its methods come from. */
static const uint8_t *method_at(const BciView *v, int index) {
    const uint8_t *p = v->members;
    for (int pass = 0; pass < 2; pass++) {
        unsigned n = cf_get_u2(p);
        p += 2;
        for (unsigned k = 0; k < n; k++) {
            if (pass == 1 && (int)k == index) return p;
            p = bci_skip_attrs(p + 8, v->end, cf_get_u2(p + 6));
        }
    }
    return NULL;
}

static BciFit redo_method(BciApply *a, BciClass *c, uint32_t nclass, uint32_t k) {
    BciScratch *s = a->s;
    const uint8_t *p = method_at(&a->v, s->redo[k].method), *q = p + 8;
    BciMethod *m = bci_method(c, s->redo[k].method);
    BciBody b;
    set_method(a, s->redo[k].method, p);
    select_rules(a, nclass, p + 8, cf_get_u2(p + 6));
    while (bci_view_kind(&a->v, cf_get_u2(q)) != CF_ATTR_CODE) q += 6 + cf_get_u4(q + 2);
    uint32_t sites = a->sites;
    a->sites = s->redo[k].sites;
    mark_pool(a); /* what another method did to it does not count */
    a->numbers = s->numbers.data ? s->numbers.data + s->redo[k].numbers : NULL;
    bool ok = bci_code(m) && bci_view_body(q, q + 6 + cf_get_u4(q + 2), &b);
    if (ok && a->is_init) ok = (a->uninit = uninit_map(m, &s->uninit)) != NULL;
    BciFit fit = ok ? bci_gather(a, &b) : editor_failed(a, m);
    if (fit == BCI_FITS) insert_all(bci_code(m), &s->w);
    if (fit == BCI_FITS && a->plan->flags & BCI_PLAN_REBUILD_FRAMES)
        bci_mark_changed(bci_code(m)); /* also where there is nothing to insert */
    a->uninit = NULL;
    a->numbers = NULL;
    a->sites = sites;
    return fit;
}

/* What has become of one of these methods. */
static void note_redone(BciApply *a, BciClass *c, const BciRedo *redo) {
    BciResult *res = a->res;
    BciMethod *m = bci_method(c, redo->method);
    CfError e;
    cf_err_clear(&e);
    a->method = redo->method;
    a->old_len = redo->old_len;
    a->new_len = redo->new_len;
    if (bci_method_error(m, &e) != CF_OK) {
        bool large = e.code == CF_ERR_LIMIT && a->new_len > BCI_MAX_CODE;
        BciFit fit = large ? BCI_LARGE : e.code == CF_ERR_NOMEM ? BCI_NO_MEMORY : BCI_BAD_VALUE;
        skip(a, fit, large ? m->not_outlined : e.text);
        return;
    }
    changed(a);
    if (m->parts && res->noutlined++ < BCI_MAX_SKIPS) res->outlined[res->noutlined - 1] = (BciOutlined){a->method, m->parts};
}

/* Edits the methods of s->redo in the class (bytes, n). The result replaces it in `buf`. */
static bool redo(BciApply *a, CfWriter *buf, uint32_t nclass, CfError *err) {
    BciScratch *s = a->s;
    bool rebuild = a->plan->flags & BCI_PLAN_REBUILD_FRAMES, drop = a->plan->flags & BCI_PLAN_DROP_UNKNOWN;
    bool outlines = a->plan->flags & BCI_PLAN_OUTLINE;
    BciOptions opt = {.frames = rebuild ? BCI_FRAMES_REBUILD : BCI_FRAMES_KEEP,
                      .flags = BCI_SKIP_FAILED | (drop ? BCI_DROP_UNKNOWN : 0) | (outlines ? BCI_OUTLINE : 0),
                      .types = a->req->types};
    BciClass *c = bci_open(buf->data, buf->len, &opt, err);
    uint8_t *out = NULL;
    size_t n = 0;
    if (c) c->code_limit = a->plan->code_limit;
    for (uint32_t k = 0; c && k < s->nredo; k++) {
        BciFit fit = redo_method(a, c, nclass, k);
        if (fit != BCI_FITS) {
            skip(a, fit, fit == BCI_BAD_VALUE ? s->w.why : NULL);
            s->redo[k].method = -1;
        }
    }
    if (c && bci_write(c, NULL, NULL, &out, &n, err) == CF_OK)
        for (uint32_t k = 0; k < s->nredo; k++)
            if (s->redo[k].method >= 0) note_redone(a, c, &s->redo[k]);
    bci_close(c);
    if (!out) return false;
    buf->len = 0;
    bci_put(buf, out, n);
    free(out);
    return !buf->bad;
}

/* ---- native methods ---- */

static const char *native_prefix(BciApply *a, const uint8_t *p, uint32_t nclass) {
    for (uint32_t r = 0; r < nclass; r++) {
        const BciRule *rule = a->s->active[r];
        if (rule->natives && selects(a, rule, p + 8, cf_get_u2(p + 6)))
            for (uint32_t k = 0; k < rule->nacts; k++)
                if (rule->acts[k].kind == BCI_DO_NATIVES) return rule->acts[k].text;
    }
    return NULL;
}

/* What method k at p, which becomes the one in hand, is prefixed with. <clinit> is never native, whatever its flags say
 * (JVMS 4.6). */
static const char *prefix_at(BciApply *a, unsigned k, const uint8_t *p, uint32_t nclass) {
    if (!(cf_get_u2(p) & CF_ACC_NATIVE)) return NULL;
    set_method(a, (int)k, p);
    bool named = a->name_text.p && a->desc_text.p && a->name_text.p[0] != '<';
    return named ? native_prefix(a, p, nclass) : NULL;
}

/* Those at p have been wrapped. */
static void note_wrapped(BciApply *a, const uint8_t *p, uint32_t nclass) {
    unsigned n = cf_get_u2(p);
    p += 2;
    for (unsigned k = 0; k < n; k++, p = bci_skip_attrs(p + 8, a->v.end, cf_get_u2(p + 6)))
        if (prefix_at(a, k, p, nclass)) changed(a);
}

/* The attributes of the class, behind the methods; NULL if something does not fit. */
static const uint8_t *class_attrs(BciApply *a, const uint8_t *methods) {
    const uint8_t *p = members(a, methods, false, 0, NULL);
    return p && a->v.end - p >= 2 && bci_skip_attrs(p + 2, a->v.end, cf_get_u2(p)) == a->v.end ? p : NULL;
}

/* Wraps the natives that rules select; the new class is in s->wrapped. False if there is none, or
 * if they had to be left as they are, which is noted. */
static bool wrap_natives(BciApply *a, uint32_t nclass) {
    BciClass *c = NULL;
    CfError err;
    cf_err_clear(&err);
    const uint8_t *p = members(a, a->v.members, false, 0, NULL), *methods = p;
    if (!(a->class_anns = class_attrs(a, p))) /* they select natives too */
        return false;
    unsigned n = cf_get_u2(p);
    p += 2;
    for (unsigned k = 0; k < n; k++, p = bci_skip_attrs(p + 8, a->v.end, cf_get_u2(p + 6))) {
        const char *prefix = prefix_at(a, k, p, nclass);
        if (prefix && !c && !(c = bci_open(a->v.p, (size_t)(a->v.end - a->v.p), NULL, &err))) break;
        if (prefix) bci_wrap_native(bci_method(c, (int)k), prefix);
    }
    uint8_t *out = NULL;
    size_t len;
    bool ok = c && bci_write(c, NULL, NULL, &out, &len, &err) == CF_OK;
    bci_close(c);
    if (ok) {
        bci_put(&a->s->wrapped, out, len);
        ok = !a->s->wrapped.bad;
        if (ok) note_wrapped(a, methods, nclass);
        else skip(a, BCI_NO_MEMORY, NULL);
    } else if (err.code != CF_OK) {
        skip(a, err.code == CF_ERR_NOMEM ? BCI_NO_MEMORY : BCI_BAD_VALUE, err.text);
    }
    free(out);
    return ok;
}

/* ---- the class ---- */

static BciOutcome refuse(BciApply *a, CfErrCode code, const char *why) {
    a->res->code = code;
    snprintf(a->res->error, sizeof a->res->error, "%s", why);
    return BCI_REFUSED;
}

/* Bytes of the new class: header, pool, additions, rest. Exact size goes through the caller's
 * allocator. */
static uint8_t *assemble(BciApply *a, const CfWriter *body, size_t *len, BciAlloc alloc, void *ctx) {
    const BciView *v = &a->v;
    size_t head = v->pool_end, more = a->s->pool.len;
    *len = head + more + body->len;
    uint8_t *p = alloc ? alloc(ctx, *len) : malloc(*len);
    if (!p) return NULL;
    memcpy(p, v->p, head);
    cf_put_u2(p + 8, a->npool);
    if (more) memcpy(p + head, a->s->pool.data, more);
    memcpy(p + head + more, body->data, body->len);
    return p;
}

static void *into_buf(void *ctx, size_t n) {
    CfWriter *b = ctx;
    b->len = 0;
    return cf_w_room(b, n);
}

#ifdef GRAFT_DEBUG
enum { DEBUG_BUILD = 1 };
#else
enum { DEBUG_BUILD = 0 };
#endif

/* By the editor, which writes a class without edits byte for byte. */
static bool valid(const uint8_t *p, size_t n, CfError *err) {
    BciOptions opt = {.flags = BCI_VERIFY_RESULT};
    uint8_t *copy = NULL;
    size_t len;
    cf_err_clear(err);
    BciClass *c = bci_open(p, n, &opt, err);
    bool ok = c && bci_write(c, NULL, NULL, &copy, &len, err) == CF_OK;
    bci_close(c);
    free(copy);
    return ok;
}

/* May the result be handed out? A debug build asks nothing of a class that was wrong from the start. */
static bool passes(const BciApply *a, const CfWriter *whole, CfError *err) {
    CfError input;
    bool asked = a->plan->flags & BCI_PLAN_VERIFY;
    if ((!asked && !DEBUG_BUILD) || valid(whole->data, whole->len, err)) return true;
    return !asked && (err->code == CF_ERR_NOMEM || !valid(a->in, a->nin, &input));
}

/* The new class, in `whole`. */
static bool finish(BciApply *a, CfWriter *whole, uint32_t nclass, CfError *err) {
    size_t n;
    return assemble(a, &a->s->body, &n, into_buf, whole) && (!a->s->nredo || redo(a, whole, nclass, err));
}

static BciOutcome deliver_checked(BciApply *a, uint32_t nclass, bool wrapped) {
    BciResult *res = a->res;
    CfWriter whole = {0};
    CfError err;
    BciOutcome o = BCI_CHANGED;
    cf_err_clear(&err);
    if (!finish(a, &whole, nclass, &err))
        o = err.code == CF_OK ? refuse(a, CF_ERR_NOMEM, "out of memory") : refuse(a, err.code, err.text);
    else if (!res->methods && !wrapped) o = BCI_UNCHANGED;
    else if (!passes(a, &whole, &err)) o = refuse(a, err.code, err.text);
    if (o == BCI_CHANGED) {
        res->bytes = a->req->alloc ? a->req->alloc(a->req->alloc_ctx, whole.len) : malloc(whole.len);
        if (res->bytes) memcpy(res->bytes, whole.data, res->len = whole.len);
        else o = refuse(a, CF_ERR_NOMEM, "out of memory");
    }
    free(whole.data);
    return o;
}

static BciOutcome deliver(BciApply *a, uint32_t nclass, bool wrapped) {
    BciResult *res = a->res;
    BciOutcome o = BCI_CHANGED;
    if (!res->methods && !a->s->nredo && !wrapped) o = BCI_UNCHANGED;
    else if (DEBUG_BUILD || a->s->nredo || a->plan->flags & BCI_PLAN_VERIFY) o = deliver_checked(a, nclass, wrapped);
    else if (!(res->bytes = assemble(a, &a->s->body, &res->len, a->req->alloc, a->req->alloc_ctx)))
        o = refuse(a, CF_ERR_NOMEM, "out of memory");
    if (o == BCI_REFUSED || !res->nskipped) return o;
    return o == BCI_CHANGED ? BCI_PARTIAL : BCI_SKIPPED;
}

static bool prepare(BciApply *a) {
    BciScratch *s = a->s;
    uint32_t n = a->plan->consts.len;
    CfStr name = bci_view_class(&a->v, a->v.this_class);
    if (!BCI_WANT(s->konst, s->cap_konst, n)) return false;
    memset(s->konst, 0, n * sizeof *s->konst);
    if (s->cap_name <= name.len) {
        char *z = realloc(s->class_name, name.len + 1u);
        if (!z) return false;
        s->class_name = z;
        s->cap_name = name.len + 1u;
    }
    memcpy(s->class_name, name.p, name.len);
    s->class_name[name.len] = 0;
    a->npool = a->v.npool;
    return true;
}

static BciOutcome change(BciApply *a, uint32_t nclass, bool wrapped, bool annotations) {
    BciScratch *s = a->s;
    const uint8_t *copied = a->v.p + a->v.pool_end;
    const uint8_t *p = members(a, a->v.members, false, 0, NULL);
    if (annotations && !(a->class_anns = class_attrs(a, p))) return refuse(a, CF_ERR_FORMAT, "malformed members or attributes");
    if (!prepare(a)) return refuse(a, CF_ERR_NOMEM, "out of memory");
    p = members(a, p, true, nclass, &copied);
    if (!p || a->v.end - p < 2 || bci_skip_attrs(p + 2, a->v.end, cf_get_u2(p)) != a->v.end)
        return refuse(a, CF_ERR_FORMAT, "malformed members or attributes");
    bci_put(&s->body, copied, (size_t)(a->v.end - copied));
    if (s->body.bad) return refuse(a, CF_ERR_NOMEM, "out of memory");
    a->res->sites = a->sites;
    return deliver(a, nclass, wrapped);
}

static bool view(BciApply *a, const uint8_t *p, size_t n) {
    BciScratch *s = a->s;
    const char *wrong = bci_view(&a->v, p, n, &s->at, &s->kinds);
    if (wrong) refuse(a, s->at.bad || s->kinds.bad ? CF_ERR_NOMEM : CF_ERR_FORMAT, wrong);
    return !wrong;
}

static bool has_annotations(const BciRule *r) {
    bool yes = false;
    for (uint32_t k = 0; k < r->nselect; k++) yes |= r->select[k].ann != NULL;
    for (uint32_t k = 0; k < r->nexcept; k++) yes |= r->except[k].ann != NULL;
    return yes;
}

BciOutcome bci_apply(const BciPlan *plan, BciScratch *s, const uint8_t *in, size_t n, const BciRequest *req, BciResult *res) {
    static const BciRequest none;
    memset(res, 0, offsetof(BciResult, skipped));
    res->newer = false;
    res->code = CF_OK;
    res->error[0] = 0;
    BciApply a = {.plan = plan, .s = s, .req = req ? req : &none, .res = res, .in = in, .nin = n};
    if (!plan || !plan->sealed) return refuse(&a, CF_ERR_USAGE, "the plan is not sealed");
    if (!s) return refuse(&a, CF_ERR_NOMEM, "no working memory");
    clear(s);
    if (!view(&a, in, n)) return BCI_REFUSED;
    CfStr name = bci_view_class(&a.v, a.v.this_class);
    if (!name.p) return refuse(&a, CF_ERR_FORMAT, "no class name");
    res->newer = a.v.major > CF_MAJOR_MAX;
    uint32_t nclass = 0, nrules = 0;
    bool natives = false, annotations = false;
    for (const BciRule *r = plan->rules; r; r = r->next) nrules++;
    if (!BCI_WANT(s->active, s->cap_active, 2 * nrules)) return refuse(&a, CF_ERR_NOMEM, "out of memory");
    for (BciRule *r = plan->rules; r; r = r->next)
        if (bci_rule_selects_class(r, name)) {
            s->active[nclass++] = r;
            natives |= r->natives;
            annotations |= has_annotations(r);
        }
    s->nactive = nclass;
    if (!nclass || a.v.access & CF_ACC_MODULE) return BCI_UNCHANGED;
    bool wrapped = natives && wrap_natives(&a, nclass);
    if (wrapped && !view(&a, s->wrapped.data, s->wrapped.len)) return BCI_REFUSED;
    return change(&a, nclass, wrapped, annotations);
}
