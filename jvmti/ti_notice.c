/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notices: ObjectFree, com.sun.hotspot.events.ClassUnload (ti_extension.c), and what ti_code.c tells of compiled code.
 *
 * They arise in a pause, where no agent may be called: its handlers take raw monitors that a stopped
 * thread may hold; or where a thread must not stop.  So they are appended to queues, in the order in which they arise, and a
 * thread of our own tells them when the world runs again: what compiled code was made and freed it alone, one after the
 * other, because the same address comes again; what was freed without an order.
 *
 * An agent that disables ObjectFree or disposes of its environment has a right to know first what the last collection found:
 * these flush, which tells what stands in the queue for the environment, on the calling thread.  Nobody waits for a callback that
 * another thread is in: it may want a lock that the caller holds.  For the same reason a heap walk tells nothing itself (the
 * reference does not, either).  Inside one, a callback of ObjectFree may be running that the stop of the world found under way;
 * behind it the thread that tells stands still until the walk is over, since it enters the VM between one notice and the next.
 *
 * Lock: notice_lock, whose holders never stop, never held across a callback.
 */
#include "core/lock.h"
#include "jvm/jvm_thread.h"
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

typedef struct Queue {
    Notice *first, **tail; /* [lock: notice_lock] */
} Queue;

static VmLock notice_lock = VM_LOCK(NOTICES);
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static Queue of_code = {.tail = &of_code.first}, freed = {.tail = &freed.first};
static bool running; /* [lock: notice_lock] */

static bool append(TiEnv *e, jlong tag, const char *name, CodeNews *code) {
    size_t n = strlen(name) + 1;
    Notice *x = malloc(sizeof *x + n);
    Queue *q = code ? &of_code : &freed;
    if (!x) return false; /* nobody could be asked for memory here */
    *x = (Notice){.env = e, .tag = tag, .code = code};
    memcpy(x->class_name, name, n);
    HOLDING(&notice_lock);
    *q->tail = x;
    q->tail = &x->next;
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
/* In NATIVE, without the lock. */
static void tell_list(Notice *list, Thread *t) {
    for (Notice *next; list; list = next) {
        next = list->next;
        tell(list, t);
        free(list->code);
        free(list);
    }
}

/* What `freed` has for e; off the queue. */
static Notice *take_freed(const TiEnv *e) {
    Notice *taken = NULL, **end = &taken;
    Notice **at = &freed.first;
    HOLDING(&notice_lock);
    while (*at) {
        Notice *n = *at;
        if (n->env != e) {
            at = &n->next;
            continue;
        }
        *at = n->next;
        n->next = NULL;
        *end = n;
        end = &n->next;
    }
    freed.tail = at;
    return taken;
}
void ti_notices_flush(Ti *x) {
    if (x->thread) THREAD_BLOCKING(x->thread) tell_list(take_freed(x->env), x->thread);
}

/* The teller's next one: alone, so that whoever flushes finds the others in the queue, and a heap walk has no more than one inside. */
static Notice *take_next(void) {
    HOLDING(&notice_lock);
    while (!of_code.first && !freed.first) lock_wait(&changed, &notice_lock);
    Queue *q = of_code.first ? &of_code : &freed;
    Notice *n = q->first;
    if (!(q->first = n->next)) q->tail = &q->first;
    n->next = NULL;
    return n;
}
/* Nobody is there to take what a callback leaves. */
static void teller(Thread *t) {
    HandleMark mark = handle_mark(t);
    for (;;) {
        THREAD_BLOCKING(t) tell_list(take_next(), t);
        handle_reset(t, mark);
        t->exception = NULL;
    }
}
void ti_notices_start(void) {
    lock_take(&notice_lock);
    bool start = !running;
    running = true;
    lock_release(&notice_lock);
    if (start && !hidden_thread_start(thread_self(), "Service Thread", 9, teller))
        running = false; /* asked again at the next chance */
}
