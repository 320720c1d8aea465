/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running Java whatever the tier (D5-D7): frames, calls from C, exceptions,
 * stack walks.  Tiers register behind exec_tier.
 *
 * Java stack, one per thread, separate from the C stack, grows up:
 *
 *     ... caller's operand stack | args |                       <- caller
 *                                | args | other locals | Frame | operand stack ...   <- callee
 *                                ^ locals               ^ frame
 *   The arguments stay where the caller pushed them and become the first
 *   locals of the callee.  The result is written to locals[0] of the callee,
 *   which is the caller's new stack top.
 *   Cells are Slots; references in cells are full pointers.
 * Frame.pc points into the method's qcode (interpreted) and is exact whenever
 * anybody else may look: at calls, polls, allocations, throwing points.
 * Native methods get a Frame too (pc NULL), so traces, handles and security
 * walks see them.
 */
#ifndef GRAFT_EXEC_EXEC_H
#define GRAFT_EXEC_EXEC_H

#include "object/class.h"
#include "thread/thread.h"
#include "heap/handle.h"

#include <stdio.h>

enum { /* Frame.flags */
    FRAME_ENTRY = 1,       /* called from C: leaving it returns to exec_call */
    FRAME_NATIVE = 2,      /* JNI native: the Frame is part of a NativeFrame */
    FRAME_VM_NATIVE = 4,
    FRAME_SYNC = 8,        /* holds the monitor of a synchronized method: sync_object is valid */
    FRAME_NOTIFY_POP = 16, /* JVM TI NotifyFramePop */
    FRAME_LOCKS = 64,      /* locks is valid, and not empty */
    /* For compiled code, which tests the whole word for FRAME_COMPILED alone after each call and at its return. */
    FRAME_COMPILED = 128,  /* runs compiled code: `position` is valid, not pc; sp and qcells are not */
    FRAME_DEOPT = 256,     /* goes on in the interpreter when it next runs */
    FRAME_EXCEPTION = 512, /* the callee was left by an exception, which is pending */
    FRAME_BRIDGED = 1024,  /* with FRAME_ENTRY: called from compiled code, or was compiled code; no C code of others lies between */
    FRAME_FROM_C = 8192,   /* compiled at a loop, and called from C: FRAME_ENTRY once it is interpreted again */
    FRAME_REPEAT = 2048,   /* the callee was popped (JVM TI): the call is made again */
    FRAME_BORROWED = 4096, /* compiled, but the interpreter does one instruction in it: pc and sp are valid meanwhile */
    FRAME_LEAVE_CODE = FRAME_DEOPT | FRAME_EXCEPTION, /* tested after calls and polls */
    FRAME_OPAQUE = FRAME_NATIVE | FRAME_VM_NATIVE /* no bytecode */
};

typedef struct LockRecord { /* monitors entered by bytecode in this frame, newest first */
    struct LockRecord *next;
    Object *object;
} LockRecord;

struct Frame {
    /* Every call writes these (pc: at the latest before anybody may look). */
    Frame *prev;          /* older frame of this thread, Java or native */
    Method *method;
    union {
        const u1 *pc;     /* interpreted: in qcode, the instruction being executed; native: NULL */
        u8 position;      /* compiled: bci | depth of the operand stack in cells << FRAME_DEPTH_SHIFT */
    };
    Slot *locals;
    u4 flags;
    u4 advance;           /* interpreted: length of the caller's invoke instruction */
    /* Interpreted and native frames */
    Slot *sp;             /* first free cell of the operand stack, when published */
    void **qcells;        /* method->qcells, kept near (interpreter) */
    /* Not initialised: what they hold means something only while their flag is set.  Ask frame_locks, frame_sync_object. */
    Object *sync_object;  /* FRAME_SYNC: receiver or mirror locked at entry */
    LockRecord *locks;    /* FRAME_LOCKS */
};
enum { FRAME_DEPTH_SHIFT = 16, FRAME_BCI_MASK = 0xffff };

