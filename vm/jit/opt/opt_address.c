/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: what instructions that read memory do for nothing: they add a constant to an index, and make bytes wider either way.
 *
 * INDICES    An index is written with its constant outermost: x - (p + 3) as (x - p) - 3, (p + 1) << 1 as (p << 1) + 2.  INTs wrap alike.  The next
 *            opt_number finds that copies of a turn have the same first part.
 * ADDRESSES  The element at q + c is read at q, moved by c (Node.k of ELEMENT and SET_ELEMENT).  q + c is within bounds where the access is done, for that was
 *            asked or is known.  The address that the machine adds up from 64 bits, q having zeros above its 32, is the same if q + c does not wrap
 *            among 32 bits without sign: for c < 0 always, since then q = (q + c) - c is no more than they hold; for c > 0 if q is not negative: by
 *            its range, or since it was an index itself on all ways to here.  A sum that nobody else uses goes.
 *            Those of PEEK and POKE are sums of 64 bits, as the machine's.
 * BYTES      One that is loaded with its sign, and of which everybody takes the lower bits alone (x & 0xff), is loaded without it.  The same for 16 bits.
 *            Loads of one place that differ in this alone would be one for opt_number, so it must be done by then.
 * STORES     of 8 or 16 bits take those of a value that nobody has narrowed before.
 *
 * Behind all others that look for equal indices: they find them by the nodes that they are.
 */
#include "jit/opt/opt_pass.h"

enum { MOST_MOVED = 1 << 16, MOST_DEPTH = 4, MOST_SEEN = 32 };

/* --- indices --- */

typedef struct Split {
    Ref rest; /* the index is rest + k */
    int64_t k;
} Split;

static Ref put(Opt *o, Ref before, OptOp op, Ref x, Ref y) {
    Ref r = opt_new(o, op, OT_INT);
    if (!r) return x;
    opt_node(o, r)->in[0] = x;
    opt_node(o, r)->in[1] = y;
    Ref is = opt_fold(o, r);
    if (is == r) opt_insert_before(o, before, r);
    return is;
}

static int64_t as_int(int64_t k) { return (int32_t)(u4)(u8)k; }

static Split split(Opt *o, Ref before, Ref r, u4 depth) {
    Split whole = {r, 0};
    const Node n = *opt_node(o, r);
    if (!depth || n.type != OT_INT) return whole;
    bool constant = (n.op == OPT_ADD || n.op == OPT_SHL || n.op == OPT_MUL) && opt_is_const(o, n.in[1]);
    int64_t k = constant ? opt_node(o, n.in[1])->k : 0;
    if (!constant && n.op != OPT_ADD && n.op != OPT_SUB) return whole;
    Split x = split(o, before, n.in[0], depth - 1), y = {0};
    if (constant && n.op == OPT_ADD) return (Split){x.rest, as_int(x.k + k)};
    if (!constant) y = split(o, before, n.in[1], depth - 1);
    if (!x.k && !y.k) return whole;
    if (n.op == OPT_SHL) x.k = as_int((int64_t)((u8)x.k << (k & 31)));
    else if (n.op == OPT_MUL) x.k = as_int(x.k * k);
    else x.k = as_int(n.op == OPT_SUB ? x.k - y.k : x.k + y.k);
    return (Split){put(o, before, (OptOp)n.op, x.rest, constant ? n.in[1] : y.rest), x.k};
}

static bool is_access(const Node *n) { return n->op == OPT_ELEMENT || n->op == OPT_SET_ELEMENT; }

/* One constant that is outermost as it is stays, or each round would write it anew. */
static void write_index(Opt *o, Ref r, u4 i) {
    const Node *index = opt_node(o, opt_node(o, r)->in[i]);
    if (index->op == OPT_CONST) return;
    Split s = split(o, r, opt_node(o, r)->in[i], MOST_DEPTH);
    if (!s.k || (index->op == OPT_ADD && opt_is_const(o, index->in[1]) && index->in[0] == s.rest)) return;
    Ref sum = put(o, r, OPT_ADD, s.rest, opt_const(o, OT_INT, s.k));
    opt_node(o, r)->in[i] = sum;
}

void opt_indices(Opt *o) {
    if (o->no_memory || o->why) return;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r && !o->no_memory; r = opt_node(o, r)->next) {
            if (is_access(opt_node(o, r))) write_index(o, r, 1);
            else if (opt_node(o, r)->op == OPT_IN_BOUNDS) write_index(o, r, 0);
        }
}

/* --- addresses --- */

typedef struct Seen {
    Ref all[MOST_SEEN]; /* were indices */
    u4 n;
} Seen;

