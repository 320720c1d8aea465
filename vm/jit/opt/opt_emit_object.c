/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing code: memory, guards, types, allocation.  What the instructions are is as in base_objects.c.
 *
 * Where an access finds null by a fault (Back.faults) emit_fault is called right in front of the instruction that accesses, which is one instruction
 * by then: nothing that the state needs has been written.
 */
#include "heap/alloc.h"
#include "heap/heap.h"
#include "jit/boxes.h"
#include "jit/opt/opt_code.h"

static Mem klass_of(Reg object) { return mem_at(object, offsetof(Object, klass)); }

/* --- loads and stores --- */

static void load(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Mem m = emit_address(e, n, n->pos);
    emit_fault(e, r);
    if (opt_is_fp(n->type)) return asm_fload(&e->a, opt_width(n->type), emit_fout(e, r), m);
    Reg d = emit_out(e, r);
    asm_load(&e->a, (MemKind)n->kind, d, m);
    if (n->type == OT_REF && n->kind == MEM_32) asm_shift(&e->a, SHIFT_LEFT, W64, d, d, op_imm(3));
}

static void load_word(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Mem m = emit_address(e, n, n->pos);
    emit_fault(e, r);
    asm_load(&e->a, MEM_32, emit_out(e, r), m);
}

static int32_t stored(const Node *k) { return (int32_t)(k->type == OT_REF ? (u4)((u8)k->k >> 3) : (u8)k->k); }

/* `value`: which input.  A static field's address may be in the assembler's scratch register, which stores leave alone. */
static void store(Emit *e, Ref r, u4 value) {
    const Node *n = opt_node(e->o, r);
    MemKind k = n->from == OT_REF ? MEM_32 : (MemKind)n->kind;
    Asm *a = &e->a;
    Reg x = NO_REG;
    if (n->from == OT_REF && !opt_imm(&e->b, n, value)) {
        x = emit_temp(e, n, 0);
        asm_shift(a, SHIFT_RIGHT_UNSIGNED, W64, x, emit_in(e, n, value), op_imm(3));
    }
    Mem m = emit_address(e, n, n->pos);
    emit_fault(e, r);
    if (opt_imm(&e->b, n, value)) asm_store_const(a, k, m, stored(emit_const(e, n->in[value])));
    else if (opt_is_fp(n->from)) asm_fstore(a, opt_width(n->from), m, emit_fin(e, n, value));
    else asm_store(a, k, m, x != NO_REG ? x : emit_in(e, n, value));
}

static void card(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    if (opt_imm(&e->b, n, 0)) return code_mark_card_of(&e->a, (u8)emit_const(e, n->in[0])->k);
    Reg t = emit_temp(e, n, 0);
    code_mark_card(&e->a, emit_in(e, n, 0), t);
}

/* --- atomic accesses --- */

static Width width_of(const Node *n) { return n->kind == MEM_64 ? W64 : W32; }

/* Inputs that are read behind the first write are in registers of their own (opt_reads_late). */
static void compare_and_set(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Asm *a = &e->a;
    bool ref = n->from == OT_REF;
    Reg old = emit_in(e, n, 1), desired = emit_in(e, n, 2), d = emit_out(e, r);
    if (ref) {
        asm_shift(a, SHIFT_RIGHT_UNSIGNED, W64, ASM_CAS_OLD, old, op_imm(3));
        asm_shift(a, SHIFT_RIGHT_UNSIGNED, W64, emit_temp(e, n, 0), desired, op_imm(3));
        desired = emit_temp(e, n, 0);
    } else {
        asm_mov(a, width_of(n), ASM_CAS_OLD, old);
    }
    asm_cas(a, (MemKind)n->kind, emit_address(e, n, n->pos), desired);
    if (n->op == OPT_CAS) asm_set(a, COND_EQ, d);
    else if (ref) asm_shift(a, SHIFT_LEFT, W64, d, ASM_CAS_OLD, op_imm(3));
    else asm_mov(a, width_of(n), d, ASM_CAS_OLD);
}

static void atomic(Emit *e, Ref r, AtomicOp op) {
    const Node *n = opt_node(e->o, r);
    bool ref = n->from == OT_REF;
    Reg x = emit_in(e, n, 1), d = emit_out(e, r);
    if (ref) asm_shift(&e->a, SHIFT_RIGHT_UNSIGNED, W64, d, x, op_imm(3));
    asm_atomic(&e->a, op, (MemKind)n->kind, d, emit_address(e, n, n->pos), ref ? d : x);
    if (ref) asm_shift(&e->a, SHIFT_LEFT, W64, d, d, op_imm(3));
}

