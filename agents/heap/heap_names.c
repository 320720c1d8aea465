/* SPDX-License-Identifier: Apache-2.0 */
/* heap_names.c - names of objects, fields, roots; what the numbers of fields mean is told by JVM TI (FollowReferences). */
#include "heap_names.h"

#include <stdlib.h>
#include <string.h>

#include "heap_snapshot.h"
#include "method_text.h"
#include "utf8.h"

/* ---- fields ---------------------------------------------------------------------------------- */

static jint field_count(Agent *a, jclass k) {
    jint n = 0;
    jfieldID *fields = NULL;
    if ((*a->ti)->GetClassFields(a->ti, k, &n, &fields)) return 0;
    (*a->ti)->Deallocate(a->ti, (unsigned char *)fields);
    return n;
}

typedef struct Interfaces {
    jclass list[256];
    int n;
} Interfaces;
static void collect_interfaces(Agent *a, JNIEnv *env, jclass k, Interfaces *all) {
    jint n = 0;
    jclass *direct = NULL;
    if ((*a->ti)->GetImplementedInterfaces(a->ti, k, &n, &direct)) return;
    for (jint i = 0; i < n; i++) {
        bool known = false;
        for (int j = 0; j < all->n && !known; j++) known = (*env)->IsSameObject(env, all->list[j], direct[i]);
        if (known || all->n == 256) continue;
        all->list[all->n++] = direct[i];
        collect_interfaces(a, env, direct[i], all);
    }
    (*a->ti)->Deallocate(a->ti, (unsigned char *)direct);
}
jlong heap_interface_fields(Agent *a, JNIEnv *env, jclass k) {
    Interfaces all = {.n = 0};
    jlong n = 0;
    if ((*env)->PushLocalFrame(env, 512)) return 0;
    for (jclass c = k; c; c = (*env)->GetSuperclass(env, c)) collect_interfaces(a, env, c, &all);
    for (int i = 0; i < all.n; i++) n += field_count(a, all.list[i]);
    (*env)->PopLocalFrame(env, NULL);
    return n;
}

static char *own_field_name(Agent *a, jclass c, uint32_t i) {
    jint n = 0;
    jfieldID *fields = NULL;
    char *name = NULL, *copy = NULL;
    if ((*a->ti)->GetClassFields(a->ti, c, &n, &fields)) return NULL;
    if (i < (uint32_t)n && !(*a->ti)->GetFieldName(a->ti, c, fields[i], &name, NULL, NULL))
        copy = agent_name_text(name, strlen(name));
    (*a->ti)->Deallocate(a->ti, (unsigned char *)name);
    (*a->ti)->Deallocate(a->ti, (unsigned char *)fields);
    return copy;
}

/* Name of the field with JVM TI's number `index`, as seen from class k; NULL if it cannot be told. */
static char *field_name(const HeapNames *h, uint32_t k, uint32_t index) {
    JNIEnv *env = h->env;
    char *name = NULL;
    if (k > h->g->n_classes || !h->classes[k] || (*env)->PushLocalFrame(env, 80)) return NULL;
    jclass chain[64];
    int n = 0;
    for (jclass s = h->classes[k]; s && n < 64; s = (*env)->GetSuperclass(env, s)) chain[n++] = s;
    jlong at = heap_interface_fields(h->a, env, h->classes[k]);
    while (n-- > 0 && !name) {
        jint count = field_count(h->a, chain[n]);
        if (index >= at && index < at + count) name = own_field_name(h->a, chain[n], (uint32_t)(index - at));
        at += count;
    }
    (*env)->PopLocalFrame(env, NULL);
    return name;
}

/* ---- life ------------------------------------------------------------------------------------ */

static bool open_classes(HeapNames *h) {
    jint n = 0;
    jclass *all = NULL;
    h->classes = calloc(h->g->n_classes + 1ull, sizeof *h->classes);
    if (!h->classes || AGENT_CHECK(h->a, (*h->a->ti)->GetLoadedClasses(h->a->ti, &n, &all))) return false;
    for (jint i = 0; i < n; i++) {
        uint32_t k = heap_node_of(h->a, all[i]);
        if (k && k <= h->g->n_classes) h->classes[k] = all[i];
        else (*h->env)->DeleteLocalRef(h->env, all[i]);
    }
    (*h->a->ti)->Deallocate(h->a->ti, (unsigned char *)all);
    return true;
}

static bool open_threads(HeapNames *h) {
    if (AGENT_CHECK(h->a, (*h->a->ti)->GetAllThreads(h->a->ti, &h->n_threads, &h->threads))) return false;
    h->thread_node = calloc((size_t)h->n_threads + 1, sizeof *h->thread_node);
    for (jint i = 0; h->thread_node && i < h->n_threads; i++) h->thread_node[i] = heap_node_of(h->a, h->threads[i]);
    return h->thread_node != NULL;
}

