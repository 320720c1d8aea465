/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java.lang.Thread.
 *
 * Life of a Java thread: start0 makes the OS thread (eetop set before it runs),
 * run() is called, and thread_java_exit does the Java-level end in this order:
 * uncaught exception handler, Thread.exit() (leaves its group), ThreadEnd event,
 * then under the Thread's own monitor TERMINATED, eetop = 0, notifyAll, which is
 * what join() waits for.
 */
#include "jvm/jvm_thread.h"
#include "frame/frame_view.h"
#include "jvm/jvm_int.h"

#include "log/log.h"
#include "core/vm.h"
#include "core/hooks.h"
#include "os/os.h"
#include "redefine/redefine.h"
#include "thread/monitor.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- end ---- */

static void report_handler_failure(Thread *t, Object *ex) {
    char *name = string_to_cstr(JGET_REF(t->java_thread, Thread, name));
    fprintf(stderr, "\nException: %s thrown from the UncaughtExceptionHandler in thread \"%s\"\n", class_text(obj_class(ex)).s,
            name ? name : t->name);
    free(name);
}

static void dispatch_uncaught(Thread *t) {
    Object *ex = exception_take(t);
    if (!ex) return;
    Slot args[2] = {{.ref = t->java_thread}, {.ref = ex}};
    exec_call_virtual(t, jc_method(JM_Thread_dispatchUncaughtException), args, NULL);
    Object *again = exception_take(t);
    if (again) report_handler_failure(t, again);
}

void thread_java_exit(Thread *t) {
    Object *jt = t->java_thread;
    if (!jt) return;
    dispatch_uncaught(t);
    /* An asynchronous ThreadDeath may cut exit() short: try again while the group is set. */
    for (int i = 0; i < 3 && JGET_REF(jt, Thread, group); i++) {
        Slot arg = {.ref = jt};
        exec_call(t, jc_method(JM_Thread_exit), &arg, NULL);
        t->exception = NULL;
    }
    HOOK_CALL(THREAD_END, thread_end, t);
    monitor_release_all(t);
    monitor_enter(t, jt);
    JSET_INT(jt, Thread, threadStatus, JT_TERMINATED);
    atomic_thread_fence(memory_order_seq_cst);
    threads_lock(); /* thread_of_java readers hold it */
    JSET_LONG(jt, Thread, eetop, 0);
    threads_unlock();
    monitor_notify(t, jt, true);
    monitor_exit(t, jt);
    t->exception = NULL;
}

void thread_group_add(Thread *t) {
    Object *group = JGET_REF(t->java_thread, Thread, group);
    Slot args[2] = {{.ref = group}, {.ref = t->java_thread}};
    if (group) exec_call_virtual(t, jc_method(JM_ThreadGroup_add), args, NULL);
    t->exception = NULL;
}

/* ---- start ---- */

_Atomic int64_t jvm_threads_started;
_Atomic int jvm_threads_peak;

static void note_started(void) {
    int live = 0, peak = atomic_load(&jvm_threads_peak);
    atomic_fetch_add(&jvm_threads_started, 1);
    threads_lock();
    FOR_EACH_THREAD(k) live += thread_object(k) != NULL;
    threads_unlock();
    while (live > peak && !atomic_compare_exchange_weak(&jvm_threads_peak, &peak, live)) {}
}

static void java_thread_main(Thread *t, void *arg) {
    Object *jt = t->java_thread;
    thread_set_status(t, JT_RUNNABLE);
    HOOK_CALL(THREAD_START, thread_start, t);
    Slot args = {.ref = jt};
    if (!JGET_BOOL(jt, Thread, stillborn)) exec_call_virtual(t, jc_method(JM_Thread_run), &args, NULL);
    thread_java_exit(t);
}

