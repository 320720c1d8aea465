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

static void call_method(Thread *t, Object *o, const char *name, const char *desc, Slot *args) {
    Method *m = class_find_method_str(obj_class(o), name, desc);
    args[0].ref = o;
    if (m) exec_call_virtual(t, m, args, NULL);
    t->exception = NULL;
}

static void trigger(Thread *t, int pool, PoolSensor *s, int64_t used, int64_t committed) {
    Slot args[3] = {{.raw = 0}, {.i = 1}, {.ref = jmm_memory_usage(t, pool, used, committed)}};
    if (args[2].ref) call_method(t, handle_get(s->sensor), "trigger", "(ILjava/lang/management/MemoryUsage;)V", args);
    t->exception = NULL;
}
static void clear(Thread *t, PoolSensor *s) {
    Slot args[2] = {{.raw = 0}, {.i = 1}};
    call_method(t, handle_get(s->sensor), "clear", "(I)V", args);
}

static void check_gauge(Thread *t, int pool, int64_t used, int64_t committed) {
    PoolSensor *s = &usage[pool];
    if (!s->sensor || !s->high) return;
    if (used >= s->high && !s->on) {
        s->on = true;
        trigger(t, pool, s, used, committed);
    } else if (used < s->low && s->on) {
        s->on = false;
        clear(t, s);
    }
}

static void check_counter(Thread *t, const HeapGcStats *g) {
    PoolSensor *s = &collection[JMM_POOL_HEAP];
    if (!s->sensor || !s->high) return;
    if ((int64_t)g->used_after >= s->high) {
        s->on = true;
        trigger(t, JMM_POOL_HEAP, s, (int64_t)g->used_after, (int64_t)g->committed_after);
    } else if ((int64_t)g->used_after < s->low && s->on) {
        s->on = false;
        clear(t, s);
    }
}

static Object *thread_count_array(Thread *t) {
    Slot a = {.i = heap_gc_threads()};
    Object *n = jmm_call_static(t, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", &a);
    Object *list = n ? jvm_new_array(t, JC(Object), 1) : NULL;
    if (list) array_set_ref(list, 0, n);
    return list;
}

static Object *gc_info(Thread *t, Object *bean, const HeapGcStats *s) {
    JmmCollection g = {*s, jmm_pool_used(JMM_POOL_METADATA)};
    Method *builder = class_find_method_str(obj_class(bean), "getGcInfoBuilder", "()Lcom/sun/management/internal/GcInfoBuilder;");
    Slot args[12] = {{.raw = 0}}, self = {.ref = bean}, ret = {.raw = 0};
    if (!builder || !exec_call(t, builder, &self, &ret)) return NULL;
    Object *volatile keep[4] = {ret.ref};
    keep[1] = jmm_usages(t, &g, true);
    keep[2] = keep[1] ? jmm_usages(t, &g, false) : NULL;
    keep[3] = keep[2] ? thread_count_array(t) : NULL;
    if (!keep[3]) return NULL;
    args[1].ref = keep[0];
    args[2].j = (int64_t)s->count;
    args[4].j = jmm_since_start_ms(s->start_nanos);
    args[6].j = jmm_since_start_ms(s->end_nanos);
    for (int i = 1; i < 4; i++) args[7 + i].ref = keep[i];
    return jmm_construct(t, "com/sun/management/GcInfo",
                         "(Lcom/sun/management/internal/GcInfoBuilder;JJJ[Ljava/lang/management/MemoryUsage;"
                         "[Ljava/lang/management/MemoryUsage;[Ljava/lang/Object;)V",
                         args);
}

static void notify(Thread *t, HeapGcKind kind, const HeapGcStats *s) {
    Object *bean = jmm_collectors[kind] ? handle_get(jmm_collectors[kind]) : NULL;
    Object *volatile info = bean ? gc_info(t, bean, s) : NULL;
    Object *volatile action = info ? string_from_cstr(t, kind == HEAP_GC_YOUNG ? "end of minor GC" : "end of major GC") : NULL;
    Object *volatile cause = action ? string_from_cstr(t, s->cause) : NULL;
    const Field *name = bean ? class_find_field_str(obj_class(bean), "name", "Ljava/lang/String;") : NULL;
    if (cause && name) {
        Slot args[8] = {{.raw = 0}};
        args[1].j = os_millis();
        args[3].ref = ref_load(bean, name->offset);
        args[4].ref = action;
        args[5].ref = cause;
        args[6].ref = info;
        call_method(t, bean, "createGCNotification",
                    "(JLjava/lang/String;Ljava/lang/String;Ljava/lang/String;Lcom/sun/management/GcInfo;)V", args);
    }
    t->exception = NULL;
}

/* ---- the thread ---- */

static void check_metadata(Thread *t) {
    for (int pool = JMM_POOL_METADATA; pool <= JMM_POOL_CODE; pool++)
        if (usage[pool].high) check_gauge(t, pool, jmm_pool_used(pool), 0);
}

static void take_one(Thread *t, u4 n) {
    HeapGcStats s = queue[n % QUEUE];
    HeapGcKind kind = queue_kind[n % QUEUE];
    check_counter(t, &s);
    check_gauge(t, JMM_POOL_HEAP, (int64_t)s.used_after, (int64_t)s.committed_after);
    check_metadata(t);
    if (notify_collections[kind]) notify(t, kind, &s);
}

/* A threshold that was moved is compared with what is used now. */
static void check_gauges(Thread *t) {
    check_gauge(t, JMM_POOL_HEAP, jmm_pool_used(JMM_POOL_HEAP), (int64_t)heap_committed());
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
