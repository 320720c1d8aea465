/* SPDX-License-Identifier: Apache-2.0 */
/* What collections cost and left: figures for management, lines for -Xlog:gc*. */
#include "core/events.h"
#include "log/log.h"
#include "core/options.h"
#include "heap/heap_int.h"
#include "os/os.h"

#include <sys/resource.h>

void (*heap_on_collection)(HeapGcKind kind);

static struct timeval user_start, sys_start;

/* Of the whole process: threads in native code are counted too, as usual with this line. */
static void cpu_time(struct timeval *user, struct timeval *sys) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    *user = u.ru_utime;
    *sys = u.ru_stime;
}

static HeapGcKind kind_now(void) { return heap.young ? HEAP_GC_YOUNG : HEAP_GC_FULL; }

static const char *kind_name(void) { return heap.young ? "Young" : "Full"; }

void gc_stats_begin(const char *cause) {
    HeapGcStats *s = &heap.stats[kind_now()];
    s->cause = cause;
    s->start_nanos = os_nanos();
    if (log_on(LOG_GC_CPU)) cpu_time(&user_start, &sys_start);
    s->used_before = heap_used();
    s->committed_before = heap_committed();
    if (log_on(LOG_GC_START))
        log_print(LOG_GC_START, "GC(%llu) Pause %s (%s)", (unsigned long long)heap_gc_count(), kind_name(), cause);
}

static double seconds_since(struct timeval then, struct timeval now) {
    return (double)(now.tv_sec - then.tv_sec) + (double)(now.tv_usec - then.tv_usec) / 1e6;
}

static void report_cpu(const HeapGcStats *s) {
    struct timeval user, sys;
    cpu_time(&user, &sys);
    log_print(LOG_GC_CPU, "GC(%llu) User=%.4fs Sys=%.4fs Real=%.4fs", (unsigned long long)s->id - 1,
              seconds_since(user_start, user), seconds_since(sys_start, sys), (double)(s->end_nanos - s->start_nanos) / 1e9);
}

static void report(const HeapGcStats *s) {
    unsigned long long n = s->id - 1;
    if (log_on(LOG_GC_HEAP))
        log_print(LOG_GC_HEAP, "GC(%llu) Heap: %zuK(%zuK)->%zuK(%zuK)", n, s->used_before >> 10, s->committed_before >> 10,
                  s->used_after >> 10, s->committed_after >> 10);
    if (log_on(LOG_GC))
        log_print(LOG_GC, "GC(%llu) Pause %s (%s) %zuM->%zuM(%zuM) %.3fms", n, kind_name(), s->cause, s->used_before >> 20,
                  s->used_after >> 20, s->committed_after >> 20, (double)(s->end_nanos - s->start_nanos) / 1e6);
}

void gc_stats_end(void) {
    HeapGcStats *s = &heap.stats[kind_now()];
    s->end_nanos = os_nanos();
    int64_t nanos = s->end_nanos - s->start_nanos;
    s->id = heap_gc_count();
    s->count++;
    s->nanos += nanos;
    if (nanos > s->longest_nanos) s->longest_nanos = nanos;
    s->used_after = heap.live;
    s->committed_after = heap_committed();
    report(s);
    if (log_on(LOG_GC_CPU)) report_cpu(s);
    event_note(EVENTS_GC, heap.young ? "Pause Young (%s) %luK->%luK" : "Pause Full (%s) %luK->%luK", s->cause,
               s->used_before >> 10, s->used_after >> 10);
    if (heap_on_collection) heap_on_collection(kind_now());
}

void heap_gc_stats(HeapGcKind kind, HeapGcStats *out) { *out = heap.stats[kind]; }

size_t heap_young_budget(void) { return __atomic_load_n(&heap.budget, __ATOMIC_RELAXED); }

size_t heap_max(void) { return heap.max_blocks << BLOCK_SHIFT; }

size_t heap_committed(void) {
    size_t n = __atomic_load_n(&heap.n_blocks, __ATOMIC_RELAXED);
    return (n < heap.max_blocks ? n : heap.max_blocks) << BLOCK_SHIFT;
}

size_t heap_used(void) {
    size_t used = __atomic_load_n(&heap.live, __ATOMIC_RELAXED) + __atomic_load_n(&heap.allocated, __ATOMIC_RELAXED);
    size_t committed = heap_committed();
    return used < committed ? used : committed;
}

u8 heap_gc_count(void) { return atomic_load(&heap.gc_count); }

int64_t heap_gc_millis(void) {
    int64_t nanos = 0;
    for (int k = 0; k < HEAP_GC_KINDS; k++) nanos += heap.stats[k].nanos;
    return nanos / 1000000;
}

int64_t heap_last_full_gc_millis(void) { return heap.last_gc_millis; }
