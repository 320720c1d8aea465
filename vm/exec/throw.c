/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raising exceptions from C.
 *
 * An exception is made the way Java would: allocate, run the constructor (which fills in
 * the trace).  Two errors must work when that cannot: OutOfMemoryError falls back
 * to preallocated instances, StackOverflowError runs on the reserve at the end of
 * the Java stack and a lower limit for the C stack.
 */
#include "core/events.h"
#include "exec/throw.h"
#include "core/hooks.h"
#include "core/options.h"
#include "core/vm.h"
#include "exec/exec.h"
#include "frame/backtrace.h"
#include "frame/frame_view.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "link/link.h"
#include "object/class.h"
#include "object/method.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const exception_names[EX_COUNT] = {
#define EX(id, name) [EX_##id] = name,
#include "exec/exceptions.def"
};

static Class *ex_classes[EX_COUNT]; /* boot classes live for ever */

/* OutOfMemoryErrors that need no memory; GC roots. */
static struct {
    const char *msg;
    Object *ex;
} oom_pool[] = {
    {"Java heap space", NULL},
    {"Requested array size exceeds VM limit", NULL},
    {"Metaspace", NULL},
    {"Compressed class space", NULL},
    {"GC overhead limit exceeded", NULL},
    {NULL, NULL},
};
static Object *spare_overflow;
static _Thread_local int making; /* exceptions under construction by this thread */

/* --- construction --- */

static Class *exception_class(Thread *t, ExKind k) {
    Class *c = __atomic_load_n(&ex_classes[k], __ATOMIC_ACQUIRE);
    if (!c) {
        Object *pending = exception_take(t); /* exception_is asks with one pending */
        c = load_boot_class(t, exception_names[k]);
        t->exception = pending;
        if (!c && vm.booted) return ex_classes[EX_OutOfMemoryError]; /* nothing else keeps a boot class from loading */
        if (!c) vm_exit_during_init("class %s is missing", exception_names[k]);
        __atomic_store_n(&ex_classes[k], c, __ATOMIC_RELEASE);
    }
    return c;
}

Class *throw_class(ExKind k) { return __atomic_load_n(&ex_classes[k], __ATOMIC_ACQUIRE); }

static Method *find_init(Class *c, const char *desc) {
    Method *m = class_find_method_str(c, "<init>", desc);
    return m && m->holder == c ? m : NULL;
}

/* new C(msg) or new C() and detailMessage; NULL = exception pending */
static Object *new_throwable(Thread *t, Class *c, const char *msg) {
    Object *ex = class_new_object(t, c);
    if (!ex) return NULL;
    Object *text = msg ? string_from_mutf8(t, msg, strlen(msg)) : NULL;
    if (msg && !text) return NULL;
    Method *init = msg ? find_init(c, "(Ljava/lang/String;)V") : NULL;
    if (!init && msg) init = find_init(c, "(Ljava/lang/Object;)V"); /* AssertionError */
    Slot args[2] = {{.ref = ex}, {.ref = text}};
    if (init) return exec_call(t, init, args, NULL) ? ex : NULL;
    init = find_init(c, "()V");
    if (!init) {
        /* no usable constructor: at least the trace and the text */
        backtrace_fill(t, ex);
    } else if (!exec_call(t, init, args, NULL)) {
        return NULL;
    }
    if (text) JSET_REF(ex, Throwable, detailMessage, text);
    return ex;
}

static COLD void fail_early(const char *name, const char *msg) {
    fprintf(stderr, "Error occurred during initialization of VM\n%s%s%s\n", name, msg ? ": " : "", msg ? msg : "");
    fflush(stderr);
    vm_halt(1);
}

static void throw_class_text(Thread *t, Class *c, const char *msg) {
    if (t->exception) return;
    event_note(EVENTS_EXCEPTIONS, "Exception <a '%s'> for thread 0x%016lx", c->name->bytes, (uintptr_t)t, 0);
    if (UNLIKELY(!jc_off.Throwable_backtrace || !JC(Throwable) || !t->java_stack)) fail_early(c->name->bytes, msg);
    if (making > 8) { /* making exceptions fails again and again */
        t->exception = spare_overflow ? spare_overflow : oom_pool[0].ex;
        return;
    }
    making++;
    Object *ex = new_throwable(t, c, msg);
    making--;
    if (ex && !t->exception) t->exception = ex;
}

