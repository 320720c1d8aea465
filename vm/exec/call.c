/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls from C into Java, and method selection (JVMS 5.4.6).
 *
 * The arguments are copied to the free end of the thread's Java stack and become the
 * callee's first locals there, exactly as a Java caller would have left them.
 */
#include "exec/interp_upcall.h"
#include "core/hooks.h"
#include "exec/throw.h"
#include "frame/frame.h"
#include "heap/heap.h"
#include "link/link.h"
#include "native/native.h"
#include "object/class.h"
#include "object/method.h"
#include "thread/monitor.h"
#include <string.h>

static bool stack_has_room(Thread *t, Slot *top, u4 cells) {
    u1 here;
    if (UNLIKELY(&here < t->c_stack_limit)) return false;
    return LIKELY((u1 *)(top + cells + 2) + sizeof(Frame) <= t->java_stack_limit);
}

/* The arguments are in place. */
static bool call_vm_native(Thread *t, Method *m, Slot *args, Slot *ret) {
    Frame *nf = (Frame *)(args + m->arg_slots);
    Object *lock = NULL;
    frame_push_vm_native(t, nf, m, args, 0);
    if (m->access & ACC_SYNCHRONIZED) {
        lock = method_is_static(m) ? m->holder->mirror : args[0].ref;
        if (!monitor_enter(t, lock)) return frame_pop(t, nf), false;
    }
    if (UNLIKELY(thread_events(t) & EXEC_EVENT_ENTRY)) HOOK_CALL(METHOD_ENTRY, method_entry, t, m);
    m->vm_native(t, args, ret);
    if (lock) monitor_exit(t, lock);
    if (UNLIKELY(t->exception && hook_on(HOOK_EXCEPTION))) exec_tell_exception(t);
    if (UNLIKELY(thread_events(t) & EXEC_EVENT_EXIT)) {
        Slot result = ret && m->ret_type != T_VOID && !t->exception ? *ret : (Slot){.raw = 0};
        HOOK_CALL(METHOD_EXIT, method_exit, t, m, t->exception != NULL, result);
    }
    frame_pop(t, nf);
    return t->exception == NULL;
}

/* The caller is C and may hold references: nothing of the stack is known to be clean. */
static bool call_native_from_c(Thread *t, Method *m, Slot *args, Slot *ret) {
    void *outer = t->clean_sp;
    t->clean_sp = NULL;
    bool ok = native_call(t, m, args, ret);
    t->clean_sp = outer;
    return ok;
}

bool exec_call_other(Thread *t, Method *m, Slot *args, Slot *ret) {
    switch (m->kind) {
    case MK_VM_NATIVE:
        if (UNLIKELY(thread_events(t)) && m->flags & MF_INTRINSIC) return interp_run(t, m, args, ret);
        return call_vm_native(t, m, args, ret);
    case MK_NATIVE: return call_native_from_c(t, m, args, ret);
    case MK_ABSTRACT:
    case MK_CONFLICT:
    case MK_REMOVED: throw_abstract_method(t, m, args[0].ref); return false;
    default: /* invokeBasic and friends have no meaning outside a call site */
        throw_new(t, EX_UnsupportedOperationException, "MethodHandle.%s cannot be invoked reflectively", m->name->bytes);
        return false;
    }
}

/* C callers hold Methods of classes that no bytecode has touched yet: a static method needs its
 * class initialised, any other at least linked code. */
static bool ready_to_run(Thread *t, Method *m) {
    Class *c = m->holder;
    if (LIKELY(class_is_initialized(c))) return true;
    if (method_is_static(m)) return class_init(t, c);
    return atomic_load(&c->state) >= CLASS_LINKED || class_link(t, c);
}

bool exec_call(Thread *t, Method *m, const Slot *args, Slot *ret) {
    Slot result;
    lock_none_from(0, "a call of Java");
    if (UNLIKELY(!ready_to_run(t, m))) return false;
    m = method_current(m); /* it may have been replaced while the class was made ready */
    Slot *top = frame_stack_top(t);
    ASSERT(!t->exception, "exec_call with an exception pending");
    if (UNLIKELY(!stack_has_room(t, top, m->arg_slots))) return throw_stack_overflow(t), false;
    if (m->arg_slots) memcpy(top, args, m->arg_slots * sizeof(Slot));
    result.raw = 0;
    FrameView caller = view_youngest(t);
    HandleHidden hidden = handle_hide(t);
    bool ok = LIKELY(method_is_interpreted(m)) ? interp_run(t, m, top, &result) : exec_call_other(t, m, top, &result);
    handle_unhide(t, hidden);
    frame_pop_to(t, caller.frame);
    if (ret) *ret = result;
    return ok;
}

