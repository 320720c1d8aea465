/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: tests whose outcome is known by where a way comes from.
 *
 * A method that answers true or false, put in place of its call, meets with a phi of 1 and 0, and the caller tests that at once. Ways that bring a
 * constant, or what is known not to be null, go where the test would send them. So do the cases of a switch of strings, which javac makes of two.
 *
 * TERMS    A test is a chain of blocks: the first has several predecessors and phis; each but the last leads to the next alone, which nothing else leads to; all
 *          have nothing but phis and a few nodes that compute (does 0); the last ends in an IF or SWITCH. A way is a predecessor of the first.
 *          It is known if that is decided with what the phis have on it, or the range of what operations with constants make of it. A join is the same with a JUMP at its end, to the first block of a test
 *          whose phi has one of the join's: all its ways are known, so that they are the test's.
 * DONE     A way that is known leads to where it goes; what the chain computes is computed at its end, and mostly folded.
 * REPAIR   Values of the chain that are used behind it come from the chain, if some way is left, or from those ways' ends: each such use asks its predecessors for
 *          what arrives (at), as uses behind copied loops do (opt_copy.c); where ways meet a phi is made. Phis of the new kind say nothing of
 *          null or classes: that was known of the value, and is where it is asked for.
 * NEVER    through heads of loops: they keep one way in and one back. No cycle can come of it, nor a second entry to a loop: the ways are those that there
 *          were.
 *
 * opt_number follows, for behind a test that is gone more is known (which index is in bounds).
 */
#include "jit/opt/opt_pass.h"
#include <string.h>

enum { MOST_BLOCKS = 8, MOST_VALUES = 12, MOST_WAYS = 32, MOST_THREADED = 64, MOST_WORK = 200000, MOST_NODES = 20000 };

typedef struct Chain {
    BlockRef blocks[MOST_BLOCKS];
    u4 n;
    Ref values[MOST_VALUES]; /* what is defined in it, phis first */
    u4 n_values, n_phis;
    Ref end;
} Chain;

/* A predecessor of the first block. */
typedef struct Way {
    BlockRef from, to; /* to: 0: not known */
    u4 pred;
    Ref values[MOST_VALUES];
} Way;

typedef struct Threading {
    Opt *o;
    Chain c;
    Way ways[MOST_WAYS];
    u4 n_ways;
    Ref *made[MOST_VALUES]; /* by block: what arrives at its start */
    BlockRef at;
    bool found;
    u4 work;
} Threading;

/* --- chains --- */

static bool computes(const Node *n) {
    return !opt_does(n) && n->op != OPT_CONST && n->op != OPT_VIRTUAL && n->op != OPT_LENGTH && n->op != OPT_CLASS;
}

static bool read_block(const Opt *o, Chain *c, BlockRef b) {
    for (Ref r = opt_block(o, b)->first; r; r = opt_node(o, r)->next) {
        const Node *n = opt_node(o, r);
        if (opt_does(n) & OPT_ENDS) return c->end = r, true;
        if (n->op != OPT_PHI && (!computes(n) || n->after || n->pinned)) return false;
        if (c->n_values == MOST_VALUES) return false;
        c->values[c->n_values++] = r;
        c->n_phis += n->op == OPT_PHI;
    }
    return false;
}

static bool is_test(const Opt *o, const Chain *c) {
    u1 op = opt_node(o, c->end)->op;
    return op == OPT_IF || op == OPT_SWITCH;
}

/* From b on to what ends it: a test, or a JUMP to a block that others lead to. */
static bool find_chain(const Opt *o, Chain *c, BlockRef b) {
    *c = (Chain){.n = 0};
    const Block *first = opt_block(o, b);
    if (first->loop_head || first->n_preds < 2 || first->n_preds > MOST_WAYS) return false;
    while (c->n < MOST_BLOCKS && read_block(o, c, b)) {
        c->blocks[c->n++] = b;
        if (opt_node(o, c->end)->op != OPT_JUMP) return is_test(o, c) && c->n_phis;
        b = opt_block(o, b)->succs[0];
        if (opt_block(o, b)->loop_head) return false;
        if (opt_block(o, b)->n_preds != 1) return c->n_phis > 0;
    }
    return false;
}

