/* SPDX-License-Identifier: Apache-2.0 */
/* Posting one event to the environments that want it; see the head of ti_event.c. */
#ifndef GRAFT_JVMTI_TI_POST_H
#define GRAFT_JVMTI_TI_POST_H

#include "core/lock.h"
#include "ti.h"

extern TiEnv *_Atomic ti_first_listener[TI_EVENTS];
#define TI_FIRST(NAME) (&ti_first_listener[JVMTI_EVENT_##NAME - TI_FIRST_EVENT])

/* Environments that had the event enabled for some thread and a callback when the lists were made; the lists may
 * change while one is gone through. */
#define FOR_EACH_LISTENER_FROM(e, ev, first) \
    for (TiEnv *e = atomic_load_explicit(first, memory_order_acquire); e; \
         e = atomic_load_explicit(&e->next_listener[(ev)-TI_FIRST_EVENT], memory_order_acquire))
#define FOR_EACH_LISTENER(e, ev) FOR_EACH_LISTENER_FROM(e, ev, &ti_first_listener[(ev)-TI_FIRST_EVENT])

bool ti_phase_fits(const TiEnv *e, jvmtiEvent ev);

/* NULL: taken away meanwhile. */
#define TI_CALLBACK(e, cb) __atomic_load_n(&(e)->callbacks.cb, __ATOMIC_ACQUIRE)

static inline bool ti_listens(const TiEnv *e, Thread *t, u8 bit) {
    if (atomic_load_explicit(&e->listening, memory_order_relaxed) & bit) return true;
    for (TiThread *r = t ? __atomic_load_n(&t->ti_data, __ATOMIC_ACQUIRE) : NULL; r; r = r->next)
        if (r->env == e)
            return atomic_load_explicit(&r->enabled, memory_order_relaxed) &
                   atomic_load_explicit(&e->answered, memory_order_relaxed) & bit;
    return false;
}
/* Callback set, enabled for t, and the phase fits; every event does in the live phase. */
static inline bool ti_wants(const TiEnv *e, Thread *t, jvmtiEvent ev) {
    return ti_listens(e, t, ti_event_bit(ev)) &&
           (LIKELY(atomic_load_explicit(&vm.phase, memory_order_acquire) == VM_LIVE) || ti_phase_fits(e, ev));
}

/* Around one callback: native state, a frame of local references, exception put aside. */
typedef struct Callout {
    Thread *t;
    Object *saved;
    HandleScope scope;
} Callout;
static inline Callout ti_callout_begin(Thread *t) {
    Callout c = {t, t->exception, handle_scope_begin(t)};
    t->exception = NULL;
    return c;
}
static inline void ti_callout_end(Callout *c) {
    handle_scope_end(c->t, c->scope);
    if (!c->t->exception) c->t->exception = c->saved;
}

/* For each environment that wants the event: the statements given, which end in CALL and may use `e`, `ti` (e as the agent knows
 * it), `jni` and `jt` (the thread). */
#define POST(t, NAME, cb, ...) POST_FROM(TI_FIRST(NAME), t, NAME, cb, __VA_ARGS__)
#define POST_FROM(first, t, NAME, cb, ...) \
    FOR_EACH_LISTENER_FROM(e, JVMTI_EVENT_##NAME, first) \
    if (ti_wants(e, t, JVMTI_EVENT_##NAME)) { \
        Callout _c = ti_callout_begin(t); \
        jthread jt = handle_local(t, t->java_thread); \
        JNIEnv *jni = (JNIEnv *)&t->env; \
        jvmtiEnv *ti = (jvmtiEnv *)e; \
        (void)jt, (void)jni; \
        __VA_ARGS__ \
        ti_callout_end(&_c); \
    }
/* The call itself, in native state. Its arguments are at hand before: methods and IDs are looked at where no pause can be. */
#define CALL(cb, ...) \
    do { \
        jvmtiEvent##cb _f = TI_CALLBACK(e, cb); \
        lock_none_from(0, "callback " #cb); \
        thread_to_native(t); \
        if (_f) _f(__VA_ARGS__); \
        thread_to_java(t); \
    } while (0);

#endif
