/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Redefinition without limits (-XX:+EnhancedRedefinition): the gate of classes that change their shape.
 *
 * Terms
 *   shape      all that JVM TI forbids to change: methods and fields a class has, their modifiers, the class's
 *              own, superclass, interfaces, nest, record, sealed attributes
 *   partner    the method of the other version with the same name and descriptor, static as this one
 *   stand-in   what takes the place of a method that has no partner in the new version (Removed): a
 *              method that throws NoSuchMethodError.  Whatever leads to the old method leads to it.
 *   kept       a field with the name, type and staticness of one of the old version.  It stays where it is.
 *   outside    a new field: its values lie in records beside the objects (heap/records.h).  Static ones in a
 *              record of the mirror.
 *   hole       where a removed field was.  It is never used again, so stale code and stale offsets are harmless,
 *              and no object, no subclass's layout and no reference map ever changes.
 *   slot       the number by which reflection objects name a member; kept by partners and kept fields
 *   related    classes that change shape and all that inherit from them (subclasses, implementors)
 *   epoch      count of pauses with new shapes.  Code that resolves reads it first and publishes only
 *              what was found in the same epoch.
 *
 * Phases: compare, pair, place the fields (here, before the pause, for every class of the call), check code and
 * hierarchy against the shapes to come (verify.c asks reshape_super), one pause that looks for objections from
 * living classes and objects and then installs all (reshape_install.c), initialisers of new fields
 * (reshape_init.c).  Whatever refuses does so before anything is changed, with a reason of reshape.def.
 *
 * What happens to each structure: docs/redefinition.md.
 *
 * Rejected: a second Class for the new shape, with the heap walked and every object turned (objects cannot
 * grow in a heap that does not move, and identity of Class, mirror, monitors would have to be forged);
 * a new layout for new objects only (two layouts of one class cost every field access a test);
 * using holes again (somebody may still read them by offset).
 */
#include "log/log.h"
#include "jit/jit.h"
#include "lang/string.h"
#include "redefine/reshape.h"
#include "os/os.h"
#include "shape/shape.h"

#include <stdio.h>
#include <stdlib.h>

/* --- reasons --- */

static const char *const reason_names[] = {
#define REASON(NAME, text) #NAME,
#include "redefine/reshape.def"
};
static const char *const reason_texts[] = {
#define REASON(NAME, text) text,
#include "redefine/reshape.def"
};

enum { REASON_TEXT = 1000 };
/* Of each thread that has redefined something. */
typedef struct Texts {
    char reason[REASON_TEXT], report[REASON_TEXT], *migrations;
} Texts;

static pthread_key_t texts_key;
static void free_texts(void *texts) {
    free(((Texts *)texts)->migrations);
    free(texts);
}
static void make_key(void) {
    if (pthread_key_create(&texts_key, free_texts)) FATAL("no thread-specific data");
}
static Texts *texts(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static Texts none; /* out of memory: whoever has none shares this one */
    pthread_once(&once, make_key);
    Texts *own = pthread_getspecific(texts_key);
    if (own || !(own = calloc(1, sizeof *own))) return own ? own : &none;
    pthread_setspecific(texts_key, own);
    return own;
}

const char *reshape_last_reason(void) { return texts()->reason; }
const char *reshape_last_report(void) { return texts()->report; }
const char *reshape_last_migrations(void) { return texts()->migrations ? texts()->migrations : ""; }
void reshape_forget_reason(void) { texts()->reason[0] = 0; }

Refusal reshape_refuse(const Change *ch, ReshapeReason why, const char *about) {
    char text[REASON_TEXT - 64], name[500];
    class_external_name(ch->klass, name, sizeof name);
    snprintf(text, sizeof text, reason_texts[why], name, about ? about : "");
    snprintf(texts()->reason, REASON_TEXT, "%s: %s", reason_names[why], text);
    return ch->shape ? ch->shape->standard : REFUSED_INTERNAL;
}

