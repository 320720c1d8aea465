/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class, ClassVersion, Method, Field: shapes only.  Who owns what:
 *
 *   Class         identity: name, loader, mirror, statics, layout, dispatch
 *                 tables, state.  Lives in the low region (header words are
 *                 32-bit class addresses) until its loader dies.
 *   ClassVersion  what redefinition can change (D4): class-file model, pool,
 *                 methods, attributes.  class->version is the current one.
 *   Method        immutable once linked, belongs to one version.  Everything
 *                 durable that names a method from outside (JNI, reflection,
 *                 MemberName) uses MethodID, whose `method` cell redefinition
 *                 rewrites in a safepoint.
 *   Pool cells    resolved entries, one per pool index, in the version.
 *
 * Statics live in the mirror (java.lang.Class instance, extended behind its
 * Java fields); mirrors never move, so a resolved static is an address.
 */
#ifndef GRAFT_OBJECT_CLASS_H
#define GRAFT_OBJECT_CLASS_H

#include "classfile.h"
#include "object/object.h"
#include "object/symbol.h"

enum { /* access flags, JVMS tables 4.1-B, 4.5-A, 4.6-A */
    ACC_PUBLIC = 0x0001, ACC_PRIVATE = 0x0002, ACC_PROTECTED = 0x0004,
    ACC_STATIC = 0x0008, ACC_FINAL = 0x0010, ACC_SYNCHRONIZED = 0x0020,
    ACC_SUPER = 0x0020, ACC_VOLATILE = 0x0040, ACC_BRIDGE = 0x0040,
    ACC_VARARGS = 0x0080, ACC_TRANSIENT = 0x0080, ACC_NATIVE = 0x0100,
    ACC_INTERFACE = 0x0200, ACC_ABSTRACT = 0x0400, ACC_STRICT = 0x0800,
    ACC_SYNTHETIC = 0x1000, ACC_ANNOTATION = 0x2000, ACC_ENUM = 0x4000,
    ACC_MODULE = 0x8000
};

/* Order matters: compared with < and >=. */
typedef enum ClassState {
    CLASS_ALLOCATED, /* being built by define */
    CLASS_LOADED,    /* in its dictionary, super and interfaces loaded */
    CLASS_LINKING,   /* verification or preparation under way */
    CLASS_LINKED,    /* verified, vtable/itable set, rewritten */
    CLASS_INITIALIZING,
    CLASS_INITIALIZED,
    CLASS_ERRONEOUS
} ClassState;

enum { /* Class.flags */
    CF_ARRAY = 1 << 0, CF_PRIMITIVE = 1 << 1, CF_HIDDEN = 1 << 2,
    CF_FINALIZABLE = 1 << 3,    /* overrides finalize() with a body */
    CF_REFERENCE = 1 << 4,      /* java.lang.ref.Reference or a subclass */
    CF_MIRROR = 1 << 5,         /* java.lang.Class: instances have statics behind them */
    CF_LOADER = 1 << 6,         /* subclass of java.lang.ClassLoader */
    CF_MAGIC = 1 << 7,          /* subclass of MagicAccessorImpl: no checks */
    CF_HAS_DEFAULTS = 1 << 8,   /* interface with a non-abstract instance method, or inherits one */
    CF_RECORD = 1 << 9, CF_STRONG = 1 << 10,
    CF_TRUSTED_FINALS = 1 << 11, /* record or hidden */
    CF_VM_ANNOTATIONS = 1 << 12, /* @Hidden & co. count here */
    CF_THROWABLE = 1 << 13,
    CF_NEVER_ALLOC_FAST = 1 << 14, /* abstract, interface, Class, finalizable: `new` goes slow */
    CF_REDEFINED = 1 << 15, CF_IS_MH_HOLDER = 1 << 16, /* MethodHandle or VarHandle itself */
    CF_HAS_FINALS = 1 << 17, /* declares final instance methods */
    CF_DYING = 1 << 26, /* inside the sweep that frees it */
    CF_OWNS_NAME = 1 << 25, /* hidden class or array of one: name is a private symbol */
    CF_SHARES_INTERFACES = 1 << 24, /* all_interfaces is its superclass's table */
    CF_UNLOADABLE = 1 << 18, /* dies with its loader or, if hidden, alone; see load/unload.c */
    CF_ANNOTATIONS_SEEN = 1 << 20, /* reflection objects hold annotations of its members as bytes */
    CF_OUTSIDE = 1 << 21, /* it or a superclass has outside fields, see heap/records.h */
    CF_HOLDS_LOST = 1 << 23, /* inside a pause: has references of a type that a class loses, see redefine/reshape_supers.c */
    CF_RELATED = 1 << 22, /* inside a pause: a class that changes shape or inherits from one */
    CF_INSTALLING = 1 << 19 /* inside the pause that gives it a new version; see redefine/install.c */
};

