/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes of the optimising compiler: a form before and after them does the same.
 *
 * Small forms are built by hand and looked at.  Random ones are built as the builder does it, from a program in cells
 * that is drawn at random, and are run by an interpreter of the form: what is stored, called, returned, in which state
 * the code leaves.  It also sees what must not happen: an access through null, out of bounds, to a field that the class
 * does not have; a store of a reference without a CARD when a collection may come.  Where the changed form leaves with
 * EXIT_REDO, which is in front of a loop, the unchanged one goes on at its head. `test_opt_passes N [SEED]`: N random
 * forms.
 */
#include "jit/opt/opt_int.h"
#include "jit/opt/opt_pass.h"
#include "object/class.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cf_test.h"

/* ---- what the passes ask others ---- */

static Class object_class, base_class, derived_class, ints_class, objects_class;
bool class_is_subtype_slow(Class *s, Class *t) { return t == &object_class && s; }
_Noreturn void vm_fatal(const char *file, int line, const char *fmt, ...) {
    printf("%s:%d: %s\n", file, line, fmt);
    exit(1);
}

static struct {
    Symbol symbol;
    char text[8];
} name = {.text = "test"};
static Class holder = {.name = &name.symbol};
static Method method = {.holder = &holder, .name = &name.symbol};
static OptScope scope = {.method = &method};

static void init_classes(void) {
    object_class.name = base_class.name = derived_class.name = ints_class.name = objects_class.name = &name.symbol;
    base_class.super = &object_class;
    derived_class.super = &base_class;
    base_class.depth = 1;
    derived_class.depth = 2;
    object_class.display[0] = base_class.display[0] = derived_class.display[0] = &object_class;
    base_class.display[1] = derived_class.display[1] = &base_class;
    derived_class.display[2] = &derived_class;
    ints_class.flags = objects_class.flags = CF_ARRAY;
    ints_class.super = objects_class.super = &object_class;
    objects_class.component = &base_class;
}

/* ---- numbers ---- */

static u8 seed = 88172645463325252u;
static u8 random_u8(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed;
}
static u4 below(u4 n) { return (u4)(random_u8() >> 33) % n; }

static int64_t number(OptType t) {
    static const int64_t edges[] = {0,   1,   -1,  2,   3,         7,         8,     15,        16,        31, 32, 33, 63,  64,
                                    127, 128, 255, 256, INT16_MAX, INT16_MIN, 65535, INT32_MAX, INT32_MIN, 24, -8, -2, 1024};
    int64_t v = below(3) ? edges[below(sizeof edges / sizeof *edges)] : (int64_t)(random_u8() >> below(64));
    if (t == OT_LONG && !below(8)) v = below(2) ? INT64_MIN : INT64_MAX;
    return t == OT_INT ? (int32_t)v : v;
}

static int64_t float_number(OptType t) {
    static const double edges[] = {0.0,    -0.0,      1.0,    -1.0,    2.0,    0.5,      3.5,       4.0, 1e300,
                                   1e-310, 0x1p-1022, 0x1p31, -0x1p31, 0x1p63, INFINITY, -INFINITY, NAN};
    double d = below(3) ? edges[below(sizeof edges / sizeof *edges)] : (double)(int64_t)random_u8() / (double)(1ull << below(63));
    float f = (float)d;
    int64_t bits = 0;
    if (t == OT_FLOAT) memcpy(&bits, &f, 4);
    else memcpy(&bits, &d, 8);
    return bits;
}

/* ---- values of nodes without effects ---- */

static double as_double(int64_t v) {
    double d;
    memcpy(&d, &v, 8);
    return d;
}
static float as_float(int64_t v) {
    u4 low = (u4)v;
    float f;
    memcpy(&f, &low, 4);
    return f;
}
static int64_t of_double(double d) {
    int64_t v;
    memcpy(&v, &d, 8);
    return v;
}
static int64_t of_float(float f) {
    u4 v;
    memcpy(&v, &f, 4);
    return v;
}

static bool eval_cond(u1 c, int64_t x, int64_t y) {
    switch (c) {
    case COND_EQ: return x == y;
    case COND_NE: return x != y;
    case COND_LT: return x < y;
    case COND_GE: return x >= y;
    case COND_GT: return x > y;
    case COND_LE: return x <= y;
    case COND_BELOW: return (u8)x < (u8)y;
    case COND_ABOVE_EQ: return (u8)x >= (u8)y;
    case COND_ABOVE: return (u8)x > (u8)y;
    default: return (u8)x <= (u8)y;
    }
}

