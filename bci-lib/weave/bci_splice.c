/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_splice.c - a Code attribute with sequences inserted, without decoding it into a list.
 *
 * THEORY. Sequences leave the stack and the old locals as they found them. Then every frame,
 * variable and handler of the input stays true and only offsets move. The layout pass turns the
 * insertions, and switches whose padding changes, into a short ascending list of shifts; everything
 * else is a copy in which offsets are looked up in that list. Spans of code between two insertions
 * are copied as they are; only branches and switches are rewritten.
 *
 * If nothing but entry code is inserted, the code moves as one piece, branches keep their distances,
 * and (entry code being padded to a multiple of four) switches keep their padding: the code is not
 * even walked.
 *
 * NEW LOCALS. Scratch slots of one sequence lie behind the old locals; no frame names them, which
 * is right, because nobody reads them after a label. Locals that live from the entry on
 * (BciKept) are appended to each frame, which is then written in its full form.
 *
 * CATCH-ANY. One handler at the end. Its frame has no locals (any frame may be used as that), or
 * those of the entry that hold everywhere if the probe needs them (bci_params.c), and those that are kept.
 *
 * LABELS IN SEQUENCES. A sequence of the editor may branch within itself. Whoever gives such a one tells the
 * frames at its labels (BciNewFrame), and writes out the next frame of the input wherever the difference to
 * the one before it has another meaning now.
 *
 * Not done here (BCI_FAR): branches that no longer reach, code on edges. The caller takes the editor.
 */
#include "bci_weave.h"

/* ---- shifts ---- */

static bool add_shift(BciWeave *w, uint32_t pc, int32_t label, int32_t insn) {
    if (!BCI_WANT(w->shifts, w->cap_shifts, w->nshifts + 1)) return false;
    w->shifts[w->nshifts++] = (BciShift){pc, label, insn};
    return true;
}

/* Lookups are mostly near the one before. */
const BciShift *bci_shift_at(BciWeave *w, uint32_t pc) {
    const BciShift *s = w->shifts;
    uint32_t k = w->shift_at, n = w->nshifts;
    if (s[k].pc <= pc) {
        for (unsigned tries = 0; k + 1 < n && s[k + 1].pc <= pc; k++)
            if (++tries > 6) goto search;
        w->shift_at = k;
        return &s[k];
    }
search:;
    uint32_t lo = 0, hi = n; /* s[0].pc == 0 */
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (s[mid].pc <= pc) lo = mid;
        else hi = mid;
    }
    w->shift_at = lo;
    return &s[lo];
}

static bool is_switch(unsigned op) { return op == CF_OP_TABLESWITCH || op == CF_OP_LOOKUPSWITCH; }

/* Computes all shifts and the length of the new code. */
static BciFit layout(BciWeave *w) {
    uint32_t i = 0, r = 0;
    int32_t shift = 0;
    w->nshifts = w->shift_at = 0;
    if (!add_shift(w, 0, 0, 0)) return BCI_NO_MEMORY;
    while (i < w->nins || (w->switches && r < w->nrelocs)) {
        uint32_t pc = i < w->nins ? w->ins[i].key >> 2 : UINT32_MAX;
        if (w->switches && r < w->nrelocs && w->relocs[r] < pc) {
            uint32_t at = w->relocs[r++];
            if (!is_switch(w->b.code[at])) continue;
            int32_t delta = (int32_t)(~(at + (uint32_t)shift) & 3) - (int32_t)(~at & 3);
            if (delta && !add_shift(w, at + 1, shift + delta, shift + delta)) return BCI_NO_MEMORY;
            shift += delta;
            continue;
        }
        int32_t label = shift, insn;
        uint32_t behind = 0, dropped = 0;
        for (; i < w->nins && w->ins[i].key >> 2 == pc && (w->ins[i].key & 3) < BCI_AT_BEFORE; i++)
            label += (int32_t)w->ins[i].len;
        insn = label;
        for (; i < w->nins && w->ins[i].key >> 2 == pc; i++)
            if (w->ins[i].drop) behind += w->ins[i].len, dropped += w->ins[i].drop;
            else insn += (int32_t)w->ins[i].len;
        if (pc == 0) w->nshifts = 0;
        shift = insn + (int32_t)behind - (int32_t)dropped;
        if (!add_shift(w, pc, label, insn) || (shift != insn && !add_shift(w, pc + dropped, shift, shift))) return BCI_NO_MEMORY;
        if (shift > 1 << 24) {
            w->new_len = w->b.code_len + (uint32_t)shift;
            return BCI_LARGE;
        }
    }
    w->uniform = w->nshifts == 1 && w->shifts[0].label == w->shifts[0].insn;
    w->new_len = w->b.code_len + (uint32_t)shift;
    return BCI_FITS;
}

