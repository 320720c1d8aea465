/* SPDX-License-Identifier: Apache-2.0 */
/* Locals of frames: which are assigned (theory in framemap.c), what they hold. */
#ifndef GRAFT_FRAME_FRAMEMAP_H
#define GRAFT_FRAME_FRAMEMAP_H

#include "object/class.h"

/* Bit set (64 per word) of the locals that certainly have a value before the instruction at
 * bci; NULL = treat all as assigned. */
const u8 *framemap_locals(Method *m, u4 bci);
void framemap_free(Method *m); /* with the method */

/* What a local holds before the instruction at bci (local_kinds.c). */
typedef enum LocalKind {
    LOCAL_NONE,  /* nothing on some path */
    LOCAL_MIXED, /* a reference on one path, a number on another; or it takes too long to tell */
    LOCAL_VALUE, /* a number, either half of a long or double, a return address */
    LOCAL_REF
} LocalKind;
bool framemap_kind(const Method *m, u4 bci, u4 local, LocalKind *kind); /* false: no memory */

#endif
