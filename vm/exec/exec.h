/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running Java whatever the tier (D5-D7): calls from C, exceptions, orders to leave a frame.  What the interpreter has to
 * offer: exec/interp_upcall.h.  Frames: frame/frame_view.h.
 */
#ifndef GRAFT_EXEC_EXEC_H
#define GRAFT_EXEC_EXEC_H

#include "thread/thread.h"

/* --- calls from C [gc][throws][blocks] --- */
/* args: arg_slots cells, receiver first.  The method is called as is (no virtual
 * selection).  False = exception pending.  ret may be NULL for void. */
bool exec_call(Thread *t, Method *m, const Slot *args, Slot *ret);
/* Virtual selection on the receiver first. */
bool exec_call_virtual(Thread *t, Method *m, const Slot *args, Slot *ret);
/* Variadic convenience: one C argument per Java parameter (receiver first), typed by the
 * descriptor: int (and narrower) int32_t, long int64_t, float/double double, refs Object *. */
bool exec_callf(Thread *t, Method *m, Slot *ret, ...);
/* The same by names: a static method of a boot class; the method that an object's class has, its own or inherited.  The reference
 * they answer; NULL also for other answers.  What is missing is an exception like any other; with one pending nothing is done. */
Object *exec_call_static(Thread *t, const char *class_name, const char *name, const char *desc, ...);
Object *exec_call_on(Thread *t, Object *o, const char *name, const char *desc, ...);
/* An instance made by the constructor of that descriptor; NULL = exception pending, or c is NULL. */
Object *exec_new(Thread *t, Class *c, const char *desc, ...);
/* A method that has no bytecode; its arguments are in place. */
bool exec_call_other(Thread *t, Method *m, Slot *args, Slot *ret);
/* Method actually run when `m` is invoked virtually on `receiver_class`. */
Method *exec_select_method(Class *receiver_class, Method *m);
Method *exec_select_interface(Thread *t, Class *receiver_class, Method *im); /* [throws] */

void exec_init(void);
/* Give the thread its Java stack and events / take them away. */
bool exec_thread_init(Thread *t, size_t java_stack_bytes);
void exec_thread_free(Thread *t);

/* --- helpful NullPointerException message (JEP 358): npe_message.c ---
 * Text for the null that made instruction bci of m fail; false if none can be told. */
bool exec_npe_message(Method *m, u4 bci, char *buf, size_t len);

/* --- what threads report, and code that stands for methods: exec.c --- */
/* Thread.event_bits: what the thread must report.  Entry and exit cost a slow path at calls and
 * returns; the others run every instruction through the event table. */
enum { EXEC_EVENT_ENTRY = 1, EXEC_EVENT_EXIT = 2, EXEC_EVENT_STEP = 4, EXEC_EVENTS_PER_INSN = EXEC_EVENT_STEP };
/* Threads with event bits run the bytecode of a method for which C code stands (MF_INTRINSIC).  From now on all threads
 * do: for breakpoints and watched fields.  At a safepoint. */
void exec_use_bytecode(Method *m);
/* What interface calls chose, by thread and by site.  World stopped. */
struct JitUsers;
void exec_forget_chosen(const struct JitUsers *found); /* found: jit_find_users; NULL: of all classes */
/* Locals can be read from now on (vm_locals_are_read): code that does without objects which they name goes. [gc] */
void exec_show_locals(void);
/* A final field is about to be assigned late (FIELD_PUT_LATE): code that may have its value goes. [gc] */
void exec_final_is_put(Field *fd);
/* A native that C code of the VM stood for has another function now: compiled callers ask the method again. [gc] */
void exec_native_replaced(Method *m);
void exec_class_dispatches(Class *c); /* class_dispatches said that code relies on others */
/* Of any thread [lock: threads].  Compiled frames of one that runs report nothing until exec_settle_event_bits, which stops it:
 * to be called with no lock held, before anybody hears that the events are on. */
void exec_set_event_bits(Thread *t, u4 bits);
void exec_settle_event_bits(void);
/* Bits that any thread has: told before the first gets them, and after the last lost them. [lock: threads] */
void exec_events_wanted(u4 bits);
extern u4 exec_initial_event_bits; /* what new threads start with */
/* What the tiers keep for the methods of a version (class unloading); before the version goes. */
void exec_version_free(ClassVersion *v);

/* --- leaving a frame by order (JVM TI): exec.c; the tiers do it ---
 * The youngest frame of t, which runs bytecode, is left as soon as t would go on in it: by pop to the
 * call instruction of its caller, which is executed again (exec_can_pop says whether it can be);
 * by return with the value and the events of a return.  Locks of the frame are released, no code
 * of it runs.  Target stopped or current. */
bool exec_can_pop(Thread *t);
void exec_force_pop(Thread *t);
void exec_force_return(Thread *t, Slot value);
void exec_forget_forced(Thread *t);
bool exec_exit_ordered(const Thread *t);      /* one of both was ordered and is not done yet */
bool exec_left_by_exception(const Thread *t); /* the youngest frame is being left by an exception, whose last events are sent */
/* Asked by the tiers after everything that may have stopped in f. */
static inline bool exec_forced(const Thread *t, const Frame *f) { return UNLIKELY(t->forced_frame == f); }

/* The pending exception is seen in the youngest frame; only with HOOK_EXCEPTION on (exception_event.c). */
void exec_tell_exception(Thread *t);

#endif
