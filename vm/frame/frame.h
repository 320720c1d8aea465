/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of frames.
 *
 * Java stack, one per thread, separate from the C stack, grows up:
 *
 *     ... caller's operand stack | args |                       <- caller
 *                                | args | other locals | Frame | operand stack ...   <- callee with bytecode
 *                                ^ locals               ^ frame
 *                                | args | Frame | result ...                         <- native method of the VM
 *                                | args | mark | Frame | mirror                      <- JNI native (NativeFrame)
 *
 *   The arguments stay where the caller pushed them and become the first locals of the callee.  The result is written to
 *   locals[0] of the callee, which is the caller's new stack top.  Cells are Slots; references in cells are full pointers.
 *   A call from C copies its arguments behind the last cell of the youngest frame (frame_stack_top).
 *
 * Tiers share the form.  What every call writes is prev, method, flags, and pc at the latest before anybody may
 * look.  All the rest is written when it begins to mean something:
 *
 *   word          valid                                    means
 *   pc            interpreted                              points into the method's qcode: the instruction being executed; exact
 *                                                          whenever anybody may look: calls, polls, allocations, throwing points
 *                 native                                   NULL
 *   position      FRAME_COMPILED (the word of pc)          bci | cells of the operand stack << FRAME_DEPTH_SHIFT
 *                 negative                                 nothing else of this frame is written, nor of those around it up to the root's
 *                                                          header: the frame is due (jit/body_frames.c)
 *   locals        not FRAME_COMPILED                       first of them; of bytecode they end where the Frame begins
 *   advance       interpreted                              length of the caller's invoke instruction
 *   sp            not FRAME_COMPILED, when published       first free cell of the operand stack
 *   qcells        interpreted                              the method's, kept near
 *   sync_object   FRAME_SYNC, FRAME_RELOCK                 receiver or mirror locked at entry
 *   locks         FRAME_LOCKS                              monitors that bytecode entered here, newest first
 *
 * Due frames are callers of compiled code.  So Thread.frame never is one, and who goes from a frame to the one that called it, by frame_older,
 * never meets one: it is written first.  The interpreter and natives may read `prev` of their own frames as it is: whoever bridged to them, or left
 * the code that such a frame ran, had the caller written (jit_bridge, leave_code in jit/runtime.c).
 *
 * Owners are vm/frame, vm/interp and vm/jit, and what pushes frames of natives (exec/call.c, native/ffi_call.c) through the
 * functions below.  Everybody else sees frames by frame_view.h, where Frame is an incomplete type (tests/layers.sh).
 */
#ifndef GRAFT_FRAME_FRAME_H
#define GRAFT_FRAME_FRAME_H

#include "frame/frame_upcall.h"
#include "frame/frame_view.h"
#include "heap/handle.h"
#include "object/class.h"
#include "object/method.h"
#include "thread/monitor.h"

