/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_code.c - Code attribute -> list of instructions and labels; walking and changing the list.
 *
 * Decoding makes one node per instruction, in one block of memory, and labels only where something
 * refers to: branch targets, table rows, frames. Whatever the bytes are, decoding ends with a
 * well-formed list or an error: every instruction is framed, every target and row border is the
 * start of an instruction (or the end of the code where that is allowed).
 */
#include "bci_int.h"

/* ---- list primitives ---- */

void bci_link(BciCode *code, BciInsn *next, BciInsn *i)
{
    i->next = next;
    i->prev = next->prev;
    if (next->prev)
        next->prev->next = i;
    else
        code->first = i;
    next->prev = i;
}

static void unlink_node(BciCode *code, BciInsn *i)
{
    if (i->prev)
        i->prev->next = i->next;
    else
        code->first = i->next;
    if (i->next)
        i->next->prev = i->prev;
}

void bci_touch(BciCode *code)
{
    code->changed = true;
    code->edits++;
}

void bci_mark_changed(BciCode *code)
{
    if (bci_ok(code))
        bci_touch(code);
}

static BciLabel *make_label(BciCode *code)
{
    BciLabel *l = CF_NEW(&code->m->cls->arena, BciLabel);
    if (!l) {
        bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
        return NULL;
    }
    l->node.op = BCI_LABEL_NODE;
    l->node.pc = BCI_NO_PC;
    return l;
}

static BciLabel *put_label(BciCode *code, BciInsn *next)
{
    BciLabel *l = make_label(code);
    if (l) {
        bci_link(code, next, &l->node);
        l->placed = true;
    }
    return l;
}

BciPoint *bci_point(BciCode *code, BciLabel *l)
{
    if (!l->point && !(l->point = CF_NEW(&code->m->cls->arena, BciPoint)))
        bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    return l->point;
}

/* ---- decoding ---- */

