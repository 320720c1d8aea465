/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: fields, calls, objects.  What an instruction means is read from qcode, where its first execution left it: an
 * offset, a cell.  One that has not run yet leaves compiled code (EXIT_UNQUICK).
 *
 * Methods that calls name are constants of the code.  They come from cells of its class (class_note_use), so redefinition knows which
 * code to throw away before it turns cells and tables: jit_forget_users.
 */
#include "core/options.h"
#include "heap/alloc.h"
#include "heap/records.h"
#include "interp/parts.h"
#include "quick/quick.h"
#include "jit/base_handles.h"
#include "jit/base_inline.h"
#include "jit/policy.h"
#include "jit/base_int.h"
#include "jit/base_intrinsic.h"
#include "jit/base_slow.h"
#include "jit/base_monitor.h"
#include "load/loader.h"
#include "object/class.h"
#include "object/field.h"
#include "object/method.h"
#include "object/version.h"
#include <stdlib.h>
#include <string.h>

static u2 operand_u2(const Compiler *c, u4 at) {
    u2 v;
    memcpy(&v, c->m->qcode + c->bci + at, 2);
    return v;
}
static void **cell_of(const Compiler *c) { return &c->m->qcells[operand_u2(c, 1)]; }
static const Field *field_of(const Compiler *c, const CfInsn *i) { return c->m->version->pool[i->index].field; }
static Class *class_at(Compiler *c) { return *cell_of(c); }

/* The next instruction reads or writes m in the object of the cell, which may be null; or in none. */
enum { NO_OBJECT = -1 };
static void first_access(Compiler *c, int cell, Mem m) {
    if (cell != NO_OBJECT) check_by_access(c, (u4)cell, m.base, m.disp);
}

/* The same, where the cell was flushed since it was `was`. */
static void first_access_as(Compiler *c, Value was, u4 cell, Mem m) {
    check_by_access(c, cell, m.base, m.disp);
    make_safe(c, &was);
}

/* --- references in the heap --- */

void mark_card(Compiler *c, Reg holder, Reg t) { code_mark_card(&c->a, holder, t); }

/* No collection since it was made: it is young, and cards are for old ones. */
static bool is_young(const Compiler *c, u4 cell) { return value_of(c, cell)->born == c->stop; }

/* `of`: the cell of the object, if it may be null. */
static void store_ref(Compiler *c, Reg holder, Mem m, u4 cell, int of, bool young) {
    const Value *v = &c->stack[cell];
    Reg t;
    if (v->kind == V_CONST) {
        first_access(c, of, m);
        asm_store_const(&c->a, MEM_32, m, (int32_t)(u4)((u8)v->k >> 3));
        if (!v->k || young) return;
        t = temp(c);
    } else {
        Reg r = use(c, cell);
        t = temp(c);
        asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, t, r, op_imm(3));
        first_access(c, of, m);
        asm_store(&c->a, MEM_32, m, t);
    }
    if (!young) mark_card(c, holder, t);
}

/* --- fields --- */

/* Loads what a field of type t has and replaces n cells by it: none, or that of the object, `reuse`. */
static void load_value(Compiler *c, BasicType t, MemKind narrow, Mem m, u4 n, u4 reuse) {
    bool two = t == T_LONG || t == T_DOUBLE;
    if (t == T_FLOAT || t == T_DOUBLE) {
        u1 pin;
        FReg d = goes_to_pin(c, true, &pin) ? pin : ftemp(c);
        first_access(c, n ? (int)reuse : NO_OBJECT, m);
        asm_fload(&c->a, two ? W64 : W32, d, m);
        pop(c, n);
        push_freg(c, d);
    } else {
        Reg d = n ? result_for(c, reuse) : temp(c);
        first_access(c, n ? (int)reuse : NO_OBJECT, m);
        asm_load(&c->a, two ? MEM_64 : narrow, d, m);
        if (t == T_OBJECT || t == T_ARRAY) asm_shift(&c->a, SHIFT_LEFT, W64, d, d, op_imm(3));
        pop(c, n);
        push_reg(c, d);
    }
    if (two) push_hole(c);
}

static void get_field(Compiler *c, const CfInsn *i, MemKind k) {
    u4 at = c->depth - 1;
    if (handles_field(c, field_of(c, i))) return;
    Reg o = use(c, at);
    load_value(c, (BasicType)field_of(c, i)->type, k, mem_at(o, operand_u2(c, 1)), 1, at);
}

static void store_value(Compiler *c, BasicType t, MemKind k, Mem m, u4 cell, int of) {
    Width w = k == MEM_64 ? W64 : W32;
    const Value *v = &c->stack[cell];
    if (v->kind == V_CONST && (v->k == (int32_t)v->k || k != MEM_64)) {
        first_access(c, of, m);
        asm_store_const(&c->a, k, m, (int32_t)v->k);
    } else if (v->kind == V_FREG || t == T_FLOAT || t == T_DOUBLE) {
        FReg r = fuse(c, cell, w);
        first_access(c, of, m);
        asm_fstore(&c->a, w, m, r);
    } else {
        Reg r = use(c, cell);
        first_access(c, of, m);
        asm_store(&c->a, k, m, r);
    }
}