static bool was_index(const Seen *s, Ref r) {
    for (u4 i = 0; i < s->n; i++)
        if (s->all[i] == r) return true;
    return false;
}

static void move_into_address(Opt *o, Ref r, Seen *s) {
    Node *n = opt_node(o, r);
    const Node *index = opt_node(o, n->in[1]);
    int64_t by = index->op == OPT_ADD && opt_is_const(o, index->in[1]) ? opt_node(o, index->in[1])->k : 0;
    if (!by && s->n < MOST_SEEN) s->all[s->n++] = n->in[1];
    if (!by || by > MOST_MOVED || by < -MOST_MOVED) return;
    if (by > 0 && opt_range(o, index->in[0]).lo < 0 && !was_index(s, index->in[0])) return;
    n->k = by;
    n->in[1] = index->in[0];
}

static void move_into_raw_address(const Opt *o, Node *n) {
    for (const Node *x; n->in[1] && (x = opt_node(o, n->in[1]))->op == OPT_ADD && opt_is_const(o, x->in[1]);
         n->in[1] = x->in[0]) {
        int64_t k = (int64_t)((u8)n->k + (u8)opt_node(o, x->in[1])->k);
        if (!opt_is_displacement(k)) return;
        n->k = k;
    }
}

static void move_constants(Opt *o) {
    Seen seen = {.n = 0};
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *b = opt_block(o, o->order[i]);
        if (!i || b->n_preds != 1 || b->preds[0] != o->order[i - 1]) seen.n = 0;
        for (Ref r = b->first; r; r = opt_node(o, r)->next)
            if (is_access(opt_node(o, r))) move_into_address(o, r, &seen);
            else if (opt_node(o, r)->op == OPT_PEEK || opt_node(o, r)->op == OPT_POKE) move_into_raw_address(o, opt_node(o, r));
    }
}

/* --- bytes --- */

typedef struct Masks {
    u1 *spoilt; /* by node: somebody wants all of it */
    Ref *is;    /* by node: what it is in truth, or 0 */
} Masks;

static int64_t bits_of(const Node *n) { return n->kind == MEM_S8 ? UINT8_MAX : n->kind == MEM_S16 ? UINT16_MAX : 0; }

static bool takes_low_bits(const Opt *o, const Node *n) {
    const Node *x = opt_node(o, n->in[0]);
    if (n->op != OPT_AND || !opt_is_const(o, n->in[1]) || (x->op != OPT_ELEMENT && x->op != OPT_LOAD) || x->type != OT_INT)
        return false;
    int64_t k = opt_node(o, n->in[1])->k;
    return k >= 0 && k <= bits_of(x);
}

static void note_use(Opt *o, Ref user, Ref *use, void *arg) {
    Masks *m = arg;
    const Node *n = opt_node(o, user);
    if (!takes_low_bits(o, n) || *use != n->in[0]) m->spoilt[*use] = true;
}

static void load_without_sign(Opt *o) {
    Masks m = {opt_alloc(o, o->n_nodes + 1), opt_alloc(o, (o->n_nodes + 1) * sizeof *m.is)};
    bool any = false;
    if (o->no_memory) return;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next)
            opt_visit_uses(o, r, true, true, note_use, &m);
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next) {
            const Node *n = opt_node(o, r);
            if (!takes_low_bits(o, n) || m.spoilt[n->in[0]]) continue;
            any = true;
            if (opt_node(o, n->in[1])->k == bits_of(opt_node(o, n->in[0]))) m.is[r] = n->in[0];
        }
    if (!any) return;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next) {
            const Node *n = opt_node(o, r);
            Node *x = opt_node(o, n->in[0]);
            if (takes_low_bits(o, n) && !m.spoilt[n->in[0]]) x->kind = x->kind == MEM_S8 ? MEM_U8 : MEM_U16;
        }
    opt_replace(o, m.is);
}

/* --- stores --- */

static u4 bits_stored(const Node *n) {
    if (n->op != OPT_STORE && n->op != OPT_SET_ELEMENT && n->op != OPT_POKE) return 0;
    return n->kind == MEM_U8 || n->kind == MEM_S8 ? UINT8_MAX : n->kind == MEM_U16 || n->kind == MEM_S16 ? UINT16_MAX : 0;
}

static void store_without_narrowing(Opt *o) {
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next) {
            Node *n = opt_node(o, r);
            u4 bits = bits_stored(n);
            Ref *v = &n->in[n->op == OPT_STORE ? 1 : 2];
            if (bits) *v = opt_without_narrowing(o, *v, bits);
        }
}

void opt_addresses(Opt *o) {
    if (o->no_memory || o->why) return;
    move_constants(o);
    load_without_sign(o);
    store_without_narrowing(o);
    if (!o->no_memory) opt_sweep(o);
}
