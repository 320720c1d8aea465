/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calling native methods.
 *
 * A native method gets a Frame like any other, behind its arguments:
 *
 *     | args ... | mark | Frame | mirror |        <- t->frame, sp behind the mirror: a NativeFrame
 *
 * Reference arguments are passed as addresses of the argument cells (a frame
 * slot is a valid local reference, heap/handle.h), the class of a static method
 * as the address of the cell behind the frame.  Local references made during the
 * call die with the HandleMark of the frame.
 *
 * Ways to the function, by shape (the letters of the descriptor):
 *   words  all in integer registers, no float or double anywhere: a plain C call through a cast.
 *   regs   a cast to a function of all integer and all floating-point argument registers.
 *   stack  the same with a number of words on the stack.
 *   ffi    what has more arguments, or another calling convention: a libffi call interface.
 * The casts rest on the calling conventions of System V x86-64 and AAPCS64 (Linux): integers and
 * pointers, and floating-point values, fill two independent sequences of registers in order; what
 * finds its sequence full goes to the stack in order, eight bytes each; a callee ignores surplus
 * arguments; a float is the low half of its register.  So a shape is nothing but the index of each
 * argument in one array of words (registers first), made once.
 * Shapes are kept per (descriptor, result) in a table and cached in the Method.
 */
#include "native/native.h"

#include "core/hooks.h"
#include "core/lock.h"
#include "frame/frame.h"
#include "object/method.h"

#include <ffi.h>
#include <stdlib.h>

enum {
    MAX_PARAMS = 255,
    FP_REGS = 8,
    FEW_STACK = 6,
    MANY_STACK = 18,
    FIRST_FP = 8,
    FIRST_STACK = FIRST_FP + FP_REGS,
    MAX_WORDS = FIRST_STACK + MANY_STACK
};

typedef enum NativeWay { WAY_WORDS, WAY_REGS, WAY_STACK, WAY_MANY, WAY_FFI } NativeWay;

typedef union Word { /* an argument as the registers or the stack hold it */
    intptr_t i;
    double d;
    u8 raw;
} Word;

typedef struct NativeParam {
    char kind; /* L, J, I (all narrow ints), F, D */
    u1 word;   /* index into the array of words */
} NativeParam;

typedef struct NativeShape {
    struct NativeShape *next;
    Symbol *desc;
    u2 n_params; /* without JNIEnv and receiver */
    u1 way;      /* NativeWay */
    bool fp_result;
    ffi_cif cif; /* WAY_FFI */
    NativeParam params[];
} NativeShape;

static VmLock shapes_lock = VM_LOCK(SHAPES);
static NativeShape *shapes[256];

