/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: identity.  Name, loader, mirror, statics, layout, dispatch tables, state: what stays when a class is
 * redefined.  What redefinition can change hangs on its ClassVersion (version.h), whose methods are in method.h.
 * Lives in the low region (header words are 32-bit class addresses) until its loader dies.
 *
 * Statics live in the mirror (java.lang.Class instance, extended behind its Java fields); mirrors never move, so a
 * resolved static is an address.
 */
#ifndef GRAFT_OBJECT_CLASS_H
#define GRAFT_OBJECT_CLASS_H

#include "object/access.h"
#include "object/object.h"
#include "object/symbol.h"

/* Order matters: compared with < and >=. */
typedef enum ClassState {
    CLASS_ALLOCATED, /* being built by define */
    CLASS_LOADED,    /* in its dictionary, super and interfaces loaded */
    CLASS_LINKING,   /* verification or preparation under way */
    CLASS_LINKED,    /* methods decoded, verified, vtable/itable set */
    CLASS_INITIALIZING,
    CLASS_INITIALIZED,
    CLASS_ERRONEOUS
} ClassState;

enum { /* Class.flags */
       CF_ARRAY = 1 << 0,
       CF_PRIMITIVE = 1 << 1,
       CF_HIDDEN = 1 << 2,
       CF_FINALIZABLE = 1 << 3,  /* overrides finalize() with a body */
       CF_REFERENCE = 1 << 4,    /* java.lang.ref.Reference or a subclass */
       CF_MIRROR = 1 << 5,       /* java.lang.Class: instances have statics behind them */
       CF_LOADER = 1 << 6,       /* subclass of java.lang.ClassLoader */
       CF_MAGIC = 1 << 7,        /* subclass of MagicAccessorImpl: no checks */
       CF_HAS_DEFAULTS = 1 << 8, /* interface with a non-abstract instance method, or inherits one */
       CF_RECORD = 1 << 9,
       CF_STRONG = 1 << 10,
       CF_TRUSTED_FINALS = 1 << 11, /* record or hidden */
       CF_VM_ANNOTATIONS = 1 << 12, /* @Hidden & co. count here */
       CF_THROWABLE = 1 << 13,
       CF_NEVER_ALLOC_FAST = 1 << 14, /* abstract, interface, Class, finalizable: `new` goes slow */
       CF_REDEFINED = 1 << 15,
       CF_IS_MH_HOLDER = 1 << 16,      /* MethodHandle or VarHandle itself */
       CF_HAS_FINALS = 1 << 17,        /* declares final instance methods */
       CF_DYING = 1 << 26,             /* inside the sweep that frees it */
       CF_OWNS_NAME = 1 << 25,         /* hidden class or array of one: name is a private symbol */
       CF_SHARES_INTERFACES = 1 << 24, /* all_interfaces is its superclass's table */
       CF_UNLOADABLE = 1 << 18,        /* dies with its loader or, if hidden, alone; see load/unload.c */
       CF_ANNOTATIONS_SEEN = 1 << 20,  /* reflection objects hold annotations of its members as bytes */
       CF_OUTSIDE = 1 << 21,           /* it or a superclass has outside fields, see heap/records.h */
       CF_HOLDS_LOST = 1 << 23, /* inside a pause: has references of a type that a class loses, see redefine/reshape_supers.c */
       CF_RELATED = 1 << 22,    /* inside a pause: a class that changes shape or inherits from one */
       CF_TARGETS_BROKEN = 1 << 28, /* code relied on its only targets, and wrongly [lock: hierarchy]; jit/hierarchy.c */
       CF_INSTALLING = 1 << 19      /* inside the pause that gives it a new version; see redefine/install.c */
};

typedef enum RefKind { REF_NONE, REF_SOFT, REF_WEAK, REF_FINAL, REF_PHANTOM } RefKind;

enum { DISPLAY_DEPTH = 8 };

/*
 * Which interfaces a class has, for tests that neither walk nor write.  Each interface gets a key when it is made, in turn, and keeps it.
 * `keys` has a bit for the key of each interface of the class, so no bit is no; `row` has, where a key belongs, one of them.  What neither
 * decides (two of one place, another one's bit) all_interfaces does.
 */
enum { INTERFACE_KEYS = 64, INTERFACE_ROW = 16 };
typedef struct InterfaceSet {
    u8 keys;
    u4 row[INTERFACE_ROW]; /* at key % INTERFACE_ROW; as words, since classes are below 4 GiB */
} InterfaceSet;

typedef struct ItableEntry {
    Class *iface;
    Method **methods; /* indexed by the interface method's itable_index */
} ItableEntry;

struct Class {
    /* --- hot: type checks, dispatch, allocation --- */
    u4 flags;                        /* CF_* */
    u4 instance_size;                /* bytes, 8-aligned; arrays: 0 */
    _Atomic u1 state;                /* ClassState */
    u1 dims;                         /* arrays: dimensions */
    u1 elem_type;                    /* arrays: BasicType of the component; primitives: itself */
    u1 elem_shift;                   /* arrays: log2 of the element size */
    u2 access;                       /* ACC_* of the class file (not InnerClasses) */
    u2 depth;                        /* superclass chain length; Object = 0 */
    Class *display[DISPLAY_DEPTH];   /* display[k] = superclass at depth k, itself included */
    _Atomic(Class *) last_super_hit; /* cache of a positive slow subtype check */
    InterfaceSet interface_set;      /* of all_interfaces */
    Method **vtable;
    ItableEntry *itable;
    u2 vtable_len, itable_len;
    u1 ref_kind;      /* RefKind */
    u1 interface_key; /* of an interface: its place in InterfaceSet */
    bool dispatches;  /* its tables are there, objects may come: it counts for class_only_target [lock: hierarchy] */

