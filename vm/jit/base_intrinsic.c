/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: calls of methods that C code stands for (native/intrinsic/intrinsic.def has names and descriptors; here the rows are
 * known by their functions, so both tiers agree on what is replaced).  Three ways, the cheapest that a row has:
 *
 *   code    machine code in place of the call (`rows`).  What it does not cover (a null, an index, an offset outside the object) is a
 *           slow path that makes the call.
 *   quick   a call of a C function that may decline, the same way: what it declines is called.  It sees the operands in their cells
 *           and neither stops nor looks at the stack, so pins in registers that C functions keep stay where they are.
 *   leaf    the stub does it (jit_bridge).
 *
 * Exceptions are always thrown by the call itself, with its frame.  What makes a method lose its C code (events of the thread, breakpoints,
 * watched fields, redefinition, another function registered) throws the code of its callers away: jit_forget_callers.
 */
#include "core/options.h"
#include "jit/base_inline.h"
#include "jit/base_int.h"
#include "jit/base_intrinsic.h"
#include "jit/base_slow.h"
#include "jit/base_monitor.h"
#include "lang/javaclasses.h"
#include "native/intrinsic/intrinsic_int.h"
#include "object/class.h"
#include "object/method.h"

/* `a` is the cell of the first argument.  False: it is to be called. */
typedef bool (*Emit)(Compiler *c, const Method *m, u4 a, int k);

static void push_result(Compiler *c, const Method *m, Reg r) {
    pop(c, m->arg_slots);
    push_reg(c, r);
    if (type_slots((BasicType)m->ret_type) == 2) push_hole(c);
}
static void push_fresult(Compiler *c, const Method *m, FReg r) {
    pop(c, m->arg_slots);
    push_freg(c, r);
    if (m->ret_type == T_DOUBLE) push_hole(c);
}

/* --- calls of C functions --- */

/* Who looks meanwhile is a signal handler at most: it sees the root's frame where it is, and none of bodies in it. */
static void pass_cells(Compiler *c, u4 a, const void *fn) {
    u4 bci = inline_root_bci(c->scope, c->bci);
    if (!inline_root_stands(c)) asm_store_const(&c->a, MEM_64, frame_mem(offsetof(Frame, position)), (int32_t)bci);
    asm_address(&c->a, R_SI, cell_mem(a));
    asm_address(&c->a, R_DX, thread_mem(offsetof(Thread, leaf_result)));
    asm_store(&c->a, MEM_64, thread_mem(offsetof(Thread, frame)), R_FRAME);
    asm_mov(&c->a, W64, R_DI, R_THREAD);
    call_leaf_c(c, fn);
}

static void load_result(Compiler *c, const Method *m) {
    u1 t = m->ret_type;
    bool wide = t == T_LONG || t == T_DOUBLE || t == T_OBJECT || t == T_ARRAY;
    if (t != T_VOID) asm_load(&c->a, wide ? MEM_64 : MEM_32, R_AX, thread_mem(offsetof(Thread, leaf_result)));
}

static void push_call_result(Compiler *c, const Method *m) {
    if (m->ret_type != T_VOID) push_result(c, m, R_AX);
    else pop(c, m->arg_slots);
}

static bool call_quick(Compiler *c, const Method *m, u4 a, QuickNative fn) {
    lend_registers(c, a);
    take_register(c, R_AX);
    Later *slow = slow_known(c, m, m->ret_type == T_VOID ? NO_REG : R_AX);
    pass_cells(c, a, (const void *)fn);
    asm_test(&c->a, W32, R_AX, op_imm(1));
    asm_branch(&c->a, COND_EQ, &slow->at);
    load_result(c, m);
    asm_bind(&c->a, &slow->back);
    push_call_result(c, m);
    return true;
}

/* A leaf that throws nothing at all. */
static bool call_pure(Compiler *c, const Method *m, u4 a, int k) {
    lend_registers(c, a);
    take_register(c, R_AX);
    pass_cells(c, a, (const void *)m->vm_native);
    load_result(c, m);
    push_call_result(c, m);
    return true;
}

/* In a body it is known who calls it, unless security walks ignore that one. */
static bool emit_caller_class(Compiler *c, const Method *m, u4 a, int k) {
    if (!c->scope) return call_quick(c, m, a, quick_caller_class);
    const Method *caller = inline_caller(c);
    if (!(c->m->flags & MF_CALLER_SENSITIVE) || !caller) return false;
    push_value(c, (Value){.kind = V_CONST, .k = (int64_t)(uintptr_t)caller->holder->mirror, .safe = true});
    return true;
}

/* Unsafe.allocateInstance of a class that is known: what constructors of handles begin with. */
static bool emit_allocate(Compiler *c, const Method *m, u4 a, int k) {
    const Value *mirror = value_of(c, a + 1);
    if (mirror->kind != V_CONST || !mirror->k) return false;
    const Class *of = mirror_class((Object *)(uintptr_t)mirror->k);
    if (of->flags & CF_NEVER_ALLOC_FAST || !class_is_initialized(of)) return false;
    allocate(c, of, m->arg_slots);
    return true;
}

/* --- numbers; k is the width --- */

static Width width(int k) { return (Width)k; }

static bool emit_abs(Compiler *c, const Method *m, u4 a, int k) {
    Reg x = use(c, a), d = temp(c);
    asm_unary(&c->a, UNARY_NEG, width(k), d, x);
    asm_cmp(&c->a, width(k), x, op_imm(0));
    asm_select(&c->a, COND_GE, width(k), d, x, d);
    push_result(c, m, d);
    return true;
}

static bool min_max(Compiler *c, const Method *m, u4 a, Width w, Cond first_wins) {
    Reg x = use(c, a), y = use(c, a + m->arg_slots / 2), d = temp(c);
    asm_cmp(&c->a, w, x, op_reg(y));
    asm_select(&c->a, first_wins, w, d, x, y);
    push_result(c, m, d);
    return true;
}
static bool emit_min(Compiler *c, const Method *m, u4 a, int k) { return min_max(c, m, a, width(k), COND_LT); }
static bool emit_max(Compiler *c, const Method *m, u4 a, int k) { return min_max(c, m, a, width(k), COND_GT); }

