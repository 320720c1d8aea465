/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: fields, calls, objects.  What an instruction means is read from qcode, where its first execution left it: an
 * offset, a cell.  One that has not run yet leaves compiled code (EXIT_UNQUICK).
 *
 * Methods that calls name are constants of the code: redefinition throws all code away before it turns cells and tables.
 */
#include "interp/quick.h"
#include "jit/base_int.h"
#include "load/loader.h"
#include "object/class.h"
#include "object/field.h"
#include "object/method.h"
#include "object/version.h"
#include <string.h>

static u2 operand_u2(const Compiler *c, u4 at) {
    u2 v;
    memcpy(&v, c->m->qcode + c->bci + at, 2);
    return v;
}
static void **cell_of(const Compiler *c) { return &c->m->qcells[operand_u2(c, 1)]; }
static const Field *field_of(const Compiler *c, const CfInsn *i) { return c->m->version->pool[i->index].field; }
static Class *class_at(Compiler *c) { return *cell_of(c); }

/* --- references in the heap --- */

static void mark_card(Compiler *c, Reg holder) {
    Reg t = temp(c);
    asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, t, holder, op_imm(9));
    asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)heap_card_bias);
    asm_store_const(&c->a, MEM_U8, mem_index(ASM_SCRATCH, t, 0, 0), 1);
}

static void store_ref(Compiler *c, Reg holder, Mem m, u4 cell) {
    const Value *v = &c->stack[cell];
    if (v->kind == V_CONST) {
        asm_store_const(&c->a, MEM_32, m, (int32_t)(u4)((u8)v->k >> 3));
        if (!v->k) return;
    } else {
        Reg r = use(c, cell), t = temp(c);
        asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, t, r, op_imm(3));
        asm_store(&c->a, MEM_32, m, t);
    }
    mark_card(c, holder);
}

/* --- fields --- */

/* Loads what a field of type t has and replaces n cells by it. */
static void load_value(Compiler *c, BasicType t, MemKind narrow, Mem m, u4 n, u4 reuse) {
    bool two = t == T_LONG || t == T_DOUBLE;
    if (t == T_FLOAT || t == T_DOUBLE) {
        u1 pin;
        FReg d = goes_to_pin(c, true, &pin) ? pin : ftemp(c);
        asm_fload(&c->a, two ? W64 : W32, d, m);
        pop(c, n);
        push_freg(c, d);
    } else {
        Reg d = n ? result_for(c, reuse) : temp(c);
        asm_load(&c->a, two ? MEM_64 : narrow, d, m);
        if (t == T_OBJECT || t == T_ARRAY) asm_shift(&c->a, SHIFT_LEFT, W64, d, d, op_imm(3));
        pop(c, n);
        push_reg(c, d);
    }
    if (two) push_hole(c);
}

static void get_field(Compiler *c, const CfInsn *i, MemKind k) {
    u4 at = c->depth - 1;
    Reg o = use(c, at);
    check_null(c, at, o);
    load_value(c, (BasicType)field_of(c, i)->type, k, mem_at(o, operand_u2(c, 1)), 1, at);
}

static void store_value(Compiler *c, BasicType t, MemKind k, Mem m, u4 cell) {
    const Value *v = &c->stack[cell];
    if (v->kind == V_FREG) asm_fstore(&c->a, k == MEM_64 ? W64 : W32, m, v->reg);
    else if (v->kind == V_CONST && v->k == (int32_t)v->k) asm_store_const(&c->a, k, m, (int32_t)v->k);
    else if (v->kind == V_CONST && k != MEM_64) asm_store_const(&c->a, k, m, (int32_t)v->k);
    else if (t == T_FLOAT || t == T_DOUBLE) asm_fstore(&c->a, k == MEM_64 ? W64 : W32, m, fuse(c, cell, k == MEM_64 ? W64 : W32));
    else asm_store(&c->a, k, m, use(c, cell));
}

static void put_field(Compiler *c, const CfInsn *i, MemKind k) {
    u4 n = k == MEM_64 ? 2 : 1, at = c->depth - n - 1;
    Reg o = use(c, at);
    check_null(c, at, o);
    store_value(c, (BasicType)field_of(c, i)->type, k, mem_at(o, operand_u2(c, 1)), at + 1);
    pop(c, n + 1);
}

