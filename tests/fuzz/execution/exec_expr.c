/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec_expr.c - expressions: each leaves one value of the wanted type. See exec_gen.h.
 */
#include "exec_gen.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const int32_t ints[] = {0,          1,
                               -1,         2,
                               3,          5,
                               7,          8,
                               31,         32,
                               33,         63,
                               64,         127,
                               128,        255,
                               -128,       -129,
                               32767,      32768,
                               -32768,     -32769,
                               65535,      65536,
                               1000000,    INT32_MAX,
                               INT32_MIN,  INT32_MIN + 1,
                               0x55555555, (int32_t)0xdeadbeef};
static const int64_t longs[] = {0,
                                1,
                                -1,
                                2,
                                3,
                                10,
                                31,
                                32,
                                63,
                                64,
                                255,
                                INT32_MAX,
                                INT32_MIN,
                                0x80000000,
                                0xffffffff,
                                0x100000000,
                                INT64_MAX,
                                INT64_MIN,
                                INT64_MIN + 1,
                                0x5555555555555555,
                                -1000000007};
static const uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                  0x7f800001, 0xffc12345, 1,          0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0x4f000000,
                                  0xcf000000, 0x4effffff, 0x5f000000, 0xdf000000, 0x3f000000, 0x3effffff, 0x41200000};
static const uint64_t doubles[] = {0,
                                   0x8000000000000000,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x4000000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   0x7ff0000000000001,
                                   0xfff8123456789abc,
                                   1,
                                   0x8000000000000001,
                                   0x000fffffffffffff,
                                   0x0010000000000000,
                                   0x7fefffffffffffff,
                                   0x41dfffffffc00000,
                                   0x41e0000000000000,
                                   0xc1e0000000000000,
                                   0xc1e0000000200000,
                                   0x43e0000000000000,
                                   0xc3e0000000000000,
                                   0x3fe0000000000000,
                                   0x4024000000000000,
                                   0x36a0000000000000,
                                   0x47efffffe0000000,
                                   0x47effffff0000000};
static const char *const strings[] = {"", "a", "fuzz", "\303\244", "longer text with several words"};

#define PICK(array) (array)[below(sizeof(array) / sizeof((array)[0]))]

Ty random_type(void) {
    static const uint8_t often[] = {TY_I, TY_I, TY_I, TY_J, TY_J, TY_D, TY_F, TY_LB, TY_AI, TY_LV, TY_LV};
    return percent(60) ? (Ty)PICK(often) : (Ty)(TY_Z + below(TY_COUNT - TY_Z));
}

bool only_ldc_w;

/* ---- constants and locals ------------------------------------------------------------------------ */

static void push_pool(Gen *g, uint16_t index, Ty ty) {
    if (ty_cells(ty) == 2) asm_op2(&g->a, CF_OP_LDC2_W, index, 0, ty);
    else if ((percent(20) || index > 255) | only_ldc_w) asm_op2(&g->a, CF_OP_LDC_W, index, 0, ty);
    else asm_op1(&g->a, CF_OP_LDC, index, 0, ty);
}

/* form 0: the shortest; others: a longer one. */
void push_int(Gen *g, int32_t v, unsigned form) {
    if (form == 0 && v >= -1 && v <= 5) asm_op(&g->a, (unsigned)(CF_OP_ICONST_0 + v), 0, TY_I);
    else if (form <= 1 && v >= -128 && v <= 127) asm_op1(&g->a, CF_OP_BIPUSH, (unsigned)v, 0, TY_I);
    else if (form <= 2 && v >= -32768 && v <= 32767) asm_op2(&g->a, CF_OP_SIPUSH, (unsigned)v, 0, TY_I);
    else push_pool(g, cf_add_int(g->c, v), TY_I);
}

static void push_long(Gen *g, int64_t v) {
    if (v == 0 || v == 1) asm_op(&g->a, (unsigned)(CF_OP_LCONST_0 + v), 0, TY_J);
    else push_pool(g, cf_add_long(g->c, v), TY_J);
}

static void push_float(Gen *g, uint32_t bits) {
    float v;
    memcpy(&v, &bits, 4);
    if (bits == 0 || v == 1 || v == 2) asm_op(&g->a, (unsigned)(CF_OP_FCONST_0 + (int)v), 0, TY_F);
    else push_pool(g, cf_add_float(g->c, v), TY_F);
}

static void push_double(Gen *g, uint64_t bits) {
    double v;
    memcpy(&v, &bits, 8);
    if (bits == 0 || v == 1) asm_op(&g->a, (unsigned)(CF_OP_DCONST_0 + (int)v), 0, TY_D);
    else push_pool(g, cf_add_double(g->c, v), TY_D);
}

void push_default(Gen *g, Ty ty) {
    switch (ty_kind(ty)) {
    case 'V': break;
    case 'I': push_int(g, 0, 0); break;
    case 'J': push_long(g, 0); break;
    case 'F': push_float(g, 0); break;
    case 'D': push_double(g, 0); break;
    default: asm_op(&g->a, CF_OP_ACONST_NULL, 0, ty);
    }
}

