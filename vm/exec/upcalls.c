/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Services of lang/ and exec/ that lower layers declare and use (thread/thread_upcall.h,
 * heap/heap_upcall.h): they are bound by name at link time, so the include graph stays acyclic.
 */
#include "object/class.h"
#include "thread/thread_upcall.h"
#include "frame/frame_view.h"
#include "heap/heap_upcall.h"
#include "exec/throw.h"
#include "lang/javaclasses.h"

bool upcall_interrupted(Object *o, bool clear) {
    if (!o || !jc_off.Thread_interrupted) return false;
    bool on = JGET_BOOL(o, Thread, interrupted);
    if (on && clear) JSET_BOOL(o, Thread, interrupted, false);
    return on;
}

int upcall_thread_status(Object *o, int status) {
    if (!o || !jc_off.Thread_threadStatus) return 0;
    int old = JGET_INT(o, Thread, threadStatus);
    JSET_INT(o, Thread, threadStatus, status);
    return old;
}

void upcall_set_eetop(Object *o, Thread *t) { JSET_LONG(o, Thread, eetop, (int64_t)(intptr_t)t); }

Thread *upcall_eetop(Object *o) { return jc_off.Thread_eetop ? (Thread *)(intptr_t)JGET_LONG(o, Thread, eetop) : NULL; }

void upcall_throw_not_owner(Thread *t) { throw_new(t, EX_IllegalMonitorStateException, "current thread is not owner"); }
void upcall_throw_interrupted(Thread *t) { throw_plain(t, EX_InterruptedException); }
void upcall_throw_negative_timeout(Thread *t) { throw_new(t, EX_IllegalArgumentException, "timeout value is negative"); }
void upcall_throw_memory_fault(Thread *t) {
    throw_new(t, EX_InternalError, "a fault occurred in an unsafe memory access operation");
}
void upcall_throw_oom(Thread *t, const char *msg) { throw_oom(t, msg); }

bool upcall_ref_layout(RefLayout *out) {
    if (!jc_off.Reference_referent) return false;
    Class *soft = JC(SoftReference);
    *out = (RefLayout){
        .referent = jc_off.Reference_referent,
        .next = jc_off.Reference_next,
        .discovered = jc_off.Reference_discovered,
        .timestamp = jc_off.SoftReference_timestamp,
        .clock = soft && soft->mirror && jc_off.SoftReference_clock
                     ? &OBJ_FIELD(int64_t, soft->mirror, jc_off.SoftReference_clock)
                     : NULL,
    };
    return true;
}

void upcall_java_stack(Thread *t, void (*visit_word)(u8, void *), void *arg) { java_stack_words(t, visit_word, arg); }
void upcall_java_stack_raw(Thread *t, void (*visit_word)(u8, void *), void *arg) { java_stack_raw_words(t, visit_word, arg); }
