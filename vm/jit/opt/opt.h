/* SPDX-License-Identifier: Apache-2.0 */
/* The optimising compiler, as the rest of vm/jit sees it.  Theory: docs/jit.md, "The optimiser". */
#ifndef GRAFT_JIT_OPT_H
#define GRAFT_JIT_OPT_H

#include "jit/jit_int.h"

/* As base_compile: the caller runs Java, holds the lock, and lets no safepoint pass until it has published the blob.  NULL and *why: m is not for this
 * compiler (what it says is in the form that PrintCompilation shows); NULL and no *why: there is no memory.
 * `yields`: if somebody wants the thread to stop, it gives up between two phases; *why is opt_gave_up then. */
CodeBlob *opt_compile(Method *m, bool yields, const char **why);
/* The same for frames that stand at the head of a loop, at bci, with no operands: the blob has that one entry, and cannot be called. */
CodeBlob *opt_compile_loop(Method *m, u4 bci, bool yields, const char **why);
extern const char opt_gave_up[];

#endif
