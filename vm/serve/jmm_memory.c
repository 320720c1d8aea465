/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JMM: memory pools and collectors.  One heap pool, two non-heap pools (class metadata, by the
 * number of bytes of class files held; compiled code) and one collector bean per kind of collection.  The beans
 * are made once and kept as global references.  Thresholds and notifications: jmm_notify.c.
 */
#include "serve/jmm_int.h"

#include "core/options.h"
#include "core/vm.h"
#include "jit/jit.h"
#include "os/os.h"
#include "heap/heap_upcall.h"

static const struct {
    const char *name;
    bool heap;
    int64_t usage_threshold, collection_threshold; /* 0: supported, -1: not */
} pool_rows[JMM_N_POOLS] = {
    [JMM_POOL_HEAP] = {"Graft Heap", true, 0, 0},
    [JMM_POOL_METADATA] = {"Graft Class Metadata", false, 0, -1},
    [JMM_POOL_CODE] = {"CodeCache", false, 0, -1},
};
static const char *const collector_names[HEAP_GC_KINDS] = {
    [HEAP_GC_YOUNG] = "Graft Young Collector", [HEAP_GC_FULL] = "Graft Full Collector"};

jobject jmm_pools[JMM_N_POOLS], jmm_collectors[HEAP_GC_KINDS];
static int64_t peak_used[JMM_N_POOLS];

/* ---- figures ---- */

static void add_class_bytes(Class *c, void *arg) {
    if (jvm_is_instance_class(c) && c->version) *(int64_t *)arg += c->version->bytes_len;
}
int64_t jmm_pool_used(int pool) {
    int64_t n = 0;
    if (pool == JMM_POOL_HEAP) return (int64_t)heap_used();
    if (pool == JMM_POOL_CODE) return (int64_t)jit_figures().cache_used;
    loader_visit_all_classes(add_class_bytes, &n);
    return n;
}

static int64_t initial_heap(void) { return (int64_t)(vm_options.heap_min ? vm_options.heap_min : os_physical_memory() / 64); }

Object *jmm_memory_usage(Thread *t, int pool, int64_t used, int64_t committed) {
    bool is_heap = pool == JMM_POOL_HEAP;
    int64_t initial = is_heap ? initial_heap() : 0;
    int64_t max = is_heap ? (int64_t)heap_max() : pool == JMM_POOL_CODE && jit_on ? (int64_t)jit_figures().cache_total : -1;
    return exec_new(t, jmm_class(t, "java/lang/management/MemoryUsage"), "(JJJJ)V", initial, used,
                    committed > used ? committed : used, max);
}

/* Heap use has its peaks where collections begin. */
static void note_peak(int pool, int64_t used) {
    for (int k = 0; pool == JMM_POOL_HEAP && k < HEAP_GC_KINDS; k++) {
        HeapGcStats s;
        static u8 seen[HEAP_GC_KINDS];
        heap_gc_stats((HeapGcKind)k, &s);
        if (s.id != seen[k] && (int64_t)s.used_before > used) used = (int64_t)s.used_before;
        seen[k] = s.id;
    }
    if (used > peak_used[pool]) peak_used[pool] = used;
}

static Object *pool_usage(Thread *t, int pool, bool peak) {
    int64_t used = jmm_pool_used(pool);
    note_peak(pool, used);
    return jmm_memory_usage(t, pool, peak ? peak_used[pool] : used, pool == JMM_POOL_HEAP ? (int64_t)heap_committed() : 0);
}

void jmm_reset_peak(Thread *t, Object *pool) {
    for (int i = 0; i < JMM_N_POOLS; i++) {
        if (pool && (!jmm_pools[i] || handle_get(jmm_pools[i]) != pool)) continue;
        note_peak(i, 0);
        peak_used[i] = jmm_pool_used(i);
    }
}

int64_t jmm_since_start_ms(int64_t nanos) { return (nanos - vm.start_nanos) / 1000000; }

Object *jmm_usages(Thread *t, const JmmCollection *g, bool before) {
    Class *c = jmm_class(t, "java/lang/management/MemoryUsage");
    Object *volatile a = c ? class_new_array(t, c, JMM_N_POOLS) : NULL;
    for (int i = 0; a && i < JMM_N_POOLS; i++) {
        const HeapGcStats *s = &g->stats;
        Object *u = i == JMM_POOL_HEAP ? jmm_memory_usage(t, i, (int64_t)(before ? s->used_before : s->used_after),
                                                          (int64_t)(before ? s->committed_before : s->committed_after))
                                       : jmm_memory_usage(t, i, i == JMM_POOL_CODE ? jmm_pool_used(i) : g->metadata_used, 0);
        if (!u) return NULL;
        array_set_ref(a, i, u);
    }
    return a;
}