static void push_constant(Gen *g, Ty ty) {
    switch (ty_kind(ty)) {
    case 'I':
        push_int(g, percent(50) ? PICK(ints) : (int32_t)below(20) - 3, below(8) < 6 ? 0 : below(4));
        narrow(g, ty);
        break;
    case 'J': push_long(g, percent(80) ? PICK(longs) : (int64_t)choice()); break;
    case 'F': push_float(g, percent(80) ? PICK(floats) : (uint32_t)choice()); break;
    case 'D': push_double(g, percent(80) ? PICK(doubles) : choice()); break;
    default: percent(10) ? push_default(g, ty) : push_fresh(g, ty);
    }
}

static CfStr class_of(Ty ty) {
    CfStr s = cf_str(ty_desc[ty]);
    return s.p[0] == 'L' ? (CfStr){s.p + 1, s.len - 2} : s;
}

static Ty element(Ty array) {
    static const uint8_t of[TY_COUNT] = {
        [TY_AZ] = TY_Z,   [TY_AB] = TY_B,   [TY_AS] = TY_S,    [TY_AC] = TY_C,           [TY_AI] = TY_I,
        [TY_AJ] = TY_J,   [TY_AF] = TY_F,   [TY_AD] = TY_D,    [TY_AOBJECT] = TY_OBJECT, [TY_ALB] = TY_LB,
        [TY_ALT] = TY_LT, [TY_AAI] = TY_AI, [TY_AALB] = TY_ALB};
    return (Ty)of[array];
}

/* Array type whose elements are of that type, TY_V if there is none. */
static Ty array_of(Ty ty) {
    for (unsigned t = TY_AZ; t < TY_COUNT; t++)
        if (element((Ty)t) == ty) return (Ty)t;
    return TY_V;
}

/* Length on the stack. */
static void new_array(Gen *g, Ty array) {
    static const uint8_t codes[] = {
        [TY_Z] = 4, [TY_C] = 5, [TY_F] = 6, [TY_D] = 7, [TY_B] = 8, [TY_S] = 9, [TY_I] = 10, [TY_J] = 11};
    Ty e = element(array);
    if (ty_is_ref(e)) asm_op2(&g->a, CF_OP_ANEWARRAY, cf_add_class(g->c, class_of(e)), 1, array);
    else asm_op1(&g->a, CF_OP_NEWARRAY, codes[e], 1, array);
}

static void push_depth(Gen *g) {
    asm_load(&g->a, TY_I, (unsigned)g->depth_var, below(4) ? 0 : below(3));
    push_int(g, 1, 0);
    asm_op(&g->a, CF_OP_ISUB, 2, TY_I);
}

int32_t edge_int(void) { return PICK(ints); }

/* Classes D and E show nowhere but here: the verifier, too, does not load them. */
static void new_object(Gen *g, Ty ty, bool deep) {
    bool late = percent(ty == TY_LT ? 40 : ty == TY_LC ? 15 : 0);
    CfStr name = late ? cf_str(class_names[ty == TY_LT ? E : D]) : class_of(ty == TY_LT ? TY_LC : ty);
    asm_new(&g->a, cf_add_class(g->c, name));
    asm_op(&g->a, CF_OP_DUP, 0, TY_V);
    asm_push(&g->a, TY_UNINIT);
    g->a.stack[g->a.depth - 1].pc = g->a.stack[g->a.depth - 2].pc;
    if (deep) push_depth(g);
    else push_int(g, 0, 0);
    asm_op2(&g->a, CF_OP_INVOKESPECIAL, cf_add_method_ref(g->c, name, CF_STR("<init>"), CF_STR("(I)V"), false), 3, ty);
    if (late) asm_op2(&g->a, CF_OP_CHECKCAST, cf_add_class(g->c, class_of(ty)), 1, ty);
}

/* ---- Val.java ------------------------------------------------------------------------------------ */

static void new_value(Gen *g, int depth) {
    bool two = percent(40);
    asm_new(&g->a, cf_add_class(g->c, CF_STR("Val")));
    asm_op(&g->a, CF_OP_DUP, 0, TY_V);
    asm_push(&g->a, TY_UNINIT);
    g->a.stack[g->a.depth - 1].pc = g->a.stack[g->a.depth - 2].pc;
    if (depth > 0) expr(g, TY_I, depth - 1);
    else push_int(g, (int32_t)below(20), 0);
    if (two) push_long(g, (int64_t)below(100));
    asm_op2(&g->a, CF_OP_INVOKESPECIAL,
            cf_add_method_ref(g->c, CF_STR("Val"), CF_STR("<init>"), two ? CF_STR("(IJ)V") : CF_STR("(I)V"), false), two ? 4 : 3,
            TY_LV);
}

static void value_call(Gen *g, unsigned op, const char *name, const char *desc, int pops, Ty result) {
    asm_op2(&g->a, op, cf_add_method_ref(g->c, CF_STR("Val"), cf_str(name), cf_str(desc), false), pops, result);
}

void value_field(Gen *g, unsigned op, const char *name, Ty ty) {
    int pops = op == CF_OP_GETSTATIC ? 0 : op == CF_OP_PUTFIELD ? 2 : 1;
    bool reads = op == CF_OP_GETFIELD || op == CF_OP_GETSTATIC;
    asm_op2(&g->a, op, cf_add_field_ref(g->c, CF_STR("Val"), cf_str(name), cf_str(ty_desc[ty])), pops, reads ? ty : TY_V);
}

