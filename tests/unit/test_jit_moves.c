/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves at once: sets of moves are drawn at random, among few places so that chains, trees and cycles are frequent, and carried out
 * one after the other as they come; every place must then hold what it would if all had been read before one was written.
 * A cell that goes to several is loaded once, where that can be. One thing is put aside at a time.  `test_jit_moves N`: N sets.
 */
#include "jit/opt/opt_moves.h"
#include <stdlib.h>

#include "cf_test.h"

_Noreturn void vm_fatal(const char *file, int line, const char *fmt, ...) {
    printf("%s:%d: %s\n", file, line, fmt);
    exit(1);
}

enum { REGS = 16, CELLS = 12, PLACES = 2 * REGS + CELLS, MOST = 2 * REGS + CELLS };

static u8 random_u8(void) {
    static u8 s = 88172645463325252u;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return s;
}
static u4 below(u4 n) { return (u4)(random_u8() >> 33) % n; }

typedef struct World {
    u8 places[PLACES];
    u8 held;
    u8 loaded; /* of the last move from cell to cell */
    u4 n_loads;
    bool holds, clobbered;
} World;

static u4 index_of(Loc l) { return l.kind == LOC_REG ? l.n : l.kind == LOC_FREG ? REGS + l.n : 2 * REGS + l.n; }
static Loc place(u4 i) {
    if (i < REGS) return (Loc){.kind = LOC_REG, .n = i};
    if (i < 2 * REGS) return (Loc){.kind = LOC_FREG, .n = i - REGS};
    return (Loc){.kind = LOC_CELL, .n = i - 2 * REGS};
}

/* Constants want the register in which something is held. */
static void carry_out(void *arg, Move m) {
    World *w = arg;
    u8 v = m.from.kind == LOC_CONST ? m.from.k : m.from.kind == LOC_HELD ? w->held : w->places[index_of(m.from)];
    if (m.from.kind == LOC_CONST) w->clobbered = true;
    if (m.again) v = w->loaded;
    else if (m.from.kind == LOC_CELL) w->n_loads++;
    w->loaded = m.from.kind == LOC_CELL && m.to.kind == LOC_CELL ? v : 0;
    if (m.from.kind == LOC_HELD) {
        if (!w->holds || w->clobbered) w->held = v = 0;
        w->holds = false;
    }
    if (m.to.kind != LOC_HELD) {
        w->places[index_of(m.to)] = v;
        return;
    }
    CHECK(!w->holds);
    w->holds = true;
    w->held = v;
}

static Loc source(u4 few) {
    if (!below(6)) return (Loc){.kind = LOC_CONST, .k = random_u8()};
    return place(below(few) * (PLACES / few));
}

static bool test_set(Mover *m, World *w) {
    u8 want[PLACES];
    u4 few = 2 + below(PLACES - 2), order[PLACES], n = 0;
    for (u4 i = 0; i < PLACES; i++) want[i] = w->places[i] = random_u8();
    for (u4 i = 0; i < few; i++) order[i] = i * (PLACES / few);
    for (u4 i = few; i-- > 1;) {
        u4 k = below(i + 1), was = order[i];
        order[i] = order[k];
        order[k] = was;
    }
    w->holds = w->clobbered = false;
    for (u4 many = below(few + 1); n < many; n++) {
        Loc from = source(few);
        want[order[n]] = from.kind == LOC_CONST ? from.k : w->places[index_of(from)];
        mover_add(m, place(order[n]), from, false);
    }
    mover_run(m);
    return !memcmp(want, w->places, sizeof want) && !m->n;
}

/* Two cells to three others each. */
static void test_loads(Mover *m, World *w) {
    w->n_loads = 0;
    for (u4 i = 0; i < 6; i++) mover_add(m, place(2 * REGS + 2 + i), place(2 * REGS + i % 2), true);
    mover_run(m);
    CHECK(w->n_loads == 2);
}

int main(int argc, char **argv) {
    u4 n = argc > 1 ? (u4)strtoul(argv[1], NULL, 10) : 20000;
    static Move moves[MOST];
    static u4 memory[3 * PLACES + 2 * MOST];
    World w = {.held = 0};
    Mover m;
    CHECK(mover_words(MOST, CELLS) * sizeof(u4) <= sizeof memory);
    mover_init(&m, MOST, CELLS, moves, memory, carry_out, &w);
    for (u4 i = 0; i < n; i++) CHECK(test_set(&m, &w));
    test_loads(&m, &w);
    return cf_test_end();
}