static void put_field(Compiler *c, const CfInsn *i, MemKind k) {
    u4 n = k == MEM_64 ? 2 : 1, at = c->depth - n - 1;
    Reg o = use(c, at);
    store_value(c, (BasicType)field_of(c, i)->type, k, mem_at(o, operand_u2(c, 1)), at + 1, (int)at);
    pop(c, n + 1);
}

static void put_boolean(Compiler *c) {
    u4 at = c->depth - 2;
    Reg o = use(c, at);
    Mem m = mem_at(o, operand_u2(c, 1));
    if (c->stack[at + 1].kind == V_CONST) {
        first_access(c, (int)at, m);
        asm_store_const(&c->a, MEM_U8, m, (int32_t)(c->stack[at + 1].k & 1));
        return pop(c, 2);
    }
    Reg v = use(c, at + 1), t = temp(c);
    asm_alu(&c->a, ALU_AND, W32, t, v, op_imm(1));
    first_access(c, (int)at, m);
    asm_store(&c->a, MEM_U8, m, t);
    pop(c, 2);
}

static void put_ref(Compiler *c) {
    u4 at = c->depth - 2;
    Reg o = use(c, at);
    store_ref(c, o, mem_at(o, operand_u2(c, 1)), at + 1, (int)at, is_young(c, at));
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
    store_value(c, (BasicType)field_of(c, i)->type, k, m, c->depth - n, NO_OBJECT);
    pop(c, n);
}

static void put_static_ref(Compiler *c, const CfInsn *i) {
    const Field *fd = field_of(c, i);
    Reg mirror = temp(c);
    asm_const(&c->a, mirror, (int64_t)(uintptr_t)fd->holder->mirror);
    store_ref(c, mirror, mem_at(mirror, (int32_t)fd->offset), c->depth - 1, NO_OBJECT, false);
    pop(c, 1);
}

/* Fields that have no quick instruction: volatile stores, static ones of some types.  Watches throw the code away. */

static MemKind kind_of(BasicType t) {
    switch (t) {
    case T_BYTE:
    case T_BOOLEAN: return MEM_S8;
    case T_CHAR: return MEM_U16;
    case T_SHORT: return MEM_S16;
    case T_LONG:
    case T_DOUBLE: return MEM_64;
    default: return MEM_32;
    }
}

/* The holder's register; its field's type and place are fd's. */
static Reg holder_of(Compiler *c, const CfInsn *i, const Field *fd, u4 at) {
    if (i->op == CF_OP_GETSTATIC || i->op == CF_OP_PUTSTATIC) {
        Reg r = temp(c);
        asm_const(&c->a, r, (int64_t)(uintptr_t)fd->holder->mirror);
        return r;
    }
    Reg o = use(c, at);
    check_null(c, at, o);
    return o;
}

static void get_generic(Compiler *c, const CfInsn *i, const Field *fd) {
    u4 n = i->op == CF_OP_GETFIELD, at = c->depth - 1;
    Reg o = holder_of(c, i, fd, at);
    load_value(c, (BasicType)fd->type, kind_of((BasicType)fd->type), mem_at(o, (int32_t)fd->offset), n, at);
}

static void put_generic(Compiler *c, const CfInsn *i, const Field *fd) {
    BasicType t = (BasicType)fd->type;
    u4 n = (u4)type_slots(t), value = c->depth - n;
    Reg o = holder_of(c, i, fd, value - 1);
    Mem m = mem_at(o, (int32_t)fd->offset);
    if (t == T_BOOLEAN) {
        Reg v = use(c, value), bit = temp(c);
        asm_alu(&c->a, ALU_AND, W32, bit, v, op_imm(1));
        asm_store(&c->a, MEM_U8, m, bit);
    } else if (t == T_OBJECT || t == T_ARRAY) {
        store_ref(c, o, m, value, NO_OBJECT, false);
    } else {
        store_value(c, t, kind_of(t), m, value, NO_OBJECT);
    }
    if (fd->access & ACC_VOLATILE) asm_fence(&c->a);
    pop(c, n + (i->op == CF_OP_PUTFIELD));
}

static void generic_field(Compiler *c, const CfInsn *i) {
    const Field *fd = field_of(c, i);
    if (fd->flags & (FIELD_ACCESS_WATCH | FIELD_MODIFY_WATCH) || offset_is_outside(fd->offset)) {
        prepare_call(c);
        call_helper(c, jit_h_generic, c->pops, c->pushes);
    } else if (i->op == CF_OP_GETFIELD || i->op == CF_OP_GETSTATIC) {
        get_generic(c, i, fd);
    } else {
        put_generic(c, i, fd);
    }
}

