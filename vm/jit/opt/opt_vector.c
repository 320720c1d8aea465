/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: loops over arrays that do several elements at once.
 *
 *     for (i = ...; i < n; i++) c[i] = a[i] * x + b[i];          for (i = ...; i < n; i++) s += a[i] * b[i];
 *
 * becomes a main loop (opt_unroll.c: opt_widen) whose turn is up to four vectors of each array, of 16 or 32 bytes, and one behind it whose turn is one; the
 * loop itself does the rest.
 *
 * WHICH    Innermost counted loops that count by one and have nothing but: loads and stores of elements at i + what does not change, all of one size; arithmetic on
 *          what was loaded and on what does not change; totals; the counter; the poll.  No guard is left (opt_loops has moved them).
 * NARROW   Of bytes and 16 bits vectors have the lower bits of what the form has as INTs.  So they are copied, added, subtracted, multiplied and joined
 *          bit by bit, whose lower bits come from lower bits alone, and stored; nothing else.
 * TOTALS   A phi of INTs or LONGs that each turn adds an element to (or multiplies, or joins, or the least or greatest so far), and that nobody looks at
 *          in the loop but polls.  The order does not matter then: the vectors of a turn are joined, their elements too, and the sum is added to the phi
 *          at the turn's end, so that no vector lives across a poll.
 *          What is added in some turns only is added in all of them, masked (opt_pick.c).  How often narrow elements are equal to
 *          something, or not, is counted in them: a turn adds at most four to each.
 *          Sums of floats have their order (JLS 15.18.2).  INTs may be added to a LONG (VWIDEN).
 * ORDER    A turn does in the order of the bytecode for some elements what it did for one.  That is the same unless an element that is loaded is
 *          stored in another of the turns that become one.  Elements of other types are other arrays' (opt_place).  All stores are at one distance from
 *          the counter; a load at the same one is of what its turn stores.  At another distance d from there, in the same array, it must not be of the
 *          elements that the turn's other stores are of: those in front of it (0 < -d < elements), and if a store comes before the load,
 *          also those behind it.  What is not known of d and the arrays is asked in front of the loop: if they meet the main loop counts to nothing.
 *          Other threads may see elements stored in another order, as they may anyway, but none in parts (JLS 17.6): stores of vectors are as whole as
 *          its elements, which are aligned.
 * VECTORS  live in registers between two polls, in one block: helpers keep 8 bytes of a register, States name scalars.  What does not change is spread
 *          over a vector in each turn.  If there are too few registers (opt_unroomy) the form is built anew without vectors (Opt.scalar).
 * WIDE     Behind a main loop of wide vectors a VEND stands, since scalar code is not of the encoding that leaves their upper halves alone.  A poll that
 *          stops in its midst does without: C code is right, and slow on some processors for as long.
 * AROUND   The counter is a scalar, and counts by the elements of a turn.  The main loops and the rest are not unrolled (Block.whole).
 *
 * Not done: stores at several distances, numbers made wider or narrower, counters as values, shifts of
 * narrow ones, other comparisons than of INTs and whether narrow ones are equal, vectors of 64 bytes.
 */
#include "core/options.h"
#include "jit/opt/opt_counted.h"
#include "jit/opt/opt_pass.h"

enum { MOST_VECTORS = 4, MOST_PARTS = 24, MOST_SPREAD = 4, MOST_TOTALS = 2, MOST_OVERLAPS = 4, NARROW = 2, WIDE_BYTES = 32 };

typedef enum Role {
    ROLE_NONE,
    ROLE_SCALAR, /* the counter, an index, the poll, the end */
    ROLE_VALUE,
    ROLE_STORE,
    ROLE_WIDER,  /* a LONG of an INT, for a sum */
    ROLE_COUNT,  /* a constant or 0 by narrow elements, for a sum */
    ROLE_SO_FAR, /* the phi of a total */
    ROLE_TOTAL   /* ... and what it is behind a turn */
} Role;

/* From the counter to an index. */
typedef struct Distance {
    Ref beside; /* what does not change, or 0 */
    int64_t k;
} Distance;

/* Of a load and a store, which may be of one array: if it is, their distance is to be asked. */
typedef struct Overlap {
    Ref load, store; /* arrays */
    Distance from, to;
    bool behind; /* the load comes behind a store */
} Overlap;

typedef struct Total {
    Ref next;   /* ROLE_TOTAL */
    Ref joined; /* what the vectors of the turn at hand make so far */
} Total;