/* ---- code ---- */

static uint32_t target_shift(BciWeave *w, uint32_t at, int32_t delta, bool *bad) {
    int64_t t = (int64_t)at + delta;
    if (t < 0 || t >= w->b.code_len) {
        *bad = true;
        return 0;
    }
    uint32_t to = bci_new_label_pc(w, (uint32_t)t);
    return to - bci_new_insn_pc(w, at);
}

/* The switch at `at`; returns the end of what was written, and the bytes taken in *taken. */
static uint8_t *put_switch(BciWeave *w, uint32_t at, uint8_t *q, uint32_t *taken, bool *bad) {
    const uint8_t *code = w->b.code, *p = code + at + 1 + (~at & 3);
    uint32_t pos = bci_new_insn_pc(w, at), n, row, head;
    *q++ = code[at];
    for (uint32_t pad = ~pos & 3; pad; pad--) *q++ = 0;
    bool table = code[at] == CF_OP_TABLESWITCH;
    n = table ? cf_get_u4(p + 8) - cf_get_u4(p + 4) + 1 : cf_get_u4(p + 4);
    row = table ? 4 : 8, head = table ? 12 : 8;
    cf_put_u4(q, target_shift(w, at, cf_get_s4(p), bad));
    memcpy(q + 4, p + 4, head - 4);
    q += head, p += head;
    for (; n; n--, p += row, q += row) {
        if (!table) memcpy(q, p, 4);
        cf_put_u4(q + row - 4, target_shift(w, at, cf_get_s4(p + row - 4), bad));
    }
    *taken = (uint32_t)(p - (code + at));
    return q;
}

/* Rewrites branch or switch `at`. Lengths were checked by the walk. */
static uint8_t *put_reloc(BciWeave *w, uint32_t at, uint8_t *q, uint32_t *taken, BciFit *fit) {
    const uint8_t *p = w->b.code + at;
    bool bad = false;
    if (is_switch(*p)) {
        q = put_switch(w, at, q, taken, &bad);
    } else if (*p == CF_OP_GOTO_W || *p == CF_OP_JSR_W) {
        *q = *p;
        cf_put_u4(q + 1, target_shift(w, at, cf_get_s4(p + 1), &bad));
        q += *taken = 5;
    } else {
        int32_t d = (int32_t)target_shift(w, at, cf_get_s2(p + 1), &bad);
        if (d != (int16_t)d) *fit = BCI_FAR;
        *q = *p;
        cf_put_u2(q + 1, (unsigned)d & 0xffff);
        q += *taken = 3;
    }
    if (bad) *fit = BCI_MALFORMED;
    return q;
}

/* `q` has room for new_len bytes. */
static BciFit put_code(BciWeave *w, uint8_t *q) {
    const uint8_t *code = w->b.code;
    const BciIns *in = w->ins, *last = in + w->nins;
    uint32_t at = 0, r = 0, nr = w->walked ? w->nrelocs : 0, taken;
    uint8_t *start = q;
    BciFit fit = BCI_FITS;
    while (fit == BCI_FITS) {
        uint32_t pi = in < last ? in->key >> 2 : UINT32_MAX, pr = r < nr ? w->relocs[r] : UINT32_MAX;
        uint32_t pc = pi <= pr ? pi : pr;
        uint32_t upto = pc == UINT32_MAX ? w->b.code_len : pc;
        if (upto > at) {
            memcpy(q, code + at, upto - at);
            q += upto - at;
            at = upto;
        }
        if (pc == UINT32_MAX) break;
        if (pi <= pr) {
            memcpy(q, w->seq.data + in->seq, in->len);
            q += in->len;
            at += in->drop;
            in++;
        } else {
            q = put_reloc(w, pc, q, &taken, &fit);
            at += taken;
            r++;
        }
    }
    return fit == BCI_FITS && (uint32_t)(q - start) != w->new_len ? BCI_MALFORMED : fit;
}

