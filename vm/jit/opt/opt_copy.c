/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: copies of a loop's turn, for those who unroll.
 *
 * COPY     All blocks of an innermost loop once more, with what their nodes use turned to the copies; in place of the head's phis stand values that
 *          the caller gives, so a copy is one turn.  Its edges out of the loop lead where the originals do, whose phis get one input more.
 *          States are copied, too.
 * BEHIND   A value of the loop may be used behind it, where it arrived from the loop alone: every way passed its definition.  Now it may come from a
 *          copy as well.  So each such use asks its predecessors for what arrives (at): a block of the loop has the value itself, one of a copy the
 *          copy's, and where ways meet a phi is made, once for each value and block.  A definition dominates all edges out of the loop by which it is
 *          used, so nobody needs to look further inside.  Phis that all ways agree on go with the next opt_number.
 *          `after` of a node behind the loop that names a guard inside of it is given up, and the node pinned: there is no phi of guards.
 */
#include "jit/opt/opt_copy.h"
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

typedef struct Behind {
    OptCopies *c;
    Ref **made; /* by value of the loop: by block, what arrives there */
    BlockRef at;
} Behind;

static u4 copy_of(const OptCopies *c, BlockRef b) {
    u4 k = 0;
    while (k < c->n && (b < c->first[k] || b >= c->first[k] + c->n_blocks)) k++;
    return k;
}

/* What v is at the end of b, or at the start of a block outside. */
static Ref at(Behind *w, Ref v, BlockRef b) {
    OptCopies *c = w->c;
    Opt *o = c->o;
    if (is_in(c, b)) return v;
    u4 copy = copy_of(c, b);
    if (copy < c->n) return copied(c, copy, v);
    if (!w->made[v] && !(w->made[v] = opt_alloc(o, (o->n_blocks + 1) * sizeof(Ref)))) return v;
    Ref *made = &w->made[v][b];
    if (*made) return *made;
    u4 n = opt_block(o, b)->n_preds;
    if (n == 1) return *made = at(w, v, opt_block(o, b)->preds[0]);
    Ref phi = opt_new(o, OPT_PHI, (OptType)opt_node(o, v)->type);
    Ref *args = opt_alloc(o, n * sizeof *args);
    if (!phi || !args) return v;
    opt_node(o, phi)->not_null = opt_node(o, v)->not_null;
    opt_node(o, phi)->klass = opt_node(o, v)->klass;
    opt_node(o, phi)->args = args;
    opt_insert_phi(o, b, phi);
    *made = phi;
    for (u4 p = 0; p < n; p++) args[p] = at(w, v, opt_block(o, b)->preds[p]);
    return phi;
}

static void turn_cell(Opt *o, Ref user, Ref *use, void *arg) {
    Behind *w = arg;
    (void)o, (void)user;
    if (is_of_loop(w->c, *use)) *use = at(w, *use, w->at);
}

static void note_cell(Opt *o, Ref user, Ref *use, void *arg) {
    Behind *w = arg;
    (void)o, (void)user;
    if (is_of_loop(w->c, *use)) w->at = 1;
}

/* States are shared: one that changes is copied. */
static State *turned_state(Behind *w, State *s, BlockRef b) {
    w->at = 0;
    opt_visit_state(w->c->o, s, note_cell, w);
    if (!w->at) return s;
    State *own = opt_copy_state(w->c->o, s);
    w->at = b;
    opt_visit_state(w->c->o, own, turn_cell, w);
    return own;
}

static void turn_phi(Behind *w, Ref r) {
    const Opt *o = w->c->o;
    BlockRef b = opt_node(o, r)->block;
    for (u4 p = 0; p < opt_block(o, b)->n_preds; p++) {
        Ref *args = opt_node(o, r)->args;
        BlockRef pred = opt_block(o, b)->preds[p];
        if (is_of_loop(w->c, args[p]) && copy_of(w->c, pred) == w->c->n) args[p] = at(w, args[p], pred);
    }
}

static void turn_behind(Behind *w, Ref r) {
    Opt *o = w->c->o;
    if (opt_node(o, r)->op == OPT_PHI) return turn_phi(w, r);
    BlockRef b = opt_node(o, r)->block;
    for (u4 i = 0; i < opt_ops[opt_node(o, r)->op].inputs; i++) {
        Ref v = opt_node(o, r)->in[i];
        if (!v || !is_of_loop(w->c, v)) continue;
        v = at(w, v, b);
        opt_node(o, r)->in[i] = v;
    }
    Node *n = opt_node(o, r);
    if (n->after && is_of_loop(w->c, n->after)) {
        n->after = 0;
        n->pinned = true;
    }
    State *s = n->state ? turned_state(w, n->state, b) : NULL;
    opt_node(o, r)->state = s;
}

void opt_copies_end(OptCopies *c) {
    Opt *o = c->o;
    if (!c->leave || o->no_memory) return;
    Behind w = {.c = c, .made = opt_alloc(o, (c->old_nodes + 1) * sizeof *w.made)};
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) {
        BlockRef b = o->order[i];
        if (is_in(c, b)) continue;
        for (Ref r = opt_block(o, b)->first; r && !o->no_memory; r = opt_node(o, r)->next) turn_behind(&w, r);
        State *s = opt_block(o, b)->state ? turned_state(&w, opt_block(o, b)->state, b) : NULL;
        opt_block(o, b)->state = s;
    }
}
