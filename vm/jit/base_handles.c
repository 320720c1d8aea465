/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: method handles and VarHandles that are constants.
 *
 * TERMS  Constants are the appendix of a call site, values of static final fields, and what is read from constants:
 *
 *        static final VarHandle X          getstatic in a class that is initialised, of objects of any class, not of arrays
 *        X.vform, ad.mode, mh.member ...   final fields of classes of java.lang.invoke ("trusted": its code never assigns them again)
 *        form.memberName_table[mode]       elements of @Stable arrays, once they are not null
 *
 *        So the guards that java.lang.invoke puts in front of a target (VarHandleGuards, invokeExact_MT, forms of LambdaForms) are bodies
 *        (base_inline.c) whose branches are decided while compiling, and at their end linkTo* or invokeBasic with a constant: the target is
 *        called directly, or is a body in turn.  A virtual or interface call on a constant receiver is a call of the method that its class has.
 *
 * CHANGE Two final fields are assigned again: MethodHandle.form (a form made for one handle does what the general one does, so
 *        code may keep to either) and CallSite.target (it may not).  Neither is read here, but by invokeBasic, which takes the method of
 *        the form.  Java code cannot assign static final fields by reflection; who does so by Unsafe or JNI finds, as with the reference, code that goes
 *        on with the value there was.  Redefinition with new shapes may assign them ($migrate): it throws all code away, and from the first
 *        one on static fields are no constants any more.
 *
 * LIFE   Addresses in code are no roots.  An appendix lives as long as the version that has the call site; a value of a static
 *        final field is noted in the field's class (Class.folded, visited with its static fields in every collection), so code of another class does not keep a loader; what is
 *        read from constants lives with them.  Methods found so are noted like bodies (inline_note): who redefines, retires or unloads
 *        one throws this code away.  When a class goes, frames that run such code leave it at the pause, in
 *        which all cells were in memory.
 */
#include "jit/base_handles.h"
#include "heap/records.h"
#include "jit/base_inline.h"
#include "lang/javaclasses.h"
#include "invoke/invoke.h"
#include "load/loader.h"
#include "object/class.h"
#include "object/method.h"
#include <stdlib.h>
#include <string.h>

bool handles_own(const Class *k) { return k->loader->is_boot && strncmp(k->name->bytes, "java/lang/invoke/", 17) == 0; }

static Object *constant(const Value *v) { return v->kind == V_CONST || v->was == V_CONST ? (Object *)(uintptr_t)v->k : NULL; }

/* --- fields and elements --- */

static bool is_read_plainly(const Field *fd) {
    return !(fd->flags & (FIELD_ACCESS_WATCH | FIELD_MODIFY_WATCH)) && !offset_is_outside(fd->offset);
}

static bool is_trusted(const Field *fd) {
    if (!(fd->access & ACC_FINAL) || !handles_own(fd->holder) || !is_read_plainly(fd)) return false;
    return fd->holder != JC(CallSite) && !(fd->holder == JC(MethodHandle) && fd->offset == jc_off.MethodHandle_form);
}

static void push_ref(Compiler *c, const Object *o, bool stable) {
    push_value(c, (Value){.kind = V_CONST, .k = (int64_t)(uintptr_t)o, .safe = true, .stable = stable});
}

bool handles_field(Compiler *c, const Field *fd) {
    const Object *from = constant(top(c, 1));
    if (!from || !is_trusted(fd)) return false;
    const u1 *at = (const u1 *)from + fd->offset;
    const Object *o;
    int64_t wide;
    int32_t word;
    switch (fd->type) {
    case T_OBJECT:
    case T_ARRAY:
        if (!(o = ref_load(from, fd->offset))) return false;
        pop(c, 1);
        push_ref(c, o, fd->type == T_ARRAY && fd->flags & FIELD_STABLE);
        return true;
    case T_BOOLEAN:
        pop(c, 1);
        push_const(c, *at);
        return true;
    case T_INT:
        memcpy(&word, at, sizeof word);
        pop(c, 1);
        push_const(c, word);
        return true;
    case T_LONG:
        memcpy(&wide, at, sizeof wide);
        pop(c, 1);
        push_const(c, wide);
        push_hole(c);
        return true;
    default: return false;
    }
}

static bool keep(Class *k, Object *o) {
    for (u4 i = 0; i < k->n_folded; i++)
        if (k->folded[i] == o) return true;
    Object **more = realloc(k->folded, (k->n_folded + 1) * sizeof *more);
    if (!more) return false;
    k->folded = more;
    more[k->n_folded++] = o;
    return true;
}

