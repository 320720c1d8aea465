/* SPDX-License-Identifier: Apache-2.0 */
/* Assigned locals of frames; theory in framemap.c. */
#ifndef GRAFT_EXEC_FRAMEMAP_H
#define GRAFT_EXEC_FRAMEMAP_H

#include "object/class.h"

/* Bit set (64 per word) of the locals that certainly have a value before the instruction at
 * bci; NULL = treat all as assigned. */
const u8 *framemap_locals(Method *m, u4 bci);
void framemap_free(Method *m); /* with the method */

#endif
