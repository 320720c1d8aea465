/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: copies of a loop's turn, for those who unroll.
 *
 * COPY     All blocks of an innermost loop once more, with what their nodes use turned to the copies; in place of the head's phis stand values that
 *          the caller gives, so a copy is one turn.  Its edges out of the loop lead where the originals do, whose phis get one input more.
 *          States are copied, too.
 * BEHIND   A value of the loop may be used behind it, where it arrived from the loop alone: every way passed its definition.  Now it may come from a
 *          copy as well: a block of the loop has the value itself, one of a copy the copy's, others what arrives (opt_rename.c).  A definition
 *          dominates all edges out of the loop by which it is used, so nobody needs to look further inside.
 *          `after` of a node behind the loop that names a guard inside of it is given up, and the node pinned: there is no phi of guards.
 */
#include "jit/opt/opt_copy.h"
#include "jit/opt/opt_rename.h"

#include <string.h>

u4 opt_count_phis(const Opt *o, BlockRef b) {
    u4 n = 0;
    for (Ref r = opt_block(o, b)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next) n++;
    return n;
}

bool opt_copies_begin(OptCopies *c, Opt *o, BlockRef head) {
    *c = (OptCopies){.o = o, .head = head, .old_nodes = o->n_nodes, .old_blocks = o->n_blocks};
    c->blocks = opt_alloc(o, o->n_order * sizeof *c->blocks);
    if (!c->blocks || !opt_loop_ends(o, head, &c->ends) || opt_block(o, c->ends.latch)->n_succs != 1) return false;
    for (u4 i = 0; i < o->n_order; i++)
        if (opt_block(o, o->order[i])->loop == head) c->blocks[c->n_blocks++] = o->order[i];
    return true;
}

static bool is_in(const OptCopies *c, BlockRef b) { return b <= c->old_blocks && opt_block(c->o, b)->loop == c->head; }
static bool is_of_loop(const OptCopies *c, Ref r) { return r <= c->old_nodes && is_in(c, opt_node(c->o, r)->block); }

BlockRef opt_copied_block(const OptCopies *c, u4 copy, BlockRef b) {
    u4 i = 0;
    while (c->blocks[i] != b) i++;
    return c->first[copy] + i;
}

static Ref copied(const OptCopies *c, u4 copy, Ref r) { return r <= c->old_nodes && c->to[copy][r] ? c->to[copy][r] : r; }

