/* SPDX-License-Identifier: Apache-2.0 */
/* Attach listener: other processes of the same user ask this VM (jcmd, jstack, jmap, jinfo). */
#ifndef GRAFT_SERVE_ATTACH_H
#define GRAFT_SERVE_ATTACH_H

#include "thread/thread.h"

/* Before the VM can be seen: removes the socket that a process of the same number left behind when it was killed, to which clients
 * would connect instead of knocking. */
void attach_start(void);
/* SIGQUIT arrived: was it the knock of an attaching process?  Then the listener runs (is started
 * if need be) and no thread dump is wanted. */
bool attach_knocked(Thread *t);
/* Removes the socket. */
void attach_stop(void);

#endif
