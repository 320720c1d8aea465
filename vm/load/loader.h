/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class loaders, dictionaries, packages and modules.
 *
 * A Loader stands for one defining loader (java.lang.ClassLoader object, or
 * NULL for boot).  Its dictionary maps names to classes for which it is the
 * defining OR an initiating loader (JVMS 5.3).  Hidden classes are in no
 * dictionary but on the list of their loader (or of their own lifetime unit).
 *
 * Locks: each Loader has a mutex for dictionary + placeholders; the module
 * graph has one lock.  Neither is held while Java code or a hook runs.
 */
#ifndef GRAFT_LOAD_LOADER_H
#define GRAFT_LOAD_LOADER_H

#include "core/lock.h"
#include "exec/throw.h"
#include "thread/thread.h"

struct Loader {
    Object *java;             /* java.lang.ClassLoader or NULL (boot); weakly held by the VM */
    struct ClassTable *table; /* dictionary, load/dictionary.c */
    Class *classes;           /* all classes defined here incl. hidden, via next_in_loader */
    struct PackageTable *packages;
    Module *unnamed; /* unnamed module record */
    Module *modules; /* all defined to it, via next_in_loader */
    VmLock lock;
    pthread_cond_t changed; /* placeholder finished */
    void *placeholders;     /* names being loaded/defined, with their threads */
    void *constraints;      /* loading constraints, JVMS 5.3.4 */
    Loader *next;           /* all loaders */
    bool parallel;          /* parallel capable */
    bool is_app, is_platform, is_boot;
    bool is_delegating; /* of generated reflection accessors: never asked to load */
    bool dead;          /* inside the sweep that frees it */
};
extern Loader boot_loader;
#define BOOT_LOADER (&boot_loader)

struct Module {
    Symbol *name; /* NULL = unnamed */
    Symbol *version, *location;
    Object *java; /* java.lang.Module; GC root via class/loader walk */
    Loader *loader;
    bool open, reads_all_unnamed;
    _Atomic bool is_default_reader; /* reads the unnamed modules of the boot and the system loader since an agent changed it */
    struct ModuleSet *reads;
    Module *next, *next_in_loader;
};
struct Package {
    Symbol *name; /* a/b/c, "" unnamed */
    Module *module;
    Loader *loader;
    bool exported_all, exported_all_unnamed;
    struct ModuleSet *exports; /* qualified */
    Symbol *location;
    Package *next;
};

void loader_init(void); /* boot loader, jimage; before any class */
/* Loader record of a java.lang.ClassLoader (NULL -> boot); created on demand. */
Loader *loader_of(Object *java_loader);
static inline Object *loader_object(Loader *l) { return l->java; }
typedef struct LoaderText { /* for one expression, as ClassText (exec/throw.h) */
    char s[512];
} LoaderText;
LoaderText loader_text(const Loader *l); /* as java users know it: 'app', 'bootstrap', 'name' @hash, pkg.MyLoader @hash */

/* --- finding and loading [gc][throws][blocks] --- */
/* Load (JVMS 5.3) `name` (internal, arrays allowed) with initiating loader l.  NULL +
 * ClassNotFoundException or an Error.  Does not link. */
Class *load_class(Thread *t, Symbol *name, Loader *l);
/* Same; NoClassDefFoundError caused by ClassNotFoundException, as resolution wants it. */
Class *load_class_or_ncdfe(Thread *t, Symbol *name, Loader *l);
/* The symbol of a name that a program gives; NULL: it is longer than that of any class, which k says. [throws] */
Symbol *class_name_symbol(Thread *t, const char *name, ExKind k);
bool class_name_check(Thread *t, const char *name, ExKind k);
/* Boot loader; NULL without exception if absent. */
Class *load_boot_class(Thread *t, const char *name);
/* The loader to ask in place of l: its first parent that is not one of generated reflection accessors. */
Loader *loader_behind_accessor(Loader *l);
/* Already recorded for initiating loader l?  No loading.  [no-safepoint] */
Class *loader_find_loaded(Loader *l, Symbol *name);
/* By descriptor: "I", "[[J", "Ljava/lang/String;". */
Class *load_class_of_descriptor(Thread *t, const char *desc, size_t len, Loader *l);
Object *load_mirror_of_descriptor(Thread *t, const char *desc, size_t len, Loader *l);

/* --- classes that are there: arrays, primitives, questions about members and subclasses --- */
bool class_permits(const ClassVersion *v, Class *c); /* c may be a direct subclass of this version */
bool class_declares_default(const Class *c);         /* an interface: a method with code for its objects */
/* What all classes below k that can have instances, and k, have in their vtables at index; NULL: not the same, or too many to
 * look at.  Classes may come while it looks. */
