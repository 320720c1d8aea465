/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_alloc.c - SampledObjectAlloc into a flame graph.
 *
 * A sample stands for more than its object: with distances exponentially distributed around I bytes an object of
 * s bytes is met with probability 1 - exp(-s/I), so it counts s / (1 - exp(-s/I)) bytes. The sums are unbiased
 * whatever the mix of sizes.
 *
 * Methods are named when they are first seen (a class may be unloaded later). One lock guards graph and
 * names; the VM may stop the world while it is held, which is harmless: threads that wait for it are in
 * native code.
 */
#include "heap_alloc.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flamegraph.h"
#include "heap_snapshot.h"

enum { MAX_DEPTH = 512 };

typedef struct Named {
    jmethodID method;
    char *name;
} Named;

static Agent *agent;
static Flame *flame;
static Named *methods; /* open addressing */
static size_t n_methods, method_slots;
static int stack_depth;
static double mean;
static bool with_threads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t lost;

bool heap_alloc_start(Agent *a, int interval, int depth, bool threads) {
    agent = a;
    stack_depth = depth < 1 ? 1 : depth > MAX_DEPTH ? MAX_DEPTH : depth;
    mean = interval;
    with_threads = threads;
    flame = flame_new();
    method_slots = 4096;
    methods = calloc(method_slots, sizeof *methods);
    return flame && methods && !AGENT_CHECK(a, (*a->ti)->SetHeapSamplingInterval(a->ti, interval));
}

static Named *slot_of(Named *table, size_t slots, jmethodID m) {
    size_t i = ((uintptr_t)m >> 4) * 0x9e3779b97f4a7c15u >> 20 & (slots - 1);
    while (table[i].method && table[i].method != m) i = (i + 1) & (slots - 1);
    return &table[i];
}

static const char *method_name(JNIEnv *env, jmethodID m) {
    Named *n = slot_of(methods, method_slots, m);
    if (n->method) return n->name;
    if (n_methods * 2 >= method_slots) {
        Named *more = calloc(method_slots * 2, sizeof *more);
        if (!more) return "?";
        for (size_t i = 0; i < method_slots; i++)
            if (methods[i].method) *slot_of(more, method_slots * 2, methods[i].method) = methods[i];
        free(methods);
        methods = more;
        method_slots *= 2;
        n = slot_of(methods, method_slots, m);
    }
    char *name = heap_method_name(agent, env, m);
    if (!name) return "?";
    *n = (Named){m, name};
    n_methods++;
    return name;
}

/* Frame of what was allocated; the brackets give it its colour. */
static char *object_frame(jvmtiEnv *ti, jclass k) {
    char *signature = NULL, *name = NULL, *out = NULL;
    if (!(*ti)->GetClassSignature(ti, k, &signature, NULL) && (name = heap_class_name(signature)) &&
        (out = malloc(strlen(name) + 7)))
        sprintf(out, "%s [new]", name);
    (*ti)->Deallocate(ti, (unsigned char *)signature);
    free(name);
    return out;
}

void JNICALL heap_alloc_sample(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject o, jclass k, jlong size) {
    jvmtiFrameInfo stack[MAX_DEPTH];
    const char *frames[MAX_DEPTH + 3];
    jvmtiThreadInfo info = {0};
    jint n = 0;
    size_t at = 0;
    char *object = object_frame(ti, k);
    if (!object || (*ti)->GetStackTrace(ti, NULL, 0, stack_depth, stack, &n)) {
        __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
        free(object);
        return;
    }
    double weight = mean > 0 ? (double)size / (1 - exp(-(double)size / mean)) : (double)size;
    if (with_threads && !(*ti)->GetThreadInfo(ti, thread, &info)) frames[at++] = info.name ? info.name : "?";
    if (n == stack_depth) /* outer frames are missing: such stacks stay together */
        frames[at++] = "deeper stacks [cut]";
    pthread_mutex_lock(&lock);
    while (n-- > 0) frames[at++] = method_name(env, stack[n].method);
    frames[at++] = object;
    if (!flame_add(flame, frames, at, (uint64_t)weight, 1)) lost++;
    pthread_mutex_unlock(&lock);
    (*ti)->Deallocate(ti, (unsigned char *)info.name);
    free(object);
}

static bool write_one(Agent *a, const char *path, const FlameText *text) {
    FILE *out = fopen(path, "w");
    bool ok = out && (text ? flame_html(flame, text, out) : flame_collapsed(flame, out));
    if (out && fclose(out)) ok = false;
    if (!ok) agent_log(a, AGENT_ERROR, "%s: %s", path, strerror(errno));
    return ok;
}

bool heap_alloc_write(Agent *a, const char *html, const char *collapsed, const char *title) {
    FlameText text = {.title = title, .unit = "bytes", .note = "allocated bytes, estimated from samples"};
    pthread_mutex_lock(&lock);
    bool ok = !html || write_one(a, html, &text);
    ok &= !collapsed || write_one(a, collapsed, NULL);
    if (lost) agent_log(a, AGENT_INFO, "%llu samples were lost", (unsigned long long)lost);
    pthread_mutex_unlock(&lock);
    return ok;
}
