/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Method and MethodID.  A Method is immutable once linked and belongs to one ClassVersion.  Everything durable that
 * names a method from outside (JNI, reflection, MemberName) uses MethodID, whose `method` redefinition rewrites in a
 * safepoint.
 */
#ifndef GRAFT_OBJECT_METHOD_H
#define GRAFT_OBJECT_METHOD_H

#include "classfile.h"
#include "object/access.h"
#include "object/symbol.h"

/* How invoking a method continues; the interpreter switches on it. */
typedef enum MethodKind {
    MK_BYTECODE, /* interpreted */
    /* bytecode, too, that calls in the interpreter run without a frame: quick/leaf.c */
    MK_LEAF_EMPTY,
    MK_LEAF_OBJECT_INIT,
    MK_LEAF_GET_B,
    MK_LEAF_GET_I,
    MK_LEAF_GET_J,
    MK_LEAF_GET_A,
    MK_LEAF_POKE,
    MK_LEAF_QUICK, /* a C function is tried first: native/intrinsic/intrinsic.def */
    MK_NATIVE,     /* JNI native, bound or to be bound */
    MK_VM_NATIVE,  /* C function on raw slots, see native/intrinsic/intrinsic.def */
    MK_ABSTRACT,   /* throws AbstractMethodError */
    MK_CONFLICT,   /* default-method conflict: IncompatibleClassChangeError */
    MK_REMOVED,    /* stands for a method that redefinition removed: NoSuchMethodError */
    MK_INVOKE_BASIC,
    MK_LINK_STATIC,
    MK_LINK_SPECIAL,
    MK_LINK_VIRTUAL,
    MK_LINK_INTERFACE,
    MK_LINK_NATIVE,
    MK_MH_GENERIC /* invokeExact/invoke/VarHandle methods: linked per call site */
} MethodKind;

enum { /* Method.flags */
       MF_CALLER_SENSITIVE = 1,
       MF_HIDDEN = 2,
       MF_SCOPED = 4,
       MF_OVERPASS = 8,
       MF_FORCE_INLINE = 16,
       MF_INIT = 32 /* <init> */,
       MF_CLINIT = 64,
       MF_OBSOLETE = 128,
       MF_HAS_BREAKPOINT = 256,
       MF_HAS_MONITORS = 512 /* contains monitorenter */,
       MF_EMPTY = 1024 /* body is a lone return */,
       MF_OBJECT_INIT = 2048, /* Object.<init>: finalizer registration */
       MF_INTRINSIC = 4096,
       MF_VERIFIED = 8192,
       MF_JSR = 16384,
       MF_LEAF = 32768 /* MK_VM_NATIVE: called without a frame */,
       MF_CODE_RUNS = 65536, /* inside a pause, of methods with retired code: a frame runs it, shall leave it (jit/policy.c) */
       MF_CODE_LEAVES = 131072
};

typedef struct ExHandler {
    u2 start, end, handler, catch_type;
} ExHandler;

/* C function that runs a VM native: args are the slots (receiver first, two
 * for long/double), result goes to *ret.  Runs in state "in Java": must not
 * block without a transition, may throw (sets the pending exception). */
typedef void (*VmNative)(Thread *t, Slot *args, Slot *ret);
/* The same for a call that needs no frame: it does not block, allocate, throw or look at the stack.  False: nothing has
 * happened, and the method is to be called as it stands. */
typedef bool (*QuickNative)(Thread *t, Slot *args, Slot *ret);
typedef struct Intrinsic { /* a row of native/intrinsic/intrinsic.def */
    VmNative fn;           /* NULL: there is none, or it is a quick one */
    QuickNative quick;
    bool leaf;
} Intrinsic;

/* What a MK_LEAF method does besides what its kind says. */
typedef struct Leaf {
    u2 offset; /* MK_LEAF_GET: of the field */
    u1 from;   /* MK_LEAF_POKE: argument slot of the index */
    u1 shift;
    u1 op; /* LeafPoke */
    int8_t value;
} Leaf;

