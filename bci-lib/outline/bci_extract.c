/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_extract.c - moves a region of a method to a method of its own. bci_outline.c says which
 * regions there are, and what the terms mean.
 *
 * THE NEW METHOD
 *
 *     [start] parameters to their locals; copied stack; [twin of from] region ... [end] result; return
 *
 * Its parameters are the copied stack slots, then the locals that the region reads. A local is where
 * its parameter is, unless it shares slots with another value of the region: then the method begins
 * with a copy. Nodes of instructions are moved, not made again; labels stay in the old list, where
 * rows of tables may use them, and get twins in the new one, at most one in front of each instruction.
 * A moved label is no branch target and has no frame any more.
 *
 * TABLES. Exception rows with their handler inside move. Lines whose code moves go along; the call
 * has the line of the region's first instruction, and what stands behind it gets a row if it
 * would have a wrong line else. Variables are in scope in each method where their code is and
 * where they have a value: in the new one from the beginning if they are parameters, else from the
 * first write on. Type annotations of moved instructions and rows, and of variables with all their
 * code in the region, move too.
 */
#include "bci_outline.h"

#include <stdlib.h>

enum { NO_SLOT = UINT16_MAX, ALL_NAME = 200 };

typedef struct Extract {
    const BciOutline *o;
    const BciRegion *r;
    BciCode *code, *part;
    const BciPlace **list; /* places of the region in the order of the list */
    uint32_t n;
    BciLabel **twins, **tails; /* by place of the region: in front of it, behind it */
    BciLabel *start, *end;
    uint16_t *slots; /* by slot: that in the new method */
    uint16_t *attrs; /* number of an attribute of the old Code -> that in the new one */
    uint32_t *sites; /* pairs: number of a moved `new`, and its new one */
    uint32_t nsites;
} Extract;

static bool inside(const Extract *x, uint32_t place) { return bci_inside(x->r, place); }
static const BciPlace *place(const Extract *x, uint32_t k) { return &x->o->places[k]; }

/* ---- labels ---- */

static BciLabel *lazy(Extract *x, BciLabel **slot) {
    if (!*slot) *slot = bci_new_label(x->part);
    return *slot;
}
static BciLabel *twin(Extract *x, uint32_t k) { return lazy(x, &x->twins[k - x->r->from]); }

/* In the new method: where a branch to `l` goes. */
static BciLabel *branch_to(Extract *x, const BciLabel *l) {
    uint32_t k = bci_place_of(l);
    BciLabel *to = inside(x, k) ? twin(x, k) : lazy(x, &x->end);
    if (to) to->is_target = true;
    return to;
}

/* Where a range that starts at `l` starts, and one that ends there ends; NULL if not in the region. */
static BciLabel *range_start(Extract *x, const BciLabel *l) {
    return inside(x, bci_place_of(l)) ? twin(x, bci_place_of(l)) : NULL;
}
static BciLabel *range_end(Extract *x, const BciLabel *l) {
    const BciInsn *before = bci_prev(&l->node);
    if (!before || !inside(x, before->offset)) return NULL;
    const BciInsn *next = bci_next(before);
    if (next && inside(x, next->offset)) return twin(x, next->offset);
    return lazy(x, &x->tails[before->offset - x->r->from]);
}

/* A label in front of the instruction at a place, in the old method. */
static BciLabel *label_at(Extract *x, BciInsn *i) {
    BciLabel *l = bci_label_of(x->code, i);
    if (l) l->node.offset = i->offset;
    return l;
}

/* ---- setting up ---- */

static int by_order(const void *a, const void *b) {
    const BciPlace *x = *(const BciPlace *const *)a, *y = *(const BciPlace *const *)b;
    return (x->order > y->order) - (x->order < y->order);
}

