/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames seen from a signal handler: by a sampling profiler, and in a crash report.
 *
 * Frames are linked from Thread.frame; all but the youngest are at rest.  The signal may have come while the youngest
 * was being pushed or popped, and in a crash anything may be damaged.  So an address is looked at only if it lies on the
 * thread's Java stack; what it names is copied with os_safe_copy and believed if its method lies in a live class.  Frames that
 * are due (jit/body_frames.c) are not written, but gone through.
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

static bool is_root_of(const Frame *f, const Method *runs) {
    return runs && f->method == runs && (f->flags & (FRAME_COMPILED | FRAME_INLINED)) == FRAME_COMPILED;
}

/* The position of a root is in the scope of the outermost body. */
static bool next_body(FrameProbe *p) {
    if (!due_next(&p->due, &p->method, &p->bci) || !class_region_contains(p->method.holder)) return false;
    p->flags = FRAME_COMPILED | FRAME_INLINED;
    p->next = p->due.root;
    return true;
}

bool probe_next(FrameProbe *p) {
    Frame f;
    const Method *runs = p->runs;
    p->runs = NULL;
    if (p->in_bodies && p->due.scope) return next_body(p);
    if (!on_java_stack(p->thread, p->next) || !os_safe_copy(&f, p->next, sizeof f)) return false;
    if (frame_is_due(&f) && !p->in_bodies && !is_root_of(&f, runs)) { /* or it has no position yet */
        p->in_bodies = due_begin(&p->due, p->next, f.position) && on_java_stack(p->thread, p->due.root);
        if (p->in_bodies) return next_body(p);
    }
    if (!os_safe_copy(&p->method, f.method, sizeof p->method) || !class_region_contains(p->method.holder) ||
        (f.prev && !on_java_stack(p->thread, f.prev)))
        return false;
    p->bci = p->in_bodies ? p->due.bci : probed_bci(&f, &p->method);
    p->in_bodies = false;
    p->flags = f.flags;
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

static void print_frame(const FrameProbe *p) {
    const Method *m = &p->method;
    crash_print(p->flags & FRAME_COMPILED ? "J  " : "j  ");
    print_name(m->holder->name->bytes);
    crash_print(".%s%s+%u\n", m->name->bytes, m->desc->bytes, p->flags & FRAME_OPAQUE ? 0 : p->bci);
}

void crash_print_frames(const Thread *t, const Frame *youngest, const Method *runs) {
    FrameProbe p = probe_begin(t);
    if (youngest) p.next = youngest, p.runs = runs;
    for (int n = 0; p.next; n++) {
        if (n == MAX_FRAMES) return crash_print("...<more frames>...\n");
        if (!probe_next(&p)) return crash_print("j  (unreadable frame)\n");
        print_frame(&p);
    }
}
