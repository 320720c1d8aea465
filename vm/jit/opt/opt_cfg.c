/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph of blocks: order, dominators, loops, edges.
 *
 * ORDER       Reverse postorder of a walk from the entry.  Successors are walked in their order, so a loop's body mostly stands before what is behind it.
 * DOMINATORS  By the iteration of Cooper, Harvey and Kennedy (A Simple, Fast Dominance Algorithm): two passes for graphs that javac makes.
 *             Then the tree's blocks are numbered so that those below a block are the numbers behind its own (Block.tree): "dominates" compares two numbers.
 * LOOPS       An edge to a block that dominates its source closes a loop of which that block is the head; edges that go back otherwise make
 *             the graph irreducible, and the method is refused.  A loop's blocks are found from its latches backwards, outer loops first
 *             (heads in order), so that each block ends with its innermost loop.
 *
 * What nothing leads to (order 0) is taken out of the predecessors, and phis, of what it leads to; its nodes are dead.
 */
#include "jit/opt/opt_ir.h"
#include <string.h>

/* --- order --- */

typedef struct Step {
    BlockRef b;
    u4 next; /* successor */
} Step;

/* Postorder, from the end of `to`; how many. */
static u4 walk(Opt *o, BlockRef *to, Step *stack) {
    u4 depth = 0, n = 0;
    stack[depth++] = (Step){1, 0};
    opt_block(o, 1)->mark = 1;
    while (depth) {
        Step *s = &stack[depth - 1];
        const Block *b = opt_block(o, s->b);
        if (s->next == b->n_succs) {
            to[o->n_blocks - ++n] = s->b;
            depth--;
            continue;
        }
        BlockRef next = b->succs[s->next++];
        if (opt_block(o, next)->mark) continue;
        opt_block(o, next)->mark = 1;
        stack[depth++] = (Step){next, 0};
    }
    return n;
}

static bool put_in_order(Opt *o) {
    BlockRef *all = opt_alloc(o, o->n_blocks * sizeof *all);
    Step *stack = opt_alloc(o, (o->n_blocks + 1) * sizeof *stack);
    if (!all || !stack) return false;
    for (BlockRef b = 1; b <= o->n_blocks; b++) opt_block(o, b)->mark = opt_block(o, b)->order = 0;
    o->n_order = walk(o, all, stack);
    o->order = all + (o->n_blocks - o->n_order);
    for (u4 i = 0; i < o->n_order; i++) opt_block(o, o->order[i])->order = i + 1;
    return true;
}

/* --- what cannot be reached --- */

static void drop_pred(Opt *o, BlockRef b, u4 p) {
    Block *x = opt_block(o, b);
    for (Ref r = x->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next) {
        Ref *args = opt_node(o, r)->args;
        memmove(args + p, args + p + 1, (x->n_preds - p - 1) * sizeof *args);
    }
    memmove(x->preds + p, x->preds + p + 1, (x->n_preds - p - 1) * sizeof *x->preds);
    x->n_preds--;
}

static void drop_unreachable(Opt *o) {
    for (BlockRef b = 1; b <= o->n_blocks; b++) {
        Block *x = opt_block(o, b);
        for (u4 p = x->n_preds; x->order && p-- > 0;)
            if (!opt_block(o, x->preds[p])->order) drop_pred(o, b, p);
        if (x->order) continue;
        while (x->first) opt_unlink(o, x->first);
        x->n_preds = x->n_succs = 0;
    }
}

void opt_cut_edge(Opt *o, BlockRef from, u4 succ) {
    Block *f = opt_block(o, from), *t = opt_block(o, f->succs[succ]);
    u4 p = 0, nth = 0; /* of several edges between the two, the same one */
    for (u4 i = 0; i < succ; i++) nth += f->succs[i] == f->succs[succ];
    while (t->preds[p] != from || nth--) p++;
    drop_pred(o, f->succs[succ], p);
    memmove(f->succs + succ, f->succs + succ + 1, (f->n_succs - succ - 1) * sizeof *f->succs);
    f->n_succs--;
}

