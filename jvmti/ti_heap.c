/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chapter Heap: FollowReferences, IterateThroughHeap; the walker of both heap chapters.
 *
 * A walk is one operation with the world stopped, on the calling thread, in state JAVA.  Callbacks
 * run inside it; the functions they may call (raw monitors, memory, storage) need no
 * transition.  Nothing is allocated per object: visited objects are bits of a side table, open
 * ones a stack of references (heap/heap_visit.h), tags live in the environment's table, and
 * what a walk must know of a class is worked out once.
 *
 * Three steps per object: it is let in (ti_heap_enter), once, by a root, a reference or as the
 * initial object; later taken from the stack; then expanded: each of its references is reported
 * and lets in what it names if the agent says so (ti_heap_graph.c), and its primitive values are
 * (ti_heap_values.c).  Filters limit what is reported, never what is entered.  The order (newest
 * first from the stack, fields from the last to the first) is the reference's, for the sake of agents
 * that print what they are told.
 *
 * Tags: a callback gets the address of a copy and what it leaves there is the new tag.  The tag of
 * the object being expanded is copied once, because every report shows it; a reference to
 * itself shows the same copy twice.
 *
 * A class object is reported as what it stands for: superclass, interfaces, loader, protection
 * domain, signers, constants, statics.  The instance fields that java.lang.Class happens
 * to have are an affair of the implementation, as they are in the reference.
 */
#include "ti_heap.h"
#include "invoke/invoke.h"
#include "object/class.h"
#include <stdlib.h>
#include <string.h>

/* --- the walker --- */

/* One walk: `run` with the world stopped. */
static jvmtiError walk(HeapWalk *w, Ti *x, const void *user, const char *what, void (*run)(void *)) {
    w->x = x;
    w->user = (void *)user;
    w->tags = ti_tag_table(x->env);
    w->classes_size = 1024;
    w->classes = calloc(w->classes_size, sizeof *w->classes);
    if (w->tags && w->classes) safepoint_run(what, run, w);
    else w->error = JVMTI_ERROR_OUT_OF_MEMORY;
    for (u4 i = 0; w->classes && i < w->classes_size; i++) free(w->classes[i].fields);
    free(w->classes);
    free(w->text);
    return w->error;
}

static HeapClass *class_cell(HeapClass *table, u4 size, const Class *c) {
    u4 i = (u4)((uintptr_t)c >> 6) * 0x9e3779b1u & (size - 1);
    while (table[i].c && table[i].c != c) i = (i + 1) & (size - 1);
    return &table[i];
}
/* Cells move when the table grows; w->referrer_class is put right. Without memory the old one does for a while, with longer
 * searches; the walk ends before it is full. */
static void grow_classes(HeapWalk *w) {
    u4 size = w->classes_size * 2;
    HeapClass *more = calloc(size, sizeof *more);
    const Class *current = w->referrer_class ? w->referrer_class->c : NULL;
    if (!more) {
        if (w->n_classes + 2 >= w->classes_size) w->error = JVMTI_ERROR_OUT_OF_MEMORY;
        return;
    }
    for (u4 i = 0; i < w->classes_size; i++)
        if (w->classes[i].c) *class_cell(more, size, w->classes[i].c) = w->classes[i];
    free(w->classes);
    w->classes = more;
    w->classes_size = size;
    if (current) w->referrer_class = class_cell(more, size, current);
}
HeapClass *ti_heap_class(HeapWalk *w, Class *c) {
    HeapClass *k = class_cell(w->classes, w->classes_size, c);
    if (LIKELY(k->c != NULL)) return k;
    if (w->n_classes * 2 >= w->classes_size) {
        grow_classes(w);
        if (w->error) return w->no_class = (HeapClass){.c = c}, &w->no_class;
        k = class_cell(w->classes, w->classes_size, c);
    }
    w->n_classes++;
    k->c = c;
    if (!ti_heap_find_fields(k)) w->error = JVMTI_ERROR_OUT_OF_MEMORY; /* it has none then, and the walk ends */
    return k;
}

/* --- following --- */

