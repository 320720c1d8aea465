/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate of class redefinition: from new bytes to new versions.
 *
 * Every class of a call goes the road that its first bytes went, in the order of the array; the first
 * refusal ends the call and nothing has changed:
 *
 *   hook      ClassFileLoadHook, with the class (load/define.c, jvmti/ti_event.c)
 *   parse     the one reader; version and name
 *   link      the class itself, so that there is a linked version to compare with
 *   compare   with the current version (redefine_compare.c)
 *   prepare   methods in the order of the old ones, code, handlers
 *   verify    against the new version; by the same rule as at load time (boot classes are not); methods that say what
 *             they said are not asked again
 *
 * Then one pause installs all (install.c).
 *
 * Retransformation is redefinition that starts at bytes the VM kept: `cached_bytes` of the current
 * version (what the first capable agent that changed something was given) or, when none did, its
 * `bytes`.  A version owns its bytes anyway, because its model points into them, and those of
 * the JDK are mapped; so no class file is ever rebuilt from the VM's structures, and a VM without
 * agents keeps nothing for this.
 *
 * Threads.  Hooks run agents' code, so no VM lock is held on the way.  What two threads must not do is to
 * start from the same version: the later would silently undo the earlier.  Hence a class has a
 * redefiner: a call takes all its classes or waits.  The same thread may come back from inside a
 * hook (depth); then the outer call finds another current version than it compared with, and
 * changes_install compares the methods again.
 */
#include "core/hooks.h"
#include "core/options.h"
#include "core/reserve.h"
#include "core/schedule.h"
#include "redefine/reshape.h"
#include "os/os.h"

#include <stdlib.h>

bool class_is_modifiable(const Class *c) { return !(c->flags & (CF_ARRAY | CF_PRIMITIVE | CF_HIDDEN)) && c->version; }

/* --- one redefiner per class --- */

static VmLock redefinition_mutex = VM_LOCK(REDEFINITION);
static pthread_cond_t redefinition_cond = PTHREAD_COND_INITIALIZER;

static bool others_redefine(const Thread *t, const RedefineRequest *r, u4 n) {
    for (u4 i = 0; i < n; i++)
        if (r[i].klass->redefiner && r[i].klass->redefiner != t) return true;
    return false;
}

static void enter_classes(Thread *t, const RedefineRequest *r, u4 n) {
    THREAD_BLOCKING(t) {
        lock_take(&redefinition_mutex);
        while (others_redefine(t, r, n)) lock_wait(&redefinition_cond, &redefinition_mutex);
        for (u4 i = 0; i < n; i++) {
            r[i].klass->redefiner = t;
            r[i].klass->redefiner_depth++;
        }
        lock_release(&redefinition_mutex);
    }
}

static void leave_classes(const RedefineRequest *r, u4 n) {
    HOLDING(&redefinition_mutex);
    for (u4 i = 0; i < n; i++)
        if (--r[i].klass->redefiner_depth == 0) r[i].klass->redefiner = NULL;
    pthread_cond_broadcast(&redefinition_cond);
}

/* --- from bytes to a version --- */

static Refusal refuse_super(Thread *t) {
    return exception_is(t, EX_ClassCircularityError)  ? REFUSED_CIRCULAR_CLASS_DEFINITION
           : exception_is(t, EX_NoClassDefFoundError) ? REFUSED_NAMES_DONT_MATCH
           : exception_is(t, EX_OutOfMemoryError)     ? REFUSED_OUT_OF_MEMORY
                                                      : REFUSED_FAILS_VERIFICATION;
}

static bool is_named(const Class *s, CfStr name) { return s && cf_str_eq(name, symbol_str(s->name)); }
static bool is_interface_of(const Class *c, CfStr name) {
    for (u4 i = 0; i < c->n_interfaces; i++)
        if (is_named(c->interfaces[i], name)) return true;
    return false;
}

