/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostic commands: shared by diag.c (tables, command lines, help) and the files that hold the commands. */
#ifndef GRAFT_SERVE_DIAG_INT_H
#define GRAFT_SERVE_DIAG_INT_H

#include "serve/diag.h"
#include "jvm/jvm_int.h"

enum { DIAG_MAX_ARGS = 24, DIAG_MAX_LINE = 4096 };

typedef struct DiagCall {
    Thread *t;
    FILE *out;
    DiagSource source;
    const char *value[DIAG_MAX_ARGS]; /* by argument row; NULL = not given and no default */
    bool given[DIAG_MAX_ARGS];
} DiagCall;

#define COMMAND(id, name, text, impact, permission) bool diag_cmd_##id(DiagCall *c);
#define ARG(cmd, name, text, type, standard, option, mandatory)
#include "serve/diag_commands.def"

static inline bool diag_true(const char *v) { return v && strcmp(v, "true") == 0; }
/* Nothing to tell: jcmd says by itself that the command was executed. */
static inline bool diag_done(DiagCall *c) { return true; }
void diag_print_help(FILE *out, const DiagCommand *d);

#endif
