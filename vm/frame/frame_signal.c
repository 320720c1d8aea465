/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames seen from a signal handler: by a sampling profiler, and in a crash report.
 *
 * Frames are linked from Thread.frame; all but the youngest are at rest.  The signal may have come while the youngest
 * was being pushed or popped, and in a crash anything may be damaged.  So an address is looked at only if it lies on the
 * thread's Java stack; a profiler copies what it names with os_safe_copy and believes it if its method lies in
 * a live class, a crash report prints it, and a fault ends that step of the report.
 */
#include "frame/frame.h"
#include "os/crash.h"
#include "os/os.h"

enum { MAX_FRAMES = 100 };

static bool on_java_stack(const Thread *t, const void *p) {
    return ((uintptr_t)p & 7) == 0 && (const u1 *)p >= t->java_stack && (const u1 *)p < t->java_stack_end;
}

/* --- for a profiler --- */

static u4 probed_bci(const Frame *f, const Method *m) {
    if (f->flags & FRAME_COMPILED) return f->position & FRAME_BCI_MASK;
    return m->qcode && f->pc >= m->qcode && f->pc < m->qcode + m->code_len ? (u4)(f->pc - m->qcode) : 0;
}

bool probe_next(FrameProbe *p) {
    Frame f;
    if (!on_java_stack(p->thread, p->next) || !os_safe_copy(&f, p->next, sizeof f) ||
        !os_safe_copy(&p->method, f.method, sizeof p->method) || !class_region_contains(p->method.holder) ||
        (f.prev && !on_java_stack(p->thread, f.prev)))
        return false;
    p->bci = probed_bci(&f, &p->method);
    p->next = f.prev;
    return true;
}

/* --- for a crash report --- */

/* a.b.C without the buffer that class_external_name wants */
static void print_name(const char *s) {
    char part[512];
    size_t n = 0;
    for (; *s && n + 1 < sizeof part; s++) part[n++] = *s == '/' ? '.' : *s;
    part[n] = 0;
    crash_print("%s", part);
}

static void print_frame(const Frame *f) {
    const Method *m = f->method;
    if (!m || !class_region_contains(m->holder)) return crash_print("j  (unreadable frame)\n");
    crash_print(f->flags & FRAME_COMPILED ? "J  " : "j  ");
    print_name(m->holder->name->bytes);
    crash_print(".%s%s+%u\n", m->name->bytes, m->desc->bytes, f->flags & FRAME_OPAQUE ? 0 : frame_bci(f));
}

void crash_print_frames(const Thread *t, uintptr_t youngest) {
    int n = 0;
    for (const Frame *f = youngest ? (const Frame *)youngest : t->frame; f && n < MAX_FRAMES; f = f->prev, n++) {
        if (!on_java_stack(t, f)) return crash_print("j  (bad frame address)\n");
        print_frame(f);
    }
    if (n == MAX_FRAMES) crash_print("...<more frames>...\n");
}
