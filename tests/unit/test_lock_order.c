/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lock ranks and NO_SAFEPOINT: what the debug build ends the process for.  The checks are compiled into this program, whatever
 * the build; the end of the process is mocked.
 */
#ifndef GRAFT_DEBUG
#define GRAFT_DEBUG 1
#endif
#include "core/lock.c"
#include "thread/guard.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

_Thread_local Thread *thread_self_tls;

static jmp_buf report_to;
static char reported[200];

void vm_fatal(const char *file, int line, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(reported, sizeof reported, fmt, ap);
    va_end(ap);
    longjmp(report_to, 1);
}

/* The report that `code` leads to, or "". */
#define REPORT_OF(code) (reported[0] = 0, setjmp(report_to) ? 0 : ((code), 0), (const char *)reported)
#define assert_reports(part, code) \
    do { \
        const char *_r = REPORT_OF(code); \
        if (!strstr(_r, part)) fail_msg("\"%s\" where \"%s\" belongs", _r, part); \
    } while (0)
#define assert_silent(code) assert_string_equal(REPORT_OF(code), "")

static VmLock threads, loader, other_loader, heap, log_line, report;

static int fresh(void **state) {
    n_held = no_safepoint_depth = 0;
    in_pause = silent = false;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    threads.rank = RANK_THREADS;
    pthread_mutex_init(&threads.mutex, &attr);
    lock_init(&loader, RANK_LOADER), lock_init(&other_loader, RANK_LOADER), lock_init(&heap, RANK_HEAP);
    lock_init(&log_line, RANK_LOG), lock_init(&report, RANK_REPORT);
    return 0;
}

static void right_order(void **state) {
    assert_silent((lock_take(&threads), lock_take(&loader), lock_take(&heap), lock_take(&log_line)));
    assert_silent((lock_release(&loader), lock_release(&log_line), lock_release(&heap), lock_release(&threads)));
    assert_int_equal(n_held, 0);
}
static void wrong_order(void **state) {
    lock_take(&heap);
    assert_reports("LOADER is taken while HEAP is held", lock_take(&loader));
    assert_int_equal(pthread_mutex_trylock(&loader.mutex), 0); /* told before it was taken */
}
static void wrong_order_by_trying(void **state) {
    lock_take(&loader);
    assert_reports("THREADS is taken while LOADER is held", lock_try(&threads));
}
static void two_of_one_rank(void **state) {
    lock_take(&loader);
    assert_reports("LOADER is taken while LOADER is held", lock_take(&other_loader));
}
static void twice_the_same(void **state) {
    lock_take(&heap);
    assert_reports("HEAP is taken while HEAP is held", lock_take(&heap));
}
static void threads_lock_is_recursive(void **state) {
    assert_silent((lock_take(&threads), lock_take(&heap), lock_try(&threads), lock_release(&threads), lock_release(&heap)));
    assert_int_equal(n_held, 1);
}
static void given_back_by_a_stranger(void **state) { assert_reports("HEAP is given back", lock_release(&heap)); }
static void waits_with_another(void **state) {
    lock_take(&loader), lock_take(&heap);
    assert_reports("waits with lock HEAP while it holds LOADER", lock_only_this(&heap));
}
static void stops_with_a_lock(void **state) {
    lock_take(&loader);
    assert_reports("poll while lock LOADER is held", guard_may_stop("poll"));
}
static void stops_others(void **state) {
    lock_take(&threads);
    assert_silent(guard_may_stop_others("handshake"));
    lock_take(&heap);
    assert_reports("handshake while lock HEAP is held", guard_may_stop_others("handshake"));
}
static void stops_with_an_outer_lock(void **state) {
    lock_take(&report);
    assert_silent(guard_may_stop("poll"));
    assert_reports("hook while lock REPORT is held", lock_none_from(0, "hook"));
}
static void calls_out_of_a_pause(void **state) {
    lock_take(&threads);
    lock_pause(true);
    assert_silent((lock_none_from(0, "hook"), guard_may_stop("poll")));
    lock_take(&heap);
    assert_reports("hook while lock HEAP is held", lock_none_from(0, "hook"));
}
static void stops_in_a_scope(void **state) {
    assert_silent(guard_may_stop("poll"));
    NO_SAFEPOINT assert_reports("poll inside a no-safepoint scope", guard_may_stop("poll"));
    assert_silent(guard_may_stop("poll"));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup(f, fresh)
    const struct CMUnitTest tests[] = {
        TEST(right_order),
        TEST(wrong_order),
        TEST(wrong_order_by_trying),
        TEST(two_of_one_rank),
        TEST(twice_the_same),
        TEST(threads_lock_is_recursive),
        TEST(given_back_by_a_stranger),
        TEST(waits_with_another),
        TEST(stops_with_a_lock),
        TEST(stops_others),
        TEST(stops_with_an_outer_lock),
        TEST(calls_out_of_a_pause),
        TEST(stops_in_a_scope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