bool exec_call_virtual(Thread *t, Method *m, const Slot *args, Slot *ret) {
    Object *o = args[0].ref;
    if (!o) return throw_plain(t, EX_NullPointerException), false;
    Method *target = exec_select_interface(t, obj_class(o), m);
    return target && exec_call(t, target, args, ret);
}

/* Arguments by a descriptor, without a receiver. */
static void take_args(const char *desc, Slot *out, va_list *ap) {
    for (const char *d = desc + 1; *d != ')'; d = desc_skip(d)) {
        BasicType type = type_of_desc_char(*d);
        out->raw = 0;
        switch (type) {
        case T_LONG: out->j = va_arg(*ap, int64_t); break;
        case T_DOUBLE: out->d = va_arg(*ap, double); break;
        case T_FLOAT: out->f = (float)va_arg(*ap, double); break;
        case T_OBJECT:
        case T_ARRAY: out->ref = va_arg(*ap, Object *); break;
        default: out->i = va_arg(*ap, int32_t); break;
        }
        out += type_slots(type);
    }
}

enum { MAX_ARG_SLOTS = 256 };

bool exec_callf(Thread *t, Method *m, Slot *ret, ...) {
    Slot args[MAX_ARG_SLOTS];
    va_list ap;
    va_start(ap, ret);
    if (!method_is_static(m)) args[0].ref = va_arg(ap, Object *);
    take_args(m->desc->bytes, args + !method_is_static(m), &ap);
    va_end(ap);
    return exec_call(t, m, args, ret);
}

/* self: NULL for a static method */
static Object *call_named(Thread *t, Class *c, Object *self, const char *name, const char *desc, va_list *ap) {
    Slot args[MAX_ARG_SLOTS], ret = {.raw = 0};
    Method *m = class_find_method_str(c, name, desc);
    if (!m) return throw_new(t, EX_NoSuchMethodError, "%s.%s%s", c->name->bytes, name, desc), NULL;
    args[0].ref = self;
    take_args(desc, args + (self != NULL), ap);
    return exec_call(t, m, args, &ret) ? ret.ref : NULL;
}

Object *exec_call_static(Thread *t, const char *class_name, const char *name, const char *desc, ...) {
    Class *c = t->exception ? NULL : load_class_or_ncdfe(t, symbol_of(class_name), BOOT_LOADER);
    va_list ap;
    va_start(ap, desc);
    Object *answer = c && class_init(t, c) ? call_named(t, c, NULL, name, desc, &ap) : NULL;
    va_end(ap);
    return answer;
}

Object *exec_call_on(Thread *t, Object *o, const char *name, const char *desc, ...) {
    va_list ap;
    va_start(ap, desc);
    Object *answer = t->exception ? NULL : call_named(t, obj_class(o), o, name, desc, &ap);
    va_end(ap);
    return answer;
}

Object *exec_new(Thread *t, Class *c, const char *desc, ...) {
    Slot args[MAX_ARG_SLOTS];
    Symbol *init = symbol_of("<init>"), *d = symbol_of(desc);
    if (t->exception || !c || !class_init(t, c)) return NULL;
    Method *m = class_find_declared_method(c, init, d);
    if (!m)
        return throw_new(t, EX_NoSuchMethodError, "%s: method '%s' not found", class_text(c).s, method_text(NULL, init, d).s),
               NULL;
    Object *o = args[0].ref = heap_alloc_object(t, c);
    va_list ap;
    va_start(ap, desc);
    take_args(desc, args + 1, &ap);
    va_end(ap);
    return o && exec_call(t, m, args, NULL) ? o : NULL;
}

/* --- selection --- */

Method *exec_select_method(Class *c, Method *m) {
    if (m->vtable_index >= 0 && !class_is_interface(m->holder)) {
        ASSERT(m->vtable_index < c->vtable_len);
        return c->vtable[m->vtable_index];
    }
    return m;
}

Method *exec_select_interface(Thread *t, Class *c, Method *im) {
    if (!class_is_interface(im->holder)) return exec_select_method(c, im); /* Object's methods */
    Method **methods = class_itable_methods(c, im->holder);
    if (im->itable_index < 0 && class_is_subtype(c, im->holder)) return im; /* private interface method */
    if (UNLIKELY(!methods)) {
        if (class_is_array(c) && class_is_subtype(c, im->holder)) return im;
        throw_new(t, EX_IncompatibleClassChangeError, "Class %s does not implement the requested interface %s", class_text(c).s,
                  class_text(im->holder).s);
        return NULL;
    }
    Method *m = methods[im->itable_index];
    if (UNLIKELY(!m)) return throw_abstract_method_on(t, im, c), NULL;
    if (UNLIKELY(!(m->access & ACC_PUBLIC)) && m->kind != MK_ABSTRACT && m->kind != MK_CONFLICT && !class_is_interface(m->holder))
        return throw_illegal_selection(t, m, im, c), NULL;
    return m;
}
