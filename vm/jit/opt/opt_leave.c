/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: a branch one way of which only leaves the code is a guard.
 *
 * Bodies for a class of receivers that was seen seldom mostly lead to what has not run yet, and so to a LEAVE.  As a branch such a question stays in its loop,
 * and so do loads of what is only known behind it; a guard moves in front (opt_loop.c).
 *
 * WHICH    IF with a way that leads to LEAVEs alone (Block.rare), and to one of them without a guard or an effect in between, whose State
 *          names nothing that is made on the way.  That one leaves in front of an instruction (EXIT_REDO), so nothing of it was done where the branch
 *          is: the guard has its State.  If the way divides, what it leaves in front of must be what the way begins with: then the interpreter
 *          finds out where to go, and other LEAVEs, which did part of the same in the code, go.
 * CLASS    Where the class of an object was compared the guard is IS_CLASS.
 */
#include "jit/opt/opt_pass.h"

enum { MOST_STEPS = 4 };

typedef struct Outside {
    BlockRef b;
    bool all;
} Outside;

static void note_use(Opt *o, Ref user, Ref *use, void *arg) {
    (void)user;
    Outside *x = arg;
    BlockRef in = opt_node(o, *use)->block;
    x->all &= in && opt_dominates(o, in, x->b);
}

static bool is_known_at(Opt *o, State *s, BlockRef b) {
    Outside x = {b, true};
    opt_visit_state(o, s, note_use, &x);
    return x.all;
}

static bool begins_with(const Block *x, const State *s) { return s->bci == x->bci && s->scope == x->scope; }

/* From block `at` on, which a way from b that begins with block `way` has come to; 0: none. */
static Ref leave_behind(Opt *o, BlockRef at, BlockRef way, BlockRef b, int steps, bool divides) {
    const Block *x = opt_block(o, at);
    for (Ref r = x->first; r != x->last; r = opt_node(o, r)->next)
        if (opt_does(opt_node(o, r)) & ~OPT_READS && opt_node(o, r)->op != OPT_HERE && opt_node(o, r)->op != OPT_PHI) return 0;
    const Node *end = opt_node(o, x->last);
    if (end->op == OPT_LEAVE) {
        bool fits = end->exit == EXIT_REDO && (!divides || begins_with(opt_block(o, way), end->state));
        return fits && is_known_at(o, end->state, b) ? x->last : 0;
    }
    Ref found = 0;
    for (u4 s = 0; s < x->n_succs && steps && !found; s++)
        found = leave_behind(o, x->succs[s], way, b, steps - 1, divides || x->n_succs > 1);
    return found;
}

static void ask_class(Opt *o, Node *guard) {
    const Node *klass = opt_node(o, guard->in[0]);
    if (klass->op != OPT_CLASS || guard->kind != COND_EQ || !opt_is_const(o, guard->in[1])) return;
    guard->op = OPT_IS_CLASS;
    guard->what = (Class *)(uintptr_t)opt_node(o, guard->in[1])->k;
    guard->in[0] = klass->in[0];
    guard->in[1] = 0;
    guard->after = klass->after;
    guard->pinned = klass->pinned;
    guard->kind = guard->from = 0;
}

static bool make_guard(Opt *o, BlockRef b) {
    Ref last = opt_block(o, b)->last;
    const Block *x = opt_block(o, b);
    if (opt_node(o, last)->op != OPT_IF || x->rare) return false;
    u4 s = opt_block(o, x->succs[1])->rare;
    Ref leave = opt_block(o, x->succs[s])->rare ? leave_behind(o, x->succs[s], x->succs[s], b, MOST_STEPS, false) : 0;
    Ref r = leave ? opt_new(o, OPT_HOLDS, OT_NONE) : 0;
    if (!r) return false;
    const Node *end = opt_node(o, last);
    Node *n = opt_node(o, r);
    n->kind = s ? end->kind : (u1)cond_opposite((Cond)end->kind);
    n->from = end->from;
    n->in[0] = end->in[0];
    n->in[1] = end->in[1];
    n->exit = EXIT_REDO;
    n->state = opt_node(o, leave)->state;
    ask_class(o, n);
    opt_insert_before(o, last, r);
    opt_make_jump(o, last, !s);
    return true;
}

void opt_leaves(Opt *o) {
    bool any = false;
    if (o->no_memory || o->why) return;
    for (u4 i = o->n_order; i-- > 0 && !o->no_memory;) any |= make_guard(o, o->order[i]);
    if (any) opt_order(o);
}
