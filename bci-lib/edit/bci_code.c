/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_code.c - Code attribute -> list of instructions and labels; walking and changing the list.
 *
 * Decoding makes one node per instruction, in one block of memory, and labels only where something
 * refers to: branch targets and exception rows at once, debug tables and frames when the list is
 * about to change (bci_unfold), for until then their offsets stay true. Whatever the bytes are, decoding ends with a
 * well-formed list or an error: every instruction is framed, every target and row border is the
 * start of an instruction (or the end of the code where that is allowed).
 */
#include "bci_edit.h"

/* ---- list primitives ---- */

void bci_link(BciCode *code, BciInsn *next, BciInsn *i) {
    i->next = next;
    i->prev = next->prev;
    if (next->prev) next->prev->next = i;
    else code->first = i;
    next->prev = i;
}

void bci_unlink(BciCode *code, BciInsn *i) {
    if (i->prev) i->prev->next = i->next;
    else code->first = i->next;
    if (i->next) i->next->prev = i->prev;
}

void bci_touch(BciCode *code) {
    code->changed = code->beyond = true;
    code->edits++;
}

/* An edit of `i`: what was inserted may still be changed. */
static void touch_insn(BciCode *code, const BciInsn *i) {
    bool beyond = code->beyond || !(i->flags & BCI_F_NEW);
    bci_touch(code);
    code->beyond = beyond;
}

void bci_mark_changed(BciCode *code) {
    if (bci_ok(code)) code->changed = true;
}

