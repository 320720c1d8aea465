/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_alloc.c - SampledObjectAlloc into a flame graph, collapsed stacks, pprof.
 *
 * A sample stands for more than its object: with distances exponentially distributed around I bytes an object of
 * s bytes is met with probability 1 - exp(-s/I), so it counts s / (1 - exp(-s/I)) bytes. The sums are unbiased
 * whatever the mix of sizes. A sample of weight w and size s adds w * (w - s) to the estimated variance of a sum (Horvitz and
 * Thompson: met with probability s / w, independent of others); its root is the error that the page tells.
 *
 * `live`: each sample keeps a weak reference of JNI. When something is written, the heap is collected and stacks get the weights
 * of those samples whose object is there still; the others are forgotten. They are also looked for when the number has doubled.
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
#include <stdlib.h>
#include <string.h>

#include "flamegraph.h"
#include "heap_names.h"
#include "method_text.h"
#include "pprof.h"
#include "utf8.h"
#include "cf_table.h"
#include "cf_vec.h"

enum { MAX_DEPTH = 512, MAX_LIVING = 1 << 20, FIRST_LOOK = 1 << 12 };

typedef struct Named {
    jmethodID method;
    char *name;
} Named;

typedef struct Living {
    jweak object;
    FlameStack *stack;
    uint64_t weight, size;
} Living;

static Agent *agent;
static HeapAllocOptions options;
static Flame *flame;
static CfTable methods; /* of Named */
static CF_VEC(Living) living;
static uint32_t next_look = FIRST_LOOK; /* at which number of living samples the dead are looked for */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t samples, lost;
static double bytes, variance; /* of what the stacks have now */

bool heap_alloc_start(Agent *a, const HeapAllocOptions *o) {
    agent = a;
    options = *o;
    options.depth = o->depth < 1 ? 1 : o->depth > MAX_DEPTH ? MAX_DEPTH : o->depth;
    flame = flame_new();
    return flame && !AGENT_CHECK(a, (*a->ti)->SetHeapSamplingInterval(a->ti, o->interval));
}

/* HotSpot chose the thread's first sample before the interval was set, by a mean distance of DEFAULT. */
static pthread_t beginner;
static bool waits; /* for that sample */

void heap_alloc_begin(JNIEnv *env) {
    enum { DEFAULT = 512 << 10, PIECE = 16 << 10, MOST = 4096 };
    if (options.interval >= DEFAULT) return;
    beginner = pthread_self();
    __atomic_store_n(&waits, true, __ATOMIC_RELEASE);
    for (int i = 0; i < MOST && __atomic_load_n(&waits, __ATOMIC_RELAXED); i++) {
        jbyteArray piece = (*env)->NewByteArray(env, PIECE);
        if (!piece) break;
        (*env)->DeleteLocalRef(env, piece);
    }
    (*env)->ExceptionClear(env);
    __atomic_store_n(&waits, false, __ATOMIC_RELEASE);
}

static bool is_first(void) {
    if (!__atomic_load_n(&waits, __ATOMIC_ACQUIRE) || !pthread_equal(beginner, pthread_self())) return false;
    __atomic_store_n(&waits, false, __ATOMIC_RELAXED);
    return true;
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

static void weigh(FlameStack *stack, uint64_t weight, uint64_t size) {
    flame_weigh(stack, weight, 1);
    samples++;
    bytes += (double)weight;
    variance += (double)weight * (double)(weight - size);
}

/* Forgets samples whose object is gone; lock held. */
static void drop_dead(JNIEnv *env) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < living.len; i++) {
        Living *l = &living.data[i];
        if ((*env)->IsSameObject(env, l->object, NULL)) (*env)->DeleteWeakGlobalRef(env, l->object);
        else living.data[kept++] = *l;
    }
    living.len = kept;
    next_look = kept * 2 > FIRST_LOOK ? kept * 2 : FIRST_LOOK;
}

/* Lock held. False without memory, or when there are too many. */
static bool add_living(JNIEnv *env, FlameStack *stack, jobject o, uint64_t weight, uint64_t size) {
    if (living.len >= next_look) drop_dead(env);
    jweak ref = living.len < MAX_LIVING ? (*env)->NewWeakGlobalRef(env, o) : NULL;
    if (ref && cf_vec_push(&living, (Living){ref, stack, weight, size})) return true;
    if (ref) (*env)->DeleteWeakGlobalRef(env, ref);
    return false;
}

