/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads, their states, safepoints.
 *
 * States (Thread.state), D8:
 *   THREAD_JAVA     runs Java or VM code; touches the heap; must poll
 *   THREAD_NATIVE   runs native code or waits in the OS; touches no heap;
 *                   counts as stopped
 * A thread leaves JAVA by thread_to_native (publishes stack pointer and
 * registers for the conservative scan) and comes back by thread_to_java, which
 * blocks while a safepoint or a suspension of this thread is on.
 * Use THREAD_BLOCKING(t) { ... } around anything that may wait.
 *
 * Polls: back-edges, method entries and returns look at `t->poll`, one bit per reason to leave the fast path.
 *   bits                      set by                     cleared by              wanted at
 *   SAFEPOINT SUSPEND HANDSHAKE  a stopper               the stopper             every poll
 *   ASYNC_EXC                 thread_stop, faults        thread_poll_slow        every poll
 *   METHOD_ENTRY, METHOD_EXIT exec_set_event_bits        the same                entries; returns
 *   SINGLE_STEP               exec_set_event_bits        the same                every poll (the tier changes there)
 *   FORCED_EXIT               exec_force_...             exec_forget_forced      every poll
 *   STRESS                    exec_thread_init           never                   every poll (SafepointStress, DropCodeInterval)
 *   SAMPLE                    the compiler thread        thread_poll_slow        every poll (jit/code_sample.c)
 *   HOT_LOOP                  jit_hot_loop               jit_osr                 loops: it may go on in compiled code
 *   WAITING                   the thread, asleep         the thread              none
 * A poll that finds only bits for other places goes on: a loop does not leave its code because somebody wants to
 * know of method entries.  Each bit has one owner, so none is lost when two reasons change at once.
 * A safepoint raises its bit in every thread and waits until all are NATIVE or inside thread_poll_slow.
 *
 * Locks: threads_lock protects the list and thread creation/exit.  Order of all locks: core/lock.h.
 */
#ifndef GRAFT_THREAD_THREAD_H
#define GRAFT_THREAD_THREAD_H

#include "core/types.h"
#include <jni.h>
#include <pthread.h>
#include <setjmp.h>

typedef enum ThreadState { THREAD_NEW, THREAD_JAVA, THREAD_NATIVE, THREAD_DEAD } ThreadState;

enum { /* Thread.poll bits; see the head */
       POLL_SAFEPOINT = 1,
       POLL_SUSPEND = 2,
       POLL_ASYNC_EXC = 4,
       POLL_HANDSHAKE = 8,
       POLL_WAITING = 0x100,
       POLL_METHOD_ENTRY = 0x200,
       POLL_METHOD_EXIT = 0x400,
       POLL_SINGLE_STEP = 0x800,
       POLL_FORCED_EXIT = 0x1000,
       POLL_STRESS = 0x2000,
       POLL_HOT_LOOP = 0x4000,
       POLL_SAMPLE = 0x8000,
       POLL_STOP = POLL_SAFEPOINT | POLL_SUSPEND | POLL_HANDSHAKE,         /* bits that keep it out of JAVA */
       POLL_SLOW = POLL_STOP | POLL_ASYNC_EXC | POLL_STRESS | POLL_SAMPLE, /* thread_poll_slow has something to do */
       /* What a poll at such a place leaves the fast path for. */
       POLL_AT_LOOP = POLL_SLOW | POLL_SINGLE_STEP | POLL_FORCED_EXIT | POLL_HOT_LOOP,
       POLL_AT_ENTRY = POLL_AT_LOOP | POLL_METHOD_ENTRY,
       POLL_AT_RETURN = POLL_AT_LOOP | POLL_METHOD_EXIT
};

enum { /* java.lang.Thread.threadStatus values (JVMTI state bits) */
       JT_NEW = 0,
       JT_RUNNABLE = 0x005,
       JT_SLEEPING = 0x0E1,
       JT_WAIT = 0x191,
       JT_WAIT_TIMED = 0x1A1,
       JT_PARKED = 0x291,
       JT_PARKED_TIMED = 0x2A1,
       JT_BLOCKED = 0x401,
       JT_TERMINATED = 2
};

typedef struct Tlab { /* bump allocation window, owned by heap/ */
    u1 *top, *end, *start;
} Tlab;

typedef struct MethodCacheEntry { /* (class, interface method) -> target; thread-private */
    Class *klass;
    Method *imethod;
    Method *target;
} MethodCacheEntry;
enum { METHOD_CACHE_SIZE = 256 };

