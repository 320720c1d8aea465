/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that is Linux: memory, time, processors, libraries. */
#ifndef GRAFT_OS_OS_H
#define GRAFT_OS_OS_H

#include "core/types.h"

void *os_reserve(void *hint, size_t bytes);             /* PROT_NONE; hint must be honoured or NULL returned */
bool os_commit(void *p, size_t bytes);                  /* read-write, zeroed on first touch */
void os_release_pages(void *p, size_t bytes);           /* contents lost, range stays committed */
void os_unreserve(void *p, size_t bytes);
int64_t os_nanos(void);                                 /* monotonic */
int64_t os_millis(void);                                /* wall clock */
void os_wall(int64_t *seconds, int64_t *nanos);
int os_processors(void);                                /* affinity and cgroup aware */
size_t os_physical_memory(void);                        /* cgroup aware */
size_t os_page_size(void);
void os_current_stack(u1 **low, u1 **base);             /* bounds of the calling pthread's C stack */
int64_t os_thread_cpu_nanos(int os_tid_or_0, bool user_only);
void os_set_thread_name(const char *name);
int os_gettid(void);

#endif