void throw_new(Thread *t, ExKind k, const char *fmt, ...) {
    if (t->exception) return;
    char text[8192];
    if (fmt) CF_PRINT_ARGS(text, fmt);
    throw_class_text(t, exception_class(t, k), fmt ? text : NULL);
}

void throw_plain(Thread *t, ExKind k) { throw_new(t, k, NULL); }

void throw_named(Thread *t, const char *class_name, const char *fmt, ...) {
    if (t->exception) return;
    char text[8192];
    if (fmt) CF_PRINT_ARGS(text, fmt);
    Class *c = load_boot_class(t, class_name);
    if (!c) {
        if (!t->exception) throw_new(t, EX_InternalError, "cannot throw %s: %s", class_name, fmt ? text : "");
        return;
    }
    throw_class_text(t, c, fmt ? text : NULL);
}

void throw_with_cause(Thread *t, ExKind k, Object *cause, const char *fmt, ...) {
    if (t->exception) return;
    char text[8192];
    if (fmt) CF_PRINT_ARGS(text, fmt);
    Class *c = exception_class(t, k);
    Method *init = fmt ? NULL : find_init(c, "(Ljava/lang/Throwable;)V");
    if (init) {
        Object *ex = class_new_object(t, c);
        Slot args[2] = {{.ref = ex}, {.ref = cause}};
        if (ex && exec_call(t, init, args, NULL)) t->exception = ex;
        return;
    }
    throw_class_text(t, c, fmt ? text : NULL);
    Object *ex = t->exception;
    if (!ex || !cause || !obj_instanceof(ex, c)) return;
    t->exception = NULL;
    Slot args[2] = {{.ref = ex}, {.ref = cause}};
    exec_call(t, jc_method(JM_Throwable_initCause), args, NULL);
    t->exception = ex;
}

void throw_object(Thread *t, Object *ex) {
    if (t->exception) return;
    if (ex) t->exception = ex;
    else throw_plain(t, EX_NullPointerException);
}

bool exception_is(Thread *t, ExKind k) { return t->exception && obj_instanceof(t->exception, exception_class(t, k)); }

/* --- exhaustion --- */

void (*oom_on_first)(Thread *t, const char *message);

static void exhausted(Thread *t, const char *msg) {
    static _Atomic bool told;
    bool of_os = strstr(msg, "native thread") != NULL;
    if (!of_os && oom_on_first && !atomic_exchange(&told, true)) oom_on_first(t, msg);
    if (hook_on(HOOK_RESOURCE_EXHAUSTED)) {
        bool heap = strstr(msg, "heap") || strstr(msg, "overhead") || strstr(msg, "array size");
        vm_hooks.resource_exhausted(t, heap ? 3 : of_os ? 5 : 1, msg); /* OOM_ERROR 1, JAVA_HEAP 2, THREADS 4 */
        t->exception = NULL;                                           /* a handler's does not stand for the OutOfMemoryError */
    }
    if (of_os) return; /* as on the reference: what follows is for memory */
    if (vm_options.exit_on_oom) {
        fprintf(stdout, "Terminating due to java.lang.OutOfMemoryError: %s\n", msg);
        fflush(stdout);
        _Exit(3);
    }
    if (vm_options.crash_on_oom) FATAL("OutOfMemoryError encountered: %s", msg);
}

void throw_oom(Thread *t, const char *msg) {
    if (t->exception) return;
    if (!vm.booted) vm_exit_during_init("java.lang.OutOfMemoryError: %s", msg); /* making it would load what is half loaded */
    if (!making) {
        exhausted(t, msg);
        throw_class_text(t, exception_class(t, EX_OutOfMemoryError), msg);
        if (t->exception) return;
    }
    for (size_t i = 0; i < ARRAY_LEN(oom_pool); i++)
        if (!oom_pool[i].msg || strcmp(oom_pool[i].msg, msg) == 0) {
            t->exception = oom_pool[i].ex;
            break;
        }
    if (!t->exception) fail_early("java.lang.OutOfMemoryError", msg);
}

void throw_no_memory(Thread *t) { throw_oom(t, "native memory"); }

