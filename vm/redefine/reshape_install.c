/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pause in which classes get new shapes.  Terms: reshape.c; what every redefinition does: install.c.
 *
 *   objections   from living classes and objects; nothing has been changed yet
 *   reserve      all memory that the rest needs: related classes are marked and their hierarchies and tables made
 *                (reshape_related.c).  Nothing behind this allocates
 *   begin        methods that go get their stand-ins
 *   (install.c)  versions are exchanged, Methods in cells turned
 *   finish       fields, flags and supers of the classes themselves; then everything that was resolved by name in a
 *                related class becomes unresolved: pool cells of fields and methods, quick instructions; then for
 *                each related class, supers first: hierarchy, derived flags, dispatch tables
 *
 * Unresolved is simpler than turned: an instruction that named a method or field finds out at its next
 * execution what the name means now, with all checks of access and kind, or that it means nothing any more.
 * Old versions of a class keep their resolved fields: their frames finish with the fields they know.
 */
#include "quick/quick.h"
#include "redefine/reshape.h"
#include "heap/heap_upcall.h"
#include "load/loader.h"

#include <stdlib.h>

/* --- objections --- */

typedef struct Objection {
    Change *changes;
    u4 n;
    Refusal why;
} Objection;

static bool is_direct_subtype(const Objection *o, const Class *sub, const Class *c) {
    const Change *ch = change_of(o->changes, o->n, sub);
    bool new_supers = ch && ch->shape && ch->shape->super;
    Class **interfaces = new_supers ? ch->shape->interfaces : sub->interfaces;
    u4 n = new_supers ? ch->shape->n_interfaces : sub->n_interfaces;
    if (!class_is_interface(c)) return !class_is_interface(sub) && super_to_come(o->changes, o->n, sub) == c;
    for (u4 i = 0; i < n; i++)
        if (interfaces[i] == c) return true;
    return false;
}

/* A method of a superclass that changes may not become final while this class overrides it. */
static const Class *overrides_final(const Objection *o, const Class *sub, const Change *ch) {
    const ClassVersion *v = version_to_come(o->changes, o->n, sub);
    for (u4 i = 0; i < ch->fresh->n_methods; i++) {
        const Method *f = &ch->fresh->methods[i], *m;
        if ((f->access & (ACC_FINAL | ACC_STATIC | ACC_PRIVATE)) != ACC_FINAL || f->flags & MF_INIT) continue;
        m = version_find_method(v, f->name, f->desc);
        if (!m || m->access & (ACC_STATIC | ACC_PRIVATE)) continue;
        if (!(f->access & (ACC_PUBLIC | ACC_PROTECTED)) && !access_same_package((Class *)sub, ch->klass)) continue;
        return sub;
    }
    return NULL;
}

static void ask_class(Class *sub, void *arg) {
    Objection *o = arg;
    if (o->why || !sub->version) return;
    for (u4 i = 0; i < o->n && !o->why; i++) {
        const Change *ch = &o->changes[i];
        const Class *c = ch->klass;
        if (!ch->shape || sub == c || !class_is_subtype(sub, ch->klass)) continue;
        if (is_direct_subtype(o, sub, c)) {
            if (ch->fresh->cf->access & ACC_FINAL) o->why = reshape_refuse_for(ch, REASON_HAS_SUBCLASSES, sub);
            else if (!class_permits(ch->fresh, sub)) o->why = reshape_refuse_for(ch, REASON_NOT_PERMITTED, sub);
        }
        if (!o->why && !class_is_interface(c) && !class_is_interface(sub) && overrides_final(o, sub, ch))
            o->why = reshape_refuse_for(ch, REASON_FINAL_OVERRIDDEN, sub);
        if (!o->why && sub->vtable_len + (u4)ch->fresh->n_methods > 65000)
            o->why = reshape_refuse_for(ch, REASON_TOO_MANY_METHODS, sub);
    }
}

/* --- the classes themselves --- */

static void add_stand_ins(Change *ch) {
    Class *c = ch->klass;
    for (u4 i = 0; i < ch->base->n_methods; i++) {
        Removed *r = ch->shape->gone[i];
        if (!r || r->listed) continue;
        r->listed = true;
        r->next = c->reshaped->removed;
        c->reshaped->removed = r;
    }
}

void reshape_begin(Change *changes, u4 n) {
    for (u4 i = 0; i < n; i++) {
        Change *ch = &changes[i];
        if (!ch->shape) continue;
        if (!ch->klass->reshaped) ch->klass->reshaped = ch->shape->reshaped, ch->shape->reshaped = NULL;
        add_stand_ins(ch);
    }
}