Refusal reshape_refuse_for(const Change *ch, ReshapeReason why, const Class *about) {
    return reshape_refuse(ch, why, class_text(about).s);
}

/* Turns the pending exception into a reason; memory that ran out is none. */
static Refusal reshape_refuse_exception(Thread *t, const Change *ch, ReshapeReason why, Refusal standard) {
    char text[2048];
    if (exception_is(t, EX_OutOfMemoryError)) standard = REFUSED_OUT_OF_MEMORY;
    Object *ex = exception_take(t), *msg = ex ? JGET_REF(ex, Throwable, detailMessage) : NULL;
    char *m = msg ? string_to_cstr(msg) : NULL;
    snprintf(text, sizeof text, "%s: %s", ex ? class_text(obj_class(ex)).s : "", m ? m : "");
    free(m);
    reshape_refuse(ch, why, text);
    return standard;
}

/* --- reports --- */

static const char *const refusal_names[] = {
    "",
#define REFUSAL(NAME) #NAME,
#include "redefine/redefine.def"
};

static double millis(int64_t from, int64_t to) { return to > from ? (double)(to - from) / 1e6 : 0; }

static void take_migrations(Texts *own, char *migrations) {
    if (own == pthread_getspecific(texts_key)) {
        free(own->migrations);
        own->migrations = migrations;
    } else {
        free(migrations); /* several threads share it */
    }
}

static void log_lines(const char *p) {
    for (size_t len; (len = strcspn(p, "\n")); p += len + 1) log_print(LOG_REDEFINE, "%.*s", (int)len, p);
}

void reshape_report(const Change *changes, u4 n, Refusal why, const ReshapeTimes *times, char *migrations) {
    u4 shapes = 0;
    int64_t end = os_nanos();
    Texts *own = texts();
    if (why && !own->reason[0]) snprintf(own->reason, sizeof own->reason, "STANDARD: %s", refusal_names[why]);
    for (u4 i = 0; changes && i < n; i++) shapes += changes[i].shape != NULL;
    snprintf(own->report, sizeof own->report,
             "%u classes, %u change shape, %s: %.3f ms (prepare %.3f, check %.3f, pause %.3f, initialise %.3f, migrate %.3f); "
             "%u records of new fields exist",
             n, shapes,
             why          ? "refused"
             : times->dry ? "would be done"
                          : "done",
             millis(times->begun, end), millis(times->begun, times->prepared), millis(times->prepared, times->checked),
             times->installed ? millis(times->checked, times->installed) : 0,
             times->installed ? millis(times->installed, times->initialised) : 0,
             times->installed ? millis(times->initialised, end) : 0, atomic_load(&records_count));
    take_migrations(own, migrations);
    if (!log_on(LOG_REDEFINE)) return;
    if (why) log_print(LOG_REDEFINE, "refused: %s", own->reason);
    for (u4 i = 0; !why && i < n; i++)
        if (changes[i].shape)
            log_print(LOG_REDEFINE, "%s%s changes shape", times->dry ? "dry run: " : "", changes[i].klass->name->bytes);
    log_print(LOG_REDEFINE, "%s", own->report);
    log_lines(reshape_last_migrations());
}

/* --- the hierarchy to come --- */

static __thread Change *pending;
static __thread u4 n_pending;

static void reshape_pending(Change *changes, u4 n) {
    pending = changes;
    n_pending = n;
}

const Change *change_of(const Change *changes, u4 n, const Class *c) {
    for (u4 i = 0; i < n; i++)
        if (changes[i].klass == c) return &changes[i];
    return NULL;
}

ClassVersion *version_to_come(const Change *changes, u4 n, const Class *c) {
    const Change *ch = change_of(changes, n, c);
    return ch && ch->fresh ? ch->fresh : c->version;
}

Class *super_to_come(const Change *changes, u4 n, const Class *c) {
    const Change *ch = change_of(changes, n, c);
    return ch && ch->shape && ch->shape->super ? ch->shape->super : c->super;
}

