/* SPDX-License-Identifier: Apache-2.0 */
/* heap_snapshot.h - taking a HeapGraph from the VM. */
#ifndef GRAFT_HEAP_SNAPSHOT_H
#define GRAFT_HEAP_SNAPSHOT_H

#include "agent.h"
#include "heap_graph.h"

/* Walks the heap. Objects keep tags of this environment, so that the next snapshot knows what is new. Call in the
 * live phase, one at a time. False: logged. */
bool heap_snapshot(Agent *a, JNIEnv *env, HeapGraph *g);

/* The number of an object in the newest snapshot; 0: it is not in it. */
uint32_t heap_node_of(Agent *a, jobject o);

#endif
