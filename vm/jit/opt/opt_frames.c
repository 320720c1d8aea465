/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which frames of bodies are there already when a call is made: a call writes those that are not.
 *
 * A frame, but for its own position, stays what it is as long as the code is in the body: calls and helpers of the body, and of bodies in it, leave cells
 * below their own alone.  One of another scope may write over it, and so may a value whose home is one of its cells when the body does not run.
 * With a frame those around it are there.  So what is known at a point is one scope: it and those around it have their frames.  Behind a
 * call it is the scope of the call; behind a helper, which may not have been called, what both have in common; where ways
 * meet, what all have.  Blocks are walked until nothing changes, which for loops is twice.
 */
#include "jit/opt/opt_int.h"
#include "object/method.h"

static const OptScope *common(const OptScope *x, const OptScope *y) {
    while (x != y) {
        if (x->level > y->level) x = x->outer;
        else if (y->level > x->level) y = y->outer;
        else {
            x = x->outer;
            y = y->outer;
        }
    }
    return x;
}

bool opt_is_around(const OptScope *outer, const OptScope *s) {
    while (s->level > outer->level) s = s->outer;
    return s == outer;
}

/* The place is written: frames that it is part of are no more. */
static const OptScope *overwritten(const Back *b, const OptScope *s, u4 place) {
    const OptScope *left = s;
    for (; s->number; s = s->outer)
        if (place >= opt_cell_place(b, s, true, s->method->max_locals) && place < opt_cell_place(b, s, false, 0)) left = s->outer;
    return left;
}

static const OptScope *overwritten_by(const Back *b, const OptScope *s, const EdgeMove *m) {
    for (; m; m = m->next)
        if (m->to.kind == LOC_CELL) s = overwritten(b, s, m->to.n);
    return s;
}

typedef struct Walk {
    Back *b;
    const OptScope **at; /* per block: at its start; NULL: not reached */
    u4 stop;             /* the next one, in the order of positions */
} Walk;

static const OptScope *behind_node(Walk *w, Ref r, const OptScope *s) {
    Back *b = w->b;
    const Node *n = opt_node(b->o, r);
    const Life *l = &b->lives[r];
    if (opt_does(n) & OPT_STOPS) {
        b->stops[w->stop++].framed = s;
        s = n->op == OPT_CALL ? n->state->scope : common(s, n->state->scope);
    }
    if (n->op == OPT_LOCK && s == n->state->scope && s->number) s = s->outer; /* it does not say yet that it holds the monitor */
    if (n->op == OPT_QUICK) s = common(s, n->state->scope);                   /* the root's position is written */
    return l->in_memory ? overwritten(b, s, l->home) : s;
}

static const OptScope *behind_block(Walk *w, BlockRef r, const OptScope *s) {
    const Back *b = w->b;
    const Span *span = &b->spans[r];
    s = overwritten_by(b, s, span->at_start);
    for (Ref n = opt_block(b->o, r)->first; n; n = opt_node(b->o, n)->next) s = behind_node(w, n, s);
    return overwritten_by(b, s, span->at_end);
}

static bool walk(Walk *w) {
    const Back *b = w->b;
    bool changed = false;
    w->stop = 0;
    for (u4 i = 0; i < b->n_order; i++) {
        const Block *x = opt_block(b->o, b->order[i]);
        const OptScope *end = behind_block(w, b->order[i], w->at[b->order[i]]);
        for (u4 s = 0; s < x->n_succs; s++) {
            const OptScope **to = &w->at[x->succs[s]], *was = *to;
            *to = was ? common(was, end) : end;
            changed |= *to != was && was;
        }
    }
    return changed;
}

bool opt_frames(Back *b) {
    Walk w = {.b = b, .at = opt_alloc(b->o, (b->o->n_blocks + 1) * sizeof *w.at)};
    const OptScope *root = b->o->scopes;
    while (root && root->number) root = root->all;
    if (!w.at || !root) return false;
    w.at[b->order[0]] = root;
    while (walk(&w)) {}
    return true;
}
