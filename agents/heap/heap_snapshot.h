/* SPDX-License-Identifier: Apache-2.0 */
/* heap_snapshot.h - taking a HeapGraph from the VM, and asking the VM for names afterwards. */
#ifndef GRAFT_HEAP_SNAPSHOT_H
#define GRAFT_HEAP_SNAPSHOT_H

#include "agent.h"
#include "heap_graph.h"

/* Walks the heap. Objects keep tags of this environment, so that the next snapshot knows what is new. Call in the
 * live phase, one at a time. False: logged. */
bool heap_snapshot(Agent *a, JNIEnv *env, HeapGraph *g);

/* Name of the field with JVM TI's number `index`, as seen from class `k`; malloc'ed, NULL if it cannot be told. The
 * graph must be the newest one. */
char *heap_field_name(Agent *a, JNIEnv *env, uint32_t k, uint32_t index);
/* Name of a thread object, by node; malloc'ed or NULL. */
char *heap_thread_name(Agent *a, JNIEnv *env, uint32_t node);
/* "a.b.C.m"; malloc'ed. */
char *heap_method_name(Agent *a, JNIEnv *env, jmethodID m);

#endif