static void put_boolean(Compiler *c) {
    u4 at = c->depth - 2;
    Reg o = use(c, at);
    check_null(c, at, o);
    Reg v = use(c, at + 1), t = temp(c);
    asm_alu(&c->a, ALU_AND, W32, t, v, op_imm(1));
    asm_store(&c->a, MEM_U8, mem_at(o, operand_u2(c, 1)), t);
    pop(c, 2);
}

static void put_ref(Compiler *c) {
    u4 at = c->depth - 2;
    Reg o = use(c, at);
    check_null(c, at, o);
    store_ref(c, o, mem_at(o, operand_u2(c, 1)), at + 1);
    pop(c, 2);
}

static Mem static_mem(Compiler *c) {
    Reg r = temp(c);
    asm_const(&c->a, r, (int64_t)(uintptr_t)*cell_of(c));
    return mem_at(r, 0);
}

static void get_static(Compiler *c, const CfInsn *i, MemKind k) {
    Mem m = static_mem(c);
    load_value(c, (BasicType)field_of(c, i)->type, k, m, 0, 0);
}

static void put_static(Compiler *c, const CfInsn *i, MemKind k) {
    u4 n = k == MEM_64 ? 2 : 1;
    Mem m = static_mem(c);
    store_value(c, (BasicType)field_of(c, i)->type, k, m, c->depth - n);
    pop(c, n);
}

static void put_static_ref(Compiler *c, const CfInsn *i) {
    const Field *fd = field_of(c, i);
    Reg mirror = temp(c);
    asm_const(&c->a, mirror, (int64_t)(uintptr_t)fd->holder->mirror);
    store_ref(c, mirror, mem_at(mirror, (int32_t)fd->offset), c->depth - 1);
    pop(c, 1);
}

static bool field_op(Compiler *c, const CfInsn *i, u1 quick) {
    switch (quick) {
    case Q_GETFIELD_B: get_field(c, i, MEM_S8); return true;
    case Q_GETFIELD_C: get_field(c, i, MEM_U16); return true;
    case Q_GETFIELD_S: get_field(c, i, MEM_S16); return true;
    case Q_GETFIELD_I: case Q_GETFIELD_A: get_field(c, i, MEM_32); return true;
    case Q_GETFIELD_J: get_field(c, i, MEM_64); return true;
    case Q_PUTFIELD_B: put_field(c, i, MEM_U8); return true;
    case Q_PUTFIELD_Z: put_boolean(c); return true;
    case Q_PUTFIELD_C: put_field(c, i, MEM_U16); return true;
    case Q_PUTFIELD_I: put_field(c, i, MEM_32); return true;
    case Q_PUTFIELD_J: put_field(c, i, MEM_64); return true;
    case Q_PUTFIELD_A: put_ref(c); return true;
    case Q_GETSTATIC_B: get_static(c, i, MEM_S8); return true;
    case Q_GETSTATIC_I: case Q_GETSTATIC_A: get_static(c, i, MEM_32); return true;
    case Q_GETSTATIC_J: get_static(c, i, MEM_64); return true;
    case Q_PUTSTATIC_I: put_static(c, i, MEM_32); return true;
    case Q_PUTSTATIC_J: put_static(c, i, MEM_64); return true;
    case Q_PUTSTATIC_A: put_static_ref(c, i); return true;
    case Q_FIELD_GENERIC:
        prepare_call(c);
        call_helper(c, jit_h_generic, c->pops, c->pushes);
        return true;
    default: return false;
    }
}

/* --- calls --- */

/* R_CALLEE is loaded; n cells of arguments.  The method calls its own code directly: if it is thrown away, frames of it do not get
 * here any more. */
static void call_method(Compiler *c, const Method *known, u4 n, u4 pushed) {
    asm_address(&c->a, R_ARGS, cell_mem(c->depth - n));
    if (known == c->m) asm_call(&c->a, &c->entry);
    else asm_call_mem(&c->a, mem_at(R_CALLEE, offsetof(Method, entry)));
    asm_address(&c->a, R_FRAME, mem_at(R_FRAME, -cell_mem(c->depth - n).disp));
    after_call(c, n, pushed);
}

