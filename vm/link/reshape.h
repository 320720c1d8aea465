/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of reshaping share: reshape.c, reshape_install.c, reshape_init.c. */
#ifndef GRAFT_LINK_RESHAPE_H
#define GRAFT_LINK_RESHAPE_H

#include "link/redefine_int.h"

typedef enum ReshapeReason {
#define REASON(NAME, text) REASON_##NAME,
#include "link/reshape.def"
#undef REASON
} ReshapeReason;

/* Notes the reason for this thread and answers the refusal to go with it. */
Refusal reshape_refuse(const Change *ch, ReshapeReason why, const char *about);
Refusal reshape_refuse_exception(Thread *t, const Change *ch, ReshapeReason why, Refusal standard);
void reshape_forget_reason(void);

#endif
