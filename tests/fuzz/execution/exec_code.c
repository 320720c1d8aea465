/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec_code.c - statements, blocks, methods. See exec_gen.h.
 */
#include "exec_gen.h"

#include <string.h>

enum { MAX_BLOCKS = 64 };

typedef struct Block {
    Label start;
    uint8_t entry[4]; /* types on the stack */
    int depth;
    bool handler;
    uint32_t from, middle, to; /* pcs, when made */
} Block;

typedef struct Body {
    Gen *g;
    Block block[MAX_BLOCKS];
    int order[MAX_BLOCKS], nblocks;
} Body;

static void statements(Gen *g, uint32_t most);

/* ---- ends ------------------------------------------------------------------------------------------ */

static Ty returned(const Gen *g) { return g->self ? (Ty)g->self->ret : TY_V; }

static void return_value(Gen *g, int depth) {
    Ty ty = returned(g);
    if (ty == TY_V) {
        asm_end(&g->a, CF_OP_RETURN, 0);
        return;
    }
    if (depth < 0) push_default(g, ty);
    else expr(g, ty, depth);
    narrow(g, ty);
    unsigned k = ty_kind(ty) == 'I' ? 0 : ty_kind(ty) == 'J' ? 1 : ty_kind(ty) == 'F' ? 2 : ty_kind(ty) == 'D' ? 3 : 4;
    asm_end(&g->a, CF_OP_IRETURN + k, 1);
}

/* if (--Rt.fuel < 0) return; on the way out the stack is what it was. */
static void burn_fuel(Gen *g) {
    Label go_on;
    asm_label_init(&go_on);
    uint16_t fuel = cf_add_field_ref(g->c, CF_STR("Rt"), CF_STR("fuel"), CF_STR("I"));
    asm_op2(&g->a, CF_OP_GETSTATIC, fuel, 0, TY_I);
    push_int(g, 1, 0);
    asm_op(&g->a, CF_OP_ISUB, 2, TY_I);
    asm_op(&g->a, CF_OP_DUP, 0, TY_I);
    asm_op2(&g->a, CF_OP_PUTSTATIC, fuel, 1, TY_V);
    asm_jump(&g->a, CF_OP_IFGE, 1, &go_on);
    return_value(g, -1);
    asm_place(&g->a, &go_on);
}

/* ---- statements -------------------------------------------------------------------------------------- */

static void tell(Gen *g, int depth) {
    static const uint8_t kinds[] = {TY_I, TY_I, TY_J, TY_F, TY_D, TY_OBJECT, TY_LB, TY_LV};
    Ty ty = (Ty)kinds[below(sizeof kinds)];
    const char *desc = ty == TY_I   ? "(I)V"
                       : ty == TY_J ? "(J)V"
                       : ty == TY_F ? "(F)V"
                       : ty == TY_D ? "(D)V"
                                    : "(Ljava/lang/Object;)V";
    expr(g, ty, depth);
    rt_call(g, "tell", desc, 1, TY_V);
}

static void store_var(Gen *g, int depth) {
    const Var *v = &g->var[below((uint32_t)g->nvars)];
    uint32_t form = below(8);
    if (v->fixed) {
        tell(g, depth);
        return;
    }
    expr(g, (Ty)v->ty, depth);
    if (percent(10)) {
        bool wide = ty_cells(v->ty) == 2;
        asm_op(&g->a, wide ? CF_OP_DUP2 : CF_OP_DUP, 0, TY_V);
        asm_push(&g->a, asm_top(&g->a, 0));
        asm_store(&g->a, (Ty)v->ty, v->slot, form < 6 ? 0 : form - 5);
        asm_op(&g->a, wide ? CF_OP_POP2 : CF_OP_POP, 1, TY_V);
        return;
    }
    asm_store(&g->a, (Ty)v->ty, v->slot, form < 6 ? 0 : form - 5);
}

static void increment(Gen *g) {
    uint32_t at = below(MAX_VARS);
    bool wide = percent(25);
    int by = wide ? (int)below(65536) - 32768 : (int)below(256) - 128;
    for (int i = 0; i < g->nvars; i++) {
        const Var *v = &g->var[(at + (uint32_t)i) % (uint32_t)g->nvars];
        if (v->ty != TY_I || v->fixed) continue;
        asm_var(&g->a, CF_OP_IINC, v->slot, wide);
        if (wide || v->slot > 255) cf_w_u2(&g->a.code, (unsigned)by & 0xffff);
        else cf_w_u1(&g->a.code, (unsigned)by & 255);
        return;
    }
}