/* ---- exception table ---- */

static bool put_row(CfWriter *out, uint32_t start, uint32_t end, uint32_t handler, unsigned type) {
    uint8_t *q = cf_w_room(out, 8);
    if (!q) return false;
    cf_put_u2(q, start), cf_put_u2(q + 2, end), cf_put_u2(q + 4, handler), cf_put_u2(q + 6, type);
    return true;
}

/* Rows that cover everything but returns with the code in front of them. */
static void put_any_rows(BciWeave *w, CfWriter *out, uint32_t *n) {
    uint32_t from = bci_new_label_pc(w, w->cover_from), handler = w->new_len;
    for (uint32_t k = 0; k <= w->nexits; k++) {
        bool last = k == w->nexits;
        if (!last && w->exits[k] < w->cover_from) continue;
        uint32_t to = last ? w->new_len : bci_new_label_pc(w, w->exits[k]);
        if (to > from && put_row(out, from, to, handler, 0)) ++*n;
        if (!last) from = bci_new_insn_pc(w, w->exits[k]) + 1;
    }
}

static BciFit put_rows(BciWeave *w, CfWriter *out) {
    const uint8_t *p = w->b.rows;
    size_t at = out->len;
    uint32_t n = w->b.nrows, len = w->b.code_len;
    cf_w_u2(out, n);
    for (uint32_t k = 0; k < w->b.nrows; k++, p += 8) {
        uint32_t s = cf_get_u2(p), e = cf_get_u2(p + 2), h = cf_get_u2(p + 4);
        if (s >= e || e > len || h >= len) return BCI_MALFORMED;
        uint32_t ns = bci_new_label_pc(w, s), ne = bci_new_label_pc(w, e);
        put_row(out, ns, ne, bci_new_label_pc(w, h), cf_get_u2(p + 6));
    }
    if (w->catch_any) put_any_rows(w, out, &n);
    if (out->bad) return BCI_NO_MEMORY;
    cf_put_u2(out->data + at, n);
    return n > 65535 ? BCI_LARGE : BCI_FITS;
}

/* ---- frames ---- */

typedef struct MapOut {
    BciWeave *w;
    CfWriter *out;
    int64_t prev;     /* new pc of the frame before, -1 = none */
    BciVType *locals; /* current locals, only if frames are extended */
    uint32_t nlocals, cap;
    bool told;     /* the frame before has these locals, and those that are kept */
    uint32_t next; /* of w->frames */
} MapOut;

/* A type of the input, at its new place. False if it names a `new` beyond the code. */
static bool take_type(BciWeave *w, CfMapTypes *types, BciVType *t) {
    if (!cf_map_type_take(types, &t->tag, &t->data)) return false;
    if (t->tag != CF_VTAG_UNINIT) return true;
    bool ok = t->data < w->b.code_len;
    t->data = ok ? (uint16_t)bci_new_insn_pc(w, t->data) : 0;
    return ok;
}

/* Copies types, with new offsets. */
static bool copy_types(BciWeave *w, CfWriter *out, CfMapTypes types) {
    if (types.count == 0) return true;
    uint8_t *q = bci_room(out, 3 * (size_t)types.count), *start = q;
    if (!q) return false;
    for (const uint8_t *p = types.p; types.count; types.count--) {
        unsigned tag = *q++ = *p++;
        if (tag < CF_VTAG_OBJECT) continue;
        unsigned data = cf_get_u2(p);
        if (tag == CF_VTAG_UNINIT) {
            if (data >= w->b.code_len) return false;
            data = bci_new_insn_pc(w, data);
        }
        cf_put_u2(q, data);
        p += 2, q += 2;
    }
    out->len += (size_t)(q - start);
    return true;
}

