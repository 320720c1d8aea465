/* SPDX-License-Identifier: Apache-2.0 */
/* Moves that happen at once, one after the other.  Theory: opt_moves.c. */
#ifndef GRAFT_JIT_OPT_MOVES_H
#define GRAFT_JIT_OPT_MOVES_H

#include "core/types.h"

/* A place.  LOC_CELL: locals of the root from 0 on, then operand cells of the frame. */
typedef struct Loc {
    enum { LOC_NONE, LOC_REG, LOC_FREG, LOC_CELL, LOC_CONST, LOC_HELD } kind; /* LOC_HELD: what a cycle has put aside */
    u4 n;
    u8 k; /* LOC_CONST */
} Loc;
static inline bool loc_same(Loc a, Loc b) { return a.kind == b.kind && a.n == b.n && a.kind != LOC_CONST; }

typedef struct Move {
    Loc to, from;
    bool narrow; /* 32 bits; the rest of a cell may be anything */
    bool again;  /* emitted: the move before this one read the same cell for a cell */
    bool done;
} Move;

/* Room for `n` moves, and places of cells below `cells`. */
typedef struct Mover {
    Move *moves;
    u4 n, cap;
    u4 n_places;
    u4 *readers; /* per place */
    u4 *writer;  /* per place: move + 1 */
    u4 *first;   /* per place: who reads it, move + 1 */
    u4 *next;    /* per move: who reads the same place */
    u4 *ready;
    Move last; /* that was emitted */
    void (*emit)(void *arg, Move m);
    void *arg;
} Mover;

u4 mover_words(u4 cap, u4 cells); /* of memory that mover_init takes, in u4 */
void mover_init(Mover *m, u4 cap, u4 cells, Move *moves, u4 *memory, void (*emit)(void *arg, Move m), void *arg);
void mover_add(Mover *m, Loc to, Loc from, bool narrow);
/* Emits what has the effect of all of them at once; then there are none.  What is put aside comes as a move to LOC_HELD, one at a time. */
void mover_run(Mover *m);

#endif
