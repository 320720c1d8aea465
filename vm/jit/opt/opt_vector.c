/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: loops over arrays that do several elements at once.
 *
 *     for (i = ...; i < n; i++) c[i] = a[i] * x + b[i];
 *
 * becomes a main loop (opt_unroll.c: opt_widen) whose turn is up to 64 bytes of each array, in vectors of 16; the loop itself does the rest.
 *
 * WHICH    Innermost counted loops that count by one and have nothing but: loads and stores of elements at i + constant, all of one size; arithmetic on
 *          what was loaded and on what does not change; the counter; the poll.  No guard is left (opt_loops has moved them), and no value but the
 *          counter goes from turn to turn.  Bytes and 16 bits are only copied, or stored as they are.
 * ORDER    A turn does in the order of the bytecode for some elements what it did for one.  That is the same unless an element that is loaded is
 *          stored in another turn.  Arrays may be one and the same, so everything that may be the stores' is at the same distance from the counter; then a turn
 *          of the loop loads and stores what is its own.  Elements of other types are other arrays' (opt_place).
 *          Other threads may see elements stored in another order, as they may anyway, but none in parts (JLS 17.6): stores of vectors are as whole as
 *          its elements, which are aligned.
 * VECTORS  live in registers between two polls, in one block: helpers keep 8 bytes of a register, States name scalars.  What does not change is spread
 *          over a vector in each turn.  If there are too few registers (opt_unroomy) the form is built anew without vectors (Opt.scalar).
 * AROUND   The counter is a scalar, and counts by the elements of a turn.  The main loop and the rest are not unrolled (Block.whole).
 *
 * Not done: sums and the like (a vector would live across polls), loads beside what is stored (arrays would have to be compared first), numbers made
 * wider or narrower, counters as values, vectors of 32 bytes.
 */
#include "jit/opt/opt_counted.h"
#include "jit/opt/opt_pass.h"

enum { VECTOR_BYTES = 16, MOST_VECTORS = 4, MOST_PARTS = 24, MOST_SPREAD = 4, NARROW = 2 };

typedef enum Role { ROLE_NONE, ROLE_SCALAR, ROLE_VALUE, ROLE_STORE } Role; /* SCALAR: the counter, an index, the poll, the end */

typedef struct Vectors {
    Opt *o;
    OptCounted c;
    OptCopies copies;
    u1 *roles; /* by node of the loop */
    Ref first_store;
    u4 bytes;    /* of an element */
    u4 parts;    /* vectors that a turn computes for the same elements */
    u4 wanted;   /* operands that are spread */
    Ref *made;   /* by node of the loop: the vector of the elements at hand */
    Ref *spread; /* by operand */
    Ref at;      /* in front of this node */
} Vectors;

static bool is_in_loop(const Vectors *v, Ref r) {
    const Node *n = opt_node(v->o, r);
    return n->block && opt_block(v->o, n->block)->loop == v->c.head;
}

/* --- which --- */

static bool is_index(const Vectors *v, Ref r, int64_t *distance) {
    const Node *n = opt_node(v->o, r);
    *distance = 0;
    if (r == v->c.phi) return true;
    if (n->op != OPT_ADD || n->in[0] != v->c.phi || !opt_is_const(v->o, n->in[1])) return false;
    *distance = opt_node(v->o, n->in[1])->k;
    return true;
}

static u4 size_of(u1 kind) { return kind == MEM_64 ? 8 : kind == MEM_32 ? 4 : kind == MEM_U16 || kind == MEM_S16 ? 2 : 1; }

/* An access of an array that does not change, at a distance from the counter, of elements like the others. */
static bool is_access(Vectors *v, const Node *n, int64_t *distance) {
    u4 bytes = size_of(n->kind);
    if (v->bytes && v->bytes != bytes) return false;
    v->bytes = bytes;
    return !is_in_loop(v, n->in[0]) && is_index(v, n->in[1], distance);
}

static VectorOf kind_of(OptType t) {
    return t == OT_INT ? OF_INTS : t == OT_LONG ? OF_LONGS : t == OT_FLOAT ? OF_FLOATS : OF_DOUBLES;
}

static int vector_op(u1 op) {
    switch ((OptOp)op) {
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
    default: return -1;
    }
}

static bool is_shift(int op) { return op >= VECTOR_SHL; }

/* An operand of an operation, or what is stored. */
static bool is_operand(Vectors *v, Ref r) {
    if (is_in_loop(v, r)) return v->roles[r] == ROLE_VALUE;
    v->wanted++;
    return true;
}

static bool is_computed(Vectors *v, const Node *n) {
    int op = vector_op(n->op);
    if (op < 0 || v->bytes <= NARROW || !asm_has_vector((VectorOp)op, kind_of((OptType)n->type))) return false;
    if (v->bytes != (n->type == OT_INT || n->type == OT_FLOAT ? 4 : 8) || !is_operand(v, n->in[0])) return false;
    return is_shift(op) ? opt_is_const(v->o, n->in[1]) : is_operand(v, n->in[1]);
}

