/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by log.c (printing) and log_config.c (parsing). */
#ifndef GRAFT_LOG_LOG_INT_H
#define GRAFT_LOG_LOG_INT_H

#include "core/lock.h"
#include "log/log.h"

typedef enum LogLevel { LEVEL_OFF, LEVEL_TRACE, LEVEL_DEBUG, LEVEL_INFO, LEVEL_WARNING, LEVEL_ERROR, N_LEVELS } LogLevel;
extern const char *const log_level_names[N_LEVELS];

typedef enum Decorator {
#define DECORATOR(id, name, abbreviation) DECO_##id,
#include "log/log_decorators.def"
    N_DECORATORS
} Decorator;
extern const char *const log_decorator_names[N_DECORATORS][2];
enum { DECO_DEFAULT = 1 << DECO_UPTIME | 1 << DECO_LEVEL | 1 << DECO_TAGS, MAX_OUTPUTS = 16, MAX_LOG_LINE = 2048 };

typedef struct LogKind {
    const char *tags, *help;
    LogLevel level;
} LogKind;
extern const LogKind log_kinds[LOG_COUNT];

typedef struct LogOutput {
    char *name; /* "stdout", "stderr" or "file=..." as given */
    char *path; /* of a file, expanded */
    FILE *file;
    u1 level[LOG_COUNT]; /* least level shown, LEVEL_OFF = none */
    u4 decorators;
    int level_width, tags_width; /* widest printed so far: columns stay aligned */
    char *selections;            /* as given, after the base level */
    LogLevel base;
    u8 rotate_bytes, written;
    u4 file_count, next_archive;
    bool reconfigured, failed; /* failed: an error of writing has been told */
} LogOutput;
extern LogOutput log_outputs[MAX_OUTPUTS]; /* 0: stdout, 1: stderr */
extern int log_n_outputs;
extern VmLock log_lock;

static inline bool log_output_wants(const LogOutput *o, LogTag k) {
    return o->level[k] != LEVEL_OFF && o->level[k] <= log_kinds[k].level;
}
void log_update_enabled(void);
/* Opens o->path anew, older contents kept as archives; false + errno. */
bool log_file_open(LogOutput *o);
void log_file_rotate(LogOutput *o);

#endif