BciCode *bci_empty_code(BciMethod *m)
{
    BciClass *c = m->cls;
    BciCode *code = CF_NEW(&c->arena, BciCode);
    BciLabel *last = NULL;
    if (code) {
        code->m = m;
        code->next_site = BCI_NEW_SITE;
        last = make_label(code);
    }
    if (!last) {
        bci_fail(m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
        return NULL;
    }
    last->placed = true;
    code->first = code->last = &last->node;
    code->start = put_label(code, code->last);
    code->tail = put_label(code, code->last);
    CfMember *cm = bci_member(m);
    int args = cf_desc_arg_slots(cf_utf8(c->cf, cm->desc), NULL);
    code->max_locals = code->orig_locals = (args < 0 ? 0 : args) + !(cm->access & CF_ACC_STATIC);
    return code->tail ? code : NULL;
}

BciLabel *bci_label_at(BciCode *code, uint32_t pc)
{
    BciInsn *next;
    if (pc == code->orig.code_len)
        next = &code->tail->node;
    else if (pc > code->orig.code_len || !(next = code->at[pc]))
        return NULL;
    if (next->prev && bci_is_label(next->prev))
        return bci_as_label(next->prev);
    return put_label(code, next);
}

/* Copies operands of `in` that need no label. */
static void fill(BciInsn *i, const CfInsn *in)
{
    i->op = in->op;
    i->flags = in->wide ? BCI_F_WIDE : 0;
    i->pc = in->pc;
    i->index = in->index;
    i->value = (int16_t)in->imm;
    if (in->op == CF_OP_NEW)
        i->site = in->pc;
}

static BciLabel *target_label(BciCode *code, uint32_t pc, int64_t target)
{
    BciLabel *l = target >= 0 && target < code->orig.code_len
                      ? bci_label_at(code, (uint32_t)target) : NULL;
    if (l)
        l->is_target = true;
    else
        bci_fail(code->m, CF_ERR_VERIFY, pc, "branch at %u to %lld, which is no instruction", pc,
                 (long long)target);
    return l;
}

static bool read_switch(BciCode *code, BciInsn *i, const CfInsn *in)
{
    CfArena *a = &code->m->cls->arena;
    BciSwitch *sw = CF_NEW(a, BciSwitch);
    if (sw) {
        sw->n = in->cases;
        sw->keys = cf_arena_alloc(a, sizeof(int32_t) * (size_t)in->cases);
        sw->targets = cf_arena_alloc(a, sizeof(BciLabel *) * (size_t)in->cases);
    }
    if (!sw || !sw->keys || !sw->targets) {
        bci_fail(code->m, CF_ERR_NOMEM, i->pc, "out of memory");
        return false;
    }
    i->sw = sw;
    if (!(sw->deflt = target_label(code, i->pc, in->target)))
        return false;
    for (uint32_t k = 0; k < in->cases; k++) {
        sw->keys[k] = cf_switch_key(in, k);
        if (k && sw->keys[k] <= sw->keys[k - 1]) {
            bci_fail(code->m, CF_ERR_VERIFY, i->pc, "keys of the switch at %u are not ascending",
                     i->pc);
            return false;
        }
        if (!(sw->targets[k] = target_label(code, i->pc, cf_switch_target(in, k))))
            return false;
    }
    return true;
}

/* Makes the nodes; targets follow when all of them exist. */
static bool read_insns(BciCode *code)
{
    const CfCode *o = &code->orig;
    CfArena *a = &code->m->cls->arena;
    uint32_t n = 0, pc, len;
    for (pc = 0; pc < o->code_len && (len = cf_insn_length(o->code, o->code_len, pc)); pc += len)
        n++;
    if (pc != o->code_len || n == 0) {
        bci_fail(code->m, CF_ERR_VERIFY, pc, "bad instruction at %u", pc);
        return false;
    }
    BciInsn *nodes = CF_NEW_ARRAY(a, BciInsn, n);
    code->at = CF_NEW_ARRAY(a, BciInsn *, o->code_len + 1);
    if (!nodes || !code->at) {
        bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
        return false;
    }
    CfInsn in;
    for (pc = 0, n = 0; pc < o->code_len; pc += in.len, n++) {
        if (!cf_insn(o->code, o->code_len, pc, &in)) {
            bci_fail(code->m, CF_ERR_VERIFY, pc, "bad instruction at %u", pc);
            return false;
        }
        fill(&nodes[n], &in);
        code->at[pc] = &nodes[n];
        bci_link(code, &code->tail->node, &nodes[n]);
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t fl = bci_flags(&nodes[k]);
        if (!(fl & (CF_OF_BRANCH | CF_OF_SWITCH | CF_OF_RET)))
            continue;
        cf_insn(o->code, o->code_len, nodes[k].pc, &in);
        if (fl & (CF_OF_JSR | CF_OF_RET))
            code->has_jsr = true;
        if (fl & CF_OF_SWITCH) {
            if (!read_switch(code, &nodes[k], &in))
                return false;
        } else if (fl & CF_OF_BRANCH) {
            if (!(nodes[k].target = target_label(code, in.pc, in.target)))
                return false;
        }
    }
    return true;
}

static bool read_handlers(BciCode *code)
{
    for (uint32_t i = 0; i < code->orig.handlers.count; i++) {
        CfHandler h = cf_handler(&code->orig.handlers, i);
        BciTryRow r = {.row = i};
        r.pub.start = h.start < code->orig.code_len ? bci_label_at(code, h.start) : NULL;
        r.pub.end = bci_label_at(code, h.end);
        r.pub.handler = h.handler < code->orig.code_len ? bci_label_at(code, h.handler) : NULL;
        r.pub.type = h.type;
        if (!r.pub.start || !r.pub.end || !r.pub.handler || h.start >= h.end) {
            bci_fail(code->m, CF_ERR_VERIFY, h.start, "bad exception table row %u", i);
            return false;
        }
        r.pub.handler->is_handler = true;
        if (!BCI_PUSH(code->m->cls, code->tries, code->ntries, code->cap_tries, r))
            return false;
    }
    return true;
}

BciCode *bci_decode(BciMethod *m)
{
    CfError e;
    CfCode orig;
    cf_err_clear(&e);
    if (cf_code(m->cls->cf, bci_member(m), &m->cls->arena, &orig, &e) != CF_OK) {
        bci_fail(m, e.code, BCI_NO_PC, "%s", e.text);
        return NULL;
    }
    if (!orig.code)
        return NULL;
    BciCode *code = bci_empty_code(m);
    if (!code)
        return NULL;
    code->orig = orig;
    if (orig.max_locals < code->max_locals) {
        bci_fail(m, CF_ERR_VERIFY, BCI_NO_PC, "arguments do not fit into max_locals %u",
                 orig.max_locals);
        return NULL;
    }
    code->max_locals = code->orig_locals = orig.max_locals;
    if (!read_insns(code) || !read_handlers(code) || !bci_read_tables(code) ||
        !bci_read_frames(code))
        return NULL;
    return m->err || m->cls->err ? NULL : code;
}

/* ---- walking ---- */

BciInsn *bci_first(BciCode *code)
{
    return code ? code->first : NULL;
}
BciInsn *bci_last(BciCode *code)
{
    return code ? code->last : NULL;
}
BciInsn *bci_first_insn(BciCode *code)
{
    if (!code)
        return NULL;
    return bci_is_label(code->first) ? bci_next(code->first) : code->first;
}
BciInsn *bci_next(const BciInsn *i)
{
    BciInsn *n = i->next;
    while (n && bci_is_label(n))
        n = n->next;
    return n;
}
BciInsn *bci_prev(const BciInsn *i)
{
    BciInsn *p = i->prev;
    while (p && bci_is_label(p))
        p = p->prev;
    return p;
}
BciInsn *bci_find_op(BciInsn *from, unsigned op)
{
    while (from && from->op != op)
        from = bci_next(from);
    return from;
}
BciInsn *bci_insn_at(BciCode *code, uint32_t pc)
{
    return code && code->at && pc < code->orig.code_len ? code->at[pc] : NULL;
}

bool bci_is_return(const BciInsn *i)
{
    return bci_flags(i) & CF_OF_RETURN;
}
bool bci_is_invoke(const BciInsn *i)
{
    return bci_flags(i) & CF_OF_INVOKE;
}
bool bci_is_field(const BciInsn *i)
{
    return bci_flags(i) & CF_OF_FIELD;
}
bool bci_is_cond(const BciInsn *i)
{
    return bci_flags(i) & CF_OF_COND;
}
bool bci_is_end(const BciInsn *i)
{
    return bci_flags(i) & CF_OF_END;
}
bool bci_can_throw(const BciInsn *i)
{
    return bci_flags(i) & CF_OF_THROWS;
}
const char *bci_op_name(unsigned op)
{
    return op == BCI_LABEL_NODE              ? "label"
           : op < 256 && cf_op_info[op].name ? cf_op_info[op].name
                                             : "?";
}
uint32_t bci_max_locals(const BciCode *code)
{
    return code ? code->max_locals : 0;
}
uint32_t bci_code_length(const BciCode *code)
{
    return code ? code->orig.code_len : 0;
}
uint32_t bci_insn_offset(const BciCode *code, const BciInsn *i)
{
    return code && code->written ? i->offset : BCI_NO_PC;
}

/* ---- positions ---- */

BciPos bci_before(BciCode *code, BciInsn *i)
{
    return code && i ? (BciPos){code, i} : (BciPos){NULL, NULL};
}
BciPos bci_after(BciCode *code, BciInsn *i)
{
    return code && i && i->next ? (BciPos){code, i->next} : (BciPos){NULL, NULL};
}
BciPos bci_at_label(BciCode *code, BciLabel *l)
{
    return l && l->placed ? bci_after(code, &l->node) : (BciPos){NULL, NULL};
}
BciPos bci_end(BciCode *code)
{
    return code ? bci_before(code, &code->tail->node) : (BciPos){NULL, NULL};
}

/* The first insertion at entry takes over what starts at pc 0: the line, and variables that are
 * live from the beginning (parameters). Exception ranges and branch targets stay at `start`. */
BciPos bci_entry(BciCode *code)
{
    if (!bci_ok(code))
        return (BciPos){NULL, NULL};
    if (!code->head) {
        if (!(code->head = put_label(code, code->first)))
            return (BciPos){NULL, NULL};
        for (uint32_t k = 0; k < code->nlines; k++)
            if (code->lines[k].pub.start == code->start)
                code->lines[k].pub.start = code->head;
        for (uint32_t k = 0; k < code->nvars; k++)
            if (code->vars[k].pub.start == code->start)
                code->vars[k].pub.start = code->head;
    }
    return bci_before(code, &code->start->node);
}

uint32_t bci_line_starts(BciCode *code, unsigned line, BciPos *out, uint32_t max)
{
    uint32_t n = 0;
    unsigned before = 0;
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i)) {
        if (i->flags & BCI_F_NEW)
            continue;
        if (i->line == line && before != line) {
            if (n < max)
                out[n] = bci_before(code, i);
            n++;
        }
        before = i->line;
    }
    return n;
}

