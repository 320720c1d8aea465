/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points and function table, expanded from functions.def.
 *
 * Every entry does the same things in the same order (the reference's, measured):
 * environment, phase, capability, transition, the row's checks, body, transition
 * back.  Bodies therefore start at their meaning.  An exception that is pending is put aside for the body, which may run Java;
 * what the body leaves is nobody's: functions of JVM TI answer errors.  Thread.stop of the caller waits until it is over.
 */
#include "ti.h"

typedef enum Context { SAFE, FULL } Context;

/* An unattached thread may call what works without a VM, and anything in OnLoad, where there
 * are no threads yet.  "Any" phase includes the dead one: agents ask in Agent_OnUnload. */
static jvmtiError enter(Ti *x, jvmtiEnv *env, int phases, Context ctx, int cap) {
    x->env = (TiEnv *)env;
    x->thread = thread_self();
    x->entered = x->in_body = false;
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
    x->in_body = true;
    x->pending = x->thread->exception;
    x->held = x->thread->async_held;
    x->thread->exception = NULL;
    x->thread->async_held = true;
    return JVMTI_ERROR_NONE;
}

static void leave(const Ti *x) {
    if (x->in_body) {
        x->thread->exception = x->pending;
        x->thread->async_held = x->held;
    }
    if (x->entered) thread_to_native(x->thread);
}

/* --- the words of the checks column: each answers an error or NONE --- */

static jvmtiError check_thread(jthread h, bool null_ok, bool alive) {
    if (!h) return null_ok ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD;
    if (!ti_is(h, JC(Thread))) return JVMTI_ERROR_INVALID_THREAD;
    if (alive && !JGET_LONG(handle_get(h), Thread, eetop)) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    return JVMTI_ERROR_NONE;
}

#define NO_CHECKS
#define STEP(expr) \
    if (!e) e = (expr);
#define THREAD(h) STEP(check_thread(h, true, false))
#define THREAD_NONNULL(h) STEP(check_thread(h, false, false))
#define ALIVE(h) STEP(check_thread(h, true, true))
#define ALIVE_NONNULL(h) STEP(check_thread(h, false, true))
#define MUST(holds, ERROR) STEP((holds) ? JVMTI_ERROR_NONE : JVMTI_ERROR_##ERROR)
#define CLASS(h) MUST(ti_is(h, JC(Class)), INVALID_CLASS)
#define OBJECT(h) MUST(handle_get(h), INVALID_OBJECT)
#define GROUP(h) MUST(ti_is(h, JC(ThreadGroup)), INVALID_THREAD_GROUP)
#define METHOD(m) MUST(ti_check_method(m), INVALID_METHODID)
#define NOT_NATIVE(m) MUST(!method_is_native(ti_method(m)), NATIVE_METHOD)
#define FIELD(k, f) MUST(class_has_field(ti_class(k), ti_field(f)), INVALID_FIELDID)
#define COUNT(n) MUST((n) >= 0, ILLEGAL_ARGUMENT)
#define PTR(p) MUST(p, NULL_POINTER)
#define MONITOR(m) MUST(raw_monitor_valid((RawMonitor *)m), INVALID_MONITOR)

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