static bool visit_root(const HeapRoot *r, void *arg) {
    HeapWalk *w = arg;
    w->root_ended = !w->root(w, r) || w->error;
    return !w->root_ended;
}
static void follow_stopped(void *arg) {
    HeapWalk *w = arg;
    Object *o;
    bool ready = heap_visit_begin(&w->visit), on = ready;
    if (on && w->initial) ti_heap_enter(w, w->initial);
    else if (on) on = heap_visit_roots(visit_root, w);
    if (!on && !w->root_ended) w->error = JVMTI_ERROR_OUT_OF_MEMORY;
    while (on && w->reference && !w->error && (o = heap_visit_pop(&w->visit))) {
        w->referrer = o;
        w->referrer_class = ti_heap_class(w, obj_class(o));
        w->referrer_tag = ti_tag_get(w->tags, o);
        on = ti_heap_expand(w);
    }
    if (ready) heap_visit_end(&w->visit);
}
jvmtiError ti_heap_follow(HeapWalk *w, Ti *x, const void *user) { return walk(w, x, user, "JVM TI heap walk", follow_stopped); }

/* --- FollowReferences --- */

static inline jint length_of(const Object *o, const Class *c) { return c->flags & CF_ARRAY ? array_len(o) : -1; }

/* One report; `from` is the expanded object or NULL. */
static bool report(HeapWalk *w, Object *from, Object *to, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info) {
    Class *c = obj_class(to);
    if (!w->cb.heap_reference_callback || (w->only && c != w->only)) return ti_heap_enter(w, to), true;
    HeapClass *k = ti_heap_class(w, c);
    jlong class_tag = ti_heap_class_tag(w, k);
    jlong old = to == from ? w->referrer_tag : ti_tag_get(w->tags, to), tag = old, from_old = w->referrer_tag;
    if (ti_heap_filtered(w, old, class_tag)) return ti_heap_enter(w, to), true;
    jlong from_class_tag = from ? ti_heap_class_tag(w, w->referrer_class) : 0;
    jint r = w->cb.heap_reference_callback(kind, info, class_tag, from_class_tag, (jlong)heap_object_size(to),
                                           to == from ? &w->referrer_tag : &tag, from ? &w->referrer_tag : NULL, length_of(to, c),
                                           w->user);
    if (to != from) ti_heap_tag_back(w, to, old, tag);
    if (from) ti_heap_tag_back(w, from, from_old, w->referrer_tag);
    if (r & JVMTI_VISIT_ABORT) return false;
    if (r & JVMTI_VISIT_OBJECTS) ti_heap_enter(w, to);
    return true;
}
static bool follow_reference(HeapWalk *w, Object *to, jvmtiHeapReferenceKind kind, jint index) {
    jvmtiHeapReferenceInfo info;
    info.field.index = index; /* first in the structures of all kinds that have one */
    return report(w, w->referrer, to, kind, index >= 0 ? &info : NULL);
}
_Static_assert(offsetof(jvmtiHeapReferenceInfoArray, index) == 0 && offsetof(jvmtiHeapReferenceInfoField, index) == 0 &&
                   offsetof(jvmtiHeapReferenceInfoConstantPool, index) == 0,
               "one store sets the index of any kind");

static const jvmtiHeapReferenceKind root_kinds[] = {
    [HEAP_ROOT_JNI_GLOBAL] = JVMTI_HEAP_REFERENCE_JNI_GLOBAL, [HEAP_ROOT_SYSTEM_CLASS] = JVMTI_HEAP_REFERENCE_SYSTEM_CLASS,
    [HEAP_ROOT_MONITOR] = JVMTI_HEAP_REFERENCE_MONITOR,       [HEAP_ROOT_STACK_LOCAL] = JVMTI_HEAP_REFERENCE_STACK_LOCAL,
    [HEAP_ROOT_JNI_LOCAL] = JVMTI_HEAP_REFERENCE_JNI_LOCAL,   [HEAP_ROOT_THREAD] = JVMTI_HEAP_REFERENCE_THREAD,
    [HEAP_ROOT_OTHER] = JVMTI_HEAP_REFERENCE_OTHER,
};
static bool follow_root(HeapWalk *w, const HeapRoot *r) {
    jvmtiHeapReferenceInfo info;
    memset(&info, 0, sizeof info);
    Object *thread = r->thread ? r->thread->java_thread : NULL;
    jlong thread_tag = thread ? ti_tag_get(w->tags, thread) : 0, id = thread ? JGET_LONG(thread, Thread, tid) : 0;
    jmethodID method = r->method ? (jmethodID)method_id(r->method) : NULL;
    if (r->kind == HEAP_ROOT_STACK_LOCAL)
        info.stack_local = (jvmtiHeapReferenceInfoStackLocal){thread_tag, id, (jint)r->depth, method, r->location, (jint)r->slot};
    else if (r->kind == HEAP_ROOT_JNI_LOCAL)
        info.jni_local = (jvmtiHeapReferenceInfoJniLocal){thread_tag, id, (jint)r->depth, method};
    bool told = r->kind == HEAP_ROOT_STACK_LOCAL || r->kind == HEAP_ROOT_JNI_LOCAL;
    return report(w, NULL, r->object, root_kinds[r->kind], told ? &info : NULL);
}

