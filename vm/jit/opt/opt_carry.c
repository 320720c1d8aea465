/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: what a turn of a loop leaves in a field is known in the next one.
 *
 * CARRIED  A loop that loads a field and stores it (a position, a counter, a sum) waits in each turn for what the one before stored.  If the value that
 *          the field has at the end of each turn is known, a phi of the head has it: in front of the loop it is what a load finds there, behind a
 *          turn what was stored last.  Loads of the loop that nothing else was written in front of are that phi.  Where ways meet that stored different
 *          values, a phi of that block has them.  Stores stay where they are: who leaves the code finds memory as it is to be.
 * KNOWN    Who wrote last is told by versions (opt_gvn.c): a store to the same field of the same object, whose value is its input; or a block where ways
 *          meet that disagree, for which the same is asked of each way.  Behind anything else (calls, stores to other objects' fields of that name, atomic
 *          accesses) the field is loaded again at the end of the block, if that is seldom run; else nothing is carried.  The object is one that the loop does not change, and a load of it may stand in front of
 *          the loop: the caller says so (opt_loop.c, LOADS).
 * OUTER    Loops are asked from the outermost in, since what an outer one carries is carried through the inner ones.
 *
 * Fields of less than 32 bits are left as they are: what is stored is not what is loaded.  So are references of which more is known than that they are such.
 */
#include "jit/opt/opt_pass.h"
#include <string.h>

enum { MOST_CARRIED = 24, MOST_MEETINGS = 24, MOST_DEEP = 8 };

/* One field in one loop. */
typedef struct Carried {
    BlockRef head;
    OptLoopEnds ends;
    Ref load; /* the first that was met: of which object and field, and how */
    u4 place;
    bool refused;
    u1 *seen; /* by block: it was found that a phi there can have the value, or is being asked */
    u4 n_seen;
    Ref *phis;  /* by block */
    Ref *again; /* loads at the ends of blocks */
} Carried;

typedef struct Change {
    struct Change *next;
    Ref load, by;
} Change;

typedef struct Carrying {
    Opt *o;
    OptVersions versions;
    Carried all[MOST_CARRIED];
    u4 n;
    Change *changes;
    OptMayMove may_move;
    void *arg;
} Carrying;

static bool same_field(const Node *x, const Node *y) {
    return x->in[0] == y->in[0] && x->k == y->k && x->kind == y->kind && x->what == y->what;
}

static bool is_its_store(const Opt *o, const Carried *c, Ref r) {
    const Node *store = opt_node(o, r);
    return opt_stores_field(o, store, store->in[0], opt_node(o, c->load));
}

static u4 behind(const Carrying *k, const Carried *c, BlockRef b) { return k->versions.ends[b][c->place]; }

static bool is_known(Carrying *k, Carried *c, u4 version);

static bool is_loaded_again(const Carrying *k, const Carried *c, BlockRef b) {
    u4 version = behind(k, c, b);
    return !(version & OPT_MEETS) && opt_block(k->o, b)->seldom && opt_is_in_loop(k->o, b, c->head) &&
           !is_its_store(k->o, c, version);
}
static bool is_known_behind(Carrying *k, Carried *c, BlockRef b) {
    return is_loaded_again(k, c, b) || is_known(k, c, behind(k, c, b));
}

/* On all ways that lead to b; of the head, in the loop. */
static bool is_known_where_ways_meet(Carrying *k, Carried *c, BlockRef b) {
    const Block *x = opt_block(k->o, b);
    if (c->seen[b]) return true;
    if (++c->n_seen > MOST_MEETINGS || !opt_is_in_loop(k->o, b, c->head)) return false;
    c->seen[b] = true;
    for (u4 p = 0; p < x->n_preds; p++) {
        bool arrives = b == c->head && p == c->ends.outside;
        if (!arrives && !is_known_behind(k, c, x->preds[p])) return false;
    }
    return true;
}

static bool is_known(Carrying *k, Carried *c, u4 version) {
    if (version & OPT_MEETS) return is_known_where_ways_meet(k, c, version & ~OPT_MEETS);
    return version && is_its_store(k->o, c, version);
}

/* What the field has at the end of a block: in front of the loop, or where it may have been written. */
static Ref load_at_end(Carrying *k, const Carried *c, BlockRef b) {
    Opt *o = k->o;
    Ref r = opt_new(o, OPT_LOAD, (OptType)opt_node(o, c->load)->type);
    const Node *like = opt_node(o, c->load);
    Node *n = opt_node(o, r);
    n->kind = like->kind;
    n->k = like->k;
    n->what = like->what;
    n->in[0] = like->in[0];
    n->after = like->after;
    opt_insert_end(o, b, r);
    return r;
}

static Ref value_of(Carrying *k, Carried *c, u4 version);