/* ---- changing the list ---- */

void bci_delete(BciCode *code, BciInsn *i)
{
    if (!bci_ok(code) || !i || bci_is_label(i) || (i->mark & BCI_M_DELETED))
        return;
    bci_touch(code);
    i->mark |= BCI_M_DELETED;
    unlink_node(code, i);
    if (i->pc != BCI_NO_PC && code->at)
        code->at[i->pc] = NULL;
}

void bci_delete_range(BciCode *code, BciInsn *first, BciInsn *last)
{
    for (BciInsn *i = first, *next; i; i = next) {
        next = i == last ? NULL : i->next;
        bci_delete(code, i);
    }
}

BciPos bci_replace(BciCode *code, BciInsn *i)
{
    if (!bci_ok(code) || !i)
        return (BciPos){NULL, NULL};
    BciPos at = bci_after(code, i);
    bci_delete(code, i);
    return at;
}

static void need_target(BciLabel *l)
{
    l->is_target = true;
}

void bci_set_target(BciCode *code, BciInsn *branch, BciLabel *target)
{
    if (!bci_ok(code) || !target)
        return;
    if (!(bci_flags(branch) & CF_OF_BRANCH)) {
        bci_fail(code->m, CF_ERR_USAGE, branch->pc, "set_target: %s is no branch",
                 bci_op_name(branch->op));
        return;
    }
    bci_touch(code);
    branch->target = target;
    need_target(target);
}