static bool eval_fcond(u1 c, double x, double y) {
    switch (c) {
    case COND_EQ: return x == y;
    case COND_NE: return x != y;
    case COND_LT: return x < y;
    case COND_GE: return x >= y;
    case COND_GT: return x > y;
    default: return x <= y;
    }
}

static int64_t eval_int(const Node *n, int32_t x, int32_t y) {
    u4 a = (u4)x, b = (u4)y;
    switch (n->op) {
    case OPT_ADD: return (int32_t)(a + b);
    case OPT_SUB: return (int32_t)(a - b);
    case OPT_MUL: return (int32_t)(a * b);
    case OPT_AND: return x & y;
    case OPT_OR: return x | y;
    case OPT_XOR: return x ^ y;
    case OPT_SHL: return (int32_t)(a << (b & 31));
    case OPT_SHR: return x >> (b & 31);
    case OPT_USHR: return (int32_t)(a >> (b & 31));
    case OPT_NEG: return (int32_t)(0 - a);
    case OPT_DIV: return (int32_t)((int64_t)x / y);
    default: return (int32_t)((int64_t)x % y);
    }
}

static int64_t eval_long(const Node *n, int64_t x, int64_t y) {
    switch (n->op) {
    case OPT_ADD: return (int64_t)((u8)x + (u8)y);
    case OPT_SUB: return (int64_t)((u8)x - (u8)y);
    case OPT_MUL: return (int64_t)((u8)x * (u8)y);
    case OPT_AND: return x & y;
    case OPT_OR: return x | y;
    case OPT_XOR: return x ^ y;
    case OPT_SHL: return (int64_t)((u8)x << (y & 63));
    case OPT_SHR: return x >> (y & 63);
    case OPT_USHR: return (int64_t)((u8)x >> (y & 63));
    case OPT_NEG: return (int64_t)(0 - (u8)x);
    case OPT_DIV: return y == -1 ? (int64_t)(0 - (u8)x) : x / y;
    default: return y == -1 ? 0 : x % y;
    }
}

static int64_t eval_float(const Node *n, float x, float y) {
    switch (n->op) {
    case OPT_FADD: return of_float(x + y);
    case OPT_FSUB: return of_float(x - y);
    case OPT_FMUL: return of_float(x * y);
    case OPT_FDIV: return of_float(x / y);
    case OPT_FREM: return of_float(fmodf(x, y));
    case OPT_FNEG: return of_float(x) ^ 0x80000000;
    case OPT_FABS: return of_float(x) & 0x7fffffff;
    default: return of_float(sqrtf(x));
    }
}
static int64_t eval_double(const Node *n, double x, double y) {
    switch (n->op) {
    case OPT_FADD: return of_double(x + y);
    case OPT_FSUB: return of_double(x - y);
    case OPT_FMUL: return of_double(x * y);
    case OPT_FDIV: return of_double(x / y);
    case OPT_FREM: return of_double(fmod(x, y));
    case OPT_FNEG: return (int64_t)((u8)of_double(x) ^ 1ull << 63);
    case OPT_FABS: return (int64_t)((u8)of_double(x) & ~(1ull << 63));
    default: return of_double(sqrt(x));
    }
}

static int64_t clamped(double v, double low, int64_t lo, int64_t hi) {
    return v != v ? 0 : v <= low ? lo : v >= -low ? hi : (int64_t)v;
}

static int64_t eval_convert(const Node *n, int64_t x) {
    bool from_float = n->from == OT_FLOAT || n->from == OT_DOUBLE;
    double d = n->from == OT_FLOAT ? as_float(x) : as_double(x);
    switch (n->type) {
    case OT_INT: return from_float ? clamped(d, -0x1p31, INT32_MIN, INT32_MAX) : (int32_t)x;
    case OT_LONG: return from_float ? clamped(d, -0x1p63, INT64_MIN, INT64_MAX) : x;
    case OT_FLOAT: return of_float(from_float ? (float)d : (float)x);
    default: return of_double(from_float ? d : (double)x);
    }
}

static int64_t eval_narrow(u1 kind, int64_t x) {
    return kind == MEM_U8 ? x & 1 : kind == MEM_S8 ? (int8_t)x : kind == MEM_S16 ? (int16_t)x : (u2)x;
}

