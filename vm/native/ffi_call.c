/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calling native methods.
 *
 * A native method gets a Frame like any other, behind its arguments:
 *
 *     | args ... | Frame | mirror |        <- t->frame, sp behind the mirror
 *
 * Reference arguments are passed as addresses of the argument cells (a frame
 * slot is a valid local reference, heap/handle.h), the class of a static method
 * as the address of the cell behind the frame.  Local references made during the
 * call die with the HandleMark of the frame.
 *
 * Two ways to the function:
 *   words  every argument is an integer or pointer and there are at most ten of
 *          them with JNIEnv and receiver: a plain C call through a cast.  The
 *          C calling conventions in use let a callee ignore surplus arguments,
 *          so two casts (6 and 10 words) serve all counts.
 *   ffi    everything else, by a libffi call interface.
 * Shapes are kept per (descriptor, result) in a table and cached in the Method.
 */
#include "native/native.h"

#include "core/hooks.h"
#include "thread/monitor.h"

#include <ffi.h>
#include <stdlib.h>

enum { MAX_PARAMS = 255, WORDS_FEW = 6, WORDS_MANY = 10 };

typedef struct NativeShape {
    struct NativeShape *next;
    Symbol *desc;
    u2 n_params;     /* without JNIEnv and receiver */
    bool words;      /* integer call by cast */
    ffi_cif cif;
    ffi_type **types;
    char kinds[];    /* per parameter: L, J, I (all narrow ints), F, D */
} NativeShape;

static pthread_mutex_t shapes_lock = PTHREAD_MUTEX_INITIALIZER;
static NativeShape *shapes[256];

static int parse_params(const char *desc, char *kinds) {
    int n = 0;
    for (const char *p = desc + 1; *p != ')'; p++) {
        char c = *p;
        if (c == '[') {
            while (*p == '[') p++;
            if (*p == 'L') while (*p != ';') p++;
            c = 'L';
        } else if (c == 'L') {
            while (*p != ';') p++;
        }
        kinds[n++] = c;
    }
    return n;
}

static ffi_type *ffi_of(char c) {
    switch (c) {
    case 'Z': return &ffi_type_uint8;
    case 'B': return &ffi_type_sint8;
    case 'C': return &ffi_type_uint16;
    case 'S': return &ffi_type_sint16;
    case 'I': return &ffi_type_sint32;
    case 'J': return &ffi_type_sint64;
    case 'F': return &ffi_type_float;
    case 'D': return &ffi_type_double;
    case 'V': return &ffi_type_void;
    default: return &ffi_type_pointer;
    }
}

static NativeShape *make_shape(Symbol *desc) {
    char kinds[MAX_PARAMS + 1];
    int n = parse_params(desc->bytes, kinds);
    char ret = strchr(desc->bytes, ')')[1];
    NativeShape *s = calloc(1, sizeof *s + (size_t)n);
    if (!s) FATAL("out of memory for a native call shape");
    s->desc = desc;
    s->n_params = (u2)n;
    s->words = n + 2 <= WORDS_MANY && ret != 'F' && ret != 'D';
    s->types = calloc((size_t)n + 2, sizeof *s->types);
    s->types[0] = s->types[1] = &ffi_type_pointer;
    for (int i = 0; i < n; i++) {
        s->types[i + 2] = ffi_of(kinds[i]);
        if (kinds[i] == 'F' || kinds[i] == 'D') s->words = false;
        bool narrow = strchr("ZBCSI", kinds[i]) != NULL;
        s->kinds[i] = narrow ? 'I' : kinds[i];
    }
    if (ffi_prep_cif(&s->cif, FFI_DEFAULT_ABI, (unsigned)n + 2, ffi_of(ret), s->types) != FFI_OK)
        FATAL("libffi refuses descriptor %s", desc->bytes);
    return s;
}

static NativeShape *shape_of(Method *m) {
    NativeShape *s = m->native_shape;
    if (LIKELY(s)) return s;
    pthread_mutex_lock(&shapes_lock);
    NativeShape **head = &shapes[m->desc->hash & (ARRAY_LEN(shapes) - 1)];
    for (s = *head; s && s->desc != m->desc; s = s->next) {}
    if (!s) {
        s = make_shape(m->desc);
        s->next = *head;
        *head = s;
    }
    pthread_mutex_unlock(&shapes_lock);
    m->native_shape = s;
    return s;
}

static inline void *ref_arg(Slot *s) {
    return s->ref ? &s->ref : NULL;
}