bool heap_names_open(HeapNames *h, Agent *a, JNIEnv *env, const HeapGraph *g) {
    *h = (HeapNames){.a = a, .env = env, .g = g};
    if (open_classes(h) && open_threads(h)) return true;
    heap_names_close(h);
    return agent_refuse(a, "the classes of the snapshot cannot be named");
}

void heap_names_close(HeapNames *h) {
    for (uint32_t k = 1; h->classes && k <= h->g->n_classes; k++)
        if (h->classes[k]) (*h->env)->DeleteLocalRef(h->env, h->classes[k]);
    for (jint i = 0; i < h->n_threads; i++) (*h->env)->DeleteLocalRef(h->env, h->threads[i]);
    (*h->a->ti)->Deallocate(h->a->ti, (unsigned char *)h->threads);
    free(h->classes);
    free(h->thread_node);
}

/* ---- texts ------------------------------------------------------------------------------------ */

/* NULL if there is none. */
static char *thread_name(const HeapNames *h, uint32_t node) {
    for (jint i = 0; node && i < h->n_threads; i++) {
        jvmtiThreadInfo info = {0};
        if (h->thread_node[i] != node) continue;
        if ((*h->a->ti)->GetThreadInfo(h->a->ti, h->threads[i], &info)) return NULL;
        char *copy = info.name ? agent_name_text(info.name, strlen(info.name)) : NULL;
        (*h->a->ti)->Deallocate(h->a->ti, (unsigned char *)info.name);
        if (info.thread_group) (*h->env)->DeleteLocalRef(h->env, info.thread_group);
        if (info.context_class_loader) (*h->env)->DeleteLocalRef(h->env, info.context_class_loader);
        return copy;
    }
    return NULL;
}

/* Text and text, malloc'ed. */
static char *joined(const char *a, const char *b) {
    char *out = NULL;
    return asprintf(&out, "%s%s", a, b) < 0 ? NULL : out;
}

char *heap_object_text(const HeapNames *h, uint32_t v) {
    if (v <= h->g->n_classes) return joined("class ", h->g->class_names[v]);
    char *thread = thread_name(h, v), *out = NULL;
    if (!thread) return strdup(heap_class_name(h->g, v));
    if (asprintf(&out, "%s \"%s\"", heap_class_name(h->g, v), thread) < 0) out = NULL;
    free(thread);
    return out;
}

char *heap_root_text(const HeapNames *h, uint32_t label) {
    static const char *const kinds[] = {"JNI global reference", "system class", "locked monitor", "local variable",
                                        "JNI local reference",  "thread",       "the VM itself"};
    uint32_t i = heap_label_index(label), kind = heap_label_kind(label);
    const char *what = kind >= 21 && kind <= 27 ? kinds[kind - 21] : "root";
    const HeapRootInfo *root = i < h->g->n_roots ? &h->g->roots[i] : NULL;
    if (!root || !root->method) return strdup(what);
    char *method = heap_method_name(h->a, h->env, root->method), *thread = thread_name(h, root->thread), *out = NULL;
    int n = thread ? asprintf(&out, "%s of %s in thread \"%s\"", what, method, thread) : asprintf(&out, "%s of %s", what, method);
    free(method);
    free(thread);
    return n < 0 ? NULL : out;
}

char *heap_link_text(const HeapNames *h, uint32_t from, uint32_t label) {
    static const char *const kinds[] = {
        "its class",    "", "",           "its class loader", "its signers", "its protection domain",
        "an interface", "", "a constant", "its superclass"};
    uint32_t kind = heap_label_kind(label), i = heap_label_index(label);
    bool is_static = kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD;
    char *out = NULL;
    if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT) {
        if (i == HEAP_LABEL_MAX) return strdup(" [...]");
        return asprintf(&out, " [%u]", i) < 0 ? NULL : out;
    }
    if (kind == JVMTI_HEAP_REFERENCE_FIELD || is_static) {
        char *name = field_name(h, is_static ? from : h->g->class_of[from], i);
        out = joined(".", name ? name : "?");
        free(name);
        return out;
    }
    return kind >= 1 && kind <= 10 ? joined(": ", kinds[kind - 1]) : strdup("");
}

char *heap_method_name(Agent *a, JNIEnv *env, jmethodID m) {
    char *name = NULL, *text = NULL, *class_name = NULL, *out = NULL;
    jclass k = NULL;
    if (m && !(*a->ti)->GetMethodName(a->ti, m, &name, NULL, NULL) && !(*a->ti)->GetMethodDeclaringClass(a->ti, m, &k) &&
        (class_name = agent_class_text(a, k)) && (text = agent_name_text(name, strlen(name))) &&
        asprintf(&out, "%s.%s", class_name, text) < 0)
        out = NULL;
    if (k) (*env)->DeleteLocalRef(env, k);
    free(class_name);
    free(text);
    (*a->ti)->Deallocate(a->ti, (unsigned char *)name);
    return out ? out : strdup("?");
}
