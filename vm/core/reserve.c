/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of two sizes, each got from malloc by itself: whoever takes one may free it like any other memory. */
#include "core/lock.h"
#include "core/reserve.h"
#include "core/vm.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { N_SMALL = 64, SMALL = RESERVE_ALIGN, N_LARGE = 6, LARGE = 64 * RESERVE_ALIGN };

static VmLock lock = VM_LOCK(RESERVE);
static void *small[N_SMALL], *large[N_LARGE];
static _Atomic bool used; /* blocks may be missing */

static bool fill(void **blocks, size_t n, size_t size) {
    for (size_t i = 0; i < n; i++)
        if (!blocks[i] && !(blocks[i] = aligned_alloc(RESERVE_ALIGN, size))) return false;
    return true;
}

bool reserve_fill(void) {
    HOLDING(&lock);
    bool ok = fill(small, N_SMALL, SMALL) && fill(large, N_LARGE, LARGE);
    atomic_store(&used, !ok);
    return ok;
}

bool reserve_ready(void) { return !atomic_load_explicit(&used, memory_order_relaxed) || reserve_fill(); }

static void *take(void **blocks, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (blocks[i]) {
            void *p = blocks[i];
            blocks[i] = NULL;
            return p;
        }
    return NULL;
}

static void *from_reserve(size_t n, const char *what) {
    lock_take(&lock);
    void *p = n <= SMALL ? take(small, N_SMALL) : NULL;
    if (!p && n <= LARGE) p = take(large, N_LARGE);
    atomic_store(&used, true);
    lock_release(&lock);
    if (p) return p;
    if (!vm.booted) vm_exit_during_init("java.lang.OutOfMemoryError: no memory for %s", what);
    /* The gates of reserve_ready() have refused all that can be refused, and the structure that is being changed is half
     * changed: nobody can go on with it. */
    FATAL("no memory for %s", what);
}

void *reserve_alloc(size_t n, const char *what) {
    void *p = malloc(n);
    return p ? p : from_reserve(n, what);
}

void *reserve_zeroed(size_t n, const char *what) {
    void *p = calloc(1, n);
    return p ? p : memset(from_reserve(n, what), 0, n);
}

void *reserve_aligned_or_null(size_t n) {
    void *p = aligned_alloc(RESERVE_ALIGN, n);
    if (p || n > SMALL) return p;
    HOLDING(&lock);
    size_t left = 0;
    for (size_t i = 0; i < N_SMALL; i++) left += small[i] != NULL;
    if (left >= N_SMALL / 2) p = take(small, N_SMALL);
    atomic_store(&used, true);
    return p;
}

void *reserve_grow(void *p, size_t old, size_t n, const char *what) {
    void *grown = realloc(p, n);
    if (grown) return grown;
    grown = from_reserve(n, what);
    if (p) memcpy(grown, p, old);
    free(p);
    return grown;
}
