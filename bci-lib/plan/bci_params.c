/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_params.c - `this` and the parameters in a body: their types at the entry, and what the caller passed.
 *
 * PASSED. A probe is given what the caller passed, everywhere. Where the method never stores into the slot of a parameter, and each
 * of its frames gives the slot the type of the parameter, that is what is in the slot. Otherwise it is LOST: the slot may hold another
 * value, or one of another type (ProGuard and R8 put other variables there), or a frame forgets it (of a parameter that is not needed
 * any more, or of code that is never reached). Then, if a probe behind the entry asks for it, the value is kept in a new local from the
 * entry on. Each frame gets the locals that are kept (bci_splice.c).
 */
#include "bci_rules.h"

CfStr bci_param(const BciApply *a, int32_t n, uint32_t *slot) {
    CfDescIter it = cf_desc_start(a->desc_text);
    CfStr t;
    *slot = !a->is_static;
    for (; cf_desc_next(&it, &t); n--) {
        if (n == 0) return t;
        *slot += cf_desc_slots(t);
    }
    return (CfStr){NULL, 0};
}

uint32_t bci_passed_in(const BciWeave *w, uint32_t slot) {
    for (uint32_t k = 0; k < w->nkept; k++)
        if (w->kept[k].of == slot) return w->kept[k].at;
    return slot;
}

/* ---- what is lost ---- */

enum { SLOTS = 256 + 2 }; /* `this` and the parameters take up to 255 */
static const CfStr this_desc = {"L", 1};

static void lose_written(BciApply *a) {
    const BciBody *b = &a->s->w.b;
    CfInsn i;
    for (uint32_t pc = 0; pc < b->code_len && cf_insn(b->code, b->code_len, pc, &i); pc += i.len) {
        bool store = cf_op_info[i.op].flags & CF_OF_STORE;
        if ((!store && i.op != CF_OP_IINC) || i.index >= SLOTS) continue;
        a->lost[i.index] = 1;
        if (store && i.index + 1u < SLOTS && strchr("JD", cf_op_info[i.op].pops[0])) a->lost[i.index + 1] = 1;
    }
}

/* Is the type in a frame that of the parameter? */
static bool as_passed(const BciApply *a, CfStr desc, uint8_t tag, uint16_t data) {
    switch (desc.p[0]) {
    case 'J': return tag == CF_VTAG_LONG;
    case 'D': return tag == CF_VTAG_DOUBLE;
    case 'F': return tag == CF_VTAG_FLOAT;
    case '[': return tag == CF_VTAG_OBJECT && cf_str_eq(bci_view_class(&a->v, data), desc);
    case 'L':
        if (desc.len > 1)
            return tag == CF_VTAG_OBJECT && cf_str_eq(bci_view_class(&a->v, data), (CfStr){desc.p + 1, desc.len - 2});
        return (a->is_init && tag == CF_VTAG_UNINIT_THIS) ||
               (tag == CF_VTAG_OBJECT && cf_str_eq(bci_view_class(&a->v, data), bci_view_class(&a->v, a->v.this_class)));
    default: return tag == CF_VTAG_INTEGER;
    }
}

/* Locals of a frame, from `slot` on, against the parameters. Those without a local there are lost as well. */
static void lose_in_full_frame(BciApply *a, CfMapTypes locals) {
    CfDescIter it = cf_desc_start(a->desc_text);
    uint32_t slot = 0, at = 0;
    uint8_t tag = 0;
    uint16_t data = 0;
    CfStr t = this_desc;
    for (bool more = !a->is_static || cf_desc_next(&it, &t); more && slot < SLOTS - 1; more = cf_desc_next(&it, &t)) {
        bool there = true;
        while (at <= slot && (there = cf_map_type_next(&locals, &tag, &data)))
            at += tag == CF_VTAG_LONG || tag == CF_VTAG_DOUBLE ? 2 : 1;
        uint32_t begins = at - (tag == CF_VTAG_LONG || tag == CF_VTAG_DOUBLE ? 2 : 1);
        if (!there || begins != slot || !as_passed(a, t, tag, data)) a->lost[slot] = 1;
        slot += cf_desc_slots(t);
    }
}

/* Of `this` and the parameters those from number `from` on are lost. */
static void lose_from(BciApply *a, uint32_t from) {
    CfDescIter it = cf_desc_start(a->desc_text);
    uint32_t slot = 0, k = 0;
    CfStr t = this_desc;
    for (bool more = !a->is_static || cf_desc_next(&it, &t); more && slot < SLOTS; more = cf_desc_next(&it, &t), k++) {
        a->lost[slot] |= k >= from;
        slot += cf_desc_slots(t);
    }
}

static bool lose_in_frames(BciApply *a, const uint8_t *attr) {
    CfAttr map = {.data = attr + 6, .len = cf_get_u4(attr + 2)};
    CfMapIter it;
    CfMapFrame f;
    uint32_t n = (uint32_t)cf_desc_arg_count(a->desc_text) + !a->is_static;
    int rc;
    if (cf_map_start(&map, &it, NULL) != CF_OK) return false;
    while ((rc = cf_map_next(&it, &f)) > 0) {
        if (f.chop_append == 4) {
            n = f.locals.count;
            lose_in_full_frame(a, f.locals);
        } else if (f.chop_append < 0) {
            n = n > (uint32_t)-f.chop_append ? n - (uint32_t)-f.chop_append : 0;
            lose_from(a, n);
        } else {
            n += (uint32_t)f.chop_append;
        }
    }
    return rc == 0;
}