void opt_make_jump(Opt *o, Ref end, u4 succ) {
    Node *x = opt_node(o, end);
    BlockRef b = x->block;
    for (u4 s = opt_block(o, b)->n_succs; s-- > 0;)
        if (s != succ) opt_cut_edge(o, b, s);
    x->op = OPT_JUMP;
    x->kind = x->from = 0;
    x->k = 0;
    x->keys = NULL;
    x->in[0] = x->in[1] = 0;
}

/* --- dominators --- */

static BlockRef meet(const Opt *o, BlockRef a, BlockRef b) {
    while (a != b) {
        while (opt_block(o, a)->order > opt_block(o, b)->order) a = opt_block(o, a)->idom;
        while (opt_block(o, b)->order > opt_block(o, a)->order) b = opt_block(o, b)->idom;
    }
    return a;
}

static BlockRef dominator_by_preds(const Opt *o, const Block *x) {
    BlockRef d = 0;
    for (u4 p = 0; p < x->n_preds; p++) {
        BlockRef b = x->preds[p];
        if (b == 1 || opt_block(o, b)->idom) d = d ? meet(o, d, b) : b;
    }
    return d;
}

static void find_dominators(Opt *o) {
    for (u4 i = 0; i < o->n_order; i++) opt_block(o, o->order[i])->idom = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (u4 i = 1; i < o->n_order; i++) {
            Block *x = opt_block(o, o->order[i]);
            BlockRef d = dominator_by_preds(o, x);
            changed |= d != x->idom;
            x->idom = d;
        }
    }
}

/* A block stands behind its dominator in the order: sizes are added up from the end, numbers given out from the start. `mark`: the next number below the block. */
static void number_tree(Opt *o) {
    for (BlockRef b = 1; b <= o->n_blocks; b++) opt_block(o, b)->tree = opt_block(o, b)->below = 0;
    for (u4 i = o->n_order; i-- > 1;)
        opt_block(o, opt_block(o, o->order[i])->idom)->below += opt_block(o, o->order[i])->below + 1;
    for (u4 i = 0; i < o->n_order; i++) {
        Block *x = opt_block(o, o->order[i]), *d = opt_block(o, x->idom);
        x->tree = i ? d->mark : 1;
        if (i) d->mark += x->below + 1;
        x->mark = x->tree + 1;
    }
}

bool opt_dominates(const Opt *o, BlockRef a, BlockRef b) {
    const Block *x = opt_block(o, a), *y = opt_block(o, b);
    return a == b || (y->tree > x->tree && y->tree <= x->tree + x->below && x->tree);
}

/* --- loops --- */

static void join_loop(Opt *o, BlockRef head, BlockRef latch, BlockRef *work, u4 *n) {
    Block *l = opt_block(o, latch);
    if (l->mark == head) return;
    l->mark = head;
    l->loop = head;
    l->loop_depth++;
    work[(*n)++] = latch;
}

/* Every block is on the work list once: it is marked with the head when it is put there. */
static void fill_loop(Opt *o, BlockRef head, BlockRef *work) {
    Block *h = opt_block(o, head);
    u4 n = 0;
    h->mark = h->loop = head;
    h->loop_depth++;
    for (u4 p = 0; p < h->n_preds; p++)
        if (opt_dominates(o, head, h->preds[p])) join_loop(o, head, h->preds[p], work, &n);
    while (n) {
        const Block *x = opt_block(o, work[--n]);
        for (u4 p = 0; p < x->n_preds; p++) join_loop(o, head, x->preds[p], work, &n);
    }
}

