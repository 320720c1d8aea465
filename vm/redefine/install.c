/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pause in which new versions take the place of old ones.
 *
 * Everything that leads to a method by name is turned from the old Method to the new one, in place:
 *
 *   MethodID.method       jmethodIDs, MemberNames, the VM's own well-known methods
 *   vtables, itables      of the class and of all that inherit from it
 *   pool cells, qcells    of every version of every class, also old ones: a frame of old code calls new code
 *   call sites            adapters of invokedynamic
 *   method caches         of all threads, emptied
 *   compiled code         has methods of its class's cells in it as constants: that of classes whose cells may turn is
 *                         thrown away before; with new shapes, all
 *
 * Which classes and code that is was looked for before the pause (reach.c).
 *
 * Quick opcodes stay: a method keeps its flags and its place in the tables, so the quick form of a call
 * stays right and only the Method in its cell changes.  A thread stopped in the middle of quickening
 * has old Methods in C variables; whoever publishes a Method asks method_current() with no
 * safepoint between.
 *
 * An old method is obsolete unless it is equivalent to the new one.  Equivalent ones keep the
 * identity: frames of them report the ID of the current method, and breakpoints reach them
 * (method_identity).  An obsolete method gives its ID to the new one and gets another if
 * asked; so do the equivalent copies of it in still older versions.
 *
 * Nothing here can fail: memory was got before, or, for new shapes, in the pause before anything is changed.
 * Classes that change their shape need more: reshape_install.c.
 */
#include "quick/quick.h"
#include "redefine/redefine_int.h"
#include "shape/shape.h"

/* --- one class --- */

/* Native bindings belong to the name. */
static void move_native(Method *m, Method *old) {
    m->kind = old->kind;
    m->vm_native = old->vm_native;
    atomic_store(&m->native_fn, atomic_load(&old->native_fn));
    m->native_shape = old->native_shape;
    m->flags |= old->flags & (MF_INTRINSIC | MF_LEAF);
}

static void move_identity(Method *m, Method *old) {
    MethodID *id = atomic_load(&old->id);

    atomic_store(&m->id, id);
    atomic_store(&old->id, NULL);
    if (id) atomic_store(&id->method, m);
}

/* The method that calls of base's i-th method run from now on. */
static Method *successor(const Change *ch, ClassVersion *v, u4 i) {
    if (!ch->shape) return &v->methods[i];
    u2 k = ch->shape->successor[i];
    return k == NO_METHOD ? &ch->shape->gone[i]->method : &v->methods[k];
}

static void succeed(const Change *ch, ClassVersion *v, ClassVersion *base) {
    bool compared = ch->base == base; /* else a hook or the same call changed it meanwhile */

    for (u4 i = 0; i < base->n_methods; i++) {
        Method *old = &base->methods[i], *m = successor(ch, v, i);
        if (method_is_native(m) && method_is_native(old)) move_native(m, old);
        move_identity(m, old);
        old->next_version = m;
        if (m->kind == MK_REMOVED || !(compared ? ch->same[m->index] : methods_equivalent(old, m))) old->flags |= MF_OBSOLETE;
    }
}

/* Older versions follow base's methods; what base had no more keeps its stand-in. */
static void follow(ClassVersion *o, const ClassVersion *base) {
    for (u4 i = 0; i < o->n_methods; i++) {
        Method *m = &o->methods[i], *was = m->next_version;
        if (was < base->methods || was >= base->methods + base->n_methods) continue;
        m->next_version = was->next_version;
        m->flags |= was->flags & MF_OBSOLETE;
    }
}

static void install_one(Change *ch) {
    Class *c = ch->klass;
    ClassVersion *v = ch->fresh, *base = c->version;

    v->previous = base;
    c->version = v;
    succeed(ch, v, base);
    for (ClassVersion *o = base->previous; o; o = o->previous) follow(o, base);
    if (ch->shape) reshape_take_back(ch, v);
    for (u4 i = 0; !ch->shape && i < c->n_fields; i++) c->fields[i].cf = &v->cf->fields[i];
    for (Removed *r = c->reshaped ? c->reshaped->removed : NULL; r; r = r->next) r->method.version = v;
    c->flags |= CF_INSTALLING | CF_REDEFINED;
    ch->fresh = NULL;
    versions_add_old(base);
}