typedef enum RefKind { REF_NONE, REF_SOFT, REF_WEAK, REF_FINAL, REF_PHANTOM } RefKind;

enum { DISPLAY_DEPTH = 8 };

typedef struct ItableEntry {
    Class *iface;
    Method **methods; /* indexed by the interface method's itable_index */
} ItableEntry;

struct Class {
    /* --- hot: type checks, dispatch, allocation --- */
    u4 flags;             /* CF_* */
    u4 instance_size;     /* bytes, 8-aligned; arrays: 0 */
    _Atomic u1 state;     /* ClassState */
    u1 dims;              /* arrays: dimensions */
    u1 elem_type;         /* arrays: BasicType of the component; primitives: itself */
    u1 elem_shift;        /* arrays: log2 of the element size */
    u2 access;            /* ACC_* of the class file (not InnerClasses) */
    u2 depth;             /* superclass chain length; Object = 0 */
    Class *display[DISPLAY_DEPTH]; /* display[k] = superclass at depth k, itself included */
    _Atomic(Class *) last_super_hit; /* cache of a positive slow subtype check */
    Method **vtable;
    ItableEntry *itable;
    u2 vtable_len, itable_len;
    u1 ref_kind;          /* RefKind */
    u1 pad0[3];

    /* --- identity --- */
    Symbol *name;         /* internal form: java/lang/Object, [I, int; hidden: Foo+0x1 */
    Class *super;
    Class **interfaces;   /* direct */
    Class **all_interfaces; /* transitive, no duplicates */
    u2 n_interfaces, n_all_interfaces;
    Loader *loader;       /* defining loader; never NULL (boot is &vm.boot_loader) */
    Object *mirror;       /* java.lang.Class */
    Module *module;       /* may be NULL before java.base is defined */
    Package *package;     /* run-time package (loader + name) */
    Class *component;     /* arrays: component type */
    _Atomic(Class *) array_class; /* class of arrays of this */
    Class *first_subclass, *next_sibling; /* hierarchy, for redefinition; [lock: hierarchy] */
    Class *next_in_loader;

    /* --- layout --- */
    u4 static_size;       /* bytes behind the mirror's Java fields */
    u2 n_fields;          /* declared here */
    Field *fields;        /* in class-file order */
    u2 *ref_offsets;      /* instance reference fields, inherited ones included, referent etc. excluded */
    u2 n_ref_offsets;
    u2 n_static_refs;     /* static references come first, at static_base */
    u4 static_base;       /* byte offset in the mirror */

    /* --- versioned part --- */
    ClassVersion *version;
    u4 redefinition_count;
    struct Reshaped *reshaped; /* NULL unless its shape has changed; see redefine/reshape.c */

    /* --- initialisation (JVMS 5.5) --- */
    _Atomic(Thread *) init_thread;
    Object *init_error;   /* the ExceptionInInitializerError cause record; GC root through class walk */
    Symbol *link_error_name; /* sticky linkage failure, see link.h */

