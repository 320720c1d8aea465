/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notices: ObjectFree, com.sun.hotspot.events.ClassUnload (ti_extension.c), and what ti_code.c tells of compiled code.
 *
 * They arise in a pause, where no agent may be called: its handlers take raw monitors that a stopped
 * thread may hold; or where a thread must not stop.  So they are appended to a queue, in the order in which they arise, and a
 * thread of our own tells them when the world runs again.
 *
 * An agent that disables the event, disposes of its environment or walks the heap has a right to know first what
 * the last collection found: these flush.  Who flushes tells what is in the queue itself and waits until nobody else is
 * telling.  A heap walk also holds the queue: notices stay in it until the walk is over.
 *
 * Lock: notice_lock, whose holders never stop, never held across a callback.  `telling` counts threads that
 * took notices off the queue and are not through; a callback that flushes does not wait for itself.
 */
#include "core/lock.h"
#include "object/class.h"
#include "ti_notice.h"
#include "ti_post.h"
#include <stdlib.h>
#include <string.h>

typedef struct Notice {
    struct Notice *next;
    TiEnv *env;
    jlong tag;
    CodeNews *code;
    char class_name[]; /* "" for others */
} Notice;

static VmLock notice_lock = VM_LOCK(NOTICES);
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static Notice *first, **tail = &first; /* [lock: notice_lock] */
static int telling, holds;             /* [lock: notice_lock] */
static bool running;                   /* [lock: notice_lock] */
static _Thread_local int own_telling;

static bool append(TiEnv *e, jlong tag, const char *name, CodeNews *code) {
    size_t n = strlen(name) + 1;
    Notice *x = malloc(sizeof *x + n);
    if (!x) return false; /* nobody could be asked for memory here */
    *x = (Notice){.env = e, .tag = tag, .code = code};
    memcpy(x->class_name, name, n);
    HOLDING(&notice_lock);
    *tail = x;
    tail = &x->next;
    pthread_cond_broadcast(&changed);
    return true;
}
void ti_notice_code(TiEnv *e, CodeNews *n) {
    if (n && !append(e, 0, "", n)) free(n);
}
void ti_notice_object_free(TiEnv *e, jlong tag) {
    if (ti_wants(e, NULL, JVMTI_EVENT_OBJECT_FREE)) append(e, tag, "", NULL);
}
void ti_notice_class_unload(Class *c) {
    for (TiEnv *e = ti_envs; e; e = e->next)
        if (ti_env_valid(e) && e->class_unload && e->class_unload_enabled) append(e, 0, c->name->bytes, NULL);
}

/* The environment may have been disposed of, or the event turned off, since. */
static void tell(const Notice *n, Thread *t) {
    TiEnv *e = n->env;
    if (n->code) {
        ti_code_tell(e, n->code);
    } else if (n->class_name[0]) {
        jvmtiExtensionEvent unload = e->class_unload;
        if (unload && ti_env_valid(e)) unload((jvmtiEnv *)e, &t->env, n->class_name);
    } else {
        jvmtiEventObjectFree object_free = TI_CALLBACK(e, ObjectFree);
        if (object_free && ti_wants(e, NULL, JVMTI_EVENT_OBJECT_FREE)) object_free((jvmtiEnv *)e, n->tag);
    }
}
/* In NATIVE, with the lock, which is given back meanwhile. */
static void tell_all(Thread *t) {
    Notice *list = first;
    first = NULL;
    tail = &first;
    telling++;
    own_telling++;
    lock_release(&notice_lock);
    for (Notice *next; list; list = next) {
        next = list->next;
        tell(list, t);
        free(list->code);
        free(list);
    }
    lock_take(&notice_lock);
    own_telling--;
    telling--;
    pthread_cond_broadcast(&changed);
}
static void flush_locked(Thread *t) {
    if (first && !holds) tell_all(t);
    while (telling > own_telling) lock_wait(&changed, &notice_lock);
}
static void flush(Ti *x, int hold) {
    if (!x->thread) return;
    THREAD_BLOCKING(x->thread) {
        HOLDING(&notice_lock);
        flush_locked(x->thread);
        holds += hold;
    }
}
void ti_notices_flush(Ti *x) { flush(x, 0); }
void ti_notices_hold(Ti *x) { flush(x, 1); }
void ti_notices_release(void) {
    HOLDING(&notice_lock);
    holds--;
    pthread_cond_broadcast(&changed);
}

static void teller(Thread *t, void *arg) {
    thread_to_native(t);
    lock_take(&notice_lock);
    for (;;) {
        while (!first || holds) lock_wait(&changed, &notice_lock);
        tell_all(t);
    }
}
void ti_notices_start(void) {
    Thread *made;
    lock_take(&notice_lock);
    bool start = !running;
    running = true;
    lock_release(&notice_lock);
    if (!start) return;
    if (thread_start(NULL, teller, NULL, 0, "JVM TI notices", true, &made)) made->is_vm_internal = true;
    else running = false; /* asked again at the next chance */
}
