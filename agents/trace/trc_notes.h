/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_notes.h - what probes kept of calls that are spans, too: a value under a name, for an event of trc_tree.h. Each call's exit runs behind `leave`, so
 * the event is the thread's last one then. The number of notes is bounded as that of the lines is (argsmax).
 */
#ifndef GRAFT_TRC_NOTES_H
#define GRAFT_TRC_NOTES_H

#include "trc_tree.h"

typedef enum TrcNoteKind { TRC_NOTE_TEXT, TRC_NOTE_INT, TRC_NOTE_REAL, TRC_NOTE_TRUTH } TrcNoteKind;

typedef struct TrcNote {
    const TrcEvent *event;
    const char *key;
    char *text;
    TrcNoteKind kind;
} TrcNote;

/* `key` stays valid; `text` is malloc'ed and taken over. Any thread. */
void trc_note(const TrcEvent *event, const char *key, TrcNoteKind kind, char *text);
void trc_notes_clear(void);
/* The notes of an event, in the order in which they came. */
void trc_notes_of(const TrcEvent *event, void (*visit)(void *ctx, const TrcNote *note), void *ctx);

#endif
