/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Definition of a class from bytes (JVMS 5.3.5): the one road every class file
 * takes.  Phases, in order (`define` and `build` at the end of the file); each
 * may fail with its own error and everything made so far is undone:
 *
 *   record    an empty Class, state ALLOCATED
 *   hook      ClassFileLoadHook may replace the bytes
 *   parse     classfile reader; FORMAT checks for loaders whose classes are verified
 *   name      expected name, prohibited packages, hidden suffix
 *   supers    load superclass and superinterfaces; module and nest host, which
 *             their checks ask for; check them
 *   shape     hierarchy, fields, layout, flags
 *   mirror    java.lang.Class with statics
 *   publish   ClassLoader.addClass, subclasses of the superclass, loading constraints, dictionary
 *   announce  ClassLoad event, -verbose:class
 *
 * No lock is held across phases; two threads may define the same name at once
 * and the dictionary decides.  The boot loader takes the winner's class
 * silently, others get LinkageError.
 */
#include "core/events.h"
#include "core/hooks.h"
#include "core/options.h"
#include "core/reserve.h"
#include "core/vm.h"
#include "exec/exec.h"
#include "lang/javaclasses.h"
#include "link/link.h"
#include "load/jimage.h"
#include "load/load_int.h"
#include "log/log.h"
#include "object/class.h"
#include "object/version.h"
#include "os/os.h"
#include "shape/shape.h"
#include "thread/identity.h"

#include <stdlib.h>

void class_input_free(ClassInput *in) {
    if (in->owned) free((void *)in->bytes);
    class_bytes_free(in->cached);
    in->owned = false;
    in->cached = NULL;
}

u1 *class_bytes_keep(const u1 *bytes, u4 len) {
    if (jimage_contains(bytes)) return (u1 *)bytes;
    u1 *copy = malloc(len ? len : 1);
    return copy ? memcpy(copy, bytes, len) : NULL;
}

void class_bytes_free(const u1 *bytes) {
    if (bytes && !jimage_contains(bytes)) free((void *)bytes);
}

/* --- parse --- */

static void throw_parse_error(Thread *t, const CfError *err) {
    const char *cls = cf_err_class(err->code);
    if (err->code == CF_ERR_NOMEM) throw_oom(t, "class metadata");
    else throw_named(t, cls ? cls : "java/lang/ClassFormatError", "%s", err->text);
}

static CfParseOptions parse_options(const Class *c, const Symbol *expected) {
    return (CfParseOptions){.check = verify_loader(c->loader) ? CF_CHECK_FORMAT : CF_CHECK_STRUCT,
                            .name = expected ? expected->bytes : NULL,
                            .enable_preview = vm_options.enable_preview};
}

bool class_parse_header(const Class *c, const ClassInput *in, CfArena *arena, CfClass **out) {
    CfParseOptions po = parse_options(c, c->name);
    return cf_parse_header(out, in->bytes, in->len, arena, &po, NULL) == CF_OK;
}

ClassVersion *class_parse(Class *c, Symbol *expected, ClassInput *in, CfError *err) {
    CfParseOptions po = parse_options(c, expected);
    if (in->checked) po.check = CF_CHECK_STRUCT;
    po.name_is_law = atomic_load(&c->state) == CLASS_ALLOCATED && !(c->flags & CF_HIDDEN);
    CfArena *arena = malloc(sizeof *arena);
    ClassVersion *v = NULL;
    CfClass *cf = NULL;

    cf_err_clear(err);
    if (!arena) return err->code = CF_ERR_NOMEM, NULL;
    cf_arena_init(arena, "class", (size_t)in->len * 4 < 4096 ? 4096 : (size_t)in->len * 4);
    if (cf_parse(&cf, in->bytes, in->len, arena, &po, err) == CF_OK) {
        if (atomic_load(&c->state) == CLASS_ALLOCATED) c->access = declared_access(cf->access, &cf->attrs);
        v = class_version_new(c, cf, arena, in->bytes, in->len, in->owned);
        if (!v) err->code = CF_ERR_NOMEM;
    }
    if (!v) {
        cf_arena_free(arena);
        free(arena);
        return NULL;
    }
    v->agent_bytes = in->changed;
    v->cached_bytes = in->cached;
    v->cached_len = in->cached_len;
    in->owned = false;
    in->cached = NULL;
    return v;
}