static bool emit_fabs(Compiler *c, const Method *m, u4 a, int k) {
    FReg x = fuse(c, a, width(k)), d = ftemp(c);
    asm_fabs(&c->a, width(k), d, x);
    push_fresult(c, m, d);
    return true;
}

static bool emit_fsqrt(Compiler *c, const Method *m, u4 a, int k) {
    FReg x = fuse(c, a, W64), d = ftemp(c);
    asm_fsqrt(&c->a, W64, d, x);
    push_fresult(c, m, d);
    return true;
}

static bool emit_fma(Compiler *c, const Method *m, u4 a, int k) {
    if (!asm_fuses(&asm_features)) return call_pure(c, m, a, k);
    u4 each = m->arg_slots / 3u;
    FReg x = fuse(c, a, width(k)), y = fuse(c, a + each, width(k)), z = fuse(c, a + 2 * each, width(k)), d = ftemp(c);
    asm_fmov(&c->a, width(k), d, z);
    asm_fma(&c->a, width(k), d, x, y);
    push_fresult(c, m, d);
    return true;
}

/* The first NaN wins as it is; of two equal numbers only the sign can differ: `equal` makes one of their bits. */
static bool fmin_max(Compiler *c, const Method *m, u4 a, Width w, Cond first_wins, AluOp equal) {
    FReg x = fuse(c, a, w), y = fuse(c, a + m->arg_slots / 2, w), d = ftemp(c);
    Reg p = temp(c), q = temp(c);
    Label done = LABEL_INIT, take_y = LABEL_INIT;
    u4 first = c->a.n_fixups;
    asm_fmov(&c->a, w, d, x);
    asm_fbranch(&c->a, first_wins, w, x, y, false, &done);
    asm_fbranch(&c->a, COND_NE, w, x, x, true, &done);
    asm_fbranch(&c->a, COND_NE, w, x, y, true, &take_y);
    asm_float_to_bits(&c->a, w, p, x);
    asm_float_to_bits(&c->a, w, q, y);
    asm_alu(&c->a, equal, w, p, p, op_reg(q));
    asm_bits_to_float(&c->a, w, d, p);
    asm_jump(&c->a, &done);
    asm_bind(&c->a, &take_y);
    asm_fmov(&c->a, w, d, y);
    asm_bind(&c->a, &done);
    asm_settle(&c->a, first);
    push_fresult(c, m, d);
    return true;
}
static bool emit_fmin(Compiler *c, const Method *m, u4 a, int k) { return fmin_max(c, m, a, width(k), COND_LT, ALU_OR); }
static bool emit_fmax(Compiler *c, const Method *m, u4 a, int k) { return fmin_max(c, m, a, width(k), COND_GT, ALU_AND); }

static bool emit_mul_high(Compiler *c, const Method *m, u4 a, int k) {
    take_register(c, R_AX);
    take_register(c, R_DX);
    Reg x = use(c, a), y = use(c, a + 2);
    asm_mul_high(&c->a, true, R_DX, x, y);
    push_result(c, m, R_DX);
    return true;
}

static bool emit_bit_count(Compiler *c, const Method *m, u4 a, int k) {
    if (!asm_features.popcnt) return call_pure(c, m, a, k);
    Reg x = use(c, a), d = temp(c);
    asm_bit_count(&c->a, width(k), d, x);
    push_result(c, m, d);
    return true;
}

static bool emit_unary(Compiler *c, const Method *m, u4 a, Width w, UnaryOp op) {
    Reg x = use(c, a), d = temp(c);
    asm_unary(&c->a, op, w, d, x);
    push_result(c, m, d);
    return true;
}
static bool emit_leading(Compiler *c, const Method *m, u4 a, int k) { return emit_unary(c, m, a, width(k), UNARY_LEADING_ZEROS); }
static bool emit_trailing(Compiler *c, const Method *m, u4 a, int k) {
    return emit_unary(c, m, a, width(k), UNARY_TRAILING_ZEROS);
}
static bool emit_swap(Compiler *c, const Method *m, u4 a, int k) { return emit_unary(c, m, a, width(k), UNARY_SWAP); }

/* The count of zeros before it shifts the highest bit there is; of 0 it is the width, which shifts nothing. */
static bool emit_highest(Compiler *c, const Method *m, u4 a, int k) {
    Width w = width(k);
    Reg x = use(c, a), n = temp(c), d = temp(c);
    asm_unary(&c->a, UNARY_LEADING_ZEROS, w, n, x);
    asm_const(&c->a, d, w == W64 ? INT64_MIN : INT32_MIN);
    asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, w, d, d, op_reg(n));
    asm_alu(&c->a, ALU_AND, w, d, d, op_reg(x));
    push_result(c, m, d);
    return true;
}

static bool rotate(Compiler *c, const Method *m, u4 a, Width w, bool left) {
    const Value *n = &c->stack[a + m->arg_slots - 1];
    int32_t known = left ? -(int32_t)n->k : (int32_t)n->k;
    Operand by = op_imm(known & (w == W64 ? 63 : 31));
    if (n->kind != V_CONST) {
        Reg r = use(c, a + m->arg_slots - 1), t = left ? temp(c) : r;
        if (left) asm_unary(&c->a, UNARY_NEG, W32, t, r);
        by = op_reg(t);
    }
    Reg x = use(c, a), d = temp(c);
    asm_shift(&c->a, SHIFT_ROTATE_RIGHT, w, d, x, by);
    push_result(c, m, d);
    return true;
}
static bool emit_rotate_left(Compiler *c, const Method *m, u4 a, int k) { return rotate(c, m, a, width(k), true); }
static bool emit_rotate_right(Compiler *c, const Method *m, u4 a, int k) { return rotate(c, m, a, width(k), false); }

