/* SPDX-License-Identifier: Apache-2.0 */
/* What agents are told later, by a thread of ours: ObjectFree, unloading of classes, code that was made or freed.  Theory:
 * ti_notice.c. */
#ifndef GRAFT_JVMTI_TI_NOTICE_H
#define GRAFT_JVMTI_TI_NOTICE_H

#include "ti.h"
#include <jvmticmlr.h>

typedef struct CodeNews {
    struct CodeNews *next; /* of GenerateEvents */
    jmethodID method;
    const void *code;
    jint size, n_map;
    bool gone;
    jvmtiAddrLocationMap *map;                   /* behind this, like what the record points to */
    jvmtiCompiledMethodLoadInlineRecord inlined; /* the same places, with the bodies they are in */
} CodeNews;
void ti_notice_code(TiEnv *e, CodeNews *n);     /* takes n over; NULL: there was no memory */
void ti_code_tell(TiEnv *e, const CodeNews *n); /* ti_code.c; in NATIVE */

static inline bool ti_gets_notices(const TiEnv *e) {
    return e->caps.can_generate_object_free_events || e->caps.can_generate_compiled_method_load_events || e->class_unload;
}

/* In the pause. */
void ti_notice_object_free(TiEnv *e, jlong tag);
void ti_notice_class_unload(Class *c);
/* What the environment is to be told of freed objects and classes is, by the caller, but for what another thread is telling just
 * now.  The caller is in state JAVA. */
void ti_notices_flush(Ti *x);
/* The thread that tells; live phase, any number of times.  It is hidden, and named as the one on the reference is. [gc] */
void ti_notices_start(void);

#endif