static ClassVersion *parse_version(Thread *t, Class *c, Symbol *expected, ClassInput *in) {
    CfError err;
    ClassVersion *v = class_parse(c, expected, in, &err);
    if (!v) throw_parse_error(t, &err);
    return v;
}

/* --- hook --- */

static void run_hook(Thread *t, Loader *l, Symbol *expected, const DefineOptions *opt, ClassInput *in) {
    if (opt->skip_hooks || opt->hidden) return;
    HOOK_CALL(CLASS_FILE_LOAD, class_file_load, t, NULL, false, l->java, expected ? expected->bytes : NULL,
              opt->protection_domain, in);
}

/* Bytes must outlive the class: image bytes do, others are copied. */
bool class_input_own(ClassInput *in) {
    u1 *copy;
    if (in->owned) return true;
    if (!(copy = class_bytes_keep(in->bytes, in->len))) return false;
    in->owned = copy != in->bytes;
    in->bytes = copy;
    return true;
}

static bool keep_bytes(Thread *t, ClassInput *in) { return class_input_own(in) || (throw_oom(t, "class metadata"), false); }

/* --- name --- */

static bool check_name(Thread *t, Class *c, Symbol *actual) {
    if (strncmp(actual->bytes, "java/", 5) == 0 && !c->loader->is_boot && !c->loader->is_platform) {
        Symbol *pkg = symbol_replace(symbol_package(actual), '/', '.');
        return throw_new(t, EX_SecurityException, "Prohibited package name: %s", pkg->bytes), false;
    }
    if (c->access & ACC_MODULE && c->version->major >= 53)
        return throw_new(t, EX_NoClassDefFoundError, "%s is not a class because access_flag ACC_MODULE is set", actual->bytes),
               false;
    return true;
}

static void set_name(Class *c, Symbol *actual) {
    static _Atomic u8 next_hidden = 1;
    if (!(c->flags & CF_HIDDEN)) {
        c->name = actual;
        return;
    }
    c->name = class_hidden_name(actual, atomic_fetch_add(&next_hidden, 1));
    if (c->name) c->flags |= CF_OWNS_NAME;
}

/* --- shape --- */

static u4 initial_flags(Loader *l, const DefineOptions *opt) {
    u4 f = 0;
    if (l->is_boot || l->is_platform || opt->vm_annotations) f |= CF_VM_ANNOTATIONS;
    if (opt->hidden) f |= CF_HIDDEN | CF_TRUSTED_FINALS;
    if (!opt->hidden || opt->strong) f |= CF_STRONG;
    if (!loader_is_permanent(l) || !(f & CF_STRONG)) f |= CF_UNLOADABLE;
    return f;
}

static void set_record_flag(Class *c) {
    const CfClass *cf = c->version->cf;
    if ((c->access & ACC_FINAL) && cf_attr(&cf->attrs, CF_ATTR_RECORD) &&
        cf_str_is(cf_class_name(cf, cf->super_class), "java/lang/Record"))
        c->flags |= CF_RECORD | CF_TRUSTED_FINALS;
}

/* A hidden class is itself what its this_class entry means. */
static void set_self_reference(Class *c) {
    u2 idx = c->version->cf->this_class;
    c->version->pool[idx].klass = c;
    c->version->pool_syms[idx] = c->name;
    atomic_store_explicit(&c->version->pool_state[idx], POOL_RESOLVED, memory_order_release);
}

static bool give_shape(Thread *t, Class *c) {
    set_record_flag(c);
    if (class_is_interface(c)) class_give_interface_key(c);
    if (!class_fields_new(c) || !class_set_hierarchy(c)) return throw_oom(t, "class metadata"), false;
    class_derive_flags(c);
    return class_layout(t, c);
}