static bool emit_compare_unsigned(Compiler *c, const Method *m, u4 a, int k) {
    Width w = width(k);
    Reg x = use(c, a), y = use(c, a + m->arg_slots / 2), p = temp(c), q = temp(c);
    asm_const(&c->a, p, w == W64 ? INT64_MIN : INT32_MIN); /* turns unsigned order into signed */
    asm_alu(&c->a, ALU_XOR, w, q, p, op_reg(y));
    asm_alu(&c->a, ALU_XOR, w, p, p, op_reg(x));
    asm_compare3(&c->a, w, p, p, q);
    push_result(c, m, p);
    return true;
}

/* --- bits of floating-point numbers --- */

static bool emit_to_raw_bits(Compiler *c, const Method *m, u4 a, int k) {
    FReg x = fuse(c, a, width(k));
    Reg d = temp(c);
    asm_float_to_bits(&c->a, width(k), d, x);
    push_result(c, m, d);
    return true;
}

static bool emit_to_bits(Compiler *c, const Method *m, u4 a, int k) {
    Width w = width(k);
    FReg x = fuse(c, a, w);
    Reg d = temp(c);
    Label number = LABEL_INIT;
    u4 first = c->a.n_fixups;
    asm_float_to_bits(&c->a, w, d, x);
    asm_fbranch(&c->a, COND_EQ, w, x, x, false, &number);
    asm_const(&c->a, d, w == W64 ? 0x7ff8000000000000 : 0x7fc00000);
    asm_bind(&c->a, &number);
    asm_settle(&c->a, first);
    push_result(c, m, d);
    return true;
}

static bool emit_from_bits(Compiler *c, const Method *m, u4 a, int k) {
    Reg x = use(c, a);
    FReg d = ftemp(c);
    asm_bits_to_float(&c->a, width(k), d, x);
    push_fresult(c, m, d);
    return true;
}

/* --- objects --- */

static bool emit_current_thread(Compiler *c, const Method *m, u4 a, int k) {
    Reg d = temp(c);
    asm_load(&c->a, MEM_64, d, thread_mem(offsetof(Thread, java_thread)));
    push_result(c, m, d);
    return true;
}

static bool emit_get_class(Compiler *c, const Method *m, u4 a, int k) {
    Reg o = use(c, a), d = temp(c);
    asm_load(&c->a, MEM_32, d, mem_at(o, offsetof(Object, klass)));
    asm_load(&c->a, MEM_64, d, mem_at(d, offsetof(Class, mirror)));
    push_result(c, m, d);
    top(c, 1)->safe = true;
    return true;
}

static bool emit_hash(Compiler *c, const Method *m, u4 a, int k) {
    Reg o = use(c, a), d = temp(c), t = temp(c);
    Later *slow = slow_known(c, m, d);
    if (!c->stack[a].safe) {
        asm_cmp(&c->a, W64, o, op_imm(0));
        asm_branch(&c->a, COND_EQ, &slow->at);
    }
    base_hash(c, o, d, t, &slow->at);
    asm_bind(&c->a, &slow->back);
    push_result(c, m, d);
    return true;
}

/* As checkcast; the value stays where it is, or comes back there from the call, which throws what fails. */
static bool emit_cast(Compiler *c, const Method *m, u4 a) {
    const Value *v = &c->stack[a];
    Class *known = v->kind == V_CONST && v->k ? mirror_class((const Object *)(uintptr_t)v->k) : NULL;
    if (!known || class_is_primitive(known)) return call_quick(c, m, a, m->quick);
    Reg r = use(c, a + 1), t = temp(c);
    Value as_is = c->stack[a + 1];
    cast_to(c, known, r, t, slow_known(c, m, as_is.kind == V_REG ? as_is.reg : NO_REG));
    pop(c, 2);
    push_value(c, as_is);
    return true;
}

static void load_referent(Compiler *c, Reg o, Reg d) {
    asm_load(&c->a, MEM_32, d, mem_at(o, (int32_t)jc_off.Reference_referent));
    asm_shift(&c->a, SHIFT_LEFT, W64, d, d, op_imm(3));
}
static bool emit_referent(Compiler *c, const Method *m, u4 a, int k) {
    Reg o = use(c, a), d = temp(c);
    load_referent(c, o, d);
    push_result(c, m, d);
    return true;
}

/* Known while compiling, or a bit of the class that the mirror is of; k: CF_*. */
static bool emit_class_flag(Compiler *c, const Method *m, u4 a, int k) {
    const Value *v = &c->stack[a];
    if (v->kind == V_CONST && v->k) {
        u4 flags = mirror_class((const Object *)(uintptr_t)v->k)->flags;
        pop(c, 1);
        push_const(c, (flags & (u4)k) != 0);
        return true;
    }
    Reg o = use(c, a), d = temp(c);
    asm_load(&c->a, MEM_64, d, mem_at(o, (int32_t)mirror_class_offset));
    asm_test_mem(&c->a, MEM_32, mem_at(d, offsetof(Class, flags)), k);
    asm_set(&c->a, COND_NE, d);
    push_result(c, m, d);
    return true;
}

static void null_is_slow(Compiler *c, u4 cell, Reg r, Later *slow) {
    if (c->stack[cell].safe) return;
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, &slow->at);
}

static bool emit_array_length(Compiler *c, const Method *m, u4 a) {
    Reg o = use(c, a), d = temp(c);
    Later *slow = slow_known(c, m, d);
    null_is_slow(c, a, o, slow);
    asm_load(&c->a, MEM_32, d, mem_at(o, offsetof(Object, klass)));
    asm_test_mem(&c->a, MEM_32, mem_at(d, offsetof(Class, flags)), CF_ARRAY);
    asm_branch(&c->a, COND_EQ, &slow->at);
    asm_load(&c->a, MEM_32, d, mem_at(o, offsetof(Array, length)));
    asm_bind(&c->a, &slow->back);
    push_result(c, m, d);
    return true;
}