static Ref value_behind(Carrying *k, Carried *c, BlockRef b) {
    if (!is_loaded_again(k, c, b)) return value_of(k, c, behind(k, c, b));
    if (!c->again[b]) c->again[b] = load_at_end(k, c, b);
    return c->again[b];
}

static Ref phi_of(Carrying *k, Carried *c, BlockRef b) {
    Opt *o = k->o;
    u4 many = opt_block(o, b)->n_preds;
    if (c->phis[b]) return c->phis[b];
    Ref *args = opt_alloc(o, many * sizeof *args), r = opt_new(o, OPT_PHI, (OptType)opt_node(o, c->load)->type);
    if (!args || !r) return 0;
    opt_node(o, r)->args = args;
    opt_insert_phi(o, b, r);
    c->phis[b] = r;
    for (u4 p = 0; p < many; p++) {
        bool arrives = b == c->head && p == c->ends.outside;
        BlockRef from = opt_block(o, b)->preds[p];
        args[p] = arrives ? load_at_end(k, c, from) : value_behind(k, c, from);
    }
    return r;
}

static Ref value_of(Carrying *k, Carried *c, u4 version) {
    return version & OPT_MEETS ? phi_of(k, c, version & ~OPT_MEETS) : opt_node(k->o, version)->in[1];
}

/* What is known of the load's field in this loop; NULL: there are too many, or no memory. */
static Carried *carried_of(Carrying *k, Ref load, BlockRef head) {
    Opt *o = k->o;
    const Node *n = opt_node(o, load);
    for (u4 i = 0; i < k->n; i++)
        if (k->all[i].head == head && same_field(n, opt_node(o, k->all[i].load))) return &k->all[i];
    if (k->n == MOST_CARRIED) return NULL;
    Carried *c = &k->all[k->n];
    *c = (Carried){.head = head, .load = load, .place = opt_place(o, n)};
    c->seen = opt_alloc(o, o->n_blocks + 1);
    c->phis = opt_alloc(o, (o->n_blocks + 1) * sizeof *c->phis);
    c->again = opt_alloc(o, (o->n_blocks + 1) * sizeof *c->again);
    if (!c->seen || !c->phis || !c->again) return NULL;
    c->refused = !opt_loop_ends(o, head, &c->ends);
    k->n++;
    return c;
}

static bool carry_in(Carrying *k, Ref load, BlockRef head, u4 version) {
    Opt *o = k->o;
    if (!k->may_move(k->arg, load, head)) return false;
    Carried *c = carried_of(k, load, head);
    if (!c || c->refused) return false;
    if (!is_known(k, c, version)) return c->refused = true, false;
    Change *change = opt_alloc(o, sizeof *change);
    Ref by = value_of(k, c, version);
    if (!change || o->no_memory) return false;
    *change = (Change){k->changes, load, by};
    k->changes = change;
    return true;
}

static void carry(Carrying *k, Ref load, u4 version) {
    BlockRef heads[MOST_DEEP];
    u4 n = 0;
    for (BlockRef h = opt_block(k->o, opt_node(k->o, load)->block)->loop; h && n < MOST_DEEP; h = opt_loop_around(k->o, h))
        heads[n++] = h;
    while (n > 0 && !carry_in(k, load, heads[n - 1], version)) n--;
}

static void carry_of_block(Carrying *k, BlockRef b) {
    Opt *o = k->o;
    u4 now[OPT_PLACES + 1];
    memcpy(now, k->versions.starts[b], sizeof now);
    for (Ref r = opt_block(o, b)->first; r; r = opt_node(o, r)->next) {
        const Node *n = opt_node(o, r);
        if (opt_is_whole_field(o, n) && now[opt_place(o, n)] & OPT_MEETS) carry(k, r, now[opt_place(o, n)]);
        for (u8 set = opt_changes(o, opt_node(o, r)); set; set &= set - 1) now[__builtin_ctzll(set)] = r;
    }
}

/* The loads were in their places until now, so that it was known what each of them sees. */
static void replace_all(Carrying *k) {
    Opt *o = k->o;
    Ref *to = opt_alloc(o, (o->n_nodes + 1) * sizeof *to);
    if (!to) return;
    for (const Change *c = k->changes; c; c = c->next) {
        to[c->load] = c->by;
        opt_unlink(o, c->load);
    }
    opt_replace(o, to);
}

bool opt_carry(Opt *o, OptMayMove may_move, void *arg) {
    Carrying *k = opt_alloc(o, sizeof *k);
    if (!k) return false;
    k->o = o;
    k->may_move = may_move;
    k->arg = arg;
    if (!opt_find_versions(o, &k->versions)) return false;
    u4 blocks = o->n_order;
    for (u4 i = 0; i < blocks && !o->no_memory; i++)
        if (opt_block(o, o->order[i])->loop && k->versions.starts[o->order[i]]) carry_of_block(k, o->order[i]);
    if (k->changes && !o->no_memory) replace_all(k);
    return k->changes;
}
