/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: operands across the boundaries of blocks.
 *
 * A Join says where the operands are at the start of a block to which only branches from before lead.  The first that gets there decides: what it has
 * in registers stays in them.  What was on the stack before the last branch stays equal to a local or constant, too; what is
 * newer, the result of one side of a condition, gets a register, for other sides have another value.  Whoever comes later moves its operands there.
 * Loops and handlers have none (all operands are in memory), nor has a block at which the first that came had nothing else.
 *
 * What cannot be so (an operand that is equal to a local for the first that came and was parted from it on the way of another) makes the
 * method be compiled again, with all operands in memory at all boundaries (Compiler.flat).  javac writes no such code.
 *
 * Cells that a body keeps (base_inline.c) are not the business of joins.
 */
#include "jit/base_join.h"
#include "jit/base_inline.h"

struct Join {
    Join *next; /* of those whose block has not started */
    Scope *scope;
    u4 target, depth;
    Value stack[];
};

static Join *find(const Compiler *c, u4 target) {
    Join *j = c->joins;
    while (j && (j->target != target || j->scope != c->scope)) j = j->next;
    return j;
}

static bool in_register(const Value *v) { return v->kind == V_REG || v->kind == V_FREG; }
static bool in_memory(const Value *v) { return v->kind == V_MEM || v->kind == V_HOLE; }

/* Is v equal to the constant, local or cell that `to` is or was? */
static bool is_still(const Value *v, u1 kind, const Value *to) {
    if ((v->was ? v->was : v->kind) != kind) return false;
    return kind == V_CONST ? v->k == to->k : v->local == to->local && (kind == V_CELL || v->web == to->web);
}

static bool is_same(const Value *v, const Value *to) {
    switch ((ValueKind)to->kind) {
    case V_CONST:
    case V_LOCAL:
    case V_CELL: return is_still(v, to->kind, to);
    case V_REG:
    case V_FREG: return v->kind == to->kind && v->reg == to->reg;
    default: return in_memory(v);
    }
}

/* Or nobody looks: it has no value on one of the ways. */
static bool is_equal(const Value *v, const Value *to) { return v->kind == V_HOLE || to->kind == V_HOLE || is_same(v, to); }

/* A cell may always be moved to a register or to memory. */
static bool can_become(const Value *v, const Value *to) { return in_register(to) || in_memory(to) || is_equal(v, to); }

/* --- the first one --- */

static bool is_kept_register(const Compiler *c, const Value *v) {
    const Value *k;
    for (u4 i = 0; i < c->depth; i++)
        if ((k = inline_kept(c, i)) && k->kind == v->kind && k->reg == v->reg) return true;
    return false;
}

/* A pin that is dead there is stored on the way. */
static bool dies(const Compiler *c, const Value *v, u4 target) {
    int p = v->kind == V_LOCAL ? pin_of(c, v->local, v->web) : -1;
    return p >= 0 && !(c->pins_at[target].valid >> p & 1);
}

static bool is_fp(const Compiler *c, u4 cell) {
    const Value *v = value_of(c, cell);
    int p = v->kind == V_LOCAL ? pin_of(c, v->local, v->web) : -1;
    return v->kind == V_FREG || (p >= 0 && c->pins[p].fp);
}

static void get_register(Compiler *c, u4 cell) {
    const Value *v = &c->stack[cell];
    if (v->kind == V_CELL) inline_part(c, cell);
    if (v->kind == V_LOCAL) part_from_local(c, cell);
    else if (!in_register(v)) use(c, cell);
}

/* Locals of a body are assigned on one way and not on another, operands come and go. */
static void prepare(Compiler *c, u4 target, bool always) {
    for (u4 i = 0; i < c->depth; i++) {
        const Value *v = &c->stack[i];
        if (inline_kept(c, i) || in_memory(v) || in_register(v)) continue;
        if (!(always && i >= c->low) && i >= c->floor && !dies(c, v, target)) continue;
        if (has_spare(c, is_fp(c, i))) get_register(c, i);
        else spill(c, i);
    }
}

static bool is_needed(const Compiler *c) {
    for (u4 i = 0; i < c->depth; i++)
        if (!inline_kept(c, i) && (!in_memory(&c->stack[i]) || c->stack[i].was)) return true;
    return false;
}

static Join *new_join(Compiler *c, u4 target, bool always) {
    if (c->flat || c->marks[target] & (MARK_LOOP | MARK_HANDLER) || !is_needed(c)) return NULL;
    prepare(c, target, always);
    Join *j = cf_arena_alloc(&c->arena, sizeof *j + c->depth * sizeof(Value));
    if (!j) return c->no_memory = true, NULL;
    *j = (Join){.next = c->joins, .scope = c->scope, .target = target, .depth = c->depth};
    c->joins = j;
    for (u4 i = 0; i < c->depth; i++) {
        Value *to = &j->stack[i];
        *to = c->stack[i];
        to->safe = is_safe(c, to);
        if (in_register(to) && is_kept_register(c, to)) to->kind = V_MEM;
    }
    return j;
}

/* --- others --- */