static void start_java_thread(Thread *t, Object *jt) {
    int64_t size = JGET_LONG(jt, Thread, stackSize);
    char *name = string_to_cstr(JGET_REF(jt, Thread, name));
    int before = JGET_INT(jt, Thread, threadStatus);
    JSET_INT(jt, Thread, threadStatus, JT_RUNNABLE);
    Thread *made = NULL;
    bool ok = thread_start(jt, java_thread_main, NULL, size > 0 ? (size_t)size : 0, name ? name : "Thread",
                           JGET_BOOL(jt, Thread, daemon), &made);
    if (!ok) log_print(LOG_OS_THREAD_WARNING, "Failed to start the native thread for java.lang.Thread \"%s\"", name ? name : "");
    free(name);
    if (ok) return note_started();
    JSET_INT(jt, Thread, threadStatus, before);
    throw_oom(t, "unable to create native thread: possibly out of memory or process/resource limits reached");
}

JVM_EXPORT void JVM_StartThread(JNIEnv *env, jobject thread) {
    IN_JAVA Thread *t = native_enter(env);
    Object *jt = handle_get(thread);
    if (JGET_LONG(jt, Thread, eetop) != 0) throw_plain(t, EX_IllegalThreadStateException);
    else start_java_thread(t, jt);
}

/* ---- queries ---- */

JVM_EXPORT jobject JVM_CurrentThread(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, t->java_thread);
}

JVM_EXPORT jboolean JVM_HoldsLock(JNIEnv *env, jclass cls, jobject obj) {
    IN_JAVA Thread *t = native_enter(env);
    if (!obj) return throw_plain(t, EX_NullPointerException), JNI_FALSE;
    return monitor_held_by(t, handle_get(obj));
}

static bool is_listed(const Thread *t) {
    Object *o = thread_object(t);
    return o && !t->hidden_from_java && JC(Thread) && JGET_LONG(o, Thread, eetop) != 0;
}

static int count_java_threads(void) {
    int n = 0;
    HOLDING_THREADS();
    FOR_EACH_THREAD(k) n += is_listed(k);
    return n;
}

/* Threads may come and go between counting and filling: room for a few more, then cut. */
JVM_EXPORT jobjectArray JVM_GetAllThreads(JNIEnv *env, jclass dummy) {
    IN_JAVA Thread *t = native_enter(env);
    int32_t cap = count_java_threads() + 16, n = 0;
    Object *a = class_new_array(t, JC(Thread), cap);
    if (!a) return NULL;
    threads_lock();
    FOR_EACH_THREAD(k)
    if (is_listed(k) && n < cap) array_set_ref(a, n++, k->java_thread);
    threads_unlock();
    return jvm_give_array(t, a, n);
}

/* ---- stack dumps ---- */

typedef struct Trace {
    Object *java_thread;
    CF_VEC(FrameLine) frames;
    const Class *kept;
    bool taken, failed;
} Trace;

bool jvm_keep_class(const Class *c, const Class **last) {
    if (c == *last) return true;
    *last = c;
    return handle_local_try(thread_self(), c->mirror) != NULL;
}

static void capture_frame(Trace *tr, FrameView v) {
    Method *m = view_method(v);
    tr->failed |= !jvm_keep_class(m->holder, &tr->kept) || !cf_vec_push(&tr->frames, (FrameLine){m, view_bci(v)});
}

static void capture(void *arg) {
    Trace *tr = arg;
    FOR_EACH_THREAD(k) {
        if (k->java_thread != tr->java_thread) continue;
        tr->taken = true;
        FOR_EACH_FRAME(v, k) capture_frame(tr, v); /* those of hidden classes as well, unlike traces of exceptions */
    }
}

