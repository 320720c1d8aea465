/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java.lang.ref.
 *
 * Tracing reports each Reference object.  An active one (next == null) whose referent is not
 * marked yet is remembered by strength; its referent is not traced.  After tracing from the roots:
 *   1. soft, weak:  referent still unmarked -> clear it, Reference becomes pending
 *   2. final:       referent unmarked -> Reference becomes inactive (next = itself, as the class
 *                   library expects) and pending; the referent stays and is traced now
 *   3. soft, weak found by that tracing: as 1
 *   4. phantom:     as 1
 * Pending references are chained through `discovered` onto the pending list, whose head is a root;
 * `discovered` is a strong field.  The Reference Handler thread takes the list.
 *
 * Soft referents are traced as strong while clock - timestamp <= free megabytes * SoftRefLRUPolicyMSPerMB; clock is
 * SoftReference.clock, which get() copies to the timestamp and each collection advances.
 * The emergency collection before OutOfMemoryError keeps none.
 */
#include "core/options.h"
#include "heap/heap_int.h"
#include "heap/heap_upcall.h"
#include "os/os.h"

#include <stdlib.h>

typedef struct RefList {
    Object **items;
    size_t n, size;
} RefList;

static RefLayout layout;
static bool have_layout;
static RefList found[MAX_WORKERS][REF_PHANTOM + 1]; /* by the worker that saw it, by RefKind */
static int64_t soft_limit;                          /* oldest age that keeps a soft referent; -1 = none */
static Object *new_pending;                         /* made in this collection */

static Object *pending; /* [lock: pending_lock] or in a pause */
static VmLock pending_lock = VM_LOCK(PENDING);
static _Atomic u4 pending_event; /* futex, bumped when pending becomes non-empty */

u4 refs_referent_offset(void) { return have_layout ? layout.referent : 0; }

u4 refs_discovered_offset(void) { return layout.discovered; }

void refs_prepare(bool clear_all_soft) {
    have_layout = upcall_ref_layout(&layout);
    size_t used = heap.live, max = heap.max_blocks << BLOCK_SHIFT;
    soft_limit = clear_all_soft ? -1 : (int64_t)((max - (used < max ? used : max)) >> 20) * (int64_t)vm_options.soft_ms_per_mb;
    for (int i = 0; i < heap_gc_threads(); i++)
        for (int k = 0; k <= REF_PHANTOM; k++) found[i][k].n = 0;
    new_pending = NULL;
}

static bool remember(RefList *l, Object *ref) {
    if (l->n == l->size) {
        size_t size = l->size ? l->size * 2 : 256;
        Object **p = realloc(l->items, size * sizeof *p);
        if (!p) return false;
        l->items = p;
        l->size = size;
    }
    l->items[l->n++] = ref;
    return true;
}

static bool soft_is_kept(Object *ref) {
    if (!layout.clock) return soft_limit >= 0;
    return *layout.clock - OBJ_FIELD(int64_t, ref, layout.timestamp) <= soft_limit;
}

bool refs_discover(Object *ref, Class *c, int worker) {
    Object *referent = ref_load(ref, layout.referent);
    if (!referent || is_marked(referent)) return false; /* nothing left to decide or to do */
    if (ref_load(ref, layout.next)) return true;        /* inactive: an ordinary object */
    if (c->ref_kind == REF_NONE || c->ref_kind > REF_PHANTOM) return true;
    if (c->ref_kind == REF_SOFT && soft_is_kept(ref)) return true;
    return !remember(&found[worker][c->ref_kind], ref); /* without memory it is strong, for this time */
}

static void make_pending(Object *ref) {
    ref_store(ref, layout.discovered, new_pending);
    new_pending = ref;
}

/* Clears the referents that did not survive. */
static void clear_dead(RefKind kind) {
    for (int w = 0; w < heap_gc_threads(); w++) {
        RefList *l = &found[w][kind];
        for (size_t i = 0; i < l->n; i++) {
            Object *ref = l->items[i], *referent = ref_load(ref, layout.referent);
            if (!referent || is_marked(referent)) continue;
            ref_store(ref, layout.referent, NULL);
            make_pending(ref);
        }
        l->n = 0;
    }
}

void refs_clear_weak(void) {
    clear_dead(REF_SOFT);
    clear_dead(REF_WEAK);
}

/*
 * A reference may be found twice, through a root and through its dirty card.  A cleared referent
 * tells that of the other kinds; here it is `next`.  Left over are references which only an
 * object to be finalised led to: their objects live until a later collection decides.
 */
static void decide_final(RefList *l) {
    size_t dead = 0;
    for (size_t i = 0; i < l->n; i++) {
        Object *ref = l->items[i];
        if (is_marked(ref_load(ref, layout.referent)) || ref_load(ref, layout.next)) continue;
        ref_store(ref, layout.next, ref);
        make_pending(ref);
        l->items[dead++] = ref;
    }
    l->n = dead;
}

/* Marks the referents; true if there were any.  Tracing may add to the lists. */
static bool keep_finals(void) {
    bool any = false;
    for (int w = 0; w < heap_gc_threads(); w++) {
        RefList *l = &found[w][REF_FINAL];
        for (size_t i = 0; i < l->n; i++) mark_object(ref_load(l->items[i], layout.referent));
        any |= l->n > 0;
        l->n = 0;
    }
    return any;
}

void refs_keep_final(void) {
    for (int w = 0; w < heap_gc_threads(); w++) decide_final(&found[w][REF_FINAL]); /* all, before marking for any */
    while (keep_finals()) mark_trace(false);
    refs_clear_weak();
}

void refs_clear_phantom(void) { clear_dead(REF_PHANTOM); }

static void set_clock(void) {
    int64_t now = os_nanos() / 1000000;
    if (have_layout && layout.clock && now > *layout.clock) *layout.clock = now;
}

void refs_start_clock(void) {
    have_layout = upcall_ref_layout(&layout);
    set_clock();
}

void refs_publish(void) {
    set_clock();
    if (!new_pending) return;
    Object *last = new_pending, *next;
    while ((next = ref_load(last, layout.discovered))) last = next;
    ref_store(last, layout.discovered, pending);
    pending = new_pending;
    new_pending = NULL;
    atomic_fetch_add(&pending_event, 1);
    os_futex_wake(&pending_event, INT32_MAX);
}

void refs_visit_pending(RootVisitor v, void *arg) {
    if (pending) v(&pending, arg);
}

/* ---- for JVM_WaitForReferencePendingList and friends ---- */

bool refs_has_pending(void) {
    HOLDING(&pending_lock);
    return pending != NULL;
}

Object *refs_take_pending(void) {
    HOLDING(&pending_lock);
    Object *list = pending;
    pending = NULL;
    return list;
}

void refs_wait_pending(Thread *t) {
    for (;;) {
        u4 seen = atomic_load(&pending_event);
        if (refs_has_pending()) return;
        THREAD_BLOCKING(t) os_futex_wait(&pending_event, seen, 0);
    }
}