static bool meet(Compiler *c, Join *j) {
    if (j->depth != c->depth) return refuse(c, "stack of two depths"), false;
    for (u4 i = 0; i < j->depth; i++) {
        const Value *v = &c->stack[i];
        Value *to = &j->stack[i];
        if (inline_kept(c, i)) continue;
        if (!can_become(v, to)) {
            c->wants_flat = true;
            return refuse(c, "operands cannot meet"), false;
        }
        to->safe &= is_safe(c, v);
        if (to->klass != v->klass) to->klass = NULL;
        if (to->was && !is_still(v, to->was, to)) to->was = 0;
    }
    return true;
}

Join *join_note(Compiler *c, u4 target, bool always) {
    Join *j = find(c, target);
    if (!j && c->depth_at[target] < 0) j = new_join(c, target, always);
    else if (j && !meet(c, j)) j = NULL;
    c->low = c->depth;
    return j;
}

/* --- getting there --- */

static const Value memory = {.kind = V_MEM};

static const Value *wanted(const Compiler *c, const Join *j, u4 cell) {
    const Value *k = inline_kept(c, cell);
    return k ? k : j ? &j->stack[cell] : &memory;
}

/* What a body keeps is still equal to what it was; only a register may have been lost. */
static bool is_there(const Compiler *c, const Join *j, u4 cell) {
    const Value *k = inline_kept(c, cell);
    return k && !in_register(k) ? true : is_equal(&c->stack[cell], wanted(c, j, cell));
}

bool join_settled(const Compiler *c, const Join *j) {
    for (u4 i = 0; i < c->depth; i++)
        if (!is_there(c, j, i)) return false;
    return true;
}

static bool is_taken(const Compiler *c, const Value *to) {
    for (u4 i = 0; i < c->depth; i++)
        if (c->stack[i].kind == to->kind && c->stack[i].reg == to->reg) return true;
    return false;
}

static int valid_pin(const Compiler *c, const Value *v) {
    int p = pin_of(c, v->local, v->web);
    return p >= 0 && c->valid >> p & 1 ? p : -1;
}

/* From a register, constant or local to a register that no operand has. */
static bool goes_directly(const Compiler *c, const Value *v, const Value *to) {
    if (!in_register(to) || is_taken(c, to)) return false;
    if (v->kind == V_LOCAL) {
        int p = valid_pin(c, v);
        return p < 0 || c->pins[p].fp == (to->kind == V_FREG);
    }
    return v->kind == to->kind || (v->kind == V_CONST && to->kind == V_REG);
}

static void move(Compiler *c, const Value *v, const Value *to) {
    bool fp = to->kind == V_FREG;
    int p = v->kind == V_LOCAL ? valid_pin(c, v) : -1;
    u1 from = p >= 0 ? c->pins[p].reg : v->reg;
    if (v->kind == V_CONST) asm_const(&c->a, to->reg, v->k);
    else if (v->kind == V_LOCAL && p < 0 && fp) asm_fload(&c->a, W64, to->reg, local_mem(c, v->local));
    else if (v->kind == V_LOCAL && p < 0) asm_load(&c->a, v->web == WEB_INT ? MEM_32 : MEM_64, to->reg, local_mem(c, v->local));
    else if (fp) asm_fmov(&c->a, W64, to->reg, from);
    else asm_mov(&c->a, W64, to->reg, from);
}

static void load(Compiler *c, u4 cell, const Value *to) {
    if (to->kind == V_REG) asm_load(&c->a, MEM_64, to->reg, cell_mem(cell));
    else asm_fload(&c->a, W64, to->reg, cell_mem(cell));
}

/* First what has no straight way goes to memory, then the rest to its registers, then what is in memory to its.  A register that is moved to
 * was no operand's, so the order among the moves does not matter; one that is loaded may have been one's that has gone by then. */
void join_settle(Compiler *c, const Join *j) {
    enum { SMALL = 64 };
    u8 direct = 0;
    for (u4 i = 0; i < c->depth && i < SMALL; i++)
        if (!is_there(c, j, i) && goes_directly(c, &c->stack[i], wanted(c, j, i))) direct |= 1ull << i;
    for (u4 i = 0; i < c->depth; i++)
        if (!(i < SMALL && direct >> i & 1) && !is_there(c, j, i)) spill(c, i);
    for (u4 i = 0; i < c->depth && i < SMALL; i++)
        if (direct >> i & 1) move(c, &c->stack[i], wanted(c, j, i));
    for (u4 i = 0; i < c->depth; i++) {
        bool moved = i < SMALL && direct >> i & 1;
        if (!moved && in_register(wanted(c, j, i)) && !is_there(c, j, i)) load(c, i, wanted(c, j, i));
        c->stack[i] = *wanted(c, j, i);
    }
}

/* --- the block --- */

void join_start(Compiler *c, u4 at) {
    Join **from = &c->joins;
    while (*from && ((*from)->target != at || (*from)->scope != c->scope)) from = &(*from)->next;
    const Join *j = *from;
    if (j) *from = j->next;
    for (u4 i = 0; i < c->depth; i++) c->stack[i] = *wanted(c, j, i);
    c->low = c->depth;
}