/* ---- beans ---- */

static jobject make_pool(Thread *t, int pool) {
    Object *name = string_from_cstr(t, pool_rows[pool].name);
    Object *o = exec_call_static(t, "sun/management/ManagementFactoryHelper", "createMemoryPool",
                                 "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;", name, pool_rows[pool].heap,
                                 pool_rows[pool].usage_threshold, pool_rows[pool].collection_threshold);
    return o ? handle_global(o) : NULL;
}

static jobject make_collector(Thread *t, int kind) {
    Object *name = string_from_cstr(t, collector_names[kind]), *type = NULL;
    static const char make[] = "createGarbageCollector";
    static const char desc[] = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/management/GarbageCollectorMXBean;";
    if (!name) return NULL;
    Object *o = exec_call_static(t, "com/sun/management/internal/GarbageCollectorExtImpl", make, desc, name, type);
    if (!o) { /* without module jdk.management */
        t->exception = NULL;
        o = exec_call_static(t, "sun/management/ManagementFactoryHelper", make, desc, name, type);
    }
    return o ? handle_global(o) : NULL;
}

static bool make_beans(Thread *t) {
    for (int i = 0; i < JMM_N_POOLS; i++)
        if (!jmm_pools[i] && !(jmm_pools[i] = make_pool(t, i))) return false;
    for (int i = 0; i < HEAP_GC_KINDS; i++)
        if (!jmm_collectors[i] && !(jmm_collectors[i] = make_collector(t, i))) return false;
    return true;
}

static int index_of(jobject *list, int n, Object *o) {
    for (int i = 0; i < n; i++)
        if (o && list[i] && handle_get(list[i]) == o) return i;
    return -1;
}
static int which_pool(Thread *t, jobject pool) {
    int i = index_of(jmm_pools, JMM_N_POOLS, handle_get(pool));
    if (i < 0) throw_new(t, EX_InternalError, "Invalid memory pool");
    return i;
}
static int which_collector(jobject manager) {
    return manager ? index_of(jmm_collectors, HEAP_GC_KINDS, handle_get(manager)) : -1;
}

bool jmm_collector_attribute(Object *o, bool count, bool millis, int64_t *out) {
    int kind = index_of(jmm_collectors, HEAP_GC_KINDS, o);
    HeapGcStats s;
    if (kind < 0 || (!count && !millis)) return false;
    heap_gc_stats((HeapGcKind)kind, &s);
    *out = count ? (int64_t)s.count : s.nanos / 1000000;
    return true;
}

static jobjectArray bean_array(Thread *t, const char *cls, jobject *list, int n) {
    Class *c = jmm_class(t, cls);
    Object *a = c ? class_new_array(t, c, n) : NULL;
    for (int i = 0; a && i < n; i++) array_set_ref(a, i, handle_get(list[i]));
    return handle_local(t, a);
}

jobjectArray jmm_GetMemoryPools(JNIEnv *env, jobject manager) {
    IN_JAVA Thread *t = native_enter(env);
    if (!make_beans(t)) return NULL; /* collectors manage the heap only */
    return bean_array(t, "java/lang/management/MemoryPoolMXBean", jmm_pools, manager ? 1 : JMM_N_POOLS);
}

jobjectArray jmm_GetMemoryManagers(JNIEnv *env, jobject pool) {
    IN_JAVA Thread *t = native_enter(env);
    int p = !make_beans(t) ? -1 : pool ? which_pool(t, pool) : JMM_POOL_HEAP;
    if (p < 0) return NULL;
    return bean_array(t, "java/lang/management/MemoryManagerMXBean", jmm_collectors, p == JMM_POOL_HEAP ? HEAP_GC_KINDS : 0);
}

/* ---- usage ---- */

static jobject usage_of(JNIEnv *env, jobject pool, bool peak) {
    IN_JAVA Thread *t = native_enter(env);
    int p = which_pool(t, pool);
    return p >= 0 ? handle_local(t, pool_usage(t, p, peak)) : NULL;
}
jobject jmm_GetMemoryPoolUsage(JNIEnv *env, jobject pool) { return usage_of(env, pool, false); }
jobject jmm_GetPeakMemoryPoolUsage(JNIEnv *env, jobject pool) { return usage_of(env, pool, true); }