typedef struct Vectors {
    Opt *o;
    OptCounted c;
    OptCopies copies;
    u1 *roles; /* by node of the loop */
    Ref first_store;
    Total totals[MOST_TOTALS];
    u4 n_totals;
    Overlap overlaps[MOST_OVERLAPS];
    u4 n_overlaps;
    u4 bytes;   /* of an element */
    u4 parts;   /* vectors that a turn computes for the same elements */
    u4 wanted;  /* operands that are spread */
    bool wrong; /* somebody looks at what a turn of many does not have */
    Ref *made;  /* by node of the loop: the vector of the elements at hand */
    struct {
        Ref of, is;
    } spread[MOST_SPREAD];
    u4 n_spread;
    Ref at; /* in front of this node */
} Vectors;

static bool is_in_loop(const Vectors *v, Ref r) {
    const Node *n = opt_node(v->o, r);
    return n->block && opt_block(v->o, n->block)->loop == v->c.head;
}

/* --- which --- */

static bool is_index(const Vectors *v, Ref r, Distance *d) {
    *d = (Distance){0};
    while (r != v->c.phi) {
        const Node *n = opt_node(v->o, r);
        if (n->op != OPT_ADD || n->type != OT_INT) return false;
        bool second = is_in_loop(v, n->in[1]); /* is the counter's */
        Ref other = n->in[!second];
        if (is_in_loop(v, other)) return false;
        if (opt_is_const(v->o, other)) d->k = (int32_t)(u4)((u8)d->k + (u8)opt_node(v->o, other)->k);
        else if (d->beside) return false;
        else d->beside = other;
        r = n->in[second];
    }
    return true;
}

static u4 size_of(u1 kind) { return kind == MEM_64 ? 8 : kind == MEM_32 ? 4 : kind == MEM_U16 || kind == MEM_S16 ? 2 : 1; }

/* An access of an array that does not change, at a distance from the counter, of elements like the others. */
static bool is_access(Vectors *v, const Node *n, Distance *distance) {
    u4 bytes = size_of(n->kind);
    if (v->bytes && v->bytes != bytes) return false;
    v->bytes = bytes;
    return !is_in_loop(v, n->in[0]) && is_index(v, n->in[1], distance);
}

static VectorOf kind_of(OptType t) {
    return t == OT_INT ? OF_INTS : t == OT_LONG ? OF_LONGS : t == OT_FLOAT ? OF_FLOATS : OF_DOUBLES;
}

/* PICK of the less or the greater of two INTs. */
static int extreme(const Node *n) {
    bool same = n->in[2] == n->in[0] && n->in[3] == n->in[1], other = n->in[2] == n->in[1] && n->in[3] == n->in[0];
    bool less = n->kind == COND_LT || n->kind == COND_LE, more = n->kind == COND_GT || n->kind == COND_GE;
    if (n->type != OT_INT || n->from != OT_INT || same == other || less == more) return -1;
    return less == same ? VECTOR_MIN : VECTOR_MAX;
}

static int vector_op(const Node *n) {
    switch ((OptOp)n->op) {
    case OPT_ADD:
    case OPT_FADD: return VECTOR_ADD;
    case OPT_SUB:
    case OPT_FSUB: return VECTOR_SUB;
    case OPT_MUL:
    case OPT_FMUL: return VECTOR_MUL;
    case OPT_FDIV: return VECTOR_DIV;
    case OPT_AND: return VECTOR_AND;
    case OPT_OR: return VECTOR_OR;
    case OPT_XOR: return VECTOR_XOR;
    case OPT_SHL: return VECTOR_SHL;
    case OPT_SHR: return VECTOR_SHR;
    case OPT_USHR: return VECTOR_USHR;
    case OPT_FSQRT: return VECTOR_ROOT;
    case OPT_NEG: return VECTOR_SUB;  /* of 0 */
    case OPT_FNEG: return VECTOR_XOR; /* with the sign */
    case OPT_FABS: return VECTOR_AND; /* with the rest */
    case OPT_PICK: return extreme(n);
    default: return -1;
    }
}

static bool is_shift(int op) { return op >= VECTOR_SHL; }

/* Of the elements, where a node computes t's. */
static VectorOf elements(const Vectors *v, OptType t) {
    return v->bytes > NARROW ? kind_of(t) : v->bytes == 1 ? OF_BYTES : OF_SHORTS;
}

static u4 bytes_of(OptType t) { return t == OT_INT || t == OT_FLOAT ? 4 : 8; }

/* An operand of an operation, or what is stored. */
static bool is_operand(Vectors *v, Ref r) {
    if (is_in_loop(v, r)) return v->roles[r] == ROLE_VALUE;
    v->wanted++;
    return true;
}

static bool is_unary(u1 op) { return op == OPT_FSQRT || op == OPT_NEG || op == OPT_FNEG || op == OPT_FABS; }