static void store_field(Gen *g, int depth) {
    Ty ty = random_type();
    const Field *f = some_field(g, ty, true);
    if (!f) return;
    if (f->access & CF_ACC_STATIC) {
        expr(g, ty_kind(ty) == 'I' ? TY_I : ty, depth);
        field_ref(g, CF_OP_PUTSTATIC, f, TY_V);
    } else {
        expr(g, f->owner == B ? TY_LB : TY_LC, depth - 1);
        expr(g, ty_kind(ty) == 'I' ? TY_I : ty, depth);
        field_ref(g, CF_OP_PUTFIELD, f, TY_V);
    }
}

static void store_element(Gen *g, int depth) {
    static const struct {
        uint8_t array, value;
        uint8_t op;
    } rows[] = {{TY_AZ, TY_I, CF_OP_BASTORE},           {TY_AB, TY_I, CF_OP_BASTORE},      {TY_AS, TY_I, CF_OP_SASTORE},
                {TY_AC, TY_I, CF_OP_CASTORE},           {TY_AI, TY_I, CF_OP_IASTORE},      {TY_AI, TY_I, CF_OP_IASTORE},
                {TY_AJ, TY_J, CF_OP_LASTORE},           {TY_AF, TY_F, CF_OP_FASTORE},      {TY_AD, TY_D, CF_OP_DASTORE},
                {TY_AOBJECT, TY_OBJECT, CF_OP_AASTORE}, {TY_ALB, TY_LB, CF_OP_AASTORE},    {TY_ALT, TY_LT, CF_OP_AASTORE},
                {TY_AAI, TY_AI, CF_OP_AASTORE},         {TY_ALB, TY_OBJECT, CF_OP_AASTORE}};
    unsigned r = below(sizeof rows / sizeof rows[0]);
    array_and_index(g, (Ty)rows[r].array, depth);
    expr(g, (Ty)rows[r].value, depth);
    if (rows[r].array == TY_ALB && rows[r].value == TY_OBJECT) /* aastore takes any reference */
        asm_op2(&g->a, CF_OP_CHECKCAST, cf_add_class(g->c, percent(50) ? CF_STR("B") : CF_STR("java/lang/Object")), 1, TY_OBJECT);
    asm_op(&g->a, rows[r].op, 3, TY_V);
}

static void caught(Gen *g) { rt_call(g, "caught", "(Ljava/lang/Throwable;)V", 1, TY_V); }

/* The handler of a statement starts with nothing but the exception; what was on the stack before is made anew. */
typedef struct Kept {
    Value stack[MAX_STACK];
    int depth;
} Kept;
static void keep(Gen *g, Kept *k) {
    k->depth = g->a.depth;
    memcpy(k->stack, g->a.stack, sizeof(Value) * (size_t)k->depth);
}
static bool keepable(const Gen *g) {
    for (int i = 0; i < g->a.depth; i++)
        if (g->a.stack[i].ty >= TY_COUNT) return false;
    return true;
}
static void enter_handler(Gen *g, Label *handler) {
    asm_label_init(handler);
    asm_pop(&g->a, g->a.depth);
    asm_push(&g->a, TY_THROWABLE);
    asm_place(&g->a, handler);
}
static void restore(Gen *g, const Kept *k) {
    for (int i = 0; i < k->depth; i++) push_default(g, (Ty)k->stack[i].ty);
}

static uint16_t some_throwable(Gen *g) {
    static const char *const names[] = {"java/lang/ArithmeticException",
                                        "java/lang/NullPointerException",
                                        "java/lang/RuntimeException",
                                        "java/lang/IndexOutOfBoundsException",
                                        "java/lang/ClassCastException",
                                        "java/lang/Throwable",
                                        "java/lang/Error",
                                        "java/lang/IllegalStateException",
                                        "java/lang/ArrayIndexOutOfBoundsException",
                                        "java/lang/LinkageError"};
    uint32_t i = below(14);
    return i >= 10 ? 0 : cf_add_class(g->c, cf_str(names[i]));
}

