/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: what was computed, asked or loaded before on all ways is not done again.
 *
 * WALK     Blocks in preorder of the dominator tree, nodes in their order.  A hash table has what is known where the walk
 *          stands; entries are taken out when it leaves the block that made them.  So whatever is found was made in a
 *          node, or by an edge, that dominates.  Inputs of a node were visited before it, but for those of phis on edges
 *          back: these see replaced values in the next round.
 * VERSIONS A load is equal to another of the same place if no write lies between them on any way.  Places are numbered
 *          coarsely (opt_place); each has a version at each point: the last node that wrote it; or, where ways meet that
 *          disagree, the block.  Versions at the starts of blocks are found in one pass in reverse postorder, before the
 *          walk: what a loop changes is known from its blocks, so its head needs no second look.  A store leaves its
 *          value as what a load with the new version has. A POLL does not change memory: other threads' plain writes need
 *          not be seen there (JLS 17.4), and what the thread itself does in the meantime, if it does not leave, writes no
 *          Java memory.  All other stops change everything.  Place OPT_STOP counts collections that may have been: an
 *          object made in this version is young and needs no CARD, and one CARD in it is enough.
 *          A field that never changes (Node.plain) has a version of its own.
 * MEET     Behind ways that meet with different versions a field is what it was on each of them, if that is known there: a phi.  Known is what was stored, or
 *          found by a load in front of the branch.  Heads of loops: opt_carry.c.
 * FACTS    Of pairs of values it is known which of <, ==, > and below, above are possible; of INT and LONG, a range.
 *          Both come from the edge by which a block is reached, if there is only one, and from guards that were passed.
 *          Facts only become more.
 * GUARDS   One that equals an earlier one is replaced by it.  A NOT_NULL that a fact implies is replaced by where that is known from: another guard, or HERE
 *          at the start of the block that a branch leads to.  Another one that facts imply goes, and those that relied on it are
 *          pinned: there may be several such places.
 * STORES   One that is overwritten in its block before anything could look goes: loads of its place, guards and stops
 *          look, FENCE and FRESH order.
 * ENDS     Branches that facts decide are changed after the walk, so that the dominators stay what they were.  Then there
 *          is another round.
 *
 * Rejected: memory as values (a memory input for each node, phis for it): exact, but all who make or move nodes would
 * have to keep it up; here the price is that an element that is written on one of several ways is forgotten where they meet.  Replacing a value by a constant it was compared with: seldom seen, and it would have to be
 * undone behind the block.
 */
#include "jit/opt/opt_pass.h"
#include "object/class.h"
#include <string.h>

enum {
    MOST_ROUNDS = 3,
    MOST_PENDING = 8,
    MOST_WAYS = 8,
    MOST_MEETINGS = 3,
    N_VERSIONS = 64,
    STORED = 0xff,
    NEVER_WRITTEN = OPT_MEETS - 1
};

/* Which relations of x to y are possible. */
enum {
    IS_LT = 1,
    IS_EQ = 2,
    IS_GT = 4,
    IS_BELOW = 8,
    IS_ABOVE = 16,
    SIGNED = IS_LT | IS_EQ | IS_GT,
    UNSIGNED = IS_BELOW | IS_EQ | IS_ABOVE
};

/* Keys that are no operations. */
enum { FACT_RELATION = N_OPT_OPS, FACT_RANGE };

typedef struct Key {
    u1 op, type, from, kind;
    u4 a, b, version;
    int64_t k;
    const void *what;
} Key;

_Static_assert(sizeof(Key) == 32, "compared and hashed as bytes");

typedef struct Entry {
    Key key;
    u4 next, bucket;
    Ref value;      /* a relation: the possible ones */
    u1 kind;        /* of the load that is the value, or STORED */
    Ref since;      /* a relation: the guard that says so */
    BlockRef in;    /* likewise; since 0: the block at whose start it is known */
    OptRange range; /* FACT_RANGE */
} Entry;

typedef enum Gone { GONE_NOT, GONE_ALWAYS, GONE_BY_FACT } Gone;

typedef struct Numbering {
    Opt *o;
    u4 *buckets, mask; /* index of the newest entry, from 1 */
    Entry *entries;    /* from 1 */
    u4 n_entries, cap_entries;
    Ref *to; /* what nodes were replaced by */
    u1 *gone;
    u4 cap_to;
    OptVersions versions;
    u4 now[N_VERSIONS];
    Ref pending[MOST_PENDING]; /* stores of the block that nobody has looked at */
    u4 n_pending;
    Ref *decided; /* ends of blocks that go one way; Node.extra: which */
    u4 n_decided;
    Ref since; /* where facts come from now, as in Entry */
    BlockRef in;
    Ref zeros[OT_REF + 1]; /* constants, when they were wanted */
} Numbering;

/* --- places --- */

static u4 width_class(u1 kind) { return kind <= MEM_U8 ? 0 : kind <= MEM_U16 ? 1 : kind == MEM_64 ? 3 : 2; }

static u4 hash_of(u8 x) {
    x *= 0x9e3779b97f4a7c15u;
    return (u4)(x >> 32);
}

enum { NARROW_ARRAYS = 2, ARRAYS = OPT_PLACES - OPT_FIELD_PLACES }; /* bytes, 16 bits; then by type from INT on */
_Static_assert(ARRAYS == NARROW_ARRAYS + OT_REF, "a place for each");

static u4 place_of_array(u1 kind, OptType t) {
    return width_class(kind) < NARROW_ARRAYS ? width_class(kind) : NARROW_ARRAYS + t - OT_INT;
}