/* The class must be named as it is; new superinterfaces are loaded and checked as they are read. */
static Refusal check_header(Thread *t, Class *c, const CfClass *cf) {
    if (!is_named(c, cf->name)) return REFUSED_NAMES_DONT_MATCH;
    for (u4 i = 0; i < cf->interface_count; i++) {
        CfStr name = cf_class_name(cf, cf->interfaces[i]);
        if (is_interface_of(c, name)) continue;
        Class *s = load_class_or_ncdfe(t, symbol_intern(name.p, name.len), c->loader);
        if (!s || !superinterface_check(t, c, s)) return refuse_super(t);
    }
    return REFUSED_NOT;
}

/* A new superclass is, when the file has been read whole. */
static Refusal check_superclass(Thread *t, Class *c, const CfClass *cf) {
    CfStr name = cf_class_name(cf, cf->super_class);

    if (!cf->super_class || is_named(c->super, name)) return REFUSED_NOT;
    Class *s = load_class_or_ncdfe(t, symbol_intern(name.p, name.len), c->loader);
    return s && super_check(t, c, s) ? REFUSED_NOT : refuse_super(t);
}

/* An error behind the header comes after what the header says. */
static Refusal refuse_parse(Thread *t, Class *c, const CfError *err, const ClassInput *in) {
    Refusal why = REFUSED_NOT;
    CfArena arena;
    CfClass *cf;

    switch (err->code) {
    case CF_ERR_NOMEM: return REFUSED_OUT_OF_MEMORY;
    case CF_ERR_VERSION: return REFUSED_UNSUPPORTED_VERSION;
    case CF_ERR_NO_CLASS: return REFUSED_NAMES_DONT_MATCH;
    default: break;
    }
    cf_arena_init(&arena, "header", 0);
    if (class_parse_header(c, in, &arena, &cf)) why = check_header(t, c, cf);
    cf_arena_free(&arena);
    return why ? why : REFUSED_INVALID_CLASS_FORMAT;
}

static ClassInput first_input(const RedefineRequest *r, RedefineMode mode) {
    const ClassVersion *v = r->klass->version;

    if (mode == REDEFINE_UNDO) return (ClassInput){.bytes = v->before, .len = v->before_len, .changed = true};
    if (r->bytes) return (ClassInput){.bytes = r->bytes, .len = r->len, .changed = true};
    if (v->cached_bytes) return (ClassInput){.bytes = v->cached_bytes, .len = v->cached_len};
    return (ClassInput){.bytes = v->bytes, .len = v->bytes_len, .changed = v->agent_bytes};
}

/* Tools that go over all classes change few. */
static bool is_what_it_was(const ClassInput *in, const ClassVersion *v) {
    return in->len == v->bytes_len && memcmp(in->bytes, v->bytes, in->len) == 0;
}

static Refusal read_version(Thread *t, const RedefineRequest *r, RedefineMode mode, ClassVersion **out) {
    Class *c = r->klass;
    ClassInput in = first_input(r, mode);
    CfError err;
    Refusal why = REFUSED_NOT;

    if (!in.bytes) return REFUSED_INVALID_CLASS;             /* nothing to undo */
    if (!class_input_own(&in)) return REFUSED_OUT_OF_MEMORY; /* the old version may go meanwhile */
    if (mode != REDEFINE_UNDO)
        HOOK_CALL(CLASS_FILE_LOAD, class_file_load, t, c, !r->bytes, c->loader->java, c->name->bytes, c->protection_domain, &in);
    t->exception = NULL;
    in.checked = is_what_it_was(&in, c->version);
    if (!class_input_own(&in)) why = REFUSED_OUT_OF_MEMORY;
    else if (!(*out = class_parse(c, c->name, &in, &err))) why = refuse_parse(t, c, &err, &in);
    class_input_free(&in);
    if (why || (why = check_header(t, c, (*out)->cf))) return why;
    return check_superclass(t, c, (*out)->cf);
}

static Refusal refuse_methods(Thread *t) {
    return exception_is(t, EX_OutOfMemoryError)   ? REFUSED_OUT_OF_MEMORY
           : exception_is(t, EX_ClassFormatError) ? REFUSED_INVALID_CLASS_FORMAT
                                                  : REFUSED_FAILS_VERIFICATION;
}

