/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames that compiled code has not written yet (due frames): what their reader needs of who made the code.  Defined in jit/body_frames.c, which has the
 * theory.
 */
#ifndef GRAFT_FRAME_FRAME_UPCALL_H
#define GRAFT_FRAME_FRAME_UPCALL_H

#include "frame/frame_view.h"

/* Writes f, which is due, and the frames around it that are one activation of code.  The activation lives and does not run: the caller is its thread, or has
 * stopped it. */
void frame_write_due(Frame *f);

/* From a signal handler: the same bodies, and nothing is written. */
bool due_begin(FrameDue *d, const Frame *f, u8 position); /* false: the word is stale */
/* The next body, innermost first: a copy of its method, and its bytecode index; d becomes its caller. */
bool due_next(FrameDue *d, Method *m, u4 *bci);

#endif
