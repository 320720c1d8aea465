/* SPDX-License-Identifier: Apache-2.0 */
/* C functions that stand for methods of the class library: rows of intrinsic.def. */
#ifndef GRAFT_INTRINSIC_INTRINSIC_H
#define GRAFT_INTRINSIC_INTRINSIC_H
#include "object/method.h"

/* VM-provided natives and intrinsics by class/name/descriptor: intrinsic.def.  Called by link for
 * every method of a boot class. */
Intrinsic native_intrinsic(Symbol *cls, Symbol *name, Symbol *desc);
void reflection_caller_class(Thread *t, Slot *args,
                             Slot *ret); /* args is not read; the youngest frame is that of getCallerClass */

#endif
