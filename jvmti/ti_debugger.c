/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chapters Breakpoint and NotifyFramePop, and the events of a debugger: method entry and exit,
 * single step, breakpoint, frame pop, exception and catch.
 *
 * A breakpoint is one patched opcode (quick/patch.c) whatever the number of
 * environments that set it; who set it is kept here.  Likewise a frame carries one
 * flag, and the list of requests says for whom.  Breakpoints are changed with the world
 * stopped, requests for frames also under ti_lock.
 */
#include "ti_post.h"
#include "core/schedule.h"
#include "quick/quick.h"
#include "native/native.h"
#include "invoke/invoke.h"
#include "object/method.h"
#include "object/version.h"
#include <stdlib.h>

typedef struct Break {
    TiEnv *env;
    Method *m;
    u4 bci;
    struct Break *next;
} Break;
typedef struct Pop {
    TiEnv *env;
    FrameView v;
    struct Pop *next;
} Pop;
static Break *breaks;
static Pop *pops;

static Break **find_break(TiEnv *e, Method *m, u4 bci) {
    for (Break **p = &breaks; *p; p = &(*p)->next)
        if ((*p)->m == m && (*p)->bci == bci && (!e || (*p)->env == e)) return p;
    return NULL;
}
/* Frames of equivalent older versions run into the breakpoint too. */
static bool each_copy(const Break *b, bool (*change)(Method *, u4, const void *)) {
    bool all = change(b->m, b->bci, b->env);
    for (ClassVersion *v = b->m->version->previous; v; v = v->previous)
        for (u4 i = 0; i < v->n_methods; i++)
            if (method_identity(&v->methods[i]) == b->m) all &= change(&v->methods[i], b->bci, b->env);
    return all;
}
/* b is off the list. */
static void unpatch(const Break *b) {
    each_copy(b, find_break(NULL, b->m, b->bci) ? quick_disown_breakpoint : quick_clear_breakpoint);
}
static void drop(Break **p) {
    Break *b = *p;
    *p = b->next;
    unpatch(b);
    free(b);
}
/* In the pause, when the methods of v were replaced or are about to be freed. */
static void on_version_gone(ClassVersion *v) {
    quick_forget_breakpoints(v);
    TI_DROP_IF(Break, breaks, b, b->m->version == v)
}

/* Everything that depends on which method the ID names now happens in one pause: before it, a redefinition may pass, or the class
 * be unloaded.  The class is linked: nobody gets an ID of its methods before (GetClassMethods refuses, JNI initialises first). */
static jvmtiError check_now(Method *m, jlocation location) {
    if (!m) return JVMTI_ERROR_INVALID_METHODID;
    return location < 0 || location >= (jlocation)m->code_len ? JVMTI_ERROR_INVALID_LOCATION : JVMTI_ERROR_NONE;
}
typedef struct BreakRequest {
    TiEnv *env;
    jmethodID id;
    jlocation at;
    jvmtiError result;
} BreakRequest;
static void set_break(void *arg) {
    BreakRequest *r = arg;
    Method *m = ti_method(r->id);
    r->result = check_now(m, r->at);
    if (!r->result && find_break(r->env, m, (u4)r->at)) r->result = JVMTI_ERROR_DUPLICATE;
    if (r->result) return;
    Break *b = malloc(sizeof *b), fresh = {r->env, m, (u4)r->at, breaks};
    if (b && (find_break(NULL, m, fresh.bci) || each_copy(&fresh, quick_set_breakpoint))) {
        *b = fresh;
        breaks = b;
        return;
    }
    if (b) unpatch(&fresh);
    free(b);
    r->result = JVMTI_ERROR_OUT_OF_MEMORY;
}
static void clear_break(void *arg) {
    BreakRequest *r = arg;
    Method *m = ti_method(r->id);
    Break **p = m ? find_break(r->env, m, (u4)r->at) : NULL;
    r->result = check_now(m, r->at);
    if (!r->result && !p) r->result = JVMTI_ERROR_NOT_FOUND;
    if (!r->result) drop(p);
}
static jvmtiError change_break(Ti *x, const char *why, void (*change)(void *), jmethodID method, jlocation at) {
    BreakRequest r = {x->env, method, at, JVMTI_ERROR_NONE};
    THREAD_BLOCKING(x->thread) SCHEDULE_POINT(breakpoint_before_pause); /* as if it waited for another one's pause */
    safepoint_run(why, change, &r);
    return r.result;
}
jvmtiError ti_SetBreakpoint(Ti *x, jmethodID method, jlocation location) {
    return change_break(x, "JVM TI SetBreakpoint", set_break, method, location);
}
jvmtiError ti_ClearBreakpoint(Ti *x, jmethodID method, jlocation location) {
    return change_break(x, "JVM TI ClearBreakpoint", clear_break, method, location);
}

