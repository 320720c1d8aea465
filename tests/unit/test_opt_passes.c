/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes of the optimising compiler: a form before and after them does the same.
 *
 * Small forms are built by hand and looked at.  Random ones are built as the builder does it, from a program in cells
 * that is drawn at random, and are run by an interpreter of the form: what is stored, called, returned, in which state
 * the code leaves.  It also sees what must not happen: an access through null, out of bounds, to a field that the class
 * does not have; a store of a reference without a CARD when a collection may come.  Where the changed form leaves with
 * EXIT_REDO, which is in front of a loop, the unchanged one goes on at its head.  Then registers are given out and verified.
 * `test_opt_passes N [SEED]`: N random forms.
 */
#include <inttypes.h>

#include "cf_test.h"
#include "jit/opt/opt_int.h"
#include "opt_world.h"

/* ---- single nodes ---- */

static Opt new_form(void) {
    Opt o;
    CHECK(opt_init(&o, &method));
    opt_new_block(&o);
    return o;
}

/* A tree over PARAMs that have the values of `params`, in the order of k. */
static int64_t eval_tree(const Opt *o, Ref r, const int64_t *params) {
    const Node *n = opt_node(o, r);
    if (n->op == OPT_CONST) return n->k;
    if (n->op == OPT_PARAM) return params[n->k];
    int64_t x = n->in[0] ? eval_tree(o, n->in[0], params) : 0, y = n->in[1] ? eval_tree(o, n->in[1], params) : 0;
    if (n->op == OPT_IF) return eval_cond(n->kind, x, y);
    if (n->op == OPT_FIF) return eval_fif(n, x, y);
    if ((n->op == OPT_DIV || n->op == OPT_REM) && !y) return 0;
    return eval_pure(n, x, y);
}

static Ref add(Opt *o, OptOp op, OptType t, Ref x, Ref y) {
    Ref r = opt_append(o, 1, op, t);
    opt_node(o, r)->in[0] = x;
    opt_node(o, r)->in[1] = y;
    return r;
}

static bool is_float(OptType t) { return t == OT_FLOAT || t == OT_DOUBLE; }

static Ref random_leaf(Opt *o, OptType t) {
    if (below(2)) return opt_const(o, t, is_float(t) ? float_number(t) : number(t));
    for (Ref r = opt_block(o, 1)->first; r; r = opt_node(o, r)->next)
        if (opt_node(o, r)->op == OPT_PARAM && opt_node(o, r)->type == t && below(2)) return r;
    return opt_const(o, t, is_float(t) ? float_number(t) : number(t));
}

static Ref random_tree(Opt *o, OptType t, u4 depth, bool folds);

static Ref finish(Opt *o, Ref r, bool folds) {
    Ref is = folds ? opt_fold(o, r) : r;
    if (is != r) opt_unlink(o, r);
    return is;
}

static Ref random_unary(Opt *o, OptType t, u4 depth, bool folds) {
    Ref x, r;
    switch (below(5)) {
    case 4: {
        OptType of = is_float(t) ? OT_INT : t == OT_LONG ? OT_LONG : (OptType)(OT_INT + below(2));
        OptBits kind = (OptBits)(t == OT_LONG ? BITS_SWAPPED : below(of == OT_INT ? 4 : 3));
        if (is_float(t)) break;
        x = random_tree(o, of, depth, folds);
        r = add(o, OPT_BITS, t, x, 0);
        opt_node(o, r)->from = (u1)of;
        opt_node(o, r)->kind = (u1)kind;
        return finish(o, r, folds);
    }
    case 0:
        x = random_tree(o, t, depth, folds);
        return finish(o, add(o, is_float(t) ? (below(2) ? OPT_FNEG : OPT_FABS) : OPT_NEG, t, x, 0), folds);
    case 1:
        if (t != OT_INT) break;
        x = random_tree(o, t, depth, folds);
        r = add(o, OPT_NARROW, t, x, 0);
        opt_node(o, r)->kind = (u1[]){MEM_S8, MEM_U8, MEM_S16, MEM_U16}[below(4)];
        return finish(o, r, folds);
    case 2: {
        OptType from = (OptType)(OT_INT + below(2));
        if (t != OT_INT) break;
        bool floats = below(2);
        if (floats) from = (OptType)(OT_FLOAT + below(2));
        else from = OT_LONG;
        x = random_tree(o, from, depth, folds);
        Ref y = random_tree(o, from, depth, folds);
        r = add(o, floats ? OPT_FCMP3 : OPT_CMP3, OT_INT, x, y);
        opt_node(o, r)->from = (u1)from;
        opt_node(o, r)->k = floats ? (below(2) ? 1 : -1) : 0;
        return finish(o, r, folds);
    }
    default: break;
    }
    OptType from = (OptType)(OT_INT + below(4));
    if (from == t) return random_leaf(o, t);
    x = random_tree(o, from, depth, folds);
    r = add(o, OPT_CONVERT, t, x, 0);
    opt_node(o, r)->from = (u1)from;
    return finish(o, r, folds);
}

static Ref random_tree(Opt *o, OptType t, u4 depth, bool folds) {
    if (!depth || !below(5)) return random_leaf(o, t);
    if (!below(3)) return random_unary(o, t, depth - 1, folds);
    OptOp op = is_float(t) ? (below(4)   ? (OptOp)(OPT_FADD + below(5))
                              : below(2) ? OPT_FMIN
                                         : OPT_FMAX)
                           : (OptOp)(OPT_ADD + below(12));
    if (op == OPT_NEG) op = OPT_ADD;
    bool shifts = op == OPT_SHL || op == OPT_SHR || op == OPT_USHR;
    Ref x = random_tree(o, t, depth - 1, folds), y = random_tree(o, shifts ? OT_INT : t, depth - 1, folds);
    if (op == OPT_DIV || op == OPT_REM) {
        int64_t by = number(t);
        y = opt_const(o, t, by ? by : 3);
    }
    return finish(o, add(o, op, t, x, y), folds);
}

static Ref widened(Opt *o, Ref x, bool folds) {
    Ref r = add(o, OPT_CONVERT, OT_LONG, x, 0);
    opt_node(o, r)->from = OT_INT;
    return finish(o, r, folds);
}

/* The same tree, folded while it is built and not. */
static void test_trees(u4 n) {
    for (u4 i = 0; i < n; i++) {
        Opt o[2];
        Ref r[2];
        u8 start = random_u8() | 1;
        for (int folds = 0; folds < 2; folds++) {
            o[folds] = new_form();
            for (u4 p = 0; p < 8; p++) opt_node(&o[folds], add(&o[folds], OPT_PARAM, (OptType)(OT_INT + p % 4), 0, 0))->k = p;
            seed = start;
            OptType t = (OptType)(OT_INT + below(4));
            r[folds] = random_tree(&o[folds], t, 4, folds);
            if (t == OT_INT && below(2)) r[folds] = widened(&o[folds], r[folds], folds), t = OT_LONG;
            if (!opt_is_number(t) || below(2)) continue;
            Ref end = add(&o[folds], OPT_IF, OT_NONE, r[folds],
                          below(2) ? opt_const(&o[folds], t, below(2) ? 0 : number(t)) : r[folds]);
            opt_node(&o[folds], end)->kind = (u1)below(10);
            opt_node(&o[folds], end)->from = (u1)t;
            r[folds] = folds ? opt_fold(&o[folds], end) : end;
        }
        bool same = true;
        for (u4 k = 0; k < 20; k++) {
            int64_t params[8];
            for (u4 p = 0; p < 8; p++)
                params[p] = p % 4 < 2 ? number((OptType)(OT_INT + p % 4)) : float_number((OptType)(OT_INT + p % 4));
            int64_t x = eval_tree(&o[0], r[0], params), y = eval_tree(&o[1], r[1], params);
            int decided = opt_node(&o[1], r[1])->op == OPT_IF ? opt_decide(&o[1], r[1]) : -1;
            OptRange range = opt_range(&o[1], r[1]);
            same &= x == y && (decided < 0 || decided == y);
            if (opt_is_number((OptType)opt_node(&o[1], r[1])->type)) same &= y >= range.lo && y <= range.hi;
        }
        CHECK(same);
        cf_arena_free(&o[0].arena);
        cf_arena_free(&o[1].arena);
    }
}

