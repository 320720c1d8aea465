/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that is Linux: memory, time, processors, libraries. */
#ifndef GRAFT_OS_OS_H
#define GRAFT_OS_OS_H

#include "core/types.h"

void *os_reserve(void *hint, size_t bytes);       /* PROT_NONE; hint must be honoured or NULL returned */
bool os_commit(void *p, size_t bytes);            /* read-write, zeroed on first touch */
void os_release_pages(void *p, size_t bytes);     /* contents lost, range stays committed */
void os_prefer_huge_pages(void *p, size_t bytes); /* a wish */
void os_unreserve(void *p, size_t bytes);
int64_t os_nanos(void);       /* monotonic */
int64_t os_ticks_nanos(void); /* nearly os_nanos, in half its time; not ordered with what other threads do (os/os_ticks.c) */
int64_t os_millis(void);      /* wall clock */
void os_wall(int64_t *seconds, int64_t *nanos);
extern bool os_ignore_cgroups;   /* set before the first of the two */
int os_processors(void);         /* affinity and cgroup aware */
size_t os_physical_memory(void); /* cgroup aware */
size_t os_page_size(void);
void os_current_stack(u1 **low, u1 **base); /* bounds of the calling pthread's C stack */
int64_t os_thread_cpu_nanos(int os_tid_or_0, bool user_only);
int64_t os_thread_elapsed_millis(int os_tid); /* since the thread began, to about 10 ms; -1 unknown */
void os_set_thread_name(const char *name);
int os_gettid(void);

/* --- waiting on a word; deadlines are absolute, 0 = none; spurious returns are allowed --- */
/* False only when the deadline passed. */
bool os_futex_wait(_Atomic u4 *word, u4 expected, int64_t monotonic_deadline_nanos);
bool os_futex_wait_wall(_Atomic u4 *word, u4 expected, int64_t wall_deadline_millis);
void os_futex_wake(_Atomic u4 *word, int n);
/* Heavy side of an asymmetric fence: after it, every other thread of the process has passed a
 * full barrier.  When the kernel lacks it os_light_fence is a real fence instead of nothing. */
void os_heavy_fence(void);
extern bool os_have_membarrier;
static inline void os_light_fence(void) {
    if (LIKELY(os_have_membarrier)) atomic_signal_fence(memory_order_seq_cst);
    else atomic_thread_fence(memory_order_seq_cst);
}

/* Copies n bytes of this process; false if they are not readable.  Signal-safe. */
/* The beginning of a file, ended by 0, and its length; "" and 0 if it cannot be read.  For crash reports too. */
size_t os_read_text(const char *path, char *buf, size_t len);
bool os_safe_copy(void *to, const void *from, size_t n);

/* --- faults (os/os_signal.c) --- */
void os_faults_init(void); /* SEGV BUS FPE ILL TRAP ABRT PIPE XFSZ; once */
/* Asked first about a SIGBUS (access behind the end of a mapped file); true: it may be repeated.
 * Called in the handler. */
extern bool (*os_bus_error)(void *address);
/* Asked about a SIGSEGV or SIGBUS whose address is known, before it counts as a crash: where to go on instead, NULL if the
 * fault is none of its own.  It may change the registers in context (ucontext_t).  Called in the handler, so
 * async-signal-safe: no lock, no allocation, and what it reads was published with release before the code at pc could run.
 * address: what was accessed; pc: of the instruction that did.  For implicit null checks of compiled code. */
typedef const void *(*OsMemoryFaultHook)(const void *pc, const void *address, void *context);
void os_set_memory_fault_hook(OsMemoryFaultHook hook); /* NULL: nobody */
void os_faults_unblock(void);                          /* in the calling thread */
/* Alternate signal stack of the calling thread, so that C stack overflow can be reported. */
void *os_alt_stack_install(void);
void os_alt_stack_remove(void *token);

#endif