/* Of a JNI native method; what made it restores the handles from the mark. */
typedef struct NativeFrame {
    HandleMark mark;      /* local references of the call lie above it */
    Frame frame;
    Slot mirror;          /* first cell of its stack: class of a static method or NULL */
} NativeFrame;
static inline HandleMark native_frame_mark(const Frame *f) {
    return ((const NativeFrame *)((const u1 *)f - offsetof(NativeFrame, frame)))->mark;
}

static inline Slot *frame_stack_base(const Frame *f) { return (Slot *)(f + 1); }
static inline u4 frame_bci(const Frame *f) {
    if (f->flags & FRAME_COMPILED) return f->position & FRAME_BCI_MASK;
    return f->pc ? (u4)(f->pc - f->method->qcode) : 0;
}
static inline Slot *frame_sp(const Frame *f) {
    return f->flags & FRAME_COMPILED ? frame_stack_base(f) + (f->position >> FRAME_DEPTH_SHIFT) : f->sp;
}
static inline Object *frame_sync_object(const Frame *f) { return f->flags & FRAME_SYNC ? f->sync_object : NULL; }
static inline LockRecord *frame_locks(const Frame *f) { return f->flags & FRAME_LOCKS ? f->locks : NULL; }

/* First free cell of the thread's Java stack. */
static inline Slot *exec_stack_top(Thread *t) {
    return t->frame ? frame_sp(t->frame) : (Slot *)t->java_stack;
}
/* A frame on the Java stack for a method of the VM's own whose arguments lie at `args`.  Pop: t->frame = f->prev. */
static inline void exec_push_native_frame(Thread *t, Frame *f, Method *m, Slot *args, u4 flags) {
    f->prev = t->frame;
    f->method = m;
    f->pc = NULL;
    f->locals = args;
    f->flags = flags;
    f->sp = frame_stack_base(f);
    t->frame = f;
}

/* --- calls from C [gc][throws][blocks] --- */
/* args: arg_slots cells, receiver first.  The method is called as is (no virtual
 * selection).  False = exception pending.  ret may be NULL for void. */
bool exec_call(Thread *t, Method *m, const Slot *args, Slot *ret);
/* Virtual selection on the receiver first. */
bool exec_call_virtual(Thread *t, Method *m, const Slot *args, Slot *ret);
/* Variadic convenience: one C argument per Java parameter (receiver first), typed by the
 * descriptor: int (and narrower) int32_t, long int64_t, float/double double, refs Object *. */
bool exec_callf(Thread *t, Method *m, Slot *ret, ...);
/* Run a MK_VM_NATIVE method whose arguments are in place; a light frame is pushed. */
/* ... any method that has no bytecode, likewise. */
bool exec_call_other(Thread *t, Method *m, Slot *args, Slot *ret);
bool exec_call_vm_native(Thread *t, Method *m, Slot *args, Slot *ret);
/* Method actually run when `m` is invoked virtually on `receiver_class`. */
Method *exec_select_method(Class *receiver_class, Method *m);
Method *exec_select_interface(Thread *t, Class *receiver_class, Method *im); /* [throws] */

typedef struct ExecTier {
    const char *name;
    /* run m; args are already in place at t's Java stack top `args` */
    bool (*run)(Thread *t, Method *m, Slot *args, Slot *ret);
} ExecTier;
extern ExecTier exec_tier;
void exec_init(void);
/* Give the thread its Java stack / take it away. */
bool exec_thread_init(Thread *t, size_t java_stack_bytes);
void exec_thread_free(Thread *t);
void exec_roots(Thread *t, void (*visit_word)(u8 word, void *), void *arg); /* all cells, conservatively */