    /* --- attributes of identity --- */
    _Atomic(Class *) nest_host; /* resolved lazily, by all threads to the same */
    Symbol *source_debug; /* unused cells may be NULL */
    Object *protection_domain, *signers, *class_data; /* GC roots through class walk */
    const char *location; /* where it came from, for -verbose:class */
    void *ti_data;        /* owned by jvmti/ */
    u8 hidden_id;
    u4 class_init_barrier;
    u4 instance_end;      /* end of the last instance field, unaligned (layout) */
    u2 n_fields_all;      /* n_fields plus injected ones, which reflection must not see */
    _Atomic(Thread *) link_thread; /* who is linking it */
    _Atomic u8 uses[4];   /* hashed set of the classes whose methods its cells and call sites name */
    Thread *redefiner;    /* who is redefining it, how often nested [lock: redefinition] */
    u4 redefiner_depth;
};

/* Resolved pool entries.  `state` of the tag array says whether it is valid:
 * writers fill the cell, then release-store the state. */
typedef enum PoolState {
    POOL_UNRESOLVED = 0, POOL_RESOLVED = 1, POOL_ERROR = 2
} PoolState;

typedef struct ResolvedMethod {
    Method *method;     /* for invokeinterface on Object methods: the Object method */
    u2 vtable_index;    /* for virtual dispatch; 0xffff = call method directly */
    u2 arg_slots;       /* receiver included */
    Object *appendix;   /* invokehandle: extra last argument or NULL; GC root */
} ResolvedMethod;

typedef union PoolCell {
    Class *klass;
    Object *object;        /* String, MethodHandle, MethodType, condy references */
    int64_t prim;          /* condy primitives */
    ResolvedMethod *method; /* Methodref, InterfaceMethodref, invokehandle */
    Field *field;
    void *error;           /* POOL_ERROR: Symbol-class + message record, see link/resolve.c */
} PoolCell;

/* invokedynamic: one per call site (bytecode), not per pool entry. */
typedef struct CallSite {
    _Atomic(Method *) adapter; /* NULL until linked */
    Object *appendix;          /* GC root */
    u2 pool_index;
    u2 arg_slots;
    Object *error;             /* sticky linkage error; GC root */
} CallSite;

struct ClassVersion {
    Class *klass;
    CfClass *cf;           /* model; views into bytes */
    const u1 *bytes;       /* class file as defined (after hooks) */
    u4 bytes_len;
    bool bytes_owned;      /* malloc'ed, else mapped from the image */
    u1 *cached_bytes;      /* where a retransformation starts if not at bytes; image or malloc */
    u4 cached_len;
    u1 *before;            /* bytes of the version that it replaced, for undoing; or NULL */
    u4 before_len;
    bool agent_bytes;      /* an agent changed them: no Java body is replaced by C */
    _Atomic bool named_in_heap;    /* a backtrace or a ResolvedMethodName may name a method of it */
    struct CfArena *arena; /* owns cf */
    u2 major, minor;
    u2 pool_count;
    _Atomic u1 *pool_state; /* PoolState per index */
    PoolCell *pool;
    Symbol **pool_syms;    /* lazily interned Utf8/Class names per index */
    Method *methods;       /* array, class-file order, overpass methods behind */
    u2 n_methods;          /* as in the class file */
    u2 n_methods_all;      /* plus VM-made ones */
    CallSite **call_sites;
    u2 n_call_sites;
    ClassVersion *previous; /* older ones of the class that are still in use, newest first */
    ClassVersion *next_old; /* all old versions; see redefine/versions.c */
    bool in_use, in_frame;  /* ... while these are sorted out */
    bool running;           /* frames have run it ever since it was replaced: stack traces still show its lines */
    void **qcells;         /* interp: per pool index, what quickened code needs at hand; then n_extra_cells more */
    u4 n_extra_cells;
    Method **sorted_methods; /* n_methods pointers by name address, for look-up */
    u2 *method_cells;        /* pool indices whose cell names a Method (redefinition) */
    u4 n_method_cells, cap_method_cells;
    ResolvedMethod **retired; /* cells of entries that are unresolved again: C code may hold them */
    u4 n_retired, cap_retired;
    u2 *ref_cells;           /* pool indices whose cell holds a reference (collector) */
    u4 n_ref_cells, cap_ref_cells;
};