/* Each has a place of its own as long as there are any; the same field always has the same one. */
static u4 place_of_field(const Opt *o, int64_t k, const void *what, u1 width) {
    u4 first = hash_of(((u8)k * 8 + width) ^ (u8)(uintptr_t)what << 20) % OPT_FIELD_PLACES;
    for (u4 i = 0, at = first; i < OPT_FIELD_PLACES; i++, at = (at + 1) % OPT_FIELD_PLACES) {
        OptField *f = &o->places[at];
        if (!f->used) *f = (OptField){k, what, width, true};
        if (f->k == k && f->what == what && f->width == width) return ARRAYS + at;
    }
    return ARRAYS + first;
}

u4 opt_place(const Opt *o, const Node *n) {
    u4 w = width_class(n->kind);
    switch (n->op) {
    case OPT_ELEMENT: return place_of_array(n->kind, (OptType)n->type);
    case OPT_SET_ELEMENT: return place_of_array(n->kind, (OptType)opt_node(o, n->in[2])->type);
    case OPT_LOAD: w = 2 * w + (n->type == OT_REF); break;
    default: w = 2 * w + (opt_node(o, n->in[1])->type == OT_REF); break;
    }
    return place_of_field(o, n->k, n->what, (u1)w);
}

/* An access by Unsafe without an order of its own changes nothing, or elements of some kind.  What is at an address is no field and no element: those of
 * classes have the mirror as their base (unsafe_static_base). */
static u8 changes_plainly(const Opt *o, const Node *n) {
    const Class *base = n->in[0] ? opt_node(o, n->in[0])->klass : NULL;
    if (n->op == OPT_PEEK || !n->in[0]) return 0;
    return n->of_array || (base && class_is_array(base)) ? (1ull << ARRAYS) - 1 : OPT_ALL_PLACES;
}

u8 opt_changes(const Opt *o, const Node *n) {
    if (n->plain && n->op != OPT_LOAD) return changes_plainly(o, n);
    if (n->op == OPT_POLL) return OPT_STOP_BIT;
    if (opt_does(n) & OPT_STOPS) return OPT_ALL_PLACES | OPT_STOP_BIT;
    if (opt_does(n) & OPT_WRITES && opt_does(n) & OPT_FIXED) return OPT_ALL_PLACES;
    return opt_does(n) & OPT_WRITES ? 1ull << opt_place(o, n) : 0;
}

/* --- versions at the starts of blocks --- */

static u8 changes_of(const Opt *o, const Block *b) {
    u8 set = 0;
    for (Ref r = b->first; r; r = opt_node(o, r)->next) set |= opt_changes(o, opt_node(o, r));
    return set;
}

/* A predecessor of a head that stands before it is in the loop around it, or in a loop beside it in that one. */
static BlockRef loop_around(const Opt *o, BlockRef head, const BlockRef *around) {
    const Block *h = opt_block(o, head);
    for (u4 p = 0; p < h->n_preds; p++) {
        const Block *x = opt_block(o, h->preds[p]);
        if (x->order >= h->order) continue;
        BlockRef l = x->loop;
        while (l && opt_block(o, l)->loop_depth >= h->loop_depth) l = around[l];
        return l;
    }
    return 0;
}

/* Inner loops count for outer ones. */
u8 *opt_changes_of_loops(Opt *o) {
    u8 *set = opt_alloc(o, (o->n_blocks + 1) * sizeof *set);
    BlockRef *around = opt_alloc(o, (o->n_blocks + 1) * sizeof *around);
    if (!set || !around) return NULL;
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *b = opt_block(o, o->order[i]);
        if (b->loop_head) around[o->order[i]] = loop_around(o, o->order[i], around);
        if (b->loop) set[b->loop] |= changes_of(o, b);
    }
    for (u4 i = o->n_order; i-- > 0;)
        if (opt_block(o, o->order[i])->loop_head) set[around[o->order[i]]] |= set[o->order[i]];
    return set;
}

static void write_versions(u4 *versions, u8 set, u4 version) {
    for (; set; set &= set - 1) versions[__builtin_ctzll(set)] = version;
}

static u4 *copy_versions(Opt *o, const u4 *from) {
    u4 *to = opt_alloc(o, N_VERSIONS * sizeof *to);
    return to ? memcpy(to, from, N_VERSIONS * sizeof *to) : NULL;
}

/* `ends`: by block, NULL if it was not seen yet.  `loop`: what the loop changes if b is a head. */
static u4 *versions_at(Opt *o, BlockRef b, u4 **ends, u8 loop) {
    const Block *x = opt_block(o, b);
    u4 *first = NULL, *mixed = NULL;
    for (u4 p = 0; p < x->n_preds; p++) {
        const u4 *end = ends[x->preds[p]];
        if (!first) first = ends[x->preds[p]];
        if (!end || end == first) continue;
        if (!mixed && !(mixed = copy_versions(o, first))) return NULL;
        for (u4 i = 0; i < N_VERSIONS; i++)
            if (mixed[i] != end[i]) mixed[i] = OPT_MEETS | b;
    }
    if (!loop || !first) return mixed ? mixed : first;
    if (!mixed && !(mixed = copy_versions(o, first))) return NULL;
    write_versions(mixed, loop, OPT_MEETS | b);
    return mixed;
}

static u4 *versions_behind(Opt *o, BlockRef b, u4 *start) {
    const Block *x = opt_block(o, b);
    if (!changes_of(o, x)) return start;
    u4 *end = copy_versions(o, start);
    for (Ref r = x->first; r && end; r = opt_node(o, r)->next) write_versions(end, opt_changes(o, opt_node(o, r)), r);
    return end;
}

