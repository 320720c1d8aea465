/* SPDX-License-Identifier: Apache-2.0 */
/* Posting one event to the environments that want it; see the head of ti_event.c. */
#ifndef GRAFT_JVMTI_TI_POST_H
#define GRAFT_JVMTI_TI_POST_H

#include "core/lock.h"
#include "ti.h"

/* Callback set, enabled for t, and the phase fits. */
bool ti_wants(const TiEnv *e, Thread *t, jvmtiEvent ev);

/* Around one callback: native state, a frame of local references, exception put aside. */
typedef struct Callout { Thread *t; Object *saved; HandleMark mark; } Callout;
Callout ti_callout_begin(Thread *t);
void ti_callout_end(Callout *c);

#define POST(t, NAME, cb, ...)                                                                 \
    for (TiEnv *e = ti_envs; e; e = e->next)                                                    \
        if (ti_wants(e, t, JVMTI_EVENT_##NAME)) {                                                  \
            Callout _c = ti_callout_begin(t);                                                      \
            jthread jt = handle_local(t, t->java_thread);                                       \
            JNIEnv *jni = (JNIEnv *)&t->env;                                                    \
            jvmtiEnv *ti = (jvmtiEnv *)e;                                                       \
            (void)jt, (void)jni;                                                                \
            __VA_ARGS__                                                                         \
            ti_callout_end(&_c);                                                                   \
        }
/* The call itself, in native state. */
#define CALL(cb, ...)                                     \
    do {                                                  \
        jvmtiEvent##cb _f = e->callbacks.cb;              \
        lock_none_from(0, "callback " #cb);               \
        thread_to_native(t);                              \
        if (_f) _f(__VA_ARGS__);                          \
        thread_to_java(t);                                \
    } while (0);

#endif