struct Field {
    Class *holder;
    Symbol *name, *desc;
    u2 access;
    u2 index;          /* in class-file order */
    u1 type;           /* BasicType; arrays are T_ARRAY */
    u1 flags;          /* FIELD_* */
    u4 slot;           /* its number in reflection objects; index until the class changes shape */
    u4 offset;         /* instance: from the object; static: from the mirror; or outside: heap/records.h */
    const CfMember *cf;
};
enum { FIELD_STABLE = 1, FIELD_CONTENDED = 2, FIELD_INJECTED = 4, FIELD_TRUSTED_FINAL = 8,
       FIELD_ACCESS_WATCH = 16, FIELD_MODIFY_WATCH = 32,
       FIELD_EXPOSED = 64, /* Java code may have kept its offset */
       FIELD_NAMED = 128   /* native code may have kept this record as its jfieldID */ };

/* How invoking a method continues; the interpreter switches on it. */
typedef enum MethodKind {
    MK_BYTECODE,      /* interpreted */
    /* bytecode, too, that calls in the interpreter run without a frame: interp/leaf.c */
    MK_LEAF_EMPTY, MK_LEAF_OBJECT_INIT, MK_LEAF_GET_B, MK_LEAF_GET_I, MK_LEAF_GET_J, MK_LEAF_GET_A, MK_LEAF_POKE,
    MK_NATIVE,        /* JNI native, bound or to be bound */
    MK_VM_NATIVE,     /* C function on raw slots, see native/intrinsic/intrinsic.def */
    MK_ABSTRACT,      /* throws AbstractMethodError */
    MK_CONFLICT,      /* default-method conflict: IncompatibleClassChangeError */
    MK_REMOVED,       /* stands for a method that redefinition removed: NoSuchMethodError */
    MK_INVOKE_BASIC, MK_LINK_STATIC, MK_LINK_SPECIAL, MK_LINK_VIRTUAL,
    MK_LINK_INTERFACE, MK_LINK_NATIVE,
    MK_MH_GENERIC     /* invokeExact/invoke/VarHandle methods: linked per call site */
} MethodKind;

enum { /* Method.flags */
    MF_CALLER_SENSITIVE = 1, MF_HIDDEN = 2, MF_SCOPED = 4, MF_OVERPASS = 8, MF_FORCE_INLINE = 16,
    MF_INIT = 32 /* <init> */, MF_CLINIT = 64, MF_OBSOLETE = 128, MF_HAS_BREAKPOINT = 256,
    MF_HAS_MONITORS = 512 /* contains monitorenter */, MF_EMPTY = 1024 /* body is a lone return */,
    MF_OBJECT_INIT = 2048, /* Object.<init>: finalizer registration */
    MF_INTRINSIC = 4096, MF_VERIFIED = 8192, MF_JSR = 16384,
    MF_LEAF = 32768 /* MK_VM_NATIVE: called without a frame */
};

typedef struct ExHandler {
    u2 start, end, handler, catch_type;
} ExHandler;

/* C function that runs a VM native: args are the slots (receiver first, two
 * for long/double), result goes to *ret.  Runs in state "in Java": must not
 * block without a transition, may throw (sets the pending exception). */
typedef void (*VmNative)(Thread *t, Slot *args, Slot *ret);
typedef struct Intrinsic { /* a row of native/intrinsic/intrinsic.def */
    VmNative fn;           /* NULL: there is none */
    bool leaf;
} Intrinsic;

/* What a MK_LEAF method does besides what its kind says. */
typedef struct Leaf {
    u2 offset;   /* MK_LEAF_GET: of the field */
    u1 from;     /* MK_LEAF_POKE: argument slot of the index */
    u1 shift;
    u1 op;       /* LeafPoke */
    int8_t value;
} Leaf;