/* INVALID_CLASS, or what to do: primitive types have no objects. */
static jvmtiError class_filter(HeapWalk *w, jclass klass, bool *nothing) {
    *nothing = false;
    if (!klass) return JVMTI_ERROR_NONE;
    if (!ti_is(klass, JC(Class))) return JVMTI_ERROR_INVALID_CLASS;
    w->only = ti_class(klass);
    *nothing = class_is_primitive(w->only);
    return JVMTI_ERROR_NONE;
}

jvmtiError ti_FollowReferences(Ti *x, jint heap_filter, jclass klass, jobject initial_object, const jvmtiHeapCallbacks *callbacks,
                               const void *user_data) {
    HeapWalk w = {
        .cb = *callbacks, .filter = heap_filter, .filter_values = true, .root = follow_root, .reference = follow_reference};
    bool nothing;
    jvmtiError e = class_filter(&w, klass, &nothing);
    if (e || nothing) return e;
    if (initial_object && !(w.initial = handle_get(initial_object))) return JVMTI_ERROR_INVALID_OBJECT;
    return ti_heap_follow(&w, x, user_data);
}

/* --- IterateThroughHeap --- */

static inline bool has_value_callbacks(const HeapWalk *w) {
    return w->cb.primitive_field_callback || w->cb.array_primitive_value_callback || w->cb.string_primitive_value_callback;
}

static bool each_object(Object *o, void *arg) {
    HeapWalk *w = arg;
    Class *c = obj_class(o);
    if (w->only && c != w->only) return true;
    HeapClass *k = ti_heap_class(w, c);
    jlong class_tag = ti_heap_class_tag(w, k), old = ti_tag_get(w->tags, o), tag = old;
    if (ti_heap_filtered(w, old, class_tag)) return true;
    if (w->cb.heap_iteration_callback) {
        jint r = w->cb.heap_iteration_callback(class_tag, (jlong)heap_object_size(o), &tag, length_of(o, c), w->user);
        ti_heap_tag_back(w, o, old, tag);
        if (r & JVMTI_VISIT_ABORT) return false;
    }
    if (has_value_callbacks(w)) {
        w->referrer = o;
        w->referrer_tag = tag;
        w->referrer_class = k;
        if (!ti_heap_values(w)) return false;
    }
    return !w->error;
}
static void iterate_stopped(void *arg) {
    HeapWalk *w = arg;
    heap_walk(w->each, w);
}
jvmtiError ti_heap_iterate(HeapWalk *w, Ti *x, const void *user, const char *what, bool (*each)(Object *, void *)) {
    w->each = each;
    return walk(w, x, user, what, iterate_stopped);
}

jvmtiError ti_IterateThroughHeap(Ti *x, jint heap_filter, jclass klass, const jvmtiHeapCallbacks *callbacks,
                                 const void *user_data) {
    HeapWalk w = {.cb = *callbacks, .filter = heap_filter};
    bool nothing;
    jvmtiError e = class_filter(&w, klass, &nothing);
    if (e || nothing) return e;
    return ti_heap_iterate(&w, x, user_data, "JVM TI IterateThroughHeap", each_object);
}
