/* SPDX-License-Identifier: Apache-2.0 */
/* What a collection has to tell agents when the world runs again: ObjectFree and the unloading of classes.  Theory: ti_notice.c. */
#ifndef GRAFT_JVMTI_TI_NOTICE_H
#define GRAFT_JVMTI_TI_NOTICE_H

#include "ti.h"

/* In the pause. */
void ti_notice_object_free(TiEnv *e, jlong tag);
void ti_notice_class_unload(Class *c);
/* Everything that stands to be told is told, by the caller or by whoever is about it.  The caller is in state JAVA. */
void ti_notices_flush(Ti *x);
/* The same, and nothing is told until the end: callbacks of a heap walk and of ObjectFree do not mix. */
void ti_notices_hold(Ti *x);
void ti_notices_release(void);
/* The thread that tells; live phase, any number of times. */
void ti_notices_start(void);

#endif