void throw_stack_overflow(Thread *t) {
    if (t->exception) return;
    u1 *java_limit = t->java_stack_limit, *c_limit = t->c_stack_limit;
    if (t->stack_overflow_depth) {
        t->exception = spare_overflow;
        if (!t->exception) fail_early("java.lang.StackOverflowError", NULL);
        return;
    }
    t->stack_overflow_depth++;
    t->java_stack_limit = t->java_stack_end;
    t->c_stack_limit = t->c_stack_low + (c_limit - t->c_stack_low) / 3;
    throw_class_text(t, exception_class(t, EX_StackOverflowError), NULL);
    t->java_stack_limit = java_limit;
    t->c_stack_limit = c_limit;
    t->stack_overflow_depth--;
}

bool check_c_stack(Thread *t) {
    if (LIKELY((u1 *)__builtin_frame_address(0) >= t->c_stack_limit)) return true;
    return throw_stack_overflow(t), false;
}

static void throw_roots(RootVisitor visit, void *arg) {
    for (size_t i = 0; i < ARRAY_LEN(oom_pool); i++)
        if (oom_pool[i].ex) visit(&oom_pool[i].ex, arg);
    if (spare_overflow) visit(&spare_overflow, arg);
}

void throw_preallocate(Thread *t) {
    heap_add_root_provider("exceptions", throw_roots);
    Class *oom = exception_class(t, EX_OutOfMemoryError);
    for (size_t i = 0; i < ARRAY_LEN(oom_pool); i++) {
        oom_pool[i].ex = heap_alloc_object(t, oom);
        Object *s = oom_pool[i].msg ? string_from_cstr(t, oom_pool[i].msg) : NULL;
        if (oom_pool[i].ex && s) JSET_REF(oom_pool[i].ex, Throwable, detailMessage, s);
    }
    spare_overflow = heap_alloc_object(t, exception_class(t, EX_StackOverflowError));
}

/* --- messages with names --- */

const char *class_external_name(const Class *c, char *buf, size_t len) {
    size_t n = 0;
    for (const char *p = c->name->bytes; *p && n + 1 < len; p++)
        buf[n++] = *p == '/' ? '.' : *p == '+' && (c->flags & CF_HIDDEN) ? '/' : *p;
    buf[n] = 0;
    return buf;
}

ClassText class_text(const Class *c) {
    ClassText text;
    class_external_name(c, text.s, sizeof text.s);
    return text;
}

/* "module java.base of loader 'bootstrap'" or "unnamed module of loader 'app'" */
static ClassText module_of_loader(const Class *c) {
    ClassText text;
    c = class_element(c);
    const Module *m = c->module;
    if (m && !m->name) snprintf(text.s, sizeof text.s, "unnamed module of loader %s", loader_text(c->loader).s);
    else snprintf(text.s, sizeof text.s, "module %s of loader %s", m ? m->name->bytes : "java.base", loader_text(c->loader).s);
    return text;
}

PlaceText class_place(const Class *c) {
    PlaceText text;
    snprintf(text.s, sizeof text.s, "%s is in %s", class_text(c).s, module_of_loader(c).s);
    return text;
}

void throw_class_cast(Thread *t, Class *from, Class *to) {
    const Class *fa = class_element(from), *fb = class_element(to);
    ClassText a = class_text(from), b = class_text(to);
    if (fa->module == fb->module && fa->loader == fb->loader)
        throw_new(t, EX_ClassCastException, "class %s cannot be cast to class %s (%s and %s are in %s)", a.s, b.s, a.s, b.s,
                  module_of_loader(from).s);
    else
        throw_new(t, EX_ClassCastException, "class %s cannot be cast to class %s (%s; %s)", a.s, b.s, class_place(from).s,
                  class_place(to).s);
}

void throw_array_store(Thread *t, Class *value) { throw_new(t, EX_ArrayStoreException, "%s", class_text(value).s); }

void throw_index(Thread *t, int32_t index, int32_t length) {
    throw_new(t, EX_ArrayIndexOutOfBoundsException, "Index %d out of bounds for length %d", index, length);
}

/* --- selection errors --- */

static const char *kind_of_holder(const Class *c) {
    return class_is_interface(c) ? "interface" : c->access & ACC_ABSTRACT ? "abstract class" : "class";
}

/* "void a.B.m(int)" -> "void m(int)" */
static const char *without_holder(char *sig, const char *holder) {
    char *at = strchr(sig, ' ');
    size_t n = strlen(holder);
    if (at && strncmp(at + 1, holder, n) == 0 && at[n + 1] == '.') memmove(at + 1, at + n + 2, strlen(at + n + 2) + 1);
    return sig;
}