/* Windows are clean, so what is not initialised is 0 at least. */
static bool emit_uninitialized_array(Compiler *c, const Method *m, u4 a) {
    const Value *v = value_of(c, a + 1);
    Class *component = v->kind == V_CONST && v->k ? mirror_class((const Object *)(uintptr_t)v->k) : NULL;
    if (!component || !class_is_primitive(component) || component->elem_type == T_VOID) return false;
    new_array_inline(c, component, primitive_array_classes[component->elem_type], m);
    return true;
}

/* Known while compiling: as instanceof.  Mirrors do not move, and no class is one to two mirrors. */
static bool emit_is_instance(Compiler *c, const Method *m, u4 a, int k) {
    const Value *v = &c->stack[a];
    if (v->kind != V_CONST || !v->k) return call_pure(c, m, a, k);
    Class *known = mirror_class((const Object *)(uintptr_t)v->k);
    if (class_is_primitive(known)) {
        pop(c, 2);
        push_const(c, 0);
    } else {
        instance_of(c, known, a + 1, 2);
    }
    return true;
}

/* --- String --- */

static void load_text(Compiler *c, Reg d, Reg s) {
    asm_load(&c->a, MEM_32, d, mem_at(s, (int32_t)jc_off.String_value));
    asm_shift(&c->a, SHIFT_LEFT, W64, d, d, op_imm(3));
}
static Mem coder_mem(Reg s) { return mem_at(s, (int32_t)jc_off.String_coder); }
static Mem length_mem(Reg array) { return mem_at(array, offsetof(Array, length)); }

static bool emit_string_length(Compiler *c, const Method *m, u4 a, int k) {
    Reg s = use(c, a), d = temp(c), coder = temp(c);
    load_text(c, d, s);
    asm_load(&c->a, MEM_U8, coder, coder_mem(s));
    asm_load(&c->a, MEM_32, d, length_mem(d));
    asm_shift(&c->a, SHIFT_RIGHT, W32, d, d, op_reg(coder));
    push_result(c, m, d);
    return true;
}

static bool emit_string_is_empty(Compiler *c, const Method *m, u4 a, int k) {
    Reg s = use(c, a), d = temp(c);
    load_text(c, d, s);
    asm_cmp_mem(&c->a, MEM_32, length_mem(d), op_imm(0));
    asm_set(&c->a, COND_EQ, d);
    push_result(c, m, d);
    return true;
}

static bool emit_char_at(Compiler *c, const Method *m, u4 a, int k) {
    Reg s = use(c, a), i = use(c, a + 1), v = temp(c), d = temp(c);
    Label wide = LABEL_INIT;
    u4 first = c->a.n_fixups;
    Later *slow = slow_known(c, m, d);
    load_text(c, v, s);
    asm_cmp_mem(&c->a, MEM_U8, coder_mem(s), op_imm(0));
    asm_branch(&c->a, COND_NE, &wide);
    asm_cmp(&c->a, W32, i, op_mem(length_mem(v)));
    asm_branch(&c->a, COND_ABOVE_EQ, &slow->at);
    asm_load(&c->a, MEM_U8, d, mem_index(v, i, 0, ARRAY_BASE));
    asm_jump(&c->a, &slow->back);
    asm_bind(&c->a, &wide);
    asm_settle(&c->a, first);
    asm_load(&c->a, MEM_32, d, length_mem(v));
    asm_shift(&c->a, SHIFT_RIGHT, W32, d, d, op_imm(1));
    asm_cmp(&c->a, W32, i, op_reg(d));
    asm_branch(&c->a, COND_ABOVE_EQ, &slow->at);
    asm_load(&c->a, MEM_U16, d, mem_index(v, i, 1, ARRAY_BASE));
    asm_bind(&c->a, &slow->back);
    push_result(c, m, d);
    return true;
}

/* The hash if it is there: 0 stands for one that was not asked for, and for itself. */
static void load_string_hash(Compiler *c, Reg o, Reg d, Label *none) {
    asm_load(&c->a, MEM_32, d, mem_at(o, (int32_t)jc_off.String_hash));
    asm_test(&c->a, W32, d, op_reg(d));
    asm_branch(&c->a, COND_EQ, none);
}
static bool emit_string_hash(Compiler *c, const Method *m, u4 a, int k) {
    Reg s = use(c, a), d = temp(c);
    Later *slow = slow_known(c, m, d);
    load_string_hash(c, s, d, &slow->at);
    asm_bind(&c->a, &slow->back);
    push_result(c, m, d);
    return true;
}

static bool emit_coder(Compiler *c, const Method *m, u4 a, int k) {
    Reg s = use(c, a), d = temp(c);
    asm_load(&c->a, MEM_U8, d, coder_mem(s));
    push_result(c, m, d);
    return true;
}

/* A character of UTF-16 in an array of bytes: StringUTF16.getChar, putChar, ... */
static Mem wide_element(Compiler *c, Reg array, Reg i, Reg t, u4 cell, Later *slow) {
    null_is_slow(c, cell, array, slow);
    asm_load(&c->a, MEM_32, t, length_mem(array));
    asm_shift(&c->a, SHIFT_RIGHT, W32, t, t, op_imm(1));
    asm_cmp(&c->a, W32, i, op_reg(t));
    asm_branch(&c->a, COND_ABOVE_EQ, &slow->at);
    return mem_index(array, i, 1, ARRAY_BASE);
}
static bool emit_wide_get(Compiler *c, const Method *m, u4 a) {
    Reg array = use(c, a), i = use(c, a + 1), d = temp(c);
    Later *slow = slow_known(c, m, d);
    asm_load(&c->a, MEM_U16, d, wide_element(c, array, i, d, a, slow));
    asm_bind(&c->a, &slow->back);
    push_result(c, m, d);
    return true;
}
static bool emit_wide_put(Compiler *c, const Method *m, u4 a) {
    Reg array = use(c, a), i = use(c, a + 1), v = use(c, a + 2), t = temp(c);
    Later *slow = slow_known(c, m, NO_REG);
    asm_store(&c->a, MEM_U16, wide_element(c, array, i, t, a, slow), v);
    asm_bind(&c->a, &slow->back);
    pop(c, m->arg_slots);
    return true;
}

