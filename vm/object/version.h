/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ClassVersion: what redefinition can change of a class (D4), its class-file model, pool, methods and call sites;
 * Class.version is the current one.  Whoever names a method of another class in a cell notes the use.
 */
#ifndef GRAFT_OBJECT_VERSION_H
#define GRAFT_OBJECT_VERSION_H

#include "object/method.h"
#include "classfile.h"
#include "object/class.h"
#include "cf_vec.h"

/* Resolved pool entries.  `pool_state` at the same index says whether it is valid:
 * writers fill the cell, then release-store the state. */
typedef enum PoolState { POOL_UNRESOLVED = 0, POOL_RESOLVED = 1, POOL_ERROR = 2 } PoolState;

typedef struct ResolvedMethod {
    Method *method;   /* for invokeinterface on Object methods: the Object method */
    u2 vtable_index;  /* for virtual dispatch; 0xffff = call method directly */
    u2 arg_slots;     /* receiver included */
    Object *appendix; /* invokehandle: extra last argument or NULL; GC root */
} ResolvedMethod;

typedef union PoolCell {
    Class *klass;
    Object *object;         /* String, MethodHandle, MethodType, condy references */
    int64_t prim;           /* condy primitives */
    ResolvedMethod *method; /* Methodref, InterfaceMethodref, invokehandle */
    Field *field;
    void *error; /* POOL_ERROR: class and message of the LinkageError, see link/pool.c */
} PoolCell;

/* invokedynamic: one per call site (bytecode), not per pool entry. */
typedef struct CallSite {
    _Atomic(Method *) adapter; /* NULL until linked */
    Object *appendix;          /* GC root */
    u2 pool_index;
    u2 arg_slots;
} CallSite;

typedef CF_VEC(u2) CellList; /* pool indices */

struct ClassVersion {
    Class *klass;
    CfClass *cf;     /* model; views into bytes */
    const u1 *bytes; /* class file as defined (after hooks) */
    u4 bytes_len;
    bool bytes_owned; /* malloc'ed, else mapped from the image */
    u1 *cached_bytes; /* where a retransformation starts if not at bytes; image or malloc */
    u4 cached_len;
    u1 *before; /* bytes of the version that it replaced, for undoing; or NULL */
    u4 before_len;
    bool agent_bytes;           /* an agent changed them: no Java body is replaced by C */
    _Atomic bool named_in_heap; /* a backtrace or a ResolvedMethodName may name a method of it */
    struct CfArena *arena;      /* owns cf */
    u2 major, minor;
    _Atomic u4 modifiers; /* class_modifiers, once somebody asked */
    bool circular_inner;  /* its InnerClasses attribute goes in a circle and does not count */
    u2 pool_count;
    _Atomic u1 *pool_state; /* PoolState per index */
    PoolCell *pool;
    Symbol **pool_syms; /* lazily interned Utf8/Class names per index */
    Method *methods;    /* array, class-file order, initialisers of redefinition behind */
    u2 n_methods;       /* as in the class file */
    u2 n_methods_all;   /* plus VM-made ones */
    CallSite **call_sites;
    u4 n_call_sites;        /* may be more than pool entries: one per instruction */
    ClassVersion *previous; /* older ones of the class that are still in use, newest first */
    ClassVersion *next_old; /* all old versions; see redefine/versions.c */
    bool in_use, in_frame;  /* ... while these are sorted out */
    u4 source;     /* which source its lines are of: one further with each redefinition, the same after a retransformation */
    bool running;  /* frames have run it ever since it was replaced: stack traces still show its lines */
    void **qcells; /* quick/: per pool index, what quickened code needs at hand; then n_extra_cells more */
    u4 n_extra_cells;
    Method **sorted_methods;          /* n_methods pointers by name address, for look-up */
    CellList method_cells;            /* whose cell names a Method (redefinition) */
    CellList ref_cells;               /* whose cell holds a reference (collector) */
    CF_VEC(ResolvedMethod *) retired; /* cells of entries that are unresolved again: C code may hold them */
};

/* --- attributes that list classes (inner_classes.c) --- */
CfRows class_indices(const CfAttrs *attrs,
                     CfAttrKind kind); /* of Exceptions, NestMembers, ...; none if there is no such attribute */
bool class_lists(const CfClass *cf, CfAttrKind kind, CfStr name);
/* ACC_SYNTHETIC may be given as an attribute (JVMS 4.7.8), and is before version 49. */
static inline u2 declared_access(u2 access, const CfAttrs *attrs) {
    return cf_attr(attrs, CF_ATTR_SYNTHETIC) ? access | ACC_SYNTHETIC : access;
}
CfRows class_inner_rows(const Class *c);
bool inner_classes_circular(const CfClass *cf, bool *circular);       /* false: no memory */
bool class_own_row(const Class *c, CfInner *out);                     /* the one that describes c; false: there is none */
bool class_entry_names(const Class *c, u4 index, const Class *named); /* does the pool entry of c have that name? */
u4 class_modifiers(const Class *c);                                   /* of its declaration, as Class.getModifiers gives them */

/* Counts the pauses in which classes changed shape.  Who resolves something reads it first and publishes
 * the result only while it is the same. */
extern _Atomic u4 reshape_epoch;

/* Whoever stores a Method of `holder` in a pool cell, quick cell or call site of `user` says so:
 * redefinition looks for methods of a class only where they can be. */
static inline u4 class_use_hash(const Class *holder) { return (u4)(((uintptr_t)holder >> 6) * 0x9e3779b97f4a7c15ull >> 56); }
extern _Atomic u4 class_uses_noted; /* changes with the answer of class_may_use for any class */
static inline void class_note_use(Class *user, const Class *holder) {
    u4 h = class_use_hash(holder);
    u8 bit = (u8)1 << (h & 63);
    if (atomic_load_explicit(&user->uses[h >> 6], memory_order_relaxed) & bit) return;
    atomic_fetch_or(&user->uses[h >> 6], bit);
    atomic_fetch_add(&class_uses_noted, 1);
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
/* The user, and what it may use. */
static inline bool version_has(const ClassVersion *v, const Method *m) {
    return m >= v->methods && m < v->methods + v->n_methods_all;
}

static inline void class_add_uses_to_set(u8 set[4], const Class *user) {
    class_add_to_set(set, user);
    for (int i = 0; i < 4; i++) set[i] |= atomic_load_explicit(&((Class *)user)->uses[i], memory_order_relaxed);
}

#endif