/* ---- random forms ---- */

enum { C_INT = 0, C_LONG = 4, C_OBJECT = 6, C_ARRAY = 8, C_OBJECTS = 10, CELLS = 12, MOST_LOOPS = 6, MOST_INTO = 8 };

typedef struct Gen {
    Opt *o;
    BlockRef cur;
    Ref cells[CELLS];
    u4 bci, locked; /* locked: bits of cells that are not to be assigned */
    bool folds;
    u4 n_loops, size;
    BlockRef head; /* of the innermost loop, or 0 */
    Ref phis[CELLS];
} Gen;

static OptType type_of(u4 cell) { return cell < C_LONG ? OT_INT : cell < C_OBJECT ? OT_LONG : OT_REF; }

static State *state_here(Gen *g, u4 bci) {
    State *s = opt_alloc(g->o, sizeof *s + CELLS * sizeof(Ref));
    *s = (State){.scope = &scope, .bci = bci, .n_locals = CELLS};
    memcpy(s->cells, g->cells, sizeof g->cells);
    return s;
}

static Ref put_node(Gen *g, OptOp op, OptType t, Ref x, Ref y) {
    Ref r = opt_append(g->o, g->cur, op, t);
    opt_node(g->o, r)->in[0] = x;
    opt_node(g->o, r)->in[1] = y;
    return r;
}
static Ref folded(Gen *g, Ref r) { return finish(g->o, r, g->folds); }
static Ref pure(Gen *g, OptOp op, OptType t, Ref x, Ref y) { return folded(g, put_node(g, op, t, x, y)); }
static Ref int_const(Gen *g, int64_t k) { return opt_const(g->o, OT_INT, k); }

static Ref guard(Gen *g, OptOp op, enum ExitKind exit, Ref x, Ref y) {
    Ref r = put_node(g, op, OT_NONE, x, y);
    opt_node(g->o, r)->exit = (u1)exit;
    opt_node(g->o, r)->state = state_here(g, g->bci);
    if (!g->folds || opt_fold(g->o, r) != OPT_ALWAYS) return r;
    opt_unlink(g->o, r);
    return 0;
}
static Ref not_null(Gen *g, Ref x) { return opt_node(g->o, x)->not_null ? 0 : guard(g, OPT_NOT_NULL, EXIT_NULL, x, 0); }

static u4 cell_of(Gen *g, u4 first, u4 n, bool write) {
    u4 c = first + below(n);
    return write && g->locked >> c & 1 ? CELLS : c;
}
static void assign(Gen *g, u4 cell, Ref r) {
    if (cell < CELLS) g->cells[cell] = r;
}
static Ref int_operand(Gen *g) {
    return below(3) ? g->cells[cell_of(g, C_INT, 4, false)] : int_const(g, below(6) ? below(6) : number(OT_INT));
}

static void gen_math(Gen *g) {
    static const u1 ops[] = {OPT_ADD, OPT_SUB, OPT_MUL,  OPT_AND, OPT_OR,  OPT_XOR,
                             OPT_SHL, OPT_SHR, OPT_USHR, OPT_ADD, OPT_ADD, OPT_SUB};
    if (below(4)) {
        Ref x = int_operand(g), y = int_operand(g);
        return assign(g, cell_of(g, C_INT, 4, true), pure(g, (OptOp)ops[below(12)], OT_INT, x, y));
    }
    Ref x = g->cells[cell_of(g, C_LONG, 2, false)], y = g->cells[cell_of(g, C_LONG, 2, false)];
    OptOp op = (OptOp)ops[below(6)];
    Ref r = pure(g, op, OT_LONG, x, y);
    assign(g, cell_of(g, C_LONG, 2, true), r);
    if (below(2)) return;
    Ref l = put_node(g, OPT_CONVERT, OT_LONG, int_operand(g), 0);
    opt_node(g->o, l)->from = OT_INT;
    l = folded(g, l);
    if (!below(3)) l = pure(g, OPT_AND, OT_LONG, l, opt_const(g->o, OT_LONG, below(4) ? UINT32_MAX : INT64_C(0x1ffffffff)));
    Ref i = put_node(g, OPT_CONVERT, OT_INT, below(2) ? r : l, 0);
    opt_node(g->o, i)->from = OT_LONG;
    i = folded(g, i);
    assign(g, cell_of(g, C_INT, 4, true), i);
}

static void gen_divide(Gen *g) {
    Ref x = int_operand(g), y = int_operand(g);
    if (below(3)) y = pure(g, OPT_OR, OT_INT, y, int_const(g, 1));
    Ref zero = guard(g, OPT_NOT_ZERO, EXIT_ZERO, y, 0);
    OptOp op = below(2) ? OPT_DIV : OPT_REM;
    u4 cell = cell_of(g, C_INT, 4, true);
    if (opt_is_const(g->o, y) && !opt_node(g->o, y)->k) return;
    Ref r = put_node(g, op, OT_INT, x, y);
    opt_node(g->o, r)->after = zero;
    assign(g, cell, folded(g, r));
}

static const Class *declares(int64_t k) { return k >= STATIC ? NULL : k == F_DERIVED ? &derived_class : &base_class; }

/* What may be in a field, and how. */
static void gen_load(Gen *g, Ref of, int64_t k, Ref after) {
    OptType t = k == F_LONG ? OT_LONG : k == F_REF ? OT_REF : OT_INT;
    MemKind kind = k == F_LONG ? MEM_64 : k == F_BYTE ? MEM_S8 : k == F_CHAR ? MEM_U16 : k == F_SHORT ? MEM_S16 : MEM_32;
    Ref r = put_node(g, OPT_LOAD, t, of, 0);
    Node *n = opt_node(g->o, r);
    n->k = k;
    n->what = (Class *)declares(k);
    n->kind = (u1)kind;
    n->after = after;
    if (!below(12)) put_node(g, OPT_FRESH, OT_NONE, 0, 0);
    assign(g,
           t == OT_LONG  ? cell_of(g, C_LONG, 2, true)
           : t == OT_REF ? cell_of(g, C_OBJECT, 2, true)
                         : cell_of(g, C_INT, 4, true),
           r);
}

static void gen_store(Gen *g, Ref of, int64_t k, Ref after) {
    Ref v = k == F_LONG  ? g->cells[cell_of(g, C_LONG, 2, false)]
            : k == F_REF ? g->cells[cell_of(g, C_OBJECT, 2, false)]
                         : int_operand(g);
    MemKind kind = k == F_LONG ? MEM_64 : k == F_BYTE ? MEM_U8 : k == F_CHAR || k == F_SHORT ? MEM_U16 : MEM_32;
    Ref r = put_node(g, OPT_STORE, OT_NONE, of, v);
    Node *n = opt_node(g->o, r);
    n->k = k;
    n->what = (Class *)declares(k);
    n->kind = (u1)kind;
    n->after = after;
    if (k == F_REF) put_node(g, OPT_CARD, OT_NONE, of, 0);
    if (!below(12)) put_node(g, OPT_FENCE, OT_NONE, 0, 0);
}

