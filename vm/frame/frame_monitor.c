/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The monitors of a frame.
 *
 * Structured locking (JVMS 2.11.10): a frame remembers the monitor of its synchronized method and those that its
 * bytecode entered, so that leaving it by any road can release what was left locked.  It is remembered before it is
 * entered: who asks in MonitorContendedEnter sees it.
 */
#include "exec/throw.h"
#include "frame/frame.h"
#include "thread/monitor.h"
#include <stdlib.h>

bool frame_enter_sync(Thread *t, Frame *f, Object *o) {
    f->sync_object = o;
    f->flags |= FRAME_SYNC;
    return monitor_enter(t, o);
}
bool frame_exit_sync(Thread *t, Frame *f) {
    f->flags &= ~(u4)FRAME_SYNC;
    return monitor_exit(t, f->sync_object);
}

/* --- lock records; free ones wait with the thread --- */

static LockRecord *record_new(Thread *t) {
    LockRecord *r = t->exec_data;
    if (r) {
        t->exec_data = r->next;
        return r;
    }
    return malloc(sizeof *r);
}
static void record_free(Thread *t, LockRecord *r) {
    r->object = NULL;
    r->next = t->exec_data;
    t->exec_data = r;
}
void frame_free_records(Thread *t) {
    for (LockRecord *r = t->exec_data, *next; r; r = next) {
        next = r->next;
        free(r);
    }
    t->exec_data = NULL;
}

static void set_locks(Frame *f, LockRecord *r) {
    f->locks = r;
    if (r) f->flags |= FRAME_LOCKS;
    else f->flags &= ~(u4)FRAME_LOCKS;
}

bool frame_monitor_enter(Thread *t, Frame *f, Object *o) {
    LockRecord *r = record_new(t);
    if (UNLIKELY(!r)) return throw_oom(t, "Cannot allocate lock record"), false;
    r->object = o;
    r->next = frame_locks(f);
    set_locks(f, r);
    if (LIKELY(monitor_enter(t, o))) return true;
    set_locks(f, r->next);
    record_free(t, r);
    return false;
}

bool frame_monitor_exit(Thread *t, Frame *f, Object *o) {
    for (LockRecord **p = frame_locks(f) ? &f->locks : NULL; p && *p; p = &(*p)->next) {
        LockRecord *r = *p;
        if (r->object != o) continue;
        if (!monitor_exit(t, o)) return false;
        *p = r->next;
        record_free(t, r);
        if (!f->locks) f->flags &= ~(u4)FRAME_LOCKS;
        return true;
    }
    throw_plain(t, EX_IllegalMonitorStateException); /* not entered in this frame */
    return false;
}

void frame_release_locks(Thread *t, Frame *f) {
    for (LockRecord *r; (r = frame_locks(f)) != NULL;) {
        set_locks(f, r->next);
        Object *pending = exception_take(t);
        if (!monitor_exit(t, r->object)) t->exception = NULL;
        t->exception = pending;
        record_free(t, r);
    }
}
