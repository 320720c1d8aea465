/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_debugtab.c - tables of Code with offsets: exceptions, lines, variables, type annotations.
 *
 * Reading turns every offset into a label or an instruction; writing turns them back. Rules:
 *   - Rows keep their order and stay in the attribute (there may be several of a kind) they
 *     came from.
 *   - A row whose range became empty because its code was deleted is left out; so is a type
 *     annotation whose instruction or exception row is gone. Line rows end where the next one starts:
 *     see LINES. Of variable rows that became equal the first stays.
 *   - LocalVariable rows that were malformed in the input (offsets inside instructions) are left
 *     out, not errors: the VM that loads the class may not even look at them.
 *   - Attributes of Code that this file does not know are kept as they are, or left out, as the
 *     caller wants (BCI_DROP_UNKNOWN).
 */
#include "bci_edit.h"

/* ---- reading ---- */

static bool read_lines(BciCode *code, const CfAttr *a, uint16_t attr) {
    CfRows t;
    if (cf_lines(a, &t, NULL) != CF_OK) return true;
    for (uint32_t i = 0; i < t.count; i++) {
        uint16_t pc, line;
        cf_line(&t, i, &pc, &line);
        if (pc >= code->orig.code_len || !code->at[pc]) continue;
        BciLabel *l = bci_label_at(code, pc);
        if (!l ||
            !BCI_PUSH(code->m->cls, code->lines, code->nlines, code->cap_lines, (BciLineRow){.pub = {l, line}, .attr = attr}))
            return false;
        l->node.mark |= BCI_M_LINE;
    }
    return true;
}

/* Instructions without a row of their own have the line of the one before. */
void bci_read_line_numbers(BciCode *code) {
    const CfAttrs *as = &code->orig.attrs;
    bool any = false;
    for (uint16_t i = 0; i < as->count; i++) {
        CfRows t;
        if (as->v[i].kind != CF_ATTR_LINE_NUMBER_TABLE || cf_lines(&as->v[i], &t, NULL) != CF_OK) continue;
        for (uint32_t k = 0; k < t.count; k++) {
            uint16_t pc, line;
            cf_line(&t, k, &pc, &line);
            if (pc < code->orig.code_len && code->at[pc]) code->nodes[code->at[pc] - 1].line = line;
        }
        any |= t.count > 0;
    }
    uint16_t line = 0;
    for (uint32_t k = 0; any && k < code->nnodes; k++) {
        if (code->nodes[k].line) line = code->nodes[k].line;
        code->nodes[k].line = line;
    }
}

static BciLabel *border(BciCode *code, uint32_t pc) { return pc <= code->orig.code_len ? bci_label_at(code, pc) : NULL; }

static bool read_vars(BciCode *code, const CfAttr *a, uint16_t attr) {
    CfRows t;
    BciClass *c = code->m->cls;
    if (cf_local_vars(a, &t, NULL) != CF_OK) return true;
    for (uint32_t i = 0; i < t.count; i++) {
        CfLocalVar v = cf_local_var(&t, i);
        BciVarRow r = {.attr = attr, .name = v.name, .desc = v.desc, .was_empty = v.length == 0};
        r.pub.start = v.start < code->orig.code_len ? border(code, v.start) : NULL;
        r.pub.end = border(code, (uint32_t)v.start + v.length);
        r.pub.slot = v.slot;
        r.pub.is_signature = a->kind == CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE;
        if (!r.pub.start || !r.pub.end) continue;
        if (!BCI_PUSH(c, code->vars, code->nvars, code->cap_vars, r)) return false;
    }
    return true;
}

/* What an annotation in Code is on. False: out of memory; *drop: it points to no instruction. */
static bool set_target(BciCode *code, const CfTypeAnnotation *t, BciTypeAnn *a, bool *drop) {
    if (t->target > 0x42) {
        a->insn = bci_insn_at(code, t->pc);
        *drop = !a->insn;
    } else if (t->target == 0x42) {
        a->row = t->index;
        *drop = a->row >= code->orig.handlers.count;
    } else {
        a->n = t->ranges.count;
        a->ranges = CF_NEW_ARRAY(&code->m->cls->arena, BciLabel *, 2 * (size_t)a->n);
        for (uint32_t k = 0; k < a->n && a->ranges; k++) {
            uint16_t start, len, slot;
            cf_local_range(&t->ranges, k, &start, &len, &slot);
            a->ranges[2 * k] = border(code, start);
            a->ranges[2 * k + 1] = border(code, (uint32_t)start + len);
            *drop |= !a->ranges[2 * k] || !a->ranges[2 * k + 1];
        }
        return a->ranges != NULL;
    }
    return true;
}