Method *class_only_target(const Class *k, u4 index);
/* Is m that, and code may rely on it until a class comes that has another? */
bool class_trust_target(Class *k, u4 index, const Method *m);
/* c's tables are there; it has no objects yet.  True: code relies on another target than it has: to be told to jit_class_dispatches. */
bool class_dispatches(Class *c);
void class_dispatches_no_more(Class *c); /* still without objects: its tables are made once more */
void class_free_only_targets(Class *k);
/* The one class, k or below it, that can have instances now; NULL: none, or several. */
Class *class_only_concrete(Class *k);
/* Is it an interface, or has it subclasses now? */
bool class_may_be_inherited(const Class *c);
Class *class_array_of(Thread *t, Class *component);              /* [gc][throws] */
Object *class_new_array(Thread *t, Class *component, int32_t n); /* [gc][throws] */
extern Class *primitive_classes[16];                             /* by BasicType, T_VOID included */
extern Class *primitive_array_classes[16];

/* --- definition (load/define.c) --- */
/* Class-file bytes on their way through the ClassFileLoadHook to the parser. */
struct ClassInput {
    const u1 *bytes;
    u4 len;
    bool owned;   /* bytes are malloc'ed; else somebody else's */
    bool changed; /* by an agent */
    bool checked; /* these bytes have been parsed for this class before: their format is in order */
    u1 *cached;   /* what the first capable agent that changed them got, or NULL */
    u4 cached_len;
};
/* Bytes that stay: the same if they lie in the image, else a malloc'ed copy; NULL: no memory. */
u1 *class_bytes_keep(const u1 *bytes, u4 len);

typedef struct DefineOptions {
    Object *protection_domain;
    const char *source; /* for verbose output */
    bool hidden, strong, nestmate, vm_annotations;
    Class *lookup; /* hidden: host class */
    Object *class_data;
    bool skip_hooks;
    bool may_exist; /* another thread may have been faster: its class will do */
} DefineOptions;
/* Define from bytes (copied unless they lie in the image).  expected may be NULL.  Adds to the
 * dictionary (not hidden), calls ClassLoader.addClass, posts ClassFileLoadHook and ClassLoad. */
Class *define_class(Thread *t, Symbol *expected, Loader *l, const u1 *bytes, size_t len, const DefineOptions *opt);

/* --- boot path --- */
bool boot_append_path(const char *path); /* jar or directory searched after the modules */

/* --- modules (load/module.c) --- */
bool module_can_read(Module *from, Module *to);
bool package_is_exported_to(Package *p, Module *to);
Package *loader_package(Loader *l, Symbol *name, bool create);
Module *module_define(Thread *t, Object *jmodule, bool open, Symbol *version, Symbol *location, Symbol **packages,
                      int n); /* [throws]; java.base patches all mirrors */
void module_set_boot_unnamed(Thread *t, Object *jmodule);
void module_add_reads(Thread *t, Object *from, Object *to); /* to NULL: all unnamed */
typedef enum ExportTo { EXPORT_TO_ONE, EXPORT_TO_UNNAMED, EXPORT_TO_ALL } ExportTo;
void module_add_exports(Thread *t, Object *from, Symbol *pkg, ExportTo who, Object *to); /* to: the one */
extern Module *java_base_module;
/* every Module record, for JVM TI */
void module_visit_all(void (*fn)(Module *, void *), void *arg);

/* --- walks and figures --- */
/* Every loaded class, while the world runs: those that are published meanwhile may be missing.  fn does not stop.  In a
 * pause: loader_visit_all_classes (heap/heap_upcall.h). */
void loader_visit_classes_running(void (*fn)(Class *, void *), void *arg);
extern _Atomic u4 loader_published_classes; /* grows when a class becomes LOADED */
/* Since the start, arrays apart; bytes of class files.  Unloading happens in pauses. */
extern _Atomic u8 loader_defined_classes, loader_defined_bytes, loader_unloaded_classes, loader_unloaded_bytes;
extern _Atomic u8 loader_define_nanos; /* spent in define_class by all threads */
/* World stopped or loader list locked. */
void loader_visit_all(void (*fn)(Loader *, void *), void *arg);
/* Cells and entries of its dictionary. */
void loader_table_size(Loader *l, u4 *cells, u4 *entries);
/* Only in a pause: no lock is taken (fn may come here again for another loader) and nothing copied (marking must not fail). */
void loader_visit_initiated(Loader *l, void (*fn)(Class *, void *), void *arg);

#endif