static bool tables(Extract *x) {
    CfArena *a = x->o->a;
    const BciRegion *r = x->r;
    uint32_t news = 0;
    x->n = r->to - r->from;
    x->list = CF_NEW_ARRAY(a, const BciPlace *, x->n);
    x->twins = CF_NEW_ARRAY(a, BciLabel *, x->n);
    x->tails = CF_NEW_ARRAY(a, BciLabel *, x->n);
    x->slots = CF_NEW_ARRAY(a, uint16_t, x->code->max_locals + 2);
    x->attrs = CF_NEW_ARRAY(a, uint16_t, x->code->orig.attrs.count + 1u);
    for (uint32_t k = r->from; k < r->to; k++) news += place(x, k)->insn->op == CF_OP_NEW;
    x->sites = CF_NEW_ARRAY(a, uint32_t, 2 * (size_t)news + 1);
    if (!x->list || !x->twins || !x->tails || !x->slots || !x->attrs || !x->sites) return false;
    for (uint32_t k = 0; k < x->n; k++) x->list[k] = place(x, r->from + k);
    qsort(x->list, x->n, sizeof *x->list, by_order);
    memset(x->slots, 0xff, (x->code->max_locals + 2) * sizeof *x->slots);
    return true;
}

/* NAME$outlined$NUMBER; <init> and <clinit> are called as javac calls them in names of lambdas. */
static const char *free_name(BciMethod *m) {
    BciClass *c = m->cls;
    const char *name = bci_method_name(m);
    char buf[ALL_NAME + 40];
    if (*name == '<') name = name[1] == 'i' ? "new" : "static";
    if (strlen(name) > ALL_NAME) name = "method";
    do snprintf(buf, sizeof buf, "%s$outlined$%u", name, c->outlined++);
    while (cf_find_method(c->cf, cf_str(buf), (CfStr){0}));
    return bci_zstr(c, cf_str(buf));
}

/* The attributes of Code with rows or annotations; frames and what is not known are left out. */
static bool take_attributes(Extract *x) {
    const CfAttrs *from = &x->code->orig.attrs;
    CfAttr *v = CF_NEW_ARRAY(&x->code->m->cls->arena, CfAttr, from->count + 1u);
    uint16_t n = 0;
    if (!v) return false;
    for (uint16_t k = 0; k < from->count; k++) {
        unsigned kind = from->v[k].kind;
        if (kind != CF_ATTR_STACK_MAP_TABLE && kind != CF_ATTR_UNKNOWN) {
            x->attrs[k] = n;
            v[n++] = from->v[k];
        }
    }
    x->attrs[from->count] = n;
    x->part->orig.attrs = (CfAttrs){.v = v, .count = n};
    return true;
}

static bool make_method(Extract *x) {
    BciMethod *m = x->code->m;
    BciClass *c = m->cls;
    if (c->cf->const_count > 65500 || c->cf->method_count == UINT16_MAX)
        return bci_refuse(m, CF_ERR_LIMIT, BCI_NO_PC, "the constant pool or the table of methods is full");
    unsigned access =
        CF_ACC_PRIVATE | CF_ACC_STATIC | (bci_method_access(m) & CF_ACC_STRICT) | (c->cf->major >= 49 ? CF_ACC_SYNTHETIC : 0);
    const char *name = free_name(m), *desc = bci_zstr(c, cf_str(x->r->desc));
    BciMethod *part = name && desc ? bci_add_method(c, access, name, desc) : NULL;
    if (part && c->cf->major < 49) bci_method_attribute(part, "Synthetic", "", 0);
    if (!part || !part->code) return false;
    part->part = true;
    x->part = part->code;
    x->part->orig.max_stack = (uint16_t)(x->code->max_stack + 8 > 65500 ? 65500 : x->code->max_stack + 8);
    x->part->old_style = x->code->old_style;
    return take_attributes(x);
}

/* ---- locals ---- */

static bool starts_value(const Extract *x, uint32_t slot) { return slot == 0 || !bci_bit(x->r->linked, slot - 1); }
static const BciArg *arg_of(const Extract *x, uint32_t slot) {
    for (uint32_t k = 0; k < x->r->nargs; k++)
        if (x->r->args[k].slot == slot && x->r->args[k].kind != 'N') return &x->r->args[k];
    return NULL;
}
static uint32_t size_of(char kind) { return kind == 'J' || kind == 'D' ? 2 : 1; }