/* Also for a ClassFormatError in what only the verifier reads. */
Refusal refuse_verification(Thread *t) {
    return exception_is(t, EX_OutOfMemoryError) ? REFUSED_OUT_OF_MEMORY : REFUSED_FAILS_VERIFICATION;
}

Method *change_partner(const Change *ch, u4 i) {
    if (!ch->shape) return &ch->base->methods[i];
    return ch->shape->partner[i] == NO_METHOD ? NULL : &ch->base->methods[ch->shape->partner[i]];
}

/* C bodies stand for Java bodies that are what they were. */
static void keep_intrinsics(Change *ch) {
    for (u4 i = 0; i < ch->fresh->n_methods; i++) {
        Method *m = &ch->fresh->methods[i];
        const Method *old = change_partner(ch, i);
        if (!old || !ch->same[i]) continue;
        if (old->kind == MK_LEAF_QUICK) {
            m->quick = old->quick;
            m->kind = old->kind;
        }
        if (!(old->flags & MF_INTRINSIC)) continue;
        m->kind = old->kind;
        m->vm_native = old->vm_native;
        m->flags |= old->flags & (MF_INTRINSIC | MF_LEAF);
    }
}

static Refusal find_equivalents(Change *ch) {
    if (!(ch->same = malloc(ch->fresh->n_methods + 1u))) return REFUSED_OUT_OF_MEMORY;
    change_compare_methods(ch);
    keep_intrinsics(ch);
    return REFUSED_NOT;
}

/* What the base passed when it was linked is not asked again.  That holds as long as no class ever changed its supers. */
static bool verify(Thread *t, const Change *ch) {
    bool relies = ch->base->major == ch->fresh->major && !ch->epoch;
    return version_verify(t, ch->fresh, relies ? ch->same : NULL);
}

static bool is_about_shape(Refusal why) {
    return why >= REFUSED_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED &&
           why <= REFUSED_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED && why != REFUSED_INVALID_CLASS;
}

/* Without limits, or by the option that lets private methods come and go: that goes the same road. */
static bool may_reshape(void) { return vm_options.enhanced_redefinition || vm_options.add_delete_methods; }

static Refusal prepare(Thread *t, const RedefineRequest *r, RedefineMode mode, Change *ch) {
    Class *c = ch->klass = r->klass;
    bool reshapes = false;
    Refusal why = read_version(t, r, mode, &ch->fresh);

    if (why) return why;
    if (!class_link(t, c)) return exception_is(t, EX_OutOfMemoryError) ? REFUSED_OUT_OF_MEMORY : REFUSED_INTERNAL;
    ch->base = c->version;
    ch->fresh->source = ch->base->source + (r->bytes || mode == REDEFINE_UNDO);
    ch->epoch = atomic_load(&reshape_epoch);
    ch->undoes = mode == REDEFINE_UNDO || mode == REDEFINE_RESTORE;
    why = versions_compare(ch->base, ch->fresh);
    if (!why && vm_options.enhanced_redefinition && reshape_is_hidden(ch))
        why = REFUSED_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED;
    if (!why && versions_have_other_methods(ch->base, ch->fresh))
        reshapes = true, why = REFUSED_UNSUPPORTED_REDEFINITION_METHOD_ADDED;
    if (reshapes || (why && is_about_shape(why) && vm_options.enhanced_redefinition)) {
        if (!version_prepare_methods(t, ch->fresh)) return refuse_methods(t);
        if ((why = reshape_prepare(t, ch, why))) return why;
    } else if (why) {
        return why;
    } else if (!version_reorder(ch->base, ch->fresh)) {
        return REFUSED_OUT_OF_MEMORY;
    }
    if (!ch->shape && !version_prepare_methods(t, ch->fresh)) return refuse_methods(t);
    if (ch->shape && !reshape_prepare_init(t, ch)) return REFUSED_OUT_OF_MEMORY;
    if (may_reshape() && !reshape_compare_constants(ch)) return REFUSED_OUT_OF_MEMORY;
    if ((why = find_equivalents(ch))) return why;
    if (!may_reshape() && !verify(t, ch)) return refuse_verification(t); /* else: together */
    if (vm_options.enhanced_redefinition && r->bytes && !ch->undoes) reshape_find_hooks(ch);
    if (may_reshape() && !reshape_read_tables(t, ch)) return REFUSED_OUT_OF_MEMORY;
    return REFUSED_NOT;
}

