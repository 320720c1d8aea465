/* SPDX-License-Identifier: Apache-2.0 */
/* What extension functions ask of RedefineClasses and RetransformClasses. */
#ifndef GRAFT_TI_REDEFINE_H
#define GRAFT_TI_REDEFINE_H

#include "redefine/redefine.h"

/* How this thread's calls are meant. */
extern _Thread_local RedefineMode ti_redefine_mode;

#endif
