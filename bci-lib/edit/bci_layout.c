/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_layout.c - offsets and bytes.
 *
 * FAR BRANCHES. Branches start in the form they had (inserted ones: short). Offsets are computed,
 * branches whose distance leaves 16 bits are marked far, and that repeats until nothing changes;
 * marks only grow, so it ends. goto and jsr have a four-byte form; a conditional branch is
 * rewritten as
 *
 *         if<not c> skip;  goto_w target;  skip:
 *
 * which adds a branch target. Therefore layout runs before frames are computed, not after.
 */
#include "bci_edit.h"

uint32_t bci_insn_size(const BciInsn *i, uint32_t pc) {
    const CfOpInfo *o = &cf_op_info[i->op];
    switch ((CfFormat)o->format) {
    case CF_FMT_LOCAL: return i->flags & BCI_F_WIDE ? 4 : 2;
    case CF_FMT_IINC: return i->flags & BCI_F_WIDE ? 6 : 3;
    case CF_FMT_BRANCH2: return i->mark & BCI_M_FAR ? 5 : 3;
    case CF_FMT_TABLESWITCH: return 1 + (~pc & 3) + 12 + 4 * i->sw->n;
    case CF_FMT_LOOKUPSWITCH: return 1 + (~pc & 3) + 8 + 8 * i->sw->n;
    default: return o->length;
    }
}

/* False if the code passes a size at which it is hopeless anyway (and offsets could overflow). */
bool bci_place_all(BciCode *code) {
    uint32_t pc = 0;
    for (BciInsn *i = code->first; i; i = i->next) {
        i->offset = pc;
        if (!bci_is_label(i)) pc += bci_insn_size(i, pc);
        if (pc > (1u << 30)) return false;
    }
    code->length = pc;
    return true;
}

static bool reaches(const BciInsn *i) {
    int64_t d = (int64_t)i->target->node.offset - i->offset;
    return d == (int16_t)d;
}

static unsigned inverse(unsigned op) {
    if (op == CF_OP_IFNULL || op == CF_OP_IFNONNULL) return op ^ 1;
    return ((op + 1) ^ 1) - 1; /* ifeq/ifne ... if_acmpeq/if_acmpne: pairs that start at an odd number */
}

/* if c target  ->  if !c skip; goto_w target; skip: */
static bool expand_cond(BciCode *code, BciInsn *i) {
    BciPos at = bci_after(code, i);
    BciLabel *skip = bci_new_label(code);
    BciInsn *g = bci_emit(at, CF_OP_GOTO_W);
    if (!skip || !g) return false;
    bci_place(at, skip);
    skip->is_target = true;
    g->target = i->target;
    g->line = i->line;
    g->flags |= i->flags & BCI_F_EXIT;
    i->op = (uint16_t)inverse(i->op);
    i->target = skip;
    return true;
}

static bool all_placed(BciCode *code) {
    for (BciInsn *i = code->first; i; i = i->next) {
        uint32_t fl = bci_flags(i);
        bool ok = true;
        if (fl & CF_OF_BRANCH) ok = i->target->placed;
        else if (fl & CF_OF_SWITCH) {
            ok = i->sw->deflt->placed;
            for (uint32_t k = 0; k < i->sw->n; k++) ok &= i->sw->targets[k]->placed;
        }
        if (!ok) {
            if (i->flags & BCI_F_CALLED) bci_called_in(code, ((BciCalled *)i)->file, ((BciCalled *)i)->line);
            return bci_refuse(code->m, CF_ERR_USAGE, i->pc, "%s goes to a label that was never placed", bci_op_name(i->op));
        }
    }
    for (uint32_t k = 0; k < code->ntries; k++) {
        const BciTry *t = &code->tries[k].pub;
        if (!t->start->placed || !t->end->placed || !t->handler->placed)
            return bci_refuse(code->m, CF_ERR_USAGE, BCI_NO_PC, "exception row %u has a label that was never placed", k);
    }
    return true;
}

/* Labels never change their order, so a row that ends in front of its start was made so. */
static bool rows_in_order(BciCode *code) {
    for (uint32_t k = 0; k < code->ntries; k++)
        if (code->tries[k].pub.start->node.offset > code->tries[k].pub.end->node.offset)
            return bci_refuse(code->m, CF_ERR_USAGE, BCI_NO_PC, "exception row %u ends in front of its start", k);
    return true;
}

CfErrCode bci_layout(BciCode *code, bool *expanded) {
    *expanded = false;
    if (!all_placed(code)) return code->m->err->code;
    bool again;
    do {
        again = false;
        if (!bci_place_all(code)) return bci_fail(code->m, CF_ERR_LIMIT, BCI_NO_PC, "code is far too large");
        if (!rows_in_order(code)) return code->m->err->code;
        if (code->length <= INT16_MAX) break;
        for (BciInsn *i = code->first; i; i = i->next) {
            if (bci_is_label(i) || cf_op_info[i->op].format != CF_FMT_BRANCH2 || reaches(i)) continue;
            if (bci_is_cond(i)) {
                if (!expand_cond(code, i)) return code->m->err ? code->m->err->code : CF_ERR_NOMEM;
                *expanded = again = true;
            } else if (!(i->mark & BCI_M_FAR)) {
                i->mark |= BCI_M_FAR;
                again = true;
            }
        }
    } while (again);
    return CF_OK;
}

/* ---- bytes ---- */

static inline uint8_t *put2(uint8_t *p, uint32_t v) {
    cf_put_u2(p, v);
    return p + 2;
}
static inline uint8_t *put4(uint8_t *p, uint32_t v) {
    cf_put_u4(p, v);
    return p + 4;
}

