/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages for -Xlog, in the decorated form java users know:
 *   [0.012s][info][gc] GC(0) Pause Young (Allocation Failure) 24M->4M(256M) 3.045ms
 * Which messages exist is told by log_tags.def.  Configured by the command line before threads,
 * later by jcmd VM.log.
 */
#ifndef GRAFT_LOG_LOG_H
#define GRAFT_LOG_LOG_H

#include "core/types.h"
#include <stdio.h>

typedef enum LogTag {
#define LOGTAG(id, tags, help) LOG_##id,
#include "log/log_tags.def"
    LOG_COUNT
} LogTag;

extern u4 log_enabled; /* bit LogTag: some output wants it */
_Static_assert(LOG_COUNT <= 32, "log_enabled is a word of bits");
static inline bool log_on(LogTag k) { return UNLIKELY(log_enabled >> k & 1); }
/* Writes to the outputs that want k; to standard output if none does (-verbose switches). */
void log_print(LogTag k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

typedef enum LogConfig { LOG_OK, LOG_BAD, LOG_HELP } LogConfig;
/* What stands behind -Xlog: "", ":help", ":disable", ":async", ":what:output:decorators:options".
 * LOG_BAD: told on standard output why.  LOG_HELP: help was printed, the program should end. */
LogConfig log_configure(const char *text);
/* One message on standard output or not: -verbose and its management switches. */
void log_verbose(LogTag k, bool on);
/* jcmd VM.log; NULL = not given.  Reasons of a refusal go to out. */
bool log_reconfigure(const char *output, const char *what, const char *decorators, const char *options, FILE *out);
void log_describe(FILE *out);
void log_disable(void);
void log_rotate_all(void);
/* For "did you mean": the share of pairs of letters that two words have in common; n: length of a. */
double log_similarity(const char *a, size_t n, const char *b);

#endif