static void check_receiver(Compiler *c, u4 n) {
    u4 at = c->depth - n;
    check_null(c, at, use(c, at));
}

static void call_static(Compiler *c) {
    const Method *m = *cell_of(c);
    prepare_call(c);
    asm_const(&c->a, R_CALLEE, (int64_t)(uintptr_t)m);
    call_method(c, m, m->arg_slots, c->pushes);
}

/* A constructor chain ends here; registering finalizable objects is for the interpreter. */
static void object_init(Compiler *c) {
    u4 at = c->depth - 1;
    Reg o = use(c, at), t = temp(c);
    asm_load(&c->a, MEM_32, t, mem_at(o, offsetof(Object, klass)));
    asm_test_mem(&c->a, MEM_32, mem_at(t, offsetof(Class, flags)), CF_FINALIZABLE);
    asm_branch(&c->a, COND_NE, exit_here(c, EXIT_REDO));
    pop(c, 1);
}

static void call_special(Compiler *c) {
    const Method *m = *cell_of(c);
    check_receiver(c, m->arg_slots);
    if (m->kind == MK_LEAF_OBJECT_INIT) return object_init(c);
    prepare_call(c);
    asm_const(&c->a, R_CALLEE, (int64_t)(uintptr_t)m);
    call_method(c, m, m->arg_slots, c->pushes);
}

static void call_virtual(Compiler *c, u4 n, u4 index) {
    u4 at = c->depth - n;
    Reg o = use(c, at);
    check_null(c, at, o);
    prepare_call(c);
    asm_load(&c->a, MEM_32, R_CALLEE, mem_at(o, offsetof(Object, klass)));
    asm_load(&c->a, MEM_64, R_CALLEE, mem_at(R_CALLEE, offsetof(Class, vtable)));
    asm_load(&c->a, MEM_64, R_CALLEE, mem_at(R_CALLEE, (int32_t)(8 * index)));
    call_method(c, NULL, n, c->pushes);
}

/* The method is chosen by a helper; what it throws is thrown at the call. */
static void call_chosen(Compiler *c, const void *helper, u4 n) {
    call_c(c, helper);
    asm_test_mem(&c->a, MEM_32, frame_mem(offsetof(Frame, flags)), FRAME_LEAVE_CODE);
    asm_branch(&c->a, COND_NE, exit_here(c, EXIT_REDO));
    asm_mov(&c->a, W64, R_CALLEE, R_AX);
    call_method(c, NULL, n, c->pushes);
}

static void call_interface(Compiler *c) {
    const Method *im = *cell_of(c);
    u4 n = c->m->qcode[c->bci + 3];
    check_receiver(c, n);
    prepare_call(c);
    asm_const(&c->a, R_DX, (int64_t)(uintptr_t)im);
    asm_load(&c->a, MEM_64, R_CX, cell_mem(c->depth - n));
    call_chosen(c, jit_h_select, n);
}

/* --- method handles: as the loop does it --- */

static void push_appendix(Compiler *c, const Object *o) {
    if (o) push_value(c, (Value){.kind = V_CONST, .k = (int64_t)(uintptr_t)o});
}

static void call_adapter(Compiler *c, const Method *m, const Object *appendix) {
    push_appendix(c, appendix);
    prepare_call(c);
    asm_const(&c->a, R_CALLEE, (int64_t)(uintptr_t)m);
    call_method(c, m, m->arg_slots, c->pushes);
}

static void call_site(Compiler *c) {
    int32_t n;
    memcpy(&n, c->m->qcode + c->bci + 1, 4);
    const CallSite *cs = c->m->version->call_sites[n];
    call_adapter(c, atomic_load_explicit(&cs->adapter, memory_order_acquire), cs->appendix);
}

static void call_handle(Compiler *c) {
    const ResolvedMethod *rm = *cell_of(c);
    check_receiver(c, rm->method->arg_slots - (rm->appendix != NULL));
    call_adapter(c, rm->method, rm->appendix);
}