/* What i2b and the like make of a value is the value, if as much of it is stored. */
static bool is_narrowed(const Vectors *v, const Node *n) {
    return n->op == OPT_NARROW && v->bytes <= NARROW && n->kind != MEM_U8 && size_of(n->kind) >= v->bytes &&
           is_in_loop(v, n->in[0]) && v->roles[n->in[0]] == ROLE_VALUE;
}

/* PICK x < y ? z : 0, or 0 : z, of INTs. */
static bool is_masked(const Vectors *v, const Node *n) {
    if (n->op != OPT_PICK || n->type != OT_INT || n->from != OT_INT || v->bytes != 4 || n->kind > COND_LE) return false;
    return opt_is_zero(v->o, n->in[2]) != opt_is_zero(v->o, n->in[3]) && asm_has_vector(VECTOR_GT, OF_INTS);
}

static Ref picked_of(const Vectors *v, const Node *n) { return n->in[opt_is_zero(v->o, n->in[2]) ? 3 : 2]; }

static bool is_computed(Vectors *v, const Node *n) {
    int op = vector_op(n);
    if (is_narrowed(v, n)) return true;
    if (op < 0 && is_masked(v, n)) return is_operand(v, n->in[0]) && is_operand(v, n->in[1]) && is_operand(v, picked_of(v, n));
    if (op < 0 || !v->bytes || !asm_has_vector((VectorOp)op, elements(v, (OptType)n->type))) return false;
    if (v->bytes <= NARROW ? n->type != OT_INT || op > VECTOR_XOR : v->bytes != bytes_of((OptType)n->type)) return false;
    if (!is_operand(v, n->in[0])) return false;
    if (is_unary(n->op)) return v->wanted += n->op != OPT_FSQRT, true;
    return is_shift(op) ? opt_is_const(v->o, n->in[1]) : is_operand(v, n->in[1]);
}

/* Of what a phi with one input is another name of. */
static OptRange range_of(const Vectors *v, Ref r) {
    const Node *n = opt_node(v->o, r);
    while (n->op == OPT_PHI && opt_block(v->o, n->block)->n_preds == 1) n = opt_node(v->o, r = n->args[0]);
    return opt_range(v->o, r);
}

/* Lower bits tell whether they are equal. */
static bool is_exact(const Vectors *v, Ref a, Ref b) {
    OptRange x = range_of(v, a), y = range_of(v, b);
    int64_t lo = x.lo < y.lo ? x.lo : y.lo, hi = x.hi > y.hi ? x.hi : y.hi;
    return hi - lo < INT64_C(1) << 8 * v->bytes;
}

/* in[i] is a narrow element, and the other any number that does not change: if_in_range asks whether an element can be that. */
static bool is_asked_for(const Vectors *v, const Node *n, u4 i) {
    return is_in_loop(v, n->in[i]) && !is_in_loop(v, n->in[!i]) && is_exact(v, n->in[i], n->in[i]);
}

/* PICK x == y ? constant : 0, of narrow elements, or of one and what does not change. */
static bool is_count(Vectors *v, const Node *n) {
    const Opt *o = v->o;
    if (n->op != OPT_PICK || n->type != OT_INT || n->from != OT_INT || !v->bytes || v->bytes > NARROW || n->kind > COND_NE)
        return false;
    if (opt_is_zero(v->o, n->in[2]) == opt_is_zero(v->o, n->in[3]) || !opt_is_const(o, picked_of(v, n))) return false;
    if (!is_operand(v, n->in[0]) || !is_operand(v, n->in[1])) return false;
    return is_exact(v, n->in[0], n->in[1]) || is_asked_for(v, n, 0) || is_asked_for(v, n, 1);
}

/* --- totals --- */

static bool joins(const Vectors *v, const Node *n, Ref phi) {
    switch ((OptOp)n->op) {
    case OPT_SUB: return n->in[0] == phi && n->in[1] != phi;
    case OPT_ADD:
    case OPT_MUL:
    case OPT_AND:
    case OPT_OR:
    case OPT_XOR: return (n->in[0] == phi) != (n->in[1] == phi);
    case OPT_PICK: return extreme(n) >= 0 && (n->in[0] == phi) != (n->in[1] == phi);
    default: return false;
    }
}

/* Vectors are joined so; what they make is subtracted in the end. */
static VectorOp joined_by(const Node *n) { return n->op == OPT_SUB ? VECTOR_ADD : (VectorOp)vector_op(n); }

static bool is_so_far(Vectors *v, Ref phi) {
    const Node *p = opt_node(v->o, phi);
    if (p->block != v->c.head || (p->type != OT_INT && p->type != OT_LONG) || v->n_totals == MOST_TOTALS) return false;
    Ref next = p->args[v->c.ends.inside];
    const Node *n = opt_node(v->o, next);
    if (!is_in_loop(v, next) || !joins(v, n, phi) || !asm_has_vector(joined_by(n), kind_of((OptType)p->type))) return false;
    v->totals[v->n_totals++].next = next;
    return true;
}