static void try_statement(Gen *g, bool all) {
    Kept k;
    Label handler, end;
    if (!keepable(g)) return;
    keep(g, &k);
    asm_label_init(&end);
    uint32_t start = asm_pc(&g->a);
    uint16_t type = all ? 0 : some_throwable(g);
    statements(g, 4);
    asm_op(&g->a, CF_OP_NOP, 0, TY_V);
    uint32_t stop = asm_pc(&g->a);
    asm_jump(&g->a, CF_OP_GOTO, 0, &end);
    enter_handler(g, &handler);
    caught(g);
    statements(g, 2);
    restore(g, &k);
    asm_place(&g->a, &end);
    asm_row(&g->a, start, stop, &handler, type);
}

/* A return in a monitor throws. In a synchronized method it does not come about: which exception leaves such a method in the end
 * (6.5 athrow: that for the method's own monitor, which was given up first) no program depends on. */
static bool is_synchronized(const Gen *g) { return g->self && g->self->access & CF_ACC_SYNCHRONIZED; }

/* As javac makes it: the handler unlocks, covers itself too, and throws on. In odd programs some have no handler or unlock once too
 * often; there no handler covers itself, it would go round for ever. */
static void monitor(Gen *g) {
    unsigned v = asm_local(&g->a, TY_TOP);
    bool odd = percent(15) && g->p->odd_monitors && !is_synchronized(g), twice = percent(30);
    Label handler, end;
    asm_label_init(&end);
    if (g->a.failed || !keepable(g)) return;
    Kept k;
    keep(g, &k);
    expr(g, percent(90) ? TY_LB : TY_OBJECT, 1);
    asm_op(&g->a, CF_OP_DUP, 0, TY_V);
    asm_push(&g->a, asm_top(&g->a, 0));
    g->a.local[v].ty = TY_OBJECT;
    asm_store(&g->a, TY_OBJECT, v, 0);
    asm_op(&g->a, CF_OP_MONITORENTER, 1, TY_V);
    uint32_t start = asm_pc(&g->a);
    g->locked++;
    statements(g, 3);
    g->locked--;
    asm_load(&g->a, TY_OBJECT, v, 0);
    asm_op(&g->a, CF_OP_MONITOREXIT, 1, TY_V);
    if (odd && twice) {
        asm_load(&g->a, TY_OBJECT, v, 0);
        asm_op(&g->a, CF_OP_MONITOREXIT, 1, TY_V);
    }
    uint32_t stop = asm_pc(&g->a);
    if (odd && !twice) {
        g->leaves_locked = true;
        g->a.local[v].ty = TY_TOP;
        return;
    }
    asm_jump(&g->a, CF_OP_GOTO, 0, &end);
    enter_handler(g, &handler);
    asm_load(&g->a, TY_OBJECT, v, 0);
    asm_op(&g->a, CF_OP_MONITOREXIT, 1, TY_V);
    uint32_t covered = asm_pc(&g->a);
    asm_end(&g->a, CF_OP_ATHROW, 1);
    g->a.local[v].ty = TY_TOP;
    asm_place(&g->a, &end);
    asm_row(&g->a, start, stop, &handler, 0);
    if (!g->p->odd_monitors) asm_row(&g->a, (uint32_t)handler.pc, covered, &handler, 0);
}

static void counted_loop(Gen *g) {
    Label head;
    uint32_t turns = percent(80) ? 2 + below(12) : 20 + below(200);
    bool down = percent(50);
    asm_label_init(&head);
    unsigned v = asm_local(&g->a, TY_TOP);
    if (g->a.failed || (g->locked && is_synchronized(g))) return;
    g->a.local[v].ty = TY_I;
    push_int(g, down ? (int32_t)turns : 0, 0);
    asm_store(&g->a, TY_I, v, 0);
    if (g->nvars < MAX_VARS) g->var[g->nvars++] = (Var){(uint16_t)v, TY_I, true};
    asm_place(&g->a, &head);
    burn_fuel(g);
    statements(g, 4);
    asm_var(&g->a, CF_OP_IINC, v, false);
    if (v > 255) cf_w_u2(&g->a.code, down ? 0xffff : 1);
    else cf_w_u1(&g->a.code, down ? 255 : 1);
    asm_load(&g->a, TY_I, v, 0);
    if (down) {
        asm_jump(&g->a, CF_OP_IFGT, 1, &head);
    } else {
        push_int(g, (int32_t)turns, 0);
        asm_jump(&g->a, CF_OP_IF_ICMPLT, 2, &head);
    }
    g->nvars--;
    g->a.local[v].ty = TY_TOP;
}