static void put_vtype(CfWriter *out, BciVType t) {
    cf_w_u1(out, t.tag);
    if (t.tag >= CF_VTAG_OBJECT) cf_w_u2(out, t.data);
}

static void put_vtypes(CfWriter *out, const BciVType *v, uint32_t n) {
    for (; n; n--, v++) put_vtype(out, *v);
}

/* The same, `new` by its place in the input. */
static void put_moved_types(BciWeave *w, CfWriter *out, const BciVType *v, uint32_t n) {
    for (; n; n--, v++)
        put_vtype(out, (BciVType){v->tag, v->tag == CF_VTAG_UNINIT ? (uint16_t)bci_new_insn_pc(w, v->data) : v->data});
}

/* The number of locals of a full frame that begin with these, up to the old max_locals and with those that are kept;
 * returns how many have to be filled in. */
static uint32_t put_extended_count(BciWeave *w, CfWriter *out, const BciVType *v, uint32_t n) {
    uint32_t slots = 0;
    for (uint32_t k = 0; k < n; k++) slots += v[k].tag == CF_VTAG_LONG || v[k].tag == CF_VTAG_DOUBLE ? 2 : 1;
    uint32_t fill = w->nkept && slots < w->b.max_locals ? w->b.max_locals - slots : 0;
    cf_w_u2(out, n + fill + w->nkept);
    return fill;
}

static void put_kept(BciWeave *w, CfWriter *out, uint32_t fill) {
    for (; fill; fill--) cf_w_u1(out, CF_VTAG_TOP);
    for (uint32_t k = 0; k < w->nkept; k++) put_vtype(out, w->kept[k].type);
}

/* Locals of a full frame: `n` types, then filled up to the old max_locals, then those that are kept. */
static void put_extended(BciWeave *w, CfWriter *out, const BciVType *v, uint32_t n) {
    uint32_t fill = put_extended_count(w, out, v, n);
    put_vtypes(out, v, n);
    put_kept(w, out, fill);
}

/* The current locals become those of the frame. */
static bool take_locals(MapOut *m, const CfMapFrame *f) {
    CfMapTypes types = f->locals;
    if (f->chop_append < 0 && m->nlocals < (uint32_t)-f->chop_append) return false;
    m->nlocals = f->chop_append == CF_MAP_FULL ? 0 : f->chop_append < 0 ? m->nlocals + (uint32_t)f->chop_append : m->nlocals;
    if (types.count > m->cap || m->nlocals > m->cap - types.count) return false;
    while (types.count)
        if (!take_type(m->w, &types, &m->locals[m->nlocals++])) return false;
    return true;
}

/* A frame with the locals that are kept, in full form: there may be unusable ones in front of those. */
static bool put_wide_frame(MapOut *m, const CfMapFrame *f, uint32_t delta) {
    if (!take_locals(m, f)) return false;
    cf_w_u1(m->out, 255);
    cf_w_u2(m->out, delta);
    put_extended(m->w, m->out, m->locals, m->nlocals);
    m->told = true;
    cf_w_u2(m->out, f->stack.count);
    return copy_types(m->w, m->out, f->stack);
}

static bool put_frame(MapOut *m, const CfMapFrame *f, uint32_t delta) {
    CfWriter *out = m->out;
    if (m->w->nkept && !(f->chop_append == 0 && m->told)) return put_wide_frame(m, f, delta);
    uint8_t *head = bci_room(out, 5);
    if (!head) return false;
    out->len += cf_map_head(head, f->chop_append, f->stack.count, delta, f->locals.count);
    if (!copy_types(m->w, out, f->locals)) return false;
    if (f->chop_append == CF_MAP_FULL) cf_w_u2(out, f->stack.count);
    return copy_types(m->w, out, f->stack);
}