static Ref element_of(const Vectors *v, Ref total) {
    const Node *n = opt_node(v->o, total);
    return n->in[is_in_loop(v, n->in[0]) && v->roles[n->in[0]] == ROLE_SO_FAR];
}

static bool is_total(const Vectors *v, Ref r) {
    for (u4 i = 0; i < v->n_totals; i++) {
        if (v->totals[i].next != r) continue;
        Ref x = element_of(v, r);
        const Node *n = opt_node(v->o, r);
        if (!is_in_loop(v, x)) return false;
        if (v->roles[x] == ROLE_WIDER || v->roles[x] == ROLE_COUNT) return n->op == OPT_ADD || n->op == OPT_SUB;
        return v->roles[x] == ROLE_VALUE && v->bytes == bytes_of((OptType)n->type);
    }
    return false;
}

static bool stores(Vectors *v, Ref r) {
    const Node *n = opt_node(v->o, r);
    Distance distance, first;
    if (!is_access(v, n, &distance) || opt_node(v->o, n->in[2])->type == OT_REF || !is_operand(v, n->in[2])) return false;
    if (!v->first_store) v->first_store = r;
    is_index(v, opt_node(v->o, v->first_store)->in[1], &first);
    return distance.k == first.k && distance.beside == first.beside;
}

static bool is_wider(const Vectors *v, const Node *n) {
    return n->from == OT_INT && n->type == OT_LONG && v->bytes == 4 && is_in_loop(v, n->in[0]) &&
           v->roles[n->in[0]] == ROLE_VALUE && asm_widens(&asm_features);
}

/* A phi that one way leads to. */
static bool is_other_name(const Vectors *v, const Node *n) {
    return opt_block(v->o, n->block)->n_preds == 1 && is_in_loop(v, n->args[0]) && v->roles[n->args[0]] == ROLE_VALUE;
}

static Role role_of(Vectors *v, Ref r) {
    const Node *n = opt_node(v->o, r);
    Distance distance;
    switch ((OptOp)n->op) {
    case OPT_PHI:
        if (is_other_name(v, n)) return ROLE_VALUE;
        return r == v->c.phi ? ROLE_SCALAR : is_so_far(v, r) ? ROLE_SO_FAR : ROLE_NONE;
    case OPT_POLL:
    case OPT_JUMP: return ROLE_SCALAR;
    case OPT_IF: return n->block == v->c.head ? ROLE_SCALAR : ROLE_NONE;
    case OPT_ELEMENT: return n->type != OT_REF && is_access(v, n, &distance) ? ROLE_VALUE : ROLE_NONE;
    case OPT_SET_ELEMENT: return stores(v, r) ? ROLE_STORE : ROLE_NONE;
    case OPT_CONVERT: return is_wider(v, n) ? ROLE_WIDER : ROLE_NONE;
    case OPT_PICK: return is_count(v, n) ? ROLE_COUNT : is_total(v, r) ? ROLE_TOTAL : is_computed(v, n) ? ROLE_VALUE : ROLE_NONE;
    default:
        if (is_total(v, r)) return ROLE_TOTAL;
        return is_index(v, r, &distance) ? ROLE_SCALAR : is_computed(v, n) ? ROLE_VALUE : ROLE_NONE;
    }
}

/* False: it never is as if the turns came one by one. */
static bool note_overlap(Vectors *v, const Node *load, const Node *store, bool behind) {
    Overlap x = {.load = load->in[0], .store = store->in[0], .behind = behind};
    if (!is_index(v, load->in[1], &x.from) || !is_index(v, store->in[1], &x.to)) return false;
    if (x.from.beside == x.to.beside) {
        int64_t d = x.from.k - x.to.k, most = MOST_VECTORS * WIDE_BYTES / v->bytes;
        if (d == 0 || d >= most || d <= -most || (d > 0 && !behind)) return true;
        if (x.load == x.store) return false;
    }
    if (v->n_overlaps == MOST_OVERLAPS) return false;
    v->overlaps[v->n_overlaps++] = x;
    return true;
}

/* behind: a store. */
static bool loads_its_own(Vectors *v, Ref r, bool behind) {
    const Node *n = opt_node(v->o, r);
    if (n->op != OPT_ELEMENT) return true;
    for (u4 i = 0; i < v->o->n_order; i++)
        for (Ref x = opt_block(v->o, v->o->order[i])->first; x; x = opt_node(v->o, x)->next) {
            const Node *s = opt_node(v->o, x);
            if (is_in_loop(v, x) && s->op == OPT_SET_ELEMENT && opt_place(v->o, s) == opt_place(v->o, n) &&
                !note_overlap(v, n, s, behind))
                return false;
        }
    return true;
}

