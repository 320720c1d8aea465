/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command.h - what the parts of the command `graft` share: subcommands and options as rows, messages, exit codes.
 *
 * Exit codes: that of the command that was run; else one of these. A program that a signal ended gives 128 and its number.
 */
#ifndef GRAFT_COMMAND_H
#define GRAFT_COMMAND_H

#include "agent_option.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    GRAFT_FAILED = 1,       /* what was asked for was refused, or a check found a problem */
    GRAFT_MISSED = 3,       /* a threshold of coverage was */
    GRAFT_ERROR = 125,      /* wrong usage, no such process, not permitted, nothing found to work with */
    GRAFT_CANNOT_RUN = 126, /* CMD is there but cannot be run */
    GRAFT_NOT_FOUND = 127   /* there is no CMD */
};

/* ---- subcommands ------------------------------------------------------------------------------- */

typedef struct Option {
    const char *command; /* whose option; NULL in the rows of an agent */
    AgentOptionKind kind;
    const char *name;
    const char *value; /* its form; FILE, DIR, PATH, PATHS name files */
    const char *help;
} Option;

/* What was found on the command line: rows and values in their order, and the words behind. */
typedef struct Given {
    struct GivenOption {
        const Option *row;
        const char *value; /* of an AGENT_OPT_BOOL "on" or "off" */
    } v[64];
    int n;
    char **rest; /* ended by NULL */
    int nrest;
} Given;

typedef struct Command {
    const char *name;
    int (*run)(const struct Command *c, Given *g);
    const char *args, *summary, *about, *examples;
} Command;

typedef struct AgentKind {
    const char *name;
    const char *output;   /* its report if nothing else is said; NULL: none */
    const char *unloaded; /* why it cannot be loaded into a running JVM (for all that it does), or NULL */
} AgentKind;

extern const Command graft_commands[]; /* ended by a row without name */
extern const Option graft_options[];   /* likewise */
extern const AgentKind graft_agents[]; /* likewise */
extern const char *const graft_version;

const Command *command_find(const char *name);
const AgentKind *agent_find(const char *name);
/* The options of the agent, as its library tells them; ended by a row without name. Without the library the program ends. */
const Option *agent_rows(const AgentKind *a);

/* `argv` behind the subcommand. Ends the program with a message if it cannot be understood. */
void options_parse(const Command *c, int argc, char **argv, Given *g);
/* The value of the last such option, or NULL. */
const char *option_value(const Given *g, const char *name);
bool option_on(const Given *g, const char *name);
/* A number of at least `least`, `none` if the option is not given; ends the program otherwise. */
long option_number(const Given *g, const char *name, long none, long least);
/* The options of agents in the form of -agentpath, malloc'ed; file names are made absolute, and get %p in them if `many` JVMs may
 * run. Leaves out rows named in `but`. */
char *options_for_agent(const Given *g, const char *const *but, bool many);
/* The file names that the agent gets for an option, malloc'ed. */
char *option_files(const Option *row, const char *value, bool many);
/* A value as the agents want it: commas and backslashes are written with a backslash. malloc'ed. */
char *option_escaped(const char *text);

int help_run(const Command *c, Given *g);
int help_of(const Command *c, FILE *out);
int help_overview(FILE *out);

int run_run(const Command *c, Given *g);
int agent_run(const Command *c, Given *g);
int ps_run(const Command *c, Given *g);
int top_run(const Command *c, Given *g);
int redefine_run(const Command *c, Given *g);
int tool_run(const Command *c, Given *g);
int doctor_run(const Command *c, Given *g);

/* ---- text -------------------------------------------------------------------------------------- */

/* "graft: ..." on standard error; graft_die ends the program with GRAFT_ERROR. */
void graft_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void graft_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Formatted, malloc'ed; without memory the program ends. */
char *text_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* What others wrote and goes to a terminal: control characters become blanks, in place. */
char *text_printable(char *text);

typedef enum Ink { INK_PLAIN, INK_BOLD, INK_GOOD, INK_BAD, INK_DIM } Ink;
/* What changes the colour: empty unless `out` is a terminal and NO_COLOR is not set. */
const char *ink(FILE *out, Ink i);

/* Keeps the name most like `word`; nothing that is too far away. */
typedef struct Nearest {
    const char *word, *name;
    size_t distance;
} Nearest;
void nearest_look(Nearest *n, const char *name);
/* " (did you mean 'x'?)" or "". */
const char *nearest_text(const Nearest *n, char *buf, size_t size);

/* "1.5 MB", "2 h 3 min"; in a buffer that the next eight calls leave alone. */
const char *text_bytes(double n);
const char *text_seconds(double s);
/* "/a/b" of a relative name, malloc'ed. */
char *path_absolute(const char *path);

#endif
