/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: call sites, method handles, invokeBasic and linkTo*.
 *
 * ADAPTER  What a call site or invokehandle was linked to is a static method whose last argument is the appendix, a constant (jit/constants.c).  It
 *          is pushed and the method is a body or called.  So the State of that call has one operand more than the one in front of the
 *          instruction, which is for guards: they leave as if nothing had happened.
 * LINKERS  invokeBasic and linkTo* with a constant handle or MemberName are calls of its target.  A MemberName is an operand of the instruction and no argument
 *          of the target: it is not there for bodies, and it stays for a call, whose first local behind the arguments it lies in.
 *          The State that guards leave by has it in any case, above the arguments (Build.above): who finds arguments there counts it.
 *          Without a constant the code finds the target (CALL_LINK, code_target.c).
 *
 * COUNTING A branch of guardWithTest, until it was taken some 30 times, has a form that counts, and gets its own one then.  As long as it counts, that way
 *          leaves.
 *
 * A constant is a CONST of type REF: its class is known, so casts of it pass, virtual calls of it are known, and branches that ask for it are decided when
 * they are read (opt_build.c).
 */
#include "jit/opt/opt_build.h"
#include "object/class.h"
#include "object/method.h"
#include "object/version.h"
#include "quick/quick.h"
#include <string.h>

Object *build_constant(const Build *b, u4 n) {
    const Node *o = opt_node(b->o, build_top(b, n));
    return o->op == OPT_CONST && o->type == OT_REF ? (Object *)(uintptr_t)o->k : NULL;
}

bool build_asked(Build *b, const Method *m) {
    if (constant_is_profile(m)) return b->depth--, true;
    if (!constant_is_asked_for(m) || !build_constant(b, 1)) return false;
    b->depth--;
    build_push(b, build_const(b, OT_INT, 1));
    return true;
}

static void call_adapter(Build *b, Method *m, const Object *appendix) {
    build_state(b);
    if (appendix) build_push(b, build_const(b, OT_REF, (int64_t)(uintptr_t)appendix));
    if (build_body(b, m)) return;
    b->here = NULL; /* with the appendix */
    build_call(b, (OptCall){.kind = CALL_KNOWN, .method = m, .n_args = m->arg_slots});
}

static void call_site(Build *b) {
    int32_t n;
    memcpy(&n, b->m->qcode + b->insn.pc + 1, sizeof n);
    const CallSite *cs = b->m->version->call_sites[n];
    call_adapter(b, atomic_load_explicit(&cs->adapter, memory_order_acquire), cs->appendix);
}

static void call_handle(Build *b) {
    const ResolvedMethod *rm = *build_cell(b);
    build_not_null(b, build_top(b, rm->method->arg_slots - (rm->appendix != NULL)));
    call_adapter(b, rm->method, rm->appendix);
}

/* Receivers of class `named` have m at that place of the vtable, or those of a class that is known another one. */
static bool in_place_by_vtable(Build *b, Class *named, u4 n, u4 index) {
    const Class *k = opt_node(b->o, build_top(b, n))->klass;
    Method *m = k ? (index < k->vtable_len ? k->vtable[index] : NULL) : build_only_target(b, named, n, index);
    if (!m || m->arg_slots != n || m->kind == MK_ABSTRACT || m->kind == MK_CONFLICT) return false;
    build_note_method(b, m);
    return build_in_place(b, m);
}

static bool link_constant(Build *b, const ResolvedMethod *rm) {
    Object *o = build_constant(b, rm->method->kind == MK_INVOKE_BASIC ? rm->arg_slots : 1);
    ConstantTarget t;
    if (!o || !constant_target(rm, o, &t) || build_result_type(b) != opt_type_of((BasicType)t.method->ret_type)) return false;
    if (rm->method->kind == MK_INVOKE_BASIC && constant_is_counting(o) && build_may_leave(b))
        return build_leave(b, EXIT_REDO), true;
    build_state(b);
    b->checked = method_is_static(t.method) ? 0 : build_not_null(b, build_top(b, rm->arg_slots));
    build_note_method(b, t.method);
    b->depth -= t.named;
    b->above = t.named;
    bool by_table = t.place >= 0;
    bool done = by_table ? in_place_by_vtable(b, t.method->holder, t.method->arg_slots, (u4)t.place)
                         : t.method->kind != MK_LEAF_OBJECT_INIT && build_in_place(b, t.method);
    b->above = 0;
    if (done) return true;
    b->depth += t.named;
    build_call(b, (OptCall){.kind = by_table ? CALL_VTABLE : CALL_KNOWN,
                            .method = by_table ? NULL : t.method,
                            .vtable_index = by_table ? (u4)t.place : 0,
                            .n_args = rm->arg_slots});
    return true;
}

bool build_handle_op(Build *b) {
    const ResolvedMethod *rm;
    switch (b->quick) {
    case Q_INVOKEDYNAMIC_Q: call_site(b); return true;
    case Q_INVOKEHANDLE_Q: call_handle(b); return true;
    case Q_INVOKEINTRIN_Q:
        rm = *build_cell(b);
        if (!link_constant(b, rm)) build_call(b, (OptCall){.kind = CALL_LINK, .method = rm->method, .n_args = rm->arg_slots});
        return true;
    default: return false;
    }
}