/* A method that is back takes its stand-in's place, also in cells: install.c turns them next. */
void reshape_take_back(Change *ch, ClassVersion *v) {
    for (u4 i = 0; i < v->n_methods; i++) {
        Method *m = &v->methods[i];
        if (ch->shape->partner[i] != NO_METHOD) continue;
        for (Removed *r = ch->klass->reshaped->removed; r; r = r->next) {
            Method *s = &r->method;
            MethodID *id = atomic_load(&s->id);
            if (s->name != m->name || s->desc != m->desc || (s->access ^ m->access) & ACC_STATIC) continue;
            m->slot = s->slot;
            if (id && !atomic_load(&m->id)) {
                atomic_store(&m->id, id);
                atomic_store(&s->id, NULL);
                atomic_store(&id->method, m);
            }
            s->next_version = m;
            for (ClassVersion *o = v->previous; o; o = o->previous)
                for (u4 k = 0; k < o->n_methods; k++)
                    if (o->methods[k].next_version == s) o->methods[k].next_version = m;
            break;
        }
    }
}

static void take_fields(Change *ch) {
    Class *c = ch->klass;
    Shape *s = ch->shape;
    for (u4 i = 0; i < c->n_fields; i++) c->fields[i].cf = NULL;       /* its version may go */
    *s->old = (Retired){c->reshaped->retired, c->fields, c->n_fields}; /* jfieldIDs, cells of old versions */
    c->reshaped->retired = s->old;
    s->old = NULL;
    c->fields = s->fields;
    c->n_fields = c->n_fields_all = c->version->cf->field_count;
    s->fields = NULL;
    s->n_groups = 0; /* now they are the class's */
    if (s->outside) c->flags |= CF_OUTSIDE;
    if (s->outside_static) JC(Class)->flags |= CF_OUTSIDE;
}

static bool uses_group(const Field *fields, u4 n, u4 offset) {
    for (u4 i = 0; i < n; i++)
        if (offset_is_outside(fields[i].offset) && (fields[i].offset ^ offset) < RECORD_BYTES) return true;
    return false;
}

static bool is_exposed(const Class *c, const Retired *r) {
    for (u4 i = 0; i < r->n; i++) {
        const Field *f = &r->fields[i];
        if (f->flags & FIELD_NAMED) return true;
        if (f->flags & FIELD_EXPOSED && offset_is_outside(f->offset) && !uses_group(c->fields, c->n_fields, f->offset))
            return true;
    }
    return false;
}

/* Groups that only `gone` has: at most one row each, the first. */
static void free_groups(const Class *c, const Retired *gone) {
    for (u4 i = 0; i < gone->n; i++) {
        u4 offset = gone->fields[i].offset;
        if (!offset_is_outside(offset) || uses_group(gone->fields, i, offset) || uses_group(c->fields, c->n_fields, offset))
            continue;
        bool used = false;
        for (const Retired *r = c->reshaped->retired; r && !used; r = r->next) used = uses_group(r->fields, r->n, offset);
        if (!used) record_group_free(offset);
    }
}

/* Fields that were removed long ago: the last ones are kept for undoing, others while there are old versions,
 * or while Java or native code may have kept an offset or an ID. */
void reshape_forget_old(Class *c) {
    enum { KEPT = 4 };
    Retired **p = c->reshaped ? &c->reshaped->retired : NULL;
    if (!p || c->version->previous) return;
    for (u4 n = 0; *p && n < KEPT; n++) p = &(*p)->next;
    while (*p) {
        Retired *r = *p;
        if (is_exposed(c, r)) {
            p = &r->next;
            continue;
        }
        *p = r->next;
        free_groups(c, r);
        free(r->fields);
        free(r);
    }
}

/* Unlinks from the list of the old superclass. */
static void move_to_siblings(Class *c, Class *super) {
    for (Class **p = &c->super->first_subclass; *p; p = &(*p)->next_sibling)
        if (*p == c) {
            *p = c->next_sibling;
            break;
        }
    c->super = super;
    c->next_sibling = super->first_subclass;
    super->first_subclass = c;
}

static void take_hierarchy(Change *ch) {
    Class *c = ch->klass;
    Shape *s = ch->shape;
    if (!s->super) return;
    if (s->super != c->super) {
        if (class_is_interface(c)) c->super = s->super;
        else move_to_siblings(c, s->super);
    }
    reshape_keep(c, c->interfaces, s->block);
    s->block = NULL;
    c->interfaces = s->interfaces;
    c->n_interfaces = s->n_interfaces;
    s->interfaces = NULL;
}

static void take_shape(Change *ch) {
    Class *c = ch->klass;
    for (Removed *r = c->reshaped->removed; r; r = r->next) r->method.next_version = NULL; /* all cells are turned */
    ch->shape->n_gone = 0;
    take_fields(ch);
    reshape_take_outlines(ch);
    c->access = declared_access(c->version->cf->access, &c->version->cf->attrs);
    take_hierarchy(ch);
}

/* --- what was resolved --- */

