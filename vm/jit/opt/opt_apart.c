/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: what a loop's seldom ways do to values is their own affair.
 *
 * A value that lives over a call is in memory there, and what is in memory somewhere is stored behind its definition (opt_regs.c): in each turn, also if
 * the call is on a way that one turn of a thousand takes.  So a value of the turn gets another name there: a phi of one input where the way begins, which
 * is stored there, and a phi where it comes back.  On the usual way both are the register that the value has anyway.
 *
 * TERMS   A way begins at a block S that is seldom, of one predecessor that is not; its blocks are those that S dominates.  It has a call.  BEHIND
 *         are the blocks of the loop around S that can be reached from it without passing the head, and those outside of the loop.
 * WHICH   Values whose block is in that loop, not in one inside of it, and dominates S, and that somebody uses behind: there is no way from S to
 *         what makes them but by the head, so behind is behind all of them.
 * NAMES   In the way it is the phi of S; in a block behind what arrives there: of one predecessor what it is there, of several a phi.  Everywhere else, itself.
 *         States are shared: one that changes is copied.
 *
 * The last of all: it makes values that are equal to others.  What names uses by what arrives is alike in opt_copy.c, where copies of a loop take the place of S.
 */
#include "jit/opt/opt_pass.h"

enum { MOST_FORM = 20000, MOST_WAYS = 16 }; /* each is a walk over the form, and a word for each value */

typedef struct Way {
    Opt *o;
    BlockRef start, loop;
    bool *in, *behind; /* by block */
    Ref *own;          /* by value: its name in the way */
    Ref **at;          /* by value: by block behind, what arrives there */
    u4 old_nodes;
    BlockRef user; /* whose state is looked at */
    bool any;
} Way;

static bool has_call(const Way *w) {
    for (u4 i = 0; i < w->o->n_order; i++)
        for (Ref r = w->in [w->o->order[i]] ? opt_block(w->o, w->o->order[i])->first : 0; r; r = opt_node(w->o, r)->next)
            if (opt_node(w->o, r)->op == OPT_CALL) return true;
    return false;
}

/* Blocks come behind their predecessors in `order`, but for heads. */
static void find_blocks(Way *w) {
    const Opt *o = w->o;
    for (u4 i = 0; i < o->n_order; i++) {
        BlockRef b = o->order[i];
        const Block *x = opt_block(o, b);
        w->in[b] = opt_dominates(o, w->start, b);
        w->behind[b] = false;
        for (u4 p = 0; p < x->n_preds && !w->in[b] && b != w->loop; p++)
            w->behind[b] |= w->in[x->preds[p]] || w->behind[x->preds[p]];
    }
}

static bool may_have_name(const Way *w, Ref v) {
    const Node *n = opt_node(w->o, v);
    if (v > w->old_nodes || !n->block || n->type == OT_NONE || n->type == OT_VECTOR || n->op == OPT_CONST) return false;
    return opt_block(w->o, n->block)->loop == w->loop && !w->in[n->block] && opt_dominates(w->o, n->block, w->start);
}

static void note_name(Opt *o, Ref user, Ref *use, void *arg) {
    Way *w = arg;
    (void)o, (void)user;
    if (may_have_name(w, *use) && !w->own[*use]) w->own[*use] = *use;
}

/* A phi like v. */
static Ref new_phi(Way *w, Ref v, BlockRef b) {
    Opt *o = w->o;
    Ref phi = opt_new(o, OPT_PHI, (OptType)opt_node(o, v)->type);
    Ref *args = opt_alloc(o, opt_block(o, b)->n_preds * sizeof *args);
    if (!phi || !args) return 0;
    Node *n = opt_node(o, phi);
    const Node *like = opt_node(o, v);
    n->not_null = like->not_null;
    n->klass = like->klass;
    n->k = like->op == OPT_PHI ? like->k : 0;
    n->args = args;
    opt_insert_phi(o, b, phi);
    return phi;
}

static Ref name_at(Way *w, Ref v, BlockRef b) {
    Opt *o = w->o;
    if (w->in[b]) return w->own[v];
    if (!w->behind[b]) return v;
    if (!w->at[v] && !(w->at[v] = opt_alloc(o, (o->n_blocks + 1) * sizeof(Ref)))) return v;
    Ref *there = &w->at[v][b];
    if (*there) return *there;
    u4 n = opt_block(o, b)->n_preds;
    if (n == 1) return *there = name_at(w, v, opt_block(o, b)->preds[0]);
    Ref phi = new_phi(w, v, b);
    if (!phi) return v;
    *there = phi;
    for (u4 p = 0; p < n; p++) {
        Ref arg = name_at(w, v, opt_block(o, b)->preds[p]);
        opt_node(o, phi)->args[p] = arg;
    }
    return phi;
}