/* --- stack walking (exec/stackwalk.c) --- */
/* Frames with their locks, as in thread dumps; k stopped or current (exec/stack_text.c). */
void exec_print_stack(FILE *out, const Thread *k);
/* "java.base@17.0.1" of a class in a named module into buf; "" otherwise. */
const char *class_module_text(const Class *c, char *buf, size_t len);
void exec_print_lock(FILE *out, const char *what, Object *o); /* "\t- what <address> (a Class)" */
/* Number of frames JVM TI counts (all Java and native methods). */
int exec_depth(Thread *t);
/* Trace capture for Throwable.fillInStackTrace [gc][throws]: sets backtrace and depth. */
void exec_fill_in_stack_trace(Thread *t, Object *throwable);
int exec_line_number(const Method *m, u4 bci); /* -1 unknown, -2 native */
/* Caller for Reflection.getCallerClass and friends: the nth frame out, skipping reflection
 * and hidden frames; depth 0 = caller of the current frame's method. */
Class *exec_caller_class(Thread *t, int depth);
bool frame_is_hidden(const Frame *f);          /* @Hidden or method of a hidden class */
bool frame_is_reflection(const Frame *f);      /* Method.invoke or MagicAccessorImpl */
/* Class whose native method is on top (JNI FindClass, RegisterNatives); NULL if none. */
Class *exec_native_caller(Thread *t);

/* Can p be a frame of t?  For walks of a stack that may be in disorder.  [no-safepoint]; signal-safe */
bool exec_on_own_stacks(const Thread *t, const void *p);
/* The Java frames of a thread for a crash report; signal-safe.  exec/crash.c */
void exec_crash_frames(const Thread *t);

/* --- decoding Throwable.backtrace --- */
int exec_backtrace_depth(Object *backtrace);   /* NULL: 0 */
bool exec_backtrace_frame(Object *backtrace, int i, Method **m, u4 *bci); /* false: no such frame */
bool exec_backtrace_hidden_top(Object *backtrace); /* hidden frames lay above the first one */

/* --- helpful NullPointerException message (JEP 358), exec/npe_message.c ---
 * Text for the null that made instruction bci of m fail; false if none can be told. */
bool exec_npe_message(Method *m, u4 bci, char *buf, size_t len);

/* Thread.event_bits: what the thread must report.  Entry and exit cost a slow path at calls and
 * returns; the others run every instruction through the event table. */
enum {
    EXEC_EVENT_ENTRY = 1, EXEC_EVENT_EXIT = 2, EXEC_EVENT_STEP = 4,
    EXEC_EVENTS_PER_INSN = EXEC_EVENT_STEP
};
/* A method with bytecode that C code replaces (MF_INTRINSIC) runs its bytecode on threads with event bits, and
 * everywhere from now on: for breakpoints and watched fields.  At a safepoint. */
void exec_use_bytecode(Method *m);
/* Target stopped or current. */
void exec_set_event_bits(Thread *t, u4 bits);
extern u4 exec_initial_event_bits; /* what new threads start with */
/* What the tiers keep for the methods of a version (class unloading); before the version goes. */
void exec_version_free(ClassVersion *v);
/* Monitors entered by bytecode in a frame and not yet left: released, newest first. */
void exec_release_frame_locks(Thread *t, Frame *f);

/* --- leaving a frame by order (JVM TI) ---
 * The youngest frame of t, which runs bytecode, is left as soon as t would go on in it: by pop to the
 * call instruction of its caller, which is executed again (exec_can_pop says whether it can be);
 * by return with the value and the events of a return.  Locks of the frame are released, no code
 * of it runs.  Target stopped or current. */
bool exec_can_pop(Thread *t);
void exec_force_pop(Thread *t);
void exec_force_return(Thread *t, Slot value);
void exec_forget_forced(Thread *t);
/* The pending exception is seen in f, the youngest frame; only with HOOK_EXCEPTION on (exception_event.c). */
void exec_tell_exception(Thread *t, Frame *f);
/* Asked by the tiers after everything that may have stopped in f. */
static inline bool exec_forced(const Thread *t, const Frame *f) { return UNLIKELY(t->forced_frame == f); }

#endif
