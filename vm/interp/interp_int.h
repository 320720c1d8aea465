/* SPDX-License-Identifier: Apache-2.0 */
/* Inside interp/ only: the out-of-line parts of the loop. */
#ifndef GRAFT_INTERP_INT_H
#define GRAFT_INTERP_INT_H

#include "exec/interp_upcall.h"
#include "frame/frame.h"
#include "interp/parts.h"
#include "link/link.h"
#include "object/method.h"
#include "quick/quick.h"

/* frame_interp.c */
/* Push a frame for a bytecode method entered from C or in need of more than qentry promises.
 * NULL = exception pending. */
Frame *interp_push_frame(Thread *t, Method *m, Slot *args, u4 flags, u4 advance);
/* Call a native whose arguments are at `args`, up to f->sp; then f->sp stands behind the
 * result and f->pc behind the invoke instruction of length `advance`. */
bool interp_call_native(Thread *t, Frame *f, Method *m, Slot *args, u4 advance);
bool interp_call_leaf_native(Thread *t, Frame *f, Method *m, Slot *args, u4 advance); /* the same, MF_LEAF, no events on */
/* The same, MK_LEAF_QUICK; NULL: done, else m, and nothing has happened. */
Method *interp_try_quick(Thread *t, Frame *f, Method *m, Slot *args, u4 advance);
/* What a return does when flags, events or polls want something; false = exception pending or frame to
 * be left otherwise instead.  The result cells are the top `n` cells of f->sp. */
bool interp_return_slow(Thread *t, Frame *f, int n);
bool interp_poll(Thread *t, Frame *f); /* false = exception pending, or f is to be left */
/* f is left by order: monitors are released, and it is popped (-1; t->frame continues) or has its
 * result on the stack (number of cells) and shall return. */
int interp_forced_exit(Thread *t, Frame *f);
bool interp_entry_slow(Thread *t, Frame *f); /* poll, MethodEntry; likewise */

/* unwind.c */
/* Find the handler of t->exception from f outwards, popping frames.  Returns the frame to
 * continue in (pc, sp set, exception on its stack; or exec_forced), or NULL when the entry frame
 * was left. */
Frame *interp_unwind(Thread *t, Frame *f);

/* parts.c */
void interp_register_finalizer(Thread *t, Object *o);
void interp_throw_abstract(Thread *t, Method *m, Object *receiver);
bool interp_event(Thread *t, Frame *f);         /* single step; false = exception, or f is to be left */
int interp_breakpoint_hit(Thread *t, Frame *f); /* posts, returns the real opcode; -1: as below */

#endif