/* --- Character, of ASCII --- */

static void must_be_ascii(Compiler *c, Reg ch, Later *slow) {
    asm_cmp(&c->a, W32, ch, op_imm(ASCII_CHARS));
    asm_branch(&c->a, COND_ABOVE_EQ, &slow->at);
}
static bool emit_ascii_is(Compiler *c, const Method *m, u4 a, int kinds) {
    Reg ch = use(c, a), d = temp(c);
    Later *slow = slow_known(c, m, d);
    must_be_ascii(c, ch, slow);
    asm_const(&c->a, d, (int64_t)(uintptr_t)ascii_table()->is);
    asm_test_mem(&c->a, MEM_U8, mem_index(d, ch, 0, 0), kinds);
    asm_set(&c->a, COND_NE, d);
    asm_bind(&c->a, &slow->back);
    push_result(c, m, d);
    return true;
}
/* Changes the case of what is of `from`. */
static bool emit_ascii_case(Compiler *c, const Method *m, u4 a, int from) {
    Reg ch = use(c, a), d = temp(c), t = temp(c);
    Later *slow = slow_known(c, m, d);
    must_be_ascii(c, ch, slow);
    asm_const(&c->a, d, (int64_t)(uintptr_t)ascii_table()->is);
    asm_load(&c->a, MEM_U8, d, mem_index(d, ch, 0, 0));
    asm_alu(&c->a, ALU_XOR, W32, t, ch, op_imm(32));
    asm_test(&c->a, W32, d, op_imm(from));
    asm_select(&c->a, COND_NE, W32, d, t, ch);
    asm_bind(&c->a, &slow->back);
    push_result(c, m, d);
    return true;
}
static bool emit_ascii_digit(Compiler *c, const Method *m, u4 a) {
    const Value *v = &c->stack[a + 1];
    bool known = v->kind == V_CONST && v->k >= LEAST_RADIX && v->k <= MOST_RADIX;
    int32_t k = known ? (int32_t)v->k : 0;
    Reg ch = use(c, a), radix = known ? NO_REG : use(c, a + 1), d = temp(c), none = temp(c);
    Later *slow = slow_known(c, m, d);
    must_be_ascii(c, ch, slow);
    if (!known) {
        asm_alu(&c->a, ALU_SUB, W32, d, radix, op_imm(LEAST_RADIX));
        asm_cmp(&c->a, W32, d, op_imm(MOST_RADIX - LEAST_RADIX));
        asm_branch(&c->a, COND_ABOVE, &slow->at);
    }
    asm_const(&c->a, d, (int64_t)(uintptr_t)ascii_table()->digit);
    asm_load(&c->a, MEM_U8, d, mem_index(d, ch, 0, 0));
    asm_const(&c->a, none, UINT32_MAX);
    asm_cmp(&c->a, W32, d, known ? op_imm(k) : op_reg(radix));
    asm_select(&c->a, COND_LT, W32, d, d, none);
    asm_bind(&c->a, &slow->back);
    push_result(c, m, d);
    return true;
}

/* --- Unsafe --- */

/* Base and offset of an access are the second and third argument. */
typedef struct Place {
    Mem mem;
    Reg base, offset; /* NO_REG: absolute address; known and not negative */
    bool may_be_null;
} Place;

static Place place_of(Compiler *c, u4 a) {
    Place p = {.base = NO_REG, .offset = NO_REG};
    const Value *base = &c->stack[a + 1], *offset = &c->stack[a + 2];
    bool null = base->kind == V_CONST && !base->k;
    int64_t known = offset->kind == V_CONST && offset->k >= 0 && offset->k <= INT32_MAX ? offset->k : -1;
    if (!null) {
        p.base = use(c, a + 1);
        p.may_be_null = !c->stack[a + 1].safe;
    }
    if (known >= 0 && !null) {
        p.mem = mem_at(p.base, (int32_t)known);
        return p;
    }
    Reg r = use(c, a + 2);
    if (!null) p.offset = r;
    p.mem = null ? mem_at(r, 0) : mem_index(p.base, r, 0, 0);
    return p;
}

/* Outside fields (heap/records.h) have negative offsets; the card of no object cannot be marked.  All registers are there. */
static Later *check_place(Compiler *c, const Method *m, const Place *p, bool marks, Reg result) {
    bool null = marks && p->may_be_null;
    if (p->offset == NO_REG && !null) return NULL;
    Later *slow = slow_known(c, m, result);
    if (p->offset != NO_REG) {
        asm_cmp(&c->a, W64, p->offset, op_imm(0));
        asm_branch(&c->a, COND_LT, &slow->at);
    }
    if (null) {
        asm_cmp(&c->a, W64, p->base, op_imm(0));
        asm_branch(&c->a, COND_EQ, &slow->at);
    }
    return slow;
}

static bool finish_access(Compiler *c, const Method *m, Later *slow, Reg d) {
    if (slow) asm_bind(&c->a, &slow->back);
    if (d != NO_REG) push_result(c, m, d);
    else pop(c, m->arg_slots);
    return true;
}

enum { UNSAFE_FENCE = 16, UNSAFE_REF = 32, UNSAFE_BIT = 64, UNSAFE_KIND = 15 }; /* with a MemKind */

static bool emit_get(Compiler *c, const Method *m, u4 a, int k) {
    Place p = place_of(c, a);
    Reg d = temp(c);
    Later *slow = check_place(c, m, &p, false, d);
    asm_load(&c->a, (MemKind)(k & UNSAFE_KIND), d, p.mem);
    if (k & UNSAFE_REF) asm_shift(&c->a, SHIFT_LEFT, W64, d, d, op_imm(3));
    if (k & UNSAFE_BIT) { /* any byte but 0 is true */
        asm_alu(&c->a, ALU_ADD, W32, d, d, op_imm(UINT8_MAX));
        asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W32, d, d, op_imm(8));
    }
    return finish_access(c, m, slow, d);
}