/* Slots of the new method: parameters first, then what is no parameter or shares slots. */
static bool number_slots(Extract *x) {
    const BciRegion *r = x->r;
    uint32_t param = r->peeks, next = r->peeks + r->slots;
    for (uint32_t s = 0; s < x->code->max_locals;) {
        uint32_t size = 1;
        while (bci_bit(r->linked, s + size - 1)) size++;
        const BciArg *a = arg_of(x, s);
        bool own = a && size_of(a->kind) == size && starts_value(x, s);
        for (uint32_t k = 0; k < size && bci_bit(r->touched, s); k++) x->slots[s + k] = (uint16_t)(own ? param + k : next++);
        for (uint32_t k = 0; k < size; k++)
            if ((a = arg_of(x, s + k))) param += size_of(a->kind);
        s += size;
    }
    x->part->max_locals = x->part->orig_locals = next;
    return next < 65530;
}

/* Gives `i` another local, in the smallest form. */
static void set_local(const Extract *x, BciInsn *i) {
    static const char kinds[] = "IJFDA";
    BciAccess a;
    if (!bci_access(i, &a)) return;
    uint32_t slot = x->slots[a.slot], k = (uint32_t)(strchr(kinds, a.kind) - kinds);
    bool wide = slot > 255;
    i->index = (uint16_t)slot;
    if (i->op == CF_OP_IINC) wide |= i->value != (int8_t)i->value;
    else if (slot < 4) i->op = (uint16_t)((a.writes ? CF_OP_ISTORE_0 : CF_OP_ILOAD_0) + 4 * k + slot);
    else i->op = (uint16_t)((a.writes ? CF_OP_ISTORE : CF_OP_ILOAD) + k);
    i->flags = (uint16_t)((i->flags & ~BCI_F_WIDE) | (wide ? BCI_F_WIDE : 0));
}

/* A store of what the input's code had stored there: data flow need not wonder at its class. */
static void old_store(BciPos at, char kind, uint32_t slot) {
    BciInsn *i = bci_store(at, kind, slot);
    if (i) i->flags &= (uint16_t)~BCI_F_NEW;
}

/* Parameters to their locals, then the copied stack. */
static void emit_prologue(Extract *x) {
    const BciRegion *r = x->r;
    BciPos at = bci_end(x->part);
    uint32_t param = r->peeks;
    bci_place(at, x->start);
    for (uint32_t k = 0; k < r->nargs; k++) {
        const BciArg *a = &r->args[k];
        if (a->kind == 'N') {
            bci_op(at, CF_OP_ACONST_NULL);
            bci_store(at, 'A', x->slots[a->slot]);
            continue;
        }
        if (x->slots[a->slot] != param) {
            bci_load(at, a->kind, param);
            old_store(at, a->kind, x->slots[a->slot]);
        }
        param += size_of(a->kind);
    }
    for (uint32_t k = 0; k < r->peeks;) {
        char kind = bci_type_letter(r->in.stack[r->in.depth - r->peeks + k]);
        bci_load(at, kind, k);
        k += size_of(kind);
    }
}

/* ---- frames ---- */

static CfType moved_type(const Extract *x, CfType t) {
    for (uint32_t k = 0; cf_type_kind(t) == CF_T_UNINIT && k < x->nsites; k++)
        if (x->sites[2 * k] == cf_type_data(t)) return cf_type_make(CF_T_UNINIT, x->sites[2 * k + 1]);
    return t;
}

static CfFrame *new_frame(Extract *x, uint32_t depth) {
    CfArena *a = &x->code->m->cls->arena;
    CfFrame *fr = CF_NEW(a, CfFrame);
    if (!fr) return NULL;
    fr->nlocals = (uint16_t)x->part->max_locals;
    fr->depth = (uint16_t)depth;
    fr->locals = CF_NEW_ARRAY(a, CfType, fr->nlocals + 1u);
    fr->stack = CF_NEW_ARRAY(a, CfType, depth + 1u);
    return fr->locals && fr->stack ? fr : NULL;
}

/* The state `in` of the old method in front of place `k`, as the new method has it: locals that the
 * region uses and that are live. */
static CfFrame *moved_frame(Extract *x, const CfFrame *in, uint32_t k) {
    const uint64_t *live = x->o->live + (size_t)k * x->o->words;
    uint32_t under = x->r->in.depth - x->r->peeks;
    if (in->depth < under) return NULL;
    CfFrame *fr = new_frame(x, in->depth - under);
    for (uint32_t s = 0; fr && s < in->nlocals; s++) {
        CfTypeKind kind = cf_type_kind(in->locals[s]);
        bool wide = (kind == CF_T_LONG || kind == CF_T_DOUBLE) && s + 1 < in->nlocals;
        bool half = kind == CF_T_LONG2 || kind == CF_T_DOUBLE2;
        if (half || !bci_bit(live, s) || x->slots[s] == NO_SLOT || (wide && x->slots[s + 1] != x->slots[s] + 1)) continue;
        fr->locals[x->slots[s]] = moved_type(x, in->locals[s]);
        if (wide) fr->locals[x->slots[s] + 1] = in->locals[s + 1];
    }
    for (uint32_t d = under; fr && d < in->depth; d++) fr->stack[d - under] = moved_type(x, in->stack[d]);
    return fr;
}