static inline void note_pc(MapOut *m, uint32_t pc) {
    BciWeave *w = m->w;
    m->prev = pc;
    if (!w->want_pcs) return;
    if (BCI_WANT(w->pcs, w->cap_pcs, w->npcs + 1)) w->pcs[w->npcs++] = pc;
    else m->out->bad = true;
}

static void put_handler_frame(MapOut *m) {
    BciWeave *w = m->w;
    CfWriter *out = m->out;
    cf_w_u1(out, 255);
    cf_w_u2(out, (unsigned)((int64_t)w->new_len - m->prev - 1));
    put_extended(w, out, w->handler_types, w->nhandler);
    cf_w_u2(out, 1);
    put_vtype(out, (BciVType){CF_VTAG_OBJECT, w->throwable});
}

/* ---- frames at labels of pieces ---- */

static uint32_t new_frame_pc(BciWeave *w, const BciNewFrame *f) {
    const BciIns *in = &w->ins[f->ins];
    uint32_t pc = in->key >> 2;
    if (f->of_input) return bci_new_label_pc(w, f->at);
    uint32_t end = (in->key & 3) < BCI_AT_BEFORE ? bci_new_label_pc(w, pc) : bci_new_insn_pc(w, pc);
    return end - in->len + f->at;
}

/* A frame whose types are those of the input. */
static void put_new_frame(MapOut *m, const BciNewFrame *f, uint32_t pc) {
    BciWeave *w = m->w;
    CfWriter *out = m->out;
    unsigned delta = (unsigned)(pc - m->prev - 1);
    uint8_t head[5];
    if (w->nkept && f->form == CF_MAP_FULL) {
        cf_w_u1(out, 255);
        cf_w_u2(out, delta);
        uint32_t fill = put_extended_count(w, out, f->types, f->nlocals);
        put_moved_types(w, out, f->types, f->nlocals);
        put_kept(w, out, fill);
        m->told = false;
    } else {
        bci_put(out, head, cf_map_head(head, f->form, f->nstack, delta, f->nlocals));
        put_moved_types(w, out, f->types, f->nlocals);
    }
    if (f->form == CF_MAP_FULL) cf_w_u2(out, f->nstack);
    put_moved_types(w, out, f->types + f->nlocals, f->nstack);
}

/* Those in front of `now`. At `now` itself the frame of the input is right, and of two at one place the first. */
static uint32_t put_new_frames(MapOut *m, uint32_t now) {
    uint32_t n = 0;
    for (; m->next < m->w->nframes; m->next++) {
        const BciNewFrame *f = &m->w->frames[m->next];
        uint32_t pc = new_frame_pc(m->w, f);
        if (f->of_input || pc > now) break;
        if (pc == now || (int64_t)pc == m->prev) continue;
        put_new_frame(m, f, pc);
        note_pc(m, pc);
        n++;
    }
    return n;
}

/* In place of the frame of the input at `pc`, if there is one. */
static bool put_retold_frame(MapOut *m, uint32_t pc, uint32_t now) {
    const BciNewFrame *f = m->next < m->w->nframes ? &m->w->frames[m->next] : NULL;
    if (!f || !f->of_input || f->at != pc) return false;
    put_new_frame(m, f, now);
    m->next++;
    return true;
}

static bool start_map(MapOut *m) {
    BciWeave *w = m->w;
    if (!w->nkept) return true;
    m->locals = cf_arena_alloc(w->arena, (m->cap + w->nentry) * sizeof *m->locals);
    if (m->locals) memcpy(m->locals, w->entry_types, w->nentry * sizeof *m->locals);
    else m->out->bad = true; /* no memory: put_attr asks it */
    m->nlocals = w->nentry;
    return m->locals != NULL;
}

