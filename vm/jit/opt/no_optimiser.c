/* SPDX-License-Identifier: Apache-2.0 */
/* On a CPU without a compiler: nothing is ever hot (vm/jit/stubs_none.c), so nobody calls these. */
#include "jit/opt/opt.h"

CodeBlob *opt_compile(Method *m, const char **why) { FATAL("no compiled code on this CPU"); }
CodeBlob *opt_compile_loop(Method *m, u4 bci, const char **why) { FATAL("no compiled code on this CPU"); }
