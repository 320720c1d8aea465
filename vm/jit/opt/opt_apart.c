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
 * NAMES   In the way it is the phi of S; in a block behind what arrives there (opt_rename.c); everywhere else, itself.  Where the way comes back, and where that
 *         name and another meet again (the iterated dominance frontier of S; Cytron et al., Efficiently Computing Static Single Assignment Form, TOPLAS
 *         1991), is a phi; at no other block: nobody takes a phi away that all ways agree on, and it costs moves in all turns.
 *
 * The last of all: it makes values that are equal to others.
 */
#include "jit/opt/opt_pass.h"
#include "jit/opt/opt_rename.h"

enum { MOST_FORM = 20000, MOST_WAYS = 16 }; /* each is a walk over the form, and a word for each value */

typedef struct Way {
    Opt *o;
    BlockRef start, loop;
    bool *in, *behind; /* by block */
    bool *meets;       /* by block behind: another name arrives there than in its dominator */
    Ref *own;          /* by value: its name in the way */
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

/* Does what is made in S, or where names met, reach the end of p without passing the dominator of b? */
static bool brings_name(const Way *w, BlockRef p, BlockRef b) {
    const Opt *o = w->o;
    for (; p && p != opt_block(o, b)->idom; p = opt_block(o, p)->idom)
        if (p == w->start || w->meets[p]) return true;
    return false;
}

static bool find_meeting(Way *w, BlockRef b) {
    const Block *x = opt_block(w->o, b);
    if (w->meets[b] || !w->behind[b] || x->n_preds < 2) return false;
    for (u4 p = 0; p < x->n_preds && !w->meets[b]; p++) w->meets[b] = brings_name(w, x->preds[p], b);
    return w->meets[b];
}

static void find_meetings(Way *w) {
    for (bool more = true; more;) {
        more = false;
        for (u4 i = 0; i < w->o->n_order; i++) more |= find_meeting(w, w->o->order[i]);
    }
}

static bool may_have_name(const Way *w, Ref v) {
    const Node *n = opt_node(w->o, v);
    if (!n->block || n->type == OT_NONE || n->type == OT_VECTOR || n->op == OPT_CONST) return false;
    return opt_block(w->o, n->block)->loop == w->loop && !w->in[n->block] && opt_dominates(w->o, n->block, w->start);
}

static void note_name(Opt *o, Ref user, Ref *use, void *arg) {
    Way *w = arg;
    (void)o, (void)user;
    if (may_have_name(w, *use) && !w->own[*use]) w->own[*use] = *use;
}

static bool has_name(const void *who, Ref v, BlockRef b) {
    const Way *w = who;
    return w->own[v] && (w->in[b] || w->behind[b]);
}

static Ref name_in(const void *who, Ref v, BlockRef b) {
    const Way *w = who;
    return w->in[b] ? w->own[v] : w->behind[b] ? 0 : v;
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

static void give_names(Way *w, OptNames *names) {
    Opt *o = w->o;
    for (Ref v = 1; v <= names->n_values && !o->no_memory; v++) {
        if (!w->own[v]) continue;
        Ref phi = opt_new_phi_like(o, v, w->start);
        if (!phi) return;
        opt_node(o, phi)->args[0] = v;
        w->own[v] = phi;
    }
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r && !o->no_memory; r = opt_node(o, r)->next)
            if (r <= names->n_values) opt_rename_uses(names, r);
}

static bool set_apart(Opt *o, BlockRef start) {
    Way w = {.o = o, .start = start, .loop = opt_block(o, start)->loop};
    OptNames names;
    w.in = opt_alloc(o, o->n_blocks + 1);
    w.behind = opt_alloc(o, o->n_blocks + 1);
    w.meets = opt_alloc(o, o->n_blocks + 1);
    if (o->no_memory) return false;
    find_blocks(&w);
    if (!has_call(&w)) return false;
    find_meetings(&w);
    w.own = opt_alloc(o, (o->n_nodes + 1) * sizeof *w.own);
    if (!w.own || !opt_names_begin(&names, o, has_name, name_in, &w)) return false;
    names.meets = w.meets;
    find_values(&w);
    give_names(&w, &names);
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
