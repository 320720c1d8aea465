/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points and function table, expanded from functions.def.
 *
 * Every entry does the same things in the same order (the reference's, measured):
 * environment, phase, capability, transition, the row's checks, body, transition
 * back.  Bodies therefore start at their meaning.
 */
#include "ti.h"

typedef enum Context { SAFE, FULL } Context;

/* An unattached thread may call what works without a VM, and anything in OnLoad, where there
 * are no threads yet.  "Any" phase includes the dead one: agents ask in Agent_OnUnload. */
static jvmtiError enter(Ti *x, jvmtiEnv *env, int phases, Context ctx, int cap) {
    x->env = (TiEnv *)env;
    x->thread = thread_self();
    x->entered = false;
    if (!ti_env_valid(x->env)) return JVMTI_ERROR_INVALID_ENVIRONMENT;
    int now = ti_phase_bit(x->env);
    if (!(now & phases) && phases != ANY) return JVMTI_ERROR_WRONG_PHASE;
    bool needs_thread = now != ONLOAD && !(ctx == SAFE && phases == ANY);
    if (!x->thread && needs_thread) return JVMTI_ERROR_UNATTACHED_THREAD;
    if (cap != CAP_NONE && !ti_has_capability(x->env, cap)) return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    if (ctx == SAFE || !x->thread) return JVMTI_ERROR_NONE;
    if (atomic_load_explicit(&x->thread->state, memory_order_relaxed) == THREAD_NATIVE) {
        thread_to_java(x->thread);
        x->entered = true;
    }
    return JVMTI_ERROR_NONE;
}
static void leave(Ti *x) {
    if (x->entered) thread_to_native(x->thread);
}

/* --- the words of the checks column: each answers an error or NONE --- */

static jvmtiError check_thread(jthread h, bool null_ok, bool alive) {
    if (!h) return null_ok ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD;
    Object *o = handle_get(h);
    if (!o || !obj_instanceof(o, JC(Thread))) return JVMTI_ERROR_INVALID_THREAD;
    if (alive && !JGET_LONG(o, Thread, eetop)) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    return JVMTI_ERROR_NONE;
}
static jvmtiError check_class(jclass h) {
    Object *o = handle_get(h);
    return o && obj_class(o) == JC(Class) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_CLASS;
}
static jvmtiError check_object(jobject h) { return handle_get(h) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_OBJECT; }
static jvmtiError check_group(jthreadGroup h) {
    Object *o = handle_get(h);
    return o && obj_instanceof(o, JC(ThreadGroup)) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD_GROUP;
}
static jvmtiError check_field(jclass k, jfieldID f) {
    return class_has_field(ti_class(k), (Field *)f) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_FIELDID;
}
static jvmtiError check_not_native(jmethodID m) {
    return method_is_native(ti_method(m)) ? JVMTI_ERROR_NATIVE_METHOD : JVMTI_ERROR_NONE;
}
static jvmtiError check_monitor(jrawMonitorID m) {
    return raw_monitor_valid((RawMonitor *)m) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_MONITOR;
}

#define NO_CHECKS
#define STEP(expr) \
    if (!e) e = (expr);
#define THREAD(h) STEP(check_thread(h, true, false))
#define THREAD_NONNULL(h) STEP(check_thread(h, false, false))
#define ALIVE(h) STEP(check_thread(h, true, true))
#define ALIVE_NONNULL(h) STEP(check_thread(h, false, true))
#define CLASS(h) STEP(check_class(h))
#define OBJECT(h) STEP(check_object(h))
#define GROUP(h) STEP(check_group(h))
#define METHOD(m) STEP(ti_check_method(m) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_METHODID)
#define NOT_NATIVE(m) STEP(check_not_native(m))
#define FIELD(k, f) STEP(check_field(k, f))
#define COUNT(n) STEP((n) < 0 ? JVMTI_ERROR_ILLEGAL_ARGUMENT : JVMTI_ERROR_NONE)
#define PTR(p) STEP((p) ? JVMTI_ERROR_NONE : JVMTI_ERROR_NULL_POINTER)
#define MONITOR(m) STEP(check_monitor(m))

#define TI_WITH_X(...) (&x __VA_OPT__(, ) __VA_ARGS__)
#define TI_WITH_ENV(...) (jvmtiEnv * env __VA_OPT__(, ) __VA_ARGS__)

#define FN(slot, name, phases, ctx, cap, params, args, checks) \
    static jvmtiError JNICALL entry_##name TI_WITH_ENV params { \
        Ti x; \
        jvmtiError e = enter(&x, env, phases, ctx, CAP_##cap); \
        checks if (!e) e = ti_##name TI_WITH_X args; \
        leave(&x); \
        return e; \
    }
#include "functions.def"

/* Writable, as on the reference: profilers put themselves before RedefineClasses and RetransformClasses. */
struct jvmtiInterface_1_ ti_functions = {
#define FN(slot, name, phases, ctx, cap, params, args, checks) .name = entry_##name,
#include "functions.def"
};

#define FN(slot, name, phases, ctx, cap, params, args, checks) \
    _Static_assert(offsetof(struct jvmtiInterface_1_, name) == ((slot)-1) * sizeof(void *), #name);
#include "functions.def"
