/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: turns of a loop that call nothing are a loop of their own.
 *
 *     for (int i = 0; i < n; i++) { if (quick(i)) continue; call(i); }      becomes      for (int i = 0; i < n; i++) {
 *                                                                                          while (quick(i)) if (++i >= n) return;
 *                                                                                          call(i); }
 *
 * TERMS    The tail of a loop is the straight code behind the place where its ways meet for the last time, MEET; it ends with the jump to the head.  A
 *          predecessor of MEET is quiet if none of the blocks of the loop by which it is reached stops; a turn that comes by it is a quiet turn.
 * DONE     Predecessors that are not quiet get a tail of their own, which leads to a new head around the old one.  What is left is an innermost
 *          loop of quiet turns.
 *
 *              before -> head <- tail <- MEET <- quiet      becomes      before -> around -> head <- tail <- MEET <- quiet
 *                                             <- other                          around <- tail' <- MEET' <- other
 *
 *          Values of the tail are used in it and by the head's phis only, for whoever leaves the loop has come by its head; so nothing else changes.
 * WHICH    Counted loops whose quiet turn is small: they can be several in a row then (opt_unroll_many), and what lives over the calls is a phi of the
 *          way there, so it is stored there and not in each turn.  Who counts ways would know which turns are many; here it costs little
 *          to be wrong, a comparison for each turn that is not quiet.
 * WHEN     In front of opt_unroll_many, which it is for.  What moves out of loops has moved, and ways aside are known: both ask about the loop as a whole.
 *
 * Rejected: heads of their own in front of opt_loops (more would move out of the quiet turns; bounds of counting loops were no longer known).
 */
#include "jit/opt/opt_counted.h"
#include "jit/opt/opt_pass.h"
#include <string.h>

enum { MOST_QUIET = 30, MOST_TAIL = 12, MOST_FORM = 12000 };

typedef struct Turns {
    Opt *o;
    OptCounted c;
    BlockRef meet;
    bool *quiet; /* by predecessor of meet */
    bool *seen;  /* by block: in some quiet turn */
    u4 n_quiet;
} Turns;

static bool stops(const Opt *o, BlockRef b) {
    for (Ref r = opt_block(o, b)->first; r; r = opt_node(o, r)->next)
        if (opt_does(opt_node(o, r)) & OPT_STOPS && opt_node(o, r)->op != OPT_POLL) return true;
    return false;
}

static int size_of(const Opt *o, BlockRef b) {
    int n = 0;
    for (Ref r = opt_block(o, b)->first; r; r = opt_node(o, r)->next) {
        u1 op = opt_node(o, r)->op;
        n += op != OPT_PHI && op != OPT_JUMP && op != OPT_POLL && op != OPT_CONST;
    }
    return n;
}

static bool find_meet(Turns *t) {
    const Opt *o = t->o;
    int size = 0;
    BlockRef b = t->c.ends.latch;
    for (;; b = opt_block(o, b)->preds[0]) {
        if (b == t->c.head || opt_block(o, b)->n_succs != 1 || opt_block(o, b)->loop != t->c.head || stops(o, b)) return false;
        size += size_of(o, b);
        if (opt_block(o, b)->n_preds > 1) break;
    }
    t->meet = b;
    return size <= MOST_TAIL;
}

/* Marks what leads from the head to b; false: something there stops. */
static bool is_reached_quietly(Turns *t, BlockRef b, bool *found) {
    const Opt *o = t->o;
    if (found[b]) return true;
    found[b] = true;
    if (stops(o, b) || opt_block(o, b)->loop != t->c.head) return false;
    for (u4 p = 0; b != t->c.head && p < opt_block(o, b)->n_preds; p++)
        if (!is_reached_quietly(t, opt_block(o, b)->preds[p], found)) return false;
    return true;
}

static bool look_at_ways(Turns *t) {
    Opt *o = t->o;
    const Block *m = opt_block(o, t->meet);
    t->quiet = opt_alloc(o, m->n_preds * sizeof *t->quiet);
    t->seen = opt_alloc(o, (o->n_blocks + 1) * sizeof *t->seen);
    for (u4 p = 0; t->quiet && t->seen && p < m->n_preds; p++) {
        bool *found = opt_alloc(o, (o->n_blocks + 1) * sizeof *found);
        if (!found || opt_block(o, m->preds[p])->n_succs != 1) return false;
        t->quiet[p] = is_reached_quietly(t, m->preds[p], found);
        for (u4 i = 0; t->quiet[p] && i < o->n_order; i++) t->seen[o->order[i]] |= found[o->order[i]];
        t->n_quiet += t->quiet[p];
    }
    return !o->no_memory && t->n_quiet && t->n_quiet < m->n_preds;
}

static bool is_small(const Turns *t) {
    const Opt *o = t->o;
    int size = size_of(o, t->meet);
    for (u4 i = 0; i < o->n_order; i++)
        if (t->seen[o->order[i]]) size += size_of(o, o->order[i]);
    return size <= MOST_QUIET;
}

/* --- the second tail --- */

static void turn_use(Opt *o, Ref user, Ref *use, void *arg) {
    const Ref *to = arg;
    (void)o, (void)user;
    if (to[*use]) *use = to[*use];
}

