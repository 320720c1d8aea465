/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_insert.c - insertion at places that take more than one instruction to reach: behind super(),
 * on edges, at every exit, in the static initialiser.
 *
 * EXCEPTIONAL EXIT. One catch-any row, last in the table, so that handlers of the method win. It
 * must not cover (a) code of bci_entry, which is before the range by construction, (b) code of
 * normal exits (BCI_F_EXIT), else a throwing exit probe would count twice, (c) in constructors
 * everything in front of which `this` is not initialised: a handler with that state could not
 * return or rethrow verifiably together with initialised states. So the covered instructions form
 * runs, and each run gets a row with the same handler.
 */
#include "bci_weave.h"

#define NOWHERE ((BciPos){NULL, NULL})

/* ---- constructors ---- */

static bool init_known(BciCode *code) {
    if (code->init_known && code->init_edits == code->edits) return true;
    if (!bci_mark_init(code)) return false;
    code->init_known = true;
    code->init_edits = code->edits;
    return true;
}

static bool is_constructor(const BciCode *code) {
    const BciClass *c = code->m->cls;
    return cf_str_is(cf_utf8(c->cf, bci_member(code->m)->name), "<init>") && c->cf->super_class;
}

bool bci_is_init_call(BciCode *code, const BciInsn *i) {
    return bci_ok(code) && i->op == CF_OP_INVOKESPECIAL && is_constructor(code) && init_known(code) && (i->mark & BCI_M_INIT);
}

BciPos bci_entry_initialised(BciCode *code) {
    if (!bci_ok(code)) return NOWHERE;
    if (is_constructor(code) && init_known(code))
        for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
            if (i->mark & BCI_M_INIT) return bci_after(code, i);
    return bci_entry(code);
}

/* ---- edges ---- */

/* New code at the end of the body: label, (caller's code), goto target. */
static BciLabel *edge_code(BciCode *code, BciInsn *i, BciLabel *to, uint32_t which) {
    BciPos at = bci_end(code);
    BciLabel *l = bci_label_here(at);
    BciInsn *g = bci_jump(at, CF_OP_GOTO, to);
    BciPoint *p = l && g ? bci_point(code, l) : NULL;
    if (!p) return NULL;
    g->line = i->line;
    p->edge_of = i;
    p->edge_to = to;
    p->edge_goto = g;
    p->edge_case = which;
    l->is_target = true;
    return l;
}

static bool is_edge(const BciLabel *l, const BciInsn *i, const BciLabel *to, uint32_t which) {
    return l->point && l->point->edge_of == i && (!to || l->point->edge_to == to) && l->point->edge_case == which;
}

static BciPos edge_pos(BciCode *code, BciLabel *l) { return l ? bci_before(code, l->point->edge_goto) : NOWHERE; }

static BciLabel **case_target(BciSwitch *sw, uint32_t k) { return k == sw->n ? &sw->deflt : &sw->targets[k]; }

/* Code for a single case runs first; this is the label that it leads to. */
static BciLabel *behind_case(const BciInsn *i, BciLabel *l, uint32_t k) { return is_edge(l, i, NULL, k) ? l->point->edge_to : l; }

/* All cases that go to `target`, those with code of their own by way of it, go to `edge`. */
static void send_cases(BciCode *code, BciInsn *i, const BciLabel *target, BciLabel *edge) {
    for (uint32_t k = 0; k <= i->sw->n; k++) {
        BciLabel **t = case_target(i->sw, k);
        if (*t == target) {
            *t = edge;
        } else if (behind_case(i, *t, k) == target) {
            (*t)->point->edge_to = edge;
            bci_set_target(code, (*t)->point->edge_goto, edge);
        }
    }
}

static BciPos switch_edge(BciCode *code, BciInsn *i, BciLabel *target) {
    bool found = false;
    for (uint32_t k = 0; k <= i->sw->n; k++) {
        BciLabel *l = behind_case(i, *case_target(i->sw, k), k);
        if (is_edge(l, i, target, BCI_ANY_CASE)) return edge_pos(code, l);
        found |= l == target;
    }
    if (!found) return bci_fail(code->m, CF_ERR_USAGE, i->pc, "switch has no edge to that label"), NOWHERE;
    BciLabel *edge = edge_code(code, i, target, BCI_ANY_CASE);
    if (edge) send_cases(code, i, target, edge);
    return edge_pos(code, edge);
}

