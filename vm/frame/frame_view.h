/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames as everybody sees them who does not make them.
 *
 * A view names one activation of a method: a physical frame, and which of the methods inlined into its code (one
 * today: inlined methods get physical frames before anybody may look).  It is good while the activation lives and does
 * not run: of the current thread, of one that is stopped, or of any with the world stopped.  Copying a view is free.
 *
 *     FOR_EACH_FRAME(v, t) count += view_is_native(v);       youngest first
 */
#ifndef GRAFT_FRAME_FRAME_VIEW_H
#define GRAFT_FRAME_FRAME_VIEW_H

#include "object/method.h"
#include "thread/thread.h"

typedef struct FrameView {
    Frame *frame; /* NULL: behind the oldest */
    u4 inlined;   /* 0 = the innermost */
} FrameView;

typedef struct LockRecord { /* a monitor entered by bytecode */
    struct LockRecord *next;
    Object *object;
} LockRecord;

/* --- walking --- */
static inline FrameView view_youngest(const Thread *t) { return (FrameView){t->frame, 0}; }
static inline bool view_exists(FrameView v) { return v.frame != NULL; }
static inline bool view_same(FrameView a, FrameView b) { return a.frame == b.frame && a.inlined == b.inlined; }
FrameView view_older(FrameView v);             /* v exists */
FrameView view_at(const Thread *t, int depth); /* 0 = youngest */
int view_count(const Thread *t);
#define FOR_EACH_FRAME(v, t) for (FrameView v = view_youngest(t); view_exists(v); v = view_older(v))

/* --- what it is --- */
Method *view_method(FrameView v);
u4 view_bci(FrameView v);             /* 0 in natives */
bool view_is_native(FrameView v);     /* of a JNI native */
bool view_is_vm_native(FrameView v);  /* of a native of the VM's own */
bool view_is_opaque(FrameView v);     /* one of both: no bytecode, no locals but the arguments */
bool view_is_entry(FrameView v);      /* of bytecode called from C */
bool view_is_hidden(FrameView v);     /* @Hidden or method of a hidden class */
bool view_is_reflection(FrameView v); /* Method.invoke, MagicAccessorImpl, compiled lambda forms */
bool method_is_reflection(const Method *m);

/* --- cells: locals (of natives the arguments), operand stack from its bottom --- */
Slot view_local(FrameView v, u4 i);
void view_set_local(const Thread *t, FrameView v, u4 i, Slot value);
u4 view_depth(FrameView v); /* cells of the operand stack; may include the callee's arguments */
Slot view_operand(FrameView v, u4 i);
/* Is there a local or operand cell that the function says yes to? */
bool view_any_cell(FrameView v, bool (*is)(Slot cell, void *arg), void *arg);

/* --- monitors --- */
Object *view_sync_object(FrameView v);     /* locked by a synchronized method; or NULL */
const LockRecord *view_locks(FrameView v); /* by bytecode, newest first; or NULL */

/* The youngest activation of t goes on in the interpreter: what its code read before a loop is read again. */
void view_leave_code(const Thread *t);

/* --- JVM TI NotifyFramePop --- */
void view_notify_pop(const Thread *t, FrameView v);
bool view_notifies_pop(FrameView v);
void view_forget_pop(FrameView v);

/* --- callers (stackwalk.c) --- */
/* For Reflection.getCallerClass and friends: the caller of v, which exists, skipping reflection. */
Class *stack_caller_of(FrameView v);
Class *stack_native_caller(const Thread *t);     /* whose native method is on top; NULL if none */
CfStr method_source_file(const Method *m);       /* as its class file names it; {0}: it does not */
int method_line_number(const Method *m, u4 bci); /* -1 unknown, -2 native */

/* --- from a signal handler, which may have come while a frame was pushed or popped (frame_signal.c) --- */
typedef struct FrameDue { /* bodies whose frames are not written (jit/body_frames.c) */
    const CodeBlob *code;
    const Frame *root;
    u4 scope, bci; /* of the next one; 0: the root is next */
} FrameDue;
typedef struct FrameProbe {
    const Thread *thread;
    const Frame *next;  /* not looked at yet; NULL: none */
    const Method *runs; /* the youngest frame is this compiled method's, whose position may be stale; or NULL */
    bool in_bodies;     /* `next` is the root of: */
    FrameDue due;
    Method method; /* a copy */
    u4 bci, flags;
} FrameProbe;
static inline FrameProbe probe_begin(const Thread *t) { return (FrameProbe){.thread = t, .next = t->frame}; }
bool probe_next(FrameProbe *p); /* false: what `next` names makes no sense */
/* For a crash report.  youngest: where compiled code of the method `runs` has it; NULL: what the thread says. */
void crash_print_frames(const Thread *t, const Frame *youngest, const Method *runs);

/* --- the Java stack of a thread (java_stack.c) --- */
bool java_stack_init(Thread *t, size_t bytes); /* false: no memory */
void java_stack_free(Thread *t);
/* All words that may be references, for the collector. */
void java_stack_words(Thread *t, void (*visit)(u8 word, void *), void *arg);
/* All words to behind the youngest frame: what compiled code keeps beside what its frames show, too (jit/opt/opt_home.c). */
void java_stack_raw_words(Thread *t, void (*visit)(u8 word, void *), void *arg);

#endif
