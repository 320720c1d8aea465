/* SPDX-License-Identifier: Apache-2.0 */
/* heap_alloc.h - sampled allocations with their stacks. */
#ifndef GRAFT_HEAP_ALLOC_AGENT_H
#define GRAFT_HEAP_ALLOC_AGENT_H

#include "agent.h"

typedef struct HeapAllocOptions {
    int interval, depth; /* mean distance of samples in bytes, frames per stack */
    bool threads;        /* their names as outermost frames */
    bool live;           /* only objects that are alive when it is written */
} HeapAllocOptions;
/* Before events. */
bool heap_alloc_start(Agent *a, const HeapAllocOptions *o);
/* At VMInit, on the thread that runs the program: its allocations are sampled from now on. */
void heap_alloc_begin(JNIEnv *env);
/* The handler. */
void JNICALL heap_alloc_sample(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject o, jclass k, jlong size);

typedef struct HeapAllocFiles {
    const char *flame, *collapsed, *pprof, *title; /* NULL: not this one */
} HeapAllocFiles;
/* Writes what was sampled so far. NULL, or the first of these files that could not be written, with errno (logged). */
const char *heap_alloc_write(Agent *a, JNIEnv *env, const HeapAllocFiles *f);

#endif