static void call_linker(Compiler *c) {
    const ResolvedMethod *rm = *cell_of(c);
    prepare_call(c);
    asm_const(&c->a, R_DX, rm->method->kind);
    asm_address(&c->a, R_CX, cell_mem(c->depth - rm->arg_slots));
    call_chosen(c, jit_h_link, rm->arg_slots);
}

static bool invoke_op(Compiler *c, u1 quick) {
    switch (quick) {
    case Q_INVOKESTATIC_Q: call_static(c); return true;
    case Q_INVOKESPECIAL_Q: case Q_INVOKEFINAL_Q: call_special(c); return true;
    case Q_INVOKEVIRTUAL_Q: call_virtual(c, c->m->qcode[c->bci + 1], c->m->qcode[c->bci + 2]); return true;
    case Q_INVOKEVIRTUAL_W: {
        const ResolvedMethod *rm = *cell_of(c);
        call_virtual(c, rm->arg_slots, rm->vtable_index);
        return true;
    }
    case Q_INVOKEINTERFACE_Q: call_interface(c); return true;
    case Q_INVOKEDYNAMIC_Q: call_site(c); return true;
    case Q_INVOKEHANDLE_Q: call_handle(c); return true;
    case Q_INVOKEINTRIN_Q: call_linker(c); return true;
    default: return false;
    }
}

/* --- objects --- */

static void new_object(Compiler *c) {
    prepare_call(c);
    asm_const(&c->a, R_DX, (int64_t)(uintptr_t)class_at(c));
    call_helper(c, jit_h_new, 0, 1);
    top(c, 1)->safe = true;
}

static void new_array(Compiler *c, Class *component) {
    u4 at = c->depth - 1;
    prepare_call(c);
    asm_load(&c->a, MEM_32, R_DX, cell_mem(at));
    asm_const(&c->a, R_CX, (int64_t)(uintptr_t)component);
    call_helper(c, jit_h_newarray, 1, 1);
    top(c, 1)->safe = true;
}

static bool has_display(const Class *k) {
    return !(k->access & ACC_INTERFACE) && k->depth < DISPLAY_DEPTH && !(k->flags & CF_ARRAY);
}

/* Flags: equal if the object in r, not null, is of class k, which has_display.  t: a temporary, taken before anything branches, since
 * making room for it stores a cell. */
static void compare_class(Compiler *c, const Class *k, Reg r, Reg t) {
    asm_load(&c->a, MEM_32, t, mem_at(r, offsetof(Object, klass)));
    asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)k);
    asm_cmp_mem(&c->a, MEM_64, mem_at(t, (int32_t)(offsetof(Class, display) + 8 * k->depth)), op_reg(ASM_SCRATCH));
}

/* Asks a helper; everything is in memory.  The object is in r, not null; the answer in rax. */
static void ask_subtype(Compiler *c, Class *k, Reg r) {
    asm_load(&c->a, MEM_32, R_DX, mem_at(r, offsetof(Object, klass)));
    asm_const(&c->a, R_CX, (int64_t)(uintptr_t)k);
    asm_call_c(&c->a, jit_h_subtype, true);
}

static void check_cast(Compiler *c) {
    Class *k = class_at(c);
    u4 at = c->depth - 1;
    Reg r = use(c, at), t = R_AX;
    Label ok = LABEL_INIT;
    bool display = has_display(k);
    if (display) t = temp(c);
    else prepare_call(c);
    Label *out = exit_here(c, EXIT_CAST);
    u4 first = c->a.n_fixups;
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, &ok);
    if (display) {
        compare_class(c, k, r, t);
        asm_branch(&c->a, COND_NE, out);
    } else {
        ask_subtype(c, k, r);
        asm_test(&c->a, W32, R_AX, op_imm(1));
        asm_branch(&c->a, COND_EQ, out);
    }
    asm_bind(&c->a, &ok);
    asm_settle(&c->a, first);
}