/* --- frame pop --- */

typedef struct PopRequest {
    Thread *self;
    TiEnv *env;
    jint depth;
    jvmtiError result;
} PopRequest;
static void request_pop(Thread *t, void *arg) {
    PopRequest *r = arg;
    FrameView v = view_at(t, r->depth);
    if (t != r->self && !atomic_load(&t->suspended)) r->result = JVMTI_ERROR_THREAD_NOT_SUSPENDED;
    else if (!view_exists(v)) r->result = JVMTI_ERROR_NO_MORE_FRAMES;
    else if (method_is_native(view_method(v))) r->result = JVMTI_ERROR_OPAQUE_FRAME;
    if (r->result) return;
    if (!view_notifies_pop(v)) ti_forget_pops(v); /* of a frame that was popped at the same place */
    ti_lock();
    Pop *p = pops;
    while (p && (!view_same(p->v, v) || p->env != r->env)) p = p->next;
    if (!p && (p = malloc(sizeof *p))) { /* asked for twice it is told once */
        *p = (Pop){r->env, v, pops};
        pops = p;
    }
    ti_unlock();
    if (p) view_notify_pop(t, v);
    else r->result = JVMTI_ERROR_OUT_OF_MEMORY;
}
jvmtiError ti_NotifyFramePop(Ti *x, jthread thread, jint depth) {
    PopRequest r = {x->thread, x->env, depth, JVMTI_ERROR_NONE};
    jvmtiError e = ti_on_thread(x, thread, request_pop, &r);
    return e ? e : r.result;
}
/* Takes this environment's request for the frame off the list. */
static bool take_pop(TiEnv *e, FrameView v) {
    HOLDING(&ti_mutex);
    Pop **p = &pops, *q;
    while (*p && (!view_same((*p)->v, v) || (*p)->env != e)) p = &(*p)->next;
    if ((q = *p)) *p = q->next, free(q);
    return q != NULL;
}

void ti_forget_pops(FrameView v) {
    ti_lock();
    TI_DROP_IF(Pop, pops, p, view_same(p->v, v))
    ti_unlock();
    view_forget_pop(v);
}

/* --- a disposed environment leaves nothing; world stopped --- */

void ti_debugger_dispose(TiEnv *e) {
    for (Break **p = &breaks; *p;)
        if ((*p)->env == e) drop(p);
        else p = &(*p)->next;
    TI_DROP_IF(Pop, pops, p, p->env == e) /* the flag of a frame may stay: leaving it finds no request */
}

/* --- events --- */

static jmethodID id_of(Method *m) { return (jmethodID)method_id(m); }

