/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the cells of a frame hold, for three who ask: the collector, heap walks, debuggers.  One analysis answers all
 * (classfile/cf_kinds.c): the kinds that each path to an instruction has left in a cell.
 *
 * THE COLLECTOR.  Cells of a frame are not cleared at entry, so a local that was not assigned yet holds whatever an earlier
 * call left there, and would keep that alive.  A local counts only where every path from the entry assigns it (JVMS 4.10: code
 * can read such a local only there), and not where each has put a number.  Operand stacks end at their published tops and are
 * not asked about.  Results are computed at collections, only for the (method, bci) pairs found on stacks, and kept with
 * the method.
 *
 * HEAP WALKS report cells as references to somebody else and must not guess: only what is a reference on every path.
 * jsr/ret: after a jsr the state before it is taken.  A cell that the subroutine changed may then be called a reference
 * wrongly; callers test the word as well.
 *
 * DEBUGGERS ask rarely, for one local at a time; nothing is kept.
 *
 * All this happens inside a pause, or while a thread is made to stand still, so it is bounded in time and memory.  A method
 * that would take more (handlers by the thousand over 64 KB of code, tens of thousands of locals) has no map: the collector
 * takes all its locals, which is safe, since words are tested against the object-start bitmap; a heap walk takes each cell
 * whose word is an object's address; a debugger gets LOCAL_MIXED.
 */
#include "frame/framemap.h"
#include "core/lock.h"
#include "frame/frame.h"
#include "object/version.h"
#include "cf_kinds.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 2000000 /* under 10 ms */, MOST_BYTES = 4 << 20 };

static CfKindsResult analyse(const Method *m, unsigned flags, size_t most_bytes, CfKinds *k, CfArena *arena) {
    cf_arena_init(arena, "frame kinds", 0);
    arena->limit = most_bytes;
    if (!m->version || !m->version->cf || !m->cf || !m->cf_code) return CF_KINDS_UNKNOWN;
    return cf_kinds_init(k, m->version->cf, m->cf, m->cf_code, flags, MOST_STEPS, arena);
}

/* --- the collector --- */

typedef struct LocalMap {
    struct LocalMap *next;
    u4 bci;
    u8 words[];
} LocalMap;

static VmLock map_lock = VM_LOCK(FRAME_MAPS);

static LocalMap *compute(const Method *m, u4 bci) {
    u4 n = (m->max_locals + 63u) / 64;
    LocalMap *map = malloc(sizeof *map + n * sizeof(u8));
    CfKinds k;
    CfArena arena;
    if (!map) return NULL;
    map->bci = bci;
    if (analyse(m, CF_KINDS_LOCALS, MOST_BYTES, &k, &arena) == CF_KINDS_OK && cf_kinds_go(&k, bci)) {
        memset(map->words, 0, n * sizeof(u8));
        for (u4 i = 0; i < m->max_locals; i++)
            if (!(k.cur.cells[i] & CF_K_NONE) && k.cur.cells[i] & CF_K_REF) map->words[i >> 6] |= 1ull << (i & 63);
    } else {
        memset(map->words, 0xff, n * sizeof(u8));
    }
    cf_arena_free(&arena);
    return map;
}

const u8 *framemap_locals(Method *m, u4 bci) {
    if (m->max_locals <= m->arg_slots || (m->flags & MF_JSR) || bci >= m->code_len) return NULL;
    HOLDING(&map_lock);
    LocalMap *map = m->tier_data;
    while (map && map->bci != bci) map = map->next;
    if (!map && (map = compute(m, bci))) {
        map->next = m->tier_data;
        m->tier_data = map;
    }
    return map ? map->words : NULL;
}

void framemap_free(Method *m) {
    for (LocalMap *map = m->tier_data, *next; map; map = next) {
        next = map->next;
        free(map);
    }
    m->tier_data = NULL;
}

/* --- debuggers --- */

static LocalKind local_kind(u1 kinds) {
    return kinds & CF_K_NONE ? LOCAL_NONE : kinds == CF_K_REF ? LOCAL_REF : kinds & CF_K_REF ? LOCAL_MIXED : LOCAL_VALUE;
}

bool framemap_kind(const Method *m, u4 bci, u4 local, LocalKind *kind) {
    CfKinds k;
    CfArena arena;
    CfKindsResult r = analyse(m, CF_KINDS_LOCALS, 0, &k, &arena); /* the work bounds the memory too */
    *kind = r != CF_KINDS_OK || bci >= m->code_len ? LOCAL_MIXED
            : cf_kinds_go(&k, bci)                 ? local_kind(k.cur.cells[local])
                                                   : LOCAL_NONE;
    cf_arena_free(&arena);
    return r != CF_KINDS_NO_MEMORY;
}

/* --- heap walks --- */

static FrameKinds *kinds_new(u4 max_locals, u4 depth, bool exact) {
    FrameKinds *k = malloc(sizeof *k + max_locals + depth);
    if (!k) return NULL;
    k->max_locals = max_locals;
    k->depth = depth;
    k->exact = exact;
    memset(k->is_ref, !exact, max_locals + depth);
    return k;
}

/* A native method's cells are its arguments. */
static FrameKinds *of_arguments(const Method *m) {
    FrameKinds *k = kinds_new(m->arg_slots, 0, true);
    CfDescIter it = cf_desc_start((CfStr){m->desc->bytes, (uint32_t)strlen(m->desc->bytes)});
    CfStr arg;
    u4 slot = 0;
    if (!k) return NULL;
    if (!method_is_static(m) && slot < m->arg_slots) k->is_ref[slot++] = 1;
    while (slot < m->arg_slots && cf_desc_next(&it, &arg)) {
        k->is_ref[slot] = arg.p[0] == 'L' || arg.p[0] == '[';
        slot += (u4)type_slots(type_of_desc_char((char)arg.p[0]));
    }
    return k;
}

FrameKinds *framemap_cells(const Method *m, u4 bci) {
    if (!method_is_interpreted(m)) return of_arguments(m);
    CfKinds at;
    CfArena arena;
    bool exact = analyse(m, CF_KINDS_ALL, MOST_BYTES, &at, &arena) == CF_KINDS_OK && cf_kinds_go(&at, bci);
    FrameKinds *k = kinds_new(m->max_locals, exact ? at.cur.depth : m->max_stack, exact);
    for (u4 i = 0; k && exact && i < k->max_locals + k->depth; i++) k->is_ref[i] = at.cur.cells[i] == CF_K_REF;
    cf_arena_free(&arena);
    return k;
}
