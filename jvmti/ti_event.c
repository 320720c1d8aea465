/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events: masks, callbacks, posting.
 *
 * Life of an event (which places of the VM call a hook: README.md): the hook runs in
 * state "in Java" on the thread that caused it.  For each environment in creation order (ClassFileLoadHook: incapable ones
 * first) that has the event enabled for this thread, holds a callback and is in
 * a phase of the event, the callback runs in state "native" inside a frame of
 * local references.  A pending exception is put aside meanwhile; one that the
 * callback leaves replaces it.
 *
 * What is derived, whenever a callback, a mode, a thread's record or an environment changes (ti_events_changed,
 * ti_lock held), so that posting takes no lock and asks nobody who does not listen:
 *   vm_hooks_enabled         the union over environments: what nobody wants costs one bit test in the VM
 *   answered, listening      per environment: events with a callback, and those of them that are on for all threads
 *   first_, next_listener    per event a chain of the environments that have it on for some thread
 *   direct                   for MethodEntry, MethodExit and Breakpoint: the environment that compiled code may call without asking,
 *                            because it alone is in the chain and has the event on for all threads
 * Environments are never freed and their order never changes, so a poster may stand on one while chains change. The link
 * of every environment is kept, whether it listens or not: one that turns itself off in its callback still leads to
 * the next.  Membership says only whom to ask; the two words say, when its turn has come, whether it listens: an
 * environment that an earlier callback disposed of, or whose event it turned off, gets nothing.
 */
#include "ti.h"
#include "ti_notice.h"
#include "ti_post.h"
#include "invoke/invoke.h"
#include <stdlib.h>
#include <string.h>