static void value_object(Gen *g, int depth) {
    uint32_t way = below(14);
    if (way < 5) return new_value(g, depth);
    if (way == 5) return value_field(g, CF_OP_GETSTATIC, "kept", TY_LV);
    if (way == 6) {
        expr(g, TY_I, depth - 1);
        expr(g, TY_J, depth - 1);
        return value_call(g, CF_OP_INVOKESTATIC, "of", "(IJ)LVal;", 2, TY_LV);
    }
    if (way == 7 || way == 8) {
        expr(g, TY_I, depth - 1);
        expr(g, TY_LV, depth - 1);
        return value_call(g, CF_OP_INVOKESTATIC, way == 7 ? "fold" : "either", "(ILVal;)LVal;", 2, TY_LV);
    }
    expr(g, TY_LV, depth - 1);
    if (way == 9) return value_field(g, CF_OP_GETFIELD, "next", TY_LV);
    if (way == 10) return value_call(g, CF_OP_INVOKEVIRTUAL, "pair", "()LVal;", 1, TY_LV);
    if (way == 11) {
        expr(g, TY_I, depth - 1);
        return value_call(g, CF_OP_INVOKEVIRTUAL, "keep", "(I)LVal;", 2, TY_LV);
    }
    expr(g, TY_LV, depth - 1);
    value_call(g, CF_OP_INVOKEVIRTUAL, way == 12 ? "add" : "with", "(LVal;)LVal;", 2, TY_LV);
}

/* An int that small objects have. */
static void value_int(Gen *g, int depth) {
    static const struct {
        const char *name;
        uint8_t ty;
    } fields[] = {{"i", TY_I}, {"i", TY_I}, {"b", TY_B}, {"c", TY_C}, {"z", TY_Z}};
    uint32_t way = below(9);
    if (way == 8) {
        expr(g, TY_I, depth - 1);
        expr(g, TY_I, depth - 1);
        return value_call(g, CF_OP_INVOKESTATIC, "three", "(II)I", 2, TY_I);
    }
    expr(g, TY_LV, depth - 1);
    if (way < 5) return value_field(g, CF_OP_GETFIELD, fields[way].name, (Ty)fields[way].ty);
    if (way == 5) return value_call(g, CF_OP_INVOKEVIRTUAL, "sum", "()I", 1, TY_I);
    expr(g, TY_I, depth - 1);
    value_call(g, CF_OP_INVOKEVIRTUAL, way == 6 ? "div" : "walk", "(I)I", 2, TY_I);
}

/* Fields of small objects are stored to, as a rule of one that a variable has. */
void store_value(Gen *g, int depth) {
    static const struct {
        const char *name;
        uint8_t ty;
    } fields[] = {{"i", TY_I}, {"j", TY_J}, {"d", TY_D},     {"f", TY_F},     {"b", TY_B},
                  {"c", TY_C}, {"z", TY_Z}, {"next", TY_LV}, {"next", TY_LV}, {"o", TY_OBJECT}};
    uint32_t way = below(12);
    if (way >= 10) {
        expr(g, TY_LV, depth);
        return value_field(g, CF_OP_PUTSTATIC, "kept", TY_LV);
    }
    percent(70) ? leaf(g, TY_LV) : expr(g, TY_LV, depth);
    expr(g, (Ty)fields[way].ty, depth);
    value_field(g, CF_OP_PUTFIELD, fields[way].name, (Ty)fields[way].ty);
}

void push_fresh(Gen *g, Ty ty) {
    switch (ty) {
    case TY_OBJECT:
    case TY_STRING: push_pool(g, cf_add_string(g->c, cf_str(PICK(strings))), ty); return;
    case TY_THROWABLE: rt_call(g, "thrown", "()Ljava/lang/Throwable;", 0, ty); return;
    case TY_LB: new_object(g, percent(30) ? TY_LC : TY_LB, false); break;
    case TY_LC:
    case TY_LT: new_object(g, ty, false); break;
    case TY_LV: new_value(g, 0); break;
    default:
        if (!ty_is_ref(ty)) {
            push_default(g, ty);
            return;
        }
        push_int(g, 8, below(3));
        new_array(g, ty);
    }
    g->a.stack[g->a.depth - 1].ty = (uint8_t)ty;
}

/* May a value of type `from` be taken for one of type `to` by the verifier? */
static bool assignable(unsigned from, unsigned to) {
    if (from == to || to == TY_OBJECT) return ty_is_ref(from) == ty_is_ref(to) && (from == to || from < TY_COUNT);
    if (!ty_is_ref(from) || !ty_is_ref(to)) return ty_kind(from) == ty_kind(to) && (ty_kind(from) != 'I' || to == TY_I);
    if (from == TY_LC && to == TY_LB) return true;
    if (to == TY_LT) return from == TY_LB || from == TY_LC;
    return to == TY_AOBJECT && (from == TY_ALB || from == TY_ALT || from == TY_AAI || from == TY_AALB);
}

static bool load_var(Gen *g, Ty ty) {
    uint32_t at = below(MAX_VARS), form = below(6);
    for (int i = 0; i < g->nvars; i++) {
        const Var *v = &g->var[(at + (uint32_t)i) % (uint32_t)g->nvars];
        if (!assignable(v->ty, ty)) continue;
        asm_load(&g->a, (Ty)v->ty, v->slot, form < 4 ? 0 : form - 3);
        g->a.stack[g->a.depth - 1].ty = ty_kind(ty) == 'I' ? TY_I : (uint8_t)ty;
        return true;
    }
    return false;
}

void leaf(Gen *g, Ty ty) {
    if (!percent(75) || !load_var(g, ty)) push_constant(g, ty);
}