/* Scalars use scalars; polls, and its phi, also what a total is behind the turn; nobody else it or what it was. */
static void check_use(Opt *o, Ref user, Ref *use, void *arg) {
    Vectors *v = arg;
    if (!is_in_loop(v, *use)) return;
    Role u = (Role)v->roles[user], x = (Role)v->roles[*use];
    if (x == ROLE_SO_FAR) v->wrong |= u != ROLE_TOTAL;
    else if (x == ROLE_TOTAL) v->wrong |= u != ROLE_SO_FAR && opt_node(o, user)->op != OPT_POLL;
    else if (u == ROLE_SCALAR) v->wrong |= x != ROLE_SCALAR;
}

static bool is_straight(const Vectors *v, BlockRef b) {
    return b == v->c.head || (opt_block(v->o, b)->n_succs == 1 && opt_block(v->o, b)->n_preds == 1);
}

static bool look_at_block(Vectors *v, BlockRef b) {
    if (!is_straight(v, b)) return false;
    for (Ref r = opt_block(v->o, b)->first; r; r = opt_node(v->o, r)->next) {
        Role role = role_of(v, r);
        v->roles[r] = (u1)role;
        v->parts += role == ROLE_VALUE || role == ROLE_STORE || role == ROLE_WIDER || role == ROLE_COUNT || role == ROLE_TOTAL;
        if (role == ROLE_NONE || (b == v->c.head && role != ROLE_SCALAR && role != ROLE_SO_FAR)) return false;
    }
    return true;
}

static bool can_be_vectors(Vectors *v) {
    Opt *o = v->o;
    for (u4 i = 0; i < o->n_order; i++)
        if (opt_block(o, o->order[i])->loop == v->c.head && !look_at_block(v, o->order[i])) return false;
    if (!v->first_store && !v->n_totals) return false;
    bool stored = false;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r && !v->wrong; r = opt_node(o, r)->next) {
            if (!is_in_loop(v, r)) continue;
            opt_visit_uses(o, r, true, true, check_use, v);
            stored |= v->roles[r] == ROLE_STORE;
            if (v->first_store && !loads_its_own(v, r, stored)) return false;
        }
    return !v->wrong && v->parts <= MOST_PARTS && v->wanted <= MOST_SPREAD;
}

/* --- the turn --- */

static Ref copied(const Vectors *v, Ref r) { return is_in_loop(v, r) && v->copies.to[0][r] ? v->copies.to[0][r] : r; }

static Ref add(Vectors *v, OptOp op, OptType t, Ref x, Ref y) {
    Ref r = opt_new(v->o, op, t);
    opt_node(v->o, r)->in[0] = x;
    opt_node(v->o, r)->in[1] = y;
    opt_insert_before(v->o, v->at, r);
    return r;
}

/* As many times as it fits into an INT. */
static Ref repeated(Vectors *v, Ref x) {
    Opt *o = v->o;
    bool bytes = v->bytes == 1;
    x = add(v, OPT_AND, OT_INT, x, opt_const(o, OT_INT, bytes ? 0xff : 0xffff));
    return add(v, OPT_MUL, OT_INT, x, opt_const(o, OT_INT, bytes ? 0x01010101 : 0x00010001));
}

static Ref operand(Vectors *v, Ref r) {
    if (is_in_loop(v, r)) return v->made[r];
    for (u4 i = 0; i < v->n_spread; i++)
        if (v->spread[i].of == r) return v->spread[i].is;
    OptType t = (OptType)opt_node(v->o, r)->type;
    Ref x = add(v, OPT_VSPLAT, OT_VECTOR, v->bytes <= NARROW ? repeated(v, r) : r, 0);
    opt_node(v->o, x)->from = (u1)kind_of(t);
    v->spread[v->n_spread].of = r;
    return v->spread[v->n_spread++].is = x;
}

/* Of the elements from the counter + k on. */
static void make_access(Vectors *v, Ref r, u4 k) {
    Node old = *opt_node(v->o, r);
    bool store = old.op == OPT_SET_ELEMENT;
    Ref value = store ? operand(v, old.in[2]) : 0;
    Ref x = add(v, store ? OPT_VSTORE : OPT_VLOAD, store ? OT_NONE : OT_VECTOR, old.in[0], copied(v, old.in[1]));
    Node *n = opt_node(v->o, x);
    n->in[2] = value;
    n->kind = old.kind;
    n->k = old.k + k;
    n->after = old.after;
    v->made[r] = x;
}