static void gen_field(Gen *g) {
    int64_t k = 8 * (1 + below(6));
    Ref of = below(6) ? g->cells[cell_of(g, C_OBJECT, 2, false)] : 0;
    Ref after = of ? not_null(g, of) : 0;
    if (!of) k = STATIC + F_INT;
    if (below(2)) gen_load(g, of, k, after);
    else gen_store(g, of, k, after);
}

/* x & (length - 1), or x % length */
static Ref cut_to(Gen *g, Ref x, Ref length) {
    bool masks = below(2), guarded = below(2);
    if (masks && guarded) guard(g, OPT_NOT_ZERO, EXIT_ZERO, length, 0);
    if (masks) return pure(g, OPT_AND, OT_INT, x, pure(g, OPT_ADD, OT_INT, length, int_const(g, -1)));
    Ref after = guard(g, OPT_NOT_ZERO, EXIT_ZERO, length, 0), r = put_node(g, OPT_REM, OT_INT, x, length);
    opt_node(g->o, r)->after = after;
    return r;
}

static void gen_element(Gen *g) {
    bool refs = !below(3), loads = below(3);
    Ref of = g->cells[cell_of(g, refs ? C_OBJECTS : C_ARRAY, 2, false)], index = int_operand(g), after = not_null(g, of);
    if (below(4)) index = pure(g, OPT_AND, OT_INT, index, int_const(g, 1 + 2 * below(2)));
    else if (below(3)) index = pure(g, OPT_ADD, OT_INT, index, int_const(g, (int64_t)below(4) - 2));
    Ref length = put_node(g, OPT_LENGTH, OT_INT, of, 0);
    opt_node(g->o, length)->after = after;
    length = folded(g, length);
    if (!below(6)) index = cut_to(g, int_operand(g), length);
    after = guard(g, OPT_IN_BOUNDS, EXIT_INDEX, index, length);
    Ref value = refs ? g->cells[cell_of(g, C_OBJECT, 2, false)] : int_operand(g);
    Ref r = put_node(g, loads ? OPT_ELEMENT : OPT_SET_ELEMENT, loads ? refs ? OT_REF : OT_INT : OT_NONE, of, index);
    Node *n = opt_node(g->o, r);
    n->kind = MEM_32;
    n->after = after;
    if (loads) return assign(g, cell_of(g, refs ? C_OBJECT : C_INT, refs ? 2 : 4, true), r);
    n->in[2] = value;
    if (refs) put_node(g, OPT_CARD, OT_NONE, of, 0);
}

static void gen_new(Gen *g) {
    bool array = below(2);
    Ref length = int_const(g, below(5)), x = below(2) ? length : g->cells[cell_of(g, C_INT, 4, false)];
    const Class *k = array ? below(2) ? &ints_class : &objects_class : below(2) ? &base_class : &derived_class;
    Ref r = put_node(g, array ? OPT_NEW_ARRAY : OPT_NEW, OT_REF, array ? x : 0, 0);
    Node *n = opt_node(g->o, r);
    n->what = array ? NULL : (Class *)k;
    n->klass = k;
    n->not_null = true;
    n->state = state_here(g, g->bci);
    assign(g, cell_of(g, !array ? C_OBJECT : k == &ints_class ? C_ARRAY : C_OBJECTS, 2, true), r);
}

static void gen_call(Gen *g) {
    OptType t = (OptType[]){OT_INT, OT_LONG, OT_REF}[below(3)];
    static OptCall no_arguments;
    Ref r = put_node(g, OPT_CALL, t, 0, 0);
    opt_node(g->o, r)->state = state_here(g, g->bci);
    opt_node(g->o, r)->call = &no_arguments;
    assign(g,
           t == OT_LONG  ? cell_of(g, C_LONG, 2, true)
           : t == OT_REF ? cell_of(g, C_OBJECT, 2, true)
                         : cell_of(g, C_INT, 4, true),
           r);
}

static void gen_move(Gen *g) {
    static const u1 first[] = {C_INT, C_LONG, C_OBJECT, C_ARRAY, C_OBJECTS}, n[] = {4, 2, 2, 2, 2};
    u4 k = below(5);
    Ref r = g->cells[first[k] + below(n[k])];
    if (k == 2 && !below(4)) r = opt_const(g->o, OT_REF, (below(13) + 2) / 4);
    assign(g, cell_of(g, first[k], n[k], true), r);
}

/* An unconditional exit of the block that is at hand, to a new one. */
static BlockRef new_block(Gen *g) { return opt_new_block(g->o); }
static void jump_to(Gen *g, BlockRef to) {
    put_node(g, OPT_JUMP, OT_NONE, 0, 0);
    opt_edge(g->o, g->cur, to);
}

static void gen_if_on(Gen *g, u1 cond, OptType t, Ref x, Ref y, BlockRef yes, BlockRef no) {
    Ref r = put_node(g, OPT_IF, OT_NONE, x, y);
    opt_node(g->o, r)->kind = cond;
    opt_node(g->o, r)->from = (u1)t;
    if (g->folds) opt_fold(g->o, r);
    opt_edge(g->o, g->cur, yes);
    opt_edge(g->o, g->cur, no);
}

static void gen_test(Gen *g, BlockRef yes, BlockRef no) {
    u4 what = below(6);
    if (what < 3) {
        static const int64_t ends[] = {0, 0, 1, 2, 4, -1, INT32_MAX, INT32_MAX - 1, INT32_MIN, INT32_MIN + 1};
        Ref x = below(2) ? g->cells[cell_of(g, C_INT, 2, false)] : int_operand(g);
        Ref y = below(2) ? int_const(g, ends[below(10)]) : int_operand(g);
        if (!below(3)) x = pure(g, OPT_ADD, OT_INT, x, int_const(g, (int64_t)below(5) - 2));
        return gen_if_on(g, (u1)below(10), OT_INT, x, y, yes, no);
    }
    if (what == 3) {
        Ref x = g->cells[cell_of(g, C_LONG, 2, false)], y = g->cells[cell_of(g, C_LONG, 2, false)];
        Ref r = pure(g, OPT_CMP3, OT_INT, x, y);
        return gen_if_on(g, (u1)below(6), OT_INT, r, int_const(g, 0), yes, no);
    }
    Ref o = g->cells[cell_of(g, below(2) ? C_OBJECT : C_ARRAY, 2, false)];
    if (what == 4) return gen_if_on(g, (u1)below(2), OT_REF, o, opt_const(g->o, OT_REF, 0), yes, no);
    Ref r = put_node(g, OPT_INSTANCE_OF, OT_INT, o, 0);
    opt_node(g->o, r)->what = &derived_class;
    gen_if_on(g, (u1)below(2), OT_INT, folded(g, r), int_const(g, 0), yes, no);
}

static void gen_block(Gen *g, u4 depth);

static Ref phi_of(Gen *g, BlockRef at, u4 cell, Ref x, Ref y) {
    if (x == y) return x;
    Ref r = opt_new(g->o, OPT_PHI, type_of(cell)), *args = opt_alloc(g->o, 2 * sizeof *args);
    args[0] = x;
    args[1] = y;
    opt_node(g->o, r)->args = args;
    opt_insert_phi(g->o, at, r);
    return r;
}

/* As a method does that answers true or false: tests that follow know where a way comes from. */
static void gen_answer(Gen *g) {
    if (!below(3)) g->cells[C_INT + below(2)] = int_const(g, below(3));
}