static BlockRef last_of(const Chain *c) { return c->blocks[c->n - 1]; }

static bool is_in(const Chain *c, BlockRef b) {
    for (u4 i = 0; i < c->n; i++)
        if (c->blocks[i] == b) return true;
    return false;
}

static int index_of(const Chain *c, Ref r) {
    for (u4 i = 0; i < c->n_values; i++)
        if (c->values[i] == r) return (int)i;
    return -1;
}

static u4 pred_of(const Opt *o, BlockRef b, BlockRef from) {
    u4 p = 0;
    while (opt_block(o, b)->preds[p] != from) p++;
    return p;
}

/* --- ways --- */

/* What r of the chain is on the way, if no code is needed for it; or 0. */
static Ref known(const Opt *o, const Chain *c, Ref r, u4 pred) {
    if (index_of(c, r) < 0) return r;
    const Node *n = opt_node(o, r);
    if (n->op == OPT_PHI) return n->block == c->blocks[0] ? n->args[pred] : known(o, c, n->args[0], pred);
    if (n->op != OPT_NARROW) return 0;
    Ref x = known(o, c, n->in[0], pred);
    OptRange range = x ? opt_range(o, x) : (OptRange){0, 2};
    return range.lo >= 0 && range.hi <= 1 ? x : 0; /* whatever its kind */
}

/* The range of an INT or LONG on the way. */
static OptRange range_on_way(const Opt *o, const Chain *c, Ref r, u4 pred) {
    Ref x = known(o, c, r, pred);
    const Node *n = opt_node(o, r);
    if (x || n->op == OPT_PHI) return opt_range(o, x ? x : r);
    bool of_first = n->op == OPT_NARROW || (opt_ops[n->op].inputs == 2 && opt_is_const(o, n->in[1]));
    return of_first ? opt_range_with(o, r, range_on_way(o, c, n->in[0], pred)) : opt_range(o, r);
}

static int decide_switch(const Opt *o, const Node *n, Ref x) {
    u4 n_keys = opt_block(o, n->block)->n_succs - 1;
    if (!x || !opt_is_const(o, x)) return -1;
    for (u4 i = 0; i < n_keys; i++)
        if (n->keys[i] == opt_node(o, x)->k) return (int)i + 1;
    return 0;
}

/* 1: it holds, 0, -1. */
static int decide_refs(const Opt *o, const Node *n, Ref x, Ref y) {
    if (!x || !y) return -1;
    const Node *a = opt_node(o, x), *b = opt_node(o, y);
    bool differ = (a->not_null && b->op == OPT_CONST && !b->k) || (b->not_null && a->op == OPT_CONST && !a->k);
    bool consts = a->op == OPT_CONST && b->op == OPT_CONST;
    if (x != y && !differ && !consts) return -1;
    bool same = x == y || (!differ && a->k == b->k);
    return same == (n->kind == COND_EQ);
}

/* Which successor of the test the way goes to; -1: not known. */
static int decide(const Opt *o, const Chain *c, u4 pred) {
    const Node *n = opt_node(o, c->end);
    Ref x = known(o, c, n->in[0], pred);
    if (n->op == OPT_SWITCH) return decide_switch(o, n, x);
    int is = n->from != OT_REF
                 ? opt_decide_ranges((Cond)n->kind, range_on_way(o, c, n->in[0], pred), range_on_way(o, c, n->in[1], pred))
                 : decide_refs(o, n, x, known(o, c, n->in[1], pred));
    return is < 0 ? -1 : !is;
}

/* Whether the test that begins at b asks for one of the join's phis. */
static bool feeds_test(const Opt *o, const Chain *join, BlockRef b) {
    Chain test;
    if (!find_chain(o, &test, b) || !is_test(o, &test)) return false;
    u4 p = pred_of(o, b, last_of(join));
    Ref r = known(o, &test, opt_node(o, test.end)->in[0], p);
    while (r && index_of(join, r) >= 0 && opt_node(o, r)->op == OPT_NARROW) r = opt_node(o, r)->in[0];
    return r && index_of(join, r) >= 0 && opt_node(o, r)->op == OPT_PHI;
}

