/* SPDX-License-Identifier: Apache-2.0 */
/* Linux implementation of os.h: memory, time, processors, control-group limits, futexes. */
#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* ---- memory ---- */

void *os_reserve(void *hint, size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (hint ? MAP_FIXED_NOREPLACE : 0);
    void *p = mmap(hint, bytes, PROT_NONE, flags, -1, 0);
    if (p == MAP_FAILED) return NULL;
    if (hint && p != hint) { /* kernels before 4.17 take the flag for a mere hint */
        munmap(p, bytes);
        return NULL;
    }
    return p;
}

bool os_commit(void *p, size_t bytes) { return bytes == 0 || mprotect(p, bytes, PROT_READ | PROT_WRITE) == 0; }

void os_release_pages(void *p, size_t bytes) {
    if (bytes) madvise(p, bytes, MADV_DONTNEED);
}

void os_prefer_huge_pages(void *p, size_t bytes) { madvise(p, bytes, MADV_HUGEPAGE); }

void os_unreserve(void *p, size_t bytes) { munmap(p, bytes); }

size_t os_page_size(void) {
    static size_t size;
    if (!size) size = (size_t)sysconf(_SC_PAGESIZE);
    return size;
}

/* ---- time ---- */

int64_t os_nanos(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int64_t os_millis(void) {
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void os_wall(int64_t *seconds, int64_t *nanos) {
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    *seconds = ts.tv_sec;
    *nanos = ts.tv_nsec;
}

size_t os_read_text(const char *path, char *buf, size_t len) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, buf, len - 1) : 0;
    if (fd >= 0) close(fd);
    if (n < 0) n = 0;
    buf[n] = 0;
    return (size_t)n;
}

/* ---- control groups ---- */

/* Path of this process in a hierarchy: v2 has the line "0::path", v1 "n:...,controller,...:path". */
static bool cgroup_path(const char *controller, char *out, size_t len) {
    FILE *f = fopen("/proc/self/cgroup", "re");
    if (!f) return false;
    char line[1024];
    bool found = false;
    while (!found && fgets(line, sizeof line, f)) {
        char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path) continue;
        *path++ = 0;
        names++;
        path[strcspn(path, "\n")] = 0;
        if (controller) {
            for (char *save, *s = strtok_r(names, ",", &save); s; s = strtok_r(NULL, ",", &save))
                if (strcmp(s, controller) == 0) found = true;
        } else {
            found = *names == 0;
        }
        if (found) snprintf(out, len, "%s", strcmp(path, "/") == 0 ? "" : path);
    }
    fclose(f);
    return found;
}

bool os_ignore_cgroups;

/* Reads mount/<own path>/file, walking up to the root of the mount: a parent's limit binds too,
 * and in a container the own path may not exist below the mount.  fn keeps the tightest. */
static void cgroup_each(const char *mount, const char *controller, const char *file,
                        void (*fn)(const char *text, const char *dir, void *), void *arg) {
    char path[1024], dir[2048], name[2304], text[256];
    if (os_ignore_cgroups) return;
    if (!cgroup_path(controller, path, sizeof path)) path[0] = 0;
    for (;;) {
        snprintf(dir, sizeof dir, "%s%s", mount, path);
        snprintf(name, sizeof name, "%s/%s", dir, file);
        if (os_read_text(name, text, sizeof text)) fn(text, dir, arg);
        char *slash = strrchr(path, '/');
        if (!slash) return;
        *slash = 0;
    }
}

static void tighten_memory(const char *text, const char *dir, void *arg) {
    u8 v = strtoull(text, NULL, 10), *best = arg;
    if (v && v < *best) *best = v; /* "max" parses as 0 */
}

static void tighten_cpu_v2(const char *text, const char *dir, void *arg) {
    long quota, period;
    double *best = arg;
    if (sscanf(text, "%ld %ld", &quota, &period) == 2 && period > 0 && (double)quota / (double)period < *best)
        *best = (double)quota / (double)period;
}

static void tighten_cpu_v1(const char *text, const char *dir, void *arg) {
    char name[2304], other[64];
    double *best = arg;
    long quota = strtol(text, NULL, 10), period;
    snprintf(name, sizeof name, "%s/cpu.cfs_period_us", dir);
    if (quota <= 0 || !os_read_text(name, other, sizeof other)) return;
    period = strtol(other, NULL, 10);
    if (period > 0 && (double)quota / (double)period < *best) *best = (double)quota / (double)period;
}

size_t os_physical_memory(void) {
    static size_t cached;
    if (cached) return cached;
    u8 limit = (u8)sysconf(_SC_PHYS_PAGES) * os_page_size();
    cgroup_each("/sys/fs/cgroup", NULL, "memory.max", tighten_memory, &limit);
    cgroup_each("/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes", tighten_memory, &limit);
    return cached = limit;
}