static bool give_frame(Extract *x, BciLabel *l, const CfFrame *fr) {
    BciPoint *p = fr ? bci_point(x->part, l) : NULL;
    if (p) p->orig = fr;
    return p != NULL;
}

/* In front of the code that returns the result. */
static bool end_frame(Extract *x) {
    const BciRegion *r = x->r;
    CfFrame *fr = new_frame(x, r->peeks + (uint32_t)r->rise);
    if (!fr) return false;
    memcpy(fr->stack, r->in.stack + r->in.depth - r->peeks, r->peeks * sizeof(CfType));
    CfType t = r->result_type, second = cf_type_kind(t) == CF_T_LONG ? CF_T_LONG2 : CF_T_DOUBLE2;
    CfType *to = r->rise ? fr->stack + r->peeks : r->has_result ? fr->locals + x->slots[r->result.slot] : NULL;
    if (to) {
        *to = t;
        if (cf_type_kind(t) == CF_T_LONG || cf_type_kind(t) == CF_T_DOUBLE) to[1] = second;
    }
    return give_frame(x, x->end, fr);
}

/* What flow found at the labels in front of place `k`, for its twin. */
static bool twin_frame(Extract *x, uint32_t k) {
    BciLabel *l = x->twins[k - x->r->from];
    if (!l || !(l->is_target || l->is_handler) || !bci_wants_map(x->code)) return true;
    if (k == x->r->from) return give_frame(x, l, moved_frame(x, &x->r->in, k));
    const CfFrame *in = NULL;
    for (BciInsn *i = place(x, k)->insn->prev; i && bci_is_label(i) && !in; i = i->prev) {
        const BciPoint *p = bci_as_label(i)->point;
        if (p && p->join && p->reached) in = &p->in;
    }
    return in && give_frame(x, l, moved_frame(x, in, k));
}

/* ---- tables ---- */

/* Rows with their handler inside. Their labels get twins before anything moves. */
static bool move_tries(Extract *x) {
    BciCode *code = x->code;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < code->ntries; k++) {
        BciTryRow row = code->tries[k];
        if (!inside(x, bci_place_of(row.pub.handler))) {
            code->tries[kept++] = row;
            continue;
        }
        row.pub.start = range_start(x, row.pub.start);
        row.pub.end = range_end(x, row.pub.end);
        row.pub.handler = twin(x, bci_place_of(row.pub.handler));
        if (!row.pub.start || !row.pub.end) continue; /* it covers nothing */
        if (!row.pub.handler || !BCI_PUSH(code->m->cls, x->part->tries, x->part->ntries, x->part->cap_tries, row)) return false;
        row.pub.handler->is_handler = true;
    }
    code->ntries = kept;
    return true;
}

static bool add_line(Extract *x, BciLabel *l, unsigned line, uint16_t attr) {
    return l && BCI_PUSH(x->code->m->cls, x->part->lines, x->part->nlines, x->part->cap_lines,
                         (BciLineRow){.pub = {l, line}, .attr = attr});
}

static bool move_lines(Extract *x) {
    BciCode *code = x->code;
    uint32_t kept = 0, from = x->r->from;
    uint16_t attr = code->orig.attrs.count;
    bool first = false;
    for (uint32_t k = 0; k < code->nlines; k++) {
        BciLineRow row = code->lines[k];
        uint32_t at = bci_place_of(row.pub.start);
        attr = row.attr;
        first |= at == from;
        if (!inside(x, at) || at == from) code->lines[kept++] = row;
        if (inside(x, at) && !add_line(x, at == from ? x->start : twin(x, at), row.pub.line, x->attrs[row.attr])) return false;
    }
    bool any = code->nlines > 0;
    code->nlines = kept;
    unsigned line = place(x, from)->insn->line;
    return first || !any || !line || add_line(x, x->start, line, x->attrs[attr]);
}

