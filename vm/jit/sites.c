/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls see: classes of receivers.
 *
 * A virtual or interface call whose target is not known while compiling counts down (SiteCache.calls_left), and each time that it is at the
 * end the receiver is looked at.  When MOST_LOOKS receivers were looked at and nearly all were of one class, whose method may be a body, the
 * code is made anew: in the new code such calls compare the class and have the body (base_inline.c); those of which less is
 * known go on counting, for MAX_PROFILED rounds, and then for the optimising compiler alone.  Another receiver makes the call as before, behind the
 * code; nothing is thrown away for it.
 *
 * Where nearly all were of two classes, or of one whose method is no body here, they are noted, but no code is made anew for it: the optimising compiler asks
 * (sites_receivers), whose bodies may be larger, and which puts both behind comparisons.
 *
 * If none was of another class the optimising compiler takes it for granted: others leave the code. Where that turns out to be wrong the site is in DOUBT, and
 * others make the call there, too.
 *
 * LATER    Programs change: the receivers of today are others than those that were seen.  Who leaves at a call tells its receiver (sites_learn), which is the second class
 *          that was seen there if there was one only.  Where code does not leave any more the calls behind its comparisons choose by their SiteCaches; when a
 *          sample meets what was called from such a place often enough (sites_missed), all that the caches chose is learnt, and the code is made anew, MAX_RELEARNT
 *          times.
 *
 * Calls of which optimised code knew nothing, or for receivers of another class than the one it knew, count there, too, but are looked at more seldom: what
 * runs that often pays for code that is made anew, and it is, when a call has been looked at MOST_LOOKS times and nearly all receivers were of one class, or
 * of two, of which one is new (sites_look_late).
 *
 * Seen outlives code: it is noted by the method that was compiled, the one that has the call, and bci.  A body asks for what was seen in
 * the code that it becomes part of, and then for what its method's own code saw.  Classes and methods in it keep nothing alive: they are
 * dropped when they are freed (sites_forget), in the pause.
 */
#include "core/options.h"
#include "jit/policy.h"
#include "object/class.h"
#include "object/version.h"
#include <stdlib.h>

enum {
    LOOK_EVERY = 5, /* times the calls that make a method hot */
    LOOK_LATE_EVERY = 500,
    MOST_LOOKS = 8,
    LEAST_LOOKS = 3,   /* for calls of code that is made anew for another one */
    MOST_DIFFERENT = 1 /* of MOST_LOOKS */
};

typedef struct Seen {
    struct Seen *next;
    const Method *root, *m;
    u4 bci;
    Class *klass, *also; /* nearly all were of klass; or, also being there, of one of the two */
    bool others;         /* some were of another class */
} Seen;

static Seen *seen_at[1024]; /* [lock: jit] by m and bci */
static u4 n_seen;

/* Receivers often come in turns: so that not the same one is met each time, distances differ. */
static void count_again(SiteCache *s) {
    enum { MOST_MORE = 63, FACTOR = 40503 };
    u4 every = s->late && !vm_options.optimize_all ? LOOK_LATE_EVERY : LOOK_EVERY;
    s->calls_left = (int32_t)(jit_hot / JIT_HEAT_CALL * every + ((s->looked + 1u) * FACTOR >> 6 & MOST_MORE));
}

_Atomic u4 sites_filled;

void sites_start(SiteCache *s) {
    s->seen = s->also = 0;
    s->looked = s->differ = s->others = 0;
    count_again(s);
}

static void forget_in(Seen **at, const ClassVersion *v) {
    while (*at) {
        Seen *s = *at;
        if (s->klass != v->klass && s->also != v->klass && !version_has(v, s->root) && !version_has(v, s->m)) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        free(s);
        n_seen--;
    }
}

void sites_forget(const ClassVersion *v) {
    for (u4 i = 0; n_seen > 0 && i < ARRAY_LEN(seen_at); i++) forget_in(&seen_at[i], v);
}

static Seen **bucket(const Method *m, u4 bci) {
    uintptr_t h = ((uintptr_t)m >> 4) * 31 + bci;
    return &seen_at[(h ^ h >> 10) % ARRAY_LEN(seen_at)];
}

static Seen *find(const Method *root, const Method *m, u4 bci) {
    for (Seen *s = *bucket(m, bci); s; s = s->next)
        if (s->root == root && s->m == m && s->bci == bci) return s;
    return NULL;
}

Class *sites_receiver(const Method *root, const Method *m, u4 bci) {
    const Seen *s = root->profiled ? find(root, m, bci) : NULL;
    if (!s && root != m && m->profiled) s = find(m, m, bci);
    return s && !s->also ? s->klass : NULL;
}

/* In whatever code. */
static const Seen *find_any(const Method *m, u4 bci) {
    for (const Seen *s = *bucket(m, bci); s; s = s->next)
        if (s->m == m && s->bci == bci) return s;
    return NULL;
}

void sites_doubt(const Method *m, u4 bci) {
    for (Seen *s = *bucket(m, bci); s; s = s->next) s->others |= s->m == m && s->bci == bci;
}

static bool may_be_second(const Seen *s, const Class *k) {
    return s->klass && !s->also && s->klass != k && !class_is_array(s->klass) && !class_is_array(k);
}

bool sites_learn(const Method *m, u4 bci, Class *k) {
    bool any = false;
    for (Seen *s = *bucket(m, bci); s; s = s->next) {
        if (s->m != m || s->bci != bci || !may_be_second(s, k)) continue;
        s->also = k;
        any = true;
    }
    return any;
}