Class *reshape_super(const Class *c) { return super_to_come(pending, n_pending, c); }

/* The version that counts when this thread loads a subclass. */
ClassVersion *reshape_version(const Class *c) { return version_to_come(pending, n_pending, c); }

bool reshape_is_subtype(Class *s, Class *t) {
    if (!n_pending) return class_is_subtype(s, t);
    while (class_is_array(s) && class_is_array(t) && s->component && t->component) {
        s = s->component;
        t = t->component;
    }
    if (class_is_interface(t) || class_is_array(s) || class_is_primitive(s)) return class_is_subtype(s, t);
    for (Class *k = s; k; k = reshape_super(k))
        if (k == t) return true;
    return false;
}

/* --- memory that stays with the class --- */

void reshape_keep(Class *c, void *memory, Block *block) {
    *block = (Block){c->reshaped->blocks, memory};
    c->reshaped->blocks = block;
}

static void free_groups(const Field *fields, u4 n) {
    for (u4 i = 0; i < n; i++)
        if (offset_is_outside(fields[i].offset)) record_group_free(fields[i].offset);
}

void reshaped_free(Class *c) {
    free_groups(c->fields, c->n_fields);
    if (!c->reshaped) return; /* a superclass gained: see reshape_supers.c */
    for (Block *b = c->reshaped->blocks, *next; b; b = next) {
        next = b->next;
        free(b->memory);
        free(b);
    }
    for (Retired *r = c->reshaped->retired, *next; r; r = next) {
        next = r->next;
        free_groups(r->fields, r->n);
        free(r->fields);
        free(r);
    }
    for (Removed *r = c->reshaped->removed, *next; r; r = next) {
        MethodID *id = atomic_load(&r->method.id);
        next = r->next;
        if (id) method_id_free(id);
        free(r);
    }
    free(c->reshaped);
    c->reshaped = NULL;
}

Method *reshaped_method(Class *c, u4 slot) {
    ClassVersion *v = c->version;
    for (u4 i = 0; i < v->n_methods; i++)
        if (v->methods[i].slot == slot) return &v->methods[i];
    for (Removed *r = c->reshaped->removed; r; r = r->next)
        if (r->method.slot == slot) return &r->method;
    return NULL;
}

Field *reshaped_field(Class *c, u4 slot) {
    for (u4 i = 0; i < c->n_fields; i++)
        if (c->fields[i].slot == slot) return &c->fields[i];
    return NULL;
}

/* --- methods --- */

static bool same_staticness(const Method *a, const Method *b) { return !((a->access ^ b->access) & ACC_STATIC); }

static Removed *stand_in_for(const Method *m) {
    Removed *r = m->holder->reshaped ? m->holder->reshaped->removed : NULL;
    while (r && (r->method.slot != m->slot || r->method.name != m->name || r->method.desc != m->desc)) r = r->next;
    if (r) return r; /* removed, back, removed again */
    if (!(r = calloc(1, sizeof *r))) return NULL;
    r->method = (Method){.kind = MK_REMOVED,
                         .entry = jit_bridge,
                         .ret_type = m->ret_type,
                         .arg_slots = m->arg_slots,
                         .max_locals = m->arg_slots,
                         .access = (u2)((m->access & ~(ACC_NATIVE | ACC_FINAL | ACC_SYNCHRONIZED)) | ACC_ABSTRACT),
                         .flags = m->flags & (MF_INIT | MF_CALLER_SENSITIVE),
                         .slot = m->slot,
                         .index = m->index,
                         .holder = m->holder,
                         .version = m->version,
                         .name = m->name,
                         .desc = m->desc,
                         .vtable_index = -1,
                         .itable_index = -1};
    return r;
}

static void pair(Change *ch, u4 i, u4 k) {
    const Method *old = &ch->base->methods[i];
    Method *m = &ch->fresh->methods[k];
    ch->shape->successor[i] = (u2)k;
    ch->shape->partner[k] = (u2)i;
    m->slot = old->slot;
    m->flags |= old->flags & MF_OBJECT_INIT;
}