void narrow(Gen *g, Ty ty) {
    switch (ty) {
    case TY_Z:
        push_int(g, 1, 0);
        asm_op(&g->a, CF_OP_IAND, 2, TY_I);
        break;
    case TY_B: asm_op(&g->a, CF_OP_I2B, 1, TY_I); break;
    case TY_S: asm_op(&g->a, CF_OP_I2S, 1, TY_I); break;
    case TY_C: asm_op(&g->a, CF_OP_I2C, 1, TY_I); break;
    default: break;
    }
}

/* ---- members ---------------------------------------------------------------------------------------- */

void rt_call(Gen *g, const char *name, const char *desc, int pops, Ty push) {
    asm_op2(&g->a, CF_OP_INVOKESTATIC, cf_add_method_ref(g->c, CF_STR("Rt"), cf_str(name), cf_str(desc), false), pops, push);
}

const Field *some_field(Gen *g, Ty ty, bool written) {
    uint32_t at = below(MAX_FIELDS);
    for (int i = 0; i < g->p->nfields; i++) {
        const Field *f = &g->p->field[(at + (uint32_t)i) % (uint32_t)g->p->nfields];
        bool fits = written ? assignable(ty, f->ty) || f->ty == ty : f->ty == ty || (ty == TY_I && ty_kind(f->ty) == 'I');
        if (fits && !(written && f->access & CF_ACC_FINAL)) return f;
    }
    return NULL;
}

void field_ref(Gen *g, unsigned op, const Field *f, Ty push) {
    int pops = op == CF_OP_GETSTATIC ? 0 : op == CF_OP_PUTFIELD ? 2 : 1;
    uint16_t index = cf_add_field_ref(g->c, cf_str(class_names[f->owner]), cf_str(f->name), cf_str(ty_desc[f->ty]));
    asm_op2(&g->a, op, index, pops, push);
}

static bool read_field(Gen *g, Ty ty, int depth) {
    const Field *f = some_field(g, ty, false);
    if (!f) return false;
    if (f->access & CF_ACC_STATIC) {
        field_ref(g, CF_OP_GETSTATIC, f, (Ty)f->ty);
    } else {
        expr(g, f->owner == B ? TY_LB : TY_LC, depth - 1);
        field_ref(g, CF_OP_GETFIELD, f, (Ty)f->ty);
    }
    return true;
}

static void arguments(Gen *g, const Method *m, int depth) {
    push_depth(g);
    for (int i = 1; i < m->nparams; i++) {
        if (m->nparams < 6 && depth > 0 && ty_kind(m->param[i]) != 'A') expr(g, (Ty)m->param[i], depth - 2);
        else leaf(g, (Ty)m->param[i]);
        narrow(g, (Ty)m->param[i]);
    }
}

static uint16_t method_handle(Gen *g, const Method *m) {
    uint16_t ref = cf_add_method_ref(g->c, cf_str(class_names[m->owner]), cf_str(m->name), cf_str(m->desc), m->owner == T);
    return cf_add_method_handle(g->c, CF_REF_INVOKESTATIC, ref);
}

static int bootstrap(Gen *g, const char *name, const char *desc, uint16_t arg) {
    CfWriter *w = &g->p->bootstraps[g->owner];
    if (g->p->nbootstraps[g->owner] >= MAX_BOOTSTRAPS) return -1;
    uint16_t ref = cf_add_method_ref(g->c, CF_STR("Rt"), cf_str(name), cf_str(desc), false);
    cf_w_u2(w, cf_add_method_handle(g->c, CF_REF_INVOKESTATIC, ref));
    cf_w_u2(w, 1);
    cf_w_u2(w, arg);
    return (int)g->p->nbootstraps[g->owner]++;
}

static void call_dynamic(Gen *g, const Method *m, int depth) {
    int row = bootstrap(g, "site",
                        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
                        "Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/CallSite;",
                        method_handle(g, m));
    arguments(g, m, depth);
    uint16_t index = row < 0 ? 0 : cf_add_invoke_dynamic(g->c, (uint16_t)row, cf_str(m->name), cf_str(m->desc));
    if (row < 0) {
        asm_op2(&g->a, CF_OP_INVOKESTATIC,
                cf_add_method_ref(g->c, cf_str(class_names[m->owner]), cf_str(m->name), cf_str(m->desc), m->owner == T),
                m->nparams, (Ty)m->ret);
        return;
    }
    asm_op2(&g->a, CF_OP_INVOKEDYNAMIC, index, m->nparams, (Ty)m->ret);
    cf_w_u2(&g->a.code, 0);
}

static void call_handle(Gen *g, const Method *m) {
    uint16_t mh = method_handle(g, m);
    push_pool(g, mh, TY_OBJECT); /* no frame may come in between: it would not say that it is a handle */
    arguments(g, m, 0);
    uint16_t ref =
        cf_add_method_ref(g->c, CF_STR("java/lang/invoke/MethodHandle"), CF_STR("invokeExact"), cf_str(m->desc), false);
    asm_op2(&g->a, CF_OP_INVOKEVIRTUAL, ref, m->nparams + 1, (Ty)m->ret);
}