void opt_behind_turn(const OptCopies *c, Ref *phis) {
    const Opt *o = c->o;
    u4 n = 0;
    for (Ref r = opt_block(o, c->head)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
        phis[n++] = copied(c, c->n - 1, opt_node(o, r)->args[c->ends.inside]);
}

/* --- nodes --- */

static bool make_blocks(OptCopies *c) {
    Opt *o = c->o;
    c->to[c->n] = opt_alloc(o, (c->old_nodes + 1) * sizeof(Ref));
    for (u4 i = 0; i < c->n_blocks; i++) {
        BlockRef b = opt_new_block(o);
        if (!i) c->first[c->n] = b;
    }
    return !o->no_memory;
}

static void copy_node(OptCopies *c, Ref r, BlockRef into) {
    Opt *o = c->o;
    Ref n = opt_append(o, into, (OptOp)opt_node(o, r)->op, (OptType)opt_node(o, r)->type);
    if (!n) return;
    Node *x = opt_node(o, n), old = *x;
    *x = *opt_node(o, r);
    x->block = old.block;
    x->next = old.next;
    x->prev = old.prev;
    c->to[c->n][r] = n;
}

static void copy_nodes(OptCopies *c, BlockRef b, BlockRef into, bool polls) {
    for (Ref r = opt_block(c->o, b)->first; r; r = opt_node(c->o, r)->next) {
        u1 op = opt_node(c->o, r)->op;
        bool is_phi_of_head = op == OPT_PHI && b == c->head;
        if (!is_phi_of_head && (op != OPT_POLL || polls)) copy_node(c, r, into);
    }
}

static void turn_use(Opt *o, Ref user, Ref *use, void *arg) {
    const OptCopies *c = arg;
    (void)o, (void)user;
    *use = copied(c, c->n, *use);
}

static void turn_node(OptCopies *c, Ref r) {
    Opt *o = c->o;
    Node *n = opt_node(o, r);
    if (n->op == OPT_PHI) {
        u4 bytes = opt_block(o, n->block)->n_preds * (u4)sizeof *n->args;
        Ref *args = opt_alloc(o, bytes);
        if (!args) return;
        n->args = memcpy(args, n->args, bytes);
    }
    if (n->state) n->state = opt_copy_state(o, n->state);
    opt_visit_uses(o, r, true, true, turn_use, c);
}

/* --- edges --- */

static void add_pred(Opt *o, BlockRef b, BlockRef pred, u4 like, const OptCopies *c) {
    Block *x = opt_block(o, b);
    u4 n = x->n_preds;
    BlockRef *preds = opt_alloc(o, (n + 1) * sizeof *preds);
    if (!preds) return;
    memcpy(preds, x->preds, n * sizeof *preds);
    preds[n] = pred;
    x->preds = preds;
    x->n_preds = x->cap_preds = n + 1;
    for (Ref r = x->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next) {
        Ref *args = opt_alloc(o, (n + 1) * sizeof *args);
        if (!args) return;
        memcpy(args, opt_node(o, r)->args, n * sizeof *args);
        args[n] = copied(c, c->n, args[like]);
        opt_node(o, r)->args = args;
    }
}

static u4 pred_of(const Opt *o, BlockRef b, BlockRef pred) {
    u4 p = 0;
    while (opt_block(o, b)->preds[p] != pred) p++;
    return p;
}

static void copy_preds(OptCopies *c, BlockRef b, BlockRef into) {
    const Block *x = opt_block(c->o, b);
    u4 n = x->n_preds;
    BlockRef *preds = opt_alloc(c->o, n * sizeof *preds);
    if (!preds) return;
    for (u4 p = 0; p < n; p++) preds[p] = opt_copied_block(c, c->n, x->preds[p]);
    Block *y = opt_block(c->o, into);
    y->preds = preds;
    y->n_preds = y->cap_preds = n;
}

static void copy_succs(OptCopies *c, BlockRef b, BlockRef into) {
    Opt *o = c->o;
    u4 n = opt_block(o, b)->n_succs;
    BlockRef *succs = opt_alloc(o, n * sizeof *succs);
    if (!succs || b == c->ends.latch) return;
    for (u4 s = 0; s < n; s++) {
        BlockRef to = opt_block(o, b)->succs[s];
        if (is_in(c, to)) {
            succs[s] = opt_copied_block(c, c->n, to);
            continue;
        }
        succs[s] = to;
        add_pred(o, to, into, pred_of(o, to, b), c);
        c->leave = true;
    }
    Block *y = opt_block(o, into);
    y->succs = succs;
    y->n_succs = y->cap_succs = n;
}

/* The head's copy goes to `stay` alone. */
static void copy_end_of_head(OptCopies *c, BlockRef stay, BlockRef into) {
    Opt *o = c->o;
    Node *end = opt_node(o, opt_block(o, into)->last);
    *end = (Node){.op = OPT_JUMP, .block = end->block, .prev = end->prev};
    BlockRef *succs = opt_alloc(o, sizeof *succs);
    if (!succs) return;
    *succs = opt_copied_block(c, c->n, stay);
    Block *y = opt_block(o, into);
    y->succs = succs;
    y->n_succs = y->cap_succs = 1;
}

static void copy_block(OptCopies *c, BlockRef b, BlockRef into, bool polls) {
    const Block *x = opt_block(c->o, b);
    Block *y = opt_block(c->o, into);
    y->bci = x->bci;
    y->scope = x->scope;
    y->rare = x->rare;
    y->seldom = x->seldom;
    copy_nodes(c, b, into, polls);
}

bool opt_copy(OptCopies *c, const Ref *phis, BlockRef stay, bool polls) {
    Opt *o = c->o;
    u4 n_phis = 0;
    if (c->n == OPT_MOST_COPIES || !make_blocks(c)) return false;
    for (Ref r = opt_block(o, c->head)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
        c->to[c->n][r] = phis[n_phis++];
    BlockRef first = c->first[c->n];
    for (u4 i = 0; i < c->n_blocks; i++) copy_block(c, c->blocks[i], first + i, polls);
    for (u4 i = 0; i < c->n_blocks && !o->no_memory; i++) {
        BlockRef b = c->blocks[i];
        if (b != c->head) copy_preds(c, b, first + i);
        if (b == c->head && stay) copy_end_of_head(c, stay, first + i);
        else copy_succs(c, b, first + i);
    }
    for (u4 i = 0; i < c->n_blocks && !o->no_memory; i++)
        for (Ref r = opt_block(o, first + i)->first; r; r = opt_node(o, r)->next) turn_node(c, r);
    c->n++;
    return !o->no_memory;
}

/* --- behind the loop --- */

static u4 copy_of(const OptCopies *c, BlockRef b) {
    u4 k = 0;
    while (k < c->n && (b < c->first[k] || b >= c->first[k] + c->n_blocks)) k++;
    return k;
}

/* What a copy hands to a phi is named already; it may be a value of the loop, that stands for a phi of the head. */
static bool has_copies(const void *who, Ref v, BlockRef b) {
    return is_of_loop(who, v) && copy_of(who, b) == ((const OptCopies *)who)->n;
}

static Ref name_in(const void *who, Ref v, BlockRef b) {
    const OptCopies *c = who;
    if (is_in(c, b)) return v;
    u4 copy = copy_of(c, b);
    return copy < c->n ? copied(c, copy, v) : 0;
}

/* There is no phi of guards. */
static void give_up_after(const OptCopies *c, Ref r) {
    Node *n = opt_node(c->o, r);
    if (!n->after || !is_of_loop(c, n->after)) return;
    n->after = 0;
    n->pinned = true;
}

void opt_copies_end(OptCopies *c) {
    Opt *o = c->o;
    OptNames names;
    if (!c->leave || o->no_memory || !opt_names_begin(&names, o, has_copies, name_in, c)) return;
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) {
        BlockRef b = o->order[i];
        if (is_in(c, b)) continue;
        for (Ref r = opt_block(o, b)->first; r && !o->no_memory; r = opt_node(o, r)->next) {
            opt_rename_uses(&names, r);
            give_up_after(c, r);
        }
        State *s = opt_renamed_state(&names, opt_block(o, b)->state, b);
        opt_block(o, b)->state = s;
    }
}