/* The latest collection of any kind; id 0: none yet. */
static HeapGcStats latest(void) {
    HeapGcStats best = {0}, s;
    for (int k = 0; k < HEAP_GC_KINDS; k++) {
        heap_gc_stats((HeapGcKind)k, &s);
        if (s.id > best.id) best = s;
    }
    return best;
}

/* Only of pools that are collected; before the first collection everything is 0. */
jobject jmm_GetPoolCollectionUsage(JNIEnv *env, jobject pool) {
    IN_JAVA Thread *t = native_enter(env);
    int p = which_pool(t, pool);
    if (p != JMM_POOL_HEAP) return NULL;
    HeapGcStats s = latest();
    if (s.id) return handle_local(t, jmm_memory_usage(t, p, (int64_t)s.used_after, (int64_t)s.committed_after));
    return handle_local(t, exec_new(t, jmm_class(t, "java/lang/management/MemoryUsage"), "(JJJJ)V", 0L, 0L, 0L, 0L));
}

jobject jmm_GetMemoryUsage(JNIEnv *env, jboolean heap) {
    IN_JAVA Thread *t = native_enter(env);
    if (heap) return handle_local(t, pool_usage(t, JMM_POOL_HEAP, false));
    int64_t others = jmm_pool_used(JMM_POOL_METADATA) + jmm_pool_used(JMM_POOL_CODE);
    return handle_local(t, jmm_memory_usage(t, JMM_POOL_METADATA, others, 0));
}

void jmm_SetPoolSensor(JNIEnv *env, jobject pool, jint type, jobject sensor) {
    IN_JAVA Thread *t = native_enter(env);
    int p = which_pool(t, pool);
    if (p < 0) return;
    jmm_set_sensor(p, type, handle_global(handle_get(sensor)));
    jmm_notifier_start(t);
}

jlong jmm_SetPoolThreshold(JNIEnv *env, jobject pool, jint type, jlong threshold) {
    IN_JAVA Thread *t = native_enter(env);
    int p = which_pool(t, pool);
    if (threshold < 0) return throw_new(t, EX_IllegalArgumentException, "Invalid threshold value"), -1;
    return p >= 0 ? jmm_set_threshold(p, type, threshold) : -1;
}

/* ---- collections ---- */

void jmm_SetGCNotificationEnabled(JNIEnv *env, jobject manager, jboolean on) {
    IN_JAVA Thread *t = native_enter(env);
    int kind = which_collector(manager);
    if (kind < 0) return;
    jmm_set_notification(kind, on);
    if (on) jmm_notifier_start(t);
}

typedef struct GcExtInfo {
    const char *name;
    char type;
    const char *description;
} GcExtInfo;
jint jmm_GetGCExtAttributeInfo(JNIEnv *env, jobject manager, void *info, jint count) {
    if (count < 1) return 0;
    *(GcExtInfo *)info = (GcExtInfo){"GcThreadCount", 'I', "Number of GC threads"};
    return 1;
}

typedef struct GcStat {
    jlong index, start_ms, end_ms;
    jobjectArray before, after;
    jint ext_size;
    jvalue *ext_values;
    jint ext_filled;
} GcStat;

static bool fill_array(Thread *t, jobjectArray to, const JmmCollection *g, bool before) {
    Object *from = jmm_usages(t, g, before), *array = to ? handle_get(to) : NULL;
    for (int i = 0; from && array && i < array_len(array) && i < JMM_N_POOLS; i++) array_set_ref(array, i, array_ref(from, i));
    return from != NULL;
}

/* Index 0: no record yet, Java answers null. */
void jmm_GetLastGCStat(JNIEnv *env, jobject manager, void *out) {
    IN_JAVA Thread *t = native_enter(env);
    GcStat *s = out;
    int kind = which_collector(manager);
    JmmCollection g = {.metadata_used = jmm_pool_used(JMM_POOL_METADATA)};
    s->index = 0;
    if (kind >= 0) heap_gc_stats((HeapGcKind)kind, &g.stats);
    if (g.stats.id && fill_array(t, s->before, &g, true) && fill_array(t, s->after, &g, false)) {
        s->index = (jlong)g.stats.count;
        s->start_ms = jmm_since_start_ms(g.stats.start_nanos);
        s->end_ms = jmm_since_start_ms(g.stats.end_nanos);
        s->ext_filled = 0;
        if (s->ext_size > 0) s->ext_values[s->ext_filled++].i = heap_gc_threads();
    }
}
