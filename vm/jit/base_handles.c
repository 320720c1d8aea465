/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: method handles and VarHandles.  Those that are constants: constants.c has the theory, Values say which ones are (V_CONST, `stable`).  For
 * others the code finds the method as the interpreter does (code_find_target).
 */
#include "jit/base_handles.h"
#include "jit/base_inline.h"
#include "object/class.h"
#include "object/method.h"

static Object *constant(const Value *v) { return v->kind == V_CONST || v->was == V_CONST ? (Object *)(uintptr_t)v->k : NULL; }

/* --- fields and elements --- */

static void push_constant(Compiler *c, const Constant *k) {
    switch ((BasicType)k->type) {
    case T_OBJECT:
    case T_ARRAY: push_value(c, (Value){.kind = V_CONST, .k = k->k, .safe = true, .stable = k->stable}); return;
    case T_LONG:
    case T_DOUBLE:
        push_const(c, k->k);
        push_hole(c);
        return;
    default: push_const(c, (u4)k->k); return; /* a cell as the interpreter leaves it */
    }
}

bool handles_field(Compiler *c, const Field *fd) {
    const Object *from = constant(top(c, 1));
    Constant k;
    if (!from || !constant_field(from, fd, &k)) return false;
    pop(c, 1);
    push_constant(c, &k);
    return true;
}

bool handles_static(Compiler *c, const Field *fd) {
    Constant k;
    if (!constant_static(fd, &k)) return false;
    push_constant(c, &k);
    return true;
}

bool handles_element(Compiler *c) {
    const Value *array = top(c, 2), *index = top(c, 1);
    Constant k;
    if (array->kind != V_CONST || !array->stable || index->kind != V_CONST) return false;
    if (!constant_element(constant(array), index->k, &k)) return false;
    pop(c, 2);
    push_constant(c, &k);
    return true;
}

bool handles_is(Compiler *c, u4 cell, Class *k) {
    const Object *o = constant(&c->stack[cell]);
    return o && obj_instanceof(o, k);
}

/* --- calls --- */

bool handles_call(Compiler *c, const Method *m) {
    if (!constant_is_asked_for(m) || !constant(top(c, 1))) return false;
    pop(c, 1);
    push_const(c, 1);
    return true;
}

Method *handles_virtual(Compiler *c, u4 n, u4 index) {
    const Object *o = constant(top(c, n));
    Method *m = o ? constant_virtual(o, n, index) : NULL;
    if (m) inline_note(c, m);
    return m;
}

Method *handles_interface(Compiler *c, u4 n, const Method *im) {
    const Object *o = constant(top(c, n));
    Method *m = o ? constant_interface(o, n, im) : NULL;
    if (m) inline_note(c, m);
    return m;
}

/* --- invokeBasic, linkTo* --- */

bool handles_find(Compiler *c, const ResolvedMethod *rm, Label *slow) {
    return code_find_target(&c->a, rm->method->kind, cell_mem(c->depth - rm->arg_slots), cell_mem(c->depth - 1), slow);
}

/* The MemberName stays on the stack where the interpreter may have to do the instruction: for null.  Bodies and calls do not have it. */
bool handles_link(Compiler *c, const ResolvedMethod *rm) {
    Object *o = constant(rm->method->kind == MK_INVOKE_BASIC ? top(c, rm->arg_slots) : top(c, 1));
    ConstantTarget t;
    if (!o || !constant_target(rm, o, &t)) return false;
    Method *m = t.method;
    u4 n = m->arg_slots, at = c->depth - rm->arg_slots;
    if (!method_is_static(m) && !c->stack[at].safe) check_null(c, at, use(c, at));
    inline_note(c, m);
    c->depth -= t.named;
    bool done =
        t.place >= 0 ? inline_virtual(c, m->holder, n, (u4)t.place) : m->kind != MK_LEAF_OBJECT_INIT && call_in_place(c, m);
    if (done) return true;
    c->depth += t.named;
    prepare_call(c);
    if (t.place >= 0) {
        call_by_vtable(c, at, (u4)t.place);
        after_call(c, rm->arg_slots, c->pushes, call_gives_fp(c));
    } else {
        asm_const(&c->a, R_CALLEE, (int64_t)(uintptr_t)m);
        call_method(c, m, rm->arg_slots, c->pushes);
    }
    return true;
}