struct Method {
    u1 kind;             /* MethodKind */
    u1 ret_type;         /* BasicType */
    u2 access;
    u4 flags;            /* MF_* */
    u2 arg_slots;        /* receiver included, long/double two */
    u2 max_locals, max_stack;
    u2 n_handlers;
    u1 *qcode;           /* private quickened copy (interp owns it); NULL until first run */
    const u1 *code;      /* original bytes, never written */
    u4 code_len;
    u4 index;            /* in version->methods */
    u4 slot;             /* its number in reflection objects; index until the class changes shape */
    Class *holder;
    ClassVersion *version;
    Symbol *name, *desc;
    ExHandler *handlers; /* decoded at link */
    int32_t vtable_index; /* -1: not in a vtable (static, private, <init>, final of final...) */
    int32_t itable_index; /* methods of interfaces: index inside the interface; else -1 */
    /* A native may change its kind while others call it.  So what belongs to each kind has a word of its own, which is set
     * before the kind is stored (release) and stays true afterwards: who read the old kind still finds the old word. */
    _Atomic(void *) native_fn;     /* MK_NATIVE: bound address or NULL */
    union {
        VmNative vm_native;        /* MK_VM_NATIVE */
        Leaf leaf;                 /* MK_LEAF, which is never native */
    };
    void *native_shape;  /* cached call shape of native/; MK_CONFLICT: its message (char *); MK_LEAF_POKE: where */
    _Atomic(MethodID *) id;
    const CfMember *cf;  /* attributes; NULL for VM-made methods */
    const CfCode *cf_code; /* decoded Code view, in the version's arena; NULL if none */
    void *tier_data;     /* owned by exec tiers (reference maps, counters) */
    Method *next_version; /* in an old version: the current method, or its MK_REMOVED; else NULL */
    u1 *qentry;          /* qcode when entering needs nothing special, else NULL (interp owns it) */
    void **qcells;       /* version->qcells (interp owns it) */
    /* What compiled code calls (jit/jit.h: registers): the method's own code, or jit_bridge, which runs it in the interpreter. */
    const void *entry;
    struct CodeBlob *blob; /* what entry leads into, or NULL (jit owns both) */
    u4 heat;             /* calls and back-edges in the interpreter, since it was prepared or its code was thrown away */
    u2 recompiled;       /* how often that was */
    u1 tier_state;       /* TIER_* of jit/jit.h */
};

/* jmethodID and the durable name of a method.  Its memory stays a MethodID for ever; `method` is NULL
 * when the method is dead, and `holder` no Class then.  object/method_id.c */
struct MethodID {
    _Atomic(Method *) method;
    Class *holder;
};
MethodID *method_id_new(Method *m);
void method_id_free(MethodID *id);

/* Frames of m run its bytecode. */
static inline bool method_is_interpreted(const Method *m) { return m->kind <= MK_LEAF_POKE; }
static inline bool method_is_leaf(const Method *m) { return m->kind >= MK_LEAF_EMPTY && m->kind <= MK_LEAF_POKE; }

/* The method that a call by name runs now; C code that kept a Method across a safepoint asks. */
static inline Method *method_current(Method *m) { return m->next_version ? m->next_version : m; }
/* The same unless m is obsolete: what IDs, breakpoints and events call the method of a frame. */
static inline Method *method_identity(Method *m) {
    return m->next_version && !(m->flags & MF_OBSOLETE) ? m->next_version : m;
}

/* Counts the pauses in which classes changed shape.  Who resolves something reads it first and publishes
 * the result only while it is the same. */
extern _Atomic u4 reshape_epoch;

/* Whoever stores a Method of `holder` in a pool cell, quick cell or call site of `user` says so:
 * redefinition looks for methods of a class only where they can be. */
static inline u4 class_use_hash(const Class *holder) {
    return (u4)(((uintptr_t)holder >> 6) * 0x9e3779b97f4a7c15ull >> 56);
}
static inline void class_note_use(Class *user, const Class *holder) {
    u4 h = class_use_hash(holder);
    u8 bit = (u8)1 << (h & 63);
    if (!(atomic_load_explicit(&user->uses[h >> 6], memory_order_relaxed) & bit)) atomic_fetch_or(&user->uses[h >> 6], bit);
}
/* A set of holders, hashed likewise. */
static inline void class_add_to_set(u8 set[4], const Class *holder) {
    u4 h = class_use_hash(holder);
    set[h >> 6] |= (u8)1 << (h & 63);
}
static inline bool class_may_be_in_set(const u8 set[4], const Class *holder) {
    u4 h = class_use_hash(holder);
    return set[h >> 6] >> (h & 63) & 1;
}
/* May `user` have methods of a class of the set in its cells? */
static inline bool class_may_use(const Class *user, const u8 set[4]) {
    u8 common = 0;
    for (int i = 0; i < 4; i++) common |= atomic_load_explicit(&((Class *)user)->uses[i], memory_order_relaxed) & set[i];
    return common != 0;
}

