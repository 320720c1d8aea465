/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JMM: thresholds of memory pools and notifications about collections.
 *
 * The collector only notes that a collection happened (its figures go into a short queue) and wakes
 * the "Notification Thread", a daemon that is started when the first sensor or listener appears.
 * That thread compares usage with the thresholds and calls Java: sun.management.Sensor.trigger and
 * clear, GarbageCollectorExtImpl.createGCNotification.
 *
 * A usage sensor is a gauge: on when usage reaches the high mark, off when it falls below the low
 * one; only changes are told.  A collection sensor is a counter: every collection that leaves more
 * than the threshold triggers it.  When collections come faster than Java listens, the oldest
 * records are dropped.
 */
#include "serve/jmm_int.h"

#include "invoke/invoke.h"
#include "os/os.h"
#include "jvm/jvm_thread.h"

enum { QUEUE = 64 };
enum { USAGE_HIGH = 901, USAGE_LOW, COLLECTION_HIGH, COLLECTION_LOW };

typedef struct PoolSensor {
    int64_t high, low; /* 0 = no threshold */
    bool on;
    jobject sensor; /* sun.management.Sensor */
} PoolSensor;
static PoolSensor usage[JMM_N_POOLS], collection[JMM_N_POOLS];
static bool notify_collections[HEAP_GC_KINDS];

static HeapGcStats queue[QUEUE]; /* written in pauses */
static HeapGcKind queue_kind[QUEUE];
static _Atomic u4 queued; /* total */
static u4 taken;          /* by the notification thread */
static _Atomic u4 bell;   /* the futex: rung for a collection and for a new threshold */
static _Atomic bool started;

static void ring(void) {
    atomic_fetch_add(&bell, 1);
    os_futex_wake(&bell, 1);
}

int64_t jmm_set_threshold(int pool, int type, int64_t value) {
    PoolSensor *s = type == USAGE_HIGH || type == USAGE_LOW ? &usage[pool] : &collection[pool];
    int64_t *cell = type == USAGE_HIGH || type == COLLECTION_HIGH ? &s->high : &s->low, old = *cell;
    *cell = value;
    if (old != value) ring();
    return old;
}

void jmm_set_sensor(int pool, int type, jobject sensor) {
    if (type == USAGE_HIGH || type == USAGE_LOW) usage[pool].sensor = sensor;
    else collection[pool].sensor = sensor;
}

void jmm_set_notification(int kind, bool on) { notify_collections[kind] = on; }

/* In the pause. */
static void collection_ended(HeapGcKind kind) {
    u4 n = atomic_load(&queued);
    heap_gc_stats(kind, &queue[n % QUEUE]);
    queue_kind[n % QUEUE] = kind;
    atomic_store(&queued, n + 1);
    ring();
}

/* ---- telling Java; exceptions of listeners are dropped ---- */

static void trigger(Thread *t, int pool, PoolSensor *s, int64_t used, int64_t committed) {
    Object *now = jmm_memory_usage(t, pool, used, committed);
    exec_call_on(t, handle_get(s->sensor), "trigger", "(ILjava/lang/management/MemoryUsage;)V", 1, now);
    t->exception = NULL;
}

static void check(Thread *t, PoolSensor *s, int pool, int64_t used, int64_t committed) {
    bool counts = s == &collection[JMM_POOL_HEAP];
    if (!s->sensor || !s->high) return;
    if (used >= s->high && (counts || !s->on)) {
        s->on = true;
        trigger(t, pool, s, used, committed);
    } else if (used < s->low && s->on) {
        s->on = false;
        exec_call_on(t, handle_get(s->sensor), "clear", "(I)V", 1);
        t->exception = NULL;
    }
}

static Object *thread_count_array(Thread *t) {
    Object *n = box_value(t, T_INT, (Slot){.i = heap_gc_threads()});
    Object *list = n ? class_new_array(t, JC(Object), 1) : NULL;
    if (list) array_set_ref(list, 0, n);
    return list;
}

