/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linear order of blocks, positions, and where values live.
 *
 * ORDER  A block comes when all its predecessors but those behind jumps back are there; of those that may come next the one that is not rare, in the
 *        deepest loop, and found last.  So loops are in one piece, a block mostly follows one of its predecessors, and rare ones are the last.
 *        So are those that are seldom run and come back: nobody waits for them who has other predecessors.  So what calls destroy there is in
 *        registers on the usual way, and still a block comes behind the one that dominates it.
 *
 * LIFE   Found for each value by itself: from each use upwards through predecessors until the definition is met (every use is dominated by it), and
 *        blocks that were passed are marked with the value.  The work is the number of blocks in which values live; no sets, no iteration, loops
 *        are not special.  What follows is a list of ranges in the order of positions.
 *
 * Values of states are used by their node, but need no register; inputs of phis are used where their predecessor ends.  Parameters and constants are
 * defined where the entry begins.
 *
 * Rejected: sets of live values per block with iteration (quadratic memory); one pass backwards with ranges that loops extend (wants reducible loops
 * in one piece, which the order gives only nearly).
 */
#include "jit/opt/opt_int.h"
#include <stdlib.h>
#include <string.h>

/* --- order --- */

typedef struct Ready { /* blocks that may come next, best last: lists by loop depth, rare ones by themselves */
    BlockRef *next;    /* per block: the one found before it */
    BlockRef *lists;   /* per depth; 0: rare */
    u4 depths, best;
} Ready;

static void add_ready(const Opt *o, Ready *q, BlockRef b) {
    const Block *x = opt_block(o, b);
    u4 d = x->rare || x->seldom ? 0 : x->loop_depth + 1;
    q->next[b] = q->lists[d];
    q->lists[d] = b;
    if (d > q->best) q->best = d;
}

static BlockRef take_ready(Ready *q) {
    while (!q->lists[q->best]) {
        if (!q->best) return 0;
        q->best--;
    }
    BlockRef b = q->lists[q->best];
    q->lists[q->best] = q->next[b];
    return b;
}

static bool is_before(const Block *p, const Block *x) { return p->order < x->order; }

/* Predecessors that x waits for. */
static u4 awaited(const Opt *o, const Block *x) {
    u4 n = 0, seldom = 0;
    for (u4 p = 0; p < x->n_preds; p++) {
        const Block *from = opt_block(o, x->preds[p]);
        n += is_before(from, x);
        seldom += is_before(from, x) && from->seldom;
    }
    return n > seldom ? n - seldom : n;
}

static bool is_awaited(const Opt *o, const Block *from, const Block *x) {
    if (!is_before(from, x)) return false;
    for (u4 p = 0; from->seldom && p < x->n_preds; p++)
        if (is_before(opt_block(o, x->preds[p]), x) && !opt_block(o, x->preds[p])->seldom) return false;
    return true;
}

static bool put_in_order(Back *b) {
    Opt *o = b->o;
    u4 *waits = opt_alloc(o, (o->n_blocks + 1) * sizeof *waits), deepest = 0;
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *x = opt_block(o, o->order[i]);
        if (x->loop_depth > deepest) deepest = x->loop_depth;
        if (waits) waits[o->order[i]] = awaited(o, x);
    }
    Ready q = {.next = opt_alloc(o, (o->n_blocks + 1) * sizeof *q.next), .lists = opt_alloc(o, (deepest + 2) * sizeof *q.lists)};
    b->order = opt_alloc(o, o->n_order * sizeof *b->order);
    if (o->no_memory) return false;
    add_ready(o, &q, o->order[0]);
    for (BlockRef r; (r = take_ready(&q));) {
        const Block *x = opt_block(o, r);
        b->order[b->n_order++] = r;
        for (u4 s = x->n_succs; s-- > 0;) {
            BlockRef to = x->succs[s];
            if (is_awaited(o, x, opt_block(o, to)) && !--waits[to]) add_ready(o, &q, to);
        }
    }
    return true;
}

bool opt_number_blocks(Back *b) {
    Opt *o = b->o;
    u4 steps = o->n_order + 1;
    if (!put_in_order(b)) return false;
    for (u4 i = 0; i < b->n_order; i++)
        for (Ref r = opt_block(o, b->order[i])->first; r; r = opt_node(o, r)->next) steps++;
    b->spans = opt_alloc(o, (o->n_blocks + 1) * sizeof *b->spans);
    b->block_at = opt_alloc(o, steps * sizeof *b->block_at);
    if (o->no_memory) return false;
    for (u4 i = 0; i < b->n_order; i++) {
        Span *s = span_of(b, b->order[i]);
        *s = (Span){.from = STEP * b->n_steps, .index = i};
        b->block_at[b->n_steps++] = i;
        for (Ref r = opt_block(o, b->order[i])->first; r; r = opt_node(o, r)->next) {
            Node *n = opt_node(o, r);
            n->pos = s->from;
            if (n->op == OPT_PHI || n->op == OPT_PARAM || n->op == OPT_CONST || b->fused[r] || b->silent[r]) continue;
            n->pos = STEP * b->n_steps;
            b->block_at[b->n_steps++] = i;
        }
        s->to = STEP * b->n_steps;
    }
    return true;
}

