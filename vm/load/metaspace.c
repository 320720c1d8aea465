/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits on class data: -XX:MaxMetaspaceSize, the region of Class structures, and what may die.
 *
 * Classes that can be unloaded take no Java heap to speak of, so a program that makes them and drops them may run for long without a
 * full collection. Their data is counted: when it has doubled since the last full collection, and is worth the pause, the next comes.
 *
 * What the data of a class takes is estimated from the length of its class file.  For the limit the estimate is below what the reference
 * takes (measured there: 1 KB and 1.2 to 1.8 times the file), and classes of the JDK's image count nothing, as those of its archive do not:
 * a limit that is enough there is enough here.  The running sum only grows; when it passes the limit, classes are unloaded and the sum is
 * taken again of those that are left.
 */
#include "core/options.h"
#include "heap/heap.h"
#include "load/jimage.h"
#include "load/load_int.h"
#include "heap/heap_upcall.h"
#include "object/class.h"
#include "object/version.h"

enum { PER_CLASS = 2048, PER_BYTE = 4, LIMITED_PER_CLASS = 1024, WORTH_THE_PAUSE = 16 << 20 };

static _Atomic u8 in_use;
static _Atomic u8 mortal; /* data of classes that can be unloaded */
static _Atomic u8 mortal_limit = WORTH_THE_PAUSE;

static u8 estimate(u4 class_file_bytes) { return PER_CLASS + (u8)class_file_bytes * PER_BYTE; }

/* What counts against the limit. */
static u8 limited(const u1 *class_file, u4 len) { return jimage_contains(class_file) ? 0 : LIMITED_PER_CLASS + (u8)len; }

static void add_limited(Class *c, void *sum) {
    if (c->version) *(u8 *)sum += limited(c->version->bytes, c->version->bytes_len);
}

static bool within_limit(u8 more) {
    u8 limit = vm_options.max_metaspace;
    return !limit || atomic_fetch_add(&in_use, more) + more <= limit;
}

static void count_again(void *arg) {
    u8 sum = 0;
    loader_visit_all_classes(add_limited, &sum);
    atomic_store(&in_use, sum);
}

static void add_mortal(Class *c, void *sum) {
    if (c->flags & CF_UNLOADABLE) *(u8 *)sum += estimate(c->version ? c->version->bytes_len : 0);
}

void metaspace_count_mortal(void) {
    u8 sum = 0;
    loader_visit_all_classes(add_mortal, &sum);
    atomic_store(&mortal, sum);
    atomic_store(&mortal_limit, sum * 2 > WORTH_THE_PAUSE ? sum * 2 : WORTH_THE_PAUSE);
}

static void collect_if_many(Thread *t, u8 more) {
    u8 limit = atomic_load(&mortal_limit);
    if (atomic_fetch_add(&mortal, more) + more <= limit) return;
    /* one thread collects; a heap that is busy otherwise delays the next attempt */
    if (atomic_compare_exchange_strong(&mortal_limit, &limit, limit * 2)) heap_gc(t, "Metadata GC Threshold");
}

Class *metaspace_new_class(Thread *t, const u1 *class_file, u4 len, bool can_die) {
    u8 more = limited(class_file, len);
    Class *c = NULL;
    bool ok = within_limit(more);

    if (can_die) collect_if_many(t, estimate(len));
    if (!ok || !(c = class_region_alloc())) {
        heap_gc(t, "Metadata GC Threshold");
        if (!ok) {
            safepoint_run("metaspace", count_again, NULL);
            ok = within_limit(more);
        }
        if (ok) c = class_region_alloc();
    }
    if (!c) throw_oom(t, ok ? "Compressed class space" : "Metaspace");
    return c;
}