static BciLabel *make_label(BciCode *code) {
    BciLabel *l = CF_NEW(&code->m->cls->arena, BciLabel);
    if (!l) return bci_refuse(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    l->node.op = BCI_LABEL_NODE;
    l->node.pc = BCI_NO_PC;
    l->code = code;
    code->nlabels++;
    return l;
}

static BciLabel *put_label(BciCode *code, BciInsn *next) {
    BciLabel *l = make_label(code);
    if (l) {
        bci_link(code, next, &l->node);
        l->placed = true;
    }
    return l;
}

bool bci_own(BciCode *code, const BciLabel *l) {
    if (l->code == code) return true;
    return bci_refuse(code->m, CF_ERR_USAGE, BCI_NO_PC, "a label of method %s%s is used in another one",
                      bci_method_name(l->code->m), bci_method_desc(l->code->m));
}

/* Is `i` one of this code? Instructions that were inserted are taken at their word. */
static bool own_insn(BciCode *code, const BciInsn *i) {
    if (bci_is_label(i)) return bci_own(code, (const BciLabel *)i);
    if (i->pc == BCI_NO_PC || (i >= code->nodes && i < code->nodes + code->nnodes)) return true;
    return bci_refuse(code->m, CF_ERR_USAGE, BCI_NO_PC, "%s at %u is an instruction of another method", bci_op_name(i->op),
                      i->pc);
}

BciPos bci_called_at(BciPos at, const char *file, int line) {
    bci_called_in(at.code, file, line);
    return at;
}

BciCode *bci_called_in(BciCode *code, const char *file, int line) {
    if (code) {
        code->m->call_file = file;
        code->m->call_line = line;
    }
    return code;
}

BciPoint *bci_point(BciCode *code, BciLabel *l) {
    if (!l->point && !(l->point = CF_NEW(&code->m->cls->arena, BciPoint)))
        bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    return l->point;
}

/* ---- decoding ---- */

BciCode *bci_empty_code(BciMethod *m) {
    BciClass *c = m->cls;
    BciCode *code = CF_NEW(&c->arena, BciCode);
    BciLabel *last = NULL;
    if (code) {
        code->m = m;
        code->next_site = BCI_NEW_SITE;
        last = make_label(code);
    }
    if (!last) return bci_refuse(m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    last->placed = true;
    code->first = code->last = &last->node;
    code->start = put_label(code, code->last);
    code->tail = put_label(code, code->last);
    if (code->start && code->tail) code->start->node.mark = code->tail->node.mark = BCI_M_OLD;
    CfMember *cm = bci_member(m);
    int args = cf_desc_arg_slots(cf_utf8(c->cf, cm->desc), NULL);
    code->max_locals = code->orig_locals = (args < 0 ? 0 : args) + !(cm->access & CF_ACC_STATIC);
    return code->start && code->tail ? code : NULL;
}

BciLabel *bci_label_at(BciCode *code, uint32_t pc) {
    BciInsn *next;
    if (pc == code->orig.code_len) next = &code->tail->node;
    else if (pc > code->orig.code_len || !(next = bci_at(code, pc))) return NULL;
    BciInsn *p = next->prev;
    if (next->mark & BCI_M_GAP) /* the label stands in front of what was inserted there */
        while (p && (p->flags & BCI_F_NEW || (bci_is_label(p) && !(p->mark & BCI_M_OLD)))) p = p->prev;
    if (p && bci_is_label(p)) return bci_as_label(p);
    BciLabel *l = put_label(code, next);
    if (l) {
        l->node.offset = pc;
        l->node.mark = BCI_M_OLD;
    }
    return l;
}

static BciLabel *target_label(BciCode *code, uint32_t pc, int64_t target) {
    BciLabel *l = target >= 0 && target < code->orig.code_len ? bci_label_at(code, (uint32_t)target) : NULL;
    if (l) l->is_target = true;
    else bci_fail(code->m, CF_ERR_VERIFY, pc, "branch at %u to %lld, which is no instruction", pc, (long long)target);
    return l;
}

static bool read_switch(BciCode *code, BciInsn *i) {
    CfArena *a = &code->m->cls->arena;
    CfInsn in;
    cf_insn(code->orig.code, code->orig.code_len, i->pc, &in);
    BciSwitch *sw = CF_NEW(a, BciSwitch);
    if (sw) {
        sw->n = in.cases;
        sw->keys = cf_arena_alloc(a, sizeof(int32_t) * (size_t)in.cases);
        sw->targets = cf_arena_alloc(a, sizeof(BciLabel *) * (size_t)in.cases);
    }
    if (!sw || !sw->keys || !sw->targets) return bci_refuse(code->m, CF_ERR_NOMEM, i->pc, "out of memory");
    i->sw = sw;
    if (!(sw->deflt = target_label(code, i->pc, in.target))) return false;
    for (uint32_t k = 0; k < in.cases; k++) {
        sw->keys[k] = cf_switch_key(&in, k);
        if (k && sw->keys[k] <= sw->keys[k - 1])
            return bci_refuse(code->m, CF_ERR_VERIFY, i->pc, "keys of the switch at %u are not ascending", i->pc);
        if (!(sw->targets[k] = target_label(code, i->pc, cf_switch_target(&in, k)))) return false;
    }
    return true;
}

/* Instructions that refer to places get their labels when all nodes exist; until then they form a
 * chain: `user` holds the next one's number + 1. */
typedef struct Pending {
    uint32_t first, *last, n;
} Pending;

/* How the operands of most formats lie in the two bytes behind the opcode, so that one straight line
 * reads them all. len 0: read in another way. */
typedef struct Shape {
    uint8_t len, index_shift, implied, value_shift;
    uint16_t index_mask, value_mask;
} Shape;
#define SHAPE(...) \
    { __VA_ARGS__ }
#define SHAPE_NONE SHAPE(1, 0, 0, 0, 0, 0)
#define SHAPE_LOCAL0 SHAPE(1, 0, 0, 0, 0, 0)
#define SHAPE_LOCAL1 SHAPE(1, 0, 1, 0, 0, 0)
#define SHAPE_LOCAL2 SHAPE(1, 0, 2, 0, 0, 0)
#define SHAPE_LOCAL3 SHAPE(1, 0, 3, 0, 0, 0)
#define SHAPE_LOCAL SHAPE(2, 8, 0, 0, 0xff00, 0)
#define SHAPE_CP1 SHAPE(2, 8, 0, 0, 0xff00, 0)
#define SHAPE_CP2 SHAPE(3, 0, 0, 0, 0xffff, 0)
#define SHAPE_DYNAMIC SHAPE(5, 0, 0, 0, 0xffff, 0)
#define SHAPE_S1 SHAPE(2, 0, 0, 8, 0, 0xff00)
#define SHAPE_S2 SHAPE(3, 0, 0, 0, 0, 0xffff)
#define SHAPE_ATYPE SHAPE(0, 0, 0, 0, 0, 0)
#define SHAPE_BRANCH2 SHAPE(0, 0, 0, 0, 0, 0)
#define SHAPE_BRANCH4 SHAPE(0, 0, 0, 0, 0, 0)
#define SHAPE_IINC SHAPE(0, 0, 0, 0, 0, 0)
#define SHAPE_INTERFACE SHAPE(0, 0, 0, 0, 0, 0)
#define SHAPE_MULTI SHAPE(0, 0, 0, 0, 0, 0)
#define SHAPE_TABLESWITCH SHAPE(0, 0, 0, 0, 0, 0)
#define SHAPE_LOOKUPSWITCH SHAPE(0, 0, 0, 0, 0, 0)
#define SHAPE_WIDE SHAPE(0, 0, 0, 0, 0, 0)
static const Shape shapes[256] = {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) [value] = SHAPE_##format,
#include "opcodes.def"
#undef OPCODE
};

static void remember(BciCode *code, BciInsn *i, Pending *todo) {
    *todo->last = (uint32_t)(i - code->nodes) + 1;
    todo->last = &i->user;
    todo->n++;
}

/* An instruction without a shape; its length, 0 if there is none. */
static uint32_t read_other(BciCode *code, uint32_t pc, BciInsn *i, Pending *todo) {
    const uint8_t *p = code->orig.code + pc;
    uint32_t left = code->orig.code_len - pc;
    const CfOpInfo *o = &cf_op_info[*p];
    CfInsn in;
    if (o->length > left) return 0;
    if (o->format == CF_FMT_BRANCH2) {
        i->site = pc + (uint32_t)cf_get_s2(p + 1);
        code->has_jsr |= *p == CF_OP_JSR;
        remember(code, i, todo);
        return 3;
    }
    if (o->format == CF_FMT_INTERFACE || o->format == CF_FMT_MULTI) {
        i->index = cf_get_u2(p + 1);
        i->value = p[3];
        return o->length;
    }
    if (!cf_insn(code->orig.code, code->orig.code_len, pc, &in)) return 0;
    i->op = in.op;
    i->flags = in.wide ? BCI_F_WIDE : 0;
    i->index = in.index;
    i->value = (int16_t)in.imm;
    code->has_jsr |= in.op == CF_OP_RET || in.op == CF_OP_JSR_W;
    if (cf_op_info[in.op].flags & (CF_OF_BRANCH | CF_OF_SWITCH)) {
        i->site = (uint32_t)in.target;
        remember(code, i, todo);
    }
    return in.len;
}

/* The instruction at `pc` into node `i`; its length, 0 if there is none. Two bytes behind the code can
 * be read: the count of exception rows follows. */
static inline uint32_t read_insn(BciCode *code, uint32_t pc, BciInsn *i, Pending *todo) {
    const uint8_t *p = code->orig.code + pc;
    const Shape *s = &shapes[*p];
    uint16_t operand = cf_get_u2(p + 1);
    *i = (BciInsn){.prev = i - 1,
                   .next = i + 1,
                   .op = *p,
                   .pc = pc,
                   .index = (uint16_t)((operand & s->index_mask) >> s->index_shift | s->implied),
                   .value = (int16_t)((int16_t)(operand & s->value_mask) >> s->value_shift)};
    if (*p == CF_OP_NEW) i->site = pc;
    if (__builtin_expect(!s->len, 0)) return read_other(code, pc, i, todo);
    if (*p == CF_OP_RET) code->has_jsr = true;
    return s->len <= code->orig.code_len - pc ? s->len : 0;
}

static bool read_targets(BciCode *code, const Pending *todo) {
    code->jumps = cf_arena_alloc(&code->m->cls->arena, todo->n * sizeof *code->jumps);
    if (!code->jumps) return bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory") == CF_OK;
    for (uint32_t k = todo->first; k;) {
        BciInsn *i = &code->nodes[k - 1];
        k = i->user;
        i->user = 0;
        code->jumps[code->njumps++] = i->pc;
        if (bci_flags(i) & CF_OF_SWITCH) {
            code->nswitches++;
            if (!read_switch(code, i)) return false;
        } else if (!(i->target = target_label(code, i->pc, (int32_t)i->site))) {
            return false;
        }
    }
    return true;
}

/* Room for the nodes is taken for the worst case, one per byte, and what is not used given back. */
static bool read_insns(BciCode *code) {
    uint32_t len = code->orig.code_len, n = 0, size;
    CfArena *a = &code->m->cls->arena;
    code->at = CF_NEW_ARRAY(a, uint16_t, len + 1);
    BciInsn *nodes = code->nodes = cf_arena_alloc(a, len * sizeof *nodes);
    if (!nodes || !code->at) return bci_refuse(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    Pending todo = {0, &todo.first, 0};
    for (uint32_t pc = 0; pc < len; pc += size) {
        size = read_insn(code, pc, &nodes[n], &todo);
        if (size == 0) return bci_refuse(code->m, CF_ERR_VERIFY, pc, "bad instruction at %u", pc);
        code->at[pc] = (uint16_t)++n;
    }
    cf_arena_shrink(a, nodes, len * sizeof *nodes, n * sizeof *nodes);
    code->nnodes = n;
    BciInsn *before = code->tail->node.prev;
    nodes[0].prev = before;
    before->next = &nodes[0];
    nodes[n - 1].next = &code->tail->node;
    code->tail->node.prev = &nodes[n - 1];
    return read_targets(code, &todo);
}

static bool read_handlers(BciCode *code) {
    for (uint32_t i = 0; i < code->orig.handlers.count; i++) {
        CfHandler h = cf_handler(&code->orig.handlers, i);
        BciTryRow r = {.row = i};
        r.pub.start = h.start < code->orig.code_len ? bci_label_at(code, h.start) : NULL;
        r.pub.end = bci_label_at(code, h.end);
        r.pub.handler = h.handler < code->orig.code_len ? bci_label_at(code, h.handler) : NULL;
        r.pub.type = h.type;
        if (!r.pub.start || !r.pub.end || !r.pub.handler || h.start >= h.end)
            return bci_refuse(code->m, CF_ERR_VERIFY, h.start, "bad exception table row %u", i);
        r.pub.handler->is_handler = true;
        if (!BCI_PUSH(code->m->cls, code->tries, code->ntries, code->cap_tries, r)) return false;
    }
    return true;
}

BciCode *bci_decode(BciMethod *m) {
    CfError e;
    CfCode orig;
    cf_err_clear(&e);
    if (cf_code(m->cls->cf, bci_member(m), &m->cls->arena, &orig, &e) != CF_OK)
        return bci_refuse(m, e.code, BCI_NO_PC, "%s", e.text);
    if (!orig.code) return NULL;
    BciCode *code = bci_empty_code(m);
    if (!code) return NULL;
    code->orig = orig;
    if (orig.max_locals < code->max_locals)
        return bci_refuse(m, CF_ERR_VERIFY, BCI_NO_PC, "arguments do not fit into max_locals %u", orig.max_locals);
    code->max_locals = code->orig_locals = orig.max_locals;
    if (!read_insns(code) || !read_handlers(code)) return NULL;
    bci_read_line_numbers(code);
    return m->err || m->cls->err ? NULL : code;
}

/* With code at the entry, the line and the variables of pc 0 begin in front of it. */
static void lines_to_head(BciCode *code) {
    for (uint32_t k = 0; k < code->nlines; k++)
        if (code->lines[k].pub.start == code->start) {
            code->lines[k].pub.start = code->head;
            code->lines[k].moved = true;
        }
    code->head->node.mark |= code->start->node.mark & BCI_M_LINE;
    code->start->node.mark &= (uint16_t)~BCI_M_LINE;
    for (uint32_t k = 0; k < code->nvars; k++)
        if (code->vars[k].pub.start == code->start) code->vars[k].pub.start = code->head;
    for (uint32_t k = 0; k < code->nanns; k++)
        for (uint32_t r = 0; r < code->anns[k].n; r++)
            if (code->anns[k].ranges[2 * r] == code->start) code->anns[k].ranges[2 * r] = code->head;
}

bool bci_unfold(BciCode *code) {
    if (!code) return false;
    if (code->unfolded || !code->orig.code) return true;
    code->unfolded = true;
    if (!bci_read_tables(code) || !bci_read_frames(code)) return false;
    if (code->head) lines_to_head(code);
    return true;
}

/* ---- walking ---- */

BciInsn *bci_first(BciCode *code) { return code ? code->first : NULL; }
BciInsn *bci_last(BciCode *code) { return code ? code->last : NULL; }
BciInsn *bci_first_insn(BciCode *code) {
    if (!code) return NULL;
    return bci_is_label(code->first) ? bci_next(code->first) : code->first;
}
/* From a deleted node on, which keeps its neighbours, other deleted ones may follow. */
BciInsn *bci_next(const BciInsn *i) {
    BciInsn *n = i->next;
    while (n && (bci_is_label(n) || n->mark & BCI_M_DELETED)) n = n->next;
    return n;
}
BciInsn *bci_prev(const BciInsn *i) {
    BciInsn *p = i->prev;
    while (p && (bci_is_label(p) || p->mark & BCI_M_DELETED)) p = p->prev;
    return p;
}
BciInsn *bci_find_op(BciInsn *from, unsigned op) {
    while (from && from->op != op) from = bci_next(from);
    return from;
}
BciInsn *bci_insn_at(BciCode *code, uint32_t pc) {
    return code && code->at && pc < code->orig.code_len ? bci_at(code, pc) : NULL;
}

bool bci_is_return(const BciInsn *i) { return bci_flags(i) & CF_OF_RETURN; }
bool bci_is_invoke(const BciInsn *i) { return bci_flags(i) & CF_OF_INVOKE; }
bool bci_is_field(const BciInsn *i) { return bci_flags(i) & CF_OF_FIELD; }
bool bci_is_cond(const BciInsn *i) { return bci_flags(i) & CF_OF_COND; }
bool bci_is_end(const BciInsn *i) { return bci_flags(i) & CF_OF_END; }
bool bci_can_throw(const BciInsn *i) { return bci_flags(i) & CF_OF_THROWS; }
const char *bci_op_name(unsigned op) {
    return op == BCI_LABEL_NODE ? "label" : op < 256 && cf_op_info[op].name ? cf_op_info[op].name : "?";
}
uint32_t bci_max_locals(const BciCode *code) { return code ? code->max_locals : 0; }
uint32_t bci_code_length(const BciCode *code) { return code ? code->orig.code_len : 0; }
uint32_t bci_insn_offset(const BciCode *code, const BciInsn *i) {
    if (!code || !code->written || !i || i->mark & (BCI_M_MOVED | BCI_M_DELETED)) return BCI_NO_PC;
    if (code->unplaced) {
        ((BciCode *)code)->unplaced = false;
        bci_place_all((BciCode *)code);
    }
    return i->offset;
}

/* ---- positions ---- */

/* Where a position in front of `i` is if `i` was deleted meanwhile: in front of what followed. */
static BciInsn *alive(BciInsn *i) {
    while (i && i->mark & BCI_M_DELETED) i = i->next;
    return i;
}

/* Prepares for insertions in front of node `i`. They come to stand in front of some instruction of
 * the input; the place of its offset, which tables may hold, is kept by a label. It also parts what
 * is put behind an instruction from what is put in front of the next one. */
static bool open_gap(BciCode *code, BciInsn *i) {
    if (!code || !i) return false;
    while (i && bci_is_label(i)) i = i->next;
    if (!code->orig.code || !i) {
        code->beyond = true;
        return bci_unfold(code);
    }
    if (i->flags & BCI_F_NEW || i->mark & BCI_M_GAP) return true;
    if (!bci_label_at(code, i->pc)) return false;
    i->mark |= BCI_M_GAP;
    return BCI_PUSH(code->m->cls, code->gaps, code->ngaps, code->cap_gaps, i);
}

BciPos bci_before(BciCode *code, BciInsn *i) {
    if (!bci_ok(code) || !i || !own_insn(code, i)) return (BciPos){NULL, NULL};
    i = alive(i);
    return open_gap(code, i) ? (BciPos){code, i} : (BciPos){NULL, NULL};
}
BciPos bci_after(BciCode *code, BciInsn *i) {
    if (!bci_ok(code) || !i || !own_insn(code, i)) return (BciPos){NULL, NULL};
    BciInsn *next = alive(i->next);
    if (!open_gap(code, next)) return (BciPos){NULL, NULL};
    return (BciPos){code, i->mark & BCI_M_DELETED ? next : i->next}; /* the gap may have got a label now */
}
BciPos bci_at_label(BciCode *code, BciLabel *l) { return l && l->placed ? bci_after(code, &l->node) : (BciPos){NULL, NULL}; }
BciPos bci_end(BciCode *code) { return code ? bci_before(code, &code->tail->node) : (BciPos){NULL, NULL}; }

/* The first insertion at entry takes over what starts at pc 0: the line, and variables that are
 * live from the beginning (parameters). Exception ranges and branch targets stay at `start`. */
BciPos bci_entry(BciCode *code) {
    if (!bci_ok(code)) return (BciPos){NULL, NULL};
    if (!code->head) {
        if (!(code->head = put_label(code, code->first))) return (BciPos){NULL, NULL};
        lines_to_head(code);
    }
    return bci_before(code, &code->start->node);
}

uint32_t bci_line_starts(BciCode *code, unsigned line, BciPos *out, uint32_t max) {
    uint32_t n = 0;
    unsigned before = 0;
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i)) {
        if (i->flags & BCI_F_NEW) continue;
        if (i->line == line && before != line) {
            if (n < max) out[n] = bci_before(code, i);
            n++;
        }
        before = i->line;
    }
    return n;
}

