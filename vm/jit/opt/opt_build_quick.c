/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: methods of the class library whose C function is called from the code (native/intrinsic/intrinsic.def).
 *
 * Such a function sees its arguments and memory, no frame: it does not block, allocate, throw or stop.  So nothing of the State is written for it, values
 * stay in registers that C functions keep, and references where they are.  A quick one (QuickNative) may decline; then the method is called as it
 * stands, in a block of its own that is seldom run.  Others never do.
 *
 * What takes the C function from a method throws code that calls it away, as in base_intrinsic.c.
 */
#include "jit/opt/opt_build.h"
#include "native/intrinsic/intrinsic_int.h"
#include "object/class.h"
#include "object/method.h"

/* Leaves for which the base compiler has code of its own, or makes the call. */
static const void *leaf_of(const Method *m) {
    VmNative fn = m->vm_native;
    bool is_one = fn == object_hash_code || fn == system_identity_hash || fn == class_get_superclass;
    return is_one && m->flags & MF_LEAF && __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE) == MK_VM_NATIVE ? (const void *)fn : NULL;
}

static const void *function_of(const Method *m, bool *declines) {
    const void *leaf = leaf_of(m);
    *declines = false;
    if (leaf) return leaf;
    if (m->vm_native == reflection_caller_class) return NULL; /* looks at frames; bodies have none here */
    if (m->kind == MK_LEAF_QUICK && m->quick == unsafe_uninitialized_array) return NULL; /* its bytecode tells the class */
    return base_c_function(m, declines);
}

bool build_is_quick(const Method *m) {
    bool declines;
    return function_of(m, &declines) != NULL;
}

static Ref add_quick(Build *b, Method *m, const void *fn) {
    State *s = build_state(b);
    OptCall *call = opt_alloc(b->o, sizeof *call);
    Ref r = build_add(b, OPT_QUICK, OT_INT);
    if (!call || !r) return 0;
    *call = (OptCall){.kind = CALL_KNOWN, .method = m, .n_args = m->arg_slots + b->above, .fn = fn};
    opt_node(b->o, r)->call = call;
    opt_node(b->o, r)->state = s;
    return r;
}

static Ref result_of(Build *b, const Method *m) {
    return m->ret_type == T_VOID ? 0 : build_add(b, OPT_QUICK_RESULT, opt_type_of((BasicType)m->ret_type));
}

Ref build_quick_result(Build *b, Method *m) {
    bool declines;
    build_note_method(b, m);
    add_quick(b, m, function_of(m, &declines));
    return result_of(b, m);
}

/* The arguments are replaced. */
static void take_result(Build *b, const Method *m) {
    Ref r = result_of(b, m);
    b->depth -= m->arg_slots;
    if (r) build_push(b, r);
}

bool build_quick(Build *b, Method *m) {
    bool declines;
    const void *fn = function_of(m, &declines);
    if (!fn) return false;
    build_note_method(b, m);
    Ref done = add_quick(b, m, fn);
    if (!declines) return take_result(b, m), true;
    u4 depth = b->depth;
    BlockRef to[2];
    build_fork(b, COND_NE, OT_INT, done, build_const(b, OT_INT, 0), to);
    b->cur = to[0];
    take_result(b, m);
    build_call_others(b, (OptCall){.kind = CALL_KNOWN, .method = m, .n_args = m->arg_slots}, to[1], depth);
    return true;
}
