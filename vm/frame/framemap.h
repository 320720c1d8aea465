/* SPDX-License-Identifier: Apache-2.0 */
/* What the cells of frames hold; theory in framemap.c. */
#ifndef GRAFT_FRAME_FRAMEMAP_H
#define GRAFT_FRAME_FRAMEMAP_H

#include "core/types.h"

/* Bit set (64 per word) of the locals that may hold a reference before the instruction at bci; NULL = treat all as if they did. */
const u8 *framemap_locals(Method *m, u4 bci);
void framemap_free(Method *m); /* with the method */

/* What a local holds before the instruction at bci. */
typedef enum LocalKind {
    LOCAL_NONE,  /* nothing on some path */
    LOCAL_MIXED, /* a reference on one path, a number on another; or it takes too long to tell */
    LOCAL_VALUE, /* a number, either half of a long or double, a return address */
    LOCAL_REF
} LocalKind;
bool framemap_kind(const Method *m, u4 bci, u4 local, LocalKind *kind); /* false: no memory */

/* Which cells hold references. */
typedef struct FrameKinds {
    u4 max_locals, depth; /* depth: operand cells before the instruction runs */
    bool exact;           /* false: unknown, every cell is claimed to be a reference */
    u1 is_ref[];          /* max_locals locals, then depth operands */
} FrameKinds;
/* Before the instruction at bci; of a method without bytecode, its arguments.  malloc'ed; NULL only when memory is exhausted.  Needs no lock. */
FrameKinds *framemap_cells(const Method *m, u4 bci);

#endif
