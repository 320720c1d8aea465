/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java frames in a crash report.  Runs in a signal handler on data that may be damaged: pointers
 * are checked against the thread's stacks before they are followed, and a fault ends the step.
 */
#include "exec/exec.h"
#include "os/crash.h"

enum { MAX_FRAMES = 100 };

bool exec_on_own_stacks(const Thread *t, const void *p) {
    const u1 *a = p;
    return ((uintptr_t)p & 7) == 0 &&
           ((a >= t->java_stack && a < t->java_stack_end) || (a >= t->c_stack_low && a < t->c_stack_base));
}

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
    if (!m || !class_region_contains(m->holder)) {
        crash_print("j  (unreadable frame)\n");
        return;
    }
    crash_print("j  ");
    print_name(m->holder->name->bytes);
    crash_print(".%s%s+%u\n", m->name->bytes, m->desc->bytes,
                f->flags & FRAME_OPAQUE ? 0 : frame_bci(f));
}

void exec_crash_frames(const Thread *t) {
    int n = 0;
    for (const Frame *f = t->frame; f && n < MAX_FRAMES; f = f->prev, n++) {
        if (!exec_on_own_stacks(t, f)) {
            crash_print("j  (bad frame address)\n");
            return;
        }
        print_frame(f);
    }
    if (n == MAX_FRAMES) crash_print("...<more frames>...\n");
}
