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
#include <stdlib.h>

/* A method that throws while its monitor is entered (a callback, an order to stop) was not entered: nothing stays locked. */
void frame_sync_failed(Thread *t, Frame *f, bool entered) {
    Object *ex = exception_take(t);
    if (entered) frame_exit_sync(t, f);
    f->flags &= ~(u4)FRAME_SYNC;
    t->exception = ex;
}

/* --- lock records; free ones wait with the thread --- */

static LockRecord *record_new(Thread *t) {
    LockRecord *r = t->free_records;
    if (r) {
        t->free_records = r->next;
        return r;
    }
    return malloc(sizeof *r);
}
static void record_free(Thread *t, LockRecord *r) {
    r->next = t->free_records;
    t->free_records = r;
}
void frame_free_records(Thread *t) {
    for (LockRecord *r = t->free_records, *next; r; r = next) {
        next = r->next;
        free(r);
    }
    t->free_records = NULL;
}

/* The newest record of f goes: the list is its tail. */
static void drop_newest(Thread *t, Frame *f, LockRecord *r) {
    f->locks = r->next;
    if (!r->next) f->flags &= ~(u4)FRAME_LOCKS;
    record_free(t, r);
}

bool frame_monitor_enter(Thread *t, Frame *f, Object *o) {
    LockRecord *r = record_new(t);
    if (UNLIKELY(!r)) return throw_oom(t, "Cannot allocate lock record"), false;
    r->object = o;
    r->next = frame_locks(f);
    f->locks = r;
    f->flags |= FRAME_LOCKS;
    if (LIKELY(monitor_enter(t, o))) return true;
    drop_newest(t, f, r);
    return false;
}

/* Not the newest one: left out of order, or not entered in this frame. */
static NOINLINE bool exit_older(Thread *t, Frame *f, Object *o) {
    LockRecord *newer = frame_locks(f);
    while (newer && newer->next && newer->next->object != o) newer = newer->next;
    LockRecord *r = newer ? newer->next : NULL;
    if (!r) return throw_plain(t, EX_IllegalMonitorStateException), false;
    if (!monitor_exit(t, o)) return false;
    newer->next = r->next;
    record_free(t, r);
    return true;
}

bool frame_monitor_exit(Thread *t, Frame *f, Object *o) {
    LockRecord *r = frame_locks(f);
    if (UNLIKELY(!r || r->object != o)) return exit_older(t, f, o);
    if (UNLIKELY(!monitor_exit(t, o))) return false;
    drop_newest(t, f, r);
    return true;
}

void frame_release_locks(Thread *t, Frame *f) {
    for (LockRecord *r; (r = frame_locks(f)) != NULL;) {
        Object *pending = exception_take(t), *o = r->object;
        drop_newest(t, f, r);
        if (!monitor_exit(t, o)) t->exception = NULL;
        t->exception = pending;
    }
}