/* The instruction behind the call has the line that it had. */
static bool line_behind(Extract *x, const BciInsn *call, BciInsn *next) {
    BciCode *code = x->code;
    if (!next || !next->line || next->line == call->line || next->flags & BCI_F_NEW || !code->nlines) return true;
    for (uint32_t k = 0; k < code->nlines; k++)
        if (bci_next(&code->lines[k].pub.start->node) == next) return true;
    BciLabel *l = label_at(x, next);
    return l && BCI_PUSH(code->m->cls, code->lines, code->nlines, code->cap_lines,
                         (BciLineRow){.pub = {l, next->line}, .attr = code->lines[code->nlines - 1].attr});
}

static bool writes(const BciInsn *i, uint32_t slot) {
    BciAccess a;
    return bci_access(i, &a) && a.writes && a.slot == slot;
}

/* The part of a variable's scope that is in the region, in one run of the list. */
static bool move_var(Extract *x, const BciVarRow *row) {
    uint32_t s = row->pub.slot;
    BciInsn *first = NULL, *last = NULL;
    if (s >= x->code->max_locals || x->slots[s] == NO_SLOT || row->pub.start == row->pub.end) return true;
    for (BciInsn *i = row->pub.start->node.next; i && i != &row->pub.end->node; i = i->next) {
        if (bci_is_label(i)) continue;
        if (inside(x, i->offset)) {
            first = first ? first : i;
            last = i;
        } else if (first) {
            break;
        }
    }
    if (!first) return true;
    bool starts = bci_next(&row->pub.start->node) == first && first->offset != x->r->from;
    bool given = false;
    for (uint32_t k = 0; k < x->r->nargs; k++) given |= x->r->args[k].slot == s;
    if (!starts && !given) {
        while (first != last && !writes(first, s)) first = bci_next(first);
        if (first == last) return true;
        first = bci_next(first);
    }
    BciVarRow new = *row;
    BciInsn *behind = bci_next(last);
    new.pub.start = twin(x, first->offset);
    new.pub.end = behind &&inside(x, behind->offset) ? twin(x, behind->offset) : lazy(x, &x->tails[last->offset - x->r->from]);
    new.pub.slot = x->slots[s];
    new.attr = x->attrs[row->attr];
    return new.pub.start &&new.pub.end &&BCI_PUSH(x->code->m->cls, x->part->vars, x->part->nvars, x->part->cap_vars, new);
}

/* Does the scope begin inside, with a value that stays there? */
static bool is_gone(const Extract *x, const BciVarRow *row) {
    const BciRegion *r = x->r;
    uint32_t at = bci_place_of(row->pub.start), s = row->pub.slot;
    const BciInsn *before = bci_prev(&row->pub.start->node);
    bool written = before && inside(x, before->offset) && writes(before, s);
    bool result = r->result.kind && r->result.slot == s;
    return ((inside(x, at) && at != r->from) || written) && !result;
}

/* In the old method, such a variable is in scope from the next write on. */
static bool keep_var(Extract *x, BciVarRow *row) {
    const BciInsn *i = &row->pub.start->node;
    while (i && i != &row->pub.end->node && (bci_is_label(i) || inside(x, i->offset) || !writes(i, row->pub.slot))) i = i->next;
    BciInsn *next = i && i != &row->pub.end->node ? bci_next(i) : NULL;
    if (next) row->pub.start = label_at(x, next);
    return next != NULL;
}

static bool move_vars(Extract *x) {
    BciCode *code = x->code;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < code->nvars; k++) {
        BciVarRow row = code->vars[k];
        if (row.was_empty && inside(x, bci_place_of(row.pub.start))) continue; /* several could meet at one place */
        if (!move_var(x, &row)) return false;
        if (!is_gone(x, &row) || keep_var(x, &row)) code->vars[kept++] = row;
    }
    code->nvars = kept;
    return bci_ok(code);
}

