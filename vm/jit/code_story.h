/* SPDX-License-Identifier: Apache-2.0 */
/* Inside jit/: what became of the code of methods, remembered for jcmd Compiler.explain. */
#ifndef GRAFT_JIT_CODE_STORY_H
#define GRAFT_JIT_CODE_STORY_H

#include "jit/jit.h"

typedef enum CodeEnd {
#define CODE_END(id, text) CODE_END_##id,
#include "jit/code_story.def"
    N_CODE_ENDS
} CodeEnd;

/* Each takes a lock of its own and stops nowhere.  What there is no memory or room for is not remembered. */
void story_left(const Method *m, u4 bci, u4 exit_kind); /* a frame of m left code there, of m or of a caller's with m's body */
void story_ended(const Method *m, CodeEnd why);         /* m's code was thrown away */
void story_refused(const Method *m, bool by_optimiser, const char *why); /* why: a constant */
void story_forget(const ClassVersion *v);                                /* its methods are freed */

#endif