static bool field_op(Compiler *c, const CfInsn *i, u1 quick) {
    if (i->op == CF_OP_GETSTATIC && quick != CF_OP_GETSTATIC && handles_static(c, field_of(c, i))) return true;
    switch (quick) {
    case Q_GETFIELD_B: get_field(c, i, MEM_S8); return true;
    case Q_GETFIELD_C: get_field(c, i, MEM_U16); return true;
    case Q_GETFIELD_S: get_field(c, i, MEM_S16); return true;
    case Q_GETFIELD_I:
    case Q_GETFIELD_A: get_field(c, i, MEM_32); return true;
    case Q_GETFIELD_J: get_field(c, i, MEM_64); return true;
    case Q_PUTFIELD_B: put_field(c, i, MEM_U8); return true;
    case Q_PUTFIELD_Z: put_boolean(c); return true;
    case Q_PUTFIELD_C: put_field(c, i, MEM_U16); return true;
    case Q_PUTFIELD_I: put_field(c, i, MEM_32); return true;
    case Q_PUTFIELD_J: put_field(c, i, MEM_64); return true;
    case Q_PUTFIELD_A: put_ref(c); return true;
    case Q_GETSTATIC_B: get_static(c, i, MEM_S8); return true;
    case Q_GETSTATIC_I:
    case Q_GETSTATIC_A: get_static(c, i, MEM_32); return true;
    case Q_GETSTATIC_J: get_static(c, i, MEM_64); return true;
    case Q_PUTSTATIC_I: put_static(c, i, MEM_32); return true;
    case Q_PUTSTATIC_J: put_static(c, i, MEM_64); return true;
    case Q_PUTSTATIC_A: put_static_ref(c, i); return true;
    case Q_FIELD_GENERIC: generic_field(c, i); return true;
    default: return false;
    }
}

/* --- calls --- */

/* Does the instruction's method return a float or double?  That comes in a register of its kind. */
bool call_gives_fp(const Compiler *c) {
    CfStr name, desc;
    if (!c->pushes || !cf_name_and_type(c->m->version->cf, c->insn->index, &name, &desc)) return false;
    char last = desc.p[desc.len - 1];
    return (last == 'F' || last == 'D') && desc.p[desc.len - 2] == ')';
}

/* The method calls its own code directly: if it is thrown away, frames of it do not get here any more. */
void call_callee(Compiler *c, const Method *known, u4 args) {
    asm_address(&c->a, R_ARGS, cell_mem(args));
    if (c->scope) asm_address(&c->a, R_FRAME, inline_frame(c));
    if (known == c->root) asm_call(&c->a, &c->entry);
    else asm_call_mem(&c->a, mem_at(R_CALLEE, offsetof(Method, entry)));
    asm_address(&c->a, R_FRAME, mem_at(R_FRAME, -cell_mem(args).disp));
    c->calls = true;
}

/* The same and what follows it; n cells of arguments. */
void call_method(Compiler *c, const Method *known, u4 n, u4 pushed) {
    call_callee(c, known, c->depth - n);
    after_call(c, n, pushed, call_gives_fp(c));
}

static void check_receiver(Compiler *c, u4 n) {
    u4 at = c->depth - n;
    if (!c->stack[at].safe) check_null(c, at, use(c, at));
}
static bool is_getter(const Method *m) {
    MethodKind kind = (MethodKind)__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    return kind >= MK_LEAF_GET_B && kind <= MK_LEAF_GET_A;
}

/* --- short callees: quick/leaf.c.  Who takes the kind from a method throws all code away --- */

/* Of a counter or the like in native memory; a known one is a constant. */
static Mem poked_mem(Compiler *c, const Method *m, u4 args) {
    const Leaf *leaf = &m->leaf;
    const Value *v = value_of(c, args + leaf->from);
    u8 base = (uintptr_t)m->native_shape;
    Reg where = temp(c);
    if (v->kind == V_CONST) {
        asm_const(&c->a, where, (int64_t)(base + ((u8)(int64_t)(int32_t)v->k << leaf->shift)));
        return mem_at(where, 0);
    }
    Reg index = use(c, args + leaf->from), at = temp(c);
    asm_unary(&c->a, UNARY_SIGN32, W64, at, index);
    asm_shift(&c->a, SHIFT_LEFT, W64, at, at, op_imm(leaf->shift));
    asm_const(&c->a, where, (int64_t)base);
    return mem_index(where, at, 0, 0);
}

static void poke(Compiler *c, const Method *m, u4 args) {
    const Leaf *leaf = &m->leaf;
    Mem cell = poked_mem(c, m, args);
    Reg value;
    switch ((LeafPoke)leaf->op) {
    case POKE_PUT_1: asm_store_const(&c->a, MEM_U8, cell, leaf->value); break;
    case POKE_PUT_4: asm_store_const(&c->a, MEM_32, cell, leaf->value); break;
    case POKE_PUT_8: asm_store_const(&c->a, MEM_64, cell, leaf->value); break;
    case POKE_ADD_4:
    case POKE_ADD_8:
        value = temp(c);
        asm_const(&c->a, value, leaf->value);
        asm_atomic(&c->a, ATOMIC_ADD, leaf->op == POKE_ADD_4 ? MEM_32 : MEM_64, value, cell, value);
        break;
    }
}

/* A constructor chain ends here; registering finalizable objects is for the interpreter. */
static void object_init(Compiler *c, u4 cell) {
    const Class *k = value_of(c, cell)->klass;
    if (k && !(k->flags & CF_FINALIZABLE)) return;
    Reg o = use(c, cell), t = temp(c);
    asm_load(&c->a, MEM_32, t, mem_at(o, offsetof(Object, klass)));
    asm_test_mem(&c->a, MEM_32, mem_at(t, offsetof(Class, flags)), CF_FINALIZABLE);
    asm_branch(&c->a, COND_NE, exit_here(c, EXIT_REDO));
}

