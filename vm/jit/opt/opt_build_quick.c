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

static QuickNative quick_of(const Method *m, MethodKind kind) {
    if (kind == MK_LEAF_QUICK) return m->quick == unsafe_uninitialized_array ? NULL : m->quick;
    if (kind != MK_VM_NATIVE) return NULL;
    if (m->vm_native == system_arraycopy) return quick_arraycopy;
    if (m->vm_native == class_is_assignable_from) return quick_is_assignable_from;
    return NULL;
}

/* Leaves that throw nothing at all. */
static bool never_declines(const Method *m) {
    static const VmNative rows[] = {math_sin,
                                    math_cos,
                                    math_tan,
                                    math_exp,
                                    math_log,
                                    math_log10,
                                    math_pow,
                                    math_floor,
                                    math_ceil,
                                    math_rint,
                                    int_reverse,
                                    long_reverse,
                                    system_nanos,
                                    system_millis,
                                    class_is_instance,
                                    class_is_interface_n,
                                    class_get_modifiers,
                                    reference_refers_to,
                                    string_equals_n,
                                    string_hash_code,
                                    int_string_size,
                                    long_string_size,
                                    class_is_array_n,
                                    class_is_primitive_n,
                                    class_is_hidden_n,
                                    reference_get,
                                    thread_current_thread,
                                    object_get_class};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i] == m->vm_native) return true;
    return false;
}

#define OF_WORDS(Name) \
    unsafe_get_##Name##_volatile, unsafe_put_##Name##_volatile, unsafe_put_##Name##_release, unsafe_cas_##Name, \
        unsafe_cax_##Name, unsafe_add_##Name, unsafe_xchg_##Name

/* Accesses to objects.  One by an address may be to a file that became shorter, which throws. */
static bool is_access(const Build *b, const Method *m) {
    static const VmNative of_references[] = {unsafe_get_Reference,          unsafe_get_Reference_volatile, unsafe_put_Reference,
                                             unsafe_put_Reference_volatile, unsafe_put_Reference_release,  unsafe_cas_Reference,
                                             unsafe_cax_Reference,          unsafe_xchg_Reference};
    static const VmNative of_words[] = {OF_WORDS(Int), OF_WORDS(Long)};
    enum { BASE = 1 }; /* the argument behind the receiver */
    for (size_t i = 0; i < ARRAY_LEN(of_references); i++)
        if (of_references[i] == m->vm_native) return true;
    for (size_t i = 0; i < ARRAY_LEN(of_words); i++)
        if (of_words[i] == m->vm_native) return opt_node(b->o, build_top(b, m->arg_slots - BASE))->not_null;
    return false;
}

static Ref add_quick(Build *b, Method *m, const void *fn) {
    State *s = build_state(b);
    OptCall *call = opt_alloc(b->o, sizeof *call);
    Ref r = build_add(b, OPT_QUICK, OT_INT);
    if (!call || !r) return 0;
    *call = (OptCall){.kind = CALL_KNOWN, .method = m, .n_args = m->arg_slots, .fn = fn};
    opt_node(b->o, r)->call = call;
    opt_node(b->o, r)->state = s;
    return r;
}

/* The arguments are replaced. */
static void take_result(Build *b, const Method *m) {
    Ref r = m->ret_type == T_VOID ? 0 : build_add(b, OPT_QUICK_RESULT, opt_type_of((BasicType)m->ret_type));
    b->depth -= m->arg_slots;
    if (r) build_push(b, r);
}

bool build_quick(Build *b, Method *m) {
    MethodKind kind = (MethodKind)__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    QuickNative quick = quick_of(m, kind);
    bool pure = !quick && kind == MK_VM_NATIVE && (never_declines(m) || is_access(b, m));
    if (!quick && !pure) return false;
    build_note_method(b, m);
    Ref done = add_quick(b, m, quick ? (const void *)quick : (const void *)m->vm_native);
    if (pure) return take_result(b, m), true;
    u4 depth = b->depth;
    BlockRef to[2];
    build_fork(b, COND_NE, OT_INT, done, build_const(b, OT_INT, 0), to);
    b->cur = to[0];
    take_result(b, m);
    build_call_others(b, (OptCall){.kind = CALL_KNOWN, .method = m, .n_args = m->arg_slots}, to[1], depth);
    return true;
}