static Object *gc_info(Thread *t, Object *bean, const HeapGcStats *s) {
    JmmCollection g = {*s, jmm_pool_used(JMM_POOL_METADATA)};
    Object *builder = exec_call_on(t, bean, "getGcInfoBuilder", "()Lcom/sun/management/internal/GcInfoBuilder;");
    Object *before = builder ? jmm_usages(t, &g, true) : NULL, *after = before ? jmm_usages(t, &g, false) : NULL;
    Object *counts = after ? thread_count_array(t) : NULL;
    if (!counts) return NULL;
    return exec_new(t, jmm_class(t, "com/sun/management/GcInfo"),
                    "(Lcom/sun/management/internal/GcInfoBuilder;JJJ[Ljava/lang/management/MemoryUsage;"
                    "[Ljava/lang/management/MemoryUsage;[Ljava/lang/Object;)V",
                    builder, (int64_t)s->count, jmm_since_start_ms(s->start_nanos), jmm_since_start_ms(s->end_nanos), before,
                    after, counts);
}

static void notify(Thread *t, HeapGcKind kind, const HeapGcStats *s) {
    Object *bean = jmm_collectors[kind] ? handle_get(jmm_collectors[kind]) : NULL;
    Object *info = bean ? gc_info(t, bean, s) : NULL;
    Object *action = info ? string_from_cstr(t, kind == HEAP_GC_YOUNG ? "end of minor GC" : "end of major GC") : NULL;
    Object *cause = action ? string_from_cstr(t, s->cause) : NULL;
    const Field *name = bean ? class_find_field_str(obj_class(bean), "name", "Ljava/lang/String;") : NULL;
    if (cause && name)
        exec_call_on(t, bean, "createGCNotification",
                     "(JLjava/lang/String;Ljava/lang/String;Ljava/lang/String;Lcom/sun/management/GcInfo;)V", os_millis(),
                     ref_load(bean, name->offset), action, cause, info);
    t->exception = NULL;
}

/* ---- the thread ---- */

static void check_metadata(Thread *t) {
    for (int pool = JMM_POOL_METADATA; pool <= JMM_POOL_CODE; pool++)
        if (usage[pool].high) check(t, &usage[pool], pool, jmm_pool_used(pool), 0);
}

static void take_one(Thread *t, u4 n) {
    HeapGcStats s = queue[n % QUEUE];
    HeapGcKind kind = queue_kind[n % QUEUE];
    check(t, &collection[JMM_POOL_HEAP], JMM_POOL_HEAP, (int64_t)s.used_after, (int64_t)s.committed_after);
    check(t, &usage[JMM_POOL_HEAP], JMM_POOL_HEAP, (int64_t)s.used_after, (int64_t)s.committed_after);
    check_metadata(t);
    if (notify_collections[kind]) notify(t, kind, &s);
}

/* A threshold that was moved is compared with what is used now. */
static void check_gauges(Thread *t) {
    check(t, &usage[JMM_POOL_HEAP], JMM_POOL_HEAP, jmm_pool_used(JMM_POOL_HEAP), (int64_t)heap_committed());
    check_metadata(t);
}

static void notifier(Thread *t, void *arg) {
    for (;;) {
        u4 rung = atomic_load(&bell), n;
        while ((n = atomic_load(&queued)) != taken) {
            if (n - taken > QUEUE) taken = n - QUEUE;
            take_one(t, taken++);
        }
        check_gauges(t);
        THREAD_BLOCKING(t) os_futex_wait(&bell, rung, 0);
    }
}

void jmm_notifier_start(Thread *t) {
    if (atomic_exchange(&started, true)) return;
    taken = atomic_load(&queued);
    heap_on_collection = collection_ended;
    if (!service_thread_start(t, "Notification Thread", 9, notifier)) t->exception = NULL;
}
