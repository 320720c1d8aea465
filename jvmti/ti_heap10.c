/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chapter Heap (1.0): the four functions of the first version, on the walker of ti_heap.c.
 *
 * They differ in how callbacks look and answer: CONTINUE, IGNORE (do not go through this object),
 * ABORT.  A missing callback counts as CONTINUE; without one for references only roots are
 * reported.  A reference to the superclass has the kind of one to the class.
 */
#include "ti_heap.h"
#include "invoke/invoke.h"
#include "object/class.h"

/* The part all callbacks share.  False: the walk ends. */
typedef struct Report {
    Object *o;
    HeapClass *k;
    jlong old, tag;
} Report;
static Report begin(HeapWalk *w, Object *o) {
    Report r = {.o = o, .k = ti_heap_class(w, obj_class(o)), .old = ti_tag_get(w->tags, o)};
    r.tag = r.old;
    return r;
}
static bool end(HeapWalk *w, const Report *r, jvmtiIterationControl answer) {
    ti_heap_tag_back(w, r->o, r->old, r->tag);
    if (r->o == w->referrer) w->referrer_tag = r->tag;
    if (answer == JVMTI_ITERATION_ABORT) return false;
    if (answer == JVMTI_ITERATION_CONTINUE) ti_heap_enter(w, r->o);
    return true;
}

static const jvmtiHeapRootKind root_kinds[] = {
    [HEAP_ROOT_JNI_GLOBAL] = JVMTI_HEAP_ROOT_JNI_GLOBAL, [HEAP_ROOT_SYSTEM_CLASS] = JVMTI_HEAP_ROOT_SYSTEM_CLASS,
    [HEAP_ROOT_MONITOR] = JVMTI_HEAP_ROOT_MONITOR,       [HEAP_ROOT_STACK_LOCAL] = JVMTI_HEAP_ROOT_STACK_LOCAL,
    [HEAP_ROOT_JNI_LOCAL] = JVMTI_HEAP_ROOT_JNI_LOCAL,   [HEAP_ROOT_THREAD] = JVMTI_HEAP_ROOT_THREAD,
    [HEAP_ROOT_OTHER] = JVMTI_HEAP_ROOT_OTHER,
};
static bool root_1_0(HeapWalk *w, const HeapRoot *h) {
    Report r = begin(w, h->object);
    jvmtiIterationControl answer = JVMTI_ITERATION_CONTINUE;
    jlong class_tag = ti_heap_class_tag(w, r.k), size = (jlong)heap_object_size(h->object);
    if (h->kind == HEAP_ROOT_STACK_LOCAL || h->kind == HEAP_ROOT_JNI_LOCAL) {
        jlong thread_tag = h->thread->java_thread ? ti_tag_get(w->tags, h->thread->java_thread) : 0;
        jmethodID method = h->method ? (jmethodID)method_id(h->method) : NULL;
        jint slot = h->kind == HEAP_ROOT_STACK_LOCAL ? (jint)h->slot : -1;
        if (w->stack_cb)
            answer = w->stack_cb(root_kinds[h->kind], class_tag, size, &r.tag, thread_tag, (jint)h->depth, method, slot, w->user);
    } else if (w->root_cb) {
        answer = w->root_cb(root_kinds[h->kind], class_tag, size, &r.tag, w->user);
    }
    return end(w, &r, answer) && !w->error;
}
static bool reference_1_0(HeapWalk *w, Object *to, jvmtiHeapReferenceKind kind, jint index) {
    if (kind == JVMTI_HEAP_REFERENCE_SUPERCLASS) kind = JVMTI_HEAP_REFERENCE_CLASS;
    Report r = begin(w, to);
    if (to == w->referrer) r.old = r.tag = w->referrer_tag;
    return end(w, &r,
               w->reference_cb((jvmtiObjectReferenceKind)kind, ti_heap_class_tag(w, r.k), (jlong)heap_object_size(to), &r.tag,
                               w->referrer_tag, index, w->user));
}
#define SAME_KIND(name) _Static_assert((int)JVMTI_HEAP_REFERENCE_##name == (int)JVMTI_REFERENCE_##name, #name)
SAME_KIND(CLASS);
SAME_KIND(FIELD);
SAME_KIND(ARRAY_ELEMENT);
SAME_KIND(CLASS_LOADER);
SAME_KIND(SIGNERS);
SAME_KIND(PROTECTION_DOMAIN);
SAME_KIND(INTERFACE);
SAME_KIND(STATIC_FIELD);
SAME_KIND(CONSTANT_POOL);

jvmtiError ti_IterateOverReachableObjects(Ti *x, jvmtiHeapRootCallback heap_root_callback,
                                          jvmtiStackReferenceCallback stack_ref_callback,
                                          jvmtiObjectReferenceCallback object_ref_callback, const void *user_data) {
    HeapWalk w = {.root_cb = heap_root_callback,
                  .stack_cb = stack_ref_callback,
                  .reference_cb = object_ref_callback,
                  .root = root_1_0,
                  .reference = object_ref_callback ? reference_1_0 : NULL};
    return ti_heap_follow(&w, x, user_data);
}
jvmtiError ti_IterateOverObjectsReachableFromObject(Ti *x, jobject object, jvmtiObjectReferenceCallback object_reference_callback,
                                                    const void *user_data) {
    HeapWalk w = {.reference_cb = object_reference_callback, .reference = reference_1_0, .initial = handle_get(object)};
    return ti_heap_follow(&w, x, user_data);
}

/* --- without references --- */

static bool each_object(Object *o, void *arg) {
    HeapWalk *w = arg;
    if (w->only && !obj_instanceof(o, w->only)) return true;
    Report r = begin(w, o);
    if (w->object_filter == (r.old ? JVMTI_HEAP_OBJECT_UNTAGGED : JVMTI_HEAP_OBJECT_TAGGED)) return true;
    jvmtiIterationControl answer = w->object_cb(ti_heap_class_tag(w, r.k), (jlong)heap_object_size(o), &r.tag, w->user);
    ti_heap_tag_back(w, o, r.old, r.tag);
    return answer != JVMTI_ITERATION_ABORT && !w->error;
}
static jvmtiError iterate(Ti *x, Class *only, jvmtiHeapObjectFilter filter, jvmtiHeapObjectCallback cb, const void *user) {
    HeapWalk w = {.only = only, .object_filter = filter, .object_cb = cb};
    if (filter < JVMTI_HEAP_OBJECT_TAGGED || filter > JVMTI_HEAP_OBJECT_EITHER) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (only && class_is_primitive(only)) return JVMTI_ERROR_NONE;
    return ti_heap_iterate(&w, x, user, "JVM TI heap iteration", each_object);
}
jvmtiError ti_IterateOverHeap(Ti *x, jvmtiHeapObjectFilter object_filter, jvmtiHeapObjectCallback heap_object_callback,
                              const void *user_data) {
    return iterate(x, NULL, object_filter, heap_object_callback, user_data);
}
jvmtiError ti_IterateOverInstancesOfClass(Ti *x, jclass klass, jvmtiHeapObjectFilter object_filter,
                                          jvmtiHeapObjectCallback heap_object_callback, const void *user_data) {
    return iterate(x, ti_class(klass), object_filter, heap_object_callback, user_data);
}