static void call_method(Gen *g, const Method *m, int depth) {
    const char *owner = class_names[m->owner];
    bool handles = g->p->major >= 51 && m->light && !(m->access & CF_ACC_PRIVATE);
    if (m->access & CF_ACC_STATIC) {
        uint32_t way = below(60);
        if (handles && way == 0 && m->owner != T) {
            call_dynamic(g, m, depth);
        } else if (handles && way == 1 && m->owner != T) {
            call_handle(g, m);
        } else {
            arguments(g, m, depth);
            asm_op2(&g->a, CF_OP_INVOKESTATIC,
                    cf_add_method_ref(g->c, cf_str(owner), cf_str(m->name), cf_str(m->desc), m->owner == T), m->nparams,
                    (Ty)m->ret);
        }
        return;
    }
    bool virtual = g->self && !(g->self->access & CF_ACC_STATIC);
    if (m->owner == T) {
        expr(g, TY_LT, depth - 1);
        arguments(g, m, depth);
        asm_op2(&g->a, CF_OP_INVOKEINTERFACE, cf_add_method_ref(g->c, cf_str(owner), cf_str(m->name), cf_str(m->desc), true),
                m->nparams + 1, (Ty)m->ret);
        int cells = 1;
        for (int i = 0; i < m->nparams; i++) cells += ty_cells(m->param[i]);
        cf_w_u2(&g->a.code, (unsigned)cells << 8);
        return;
    }
    unsigned op = CF_OP_INVOKEVIRTUAL;
    if (virtual && g->owner == C && m->owner == B && !(m->access & CF_ACC_PRIVATE) && percent(40)) {
        asm_load(&g->a, TY_LC, 0, below(2)); /* super.m() */
        op = CF_OP_INVOKESPECIAL;
    } else if (m->access & CF_ACC_PRIVATE) {
        asm_load(&g->a, (Ty)g->a.local[0].ty, 0, 0);
        if (g->p->major < 55 || percent(50)) op = CF_OP_INVOKESPECIAL;
    } else if (m->owner == C || percent(30)) {
        expr(g, TY_LC, depth - 1);
        owner = class_names[C];
    } else {
        expr(g, TY_LB, depth - 1);
    }
    arguments(g, m, depth);
    asm_op2(&g->a, op, cf_add_method_ref(g->c, cf_str(owner), cf_str(m->name), cf_str(m->desc), false), m->nparams + 1,
            (Ty)m->ret);
}

bool call(Gen *g, Ty ret, int depth) {
    uint32_t at = below(MAX_METHODS);
    for (int i = 0; !g->leaf && i < g->p->nmethods; i++) {
        const Method *m = &g->p->method[(at + (uint32_t)i) % (uint32_t)g->p->nmethods];
        bool own = g->self && !(g->self->access & CF_ACC_STATIC) && m->owner == g->owner;
        if (m->owner > T || !assignable(m->ret, ret) ||
            (m->access & CF_ACC_PRIVATE && !(m->access & CF_ACC_STATIC ? m->owner == g->owner : own)))
            continue;
        call_method(g, m, depth);
        if (ty_is_ref(ret)) g->a.stack[g->a.depth - 1].ty = (uint8_t)ret;
        return true;
    }
    return false;
}

/* ---- conditions -------------------------------------------------------------------------------------- */

void jump_if(Gen *g, Label *l, int depth) {
    switch (below(5)) {
    case 0:
    case 1:
        expr(g, TY_I, depth);
        asm_jump(&g->a, CF_OP_IFEQ + below(6), 1, l);
        break;
    case 2:
        expr(g, TY_I, depth);
        expr(g, TY_I, depth);
        asm_jump(&g->a, CF_OP_IF_ICMPEQ + below(6), 2, l);
        break;
    case 3:
        expr(g, percent(50) ? TY_LV : TY_OBJECT, depth);
        expr(g, percent(50) ? TY_LV : percent(50) ? TY_LB : TY_OBJECT, depth);
        asm_jump(&g->a, CF_OP_IF_ACMPEQ + below(2), 2, l);
        break;
    default:
        expr(g, percent(40) ? TY_LV : percent(50) ? TY_LB : TY_AI, depth);
        asm_jump(&g->a, below(2) ? CF_OP_IFNULL : CF_OP_IFNONNULL, 1, l);
    }
}

static void ternary(Gen *g, Ty ty, int depth) {
    Label other, end;
    asm_label_init(&other);
    asm_label_init(&end);
    jump_if(g, &other, depth - 1);
    expr(g, ty, depth - 1);
    asm_jump(&g->a, CF_OP_GOTO, 0, &end);
    asm_place(&g->a, &other);
    expr(g, ty, depth - 1);
    asm_place(&g->a, &end);
}

static void switched(Gen *g, Ty ty, int depth) {
    Label to[6], end, *targets[6];
    int32_t keys[6];
    unsigned n = 1 + below(5);
    bool table = percent(50);
    int32_t key = table ? (int32_t)below(5) - 2 : PICK(ints);
    asm_label_init(&end);
    for (unsigned i = 0; i <= n; i++) asm_label_init(&to[i]);
    for (unsigned i = 0; i < n; i++) {
        keys[i] = key;
        key += table ? 1 : 1 + (int32_t)below(1000);
        if (key < keys[i]) n = i + 1;
        targets[i] = &to[below(n)];
    }
    expr(g, TY_I, depth - 1);
    if (percent(60)) {
        push_int(g, 7, 0);
        asm_op(&g->a, CF_OP_IAND, 2, TY_I);
    }
    asm_switch(&g->a, keys, targets, n, &to[n], table);
    for (unsigned i = 0; i <= n; i++) {
        if (to[i].depth < 0) continue;
        asm_place(&g->a, &to[i]);
        expr(g, ty, depth - 2);
        asm_jump(&g->a, CF_OP_GOTO, 0, &end);
    }
    asm_place(&g->a, &end);
}