bool opt_find_versions(Opt *o, OptVersions *v) {
    u8 *loops = opt_changes_of_loops(o);
    v->ends = opt_alloc(o, (o->n_blocks + 1) * sizeof *v->ends);
    v->starts = opt_alloc(o, (o->n_blocks + 1) * sizeof *v->starts);
    if (!loops || !v->ends || !v->starts || !(v->starts[1] = opt_alloc(o, N_VERSIONS * sizeof **v->ends))) return false;
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) {
        BlockRef b = o->order[i];
        if (i) v->starts[b] = versions_at(o, b, v->ends, opt_block(o, b)->loop_head ? loops[b] : 0);
        if (v->starts[b]) v->ends[b] = versions_behind(o, b, v->starts[b]);
    }
    return !o->no_memory;
}

/* --- the table --- */

static u4 hash_key(const Key *k) {
    u8 words[sizeof *k / 8], x = 0;
    memcpy(words, k, sizeof words);
    for (u4 i = 0; i < sizeof words / 8; i++) x = (x ^ words[i]) * 0x9e3779b97f4a7c15u, x ^= x >> 29;
    return (u4)(x >> 32);
}

static Entry *find(const Numbering *n, const Key *k) {
    for (u4 e = n->buckets[hash_key(k) & n->mask]; e; e = n->entries[e].next)
        if (!memcmp(&n->entries[e].key, k, sizeof *k)) return &n->entries[e];
    return NULL;
}

static bool make_room(Numbering *n) {
    if (n->n_entries + 1 < n->cap_entries) return true;
    u4 cap = 2 * n->cap_entries;
    Entry *more = opt_alloc(n->o, cap * sizeof *more);
    if (!more) return false;
    memcpy(more, n->entries, (n->n_entries + 1) * sizeof *more);
    n->entries = more;
    n->cap_entries = cap;
    return true;
}

static void put(Numbering *n, Entry e) {
    if (!make_room(n)) return;
    e.bucket = hash_key(&e.key) & n->mask;
    e.next = n->buckets[e.bucket];
    n->buckets[e.bucket] = ++n->n_entries;
    n->entries[n->n_entries] = e;
}

static void forget_above(Numbering *n, u4 mark) {
    for (; n->n_entries > mark; n->n_entries--) {
        const Entry *e = &n->entries[n->n_entries];
        n->buckets[e->bucket] = e->next;
    }
}

/* --- replacing --- */

static Ref now_is(const Numbering *n, Ref r) {
    while (r < n->cap_to && n->to[r]) r = n->to[r];
    return r;
}

/* Nodes that are made on the way have numbers too. */
static bool cover(Numbering *n) {
    u4 need = n->o->n_nodes + 1;
    if (need <= n->cap_to) return true;
    u4 cap = need + need / 2 + 64;
    Ref *to = opt_alloc(n->o, cap * sizeof *to);
    u1 *gone = opt_alloc(n->o, cap);
    if (!to || !gone) return false;
    if (n->cap_to) {
        memcpy(to, n->to, n->cap_to * sizeof *to);
        memcpy(gone, n->gone, n->cap_to);
    }
    n->to = to;
    n->gone = gone;
    n->cap_to = cap;
    return true;
}

static void replace(Numbering *n, Ref r, Ref by) {
    if (!cover(n)) return;
    n->to[r] = by;
    opt_unlink(n->o, r);
}

static void drop(Numbering *n, Ref r, Gone how) {
    n->gone[r] = (u1)how;
    opt_unlink(n->o, r);
}

/* A guard that is gone was visited before those that name it. */
static void renew_inputs(Numbering *n, Ref r) {
    Node *x = opt_node(n->o, r);
    for (u4 i = 0; i < opt_ops[x->op].inputs; i++) x->in[i] = now_is(n, x->in[i]);
    if (!x->after) return;
    x->after = now_is(n, x->after);
    u1 gone = x->after < n->cap_to ? n->gone[x->after] : (u1)GONE_NOT;
    if (gone == GONE_NOT) return;
    x->after = 0;
    x->pinned |= gone == GONE_BY_FACT;
}

/* --- facts --- */

static u1 possible_by(Cond c) {
    switch (c) {
    case COND_EQ: return IS_EQ;
    case COND_NE: return (SIGNED | UNSIGNED) & ~IS_EQ;
    case COND_LT: return IS_LT | IS_BELOW | IS_ABOVE;
    case COND_GE: return IS_GT | UNSIGNED;
    case COND_GT: return IS_GT | IS_BELOW | IS_ABOVE;
    case COND_LE: return IS_LT | UNSIGNED;
    case COND_BELOW: return IS_BELOW | IS_LT | IS_GT;
    case COND_ABOVE_EQ: return IS_ABOVE | SIGNED;
    case COND_ABOVE: return IS_ABOVE | IS_LT | IS_GT;
    default: return IS_BELOW | SIGNED;
    }
}

static u1 turned(u1 possible) {
    return (u1)((possible & IS_EQ) | (possible & IS_LT) << 2 | (possible & IS_GT) >> 2 | (possible & IS_BELOW) << 1 |
                (possible & IS_ABOVE) >> 1);
}

static Key relation_key(Ref x, Ref y) {
    return x < y ? (Key){.op = FACT_RELATION, .a = x, .b = y} : (Key){.op = FACT_RELATION, .a = y, .b = x};
}

static u1 relation(const Numbering *n, Ref x, Ref y) {
    Key k = relation_key(x, y);
    const Entry *e = find(n, &k);
    u1 possible = e ? (u1)e->value : SIGNED | UNSIGNED;
    return x < y ? possible : turned(possible);
}

static void relate(Numbering *n, Ref x, Ref y, u1 possible) {
    u1 was = relation(n, x, y), is = was & possible;
    Entry e = {.key = relation_key(x, y), .value = x < y ? is : turned(is), .since = n->since, .in = n->in};
    if (is != was) put(n, e);
}

static OptRange both(OptRange x, OptRange y) { return (OptRange){x.lo > y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi}; }