static void if_statement(Gen *g) {
    Label other, end;
    asm_label_init(&other);
    asm_label_init(&end);
    jump_if(g, &other, 2);
    statements(g, 3);
    bool both = percent(50);
    if (both) asm_jump(&g->a, CF_OP_GOTO, 0, &end);
    asm_place(&g->a, &other);
    if (both) {
        statements(g, 3);
        asm_place(&g->a, &end);
    }
}

static void throw_if(Gen *g) {
    Label over;
    asm_label_init(&over);
    jump_if(g, &over, 2);
    expr(g, TY_THROWABLE, 1);
    asm_end(&g->a, CF_OP_ATHROW, 1);
    asm_place(&g->a, &over);
}

/* All bits of a NaN survive moves; arithmetic may change them, so only values that were moved are looked at. */
static void nan_moves(Gen *g) {
    if (percent(50)) {
        expr(g, TY_I, 1);
        asm_op2(&g->a, CF_OP_INVOKESTATIC,
                cf_add_method_ref(g->c, CF_STR("java/lang/Float"), CF_STR("intBitsToFloat"), CF_STR("(I)F"), false), 1, TY_F);
        rt_call(g, "raw", "(F)V", 1, TY_V);
    } else {
        expr(g, TY_J, 1);
        asm_op2(&g->a, CF_OP_INVOKESTATIC,
                cf_add_method_ref(g->c, CF_STR("java/lang/Double"), CF_STR("longBitsToDouble"), CF_STR("(J)D"), false), 1, TY_D);
        rt_call(g, "raw", "(D)V", 1, TY_V);
    }
}

static void copy_array(Gen *g) {
    static const uint8_t arrays[] = {TY_AI, TY_AJ, TY_AB, TY_AOBJECT, TY_ALB, TY_AD};
    Ty from = (Ty)arrays[below(sizeof arrays)], to = percent(90) ? from : (Ty)arrays[below(sizeof arrays)];
    bool edges = percent(15);
    expr(g, from, 1);
    if (percent(30)) { /* into itself, ranges may overlap */
        asm_op(&g->a, CF_OP_DUP, 0, from);
        push_int(g, (int32_t)below(6), 0);
        asm_op(&g->a, CF_OP_SWAP, 2, TY_I);
        asm_push(&g->a, from);
    } else {
        push_int(g, edges ? edge_int() : (int32_t)below(6), 0);
        expr(g, to, 1);
    }
    push_int(g, edges && percent(40) ? edge_int() : (int32_t)below(6), 0);
    push_int(g, edges && percent(60) ? edge_int() : (int32_t)below(6) - percent(5), 0);
    asm_op2(&g->a, CF_OP_INVOKESTATIC,
            cf_add_method_ref(g->c, CF_STR("java/lang/System"), CF_STR("arraycopy"),
                              CF_STR("(Ljava/lang/Object;ILjava/lang/Object;II)V"), false),
            5, TY_V);
}

/* A wide value over the second of two locals, or into the half of one, while what was there waits on the stack. */
static void overlap(Gen *g) {
    Asm *a = &g->a;
    unsigned slot = asm_local(a, TY_TOP), next = asm_local(a, TY_TOP), last = asm_local(a, TY_TOP);
    bool fp = percent(50), over = percent(60);
    Ty wide = fp ? TY_D : TY_J;
    if (a->failed) return;
    if (g->self && g->self->small) { /* few bytes */
        leaf(g, TY_I);
        leaf(g, TY_I);
        asm_op(a, CF_OP_ISUB, 2, TY_I);
        leaf(g, wide);
    } else {
        expr(g, TY_I, 2);
        expr(g, wide, 2);
    }
    asm_store(a, wide, slot, 0); /* no label from here on: locals are not what frames say */
    if (over) {
        asm_store(a, TY_I, next, 0);
        asm_load(a, TY_I, next, 0);
        leaf(g, wide);
    } else {
        asm_store(a, TY_I, last, 0);
        asm_load(a, TY_I, last, 0);
        asm_load(a, wide, slot, 0);
        slot = next;
    }
    asm_store(a, wide, slot, 0);
    asm_load(a, wide, slot, 0);
    asm_op(a, fp ? CF_OP_D2I : CF_OP_L2I, 1, TY_I);
    asm_op(a, CF_OP_IXOR, 2, TY_I);
    rt_call(g, "tell", "(I)V", 1, TY_V);
}