/* One of the ways of a branch that only chooses what the cell has. */
static void gen_choice(Gen *g, u4 cell) {
    static const u1 ops[] = {OPT_ADD, OPT_SUB, OPT_XOR, OPT_AND};
    OptType t = type_of(cell);
    if (!below(3)) return;
    if (below(2)) return assign(g, cell, pure(g, (OptOp)ops[below(4)], t, g->cells[cell], opt_const(g->o, t, number(t))));
    assign(g, cell, below(2) ? opt_const(g->o, t, number(t)) : g->cells[t == OT_INT ? C_INT + below(2) : C_LONG + below(2)]);
}

static void gen_way(Gen *g, u4 depth, u4 chooses) {
    if (chooses) return gen_choice(g, chooses);
    gen_block(g, depth);
    gen_answer(g);
}

static void gen_if(Gen *g, u4 depth) {
    u4 chooses = below(4) ? 0 : below(2) ? C_INT + below(2) : C_LONG + below(2);
    BlockRef yes = new_block(g), no = new_block(g), meet = new_block(g);
    Ref before[CELLS], first[CELLS];
    gen_test(g, yes, no);
    memcpy(before, g->cells, sizeof before);
    g->cur = yes;
    gen_way(g, depth, chooses);
    jump_to(g, meet);
    memcpy(first, g->cells, sizeof first);
    memcpy(g->cells, before, sizeof before);
    g->cur = no;
    gen_way(g, depth, chooses);
    jump_to(g, meet);
    g->cur = meet;
    for (u4 c = 0; c < CELLS; c++) g->cells[c] = phi_of(g, meet, c, first[c], g->cells[c]);
}

/* if (x instanceof D) x.field, or ((D) x).field */
static void gen_derived(Gen *g) {
    Ref o = g->cells[cell_of(g, C_OBJECT, 2, false)];
    BlockRef yes = 0, meet = 0;
    if (below(4)) {
        Ref r = put_node(g, OPT_INSTANCE_OF, OT_INT, o, 0);
        opt_node(g->o, r)->what = &derived_class;
        yes = new_block(g);
        meet = new_block(g);
        gen_if_on(g, COND_NE, OT_INT, folded(g, r), int_const(g, 0), yes, meet);
        g->cur = yes;
    }
    Ref is = put_node(g, OPT_IS_A, OT_NONE, o, 0);
    opt_node(g->o, is)->what = &derived_class;
    opt_node(g->o, is)->exit = EXIT_CAST;
    opt_node(g->o, is)->state = state_here(g, g->bci);
    if (g->folds && opt_fold(g->o, is) == OPT_ALWAYS) opt_unlink(g->o, is);
    Ref after = not_null(g, o), before[CELLS];
    memcpy(before, g->cells, sizeof before);
    if (below(3)) gen_load(g, o, F_DERIVED, after);
    else gen_store(g, o, F_DERIVED, after);
    if (!yes) return;
    jump_to(g, meet);
    g->cur = meet;
    for (u4 c = 0; c < CELLS; c++) g->cells[c] = phi_of(g, meet, c, before[c], g->cells[c]);
}

/* --- loops, as the builder makes them: a phi for every cell, an edge back with a poll --- */

static void go_back(Gen *g, BlockRef head, const Ref *phis) {
    BlockRef mid = new_block(g);
    jump_to(g, mid);
    g->cur = mid;
    Ref r = put_node(g, OPT_POLL, OT_NONE, 0, 0);
    opt_node(g->o, r)->state = state_here(g, opt_block(g->o, head)->bci);
    u4 n = opt_block(g->o, head)->n_preds;
    jump_to(g, head);
    for (u4 c = 0; c < CELLS; c++) opt_node(g->o, phis[c])->args[n] = g->cells[c];
}

static BlockRef start_loop(Gen *g, Ref *phis) {
    BlockRef head = new_block(g);
    jump_to(g, head);
    for (u4 c = CELLS; c-- > 0;) {
        Ref r = opt_new(g->o, OPT_PHI, type_of(c)), *args = opt_alloc(g->o, MOST_INTO * sizeof *args);
        args[0] = g->cells[c];
        opt_node(g->o, r)->args = args;
        opt_insert_phi(g->o, head, r);
        phis[c] = g->cells[c] = r;
    }
    opt_block(g->o, head)->bci = ++g->bci;
    opt_block(g->o, head)->state = state_here(g, g->bci);
    opt_block(g->o, head)->scope = &scope;
    g->cur = head;
    return head;
}

static Ref gen_limit(Gen *g) {
    u4 what = below(4);
    if (what == 0) return int_const(g, below(8) ? below(7) : number(OT_INT));
    if (what == 1) return g->cells[cell_of(g, C_INT, 4, false)];
    Ref of = g->cells[cell_of(g, below(2) ? C_ARRAY : C_OBJECTS, 2, false)], after = not_null(g, of);
    Ref r = put_node(g, OPT_LENGTH, OT_INT, of, 0);
    opt_node(g->o, r)->after = after;
    r = folded(g, r);
    if (what == 2) return r;
    if (below(2)) return pure(g, OPT_ADD, OT_INT, r, int_const(g, (int64_t)below(3) - 1));
    Ref by = g->cells[cell_of(g, C_INT, 4, false)];
    return pure(g, below(2) ? OPT_SHR : OPT_USHR, OT_INT, r, by);
}

static void step_by(Gen *g, u4 cell, int64_t by) { g->cells[cell] = pure(g, OPT_ADD, OT_INT, g->cells[cell], int_const(g, by)); }

/* Elements at the counter itself, or with a factor and something beside it. */
static Ref index_of_counter(Gen *g, u4 counter) {
    Ref index = g->cells[counter], beside = below(2) ? int_operand(g) : int_const(g, below(9));
    if (!below(4)) index = pure(g, OPT_ADD, OT_INT, index, int_const(g, 1));
    if (!below(5)) index = pure(g, below(2) ? OPT_SHL : OPT_MUL, OT_INT, index, int_const(g, 1 + below(3)));
    if (!below(6)) return pure(g, OPT_SUB, OT_INT, beside, index);
    if (!below(6)) return pure(g, below(2) ? OPT_ADD : OPT_SUB, OT_INT, index, beside);
    return index;
}

static void gen_counted_element(Gen *g, u4 counter) {
    Ref of = g->cells[cell_of(g, C_ARRAY, 2, false)], after = not_null(g, of), index = index_of_counter(g, counter);
    if (!below(3)) index = pure(g, OPT_ADD, OT_INT, index, int_const(g, (int64_t)below(4) - 2));
    Ref length = put_node(g, OPT_LENGTH, OT_INT, of, 0);
    opt_node(g->o, length)->after = after;
    length = folded(g, length);
    after = guard(g, OPT_IN_BOUNDS, EXIT_INDEX, index, length);
    bool loads = below(2);
    Ref v = int_operand(g), r = put_node(g, loads ? OPT_ELEMENT : OPT_SET_ELEMENT, loads ? OT_INT : OT_NONE, of, index);
    opt_node(g->o, r)->kind = MEM_32;
    opt_node(g->o, r)->after = after;
    if (!loads) opt_node(g->o, r)->in[2] = v;
    else assign(g, cell_of(g, C_INT, 4, true), r);
}

static void gen_body(Gen *g, u4 depth, u4 counter) {
    g->bci++;
    for (u4 i = below(3); i > 0; i--) gen_counted_element(g, counter);
    gen_block(g, depth);
    if (!below(3)) gen_counted_element(g, counter);
}