/* --- for tests --- */

static _Thread_local Starvation starvation;
Starvation *redefine_starvation(void) { return &starvation; }

/* Of calls inside hooks of another, the last one counts. */
static void begin_starving(Thread *t) {
    starvation.preparing = 1;
    if (starvation.left) heap_starve(t, (u4)starvation.left);
}
static void end_starving(Thread *t) {
    if (starvation.preparing && starvation.left) starvation.left = (int32_t)heap_starve(t, 0);
    starvation.preparing = 0;
}

/* --- all or none --- */

enum { MOST_MISSED = 4 };

typedef struct Installation {
    Change *changes;
    u4 n;
    bool dry;
    Look *look;
    Reach *reach;
    u4 n_missed;
    bool missed;    /* what the change reaches became more: once more */
    bool annotated; /* the first reflection objects with annotations of a class came */
    bool crowded;   /* more objects want to be initialised than there was room for */
    bool outdated;  /* classes came that must be looked at */
    bool collected; /* no dead object can be against it */
    Refusal why;
} Installation;

static void install(void *arg) {
    Installation *i = arg;
    i->crowded = i->missed = i->annotated = false;
    if ((i->outdated = reshape_is_outdated(i->look))) return;
    if ((i->annotated = !i->dry && !annotations_are_prepared(i->changes, i->n))) return;
    for (u4 k = 0; k < i->n && !i->dry; k++) i->crowded |= !reshape_find_living(&i->changes[k]);
    if (i->crowded) return;
    bool holds = i->reach && reach_holds(i->reach);
    if ((i->missed = i->reach && !holds && ++i->n_missed < MOST_MISSED)) return;
    i->why = i->dry ? reshape_may_install(i->changes, i->n, true) : changes_install(i->changes, i->n, holds ? i->reach : NULL);
}

static void complete(Thread *t, Change *changes, u4 n) {
    reshape_forget_proxies(t, changes, n);
    Renumbering *numbers = reshape_renumbering(t, changes, n);
    for (u4 i = 0; i < n; i++) reshape_store_constants(t, &changes[i]);
    for (u4 i = 0; i < n; i++)
        if (changes[i].shape) reshape_init_constants(t, &changes[i]);
    reshape_renew_numbers(t, changes, n, numbers);
    for (u4 i = 0; i < n; i++)
        if (changes[i].shape) reshape_init(t, &changes[i]);
    reshape_renew_tables(t, changes, n);
}

/* Each version knows the bytes of the one that it replaces. */
static Refusal remember_before(Change *changes, u4 n) {
    for (u4 i = 0; i < n; i++) {
        ClassVersion *v = changes[i].fresh;
        if (!(v->before = class_bytes_keep(changes[i].base->bytes, changes[i].base->bytes_len))) return REFUSED_OUT_OF_MEMORY;
        v->before_len = changes[i].base->bytes_len;
    }
    return REFUSED_NOT;
}

static bool make_rooms(Thread *t, Change *changes, u4 n) {
    bool ok = true;
    for (u4 i = 0; i < n && ok; i++) ok = reshape_make_room(t, &changes[i]);
    t->exception = NULL;
    return ok;
}

/* Hooks shall not meet what is dead. */
static void collect_for_hooks(Thread *t, const Change *changes, u4 n) {
    for (u4 i = 0; i < n; i++)
        if (reshape_has_object_hook(&changes[i])) return heap_gc(t, "class redefinition");
}

