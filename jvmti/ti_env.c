/* SPDX-License-Identifier: Apache-2.0 */
/* Chapters Memory Management and General; environments and shared helpers. */
#include "core/lock.h"
#include "log/log.h"
#include "ti.h"
#include "ti_notice.h"
#include <stdlib.h>
#include <string.h>

TiEnv *_Atomic ti_envs, *ti_last_env;
VmLock ti_mutex = VM_LOCK(AGENTS);
void ti_lock(void) { lock_take(&ti_mutex); }
void ti_unlock(void) { lock_release(&ti_mutex); }

TiEnv *ti_env_new(void) {
    TiEnv *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->functions = &ti_functions;
    e->magic = TI_MAGIC;
    for (int k = 0; k < N_DIRECT; k++) e->direct[k].env = e;
    ti_lock();
    e->prev = ti_last_env;
    *(ti_last_env ? &ti_last_env->next : &ti_envs) = e;
    ti_last_env = e;
    ti_unlock();
    return e;
}

/* --- memory --- */
void *ti_alloc(size_t n) { return n ? malloc(n) : NULL; }

jvmtiError ti_Allocate(Ti *x, jlong size, unsigned char **mem_ptr) {
    if (size < 0) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    *mem_ptr = ti_alloc((size_t)size);
    return *mem_ptr || size == 0 ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}
jvmtiError ti_Deallocate(Ti *x, unsigned char *mem) {
    free(mem);
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_string(const char *s, char **out) {
    if (!out) return JVMTI_ERROR_NONE;
    *out = s ? strdup(s) : NULL;
    return *out || !s ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}
jvmtiError ti_bytes(const void *p, size_t n, unsigned char **out) {
    *out = ti_alloc(n);
    if (*out) memcpy(*out, p, n);
    return *out || !n ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}

/* --- results --- */
jvmtiError ti_ref_array(Ti *x, Object **objs, jint n, jobject **out) {
    jobject *v = ti_alloc((size_t)n * sizeof *v);
    if (n && !v) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; i < n; i++)
        if (!(v[i] = handle_local_try(x->thread, objs[i])) && objs[i]) return free(v), JVMTI_ERROR_OUT_OF_MEMORY;
    *out = v;
    return JVMTI_ERROR_NONE;
}
bool ti_refs_add(TiRefs *r, Object *o) {
    r->failed |= !cf_vec_push(&r->list, o);
    return !r->failed;
}
jvmtiError ti_refs_give(Ti *x, TiRefs *r, jint *count, jobject **out) {
    jvmtiError e = r->failed ? JVMTI_ERROR_OUT_OF_MEMORY : ti_ref_array(x, r->list.data, (jint)r->list.len, out);
    if (!e) *count = (jint)r->list.len;
    cf_vec_free(&r->list);
    return e;
}

/* --- arguments --- */
Thread *ti_thread(Ti *x, jthread h) { return h ? thread_of_java(handle_get(h)) : x->thread; }

/* IDs are checked as far as is safe: aligned, and their class is a live Class. */
bool ti_check_method(jmethodID id) {
    const MethodID *m = (const MethodID *)id;
    return m && ((uintptr_t)m & 7) == 0 && (uintptr_t)m > 4096 && class_region_contains(m->holder);
}

/* --- phases and versions --- */
jvmtiPhase ti_phase(const TiEnv *e) {
    switch (atomic_load(&vm.phase)) {
    case VM_ONLOAD: return JVMTI_PHASE_ONLOAD;
    case VM_PRIMORDIAL: return JVMTI_PHASE_PRIMORDIAL;
    case VM_EARLY_START: return e->caps.can_generate_early_vmstart ? JVMTI_PHASE_START : JVMTI_PHASE_PRIMORDIAL;
    case VM_START: return JVMTI_PHASE_START;
    case VM_LIVE: return JVMTI_PHASE_LIVE;
    default: return JVMTI_PHASE_DEAD;
    }
}
int ti_phase_bit(const TiEnv *e) {
    switch (ti_phase(e)) {
    case JVMTI_PHASE_ONLOAD: return ONLOAD;
    case JVMTI_PHASE_PRIMORDIAL: return PRIMORDIAL;
    case JVMTI_PHASE_START: return START;
    case JVMTI_PHASE_LIVE: return LIVE;
    default: return 0;
    }
}
jvmtiError ti_GetPhase(Ti *x, jvmtiPhase *phase_ptr) { return TI_ANSWER(phase_ptr, ti_phase(x->env)); }
/* Whatever version the agent asked for. */
jvmtiError ti_GetVersionNumber(Ti *x, jint *version_ptr) { return TI_ANSWER(version_ptr, JVMTI_VERSION); }

static void dispose_requests(void *env) {
    ti_debugger_dispose(env);
    ti_watches_dispose(env);
}
jvmtiError ti_DisposeEnvironment(Ti *x) {
    ti_notices_flush(x);
    if (x->thread) safepoint_run("JVM TI DisposeEnvironment", dispose_requests, x->env);
    ti_events_change();
    TiEnv *e = x->env;
    e->magic = 0;
    ti_set_callbacks(e, &(jvmtiEventCallbacks){0});
    memset(&e->caps, 0, sizeof e->caps);
    e->enabled = e->enabled_somewhere = 0;
    e->class_unload = NULL;
    e->n_prefixes = 0;
    FOR_EACH_THREAD(t) {
        TiThread *r = ti_thread_record(e, t, false);
        if (!r) continue;
        atomic_store(&r->enabled, 0);
        r->storage = NULL;
    }
    ti_events_apply(x);
    ti_tags_dispose(e);
    return JVMTI_ERROR_NONE;
}

jvmtiError ti_SetEnvironmentLocalStorage(Ti *x, const void *data) {
    x->env->storage = data;
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetEnvironmentLocalStorage(Ti *x, void **data_ptr) { return TI_ANSWER(data_ptr, (void *)x->env->storage); }

jvmtiError ti_GetErrorName(Ti *x, jvmtiError error, char **name_ptr) {
    static const char *const names[] = {
#define ERROR(name) [JVMTI_ERROR_##name] = "JVMTI_ERROR_" #name,
#include "errors.def"
    };
    bool known = (u4)error < ARRAY_LEN(names) && names[error];
    return known ? ti_string(names[error], name_ptr) : JVMTI_ERROR_ILLEGAL_ARGUMENT;
}
jvmtiError ti_SetVerboseFlag(Ti *x, jvmtiVerboseFlag flag, jboolean value) {
    switch (flag) {
    case JVMTI_VERBOSE_OTHER: return JVMTI_ERROR_NONE;
    case JVMTI_VERBOSE_GC: log_verbose(LOG_GC, value); return JVMTI_ERROR_NONE;
    case JVMTI_VERBOSE_CLASS:
        log_verbose(LOG_CLASS_LOAD, value);
        log_verbose(LOG_CLASS_UNLOAD, value);
        return JVMTI_ERROR_NONE;
    case JVMTI_VERBOSE_JNI: log_verbose(LOG_JNI_RESOLVE, value); return JVMTI_ERROR_NONE;
    default: return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    }
}
jvmtiError ti_GetJLocationFormat(Ti *x, jvmtiJlocationFormat *format_ptr) {
    return TI_ANSWER(format_ptr, JVMTI_JLOCATION_JVMBCI);
}