static bool find_ways(Threading *w) {
    const Opt *o = w->o;
    const Chain *c = &w->c;
    const Block *first = opt_block(o, c->blocks[0]), *last = opt_block(o, last_of(c));
    bool is_join = opt_node(o, c->end)->op == OPT_JUMP, any = false;
    if (is_join && !feeds_test(o, c, last->succs[0])) return false;
    w->n_ways = 0;
    for (u4 p = 0; p < first->n_preds; p++) {
        Way *way = &w->ways[w->n_ways++];
        *way = (Way){.from = first->preds[p], .pred = p};
        if (opt_block(o, way->from)->n_succs != 1 || is_in(c, way->from)) continue;
        int succ = is_join ? 0 : decide(o, c, p);
        way->to = succ < 0 ? 0 : last->succs[succ];
        if (way->to && opt_block(o, way->to)->loop_head) way->to = 0;
        any |= way->to != 0;
    }
    return any;
}

/* --- what a way computes --- */

static Ref on_way(const Chain *c, const Way *way, Ref r) {
    int i = index_of(c, r);
    return i < 0 ? r : way->values[i];
}

static Ref copied(Opt *o, const Chain *c, const Way *way, Ref r) {
    Ref x = opt_new(o, (OptOp)opt_node(o, r)->op, (OptType)opt_node(o, r)->type);
    if (!x) return r;
    Node *n = opt_node(o, x), old = *opt_node(o, r);
    old.block = 0;
    old.next = old.prev = 0;
    *n = old;
    for (u4 i = 0; i < opt_ops[n->op].inputs; i++)
        if (n->in[i]) n->in[i] = on_way(c, way, n->in[i]);
    opt_insert_end(o, way->from, x);
    Ref is = opt_fold(o, x);
    if (is != x) opt_unlink(o, x);
    return is;
}

static void compute(Opt *o, const Chain *c, Way *way) {
    for (u4 i = 0; i < c->n_values; i++) {
        const Node *n = opt_node(o, c->values[i]);
        bool of_first = n->block == c->blocks[0];
        if (n->op == OPT_PHI) way->values[i] = of_first ? n->args[way->pred] : on_way(c, way, n->args[0]);
        else way->values[i] = copied(o, c, way, c->values[i]);
    }
}

/* --- edges --- */

/* The way's end leads to where it goes; phis there get what the chain's end would give. */
static void lead(Opt *o, const Chain *c, const Way *way) {
    u4 n = opt_block(o, way->to)->n_preds, like = pred_of(o, way->to, last_of(c));
    for (Ref r = opt_block(o, way->to)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next) {
        Ref *args = opt_alloc(o, (n + 1) * sizeof *args);
        if (!args) return;
        memcpy(args, opt_node(o, r)->args, n * sizeof *args);
        args[n] = on_way(c, way, args[like]);
        opt_node(o, r)->args = args;
    }
    opt_cut_edge(o, way->from, 0);
    opt_edge(o, way->from, way->to);
}

/* --- uses behind --- */

static Ref arrives(Threading *w, u4 v, BlockRef b);

static Ref at_end(Threading *w, u4 v, BlockRef b) {
    if (is_in(&w->c, b)) return w->c.values[v];
    for (u4 i = 0; i < w->n_ways; i++)
        if (w->ways[i].to && w->ways[i].from == b) return w->ways[i].values[v];
    return arrives(w, v, b);
}

static Ref arrives(Threading *w, u4 v, BlockRef b) {
    Opt *o = w->o;
    if (!w->made[v] && !(w->made[v] = opt_alloc(o, (o->n_blocks + 1) * sizeof(Ref)))) return w->c.values[v];
    Ref *made = &w->made[v][b];
    if (*made) return *made;
    u4 n = opt_block(o, b)->n_preds;
    if (n == 1) return *made = at_end(w, v, opt_block(o, b)->preds[0]);
    Ref phi = opt_new(o, OPT_PHI, (OptType)opt_node(o, w->c.values[v])->type), *args = opt_alloc(o, (n + 1) * sizeof *args);
    if (!phi || !args) return w->c.values[v];
    opt_node(o, phi)->args = args;
    opt_insert_phi(o, b, phi);
    *made = phi;
    for (u4 p = 0; p < n; p++) args[p] = at_end(w, v, opt_block(o, b)->preds[p]);
    return phi;
}