static void find_heads(Opt *o) {
    for (u4 i = 0; i < o->n_order; i++) {
        BlockRef b = o->order[i];
        Block *x = opt_block(o, b);
        x->loop = x->loop_depth = x->mark = 0;
        x->loop_head = false;
        for (u4 p = 0; p < x->n_preds; p++) {
            if (opt_block(o, x->preds[p])->order < x->order) continue;
            x->loop_head = true;
            if (!opt_dominates(o, b, x->preds[p])) o->why = "irreducible loop";
        }
    }
}

static void find_loops(Opt *o) {
    find_heads(o);
    BlockRef *work = opt_alloc(o, (o->n_order + 1) * sizeof *work);
    for (u4 i = 0; i < o->n_order && work && !o->why; i++)
        if (opt_block(o, o->order[i])->loop_head) fill_loop(o, o->order[i], work);
}

bool opt_loop_ends(const Opt *o, BlockRef head, OptLoopEnds *ends) {
    const Block *h = opt_block(o, head);
    if (h->n_preds != 2) return false;
    u4 inside = opt_dominates(o, head, h->preds[1]);
    *ends = (OptLoopEnds){h->preds[!inside], h->preds[inside], !inside, inside};
    return opt_block(o, ends->before)->n_succs == 1 && opt_dominates(o, head, ends->latch) &&
           !opt_dominates(o, head, ends->before);
}

/* --- blocks that only lead to exits --- */

static bool leads_nowhere(const Opt *o, const Block *x) {
    if (x->last && opt_node(o, x->last)->op == OPT_LEAVE) return true;
    for (u4 s = 0; s < x->n_succs; s++)
        if (!opt_block(o, x->succs[s])->rare) return false;
    return x->n_succs;
}

static void find_rare(Opt *o) {
    for (u4 i = o->n_order; i-- > 0;) {
        Block *x = opt_block(o, o->order[i]);
        x->rare = leads_nowhere(o, x);
    }
}

void opt_order(Opt *o) {
    if (!put_in_order(o)) return;
    drop_unreachable(o);
    find_dominators(o);
    number_tree(o);
    find_loops(o);
    find_rare(o);
}

/* --- edges --- */

/* The edge into `to` at its predecessor p gets a block of its own.  Phis keep their inputs. */
static BlockRef split(Opt *o, BlockRef to, u4 p) {
    BlockRef from = opt_block(o, to)->preds[p], mid = opt_new_block(o);
    if (!mid || !opt_append(o, mid, OPT_JUMP, OT_NONE)) return 0;
    Block *m = opt_block(o, mid), *f = opt_block(o, from), *t = opt_block(o, to);
    m->bci = t->bci;
    m->scope = t->scope;
    m->succs = opt_alloc(o, sizeof *m->succs);
    m->preds = opt_alloc(o, sizeof *m->preds);
    if (!m->succs || !m->preds) return 0;
    m->n_succs = m->cap_succs = m->n_preds = m->cap_preds = 1;
    m->succs[0] = to;
    m->preds[0] = from;
    u4 s = 0;
    while (f->succs[s] != to) s++;
    f->succs[s] = mid;
    t->preds[p] = mid;
    return mid;
}

/* Phis of the head with inputs from one side alone: `inside` or outside. */
static bool is_inside(const Opt *o, BlockRef head, u4 p) { return opt_dominates(o, head, opt_block(o, head)->preds[p]); }

static u4 count_side(const Opt *o, BlockRef head, bool inside) {
    u4 n = 0;
    for (u4 p = 0; p < opt_block(o, head)->n_preds; p++) n += is_inside(o, head, p) == inside;
    return n;
}

/* The inputs of r from that side; one value for all of them is itself. */
static Ref joined(Opt *o, BlockRef head, Ref r, const bool *side, u4 n, BlockRef mid) {
    Ref *args = opt_alloc(o, n * sizeof *args);
    if (!args) return 0;
    u4 k = 0;
    bool same = true;
    for (u4 p = 0; p < opt_block(o, head)->n_preds; p++) {
        if (!side[p]) continue;
        args[k] = opt_node(o, r)->args[p];
        same &= args[k] == args[0];
        k++;
    }
    if (same) return args[0];
    Ref phi = opt_new(o, OPT_PHI, (OptType)opt_node(o, r)->type);
    if (!phi) return 0;
    opt_node(o, phi)->args = args;
    opt_node(o, phi)->not_null = opt_node(o, r)->not_null;
    opt_insert_phi(o, mid, phi);
    return phi;
}