static int64_t eval_compare(const Node *n, int64_t x, int64_t y) {
    double a = n->from == OT_FLOAT ? as_float(x) : as_double(x), b = n->from == OT_FLOAT ? as_float(y) : as_double(y);
    if (n->op == OPT_CMP3) return x < y ? -1 : x > y;
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : n->k;
}

static bool eval_fif(const Node *n, int64_t x, int64_t y) {
    double a = n->from == OT_FLOAT ? as_float(x) : as_double(x), b = n->from == OT_FLOAT ? as_float(y) : as_double(y);
    return a != a || b != b ? n->k != 0 : eval_fcond(n->kind, a, b);
}

/* Of what needs no memory; the caller sees to division by zero. */
static int64_t eval_pure(const Node *n, int64_t x, int64_t y) {
    if (n->op >= OPT_ADD && n->op <= OPT_REM) return n->type == OT_INT ? eval_int(n, (int32_t)x, (int32_t)y) : eval_long(n, x, y);
    if (n->op >= OPT_FADD && n->op <= OPT_FSQRT)
        return n->type == OT_FLOAT ? eval_float(n, as_float(x), as_float(y)) : eval_double(n, as_double(x), as_double(y));
    if (n->op == OPT_CMP3 || n->op == OPT_FCMP3) return eval_compare(n, x, y);
    if (n->op == OPT_CONVERT) return eval_convert(n, x);
    if (n->op == OPT_NARROW) return eval_narrow(n->kind, x);
    return n->type == OT_INT ? (int32_t)x : n->type == OT_FLOAT ? (int64_t)(u4)x : x; /* FLOAT_BITS */
}

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
    switch (below(4)) {
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
    OptOp op = is_float(t) ? (OptOp)(OPT_FADD + below(5)) : (OptOp)(OPT_ADD + below(12));
    if (op == OPT_NEG) op = OPT_ADD;
    bool shifts = op == OPT_SHL || op == OPT_SHR || op == OPT_USHR;
    Ref x = random_tree(o, t, depth - 1, folds), y = random_tree(o, shifts ? OT_INT : t, depth - 1, folds);
    if (op == OPT_DIV || op == OPT_REM) {
        int64_t by = number(t);
        y = opt_const(o, t, by ? by : 3);
    }
    return finish(o, add(o, op, t, x, y), folds);
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

/* ---- the world in which forms run ---- */

enum { OBJECTS = 60, WORDS = 8, ELEMENTS = 8, FIRST_NEW = 8, MOST_POLLS = 50 };
enum { F_INT = 8, F_LONG = 16, F_REF = 24, F_BYTE = 32, F_CHAR = 40, F_SHORT = 48, F_DERIVED = 56, STATIC = 4096 };

typedef struct Thing {
    const Class *klass;
    int32_t length;
    int64_t words[WORDS], elements[ELEMENTS];
    bool young, stored, dirty;
} Thing;

typedef struct World {
    Thing things[OBJECTS]; /* from 1; 0 is null */
    u4 n;
    int64_t fixed;
    u8 told;   /* all that somebody could see, mixed */
    u4 events; /* how many of them */
    u4 polls;
    bool ended;
    const char *bad;
} World;

static u8 mix(u8 x, u8 y) {
    x = (x ^ y) * 0x9e3779b97f4a7c15u;
    return x ^ x >> 31;
}

static void tell(World *w, int64_t v) { w->told = mix(w->told, (u8)v); }

static void tell_memory(World *w) {
    for (u4 i = 1; i <= w->n; i++) {
        for (u4 k = 0; k < WORDS; k++) tell(w, w->things[i].words[k]);
        for (u4 k = 0; k < ELEMENTS; k++) tell(w, w->things[i].elements[k]);
    }
    tell(w, w->fixed);
}

/* A collection: whatever refers to objects must be young or have a card. */
static void stop(World *w) {
    for (u4 i = 1; i <= w->n; i++) {
        Thing *t = &w->things[i];
        if (t->stored && !t->dirty && !t->young) w->bad = "a store without a card";
        t->stored = t->dirty = t->young = false;
    }
}

static void tell_state(World *w, const State *s, const int64_t *val) {
    w->events++;
    tell(w, s->bci);
    for (u4 i = 0; i < s->n_locals; i++) tell(w, s->cells[i] ? val[s->cells[i]] : -77);
    tell_memory(w);
    stop(w);
}

static u4 make(World *w, const Class *klass, int32_t length) {
    if (w->n + 1 == OBJECTS || length > ELEMENTS) {
        w->ended = true;
        return 0;
    }
    w->things[++w->n] = (Thing){.klass = klass, .length = length, .young = true};
    return w->n;
}

static void init_world(World *w) {
    *w = (World){.n = 0};
    static const Class *const classes[] = {&base_class, &derived_class, &derived_class, &ints_class,
                                           &ints_class, &objects_class, &objects_class};
    for (u4 i = 0; i < 7; i++) {
        Thing *t = &w->things[make(w, classes[i], (int32_t[]){0, 0, 0, 8, 5, 4, 4}[i])];
        t->young = false;
        for (u4 k = 0; k < WORDS; k++) t->words[k] = (int8_t)below(100);
        for (u4 k = 0; k < ELEMENTS; k++) t->elements[k] = classes[i] == &objects_class ? (int8_t)below(4) : (int8_t)below(100);
        t->words[F_REF / 8] = 1 + below(3);
    }
}

/* What a call does: it writes anywhere. */
static int64_t call_others(World *w, OptType t) {
    Thing *x = &w->things[1 + w->told % w->n];
    u4 k = 1 + (u4)(w->told >> 20) % 7;
    x->words[k] = k == F_REF / 8 ? 1 + (int64_t)(w->told >> 30) % 3 : (int8_t)(w->told >> 30) & 127;
    x->elements[(w->told >> 40) & 1] = x->klass == &objects_class ? (int64_t)(w->told >> 41) % 4 : (int8_t)(w->told >> 42) & 127;
    w->fixed += (int64_t)(w->told >> 50) & 1;
    int64_t v = (int64_t)(w->told >> 33);
    return t == OT_REF ? (v % 13 + 2) / 4 : t == OT_INT ? (int32_t)(v % 12) - 2 : v;
}

/* ---- running ---- */

static u8 returned;

typedef struct Run {
    const Opt *o;
    World *w;
    int64_t *val;
    const int64_t *params;
    const State *redo; /* it left in front of a loop */
    u4 steps;          /* how much was done */
} Run;

static Thing *thing(Run *r, int64_t at, const char *why) {
    if (at >= 1 && at <= (int64_t)r->w->n) return &r->w->things[at];
    r->w->bad = why;
    return &r->w->things[0];
}

static bool is_instance(const Run *r, int64_t of, const Class *k) {
    return of && class_is_subtype((Class *)r->w->things[of].klass, (Class *)k);
}

static int64_t *word(Run *r, const Node *n) {
    if (!n->in[0]) return &r->w->fixed;
    Thing *t = thing(r, r->val[n->in[0]], "a field of null");
    if (t->klass == &ints_class || t->klass == &objects_class) r->w->bad = "a field of an array";
    if (n->k == F_DERIVED && t->klass != &derived_class) r->w->bad = "a field that the class has not";
    return &t->words[n->k / 8];
}

static int64_t *element(Run *r, const Node *n) {
    Thing *t = thing(r, r->val[n->in[0]], "an element of null");
    int64_t i = r->val[n->in[1]];
    if (i < 0 || i >= t->length) r->w->bad = "an element that is not there";
    return &t->elements[i & (ELEMENTS - 1)];
}

static int64_t as_stored(const Node *n, int64_t v) {
    return n->kind == MEM_U8 || n->kind == MEM_S8 ? v & 0xff : n->kind == MEM_U16 || n->kind == MEM_S16 ? v & 0xffff : v;
}
static int64_t as_loaded(const Node *n, int64_t v) {
    return n->kind == MEM_U8    ? (u1)v
           : n->kind == MEM_S8  ? (int8_t)v
           : n->kind == MEM_S16 ? (int16_t)v
           : n->kind == MEM_U16 ? (u2)v
                                : v;
}

static void leave(Run *r, const Node *n) {
    if (n->exit == EXIT_REDO) {
        r->redo = n->state;
        stop(r->w);
        return;
    }
    tell(r->w, n->exit);
    tell_state(r->w, n->state, r->val);
    r->w->ended = true;
}

static bool holds(Run *r, const Node *n) {
    int64_t x = r->val[n->in[0]], y = n->in[1] ? r->val[n->in[1]] : 0;
    switch (n->op) {
    case OPT_NOT_NULL:
    case OPT_NOT_ZERO: return x != 0;
    case OPT_IN_BOUNDS: return (u4)x < (u4)y;
    case OPT_HOLDS: return eval_cond(n->kind, x, y);
    case OPT_IS_A: return !x || is_instance(r, x, n->what);
    case OPT_IS_CLASS: return thing(r, x, "class of null")->klass == n->what;
    default: return true;
    }
}

static void run_stop(Run *r, Ref at) {
    const Node *n = opt_node(r->o, at);
    tell(r->w, n->op);
    tell_state(r->w, n->state, r->val);
    if (n->op == OPT_CALL) r->val[at] = call_others(r->w, (OptType)n->type);
    if (n->op == OPT_NEW) r->val[at] = make(r->w, n->what, 0);
    if (n->op == OPT_NEW_ARRAY && r->val[n->in[0]] < 0) r->w->ended = true;
    else if (n->op == OPT_NEW_ARRAY) r->val[at] = make(r->w, n->klass, (int32_t)r->val[n->in[0]]);
    if (n->op == OPT_POLL && ++r->w->polls == MOST_POLLS) r->w->ended = true;
}

static void run_store(Run *r, const Node *n) {
    bool is_element = n->op == OPT_SET_ELEMENT;
    Ref value = n->in[is_element ? 2 : 1];
    *(is_element ? element(r, n) : word(r, n)) = as_stored(n, r->val[value]);
    if (opt_node(r->o, value)->type == OT_REF && r->val[value]) thing(r, r->val[n->in[0]], "null")->stored = true;
}

static void run_node(Run *r, Ref at) {
    const Node *n = opt_node(r->o, at);
    int64_t *v = &r->val[at];
    u1 does = opt_does(n);
    r->steps++;
    if (does & OPT_GUARD) {
        if (!holds(r, n)) leave(r, n);
        return;
    }
    if (does & OPT_STOPS) return run_stop(r, at);
    switch (n->op) {
    case OPT_CONST: *v = n->k; return;
    case OPT_PARAM: *v = r->params[n->k]; return;
    case OPT_LOAD: *v = as_loaded(n, *word(r, n)); return;
    case OPT_ELEMENT: *v = as_loaded(n, *element(r, n)); return;
    case OPT_STORE:
    case OPT_SET_ELEMENT: return run_store(r, n);
    case OPT_CARD: thing(r, r->val[n->in[0]], "card of null")->dirty = true; return;
    case OPT_LENGTH: *v = thing(r, r->val[n->in[0]], "length of null")->length; return;
    case OPT_INSTANCE_OF: *v = is_instance(r, r->val[n->in[0]], n->what); return;
    case OPT_FENCE:
    case OPT_FRESH: return;
    case OPT_DIV:
    case OPT_REM:
        if (!r->val[n->in[1]]) {
            r->w->bad = "a division by zero";
            return;
        }
        break;
    default: break;
    }
    *v = eval_pure(n, r->val[n->in[0]], n->in[1] ? r->val[n->in[1]] : 0);
}

static BlockRef run_end(Run *r, Ref at) {
    const Node *n = opt_node(r->o, at);
    const Block *b = opt_block(r->o, n->block);
    int64_t x = n->in[0] ? r->val[n->in[0]] : 0;
    switch (n->op) {
    case OPT_JUMP: return b->succs[0];
    case OPT_IF: return b->succs[!eval_cond(n->kind, x, r->val[n->in[1]])];
    case OPT_FIF: return b->succs[!eval_fif(n, x, r->val[n->in[1]])];
    case OPT_SWITCH:
        for (u4 i = 1; i < b->n_succs; i++)
            if (n->keys[i - 1] == x) return b->succs[i];
        return b->succs[0];
    case OPT_LEAVE: leave(r, n); return 0;
    default:
        returned++;
        tell(r->w, x);
        tell_memory(r->w);
        stop(r->w);
        r->w->ended = true;
        return 0;
    }
}

static void run_phis(Run *r, BlockRef from, BlockRef to) {
    const Block *b = opt_block(r->o, to);
    int64_t in[64];
    u4 p = 0, n = 0;
    while (p < b->n_preds && b->preds[p] != from) p++;
    for (Ref i = b->first; i && opt_node(r->o, i)->op == OPT_PHI; i = opt_node(r->o, i)->next)
        in[n++] = r->val[opt_node(r->o, i)->args[p]];
    n = 0;
    for (Ref i = b->first; i && opt_node(r->o, i)->op == OPT_PHI; i = opt_node(r->o, i)->next) r->val[i] = in[n++];
}

static void run(Run *r, BlockRef at) {
    while (at) {
        BlockRef to = 0;
        for (Ref i = opt_block(r->o, at)->first; i; i = opt_node(r->o, i)->next) {
            u1 does = opt_does(opt_node(r->o, i));
            if (opt_node(r->o, i)->op == OPT_PHI) continue;
            if (does & OPT_ENDS) to = run_end(r, i);
            else run_node(r, i);
            if (r->w->ended || r->redo || r->w->bad) return;
        }
        run_phis(r, at, to);
        at = to;
    }
}

/* At the head where `left` is, with its cells; constants are made again. */
static void go_on(Run *r, const Run *left) {
    BlockRef head = 0;
    for (BlockRef b = 1; b <= r->o->n_blocks; b++)
        if (opt_block(r->o, b)->state && opt_block(r->o, b)->state->bci == left->redo->bci) head = b;
    if (!head) {
        r->w->bad = "left where no loop is";
        return;
    }
    for (Ref i = opt_block(r->o, 1)->first; i; i = opt_node(r->o, i)->next)
        if (opt_node(r->o, i)->op == OPT_CONST || opt_node(r->o, i)->op == OPT_PARAM) run_node(r, i);
    const State *s = opt_block(r->o, head)->state;
    for (u4 c = 0; c < s->n_locals; c++)
        if (s->cells[c]) r->val[s->cells[c]] = left->val[left->redo->cells[c]];
    run(r, head);
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

/* What may be in a field, and how. */
static void gen_load(Gen *g, Ref of, int64_t k, Ref after) {
    OptType t = k == F_LONG ? OT_LONG : k == F_REF ? OT_REF : OT_INT;
    MemKind kind = k == F_LONG ? MEM_64 : k == F_BYTE ? MEM_S8 : k == F_CHAR ? MEM_U16 : k == F_SHORT ? MEM_S16 : MEM_32;
    Ref r = put_node(g, OPT_LOAD, t, of, 0);
    Node *n = opt_node(g->o, r);
    n->k = k;
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

static void gen_element(Gen *g) {
    bool refs = !below(3), loads = below(3);
    Ref of = g->cells[cell_of(g, refs ? C_OBJECTS : C_ARRAY, 2, false)], index = int_operand(g), after = not_null(g, of);
    if (below(4)) index = pure(g, OPT_AND, OT_INT, index, int_const(g, 1 + 2 * below(2)));
    else if (below(3)) index = pure(g, OPT_ADD, OT_INT, index, int_const(g, (int64_t)below(4) - 2));
    Ref length = put_node(g, OPT_LENGTH, OT_INT, of, 0);
    opt_node(g->o, length)->after = after;
    length = folded(g, length);
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
        Ref x = int_operand(g), y = int_operand(g);
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

static void gen_if(Gen *g, u4 depth) {
    BlockRef yes = new_block(g), no = new_block(g), meet = new_block(g);
    Ref before[CELLS], first[CELLS];
    gen_test(g, yes, no);
    memcpy(before, g->cells, sizeof before);
    g->cur = yes;
    gen_block(g, depth);
    jump_to(g, meet);
    memcpy(first, g->cells, sizeof first);
    memcpy(g->cells, before, sizeof before);
    g->cur = no;
    gen_block(g, depth);
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
    return what == 2 ? r : pure(g, OPT_ADD, OT_INT, r, int_const(g, (int64_t)below(3) - 1));
}

static void step_by(Gen *g, u4 cell, int64_t by) { g->cells[cell] = pure(g, OPT_ADD, OT_INT, g->cells[cell], int_const(g, by)); }

/* Elements at the counter itself. */
static void gen_counted_element(Gen *g, u4 counter) {
    Ref of = g->cells[cell_of(g, C_ARRAY, 2, false)], after = not_null(g, of), index = g->cells[counter];
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

static void gen_loop(Gen *g, u4 depth) {
    static const int64_t steps[] = {1, 1, 1, 1, 2, 3, -1, -1, -2};
    static const u1 up[] = {COND_LT, COND_LT, COND_LE, COND_NE, COND_BELOW, COND_GE},
                    down[] = {COND_GE, COND_GT, COND_GT, COND_NE, COND_LE, COND_GE};
    u4 counter = cell_of(g, C_INT, 4, true), locked = g->locked;
    if (counter == CELLS) return;
    int64_t by = steps[below(9)];
    u1 cond = by > 0 ? up[below(6)] : down[below(6)];
    Ref phis[CELLS];
    if (below(4)) g->cells[counter] = int_const(g, below(12) ? by < 0 ? 2 + below(3) : below(3) : number(OT_INT));
    g->locked |= below(8) ? 1u << counter : 0;
    BlockRef body = 0, out = new_block(g), head = start_loop(g, phis);
    bool turned = !below(3), early = below(5) == 0;
    if (!turned) {
        g->bci++;
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
        step_by(g, counter, by);
        go_back(g, head, phis);
        memcpy(g->cells, keep, sizeof keep);
        g->cur = on;
        gen_block(g, depth);
    }
    step_by(g, counter, by);
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

static bool optimise(Opt *o, u8 start) {
    if (!checked(o, "building", start)) return false;
    opt_split_edges(o);
    if (!checked(o, "splitting", start)) return false;
    opt_number(o);
    if (!checked(o, "numbering", start)) return false;
    opt_loops(o);
    if (!checked(o, "loops", start)) return false;
    opt_number(o);
    return checked(o, "numbering again", start);
}

/* ---- registers ---- */

enum { FEW_GENERAL = 1 << R_AX | 1 << R_CX | 1 << R_DX | 1 << R_SI | 1 << R_DI | 1 << R_8, FEW_FP = 7 };

/* Values are where code looks for them, with all registers, and with so few that most are in memory. */
static bool has_registers(Opt *o, u4 general, u4 fp, u8 start) {
    Back b = {.o = o, .n_locals = CELLS, .general = general, .fp = fp};
    opt_split_edges(o);
    const char *wrong = !opt_select(&b) || !opt_registers(&b) ? o->why : opt_verify(&b);
    if (wrong) printf("form %" PRIu64 ", registers: %s\n", start, wrong);
    return !wrong;
}

static u8 steps_before, steps_after, redone, runs;

static void draw_params(int64_t *params, const bool *never_null) {
    for (u4 c = 0; c < CELLS; c++) {
        params[c] = c < C_LONG && below(6) ? below(6) : c < C_OBJECT ? number(type_of(c)) : 0;
        u4 first = c < C_ARRAY ? 1 : c < C_OBJECTS ? 4 : 6, n = c < C_ARRAY ? 3 : 2;
        if (c >= C_OBJECT && (never_null[c] || below(12))) params[c] = first + below(n);
    }
}

static bool same_run(const Opt *before, const Opt *after, const bool *never_null) {
    int64_t params[CELLS];
    World w[2];
    draw_params(params, never_null);
    init_world(&w[0]);
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
    bool same = w[0].told == w[1].told && w[0].events == w[1].events && !w[0].bad && !w[1].bad;
    if (!same)
        printf("  %s | %s; events %u, %u\n", w[0].bad ? w[0].bad : "fine", w[1].bad ? w[1].bad : "fine", w[0].events,
               w[1].events);
    free(val[0]);
    free(val[1]);
    return same;
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
    seed = behind;
    for (u4 i = 0; i < 12 && good; i++) good = same_run(&before, &after, never_null);
    if (!good) printf("form %" PRIu64 " differs\n", start);
    good = good && has_registers(&before, FEW_GENERAL, FEW_FP, start) && has_registers(&after, GENERAL_REGS, FLOAT_REGS, start);
    good = good && has_registers(&after, FEW_GENERAL, FEW_FP, start);
    cf_arena_free(&before.arena);
    cf_arena_free(&after.arena);
    return good;
}

static void test_forms(u4 n, u8 first) {
    for (u4 i = 0; i < n; i++) CHECK(test_form((first + i) * 2654435761u + 1, false));
    printf("%" PRIu64 " runs, %" PRIu64 " to the end: %" PRIu64 " nodes before, %" PRIu64 " after; %" PRIu64
           " left in front of a loop\n",
           runs, returned / 2, steps_before, steps_after, redone);
}

int main(int argc, char **argv) {
    u4 n = argc > 1 ? (u4)strtoul(argv[1], NULL, 10) : 2000;
    init_classes();
    if (n == 1 && argc > 2) return !test_form(strtoull(argv[2], NULL, 10), true);
    test_trees(n);
    test_forms(n, argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    return cf_test_end();
}
