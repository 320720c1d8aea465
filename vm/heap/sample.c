/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sampling allocations (hook SAMPLED_ALLOC): each thread reports the object with which it passes a
 * number of allocated bytes, then draws the next number.  The distances are exponentially distributed
 * around the interval, so that programs that allocate in a rhythm are not misjudged.
 *
 * The fast path does not know of it: when the next sample falls into the thread's window, the window
 * ends there for the time being (GcThread.cut_end keeps its true end), so that the object which
 * passes that point takes the slow path.
 */
#include "core/hooks.h"
#include "heap/heap_int.h"
#include "os/os.h"

#include <math.h>

static _Atomic u4 interval = 512 << 10;
static _Atomic u4 epoch = 1; /* threads draw anew when it changes */

void heap_set_sampling_interval(u4 bytes) {
    atomic_store(&interval, bytes);
    atomic_fetch_add(&epoch, 1);
}

static u8 draw(GcThread *g) {
    if (!g->seed) g->seed = (u8)os_nanos() * 0x9e3779b97f4a7c15u | 1;
    g->seed ^= g->seed << 13;
    g->seed ^= g->seed >> 7;
    g->seed ^= g->seed << 17;
    double uniform = ((double)(g->seed >> 11) + 1) / (double)((u8)1 << 53); /* (0, 1] */
    return (u8)(-log(uniform) * atomic_load_explicit(&interval, memory_order_relaxed));
}

static void cut_window(Thread *t, GcThread *g, u8 allocated) {
    size_t left = (size_t)(t->tlab.end - t->tlab.top);
    u8 until = g->next_sample > allocated ? g->next_sample - allocated : 0;
    if (until >= left) return;
    g->cut_end = t->tlab.end;
    t->tlab.end = t->tlab.top + (until & ~(u8)(OBJECT_ALIGN - 1));
}

/* o has just been made on the slow path.  [gc][throws] what an agent does */
void sample_allocation(Thread *t, Object *o, size_t size) {
    GcThread *g = alloc_thread_data(t); /* none yet if its first object is a large one */
    u8 allocated = heap_thread_allocated(t);
    u4 now = atomic_load_explicit(&epoch, memory_order_relaxed);
    if (g->sample_epoch != now) {
        g->sample_epoch = now;
        g->next_sample = allocated - size + draw(g);
    }
    bool usable = !(obj_class(o)->flags & CF_MIRROR); /* else the next object will do */
    if (allocated >= g->next_sample && !g->in_sample && usable) {
        g->next_sample = allocated + draw(g);
        g->in_sample = true; /* what the handler allocates is not reported */
        HOOK_CALL(SAMPLED_ALLOC, sampled_alloc, t, o, size);
        g->in_sample = false;
        allocated = heap_thread_allocated(t);
    }
    if (!g->cut_end) cut_window(t, g, allocated);
}