/* --- probes --- */

static Mem count_at(Emit *e, const Node *n) {
    return opt_imm(&e->b, n, 0) ? mem_at(NO_REG, (int32_t)emit_const(e, n->in[0])->k) : mem_at(emit_in(e, n, 0), 0);
}

static void add_count(Emit *e, const Node *n) {
    Reg t = emit_temp(e, n, 0);
    asm_const(&e->a, t, n->k);
    asm_atomic(&e->a, ATOMIC_ADD, (MemKind)n->kind, t, count_at(e, n), t);
}

/* --- guards --- */

static void leave_if(Emit *e, Ref r, Cond cond) { asm_branch(&e->a, cond, &emit_exit(e, r)->at); }

/* For COND_EQ and its opposite. */
static void test_zero(Emit *e, Width w, Reg x) {
    if (!asm_flags_tell(&e->a, w, x, COND_EQ)) asm_cmp(&e->a, w, x, op_imm(0));
}

static void not_null(Emit *e, Ref r) {
    test_zero(e, W64, emit_in(e, opt_node(e->o, r), 0));
    leave_if(e, r, COND_EQ);
}

static void not_zero(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    test_zero(e, opt_width(opt_node(e->o, n->in[0])->type), emit_in(e, n, 0));
    leave_if(e, r, COND_EQ);
}

static void in_bounds(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Operand length = emit_operand(e, n, 1);
    emit_fault(e, r);
    if (!opt_imm(&e->b, n, 0)) {
        asm_cmp(&e->a, W32, emit_in(e, n, 0), length);
        return leave_if(e, r, COND_ABOVE_EQ);
    }
    Operand index = op_imm((int32_t)emit_const(e, n->in[0])->k);
    if (length.kind == OPERAND_MEM) asm_cmp_mem(&e->a, MEM_32, length.mem, index);
    else asm_cmp(&e->a, W32, length.reg, index);
    leave_if(e, r, COND_BELOW_EQ);
}

static void is_class(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Reg o = emit_in(e, n, 0);
    emit_fault(e, r);
    asm_cmp_mem(&e->a, MEM_32, klass_of(o), op_imm((int32_t)(u4)(uintptr_t)n->what));
    leave_if(e, r, COND_NE);
}

static void compare_pointer(Emit *e, Mem m, const void *p) {
    if ((uintptr_t)p <= INT32_MAX) return asm_cmp_mem(&e->a, MEM_64, m, op_imm((int32_t)(uintptr_t)p));
    asm_const(&e->a, ASM_SCRATCH, (int64_t)(uintptr_t)p);
    asm_cmp_mem(&e->a, MEM_64, m, op_reg(ASM_SCRATCH));
}

static void has_method(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Reg o = emit_in(e, n, 0), t = emit_temp(e, n, 0);
    emit_fault(e, r);
    asm_load(&e->a, MEM_32, t, klass_of(o));
    asm_load(&e->a, MEM_64, t, mem_at(t, offsetof(Class, vtable)));
    compare_pointer(e, mem_at(t, (int32_t)(8 * n->k)), n->method);
    leave_if(e, r, COND_NE);
}

static void holds(Emit *e, Ref r) {
    Cond cond = emit_compare(e, r);
    leave_if(e, r, cond_opposite(cond));
}

/* --- types: class_is_subtype --- */

static Mem interface_place(Reg klass, const Class *k) {
    return mem_at(klass, (int32_t)(offsetof(Class, interface_set.row) + 4 * (k->interface_key % INTERFACE_ROW)));
}

/* Flags: equal if the class in the register has no interface k (class_may_have_interface). */
void emit_test_key(Emit *e, Reg klass, const Class *k) {
    Mem byte = mem_at(klass, (int32_t)(offsetof(Class, interface_set.keys) + k->interface_key / 8));
    asm_test_mem(&e->a, MEM_U8, byte, 1 << k->interface_key % 8);
}