/* Lock held. */
static void add_sample(JNIEnv *env, const char *const *frames, size_t n, jobject o, uint64_t size) {
    double mean = options.interval;
    uint64_t weight = mean > 0 ? (uint64_t)((double)size / (1 - exp(-(double)size / mean)) + 0.5) : size;
    if (weight < size) weight = size;
    FlameStack *stack = flame_stack(flame, frames, n);
    if (!stack || (options.live && !add_living(env, stack, o, weight, size))) lost++;
    else if (!options.live) weigh(stack, weight, size);
}

void JNICALL heap_alloc_sample(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject o, jclass k, jlong size) {
    jvmtiFrameInfo stack[MAX_DEPTH];
    const char *frames[MAX_DEPTH + 3];
    jvmtiThreadInfo info = {0};
    jint n = 0;
    size_t at = 0;
    if (is_first()) return;
    char *object = object_frame(k), *name = NULL;
    if (!object || (*ti)->GetStackTrace(ti, NULL, 0, options.depth, stack, &n)) {
        __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
        return free(object);
    }
    if (options.threads && !(*ti)->GetThreadInfo(ti, thread, &info)) {
        name = info.name ? agent_name_text(info.name, strlen(info.name)) : NULL;
        frames[at++] = name ? name : "?";
    }
    if (n == options.depth) /* outer frames are missing: such stacks stay together */
        frames[at++] = "deeper stacks [cut]";
    pthread_mutex_lock(&lock);
    while (n-- > 0) frames[at++] = method_name(env, stack[n].method);
    frames[at++] = object;
    add_sample(env, frames, at, o, (uint64_t)size);
    pthread_mutex_unlock(&lock);
    (*ti)->Deallocate(ti, (unsigned char *)info.name);
    free(name);
    free(object);
}

/* ---- what was sampled ---------------------------------------------------------------------------- */

/* Weights of the samples that are alive now; lock held. */
static void weigh_living(JNIEnv *env) {
    drop_dead(env);
    flame_clear(flame);
    samples = 0;
    bytes = variance = 0;
    for (uint32_t i = 0; i < living.len; i++) weigh(living.data[i].stack, living.data[i].weight, living.data[i].size);
}

static bool put_html(const void *text, FILE *out) { return flame_html(flame, text, out); }
static bool put_collapsed(const void *ctx, FILE *out) { return flame_collapsed(flame, out); }

static bool add_to_pprof(void *ctx, const char *const *frames, size_t n, uint64_t weight, uint64_t count) {
    return pprof_add(ctx, frames, n, (const int64_t[]){(int64_t)count, (int64_t)weight});
}
static bool put_pprof(const void *ctx, FILE *out) {
    const char *const types[] = {"samples", "count", options.live ? "inuse_space" : "alloc_space", "bytes", NULL};
    Pprof *p = pprof_new(types);
    bool ok = p && flame_each(flame, add_to_pprof, p) && pprof_write(p, agent_nanos(CLOCK_REALTIME), 0, out);
    pprof_free(p);
    return ok;
}

/* What the figures are, and how good. */
static void put_note(char *note, size_t n) {
    const char *what = options.live ? "bytes that are alive" : "allocated bytes";
    if (!options.interval) snprintf(note, n, "%s: all %llu objects", what, (unsigned long long)samples);
    else
        snprintf(note, n, "%s, estimated from %llu samples, one in %d bytes: %.1f MB, standard error %.1f MB", what,
                 (unsigned long long)samples, options.interval, bytes / 1e6, sqrt(variance) / 1e6);
}

const char *heap_alloc_write(Agent *a, JNIEnv *env, const HeapAllocFiles *f) {
    char note[200];
    const char *unwritten = NULL;
    int why = 0;
    if (options.live) AGENT_CHECK(a, (*a->ti)->ForceGarbageCollection(a->ti)); /* or what is garbage would count */
    pthread_mutex_lock(&lock);
    if (options.live) weigh_living(env);
    put_note(note, sizeof note);
    FlameText text = {.title = f->title, .unit = "bytes", .note = note};
    const struct {
        const char *name;
        bool (*write)(const void *ctx, FILE *out);
    } files[] = {{f->flame, put_html}, {f->collapsed, put_collapsed}, {f->pprof, put_pprof}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (agent_write_file(a, files[i].name, files[i].write, &text) || unwritten) continue;
        unwritten = files[i].name;
        why = errno;
    }
    agent_log(a, AGENT_DEBUG, "%s", note);
    if (lost) agent_log(a, AGENT_INFO, "%llu samples were lost", (unsigned long long)lost);
    pthread_mutex_unlock(&lock);
    errno = why;
    return unwritten;
}