/* ---- arithmetic ------------------------------------------------------------------------------------------ */

void array_and_index(Gen *g, Ty array, int depth) {
    expr(g, array, depth - 1);
    expr(g, TY_I, depth - 1);
    if (percent(85)) {
        push_int(g, 7, 0);
        asm_op(&g->a, CF_OP_IAND, 2, TY_I);
    }
}

static bool element_of(Gen *g, Ty ty, int depth) {
    static const uint8_t small[] = {TY_AZ, TY_AB, TY_AS, TY_AC, TY_AI, TY_AI};
    static const uint8_t ops[] = {[TY_AZ] = CF_OP_BALOAD, [TY_AB] = CF_OP_BALOAD, [TY_AS] = CF_OP_SALOAD, [TY_AC] = CF_OP_CALOAD,
                                  [TY_AI] = CF_OP_IALOAD, [TY_AJ] = CF_OP_LALOAD, [TY_AF] = CF_OP_FALOAD, [TY_AD] = CF_OP_DALOAD};
    Ty array = ty == TY_I ? (Ty)PICK(small) : array_of(ty);
    if (array == TY_V) return false;
    array_and_index(g, array, depth);
    asm_op(&g->a, ty_is_ref(element(array)) ? CF_OP_AALOAD : ops[array], 2, ty);
    return true;
}

/* Operators of one type; shuffles of the operands, such that one comes out in the end. */
static void binary(Gen *g, Ty ty, int depth) {
    unsigned k = ty_kind(ty) == 'I' ? 0 : ty_kind(ty) == 'J' ? 1 : ty_kind(ty) == 'F' ? 2 : 3;
    bool wide = ty_cells(ty) == 2;
    static const uint8_t bits[] = {CF_OP_ISHL, CF_OP_ISHR, CF_OP_IUSHR, CF_OP_IAND, CF_OP_IOR, CF_OP_IXOR};
    unsigned op = CF_OP_IADD + 4 * below(5);
    if (k < 2 && percent(50)) op = PICK(bits);
    bool shift = op >= CF_OP_ISHL && op <= CF_OP_IUSHR;
    expr(g, ty, depth - 1);
    uint32_t way = below(20);
    if (k < 2 && way >= 17) { /* with a constant, most of all division by one */
        if (percent(70)) op = percent(50) ? CF_OP_IDIV : CF_OP_IREM, shift = false;
        int32_t by = percent(40) ? PICK(ints) : percent(50) ? (int32_t)(1u << below(32)) - (int32_t)below(2) : (int32_t)choice();
        if (k == 0 || shift) push_int(g, by, 0);
        else push_long(g, percent(60) ? by : PICK(longs));
        asm_op(&g->a, op + k, 2, ty);
        return;
    }
    if (!shift && way == 0) { /* x op x */
        asm_op(&g->a, wide ? CF_OP_DUP2 : CF_OP_DUP, 0, ty);
        asm_op(&g->a, op + k, 2, ty);
        return;
    }
    expr(g, shift ? TY_I : ty, depth - 1);
    if (!shift && way == 1 && !wide) {
        asm_op(&g->a, CF_OP_SWAP, 0, TY_V);
    } else if (!shift && way == 2) { /* b, a op b; then b op that */
        asm_op(&g->a, wide ? CF_OP_DUP2_X2 : CF_OP_DUP_X1, 0, TY_V);
        asm_push(&g->a, ty);
        asm_op(&g->a, op + k, 2, ty);
    } else if (way == 3 && !shift && !wide) { /* a b a b */
        asm_op(&g->a, CF_OP_DUP2, 0, TY_V);
        asm_push(&g->a, ty);
        asm_push(&g->a, ty);
        asm_op(&g->a, op + k, 2, ty);
        asm_op(&g->a, op + k, 2, ty);
    }
    asm_op(&g->a, op + k, 2, ty);
}