enum {                   /* Frame.flags */
       FRAME_ENTRY = 1,  /* called from C: leaving it returns there */
       FRAME_NATIVE = 2, /* JNI native: the Frame is part of a NativeFrame */
       FRAME_VM_NATIVE = 4,
       FRAME_SYNC = 8,        /* holds the monitor of a synchronized method: sync_object is valid */
       FRAME_NOTIFY_POP = 16, /* JVM TI NotifyFramePop */
       FRAME_LOCKS = 64,      /* locks is valid, and not empty */
       /* For compiled code, which tests the whole word for FRAME_COMPILED alone after each call and at its return. */
       FRAME_COMPILED = 128,  /* runs compiled code: position is valid; pc, sp and qcells are not */
       FRAME_DEOPT = 256,     /* goes on in the interpreter when it next runs */
       FRAME_EXCEPTION = 512, /* the callee was left by an exception, which is pending */
       FRAME_BRIDGED =
           1024, /* with FRAME_ENTRY: called from compiled code, or was compiled code; no C code of others lies between */
       FRAME_REPEAT = 2048,   /* the callee was popped (JVM TI): the call is made again */
       FRAME_BORROWED = 4096, /* compiled, but the interpreter does one instruction in it: pc and sp are valid meanwhile */
       FRAME_FROM_C = 8192,   /* compiled at a loop, and called from C: FRAME_ENTRY once it is interpreted again */
       FRAME_INLINED =
           16384, /* with FRAME_COMPILED: the code is part of prev's; written only when somebody may look (jit/base_inline.c) */
       FRAME_TOLD_EXIT = 32768, /* compiled code has sent MethodExit and is about to return: who does it instead sends none */
       FRAME_RELOCK =
           65536, /* with FRAME_INLINED: its code took not sync_object's monitor, which the thread has, or nobody else can have; who leaves it does */
       FRAME_LEAVE_CODE = FRAME_DEOPT | FRAME_EXCEPTION, /* tested after calls and polls */
       FRAME_OPAQUE = FRAME_NATIVE | FRAME_VM_NATIVE     /* no bytecode */
};
enum { FRAME_DEPTH_SHIFT = 16, FRAME_BCI_MASK = 0xffff };

struct Frame {
    Frame *prev; /* older frame of this thread */
    Method *method;
    union {
        const u1 *pc;
        u8 position;
    };
    Slot *locals;
    u4 flags;
    u4 advance;
    /* from here on only where the table says so */
    Slot *sp;
    void **qcells;
    Object *sync_object;
    LockRecord *locks;
};

typedef struct NativeFrame {
    HandleMark mark; /* local references of the call lie above it; what made the frame goes back to it */
    Frame frame;
    Slot mirror; /* first cell of its stack: class of a static method, or NULL */
} NativeFrame;

/* --- due frames: frame_upcall.h --- */

static inline bool frame_is_due(const Frame *f) { return (int64_t)f->position < 0; }
/* The caller of f; NULL: f is the oldest. */
static inline Frame *frame_older(const Frame *f) {
    Frame *older = f->prev;
    if (older && UNLIKELY(frame_is_due(older))) frame_write_due(older);
    return older;
}

/* --- reading one physical frame --- */

static inline Slot *frame_stack_base(const Frame *f) { return (Slot *)(f + 1); }
static inline u4 frame_bci(const Frame *f) {
    ASSERT(!frame_is_due(f), "a frame that nobody wrote");
    if (f->flags & FRAME_COMPILED) return f->position & FRAME_BCI_MASK;
    return f->pc ? (u4)(f->pc - f->method->qcode) : 0;
}
static inline Slot *frame_sp(const Frame *f) {
    return f->flags & FRAME_COMPILED ? frame_stack_base(f) + (f->position >> FRAME_DEPTH_SHIFT) : f->sp;
}
static inline Slot *frame_locals(const Frame *f) {
    return f->flags & FRAME_COMPILED ? (Slot *)f - f->method->max_locals : f->locals;
}
static inline Object *frame_sync_object(const Frame *f) { return f->flags & (FRAME_SYNC | FRAME_RELOCK) ? f->sync_object : NULL; }
static inline LockRecord *frame_locks(const Frame *f) { return f->flags & FRAME_LOCKS ? f->locks : NULL; }
/*
 * Whoever writes to a frame, or wants its return seen, lets it go on in the interpreter, with all frames that are one activation of code: from the
 * youngest to the root. So code asks one frame behind a call, however deep it is in bodies: the one that called, which exceptions are told as well.
 * (Base code asks the root, too, which is told that its code is to be made anew.)
 */