/* Flags: equal if the object in o, not null, is known to be of class k; if not, and k is an interface or to be asked for, it may be still. */
static void compare_type(Emit *e, const Class *k, Reg o, Reg t, Label *equal) {
    TypeBy by = opt_compares_type(k);
    if (by == TYPE_EXACT) return asm_cmp_mem(&e->a, MEM_32, klass_of(o), op_imm((int32_t)(u4)(uintptr_t)k));
    asm_load(&e->a, MEM_32, t, klass_of(o));
    if (by == TYPE_DISPLAY) return compare_pointer(e, mem_at(t, (int32_t)(offsetof(Class, display) + 8 * k->depth)), k);
    if (by == TYPE_INTERFACE) return asm_cmp_mem(&e->a, MEM_32, interface_place(t, k), op_imm((int32_t)(u4)(uintptr_t)k));
    asm_cmp(&e->a, W32, t, op_imm((int32_t)(u4)(uintptr_t)k)); /* itself is not remembered as a hit */
    asm_branch(&e->a, COND_EQ, equal);
    compare_pointer(e, mem_at(t, offsetof(Class, last_super_hit)), k);
}

static Later *ask_type(Emit *e, const State *s, const Class *k, Reg o, Reg component, Reg result, Later *exit) {
    Later *l = emit_later(e, LATER_TYPE, s);
    l->klass = k;
    l->about = o;
    l->end = component;
    l->result = result;
    l->exit = exit;
    l->final = k && opt_compares_type(k) < TYPE_INTERFACE;
    return l;
}

/* The INSTANCE_OF that `end` asks for.  Of an interface: where it has the class is known, where it has not follows. */
void emit_compare_type(Emit *e, const Node *end, Label *same, Label *other) {
    const Node *x = opt_node(e->o, end->in[0]);
    Reg o = emit_reg(e, x->in[0], end->pos), t = opt_temps(&e->b, end) ? emit_temp(e, end, 0) : NO_REG;
    if (!opt_node(e->o, x->in[0])->not_null) {
        test_zero(e, W64, o);
        asm_branch(&e->a, COND_EQ, other);
    }
    compare_type(e, x->what, o, t, NULL);
    if (opt_compares_type(x->what) != TYPE_INTERFACE) return;
    Later *l = ask_type(e, NULL, x->what, o, NO_REG, NO_REG, NULL);
    l->same = same;
    asm_branch(&e->a, COND_EQ, same);
    emit_test_key(e, t, x->what);
    asm_branch(&e->a, COND_NE, &l->at);
    asm_bind(&e->a, &l->back);
}

static void is_a(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Reg o = emit_in(e, n, 0), t = emit_temp(e, n, 0);
    Later *exit = emit_exit(e, r), *l = ask_type(e, n->state, n->what, o, NO_REG, NO_REG, exit);
    if (!opt_node(e->o, n->in[0])->not_null) {
        test_zero(e, W64, o);
        asm_branch(&e->a, COND_EQ, &l->back);
    }
    compare_type(e, n->what, o, t, &l->back);
    asm_branch(&e->a, COND_NE, l->final ? &exit->at : &l->at);
    asm_bind(&e->a, &l->back);
}

static void instance_of(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Reg o = emit_in(e, n, 0), d = emit_out(e, r), t = emit_temp(e, n, 0);
    Later *l = ask_type(e, NULL, n->what, o, NO_REG, d, NULL);
    asm_const(&e->a, d, 0);
    if (!opt_node(e->o, n->in[0])->not_null) {
        test_zero(e, W64, o);
        asm_branch(&e->a, COND_EQ, &l->back);
    }
    bool interface = opt_compares_type(n->what) == TYPE_INTERFACE;
    if (!l->final && !interface) asm_const(&e->a, d, 1);
    compare_type(e, n->what, o, t, &l->back);
    if (l->final || interface) asm_set(&e->a, COND_EQ, d);
    if (interface) {
        asm_branch(&e->a, COND_EQ, &l->back);
        emit_test_key(e, t, n->what);
    }
    if (!l->final) asm_branch(&e->a, COND_NE, &l->at);
    asm_bind(&e->a, &l->back);
}

