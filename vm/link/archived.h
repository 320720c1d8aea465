/* SPDX-License-Identifier: Apache-2.0 */
/* Classes that the reference has in its archive: their mirrors have a hash before the program begins (thread/identity.c). */
#ifndef GRAFT_LINK_ARCHIVED_H
#define GRAFT_LINK_ARCHIVED_H
#include "object/class.h"
#include "thread/thread.h"

/* c is being linked by t: the reference hashes its mirror then. */
void archived_hash_mirror(Thread *t, const Class *c);

#endif
