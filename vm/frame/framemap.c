/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which locals of a frame have a value: the exact part of the collector's view of frames.
 *
 * Cells of a frame are not cleared at entry, so a local that was not assigned yet holds
 * whatever an earlier call left there, and would keep that alive.  A local counts only
 * where every path from the entry assigns it: a forward must-analysis over the
 * bytecode (JVMS 4.10: code can read such a local only there).  Whether the value is a
 * reference need not be known, because the collector tests words.
 *
 * Results are computed at collections, only for the (method, bci) pairs found on stacks, and
 * kept with the method.
 *
 * This happens inside the pause, so it is bounded: a method that would take more than MOST_STEPS or MOST_BYTES (handlers by the thousand
 * over 64 KB of code, tens of thousands of locals) counts all its locals at that bci as assigned.  That is safe, since words
 * are tested against the object-start bitmap; all it costs is that a stale word may keep an object.
 */
#include "frame/framemap.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct LocalMap {
    struct LocalMap *next;
    u4 bci;
    u8 words[];
} LocalMap;

static pthread_mutex_t map_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct Flow {
    const Method *m;
    u4 n_words;
    u8 *in;      /* per bci: assigned on all paths so far */
    bool *known;
    u8 *cur;
    u4 steps;    /* instructions, handlers and words looked at */
    bool changed;
} Flow;

enum { MOST_STEPS = 4000000 /* under 10 ms */, MOST_BYTES = 4 << 20 };

static void assign(u8 *set, u4 local, u4 limit) {
    if (local < limit) set[local >> 6] |= 1ull << (local & 63);
}

static void meet(Flow *f, u4 target) {
    if (target >= f->m->code_len) return;
    f->steps += f->n_words;
    u8 *to = f->in + (size_t)target * f->n_words;
    if (!f->known[target]) {
        memcpy(to, f->cur, f->n_words * sizeof(u8));
        f->known[target] = f->changed = true;
        return;
    }
    for (u4 i = 0; i < f->n_words; i++)
        if (to[i] & ~f->cur[i]) {
            to[i] &= f->cur[i];
            f->changed = true;
        }
}

static void flow_pass(Flow *f) {
    const Method *m = f->m;
    CfInsn in;
    for (u4 bci = 0; bci < m->code_len; bci += in.len) {
        if (!cf_insn(m->code, m->code_len, bci, &in)) return;
        if (!f->known[bci]) continue;
        if ((f->steps += f->n_words + m->n_handlers) > MOST_STEPS) return;
        memcpy(f->cur, f->in + (size_t)bci * f->n_words, f->n_words * sizeof(u8));
        for (u4 i = 0; i < m->n_handlers && f->steps <= MOST_STEPS; i++)
            if (bci >= m->handlers[i].start && bci < m->handlers[i].end) meet(f, m->handlers[i].handler);
        const CfOpInfo *info = &cf_op_info[in.op];
        if (info->flags & CF_OF_STORE) {
            assign(f->cur, in.index, m->max_locals);
            if (info->pops[0] == 'J' || info->pops[0] == 'D') assign(f->cur, in.index + 1u, m->max_locals);
        }
        if (info->flags & CF_OF_BRANCH) meet(f, (u4)in.target);
        if (info->flags & CF_OF_SWITCH) {
            meet(f, (u4)in.target);
            for (u4 k = 0; k < in.cases; k++) meet(f, (u4)cf_switch_target(&in, k));
        }
        if (!(info->flags & CF_OF_END)) meet(f, bci + in.len);
    }
}

static LocalMap *compute(Method *m, u4 bci) {
    u4 n = (m->max_locals + 63u) / 64;
    Flow f = {.m = m, .n_words = n};
    LocalMap *map = malloc(sizeof *map + n * sizeof(u8));
    size_t bytes = ((size_t)m->code_len + 1) * n * sizeof(u8);
    if (map && bytes + m->code_len > MOST_BYTES) {
        map->bci = bci;
        memset(map->words, 0xff, n * sizeof(u8));
        return map;
    }
    f.in = malloc(bytes);
    f.known = calloc(m->code_len, 1);
    if (map && f.in && f.known) {
        f.cur = f.in + (size_t)m->code_len * n;
        memset(f.in, 0, n * sizeof(u8));
        for (u4 i = 0; i < m->arg_slots; i++) assign(f.in, i, m->max_locals);
        f.known[0] = f.changed = true;
        while (f.changed && f.steps <= MOST_STEPS) {
            f.changed = false;
            flow_pass(&f);
        }
        map->bci = bci;
        if (f.known[bci] && f.steps <= MOST_STEPS) memcpy(map->words, f.in + (size_t)bci * n, n * sizeof(u8));
        else memset(map->words, 0xff, n * sizeof(u8));
    } else {
        free(map);
        map = NULL;
    }
    free(f.in);
    free(f.known);
    return map;
}

const u8 *framemap_locals(Method *m, u4 bci) {
    if (m->max_locals <= m->arg_slots || (m->flags & MF_JSR) || bci >= m->code_len) return NULL;
    pthread_mutex_lock(&map_lock);
    LocalMap *map = m->tier_data;
    while (map && map->bci != bci) map = map->next;
    if (!map && (map = compute(m, bci))) {
        map->next = m->tier_data;
        m->tier_data = map;
    }
    pthread_mutex_unlock(&map_lock);
    return map ? map->words : NULL;
}

void framemap_free(Method *m) {
    for (LocalMap *map = m->tier_data, *next; map; map = next) {
        next = map->next;
        free(map);
    }
    m->tier_data = NULL;
}
