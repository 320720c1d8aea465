/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec_loops.c - loops over arrays, as compilers of such look for them: counted up and down, with strides, to lengths and other ends, near the ends of
 * int; elements at the counter and constants, arrays that may be the same, or become others while the loop runs, rows, breaks.
 *
 * The counter and the sum are variables of the program, so handlers see how far it came. A second counter, which nobody else knows, ends loops that
 * would not; some loops end by themselves, by a bound or because an index is none, and do without. See exec_gen.h.
 */
#include "exec_gen.h"

typedef struct Kind {
    uint8_t array, load, store, make; /* make: newarray's operand */
} Kind;

static const Kind kinds[] = {{TY_AI, CF_OP_IALOAD, CF_OP_IASTORE, 10}, {TY_AI, CF_OP_IALOAD, CF_OP_IASTORE, 10},
                             {TY_AB, CF_OP_BALOAD, CF_OP_BASTORE, 8},  {TY_AZ, CF_OP_BALOAD, CF_OP_BASTORE, 4},
                             {TY_AS, CF_OP_SALOAD, CF_OP_SASTORE, 9},  {TY_AC, CF_OP_CALOAD, CF_OP_CASTORE, 5},
                             {TY_AJ, CF_OP_LALOAD, CF_OP_LASTORE, 11}, {TY_AF, CF_OP_FALOAD, CF_OP_FASTORE, 6}};

typedef struct Loop {
    const Kind *kind;
    unsigned from, to; /* arrays */
    unsigned counter, sum, turns;
    bool plain; /* it ends by itself; else by `turns` */
    int32_t step;
    Label *end;
} Loop;

static int variable(const Gen *g, int not ) {
    uint32_t at = below(MAX_VARS);
    for (int i = 0; i < g->nvars; i++) {
        int v = (int)((at + (uint32_t)i) % (uint32_t)g->nvars);
        if (g->var[v].ty == TY_I && !g->var[v].fixed && v != not ) return v;
    }
    return -1;
}

static void load_int(Gen *g, unsigned slot) { asm_load(&g->a, TY_I, slot, 0); }
static void store_int(Gen *g, unsigned slot) { asm_store(&g->a, TY_I, slot, 0); }
static void add(Gen *g, int32_t k) {
    if (!k) return;
    push_int(g, k, 0);
    asm_op(&g->a, CF_OP_IADD, 2, TY_I);
}

/* An array of the kind into the slot. */
static void some_array(Gen *g, const Kind *k, unsigned slot) {
    if (percent(45)) {
        expr(g, (Ty)k->array, 1);
    } else {
        push_int(g, (int32_t)below(percent(70) ? 12 : 70), 0);
        asm_op1(&g->a, CF_OP_NEWARRAY, k->make, 1, (Ty)k->array);
    }
    asm_store(&g->a, (Ty)k->array, slot, 0);
}

static void array_length(Gen *g, const Loop *l) {
    asm_load(&g->a, (Ty)l->kind->array, percent(70) ? l->from : l->to, 0);
    asm_op(&g->a, CF_OP_ARRAYLENGTH, 1, TY_I);
    if (percent(40)) add(g, (int32_t)below(9) - 4);
}

/* What the counter begins at, or goes to; low: the lower one. */
static void bound(Gen *g, const Loop *l, bool low) {
    switch (l->plain ? 3 + below(5) : below(8)) {
    case 0: push_int(g, edge_int(), 0); return;
    case 1: push_int(g, low ? INT32_MIN + (int32_t)below(20) : INT32_MAX - (int32_t)below(20), 0); return;
    case 2:
        expr(g, TY_I, 1);
        push_int(g, 63, 0);
        asm_op(&g->a, CF_OP_IAND, 2, TY_I);
        return;
    case 3: push_int(g, (int32_t)below(24) - 4, 0); return;
    default:
        if (low) push_int(g, percent(60) ? 0 : (int32_t)below(5) - 1, 0);
        else array_length(g, l);
    }
}

static void index_of(Gen *g, const Loop *l) {
    load_int(g, l->counter);
    if (percent(45)) add(g, (int32_t)below(7) - 3);
    if (percent(8)) {
        push_int(g, 7, 0);
        asm_op(&g->a, CF_OP_IAND, 2, TY_I);
    }
}

static Ty element_type(const Kind *k) { return k->array == TY_AJ ? TY_J : k->array == TY_AF ? TY_F : TY_I; }

static void load_element(Gen *g, const Loop *l, unsigned array) {
    asm_load(&g->a, (Ty)l->kind->array, array, 0);
    index_of(g, l);
    asm_op(&g->a, l->kind->load, 2, element_type(l->kind));
}

static void store_element(Gen *g, const Loop *l) {
    static const uint8_t ops[] = {CF_OP_IADD, CF_OP_ISUB, CF_OP_IMUL};
    Ty ty = element_type(l->kind);
    unsigned wide = ty == TY_J ? 1 : ty == TY_F ? 2 : 0;
    asm_load(&g->a, (Ty)l->kind->array, l->to, 0);
    index_of(g, l);
    if (percent(20)) expr(g, ty, 1);
    else load_element(g, l, percent(60) ? l->from : l->to);
    if (percent(50)) {
        if (percent(50)) load_element(g, l, l->from);
        else push_default(g, ty);
        asm_op(&g->a, ops[below(3)] + wide, 2, ty);
    }
    asm_op(&g->a, l->kind->store, 3, TY_V);
}

static void to_int(Gen *g, const Loop *l) {
    Ty ty = element_type(l->kind);
    if (ty == TY_J) asm_op(&g->a, CF_OP_L2I, 1, TY_I);
    if (ty == TY_F) asm_op(&g->a, CF_OP_F2I, 1, TY_I);
}