struct Thread {
    const void *const *shape; /* first word: the same for all threads; see profiled.c */
    /* --- hot words of the interpreter --- */
    _Atomic u4 poll;      /* POLL_* */
    _Atomic u4 state;     /* ThreadState */
    Object *exception;    /* pending exception or NULL */
    Frame *frame;         /* youngest frame (Java or native) */
    u1 *java_stack;       /* base; grows up */
    u1 *java_stack_limit; /* overflow when a frame would pass it */
    u1 *java_stack_end;   /* real end; the rest is the reserve for StackOverflowError */
    u1 *c_stack_limit;    /* lowest C stack address at which Java may still be entered */
    u1 *code_limit;       /* jit: overflow when compiled code would pass it; in compiled code */
    Tlab tlab;
    u4 tid;                /* 1..65535, the owner id in thin locks */
    _Atomic u4 event_bits; /* events on for this thread; non-zero = event dispatch table; see thread_events */
    const void *
        asked; /* by compiled code, about the object in leaf_result: a SiteCache that met it, or a Class; or about memory: how much */
    Object *caught; /* what came out of the call that compiled code has just done; NULL but for some instructions */
    /* A call that compiled code makes and that has no frame, or none yet: collections see its arguments, which may lie above all frames.  Or NULL. */
    const Slot *callee_args;
    const Method *callee;
    u4 hashes[4];     /* its sequence of identity hashes */
    Slot leaf_result; /* of a native that is called without a frame; a C local would keep it alive */

    /* --- JNI --- */
    JNIEnv env;                  /* &t->env is the JNIEnv*; first word is the table */
    struct HandleBlock *handles; /* local references: current block */
    int critical;                /* depth of GetPrimitiveArrayCritical */
    const char *jni_unchecked;   /* -Xcheck:jni: function whose exception nobody looked at yet */

    /* --- identity --- */
    Object *java_thread; /* java.lang.Thread; GC root */
    pthread_t pthread;
    int os_tid;
    int *os_thread;       /* &os_tid; see profiled.c */
    size_t stack_request; /* bytes asked for by the constructor of the Java thread; 0: -Xss */
    bool attached_by_jni, is_daemon, hidden_from_java;
    char name[64];       /* for dumps; Java name may differ */
    Thread *next, *prev; /* [lock: threads] */

    /* --- C stack, for the conservative scan and overflow checks --- */
    u1 *c_stack_base; /* highest address */
    u1 *c_stack_low;  /* lowest usable address */
    void *saved_sp;   /* valid in NATIVE and inside polls */
    jmp_buf saved_regs;
    void *clean_sp; /* no reference is in C below it while the interpreter's native does not hold one; or NULL */

    /* --- blocking --- */
    _Atomic int park_permit;
    Object *blocked_on;        /* object whose monitor it waits to enter; GC root */
    Object *waiting_on;        /* Object.wait target; GC root */
    _Atomic(void *) entering;  /* monitor.c: in whose entry list it is */
    void *held_monitors;       /* owned by monitor.c */
    Object *async_exception;   /* Thread.stop; GC root */
    bool async_held;           /* own: it is not thrown yet: what pends meanwhile is nobody's */
    _Atomic bool memory_fault; /* an access of Unsafe failed: InternalError at the next poll */
    _Atomic int suspended;     /* by Thread.suspend or an agent: once, however often that is asked for */

    /* --- statistics and per-subsystem data --- */
    u8 allocated_bytes;
    struct ThreadContention {                       /* for ThreadInfo; written by the thread itself */
        u8 blocked, waited;                         /* how often */
        int64_t blocked_nanos, waited_nanos, since; /* while thread_contention_timed */
    } contention;
    void *ti_data; /* jvmti/ */
    void *gc_data;
    void *free_records;      /* frame: lock records not in use */
    Object *roots[8];        /* scratch roots for VM code whose pointers leave the C stack */
    u4 stack_overflow_depth; /* reserve in use */
    Object *told_exception;  /* exec: the Exception event was sent for it, and it is under way; GC root */
    Frame *leaving_frame;    /* exec: agents are told that it is left by an exception */
    Frame *forced_frame;     /* exec: the frame that is to be left when it next runs, or NULL */
    bool forced_pop;         /* exec: ... without a result; else with */
    Slot forced_value;       /* exec: ... this one (a reference: also in roots[6]) */
    bool leaves_code;        /* exec: events came while it ran; its compiled frames are to be left [lock: threads] */
    Method *hot_loop;        /* jit: the interpreter counted enough back-edges in it */
    const void *osr_code;    /* jit: where the frame goes on that the interpreter gave up */
    MethodCacheEntry method_cache[METHOD_CACHE_SIZE];

    /* --- owned by thread/ --- */
    _Atomic u4 event; /* futex: monitor entry, Object.wait, sleep, raw wait */
    void *alt_stack;  /* signal stack, see os.h */
};

extern _Thread_local Thread *thread_self_tls __attribute__((tls_model("initial-exec")));
static inline Thread *thread_self(void) { return thread_self_tls; }
/* Changed by others, with threads_lock held; what t must stop for to see it is in its poll word. */
static inline u4 thread_events(const Thread *t) { return atomic_load_explicit(&t->event_bits, memory_order_relaxed); }
static inline Thread *thread_from_env(JNIEnv *env) { return (Thread *)((u1 *)env - offsetof(Thread, env)); }

