/* SPDX-License-Identifier: Apache-2.0 */
/* native_method.h - which native methods an agent may wrap with Java methods (bci_wrap_native, JVM TI SetNativeMethodPrefix). */
#ifndef GRAFT_NATIVE_METHOD_H
#define GRAFT_NATIVE_METHOD_H

#include "classfile.h"

/* What prefixes of our agents begin with: each has its own, so that several agents can wrap the same method. */
#define AGENT_NATIVE_PREFIX "$graft$"

/* Not to be wrapped: signature-polymorphic methods, methods that look at their caller's frame (one more frame is another answer), methods that
 * prepare their class, Unsafe, System.nanoTime and Perf.highResCounter, which probes call. `method` NULL: is that so of all methods of the class? */
bool agent_native_left_alone(const char *class_name, const char *method);

/* Has it a native method registerNatives? In the class library most natives of such classes are replaced by the VM's compilers. */
bool agent_registers_natives(const CfClass *c);
/* May the VM's compilers put code of their own in its place? HotSpot warns, on the program's output, if it has another name then. */
bool agent_is_intrinsic(const CfClass *c, const CfMember *m);

#endif
