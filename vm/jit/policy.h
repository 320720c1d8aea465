/* SPDX-License-Identifier: Apache-2.0 */
/* Inside jit/: which methods are compiled, when, and what becomes of their code. */
#ifndef GRAFT_JIT_POLICY_H
#define GRAFT_JIT_POLICY_H

#include "jit/jit_int.h"

void jit_needs_more(Method *m); /* compiled code met an instruction that had never run: it is made anew, within limits */

#endif
