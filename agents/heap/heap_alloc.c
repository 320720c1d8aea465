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

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "flamegraph.h"
#include "heap_snapshot.h"
#include "method_text.h"
#include "cf_table.h"

enum { MAX_DEPTH = 512 };

typedef struct Named {
    jmethodID method;
    char *name;
} Named;

static Agent *agent;
static Flame *flame;
static CfTable methods; /* of Named */
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
    return flame && !AGENT_CHECK(a, (*a->ti)->SetHeapSamplingInterval(a->ti, interval));
}

static bool same(const void *item, const void *key) { return ((const Named *)item)->method == key; }

static const char *method_name(JNIEnv *env, jmethodID m) {
    uint32_t hash = cf_hash_u64((uintptr_t)m);
    Named *n = cf_table_find(&methods, hash, same, m);
    if (n) return n->name;
    char *name = heap_method_name(agent, env, m);
    n = malloc(sizeof *n);
    if (name && n && cf_table_add(&methods, hash, n)) {
        *n = (Named){m, name};
        return name;
    }
    free(name);
    free(n);
    return "?";
}

/* Frame of what was allocated; the brackets give it its colour. */
static char *object_frame(jclass k) {
    char *name = agent_class_text(agent, k), *out = NULL;
    if (!name || asprintf(&out, "%s [new]", name) < 0) out = NULL;
    free(name);
    return out;
}

void JNICALL heap_alloc_sample(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject o, jclass k, jlong size) {
    jvmtiFrameInfo stack[MAX_DEPTH];
    const char *frames[MAX_DEPTH + 3];
    jvmtiThreadInfo info = {0};
    jint n = 0;
    size_t at = 0;
    char *object = object_frame(k);
    if (!object || (*ti)->GetStackTrace(ti, NULL, 0, stack_depth, stack, &n)) {
        __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
        return free(object);
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

static bool put_html(const void *text, FILE *out) { return flame_html(flame, text, out); }
static bool put_collapsed(const void *ctx, FILE *out) { return flame_collapsed(flame, out); }

bool heap_alloc_write(Agent *a, const char *html, const char *collapsed, const char *title) {
    FlameText text = {.title = title, .unit = "bytes", .note = "allocated bytes, estimated from samples"};
    pthread_mutex_lock(&lock);
    bool ok = agent_write_file(a, html, put_html, &text);
    ok &= agent_write_file(a, collapsed, put_collapsed, NULL);
    if (lost) agent_log(a, AGENT_INFO, "%llu samples were lost", (unsigned long long)lost);
    pthread_mutex_unlock(&lock);
    return ok;
}