/* Of variables: 2 bytes behind the target type: ranges of start, length and slot. */
static bool move_ranges(Extract *x, BciTypeAnn *a) {
    CfArena *arena = &x->code->m->cls->arena;
    uint8_t *data = cf_arena_copy(arena, a->data, a->len);
    BciLabel **to = CF_NEW_ARRAY(arena, BciLabel *, 2 * (size_t)a->n + 1);
    if (!data || !to) return bci_refuse(x->code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    for (uint32_t k = 0; k < a->n; k++) {
        uint8_t *slot = data + 3 + 6 * (size_t)k + 4;
        uint32_t s = cf_get_u2(slot);
        if (s >= x->code->max_locals || x->slots[s] == NO_SLOT) return false;
        to[2 * k] = range_start(x, a->ranges[2 * k]);
        to[2 * k + 1] = range_end(x, a->ranges[2 * k + 1]);
        if (!to[2 * k] || !to[2 * k + 1]) return false;
        cf_put_u2(slot, x->slots[s]);
    }
    a->data = data;
    a->ranges = to;
    return a->n > 0;
}

static bool moves(Extract *x, BciTypeAnn *a) {
    if (a->insn) return inside(x, a->insn->offset) && !(a->insn->mark & (BCI_M_DELETED | BCI_M_MOVED));
    for (uint32_t k = 0; a->row != UINT32_MAX && k < x->part->ntries; k++)
        if (x->part->tries[k].row == a->row) return true;
    return a->row == UINT32_MAX && move_ranges(x, a);
}

static bool move_annotations(Extract *x) {
    BciCode *code = x->code;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < code->nanns; k++) {
        BciTypeAnn a = code->anns[k];
        if (!moves(x, &a)) {
            code->anns[kept++] = a;
            continue;
        }
        a.attr = x->attrs[a.attr];
        if (!BCI_PUSH(code->m->cls, x->part->anns, x->part->nanns, x->part->cap_anns, a)) return false;
    }
    code->nanns = kept;
    return bci_ok(code);
}

/* ---- the call ---- */

/* What stands in the old method behind the region, where the list goes on. */
static BciInsn *list_behind(const Extract *x) {
    BciInsn *i = place(x, x->r->from)->insn;
    while (i && inside(x, i->offset)) i = bci_next(i);
    return i;
}

/* Does inserted code of the region store the result? */
static bool is_set_anew(const Extract *x) {
    bool anew = false;
    for (uint32_t k = x->r->from; k < x->r->to; k++)
        anew |= place(x, k)->insn->flags & BCI_F_NEW && writes(place(x, k)->insn, x->r->result.slot);
    return anew;
}

/* Does the list go on at the exit? */
static bool goes_on(const Extract *x) {
    const BciInsn *i = place(x, x->r->from)->insn;
    while (i && i != &x->r->exit_label->node && (bci_is_label(i) || inside(x, i->offset))) i = i->next;
    return i == &x->r->exit_label->node;
}

