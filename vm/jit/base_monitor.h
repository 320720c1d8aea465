/* SPDX-License-Identifier: Apache-2.0 */
/* Monitors, as the rest of the base compiler sees them. */
#ifndef GRAFT_JIT_BASE_MONITOR_H
#define GRAFT_JIT_BASE_MONITOR_H

#include "jit/base_int.h"

void enter_sync(Compiler *c); /* of a synchronized method: at entry, at a return */
void leave_sync(Compiler *c);
void enter_body_sync(Compiler *c, u4 receiver); /* the same of a body, whose frame is not there; receiver: the cell */
void leave_body_sync(Compiler *c, u4 receiver);
void base_monitor(Compiler *c, bool enter);                    /* monitorenter, monitorexit */
void base_hash(Compiler *c, Reg o, Reg d, Reg t, Label *none); /* d = identity hash of o, if it has one */

#endif