enum { NO, YES };
typedef struct EventRow {
    const char *name;
    u1 phases, per_thread;
    int16_t cap;
    int16_t hook;
} EventRow;
enum { HOOK_NO_HOOK = -1 };
static const EventRow rows[64] = {
#define EVENT(number, NAME, cb, phases, per_thread, cap, hook) \
    [number - TI_FIRST_EVENT] = {#cb, phases, per_thread, CAP_##cap, HOOK_##hook},
#include "events.def"
};
#define EVENT(number, NAME, cb, phases, per_thread, cap, hook) \
    _Static_assert(JVMTI_EVENT_##NAME == number, #NAME); \
    _Static_assert((phases)&LIVE, "ti_wants relies on it"); \
    _Static_assert(offsetof(jvmtiEventCallbacks, cb) == (number - TI_FIRST_EVENT) * sizeof(void *), #cb);
#include "events.def"

static bool event_valid(jvmtiEvent e) {
    return (int)e >= TI_FIRST_EVENT && (int)e < TI_FIRST_EVENT + 64 && rows[e - TI_FIRST_EVENT].name;
}

/* --- masks --- */

static u8 callbacks_mask(const TiEnv *e) {
    u8 m = 0;
    void *const *slot = (void *const *)&e->callbacks;
    for (size_t i = 0; i < sizeof e->callbacks / sizeof *slot; i++)
        if (slot[i]) m |= (u8)1 << i;
    return m;
}
static void refresh_somewhere(TiEnv *e) {
    e->enabled_somewhere = e->enabled;
    FOR_EACH_THREAD(t)
    for (TiThread *r = t->ti_data; r; r = r->next)
        if (r->env == e) e->enabled_somewhere |= r->enabled;
}
TiEnv *_Atomic ti_first_listener[TI_EVENTS];

static void link_listeners(void) {
    TiEnv *next[TI_EVENTS] = {0};
    for (TiEnv *e = ti_last_env; e; e = e->prev) {
        u8 asked = e->enabled_somewhere & atomic_load_explicit(&e->answered, memory_order_relaxed);
        for (int i = 0; i < TI_EVENTS; i++) {
            atomic_store_explicit(&e->next_listener[i], next[i], memory_order_release);
            if (asked >> i & 1) next[i] = e;
        }
    }
    for (int i = 0; i < TI_EVENTS; i++) atomic_store_explicit(&ti_first_listener[i], next[i], memory_order_release);
}
/* Who listens alone, and on all threads, is called by compiled code itself. */
static void choose_direct(int k, jvmtiEvent ev) {
    TiEnv *first = atomic_load(&ti_first_listener[ev - TI_FIRST_EVENT]), *only = NULL;
    if (first && !atomic_load(&first->next_listener[ev - TI_FIRST_EVENT]) && atomic_load(&first->listening) & ti_event_bit(ev))
        only = first;
    for (TiEnv *e = ti_envs; e; e = e->next) {
        void *callback = e == only ? ((void **)&e->callbacks)[ev - TI_FIRST_EVENT] : NULL;
        atomic_store_explicit(&e->direct[k].callback, callback, memory_order_release);
    }
    atomic_store_explicit(&direct_listeners[k], only ? &only->direct[k] : NULL, memory_order_release);
}
static bool allocations_unseen; /* [lock: ti_lock] threads must give up their windows to be watched */
void ti_events_changed(void) {
    u8 hooks = 0;
    for (TiEnv *e = ti_envs; e; e = e->next) {
        u8 answered = ti_env_valid(e) ? callbacks_mask(e) : 0, on = e->enabled_somewhere & answered;
        atomic_store_explicit(&e->answered, answered, memory_order_relaxed);
        atomic_store_explicit(&e->listening, e->enabled & answered, memory_order_relaxed);
        for (int i = 0; i < 64; i++)
            if (on >> i & 1 && rows[i].name && rows[i].hook >= 0) hooks |= (u8)1 << rows[i].hook;
    }
    link_listeners();
    choose_direct(DIRECT_ENTRY, JVMTI_EVENT_METHOD_ENTRY);
    choose_direct(DIRECT_EXIT, JVMTI_EVENT_METHOD_EXIT);
    choose_direct(DIRECT_BREAK, JVMTI_EVENT_BREAKPOINT);
    hooks |= (u8)1 << HOOK_THREAD_END;   /* thread records are dropped there, */
    hooks |= (u8)1 << HOOK_VERSION_GONE; /* breakpoints there, */
    hooks |= (u8)1 << HOOK_CLASS_UNLOAD; /* and watches here */
    if (hooks & ~atomic_load(&vm_hooks_enabled) & (u8)1 << HOOK_SAMPLED_ALLOC) allocations_unseen = true;
    atomic_store(&vm_hooks_enabled, hooks);
}
/* What the interpreter must report on each thread follows from the masks; threads_lock held. */
static u4 exec_bits(u8 on) {
    u4 b = 0;
    if (on & ti_event_bit(JVMTI_EVENT_METHOD_ENTRY)) b |= EXEC_EVENT_ENTRY;
    if (on & ti_event_bit(JVMTI_EVENT_METHOD_EXIT)) b |= EXEC_EVENT_EXIT;
    if (on & ti_event_bit(JVMTI_EVENT_SINGLE_STEP)) b |= EXEC_EVENT_STEP;
    return b;
}
static u4 global_bits(void) {
    u4 bits = 0;
    for (TiEnv *e = ti_envs; e; e = e->next)
        if (ti_env_valid(e)) bits |= exec_bits(e->enabled & callbacks_mask(e));
    return bits;
}
static u4 bits_of(const Thread *t, u4 global) {
    u4 bits = global;
    for (TiThread *r = t->ti_data; r; r = r->next)
        if (ti_env_valid(r->env)) bits |= exec_bits(r->enabled & callbacks_mask(r->env));
    return bits;
}
static void update_threads(void) {
    u4 global = exec_initial_event_bits = global_bits();
    FOR_EACH_THREAD(t) {
        u4 bits = bits_of(t, global);
        if (bits != thread_events(t)) exec_set_event_bits(t, bits);
    }
}
void ti_events_change(void) {
    threads_lock();
    ti_lock();
}
/* Both locks are held, but for the call that tells the compiler: it is made with threads_lock alone. */
void ti_events_apply(Ti *x) {
    ti_events_changed();
    u4 any = global_bits();
    FOR_EACH_THREAD(t) any |= bits_of(t, 0);
    ti_unlock();
    if (any) exec_events_wanted(any);
    ti_lock();
    update_threads();
    bool close = allocations_unseen && x->thread;
    if (close) allocations_unseen = false;
    ti_unlock();
    if (!any) exec_events_wanted(0);
    threads_unlock();
    if (close) heap_observe_allocations();
    if (x->thread) exec_settle_event_bits();
}

TiThread *ti_thread_record(TiEnv *e, Thread *t, bool create) {
    for (TiThread *r = t->ti_data; r; r = r->next)
        if (r->env == e) return r;
    if (!create) return NULL;
    TiThread *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->env = e;
    r->next = t->ti_data;
    __atomic_store_n(&t->ti_data, r, __ATOMIC_RELEASE); /* posters go through the list without the lock */
    return r;
}
static void ti_thread_gone(Thread *t) {
    HOLDING(&ti_mutex);
    for (TiThread *r = t->ti_data, *next; r; r = next) {
        next = r->next;
        free(r);
    }
    t->ti_data = NULL;
}

/* --- chapter Event Management --- */

/* One by one: posters read them without a lock. */
void ti_set_callbacks(TiEnv *e, const jvmtiEventCallbacks *fresh) {
    void **to = (void **)&e->callbacks;
    void *const *from = (void *const *)fresh;
    for (size_t i = 0; i < sizeof *fresh / sizeof *to; i++) __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
}

jvmtiError ti_SetEventCallbacks(Ti *x, const jvmtiEventCallbacks *callbacks, jint size_of_callbacks) {
    jvmtiEventCallbacks fresh;
    memset(&fresh, 0, sizeof fresh);
    size_t n = (size_t)size_of_callbacks < sizeof fresh ? (size_t)size_of_callbacks : sizeof fresh;
    if (callbacks) memcpy(&fresh, callbacks, n);
    ti_events_change();
    ti_set_callbacks(x->env, &fresh);
    ti_events_apply(x);
    return JVMTI_ERROR_NONE;
}

static jvmtiError set_mode(TiEnv *e, Thread *t, jvmtiEvent ev, bool on) {
    u8 bit = ti_event_bit(ev);
    if (on && ev == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK && e->hook == HOOK_UNDECIDED)
        e->hook = e->caps.can_retransform_classes ? HOOK_RETRANSFORMS : HOOK_PLAIN;
    if (!t) {
        e->enabled = on ? e->enabled | bit : e->enabled & ~bit;
        return JVMTI_ERROR_NONE;
    }
    TiThread *r = ti_thread_record(e, t, on);
    if (!r) return on ? JVMTI_ERROR_OUT_OF_MEMORY : JVMTI_ERROR_NONE;
    if (on) atomic_fetch_or(&r->enabled, bit);
    else atomic_fetch_and(&r->enabled, ~bit);
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_SetEventNotificationMode(Ti *x, jvmtiEventMode mode, jvmtiEvent event_type, jthread event_thread, ...) {
    if (event_thread && !ti_is(event_thread, JC(Thread))) return JVMTI_ERROR_INVALID_THREAD;
    Thread *t = event_thread ? thread_of_java(handle_get(event_thread)) : NULL;
    if (event_thread && !t) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    if ((jint)event_type == TI_CLASS_UNLOAD_EVENT && !t) {
        x->env->class_unload_enabled = mode == JVMTI_ENABLE;
        return JVMTI_ERROR_NONE;
    }
    if (!event_valid(event_type)) return JVMTI_ERROR_INVALID_EVENT_TYPE;
    const EventRow *r = &rows[event_type - TI_FIRST_EVENT];
    if (mode != JVMTI_ENABLE && mode != JVMTI_DISABLE) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (t && !r->per_thread) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (mode == JVMTI_ENABLE && r->cap != CAP_NONE && !ti_has_capability(x->env, r->cap))
        return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    if (mode == JVMTI_DISABLE && event_type == JVMTI_EVENT_OBJECT_FREE) ti_notices_flush(x);
    ti_events_change();
    if (t && !(t = thread_of_java(handle_get(event_thread)))) { /* it has ended meanwhile */
        ti_unlock();
        threads_unlock();
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    }
    jvmtiError e = set_mode(x->env, t, event_type, mode == JVMTI_ENABLE);
    refresh_somewhere(x->env);
    ti_events_apply(x);
    return e;
}
/* --- posting --- */

bool ti_phase_fits(const TiEnv *e, jvmtiEvent ev) { return ti_phase_bit(e) & rows[ev - TI_FIRST_EVENT].phases; }

void ti_post_vm_start(Thread *t, bool early) {
    POST(
        t, VM_START, VMStart, if (!e->started && (!early || e->caps.can_generate_early_vmstart)) {
            e->started = true;
            CALL(VMStart, ti, jni)
        })
}
void ti_post_vm_init(Thread *t) { POST(t, VM_INIT, VMInit, CALL(VMInit, ti, jni, jt)) }
void ti_post_vm_death(Thread *t) { POST(t, VM_DEATH, VMDeath, CALL(VMDeath, ti, jni)) }

static void on_thread_start(Thread *t) { POST(t, THREAD_START, ThreadStart, CALL(ThreadStart, ti, jni, jt)) }
void ti_post_thread_end(Thread *t) { POST(t, THREAD_END, ThreadEnd, CALL(ThreadEnd, ti, jni, jt)) }
static void on_thread_end(Thread *t) {
    ti_post_thread_end(t);
    ti_thread_gone(t);
}
static void on_class_load(Thread *t, Class *c) {
    POST(t, CLASS_LOAD, ClassLoad, jclass k = handle_local(t, c->mirror); CALL(ClassLoad, ti, jni, jt, k))
}
static void on_class_prepare(Thread *t, Class *c) {
    POST(t, CLASS_PREPARE, ClassPrepare, jclass k = handle_local(t, c->mirror); CALL(ClassPrepare, ti, jni, jt, k))
}
static void on_native_bind(Thread *t, Method *m, void *address, void **new_address) {
    *new_address = address;
    jmethodID id = (jmethodID)method_id(m);
    POST(t, NATIVE_METHOD_BIND, NativeMethodBind, JNIEnv *j = ti_phase(e) == JVMTI_PHASE_PRIMORDIAL ? NULL : jni;
         CALL(NativeMethodBind, ti, j, j ? jt : NULL, id, address, new_address) address = *new_address;)
}
static void on_monitor_wait(Thread *t, Object *o, int64_t millis) {
    POST(t, MONITOR_WAIT, MonitorWait, jobject h = handle_local(t, o); CALL(MonitorWait, ti, jni, jt, h, millis))
}
static void on_monitor_waited(Thread *t, Object *o, bool timed_out) {
    POST(t, MONITOR_WAITED, MonitorWaited, jobject h = handle_local(t, o); CALL(MonitorWaited, ti, jni, jt, h, timed_out))
}
static void on_contended_enter(Thread *t, Object *o) {
    POST(t, MONITOR_CONTENDED_ENTER, MonitorContendedEnter, jobject h = handle_local(t, o);
         CALL(MonitorContendedEnter, ti, jni, jt, h))
}
static void on_contended_entered(Thread *t, Object *o) {
    POST(t, MONITOR_CONTENDED_ENTERED, MonitorContendedEntered, jobject h = handle_local(t, o);
         CALL(MonitorContendedEntered, ti, jni, jt, h))
}
static void on_resource_exhausted(Thread *t, int flags, const char *text) {
    POST(t, RESOURCE_EXHAUSTED, ResourceExhausted, CALL(ResourceExhausted, ti, jni, flags, NULL, text))
}
static void on_data_dump(void) {
    Thread *t = thread_self();
    POST(t, DATA_DUMP_REQUEST, DataDumpRequest, CALL(DataDumpRequest, ti))
}
/* The world is stopped: no transition, no references. */
static void on_gc_start(void) {
    FOR_EACH_LISTENER(e, JVMTI_EVENT_GARBAGE_COLLECTION_START)
    if (ti_wants(e, NULL, JVMTI_EVENT_GARBAGE_COLLECTION_START)) TI_CALLBACK(e, GarbageCollectionStart)((jvmtiEnv *)e);
}
static void on_gc_finish(void) {
    FOR_EACH_LISTENER(e, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH)
    if (ti_wants(e, NULL, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH)) TI_CALLBACK(e, GarbageCollectionFinish)((jvmtiEnv *)e);
}

/* --- ClassFileLoadHook: a chain --- */

typedef struct HookCall {
    Class *redefined;
    Object *loader, *pd;
    const char *name;
    ClassInput *in;
} HookCall;

static bool hook_phase_ok(const TiEnv *e) {
    if (ti_phase(e) != JVMTI_PHASE_PRIMORDIAL) return true;
    return e->caps.can_generate_early_class_hook_events && e->caps.can_generate_all_class_hook_events;
}
/* Before a capable environment's first change: here a retransformation will start.  Without memory it
 * starts behind the change. */
static void keep_start(ClassInput *in) {
    in->cached_len = in->len;
    if (!in->owned) in->cached = class_bytes_keep(in->bytes, in->len);
    else in->cached = (u1 *)in->bytes, in->owned = false;
}
static void call_hook(Thread *t, TiEnv *e, HookCall *h) {
    ClassInput *in = h->in;
    if (!ti_wants(e, t, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) || !hook_phase_ok(e)) return;
    Callout c = ti_callout_begin(t);
    jint new_len = 0;
    unsigned char *fresh = NULL;
    jclass redefined = h->redefined ? handle_local(t, h->redefined->mirror) : NULL;
    jobject loader = handle_local(t, h->loader), pd = handle_local(t, h->pd);
    jvmtiEventClassFileLoadHook f = TI_CALLBACK(e, ClassFileLoadHook);
    thread_to_native(t);
    if (f) f((jvmtiEnv *)e, (JNIEnv *)&t->env, redefined, loader, h->name, pd, (jint)in->len, in->bytes, &new_len, &fresh);
    thread_to_java(t);
    if (fresh) {
        if (e->hook == HOOK_RETRANSFORMS && !in->cached) keep_start(in);
        if (in->owned) free((void *)in->bytes);
        in->bytes = fresh;
        in->len = (u4)new_len;
        in->owned = in->changed = true;
    }
    ti_callout_end(&c);
}
static void on_class_file_load(Thread *t, Class *redefined, bool retransform, Object *loader, const char *name, Object *pd,
                               ClassInput *in) {
    const u1 *given = in->bytes;
    HookCall h = {redefined, loader, pd, name, in};
    if (redefined && atomic_load(&ti_first_listener[JVMTI_EVENT_CLASS_FILE_LOAD_HOOK - TI_FIRST_EVENT]))
        ti_module_redefined(t, redefined);
    for (TiEnv *e = ti_envs; e && !retransform; e = e->next)
        if (e->hook == HOOK_PLAIN) call_hook(t, e, &h); /* one that is decided meanwhile is not asked twice */
    for (TiEnv *e = ti_envs; e; e = e->next)
        if (e->hook == HOOK_RETRANSFORMS) call_hook(t, e, &h);
    if (in->bytes != given) ti_module_transformed(t, loader, name);
}

void ti_events_init(void) {
    ti_debugger_init();
    ti_watches_init();
    ti_tags_init();
    ti_heap_events_init();
    ti_code_init();
    vm_hooks.class_file_load = on_class_file_load;
    vm_hooks.class_load = on_class_load;
    vm_hooks.class_prepare = on_class_prepare;
    vm_hooks.thread_start = on_thread_start;
    vm_hooks.thread_end = on_thread_end;
    vm_hooks.native_bind = on_native_bind;
    vm_hooks.monitor_wait = on_monitor_wait;
    vm_hooks.monitor_waited = on_monitor_waited;
    vm_hooks.monitor_contended_enter = on_contended_enter;
    vm_hooks.monitor_contended_entered = on_contended_entered;
    vm_hooks.resource_exhausted = on_resource_exhausted;
    vm_hooks.data_dump = on_data_dump;
    vm_hooks.gc_start = on_gc_start;
    vm_hooks.gc_finish = on_gc_finish;
}
