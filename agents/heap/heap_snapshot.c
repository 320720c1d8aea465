/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_snapshot.c - FollowReferences into a HeapGraph.
 *
 * An object's tag is its node number with the number of the snapshot in the upper half. A tag of an older
 * snapshot says that the object was there before; it is replaced when the object is met again. Class objects get
 * their numbers before the walk, so that a class tag names the class; so do threads, since JDK 25 tells of what their frames hold before
 * it tells of them.
 *
 * A VM reports the references of one object in one go (both that we run on do), so edges arrive sorted
 * by where they start. If one ever comes late it is counted and left out.
 *
 * In the callback only this file's own memory is used: no JVM TI, no Java.
 */
#include "heap_snapshot.h"
#include "heap_names.h"
#include "method_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Build {
    HeapGraph *g;
    jlong generation;
    uint32_t cap_nodes, cap_roots;
    uint64_t cap_edges;
    uint32_t *weak_index;   /* by class: 1 + number of Reference.referent, if it is weak; else 0 */
    uint64_t *first, *last; /* edges of a node while they come in: first + 1, one past the last */
    uint32_t current;
    bool no_memory;
} Build;

static uint32_t generation;

/* ---- growing ---------------------------------------------------------------------------- */

/* From `old` items to `n`; the new ones are 0. */
static bool grow(void *array, uint64_t old, uint64_t n, size_t item) {
    char *p = realloc(*(void **)array, n * item);
    if (!p) return false;
    memset(p + old * item, 0, (n - old) * item);
    *(void **)array = p;
    return true;
}

static bool room_for_node(Build *b) {
    HeapGraph *g = b->g;
    if (g->n_nodes + 2 < b->cap_nodes) return true;
    uint32_t old = b->cap_nodes, cap = old ? old * 2 : 1 << 16;
    while (cap < g->n_nodes + 3) cap *= 2;
    if (!grow(&g->class_of, old, cap, sizeof *g->class_of) || !grow(&g->size, old, cap, sizeof *g->size) ||
        !grow(&g->is_new, old, cap, sizeof *g->is_new) || !grow(&b->first, old, cap, sizeof *b->first) ||
        !grow(&b->last, old, cap, sizeof *b->last))
        return false;
    b->cap_nodes = cap;
    return true;
}

static bool room_for_edge(Build *b) {
    HeapGraph *g = b->g;
    if (g->n_edges < b->cap_edges) return true;
    uint64_t cap = b->cap_edges ? b->cap_edges * 2 : 1 << 18;
    if (!grow(&g->to, b->cap_edges, cap, sizeof *g->to) || !grow(&g->label, b->cap_edges, cap, sizeof *g->label)) return false;
    b->cap_edges = cap;
    return true;
}

/* ---- the walk --------------------------------------------------------------------------- */

static uint32_t number_in(const Build *b, jlong tag) { return tag >> 32 == b->generation ? (uint32_t)tag : 0; }

/* 0 for classes that were loaded after the numbering: their class objects are nodes as any other. */
static uint32_t class_in(const Build *b, jlong class_tag) {
    uint32_t k = number_in(b, class_tag);
    return k <= b->g->n_classes ? k : 0;
}

/* The node of an object; 0 without memory. */
static uint32_t node_of(Build *b, jlong *tag, jlong class_tag, jlong size) {
    HeapGraph *g = b->g;
    uint32_t v = number_in(b, *tag);
    if (!v) {
        if (!room_for_node(b)) return 0;
        v = ++g->n_nodes;
        g->is_new[v] = *tag == 0;
        *tag = b->generation << 32 | v;
    }
    if (!g->size[v]) {
        g->class_of[v] = class_in(b, class_tag);
        g->size[v] = (uint32_t)((size + 7) / 8);
    }
    return v;
}