/* Most turns come by without a call. */
static void gen_seldom(Gen *g) {
    BlockRef yes = new_block(g), no = new_block(g), meet = new_block(g);
    Ref before[CELLS];
    gen_test(g, yes, no);
    memcpy(before, g->cells, sizeof before);
    opt_block(g->o, yes)->seldom = below(3);
    g->cur = yes;
    if (!below(3)) gen_math(g);
    gen_call(g);
    if (!below(3)) gen_field(g);
    jump_to(g, meet);
    g->cur = no;
    jump_to(g, meet);
    g->cur = meet;
    for (u4 c = 0; c < CELLS; c++) g->cells[c] = phi_of(g, meet, c, g->cells[c], before[c]);
    if (!below(3)) gen_math(g);
}

static void gen_loop(Gen *g, u4 depth) {
    static const int64_t steps[] = {1, 1, 1, 1, 2, 3, -1, -1, -2};
    static const u1 up[] = {COND_LT, COND_LT, COND_LE, COND_NE, COND_BELOW, COND_GE},
                    down[] = {COND_GE, COND_GT, COND_GT, COND_NE, COND_LE, COND_GE};
    u4 counter = cell_of(g, C_INT, 4, true), locked = g->locked;
    if (counter == CELLS) return;
    int64_t by = steps[below(9)];
    u1 cond = by > 0 ? up[below(6)] : down[below(6)];
    Ref phis[CELLS];
    if (below(4))
        g->cells[counter] = int_const(g, below(8)   ? by < 0 ? 2 + below(4) : (int64_t)below(4) - 1
                                         : below(2) ? number(OT_INT)
                                                    : INT32_MAX - below(2));
    g->locked |= below(8) ? 1u << counter : 0;
    BlockRef body = 0, out = new_block(g), head = start_loop(g, phis);
    bool turned = !below(3), early = below(5) == 0, stepped = !turned && !below(3);
    if (!turned) {
        g->bci++;
        if (stepped) step_by(g, counter, by); /* while (++i < n) */
        body = new_block(g);
        Ref limit = gen_limit(g);
        bool swaps = below(4) == 0;
        gen_if_on(g, swaps ? (u1)(cond_opposite((Cond)cond)) : cond, OT_INT, g->cells[counter], limit, swaps ? out : body,
                  swaps ? body : out);
        g->cur = body;
    }
    Ref at_exit[CELLS];
    memcpy(at_exit, g->cells, sizeof at_exit);
    gen_body(g, depth, counter);
    if (early) { /* continue */
        BlockRef again = new_block(g), on = new_block(g);
        gen_test(g, again, on);
        Ref keep[CELLS];
        memcpy(keep, g->cells, sizeof keep);
        g->cur = again;
        if (!stepped) step_by(g, counter, by);
        go_back(g, head, phis);
        memcpy(g->cells, keep, sizeof keep);
        g->cur = on;
        gen_block(g, depth);
    }
    if (!below(3)) gen_seldom(g);
    if (!stepped) step_by(g, counter, by);
    if (turned) {
        g->bci++;
        BlockRef again = new_block(g);
        Ref limit = gen_limit(g);
        gen_if_on(g, cond, OT_INT, g->cells[counter], limit, again, out);
        memcpy(at_exit, g->cells, sizeof at_exit);
        g->cur = again;
    }
    go_back(g, head, phis);
    memcpy(g->cells, at_exit, sizeof at_exit);
    g->cur = out;
    g->locked = locked;
}

static void gen_statement(Gen *g, u4 depth) {
    g->bci++;
    switch (below(depth ? 18 : 12)) {
    case 0:
    case 1:
    case 2: return gen_math(g);
    case 3: return gen_divide(g);
    case 4:
    case 5:
    case 6: return gen_field(g);
    case 7: return gen_element(g);
    case 8: return below(3) ? gen_field(g) : gen_new(g);
    case 9: return below(3) ? gen_math(g) : gen_call(g);
    case 10: return gen_move(g);
    case 11: return gen_derived(g);
    case 12:
    case 13: return gen_if(g, depth - 1);
    default:
        if (g->n_loops++ < MOST_LOOPS) gen_loop(g, depth - 1);
        return;
    }
}

static void gen_block(Gen *g, u4 depth) {
    for (u4 i = 1 + below(g->size); i > 0; i--) gen_statement(g, depth);
}

static Opt random_form(u8 start, bool folds, const bool *never_null) {
    Opt o = new_form();
    Gen g = {.o = &o, .cur = 1, .folds = folds};
    seed = start;
    for (u4 c = 0; c < CELLS; c++) {
        g.cells[c] = put_node(&g, OPT_PARAM, type_of(c), 0, 0);
        opt_node(&o, g.cells[c])->k = c;
        opt_node(&o, g.cells[c])->not_null = never_null[c];
    }
    g.size = 2 + below(6);
    gen_block(&g, 3);
    put_node(&g, OPT_RETURN, OT_NONE, g.cells[below(4)], 0);
    opt_order(&o);
    return o;
}

static bool checked(Opt *o, const char *what, u8 start) {
    const char *why = opt_check(o);
    if (why) printf("form %" PRIu64 " behind %s: %s\n", start, what, why);
    return !why;
}

static u8 quiet, apart;

static u4 count_loops(const Opt *o) {
    u4 n = 0;
    for (u4 i = 0; i < o->n_order; i++) n += opt_block(o, o->order[i])->loop_head;
    return n;
}

/* Among nodes behind `nodes`: phis whose inputs are one value, or themselves. */
static u4 idle_phis(const Opt *o, u4 nodes) {
    u4 n = 0;
    for (Ref r = nodes + 1; r <= o->n_nodes; r++) {
        const Node *phi = opt_node(o, r);
        u4 n_preds = phi->op == OPT_PHI && phi->block ? opt_block(o, phi->block)->n_preds : 0, same = 0;
        for (u4 p = 0; p < n_preds; p++) same += phi->args[p] == phi->args[0] || phi->args[p] == r;
        n += n_preds > 1 && same == n_preds;
    }
    return n;
}

static bool unrolls(u8 start) { return start & 4; }

static bool optimise(Opt *o, u8 start) {
    if (!checked(o, "building", start)) return false;
    opt_split_edges(o);
    if (!checked(o, "splitting", start)) return false;
    opt_number(o);
    if (!checked(o, "numbering", start)) return false;
    opt_thread(o);
    if (!checked(o, "threading", start)) return false;
    opt_leaves(o);
    if (!checked(o, "leaves", start)) return false;
    for (u8 i = start & 1; i < 2; i++) opt_loops(o);
    if (!checked(o, "loops", start)) return false;
    u4 loops = count_loops(o);
    if (start & 2) opt_quiet_turns(o);
    quiet += count_loops(o) - loops;
    if (!checked(o, "quiet turns", start)) return false;
    if (unrolls(start)) opt_unroll_many(o);
    if (!checked(o, "unrolling", start)) return false;
    opt_indices(o);
    if (!checked(o, "indices", start)) return false;
    opt_number(o);
    if (!checked(o, "numbering again", start)) return false;
    opt_pick(o);
    if (!checked(o, "picking", start)) return false;
    opt_addresses(o);
    if (!checked(o, "addresses", start)) return false;
    opt_sink(o);
    if (!checked(o, "sinking", start)) return false;
    u4 nodes = o->n_nodes;
    opt_apart(o);
    apart += o->n_nodes != nodes;
    CHECK(!idle_phis(o, nodes));
    return checked(o, "setting apart", start);
}

/* ---- registers ---- */

enum { FEW_GENERAL = 1 << R_AX | 1 << R_CX | 1 << R_DX | 1 << R_SI | 1 << R_DI | 1 << R_8, FEW_FP = 7 };