static inline void post_entry(TiEnv *_Atomic *first, Thread *t, Method *m) {
    POST_FROM(first, t, METHOD_ENTRY, MethodEntry, jmethodID id = id_of(m); CALL(MethodEntry, ti, jni, jt, id))
}
static inline void post_exit(TiEnv *_Atomic *first, Thread *t, Method *m, bool by_exception, Slot result) {
    POST_FROM(first, t, METHOD_EXIT, MethodExit,
              jvalue v = by_exception ? (jvalue){.j = 0} : native_jvalue(t, m->ret_type, result);
              jmethodID id = id_of(m); CALL(MethodExit, ti, jni, jt, id, by_exception, v))
}
static inline void post_break(TiEnv *_Atomic *first, Thread *t, Method *m, u4 bci) {
    POST_FROM(first, t, BREAKPOINT, Breakpoint, jmethodID id = id_of(m);
              if (find_break(e, method_identity(m), bci)) CALL(Breakpoint, ti, jni, jt, id, bci))
}
static void on_method_entry(Thread *t, Method *m) { post_entry(TI_FIRST(METHOD_ENTRY), t, m); }
static void on_method_exit(Thread *t, Method *m, bool by_exception, Slot result) {
    post_exit(TI_FIRST(METHOD_EXIT), t, m, by_exception, result);
}
/* `told` was called as the only listener, and is not that any more: whoever its callback turned on has its turn. */
static void on_direct_changed(Thread *t, int k, const DirectListener *told, Method *m, Slot result) {
    TiEnv *e = told->env;
    if (k == DIRECT_ENTRY) post_entry(&e->next_listener[JVMTI_EVENT_METHOD_ENTRY - TI_FIRST_EVENT], t, m);
    else if (k == DIRECT_EXIT) post_exit(&e->next_listener[JVMTI_EVENT_METHOD_EXIT - TI_FIRST_EVENT], t, m, false, result);
    else post_break(&e->next_listener[JVMTI_EVENT_BREAKPOINT - TI_FIRST_EVENT], t, m, (u4)result.i);
}
static void on_single_step(Thread *t, Method *m, u4 bci) {
    POST(t, SINGLE_STEP, SingleStep, jmethodID id = id_of(m); CALL(SingleStep, ti, jni, jt, id, bci))
}
static void on_breakpoint(Thread *t, Method *m, u4 bci) { post_break(TI_FIRST(BREAKPOINT), t, m, bci); }
static void on_frame_pop(Thread *t, Method *m, bool by_exception) {
    FrameView v = view_youngest(t);
    for (TiEnv *e = ti_envs; e; e = e->next) {
        if (!take_pop(e, v) || !ti_wants(e, t, JVMTI_EVENT_FRAME_POP)) continue;
        Callout c = ti_callout_begin(t);
        jthread jt = handle_local(t, t->java_thread);
        jmethodID id = id_of(m);
        CALL(FramePop, (jvmtiEnv *)e, (JNIEnv *)&t->env, jt, id, by_exception)
        ti_callout_end(&c);
    }
}
static void on_exception(Thread *t, Method *m, u4 bci, Object *ex, Method *catch_m, u4 catch_bci) {
    POST(t, EXCEPTION, Exception, jobject h = handle_local(t, ex);
         jlocation at = method_is_native(m) ? 0 : (jlocation)bci; /* 0, not -1, as the reference has it */
         jmethodID id = id_of(m), catch_id = catch_m ? id_of(catch_m) : NULL;
         CALL(Exception, ti, jni, jt, id, at, h, catch_id, catch_m ? catch_bci : 0))
}
static void on_exception_catch(Thread *t, Method *m, u4 bci, Object *ex) {
    POST(t, EXCEPTION_CATCH, ExceptionCatch, jobject h = handle_local(t, ex); jmethodID id = id_of(m);
         CALL(ExceptionCatch, ti, jni, jt, id, bci, h))
}

void ti_debugger_init(void) {
    vm_hooks.method_entry = on_method_entry;
    vm_hooks.version_gone = on_version_gone;
    vm_hooks.method_exit = on_method_exit;
    direct_changed = on_direct_changed;
    vm_hooks.single_step = on_single_step;
    vm_hooks.breakpoint = on_breakpoint;
    vm_hooks.frame_pop = on_frame_pop;
    vm_hooks.exception = on_exception;
    vm_hooks.exception_catch = on_exception_catch;
}