bool sites_learn_chosen(const SiteCache *s) {
    bool any = false;
    for (; s; s = s->next) {
        u4 klass = __atomic_load_n(&s->klass, __ATOMIC_ACQUIRE);
        if (klass) any |= sites_learn(s->m, s->bci, (Class *)(uintptr_t)klass);
    }
    return any;
}

bool sites_missed(const Method *m, u4 bci, const Method *called) {
    bool any = false;
    for (const Seen *s = *bucket(m, bci); s; s = s->next) {
        if (s->m != m || s->bci != bci || !s->klass) continue;
        if (s->also || class_is_subtype(s->klass, called->holder)) return false;
        any = true;
    }
    return any;
}

u4 sites_receivers(const Method *root, const Method *m, u4 bci, Class *two[2], bool *others) {
    const Seen *s = find(root, m, bci);
    if (!s) s = find(m, m, bci);
    if (!s) s = find_any(m, bci);
    if (!s) return 0;
    two[0] = s->klass;
    two[1] = s->also;
    *others = s->others;
    return s->also ? 2 : 1;
}

Method *sites_target(Class *k, const Method *im, u4 vtable_index) {
    Method *m = NULL;
    if (atomic_load_explicit(&k->state, memory_order_acquire) < CLASS_LINKED) return NULL;
    if (!im) {
        m = vtable_index < k->vtable_len ? k->vtable[vtable_index] : NULL;
    } else if (class_is_interface(im->holder) && im->itable_index >= 0) {
        Method **methods = class_itable_methods(k, im->holder);
        m = methods ? methods[im->itable_index] : NULL;
        if (m && !(m->access & ACC_PUBLIC)) return NULL;
    }
    return m && m->kind != MK_ABSTRACT && m->kind != MK_CONFLICT ? m : NULL;
}

static Class *class_seen(const SiteCache *s) { return (Class *)(uintptr_t)s->seen; }

/* Is it worth a comparison?  Array classes have no version, so nothing would be forgotten with them. */
static bool is_useful(const SiteCache *s) {
    if (!s->seen || class_is_array(class_seen(s))) return false;
    if (s->looked < LEAST_LOOKS || s->differ > s->looked * MOST_DIFFERENT / MOST_LOOKS) return false;
    const Method *m = sites_target(class_seen(s), s->imethod, s->vtable_index);
    return m && base_may_guard(m);
}

static bool is_of_two(const SiteCache *s) {
    if (!s->also || class_is_array(class_seen(s)) || class_is_array((Class *)(uintptr_t)s->also)) return false;
    return s->looked >= MOST_LOOKS && s->others <= MOST_DIFFERENT && s->differ > MOST_DIFFERENT;
}

static bool is_of_one(const SiteCache *s) {
    return s->seen && !class_is_array(class_seen(s)) && s->looked >= MOST_LOOKS && s->differ <= MOST_DIFFERENT;
}

static void add_earlier(Seen *n, Class *k) {
    if (!k || k == n->klass || k == n->also) return;
    if (may_be_second(n, k)) n->also = k;
    else n->others = true;
}

static Seen *find_or_add(const Method *root, const SiteCache *s) {
    Seen *n = find(root, s->m, s->bci);
    if (n || !(n = malloc(sizeof *n))) return n;
    Seen **at = bucket(s->m, s->bci);
    *n = (Seen){.next = *at, .root = root, .m = s->m, .bci = s->bci};
    *at = n;
    n_seen++;
    return n;
}

static bool has_seen(const Class *k, const Class *one, const Class *other) { return !k || k == one || k == other; }

/* What was met earlier is not forgotten for the phase of the program in which the site was looked at again.  True: there is a new class. */
static bool note(const Method *root, const SiteCache *s) {
    Seen *n = find_or_add(root, s);
    if (!n) return false;
    Class *other = (Class *)(uintptr_t)s->also, *earlier = n->klass, *also_earlier = n->also;
    bool swap = 2 * s->differ > s->looked + s->others;
    n->klass = is_of_two(s) && swap ? other : class_seen(s);
    n->also = !is_of_two(s) ? NULL : swap ? class_seen(s) : other;
    n->others |= (n->also ? s->others : s->differ) > 0;
    add_earlier(n, earlier);
    add_earlier(n, also_earlier);
    return !has_seen(n->klass, earlier, also_earlier) || !has_seen(n->also, earlier, also_earlier);
}

/* True: now it has been looked at often enough. */
static bool look(SiteCache *s, const Object *receiver) {
    if (s->calls_left > 0) return false;
    count_again(s);
    if (!receiver) return false;
    u4 klass = (u4)(uintptr_t)obj_class(receiver);
    if (!s->seen) s->seen = klass;
    s->differ += s->seen != klass;
    if (s->seen != klass && !s->also) s->also = klass;
    s->others += s->seen != klass && s->also != klass;
    if (++s->looked < MOST_LOOKS) return false;
    s->calls_left = INT32_MAX;
    return true;
}

bool sites_look(const CodeBlob *b, SiteCache *s, const Object *receiver) {
    if (!look(s, receiver) || !b) return false;
    if (is_of_one(s) || is_of_two(s)) note(b->method, s);
    if (!is_useful(s)) return false;
    for (const SiteCache *other = b->sites; other; other = other->next)
        if (is_useful(other)) note(b->method, other);
    return true;
}

bool sites_look_late(const Method *root, SiteCache *s, const Object *receiver) {
    return look(s, receiver) && (is_of_one(s) || is_of_two(s)) && note(root, s);
}