static OptRange range_itself(const Numbering *n, Ref r) {
    Key k = {.op = FACT_RANGE, .a = r};
    const Entry *e = find(n, &k);
    OptRange by_node = opt_range(n->o, r);
    return e ? both(e->range, by_node) : by_node;
}

/* A sum with a constant that does not wrap. */
static OptRange range_of_sum(const Numbering *n, const Node *x) {
    OptRange all = opt_all_of((OptType)x->type), of = range_itself(n, x->in[0]);
    int64_t c = opt_node(n->o, x->in[1])->k, lo, hi;
    if (__builtin_add_overflow(of.lo, c, &lo) || __builtin_add_overflow(of.hi, c, &hi)) return all;
    return lo < all.lo || hi > all.hi ? all : (OptRange){lo, hi};
}

static OptRange range(const Numbering *n, Ref r) {
    const Node *x = opt_node(n->o, r);
    OptRange is = range_itself(n, r);
    return x->op == OPT_ADD && opt_is_const(n->o, x->in[1]) ? both(is, range_of_sum(n, x)) : is;
}

/* What cannot be is left as it was: no node that is reached sees it. */
static void limit(Numbering *n, Ref r, OptRange to) {
    if (opt_is_const(n->o, r)) return;
    OptRange was = range_itself(n, r), is = both(was, to);
    if (is.lo > is.hi || (is.lo == was.lo && is.hi == was.hi)) return;
    put(n, (Entry){.key = {.op = FACT_RANGE, .a = r}, .range = is});
}

static void exclude(Numbering *n, Ref r, OptRange point) {
    OptRange was = range_itself(n, r);
    if (point.lo != point.hi || was.lo == was.hi) return;
    if (was.lo == point.lo) limit(n, r, (OptRange){was.lo + 1, was.hi});
    else if (was.hi == point.lo) limit(n, r, (OptRange){was.lo, was.hi - 1});
}

static void limit_less(Numbering *n, Ref x, Ref y, int64_t apart) {
    OptRange rx = range(n, x), ry = range(n, y);
    int64_t hi, lo;
    if (!__builtin_sub_overflow(ry.hi, apart, &hi)) limit(n, x, (OptRange){INT64_MIN, hi});
    if (!__builtin_add_overflow(rx.lo, apart, &lo)) limit(n, y, (OptRange){lo, INT64_MAX});
}

static void note_ranges(Numbering *n, Cond c, Ref x, Ref y) {
    switch (c) {
    case COND_EQ: limit(n, x, range(n, y)); return limit(n, y, range(n, x));
    case COND_NE: exclude(n, x, range(n, y)); return exclude(n, y, range(n, x));
    case COND_LT: return limit_less(n, x, y, 1);
    case COND_LE: return limit_less(n, x, y, 0);
    case COND_GT: return limit_less(n, y, x, 1);
    case COND_GE: return limit_less(n, y, x, 0);
    default: return;
    }
}

/* x c y holds from here on. */
static void note(Numbering *n, OptType from, Cond c, Ref x, Ref y) {
    if (x == y) return;
    relate(n, x, y, possible_by(c));
    if (from == OT_REF) return;
    note_ranges(n, c, x, y);
    if (c == COND_ABOVE || c == COND_ABOVE_EQ) return note(n, from, opt_swapped(c), y, x);
    if ((c != COND_BELOW && c != COND_BELOW_EQ) || range(n, y).lo < 0) return;
    limit(n, x, (OptRange){0, INT64_MAX}); /* below what is not negative: the same in the signed order */
    relate(n, x, y, possible_by(c == COND_BELOW ? COND_LT : COND_LE));
    note_ranges(n, c == COND_BELOW ? COND_LT : COND_LE, x, y);
}

static int decide_by(u1 possible, u1 wanted) {
    if (!(possible & wanted)) return 0;
    return possible & ~wanted ? -1 : 1;
}

static int decide_relation(u1 possible, Cond c) {
    u1 wanted = possible_by(c);
    if (c == COND_EQ || c == COND_NE) {
        int is = decide_by(possible & SIGNED, IS_EQ), also = decide_by(possible & UNSIGNED, IS_EQ);
        if (is < 0) is = also;
        return is < 0 ? -1 : c == COND_EQ ? is : !is;
    }
    u1 order = c <= COND_LE ? SIGNED : UNSIGNED;
    return decide_by(possible & order, wanted & order);
}

static int decide_pair(const Numbering *n, OptType from, Cond c, Ref x, Ref y) {
    if (x == y) return opt_cond(c, 0, 0);
    int is = decide_relation(relation(n, x, y), c);
    if (is >= 0 || from == OT_REF) return is;
    return opt_decide_ranges(c, range(n, x), range(n, y));
}

/* x & (length - 1), as tables of hashes have it, and x % length: below a length that is not 0. */
static bool is_cut_to(const Numbering *n, const Node *index, Ref length) {
    const Opt *o = n->o;
    if (index->op == OPT_REM) return index->in[1] == length && range(n, length).lo >= 0 && range(n, index->in[0]).lo >= 0;
    for (int i = 0; i < 2 && index->op == OPT_AND; i++) {
        const Node *mask = opt_node(o, index->in[i]);
        if (mask->op == OPT_ADD && mask->in[0] == length && opt_is_const(o, mask->in[1]) && opt_node(o, mask->in[1])->k == -1)
            return range(n, length).lo > 0;
    }
    return false;
}

/* An index that is not negative and less, or what is less than such by a constant. */
static bool is_in_bounds(const Numbering *n, Ref index, Ref length) {
    const Node *x = opt_node(n->o, index);
    if (decide_pair(n, OT_INT, COND_BELOW, index, length) == 1 || is_cut_to(n, x, length)) return true;
    if (range(n, index).lo < 0) return false;
    if (decide_pair(n, OT_INT, COND_LT, index, length) == 1) return true;
    if (x->op != OPT_ADD || !opt_is_const(n->o, x->in[1]) || opt_node(n->o, x->in[1])->k >= 0) return false;
    OptRange of = range(n, x->in[0]);
    return of.lo + opt_node(n->o, x->in[1])->k >= 0 && decide_pair(n, OT_INT, COND_LE, x->in[0], length) == 1;
}