static void overflow(Gen *g) {
    Kept k;
    Label handler, end;
    if (!keepable(g)) return;
    keep(g, &k);
    asm_label_init(&end);
    uint32_t start = asm_pc(&g->a);
    push_int(g, (int32_t)below(100), 0);
    asm_op2(&g->a, CF_OP_INVOKESTATIC, cf_add_method_ref(g->c, CF_STR("Main"), CF_STR("deep"), CF_STR("(I)I"), false), 1, TY_I);
    rt_call(g, "tell", "(I)V", 1, TY_V);
    uint32_t stop = asm_pc(&g->a);
    asm_jump(&g->a, CF_OP_GOTO, 0, &end);
    enter_handler(g, &handler);
    rt_call(g, "overflowed", "(Ljava/lang/Throwable;)V", 1, TY_V);
    restore(g, &k);
    asm_place(&g->a, &end);
    asm_row(&g->a, start, stop, &handler, cf_add_class(g->c, CF_STR("java/lang/StackOverflowError")));
}

static void statement(Gen *g) {
    static const uint8_t voids[] = {TY_V, TY_I, TY_J, TY_D, TY_LB, TY_STRING};
    int was = g->a.depth;
    bool nested = g->nest >= 3;
    asm_line(&g->a, ++g->a.line);
    switch (below(39)) {
    case 35:
    case 36:
    case 37:
    case 38: store_value(g, 2); break;
    case 32: overlap(g); break;
    case 33:
    case 34: library(g, percent(70) ? TY_V : TY_I, 2); break;
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5: store_var(g, 3); break;
    case 6:
    case 7: increment(g); break;
    case 8:
    case 9:
    case 10: store_field(g, 3); break;
    case 11:
    case 12:
    case 13: store_element(g, 3); break;
    case 14:
    case 15:
    case 16: call(g, (Ty)voids[below(sizeof voids)], 2); break;
    case 17:
        if (!nested) try_statement(g, percent(30));
        break;
    case 18:
        if (!nested) monitor(g);
        break;
    case 19:
    case 20:
        if (percent(60)) array_loop(g);
        else if (!nested) counted_loop(g);
        break;
    case 21:
    case 22:
        if (!nested) if_statement(g);
        break;
    case 23:
        if (percent(40)) throw_if(g);
        break;
    case 24: nan_moves(g); break;
    case 25: copy_array(g); break;
    case 26:
        if (g->subroutine && g->a.depth == 0) asm_jsr(&g->a, g->subroutine, percent(30));
        break;
    case 27:
        if (percent(4)) overflow(g);
        break;
    default: tell(g, 3);
    }
    while (g->a.depth > was && !g->a.dead) asm_op(&g->a, ty_cells(asm_top(&g->a, 0)) == 2 ? CF_OP_POP2 : CF_OP_POP, 1, TY_V);
}

