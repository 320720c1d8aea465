/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks over the caller's own stack: callers, class context, access control,
 * StackWalker.
 *
 * StackWalker: callStackWalk fills a first batch and calls doStackWalk(anchor, ...)
 * in Java; fetchStackFrames continues from the anchor.  The anchor is the address
 * of a Walk on the C stack of callStackWalk; it is on the thread's list of live
 * walks and nothing else is accepted.
 */
#include "jvm/jvm_int.h"

#include "core/vm.h"
#include "frame/frame_view.h"
#include "invoke/methodhandle.h"
#include "native/intrinsic/intrinsic.h"
#include "object/method.h"

#include <stdlib.h>

/* ---- callers ---- */

JVM_EXPORT jclass JVM_GetCallerClass(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    Slot caller = {.ref = NULL};
    reflection_caller_class(t, NULL, &caller);
    return handle_local(t, caller.ref);
}

static bool counts_for_security(FrameView v) {
    return !method_is_native(view_method(v)) && !view_is_reflection(v) && !(view_method(v)->flags & MF_HIDDEN);
}

JVM_EXPORT jobjectArray JVM_GetClassContext(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    int32_t n = 0;
    FrameView first = view_at(t, 1);
    for (FrameView v = first; view_exists(v); v = view_older(v)) n += counts_for_security(v);
    Object *a = class_new_array(t, JC(Class), n);
    n = 0;
    for (FrameView v = first; a && view_exists(v); v = view_older(v))
        if (counts_for_security(v)) array_set_ref(a, n++, view_method(v)->holder->mirror);
    return handle_local(t, a);
}

JVM_EXPORT jobject JVM_LatestUserDefinedLoader(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    Object *found = NULL;
    for (FrameView v = view_youngest(t); view_exists(v) && !found; v = view_older(v)) {
        Object *l = loader_behind_accessor(view_method(v)->holder->loader)->java;
        if (l && l != vm.platform_loader) found = l;
    }
    return handle_local(t, found);
}

/* ---- access control ---- */

typedef struct Domains { /* stack of protection domains, neighbours differ */
    Object *privileged_context;
    bool privileged;
    int32_t n;
} Domains;

/* Visits frames up to the last privileged one; `out` NULL only counts. */
static Domains collect_domains(Thread *t, Object *out) {
    Domains d = {0};
    Object *last = NULL;
    for (FrameView v = view_youngest(t); view_exists(v) && !d.privileged; v = view_older(v)) {
        Method *m = view_method(v);
        Object *pd = m->holder->protection_domain;
        if (m->holder == JC(AccessController) && symbol_eq(m->name, "executePrivileged")) {
            /* executePrivileged(action, context, caller): arguments stay in the locals */
            Object *caller = view_local(v, 2).ref;
            d.privileged_context = view_local(v, 1).ref;
            d.privileged = true;
            pd = caller ? mirror_class(caller)->protection_domain : NULL;
        }
        if (pd && pd != last) {
            if (out && d.n < array_len(out)) array_set_ref(out, d.n, pd);
            d.n++;
            last = pd;
        }
    }
    return d;
}

static Object *access_context(Thread *t) {
    Domains d = collect_domains(t, NULL);
    Object *list = NULL;
    if (d.n == 0 && d.privileged && !d.privileged_context) return NULL;
    if (d.n) {
        list = class_new_array(t, JC(ProtectionDomain), d.n);
        if (!list) return NULL;
        collect_domains(t, list);
    }
    Object *o = class_new_object(t, JC(AccessControlContext));
    if (!o) return NULL;
    JSET_REF(o, AccessControlContext, context, list);
    JSET_REF(o, AccessControlContext, privilegedContext, d.privileged_context);
    JSET_BOOL(o, AccessControlContext, isPrivileged, d.privileged);
    JSET_BOOL(o, AccessControlContext, isAuthorized, true);
    return o;
}

JVM_EXPORT jobject JVM_GetStackAccessControlContext(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, access_context(t));
}

JVM_EXPORT jobject JVM_GetInheritedAccessControlContext(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Object *jt = t->java_thread;
    return jt ? handle_local(t, JGET_REF(jt, Thread, inheritedAccessControlContext)) : NULL;
}

/* ---- StackWalker ---- */

enum { FILL_CLASS_REFS_ONLY = 2, GET_CALLER_CLASS = 4, SHOW_HIDDEN_FRAMES = 0x20, FILL_LIVE_FRAMES = 0x100 };

typedef struct Walk {
    struct Walk *outer; /* walks of this thread nest */
    FrameView next;     /* first frame not yet delivered */
} Walk;
static _Thread_local Walk *live_walks;

