/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of compiled code.  Its pages are seen twice: writable at one address, executable at another.  So no page is
 * ever both, and nothing needs to stop while code is added.  It is reserved whole (ReservedCodeCacheSize) when the first
 * method is compiled and backed by pages as they are written.
 *
 * Free ranges are kept in order of address and merged; the first that fits is taken.  [lock: jit]
 *
 * Whose code an address is in must be known to signal handlers: a bit per grain says where ranges in use start, and there, in front
 * of the code, stands the owner.  Code that runs is in use, so its bit does not change while somebody asks.
 */
#include "core/options.h"
#include "jit/jit_int.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GRAIN = 64, HEAD = 16 };

typedef struct Range {
    struct Range *next;
    u4 at, size;
} Range;

static u1 *writable;
static const u1 *runnable;
static u4 total;
static Range *ranges;
static u8 *starts;
static bool broken;
static u4 used, most_used, n_full;

static u1 *map(int fd, size_t size, int prot) {
    void *p = mmap(NULL, size, prot, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

static size_t wanted(void) {
    size_t size = vm_options.code_cache ? ALIGN_UP(vm_options.code_cache, 4096) : 48u << 20;
    return size > 1u << 30 ? 1u << 30 : size;
}

static bool reserve(void) {
    size_t size = wanted();
    int fd = memfd_create("compiled code", MFD_CLOEXEC);
    if (fd < 0) return false;
    Range *all = malloc(sizeof *all);
    starts = calloc(size / GRAIN / 64 + 1, sizeof *starts);
    bool ok = all && starts && ftruncate(fd, (off_t)size) == 0 && (writable = map(fd, size, PROT_READ | PROT_WRITE)) &&
              (runnable = map(fd, size, PROT_READ | PROT_EXEC));
    close(fd);
    if (!ok) {
        if (writable) munmap(writable, size);
        free(starts);
        free(all);
        return false;
    }
    total = (u4)size;
    *all = (Range){NULL, 0, total};
    ranges = all;
    return true;
}

bool cache_alloc(u4 size, const void *owner, u1 **write, const u1 **run) {
    size = ALIGN_UP(size + HEAD, GRAIN);
    if (!total && (broken || (broken = !reserve()))) return false;
    for (Range **p = &ranges; *p; p = &(*p)->next) {
        Range *r = *p;
        if (r->size < size) continue;
        memcpy(writable + r->at, &owner, sizeof owner);
        *write = writable + r->at + HEAD;
        *run = runnable + r->at + HEAD;
        __atomic_fetch_or(&starts[r->at / GRAIN / 64], 1ull << (r->at / GRAIN % 64), __ATOMIC_RELEASE);
        r->at += size;
        r->size -= size;
        if (!r->size) {
            *p = r->next;
            free(r);
        }
        used += size;
        if (used > most_used) most_used = used;
        return true;
    }
    n_full++;
    return false;
}

/* Without memory for the record the range is lost. */
void cache_free(const u1 *run, u4 size) {
    u4 at = (u4)(run - runnable) - HEAD;
    size = ALIGN_UP(size + HEAD, GRAIN);
    used -= size;
    __atomic_fetch_and(&starts[at / GRAIN / 64], ~(1ull << (at / GRAIN % 64)), __ATOMIC_RELEASE);
    Range **p = &ranges, *before = NULL;
    for (; *p && (*p)->at < at; p = &(*p)->next) before = *p;
    if (before && before->at + before->size == at) {
        before->size += size;
    } else {
        Range *r = malloc(sizeof *r);
        if (!r) return;
        *r = (Range){*p, at, size};
        *p = before = r;
    }
    Range *after = before->next;
    if (after && before->at + before->size == after->at) {
        before->size += after->size;
        before->next = after->next;
        free(after);
    }
}

/* --- jumps out of it; a few tens, one for each stub and helper, and for good --- */

typedef struct Near {
    struct Near *next;
    void (*stub)(void);
    const void *fn;
    const u1 *run;
} Near;

static Near *nears;

static const u1 *write_near(void (*stub)(void), const void *fn) {
    Asm a;
    u1 *write;
    const u1 *run = NULL;
    asm_init(&a);
    if (fn) asm_const(&a, R_AX, (int64_t)(uintptr_t)fn);
    asm_jump_c(&a, (const void *)stub, true);
    if (asm_finish(&a) && cache_alloc(a.len, NULL, &write, &run)) asm_copy(&a, write, run);
    asm_free(&a);
    return run;
}

const void *cache_near(void (*stub)(void), const void *fn) {
    for (const Near *n = nears; n; n = n->next)
        if (n->stub == stub && n->fn == fn) return n->run;
    Near *n = malloc(sizeof *n);
    if (!n) return NULL;
    *n = (Near){nears, stub, fn, write_near(stub, fn)};
    if (!n->run) return free(n), NULL;
    nears = n;
    return n->run;
}

/* --- signal-safe --- */

bool jit_contains(uintptr_t pc) { return total && pc - (uintptr_t)runnable < total; }

const void *cache_owner(uintptr_t pc) {
    if (!jit_contains(pc)) return NULL;
    u4 grain = (u4)(pc - (uintptr_t)runnable) / GRAIN, i = grain / 64;
    u8 word = __atomic_load_n(&starts[i], __ATOMIC_ACQUIRE) & (~0ull >> (63 - grain % 64));
    while (!word && i) word = __atomic_load_n(&starts[--i], __ATOMIC_ACQUIRE);
    if (!word) return NULL;
    const void *owner;
    memcpy(&owner, runnable + (size_t)GRAIN * (64 * i + 63 - (u4)__builtin_clzll(word)), sizeof owner);
    return owner;
}

/* Before anything is compiled: what will be reserved. */
CacheFigures cache_figures(void) {
    return (CacheFigures){(uintptr_t)runnable, total ? total : jit_on ? wanted() : 0, used, most_used, n_full};
}