static void statements(Gen *g, uint32_t most) {
    uint32_t n = below(most + 1);
    g->nest++;
    while (n--) {
        Node node;
        if (!node_enter(&node, "statement")) continue;
        statement(g);
        node_leave(&node);
    }
    g->nest--;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static bool same_entry(const Block *a, const Block *b) {
    return a->depth == b->depth && memcmp(a->entry, b->entry, (size_t)a->depth) == 0;
}

/* Makes the stack what `to` is entered with. */
static void adapt(Gen *g, const Block *to) {
    int same = 0;
    while (same < g->a.depth && same < to->depth && g->a.stack[same].ty == to->entry[same]) same++;
    while (g->a.depth > same) asm_op(&g->a, ty_cells(asm_top(&g->a, 0)) == 2 ? CF_OP_POP2 : CF_OP_POP, 1, TY_V);
    for (int i = same; i < to->depth; i++) {
        leaf(g, (Ty)to->entry[i]);
        g->a.stack[g->a.depth - 1].ty = to->entry[i];
    }
}

static void switch_away(Body *b, Block *to) {
    Gen *g = b->g;
    Label *targets[20], *same[MAX_BLOCKS];
    int32_t keys[20];
    unsigned nsame = 0, n = 1 + below(percent(80) ? 5 : 19);
    for (int i = 0; i < b->nblocks; i++)
        if (same_entry(&b->block[i], to)) same[nsame++] = &b->block[i].start;
    bool table = percent(50);
    int32_t key = (int32_t)below(10) - 3;
    for (unsigned i = 0; i < n; i++) {
        keys[i] = key;
        key += table ? 1 : 1 + (int32_t)below(i % 5 == 4 ? 100000000 : 20);
        targets[i] = same[below(nsame)];
    }
    expr(g, TY_I, 2);
    if (percent(70)) {
        push_int(g, 7, 0);
        asm_op(&g->a, CF_OP_IAND, 2, TY_I);
    }
    asm_switch(&g->a, keys, targets, n, &to->start, table);
}

/* How the block ends. `next` stands behind it (NULL: nothing does). */
static void leave_block(Body *b, Block *next) {
    Gen *g = b->g;
    Block *to = &b->block[below((uint32_t)b->nblocks)];
    asm_line(&g->a, ++g->a.line);
    uint32_t conditions = below(3), kind = below(20);
    while (conditions--) {
        Block *other = &b->block[below((uint32_t)b->nblocks)];
        Node node;
        if (!node_enter(&node, "branch")) continue;
        adapt(g, other);
        jump_if(g, &other->start, 2);
        node_leave(&node);
    }
    if (kind < 5 && next) {
        adapt(g, next);
        return;
    }
    if (kind < 9 || (kind < 12 && g->a.far)) {
        adapt(g, to);
        asm_jump(&g->a, percent(90) ? CF_OP_GOTO : CF_OP_GOTO_W, 0, &to->start);
    } else if (kind < 12) {
        adapt(g, to);
        switch_away(b, to);
    } else if (kind == 12) {
        expr(g, TY_THROWABLE, 2);
        asm_end(&g->a, CF_OP_ATHROW, 1);
    } else {
        return_value(g, 3);
    }
}

static void make_block(Body *b, Block *k, Block *next) {
    Gen *g = b->g;
    Node node;
    asm_pop(&g->a, g->a.depth);
    for (int i = 0; i < k->depth; i++) asm_push(&g->a, k->entry[i]);
    asm_place(&g->a, &k->start);
    k->from = k->middle = asm_pc(&g->a);
    asm_line(&g->a, ++g->a.line);
    burn_fuel(g);
    if (!node_enter(&node, "block")) {
        return_value(g, -1);
    } else {
        if (k->handler && percent(80)) {
            asm_op(&g->a, CF_OP_DUP, 0, TY_THROWABLE);
            caught(g);
        }
        statements(g, 3);
        k->middle = asm_pc(&g->a);
        statements(g, 3);
        leave_block(b, next);
        node_leave(&node);
    }
    k->to = asm_pc(&g->a);
}

static void make_rows(Body *b) {
    Gen *g = b->g;
    uint32_t rows = below((uint32_t)b->nblocks + 2);
    while (rows--) {
        Node node;
        if (!node_enter(&node, "row")) continue;
        int from = (int)below((uint32_t)b->nblocks), to = from + (int)below((uint32_t)(b->nblocks - from));
        const Block *first = &b->block[b->order[from]], *last = &b->block[b->order[to]];
        uint32_t at = below((uint32_t)b->nblocks);
        uint16_t type = some_throwable(g);
        uint32_t start = percent(70) ? first->from : first->middle, end = percent(70) ? last->to : last->middle;
        for (int i = 0; i < b->nblocks; i++) {
            const Block *h = &b->block[(at + (uint32_t)i) % (uint32_t)b->nblocks];
            if (h->handler) {
                asm_row(&g->a, start, end, &h->start, type);
                break;
            }
        }
        node_leave(&node);
    }
}

static void plan_blocks(Body *b, int n) {
    b->nblocks = n;
    for (int i = 0; i < n; i++) {
        Block *k = &b->block[i];
        memset(k, 0, sizeof *k);
        asm_label_init(&k->start);
        k->handler = i && percent(25);
        if (k->handler) {
            k->entry[0] = TY_THROWABLE;
            k->depth = 1;
        } else if (i && percent(25)) {
            static const uint8_t types[] = {TY_I, TY_J, TY_D, TY_F, TY_LB, TY_AI, TY_STRING};
            k->depth = 1 + (int)below(3);
            for (int d = 0; d < k->depth; d++) k->entry[d] = types[below(sizeof types)];
        }
        b->order[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        int j = (int)below((uint32_t)i + 1), t = b->order[i];
        b->order[i] = b->order[j];
        b->order[j] = t;
    }
}

static void make_subroutine(Gen *g, Label *l) {
    unsigned ret = asm_local(&g->a, TY_TOP);
    if (l->depth < 0) return;
    asm_place(&g->a, l);
    asm_line(&g->a, ++g->a.line);
    asm_var(&g->a, CF_OP_ASTORE, ret, false);
    asm_pop(&g->a, 1);
    g->subroutine = NULL; /* it does not call itself */
    statements(g, 4);
    asm_var(&g->a, CF_OP_RET, ret, percent(30));
    g->a.dead = true;
}

/* Everything behind the parameters; the stack is empty. */
static void make_body(Gen *g, int nblocks, int nvars) {
    static Body body; /* big */
    Body *b = &body;
    Label go_on, subroutine;
    b->g = g;
    asm_label_init(&go_on);
    asm_label_init(&subroutine);
    g->subroutine = g->p->major < 50 && percent(50) ? &subroutine : NULL;
    asm_load(&g->a, TY_I, (unsigned)g->depth_var, 0);
    asm_jump(&g->a, CF_OP_IFGT, 1, &go_on);
    return_value(g, -1);
    asm_place(&g->a, &go_on);
    for (int i = 0; i < nvars && g->nvars < MAX_VARS - 10; i++) {
        Ty ty = random_type();
        unsigned slot = asm_local(&g->a, ty);
        percent(15) ? push_default(g, ty) : push_fresh(g, ty);
        asm_store(&g->a, ty, slot, 0);
        g->var[g->nvars++] = (Var){(uint16_t)slot, (uint8_t)ty, false};
    }
    /* Slots for loops and monitors are made on the way; they are unused (TY_TOP) but in their statement. */
    plan_blocks(b, nblocks);
    if (b->order[0] != 0) asm_jump(&g->a, CF_OP_GOTO, 0, &b->block[0].start);
    for (int i = 0; i < nblocks; i++) make_block(b, &b->block[b->order[i]], i + 1 < nblocks ? &b->block[b->order[i + 1]] : NULL);
    if (g->subroutine) make_subroutine(g, &subroutine);
    if (!g->leaves_locked) make_rows(b);
}

/* No way leads back, so it needs no fuel. */
static void make_small(Gen *g) {
    Label go_on, other;
    asm_label_init(&go_on);
    asm_label_init(&other);
    if (percent(60)) {
        asm_load(&g->a, TY_I, (unsigned)g->depth_var, 0);
        asm_jump(&g->a, CF_OP_IFGT, 1, &go_on);
        return_value(g, -1);
        asm_place(&g->a, &go_on);
    } else {
        g->leaf = true;
    }
    if (percent(30)) {
        Ty ty = random_type();
        unsigned slot = asm_local(&g->a, ty);
        push_fresh(g, ty);
        asm_store(&g->a, ty, slot, 0);
        g->var[g->nvars++] = (Var){(uint16_t)slot, (uint8_t)ty, false};
    }
    g->nest = 3;
    if (percent(15)) overlap(g);
    else if (percent(50)) statements(g, 2);
    if (percent(50)) {
        jump_if(g, &other, 1);
        if (percent(30)) {
            statements(g, 1);
        } else {
            return_value(g, 1 + (int)below(2));
        }
        asm_place(&g->a, &other);
    }
    return_value(g, 1 + (int)below(3));
}

/* ---- methods -------------------------------------------------------------------------------------------- */

static void gen_init(Gen *g, Program *p, int owner, const Method *m) {
    memset(g, 0, sizeof *g);
    g->p = p;
    g->c = p->cls[owner];
    g->owner = owner;
    g->self = m;
    asm_init(&g->a, g->c);
}

static const uint8_t class_type[CLASSES] = {TY_OBJECT, TY_LB, TY_LC, TY_LT, TY_LC, TY_LT};

static void parameters(Gen *g, const Method *m) {
    if (!(m->access & CF_ACC_STATIC)) {
        unsigned slot = asm_local(&g->a, (Ty)class_type[m->owner]);
        g->var[g->nvars++] = (Var){(uint16_t)slot, class_type[m->owner], true};
    }
    for (int i = 0; i < m->nparams; i++) {
        Ty ty = (Ty)m->param[i];
        unsigned slot = asm_local(&g->a, ty);
        if (i == 0) g->depth_var = (int)slot;
        g->var[g->nvars++] = (Var){(uint16_t)slot, (uint8_t)ty, i == 0};
    }
}

void make_method(Program *p, const Method *m) {
    static Gen g; /* big */
    Node node;
    CfMember *member = cf_add_method(p->cls[m->owner], m->access, cf_str(m->name), cf_str(m->desc));
    if (m->access & CF_ACC_ABSTRACT) return;
    bool in = node_enter(&node, "method");
    bool big = in && percent(2);
    uint64_t seed = in ? choice() : 0;
    for (int attempt = in ? 0 : 3; attempt < 4; attempt++) {
        gen_init(&g, p, m->owner, m);
        choice_from(seed);
        g.a.far = percent(4) || (big && attempt == 0);
        parameters(&g, m);
        if (attempt == 3) return_value(&g, -1);
        else if (m->small) make_small(&g);
        else
            make_body(&g, big && attempt == 0 ? 40 : 1 + (int)below(percent(70) ? 4 : 10), 3 + (int)below(percent(92) ? 8 : 290));
        bool done = asm_finish(&g.a, member);
        asm_free(&g.a);
        if (done) break;
    }
    if (in) node_leave(&node);
}

static void init_field(Gen *g, const Field *f) {
    bool fixed = f->access & CF_ACC_STATIC;
    if (!fixed) asm_load(&g->a, (Ty)g->a.local[0].ty, 0, 0);
    if (fixed && percent(70)) push_fresh(g, (Ty)f->ty);
    else if (f->ty >= TY_AZ || f->ty == TY_STRING) push_fresh(g, (Ty)f->ty);
    else push_default(g, (Ty)f->ty);
    field_ref(g, fixed ? CF_OP_PUTSTATIC : CF_OP_PUTFIELD, f, TY_V);
}

void make_initialiser(Program *p, int owner) {
    static Gen g;
    Node node;
    CfMember *member = cf_add_method(p->cls[owner], CF_ACC_STATIC, CF_STR("<clinit>"), CF_STR("()V"));
    gen_init(&g, p, owner, NULL);
    g.depth_var = (int)asm_local(&g.a, TY_I);
    g.var[g.nvars++] = (Var){(uint16_t)g.depth_var, TY_I, true};
    push_int(&g, 2, 0);
    asm_store(&g.a, TY_I, (unsigned)g.depth_var, 0);
    push_int(&g, 100 + owner, 0);
    rt_call(&g, "tell", "(I)V", 1, TY_V);
    for (int i = 0; i < p->nfields; i++)
        if (p->field[i].owner == owner && p->field[i].access & CF_ACC_STATIC) init_field(&g, &p->field[i]);
    if (node_enter(&node, "initialiser")) {
        asm_line(&g.a, ++g.a.line);
        if (percent(10)) statements(&g, 2);
        else if (percent(50)) try_statement(&g, true);
        node_leave(&node);
    }
    asm_op(&g.a, CF_OP_RETURN, 0, TY_V);
    asm_finish(&g.a, member);
    asm_free(&g.a);
}

void make_constructor(Program *p, int owner) {
    static Gen g;
    Node node;
    static const Method as = {.nparams = 1, .param = {TY_I}, .ret = TY_V, .overrides = -1};
    CfMember *member = cf_add_method(p->cls[owner], CF_ACC_PUBLIC, CF_STR("<init>"), CF_STR("(I)V"));
    Method self = as;
    self.owner = (uint8_t)owner;
    gen_init(&g, p, owner, &self);
    parameters(&g, &self);
    asm_load(&g.a, (Ty)class_type[owner], 0, 0);
    const char *super = owner == C ? "B" : owner == D ? "C" : owner == MAIN ? "Rt" : "java/lang/Object";
    bool counts = owner == C || owner == D;
    if (counts) {
        asm_load(&g.a, TY_I, 1, 0);
        push_int(&g, 1, 0);
        asm_op(&g.a, CF_OP_ISUB, 2, TY_I);
    }
    asm_op2(&g.a, CF_OP_INVOKESPECIAL,
            cf_add_method_ref(g.c, cf_str(super), CF_STR("<init>"), counts ? CF_STR("(I)V") : CF_STR("()V"), false),
            counts ? 2 : 1, TY_V);
    for (int i = 0; i < p->nfields; i++)
        if (p->field[i].owner == owner && !(p->field[i].access & CF_ACC_STATIC)) init_field(&g, &p->field[i]);
    if (owner != MAIN && node_enter(&node, "constructor")) {
        if (percent(50)) make_body(&g, 1 + (int)below(2), 1);
        node_leave(&node);
    }
    if (!g.a.dead) asm_op(&g.a, CF_OP_RETURN, 0, TY_V);
    asm_finish(&g.a, member);
    asm_free(&g.a);
}