static bool read_type_anns(BciCode *code, const CfAttr *attr, uint16_t number) {
    CfReader r = cf_reader(attr->data, attr->len);
    CfTypeAnnotation t;
    for (uint32_t n = cf_r_u2(&r); n; n--) {
        BciTypeAnn a = {.attr = number, .data = r.p, .row = UINT32_MAX};
        bool drop = false;
        if (!cf_type_annotation_read(&r, &t) || t.target < 0x40) return true;
        if (!set_target(code, &t, &a, &drop)) return !code->m->err;
        a.len = (uint32_t)(r.p - a.data);
        if (!drop && !BCI_PUSH(code->m->cls, code->anns, code->nanns, code->cap_anns, a)) return false;
    }
    return true;
}

static bool is_type_anns(unsigned kind) {
    return kind == CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS || kind == CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS;
}

bool bci_read_tables(BciCode *code) {
    for (uint16_t i = 0; i < code->orig.attrs.count; i++) {
        const CfAttr *a = &code->orig.attrs.v[i];
        bool ok = true;
        if (a->kind == CF_ATTR_LINE_NUMBER_TABLE) ok = read_lines(code, a, i);
        else if (a->kind == CF_ATTR_LOCAL_VARIABLE_TABLE || a->kind == CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE)
            ok = read_vars(code, a, i);
        else if (is_type_anns(a->kind)) ok = read_type_anns(code, a, i);
        if (!ok) return false;
    }
    return true;
}

/* ---- editing ---- */

uint32_t bci_line_count(const BciCode *code) { return bci_unfold((BciCode *)code) ? code->nlines : 0; }
const BciLine *bci_line_entry(const BciCode *code, uint32_t i) {
    return bci_unfold((BciCode *)code) && i < code->nlines ? &code->lines[i].pub : NULL;
}

/* Attribute of the input that takes added rows of a kind: the last one, or `count` = a new one. */
static uint16_t attr_for(const BciCode *code, CfAttrKind kind) {
    for (uint16_t i = code->orig.attrs.count; i > 0; i--)
        if (code->orig.attrs.v[i - 1].kind == kind) return (uint16_t)(i - 1);
    return code->orig.attrs.count;
}

/* Gives the rows at `l` that line: one of them is left. False if there were none. Rows that bci_entry
 * had taken along go back to the code of the input instead. */
static bool replace_line(BciCode *code, BciLabel *l, unsigned line) {
    bool back = !(code->start->node.mark & BCI_M_LINE), done = false;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < code->nlines; k++) {
        BciLineRow r = code->lines[k];
        if (r.pub.start == l && r.moved && back) {
            r.pub.start = code->start;
            code->start->node.mark |= BCI_M_LINE;
        } else if (r.pub.start == l) {
            if (done) continue;
            r.pub.line = line;
            done = true;
        }
        r.moved &= r.pub.start != l && r.pub.start != code->start;
        code->lines[kept++] = r;
    }
    code->nlines = kept;
    return done;
}

void bci_add_line(BciCode *code, BciLabel *start, unsigned line) {
    if (!bci_ok(code) || !bci_unfold(code) || !start || line == 0 || line > 65535 || !bci_own(code, start)) return;
    BciLineRow r = {.pub = {start, line}, .attr = attr_for(code, CF_ATTR_LINE_NUMBER_TABLE)};
    if (!(start->node.mark & BCI_M_LINE && replace_line(code, start, line)) &&
        !BCI_PUSH(code->m->cls, code->lines, code->nlines, code->cap_lines, r))
        return;
    start->node.mark |= BCI_M_LINE;
    bci_touch(code);
}

uint32_t bci_var_count(const BciCode *code) { return bci_unfold((BciCode *)code) ? code->nvars : 0; }