static void emit_call(Extract *x) {
    const BciRegion *r = x->r;
    BciClass *c = x->code->m->cls;
    BciInsn *first = place(x, r->from)->insn, *before = first->prev, *next = list_behind(x);
    BciPos at = bci_before(x->code, first);
    if (r->peeks) bci_op(at, r->peeks == 1 ? CF_OP_DUP : CF_OP_DUP2);
    for (uint32_t k = 0; k < r->nargs; k++)
        if (r->args[k].kind != 'N') bci_load(at, r->args[k].kind, r->args[k].slot);
    const char *name = bci_method_name(x->part->m), *owner = bci_class_name(c);
    BciInsn *call = c->cf->access & CF_ACC_INTERFACE ? bci_invoke_itf(at, CF_OP_INVOKESTATIC, owner, name, r->desc)
                                                     : bci_invoke(at, CF_OP_INVOKESTATIC, owner, name, r->desc);
    if (r->returns) {
        bci_return(at);
    } else if (r->exit == BCI_NO_PLACE) {
        bci_op(at, CF_OP_ACONST_NULL);
        bci_op(at, CF_OP_ATHROW);
    } else {
        if (r->result.kind) {
            if (is_set_anew(x)) bci_store(at, r->result.kind, r->result.slot);
            else old_store(at, r->result.kind, r->result.slot);
        }
        if (!goes_on(x)) bci_jump(at, CF_OP_GOTO, r->exit_label);
    }
    for (BciInsn *i = before ? before->next : x->code->first; i != first; i = i->next) {
        if (!bci_is_label(i)) i->offset = BCI_NO_PLACE;
        i->line = first->line;
    }
    if (call && bci_ok(x->code) && !line_behind(x, call, next)) bci_fail(x->code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
}

/* ---- moving ---- */

static void set_targets(Extract *x, BciInsn *i) {
    uint32_t fl = bci_flags(i);
    if (fl & CF_OF_BRANCH) i->target = branch_to(x, i->target);
    for (uint32_t k = 0; fl & CF_OF_SWITCH && k < i->sw->n; k++) i->sw->targets[k] = branch_to(x, i->sw->targets[k]);
    if (fl & CF_OF_SWITCH) i->sw->deflt = branch_to(x, i->sw->deflt);
}

static void number_sites(Extract *x) {
    for (uint32_t k = x->r->from; k < x->r->to; k++) {
        BciInsn *i = place(x, k)->insn;
        if (i->op != CF_OP_NEW) continue;
        x->sites[2 * x->nsites] = i->site;
        x->sites[2 * x->nsites++ + 1] = i->site = x->part->next_site++;
    }
}

/* Labels in front of a moved instruction are no targets any more; at `from` others may still come. */
static void forget_labels(Extract *x, uint32_t k) {
    if (k == x->r->from) return;
    for (BciInsn *i = place(x, k)->insn->prev; i && bci_is_label(i); i = i->prev) {
        BciLabel *l = bci_as_label(i);
        l->is_target = l->is_handler = false;
        if (l->point) {
            l->point->orig = NULL;
            l->point->edge_of = NULL;
        }
    }
}

static void move_insn(Extract *x, const BciPlace *p) {
    BciInsn *i = p->insn;
    uint32_t k = i->offset - x->r->from;
    if (x->twins[k]) bci_place(bci_end(x->part), x->twins[k]);
    bci_unlink(x->code, i);
    bci_link(x->part, &x->part->tail->node, i);
    i->mark |= BCI_M_MOVED;
    set_local(x, i);
    if (x->tails[k]) bci_place(bci_end(x->part), x->tails[k]);
}

/* The body, in the order of the list, with a way on where a part of the list ended. */
static void move_all(Extract *x, bool *falls) {
    const BciRegion *r = x->r;
    if (x->list[0] != place(x, r->from)) bci_jump(bci_end(x->part), CF_OP_GOTO, twin(x, r->from));
    for (uint32_t k = r->from; k < r->to; k++) forget_labels(x, k);
    for (uint32_t k = 0; k < x->n; k++) {
        const BciInsn *i = x->list[k]->insn, *next = bci_next(i);
        bool more = k + 1 < x->n && next == x->list[k + 1]->insn;
        *falls = !bci_is_end(i);
        move_insn(x, x->list[k]);
        if (*falls && !more && k + 1 < x->n) bci_jump(bci_end(x->part), CF_OP_GOTO, lazy(x, &x->end));
    }
}

static void emit_end(Extract *x, bool falls) {
    BciPos at = bci_end(x->part);
    if (x->end) bci_place(at, x->end);
    if (!x->end && !falls) return;
    if (x->r->result.kind) bci_load(at, x->r->result.kind, x->slots[x->r->result.slot]);
    bci_return(at);
}

bool bci_extract(const BciOutline *o, const BciRegion *r) {
    Extract x = {.o = o, .r = r, .code = o->code};
    if (!tables(&x) || !make_method(&x) || !number_slots(&x) || !(x.start = bci_new_label(x.part))) return false;
    if (!move_lines(&x) || !move_vars(&x) || !move_tries(&x) || !move_annotations(&x)) return false;
    for (uint32_t k = r->from; k < r->to; k++) set_targets(&x, place(&x, k)->insn);
    emit_prologue(&x);
    number_sites(&x);
    bool falls = false, frames = true;
    if (x.list[0] != place(&x, r->from) && twin(&x, r->from)) twin(&x, r->from)->is_target = true;
    for (uint32_t k = r->from; k < r->to && frames; k++) frames = twin_frame(&x, k);
    emit_call(&x);
    move_all(&x, &falls);
    emit_end(&x, falls);
    if (x.end && frames && bci_wants_map(x.code)) frames = end_frame(&x);
    bci_touch(x.code);
    bci_touch(x.part);
    x.code->m->parts++;
    return frames && bci_ok(x.code) && bci_ok(x.part);
}