static bool is_walker_class(const Class *c) {
    return c == JC(StackWalker) || c == JC(AbstractStackWalker) || c->super == JC(AbstractStackWalker);
}

static bool fill_info(Thread *t, Object *info, FrameView v) {
    if (!info) return throw_plain(t, EX_NullPointerException), false;
    Object *mn = JGET_REF(info, StackFrameInfo, memberName);
    Method *m = view_method(v);
    if (!membername_init_method(t, mn, m, !method_is_static(m), m->holder)) return false;
    if (m->next_version && !membername_name_version(t, mn, m)) return false;
    JSET_INT(info, StackFrameInfo, bci, (int32_t)view_bci(v));
    return true;
}

static bool fill_class(Thread *t, Object *frames, int32_t index, FrameView v, bool first, int64_t mode) {
    if ((mode & GET_CALLER_CLASS) && first && (view_method(v)->flags & MF_CALLER_SENSITIVE)) {
        char *text = native_method_text(view_method(v));
        throw_new(t, EX_UnsupportedOperationException, "StackWalker::getCallerClass called from @CallerSensitive '%s' method",
                  text);
        free(text);
        return false;
    }
    array_set_ref(frames, index, view_method(v)->holder->mirror);
    return true;
}

/* Delivers up to `count` frames from w->next; the end index, or -1 with an exception. */
static int32_t fill_frames(Thread *t, Walk *w, int64_t mode, int32_t count, int32_t start, Object *frames) {
    bool skip_hidden = !(mode & SHOW_HIDDEN_FRAMES) || (mode & GET_CALLER_CLASS);
    int32_t end = start;
    if (start < 0 || count < 0 || start > array_len(frames) - count)
        return throw_new(t, EX_IllegalArgumentException, "not enough space in buffers"), -1;
    FrameView v = w->next;
    for (; view_exists(v) && end < start + count; v = view_older(v)) {
        if (skip_hidden && view_is_hidden(v)) continue;
        bool ok = mode & FILL_CLASS_REFS_ONLY ? fill_class(t, frames, end, v, end == start, mode)
                                              : fill_info(t, array_ref(frames, end), v);
        if (!ok) return -1;
        end++;
    }
    w->next = v;
    return end;
}

static Object *walk_stack(Thread *t, Object *stream, int64_t mode, int32_t skip, int32_t count, int32_t start, Object *frames) {
    Walk w = {.outer = live_walks, .next = view_youngest(t)};
    if (!frames) return throw_new(t, EX_NullPointerException, "frame_buffer is NULL"), NULL;
    if (mode & FILL_LIVE_FRAMES)
        return throw_new(t, EX_UnsupportedOperationException, "live stack frames are not supported by this VM"), NULL;
    while (view_exists(w.next) && is_walker_class(view_method(w.next)->holder)) w.next = view_older(w.next);
    for (int32_t i = 0; i < skip && view_exists(w.next); i++) w.next = view_older(w.next);
    int32_t end = fill_frames(t, &w, mode, count, start, frames);
    if (end < 0) return NULL;
    if (end == start) return throw_new(t, EX_InternalError, "stack walk: decode failed"), NULL;
    Slot args[7] = {{.ref = stream}, {.j = (int64_t)(intptr_t)&w}, {.raw = 0}, {.i = skip}, {.i = count}, {.i = start},
                    {.i = end}};
    Slot ret = {.raw = 0};
    live_walks = &w;
    bool ok = exec_call_virtual(t, jc_method(JM_ASW_doStackWalk), args, &ret);
    live_walks = w.outer;
    return ok ? ret.ref : NULL;
}

JVM_EXPORT jobject JVM_CallStackWalk(JNIEnv *env, jobject stream, jlong mode, jint skip, jint count, jint start,
                                     jobjectArray frames) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, walk_stack(t, handle_get(stream), mode, skip, count, start, handle_get(frames)));
}

JVM_EXPORT jint JVM_MoreStackWalk(JNIEnv *env, jobject stream, jlong mode, jlong anchor, jint count, jint start,
                                  jobjectArray frames) {
    IN_JAVA Thread *t = native_enter(env);
    Walk *w = live_walks;
    jint end = 0;
    while (w && (jlong)(intptr_t)w != anchor) w = w->outer;
    if (!w) throw_new(t, EX_InternalError, "doStackWalk: corrupted buffers");
    else if (!frames) throw_new(t, EX_NullPointerException, "frame_buffer is NULL");
    else end = fill_frames(t, w, mode, count, start, handle_get(frames));
    return end < 0 ? 0 : end;
}