static u1 stale[65536];

static bool is_related(const Class *c) { return c && c->flags & CF_RELATED; }

static void retire(ClassVersion *v, ResolvedMethod *rm) {
    ASSERT(v->retired.len < v->retired.cap, "%s", v->klass->name->bytes);
    v->retired.data[v->retired.len++] = rm;
}

/* Lambdas (and whatever else is hidden) call methods whose names the compiler made up: they follow the
 * partner, whatever its name is.  install.c has turned the cell.  Methods that a method reference names go by name. */
static bool is_turned(const ClassVersion *v, const ResolvedMethod *rm) {
    u2 access = rm->method->access;
    return v->klass->flags & CF_HIDDEN && access & ACC_SYNTHETIC && access & (ACC_STATIC | ACC_PRIVATE) &&
           rm->vtable_index == 0xffff;
}

static Class *named_class(const ClassVersion *v, u4 i) { return v->pool[cf_const(v->cf, i)->a].klass; }

static bool is_stale_method(const ClassVersion *v, u4 i) {
    const ResolvedMethod *rm = v->pool[i].method;
    const Class *named = named_class(v, i);
    if (rm->appendix || named->flags & CF_IS_MH_HOLDER) return false;
    return is_related(named) || is_related(rm->method->holder) || is_related(v->klass);
}

static bool is_stale(const ClassVersion *v, u4 i) {
    unsigned tag = cf_tag(v->cf, i);

    if (tag != CF_CONST_FIELDREF && tag != CF_CONST_METHODREF && tag != CF_CONST_INTERFACEMETHODREF) return false;
    if (tag != CF_CONST_FIELDREF) return !is_turned(v, v->pool[i].method) && is_stale_method(v, i);
    const Field *f = v->pool[i].field;
    if (v != v->klass->version && f->holder == v->klass) return false; /* old frames finish */
    return is_related(named_class(v, i)) || is_related(f->holder);
}

/* --- lambdas that were made but have not run yet --- */

/* What they will call is settled now, because its name may mean another lambda from now on. */
typedef struct Binding {
    ClassVersion *v;
    u4 index;
    Method *old;        /* the method that the name means until now */
    ResolvedMethod *rm; /* for its successor */
} Binding;

static CF_VEC(Binding) bindings;

static bool add_binding(ClassVersion *v, u4 i, Method *old) {
    if (!cf_vec_reserve(&bindings, bindings.len + 1u)) return false;
    ResolvedMethod *rm = malloc(sizeof *rm);
    return rm && cf_vec_push(&bindings, (Binding){v, i, old, rm});
}

static bool find_binding(ClassVersion *v, u4 i, const Change *changes, u4 n) {
    Symbol *cls, *name, *desc;

    pool_name_and_type(v, (u2)i, &cls, &name, &desc);
    if (!cf_str_starts(symbol_str(name), "lambda$")) return true;
    for (u4 c = 0; c < n; c++) {
        const Change *ch = &changes[c];
        if (!ch->shape || ch->klass->name != cls || ch->klass->loader != v->klass->loader) continue;
        for (u4 x = 0; x < ch->base->n_methods; x++)
            if (ch->base->methods[x].name == name && ch->base->methods[x].desc == desc)
                return add_binding(v, i, &ch->base->methods[x]);
    }
    return true;
}

static bool find_bindings(ClassVersion *v, const Change *changes, u4 n) {
    u4 before = bindings.len;
    for (u4 i = 1; i < v->pool_count; i++) {
        unsigned tag = cf_tag(v->cf, i);
        if (tag != CF_CONST_METHODREF && tag != CF_CONST_INTERFACEMETHODREF) continue;
        if (v->pool_state[i] == POOL_UNRESOLVED && !find_binding(v, i, changes, n)) return false;
    }
    u4 found = bindings.len - before;
    return !found || pool_reserve(v, found, 2 * found);
}

static void bind_lambdas(void) {
    for (u4 i = 0; i < bindings.len; i++) {
        Binding *b = &bindings.data[i];
        Method *m = b->old->next_version;
        *b->rm = (ResolvedMethod){.method = m, .vtable_index = 0xffff, .arg_slots = m->arg_slots};
        class_note_use(b->v->klass, m->holder);
        pool_publish(b->v, cf_const(b->v->cf, b->index)->a, (PoolCell){.klass = m->holder}, m->holder->flags & CF_UNLOADABLE);
        pool_publish(b->v, (u2)b->index, (PoolCell){.method = b->rm}, m->holder->flags & CF_UNLOADABLE);
        b->rm = NULL;
    }
}

static void forget_bindings(void) {
    for (u4 i = 0; i < bindings.len; i++) free(bindings.data[i].rm);
    cf_vec_free(&bindings);
}

/* --- all classes --- */

typedef struct Reservation {
    const Change *changes;
    u4 n;
    bool failed;
} Reservation;

