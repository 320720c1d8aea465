/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: arithmetic on constants is done while compiling.  javac does it for what is constant in the source; here operands are arguments of
 * bodies, static finals, lengths, fields of constant handles, and what agents weave: the address of a counter is a constant and an index.
 * Floating point is left to the code.
 */
#include "jit/base_int.h"

static bool is_constant(const Compiler *c, u4 n) {
    for (u4 i = 1; i <= n; i++)
        if (c->stack[c->depth - i].kind != V_CONST && c->stack[c->depth - i].kind != V_HOLE) return false;
    return n > 0;
}

static bool give_int(Compiler *c, u4 popped, int64_t k) {
    pop(c, popped);
    push_const(c, (u4)k); /* a cell as the interpreter leaves it */
    return true;
}
static bool give_long(Compiler *c, u4 popped, u8 k) {
    pop(c, popped);
    push_const(c, (int64_t)k);
    push_hole(c);
    return true;
}

static bool fold_int(Compiler *c, u1 op) {
    int32_t x = (int32_t)top(c, 2)->k, y = (int32_t)top(c, 1)->k;
    u4 ux = (u4)x, uy = (u4)y;
    switch (op) {
    case CF_OP_IADD: return give_int(c, 2, ux + uy);
    case CF_OP_ISUB: return give_int(c, 2, ux - uy);
    case CF_OP_IMUL: return give_int(c, 2, ux * uy);
    case CF_OP_IDIV: return y && give_int(c, 2, (int64_t)x / y);
    case CF_OP_IREM: return y && give_int(c, 2, (int64_t)x % y);
    case CF_OP_ISHL: return give_int(c, 2, ux << (y & 31));
    case CF_OP_ISHR: return give_int(c, 2, x >> (y & 31));
    case CF_OP_IUSHR: return give_int(c, 2, ux >> (y & 31));
    case CF_OP_IAND: return give_int(c, 2, x & y);
    case CF_OP_IOR: return give_int(c, 2, x | y);
    case CF_OP_IXOR: return give_int(c, 2, x ^ y);
    default: return false;
    }
}

static bool fold_long(Compiler *c, u1 op) {
    int64_t x = top(c, 4)->k, y = top(c, 2)->k;
    u8 ux = (u8)x, uy = (u8)y;
    switch (op) {
    case CF_OP_LADD: return give_long(c, 4, ux + uy);
    case CF_OP_LSUB: return give_long(c, 4, ux - uy);
    case CF_OP_LMUL: return give_long(c, 4, ux * uy);
    case CF_OP_LDIV: return y && give_long(c, 4, y == -1 ? 0 - ux : (u8)(x / y));
    case CF_OP_LREM: return y && give_long(c, 4, y == -1 ? 0 : (u8)(x % y));
    case CF_OP_LAND: return give_long(c, 4, ux & uy);
    case CF_OP_LOR: return give_long(c, 4, ux | uy);
    case CF_OP_LXOR: return give_long(c, 4, ux ^ uy);
    case CF_OP_LCMP: return give_int(c, 4, x < y ? -1 : x > y);
    default: return false;
    }
}

static bool fold_shift(Compiler *c, u1 op) {
    int64_t x = top(c, 3)->k;
    u4 by = (u4)top(c, 1)->k & 63;
    switch (op) {
    case CF_OP_LSHL: return give_long(c, 3, (u8)x << by);
    case CF_OP_LSHR: return give_long(c, 3, (u8)(x >> by));
    case CF_OP_LUSHR: return give_long(c, 3, (u8)x >> by);
    default: return false;
    }
}

static bool fold_unary(Compiler *c, u1 op) {
    int64_t wide = c->pops == 2 ? top(c, 2)->k : 0;
    int32_t x = (int32_t)top(c, 1)->k;
    switch (op) {
    case CF_OP_INEG: return give_int(c, 1, 0u - (u4)x);
    case CF_OP_LNEG: return give_long(c, 2, 0 - (u8)wide);
    case CF_OP_I2L: return give_long(c, 1, (u8)(int64_t)x);
    case CF_OP_L2I: return give_int(c, 2, (u4)wide);
    case CF_OP_I2B: return give_int(c, 1, (int8_t)x);
    case CF_OP_I2C: return give_int(c, 1, (u2)x);
    case CF_OP_I2S: return give_int(c, 1, (int16_t)x);
    default: return false;
    }
}

bool base_fold(Compiler *c, u1 op) {
    if (!is_constant(c, c->pops)) return false;
    bool shifts_long = op == CF_OP_LSHL || op == CF_OP_LSHR || op == CF_OP_LUSHR;
    switch (c->pops) {
    case 1: return fold_unary(c, op);
    case 2: return op == CF_OP_LNEG || op == CF_OP_L2I ? fold_unary(c, op) : fold_int(c, op);
    case 3: return shifts_long && fold_shift(c, op);
    case 4: return fold_long(c, op);
    default: return false;
    }
}