/* Content of the table; that of the input is `len` bytes at p, or there is none. */
static bool put_map(BciWeave *w, CfWriter *out, const uint8_t *p, uint32_t len) {
    MapOut m = {.w = w, .out = out, .prev = -1, .cap = w->b.max_locals + 1};
    CfAttr map = {.kind = CF_ATTR_STACK_MAP_TABLE, .len = len, .data = p};
    CfMapIter it;
    CfMapFrame f;
    uint32_t n = 0;
    size_t at = out->len;
    int rc;
    w->map_at = at - 6;
    if (!start_map(&m) || cf_map_start(p ? &map : NULL, &it, NULL) != CF_OK) return false;
    w->npcs = 0;
    cf_w_u2(out, 0);
    while ((rc = cf_map_next(&it, &f)) > 0) {
        if (f.pc >= w->b.code_len) return false;
        uint32_t now = bci_new_label_pc(w, f.pc);
        n += 1 + put_new_frames(&m, now);
        size_t here = out->len;
        if (!put_frame(&m, &f, (uint32_t)(now - m.prev - 1))) return false;
        size_t there = out->len;
        out->len = here;
        if (!put_retold_frame(&m, f.pc, now)) out->len = there;
        note_pc(&m, now);
    }
    n += put_new_frames(&m, w->new_len);
    if (w->catch_any) {
        put_handler_frame(&m);
        note_pc(&m, w->new_len);
        n++;
    }
    if (rc < 0 || out->bad || n > 65535) return false;
    cf_put_u2(out->data + at, n);
    return true;
}

/* ---- debug tables ---- */

static void move_range(BciWeave *w, uint8_t *q, const uint8_t *p) {
    uint32_t start = cf_get_u2(p), end = start + cf_get_u2(p + 2);
    uint32_t to = start ? bci_new_label_pc(w, start) : 0;
    cf_put_u2(q, to);
    cf_put_u2(q + 2, bci_new_label_pc(w, end) - to);
}

/* Rows of lines, or of variables (`ranges`), may be malformed in the input: those beyond the code are left out. Variables
 * and lines of pc 0 start with the entry code. */
static inline __attribute__((always_inline)) bool put_table(BciWeave *w, CfWriter *out, const uint8_t *p, uint32_t len,
                                                            bool ranges) {
    uint32_t size = ranges ? 10 : 4, n = 0;
    if (len < 2 || len != 2 + size * (uint32_t)cf_get_u2(p)) return false;
    uint8_t *q = bci_room(out, len), *start = q;
    if (!q) return false;
    q += 2;
    for (const uint8_t *r = p + 2; r < p + len; r += size) {
        uint32_t pc = cf_get_u2(r);
        if (pc >= w->b.code_len || (ranges && pc + cf_get_u2(r + 2) > w->b.code_len)) continue;
        if (ranges) move_range(w, q, r), memcpy(q + 4, r + 4, 6);
        else cf_put_u2(q, pc ? bci_new_label_pc(w, pc) : 0), memcpy(q + 2, r + 2, 2);
        q += size, n++;
    }
    cf_put_u2(start, n);
    out->len += (size_t)(q - start);
    return true;
}

/* Code's type annotations: offsets are patched in a copy. */
static bool put_type_annotations(BciWeave *w, CfWriter *out, const uint8_t *p, uint32_t len) {
    uint8_t *q = cf_w_room(out, len);
    if (!q) return false;
    memcpy(q, p, len);
    CfReader r = cf_reader(q, len);
    CfTypeAnnotation t;
    for (uint32_t n = cf_r_u2(&r); n; n--) {
        uint8_t *target = q + cf_r_pos(&r);
        if (!cf_type_annotation_read(&r, &t) || t.target < 0x40) return true;
        for (uint8_t *row = target + 3, *end = row + 6 * (size_t)t.ranges.count; row < end; row += 6) {
            if (cf_get_u2(row) + (uint32_t)cf_get_u2(row + 2) > w->b.code_len) return true;
            move_range(w, row, row);
        }
        if (t.target <= 0x42) continue; /* old rows of the exception table keep their numbers */
        if (t.pc >= w->b.code_len) return true;
        cf_put_u2(target + 1, bci_new_insn_pc(w, t.pc));
    }
    return true;
}

