/* SPDX-License-Identifier: Apache-2.0 */
/* heap_names.h - what the VM calls the nodes and edges of a HeapGraph. */
#ifndef GRAFT_HEAP_NAMES_H
#define GRAFT_HEAP_NAMES_H

#include "agent.h"
#include "heap_graph.h"

/* Holds local references to the classes and threads of the newest graph, so that asking for a name does not search all tags. */
typedef struct HeapNames {
    Agent *a;
    JNIEnv *env;
    const HeapGraph *g;
    jclass *classes;  /* by node, 1..n_classes */
    jthread *threads; /* n_threads, of nodes thread_node */
    uint32_t *thread_node;
    jint n_threads;
} HeapNames;

/* The graph must be the newest one. False: logged, and nothing to close. */
bool heap_names_open(HeapNames *n, Agent *a, JNIEnv *env, const HeapGraph *g);
void heap_names_close(HeapNames *n);

/* What people read; malloc'ed, or NULL without memory. */
char *heap_object_text(const HeapNames *n, uint32_t node);               /* "java.lang.Object[]", "class a.B" */
char *heap_root_text(const HeapNames *n, uint32_t label);                /* "local variable of a.B.m in thread \"main\"" */
char *heap_link_text(const HeapNames *n, uint32_t from, uint32_t label); /* ".field", " [3]", ": its class loader" */
char *heap_method_name(Agent *a, JNIEnv *env, jmethodID m);              /* "a.b.C.m" */

/* Fields of all interfaces of a class and its superclasses: JVM TI numbers them before those of classes. */
jlong heap_interface_fields(Agent *a, JNIEnv *env, jclass k);

#endif