static uint32_t root_label(Build *b, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info) {
    HeapGraph *g = b->g;
    HeapRootInfo r = {.kind = (uint32_t)kind, .location = -1};
    if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL) {
        const jvmtiHeapReferenceInfoStackLocal *s = &info->stack_local;
        r.thread = number_in(b, s->thread_tag);
        r.depth = (uint32_t)s->depth;
        r.slot = (uint32_t)s->slot;
        r.method = s->method;
        r.location = s->location;
    } else if (kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL) {
        r.thread = number_in(b, info->jni_local.thread_tag);
        r.depth = (uint32_t)info->jni_local.depth;
        r.method = info->jni_local.method;
    }
    if (g->n_roots == b->cap_roots) {
        uint32_t cap = b->cap_roots ? b->cap_roots * 2 : 4096;
        b->no_memory |= !grow(&g->roots, b->cap_roots, cap, sizeof *g->roots);
        if (b->no_memory) return heap_label((uint32_t)kind, -1);
        b->cap_roots = cap;
    }
    g->roots[g->n_roots] = r;
    return heap_label((uint32_t)kind, g->n_roots++);
}

static void add_edge(Build *b, uint32_t from, uint32_t to, uint32_t label) {
    HeapGraph *g = b->g;
    b->no_memory |= !room_for_edge(b);
    if (b->no_memory) return;
    if (!b->first[from]) {
        b->first[from] = g->n_edges + 1;
        b->current = from;
    } else if (b->current != from) {
        g->lost_edges++;
        return;
    }
    g->to[g->n_edges] = to;
    g->label[g->n_edges++] = label;
    b->last[from] = g->n_edges;
}

static int64_t index_of(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info) {
    switch (kind) {
    case JVMTI_HEAP_REFERENCE_FIELD:
    case JVMTI_HEAP_REFERENCE_STATIC_FIELD: return info->field.index;
    case JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT: return info->array.index;
    case JVMTI_HEAP_REFERENCE_CONSTANT_POOL: return info->constant_pool.index;
    default: return -1;
    }
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *user) {
    Build *b = user;
    uint32_t to = node_of(b, tag, class_tag, size);
    uint32_t from = referrer_tag ? number_in(b, *referrer_tag) : 0;
    b->no_memory |= !to;
    if (b->no_memory) return JVMTI_VISIT_ABORT;
    if (!referrer_tag) return add_edge(b, 0, to, root_label(b, kind, info)), JVMTI_VISIT_OBJECTS;
    uint32_t k = class_in(b, referrer_class_tag);
    int64_t index = index_of(kind, info);
    bool weak = kind == JVMTI_HEAP_REFERENCE_FIELD && k && b->weak_index[k] == index + 1;
    if (from && !weak) add_edge(b, from, to, heap_label((uint32_t)kind, index));
    return JVMTI_VISIT_OBJECTS;
}

/* Nodes without edges get an empty range at the place where the next one's begins; ranges that stand in another
 * order than their nodes are copied into order. */
static bool sort_edges(Build *b) {
    HeapGraph *g = b->g;
    uint32_t *to = malloc((g->n_edges + 1) * sizeof *to), *label = malloc((g->n_edges + 1) * sizeof *label);
    g->start = malloc((g->n_nodes + 2ull) * sizeof *g->start);
    if (!to || !label || !g->start) {
        free(to);
        return free(label), false;
    }
    uint64_t at = 0;
    for (uint32_t v = 0; v <= g->n_nodes; v++) {
        g->start[v] = at;
        if (!b->first[v]) continue;
        uint64_t from = b->first[v] - 1, n = b->last[v] - from;
        memcpy(to + at, g->to + from, n * sizeof *to);
        memcpy(label + at, g->label + from, n * sizeof *label);
        at += n;
    }
    g->start[g->n_nodes + 1] = at;
    free(g->to);
    free(g->label);
    g->to = to;
    g->label = label;
    return true;
}

/* ---- classes ------------------------------------------------------------------------------- */