/* ---- changing the list ---- */

/* May an instruction be changed? Nothing happens to what is none any more. */
static bool may_change(BciCode *code, const BciInsn *i) {
    return bci_ok(code) && i && !bci_is_label(i) && !(i->mark & BCI_M_DELETED) && own_insn(code, i);
}

void bci_delete(BciCode *code, BciInsn *i) {
    if (!may_change(code, i) || !bci_unfold(code)) return;
    bci_touch(code);
    code->moves = true;
    i->mark |= BCI_M_DELETED;
    bci_unlink(code, i);
}

void bci_delete_range(BciCode *code, BciInsn *first, BciInsn *last) {
    for (BciInsn *i = first, *next; i; i = next) {
        next = i == last ? NULL : i->next;
        bci_delete(code, i);
    }
}

BciPos bci_replace(BciCode *code, BciInsn *i) {
    if (!bci_ok(code) || !i) return (BciPos){NULL, NULL};
    BciPos at = bci_after(code, i);
    bci_delete(code, i);
    return at;
}

static void need_target(BciLabel *l) { l->is_target = true; }

void bci_set_target(BciCode *code, BciInsn *branch, BciLabel *target) {
    if (!may_change(code, branch) || !target || !bci_own(code, target)) return;
    if (!(bci_flags(branch) & CF_OF_BRANCH))
        return (void)bci_fail(code->m, CF_ERR_USAGE, branch->pc, "set_target: %s is no branch", bci_op_name(branch->op));
    bci_touch(code);
    branch->target = target;
    need_target(target);
}