static uint8_t *put_switch(const BciInsn *i, uint8_t *p) {
    const BciSwitch *sw = i->sw;
    for (uint32_t pad = ~i->offset & 3; pad; pad--) *p++ = 0;
    p = put4(p, sw->deflt->node.offset - i->offset);
    if (i->op == CF_OP_TABLESWITCH) {
        uint32_t low = sw->n ? (uint32_t)sw->keys[0] : 0;
        p = put4(p, low);
        p = put4(p, low + sw->n - 1);
    } else {
        p = put4(p, sw->n);
    }
    for (uint32_t k = 0; k < sw->n; k++) {
        if (i->op == CF_OP_LOOKUPSWITCH) p = put4(p, (uint32_t)sw->keys[k]);
        p = put4(p, sw->targets[k]->node.offset - i->offset);
    }
    return p;
}

static uint8_t *put_branch(const BciInsn *i, uint8_t *p) {
    uint32_t d = i->target->node.offset - i->offset;
    bool far = i->mark & BCI_M_FAR;
    if (far) p[-1] = i->op == CF_OP_JSR ? CF_OP_JSR_W : CF_OP_GOTO_W;
    return far || cf_op_info[i->op].format == CF_FMT_BRANCH4 ? put4(p, d) : put2(p, d & 0xffff);
}

unsigned bci_interface_slots(const BciCode *code, uint16_t index) {
    CfStr o, n, d = {0};
    cf_member_ref(code->m->cls->cf, index, &o, &n, &d);
    int args = cf_desc_arg_slots(d, NULL);
    return args < 0 ? 0 : (unsigned)args + 1;
}

uint8_t *bci_put_insn(const BciCode *code, const BciInsn *i, uint8_t *p) {
    bool wide = i->flags & BCI_F_WIDE;
    CfFormat fmt = cf_op_info[i->op].format;
    if (wide && (fmt == CF_FMT_LOCAL || fmt == CF_FMT_IINC)) *p++ = CF_OP_WIDE;
    *p++ = (uint8_t)i->op;
    switch (fmt) {
    case CF_FMT_S1:
    case CF_FMT_ATYPE: *p++ = (uint8_t)i->value; break;
    case CF_FMT_S2: return put2(p, (uint16_t)i->value);
    case CF_FMT_CP1: *p++ = (uint8_t)i->index; break;
    case CF_FMT_CP2: return put2(p, i->index);
    case CF_FMT_LOCAL:
        if (wide) *p++ = (uint8_t)(i->index >> 8);
        *p++ = (uint8_t)i->index;
        break;
    case CF_FMT_IINC:
        if (wide) return put2(put2(p, i->index), (uint16_t)i->value);
        *p++ = (uint8_t)i->index;
        *p++ = (uint8_t)i->value;
        break;
    case CF_FMT_BRANCH2:
    case CF_FMT_BRANCH4: return put_branch(i, p);
    case CF_FMT_TABLESWITCH:
    case CF_FMT_LOOKUPSWITCH: return put_switch(i, p);
    case CF_FMT_INTERFACE:
        p = put2(p, i->index);
        *p++ = (uint8_t)(i->flags & BCI_F_NEW ? bci_interface_slots(code, i->index) : (unsigned)i->value);
        *p++ = 0;
        break;
    case CF_FMT_DYNAMIC: return put2(put2(p, i->index), 0);
    case CF_FMT_MULTI:
        p = put2(p, i->index);
        *p++ = (uint8_t)i->value;
        break;
    default: break;
    }
    return p;
}

CfErrCode bci_assemble(BciCode *code, uint8_t *out) {
    uint8_t *p = out;
    for (BciInsn *i = code->first; i; i = i->next)
        if (!bci_is_label(i)) p = bci_put_insn(code, i, p);
    return (uint32_t)(p - out) == code->length ? CF_OK : bci_fail(code->m, CF_ERR_USAGE, BCI_NO_PC, "layout and code disagree");
}

/* max_stack, max_locals, code_length; code; exception rows; the rest as it was (JVMS 4.7.3). */
uint8_t *bci_assemble_same(BciCode *code, size_t *len) {
    const CfAttr *in = cf_attr(&bci_member(code->m)->attrs, CF_ATTR_CODE);
    const CfCode *o = &code->orig;
    uint32_t head = 8 + o->code_len + 2 + 8 * o->handlers.count;
    uint8_t *out = cf_arena_alloc(&code->m->cls->arena, in->len), *p = out + 8;
    if (!out) return bci_refuse(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    cf_put_u2(out, o->max_stack);
    cf_put_u2(out + 2, o->max_locals);
    cf_put_u4(out + 4, o->code_len);
    code->tail->node.offset = code->last->offset = o->code_len;
    for (BciInsn *i = code->first; i; i = i->next) {
        i->offset = (uint32_t)(p - out) - 8;
        if (!bci_is_label(i)) p = bci_put_insn(code, i, p);
    }
    p = put2(p, code->ntries);
    for (uint32_t k = 0; k < code->ntries; k++, p += 8) {
        const BciTry *t = &code->tries[k].pub;
        cf_put_u2(p, t->start->node.offset);
        cf_put_u2(p + 2, t->end->node.offset);
        cf_put_u2(p + 4, t->handler->node.offset);
        cf_put_u2(p + 6, t->type);
    }
    if ((uint32_t)(p - out) != head) return bci_refuse(code->m, CF_ERR_USAGE, BCI_NO_PC, "layout and code disagree");
    memcpy(p, in->data + head, in->len - head);
    *len = in->len;
    return out;
}