/* One attribute of Code; false = leave it out. */
static bool put_attr(BciWeave *w, CfWriter *out, CfAttrKind kind, const uint8_t *p, BciFit *fit) {
    uint32_t len = cf_get_u4(p + 2);
    size_t at = out->len;
    bool ok = true;
    bci_put(out, p, 6);
    p += 6;
    switch (kind) {
    case CF_ATTR_STACK_MAP_TABLE:
        ok = w->want_map;
        if (ok && !put_map(w, out, p, len)) *fit = out->bad ? BCI_NO_MEMORY : BCI_MALFORMED;
        break;
    case CF_ATTR_LINE_NUMBER_TABLE: ok = put_table(w, out, p, len, false); break;
    case CF_ATTR_LOCAL_VARIABLE_TABLE:
    case CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE: ok = put_table(w, out, p, len, true); break;
    case CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS: ok = put_type_annotations(w, out, p, len); break;
    default: ok = !w->drop_unknown; bci_put(out, p, len);
    }
    if (out->bad) *fit = BCI_NO_MEMORY;
    else if (!ok) out->len = at;
    else cf_put_u4(out->data + at + 2, (uint32_t)(out->len - at - 6));
    return ok;
}

static BciFit put_attrs(BciView *v, BciWeave *w, CfWriter *out) {
    size_t at = out->len;
    unsigned n = 0;
    bool had_map = false;
    BciFit fit = BCI_FITS;
    w->map_at = 0;
    cf_w_u2(out, 0);
    const uint8_t *p = w->b.attrs;
    for (unsigned k = 0; k < w->b.nattrs && fit == BCI_FITS; k++, p += 6 + cf_get_u4(p + 2)) {
        CfAttrKind kind = w->known ? w->known[k].kind : bci_view_kind(v, cf_get_u2(p));
        had_map |= kind == CF_ATTR_STACK_MAP_TABLE;
        n += put_attr(w, out, kind, p, &fit);
    }
    if (fit == BCI_FITS && w->want_map && (w->catch_any || w->nframes) && !had_map) {
        cf_w_u2(out, w->map_name);
        size_t len_at = out->len;
        cf_w_u4(out, 0);
        if (!put_map(w, out, NULL, 0)) return out->bad ? BCI_NO_MEMORY : BCI_LARGE;
        cf_put_u4(out->data + len_at, (uint32_t)(out->len - len_at - 4));
        n++;
    }
    if (out->bad) return BCI_NO_MEMORY;
    cf_put_u2(out->data + at, n);
    return fit;
}

/* ---- all together ---- */

static uint32_t new_max_stack(const BciWeave *w) {
    uint32_t n = w->b.max_stack + w->extra_stack;
    if (w->entry_stack > n) n = w->entry_stack;
    return w->catch_any && w->handler_stack > n ? w->handler_stack : n;
}

BciFit bci_splice(BciView *v, BciWeave *w, CfWriter *out) {
    size_t start = out->len;
    BciFit fit = w->nedges ? BCI_FAR : layout(w);
    uint32_t body_len = w->new_len, locals = w->b.max_locals + w->kept_slots + w->temps;
    uint32_t all = body_len + (w->catch_any ? w->handler_len : 0);
    if (fit != BCI_FITS) return fit;
    if (all > BCI_MAX_CODE || locals > 65535 || new_max_stack(w) > 65535) {
        w->new_len = all;
        return BCI_LARGE;
    }
    bci_put(out, w->b.attr, 6);
    cf_w_u2(out, new_max_stack(w));
    cf_w_u2(out, locals);
    cf_w_u4(out, all);
    uint8_t *q = cf_w_room(out, all);
    if (!q) return BCI_NO_MEMORY;
    fit = put_code(w, q);
    if (w->catch_any) memcpy(q + body_len, w->seq.data + w->handler, w->handler_len);
    if (fit == BCI_FITS) fit = put_rows(w, out);
    if (fit == BCI_FITS) fit = put_attrs(v, w, out);
    if (fit == BCI_FITS) cf_put_u4(out->data + start + 2, (uint32_t)(out->len - start - 6));
    else out->len = start;
    return fit;
}
