/* SPDX-License-Identifier: Apache-2.0 */
/*
 * On a CPU without a compiler (the Makefile leaves out base*.c there): jit_is_wanted says no, so no code is made, and what leads
 * into code and out of it is never called.  jit_bridge is still the entry of all methods, as a number.
 */
#include "jit/jit_int.h"

#if !defined(__x86_64__)
static _Noreturn void no_compiler(void) { FATAL("no compiled code on this CPU"); }

void jit_bridge(void) { no_compiler(); }
void jit_entry_slow_stub(void) { no_compiler(); }
void jit_help_stub(void) { no_compiler(); }
void jit_help_inlined_stub(void) { no_compiler(); }
void jit_entered_stub(void) { no_compiler(); }
void jit_returns_stub(void) { no_compiler(); }
void jit_break_stub(void) { no_compiler(); }
void jit_leaf_stub(void) { no_compiler(); }
void jit_look_stub(void) { no_compiler(); }
void jit_subtype_stub(void) { no_compiler(); }
void jit_window_stub(void) { no_compiler(); }
void jit_take_stub(void) { no_compiler(); }
void jit_give_stub(void) { no_compiler(); }
void jit_select_stub(void) { no_compiler(); }
void jit_exit_stub(void) { no_compiler(); }
void jit_exit_inlined_stub(void) { no_compiler(); }
void jit_exit_record_stub(void) { no_compiler(); }
void jit_help_record_stub(void) { no_compiler(); }
const void *jit_fault_exit(void *context) { no_compiler(); }
JitResult jit_enter(Thread *t, Method *m, Slot *args, const void *code, Frame *frame) { no_compiler(); }
CodeBlob *base_compile(Method *m, bool reports, const char **why) { no_compiler(); }
bool base_may_guard(const Method *m) { no_compiler(); }
#endif