static bool stores(Vectors *v, Ref r) {
    const Node *n = opt_node(v->o, r);
    int64_t distance, first;
    if (!is_access(v, n, &distance) || opt_node(v->o, n->in[2])->type == OT_REF || !is_operand(v, n->in[2])) return false;
    if (!v->first_store) v->first_store = r;
    is_index(v, opt_node(v->o, v->first_store)->in[1], &first);
    return distance == first;
}

static Role role_of(Vectors *v, Ref r) {
    const Node *n = opt_node(v->o, r);
    int64_t distance;
    switch ((OptOp)n->op) {
    case OPT_PHI: return r == v->c.phi ? ROLE_SCALAR : ROLE_NONE;
    case OPT_POLL:
    case OPT_JUMP: return ROLE_SCALAR;
    case OPT_IF: return n->block == v->c.head ? ROLE_SCALAR : ROLE_NONE;
    case OPT_ELEMENT: return n->type != OT_REF && is_access(v, n, &distance) ? ROLE_VALUE : ROLE_NONE;
    case OPT_SET_ELEMENT: return stores(v, r) ? ROLE_STORE : ROLE_NONE;
    default: return is_index(v, r, &distance) ? ROLE_SCALAR : is_computed(v, n) ? ROLE_VALUE : ROLE_NONE;
    }
}

/* Loads that may be of what is stored. */
static bool loads_its_own(const Vectors *v, Ref r) {
    const Node *n = opt_node(v->o, r), *s = opt_node(v->o, v->first_store);
    int64_t distance, first;
    if (n->op != OPT_ELEMENT || !is_index(v, n->in[1], &distance) || !is_index(v, s->in[1], &first)) return true;
    if (distance == first) return true;
    for (u4 i = 0; i < v->o->n_order; i++)
        for (Ref x = opt_block(v->o, v->o->order[i])->first; x; x = opt_node(v->o, x)->next)
            if (is_in_loop(v, x) && opt_node(v->o, x)->op == OPT_SET_ELEMENT &&
                opt_place(v->o, opt_node(v->o, x)) == opt_place(v->o, n))
                return false;
    return true;
}

/* Scalars use scalars. */
static void check_scalar(Opt *o, Ref user, Ref *use, void *arg) {
    Vectors *v = arg;
    (void)o, (void)user;
    if (is_in_loop(v, *use) && v->roles[*use] != ROLE_SCALAR) v->first_store = 0;
}

static bool is_straight(const Vectors *v, BlockRef b) {
    return b == v->c.head || (opt_block(v->o, b)->n_succs == 1 && opt_block(v->o, b)->n_preds == 1);
}

static bool look_at_block(Vectors *v, BlockRef b) {
    if (!is_straight(v, b)) return false;
    for (Ref r = opt_block(v->o, b)->first; r; r = opt_node(v->o, r)->next) {
        Role role = role_of(v, r);
        v->roles[r] = (u1)role;
        v->parts += role == ROLE_VALUE || role == ROLE_STORE;
        if (role == ROLE_NONE || (b == v->c.head && role != ROLE_SCALAR)) return false;
    }
    return true;
}