/* The receiver is checked, unless m is a getter.  False: m is to be called. */
static bool inline_leaf(Compiler *c, const Method *m) {
    MethodKind kind = (MethodKind)__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    u4 args = c->depth - m->arg_slots;
    Mem field;
    switch (kind) {
    case MK_LEAF_EMPTY: break;
    case MK_LEAF_OBJECT_INIT: object_init(c, args); break;
    case MK_LEAF_POKE: poke(c, m, args); break;
    case MK_LEAF_GET_B:
    case MK_LEAF_GET_I:
    case MK_LEAF_GET_J:
    case MK_LEAF_GET_A:
        field = mem_at(use(c, args), m->leaf.offset);
        load_value(c, (BasicType)m->ret_type, kind == MK_LEAF_GET_B ? MEM_S8 : MEM_32, field, 1, args);
        return true;
    default: return false;
    }
    pop(c, m->arg_slots);
    return true;
}

bool call_in_place(Compiler *c, Method *m) {
    return !c->reports && (inline_leaf(c, m) || base_intrinsic(c, m) || inline_call(c, m));
}

static void call_known(Compiler *c, Method *m) {
    if ((!c->reports && handles_call(c, m)) || call_in_place(c, m)) return;
    prepare_call(c);
    asm_const(&c->a, R_CALLEE, (int64_t)(uintptr_t)m);
    call_method(c, m, m->arg_slots, c->pushes);
}

static void call_special(Compiler *c) {
    Method *m = *cell_of(c);
    if (c->reports || !is_getter(m)) check_receiver(c, m->arg_slots); /* the load of a getter asks */
    call_known(c, m);
}

/* Leaves whose result is in a general register. */
static bool has_simple_body(const Method *m) {
    bool fp = m->ret_type == T_FLOAT || m->ret_type == T_DOUBLE;
    return (is_getter(m) && !fp) || __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE) == MK_LEAF_EMPTY;
}

/* The class that the instruction names. */
static Class *named_class(const Compiler *c) {
    const ClassVersion *v = c->m->version;
    u4 index = cf_const(v->cf, c->insn->index)->a;
    bool resolved = atomic_load_explicit(&v->pool_state[index], memory_order_acquire) == POOL_RESOLVED;
    return resolved ? v->pool[index].klass : NULL;
}

/* Is the class there as long as code that has m? */
static bool lives_long(const Compiler *c, const Class *k, const Method *m) {
    const Loader *l = k->loader;
    return k == m->holder ||
           (!(k->flags & CF_HIDDEN) && (l == BOOT_LOADER || l == m->holder->loader || l == c->root->holder->loader));
}

const Class *sole_receiver(const Compiler *c, Class *named, const Method *m, u4 index) {
    const Class *k = named ? class_only_concrete(named) : NULL;
    bool linked = k && atomic_load_explicit(&k->state, memory_order_acquire) >= CLASS_LINKED;
    return linked && index < k->vtable_len && k->vtable[index] == m && lives_long(c, k, m) ? k : NULL;
}

void guard_receiver(Compiler *c, const Method *m, const Class *k, u4 receiver, Reg o, Reg t, u4 index, Label *other) {
    Mem klass = mem_at(o, offsetof(Object, klass));
    first_access(c, (int)receiver, klass);
    if (k) {
        asm_cmp_mem(&c->a, MEM_32, klass, op_imm((int32_t)(u4)(uintptr_t)k));
    } else {
        asm_load(&c->a, MEM_32, t, klass);
        asm_load(&c->a, MEM_64, t, mem_at(t, offsetof(Class, vtable)));
        asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)m);
        asm_cmp_mem(&c->a, MEM_64, mem_at(t, (int32_t)(8 * index)), op_reg(ASM_SCRATCH));
    }
    asm_branch(&c->a, COND_NE, other);
}

bool guards_leaf(const Method *m) { return has_simple_body(m) || base_is_short(m); }

/* A call that finds m in objects of k, or NULL: with m at `index`; its body is here for them.  site: of an interface call. */
static void guarded_leaf(Compiler *c, Method *m, const Class *k, u4 n, u4 index, const SiteCache *site) {
    u4 at = c->depth - n;
    Reg o = use(c, at), d = c->pushes ? temp(c) : NO_REG, t = temp(c);
    if (k) inline_note(c, m);                            /* a comparison of vtables would notice that m is another */
    if (vm_options.deopt_interval) check_null(c, at, o); /* slow paths are taken for their own sake */
    Later *slow = slow_virtual(c, index, n, d);
    slow->chooses = site;
    guard_receiver(c, m, k, at, o, t, index, &slow->at);
    if (base_is_short(m)) {
        base_short(c, m, o, d, t, &slow->at);
    } else if (c->pushes) {
        asm_load(&c->a, c->pushes == 2 ? MEM_64 : m->kind == MK_LEAF_GET_B ? MEM_S8 : MEM_32, d, mem_at(o, m->leaf.offset));
        if (m->kind == MK_LEAF_GET_A) asm_shift(&c->a, SHIFT_LEFT, W64, d, d, op_imm(3));
    }
    asm_bind(&c->a, &slow->back);
    pop(c, n);
    if (c->pushes) push_reg(c, d);
    if (c->pushes == 2) push_hole(c);
}

static void load_callee(Compiler *c, Mem klass, u4 index) {
    asm_load(&c->a, MEM_32, R_CALLEE, klass);
    asm_load(&c->a, MEM_64, R_CALLEE, mem_at(R_CALLEE, offsetof(Class, vtable)));
    asm_load(&c->a, MEM_64, R_CALLEE, mem_at(R_CALLEE, (int32_t)(8 * index)));
}