static Ref vector(Vectors *v, VectorOp op, VectorOf of, Ref x, Ref y) {
    Ref z = add(v, is_shift(op) ? OPT_VSHIFT : OPT_VOP, OT_VECTOR, x, y);
    opt_node(v->o, z)->kind = (u1)op;
    opt_node(v->o, z)->from = (u1)of;
    return z;
}

/* The constant that makes NEG, FNEG or FABS of an operation with two operands. */
static Ref constant_for(Vectors *v, const Node *n) {
    int64_t sign = n->type == OT_FLOAT ? INT64_C(1) << 31 : INT64_MIN;
    int64_t rest = n->type == OT_FLOAT ? INT32_MAX : INT64_MAX;
    return operand(v, opt_const(v->o, (OptType)n->type, n->op == OPT_NEG ? 0 : n->op == OPT_FNEG ? sign : rest));
}

/* The bits of z where the comparison holds. */
static Ref make_masked(Vectors *v, const Node *n) {
    Cond c = (Cond)n->kind;
    Ref x = operand(v, n->in[0]), y = operand(v, n->in[1]), z = operand(v, picked_of(v, n));
    bool swapped = c == COND_LT || c == COND_GE, opposite = c == COND_NE || c == COND_GE || c == COND_LE;
    Ref mask = vector(v, c == COND_EQ || c == COND_NE ? VECTOR_EQ : VECTOR_GT, OF_INTS, swapped ? y : x, swapped ? x : y);
    return vector(v, opposite != opt_is_zero(v->o, n->in[2]) ? VECTOR_NOT_AND : VECTOR_AND, OF_INTS, mask, z);
}

static void make_op(Vectors *v, Ref r) {
    Node old = *opt_node(v->o, r);
    if (vector_op(&old) < 0 && old.op == OPT_PICK) {
        v->made[r] = make_masked(v, &old);
        return;
    }
    if (old.op == OPT_NARROW || old.op == OPT_PHI) {
        v->made[r] = v->made[old.op == OPT_PHI ? old.args[0] : old.in[0]];
        return;
    }
    Ref x = operand(v, old.in[0]), y = 0;
    VectorOp op = (VectorOp)vector_op(&old);
    if (old.op == OPT_FSQRT) y = x;
    else if (old.op == OPT_NEG) y = x, x = constant_for(v, &old);
    else if (is_unary(old.op)) y = constant_for(v, &old);
    else if (!is_shift(op)) y = operand(v, old.in[1]);
    Ref z = v->made[r] = vector(v, op, elements(v, (OptType)old.type), x, y);
    if (is_shift(op)) opt_node(v->o, z)->k = opt_node(v->o, old.in[1])->k & (old.type == OT_INT ? 31 : 63);
}

/* -1 where they are equal. */
static Ref make_equal(Vectors *v, const Node *n) {
    Ref x = operand(v, n->in[0]), y = operand(v, n->in[1]);
    return vector(v, VECTOR_EQ, elements(v, OT_INT), x, y);
}

static void join(Vectors *v, Ref r) {
    Total *t = v->totals[0].next == r ? &v->totals[0] : &v->totals[1];
    Node n = *opt_node(v->o, r);
    Ref element = element_of(v, r), x = v->made[element];
    if (v->roles[element] == ROLE_COUNT) x = make_equal(v, opt_node(v->o, element));
    if (v->roles[element] == ROLE_WIDER) x = add(v, OPT_VWIDEN, OT_VECTOR, v->made[opt_node(v->o, element)->in[0]], 0);
    VectorOf of = v->roles[element] == ROLE_COUNT ? elements(v, OT_INT) : kind_of((OptType)n.type);
    t->joined = t->joined ? vector(v, joined_by(&n), of, t->joined, x) : x;
}

static void make_vectors(Vectors *v, u4 k) {
    const OptCopies *c = &v->copies;
    for (u4 i = 0; i < c->n_blocks; i++)
        for (Ref r = opt_block(v->o, c->blocks[i])->first; r && !v->o->no_memory; r = opt_node(v->o, r)->next) {
            if (v->roles[r] == ROLE_SCALAR || v->roles[r] == ROLE_SO_FAR || v->roles[r] == ROLE_WIDER ||
                v->roles[r] == ROLE_COUNT)
                continue;
            if (v->roles[r] == ROLE_TOTAL) join(v, r);
            else if (opt_node(v->o, r)->op == OPT_ELEMENT || v->roles[r] == ROLE_STORE) make_access(v, r, k);
            else make_op(v, r);
        }
}

static void drop_scalars(Vectors *v) {
    const OptCopies *c = &v->copies;
    for (u4 i = c->n_blocks; i-- > 0;)
        for (Ref r = opt_block(v->o, c->blocks[i])->last; r; r = opt_node(v->o, r)->prev)
            if (v->roles[r] != ROLE_SCALAR && v->roles[r] != ROLE_SO_FAR) opt_unlink(v->o, c->to[0][r]);
}