/* What give_shape made, but for statics, which do not depend on superclasses: the mirror has their places. */
static void drop_shape(Class *c) {
    enum { OF_SUPERS = CF_SHARES_INTERFACES | CF_FINALIZABLE | CF_OUTSIDE | CF_HAS_DEFAULTS | CF_NEVER_ALLOC_FAST };
    if (!(c->flags & CF_SHARES_INTERFACES)) free(c->all_interfaces);
    free(c->fields);
    free(c->ref_offsets);
    c->all_interfaces = NULL;
    c->fields = NULL;
    c->ref_offsets = NULL;
    c->n_all_interfaces = c->n_fields = c->n_fields_all = c->n_ref_offsets = 0;
    c->flags &= ~(u4)OF_SUPERS;
}

/* A pause that changes superclasses finds the classes that are LOADED (loader_visit_all_classes).  One that came since the shape was made has missed
 * this one: then it is made once more, by what its superclasses are now.  If there is a shape, nothing stops from here on. */
static bool renew_shape(Thread *t, Class *c, u4 epoch) {
    if (epoch == atomic_load(&reshape_epoch)) return true;
    drop_shape(c);
    return supers_check(t, c) && give_shape(t, c);
}

/* --- publish --- */

static bool call_add_class(Thread *t, Class *c) {
    Slot args[2];
    if (!c->loader->java || !c->mirror) return true;
    args[0].ref = c->loader->java;
    args[1].ref = c->mirror;
    return exec_call_virtual(t, jc_method(JM_ClassLoader_addClass), args, NULL);
}

static bool throw_duplicate(Thread *t, Class *c, Class *old) {
    throw_new(t, EX_LinkageError, "loader %s attempted duplicate %s definition for %s. (%s)", loader_text(c->loader).s,
              class_kind(c), class_text(c).s, class_where(old).s);
    return false;
}

_Atomic u4 loader_published_classes;
/* It joins the hierarchy before anybody finds it: whoever has it may link it at once, and what asks for all classes below another must meet it then. */
static bool set_loaded(Thread *t, Class *c, u4 epoch) {
    if (!renew_shape(t, c, epoch)) return false;
    class_add_to_siblings(c);
    atomic_store(&c->state, CLASS_LOADED);
    atomic_fetch_add(&loader_published_classes, 1);
    return true;
}

/* On success *winner is c, or with may_exist possibly another thread's class.  epoch: the reshape_epoch that its shape is of. */
static bool publish(Thread *t, Class *c, bool may_exist, u4 epoch, Class **winner) {
    Class *other = NULL;

    *winner = c;
    if (c->flags & CF_HIDDEN) return set_loaded(t, c, epoch);
    if ((other = loader_find_loaded(c->loader, c->name))) {
        *winner = other;
        return may_exist || throw_duplicate(t, c, other);
    }
    if (!constraint_check(c->loader, c, &other)) return throw_loader_constraint(t, c->loader, c, other), false;
    if (!call_add_class(t, c) || !set_loaded(t, c, epoch)) return false;
    *winner = constraint_record(c->loader, c, &other);
    if (!*winner) return throw_loader_constraint(t, c->loader, c, other), false;
    return *winner == c || may_exist || throw_duplicate(t, c, *winner);
}

/* --- announce --- */

static void announce(Thread *t, Class *c, const char *source) {
    class_note(EVENTS_LOAD, "Loading class %s", c);
    atomic_fetch_add_explicit(&loader_defined_classes, 1, memory_order_relaxed);
    if (c->version) atomic_fetch_add_explicit(&loader_defined_bytes, c->version->bytes_len, memory_order_relaxed);
    if (log_on(LOG_CLASS_LOAD))
        log_print(LOG_CLASS_LOAD, "%s source: %s", class_text(c).s, source ? source : "__JVM_DefineClass__");
    HOOK_CALL(CLASS_LOAD, class_load, t, c);
}

/* Its mirror may be known to Java code: the collector frees it when that is gone. */
static void abandon(Class *c) {
    class_leave_siblings(c);
    atomic_store(&c->state, CLASS_ALLOCATED);
    c->flags = (c->flags | CF_UNLOADABLE) & ~(u4)CF_STRONG;
}

