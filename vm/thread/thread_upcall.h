/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads and monitors need from higher layers (fields of java.lang.Thread, raising
 * exceptions).  Bound at link time; defined in exec/upcalls.c.
 */
#ifndef GRAFT_THREAD_UPCALL_H
#define GRAFT_THREAD_UPCALL_H

#include "thread/thread.h"

/* Thread.interrupted of a java.lang.Thread; may be called in any state (objects do not move). */
bool upcall_interrupted(Object *java_thread, bool clear);
int upcall_thread_status(Object *java_thread, int status); /* returns the former value */
void upcall_set_eetop(Object *java_thread, Thread *t);
Thread *upcall_eetop(Object *java_thread);

void upcall_hash_row(const Object *o);         /* there is a cell for its hash from now on (heap/hashes.c) */
int32_t upcall_archived_hash(const Object *o); /* what the reference's archive would have, 0: no hash (link/archived.c) */
void upcall_throw_not_owner(Thread *t);        /* IllegalMonitorStateException */
void upcall_throw_interrupted(Thread *t);      /* InterruptedException without message */
void upcall_throw_memory_fault(Thread *t);     /* InternalError */
void upcall_throw_oom(Thread *t, const char *msg);
void upcall_throw_negative_timeout(Thread *t); /* IllegalArgumentException */

#endif
