/* SPDX-License-Identifier: Apache-2.0 */
/* Out-of-line parts of instructions: selection, arrays, errors, single steps, breakpoints.  Instructions that must be
 * resolved first: quick/quicken.c. */
#include "interp/interp_int.h"
#include "core/hooks.h"
#include "heap/alloc.h"
#include "lang/javaclasses.h"
#include "object/class.h"
#include <string.h>

/* --- selection --- */

Method *interp_select_interface(Thread *t, Class *c, Method *im) {
    Method *m = exec_select_interface(t, c, im);
    if (m) *interp_cache(t, c, im) = (MethodCacheEntry){c, im, m};
    return m;
}

void interp_throw_abstract(Thread *t, Method *m, Object *receiver) {
    if (m->kind == MK_MH_GENERIC) {
        const char *slash = strrchr(m->holder->name->bytes, '/');
        throw_new(t, EX_UnsupportedOperationException, "%s.%s cannot be invoked reflectively",
                  slash ? slash + 1 : m->holder->name->bytes, m->name->bytes);
        return;
    }
    throw_abstract_method(t, m, receiver);
}

void interp_throw_index(Thread *t, int32_t index, int32_t length) { throw_index(t, index, length); }

void interp_register_finalizer(Thread *t, Object *o) {
    Method *m = jc_method(JM_Finalizer_register);
    if (!m) return;
    Slot arg = {.ref = o};
    exec_call(t, m, &arg, NULL);
}

/* --- arrays --- */

Object *interp_newarray(Thread *t, int atype, int32_t n) {
    return check_array_length(t, n) ? heap_new_array(t, primitive_array_classes[atype], n) : NULL;
}

Object *interp_anewarray(Thread *t, Class *component, int32_t n) {
    if (!check_array_length(t, n)) return NULL;
    Class *ac = atomic_load_explicit(&component->array_class, memory_order_acquire);
    if (UNLIKELY(!ac) && !(ac = class_array_of(t, component))) return NULL;
    return heap_new_array(t, ac, n);
}

static Object *multi_alloc(Thread *t, Class *ac, const Slot *dims, int n) {
    Object *a = heap_alloc_array(t, ac, dims[0].i);
    if (!a || n == 1) return a;
    for (int32_t i = 0; i < dims[0].i; i++) {
        Object *sub = multi_alloc(t, ac->component, dims + 1, n - 1);
        if (!sub) return NULL;
        array_set_ref(a, i, sub);
    }
    return a;
}

bool interp_multianewarray(Thread *t, Frame *f) {
    Method *m = f->method;
    const u1 *c = m->code + frame_bci(f);
    int n = c[3];
    Class *ac = resolve_class(t, m->version, cf_get_u2(c + 1));
    if (!ac) return false;
    Slot *dims = f->sp - n;
    for (int i = 0; i < n; i++)
        if (!check_array_length(t, dims[i].i)) return false;
    Object *a = multi_alloc(t, ac, dims, n);
    if (!a) return false;
    dims[0].ref = a;
    f->sp = dims + 1;
    return true;
}

/* --- events --- */

bool interp_event(Thread *t, Frame *f) {
    if ((thread_events(t) & EXEC_EVENT_STEP) && hook_on(HOOK_SINGLE_STEP)) vm_hooks.single_step(t, f->method, frame_bci(f));
    return t->exception == NULL && !exec_forced(t, f);
}

int interp_breakpoint_hit(Thread *t, Frame *f) {
    Method *m = f->method;
    const u1 *pc = f->pc;
    HOOK_CALL(BREAKPOINT, breakpoint, t, m, frame_bci(f));
    if (t->exception || exec_forced(t, f)) return -1;
    return quick_plain_opcode(quick_current_opcode(m, pc));
}
