/* SPDX-License-Identifier: Apache-2.0 */
/* Chapters Thread and Thread Group. */
#include "ti.h"
#include "jvm/jvm_thread.h"
#include "lang/string.h"
#include <stdlib.h>

jint ti_thread_state(const Thread *t, const Object *o) {
    jint s = JGET_INT(o, Thread, threadStatus);
    if (!t) return s;
    if (JGET_BOOL(o, Thread, interrupted)) s |= JVMTI_THREAD_STATE_INTERRUPTED;
    if (atomic_load(&t->suspended)) s |= JVMTI_THREAD_STATE_SUSPENDED;
    /* Sleeping and waiting happen in the VM, whatever method asked for it. */
    if (s & JVMTI_THREAD_STATE_RUNNABLE && stack_native_caller(t) && t != thread_self()) s |= JVMTI_THREAD_STATE_IN_NATIVE;
    return s;
}
jvmtiError ti_GetThreadState(Ti *x, jthread thread, jint *thread_state_ptr) {
    Object *o = thread ? handle_get(thread) : x->thread->java_thread;
    if (!o) return JVMTI_ERROR_INVALID_THREAD; /* a thread of the VM's own */
    HOLDING_THREADS();
    *thread_state_ptr = ti_thread_state(thread_of_java(o), o);
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetCurrentThread(Ti *x, jthread *thread_ptr) {
    return TI_ANSWER(thread_ptr, handle_local(x->thread, x->thread->java_thread));
}
/* A thread that has told its joiners of its end is no longer alive, though still listed. */
void ti_live_threads(TiRefs *r) {
    HOLDING_THREADS();
    FOR_EACH_THREAD(t) {
        Object *o = thread_object(t);
        if (o && !t->hidden_from_java && JGET_LONG(o, Thread, eetop)) ti_refs_add(r, o);
    }
}
jvmtiError ti_GetAllThreads(Ti *x, jint *threads_count_ptr, jthread **threads_ptr) {
    TiRefs r = {0};
    ti_live_threads(&r);
    return ti_refs_give(x, &r, threads_count_ptr, threads_ptr);
}

/* The lock keeps another thread from ending meanwhile; for itself the caller must not hold it. */
jvmtiError ti_SuspendThread(Ti *x, jthread thread) {
    Thread *t = ti_thread(x, thread);
    if (t == x->thread) return thread_suspend(t), JVMTI_ERROR_NONE;
    HOLDING_THREADS();
    t = ti_thread(x, thread);
    bool suspended = t && atomic_load(&t->suspended);
    if (t && !suspended) thread_suspend(t);
    return !t ? JVMTI_ERROR_THREAD_NOT_ALIVE : suspended ? JVMTI_ERROR_THREAD_SUSPENDED : JVMTI_ERROR_NONE;
}
jvmtiError ti_ResumeThread(Ti *x, jthread thread) {
    HOLDING_THREADS();
    Thread *t = ti_thread(x, thread);
    bool suspended = t && atomic_load(&t->suspended);
    if (suspended) thread_resume(t);
    return !t ? JVMTI_ERROR_THREAD_NOT_ALIVE : suspended ? JVMTI_ERROR_NONE : JVMTI_ERROR_THREAD_NOT_SUSPENDED;
}
/* The caller, if listed, goes last: it stops inside. */
jvmtiError ti_SuspendThreadList(Ti *x, jint request_count, const jthread *request_list, jvmtiError *results) {
    jint self = -1;
    for (jint i = 0; i < request_count; i++) {
        if (!ti_is(request_list[i], JC(Thread))) results[i] = JVMTI_ERROR_INVALID_THREAD;
        else if (handle_get(request_list[i]) == x->thread->java_thread) self = i;
        else results[i] = ti_SuspendThread(x, request_list[i]);
    }
    if (self >= 0) {
        results[self] = JVMTI_ERROR_NONE;
        thread_suspend(x->thread);
    }
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_ResumeThreadList(Ti *x, jint request_count, const jthread *request_list, jvmtiError *results) {
    for (jint i = 0; i < request_count; i++)
        results[i] = ti_is(request_list[i], JC(Thread)) ? ti_ResumeThread(x, request_list[i]) : JVMTI_ERROR_INVALID_THREAD;
    return JVMTI_ERROR_NONE;
}

jvmtiError ti_InterruptThread(Ti *x, jthread thread) {
    exec_call_on(x->thread, handle_get(thread), "interrupt", "()V");
    if (x->thread->exception) return x->thread->exception = NULL, JVMTI_ERROR_INTERNAL;
    return JVMTI_ERROR_NONE;
}

/* Any object will do: it is thrown as it is.  What names none is refused as NULL is, as the reference does. */
jvmtiError ti_StopThread(Ti *x, jthread thread, jobject exception) {
    if (!handle_get(exception)) return JVMTI_ERROR_NULL_POINTER;
    HOLDING_THREADS();
    Thread *t = ti_thread(x, thread);
    if (t) thread_stop(t, handle_get(exception));
    return t ? JVMTI_ERROR_NONE : JVMTI_ERROR_THREAD_NOT_ALIVE;
}

static jvmtiError name_of(Object *text, char **out) {
    char *name = string_to_cstr(text);
    jvmtiError e = text && !name ? JVMTI_ERROR_OUT_OF_MEMORY : ti_string(name ? name : "", out);
    free(name);
    return e;
}
jvmtiError ti_GetThreadInfo(Ti *x, jthread thread, jvmtiThreadInfo *info_ptr) {
    Object *o = thread ? handle_get(thread) : x->thread->java_thread;
    if (!o) return JVMTI_ERROR_INVALID_THREAD;
    jvmtiError e = name_of(JGET_REF(o, Thread, name), &info_ptr->name);
    if (e) return e;
    info_ptr->priority = JGET_INT(o, Thread, priority);
    info_ptr->is_daemon = JGET_BOOL(o, Thread, daemon);
    info_ptr->thread_group = handle_local(x->thread, JGET_REF(o, Thread, group));
    info_ptr->context_class_loader = handle_local(x->thread, JGET_REF(o, Thread, contextClassLoader));
    return e;
}
jvmtiError ti_GetCurrentContendedMonitor(Ti *x, jthread thread, jobject *monitor_ptr) {
    HOLDING_THREADS();
    Thread *t = ti_thread(x, thread);
    if (!t) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    Object *o = t->blocked_on ? t->blocked_on : t->waiting_on;
    return TI_ANSWER(monitor_ptr, handle_local(x->thread, o));
}

/* --- agent threads --- */
typedef struct AgentStart {
    jvmtiStartFunction proc;
    jvmtiEnv *env;
    const void *arg;
} AgentStart;
static void agent_thread(Thread *t, void *p) {
    AgentStart s = *(AgentStart *)p;
    free(p);
    thread_set_status(t, JT_RUNNABLE);
    HOOK_CALL(THREAD_START, thread_start, t);
    HandleMark m = handle_mark(t);
    thread_to_native(t);
    s.proc(s.env, (JNIEnv *)&t->env, (void *)s.arg);
    thread_to_java(t);
    handle_reset(t, m);
    thread_java_exit(t); /* what it leaves is uncaught, as in any thread */
}
jvmtiError ti_RunAgentThread(Ti *x, jthread thread, jvmtiStartFunction proc, const void *arg, jint priority) {
    Object *o = handle_get(thread);
    if (priority < JVMTI_THREAD_MIN_PRIORITY || priority > JVMTI_THREAD_MAX_PRIORITY) return JVMTI_ERROR_INVALID_PRIORITY;
    if (JGET_LONG(o, Thread, eetop) || JGET_INT(o, Thread, threadStatus)) return JVMTI_ERROR_INVALID_THREAD;
    AgentStart *s = malloc(sizeof *s);
    if (!s) return JVMTI_ERROR_OUT_OF_MEMORY;
    *s = (AgentStart){proc, (jvmtiEnv *)x->env, arg};
    JSET_BOOL(o, Thread, daemon, true);
    JSET_INT(o, Thread, priority, priority);
    Thread *made;
    if (thread_start(o, agent_thread, s, 0, "agent", true, &made)) return JVMTI_ERROR_NONE;
    return free(s), JVMTI_ERROR_OUT_OF_MEMORY;
}

/* --- thread-local storage --- */
static jvmtiError set_storage(Ti *x, Thread *t, const void *data) {
    HOLDING(&ti_mutex);
    TiThread *r = ti_thread_record(x->env, t, data != NULL);
    if (r) r->storage = data;
    return r || !data ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}
static jvmtiError get_storage(Ti *x, Thread *t, void **data_ptr) {
    HOLDING(&ti_mutex);
    TiThread *r = ti_thread_record(x->env, t, false);
    return TI_ANSWER(data_ptr, r ? (void *)r->storage : NULL);
}
/* Only another thread can end meanwhile; callbacks ask for their own, often. */
jvmtiError ti_SetThreadLocalStorage(Ti *x, jthread thread, const void *data) {
    if (ti_thread(x, thread) == x->thread) return set_storage(x, x->thread, data);
    HOLDING_THREADS();
    Thread *t = ti_thread(x, thread);
    return t ? set_storage(x, t, data) : JVMTI_ERROR_THREAD_NOT_ALIVE;
}
jvmtiError ti_GetThreadLocalStorage(Ti *x, jthread thread, void **data_ptr) {
    if (ti_thread(x, thread) == x->thread) return get_storage(x, x->thread, data_ptr);
    HOLDING_THREADS();
    Thread *t = ti_thread(x, thread);
    return t ? get_storage(x, t, data_ptr) : JVMTI_ERROR_THREAD_NOT_ALIVE;
}

/* --- groups --- */
jvmtiError ti_GetTopThreadGroups(Ti *x, jint *group_count_ptr, jthreadGroup **groups_ptr) {
    TiRefs r = {0};
    ti_refs_add(&r, vm.system_thread_group);
    return ti_refs_give(x, &r, group_count_ptr, groups_ptr);
}
jvmtiError ti_GetThreadGroupInfo(Ti *x, jthreadGroup group, jvmtiThreadGroupInfo *info_ptr) {
    Object *g = handle_get(group);
    Object *name = JGET_REF(g, ThreadGroup, name);
    info_ptr->parent = handle_local(x->thread, JGET_REF(g, ThreadGroup, parent));
    info_ptr->max_priority = JGET_INT(g, ThreadGroup, maxPriority);
    info_ptr->is_daemon = JGET_BOOL(g, ThreadGroup, daemon);
    return name ? name_of(name, &info_ptr->name) : ti_string(NULL, &info_ptr->name);
}
jvmtiError ti_GetThreadGroupChildren(Ti *x, jthreadGroup group, jint *thread_count_ptr, jthread **threads_ptr,
                                     jint *group_count_ptr, jthreadGroup **groups_ptr) {
    Object *g = handle_get(group);
    TiRefs threads = {0}, groups = {0};
    monitor_enter(x->thread, g);
    Object *tv = JGET_REF(g, ThreadGroup, threads), *gv = JGET_REF(g, ThreadGroup, groups);
    for (int i = 0, n = tv ? JGET_INT(g, ThreadGroup, nthreads) : 0; i < n; i++) {
        Object *o = array_ref(tv, i);
        if (o && JGET_LONG(o, Thread, eetop)) ti_refs_add(&threads, o);
    }
    for (int i = 0, n = gv ? JGET_INT(g, ThreadGroup, ngroups) : 0; i < n; i++) ti_refs_add(&groups, array_ref(gv, i));
    monitor_exit(x->thread, g);
    jvmtiError e = ti_refs_give(x, &threads, thread_count_ptr, threads_ptr);
    if (e) return cf_vec_free(&groups.list), e;
    e = ti_refs_give(x, &groups, group_count_ptr, groups_ptr);
    if (e) free(*threads_ptr);
    return e;
}