static void note_weak(Agent *a, JNIEnv *env, Build *b, uint32_t k, jclass c) {
    static const char *const kinds[] = {"java/lang/ref/WeakReference", "java/lang/ref/SoftReference",
                                        "java/lang/ref/PhantomReference"};
    for (int i = 0; i < 3; i++) {
        jclass kind = (*env)->FindClass(env, kinds[i]);
        if (kind && (*env)->IsAssignableFrom(env, c, kind)) /* Object has no fields, referent is Reference's first */
            b->weak_index[k] = (uint32_t)heap_interface_fields(a, env, c) + 1;
        (*env)->DeleteLocalRef(env, kind);
    }
    agent_exception(a, env, "FindClass");
}

static bool number_classes(Agent *a, JNIEnv *env, Build *b) {
    HeapGraph *g = b->g;
    jvmtiEnv *ti = a->ti;
    jint n = 0;
    jclass *all = NULL;
    if (AGENT_CHECK(a, (*ti)->GetLoadedClasses(ti, &n, &all))) return false;
    g->n_classes = g->n_nodes = (uint32_t)n;
    g->class_names = calloc((size_t)n + 1, sizeof *g->class_names);
    b->weak_index = calloc((size_t)n + 1, sizeof *b->weak_index);
    bool ok = g->class_names && b->weak_index && room_for_node(b);
    for (jint i = 0; i < n; i++) {
        uint32_t k = (uint32_t)i + 1;
        jlong old = 0;
        if (ok) g->class_names[k] = agent_class_text(a, all[i]);
        ok = ok && g->class_names[k] && !(*ti)->GetTag(ti, all[i], &old) && !(*ti)->SetTag(ti, all[i], b->generation << 32 | k);
        if (ok) {
            g->is_new[k] = old == 0;
            note_weak(a, env, b, k, all[i]);
        }
        (*env)->DeleteLocalRef(env, all[i]);
    }
    (*ti)->Deallocate(ti, (unsigned char *)all);
    return ok;
}

static bool number_threads(Agent *a, JNIEnv *env, Build *b) {
    jvmtiEnv *ti = a->ti;
    jint n = 0;
    jthread *all = NULL;
    bool ok = !AGENT_CHECK(a, (*ti)->GetAllThreads(ti, &n, &all));
    for (jint i = 0; i < n; i++) {
        jlong old = 0;
        ok = ok && room_for_node(b) && !(*ti)->GetTag(ti, all[i], &old) &&
             !(*ti)->SetTag(ti, all[i], b->generation << 32 | (b->g->n_nodes + 1));
        if (ok) b->g->is_new[++b->g->n_nodes] = old == 0;
        (*env)->DeleteLocalRef(env, all[i]);
    }
    (*ti)->Deallocate(ti, (unsigned char *)all);
    return ok;
}

uint32_t heap_node_of(Agent *a, jobject o) {
    jlong tag = 0;
    return !(*a->ti)->GetTag(a->ti, o, &tag) && tag >> 32 == generation ? (uint32_t)tag : 0;
}

bool heap_snapshot(Agent *a, JNIEnv *env, HeapGraph *g) {
    Build b = {.g = g, .generation = ++generation};
    jvmtiHeapCallbacks cb = {.heap_reference_callback = on_reference};
    memset(g, 0, sizeof *g);
    bool ok = number_classes(a, env, &b) && number_threads(a, env, &b) &&
              !AGENT_CHECK(a, (*a->ti)->FollowReferences(a->ti, 0, NULL, NULL, &cb, &b)) && !b.no_memory && sort_edges(&b);
    if (!ok) agent_log(a, AGENT_ERROR, "no snapshot: %s", b.no_memory ? "out of memory" : "the VM refused");
    if (g->lost_edges) agent_log(a, AGENT_INFO, "%u references came out of order and are not in the graph", g->lost_edges);
    free(b.first);
    free(b.last);
    free(b.weak_index);
    if (!ok) heap_graph_free(g);
    return ok;
}
