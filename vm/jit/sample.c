/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which base code runs: for what is worth optimising.
 *
 * Base code counts nothing.  The compiler thread raises POLL_SAMPLE in threads that run Java, and each tells at its next poll, at an entry or at the end of a
 * loop's turn, whose code it is in.  So a sample costs its thread less than a microsecond, and code pays nothing for it.  A method that was met ENOUGH
 * times is queued.  Methods without polls are not met: they are short, and bodies in what calls them often.
 *
 * While threads run, samples are SAMPLE_SHORTEST_MS apart; when none does, the time doubles up to LONGEST_MS, so an idle program is woken
 * rarely.  A bit that is raised while its thread is in the interpreter is taken away by the poll there (thread_poll_slow).
 *
 * Counts are not exact: threads may lose one of another.
 */
#include "core/options.h"
#include "jit/jit_int.h"
#include "jit/policy.h"

enum { ENOUGH = 3, LONGEST_MS = 128 };

void jit_sample(Thread *t, Method *m) {
    atomic_fetch_and(&t->poll, ~(u4)POLL_SAMPLE);
    if (m->samples < UINT8_MAX) m->samples++;
    if (m->samples < ENOUGH || m->optimised != OPT_NOT_YET) return;
    m->optimised = OPT_WAITS;
    if (!jit_in_background || !queue_add_hot(m)) jit_optimise(m);
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