static int count_processors(void) {
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    double share = n;
    cgroup_each("/sys/fs/cgroup", NULL, "cpu.max", tighten_cpu_v2, &share);
    cgroup_each("/sys/fs/cgroup/cpu", "cpu", "cpu.cfs_quota_us", tighten_cpu_v1, &share);
    int limited = (int)share + ((double)(int)share < share);
    if (limited < n) n = limited;
    return n < 1 ? 1 : n;
}

/* Programs ask in loops, and control groups are files: an answer counts for 20 ms, as on the reference. */
int os_processors(void) {
    enum { FRESH_NANOS = 20000000 };
    static _Atomic int known;
    static _Atomic int64_t until;
    int64_t now = os_nanos();
    if (now < atomic_load_explicit(&until, memory_order_acquire)) return atomic_load_explicit(&known, memory_order_relaxed);
    int n = count_processors();
    atomic_store_explicit(&known, n, memory_order_relaxed);
    atomic_store_explicit(&until, now + FRESH_NANOS, memory_order_release);
    return n;
}

/* ---- threads ---- */

void os_current_stack(u1 **low, u1 **base) {
    pthread_attr_t attr;
    void *addr;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attr) != 0) FATAL("no stack bounds for this thread");
    pthread_attr_getstack(&attr, &addr, &size);
    pthread_attr_destroy(&attr);
    *low = addr;
    *base = (u1 *)addr + size;
    struct rlimit rl; /* the primordial thread may report an "unlimited" stack */
    if (size > ((size_t)64 << 20) && getrlimit(RLIMIT_STACK, &rl) == 0 && os_gettid() == (int)getpid())
        *low = *base - ((size_t)8 << 20);
}

/* The per-thread clock id encodes the tid: ~tid << 3 | per-thread bit 4 | CPUCLOCK_SCHED 2 or
 * CPUCLOCK_VIRT 1 (user time). */
int64_t os_thread_cpu_nanos(int tid, bool user_only) {
    struct timespec ts;
    if (tid == 0) tid = os_gettid();
    clockid_t clock = (clockid_t)((~(unsigned)tid << 3) | 4u | (user_only ? 1u : 2u));
    if (clock_gettime(clock, &ts) != 0) return -1;
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* proc(5): field 22 of stat is the start in clock ticks after boot; the name may contain blanks. */
int64_t os_thread_elapsed_millis(int tid) {
    char path[64], text[1024];
    unsigned long long ticks;
    struct timespec now;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    os_read_text(path, text, sizeof text);
    char *p = strrchr(text, ')');
    if (!p || sscanf(p + 1, " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &ticks) != 1 ||
        clock_gettime(CLOCK_BOOTTIME, &now) != 0)
        return -1;
    int64_t start = (int64_t)(ticks * 1000 / (unsigned long long)sysconf(_SC_CLK_TCK));
    int64_t elapsed = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - start;
    return elapsed > 0 ? elapsed : 0;
}

void os_set_thread_name(const char *name) {
    char shortened[16];
    snprintf(shortened, sizeof shortened, "%s", name);
    prctl(PR_SET_NAME, shortened);
}

bool os_safe_copy(void *to, const void *from, size_t n) {
    struct iovec local = {to, n}, remote = {(void *)from, n};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)n;
}

int os_gettid(void) { return (int)syscall(SYS_gettid); }

/* ---- futex ---- */

static bool futex_wait_until(_Atomic u4 *word, u4 expected, int clock_flag, const struct timespec *ts) {
    long rc =
        syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | clock_flag, expected, ts, NULL, FUTEX_BITSET_MATCH_ANY);
    return !(rc != 0 && errno == ETIMEDOUT);
}

bool os_futex_wait(_Atomic u4 *word, u4 expected, int64_t deadline) {
    struct timespec ts = {deadline / 1000000000, deadline % 1000000000};
    return futex_wait_until(word, expected, 0, deadline ? &ts : NULL);
}

bool os_futex_wait_wall(_Atomic u4 *word, u4 expected, int64_t deadline) {
    struct timespec ts = {deadline / 1000, deadline % 1000 * 1000000};
    return futex_wait_until(word, expected, FUTEX_CLOCK_REALTIME, deadline ? &ts : NULL);
}

void os_futex_wake(_Atomic u4 *word, int n) { syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, n, NULL, NULL, 0); }

/* ---- asymmetric fence ---- */

bool os_have_membarrier;

__attribute__((constructor)) static void membarrier_init(void) {
    os_have_membarrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void os_heavy_fence(void) {
    atomic_thread_fence(memory_order_seq_cst);
    if (os_have_membarrier && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        FATAL("membarrier failed after registration: errno %d", errno);
}
