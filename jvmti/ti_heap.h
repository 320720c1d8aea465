/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heap walks inside jvmti/: one walker for the functions of both heap chapters.  Theory: ti_heap.c.
 */
#ifndef GRAFT_JVMTI_TI_HEAP_H
#define GRAFT_JVMTI_TI_HEAP_H

#include "frame/heap_roots.h"
#include "heap/heap_visit.h"
#include "object/class.h"
#include "ti_tag.h"

typedef struct HeapField {
    u4 offset;
    jint index;
    u1 type;
} HeapField; /* type: BasicType */

/* What a walk wants to know of a class, worked out at its first object. */
typedef struct HeapClass {
    Class *c;
    jlong tag; /* of the mirror, while epoch is the table's class_epoch */
    u4 epoch;
    u4 n_fields, n_refs;      /* instance fields, inherited ones too, in descending order of their numbers */
    HeapField *fields, *refs; /* refs: the references among them */
} HeapClass;

typedef struct HeapWalk HeapWalk;
struct HeapWalk {
    Ti *x;
    TagTable *tags;
    void *user;
    jvmtiError error; /* why the walk ended early, if not by the agent */

    /* What is reported: Heap ... */
    jvmtiHeapCallbacks cb;
    jint filter;
    Class *only;        /* exact class of reported objects, or NULL */
    bool filter_values; /* value by value: the object may have passed for another reason */
    /* ... and Heap (1.0) */
    jvmtiHeapRootCallback root_cb;
    jvmtiStackReferenceCallback stack_cb;
    jvmtiObjectReferenceCallback reference_cb;
    jvmtiHeapObjectCallback object_cb;
    jvmtiHeapObjectFilter object_filter;

    /* Following: all return false to end the walk. */
    bool (*root)(HeapWalk *w, const HeapRoot *r);
    bool (*reference)(HeapWalk *w, Object *to, jvmtiHeapReferenceKind kind, jint index); /* NULL: roots only */
    Object *initial;
    bool (*each)(Object *, void *); /* iterating */
    HeapVisit visit;
    Object *referrer; /* the object being expanded, its tag as it is now, its class */
    jlong referrer_tag;
    HeapClass *referrer_class;

    HeapClass *classes; /* hash table by class */
    u4 n_classes, classes_size;
    HeapClass no_class; /* what is said of one for which there was no memory */
    bool root_ended;    /* the walk over roots ended because of what was reported */
    jchar *text;        /* of the string being reported */
    size_t text_size;
};

/* A whole walk with the world stopped: root by root, then object by object; or all objects in the order of their addresses. */
jvmtiError ti_heap_follow(HeapWalk *w, Ti *x, const void *user);
jvmtiError ti_heap_iterate(HeapWalk *w, Ti *x, const void *user, const char *what, bool (*each)(Object *, void *));
HeapClass *ti_heap_class(HeapWalk *w, Class *c);
/* An object is expanded once, however often it is let in. */
static inline void ti_heap_enter(HeapWalk *w, Object *o) { heap_visit_push(&w->visit, o); }

static inline jlong ti_heap_class_tag(HeapWalk *w, HeapClass *k) {
    if (k->epoch != w->tags->class_epoch) {
        k->tag = ti_tag_get(w->tags, k->c->mirror);
        k->epoch = w->tags->class_epoch;
    }
    return k->tag;
}
/* After a callback that was given &tag of o. */
static inline void ti_heap_tag_back(HeapWalk *w, Object *o, jlong before, jlong after) {
    if (UNLIKELY(before != after) && !ti_tag_put(w->tags, o, after)) w->error = JVMTI_ERROR_OUT_OF_MEMORY;
}

/* By heap_filter, with the tag as it is now. */
static inline bool ti_heap_filtered(const HeapWalk *w, jlong tag, jlong class_tag) {
    jint is = (tag ? JVMTI_HEAP_FILTER_TAGGED : JVMTI_HEAP_FILTER_UNTAGGED) |
              (class_tag ? JVMTI_HEAP_FILTER_CLASS_TAGGED : JVMTI_HEAP_FILTER_CLASS_UNTAGGED);
    return w->filter & is;
}

/* --- ti_heap_graph.c --- */
/* The references of w->referrer, each through w->reference, and its values. */
bool ti_heap_expand(HeapWalk *w);
bool ti_heap_find_fields(HeapClass *k); /* false: no memory */
/* Number of the first field that c itself declares, by the rule of jvmtiHeapReferenceInfoField. */
jint ti_heap_first_index(const Class *c);
static inline Class *ti_heap_mirrored(const Object *o) { /* class objects whose class says something */
    Class *k = mirror_class(o);
    return k && !(k->flags & (CF_ARRAY | CF_PRIMITIVE)) && atomic_load(&k->state) >= CLASS_LINKED ? k : NULL;
}

/* --- ti_heap_values.c --- */
/* Values of w->referrer, if there is a callback for them. */
bool ti_heap_array_values(HeapWalk *w);
bool ti_heap_string_value(HeapWalk *w);
bool ti_heap_field_value(HeapWalk *w, jvmtiHeapReferenceKind kind, jint index, u4 offset, u1 type);
/* All of them, without any reference. */
bool ti_heap_values(HeapWalk *w);

#endif
