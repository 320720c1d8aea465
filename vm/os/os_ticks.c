/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counter of the processor as a clock: for probes that read the time twice in each call.
 *
 * clock_gettime(CLOCK_MONOTONIC) reads the same counter, but waits for what is in front of it, and goes through a library: it takes about twice as long as
 * the counter.  os_ticks_nanos answers what it would, to a microsecond or so, without either.  It is only used where the kernel itself takes the
 * counter for its clock (it knows of counters that stop, differ between processors or move with a virtual machine), and the processor says that it runs
 * evenly; else it is os_nanos.
 *
 * A rate (os_ticks.h) says what the time was at some count and how fast it went then; it holds for twice as long as lies between it and the measurement
 * before, at most a second.  Who comes later measures: takes both clocks, and publishes the next rate.  So nobody measures while nobody asks.
 * Invariants: a rate does not change once it is published (its place is used again after RATES of them, a quarter of an hour at least; nobody stands
 * between its load and its use for so long); the time does not go back: a new rate begins where the one before got to, if that was ahead, and goes
 * so much slower that it is right at its end.  When the counter jumped (the machine slept) measuring begins anew.
 * Threads that find another one measuring ask the kernel, and take what the old rate
 * told last if that is later.
 *
 * Rejected: a thread that measures (it would wake up an idle process); System.nanoTime by it (Java's clock must not overtake what happens
 * before or after it in another thread).
 */
#include "os/os_ticks.h"

#include "os/os.h"

#include <string.h>

#ifdef CPU_TICKS_CLOCK
enum { RATES = 1024, SECOND = 1000000000, FIRST = SECOND / 100 }; /* FIRST: nanoseconds of the first measurement */

typedef struct Point { /* one moment by both clocks */
    uint64_t ticks;
    int64_t nanos;
} Point;

static const TicksRate never;
static TicksRate rates[RATES];
const TicksRate *_Atomic os_ticks_rate = &never;
static _Atomic int measuring;

/* Written under `measuring`. */
static unsigned measured;
static Point last;
static _Atomic enum { UNKNOWN, EVEN, USELESS } counter;

static int64_t time_by(const TicksRate *r, uint64_t ticks) {
    return r->nanos + (int64_t)((unsigned __int128)(ticks - r->from) * r->speed >> 32);
}

/* The kernel's clock between two readings of the counter that are as near to each other as can be had. */
static Point now(void) {
    Point best = {0};
    uint64_t width = UINT64_MAX;
    for (int i = 0; i < 4; i++) {
        uint64_t before = cpu_ticks();
        int64_t nanos = os_nanos();
        uint64_t after = cpu_ticks();
        if (after - before >= width) continue;
        width = after - before;
        best = (Point){before + width / 2, nanos};
    }
    return best;
}

static bool is_kernels_clock(void) {
    char name[32];
    os_read_text("/sys/devices/system/clocksource/clocksource0/current_clocksource", name, sizeof name);
    name[strcspn(name, "\n")] = 0;
    return !strcmp(name, CPU_TICKS_CLOCK);
}

static void begin_at(Point p) {
    last = p;
    atomic_store_explicit(&os_ticks_rate, &never, memory_order_release);
}

/* What was told last by r: nobody reads a rate behind its end. */
static int64_t told_until(const TicksRate *r, uint64_t ticks) {
    return time_by(r, ticks - r->from < r->most ? ticks : r->from + r->most);
}

static void publish(Point p, uint64_t ticks, uint64_t nanos) {
    const TicksRate *old = atomic_load_explicit(&os_ticks_rate, memory_order_relaxed);
    uint64_t speed = (uint64_t)(((unsigned __int128)nanos << 32) / ticks);
    uint64_t most = nanos < SECOND / 2 ? 2 * ticks : (uint64_t)((unsigned __int128)ticks * SECOND / nanos);
    if (most > UINT32_MAX) most = UINT32_MAX;
    int64_t told = old == &never ? p.nanos : told_until(old, p.ticks), ahead = told > p.nanos ? told - p.nanos : 0;
    if (ahead > (int64_t)nanos / 2 || (old != &never && speed / 2 > old->speed)) {
        begin_at(p);
        return;
    }
    speed -= (uint64_t)((unsigned __int128)speed * (uint64_t)ahead / nanos);
    TicksRate *r = &rates[measured++ % RATES];
    *r = (TicksRate){.from = p.ticks, .most = most, .nanos = p.nanos + ahead, .speed = speed};
    last = p;
    atomic_store_explicit(&os_ticks_rate, r, memory_order_release);
}

static void measure(void) {
    if (counter == UNKNOWN) {
        counter = cpu_ticks_are_even() && is_kernels_clock() ? EVEN : USELESS;
        if (counter == EVEN) begin_at(now());
    } else if (counter == EVEN) {
        Point p = now();
        if (p.ticks <= last.ticks || p.nanos < last.nanos) begin_at(p);
        else if (p.nanos - last.nanos >= FIRST) publish(p, p.ticks - last.ticks, (uint64_t)(p.nanos - last.nanos));
    }
}

static int64_t by_kernel(const TicksRate *r, uint64_t ticks) {
    int64_t nanos = os_nanos(), told = r == &never ? nanos : told_until(r, ticks);
    return told > nanos ? told : nanos;
}

static __attribute__((noinline)) int64_t late(const TicksRate *r, uint64_t ticks) {
    int free = 0;
    if (atomic_load_explicit(&counter, memory_order_relaxed) == USELESS) return os_nanos();
    if (!atomic_compare_exchange_strong(&measuring, &free, 1)) return by_kernel(r, ticks);
    measure();
    r = atomic_load_explicit(&os_ticks_rate, memory_order_relaxed);
    int64_t nanos = r == &never ? os_nanos() : time_by(r, cpu_ticks());
    atomic_store_explicit(&measuring, 0, memory_order_release);
    return nanos;
}

int64_t os_ticks_nanos(void) {
    const TicksRate *r = atomic_load_explicit(&os_ticks_rate, memory_order_acquire);
    uint64_t ticks = cpu_ticks();
    return LIKELY(ticks - r->from < r->most) ? time_by(r, ticks) : late(r, ticks);
}
#else
int64_t os_ticks_nanos(void) { return os_nanos(); }
#endif