void thread_init_subsystem(void);
/* The composition root equips every new Thread on its own pthread (Java stack, handles,
 * JNI table) through these, set before the first thread is made. */
extern bool (*thread_equip)(Thread *t);
extern void (*thread_unequip)(Thread *t);
/* A Thread for the calling pthread, in state JAVA, on the list; no Java object yet. */
Thread *thread_attach_current(const char *name, bool daemon);
/* Off the list, frees everything.  Java-level exit was done before. */
void thread_detach_current(Thread *t);
/* Start a pthread running entry(arg) in state JAVA on its own Thread.  java_thread may
 * be NULL (VM-internal).  False when the OS refuses.  The new thread waits until the
 * creator has stored eetop. */
bool thread_start(Object *java_thread, void (*entry)(Thread *, void *), void *arg, size_t stack_size, const char *name,
                  bool daemon, Thread **out);
/* Blocks (NATIVE) until the caller is the last non-daemon thread. */
void thread_wait_for_last(Thread *t);
/* Thread of a java.lang.Thread or NULL if not alive (reads eetop).  Hold threads_lock to keep it. */
Thread *thread_of_java(Object *java_thread);
/* The other way round, for others than the thread itself [lock: threads]: one that attaches is listed before it has an object. */
static inline Object *thread_object(const Thread *t) { return __atomic_load_n(&t->java_thread, __ATOMIC_ACQUIRE); }
void threads_lock(void);
void threads_unlock(void);
/* For the rest of the block, as HOLDING (core/lock.h). */
#define HOLDING_THREADS() int held_ __attribute__((cleanup(threads_scope_ends), unused)) = (threads_lock(), 0)
static inline void threads_scope_ends(int *held) { threads_unlock(); }
extern Thread *threads_head; /* [lock: threads] or at a safepoint */
#define FOR_EACH_THREAD(t) for (Thread *t = threads_head; t; t = t->next)

/* Owner id of a lock word -> thread, NULL if none; hold threads_lock or be at a safepoint. */
Thread *thread_by_tid(u4 tid);
/* Thread.stop: ex is raised at the target's next poll; wakes it from park, sleep and wait. */
void thread_stop(Thread *target, Object *ex);

/* --- transitions --- */
void thread_to_native_slow(Thread *t);
void thread_to_java_slow(Thread *t);
extern _Atomic u4 safepoint_requested; /* set while a safepoint begins or holds */

/* noinline: the frame of the callee bounds the published stack pointer. */
NOINLINE void thread_to_native(Thread *t); /* JAVA -> NATIVE, publishes sp and registers */
NOINLINE void thread_to_java(Thread *t);   /* NATIVE -> JAVA, may block */
#define THREAD_BLOCKING(t) for (int _once = (thread_to_native(t), 1); _once; _once = (thread_to_java(t), 0))

void thread_poll_slow(Thread *t);
static inline bool thread_is_asked(Thread *t) { return atomic_load_explicit(&t->poll, memory_order_relaxed) & POLL_SLOW; }
static inline void thread_poll(Thread *t) {
    if (UNLIKELY(thread_is_asked(t))) thread_poll_slow(t);
}

/* --- safepoints --- */
/* Run op(arg) with all other threads stopped.  Caller is a Java thread in state JAVA (or
 * a VM thread).  Nested calls from op itself run directly.  [blocks] */
void safepoint_run(const char *why, void (*op)(void *), void *arg);
bool safepoint_active(void); /* true inside op */
/* Stop the world for good, run op, return with every other thread stopped for ever (VM exit). */
void safepoint_freeze(void (*op)(void *), void *arg);
/* Run op(target, arg) while target is stopped (or on target itself if it is current). */
void thread_handshake(Thread *target, void (*op)(Thread *, void *), void *arg);
void thread_suspend(Thread *target); /* [blocks] until it is stopped; self allowed */
void thread_resume(Thread *target);

/* --- park, sleep, interrupt (thread/park.c) --- */
void thread_park(Thread *t, bool absolute, int64_t time); /* Unsafe.park; sets threadStatus */
void thread_unpark(Thread *target);
void thread_interrupt_wakeup(Thread *target); /* the Java flag is set already */
/* Sleep; true = slept to the end, false = interrupted (flag cleared by caller's rules). */
bool thread_sleep_millis(Thread *t, int64_t millis);
bool thread_is_interrupted(Thread *t, bool clear); /* reads Thread.interrupted */
/* threadStatus of the Java object; returns the former value. */
int thread_set_status(Thread *t, int status);
extern bool thread_contention_timed; /* reckon how long threads block and wait */

#endif