/* --- uses --- */

typedef void (*UseVisitor)(Back *b, Ref value, u4 pos, u1 how);

static void visit_value(Back *b, Ref v, u4 pos, u1 how, UseVisitor visit) {
    if (v && opt_node(b->o, v)->op != OPT_VIRTUAL) visit(b, v, pos, how);
}

static void visit_state(Back *b, Ref guard, u4 pos, u1 how, UseVisitor visit) {
    const State *s = opt_node(b->o, guard)->state;
    for (const StateObject *x = s ? s->objects : NULL; x; x = x->next)
        for (u4 i = 0; i < x->layout->n; i++) visit_value(b, x->values[i], pos, how, visit);
    for (; s; s = s->outer)
        for (u4 i = 0; i < s->n_locals + s->n_stack; i++) visit_value(b, s->cells[i], pos, how, visit);
}

static void visit_inputs(Back *b, const Node *n, u4 pos, u1 how, UseVisitor visit) {
    for (u4 i = 0; i < opt_ops[n->op].inputs; i++) {
        if (!n->in[i] || opt_imm(b, n, i)) continue;
        u1 late = opt_reads_late(b, n, i) ? USE_LATE : 0;
        if (!b->fused[n->in[i]]) visit(b, n->in[i], pos, how | late);
    }
}

static void visit_node(Back *b, Ref r, UseVisitor visit) {
    const Node *n = opt_node(b->o, r);
    visit_inputs(b, n, n->pos, USE_REG, visit);
    for (u4 i = 0; i < opt_ops[n->op].inputs; i++) /* what stands in it */
        if (n->in[i] && b->fused[n->in[i]]) visit_inputs(b, opt_node(b->o, n->in[i]), n->pos, USE_REG, visit);
    u1 late = opt_state_late(b, r) ? USE_LATE : 0;
    if (n->state) visit_state(b, r, n->pos, late, visit);
    if (b->faults[r]) visit_state(b, b->faults[r], n->pos, late, visit);
}