const BciVar *bci_var(const BciCode *code, uint32_t i) {
    if (!bci_unfold((BciCode *)code) || i >= code->nvars) return NULL;
    BciClass *c = code->m->cls;
    BciVarRow *r = &code->vars[i];
    if (!r->pub.name) {
        r->pub.name = bci_zstr(c, cf_utf8(c->cf, r->name));
        r->pub.desc = bci_zstr(c, cf_utf8(c->cf, r->desc));
    }
    return &r->pub;
}

void bci_add_var(BciCode *code, BciLabel *start, BciLabel *end, const char *name, const char *desc, uint32_t slot) {
    if (!bci_ok(code) || !bci_unfold(code) || !start || !end || !bci_own(code, start) || !bci_own(code, end)) return;
    BciClass *c = code->m->cls;
    if (!bci_member_ok(c, name, desc, false)) return;
    if (slot > 65535 || slot + cf_desc_slots(cf_str(desc)) > code->max_locals)
        return (void)bci_fail(code->m, CF_ERR_USAGE, BCI_NO_PC, "add_var: there is no local variable %u for %s", slot, name);
    BciVarRow r = {
        .attr = attr_for(code, CF_ATTR_LOCAL_VARIABLE_TABLE), .name = bci_cp_utf8(c, name), .desc = bci_cp_utf8(c, desc)};
    r.pub = (BciVar){.start = start, .end = end, .slot = (uint16_t)slot};
    if (r.name && r.desc && BCI_PUSH(c, code->vars, code->nvars, code->cap_vars, r)) bci_touch(code);
}

/* ---- writing ---- */

static uint32_t off(const BciLabel *l) { return l->node.offset; }

static void write_tries(BciCode *code, CfWriter *w, uint32_t *count) {
    for (uint32_t i = 0; i < code->ntries; i++) {
        BciTryRow *r = &code->tries[i];
        r->out = UINT32_MAX;
        if (off(r->pub.start) >= off(r->pub.end) || off(r->pub.handler) >= code->length) continue;
        r->out = (*count)++;
        cf_w_u2(w, off(r->pub.start));
        cf_w_u2(w, off(r->pub.end));
        cf_w_u2(w, off(r->pub.handler));
        cf_w_u2(w, r->pub.type);
    }
}

/* The line of pc 0 was taken along by bci_entry. Where a line was given to the code there, it begins
 * again behind that code. */
static bool resume_line(BciCode *code) {
    BciInsn *i = code->head ? code->head->node.next : NULL, *end = &code->start->node;
    bool other = false;
    for (; i && i != end; i = i->next) other |= bci_is_label(i) && i->mark & BCI_M_LINE;
    if (!i || !other || end->mark & BCI_M_LINE) return true;
    for (uint32_t k = 0, n = code->nlines; k < n; k++) {
        BciLineRow r = code->lines[k];
        if (!r.moved || r.pub.start != code->head) continue;
        r.pub.start = code->start;
        r.moved = false;
        if (!BCI_PUSH(code->m->cls, code->lines, code->nlines, code->cap_lines, r)) return false;
        end->mark |= BCI_M_LINE;
    }
    return true;
}

/* LINES. A row holds up to the next one. When the code between two rows is gone, both would stand at
 * one offset, where readers take the one or the other; what stands there has the line of the later
 * one. So of labels with the same offset only the last has its rows written: all of them, in order,
 * as the input had them at one place. */
CfErrCode bci_prune_lines(BciCode *code) {
    uint32_t kept = 0, next = UINT32_MAX;
    for (uint32_t k = 0; k < code->nlines; k++) code->lines[k].pub.start->node.mark |= BCI_M_LINE;
    if (code->nlines && !resume_line(code)) return bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    for (BciInsn *i = code->nlines ? code->last : NULL; i; i = i->prev)
        if (bci_is_label(i) && i->mark & BCI_M_LINE) {
            if (i->offset == next) i->mark &= (uint16_t)~BCI_M_LINE;
            next = i->offset;
        }
    for (uint32_t k = 0; k < code->nlines; k++) {
        const BciLabel *l = code->lines[k].pub.start;
        if (l->placed && l->node.mark & BCI_M_LINE && off(l) < code->length) code->lines[kept++] = code->lines[k];
    }
    code->nlines = kept;
    return CF_OK;
}