/* The display of the value's class at the depth of the array's component holds the component, or it is asked further. */
static void may_hold(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Asm *a = &e->a;
    Reg array = emit_in(e, n, 0), o = emit_in(e, n, 1);
    Reg from = emit_temp(e, n, 0), to = emit_temp(e, n, 1), depth = emit_temp(e, n, 2);
    Later *l = ask_type(e, n->state, NULL, o, to, NO_REG, emit_exit(e, r));
    if (!opt_node(e->o, n->in[1])->not_null) {
        test_zero(e, W64, o);
        asm_branch(a, COND_EQ, &l->back);
    }
    asm_load(a, MEM_32, from, klass_of(o));
    asm_load(a, MEM_32, to, klass_of(array));
    asm_load(a, MEM_64, to, mem_at(to, offsetof(Class, component)));
    asm_load(a, MEM_U16, depth, mem_at(to, offsetof(Class, depth)));
    asm_cmp(a, W32, depth, op_imm(DISPLAY_DEPTH));
    asm_branch(a, COND_ABOVE_EQ, &l->at);
    asm_cmp_mem(a, MEM_64, mem_index(from, depth, 3, offsetof(Class, display)), op_reg(to));
    asm_branch(a, COND_NE, &l->at);
    asm_bind(a, &l->back);
}

/* --- allocation: heap/alloc.h --- */

static void write_header(Emit *e, const Class *k, Reg o) {
    u4 word = (u4)(uintptr_t)k;
    if (word <= INT32_MAX) return asm_store_const(&e->a, MEM_64, mem_at(o, 0), (int32_t)word);
    asm_store_const(&e->a, MEM_32, mem_at(o, 0), (int32_t)word);
    asm_store_const(&e->a, MEM_32, mem_at(o, 4), 0);
}

/* Takes [o, end) from the thread's window; `size` bytes, or if 0 as many as `end` holds.  Until header and length are written there is no poll. */
static void bump(Emit *e, Later *slow, const Class *k, Reg o, Reg end, u4 size) {
    Asm *a = &e->a;
    slow->has_window = true;
    slow->end = end;
    slow->result = o;
    slow->bytes = size;
    asm_bind(a, &slow->retry);
    asm_load(a, MEM_64, o, thread_mem(offsetof(Thread, tlab.top)));
    if (size) asm_address(a, end, mem_at(o, (int32_t)size));
    else asm_alu(a, ALU_ADD, W64, end, end, op_reg(o));
    asm_cmp(a, W64, end, op_mem(thread_mem(offsetof(Thread, tlab.end))));
    asm_branch(a, COND_ABOVE, &slow->window);
    asm_store(a, MEM_64, thread_mem(offsetof(Thread, tlab.top)), end);
    write_header(e, k, o);
}

static HelperArg arg_const(const void *p) { return (HelperArg){ARG_CONST, (int64_t)(uintptr_t)p}; }

/* In front of an instruction that only wants the object, that is done in the interpreter. */
static ExitInfo info_behind(const Node *n, u4 popped) {
    const State *s = n->state;
    const Method *m = s->scope->method;
    if (n->exit == EXIT_AT) return exit_info(EXIT_AT, 0, 0, 0);
    return exit_info(EXIT_AFTER, cf_insn_length(m->code, m->code_len, s->bci), popped, 1);
}

static void new_object(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Reg o = emit_out(e, r);
    Later *slow = emit_help(e, r, info_behind(n, n->n_args), jit_h_new, arg_const(n->what), (HelperArg){.kind = ARG_NONE}, o);
    emit_stress(e, &slow->at);
    if (n->what->flags & CF_NEVER_ALLOC_FAST) asm_jump(&e->a, &slow->at);
    else bump(e, slow, n->what, o, emit_temp(e, n, 0), n->what->instance_size);
    asm_bind(&e->a, &slow->back);
}

/* o = what the cache has for v; falls through where it has nothing.  t is free. */
static void look_in_cache(Emit *e, const Box *x, Reg v, Reg o, Reg t, Label *done) {
    Asm *a = &e->a;
    Width w = x->type == T_LONG ? W64 : W32;
    Label none = LABEL_INIT;
    u4 first = a->n_fixups;
    asm_alu(a, ALU_SUB, w, t, v, op_imm((int32_t)x->low));
    asm_cmp(a, w, t, op_imm((int32_t)x->n));
    asm_branch(a, COND_ABOVE_EQ, &none);
    asm_const(a, o, (int64_t)(uintptr_t)box_cache(x));
    asm_load(a, MEM_32, o, mem_index(o, t, 2, ARRAY_BASE));
    asm_shift(a, SHIFT_LEFT, W64, o, o, op_imm(3));
    asm_jump(a, done);
    asm_bind(a, &none);
    asm_settle(a, first);
}