static void visit_phis_of(Back *b, BlockRef from, UseVisitor visit) {
    const Opt *o = b->o;
    for (u4 s = 0; s < opt_block(o, from)->n_succs; s++) {
        BlockRef to = opt_block(o, from)->succs[s];
        u4 p = 0;
        if (opt_node(o, opt_block(o, to)->first)->op != OPT_PHI) continue;
        while (opt_block(o, to)->preds[p] != from) p++;
        for (Ref r = opt_block(o, to)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
            visit(b, opt_node(o, r)->args[p], span_of(b, from)->to - 1, USE_OUT);
    }
}

/* In the order of positions. */
static void visit_uses(Back *b, UseVisitor visit) {
    for (u4 i = 0; i < b->n_order; i++) {
        for (Ref r = opt_block(b->o, b->order[i])->first; r; r = opt_node(b->o, r)->next) {
            const Node *n = opt_node(b->o, r);
            if (n->op == OPT_PHI || b->fused[r] || b->silent[r]) continue;
            visit_node(b, r, visit);
        }
        visit_phis_of(b, b->order[i], visit);
    }
}

static void count_use(Back *b, Ref value, u4 pos, u1 how) { b->lives[value].n_uses++; }

/* Of several in one step one is kept. */
static void note_use(Back *b, Ref value, u4 pos, u1 how) {
    Life *l = &b->lives[value];
    LiveUse *last = l->n_uses ? &l->uses[l->n_uses - 1] : NULL;
    if (last && last->pos == pos) last->how |= how;
    else l->uses[l->n_uses++] = (LiveUse){pos, how};
}

static u4 defined_at(const Node *n) {
    return n->op == OPT_PHI || n->op == OPT_PARAM || n->op == OPT_CONST ? n->pos : n->pos + AT_RESULT;
}

static bool begins_in_register(const Node *n) { return n->op != OPT_PHI && n->op != OPT_PARAM && n->op != OPT_CONST; }

static bool collect_uses(Back *b) {
    Opt *o = b->o;
    visit_uses(b, count_use);
    for (u4 i = 0; i < b->n_order; i++)
        for (Ref r = opt_block(o, b->order[i])->first; r; r = opt_node(o, r)->next) {
            Life *l = &b->lives[r];
            if (!opt_gives(opt_node(o, r)) || b->fused[r]) continue;
            l->def = defined_at(opt_node(o, r));
            l->uses = opt_alloc(o, (l->n_uses + 1) * sizeof *l->uses);
            if (!l->uses) return false;
            l->n_uses = 0;
            if (begins_in_register(opt_node(o, r))) l->uses[l->n_uses++] = (LiveUse){l->def, USE_REG};
        }
    visit_uses(b, note_use);
    return true;
}

/* --- ranges --- */

typedef struct Spread {
    u4 *mark;  /* per index of a block: the value that was there last */
    u4 *ends;  /* its last position there */
    u4 *work;  /* blocks at whose start it lives */
    u4 *found; /* all in which it lives */
    u4 n_work, n_found;
} Spread;

static void lives_in(Spread *s, Ref v, u4 index, u4 end) {
    if (s->mark[index] != v) {
        s->mark[index] = v;
        s->ends[index] = 0;
        s->found[s->n_found++] = index;
    }
    if (end > s->ends[index]) s->ends[index] = end;
}

/* It lives from the start of the block to `end`. */
static void lives_at_start(Spread *s, Ref v, u4 index, u4 end, u4 def) {
    bool known = s->mark[index] == v;
    lives_in(s, v, index, end);
    if (!known && index != def) s->work[s->n_work++] = index;
}

static void spread(Back *b, Spread *s, Ref v, u4 def) {
    while (s->n_work) {
        const Block *x = opt_block(b->o, b->order[s->work[--s->n_work]]);
        for (u4 p = 0; p < x->n_preds; p++) {
            const Span *from = span_of(b, x->preds[p]);
            lives_at_start(s, v, from->index, from->to, def);
        }
    }
}

static u4 end_of_use(LiveUse u) {
    if (u.how & USE_OUT) return u.pos + 1;
    return u.pos + (u.how & USE_LATE ? AT_LATE : 1);
}

static int by_number(const void *x, const void *y) {
    u4 a = *(const u4 *)x, b = *(const u4 *)y;
    return a < b ? -1 : a > b;
}

static LiveRange *make_ranges(Back *b, Spread *s, const Life *l, u4 def) {
    LiveRange *first = NULL, **to = &first, *last = NULL;
    qsort(s->found, s->n_found, sizeof *s->found, by_number);
    for (u4 i = 0; i < s->n_found; i++) {
        u4 index = s->found[i], from = index == def ? l->def : span_of(b, b->order[index])->from;
        if (last && last->to == from) {
            last->to = s->ends[index];
            continue;
        }
        if (!(last = opt_alloc(b->o, sizeof *last))) return NULL;
        *last = (LiveRange){from, s->ends[index], NULL};
        *to = last;
        to = &last->next;
    }
    return first;
}

static bool find_life(Back *b, Spread *s, Ref v) {
    Life *l = &b->lives[v];
    const Node *n = opt_node(b->o, v);
    u4 def = block_of(b, l->def);
    s->n_found = 0;
    lives_in(s, v, def, l->def + 1);
    for (u4 i = 0; i < l->n_uses; i++) {
        lives_at_start(s, v, block_of(b, l->uses[i].pos), end_of_use(l->uses[i]), def);
        spread(b, s, v, def);
    }
    Piece *p = opt_alloc(b->o, sizeof *p);
    LiveRange *ranges = make_ranges(b, s, l, def);
    if (!p || !ranges) return false;
    *p = (Piece){.value = v,
                 .ranges = ranges,
                 .now = ranges,
                 .uses = l->uses,
                 .n_uses = l->n_uses,
                 .reg = NO_REG,
                 .fp = opt_is_fp(n->type)};
    p->from = ranges->from;
    for (const LiveRange *x = ranges; x; x = x->next) p->to = x->to;
    l->first = l->last_asked = p;
    return true;
}

/* --- what nodes destroy --- */

static void note_clobbers(Back *b, Ref r) {
    const Node *n = opt_node(b->o, r);
    Clobber c = opt_clobbers(b, n);
    c.pos = n->pos;
    if (c.general | c.fp) b->clobbers[b->n_clobbers++] = c;
    if (opt_does(n) & OPT_STOPS) b->stops[b->n_stops++] = (Stop){.node = r, .pos = n->pos};
}

bool opt_lives(Back *b) {
    Opt *o = b->o;
    Spread s = {.mark = opt_alloc(o, b->n_order * sizeof(u4)),
                .ends = opt_alloc(o, b->n_order * sizeof(u4)),
                .work = opt_alloc(o, (b->n_order + 1) * sizeof(u4)),
                .found = opt_alloc(o, (b->n_order + 1) * sizeof(u4))};
    b->lives = opt_alloc(o, (o->n_nodes + 1) * sizeof *b->lives);
    b->clobbers = opt_alloc(o, b->n_steps * sizeof *b->clobbers);
    b->stops = opt_alloc(o, b->n_steps * sizeof *b->stops);
    if (o->no_memory || !collect_uses(b)) return false;
    for (u4 i = 0; i < b->n_order; i++)
        for (Ref r = opt_block(o, b->order[i])->first; r; r = opt_node(o, r)->next) {
            if (b->fused[r] || b->silent[r]) continue;
            note_clobbers(b, r);
            bool there = opt_node(o, r)->op == OPT_PARAM || opt_node(o, r)->op == OPT_CONST || opt_node(o, r)->op == OPT_PHI;
            if (opt_gives(opt_node(o, r)) && (!there || b->lives[r].n_uses) && !find_life(b, &s, r)) return false;
        }
    return true;
}
