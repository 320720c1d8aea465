/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chapter Watched Field, and its two events.
 *
 * A field carries two flags, whoever watches it; the list says who.  Setting the first watch turns the
 * instructions that use the field into a slow form (quick_watch_changed), clearing the last one
 * turns them back: what is not watched costs nothing.  JNI functions look at the flags; nothing else
 * that touches fields (Unsafe, reflection, the VM) reports, as in the reference.
 * List and flags change with the world stopped.
 */
#include "ti_notice.h"
#include "ti_post.h"
#include "quick/quick.h"
#include "load/loader.h"
#include "native/native.h"
#include "invoke/invoke.h"
#include "object/class.h"
#include "object/field.h"
#include "object/version.h"
#include "redefine/redefine.h"
#include "heap/heap_upcall.h"
#include <stdlib.h>

typedef struct Watch {
    TiEnv *env;
    Field *field;
    u1 flag; /* FIELD_ACCESS_WATCH or FIELD_MODIFY_WATCH */
    struct Watch *next;
} Watch;
static Watch *watches;

/* Of a field that outlived a change of its class's shape there are several records. */
static bool same_field(const Field *a, const Field *b) { return a == b || (a->holder == b->holder && a->slot == b->slot); }
static Field *current(Field *f) {
    Field *now = f->holder->reshaped ? reshaped_field(f->holder, f->slot) : NULL;
    return now ? now : f;
}

static Watch **find_watch(const TiEnv *e, const Field *f, u1 flag) {
    for (Watch **p = &watches; *p; p = &(*p)->next)
        if (same_field((*p)->field, f) && (*p)->flag == flag && (!e || (*p)->env == e)) return p;
    return NULL;
}
static void update_class(Class *c, void *field) {
    for (ClassVersion *v = c->version; v; v = v->previous) quick_watch_changed(v, field);
}
/* World stopped. */
static void update_field(Field *f, u1 flag) {
    bool was = f->flags & flag, is = find_watch(NULL, f, flag) != NULL;
    if (was == is) return;
    f->flags ^= flag;
    loader_visit_all_classes(update_class, f);
}

typedef struct Change {
    Watch w;
    jvmtiError result;
} Change;
static void set_watch(void *arg) {
    Change *c = arg;
    bool twice = find_watch(c->w.env, c->w.field, c->w.flag) != NULL;
    Watch *w = twice ? NULL : malloc(sizeof *w);
    if (!w) c->result = twice ? JVMTI_ERROR_DUPLICATE : JVMTI_ERROR_OUT_OF_MEMORY;
    if (!w) return;
    *w = c->w;
    w->next = watches;
    watches = w;
    update_field(w->field, w->flag);
}
static void drop(Watch **p) {
    Watch *w = *p;
    *p = w->next;
    update_field(current(w->field), w->flag);
    free(w);
}
static void clear_watch(void *arg) {
    Change *c = arg;
    Watch **p = find_watch(c->w.env, c->w.field, c->w.flag);
    if (p) drop(p);
    else c->result = JVMTI_ERROR_NOT_FOUND;
}
static jvmtiError change(Ti *x, jfieldID field, u1 flag, void (*op)(void *)) {
    Change c = {.w = {x->env, current(ti_field(field)), flag, NULL}};
    safepoint_run("JVM TI field watch", op, &c);
    return c.result;
}
jvmtiError ti_SetFieldAccessWatch(Ti *x, jclass klass, jfieldID field) { return change(x, field, FIELD_ACCESS_WATCH, set_watch); }
jvmtiError ti_ClearFieldAccessWatch(Ti *x, jclass klass, jfieldID field) {
    return change(x, field, FIELD_ACCESS_WATCH, clear_watch);
}
jvmtiError ti_SetFieldModificationWatch(Ti *x, jclass klass, jfieldID field) {
    return change(x, field, FIELD_MODIFY_WATCH, set_watch);
}
jvmtiError ti_ClearFieldModificationWatch(Ti *x, jclass klass, jfieldID field) {
    return change(x, field, FIELD_MODIFY_WATCH, clear_watch);
}
void ti_watches_dispose(TiEnv *e) {
    for (Watch **p = &watches; *p;)
        if ((*p)->env == e) drop(p);
        else p = &(*p)->next;
}
static void on_class_unload(Class *c) { /* in the pause; the flags go with it */
    ti_notice_class_unload(c);
    TI_DROP_IF(Watch, watches, w, w->field->holder == c)
}

/* --- events --- */

static bool watches_it(TiEnv *e, Field *f, u1 flag) { return find_watch(e, f, flag) != NULL; }

static void on_access(Thread *t, Method *m, u4 bci, Field *f, Object *o) {
    if (!m) return;
    POST(
        t, FIELD_ACCESS, FieldAccess, if (watches_it(e, f, FIELD_ACCESS_WATCH)) {
            jclass k = handle_local(t, f->holder->mirror);
            jobject h = handle_local(t, o);
            jmethodID id = (jmethodID)method_id(m);
            CALL(FieldAccess, ti, jni, jt, id, bci, k, h, (jfieldID)f)
        })
}
static void on_modification(Thread *t, Method *m, u4 bci, Field *f, Object *o, Slot value) {
    if (!m) return;
    POST(
        t, FIELD_MODIFICATION, FieldModification, if (watches_it(e, f, FIELD_MODIFY_WATCH)) {
            jclass k = handle_local(t, f->holder->mirror);
            jobject h = handle_local(t, o);
            jvalue v = native_jvalue(t, f->type, value);
            jmethodID id = (jmethodID)method_id(m);
            char type = f->desc->bytes[0];
            CALL(FieldModification, ti, jni, jt, id, bci, k, h, (jfieldID)f, type, v)
        })
}

void ti_watches_init(void) {
    vm_hooks.field_access = on_access;
    vm_hooks.field_modification = on_modification;
    vm_hooks.class_unload = on_class_unload;
}