/* Bodies of lambdas have names that compilers number (lambda$f$0): the one with the same code is the same lambda,
 * by its own name first; then one of the same method and type that is used alike (stored to the same field, passed to
 * the same method); then the next one of that method; then one stored to the same field by a method of another name. */
static bool is_lambda(const Method *m) { return m->access & ACC_SYNTHETIC && cf_str_starts(symbol_str(m->name), "lambda$"); }

static bool same_origin(const Method *a, const Method *b) {
    u4 n = a->name->len;
    while (n > 0 && a->name->bytes[n - 1] != '$') n--;
    return b->name->len >= n && memcmp(a->name->bytes, b->name->bytes, n) == 0 && !strchr(b->name->bytes + n, '$');
}

static bool names_lambda(const CfClass *cf, u2 arg, const Method *lambda) {
    CfStr owner, name, desc;
    const CfConst *k = cf_const(cf, arg);
    return k->tag == CF_CONST_METHODHANDLE && cf_member_ref(cf, k->a, &owner, &name, &desc) &&
           cf_str_eq(name, symbol_str(lambda->name)) && cf_str_eq(desc, symbol_str(lambda->desc));
}

/* The instruction behind the one that makes the lambda: what it is made for. */
static bool find_use(const Method *lambda, CfInsn *use) {
    const ClassVersion *v = lambda->version;
    CfBootstrap b;
    CfInsn in;
    for (u4 i = 0; i < v->n_methods; i++) {
        const Method *m = &v->methods[i];
        for (u4 pc = 0; pc < m->code_len && cf_insn(m->code, m->code_len, pc, &in); pc += in.len) {
            if (in.op != CF_OP_INVOKEDYNAMIC || !cf_bootstrap(v->cf, cf_const(v->cf, in.index)->a, &b)) continue;
            for (u4 k = 0; k < b.args.count; k++)
                if (names_lambda(v->cf, cf_index_at(&b.args, k), lambda)) return cf_insn(m->code, m->code_len, pc + in.len, use);
        }
    }
    return false;
}

static bool used_alike(const Method *a, const Method *b, CfInsn *x) {
    CfInsn y;
    if (!find_use(a, x) || !find_use(b, &y) || x->op != y.op) return false;
    return cf_op_info[x->op].flags & CF_OF_CP ? constants_mean_the_same(a->version->cf, x->index, b->version->cf, y.index)
                                              : x->index == y.index;
}

static bool same_use(const Method *a, const Method *b) {
    CfInsn x;
    return same_origin(a, b) && used_alike(a, b, &x);
}

/* Whatever the method that stores it is called now: a field has one purpose, a method that lambdas are passed to need not. */
static bool same_field(const Method *a, const Method *b) {
    CfInsn x;
    return used_alike(a, b, &x) && (x.op == CF_OP_PUTFIELD || x.op == CF_OP_PUTSTATIC);
}

static void pair_lambdas(Change *ch, bool (*fits)(const Method *, const Method *)) {
    for (int own_name = 1; own_name >= 0; own_name--)
        for (u4 i = 0; i < ch->base->n_methods; i++) {
            const Method *old = &ch->base->methods[i];
            if (ch->shape->successor[i] != NO_METHOD || !is_lambda(old)) continue;
            for (u4 k = 0; k < ch->fresh->n_methods; k++) {
                const Method *m = &ch->fresh->methods[k];
                if (ch->shape->partner[k] != NO_METHOD || !is_lambda(m) || m->desc != old->desc) continue;
                if (!same_staticness(m, old) || (own_name && m->name != old->name) || !fits(old, m)) continue;
                pair(ch, i, k);
                break;
            }
        }
}