/* System.in, out and err are assigned again by its natives. */
bool handles_are_constant(const Field *fd) {
    return fd->access & ACC_FINAL && class_is_initialized(fd->holder) && is_read_plainly(fd) && fd->holder != JC(System) &&
           !atomic_load_explicit(&reshape_epoch, memory_order_relaxed);
}

bool handles_static(Compiler *c, const Field *fd) {
    if (fd->type != T_OBJECT || !handles_are_constant(fd)) return false;
    Object *o = ref_load(fd->holder->mirror, fd->offset);
    if (!o || !keep(fd->holder, o)) return false;
    push_ref(c, o, false);
    return true;
}

bool handles_element(Compiler *c) {
    const Value *array = top(c, 2), *index = top(c, 1);
    if (array->kind != V_CONST || !array->stable || index->kind != V_CONST) return false;
    const Object *a = constant(array);
    if ((u4)index->k >= (u4)array_len(a)) return false;
    const Object *o = array_ref(a, (int32_t)index->k);
    if (!o) return false;
    pop(c, 2);
    push_ref(c, o, false);
    return true;
}

bool handles_is(Compiler *c, u4 cell, Class *k) {
    const Object *o = constant(&c->stack[cell]);
    return o && obj_instanceof(o, k);
}

/* --- calls --- */

bool handles_call(Compiler *c, const Method *m) {
    if (m->arg_slots != 1 || !constant(top(c, 1)) || !handles_own(m->holder)) return false;
    if (strcmp(m->name->bytes, "isCompileConstant") != 0) return false;
    pop(c, 1);
    push_const(c, 1);
    return true;
}

static bool can_be_called(const Method *m) { return m && m->kind != MK_ABSTRACT && m->kind != MK_CONFLICT; }

Method *handles_virtual(Compiler *c, u4 n, u4 index) {
    const Object *o = constant(top(c, n));
    Class *k = o ? obj_class(o) : NULL;
    Method *m = k && index < k->vtable_len ? k->vtable[index] : NULL;
    if (!can_be_called(m) || m->arg_slots != n) return NULL;
    inline_note(c, m);
    return m;
}

Method *handles_interface(Compiler *c, u4 n, const Method *im) {
    const Object *o = constant(top(c, n));
    bool by_table = o && class_is_interface(im->holder) && im->itable_index >= 0;
    Method **methods = by_table ? class_itable_methods(obj_class(o), im->holder) : NULL;
    Method *m = methods ? methods[im->itable_index] : NULL;
    if (!can_be_called(m) || !(m->access & ACC_PUBLIC) || m->arg_slots != n) return NULL;
    inline_note(c, m);
    return m;
}

/* --- invokeBasic, linkTo* --- */

/* Whom a constant names, or NULL.  *name: the MemberName, of linkTo*. */
static Method *named_target(Compiler *c, const ResolvedMethod *rm, Object **name) {
    MethodKind kind = rm->method->kind;
    Object *o = constant(kind == MK_INVOKE_BASIC ? top(c, rm->arg_slots) : top(c, 1));
    *name = NULL;
    if (!o || kind == MK_LINK_NATIVE) return NULL;
    if (kind == MK_INVOKE_BASIC) return obj_instanceof(o, JC(MethodHandle)) ? mh_form_target(o) : NULL;
    *name = o;
    return obj_class(o) == JC(MemberName) ? mh_member_target(o) : NULL;
}

/* Place in the vtable by which the target is chosen; -1: it is called as it is; -2: that is not known here. */
static int64_t place_of_target(Compiler *c, const ResolvedMethod *rm, const Method *m, const Object *name) {
    switch (rm->method->kind) {
    case MK_INVOKE_BASIC:
    case MK_LINK_STATIC: return method_is_static(m) ? -1 : -2;
    case MK_LINK_SPECIAL: return method_is_static(m) ? -2 : -1;
    case MK_LINK_VIRTUAL: {
        if (method_is_static(m) || atomic_load_explicit(&reshape_epoch, memory_order_relaxed)) return -2;
        int64_t i = JGET_LONG(name, MemberName, vmindex);
        return i >= 0 && i < m->holder->vtable_len ? i : -1;
    }
    default: return -2;
    }
}

/* --- those that are no constants: what the helper does, up to anything unusual --- */