void bci_set_op(BciCode *code, BciInsn *i, unsigned op) {
    if (!may_change(code, i)) return;
    if (op > 255 || cf_op_info[op].format != cf_op_info[i->op].format)
        return (void)bci_fail(code->m, CF_ERR_USAGE, i->pc, "set_op: %s and %s have different operands", bci_op_name(i->op),
                              bci_op_name(op));
    if (op != i->op && cf_op_info[op].flags & (CF_OF_JSR | CF_OF_RET))
        return (void)bci_fail(code->m, CF_ERR_USAGE, i->pc, "set_op: %s cannot become %s", bci_op_name(i->op), bci_op_name(op));
    touch_insn(code, i);
    if (op == CF_OP_NEW && i->op != CF_OP_NEW) i->site = code->next_site++;
    i->op = (uint16_t)op;
}

void bci_set_index(BciCode *code, BciInsn *i, uint16_t index) {
    if (!may_change(code, i)) return;
    if (!(bci_flags(i) & CF_OF_CP))
        return (void)bci_fail(code->m, CF_ERR_USAGE, i->pc, "set_index: %s has no pool index", bci_op_name(i->op));
    touch_insn(code, i);
    if (i->op == CF_OP_INVOKEINTERFACE && index != i->index) i->value = (int16_t)bci_interface_slots(code, index);
    i->index = index;
    if (i->op == CF_OP_LDC && index > 255) i->op = CF_OP_LDC_W;
}