    /* --- identity --- */
    Symbol *name; /* internal form: java/lang/Object, [I, int; hidden: Foo+0x1 */
    Class *super;
    Class **interfaces;     /* direct */
    Class **all_interfaces; /* transitive, no duplicates */
    u2 n_interfaces, n_all_interfaces;
    Loader *loader;                       /* defining loader; never NULL (boot is &boot_loader) */
    Object *mirror;                       /* java.lang.Class */
    Module *module;                       /* may be NULL before java.base is defined */
    Package *package;                     /* run-time package (loader + name) */
    Class *component;                     /* arrays: component type */
    _Atomic(Class *) array_class;         /* class of arrays of this */
    Class *first_subclass, *next_sibling; /* hierarchy, for redefinition; [lock: hierarchy] */
    struct OnlyTarget *only_targets;      /* that code relies on; [lock: hierarchy] */
    Class *next_in_loader;

    /* --- layout --- */
    u4 static_size;  /* bytes behind the mirror's Java fields */
    u2 n_fields;     /* declared here */
    Field *fields;   /* in class-file order */
    u2 *ref_offsets; /* instance reference fields, inherited ones included, referent etc. excluded */
    u2 n_ref_offsets;
    u2 n_static_refs; /* static references come first, at static_base */
    u4 static_base;   /* byte offset in the mirror */

    /* --- versioned part --- */
    ClassVersion *version;
    struct Reshaped *reshaped; /* NULL unless its shape has changed; see redefine/reshape.c */

    /* --- initialisation (JVMS 5.5) --- */
    _Atomic(Thread *) init_thread;
    Object *init_error; /* the ExceptionInInitializerError cause record; GC root through class walk */

    /* --- attributes of identity --- */
    _Atomic(Class *) nest_host;                       /* resolved lazily, by all threads to the same */
    Object *protection_domain, *signers, *class_data; /* GC roots through class walk */
    const char *location;                             /* where it came from, for -verbose:class */
    u4 instance_end;                                  /* end of the last instance field, unaligned (layout) */
    u2 n_fields_all;                                  /* n_fields plus injected ones, which reflection must not see */
    _Atomic(Thread *) link_thread;                    /* who is linking it */
    Object **folded; /* what code has as constants of its static final fields; GC roots [lock: jit] */
    u4 n_folded;
    _Atomic u8 uses[4]; /* hashed set of the classes whose methods its cells and call sites name */
    Thread *redefiner;  /* who is redefining it, how often nested [lock: redefinition] */
    u4 redefiner_depth;
};

static inline bool class_is_interface(const Class *c) { return c->access & ACC_INTERFACE; }
/* As messages call it. */
static inline const char *class_kind(const Class *c) {
    return class_is_interface(c) ? "interface" : c->access & ACC_ABSTRACT ? "abstract class" : "class";
}
static inline bool class_is_array(const Class *c) { return c->flags & CF_ARRAY; }
static inline bool class_is_primitive(const Class *c) { return c->flags & CF_PRIMITIVE; }
/* What the arrays of arrays end at; the class itself if it is none. */
static inline Class *class_element(const Class *c) {
    while (class_is_array(c)) c = c->component;
    return (Class *)c;
}
static inline bool class_names_interface(const Class *c, const Class *i) { /* as a direct one */
    for (u4 k = 0; k < c->n_interfaces; k++)
        if (c->interfaces[k] == i) return true;
    return false;
}
static inline bool class_is_initialized(const Class *c) {
    return atomic_load_explicit(&((Class *)c)->state, memory_order_acquire) == CLASS_INITIALIZED;
}

static inline bool class_may_have_interface(const Class *c, const Class *i) {
    return c->interface_set.keys >> i->interface_key & 1;
}

/* Subtype test: S <: T.  Exact and lock-free. */
bool class_is_subtype_slow(Class *s, Class *t);
static inline bool class_is_subtype(Class *s, Class *t) {
    if (s == t) return true;
    if (!(t->access & ACC_INTERFACE) && t->depth < DISPLAY_DEPTH && !(t->flags & CF_ARRAY)) return s->display[t->depth] == t;
    if (t->access & ACC_INTERFACE && !class_may_have_interface(s, t)) return false;
    if (atomic_load_explicit(&s->last_super_hit, memory_order_relaxed) == t) return true;
    return class_is_subtype_slow(s, t);
}
static inline bool obj_instanceof(const Object *o, Class *t) { return class_is_subtype(obj_class(o), t); }

/* Is f c's own, inherited, or an interface's?  It is only compared, not read. */
bool class_has_field(const Class *c, const Field *f);

/* What c has for the methods of an interface, by itable_index; NULL: it does not implement it. */
static inline Method **class_itable_methods(const Class *c, const Class *interface) {
    for (u4 i = 0; i < c->itable_len; i++)
        if (c->itable[i].iface == interface) return c->itable[i].methods;
    return NULL;
}

/* java.lang.Class instance -> Class: cell injected behind the Java fields. */
extern u4 mirror_class_offset; /* 0 until java.lang.Class is laid out */
static inline Class *mirror_class(const Object *mirror) { return *(Class **)((u1 *)mirror + mirror_class_offset); }

/* The region that holds Class structures (low 4 GiB): object/class_region.c */
void class_region_init(void);
extern size_t class_region_limit; /* bytes; 0 = all of it */
Class *class_region_alloc(void);  /* zeroed; NULL when full */
void class_region_free(Class *c);
/* "I", "[I", "La/B;" without an end; their number.  `out` has room for the name and two more. */
size_t class_descriptor(const Class *c, char *out);
size_t class_region_size(size_t *used);    /* bytes that may be used; *used: committed */
bool class_region_contains(const void *p); /* p is the address of a live Class */

#endif
