/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class and interface initialisation, the procedure of JVMS 5.5.
 *
 * The "initialisation lock" of a class is one of a few pthread mutexes chosen
 * by address; it guards state and init_thread and is never held while a static
 * initialiser, a superclass or anything else runs.  Waiters sleep on the
 * stripe's condition in state NATIVE.  A deadlock between two classes is legal
 * behaviour and left alone.
 *
 * How a class becomes visible, and its words that are read without that lock:
 *
 *   word                 states                     writer                                     reader
 *   dictionary slot      NULL -> class              [lock: loader], behind state LOADED, the   [lock: loader]
 *                                                   mirror and the whole record
 *   mirror's class word  class                      before the mirror's address goes anywhere  behind the address
 *   Object.klass         class, once                who allocates, before the address          behind the address; the class is LINKED or
 *                                                                                              later (finish in link.c released it)
 *   Class.state          ALLOCATED -> LOADED        seq_cst, before the dictionary             acquire; who saw LINKED sees tables, methods and
 *   ... <-> LINKING      -> LINKED                  release, [lock: state], behind tables      layout; who saw INITIALIZED sees what the
 *   ... -> INITIALIZING  -> INITIALIZED, ERRONEOUS  release, [lock: state], behind init_error  initialiser wrote (JVMS 5.5)
 *   init_thread          NULL -> t -> NULL          seq_cst, [lock: state]; set before the     compared with oneself: nobody else stores that
 *                                                   state, cleared behind it
 *   Class.array_class    NULL -> class, once        seq_cst cas, behind the record             acquire
 *   last_super_hit, nest_host   NULL -> a class     any thread, each value is right            behind the value: dependency
 *   flags (Class, Method)      bits up or down     relaxed rmw (FLAGS_SET)                     plain (Field.flags: atomic); a bit that goes with data comes behind it
 *                                                                                              in a pause or under a lock
 * x86-64: plain moves.  ARM64: stlr and ldar for the words named so; `dmb ishst` between an object's header and the first store of its
 * address (quick/quick.h).  Stress: java/threads/Litmus (class of a raced object, class initialisation), load/InitOrder,
 * schedule/agree, test_flags_raced (tests/unit/test_vm_heap.c).
 *
 * A failed initialisation is remembered: init_error is an
 * ExceptionInInitializerError that names the original exception and thread and
 * carries its trace; it becomes the cause of every later NoClassDefFoundError
 * "Could not initialize class X".
 */
#include "log/log.h"
#include "exec/exec.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "link/link_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIPES = 32 };
static struct {
    VmLock m;
    pthread_cond_t c;
} stripes[STRIPES] = {[0 ... STRIPES - 1] = {VM_LOCK(CLASS_STATE), PTHREAD_COND_INITIALIZER}};

static u4 stripe(const Class *c) { return (u4)((uintptr_t)c >> 6) % STRIPES; }
VmLock *class_state_lock(const Class *c) { return &stripes[stripe(c)].m; }
pthread_cond_t *class_state_cond(const Class *c) { return &stripes[stripe(c)].c; }

/* --- failure --- */

/* Exception a.b.E: text [in thread "main"] */
static char *error_text(Thread *t, Object *ex) {
    Object *msg = JGET_REF(ex, Throwable, detailMessage);
    Object *jname = t->java_thread ? JGET_REF(t->java_thread, Thread, name) : NULL;
    char *m = msg ? string_to_cstr(msg) : NULL, *n = jname ? string_to_cstr(jname) : NULL;
    char *text = NULL;

    if (asprintf(&text, "Exception %s%s%s [in thread \"%s\"]", class_text(obj_class(ex)).s, m ? ": " : "", m ? m : "",
                 n ? n : t->name) < 0)
        text = NULL;
    free(m);
    free(n);
    return text;
}

/* The record kept for later: message, and the trace as elements, so that nothing of the
 * failing stack stays alive. */
static Object *make_record(Thread *t, Object *ex) {
    char *text = error_text(t, ex);
    Method *get = class_find_method_str(JC(Throwable), "getStackTrace", "()[Ljava/lang/StackTraceElement;");
    Slot arg = {.ref = ex}, trace = {0};

    throw_new(t, EX_ExceptionInInitializerError, "%s", text ? text : "");
    free(text);
    Object *record = exception_take(t);
    if (!record || !symbol_eq(obj_class(record)->name, exception_names[EX_ExceptionInInitializerError])) return NULL;
    if (get && exec_call_virtual(t, get, &arg, &trace) && trace.ref) {
        JSET_REF(record, Throwable, stackTrace, trace.ref);
        JSET_REF(record, Throwable, backtrace, NULL);
    }
    t->exception = NULL;
    return record;
}

static void set_state(Class *c, ClassState s) {
    HOLDING(class_state_lock(c));
    atomic_store_explicit(&c->state, (u1)s, memory_order_release);
    atomic_store(&c->init_thread, NULL);
    pthread_cond_broadcast(class_state_cond(c));
}

/* Steps 10 to 12: the pending exception is the reason; it stays pending. */
static bool fail(Thread *t, Class *c, Object *reason, Object *thrown) {
    t->exception = NULL;
    Object *record = make_record(t, reason);
    if (record) c->init_error = record;
    set_state(c, CLASS_ERRONEOUS);
    t->exception = thrown;
    return false;
}

static bool fail_with_pending(Thread *t, Class *c) {
    Object *ex = t->exception;
    return fail(t, c, ex, ex);
}

/* --- the procedure --- */

typedef enum Turn { TURN_RUN, TURN_TRUE, TURN_ERRONEOUS, TURN_WAIT } Turn;