static Object *dump_thread(Thread *t, Object *jt) {
    Trace tr = {.java_thread = jt};
    if (!jt || JGET_LONG(jt, Thread, eetop) == 0) return NULL;
    HandleScope scope = handle_scope_begin(t);
    versions_hold();
    safepoint_run("thread dump", capture, &tr);
    if (tr.failed) throw_no_memory(t);
    int32_t n = (int32_t)tr.frames.len;
    Object *a = tr.taken && !tr.failed ? class_new_array(t, JC(StackTraceElement), n) : NULL;
    for (int32_t i = 0; a && i < n; i++) {
        Object *e = jvm_new_stack_element(t, tr.frames.data[i].method, tr.frames.data[i].bci);
        jvm_array_put(&a, i, e);
        if (e) HOOK_CALL(VM_ALLOC, vm_alloc, t, e);
    }
    versions_release();
    handle_scope_end(t, scope);
    cf_vec_free(&tr.frames);
    if (a) HOOK_CALL(VM_ALLOC, vm_alloc, t, a);
    return a;
}

JVM_EXPORT jobjectArray JVM_DumpThreads(JNIEnv *env, jclass cls, jobjectArray threads) {
    IN_JAVA Thread *t = native_enter(env);
    Object *list = handle_get(threads);
    if (!list || array_len(list) == 0) return throw_plain(t, list ? EX_IllegalArgumentException : EX_NullPointerException), NULL;
    Class *row = class_array_of(t, JC(StackTraceElement));
    Object *out = row ? class_new_array(t, row, array_len(list)) : NULL;
    for (int32_t i = 0; out && i < array_len(list); i++) {
        Object *a = dump_thread(t, array_ref(list, i));
        if (t->exception) out = NULL;
        else array_set_ref(out, i, a);
    }
    return jvm_give_array(t, out, array_len(list));
}

/* ---- control ---- */

/* The lock keeps another thread from ending meanwhile. */
static void control(JNIEnv *env, jobject thread, void (*how)(Thread *)) {
    IN_JAVA Thread *t = native_enter(env);
    HOLDING_THREADS();
    Thread *target = thread_of_java(handle_get(thread));
    if (target) how(target);
}
JVM_EXPORT void JVM_Interrupt(JNIEnv *env, jobject thread) { control(env, thread, thread_interrupt_wakeup); }
JVM_EXPORT void JVM_ResumeThread(JNIEnv *env, jobject thread) { control(env, thread, thread_resume); }

JVM_EXPORT void JVM_StopThread(JNIEnv *env, jobject thread, jobject exception) {
    IN_JAVA Thread *t = native_enter(env);
    Object *jt = handle_get(thread), *ex = handle_get(exception);
    if (!ex) return throw_plain(t, EX_NullPointerException);
    if (jt == t->java_thread) return throw_object(t, ex);
    HOLDING_THREADS();
    Thread *target = thread_of_java(jt);
    if (target) thread_stop(target, ex);
    else if (JGET_INT(jt, Thread, threadStatus) == JT_NEW) JSET_BOOL(jt, Thread, stillborn, true);
}

/* For itself the caller must not hold the lock. */
JVM_EXPORT void JVM_SuspendThread(JNIEnv *env, jobject thread) {
    IN_JAVA Thread *t = native_enter(env);
    if (handle_get(thread) == t->java_thread) return thread_suspend(t);
    HOLDING_THREADS();
    Thread *target = thread_of_java(handle_get(thread));
    if (target) thread_suspend(target);
}

/* Priorities are stored only: the default Linux policy ignores them. */
JVM_EXPORT void JVM_SetThreadPriority(JNIEnv *env, jobject thread, jint prio) {
    IN_JAVA Thread *t = native_enter(env);
    JSET_INT(handle_get(thread), Thread, priority, prio);
}

JVM_EXPORT void JVM_Yield(JNIEnv *env, jclass cls) { sched_yield(); }

static void sleep_millis(Thread *t, int64_t millis) {
    if (millis < 0) return throw_new(t, EX_IllegalArgumentException, "timeout value is negative");
    if (thread_is_interrupted(t, true)) return throw_new(t, EX_InterruptedException, "sleep interrupted");
    if (millis == 0) {
        THREAD_BLOCKING(t) sched_yield();
        return;
    }
    if (!thread_sleep_millis(t, millis) && !t->exception) {
        thread_is_interrupted(t, true);
        throw_new(t, EX_InterruptedException, "sleep interrupted");
    }
}