typedef struct Turned {
    Ref from, to;
} Turned;

static void turn(Opt *o, Ref user, Ref *use, void *arg) {
    const Turned *t = arg;
    (void)o, (void)user;
    if (*use == t->from) *use = t->to;
}

/* What the phi gets behind the turn, and polls see. */
static void turn_phi(Vectors *v, BlockRef main, Ref old, Ref now) {
    Opt *o = v->o;
    Turned t = {old, now};
    for (Ref r = opt_block(o, main)->first; r && opt_node(o, r)->op == OPT_PHI; r = opt_node(o, r)->next)
        opt_visit_uses(o, r, false, false, turn, &t);
    for (u4 i = 0; i < v->copies.n_blocks; i++)
        for (Ref r = opt_block(o, v->copies.first[0] + i)->first; r; r = opt_node(o, r)->next)
            if (opt_node(o, r)->op == OPT_POLL) opt_visit_uses(o, r, true, true, turn, &t);
}

/* The counter is so much more behind the turn; as an index of an element the old sum stays. */
static void count_by(Vectors *v, BlockRef main, u4 elements) {
    Opt *o = v->o;
    Ref old = v->at = copied(v, opt_node(o, v->c.phi)->args[v->c.ends.inside]);
    turn_phi(v, main, old, add(v, OPT_ADD, OT_INT, copied(v, v->c.phi), opt_const(o, OT_INT, elements)));
}

static Ref pick(Vectors *v, Cond c, OptType from, Ref x, Ref y, Ref yes, Ref no) {
    Ref r = add(v, OPT_PICK, OT_INT, x, y);
    Node *n = opt_node(v->o, r);
    n->kind = (u1)c;
    n->from = (u1)from;
    n->in[2] = yes;
    n->in[3] = no;
    return r;
}

/* Nothing is equal to what no element can be. */
static Ref if_in_range(Vectors *v, const Node *asked, Ref equal) {
    Opt *o = v->o;
    bool first = is_in_loop(v, asked->in[0]);
    OptRange x = range_of(v, asked->in[!first]);
    Ref above = add(v, OPT_SUB, OT_INT, asked->in[first], opt_const(o, OT_INT, x.lo));
    return pick(v, COND_BELOW, OT_INT, above, opt_const(o, OT_INT, x.hi - x.lo + 1), equal, opt_const(o, OT_INT, 0));
}

/* How many of the turn's elements the constant is added for, times the constant. */
static Ref counted(Vectors *v, Ref joined, const Node *asked, u4 elements_of_turn) {
    Opt *o = v->o;
    Ref bits = add(v, OPT_VCOUNT, OT_FLOAT, joined, 0);
    opt_node(o, bits)->from = (u1)elements(v, OT_INT);
    Ref equal = add(v, OPT_FLOAT_BITS, OT_INT, bits, 0);
    if (!is_exact(v, asked->in[0], asked->in[1])) equal = if_in_range(v, asked, equal);
    bool others = (asked->kind == COND_NE) != opt_is_zero(v->o, asked->in[2]);
    Ref n = others ? add(v, OPT_SUB, OT_INT, opt_const(o, OT_INT, elements_of_turn), equal) : equal;
    return add(v, OPT_MUL, OT_INT, n, picked_of(v, asked));
}

static Ref reduced(Vectors *v, Ref joined, const Node *n) {
    OptType t = (OptType)n->type;
    Ref bits = add(v, OPT_VREDUCE, t == OT_INT ? OT_FLOAT : OT_DOUBLE, joined, 0);
    opt_node(v->o, bits)->kind = (u1)joined_by(n);
    opt_node(v->o, bits)->from = (u1)kind_of(t);
    return add(v, OPT_FLOAT_BITS, t, bits, 0);
}

static void make_totals(Vectors *v, BlockRef main, u4 elements_of_turn) {
    for (u4 i = 0; i < v->n_totals && !v->o->no_memory; i++) {
        Ref next = v->totals[i].next, element = element_of(v, next), joined = v->totals[i].joined;
        Node n = *opt_node(v->o, next), pick = *opt_node(v->o, element);
        Ref whole = v->roles[element] == ROLE_COUNT ? counted(v, joined, &pick, elements_of_turn) : reduced(v, joined, &n);
        Ref total = add(v, (OptOp)n.op, (OptType)n.type, 0, 0);
        Node *x = opt_node(v->o, total);
        x->kind = n.kind;
        x->from = n.from;
        for (int k = 0; k < 4 && n.in[k]; k++) x->in[k] = n.in[k] == element ? whole : copied(v, n.in[k]);
        turn_phi(v, main, copied(v, next), total);
        v->totals[i].joined = 0;
    }
}

