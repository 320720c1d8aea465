/* SPDX-License-Identifier: Apache-2.0 */
/* heap_alloc.h - sampled allocations with their stacks. */
#ifndef GRAFT_HEAP_ALLOC_AGENT_H
#define GRAFT_HEAP_ALLOC_AGENT_H

#include "agent.h"

/* Before events: mean distance of samples in bytes, frames per stack, thread names as outermost frames. */
bool heap_alloc_start(Agent *a, int interval, int depth, bool threads);
/* The handler. */
void JNICALL heap_alloc_sample(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject o, jclass k, jlong size);
/* Writes what was sampled so far; NULL: not this one. False: logged. */
bool heap_alloc_write(Agent *a, const char *html, const char *collapsed, const char *title);

#endif