static void find_shared(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Label done = LABEL_INIT;
    u4 first = e->a.n_fixups;
    Reg o = emit_out(e, r);
    look_in_cache(e, box_of(n->what), emit_in(e, n, 0), o, emit_temp(e, n, 0), &done);
    asm_const(&e->a, o, 1);
    asm_bind(&e->a, &done);
    asm_settle(&e->a, first);
}

/* In front of another instruction the helper makes one without a value, which is stored behind it; as the call, it does all that valueOf does. */
static void new_box(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    const State *s = n->state;
    const Box *x = box_of(n->what);
    Asm *a = &e->a;
    Reg v = emit_in(e, n, 0), o = emit_out(e, r), t = emit_temp(e, n, 0);
    bool is_call = n->exit != EXIT_AT;
    HelperArg cell = {ARG_CELL, s->scope->floor + s->n_stack - n->n_args}, klass = arg_const(n->what);
    Later *slow = is_call ? emit_help(e, r, info_behind(n, n->n_args), jit_h_box, cell, klass, o)
                          : emit_help(e, r, info_behind(n, 0), jit_h_new, klass, (HelperArg){.kind = ARG_NONE}, o);
    Label done = LABEL_INIT;
    u4 first = a->n_fixups;
    if (is_call) emit_stress(e, &slow->at);
    look_in_cache(e, x, v, o, t, &done);
    bump(e, slow, n->what, o, t, n->what->instance_size);
    asm_bind(a, &slow->back);
    asm_store(a,
              x->type == T_LONG   ? MEM_64
              : x->type == T_INT  ? MEM_32
              : x->type == T_BYTE ? MEM_U8
                                  : MEM_U16,
              mem_at(o, (int32_t)n->k), v);
    asm_bind(a, &done);
    asm_settle(a, first);
}

/* end = bytes of an array of as many elements as n has; of more than `most` the helper makes it. */
static void array_bytes(Emit *e, Later *slow, const Class *k, Reg n, u4 most, Reg end) {
    Asm *a = &e->a;
    asm_cmp(a, W32, n, op_imm((int32_t)most));
    asm_branch(a, COND_ABOVE, &slow->at);
    asm_shift(a, SHIFT_LEFT, W32, end, n, op_imm(k->elem_shift));
    asm_alu(a, ALU_ADD, W32, end, end, op_imm(ARRAY_BASE + OBJECT_ALIGN - 1));
    asm_alu(a, ALU_AND, W32, end, end, op_imm(-OBJECT_ALIGN));
}

static void new_array(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    const State *s = n->state;
    Asm *a = &e->a;
    const Class *k = n->klass;
    bool imm = opt_imm(&e->b, n, 0);
    int64_t length = emit_const(e, n->in[0])->k;
    Reg o = emit_out(e, r), end = emit_temp(e, n, 0);
    HelperArg cell =
        n->exit == EXIT_AT ? (HelperArg){ARG_CONST, length} : (HelperArg){ARG_CELL, s->scope->floor + s->n_stack - 1};
    Later *slow = emit_help(e, r, info_behind(n, n->n_args), jit_h_newarray, cell, arg_const(n->what), o);
    emit_stress(e, &slow->at);
    if (!k || (imm && (u8)length > MAX_INLINE_LENGTH)) {
        asm_jump(a, &slow->at);
    } else {
        if (!imm) array_bytes(e, slow, k, emit_in(e, n, 0), MAX_INLINE_LENGTH, end);
        bump(e, slow, k, o, end, imm ? (u4)heap_array_size(k, (int32_t)length) : 0);
        Mem to = mem_at(o, offsetof(Array, length));
        if (imm) asm_store_const(a, MEM_32, to, (int32_t)length);
        else asm_store(a, MEM_32, to, emit_in(e, n, 0));
    }
    asm_bind(a, &slow->back);
}

