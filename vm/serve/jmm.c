/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JMM: attributes.  Values the VM does not measure are answered -1 (the interface's "not
 * supported").  Flags, diagnostic commands and heap dumps: jmm_diag.c.
 */
#include "object/method.h"
#include "serve/diag.h"
#include "serve/jmm_int.h"

#include "jit/jit.h"
#include "log/log.h"
#include "core/vm.h"
#include "os/os.h"
#include "heap/heap_upcall.h"

#include <unistd.h>

static const struct {
    void *reserved[2];
#define JMM(slot, type, name, params) type(*name) params;
#include "serve/jmm.def"
} table = {
#define JMM(slot, type, name, params) .name = jmm_##name,
#include "serve/jmm.def"
};
#define JMM(slot, type, name, params) \
    _Static_assert(offsetof(__typeof__(table), name) == (slot) * sizeof(void *), "jmm.def: " #name);
#include "serve/jmm.def"

enum { JMM_VERSION = 0x20030000 };

JVM_EXPORT void *JVM_GetManagement(jint version) { return version == JMM_VERSION ? (void *)&table : NULL; }
jint jmm_GetVersion(JNIEnv *env) { return JMM_VERSION; }

enum { /* bits of GetOptionalSupport */
       SUPPORT_LOW_MEMORY = 1 << 0,
       SUPPORT_COMPILE_TIME = 1 << 1,
       SUPPORT_CONTENTION = 1 << 2,
       SUPPORT_CURRENT_CPU_TIME = 1 << 3,
       SUPPORT_OTHER_CPU_TIME = 1 << 4,
       SUPPORT_MONITOR_USAGE = 1 << 5,
       SUPPORT_SYNCHRONIZER_USAGE = 1 << 6,
       SUPPORT_ALLOCATED_MEMORY = 1 << 7,
       SUPPORT_DIAGNOSTIC_COMMANDS = 1 << 8
};
jint jmm_GetOptionalSupport(JNIEnv *env, u4 *bits) {
    if (!bits) return -1;
    *bits = SUPPORT_LOW_MEMORY | SUPPORT_CONTENTION | SUPPORT_CURRENT_CPU_TIME | SUPPORT_OTHER_CPU_TIME | SUPPORT_MONITOR_USAGE |
            SUPPORT_SYNCHRONIZER_USAGE | SUPPORT_ALLOCATED_MEMORY | SUPPORT_DIAGNOSTIC_COMMANDS |
            (jit_on ? SUPPORT_COMPILE_TIME : 0);
    return 0;
}

/* ---- attributes ---- */

typedef enum LongAttribute {
    COUNT_LOADED = 1,
    COUNT_UNLOADED,
    THREAD_TOTAL,
    THREAD_LIVE,
    THREAD_PEAK,
    THREAD_DAEMON,
    INIT_DONE_MS,
    COMPILE_MS,
    GC_MS,
    GC_COUNT,
    UPTIME_MS,
    VM_GLOBALS = 104,
    PROCESS_ID = 201,
    PHYSICAL_BYTES = 202,
    GC_EXT_INFO_SIZE = 401
} LongAttribute;

static void count_class(Class *c, void *arg) {
    if (jvm_is_instance_class(c)) ++*(int64_t *)arg;
}
static int64_t loaded_classes(void) {
    int64_t n = 0;
    loader_visit_all_classes(count_class, &n);
    return n;
}
static int64_t live_threads(bool daemons_only) {
    int64_t n = 0;
    HOLDING_THREADS();
    FOR_EACH_THREAD(k) n += thread_object(k) && !k->hidden_from_java && (!daemons_only || k->is_daemon);
    return n;
}

static int64_t long_attribute(jint a) {
    int64_t live;
    switch (a) {
    case COUNT_LOADED: return loaded_classes() + (int64_t)loader_unloaded_classes;
    case COUNT_UNLOADED: return (int64_t)loader_unloaded_classes;
    case THREAD_TOTAL: return atomic_load(&jvm_threads_started) + 1;
    case THREAD_LIVE: return live_threads(false);
    case THREAD_PEAK:
        live = live_threads(false);
        return live > atomic_load(&jvm_threads_peak) ? live : atomic_load(&jvm_threads_peak);
    case THREAD_DAEMON: return live_threads(true);
    case INIT_DONE_MS: return vm.start_millis;
    case COMPILE_MS: return jit_on ? (int64_t)(jit_figures().nanos / 1000000) : -1;
    case GC_MS: return heap_gc_millis();
    case GC_COUNT: return (int64_t)heap_gc_count();
    case UPTIME_MS: return (os_nanos() - vm.start_nanos) / 1000000;
    case VM_GLOBALS: return vm_flag_count();
    case PROCESS_ID: return getpid();
    case PHYSICAL_BYTES: return (int64_t)os_physical_memory();
    case GC_EXT_INFO_SIZE: return 1;
    default: return -1;
    }
}

jlong jmm_GetLongAttribute(JNIEnv *env, jobject obj, jint attribute) {
    IN_JAVA Thread *t = native_enter(env);
    jlong v = -1;
    if (!obj || !jmm_collector_attribute(handle_get(obj), attribute == GC_COUNT, attribute == GC_MS, &v))
        v = long_attribute(attribute);
    return v;
}

jint jmm_GetLongAttributes(JNIEnv *env, jobject obj, jint *attributes, jint count, jlong *result) {
    IN_JAVA Thread *t = native_enter(env);
    jint known = 0;
    for (jint i = 0; i < count; i++) known += (result[i] = long_attribute(attributes[i])) != -1;
    return known;
}

enum { VERBOSE_GC = 21, VERBOSE_CLASS, THREAD_CONTENTION, THREAD_CPU_TIME, THREAD_ALLOCATED };
static bool cpu_time_on = true, allocated_on = true;

static bool *bool_attribute(jint a) {
    switch (a) {
    case THREAD_CONTENTION: return &thread_contention_timed;
    case THREAD_CPU_TIME: return &cpu_time_on;
    case THREAD_ALLOCATED: return &allocated_on;
    default: return NULL;
    }
}
jboolean jmm_GetBoolAttribute(JNIEnv *env, jint attribute) {
    bool *b = bool_attribute(attribute);
    if (attribute == VERBOSE_GC || attribute == VERBOSE_CLASS) return log_on(attribute == VERBOSE_GC ? LOG_GC : LOG_CLASS_LOAD);
    return b && *b;
}
jboolean jmm_SetBoolAttribute(JNIEnv *env, jint attribute, jboolean flag) {
    bool *b = bool_attribute(attribute);
    bool old = jmm_GetBoolAttribute(env, attribute);
    if (b) *b = flag != 0;
    if (attribute == VERBOSE_GC) log_verbose(LOG_GC, flag);
    if (attribute == VERBOSE_CLASS) log_verbose(LOG_CLASS_LOAD, flag), log_verbose(LOG_CLASS_UNLOAD, flag);
    return old;
}

static void reset_contention(int64_t id, bool counts, bool times) {
    HOLDING_THREADS();
    FOR_EACH_THREAD(k) {
        Object *o = thread_object(k);
        if (id && (!o || JGET_LONG(o, Thread, tid) != id)) continue;
        if (counts) k->contention.blocked = k->contention.waited = 0;
        if (times) k->contention.blocked_nanos = k->contention.waited_nanos = 0;
    }
}

jboolean jmm_ResetStatistic(JNIEnv *env, jvalue obj, jint type) {
    enum { STAT_PEAK_THREADS = 801, STAT_CONTENTION_COUNT, STAT_CONTENTION_TIME, STAT_CONTENTION, STAT_PEAK_USAGE };
    IN_JAVA Thread *t = native_enter(env);
    bool ok = true;
    switch (type) {
    case STAT_PEAK_THREADS: atomic_store(&jvm_threads_peak, (int)live_threads(false)); break;
    case STAT_CONTENTION_COUNT: reset_contention(obj.j, true, false); break;
    case STAT_CONTENTION_TIME: reset_contention(obj.j, false, true); break;
    case STAT_CONTENTION: reset_contention(obj.j, true, true); break;
    case STAT_PEAK_USAGE: jmm_reset_peak(t, obj.l ? handle_get(obj.l) : NULL); break;
    default: ok = false;
    }
    return ok;
}

/* ---- what this VM does not offer ---- */

jint jmm_GetInternalThreadTimes(JNIEnv *env, jobjectArray names, jlongArray times) { return 0; }
void jmm_SetDiagnosticFrameworkNotificationEnabled(JNIEnv *env, jboolean on) {}
