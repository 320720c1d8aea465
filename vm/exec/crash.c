/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Java part of a crash report (os/os_signal.c): frames of the crashing thread.  Runs in a
 * signal handler on data that may be damaged: pointers are checked against the thread's stacks
 * before they are followed, and a second fault ends the report.
 */
#include "exec/exec.h"
#include "os/os.h"

enum { MAX_FRAMES = 64 };

bool exec_on_own_stacks(const Thread *t, const void *p) {
    const u1 *a = p;
    return ((uintptr_t)p & 7) == 0 &&
           ((a >= t->java_stack && a < t->java_stack_end) || (a >= t->c_stack_low && a < t->c_stack_base));
}

static void put_frame(const Frame *f) {
    const Method *m = f->method;
    os_crash_puts("#   ");
    if (!m || !class_region_contains(m->holder)) {
        os_crash_puts("(unreadable frame)\n");
        return;
    }
    os_crash_puts(m->holder->name->bytes);
    os_crash_puts(".");
    os_crash_puts(m->name->bytes);
    os_crash_puts(m->desc->bytes);
    if (f->flags & (FRAME_NATIVE | FRAME_VM_NATIVE)) {
        os_crash_puts(" (native)\n");
        return;
    }
    os_crash_puts(" at bci ");
    os_crash_put_hex(frame_bci(f));
    os_crash_puts("\n");
}

static void put_java_stack(void) {
    Thread *t = thread_self();
    if (!t) return;
    static const char *const states[] = {"new", "in Java or VM", "in native", "dead"};
    u4 state = atomic_load(&t->state);
    os_crash_puts("# State: ");
    os_crash_puts(state < ARRAY_LEN(states) ? states[state] : "unknown");
    os_crash_puts(safepoint_active() ? ", world stopped\n# Java stack:\n" : "\n# Java stack:\n");
    int n = 0;
    for (const Frame *f = t->frame; f && n < MAX_FRAMES; f = f->prev, n++) {
        if (!exec_on_own_stacks(t, f)) {
            os_crash_puts("#   (bad frame address)\n");
            return;
        }
        put_frame(f);
    }
}

__attribute__((constructor)) static void crash_register(void) { os_crash_details = put_java_stack; }
