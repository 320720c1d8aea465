/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits on class data: -XX:MaxMetaspaceSize and the region of Class structures.
 *
 * What the data of a class takes is estimated from the length of its class file.  The running sum only grows;
 * when it passes the limit, classes are unloaded and the sum is taken again of those that are left.
 */
#include "core/options.h"
#include "exec/throw.h"
#include "heap/heap.h"
#include "load/load_int.h"

enum { PER_CLASS = 2048, PER_BYTE = 4 };

static _Atomic u8 in_use;

static u8 estimate(u4 class_file_bytes) { return PER_CLASS + (u8)class_file_bytes * PER_BYTE; }

static void add_class(Class *c, void *sum) { *(u8 *)sum += estimate(c->version ? c->version->bytes_len : 0); }

static bool within_limit(u8 more) {
    u8 limit = vm_options.max_metaspace;
    return !limit || atomic_fetch_add(&in_use, more) + more <= limit;
}

static void count_again(void *arg) {
    u8 sum = 0;
    loader_visit_all_classes(add_class, &sum);
    atomic_store(&in_use, sum);
}

Class *metaspace_new_class(Thread *t, u4 class_file_bytes) {
    u8 more = estimate(class_file_bytes);
    Class *c = NULL;
    bool ok = within_limit(more);
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