static int64_t call_words(Thread *t, void *fn, const NativeShape *s, void *receiver, Slot *args) {
    intptr_t w[WORDS_MANY] = {(intptr_t)&t->env, (intptr_t)receiver};
    for (int i = 0; i < s->n_params; i++) {
        char k = s->kinds[i];
        if (k == 'L') {
            w[i + 2] = (intptr_t)ref_arg(args++);
        } else if (k == 'J') {
            w[i + 2] = (intptr_t)args->j;
            args += 2;
        } else {
            w[i + 2] = (args++)->i;
        }
    }
    typedef int64_t (*Few)(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);
    typedef int64_t (*Many)(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                            intptr_t, intptr_t, intptr_t);
    int64_t r;
    thread_to_native(t);
    if (LIKELY(s->n_params + 2 <= WORDS_FEW))
        r = ((Few)fn)(w[0], w[1], w[2], w[3], w[4], w[5]);
    else
        r = ((Many)fn)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9]);
    thread_to_java(t);
    return r;
}

static Slot call_ffi(Thread *t, void *fn, NativeShape *s, void *receiver, Slot *args) {
    void *env = &t->env;
    void *values[MAX_PARAMS + 2];
    void *refs[MAX_PARAMS];
    values[0] = &env;
    values[1] = &receiver;
    for (int i = 0; i < s->n_params; i++) {
        char k = s->kinds[i];
        if (k == 'L') {
            refs[i] = ref_arg(args);
            values[i + 2] = &refs[i];
        } else {
            values[i + 2] = args; /* little endian: narrow values lie at the start of the cell */
        }
        args += k == 'J' || k == 'D' ? 2 : 1;
    }
    union {
        ffi_arg word;
        Slot slot;
    } r = {0};
    thread_to_native(t);
    ffi_call(&s->cif, (void (*)(void))fn, &r, values);
    thread_to_java(t);
    return r.slot;
}

static void store_result(BasicType bt, Slot r, Slot *ret) {
    switch (bt) {
    case T_VOID: break;
    case T_BOOLEAN: ret->i = (r.i & 0xff) != 0; break;
    case T_BYTE: ret->i = (int8_t)r.i; break;
    case T_CHAR: ret->i = (u2)r.i; break;
    case T_SHORT: ret->i = (int16_t)r.i; break;
    case T_INT: ret->i = r.i; break;
    case T_FLOAT: ret->f = r.f; break;
    case T_LONG: case T_DOUBLE: ret->j = r.j; break;
    default: ret->ref = handle_get((jobject)r.p); break;
    }
}

static bool push_frame(Thread *t, Method *m, Slot *args, Frame *f) {
    if (UNLIKELY((u1 *)(f + 1) + sizeof(Slot) > t->java_stack_limit ||
                 (u1 *)__builtin_frame_address(0) < t->c_stack_limit)) {
        throw_stack_overflow(t);
        return false;
    }
    Object *mirror = method_is_static(m) ? m->holder->mirror : NULL;
    *f = (Frame){.prev = t->frame, .method = m, .locals = args, .flags = FRAME_NATIVE,
                 .mark = handle_mark(t)};
    f->sp = frame_stack_base(f);
    (f->sp++)->ref = mirror;
    t->frame = f;
    if (m->access & ACC_SYNCHRONIZED) {
        Object *lock = mirror ? mirror : args[0].ref;
        if (!monitor_enter(t, lock)) {
            t->frame = f->prev;
            return false;
        }
        f->sync_object = lock;
        f->flags |= FRAME_SYNC;
    }
    return true;
}

bool native_call(Thread *t, Method *m, Slot *args, Slot *ret) {
    Frame *f = (Frame *)(args + m->arg_slots);
    if (!push_frame(t, m, args, f)) return false;
    HOOK_CALL(METHOD_ENTRY, method_entry, t, m);
    void *fn = atomic_load_explicit(&m->native_fn, memory_order_acquire);
    if (UNLIKELY(!fn)) fn = native_bind(t, m);
    Slot r = {.raw = 0};
    if (LIKELY(fn != NULL)) {
        NativeShape *s = shape_of(m);
        bool is_static = method_is_static(m);
        void *receiver = is_static ? (void *)frame_stack_base(f) : (void *)&args[0];
        Slot *params = is_static ? args : args + 1;
        if (LIKELY(s->words)) r.j = call_words(t, fn, s, receiver, params);
        else r = call_ffi(t, fn, s, receiver, params);
    }
    Slot result = {.raw = 0};
    if (LIKELY(!t->exception)) store_result((BasicType)m->ret_type, r, &result);
    handle_reset(t, f->mark);
    if (UNLIKELY(f->flags & FRAME_SYNC)) {
        Object *pending = exception_take(t);
        f->flags &= ~(u4)FRAME_SYNC;
        if (!monitor_exit(t, f->sync_object) || pending) t->exception = pending ? pending : t->exception;
    }
    HOOK_CALL(METHOD_EXIT, method_exit, t, m, t->exception != NULL, result);
    t->frame = f->prev;
    if (UNLIKELY(t->exception != NULL)) return false;
    if (ret) *ret = result;
    return true;
}
