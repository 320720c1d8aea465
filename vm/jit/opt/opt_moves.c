/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parallel moves: edges between blocks, states that are written to memory, values that change their registers.
 *
 * Each place is written once at most, so each move belongs to the place it writes; a move may go when nobody is left who reads that place.  What is
 * left when no move may go are disjoint cycles, since trees that hang on a cycle are emptied from their leaves.  One place of a cycle is put aside
 * (LOC_HELD) and read from there; the rest of the cycle follows, so that one thing is held at a time.  Constants come last: they free nothing,
 * and their writer may want the register in which something was held.
 *
 * Who read one place follow each other, if they may go, so that a cell that goes to several is loaded once (Move.again).
 *
 * Time and memory are linear in the number of moves: counters of places are set back by walking the moves.
 */
#include "jit/opt/opt_moves.h"
#include <string.h>

enum { REGS = 16, CELLS_FROM = 2 * REGS };

u4 mover_words(u4 cap, u4 cells) { return 3 * (CELLS_FROM + cells) + 2 * cap; }

void mover_init(Mover *m, u4 cap, u4 cells, Move *moves, u4 *memory, void (*emit)(void *arg, Move m), void *arg) {
    u4 places = CELLS_FROM + cells;
    *m = (Mover){.moves = moves,
                 .cap = cap,
                 .n_places = places,
                 .readers = memory,
                 .writer = memory + places,
                 .first = memory + 2 * places,
                 .next = memory + 3 * places,
                 .ready = memory + 3 * places + cap,
                 .emit = emit,
                 .arg = arg};
    memset(memory, 0, 3 * places * sizeof *memory);
}

/* Constants and nothing have none. */
static bool has_index(Loc l) { return l.kind == LOC_REG || l.kind == LOC_FREG || l.kind == LOC_CELL; }

static u4 index_of(Loc l) { return l.kind == LOC_REG ? l.n : l.kind == LOC_FREG ? REGS + l.n : CELLS_FROM + l.n; }

void mover_add(Mover *m, Loc to, Loc from, bool narrow) {
    if (loc_same(to, from)) return;
    ASSERT(m->n < m->cap && has_index(to) && index_of(to) < m->n_places);
    m->moves[m->n++] = (Move){.to = to, .from = from, .narrow = narrow};
}

static bool is_late(const Move *x) { return x->from.kind == LOC_CONST; }

static void count(Mover *m) {
    for (u4 i = 0; i < m->n; i++) {
        const Move *x = &m->moves[i];
        m->writer[index_of(x->to)] = i + 1;
        if (!has_index(x->from)) continue;
        m->readers[index_of(x->from)]++;
        m->next[i] = m->first[index_of(x->from)];
        m->first[index_of(x->from)] = i + 1;
    }
}

static void emit(Mover *m, Move x) {
    const Move *last = &m->last;
    x.again = x.to.kind == LOC_CELL && x.from.kind == LOC_CELL && last->to.kind == LOC_CELL && loc_same(x.from, last->from) &&
              x.narrow == last->narrow;
    m->emit(m->arg, x);
    m->last = x;
}

/* The move is done: the place it read may be written now. */
static void go_alone(Mover *m, u4 i, u4 *n_ready) {
    Move *x = &m->moves[i];
    emit(m, *x);
    Loc from = x->from;
    x->done = true;
    if (!has_index(from) || --m->readers[index_of(from)]) return;
    u4 writer = m->writer[index_of(from)];
    if (writer && !m->moves[writer - 1].done && !is_late(&m->moves[writer - 1])) m->ready[(*n_ready)++] = writer - 1;
}

static void go(Mover *m, u4 i, u4 *n_ready) {
    Loc from = m->moves[i].from;
    go_alone(m, i, n_ready);
    if (from.kind != LOC_CELL) return;
    for (u4 k = m->first[index_of(from)]; k; k = m->next[k - 1])
        if (!m->moves[k - 1].done && !m->readers[index_of(m->moves[k - 1].to)]) go_alone(m, k - 1, n_ready);
}

/* Those that went with another are done. */
static void go_on(Mover *m, u4 *n_ready) {
    while (*n_ready)
        if (!m->moves[m->ready[--*n_ready]].done) go(m, m->ready[*n_ready], n_ready);
}

/* The place that move i writes is read by the one before it in the cycle. */
static void break_cycle(Mover *m, u4 i, u4 *n_ready) {
    Loc to = m->moves[i].to, held = {.kind = LOC_HELD};
    bool narrow = false;
    for (u4 k = 0; k < m->n; k++) {
        Move *x = &m->moves[k];
        if (x->done || !loc_same(x->from, to)) continue;
        x->from = held;
        narrow = x->narrow;
    }
    emit(m, (Move){.to = held, .from = to, .narrow = narrow});
    m->readers[index_of(to)] = m->first[index_of(to)] = 0;
    m->ready[(*n_ready)++] = i;
    go_on(m, n_ready);
}

void mover_run(Mover *m) {
    u4 n_ready = 0;
    m->last = (Move){.to = {.kind = LOC_NONE}};
    count(m);
    for (u4 i = 0; i < m->n; i++)
        if (!is_late(&m->moves[i]) && !m->readers[index_of(m->moves[i].to)]) m->ready[n_ready++] = i;
    go_on(m, &n_ready);
    for (u4 i = 0; i < m->n; i++)
        if (!is_late(&m->moves[i]) && !m->moves[i].done) break_cycle(m, i, &n_ready);
    for (u4 i = 0; i < m->n; i++) {
        if (is_late(&m->moves[i])) emit(m, m->moves[i]);
        m->writer[index_of(m->moves[i].to)] = 0;
        if (has_index(m->moves[i].from)) m->first[index_of(m->moves[i].from)] = 0;
    }
    m->n = 0;
}
