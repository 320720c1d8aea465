/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dictionaries and placeholders.
 *
 * A dictionary holds the classes for which a loader is a defining or an
 * initiating loader (JVMS 5.3).  The key is the class's own name, so the table
 * is a set of Class pointers: open addressing, grown at 3/4.
 *
 * Placeholders say who is at work on a name.  STAGE_LOADING makes loading by
 * the boot loader single-flight: the second thread waits and then finds the
 * result.  STAGE_SUPERS marks a definition whose supertypes are being loaded;
 * meeting it again on the same thread means that the class is its own
 * ancestor (ClassCircularityError).  A thread never waits for STAGE_SUPERS of
 * another thread: parallel capable loaders may define the same name twice, and
 * the loser is told when it comes to the dictionary.
 *
 * Lock: Loader.lock, leaf (nothing is locked, allocated in the heap or polled
 * while it is held).
 */
#include "core/reserve.h"
#include "load/load_int.h"
#include "object/class.h"

#include <stdlib.h>

struct ClassTable {
    u4 cap, count;
    Class **slots;
};

/* Without memory the old table does it for a while, with longer searches. */
static void table_grow(ClassTable *ct) {
    u4 cap = ct->cap ? ct->cap * 2 : 32;
    Class **slots = calloc(cap, sizeof *slots);

    if (!slots && ct->count + 2 < ct->cap) return;
    if (!slots) slots = reserve_zeroed(cap * sizeof *slots, "the dictionary of a class loader");
    for (u4 i = 0; i < ct->cap; i++) {
        Class *c = ct->slots[i];
        if (!c) continue;
        u4 h = c->name->hash & (cap - 1);
        while (slots[h]) h = (h + 1) & (cap - 1);
        slots[h] = c;
    }
    free(ct->slots);
    ct->slots = slots;
    ct->cap = cap;
}

static Class *table_find(const ClassTable *ct, const Symbol *name) {
    if (!ct || !ct->cap) return NULL;
    for (u4 h = name->hash & (ct->cap - 1); ct->slots[h]; h = (h + 1) & (ct->cap - 1))
        if (ct->slots[h]->name == name) return ct->slots[h];
    return NULL;
}

static void table_put(ClassTable *ct, Class *c) {
    u4 h = c->name->hash & (ct->cap - 1);
    while (ct->slots[h]) h = (h + 1) & (ct->cap - 1);
    ct->slots[h] = c;
    ct->count++;
}

Class *loader_find_loaded(Loader *l, Symbol *name) {
    HOLDING(&l->lock);
    return table_find(l->table, name);
}

Class *dictionary_add(Loader *l, Class *c) {
    HOLDING(&l->lock);
    Class *old = table_find(l->table, c->name);
    if (old) return old;
    if (!l->table) l->table = reserve_zeroed(sizeof *l->table, "the dictionary of a class loader");
    if (l->table->count * 4 >= l->table->cap * 3) table_grow(l->table);
    table_put(l->table, c);
    return c;
}

void loader_visit_initiated(Loader *l, void (*fn)(Class *, void *), void *arg) {
    for (u4 i = 0; l->table && i < l->table->cap; i++)
        if (l->table->slots[i]) fn(l->table->slots[i], arg);
}

void dictionary_free(Loader *l) {
    if (l->table) free(l->table->slots);
    free(l->table);
    l->table = NULL;
}

/* --- placeholders --- */

static Placeholder *find_placeholder(Loader *l, Symbol *name, PlaceholderStage stage, Thread *t, bool other_threads) {
    for (Placeholder *p = l->placeholders; p; p = p->next)
        if (p->name == name && p->stage == stage && (p->thread == t) != other_threads) return p;
    return NULL;
}

PlaceholderResult placeholder_enter(Loader *l, Placeholder *p, Thread *t, Symbol *name, PlaceholderStage stage) {
    *p = (Placeholder){.name = name, .thread = t, .stage = stage};
    HOLDING(&l->lock);
    if (find_placeholder(l, name, stage, t, false)) return PLACE_MINE;
    if (stage == STAGE_LOADING && find_placeholder(l, name, stage, t, true)) return PLACE_BUSY;
    p->next = l->placeholders;
    l->placeholders = p;
    return PLACE_ENTERED;
}

void placeholder_leave(Loader *l, Placeholder *p) {
    HOLDING(&l->lock);
    for (Placeholder **at = (Placeholder **)&l->placeholders; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            break;
        }
    pthread_cond_broadcast(&l->changed);
}

void placeholder_wait_others(Thread *t, Loader *l, Symbol *name) {
    lock_take(&l->lock);
    bool busy = find_placeholder(l, name, STAGE_LOADING, t, true) != NULL;
    lock_release(&l->lock);
    if (!busy) return;
    THREAD_BLOCKING(t) {
        lock_take(&l->lock);
        while (find_placeholder(l, name, STAGE_LOADING, t, true)) lock_wait(&l->changed, &l->lock);
        lock_release(&l->lock);
    }
}

void loader_table_size(Loader *l, u4 *cells, u4 *entries) {
    HOLDING(&l->lock);
    *cells = l->table ? l->table->cap : 0;
    *entries = l->table ? l->table->count : 0;
}