void call_by_vtable(Compiler *c, u4 receiver, u4 index) {
    asm_load(&c->a, MEM_64, R_CALLEE, cell_mem(receiver));
    load_callee(c, mem_at(R_CALLEE, offsetof(Object, klass)), index);
    call_callee(c, NULL, receiver);
}

/* Object.clone: arrays by a helper, other receivers by their class's method. */
static void call_clone(Compiler *c, u4 index) {
    Label done = LABEL_INIT;
    u4 first = c->a.n_fixups, at = c->depth - 1;
    check_null(c, at, use(c, at));
    prepare_call(c);
    asm_load(&c->a, MEM_64, R_DX, cell_mem(at));
    call_c(c, jit_h_clone);
    asm_cmp(&c->a, W64, R_AX, op_imm(0));
    asm_branch(&c->a, COND_NE, &done);
    call_by_vtable(c, at, index);
    asm_bind(&c->a, &done);
    asm_settle(&c->a, first);
    after_call(c, 1, 1, false);
}

static SiteCache *new_site(Compiler *c, Method *im, u4 index) {
    SiteCache *s = malloc(sizeof *s);
    if (!s) return c->no_memory = true, NULL;
    *s = (SiteCache){.imethod = im, .next = c->sites, .m = c->m, .bci = c->bci, .vtable_index = index};
    sites_start(s);
    TSAN_RELEASE(s); /* compiled code leads to it */
    return c->sites = s;
}

/* What is seen when the code is made anew no more is for the optimising compiler. */
static bool counts_sites(const Compiler *c) {
    return vm_options.inlining && !c->plain && (sites_wanted(c->root) || jit_optimises());
}

/* A body for objects of the class that this call saw before.  site: of an interface call, of im; else NULL, both. */
static bool by_receiver_seen(Compiler *c, const Method *im, u4 n, u4 index, const SiteCache *site) {
    Class *k = c->plain || !vm_options.inlining ? NULL : sites_receiver(c->root, c->m, c->bci);
    Method *m = k ? sites_target(k, im, index) : NULL;
    if (!m || m->arg_slots != n || !lives_long(c, k, m)) return false;
    if (guards_leaf(m)) guarded_leaf(c, m, k, n, index, site);
    else if (base_is_c(m)) guarded_c(c, m, k, n, index, site);
    else return inline_guarded(c, m, k, n, index, site);
    return true;
}

/* A call of `named`, in objects of class `of`, or NULL. */
static void count_virtual(Compiler *c, const Method *named, Class *of, u4 index, u4 at) {
    if (!counts_sites(c) || class_only_target(of ? of : named->holder, index)) return;
    const SiteCache *s = new_site(c, NULL, index);
    if (s) count_site(c, s, at);
}

static void call_virtual(Compiler *c, const CfInsn *i, u4 n, u4 index) {
    Method *only = handles_virtual(c, n, index);
    if (only) return call_known(c, only);
    const ClassVersion *v = c->m->version;
    bool resolved = atomic_load_explicit(&v->pool_state[i->index], memory_order_acquire) == POOL_RESOLVED;
    Method *named = resolved && !c->reports ? v->pool[i->index].method->method : NULL;
    u4 at = c->depth - n;
    if (named && guards_leaf(named)) {
        const Class *sole = sole_receiver(c, named_class(c), named, index);
        if (!sole && by_receiver_seen(c, NULL, n, index, NULL)) return;
        if (!sole) count_virtual(c, named, named_class(c), index, at);
        return guarded_leaf(c, named, sole, n, index, NULL);
    }
    if (named && base_is_clone(named)) return call_clone(c, index);
    Reg o = use(c, at);
    Mem klass = mem_at(o, offsetof(Object, klass));
    Class *of = named_class(c);
    if (named && inline_virtual(c, of ? of : named->holder, n, index)) return;
    if (by_receiver_seen(c, NULL, n, index, NULL)) return;
    if (named) count_virtual(c, named, of, index, at);
    Value receiver = c->stack[at];
    prepare_call(c);
    first_access_as(c, receiver, at, klass);
    load_callee(c, klass, index);
    call_method(c, NULL, n, c->pushes);
}

/* R_CALLEE is what a helper chooses; what it throws is thrown at the call. */
static void choose(Compiler *c, const void *helper) {
    call_c(c, helper);
    Later *l = new_later(c, LATER_EXIT, c->bci, c->depth);
    l->info = exit_redo(c, EXIT_REDO, 0);
    test_leave(c, &l->at);
    asm_mov(&c->a, W64, R_CALLEE, R_AX);
}