/* MEET gives up its other predecessors to the block `to`, and phis of that have what they had. */
static void share_preds(Turns *t, BlockRef to, Ref *map) {
    Opt *o = t->o;
    u4 n = opt_block(o, t->meet)->n_preds, kept = 0;
    for (Ref r = opt_block(o, t->meet)->first; r && opt_node(o, r)->op == OPT_PHI && !o->no_memory; r = opt_node(o, r)->next) {
        Ref phi = map[r] = opt_append(o, to, OPT_PHI, (OptType)opt_node(o, r)->type);
        Ref *args = opt_alloc(o, n * sizeof *args), *own = opt_node(o, r)->args;
        if (!args) return;
        u4 k = 0, q = 0;
        for (u4 p = 0; p < n; p++)
            if (!t->quiet[p]) args[k++] = own[p];
            else own[q++] = own[p];
        opt_node(o, phi)->args = args;
        opt_node(o, phi)->not_null = opt_node(o, r)->not_null;
        opt_node(o, phi)->klass = opt_node(o, r)->klass;
    }
    for (u4 p = 0; p < n && !o->no_memory; p++) {
        BlockRef pred = opt_block(o, t->meet)->preds[p];
        if (t->quiet[p]) {
            opt_block(o, t->meet)->preds[kept++] = pred;
            continue;
        }
        opt_block(o, pred)->n_succs = 0;
        opt_edge(o, pred, to);
    }
    opt_block(o, t->meet)->n_preds = kept;
}

static void copy_node(Opt *o, Ref r, BlockRef into, Ref *map) {
    Ref n = opt_append(o, into, (OptOp)opt_node(o, r)->op, (OptType)opt_node(o, r)->type);
    if (!n) return;
    Node *x = opt_node(o, n), old = *x;
    *x = *opt_node(o, r);
    x->block = old.block;
    x->next = old.next;
    x->prev = old.prev;
    if (x->state) x->state = opt_copy_state(o, x->state);
    opt_visit_uses(o, n, true, true, turn_use, map);
    map[r] = n;
}

/* The blocks from MEET to the latch once more, as one. */
static BlockRef copy_tail(Turns *t, Ref *map) {
    Opt *o = t->o;
    BlockRef to = opt_block_like(o, t->meet);
    if (!to) return 0;
    bool seldom = true;
    for (u4 p = 0; p < opt_block(o, t->meet)->n_preds; p++)
        seldom &= t->quiet[p] || opt_block(o, opt_block(o, t->meet)->preds[p])->seldom;
    opt_block(o, to)->seldom = seldom;
    share_preds(t, to, map);
    for (BlockRef b = t->meet; b != t->c.head && !o->no_memory; b = opt_block(o, b)->succs[0])
        for (Ref r = opt_block(o, b)->first; r && !o->no_memory; r = opt_node(o, r)->next) {
            const Node *n = opt_node(o, r);
            if (n->op == OPT_PHI && b != t->meet) map[r] = map[n->args[0]] ? map[n->args[0]] : n->args[0];
            else if (n->op != OPT_PHI && (n->op != OPT_JUMP || b == t->c.ends.latch)) copy_node(o, r, to, map);
        }
    return to;
}

static Ref mapped(const Ref *map, Ref r) { return map[r] ? map[r] : r; }

static void split_turns(Turns *t) {
    Opt *o = t->o;
    OptLoopEnds ends = t->c.ends;
    BlockRef head = t->c.head;
    Ref *map = opt_alloc(o, (o->n_nodes + 1) * sizeof *map);
    BlockRef tail = map ? copy_tail(t, map) : 0, around = tail ? opt_block_like(o, head) : 0;
    if (!around || o->no_memory) return;
    opt_block(o, ends.before)->n_succs = 0;
    opt_edge(o, ends.before, around);
    opt_edge(o, tail, around);
    for (Ref r = opt_block(o, head)->first; r && opt_node(o, r)->op == OPT_PHI && !o->no_memory; r = opt_node(o, r)->next) {
        Ref phi = opt_append(o, around, OPT_PHI, (OptType)opt_node(o, r)->type);
        Ref *args = opt_alloc(o, 2 * sizeof *args);
        if (!args) return;
        Node *x = opt_node(o, phi), *like = opt_node(o, r);
        args[0] = like->args[ends.outside];
        args[1] = mapped(map, like->args[ends.inside]);
        x->args = args;
        x->not_null = like->not_null;
        x->klass = like->klass;
        x->k = like->k;
        like->args[ends.outside] = phi;
    }
    BlockRef *succs = opt_alloc(o, sizeof *succs);
    if (!succs || !opt_append(o, around, OPT_JUMP, OT_NONE)) return;
    *succs = head;
    Block *a = opt_block(o, around);
    a->succs = succs;
    a->n_succs = a->cap_succs = 1;
    opt_block(o, head)->preds[ends.outside] = around;
}

void opt_quiet_turns(Opt *o) {
    u4 n;
    if (o->no_memory || o->why || !opt_has_loop(o)) return;
    opt_split_edges(o);
    BlockRef *all = opt_innermost(o, &n);
    for (u4 i = 0; i < n && all && o->n_nodes < MOST_FORM && !o->no_memory && !o->why; i++) {
        Turns t = {.o = o};
        const Block *head = opt_block(o, all[i]);
        if (!head->loop_head || head->whole || head->seldom || !opt_find_counted(o, all[i], &t.c) || !opt_counts_towards(&t.c))
            continue;
        if (!find_meet(&t) || !look_at_ways(&t) || !is_small(&t)) continue;
        split_turns(&t);
        opt_tidy_loops(o);
    }
}