static Ref zero_of(Numbering *n, OptType t) {
    if (!n->zeros[t]) n->zeros[t] = opt_const(n->o, t, 0);
    return n->zeros[t];
}

static bool is_instance(Numbering *n, const Node *x) {
    Key k = {.op = OPT_INSTANCE_OF, .type = OT_INT, .a = x->in[0], .what = x->what};
    const Entry *e = find(n, &k);
    return e && decide_pair(n, OT_INT, COND_NE, e->value, zero_of(n, OT_INT)) == 1;
}

static bool is_implied(Numbering *n, Ref r) {
    Node x = *opt_node(n->o, r);
    switch (x.op) {
    case OPT_NOT_NULL: return decide_pair(n, OT_REF, COND_NE, x.in[0], zero_of(n, OT_REF)) == 1;
    case OPT_NOT_ZERO:
        return decide_pair(n, (OptType)opt_node(n->o, x.in[0])->type, COND_NE, x.in[0],
                           zero_of(n, (OptType)opt_node(n->o, x.in[0])->type)) == 1;
    case OPT_IN_BOUNDS: return is_in_bounds(n, x.in[0], x.in[1]);
    case OPT_HOLDS: return decide_pair(n, (OptType)x.from, (Cond)x.kind, x.in[0], x.in[1]) == 1;
    case OPT_IS_A: return is_instance(n, &x);
    default: return false;
    }
}

/* What names it need not be above. */
static Ref here(Opt *o, BlockRef b) {
    Ref at = opt_block(o, b)->first;
    while (opt_node(o, at)->op == OPT_PHI) at = opt_node(o, at)->next;
    if (opt_node(o, at)->op == OPT_HERE) return at;
    Ref r = opt_new(o, OPT_HERE, OT_NONE);
    if (r) opt_insert_before(o, at, r);
    return r;
}

/* 0: not by one fact. */
static Ref implied_since(const Numbering *n, const Node *guard) {
    if (guard->op != OPT_NOT_NULL) return 0;
    Key k = relation_key(guard->in[0], n->zeros[OT_REF]);
    const Entry *e = find(n, &k);
    return !e ? 0 : e->since ? e->since : here(n->o, e->in);
}

static void note_guard(Numbering *n, Ref r) {
    Node x = *opt_node(n->o, r);
    n->since = r;
    OptType t = (OptType)opt_node(n->o, x.in[0])->type;
    switch (x.op) {
    case OPT_NOT_NULL: return note(n, OT_REF, COND_NE, x.in[0], zero_of(n, OT_REF));
    case OPT_NOT_ZERO: return note(n, t, COND_NE, x.in[0], zero_of(n, t));
    case OPT_IN_BOUNDS: return note(n, OT_INT, COND_BELOW, x.in[0], x.in[1]);
    case OPT_HOLDS: return note(n, (OptType)x.from, (Cond)x.kind, x.in[0], x.in[1]);
    default: return;
    }
}

/* INSTANCE_OF is not for null. */
static void note_instance(Numbering *n, Cond c, Ref x, Ref y) {
    const Node *asked = opt_node(n->o, x);
    if (asked->op != OPT_INSTANCE_OF || !opt_is_const(n->o, y)) return;
    bool is = opt_cond(c, 1, opt_node(n->o, y)->k) && !opt_cond(c, 0, opt_node(n->o, y)->k);
    Ref of = asked->in[0];
    if (is) note(n, OT_REF, COND_NE, of, zero_of(n, OT_REF));
}

/* What the only edge into b says. */
static void note_edge(Numbering *n, BlockRef b) {
    Opt *o = n->o;
    n->since = 0;
    n->in = b;
    if (opt_block(o, b)->n_preds != 1) return;
    const Block *p = opt_block(o, opt_block(o, b)->preds[0]);
    Node end = *opt_node(o, p->last);
    u4 s = 0;
    while (p->succs[s] != b) s++;
    if (end.op == OPT_SWITCH && s > 0) limit(n, end.in[0], (OptRange){end.keys[s - 1], end.keys[s - 1]});
    if (end.op != OPT_IF) return;
    Cond c = s ? cond_opposite((Cond)end.kind) : (Cond)end.kind;
    note(n, (OptType)end.from, c, end.in[0], end.in[1]);
    note_instance(n, c, end.in[0], end.in[1]);
}

/* --- nodes --- */

static Key key_of(const Numbering *n, Ref r) {
    const Node *x = opt_node(n->o, r);
    Key k = {x->op, x->type, x->from, x->kind, x->in[0], x->in[1], 0, x->k, x->what};
    bool commutes = x->op == OPT_ADD || x->op == OPT_MUL || x->op == OPT_AND || x->op == OPT_OR || x->op == OPT_XOR;
    if (commutes && k.a > k.b) k.a = x->in[1], k.b = x->in[0];
    if (x->op == OPT_PICK || x->op == OPT_FPICK) { /* their other two inputs, where these have nothing */
        k.version = x->in[2];
        k.what = (const void *)(uintptr_t)x->in[3];
    }
    return k;
}

static void number_pure(Numbering *n, Ref r) {
    Ref is = opt_fold(n->o, r);
    if (is != r) return replace(n, r, is);
    Key k = key_of(n, r);
    const Entry *e = find(n, &k);
    if (e) replace(n, r, e->value);
    else put(n, (Entry){.key = k, .value = r});
}