/* --- the road --- */

static Class *new_record(Thread *t, Loader *l, const DefineOptions *opt, const u1 *bytes, u4 len) {
    u4 flags = initial_flags(l, opt);
    Class *c = metaspace_new_class(t, bytes, len, flags & CF_UNLOADABLE);
    if (!c) return NULL;
    c->loader = l;
    c->flags = flags;
    c->protection_domain = opt->protection_domain;
    c->class_data = opt->class_data;
    if (vm.booted && c->protection_domain) object_hash(t, c->protection_domain); /* as the reference's cache of them asks */
    c->location = opt->source ? symbol_of(opt->source)->bytes : NULL;
    return c;
}

/* Nobody finds a hidden class by name, so what its file calls it is not interned: it would stay for ever. */
static bool take_name(Thread *t, Class *c, Symbol *expected, bool hidden) {
    CfStr name = c->version->cf->name;
    const char *text = name.p ? name.p : "";
    Symbol *actual = hidden ? symbol_private(text, name.len) : symbol_intern(text, name.len);
    bool ok = check_name(t, c, actual);

    if (ok) set_name(c, hidden && expected ? expected : actual); /* hidden: the caller's word counts */
    if (hidden) symbol_private_free(actual);
    if (ok && !c->name) return throw_oom(t, "class metadata"), false;
    return ok;
}

static bool build(Thread *t, Class *c, Symbol *expected, const DefineOptions *opt, ClassInput *in, u4 *epoch) {
    if (!(c->version = parse_version(t, c, expected, in))) return false;
    if (!take_name(t, c, expected, opt->hidden)) return false;
    if (opt->hidden) set_self_reference(c);
    if (!supers_load(t, c)) return false;
    class_set_module(t, c);
    if (opt->hidden && opt->nestmate) c->nest_host = access_nest_host(t, opt->lookup);
    else if (opt->hidden) c->nest_host = c;
    *epoch = atomic_load(&reshape_epoch);
    return supers_check(t, c) && give_shape(t, c);
}

static Class *define(Thread *t, Symbol *expected, Loader *l, const u1 *bytes, size_t len, const DefineOptions *opt) {
    static const DefineOptions none;
    ClassInput in = {.bytes = bytes, .len = (u4)len};
    Class *c, *winner;
    u4 epoch;

    if (!opt) opt = &none;
    if (!reserve_ready()) return throw_no_memory(t), NULL; /* tables and names that cannot be refused follow */
    if (len > INT32_MAX || !(c = new_record(t, l, opt, bytes, (u4)len))) {
        if (!t->exception) throw_new(t, EX_ClassFormatError, "class file too large");
        return NULL;
    }
    run_hook(t, l, expected, opt, &in);
    if (t->exception || !keep_bytes(t, &in) || !build(t, c, expected, opt, &in, &epoch)) {
        class_input_free(&in);
        class_version_free(c->version);
        class_record_free(c);
        return NULL;
    }
    class_make_mirror(t, c);
    class_add_to_loader(l, c); /* from here on it stays: its mirror may be known to Java code */
    if (mirrors_ready && !c->mirror) return NULL;
    if (t->exception) return abandon(c), NULL; /* no memory for a constant of it */
    if (!publish(t, c, opt->may_exist, epoch, &winner)) winner = NULL;
    class_mirror_listed(t);
    if (winner == c) announce(t, c, opt->source);
    else abandon(c);
    return winner;
}

/* Superclasses are loaded on the way: the time of the outermost call counts. */
Class *define_class(Thread *t, Symbol *expected, Loader *l, const u1 *bytes, size_t len, const DefineOptions *opt) {
    static _Thread_local int depth;
    int64_t start = depth++ == 0 ? os_nanos() : 0;
    Class *c = define(t, expected, l, bytes, len, opt);
    if (--depth == 0) atomic_fetch_add_explicit(&loader_define_nanos, (u8)(os_nanos() - start), memory_order_relaxed);
    return c;
}