static void note_cell(Opt *o, Ref user, Ref *use, void *arg) {
    (void)o, (void)user;
    Threading *w = arg;
    w->found |= index_of(&w->c, *use) >= 0;
}

static void turn_cell(Opt *o, Ref user, Ref *use, void *arg) {
    (void)o, (void)user;
    Threading *w = arg;
    int v = index_of(&w->c, *use);
    if (v >= 0) *use = arrives(w, (u4)v, w->at);
}

/* States are shared: one that changes is copied. */
static State *turned_state(Threading *w, State *s) {
    if (!s) return NULL;
    w->found = false;
    opt_visit_state(w->o, s, note_cell, w);
    if (!w->found) return s;
    State *own = opt_copy_state(w->o, s);
    opt_visit_state(w->o, own, turn_cell, w);
    return own;
}

static void turn_phi(Threading *w, Ref r) {
    const Opt *o = w->o;
    BlockRef b = opt_node(o, r)->block;
    for (u4 p = 0; p < opt_block(o, b)->n_preds; p++) {
        int v = index_of(&w->c, opt_node(o, r)->args[p]);
        Ref is = v >= 0 ? at_end(w, (u4)v, opt_block(o, b)->preds[p]) : 0;
        if (v >= 0) opt_node(o, r)->args[p] = is;
    }
}

static void turn_node(Threading *w, Ref r) {
    Opt *o = w->o;
    if (opt_node(o, r)->op == OPT_PHI) return turn_phi(w, r);
    for (u4 i = 0; i < opt_ops[opt_node(o, r)->op].inputs; i++) {
        int v = index_of(&w->c, opt_node(o, r)->in[i]);
        Ref is = v >= 0 ? arrives(w, (u4)v, w->at) : 0;
        if (v >= 0) opt_node(o, r)->in[i] = is;
    }
    State *s = turned_state(w, opt_node(o, r)->state);
    opt_node(o, r)->state = s;
}

static void repair(Threading *w) {
    Opt *o = w->o;
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) {
        BlockRef b = o->order[i];
        if (is_in(&w->c, b)) continue;
        w->at = b;
        for (Ref r = opt_block(o, b)->first; r && !o->no_memory; r = opt_node(o, r)->next) turn_node(w, r);
        State *s = turned_state(w, opt_block(o, b)->state);
        opt_block(o, b)->state = s;
    }
}

/* --- the phase --- */

static void thread(Threading *w) {
    Opt *o = w->o;
    memset(w->made, 0, sizeof w->made);
    for (u4 i = 0; i < w->n_ways; i++)
        if (w->ways[i].to) compute(o, &w->c, &w->ways[i]);
    for (u4 i = 0; i < w->n_ways && !o->no_memory; i++)
        if (w->ways[i].to) lead(o, &w->c, &w->ways[i]);
    if (o->no_memory) return;
    opt_order(o);
    repair(w);
    w->work += o->n_order + o->n_nodes;
}

static bool thread_any(Threading *w) {
    const Opt *o = w->o;
    for (u4 i = 0; i < o->n_order; i++) {
        if (!find_chain(o, &w->c, o->order[i]) || !find_ways(w)) continue;
        thread(w);
        return true;
    }
    return false;
}

void opt_thread(Opt *o) {
    if (o->no_memory || o->why || o->n_nodes > MOST_NODES) return;
    Threading *w = opt_alloc(o, sizeof *w);
    u4 n = 0;
    if (!w) return;
    w->o = o;
    while (n < MOST_THREADED && w->work < MOST_WORK && !o->no_memory && thread_any(w)) n++;
    if (!n || o->no_memory) return;
    opt_split_edges(o); /* a test that kept some way */
    opt_number(o);
}