JVM_EXPORT void JVM_Sleep(JNIEnv *env, jclass cls, jlong millis) {
    IN_JAVA Thread *t = native_enter(env);
    sleep_millis(t, millis);
}

JVM_EXPORT void JVM_SetNativeThreadName(JNIEnv *env, jobject thread, jstring name) {
    IN_JAVA Thread *t = native_enter(env);
    if (handle_get(thread) != t->java_thread || t->attached_by_jni) return;
    char *s = string_to_cstr(handle_get(name));
    if (s) os_set_thread_name(s);
    free(s);
}

/* ---- threads that the VM makes ---- */

static Object *make_daemon(Object *o, int priority) {
    JSET_BOOL(o, Thread, daemon, true);
    JSET_INT(o, Thread, priority, priority);
    JSET_INT(o, Thread, threadStatus, JT_RUNNABLE); /* nobody calls Thread.start for it */
    return o;
}
static Object *make_thread_object(Thread *t, const char *name, int priority) {
    Object *o = heap_alloc_object(t, JC(Thread));
    Slot a[3] = {{.ref = o}, {.ref = vm.system_thread_group}, {.ref = string_from_cstr(t, name)}};
    if (!o || !a[2].ref || !exec_call(t, jc_method(JM_Thread_init_name), a, NULL)) return NULL;
    return make_daemon(o, priority);
}

bool service_thread_start(Thread *t, const char *name, int priority, void (*entry)(Thread *, void *)) {
    Object *o = make_thread_object(t, name, priority);
    Thread *made = NULL;
    bool ok = o && thread_start(o, entry, NULL, 0, name, true, &made);
    if (ok) {
        note_started();
        Slot a[2] = {{.ref = vm.system_thread_group}, {.ref = o}};
        exec_call(t, jc_method(JM_ThreadGroup_add), a, NULL);
    }
    if (atomic_load(&vm.phase) == VM_LIVE) t->exception = NULL;
    return ok;
}

/* ---- ... and that Java does not see ---- */

typedef struct HiddenStart {
    jobject object;
    void (*run)(Thread *);
} HiddenStart;

/* Only what is marked gets its object: nobody lists it meanwhile. */
static void hidden_main(Thread *t, void *arg) {
    HiddenStart s = *(HiddenStart *)arg;
    free(arg);
    t->hidden_from_java = true;
    Object *o = handle_get(s.object);
    JSET_LONG(o, Thread, eetop, (int64_t)(intptr_t)t);
    __atomic_store_n(&t->java_thread, o, __ATOMIC_RELEASE); /* thread_object */
    handle_delete_global(s.object);
    s.run(t);
}

/* Any thread may be the first to need it: it inherits nothing that would keep that one's classes. */
static Object *make_hidden_object(Thread *t, const char *name, int priority) {
    Object *text = string_from_cstr(t, name), *o = NULL;
    if (text)
        o = exec_new(t, JC(Thread), "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;Ljava/lang/String;JZ)V", vm.system_thread_group,
                     (Object *)NULL, text, (int64_t)0, 0);
    if (!o) return NULL;
    JSET_REF(o, Thread, contextClassLoader, NULL);
    JSET_REF(o, Thread, inheritedAccessControlContext, NULL);
    return make_daemon(o, priority);
}

bool hidden_thread_start(Thread *t, const char *name, int priority, void (*run)(Thread *)) {
    Object *o = make_hidden_object(t, name, priority);
    HiddenStart *s = o ? malloc(sizeof *s) : NULL;
    t->exception = NULL;
    if (!s) return false;
    *s = (HiddenStart){handle_global(o), run};
    Thread *made;
    if (s->object && thread_start(NULL, hidden_main, s, 0, name, true, &made)) return true;
    if (s->object) handle_delete_global(s->object);
    return free(s), false;
}
