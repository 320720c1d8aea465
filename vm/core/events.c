/* SPDX-License-Identifier: Apache-2.0 */
/* Rings of events.h.  A reader may meet a cell that is being written: it shows a mix of two events. */
#include "core/events.h"
#include "core/vm.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { RING = 20, COPIED = 128 };

static struct Ring {
    _Atomic u4 total;
    struct {
        int64_t nanos;
        const char *fmt, *subject;
        u8 a, b;
        char copy[COPIED]; /* of a subject that may go */
    } cells[RING];
} rings[N_EVENT_LOGS];

static const struct {
    const char *name, *title;
} logs[N_EVENT_LOGS] = {
#define EVENT_LOG(id, name, title) {name, title},
#include "core/events.def"
};

const char *event_log_name(EventLog log) { return logs[log].name; }
const char *event_log_title(EventLog log) { return logs[log].title; }

static void note(EventLog log, const char *fmt, const char *subject, bool may_go, u8 a, u8 b) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct Ring *r = &rings[log];
    u4 i = atomic_fetch_add_explicit(&r->total, 1, memory_order_relaxed) % RING;
    if (may_go) {
        size_t n = strnlen(subject, COPIED - 1);
        memcpy(r->cells[i].copy, subject, n);
        r->cells[i].copy[n] = 0;
        subject = r->cells[i].copy;
    }
    __atomic_store_n(&r->cells[i].nanos, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec, __ATOMIC_RELAXED);
    __atomic_store_n(&r->cells[i].fmt, fmt, __ATOMIC_RELAXED);
    __atomic_store_n(&r->cells[i].subject, subject, __ATOMIC_RELAXED);
    __atomic_store_n(&r->cells[i].a, a, __ATOMIC_RELAXED);
    __atomic_store_n(&r->cells[i].b, b, __ATOMIC_RELAXED);
}
void event_note(EventLog log, const char *fmt, const char *subject, u8 a, u8 b) { note(log, fmt, subject, false, a, b); }
void event_note_copied(EventLog log, const char *fmt, const char *subject, u8 a, u8 b) { note(log, fmt, subject, true, a, b); }

int event_count(EventLog log) {
    u4 n = atomic_load(&rings[log].total);
    return n < RING ? (int)n : RING;
}

void event_line(EventLog log, int i, char *buf, size_t len) {
    struct Ring *r = &rings[log];
    u4 n = atomic_load(&r->total), first = n < RING ? 0 : n - RING, at = (first + (u4)i) % RING;
    int64_t t = r->cells[at].nanos - vm.start_nanos;
    if (t < 0) t = 0;
    int k = snprintf(buf, len, "Event: %ld.%03ld ", (long)(t / 1000000000), (long)(t / 1000000 % 1000));
    if (r->cells[at].fmt && k > 0 && (size_t)k < len)
        snprintf(buf + k, len - (size_t)k, r->cells[at].fmt, r->cells[at].subject, (unsigned long)r->cells[at].a,
                 (unsigned long)r->cells[at].b);
}
