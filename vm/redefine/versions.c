/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of old versions.
 *
 * A version that was replaced is freed as soon as nothing can reach it.  What can:
 *
 *   frames            their method belongs to it
 *   C stacks          C code holds Methods, views into the class file and pool rows across safepoints, as it
 *                     may hold raw objects (D3); any word that points into memory of the version counts
 *   the Java heap     Throwable.backtrace names Methods, a ResolvedMethodName of StackWalker names
 *                     the ID of an obsolete one; such versions are marked (named_in_heap) and
 *                     only a walk of the heap can free them
 *   held              versions_hold(): a thread keeps Methods in malloc'ed memory
 *
 * A jmethodID does not: when an obsolete method goes, its ID becomes invalid, as in the reference.
 *
 * versions_purge runs in every redefinition and after full collections.  The heap is walked only when
 * the versions that need it have doubled since the last walk, so that a long series of
 * redefinitions costs a constant factor, and memory stays bounded.
 */
#include "core/hooks.h"
#include "frame/backtrace.h"
#include "frame/frame_view.h"
#include "redefine/redefine_int.h"

#include <stdlib.h>

enum { FIRST_WALK = 32 };

static ClassVersion *old_versions; /* through next_old; changed at safepoints */
static _Atomic u4 holders;
static u4 walk_at = FIRST_WALK; /* number of named_in_heap versions that makes the heap be walked */

void versions_hold(void) { atomic_fetch_add(&holders, 1); }
void versions_release(void) { atomic_fetch_sub(&holders, 1); }

void versions_add_old(ClassVersion *v) {
    v->running = true;
    v->next_old = old_versions;
    old_versions = v;
    for (; v; v = v->previous) HOOK_CALL(VERSION_GONE, version_gone, v); /* breakpoints go, everywhere */
}

/* --- which memory belongs to which version --- */

typedef struct Range {
    uintptr_t from, to;
    ClassVersion *v;
} Range;

typedef struct Ranges {
    CF_VEC(Range) rows;
    uintptr_t lowest, highest;
    bool failed;
} Ranges;

static void add_range(Ranges *r, const void *p, size_t len, ClassVersion *v) {
    r->failed |= !cf_vec_push(&r->rows, (Range){(uintptr_t)p, (uintptr_t)p + len, v});
}

typedef struct ArenaVisit {
    Ranges *r;
    ClassVersion *v;
} ArenaVisit;
static void add_chunk(const void *p, size_t len, void *arg) {
    ArenaVisit *a = arg;
    add_range(a->r, p, len, a->v);
}

static int by_start(const void *a, const void *b) {
    const Range *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static Ranges ranges_of_old(void) {
    Ranges r = {0};

    for (ClassVersion *v = old_versions; v; v = v->next_old) {
        v->in_use = v->in_frame = false;
        add_range(&r, v, sizeof *v, v);
        if (v->bytes_owned) add_range(&r, v->bytes, v->bytes_len, v);
        cf_arena_visit(v->arena, add_chunk, &(ArenaVisit){&r, v});
    }
    if (!r.rows.len || r.failed) return r;
    qsort(r.rows.data, r.rows.len, sizeof *r.rows.data, by_start);
    r.lowest = r.rows.data[0].from;
    for (u4 i = 0; i < r.rows.len; i++)
        if (r.rows.data[i].to > r.highest) r.highest = r.rows.data[i].to;
    return r;
}

static inline void note_word(const Ranges *r, uintptr_t word) {
    u4 lo = 0, hi = r->rows.len;

    if (LIKELY(word < r->lowest || word > r->highest)) return;
    while (lo < hi) { /* first row that starts behind word */
        u4 mid = (lo + hi) / 2;
        if (r->rows.data[mid].from <= word) lo = mid + 1;
        else hi = mid;
    }
    if (lo && word <= r->rows.data[lo - 1].to) r->rows.data[lo - 1].v->in_use = true;
}

/* --- who uses it --- */

__attribute__((no_sanitize("address"))) static NO_TSAN void note_words(const Ranges *r, const u8 *from, const u8 *to) {
    for (; from < to; from++) note_word(r, *from);
}

static void note_thread(const Ranges *r, Thread *t) {
    FOR_EACH_FRAME(v, t) {
        ClassVersion *used = view_method(v)->version;
        used->in_use = used->in_frame = true;
    }
    if (atomic_load(&t->state) == THREAD_NEW || !t->saved_sp || !t->c_stack_base) return;
    note_words(r, (const u8 *)t->saved_regs, (const u8 *)(&t->saved_regs + 1));
    note_words(r, (const u8 *)((uintptr_t)t->saved_sp & ~(uintptr_t)7), (const u8 *)t->c_stack_base);
}

static void note_backtrace(const Ranges *r, Object *bt) {
    Method *m;
    u4 bci;
    for (int i = 0; backtrace_frame(bt, i, &m, &bci); i++) note_word(r, (uintptr_t)m);
}

/* Dead objects count as well: they may not have been swept. */
static bool note_object(Object *o, void *arg) {
    const Ranges *r = arg;
    Class *c = obj_class(o);
    Object *bt;
    MethodID *id;

    if (c->flags & CF_THROWABLE) {
        bt = JGET_REF(o, Throwable, backtrace);
        if (bt) note_backtrace(r, bt);
    } else if (c == JC(ResolvedMethodName)) {
        id = (MethodID *)(uintptr_t)JGET_LONG(o, ResolvedMethodName, vmtarget);
        if (id) note_word(r, (uintptr_t)atomic_load(&id->method));
    }
    return true;
}

static u4 count_named(void) {
    u4 n = 0;
    for (ClassVersion *v = old_versions; v; v = v->next_old) n += v->named_in_heap;
    return n;
}

static void note_heap(Ranges *r) {
    u4 named = count_named();

    if (named >= walk_at) {
        heap_walk(note_object, r);
        for (ClassVersion *v = old_versions; v; v = v->next_old)
            if (!v->in_use) v->named_in_heap = false;
        named = count_named();
        walk_at = named * 2 > FIRST_WALK ? named * 2 : FIRST_WALK;
    }
    for (ClassVersion *v = old_versions; v; v = v->next_old) v->in_use |= v->named_in_heap;
}

/* --- freeing --- */

static void unlink_from_class(ClassVersion *v) {
    ClassVersion **p = &v->klass->version;
    while (*p != v) p = &(*p)->previous;
    *p = v->previous;
}

static void forget_ids(ClassVersion *v) {
    for (u4 i = 0; i < v->n_methods_all; i++) {
        MethodID *id = atomic_load(&v->methods[i].id);
        if (id) atomic_store(&id->method, NULL);
    }
}

void versions_purge(void) {
    if (!old_versions || atomic_load(&holders)) return;
    Ranges r = ranges_of_old();
    if (!r.failed) {
        FOR_EACH_THREAD(t) note_thread(&r, t);
        note_heap(&r);
        for (ClassVersion **p = &old_versions, *v; (v = *p);) {
            v->running &= v->in_frame;
            if (v->in_use) {
                p = &v->next_old;
            } else {
                versions_forget(v);
                unlink_from_class(v);
                forget_ids(v);
                class_version_free(v);
            }
        }
    }
    cf_vec_free(&r.rows);
}

void versions_forget(ClassVersion *v) {
    HOOK_CALL(VERSION_GONE, version_gone, v);
    for (ClassVersion **p = &old_versions; *p; p = &(*p)->next_old)
        if (*p == v) return (void)(*p = v->next_old);
}
