/* SPDX-License-Identifier: Apache-2.0 */
/* Object operations with Java semantics, used by VM natives and by the JVM_* functions. */
#ifndef GRAFT_INTRINSIC_ARRAY_OPS_H
#define GRAFT_INTRINSIC_ARRAY_OPS_H

#include "exec/exec.h"
#include "link/link.h"

/* System.arraycopy with all checks. [throws] */
void op_arraycopy(Thread *t, Object *src, int32_t sp, Object *dst, int32_t dp, int32_t len);
/* The same unless that would throw, or elements must be looked at one by one: false, and nothing is done. */
bool op_arraycopy_quick(const Object *src, int32_t sp, Object *dst, int32_t dp, int32_t len);
Object *op_clone(Thread *t, Object *o);                                   /* Object.clone [gc][throws] */
Object *op_new_array(Thread *t, Object *elem_mirror, int32_t length);     /* Array.newArray */
Object *op_new_multi_array(Thread *t, Object *elem_mirror, Object *dims); /* Array.multiNewArray */

#endif
