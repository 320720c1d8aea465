/* SPDX-License-Identifier: Apache-2.0 */
/* bci_marks.c - what begins at each pc of a body: lines, basic blocks, handlers, and what frames say of these. */
#include "bci_rules.h"

static void mark_target(uint8_t *marks, const BciBody *b, uint32_t at, int32_t delta) {
    int64_t t = (int64_t)at + delta;
    if (t >= 0 && t < b->code_len) marks[t] |= BCI_HAS_BLOCK;
}

static void mark_blocks(BciWeave *w, uint8_t *marks) {
    const BciBody *b = &w->b;
    marks[0] |= BCI_HAS_BLOCK;
    for (uint32_t k = 0; k < w->nrelocs; k++) {
        CfInsn i;
        if (!cf_insn(b->code, b->code_len, w->relocs[k], &i)) continue;
        mark_target(marks, b, 0, i.target);
        for (uint32_t c = 0; c < i.cases; c++) mark_target(marks, b, 0, cf_switch_target(&i, c));
        if (cf_op_info[i.op].flags & (CF_OF_COND | CF_OF_JSR)) mark_target(marks, b, i.pc, (int32_t)i.len);
    }
    for (uint32_t k = 0; k < b->nrows; k++) mark_target(marks, b, 0, cf_get_u2(b->rows + 8 * (size_t)k + 4));
}

static bool is_object_on_top(const BciApply *a, CfMapTypes stack) {
    uint8_t tag = CF_VTAG_TOP;
    uint16_t data = 0;
    while (cf_map_type_next(&stack, &tag, &data)) {}
    return tag == CF_VTAG_OBJECT && cf_str_is(bci_view_class(&a->v, data), "java/lang/Object");
}

/* Frames that merge with no knowledge of classes, as some tools make them, have Object at handlers. */
static void mark_objects(BciApply *a, uint8_t *marks) {
    const BciBody *b = &a->s->w.b;
    const uint8_t *p = b->attrs;
    for (unsigned k = 0; k < b->nattrs; k++, p += 6 + cf_get_u4(p + 2)) {
        if (bci_view_kind(&a->v, cf_get_u2(p)) != CF_ATTR_STACK_MAP_TABLE) continue;
        CfAttr map = {.kind = CF_ATTR_STACK_MAP_TABLE, .len = cf_get_u4(p + 2), .data = p + 6};
        CfMapIter it;
        CfMapFrame f;
        if (cf_map_start(&map, &it, NULL) != CF_OK) continue;
        while (cf_map_next(&it, &f) > 0)
            if (f.pc < b->code_len && is_object_on_top(a, f.stack)) marks[f.pc] |= BCI_HAS_OBJECT;
    }
}

bool bci_read_marks(BciApply *a, bool lines) {
    BciScratch *s = a->s;
    BciWeave *w = &s->w;
    const BciBody *b = &w->b;
    s->marks.len = s->lines.len = 0;
    uint8_t *marks = bci_room(&s->marks, b->code_len + 1u);
    uint16_t *line = lines ? (uint16_t *)bci_room(&s->lines, 2 * ((size_t)b->code_len + 1)) : NULL;
    if (!marks || (lines && !line)) return false;
    memset(marks, 0, b->code_len + 1u);
    if (lines) {
        memset(line, 0, 2 * ((size_t)b->code_len + 1));
        s->lines.len = 2 * ((size_t)b->code_len + 1);
    }
    const uint8_t *p = b->attrs;
    for (unsigned k = 0; k < b->nattrs && (lines || a->points >> BCI_LINE & 1); k++) {
        uint32_t len = cf_get_u4(p + 2), n = len >= 2 ? cf_get_u2(p + 6) : 0;
        if (bci_view_kind(&a->v, cf_get_u2(p)) == CF_ATTR_LINE_NUMBER_TABLE && len == 2 + 4 * n)
            for (const uint8_t *r = p + 8; n; n--, r += 4) {
                unsigned pc = cf_get_u2(r);
                if (pc < b->code_len) {
                    marks[pc] |= BCI_HAS_LINE;
                    if (line) line[pc] = cf_get_u2(r + 2);
                }
            }
        p += 6 + len;
    }
    for (uint32_t pc = 1; line && pc < b->code_len; pc++)
        if (!line[pc]) line[pc] = line[pc - 1];
    for (uint32_t k = 0; k < b->nrows; k++) {
        unsigned h = cf_get_u2(b->rows + 8 * (size_t)k + 4);
        if (h < b->code_len) marks[h] |= BCI_HAS_HANDLER;
    }
    if (a->points >> BCI_BLOCK & 1) mark_blocks(w, marks);
    if (a->points >> BCI_HANDLER & 1 && b->nrows) mark_objects(a, marks);
    return true;
}
