/* SPDX-License-Identifier: Apache-2.0 */
/* A CPU that nobody has described yet.  See cpu.h. */
#ifndef GRAFT_CPU_OTHER_H
#define GRAFT_CPU_OTHER_H

#define CPU_LOADS_ACQUIRE 0
#define CPU_INT_ARGS 0
#define CPU_PUSHES_RETURN 0
#define CPU_NAME "unknown"
#define CPU_LIBS "."

static inline void cpu_pause(void) {}

#endif
