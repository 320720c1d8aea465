/* SPDX-License-Identifier: Apache-2.0 */
/* The counter of the processor as a clock, for code that reads it without a call; theory: os_ticks.c. */
#ifndef GRAFT_OS_TICKS_H
#define GRAFT_OS_TICKS_H

#include "core/types.h"

/* The time at a count c with c - from < most is nanos + ((c - from) << 32) * speed / 2^64.  Others are measured first: os_ticks_nanos. */
typedef struct TicksRate {
    uint64_t from, most; /* counts; most < 2^32 */
    int64_t nanos;       /* at `from`, as os_nanos tells it */
    uint64_t speed;      /* nanoseconds in a count, by 2^32 */
} TicksRate;

/* The one to use now.  It does not change; the next one takes its place.  Not defined without CPU_TICKS_CLOCK (cpu/cpu.h). */
extern const TicksRate *_Atomic os_ticks_rate;

#endif
