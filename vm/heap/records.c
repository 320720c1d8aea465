/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of outside fields.
 *
 * Terms
 *   owner    the object whose class got fields; for static fields the mirror
 *   group    fields of one class that were added by one redefinition and are of one kind, references or
 *            primitives; a number, an array with their initial values
 *   record   an array like the group's, private to one owner: the values.  Made at the first store.
 *   offset   OUTSIDE | group << 12 | byte offset in the array
 *
 * Records are found by the owner's address (compact.c leaves owners where they are) in a hash table with linear probing.  Look-up
 * takes no lock: a row is filled before its owner is stored, rows are emptied only in pauses, and a table that was
 * too small is freed in the next pause.  Insertion takes the lock, with no safepoint inside.
 *
 * The table is an ephemeron table without ephemerons: it is no root.  Tracing an object whose class has outside
 * fields (CF_OUTSIDE) traces its records as if they were fields of it, so a record lives exactly as long as its
 * owner, also when it refers to it.  A new record dirties the card of its owner (I5 of gc.c).  Rows of dead owners
 * are emptied after marking, before their memory can be used again.
 *
 * Why arrays and not objects of made-up classes: every tool that knows arrays knows records, and the
 * collector, CAS and volatile accesses need nothing new.  Rejected: resizing objects (stacks of C code are ambiguous
 * roots, so objects cannot move); one growing record per object (a store could get lost while it is copied).
 */
#include "core/lock.h"
#include "heap/heap_upcall.h"
#include "heap/records.h"

#include <stdlib.h>

enum { GROUP_SHIFT = 12, CHUNK = 1024, FIRST_ROWS = 64 };
#define EMPTIED ((Object *)8) /* owner of a row whose owner died */
#define DEAD ((Object *)8)    /* initial record of a group that was freed; its number may be used after the next sweep */

typedef struct Row {
    _Atomic(Object *) owner;
    Object *record;
    u4 group;
} Row;

typedef struct Table {
    struct Table *smaller;
    size_t mask, used;
    Row rows[];
} Table;

static VmLock lock = VM_LOCK(RECORDS);
static _Atomic(Table *) table;
static Object **groups[RECORD_GROUPS / CHUNK]; /* group -> initial record; NULL: free [lock] to change */
static u4 n_groups = 1, free_hint = 1, n_dead;
_Atomic u4 records_count;

static Object **group_cell(u4 group) { return &groups[group / CHUNK][group % CHUNK]; }
static u4 group_of(u4 outside) { return (outside & ~FIELD_OUTSIDE) >> GROUP_SHIFT; }

/* --- groups --- */

static u4 take_group(void) {
    for (; free_hint < n_groups; free_hint++)
        if (!*group_cell(free_hint)) return free_hint;
    if (n_groups == RECORD_GROUPS) return 0;
    if (!groups[n_groups / CHUNK] && !(groups[n_groups / CHUNK] = calloc(CHUNK, sizeof(Object *)))) return 0;
    return free_hint = n_groups++;
}

u4 record_group_new(Object *initial) {
    HOLDING(&lock);
    u4 group = take_group();
    if (group) *group_cell(group) = initial;
    return group ? FIELD_OUTSIDE | group << GROUP_SHIFT | ARRAY_BASE : 0;
}

void record_group_free(u4 outside) {
    HOLDING(&lock);
    *group_cell(group_of(outside)) = DEAD;
    n_dead++;
}

Object *record_initial(u4 outside) { return *group_cell(group_of(outside)); }

/* --- the table --- */

static inline size_t hash(const Object *o) { return ((uintptr_t)o >> 3) * 0x9e3779b97f4a7c15ull >> 24; }

static Object *find(const Table *t, const Object *owner, u4 group) {
    Object *o;
    if (!t) return NULL;
    for (size_t i = hash(owner) & t->mask; (o = atomic_load_explicit(&t->rows[i].owner, memory_order_acquire));
         i = (i + 1) & t->mask)
        if (o == owner && t->rows[i].group == group) return t->rows[i].record;
    return NULL;
}

static void insert(Table *t, Object *owner, u4 group, Object *record) {
    size_t i = hash(owner) & t->mask;
    while (atomic_load_explicit(&t->rows[i].owner, memory_order_relaxed)) i = (i + 1) & t->mask;
    t->rows[i].record = record;
    t->rows[i].group = group;
    atomic_store_explicit(&t->rows[i].owner, owner, memory_order_release);
    t->used++;
}

static Table *larger(Table *old) {
    size_t n = FIRST_ROWS, living = atomic_load(&records_count);
    while (n < living * 2 + FIRST_ROWS / 2) n *= 2;
    Table *t = calloc(1, sizeof *t + n * sizeof(Row));
    if (!t) return NULL;
    t->mask = n - 1;
    t->smaller = old;
    for (size_t i = 0; old && i <= old->mask; i++) {
        Object *o = atomic_load(&old->rows[i].owner);
        if (o && o != EMPTIED) insert(t, o, old->rows[i].group, old->rows[i].record);
    }
    return t;
}

