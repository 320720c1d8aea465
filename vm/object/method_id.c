/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of jmethodIDs.
 *
 * Native code may hold an ID longer than its class lives.  It must not use it then (JNI, "Accessing fields and
 * methods"), but JVM TI is asked about such IDs and has to answer INVALID_METHODID.  So cells are never given
 * back to the C heap: what an ID points to is always a MethodID.  The cell of a dead method is empty, and is used
 * again only after RESTING others have died: memory is bounded, and a stale ID is very likely recognised.
 *
 *   word           states                                writer                                 reader
 *   Method.id      NULL -> a cell, once for each method  invoke/reflect.c                   acquire
 *   id->method     NULL -> m                             seq_cst, behind holder                 acquire (natives, JVM TI)
 *   ... m -> m'    a redefinition                        in a pause                             in JAVA it holds until the next poll; later
 *   ... m -> NULL  the class dies                        in a pause, before the cell is queued  it is read again: both may have passed
 *   id->holder     class, or the next dead cell          before method; behind method = NULL    behind method, if that was not NULL
 * x86-64: plain moves, the stores xchg.  ARM64: stlr, ldar.  Tests: schedule/breaks, jvmti/redefine, jvmti/errors.
 */
#include "core/lock.h"
#include "core/reserve.h"
#include "object/method.h"
#include "object/version.h"

enum { SLAB = 512, RESTING = 32 << 10 };

typedef union Cell {
    MethodID id;
    struct {
        void *empty;      /* where `method` is: NULL */
        union Cell *next; /* where `holder` is; never the address of a live Class */
    } dead;
} Cell;

static VmLock lock = VM_LOCK(METHOD_IDS);
static Cell *slab;
static size_t slab_used = SLAB;
static Cell *first_dead, *last_dead; /* in the order of their death */
static size_t n_dead;

static Cell *take_cell(void) {
    if (n_dead > RESTING) {
        Cell *c = first_dead;
        first_dead = c->dead.next;
        n_dead--;
        return c;
    }
    if (slab_used == SLAB) {
        slab = reserve_zeroed(SLAB * sizeof *slab, "method IDs");
        slab_used = 0;
    }
    return &slab[slab_used++];
}

_Atomic u4 reshape_epoch, class_uses_noted;

MethodID *method_id_new(Method *m) {
    lock_take(&lock);
    Cell *c = take_cell();
    lock_release(&lock);
    c->id.holder = m->holder;
    atomic_store(&c->id.method, m);
    return &c->id;
}

void method_id_free(MethodID *id) {
    Cell *c = (Cell *)id;
    atomic_store(&id->method, NULL);
    HOLDING(&lock);
    c->dead.next = NULL;
    if (n_dead++ == 0) first_dead = c;
    else last_dead->dead.next = c;
    last_dead = c;
}