static void instance_of(Compiler *c) {
    Class *k = class_at(c);
    u4 at = c->depth - 1;
    Reg r = use(c, at), d;
    Label done = LABEL_INIT;
    bool display = has_display(k);
    if (!display) {
        prepare_call(c);
        take_register(c, R_AX);
    }
    u4 first = c->a.n_fixups;
    d = display ? temp(c) : R_AX;
    if (display) {
        Reg t = temp(c);
        asm_const(&c->a, d, 0);
        asm_cmp(&c->a, W64, r, op_imm(0));
        asm_branch(&c->a, COND_EQ, &done);
        asm_load(&c->a, MEM_32, t, mem_at(r, offsetof(Object, klass)));
        asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)k);
        asm_cmp_mem(&c->a, MEM_64, mem_at(t, (int32_t)(offsetof(Class, display) + 8 * k->depth)), op_reg(ASM_SCRATCH));
        asm_set(&c->a, COND_EQ, d);
    } else {
        if (r != R_AX) asm_mov(&c->a, W64, R_AX, r);
        asm_cmp(&c->a, W64, R_AX, op_imm(0));
        asm_branch(&c->a, COND_EQ, &done);
        ask_subtype(c, k, R_AX);
        asm_alu(&c->a, ALU_AND, W32, R_AX, R_AX, op_imm(1));
    }
    asm_bind(&c->a, &done);
    asm_settle(&c->a, first);
    pop(c, 1);
    push_reg(c, d);
}

/* Null passes casts and tests without resolution: a site that has seen nothing else is not quick. */
static void unquick_type_op(Compiler *c, u1 op) {
    Reg r = use(c, c->depth - 1);
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_NE, exit_here(c, EXIT_UNQUICK));
    if (op == CF_OP_CHECKCAST) return;
    pop(c, 1);
    push_const(c, 0);
}

static void store_element(Compiler *c) {
    u4 a = c->depth - 3;
    Reg ra = use(c, a), ri;
    check_null(c, a, ra);
    ri = use(c, a + 1);
    asm_cmp(&c->a, W32, ri, op_mem(mem_at(ra, offsetof(Array, length))));
    asm_branch(&c->a, COND_ABOVE_EQ, exit_here(c, EXIT_INDEX));
    prepare_call(c);
    call_helper(c, jit_h_aastore, 3, 0);
}

static void monitor(Compiler *c, bool enter) {
    check_receiver(c, 1);
    prepare_call(c);
    if (enter) clear_pins(c);
    asm_load(&c->a, MEM_64, R_DX, cell_mem(c->depth - 1));
    call_helper(c, enter ? jit_h_monitorenter : jit_h_monitorexit, 1, 0);
}

static bool allocation_op(Compiler *c, const CfInsn *i, u1 quick) {
    switch (quick) {
    case Q_NEW_Q: case Q_NEW_SLOW: new_object(c); return true;
    case CF_OP_NEWARRAY: new_array(c, primitive_classes[i->imm]); return true;
    case Q_ANEWARRAY_Q: new_array(c, class_at(c)); return true;
    case CF_OP_MULTIANEWARRAY:
        prepare_call(c);
        call_helper(c, jit_h_generic, c->pops, c->pushes);
        return true;
    case Q_CHECKCAST_Q: check_cast(c); return true;
    case Q_INSTANCEOF_Q: instance_of(c); return true;
    case CF_OP_CHECKCAST: case CF_OP_INSTANCEOF: unquick_type_op(c, quick); return true;
    case CF_OP_AASTORE: store_element(c); return true;
    case CF_OP_MONITORENTER: monitor(c, true); return true;
    case CF_OP_MONITOREXIT: monitor(c, false); return true;
    default: return false;
    }
}

bool base_object_op(Compiler *c, const CfInsn *i, u1 quick) {
    if (field_op(c, i, quick) || invoke_op(c, quick) || allocation_op(c, i, quick)) return true;
    u1 op = i->op; /* needs to run once */
    if ((op >= CF_OP_GETSTATIC && op <= CF_OP_NEW && quick == op) || (op == CF_OP_ANEWARRAY && quick == op)) {
        exit_now(c, EXIT_UNQUICK);
        return true;
    }
    return false;
}