/* Values are where code looks for them, with all registers, and with so few that most are in memory. */
static bool has_registers(Opt *o, u4 general, u4 fp, u8 start) {
    Back b = {.o = o, .n_locals = CELLS, .general = general, .fp = fp};
    opt_split_edges(o);
    const char *wrong = !opt_select(&b) || !opt_registers(&b) || !opt_cells(&b) ? o->why : opt_verify(&b);
    if (wrong) printf("form %" PRIu64 ", registers: %s\n", start, wrong);
    return !wrong;
}

static u8 steps_before, steps_after, redone, runs;

static void draw_params(int64_t *params, const bool *never_null) {
    for (u4 c = 0; c < CELLS; c++) {
        params[c] = c < C_LONG && below(6) ? (int64_t)below(8) - 2 : c < C_OBJECT ? number(type_of(c)) : 0;
        u4 first = c < C_ARRAY ? 1 : c < C_OBJECTS ? 4 : 6, n = c < C_ARRAY ? 3 : 2;
        if (c >= C_OBJECT && (never_null[c] || below(12))) params[c] = first + below(n);
    }
}

static bool same_run(const Opt *before, const Opt *after, const bool *never_null, bool deaf) {
    int64_t params[CELLS];
    World w[2];
    draw_params(params, never_null);
    init_world(&w[0]);
    w[0].deaf = deaf;
    w[1] = w[0];
    int64_t *val[2] = {calloc(before->n_nodes + 1, 8), calloc(after->n_nodes + 1, 8)};
    Run r[2] = {{before, &w[0], val[0], params, NULL, 0}, {after, &w[1], val[1], params, NULL, 0}};
    run(&r[0], 1);
    steps_before += r[0].steps;
    run(&r[1], 1);
    steps_after += r[1].steps;
    runs++;
    if (r[1].redo) {
        redone++;
        Run again = {before, &w[1], val[0], params, NULL, 0};
        go_on(&again, &r[1]);
    }
    bool same = w[0].cut || w[1].cut || (w[0].told == w[1].told && w[0].events == w[1].events);
    same = same && !w[0].bad && !w[1].bad;
    if (!same)
        printf("  %s | %s; events %u, %u\n", w[0].bad ? w[0].bad : "fine", w[1].bad ? w[1].bad : "fine", w[0].events,
               w[1].events);
    free(val[0]);
    free(val[1]);
    return same;
}

static u8 picks;

static void note_picks(const Opt *o) {
    for (Ref r = 1; r <= o->n_nodes; r++) picks += opt_node(o, r)->op == OPT_PICK && !opt_node(o, r)->dead;
}

static bool test_form(u8 start, bool show) {
    bool never_null[CELLS], folds;
    seed = start;
    for (u4 c = 0; c < CELLS; c++) never_null[c] = c >= C_OBJECT && !below(4);
    folds = below(2);
    u8 program = random_u8();
    Opt before = random_form(program, false, never_null), after = random_form(program, folds, never_null);
    u8 behind = seed;
    if (show) opt_dump(&after, stdout, "before");
    bool good = optimise(&after, start);
    if (show) opt_dump(&after, stdout, "after");
    note_picks(&after);
    seed = behind;
    for (u4 i = 0; i < 12 && good; i++) good = same_run(&before, &after, never_null, unrolls(start));
    if (!good) printf("form %" PRIu64 " differs\n", start);
    good = good && has_registers(&before, FEW_GENERAL, FEW_FP, start) && has_registers(&after, GENERAL_REGS, FLOAT_REGS, start);
    good = good && has_registers(&after, FEW_GENERAL, FEW_FP, start);
    cf_arena_free(&before.arena);
    cf_arena_free(&after.arena);
    return good;
}

static void test_forms(u4 n, u8 first) {
    for (u4 i = 0; i < n; i++) CHECK(test_form((first + i) * 2654435761u + 77, false));
    printf("%" PRIu64 " runs, %" PRIu64 " to the end: %" PRIu64 " nodes before, %" PRIu64 " after; %" PRIu64
           " left in front of a loop; %" PRIu64 " branches that only chose; %" PRIu64 " loops of quiet turns; %" PRIu64
           " forms with ways apart\n",
           runs, returned / 2, steps_before, steps_after, redone, picks, quiet, apart);
    CHECK(!n || (picks && quiet && apart));
}

/* Passes that run out of memory stop; what they leave is not looked at. */
static void test_no_memory(u4 n) {
    u4 failed = 0;
    for (u4 i = 0; i < n; i++) {
        Opt o = random_form(random_u8() | 1, below(2), (const bool[CELLS]){false});
        o.arena.limit = o.arena.total + below(200000);
        opt_split_edges(&o);
        if (!o.no_memory) opt_number(&o);
        if (!o.no_memory) opt_thread(&o);
        if (!o.no_memory) opt_loops(&o);
        opt_quiet_turns(&o);
        opt_unroll_many(&o);
        if (!o.no_memory) opt_number(&o);
        failed += o.no_memory;
        cf_arena_free(&o.arena);
    }
    CHECK(!n || failed);
}

/* ---- forms by hand ---- */

static Gen hand(Opt *o) {
    *o = new_form();
    Gen g = {.o = o, .cur = 1};
    for (u4 c = 0; c < CELLS; c++) {
        g.cells[c] = put_node(&g, OPT_PARAM, type_of(c), 0, 0);
        opt_node(o, g.cells[c])->k = c;
    }
    return g;
}

static void all_passes(Gen *g, Ref result) {
    put_node(g, OPT_RETURN, OT_NONE, result, 0);
    opt_order(g->o);
    CHECK(optimise(g->o, 0));
}

enum { ANYWHERE, IN_LOOPS, OUTSIDE };
static u4 count(const Opt *o, OptOp op, int where) {
    u4 n = 0;
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *b = opt_block(o, o->order[i]);
        if (where != ANYWHERE && (where == IN_LOOPS) != (b->loop != 0)) continue;
        for (Ref r = b->first; r; r = opt_node(o, r)->next) n += opt_node(o, r)->op == op;
    }
    return n;
}

static Ref load(Gen *g, Ref of, int64_t k, Ref after) {
    Ref r = put_node(g, OPT_LOAD, OT_INT, of, 0);
    opt_node(g->o, r)->k = k;
    opt_node(g->o, r)->what = (Class *)declares(k);
    opt_node(g->o, r)->kind = MEM_32;
    opt_node(g->o, r)->after = after;
    return r;
}
static void store(Gen *g, Ref of, int64_t k, Ref value, Ref after) {
    Ref r = put_node(g, OPT_STORE, OT_NONE, of, value);
    opt_node(g->o, r)->k = k;
    opt_node(g->o, r)->what = (Class *)declares(k);
    opt_node(g->o, r)->kind = MEM_32;
    opt_node(g->o, r)->after = after;
}
static Ref length_of(Gen *g, Ref of) {
    Ref after = not_null(g, of), r = put_node(g, OPT_LENGTH, OT_INT, of, 0);
    opt_node(g->o, r)->after = after;
    return r;
}
static Ref element_of(Gen *g, Ref of, Ref index) {
    Ref length = length_of(g, of), after = guard(g, OPT_IN_BOUNDS, EXIT_INDEX, index, length);
    Ref r = put_node(g, OPT_ELEMENT, OT_INT, of, index);
    opt_node(g->o, r)->kind = MEM_32;
    opt_node(g->o, r)->after = after;
    return r;
}
static void add_call(Gen *g) {
    Ref r = put_node(g, OPT_CALL, OT_NONE, 0, 0);
    opt_node(g->o, r)->state = state_here(g, ++g->bci);
}

