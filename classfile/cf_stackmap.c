/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_stackmap.c - StackMapTable (JVMS 4.7.4): the one place that reads its bytes, and the one that writes them.
 *
 * READING is an iterator over frames as they stand: a CfMapFrame says at which pc, which form, and where the types of its
 * locals and stack lie, checked; cf_map_type_next takes the types one by one. What a frame means, since each tells the
 * difference to the one before, is cf_frame_from_map (cf_frame.c). WRITING takes frames of types and chooses the shortest
 * form (cf_map_form.h, inline for the rewriting library, which has its types in other shapes).
 */
#include "cf_map_form.h"

/* ------------------------------------------------------------------------ reading */

CfErrCode cf_map_start(const CfAttr *a, CfMapIter *it, CfError *err) {
    *it = (CfMapIter){.pc = -1};
    if (!a) return CF_OK;
    if (a->len < 2) return cf_fail(err, CF_ERR_FORMAT, -1, "Malformed StackMapTable attribute");
    it->count = it->left = cf_get_u2(a->data);
    it->p = a->data + 2;
    it->end = a->data + a->len;
    return CF_OK;
}

static const char beyond[] = "access beyond the end of attribute";

/* Steps over `n` verification_type_infos; what is wrong with them, or NULL. */
static inline const char *map_types(const uint8_t **at, const uint8_t *end, uint32_t n, CfMapTypes *out) {
    const uint8_t *p = *at;
    *out = (CfMapTypes){p, n};
    for (; n; n--) {
        if (p >= end) return beyond;
        if (*p > CF_VTAG_UNINIT) return "bad verification type";
        p += *p >= CF_VTAG_OBJECT ? 3 : 1;
    }
    if (p > end) return beyond;
    *at = p;
    return NULL;
}

static const char *full_frame(const uint8_t **p, const uint8_t *end, CfMapFrame *f) {
    f->chop_append = CF_MAP_FULL;
    for (int k = 0; k < 2; k++) {
        if (end - *p < 2) return beyond;
        uint32_t n = cf_get_u2(*p);
        *p += 2;
        const char *why = map_types(p, end, n, k ? &f->stack : &f->locals);
        if (why) return why;
    }
    return NULL;
}

/* Behind offset_delta. */
static const char *frame(const uint8_t **p, const uint8_t *end, unsigned type, CfMapFrame *f) {
    if (type < 64 || type == 251) return NULL;
    if (type < 128 || type == 247) return map_types(p, end, 1, &f->stack);
    if (type < 247) return "reserved frame type";
    if (type == 255) return full_frame(p, end, f);
    f->chop_append = (int16_t)((int)type - 251);
    return type < 251 ? NULL : map_types(p, end, type - 251, &f->locals);
}

int cf_map_next(CfMapIter *it, CfMapFrame *f) {
    const uint8_t *p = it->p, *end = it->end;
    if (it->left == 0) {
        it->why = "wrong attribute size";
        return p == end ? 0 : -1;
    }
    it->why = beyond;
    if (p == end) return -1;
    unsigned type = *p++, delta = type & 63;
    *f = (CfMapFrame){.type = (uint8_t)type};
    if (type >= 128) { /* the reference reads an offset before it looks at the type */
        if (end - p < 2) return -1;
        delta = cf_get_u2(p);
        p += 2;
    }
    it->why = frame(&p, end, type, f);
    if (it->why) return -1;
    it->pc += (int64_t)delta + 1;
    it->p = p;
    it->left--;
    f->pc = (uint32_t)it->pc;
    return 1;
}

bool cf_map_type_next(CfMapTypes *t, uint8_t *tag, uint16_t *data) { return cf_map_type_take(t, tag, data); }

/* ------------------------------------------------------------------------ writing */

/* To whom Class entries are asked for. */
typedef struct MapWriter {
    CfFlow *f;
    CfClassIndexFn class_index;
    void *ctx;
    CfWriter *w;
} MapWriter;

/* Behind them; NULL: one cannot be told. */
static inline uint8_t *put_types(MapWriter *m, uint8_t *p, const CfType *v, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        CfTypeKind k = cf_type_kind(v[i]);
        if (k > CF_T_UNINIT) return NULL;
        *p++ = cf_type_tag(v[i]);
        if (k < CF_T_OBJECT) continue;
        unsigned index = k == CF_T_OBJECT ? m->class_index(m->ctx, v[i]) : cf_type_data(v[i]);
        if (k == CF_T_OBJECT && !index) return NULL;
        cf_put_u2(p, index);
        p += 2;
    }
    return p;
}

static unsigned used_locals(const CfFrame *fr) {
    unsigned n = fr->nlocals;
    while (n && fr->locals[n - 1] == CF_T_TOP) n--;
    return n;
}

static bool write_frame(MapWriter *m, unsigned delta, int form, const CfType *cur, unsigned nc, const CfType *stack,
                        unsigned ns) {
    unsigned skip = form == CF_MAP_FULL ? 0 : form > 0 ? nc - (unsigned)form : nc;
    uint8_t *p = cf_w_room(m->w, 7 + 3 * ((size_t)nc + ns));
    if (!p) return false;
    p = put_types(m, p + cf_map_head(p, form, ns, delta, nc), cur + skip, nc - skip);
    if (p && form == CF_MAP_FULL) cf_put_u2(p, ns), p += 2;
    if (p) p = put_types(m, p, stack, ns);
    if (p) m->w->len = (size_t)(p - m->w->data);
    return p != NULL;
}

bool cf_map_write_as(CfFlow *f, CfClassIndexFn class_index, void *ctx, const CfFrame *entry, const CfFrameAt *frames, size_t n,
                     CfWriter *w) {
    MapWriter m = {f, class_index, ctx, w};
    unsigned ml = f->code->max_locals, ms = f->code->max_stack;
    CfType *buf = cf_arena_alloc(f->arena, (2 * (size_t)ml + ms) * sizeof *buf);
    if (!buf) f->error.why = CF_WHY_NOMEM;
    if (!buf || n > 65535) return false;
    CfType *prev = buf, *cur = buf + ml, *stack = buf + 2 * (size_t)ml;
    unsigned np = cf_types_compact(entry->locals, used_locals(entry), prev);
    int64_t prev_pc = -1;
    cf_w_u2(w, (unsigned)n);
    for (size_t i = 0; i < n; i++) {
        const CfFrame *fr = frames[i].frame;
        int64_t delta = frames[i].pc - prev_pc - 1;
        if (delta < 0 || delta > 65535) return false;
        unsigned nc = cf_types_compact(fr->locals, used_locals(fr), cur);
        unsigned ns = cf_types_compact(fr->stack, fr->depth, stack);
        int form = cf_map_form(prev, np, cur, nc, ns);
        if (!write_frame(&m, (unsigned)delta, form, cur, nc, stack, ns)) return false;
        CfType *swap = prev;
        prev = cur;
        cur = swap;
        np = nc;
        prev_pc = frames[i].pc;
    }
    return !w->bad;
}

typedef struct InClass {
    CfFlow *f;
    CfClass *c;
} InClass;

static unsigned add_class(void *ctx, CfType t) {
    InClass *x = ctx;
    return cf_add_class(x->c, cf_type_name(x->f->types, t));
}

bool cf_map_write(CfFlow *f, CfClass *c, const CfFrame *entry, const CfFrameAt *frames, size_t n, CfWriter *w) {
    InClass x = {f, c};
    return cf_map_write_as(f, add_class, &x, entry, frames, n, w);
}
