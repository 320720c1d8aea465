/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_frametab.c - StackMapTable of a list: frames of the input become what their labels know (BciPoint.orig),
 * states of the flow (BciPoint.in) become the frames of the output.
 */
#include "bci_edit.h"

/* ---- reading ---- */

static CfFrame *compact(CfArena *a, const CfFrame *fr) {
    CfFrame *n = CF_NEW(a, CfFrame);
    if (!n) return NULL;
    *n = *fr;
    n->locals = cf_arena_alloc(a, fr->nlocals * sizeof(CfType));
    n->stack = cf_arena_alloc(a, fr->depth * sizeof(CfType));
    if (!n->locals || !n->stack) return NULL;
    memcpy(n->locals, fr->locals, fr->nlocals * sizeof(CfType));
    memcpy(n->stack, fr->stack, fr->depth * sizeof(CfType));
    return n;
}

bool bci_frame_room(CfArena *a, const CfCode *shape, CfFrame *fr) {
    memset(fr, 0, sizeof *fr);
    fr->locals = cf_arena_calloc(a, shape->max_locals + 1u, sizeof(CfType));
    fr->stack = cf_arena_calloc(a, shape->max_stack + 2u, sizeof(CfType));
    return fr->locals && fr->stack;
}

static bool read_map(BciCode *code, const CfAttr *a) {
    BciClass *c = code->m->cls;
    CfFlow f;
    CfFrame fr;
    CfMapIter it;
    CfMapFrame mf;
    c->flow_of = NULL;
    cf_arena_reset(&c->scratch);
    if (!bci_types(c) || !bci_frame_room(&c->scratch, &code->orig, &fr) ||
        !cf_flow_init(&f, &c->types, bci_member(code->m), &code->orig, false) || !cf_frame_entry(&f, &fr) ||
        cf_map_start(a, &it, NULL) != CF_OK)
        return false;
    int rc;
    while ((rc = cf_map_next(&it, &mf)) > 0) {
        BciLabel *l = mf.pc < code->orig.code_len ? bci_label_at(code, mf.pc) : NULL;
        BciPoint *p = l ? bci_point(code, l) : NULL;
        if (!p || !cf_frame_from_map(&f, &fr, &mf) || !(p->orig = compact(&c->arena, &fr))) return false;
        p->pc = mf.pc;
        code->deep |= fr.depth && !l->is_handler;
    }
    return rc == 0;
}

bool bci_read_frames(BciCode *code) {
    const BciClass *c = code->m->cls;
    if (c->cf->major < 50) return true;
    const CfAttr *a = cf_attr(&code->orig.attrs, CF_ATTR_STACK_MAP_TABLE);
    code->had_map = a != NULL;
    if (a && !code->has_jsr && !read_map(code, a))
        return bci_refuse(code->m, CF_ERR_VERIFY, BCI_NO_PC, "malformed StackMapTable");
    if (!a && c->cf->major == 50)
        for (BciInsn *i = code->first; i; i = i->next)
            if (i->mark & BCI_M_OLD && bci_is_label(i) && (bci_as_label(i)->is_target || bci_as_label(i)->is_handler))
                code->old_style = true;
    return true;
}

bool bci_wants_map(const BciCode *code) { return code->m->cls->cf->major >= 50 && !code->has_jsr && !code->old_style; }

/* ---- writing ---- */

/* Replaces site numbers by offsets. */
static bool settle_type(BciCode *code, const uint32_t *inserted, CfType *t) {
    if (cf_type_kind(*t) != CF_T_UNINIT) return true;
    uint32_t site = cf_type_data(*t), off = BCI_NO_PC;
    if (site >= BCI_NEW_SITE) off = inserted && site < code->next_site ? inserted[site - BCI_NEW_SITE] : BCI_NO_PC;
    else if (site < code->orig.code_len && bci_at(code, site) && bci_at(code, site)->op == CF_OP_NEW)
        off = bci_at(code, site)->offset;
    if (off == BCI_NO_PC) return bci_refuse(code->m, CF_ERR_VERIFY, BCI_NO_PC, "a frame names a `new` that does not exist");
    *t = cf_type_make(CF_T_UNINIT, off);
    return true;
}

static bool settle_frame(BciCode *code, const uint32_t *inserted, CfFrame *fr, uint32_t nlocals) {
    uint32_t n = nlocals;
    while (n && fr->locals[n - 1] == CF_T_TOP) n--;
    fr->nlocals = (uint16_t)n;
    for (uint32_t i = 0; i < n; i++)
        if (!settle_type(code, inserted, &fr->locals[i])) return false;
    for (uint32_t i = 0; i < fr->depth; i++)
        if (!settle_type(code, inserted, &fr->stack[i])) return false;
    return true;
}

static uint32_t *inserted_sites(BciCode *code) {
    uint32_t n = code->next_site - BCI_NEW_SITE;
    uint32_t *off = cf_arena_alloc(&code->m->cls->scratch, (n + 1u) * sizeof *off);
    if (!off) return NULL;
    memset(off, 0xff, (n + 1u) * sizeof *off);
    for (BciInsn *i = n ? code->first : NULL; i; i = i->next)
        if (i->op == CF_OP_NEW && i->site >= BCI_NEW_SITE) off[i->site - BCI_NEW_SITE] = i->offset;
    return off;
}

/* Content of StackMapTable. Where several labels share an offset, the last join has the state of
 * the code there: the earlier ones flow into it. */
CfErrCode bci_write_map(BciCode *code, CfWriter *w, uint32_t *count) {
    BciClass *c = code->m->cls;
    if (!bci_wants_map(code)) return CF_OK;
    uint32_t n = 0;
    CfFrameAt *at = cf_arena_alloc(&c->scratch, (code->nlabels + 1u) * sizeof *at);
    uint32_t *sites = inserted_sites(code);
    CfCode shape = {.max_locals = (uint16_t)code->max_locals, .max_stack = (uint16_t)code->max_stack};
    CfFrame entry;
    CfFlow f;
    if (!at || !sites || !bci_frame_room(&c->scratch, &shape, &entry) ||
        !cf_flow_init(&f, &c->types, bci_member(code->m), &shape, false) || !cf_frame_entry(&f, &entry))
        return bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    f.arena = &c->scratch;
    for (BciInsn *i = code->first; i; i = i->next) {
        BciPoint *p = bci_is_label(i) ? bci_as_label(i)->point : NULL;
        if (!p || !p->join || !p->reached || i->offset >= code->length) continue;
        if (n && at[n - 1].pc == i->offset) n--;
        at[n++] = (CfFrameAt){i->offset, &p->in};
    }
    for (uint32_t k = 0; k < n; k++)
        if (!settle_frame(code, sites, (CfFrame *)at[k].frame, code->max_locals)) return code->m->err->code;
    *count = n;
    w->len = 0;
    if (n && !cf_map_write(&f, c->cf, &entry, at, n, w))
        return bci_fail(code->m, cf_no_room(c->cf), BCI_NO_PC, "StackMapTable cannot be written: %s", bci_no_room(c));
    return CF_OK;
}