static BciFit note_lost(BciApply *a) {
    const BciBody *b = &a->s->w.b;
    const uint8_t *p = b->attrs;
    a->lost = cf_arena_calloc(&a->s->arena, SLOTS, 1);
    if (!a->lost) return BCI_NO_MEMORY;
    lose_written(a);
    for (unsigned k = 0; k < b->nattrs; k++, p += 6 + cf_get_u4(p + 2))
        if (bci_view_kind(&a->v, cf_get_u2(p)) == CF_ATTR_STACK_MAP_TABLE && !lose_in_frames(a, p)) return BCI_MALFORMED;
    return BCI_FITS;
}

static bool is_lost(const BciApply *a, uint32_t slot, CfStr t) {
    return slot + 1 < SLOTS && (a->lost[slot] || (cf_desc_slots(t) == 2 && a->lost[slot + 1]));
}

/* ---- types ---- */

static BciVType vtype(BciApply *a, CfStr t) {
    switch (t.p[0]) {
    case 'J': return (BciVType){CF_VTAG_LONG, 0};
    case 'D': return (BciVType){CF_VTAG_DOUBLE, 0};
    case 'F': return (BciVType){CF_VTAG_FLOAT, 0};
    case 'L': t = (CfStr){t.p + 1, t.len - 2}; /* fall through */
    case '[': {
        unsigned u = bci_add_entry(a, CF_CONST_UTF8, 0, 0, t);
        unsigned c = u ? bci_add_entry(a, CF_CONST_CLASS, u, 0, (CfStr){0}) : 0;
        return (BciVType){CF_VTAG_OBJECT, (uint16_t)c};
    }
    default: return (BciVType){CF_VTAG_INTEGER, 0};
    }
}

BciFit bci_entry_types(BciApply *a, bool stable, BciVType **out, uint32_t *count) {
    BciVType *v = cf_arena_alloc(&a->s->arena, 512 * sizeof *v);
    uint32_t n = 0, slot = 0;
    if (!v) return BCI_NO_MEMORY;
    if (!a->is_static) {
        v[n++] = stable && is_lost(a, 0, this_desc) ? (BciVType){CF_VTAG_TOP, 0}
                 : a->is_init && !stable            ? (BciVType){CF_VTAG_UNINIT_THIS, 0}
                                                    : (BciVType){CF_VTAG_OBJECT, (uint16_t)a->v.this_class};
        slot = 1;
    }
    CfDescIter it = cf_desc_start(a->desc_text);
    CfStr t;
    while (n < 500 && cf_desc_next(&it, &t)) {
        unsigned k = cf_desc_slots(t);
        if (stable && is_lost(a, slot, t)) {
            for (unsigned j = 0; j < k; j++) v[n++] = (BciVType){CF_VTAG_TOP, 0};
        } else {
            v[n++] = vtype(a, t);
        }
        slot += k;
    }
    *out = v;
    *count = n;
    return bci_pool_fit(a, BCI_FITS);
}

/* ---- what is kept ---- */

static void keep(BciWeave *w, uint32_t of, CfStr desc, BciVType type) {
    if (of != BCI_KEPT_TIME && bci_passed_in(w, of) != of) return;
    w->kept[w->nkept++] = (BciKept){type, desc, of, w->b.max_locals + w->kept_slots};
    w->kept_slots += cf_desc_slots(desc);
}

static BciFit keep_this(BciApply *a) {
    if (a->is_static || !is_lost(a, 0, this_desc)) return BCI_FITS;
    if (a->is_init) {
        a->s->w.why = "the constructor has something else in the place of `this`, or forgets it";
        return BCI_BAD_VALUE;
    }
    keep(&a->s->w, 0, this_desc, (BciVType){CF_VTAG_OBJECT, (uint16_t)a->v.this_class});
    return BCI_FITS;
}

static void keep_param(BciApply *a, uint32_t n) {
    uint32_t slot;
    CfStr t = bci_param(a, (int32_t)n, &slot);
    if (t.p && is_lost(a, slot, t)) keep(&a->s->w, slot, t, vtype(a, t));
}

static BciFit keep_values(BciApply *a, const BciAct *act) {
    BciFit fit = BCI_FITS;
    for (uint32_t k = 0; k < act->nvalues && fit == BCI_FITS; k++) {
        const BciValue *v = &act->values[k];
        if (v->kind == BCI_V_THIS) fit = keep_this(a);
        else if (v->kind == BCI_V_PARAM) keep_param(a, (uint32_t)v->n);
        else if (v->kind == BCI_V_PARAMS)
            for (int n = cf_desc_arg_count(a->desc_text); n-- > 0;) keep_param(a, (uint32_t)n);
    }
    return fit;
}

BciFit bci_keep_passed(BciApply *a) {
    BciWeave *w = &a->s->w;
    bool elapsed = false, values = false;
    BciFit fit = BCI_FITS;
    BCI_EACH_ACT(a, act) {
        elapsed |= act->elapsed;
        values |= act->uses_this || act->uses_params;
    }
    if (!elapsed && !values) return BCI_FITS;
    w->kept = cf_arena_alloc(&a->s->arena, SLOTS * sizeof *w->kept);
    if (!w->kept) return BCI_NO_MEMORY;
    if (values && (fit = note_lost(a)) != BCI_FITS) return fit;
    if (elapsed) keep(w, BCI_KEPT_TIME, CF_STR("J"), (BciVType){CF_VTAG_LONG, 0});
    BCI_EACH_ACT(a, act)
    if (act->where != BCI_ENTRY && (act->where != BCI_BODY || a->is_init) && fit == BCI_FITS) fit = keep_values(a, act);
    return bci_pool_fit(a, fit);
}