static void follow(Compiler *c, Reg r, u4 offset, Label *slow) {
    asm_load(&c->a, MEM_32, r, mem_at(r, (int32_t)offset));
    asm_shift(&c->a, SHIFT_LEFT, W64, r, r, op_imm(3));
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, slow);
}

static void load_known(Compiler *c, Reg r, Mem m, Label *slow) {
    asm_load(&c->a, MEM_64, r, m);
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, slow);
}

/* R_CALLEE, a MemberName, becomes its method. */
static void load_member(Compiler *c, Label *slow) {
    follow(c, R_CALLEE, jc_off.MemberName_method, slow);
    load_known(c, R_CALLEE, mem_at(R_CALLEE, (int32_t)jc_off.ResolvedMethodName_vmtarget), slow);
    load_known(c, R_CALLEE, mem_at(R_CALLEE, offsetof(MethodID, method)), slow);
}

/* The same in the vtable of the receiver's class, in klass. */
static void load_from_vtable(Compiler *c, Reg klass, Label *slow) {
    Reg i = R_DX, n = R_SI;
    asm_load(&c->a, MEM_32, i, mem_at(R_CALLEE, (int32_t)jc_off.MemberName_vmindex)); /* negative: none */
    asm_load(&c->a, MEM_U16, n, mem_at(klass, offsetof(Class, vtable_len)));
    asm_cmp(&c->a, W32, i, op_reg(n));
    asm_branch(&c->a, COND_ABOVE_EQ, slow);
    asm_load(&c->a, MEM_64, klass, mem_at(klass, offsetof(Class, vtable)));
    asm_load(&c->a, MEM_64, R_CALLEE, mem_index(klass, i, 3, 0));
}

bool handles_find(Compiler *c, const ResolvedMethod *rm, Label *slow) {
    MethodKind kind = rm->method->kind;
    u4 receiver = c->depth - rm->arg_slots;
    bool virtual = kind == MK_LINK_VIRTUAL && !atomic_load_explicit(&reshape_epoch, memory_order_relaxed);
    if (kind != MK_INVOKE_BASIC && kind != MK_LINK_STATIC && kind != MK_LINK_SPECIAL && !virtual) return false;
    if (kind != MK_LINK_STATIC) load_known(c, R_AX, cell_mem(receiver), slow);
    if (kind == MK_INVOKE_BASIC) {
        asm_mov(&c->a, W64, R_CALLEE, R_AX);
        follow(c, R_CALLEE, jc_off.MethodHandle_form, slow);
        follow(c, R_CALLEE, jc_off.LambdaForm_vmentry, slow);
    } else {
        load_known(c, R_CALLEE, cell_mem(c->depth - 1), slow);
    }
    if (virtual) {
        asm_load(&c->a, MEM_32, R_AX, mem_at(R_AX, offsetof(Object, klass)));
        load_from_vtable(c, R_AX, slow);
    } else {
        load_member(c, slow);
    }
    asm_cmp_mem(&c->a, MEM_U8, mem_at(R_CALLEE, offsetof(Method, kind)), op_imm(MK_INVOKE_BASIC));
    asm_branch(&c->a, COND_ABOVE_EQ, slow);
    return true;
}

/* The MemberName stays on the stack where the interpreter may have to do the instruction: for null.  Bodies and calls do not have it. */
bool handles_link(Compiler *c, const ResolvedMethod *rm) {
    Object *name;
    Method *m = named_target(c, rm, &name);
    if (!can_be_called(m) || (m->kind >= MK_INVOKE_BASIC && m->kind <= MK_LINK_NATIVE)) return false;
    u4 n = rm->arg_slots - (name != NULL), at = c->depth - rm->arg_slots;
    int64_t place = place_of_target(c, rm, m, name);
    if (place == -2 || m->arg_slots != n) return false;
    if (!method_is_static(m) && !c->stack[at].safe) check_null(c, at, use(c, at));
    inline_note(c, m);
    c->depth -= name != NULL;
    bool done = place >= 0 ? inline_virtual(c, m->holder, n, (u4)place) : m->kind != MK_LEAF_OBJECT_INIT && call_in_place(c, m);
    if (done) return true;
    c->depth += name != NULL;
    prepare_call(c);
    if (place >= 0) {
        call_by_vtable(c, at, (u4)place);
        after_call(c, rm->arg_slots, c->pushes, call_gives_fp(c));
    } else {
        asm_const(&c->a, R_CALLEE, (int64_t)(uintptr_t)m);
        call_method(c, m, rm->arg_slots, c->pushes);
    }
    return true;
}