void throw_abstract_method_on(Thread *t, Method *m, Class *rc) {
    char holder[1024], sig[2048];
    if (m->kind == MK_CONFLICT) { /* the text was made when the tables were built */
        const char *text = m->native_shape ? m->native_shape : m->name->bytes;
        return throw_new(t, EX_IncompatibleClassChangeError, "%s", text);
    }
    class_external_name(m->holder, holder, sizeof holder);
    method_external_name(m->holder, m->name, m->desc, sig, sizeof sig);
    if (m->kind == MK_REMOVED) return throw_new(t, EX_NoSuchMethodError, "'%s'", sig);
    throw_new(t, EX_AbstractMethodError,
              "Receiver class %s does not define or inherit an implementation of the resolved method "
              "'%s%s%s' of %s %s.",
              class_text(rc).s, method_is_abstract(m) ? "abstract " : "", m->access & ACC_PRIVATE ? "private " : "",
              without_holder(sig, holder), kind_of_holder(m->holder), holder);
}

void throw_abstract_method(Thread *t, Method *m, Object *receiver) {
    throw_abstract_method_on(t, m, method_is_static(m) || !receiver ? m->holder : obj_class(receiver));
}

void throw_illegal_selection(Thread *t, Method *selected, Method *resolved, Class *rc) {
    throw_new(t, EX_IllegalAccessError, "class %s tried to access %s method '%s' of %s %s selected for '%s' of %s %s",
              class_text(rc).s,
              selected->access & ACC_PRIVATE     ? "private"
              : selected->access & ACC_PROTECTED ? "protected"
                                                 : "package-private",
              method_text(selected->holder, selected->name, selected->desc).s, kind_of_holder(selected->holder),
              class_text(selected->holder).s, method_text(resolved->holder, resolved->name, resolved->desc).s,
              kind_of_holder(resolved->holder), class_text(resolved->holder).s);
}

/* --- printing --- */

static void print_string(Object *s) {
    char *c = s ? string_to_cstr(s) : NULL;
    if (c) fprintf(stderr, "%s", c);
    free(c);
}

static void print_trace(Object *ex) {
    Object *bt = JGET_REF(ex, Throwable, backtrace);
    int n = backtrace_depth(bt);
    for (int i = 0; i < n; i++) {
        Method *m;
        u4 bci;
        if (!backtrace_frame(bt, i, &m, &bci)) break;
        int line = method_line_number(m, bci);
        fprintf(stderr, "\tat %s.%s(", class_text(m->holder).s, m->name->bytes);
        if (line == -2) fprintf(stderr, "Native Method)\n");
        else if (line == -1) fprintf(stderr, "Unknown Source)\n");
        else fprintf(stderr, "line %d)\n", line);
    }
}

/* Throwable.printStackTrace, as a java user knows it; false if it cannot run or fails. */
static bool print_by_java(Thread *t, Object *ex) {
    Slot arg = {.ref = ex};
    if (!vm.booted || !ex) return false;
    bool ok = exec_call_virtual(t, jc_method(JM_Throwable_printStackTrace), &arg, NULL);
    t->exception = NULL;
    return ok;
}

/* Java prints once the VM is booted; before that, or if it fails, the fields are printed. */
void exception_print(Thread *t, Object *ex) {
    Object *pending = exception_take(t);
    fflush(stderr);
    if (print_by_java(t, ex)) {
        t->exception = pending;
        return;
    }
    for (int depth = 0; ex && depth < 16; depth++) {
        Slot arg = {.ref = ex}, text = {.ref = NULL};
        Method *m = jc_method(JM_Throwable_toString);
        if (depth) fprintf(stderr, "Caused by: ");
        if (m && vm.booted && exec_call_virtual(t, m, &arg, &text) && text.ref) {
            print_string(text.ref);
        } else {
            t->exception = NULL;
            fprintf(stderr, "%s", class_text(obj_class(ex)).s);
            Object *msg = JGET_REF(ex, Throwable, detailMessage);
            if (msg) {
                fprintf(stderr, ": ");
                print_string(msg);
            }
        }
        fprintf(stderr, "\n");
        print_trace(ex);
        Object *cause = JGET_REF(ex, Throwable, cause);
        ex = cause == ex ? NULL : cause;
    }
    fflush(stderr);
    t->exception = pending;
}