static void number_guard(Numbering *n, Ref r) {
    if (opt_fold(n->o, r) == OPT_ALWAYS) return drop(n, r, GONE_ALWAYS);
    Key k = key_of(n, r);
    const Entry *e = find(n, &k);
    if (e) return replace(n, r, e->value);
    if (is_implied(n, r)) {
        Ref since = implied_since(n, opt_node(n->o, r));
        return since ? replace(n, r, since) : drop(n, r, GONE_BY_FACT);
    }
    put(n, (Entry){.key = k, .value = r});
    note_guard(n, r);
    n->n_pending = 0;
}

/* What all inputs are. */
static void note_phi(Numbering *n, Ref r) {
    Opt *o = n->o;
    Node *x = opt_node(o, r);
    const Class *klass = opt_node(o, x->args[0])->klass;
    bool not_null = x->type == OT_REF, not_negative = x->type == OT_INT;
    for (u4 i = 0; i < opt_block(o, x->block)->n_preds; i++) {
        const Node *in = opt_node(o, x->args[i]);
        not_null &= in->not_null;
        not_negative &= opt_range(o, x->args[i]).lo >= 0;
        if (in->klass != klass) klass = NULL;
    }
    x->not_null |= not_null;
    if (!x->klass) x->klass = klass;
    if (not_negative) x->k = 1;
}

/* Phis of one block with the same inputs. */
static void number_phi(Numbering *n, Ref r) {
    Opt *o = n->o;
    Node *x = opt_node(o, r);
    u4 many = opt_block(o, x->block)->n_preds;
    Key k = {.op = OPT_PHI, .type = x->type, .a = x->block};
    for (u4 i = 0; i < many; i++) {
        x->args[i] = now_is(n, x->args[i]);
        k.k = (int64_t)(((u8)k.k ^ x->args[i]) * 0x9e3779b97f4a7c15u);
    }
    Ref is = opt_fold(o, r);
    if (is != r) return replace(n, r, is);
    note_phi(n, r);
    const Entry *e = find(n, &k);
    if (!e) put(n, (Entry){.key = k, .value = r});
    else if (!memcmp(opt_node(o, e->value)->args, x->args, many * sizeof *x->args)) replace(n, r, e->value);
}

/* --- memory --- */

/* The type is of the value, the kind is the width: what a store and a load of the same place have in common. */
static Key place_key(const Numbering *n, const Node *x) {
    bool is_element = x->op == OPT_ELEMENT || x->op == OPT_SET_ELEMENT;
    u1 type = x->op == OPT_SET_ELEMENT ? opt_node(n->o, x->in[2])->type : x->type;
    if (x->op == OPT_STORE) type = opt_node(n->o, x->in[1])->type;
    return (Key){.op = is_element ? OPT_ELEMENT : OPT_LOAD,
                 .type = type,
                 .kind = (u1)(x->kind == MEM_S32 ? MEM_S32 : width_class(x->kind)),
                 .a = x->in[0],
                 .b = is_element ? x->in[1] : 0,
                 .version = x->op == OPT_LOAD && x->plain ? NEVER_WRITTEN : n->now[opt_place(n->o, x)],
                 .k = x->k};
}

static bool is_narrow(const Node *x) { return x->type == OT_INT && width_class(x->kind) < 2; }

/* The stored value as a load of few bits has it, in front of the load. */
static Ref narrowed(Numbering *n, Ref load, Ref value) {
    Opt *o = n->o;
    u1 kind = opt_node(o, load)->kind;
    OptRange is = opt_range(o, value);
    if (is.lo >= 0 && is.hi <= 1) return value;
    if (kind == MEM_U8) return 0; /* no NARROW has eight bits without a sign */
    Ref r = opt_new(o, OPT_NARROW, OT_INT);
    if (!r) return 0;
    opt_node(o, r)->kind = kind;
    opt_node(o, r)->in[0] = value;
    Ref same = opt_fold(o, r);
    if (same == r) opt_insert_before(o, load, r);
    return same;
}

static void was_looked_at(Numbering *n, u4 place) {
    u4 kept = 0;
    for (u4 i = 0; i < n->n_pending; i++)
        if (opt_place(n->o, opt_node(n->o, n->pending[i])) != place) n->pending[kept++] = n->pending[i];
    n->n_pending = kept;
}

/* --- loads behind ways that meet --- */

bool opt_is_whole_field(const Opt *o, const Node *load) {
    const Block *b = opt_block(o, load->block);
    return load->op == OPT_LOAD && (load->kind == MEM_32 || load->kind == MEM_64) && !load->plain && !load->not_null &&
           !load->klass && !b->rare && !b->seldom;
}

bool opt_stores_field(const Opt *o, const Node *store, Ref object, const Node *load) {
    return store->op == OPT_STORE && object == load->in[0] && store->k == load->k && store->kind == load->kind &&
           store->what == load->what && opt_node(o, store->in[1])->type == load->type;
}

static bool stores_there(const Numbering *n, const Node *s, const Node *x) {
    return !s->dead && opt_stores_field(n->o, s, now_is(n, s->in[0]), x);
}

static Ref phi_where_ways_meet(Numbering *n, const Node *x, Key k, BlockRef b, u4 depth);

/* What the place of x had behind this version. */
static Ref known_behind(Numbering *n, const Node *x, Key k, u4 version, u4 depth) {
    k.version = version;
    const Entry *e = find(n, &k);
    if (e) return e->value;
    if (version & OPT_MEETS) return depth ? phi_where_ways_meet(n, x, k, version & ~OPT_MEETS, depth - 1) : 0;
    return version && stores_there(n, opt_node(n->o, version), x) ? now_is(n, opt_node(n->o, version)->in[1]) : 0;
}