/* --- all classes --- */

static u8 changed[4]; /* hashed set of the classes that change, see class_note_use */
static bool interface_changes;
static bool reshaping; /* tables are made anew: reshape_finish */

static void note_changed(const Class *c) {
    class_add_to_set(changed, c);
    interface_changes |= class_is_interface(c);
}

static void turn(Method **cell) {
    if (*cell) *cell = method_current(*cell);
}

static void turn_version(ClassVersion *v) {
    for (u4 i = 0; i < v->method_cells.len; i++) {
        u2 idx = v->method_cells.data[i];
        turn(&v->pool[idx].method->method);
        if (v->qcells) quick_turn_call_cell(v, idx);
    }
    if (v->qcells) quick_turn_extra_cells(v);
    for (u4 i = 0; i < v->n_call_sites; i++) {
        Method *m = v->call_sites[i] ? atomic_load(&v->call_sites[i]->adapter) : NULL;
        if (m && m->next_version) atomic_store(&v->call_sites[i]->adapter, m->next_version);
    }
}

static void turn_tables(Class *c) {
    if (class_is_array(c) || class_is_interface(c)) return; /* Object's */
    for (u4 i = 0; c->vtable && i < c->vtable_len; i++) {
        turn(&c->vtable[i]);
        if (c->vtable[i]->flags & MF_OVERPASS) c->vtable[i]->version = c->vtable[i]->holder->version;
    }
    for (u4 i = 0; i < c->itable_len; i++)
        for (u4 k = 0, n = interface_method_count(c->itable[i].iface); k < n; k++) turn(&c->itable[i].methods[k]);
}

void class_count_redefinition(Class *c) {
    if (c->mirror) JSET_INT(c->mirror, Class, classRedefinedCount, JGET_INT(c->mirror, Class, classRedefinedCount) + 1);
}

/* Subclasses too: they inherit what java.lang.Class caches. */
static bool count_redefinition(Class *c) {
    for (Class *k = c; k; k = k->super) {
        if (!(k->flags & CF_INSTALLING)) continue;
        class_count_redefinition(c);
        return true;
    }
    return false;
}

static bool inherits_change(const Class *c) {
    for (u4 i = 0; interface_changes && i < c->n_all_interfaces; i++)
        if (c->all_interfaces[i]->flags & CF_INSTALLING) return true;
    return false;
}

static void turn_class(Class *c, void *arg) {
    bool relative = !class_is_array(c) && !class_is_primitive(c) && count_redefinition(c);

    if (!reshaping && (relative || inherits_change(c))) turn_tables(c);
    if (!class_may_use(c, changed)) return;
    for (ClassVersion *v = c->version; v; v = v->previous) turn_version(v);
}

Refusal changes_install(Change *changes, u4 n, const Reach *r) {
    Refusal why;

    reshaping = false;
    for (u4 i = 0; i < n; i++) reshaping |= changes[i].shape != NULL;
    if ((why = reshape_may_install(changes, n, false))) return why;
    memset(changed, 0, sizeof changed);
    interface_changes = false;
    for (u4 i = 0; i < n; i++) note_changed(changes[i].klass);
    reach_retire_code(r, reshaping ? NULL : changed);
    if (reshaping) reshape_begin(changes, n);
    for (u4 i = 0; i < n; i++) install_one(&changes[i]);
    reach_visit_classes(r, turn_class, NULL);
    if (reshaping) reshape_finish(changes, n);
    for (u4 i = 0; i < n; i++) reshape_store_tables(&changes[i]);
    annotations_move(changes, n);
    for (u4 i = 0; i < n; i++) changes[i].klass->flags &= ~(u4)CF_INSTALLING;
    reach_forget_chosen(r);
    versions_purge();
    for (u4 i = 0; i < n; i++) reshape_forget_old(changes[i].klass);
    return REFUSED_NOT;
}