static bool emit_put(Compiler *c, const Method *m, u4 a, int k) {
    Place p = place_of(c, a);
    Reg v = use(c, a + 4), t = k & (UNSAFE_REF | UNSAFE_BIT) ? temp(c) : v;
    if (p.base == NO_REG && k & UNSAFE_REF) return false;
    Later *slow = check_place(c, m, &p, k & UNSAFE_REF, NO_REG);
    if (k & UNSAFE_REF) asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, t, v, op_imm(3));
    if (k & UNSAFE_BIT) asm_alu(&c->a, ALU_AND, W32, t, v, op_imm(1));
    asm_store(&c->a, (MemKind)(k & UNSAFE_KIND), p.mem, t);
    if (k & UNSAFE_FENCE) asm_fence(&c->a);
    if (k & UNSAFE_REF) mark_card(c, p.base, t);
    return finish_access(c, m, slow, NO_REG);
}

static bool emit_get_address(Compiler *c, const Method *m, u4 a, int k) {
    Reg at = use(c, a + 1), d = temp(c);
    asm_load(&c->a, (MemKind)k, d, mem_at(at, 0));
    push_result(c, m, d);
    return true;
}
static bool emit_put_address(Compiler *c, const Method *m, u4 a, int k) {
    Reg at = use(c, a + 1), v = use(c, a + 3);
    asm_store(&c->a, (MemKind)k, mem_at(at, 0), v);
    pop(c, m->arg_slots);
    return true;
}

/* compareAndSet (`found` false) and compareAndExchange */
static bool compare_and_set(Compiler *c, const Method *m, u4 a, int k, bool found) {
    MemKind kind = (MemKind)(k & UNSAFE_KIND);
    bool ref = k & UNSAFE_REF;
    take_register(c, ASM_CAS_OLD);
    Place p = place_of(c, a);
    Reg old = use(c, a + 4), new = use(c, a + (kind == MEM_64 ? 6 : 5)), t = ref ? temp(c) : new;
    if (p.base == NO_REG && ref) return false;
    Later *slow = check_place(c, m, &p, ref, ASM_CAS_OLD);
    if (ref) {
        asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, ASM_CAS_OLD, old, op_imm(3));
        asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, t, new, op_imm(3));
    } else {
        asm_mov(&c->a, kind == MEM_64 ? W64 : W32, ASM_CAS_OLD, old);
    }
    asm_cas(&c->a, kind, p.mem, t);
    if (!found) asm_set(&c->a, COND_EQ, ASM_CAS_OLD);
    else if (ref) asm_shift(&c->a, SHIFT_LEFT, W64, ASM_CAS_OLD, ASM_CAS_OLD, op_imm(3));
    if (ref) mark_card(c, p.base, t);
    return finish_access(c, m, slow, ASM_CAS_OLD);
}
static bool emit_cas(Compiler *c, const Method *m, u4 a, int k) { return compare_and_set(c, m, a, k, false); }
static bool emit_cax(Compiler *c, const Method *m, u4 a, int k) { return compare_and_set(c, m, a, k, true); }

static bool atomic(Compiler *c, const Method *m, u4 a, int k, AtomicOp op) {
    MemKind kind = (MemKind)(k & UNSAFE_KIND);
    bool ref = k & UNSAFE_REF;
    Place p = place_of(c, a);
    Reg v = use(c, a + 4), d = temp(c), t = ref ? temp(c) : d;
    if (p.base == NO_REG && ref) return false;
    Later *slow = check_place(c, m, &p, ref, d);
    if (ref) asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, d, v, op_imm(3));
    asm_atomic(&c->a, op, kind, d, p.mem, ref ? d : v);
    if (ref) asm_shift(&c->a, SHIFT_LEFT, W64, d, d, op_imm(3));
    if (ref) mark_card(c, p.base, t);
    return finish_access(c, m, slow, d);
}
static bool emit_add(Compiler *c, const Method *m, u4 a, int k) { return atomic(c, m, a, k, ATOMIC_ADD); }
static bool emit_xchg(Compiler *c, const Method *m, u4 a, int k) { return atomic(c, m, a, k, ATOMIC_SWAP); }

static bool emit_fence(Compiler *c, const Method *m, u4 a, int k) {
    if (k) asm_fence(&c->a);
    pop(c, m->arg_slots);
    return true;
}

/* --- the table --- */