static void write_lines(const BciCode *code, uint16_t attr, CfWriter *w) {
    uint32_t n = 0;
    cf_w_u2(w, 0);
    for (uint32_t i = 0; i < code->nlines; i++) {
        const BciLineRow *r = &code->lines[i];
        if (r->attr != attr || n == 65535) continue;
        n++;
        cf_w_u2(w, off(r->pub.start));
        cf_w_u2(w, r->pub.line);
    }
    cf_w_patch_u2(w, 0, n);
}

static bool var_holds(const BciCode *code, const BciVarRow *r) {
    if (!r->pub.start->placed || !r->pub.end->placed) return false;
    uint32_t start = off(r->pub.start), end = off(r->pub.end);
    return (end > start || (end == start && r->was_empty)) && start < code->length;
}

/* One variable to a VM, whatever its type (4.7.13, 4.7.14). */
static bool same_var(const BciVarRow *a, const BciVarRow *b) {
    return off(a->pub.start) == off(b->pub.start) && off(a->pub.end) == off(b->pub.end) && a->name == b->name &&
           a->pub.slot == b->pub.slot && a->pub.is_signature == b->pub.is_signature;
}

/* VARIABLES. Of rows that have become equal, because what was between them is gone, the first stays:
 * there may be one for each variable. Found by hash; linear probing. */
static bool choose_vars(BciCode *code) {
    uint32_t size = 16;
    while (size < 2 * code->nvars) size *= 2;
    uint32_t *seen = code->nvars ? CF_NEW_ARRAY(&code->m->cls->scratch, uint32_t, size) : NULL;
    for (uint32_t k = 0; k < code->nvars && seen; k++) {
        BciVarRow *r = &code->vars[k];
        uint32_t h = (off(r->pub.start) * 31 + off(r->pub.end)) * 31 + r->pub.slot * 257u + r->name;
        uint32_t at = (h * 0x9e3779b1u) >> 8 & (size - 1);
        if (!(r->out = var_holds(code, r))) continue;
        while (seen[at] && !same_var(&code->vars[seen[at] - 1], r)) at = (at + 1) & (size - 1);
        r->out = !seen[at];
        if (r->out) seen[at] = k + 1;
    }
    return seen || code->nvars == 0;
}

static void write_vars(const BciCode *code, uint16_t attr, bool types, CfWriter *w) {
    uint32_t n = 0;
    cf_w_u2(w, 0);
    for (uint32_t i = 0; i < code->nvars; i++) {
        const BciVarRow *r = &code->vars[i];
        if (r->attr != attr || r->pub.is_signature != types || !r->out || n == 65535) continue;
        n++;
        cf_w_u2(w, off(r->pub.start));
        cf_w_u2(w, off(r->pub.end) - off(r->pub.start));
        cf_w_u2(w, r->name);
        cf_w_u2(w, r->desc);
        cf_w_u2(w, r->pub.slot);
    }
    cf_w_patch_u2(w, 0, n);
}

static const BciTryRow *row_of(const BciCode *code, uint32_t row) {
    for (uint32_t i = 0; i < code->ntries; i++)
        if (code->tries[i].row == row && code->tries[i].out != UINT32_MAX) return &code->tries[i];
    return NULL;
}

/* One annotation with its offsets renewed; false if it has no target any more. */
static bool write_type_ann(const BciCode *code, const BciTypeAnn *a, CfWriter *w) {
    size_t at = w->len;
    const BciTryRow *row = a->row == UINT32_MAX ? NULL : row_of(code, a->row);
    if (a->insn ? a->insn->mark & BCI_M_DELETED : a->row != UINT32_MAX && !row) return false;
    cf_w_bytes(w, a->data, a->len);
    if (a->insn) cf_w_patch_u2(w, at + 1, a->insn->offset);
    else if (row) cf_w_patch_u2(w, at + 1, row->out);
    for (uint32_t k = 0; k < a->n; k++) {
        uint32_t start = off(a->ranges[2 * k]), end = off(a->ranges[2 * k + 1]);
        cf_w_patch_u2(w, at + 3 + 6 * (size_t)k, start);
        cf_w_patch_u2(w, at + 5 + 6 * (size_t)k, end > start ? end - start : 0);
    }
    return true;
}