static Ref phi_where_ways_meet(Numbering *n, const Node *x, Key k, BlockRef b, u4 depth) {
    Opt *o = n->o;
    u4 many = opt_block(o, b)->n_preds;
    if (opt_block(o, b)->loop_head || opt_block(o, b)->rare || many > MOST_WAYS) return 0;
    Ref *args = opt_alloc(o, many * sizeof *args);
    bool differ = false;
    for (u4 p = 0; args && p < many; p++) {
        const u4 *ends = n->versions.ends[opt_block(o, b)->preds[p]];
        args[p] = ends ? known_behind(n, x, k, ends[opt_place(o, x)], depth) : 0;
        if (!args[p]) return 0;
        differ |= args[p] != args[0];
    }
    if (!args || !differ) return args ? args[0] : 0;
    Ref r = opt_new(o, OPT_PHI, (OptType)x->type);
    if (!r) return 0;
    opt_node(o, r)->args = args;
    opt_insert_phi(o, b, r);
    return r;
}

static Ref met(Numbering *n, const Node *load, const Key *k) {
    if (!(k->version & OPT_MEETS) || !opt_is_whole_field(n->o, load)) return 0;
    const Node x = *load;
    return phi_where_ways_meet(n, &x, *k, k->version & ~OPT_MEETS, MOST_MEETINGS);
}

static bool are_enum_constants(const Node *array) {
    const Class *k = array->op == OPT_CONST && array->stable ? array->klass : NULL;
    return k && class_is_array(k) && k->component->access & ACC_ENUM;
}

/* An element of a copy, if nothing was written since it was made, is one of the original: copies of which no more is wanted are not made. The original must be one
 * that nobody changes meanwhile (an enum's constants): who copies what others write looks twice at the copy and sees the same. */
static void look_behind_clone(Numbering *n, Ref load) {
    Node *x = opt_node(n->o, load);
    if (x->op != OPT_ELEMENT || n->now[opt_place(n->o, x)] != x->in[0]) return;
    const Node *copy = opt_node(n->o, x->in[0]);
    if (copy->op == OPT_CLONE && are_enum_constants(opt_node(n->o, copy->in[0]))) x->in[0] = copy->in[0];
}

static void number_load(Numbering *n, Ref r) {
    Ref is = opt_fold(n->o, r); /* what a box has in it */
    if (is != r) return replace(n, r, is);
    look_behind_clone(n, r);
    const Node *x = opt_node(n->o, r);
    Key k = place_key(n, x);
    const Entry *e = find(n, &k);
    u4 place = opt_place(n->o, x);
    Ref value = e ? e->value : 0;
    if (e && is_narrow(x) && e->kind != x->kind) value = narrowed(n, r, value);
    if (!value && (value = met(n, x, &k))) put(n, (Entry){.key = k, .value = value, .kind = STORED});
    if (value) return replace(n, r, value);
    put(n, (Entry){.key = k, .value = r, .kind = opt_node(n->o, r)->kind});
    was_looked_at(n, place);
}

static bool same_place(const Node *x, const Node *y) {
    bool is_element = x->op == OPT_SET_ELEMENT;
    return x->op == y->op && x->kind == y->kind && x->k == y->k && x->in[0] == y->in[0] && (!is_element || x->in[1] == y->in[1]);
}

/* Versions are those of the last writes of places, so one that goes was not the last. */
static void drop_overwritten(Numbering *n, Ref r) {
    u4 kept = 0;
    for (u4 i = 0; i < n->n_pending; i++) {
        Ref p = n->pending[i];
        if (same_place(opt_node(n->o, p), opt_node(n->o, r))) opt_unlink(n->o, p);
        else n->pending[kept++] = p;
    }
    n->n_pending = kept;
    if (kept == MOST_PENDING) memmove(n->pending, n->pending + 1, --n->n_pending * sizeof *n->pending);
    n->pending[n->n_pending++] = r;
}

static void number_store(Numbering *n, Ref r) {
    const Node *x = opt_node(n->o, r);
    Ref value = x->op == OPT_STORE ? x->in[1] : x->in[2];
    drop_overwritten(n, r);
    write_versions(n->now, opt_changes(n->o, x), r);
    put(n, (Entry){.key = place_key(n, x), .value = value, .kind = STORED});
}

static void number_card(Numbering *n, Ref r) {
    Ref of = opt_node(n->o, r)->in[0];
    u4 stop = n->now[OPT_STOP];
    Key k = {.op = OPT_CARD, .a = of, .version = stop};
    const Node *x = opt_node(n->o, of);
    bool young = (x->op == OPT_NEW || x->op == OPT_NEW_ARRAY || x->op == OPT_CLONE) && stop == of;
    if (young || find(n, &k)) return opt_unlink(n->o, r);
    put(n, (Entry){.key = k, .value = r});
}

static void number_effect(Numbering *n, Ref r) {
    const Node *x = opt_node(n->o, r);
    u8 set = opt_changes(n->o, x);
    write_versions(n->now, set, r);
    if (set || x->plain) n->n_pending = 0;
    if (x->op == OPT_NEW_ARRAY) limit(n, x->in[0], (OptRange){0, INT32_MAX}); /* or it has thrown */
}

static void number_end(Numbering *n, Ref r) {
    opt_fold(n->o, r);
    const Node *x = opt_node(n->o, r);
    int goes = opt_goes_to(n->o, r);
    if (goes < 0 && x->op == OPT_IF) {
        int is = decide_pair(n, (OptType)x->from, (Cond)x->kind, x->in[0], x->in[1]);
        goes = is < 0 ? -1 : !is;
    }
    if (goes < 0) return;
    opt_node(n->o, r)->extra = (u4)goes;
    n->decided[n->n_decided++] = r;
}