/* The method that this call chose first, or by the thread's method cache, or by the helper, which fills both. */
static void call_interface(Compiler *c) {
    u4 n = c->m->qcode[c->bci + 3], at = c->depth - n;
    Method *only = handles_interface(c, n, *cell_of(c));
    if (only) return call_known(c, only);
    SiteCache *s = new_site(c, *cell_of(c), 0);
    if (!s || by_receiver_seen(c, s->imethod, n, 0, s)) return;
    if (counts_sites(c)) count_site(c, s, at);
    Reg o = use(c, at), k = R_AX;
    Mem klass = mem_at(o, offsetof(Object, klass));
    Value receiver = c->stack[at];
    prepare_call(c);
    if (vm_options.deopt_interval) check_null(c, at, o); /* slow paths are taken for their own sake */
    Later *slow = slow_call(c, jit_h_select, arg_const(s), arg_cell(at), 0, R_CALLEE);
    slow->info = exit_redo(c, EXIT_REDO, 0); /* what it throws is thrown at the call */
    slow->about = R_DX;
    first_access_as(c, receiver, at, klass);
    asm_load(&c->a, MEM_32, k, klass);
    asm_const(&c->a, slow->about, (int64_t)(uintptr_t)s);
    asm_cmp_mem(&c->a, MEM_32, mem_at(slow->about, offsetof(SiteCache, klass)), op_reg(k));
    asm_branch(&c->a, COND_NE, &slow->at);
    asm_load(&c->a, MEM_64, R_CALLEE, mem_at(slow->about, offsetof(SiteCache, target)));
    asm_bind(&c->a, &slow->back);
    call_method(c, NULL, n, c->pushes);
}

/* --- method handles: as the loop does it --- */

static void push_appendix(Compiler *c, const Object *o) {
    if (o) push_value(c, (Value){.kind = V_CONST, .k = (int64_t)(uintptr_t)o, .safe = true});
}

static void call_adapter(Compiler *c, Method *m, const Object *appendix) {
    push_appendix(c, appendix);
    if (inline_call(c, m)) return;
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
    if (handles_link(c, rm)) return;
    prepare_call(c);
    Label slow = LABEL_INIT, found = LABEL_INIT;
    u4 first = c->a.n_fixups;
    if (handles_find(c, rm, &slow)) {
        asm_jump(&c->a, &found);
        asm_bind(&c->a, &slow);
    }
    asm_const(&c->a, R_DX, rm->method->kind);
    asm_address(&c->a, R_CX, cell_mem(c->depth - rm->arg_slots));
    choose(c, jit_h_link);
    asm_bind(&c->a, &found);
    asm_settle(&c->a, first);
    call_method(c, NULL, rm->arg_slots, c->pushes);
}

static bool invoke_op(Compiler *c, const CfInsn *i, u1 quick) {
    switch (quick) {
    case Q_INVOKESTATIC_Q: call_known(c, *cell_of(c)); return true;
    case Q_INVOKESPECIAL_Q:
    case Q_INVOKEFINAL_Q: call_special(c); return true;
    case Q_INVOKEVIRTUAL_Q: call_virtual(c, i, c->m->qcode[c->bci + 1], c->m->qcode[c->bci + 2]); return true;
    case Q_INVOKEVIRTUAL_W: {
        const ResolvedMethod *rm = *cell_of(c);
        call_virtual(c, i, rm->arg_slots, rm->vtable_index);
        return true;
    }
    case Q_INVOKEINTERFACE_Q: call_interface(c); return true;
    case Q_INVOKEDYNAMIC_Q: call_site(c); return true;
    case Q_INVOKEHANDLE_Q: call_handle(c); return true;
    case Q_INVOKEINTRIN_Q: call_linker(c); return true;
    default: return false;
    }
}

/* --- allocation: heap/alloc.h --- */

static void write_header(Compiler *c, const Class *k, Reg o) {
    u4 word = (u4)(uintptr_t)k;
    if (word <= INT32_MAX) {
        asm_store_const(&c->a, MEM_64, mem_at(o, 0), (int32_t)word);
    } else {
        asm_store_const(&c->a, MEM_32, mem_at(o, 0), (int32_t)word);
        asm_store_const(&c->a, MEM_32, mem_at(o, 4), 0);
    }
}

/* Takes [o, end) from the thread's window; `size` bytes, or if 0 as many as `end` holds.  Until header and length are
 * written there is no poll. */
static void bump(Compiler *c, Later *slow, const Class *k, Reg o, Reg end, u4 size) {
    if (slow->fn) {
        asm_bind(&c->a, &slow->retry);
        slow->end = end;
        slow->bytes = size;
    }
    asm_load(&c->a, MEM_64, o, thread_mem(offsetof(Thread, tlab.top)));
    if (size) asm_address(&c->a, end, mem_at(o, (int32_t)size));
    else asm_alu(&c->a, ALU_ADD, W64, end, end, op_reg(o));
    asm_cmp(&c->a, W64, end, op_mem(thread_mem(offsetof(Thread, tlab.end))));
    asm_branch(&c->a, COND_ABOVE, slow->fn ? &slow->window : &slow->at);
    asm_store(&c->a, MEM_64, thread_mem(offsetof(Thread, tlab.top)), end);
    write_header(c, k, o);
}

static void push_object(Compiler *c, Later *slow, u4 popped, Reg o, const Class *k) {
    asm_bind(&c->a, &slow->back);
    pop(c, popped);
    push_value(c, (Value){.kind = V_REG, .reg = o, .safe = true, .klass = k, .born = c->stop});
}

void allocate(Compiler *c, const Class *k, u4 popped) {
    Reg o = temp(c), end = temp(c);
    Later *slow = slow_call(c, jit_h_new, arg_const(k), NO_ARG, popped, o);
    bump(c, slow, k, o, end, k->instance_size);
    push_object(c, slow, popped, o, k);
}

static void new_object(Compiler *c) {
    Class *k = class_at(c);
    if (k->flags & CF_NEVER_ALLOC_FAST) {
        prepare_call(c);
        asm_const(&c->a, R_DX, (int64_t)(uintptr_t)k);
        call_helper(c, jit_h_new, 0, 1);
        top(c, 1)->safe = true;
        return;
    }
    allocate(c, k, 0);
}

