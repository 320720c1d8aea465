/* SPDX-License-Identifier: Apache-2.0 */
/* trc_notes.c - a list of notes, put in order when it is read; `lock` guards it. */
#include "trc_notes.h"

#include <pthread.h>
#include <stdlib.h>

#include "cf_vec.h"

typedef struct Kept {
    TrcNote note;
    uint32_t number; /* in the order in which they came */
} Kept;

static CF_VEC(Kept) notes;
static bool ordered = true;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void trc_note(const TrcEvent *event, const char *key, TrcNoteKind kind, char *text) {
    if (!text) return;
    pthread_mutex_lock(&lock);
    if (!cf_vec_push(&notes, (Kept){{event, key, text, kind}, notes.len})) free(text);
    ordered = false;
    pthread_mutex_unlock(&lock);
}

void trc_notes_clear(void) {
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < notes.len; i++) free(notes.data[i].note.text);
    notes.len = 0;
    pthread_mutex_unlock(&lock);
}

static int compare(const void *x, const void *y) {
    const Kept *a = x, *b = y;
    if (a->note.event != b->note.event) return a->note.event < b->note.event ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

void trc_notes_of(const TrcEvent *event, void (*visit)(void *ctx, const TrcNote *note), void *ctx) {
    pthread_mutex_lock(&lock);
    if (!ordered) qsort(notes.data, notes.len, sizeof *notes.data, compare);
    ordered = true;
    uint32_t low = 0, high = notes.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (notes.data[middle].note.event < event) low = middle + 1;
        else high = middle;
    }
    for (; low < notes.len && notes.data[low].note.event == event; low++) visit(ctx, &notes.data[low].note);
    pthread_mutex_unlock(&lock);
}
