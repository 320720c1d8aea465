/* SPDX-License-Identifier: Apache-2.0 */
/* Which cells of a frame hold references; theory in framekinds.c. */
#ifndef GRAFT_FRAME_FRAMEKINDS_H
#define GRAFT_FRAME_FRAMEKINDS_H

#include "object/class.h"

typedef struct FrameKinds {
    u4 max_locals, depth; /* depth: operand cells before the instruction runs */
    bool exact;           /* false: unknown, every cell is claimed to be a reference */
    u1 is_ref[];          /* max_locals locals, then depth operands */
} FrameKinds;

/* Before the instruction at bci; of a method without bytecode, its arguments.  malloc'ed; NULL only when memory is exhausted.  Needs no lock. */
FrameKinds *framekinds_at(const Method *m, u4 bci);

#endif