/* By words, from the end; all arrays end at one.  The copy is the window's latest object: no card is marked for it. */
static void clone_array(Emit *e, Ref r) {
    enum { MOST = 256, WORD = 8 };
    const Node *n = opt_node(e->o, r);
    const State *s = n->state;
    Asm *a = &e->a;
    Reg from = emit_in(e, n, 0), o = emit_out(e, r), at = emit_temp(e, n, 0);
    HelperArg cell = {ARG_CELL, s->scope->floor + s->n_stack - 1};
    Later *slow = emit_help(e, r, info_behind(n, 1), jit_h_clone_array, cell, (HelperArg){.kind = ARG_NONE}, o);
    Label next = LABEL_INIT, done = LABEL_INIT;
    u4 first = a->n_fixups;
    emit_stress(e, &slow->at);
    asm_load(a, MEM_32, at, mem_at(from, offsetof(Array, length)));
    array_bytes(e, slow, n->klass, at, MOST, at);
    bump(e, slow, n->klass, o, at, 0);
    asm_load(a, MEM_32, ASM_SCRATCH, mem_at(from, offsetof(Array, length)));
    asm_store(a, MEM_32, mem_at(o, offsetof(Array, length)), ASM_SCRATCH);
    asm_alu(a, ALU_SUB, W64, at, at, op_reg(o));
    asm_bind(a, &next);
    asm_alu(a, ALU_SUB, W64, at, at, op_imm(WORD));
    asm_cmp(a, W64, at, op_imm(ARRAY_BASE));
    asm_branch(a, COND_LT, &done);
    asm_load(a, MEM_64, ASM_SCRATCH, mem_index(from, at, 0, 0));
    asm_store(a, MEM_64, mem_index(o, at, 0, 0), ASM_SCRATCH);
    asm_jump(a, &next);
    asm_bind(a, &done);
    asm_settle(a, first);
    asm_bind(a, &slow->back);
}

/* By the interpreter's function, which reads the instruction and its operands. */
static void new_arrays(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    const HelperArg none = {.kind = ARG_NONE};
    Later *slow = emit_help(e, r, info_behind(n, n->n_args), (const void *)jit_h_generic, none, none, emit_out(e, r));
    emit_stress(e, &slow->at);
    asm_jump(&e->a, &slow->at);
    asm_bind(&e->a, &slow->back);
}

/* --- all of them --- */

static bool emit_guard(Emit *e, Ref r) {
    switch ((OptOp)opt_node(e->o, r)->op) {
    case OPT_NOT_NULL: not_null(e, r); return true;
    case OPT_IN_BOUNDS: in_bounds(e, r); return true;
    case OPT_NOT_ZERO: not_zero(e, r); return true;
    case OPT_IS_CLASS: is_class(e, r); return true;
    case OPT_HAS_METHOD: has_method(e, r); return true;
    case OPT_IS_A: is_a(e, r); return true;
    case OPT_MAY_HOLD: may_hold(e, r); return true;
    case OPT_HOLDS: holds(e, r); return true;
    default: return false;
    }
}

bool emit_object(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    switch ((OptOp)n->op) {
    case OPT_LOAD:
    case OPT_PEEK:
    case OPT_ELEMENT: load(e, r); return true;
    case OPT_STORE: store(e, r, 1); return true;
    case OPT_POKE:
    case OPT_SET_ELEMENT: store(e, r, 2); return true;
    case OPT_CAS:
    case OPT_CAX: compare_and_set(e, r); return true;
    case OPT_ATOMIC_ADD: atomic(e, r, ATOMIC_ADD); return true;
    case OPT_ATOMIC_SWAP: atomic(e, r, ATOMIC_SWAP); return true;
    case OPT_LENGTH:
    case OPT_CLASS: load_word(e, r); return true;
    case OPT_CARD: card(e, r); return true;
    case OPT_SET_COUNT: asm_store_const(&e->a, (MemKind)n->kind, count_at(e, n), (int32_t)n->k); return true;
    case OPT_ADD_COUNT: add_count(e, n); return true;
    case OPT_FENCE: asm_fence(&e->a); return true;
    case OPT_FRESH: return true;
    case OPT_INSTANCE_OF: instance_of(e, r); return true;
    case OPT_NEW: new_object(e, r); return true;
    case OPT_NEW_ARRAY: new_array(e, r); return true;
    case OPT_NEW_ARRAYS: new_arrays(e, r); return true;
    case OPT_CLONE: clone_array(e, r); return true;
    case OPT_BOX: new_box(e, r); return true;
    case OPT_SHARED_BOX: find_shared(e, r); return true;
    default: return emit_guard(e, r);
    }
}