enum { MAX_INLINE_LENGTH = 1 << 16 }; /* lengths beyond, and negative ones, are for the helper */

/* Of class k, the length on top.  What is not done here `instead` does, a method with that argument, or else the helper. */
void new_array_inline(Compiler *c, Class *component, const Class *k, const Method *instead) {
    u4 at = c->depth - 1, popped = instead ? instead->arg_slots : 1;
    const Value *v = &c->stack[at];
    bool known = v->kind == V_CONST && (u8)v->k <= MAX_INLINE_LENGTH;
    int32_t length = known ? (int32_t)v->k : 0;
    Reg n = known ? NO_REG : use(c, at), o = temp(c), end = temp(c);
    Later *slow = instead ? slow_known(c, instead, o) : slow_call(c, jit_h_newarray, arg_cell(at), arg_const(component), 1, o);
    if (!known) {
        asm_cmp(&c->a, W32, n, op_imm(MAX_INLINE_LENGTH));
        asm_branch(&c->a, COND_ABOVE, &slow->at);
        asm_shift(&c->a, SHIFT_LEFT, W32, end, n, op_imm(k->elem_shift));
        asm_alu(&c->a, ALU_ADD, W32, end, end, op_imm(ARRAY_BASE + OBJECT_ALIGN - 1));
        asm_alu(&c->a, ALU_AND, W32, end, end, op_imm(-OBJECT_ALIGN));
    }
    bump(c, slow, k, o, end, known ? (u4)heap_array_size(k, length) : 0);
    Mem to = mem_at(o, offsetof(Array, length));
    if (known) asm_store_const(&c->a, MEM_32, to, length);
    else asm_store(&c->a, MEM_32, to, n);
    push_object(c, slow, popped, o, k);
}

static void new_array(Compiler *c, Class *component) {
    const Class *k = component->flags & CF_PRIMITIVE ? primitive_array_classes[component->elem_type]
                                                     : atomic_load_explicit(&component->array_class, memory_order_acquire);
    if (k) return new_array_inline(c, component, k, NULL);
    prepare_call(c);
    asm_load(&c->a, MEM_32, R_DX, cell_mem(c->depth - 1));
    asm_const(&c->a, R_CX, (int64_t)(uintptr_t)component);
    call_helper(c, jit_h_newarray, 1, 1);
    top(c, 1)->safe = true;
}

/* --- types: class_is_subtype --- */

static bool has_display(const Class *k) {
    return !(k->access & ACC_INTERFACE) && k->depth < DISPLAY_DEPTH && !(k->flags & CF_ARRAY);
}

/* Flags: equal if the cell m of a Class holds k. */
static void compare_class(Compiler *c, Mem m, const Class *k) {
    if ((uintptr_t)k <= INT32_MAX) {
        asm_cmp_mem(&c->a, MEM_64, m, op_imm((int32_t)(uintptr_t)k));
    } else {
        asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)k);
        asm_cmp_mem(&c->a, MEM_64, m, op_reg(ASM_SCRATCH));
    }
}

/* Flags: equal if the object in r, not null, is known to be of class k; if not, and k has no display, it may be still.  t is free. */
static void compare_type(Compiler *c, const Class *k, Reg r, Reg t, Label *equal) {
    asm_load(&c->a, MEM_32, t, mem_at(r, offsetof(Object, klass)));
    if (has_display(k)) {
        compare_class(c, mem_at(t, (int32_t)(offsetof(Class, display) + 8 * k->depth)), k);
        return;
    }
    if (!(k->access & ACC_INTERFACE)) { /* itself is not remembered as a hit */
        asm_cmp(&c->a, W32, t, op_imm((int32_t)(u4)(uintptr_t)k));
        asm_branch(&c->a, COND_EQ, equal);
    }
    compare_class(c, mem_at(t, offsetof(Class, last_super_hit)), k);
}

void cast_to(Compiler *c, Class *k, Reg r, Reg t, Later *slow) {
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, &slow->back);
    compare_type(c, k, r, t, &slow->back);
    asm_branch(&c->a, COND_NE, &slow->at);
    asm_bind(&c->a, &slow->back);
}

/* What the display tells is final. */
static void cast_by_display(Compiler *c, const Class *k, Reg r, Reg t) {
    Label passes = LABEL_INIT;
    u4 first = c->a.n_fixups;
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, &passes);
    compare_type(c, k, r, t, NULL);
    asm_branch(&c->a, COND_NE, exit_here(c, EXIT_CAST));
    asm_bind(&c->a, &passes);
    asm_settle(&c->a, first);
}

static void check_cast(Compiler *c) {
    Class *k = class_at(c);
    u4 at = c->depth - 1;
    const Class *made = value_of(c, at)->klass;
    if (handles_is(c, at, k) || made == k || (made && has_display(k) && made->display[k->depth] == k)) return;
    Reg r = use(c, at), t = temp(c);
    if (has_display(k)) cast_by_display(c, k, r, t);
    else cast_to(c, k, r, t, ask_type(c, k, r, NO_REG));
}

