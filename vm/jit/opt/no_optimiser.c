/* SPDX-License-Identifier: Apache-2.0 */
/* On a CPU without a compiler: nothing is ever hot (vm/jit/stubs_none.c), so nobody calls these. */
#include "jit/opt/opt.h"

CodeBlob *opt_compile(Method *m, bool yields, const char **why) { FATAL("no compiled code on this CPU"); }
CodeBlob *opt_compile_loop(Method *m, u4 bci, bool yields, const char **why) { FATAL("no compiled code on this CPU"); }