static void turn_edge(const Opt *o, BlockRef from, BlockRef to, BlockRef mid) {
    Block *f = opt_block(o, from);
    u4 s = 0;
    while (f->succs[s] != to) s++;
    f->succs[s] = mid;
}

/* All edges from one side of the head come through a new block, which is its predecessor `place`. */
static void gather(Opt *o, BlockRef head, const bool *side, u4 n) {
    BlockRef mid = opt_new_block(o);
    if (!mid) return;
    Block *h = opt_block(o, head);
    u4 n_preds = h->n_preds, k = 0, kept = 0;
    opt_block(o, mid)->preds = opt_alloc(o, n * sizeof(BlockRef));
    opt_block(o, mid)->bci = h->bci;
    opt_block(o, mid)->scope = h->scope;
    if (o->no_memory) return;
    for (u4 p = 0; p < n_preds; p++) {
        if (!side[p]) continue;
        turn_edge(o, h->preds[p], head, mid);
        opt_block(o, mid)->preds[k++] = h->preds[p];
    }
    opt_block(o, mid)->n_preds = opt_block(o, mid)->cap_preds = n;
    for (Ref r = h->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next) {
        Ref in = joined(o, head, r, side, n, mid), *args = opt_node(o, r)->args;
        if (o->no_memory) return;
        h = opt_block(o, head);
        kept = 0;
        for (u4 p = 0; p < n_preds; p++)
            if (!side[p]) args[kept++] = args[p];
        args[kept] = in;
    }
    kept = 0;
    for (u4 p = 0; p < n_preds; p++)
        if (!side[p]) h->preds[kept++] = h->preds[p];
    h->n_preds = kept;
    opt_append(o, mid, OPT_JUMP, OT_NONE);
    opt_edge(o, mid, head);
}

static void gather_side(Opt *o, BlockRef head, bool inside) {
    u4 n_preds = opt_block(o, head)->n_preds, n = count_side(o, head, inside);
    bool *side = opt_alloc(o, n_preds * sizeof *side);
    if (!side) return;
    u4 only = 0;
    for (u4 p = 0; p < n_preds; p++) {
        side[p] = is_inside(o, head, p) == inside;
        if (side[p]) only = p;
    }
    if (n > 1 || (!inside && opt_block(o, opt_block(o, head)->preds[only])->n_succs > 1)) gather(o, head, side, n);
}

/* Edges into one head are no other head's, so the dominators of before do for all.  A new block has no order yet and counts as outside: that
 * side is first. */
void opt_split_edges(Opt *o) {
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) {
        if (!opt_block(o, o->order[i])->loop_head) continue;
        gather_side(o, o->order[i], false);
        gather_side(o, o->order[i], true);
    }
    opt_order(o);
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) {
        BlockRef b = o->order[i];
        for (u4 p = 0; opt_block(o, b)->n_preds > 1 && p < opt_block(o, b)->n_preds; p++)
            if (opt_block(o, opt_block(o, b)->preds[p])->n_succs > 1) split(o, b, p);
    }
    opt_order(o);
}

BlockRef opt_loop_around(const Opt *o, BlockRef head) {
    const Block *h = opt_block(o, head);
    for (u4 p = 0; p < h->n_preds; p++)
        if (opt_block(o, h->preds[p])->order < h->order) return opt_block(o, h->preds[p])->loop;
    return 0;
}

bool opt_is_in_loop(const Opt *o, BlockRef b, BlockRef head) {
    for (BlockRef l = opt_block(o, b)->loop; l; l = opt_loop_around(o, l))
        if (l == head) return true;
    return false;
}