BciPos bci_on_edge(BciCode *code, BciInsn *i, BciLabel *target) {
    if (!bci_ok(code) || !i) return NOWHERE;
    uint32_t fl = bci_flags(i);
    if (!target) {
        if (!(fl & CF_OF_END)) return bci_after(code, i);
        bci_fail(code->m, CF_ERR_USAGE, i->pc, "%s does not fall through", bci_op_name(i->op));
        return NOWHERE;
    }
    /* The field of `i` that the caller looked at may name what earlier calls have made. */
    if (target->point && target->point->edge_of == i && target->point->edge_case != BCI_ANY_CASE) target = target->point->edge_to;
    if (is_edge(target, i, NULL, BCI_ANY_CASE)) return edge_pos(code, target);
    if (fl & CF_OF_SWITCH) return switch_edge(code, i, target);
    if (!(fl & CF_OF_BRANCH) || (fl & CF_OF_JSR) || (i->target != target && !is_edge(i->target, i, target, BCI_ANY_CASE)))
        return bci_fail(code->m, CF_ERR_USAGE, i->pc, "%s has no edge to that label", bci_op_name(i->op)), NOWHERE;
    if (!(fl & CF_OF_COND)) return bci_before(code, i);
    if (i->target == target) {
        BciLabel *edge = edge_code(code, i, target, BCI_ANY_CASE);
        if (!edge) return NOWHERE;
        i->target = edge;
    }
    return edge_pos(code, i->target);
}

BciPos bci_on_case(BciCode *code, BciInsn *i, uint32_t k) {
    if (!bci_ok(code) || !i) return NOWHERE;
    if (!(bci_flags(i) & CF_OF_SWITCH) || k > i->sw->n) return bci_fail(code->m, CF_ERR_USAGE, i->pc, "no such case"), NOWHERE;
    BciLabel **t = case_target(i->sw, k);
    if (!is_edge(*t, i, NULL, k)) {
        BciLabel *edge = edge_code(code, i, *t, k);
        if (!edge) return NOWHERE;
        *t = edge;
    }
    return edge_pos(code, *t);
}

/* ---- exits ---- */

void bci_each_return(BciCode *code, BciEmit emit, void *arg) {
    if (!bci_ok(code)) return;
    for (BciInsn *i = bci_first_insn(code), *next; i && bci_ok(code); i = next) {
        next = bci_next(i);
        if (!bci_is_return(i)) continue;
        BciInsn *before = i->prev;
        BciPos at = bci_before(code, i);
        if (!at.code) return;
        emit(at, i, arg);
        for (BciInsn *k = before ? before->next : code->first; k != i; k = k->next) k->flags |= BCI_F_EXIT;
        i->flags |= BCI_F_EXIT;
    }
}

static bool covered(const BciInsn *i) { return !(i->flags & BCI_F_EXIT) && !(i->mark & BCI_M_UNINIT); }

bool bci_on_throw(BciCode *code, BciEmit emit, void *arg) {
    if (!bci_ok(code)) return false;
    bool ctor = is_constructor(code);
    if (ctor && !init_known(code)) return false;
    BciLabel *handler = bci_new_label(code);
    bool any = false;
    BciInsn *i = bci_next(&code->start->node);
    while (i && handler) {
        if (bci_is_label(i) || !covered(i)) {
            i = i->next;
            continue;
        }
        BciLabel *start = bci_label_of(code, i);
        BciInsn *end = i;
        for (i = i->next; i && (bci_is_label(i) || covered(i)); i = i->next)
            if (!bci_is_label(i)) end = i;
        bci_add_try(code, start, bci_label_here(bci_after(code, end)), handler, NULL, false);
        any = true;
    }
    if (!any) return false;
    BciPos at = bci_before(code, code->last);
    bci_place(at, handler);
    BciInsn *rethrow = bci_op(at, CF_OP_ATHROW);
    BciPos before = rethrow ? bci_before(code, rethrow) : NOWHERE;
    if (before.code) emit(before, NULL, arg);
    return bci_ok(code);
}

/* ---- static initialiser ---- */

BciPos bci_clinit_entry(BciClass *c) {
    BciMethod *m = bci_find_method(c, "<clinit>", "()V");
    if (!m) {
        m = bci_add_method(c, CF_ACC_STATIC, "<clinit>", "()V");
        if (m) bci_op(bci_end(m->code), CF_OP_RETURN);
    }
    BciCode *code = bci_code(m);
    return code ? bci_entry(code) : NOWHERE;
}

/* ---- exception rows ---- */

void bci_add_try(BciCode *code, BciLabel *start, BciLabel *end, BciLabel *handler, const char *type, bool first) {
    if (!bci_ok(code) || !start || !end || !handler || !bci_own(code, start) || !bci_own(code, end) || !bci_own(code, handler))
        return;
    BciTryRow r = {.pub = {start, end, handler, type ? bci_cp_class(code->m->cls, type) : 0}, .row = UINT32_MAX};
    handler->is_handler = true;
    if (!BCI_PUSH(code->m->cls, code->tries, code->ntries, code->cap_tries, r)) return;
    if (first) {
        memmove(code->tries + 1, code->tries, (code->ntries - 1) * sizeof r);
        code->tries[0] = r;
    }
    bci_touch(code);
}

uint32_t bci_try_count(const BciCode *code) { return code ? code->ntries : 0; }
const BciTry *bci_try(const BciCode *code, uint32_t i) { return code && i < code->ntries ? &code->tries[i].pub : NULL; }