#define ACCESSES(Name, load, store, more) \
    {unsafe_get_##Name, emit_get, load | more}, {unsafe_get_##Name##_volatile, emit_get, load | more}, \
        {unsafe_put_##Name, emit_put, store | more}, {unsafe_put_##Name##_release, emit_put, store | more}, \
        {unsafe_put_##Name##_volatile, emit_put, store | more | UNSAFE_FENCE},
#define ADDRESSES(Name, load, store) \
    {unsafe_get_##Name##_address, emit_get_address, load}, {unsafe_put_##Name##_address, emit_put_address, store},

static const struct {
    VmNative fn;
    Emit emit;
    int k;
} rows[] = {
    {math_abs_int, emit_abs, W32},
    {math_abs_long, emit_abs, W64},
    {math_abs_float, emit_fabs, W32},
    {math_abs_double, emit_fabs, W64},
    {math_min_int, emit_min, W32},
    {math_min_long, emit_min, W64},
    {math_min_float, emit_fmin, W32},
    {math_min_double, emit_fmin, W64},
    {math_max_int, emit_max, W32},
    {math_max_long, emit_max, W64},
    {math_max_float, emit_fmax, W32},
    {math_max_double, emit_fmax, W64},
    {math_sqrt, emit_fsqrt, 0},
    {math_multiply_high, emit_mul_high, 0},
    {math_sin, call_pure, 0},
    {math_cos, call_pure, 0},
    {math_tan, call_pure, 0},
    {math_exp, call_pure, 0},
    {math_log, call_pure, 0},
    {math_log10, call_pure, 0},
    {math_pow, call_pure, 0},
    {math_floor, call_pure, 0},
    {math_ceil, call_pure, 0},
    {math_rint, call_pure, 0},
    {math_fma, emit_fma, W64},
    {math_fmaf, emit_fma, W32},
    {int_bit_count, emit_bit_count, W32},
    {long_bit_count, emit_bit_count, W64},
    {int_nlz, emit_leading, W32},
    {long_nlz, emit_leading, W64},
    {int_ntz, emit_trailing, W32},
    {long_ntz, emit_trailing, W64},
    {int_reverse_bytes, emit_swap, W32},
    {long_reverse_bytes, emit_swap, W64},
    {int_reverse, call_pure, 0},
    {long_reverse, call_pure, 0},
    {int_highest_one, emit_highest, W32},
    {long_highest_one, emit_highest, W64},
    {int_rotate_left, emit_rotate_left, W32},
    {long_rotate_left, emit_rotate_left, W64},
    {int_rotate_right, emit_rotate_right, W32},
    {long_rotate_right, emit_rotate_right, W64},
    {int_compare_unsigned, emit_compare_unsigned, W32},
    {long_compare_unsigned, emit_compare_unsigned, W64},
    {float_to_bits, emit_to_bits, W32},
    {double_to_bits, emit_to_bits, W64},
    {float_to_raw_bits, emit_to_raw_bits, W32},
    {double_to_raw_bits, emit_to_raw_bits, W64},
    {float_from_bits, emit_from_bits, W32},
    {double_from_bits, emit_from_bits, W64},
    {thread_current_thread, emit_current_thread, 0},
    {object_get_class, emit_get_class, 0},
    {reference_get, emit_referent, 0},
    {object_hash_code, emit_hash, 0},
    {system_identity_hash, emit_hash, 0},
    {system_nanos, call_pure, 0},
    {system_millis, call_pure, 0},
    {perf_counter, call_pure, 0},
    {reflection_caller_class, emit_caller_class, 0},
    {unsafe_allocate_instance, emit_allocate, 0},
    {class_is_interface_n, call_pure, 0},
    {class_is_array_n, emit_class_flag, CF_ARRAY},
    {class_is_primitive_n, emit_class_flag, CF_PRIMITIVE},
    {class_is_hidden_n, emit_class_flag, CF_HIDDEN},
    {class_get_modifiers, call_pure, 0},
    {reference_refers_to, call_pure, 0},
    {class_is_instance, emit_is_instance, 0},
    {int_string_size, call_pure, 0},
    {long_string_size, call_pure, 0},
    {string_equals_n, call_pure, 0},
    {string_hash_code, emit_string_hash, 0},
    {string_length_n, emit_string_length, 0},
    {string_is_empty, emit_string_is_empty, 0},
    {string_coder, emit_coder, 0},
    ACCESSES(Byte, MEM_S8, MEM_U8, 0) ACCESSES(Boolean, MEM_U8, MEM_U8, UNSAFE_BIT) ACCESSES(Short, MEM_S16, MEM_U16, 0)
        ACCESSES(Char, MEM_U16, MEM_U16, 0) ACCESSES(Int, MEM_32, MEM_32, 0) ACCESSES(Float, MEM_32, MEM_32, 0)
            ACCESSES(Long, MEM_64, MEM_64, 0)
                ACCESSES(Double, MEM_64, MEM_64, 0){unsafe_get_Reference, emit_get, MEM_32 | UNSAFE_REF},
    {unsafe_get_Reference_volatile, emit_get, MEM_32 | UNSAFE_REF},
    {unsafe_put_Reference, emit_put, MEM_32 | UNSAFE_REF},
    {unsafe_put_Reference_release, emit_put, MEM_32 | UNSAFE_REF},
    {unsafe_put_Reference_volatile, emit_put, MEM_32 | UNSAFE_REF | UNSAFE_FENCE},
    ADDRESSES(Byte, MEM_S8, MEM_U8) ADDRESSES(Short, MEM_S16, MEM_U16) ADDRESSES(Char, MEM_U16, MEM_U16)
        ADDRESSES(Int, MEM_32, MEM_32) ADDRESSES(Long, MEM_64, MEM_64) ADDRESSES(Float, MEM_32, MEM_32)
            ADDRESSES(Double, MEM_64, MEM_64){unsafe_cas_Int, emit_cas, MEM_32},
    {unsafe_cas_Long, emit_cas, MEM_64},
    {unsafe_cas_Reference, emit_cas, MEM_32 | UNSAFE_REF},
    {unsafe_cax_Int, emit_cax, MEM_32},
    {unsafe_cax_Long, emit_cax, MEM_64},
    {unsafe_cax_Reference, emit_cax, MEM_32 | UNSAFE_REF},
    {unsafe_add_Int, emit_add, MEM_32},
    {unsafe_add_Long, emit_add, MEM_64},
    {unsafe_xchg_Int, emit_xchg, MEM_32},
    {unsafe_xchg_Long, emit_xchg, MEM_64},
    {unsafe_xchg_Reference, emit_xchg, MEM_32 | UNSAFE_REF},
    {unsafe_load_fence, emit_fence, 0},
    {unsafe_store_fence, emit_fence, 0},
    {unsafe_full_fence, emit_fence, 1},
};

bool base_raw_access(const Method *m, RawAccess *a) {
    static const struct {
        Emit emit;
        u1 op;
    } ops[] = {{emit_get, RAW_GET},
               {emit_put, RAW_PUT},
               {emit_get_address, RAW_GET_AT},
               {emit_put_address, RAW_PUT_AT},
               {emit_cas, RAW_CAS},
               {emit_cax, RAW_CAX},
               {emit_add, RAW_ADD},
               {emit_xchg, RAW_SWAP},
               {emit_fence, RAW_FENCE}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        for (size_t op = 0; op < ARRAY_LEN(ops) && rows[i].fn == m->vm_native; op++) {
            if (rows[i].emit != ops[op].emit) continue;
            int k = rows[i].k;
            *a = (RawAccess){ops[op].op, (u1)(k & UNSAFE_KIND), k & UNSAFE_BIT,
                             ops[op].op == RAW_FENCE ? k : (k & UNSAFE_FENCE) != 0};
            return true;
        }
    return false;
}

bool base_is_c(const Method *m) {
    u1 kind = __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    if (kind == MK_LEAF_QUICK) return true;
    if (kind != MK_VM_NATIVE) return false;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].fn == m->vm_native) return true;
    return false;
}

void guarded_c(Compiler *c, Method *m, const Class *k, u4 n, u4 index, const SiteCache *site) {
    u4 at = c->depth - n;
    inline_note(c, m);
    lend_registers(c, at);
    take_register(c, R_AX);
    Reg o = temp(c), t = temp(c); /* the cell stays in memory: the C function may decline */
    asm_load(&c->a, MEM_64, o, cell_mem(at));
    if (vm_options.deopt_interval) check_null(c, at, o); /* slow paths are taken for their own sake */
    Later *slow = slow_virtual(c, index, n, m->ret_type == T_VOID ? NO_REG : R_AX);
    slow->chooses = site;
    guard_receiver(c, m, k, at, o, t, index, &slow->at);
    bool quick = m->kind == MK_LEAF_QUICK;
    pass_cells(c, at, quick ? (const void *)m->quick : (const void *)m->vm_native);
    if (quick) {
        asm_test(&c->a, W32, R_AX, op_imm(1));
        asm_branch(&c->a, COND_EQ, &slow->at);
    }
    load_result(c, m);
    asm_bind(&c->a, &slow->back);
    push_call_result(c, m);
}

/* Natives that need a frame for their exceptions only. */
static QuickNative quick_of(const Method *m) {
    static const struct {
        VmNative fn;
        QuickNative quick;
    } framed[] = {{system_arraycopy, quick_arraycopy},
                  {class_is_assignable_from, quick_is_assignable_from},
                  {reflection_caller_class, quick_caller_class}};
    for (size_t i = 0; i < ARRAY_LEN(framed); i++)
        if (framed[i].fn == m->vm_native) return framed[i].quick;
    return NULL;
}

static bool emit_native(Compiler *c, const Method *m, u4 a) {
    if (m->vm_native == array_get_length) return emit_array_length(c, m, a);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].fn == m->vm_native) return rows[i].emit(c, m, a, rows[i].k);
    QuickNative quick = quick_of(m);
    return quick && call_quick(c, m, a, quick);
}

/* A hash that is not there yet is made, for which there may be no memory. */
const void *base_c_function(const Method *m, bool *declines) {
    u1 kind = __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    QuickNative quick = kind == MK_LEAF_QUICK ? m->quick : kind == MK_VM_NATIVE ? quick_of(m) : NULL;
    *declines = quick != NULL;
    if (quick) return (const void *)quick;
    if (!base_is_c(m) || !(m->flags & MF_LEAF)) return NULL;
    return m->vm_native == object_hash_code || m->vm_native == system_identity_hash ? NULL : (const void *)m->vm_native;
}

bool base_is_short(const Method *m) {
    return !(m->access & ACC_STATIC) && __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE) == MK_VM_NATIVE &&
           (m->vm_native == object_hash_code || m->vm_native == reference_get || m->vm_native == string_hash_code);
}

