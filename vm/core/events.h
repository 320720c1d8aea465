/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs of the last things that happened, one ring per kind, always on.  A note is a few stores:
 * texts are kept as pointers, if they stay, and made into lines when somebody asks.
 */
#ifndef GRAFT_CORE_EVENTS_H
#define GRAFT_CORE_EVENTS_H

#include "core/types.h"

typedef enum EventLog {
#define EVENT_LOG(id, name, title) EVENTS_##id,
#include "core/events.def"
    N_EVENT_LOGS
} EventLog;

/* fmt takes (const char *, unsigned long, unsigned long) or a prefix of that; fmt and subject are texts
 * that are never freed (symbols, constants).  Any thread, any state. */
void event_note(EventLog log, const char *fmt, const char *subject, u8 a, u8 b);
/* The same for a subject that may be freed: names of hidden classes go with them.  What is too long is cut. */
void event_note_copied(EventLog log, const char *fmt, const char *subject, u8 a, u8 b);
const char *event_log_name(EventLog log), *event_log_title(EventLog log);
int event_count(EventLog log); /* kept */
/* The ith, oldest first, as a line "Event: 0.123 ..." without newline.  Signal-safe. */
void event_line(EventLog log, int i, char *buf, size_t len);

#endif
