/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which base code runs: for what is worth optimising.
 *
 * Base code counts nothing.  The compiler thread raises POLL_SAMPLE in threads that run Java, and each tells at its next poll, at an entry or at the end of a
 * loop's turn, whose code it is in.  So a sample costs its thread less than a microsecond, and code pays nothing for it.  A method that was met ENOUGH_SAMPLES
 * times is queued.  Methods without polls are not met: they are short (MOST_UNMET), and bodies in what calls them often.
 *
 * Frames that are in base code stay there, in a loop perhaps for long.  A method that is met at a loop although it was optimised ENOUGH_SAMPLES ago gets code
 * for that loop, and at its next sample the frame leaves for it. So it does if the method has no optimised code (any more), but its loop has; the method is wanted
 * again as before.
 *
 * CALLERS  A small method that is met was called by somebody who knows more of its arguments than it does: which lambda a loop over a collection calls, which
 *          comparator sorts.  So the caller is met too, if it runs base code.  Optimised code raises no wish for itself, but for its caller.
 *          A caller that is optimised, but not for who is called now, learns (sites.c, LATER).
 *
 * While threads run, samples are SAMPLE_SHORTEST_MS apart; when none does, the time doubles up to LONGEST_MS, so an idle program is woken
 * rarely.  A bit that is raised while its thread is in the interpreter is taken away by the poll there (thread_poll_slow).
 *
 * Counts are not exact: threads may lose one of another.
 */
#include "core/options.h"
#include "jit/jit_int.h"
#include "jit/policy.h"

enum { LONGEST_MS = 128 };

static void wish(Method *m, int loop) {
    m->samples = 0;
    Hot h = {m, loop, 0};
    if (!jit_in_background || !queue_add_hot(h)) jit_optimise(h, false);
}

/* The frame goes on in optimised code of its loop, by way of the interpreter. */
static void leave_for_loop(Frame *f) { f->flags |= FRAME_DEOPT; }

static bool is_at_loop(const Frame *f) { return f && !(f->position >> FRAME_DEPTH_SHIFT); }

static void wish_whole(Method *m) {
    m->optimised = OPT_WAITS;
    wish(m, WHOLE_METHOD);
}

/* m was met, c called it. */
static void sample_caller(const Method *m, const Frame *c) {
    if (!c || !(c->flags & FRAME_COMPILED) || m->code_len > LARGEST_BODY) return;
    const Frame *root = c;
    while (root->flags & FRAME_INLINED) root = root->prev;
    Method *r = root->method;
    if (r->optimised == OPT_DONE) jit_learn_missed(r, c->method, frame_bci(c), m);
    else if (r->optimised == OPT_NOT_YET && ++r->samples >= ENOUGH_SAMPLES) wish_whole(r);
}

void jit_sample(Thread *t, Method *m, Frame *f) {
    atomic_fetch_and(&t->poll, ~(u4)POLL_SAMPLE);
    if (thread_events(t)) return;
    sample_caller(m, f ? frame_older(f) : t->frame);
    if (m->optimised == OPT_REFUSED) return;
    bool has_loop = is_at_loop(f) && code_of_loop(m, frame_bci(f));
    if (has_loop) leave_for_loop(f);
    if ((has_loop && m->optimised != OPT_NOT_YET) || ++m->samples < ENOUGH_SAMPLES) return;
    if (m->optimised == OPT_NOT_YET) wish_whole(m);
    else if (m->optimised == OPT_DONE && is_at_loop(f)) wish(m, (int)frame_bci(f));
}

void jit_sample_optimised(Thread *t, const Frame *root) {
    atomic_fetch_and(&t->poll, ~(u4)POLL_SAMPLE);
    if (!thread_events(t)) sample_caller(root->method, frame_older(root));
}

u4 sample_threads(void) {
    static u4 ms = SAMPLE_SHORTEST_MS;
    bool any = false;
    threads_lock();
    FOR_EACH_THREAD(t) {
        if (atomic_load(&t->state) != THREAD_JAVA) continue;
        atomic_fetch_or(&t->poll, POLL_SAMPLE);
        any = true;
    }
    threads_unlock();
    if (any) ms = SAMPLE_SHORTEST_MS;
    else if (ms < LONGEST_MS) ms *= 2;
    return ms;
}
