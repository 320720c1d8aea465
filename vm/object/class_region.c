/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where Class structures live: one range below 4 GiB, because header words hold class addresses
 * in 32 bits (D2).  Cells of one size, a free list, and a bitmap of live cells so that any word
 * can be asked "is this a Class?".  The preferred address is fixed, for the sake of reproducible
 * runs and a future boot snapshot; when something else is mapped there, others are tried.
 */
#include "core/lock.h"
#include "core/vm.h"
#include "object/class.h"
#include "os/os.h"

#include <string.h>

#define REGION_BYTES ((size_t)512 << 20)
#define CELL_BYTES ALIGN_UP(sizeof(Class), 64)
#define COMMIT_STEP ((size_t)256 << 10)

size_t class_region_limit;
static u1 *base, *top, *committed;
static _Atomic u8 live[REGION_BYTES / 256 / 64]; /* a cell is never smaller than 256 bytes */
static Class *free_cells;                        /* linked through `super` */
static VmLock lock = VM_LOCK(CLASS_REGION);

_Static_assert(sizeof(Class) >= 256, "live bitmap assumes cells of 256 bytes or more");

void class_region_init(void) {
    if (base) return;
    for (u8 at = 0x40000000; !base && at + REGION_BYTES <= 0x100000000u; at += 0x10000000)
        base = os_reserve((void *)at, REGION_BYTES);
    for (u8 at = 0x10000000; !base && at < 0x40000000; at += 0x08000000) base = os_reserve((void *)at, REGION_BYTES);
    if (!base)
        vm_exit_during_init("Could not reserve enough memory for class data: no free address range of %zu MB below 4 GiB",
                            (size_t)REGION_BYTES >> 20);
    top = committed = base;
}

static size_t cell_index(const void *p) { return (size_t)((const u1 *)p - base) / CELL_BYTES; }

Class *class_region_alloc(void) {
    HOLDING(&lock);
    Class *c = free_cells;
    if (c) {
        free_cells = c->super;
        memset(c, 0, CELL_BYTES);
    } else {
        if (top + CELL_BYTES > committed) {
            size_t limit = class_region_limit && class_region_limit < REGION_BYTES ? class_region_limit : REGION_BYTES;
            if (committed + COMMIT_STEP > base + limit || !os_commit(committed, COMMIT_STEP)) return NULL;
            committed += COMMIT_STEP;
        }
        c = (Class *)top;
        __atomic_store_n(&top, top + CELL_BYTES, __ATOMIC_RELAXED); /* read without the lock by whoever checks an ID */
    }
    size_t i = cell_index(c);
    atomic_fetch_or(&live[i / 64], (u8)1 << i % 64);
    return c;
}

void class_region_free(Class *c) {
    ASSERT(class_region_contains(c), "%p", (void *)c);
    HOLDING(&lock);
    size_t i = cell_index(c);
    atomic_fetch_and(&live[i / 64], ~((u8)1 << i % 64));
    c->super = free_cells;
    free_cells = c;
}

size_t class_region_size(size_t *used) {
    HOLDING(&lock);
    *used = (size_t)(committed - base);
    return class_region_limit && class_region_limit < REGION_BYTES ? class_region_limit : REGION_BYTES;
}

bool class_region_contains(const void *p) {
    const u1 *a = p;
    if (a < base || a >= __atomic_load_n(&top, __ATOMIC_RELAXED) || (size_t)(a - base) % CELL_BYTES) return false;
    size_t i = cell_index(p);
    return atomic_load_explicit(&live[i / 64], memory_order_relaxed) >> i % 64 & 1;
}