static bool pair_methods(Change *ch, Reshaped *rs) {
    Shape *s = ch->shape;
    u4 n = ch->base->n_methods, k = ch->fresh->n_methods;

    s->successor = malloc((n + 1u) * sizeof(u2));
    s->partner = malloc((k + 1u) * sizeof(u2));
    s->gone = calloc(n + 1u, sizeof *s->gone);
    if (!s->successor || !s->partner || !s->gone) return false;
    s->n_gone = n;
    for (u4 i = 0; i < k; i++) s->partner[i] = NO_METHOD;
    for (u4 i = 0; i < n; i++) s->successor[i] = NO_METHOD;
    pair_lambdas(ch, methods_equivalent);
    pair_lambdas(ch, same_use);
    pair_lambdas(ch, same_origin);
    pair_lambdas(ch, same_field);
    for (u4 i = 0; i < n; i++) {
        const Method *old = &ch->base->methods[i];
        Method *m = s->successor[i] == NO_METHOD ? version_find_method(ch->fresh, old->name, old->desc) : NULL;
        if (m && s->partner[m->index] == NO_METHOD && same_staticness(m, old)) pair(ch, i, m->index);
        if (s->successor[i] == NO_METHOD && !(s->gone[i] = stand_in_for(old))) return false;
    }
    for (u4 i = 0; i < k; i++)
        if (s->partner[i] == NO_METHOD) ch->fresh->methods[i].slot = rs->next_method_slot++;
    return true;
}

/* --- fields --- */

static Field *kept_field(Field *fields, u4 n, const Field *f) {
    for (Field *g = fields; g < fields + n; g++)
        if (g->name == f->name && g->desc == f->desc && !((g->access ^ f->access) & ACC_STATIC)) return g;
    return NULL;
}

/* As undoing finds it: what was removed comes back to its hole. */
static Field *old_field(const Change *ch, const Field *f) {
    Field *kept = kept_field(ch->klass->fields, ch->klass->n_fields, f);
    for (Retired *r = ch->klass->reshaped ? ch->klass->reshaped->retired : NULL; r && ch->undoes && !kept; r = r->next)
        kept = kept_field(r->fields, r->n, f);
    return kept;
}

static bool is_ref(const Field *f) { return f->type >= T_OBJECT; }

/* A ConstantValue is there from the start. */
static bool put_constant(Thread *t, Change *ch, Field *f, Object *initial, u4 at) {
    u2 index = cf_attr_index(cf_attr(&f->cf->attrs, CF_ATTR_CONSTANT_VALUE));
    Slot v = {.raw = 0};
    if (!index || !(f->access & ACC_STATIC)) return true;
    if (!class_constant(t, ch->fresh, f, index, &v)) return !t->exception;
    return cell_store(f, initial, at, v), true;
}

/* Places for the fields of one kind that are new: in groups, as many as are needed. */
static bool place_new(Thread *t, Change *ch, Field *fields, bool is_static, bool refs, u4 n_fields) {
    Shape *s = ch->shape;
    u4 size = refs ? sizeof(Narrow) : sizeof(u8), most = (RECORD_BYTES - ARRAY_BASE) / size, n = 0, used = 0, left = 0;
    Class *array = refs ? class_array_of(t, JC(Object)) : primitive_array_classes[T_LONG];

    for (u4 i = 0; i < n_fields; i++)
        n += !fields[i].offset && is_ref(&fields[i]) == refs && !!(fields[i].access & ACC_STATIC) == is_static;
    for (u4 i = 0; n && i < n_fields; i++) {
        Field *f = &fields[i];
        if (f->offset || is_ref(f) != refs || !!(f->access & ACC_STATIC) != is_static) continue;
        if (!left) {
            Object *initial = heap_alloc_array(t, array, (int32_t)(n < most ? n : most));
            u4 group = initial ? record_group_new(initial) : 0;
            if (!group) return false;
            s->groups[s->n_groups++] = group;
            left = n < most ? n : most;
            used = 0;
        }
        u4 group = s->groups[s->n_groups - 1];
        f->offset = group + used * size;
        if (!put_constant(t, ch, f, record_initial(group), ARRAY_BASE + used * size)) return false;
        used++, left--, n--;
        if (is_static) s->outside_static = true;
        else s->outside = true;
    }
    return true;
}

