/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of load/ share with each other, with link/ and with class
 * redefinition.  The public contract is loader.h.
 */
#ifndef GRAFT_LOAD_LOAD_INT_H
#define GRAFT_LOAD_LOAD_INT_H

#include "exec/throw.h"
#include "core/events.h"
#include "load/loader.h"
#include "object/class.h"
#include "object/method.h"

/* --- loader.c --- */
/* "X is in unnamed module of loader 'l' @1, parent loader 'app'" */
PlaceText class_where(const Class *c);
/* LinkageError: l may not become a loader of c, because it already means `other` by the name. */
void throw_loader_constraint(Thread *t, Loader *l, Class *c, Class *other);

/* boot, platform and app: never unloaded */
static inline bool loader_is_permanent(const Loader *l) { return l->is_boot || l->is_app || l->is_platform; }

/* --- metaspace.c --- */
/* A zeroed Class for a class file of that length; NULL + OutOfMemoryError of class data.  [gc] */
Class *metaspace_new_class(Thread *t, const u1 *class_file, u4 len, bool can_die);
void metaspace_count_mortal(void); /* after unloading, in the pause */

/* --- unload.c, and what it calls in the pause: of loader.c, constraints.c, module.c, dictionary.c --- */
void unload_init(void);
void class_record_free(Class *c); /* with what it owns except versions and tables of methods */
/* The record that a ClassLoader object has already, or NULL.  Also in pauses, by any worker. */
Loader *loader_record(Object *java);
void constraints_forget_dead(void); /* loaders */
void constraints_forget_class(const Class *c);
void modules_forget_dead(bool (*is_live)(Object *));
void dictionary_free(Loader *l);
void packages_free(Loader *l);
extern Loader *all_loaders; /* [lock: loaders] or at a safepoint */

/* --- dictionary.c: [lock: loader] inside, never held on return --- */
typedef struct ClassTable ClassTable;

typedef enum PlaceholderStage {
    STAGE_LOADING, /* boot loader: one thread per name */
    STAGE_CALLED,  /* loadClass of a loader that is not parallel capable runs */
    STAGE_SUPERS   /* define: superclass and superinterfaces are being loaded */
} PlaceholderStage;

/* Lives on the C stack of the thread that does the work. */
typedef struct Placeholder {
    struct Placeholder *next;
    Symbol *name;
    Thread *thread;
    PlaceholderStage stage;
} Placeholder;

typedef enum PlaceholderResult {
    PLACE_ENTERED,
    PLACE_MINE, /* this thread holds (name, stage) already: a circle */
    PLACE_BUSY  /* STAGE_LOADING only: another thread is loading it */
} PlaceholderResult;
PlaceholderResult placeholder_enter(Loader *l, Placeholder *p, Thread *t, Symbol *name, PlaceholderStage stage);
void placeholder_leave(Loader *l, Placeholder *p);
/* Waits while another thread loads the name. [blocks] */
void placeholder_wait_others(Thread *t, Loader *l, Symbol *name);

/* Adds c under its name.  Answers c, or the class that is there already. */
Class *dictionary_add(Loader *l, Class *c);

/* --- constraints.c (JVMS 5.3.4) --- */
/* `name` must mean the same class to a and b.  False: it already does not. */
bool constraint_add(Symbol *name, Loader *a, Loader *b);
/* Would it be true?  Nothing is noted. */
bool constraint_is_possible(Symbol *name, Loader *a, Loader *b);
/* May c be recorded for initiating loader l?  If not, *other is the constrained class.  Nothing is noted. */
bool constraint_check(Loader *l, Class *c, Class **other);
/* Records it: c, or the class that l's dictionary has already; NULL as constraint_check. */
Class *constraint_record(Loader *l, Class *c, Class **other);

/* --- define.c: the parts of the road that redefinition takes as well --- */
/* Takes the bytes over on success.  NULL: err says why; nothing is pending.  Changes nothing of c
 * but the access flags of a class that is being defined. */
ClassVersion *class_parse(Class *c, Symbol *expected, ClassInput *in, CfError *err);
/* Only as far as the interfaces; nothing is taken over. */
bool class_parse_header(const Class *c, const ClassInput *in, struct CfArena *arena, CfClass **out);
/* Makes the bytes outlive their giver; false: no memory. */
bool class_input_own(ClassInput *in);
void class_input_free(ClassInput *in);
void class_bytes_free(const u1 *bytes);

/* --- class_model.c: CfClass -> ClassVersion, Method, Field --- */
/* A version for class c over a parsed model; takes over `arena` (malloc'ed) and, when
 * bytes_owned, the bytes.  NULL when memory is exhausted (nothing taken over then). */
ClassVersion *class_version_new(Class *c, CfClass *cf, struct CfArena *arena, const u1 *bytes, u4 len, bool bytes_owned);
void class_version_free(ClassVersion *v);
/* Declared fields of c from its version; false when memory is exhausted. */
bool class_fields_new(Class *c);
/* A zeroed record becomes that of a field of cf, which is or will be c's; it has no place yet. */
void class_field_fill(Class *c, Field *f, const CfClass *cf, u4 index);
/* CF_* flags that follow from the members (finalizer, defaults, clinit ...), after supers are set. */
void class_derive_flags(Class *c);
/* Its code is nothing but return: as a finalizer it does not count. */
bool method_is_empty(const ClassVersion *v, const Method *m);

/* --- class_special.c --- */
/* The class record common to all kinds: depth, display and transitive interfaces from
 * c->super and c->interfaces.  False when memory is exhausted. */
void class_give_interface_key(Class *c); /* once, before it is anybody's interface */
bool class_set_hierarchy(Class *c);
void class_add_to_loader(Loader *l, Class *c);
/* fmt takes the name and the address. */
static inline void class_note(EventLog log, const char *fmt, const Class *c) {
    (c->flags & CF_OWNS_NAME ? event_note_copied : event_note)(log, fmt, c->name->bytes, (uintptr_t)c, 0);
}
/* super -> first_subclass chain. [lock: hierarchy] */
void class_add_to_siblings(Class *c);
void class_leave_siblings(Class *c); /* if it is there */
void class_init_primitives(Thread *t);
/* Foo+0x2a */
Symbol *class_hidden_name(Symbol *original, u8 id);

/* --- supers.c: checks of JVMS 5.3.5 on superclass and superinterfaces [throws] --- */
bool supers_load(Thread *t, Class *c);
bool supers_check(Thread *t, Class *c);
/* May c have this superclass, this superinterface? */
bool super_check(Thread *t, Class *c, Class *s);
bool superinterface_check(Thread *t, Class *c, Class *i);

/* --- module.c --- */
/* Module of a class by its package; patches nothing. */
void class_set_module(Thread *t, Class *c);
/* java.base of everything without module yet */
Symbol *boot_module_of_package(const Symbol *package);

/* --- classpath.c --- */
typedef struct ClassBytes {
    const u1 *bytes;
    size_t len;
    bool owned;         /* free() it, or hand it on */
    const char *source; /* immortal text for -verbose:class */
    Symbol *location;   /* package location: jrt:/mod or path */
} ClassBytes;
/* Search path "a/b/C" of the boot loader. */
bool classpath_find(Symbol *name, ClassBytes *out);
void classpath_init(void); /* -Xbootclasspath/a and --patch-module are known */

#endif
