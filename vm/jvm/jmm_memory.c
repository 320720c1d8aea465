/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JMM: memory pools and collectors.  One heap pool, one non-heap pool (class
 * metadata, by the number of bytes of class files held) and one collector.  The
 * management beans are made once and kept as global references.
 */
#include "jvm/jmm_int.h"

enum { POOL_HEAP, POOL_METADATA, N_POOLS };
static const char *const pool_names[N_POOLS] = {"Graft Heap", "Graft Class Metadata"};
static jobject pools[N_POOLS], collector; /* global references */
static int64_t peak_used[N_POOLS];

static void add_class_bytes(Class *c, void *arg) {
    if (jvm_is_instance_class(c) && c->version) *(int64_t *)arg += c->version->bytes_len;
}
static int64_t pool_used(int pool) {
    int64_t n = 0;
    if (pool == POOL_HEAP) return (int64_t)heap_used();
    loader_visit_all_classes(add_class_bytes, &n);
    return n;
}

static Object *usage(Thread *t, int64_t init, int64_t used, int64_t committed, int64_t max) {
    Slot args[9] = {{.raw = 0}};
    args[1].j = init;
    args[3].j = used;
    args[5].j = committed > used ? committed : used;
    args[7].j = max;
    return jmm_construct(t, "java/lang/management/MemoryUsage", "(JJJJ)V", args);
}
static Object *pool_usage(Thread *t, int pool, bool peak) {
    int64_t used = pool_used(pool);
    if (used > peak_used[pool]) peak_used[pool] = used;
    if (peak) used = peak_used[pool];
    return pool == POOL_HEAP ? usage(t, 0, used, (int64_t)heap_committed(), (int64_t)heap_max())
                             : usage(t, 0, used, used, -1);
}

static jobject make_pool(Thread *t, int pool) {
    Slot args[6] = {{.ref = string_from_cstr(t, pool_names[pool])}, {.i = pool == POOL_HEAP},
                    {.j = -1}, {.raw = 0}, {.j = -1}, {.raw = 0}};
    Object *o = args[0].ref ? jmm_call_static(t, "sun/management/ManagementFactoryHelper", "createMemoryPool",
                                              "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;", args)
                            : NULL;
    return o ? handle_global(o) : NULL;
}

static jobject make_collector(Thread *t) {
    Slot args[2] = {{.ref = string_from_cstr(t, "Graft Collector")}, {.ref = NULL}};
    static const char desc[] =
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/management/GarbageCollectorMXBean;";
    if (!args[0].ref) return NULL;
    Object *o = jmm_call_static(t, "com/sun/management/internal/GarbageCollectorExtImpl",
                                "createGarbageCollector", desc, args);
    if (!o) { /* without module jdk.management */
        t->exception = NULL;
        o = jmm_call_static(t, "sun/management/ManagementFactoryHelper", "createGarbageCollector", desc, args);
    }
    return o ? handle_global(o) : NULL;
}

static bool make_beans(Thread *t) {
    for (int i = 0; i < N_POOLS; i++)
        if (!pools[i] && !(pools[i] = make_pool(t, i))) return false;
    return collector || (collector = make_collector(t));
}

static int which_pool(Thread *t, jobject pool) {
    Object *o = handle_get(pool);
    for (int i = 0; i < N_POOLS; i++)
        if (o && pools[i] && handle_get(pools[i]) == o) return i;
    throw_new(t, EX_InternalError, "Invalid memory pool");
    return -1;
}

static Object *bean_array(Thread *t, const char *cls, jobject *list, int n) {
    Class *c = load_class_or_ncdfe(t, symbol_of(cls), BOOT_LOADER);
    Object *a = c ? jvm_new_array(t, c, n) : NULL;
    for (int i = 0; a && i < n; i++) array_set_ref(a, i, handle_get(list[i]));
    return a;
}

jobjectArray jmm_GetMemoryPools(JNIEnv *env, jobject manager) {
    Thread *t = native_enter(env);
    Object *a = NULL;
    if (make_beans(t)) /* the collector manages the heap only */
        a = bean_array(t, "java/lang/management/MemoryPoolMXBean", pools, manager ? 1 : N_POOLS);
    jobjectArray r = handle_local(t, a);
    native_leave(t);
    return r;
}

jobjectArray jmm_GetMemoryManagers(JNIEnv *env, jobject pool) {
    Thread *t = native_enter(env);
    Object *a = NULL;
    if (make_beans(t)) {
        int p = pool ? which_pool(t, pool) : POOL_HEAP;
        if (p >= 0)
            a = bean_array(t, "java/lang/management/MemoryManagerMXBean", &collector, p == POOL_HEAP);
    }
    jobjectArray r = handle_local(t, a);
    native_leave(t);
    return r;
}

static jobject usage_of(JNIEnv *env, jobject pool, bool peak) {
    Thread *t = native_enter(env);
    int p = which_pool(t, pool);
    jobject r = p >= 0 ? handle_local(t, pool_usage(t, p, peak)) : NULL;
    native_leave(t);
    return r;
}
jobject jmm_GetMemoryPoolUsage(JNIEnv *env, jobject pool) {
    return usage_of(env, pool, false);
}
jobject jmm_GetPeakMemoryPoolUsage(JNIEnv *env, jobject pool) {
    return usage_of(env, pool, true);
}
jobject jmm_GetPoolCollectionUsage(JNIEnv *env, jobject pool) {
    return NULL; /* not measured: the interface's "not supported" */
}

jobject jmm_GetMemoryUsage(JNIEnv *env, jboolean heap) {
    Thread *t = native_enter(env);
    jobject r = handle_local(t, pool_usage(t, heap ? POOL_HEAP : POOL_METADATA, false));
    native_leave(t);
    return r;
}

/* Thresholds are not watched. */
void jmm_SetPoolSensor(JNIEnv *env, jobject pool, jint type, jobject sensor) {
}
jlong jmm_SetPoolThreshold(JNIEnv *env, jobject pool, jint type, jlong threshold) {
    Thread *t = native_enter(env);
    throw_new(t, EX_UnsupportedOperationException, "memory pool thresholds are not supported by this VM");
    native_leave(t);
    return -1;
}

void jmm_SetGCNotificationEnabled(JNIEnv *env, jobject manager, jboolean on) {
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
    jint pools_size;
} GcStat;
void jmm_GetLastGCStat(JNIEnv *env, jobject manager, void *stat) {
    ((GcStat *)stat)->index = 0; /* no record: Java answers null */
}