static inline bool class_is_interface(const Class *c) { return c->access & ACC_INTERFACE; }
/* Bits that change while other threads may change others of the same word. */
#define FLAGS_SET(word, bits) ((void)__atomic_fetch_or(&(word), (__typeof__(word))(bits), __ATOMIC_RELAXED))
#define FLAGS_CLEAR(word, bits) ((void)__atomic_fetch_and(&(word), (__typeof__(word))~(bits), __ATOMIC_RELAXED))

static inline bool class_is_array(const Class *c) { return c->flags & CF_ARRAY; }
static inline bool class_is_primitive(const Class *c) { return c->flags & CF_PRIMITIVE; }
static inline bool class_is_initialized(const Class *c) {
    return atomic_load_explicit(&((Class *)c)->state, memory_order_acquire) == CLASS_INITIALIZED;
}
static inline bool method_is_static(const Method *m) { return m->access & ACC_STATIC; }
/* The return type, behind the parameters of the descriptor (whose class names may have parentheses). */
static inline const char *method_result(const Method *m) { return cf_desc_result((CfStr){m->desc->bytes, m->desc->len}).p; }
static inline bool method_is_native(const Method *m) { return m->access & ACC_NATIVE; }
static inline bool method_is_abstract(const Method *m) { return m->access & ACC_ABSTRACT; }

/* Subtype test: S <: T.  Exact and lock-free. */
bool class_is_subtype_slow(Class *s, Class *t);
static inline bool class_is_subtype(Class *s, Class *t) {
    if (s == t) return true;
    if (!(t->access & ACC_INTERFACE) && t->depth < DISPLAY_DEPTH && !(t->flags & CF_ARRAY))
        return s->display[t->depth] == t;
    if (atomic_load_explicit(&s->last_super_hit, memory_order_relaxed) == t) return true;
    return class_is_subtype_slow(s, t);
}
static inline bool obj_instanceof(const Object *o, Class *t) {
    return class_is_subtype(obj_class(o), t);
}

/* java.lang.Class instance -> Class: cell injected behind the Java fields. */
extern u4 mirror_class_offset; /* 0 until java.lang.Class is laid out */
static inline Class *mirror_class(const Object *mirror) {
    return *(Class **)((u1 *)mirror + mirror_class_offset);
}

static inline int type_size_shift(BasicType t) {
    switch (t) {
    case T_BOOLEAN: case T_BYTE: return 0;
    case T_CHAR: case T_SHORT: return 1;
    case T_LONG: case T_DOUBLE: return 3;
    default: return 2; /* int, float, references (D2) */
    }
}
static inline int type_slots(BasicType t) {
    return t == T_VOID ? 0 : (t == T_LONG || t == T_DOUBLE) ? 2 : 1;
}
static inline BasicType type_of_desc_char(char c) {
    switch (c) {
    case 'Z': return T_BOOLEAN; case 'C': return T_CHAR; case 'F': return T_FLOAT;
    case 'D': return T_DOUBLE; case 'B': return T_BYTE; case 'S': return T_SHORT;
    case 'I': return T_INT; case 'J': return T_LONG; case 'V': return T_VOID;
    case '[': return T_ARRAY; default: return T_OBJECT;
    }
}

/* The region that holds Class structures (low 4 GiB): object/class_region.c */
void class_region_init(void);
extern size_t class_region_limit;     /* bytes; 0 = all of it */
Class *class_region_alloc(void);      /* zeroed; NULL when full */
void class_region_free(Class *c);
size_t class_region_size(size_t *used); /* bytes that may be used; *used: committed */
bool class_region_contains(const void *p); /* p is the address of a live Class */

#endif