/* for (i = start; i < n; i++) { if (i < 0) return; sum += a[i + k] + x.f; }  n: the length if `by_length`; or with a call */
static Opt counting(int64_t start, int64_t k, bool by_length, bool calls) {
    enum { I = 0, SUM = 1, N = 2, X = C_OBJECT, A = C_ARRAY };
    Opt o;
    Gen g = hand(&o);
    Ref phis[CELLS];
    BlockRef out, body;
    g.cells[I] = int_const(&g, start);
    out = new_block(&g);
    BlockRef head = start_loop(&g, phis);
    body = new_block(&g);
    g.bci++;
    gen_if_on(&g, COND_LT, OT_INT, g.cells[I], by_length ? length_of(&g, g.cells[A]) : g.cells[N], body, out);
    Ref sum = g.cells[SUM];
    BlockRef negative = new_block(&g), on = new_block(&g);
    g.cur = body;
    gen_if_on(&g, COND_LT, OT_INT, g.cells[I], int_const(&g, 0), negative, on);
    g.cur = negative;
    put_node(&g, OPT_RETURN, OT_NONE, sum, 0);
    g.cur = on;
    g.bci++;
    g.cells[SUM] = pure(&g, OPT_ADD, OT_INT, g.cells[SUM],
                        element_of(&g, g.cells[A], pure(&g, OPT_ADD, OT_INT, g.cells[I], int_const(&g, k))));
    Ref after = not_null(&g, g.cells[X]);
    g.cells[SUM] = pure(&g, OPT_ADD, OT_INT, g.cells[SUM], load(&g, g.cells[X], F_INT, after));
    if (calls) add_call(&g);
    step_by(&g, I, 1);
    go_back(&g, head, phis);
    g.cur = out;
    all_passes(&g, sum);
    return o;
}

static void test_counting(void) {
    Opt o = counting(0, 0, true, false);
    CHECK(count(&o, OPT_IN_BOUNDS, ANYWHERE) == 0 && count(&o, OPT_HOLDS, ANYWHERE) == 0 && count(&o, OPT_RETURN, ANYWHERE) == 1);
    CHECK(count(&o, OPT_NOT_NULL, OUTSIDE) == 2 && count(&o, OPT_NOT_NULL, IN_LOOPS) == 0);
    CHECK(count(&o, OPT_LENGTH, OUTSIDE) == 1 && count(&o, OPT_LOAD, OUTSIDE) == 1 && count(&o, OPT_LOAD, IN_LOOPS) == 0);
    cf_arena_free(&o.arena);
    o = counting(0, 0, false, false); /* n <= length is asked once */
    CHECK(count(&o, OPT_IN_BOUNDS, ANYWHERE) == 0 && count(&o, OPT_HOLDS, OUTSIDE) == 1 && count(&o, OPT_HOLDS, IN_LOOPS) == 0);
    cf_arena_free(&o.arena);
    o = counting(1, -1, true, false);
    CHECK(count(&o, OPT_IN_BOUNDS, ANYWHERE) == 0 && count(&o, OPT_HOLDS, ANYWHERE) == 0);
    cf_arena_free(&o.arena);
    o = counting(0, 1, true, false); /* the last turn throws */
    CHECK(count(&o, OPT_IN_BOUNDS, IN_LOOPS) == 1 && count(&o, OPT_HOLDS, ANYWHERE) == 0);
    cf_arena_free(&o.arena);
    o = counting(-2, 1, true, false); /* the first turn would throw, if it did not return */
    CHECK(count(&o, OPT_IN_BOUNDS, ANYWHERE) == 1 && count(&o, OPT_RETURN, ANYWHERE) == 2);
    cf_arena_free(&o.arena);
    o = counting(0, 0, true, true);
    CHECK(count(&o, OPT_IN_BOUNDS, ANYWHERE) == 0 && count(&o, OPT_LOAD, IN_LOOPS) == 1 &&
          count(&o, OPT_NOT_NULL, IN_LOOPS) == 0);
    cf_arena_free(&o.arena);
}

/* What volatile accesses and stops mean for accesses around them. */
static void test_memory(void) {
    Opt o;
    Gen g = hand(&o);
    Ref x = g.cells[C_OBJECT], after = not_null(&g, x), a = load(&g, x, F_INT, after), b = load(&g, x, F_INT, after);
    put_node(&g, OPT_FRESH, OT_NONE, 0, 0);
    Ref c = load(&g, x, F_INT, after);
    all_passes(&g, pure(&g, OPT_ADD, OT_INT, pure(&g, OPT_ADD, OT_INT, a, b), c));
    CHECK(count(&o, OPT_LOAD, ANYWHERE) == 2);
    cf_arena_free(&o.arena);

    g = hand(&o);
    x = g.cells[C_OBJECT];
    after = not_null(&g, x);
    store(&g, x, F_INT, g.cells[0], after);
    store(&g, x, F_INT, g.cells[1], after);
    put_node(&g, OPT_FENCE, OT_NONE, 0, 0);
    store(&g, x, F_INT, g.cells[2], after);
    all_passes(&g, load(&g, x, F_INT, after));
    CHECK(count(&o, OPT_STORE, ANYWHERE) == 2 && count(&o, OPT_LOAD, ANYWHERE) == 0);
    cf_arena_free(&o.arena);

    g = hand(&o);
    Ref fresh = put_node(&g, OPT_NEW, OT_REF, 0, 0);
    opt_node(&o, fresh)->klass = opt_node(&o, fresh)->what = &base_class;
    opt_node(&o, fresh)->not_null = true;
    opt_node(&o, fresh)->state = state_here(&g, ++g.bci);
    for (int i = 0; i < 2; i++) {
        store(&g, fresh, F_REF, g.cells[C_OBJECT + i], 0);
        put_node(&g, OPT_CARD, OT_NONE, fresh, 0);
        if (!i) add_call(&g);
    }
    store(&g, fresh, F_REF, g.cells[C_OBJECT], 0);
    put_node(&g, OPT_CARD, OT_NONE, fresh, 0);
    all_passes(&g, g.cells[0]);
    CHECK(count(&o, OPT_CARD, ANYWHERE) == 1 && count(&o, OPT_STORE, ANYWHERE) == 2);
    cf_arena_free(&o.arena);
}

/* if (x c k) return x + by d m ? 1 : 2: how many ways are left to return? */
static u4 ways(Cond c, int64_t k, int64_t by, Cond d, int64_t m) {
    Opt o;
    Gen g = hand(&o);
    BlockRef to[2], last[2];
    for (int i = 0; i < 2; i++) to[i] = new_block(&g), last[i] = new_block(&g);
    gen_if_on(&g, (u1)c, OT_INT, g.cells[0], int_const(&g, k), to[0], to[1]);
    g.cur = to[0];
    gen_if_on(&g, (u1)d, OT_INT, pure(&g, OPT_ADD, OT_INT, g.cells[0], int_const(&g, by)), int_const(&g, m), last[0], last[1]);
    for (int i = 0; i < 2; i++) {
        g.cur = last[i];
        put_node(&g, OPT_RETURN, OT_NONE, int_const(&g, 1 + i), 0);
    }
    g.cur = to[1];
    all_passes(&g, int_const(&g, 3));
    u4 n = count(&o, OPT_RETURN, ANYWHERE);
    cf_arena_free(&o.arena);
    return n;
}