static void number_node(Numbering *n, Ref r) {
    const Node *x = opt_node(n->o, r);
    u1 does = opt_does(x);
    if (x->op == OPT_CONST || x->op == OPT_PARAM) return;
    if (x->op == OPT_PHI) return number_phi(n, r);
    renew_inputs(n, r);
    if (does == 0) return number_pure(n, r);
    if (does & OPT_GUARD) return number_guard(n, r);
    if (x->op == OPT_LOAD || x->op == OPT_ELEMENT) return number_load(n, r);
    if (x->op == OPT_STORE || x->op == OPT_SET_ELEMENT) return number_store(n, r);
    if (x->op == OPT_CARD) return number_card(n, r);
    if (does & OPT_ENDS) return number_end(n, r);
    number_effect(n, r);
}

static void number_block(Numbering *n, BlockRef b) {
    memcpy(n->now, n->versions.starts[b], sizeof n->now);
    n->n_pending = 0;
    note_edge(n, b);
    for (Ref r = opt_block(n->o, b)->first, next; r && !n->o->no_memory; r = next) {
        next = opt_node(n->o, r)->next;
        number_node(n, r);
    }
}

/* --- the walk --- */

typedef struct Children {
    BlockRef first, next; /* of a block; its sibling */
} Children;

static Children *children(Opt *o) {
    Children *c = opt_alloc(o, (o->n_blocks + 1) * sizeof *c);
    for (u4 i = o->n_order; c && i-- > 1;) {
        BlockRef b = o->order[i], d = opt_block(o, b)->idom;
        c[b].next = c[d].first;
        c[d].first = b;
    }
    return c;
}

typedef struct Visit {
    BlockRef b;
    u4 mark; /* entries from before it */
} Visit;

static void walk(Numbering *n, const Children *c, Visit *stack) {
    u4 depth = 0;
    BlockRef b = 1;
    while (b && !n->o->no_memory) {
        stack[depth++] = (Visit){b, n->n_entries};
        number_block(n, b);
        for (b = c[b].first; !b && depth;) {
            forget_above(n, stack[--depth].mark);
            b = depth ? c[stack[depth].b].next : 0;
        }
    }
}

static bool init(Numbering *n, Opt *o) {
    u4 size = 64;
    while (size < 2 * o->n_nodes) size *= 2;
    *n = (Numbering){.o = o, .mask = size - 1, .cap_entries = o->n_nodes + 64};
    n->buckets = opt_alloc(o, size * sizeof *n->buckets);
    n->entries = opt_alloc(o, n->cap_entries * sizeof *n->entries);
    n->decided = opt_alloc(o, (o->n_blocks + 1) * sizeof *n->decided);
    return cover(n) && n->buckets && n->entries && n->decided;
}

/* All that is left of the round before is the memory. */
static bool renew(Numbering *n) {
    memset(n->to, 0, n->cap_to * sizeof *n->to);
    memset(n->gone, 0, n->cap_to);
    n->n_decided = 0;
    return cover(n) && opt_find_versions(n->o, &n->versions);
}

/* A head's phi that had been visited when what it has from the edge back was replaced. */
static bool phi_was_early(const Numbering *n) {
    const Opt *o = n->o;
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *b = opt_block(o, o->order[i]);
        for (Ref r = b->loop_head ? b->first : 0; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
            for (u4 p = 0; p < b->n_preds; p++)
                if (n->to[opt_node(o, r)->args[p]]) return true;
    }
    return false;
}

static bool round_of(Numbering *n) {
    Opt *o = n->o;
    Visit *stack = opt_alloc(o, (o->n_blocks + 1) * sizeof *stack);
    const Children *c = children(o);
    if (!stack || !c || !renew(n)) return false;
    walk(n, c, stack);
    if (!cover(n)) return false;
    bool again = n->n_decided || phi_was_early(n);
    opt_replace(o, n->to);
    for (u4 i = 0; i < n->n_decided; i++) opt_make_jump(o, n->decided[i], opt_node(o, n->decided[i])->extra);
    if (n->n_decided) opt_order(o);
    return again;
}

void opt_number(Opt *o) {
    Numbering n;
    if (o->no_memory || o->why || !init(&n, o)) return;
    for (u4 i = 0; i < MOST_ROUNDS && round_of(&n) && !o->no_memory && !o->why; i++) continue;
    if (!o->no_memory) opt_sweep(o);
}

/* --- what nobody uses --- */

typedef struct Sweep {
    u1 *live;
    Ref *work;
    u4 n;
} Sweep;

static void mark_live(Opt *o, Ref user, Ref *use, void *arg) {
    (void)o, (void)user;
    Sweep *s = arg;
    if (s->live[*use]) return;
    s->live[*use] = true;
    s->work[s->n++] = *use;
}

static bool has_effect(const Node *n) {
    return n->op != OPT_PHI && n->op != OPT_CLONE && opt_does(n) & (OPT_WRITES | OPT_GUARD | OPT_STOPS | OPT_ENDS | OPT_FIXED);
}

static void mark_roots(Opt *o, Sweep *s) {
    for (u4 i = 0; i < o->n_order; i++) {
        Block *b = opt_block(o, o->order[i]);
        if (!b->loop_head) b->state = NULL;
        opt_visit_state(o, b->state, mark_live, s);
        for (Ref r = b->first; r; r = opt_node(o, r)->next)
            if (has_effect(opt_node(o, r))) mark_live(o, 0, &r, s);
    }
}

void opt_sweep(Opt *o) {
    Sweep s = {opt_alloc(o, o->n_nodes + 1), opt_alloc(o, (o->n_nodes + 1) * sizeof(Ref)), 0};
    if (!s.live || !s.work) return;
    mark_roots(o, &s);
    while (s.n) opt_visit_uses(o, s.work[--s.n], false, true, mark_live, &s);
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first, next; r; r = next) {
            next = opt_node(o, r)->next;
            if (!s.live[r] && opt_node(o, r)->op != OPT_CONST) opt_unlink(o, r);
        }
}
