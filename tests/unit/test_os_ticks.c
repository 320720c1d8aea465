/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counter of the processor as a clock (os/os_ticks.c), which is compiled into this program, with both clocks mocked: a counter of a speed that drifts, that
 * jumps, that is not the kernel's clock.  The time must not go back, and stay near the kernel's.
 */
#include "os/os.h"
#include "os/os_ticks.h"
#include <stdlib.h>

#include "cf_test.h"

#ifdef CPU_TICKS_CLOCK
static uint64_t counted;
static int64_t passed;
static double speed_of_counter; /* counts in a nanosecond */
static const char *kernels_clock;
static unsigned asked; /* the kernel */

static unsigned long mocked_ticks(void) { return counted; }
static int64_t mocked_nanos(void) {
    asked++;
    return passed;
}
static size_t mocked_text(const char *path, char *buf, size_t len) {
    (void)path;
    return (size_t)snprintf(buf, len, "%s\n", kernels_clock);
}

#define cpu_ticks mocked_ticks
#define cpu_ticks_are_even() true
#define os_nanos mocked_nanos
#define os_read_text mocked_text
#include "os/os_ticks.c"

static void begin(const char *clock) {
    counter = UNKNOWN;
    kernels_clock = clock;
    counted = 1ull << 40;
    passed = 1000000000;
    speed_of_counter = 2.7;
    asked = 0;
    atomic_store(&os_ticks_rate, &never);
}

static void pass(int64_t nanos) {
    passed += nanos;
    counted += (uint64_t)((double)nanos * speed_of_counter);
}

static int64_t apart(void) { return llabs(os_ticks_nanos() - passed); }

static int64_t random_step(void) {
    switch (rand() % 8) {
    case 0: return 3000000000;
    case 1: return rand() % 200000000;
    case 2: return rand() % 5000000;
    default: return rand() % 3000;
    }
}

/* As NTP slews the kernel's clock, to the counter's: by some millionths. */
static void test_drift(void) {
    begin(CPU_TICKS_CLOCK);
    int64_t before = 0, most = 0;
    bool back = false;
    for (int i = 0; i < 200000; i++) {
        pass(random_step());
        if (i % 1000 == 0) speed_of_counter = 2.7 * (1 + (rand() % 101 - 50) / 1e6);
        int64_t now = os_ticks_nanos();
        back |= now < before;
        before = now;
        if (llabs(now - passed) > most) most = llabs(now - passed);
    }
    CHECK(!back);
    CHECK(most < 200000); /* 100 millionths of a second that was foretold, once more while that is made good */
}

/* At one speed it is exact, and the kernel is asked seldom. */
static void test_steady(void) {
    begin(CPU_TICKS_CLOCK);
    for (int i = 0; i < 100; i++) pass(1000000), os_ticks_nanos();
    asked = 0;
    int64_t most = 0;
    for (int i = 0; i < 1000000; i++) {
        pass(1000);
        int64_t is = apart();
        if (is > most) most = is;
    }
    CHECK(most < 100);
    CHECK(asked < 100);
}

/* The machine sleeps: the counter goes on, or stands still and the kernel's clock goes on, or begins anew. */
static void test_jumps(void) {
    begin(CPU_TICKS_CLOCK);
    for (int i = 0; i < 1000; i++) pass(1000000), os_ticks_nanos();
    counted += 1ull << 50;
    CHECK(apart() == 0);
    for (int i = 0; i < 1000; i++) pass(1000000), os_ticks_nanos();
    CHECK(apart() < 1000);
    passed += 3600ll * 1000000000;
    for (int i = 0; i < 3000; i++) pass(1000000), os_ticks_nanos();
    CHECK(apart() < 1000);
    counted = 5;
    CHECK(apart() == 0);
    for (int i = 0; i < 1000; i++) pass(1000000), os_ticks_nanos();
    CHECK(apart() < 1000);
}

/* While another thread measures: it may take long. */
static void test_two(void) {
    begin(CPU_TICKS_CLOCK);
    for (int i = 0; i < 1000; i++) pass(1000000), os_ticks_nanos();
    speed_of_counter *= 1.0001;
    int64_t before = os_ticks_nanos();
    bool back = false;
    for (int i = 0; i < 2000; i++) {
        atomic_store(&measuring, i % 3 > 0);
        pass(random_step());
        int64_t now = os_ticks_nanos();
        back |= now < before;
        before = now;
        CHECK(apart() < 200000);
    }
    atomic_store(&measuring, 0);
    CHECK(!back);
}

static void test_other_clock(void) {
    begin("hpet");
    bool same = true;
    for (int i = 0; i < 1000; i++) pass(random_step()), same &= os_ticks_nanos() == passed;
    CHECK(same && counter == USELESS);
}

int main(void) {
    test_drift();
    test_steady();
    test_jumps();
    test_two();
    test_other_clock();
    return cf_test_end();
}
#else
int main(void) { return cf_test_end(); }
#endif