struct Method {
    u1 kind;     /* MethodKind */
    u1 ret_type; /* BasicType */
    u2 access;
    u4 flags;     /* MF_* */
    u2 arg_slots; /* receiver included, long/double two */
    u2 max_locals, max_stack;
    u2 n_handlers;
    /* What compiled code calls (jit/jit.h: registers): the method's own code, or jit_bridge, which runs it in the interpreter. */
    const void *entry;
    u1 *qcode;      /* private quickened copy (quick/ owns it); NULL until first run */
    const u1 *code; /* original bytes, never written */
    u4 code_len;
    u4 index; /* in version->methods */
    u4 slot;  /* its number in reflection objects; index until the class changes shape */
    Class *holder;
    ClassVersion *version;
    Symbol *name, *desc;
    ExHandler *handlers;  /* decoded at link */
    int32_t vtable_index; /* -1: not in a vtable (static, private, <init>, final of final...) */
    int32_t itable_index; /* methods of interfaces: index inside the interface; else -1 */
    /* A native may change its kind while others call it.  So what belongs to each kind has a word of its own, which is set
     * before the kind is stored (release) and stays true afterwards: who read the old kind still finds the old word. */
    _Atomic(void *) native_fn; /* MK_NATIVE: bound address or NULL */
    union {
        VmNative vm_native; /* MK_VM_NATIVE */
        Leaf leaf;          /* MK_LEAF, which is never native */
        QuickNative quick;  /* MK_LEAF_QUICK */
    };
    void *native_shape; /* cached call shape of native/; MK_CONFLICT: its message (char *); MK_LEAF_POKE: where */
    _Atomic(MethodID *) id;
    const CfMember *cf;    /* attributes; NULL for VM-made methods */
    const CfCode *cf_code; /* decoded Code view, in the version's arena; NULL if none */
    void *tier_data;       /* owned by exec tiers (reference maps, counters) */
    Method *next_version;  /* in an old version: the current method, or its MK_REMOVED; else NULL */
    u1 *qentry;            /* qcode when entering needs nothing special, else NULL (quick/ owns it) */
    void **qcells;         /* version->qcells (quick/ owns it) */
    struct CodeBlob *blob; /* what entry leads into, or NULL (jit owns both) */
    u4 heat;               /* calls and back-edges in the interpreter, since it was prepared or its code was thrown away */
    u1 recompiled;         /* how often that was */
    bool reports;          /* it got hot where calls are reported: its next code reports them (jit/policy.c) */
    u1 tier_state;         /* TIER_* of jit/jit.h */
    u1 faults : 3;         /* how often its code found null by a fault */
    u1 caught : 2;         /* how often it caught an exception as a part of other code */
    _Atomic u1 optimised;  /* OPT_* of jit/policy.h; written with [lock: jit] or by the method's first sample that is enough */
    _Atomic u1 samples;    /* how often it was met running base code (jit/code_sample.c) */
    u1 mistaken;           /* how often its optimised code was thrown away for what it had assumed */
    u1 threw;              /* how often exceptions were met in its compiled code (jit/throws.c) */
    u1 profiled : 3;       /* how often its code was made anew for what its calls had seen (jit/sites.c) */
    u1 relearnt : 2;       /* how often its optimised code was, for what they see later */
};

/* Threads count without a lock: a lost count does not matter. */
static inline u4 method_heat(const Method *m) { return __atomic_load_n(&m->heat, __ATOMIC_RELAXED); }
static inline void method_set_heat(Method *m, u4 heat) { __atomic_store_n(&m->heat, heat, __ATOMIC_RELAXED); }
static inline u4 method_warm(Method *m, u4 by) {
    u4 heat = method_heat(m) + by;
    method_set_heat(m, heat);
    return heat;
}
static inline u1 method_tier(const Method *m) { return __atomic_load_n(&m->tier_state, __ATOMIC_ACQUIRE); }
static inline struct CodeBlob *method_code(const Method *m) { return __atomic_load_n(&m->blob, __ATOMIC_ACQUIRE); }

/* jmethodID and the durable name of a method.  Its memory stays a MethodID for ever; `method` is NULL
 * when the method is dead, and `holder` no Class then.  object/method_id.c */
struct MethodID {
    _Atomic(Method *) method;
    Class *holder;
};
MethodID *method_id_new(Method *m);
void method_id_free(MethodID *id);

/* Frames of m run its bytecode. */
static inline bool method_is_interpreted(const Method *m) { return m->kind <= MK_LEAF_QUICK; }
static inline bool method_is_leaf(const Method *m) { return m->kind >= MK_LEAF_EMPTY && m->kind <= MK_LEAF_QUICK; }

/* The method that a call by name runs now; C code that kept a Method across a safepoint asks. */
static inline Method *method_current(Method *m) { return m->next_version ? m->next_version : m; }
/* The same unless m is obsolete: what IDs, breakpoints and events call the method of a frame. */
static inline Method *method_identity(Method *m) { return m->next_version && !(m->flags & MF_OBSOLETE) ? m->next_version : m; }

static inline bool method_is_static(const Method *m) { return m->access & ACC_STATIC; }
/* The return type, behind the parameters of the descriptor (whose class names may have parentheses). */
static inline const char *method_result(const Method *m) { return cf_desc_result(symbol_str(m->desc)).p; }
static inline bool method_is_native(const Method *m) { return m->access & ACC_NATIVE; }
static inline bool method_is_abstract(const Method *m) { return m->access & ACC_ABSTRACT; }

#endif