static Turn take_turn(Thread *t, Class *c) { /* steps 2 to 6 */
    HOLDING(class_state_lock(c));
    if (c->state == CLASS_INITIALIZING) return c->init_thread == t ? TURN_TRUE : TURN_WAIT;
    if (c->state == CLASS_INITIALIZED) return TURN_TRUE;
    if (c->state == CLASS_ERRONEOUS) return TURN_ERRONEOUS;
    atomic_store(&c->init_thread, t);
    atomic_store_explicit(&c->state, CLASS_INITIALIZING, memory_order_release);
    return TURN_RUN;
}

static void wait_for_initializer(Thread *t, Class *c) {
    THREAD_BLOCKING(t) {
        lock_take(class_state_lock(c));
        while (c->state == CLASS_INITIALIZING) lock_wait(class_state_cond(c), class_state_lock(c));
        lock_release(class_state_lock(c));
    }
}

static bool init_with_default(Thread *t, Class *i) { return !class_declares_default(i) || class_init(t, i); }

/* Step 7: superinterfaces that declare defaults, each behind those it extends.  Those of the superclass are its own concern, also in the middle of
 * its initialisation, and if they failed. */
static bool init_interfaces(Thread *t, Class *c) {
    if (class_is_interface(c) || !(c->flags & CF_HAS_DEFAULTS)) return true;
    for (u4 i = 0; i < c->n_interfaces; i++) {
        Class *d = c->interfaces[i];
        for (u4 k = 0; k < d->n_all_interfaces; k++)
            if (!init_with_default(t, d->all_interfaces[k])) return false;
        if (!init_with_default(t, d)) return false;
    }
    return true;
}

static Method *find_clinit(Class *c) {
    static Symbol *name, *desc;
    if (!name) {
        desc = symbol_of("()V");
        name = symbol_of("<clinit>");
    }
    Method *m = class_find_declared_method(c, name, desc);
    return m && m->flags & MF_CLINIT ? m : NULL;
}

static bool run_clinit(Thread *t, Class *c) {
    Method *m = find_clinit(c);
    Slot none;

    if (log_on(LOG_CLASS_INIT)) {
        static _Atomic int count;
        log_print(LOG_CLASS_INIT, "%d Initializing '%s'%s (0x%016lx)", atomic_fetch_add(&count, 1), c->name->bytes,
                  m ? "" : "(no method)", (unsigned long)(uintptr_t)c);
    }
    if (!m || exec_call(t, m, &none, NULL)) return set_state(c, CLASS_INITIALIZED), true;
    Object *ex = exception_take(t);
    /* an Error goes on as itself, and is thrown anew where the initialiser was started (exception_event.c) */
    t->told_exception = NULL;
    if (obj_instanceof(ex, JC(Error))) return fail(t, c, ex, ex);
    throw_with_cause(t, EX_ExceptionInInitializerError, ex, NULL);
    return fail(t, c, ex, t->exception);
}

static Turn begin(Thread *t, Class *c) {
    Turn turn;

    while ((turn = take_turn(t, c)) == TURN_WAIT) wait_for_initializer(t, c);
    if (turn == TURN_ERRONEOUS)
        throw_with_cause(t, EX_NoClassDefFoundError, c->init_error, "Could not initialize class %s", class_text(c).s);
    return turn;
}

/* Classes under initialisation by one call: the one asked for, its superclass, and so on. */
typedef struct Chain {
    Class **v, *few[16];
    u4 n, cap;
} Chain;

static bool chain_grow(Thread *t, Chain *ch) {
    if (ch->n < ch->cap) return true;
    Class **more = malloc(2 * ch->cap * sizeof *more);
    if (!more) return throw_oom(t, "class metadata"), false;
    memcpy(more, ch->v, ch->n * sizeof *more);
    if (ch->v != ch->few) free(ch->v);
    ch->v = more;
    ch->cap *= 2;
    return true;
}

/* From c upwards.  False: a superclass has failed before, or no memory. */
static bool begin_all(Thread *t, Class *c, Chain *ch) {
    for (; c && !class_is_initialized(c); c = class_is_interface(c) ? NULL : c->super) {
        if (!chain_grow(t, ch)) return false;
        Turn turn = begin(t, c);
        if (turn != TURN_RUN) return turn == TURN_TRUE;
        ch->v[ch->n++] = c;
    }
    return true;
}

/* Step 7 for superclasses is a loop, not a recursion: their chain is as long as a program makes it. */
bool class_init_slow(Thread *t, Class *c) {
    Chain ch = {.v = ch.few, .cap = ARRAY_LEN(ch.few)};

    if (!class_link(t, c)) return false;
    bool ok = begin_all(t, c, &ch);
    while (ch.n) {
        Class *k = ch.v[--ch.n];
        ok = ok && init_interfaces(t, k) ? run_clinit(t, k) : fail_with_pending(t, k);
    }
    if (ch.v != ch.few) free(ch.v);
    return ok;
}

static bool check_instantiable(Thread *t, Class *c) {
    if (class_is_primitive(c))
        return throw_plain(t, EX_InstantiationException), false; /* as the reference, which has no name for it */
    bool no_instances = class_is_array(c) || (c->access & (ACC_ABSTRACT | ACC_INTERFACE));
    if (LIKELY(!no_instances && !(c->flags & CF_MIRROR))) return true;
    return throw_new(t, no_instances ? EX_InstantiationException : EX_IllegalAccessException, "%s", class_text(c).s), false;
}

Object *class_new_object(Thread *t, Class *c) { return class_init(t, c) ? heap_alloc_object(t, c) : NULL; }

Object *class_instantiate(Thread *t, Class *c) { return check_instantiable(t, c) ? class_new_object(t, c) : NULL; }