static void test_facts(void) {
    CHECK(ways(COND_GT, 5, 1, COND_GT, 6) == 3); /* MAX + 1 */
    CHECK(ways(COND_LT, 5, 1, COND_LT, 6) == 2);
    CHECK(ways(COND_LT, 5, 1, COND_GE, 6) == 2);
    CHECK(ways(COND_GT, INT32_MAX - 2, 2, COND_LT, 0) == 3);
    CHECK(ways(COND_GE, INT32_MAX - 2, 2, COND_GT, 0) == 3);
    CHECK(ways(COND_BELOW, 8, 0, COND_GE, 0) == 2);
    CHECK(ways(COND_ABOVE_EQ, 8, 0, COND_GE, 0) == 3);
    CHECK(ways(COND_BELOW, -1, 0, COND_GE, 0) == 3); /* anything but -1 */
    CHECK(ways(COND_BELOW, -1, 0, COND_NE, -1) == 2);
    CHECK(ways(COND_EQ, 7, 1, COND_EQ, 8) == 2);
    CHECK(ways(COND_NE, 7, 0, COND_EQ, 7) == 2);
}

/* x < 5 ? 1 : 0, and the same again by a phi of it, and then a test of that: one test is left, and the answer is what is used behind. */
static void test_answers(void) {
    Opt o;
    Gen g = hand(&o);
    Ref answer = 0;
    for (int i = 0; i < 2; i++) {
        BlockRef yes = new_block(&g), no = new_block(&g), meet = new_block(&g);
        gen_if_on(&g, i ? COND_NE : COND_LT, OT_INT, i ? answer : g.cells[0], int_const(&g, i ? 0 : 5), yes, no);
        g.cur = yes;
        jump_to(&g, meet);
        g.cur = no;
        jump_to(&g, meet);
        g.cur = meet;
        answer = phi_of(&g, meet, 0, int_const(&g, 1), int_const(&g, 0));
    }
    BlockRef yes = new_block(&g), no = new_block(&g);
    gen_if_on(&g, COND_EQ, OT_INT, answer, int_const(&g, 0), yes, no);
    g.cur = yes;
    put_node(&g, OPT_RETURN, OT_NONE, int_const(&g, 70), 0);
    g.cur = no;
    all_passes(&g, answer);
    CHECK(count(&o, OPT_IF, ANYWHERE) == 1 && count(&o, OPT_PHI, ANYWHERE) == 0 && count(&o, OPT_RETURN, ANYWHERE) == 2);
    cf_arena_free(&o.arena);
}

static void leave_at(Gen *g, u4 bci) {
    Ref r = put_node(g, OPT_LEAVE, OT_NONE, 0, 0);
    opt_node(g->o, r)->exit = EXIT_REDO;
    opt_node(g->o, r)->state = state_here(g, bci);
}

static BlockRef block_at(Gen *g, u4 bci) {
    BlockRef b = new_block(g);
    opt_block(g->o, b)->bci = bci;
    opt_block(g->o, b)->scope = &scope;
    return b;
}

/* The way of a branch that begins at bci 10, and leaves in front of `first` or, if that is not 0, of `second`.  Is the branch a guard then? */
static bool becomes_guard(u4 first, u4 second, bool counts) {
    Opt o;
    Gen g = hand(&o);
    BlockRef way = block_at(&g, 10), on = block_at(&g, 50), x = block_at(&g, first), y = second ? block_at(&g, second) : 0;
    gen_if_on(&g, COND_EQ, OT_INT, g.cells[0], int_const(&g, 0), way, on);
    g.cur = way;
    if (counts) put_node(&g, OPT_SET_COUNT, OT_NONE, g.cells[C_LONG], 0);
    if (y) gen_if_on(&g, COND_LT, OT_INT, g.cells[1], int_const(&g, 0), x, y);
    else jump_to(&g, x);
    g.cur = x;
    leave_at(&g, first);
    if ((g.cur = y)) leave_at(&g, second);
    g.cur = on;
    put_node(&g, OPT_RETURN, OT_NONE, g.cells[0], 0);
    opt_order(&o);
    opt_leaves(&o);
    CHECK(!opt_check(&o));
    u4 guards = count(&o, OPT_HOLDS, ANYWHERE), leaves = count(&o, OPT_LEAVE, ANYWHERE);
    CHECK(guards ? guards == 1 && leaves == 0 : leaves == (y ? 2 : 1));
    cf_arena_free(&o.arena);
    return guards;
}

static void test_leaves(void) {
    CHECK(becomes_guard(20, 0, false));
    CHECK(becomes_guard(10, 30, false)); /* the interpreter finds out which */
    CHECK(becomes_guard(30, 10, false));
    CHECK(!becomes_guard(20, 30, false));
    CHECK(!becomes_guard(20, 0, true)); /* what a probe counted would not be counted */
}

/* What single nodes of types, lengths and floats are. */
static void test_single(void) {
    Opt o;
    Gen g = hand(&o);
    Ref array = put_node(&g, OPT_NEW_ARRAY, OT_REF, g.cells[0], 0), object = put_node(&g, OPT_NEW, OT_REF, 0, 0);
    opt_node(&o, array)->klass = &objects_class;
    opt_node(&o, object)->klass = &derived_class;
    Ref length = put_node(&g, OPT_LENGTH, OT_INT, array, 0), klass = put_node(&g, OPT_CLASS, OT_LONG, object, 0);
    CHECK(opt_fold(&o, length) == g.cells[0]);
    CHECK(opt_node(&o, opt_fold(&o, klass))->k == (int64_t)(uintptr_t)&derived_class);
    Ref is = put_node(&g, OPT_IS_A, OT_NONE, object, 0), no = put_node(&g, OPT_IS_CLASS, OT_NONE, object, 0);
    opt_node(&o, is)->what = opt_node(&o, no)->what = &base_class;
    CHECK(opt_fold(&o, is) == OPT_ALWAYS && opt_fold(&o, no) == no && opt_decide(&o, no) == 0);
    CHECK(opt_fold(&o, put_node(&g, OPT_NOT_NULL, OT_NONE, array, 0)) == OPT_ALWAYS);
    CHECK(opt_fold(&o, put_node(&g, OPT_MAY_HOLD, OT_NONE, array, object)) == OPT_ALWAYS);
    Ref other = put_node(&g, OPT_MAY_HOLD, OT_NONE, array, g.cells[C_OBJECT]);
    CHECK(opt_fold(&o, other) == other);
    Ref asked = put_node(&g, OPT_INSTANCE_OF, OT_INT, object, 0);
    opt_node(&o, asked)->what = &base_class;
    CHECK(opt_fold(&o, asked) == int_const(&g, 1));
    Ref f = put_node(&g, OPT_FDIV, OT_FLOAT, opt_const(&o, OT_FLOAT, 0), opt_const(&o, OT_FLOAT, 0));
    CHECK(opt_fold(&o, f) == f); /* a NaN, but which */
    Ref end = put_node(&g, OPT_SWITCH, OT_NONE, int_const(&g, 5), 0);
    opt_node(&o, end)->keys = (int32_t[]){4, 5};
    for (int i = 0; i < 3; i++) opt_edge(&o, 1, new_block(&g));
    CHECK(opt_goes_to(&o, end) == 2);
    opt_node(&o, end)->in[0] = int_const(&g, 6);
    CHECK(opt_goes_to(&o, end) == 0);
    cf_arena_free(&o.arena);
}

int main(int argc, char **argv) {
    u4 n = argc > 1 ? (u4)strtoul(argv[1], NULL, 10) : 2000;
    init_classes();
    if (n == 1 && argc > 2) return !test_form(strtoull(argv[2], NULL, 10), true);
    test_single();
    test_facts();
    test_answers();
    test_memory();
    test_counting();
    test_leaves();
    test_trees(n);
    test_no_memory(n / 10);
    test_forms(n, argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    return cf_test_end();
}