static void test_by_display(Compiler *c, const Class *k, Reg r, Reg d, Reg t) {
    Label null = LABEL_INIT;
    u4 first = c->a.n_fixups;
    asm_const(&c->a, d, 0);
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, &null);
    compare_type(c, k, r, t, NULL);
    asm_set(&c->a, COND_EQ, d);
    asm_bind(&c->a, &null);
    asm_settle(&c->a, first);
}

static void test_by_hit(Compiler *c, const Class *k, Reg r, Reg d, Reg t) {
    Later *l = ask_type(c, k, r, d);
    asm_const(&c->a, d, 0);
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, &l->back);
    asm_const(&c->a, d, 1);
    compare_type(c, k, r, t, &l->back);
    asm_branch(&c->a, COND_NE, &l->at);
    asm_bind(&c->a, &l->back);
}

/* Replaces the topmost n cells by whether the one at `at` is of class k. */
void instance_of(Compiler *c, Class *k, u4 at, u4 n) {
    Reg r = use(c, at), d = temp(c), t = temp(c);
    if (has_display(k)) test_by_display(c, k, r, d, t);
    else test_by_hit(c, k, r, d, t);
    pop(c, n);
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

/* May the array, made here, have the value?  Null always may. */
static bool element_is_known(const Compiler *c, u4 array, u4 cell) {
    const Class *k = value_of(c, array)->klass;
    const Value *v = value_of(c, cell);
    const Class *of = v->klass;
    if (v->kind == V_CONST) {
        if (!v->k) return true;
        of = obj_class((const Object *)(uintptr_t)v->k);
    }
    if (!k || !class_is_array(k)) return false; /* behind a cast that it does not pass */
    const Class *need = k->component;
    return !need->super ? !(need->access & ACC_INTERFACE) : of && has_display(need) && of->display[need->depth] == need;
}

static void store_known_element(Compiler *c, u4 a, u4 x) {
    Reg ra = use(c, a);
    if (c->stack[x].kind != V_CONST) use(c, x);
    Mem m = element(c, ra, a + 1, 2);
    store_ref(c, ra, m, x, NO_OBJECT, is_young(c, a));
    pop(c, 3);
}

/* The display of the value's class at the depth of the array's component holds the component, or a helper asks further. */
static void store_element(Compiler *c) {
    u4 a = c->depth - 3, x = c->depth - 1;
    if (element_is_known(c, a, x)) return store_known_element(c, a, x);
    Reg ra = use(c, a);
    Reg r = use(c, x);
    Mem m = element(c, ra, a + 1, 2);
    Reg from = temp(c), to = temp(c), depth = temp(c);
    Later *slow = slow_call(c, jit_h_aastore, NO_ARG, NO_ARG, 3, NO_REG);
    Label store = LABEL_INIT;
    u4 first = c->a.n_fixups;
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, &store);
    asm_load(&c->a, MEM_32, from, mem_at(r, offsetof(Object, klass)));
    asm_load(&c->a, MEM_32, to, mem_at(ra, offsetof(Object, klass)));
    asm_load(&c->a, MEM_64, to, mem_at(to, offsetof(Class, component)));
    asm_load(&c->a, MEM_U16, depth, mem_at(to, offsetof(Class, depth)));
    asm_cmp(&c->a, W32, depth, op_imm(DISPLAY_DEPTH));
    asm_branch(&c->a, COND_ABOVE_EQ, &slow->at);
    asm_cmp_mem(&c->a, MEM_64, mem_index(from, depth, 3, offsetof(Class, display)), op_reg(to));
    asm_branch(&c->a, COND_NE, &slow->at);
    asm_bind(&c->a, &store);
    asm_settle(&c->a, first);
    asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, from, r, op_imm(3));
    asm_store(&c->a, MEM_32, m, from);
    mark_card(c, ra, from);
    asm_bind(&c->a, &slow->back);
    pop(c, 3);
}

static bool allocation_op(Compiler *c, const CfInsn *i, u1 quick) {
    switch (quick) {
    case Q_NEW_Q:
    case Q_NEW_SLOW: new_object(c); return true;
    case CF_OP_NEWARRAY: new_array(c, primitive_classes[i->imm]); return true;
    case Q_ANEWARRAY_Q: new_array(c, class_at(c)); return true;
    case CF_OP_MULTIANEWARRAY:
        prepare_call(c);
        call_helper(c, jit_h_generic, c->pops, c->pushes);
        return true;
    case Q_CHECKCAST_Q: check_cast(c); return true;
    case Q_INSTANCEOF_Q: instance_of(c, class_at(c), c->depth - 1, 1); return true;
    case CF_OP_CHECKCAST:
    case CF_OP_INSTANCEOF: unquick_type_op(c, quick); return true;
    case CF_OP_AASTORE: store_element(c); return true;
    case CF_OP_MONITORENTER: base_monitor(c, true); return true;
    case CF_OP_MONITOREXIT: base_monitor(c, false); return true;
    default: return false;
    }
}

bool base_object_op(Compiler *c, const CfInsn *i, u1 quick) {
    if (field_op(c, i, quick) || invoke_op(c, i, quick) || allocation_op(c, i, quick)) return true;
    u1 op = i->op; /* needs to run once */
    if ((op >= CF_OP_GETSTATIC && op <= CF_OP_NEW && quick == op) || (op == CF_OP_ANEWARRAY && quick == op)) {
        exit_now(c, EXIT_UNQUICK);
        return true;
    }
    return false;
}
