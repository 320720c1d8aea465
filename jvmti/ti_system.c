/* SPDX-License-Identifier: Apache-2.0 */
/* Chapters Timers, Class Loader Search, System Properties, JNI Function Interception,
 * Extension Mechanism, and ForceGarbageCollection. */
#include "ti.h"
#include "core/launch.h"
#include "lang/string.h"
#include "native/native.h"
#include "os/os.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- timers --- */
static jvmtiError timer_info(jvmtiTimerInfo *i, jvmtiTimerKind kind) {
    memset(i, 0, sizeof *i);
    i->max_value = -1; /* all 64 bits */
    i->kind = kind;
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetCurrentThreadCpuTimerInfo(Ti *x, jvmtiTimerInfo *info_ptr) {
    return timer_info(info_ptr, JVMTI_TIMER_TOTAL_CPU);
}
jvmtiError ti_GetThreadCpuTimerInfo(Ti *x, jvmtiTimerInfo *info_ptr) { return timer_info(info_ptr, JVMTI_TIMER_TOTAL_CPU); }
jvmtiError ti_GetTimerInfo(Ti *x, jvmtiTimerInfo *info_ptr) { return timer_info(info_ptr, JVMTI_TIMER_ELAPSED); }
jvmtiError ti_GetCurrentThreadCpuTime(Ti *x, jlong *nanos_ptr) { return TI_ANSWER(nanos_ptr, os_thread_cpu_nanos(0, false)); }
jvmtiError ti_GetThreadCpuTime(Ti *x, jthread thread, jlong *nanos_ptr) {
    if (ti_thread(x, thread) == x->thread) return ti_GetCurrentThreadCpuTime(x, nanos_ptr);
    HOLDING_THREADS();
    Thread *t = ti_thread(x, thread);
    if (!t) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    return TI_ANSWER(nanos_ptr, t->os_tid ? os_thread_cpu_nanos(t->os_tid, false) : 0); /* 0: it has just been started */
}
jvmtiError ti_GetTime(Ti *x, jlong *nanos_ptr) { return TI_ANSWER(nanos_ptr, os_nanos()); }
jvmtiError ti_GetAvailableProcessors(Ti *x, jint *processor_count_ptr) { return TI_ANSWER(processor_count_ptr, os_processors()); }
jvmtiError ti_ForceGarbageCollection(Ti *x) {
    heap_gc(x->thread, "JvmtiEnv ForceGarbageCollection");
    return JVMTI_ERROR_NONE;
}

/* --- class path --- */
static char *join(const char *path, const char *segment) {
    char *s = NULL;
    if (!path || !*path) return strdup(segment);
    return asprintf(&s, "%s:%s", path, segment) < 0 ? NULL : s;
}
/* A path of the VM and the property that shows it. */
static jvmtiError extend(char **path, const char *old, const char *segment, const char *property) {
    char *joined = join(old, segment);
    if (!joined || !property_try_set(property, joined)) return free(joined), JVMTI_ERROR_OUT_OF_MEMORY;
    *path = joined;
    return JVMTI_ERROR_NONE;
}
static bool is_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}
jvmtiError ti_AddToBootstrapClassLoaderSearch(Ti *x, const char *segment) {
    if (atomic_load(&vm.phase) != VM_ONLOAD)
        return is_file(segment) && boot_append_path(segment) ? JVMTI_ERROR_NONE : JVMTI_ERROR_ILLEGAL_ARGUMENT;
    return extend(&vm.boot_append, vm.boot_append, segment, "jdk.boot.class.path.append");
}
jvmtiError ti_AddToSystemClassLoaderSearch(Ti *x, const char *segment) {
    Thread *t = x->thread;
    if (atomic_load(&vm.phase) == VM_ONLOAD)
        return extend(&vm.class_path, property_get("java.class.path"), segment, "java.class.path");
    if (!is_file(segment)) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    Method *m =
        class_find_method_str(obj_class(vm.system_loader), "appendToClassPathForInstrumentation", "(Ljava/lang/String;)V");
    if (!m) return JVMTI_ERROR_CLASS_LOADER_UNSUPPORTED;
    Slot a[2] = {{.ref = vm.system_loader}, {.ref = string_from_platform(t, segment)}};
    if (a[1].ref && exec_call(t, m, a, NULL)) return JVMTI_ERROR_NONE;
    bool no_memory = exception_is(t, EX_OutOfMemoryError);
    t->exception = NULL;
    return no_memory ? JVMTI_ERROR_OUT_OF_MEMORY : JVMTI_ERROR_INTERNAL;
}

/* --- properties: the VM's own table, not java.lang.System's --- */
jvmtiError ti_GetSystemProperties(Ti *x, jint *count_ptr, char ***property_ptr) {
    jint n = 0;
    for (Property *p = properties; p; p = p->next) n += !p->internal;
    char **v = ti_alloc((size_t)n * sizeof *v);
    if (n && !v) return JVMTI_ERROR_OUT_OF_MEMORY;
    n = 0;
    for (Property *p = properties; p; p = p->next)
        if (!p->internal && !(v[n++] = strdup(p->key))) {
            while (n > 0) free(v[--n]);
            return free(v), JVMTI_ERROR_OUT_OF_MEMORY;
        }
    *count_ptr = n;
    *property_ptr = v;
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetSystemProperty(Ti *x, const char *property, char **value_ptr) {
    Property *p = property_find(property);
    return p && !p->internal ? ti_string(p->value, value_ptr) : JVMTI_ERROR_NOT_AVAILABLE;
}
jvmtiError ti_SetSystemProperty(Ti *x, const char *property, const char *value_ptr) {
    Property *p = property_find(property);
    static const char *const fixed[] = {"java.vm.specification.name", "java.vm.specification.vendor",
                                        "java.vm.specification.version", "java.vm.vendor", "java.vm.version"};
    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        if (strcmp(property, fixed[i]) == 0) return JVMTI_ERROR_NOT_AVAILABLE;
    if (!p || p->internal) return JVMTI_ERROR_NOT_AVAILABLE; /* as the reference: no new ones */
    if (value_ptr && !property_try_set(property, value_ptr)) return JVMTI_ERROR_OUT_OF_MEMORY;
    return JVMTI_ERROR_NONE;
}

/* --- JNI function table --- */
jvmtiError ti_GetJNIFunctionTable(Ti *x, jniNativeInterface **function_table) {
    return ti_bytes(jni_current_table, sizeof **function_table, (unsigned char **)function_table);
}
static void install_table(void *table) {
    jni_current_table = table;
    FOR_EACH_THREAD(t) t->env = table;
}
/* Copies are kept for ever: a thread may be inside an old entry. */
jvmtiError ti_SetJNIFunctionTable(Ti *x, const jniNativeInterface *function_table) {
    struct JNINativeInterface_ *copy = malloc(sizeof *copy);
    if (!copy) return JVMTI_ERROR_OUT_OF_MEMORY;
    memcpy(copy, function_table, sizeof *copy);
    safepoint_run("JVM TI SetJNIFunctionTable", install_table, copy);
    return JVMTI_ERROR_NONE;
}