static int parse_params(const char *desc, char *kinds) {
    int n = 0;
    for (const char *p = desc + 1; *p != ')'; p = desc_skip(p)) kinds[n++] = *p == '[' ? 'L' : *p;
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

static bool prepare_ffi(NativeShape *s, const char *kinds, char ret) {
    ffi_type **types = calloc((size_t)s->n_params + 2, sizeof *types);
    if (!types) return false;
    types[0] = types[1] = &ffi_type_pointer;
    for (int i = 0; i < s->n_params; i++) types[i + 2] = ffi_of(kinds[i]);
    if (ffi_prep_cif(&s->cif, FFI_DEFAULT_ABI, s->n_params + 2u, ffi_of(ret), types) != FFI_OK)
        FATAL("libffi refuses descriptor %s", s->desc->bytes);
    s->way = WAY_FFI;
    return true;
}

/* NULL: no memory. */
static NativeShape *make_shape(Symbol *desc) {
    char kinds[MAX_PARAMS + 1];
    int n = parse_params(desc->bytes, kinds);
    char ret = cf_desc_result(symbol_str(desc)).p[0];
    NativeShape *s = calloc(1, sizeof *s + (size_t)n * sizeof *s->params);
    if (!s) return NULL;
    s->desc = desc;
    s->n_params = (u2)n;
    s->fp_result = ret == 'F' || ret == 'D';
    int ints = 2, fps = 0, stacked = 0; /* JNIEnv and receiver come first */
    for (int i = 0; i < n; i++) {
        bool fp = kinds[i] == 'F' || kinds[i] == 'D';
        s->params[i].kind = strchr("ZBCSI", kinds[i]) ? 'I' : kinds[i];
        s->params[i].word = (u1)(fp ? (fps < FP_REGS ? FIRST_FP + fps++ : FIRST_STACK + stacked++)
                                    : (ints < CPU_INT_ARGS ? ints++ : FIRST_STACK + stacked++));
    }
    if (CPU_INT_ARGS == 0 || stacked > MANY_STACK) {
        if (!prepare_ffi(s, kinds, ret)) return free(s), NULL;
    } else if (stacked > FEW_STACK) s->way = WAY_MANY;
    else if (stacked) s->way = WAY_STACK;
    else s->way = fps || s->fp_result ? WAY_REGS : WAY_WORDS;
    return s;
}

/* Not inline: its buffers would be a hole in the frame of every native call, see call_words. */
static NOINLINE NativeShape *find_shape(Method *m) {
    lock_take(&shapes_lock);
    NativeShape **head = &shapes[m->desc->hash & (ARRAY_LEN(shapes) - 1)], *s;
    for (s = *head; s && s->desc != m->desc; s = s->next) {}
    if (!s && (s = make_shape(m->desc))) {
        s->next = *head;
        *head = s;
    }
    lock_release(&shapes_lock);
    if (s) __atomic_store_n(&m->native_shape, s, __ATOMIC_RELEASE);
    return s;
}

static inline NativeShape *shape_of(Method *m) {
    NativeShape *s = LOAD_ACQUIRE(m->native_shape);
    return LIKELY(s != NULL) ? s : find_shape(m);
}

static inline void *ref_arg(Slot *s) { return s->ref ? &s->ref : NULL; }

static inline void place_args(Thread *t, void *receiver, const NativeShape *s, Slot *args, Word *w) {
    w[0].i = (intptr_t)&t->env;
    w[1].i = (intptr_t)receiver;
    for (int i = 0; i < s->n_params; i++) {
        NativeParam p = s->params[i];
        switch (p.kind) {
        case 'I': w[p.word].i = (args++)->i; break;
        case 'L': w[p.word].i = (intptr_t)ref_arg(args++); break;
        case 'F': w[p.word].raw = (u4)(args++)->i; break;
        default: w[p.word].raw = args->raw; args += 2;
        }
    }
}

#if CPU_INT_ARGS == 8
#define INT_TYPES intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t
#define INT_WORDS w[0].i, w[1].i, w[2].i, w[3].i, w[4].i, w[5].i, w[6].i, w[7].i
#else
#define INT_TYPES intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t
#define INT_WORDS w[0].i, w[1].i, w[2].i, w[3].i, w[4].i, w[5].i
#endif
#define FP_TYPES double, double, double, double, double, double, double, double
#define FP_WORDS w[8].d, w[9].d, w[10].d, w[11].d, w[12].d, w[13].d, w[14].d, w[15].d
#define SIX_TYPES intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t
#define SIX_WORDS(at) w[at].i, w[at + 1].i, w[at + 2].i, w[at + 3].i, w[at + 4].i, w[at + 5].i
_Static_assert(FIRST_FP == 8 && FIRST_STACK == 16 && FEW_STACK == 6 && MANY_STACK == 18, "FP_WORDS and the uses of SIX_WORDS");

/* A call of the function of these types, with either kind of result. */
#define CALL_AS(types, words) \
    do { \
        if (fp_result) r.d = ((double(*) types)fn)words; \
        else r.j = ((int64_t(*) types)fn)words; \
    } while (0)

/* With an array of its own length: a frame of a native method stands long, and what an earlier call left in words that are
 * not used would be taken for references. */
static Slot call_words(Thread *t, void *fn, const NativeShape *s, void *receiver, Slot *args) {
    Word w[FIRST_FP];
    Slot r;
    place_args(t, receiver, s, args, w);
    thread_to_native(t);
    r.j = ((int64_t(*)(INT_TYPES))fn)(INT_WORDS);
    thread_to_java(t);
    return r;
}

static Slot call_regs(Thread *t, void *fn, const NativeShape *s, void *receiver, Slot *args) {
    Word w[FIRST_STACK];
    Slot r;
    place_args(t, receiver, s, args, w);
    bool fp_result = s->fp_result;
    thread_to_native(t);
    CALL_AS((INT_TYPES, FP_TYPES), (INT_WORDS, FP_WORDS));
    thread_to_java(t);
    return r;
}

static NOINLINE Slot call_stack(Thread *t, void *fn, const NativeShape *s, void *receiver, Slot *args) {
    Word w[MAX_WORDS];
    Slot r;
    place_args(t, receiver, s, args, w);
    bool fp_result = s->fp_result;
    NativeWay way = s->way;
    thread_to_native(t);
    if (LIKELY(way == WAY_STACK)) CALL_AS((INT_TYPES, FP_TYPES, SIX_TYPES), (INT_WORDS, FP_WORDS, SIX_WORDS(16)));
    else
        CALL_AS((INT_TYPES, FP_TYPES, SIX_TYPES, SIX_TYPES, SIX_TYPES),
                (INT_WORDS, FP_WORDS, SIX_WORDS(16), SIX_WORDS(22), SIX_WORDS(28)));
    thread_to_java(t);
    return r;
}

static NOINLINE Slot call_ffi(Thread *t, void *fn, NativeShape *s, void *receiver, Slot *args) {
    void *env = &t->env;
    void *values[MAX_PARAMS + 2];
    void *refs[MAX_PARAMS];
    values[0] = &env;
    values[1] = &receiver;
    for (int i = 0; i < s->n_params; i++) {
        char k = s->params[i].kind;
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
    case T_OBJECT:
    case T_ARRAY: ret->ref = handle_get((jobject)r.p); break;
    default: *ret = prim_load(&r, bt); /* little endian: narrow values lie at the start of the cell */
    }
}

static bool push_frame(Thread *t, Method *m, Slot *args, NativeFrame *nf) {
    if (UNLIKELY((u1 *)(nf + 1) > t->java_stack_limit || (u1 *)__builtin_frame_address(0) < t->c_stack_limit))
        return throw_stack_overflow(t), false;
    Object *mirror = method_is_static(m) ? m->holder->mirror : NULL;
    frame_push_native(t, nf, m, args, mirror);
    if (m->access & ACC_SYNCHRONIZED && !frame_enter_sync(t, &nf->frame, mirror ? mirror : args[0].ref))
        return frame_pop(t, &nf->frame), false;
    return true;
}

/* Ends with a poll: what came meanwhile (Thread.stop) is thrown at the call, not behind it, so that the handlers of there are asked. */
bool native_call(Thread *t, Method *m, Slot *args, Slot *ret) {
    NativeFrame *nf = (NativeFrame *)(args + m->arg_slots);
    Frame *f = &nf->frame;
    if (!push_frame(t, m, args, nf)) return false;
    HOOK_CALL(METHOD_ENTRY, method_entry, t, m);
    void *fn = atomic_load_explicit(&m->native_fn, memory_order_acquire);
    Slot r = {.raw = 0}, result = {.raw = 0};
    bool vm_native = false; /* found only now, see bind_vm_native */
    if (UNLIKELY(!fn) && native_bind(t, m)) {
        vm_native = m->kind == MK_VM_NATIVE;
        fn = vm_native ? NULL : atomic_load_explicit(&m->native_fn, memory_order_acquire);
    }
    if (UNLIKELY(vm_native)) {
        frame_turn_vm_native(nf);
        m->vm_native(t, args, &result);
    } else if (LIKELY(fn != NULL)) {
        NativeShape *s = shape_of(m);
        bool is_static = method_is_static(m);
        void *receiver = is_static ? (void *)&nf->mirror : (void *)&args[0];
        Slot *params = is_static ? args : args + 1;
        if (UNLIKELY(!s)) throw_no_memory(t);
        else if (LIKELY(s->way == WAY_WORDS)) r = call_words(t, fn, s, receiver, params);
        else if (s->way == WAY_REGS) r = call_regs(t, fn, s, receiver, params);
        else if (LIKELY(s->way != WAY_FFI)) r = call_stack(t, fn, s, receiver, params);
        else r = call_ffi(t, fn, s, receiver, params);
    }
    if (LIKELY(!t->exception) && !vm_native) store_result((BasicType)m->ret_type, r, &result);
    handle_reset(t, nf->mark);
    t->jni_unchecked = NULL;
    if (UNLIKELY(frame_sync_object(f))) {
        Object *pending = exception_take(t);
        if (!frame_exit_sync(t, f) || pending) t->exception = pending ? pending : t->exception;
    }
    if (UNLIKELY(t->exception && hook_on(HOOK_EXCEPTION))) exec_tell_exception(t);
    HOOK_CALL(METHOD_EXIT, method_exit, t, m, t->exception != NULL, result);
    frame_pop(t, f);
    if (UNLIKELY(t->exception != NULL)) return false;
    if (ret) *ret = result;
    return LIKELY(!thread_is_asked(t)) || (thread_poll_slow(t), !t->exception);
}
