/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interpreter of the optimiser's form, for tests of its passes, and the objects that its programs work on.  What
 * somebody outside could see is mixed into World.told; what must never happen is World.bad.
 */
#ifndef GRAFT_TEST_OPT_WORLD_H
#define GRAFT_TEST_OPT_WORLD_H

#include "jit/opt/opt_pass.h"
#include "object/class.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

/* Math.min and max: NaN if one is, and -0.0 is less than 0.0. */
static double eval_least(bool max, double x, double y) {
    if (x != x || y != y) return x != x ? x : y;
    if (x == y) return signbit(x) == max ? y : x;
    return (x < y) != max ? x : y;
}

static int64_t eval_bits(const Node *n, int64_t x) {
    u8 v = n->from == OT_INT ? (u4)x : (u8)x, width = n->from == OT_INT ? 32 : 64;
    u4 above = 0, below = 0, set = 0;
    while (above < width && !(v >> (width - 1 - above) & 1)) above++;
    while (below < width && !(v >> below & 1)) below++;
    for (u4 i = 0; i < width; i++) set += v >> i & 1;
    if (n->kind == BITS_SWAPPED) return n->from == OT_INT ? (int32_t)__builtin_bswap32((u4)v) : (int64_t)__builtin_bswap64(v);
    return n->kind == BITS_SET ? set : n->kind == BITS_LEADING ? above : below;
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
    case OPT_FMIN:
    case OPT_FMAX: return of_float((float)eval_least(n->op == OPT_FMAX, x, y));
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
    case OPT_FMIN:
    case OPT_FMAX: return of_double(eval_least(n->op == OPT_FMAX, x, y));
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
    if (n->op >= OPT_FADD && n->op <= OPT_FMAX)
        return n->type == OT_FLOAT ? eval_float(n, as_float(x), as_float(y)) : eval_double(n, as_double(x), as_double(y));
    if (n->op == OPT_CMP3 || n->op == OPT_FCMP3) return eval_compare(n, x, y);
    if (n->op == OPT_CONVERT) return eval_convert(n, x);
    if (n->op == OPT_UNSIGNED) return (int64_t)(u4)x;
    if (n->op == OPT_NARROW) return eval_narrow(n->kind, x);
    if (n->op == OPT_BITS) return eval_bits(n, x);
    return n->type == OT_INT ? (int32_t)x : n->type == OT_FLOAT ? (int64_t)(u4)x : x; /* FLOAT_BITS */
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
    bool deaf; /* polls are no events: who unrolls leaves some out */
    bool cut;  /* too many turns, of somebody who is deaf */
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
        if (t->length && !below(8)) t->length = (int32_t)below(2);
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
    int64_t i = (int64_t)(u4)r->val[n->in[1]] + n->k; /* as the machine adds them */
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

static void run_deaf_poll(World *w) {
    if (++w->polls == MOST_POLLS) w->ended = w->cut = true;
}

static void run_stop(Run *r, Ref at) {
    const Node *n = opt_node(r->o, at);
    if (n->op == OPT_POLL && r->w->deaf) return run_deaf_poll(r->w);
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
    case OPT_FPICK: *v = r->val[n->in[eval_fif(n, r->val[n->in[0]], r->val[n->in[1]]) ? 2 : 3]]; return;
    case OPT_PICK: *v = r->val[n->in[eval_cond(n->kind, r->val[n->in[0]], r->val[n->in[1]]) ? 2 : 3]]; return;
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
    for (Ref i = b->first; i && opt_node(r->o, i)->op == OPT_PHI; i = opt_node(r->o, i)->next) {
        if (opt_node(r->o, i)->k && in[n] < 0) r->w->bad = "a phi that should not be negative";
        r->val[i] = in[n++];
    }
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

#endif