static bool has_name(const Way *w, Ref v) { return v <= w->old_nodes && w->own[v]; }

static void turn_use(Opt *o, Ref user, Ref *use, void *arg) {
    Way *w = arg;
    (void)o, (void)user;
    if (has_name(w, *use)) *use = name_at(w, *use, w->user);
}

static void find_use(Opt *o, Ref user, Ref *use, void *arg) {
    Way *w = arg;
    (void)o, (void)user;
    w->any |= has_name(w, *use);
}

static void turn_state(Way *w, Ref r) {
    Opt *o = w->o;
    State *s = opt_node(o, r)->state;
    w->any = false;
    opt_visit_state(o, s, find_use, w);
    if (!w->any || !(s = opt_copy_state(o, s))) return;
    opt_visit_state(o, s, turn_use, w);
    opt_node(o, r)->state = s;
}

static void turn_node(Way *w, Ref r) {
    Opt *o = w->o;
    BlockRef b = opt_node(o, r)->block;
    if (opt_node(o, r)->op == OPT_PHI) {
        for (u4 p = 0; p < opt_block(o, b)->n_preds; p++) {
            Ref v = opt_node(o, r)->args[p];
            if (!has_name(w, v)) continue;
            v = name_at(w, v, opt_block(o, b)->preds[p]);
            opt_node(o, r)->args[p] = v;
        }
        return;
    }
    if (!w->in[b] && !w->behind[b]) return;
    w->user = b;
    for (u4 i = 0; i < opt_ops[opt_node(o, r)->op].inputs; i++) {
        Ref v = opt_node(o, r)->in[i];
        if (!v || !has_name(w, v)) continue;
        v = name_at(w, v, b);
        opt_node(o, r)->in[i] = v;
    }
    turn_state(w, r);
}

/* Uses behind: inputs of phis are where their predecessor ends. */
static void find_values(Way *w) {
    Opt *o = w->o;
    for (u4 i = 0; i < o->n_order; i++) {
        BlockRef b = o->order[i];
        for (Ref r = opt_block(o, b)->first; r; r = opt_node(o, r)->next) {
            Node *n = opt_node(o, r);
            for (u4 p = 0; n->op == OPT_PHI && p < opt_block(o, b)->n_preds; p++)
                if (w->behind[opt_block(o, b)->preds[p]]) note_name(o, r, &n->args[p], w);
            if (n->op != OPT_PHI && w->behind[b]) opt_visit_uses(o, r, false, true, note_name, w);
        }
    }
}

static void give_names(Way *w) {
    Opt *o = w->o;
    for (Ref v = 1; v <= w->old_nodes && !o->no_memory; v++) {
        if (!w->own[v]) continue;
        Ref phi = new_phi(w, v, w->start);
        if (!phi) return;
        opt_node(o, phi)->args[0] = v;
        w->own[v] = phi;
    }
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++)
        for (Ref r = opt_block(o, o->order[i])->first, next; r && !o->no_memory; r = next) {
            next = opt_node(o, r)->next;
            if (r <= w->old_nodes) turn_node(w, r);
        }
}

static bool set_apart(Opt *o, BlockRef start) {
    Way w = {.o = o, .start = start, .loop = opt_block(o, start)->loop, .old_nodes = o->n_nodes};
    w.in = opt_alloc(o, o->n_blocks + 1);
    w.behind = opt_alloc(o, o->n_blocks + 1);
    if (o->no_memory) return false;
    find_blocks(&w);
    if (!has_call(&w)) return false;
    w.own = opt_alloc(o, (o->n_nodes + 1) * sizeof *w.own);
    w.at = opt_alloc(o, (o->n_nodes + 1) * sizeof *w.at);
    if (o->no_memory) return false;
    find_values(&w);
    give_names(&w);
    return true;
}

void opt_apart(Opt *o) {
    u4 ways = 0;
    if (o->no_memory || o->why) return;
    for (u4 i = 0; i < o->n_order && ways < MOST_WAYS && o->n_nodes < MOST_FORM && !o->no_memory; i++) {
        const Block *x = opt_block(o, o->order[i]);
        if (x->seldom && x->loop && !x->loop_head && x->n_preds == 1 && !opt_block(o, x->preds[0])->seldom)
            ways += set_apart(o, o->order[i]);
    }
}
