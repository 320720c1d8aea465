/* SPDX-License-Identifier: Apache-2.0 */
/* What gcc calls at accesses of volatile lvalues when they are counted apart: nothing is to be checked there (tsan.h). */
#include "core/tsan.h"

#ifdef GRAFT_TSAN
#define EMPTY(name) \
    void name(void *address); \
    void name(void *address) { (void)address; }
EMPTY(__tsan_volatile_read1)
EMPTY(__tsan_volatile_read2)
EMPTY(__tsan_volatile_read4)
EMPTY(__tsan_volatile_read8)
EMPTY(__tsan_volatile_read16)
EMPTY(__tsan_volatile_write1)
EMPTY(__tsan_volatile_write2)
EMPTY(__tsan_volatile_write4)
EMPTY(__tsan_volatile_write8)
EMPTY(__tsan_volatile_write16)
#endif