void base_short(Compiler *c, const Method *m, Reg o, Reg d, Reg t, Label *call) {
    if (m->vm_native == object_hash_code) base_hash(c, o, d, t, call);
    else if (m->vm_native == string_hash_code) load_string_hash(c, o, d, call);
    else load_referent(c, o, d);
}

bool base_is_clone(const Method *m) { return m->kind == MK_VM_NATIVE && m->vm_native == object_clone; }

static bool quick_in_code(Compiler *c, const Method *m, u4 a) {
    static const struct {
        QuickNative fn;
        Emit emit;
        int k;
    } more[] = {{ascii_letter, emit_ascii_is, IS_LETTER},
                {ascii_digit, emit_ascii_is, IS_DIGIT},
                {ascii_letter_or_digit, emit_ascii_is, IS_LETTER | IS_DIGIT},
                {ascii_whitespace, emit_ascii_is, IS_WHITESPACE},
                {ascii_upper, emit_ascii_is, IS_UPPER},
                {ascii_lower, emit_ascii_is, IS_LOWER},
                {ascii_identifier_start, emit_ascii_is, STARTS_NAME},
                {ascii_identifier_part, emit_ascii_is, IS_IN_NAMES},
                {ascii_to_lower, emit_ascii_case, IS_UPPER},
                {ascii_to_upper, emit_ascii_case, IS_LOWER}};
    for (size_t i = 0; i < ARRAY_LEN(more); i++)
        if (more[i].fn == m->quick) return more[i].emit(c, m, a, more[i].k);
    if (m->quick == ascii_digit_of) return emit_ascii_digit(c, m, a);
    if (m->quick == class_cast_n) return emit_cast(c, m, a);
    if (m->quick == string_char_at_n) return emit_char_at(c, m, a, 0);
    if (m->quick == utf16_get_char) return emit_wide_get(c, m, a);
    if (m->quick == utf16_put_char) return emit_wide_put(c, m, a);
    return false;
}

bool base_intrinsic(Compiler *c, const Method *m) {
    if (c->plain) return false;
    u4 a = c->depth - m->arg_slots;
    switch (__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE)) {
    case MK_VM_NATIVE: return emit_native(c, m, a);
    case MK_LEAF_QUICK:
        if (m->quick == unsafe_uninitialized_array) return emit_uninitialized_array(c, m, a);
        return quick_in_code(c, m, a) || call_quick(c, m, a, m->quick);
    default: return false;
    }
}