Refusal reshape_place(Thread *t, Change *ch, Field *fields, u4 n) {
    Shape *s = ch->shape;
    u4 *groups = realloc(s->groups, (s->n_groups + n + 1u) * sizeof *groups);
    if (!groups) return REFUSED_OUT_OF_MEMORY;
    s->groups = groups;
    for (int kind = 0; kind < 4; kind++)
        if (!place_new(t, ch, fields, kind & 1, kind & 2, n))
            return t->exception ? REFUSED_OUT_OF_MEMORY : reshape_refuse(ch, REASON_TOO_MANY_FIELDS, "too many groups");
    return REFUSED_NOT;
}

static bool fields_differ(const Class *c, const Field *fields, u4 n) {
    if (c->n_fields != n) return true;
    for (u4 i = 0; i < n; i++)
        if (kept_field(c->fields, n, &fields[i]) != &c->fields[i] || c->fields[i].access != fields[i].access) return true;
    return false;
}

static Refusal place_fields(Thread *t, Change *ch, Reshaped *rs) {
    Shape *s = ch->shape;
    Class *c = ch->klass;
    const CfClass *cf = ch->fresh->cf;
    u4 n = cf->field_count;

    if (!(s->fields = calloc(n + 1u, sizeof *s->fields)) || !(s->old = calloc(1, sizeof *s->old))) return REFUSED_OUT_OF_MEMORY;
    for (u4 i = 0; i < n; i++) class_field_fill(c, &s->fields[i], cf, i);
    if (fields_differ(c, s->fields, n) && c->loader == BOOT_LOADER) return reshape_refuse(ch, REASON_BOOT_CLASS, "a field");
    for (u4 i = 0; i < n; i++) {
        Field *f = &s->fields[i], *old = old_field(ch, f);
        f->slot = old ? old->slot : rs->next_field_slot++;
        if (!old) continue;
        f->offset = old->offset;
        f->flags |= old->flags & (FIELD_EXPOSED | FIELD_ACCESS_WATCH | FIELD_MODIFY_WATCH | FIELD_PUT_LATE);
    }
    return reshape_place(t, ch, s->fields, n);
}

/* --- hierarchy --- */

bool reshape_hierarchy_differs(const Class *c, Class *super, Class **interfaces, u4 n) {
    if (c->super != super || c->n_interfaces != n) return true;
    for (u4 i = 0; i < n; i++)
        if (c->interfaces[i] != interfaces[i]) return true;
    return false;
}

static Class *super_named(Thread *t, const Change *ch, u2 index) {
    CfStr name = cf_class_name(ch->fresh->cf, index);
    return load_class_or_ncdfe(t, symbol_intern(name.p, name.len), ch->klass->loader);
}

static Refusal make_ready(Thread *t, const Change *ch, Class *s) {
    if (class_is_subtype(s, ch->klass)) return reshape_refuse_for(ch, REASON_CIRCULAR, s);
    if (class_link(t, s) && (class_is_interface(s) || !class_is_initialized(ch->klass) || class_init(t, s))) return REFUSED_NOT;
    if (exception_is(t, EX_OutOfMemoryError)) return REFUSED_OUT_OF_MEMORY;
    t->exception = NULL;
    return reshape_refuse_for(ch, REASON_SUPER_FAILS, s);
}