/* The record that counts: another thread may have been faster. */
static Object *publish(Object *owner, u4 group, Object *record) {
    HOLDING(&lock);
    Table *t = atomic_load(&table);
    Object *r = find(t, owner, group);
    if (!r && (!t || t->used * 4 >= t->mask * 3) && (t = larger(t))) atomic_store_explicit(&table, t, memory_order_release);
    if (!r && t) {
        insert(t, owner, group, r = record);
        barrier_after_store(owner);
        atomic_fetch_add(&records_count, 1);
    }
    return r;
}

/* --- asking --- */

Object *record_to_read(const Object *owner, u4 outside) {
    u4 group = group_of(outside);
    Object *r = find(atomic_load_explicit(&table, memory_order_acquire), owner, group);
    return r ? r : *group_cell(group);
}

static void fill(Object *record, const Object *from) {
    obj_copy(record, ARRAY_BASE, from, ARRAY_BASE, heap_object_size(from) - ARRAY_BASE);
}

Object *record_to_write(Thread *t, Object *owner, u4 outside) {
    u4 group = group_of(outside);
    Object *r = find(atomic_load_explicit(&table, memory_order_acquire), owner, group), *initial;
    if (LIKELY(r != NULL)) return r;
    initial = *group_cell(group);
    if (!(r = heap_alloc_array(t, obj_class(initial), array_len(initial)))) return NULL;
    fill(r, initial);
    if (!(r = publish(owner, group, r))) upcall_throw_oom(t, "table of outside fields");
    return r;
}

/* A record that `to` does not have yet.  Those of freed groups, which wait for the next collection, are nobody's. */
static Object *uncopied(const Object *from, const Object *to, u4 *group) {
    const Table *t = atomic_load_explicit(&table, memory_order_acquire);
    Object *o;
    if (!t) return NULL;
    for (size_t i = hash(from) & t->mask; (o = atomic_load_explicit(&t->rows[i].owner, memory_order_acquire));
         i = (i + 1) & t->mask) {
        *group = t->rows[i].group;
        if (o == from && *group_cell(*group) != DEAD && !find(t, to, *group)) return t->rows[i].record;
    }
    return NULL;
}

/* Looks anew each time: to make a record may end in a collection or in another table. */
bool records_copy(Thread *t, Object *from, Object *to) {
    Object *have;
    u4 group;
    while ((have = uncopied(from, to, &group))) {
        Object *r = record_to_write(t, to, FIELD_OUTSIDE | group << GROUP_SHIFT);
        if (!r) return false;
        fill(r, have);
    }
    return true;
}

/* --- the collector --- */

void records_visit(const Object *owner, RootVisitor v, void *arg) {
    Table *t = atomic_load_explicit(&table, memory_order_relaxed);
    Object *o;
    if (!t) return;
    for (size_t i = hash(owner) & t->mask; (o = atomic_load_explicit(&t->rows[i].owner, memory_order_relaxed));
         i = (i + 1) & t->mask)
        if (o == owner) v(&t->rows[i].record, arg);
}

static void provide_roots(RootVisitor v, void *arg) {
    for (u4 i = 1; i < n_groups; i++)
        if (*group_cell(i) && *group_cell(i) != DEAD) v(group_cell(i), arg);
}

/* No row names a dead group any more. */
static void bury_groups(void) {
    for (u4 i = 1; n_dead && i < n_groups; i++)
        if (*group_cell(i) == DEAD) {
            *group_cell(i) = NULL;
            if (i < free_hint) free_hint = i;
        }
    n_dead = 0;
}

static void sweep_rows(bool (*is_live)(Object *)) {
    Table *t = atomic_load(&table), *next;
    if (!t) return;
    for (Table *s = t->smaller; s; s = next) {
        next = s->smaller;
        free(s);
    }
    t->smaller = NULL;
    for (size_t i = 0; i <= t->mask; i++) {
        Object *o = atomic_load_explicit(&t->rows[i].owner, memory_order_relaxed);
        if (!o || o == EMPTIED || (is_live(o) && *group_cell(t->rows[i].group) != DEAD)) continue;
        t->rows[i].record = NULL;
        atomic_store(&t->rows[i].owner, EMPTIED);
        atomic_fetch_sub(&records_count, 1);
    }
}

static void sweep(bool (*is_live)(Object *)) {
    sweep_rows(is_live);
    bury_groups();
}

void records_init(void) {
    heap_add_root_provider("outside fields", provide_roots);
    heap_add_weak_table("outside fields", sweep);
}