static void write_type_anns(const BciCode *code, uint16_t attr, CfWriter *w) {
    uint32_t n = 0;
    cf_w_u2(w, 0);
    for (uint32_t i = 0; i < code->nanns; i++)
        if (code->anns[i].attr == attr && write_type_ann(code, &code->anns[i], w)) n++;
    cf_w_patch_u2(w, 0, n);
}

/* Empty tables are written only where the input had one. */
static CfErrCode add_attr(BciCode *code, CfCode *out, const char *name, bool keep_empty, CfWriter *w) {
    CfErrCode rc = w->bad ? CF_ERR_NOMEM : CF_OK;
    if (rc == CF_OK && w->len >= 2 && (keep_empty || cf_get_u2(w->data) > 0))
        rc = cf_attr_append(code->m->cls->cf, &out->attrs, name, w->data, w->len);
    w->len = 0;
    return rc == CF_OK ? CF_OK : bci_fail(code->m, rc, BCI_NO_PC, "attribute %s cannot be written", name);
}

static CfErrCode keep_attr(BciCode *code, CfCode *out, const CfAttr *a) {
    BciClass *c = code->m->cls;
    const char *name = bci_zstr(c, cf_utf8(c->cf, a->name));
    CfErrCode rc = name ? cf_attr_append(c->cf, &out->attrs, name, a->data, a->len) : CF_ERR_NOMEM;
    return rc == CF_OK ? CF_OK : bci_fail(code->m, rc, BCI_NO_PC, "attribute %s cannot be written", name ? name : "");
}

/* The attribute with number `i` of the input; for i == count, those that the input did not have. */
static CfErrCode write_attr(BciCode *code, CfCode *out, uint16_t i, CfWriter *w) {
    bool extra = i == code->orig.attrs.count, keep = !extra && code->orig.code;
    unsigned kind = extra ? 0 : code->orig.attrs.v[i].kind, before = out->attrs.count;
    if (extra || kind == CF_ATTR_LINE_NUMBER_TABLE) {
        write_lines(code, i, w);
        CF_TRY(add_attr(code, out, "LineNumberTable", keep, w));
    }
    if (extra || kind == CF_ATTR_LOCAL_VARIABLE_TABLE) {
        write_vars(code, i, false, w);
        CF_TRY(add_attr(code, out, "LocalVariableTable", keep, w));
    }
    if (kind == CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE) {
        write_vars(code, i, true, w);
        CF_TRY(add_attr(code, out, "LocalVariableTypeTable", keep, w));
    }
    if (is_type_anns(kind)) {
        write_type_anns(code, i, w);
        CF_TRY(add_attr(code, out, cf_attr_info[kind].name, keep, w));
    }
    if (kind == CF_ATTR_STACK_MAP_TABLE || (extra && !code->had_map)) {
        uint32_t n = 0;
        cf_w_u2(w, 0);
        CF_TRY(bci_write_map(code, w, &n));
        CF_TRY(add_attr(code, out, "StackMapTable", false, w));
    }
    if (!extra && kind == CF_ATTR_UNKNOWN && !(code->m->cls->opt.flags & BCI_DROP_UNKNOWN))
        CF_TRY(keep_attr(code, out, &code->orig.attrs.v[i]));
    if (!extra && out->attrs.count > before) /* the pool may hold the name twice */
        out->attrs.v[before].name = code->orig.attrs.v[i].name;
    return CF_OK;
}

CfErrCode bci_write_tables(BciCode *code, CfCode *out) {
    CfWriter w = {0}, rows = {0};
    uint32_t count = 0;
    CfErrCode rc = bci_prune_lines(code);
    if (rc == CF_OK && !choose_vars(code)) rc = bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    write_tries(code, &rows, &count);
    for (uint16_t i = 0; rc == CF_OK && i <= code->orig.attrs.count; i++) rc = write_attr(code, out, i, &w);
    if (rc == CF_OK && rows.bad) rc = bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    if (rc == CF_OK && count > 65535) rc = bci_fail(code->m, CF_ERR_LIMIT, BCI_NO_PC, "too many exception rows");
    if (rc == CF_OK && count) {
        uint8_t *p = cf_arena_copy(&code->m->cls->scratch, rows.data, rows.len);
        out->handlers = (CfRows){p, count};
        if (!p) rc = bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    }
    cf_w_free(&w);
    cf_w_free(&rows);
    return rc;
}
