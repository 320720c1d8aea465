/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nat_refs.h - global and weak references: who made them, which were never deleted.
 *
 * Four functions of JNI are replaced. A reference belongs to the stack of Java frames that it was made on (its site), so figures
 * are exact for what is made and deleted through JNI from the start on. References that the VM makes itself, and those that
 * were there before, are not seen.
 */
#ifndef GRAFT_NAT_REFS_H
#define GRAFT_NAT_REFS_H

#include <stdio.h>

#include "agent.h"

/* Puts the functions into `table`, a copy of the VM's; they call those that were in it. */
void nat_refs_into(Agent *a, struct JNINativeInterface_ *table);
/* Sites with references that are still there, most first; at most `top` (0: 20). */
void nat_refs_report(FILE *out, JNIEnv *env, size_t top);

#endif