BciLabel *bci_new_label(BciCode *code) { return bci_ok(code) ? make_label(code) : NULL; }

void bci_place(BciPos at, BciLabel *l) {
    if (!bci_ok(at.code) || !at.next || !l || !bci_own(at.code, l)) return;
    if (l->placed) return (void)bci_fail(at.code->m, CF_ERR_USAGE, BCI_NO_PC, "label placed twice");
    bci_link(at.code, alive(at.next), &l->node);
    l->placed = true;
    at.code->changed = true;
    at.code->edits++;
}

BciLabel *bci_label_here(BciPos at) {
    BciLabel *l = bci_new_label(at.code);
    bci_place(at, l);
    return l;
}

BciLabel *bci_label_of(BciCode *code, BciInsn *i) {
    if (!bci_ok(code) || !i || !own_insn(code, i) || !bci_unfold(code)) return NULL;
    if (bci_is_label(i)) return bci_as_label(i);
    if (i->prev && bci_is_label(i->prev)) return bci_as_label(i->prev);
    return put_label(code, i);
}

uint32_t bci_new_local(BciCode *code, char letter) {
    if (!bci_ok(code)) return 0;
    char kind = cf_kind_letter(letter);
    if (!kind) return bci_fail(code->m, CF_ERR_USAGE, BCI_NO_PC, "new_local: '%c' is no kind of value", letter), 0;
    unsigned slots = kind == 'J' || kind == 'D' ? 2 : 1;
    uint32_t slot = code->max_locals;
    if (slot + slots > 65535) return bci_fail(code->m, CF_ERR_LIMIT, BCI_NO_PC, "too many local variables"), 0;
    for (unsigned k = 0; k < slots; k++) {
        uint32_t n = slot + k - code->orig_locals;
        if (!BCI_PUSH(code->m->cls, code->local_kinds, n, code->local_kinds_cap, k ? '2' : kind)) return 0;
    }
    code->max_locals += slots;
    return slot;
}

BciInsn *bci_emit(BciPos at, unsigned op) {
    if (!bci_ok(at.code) || !at.next) return NULL;
    BciMethod *m = at.code->m;
    BciCalled *called = m->call_file ? CF_NEW(&m->cls->arena, BciCalled) : NULL;
    BciInsn *i = called ? &called->node : CF_NEW(&m->cls->arena, BciInsn);
    if (!i) return bci_refuse(m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    i->op = (uint16_t)op;
    i->flags = BCI_F_NEW | (called ? BCI_F_CALLED : 0);
    if (called) {
        called->file = m->call_file;
        called->line = m->call_line;
    }
    i->pc = BCI_NO_PC;
    BciInsn *next = alive(at.next), *n = next;
    while (n && bci_is_label(n)) n = n->next;
    i->line = n ? n->line : 0;
    bci_link(at.code, next, i);
    at.code->moves |= (op >= CF_OP_DUP_X1 && op <= CF_OP_DUP_X2) || (op >= CF_OP_DUP2_X1 && op <= CF_OP_SWAP);
    at.code->changed = true;
    at.code->edits++;
    at.code->inserted++;
    return i;
}