void bci_set_op(BciCode *code, BciInsn *i, unsigned op)
{
    if (!bci_ok(code) || bci_is_label(i))
        return;
    if (op > 255 || cf_op_info[op].format != cf_op_info[i->op].format) {
        bci_fail(code->m, CF_ERR_USAGE, i->pc, "set_op: %s and %s have different operands",
                 bci_op_name(i->op), bci_op_name(op));
        return;
    }
    bci_touch(code);
    i->op = (uint16_t)op;
}

void bci_set_index(BciCode *code, BciInsn *i, uint16_t index)
{
    if (!bci_ok(code))
        return;
    if (!(bci_flags(i) & CF_OF_CP)) {
        bci_fail(code->m, CF_ERR_USAGE, i->pc, "set_index: %s has no pool index",
                 bci_op_name(i->op));
        return;
    }
    bci_touch(code);
    i->index = index;
    if (i->op == CF_OP_LDC && index > 255)
        i->op = CF_OP_LDC_W;
}

BciLabel *bci_new_label(BciCode *code)
{
    return bci_ok(code) ? make_label(code) : NULL;
}

void bci_place(BciPos at, BciLabel *l)
{
    if (!bci_ok(at.code) || !l)
        return;
    if (l->placed) {
        bci_fail(at.code->m, CF_ERR_USAGE, BCI_NO_PC, "label placed twice");
        return;
    }
    bci_link(at.code, at.next, &l->node);
    l->placed = true;
    bci_touch(at.code);
}

BciLabel *bci_label_here(BciPos at)
{
    BciLabel *l = bci_new_label(at.code);
    bci_place(at, l);
    return l;
}

BciLabel *bci_label_of(BciCode *code, BciInsn *i)
{
    if (!bci_ok(code) || !i)
        return NULL;
    if (bci_is_label(i))
        return bci_as_label(i);
    if (i->prev && bci_is_label(i->prev))
        return bci_as_label(i->prev);
    return put_label(code, i);
}

uint32_t bci_new_local(BciCode *code, char kind)
{
    if (!bci_ok(code))
        return 0;
    unsigned slots = kind == 'J' || kind == 'D' ? 2 : 1;
    uint32_t slot = code->max_locals;
    if (slot + slots > 65535) {
        bci_fail(code->m, CF_ERR_LIMIT, BCI_NO_PC, "too many local variables");
        return 0;
    }
    for (unsigned k = 0; k < slots; k++) {
        uint32_t n = slot + k - code->orig_locals;
        if (!BCI_PUSH(code->m->cls, code->local_kinds, n, code->local_kinds_cap, k ? '2' : kind))
            return 0;
    }
    code->max_locals += slots;
    return slot;
}

BciInsn *bci_emit(BciPos at, unsigned op)
{
    if (!bci_ok(at.code) || !at.next)
        return NULL;
    BciInsn *i = CF_NEW(&at.code->m->cls->arena, BciInsn);
    if (!i) {
        bci_fail(at.code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
        return NULL;
    }
    i->op = (uint16_t)op;
    i->flags = BCI_F_NEW;
    i->pc = BCI_NO_PC;
    BciInsn *n = at.next;
    while (n && bci_is_label(n))
        n = n->next;
    i->line = n ? n->line : 0;
    bci_link(at.code, at.next, i);
    bci_touch(at.code);
    return i;
}