static Ref place_for_vectors(const Vectors *v) {
    BlockRef latch = opt_copied_block(&v->copies, 0, v->c.ends.latch);
    for (Ref r = opt_block(v->o, latch)->first; r; r = opt_node(v->o, r)->next)
        if (opt_node(v->o, r)->op == OPT_POLL) return r;
    return opt_block(v->o, latch)->last;
}

/* What the main loop counts to: nothing, if a turn's loads and stores would meet. */
static Ref limit_of(Vectors *v, u4 elements) {
    Opt *o = v->o;
    Ref n = v->c.n, none = opt_const(o, OT_INT, INT32_MIN), zero = opt_const(o, OT_INT, 0);
    v->at = opt_block(o, v->c.ends.before)->last;
    for (u4 i = 0; i < v->n_overlaps && !o->no_memory; i++) {
        const Overlap *x = &v->overlaps[i];
        Ref met = none;
        if (x->from.beside != x->to.beside) {
            Ref d = add(v, OPT_SUB, OT_INT, x->from.beside ? x->from.beside : zero, x->to.beside ? x->to.beside : zero);
            d = add(v, OPT_ADD, OT_INT, d, opt_const(o, OT_INT, (int32_t)(u4)(u8)(x->from.k - x->to.k + elements - 1)));
            met = pick(v, COND_BELOW, OT_INT, d, opt_const(o, OT_INT, x->behind ? 2 * elements - 1 : elements - 1), none, n);
        }
        n = x->load == x->store ? met : pick(v, COND_EQ, OT_REF, x->load, x->store, met, n);
    }
    return n;
}

static bool are_few(const Vectors *v, u4 elements) {
    const Opt *o = v->o;
    if (!opt_is_const(o, v->c.start) || !opt_is_const(o, v->c.n)) return false;
    return opt_node(o, v->c.n)->k - opt_node(o, v->c.start)->k - v->c.ahead < 2 * (int64_t)elements;
}

static void end_wide(Opt *o, BlockRef main) {
    const Block *m = opt_block(o, main);
    BlockRef out = m->succs[opt_block(o, m->succs[0])->loop == main];
    Ref r = opt_new(o, OPT_VEND, OT_NONE);
    if (r) opt_insert_before(o, opt_block(o, out)->last, r);
}

/* A main loop in front of the one at hand. */
static void make(Vectors *v, u4 times) {
    Opt *o = v->o;
    u4 each = (o->wide ? WIDE_BYTES : 16) / v->bytes, elements = each * times;
    if (are_few(v, elements)) return;
    v->c.n = limit_of(v, elements);
    BlockRef main = opt_widen(o, &v->c, elements, 1, &v->copies);
    if (!main || o->no_memory) return;
    v->made = opt_alloc(o, (o->n_nodes + 1) * sizeof *v->made);
    v->n_spread = 0;
    if (o->no_memory) return;
    v->at = place_for_vectors(v);
    for (u4 i = 0; i < times && !o->no_memory; i++) make_vectors(v, i * each);
    if (!o->no_memory) make_totals(v, main, elements);
    if (o->no_memory) return;
    drop_scalars(v);
    count_by(v, main, elements);
    opt_block(o, main)->whole = opt_block(o, v->c.head)->whole = true;
    opt_tidy_loops(o);
    if (o->wide && !o->no_memory && !o->why) end_wide(o, main);
}

static void make_all(Vectors *v) {
    u4 times = v->parts <= 4 ? MOST_VECTORS : v->parts <= 8 ? 2 : 1;
    make(v, times);
    if (times > 1 && !v->o->no_memory && !v->o->why && opt_find_counted(v->o, v->c.head, &v->c)) make(v, 1);
}

void opt_vectors(Opt *o) {
    u4 n;
    if (o->no_memory || o->why || o->scalar || !asm_has_vector(VECTOR_ADD, OF_INTS)) return;
    o->wide = asm_has_wide_vectors(&asm_features) && vm_options.use_avx >= 2;
    BlockRef *all = opt_innermost(o, &n);
    if (!n) return;
    opt_split_edges(o); /* heads stay heads */
    for (u4 i = 0; i < n && all && !o->no_memory && !o->why; i++) {
        Vectors v = {.o = o, .roles = opt_alloc(o, o->n_nodes + 1)};
        if (!v.roles) return;
        if (!opt_block(o, all[i])->loop_head || opt_block(o, all[i])->seldom || !opt_find_counted(o, all[i], &v.c)) continue;
        if (v.c.by != 1 || !opt_counts_towards(&v.c) || !can_be_vectors(&v)) continue;
        make_all(&v);
    }
}