static bool can_be_vectors(Vectors *v) {
    Opt *o = v->o;
    for (u4 i = 0; i < o->n_order; i++)
        if (opt_block(o, o->order[i])->loop == v->c.head && !look_at_block(v, o->order[i])) return false;
    for (u4 i = 0; i < o->n_order && v->first_store; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r && v->first_store; r = opt_node(o, r)->next) {
            if (!is_in_loop(v, r)) continue;
            if (v->roles[r] == ROLE_SCALAR) opt_visit_uses(o, r, true, true, check_scalar, v);
            else if (!loads_its_own(v, r)) return false;
        }
    return v->first_store && v->parts <= MOST_PARTS && v->wanted <= MOST_SPREAD;
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
    if (v->spread[r]) return v->spread[r];
    OptType t = (OptType)opt_node(v->o, r)->type;
    Ref x = add(v, OPT_VSPLAT, OT_VECTOR, v->bytes <= NARROW ? repeated(v, r) : r, 0);
    opt_node(v->o, x)->from = (u1)kind_of(t);
    return v->spread[r] = x;
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

static void make_op(Vectors *v, Ref r) {
    Node old = *opt_node(v->o, r);
    int op = vector_op(old.op);
    Ref x = operand(v, old.in[0]), y = is_shift(op) ? 0 : operand(v, old.in[1]);
    Ref z = add(v, is_shift(op) ? OPT_VSHIFT : OPT_VOP, OT_VECTOR, x, y);
    Node *n = opt_node(v->o, z);
    n->kind = (u1)op;
    n->from = (u1)kind_of((OptType)old.type);
    if (is_shift(op)) n->k = opt_node(v->o, old.in[1])->k & (old.type == OT_INT ? 31 : 63);
    v->made[r] = z;
}

static void make_vectors(Vectors *v, u4 k) {
    const OptCopies *c = &v->copies;
    for (u4 i = 0; i < c->n_blocks; i++)
        for (Ref r = opt_block(v->o, c->blocks[i])->first; r && !v->o->no_memory; r = opt_node(v->o, r)->next) {
            if (v->roles[r] == ROLE_SCALAR) continue;
            if (opt_node(v->o, r)->op == OPT_ELEMENT || v->roles[r] == ROLE_STORE) make_access(v, r, k);
            else make_op(v, r);
        }
}

static void drop_scalars(Vectors *v) {
    const OptCopies *c = &v->copies;
    for (u4 i = c->n_blocks; i-- > 0;)
        for (Ref r = opt_block(v->o, c->blocks[i])->last; r; r = opt_node(v->o, r)->prev)
            if (v->roles[r] != ROLE_SCALAR) opt_unlink(v->o, c->to[0][r]);
}

typedef struct Turned {
    Ref from, to;
} Turned;

static void turn(Opt *o, Ref user, Ref *use, void *arg) {
    const Turned *t = arg;
    (void)o, (void)user;
    if (*use == t->from) *use = t->to;
}

/* The counter is so much more behind the turn; as an index of an element the old sum stays. */
static void count_by(Vectors *v, BlockRef main, u4 elements) {
    Opt *o = v->o;
    Ref first = opt_block(o, main)->first, old = copied(v, opt_node(o, v->c.phi)->args[v->c.ends.inside]);
    v->at = old;
    Turned t = {old, add(v, OPT_ADD, OT_INT, first, opt_const(o, OT_INT, elements))};
    const Node *phi = opt_node(o, first);
    for (u4 p = 0; p < opt_block(o, main)->n_preds; p++)
        if (phi->args[p] == old) phi->args[p] = t.to;
    for (u4 i = 0; i < v->copies.n_blocks; i++)
        for (Ref r = opt_block(o, v->copies.first[0] + i)->first; r; r = opt_node(o, r)->next)
            if (opt_node(o, r)->op == OPT_POLL) opt_visit_uses(o, r, true, true, turn, &t);
}

static Ref place_for_vectors(const Vectors *v) {
    BlockRef latch = opt_copied_block(&v->copies, 0, v->c.ends.latch);
    for (Ref r = opt_block(v->o, latch)->first; r; r = opt_node(v->o, r)->next)
        if (opt_node(v->o, r)->op == OPT_POLL) return r;
    return opt_block(v->o, latch)->last;
}

static bool are_few(const Vectors *v, u4 elements) {
    const Opt *o = v->o;
    if (!opt_is_const(o, v->c.start) || !opt_is_const(o, v->c.n)) return false;
    return opt_node(o, v->c.n)->k - opt_node(o, v->c.start)->k < 2 * (int64_t)elements;
}

static void make(Vectors *v) {
    Opt *o = v->o;
    u4 each = VECTOR_BYTES / v->bytes, times = v->parts <= 4 ? MOST_VECTORS : v->parts <= 8 ? 2 : 1, elements = each * times;
    if (are_few(v, elements)) return;
    BlockRef main = opt_widen(o, &v->c, elements, 1, &v->copies);
    if (!main || o->no_memory) return;
    v->made = opt_alloc(o, (o->n_nodes + 1) * sizeof *v->made);
    v->spread = opt_alloc(o, (o->n_nodes + 1) * sizeof *v->spread);
    if (o->no_memory) return;
    v->at = place_for_vectors(v);
    for (u4 i = 0; i < times && !o->no_memory; i++) make_vectors(v, i * each);
    if (o->no_memory) return;
    drop_scalars(v);
    count_by(v, main, elements);
    opt_block(o, main)->whole = opt_block(o, v->c.head)->whole = true;
}

void opt_vectors(Opt *o) {
    u4 n;
    if (o->no_memory || o->why || o->scalar || !asm_has_vector(VECTOR_ADD, OF_INTS)) return;
    BlockRef *all = opt_innermost(o, &n);
    if (!n) return;
    opt_split_edges(o); /* heads stay heads */
    for (u4 i = 0; i < n && all && !o->no_memory && !o->why; i++) {
        Vectors v = {.o = o, .roles = opt_alloc(o, o->n_nodes + 1)};
        if (!v.roles) return;
        if (!opt_block(o, all[i])->loop_head || opt_block(o, all[i])->seldom || !opt_find_counted(o, all[i], &v.c)) continue;
        if (v.c.by != 1 || !opt_counts_towards(&v.c) || !can_be_vectors(&v)) continue;
        make(&v);
        opt_tidy_loops(o);
    }
}