static inline void frame_leave_code(Frame *youngest) {
    Frame *f = youngest;
    if (!(f->flags & (FRAME_COMPILED | FRAME_BORROWED))) return;
    for (; f->flags & FRAME_INLINED; f = f->prev) f->flags |= FRAME_DEOPT;
    f->flags |= FRAME_DEOPT;
}
/* Of the activation that f, a frame of t, is part of. */
static inline Frame *frame_youngest(const Thread *t, const Frame *f) {
    Frame *youngest = t->frame;
    for (Frame *x = t->frame; x && x != f; x = frame_older(x))
        if (!(x->flags & FRAME_INLINED)) youngest = frame_older(x);
    return youngest;
}
static inline HandleMark native_frame_mark(const Frame *f) {
    return ((const NativeFrame *)((const u1 *)f - offsetof(NativeFrame, frame)))->mark;
}

/* --- one activation; view_older, view_method, view_bci for those who may look --- */
static inline FrameView frame_view_older(FrameView v) { return (FrameView){frame_older(v.frame), 0}; }
static inline Method *frame_view_method(FrameView v) { return v.frame->method; }
static inline u4 frame_view_bci(FrameView v) { return frame_bci(v.frame); }
static inline bool frame_of_hidden(const Method *m) { return m->flags & MF_HIDDEN || m->holder->flags & CF_HIDDEN; }

/* --- push and pop ---
 * Of bytecode: interp_push_frame, and the fast path of the loop. */

/* First free cell of the thread's Java stack. */
static inline Slot *frame_stack_top(const Thread *t) { return t->frame ? frame_sp(t->frame) : (Slot *)t->java_stack; }
static inline void frame_push_opaque(Thread *t, Frame *f, Method *m, Slot *args, u4 flags, Slot *sp) {
    f->prev = t->frame;
    f->method = m;
    f->pc = NULL;
    f->locals = args;
    f->flags = flags;
    f->sp = sp;
    t->frame = f;
}
/* Of a native method of the VM whose arguments lie at args; f behind them, n_cells cells of its stack are looked at. */
static inline void frame_push_vm_native(Thread *t, Frame *f, Method *m, Slot *args, u4 n_cells) {
    frame_push_opaque(t, f, m, args, FRAME_VM_NATIVE, frame_stack_base(f) + n_cells);
}
static inline void frame_push_native(Thread *t, NativeFrame *nf, Method *m, Slot *args, Object *mirror) {
    nf->mark = handle_mark(t);
    nf->mirror.ref = mirror;
    frame_push_opaque(t, &nf->frame, m, args, FRAME_NATIVE, (Slot *)(nf + 1));
}
/* The method turned out to be one of the VM's own; the NativeFrame stays one. */
static inline void frame_turn_vm_native(NativeFrame *nf) { nf->frame.flags ^= FRAME_NATIVE | FRAME_VM_NATIVE; }
static inline void frame_pop(Thread *t, const Frame *f) { t->frame = f->prev; }
/* All frames younger than f go. */
static inline void frame_pop_to(Thread *t, Frame *f) { t->frame = f; }

/* --- monitors of a frame: frame_monitor.c --- */

void frame_sync_failed(Thread *t, Frame *f, bool entered);
/* Of a synchronized method; false = exception pending, the frame does not hold it. */
static inline bool frame_enter_sync(Thread *t, Frame *f, Object *o) {
    f->sync_object = o; /* before: who asks in MonitorContendedEnter sees it */
    f->flags |= FRAME_SYNC;
    bool entered = monitor_enter(t, o);
    if (LIKELY(entered && !t->exception)) return true;
    frame_sync_failed(t, f, entered);
    return false;
}
static inline bool frame_exit_sync(Thread *t, Frame *f) {
    f->flags &= ~(u4)FRAME_SYNC;
    return monitor_exit(t, f->sync_object);
}
/* Of monitorenter and monitorexit; false = exception pending. */
bool frame_monitor_enter(Thread *t, Frame *f, Object *o);
bool frame_monitor_exit(Thread *t, Frame *f, Object *o);
/* Those entered and not yet left: released, newest first. */
void frame_release_locks(Thread *t, Frame *f);
void frame_free_records(Thread *t);

#endif