/* Values multiplied by dup_x2, dup2_x1, dup2_x2; leaves ints, which expr folds to one. */
static void shuffled(Gen *g, int depth) {
    Asm *a = &g->a;
    switch (below(5)) {
    case 0: /* i i i -> dup_x2 */
        for (int i = 0; i < 3; i++) expr(g, TY_I, depth - 2);
        asm_op(a, CF_OP_DUP_X2, 0, TY_I);
        break;
    case 1: /* j i -> dup_x2 : i j i */
        expr(g, TY_J, depth - 2);
        expr(g, TY_I, depth - 2);
        asm_op(a, CF_OP_DUP_X2, 2, TY_I);
        asm_push(a, TY_J);
        asm_push(a, TY_I);
        asm_op(a, CF_OP_I2L, 1, TY_J);
        asm_op(a, CF_OP_LSUB, 2, TY_J);
        asm_op(a, CF_OP_L2I, 1, TY_I);
        break;
    case 2: /* i j -> dup2_x1 : j i j */
        expr(g, TY_I, depth - 2);
        expr(g, TY_J, depth - 2);
        asm_op(a, CF_OP_DUP2_X1, 2, TY_J);
        asm_push(a, TY_I);
        asm_push(a, TY_J);
        asm_op(a, CF_OP_L2I, 1, TY_I);
        asm_op(a, CF_OP_ISUB, 2, TY_I);
        asm_op(a, CF_OP_LSHL, 2, TY_J);
        asm_op(a, CF_OP_L2I, 1, TY_I);
        return;
    case 3: /* i i i -> dup2_x1 : i i i i i */
        for (int i = 0; i < 3; i++) expr(g, TY_I, depth - 2);
        asm_op(a, CF_OP_DUP2_X1, 0, TY_I);
        asm_push(a, TY_I);
        asm_op(a, CF_OP_IMUL, 2, TY_I);
        break;
    default: /* i i d -> dup2_x2 : d i i d, and i i i i -> dup2_x2 */
        expr(g, TY_I, depth - 2);
        expr(g, TY_I, depth - 2);
        if (percent(50)) {
            expr(g, TY_D, depth - 2);
            asm_op(a, CF_OP_DUP2_X2, 3, TY_D);
            asm_push(a, TY_I);
            asm_push(a, TY_I);
            asm_push(a, TY_D);
            asm_op(a, CF_OP_D2I, 1, TY_I);
            asm_op(a, CF_OP_IXOR, 2, TY_I);
            asm_op(a, CF_OP_ISUB, 2, TY_I);
            asm_op(a, CF_OP_I2D, 1, TY_D);
            asm_op(a, CF_OP_DADD, 2, TY_D);
            asm_op(a, CF_OP_D2I, 1, TY_I);
            return;
        }
        expr(g, TY_I, depth - 2);
        expr(g, TY_I, depth - 2);
        asm_op(a, CF_OP_DUP2_X2, 0, TY_I);
        asm_push(a, TY_I);
        asm_op(a, CF_OP_ISHL, 2, TY_I);
    }
}

static void converted(Gen *g, Ty to, int depth) {
    static const uint8_t kinds[] = {TY_I, TY_J, TY_F, TY_D};
    unsigned t = ty_kind(to) == 'I' ? 0 : ty_kind(to) == 'J' ? 1 : ty_kind(to) == 'F' ? 2 : 3, from = (t + 1 + below(3)) % 4;
    expr(g, (Ty)kinds[from], depth - 1);
    asm_op(&g->a, CF_OP_I2L + 3 * from + (t > from ? t - 1 : t), 1, (Ty)kinds[t]);
}

static void compared(Gen *g, int depth) {
    unsigned k = below(5);
    Ty ty = k == 0 ? TY_J : k < 3 ? TY_F : TY_D;
    expr(g, ty, depth - 1);
    expr(g, ty, depth - 1);
    asm_op(&g->a, CF_OP_LCMP + k, 2, TY_I);
}

static void dynamic_constant(Gen *g, Ty ty) {
    int row = bootstrap(g, "constant",
                        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;I)Ljava/lang/Object;",
                        cf_add_int(g->c, (int32_t)below(100)));
    if (row < 0) push_default(g, ty);
    else push_pool(g, cf_add_dynamic(g->c, (uint16_t)row, CF_STR("x"), cf_str(ty_desc[ty])), ty);
}

static void number(Gen *g, Ty ty, int depth) {
    if (ty != TY_I && percent(10)) {
        expr(g, TY_LV, depth - 1);
        return value_field(g, CF_OP_GETFIELD, ty == TY_J ? "j" : ty == TY_F ? "f" : "d", ty);
    }
    switch (below(22)) {
    case 20:
    case 21:
        if (!library(g, ty, depth)) leaf(g, ty);
        break;
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5: binary(g, ty, depth); break;
    case 6:
        expr(g, ty, depth - 1);
        asm_op(&g->a, CF_OP_INEG + (ty == TY_J ? 1 : ty == TY_F ? 2 : ty == TY_D ? 3 : 0), 1, ty);
        break;
    case 7: converted(g, ty, depth); break;
    case 8:
    case 9:
        if (!element_of(g, ty, depth)) leaf(g, ty);
        break;
    case 10:
    case 11:
        if (!read_field(g, ty, depth)) leaf(g, ty);
        break;
    case 12:
    case 13:
        if (!call(g, ty, depth)) leaf(g, ty);
        break;
    case 14:
    case 15: ternary(g, ty, depth); break;
    case 16: switched(g, ty, depth); break;
    case 17:
        if (g->p->major >= 55 && percent(10) && ty != TY_F) {
            dynamic_constant(g, ty);
            break;
        }
        leaf(g, ty);
        break;
    default: leaf(g, ty);
    }
}

static void integer(Gen *g, int depth) {
    switch (below(14)) {
    case 12:
    case 13: value_int(g, depth); break;
    case 6: expr(g, TY_Z, depth - 1); break;
    case 0: compared(g, depth); break;
    case 1:
        expr(g, TY_OBJECT, depth - 1);
        asm_op2(&g->a, CF_OP_INSTANCEOF, cf_add_class(g->c, class_of((Ty)(TY_OBJECT + below(TY_COUNT - TY_OBJECT)))), 1, TY_I);
        break;
    case 2:
        expr(g, (Ty)(TY_AZ + below(TY_COUNT - TY_AZ)), depth - 1);
        asm_op(&g->a, CF_OP_ARRAYLENGTH, 1, TY_I);
        break;
    case 3: shuffled(g, depth); break;
    case 4:
        expr(g, TY_I, depth - 1);
        narrow(g, (Ty)(TY_B + below(3)));
        break;
    case 5:
        expr(g, TY_STRING, depth - 1);
        asm_op2(&g->a, CF_OP_INVOKEVIRTUAL,
                cf_add_method_ref(g->c, CF_STR("java/lang/String"), percent(50) ? CF_STR("length") : CF_STR("hashCode"),
                                  CF_STR("()I"), false),
                1, TY_I);
        break;
    default: number(g, TY_I, depth);
    }
}

