/* SPDX-License-Identifier: Apache-2.0 */
/* trc_tree.c - the memory of call trees; design in trc_tree.h. */
#include "trc_tree.h"

#include <stdlib.h>
#include <sys/mman.h>

static void *sparse(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

int64_t trc_allow(TrcTree *t, TrcThread *th, int64_t calls) {
    int64_t entered = __atomic_load_n(&th->entered, __ATOMIC_RELAXED), counted = entered < th->most ? entered : th->most;
    t->refused += entered - counted;
    counted -= th->begun;
    th->begun = entered;
    __atomic_store_n(&th->most, entered + calls, __ATOMIC_RELAXED);
    return counted > 0 ? counted : 0;
}

bool trc_tree_init(TrcTree *t, size_t megabytes, int64_t events) {
    size_t size = megabytes << 20;
    t->threads = sparse(TRC_THREADS * sizeof *t->threads);
    t->bump = (uintptr_t)sparse(size);
    t->limit = t->bump + size - sizeof(TrcThread);
    t->event_max = events;
    t->threshold = INT64_MAX;
    t->events = sparse((size_t)events * sizeof *t->events);
    t->states = t->limited ? sparse(TRC_METHODS) : NULL;
    t->counts = t->limited ? sparse(TRC_METHODS * sizeof *t->counts) : NULL;
    return t->threads && t->bump && t->events && ((t->states && t->counts) || !t->limited);
}

/* Where the thread's tree stands; NULL: it can have none. */
static TrcThread **place_of(const TrcTree *t, int64_t tid) {
    return tid <= 0 || (tid >= TRC_THREADS && !t->virtual) ? NULL : &t->threads[tid % TRC_THREADS];
}

TrcThread *trc_thread_of(const TrcTree *t, int64_t tid) {
    TrcThread **place = place_of(t, tid), *th = place ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : NULL;
    return th && th->tid == tid ? th : NULL;
}

/* Bytecode does so, too. */
static void put_into_list(TrcTree *t, TrcThread *th) {
    th->all = __atomic_load_n(&t->all, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&t->all, &th->all, th, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) continue;
}

void trc_thread_start(TrcTree *t, int64_t tid, char *name) {
    TrcThread **place = place_of(t, tid), *none = NULL;
    if (!place || __atomic_load_n(place, __ATOMIC_RELAXED)) return free(name);
    TrcThread *th = t->free ? t->free : calloc(1, sizeof *th);
    if (!th) return free(name);
    if (t->free) t->free = th->free;
    else {
        th->root.thread = th;
        put_into_list(t, th);
    }
    th->current = &th->root;
    th->tid = tid;
    th->name = name;
    trc_allow(t, th, t->allowance);
    if (__atomic_compare_exchange_n(place, &none, th, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) return;
    th->free = t->free; /* a virtual thread was faster */
    t->free = th;
}

static void end_calls(TrcThread *th, int64_t now) {
    for (TrcNode *n = th->current; n && n->parent; n = n->parent) {
        int64_t lasted = n->calls && now > n->start ? now - n->start : 0;
        n->nanos += lasted;
        if (lasted > n->longest) n->longest = lasted;
    }
}

void trc_thread_end(TrcTree *t, int64_t tid, int64_t now) {
    TrcThread *th = trc_thread_of(t, tid);
    if (!th) return;
    if (now) end_calls(th, now);
    *place_of(t, tid) = NULL;
    th->current = &th->root;
    if (t->separate || th->apart) return;
    th->free = t->free;
    t->free = th;
}

void trc_thread_apart(TrcTree *t, int64_t tid) {
    TrcThread **place = place_of(t, tid), *th = place ? calloc(1, sizeof *th) : NULL;
    if (!th) return;
    th->root.thread = th;
    th->current = &th->root;
    th->tid = tid;
    th->apart = true;
    th->most = INT64_MAX;
    __atomic_store_n(place, th, __ATOMIC_RELEASE);
}

void trc_tree_reset(TrcTree *t) {
    size_t depth = 0;
    for (TrcThread *th = trc_first(t); th; th = th->all) {
        th->event = NULL;
        for (TrcNode *n = &th->root; n; n = trc_next(&th->root, n, &depth))
            n->calls = n->failed = n->nanos = n->longest = n->allocated = 0;
    }
    t->lost = t->missed = t->event_count = t->refused = 0;
}

/* No recursion: trees are as deep as Java's stacks. */
TrcNode *trc_next(const TrcNode *root, TrcNode *n, size_t *depth) {
    TrcNode *child = __atomic_load_n(&n->first, __ATOMIC_ACQUIRE);
    if (child) return ++*depth, child;
    for (; n != root; n = n->parent, --*depth)
        if (n->next) return n->next;
    return NULL;
}

uint32_t trc_inverse(void) {
    uint32_t inverse = 0x9E3779B1u; /* Newton's iteration modulo 2^32, each step doubles the right bits */
    for (int i = 0; i < 5; i++) inverse *= 2 - 0x9E3779B1u * inverse;
    return inverse;
}

uint32_t trc_method(uint32_t key) { return key * trc_inverse(); }