/* Classes or objects spoke against it. */
static bool heap_objects(const Installation *in) {
    if (reshape_found_reliance(in->look)) return true;
    for (u4 i = 0; i < in->n; i++)
        if (in->changes[i].shape && in->changes[i].shape->heap_objects) return true;
    return false;
}

/* What is known about other classes may be too old when the world stands still; then once more. */
static Refusal check_and_install(Thread *t, Installation *in, bool unlimited, ReshapeTimes *times) {
    Refusal why;
    do {
        if (heap_objects(in)) {
            reshape_forget_look(t, in->look); /* it keeps classes */
            in->look = NULL;
            heap_gc(t, "class redefinition");
            in->collected = true;
            reshape_forget_reason();
        }
        why = unlimited ? reshape_check(t, in->changes, in->n, &in->look) : REFUSED_NOT;
        times->checked = os_nanos();
        if (why && reshape_found_reliance(in->look) && !in->collected) continue;
        if (why) return why;
        if (!in->dry) collect_for_hooks(t, in->changes, in->n);
        do {
            if (!in->dry && !annotations_prepare(in->changes, in->n)) return REFUSED_OUT_OF_MEMORY;
            if (!in->dry && !make_rooms(t, in->changes, in->n)) return REFUSED_OUT_OF_MEMORY;
            in->reach = in->dry ? NULL : reach_find(in->changes, in->n);
            SCHEDULE_POINT(redefinition_before_pause);
            safepoint_run("class redefinition", install, in);
            reach_done(in->reach);
        } while (in->annotated || in->crowded || in->missed);
    } while (in->outdated || (heap_objects(in) && !in->collected));
    times->installed = times->initialised = os_nanos();
    return in->why;
}

static Refusal install_all(Thread *t, Change *changes, u4 n, bool unlimited, ReshapeTimes *times) {
    Installation in = {.changes = changes, .n = n, .dry = times->dry};
    Refusal why = unlimited ? remember_before(changes, n) : REFUSED_NOT;

    times->checked = os_nanos();
    if (!why) why = check_and_install(t, &in, unlimited, times);
    reshape_forget_look(t, in.look);
    end_starving(t);
    if (!why && unlimited && !in.dry) complete(t, changes, n);
    if (times->installed) times->initialised = os_nanos();
    return why;
}

static Refusal redefine(Thread *t, const RedefineRequest *requests, u4 n, RedefineMode mode) {
    begin_starving(t);
    Change *changes = calloc(n + 1u, sizeof *changes);
    Refusal why = changes && reserve_fill() ? REFUSED_NOT : REFUSED_OUT_OF_MEMORY;
    ReshapeTimes times = {.begun = os_nanos(), .dry = mode == REDEFINE_DRY};
    bool unlimited = may_reshape();

    reshape_forget_reason();
    versions_hold();
    for (u4 i = 0; i < n && !why; i++) {
        why = prepare(t, &requests[i], mode, &changes[i]);
        t->exception = NULL;
    }
    times.prepared = os_nanos();
    versions_release();
    if (!why) why = install_all(t, changes, n, unlimited, &times);
    end_starving(t);
    if (unlimited) reshape_report(changes, n, why, &times, why ? NULL : reshape_migrate(t, changes, n, times.dry));
    for (u4 i = 0; changes && i < n; i++) {
        class_version_free(changes[i].fresh);
        free(changes[i].same);
        free(changes[i].moved);
        reshape_discard(&changes[i]);
        reshape_forget_tables(t, &changes[i]);
        if (changes[i].living) handle_delete_local(t, changes[i].living);
        free(changes[i].constants);
    }
    free(changes);
    return why;
}

Refusal classes_redefine(Thread *t, const RedefineRequest *requests, u4 n, RedefineMode mode) {
    Object *pending = t->exception;

    t->exception = NULL;
    enter_classes(t, requests, n);
    Refusal why = redefine(t, requests, n, mode);
    leave_classes(requests, n);
    t->exception = pending;
    return why;
}