/* ---- references --------------------------------------------------------------------------------------------- */

static void cast(Gen *g, Ty ty, int depth) {
    expr(g, percent(60) ? ty : TY_OBJECT, depth - 1);
    asm_op2(&g->a, CF_OP_CHECKCAST, cf_add_class(g->c, class_of(ty)), 1, ty);
}

static void made_array(Gen *g, Ty ty, int depth) {
    if ((ty == TY_AAI || ty == TY_AALB) && percent(60)) {
        unsigned dims = 1 + below(2);
        for (unsigned i = 0; i < dims; i++) push_int(g, percent(95) ? 8 : (int32_t)below(4) - 1, 0);
        asm_op2(&g->a, CF_OP_MULTIANEWARRAY, cf_add_class(g->c, cf_str(ty_desc[ty])), (int)dims, ty);
        cf_w_u1(&g->a.code, dims);
        return;
    }
    if (percent(10)) {
        expr(g, TY_I, depth - 1);
        push_int(g, 15, 0);
        asm_op(&g->a, percent(90) ? CF_OP_IAND : CF_OP_IREM, 2, TY_I);
    } else {
        push_int(g, 8, 0);
    }
    new_array(g, ty);
}

/* The verifier takes any object that is no array for one of an interface. */
static void not_of_interface(Gen *g, int depth) {
    expr(g, TY_OBJECT, depth - 1);
    asm_op2(&g->a, CF_OP_CHECKCAST, cf_add_class(g->c, CF_STR("java/lang/Object")), 1, TY_LT);
}

static void reference(Gen *g, Ty ty, int depth) {
    if (ty == TY_LV && percent(70)) return value_object(g, depth);
    switch (below(13)) {
    case 0:
        if (!element_of(g, ty, depth)) leaf(g, ty);
        break;
    case 1:
    case 2:
        if (!read_field(g, ty, depth)) leaf(g, ty);
        break;
    case 3:
        if (!call(g, ty, depth)) leaf(g, ty);
        break;
    case 12:
        if (!library(g, ty, depth)) leaf(g, ty);
        break;
    case 4: ternary(g, ty, depth); break;
    case 5: cast(g, ty, depth); break;
    case 6:
    case 7:
        if (ty >= TY_AZ) made_array(g, ty, depth);
        else if (ty == TY_LB || ty == TY_LC || (ty == TY_LT && percent(50))) new_object(g, ty, percent(30));
        else if (ty == TY_OBJECT) expr(g, (Ty)(TY_STRING + below(TY_COUNT - TY_STRING)), depth - 1);
        else if (ty == TY_LT && percent(15)) not_of_interface(g, depth);
        else leaf(g, ty);
        break;
    case 8:
        if (ty == TY_OBJECT && g->p->major >= 49 && percent(50)) {
            push_pool(g, cf_add_class(g->c, class_of((Ty)(TY_OBJECT + below(TY_COUNT - TY_OBJECT)))), ty);
            break;
        }
        if (ty == TY_STRING) {
            expr(g, TY_I, depth - 1);
            asm_op2(
                &g->a, CF_OP_INVOKESTATIC,
                cf_add_method_ref(g->c, CF_STR("java/lang/String"), CF_STR("valueOf"), CF_STR("(I)Ljava/lang/String;"), false), 1,
                ty);
            break;
        }
        if (ty >= TY_AZ && ty <= TY_AD) {
            expr(g, ty, depth - 1);
            asm_op2(&g->a, CF_OP_INVOKEVIRTUAL,
                    cf_add_method_ref(g->c, cf_str(ty_desc[ty]), CF_STR("clone"), CF_STR("()Ljava/lang/Object;"), false), 1,
                    TY_OBJECT);
            asm_op2(&g->a, CF_OP_CHECKCAST, cf_add_class(g->c, class_of(ty)), 1, ty);
            break;
        }
        leaf(g, ty);
        break;
    default: leaf(g, ty);
    }
}

void expr(Gen *g, Ty ty, int depth) {
    Node n;
    if (depth <= 0) {
        Node l;
        if (!node_enter(&l, "leaf")) {
            push_default(g, ty);
            return;
        }
        leaf(g, ty);
        node_leave(&l);
        return;
    }
    if (!node_enter(&n, "expression")) {
        push_default(g, ty);
        return;
    }
    int was = g->a.depth;
    if (ty_kind(ty) == 'I') {
        integer(g, depth);
        narrow(g, ty);
    } else if (ty_is_ref(ty)) {
        reference(g, ty, depth);
    } else {
        number(g, ty, depth);
    }
    while (g->a.depth > was + 1) asm_op(&g->a, percent(50) ? CF_OP_ISUB : CF_OP_IXOR, 2, TY_I);
    g->a.stack[g->a.depth - 1].ty = ty_kind(ty) == 'I' ? TY_I : (uint8_t)ty;
    node_leave(&n);
}