static Refusal find_hierarchy(Thread *t, Change *ch) {
    Shape *s = ch->shape;
    Class *c = ch->klass, *super = NULL;
    const CfClass *cf = ch->fresh->cf;
    u4 n = cf->interface_count;
    Refusal why = REFUSED_NOT;

    if (!(s->interfaces = calloc(n + 1u, sizeof *s->interfaces)) || !(s->block = calloc(1, sizeof *s->block)))
        return REFUSED_OUT_OF_MEMORY;
    if (cf->super_class && !(super = super_named(t, ch, cf->super_class)))
        return reshape_refuse_exception(t, ch, REASON_SUPER_FAILS, s->standard);
    for (u4 i = 0; i < n; i++)
        if (!(s->interfaces[i] = super_named(t, ch, cf->interfaces[i])))
            return reshape_refuse_exception(t, ch, REASON_SUPER_FAILS, s->standard);
    if (!reshape_hierarchy_differs(c, super, s->interfaces, n)) return REFUSED_NOT;
    s->super = super;
    s->n_interfaces = (u2)n;
    if (reshape_is_anonymous(c)) return reshape_refuse(ch, REASON_ANONYMOUS, "other supertypes");
    if (c->loader == BOOT_LOADER) return reshape_refuse(ch, REASON_BOOT_CLASS, "its hierarchy");
    if (super != c->super) why = make_ready(t, ch, super);
    for (u4 i = 0; i < n && !why; i++) why = make_ready(t, ch, s->interfaces[i]);
    return why || super == c->super ? why : reshape_gain_supers(t, ch);
}

/* --- the gate --- */

/* A finalizer that gets a body, or loses it: `new` instructions and subclasses know whether there is one. */
bool reshape_is_hidden(const Change *ch) {
    for (u4 i = 0; i < ch->base->n_methods; i++) {
        const Method *old = &ch->base->methods[i], *m;
        if (!symbol_eq(old->name, "finalize") || !symbol_eq(old->desc, "()V") || old->access & ACC_STATIC) continue;
        m = version_find_method(ch->fresh, old->name, old->desc);
        return m && method_is_empty(ch->base, old) != method_is_empty(ch->fresh, m);
    }
    return false;
}

Refusal reshape_prepare(Thread *t, Change *ch, Refusal standard) {
    Class *c = ch->klass;
    Reshaped *rs = c->reshaped;
    Refusal why;

    if (!(ch->shape = calloc(1, sizeof *ch->shape))) return REFUSED_OUT_OF_MEMORY;
    ch->shape->standard = standard;
    if (!rs) {
        if (!(rs = ch->shape->reshaped = calloc(1, sizeof *rs))) return REFUSED_OUT_OF_MEMORY;
        rs->next_method_slot = ch->base->n_methods;
        rs->next_field_slot = c->n_fields;
    }
    if (atomic_load(&c->state) == CLASS_ERRONEOUS) return REFUSED_INVALID_CLASS;
    if ((ch->fresh->cf->access ^ c->access) & ACC_INTERFACE) return reshape_refuse(ch, REASON_KIND, NULL);
    if (!pair_methods(ch, rs)) return REFUSED_OUT_OF_MEMORY;
    if ((why = place_fields(t, ch, rs))) return why;
    return find_hierarchy(t, ch);
}

Refusal reshape_check(Thread *t, Change *changes, u4 n, Look **look) {
    Refusal why = reshape_check_anonymous(changes, n);

    reshape_pending(changes, n);
    for (u4 i = 0; i < n && !why; i++) {
        if (!version_verify(t, changes[i].fresh, NULL))
            why = reshape_refuse_exception(t, &changes[i], REASON_LINKAGE, refuse_verification(t));
        t->exception = NULL;
    }
    if (!why) why = reshape_check_code(t, changes, n, look);
    reshape_pending(NULL, 0);
    t->exception = NULL;
    return why;
}

void reshape_discard(Change *ch) {
    Shape *s = ch->shape;

    if (!s) return;
    for (u4 i = 0; i < s->n_groups; i++) record_group_free(s->groups[i]);
    for (u4 i = 0; i < s->n_gone; i++)
        if (s->gone[i] && !s->gone[i]->listed) free(s->gone[i]);
    free(s->successor);
    free(s->partner);
    free(s->gone);
    free(s->reshaped);
    free(s->fields);
    free(s->groups);
    free(s->interfaces);
    free(s->block);
    free(s->old);
    for (Outline *o = s->outlines, *next; o; o = next) {
        next = o->next;
        free(o->fields);
        free(o);
    }
    free(s);
    ch->shape = NULL;
}
