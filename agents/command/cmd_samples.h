/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_samples.h - what threads of a JVM did for a while: stacks out of thread dumps, each weighted with the processor time that
 * its thread used since the one before (/proc/PID/task/TID/schedstat). What a thread did that waits now is not known, and left out.
 */
#ifndef GRAFT_SAMPLES_H
#define GRAFT_SAMPLES_H

#include "cmd_process.h"

enum { STACK_DEPTH = 12 };

typedef struct ThreadSample {
    long tid; /* as the JVM calls it */
    char name[96], state[24];
    int64_t cpu, cpu_begin;     /* nanoseconds, now and at the begin */
    int64_t bytes, bytes_begin; /* allocated; -1: the VM does not tell */
    bool seen;
} ThreadSample;

typedef struct Weight {
    char *text; /* a method, or a stack: lines, the innermost first */
    int64_t nanos;
} Weight;

typedef struct Samples {
    const Process *process;
    ThreadSample *threads;
    size_t nthreads;
    Weight *methods, *stacks;
    size_t nmethods, nstacks;
    int64_t total; /* nanoseconds in all stacks */
} Samples;

/* Takes one dump and adds what was used since the last one. */
void samples_take(Samples *s);
/* The numbers of now become those of the begin; methods and stacks are forgotten. */
void samples_begin(Samples *s);
/* The heaviest first. */
void samples_sort(Samples *s);

#endif