static bool reserve_version(ClassVersion *v, const Reservation *r) {
    u4 stale_methods = 0;
    for (u4 i = 0; i < v->method_cells.len; i++) stale_methods += is_stale_method(v, v->method_cells.data[i]);
    if (!cf_vec_reserve(&v->retired, v->retired.len + stale_methods)) return false;
    return !(v->klass->flags & CF_HIDDEN) || find_bindings(v, r->changes, r->n);
}

static void reserve_class(Class *c, void *arg) {
    Reservation *r = arg;
    for (ClassVersion *v = c->version; v && !r->failed; v = v->previous) r->failed = !reserve_version(v, r);
}

static Refusal reserve(Change *changes, u4 n) {
    Reservation r = {changes, n, false};
    Refusal why = related_make(changes, n);
    if (why) return why;
    loader_visit_all_classes(reserve_class, &r);
    for (u4 i = 0; i < n && !r.failed; i++) r.failed = !reserve_version(changes[i].fresh, &r);
    return r.failed ? REFUSED_OUT_OF_MEMORY : REFUSED_NOT;
}

static Refusal get_ready(Change *changes, u4 n, bool dry) {
    Refusal why = reserve(changes, n);
    if (!why && !dry) why = related_constrain(changes);
    if (!why && !dry) return REFUSED_NOT;
    related_forget(false);
    forget_bindings();
    return why;
}

Refusal reshape_may_install(Change *changes, u4 n, bool dry) {
    Objection o = {changes, n, REFUSED_NOT};
    bool any = false;

    for (u4 i = 0; i < n; i++) {
        Change *ch = &changes[i];
        any |= ch->shape != NULL;
        if (ch->klass->version == ch->base && change_of(changes, n, ch->klass) == ch) continue;
        /* a hook changed it, or the array names it twice: only equal shapes follow each other blindly */
        if (ch->shape || ch->epoch != atomic_load(&reshape_epoch)) return reshape_refuse(ch, REASON_CHANGED_MEANWHILE, "");
        for (u4 k = 0; k < n; k++)
            if (changes[k].klass == ch->klass && changes[k].shape) return reshape_refuse(ch, REASON_CHANGED_MEANWHILE, "");
    }
    if (any) loader_visit_all_classes(ask_class, &o);
    for (u4 i = 0; i < n && !o.why; i++) o.why = reshape_look_at_values(&changes[i]);
    for (u4 i = 0; i < n && !o.why; i++) o.why = reshape_look_at_sets(&changes[i]);
    return any && !o.why ? get_ready(changes, n, dry) : o.why;
}

static void keep_resolved(const ClassVersion *v, CellList *l) {
    u4 kept = 0;
    for (u4 i = 0; i < l->len; i++)
        if (v->pool_state[l->data[i]] != POOL_UNRESOLVED) l->data[kept++] = l->data[i];
    l->len = kept;
}

static void reset_version(ClassVersion *v) {
    bool any = false, cells = false;

    for (u4 i = 1; i < v->pool_count; i++) {
        u1 how = v->pool_state[i] != POOL_RESOLVED                                    ? 0
                 : is_stale(v, i)                                                     ? 1
                 : cf_tag(v->cf, i) == CF_CONST_CLASS && is_related(v->pool[i].klass) ? 2 /* `new` asks the flags of the class */
                                                                                      : 0;
        if (!how) continue;
        if (!any && !cells) memset(stale, 0, v->pool_count);
        stale[i] = how;
        any |= how == 2;
        cells |= how == 1;
    }
    if (any || cells) quick_reset_sites(v, stale);
    for (u4 i = 1; cells && i < v->pool_count; i++) {
        if (stale[i] != 1) continue;
        if (cf_tag(v->cf, i) != CF_CONST_FIELDREF) retire(v, v->pool[i].method);
        v->pool[i] = (PoolCell){.klass = NULL};
        atomic_store(&v->pool_state[i], POOL_UNRESOLVED);
    }
    if (!cells) return;
    keep_resolved(v, &v->method_cells);
    keep_resolved(v, &v->ref_cells);
}

static void reset_class(Class *c, void *arg) {
    for (ClassVersion *v = c->version; v; v = v->previous) reset_version(v);
    atomic_store(&c->last_super_hit, NULL);
    if (c->nest_host && !(c->flags & CF_HIDDEN) && (is_related(c) || is_related(c->nest_host))) c->nest_host = NULL;
}

void reshape_finish(Change *changes, u4 n) {
    for (u4 i = 0; i < n; i++)
        if (changes[i].shape) take_shape(&changes[i]);
    bind_lambdas();
    forget_bindings();
    loader_visit_all_classes(reset_class, NULL);
    related_take();
    related_forget(true);
    atomic_fetch_add(&reshape_epoch, 1);
}