static void reduce(Gen *g, const Loop *l) {
    static const uint8_t ops[] = {CF_OP_IADD, CF_OP_IXOR, CF_OP_ISUB};
    load_int(g, l->sum);
    if (percent(30)) {
        push_int(g, 31, 0);
        asm_op(&g->a, CF_OP_IMUL, 2, TY_I);
    }
    load_element(g, l, percent(50) ? l->from : l->to);
    to_int(g, l);
    asm_op(&g->a, ops[below(3)], 2, TY_I);
    store_int(g, l->sum);
}

static void leave_if(Gen *g, const Loop *l) {
    load_element(g, l, l->from);
    to_int(g, l);
    push_int(g, percent(50) ? (int32_t)below(9) : edge_int(), 0);
    asm_jump(&g->a, CF_OP_IF_ICMPEQ + below(6), 2, l->end);
}

static void step(Gen *g, const Loop *l) {
    asm_var(&g->a, CF_OP_IINC, l->counter, l->counter > 255);
    if (l->counter > 255) cf_w_u2(&g->a.code, (unsigned)l->step & 0xffff);
    else cf_w_u1(&g->a.code, (unsigned)l->step & 255);
}

static void count_turns(Gen *g, const Loop *l) {
    if (l->plain) return;
    load_int(g, l->turns);
    add(g, 1);
    asm_op(&g->a, CF_OP_DUP, 0, TY_I);
    store_int(g, l->turns);
    push_int(g, 150, 0);
    asm_jump(&g->a, CF_OP_IF_ICMPGT, 2, l->end);
}

static void turn(Gen *g, const Loop *l) {
    for (uint32_t n = 1 + below(3); n; n--) switch (below(10)) {
        case 0:
        case 1:
        case 2:
        case 3: store_element(g, l); break;
        case 4:
        case 5:
        case 6: reduce(g, l); break;
        case 7:
            if (percent(60)) leave_if(g, l);
            break;
        case 8:
            if (percent(25)) some_array(g, l->kind, percent(50) ? l->from : l->to);
            break;
        default:
            load_int(g, l->sum);
            expr(g, TY_I, 1);
            asm_op(&g->a, CF_OP_IADD, 2, TY_I);
            store_int(g, l->sum);
        }
}

/* The counter compares with an end: the loop is left by `op`.  The test is at the head, or behind the turn. */
static void count(Gen *g, Loop *l) {
    static const uint8_t up[] = {CF_OP_IF_ICMPGE, CF_OP_IF_ICMPGE, CF_OP_IF_ICMPGT, CF_OP_IF_ICMPEQ},
                         down[] = {CF_OP_IF_ICMPLT, CF_OP_IF_ICMPLT, CF_OP_IF_ICMPLE, CF_OP_IF_ICMPEQ};
    unsigned limit = asm_local(&g->a, TY_TOP);
    if (g->a.failed) return;
    bool rises = l->step > 0, behind = percent(25), fixed = percent(70);
    Label head;
    asm_label_init(&head);
    bound(g, l, rises);
    store_int(g, l->counter);
    bound(g, l, !rises);
    g->a.local[limit].ty = TY_I;
    store_int(g, limit);
    asm_place(&g->a, &head);
    unsigned op = (rises ? up : down)[below(l->plain ? 3 : 4)];
    for (int part = 0; part < 2; part++) {
        if ((part == 0) != behind) {
            load_int(g, l->counter);
            if (fixed) load_int(g, limit);
            else array_length(g, l);
            asm_jump(&g->a, op, 2, l->end);
        } else {
            turn(g, l);
            count_turns(g, l);
            step(g, l);
        }
    }
    asm_jump(&g->a, CF_OP_GOTO, 0, &head);
    g->a.local[limit].ty = TY_TOP;
}

void array_loop(Gen *g) {
    int sum = variable(g, -1), counter = sum < 0 ? -1 : variable(g, sum);
    if (counter < 0) return;
    Label end;
    Loop l = {.kind = &kinds[below(sizeof kinds / sizeof *kinds)],
              .from = asm_local(&g->a, TY_TOP),
              .to = asm_local(&g->a, TY_TOP),
              .turns = asm_local(&g->a, TY_TOP),
              .counter = g->var[counter].slot,
              .sum = g->var[sum].slot,
              .step = percent(60) ? 1 : 1 + (int32_t)below(5),
              .end = &end};
    if (g->a.failed) return;
    if (percent(40)) l.step = -l.step;
    l.plain = percent(50);
    asm_label_init(&end);
    some_array(g, l.kind, l.from);
    g->a.local[l.from].ty = l.kind->array;
    if (percent(40)) {
        asm_load(&g->a, (Ty)l.kind->array, l.from, 0);
        asm_store(&g->a, (Ty)l.kind->array, l.to, 0);
    } else {
        some_array(g, l.kind, l.to);
    }
    g->a.local[l.to].ty = l.kind->array;
    push_int(g, 0, 0);
    store_int(g, l.turns);
    g->a.local[l.turns].ty = TY_I;
    g->var[counter].fixed = true;
    count(g, &l);
    g->a.local[l.from].ty = g->a.local[l.to].ty = g->a.local[l.turns].ty = TY_TOP;
    g->var[counter].fixed = false;
    asm_place(&g->a, &end);
    load_int(g, l.sum);
    load_int(g, l.counter);
    asm_op(&g->a, CF_OP_IXOR, 2, TY_I);
    rt_call(g, "tell", "(I)V", 1, TY_V);
}
