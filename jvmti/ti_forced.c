/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PopFrame and the chapter Force Early Return: leaving the youngest frame of a thread.
 *
 * Only the order is given here, with the thread stopped; the thread carries it out itself as soon as it
 * would go on in that frame (exec_forced).  Until then a second order is refused.
 */
#include "ti.h"
#include <string.h>

typedef struct Exit {
    Thread *self; /* the caller; its own frame may be ordered out without suspension */
    bool pop;
    BasicType type; /* of the function: T_INT stands for all narrow ones */
    Slot value;
    jvmtiError result;
} Exit;

static jvmtiError check_pop(Thread *t) {
    FrameView v = view_youngest(t);
    if (!view_exists(v)) return JVMTI_ERROR_NO_MORE_FRAMES;
    if (method_is_native(view_method(v))) return JVMTI_ERROR_OPAQUE_FRAME;
    if (!view_exists(view_older(v))) return JVMTI_ERROR_NO_MORE_FRAMES;
    return exec_can_pop(t) ? JVMTI_ERROR_NONE : JVMTI_ERROR_OPAQUE_FRAME;
}

BasicType ti_function_type(BasicType t) {
    switch (t) {
    case T_BOOLEAN:
    case T_BYTE:
    case T_CHAR:
    case T_SHORT: return T_INT;
    case T_ARRAY: return T_OBJECT;
    default: return t;
    }
}
static jvmtiError check_return(Thread *t, const Exit *e) {
    FrameView v = view_youngest(t);
    if (!view_exists(v)) return JVMTI_ERROR_NO_MORE_FRAMES;
    Method *m = view_method(v);
    if (method_is_native(m) || view_is_opaque(v)) return JVMTI_ERROR_OPAQUE_FRAME;
    if (ti_function_type((BasicType)m->ret_type) != e->type) return JVMTI_ERROR_TYPE_MISMATCH;
    const char *desc = method_result(m);
    if (e->type == T_OBJECT && e->value.ref && !ti_type_fits(desc, strlen(desc), obj_class(e->value.ref)))
        return JVMTI_ERROR_TYPE_MISMATCH;
    return JVMTI_ERROR_NONE;
}
/* As the return instruction of the method would (JVMS 6.5.ireturn). */
static Slot narrowed(const Method *m, Slot v) {
    if (m->ret_type >= T_OBJECT) return v;
    if (m->ret_type == T_BOOLEAN) v.i &= 1;
    return prim_load(&v, (BasicType)m->ret_type); /* little endian: narrow values lie at the start of the cell */
}

static void order_exit(Thread *t, void *arg) {
    Exit *e = arg;
    if (t != e->self && !atomic_load(&t->suspended)) e->result = JVMTI_ERROR_THREAD_NOT_SUSPENDED;
    else if (exec_left_by_exception(t)) e->result = JVMTI_ERROR_OPAQUE_FRAME;
    else if (exec_exit_ordered(t)) e->result = JVMTI_ERROR_INTERNAL;
    else e->result = e->pop ? check_pop(t) : check_return(t, e);
    if (e->result) return;
    if (!e->pop) return exec_force_return(t, narrowed(view_method(view_youngest(t)), e->value));
    ti_forget_pops(view_youngest(t)); /* a popped frame sends no FramePop */
    exec_force_pop(t);
}
static jvmtiError run(Ti *x, jthread thread, Exit *e) {
    e->self = x->thread;
    jvmtiError err = ti_on_thread(x, thread, order_exit, e);
    return err ? err : e->result;
}

jvmtiError ti_PopFrame(Ti *x, jthread thread) {
    Exit e = {.pop = true};
    return run(x, thread, &e);
}
#define RETURN(Name, jtype, basic, init) \
    jvmtiError ti_ForceEarlyReturn##Name(Ti *x, jthread thread, jtype value) { \
        Exit e = {.type = basic, .value = {init}}; \
        return run(x, thread, &e); \
    }
RETURN(Object, jobject, T_OBJECT, .ref = handle_get(value))
RETURN(Int, jint, T_INT, .raw = (u4)value)
RETURN(Long, jlong, T_LONG, .j = value)
RETURN(Float, jfloat, T_FLOAT, .f = value)
RETURN(Double, jdouble, T_DOUBLE, .d = value)
jvmtiError ti_ForceEarlyReturnVoid(Ti *x, jthread thread) {
    Exit e = {.type = T_VOID};
    return run(x, thread, &e);
}
